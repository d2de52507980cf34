// The laws in phases against the laws as they are written down: with every clip, in one formula.
#include "painleve/simulation/contact_force.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace contact_force_test {

constexpr Compliance kAll[] = {Compliance::viscoelastic, Compliance::kelvin_voigt, Compliance::preclik,
                               Compliance::hunt_crossley, Compliance::hertz};

double literal_force(const NormalSpring& s, double g, double u) {
  if (s.compliance == Compliance::kelvin_voigt) return std::max(0.0, -s.stiffness * g - s.damping * u);
  if (g > 0) return 0;
  switch (s.compliance) {
    case Compliance::preclik:
      return -s.stiffness * g - s.damping * std::min(u, 0.0);
    case Compliance::hunt_crossley:
      return std::max(0.0, s.stiffness * -g * (1 - s.damping * u));
    case Compliance::hertz:
      return std::max(0.0, s.stiffness * std::pow(-g, 1.5) * (1 - s.damping * u));
    default:
      return std::max(0.0, -s.stiffness * g - s.damping * u);
  }
}

NormalSpring drawn_spring(Draws& draws, Compliance compliance) {
  return {compliance, draws.uniform(0.5, 3), draws.uniform(0.2, 2), false};
}

TEST(NormalForce, IsTheLawInThePhaseThatHolds) {
  Draws draws(71);
  for (const Compliance compliance : kAll) {
    for (int i = 0; i < 2000; ++i) {
      const NormalSpring s = drawn_spring(draws, compliance);
      const double g = draws.uniform(-1, 1);
      const double u = draws.uniform(-2, 2);
      const NormalPhase phase = normal_phase(s, g, u, 0);
      EXPECT_NEAR(normal_force(s, phase, g, u).value, literal_force(s, g, u), 1e-14)
          << to_string(compliance) << " g " << g << " u " << u;
      EXPECT_GE(normal_event(s, phase, g, u), 0) << to_string(compliance) << " g " << g << " u " << u;
      EXPECT_GE(damper_event(s, phase, u, 0), 0) << to_string(compliance);
    }
  }
}

// From on to off above the speed that tells, from off to on at once: between them no other change can follow.
TEST(NormalForce, DamperOfAContactAtRestStaysOn) {
  const NormalSpring s{Compliance::preclik, 1e5, 1e5, false};
  const double lost = 1e-14;
  EXPECT_GT(damper_event(s, NormalPhase::pressing, 0, lost), 0);
  EXPECT_GT(damper_event(s, NormalPhase::pressing, 0.9 * lost, lost), 0);
  EXPECT_LT(damper_event(s, NormalPhase::pressing, 1.1 * lost, lost), 0);
  EXPECT_GT(damper_event(s, NormalPhase::relaxing, 0.1 * lost, lost), 0);
  EXPECT_LT(damper_event(s, NormalPhase::relaxing, -0.1 * lost, lost), 0);
  const NormalSpring undamped{Compliance::preclik, 1e5, 0, false};
  EXPECT_GT(damper_event(undamped, NormalPhase::pressing, 1, 0), 0) << "a damper without force is never switched";
}

TEST(NormalForce, HasTheDerivativesOfItsFormula) {
  Draws draws(72);
  for (const Compliance compliance : kAll) {
    for (int i = 0; i < 200; ++i) {
      const NormalSpring s = drawn_spring(draws, compliance);
      const double g = draws.uniform(-1, -0.1);
      const double u = draws.uniform(-2, 2);
      const double h = 1e-6;
      for (const NormalPhase phase : {NormalPhase::pressing, NormalPhase::relaxing}) {
        const auto at = [&](double x, double v) { return normal_force(s, phase, x, v).value; };
        const NormalForce force = normal_force(s, phase, g, u);
        EXPECT_NEAR(force.by_gap, (at(g + h, u) - at(g - h, u)) / (2 * h), 1e-7);
        EXPECT_NEAR(force.by_rate, (at(g, u + h) - at(g, u - h)) / (2 * h), 1e-7);
      }
    }
  }
}

TEST(StoredEnergy, IsTheWorkOfTheSpring) {
  Draws draws(73);
  for (const Compliance compliance : kAll) {
    for (const bool bilateral : {false, true}) {
      NormalSpring s = drawn_spring(draws, compliance);
      s.bilateral = bilateral;
      for (const double g : {-0.7, -0.2, 0.3}) {
        const double h = 1e-6;
        const double slope =
            (stored_energy(s, NormalPhase::pressing, g + h) - stored_energy(s, NormalPhase::pressing, g - h)) / (2 * h);
        EXPECT_NEAR(spring_force(s, NormalPhase::pressing, g), -slope, 1e-8) << to_string(compliance) << g;
      }
    }
  }
}

TEST(NormalPhase, IsDecidedByTheAccelerationAtRestOnTheSurface) {
  for (const Compliance compliance : kAll) {
    const NormalSpring s{compliance, 2, 1, false};
    EXPECT_EQ(normal_phase(s, 0, 0, 1), NormalPhase::open) << to_string(compliance);
    EXPECT_EQ(normal_phase(s, 0, 0, -1), NormalPhase::pressing) << to_string(compliance);
  }
  const NormalSpring preclik{Compliance::preclik, 2, 1, false};
  EXPECT_EQ(normal_phase(preclik, -0.1, 0.5, 0), NormalPhase::relaxing);
  EXPECT_EQ(normal_phase(preclik, -0.1, -0.5, 0), NormalPhase::pressing);
  const NormalSpring both{Compliance::viscoelastic, 2, 1, true};
  EXPECT_EQ(normal_phase(both, 0.1, 0, 0), NormalPhase::pulling);
  EXPECT_EQ(normal_force(both, NormalPhase::pulling, 0.1, 0).value, -0.2);
}

TEST(ContactLawDefaults, FollowTheStiffness) {
  ContactLaw law;
  EXPECT_EQ(normal_spring(law, false).stiffness, 1e6);
  EXPECT_EQ(normal_spring(law, false).damping, 1e3);
  EXPECT_EQ(friction(law, 0).kind, FrictionKind::coulomb);
  EXPECT_EQ(friction(law, 0.1).kind, FrictionKind::smoothed);
  law.compliance = Compliance::preclik;
  law.stiffness = 400;
  EXPECT_EQ(normal_spring(law, false).damping, 400);
  EXPECT_EQ(friction(law, 0.1).kind, FrictionKind::viscous);
  EXPECT_EQ(friction(law, 0).damping, 400);
  law.tangential_stiffness = 7;
  EXPECT_EQ(friction(law, 0).kind, FrictionKind::elastic);
  law.mu = 0.3;
  EXPECT_EQ(friction(law, 0).mu_static, 0.3);
  law.mu_static = 0.4;
  EXPECT_EQ(friction(law, 0).mu_static, 0.4);
}

}  // namespace contact_force_test
}  // namespace painleve
