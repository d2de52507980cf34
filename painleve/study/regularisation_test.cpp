#include "painleve/study/regularisation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/simulation/contact_force.hpp"

namespace painleve {
namespace regularisation_test {

Scene scene(const std::string& name, const std::vector<std::string>& set = {}) {
  SceneSource source = SceneSource::open(name);
  for (const auto& assignment : set) source.set(assignment);
  return source.build();
}

ContactLaw law(const Scene& s, const std::string& regularisation, double stiffness) {
  return regularised(s, Regularisation::parse(regularisation), stiffness).scene.laws.front();
}

TEST(Regularisation, HasANameThatReadsBack) {
  for (const std::string name : {"viscoelastic", "kelvin-voigt:damping=0.1", "preclik:start=static",
                                 "hertz:damping=10:friction=smoothed:start=1.1static", "hunt-crossley:friction=exact",
                                 "preclik:friction=springs"})
    EXPECT_EQ(Regularisation::parse(name).name(), name);
}

TEST(Regularisation, RefusesWhatItDoesNotKnow) {
  for (const std::string text : {"", "herz", "hertz:damping", "hertz:damping=0", "hertz:damping=-1", "hertz:damping=x",
                                 "hertz:colour=red", "hertz:friction=none", "hertz:start=1.1", "hertz:start=0static",
                                 "preclik:friction=exact", "preclik:friction=smoothed", "hertz:"})
    EXPECT_THROW(Regularisation::parse(text), InputError) << text;
  const Scene none = scene("rod-no-solution");
  EXPECT_THROW(regularised(none, Regularisation::parse("hertz:start=static"), 1e6), InputError)
      << "nothing rests there";
  EXPECT_THROW(regularised(none, Regularisation::parse("hertz"), 0), InputError);
  const Scene drifting = scene("table-a1-6a");
  EXPECT_THROW(regularised(drifting, Regularisation::parse("hertz"), 1e8), InputError);
}

TEST(Regularisation, DampingFollowsItsRule) {
  const Scene plain = scene("rod-no-solution");
  for (const double K : {1e2, 1e6, 1e11}) {
    for (const char* name : {"viscoelastic", "kelvin-voigt"}) {
      EXPECT_DOUBLE_EQ(*law(plain, name, K).stiffness, K);
      EXPECT_NEAR(*law(plain, name, K).damping / std::sqrt(K), 1, 1e-14) << "damping ratio fixed";
    }
    EXPECT_NEAR(*law(plain, "viscoelastic:damping=10", K).damping / std::sqrt(K), 10, 1e-13);
    EXPECT_NEAR(*law(plain, "preclik", K).damping, K, 1e-14 * K);
    EXPECT_DOUBLE_EQ(*law(plain, "hertz", K).damping, 1);
    EXPECT_DOUBLE_EQ(*law(plain, "hunt-crossley:damping=0.1", K).damping, 0.1);
    EXPECT_NEAR(*law(plain, "viscoelastic:friction=springs", K).tangential_damping, std::sqrt(K), 1e-14 * K);
    EXPECT_DOUBLE_EQ(*law(plain, "viscoelastic:friction=springs", K).tangential_stiffness, K);
    EXPECT_DOUBLE_EQ(regularised(plain, Regularisation::parse("hertz:friction=smoothed"), K).options.smoothing,
                     1 / std::sqrt(K));
  }
  // The scene's own damping holds for its own law and those alike, at its own stiffness.
  const Scene damped = scene("rod-no-solution", {"contact.tip.stiffness=1e4", "contact.tip.damping=30"});
  EXPECT_NEAR(*law(damped, "viscoelastic", 1e4).damping, 30, 1e-12);
  EXPECT_NEAR(*law(damped, "kelvin-voigt", 1e6).damping, 300, 1e-11);
  EXPECT_NEAR(*law(damped, "hertz", 1e6).damping, 1, 0);
  EXPECT_NEAR(*law(damped, "preclik", 1e6).damping, 1e6, 1e-8);
}

TEST(Regularisation, KeepsTheProportionsOfSeveralContacts) {
  const Scene two = scene("fig15a", {"contact.c1.stiffness=1e4", "contact.c2.stiffness=3e4"});
  const auto laws = regularised(two, Regularisation::parse("viscoelastic"), 1e7).scene.laws;
  EXPECT_DOUBLE_EQ(*laws[0].stiffness, 1e7);
  EXPECT_NEAR(*laws[1].stiffness, 3e7, 1e-6);
  const Scene drifting = scene("table-a1-6a");
  const auto drift = regularised(drifting, Regularisation::parse("viscoelastic:damping=10"), 1e8).scene.drifting;
  EXPECT_DOUBLE_EQ(drift.epsilon, 1e-4);
  EXPECT_DOUBLE_EQ(drift.damping(0), 10 * drifting.drifting.damping(0));
}

// Case M slips on with the force 1.5/|A|, A = 7/4 − 9√3/8, if nothing disturbs it; see theory of Preclik & Rüde.
TEST(Regularisation, StartsWithTheForceThatWasAskedFor) {
  const Scene rod = scene("rod-three-solutions");
  const auto force = static_force(rod);
  ASSERT_TRUE(force);
  EXPECT_FALSE(force->stable);
  EXPECT_EQ(force->mode, "S-");
  const double exact = 1.5 / (9 * std::sqrt(3.0) / 8 - 1.75);
  EXPECT_NEAR(force->normal.front(), exact, 1e-12);
  for (const char* name : {"viscoelastic:start=1.1static", "hertz:start=1.1static", "preclik:start=1.1static"}) {
    for (const double K : {1e4, 1e8}) {
      const RegularisedScene r = regularised(rod, Regularisation::parse(name), K);
      const Dynamics d = r.scene.posed.mechanism->dynamics(r.scene.posed.state);
      const NormalSpring spring = normal_spring(r.scene.laws.front(), false);
      // The gap at K = 1e8 is a difference of numbers of size 1, and 1e-16 of them is 1e-9 of it.
      EXPECT_NEAR(spring_force(spring, NormalPhase::pressing, d.gap(0)), 1.1 * exact, 1e-8 * exact) << name << " " << K;
      EXPECT_NEAR(d.u(0), -1, 1e-14) << "the slip is as it was";
      EXPECT_NEAR(d.u(1), 0, 1e-14);
    }
  }
}

TEST(Regularisation, KeepsTheForceOfASceneThatIsPressedAlready) {
  const Scene pressed = scene("rod-three-solutions",
                              {"contact.tip.closed=false", "contact.tip.stiffness=1e4", "state.y=0.8655254037844387"});
  ASSERT_NEAR(pressed.space.gap(0), -5e-4, 1e-12);
  for (const double K : {1e4, 1e7}) {
    const RegularisedScene r = regularised(pressed, Regularisation::parse("viscoelastic"), K);
    const Dynamics d = r.scene.posed.mechanism->dynamics(r.scene.posed.state);
    EXPECT_NEAR(-K * d.gap(0), 5, 1e-7) << K;
  }
}

TEST(Regularisation, TheStandardOnesAreAllDifferent) {
  for (const char* name : {"rod-no-solution", "rod-three-solutions", "rod-falling", "table-a1-6a"}) {
    const auto list = standard_regularisations(scene(name));
    EXPECT_GE(list.size(), 3U);
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(Regularisation::parse(list[i].name()).name(), list[i].name());
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(list[i].name(), list[j].name());
    }
  }
}

}  // namespace regularisation_test
}  // namespace painleve
