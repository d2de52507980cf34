#include "painleve/simulation/time_stepping_choice.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/solution_set.hpp"

namespace painleve::detail {
namespace time_stepping_choice_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactProblem resting(int dimension, const MatrixXd& W, const VectorXd& q, double mu) {
  ContactProblem p;
  p.dimension = dimension;
  p.W = W;
  p.q = q;
  const Eigen::Index count = q.size() / dimension;
  p.mu = VectorXd::Constant(count, mu);
  p.bilateral.assign(static_cast<std::size_t>(count), false);
  p.law.assign(static_cast<std::size_t>(count), Law::resting);
  p.slip = MatrixXd::Zero(dimension - 1, count);
  return p;
}

// The first step of Preclik & Rüde's case M with dt = 0.01, from the formulas of the rod.
ContactProblem case_M() {
  const double root3 = std::sqrt(3.0);
  Eigen::Matrix2d W;
  W << 3.25, -0.75 * root3, -0.75 * root3, 1.75;
  return resting(2, W, Eigen::Vector2d(-1 - 0.01 * 2.5 * root3, 0.01 * 1.5), 1.5);
}

StepSolutions solutions_of(const ContactProblem& p) {
  StepSolutions s;
  find_solutions(
      p, [&] { return VectorXd::Zero(p.q.size()).eval(); }, s);
  return s;
}

int chosen(Policy policy, const ContactProblem& p, const StepHistory& history) {
  Draws draws(0);
  return choose(policy, p, solutions_of(p), history, draws);
}

TEST(StepChoice, WhatThePoliciesTakeOfThree) {
  const ContactProblem p = case_M();
  const StepSolutions s = solutions_of(p);
  ASSERT_EQ(s.count, 3);
  EXPECT_EQ(s.list[0].letters, std::vector{StepLetter::free});
  EXPECT_EQ(s.list[1].letters, std::vector{StepLetter::slip_minus});
  EXPECT_EQ(s.list[2].letters, std::vector{StepLetter::stick});
  EXPECT_EQ(step_word(s.list[1].letters), "S-");
  // Nothing pressed it without friction: Painlevé's principle opens it, whatever was before.
  for (int k = 0; k < 3; ++k) {
    const auto& last = s.list[static_cast<std::size_t>(k)];
    const StepHistory history{true, last.Lambda, last.letters};
    EXPECT_EQ(chosen(Policy::principle, p, history), 0);
    // In the stiff limit what is there stays, unless it is the sliding that no spring holds; F is the nearer then.
    EXPECT_EQ(chosen(Policy::stiff_limit, p, history), k == 2 ? 2 : 0);
  }
  EXPECT_EQ(chosen(Policy::stiff_limit, p, {}), 0);
  // Sliding under a force nearer to that of stick goes there.
  EXPECT_EQ(chosen(Policy::stiff_limit, p, {true, Eigen::Vector2d(0.4, 0.3), {StepLetter::slip_minus}}), 2);
}

TEST(StepChoice, StabilityOfSlipIsTheSignOfP) {
  const ContactProblem p = case_M();
  const StepSolutions s = solutions_of(p);
  EXPECT_LT(painleve_parameter(p, 0, VectorXd::Constant(1, -1)), 0);
  EXPECT_NEAR(painleve_parameter(p, 0, VectorXd::Constant(1, -1)), 1.75 - 9 * std::sqrt(3.0) / 8, 1e-15);
  EXPECT_TRUE(stable(p, s.list[0]));
  EXPECT_FALSE(stable(p, s.list[1]));
  EXPECT_TRUE(stable(p, s.list[2]));
  // Two such contacts that do not feel each other: one unstable one spoils the pair.
  MatrixXd W = MatrixXd::Zero(4, 4);
  W.topLeftCorner(2, 2) = W.bottomRightCorner(2, 2) = p.W;
  VectorXd q(4);
  q << p.q, p.q;
  const ContactProblem pair = resting(2, W, q, 1.5);
  const StepSolutions nine = solutions_of(pair);
  ASSERT_EQ(nine.count, 9);
  for (int k = 0; k < 9; ++k) {
    const StepSolution& one = nine.list[static_cast<std::size_t>(k)];
    EXPECT_EQ(stable(pair, one), step_word(one.letters).find('S') == std::string::npos) << step_word(one.letters);
  }
  EXPECT_EQ(chosen(Policy::principle, pair, {}), 0);
}

// Four contacts that all stick stop a body in the plane three times over: no gap is left to be stable or not.
TEST(StepChoice, ContactsThatHoldEveryGapAreStable) {
  Draws draws(3);
  MatrixXd J(8, 3);
  for (int i = 0; i < J.size(); ++i) J.data()[i] = draws.uniform(-1, 1);
  const ContactProblem p = resting(2, J * J.transpose(), VectorXd::Zero(8), 1);
  StepSolution s;
  s.Lambda = VectorXd::Ones(8);
  s.w = VectorXd::Zero(8);
  s.letters.assign(4, StepLetter::stick);
  EXPECT_TRUE(stable(p, s));
}

// The kernel for one planar contact against the enumeration for any number.
TEST(StepChoice, KernelAndEnumerationAgree) {
  Draws draws(11);
  std::vector<int> counts(4, 0);
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Matrix2d L = Eigen::Matrix2d::NullaryExpr([&] { return draws.normal(); });
    const ContactProblem p =
        resting(2, L * L.transpose(), Eigen::Vector2d(draws.normal(), draws.normal()), 3 * draws.uniform());
    const StepSolutions s = solutions_of(p);
    const ContactSolutions all = all_solutions(p);
    ASSERT_EQ(s.count, static_cast<int>(all.solutions.size())) << k;
    ASSERT_LT(s.count, 4);
    ++counts[static_cast<std::size_t>(s.count)];
    for (std::size_t i = 0; i < all.solutions.size(); ++i) {
      EXPECT_LT((s.list[i].Lambda - all.solutions[i].r).norm(), 1e-9 * (1 + all.solutions[i].r.norm()));
      EXPECT_EQ(step_word(s.list[i].letters), all.solutions[i].mode);
    }
  }
  EXPECT_EQ(counts[0], 0) << "a step always has a solution";
  EXPECT_GT(counts[1], 100);
  EXPECT_GT(counts[3], 20);
}

TEST(StepChoice, ManyContactsHaveACertifiedSolution) {
  Draws draws(5);
  for (const int dimension : {2, 3}) {
    for (int k = 0; k < 40; ++k) {
      const int rows = dimension * 6;
      const MatrixXd L = MatrixXd::NullaryExpr(rows, rows, [&] { return draws.normal(); });
      const ContactProblem p =
          resting(dimension, L * L.transpose(), VectorXd::NullaryExpr(rows, [&] { return draws.normal(); }), 0.3);
      const StepSolutions s = solutions_of(p);
      ASSERT_EQ(s.count, 1) << dimension << " " << k;
      EXPECT_FALSE(s.complete);
      EXPECT_LT(law_residual(p, s.list[0].Lambda, s.list[0].w), 1e-9);
      for (int i = 0; i < p.count(); ++i) {
        const bool presses = s.list[0].Lambda(p.normal(i)) > 1e-9;
        EXPECT_EQ(s.list[0].letters[static_cast<std::size_t>(i)] != StepLetter::free, presses);
      }
    }
  }
}

// Two guides that hold one body: their tangents move as one, so that velocities without their last digits contradict
// each other. Loads that die away have a solution all the way down to zero.
TEST(StepChoice, LoadsMayDieAway) {
  const Eigen::Matrix<double, 4, 3> J{{1, 0, 0}, {0, 1, 0}, {1, 0, -0.93}, {0, 1, 0.36}};
  ContactProblem p = resting(2, J * J.transpose(), VectorXd::Zero(4), 0.5);
  p.bilateral = {true, true};
  const Eigen::Vector3d v(0.3, 0.7, -0.2);
  for (double size = 1; size > 0; size *= 0.1) {
    p.q = J * (size * v);
    EXPECT_GT(solutions_of(p).count, 0) << size;
  }
  p.q.setZero();
  const StepSolutions none = solutions_of(p);
  ASSERT_EQ(none.count, 1);
  EXPECT_TRUE(none.list[0].Lambda.isZero(0));
  EXPECT_EQ(step_word(none.list[0].letters), "TT");
}

}  // namespace time_stepping_choice_test
}  // namespace painleve::detail
