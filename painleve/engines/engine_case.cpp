#include "painleve/engines/engine_case.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <optional>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

constexpr double same_numbers = 1e-12;  // of the largest entry: rounding of a few products
constexpr double rounding = 1e-14;      // of a weight: a force that is only rounding is none

Eigen::Vector3d vector(const Place& p) { return {p[0], p[1], p[2]}; }

bool near(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  if (a.size() == 0) return true;
  const double scale = std::max({1.0, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
  return (a - b).cwiseAbs().maxCoeff() <= same_numbers * scale;
}

Eigen::Vector3d without_rounding(Eigen::Vector3d force, double weight) {
  for (double& x : force) {
    if (std::abs(x) <= rounding * weight) x = 0;
  }
  return force;
}

// The angle of a planar body grows clockwise in some mechanisms: +1 when counter-clockwise, −1 when clockwise.
double turning_sense(const Dynamics& d, const Outline& outline, const Eigen::Vector3d& centre) {
  double along = 0;
  for (std::size_t i = 0; i < outline.contacts.size(); ++i) {
    const ContactPlace& c = outline.contacts[i];
    const Eigen::Vector3d lever = Eigen::Vector3d::UnitZ().cross(vector(c.at) - centre);
    const auto row = static_cast<Eigen::Index>(2 * i);
    along += d.J(row, 2) * lever.dot(vector(c.tangents.at(0))) + d.J(row + 1, 2) * lever.dot(vector(c.normal));
  }
  return along < 0 ? -1 : 1;
}

// Coordinates x, y of the centre of mass and an angle. Nothing is taken for granted: verified() compares.
std::optional<EngineBody> plane_body(const State& state, const Dynamics& d, const Outline& outline) {
  if (state.q.size() != 3) return std::nullopt;
  EngineBody body;
  body.mass = d.M(0, 0);
  body.inertia = d.M(2, 2) * Eigen::Matrix3d::Identity();
  if (!near(d.M, Eigen::Vector3d(body.mass, body.mass, d.M(2, 2)).asDiagonal().toDenseMatrix())) return std::nullopt;
  body.position << state.q(0), state.q(1), 0;
  const double sense = turning_sense(d, outline, body.position);
  body.rotation = Eigen::AngleAxisd(sense * state.q(2), Eigen::Vector3d::UnitZ());
  body.velocity << state.v(0), state.v(1), 0;
  body.angular_velocity << 0, 0, sense * state.v(2);
  const Eigen::Vector3d weight = body.mass * vector(outline.gravity);
  body.force = without_rounding(Eigen::Vector3d(d.f(0), d.f(1), 0) - weight, weight.norm());
  body.torque << 0, 0, sense * d.f(2);
  return body;
}

// A thin rod in space that touches with its tip: x, y, z of the centre and two angles. Turning about its own axis does
// nothing to it, so that a body with the same moment about every axis is the same body. The angular velocity of each
// angle is the one across the lever that moves the tip as the Jacobian says.
std::optional<EngineBody> thin_rod(const State& state, const Dynamics& d, const Outline& outline) {
  if (state.q.size() != 5 || outline.contacts.size() != 1) return std::nullopt;
  EngineBody body;
  body.mass = d.M(0, 0);
  body.position = state.q.head<3>();
  const ContactPlace& tip = outline.contacts[0];
  const Eigen::Vector3d lever = vector(tip.at) - body.position;
  Eigen::Matrix3d axes;  // columns: the contact frame
  axes << vector(tip.tangents.at(0)), vector(tip.tangents.at(1)), vector(tip.normal);
  Eigen::Matrix<double, 3, 2> turn;
  for (int k = 0; k < 2; ++k) {
    turn.col(k) = lever.cross(axes * d.J.col(3 + k)) / lever.squaredNorm();
  }
  const Eigen::Matrix2d unit = turn.transpose() * turn;
  const double moment = d.M.bottomRightCorner<2, 2>().trace() / unit.trace();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(5, 5);
  M.topLeftCorner<3, 3>().diagonal().setConstant(body.mass);
  M.bottomRightCorner<2, 2>() = moment * unit;
  if (!near(d.M, M) || std::abs(unit.determinant()) < same_numbers) return std::nullopt;
  body.inertia = moment * Eigen::Matrix3d::Identity();
  body.rotation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), lever);
  body.velocity = state.v.head<3>();
  body.angular_velocity = turn * state.v.tail<2>();
  const Eigen::Vector3d weight = body.mass * vector(outline.gravity);
  body.force = without_rounding(d.f.head<3>() - weight, weight.norm());
  body.torque = turn * unit.inverse() * d.applied.tail<2>();
  return body;
}

EngineContact contact_of(const ContactPlace& place, const EngineBody& body, const EngineCase& given, int i) {
  EngineContact c;
  c.name = place.name;
  c.at = vector(place.at);
  c.point = body.rotation.conjugate() * (c.at - body.position);
  c.normal = vector(place.normal);
  for (const Place& t : place.tangents) c.tangents.push_back(vector(t));
  c.surface_velocity = vector(place.surface_velocity);
  c.mu = given.formulation.problem.mu(i);
  c.gap = given.gap(i);
  return c;
}

bool reproduced(const EngineCase& given) {
  const BodyContactSpace own = contact_space_of(given);
  return near(own.W, given.formulation.problem.W) && near(own.u, given.u) && near(own.u_free, given.u_free());
}

void add_bodies(EngineCase& given, const Scene& scene) {
  given.bodies_reason = "the scene is not made of free rigid bodies";
  if (scene.kind != SceneKind::mechanism) return;
  const Mechanism& mechanism = *scene.posed.mechanism;
  const State& state = scene.posed.state;
  const Outline outline = mechanism.outline(state);
  const auto tangents = static_cast<std::size_t>(given.dimension - 1);
  const bool drawn = outline.contacts.size() == mechanism.contacts().size() &&
                     std::all_of(outline.contacts.begin(), outline.contacts.end(),
                                 [&](const ContactPlace& c) { return c.tangents.size() == tangents; });
  if (!drawn || outline.contacts.empty()) return;
  const Dynamics d = mechanism.dynamics(state);
  auto body = given.dimension == 2 ? plane_body(state, d, outline) : thin_rod(state, d, outline);
  if (!body) return;
  body->name = scene.mechanism;
  EngineCase with = given;
  with.gravity = vector(outline.gravity);
  with.bodies = {*body};
  for (std::size_t i = 0; i < outline.contacts.size(); ++i)
    with.contacts.push_back(contact_of(outline.contacts[i], *body, given, static_cast<int>(i)));
  with.bodies_reason = "";
  if (reproduced(with)) {
    given = with;
  } else {
    given.bodies_reason = "a free rigid body would not have the scene's contact space";
  }
}

void refuse(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("compare needs a contact space; drifting-contacts are known by P and b only (analyze takes them)");
  for (int i = 0; i < scene.space.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (scene.space.bilateral[at])
      throw InputError(fmt::format("compare is for one-sided contacts; {} is bilateral", scene.space.names[at]));
  }
}

Eigen::Vector3d lever_of(const EngineCase& given, const EngineContact& c) {
  return c.at - given.bodies[static_cast<std::size_t>(c.body)].position;
}

Eigen::Matrix3d world_inertia(const EngineBody& body) {
  const Eigen::Matrix3d R = body.rotation.toRotationMatrix();
  return R * body.inertia * R.transpose();
}

}  // namespace

EngineCase engine_case(const Scene& scene, double dt) {
  refuse(scene);
  StepOptions step;
  step.dt = dt;
  EngineCase given;
  given.dimension = scene.space.dimension;
  given.dt = dt;
  given.formulation = step_problem(scene.space, step, scene.tolerance);
  given.u = scene.space.u;
  given.b = scene.space.b - scene.space.drift;
  given.gap = scene.space.gap;
  for (double& gap : given.gap) {
    if (std::abs(gap) <= scene.tolerance.gap) gap = 0;
  }
  add_bodies(given, scene);
  return given;
}

Eigen::MatrixXd body_jacobian(const EngineCase& given) {
  const auto columns = static_cast<Eigen::Index>(6 * given.bodies.size());
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(given.formulation.problem.q.size(), columns);
  Eigen::Index row = 0;
  for (const EngineContact& c : given.contacts) {
    std::vector<Eigen::Vector3d> axes = c.tangents;
    axes.push_back(c.normal);
    for (const Eigen::Vector3d& axis : axes) {
      J.row(row).segment<3>(6 * c.body) = axis;
      J.row(row++).segment<3>(6 * c.body + 3) = lever_of(given, c).cross(axis);
    }
  }
  return J;
}

Eigen::MatrixXd body_mass_matrix(const EngineCase& given) {
  const auto size = static_cast<Eigen::Index>(6 * given.bodies.size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t i = 0; i < given.bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    M.block<3, 3>(at, at).diagonal().setConstant(given.bodies[i].mass);
    M.block<3, 3>(at + 3, at + 3) = world_inertia(given.bodies[i]);
  }
  return M;
}

Eigen::VectorXd body_velocity(const EngineCase& given) {
  Eigen::VectorXd v(6 * static_cast<Eigen::Index>(given.bodies.size()));
  for (std::size_t i = 0; i < given.bodies.size(); ++i)
    v.segment<6>(static_cast<Eigen::Index>(6 * i)) << given.bodies[i].velocity, given.bodies[i].angular_velocity;
  return v;
}

Eigen::VectorXd body_force(const EngineCase& given) {
  Eigen::VectorXd f(6 * static_cast<Eigen::Index>(given.bodies.size()));
  for (std::size_t i = 0; i < given.bodies.size(); ++i) {
    const EngineBody& body = given.bodies[i];
    const Eigen::Vector3d& w = body.angular_velocity;
    f.segment<6>(static_cast<Eigen::Index>(6 * i)) << body.force + body.mass * given.gravity,
        body.torque - w.cross(world_inertia(body) * w);
  }
  return f;
}

BodyContactSpace contact_space_of(const EngineCase& given) {
  const Eigen::MatrixXd J = body_jacobian(given);
  const Eigen::LLT<Eigen::MatrixXd> M(body_mass_matrix(given));
  Eigen::VectorXd surface(J.rows());
  Eigen::Index row = 0;
  for (const EngineContact& c : given.contacts) {
    for (const Eigen::Vector3d& t : c.tangents) surface(row++) = t.dot(c.surface_velocity);
    surface(row++) = c.normal.dot(c.surface_velocity);
  }
  const Eigen::VectorXd v = body_velocity(given);
  const Eigen::VectorXd free = v + given.dt * M.solve(body_force(given));
  return {J * M.solve(J.transpose()), J * v - surface, J * free - surface};
}

}  // namespace painleve
