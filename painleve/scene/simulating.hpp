// The motion of a scene by one of the three methods, and the object that says how it went.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"
#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "painleve/simulation/run.hpp"
#include "painleve/simulation/time_stepping.hpp"

namespace painleve {

enum class SimulationMethod { event, step, compliant };
const char* to_string(SimulationMethod method);
const std::vector<std::string>& simulation_methods();         // the names, in the order of the enumeration
SimulationMethod simulation_method(const std::string& name);  // throws InputError

const char* to_string(StepScheme scheme);
const std::vector<std::string>& step_schemes();
StepScheme step_scheme(const std::string& name);  // throws InputError

struct SimulateOptions {
  // Unset: event for mechanisms, compliant for raw contact data and where a contact is a compressed spring at the
  // start.
  std::optional<SimulationMethod> method;
  SimulationOptions simulation;
  TimeSteppingOptions stepping;  // method step
  CompliantOptions compliant;    // method compliant
};

SimulationMethod chosen_method(const Scene& scene, const SimulateOptions& options);

// Raw contact data have the compliant method only: a contact space its frozen fast dynamics, drifting contacts the
// model system from t_start on. Throws InputError for other combinations, and for compressed contacts by the rigid
// methods.
Run simulate(const Scene& scene, const SimulateOptions& options);

// The object that `painleve simulate --json` prints; keys as in docs/interface.md.
nlohmann::ordered_json to_json(const Scene& scene, const SimulateOptions& options, const Run& run);

}  // namespace painleve
