#include "painleve/complementarity/linear_feasibility.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>
#include <vector>

namespace painleve {
namespace {

// Coefficients of a dictionary below this are rounding; its rows have length 1.
constexpr double zero = 1e-12;
// A row that stays below this all over the region is an equality there.
constexpr double flat = 1e-9;

// Basic variables as affine functions of the others: column 0 the constants, last row the objective.
struct Dictionary {
  Eigen::MatrixXd D;
  std::vector<int> basic, other;
};

// Bland's rule, which cannot cycle: the first variable that gains enters, of the first to reach zero the lowest leaves.
int entering(const Dictionary& d) {
  int best = -1;
  for (int j = 0; j < static_cast<int>(d.other.size()); ++j) {
    const bool gains = d.D(d.D.rows() - 1, 1 + j) > zero;
    if (gains && (best < 0 || d.other[static_cast<std::size_t>(j)] < d.other[static_cast<std::size_t>(best)])) best = j;
  }
  return best;
}
int leaving(const Dictionary& d, int j) {
  int best = -1;
  double least = 0;
  for (int i = 0; i < static_cast<int>(d.basic.size()); ++i) {
    const double fall = -d.D(i, 1 + j);
    if (fall <= zero) continue;
    const double reach = std::max(d.D(i, 0), 0.0) / fall;
    const bool lower = best >= 0 && d.basic[static_cast<std::size_t>(i)] < d.basic[static_cast<std::size_t>(best)];
    if (best < 0 || reach < least || (reach == least && lower)) {
      best = i;
      least = reach;
    }
  }
  return best;
}

void pivot(Dictionary& d, int i, int j) {
  const double a = d.D(i, 1 + j);
  d.D.row(i) /= -a;
  d.D(i, 1 + j) = 1 / a;
  for (Eigen::Index r = 0; r < d.D.rows(); ++r) {
    if (r == i) continue;
    const double f = d.D(r, 1 + j);
    d.D(r, 1 + j) = 0;
    d.D.row(r) += f * d.D.row(i);
  }
  std::swap(d.basic[static_cast<std::size_t>(i)], d.other[static_cast<std::size_t>(j)]);
}

// The largest objective·x over G x + h ≥ 0, a bounded region that contains x = 0 (h ≥ 0). x = x⁺ − x⁻.
Eigen::VectorXd climb(const Eigen::MatrixXd& G, const Eigen::VectorXd& h, const Eigen::VectorXd& objective) {
  const Eigen::Index n = G.cols();
  const Eigen::Index m = G.rows();
  Dictionary d;
  d.D = Eigen::MatrixXd::Zero(m + 1, 1 + 2 * n);
  d.D.topRows(m) << h.cwiseMax(0), G, -G;
  d.D.bottomRows(1).rightCols(2 * n) << objective.transpose(), -objective.transpose();
  d.other.resize(static_cast<std::size_t>(2 * n));
  d.basic.resize(static_cast<std::size_t>(m));
  std::iota(d.other.begin(), d.other.end(), 0);
  std::iota(d.basic.begin(), d.basic.end(), static_cast<int>(2 * n));
  constexpr int most_pivots = 20000;  // stops what rounding keeps alive; every point on the way is feasible
  for (int k = 0; k < most_pivots; ++k) {
    const int j = entering(d);
    const int i = j < 0 ? -1 : leaving(d, j);
    if (i < 0) break;
    pivot(d, i, j);
  }
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  for (std::size_t i = 0; i < d.basic.size(); ++i) {
    const double value = d.D(static_cast<Eigen::Index>(i), 0);
    if (d.basic[i] < n) {
      x(d.basic[i]) += value;
    } else if (d.basic[i] < 2 * n) {
      x(d.basic[i] - n) -= value;
    }
  }
  return x;
}

struct Rows {
  Eigen::MatrixXd A;  // of length 1, or 0
  Eigen::VectorXd c;
};
Rows scaled(const Eigen::MatrixXd& A, const Eigen::VectorXd& c) {
  Rows r{A, c};
  const double longest = A.rows() > 0 ? A.rowwise().norm().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double length = A.row(i).norm();
    if (length <= zero * longest) {  // rounding of a row that does not depend on y
      r.A.row(i).setZero();
      continue;
    }
    r.A.row(i) /= length;
    r.c(i) /= length;
  }
  return r;
}

// Goes from y as deep as it can, the rows marked `equal` counting only as constraints.
Interior deepest_from(const Rows& rows, const Eigen::VectorXd& y, const std::vector<bool>& equal, double box) {
  const Eigen::Index k = rows.A.cols();
  const Eigen::Index m = rows.A.rows();
  const Eigen::VectorXd here = rows.A * y + rows.c;
  double depth = box;
  for (Eigen::Index i = 0; i < m; ++i)
    if (!equal[static_cast<std::size_t>(i)]) depth = std::min(depth, here(i));
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m + 2 * k + 1, k + 1);
  Eigen::VectorXd h(m + 2 * k + 1);
  G.topLeftCorner(m, k) = rows.A;
  for (Eigen::Index i = 0; i < m; ++i) {
    const bool counts = !equal[static_cast<std::size_t>(i)];
    G(i, k) = counts ? -1 : 0;
    h(i) = counts ? here(i) - depth : here(i);
  }
  G.block(m, 0, k, k).setIdentity();
  G.block(m + k, 0, k, k) = -Eigen::MatrixXd::Identity(k, k);
  G(m + 2 * k, k) = -1;
  h.segment(m, k) = Eigen::VectorXd::Constant(k, box) + y;
  h.segment(m + k, k) = Eigen::VectorXd::Constant(k, box) - y;
  h(m + 2 * k) = box - depth;
  const Eigen::VectorXd x = climb(G, h, Eigen::VectorXd::Unit(k + 1, k));
  return {y + x.head(k), depth + x(k), Eigen::MatrixXd::Identity(k, k)};
}

// Largest value of row i over the region, which contains y.
double most(const Rows& rows, const Eigen::VectorXd& y, Eigen::Index i, double box) {
  const Eigen::Index k = rows.A.cols();
  const Eigen::Index m = rows.A.rows();
  Eigen::MatrixXd G(m + 2 * k, k);
  Eigen::VectorXd h(m + 2 * k);
  G << rows.A, Eigen::MatrixXd::Identity(k, k), -Eigen::MatrixXd::Identity(k, k);
  h << rows.A * y + rows.c, Eigen::VectorXd::Constant(k, box) + y, Eigen::VectorXd::Constant(k, box) - y;
  return h(i) + rows.A.row(i).dot(climb(G, h, rows.A.row(i).transpose()));
}

}  // namespace

Interior deepest_point(const Eigen::MatrixXd& A, const Eigen::VectorXd& c, double box) {
  const std::vector<bool> none(static_cast<std::size_t>(A.rows()), false);
  return deepest_from(scaled(A, c), Eigen::VectorXd::Zero(A.cols()), none, box);
}

Interior relative_interior(const Eigen::MatrixXd& A, const Eigen::VectorXd& c, double box) {
  Interior first = deepest_point(A, c, box);
  if (first.depth > flat) return first;
  if (first.depth < -flat) {
    first.directions.resize(A.cols(), 0);
    return first;
  }
  const Rows rows = scaled(A, c);
  std::vector<bool> equal;
  std::vector<Eigen::Index> equalities;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    equal.push_back(most(rows, first.y, i, box) <= flat);
    if (equal.back()) equalities.push_back(i);
  }
  Interior inside = deepest_from(rows, first.y, equal, box);
  const Eigen::MatrixXd kept = rows.A(equalities, Eigen::all);
  if (kept.size() > 0 && kept.cwiseAbs().maxCoeff() > 0) {
    Eigen::FullPivLU<Eigen::MatrixXd> lu(kept);
    lu.setThreshold(flat);
    inside.directions = lu.dimensionOfKernel() > 0 ? lu.kernel().eval() : Eigen::MatrixXd(A.cols(), 0);
  }
  return inside;
}

}  // namespace painleve
