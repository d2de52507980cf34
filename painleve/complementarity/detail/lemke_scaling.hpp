// The start of Lemke's path: the problem scaled by powers of two, which rounds nothing.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstdint>

#include "painleve/complementarity/detail/lemke_path.hpp"

namespace painleve {

// Subnormal numbers count as zero.
struct PowerOfTwo {
  static int exponent(double size) { return static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52U) - 1023; }
  static double of(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52U); }
  static double inverse_root(double size) { return exponent(size) > -1023 ? of(-((exponent(size) + 1) >> 1)) : 1; }
};

// Divides rows and columns of −M by the square roots of their largest entries; false when all are near 1.
EIGEN_ALWAYS_INLINE bool LemkePath::sweep() {
  const auto far_from_one = [](double size) { return size > 16 || (size < 0.0625 && size > 0); };
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(stride());
  Eigen::VectorXd by_column(stride());
  bool far = false;
  for (int j = 0; j < n(); ++j) {
    const double size = largest(column(j));
    rows = rows.cwiseMax(column(j).cwiseAbs());
    by_column(j) = size;
    far |= far_from_one(size);
  }
  for (int i = 0; i < n(); ++i) far |= far_from_one(rows(i));
  if (!far) return false;
  rows = rows.unaryExpr([](double size) { return PowerOfTwo::inverse_root(size); });
  for (int j = 0; j < n(); ++j) {
    const double factor = PowerOfTwo::inverse_root(by_column(j));
    column(j) = factor * column(j).cwiseProduct(rows);
    columns()(j) *= factor;
  }
  q() = q().cwiseProduct(rows);
  return true;
}

// With R and C that bring rows and columns to size 1:  R w = R q + (R M C) (z / C) + R d z0,  then all over the load.
EIGEN_ALWAYS_INLINE void LemkePath::scale(const LinearComplementarity& problem, const Eigen::VectorXd& covering) {
  for (int j = 0; j < n(); ++j) {
    column(j)(stride() - 1) = 0;
    column(j).head(n()) = -problem.M.col(j).head(n());
  }
  q().setOnes();
  columns().setOnes();
  constexpr int sweeps = 3;
  for (int k = 0; k < sweeps && sweep(); ++k) {
  }
  if (stride() > n()) q()(n()) = 0;
  A(z0()).setConstant(-1);
  if (covering.size() == n()) A(z0()).head(n()) = -q().head(n()).cwiseProduct(covering);
  if (stride() > n()) A(z0())(n()) = 0;
  q().head(n()).array() *= problem.q.head(n()).array();
  const double load = PowerOfTwo::of(std::max(PowerOfTwo::exponent(largest(q())), -1022));
  q() /= load;
  columns() *= load;
}

inline LemkePath::LemkePath(const LinearComplementarity& problem, const LemkeOptions& options)
    : n_(static_cast<int>(problem.q.size())),
      stride_(n_ + n_ % 2),
      most_pivots_(options.most_pivots > 0 ? options.most_pivots : 100 + 50 * n_),
      block_(Sizes::entries(n_)),
      numbers_(Sizes::numbers(n_)) {
  scale(problem, options.covering);
  start_from_identity();
  for (int i = 0; i < n(); ++i) reference()[i] = i;
}

}  // namespace painleve
