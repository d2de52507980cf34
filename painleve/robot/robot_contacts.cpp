#include "painleve/robot/robot_contacts.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve::detail {
namespace {

using Eigen::Vector3d;

// Files write right angles as 1.5708: what is that near to a plane is meant to lie in it.
constexpr double planar = 1e-5;
// A normal within 6 degrees of x leaves too little of x in its plane to be a tangent.
constexpr double along_x = 0.9945;

TreeState<double> home_state(const RobotTree& tree) {
  TreeState<double> state;
  place(tree.links(), tree.home().data(), state);
  return state;
}

Vector3d unit_normal(const RobotContact& contact) {
  const double length = contact.normal.norm();
  if (!(length > 0) || !std::isfinite(length))
    throw InputError(fmt::format("contact.{}.plane.normal is [{}, {}, {}], it must be finite and not zero",
                                 contact.name, contact.normal.x(), contact.normal.y(), contact.normal.z()));
  return contact.normal / length;
}

// +x as nearly as a plane with this normal allows, or +y where that is hardly at all.
Vector3d level_tangent(const Vector3d& n) {
  const Vector3d axis = std::abs(n.x()) > along_x ? Vector3d::UnitY() : Vector3d::UnitX();
  return (axis - axis.dot(n) * n).normalized();
}

// The axis to which all hinges are parallel; without hinges one that is perpendicular to all slides and normals.
Vector3d candidate_axis(const RobotTree& tree, const TreeState<double>& state, const std::vector<Vector3d>& normals) {
  std::vector<Vector3d> inside = normals;
  for (std::size_t i = 0; i < tree.links().size(); ++i) {
    if (tree.links()[i].kind == JointKind::hinge) return plain(state[i].z);
    inside.push_back(plain(state[i].z));
  }
  for (const Vector3d& other : inside) {
    const Vector3d axis = inside.front().cross(other);
    if (axis.norm() > planar) return axis.normalized();
  }
  return inside.front().cross(level_tangent(inside.front()));
}

std::string out_of_plane(const RobotTree& tree, const TreeState<double>& state, const RobotSetup& setup,
                         const std::vector<Vector3d>& normals, const Vector3d& axis) {
  for (std::size_t i = 0; i < tree.links().size(); ++i) {
    const Vector3d z = plain(state[i].z);
    const bool hinge = tree.links()[i].kind == JointKind::hinge;
    if (hinge && z.cross(axis).norm() > planar) return fmt::format("hinge {} is not parallel to", tree.names()[i]);
    if (!hinge && std::abs(z.dot(axis)) > planar)
      return fmt::format("slide {} is not perpendicular to", tree.names()[i]);
  }
  for (std::size_t i = 0; i < normals.size(); ++i)
    if (std::abs(normals[i].dot(axis)) > planar)
      return fmt::format("the normal of contact {} is not perpendicular to", setup.contacts[i].name);
  return {};
}

// The frame that a contact names, on its link.
TreePlace named_frame(const RobotModel& model, const RobotTree& tree, const RobotContact& contact) {
  const int given = !contact.body.empty() + !contact.site.empty() + !contact.geom.empty();
  if (given != 1)
    throw InputError(fmt::format("contact.{} must name exactly one of body, site and geom", contact.name));
  std::vector<std::string> names;
  if (!contact.body.empty()) {
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      if (model.bodies[i].name == contact.body) return tree.body(static_cast<int>(i));
      names.push_back(model.bodies[i].name);
    }
    throw InputError(unknown_name(fmt::format("body in contact.{}", contact.name), contact.body, names));
  }
  const std::string kind = contact.site.empty() ? "geom" : "site";
  const std::string& name = contact.site.empty() ? contact.geom : contact.site;
  for (const RobotFrame& frame : model.frames) {
    if (frame.kind != kind) continue;
    if (frame.name == name)
      return tree.body(frame.body).moved(frame.position, frame.rotation.normalized().toRotationMatrix());
    names.push_back(frame.name);
  }
  throw InputError(unknown_name(fmt::format("{} in contact.{}", kind, contact.name), name, names));
}

// Columns t1, t2, n.
Eigen::Matrix3d axes_of(const RobotContact& contact, const RobotPlane& plane) {
  Vector3d n = unit_normal(contact);
  if (plane.dimension == 2) n = (n - n.dot(plane.axis) * plane.axis).normalized();
  Vector3d t = level_tangent(n);
  if (contact.tangent) {
    t = *contact.tangent - contact.tangent->dot(n) * n;
    if (!(t.norm() > 1e-6 * contact.tangent->norm()) || !t.allFinite())
      throw InputError(fmt::format("contact.{}.plane.tangent must not be parallel to the normal", contact.name));
    t.normalize();
  }
  if (plane.dimension == 2) {
    const Vector3d line = plane.axis.cross(n).normalized();
    double side = line.dot(t);
    if (std::abs(side) <= planar && contact.tangent) {
      throw InputError(
          fmt::format("contact.{}.plane.tangent must lie in the plane in which the robot moves, whose "
                      "normal is [{:.6g}, {:.6g}, {:.6g}]",
                      contact.name, plane.axis.x(), plane.axis.y(), plane.axis.z()));
    }
    if (std::abs(side) <= planar) side = std::abs(line.y()) > planar ? line.y() : line.z();
    t = side < 0 ? Vector3d(-line) : line;
  }
  Eigen::Matrix3d axes;
  axes << t, n.cross(t), n;
  return axes;
}

}  // namespace

RobotPlane robot_plane(const RobotTree& tree, const RobotSetup& setup) {
  if (setup.dimension && *setup.dimension != 2 && *setup.dimension != 3)
    throw InputError(fmt::format("dimension is {}, it must be 2 or 3", *setup.dimension));
  if (setup.dimension && *setup.dimension == 3) return {};
  std::vector<Vector3d> normals;
  for (const RobotContact& contact : setup.contacts) normals.push_back(unit_normal(contact));
  const TreeState<double> state = home_state(tree);
  const Vector3d axis = candidate_axis(tree, state, normals);
  const std::string leaves = out_of_plane(tree, state, setup, normals, axis);
  if (leaves.empty()) return {2, axis};
  if (setup.dimension)
    throw InputError(fmt::format("the robot does not move in a plane: {} [{:.6g}, {:.6g}, {:.6g}]; set dimension = 3",
                                 leaves, axis.x(), axis.y(), axis.z()));
  return {};
}

std::vector<RobotContactPlane> robot_contacts(const RobotModel& model, const RobotSetup& setup, const RobotTree& tree,
                                              const RobotPlane& plane) {
  std::vector<RobotContactPlane> list;
  std::set<std::string> names;
  for (const RobotContact& contact : setup.contacts) {
    if (!names.insert(contact.name).second)
      throw InputError(fmt::format("two contacts have the name {}", contact.name));
    const TreePlace frame = named_frame(model, tree, contact);
    if (frame.link < 0)
      throw InputError(fmt::format("contact.{} is on {}{}{}, which does not move", contact.name, contact.body,
                                   contact.site, contact.geom));
    if (!contact.point.allFinite() || (contact.plane_point && !contact.plane_point->allFinite()))
      throw InputError(fmt::format("contact.{} needs finite numbers for its point and its plane", contact.name));
    RobotContactPlane made;
    made.name = contact.name;
    made.link = frame.link;
    made.at = frame.position + frame.rotation * contact.point;
    made.origin = contact.plane_point.value_or(Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
    made.axes = axes_of(contact, plane);
    list.push_back(made);
  }
  return list;
}

std::vector<Vector3d> contact_points(const std::vector<RobotContactPlane>& contacts, const TreeState<double>& state) {
  std::vector<Vector3d> points;
  for (const RobotContactPlane& contact : contacts) {
    const LinkState<double>& link = state[static_cast<std::size_t>(contact.link)];
    points.push_back(plain(link.o + link.R * contact.at));
  }
  return points;
}

RobotDrawing robot_drawing(const RobotModel& model, const RobotTree& tree, const RobotPlane& plane,
                           const std::vector<RobotContactPlane>& contacts) {
  RobotDrawing drawing;
  const TreeState<double> state = home_state(tree);
  if (plane.dimension == 2) {
    const Vector3d across = level_tangent(plane.axis);
    Vector3d up = plane.axis.cross(across);
    if (up.z() < -planar || (up.z() <= planar && up.y() < 0)) up = -up;
    drawing.plane << across.transpose(), up.transpose();
  }
  std::vector<Vector3d> points = contact_points(contacts, state);
  for (std::size_t i = 0; i < tree.links().size(); ++i) {
    points.push_back(plain(state[i].c));
    points.push_back(plain(state[i].o + state[i].R * tree.links()[i].centre));
  }
  drawing.feet.assign(tree.links().size(), Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
  for (const RobotBody& body : model.bodies) {
    const RobotBody* foot = &body;
    while (foot->parent >= 0) foot = &model.bodies[static_cast<std::size_t>(foot->parent)];
    for (const RobotJoint& joint : body.joints) {
      const auto found = std::find(tree.names().begin(), tree.names().end(), joint.name);
      if (found == tree.names().end()) continue;
      const auto i = static_cast<std::size_t>(found - tree.names().begin());
      if (tree.links()[i].parent < 0 && joint.kind == JointKind::hinge) drawing.feet[i] = foot->position;
    }
  }
  for (const Vector3d& foot : drawing.feet)
    if (foot.allFinite()) points.push_back(foot);
  Vector3d low = points.front();
  Vector3d high = points.front();
  for (const Vector3d& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  if ((high - low).norm() > 0) drawing.size = (high - low).norm();
  return drawing;
}

}  // namespace painleve::detail
