// A certifier that knows nothing of modes: how far (λ, a) are from satisfying the laws of contact.
#pragma once

#include <Eigen/Core>

#include "painleve/contact/contact_space.hpp"

namespace painleve {

// Largest violation, relative to the forces involved, of
//   a = W λ + b;   0 ≤ λ_n ⊥ a_n ≥ 0 (a_n = 0 at a bilateral contact);
//   sliding: λ_t = −μ |λ_n| u_t/|u_t|;   at rest: |λ_t| ≤ μ |λ_n|, and λ_t opposes a_t at the cone's edge when a_t ≠ 0.
//   separating (u_n > 0): λ = 0.
// All contacts of `space` are taken as closed; u = 0 (to `tolerance`) is rest.
double law_residual(const ContactSpace& space, const Eigen::VectorXd& lambda, const Eigen::VectorXd& a,
                    const Tolerance& tolerance);

}  // namespace painleve
