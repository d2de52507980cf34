// Runs of drifting contacts, as the items of Várkonyi (2018) ask for them.
#pragma once

#include <cmath>
#include <string>

#include "painleve/scene/scene.hpp"
#include "painleve/simulation/compliant.hpp"

namespace painleve::reproduction {

inline Run drift(const DriftingContacts& contacts, double t_end, int samples) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  return simulate_compliant(contacts, options);
}

inline DriftingContacts scenario(const std::string& name) { return SceneSource::open(name).build().drifting; }

inline double first(const Run& run, EventKind kind, int contact) {
  for (const SimulationEvent& event : run.events) {
    if (event.kind == kind && event.contact == contact) return event.t;
  }
  return std::nan("");
}

}  // namespace painleve::reproduction
