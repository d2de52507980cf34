// The complementarity problems of named scenes.
#include "painleve/scene/solving.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "painleve/base/error.hpp"

namespace painleve {
namespace solving_test {

SolveReport solved(const std::string& scene, FormulationKind kind, const std::vector<std::string>& set = {},
                   double dt = 0.01) {
  SceneSource source = SceneSource::open(scene);
  for (const auto& assignment : set) source.set(assignment);
  SolveOptions options;
  options.formulation = kind;
  options.step.dt = dt;
  return solve(source.build(), options);
}

TEST(Solve, ArmHasTwoForcesWithTheTorqueAndNoneWithout) {
  const SolveReport two = solved("arm-two-solutions", FormulationKind::acceleration);
  ASSERT_EQ(two.set.solutions.size(), 2U);
  EXPECT_EQ(two.set.solutions[0].r.norm(), 0);
  EXPECT_NEAR(two.set.solutions[1].r(2), 10.2911526778, 5e-11);
  EXPECT_TRUE(two.set.complete);
  const SolveReport none = solved("arm-two-solutions", FormulationKind::acceleration, {"torque1=0"});
  EXPECT_TRUE(none.set.solutions.empty());
  EXPECT_TRUE(none.set.complete);
  EXPECT_EQ(none.verdict, "none");
}

TEST(Solve, SolversReachMembersOfTheList) {
  const SolveReport step = solved("rod-no-solution", FormulationKind::step);
  EXPECT_TRUE(step.pivoting.guaranteed);
  EXPECT_EQ(step.pivoting_index, 0);
  EXPECT_EQ(step.projected_index, 0);
  EXPECT_EQ(step.block_index, 0);
  const SolveReport three = solved("rod-three-solutions", FormulationKind::step);
  EXPECT_GE(three.pivoting_index, 0);
  EXPECT_GE(three.projected_index, 0);
  EXPECT_GE(three.block_index, 0);
}

// The projected sweep runs away by the factor of the paradox.
TEST(Solve, GrowthIsTheFactorOfTheParadox) {
  const SolveReport none = solved("rod-no-solution", FormulationKind::acceleration);
  EXPECT_EQ(none.projected.status, SweepStatus::growing);
  const auto& W = none.scene.space.W;
  EXPECT_NEAR(none.projected.factor, 1.5 * std::abs(W(0, 1)) / W(1, 1), 1e-9);
  EXPECT_EQ(none.pivoting.report.status, LemkeStatus::ray);
  EXPECT_FALSE(none.pivoting.guaranteed);
}

TEST(Solve, WedgeHangsOrFalls) {
  const double edge = std::tan(0.2);
  for (const double mu : {edge * 0.99, edge * 1.01}) {
    const SolveReport wedge = solved("wedge", FormulationKind::acceleration, {"mu=" + std::to_string(mu)});
    const bool hangs = mu > edge;
    ASSERT_EQ(wedge.set.solutions.size(), hangs ? 2U : 1U) << mu;
    EXPECT_EQ(wedge.set.solutions[0].mode, "FF");
    EXPECT_EQ(wedge.verdict, hangs ? "several" : "one");
    if (!hangs) continue;
    EXPECT_EQ(wedge.set.solutions[1].mode, "TT");
    EXPECT_EQ(wedge.set.solutions[1].family.dimension, 1);
    EXPECT_EQ(wedge.set.solutions[1].family.motion_dimension, 0);
  }
}

TEST(Solve, ThreeFeetShareTheLoadInManyWays) {
  SceneSource source = SceneSource::parse(R"(
schema = 1
mechanism = "rigid-body"
[parameters]
points = [[-1, -1], [0.2, -1], [1, -1]]
normals = [[0, 1], [0, 1], [0, 1]]
)",
                                          "three feet");
  const SolveReport three = solve(source.build(), {});
  ASSERT_EQ(three.set.solutions.size(), 1U);
  EXPECT_EQ(three.set.solutions[0].mode, "TTT");
  EXPECT_EQ(three.set.solutions[0].family.dimension, 3);
  EXPECT_EQ(three.verdict, "one");
}

TEST(Solve, StepSeesAContactThatIsStillOpen) {
  // Falling freely from 1 mm: the step is long enough to land in.
  const std::vector<std::string> above = {
      "contact.tip.closed=false", "theta=90deg", "y=1.001", "x_dot=0", "y_dot=-1", "theta_dot=0"};
  const SolveReport step = solved("rod", FormulationKind::step, above, 0.01);
  ASSERT_EQ(step.set.solutions.size(), 1U);
  EXPECT_GT(step.set.solutions[0].r(1), 0);
  EXPECT_NEAR(step.set.solutions[0].w(1) - step.formulation.shift(1), -0.1, 1e-12) << "it falls the gap in one step";
  SceneSource source = SceneSource::open("rod");
  for (const auto& assignment : above) source.set(assignment);
  SolveOptions closed_only;
  closed_only.formulation = FormulationKind::step;
  closed_only.step.form = StepForm::anitescu_potra;
  EXPECT_EQ(solve(source.build(), closed_only).formulation.problem.count(), 0);
}

TEST(Solve, DriftIsAddedWhenAskedFor) {
  SceneSource source = SceneSource::open("rod");
  for (const char* assignment : {"theta=50deg", "theta_dot=3", "mu=0.3"}) source.set(assignment);
  SolveOptions options;
  options.formulation = FormulationKind::step;
  const Formulation without = solve(source.build(), options).formulation;
  options.step.with_drift = true;
  const SolveReport with = solve(source.build(), options);
  const Eigen::VectorXd added = with.formulation.problem.q - without.problem.q;
  EXPECT_LT((added - 0.01 * with.scene.space.drift).norm(), 1e-15);
  EXPECT_GT(added.norm(), 1e-3);
}

TEST(Solve, RefusesWhatHasNoContactSpace) {
  EXPECT_THROW(solved("table-a1-6a", FormulationKind::acceleration), InputError);
  EXPECT_THROW(solved("rod", FormulationKind::step, {}, -1), InputError);
}

}  // namespace solving_test
}  // namespace painleve
