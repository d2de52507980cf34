#include "painleve/c/detail/small_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/c/detail/small_problem.hpp"

namespace painleve::small {
namespace {

constexpr double matrix_tolerance = 1e-9;  // symmetry and definiteness, of the largest entry
constexpr double largest_number = 1e100;
constexpr double smallest_scale = 1e-100;

// D = Xᵀ A X of a symmetric A by Jacobi's rotations, which converge quadratically: a few sweeps of 4 x 4 are plenty.
struct Eigenvalues {
  explicit Eigenvalues(const Matrix& A) : D(A), X(Matrix::Identity(A.rows(), A.cols())) {
    constexpr int sweeps = 8;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      for (int i = 0; i < D.rows(); ++i)
        for (int j = i + 1; j < D.rows(); ++j) rotate(i, j);
  }

  Matrix D, X;

 private:
  // Makes D(i, j) zero.
  void rotate(int i, int j) {
    if (D(i, j) == 0) return;
    const double theta = (D(j, j) - D(i, i)) / (2 * D(i, j));
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1 / std::hypot(t, 1.0);
    const double s = t * c;
    for (int k = 0; k < D.rows(); ++k) turn(D(k, i), D(k, j), c, s);
    for (int k = 0; k < D.rows(); ++k) turn(D(i, k), D(j, k), c, s);
    for (int k = 0; k < D.rows(); ++k) turn(X(k, i), X(k, j), c, s);
    D(i, j) = D(j, i) = 0;
  }
  static void turn(double& a, double& b, double c, double s) {
    const double before = a;
    a = c * before - s * b;
    b = s * before + c * b;
  }
};

bool all_finite(const painleve_contacts& c) {
  for (int i = 0; i < 2 * c.count; ++i) {
    if (!finite(c.b[i]) || !finite(c.drift[i]) || !finite(c.u[i])) return false;
    for (int j = 0; j < 2 * c.count; ++j)
      if (!finite(c.W[i][j])) return false;
  }
  for (int i = 0; i < c.count; ++i)
    if (!finite(c.gap[i]) || !finite(c.mu[i])) return false;
  return finite(c.tolerance_gap) && finite(c.tolerance_velocity);
}

int32_t check_matrix(const painleve_contacts& c) {
  const int n = 2 * c.count;
  Matrix W(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) W(i, j) = c.W[i][j];
  const double scale = W.cwiseAbs().maxCoeff();
  for (int i = 0; i < n; ++i)
    if (W(i, i) > 0 && W(i, i) < smallest_scale) return PAINLEVE_TOO_SMALL;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(W(i, j) - W(j, i)) > matrix_tolerance * scale) return PAINLEVE_NOT_SYMMETRIC;
  const Eigenvalues eigen((W + W.transpose()) / 2);
  return eigen.D.diagonal().minCoeff() < -matrix_tolerance * scale ? PAINLEVE_INDEFINITE : PAINLEVE_OK;
}

}  // namespace

bool finite(double x) { return std::abs(x) <= largest_number; }

int32_t check(const painleve_contacts& c) {
  if (c.count < 1 || c.count > PAINLEVE_MOST_CONTACTS) return PAINLEVE_BAD_COUNT;
  if (!all_finite(c)) return PAINLEVE_NOT_FINITE;
  for (int i = 0; i < c.count; ++i)
    if (c.mu[i] < 0) return PAINLEVE_NEGATIVE_MU;
  for (int i = 0; i < c.count; ++i)
    if (c.mu[i] > 1e9) return PAINLEVE_LARGE_MU;
  if (c.tolerance_gap < 0 || c.tolerance_velocity < 0) return PAINLEVE_BAD_TOLERANCE;
  return check_matrix(c);
}

Eigen::Matrix2d own_block(const painleve_contacts& c, int i) {
  Eigen::Matrix2d W;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) W(a, b) = response(c, 2 * i + a, 2 * i + b);
  return W;
}

// Schur complement of the other contact, with a pseudo-inverse where that cannot move in some direction.
Eigen::Matrix2d held_block(const painleve_contacts& c, int i) {
  constexpr double rank_tolerance = 1e-12;
  constexpr double cancelled = 1e-13;
  const int other = 1 - i;
  Eigen::Matrix2d W = own_block(c, i);
  double rounding = cancelled * W.cwiseAbs().maxCoeff();  // what cancellation leaves; see contact/held_contact.cpp
  Eigen::Matrix2d coupling;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) coupling(a, b) = response(c, 2 * i + a, 2 * other + b);
  const Eigenvalues eigen(own_block(c, other));
  const double largest = std::max(eigen.D.diagonal().cwiseAbs().maxCoeff(), 1e-300);
  const double cut = rank_tolerance * largest;
  for (int k = 0; k < 2; ++k) {
    if (eigen.D(k, k) <= cut) continue;
    const Eigen::Vector2d x = coupling.lazyProduct(eigen.X.col(k));
    W -= x * x.transpose() / eigen.D(k, k);
    rounding +=
        16 * std::numeric_limits<double>::epsilon() * (largest / eigen.D(k, k)) * (x.squaredNorm() / eigen.D(k, k));
  }
  return W.unaryExpr([&](double x) { return std::abs(x) <= rounding ? 0.0 : x; });
}

bool jamming_friction(const Eigen::Matrix2d& W, double& mu_jam) {
  // W is formed from rounded sines and cosines: a coupling below this is none.
  constexpr double no_coupling = 16 * std::numeric_limits<double>::epsilon();
  const double coupling = std::abs(W(0, 1));
  mu_jam = 0;
  if (coupling <= no_coupling * std::sqrt(std::abs(W(0, 0)) * std::abs(W(1, 1)))) return false;
  mu_jam = W(1, 1) / coupling;
  return true;
}

}  // namespace painleve::small
