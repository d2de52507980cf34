#include <algorithm>
#include <array>

#include "painleve/c/detail/full_pivot.hpp"
#include "painleve/c/detail/small_interior.hpp"

namespace painleve::small {
namespace {

// Coefficients of a dictionary below this are rounding; its rows have length 1.
constexpr double zero = 1e-12;
// A row that stays below this all over the region is an equality there.
constexpr double flat = 1e-9;

constexpr int most_limits = most_conditions + 2 * most_rows + 1;  // conditions, box, cap of the depth
constexpr int most_unknowns = most_rows + 1;                      // y and the depth

using Limits = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_limits, most_unknowns>;
using LimitValues = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_limits, 1>;
using Unknowns = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_unknowns, 1>;

// Basic variables as affine functions of the others: column 0 the constants, last row the objective.
struct Dictionary {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_limits + 1, 2 * most_unknowns + 1> D;
  std::array<int, most_limits> basic{};
  std::array<int, 2 * most_unknowns> other{};
  int basics = 0, others = 0;
};

// Bland's rule, which cannot cycle: the first variable that gains enters, of the first to reach zero the lowest leaves.
int entering(const Dictionary& d) {
  int best = -1;
  for (int j = 0; j < d.others; ++j) {
    const bool gains = d.D(d.basics, 1 + j) > zero;
    if (gains && (best < 0 || d.other[static_cast<std::size_t>(j)] < d.other[static_cast<std::size_t>(best)])) best = j;
  }
  return best;
}
int leaving(const Dictionary& d, int j) {
  int best = -1;
  double least = 0;
  for (int i = 0; i < d.basics; ++i) {
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

Dictionary dictionary(const Limits& G, const LimitValues& h, const Unknowns& objective) {
  const Eigen::Index n = G.cols();
  const Eigen::Index m = G.rows();
  Dictionary d;
  d.basics = static_cast<int>(m);
  d.others = static_cast<int>(2 * n);
  d.D.setZero(m + 1, 1 + 2 * n);
  d.D.col(0).head(m) = h.cwiseMax(0);
  d.D.block(0, 1, m, n) = G;
  d.D.block(0, 1 + n, m, n) = -G;
  d.D.row(m).segment(1, n) = objective.transpose();
  d.D.row(m).segment(1 + n, n) = -objective.transpose();
  for (int j = 0; j < d.others; ++j) d.other[static_cast<std::size_t>(j)] = j;
  for (int i = 0; i < d.basics; ++i) d.basic[static_cast<std::size_t>(i)] = d.others + i;
  return d;
}

// The largest objective·x over G x + h ≥ 0, a bounded region that contains x = 0 (h ≥ 0). x = x⁺ − x⁻.
Unknowns climb(const Limits& G, const LimitValues& h, const Unknowns& objective) {
  const Eigen::Index n = G.cols();
  Dictionary d = dictionary(G, h, objective);
  constexpr int most_pivots = 20000;  // stops what rounding keeps alive; every point on the way is feasible
  for (int k = 0; k < most_pivots; ++k) {
    const int j = entering(d);
    const int i = j < 0 ? -1 : leaving(d, j);
    if (i < 0) break;
    pivot(d, i, j);
  }
  Unknowns x = Unknowns::Zero(n);
  for (int i = 0; i < d.basics; ++i) {
    const int variable = d.basic[static_cast<std::size_t>(i)];
    if (variable < n) {
      x(variable) += d.D(i, 0);
    } else if (variable < 2 * n) {
      x(variable - n) -= d.D(i, 0);
    }
  }
  return x;
}

// Rows of length 1, or 0 where only rounding depends on y.
void normalise(Rows& A, Values& c) {
  const double longest = A.rows() > 0 ? A.rowwise().norm().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double length = A.row(i).norm();
    if (length <= zero * longest) {
      A.row(i).setZero();
      continue;
    }
    A.row(i) /= length;
    c(i) /= length;
  }
}

using Marks = std::array<bool, most_conditions>;

// Goes from y as deep as it can, the rows marked `equal` counting only as constraints.
Interior deepest_from(const Rows& A, const Values& c, const Vector& y, const Marks& equal, double box) {
  const Eigen::Index k = A.cols();
  const Eigen::Index m = A.rows();
  const Values here = A.lazyProduct(y) + c;
  double depth = box;
  for (Eigen::Index i = 0; i < m; ++i)
    if (!equal[static_cast<std::size_t>(i)]) depth = std::min(depth, here(i));
  Limits G = Limits::Zero(m + 2 * k + 1, k + 1);
  LimitValues h(m + 2 * k + 1);
  G.topLeftCorner(m, k) = A;
  for (Eigen::Index i = 0; i < m; ++i) {
    const bool counts = !equal[static_cast<std::size_t>(i)];
    G(i, k) = counts ? -1 : 0;
    h(i) = counts ? here(i) - depth : here(i);
  }
  for (Eigen::Index i = 0; i < k; ++i) {
    G(m + i, i) = 1;
    G(m + k + i, i) = -1;
    h(m + i) = box + y(i);
    h(m + k + i) = box - y(i);
  }
  G(m + 2 * k, k) = -1;
  h(m + 2 * k) = box - depth;
  Unknowns objective = Unknowns::Zero(k + 1);
  objective(k) = 1;
  const Unknowns x = climb(G, h, objective);
  return {y + x.head(k), depth + x(k), Matrix::Identity(k, k)};
}

// Largest value of row i over the region, which contains y.
double most(const Rows& A, const Values& c, const Vector& y, Eigen::Index i, double box) {
  const Eigen::Index k = A.cols();
  const Eigen::Index m = A.rows();
  Limits G = Limits::Zero(m + 2 * k, k);
  LimitValues h(m + 2 * k);
  G.topRows(m) = A;
  h.head(m) = A.lazyProduct(y) + c;
  for (Eigen::Index j = 0; j < k; ++j) {
    G(m + j, j) = 1;
    G(m + k + j, j) = -1;
    h(m + j) = box + y(j);
    h(m + k + j) = box - y(j);
  }
  const Unknowns along = A.row(i).transpose();
  return h(i) + along.dot(climb(G, h, along));
}

// Directions in which the rows marked `equal` stay what they are.
Matrix free_directions(const Rows& A, const Marks& equal) {
  const Eigen::Index k = A.cols();
  Rows kept = Rows::Zero(A.rows(), k);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (equal[static_cast<std::size_t>(i)]) kept.row(i) = A.row(i);
  if (kept.size() == 0 || kept.cwiseAbs().maxCoeff() == 0) return Matrix::Identity(k, k);
  return FullPivot<Rows>(kept, flat).kernel();
}

}  // namespace

Interior relative_interior(const Rows& A_given, const Values& c_given, double box) {
  Rows A = A_given;
  Values c = c_given;
  normalise(A, c);
  Marks equal{};
  Interior first = deepest_from(A, c, Vector::Zero(A.cols()), equal, box);
  if (first.depth > flat) return first;
  if (first.depth < -flat) {
    first.directions.resize(A.cols(), 0);
    return first;
  }
  for (Eigen::Index i = 0; i < A.rows(); ++i) equal[static_cast<std::size_t>(i)] = most(A, c, first.y, i, box) <= flat;
  Interior inside = deepest_from(A, c, first.y, equal, box);
  inside.directions = free_directions(A, equal);
  return inside;
}

}  // namespace painleve::small
