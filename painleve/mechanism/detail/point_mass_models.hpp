// For tests: every gallery mechanism a second time, in plain numbers. Each body is a handful of point masses with the
// same mass, centre and moment of inertia; contacts are points with the axes of their frames. Nothing here knows of
// jets or sketches, so that mass matrices, forces and contact rows from finite differences of these pictures are an
// independent route to those of the mechanisms.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/mechanism/gallery.hpp"

namespace painleve::detail {

using Eigen::Vector3d;
using Eigen::VectorXd;

struct PointMass {
  double mass;
  Vector3d position;
};

struct ContactPicture {
  Vector3d point;
  std::vector<Vector3d> axes;  // tangents first, normal last
  double gap;
  double surface_speed = 0;  // along the first tangent
};

struct Picture {
  std::vector<PointMass> masses;
  double springs = 0;  // potential energy without gravity
  double gravity = 0, slope = 0;
  Vector3d up = Vector3d::UnitY();
  std::vector<ContactPicture> contacts;

  double potential() const {
    const Vector3d g = gravity * (std::sin(slope) * Vector3d::UnitX() - std::cos(slope) * up);
    double V = springs;
    for (const auto& m : masses) {
      V -= m.mass * g.dot(m.position);
    }
    return V;
  }
};

// The picture of a mechanism at (q, t). `laid` is the posture through which surfaces were laid, where that matters.
struct PictureAt {
  const Setup& setup;
  const VectorXd& laid;
  const VectorXd& q;
  double t;

  double operator()(const char* name) const { return setup.parameters.at(name); }
  double get(const char* name) const { return setup.parameters.get(name, 0); }
};

inline double square(double x) { return x * x; }
inline Vector3d plane(double x, double y) { return {x, y, 0}; }
inline Vector3d clockwise(double angle) { return plane(std::cos(angle), -std::sin(angle)); }
inline Vector3d counterclockwise(double angle) { return plane(std::cos(angle), std::sin(angle)); }
// From the upward vertical, clockwise.
inline Vector3d leaning(double angle) { return plane(std::sin(angle), std::cos(angle)); }

// Two equal masses at ±radius along `axis`: a body with that radius of gyration about its centre.
inline void dumbbell(Picture& p, double mass, const Vector3d& centre, const Vector3d& axis, double radius) {
  p.masses.push_back({mass / 2, centre + radius * axis});
  p.masses.push_back({mass / 2, centre - radius * axis});
}
inline ContactPicture on_floor(const Vector3d& point) {
  return {point, {Vector3d::UnitX(), Vector3d::UnitY()}, point.y()};
}
inline ContactPicture on_line(const Vector3d& point, const Vector3d& anchor, const Vector3d& normal) {
  return {point, {plane(normal.y(), -normal.x()), normal}, normal.dot(point - anchor)};
}

inline Picture picture_rod(const PictureAt& at, const char* length = "half_length") {
  Picture p;
  const Vector3d centre = plane(at.q(0), at.q(1));
  dumbbell(p, at("mass"), centre, clockwise(at.q(2)), at("gyration"));
  p.contacts.push_back(on_floor(centre + at(length) * clockwise(at.q(2))));
  return p;
}
inline Picture picture_chalk(const PictureAt& at) {
  Picture p = picture_rod(at);
  const double rest = at("rest_angle");
  const Vector3d grip = plane(at.q(0), at.q(1)) - at("grip") * clockwise(at.q(2));
  const Vector3d relaxed = plane(0, at("half_length") * std::sin(rest)) - at("grip") * clockwise(rest);
  const Vector3d carriage = relaxed + plane(at("hand_speed") * at.t, -at("push") / at("hand_stiffness"));
  p.springs =
      at("hand_stiffness") / 2 * (grip - carriage).squaredNorm() + at("wrist_stiffness") / 2 * square(at.q(2) - rest);
  return p;
}
// The corners of the box in its own frame, which is turned clockwise by theta minus the angle of its first corner.
inline Picture picture_block(const PictureAt& at) {
  Picture p;
  const double w = at("width");
  const double h = at("height");
  const double turn = -(at.q(2) - std::atan2(h, w));
  const Vector3d centre = plane(at.q(0), at.q(1));
  const Vector3d along = counterclockwise(turn);
  const Vector3d across = counterclockwise(turn + std::numbers::pi / 2);
  for (const double side : {-1.0, 1.0}) {  // Gauss points of a uniform box: exact second moments
    for (const double level : {-1.0, 1.0}) {
      p.masses.push_back({at("mass") / 4, centre + (side * w * along + level * h * across) / std::sqrt(12.0)});
    }
  }
  p.contacts.push_back(on_floor(centre + w / 2 * along - h / 2 * across));
  p.contacts.push_back(on_floor(centre - w / 2 * along - h / 2 * across));
  return p;
}
inline Picture picture_oscillator(const PictureAt& at) {
  Picture p;
  const Vector3d body = plane(0, at.q(0));
  const Vector3d tip = body + at("length") * plane(std::sin(at.q(1)), -std::cos(at.q(1)));
  p.masses = {{at("mass_body"), body}, {at("mass_tip"), tip}};
  p.springs = at("stiffness_y") / 2 * square(at.q(0) - at("rest_y")) +
              at("stiffness_beta") / 2 * square(at.q(1) - at("rest_beta"));
  p.contacts.push_back(on_floor(tip));
  p.contacts[0].surface_speed = at("belt_speed");
  return p;
}
inline Picture picture_two_link(const PictureAt& at) {
  Picture p;
  const Vector3d first = at("length1") * plane(std::sin(at.q(0)), -std::cos(at.q(0)));
  const Vector3d second = at("length2") * plane(std::sin(at.q(1)), -std::cos(at.q(1)));
  const Vector3d hinge = plane(0, at("height"));
  const double uniform = 1 / std::sqrt(12.0);  // gyration of a uniform link over its length
  dumbbell(p, at("mass1"), hinge + first / 2, first, uniform);
  dumbbell(p, at("mass2"), hinge + first + second / 2, second, uniform);
  p.contacts.push_back(on_floor(hinge + first + second));
  return p;
}
inline Picture picture_pendulum(const PictureAt& at) {
  Picture p;
  const Vector3d slider = plane(at.q(0), at.q(1));
  p.masses.push_back({at("mass_slider"), slider});
  dumbbell(p, at("mass_pendulum"), slider + at("distance") * leaning(at.q(2)), leaning(at.q(2)), at("gyration"));
  p.contacts.push_back(on_floor(slider));
  return p;
}
inline Picture picture_klein(const PictureAt& at) {
  Picture p;
  const Vector3d first = plane(at.q(0), at.q(1));
  const Vector3d second = first + at("length") * counterclockwise(at.q(2));
  p.masses = {{at("mass1"), first}, {at("mass2"), second}};
  const double height = at("length") * std::sin(at.laid(2));
  const auto guide = [&](const char* name, const Vector3d& point, double level, double inwards) {
    const auto said = at.setup.contacts.find(name);
    const bool one_sided = said != at.setup.contacts.end() && said->second.bilateral == false;
    const double sign = one_sided ? inwards : 1;
    p.contacts.push_back({point, {Vector3d::UnitX(), sign * Vector3d::UnitY()}, sign * (point.y() - level)});
  };
  guide("guide1", first, 0, height < 0 ? -1 : 1);
  guide("guide2", second, height, height < 0 ? 1 : -1);
  return p;
}
inline Picture picture_planar_body(const PictureAt& at, double gyration) {
  Picture p;
  dumbbell(p, at("mass"), plane(at.q(0), at.q(1)), counterclockwise(at.q(2)), gyration);
  return p;
}
inline Vector3d point_of_body(const VectorXd& q, double x, double y) {
  return plane(q(0), q(1)) + Eigen::AngleAxisd(q(2), Vector3d::UnitZ()) * plane(x, y);
}
inline Picture picture_wedged_block(const PictureAt& at) {
  Picture p = picture_planar_body(at, std::sqrt((square(at("width")) + square(at("height"))) / 12));
  for (const double side : {-1.0, 1.0}) {
    const Vector3d normal = plane(-side * std::cos(at("tilt")), -std::sin(at("tilt")));
    const double x = side * at("width") / 2;
    p.contacts.push_back(on_line(point_of_body(at.q, x, 0), plane(x, 0), normal));
  }
  return p;
}
inline Picture picture_two_legged_body(const PictureAt& at) {
  Picture p = picture_planar_body(at, at("gyration"));
  for (const char* foot : {"foot1", "foot2"}) {
    p.contacts.push_back(on_floor(point_of_body(at.q, at(foot), -at("height"))));
  }
  return p;
}
inline Picture picture_rigid_body(const PictureAt& at) {
  Picture p = picture_planar_body(at, at("gyration"));
  const auto& points = at.setup.lists.at("points");
  const auto& normals = at.setup.lists.at("normals");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, y] = points[i];
    const Vector3d normal = plane(normals[i][0], normals[i][1]).normalized();
    p.contacts.push_back(on_line(point_of_body(at.q, x, y), point_of_body(at.laid, x, y), normal));
  }
  return p;
}
inline Picture picture_brake_pad(const PictureAt& at) {
  Picture p = picture_planar_body(at, at("gyration"));
  for (const double side : {-1.0, 1.0}) {
    p.contacts.push_back(on_floor(point_of_body(at.q, side * at("half_width"), -at("height"))));
    p.contacts.back().surface_speed = at("belt_speed");
  }
  p.springs = at("bushing_x") / 2 * square(at.q(0)) + at("bushing_y") / 2 * square(at.q(1) - at("height")) +
              at("bushing_theta") / 2 * square(at.q(2)) + at("preload") * at.q(1);
  return p;
}
inline Picture picture_wheel(const PictureAt& at) {
  Picture p = picture_rod(at, "leg_length");
  const int legs = static_cast<int>(at("legs"));
  for (int k = 1; k < legs; ++k) {
    const double angle = at.q(2) - k * 2 * std::numbers::pi / legs;
    p.contacts.push_back(on_floor(plane(at.q(0), at.q(1)) + at("leg_length") * clockwise(angle)));
  }
  return p;
}
inline Picture picture_compass(const PictureAt& at) {
  Picture p;
  const double l = at("leg_length");
  const Vector3d stance = plane(at.q(0), at.q(1));
  const Vector3d hip = stance + l * leaning(at.q(2));
  p.masses.push_back({at("hip_mass"), hip});
  const double radius = std::sqrt(at("leg_inertia") / at("leg_mass"));
  for (const int leg : {2, 3}) {
    dumbbell(p, at("leg_mass"), hip - at("leg_com") * leaning(at.q(leg)), leaning(at.q(leg)), radius);
  }
  p.contacts = {on_floor(stance), on_floor(hip - l * leaning(at.q(3)))};
  return p;
}
inline Picture picture_arm(const PictureAt& at) {
  Picture p;
  p.up = Vector3d::UnitZ();
  const Vector3d radial(std::cos(at.q(3)), std::sin(at.q(3)), 0);
  Vector3d end = at("height") * p.up;
  for (const int link : {0, 1, 2}) {
    const double L = at(link == 0 ? "length1" : link == 1 ? "length2" : "length3");
    const Vector3d along = L * (std::cos(at.q(link)) * radial - std::sin(at.q(link)) * p.up);
    dumbbell(p, at("density") * L, end + along / 2, along, 1 / std::sqrt(12.0));
    end += along;
  }
  p.contacts.push_back({end, {radial.cross(p.up), radial, p.up}, end.z()});  // −e_φ = e_r × e_z
  return p;
}
inline Picture picture_rod_3d(const PictureAt& at) {
  Picture p;
  p.up = Vector3d::UnitZ();
  const double theta = at.q(3);
  const double psi = at.q(4);
  const Vector3d n(std::cos(theta) * std::cos(psi), std::cos(theta) * std::sin(psi), -std::sin(theta));
  dumbbell(p, at("mass"), at.q.head<3>(), n, at("gyration"));
  const Vector3d tip = at.q.head<3>() + at("half_length") * n;
  p.contacts.push_back({tip, {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()}, tip.z()});
  return p;
}

inline Picture picture(const std::string& name, const PictureAt& at) {
  static const std::map<std::string, std::function<Picture(const PictureAt&)>> all = {
      {"rod", [](const PictureAt& a) { return picture_rod(a); }},
      {"chalk", picture_chalk},
      {"block", picture_block},
      {"impact-oscillator", picture_oscillator},
      {"two-link", picture_two_link},
      {"pendulum-on-slider", picture_pendulum},
      {"painleve-klein", picture_klein},
      {"wedged-block", picture_wedged_block},
      {"two-legged-body", picture_two_legged_body},
      {"rigid-body", picture_rigid_body},
      {"brake-pad", picture_brake_pad},
      {"rimless-wheel", picture_wheel},
      {"compass-biped", picture_compass},
      {"articulated-arm", picture_arm},
      {"rod-3d", picture_rod_3d}};
  Picture p = all.at(name)(at);
  p.gravity = at("gravity");
  p.slope = at.get("slope");
  return p;
}

}  // namespace painleve::detail
