// Kinematics of a tree of links, each moved by one joint, written once for S = double and S = Dual: the second gives
// the exact derivative of everything that follows from it.
//
//   place   rotation R and origin o of every link, axis z and anchor c of every joint, all in the world
//   move    angular velocity and acceleration, velocity and acceleration of every origin, for given rates of the joints
//
// A point P that a link carries moves by  z × (P − c)  per unit of a hinge below it, by  z  per unit of a slide.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <vector>

#include "painleve/mechanism/jet.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve::detail {

// Scratch lies on the stack: a mechanism is evaluated a million times, by many threads at once.
inline constexpr int most_joints = 64;

template <class S>
struct Vec3 {
  S x, y, z;
};
template <class S>
Vec3<S> operator+(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
Vec3<S> operator-(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
Vec3<S> operator*(const Vec3<S>& a, const S& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class S>
Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S dot(const Vec3<S>& a, const Vec3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
S dot(const Vec3<S>& a, const Eigen::Vector3d& b) {
  return a.x * S(b.x()) + a.y * S(b.y()) + a.z * S(b.z());
}
template <class S>
Vec3<S> constant(const Eigen::Vector3d& a) {
  return {S(a.x()), S(a.y()), S(a.z())};
}
template <class S>
Vec3<S> zero() {
  return {S(0.0), S(0.0), S(0.0)};
}
inline Eigen::Vector3d plain(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

template <class S>
struct Mat3 {
  std::array<Vec3<S>, 3> column;
};
template <class S>
Vec3<S> operator*(const Mat3<S>& A, const Vec3<S>& b) {
  return A.column[0] * b.x + A.column[1] * b.y + A.column[2] * b.z;
}
template <class S>
Vec3<S> operator*(const Mat3<S>& A, const Eigen::Vector3d& b) {
  return A.column[0] * S(b.x()) + A.column[1] * S(b.y()) + A.column[2] * S(b.z());
}
template <class S>
Mat3<S> operator*(const Mat3<S>& A, const Eigen::Matrix3d& B) {
  return {{A * Eigen::Vector3d(B.col(0)), A * Eigen::Vector3d(B.col(1)), A * Eigen::Vector3d(B.col(2))}};
}
template <class S>
Vec3<S> operator*(const Eigen::Matrix3d& A, const Vec3<S>& b) {
  return constant<S>(A.col(0)) * b.x + constant<S>(A.col(1)) * b.y + constant<S>(A.col(2)) * b.z;
}
// Aᵀ b
template <class S>
Vec3<S> into(const Mat3<S>& A, const Vec3<S>& b) {
  return {dot(A.column[0], b), dot(A.column[1], b), dot(A.column[2], b)};
}

// A rigid piece of the robot, with the joint that moves it against its parent.
struct TreeLink {
  int parent = -1;  // -1: the world
  JointKind kind = JointKind::hinge;
  // Of the link in the frame of its parent, with the joint at its reference.
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ(), anchor = Eigen::Vector3d::Zero();  // in the frame of the link
  double reference = 0;
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // about the centre
  double armature = 0, damping = 0, stiffness = 0, spring_reference = 0;

  bool massive() const { return mass > 0 || !inertia.isZero(0); }
  Eigen::Matrix3d axis_cross() const {
    Eigen::Matrix3d K;
    K << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0;
    return K;
  }
};

template <class S>
struct LinkState {
  Mat3<S> R;             // axes of the link
  Vec3<S> o;             // its origin
  Vec3<S> z, c;          // axis and anchor of its joint
  Vec3<S> omega, v;      // angular velocity, velocity of the origin
  Vec3<S> omega_dot, a;  // and their rates
};

template <class S>
using TreeState = std::array<LinkState<S>, most_joints>;

template <class S>
LinkState<S> world_state() {
  const Vec3<S> x{S(1.0), S(0.0), S(0.0)};
  const Vec3<S> y{S(0.0), S(1.0), S(0.0)};
  const Vec3<S> z{S(0.0), S(0.0), S(1.0)};
  const Vec3<S> o = zero<S>();
  return {{{x, y, z}}, o, o, o, o, o, o, o};
}

// A hinge turns by I + sin(s) K + (1 − cos(s)) K², K the cross product with its axis.
template <class S>
Mat3<S> turned(const Mat3<S>& R, const TreeLink& link, const S& s) {
  using std::cos;
  using std::sin;
  const Eigen::Matrix3d K = link.axis_cross();
  const Mat3<S> RK = R * K;
  const Mat3<S> RKK = RK * K;
  const S sine = sin(s);
  const S rest = S(1.0) - cos(s);
  Mat3<S> result;
  for (std::size_t k = 0; k < 3; ++k) result.column[k] = R.column[k] + RK.column[k] * sine + RKK.column[k] * rest;
  return result;
}

template <class S>
void place(const std::vector<TreeLink>& links, const S* y, TreeState<S>& state) {
  const LinkState<S> world = world_state<S>();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const TreeLink& link = links[i];
    const LinkState<S>& below = link.parent < 0 ? world : state[static_cast<std::size_t>(link.parent)];
    LinkState<S>& here = state[i];
    const Mat3<S> R = below.R * link.rotation;
    const Vec3<S> o = below.o + below.R * link.position;
    const S s = y[i] - S(link.reference);
    here.z = R * link.axis;
    here.c = o + R * link.anchor;
    if (link.kind == JointKind::hinge) {
      here.R = turned(R, link, s);
      here.o = here.c - here.R * link.anchor;
    } else {
      here.R = R;
      here.o = o + here.z * s;
    }
  }
}

// What is fixed to a link: r from its origin.
template <class S>
Vec3<S> velocity(const LinkState<S>& link, const Vec3<S>& r) {
  return link.v + cross(link.omega, r);
}
template <class S>
Vec3<S> acceleration(const LinkState<S>& link, const Vec3<S>& r) {
  return link.a + cross(link.omega_dot, r) + cross(link.omega, cross(link.omega, r));
}

// After place(): y_dot and y_ddot are the first two rates of the joints.
template <class S>
void move(const std::vector<TreeLink>& links, const S* y_dot, const S* y_ddot, TreeState<S>& state) {
  const LinkState<S> world = world_state<S>();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const TreeLink& link = links[i];
    const LinkState<S>& below = link.parent < 0 ? world : state[static_cast<std::size_t>(link.parent)];
    LinkState<S>& here = state[i];
    const Vec3<S> turning = cross(below.omega, here.z);  // ż
    if (link.kind == JointKind::hinge) {
      const Vec3<S> arm = here.c - below.o;
      const Vec3<S> r = here.o - here.c;
      here.omega = below.omega + here.z * y_dot[i];
      here.omega_dot = below.omega_dot + turning * y_dot[i] + here.z * y_ddot[i];
      here.v = velocity(below, arm) + cross(here.omega, r);
      here.a = acceleration(below, arm) + cross(here.omega_dot, r) + cross(here.omega, cross(here.omega, r));
    } else {
      const Vec3<S> arm = here.o - below.o;
      here.omega = below.omega;
      here.omega_dot = below.omega_dot;
      here.v = velocity(below, arm) + here.z * y_dot[i];
      here.a = acceleration(below, arm) + turning * (S(2.0) * y_dot[i]) + here.z * y_ddot[i];
    }
  }
}

// How a point of the world moves with joint j.
template <class S>
Vec3<S> column(const TreeLink& link, const LinkState<S>& state, const Vec3<S>& point) {
  return link.kind == JointKind::hinge ? cross(state.z, point - state.c) : state.z;
}

}  // namespace painleve::detail
