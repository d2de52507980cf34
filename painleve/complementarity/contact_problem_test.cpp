// The three formulations against their definitions, written out entry by entry.
#include "painleve/complementarity/contact_problem.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace contact_problem_test {

// Three planar contacts: one closed, one 0.02 m above the floor, one held by a guide that is 0.03 m off.
ContactSpace closed_open_and_guided() {
  Draws draws(3);
  Eigen::VectorXd b(6), u(6);
  for (auto& x : b) {
    x = draws.normal();
  }
  for (auto& x : u) {
    x = draws.normal();
  }
  u(1) = u(5) = 0;
  ContactSpace s = closed_contacts(2, drawn_gram(draws, 6, 7, 0.1), b, u, Eigen::Vector3d(0.3, 0.4, 0.5));
  s.drift << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6;
  s.gap << 0, 0.02, 0.03;
  s.bilateral[2] = true;
  return s;
}

TEST(StepProblem, IsTheVelocityAfterTheStepWithoutContactForces) {
  const ContactSpace s = closed_open_and_guided();
  for (const double dt : {0.01, 0.5}) {
    const Formulation step = step_problem(s, {.dt = dt}, {});
    ASSERT_EQ(step.contacts, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(step.problem.W, s.W);
    for (int row = 0; row < 6; ++row) {
      const double shift = row == 3 ? 0.02 / dt : 0;  // the open contact may come down by its gap; the guide has none
      EXPECT_NEAR(step.problem.q(row), s.u(row) + dt * (s.b(row) - s.drift(row)) + shift, 1e-14 * (1 + shift)) << row;
      EXPECT_DOUBLE_EQ(step.shift(row), shift) << row;
    }
    for (const Law law : step.problem.law) {
      EXPECT_EQ(law, Law::resting);
    }
  }
}

TEST(StepProblem, TakesTheDriftWhereAskedAndClosedContactsAlone) {
  const ContactSpace s = closed_open_and_guided();
  const Formulation step = step_problem(s, {.dt = 0.25, .with_drift = true, .form = StepForm::anitescu_potra}, {});
  ASSERT_EQ(step.contacts, (std::vector<int>{0, 2}));
  EXPECT_TRUE(step.shift.isZero(0));
  const int rows[] = {0, 1, 4, 5};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(step.problem.q(k), s.u(rows[k]) + 0.25 * s.b(rows[k]), 1e-15) << k;
    for (int l = 0; l < 4; ++l) {
      EXPECT_EQ(step.problem.W(k, l), s.W(rows[k], rows[l]));
    }
  }
  EXPECT_EQ(step.problem.mu, Eigen::Vector2d(0.3, 0.5));
  EXPECT_FALSE(step.problem.bilateral[0]);
  EXPECT_TRUE(step.problem.bilateral[1]);
}

TEST(StepProblem, TakesStepsWithinTheirBoundsOnly) {
  const ContactSpace s = closed_open_and_guided();
  for (const double dt : {1e-12, 1e6}) {
    EXPECT_NO_THROW(step_problem(s, {.dt = dt}, {})) << dt;
  }
  for (const double dt : {0.9e-12, 1.1e6, 0.0, -0.1, std::nan("")}) {
    EXPECT_THROW(step_problem(s, {.dt = dt}, {}), InputError) << dt;
  }
}

TEST(Scale, IsTheLoadAndTheForceThatItNeeds) {
  const ContactSpace s = closed_open_and_guided();
  ContactProblem p = step_problem(s, {.dt = 0.1}, {}).problem;
  p.W = Eigen::MatrixXd::Identity(6, 6);
  p.W(2, 3) = p.W(3, 2) = -8;
  p.q << 1, -4, 2, 0, 3, 0.5;
  EXPECT_DOUBLE_EQ(scale(p).motion, 4);
  EXPECT_DOUBLE_EQ(scale(p).force, 0.5);
  p.q.setZero();
  EXPECT_DOUBLE_EQ(scale(p).motion, 1);
  EXPECT_DOUBLE_EQ(scale(p).force, 0.125);
  p.W.setZero();
  EXPECT_DOUBLE_EQ(scale(p).force, 1);
}

// Contacts of very different mass get responses of order one, and what was scaled is the same problem.
TEST(Scaled, BringsEveryResponseToOrderOneByPowersOfTwo) {
  const ContactSpace s = closed_open_and_guided();
  ContactProblem p = step_problem(s, {.dt = 0.1}, {}).problem;
  const Eigen::VectorXd mass = (Eigen::VectorXd(6) << 1e3, 1e3, 1, 1, 1e-4, 1e-4).finished();
  p.W = (mass.cwiseInverse().cwiseSqrt().asDiagonal() * p.W * mass.cwiseInverse().cwiseSqrt().asDiagonal()).eval();
  const ScaledProblem units = scaled(p);
  for (int i = 0; i < 3; ++i) {
    const double own = units.problem.W.diagonal().segment(2 * i, 2).maxCoeff();
    EXPECT_GE(own, 0.5) << i;
    EXPECT_LE(own, 2) << i;
    EXPECT_EQ(units.factor(2 * i), units.factor(2 * i + 1)) << "one unit per contact";
  }
  for (int i = 0; i < 6; ++i) {
    int exponent = 0;
    EXPECT_EQ(std::frexp(units.factor(i), &exponent), 0.5) << "no digit is lost by a power of two";
    EXPECT_EQ(units.problem.q(i), units.factor(i) * p.q(i));
    for (int j = 0; j < 6; ++j) {
      EXPECT_EQ(units.problem.W(i, j), units.factor(i) * p.W(i, j) * units.factor(j));
    }
  }
}

TEST(Scaled, AContactThatNothingMovesKeepsTheUnitOfTheOthers) {
  const ContactSpace s = closed_open_and_guided();
  ContactProblem p = step_problem(s, {.dt = 0.1}, {}).problem;
  p.W = Eigen::VectorXd::Constant(6, 64).asDiagonal();
  p.W.block(2, 2, 2, 2).setZero();
  EXPECT_EQ(scaled(p).factor, Eigen::VectorXd::Constant(6, 0.125));
  p.W.setZero();
  EXPECT_EQ(scaled(p).factor, Eigen::VectorXd::Ones(6));
}

TEST(LargestResponse, IsTheLargestEntryOfAnySize) {
  Draws draws(4);
  for (const int rows : {0, 1, 2, 3, 4, 6}) {
    ContactProblem p;
    p.W = Eigen::MatrixXd::Zero(rows, rows);
    for (double& x : p.W.reshaped()) x = draws.normal();
    EXPECT_EQ(largest_response(p), rows > 0 ? p.W.cwiseAbs().maxCoeff() : 0) << rows;
  }
}

TEST(StepProblem, AGapOfTheToleranceIsNone) {
  ContactSpace s = closed_open_and_guided();
  const Tolerance tolerance;
  for (const double gap : {tolerance.gap, -tolerance.gap}) {
    s.gap(0) = gap;
    EXPECT_EQ(step_problem(s, {.dt = 0.25}, tolerance).shift(1), 0) << gap;
    s.gap(0) = 1.001 * gap;
    EXPECT_EQ(step_problem(s, {.dt = 0.25}, tolerance).shift(1), 1.001 * gap / 0.25) << gap;
  }
}

}  // namespace contact_problem_test
}  // namespace painleve
