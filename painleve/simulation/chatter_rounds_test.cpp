// The end of chatter in which several contacts take part, or one in space: against the closed form of one planar
// contact, against a ball in space, and against every single bounce.
#include "painleve/simulation/chatter_rounds.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/impact/bounce_map.hpp"

namespace painleve {
namespace chatter_rounds_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactSpace space_of(int dimension, const MatrixXd& W, const VectorXd& b, const VectorXd& u, const VectorXd& gap,
                      double mu) {
  ContactSpace s;
  s.dimension = dimension;
  s.W = W;
  s.b = b;
  s.u = u;
  s.drift = VectorXd::Zero(u.size());
  s.gap = gap;
  s.mu = VectorXd::Constant(gap.size(), mu);
  s.bilateral.assign(static_cast<std::size_t>(gap.size()), false);
  s.names.assign(static_cast<std::size_t>(gap.size()), "c");
  return s;
}

ImpactOptions restitution(int contacts, double r) {
  ImpactOptions o;
  o.laws.assign(static_cast<std::size_t>(contacts), {r, RestitutionLaw::energetic, {}});
  return o;
}

// A body of unit mass with a foot at each side of its centre, symmetric; `arm` and `height` locate them.
MatrixXd two_feet(double arm, double height, double inertia) {
  MatrixXd J(4, 3);  // of (x, y, theta), centre above the feet
  J << 1, 0, height, 0, 1, -arm, 1, 0, height, 0, 1, arm;
  return J * Eigen::Vector3d(1, 1, 1 / inertia).asDiagonal() * J.transpose();
}

// What changes the kinetic energy ½uᵀW⁺u: dT = bᵀW⁺u dt + λᵀu dt, u and b in the range of W.
double lost_in_impacts(const ContactSpace& s, const ChatterEnd& end) {
  const MatrixXd inverse = s.W.completeOrthogonalDecomposition().pseudoInverse();
  return (s.u.dot(inverse * s.u) - end.u.dot(inverse * end.u)) / 2 + s.b.dot(inverse * end.shift) - end.friction;
}

TEST(ChatterRounds, OfOnePlanarContactAreTheClosedForm) {
  Draws draws(41);
  int ended = 0;
  for (int k = 0; k < 400; ++k) {
    const double B = draws.uniform(-0.8, 0.8);
    MatrixXd W(2, 2);
    W << draws.uniform(1, 3), B, B, draws.uniform(1, 2);
    const double r = draws.uniform(0.1, 0.9);
    const Eigen::Vector2d b{draws.uniform(-1, 1), draws.uniform(-3, -1)};
    const Eigen::Vector2d u{draws.uniform(-1, 1), -1e-3};
    const ContactSpace s = space_of(2, W, b, u, VectorXd::Zero(1), 0.4);
    const Chatter closed = complete_chatter(planar_contact(s, 0), s.u(1), {r, RestitutionLaw::energetic, {}});
    const auto end = chatter_end(s, restitution(1, r));
    ASSERT_EQ(end.has_value(), closed.completes) << k;
    if (!end) continue;
    ++ended;
    EXPECT_NEAR(end->time, closed.t_end, 1e-9 * closed.t_end) << k;
    EXPECT_NEAR(end->u(0), closed.u_t, 1e-9) << k;
    EXPECT_EQ(end->u(1), 0);
    EXPECT_NEAR(end->shift(0), closed.shift, 1e-9 * std::abs(closed.shift) + 1e-14) << k;
    EXPECT_NEAR(end->shift(1), 0, 1e-12) << k;
    EXPECT_LT((s.u + end->time * s.b + s.W * end->Lambda - end->u).norm(), 1e-12) << k;
    EXPECT_GE(lost_in_impacts(s, *end), -1e-15) << k;
  }
  EXPECT_GT(ended, 300);
}

// Without coupling of normal and tangents and without friction, flights last 2 rⁿ V/g.
TEST(ChatterRounds, OfABallInSpaceAreAGeometricSeries) {
  const MatrixXd W = Eigen::Vector3d(3, 2, 0.5).asDiagonal();
  const double V = 2e-3, g = 9.81;
  for (const double r : {0.2, 0.5, 0.95}) {
    const Eigen::Vector3d b(0.3, -0.2, -g), u(0.1, 0.4, -V);
    const auto end = chatter_end(space_of(3, W, b, u, VectorXd::Zero(1), 0), restitution(1, r));
    ASSERT_TRUE(end) << r;
    const double T = 2 * V * r / g / (1 - r);
    EXPECT_NEAR(end->time, T, 1e-8 * T) << r;
    EXPECT_NEAR(*end->factor, r, 1e-9);
    EXPECT_NEAR(end->u(0), 0.1 + 0.3 * T, 1e-9);
    EXPECT_NEAR(end->shift(1), 0.4 * T - 0.1 * T * T, 1e-8 * T);
    EXPECT_NEAR(end->Lambda(2), (V + g * T) / 0.5, 1e-8 * (V + g * T) / 0.5);
    EXPECT_EQ(end->friction, 0);
    EXPECT_EQ(end->struck, std::vector<int>{0});
  }
}

// Every bounce of two feet without friction. A foot that leaves the ground more slowly than `slowest` stays there.
class Bouncing {
 public:
  Bouncing(ContactSpace s, const ImpactOptions& options, double slowest)
      : u(s.u),
        Lambda(VectorXd::Zero(s.u.size())),
        shift(Lambda),
        s_(std::move(s)),
        options_(options),
        slowest_(slowest),
        gap_(s_.gap) {}

  bool ends() {
    for (int n = 0; n < 100000; ++n) {
      strike();
      if (open_[0] || open_[1])
        fly();
      else
        return true;
    }
    return false;
  }

  double time = 0;
  VectorXd u, Lambda, shift;

 private:
  void strike() {
    s_.u = u;
    for (int i = 0; i < 2; ++i) s_.gap(i) = gap_(i) > 0 ? 1 : 0;
    const ImpactReport blow = impact(s_, options_);
    if (blow.happened) {
      u = blow.u_after;
      Lambda += blow.Lambda;
    }
    for (int i = 0; i < 2; ++i) {
      open_[i] = gap_(i) > 0 || u(s_.normal(i)) > slowest_;
      if (!open_[i]) hold(s_.normal(i));
    }
  }

  void hold(int n) {
    const double push = -u(n) / s_.W(n, n);
    Lambda(n) += push;
    u += push * s_.W.col(n);
    u(n) = 0;
  }

  // Until the next foot lands, on the other one if that stands.
  void fly() {
    VectorXd lambda = VectorXd::Zero(u.size());
    for (int i = 0; i < 2; ++i) {
      const int n = s_.normal(i);
      if (!open_[i]) lambda(n) = -s_.b(n) / s_.W(n, n);
    }
    const VectorXd a = s_.b + s_.W * lambda;
    double dt = std::numeric_limits<double>::infinity();
    int next = -1;
    for (int i = 0; i < 2; ++i) {
      const double u_n = u(s_.normal(i)), g = -a(s_.normal(i));
      const double lands = open_[i] ? (u_n + std::sqrt(u_n * u_n + 2 * g * gap_(i))) / g : dt;
      if (lands < dt) next = i;
      dt = std::min(dt, lands);
    }
    const VectorXd way = dt * (u + dt / 2 * a);
    time += dt;
    shift += way;
    Lambda += dt * lambda;
    u += dt * a;
    for (int i = 0; i < 2; ++i) gap_(i) = open_[i] && i != next ? gap_(i) + way(s_.normal(i)) : 0;
  }

  ContactSpace s_;
  ImpactOptions options_;
  double slowest_;
  VectorXd gap_;
  bool open_[2] = {false, true};
};

ContactSpace drawn_feet(Draws& draws, double mu) {
  const double arm = draws.uniform(0.3, 1);
  const double height = draws.uniform(0, 0.3);
  const MatrixXd W = two_feet(arm, height, draws.uniform(0.5, 2));
  const double b_t = draws.uniform(-0.2, 0.2);
  const double u_t = draws.uniform(-2, 2);
  const Eigen::Vector4d b(b_t, -1, b_t, -1), u(u_t, -1, u_t, draws.uniform(-1, 1));
  return space_of(2, W, b, u, Eigen::Vector2d(0, draws.uniform(0.01, 1)), mu);
}

// Little is given back: where much is, the bounces of two feet are so many that rounding grows to a thousandth of them.
TEST(ChatterRounds, OfTwoFeetAreAllTheirBounces) {
  Draws draws(42);
  int compared = 0;
  for (int k = 0; k < 200; ++k) {
    const ContactSpace s = drawn_feet(draws, 0);
    const ImpactOptions laws = restitution(2, draws.uniform(0.1, 0.5));
    const auto end = chatter_end(s, laws);
    Bouncing all(s, laws, 1e-8);
    ASSERT_TRUE(all.ends()) << k;
    if (!end) continue;
    ++compared;
    // What is left out, flights slower than 1e-8 here and 1e-6 there, leaves these parts of all.
    EXPECT_NEAR(end->time, all.time, 1e-5 * all.time) << k;
    EXPECT_LT((end->u - all.u).norm(), 1e-5 * all.time) << k;
    EXPECT_LT((end->Lambda - all.Lambda).norm(), 1e-5 * all.Lambda.norm()) << k;
    EXPECT_LT((end->shift - all.shift).norm(), 1e-5 * (1 + all.shift.norm())) << k;
  }
  EXPECT_GT(compared, 150);
}

// Velocities follow from impulses, and no blow and no slip gives energy. Three coordinates move the four velocities.
TEST(ChatterRounds, OfTwoFeetWithFrictionBalance) {
  Draws draws(43);
  int ended = 0;
  for (int k = 0; k < 200; ++k) {
    const ContactSpace s = drawn_feet(draws, draws.uniform(0.05, 0.6));
    const auto end = chatter_end(s, restitution(2, draws.uniform(0.3, 0.85)));
    if (!end) continue;
    ++ended;
    EXPECT_LT((s.u + end->time * s.b + s.W * end->Lambda - end->u).norm(), 1e-9 * (1 + end->time)) << k;
    EXPECT_NEAR(end->u(0), end->u(2), 1e-9 * (1 + end->time)) << k;
    EXPECT_NEAR(end->shift(1), 0, 1e-5) << k;
    EXPECT_NEAR(end->shift(3), -s.gap(1), 1e-5) << k;
    EXPECT_GE(end->friction, -1e-12) << k;
    EXPECT_GE(lost_in_impacts(s, *end), 0) << k;
  }
  EXPECT_GT(ended, 150);
}

// Contacts that are thrown ever higher, that leave for good, and those that no force holds between the blows.
TEST(ChatterRounds, ThatDoNotEndAreNone) {
  const MatrixXd W = Eigen::Vector2d(3, 1).asDiagonal();
  const Eigen::Vector2d u(0, -1);
  EXPECT_FALSE(chatter_end(space_of(2, W, Eigen::Vector2d(0, -1), u, VectorXd::Zero(1), 0), restitution(1, 1)));
  EXPECT_FALSE(chatter_end(space_of(2, W, Eigen::Vector2d(0, 1), u, VectorXd::Zero(1), 0), restitution(1, 0.5)));
  const MatrixXd feet = two_feet(1, 0, 1);  // the second one is in the air, and rises
  const Eigen::Vector4d b(0, -1, 0, 1), fall(0, -1, 0, 1);
  EXPECT_FALSE(chatter_end(space_of(2, feet, b, fall, Eigen::Vector2d(0, 1), 0), restitution(2, 0.5)));
}

// Three feet of a plane body: where two stand the third one does.
TEST(ChatterRounds, OfFeetThatDependOnEachOtherAreNotSummed) {
  MatrixXd J(6, 3);
  J << 1, 0, 0.5, 0, 1, -0.4, 1, 0, 0.5, 0, 1, 0.5, 1, 0, 0.5, 0, 1, 0;
  const VectorXd u = J * Eigen::Vector3d(0.2, -1e-5, 1e-5);
  const VectorXd b = J * Eigen::Vector3d(0.2, -9.8, 0);
  EXPECT_FALSE(
      chatter_end(space_of(2, J * J.transpose(), b, u, Eigen::Vector3d(1e-12, 0, 1e-12), 0), restitution(3, 0.4)));
}

}  // namespace chatter_rounds_test
}  // namespace painleve
