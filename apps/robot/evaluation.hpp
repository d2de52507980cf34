// MuJoCo's own mass matrix, bias force, Jacobians and accelerations at a state, for comparison with ours.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "compiled_robot.hpp"

namespace painleve::robot_program {

// state: {"qpos": […], "qvel": […]} in MuJoCo's order, or {"q": {joint: value}, "v": {joint: rate}} by the file's names
// of hinges and slides; what is not given is qpos0 and 0. "points": [{"body": name, "point": [x, y, z]}, {"site": …}].
// The answer: "joints" (one name per degree of freedom), "M", "bias" (M a + bias = forces; gravity within, springs and
// dampers not), "passive", and per point "position", "jacobian", "rotation_jacobian", "drift" (the acceleration of the
// point at zero joint acceleration, J̇v). Throws InputError.
nlohmann::json evaluate(mjModel& model, const nlohmann::json& state);

}  // namespace painleve::robot_program
