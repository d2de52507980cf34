#include "painleve/modes/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace painleve {
namespace {

// Distance of a force from the natural map λ = proj(λ − ρ a), zero exactly when the law holds; ρ turns an acceleration
// into the force that would produce it.
double contact_residual(const ContactSpace& s, int i, const Eigen::VectorXd& lambda, const Eigen::VectorXd& a,
                        double rho, const Tolerance& tolerance) {
  const int t = s.tangent(i);
  const int n = s.normal(i);
  const int tangents = s.dimension - 1;
  const bool bilateral = s.bilateral[static_cast<std::size_t>(i)];
  if (!bilateral && s.u(n) > tolerance.velocity) return lambda.segment(t, s.dimension).norm();  // separating: no force
  const double normal = bilateral ? rho * std::abs(a(n)) : std::abs(lambda(n) - std::max(0.0, lambda(n) - rho * a(n)));
  const double limit = s.mu(i) * std::abs(lambda(n));
  const Eigen::VectorXd lambda_t = lambda.segment(t, tangents);
  const Eigen::VectorXd u_t = s.u.segment(t, tangents);
  const double slip = u_t.norm();
  Eigen::VectorXd wanted;
  if (slip > tolerance.velocity) {
    wanted = -limit * u_t / slip;
  } else {
    wanted = lambda_t - rho * a.segment(t, tangents);
    if (wanted.norm() > limit) wanted *= limit / wanted.norm();
  }
  return std::max(normal, (lambda_t - wanted).norm());
}

}  // namespace

double law_residual(const ContactSpace& s, const Eigen::VectorXd& lambda, const Eigen::VectorXd& a,
                    const Tolerance& tolerance) {
  const double stiffest = s.W.diagonal().cwiseAbs().maxCoeff();
  const double rho = stiffest > 0 ? 1 / stiffest : 1;
  // Relative to the force or the load, whichever is larger; but a force far beyond the load cannot hide a violation.
  constexpr double far_beyond = 1e6;
  const double force = std::max(lambda.cwiseAbs().maxCoeff(), 1e-300);
  const double load = rho * s.b.cwiseAbs().maxCoeff();
  const double scale = load > 0 ? std::clamp(force, load, far_beyond * load) : force;
  double worst = rho * (s.W * lambda + s.b - a).cwiseAbs().maxCoeff();
  for (int i = 0; i < s.count(); ++i) worst = std::max(worst, contact_residual(s, i, lambda, a, rho, tolerance));
  return worst / scale;
}

}  // namespace painleve
