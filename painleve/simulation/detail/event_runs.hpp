// For tests of event-driven simulation: options and events of a run.
#pragma once

#include <vector>

#include "painleve/simulation/run.hpp"

namespace painleve::detail {

inline SimulationOptions until(double t_end, Policy policy = Policy::principle) {
  SimulationOptions o;
  o.t_end = t_end;
  o.policy = policy;
  o.samples = 10;
  return o;
}

inline std::vector<const SimulationEvent*> events(const Run& run, EventKind kind) {
  std::vector<const SimulationEvent*> found;
  for (const SimulationEvent& e : run.events)
    if (e.kind == kind) found.push_back(&e);
  return found;
}

}  // namespace painleve::detail
