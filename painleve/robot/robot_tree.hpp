// A robot made ready: links that are moved by one joint each, with everything that does not move merged into its
// parent, and the joints that are no coordinates expressed by those that are,
//
//   y = Y(x),   ẏ = T v,   ÿ = T v̇ + c,       x, v the coordinates and their rates, y all joints.
//
// A joint that follows another does so by a polynomial. A closed loop g(y) = 0 is solved for its dependent joints d
// (coordinate partitioning): with G = ∂g/∂y,  G_d ḋ = −G_x ẋ  and  G_d d̈ = −G_x ẍ − Ġẏ.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "painleve/robot/robot.hpp"
#include "painleve/robot/tree_kinematics.hpp"

namespace painleve::detail {

// A frame that is fixed to a link.
struct TreePlace {
  int link = -1;  // -1: the world
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();

  TreePlace moved(const Eigen::Vector3d& by, const Eigen::Matrix3d& turn) const {
    return {link, position + rotation * by, rotation * turn};
  }
};

// joint - joint_reference = Σ polynomial[k] (driver - driver_reference)^k
struct TreeCoupling {
  int joint = -1, driver = -1;
  double joint_reference = 0, driver_reference = 0;
  std::array<double, 5> polynomial{};
};

// The positions of two places stay together; of a weld their axes too.
struct TreeLoop {
  std::string name;
  bool weld = false;
  TreePlace one, two;

  int rows() const { return weld ? 6 : 3; }
};

struct TreeLimit {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

template <class S>
struct JointMotion {
  std::array<S, most_joints> y, y_dot, y_ddot;  // y_ddot for v̇ = 0, that is c
  std::array<S, most_joints * most_joints> T;   // row per joint, column per coordinate; not set where all joints are

  S& t(int joint, int coordinate) { return T[at(joint, coordinate)]; }
  const S& t(int joint, int coordinate) const { return T[at(joint, coordinate)]; }
  static std::size_t at(int joint, int coordinate) {
    return static_cast<std::size_t>(joint) * most_joints + static_cast<std::size_t>(coordinate);
  }
};

class RobotTree {
 public:
  // Throws InputError: see robot_entry.
  RobotTree(const RobotModel& model, const std::map<std::string, JointSetup>& setup);

  const std::vector<TreeLink>& links() const { return links_; }
  const std::vector<std::string>& names() const { return names_; }  // of the joints, by link
  const std::vector<int>& coordinates() const { return coordinates_; }
  const std::vector<int>& dependent() const { return dependent_; }
  const std::vector<TreeCoupling>& couplings() const { return couplings_; }
  const std::vector<TreeLoop>& loops() const { return loops_; }
  const std::vector<TreeLimit>& limits() const { return limits_; }
  const std::vector<double>& home() const { return home_; }  // of all joints, with the loops closed
  bool reduced() const { return coordinates_.size() != links_.size(); }
  int loop_rows() const { return loop_rows_; }
  // The place of a body of the model; -1: the world.
  const TreePlace& body(int index) const { return index < 0 ? world_ : bodies_[static_cast<std::size_t>(index)]; }

  // All joints for these coordinates and rates, and the links placed and moved. False: a loop cannot be closed there.
  template <class S>
  bool evaluate(const S* x, const S* v, JointMotion<S>& motion, TreeState<S>& state) const;
  // All joints for these coordinates; the links are placed. False: see above.
  bool pose(const double* x, std::array<double, most_joints>& y, TreeState<double>& state) const;

  // Which loop cannot be closed at these coordinates, and why.
  std::string open_loop(const double* x) const;

 private:
  void read_links(const RobotModel& model, const std::map<std::string, JointSetup>& setup);
  void read_couplings(const RobotModel& model, const std::map<std::string, double>& held);
  void read_loops(const RobotModel& model);
  void choose_coordinates();

  std::vector<TreeLink> links_;
  std::vector<std::string> names_;
  std::vector<TreeLimit> limits_;
  std::vector<double> home_;
  std::vector<TreeCoupling> couplings_;  // drivers first
  std::vector<TreeLoop> loops_;
  std::vector<int> coordinates_, dependent_;
  std::vector<TreePlace> bodies_;
  TreePlace world_;
  int loop_rows_ = 0;
};

}  // namespace painleve::detail
