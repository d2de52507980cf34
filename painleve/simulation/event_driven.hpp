// Event-driven simulation of rigid contacts: smooth phases in one mode of the contacts, located events between them.
#pragma once

#include "painleve/simulation/run.hpp"

namespace painleve {

Run simulate_events(const SimulationProblem& problem, const SimulationOptions& options);

}  // namespace painleve
