#include <Eigen/Core>
#include <cmath>

#include "painleve/simulation/detail/collocation_tables.hpp"

namespace painleve::detail {
namespace {

// Gauss's rule of six points on [-1, 1], exact to degree 11: positive points and their weights.
constexpr std::array<double, 3> kGauss = {0.238619186083196908630501721681, 0.661209386466264513661399595020,
                                          0.932469514203152027812301554494};
constexpr std::array<double, 3> kGaussWeight = {0.467913934572691047389870343990, 0.360761573048138607569833513838,
                                                0.171324492379170345040296142173};

double binomial(int n, int k) {
  double b = 1;
  for (int i = 1; i <= k; ++i) b = b * (n - k + i) / i;
  return b;
}

// ℓ_0 … ℓ_10 on eleven equidistant points, at X in units of their distance: products from both sides.
std::array<double, CollocationTables::kPoints> lagrange_at(double X) {
  constexpr std::size_t n = CollocationTables::kPoints;
  constexpr auto denominators = [] {
    std::array<double, n> list{};
    for (std::size_t j = 0; j < n; ++j) {
      list[j] = 1;
      for (std::size_t i = 0; i < n; ++i) {
        if (i != j) list[j] *= static_cast<double>(j) - static_cast<double>(i);
      }
    }
    return list;
  }();
  std::array<double, n> values{};
  double product = 1;
  for (std::size_t j = 0; j < n; ++j) {
    values[j] = product;
    product *= X - static_cast<double>(j);
  }
  product = 1;
  for (std::size_t j = n; j-- > 0;) {
    values[j] *= product / denominators[j];
    product *= X - static_cast<double>(j);
  }
  return values;
}

// Coefficients of ℓ_j.
std::array<double, CollocationTables::kNodes> coefficients(int j) {
  constexpr int n = CollocationTables::kNodes;
  std::array<double, CollocationTables::kNodes> c{};
  c[0] = 1;
  int degree = 0;
  for (int i = 0; i < n; ++i) {
    if (i == j) continue;
    ++degree;
    for (int k = degree; k >= 0; --k) {
      const double shifted = k > 0 ? c[static_cast<std::size_t>(k - 1)] : 0;
      const double own = k < degree ? c[static_cast<std::size_t>(k)] : 0;
      c[static_cast<std::size_t>(k)] = (shifted - i * own) / (j - i);
    }
  }
  return c;
}

double polynomial(const std::array<double, CollocationTables::kNodes>& c, double X) {
  double value = 0;
  for (std::size_t l = c.size(); l-- > 0;) value = value * X + c[l];
  return value;
}

}  // namespace

CollocationTables::CollocationTables() {
  for (std::size_t j = 0; j < kNodes; ++j) {
    lagrange[j] = coefficients(static_cast<int>(j));
    for (std::size_t k = 0; k < kNodes; ++k) antiderivative[k][j] = lagrange[j][k] / static_cast<double>(k + 1);
  }
  for (std::size_t p = 0; p < taylor.size(); ++p) {
    for (std::size_t j = 0; j < kNodes; ++j) {
      std::array<double, kNodes> c = lagrange[j];
      for (std::size_t k = 0; k < kNodes; ++k) {
        taylor[p][k][j] = polynomial(c, static_cast<double>(p));
        for (std::size_t l = 0; l + 1 < kNodes; ++l) c[l] = static_cast<double>(l + 1) * c[l + 1];
        c[kNodes - 1] = 0;
      }
    }
  }
  for (std::size_t p = 0; p < kPoints; ++p) {
    const double x = static_cast<double>(p) / static_cast<double>(kPoints - 1);
    for (std::size_t j = 0; j < kNodes; ++j) value[p][j] = polynomial(lagrange[j], static_cast<double>(p) / 2);
    integral[p] = integral_to(x);
    work[p] = work_to(x);
  }
  constexpr int order = static_cast<int>(kPoints) - 1;
  // Newton's polynomial of order 10 vanishes on all points but the last, and so is ℓ_10.
  const double share = work[kPoints - 1][kPoints - 1];
  for (int p = 0; p <= order; ++p) {
    tenth_difference[static_cast<std::size_t>(p)] = ((order - p) % 2 == 0 ? share : -share) * binomial(order, p);
  }
}

std::array<double, CollocationTables::kNodes> CollocationTables::integral_to(double x) const {
  constexpr double distances = static_cast<double>(kNodes) - 1;
  const double X = distances * x;
  using All = Eigen::Array<double, kNodes, 1>;
  const auto row = [this](std::size_t k) { return Eigen::Map<const All>(antiderivative[k].data()); };
  const All sum = ((((row(5) * X + row(4)) * X + row(3)) * X + row(2)) * X + row(1)) * X + row(0);
  std::array<double, kNodes> weights;
  Eigen::Map<All>(weights.data()) = sum * x;
  return weights;
}

std::array<double, CollocationTables::kPoints> CollocationTables::work_to(double x) const {
  constexpr double distances = static_cast<double>(kPoints) - 1;
  std::array<double, kPoints> weights{};
  for (std::size_t g = 0; g < kGauss.size(); ++g) {
    for (const double side : {-1.0, 1.0}) {
      const std::array<double, kPoints> values = lagrange_at(0.5 * distances * x * (1 + side * kGauss[g]));
      for (std::size_t p = 0; p < kPoints; ++p) weights[p] += 0.5 * x * kGaussWeight[g] * values[p];
    }
  }
  return weights;
}

const CollocationTables& collocation_tables() {
  static const CollocationTables tables;
  return tables;
}

}  // namespace painleve::detail
