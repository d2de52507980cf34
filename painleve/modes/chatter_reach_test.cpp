// Chatter against impacts that are followed phase by phase, and against reference values.
#include "painleve/modes/chatter_reach.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace chatter_reach_test {

struct Velocity {
  double t, n;
};

// One impact: the velocity runs along straight lines as the normal impulse grows, with the slope that the Coulomb force
// gives it. Returns the velocity at which the law ends the restitution.
class Impact {
 public:
  Impact(const PlanarContact& c, const BounceLaw& law) : c_(c), law_(law), mu_(law.mu.value_or(c.mu)) {}

  Velocity after(Velocity u) {
    const double landing = -u.n;
    double impulse = 0;
    double work = 0;
    for (bool restitution = false;;) {  // phases
      const Velocity slope = per_impulse(u.t);
      const double to_stop = u.t * slope.t < 0 ? -u.t / slope.t : std::numeric_limits<double>::infinity();
      const double to_end = restitution ? end(u, slope, impulse, work, landing) : compression_end(u, slope);
      const double step = std::min(to_stop, to_end);
      const double before = u.n;
      u = {to_stop <= to_end ? 0 : u.t + step * slope.t, u.n + step * slope.n};
      impulse += step;
      work += (before + u.n) / 2 * step;
      if (to_end <= to_stop && restitution) {
        return u;
      }
      if (to_end <= to_stop) {
        u.n = 0;
        compression_impulse_ = impulse;
        compression_work_ = work;
        restitution = true;
        impulse = work = 0;
      }
    }
  }

 private:
  // du/dΛ_n for the Coulomb force that fits the slip, or the stick, that follows.
  Velocity per_impulse(double u_t) const {
    const double holding = -c_.W_tn / c_.W_tt;
    if (u_t == 0 && std::abs(holding) <= mu_) {
      return {0, c_.W_tn * holding + c_.W_nn};
    }
    const double friction = u_t > 0 || (u_t == 0 && holding < -mu_) ? -mu_ : mu_;
    return {c_.W_tt * friction + c_.W_tn, c_.W_tn * friction + c_.W_nn};
  }
  static double compression_end(const Velocity& u, const Velocity& slope) {
    return slope.n > 0 ? -u.n / slope.n : std::numeric_limits<double>::infinity();
  }
  double end(const Velocity& u, const Velocity& slope, double impulse, double work, double landing) const {
    const double r = law_.restitution;
    double left = std::numeric_limits<double>::infinity();
    if (law_.law == RestitutionLaw::energetic) {
      // work + u_n s + slope s²/2 = r² |W_c|
      const double missing = -r * r * compression_work_ - work;
      const double root = std::sqrt(std::max(0.0, u.n * u.n + 2 * slope.n * missing));
      left = root + u.n > 0 ? 2 * missing / (root + u.n) : 0;
    } else if (law_.law == RestitutionLaw::poisson) {
      left = r * compression_impulse_ - impulse;
    } else {
      left = (r * landing - u.n) / slope.n;
    }
    return std::max(0.0, left);
  }

  const PlanarContact& c_;
  const BounceLaw& law_;
  double mu_;
  double compression_impulse_ = 0, compression_work_ = 0;
};

Velocity fly(const PlanarContact& c, const Velocity& u) { return {u.t + 2 * c.b_t / -c.b_n * u.n, -u.n}; }

PlanarContact drawn(Draws& draws) {
  PlanarContact c = drawn_planar(draws, 0);
  c.b_n = -std::exp(draws.normal());
  return c;
}
double p_plus(const PlanarContact& c) { return c.W_nn - c.mu * c.W_tn; }
double p_minus(const PlanarContact& c) { return c.W_nn + c.mu * c.W_tn; }

BounceLaw drawn_law(Draws& draws, double most) {
  BounceLaw law;
  law.restitution = draws.uniform(0.05, most);
  law.law = static_cast<RestitutionLaw>(draws.integer(0, 2));
  return law;
}

TEST(ChatterReach, ImpactsWithNegativePEndInStickOrSlipBack) {
  Draws draws(52);
  int forward = 0;
  int backward = 0;
  while (forward + backward < 8000) {
    const PlanarContact c = drawn(draws);
    const BounceLaw law = drawn_law(draws, 1);
    const double sign = p_plus(c) < -0.01 ? 1 : -1;  // of the slip that is pressed by its own friction
    if (std::min(p_plus(c), p_minus(c)) > -0.01) {
      continue;
    }
    const Velocity before{draws.normal(), -std::exp(draws.normal())};
    const Velocity after = Impact(c, law).after(before);
    if (sign * before.t > 0) {
      EXPECT_EQ(after.t, 0);
      ++forward;
    } else {
      EXPECT_LE(sign * after.t, 0);
      ++backward;
    }
  }
  EXPECT_GT(forward, 1000);
  EXPECT_GT(backward, 1000);
}

TEST(ChatterReach, EndsWhereItSays) {
  Draws draws(53);
  int jammed = 0;
  int complete = 0;
  for (int k = 0; k < 4000; ++k) {
    PlanarContact c = drawn(draws);
    const BounceLaw law = drawn_law(draws, 0.9);
    Velocity u{draws.normal(), -std::exp(draws.uniform(-4, 0))};
    for (int i = 0; i < 2000 && std::abs(u.n) > 1e-12 && std::abs(u.n) < 1e3; ++i) {
      u = fly(c, Impact(c, law).after(u));
    }
    if (std::abs(u.n) > 1e-12) {
      continue;  // reverse chatter, or nearly
    }
    ++complete;
    c.u_t = std::abs(u.t) > 1e-9 ? u.t : 0;
    const ChatterReach reach = chatter_reach(c);
    EXPECT_TRUE(reach.chatter);
    if (c.u_t != 0) {
      EXPECT_TRUE(c.u_t > 0 ? reach.slip_plus : reach.slip_minus) << k;
      EXPECT_EQ(reach.here, true) << k;
    }
    EXPECT_FALSE(reach.painleve_state) << k;
    jammed += std::min(p_plus(c), p_minus(c)) < 0;
  }
  EXPECT_GT(complete, 3000);
  EXPECT_GT(jammed, 300);
}

TEST(ChatterReach, SlipWithPositivePIsReached) {
  Draws draws(54);
  int tried = 0;
  while (tried < 1000) {
    PlanarContact c = drawn(draws);
    c.u_t = draws.uniform() < 0.5 ? 1 : -1;
    if ((c.u_t > 0 ? p_plus(c) : p_minus(c)) < 0.05) {
      continue;
    }
    ++tried;
    ASSERT_EQ(chatter_reach(c).here, true);
    BounceLaw law = drawn_law(draws, 0.9);
    Velocity u{c.u_t, -1e-6};
    while (std::abs(u.n) > 1e-14) {
      u = fly(c, Impact(c, law).after(u));
    }
    EXPECT_NEAR(u.t, c.u_t, 1e-2) << "a short chatter ends in slip nearby";
  }
}

TEST(ChatterReach, PainleveStatesAreNotReached) {
  Draws draws(55);
  int states = 0;
  for (int k = 0; k < 6000; ++k) {
    PlanarContact c = drawn_planar(draws, draws.integer(-1, 1));
    const ChatterReach reach = chatter_reach(c);
    EXPECT_EQ(reach.chatter, c.b_n < 0);
    EXPECT_FALSE(reach.reason.empty());
    if (!reach.painleve_state) {
      continue;
    }
    ++states;
    EXPECT_EQ(reach.here, false) << k;
  }
  EXPECT_GT(states, 300);
  PlanarContact c{1, 0.5, 1, 0.3, -1, 0.7, 2.5};
  EXPECT_NE(chatter_reach(c).reason.find("slip along +t"), std::string::npos);
  c.mu = 2;  // p+ = 0
  EXPECT_EQ(chatter_reach(c).here, false);
  c.b_n = 1;
  EXPECT_EQ(chatter_reach(c).here, false);
  c.b_n = 0;
  EXPECT_EQ(chatter_reach(c).here, std::nullopt);
  c = {1, 0.5, 1, 0.3, -1, -0.7, 2.5};
  EXPECT_EQ(chatter_reach(c).here, true);
}

double e_of(const PlanarContact& c, double r, RestitutionLaw law) {
  const auto e = effective_restitution(c, {r, law, {}});
  EXPECT_TRUE(e && e->exact);
  return e ? e->e : -1;
}

TEST(EffectiveRestitution, MatchesReferenceValues) {
  struct Sample {
    double alpha, mu, r, energetic, poisson;
  };
  constexpr Sample samples[] = {{0.5, 1.5, 0.7, 0.9585144756340407, 1.0499999999999998},
                                {1.0, 1.5, 0.7, 1.1067971810589328, 1.4},
                                {2.0, 1.8, 0.7, 1.465763124949437, 2.0999999999999996},
                                {1.0, 2.5, 0.7, 1.2619429464123963, 1.4000000000000004},
                                {0.3, 0.6, 1.0, 1.0, 1.0},
                                {-1.0, 1.5, 0.7, 0.7, 0.6999999999999998},
                                {0.5, 1.0, 0.9, 1.1022703842524302, 1.3499999999999999}};
  for (const auto& s : samples) {
    const PlanarContact c{1, 0.5, 1, s.alpha, -1, 0, s.mu};
    EXPECT_NEAR(e_of(c, s.r, RestitutionLaw::energetic), s.energetic, 1e-14) << s.alpha << " " << s.mu;
    EXPECT_NEAR(e_of(c, s.r, RestitutionLaw::poisson), s.poisson, 1e-14) << s.alpha << " " << s.mu;
    EXPECT_EQ(e_of(c, s.r, RestitutionLaw::newton), s.r);
  }
}

TEST(EffectiveRestitution, IsTheLimitOfFollowedBounces) {
  Draws draws(56);
  int exact = 0;
  int bounds = 0;
  int reverse = 0;
  for (int k = 0; k < 6000; ++k) {
    const PlanarContact c = drawn(draws);
    BounceLaw law = drawn_law(draws, 1);
    if (draws.uniform() < 0.2) {
      law.mu = draws.uniform(0.02, 3);
    }
    const auto e = effective_restitution(c, law);
    ASSERT_TRUE(e);
    // Bounces are alike up to their size: each starts at unit landing speed.
    Velocity u{2 * c.b_t / -c.b_n, -1};
    double last = 0;
    for (int i = 0; i < 60; ++i) {
      u = fly(c, Impact(c, law).after(u));
      last = -u.n;
      EXPECT_TRUE(e->exact || last <= law.restitution * (1 + 1e-12)) << k;
      u = {u.t / last, -1};
      if (std::abs(u.t) > 1e9) {
        break;
      }
    }
    if (e->exact) {
      EXPECT_NEAR(last, e->e, 1e-9 * (1 + e->e)) << k;
    }
    ++(e->exact ? exact : bounds);
    reverse += e->exact && e->e > 1;
  }
  EXPECT_GT(exact, 4000);
  EXPECT_GT(bounds, 100);
  EXPECT_GT(reverse, 100);
}

TEST(EffectiveRestitution, NeedsAFlightThatReturns) {
  EXPECT_FALSE(effective_restitution({1, 0.5, 1, 0.3, 0, 0, 1}, {}));
  EXPECT_FALSE(effective_restitution({1, 0.5, 1, 0.3, 1, 0, 1}, {}));
}

}  // namespace chatter_reach_test
}  // namespace painleve
