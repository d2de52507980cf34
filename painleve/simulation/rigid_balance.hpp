// Where rigid contacts hold a mechanism in balance that compressed springs in their place held: springs give way, and
// what the mechanism carries itself, as the bushing of a brake pad, gives way with them.
//
//   f(q) + Σ λ_n (J_n − μ e J_t)ᵀ = 0,   gap(q) = 0,   λ_n > 0        at rest, e = u_t/|u_t| over moving surfaces
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/contact/contact_law.hpp"
#include "painleve/mechanism/mechanism.hpp"

namespace painleve {

// The coordinates of that balance, near those of `springs`; `pressed` are the contacts. Empty where no forces of these
// contacts hold the mechanism in balance there at rest, or rigid ones would have to pull.
std::optional<Eigen::VectorXd> rigid_balance(const Mechanism& mechanism, const State& springs,
                                             const std::vector<int>& pressed, const std::vector<ContactLaw>& laws);

}  // namespace painleve
