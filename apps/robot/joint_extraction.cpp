#include "joint_extraction.hpp"

#include <fmt/format.h>

#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::robot_program {
namespace {

Eigen::Vector3d vector_at(const mjtNum* values, int index) {
  return Eigen::Map<const Eigen::Vector3d>(values + 3 * index);
}

// R = Rz(yaw) Ry(pitch) Rx(roll).
Eigen::Vector3d yaw_pitch_roll(const Eigen::Quaterniond& turn) {
  const Eigen::Matrix3d R = turn.normalized().toRotationMatrix();
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  return {std::atan2(R(1, 0), R(0, 0)), pitch, std::atan2(R(2, 1), R(2, 2))};
}

bool ends_with_dot(const std::string& name) { return name.size() > 4 && name.compare(name.size() - 4, 4, "_dot") == 0; }

}  // namespace

bool CoordinateNames::taken(const std::string& name) const {
  return used_.contains(name) || used_.contains(name + "_dot") ||
         (ends_with_dot(name) && used_.contains(name.substr(0, name.size() - 4)));
}

std::string CoordinateNames::add(const std::string& wanted) {
  std::string name;
  for (const char c : wanted) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    name += plain ? c : '_';
  }
  if (name.empty()) name = "joint";
  std::string candidate = name;
  for (int i = 2; taken(candidate); ++i) candidate = fmt::format("{}_{}", name, i);
  used_.insert(candidate);
  return candidate;
}

JointExtraction::JointExtraction(const mjModel& compiled) : model_(compiled), home_(compiled.qpos0) {
  const int key = mj_name2id(&compiled, mjOBJ_KEY, "home");
  if (key >= 0) home_ = compiled.key_qpos + compiled.nq * key;
}

void JointExtraction::add_joints(int body, RobotBody& out) {
  const int count = model_.body_jntnum[body];
  for (int k = 0; k < count; ++k) {
    const int joint = model_.body_jntadr[body] + k;
    const char* given = mj_id2name(&model_, mjOBJ_JOINT, joint);
    Place place{joint, given == nullptr ? "" : given};
    if (place.name.empty()) place.name = out.name + "_joint" + (count > 1 ? std::to_string(k + 1) : "");
    if (model_.jnt_type[joint] == mjJNT_FREE) {
      add_free(place, out);
    } else if (model_.jnt_type[joint] == mjJNT_BALL) {
      add_ball(place, out);
    } else {
      add_scalar(place, out);
    }
  }
}

RobotJoint JointExtraction::plain(const Place& place, const std::string& suffix, JointKind kind,
                                  const Eigen::Vector3d& axis) {
  RobotJoint joint;
  joint.name = names_.add(place.name + suffix);
  joint.file_name = place.name + suffix;
  joint.kind = kind;
  joint.axis = axis;
  return joint;
}

void JointExtraction::add_scalar(const Place& place, RobotBody& out) {
  const int i = place.joint;
  const bool hinge = model_.jnt_type[i] == mjJNT_HINGE;
  RobotJoint joint =
      plain(place, "", hinge ? JointKind::hinge : JointKind::slide, vector_at(model_.jnt_axis, i).normalized());
  const int q = model_.jnt_qposadr[i];
  const int v = model_.jnt_dofadr[i];
  joint.anchor = vector_at(model_.jnt_pos, i);
  joint.reference = model_.qpos0[q];
  joint.home = home_[q];
  if (model_.jnt_limited[i] != 0 && (model_.opt.disableflags & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT)) == 0) {
    joint.lower = model_.jnt_range[2 * i];
    joint.upper = model_.jnt_range[2 * i + 1];
    // Many arms cannot reach 0: then they stand in the middle of their range.
    if (joint.home < *joint.lower || joint.home > *joint.upper) joint.home = 0.5 * (*joint.lower + *joint.upper);
  }
  joint.armature = model_.dof_armature[v];
  joint.spring_reference = model_.qpos_spring[q];
  if ((model_.opt.disableflags & mjDSBL_PASSIVE) == 0) {
    joint.damping = model_.dof_damping[v];
    joint.stiffness = model_.jnt_stiffness[i];
  }
  coordinate_[i] = joint.name;
  out.joints.push_back(joint);
}

// Springs, dampers, rotors and limits of a rotation in space act on its angular velocity or total angle, not on three
// angles one by one.
void JointExtraction::refuse_passive(const Place& place, int first_dof, const char* kind) const {
  bool any = model_.jnt_stiffness[place.joint] != 0 || model_.jnt_limited[place.joint] != 0;
  const int dofs = model_.jnt_type[place.joint] == mjJNT_FREE ? 6 : 3;
  for (int k = 0; k < dofs; ++k)
    any = any || model_.dof_damping[first_dof + k] != 0 || model_.dof_armature[first_dof + k] != 0;
  if (!any) return;
  throw InputError(
      fmt::format("the {} joint {} has a spring, damping, armature or limit, which is not modelled; write it "
                  "as slides and hinges, or as <freejoint/>, which takes no defaults",
                  kind, in_quotes(place.name)));
}

void JointExtraction::add_turn(const Place& place, const Eigen::Quaterniond& home, const Eigen::Vector3d& anchor,
                               RobotBody& out) {
  const Eigen::Vector3d angles = yaw_pitch_roll(home);
  const std::array<const char*, 3> suffixes{"_yaw", "_pitch", "_roll"};
  for (int k = 0; k < 3; ++k) {
    RobotJoint joint =
        plain(place, suffixes[static_cast<std::size_t>(k)], JointKind::hinge, Eigen::Vector3d::Unit(2 - k));
    joint.anchor = anchor;
    joint.home = angles(k) + 0.0;  // no negative zero
    out.joints.push_back(joint);
  }
}

// x, y, z are the place of the body's origin in the world, yaw, pitch and roll its rotation: all 0 in the world's
// frame. Where home itself has a pitch near 90 degrees the angles are counted from home instead.
void JointExtraction::add_free(const Place& place, RobotBody& out) {
  refuse_passive(place, model_.jnt_dofadr[place.joint], "free");
  const mjtNum* q = home_ + model_.jnt_qposadr[place.joint];
  Eigen::Quaterniond home = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized();
  out.position.setZero();
  out.rotation.setIdentity();
  if (std::abs(yaw_pitch_roll(home)(1)) > 1.4) {
    out.rotation = home;
    home.setIdentity();
  }
  const std::array<const char*, 3> suffixes{"_x", "_y", "_z"};
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = out.rotation.conjugate() * Eigen::Vector3d(Eigen::Vector3d::Unit(k));
    RobotJoint joint = plain(place, suffixes[static_cast<std::size_t>(k)], JointKind::slide, axis.normalized());
    joint.home = q[k];
    out.joints.push_back(joint);
  }
  add_turn(place, home, Eigen::Vector3d::Zero(), out);
}

void JointExtraction::add_ball(const Place& place, RobotBody& out) {
  refuse_passive(place, model_.jnt_dofadr[place.joint], "ball");
  const mjtNum* q = home_ + model_.jnt_qposadr[place.joint];
  const Eigen::Quaterniond home(q[0], q[1], q[2], q[3]);
  if (std::abs(yaw_pitch_roll(home)(1)) > 1.4) {
    throw InputError(
        fmt::format("the ball joint {} stands at a pitch near 90 degrees in the key 'home', where its three angles "
                    "are singular; turn the frame of its body instead",
                    in_quotes(place.name)));
  }
  add_turn(place, home, vector_at(model_.jnt_pos, place.joint), out);
}

}  // namespace painleve::robot_program
