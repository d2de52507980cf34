// Back onto the constraints: what integration let drift by its tolerance.
#pragma once

#include <vector>

#include "painleve/contact/contact_mode.hpp"
#include "painleve/mechanism/mechanism.hpp"

namespace painleve {

// The nearest state, in the metric of the mass matrix, with gap 0 and u_n = 0 at the contacts that press (T and S) and
// u_t = 0 at those that stick. Newton's method from a state that is near; the change is of the size of the violation.
State projected(const Mechanism& mechanism, State state, const std::vector<ContactMode>& modes);

// The velocity change M⁻¹ Jᵀ Λ of an impulse Λ, stacked over all contacts.
Eigen::VectorXd velocity_change(const Dynamics& dynamics, const Eigen::VectorXd& Lambda);

}  // namespace painleve
