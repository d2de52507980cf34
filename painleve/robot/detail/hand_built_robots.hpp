// For tests: robots written as models by hand, among them some that the gallery has too.
#pragma once

#include <fmt/format.h>

#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/robot/robot.hpp"

namespace painleve::detail {

inline RobotJoint joint_of(const std::string& name, JointKind kind, const Eigen::Vector3d& axis) {
  RobotJoint joint;
  joint.name = joint.file_name = name;
  joint.kind = kind;
  joint.axis = axis;
  return joint;
}

// A thin uniform rod of the given length along the axis of its body from its origin.
inline RobotBody thin_link(const std::string& name, int parent, const Eigen::Vector3d& position, double mass,
                           const Eigen::Vector3d& along, const RobotJoint& joint) {
  RobotBody body;
  body.name = name;
  body.parent = parent;
  body.position = position;
  body.mass = mass;
  body.centre = along / 2;
  body.inertia = mass / 12 * (along.squaredNorm() * Eigen::Matrix3d::Identity() - along * along.transpose());
  body.joints = {joint};
  return body;
}

inline RobotContact contact_at(const std::string& name, const std::string& body, const Eigen::Vector3d& point) {
  RobotContact contact;
  contact.name = name;
  contact.body = body;
  contact.point = point;
  contact.plane_point = Eigen::Vector3d::Zero();
  return contact;
}

// The rod of the gallery in the plane x-z.
inline RobotModel rod_model(double mass, double half_length, double gyration) {
  RobotModel model;
  model.name = "rod";
  RobotBody body;
  body.name = "rod";
  body.mass = mass;
  body.inertia = mass * gyration * gyration * Eigen::Vector3d(0.3, 1, 0.9).asDiagonal().toDenseMatrix();
  body.joints = {joint_of("x", JointKind::slide, Eigen::Vector3d::UnitX()),
                 joint_of("z", JointKind::slide, Eigen::Vector3d::UnitZ()),
                 joint_of("theta", JointKind::hinge, Eigen::Vector3d::UnitY())};
  body.joints[1].home = half_length;
  body.joints[2].home = 1;
  model.bodies = {body};
  return model;
}

// The two-link arm of the gallery; its second joint turns against the first link.
inline RobotModel two_link_model(double mass1, double mass2, double length1, double length2, double height) {
  RobotModel model;
  model.name = "two-link";
  const Eigen::Vector3d axis = -Eigen::Vector3d::UnitY();
  model.bodies = {
      thin_link("upper", -1, {0, 0, height}, mass1, {0, 0, -length1}, joint_of("j1", JointKind::hinge, axis)),
      thin_link("lower", 0, {0, 0, -length1}, mass2, {0, 0, -length2}, joint_of("j2", JointKind::hinge, axis))};
  return model;
}

// The articulated arm of the gallery, with a fixed tool frame at its tip.
inline RobotModel arm_model(const std::array<double, 3>& length, double density, double height) {
  RobotModel model;
  model.name = "arm";
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  RobotBody turret;
  turret.name = "turret";
  turret.joints = {joint_of("phi", JointKind::hinge, Eigen::Vector3d::UnitZ())};
  model.bodies = {turret};
  Eigen::Vector3d at(0, 0, height);
  for (int i = 0; i < 3; ++i) {
    const double L = length[static_cast<std::size_t>(i)];
    model.bodies.push_back(thin_link(fmt::format("link{}", i + 1), i, at, density * L, {L, 0, 0},
                                     joint_of(fmt::format("j{}", i + 1), JointKind::hinge, y)));
    at = {L, 0, 0};
  }
  RobotBody tool;
  tool.name = "tool0";
  tool.parent = 3;
  tool.position = at;
  model.bodies.push_back(tool);
  return model;
}

inline Eigen::Vector3d drawn_direction(Draws& draws) {
  return Eigen::Vector3d(draws.normal(), draws.normal(), draws.normal()).normalized();
}
inline Eigen::Vector3d drawn_place(Draws& draws) {
  return {draws.uniform(-0.5, 0.5), draws.uniform(-0.5, 0.5), draws.uniform(-0.5, 0.5)};
}

// A tree of `joints` bodies with everything that a file can give: hinges and slides, anchors off the origin, products
// of inertia, springs, dampers, rotors, references.
inline RobotModel drawn_tree(int joints, Draws& draws) {
  RobotModel model;
  model.name = "tree";
  model.gravity = {draws.uniform(-3, 3), draws.uniform(-3, 3), -9};
  for (int i = 0; i < joints; ++i) {
    RobotBody body;
    body.name = fmt::format("body{}", i);
    body.parent = i == 0 ? -1 : draws.integer(std::max(0, i - 2), i - 1);
    body.position = drawn_place(draws);
    body.rotation = Eigen::AngleAxisd(draws.uniform(-3, 3), drawn_direction(draws));
    body.mass = draws.uniform(0.5, 2);
    body.centre = drawn_place(draws);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(draws.uniform(-3, 3), drawn_direction(draws)).toRotationMatrix();
    body.inertia = turn * Eigen::Vector3d(0.2, 0.3, 0.4).asDiagonal() * turn.transpose();
    RobotJoint joint =
        joint_of(fmt::format("j{}", i), i % 3 == 2 ? JointKind::slide : JointKind::hinge, drawn_direction(draws));
    joint.anchor = drawn_place(draws);
    joint.reference = draws.uniform(-0.5, 0.5);
    joint.armature = draws.uniform(0, 0.2);
    joint.damping = draws.uniform(0, 0.5);
    joint.stiffness = draws.uniform(0, 5);
    joint.spring_reference = draws.uniform(-1, 1);
    body.joints = {joint};
    model.bodies.push_back(body);
  }
  return model;
}

// A crank, a coupler and a rocker in the plane x-z: the rocker is hinged to the ground at (`ground`, 0, 0) by a loop.
inline RobotModel four_bar_model(double crank, double coupler, double rocker, double ground) {
  RobotModel model;
  model.name = "four-bar";
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  model.bodies = {thin_link("crank", -1, {0, 0, 0}, 1.1, {crank, 0, 0}, joint_of("a", JointKind::hinge, y)),
                  thin_link("coupler", 0, {crank, 0, 0}, 0.7, {coupler, 0, 0}, joint_of("b", JointKind::hinge, y)),
                  thin_link("rocker", 1, {coupler, 0, 0}, 0.9, {rocker, 0, 0}, joint_of("c", JointKind::hinge, y))};
  model.bodies[0].joints[0].home = -1.2;
  model.bodies[1].joints[0].home = 1.2;
  model.bodies[2].joints[0].home = 1.4;
  LoopClosure loop;
  loop.name = "pin";
  loop.body1 = 2;
  loop.anchor1 = {rocker, 0, 0};
  loop.anchor2 = {ground, 0, 0};
  model.loops = {loop};
  return model;
}

}  // namespace painleve::detail
