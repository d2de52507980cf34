// How slip ran into p = 0: which contact, how its force grew, and what the local portrait predicts.
#pragma once

#include <optional>
#include <vector>

#include "painleve/simulation/phase_run.hpp"

namespace painleve {

// `end` is the end of a phase in these modes on the slow clock, at RigidFlow::singular_below.
JamApproach jam_approach(const SimulationProblem& problem, const std::vector<ContactMode>& modes, const PhaseEnd& end);

// What a contact does whose force has come to zero: it is in flight, or, if it is bilateral, slips held from the other
// side.
ContactMode let_go(const SimulationProblem& problem, int contact, ContactMode slip);

// det P = 0 of several contacts is no jam where the null vector of P has both signs: no forces λ_n ≥ 0 can grow along
// it (Várkonyi 2018, Def. 3.2). Slip comes there only if its load never called for them, that of two feet at one place,
// say. How far beyond that point P is regular again; nothing: it is a jam.
std::optional<double> time_past_degenerate_slip(const SimulationProblem& problem, const std::vector<ContactMode>& modes,
                                                const PhaseEnd& end);

}  // namespace painleve
