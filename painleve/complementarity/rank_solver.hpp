// A X = B when A may be singular: the shortest X, and the null vectors on both sides.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>

namespace painleve {

class RankSolver {
 public:
  // `size`: of the numbers that A was computed from; an A that is small beside it is zero.
  RankSolver(const Eigen::MatrixXd& A, double size);

  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

  double rounding() const { return rounding_; }  // of a solution, relative, from the condition of A

  Eigen::MatrixXd N, L;  // orthonormal right and left null vectors

 private:
  void decompose(double cut);

  Eigen::MatrixXd A_, pseudo_inverse_;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  bool regular_ = false;
  double rounding_ = 0;
};

// Orthonormal basis of what is orthogonal to the orthonormal columns of L.
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& L);

}  // namespace painleve
