// The links and joints of a URDF file, checked to be a tree.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

#include "prepared_robot.hpp"
#include "robot_xml.hpp"

namespace painleve::robot_program {

struct UrdfJoint {
  std::string name, type, parent, child;
  Element* element = nullptr;
};

struct UrdfTree {
  std::string root;                       // the link that hangs on no joint
  std::map<std::string, Element*> links;  // by name
  std::map<std::string, std::vector<UrdfJoint>>
      below;                                // joints by the name of their parent link, in the order of the file
  std::map<std::string, UrdfJoint> joints;  // by name
};

// Throws InputError: names that are missing, double or unknown, several roots, a cycle.
UrdfTree read_tree(Element* robot);

struct Pose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

// <origin xyz rpy>: roll, pitch and yaw about the fixed axes x, y, z.
Pose origin_of(Element* element);

// Throws InputError: a negative mass or moment, a moment that exceeds the sum of the other two.
LinkInertia inertia_of(Element* link);

}  // namespace painleve::robot_program
