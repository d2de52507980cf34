// The joints of MuJoCo's model as joints with one degree of freedom each, and their names.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiled_robot.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve::robot_program {

// Names of coordinates: letters, digits, _ and - only, each once, and none the name of another's velocity (NAME_dot).
class CoordinateNames {
 public:
  std::string add(const std::string& wanted);

 private:
  bool taken(const std::string& name) const;
  std::set<std::string> used_;
};

class JointExtraction {
 public:
  explicit JointExtraction(const mjModel& compiled);

  // Fills the body's joints; a free joint also moves the frame of the body into the origin of the world.
  void add_joints(int body, RobotBody& out);

  // The coordinate of a hinge or slide of MuJoCo's model.
  const std::string& coordinate(int joint) const { return coordinate_.at(joint); }

 private:
  struct Place {
    int joint;
    std::string name;
  };
  void add_scalar(const Place& place, RobotBody& out);
  void add_free(const Place& place, RobotBody& out);
  void add_ball(const Place& place, RobotBody& out);
  void add_turn(const Place& place, const Eigen::Quaterniond& home, const Eigen::Vector3d& anchor, RobotBody& out);
  RobotJoint plain(const Place& place, const std::string& suffix, JointKind kind, const Eigen::Vector3d& axis);
  void refuse_passive(const Place& place, int first_dof, const char* kind) const;

  const mjModel& model_;
  const mjtNum* home_;
  CoordinateNames names_;
  std::map<int, std::string> coordinate_;
};

}  // namespace painleve::robot_program
