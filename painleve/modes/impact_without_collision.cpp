#include "painleve/modes/impact_without_collision.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

#include "painleve/modes/linear_feasibility.hpp"

namespace painleve {
namespace {

struct Split {
  std::vector<int> impact, lift;
};

bool cone_test(const Eigen::MatrixXd& P, const Split& split) {
  const Eigen::MatrixXd P_II = P(split.impact, split.impact);
  if (split.impact.size() == 1 && split.lift.empty()) return P_II(0, 0) < 0;
  const Eigen::MatrixXd P_FI = P(split.lift, split.impact);
  const Eigen::Index k = P_II.cols();
  Eigen::MatrixXd A(P_II.rows() + P_FI.rows() + k, k);
  A << -P_II, P_FI, Eigen::MatrixXd::Identity(k, k);
  constexpr double tolerance = 1e-12;  // rows are scaled to unit length
  return deepest_point(A, Eigen::VectorXd::Zero(A.rows()), 1).depth > tolerance;
}

// Whether (s² + P_II (s ν + k)) v = 0 has a solution v > 0 that lifts F. The solutions form a space, of more than one
// dimension when s is repeated, as for equal contacts that do not see each other.
bool has_positive_ray(const Eigen::MatrixXd& P, const Split& split, const Eigen::VectorXd& force_per_v, double s) {
  const Eigen::MatrixXd P_II = P(split.impact, split.impact);
  const Eigen::Index n = P_II.rows();
  const Eigen::MatrixXd Z = s * s * Eigen::MatrixXd::Identity(n, n) + P_II * force_per_v.asDiagonal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Z, Eigen::ComputeFullV);
  const double size = s * s + (P_II * force_per_v.asDiagonal()).norm();
  Eigen::Index null = 0;  // a repeated eigenvalue is known to the square root of rounding only
  while (null < n && svd.singularValues()(n - 1 - null) <= 1e-7 * size) ++null;
  if (null == 0) return false;
  const Eigen::MatrixXd V = svd.matrixV().rightCols(null);
  const Eigen::MatrixXd lift = P(split.lift, split.impact) * force_per_v.asDiagonal() * V;
  Eigen::MatrixXd A(n + lift.rows(), null);
  A << V, lift;
  constexpr double inside = 1e-9;  // rows are scaled to unit length
  return deepest_point(A, Eigen::VectorXd::Zero(A.rows()), 1).depth > inside;
}

// Growing solutions z = −v e^{st} of the stiff dynamics, restricted to the contacts that carry the impulse.
bool ray_test(const Eigen::MatrixXd& P, const Split& split, const Eigen::VectorXd& stiffness,
              const Eigen::VectorXd& damping) {
  const Eigen::MatrixXd P_II = P(split.impact, split.impact);
  const Eigen::VectorXd k = stiffness(split.impact);
  const Eigen::VectorXd nu = damping(split.impact);
  const Eigen::Index n = P_II.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -P_II * k.asDiagonal();
  A.bottomRightCorner(n, n) = -P_II * nu.asDiagonal();
  const Eigen::VectorXcd eigenvalues = A.eigenvalues();
  return std::any_of(eigenvalues.begin(), eigenvalues.end(), [&](const std::complex<double>& s) {
    // A repeated real pair may come out with an imaginary part of the square root of rounding.
    const bool real = s.real() > 0 && std::abs(s.imag()) <= 1e-7 * std::abs(s);
    return real && has_positive_ray(P, split, s.real() * nu + k, s.real());
  });
}

std::string explain(const ImpactWithoutCollision& i) {
  if (i.possible) return {};
  return i.necessary ? "no growing solution of the stiff dynamics has this pattern for this stiffness and damping"
                     : "no normal forces press in the contacts marked I and lift the others";
}

}  // namespace

std::vector<ImpactWithoutCollision> impacts_without_collision(const Eigen::MatrixXd& P,
                                                              const Eigen::VectorXd& stiffness,
                                                              const Eigen::VectorXd& damping) {
  const auto n = static_cast<int>(P.rows());
  std::vector<ImpactWithoutCollision> list;
  for (unsigned word = 1; word < (1U << static_cast<unsigned>(n)); ++word) {
    Split split;
    ImpactWithoutCollision result;
    for (int i = 0; i < n; ++i) {
      const bool impact = (word >> static_cast<unsigned>(n - 1 - i) & 1U) != 0;
      (impact ? split.impact : split.lift).push_back(i);
      result.name += impact ? 'I' : 'F';
    }
    result.necessary = cone_test(P, split);
    result.possible = result.necessary && ray_test(P, split, stiffness, damping);
    result.reason = explain(result);
    list.push_back(result);
  }
  return list;
}

}  // namespace painleve
