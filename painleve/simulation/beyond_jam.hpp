// What springs make of a dynamic jam: the slip that ran into p = b_n = 0 is followed again with compliant contacts,
// stiffer and stiffer, from a little before. The force that grows without bound in rigid mechanics stays finite, and
// then the contact either lifts off or locks up in an impact without collision.
#pragma once

#include <string>
#include <vector>

#include "painleve/simulation/crossroads.hpp"
#include "painleve/simulation/phase_run.hpp"

namespace painleve {

struct BeyondJam {
  std::vector<Way> ways;  // one per outcome that some stiffness had, the stiffest first
  std::string summary;    // which stiffness led to which
};

// `end` is the end of the phase in these modes that ran into the jam of `contact`.
BeyondJam beyond_jam(const SimulationProblem& problem, const std::vector<ContactMode>& modes, const PhaseEnd& end,
                     int contact);

}  // namespace painleve
