#include "painleve/modes/slip_transitions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/response_matrices.hpp"
#include "painleve/modes/jam_manifolds.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {
namespace slip_boundaries_test {

constexpr double pi = std::numbers::pi;

// Roots of F = 0 for columns of length 1 and k = ν = 1, computed independently; their first four digits are printed
// with Fig. 7 of the 2018 paper.
TEST(SlipBoundaries, RootsOfF) {
  struct Root {
    double gamma1, gamma2;
    const char* region;
    bool S1;
  };
  for (const Root& r : {Root{1.7241028510376097, 0.2, "41", true}, Root{0.14028134011555524, 1.1, "14", false},
                        Root{1.8597186598844448, 1.9, "46", true}, Root{1.4, 0.35971865988444474, "31", true}}) {
    const SlipBoundaries s = slip_boundaries(columns(r.gamma1, r.gamma2), -direction(r.gamma2 + 0.01));
    EXPECT_NEAR(s.F, 0, 1e-14) << r.region;
    EXPECT_EQ(s.region, r.region);
    EXPECT_EQ(s.S1.has_value(), r.S1) << r.region;
    EXPECT_EQ(s.S2.has_value(), !r.S1) << r.region;
  }
  TwoSprings springs;
  springs.stiffness = {1, 3};
  springs.damping = {0.2, 0.7};
  const SlipBoundaries uneven = slip_boundaries(entries(1.3, -0.4, 0.2, 0.9), Eigen::Vector2d(-1, -1), springs);
  EXPECT_NEAR(uneven.F, 0.3416749999999995, 1e-14);
  EXPECT_TRUE(uneven.stable);
}

TEST(SlipBoundaries, WidthOfTheStableStrip) {
  const std::map<double, double> half_width{{0.1, 0.3251165611199356},
                                            {0.25, 0.29330360192914373},
                                            {0.5, 0.2879294020721542},
                                            {0.75, 0.29330360192914373},
                                            {0.9597186598844447, 0.3701406700577775}};
  for (const auto& [delta, wanted] : half_width) {
    const StableStrip s = stable_strip(delta * pi);
    EXPECT_NEAR(s.S2 / pi - 0.25, wanted, 1e-12) << delta;
    EXPECT_NEAR(0.25 - s.S1 / pi, wanted, 1e-12) << delta;
    // The closed form for equal springs: cos(σ − π/4) = (−D + √(D² + 4D))/(2 cos(δ/2 − π/4)).
    const double D = std::sin(delta * pi);
    EXPECT_NEAR(std::cos(s.S2 - pi / 4), (-D + std::sqrt(D * D + 4 * D)) / (2 * std::cos(delta * pi / 2 - pi / 4)),
                1e-12);
  }
}

// The springs of Fig. 4, with damping 0 (marginal), nearly 0 and 1: three different strips.
TEST(SlipBoundaries, StripOfFigure4) {
  const std::vector<double> deltas{0.1, 0.25, 0.5, 0.75, 0.9};
  const std::map<double, std::vector<std::pair<double, double>>> strips{{0,
                                                                         {{0.031007887499626654, 0.8104266433102199},
                                                                          {0.019070871000474762, 0.6889471599339423},
                                                                          {-0.05501777095786336, 0.5550177709578634},
                                                                          {-0.1889471599339423, 0.4809291289995254},
                                                                          {-0.3104266433102199, 0.4689921125003734}}},
                                                                        {1e-7,
                                                                         {{0.040932500283583396, 0.6560496093038675},
                                                                          {0.06027242154293249, 0.5624926281390732},
                                                                          {0.03172551743055329, 0.46827448256944676},
                                                                          {-0.06249262813907303, 0.43972757845706756},
                                                                          {-0.15604960930386755, 0.4590674997164165}}},
                                                                        {1,
                                                                         {{0.03190136699704118, 0.6593039819081997},
                                                                          {0.04075372444122219, 0.5753337309799921},
                                                                          {0.006508044060338472, 0.4934919559396615},
                                                                          {-0.07533373097999199, 0.45924627555877784},
                                                                          {-0.15930398190819972, 0.4680986330029588}}}};
  for (const auto& strip : strips) {
    TwoSprings springs;
    springs.stiffness = {1, 10};
    springs.damping = Eigen::Vector2d::Constant(strip.first);
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      const StableStrip s = stable_strip(deltas[i] * pi, springs);
      // The marginal edges were found to 1e-8: there two eigenvalues meet.
      const double tolerance = strip.first == 0 ? 1e-8 : 1e-11;
      EXPECT_NEAR(s.S1 / pi, strip.second[i].first, tolerance) << strip.first << " " << deltas[i];
      EXPECT_NEAR(s.S2 / pi, strip.second[i].second, tolerance) << strip.first << " " << deltas[i];
    }
  }
}

// Columns of any lengths: the strip ends where the eigenvalues say.
TEST(SlipBoundaries, StripOfUnequalColumns) {
  Draws draws(19);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Vector2d lengths(std::exp(draws.normal()), std::exp(draws.normal()));
    TwoSprings springs;
    springs.stiffness = {std::exp(draws.normal()), std::exp(draws.normal())};
    springs.damping = {std::exp(draws.normal()), std::exp(draws.normal())};
    const double delta = draws.uniform(0.1, 0.9);
    const StableStrip strip = stable_strip(delta * pi, springs, lengths);
    const auto rate = [&](double sigma) {
      const Eigen::Matrix2d P = columns(sigma / pi - delta / 2, sigma / pi + delta / 2) * lengths.asDiagonal();
      return growth(P, springs.stiffness, springs.damping).rate;
    };
    EXPECT_LT(rate(pi / 4), 0) << i;
    EXPECT_LT(rate(strip.S1 + 1e-6), 0) << i;
    EXPECT_GT(rate(strip.S1 - 1e-6), 0) << i;
    EXPECT_LT(rate(strip.S2 - 1e-6), 0) << i;
    EXPECT_GT(rate(strip.S2 + 1e-6), 0) << i;
  }
}

// Boundaries against forces and eigenvalues, and the side of a sheet against the sign of p21.
TEST(SlipBoundaries, DrawnPoints) {
  Draws draws(11);
  int stable = 0;
  for (int i = 0; i < 20000; ++i) {
    Eigen::Matrix2d P;
    for (double& x : P.reshaped()) {
      x = draws.normal();
    }
    const Eigen::Vector2d b(draws.normal(), draws.normal());
    TwoSprings springs;
    springs.stiffness = {std::exp(draws.normal()), std::exp(draws.normal())};
    springs.damping = {std::exp(draws.normal()), std::exp(draws.normal())};
    const SlipBoundaries s = slip_boundaries(P, b, springs);
    const Eigen::Vector2d lambda = -P.fullPivLu().solve(b);
    EXPECT_EQ(s.feasible, lambda.minCoeff() > 0) << i;
    const double rate = growth(P, springs.stiffness, springs.damping).rate;
    if (std::abs(rate) > 1e-9) {
      EXPECT_EQ(s.stable, rate < 0) << i;
    }
    EXPECT_EQ(s.P > 0, P.determinant() > 0) << i;
    EXPECT_NEAR(std::sin(s.P), jam_manifolds(P, b).painleve_distance, 1e-12) << i;
    if (P.determinant() > 0) {
      EXPECT_EQ(s.L1 > 0 && s.L2 > 0 && s.L1 < pi && s.L2 < pi && s.L1 + s.L2 < pi, s.feasible) << i;
    }
    if (s.feasible && s.P > 0) {
      EXPECT_NEAR(s.L1 + s.L2, s.L12, 1e-12) << i;
      if (P(0, 1) * P(1, 0) < 0) {
        EXPECT_EQ(s.S1.has_value(), P(1, 0) < 0) << i;
        EXPECT_EQ(s.S1.has_value(), s.sigma < pi / 4) << i;
      }
    }
    stable += s.feasible && s.stable;
    // With the contacts swapped the boundaries change their numbers.
    TwoSprings other;
    other.stiffness = springs.stiffness.reverse();
    other.damping = springs.damping.reverse();
    const SlipBoundaries dual = slip_boundaries(P.reverse(), b.reverse(), other);
    EXPECT_NEAR(dual.P, s.P, 1e-12) << i;
    EXPECT_EQ(dual.stable, s.stable) << i;
    EXPECT_EQ(dual.S1.has_value(), s.S2.has_value()) << i;
    if (s.feasible && s.P > 0) {
      EXPECT_NEAR(dual.L1, s.L2, 1e-12) << i;
    }
  }
  EXPECT_GT(stable, 500);
}

TEST(SlipBoundaries, CodimensionTwo) {
  const SlipBoundaries jam = slip_boundaries(entries(0, 0, -1, 1), Eigen::Vector2d(0, -1));
  EXPECT_NEAR(jam.GB1, 0, 1e-15);
  EXPECT_NEAR(jam.GB2, pi, 1e-15);
  const SlipBoundaries other_jam = slip_boundaries(entries(0, 0, -1, 1), Eigen::Vector2d(0, 1));
  EXPECT_NEAR(other_jam.GB2, 0, 1e-15);
  const SlipBoundaries double_liftoff = slip_boundaries(entries(0, 0, 1, 1), Eigen::Vector2d(0, -1));
  EXPECT_NEAR(double_liftoff.L12, 0, 1e-15);
  EXPECT_NEAR(double_liftoff.L1, 0, 1e-15);
  EXPECT_NEAR(double_liftoff.L2, 0, 1e-15);
  EXPECT_NEAR(double_liftoff.P, pi, 1e-15);
}

// Angles are in (−π, π]: columns that oppose each other are π apart, whichever comes first, and so is −b from either.
TEST(SlipBoundaries, OppositeIsHalfATurn) {
  for (const double first : {1.0, -1.0}) {
    const SlipBoundaries s = slip_boundaries(entries(first, -first, 0, 0), Eigen::Vector2d(first, 0));
    EXPECT_EQ(s.L12, pi) << first;
    EXPECT_EQ(s.P, 0) << first;
    EXPECT_NEAR(std::abs(s.L2), pi, 1e-15) << first;
    EXPECT_GT(s.L2, 0) << first;
    EXPECT_EQ(s.L1, 0) << first;
  }
}

}  // namespace slip_boundaries_test
}  // namespace painleve
