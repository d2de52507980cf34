// How slip ran into p = 0: which contact, how its force grew, and what the local portrait predicts.
#pragma once

#include "painleve/simulation/phase_run.hpp"

namespace painleve {

// `end` is the end of a phase in these modes on the slow clock, at RigidFlow::singular_below.
JamApproach jam_approach(const SimulationProblem& problem, const std::vector<ContactMode>& modes, const PhaseEnd& end);

}  // namespace painleve
