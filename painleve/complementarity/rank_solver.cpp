#include "painleve/complementarity/rank_solver.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

namespace painleve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double singular = 1e-12;  // a pivot below this part of the largest is zero
// Least and most that the rounding of a solution is taken for; the most also where A is singular to rounding.
constexpr double least_rounding = 1e-13;
constexpr double most_rounding = 1e-10;

}  // namespace

RankSolver::RankSolver(const Eigen::MatrixXd& A, double size) : A_(A) {
  const double largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0;
  const bool zero = largest <= singular * size;
  if (A.rows() == A.cols() && !zero) {
    lu_.compute(A);
    lu_.setThreshold(singular);
    regular_ = lu_.isInvertible();
  }
  regular_ = regular_ || A.cols() + A.rows() == 0;
  if (regular_) {
    N = L = Eigen::MatrixXd::Zero(A.cols(), 0);
    if (A.size() > 0) rounding_ = std::clamp(16 * epsilon / lu_.rcond(), least_rounding, most_rounding);
    return;
  }
  decompose(zero ? std::numeric_limits<double>::infinity() : singular * largest);
}

void RankSolver::decompose(double cut) {
  const Eigen::Index m = A_.rows();
  const Eigen::Index n = A_.cols();
  pseudo_inverse_ = Eigen::MatrixXd::Zero(n, m);
  N = Eigen::MatrixXd::Identity(n, n);
  L = Eigen::MatrixXd::Identity(m, m);
  if (n == 0 || m == 0) return;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A_, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::VectorXd& s = svd.singularValues();
  Eigen::Index rank = 0;
  while (rank < s.size() && s(rank) > cut) ++rank;
  for (Eigen::Index k = 0; k < rank; ++k)
    pseudo_inverse_ += svd.matrixV().col(k) * svd.matrixU().col(k).transpose() / s(k);
  N = svd.matrixV().rightCols(n - rank);
  L = svd.matrixU().rightCols(m - rank);
  rounding_ = rank > 0 ? std::clamp(16 * epsilon * s(0) / s(rank - 1), least_rounding, most_rounding) : least_rounding;
}

Eigen::MatrixXd RankSolver::solve(const Eigen::MatrixXd& B) const {
  if (A_.size() == 0) return Eigen::MatrixXd::Zero(A_.cols(), B.cols());
  const auto once = [&](const Eigen::MatrixXd& right) -> Eigen::MatrixXd {
    return regular_ ? Eigen::MatrixXd(lu_.solve(right)) : Eigen::MatrixXd(pseudo_inverse_ * right);
  };
  const Eigen::MatrixXd X = once(B);
  return X + once(B - A_ * X);  // one refinement
}

Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& L) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(L);
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(L.rows() - L.cols());
}

}  // namespace painleve
