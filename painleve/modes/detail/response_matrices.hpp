// Response matrices P of slipping contacts, and the stability of two contacts by hand, for the tests of this folder.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace painleve {

inline Eigen::MatrixXd scalar(double x) { return Eigen::MatrixXd::Constant(1, 1, x); }
inline Eigen::VectorXd ones(Eigen::Index n) { return Eigen::VectorXd::Ones(n); }

inline Eigen::Vector2d direction(double angle_over_pi) {
  const double angle = angle_over_pi * std::numbers::pi;
  return {std::cos(angle), std::sin(angle)};
}
inline Eigen::Matrix2d columns(double gamma1_over_pi, double gamma2_over_pi) {
  Eigen::Matrix2d P;
  P << direction(gamma1_over_pi), direction(gamma2_over_pi);
  return P;
}
inline Eigen::Matrix2d entries(double a, double b, double c, double d) {
  Eigen::Matrix2d P;
  P << a, b, c, d;
  return P;
}

// Whether all roots of the characteristic polynomial of two contacts lie to the left, by Routh and Hurwitz: F of
// Várkonyi (2018).
inline bool stable_by_hurwitz(const Eigen::Matrix2d& P, const Eigen::Vector2d& k, const Eigen::Vector2d& nu) {
  const double D = P.determinant();
  const double T = nu(0) * P(0, 0) + nu(1) * P(1, 1);
  const double w = k(0) * nu(1) + k(1) * nu(0);
  const double F =
      T * (k(0) * k(0) * nu(1) * P(0, 0) + k(1) * k(1) * nu(0) * P(1, 1)) + D * w * (nu(0) * nu(1) * T - w);
  return D > 0 && T > 0 && F > 0;
}

}  // namespace painleve
