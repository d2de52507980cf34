// The C functions on every shipped scene of one or two planar contacts: the numbers that `painleve analyze` and
// `painleve solve` print.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "painleve/c/painleve.h"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/solving.hpp"

namespace c_abi_test {

using namespace painleve;

painleve_contacts to_c(const Scene& scene) {
  const ContactSpace& s = scene.space;
  painleve_contacts c{};
  c.count = s.count();
  c.tolerance_gap = scene.tolerance.gap;
  c.tolerance_velocity = scene.tolerance.velocity;
  for (int i = 0; i < 2 * c.count; ++i) {
    c.b[i] = s.b(i);
    c.drift[i] = s.drift(i);
    c.u[i] = s.u(i);
    for (int j = 0; j < 2 * c.count; ++j) c.W[i][j] = s.W(i, j);
  }
  for (int i = 0; i < c.count; ++i) {
    c.gap[i] = s.gap(i);
    c.mu[i] = s.mu(i);
    c.bilateral[i] = s.bilateral[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return c;
}

std::string word_of(const painleve_solution& s) {
  char word[PAINLEVE_WORD_SIZE];
  return painleve_word(&s, word);
}

void expect_near(double ours, double theirs) { EXPECT_NEAR(ours, theirs, 1e-11 * (1 + std::abs(theirs))); }

void expect_optional(int32_t known, int32_t bit, double ours, const std::optional<double>& theirs) {
  EXPECT_EQ((known & bit) != 0, theirs.has_value());
  if (theirs) expect_near(ours, *theirs);
}

void compare_analysis(const Scene& scene) {
  const painleve_contacts c = to_c(scene);
  painleve_analysis ours;
  ASSERT_EQ(painleve_analyze(&c, &ours), PAINLEVE_OK);
  const Analysis theirs = analyze(scene);
  EXPECT_EQ(painleve_verdict_text(ours.modes.verdict), theirs.modes.verdict);
  EXPECT_EQ(ours.jam != 0, theirs.modes.jam);
  EXPECT_EQ(ours.modes.force_family_dimension, theirs.modes.force_family_dimension);
  EXPECT_EQ(ours.modes.motion_family_dimension, theirs.modes.motion_family_dimension);
  for (int i = 0; i < c.count; ++i) {
    const painleve_contact_report& a = ours.contact[i];
    const ContactReport& b = theirs.contacts[static_cast<std::size_t>(i)];
    EXPECT_EQ(a.touch, static_cast<int>(b.touch));
    expect_optional(a.known, PAINLEVE_HAS_P, a.p, b.p);
    expect_optional(a.known, PAINLEVE_HAS_MU_CRIT, a.mu_crit, b.cone.mu_crit);
    expect_optional(a.known, PAINLEVE_HAS_MU_JAM, a.mu_jam, b.cone.mu_jam);
    // A small difference of responses, whose digits the two routes round differently.
    EXPECT_EQ((a.known & PAINLEVE_HAS_MU_JAM_HELD) != 0, b.mu_jam_held.has_value());
    if (b.mu_jam_held) {
      EXPECT_NEAR(a.mu_jam_held, *b.mu_jam_held, 1e-9 * *b.mu_jam_held);
    }
  }
  int k = 0;
  for (const ModeEntry& mode : theirs.modes.modes) {
    if (!mode.consistent) continue;
    ASSERT_LT(k, ours.modes.count);
    const painleve_solution& s = ours.modes.solution[k++];
    EXPECT_EQ(word_of(s), mode.name);
    EXPECT_EQ(s.boundary != 0, mode.boundary);
    for (std::size_t i = 0; i < theirs.modes.closed.size(); ++i) {
      for (int n = 0; n < 2; ++n) {
        const int at = 2 * theirs.modes.closed[i] + n;
        expect_near(s.force[at], (*mode.lambda)(2 * static_cast<int>(i) + n));
        expect_near(s.motion[at], (*mode.a)(2 * static_cast<int>(i) + n));
      }
    }
  }
  EXPECT_EQ(k, ours.modes.count);
}

void compare_solutions(const Scene& scene, FormulationKind kind, double dt) {
  const painleve_contacts c = to_c(scene);
  painleve_solutions ours;
  ASSERT_EQ(painleve_solve(&c, static_cast<int32_t>(kind), dt, &ours), PAINLEVE_OK);
  SolveOptions options;
  options.formulation = kind;
  options.step.dt = dt;
  const SolveReport theirs = solve(scene, options);
  const std::string verdict = ours.verdict == PAINLEVE_UNIQUE         ? "one"
                              : ours.verdict == PAINLEVE_INCONSISTENT ? "none"
                                                                      : "several";
  EXPECT_EQ(verdict, theirs.verdict);
  ASSERT_EQ(ours.count, static_cast<int>(theirs.set.solutions.size()));
  for (int k = 0; k < ours.count; ++k) {
    const ContactSolution& s = theirs.set.solutions[static_cast<std::size_t>(k)];
    EXPECT_EQ(word_of(ours.solution[k]), s.mode);
    EXPECT_EQ(ours.solution[k].force_family_dimension, s.family.dimension);
    EXPECT_LE(ours.solution[k].residual, 1e-12);
    const Eigen::VectorXd motion = s.w - theirs.formulation.shift;
    for (std::size_t i = 0; i < theirs.formulation.contacts.size(); ++i) {
      for (int n = 0; n < 2; ++n) {
        const int at = 2 * theirs.formulation.contacts[i] + n;
        expect_near(ours.solution[k].force[at], s.r(2 * static_cast<int>(i) + n));
        expect_near(ours.solution[k].motion[at], motion(2 * static_cast<int>(i) + n));
      }
    }
  }
}

TEST(CAbi, EveryShippedSceneHasTheNumbersOfTheProgram) {
  int scenes = 0;
  for (const Scenario& scenario : scenarios()) {
    const Scene scene = SceneSource::open(scenario.name).build();
    const bool fits =
        scene.kind != SceneKind::drifting_contacts && scene.space.dimension == 2 && scene.space.count() <= 2;
    if (!fits) continue;
    SCOPED_TRACE(scenario.name);
    ++scenes;
    compare_analysis(scene);
    compare_solutions(scene, FormulationKind::acceleration, 0);
    compare_solutions(scene, FormulationKind::impulse, 0);
    for (const double dt : {0.01, 1e-4}) compare_solutions(scene, FormulationKind::step, dt);
  }
  EXPECT_GE(scenes, 20);
}

}  // namespace c_abi_test
