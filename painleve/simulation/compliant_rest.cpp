#include "painleve/simulation/compliant_rest.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXd;

// Minimum of ½ xᵀWx + cᵀx over |x| <= limit, in the basis of W's eigenvectors: x = −(W + κ)⁻¹ c with the κ >= 0 that
// brings x onto the circle, found by bisection of the decreasing |x(κ)|.
Vector2d disc_minimum(const Matrix2d& W, const Vector2d& c, double limit) {
  if (limit <= 0) return Vector2d::Zero();
  const Eigen::SelfAdjointEigenSolver<Matrix2d> eigen(W);
  const Vector2d w = eigen.eigenvalues().cwiseMax(0);
  const Vector2d d = eigen.eigenvectors().transpose() * c;
  const auto at = [&](double kappa) {
    Vector2d x = Vector2d::Zero();
    for (int i = 0; i < 2; ++i) {
      if (d(i) != 0) x(i) = -d(i) / (w(i) + kappa);
    }
    return x;
  };
  Vector2d x = at(0);
  if (!(x.norm() <= limit)) {
    double low = 0;
    double high = c.norm() / limit;
    for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (at(middle).norm() > limit ? low : high) = middle;
    }
    x = at(high);
    x *= limit / x.norm();
  }
  return eigen.eigenvectors() * x;
}

}  // namespace

VectorXd rest_friction(const Eigen::MatrixXd& W, const VectorXd& c, const VectorXd& limit, int width) {
  const Eigen::Index n = c.size();
  VectorXd x = VectorXd::Zero(n);
  constexpr int most_sweeps = 1000;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double change = 0;
    for (Eigen::Index k = 0; k < n; k += width) {
      const VectorXd before = x.segment(k, width);
      const VectorXd rest = c.segment(k, width) + W.middleRows(k, width) * x - W.block(k, k, width, width) * before;
      const double most = limit(k / width);
      if (width == 1) {
        x(k) = W(k, k) > 0 ? std::clamp(-rest(0) / W(k, k), -most, most) : 0.0;
      } else {
        x.segment<2>(k) = disc_minimum(W.block<2, 2>(k, k), rest.head<2>(), most);
      }
      change = std::max(change, (x.segment(k, width) - before).norm());
    }
    if (change <= 1e-15 * x.norm()) break;
  }
  return x;
}

}  // namespace painleve
