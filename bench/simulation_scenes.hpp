// Shipped scenarios as simulation problems.
#pragma once

#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

// `changes` as after --set.
inline SimulationProblem scene_problem(const std::string& name, const std::vector<std::string>& changes = {}) {
  SceneSource source = SceneSource::open(name);
  for (const std::string& change : changes) source.set(change);
  const Scene scene = source.build();
  return {scene.posed.mechanism, scene.posed.state, scene.laws, scene.space.bilateral, scene.tolerance};
}

}  // namespace painleve
