// Misprints of Champneys & Várkonyi, "The Painlevé paradox in contact mechanics" (2016).
// Each test computes by a route of its own, then shows that the corrected statement holds and the printed one does not.
// Letters are the paper's: A = W_tt, B = W_tn, C = W_nn, a = b_t, b = b_n. The list is docs/errata.md.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace errata_champneys_test {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kPi = std::numbers::pi;
constexpr double kKappa = 1.0 / 3.0;  // squared gyration of the uniform rod, m = l = g = 1

struct Contact {
  double A, B, C, a, b;
  double K() const { return (A * C - B * B) / A; }
};

// The falling rod from its geometry alone: tip (X + cos, Y - sin), forces by virtual work, drift by differences.
Vector2d rod_tip(const Vector3d& q) { return {q[0] + std::cos(q[2]), q[1] - std::sin(q[2])}; }

Eigen::Matrix<double, 2, 3> rod_jacobian(double theta) {
  Eigen::Matrix<double, 2, 3> j;
  for (int i = 0; i < 3; ++i) {
    const Vector3d q(0, 0, theta), step = 1e-6 * Vector3d::Unit(i);
    j.col(i) = (rod_tip(q + step) - rod_tip(q - step)) / 2e-6;
  }
  return j;
}

Contact rod(double theta, double omega, double push_x = 0.0) {
  const Eigen::Matrix<double, 2, 3> j = rod_jacobian(theta);
  const Vector3d inverse_mass(1, 1, 1 / kKappa), v(0, 0, omega), q(0, 0, theta);
  const Matrix2d w = j * inverse_mass.asDiagonal() * j.transpose();
  const double h = 1e-4;
  const Vector2d drift = (rod_tip(q + h * v) - 2 * rod_tip(q) + rod_tip(q - h * v)) / (h * h);
  const Vector2d free = j * Vector3d(push_x, -1, 0) + drift;
  return {w(0, 0), w(0, 1), w(1, 1), free[0], free[1]};
}

// Consistent modes of one closed contact that slips along +t (u > 0). Below A = C = 1, B = 0.5, so p+ = 1 - 0.5 mu.
std::string slip_modes(double p_plus, double b) {
  return std::string(b > 0 ? "F " : "") + (-b / p_plus > 0 ? "S+" : "");
}

struct Impact {
  double u, v;
};

// The impact in its normal impulse, segment by segment, until the work of the normal force has reached -r^2 W_c.
Impact impact(const Contact& c, double mu, double r, Impact s) {
  double work = 0.0, target = 0.0;
  bool compression = true;
  for (int segment = 0; segment < 20; ++segment) {
    const bool holds = s.u == 0 && mu * c.A >= std::abs(c.B);
    const double side = s.u != 0 ? std::copysign(1.0, s.u) : std::copysign(1.0, c.B);
    const double du = holds ? 0.0 : c.B - side * mu * c.A, dv = holds ? c.K() : c.C - side * mu * c.B;
    double length = s.u != 0 && s.u * du < 0 ? -s.u / du : 1e300;
    const bool stops = length < 1e300;
    double end = 1e300;
    if (compression && dv > 0) end = -s.v / dv;
    if (!compression) end = (-s.v + std::sqrt(s.v * s.v + 2 * dv * (target - work))) / dv;
    const bool ends = end <= length;
    length = std::min(length, end);
    work += length * (s.v + dv * length / 2);
    s.v += dv * length;
    s.u = stops && !ends ? 0.0 : s.u + du * length;
    if (!ends) continue;
    if (!compression) return s;
    compression = false, s.v = 0.0, target = work * (1 - r * r);
  }
  return s;
}

// Growth of the landing speed per bounce after many bounces of the bounce map.
double bounce_ratio(const Contact& c, double mu, double r) {
  Impact s = {0.3, -1.0};
  double ratio = 0.0;
  for (int n = 0; n < 60; ++n) {
    const Impact after = impact(c, mu, r, s);
    ratio = after.v / -s.v;
    s = {(after.u - 2 * c.a / c.b * after.v) / after.v, -1.0};
  }
  return ratio;
}

double kinetic_energy(const Contact& c, const Impact& s) {
  Matrix2d w;
  w << c.A, c.B, c.B, c.C;
  return 0.5 * Vector2d(s.u, s.v).dot(w.inverse() * Vector2d(s.u, s.v));
}

// Two slipping contacts: bits 1 FF, 2 S+S+, 4 S+F, 8 FS+ for the consistent modes.
int pair_modes(const Matrix2d& p, const Vector2d& b) {
  const Vector2d both = -p.inverse() * b;
  const double first = -b[0] / p(0, 0), second = -b[1] / p(1, 1);
  return (b[0] > 0 && b[1] > 0 ? 1 : 0) | (both[0] > 0 && both[1] > 0 ? 2 : 0) |
         (first > 0 && b[1] + p(1, 0) * first > 0 ? 4 : 0) | (second > 0 && b[0] + p(0, 1) * second > 0 ? 8 : 0);
}

double angle(const Vector2d& x) {
  const double phi = std::atan2(x[1], x[0]);
  return phi < 0 ? phi + 2 * kPi : phi;
}

int interval(double x, std::vector<double> bounds) {
  std::sort(bounds.begin(), bounds.end());
  return int(std::upper_bound(bounds.begin(), bounds.end(), x) - bounds.begin());
}

// Subclass s1 s2 s3; the direction opposite to p1 is a bound of s2 unless it is left out.
int pair_class(const Matrix2d& p, const Vector2d& b, bool with_opposite = true) {
  const double g1 = angle(p.col(0)), g2 = angle(p.col(1)), beta = angle(-b);
  std::vector<double> quarters = {0, kPi / 2, kPi, 1.5 * kPi}, s2 = quarters, s3 = quarters;
  s2.push_back(g1);
  if (with_opposite) s2.push_back(angle(-p.col(0)));
  s3.insert(s3.end(), {g1, g2});
  return 100 * interval(g1, quarters) + 10 * interval(g2, s2) + interval(beta, s3);
}

// Consistent modes by subclass over drawn pairs; more than one entry means that the label does not decide them.
std::map<int, std::set<int>> table_of_modes(bool with_opposite) {
  Draws draws(64);
  std::map<int, std::set<int>> table;
  for (int i = 0; i < 15000; ++i) {
    Matrix2d p;
    p << draws.normal(), draws.normal(), draws.normal(), draws.normal();
    const Vector2d b(draws.normal(), draws.normal());
    table[pair_class(p, b, with_opposite)].insert(pair_modes(p, b));
  }
  return table;
}

// Largest real part of the fast normal dynamics of two slipping contacts.
double abscissa(const Matrix2d& p, const Vector2d& stiffness, const Vector2d& damping) {
  Matrix4d m;
  m << Matrix2d::Zero(), Matrix2d::Identity(), -p * stiffness.asDiagonal(), -p * damping.asDiagonal();
  return m.eigenvalues().real().maxCoeff();
}

template <typename State>
void rk4(const std::function<State(const State&)>& rate, double h, State& y) {
  const State k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
  y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

TEST(Errata, E01_friction_enters_the_equations_of_motion_without_mu) {
  const double theta = 1.1, mu = 1.5, lambda_n = 2.0, lambda_t = -mu * lambda_n;  // law (2) for u > 0
  const Vector3d work = rod_jacobian(theta).transpose() * Vector2d(lambda_t, lambda_n);
  EXPECT_NEAR(work[0], lambda_t, 1e-9);  // differences of the tip: 1e-10
  EXPECT_NEAR(work[2], -(std::cos(theta) * lambda_n + std::sin(theta) * lambda_t), 1e-9);
  EXPECT_GT(std::abs(work[0] - -mu * lambda_t), 7.0);  // printed: wrong sign and mu twice
  EXPECT_GT(std::abs(work[2] + std::cos(theta) * lambda_n + mu * std::sin(theta) * lambda_t), 1.0);
}

TEST(Errata, E02_bracket_of_the_painleve_parameter) {
  const double theta = 1.1, mu = 1.5, c = std::cos(theta), s = std::sin(theta);
  const Contact at = rod(theta, 0.0);
  EXPECT_NEAR(at.C - mu * at.B, 1 + (c * c - mu * s * c) / kKappa, 1e-9);
  EXPECT_NEAR(at.C - mu * at.B, -0.20186858, 1e-8);
  EXPECT_NEAR(1 + c * c / kKappa - mu * c * s, 1.01087602, 1e-8);  // printed: not even the sign
}

TEST(Errata, E03_free_accelerations_need_the_mass_and_the_drift) {
  const double theta = 1.0, omega = 0.8;
  const Contact at = rod(theta, omega);
  EXPECT_NEAR(at.a, -omega * omega * std::cos(theta), 1e-7);  // second differences of the tip: 1e-8
  EXPECT_NEAR(at.b, omega * omega * std::sin(theta) - 1, 1e-7);
  const Vector2d printed = rod_jacobian(theta) * Vector3d(0, -1, 0);
  EXPECT_GT(std::abs(printed[0] - at.a), 0.34);
  EXPECT_GT(std::abs(printed[1] - at.b), 0.53);
}

TEST(Errata, E04_inconsistency_needs_a_negative_painleve_parameter) {
  EXPECT_EQ(slip_modes(1 - 2.5 * 0.5, -1.0), "");    // b < 0, p+ < 0
  EXPECT_EQ(slip_modes(1 - 1.0 * 0.5, -1.0), "S+");  // printed b < 0, p+ > 0: one mode
}

TEST(Errata, E05_indeterminacy_needs_a_negative_painleve_parameter) {
  EXPECT_EQ(slip_modes(1 - 2.5 * 0.5, 1.0), "F S+");  // b > 0, p+ < 0
  EXPECT_EQ(slip_modes(1 - 1.0 * 0.5, 1.0), "F ");    // printed b > 0, p+ > 0: one mode
}

TEST(Errata, E08_second_impact_equation_is_the_normal_one) {
  const double theta = 1.1;
  const Vector2d force(0.7, 2.0);
  const Vector3d v = Vector3d(1, 1, 1 / kKappa).cwiseProduct(rod_jacobian(theta).transpose() * force);
  const Vector2d change = rod_jacobian(theta) * v;  // rates of (u, v) under a unit of impulsive time
  const Contact at = rod(theta, 0.0);
  EXPECT_NEAR(change[1], force[0] * at.B + force[1] * at.C, 1e-12);
  EXPECT_GT(std::abs(change[0] - (force[0] * at.B + force[1] * at.C)), 0.5);  // printed: du
}

TEST(Errata, E11_energy_is_not_scaled_by_the_squared_restitution) {
  const Contact c = {1.0, 0.5, 1.0, 1.0, -1.0};
  const auto ratio = [&](double r, const Impact& s) {
    return kinetic_energy(c, impact(c, 1.5, r, s)) / kinetic_energy(c, s);
  };
  EXPECT_NEAR(ratio(0.7, {0.0, -1.0}), 0.49, 1e-14);     // sticking from the start: r^2
  EXPECT_NEAR(ratio(0.7, {2.0, -1.0}), 0.175, 1e-14);    // a growing bounce: printed 0.49
  EXPECT_NEAR(ratio(1.0, {2.0, -1.0}), 2.5 / 7, 1e-14);  // printed 1
}

TEST(Errata, E12_free_flight_starts_from_the_velocity_after_impact) {
  const double a = 0.8, b = -1.3, u = 0.4, v_before = -1.0, v_after = 0.6;
  double x = u, y = 0.0, v = v_after;
  const double h = 1e-5;
  while (v > 0 || y > 0) y += h * (v + h * b / 2), v += h * b, x += h * a;  // exact for constant acceleration
  EXPECT_NEAR(x, u - 2 * a / b * v_after, 2 * h);
  EXPECT_NEAR(v, -v_after, 2 * h);
  EXPECT_GT(std::abs(x - (u - 2 * a / b * v_before)), 1.9);  // printed: the velocity before the impact as argument
}

TEST(Errata, E13_the_rod_under_gravity_alone_never_reverse_chatters) {
  Draws draws(13);
  for (int i = 0; i < 300; ++i) {
    const double theta = draws.uniform(0.05, kPi - 0.05), r = draws.uniform(0.1, 1.0), mu = draws.uniform(0.05, 5.0);
    const Contact c = rod(theta, draws.uniform() / std::sqrt(std::sin(theta)));
    ASSERT_LT(c.b, 1e-7);
    EXPECT_LE(c.a * c.B, 1e-7);
    if (c.b > -1e-3) continue;
    EXPECT_LE(bounce_ratio(c, mu, r), r * (1 + 1e-9)) << theta << " " << mu << " " << r;
  }
  const double mu = 1.2, r = 0.8;  // a point above the printed curve; printed: some angular velocity gives e > 1
  const Contact still = rod(0.9, 0.0), pushed = rod(0.9, 0.0, 0.7);
  EXPECT_GT(mu, (still.C - r * r * still.K()) / still.B);
  for (int i = 0; i < 112; ++i) EXPECT_LE(bounce_ratio(rod(0.9, 0.01 * i), mu, r), r + 1e-9);  // all with b < 0
  EXPECT_NEAR(bounce_ratio(pushed, mu, r), 1.19455160, 1e-6);  // it takes a force with a B > 0
}

TEST(Errata, E14_normal_slope_in_stick) {
  const Contact c = {1.0, 0.5, 1.0, 0.4, -1.0};
  const auto normal_acceleration = [&](double lambda_n) {  // with lambda_t such that the tangential one vanishes
    return c.b + c.B * -(c.a + c.B * lambda_n) / c.A + c.C * lambda_n;
  };
  const double slope = normal_acceleration(3.0) - normal_acceleration(2.0);
  EXPECT_NEAR(slope, c.K(), 1e-14);
  const double printed = (c.a * c.B - c.A * c.b) / (c.A * c.C - c.B * c.B);
  EXPECT_NEAR(normal_acceleration(printed), 0.0, 1e-14);  // this is the equilibrium force
  EXPECT_GT(printed - slope, 0.8);
}

TEST(Errata, E20_finite_force_jam_needs_negative_rates) {
  const auto run = [](double alpha1, double alpha2, double alpha3) {
    Vector2d y(0.1, -0.35);  // (p, b)
    const std::function<Vector2d(const Vector2d&)> rate = [&](const Vector2d& x) -> Vector2d {
      return {alpha1 * x[0], alpha2 * x[0] + alpha3 * x[1]};
    };
    for (int i = 0; i < 2000; ++i) rk4(rate, 0.01, y);
    return y;
  };
  const Vector2d corrected = run(-1, -1, -2), printed = run(1, -1, 2);
  EXPECT_LT(corrected.norm(), 1e-8);
  EXPECT_NEAR(-corrected[1] / corrected[0], -1.0 / (-2.0 - -1.0), 1e-8);  // alpha2 / (alpha3 - alpha1)
  EXPECT_GT(printed.norm(), 1e6);  // runs away; its "limit" would be a pulling force, -1
}

TEST(Errata, E22_class_15_has_four_indeterminate_subclasses) {
  const std::map<int, std::set<int>> table = table_of_modes(true);
  std::set<int> several;
  for (int s3 = 1; s3 <= 6; ++s3) {
    const int modes = *table.at(150 + s3).begin();
    if ((modes & (modes - 1)) != 0) several.insert(150 + s3);
  }
  EXPECT_EQ(several, (std::set<int>{151, 154, 155, 156}));  // printed: 151, 154, 156
  EXPECT_EQ(table.at(155), (std::set<int>{1 | 2}));         // FF and S+S+
}

TEST(Errata, E23_the_direction_opposite_to_p1_bounds_the_classes) {
  const auto undecided = [](const std::map<int, std::set<int>>& table) {
    return std::count_if(table.begin(), table.end(), [](const auto& row) { return row.second.size() > 1; });
  };
  const std::map<int, std::set<int>> table = table_of_modes(true);
  EXPECT_EQ(table.size(), 144u);  // 4 x 6 x 6, as the text says
  EXPECT_EQ(undecided(table), 0);
  EXPECT_GT(undecided(table_of_modes(false)), 10);  // as supplied, without it, the labels do not decide the modes
}

TEST(Errata, E24_three_subclasses_of_26_have_only_unstable_double_slip) {
  const std::map<int, std::set<int>> table = table_of_modes(true);
  std::set<int> unique;
  for (int s3 = 1; s3 <= 6; ++s3) {
    if (table.at(260 + s3) == std::set<int>{2}) unique.insert(260 + s3);
  }
  EXPECT_EQ(unique, (std::set<int>{261, 262, 266}));  // printed: 261 and 262
  Matrix2d p, dual;
  p << -0.055, 0.088, 0.055, -0.036;
  dual << p(1, 1), p(1, 0), p(0, 1), p(0, 0);
  const Vector2d b(0.3, -1.0), swapped(b[1], b[0]);
  EXPECT_EQ(std::set<int>({pair_class(p, b), pair_class(dual, swapped)}), (std::set<int>{262, 266}));
}

TEST(Errata, E25_double_impact_pushes_into_the_third_quadrant) {
  const std::set<int> printed_rows = {14, 15, 24, 25, 33, 34, 35, 43},
                      all_rows = {11, 12, 13, 14, 15, 16, 22, 23, 24, 25, 26, 33, 34, 35, 42, 43};
  Draws draws(25);
  std::set<int> third, fourth;
  for (int i = 0; i < 1500; ++i) {
    Matrix2d p;
    p << draws.normal(), draws.normal(), draws.normal(), draws.normal();
    const int row = pair_class(p, Vector2d(1, 1)) / 10;
    for (int k = 0; k < 100 && all_rows.contains(row); ++k) {
      const double share = 0.005 + 0.01 * k;
      const Vector2d normal = (1 - share) * p.col(0).normalized() + share * p.col(1).normalized();
      if (normal[0] < 0 && normal[1] < 0) third.insert(row);
      if (normal[0] > 0 && normal[1] < 0) fourth.insert(row);
    }
  }
  EXPECT_EQ(third, printed_rows);
  EXPECT_NE(fourth, printed_rows);    // printed: the fourth quadrant
  EXPECT_FALSE(fourth.contains(14));  // it would drop row 14
  EXPECT_TRUE(fourth.contains(42));   // and add row 42
}

TEST(Errata, E26_vector_of_figure_15_is_minus_b) {
  Matrix2d p;
  p << -0.055, 0.088, 0.055, -0.036;
  EXPECT_EQ(pair_class(p, Vector2d(-1, -1)), 261);  // the class named in the caption
  EXPECT_EQ(pair_class(p, Vector2d(1, 1)), 264);    // the vector taken as b
}

TEST(Errata, E27_matrix_of_figure_15b) {
  Matrix2d p, printed;
  p << 3.051, -1.677, 1.555, -0.375;
  printed << 3.051, -1.677, 1.555, -0.0375;
  const Vector2d k(1, 3), q(1.2, 1.2), b(-1, -0.727);
  EXPECT_NEAR(angle(p.col(1)) / kPi, 1.07, 5e-4);
  EXPECT_GT(std::abs(angle(printed.col(1)) / kPi - 1.07), 0.06);
  EXPECT_NEAR(abscissa(p, k, q), 0.0246797, 1e-6);  // unstable, as the figure needs
  EXPECT_LT(abscissa(printed, k, q), -0.13);        // stable

  Vector4d y(-0.6, -0.2, 0, 0);
  const auto force = [&](const Vector4d& s) -> Vector2d {
    return (-k.cwiseProduct(s.head<2>()) - q.cwiseProduct(s.tail<2>())).cwiseMax(0.0);
  };
  const std::function<Vector4d(const Vector4d&)> rate = [&](const Vector4d& s) -> Vector4d {
    Vector4d d;
    d << s.tail<2>(), b + p * force(s);
    return d;
  };
  std::vector<double> landings;
  for (int i = 0; i < 40000; ++i) {
    const bool open = force(y)[1] == 0;
    rk4(rate, 0.01, y);
    if (open && force(y)[1] > 0) landings.push_back(0.01 * i);
    ASSERT_GT(force(y)[0], 0.0);  // contact 1 stays closed
  }
  ASSERT_GT(landings.size(), 50u);
  const std::size_t n = landings.size();
  EXPECT_NEAR((landings[n - 1] - landings[n - 41]) / 40, 4.764398, 6e-4);  // two landings known to a step, 40 periods
}

TEST(Errata, E34_slip_carries_the_smaller_normal_force) {
  Draws draws(34);
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    const double A = draws.uniform(0.2, 2), C = draws.uniform(0.2, 2), B = draws.uniform(0, 1) * std::sqrt(A * C);
    const double mu = draws.uniform(0, 6), a = draws.uniform(-5, 5), b = draws.uniform(0, 2);  // rest, b > 0
    Matrix2d w;
    w << A, B, B, C;
    const Vector2d stick = -w.inverse() * Vector2d(a, b);  // (lambda_t, lambda_n) that holds the contact
    const double p = C - mu * B, slip = -b / p, slip_acceleration = a + slip * (B - mu * A);
    if (p >= 0 || stick[1] <= 0 || std::abs(stick[0]) > mu * stick[1] || slip_acceleration <= 0) continue;
    ++found;
    EXPECT_NEAR(b + B * stick[0] + C * stick[1], 0.0, 1e-9 * (1 + stick.norm())) << i;
    EXPECT_LT(slip, a / (mu * A - B)) << i;  // printed: a larger force than in stick
    EXPECT_LT(a / (mu * A - B), stick[1]) << i;
  }
  EXPECT_GT(found, 300);
}

TEST(Errata, E28_least_friction_of_the_pendulum_on_a_slider) {
  const double m1 = 0.5, m2 = 2.0, r2 = 0.3, rho2 = 0.1;
  double least = 1e300;
  for (int i = 1; i < 1570; ++i) {  // centre of the pendulum at (x + r2 sin, y + r2 cos)
    const double theta = 1e-3 * i, c = m2 * r2 * std::cos(theta), s = m2 * r2 * std::sin(theta);
    Matrix3d mass;
    mass << m1 + m2, 0, c, 0, m1 + m2, -s, c, -s, m2 * (r2 * r2 + rho2 * rho2);
    const Matrix3d w = mass.inverse();
    least = std::min(least, w(1, 1) / std::abs(w(0, 1)));
  }
  const auto formula = [&](double shape) { return std::sqrt(std::pow(2 * (1 + m1 / m2) * (1 + shape) - 1, 2) - 1); };
  EXPECT_NEAR(least, 1.469861839, 2e-6);  // grid of 1e-3 at a minimum
  EXPECT_NEAR(formula(std::pow(rho2 / r2, 2)), least, 2e-6);
  EXPECT_NEAR(formula(rho2 / r2), 2.108185107, 1e-9);  // printed
}

// Number of force pairs of two masses on parallel guides, joined by a massless rod, both sliding along +x (bilateral).
int klein_solutions(double m1, double m2, double mu1, double mu2, double phi, const Vector2d& pull) {
  Matrix3d mass;  // coordinates x1, y1, phi; mass 2 at (x1 + cos, y1 + sin)
  mass << m1 + m2, 0, -m2 * std::sin(phi), 0, m1 + m2, m2 * std::cos(phi), -m2 * std::sin(phi), m2 * std::cos(phi), m2;
  Eigen::Matrix<double, 2, 3> normal, tangent;
  normal << 0, 1, 0, 0, 1, std::cos(phi);
  tangent << 1, 0, 0, 1, 0, -std::sin(phi);
  const Eigen::Matrix<double, 2, 3> response = normal * mass.inverse();
  int count = 0;
  for (const Vector2d& sign : {Vector2d(1, 1), Vector2d(1, -1), Vector2d(-1, 1), Vector2d(-1, -1)}) {
    const Vector2d friction(-mu1 * sign[0], -mu2 * sign[1]);
    const Matrix2d p = response * (normal.transpose() + tangent.transpose() * friction.asDiagonal().toDenseMatrix());
    const Vector2d n = -p.inverse() * (response * tangent.transpose() * pull);
    if (n[0] * sign[0] > 0 && n[1] * sign[1] > 0) ++count;
  }
  return count;
}

TEST(Errata, E29_paradox_of_the_rod_between_guides) {
  Draws draws(29);
  int printed_fails = 0;
  for (int i = 0; i < 2000; ++i) {
    const double m1 = draws.uniform(0.2, 2), m2 = draws.uniform(0.2, 2), phi = draws.uniform(0.1, 1.5);
    const double mu1 = draws.uniform(0, 3), mu2 = draws.uniform(0, 3), cot = 1 / std::tan(phi);
    const Vector2d pull(draws.normal(), draws.normal());
    const bool paradox = klein_solutions(m1, m2, mu1, mu2, phi, pull) != 1;
    EXPECT_EQ(paradox, std::abs(m1 * mu2 - m2 * mu1) > (m1 + m2) * cot) << i;
    if (paradox != (std::abs(mu2 - mu1) <= cot)) ++printed_fails;
  }
  EXPECT_GT(printed_fails, 1000);
  EXPECT_EQ(klein_solutions(1, 1, 0, 0, 1.2, Vector2d(0, 1)), 1);  // no friction, no paradox; printed: a paradox
  EXPECT_EQ(klein_solutions(1, 1, 0, 5, 1.2, Vector2d(0, 1)) + klein_solutions(1, 1, 0, 5, 1.2, Vector2d(0, -1)), 2);
}

// Free acceleration of the tip of the rod in space: the axis of a free thin rod turns uniformly in a fixed plane.
Vector3d rod_3d_free_acceleration(double theta, double theta_dot, double psi, double psi_dot) {
  const auto axis = [](double th, double ps) {
    return Vector3d(std::cos(th) * std::cos(ps), std::cos(th) * std::sin(ps), -std::sin(th));
  };
  const double h = 1e-4;
  const Vector3d n = axis(theta, psi);
  const Vector3d rate =
      (axis(theta + h * theta_dot, psi + h * psi_dot) - axis(theta - h * theta_dot, psi - h * psi_dot)) / (2 * h);
  const auto turned = [&](double t) -> Vector3d {
    return std::cos(rate.norm() * t) * n + std::sin(rate.norm() * t) * rate.normalized();
  };
  return (turned(h) - 2 * n + turned(-h)) / (h * h) - Vector3d(0, 0, 1);
}

TEST(Errata, E30_normal_acceleration_of_the_rod_in_space) {
  const double theta = 1.0, theta_dot = 0.4, psi_dot = 1.2, s = std::sin(theta), c = std::cos(theta);
  const double b = rod_3d_free_acceleration(theta, theta_dot, 0.3, psi_dot)[2];
  EXPECT_NEAR(b, psi_dot * psi_dot * s * c * c + theta_dot * theta_dot * s - 1, 1e-6);  // second differences
  EXPECT_NEAR(psi_dot * psi_dot * s + theta_dot * theta_dot * s - 1 - b, 0.857985,
              1e-5);  // printed: even the sign of b
}

TEST(Errata, E31_mass_in_the_slip_equation_of_the_rod_in_space) {
  const double m = 2.0, theta = 1.0, theta_dot = 0.4, psi_dot = 1.2, c = std::cos(theta);
  const double force = m * rod_3d_free_acceleration(theta, theta_dot, 0.0, psi_dot)[0];
  const double bracket = psi_dot * psi_dot * c * c + theta_dot * theta_dot;
  EXPECT_NEAR(force, -m * c * bracket, 1e-6);
  EXPECT_NEAR(force - -c * bracket, -0.3135776, 1e-6);  // printed: without m
}

TEST(Errata, E32_second_line_of_the_leading_order_slip_equation) {
  const double mu = 1.5, phi = 0.7, theta = 1.0;
  const Vector3d n(std::cos(theta), 0, -std::sin(theta));
  const Matrix3d w = 4 * Matrix3d::Identity() - 3 * n * n.transpose();  // m = 1
  const Vector2d slip(std::cos(phi), std::sin(phi));
  const Vector2d response = -(w * Vector3d(-mu * slip[0], -mu * slip[1], 1)).head<2>();
  const double first = (1 + 3 * std::pow(std::sin(theta), 2)) * mu - 3 * std::sin(theta) * std::cos(theta) / slip[0];
  const Vector2d line(first * slip[0], 4 * mu * slip[1]);
  EXPECT_LT((line - response).norm(), 1e-14);
  EXPECT_GT((mu * line - response).norm(), 2.0);  // printed: one more factor mu
}

}  // namespace errata_champneys_test
}  // namespace painleve
