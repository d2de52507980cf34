// M = L Lᵀ and products through M⁻¹ by half solves: with h(x) = L⁻¹ x,  xᵀ M⁻¹ z = h(x)·h(z)  and  M⁻¹ z = L⁻ᵀ h(z).
// Plain loops, for the few degrees of freedom of a mechanism, where a general solver spends its time on bookkeeping.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace painleve::detail {

class HalfSolves {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // M symmetric and positive definite; anything else leaves numbers that are not finite.
  void factorise(const Eigen::MatrixXd& M) {
    const Eigen::Index n = M.rows();
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

  // x := L⁻¹ x
  void half(double* x) const {
    const Eigen::Index n = L_.rows();
    for (Eigen::Index i = 0; i < n; ++i) {
      const double* row = L_.data() + i * n;
      for (Eigen::Index k = 0; k < i; ++k) x[i] -= row[k] * x[k];
      x[i] *= inverse_(i);
    }
  }

  // x := L⁻ᵀ x
  void other_half(double* x) const {
    const Eigen::Index n = L_.rows();
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      x[i] *= inverse_(i);
      const double* row = L_.data() + i * n;
      for (Eigen::Index k = 0; k < i; ++k) x[k] -= row[k] * x[i];
    }
  }

 private:
  Rows L_;
  Eigen::VectorXd inverse_;  // of the diagonal of L
};

}  // namespace painleve::detail
