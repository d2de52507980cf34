// A robot as a Mechanism, and as an entry like those of the gallery: coordinates are the joints, contacts are points of
// its bodies against fixed planes.
//
// When all hinges are parallel and all slides and contact normals are perpendicular to them, the robot moves in a plane
// and its contacts are planar; otherwise they are spatial.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve {

struct RobotContact {
  std::string name;
  std::string body, site, geom;                       // exactly one is given
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    // in that frame [m]
  std::optional<Eigen::Vector3d> plane_point;         // [m]; none: the plane passes through the point as posed
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // out of the plane, towards the robot; any length but 0
  // First tangent; none: along +x as nearly as the plane allows, or along +y where the normal is within 6 degrees of x.
  std::optional<Eigen::Vector3d> tangent;
};

// What a scenario says of a joint.
struct JointSetup {
  std::optional<double> armature;  // [kg m^2, kg]
  bool lock = false;               // held at `position`; no coordinate then
  std::optional<double> position;  // where a locked joint stands; none: at home
};

struct RobotSetup {
  std::vector<RobotContact> contacts;
  std::map<std::string, JointSetup> joints;  // by name of the coordinate or as the file writes it
  std::optional<int> dimension;              // 2 or 3; none: planar when it is
};

// Throws InputError: an unknown body, site, geom or joint (with the nearest name), a normal without length, a robot
// that is not planar although dimension 2 was asked for, joints that move no mass, a loop that cannot be closed, more
// than 64 joints that move.
//
// The entry: coordinates are the joints that neither are locked nor follow another one nor are fixed by a closed loop
// (of the joints of a loop the first ones of the file stay coordinates, where these determine the others);
// parameters are `gravity` and, per joint, nothing else (armature comes by RobotSetup); forces are `JOINT`, a torque or
// force along the joint; every coordinate and velocity that is not given is solved for, starting from home.
GalleryEntry robot_entry(const RobotModel& model, const RobotSetup& setup);

}  // namespace painleve
