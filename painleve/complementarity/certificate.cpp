#include "painleve/complementarity/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace painleve {
namespace {

// Distance of a force from the natural map r = proj(r − ρ w), zero exactly when the law holds.
double contact_residual(const ContactProblem& p, int i, const Eigen::VectorXd& r, const Eigen::VectorXd& w,
                        double rho) {
  const auto at = static_cast<std::size_t>(i);
  const int t = p.tangent(i);
  const int n = p.normal(i);
  const int tangents = p.dimension - 1;
  if (p.law[at] == Law::separated) return r.segment(t, p.dimension).norm();
  const double normal = p.bilateral[at] ? rho * std::abs(w(n)) : std::abs(r(n) - std::max(0.0, r(n) - rho * w(n)));
  const double limit = p.mu(i) * std::abs(r(n));
  const Eigen::VectorXd r_t = r.segment(t, tangents);
  Eigen::VectorXd wanted;
  if (p.law[at] == Law::sliding) {
    wanted = -limit * p.slip.col(i);
  } else {
    wanted = r_t - rho * w.segment(t, tangents);
    if (wanted.norm() > limit) wanted *= limit / wanted.norm();
  }
  return std::max(normal, (r_t - wanted).norm());
}

}  // namespace

double law_residual(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
  if (r.size() == 0) return 0;
  const ScaledProblem s = scaled(problem);
  const ContactProblem& p = s.problem;
  const Eigen::VectorXd own_r = r.cwiseQuotient(s.factor);
  const Eigen::VectorXd own_w = s.factor.cwiseProduct(w);
  constexpr double rho = 1;  // responses are of order one
  // Relative to the force or the load, whichever is larger; but a force far beyond the load cannot hide a violation.
  constexpr double far_beyond = 1e6;
  const double force = std::max(own_r.cwiseAbs().maxCoeff(), 1e-300);
  const double load = rho * p.q.cwiseAbs().maxCoeff();
  const double scale = load > 0 ? std::clamp(force, load, far_beyond * load) : force;
  double worst = rho * (p.W * own_r + p.q - own_w).cwiseAbs().maxCoeff();
  for (int i = 0; i < p.count(); ++i) worst = std::max(worst, contact_residual(p, i, own_r, own_w, rho));
  return worst / scale;
}

}  // namespace painleve
