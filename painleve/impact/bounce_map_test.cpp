// Bounces: the numbers of Fig. 11, the map against sums bounce by bounce, chatter and reverse chatter in closed form.
#include "painleve/impact/bounce_map.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace bounce_map_test {

constexpr auto energetic = RestitutionLaw::energetic;
constexpr auto poisson = RestitutionLaw::poisson;
constexpr auto newton = RestitutionLaw::newton;

// A = C = 1, B = 0.5 of Fig. 11a, with b_t/(−b_n) = beta.
PlanarContact figure(double beta, double mu) { return {1, 0.5, 1, 2 * beta, -2, 0, mu}; }

double e_of(const PlanarContact& c, const BounceLaw& law) { return bounce_cycle(c, law)->e; }

TEST(BounceMap, KnownFactors) {
  struct Row {
    double beta, mu, r, e_energetic, e_poisson;
  };
  const std::vector<Row> rows = {
      {0.5, 1.5, 0.7, 0.9585144756340407, 1.05},
      {1.0, 1.5, 0.7, 1.1067971810589328, 1.4},
      {2.0, 1.8, 0.7, 1.465763124949437, 2.1},
      {1.0, 2.5, 0.7, 1.2619429464123963, 1.4},
      {0.3, 0.6, 1.0, 1.0, 1.0},
      {-1.0, 1.5, 0.7, 0.7, 0.7},
      {0.5, 1.0, 0.9, 1.1022703842524302, 1.35},
  };
  for (const Row& row : rows) {
    const PlanarContact c = figure(row.beta, row.mu);
    EXPECT_NEAR(e_of(c, {row.r, energetic, {}}), row.e_energetic, 1e-15);
    EXPECT_NEAR(e_of(c, {row.r, poisson, {}}), row.e_poisson, 1e-15);
    EXPECT_EQ(e_of(c, {row.r, newton, {}}), row.r);
  }
}

// The closed form of the effective restitution and the iterated map are two routes to e.
TEST(BounceMap, CycleIsTheEffectiveRestitution) {
  Draws draws(55);
  int reversing = 0;
  int stuck = 0;
  for (int n = 0; n < 60000; ++n) {
    PlanarContact c = drawn_planar(draws, 0);
    c.mu *= draws.uniform();
    c.b_n = -std::abs(c.b_n) - 0.01;
    const BounceLaw law{draws.uniform(0.01, 1), static_cast<RestitutionLaw>(n % 3), {}};
    const auto cycle = bounce_cycle(c, law);
    const auto closed = effective_restitution(c, law);
    ASSERT_TRUE(cycle && closed);
    ASSERT_TRUE(cycle->settled);
    const double beta = c.b_t / -c.b_n;
    if (closed->exact) {
      ASSERT_NEAR(cycle->e, closed->e, 1e-13 * closed->e);
      stuck += cycle->alpha ? 1 : 0;
      if (cycle->alpha) {
        ASSERT_EQ(*cycle->alpha, 2 * beta);
      }
    } else {
      ASSERT_LE(cycle->e, closed->e * (1 + 1e-14));
      reversing += cycle->alpha ? 1 : 0;
    }
    if (!cycle->alpha) {
      ASSERT_EQ(cycle->e, law.restitution);
      ASSERT_FALSE(cycle->alpha_reason.empty());
      continue;
    }
    // It is a fixed point: one bounce later the ratio is the same.
    c.u_t = *cycle->alpha;
    const Bounce b = bounce(c, -1, law);
    ASSERT_NEAR(b.u_t / -b.u_n, *cycle->alpha, 1e-13 * (1 + std::abs(*cycle->alpha)));
    ASSERT_NEAR(-b.u_n, cycle->e, 1e-15 * (1 + cycle->e));
  }
  EXPECT_GT(reversing, 200);
  EXPECT_GT(stuck, 5000);
}

// The ratio that repeats in slip repels: its distance grows by 1/r per bounce. Bounces that begin just beside it go
// away from it, to the other side alike, and what they end in draws them in.
TEST(BounceMap, CycleAttractsAndMirrors) {
  Draws draws(56);
  int sticks = 0;
  int slips = 0;
  for (int n = 0; n < 2000; ++n) {
    PlanarContact c = drawn_planar(draws, 0);
    const BounceLaw law{draws.uniform(0.3, 0.95), static_cast<RestitutionLaw>(n % 3), {}};
    const double sign = c.W_tn < 0 ? 1 : -1;
    c.mu *= 0.3 * draws.uniform();
    const double lost = (c.mu * c.W_tt - sign * c.W_tn) / (c.W_nn - c.mu * sign * c.W_tn);
    c.b_n = -1;
    c.b_t = sign * (1 + law.restitution) * lost / 2 * (1 + (n % 2 == 0 ? 1 : -1) * std::pow(10, draws.uniform(-6, -1)));
    PlanarContact mirrored = c;
    mirrored.W_tn = -c.W_tn;
    mirrored.b_t = -c.b_t;
    const auto here = bounce_cycle(c, law);
    const auto there = bounce_cycle(mirrored, law);
    ASSERT_EQ(here->e, there->e) << n;
    ASSERT_EQ(here->bounces, there->bounces) << n;
    ASSERT_EQ(here->alpha.has_value(), there->alpha.has_value()) << n;
    (here->alpha ? sticks : slips)++;
    if (!here->alpha) continue;
    ASSERT_EQ(*here->alpha, -*there->alpha) << n;
    constexpr double aside = 1e-9;  // within reach of what draws it in
    for (const double side : {1.0, -1.0}) {
      double ratio = *here->alpha + side * aside;
      for (int bounces = 0; bounces < 60; ++bounces) {
        c.u_t = ratio;
        const Bounce b = bounce(c, -1, law);
        ratio = b.u_t / -b.u_n;
      }
      ASSERT_LT(std::abs(ratio - *here->alpha), aside) << n;
    }
  }
  EXPECT_GT(sticks, 300);
  EXPECT_GT(slips, 300);
}

TEST(BounceMap, NoneWithoutReturn) {
  EXPECT_FALSE(bounce_cycle({1, 0.5, 1, 1, 0, 0, 1}, {0.5, energetic, {}}));
  EXPECT_FALSE(bounce_cycle({1, 0.5, 1, 1, 1, 0, 1}, {0.5, energetic, {}}));
  EXPECT_THROW(complete_chatter({1, 0.5, 1, 1, 1, 0, 1}, -1, {0.5, energetic, {}}), InputError);
  EXPECT_THROW(complete_chatter(figure(1, 1), 0, {0.5, energetic, {}}), InputError);
  const auto dead = bounce_cycle(figure(1, 1.5), {0, energetic, {}});
  EXPECT_EQ(dead->e, 0);
  EXPECT_FALSE(dead->alpha);
}

// Fig. 11a.
TEST(BounceMap, FigureElevenA) {
  struct Row {
    double r, mu, lo, hi;
  };
  constexpr double none = -1;
  const std::vector<Row> rows = {
      {0.3, 1.8, none, none},
      {0.3, 2.0, 5.055555555555555, none},
      {0.3, 2.5, 3.5129517797230965, none},
      {0.5, 1.5, none, none},
      {0.5, 1.8, 1.7303039929152717, 8.884848003542366},
      {0.5, 2.0, 1.5, none},
      {0.5, 2.5, 1.2915026221291812, none},
      {0.7, 1.2, none, none},
      {0.7, 1.5, 0.6149486121667636, 2.9695359714832654},
      {0.7, 1.8, 0.543096955837621, 10.669832130913669},
      {0.7, 2.0, 0.5204081632653064, none},
      {0.7, 2.5, 0.4903524701433462, none},
      {0.9, 0.8, 0.18788700062500563, 0.3059016994374947},
      {0.9, 1.2, 0.12641594565489633, 1.548725648910593},
      {0.9, 1.5, 0.12094060830135964, 3.691153452528776},
      {0.9, 1.8, 0.11836160206680865, 12.243474558139877},
      {0.9, 2.0, 0.11728395061728392, none},
      {0.9, 2.5, 0.11561315054491866, none},
      {1.0, 0.8, 0.0, 0.5},
      {1.0, 1.2, 0.0, 1.75},
      {1.0, 1.5, 0.0, 4.0},
      {1.0, 1.8, 0.0, 13.0},
      {1.0, 2.5, 0.0, none},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << "r " << row.r << ", mu " << row.mu);
    const auto g = growth_interval(figure(0, row.mu), row.r);
    ASSERT_EQ(g.has_value(), row.lo != none);
    const BounceLaw law{row.r, energetic, {}};
    if (!g) {
      for (int n = -40; n < 40; ++n) EXPECT_LE(e_of(figure(std::pow(1.1, n), row.mu), law), 1 + 1e-14);
      continue;
    }
    EXPECT_NEAR(g->lo, row.lo, 1e-14 * (1 + row.lo));
    ASSERT_EQ(g->hi.has_value(), row.hi != none);
    if (g->lo > 0) {
      EXPECT_NEAR(e_of(figure(g->lo, row.mu), law), 1, 1e-13);
    }
    EXPECT_GT(e_of(figure(g->lo * 1.01 + 1e-3, row.mu), law), 1);
    EXPECT_LE(e_of(figure(g->lo * 0.99, row.mu), law), 1);
    if (!g->hi) {
      EXPECT_GT(e_of(figure(1e4, row.mu), law), 1);
      continue;
    }
    EXPECT_NEAR(*g->hi, row.hi, 1e-13 * row.hi);
    EXPECT_NEAR(e_of(figure(*g->hi, row.mu), law), 1, 1e-13);
    EXPECT_GT(e_of(figure(*g->hi * 0.99, row.mu), law), 1);
    EXPECT_LE(e_of(figure(*g->hi * 1.01, row.mu), law), 1 + 1e-14);
  }
}

// The curve e = 1 of Fig. 11a, read the other way: friction at which a given β just does not grow.
TEST(BounceMap, CurveOfNeutralBounces) {
  struct Row {
    double r, beta, mu;
  };
  for (const Row& row :
       {Row{0.5, 2, 1.7}, Row{0.5, 4, 1.6598124707397068}, Row{0.5, 8, 1.7832605974866078},
        Row{0.7, 0.45, 5.424317617866014}, Row{0.7, 0.6, 1.5400943396226427}, Row{0.7, 1, 1.265625},
        Row{0.7, 2, 1.3892169965792505}, Row{0.7, 4, 1.5827011644276352}, Row{0.7, 8, 1.7471703672924688},
        Row{0.9, 0.2, 0.7920673076923076}, Row{0.9, 0.45, 0.855934023795549}, Row{0.9, 0.6, 0.9163450409559053},
        Row{0.9, 1, 1.055944518383619}, Row{0.9, 2, 1.2895963159972792}, Row{0.9, 4, 1.5256786546582501},
        Row{0.9, 8, 1.7152007141869476}}) {
    const BounceLaw law{row.r, energetic, {}};
    EXPECT_NEAR(e_of(figure(row.beta, row.mu), law), 1, 1e-13);  // e changes up to 100 times as fast as mu
    EXPECT_GT(e_of(figure(row.beta, row.mu + 1e-3), law), 1);
    EXPECT_LT(e_of(figure(row.beta, row.mu - 1e-3), law), 1);
  }
  for (const auto& [r, mu, beta] : {std::array{0.3, 1.865, 10.11111111111111}, std::array{0.5, 1.625, 3.0},
                                    std::array{0.7, 1.265, 1.0408163265306125},
                                    std::array{0.9, 0.785, 0.23456790123456783}, std::array{1.0, 0.5, 0.0}}) {
    EXPECT_NEAR(*least_mu_of_reverse_chatter(figure(0, 1), r), mu, 1e-15);
    EXPECT_NEAR(e_of(figure(beta, mu), {r, energetic, {}}), 1, 1e-14);  // the tip of the curve
  }
}

// Fig. 11b: the rod with gyration² = 1/3.
TEST(BounceMap, FigureElevenB) {
  const auto rod = [](double theta) {
    const double s = std::sin(theta);
    const double c = std::cos(theta);
    return PlanarContact{1 + 3 * s * s, 3 * s * c, 1 + 3 * c * c, 0, -1, 0, 0.5};
  };
  const std::array r = {1.0, 0.9, 0.7, 0.5, 0.0};
  struct Row {
    double theta;
    std::array<double, 5> mu;
  };
  const std::vector<Row> rows = {
      {0.2, {0.5222845755952991, 1.6856213769630877, 3.6449254634772585, 5.114403528362886, 6.645109845952082}},
      {0.5, {0.7470681904489085, 1.103447948120877, 1.7036664873578768, 2.1538303917856267, 2.6227511255645326}},
      {0.8, {0.5894177320970178, 0.7886798371098942, 1.1242791718684233, 1.37597867293732, 1.6381656532174207}},
      {std::atan(2.0), {0.3529411764705882, 0.5392156862745098, 0.8529411764705882, 1.088235294117647, 4.0 / 3}},
      {1.3, {0.20427582756006574, 0.4639258724853769, 0.9012312113069538, 1.2292102154231361, 1.570855011377493}},
      {1.5, {0.0531193500510324, 0.9540816974188834, 2.471491966670002, 3.6095496686083406, 4.795026441460776}},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      EXPECT_NEAR(*least_mu_of_reverse_chatter(rod(row.theta), r[i]), row.mu[i], 1e-13 * row.mu[i]);
    }
  }
  // Where each curve is lowest: stationary, and the printed height.
  for (const auto& [restitution, mu, theta] :
       {std::array{0.5, 1.085349370533572, 1.136118369734665}, std::array{0.7, 0.8380271054596719, 1.180414227214107},
        std::array{0.9, 0.46392362990989394, 1.3008222499609263},
        std::array{0.95, 0.32249262867285533, 1.3702185580146435}}) {
    EXPECT_NEAR(*least_mu_of_reverse_chatter(rod(theta), restitution), mu, 1e-13);
    for (const double aside : {-1e-3, 1e-3})
      EXPECT_GT(*least_mu_of_reverse_chatter(rod(theta + aside), restitution), mu);
  }
  // With gravity alone b_t W_tn ≤ 0 and no bounce grows; a push along the floor can make it.
  Draws draws(8);
  for (int n = 0; n < 20000; ++n) {
    const double theta = draws.uniform(0, 3.14159);
    PlanarContact c = rod(theta);
    const double w2 = draws.uniform(0, 1) / std::sin(theta + 1e-3);
    c.b_t = -w2 * std::cos(theta);
    c.b_n = -1 + w2 * std::sin(theta);
    c.mu = draws.uniform(0, 5);
    const double restitution = draws.uniform();
    if (c.b_n < 0) {
      ASSERT_LE(e_of(c, {restitution, energetic, {}}), restitution * (1 + 1e-14));
    }
  }
  PlanarContact pushed = rod(0.9);
  pushed.b_t = 0.7;
  pushed.mu = 1.2;
  EXPECT_NEAR(e_of(pushed, {0.8, energetic, {}}), 1.1945516048507232, 1e-14);
}

// Bounce by bounce until the speed is 1e-18 of the first.
Chatter by_counting(PlanarContact c, double u_n, const BounceLaw& law) {
  Chatter sum;
  const double first = -u_n;
  while (-u_n > 1e-18 * first && sum.bounces < 200000) {
    const Bounce b = bounce(c, u_n, law);
    sum.t_end += b.flight;
    sum.shift += b.shift;
    c.u_t = b.u_t;
    u_n = b.u_n;
    ++sum.bounces;
  }
  sum.u_t = c.u_t;
  return sum;
}

TEST(BounceMap, ChatterIsSummed) {
  Draws draws(31);
  int slips = 0;
  int sticks = 0;
  int grows = 0;
  for (int n = 0; n < 4000; ++n) {
    PlanarContact c = drawn_planar(draws, draws.integer(-1, 1));
    c.mu *= draws.uniform();
    c.b_n = -std::abs(c.b_n) - 0.05;
    const double u_n = -draws.uniform(0.1, 2);
    const BounceLaw law{draws.uniform(0, 0.95), static_cast<RestitutionLaw>(n % 3), {}};
    const Chatter chatter = complete_chatter(c, u_n, law);
    if (!chatter.completes) {
      ++grows;
      ASSERT_GE(chatter.e, 1);
      ASSERT_FALSE(chatter.reason.empty());
      continue;
    }
    const Chatter counted = by_counting(c, u_n, law);
    ASSERT_LE(chatter.bounces, counted.bounces);
    const double speed = std::abs(c.u_t) - u_n + std::abs(c.b_t) * counted.t_end;
    ASSERT_NEAR(chatter.t_end, counted.t_end, 1e-12 * counted.t_end);
    ASSERT_NEAR(chatter.u_t, counted.u_t, 1e-12 * speed);
    ASSERT_NEAR(chatter.shift, counted.shift, 1e-12 * speed * counted.t_end);
    (chatter.u_t == 0 ? sticks : slips)++;
  }
  EXPECT_GT(slips, 500);
  EXPECT_GT(sticks, 500);
  EXPECT_GT(grows, 50);
}

// A ball that loses a millionth per bounce needs 4e7 bounces to come to rest by counting.
TEST(BounceMap, SlowChatterIsNotCounted) {
  const PlanarContact ball{1, 0, 1, 0, -10, 0, 0.3};
  const double r = 1 - 1e-6;
  const Chatter chatter = complete_chatter(ball, -1, {r, energetic, {}});
  EXPECT_TRUE(chatter.completes);
  EXPECT_LE(chatter.bounces, 2);
  EXPECT_NEAR(chatter.t_end, 0.2 * r / (1 - r), 1e-9 * 0.2e6);  // 1 − r itself is known to 1e-10
  EXPECT_FALSE(complete_chatter(ball, -1, {1, energetic, {}}).completes);
}

// Elastic, without friction, pushed along the surface: each bounce adds the same to the landing ratio.
TEST(BounceMap, WhatNeverSettlesIsCutOffAndCounted) {
  const Chatter chatter = complete_chatter({1, 0, 1, 3, -2, 0, 0}, -1, {1, energetic, {}});
  EXPECT_FALSE(chatter.completes);
  EXPECT_EQ(chatter.bounces, 100000);
  EXPECT_EQ(chatter.reason, "the landing ratio has not settled after " + std::to_string(chatter.bounces) + " bounces");
  EXPECT_NEAR(chatter.t_end, 1e5, 1e-4);  // flights of 2 · 1/2 s
}

TEST(BounceMap, ReverseChatterOfTheLiterature) {
  // b = (1, −1): speeds and times of the first bounces after a landing with 0.001, independently computed.
  const PlanarContact c{1, 0.5, 1, 1, -1, 0, 1.5};
  const ReverseChatter r = reverse_chatter(c, {0.7, energetic, {}});
  ASSERT_TRUE(r.possible);
  EXPECT_NEAR(r.e, 1.1067971810589328, 1e-15);
  EXPECT_EQ(r.alpha, 2);
  const ReverseFuture future{1e-3, 0};
  const auto first = landing(r, future, 0);
  const std::array t = {0.0022135943621178654, 0.004663594362117865, 0.00737524745571225, 0.010376497455712248,
                        0.013698272495365368,  0.017374803745365364, 0.021443978168940437};
  const std::array v = {0.0011067971810589327, 0.0012249999999999997, 0.0013558265467971922, 0.0015006249999999994,
                        0.00166088751982656,   0.001838265624999999,  0.002034587211787536};
  for (std::size_t n = 0; n < t.size(); ++n) {
    const auto l = landing(r, future, static_cast<long>(n) + 1);
    EXPECT_NEAR(l->t - first->t, t[n], 1e-16);
    EXPECT_NEAR(l->u_n, -v[n], 1e-17);
  }
}

TEST(BounceMap, ReverseChatterFollowsTheMap) {
  const PlanarContact c{1, 0.5, 1, 1, -1, 0, 1.5};
  const BounceLaw law{0.7, energetic, {}};
  const ReverseChatter r = reverse_chatter(c, law);
  for (const double phase : {0.0, 0.3, 0.99}) {
    const ReverseFuture future{2e-4, phase};
    for (const long n : {-40L, 0L, 7L}) {
      const auto from = landing(r, future, n);
      const auto to = landing(r, future, n + 1);
      PlanarContact landed = c;
      landed.u_t = from->u_t;
      const Bounce b = bounce(landed, from->u_n, law);
      EXPECT_NEAR(b.flight / (to->t - from->t), 1, 1e-13);
      EXPECT_NEAR(b.shift / (to->shift - from->shift), 1, 1e-12);
      EXPECT_NEAR(b.u_t / to->u_t, 1, 1e-13);
      // In the middle of the flight the contact is at its highest.
      const auto top = state_at(r, future, (from->t + to->t) / 2);
      EXPECT_EQ(top->bounce, n);
      EXPECT_NEAR(top->u_n / from->u_n, 0, 1e-11);
      EXPECT_NEAR(top->gap / (to->u_n * to->u_n / 2), 1, 1e-12);
      // The way between two moments of a flight is that of the mean velocity, which falls evenly.
      const auto early = state_at(r, future, from->t + 0.1 * b.flight);
      const auto late = state_at(r, future, from->t + 0.7 * b.flight);
      const double between = 0.6 * b.flight * (early->u_t + late->u_t) / 2;
      EXPECT_NEAR((late->shift - early->shift) / between, 1, 1e-11);
      EXPECT_NEAR((early->shift - from->shift) / (0.1 * b.flight * (b.impact.u_t + early->u_t) / 2), 1, 1e-10);
      EXPECT_EQ(last_landing(r, future, to->t * (1 + 1e-12)), n + 1);
      EXPECT_EQ(last_landing(r, future, to->t * (1 - 1e-12)), n);
    }
  }
  // Everything begins at rest at t = 0: the earliest landings lie as close to it as one likes.
  EXPECT_LT(landing(r, {1, 0.5}, -1000)->t, 1e-40);
}

TEST(BounceMap, AMillionGrowingBounces) {
  // e is so close to 1 that a million bounces only multiply the speed by a thousand.
  const double beta = growth_interval(figure(0, 1.5), 0.7)->lo * (1 + 1.5e-5);
  const ReverseChatter r = reverse_chatter(figure(beta, 1.5), {0.7, energetic, {}});
  ASSERT_TRUE(r.possible);
  const auto l = landing(r, {1e-6, 0.25}, 1000000);
  ASSERT_TRUE(l);
  EXPECT_NEAR(std::log(-l->u_n / 1e-6) / (1000000.25 * std::log(r.e)), 1, 1e-12);
  EXPECT_EQ(last_landing(r, {1e-6, 0.25}, l->t * (1 + 1e-9)), 1000000);
  const ReverseChatter fast = reverse_chatter(figure(1, 1.5), {0.7, energetic, {}});
  EXPECT_FALSE(landing(fast, {1e-6, 0}, 1000000));  // beyond double precision, and said so
}

TEST(BounceMap, WhatSetsReverseChatterOff) {
  const PlanarContact c = figure(1, 1.5);
  const BounceLaw law{0.7, energetic, {}};
  const ReverseChatter r = reverse_chatter(c, law);
  ASSERT_TRUE(r.from_ratio && r.to_ratio);
  ASSERT_LT(*r.from_ratio, r.alpha);
  ASSERT_GT(*r.to_ratio, r.alpha);
  const auto completes = [&](double ratio) {
    PlanarContact landed = c;
    landed.u_t = 1e-6 * ratio;
    return complete_chatter(landed, -1e-6, law).completes;
  };
  EXPECT_FALSE(completes(*r.to_ratio * (1 - 1e-9)));
  EXPECT_TRUE(completes(*r.to_ratio * (1 + 1e-9)));  // too fast along the surface: it slips, and chatter dies out
  EXPECT_FALSE(completes(*r.from_ratio * (1 - 1e-9)));
  EXPECT_TRUE(completes(*r.from_ratio * (1 + 1e-9)));
  EXPECT_FALSE(reverse_chatter(figure(1, 1.5), {0.3, energetic, {}}).possible);
  EXPECT_FALSE(reverse_chatter({1, 0.5, 1, 1, 1, 0, 1.5}, law).reason.empty());
}

}  // namespace bounce_map_test
}  // namespace painleve
