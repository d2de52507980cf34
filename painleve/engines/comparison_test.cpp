// The judgement of answers: every solution is recognised, nothing else is, and residuals name what is wrong.
#include "painleve/engines/comparison.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "painleve/base/error.hpp"

namespace painleve {
namespace comparison_test {

SolvedCase solved(const std::string& name) {
  SolvedCase problem;
  problem.given = engine_case(SceneSource::open(name).build(), 0.01);
  problem.set = all_solutions(problem.given.formulation.problem);
  return problem;
}

EngineReply impulses(const Eigen::VectorXd& Lambda) {
  EngineReply reply;
  reply.Lambda = Lambda;
  return reply;
}

// The bodies' velocities after these impulses, from Newton's and Euler's laws.
EngineReply motion(const EngineCase& given, const Eigen::VectorXd& Lambda) {
  EngineReply reply;
  const Eigen::VectorXd push = given.dt * body_force(given) + body_jacobian(given).transpose() * Lambda;
  reply.velocities = body_velocity(given) + body_mass_matrix(given).ldlt().solve(push);
  return reply;
}

TEST(Comparison, EverySolutionIsRecognisedByImpulsesAndByMotion) {
  for (const char* name : {"rod-no-solution", "rod-three-solutions", "fig15a", "legs-ambiguous", "wedge", "rod-3d",
                           "painleve-block", "brake-squeal"}) {
    const SolvedCase problem = solved(name);
    ASSERT_FALSE(problem.set.solutions.empty()) << name;
    for (std::size_t k = 0; k < problem.set.solutions.size(); ++k) {
      const Eigen::VectorXd& r = problem.set.solutions[k].r;
      for (const EngineReply& reply : {impulses(r), motion(problem.given, r)}) {
        const EngineAnswer answer = judged(problem, reply, 1e-6);
        EXPECT_EQ(answer.solution, static_cast<int>(k)) << name << " " << answer.distance;
        EXPECT_LT(answer.residuals.law, 1e-9) << name;
        EXPECT_LT(answer.unexplained, 1e-12) << name;
      }
    }
  }
}

// Two routes to the energy: of the bodies, and of the impulses in contact space. Surfaces may move (the brake).
TEST(Comparison, EnergiesOfBodiesAndOfImpulsesAgree) {
  for (const char* name : {"rod-three-solutions", "fig15a", "brake-squeal", "rod-3d"}) {
    const SolvedCase problem = solved(name);
    for (const auto& s : problem.set.solutions) {
      const double of_impulses = judged(problem, impulses(s.r), 1e-6).energy;
      const double of_bodies = judged(problem, motion(problem.given, s.r), 1e-6).energy;
      EXPECT_NEAR(of_bodies, of_impulses, 1e-12 * (1 + std::abs(of_impulses))) << name;
      EXPECT_LE(of_impulses, 1e-12) << name;
    }
  }
}

TEST(Comparison, WhatIsNoSolutionIsNone) {
  const SolvedCase problem = solved("rod-no-solution");
  // (t, n): what ODE's dWorldStep returns
  const EngineAnswer answer = judged(problem, impulses(Eigen::Vector2d(0.0086, 0.0121)), 1e-3);
  EXPECT_EQ(answer.solution, -1);
  EXPECT_EQ(answer.nearest, 0);
  EXPECT_GT(answer.distance, 0.9);
  EXPECT_GT(answer.residuals.law, 1e-2);
}

// Half a per cent off counts as none at 1e-3 and as the solution at 1e-2, however small the impulse is beside the
// velocities.
TEST(Comparison, TheToleranceIsOfTheImpulse) {
  const SolvedCase control = control_case(solved("rod-no-solution").given, {});
  const Eigen::VectorXd near = 1.005 * control.set.solutions[0].r;
  EXPECT_EQ(judged(control, impulses(near), 1e-3).solution, -1);
  EXPECT_EQ(judged(control, impulses(near), 1e-2).solution, 0);
}

TEST(Comparison, ResidualsNameWhatIsWrong) {
  const ContactProblem p = solved("rod-no-solution").given.formulation.problem;
  const auto of = [&](double r_t, double r_n, double w_t, double w_n) {
    return contact_residuals(p, Eigen::Vector2d(r_t, r_n), Eigen::Vector2d(w_t, w_n));
  };
  EXPECT_DOUBLE_EQ(of(0, 0, 1, -2).penetration, 2);
  EXPECT_DOUBLE_EQ(of(0, -3, 0, 0).pull, 3);
  EXPECT_DOUBLE_EQ(of(0, 2, 0, 3).complementarity, 6);
  EXPECT_DOUBLE_EQ(of(4, 2, 0, 0).cone, 1);             // 4 − 1.5·2
  EXPECT_DOUBLE_EQ(of(-3, 2, -0.5, 0).dissipation, 3);  // pushes along the slip: 1.5 + 1.5
  EXPECT_DOUBLE_EQ(of(3, 2, -0.5, 0).dissipation, 0);
  EXPECT_DOUBLE_EQ(of(3, 2, -0.5, 0).cone, 0);
  const Eigen::Vector2d r(0.1, 0.2);
  EXPECT_NEAR(contact_residuals(p, r, p.W * r + p.q + Eigen::Vector2d(0.25, 0)).motion, 0.25, 1e-15);
}

// An impulse that an engine reports but did not apply does not pass.
TEST(Comparison, ImpulsesMustExplainTheMotion) {
  const SolvedCase problem = solved("rod-three-solutions");
  EngineReply reply = motion(problem.given, problem.set.solutions[0].r);  // it opens
  reply.Lambda = problem.set.solutions[2].r;                              // and claims to stick
  const EngineAnswer answer = judged(problem, reply, 1e-3);
  EXPECT_EQ(answer.solution, -1);
  EXPECT_GT(answer.residuals.motion, 0.5);
  EXPECT_GT(answer.unexplained, 0.1);
}

TEST(Comparison, ControlsAreRegularAndPressed) {
  const SolvedCase none = control_case(solved("rod-no-solution").given, {});
  ASSERT_EQ(none.set.solutions.size(), 1U);
  EXPECT_EQ(none.about, "mu = 0.3");
  EXPECT_NEAR(none.set.solutions[0].r(1), 0.0074, 5e-5);
  EXPECT_NEAR(none.set.solutions[0].r(0), 0.0022, 5e-5);
  // With its torque the tip would open whatever the friction, and test nothing.
  const SolvedCase three = control_case(solved("rod-three-solutions").given, {});
  EXPECT_EQ(three.about, "mu = 0.3, without the applied forces");
  EXPECT_LT((three.set.solutions[0].r - none.set.solutions[0].r).norm(), 1e-15);
  EXPECT_EQ(three.given.bodies[0].torque, Eigen::Vector3d::Zero());
  EXPECT_EQ(three.given.contacts[0].mu, 0.3);
}

TEST(Comparison, ControlFrictionCanBeGiven) {
  const EngineCase given = solved("rod-no-solution").given;
  EXPECT_EQ(control_case(given, 0.1).given.formulation.problem.mu(0), 0.1);
  EXPECT_THROW(control_case(given, -1), InputError);
}

TEST(Comparison, EveryScenarioHasAControl) {
  for (const auto& scenario : scenarios()) {
    const Scene scene = SceneSource::open(scenario.name).build();
    EngineCase given;
    try {
      given = engine_case(scene, 0.01);
    } catch (const InputError&) {
      continue;  // drifting or bilateral contacts
    }
    const SolvedCase control = control_case(given, {});
    EXPECT_EQ(control.set.solutions.size(), 1U) << scenario.name;
    EXPECT_LE(control.given.formulation.problem.mu.maxCoeff(), 0.3) << scenario.name;
  }
}

TEST(Comparison, MistakesOfTheUserAreNamed) {
  const Scene scene = SceneSource::open("rod").build();
  CompareOptions options;
  options.engines = {"odde"};
  EXPECT_THROW(compare(scene, options), InputError);
  options.engines = {};
  options.tolerance = 0;
  EXPECT_THROW(compare(scene, options), InputError);
  options.tolerance = 1e-3;
  options.seconds = -1;
  EXPECT_THROW(compare(scene, options), InputError);
}

}  // namespace comparison_test
}  // namespace painleve
