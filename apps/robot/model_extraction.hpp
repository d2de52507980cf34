// From MuJoCo's model to ours: one coordinate per joint, free and ball joints as slides and hinges.
#pragma once

#include "compiled_robot.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve::robot_program {

// Throws InputError: what has a mechanical effect that cannot be honoured (tendons, a ball with a spring), numbers that
// are not finite, a joint that moves nothing with inertia.
RobotModel extract(mjModel& compiled, const PreparedRobot& prepared);

}  // namespace painleve::robot_program
