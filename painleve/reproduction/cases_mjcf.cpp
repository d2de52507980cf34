#include "painleve/reproduction/cases_mjcf.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace painleve {
namespace {

// MuJoCo wants some inertia about every axis; where mechanics has none, this much does not change a digit of interest.
constexpr double hardly_any = 1e-13;

std::string join(const Eigen::VectorXd& v) {
  std::string text;
  for (Eigen::Index i = 0; i < v.size(); ++i) text += fmt::format("{}{}", i > 0 ? " " : "", v(i) + 0.0);
  return text;
}

std::string joint(const char* name, const char* type, const char* axis) {
  return fmt::format("<joint name=\"{}\" type=\"{}\" axis=\"{}\"/>", name, type, axis);
}
std::string site(const std::string& name, const Eigen::Vector3d& at) {
  return fmt::format("<site name=\"{}\" pos=\"{}\" size=\"0.01\"/>", name, join(at));
}
std::string inertial(double mass, const Eigen::Vector3d& at, const Eigen::Vector3d& inertia) {
  return fmt::format("<inertial mass=\"{}\" pos=\"{}\" diaginertia=\"{}\"/>", mass, join(at), join(inertia));
}
Eigen::Vector3d all_around(double inertia) { return Eigen::Vector3d::Constant(std::max(inertia, hardly_any)); }
std::string body(const char* name, const Eigen::Vector3d& at, const std::string& inside) {
  return fmt::format("<body name=\"{}\" pos=\"{}\">{}</body>", name, join(at), inside);
}

// What the scene is, at hand for the writers.
struct Source {
  const Scene& scene;
  Dynamics d;
  double at(const char* name) const { return scene.posed.parameters.at(name); }
  double get(const char* name, double fallback) const { return scene.posed.parameters.get(name, fallback); }
  const Eigen::VectorXd& q() const { return scene.posed.state.q; }
  const Eigen::VectorXd& v() const { return scene.posed.state.v; }
  const std::string& contact(int i) const { return scene.space.names[static_cast<std::size_t>(i)]; }
  Eigen::Vector3d gravity() const {  // a slope turns gravity, not the floor
    const double g = get("gravity", 9.81);
    const double slope = get("slope", 0);
    return {g * std::sin(slope), 0, -g * std::cos(slope)};
  }
};

// What a writer gives: bodies of the world, and T; all else follows.
struct Draft {
  std::string bodies;
  Eigen::MatrixXd T;
  Eigen::VectorXd springs;  // their generalized forces in the mechanism's coordinates
  std::vector<MjcfContact> contacts;
};

MjcfContact floor_contact(const std::string& name, double up = 1) {
  return {name, {Eigen::Vector3d(1, 0, 0)}, Eigen::Vector3d(0, 0, up)};
}

constexpr const char* clockwise = "0 1 0";
constexpr const char* counter_clockwise = "0 -1 0";

// One body in the plane: everything is in M, J and f at this state. `turn` is +1 where theta grows clockwise.
Draft free_body(const Source& s, double turn) {
  const double mass = s.d.M(0, 0);
  const double theta = s.q()(2);
  Draft draft;
  draft.T = Eigen::Matrix3d::Identity();
  std::string inside = joint("x", "slide", "1 0 0") + joint("z", "slide", "0 0 1") +
                       joint("theta", "hinge", turn > 0 ? clockwise : counter_clockwise) +
                       inertial(mass, Eigen::Vector3d::Zero(), all_around(s.d.M(2, 2)));
  for (int i = 0; i < s.scene.space.count(); ++i) {
    const Eigen::RowVector3d t = s.d.J.row(2 * i);
    const Eigen::RowVector3d n = s.d.J.row(2 * i + 1);
    // The arm r from the centre to the point, from J_theta = −turn e·(r turned by 90°) for e = t, n.
    const double along_t = -turn * n(2) * (t(0) * n(1) - t(1) * n(0));
    const double along_n = turn * t(2) * (t(0) * n(1) - t(1) * n(0));
    const double x = along_t * t(0) + along_n * n(0);
    const double z = along_t * t(1) + along_n * n(1);
    const double c = std::cos(theta);
    const double sin = turn * std::sin(theta);
    inside += site(s.contact(i), {c * x - sin * z, 0, sin * x + c * z});
    draft.contacts.push_back({s.contact(i), {Eigen::Vector3d(t(0), 0, t(1))}, Eigen::Vector3d(n(0), 0, n(1))});
  }
  const Eigen::Vector3d pull = mass * s.gravity();
  draft.springs = s.d.f - s.d.applied - Eigen::Vector3d(pull(0), pull(2), 0);
  draft.bodies = body("body", Eigen::Vector3d::Zero(), inside);
  return draft;
}

Draft pendulum_on_slider(const Source& s) {
  const double m = s.at("mass_pendulum");
  const double k = s.at("gyration");
  const std::string pendulum =
      body("pendulum", Eigen::Vector3d::Zero(),
           joint("theta", "hinge", clockwise) + inertial(m, {0, 0, s.at("distance")}, all_around(m * k * k)));
  const std::string inside = joint("x", "slide", "1 0 0") + joint("z", "slide", "0 0 1") +
                             inertial(s.at("mass_slider"), Eigen::Vector3d::Zero(), all_around(0)) +
                             site(s.contact(0), Eigen::Vector3d::Zero()) + pendulum;
  return {body("slider", Eigen::Vector3d::Zero(), inside),
          Eigen::Matrix3d::Identity(),
          Eigen::Vector3d::Zero(),
          {floor_contact(s.contact(0))}};
}

Draft two_link(const Source& s) {
  const double l1 = s.at("length1");
  const double l2 = s.at("length2");
  const double m1 = s.at("mass1");
  const double m2 = s.at("mass2");
  const std::string second =
      body("link2", {0, 0, -l1},
           joint("elbow", "hinge", counter_clockwise) + inertial(m2, {0, 0, -l2 / 2}, all_around(m2 * l2 * l2 / 12)) +
               site(s.contact(0), {0, 0, -l2}));
  Eigen::Matrix2d T;
  T << 1, 0, -1, 1;  // the joints are relative, the coordinates absolute
  return {body("link1", {0, 0, s.at("height")},
               joint("shoulder", "hinge", counter_clockwise) +
                   inertial(m1, {0, 0, -l1 / 2}, all_around(m1 * l1 * l1 / 12)) + second),
          T,
          Eigen::Vector2d::Zero(),
          {floor_contact(s.contact(0))}};
}

Draft impact_oscillator(const Source& s) {
  const double l = s.at("length");
  const std::string link =
      body("link", Eigen::Vector3d::Zero(),
           joint("beta", "hinge", counter_clockwise) + inertial(s.at("mass_tip"), {0, 0, -l}, all_around(0)) +
               site(s.contact(0), {0, 0, -l}));
  const Eigen::Vector2d springs(-s.at("stiffness_y") * (s.q()(0) - s.at("rest_y")),
                                -s.at("stiffness_beta") * (s.q()(1) - s.at("rest_beta")));
  return {
      body("body", Eigen::Vector3d::Zero(),
           joint("z", "slide", "0 0 1") + inertial(s.at("mass_body"), Eigen::Vector3d::Zero(), all_around(0)) + link),
      Eigen::Matrix2d::Identity(),
      springs,
      {floor_contact(s.contact(0))}};
}

Draft compass_biped(const Source& s) {
  const double l = s.at("leg_length");
  const double c = s.at("leg_com");
  const double m = s.at("leg_mass");
  const double inertia = s.at("leg_inertia");
  const std::string hip = body("hip", {0, 0, l}, inertial(s.at("hip_mass"), Eigen::Vector3d::Zero(), all_around(0)));
  const std::string swing = body(
      "swing_leg", {0, 0, l},
      joint("hip", "hinge", clockwise) + inertial(m, {0, 0, -c}, all_around(inertia)) + site(s.contact(1), {0, 0, -l}));
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  T(3, 2) = -1;
  return {body("stance_leg", Eigen::Vector3d::Zero(),
               joint("x", "slide", "1 0 0") + joint("z", "slide", "0 0 1") + joint("theta1", "hinge", clockwise) +
                   inertial(m, {0, 0, l - c}, all_around(inertia)) + site(s.contact(0), Eigen::Vector3d::Zero()) + hip +
                   swing),
          T,
          Eigen::Vector4d::Zero(),
          {floor_contact(s.contact(0)), floor_contact(s.contact(1))}};
}

Draft painleve_klein(const Source& s) {
  const double l = s.at("length");
  const std::string second = body(
      "mass2", {l, 0, 0},
      inertial(s.at("mass2"), Eigen::Vector3d::Zero(), all_around(0)) + site(s.contact(1), Eigen::Vector3d::Zero()));
  return {
      body("mass1", Eigen::Vector3d::Zero(),
           joint("x1", "slide", "1 0 0") + joint("z1", "slide", "0 0 1") + joint("phi", "hinge", counter_clockwise) +
               inertial(s.at("mass1"), Eigen::Vector3d::Zero(), all_around(0)) +
               site(s.contact(0), Eigen::Vector3d::Zero()) + second),
      Eigen::Matrix3d::Identity(),
      Eigen::Vector3d::Zero(),
      {floor_contact(s.contact(0), s.d.J(1, 1)), floor_contact(s.contact(1), s.d.J(3, 1))}};
}

Draft rod_3d(const Source& s) {
  const double m = s.at("mass");
  const double k = s.at("gyration");
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(5, 5);
  T.row(3).swap(T.row(4));  // psi turns first
  return {body("rod", Eigen::Vector3d::Zero(),
               joint("x", "slide", "1 0 0") + joint("y", "slide", "0 1 0") + joint("z", "slide", "0 0 1") +
                   joint("psi", "hinge", "0 0 1") + joint("theta", "hinge", clockwise) +
                   inertial(m, Eigen::Vector3d::Zero(), {hardly_any, m * k * k, m * k * k}) +
                   site(s.contact(0), {s.at("half_length"), 0, 0})),
          T,
          Eigen::VectorXd::Zero(5),
          {{s.contact(0), {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0)}, Eigen::Vector3d(0, 0, 1)}}};
}

Draft articulated_arm(const Source& s) {
  constexpr const char* names[] = {"link1", "link2", "link3"};
  constexpr const char* joints[] = {"shoulder", "elbow", "wrist"};
  const double length[] = {s.at("length1"), s.at("length2"), s.at("length3")};
  std::string inside = site(s.contact(0), {length[2], 0, 0});
  for (int i = 2; i >= 0; --i) {
    const double l = length[i];
    const double m = s.at("density") * l;
    const Eigen::Vector3d at = i > 0 ? Eigen::Vector3d(length[i - 1], 0, 0) : Eigen::Vector3d(0, 0, s.at("height"));
    inside = body(names[i], at,
                  (i == 0 ? joint("phi", "hinge", "0 0 1") : std::string()) + joint(joints[i], "hinge", clockwise) +
                      inertial(m, {l / 2, 0, 0}, {hardly_any, m * l * l / 12, m * l * l / 12}) + inside);
  }
  Eigen::Matrix4d T;
  T << 0, 0, 0, 1, 1, 0, 0, 0, -1, 1, 0, 0, 0, -1, 1, 0;
  const double phi = s.q()(3);
  const Eigen::Vector3d t1(std::sin(phi), -std::cos(phi), 0);
  const Eigen::Vector3d t2(std::cos(phi), std::sin(phi), 0);
  return {inside, T, Eigen::Vector4d::Zero(), {{s.contact(0), {t1, t2}, Eigen::Vector3d(0, 0, 1)}}};
}

using Writer = std::function<Draft(const Source&)>;
const std::map<std::string, Writer>& writers() {
  static const Writer right = [](const Source& s) { return free_body(s, 1); };
  static const Writer left = [](const Source& s) { return free_body(s, -1); };
  static const std::map<std::string, Writer> all = {{"rod", right},
                                                    {"chalk", right},
                                                    {"block", right},
                                                    {"rimless-wheel", right},
                                                    {"two-legged-body", left},
                                                    {"wedged-block", left},
                                                    {"rigid-body", left},
                                                    {"brake-pad", left},
                                                    {"pendulum-on-slider", pendulum_on_slider},
                                                    {"two-link", two_link},
                                                    {"impact-oscillator", impact_oscillator},
                                                    {"compass-biped", compass_biped},
                                                    {"painleve-klein", painleve_klein},
                                                    {"rod-3d", rod_3d},
                                                    {"articulated-arm", articulated_arm}};
  return all;
}

std::string document(const Source& s, const Mjcf& m, const std::string& bodies) {
  return fmt::format(
      "<mujoco model=\"{}\">\n"
      "  <!-- Sites are contact points; the case says which plane each touches. Inertias of {} kg m^2 stand for none. "
      "-->\n"
      "  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n"
      "  <option gravity=\"{}\"/>\n"
      "  <worldbody>{}</worldbody>\n"
      "  <keyframe><key name=\"state\" qpos=\"{}\" qvel=\"{}\"/></keyframe>\n"
      "</mujoco>\n",
      s.scene.name, hardly_any, join(s.gravity()), bodies, join(m.qpos), join(m.qvel));
}

}  // namespace

MjcfResult to_mjcf(const Scene& scene) {
  if (scene.kind != SceneKind::mechanism) return {std::nullopt, "the case is numbers, not bodies"};
  const auto writer = writers().find(scene.mechanism);
  if (writer == writers().end()) return {std::nullopt, "this mechanism has not been written as MJCF"};
  const Source source{scene, scene.posed.mechanism->dynamics(scene.posed.state)};
  Draft draft = writer->second(source);
  Mjcf m;
  m.T = draft.T;
  m.contacts = std::move(draft.contacts);
  m.qpos = draft.T * source.q();
  m.qvel = draft.T * source.v();
  m.qfrc_applied = draft.T.transpose().fullPivLu().solve(source.d.applied + draft.springs);
  m.xml = document(source, m, draft.bodies);
  return {m, ""};
}

}  // namespace painleve
