// Misprints of Peiret, Kövecses & Font-Llagunes (journal version and abstract) and of Preclik & Rüde.
// Each test computes by a route of its own, then shows that the corrected statement holds and the printed one does not.
// The list with page references is docs/errata.md.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace errata_peiret_preclik_test {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180.0;

// --- Peiret's articulated arm: angles from the horizontal, positive downwards; last coordinate: turn about the column.

constexpr std::array<double, 3> kLength = {0.5, 0.5, 0.1};
constexpr double kShoulder = 0.6;
constexpr double kGravity = 9.81;

struct Energies {
  Matrix4d mass = Matrix4d::Zero();
  double potential = 0.0;
};

// Kinetic and potential energy of the thin links by Gauss quadrature along them (exact: the integrands are quadratic).
Energies arm_energies(const Vector4d& q, double density) {
  const std::array<double, 3> node = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
  const std::array<double, 3> weight = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  Energies e;
  for (int link = 0; link < 3; ++link) {
    for (std::size_t g = 0; g < 3; ++g) {
      double radius = 0.0, height = kShoulder;
      Vector4d d_radius = Vector4d::Zero(), d_height = Vector4d::Zero(), d_turn = Vector4d::Zero();
      for (int i = 0; i <= link; ++i) {
        const double l = kLength[std::size_t(i)] * (i == link ? node[g] : 1.0);
        radius += l * std::cos(q[i]);
        height -= l * std::sin(q[i]);
        d_radius[i] = -l * std::sin(q[i]);
        d_height[i] = -l * std::cos(q[i]);
      }
      d_turn[3] = radius;
      const double dm = density * kLength[std::size_t(link)] * weight[g];
      e.mass += dm * (d_radius * d_radius.transpose() + d_height * d_height.transpose() + d_turn * d_turn.transpose());
      e.potential += dm * kGravity * height;
    }
  }
  return e;
}

Eigen::Matrix<double, 3, 4> arm_jacobian(const Vector4d& q) {
  Eigen::Matrix<double, 3, 4> a = Eigen::Matrix<double, 3, 4>::Zero();
  for (int i = 0; i < 3; ++i) {
    const double l = kLength[std::size_t(i)];
    a(0, 3) -= l * std::cos(q[i]);
    a(1, i) = -l * std::sin(q[i]);
    a(2, i) = -l * std::cos(q[i]);
  }
  return a;
}

// The pose with the tip on the plane at distance x from the column; elbow is +1 (up) or -1 (down).
Vector4d arm_pose(double x, double theta3, double elbow = 1.0) {
  const double wrist_x = x - kLength[2] * std::cos(theta3), wrist_z = kShoulder - kLength[2] * std::sin(theta3);
  const double theta1 =
      std::atan2(wrist_z, wrist_x) - elbow * std::acos(std::hypot(wrist_x, wrist_z));  // L1 = L2 = 1/2
  const double theta2 = std::atan2(wrist_z - kLength[0] * std::sin(theta1), wrist_x - kLength[0] * std::cos(theta1));
  return {theta1, theta2, theta3, 0.0};
}

double arm_mu_jam(const Vector4d& q, const Matrix4d& mass) {
  const Matrix3d w = arm_jacobian(q) * mass.inverse() * arm_jacobian(q).transpose();
  return w(2, 2) / w.col(2).head<2>().norm();
}

double arm_mu_jam(double x, double theta3, double elbow = 1.0) {
  const Vector4d q = arm_pose(x, theta3, elbow);
  return arm_mu_jam(q, arm_energies(q, 1.0).mass);
}

// The state of equations (45) to (49): x = 0.340 m, theta3 = 101.75 deg, rates (-1 m/s, 0, 1 rad/s), tip on the plane.
struct ArmState {
  Vector4d q = arm_pose(0.340, 101.75 * kDegree);
  Vector4d v = Vector4d::Zero();
  ArmState() {
    const Matrix2d a = arm_jacobian(q).block<2, 2>(1, 0);
    v.head<2>() = a.inverse() * Vector2d(-1.0, 0.0);
    v[3] = 1.0;
  }
};

// Coriolis and centrifugal terms from central differences of the kinetic energy; error about 1e-9.
Vector4d arm_coriolis(const Vector4d& q, const Vector4d& v, double density) {
  const double h = 1e-5;
  const auto momentum = [&](double t) -> Vector4d { return arm_energies(q + t * v, density).mass * v; };
  Vector4d c = (momentum(h) - momentum(-h)) / (2 * h);
  for (int i = 0; i < 4; ++i) {
    const Vector4d step = h * Vector4d::Unit(i);
    const auto kinetic = [&](double s) { return 0.5 * v.dot(arm_energies(q + s * step, density).mass * v); };
    c[i] -= (kinetic(1) - kinetic(-1)) / (2 * h);
  }
  return c;
}

// Acceleration of the arm without contact force, M^-1 (f - c), with or without the terms of c in the turn rate.
Vector4d arm_free_motion(const Vector4d& q, Vector4d v, double density, double torque1, bool keep_turn_terms = true) {
  const double h = 1e-5;
  Vector4d f = Vector4d::Zero();
  for (int i = 0; i < 4; ++i) {
    const Vector4d step = h * Vector4d::Unit(i);
    f[i] = -(arm_energies(q + step, density).potential - arm_energies(q - step, density).potential) / (2 * h);
  }
  f[0] += torque1;
  if (!keep_turn_terms) v[3] = 0.0;
  return arm_energies(q, density).mass.ldlt().solve(f - arm_coriolis(q, v, density));
}

// The contact acceleration that goes with it, A M^-1 (f - c) + dA/dt v; the last term is always complete.
Vector3d arm_free_acceleration(const ArmState& s, double density, double torque1, bool keep_turn_terms) {
  const double h = 1e-5;
  const Vector3d drift = (arm_jacobian(s.q + h * s.v) * s.v - arm_jacobian(s.q - h * s.v) * s.v) / (2 * h);
  return arm_jacobian(s.q) * arm_free_motion(s.q, s.v, density, torque1, keep_turn_terms) + drift;
}

// Change of contact velocity per unit of normal impulse while sliding along the present direction, mu = 0.5.
Vector3d arm_response(const ArmState& s, double density) {
  const Matrix3d w = arm_jacobian(s.q) * arm_energies(s.q, density).mass.inverse() * arm_jacobian(s.q).transpose();
  const Vector2d e_t = (arm_jacobian(s.q) * s.v).head<2>().normalized();
  return w * Vector3d(-0.5 * e_t[0], -0.5 * e_t[1], 1.0);
}

// Solutions of 0 <= x, 0 <= p x + b, x (p x + b) = 0 for p != 0.
std::vector<double> scalar_complementarity(double p, double b) {
  std::vector<double> x;
  if (b >= 0) x.push_back(0.0);
  if (-b / p > 0) x.push_back(-b / p);
  return x;
}

// Thin rod at 45 degrees with m = 1: W = 4 I - 3 n n^T, from A = [I, l (n x .)] in five coordinates.
struct Rod45 {
  MatrixXd a = MatrixXd::Zero(3, 5);  // centre of mass, then two turns of unit moment of inertia
  Rod45() {
    const Vector3d axis = Vector3d(1, 0, 1).normalized(), across(0, 1, 0), up = axis.cross(across);
    a.leftCols<3>().setIdentity();
    a.col(3) = std::sqrt(3.0) * across;
    a.col(4) = std::sqrt(3.0) * up;
  }
  Matrix3d w() const { return a * a.transpose(); }
};

TEST(Errata, E_P1_the_natural_contact_direction_needs_the_transpose) {
  const Rod45 rod;
  const Matrix3d m_c = rod.w().inverse(), cone = m_c * Vector3d(1, 1, 0).asDiagonal() * m_c;  // mu = 0
  const MatrixXd normal_row = rod.a.row(2);
  const Vector3d direction = rod.a * normal_row.transpose();
  EXPECT_LT((cone * direction).norm(), 1e-14);  // the frictionless cone is this line
  EXPECT_NEAR(direction.dot(Vector3d(-1.5, 0, 2.5).normalized()), direction.norm(), 1e-14);
  EXPECT_NE(rod.a.cols(), normal_row.rows());  // without the transpose the inner dimensions are 5 and 1
}

TEST(Errata, E_P2_critical_friction_uses_the_inverse_tangential_block) {
  const Matrix3d w = Rod45().w(), m_c = w.inverse();
  const auto normal_in_cone = [&](double mu) { return m_c.col(2).head<2>().norm() - mu * std::abs(m_c(2, 2)); };
  const Vector2d h = w.col(2).head<2>();
  const Matrix2d tangential = w.topLeftCorner<2, 2>(), schur = tangential - h * h.transpose() / w(2, 2);
  const double mu_crit = (tangential.inverse() * h).norm(), mixed = (schur.inverse() * h).norm();
  EXPECT_NEAR(mu_crit, 0.6, 1e-14);
  EXPECT_NEAR(normal_in_cone(mu_crit), 0.0, 1e-14);  // Q_n = 0 exactly there
  EXPECT_NEAR(mixed, 0.9375, 1e-14);                 // the abstract's formula with the journal's M_t
  EXPECT_LT(normal_in_cone(mixed), -0.2);
}

TEST(Errata, E_P3_the_free_change_of_velocity_is_an_increment) {
  const ArmState s;
  const Vector3d rate = arm_free_acceleration(s, 1.0, 0.0, true);
  for (const double dt : {1e-3, 1e-4}) {  // free motion for a time dt, one midpoint step
    const Vector4d half = s.v + dt / 2 * arm_free_motion(s.q, s.v, 1.0, 0.0);
    const Vector4d v1 = s.v + dt * arm_free_motion(s.q + dt / 2 * s.v, half, 1.0, 0.0);
    const Vector3d change = arm_jacobian(s.q + dt * half) * v1 - arm_jacobian(s.q) * s.v;
    EXPECT_LT((change - rate * dt).norm(), 5.0 * dt * rate.norm() * dt);  // delta u_0 = udot_0 dt + O(dt^2)
    EXPECT_GT((change - rate).norm(), 0.9 * rate.norm());                 // not udot_0 itself
  }
}

TEST(Errata, E_P4_pushing_and_pulling_cannot_share_a_panel) {
  const Matrix3d w = Rod45().w();
  const Vector2d h = w.col(2).head<2>();
  const double p = w(2, 2) - 2.0 * h.norm();  // mu = 2, sliding along e_jam
  EXPECT_NEAR(p, -0.5, 1e-14);
  EXPECT_TRUE(scalar_complementarity(p, -1.0).empty());  // push: the root -b/p = -2 is a negative force
  const std::vector<double> pull = scalar_complementarity(p, 1.0);
  ASSERT_EQ(pull.size(), 2u);
  EXPECT_NEAR(pull[1], 2.0, 1e-13);
}

TEST(Errata, E_P5_last_row_and_column_of_the_arm_mass_matrix) {
  const Vector4d q(2.5 * kDegree, 106.2 * kDegree, 101.8 * kDegree, 0.0);
  const Matrix4d by_energy = arm_energies(q, 2.0).mass;
  const double l3 = kLength[2];
  EXPECT_NEAR(by_energy(0, 2), 2.0 * kLength[0] * l3 * l3 / 2 * std::cos(q[0] - q[2]), 1e-16);
  EXPECT_NEAR(by_energy(1, 2), 2.0 * kLength[1] * l3 * l3 / 2 * std::cos(q[1] - q[2]), 1e-16);
  EXPECT_NEAR(by_energy(2, 2), 2.0 * l3 * l3 * l3 / 3, 1e-16);
  EXPECT_NEAR(arm_mu_jam(q, by_energy), 0.420778468, 1e-9);  // prints as 0.421

  Matrix4d printed = by_energy;  // one power of L3 less in the last row and column
  printed.col(2).head<3>() /= l3;
  printed.row(2).head<2>() /= l3;
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<Matrix4d>(printed).eigenvalues()[0], -0.01);  // no kinetic energy
  EXPECT_GT(arm_mu_jam(q, printed), 4.9);
}

TEST(Errata, E_P6_the_arm_numbers_belong_to_density_one) {
  const ArmState s;
  const Vector3d printed(0.1265, 8.316, -0.3118);
  const Vector3d rounding(5e-5, 5e-4, 5e-5);
  EXPECT_TRUE(((arm_response(s, 1.0) - printed).cwiseAbs().array() <= rounding.array()).all());
  EXPECT_LT((arm_response(s, 2.0) - printed / 2).norm(), 1e-3);  // the stated density gives half of it
  // With the stated density and torque the tip is still pressed down, and no second solution exists.
  EXPECT_NEAR(arm_free_acceleration(s, 2.0, -5.0, false)[2], -3.27183, 1e-5);
  EXPECT_TRUE(scalar_complementarity(arm_response(s, 2.0)[2], arm_free_acceleration(s, 2.0, -5.0, true)[2]).empty());
}

TEST(Errata, E_P7_the_printed_free_acceleration_drops_the_turn_rate_terms) {
  const ArmState s;
  const Vector3d complete = arm_free_acceleration(s, 1.0, 0.0, true);
  const Vector3d dropped = arm_free_acceleration(s, 1.0, 0.0, false);
  const Vector3d printed(1.0, -0.0169, -9.766), rounding(5e-2, 5e-5, 5e-4);
  EXPECT_LT((complete - Vector3d(0.3566154566, 0.2113620590, -9.7808927243)).norm(), 1e-7);  // differences: 1e-9 / h
  EXPECT_TRUE(((dropped - printed).cwiseAbs().array() <= rounding.array()).all());
  EXPECT_GT((complete - printed).norm(), 0.6);
}

TEST(Errata, E_P8_sign_of_the_second_component_under_torque) {
  const ArmState s;
  const Vector3d gravity = arm_free_acceleration(s, 1.0, 0.0, false),
                 loaded = arm_free_acceleration(s, 1.0, -5.0, false);
  EXPECT_NEAR(loaded[1], 1.262127, 1e-6);  // printed -1.262
  EXPECT_NEAR(loaded[2], 3.222792, 1e-6);  // fixes the sign of the torque
  EXPECT_NEAR((loaded - gravity)[1], 1.279019, 1e-6);
  EXPECT_LT(arm_free_acceleration(s, 1.0, 5.0, false)[2], -22.0);  // the other sign of the torque contradicts (48)
  EXPECT_NEAR(arm_free_acceleration(s, 1.0, -5.0, true)[1], 1.490381, 1e-6);
}

// Local minimiser of mu_jam by shrinking coordinate steps.
Vector2d descend(Vector2d at, double step) {
  while (step > 1e-9) {
    Vector2d best = at;
    for (const Vector2d& move : {Vector2d(step, 0), Vector2d(-step, 0), Vector2d(0, step), Vector2d(0, -step)}) {
      const Vector2d to = at + move;
      if (arm_mu_jam(to[0], to[1]) < arm_mu_jam(best[0], best[1])) best = to;
    }
    if (best == at) step /= 2;
    at = best;
  }
  return at;
}

TEST(Errata, E_P9_locking_angle_at_the_minimum) {
  const Vector2d a = descend(Vector2d(0.340, 101.75 * kDegree), 1e-2);
  const auto locking_angle = [](double mu_jam) { return 2 * std::acos(mu_jam / 0.5) / kDegree; };
  EXPECT_NEAR(locking_angle(arm_mu_jam(a[0], a[1])), 65.38666477, 1e-6);  // printed 65.3
  EXPECT_NEAR(locking_angle(0.421), 65.29616, 1e-5);                      // from the friction rounded to 0.421
}

TEST(Errata, E_P10_the_minimiser_is_not_at_the_printed_pose) {
  const Vector2d a = descend(Vector2d(0.340, 101.75 * kDegree), 1e-2);
  EXPECT_NEAR(a[0], 0.3388166, 1e-6);  // the minimum is flat: rounding of mu_jam moves x by about 1e-7
  EXPECT_NEAR(arm_pose(a[0], a[1])[1] / kDegree, 106.29977, 1e-4);
  EXPECT_GT(std::abs(a[0] - 0.340), 1e-3);
  EXPECT_GT(std::abs(arm_pose(a[0], a[1])[1] / kDegree - 106.2), 0.05);
  EXPECT_GT(arm_mu_jam(0.340, 101.75 * kDegree) - arm_mu_jam(a[0], a[1]), 2e-6);
}

TEST(Errata, E_P11_jamming_friction_depends_on_the_elbow_too) {
  EXPECT_NEAR(arm_mu_jam(0.340, 101.75 * kDegree, 1.0), 0.42078951, 1e-8);
  EXPECT_NEAR(arm_mu_jam(0.340, 101.75 * kDegree, -1.0), 0.92497039, 1e-8);
  const Vector2d third = descend(Vector2d(-0.539, 82.0 * kDegree), 1e-2);  // printed: only A and B
  EXPECT_NEAR(arm_mu_jam(third[0], third[1]), 0.7655, 5e-4);
  EXPECT_NEAR(third[0], -0.539, 5e-3);
}

// --- Preclik & Rüde: rod with m = 1, l = 2, I = 1/3, g = 1 at 60 degrees, mu = 3/2, sliding left; order (n, t).

using Jacobian = Eigen::Matrix<double, 2, 3>;
constexpr double kFriction = 1.5;
const Vector3d kInverseMass(1.0, 1.0, 3.0);

Jacobian rod_jacobian(double phi, double half_length = 1.0) {
  Jacobian j;
  j << 0.0, 1.0, -half_length * std::cos(phi), 1.0, 0.0, half_length * std::sin(phi);
  return j;
}

// All solutions of the planar problem u = r + G x with Signorini and Coulomb conditions: open, stick, slip left, right.
std::vector<Vector2d> planar_solutions(const Matrix2d& g, const Vector2d& r) {
  std::vector<Vector2d> found;
  if (r[0] >= 0) found.emplace_back(Vector2d::Zero());
  for (const double s : {-1.0, 1.0}) {  // sign of the slip
    const Vector2d direction(1.0, -s * kFriction);
    const double x_n = -r[0] / g.row(0).dot(direction);
    if (x_n > 0 && s * (r[1] + x_n * g.row(1).dot(direction)) > 0) found.emplace_back(x_n * direction);
  }
  const Vector2d stick = -g.inverse() * r;
  if (stick[0] > 0 && std::abs(stick[1]) <= kFriction * stick[0]) found.push_back(stick);
  return found;
}

std::vector<Vector2d> time_step(double torque, double dt, double lever_in_force_map = 1.0) {
  const Jacobian j = rod_jacobian(kPi / 3), force_map = rod_jacobian(kPi / 3, lever_in_force_map);
  const Vector3d v = Vector3d(-1, 0, 0) + dt * kInverseMass.cwiseProduct(Vector3d(0, -1, torque));
  return planar_solutions(j * kInverseMass.asDiagonal() * force_map.transpose(), j * v);
}

struct Contact {
  bool broke = false;
  double t = 0.0;
  Vector2d impulse = Vector2d::Zero(), force = Vector2d::Zero();
};

// Equations (21)-(22) with k = gamma_n = gamma_t = alpha until the contact breaks, by RK4. Steps in fast time: 0.01
// while the force builds up and the slip ends, then 0.2 (the fastest decay there is about 3.7).
Contact press(double alpha, double torque, double gap, bool frozen_jacobian, double t_end) {
  using State = Eigen::Matrix<double, 8, 1>;  // q, v, impulse (n, t)
  Vector2d force;
  const auto rate = [&](const State& y) -> State {
    const Jacobian j = rod_jacobian(frozen_jacobian ? kPi / 3 : y[2]);
    const double g_n = y[1] - std::sin(y[2]);
    const Vector2d slip = j * y.segment<3>(3);
    force[0] = g_n > 0 ? 0.0 : -alpha * g_n - alpha * std::min(slip[0], 0.0);
    force[1] = -std::copysign(std::min(kFriction * force[0], alpha * std::abs(slip[1])), slip[1]);
    State d;
    d << y.segment<3>(3), kInverseMass.cwiseProduct(Vector3d(0, -1, torque) + j.transpose() * force), force;
    return d;
  };
  State y;
  y << std::cos(kPi / 3), std::sin(kPi / 3) + gap, kPi / 3, -1, 0, 0, 0, 0;
  Contact c;
  while (c.t < t_end && !c.broke) {
    const double h = (c.t < 60 / alpha ? 0.01 : 0.2) / alpha;
    const State k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    c.t += h;
    c.broke = y[1] - std::sin(y[2]) > 0;
  }
  rate(y);
  c.force = force;
  c.impulse = y.tail<2>();
  return c;
}

TEST(Errata, E_R1_sign_of_the_slip_coefficient_depends_on_the_angle) {
  const auto coefficient = [](double phi, double mu) {  // response of the normal acceleration to (1, mu)
    const Jacobian j = rod_jacobian(phi);
    return (j * kInverseMass.asDiagonal() * j.transpose()).row(0).dot(Vector2d(1, mu));
  };
  Draws draws(101);
  for (int i = 0; i < 100; ++i) {
    const double phi = draws.uniform(0, kPi / 2), mu = draws.uniform(0, 3), c = std::cos(phi), s = std::sin(phi);
    EXPECT_NEAR(coefficient(phi, mu), 1 + 3 * c * c - 3 * mu * s * c, 1e-14) << phi << " " << mu;
  }
  EXPECT_NEAR(coefficient(kPi / 3, 1.5), -0.19855716, 1e-8);  // the same mu, two signs
  EXPECT_NEAR(coefficient(kPi / 6, 1.5), 1.3014428, 1e-7);
}

TEST(Errata, E_R2_lever_arm_in_the_velocity_update) {
  const std::vector<Vector2d> right = time_step(0.0, 0.01), printed = time_step(0.0, 0.01, 0.5);
  ASSERT_EQ(right.size(), 1u);
  EXPECT_LT((right[0] - Vector2d(0.3329, 0.4407)).norm(), 7e-5);  // the paper's own numbers, four digits
  ASSERT_EQ(printed.size(), 1u);
  EXPECT_LT((printed[0] - Vector2d(0.024955, 0.037432)).norm(), 1e-6);  // slip; the sticking root leaves the cone
  EXPECT_GT((printed[0] - right[0]).norm(), 0.3);
}

TEST(Errata, E_R3_the_gap_advances_by_its_rate) {
  const Vector3d q(0.5, std::sin(kPi / 3) + 0.002, kPi / 3), v(-1, 0.3, 0.4);
  const auto gap = [](const Vector3d& at) { return at[1] - std::sin(at[2]); };
  for (const double dt : {1e-2, 1e-3}) {
    const double next = gap(q + dt * v);
    EXPECT_LT(std::abs(next - (gap(q) + dt * rod_jacobian(kPi / 3).row(0).dot(v))), 0.1 * dt * dt);
    EXPECT_GT(std::abs(next - (gap(q) + dt * next)), 0.05 * dt);  // printed: the gap itself on the right-hand side
  }
}

TEST(Errata, E_R4_the_initial_gap_enters_the_step_problem) {
  const double dt = 0.01, phi = kPi / 3;
  const Vector3d q(0.5, std::sin(phi) + 0.002, phi), v(-1, 0.3, 0.4);
  const double rate = rod_jacobian(phi).row(0).dot(v), next = (q + dt * v)[1] - std::sin((q + dt * v)[2]);
  EXPECT_NEAR(0.002 / dt + rate, next / dt, 0.1 * dt);  // g_n / dt + J_n v' is the next gap over dt
  EXPECT_GT((next / dt + rate) / (next / dt), 1.3);     // printed: counts J_n v' twice
}

TEST(Errata, E_R5_torque_of_the_non_unique_case) {
  const double f_y = -1.0, inertia = 1.0 / 3.0;
  const auto torque = [&](double factor) { return 2 * f_y * factor / (1.0 * 2.0 * 0.5) - 1; };  // m l cos(phi) = 1
  const std::vector<Vector2d> right = time_step(torque(inertia), 0.01);
  ASSERT_EQ(right.size(), 3u);
  EXPECT_LT((right[1] - Vector2d(0.0755, 0.1133)).norm(), 7e-5);
  EXPECT_LT((right[2] - Vector2d(0.3266, 0.4516)).norm(), 7e-5);
  EXPECT_EQ(time_step(torque(f_y), 0.01).size(), 1u);  // a force in place of the inertia, with its sign
  EXPECT_GT((time_step(torque(1.0), 0.01)[1] - right[1]).norm(), 0.1);  // or its magnitude
}

TEST(Errata, E_R6_the_literal_compliant_rod_does_not_lose_contact) {
  for (const double alpha : {1e3, 1e4}) {
    const Contact literal = press(alpha, 0.0, 0.0, false, 10 / std::sqrt(alpha));
    EXPECT_FALSE(literal.broke);  // printed: breaks soon after it sticks
    EXPECT_GT(literal.force[0], 0.4);
    EXPECT_TRUE(press(alpha, 0.0, 0.0, true, 10 / std::sqrt(alpha)).broke);  // only with J kept at its first value
  }
  // Rigid pivoting about the sticking tip after the impulse, with and without the centripetal terms.
  const Jacobian j = rod_jacobian(kPi / 3);
  const Matrix2d g = j * kInverseMass.asDiagonal() * j.transpose();
  const double omega_squared = 27.0 / 64.0;
  const Vector2d centripetal = omega_squared * Vector2d(std::sin(kPi / 3), std::cos(kPi / 3));
  EXPECT_NEAR((g.inverse() * (Vector2d(1, 0) - centripetal))[0], 0.4471455328, 1e-10);
  EXPECT_NEAR((g.inverse() * Vector2d(1, 0))[0], 13.0 / 16.0, 1e-14);
}

TEST(Errata, E_R7_the_table_of_impulses_is_high_in_the_fourth_digit) {
  const std::array<double, 3> alpha = {1e3, 1e4, 1e5};
  const std::array<Vector2d, 3> printed = {Vector2d(0.3688, 0.4551), Vector2d(0.3374, 0.4426),
                                           Vector2d(0.3285, 0.4391)};
  const std::array<Vector2d, 3> converged = {Vector2d(0.368749, 0.454984), Vector2d(0.337288, 0.442498),
                                             Vector2d(0.328442, 0.438971)};
  for (std::size_t i = 0; i < 3; ++i) {
    const Contact c = press(alpha[i], 0.0, 0.0, true, 3 / std::sqrt(alpha[i]));
    ASSERT_TRUE(c.broke);
    EXPECT_LT((c.impulse - converged[i]).cwiseAbs().maxCoeff(), 4e-6);  // RK4 steps across the kinks of the law
    EXPECT_GT((printed[i] - c.impulse).minCoeff(), 4.5e-5);             // all upwards, and in each row one of the two
    EXPECT_GT((printed[i] - c.impulse).maxCoeff(), 1e-4);               // by a whole unit of the last digit, while
    EXPECT_LT((printed[i] - c.impulse).maxCoeff(), 1.35e-4);            // rounding explains half of one
  }
}

TEST(Errata, E_R8_deep_enough_penetration_jams) {
  const double torque = -5.0 / 3.0, threshold = 1.5 / 0.19855715851498695;  // 7.55, the unstable sliding force
  const auto impulse = [&](double alpha, double stored) {                   // stored: spring force at the start
    return press(alpha, torque, -stored / alpha, false, 0.3).impulse[0];
  };
  // Printed: no influence of the penetration. Below the threshold the impulse dies like alpha^(-1/2), above it not.
  EXPECT_NEAR(impulse(1e3, 5.0) / impulse(1e4, 5.0), std::sqrt(10.0), 0.1);
  EXPECT_LT(impulse(1e5, threshold - 0.05), 0.25);
  EXPECT_GT(impulse(1e5, threshold + 0.05), 0.33);
  EXPECT_NEAR(impulse(1e4, 1e-3 * 1e4), 0.41704, 1e-4);  // a fixed depth of 1 mm
  EXPECT_NEAR(impulse(1e5, 1e-3 * 1e5), 0.61045, 1e-4);
}

}  // namespace errata_peiret_preclik_test
}  // namespace painleve
