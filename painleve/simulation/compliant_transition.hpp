// From one discrete state of the contacts to the next: what an event does, and where a run begins.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/simulation/compliant_system.hpp"

namespace painleve {

// A force that has grown to this many times what presses or strikes its contact may be that of an impact without
// collision.
inline constexpr double kOutgrows = 10;

struct TransitionRules {
  Divergence divergence = Divergence::growth;
  double rest = 1e-9;      // [m/s] a contact that closes at |u_t| <= rest is at rest
  double start = 2e-11;    // [m/s] slip in space begins with this speed: it needs a direction
  double accuracy = 0;     // [m/s] slip in space that turns round with no more than this has come to rest
  double force_scale = 1;  // [N] forces of this size are ordinary
};

// What a jump of the discrete state took out of springs: they relax when a contact opens.
struct Released {
  double normal = 0, tangential = 0;  // [J]
};

// The phases at the start of a run. May set tangential velocities below `rest` to 0.
void begin_phases(CompliantSystem& system, const TransitionRules& rules, double t, Eigen::VectorXd& y);

// Whether slip in space that has turned from its reference goes on, rather than coming to rest.
bool turns_in_space(const CompliantSystem& system, const TransitionRules& rules, int i, const Eigen::VectorXd& y);

// Applies the events `which` of CompliantEvents. Impacts without collision change nothing: they are not looked for any
// more at that contact until it has opened.
Released apply_events(CompliantSystem& system, const TransitionRules& rules, double t, const std::vector<int>& which,
                      Eigen::VectorXd& y);

}  // namespace painleve
