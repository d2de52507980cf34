// The spatial impact against the planar closed form, a closed hodograph, a stiff spring, and the laws of mechanics.
#include "painleve/impact/spatial_impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/stiff_contact.hpp"

namespace painleve {
namespace spatial_impact_test {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr std::array laws = {RestitutionLaw::energetic, RestitutionLaw::poisson, RestitutionLaw::newton};

SpatialContact contact(const Matrix3d& W, const Vector2d& u_t, double mu) {
  return {W.topLeftCorner<2, 2>(), W.topRightCorner<2, 1>(), W(2, 2), Vector2d::Zero(), 0, u_t, mu};
}

Matrix3d response(const SpatialContact& c) {
  Matrix3d W;
  W << c.W_tt, c.W_tn, c.W_tn.transpose(), c.W_nn;
  return W;
}

struct Drawn {
  SpatialContact c;
  double u_n, r;
};
Drawn drawn(Draws& draws) {
  const Matrix3d W = drawn_gram(draws, 3, 3, 0.05);
  const Vector2d u_t(draws.normal(), draws.normal());
  return {contact(W, u_t, draws.uniform(0, 2)), draws.integer(0, 5) == 0 ? 0 : -draws.uniform(0.05, 2),
          draws.uniform(0.05, 1)};
}

// In space slip has no sign, so that reversed slip is still slip.
std::vector<ImpactPhase> without_signs(const PlanarImpact& i) {
  std::vector<ImpactPhase> list;
  for (int n = 0; n < i.phase_count; ++n) {
    ImpactPhase phase = i.phases[static_cast<std::size_t>(n)];
    if (phase.slide != Slide::stick) phase.slide = Slide::slip;
    if (list.empty() || !(list.back() == phase)) list.push_back(phase);
  }
  return list;
}

TEST(SpatialImpact, ReducesToThePlane) {
  Draws draws(3);
  std::array<int, 11> regions{};
  for (int n = 0; n < 6000; ++n) {
    const PlanarContact planar = drawn_planar(draws, draws.integer(-1, 1));
    const double u_n = draws.integer(0, 4) == 0 ? 0 : -draws.uniform(0.05, 2);
    const BounceLaw law{draws.uniform(), laws[static_cast<std::size_t>(n % 3)], draws.uniform(0, 1) * planar.mu};
    Matrix3d W = Matrix3d::Zero();
    W(0, 0) = planar.W_tt;
    W(2, 2) = planar.W_nn;
    W(0, 2) = W(2, 0) = planar.W_tn;
    W(1, 1) = draws.uniform(0.1, 3);
    const PlanarImpact a = planar_impact(planar, u_n, law);
    const SpatialImpact b = spatial_impact(contact(W, {planar.u_t, 0}, planar.mu), u_n, law);
    ASSERT_EQ(a.outcome, b.outcome);
    ++regions[static_cast<std::size_t>(a.region)];
    ASSERT_NEAR(a.u_t, b.u_t.x(), 1e-12);
    ASSERT_EQ(b.u_t.y(), 0);
    ASSERT_NEAR(a.u_n, b.u_n, 1e-12);
    ASSERT_NEAR(a.Lambda_n, b.Lambda_n, 1e-12 * (1 + a.Lambda_n));
    ASSERT_NEAR(a.Lambda_t, b.Lambda_t.x(), 1e-12 * (1 + a.Lambda_n));
    ASSERT_NEAR(a.Lambda_compression, b.Lambda_compression, 1e-12 * (1 + a.Lambda_n));
    ASSERT_NEAR(a.work_n, b.work_n, 1e-12 * (1 + std::abs(a.work_compression)));
    ASSERT_NEAR(a.work_t, b.work_t, 1e-12 * (1 + std::abs(a.work_t)));
    ASSERT_EQ(b.phases, without_signs(a));
  }
  for (const int count : regions) EXPECT_GT(count, 10);
}

// The tangents may be turned; everything else stays.
TEST(SpatialImpact, TheTangentFrameDoesNotMatter) {
  Draws draws(14);
  for (int n = 0; n < 600; ++n) {
    Drawn d = drawn(draws);
    if (n % 4 == 0) d.c.u_t = d.c.u_t.norm() * Vector2d::Unit(n / 4 % 2);  // along a tangent, turned or not
    const BounceLaw law{d.r, laws[static_cast<std::size_t>(n % 3)], {}};
    const double angle = draws.uniform(0, 2 * std::numbers::pi);
    Matrix2d turn;
    turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    SpatialContact turned = d.c;
    turned.W_tt = turn * d.c.W_tt * turn.transpose();
    turned.W_tn = turn * d.c.W_tn;
    turned.u_t = turn * d.c.u_t;
    const SpatialImpact a = spatial_impact(d.c, d.u_n, law);
    const SpatialImpact b = spatial_impact(turned, d.u_n, law);
    ASSERT_EQ(a.outcome, b.outcome);
    const double scale = 1 + a.Lambda_n;
    ASSERT_NEAR((turn * a.u_t - b.u_t).norm(), 0, 1e-11 * scale);
    ASSERT_NEAR(a.u_n, b.u_n, 1e-11 * scale);
    ASSERT_NEAR((turn * a.Lambda_t - b.Lambda_t).norm(), 0, 1e-11 * scale);
    ASSERT_EQ(a.phases, b.phases);
  }
}

// All speeds times a power of two: the same steps, and all speeds after times it, to the last bit.
TEST(SpatialImpact, ScalesWithTheSpeed) {
  Draws draws(22);
  int turning = 0;
  for (int n = 0; n < 300; ++n) {
    const Drawn d = drawn(draws);
    const BounceLaw law{d.r, laws[static_cast<std::size_t>(n % 3)], {}};
    const SpatialImpact a = spatial_impact(d.c, d.u_n, law);
    turning += a.steps > 0 ? 1 : 0;
    for (const double unit : {std::ldexp(1, -30), std::ldexp(1, 30)}) {
      SpatialContact faster = d.c;
      faster.u_t *= unit;
      const SpatialImpact b = spatial_impact(faster, unit * d.u_n, law);
      ASSERT_EQ(a.steps, b.steps) << n << " " << unit;
      ASSERT_EQ(Vector2d(unit * a.u_t), b.u_t) << n;
      ASSERT_EQ(unit * a.u_n, b.u_n) << n;
      ASSERT_EQ(unit * a.Lambda_n, b.Lambda_n) << n;
      ASSERT_EQ(unit * unit * a.work_t, b.work_t) << n;
      ASSERT_EQ(a.phases, b.phases) << n;
    }
  }
  EXPECT_GT(turning, 200);
}

TEST(SpatialImpact, ImpulseEnergyAndLaw) {
  Draws draws(15);
  int gains = 0;
  int stuck = 0;
  int slipping = 0;
  int jams = 0;
  for (int n = 0; n < 2000; ++n) {
    const Drawn d = drawn(draws);
    const BounceLaw law{d.r, laws[static_cast<std::size_t>(n % 3)], {}};
    const SpatialImpact i = spatial_impact(d.c, d.u_n, law);
    const Vector2d e = d.c.u_t.normalized();
    const bool jam = d.c.W_nn - d.c.mu * d.c.W_tn.dot(e) < 0;
    ASSERT_EQ(i.outcome, d.u_n < 0 ? ImpactOutcome::collision
                         : jam     ? ImpactOutcome::without_collision
                                   : ImpactOutcome::none);
    if (!i.happened()) continue;
    jams += d.u_n == 0 ? 1 : 0;
    const Matrix3d W = response(d.c);
    Vector3d before;
    before << d.c.u_t, d.u_n;
    Vector3d after;
    after << i.u_t, i.u_n;
    Vector3d Lambda;
    Lambda << i.Lambda_t, i.Lambda_n;
    const double scale = 1 + W.norm() * Lambda.norm();
    ASSERT_NEAR((before + W * Lambda - after).norm() / scale, 0, 1e-11);
    ASSERT_LE(i.Lambda_t.norm(), d.c.mu * i.Lambda_n * (1 + 1e-12));
    const double change = Lambda.dot(before + after) / 2;
    const double energy = before.dot(W.inverse() * before) / 2;
    ASSERT_NEAR(i.work_n + i.work_t, change, 1e-10 * (energy + 1));
    ASSERT_LE(i.work_t, 0);
    if (law.law == RestitutionLaw::energetic) {
      ASSERT_NEAR(i.work_n / i.work_compression, 1 - d.r * d.r, 1e-10);
    } else if (law.law == RestitutionLaw::poisson) {
      ASSERT_NEAR(i.Lambda_n / i.Lambda_compression, 1 + d.r, 1e-10);
    } else {
      ASSERT_NEAR(i.u_n, -d.r * d.u_n, 1e-11);
      gains += change > 1e-9 * energy ? 1 : 0;
    }
    if (law.law != RestitutionLaw::newton) {
      ASSERT_LE(change, 1e-10 * energy);
    }
    (i.u_t.norm() == 0 ? stuck : slipping)++;
  }
  EXPECT_GT(stuck, 300);
  EXPECT_GT(slipping, 300);
  EXPECT_GT(jams, 20);
  EXPECT_GT(gains, 0);
}

// With W_tt = a 1 the path is known: with the angle θ from W_tn, g = |W_tn|,
//   s/s_0 = (sin θ_0/sin θ) (tan(θ/2)/tan(θ_0/2))^(μa/g).
TEST(SpatialImpact, HodographOfEqualResponse) {
  Draws draws(16);
  int points = 0;
  for (int n = 0; n < 200; ++n) {
    const double a = draws.uniform(0.5, 2);
    const double g = draws.uniform(0.1, 0.9) * std::sqrt(a);
    const double mu = draws.uniform(0.1, 2);
    const double turned = draws.uniform(0.1, 3);
    Matrix3d W = Matrix3d::Identity();
    W.topLeftCorner<2, 2>() *= a;
    W(0, 2) = W(2, 0) = g;
    const Vector2d u_t = 1.3 * Vector2d(std::cos(turned), std::sin(turned));
    const SpatialImpact i =
        spatial_impact(contact(W, u_t, mu), -1, {0.5, RestitutionLaw::energetic, {}}, {1e-12, true});
    for (const SpatialImpactPoint& point : i.path) {
      const double s = point.u_t.norm();
      const double theta = std::atan2(point.u_t.y(), point.u_t.x());
      if (s < 1e-3 || std::sin(theta) < 1e-3) continue;
      const double expected =
          1.3 * std::sin(turned) / std::sin(theta) * std::pow(std::tan(theta / 2) / std::tan(turned / 2), mu * a / g);
      ASSERT_NEAR(s, expected, 1e-9 * (1 + s));  // 1/sin θ and the power magnify 1e-12
      ++points;
    }
  }
  EXPECT_GT(points, 2000);
}

// A coarser tolerance is kept, and made use of.
TEST(SpatialImpact, AsAccurateAsAskedFor) {
  Draws draws(21);
  double worst = 0;
  for (int n = 0; n < 400; ++n) {
    const Drawn d = drawn(draws);
    const BounceLaw law{d.r, laws[static_cast<std::size_t>(n % 3)], {}};
    const SpatialImpact fine = spatial_impact(d.c, d.u_n, law);
    ASSERT_TRUE(fine.path.empty());
    const double speed = d.c.u_t.norm() + std::abs(d.u_n);
    for (const double tolerance : {1e-12, 1e-9, 1e-6}) {
      const SpatialImpact i = spatial_impact(d.c, d.u_n, law, {tolerance, false});
      ASSERT_EQ(i.phases, fine.phases);
      const double error = std::max((i.u_t - fine.u_t).norm(), std::abs(i.u_n - fine.u_n));
      ASSERT_LE(error, tolerance * speed) << n;
      if (tolerance == 1e-6) worst = std::max(worst, error / speed);
      ASSERT_LT(i.steps, 500);
    }
  }
  EXPECT_GT(worst, 1e-11);
}

// The direction in which slip begins: stationary, and reached from nearby.
// Slip that is fast beside the approach hardly turns, and what is given back has digits of its own, whatever they are
// beside the slip: a contact that chatters while it slides bounces ever more slowly.
TEST(SpatialImpact, SlowApproachInFastSlipKeepsItsDigits) {
  Draws draws(77);
  for (int n = 0; n < 200; ++n) {
    SpatialContact c = drawn(draws).c;
    c.mu = n % 2 == 0 ? 0 : 0.1 * c.mu;
    c.u_t = Eigen::Vector2d::UnitX() * 2;
    const BounceLaw law{draws.uniform(0.1, 0.9), RestitutionLaw::energetic, {}};
    for (const double u_n : {-1e-3, -1e-6, -1e-9, -1e-12}) {
      const double given_back = spatial_impact(c, u_n, law).u_n;
      const double exact = c.mu == 0 ? 1e-12 : 1e-12 + 100 * std::abs(u_n);  // by how much it turns
      EXPECT_NEAR(given_back / (-law.restitution * u_n), 1, exact) << n << " " << u_n;
    }
  }
}

TEST(SpatialImpact, LeavesRestInOneDirection) {
  Draws draws(17);
  int slips = 0;
  for (int n = 0; n < 800; ++n) {
    const Drawn d = drawn(draws);
    const LeavingDirection leaving = leaving_direction(d.c);
    const double needed = (d.c.W_tt.inverse() * d.c.W_tn).norm();
    ASSERT_EQ(leaving.stick, needed <= d.c.mu);
    SpatialContact rest = d.c;
    rest.u_t.setZero();
    const SpatialImpact i = spatial_impact(rest, -1, {d.r, RestitutionLaw::energetic, {}});
    if (leaving.stick) {
      ASSERT_EQ(i.u_t.norm(), 0);
      continue;
    }
    ++slips;
    const Vector2d rate = d.c.W_tn - d.c.mu * d.c.W_tt * leaving.e;
    ASSERT_NEAR(rate.normalized().dot(leaving.e), 1, 1e-12);
    ASSERT_NEAR(i.u_t.normalized().dot(leaving.e), 1, 1e-12);
    ASSERT_NEAR(i.u_n, d.r, 1e-12);
    const double angle = 1e-7 * draws.uniform(0, 6);
    rest.u_t = 1e-7 * Vector2d(std::cos(angle * 1e7), std::sin(angle * 1e7));
    const SpatialImpact near = spatial_impact(rest, -1, {d.r, RestitutionLaw::energetic, {}});
    ASSERT_NEAR((near.u_t - i.u_t).norm(), 0, 1e-5);
    ASSERT_NEAR(near.u_n, i.u_n, 1e-5);
  }
  EXPECT_GT(slips, 150);
}

// The limit of a stiff spring that gives back r² of what it stores.
TEST(SpatialImpact, LimitOfAStiffSpring) {
  Draws draws(18);
  std::array<double, 2> worst{};
  for (int n = 0; n < 8; ++n) {
    Drawn d = drawn(draws);
    d.u_n = -1;
    d.r = draws.uniform(0.4, 1);
    const SpatialImpact i = spatial_impact(d.c, d.u_n, {d.r, RestitutionLaw::energetic, {}});
    for (const std::size_t halved : {0U, 1U}) {
      StiffContact model;
      model.slip_scale = halved ? 1e-4 : 2e-4;
      const StiffOutcome stiff = stiff_impact(d.c, d.u_n, d.r, model);
      ASSERT_TRUE(stiff.ended);
      worst[halved] = std::max(worst[halved], (i.u_t - stiff.u_t).norm() + std::abs(i.u_n - stiff.u_n));
    }
  }
  // The scale ε of the friction is all that is left of the difference: it halves with it.
  EXPECT_LT(worst[1], 2e-3);
  EXPECT_NEAR(worst[0] / worst[1], 2, 0.2);
}

// With loads the difference falls as 1/√k: ten times the stiffness, a third of it.
TEST(SpatialImpact, LoadsVanishInTheLimit) {
  Draws draws(19);
  const Drawn d = drawn(draws);
  SpatialContact c = d.c;
  c.b_t = {30, -20};
  c.b_n = -50;
  const SpatialImpact i = spatial_impact(c, -1, {0.7, RestitutionLaw::energetic, {}});
  const auto error = [&](double stiffness) {
    StiffContact model;
    model.stiffness = stiffness;
    const StiffOutcome stiff = stiff_impact(c, -1, 0.7, model);
    return (i.u_t - stiff.u_t).norm() + std::abs(i.u_n - stiff.u_n);
  };
  EXPECT_NEAR(error(1e6) / error(1e7), std::sqrt(10.0), 0.3);
}

// An impact without collision in space, from a spring that is barely loaded.
TEST(SpatialImpact, WithoutCollisionIsTheLimitOfAStiffSpring) {
  Matrix3d W;
  W << 1, 0.1, 0.5, 0.1, 1.4, 0.2, 0.5, 0.2, 1;
  const SpatialContact c = contact(W, {0.7, 0.2}, 2.5);
  const SpatialImpact i = spatial_impact(c, 0, {0.8, RestitutionLaw::energetic, {}});
  ASSERT_EQ(i.outcome, ImpactOutcome::without_collision);
  EXPECT_GT(i.u_n, 0);
  StiffContact model;
  model.start = 1e-6;
  const StiffOutcome stiff = stiff_impact(c, 0, 0.8, model);
  ASSERT_TRUE(stiff.ended);
  EXPECT_NEAR((i.u_t - stiff.u_t).norm() + std::abs(i.u_n - stiff.u_n), 0, 1e-4);
}

// Bodies with fewer than three freedoms, struck with a velocity that they can have, under weak and strong friction.
TEST(SpatialImpact, FewFreedoms) {
  Draws draws(20);
  int held = 0;
  for (int n = 0; n < 500; ++n) {
    const Matrix3d W = drawn_gram(draws, 3, draws.integer(1, 2), 0);
    Vector3d before = W * Vector3d(draws.normal(), draws.normal(), draws.normal());
    if (before.z() > 0) before = -before;
    const BounceLaw law{draws.uniform(), laws[static_cast<std::size_t>(n % 3)], std::exp(draws.uniform(-4, 4))};
    const SpatialImpact i = spatial_impact(contact(W, before.head<2>(), 1), before.z(), law);
    ASSERT_EQ(i.outcome, ImpactOutcome::collision);
    Vector3d Lambda;
    Lambda << i.Lambda_t, i.Lambda_n;
    Vector3d after;
    after << i.u_t, i.u_n;
    ASSERT_LT((before + W * Lambda - after).norm(), 1e-11 * (before.norm() + W.norm() * Lambda.norm()));
    ASSERT_GE(i.u_n, 0);
    const double change = Lambda.dot(before + after) / 2;
    ASSERT_NEAR(i.work_n + i.work_t, change, 1e-11 * Lambda.norm() * before.norm());
    if (law.law != RestitutionLaw::newton) {
      ASSERT_LE(change, 1e-11 * Lambda.norm() * before.norm());
    }
    held += after.isZero(0) ? 1 : 0;  // stuck, and nothing is given back
  }
  EXPECT_GT(held, 50);
}

// Planar contacts with a stiff spring: values of the closed form that the literature has.
TEST(SpatialImpact, PlanarContactsWithAStiffSpring) {
  struct Row {
    double u_t, mu, r, after_t, after_n;
  };
  for (const Row& row :
       {Row{0.5, 1.2, 0.8, 0, 0.9561828874675151}, Row{2, 1.2, 0.8, 0, 1.0872639316848771},
        Row{0.7, 2.5, 0.8, 0, 1.0524257693538297}, Row{-0.3, 0.2, 0.6, 0.3626286259170527, 0.5593144491797297},
        Row{-0.75, 0.2, 0.6, 0.12315478747113465, 0.5480357909848326}, Row{3, 0.8, 0.6, 2.2, 0.6}}) {
    Matrix3d W = Matrix3d::Identity();
    W(0, 2) = W(2, 0) = 0.5;
    const SpatialContact c = contact(W, {row.u_t, 0}, row.mu);
    const SpatialImpact i = spatial_impact(c, -1, {row.r, RestitutionLaw::energetic, {}});
    EXPECT_NEAR(i.u_t.x(), row.after_t, 1e-15);
    EXPECT_NEAR(i.u_n, row.after_n, 1e-15);
    const StiffOutcome stiff = stiff_impact(c, -1, row.r, {});
    EXPECT_NEAR(stiff.u_t.x(), row.after_t, 2e-4);  // the scale of the friction is 1e-4
    EXPECT_NEAR(stiff.u_n, row.after_n, 2e-4);
  }
  // Without collision, under the loads b = (0.3, −1): the spring begins by itself and tends to the map.
  Matrix3d W = Matrix3d::Identity();
  W(0, 2) = W(2, 0) = 0.5;
  SpatialContact c = contact(W, {0.7, 0}, 2.5);
  c.b_t = {0.3, 0};
  c.b_n = -1;
  const auto stiff_u_n = [&](double stiffness) {
    StiffContact model;
    model.stiffness = stiffness;
    return stiff_impact(c, 0, 0.8, model).u_n;
  };
  EXPECT_NEAR(stiff_u_n(1e6), 0.15190018139133468, 3e-4);
  EXPECT_NEAR(stiff_u_n(1e8), 0.14192265900831016, 3e-4);
  EXPECT_NEAR(spatial_impact(c, 0, {0.8, RestitutionLaw::energetic, {}}).u_n, 0.14, 1e-15);
}

TEST(SpatialImpact, Limits) {
  const auto bounce = [](const Matrix3d& W, const Vector2d& u_t, double mu) {
    return spatial_impact(contact(W, u_t, mu), -1, {0.5, RestitutionLaw::energetic, {}});
  };
  // No response along the tangents.
  SpatialImpact i = bounce(Vector3d(0, 0, 2).asDiagonal(), {1, 2}, 0.7);
  EXPECT_EQ(i.outcome, ImpactOutcome::collision);
  EXPECT_EQ(i.u_t, Vector2d(1, 2));
  EXPECT_EQ(i.u_n, 0.5);
  // None along the normal.
  EXPECT_EQ(bounce(Vector3d(1, 1, 0).asDiagonal(), {1, 2}, 0.7).outcome, ImpactOutcome::locked);
  // No friction, no coupling; then coupling.
  i = bounce(Matrix3d::Identity(), {1, 2}, 0);
  EXPECT_EQ(i.u_t, Vector2d(1, 2));
  Matrix3d W = Matrix3d::Identity();
  W(0, 2) = W(2, 0) = 0.5;
  i = bounce(W, {-0.2, 0.1}, 0);
  EXPECT_NEAR(i.u_t.x(), -0.2 + 0.5 * 1.5, 1e-12);
  EXPECT_NEAR(i.u_t.y(), 0.1, 1e-12);
  EXPECT_NEAR(i.u_n, 0.5, 1e-12);
  // At rest and out of reach.
  EXPECT_EQ(spatial_impact(contact(W, {0, 0}, 3), 0, {}).outcome, ImpactOutcome::none);
  EXPECT_EQ(spatial_impact(contact(W, {1, 0}, 3), 0.1, {}).outcome, ImpactOutcome::none);
}

}  // namespace spatial_impact_test
}  // namespace painleve
