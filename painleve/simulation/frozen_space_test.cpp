// Compliant simulation of frozen contact spaces: closed forms, energy, what springs without dampers do.
#include "painleve/simulation/compliant.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace frozen_space_test {

ContactSpace point_mass(double b_t, double b_n, double u_t, double u_n, double gap, double mu) {
  ContactSpace s;
  s.W = Eigen::Matrix2d::Identity();
  s.b = Eigen::Vector2d(b_t, b_n);
  s.u = Eigen::Vector2d(u_t, u_n);
  s.drift = Eigen::Vector2d::Zero();
  s.gap = Eigen::VectorXd::Constant(1, gap);
  s.mu = Eigen::VectorXd::Constant(1, mu);
  s.bilateral = {false};
  s.names = {"c1"};
  return s;
}

Run run(const ContactSpace& space, const ContactLaw& law, double t_end, int samples = 1) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  return simulate_compliant(space, {law}, options, {});
}

// A unit mass on a spring and damper that cannot pull (Schwager & Pöschel 2007): with β = c/2 and ω = sqrt(k − β²),
// e = exp(−β/ω (π − atan(2βω/(ω² − β²)))) for β < ω.
double restitution(double k, double c) {
  const double beta = c / 2;
  const double omega = std::sqrt(k - beta * beta);
  return std::exp(-beta / omega * (std::numbers::pi - std::atan(2 * beta * omega / (omega * omega - beta * beta))));
}

TEST(FrozenSpace, BouncesWithTheRestitutionOfItsDamper) {
  for (const double k : {1.0, 1e6, 1e12}) {
    for (const double ratio : {0.01, 0.3, 1.0}) {
      ContactLaw law;
      law.stiffness = k;
      law.damping = ratio * std::sqrt(k);
      const auto r = run(point_mass(0, 0, 0, -1, 0.5, 0), law, 1 + 10 / std::sqrt(k));
      ASSERT_EQ(r.events.size(), 2U) << k << " " << ratio;
      EXPECT_EQ(r.outcome, "F");
      // Some tens of steps, each with the tolerance 1e-11.
      EXPECT_NEAR(r.samples.back().u(1), restitution(k, *law.damping), 1e-10) << k << " " << ratio;
      EXPECT_NEAR(r.energy.defect(), 0, 1e-10) << k << " " << ratio;
      EXPECT_NEAR(r.energy.impact, 0.5 - 0.5 * std::pow(restitution(k, *law.damping), 2), 1e-10);
    }
  }
}

TEST(FrozenSpace, BouncesWithoutLossOnElasticSprings) {
  for (const Compliance compliance : {Compliance::viscoelastic, Compliance::kelvin_voigt, Compliance::preclik,
                                      Compliance::hunt_crossley, Compliance::hertz}) {
    ContactLaw law;
    law.compliance = compliance;
    law.stiffness = 1e4;
    law.damping = 0;
    law.tangential_damping = 1e4;
    const auto r = run(point_mass(0, 0, 0, -1, 0.5, 0), law, 1);
    EXPECT_NEAR(r.samples.back().u(1), 1, 1e-10) << to_string(compliance);
    EXPECT_NEAR(r.energy.defect(), 0, 1e-10) << to_string(compliance);
  }
}

TEST(FrozenSpace, LosesWhatItsDampersTake) {
  for (const Compliance compliance : {Compliance::viscoelastic, Compliance::kelvin_voigt, Compliance::preclik,
                                      Compliance::hunt_crossley, Compliance::hertz}) {
    ContactLaw law;
    law.compliance = compliance;
    law.stiffness = 1e4;
    law.damping = compliance == Compliance::hunt_crossley || compliance == Compliance::hertz ? 0.3 : 30;
    const auto r = run(point_mass(0.3, -1, 2, -1, 0.5, 0.2), law, 3);
    EXPECT_GT(r.energy.impact, 0.05) << to_string(compliance);
    EXPECT_GT(r.energy.friction, 0.05) << to_string(compliance);
    EXPECT_NEAR(r.energy.defect(), 0, 1e-10) << to_string(compliance);
  }
}

// What of u and b no force on the body can change is the motion of the surfaces, which do work: a ladder that turns
// while floor and wall hold it has such a b, from J̇v.
TEST(FrozenSpace, KeepsItsBooksWhereTheSurfacesMove) {
  Draws draws(31);
  ContactLaw law;
  law.stiffness = 100;
  law.damping = 5;
  for (int n = 0; n < 40; ++n) {
    const Eigen::MatrixXd W = drawn_gram(draws, 4, 3, 0);
    Eigen::Vector4d b, u;
    for (int k = 0; k < 4; ++k) {
      b(k) = (k % 2 == 1 ? -5 : 0) + draws.normal();
      u(k) = draws.normal();
    }
    const ContactSpace space = closed_contacts(2, W, b, u, Eigen::Vector2d(draws.uniform(), draws.uniform()));
    SimulationOptions options;
    options.t_end = 3;
    options.samples = 1;
    const auto r = simulate_compliant(space, {law, law}, options, {});
    ASSERT_EQ(r.stopped, "t_end") << n;
    const double size = 1 + std::abs(r.energy.applied) + std::abs(r.energy.final) + r.energy.friction + r.energy.impact;
    EXPECT_LE(std::abs(r.energy.defect()), 1e-9 * size) << n;
  }
}

// A block that slides with constant friction: v(t) = v − (μ g − a) t until it stops; then it stays.
TEST(FrozenSpace, SlidesAndStops) {
  ContactLaw law;
  law.stiffness = 1e6;
  ContactSpace space = point_mass(1, -10, 2, 0, 0, 0.3);
  space.gap(0) = -10 / 1e6;  // in equilibrium
  const auto r = run(space, law, 2);
  ASSERT_EQ(r.events.size(), 1U);
  EXPECT_EQ(r.events[0].kind, EventKind::stick);
  EXPECT_NEAR(r.events[0].t, 1, 1e-10);
  EXPECT_EQ(r.outcome, "T");
  EXPECT_NEAR(r.samples.back().lambda(0), -1, 1e-10);
  EXPECT_NEAR(r.energy.friction, 3, 1e-9);  // ½ v² + the work of b_t over 1 m
}

TEST(FrozenSpace, TurnsRoundWhereFrictionCannotHold) {
  ContactLaw law;
  law.stiffness = 1e6;
  ContactSpace space = point_mass(-5, -10, 2, 0, -10 / 1e6, 0.3);
  const auto r = run(space, law, 1);
  ASSERT_EQ(r.events.size(), 1U);
  EXPECT_EQ(r.events[0].kind, EventKind::slip);
  EXPECT_NEAR(r.events[0].t, 0.25, 1e-10);
  EXPECT_EQ(r.outcome, "S-");
  EXPECT_NEAR(r.samples.back().u(0), -2 * 0.75, 1e-9);
  // Static friction of 0.6 holds what kinetic friction does not.
  law.mu_static = 0.6;
  EXPECT_EQ(run(space, law, 1).outcome, "T");
}

// gap = −(|b|/k)(1 − cos ωt): it touches 0 once in a period and never opens. Errors of the steps decide whether it
// seems to, and such a lift-off must neither stop the run nor be told.
TEST(FrozenSpace, SwingsForEverOnASpringWithoutItsDamper) {
  constexpr int periods = 40;
  for (const Compliance compliance : {Compliance::viscoelastic, Compliance::kelvin_voigt, Compliance::hunt_crossley}) {
    for (const double k : {1.0, 13.0, 100.0, 12345.0, 1e6, 1e9}) {
      for (const double b : {1.0, 3.7}) {
        ContactLaw law;
        law.compliance = compliance;
        law.stiffness = k;
        law.damping = 0;
        const double omega = std::sqrt(k);
        const double t_end = 2 * std::numbers::pi * (periods + 0.3) / omega;
        const auto r = run(point_mass(0, -b, 1000, 0, 0, 0.3), law, t_end, 100);
        EXPECT_EQ(r.stopped, "t_end") << k << " " << b << ": " << r.stop_reason;
        EXPECT_TRUE(r.events.empty()) << k << " " << b;
        EXPECT_EQ(r.outcome, "S+");
        EXPECT_NE(r.outcome_reason.find("not come to rest"), std::string::npos) << r.outcome_reason;
        for (const Sample& s : r.samples) {
          EXPECT_NEAR(s.gap(0), -b / k * (1 - std::cos(omega * s.t)), 1e-7 * b / k) << k << " " << b << " " << s.t;
        }
      }
    }
  }
}

// From 0.5 m: it lands first at 0.32 s, the third time before 1.4 s, and rests from some 3 s on.
TEST(FrozenSpace, IsToldAsItIsWhileBouncesDieOut) {
  ContactLaw law;
  law.stiffness = 1e4;
  law.damping = 20;
  const ContactSpace ball = point_mass(0, -10, 0, 0, 0.5, 0.3);
  const auto ends = [&](double t_end) { return run(ball, law, t_end); };
  for (const double t_end : {0.1, 0.3}) {
    EXPECT_EQ(ends(t_end).outcome, "F");
    EXPECT_EQ(ends(t_end).outcome_reason, "in flight at the end of the run");
  }
  for (const double t_end : {1.0, 1.4, 1.5, 2.0}) {
    const auto r = ends(t_end);
    EXPECT_EQ(r.outcome, r.samples.back().mode) << t_end;
    EXPECT_FALSE(r.cycle) << t_end;
    EXPECT_NE(r.outcome_reason.find("die out"), std::string::npos) << t_end << ": " << r.outcome_reason;
  }
  EXPECT_EQ(ends(5).outcome, "T");
  EXPECT_EQ(ends(5).outcome_reason, "the springs have come to rest in this mode");
}

// Bounces that die out end in the mode in which the contact rests, however many they are.
TEST(FrozenSpace, ComesToRestAfterManyBounces) {
  ContactLaw law;
  law.stiffness = 100;
  law.damping = 3;
  const ContactSpace ball = point_mass(0, -1, 1, 0, 0.5, 0.1);
  EXPECT_EQ(run(ball, law, 100).outcome, "T");
  law.damping = 0;
  EXPECT_EQ(run(ball, law, 100).outcome, "limit_cycle");
}

// A load along the surface is held until the spring hardly presses any more: slip comes before lift-off, however soon.
// λ_n = √k sin(√k t) holds b_t = 1 down to λ_n = 1/μ.
TEST(FrozenSpace, SlipsBeforeItLifts) {
  for (const double k : {1e4, 1e8, 1e12}) {
    ContactLaw law;
    law.stiffness = k;
    law.damping = 0;
    const double omega = std::sqrt(k), mu = 0.5;
    const auto r = run(point_mass(1, 0, 0, -1, 0, mu), law, 10 / omega);
    ASSERT_GE(r.events.size(), 3U) << k;
    const auto event = r.events.end() - 3;
    EXPECT_EQ(event[0].kind, EventKind::stick) << k;
    EXPECT_EQ(event[1].kind, EventKind::slip) << k;
    EXPECT_EQ(event[2].kind, EventKind::liftoff) << k;
    EXPECT_NEAR(event[2].t, std::numbers::pi / omega, 1e-9 / omega) << k;
    const double slips = std::asin(1 / (mu * omega)) / omega;
    EXPECT_NEAR(event[2].t - event[1].t, slips, 1e-9 / omega) << k;
    EXPECT_NEAR(event[2].u_before(0), slips / 2, 1e-3 * slips + 1e-10 / omega) << k;
  }
}

TEST(FrozenSpace, StopsInSpaceAlongTheDirectionOfSlip) {
  ContactSpace s;
  s.dimension = 3;
  s.W = Eigen::Matrix3d::Identity();
  s.b = Eigen::Vector3d(0, 0, -10);
  s.u = Eigen::Vector3d(3, -4, 0);
  s.drift = Eigen::Vector3d::Zero();
  s.gap = Eigen::VectorXd::Constant(1, -10 / 1e6);
  s.mu = Eigen::VectorXd::Constant(1, 0.5);
  s.bilateral = {false};
  s.names = {"c1"};
  ContactLaw law;
  law.stiffness = 1e6;
  const auto r = run(s, law, 2);
  ASSERT_EQ(r.events.size(), 1U);
  EXPECT_EQ(r.events[0].kind, EventKind::stick);
  EXPECT_NEAR(r.events[0].t, 1, 1e-10);
  EXPECT_NEAR(r.impulse(0), -3, 1e-10);
  EXPECT_NEAR(r.impulse(1), 4, 1e-10);
  // With a force along t2 of 8 m/s² against friction of 5 it goes on, and turns into the force's direction.
  s.b(1) = 8;
  const auto turned = run(s, law, 5);
  EXPECT_EQ(turned.outcome, "S");
  const Eigen::VectorXd u = turned.samples.back().u;
  EXPECT_LT(std::abs(u(0)), 1e-3 * u(1));
  EXPECT_NEAR(turned.energy.defect(), 0, 1e-8);  // of energies of 100 J
}

// Friction against slip in space turns it into one direction, the faster the slower it is. Here the second tangent
// responds sixty times as much to forces as the first, so that it turns round many times on the last nanometre.
TEST(FrozenSpace, ComesToRestInSpaceAtEveryTolerance) {
  ContactSpace s;
  s.dimension = 3;
  s.W = Eigen::Vector3d(0.5, 30, 1).asDiagonal();
  s.W(1, 2) = s.W(2, 1) = -2;
  s.b = Eigen::Vector3d(0.1, -25, -10);
  s.u = Eigen::Vector3d(-1, 0.4, 0);
  s.drift = Eigen::Vector3d::Zero();
  s.gap = Eigen::VectorXd::Constant(1, -10 / 1e6);
  s.mu = Eigen::VectorXd::Constant(1, 0.5);
  s.bilateral = {false};
  s.names = {"c1"};
  for (const double k : {1e4, 1e6}) {
    s.gap(0) = -10 / k;
    ContactLaw law;
    law.stiffness = k;
    double exact = 0;
    for (const double relative : {1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6}) {
      SimulationOptions options;
      options.t_end = 0.35;
      options.samples = 1;
      options.relative = relative;
      const auto r = simulate_compliant(s, {law}, options, {});
      EXPECT_EQ(r.stopped, "t_end") << k << " " << relative << " " << r.stop_reason;
      EXPECT_EQ(r.outcome, "T") << k << " " << relative;
      ASSERT_FALSE(r.events.empty()) << k << " " << relative;
      EXPECT_EQ(r.events.back().kind, EventKind::stick) << k << " " << relative;
      if (exact == 0) exact = r.events.back().t;
      EXPECT_NEAR(r.events.back().t, exact, 1e-9 + 100 * relative) << k << " " << relative;
    }
  }
}

TEST(FrozenSpace, HoldsBilateralContactsBothWays) {
  ContactLaw law;
  law.stiffness = 1e6;
  ContactSpace space = point_mass(0, 10, 1, 0, 0, 0.2);
  space.bilateral = {true};
  const auto r = run(space, law, 1);
  EXPECT_NEAR(r.samples.back().lambda(1), -10, 1e-9);
  EXPECT_EQ(r.outcome, "T");
  ASSERT_FALSE(r.events.empty());
  // Friction of a pulling contact is μ|λ_n| as well: 2 m/s² bring 1 m/s to rest in half a second.
  EXPECT_NEAR(r.events.back().t, 0.5, 1e-3);
  EXPECT_NEAR(r.energy.defect(), 0, 1e-11);
}

TEST(FrozenSpace, HasElasticFrictionThatSpringsBack) {
  ContactLaw law;
  law.stiffness = 1e6;
  law.tangential_stiffness = 100;
  law.mu = 0.5;
  // Undamped tangential spring under a constant pull within the cone: s = (b_t/k_t)(1 − cos ωt).
  ContactSpace space = point_mass(1, -10, 0, 0, -10 / 1e6, 0.5);
  const auto r = run(space, law, std::numbers::pi / 10, 2);
  EXPECT_NEAR(r.samples.back().lambda(0), -2, 1e-6);  // −k_t s at half a period
  EXPECT_EQ(r.outcome, "T");
  EXPECT_NEAR(r.energy.defect(), 0, 1e-11);
  // Twice the pull would need 20 N of 5: it slips, with and without a tangential damper.
  for (const double damping : {0.0, 1.0}) {
    law.tangential_damping = damping;
    space.b(0) = 10;
    const auto slips = run(space, law, 1);
    EXPECT_EQ(slips.outcome, "S+");
    EXPECT_NEAR(slips.samples.back().lambda(0), -5, 1e-6);
    EXPECT_NEAR(slips.energy.defect(), 0, 1e-10);
  }
}

ContactSpace spatial_mass(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, const Eigen::Vector3d& u, double mu) {
  ContactSpace s;
  s.dimension = 3;
  s.W = W;
  s.b = b;
  s.u = u;
  s.drift = Eigen::Vector3d::Zero();
  s.gap = Eigen::VectorXd::Zero(1);
  s.mu = Eigen::VectorXd::Constant(1, mu);
  s.bilateral = {false};
  s.names = {"c1"};
  return s;
}

ContactLaw spring_law(double mu, double stiffness, double damping) {
  ContactLaw law;
  law.mu = mu;
  law.stiffness = stiffness;
  law.damping = damping;
  return law;
}

// A contact that carries nothing yet and that nothing pushes along: the force that comes up drives it sideways by
// W_tn λ_n, more than friction can hold. In space it slips as it does in the plane.
TEST(FrozenSpace, SlipsFromRestAsSoonAsItIsLoaded) {
  Eigen::Matrix3d W = Eigen::Matrix3d::Identity();
  W(0, 2) = W(2, 0) = 0.5;
  for (const double damping : {50.0, 0.0}) {
    for (const double u_n : {0.0, -0.1}) {
      SCOPED_TRACE(testing::Message() << damping << ' ' << u_n);
      const auto law = spring_law(0.3, 1e4, damping);
      const auto in_space = run(spatial_mass(W, {0, 0, -1}, {0, 0, u_n}, 0.3), law, 0.01);
      ContactSpace plane = point_mass(0, -1, 0, u_n, 0, 0.3);
      plane.W << 1, 0.5, 0.5, 1;
      const auto in_plane = run(plane, law, 0.01);
      EXPECT_EQ(in_space.stopped, "t_end") << in_space.stop_reason;
      EXPECT_EQ(in_space.outcome, "S");
      EXPECT_EQ(in_plane.outcome, "S+");
      EXPECT_NEAR(in_space.impulse(0), in_plane.impulse(0), 1e-9);
      EXPECT_NEAR(in_space.impulse(1), 0, 1e-12);
      EXPECT_NEAR(in_space.impulse(2), in_plane.impulse(1), 1e-9);
    }
  }
}

// Its numbers are taken at face value: what is slow among them alone is no rest.
TEST(FrozenSpace, SlidesHoweverSlowly) {
  for (const double unit : {1.0, 1e-6, 1e-9, 1e-12}) {
    const auto r = run(point_mass(0, -unit, 0.5 * unit, 0, -unit, 0.1), spring_law(0.1, 1, 1), 10);
    ASSERT_EQ(r.events.size(), 1U) << unit;
    EXPECT_EQ(r.events[0].kind, EventKind::stick) << unit;
    EXPECT_NEAR(r.events[0].t, 5, 1e-9) << unit;
    EXPECT_NEAR(r.impulse(0) / unit, -0.5, 1e-9) << unit;
    EXPECT_NEAR(r.energy.friction / (unit * unit), 0.125, 1e-9) << unit;
  }
}

}  // namespace frozen_space_test
}  // namespace painleve
