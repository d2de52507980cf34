#include "painleve/modes/gspot.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <set>
#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"

namespace painleve {
namespace gspot_test {

using Alpha = std::array<double, 3>;

struct Slide {
  std::string outcome;
  double lambda_n;  // −b/p at the end
  double exponent;  // d ln λ_n / d ln p at the end; p falls linearly in t, as t* − t
};

// p' = a1 p, b' = a2 p + a3 b by Runge and Kutta's method; the flow is linear, so (p, b) is rescaled on the way.
Slide follow(const Alpha& a, double p, double b) {
  const double slowest = std::min({std::abs(a[0]), std::abs(a[2]), std::abs(a[0] - a[2])});
  const double fastest = std::abs(a[0]) + std::abs(a[1]) + std::abs(a[2]);
  const double step = 0.01 / fastest;
  double size = 0;  // logarithm of the scale taken out
  double before = 0;
  double ln_p_before = 0;
  const auto rate = [&](double x, double y) { return std::array<double, 2>{a[0] * x, a[1] * x + a[2] * y}; };
  const auto steps = static_cast<long>(60 / slowest / step);
  for (long i = 0; i < steps; ++i) {
    const auto k1 = rate(p, b);
    const auto k2 = rate(p + step / 2 * k1[0], b + step / 2 * k1[1]);
    const auto k3 = rate(p + step / 2 * k2[0], b + step / 2 * k2[1]);
    const auto k4 = rate(p + step * k3[0], b + step * k3[1]);
    p += step / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
    b += step / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
    if (b >= 0) {
      return {"lift-off", 0, 0};
    }
    if (i == steps - 1000) {
      before = std::log(-b / p);
      ln_p_before = std::log(p) + size;
    }
    const double scale = p - b;
    p /= scale;
    b /= scale;
    size += std::log(scale);
  }
  const double lambda_n = -b / p;
  const double exponent = (std::log(lambda_n) - before) / (std::log(p) + size - ln_p_before);
  if (size > 0) {
    return {"continued slip", lambda_n, exponent};
  }
  return {lambda_n > 1e8 ? "G1" : "G2", lambda_n, exponent};
}

std::set<std::string> announced(const GSpot& g) {
  std::set<std::string> list;
  for (const char* word : {"lift-off", "continued slip", "G1", "G2"}) {
    if (g.outcome.find(word) != std::string::npos) {
      list.insert(word);
    }
  }
  return list;
}

struct Portrait {
  int a1, a2, a3;  // signs
  int order;       // sign of a1 − a3 where the signs leave it open
  std::set<std::string> outcomes;
};
const std::array<Portrait, 12> portraits{{{-1, -1, -1, -1, {"G1"}},
                                          {-1, -1, -1, 1, {"G2"}},
                                          {-1, -1, 1, 0, {"continued slip"}},
                                          {-1, 1, -1, -1, {"G1", "lift-off"}},
                                          {-1, 1, -1, 1, {"lift-off"}},
                                          {-1, 1, 1, 0, {"continued slip", "lift-off"}},
                                          {1, -1, -1, 0, {"continued slip"}},
                                          {1, -1, 1, -1, {"continued slip"}},
                                          {1, -1, 1, 1, {"continued slip"}},
                                          {1, 1, -1, 0, {"lift-off"}},
                                          {1, 1, 1, -1, {"continued slip", "lift-off"}},
                                          {1, 1, 1, 1, {"lift-off"}}}};

Alpha drawn_alpha(Draws& draws, const Portrait& kind) {
  while (true) {
    const Alpha a{kind.a1 * draws.uniform(0.3, 2), kind.a2 * draws.uniform(0.3, 2), kind.a3 * draws.uniform(0.3, 2)};
    const double difference = a[0] - a[2];
    if (std::abs(difference) > 0.3 && difference * kind.order >= 0) {
      return a;
    }
  }
}

TEST(GSpotPortraits, TwelveSignPatternsByIntegration) {
  std::set<std::string> names;
  int reached = 0;
  for (const auto& kind : portraits) {
    Draws draws(17);
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Alpha a = drawn_alpha(draws, kind);
      const GSpot g = portrait(a);
      names.insert(g.portrait);
      EXPECT_EQ(announced(g), kind.outcomes) << g.portrait << ": " << g.outcome;
      std::set<std::string> seen;
      for (const double ratio : {0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0}) {
        const double p = 0.1;
        const double b = -ratio * p;
        const double side = a[1] * p - (a[0] - a[2]) * b;
        if (std::abs(side) < 0.01) {
          continue;  // on the eigenline, where rounding decides
        }
        const Slide run = follow(a, p, b);
        seen.insert(run.outcome);
        if (kind.outcomes.size() == 2) {
          EXPECT_EQ(run.outcome == "lift-off", side > 0) << g.portrait << " " << ratio << ": the line that divides";
        }
        if (run.outcome == "G2") {
          ASSERT_TRUE(g.lambda_limit);
          EXPECT_NEAR(run.lambda_n, *g.lambda_limit, 1e-6 * *g.lambda_limit) << g.portrait;  // e^(-0.3 · 60) and RK4
        }
        if (run.outcome == "G1") {
          ASSERT_TRUE(g.exponent);
          EXPECT_NEAR(run.exponent, *g.exponent, 1e-5) << g.portrait;  // as above
        }
      }
      EXPECT_EQ(seen, kind.outcomes) << g.portrait;
      EXPECT_EQ(g.lambda_limit.has_value(), kind.outcomes.count("G2") == 1) << g.portrait;
      EXPECT_EQ(g.exponent.has_value(), kind.outcomes.count("G1") == 1) << g.portrait;
      EXPECT_EQ(g.lambda_limit_reason.empty(), g.lambda_limit.has_value()) << g.portrait;
    }
    reached += kind.outcomes.count("G1") + kind.outcomes.count("G2") > 0;
  }
  EXPECT_EQ(names.size(), 12U);
  EXPECT_EQ(reached, 3);
}

TEST(GSpotPortraits, FiniteLimit) {
  const GSpot g = portrait({-1, -2, -3});
  ASSERT_TRUE(g.lambda_limit);
  EXPECT_DOUBLE_EQ(*g.lambda_limit, 1);
  EXPECT_EQ(g.portrait, "a3<a1<0, a2<0");
  EXPECT_FALSE(portrait({-1, 2, -3}).lambda_limit);
  EXPECT_FALSE(portrait({1, -2, 3}).lambda_limit) << "the signs as printed in 2016 repel";
}

TEST(GSpotPortraits, DegenerateCoefficientsAreNotDecided) {
  for (const Alpha& a : {Alpha{0, 1, -1}, Alpha{-1, 0, -2}, Alpha{-1, 1, 0}, Alpha{-1, 1, -1}}) {
    const GSpot g = portrait(a);
    EXPECT_EQ(g.portrait, "degenerate");
    EXPECT_FALSE(g.lambda_limit || g.exponent);
    EXPECT_FALSE(g.lambda_limit_reason.empty());
  }
}

// The sliding rod under gravity (κ = 1/3), at the lower angle where p = 0 and the speed at which b_n = 0.
Alpha rod(double mu) {
  const double kappa = 1.0 / 3;
  const double tangent = (mu - std::sqrt(mu * mu - 4 * kappa * (kappa + 1))) / (2 * kappa);
  const double theta = std::atan(tangent);
  const double s = std::sin(theta);
  const double c = std::cos(theta);
  const double w = 1 / std::sqrt(s);
  return {-(w / kappa) * (std::sin(2 * theta) + mu * std::cos(2 * theta)), w * w * w * c,
          -(2 * w / kappa) * s * (mu * s - c)};
}

TEST(GSpotPortraits, TheRodJamsAboveItsCriticalFrictionOnly) {
  const double mu_c = 8 / (3 * std::sqrt(3.0));
  EXPECT_NEAR(rod(mu_c)[0], rod(mu_c)[2], 1e-13);
  for (const double mu : {1.35, 1.45, 1.52}) {
    EXPECT_EQ(portrait(rod(mu)).outcome, "lift-off") << mu;
  }
  for (const double mu : {1.56, 1.7, 2.0}) {
    EXPECT_EQ(announced(portrait(rod(mu))), (std::set<std::string>{"G1", "lift-off"})) << mu;
  }
  EXPECT_NEAR(*portrait(rod(1.7)).exponent, -0.38804, 5e-6);
}

ContactSpace drawn_slipping(Draws& draws, int dimension) {
  Eigen::VectorXd b(dimension);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(dimension);
  for (double& x : b) {
    x = draws.normal();
  }
  for (int i = 0; i < dimension - 1; ++i) {
    u(i) = draws.normal();
  }
  return closed_contacts(dimension, drawn_gram(draws, dimension, dimension, 0.1), b, u,
                         Eigen::VectorXd::Constant(1, draws.uniform(0.1, 2)));
}

double p_of(const ContactSpace& s) {
  const int d = s.dimension;
  const Eigen::VectorXd e = s.u.head(d - 1).normalized();
  return s.W(d - 1, d - 1) - s.mu(0) * s.W.block(0, d - 1, d - 1, 1).col(0).dot(e);
}

// dp/dt and db_n/dt of the slip by central differences along the motion with the force λ_n = −b_n/p.
TEST(GSpot, CoefficientsAreTheRatesAlongTheSlip) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Draws draws(seed);
    const int d = draws.integer(2, 3);
    const ContactSpace s = drawn_slipping(draws, d);
    const double p = p_of(s);
    const double slip = s.u.norm();
    if (std::abs(p) < 0.2 || slip < 0.3) {
      continue;
    }
    ContactRates rates;
    rates.W = drawn_gram(draws, d, d, 0);
    rates.b = Eigen::VectorXd::Zero(d);
    rates.b_force = Eigen::MatrixXd::Zero(d, d);
    for (double& x : rates.b) {
      x = draws.normal();
    }
    for (double& x : rates.b_force.reshaped()) {
      x = draws.normal();
    }
    const double b_n = s.b(d - 1);
    const double lambda_n = -b_n / p;
    Eigen::VectorXd lambda(d);
    lambda << -s.mu(0) * lambda_n * s.u.head(d - 1).normalized(), lambda_n;
    const auto at = [&](double t) {
      ContactSpace moved = s;
      moved.W += t * rates.W;
      moved.b += t * (rates.b + rates.b_force * lambda);
      moved.u += t * (s.W * lambda + s.b);
      moved.u(d - 1) = 0;
      return moved;
    };
    const double h = 1e-5;
    const double p_rate = (p_of(at(h)) - p_of(at(-h))) / (2 * h);
    const double b_rate = (at(h).b(d - 1) - at(-h).b(d - 1)) / (2 * h);
    const GSpot g = gspot(s, rates, 0);
    // Central differences with h = 1e-5: 1e-10 of the third derivative, 1e-11 of rounding.
    const double scale = 1 + std::pow((s.b.norm() + s.W.norm() * lambda.norm()) / slip, 3);
    EXPECT_NEAR(g.alpha[0] + g.alpha4 * b_n / p, p_rate, 1e-8 * scale * (1 + s.W.norm())) << seed;
    EXPECT_NEAR(g.alpha[1] + g.alpha[2] * b_n / p, b_rate, 1e-8 * scale * (1 + lambda.norm())) << seed;
    EXPECT_EQ(g.alpha4 == 0, d == 2) << seed;
    if (d == 3) {
      EXPECT_FALSE(g.lambda_limit || g.exponent) << seed;
      EXPECT_FALSE(g.lambda_limit_reason.empty()) << seed;
    }
  }
}

}  // namespace gspot_test
}  // namespace painleve
