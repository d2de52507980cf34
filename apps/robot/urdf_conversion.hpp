// URDF as MJCF. MuJoCo has an importer of its own; this one keeps fixed links and massless links, honours mimic joints,
// and needs no meshes. The tests compare the two.
#pragma once

#include "prepared_robot.hpp"
#include "robot_xml.hpp"

namespace painleve::robot_program {

PreparedRobot convert_urdf(tinyxml2::XMLDocument& document);

}  // namespace painleve::robot_program
