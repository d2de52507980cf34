// Drifts of two slipping contacts, against eigenvalues: springs of which only one is damped, and what was passed.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/modes/slip_transitions.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {
namespace {

SlipDrift drawn_drift(Draws& draws, const Eigen::Vector2d& damping) {
  SlipDrift d;
  for (double& x : d.P.reshaped()) {
    x = draws.normal();
  }
  for (double& x : d.P_rate.reshaped()) {
    x = draws.normal();
  }
  d.b = {draws.normal(), draws.normal()};
  d.b_rate = {draws.normal(), draws.normal()};
  d.springs.stiffness = {std::exp(draws.normal()), std::exp(draws.normal())};
  d.springs.damping = damping;
  return d;
}

bool slips_stably(const SlipDrift& d, double t) {
  const Eigen::Matrix2d P = d.P + t * d.P_rate;
  const Eigen::Vector2d lambda = -P.fullPivLu().solve(d.b + t * d.b_rate);
  return lambda.minCoeff() > 0 && growth(P, d.springs.stiffness, d.springs.damping).rate < 0;
}

TEST(SlipDrifts, OfWhichOneContactIsDampedEndWhereTheEigenvaluesSay) {
  Draws draws(11);
  std::map<std::string, int> seen;
  for (int i = 0; i < 4000; ++i) {
    const double nu = std::exp(draws.normal());
    const SlipDrift d = drawn_drift(draws, i % 2 == 0 ? Eigen::Vector2d(0, nu) : Eigen::Vector2d(nu, 0));
    const NextTransition next = next_transition(d, 5);
    if (!slips_stably(d, 0)) {
      EXPECT_FALSE(next.transition) << i;
      continue;
    }
    const double end = next.transition ? next.transition->t : 5;
    for (int j = 1; j < 100; ++j) {
      EXPECT_TRUE(slips_stably(d, end * j / 100)) << i << " " << j;
    }
    if (next.transition) {
      EXPECT_TRUE(slips_stably(d, end * (1 - 1e-6))) << i;
      EXPECT_FALSE(slips_stably(d, end * (1 + 1e-6))) << i;
      ++seen[next.transition->boundary];
    }
  }
  for (const char* boundary : {"L1", "L2", "S1", "S2"}) {
    EXPECT_GE(seen[boundary], 5) << boundary;
  }
}

// The region is that of the state just before the boundary, not beyond it.
TEST(SlipDrifts, NameTheRegionFromWhichTheyCome) {
  Draws draws(12);
  int changed = 0;
  for (int i = 0; i < 4000; ++i) {
    const SlipDrift d = drawn_drift(draws, {std::exp(draws.normal()), std::exp(draws.normal())});
    const NextTransition next = next_transition(d, 5);
    if (!next.transition) {
      continue;
    }
    const auto region = [&](double t) {
      return slip_boundaries(d.P + t * d.P_rate, d.b + t * d.b_rate, d.springs).region;
    };
    EXPECT_EQ(next.transition->region, region(next.transition->t * (1 - 1e-5))) << i;
    changed += region(next.transition->t * (1 - 1e-5)) != region(next.transition->t * (1 + 1e-5)) ? 1 : 0;
  }
  EXPECT_GE(changed, 5);
}

// Without damping slip holds as long as both frequencies are real and apart: the eigenvalues of P K are positive and
// distinct. Springs that differ in everything.
TEST(SlipDrifts, WithoutDampingEndWhereTheFrequenciesMeet) {
  Draws draws(14);
  std::map<std::string, int> seen;
  for (int i = 0; i < 4000; ++i) {
    const SlipDrift d = drawn_drift(draws, {0, 0});
    const auto holds = [&](double t) {
      const Eigen::Matrix2d P = d.P + t * d.P_rate;
      const Eigen::Vector2d lambda = -P.fullPivLu().solve(d.b + t * d.b_rate);
      const Eigen::Matrix2d PK = P * d.springs.stiffness.asDiagonal();
      const double half = PK.trace() / 2;
      return lambda.minCoeff() > 0 && half > 0 && PK.determinant() > 0 && half * half > PK.determinant();
    };
    const NextTransition next = next_transition(d, 5);
    const SlipBoundaries start = slip_boundaries(d.P, d.b, d.springs);
    EXPECT_EQ(start.feasible && start.stable, holds(0)) << i;
    if (!holds(0)) {
      EXPECT_FALSE(next.transition) << i;
      continue;
    }
    const double end = next.transition ? next.transition->t : 5;
    for (int j = 1; j < 100; ++j) {
      EXPECT_TRUE(holds(end * j / 100)) << i << " " << j;
    }
    if (next.transition) {
      EXPECT_FALSE(holds(end * (1 + 1e-6))) << i;
      ++seen[next.transition->boundary];
    }
  }
  for (const char* boundary : {"L1", "L2", "S1", "S2"}) {
    EXPECT_GE(seen[boundary], 5) << boundary;
  }
}

// F falls below zero and rises again before it falls for good: the first of its three zeros counts, which lies before
// the first of its two stationary points. The number was computed independently, from the roots of the cubic.
TEST(SlipDrifts, EndAtTheFirstOfThreeZeros) {
  SlipDrift d;
  d.P << 0.3, 0.3, -0.9, 0.6;
  d.P_rate << -0.8, -0.2, 0.4, -0.4;
  d.b = {-2.2, -1.4};
  d.b_rate = {0, 0};
  d.springs.stiffness = {1, 1.1};
  d.springs.damping = {2.3, 1.3};
  for (const double horizon : {0.3, 1.0, 5.0}) {
    const NextTransition next = next_transition(d, horizon);
    ASSERT_TRUE(next.transition) << next.reason;
    EXPECT_EQ(next.transition->boundary, "S1");
    EXPECT_NEAR(next.transition->t, 0.2723800291038922, 1e-14) << horizon;
  }
  EXPECT_FALSE(next_transition(d, 0.27).transition);
}

// d(spectral abscissa)/dt by central differences, with springs that differ in everything.
TEST(SlipDrifts, ChangeTheGrowthAsTheEigenvaluesDo) {
  Draws draws(13);
  int tried = 0;
  for (int i = 0; i < 400; ++i) {
    const SlipDrift d = drawn_drift(draws, {std::exp(draws.normal()), std::exp(draws.normal())});
    const auto rate = [&](double t) { return growth(d.P + t * d.P_rate, d.springs.stiffness, d.springs.damping).rate; };
    const double h = 1e-5;
    const double coarse = (rate(2 * h) - rate(-2 * h)) / (4 * h);
    const double fine = (rate(h) - rate(-h)) / (2 * h);
    if (std::abs(coarse - fine) > 1e-6 * (1 + std::abs(fine))) {
      continue;  // two eigenvalues change places nearby
    }
    EXPECT_NEAR(growth_change(d.P, d.P_rate, d.springs), fine, 1e-5 * (1 + std::abs(fine))) << i;
    ++tried;
  }
  EXPECT_GE(tried, 300);
}

}  // namespace
}  // namespace painleve
