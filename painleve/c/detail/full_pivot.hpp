// Gaussian elimination with full pivoting of at most 6 x 4 numbers: rank, a solution, the kernel. Eigen's has code
// paths that allocate for larger matrices; this one has none, so that the C library does not even refer to malloc.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "painleve/c/detail/small_problem.hpp"

namespace painleve::small {

// PA Q = L U of `given`, m x n, in place; pivots at most `threshold` of the largest count as zero.
template <class Storage>
class FullPivot {
 public:
  FullPivot(const Storage& given, double threshold) : lu_(given) {
    for (int i = 0; i < lu_.rows(); ++i) row_[static_cast<std::size_t>(i)] = i;
    for (int j = 0; j < lu_.cols(); ++j) column_[static_cast<std::size_t>(j)] = j;
    const auto steps = static_cast<int>(std::min(lu_.rows(), lu_.cols()));
    double largest = 0;
    for (int k = 0; k < steps; ++k) {
      bring_largest_to(k);
      const double pivot = std::abs(lu_(k, k));
      if (k == 0) largest = pivot;
      if (pivot <= threshold * largest || pivot == 0) break;
      ++rank_;
      eliminate(k);
    }
  }

  int rank() const { return rank_; }

  // One solution of the first `rank` equations, the undetermined unknowns zero.
  Vector solve(const Vector& rhs) const {
    std::array<double, 6> c{};
    for (int i = 0; i < lu_.rows(); ++i) c[static_cast<std::size_t>(i)] = rhs(row_[static_cast<std::size_t>(i)]);
    for (int j = 0; j < rank_; ++j)
      for (int i = j + 1; i < lu_.rows(); ++i)
        c[static_cast<std::size_t>(i)] -= lu_(i, j) * c[static_cast<std::size_t>(j)];
    Vector x = Vector::Zero(lu_.cols());
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = c[static_cast<std::size_t>(i)];
      for (int j = i + 1; j < rank_; ++j) sum -= lu_(i, j) * x(column_[static_cast<std::size_t>(j)]);
      x(column_[static_cast<std::size_t>(i)]) = sum / lu_(i, i);
    }
    return x;
  }

  // Columns that the matrix maps to zero.
  Matrix kernel() const {
    const auto n = static_cast<int>(lu_.cols());
    Matrix N = Matrix::Zero(n, n - rank_);
    for (int k = 0; k < n - rank_; ++k) {
      const int undetermined = rank_ + k;
      N(column_[static_cast<std::size_t>(undetermined)], k) = 1;
      for (int i = rank_ - 1; i >= 0; --i) {
        double sum = -lu_(i, rank_ + k);
        for (int j = i + 1; j < rank_; ++j) sum -= lu_(i, j) * N(column_[static_cast<std::size_t>(j)], k);
        N(column_[static_cast<std::size_t>(i)], k) = sum / lu_(i, i);
      }
    }
    return N;
  }

 private:
  void bring_largest_to(int k) {
    int at_row = k;
    int at_column = k;
    for (int j = k; j < lu_.cols(); ++j) {
      for (int i = k; i < lu_.rows(); ++i) {
        if (std::abs(lu_(i, j)) <= std::abs(lu_(at_row, at_column))) continue;
        at_row = i;
        at_column = j;
      }
    }
    for (int j = 0; j < lu_.cols(); ++j) std::swap(lu_(k, j), lu_(at_row, j));
    for (int i = 0; i < lu_.rows(); ++i) std::swap(lu_(i, k), lu_(i, at_column));
    std::swap(row_[static_cast<std::size_t>(k)], row_[static_cast<std::size_t>(at_row)]);
    std::swap(column_[static_cast<std::size_t>(k)], column_[static_cast<std::size_t>(at_column)]);
  }

  void eliminate(int k) {
    for (int i = k + 1; i < lu_.rows(); ++i) {
      lu_(i, k) /= lu_(k, k);
      for (int j = k + 1; j < lu_.cols(); ++j) lu_(i, j) -= lu_(i, k) * lu_(k, j);
    }
  }

  Storage lu_;
  std::array<int, 6> row_{};
  std::array<int, most_rows> column_{};
  int rank_ = 0;
};

}  // namespace painleve::small
