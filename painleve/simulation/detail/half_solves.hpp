// M = L Lᵀ and products through M⁻¹ by half solves: with h(x) = L⁻¹ x,  xᵀ M⁻¹ z = h(x)·h(z)  and  M⁻¹ z = L⁻ᵀ h(z).
// Plain loops, for the few degrees of freedom of a mechanism, where a general solver spends its time on bookkeeping;
// three of them, as in the plane, without loops. A mass matrix that is the same as before is not factorised again.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace painleve::detail {

inline double dot(const double* a, const double* b, Eigen::Index n) {
  if (n == 3) return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// y := y + c x
inline void add(double c, const double* x, double* y, Eigen::Index n) {
  if (n == 3) {
    y[0] += c * x[0];
    y[1] += c * x[1];
    y[2] += c * x[2];
    return;
  }
  for (Eigen::Index i = 0; i < n; ++i) y[i] += c * x[i];
}

class HalfSolves {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // M symmetric and positive definite; anything else leaves numbers that are not finite.
  void factorise(const Eigen::MatrixXd& M) {
    const Eigen::Index n = M.rows();
    const auto bytes = static_cast<std::size_t>(n * n) * sizeof(double);
    if (M_.rows() != n || std::memcmp(M.data(), M_.data(), bytes) != 0) factorise_anew(M);
  }

  // x := L⁻¹ x
  void half(double* x) const {
    const Eigen::Index n = L_.rows();
    if (n == 3) {
      const double* L = L_.data();
      x[0] *= inverse_(0);
      x[1] = (x[1] - L[3] * x[0]) * inverse_(1);
      x[2] = (x[2] - L[6] * x[0] - L[7] * x[1]) * inverse_(2);
      return;
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const double* row = L_.data() + i * n;
      for (Eigen::Index k = 0; k < i; ++k) x[i] -= row[k] * x[k];
      x[i] *= inverse_(i);
    }
  }

  // x := L⁻ᵀ x
  void other_half(double* x) const {
    const Eigen::Index n = L_.rows();
    if (n == 3) {
      const double* L = L_.data();
      x[2] *= inverse_(2);
      x[1] = (x[1] - L[7] * x[2]) * inverse_(1);
      x[0] = (x[0] - L[6] * x[2] - L[3] * x[1]) * inverse_(0);
      return;
    }
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      x[i] *= inverse_(i);
      const double* row = L_.data() + i * n;
      for (Eigen::Index k = 0; k < i; ++k) x[k] -= row[k] * x[i];
    }
  }

  // x := L⁻¹ (row of A)
  void half_of_row(const Eigen::MatrixXd& A, Eigen::Index row, double* x) const {
    const double* from = A.data() + row;
    const Eigen::Index stride = A.rows();
    if (L_.rows() == 3) {
      x[0] = from[0];
      x[1] = from[stride];
      x[2] = from[2 * stride];
    } else {
      for (Eigen::Index i = 0; i < L_.rows(); ++i) x[i] = from[i * stride];
    }
    half(x);
  }

  // Diagonal entry i of L; not a number where M is not positive definite.
  double pivot(Eigen::Index i) const { return L_(i, i); }

 private:
  void factorise_anew(const Eigen::MatrixXd& M) {
    const Eigen::Index n = M.rows();
    M_ = M;
    L_.resize(n, n);
    inverse_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      double* row = L_.data() + i * n;
      for (Eigen::Index j = 0; j <= i; ++j) {
        const double* other = L_.data() + j * n;
        double x = M(i, j);
        for (Eigen::Index k = 0; k < j; ++k) x -= row[k] * other[k];
        if (j < i) {
          row[j] = x * inverse_(j);
        } else {
          row[i] = std::sqrt(x);
          inverse_(i) = 1 / row[i];
        }
      }
    }
  }

  Eigen::MatrixXd M_;  // what was factorised
  Rows L_;
  Eigen::VectorXd inverse_;  // of the diagonal of L
};

}  // namespace painleve::detail
