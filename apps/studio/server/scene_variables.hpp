// What can be moved in a scene: parameters, state, contacts and forces, each with its value and the ends of a slider.
//
// Of the state only what can be moved alone is listed, with everything else on the list held: a closed contact takes
// coordinates and velocities away. So a rod on its tip has theta, x, theta_dot and slip, and neither y nor x_dot.
// Whether a value can be moved is not derived but tried, since a mechanism may complete its state as it likes.
#pragma once

#include <string>
#include <vector>

#include "painleve/scene/scene.hpp"

namespace painleve::studio {

struct Variable {
  std::string path, name, group, unit;
  double value = 0, from = 0, to = 0;
  std::string meaning;
  bool solved = false;  // not set in the scenario, and not simply a default
};

std::vector<Variable> variables(const SceneSource& source, const Scene& scene);

// The part of the list that moves the mechanism: coordinates and their stand-ins.
std::vector<Variable> movable_coordinates(const SceneSource& source, const Scene& scene);

// [m] How large the moving parts are drawn; 1 where nobody drew them.
double drawn_size(const Scene& scene);

}  // namespace painleve::studio
