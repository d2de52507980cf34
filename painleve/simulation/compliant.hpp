// Compliant simulation: contacts are springs and dampers (contact_law.hpp), friction acts in full or with springs or a
// smoothed law along the surface. The whole system, the frozen fast dynamics of a contact space, or drifting contacts.
#pragma once

#include "painleve/contact/drifting_contacts.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

struct CompliantOptions {
  // Slip speed below which friction is μ λ_n u_t/smoothing instead of set-valued stick; 0: exact Coulomb friction.
  double smoothing = 0;  // [m/s]
};

// Stiffness and damping that the laws leave open: k = 1e6 N/m, and √k N s/m (k and ν of one unit in the scaling of
// Várkonyi 2018) or, for preclik, k in the normal and the tangential direction, or 1 s/m for hunt-crossley and hertz.
// Friction along the surface: with tangential_stiffness a spring and damper, with tangential_damping alone (always for
// preclik) a damper, both up to μ λ_n; else exact stick or, with `smoothing`, its smoothed law.
Run simulate_compliant(const SimulationProblem& problem, const SimulationOptions& options,
                       const CompliantOptions& compliant);

// The fast dynamics alone: W and b stay as they are. Friction has the μ of the space.
Run simulate_compliant(const ContactSpace& space, const std::vector<ContactLaw>& laws, const SimulationOptions& options,
                       const CompliantOptions& compliant);

// Ends at an impact without collision: `stopped` is "iwc".
Run simulate_compliant(const DriftingContacts& contacts, const SimulationOptions& options);

}  // namespace painleve
