#include "model_extraction.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "joint_extraction.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::robot_program {
namespace {

Eigen::Vector3d vector_at(const mjtNum* values, int index) {
  return Eigen::Map<const Eigen::Vector3d>(values + 3 * index);
}

Eigen::Quaterniond turn_at(const mjtNum* values, int index) {
  const mjtNum* q = values + 4 * index;
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

std::string name_of(const mjModel& model, int kind, int index) {
  const char* name = mj_id2name(&model, kind, index);
  return name == nullptr ? "" : name;
}

class Extraction {
 public:
  Extraction(mjModel& model, const PreparedRobot& prepared) : model_(model), joints_(model) {
    robot_.name = prepared.name;
    robot_.format = prepared.format;
    robot_.notes = prepared.notes;
  }

  RobotModel extract();

 private:
  void add_body(int index);
  void add_frames();
  void add_equalities();
  void add_coupling(int index);
  void add_loop(int index);
  void check_tendons();
  void check_inertia();
  void add_notes();
  std::string new_body_name(int index);

  mjModel& model_;
  JointExtraction joints_;
  RobotModel robot_;
  std::set<std::string> body_names_;
};

RobotModel Extraction::extract() {
  check_tendons();
  const bool weightless = (model_.opt.disableflags & mjDSBL_GRAVITY) != 0;
  robot_.gravity = weightless ? Eigen::Vector3d::Zero() : vector_at(model_.opt.gravity, 0);
  for (int i = 1; i < model_.nbody; ++i) add_body(i);
  add_frames();
  if ((model_.opt.disableflags & (mjDSBL_EQUALITY | mjDSBL_CONSTRAINT)) == 0) add_equalities();
  check_inertia();
  add_notes();
  return robot_;
}

std::string Extraction::new_body_name(int index) {
  std::string name = name_of(model_, mjOBJ_BODY, index);
  if (name.empty()) name = fmt::format("body{}", index);
  while (!body_names_.insert(name).second) name += "_";
  return name;
}

void Extraction::add_body(int index) {
  RobotBody body;
  body.name = new_body_name(index);
  body.parent = model_.body_parentid[index] - 1;
  body.position = vector_at(model_.body_pos, index);
  body.rotation = turn_at(model_.body_quat, index);
  body.mass = model_.body_mass[index];
  body.centre = vector_at(model_.body_ipos, index);
  const Eigen::Matrix3d axes = turn_at(model_.body_iquat, index).toRotationMatrix();
  const Eigen::Matrix3d inertia = axes * vector_at(model_.body_inertia, index).asDiagonal() * axes.transpose();
  body.inertia = 0.5 * (inertia + inertia.transpose());
  if (body.mass == 0 && inertia.norm() == 0) body.centre.setZero();  // there is none
  joints_.add_joints(index, body);
  bool finite = std::isfinite(body.mass) && body.position.allFinite() && body.rotation.coeffs().allFinite() &&
                body.centre.allFinite() && body.inertia.allFinite();
  for (const RobotJoint& joint : body.joints) {
    finite = finite && joint.axis.allFinite() && joint.anchor.allFinite() && std::isfinite(joint.reference) &&
             std::isfinite(joint.home) && std::isfinite(joint.armature) && std::isfinite(joint.damping) &&
             std::isfinite(joint.stiffness) && std::isfinite(joint.spring_reference) &&
             std::isfinite(joint.lower.value_or(0)) && std::isfinite(joint.upper.value_or(0));
  }
  if (!finite)
    throw InputError("the body " + in_quotes(body.name) + " or one of its joints has a number that is not finite");
  robot_.bodies.push_back(std::move(body));
}

void Extraction::add_frames() {
  for (int i = 0; i < model_.nsite; ++i) {
    const std::string name = name_of(model_, mjOBJ_SITE, i);
    if (name.empty()) continue;
    robot_.frames.push_back(
        {name, "site", model_.site_bodyid[i] - 1, vector_at(model_.site_pos, i), turn_at(model_.site_quat, i)});
  }
  for (int i = 0; i < model_.ngeom; ++i) {
    const std::string name = name_of(model_, mjOBJ_GEOM, i);
    if (name.empty()) continue;
    robot_.frames.push_back(
        {name, "geom", model_.geom_bodyid[i] - 1, vector_at(model_.geom_pos, i), turn_at(model_.geom_quat, i)});
  }
}

void Extraction::add_equalities() {
  int inactive = 0;
  for (int i = 0; i < model_.neq; ++i) {
    const int kind = model_.eq_type[i];
    if (model_.eq_active[i] == 0) {
      ++inactive;
    } else if (kind == mjEQ_JOINT) {
      add_coupling(i);
    } else if (kind == mjEQ_CONNECT || kind == mjEQ_WELD) {
      add_loop(i);
    } else {
      throw InputError("<equality> ties tendons or distances, which is not modelled; use <connect>, <weld> or <joint>");
    }
  }
  if (inactive > 0) robot_.notes.push_back(fmt::format("{} inactive equality constraints are left out", inactive));
}

void Extraction::add_coupling(int index) {
  JointCoupling coupling;
  coupling.joint = joints_.coordinate(model_.eq_obj1id[index]);
  const int driver = model_.eq_obj2id[index];
  if (driver >= 0) coupling.driver = joints_.coordinate(driver);
  const mjtNum* data = model_.eq_data + mjNEQDATA * index;
  std::copy(data, data + 5, coupling.polynomial.begin());
  if (driver < 0) std::fill(coupling.polynomial.begin() + 1, coupling.polynomial.end(), 0.0);
  robot_.couplings.push_back(coupling);
}

// MuJoCo stores for a connect the point in body 1, then in body 2; for a weld the point in body 2, then in body 1, then
// the rotation of body 2 seen from body 1.
void Extraction::add_loop(int index) {
  const mjtNum* data = model_.eq_data + mjNEQDATA * index;
  LoopClosure loop;
  loop.name = name_of(model_, mjOBJ_EQUALITY, index);
  if (loop.name.empty()) loop.name = fmt::format("loop{}", robot_.loops.size() + 1);
  loop.weld = model_.eq_type[index] == mjEQ_WELD;
  loop.body1 = model_.eq_obj1id[index] - 1;
  loop.body2 = model_.eq_obj2id[index] - 1;
  loop.anchor1 = vector_at(data, loop.weld ? 1 : 0);
  loop.anchor2 = vector_at(data, loop.weld ? 0 : 1);
  if (loop.weld) loop.rotation = turn_at(data + 6, 0);
  robot_.loops.push_back(loop);
}

void Extraction::check_tendons() {
  for (int i = 0; i < model_.ntendon; ++i) {
    const bool acts = model_.tendon_limited[i] != 0 || model_.tendon_stiffness[i] != 0 ||
                      model_.tendon_damping[i] != 0 || model_.tendon_frictionloss[i] != 0;
    if (!acts) continue;
    throw InputError(
        fmt::format("the tendon {} has a limit, stiffness, damping or friction, which is not modelled; remove it, or "
                    "write it as <equality> of joints if it only couples them",
                    in_quotes(name_of(model_, mjOBJ_TENDON, i))));
  }
  if (model_.ntendon > 0)
    robot_.notes.push_back(fmt::format("{} tendons without any force are left out", model_.ntendon));
}

// A joint that moves nothing that has inertia can be accelerated without force. Where the joint follows another one
// that is no harm.
void Extraction::check_inertia() {
  if (model_.nv == 0) throw InputError("the robot has no joint that moves");
  const MujocoData data(mj_makeData(&model_));
  mj_kinematics(&model_, data.get());
  mj_comPos(&model_, data.get());
  mj_crb(&model_, data.get());
  Eigen::MatrixXd M(model_.nv, model_.nv);
  mj_fullM(&model_, M.data(), data->qM);
  for (int dof = 0; dof < model_.nv; ++dof) {
    const int joint = model_.dof_jntid[dof];
    if (M(dof, dof) > 1e-15 || model_.jnt_type[joint] == mjJNT_FREE || model_.jnt_type[joint] == mjJNT_BALL) continue;
    const std::string name = joints_.coordinate(joint);
    const bool follows = std::any_of(robot_.couplings.begin(), robot_.couplings.end(),
                                     [&](const JointCoupling& coupling) { return coupling.joint == name; });
    if (follows) continue;
    throw InputError(
        fmt::format("the joint {} moves nothing that has inertia; give the body {} or those after it a mass and "
                    "inertia, or make the joint fixed",
                    in_quotes(name), in_quotes(name_of(model_, mjOBJ_BODY, model_.jnt_bodyid[joint]))));
  }
}

void Extraction::add_notes() {
  const bool friction =
      std::any_of(model_.dof_frictionloss, model_.dof_frictionloss + model_.nv, [](double x) { return x != 0; });
  if (friction) robot_.notes.emplace_back("the friction of joints (frictionloss) is not modelled");
  const bool rotors =
      std::any_of(model_.dof_armature, model_.dof_armature + model_.nv, [](double x) { return x != 0; });
  if (!rotors) {
    robot_.notes.emplace_back("no joint has rotor inertia (armature): it changes mu_jam; set [joint.NAME] armature");
  }
}

}  // namespace

RobotModel extract(mjModel& compiled, const PreparedRobot& prepared) {
  return Extraction(compiled, prepared).extract();
}

}  // namespace painleve::robot_program
