#include "painleve/modes/slip_transitions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/response_matrices.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {
namespace slip_transitions_test {

constexpr double pi = std::numbers::pi;

// The rows of Table A1, from 0.01 before the transition. The outcomes on L1 are the printed ones; those on S are
// simulated in the paper (inverse chatter, FF, IWC at contact 2, limit cycle) and must be among the candidates.
TEST(NextTransition, TableA1) {
  struct Row {
    double gamma1, gamma2, beta;
    Eigen::Matrix2d P_rate;
    const char *boundary, *region, *outcome, *candidate;
  };
  const Eigen::Matrix2d p21 = entries(0, 0, -1, 0);
  const std::vector<Row> rows{{0.1, 0.7, 1.7, entries(0, 0, 0, 1), "L1", "13", "FS", ""},
                              {0.1, 1.05, 0.05, entries(0, 0, 0, 1), "L1", "14", "FF", ""},
                              {1.9, 1.95, 0.95, entries(0, 0, 0, -1), "L1", "46", "IWC:FI", ""},
                              {1.7241, 0.2, 1, p21, "S1", "41", "", "inverse_chatter"},
                              {0.1403, 1.1, 0.05, entries(0, -1, 0, 0), "S2", "14", "", "FF"},
                              {1.8597, 1.9, 0.88, p21, "S1", "46", "", "IWC:FI"},
                              {1.4, 0.3597, 1.3, p21, "S1", "31", "", "limit_cycle"}};
  for (const Row& r : rows) {
    SlipDrift drift;
    const Eigen::Matrix2d P = columns(r.gamma1, r.gamma2);
    drift.P_rate = r.P_rate;
    drift.P = P - 0.01 * r.P_rate;
    drift.b = direction(r.beta);
    drift.b_rate.setZero();
    const NextTransition next = next_transition(drift, 1);
    ASSERT_TRUE(next.transition) << r.region << next.reason;
    const SlipTransition& t = *next.transition;
    EXPECT_EQ(t.boundary, r.boundary) << r.region;
    EXPECT_EQ(t.region, r.region);
    EXPECT_EQ(t.outcome.value_or(""), r.outcome) << r.region;
    // Angles with four digits put the S transitions within 1e-3 of t = 0.01.
    EXPECT_NEAR(t.t, 0.01, t.boundary[0] == 'L' ? 1e-15 : 1e-3) << r.region;
    if (*r.candidate != '\0') {
      EXPECT_EQ(std::count(t.candidates.begin(), t.candidates.end(), r.candidate), 1) << r.region;
      EXPECT_GT(*t.growth_change, 0);
    }
  }
}

TEST(NextTransition, RateOfDestabilisation) {
  // Computed independently by differences of eigenvalues, good to 1e-7.
  EXPECT_NEAR(growth_change(columns(1.7241, 0.2), entries(0, 0, -1, 0)), 0.14450300920600123, 1e-7);
  EXPECT_NEAR(growth_change(columns(0.1403, 1.1), entries(0, -1, 0, 0)), 0.7632744502734239, 1e-7);
  EXPECT_NEAR(growth_change(columns(1.8597, 1.9), entries(0, 0, -1, 0)), 1.7015070286490601, 1e-7);
  EXPECT_NEAR(growth_change(columns(1.4, 0.3597), entries(0, 0, -1, 0)), 0.7632744503001386, 1e-7);
}

TEST(SaddleExit, PredictedTimes) {
  const auto six_b =
      saddle_exit(columns(0.1, 1.05), direction(0.05), entries(0, 0, 0, 1), Eigen::Vector2d(0, 0), 0, 1e-4);
  ASSERT_TRUE(six_b);
  EXPECT_TRUE(six_b->liftoff);
  EXPECT_NEAR(six_b->time, 0.00134434705561687, 1e-16);
  EXPECT_NEAR(six_b->s_plus, 0.4813951095214912, 1e-15);
  const auto six_c =
      saddle_exit(columns(1.9, 1.95), direction(0.95), entries(0, 0, 0, -1), Eigen::Vector2d(0, 0), 0, 1e-4);
  ASSERT_TRUE(six_c);
  EXPECT_FALSE(six_c->liftoff);
  EXPECT_NEAR(six_c->time, 0.00421423714895349, 1e-16);
  // No saddle: contact 2 slips stably, or would lift anyway.
  EXPECT_FALSE(saddle_exit(columns(0.1, 0.7), direction(1.7), entries(0, 0, 0, 1), Eigen::Vector2d(0, 0), 0, 1e-4));
  // Each of the three conditions of a saddle by itself: p22 < 0, b2 > 0, and a drift that reaches contact 2.
  const auto exit = [](double p21, double p22, double b2) {
    return saddle_exit(entries(1, 0.5, p21, p22), Eigen::Vector2d(-1, b2), entries(0, 0, 0, 1), Eigen::Vector2d(0, 0),
                       0, 1e-4)
        .has_value();
  };
  EXPECT_TRUE(exit(0.3, -1, 0.4));
  EXPECT_FALSE(exit(0.3, 1, 0.4));
  EXPECT_FALSE(exit(0.3, 0, 0.4));
  EXPECT_FALSE(exit(0.3, -1, -0.4));
  EXPECT_FALSE(exit(0.3, -1, 0));
  EXPECT_FALSE(exit(0, -1, 0.4));
  // The same with the contacts swapped.
  const auto swapped = saddle_exit(columns(0.1, 1.05).reverse(), direction(0.05).reverse(), entries(1, 0, 0, 0),
                                   Eigen::Vector2d(0, 0), 1, 1e-4);
  ASSERT_TRUE(swapped);
  EXPECT_NEAR(swapped->time, six_b->time, 1e-16);
}

// The literal contact law with drifting P, by fixed steps: who is open, and how deep the other has gone.
struct Simulated {
  bool open1 = false, open2 = false;
  double deepest = 0;
  double opened2 = -1;  // time
};
Simulated simulate(const SlipDrift& d, double t_end) {
  const double eps = d.epsilon;
  const auto slip_force = [&](double t) -> Eigen::Vector2d {
    return -(d.P + t * d.P_rate).inverse() * (d.b + t * d.b_rate);
  };
  const Eigen::Vector2d& k = d.springs.stiffness;
  const Eigen::Vector2d& nu = d.springs.damping;
  const auto force = [&](const Eigen::Vector4d& x) {
    Eigen::Vector2d lambda;
    for (int i = 0; i < 2; ++i) {
      lambda(i) = x(i) > 0 ? 0 : std::max(0.0, -k(i) * x(i) - nu(i) * x(2 + i));
    }
    return lambda;
  };
  const auto rate = [&](double tau, const Eigen::Vector4d& x) -> Eigen::Vector4d {
    const double t = eps * tau;
    Eigen::Vector4d dx;
    dx << x.tail<2>(), d.b + t * d.b_rate + (d.P + t * d.P_rate) * force(x);
    return dx;
  };
  // On the slow manifold to first order in ε: Z = −(λ + ν Z')/k, Z' = −ε λ̇/k.
  const Eigen::Vector2d change = (slip_force(1e-6) - slip_force(-1e-6)) / 2e-6;
  Eigen::Vector4d x;
  x.tail<2>() = -eps * change.cwiseQuotient(k);
  x.head<2>() = -(slip_force(0) + nu.cwiseProduct(x.tail<2>())).cwiseQuotient(k);
  Simulated run;
  const double h = 0.01;
  for (double tau = 0; tau < t_end / eps; tau += h) {
    const Eigen::Vector4d k1 = rate(tau, x);
    const Eigen::Vector4d k2 = rate(tau + h / 2, x + h / 2 * k1);
    const Eigen::Vector4d k3 = rate(tau + h / 2, x + h / 2 * k2);
    const Eigen::Vector4d k4 = rate(tau + h, x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const Eigen::Vector2d lambda = force(x);
    if (run.opened2 < 0 && lambda(1) == 0) {
      run.opened2 = eps * tau;
    }
    run.deepest = std::max(run.deepest, lambda(1));
    if (run.deepest > 1e6 || x(1) > 50) {
      break;
    }
  }
  run.open1 = force(x)(0) == 0;
  run.open2 = force(x)(1) == 0;
  return run;
}

// Drawn crossings of L1 in the regions 14 and 46, with drawn springs and drifts: the rule against the simulated law.
TEST(SaddleExit, AgreesWithTheContactLaw) {
  Draws draws(46);
  std::map<std::string, int> seen;
  for (int i = 0; i < 4000 && seen["14"] + seen["46"] < 60; ++i) {
    const bool region_14 = i % 2 == 0;
    const double gamma1 = region_14 ? draws.uniform(0.02, 0.48) : draws.uniform(1.52, 1.95);
    const double gamma2 = region_14 ? draws.uniform(1.01, gamma1 + 1) : draws.uniform(gamma1, 1.99);
    SlipDrift d;
    const Eigen::Matrix2d P =
        columns(gamma1, gamma2) * Eigen::Vector2d(draws.uniform(0.5, 2), draws.uniform(0.5, 2)).asDiagonal();
    const Eigen::Vector2d b = -P.col(1);
    d.springs.stiffness = {draws.uniform(0.5, 2), draws.uniform(0.5, 2)};
    d.springs.damping = {draws.uniform(0.5, 2), draws.uniform(0.5, 2)};
    for (double& x : d.P_rate.reshaped()) {
      x = draws.normal();
    }
    d.b_rate = {draws.normal(), draws.normal()};
    d.epsilon = 1e-4;
    const double lead = 0.004;
    d.P = P - lead * d.P_rate;
    d.b = b - lead * d.b_rate;
    const SlipBoundaries here = slip_boundaries(P, 1.001 * b, d.springs);
    const double rate = growth(P, d.springs.stiffness, d.springs.damping).rate;
    const NextTransition next = next_transition(d, 1);
    if (rate > -0.1 || !next.transition || next.transition->boundary != "L1" ||
        std::abs(next.transition->t - lead) > 1e-9) {
      continue;
    }
    EXPECT_EQ(here.region, region_14 ? "14" : "46");
    EXPECT_EQ(next.transition->region, here.region);
    ASSERT_TRUE(next.transition->saddle);
    const SaddleExit& exit = *next.transition->saddle;
    EXPECT_EQ(next.transition->outcome.value_or(""), region_14 ? "FF" : "IWC:FI");
    const Simulated run = simulate(d, lead + 3 * exit.time);
    ++seen[here.region];
    EXPECT_TRUE(run.open1) << i;
    EXPECT_EQ(run.open2, region_14) << i;
    if (region_14) {
      EXPECT_NEAR(run.opened2 - lead, exit.time, 0.2 * exit.time) << i;
    } else {
      EXPECT_GT(run.deepest, 1e6) << i;
    }
  }
  EXPECT_GE(seen["14"], 20);
  EXPECT_GE(seen["46"], 20);
}

// Every boundary by dense sampling: the first change of feasibility or stability is where it is said to be.
TEST(NextTransition, FirstAmongDrawnDrifts) {
  Draws draws(7);
  std::map<std::string, int> seen;
  for (int i = 0; i < 5000; ++i) {
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
    d.springs.damping = {std::exp(draws.normal()), std::exp(draws.normal())};
    const auto inside = [&](double t) {
      const Eigen::Matrix2d P = d.P + t * d.P_rate;
      const Eigen::Vector2d lambda = -P.fullPivLu().solve(d.b + t * d.b_rate);
      return lambda.minCoeff() > 0 && growth(P, d.springs.stiffness, d.springs.damping).rate < 0;
    };
    const NextTransition next = next_transition(d, 5);
    if (!inside(0)) {
      EXPECT_FALSE(next.transition) << i;
      EXPECT_FALSE(next.reason.empty()) << i;
      continue;
    }
    const double end = next.transition ? next.transition->t : 5;
    for (int j = 1; j < 200; ++j) {
      EXPECT_TRUE(inside(end * j / 200)) << i << " " << j;
    }
    if (!next.transition) {
      ++seen["none"];
      continue;
    }
    ++seen[next.transition->boundary];
    EXPECT_TRUE(inside(end * (1 - 1e-7))) << i << next.transition->boundary;
    EXPECT_FALSE(inside(end * (1 + 1e-7))) << i << next.transition->boundary;
    // L1 and L2: λ1 or λ2 is what vanishes.
    const Eigen::Matrix2d P = d.P + end * d.P_rate;
    const Eigen::Vector2d lambda = -P.fullPivLu().solve(d.b + end * d.b_rate);
    if (next.transition->boundary[0] == 'L') {
      EXPECT_LT(std::abs(lambda(next.transition->boundary == "L1" ? 0 : 1)), 1e-9 * lambda.norm()) << i;
    }
  }
  for (const char* boundary : {"L1", "L2", "S1", "S2", "P", "none"}) {
    EXPECT_GE(seen[boundary], 5) << boundary;
  }
}

// Outcomes by region: L1 as in the paper, L2 with the roles of 14 and 31, 13 and 41, 23 and 46 exchanged.
TEST(NextTransition, OutcomesByRegion) {
  const std::map<std::string, std::map<std::string, std::string>> wanted{{"L1",
                                                                          {{"12", "FS"},
                                                                           {"13", "FS"},
                                                                           {"23", "FS"},
                                                                           {"31", "FS"},
                                                                           {"41", "FS"},
                                                                           {"42", "FS"},
                                                                           {"14", "FF"},
                                                                           {"46", "IWC:FI"}}},
                                                                         {"L2",
                                                                          {{"12", "SF"},
                                                                           {"41", "SF"},
                                                                           {"46", "SF"},
                                                                           {"14", "SF"},
                                                                           {"13", "SF"},
                                                                           {"42", "SF"},
                                                                           {"31", "FF"},
                                                                           {"23", "IWC:IF"}}}};
  std::map<std::string, std::set<std::string>> regions;
  Draws draws(8);
  for (int i = 0; i < 60000; ++i) {
    SlipDrift d;
    for (double& x : d.P.reshaped()) {
      x = draws.normal();
    }
    d.P_rate.setZero();
    d.b = {draws.normal(), draws.normal()};
    d.b_rate = {draws.normal(), draws.normal()};
    const NextTransition next = next_transition(d, 100);
    if (!next.transition) {
      continue;
    }
    const SlipTransition& t = *next.transition;
    ASSERT_TRUE(t.boundary == "L1" || t.boundary == "L2") << t.boundary;
    regions[t.boundary].insert(t.region);
    EXPECT_EQ(t.outcome.value_or(""), wanted.at(t.boundary).at(t.region)) << t.boundary << " " << t.region;
    EXPECT_EQ(t.saddle.has_value(), t.outcome->size() > 2 || *t.outcome == "FF") << t.region;
  }
  EXPECT_EQ(regions["L1"].size(), 8U);
  EXPECT_EQ(regions["L2"].size(), 8U);
}

TEST(NextTransition, Singularities) {
  SlipDrift d;
  d.P = entries(0.5, -0.5, 1, 1);  // p1 and p2 close on −b from both sides
  d.P_rate = entries(-1, 1, 0, 0);
  d.b = {0, -1};
  d.b_rate.setZero();
  NextTransition next = next_transition(d, 1);
  ASSERT_TRUE(next.transition);
  EXPECT_EQ(next.transition->boundary, "L12");
  EXPECT_NEAR(next.transition->t, 0.5, 1e-15);
  EXPECT_FALSE(next.transition->outcome);
  d.P = entries(0.5, 0.5, -1, 1);  // p1 and p2 open to a line, −b along p2 in the end
  d.P_rate = entries(-1, -1, 0, 0);
  d.b = {-1, -1};
  d.b_rate = {2, 0};
  next = next_transition(d, 1);
  ASSERT_TRUE(next.transition);
  EXPECT_EQ(next.transition->boundary, "GB1");
  EXPECT_NEAR(next.transition->t, 0.5, 1e-9);
  EXPECT_FALSE(next.transition->outcome);
  d.b = {-1, 1};
  next = next_transition(d, 1);
  ASSERT_TRUE(next.transition);
  EXPECT_EQ(next.transition->boundary, "GB2");
  d.b = {-2, -0.5};
  d.b_rate.setZero();
  next = next_transition(d, 1);
  ASSERT_TRUE(next.transition);
  EXPECT_EQ(next.transition->boundary, "P");
  EXPECT_FALSE(next.transition->reason.empty());
}

// Without damping the marginal strip decides.
TEST(NextTransition, WithoutDamping) {
  SlipDrift d;
  d.P = entries(1, 0.5, 0.5, 2);
  d.P_rate = entries(0, 0, -1, 0);
  d.b = {-1, -1};
  d.b_rate.setZero();
  d.springs.damping.setZero();
  const NextTransition next = next_transition(d, 5);
  ASSERT_TRUE(next.transition);
  EXPECT_EQ(next.transition->boundary, "S1");
  EXPECT_NEAR(next.transition->t, 1, 1e-12);  // (1 − 2)² + 4 · 0.5 (0.5 − t) = 0
}

}  // namespace slip_transitions_test
}  // namespace painleve
