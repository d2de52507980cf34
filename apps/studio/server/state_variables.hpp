// The state's part of the variables of a scene; see scene_variables.hpp.
#pragma once

#include <vector>

#include "scene_values.hpp"
#include "scene_variables.hpp"

namespace painleve::studio {

// These ends of a slider, or farther where the value lies beyond.
void set_between(Variable& v, double from, double to);

struct StateCandidates {
  bool velocities = true;  // beside coordinates: velocities, slip and time
};
std::vector<Variable> state_variables(const SceneSource& source, const Scene& scene, const SceneValues& values,
                                      const StateCandidates& wanted);

}  // namespace painleve::studio
