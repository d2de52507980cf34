#include "painleve/engines/contact_residuals.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/complementarity/certificate.hpp"

namespace painleve {

ContactResiduals contact_residuals(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w) {
  ContactResiduals worst;
  for (int i = 0; i < problem.count(); ++i) {
    const double r_n = r(problem.normal(i));
    const double w_n = w(problem.normal(i));
    const auto r_t = r.segment(problem.tangent(i), problem.dimension - 1);
    const auto w_t = w.segment(problem.tangent(i), problem.dimension - 1);
    worst.penetration = std::max(worst.penetration, -w_n);
    worst.pull = std::max(worst.pull, -r_n);
    worst.complementarity = std::max(worst.complementarity, std::abs(r_n * w_n));
    worst.cone = std::max(worst.cone, r_t.norm() - problem.mu(i) * std::max(0.0, r_n));
    worst.dissipation = std::max(worst.dissipation, std::abs(r_t.dot(w_t) + problem.mu(i) * r_n * w_t.norm()));
  }
  if (r.size() > 0) worst.motion = (w - problem.W * r - problem.q).cwiseAbs().maxCoeff();
  worst.law = law_residual(problem, r, w);
  return worst;
}

}  // namespace painleve
