// Where the fast dynamics of compliant contacts ends: at rest in a mode, in flight, in an impact without collision, or
// in bounces that grow or repeat.
//
//   z̈ = b_n + (W λ)_n,   λ_n of the springs,   W and b frozen
//
// Slip along the surface is slow: a contact that slips keeps its direction, and its friction follows its normal force.
// A contact at rest sticks and slips in the same fast time.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/contact/contact_law.hpp"
#include "painleve/contact/contact_space.hpp"
#include "painleve/simulation/fast_outcome_history.hpp"

namespace painleve {

struct FastOutcomeOptions {
  Eigen::VectorXd force;   // [N] normal forces at the start, held by the springs; empty: 0, contacts at gap 0
  double most_time = 400;  // in units of the fast motion, 1/sqrt(k W_nn)
};

// The outcome for the contacts of a space that are closed (gap <= tolerance.gap); slip directions from its u, where
// |u_t| <= tolerance.velocity is rest. A single diverging contact is "IWC:I". Contacts of nonlinear laws count as
// viscoelastic. If a contact leaves stiffness or damping open, all have 1 and 1, as in the analysis of stability.
FastOutcome fast_outcome(const ContactSpace& space, const std::vector<ContactLaw>& laws,
                         const FastOutcomeOptions& options = {}, const Tolerance& tolerance = {});

}  // namespace painleve
