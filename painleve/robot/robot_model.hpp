// A robot as a plain kinematic tree: what is left of an MJCF or URDF file once MuJoCo's compiler has read it. The file
// is read in a child process (robot_reader.hpp), which prints this as JSON; everything after that is ours.
//
// A body hangs on its parent by joints, each with one degree of freedom: a free joint of the file is three slides and
// three hinges here, a ball three hinges, so that every velocity is the rate of its coordinate.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace painleve {

enum class JointKind { hinge, slide };

struct RobotJoint {
  std::string name;       // of the coordinate: letters, digits, _ and - only, unique in the robot
  std::string file_name;  // as the file writes it
  JointKind kind = JointKind::hinge;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   // unit vector in the frame of its body
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  // in the frame of its body [m]
  double reference = 0;  // coordinate at which the body lies where `position` and `rotation` put it [rad, m]
  double home = 0;       // where the joint stands unless a state says otherwise
  std::optional<double> lower, upper;  // limits
  double armature = 0;                 // rotor inertia, added to the diagonal of M [kg m^2, kg]
  double damping = 0;                  // [N m s/rad, N s/m]
  double stiffness = 0;                // of the joint's spring [N m/rad, N/m]
  double spring_reference = 0;
};

struct RobotBody {
  std::string name;
  int parent = -1;                                     // index of a body before this one; -1: the world
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // in the frame of the parent [m]
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // of mass, in the frame of the body [m]
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre of mass, along the axes of the body [kg m^2]
  std::vector<RobotJoint> joints;  // moved one after the other, each in the frame that those before it have moved
};

// A named place on a body: what a contact can be attached to, beside the bodies themselves.
struct RobotFrame {
  std::string name;
  std::string kind;  // "site" or "geom"
  int body = -1;     // -1: the world
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

// joint - joint.reference = Σ polynomial[k] (driver - driver.reference)^k: a mimic joint, or MuJoCo's equality of two
// joints. Without a driver the
// joint is held at its reference plus polynomial[0].
struct JointCoupling {
  std::string joint, driver;  // names of coordinates; driver may be empty
  std::array<double, 5> polynomial{};
};

// Two points that stay together (connect), or two frames that do (weld).
struct LoopClosure {
  std::string name;
  bool weld = false;
  int body1 = -1, body2 = -1;                                                            // -1: the world
  Eigen::Vector3d anchor1 = Eigen::Vector3d::Zero(), anchor2 = Eigen::Vector3d::Zero();  // in the frames of the bodies
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  // weld: of body 2 seen from body 1
};

struct RobotModel {
  std::string name;
  std::string format;  // "mjcf" or "urdf"
  Eigen::Vector3d gravity{0, 0, -9.81};
  std::vector<RobotBody> bodies;  // parents first
  std::vector<RobotFrame> frames;
  std::vector<JointCoupling> couplings;
  std::vector<LoopClosure> loops;
  std::vector<std::string> notes;  // one sentence each: what was left out or is worth knowing (armature, friction loss)
};

nlohmann::json to_json(const RobotModel& model);
// Throws InputError when a key is missing or wrong, or when the tree is none.
RobotModel robot_model_from_json(const nlohmann::json& json);

}  // namespace painleve
