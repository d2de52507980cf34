#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/gallery/entries.hpp"
#include "painleve/robot/robot.hpp"
#include "painleve/robot/robot_contacts.hpp"

namespace painleve {

using namespace detail;

namespace {

// What all mechanisms of one entry share.
struct Made {
  std::shared_ptr<const RobotTree> tree;
  RobotPlane plane;
  std::vector<RobotContactPlane> contacts;
  RobotDrawing drawing;
  Eigen::Vector3d down;  // unit vector along gravity
};

std::shared_ptr<const Mechanism> make_robot(const Made& made, double gravity, std::vector<Expression> forces,
                                            const Eigen::VectorXd& q) {
  std::array<double, most_joints> y{};
  TreeState<double> state;
  if (!made.tree->pose(q.data(), y, state)) throw InputError(made.tree->open_loop(q.data()));
  std::vector<RobotContactPlane> contacts = made.contacts;
  const std::vector<Eigen::Vector3d> points = contact_points(contacts, state);
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!contacts[i].origin.allFinite()) contacts[i].origin = points[i];
  return std::make_shared<RobotMechanism>(made.tree, made.plane.dimension, std::move(contacts), gravity * made.down,
                                          std::move(forces), made.drawing);
}

Eigen::VectorXd home_of(const RobotTree& tree) {
  Eigen::VectorXd q(static_cast<Eigen::Index>(tree.coordinates().size()));
  for (std::size_t k = 0; k < tree.coordinates().size(); ++k)
    q(static_cast<Eigen::Index>(k)) = tree.home()[static_cast<std::size_t>(tree.coordinates()[k])];
  return q;
}

// The coordinates that move no mass at home and near it, in words; empty when all do. A robot whose mass matrix is
// singular at home alone (three turns in a row, the middle one at 90 degrees) can still be used elsewhere.
std::string idle_coordinates(const Mechanism& mechanism, const Eigen::VectorXd& home) {
  std::string names;
  for (const double away : {0.0, 0.1}) {
    Eigen::VectorXd q = home;
    for (Eigen::Index k = 0; k < q.size(); ++k) q(k) += away / static_cast<double>(1 + k);
    const Eigen::MatrixXd M = mechanism.dynamics({q, Eigen::VectorXd::Zero(q.size()), 0}).M;
    if (!M.allFinite()) continue;
    const Eigen::VectorXd scale = M.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * M * scale.asDiagonal());
    if (eigen.eigenvalues()(0) > 1e-13) return {};
    names.clear();
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      if (std::abs(eigen.eigenvectors()(k, 0)) < 0.1) continue;
      names += (names.empty() ? "" : ", ") + mechanism.coordinates()[static_cast<std::size_t>(k)];
    }
  }
  return names;
}

CoordinateInfo coordinate_info(const RobotTree& tree, std::size_t joint) {
  const bool hinge = tree.links()[joint].kind == JointKind::hinge;
  const TreeLimit& limit = tree.limits()[joint];
  std::string meaning = hinge ? "hinge" : "slide";
  if (std::isfinite(limit.lower) || std::isfinite(limit.upper))
    meaning += fmt::format(", from {:.6g} to {:.6g}", limit.lower, limit.upper);
  return {tree.names()[joint], hinge ? "rad" : "m", tree.home()[joint], meaning};
}

void name_coordinates(const RobotTree& tree, GalleryEntry& e) {
  for (const int j : tree.coordinates()) {
    const CoordinateInfo info = coordinate_info(tree, static_cast<std::size_t>(j));
    const bool hinge = info.unit == "rad";
    e.coordinates.push_back(info);
    e.forces.push_back({info.name, hinge ? "N m" : "N", hinge ? "torque along the joint" : "force along the joint"});
    e.solved.push_back(info.name);
  }
  for (const int j : tree.coordinates()) e.solved.push_back(tree.names()[static_cast<std::size_t>(j)] + "_dot");
}

}  // namespace

GalleryEntry robot_entry(const RobotModel& model, const RobotSetup& setup) {
  Made made;
  made.tree = std::make_shared<const RobotTree>(model, setup.joints);
  made.plane = robot_plane(*made.tree, setup);
  made.contacts = robot_contacts(model, setup, *made.tree, made.plane);
  made.drawing = robot_drawing(model, *made.tree, made.plane, made.contacts);
  const double gravity = model.gravity.norm();
  made.down = gravity > 0 ? Eigen::Vector3d(model.gravity / gravity) : Eigen::Vector3d(0, 0, -1);
  const Eigen::VectorXd home = home_of(*made.tree);
  const std::string idle = idle_coordinates(*make_robot(made, gravity, {}, home), home);
  if (!idle.empty()) {
    throw InputError(
        fmt::format("the mass matrix is singular: {} can move without moving mass; give their links inertia, set "
                    "joint.NAME.armature "
                    "or lock them",
                    idle));
  }

  GalleryEntry e;
  e.name = model.name.empty() ? "robot" : model.name;
  e.summary = fmt::format("a robot with {} coordinate{}", made.tree->coordinates().size(),
                          made.tree->coordinates().size() == 1 ? "" : "s");
  e.source = model.format == "urdf" ? "a URDF file" : "an MJCF file";
  e.dimension = made.plane.dimension;
  e.parameters = {{"gravity", "m/s^2", gravity, Bound::any,
                   fmt::format("acceleration of gravity, along [{:.6g}, {:.6g}, {:.6g}]", made.down.x(), made.down.y(),
                               made.down.z())}};
  name_coordinates(*made.tree, e);
  std::vector<ContactInfo> contacts;
  for (const RobotContactPlane& contact : made.contacts) contacts.push_back({contact.name});
  e.contacts = fixed_contacts(contacts);
  e.make = [e, made](const Setup& s, const Eigen::VectorXd& q) {
    return make_robot(made, s.parameters.at("gravity"), force_list(e, s), q);
  };
  return e;
}

}  // namespace painleve
