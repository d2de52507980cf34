// Gauss' elimination with row exchange for systems that may be singular: an unknown whose column is eliminated to
// rounding keeps the value zero.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace painleve {

// A holds the square matrix and, as its last column, the right side; it is overwritten. x is the solution. `pivot_row`:
// a vector of int.
template <class Matrix, class Vector, class Numbers>
void eliminate(Matrix& A, Vector& x, Numbers& pivot_row) {
  constexpr double nothing = 1e-11;  // of the largest entry of the column before
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) x(k) = A.col(k).cwiseAbs().maxCoeff();
  pivot_row.assign(static_cast<std::size_t>(n), -1);
  Eigen::Index rank = 0;
  for (Eigen::Index k = 0; k < n && rank < n; ++k) {
    Eigen::Index best = 0;
    const double size = A.col(k).tail(n - rank).cwiseAbs().maxCoeff(&best);
    best += rank;
    if (!(size > nothing * x(k))) continue;
    if (best != rank) A.row(best).tail(n + 1 - k).swap(A.row(rank).tail(n + 1 - k));
    const Eigen::Index below = n - rank - 1;
    A.col(k).tail(below) /= A(rank, k);
    for (Eigen::Index j = k + 1; j <= n; ++j) {
      const double top = A(rank, j);
      if (top != 0) A.col(j).tail(below) -= top * A.col(k).tail(below);
    }
    pivot_row[static_cast<std::size_t>(k)] = static_cast<int>(rank++);
  }
  for (Eigen::Index k = n; k-- > 0;) {
    const int row = pivot_row[static_cast<std::size_t>(k)];
    x(k) = row < 0 ? 0.0 : A(row, n) / A(row, k);
    if (x(k) != 0) A.col(n).head(row) -= x(k) * A.col(k).head(row);
  }
}

}  // namespace painleve
