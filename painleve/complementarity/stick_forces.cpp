#include "painleve/complementarity/stick_forces.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace painleve {
namespace {

constexpr double singular = 1e-12;  // of the largest eigenvalue of W

// How deep a force lies in the cone: μ sign λ_n − |λ_t|, a concave function.
double depth(const Eigen::Vector3d& lambda, double mu, int sign) {
  return mu * sign * lambda.z() - lambda.head<2>().norm();
}

// Maximises a concave function on [−reach, reach] by golden section; the forces of interest are of order `reach`.
template <class Function>
double maximise(const Function& f, double reach) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = -reach;
  double b = reach;
  for (int k = 0; k < 120; ++k) {
    const double x = b - golden * (b - a);
    const double y = a + golden * (b - a);
    const bool rising = f(x) < f(y);
    (rising ? a : b) = rising ? x : y;
  }
  return (a + b) / 2;
}

// Deepest point of λ0 + span(N), one direction inside the other.
Eigen::Vector3d deepest(const Eigen::Vector3d& lambda0, const Eigen::MatrixXd& N, double mu, int sign, double reach) {
  if (N.cols() == 0) return lambda0;
  const Eigen::MatrixXd rest = N.rightCols(N.cols() - 1);
  const auto best_at = [&](double y) { return deepest(lambda0 + N.col(0) * y, rest, mu, sign, reach); };
  return best_at(maximise([&](double y) { return depth(best_at(y), mu, sign); }, reach));
}

}  // namespace

StickForces stick_forces(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, int sign) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(W);
  const double largest = std::max(eigen.eigenvalues()(2), 0.0);
  int null = 0;
  while (null < 3 && eigen.eigenvalues()(null) <= singular * largest) ++null;
  StickForces r;
  const double condition = null < 3 ? largest / eigen.eigenvalues()(null) : 1;
  const auto rounding = [&] {  // at most what tells a slip from a stick on the edge, see append_slips_from_rest()
    return std::min(16 * std::numeric_limits<double>::epsilon() * condition * (1 + mu), 1e-10) * r.lambda.norm();
  };
  if (null == 0) {
    r.balance = true;
    r.lambda = W.llt().solve(-b);
    r.rounding = rounding();
    return r;
  }
  const Eigen::MatrixXd N = eigen.eigenvectors().leftCols(null);
  r.lambda.setZero();
  for (int k = null; k < 3; ++k)
    r.lambda -= eigen.eigenvectors().col(k) * (eigen.eigenvectors().col(k).dot(b) / eigen.eigenvalues()(k));
  r.balance = (N.transpose() * b).norm() <= 1e-10 * b.norm();
  if (!r.balance) return r;
  // Forces of the size of the load, or without load of the force that gives 1 m/s².
  const double natural = r.lambda.norm() > 0 ? r.lambda.norm() : (largest > 0 ? 1 / largest : 1);
  const double reach = 100 * natural;
  r.lambda = deepest(r.lambda, N, mu, sign, reach);
  r.rounding = rounding();
  r.family_dimension = depth(r.lambda, mu, sign) > 1e-9 * reach ? null : 0;
  return r;
}

}  // namespace painleve
