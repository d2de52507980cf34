// Contacts of a robot, from their names to points of links and axes in the world.
#pragma once

#include <optional>
#include <vector>

#include "painleve/robot/robot_mechanism.hpp"

namespace painleve::detail {

// In which plane a robot moves.
struct RobotPlane {
  int dimension = 3;
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();  // in two dimensions the unit normal of that plane
};

// Throws InputError: two dimensions were asked for and a joint or a normal leaves the plane.
RobotPlane robot_plane(const RobotTree& tree, const RobotSetup& setup);

// Their points and axes; the planes' origins are those that were given, or not a number.
std::vector<RobotContactPlane> robot_contacts(const RobotModel& model, const RobotSetup& setup, const RobotTree& tree,
                                              const RobotPlane& plane);

// The contact points of a posture, in the world.
std::vector<Eigen::Vector3d> contact_points(const std::vector<RobotContactPlane>& contacts,
                                            const TreeState<double>& state);

RobotDrawing robot_drawing(const RobotModel& model, const RobotTree& tree, const RobotPlane& plane,
                           const std::vector<RobotContactPlane>& contacts);

}  // namespace painleve::detail
