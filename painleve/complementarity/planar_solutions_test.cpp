// The kernel against the tree of words, and the published solutions of the Painlevé example in all three formulations.
#include "painleve/complementarity/planar_solutions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace planar_solutions_test {

// The falling rod of Preclik & Rüde: sliding to the left at 60 degrees, mu = 3/2, all constants one; `torque` is
// theirs.
PlanarContact rod(double torque) {
  const double phi = std::acos(-1.0) / 3;
  const double s = std::sin(phi);
  const double c = std::cos(phi);
  // J_t = (1, 0, sin φ), J_n = (0, 1, −cos φ) for half length 1; M = diag(1, 1, 1/3).
  return {1 + 3 * s * s, -3 * s * c, 1 + 3 * c * c, 3 * s * torque, -1 - 3 * c * torque, -1, 1.5};
}
PlanarContact at_rest(PlanarContact c, double dt) {  // one time step of it
  const double v_t = c.u_t;
  c.b_t = v_t + dt * c.b_t;
  c.b_n = dt * c.b_n;
  c.u_t = 0;
  return c;
}

constexpr double case_N = 0;
constexpr double case_M = -5.0 / 3;

TEST(PainleveExample, ForcesAndAccelerations) {
  EXPECT_EQ(planar_solutions(rod(case_N)).count, 0);
  const PlanarSolutions m = planar_solutions(rod(case_M));
  ASSERT_EQ(m.count, 2);
  EXPECT_EQ(m.solutions[0].mode, mode_F);
  EXPECT_EQ(m.solutions[1].mode, mode_S_minus);
  const double lambda_n = 1.5 / (9 * std::sqrt(3.0) / 8 - 1.75);
  EXPECT_NEAR(m.solutions[1].r_n, lambda_n, 1e-11);
  EXPECT_NEAR(m.solutions[1].r_t, 1.5 * lambda_n, 1e-11);
  EXPECT_NEAR(m.solutions[1].r_n, 7.5545, 5e-5);
  EXPECT_NEAR(m.solutions[1].r_t, 11.3317, 5e-5);
}

TEST(PainleveExample, ImpulsesAreTheSameInBothCases) {
  for (const double torque : {case_N, case_M}) {
    const PlanarSolutions set = planar_solutions(at_rest(rod(torque), 0));
    ASSERT_EQ(set.count, 2);
    EXPECT_EQ(set.solutions[0].r_n, 0);
    EXPECT_EQ(set.solutions[1].mode, mode_T);
    EXPECT_NEAR(set.solutions[1].r_n, 3 * std::sqrt(3.0) / 16, 1e-15);
    EXPECT_NEAR(set.solutions[1].r_t, 7.0 / 16, 1e-15);
  }
}

TEST(PainleveExample, TimeStepIsLinearInItsLength) {
  for (const double dt : {0.04, 0.01, 1e-3, 1e-5}) {
    const PlanarSolutions n = planar_solutions(at_rest(rod(case_N), dt));
    ASSERT_EQ(n.count, 1) << dt;
    EXPECT_NEAR(n.solutions[0].r_n, 3 * std::sqrt(3.0) / 16 + dt * 13 / 16, 1e-14);
    EXPECT_NEAR(n.solutions[0].r_t, 7.0 / 16 + dt * 3 * std::sqrt(3.0) / 16, 1e-14);
    const PlanarSolutions m = planar_solutions(at_rest(rod(case_M), dt));
    ASSERT_EQ(m.count, 3) << dt;
    EXPECT_EQ(m.solutions[0].r_n, 0);
    EXPECT_NEAR(m.solutions[1].r_n, dt * 7.554499, 1e-5 * dt);
    EXPECT_NEAR(m.solutions[2].r_n, 3 * std::sqrt(3.0) / 16 + dt * 3 / 16, 1e-14);
  }
  const PlanarSolutions n = planar_solutions(at_rest(rod(case_N), 0.01));
  EXPECT_NEAR(n.solutions[0].r_n, 0.3329, 5e-5);
  EXPECT_NEAR(n.solutions[0].r_t, 0.4407, 5e-5);
  const PlanarSolutions m = planar_solutions(at_rest(rod(case_M), 0.01));
  EXPECT_NEAR(m.solutions[1].r_n, 0.0755, 5e-5);
  EXPECT_NEAR(m.solutions[1].r_t, 0.1133, 5e-5);
  EXPECT_NEAR(m.solutions[2].r_n, 0.3266, 5e-5);
  EXPECT_NEAR(m.solutions[2].r_t, 0.4516, 5e-5);
}

// The sliding solution ends where sliding stops within the step: dt = 0.0440830….
TEST(PainleveExample, SlidingSolutionEndsWithLongSteps) {
  double below = 0.04;
  double above = 0.05;
  for (int k = 0; k < 60; ++k) {
    const double middle = (below + above) / 2;
    (planar_solutions(at_rest(rod(case_M), middle)).count == 3 ? below : above) = middle;
  }
  EXPECT_NEAR(below, 0.0440830, 5e-8);
  EXPECT_EQ(planar_solutions(at_rest(rod(case_M), 0.05)).count, 1) << "stick and slide meet and vanish together";
}

TEST(PlanarSolutions, EqualTheTreeOfWords) {
  Draws draws(3);
  int several = 0;
  for (int k = 0; k < 20000; ++k) {
    const PlanarContact c = drawn_planar(draws, k % 3 - 1);
    const PlanarSolutions set = planar_solutions(c);
    if (set.degenerate) continue;
    const ContactProblem p = acceleration_problem(one_contact(c), {}).problem;
    const ContactSolutions all = all_solutions(p);
    ASSERT_EQ(static_cast<std::size_t>(set.count), all.solutions.size()) << k;
    for (const auto& s : set) {
      EXPECT_LT(s.residual, 1e-12) << k;
      EXPECT_GE(index_of(p, all, Eigen::Vector2d(s.r_t, s.r_n), Eigen::Vector2d(s.w_t, s.w_n), 1e-9), 0) << k;
    }
    several += set.count > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 1000);
}

TEST(PlanarSolutions, CertificateSeesAWrongForce) {
  const PlanarContact c = at_rest(rod(case_M), 0.01);
  const PlanarModes m = planar_modes(c);
  EXPECT_LT(planar_residual(c, m.stick), 1e-14);
  PlanarForce wrong = m.stick;
  wrong.lambda_n *= 1 + 1e-6;
  EXPECT_GT(planar_residual(c, wrong), 1e-7);
  wrong = m.slip_minus;
  wrong.lambda_t = -wrong.lambda_t;
  EXPECT_GT(planar_residual(c, wrong), 0.1);
}

}  // namespace planar_solutions_test
}  // namespace painleve
