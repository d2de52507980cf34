// Misprints of Várkonyi, "Transitions and singularities during slip motion of rigid bodies" (2018), and the places
// where its text is damaged or illegible. Each test computes by a route of its own, then shows that the corrected
// statement holds and the printed one does not. All contacts slip along +t; the list is docs/errata.md.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace errata_varkonyi_test {

using Eigen::Matrix2d;
using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kPi = std::numbers::pi;

// --- The rod of the paper's example, from its contact coordinates (x + l cos, z - l sin) alone.

struct Rod {
  double l = 1.0, m = 1.0, gyration_squared = 1.0 / 3.0, mu = 1.6, g = 9.81;

  Eigen::Matrix<double, 2, 3> jacobian(double phi) const {
    Eigen::Matrix<double, 2, 3> j;
    j << 1, 0, -l * std::sin(phi), 0, 1, -l * std::cos(phi);
    return j;
  }
  Vector3d inverse_mass() const { return Vector3d(1 / m, 1 / m, 1 / (m * gyration_squared)); }
  /// Accelerations of the coordinates under lambda = 1 with friction -mu.
  Vector3d motion_by_unit_force(double phi) const {
    return inverse_mass().cwiseProduct(jacobian(phi).transpose() * Vector2d(-mu, 1));
  }
  /// (K, P): tangential and normal acceleration of the contact under lambda = 1.
  Vector2d response(double phi) const { return jacobian(phi) * motion_by_unit_force(phi); }
  /// (a, b): the same without contact force; the drift by differences of the Jacobian.
  Vector2d free(double phi, double omega) const {
    const double h = 1e-5;
    const Vector2d drift = (jacobian(phi + h * omega).col(2) - jacobian(phi - h * omega).col(2)) * omega / (2 * h);
    return jacobian(phi) * Vector3d(0, -g, 0) + drift;
  }
};

Matrix2d columns(double gamma1_over_pi, double gamma2_over_pi) {
  Matrix2d p;
  p << std::cos(gamma1_over_pi * kPi), std::cos(gamma2_over_pi * kPi), std::sin(gamma1_over_pi * kPi),
      std::sin(gamma2_over_pi * kPi);
  return p;
}

Matrix2d rows(double p11, double p12, double p21, double p22) {
  Matrix2d p;
  p << p11, p12, p21, p22;
  return p;
}

Matrix4d fast_matrix(const Matrix2d& p, const Vector2d& stiffness, const Vector2d& damping) {
  Matrix4d m;
  m << Matrix2d::Zero(), Matrix2d::Identity(), -p * stiffness.asDiagonal(), -p * damping.asDiagonal();
  return m;
}

double abscissa(const Matrix2d& p, const Vector2d& stiffness, const Vector2d& damping) {
  return fast_matrix(p, stiffness, damping).eigenvalues().real().maxCoeff();
}

double unit_abscissa(const Matrix2d& p) { return abscissa(p, Vector2d::Ones(), Vector2d::Ones()); }

double bisect(const std::function<double(double)>& f, double low, double high) {
  for (const double sign = f(low); high - low > 1e-13;) {
    const double middle = (low + high) / 2;
    (f(middle) * sign > 0 ? low : high) = middle;
  }
  return low;
}

template <typename State, typename Rate>
void rk4(const Rate& rate, double t, double h, State& y) {
  const State k1 = rate(t, y), k2 = rate(t + h / 2, y + h / 2 * k1);
  const State k3 = rate(t + h / 2, y + h / 2 * k2), k4 = rate(t + h, y + h * k3);
  y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

// Contact law (2.20) in fast time with k = nu = 1; y = (Z, Z').
Vector2d fast_force(const Vector4d& y) {
  Vector2d lambda = (-y.head<2>() - y.tail<2>()).cwiseMax(0.0);
  for (int i = 0; i < 2; ++i) {
    if (y[i] > 0) lambda[i] = 0;
  }
  return lambda;
}

TEST(Errata, V1_coefficients_of_the_rod) {
  const Rod rod{2.0, 1.5, 4.0 / 3.0, 1.6, 9.81};
  const double phi = 1.0, omega = 2.0, s = std::sin(phi), c = std::cos(phi), l = rod.l, ratio = 3.0;  // (l / rho)^2
  const Vector2d free = rod.free(phi, omega), response = rod.response(phi);
  EXPECT_NEAR(free[1], l * omega * omega * s - rod.g, 1e-8);  // central differences: 1e-9
  EXPECT_NEAR(rod.motion_by_unit_force(phi)[2], l * (-c + rod.mu * s) / (rod.m * rod.gyration_squared), 1e-14);
  EXPECT_NEAR(response[0], (-rod.mu + ratio * (-rod.mu * s * s + c * s)) / rod.m, 1e-14);
  EXPECT_NEAR(response[1], (1 + ratio * (c * c - rod.mu * c * s)) / rod.m, 1e-14);
  // As printed: b with l times g, (2.7) without l, K with 1 for mu, P with the factor on cos^2 only.
  EXPECT_GT(std::abs(free[1] - l * (omega * omega * s - rod.g)), 9.8);
  EXPECT_GT(std::abs(rod.motion_by_unit_force(phi)[2] - (-c + rod.mu * s) / (rod.m * rod.gyration_squared)), 0.4);
  EXPECT_GT(std::abs(response[0] - (-1 + ratio * (-rod.mu * s * s + c * s)) / rod.m), 0.39);
  EXPECT_GT(std::abs(response[1] - (1 + ratio * c * c - rod.mu * c * s) / rod.m), 0.9);
}

TEST(Errata, V2_lift_of_contact_1_is_driven_by_p12) {
  Draws draws(2);
  int printed_fails = 0;
  for (int i = 0; i < 1000; ++i) {
    const Matrix2d p = rows(draws.normal(), draws.normal(), draws.normal(), draws.normal());
    const Vector2d b(draws.normal(), draws.normal());
    // FS: unknown acceleration of contact 1 and force of contact 2, from z'' = b + P lambda with lambda_1 = z_2'' = 0.
    const Vector2d unknown = rows(1, -p(0, 1), 0, -p(1, 1)).inverse() * b;
    const bool feasible = unknown[0] > 0 && unknown[1] > 0, closed = -b[1] / p(1, 1) > 0;
    EXPECT_EQ(feasible, closed && b[0] - p(0, 1) * b[1] / p(1, 1) > 0) << i;
    printed_fails += feasible != (closed && b[0] - p(1, 0) * b[1] / p(1, 1) > 0);
  }
  EXPECT_GT(printed_fails, 100);
  const Matrix2d region_46 = columns(1.90, 1.95);   // the row of Figure 6(c)
  EXPECT_GT((region_46 * Vector2d(0, 1))[0], 0.9);  // a force at contact 2 lifts contact 1
  EXPECT_LT(region_46(1, 0), -0.3);                 // printed: because p21 > 0
}

TEST(Errata, V3_liftoff_boundaries_lie_opposite_to_the_columns) {
  const Matrix2d p = columns(0.10, 0.70);
  const auto force = [&](double beta) -> Vector2d { return -p.inverse() * Vector2d(std::cos(beta), std::sin(beta)); };
  const Vector2d opposite = force(0.70 * kPi - kPi), along = force(0.70 * kPi);
  EXPECT_NEAR(opposite[0], 0.0, 1e-15);  // L1: beta + pi = gamma2
  EXPECT_NEAR(opposite[1], 1.0, 1e-15);
  EXPECT_NEAR(along[1], -1.0, 1e-15);                  // printed beta = gamma2: contact 2 would have to pull
  EXPECT_GT(force(0.70 * kPi - kPi - 0.05)[0], 0.04);  // and contact 1 is loaded on one side of L1 only
  EXPECT_LT(force(0.70 * kPi - kPi + 0.05)[0], -0.04);
}

TEST(Errata, V4_fast_dynamics_uses_the_stiffness_and_rests_at_minus_the_inverse) {
  const Matrix2d p = rows(1.3, -0.4, 0.2, 0.9), tangential = rows(-2.0, 0.3, 0.1, -1.5);  // K(q) of (2.3)
  const Vector2d b(-1, -0.7), k(1, 3), nu(0.2, 0.7);
  const auto rate = [&](const Vector4d& g) -> Vector4d {  // straight from (2.4) and (2.20), both contacts closed
    Vector4d d;
    d << g.tail<2>(), b + p * (-k.cwiseProduct(g.head<2>()) - nu.cwiseProduct(g.tail<2>()));
    return d;
  };
  const Matrix4d m = fast_matrix(p, k, nu);
  const Vector4d load(0, 0, b[0], b[1]), at(0.3, -0.2, 0.5, 0.1), rest = -m.inverse() * load;
  EXPECT_LT((rate(at) - (m * at + load)).norm(), 1e-15);
  EXPECT_LT(rate(rest).norm(), 1e-14);
  EXPECT_NEAR(rate(-rest).norm(), 2 * b.norm(), 1e-14);  // the other sign, as the text layer shows it
  Matrix4d misread = m;                                  // the letter K taken as the K of (2.3)
  misread.bottomLeftCorner<2, 2>() = -p * tangential;
  EXPECT_GT((rate(at) - (misread * at + load)).norm(), 0.5);
}

TEST(Errata, V5_slip_cannot_reach_p_zero_with_negative_b) {
  const Rod rod;
  for (const double speed : {1.0, 2.0, 3.0}) {  // pressed rods that turn towards P = 0 all stop first
    Vector3d y(0.6, 2.5, speed);                // phi, omega, slip velocity
    const auto rate = [&](double, const Vector3d& s) -> Vector3d {
      const Vector2d free = rod.free(s[0], s[1]), response = rod.response(s[0]);
      const double lambda = -free[1] / response[1];
      return {s[1], lambda * rod.motion_by_unit_force(s[0])[2], free[0] + lambda * response[0]};
    };
    for (int i = 0; i < 40000 && y[2] > 0; ++i) rk4(rate, 0.0, 5e-5, y);
    EXPECT_LE(y[2], 0.0);
    EXPECT_GT(rod.response(y[0])[1], 0.01);
    EXPECT_LT(rod.free(y[0], y[1])[1], -0.5);
  }
  // Just before P = 0 a pressed contact is braked without bound; with b > 0, as printed, slip is no mode at all.
  const double edge = bisect([&](double phi) { return rod.response(phi)[1]; }, 0.6, 1.0) - 1e-7;
  const Vector2d response = rod.response(edge);
  EXPECT_LT(response[0] * 1.0 / response[1], -1e5);
  EXPECT_GT(rod.free(edge, 5.0)[1], 0.0);
  EXPECT_LT(-rod.free(edge, 5.0)[1] / response[1], 0.0);
}

TEST(Errata, V6_singular_time_of_the_lemmas) {
  // tan(gamma2) = -t before t = 0. The lemma's (tan gamma2)' = -tan gamma2 needs ds = dt / |t|, so s = -ln |t|.
  const auto tangent_by_s = [](double s) { return std::exp(-s); };
  const double s = 1.7, h = 1e-5;
  EXPECT_NEAR((tangent_by_s(s + h) - tangent_by_s(s - h)) / (2 * h), -tangent_by_s(s), 1e-10);
  const auto tangent_as_printed = [](double s_printed) { return std::sqrt(-2 * s_printed); };  // ds = |t| dt
  const double at = -0.5 * std::pow(tangent_by_s(s), 2);
  const double slope = (tangent_as_printed(at + 1e-7) - tangent_as_printed(at - 1e-7)) / 2e-7;
  EXPECT_LT(slope, -5.0);  // -1 / tan gamma2, and t = 0 is reached at the finite s = 0
}

TEST(Errata, V7_stationary_penetration_in_slip) {
  const double eps = 1e-4, t = -0.01;
  const Matrix2d p = columns(0.10, 1.05) + t * rows(0, 0, 0, 1);  // the row of Figure 6(b)
  const Vector2d b(std::cos(0.05 * kPi), std::sin(0.05 * kPi));
  const auto acceleration = [&](const Vector2d& z) -> Vector2d {  // law (2.20) at rest, k = 1
    return b + p * (-z / (eps * eps)).cwiseMax(0.0);
  };
  const Vector2d start = eps * eps * p.inverse() * b;
  EXPECT_LT(start.maxCoeff(), 0.0);
  EXPECT_LT(acceleration(start).norm(), 1e-12);
  EXPECT_GT((-p.inverse() * b).minCoeff(), 0.01);          // printed: an open gap of centimetres
  EXPECT_GT(acceleration(-p.inverse() * b).norm(), 0.99);  // in free flight
}

TEST(Errata, V8_repaired_matrices_of_the_singular_examples) {
  struct Example {
    Matrix2d p0, a1, a3;
    double rate;  // of b1 in singular time: b1 ~ |t|^rate
  };
  const Matrix2d lift = rows(2, -2, 0, 0), jam = rows(0.5, 0.5, 0, 0);
  for (const Example& e : {Example{rows(0, 0, 1, 1), rows(-1, 1, 0, 0), lift, 2.0},
                           Example{rows(0, 0, -1, 1), rows(-1, -1, 0, 0), jam, 0.5}}) {
    const auto slip = [&](const Matrix2d& a3) {
      Vector2d b(-0.02, -1.0);
      const auto rate = [&](double t, const Vector2d& x) -> Vector2d { return -a3 * (e.p0 + t * e.a1).inverse() * x; };
      for (int i = 0; i < 4900; ++i) rk4(rate, -0.05 + 1e-5 * i, 1e-5, b);
      return b;
    };
    const Vector2d b = slip(e.a3);  // at t = -0.001
    EXPECT_NEAR(b[0], -0.02 * std::pow(0.001 / 0.05, e.rate), 1e-8);
    EXPECT_NEAR(b[1], -1.0, 1e-12);
    EXPECT_GT((-(e.p0 - 0.001 * e.a1).inverse() * b).minCoeff(), 0.0);            // slip persists, as the lemmas say
    EXPECT_GT(std::abs(slip(e.a3(0, 0) * Matrix2d::Identity())[1] + 1.0), 0.01);  // the legible digits as a diagonal
  }
}

TEST(Errata, V9_the_impulsive_contact_of_figure_7d_is_the_second) {
  const Matrix2d p0 = columns(1.8597, 1.90), drift = rows(0, 0, -1, 0);
  const Vector2d b(std::cos(0.88 * kPi), std::sin(0.88 * kPi));
  const double eps = 1e-4;
  Vector4d y;
  y << (p0 - 0.01 * drift).inverse() * b, Vector2d::Zero();
  const auto rate = [&](double tau, const Vector4d& s) -> Vector4d {
    Vector4d d;
    d << s.tail<2>(), b + (p0 + eps * tau * drift) * fast_force(s);
    return d;
  };
  double tau = -100.0;
  for (; tau < 400 && fast_force(y).maxCoeff() < 1e5; tau += 0.02) rk4(rate, tau, 0.02, y);
  EXPECT_LT(tau, 360);
  EXPECT_GT(fast_force(y)[1], 9e4);  // the force at contact 2 diverges
  EXPECT_EQ(fast_force(y)[0], 0.0);  // printed: at contact 1
  EXPECT_GT(y[0], 1e4);              // which lifts
}

TEST(Errata, V10_no_force_need_vanish_on_the_way_to_a_jam) {
  const Matrix2d p0 = rows(0, 0, -1, 1), direction = rows(1, 1, 0, 0);  // singular, both columns along one line
  const auto limit = [&](double b1_rate) -> Vector2d {
    const double h = 1e-7;
    return -(p0 + h * direction).inverse() * Vector2d(b1_rate * h, -1.0);  // b in the span of the columns at h = 0
  };
  EXPECT_LT((limit(-3) - Vector2d(1, 2)).norm(), 1e-6);  // feasible, finite, and different by direction
  EXPECT_LT((limit(-5) - Vector2d(2, 3)).norm(), 1e-6);
  EXPECT_GT(limit(-3).minCoeff(), 0.9);  // printed: one of the forces converges to 0
}

TEST(Errata, V15_both_forces_diverge_after_the_jam_of_figure_10) {
  // (3.16) with A3 = [a a; 0 0]: near t = 0 the sum L of the forces follows L''' = T L' + (1 - a) L in
  // T = t / (eps^2 / 2)^(1/3). For a < 1 its solution without oscillation, the integral of s^-a exp(T s - s^3 / 3), is
  // positive and grows: no contact lifts. For 1 < a < 2 it changes sign.
  const Matrix2d p0 = rows(0, 0, -1, 1), drift = rows(-1, -1, 0, 0);
  const double eps = 1e-4, t_start = -0.05;
  using State = Eigen::Matrix<double, 5, 1>;  // Z, Z', b1; b2 is constant
  const auto run = [&](double angle, double a, double until) {
    const double b2 = -std::sin(angle * kPi);
    State y;
    const Vector2d b(-std::cos(angle * kPi), b2);
    y << (p0 + t_start * drift).inverse() * b, Vector2d::Zero(), b[0];
    const auto rate = [&](double tau, const State& s) -> State {
      const Vector2d lambda = fast_force(s.head<4>());
      State d;
      d << s.segment<2>(2), Vector2d(s[4], b2) + (p0 + eps * tau * drift) * lambda, eps * a * lambda.sum();
      return d;
    };
    double tau = t_start / eps;
    for (; tau < until / eps && fast_force(y.head<4>()).maxCoeff() < 1e6; tau += 0.01) rk4(rate, tau, 0.01, y);
    return y;
  };
  for (const double angle : {0.2, -0.2}) {
    const Vector2d lambda = fast_force(run(angle, 0.5, 0.05).head<4>());
    EXPECT_GT(lambda.minCoeff(), 1e5);  // printed: contact 1 lifts (angle > 0), both lift (angle < 0)
    const State lifted = run(angle, 1.25, 0.05);
    EXPECT_GT(lifted[0], 0);
    EXPECT_EQ(lifted[1] > 0, angle < 0);
  }
  // The inner solution for a = 1/2 is (Ai^2 + Bi^2)(T / 4^(1/3)), matched to L = b1 / t.
  const double scale = std::cbrt(eps * eps / 2), ai = 0.355028053887817;
  const double predicted =
      std::cos(0.2 * kPi) / std::sqrt(-t_start * scale) * kPi * 4 * ai * ai / std::pow(4.0, 1 / 6.0);
  EXPECT_NEAR(fast_force(run(0.2, 0.5, 0).head<4>()).sum(), predicted, 0.02 * predicted);
}

TEST(Errata, V12_legible_angles_of_table_a1_are_roots_of_the_stability_boundary) {
  const auto root = [](const std::function<Matrix2d(double)>& p, double low, double high) {
    return bisect([&](double x) { return unit_abscissa(p(x)); }, low, high);
  };
  EXPECT_NEAR(root([](double g) { return columns(g, 1.1); }, 0.11, 0.25), 0.1403, 5e-5);
  EXPECT_NEAR(root([](double g) { return columns(g, 1.9); }, 1.82, 1.89), 1.8597, 5e-5);
  EXPECT_NEAR(root([](double g) { return columns(1.4, g); }, 0.25, 0.39), 0.3597, 5e-5);
  const double repaired = root([](double g) { return columns(g, 0.2); }, 1.6, 1.9);  // the illegible entry
  EXPECT_NEAR(repaired, 1.7241029, 1e-7);
  EXPECT_GT(std::abs(unit_abscissa(columns(1.7940, 0.2))), 0.02);  // the residue read as digits is off the boundary
}

TEST(Errata, V12_without_damping_no_slip_is_stable) {
  Draws draws(12);
  int stable_with_damping = 0;
  for (int i = 0; i < 300; ++i) {
    const Matrix2d p = columns(draws.uniform(0, 2), draws.uniform(0, 2));
    const Vector2d k(1, 10);
    EXPECT_GT(abscissa(p, k, Vector2d::Zero()), -1e-7) << i;  // printed: nu = 0 for a region of stability
    stable_with_damping += abscissa(p, k, Vector2d::Ones()) < -1e-3;
  }
  EXPECT_GT(stable_with_damping, 20);
}

TEST(Errata, V13_figure_7c_lies_on_the_other_stability_sheet) {
  const std::vector<Matrix2d> same = {columns(1.7241, 0.2), columns(1.8597, 1.9), columns(1.4, 0.3597)};
  const Matrix2d c = columns(0.1403, 1.1);
  for (const Matrix2d& p : same) {
    EXPECT_LT(std::abs(unit_abscissa(p)), 1e-3);  // four digits of the angle
    EXPECT_GT(p(0, 1), 0.0);
    EXPECT_LT(p(1, 0), 0.0);
  }
  EXPECT_LT(std::abs(unit_abscissa(c)), 1e-3);
  EXPECT_LT(c(0, 1), -0.9);  // printed: crosses the same sheet S1 as the others
  EXPECT_GT(c(1, 0), 0.4);
  const Matrix2d swapped = rows(c(1, 1), c(1, 0), c(0, 1), c(0, 0));  // contacts renamed
  EXPECT_GT(swapped(0, 1), 0.0);
  EXPECT_LT(swapped(1, 0), 0.0);
}

}  // namespace errata_varkonyi_test
}  // namespace painleve
