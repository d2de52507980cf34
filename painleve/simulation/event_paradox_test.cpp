// Event-driven runs of the rod through the paradox, in the plane and in space, and near jamming.
#include "painleve/simulation/event_driven.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/simulation/detail/event_runs.hpp"
#include "painleve/simulation/detail/problems.hpp"

namespace painleve {
namespace event_paradox_test {

using detail::degree;
using detail::events;
using detail::friction;
using detail::preclik_rod;
using detail::problem_of;
using detail::until;

SimulationProblem unit_rod(double theta, double rate, double slip, double mu, double torque = 0) {
  return problem_of("rod",
                    {{{"gravity", 1}}, {{"theta", theta}, {"theta_dot", rate}}, {{"torque", torque}}, {{"", {slip}}}},
                    friction(mu));
}

// Várkonyi (2018), Theorem 3.1: no slip of the rod reaches p = 0 with b_n < 0.
TEST(EventDriven, NoSlipReachesTheParadoxUnderLoad) {
  Draws draws(31);
  int gspots = 0;
  for (int k = 0; k < 200; ++k) {
    const double mu = draws.uniform(1.4, 2.5);
    const double theta = draws.uniform(0.2, 1.4);
    const double t = std::tan(theta);
    if (t / 3 + 4 / (3 * t) < mu) continue;  // p < 0 already
    const auto run = simulate_events(unit_rod(theta, draws.uniform(-1.5, 1.5), draws.uniform(0.5, 50), mu), until(2));
    if (run.jam) {
      EXPECT_FALSE(run.jam->crosses) << k;
      EXPECT_LT(std::abs(run.jam->b_n), 0.02) << k;  // b_n falls as p^(α3/α1) only, and p is 1e-10 there
      ++gspots;
    }
  }
  EXPECT_GT(gspots, 3);
}

// The G-spot is reached only for μ > μ_c = 8/(3√3) = 1.5396, Champneys & Várkonyi (2016) Sec. 5.1.
TEST(EventDriven, GSpotAttractsAboveTheCriticalFriction) {
  const auto reached = [](double mu) {
    const double root = std::sqrt(mu * mu - 16.0 / 9);
    const double theta1 = std::atan(3 * (mu - root) / 2);  // p = 0: tan²/3 − μ tan + 4/3 = 0
    int count = 0;
    for (const double below : {0.02, 0.05, 0.1}) {
      for (double rate = 0.1; rate < 1.2; rate += 0.1)
        count += simulate_events(unit_rod(theta1 - below, rate, 50, mu), until(3)).stopped == "jam";
    }
    return count;
  };
  EXPECT_EQ(reached(1.45), 0);
  EXPECT_EQ(reached(1.52), 0);
  EXPECT_GT(reached(1.7), 15);
}

TEST(EventDriven, ForceAtTheGSpotGrowsWithTheExponentOfTheNode) {
  const auto run = simulate_events(unit_rod(0.7491759822048104, 0.12909516719994218, 50, 1.7), until(1));
  ASSERT_EQ(run.stopped, "jam");
  EXPECT_NEAR(run.jam->t_star, 0.036730803866, 1e-11);
  ASSERT_TRUE(run.jam->exponent && run.jam->predicted);
  EXPECT_NEAR(*run.jam->predicted, -0.3880441698354138, 1e-5);
  EXPECT_NEAR(*run.jam->exponent, -0.3880441698354138, 1e-3);
  EXPECT_FALSE(run.jam->force_limit);
}

// Held in a guide and turned upside down: the same motion, and a force that pulls.
TEST(EventDriven, ForceThatPullsJamsAsOneThatPresses) {
  struct Approach {
    double theta, rate, slip, mu, torque;
  };
  for (const Approach& a :
       {Approach{0.7491759822048104, 0.12909516719994218, 50, 1.7, 0}, {0.95, 0.85, 10, 1.4, -0.2}}) {
    auto upright = unit_rod(a.theta, a.rate, a.slip, a.mu, a.torque);
    upright.bilateral[0] = true;
    auto hanging = problem_of("rod",
                              {{{"gravity", 1}, {"slope", 180 * degree}},
                               {{"theta", -a.theta}, {"theta_dot", -a.rate}},
                               {{"torque", -a.torque}},
                               {{"", {a.slip}}}},
                              friction(a.mu));
    hanging.bilateral[0] = true;
    const auto presses = simulate_events(upright, until(1));
    const auto pulls = simulate_events(hanging, until(1));
    ASSERT_EQ(presses.stopped, "jam") << a.mu;
    ASSERT_EQ(pulls.stopped, "jam") << a.mu;
    EXPECT_NEAR(pulls.t, presses.t, 1e-12);
    EXPECT_EQ(pulls.stop_reason, presses.stop_reason);
    EXPECT_EQ(pulls.jam->portrait, presses.jam->portrait);
    EXPECT_NEAR(pulls.jam->b_n, -presses.jam->b_n, 1e-6);
    ASSERT_TRUE(pulls.jam->exponent && presses.jam->exponent);
    EXPECT_NEAR(*pulls.jam->exponent, *presses.jam->exponent, 1e-3);  // p has six digits there
    EXPECT_EQ(pulls.jam->force_limit.has_value(), presses.jam->force_limit.has_value());
    if (presses.jam->force_limit) {
      EXPECT_NEAR(*pulls.jam->force_limit, -*presses.jam->force_limit, 1e-6);
    }
    ASSERT_EQ(pulls.futures.size(), presses.futures.size());
    for (std::size_t k = 0; k < pulls.futures.size(); ++k) {
      EXPECT_EQ(pulls.futures[k].why, presses.futures[k].why);
      EXPECT_EQ(pulls.futures[k].outcome, presses.futures[k].outcome);
      EXPECT_NEAR(pulls.futures[k].state.q(2), -presses.futures[k].state.q(2), 1e-5);
    }
  }
}

TEST(EventDriven, ForceAtTheSecondGSpotStaysFinite) {
  const auto run = simulate_events(unit_rod(0.95, 0.85, 10, 1.4, -0.2), until(1));
  ASSERT_EQ(run.stopped, "jam");
  ASSERT_TRUE(run.jam && run.jam->force_limit);
  EXPECT_NEAR(*run.jam->force_limit, 0.6298617909600486, 1e-6);
  EXPECT_NEAR(run.samples.back().lambda(1), 0.6298617909600486, 1e-3);  // what the run itself arrived at
  EXPECT_FALSE(run.jam->predicted);
}

// Case N has no acceleration: the impact without collision, and then the rod pivots about its tip with
// λ_n = 1 − (3/4) cos² − sin ω², ω² = 27/64.
TEST(EventDriven, InconsistentSlipEndsInAnImpactWithoutCollision) {
  const auto run = simulate_events(preclik_rod(0), until(0.5));
  ASSERT_GE(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].kind, EventKind::iwc);
  EXPECT_NEAR(run.events[0].Lambda(0), 7.0 / 16, 1e-14);
  EXPECT_NEAR(run.events[0].Lambda(1), 3 * std::sqrt(3.0) / 16, 1e-14);
  EXPECT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].mode, "T");  // what follows
  EXPECT_EQ(run.outcome, "T");
  EXPECT_NEAR(run.samples.front().lambda(1), 0.4471455327784399, 1e-10);
}

TEST(EventDriven, AllFuturesOfTheIndeterminateSlip) {
  const auto run = simulate_events(preclik_rod(5.0 / 3), until(0.2, Policy::all));
  EXPECT_EQ(run.stopped, "branched");
  ASSERT_EQ(run.futures.size(), 3U);
  EXPECT_EQ(run.futures[0].why, "mode F");
  EXPECT_NE(run.futures[1].why.find("unstable"), std::string::npos);
  EXPECT_NE(run.futures[2].why.find("impact without collision"), std::string::npos);
  for (const auto& future : run.futures) {
    EXPECT_EQ(future.stopped, "t_end");
    EXPECT_GE(future.samples.size(), 10U);
    EXPECT_LT(std::abs(future.energy.defect()), 1e-9);
  }
}

TEST(EventDriven, PoliciesAtTheIndeterminateSlip) {
  const SimulationProblem p = preclik_rod(5.0 / 3);
  EXPECT_EQ(simulate_events(p, until(0.02, Policy::principle)).outcome, "F");
  // Springs that carry nothing at the start let go.
  EXPECT_EQ(simulate_events(p, until(0.02, Policy::stiff_limit)).outcome, "F");
  int opened = 0;
  int struck = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SimulationOptions o = until(0.001, Policy::seeded);
    o.seed = seed;
    const auto run = simulate_events(p, o);
    const auto again = simulate_events(p, o);
    EXPECT_EQ(run.state.q, again.state.q);
    (events(run, EventKind::iwc).empty() ? opened : struck) += 1;
  }
  EXPECT_GT(opened, 2);
  EXPECT_GT(struck, 2);
}

// --- space ------------------------------------------------------------------------------------------------------

// In space p = 0 is crossed with b_n < 0 while the force grows as (t* − t)^{−1/2}; Champneys & Várkonyi (2016) Sec. 7.
TEST(EventDriven, RodInSpaceCrossesTheParadox) {
  struct Case {
    double theta, theta_dot, psi_dot, speed, phi, t;
  };
  for (const Case& c : {Case{1.2, 0, 0, 1, 1.1591255692400744, 0.00016963448426115922},
                        Case{1.0, 0.3, 0.2, 1, 0.8945234946730675, 0.0009175944547793958},
                        Case{0.9, -0.3, 0.4, 0.7, 0.7196388550507, 0.0023090180515766352},
                        Case{1.3, 0, 0.5, 2, 1.2788506941376383, 0.0007971327029983653}}) {
    const SimulationProblem p = problem_of("rod-3d",
                                           {{{"gravity", 1}, {"gyration", 0.1}},
                                            {{"theta", c.theta}, {"theta_dot", c.theta_dot}, {"psi_dot", c.psi_dot}},
                                            {},
                                            {{"", {c.speed * std::cos(c.phi), c.speed * std::sin(c.phi)}}}},
                                           friction(1));
    const auto run = simulate_events(p, until(0.01));
    ASSERT_TRUE(run.jam);
    EXPECT_TRUE(run.jam->crosses);
    EXPECT_NEAR(run.jam->t_star, c.t, 1e-9);
    ASSERT_TRUE(run.jam->exponent);
    EXPECT_NEAR(*run.jam->exponent, -0.5, 1e-3);
    ASSERT_GE(run.events.size(), 2U);
    EXPECT_EQ(run.events[1].kind, EventKind::iwc);
    EXPECT_EQ(run.stopped, "t_end");
  }
}

// A rod in space that moves in a vertical plane is the rod of the plane.
TEST(EventDriven, SpaceReducesToThePlane) {
  const SimulationProblem planar = problem_of("rod", {{}, {{"theta", 45 * degree}}, {}, {{"", {-1.0}}}}, friction(0.5));
  const SimulationProblem spatial =
      problem_of("rod-3d", {{}, {{"theta", 45 * degree}, {"psi", 0.0}}, {}, {{"", {-1.0, 0.0}}}}, friction(0.5));
  const auto a = simulate_events(planar, until(0.6));
  const auto b = simulate_events(spatial, until(0.6));
  EXPECT_EQ(a.events.size(), b.events.size());
  for (std::size_t k = 0; k < std::min(a.events.size(), b.events.size()); ++k) {
    EXPECT_EQ(a.events[k].kind, b.events[k].kind);
    EXPECT_NEAR(a.events[k].t, b.events[k].t, 1e-9);
  }
  EXPECT_NEAR(a.state.q(0), b.state.q(0), 1e-9);
  EXPECT_NEAR(a.state.q(1), b.state.q(2), 1e-9);
  EXPECT_NEAR(a.state.q(2), b.state.q(3), 1e-9);
  EXPECT_GE(a.events.size(), 1U);
}

// Out of rest in space: the speed is a_t t, with the direction in which friction lets it accelerate.
TEST(EventDriven, SlipInSpaceBeginsWithItsOwnAcceleration) {
  const SimulationProblem p = problem_of("rod-3d",
                                         {{{"gyration", 0.6139087262299808}},
                                          {{"theta", 0.9699880327587147},
                                           {"psi", -2.615811370638016},
                                           {"theta_dot", 0.25823024628681734},
                                           {"psi_dot", 0.27329874879395266}},
                                          {},
                                          {{"", {0.0, 0.0}}}},
                                         friction(0.27237555686044707));
  for (const double t : {1e-8, 1e-6, 1e-5}) {
    const auto run = simulate_events(p, until(t));
    EXPECT_EQ(run.t, t);
    const Eigen::VectorXd u = p.mechanism->dynamics(run.state).u;
    EXPECT_NEAR(u.head(2).norm() / t, 2.9975, 2e-3);
    EXPECT_GE(run.energy.friction, 0);
  }
}

// From the edge of the cone the speed grows from zero acceleration; reference by friction smoothed over 1e-6 … 1e-9
// m/s.
TEST(EventDriven, SlipInSpaceFromTheEdgeOfTheCone) {
  painleve::Setup setup;
  const std::map<std::string, double> parameters = {{"mass", 2.0487042529738946},
                                                    {"half_length", 0.8530698542212157},
                                                    {"gyration", 0.37768800676213793},
                                                    {"gravity", 1}};
  const std::map<std::string, double> given = {{"theta", 1.0934127680375294},
                                               {"psi", -2.06349001972083},
                                               {"theta_dot", 0.557714550750225},
                                               {"psi_dot", -0.4107298915841078}};
  for (const auto& [key, value] : parameters) setup.parameters.set(key, value);
  for (const auto& [key, value] : given) setup.given.set(key, value);
  setup.slip[""] = {0, 0};
  setup.forces["force"] = {Expression::parse("1.338*sin(8.770*t)"), Expression::parse("-0.202"),
                           Expression::parse("0.317")};
  setup.forces["torque_psi"] = {Expression::parse("0.297*sin(12.964*t)")};
  setup.contacts["tip"].mu = 0.4145050795480153;
  const Posed posed = build(gallery_entry("rod-3d"), setup);
  const SimulationProblem p{posed.mechanism, posed.state, {friction(0.4145050795480153)}, {false}, {}};
  const auto soon = simulate_events(p, until(0.017));
  ASSERT_FALSE(events(soon, EventKind::slip).empty());
  EXPECT_NEAR(events(soon, EventKind::slip)[0]->t, 0.0164370236, 1e-9);
  EXPECT_LT(p.mechanism->dynamics(soon.state).u.head(2).norm(), 2e-6);
  EXPECT_GT(p.mechanism->dynamics(soon.state).u.head(2).norm(), 1e-6);
  const auto later = simulate_events(p, until(0.7));
  EXPECT_NEAR(later.state.q(4), -2.72201, 1e-5);
}

// --- jams ---

// Both feet of a biped at one place slip until det P = 0, where the null vector of P is (1, -1): the forces stay what
// they were, and no jam is there. Beyond it the slip of one foot lifts the other one.
TEST(EventDriven, SlipOfFeetAtOnePlaceDoesNotJam) {
  for (const double mu : {0.5, 0.1, 0.3}) {
    const auto biped = problem_of("compass-biped", {{}, {}, {}, {}}, friction(mu));
    SimulationOptions o = until(2);
    const auto run = simulate_events(biped, o);
    EXPECT_EQ(run.stopped, "t_end") << mu << ": " << run.stop_reason;
    EXPECT_FALSE(run.jam) << mu;
    const auto turning = std::find_if(run.events.begin(), run.events.end(), [](const SimulationEvent& e) {
      return e.kind == EventKind::mode && e.note.find("det P = 0") != std::string::npos;
    });
    ASSERT_NE(turning, run.events.end()) << mu;
    const auto lifts =
        std::find_if(turning, run.events.end(), [](const SimulationEvent& e) { return e.kind == EventKind::liftoff; });
    ASSERT_NE(lifts, run.events.end()) << mu;
    EXPECT_EQ(lifts->t, turning->t) << mu;
    EXPECT_LE(std::abs(run.energy.defect()), 1e-9 * run.energy.initial) << mu;
  }
  const auto biped = problem_of("compass-biped", {{}, {}, {}, {}}, friction(0.1));
  EXPECT_NEAR(simulate_events(biped, until(1.3)).events.at(5).t, 1.2835767, 1e-6);
}

// Slip of two feet at one place begins with no time to last: such ways lead back to the same choice, and it is made
// once.
TEST(EventDriven, WaysThatLeadBackToTheirChoiceAreNotFollowedAgain) {
  const auto biped = problem_of("compass-biped", {{}, {}, {}, {}}, friction(0.7));
  const auto run = simulate_events(biped, until(0.2, Policy::all));
  ASSERT_EQ(run.stopped, "branched");
  int back = 0;
  for (const auto& future : run.futures) {
    if (future.stopped == "merged") {
      ++back;
      EXPECT_EQ(future.t, 0) << future.why;
      EXPECT_TRUE(future.futures.empty()) << future.why;
    } else {
      EXPECT_GT(future.t, 0) << future.why;
    }
  }
  EXPECT_GE(back, 1);
  EXPECT_EQ(run.futures[0].stopped, "t_end");
}

// The nearest approach to jamming is that of the motion, wherever its steps end: μ max W_tn/W_nn of a rod that falls
// over, at tan² θ = 4, where W_tn/W_nn = 3/4; and at the start where it is largest there.
TEST(EventDriven, NearestJamDoesNotDependOnTheSteps) {
  const SimulationProblem falling = problem_of("rod", {{}, {{"theta", 80 * degree}}, {}, {{"", {0}}}}, friction(0.3));
  for (const double relative : {1e-7, 3e-8, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    SimulationOptions options = until(1);
    options.relative = relative;
    const auto run = simulate_events(falling, options);
    ASSERT_TRUE(run.nearest_jam);
    EXPECT_NEAR(run.nearest_jam->ratio, 0.3 * 0.75, 1e-7 * 0.225) << relative;
    EXPECT_GT(run.nearest_jam->t, 0.5);
  }
  const SimulationProblem steep =
      problem_of("rod", {{}, {{"theta", std::atan(2.0)}}, {}, {{"", {0.1}}}}, friction(0.3));
  const auto run = simulate_events(steep, until(0.1));
  ASSERT_TRUE(run.nearest_jam);
  EXPECT_EQ(run.nearest_jam->t, 0);
  EXPECT_NEAR(run.nearest_jam->ratio, 0.3 * 0.75, 1e-14);
}

// Feet at one place whose slip runs into det P = 0: either of them lifts off there, and as slowly as t³. It does not
// land again by the rounding of its gap. The two ways are mirror images.
TEST(DegenerateSlip, OfFeetAtOnePlaceIsLeftByEitherOfThem) {
  ContactLaw law = friction(2.575510034287278, 0.3);
  law.law = RestitutionLaw::poisson;
  for (int k = 0; k < 8; ++k) {
    const auto walker =
        problem_of("compass-biped",
                   {{{"slope", 0.29703668356836344}, {"hip_mass", 2.430601270996183}, {"leg_com", 0.284}},
                    {{"theta1", 0.009871042368642502},
                     {"theta2", 0.18962992195707223 + 1e-7 * k},
                     {"theta1_dot", -0.7001385490764597},
                     {"theta2_dot", -1.566211002286205}},
                    {},
                    {{"", {0}}}},
                   law);
    const auto one = simulate_events(walker, until(1.5));
    const auto other = simulate_events(walker, until(1.5, Policy::seeded));
    EXPECT_EQ(one.stopped + other.stopped, "t_endt_end") << k;
    EXPECT_EQ(one.outcome, "TS-") << k;
    EXPECT_EQ(other.outcome, "S-T") << k;
  }
}

}  // namespace event_paradox_test
}  // namespace painleve
