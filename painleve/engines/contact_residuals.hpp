// How far an answer (Λ, u after) of a time step is from each law of contact by itself, in units that can be felt. Knows
// nothing of solvers or of solutions.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

// Largest over the contacts; all zero exactly when the laws hold. w = u after + gap/dt on the normals.
struct ContactResiduals {
  double penetration = 0;      // [m/s] max(0, −w_n)
  double pull = 0;             // [N s] max(0, −Λ_n)
  double complementarity = 0;  // [J] |Λ_n w_n|: a force across an opening gap
  double cone = 0;             // [N s] max(0, |Λ_t| − μ max(0, Λ_n))
  double dissipation = 0;      // [J] |Λ_t·w_t + μ Λ_n |w_t||: what friction takes less than it must
  double motion = 0;           // [m/s] |w − (W Λ + q)|: impulses that do not explain the motion
  double law = 0;              // law_residual() of certificate.hpp, relative
};

ContactResiduals contact_residuals(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w);

}  // namespace painleve
