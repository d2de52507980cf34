#include "painleve/simulation/event_driven.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/simulation/crossroads.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/rigid_flow.hpp"

namespace painleve {
namespace event_driven_test {

using detail::degree;
using detail::friction;
using detail::preclik_rod;
using detail::problem_of;
using detail::Values;

SimulationOptions until(double t_end, Policy policy = Policy::principle) {
  SimulationOptions o;
  o.t_end = t_end;
  o.policy = policy;
  o.samples = 10;
  return o;
}

std::vector<const SimulationEvent*> events(const Run& run, EventKind kind) {
  std::vector<const SimulationEvent*> found;
  for (const SimulationEvent& e : run.events)
    if (e.kind == kind) found.push_back(&e);
  return found;
}

// --- motions with a closed form ------------------------------------------------------------------------------------

// A rod that stands upright falls and bounces like a ball: landings at t1 (1 + 2r + 2r² + …), all of them until
// t1 (1 + r)/(1 − r).
TEST(EventDriven, BouncingRodAndItsChatter) {
  const double r = 0.6;
  const double height = 0.5;
  const double g = 9.81;
  const SimulationProblem p =
      problem_of("rod", {{}, {{"theta", 90 * degree}, {"y", 1 + height}}, {}, {}, {{"tip", false}}}, friction(0.4, r));
  const auto run = simulate_events(p, until(3));
  const double t1 = std::sqrt(2 * height / g);
  const auto landings = events(run, EventKind::landing);
  ASSERT_GE(landings.size(), 20U);
  double t = t1;
  double flight = 2 * r * t1;
  for (int k = 0; k < 20; ++k) {
    EXPECT_NEAR(landings[static_cast<std::size_t>(k)]->t, t, 1e-11) << k;
    t += flight;
    flight *= r;
  }
  const auto chatter = events(run, EventKind::chatter);
  ASSERT_EQ(chatter.size(), 1U);
  EXPECT_NEAR(chatter[0]->t, t1 * (1 + r) / (1 - r), 1e-9);  // gaps are rounded to 1e-16 m, at speeds down to 1e-5 m/s
  EXPECT_EQ(run.stopped, "t_end");
  EXPECT_EQ(run.outcome, "T");
  EXPECT_NEAR(run.energy.impact, g * height, 1e-9);
  EXPECT_NEAR(run.impulse(1), 3 * g, 1e-9);  // at rest at both ends: the floor has carried the weight all along
}

// A box that slides down a slope on its two lower corners brakes with g (μ cos − sin) and stops.
TEST(EventDriven, SlidingBodyStopsWhereItMust) {
  const double slope = 0.2;
  const double mu = 0.5;
  const SimulationProblem p = problem_of("rigid-body",
                                         {{{"slope", slope}},
                                          {{"x_dot", 1.0}},
                                          {},
                                          {},
                                          {},
                                          {{"points", {{-1, -0.3}, {1, -0.3}}}, {"normals", {{0, 1}, {0, 1}}}}},
                                         friction(mu));
  const auto run = simulate_events(p, until(2));
  const double braking = 9.81 * (mu * std::cos(slope) - std::sin(slope));
  const auto stops = events(run, EventKind::stick);
  ASSERT_EQ(stops.size(), 2U);
  EXPECT_NEAR(stops[0]->t, 1 / braking, 1e-11);
  EXPECT_NEAR(run.state.q(0), 1 / (2 * braking), 1e-11);
  EXPECT_EQ(run.outcome, "TT");
  EXPECT_NEAR(run.energy.friction, mu * 9.81 * std::cos(slope) / (2 * braking), 1e-11);
}

// A rod on a sticking tip is a pendulum: it tips over with θ̈ = −(3g/4l) cos θ, and its energy is known.
TEST(EventDriven, StickingRodIsAPendulum) {
  const SimulationProblem p = problem_of("rod", {{}, {{"theta", 80 * degree}}, {}, {{"", {0.0}}}}, friction(5.0));
  const auto run = simulate_events(p, until(0.3));
  ASSERT_TRUE(run.events.empty());
  const double theta = run.state.q(2);
  const double rate = run.state.v(2);
  EXPECT_NEAR(rate * rate * 2 / 3, 9.81 * (std::sin(80 * degree) - std::sin(theta)), 1e-11);
  EXPECT_LT(theta, 80 * degree - 0.05);
}

// --- energy ---------------------------------------------------------------------------------------------------------

TEST(EventDriven, EnergyDefectOfEveryMechanism) {
  for (const auto& entry : gallery()) {
    for (const double mu : {0.3, 0.9}) {
      SCOPED_TRACE(entry.name);
      detail::Values values;
      if (entry.name == "rigid-body")
        values.lists = {{"points", {{-0.5, -1}, {0.5, -1}}}, {"normals", {{0, 1}, {0, 1}}}};
      if (entry.name == "compass-biped") values.state = {{"theta1", 0.1}, {"theta2", -0.25}, {"theta1_dot", 1}};
      const SimulationProblem p = problem_of(entry.name, values, friction(mu, 0.3));
      const auto run = simulate_events(p, until(0.5));
      EXPECT_TRUE(run.stopped == "t_end" || run.stopped == "jam") << run.stopped << ": " << run.stop_reason;
      const double size = std::max({std::abs(run.energy.initial), std::abs(run.energy.final), 1.0});
      EXPECT_LT(std::abs(run.energy.defect()), 1e-9 * size);
    }
  }
}

// Fast rotation lifts the tip off after its landing, b_n > 0: there is no chatter to complete.
TEST(EventDriven, LandingFromWhichTheTipFliesOff) {
  const SimulationProblem p = problem_of(
      "rod", {{{"gravity", 1}}, {{"theta", 90 * degree}}, {{"torque", -2}}, {{"", {0.0}}}}, friction(1, 0.2));
  const auto run = simulate_events(p, until(1.5));
  EXPECT_EQ(run.stopped, "t_end");
  const auto landings = events(run, EventKind::landing);
  ASSERT_EQ(landings.size(), 1U);
  EXPECT_NEAR(landings[0]->t, 1.35958957093047, 1e-9);
  const auto impacts = events(run, EventKind::impact);
  ASSERT_EQ(impacts.size(), 1U);
  EXPECT_NEAR(impacts[0]->u_after(1), 1.5385007607, 1e-8);
  EXPECT_NEAR(impacts[0]->Lambda(1), 2.7217613847, 1e-8);
  EXPECT_EQ(impacts[0]->mode, "F");
}

// --- the rod and the Painlevé paradox ---------------------------------------------------------------------------

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

// --- runs -------------------------------------------------------------------------------------------------------

TEST(EventDriven, SamplesAreEvenAndEventsLieBetween) {
  SimulationOptions o = until(1);
  o.samples = 100;
  const auto run = simulate_events(problem_of("rod", {{}, {}, {}, {}}, friction(0.5)), o);
  std::vector<double> times;
  for (const Sample& s : run.samples) times.push_back(s.t);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  for (int k = 0; k <= 100; ++k)
    EXPECT_TRUE(std::any_of(times.begin(), times.end(), [&](double t) { return std::abs(t - k / 100.0) < 1e-12; }))
        << k;
  EXPECT_EQ(run.samples.back().t, 1);
}

// A foot on stepping stones passes below the surface until it is far enough ahead.
TEST(EventDriven, SwingFootLandsAheadOnly) {
  const detail::Values posture{
      {}, {{"theta1", -0.2}, {"theta2", 0.25}, {"theta1_dot", 1.0}, {"theta2_dot", -2.0}}, {}, {}};
  SimulationProblem p = problem_of("compass-biped", posture, friction(2));
  const auto scuffs = simulate_events(p, until(0.3));
  p.laws[1].lands_beyond = 0.25;
  const auto walks = simulate_events(p, until(0.3));
  ASSERT_FALSE(events(scuffs, EventKind::landing).empty());
  const double scuff = events(scuffs, EventKind::landing)[0]->t;
  for (const auto* e : events(walks, EventKind::landing)) EXPECT_GT(e->t, scuff + 0.01);
  EXPECT_TRUE(
      std::any_of(walks.samples.begin(), walks.samples.end(), [](const Sample& s) { return s.gap(1) < -1e-4; }));
}

// The rod at 60 degrees has mu_jam = tan/3 + 4/(3 tan) = 1.347.
TEST(EventDriven, MarksWhereItComesNearestToJamming) {
  const auto run =
      simulate_events(problem_of("rod", {{}, {{"theta", 60 * degree}}, {}, {}}, friction(0.5)), until(0.4));
  ASSERT_TRUE(run.nearest_jam);
  EXPECT_EQ(run.nearest_jam->contact, 0);
  EXPECT_GT(run.nearest_jam->ratio, 0.5 / 1.3471506281091268 - 0.02);
  EXPECT_LT(run.nearest_jam->ratio, 0.5 / (4.0 / 3));
}

TEST(EventDriven, CanBeInterrupted) {
  SimulationOptions o = until(1000);
  o.progress = [](const Progress&) { return false; };
  const SimulationProblem p = problem_of("chalk", {{}, {}, {}, {}}, friction(0.5));
  const auto run = simulate_events(p, o);
  EXPECT_EQ(run.stopped, "interrupted");
  EXPECT_LT(run.t, 1000);
  EXPECT_FALSE(run.samples.empty());
}

// Phases that last a few steps each: it is between them that the run is told to stop.
TEST(EventDriven, CanBeInterruptedBetweenShortPhases) {
  SimulationOptions o = until(100);
  o.progress = [](const Progress& progress) { return progress.events < 5; };
  const SimulationProblem bouncing =
      problem_of("rod", {{}, {{"theta", 90 * degree}, {"y", 1.5}}, {}, {}, {{"tip", false}}}, friction(0.4, 0.99));
  const auto run = simulate_events(bouncing, o);
  EXPECT_EQ(run.stopped, "interrupted");
  EXPECT_EQ(run.events.size(), 6U);  // three bounces, each a landing and an impact
}

TEST(EventDriven, RefusesWhatCannotBe) {
  const SimulationProblem p = problem_of("rod", {{}, {}, {}, {}}, friction(0.5));
  EXPECT_THROW(simulate_events(p, until(0)), InputError);
  EXPECT_THROW(simulate_events(p, until(-1)), InputError);
}

TEST(EventDriven, SameInputSameOutput) {
  const SimulationProblem p = problem_of("rimless-wheel", {{}, {}, {}, {}}, friction(0.7, 0.2));
  const auto a = simulate_events(p, until(2));
  const auto b = simulate_events(p, until(2));
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
  EXPECT_EQ(a.events.size(), b.events.size());
}

// Where no table is made, the way is the only one that the table has.
TEST(EventDriven, PlainWayIsThatOfTheTable) {
  Draws draws(31);
  int plain = 0;
  int others = 0;
  for (int n = 0; n < 600; ++n) {
    const bool rests = n % 2 == 0;
    const double slip = rests ? 0 : draws.uniform(-2, 2);
    const double omega = draws.uniform(-4, 4);
    const auto problem =
        detail::problem_of("rod", {{}, {{"theta", draws.uniform(0.1, 3)}, {"theta_dot", omega}}, {}, {{"", {slip}}}},
                           detail::friction(draws.uniform(0, 3), n % 3 == 0 ? 0.5 : 0));
    const Crossroads c = crossroads(problem, problem.start, {true}, {rests});
    const ModeTable table = mode_table(c.space, mode_options(problem.laws, problem.tolerance));
    std::vector<std::string> names;
    for (const ModeEntry& entry : table.modes)
      if (entry.consistent) names.push_back(entry.name);
    for (const auto& iwc : table.iwc)
      if (iwc.possible) names.push_back(iwc.name);
    if (c.table.modes.empty()) {
      ++plain;
      ASSERT_EQ(c.ways.size(), 1u);
      ASSERT_EQ(names, std::vector<std::string>{c.ways[0].name}) << n;
      ASSERT_EQ(word(c.ways[0].modes), c.ways[0].name);
    } else {
      ++others;
      ASSERT_GE(c.ways.size(), std::min<std::size_t>(names.size(), 1)) << n;
    }
  }
  EXPECT_GT(plain, 300);
  EXPECT_GT(others, 30);
}

// The rates of one contact in the plane, against the equations of motion and of the ledger.
void expect_equations(const SimulationProblem& problem, const State& state, const ContactMode& mode) {
  const Eigen::Index degrees = state.q.size();
  RigidFlow flow(problem, {mode}, false, 1);
  const Eigen::VectorXd y = flow.start(state, 0.25, 0.5, Eigen::Vector2d(1, 2));
  Eigen::VectorXd rate(y.size());
  flow.rates(state.t, y, rate);
  const Dynamics d = problem.mechanism->dynamics(state);
  const Eigen::Vector2d lambda = rate.tail(2);
  const Eigen::VectorXd v_dot = rate.segment(1 + degrees, degrees);
  const double size = 1 + lambda.norm() + d.f.norm() + v_dot.norm();
  EXPECT_EQ(rate(0), 1);
  EXPECT_EQ((rate.segment(1, degrees) - state.v).norm(), 0);
  EXPECT_EQ(flow.acceleration(), v_dot);
  EXPECT_LE((d.M * v_dot - d.f - d.J.transpose() * lambda).norm(), 1e-12 * size);
  const Eigen::Vector2d a = d.J * v_dot + d.drift;
  const Eigen::Matrix2d W = d.J * d.M.inverse() * d.J.transpose();
  const double mu = problem.laws[0].mu;
  if (mode.letter == Letter::F) {
    EXPECT_EQ(lambda.norm(), 0);
  } else {
    EXPECT_LE(std::abs(a(1)), 1e-12 * size);
  }
  if (mode.letter == Letter::T) {
    EXPECT_LE(std::abs(a(0)), 1e-12 * size);
    EXPECT_NEAR(flow.regularity(), W.determinant() / (W(0, 0) * W(1, 1)), 1e-12);
  }
  if (mode.letter == Letter::S) {
    EXPECT_NEAR(lambda(0), -mu * mode.direction(0) * lambda(1), 1e-14 * size);
    EXPECT_NEAR(flow.regularity(), 1 - mu * mode.direction(0) * W(1, 0) / W(1, 1), 1e-12);
  }
  if (mode.letter != Letter::F) {
    EXPECT_EQ(flow.jam_ratio().second, 0);
    EXPECT_NEAR(flow.jam_ratio().first, mu * std::abs(W(0, 1)) / W(1, 1), 1e-12);
  }
  EXPECT_NEAR(flow.energy(), state.v.dot(d.M * state.v) / 2 + d.potential, 1e-12 * (1 + std::abs(d.potential)));
  EXPECT_NEAR(rate(1 + 2 * degrees), -lambda.dot(d.u), 1e-12 * size);
  EXPECT_NEAR(rate(2 + 2 * degrees), d.applied.dot(state.v) + d.drive + lambda.dot(d.J * state.v) - lambda.dot(d.u),
              1e-12 * size);
}

// With a mass matrix that is diagonal, and with one that is not and changes along the motion; with applied forces, and
// on a surface that moves.
TEST(EventDriven, OneContactObeysTheEquationsOfMotion) {
  Draws draws(7);
  for (const char* name : {"rod", "pendulum-on-slider", "chalk", "two-link", "impact-oscillator"}) {
    const SimulationProblem problem = problem_of(name, {}, friction(0.2));
    ASSERT_EQ(problem.laws.size(), 1U) << name;
    for (int n = 0; n < 50; ++n) {
      State state = problem.start;
      for (Eigen::Index i = 0; i < state.q.size(); ++i) {
        state.q(i) = draws.uniform(-1, 1);
        state.v(i) = draws.uniform(-2, 2);
      }
      for (const Letter letter : {Letter::F, Letter::T, Letter::S})
        for (const double e : {1.0, -1.0})
          expect_equations(problem, state, {letter, Eigen::VectorXd::Constant(1, e), 1});
    }
  }
}

// A mechanism that does not offer its planar motion.
class Reticent final : public Mechanism {
 public:
  explicit Reticent(std::shared_ptr<const Mechanism> inner) : inner_(std::move(inner)) {}
  int dimension() const override { return inner_->dimension(); }
  const std::vector<std::string>& coordinates() const override { return inner_->coordinates(); }
  const std::vector<std::string>& contacts() const override { return inner_->contacts(); }
  using Mechanism::dynamics;
  void dynamics(const State& state, Dynamics& d) const override { inner_->dynamics(state, d); }
  Dynamics derivative(const State& state, const State& direction) const override {
    return inner_->derivative(state, direction);
  }

 private:
  std::shared_ptr<const Mechanism> inner_;
};

// The only contact in the plane has formulas of its own: they are those of any number of contacts.
TEST(EventDriven, LoneContactMovesAsAmongOthers) {
  const SimulationProblem falling = problem_of("rod", {{}, {{"theta", 80 * degree}}, {}, {{"", {0}}}}, friction(0.3));
  const SimulationProblem sliding = problem_of("pendulum-on-slider", {{}, {}, {}, {{"", {0.3}}}}, friction(0.2));
  const SimulationProblem flying = problem_of("two-link", {{}, {}, {}, {}}, friction(0.4));
  for (const SimulationProblem& problem : {falling, sliding, flying}) {
    SimulationProblem reticent = problem;
    reticent.mechanism = std::make_shared<Reticent>(problem.mechanism);
    const auto lone = simulate_events(problem, until(1));
    const auto any = simulate_events(reticent, until(1));
    EXPECT_EQ(lone.stopped, any.stopped);
    ASSERT_EQ(lone.events.size(), any.events.size());
    for (std::size_t i = 0; i < lone.events.size(); ++i) {
      EXPECT_EQ(lone.events[i].mode, any.events[i].mode);
      EXPECT_NEAR(lone.events[i].t, any.events[i].t, 1e-10);
    }
    ASSERT_EQ(lone.samples.size(), any.samples.size());
    for (std::size_t i = 0; i < lone.samples.size(); ++i) {
      EXPECT_NEAR((lone.samples[i].q - any.samples[i].q).norm(), 0, 1e-9);
      EXPECT_NEAR((lone.samples[i].lambda - any.samples[i].lambda).norm(), 0, 1e-8);
      EXPECT_NEAR((lone.samples[i].u - any.samples[i].u).norm(), 0, 1e-9);
      EXPECT_NEAR(lone.samples[i].gap(0), any.samples[i].gap(0), 1e-12);
      EXPECT_NEAR(lone.samples[i].energy, any.samples[i].energy, 1e-9);
    }
    ASSERT_EQ(lone.nearest_jam.has_value(), any.nearest_jam.has_value());
    if (lone.nearest_jam) {
      EXPECT_NEAR(lone.nearest_jam->ratio, any.nearest_jam->ratio, 1e-9);
    }
  }
}

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

// A rod that spins in flight turns more than once in a step of the integrator, for which its flight is simple: it must
// land where its tip first comes down, however the steps lie.
TEST(EventDriven, SpinningRodLandsWhereItFirstComesDown) {
  for (int n = 0; n < 40; ++n) {
    const double spin = 10 + 0.37 * n;
    SimulationProblem problem = problem_of("rod", {}, friction(0.3));
    problem.start.q = Eigen::Vector3d(0, 1.2, -90 * degree);
    problem.start.v = Eigen::Vector3d(0, 8, spin);
    const State& start = problem.start;
    const auto gap = [&](double t) {
      return start.q(1) + start.v(1) * t - 9.81 * t * t / 2 - std::sin(start.q(2) + spin * t);
    };
    ASSERT_GT(gap(0), 0);
    double t = 0;
    while (gap(t) > 0) t += 1e-5;
    const auto run = simulate_events(problem, until(3));
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(run.events[0].kind, EventKind::landing);
    EXPECT_NEAR(run.events[0].t, t, 2e-5) << spin;
  }
}

// Nothing pushes a body along level ground: it stands, whatever rounding makes of that, without friction as well.
TEST(EventDriven, StandsWithoutFriction) {
  for (const double foot : {-0.1, -0.2, -0.3, -0.45}) {
    for (const double arm : {0.3, 0.25, 0.7}) {
      const auto body =
          problem_of("two-legged-body",
                     {{{"slope", 0}, {"foot1", foot}, {"foot2", arm}, {"height", 0.5}, {"gyration", 0.3}}, {}, {}, {}},
                     friction(0));
      SimulationOptions options;
      options.t_end = 2;
      const auto run = simulate_events(body, options);
      EXPECT_EQ(run.stopped, "t_end") << foot << " " << arm << ": " << run.stop_reason;
      EXPECT_EQ(run.outcome, "TT");
      EXPECT_TRUE(run.events.empty());
    }
  }
}

// A body that turns about its first foot comes down on the two others at once, however its integration rounds: they are
// struck together, the faster one first, which throws up the other two. Without friction's slip nothing slides: about
// the last foot, ω becomes ω (k² + r₁·r₃)/(k² + r₃²).
TEST(EventDriven, FeetThatLandTogetherAreStruckTogether) {
  const double k = 0.7;
  const Values pivots{{{"gyration", k}},
                      {{"x_dot", -0.24}, {"y_dot", 0.32}, {"theta_dot", 0.8}},
                      {},
                      {},
                      {{"c2", false}, {"c3", false}},
                      {{"points", {{-0.4, -0.3}, {0.1, -0.3}, {0.6, -0.3}}}, {"normals", {{0, 1}, {0, 1}, {0, 1}}}}};
  const SimulationProblem p = problem_of("rigid-body", pivots, friction(1));
  for (const SeveralImpacts several : {SeveralImpacts::sequential, SeveralImpacts::simultaneous}) {
    for (const double tolerance : {1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
      SimulationOptions o = until(0.35);
      o.relative = tolerance;
      o.several = several;
      const auto run = simulate_events(p, o);
      EXPECT_EQ(events(run, EventKind::landing).size(), 2U) << tolerance;
      const auto impacts = events(run, EventKind::impact);
      ASSERT_EQ(impacts.size(), 1U) << tolerance;
      const double before = -0.8;  // the energy is that of the start: it comes down as fast as it went up
      const double after = before * (k * k - 0.4 * 0.6 + 0.09) / (k * k + 0.6 * 0.6 + 0.09);
      EXPECT_NEAR(impacts[0]->u_before(3), 0.5 * before, 1e-8) << tolerance;
      EXPECT_NEAR(impacts[0]->u_before(5), before, 1e-8) << tolerance;
      EXPECT_NEAR(impacts[0]->u_after(1), -after, 1e-8) << "the first foot goes up " << tolerance;
      EXPECT_NEAR(impacts[0]->u_after(5), 0, 1e-12) << tolerance;
      EXPECT_EQ(run.outcome, "FFT") << tolerance;
    }
  }
}

// A body that is thrown up with a slow turn lands on one foot, the other one T ω above the floor. What is higher than
// the tolerance of a gap lands by itself, a moment later.
TEST(EventDriven, FootThatIsHigherLandsLater) {
  const double v = 0.5;
  const double T = 2 * v / 9.81;
  for (const double higher : {1e-8, 2e-9, 5e-10}) {
    const Values thrown{{},
                        {{"y_dot", v}, {"theta_dot", higher / T}},
                        {},
                        {},
                        {{"c1", false}, {"c2", false}},
                        {{"points", {{-0.5, -0.3}, {0.5, -0.3}}}, {"normals", {{0, 1}, {0, 1}}}}};
    const auto run = simulate_events(problem_of("rigid-body", thrown, friction(0.5)), until(0.2));
    const auto landings = events(run, EventKind::landing);
    ASSERT_GE(landings.size(), 2U) << higher;
    EXPECT_EQ(landings[0]->contact, 0) << higher;
    EXPECT_NEAR(landings[0]->t, T, 1e-7) << higher;
    EXPECT_EQ(landings[1]->contact, 1) << higher;
    EXPECT_EQ(landings[1]->t > landings[0]->t, higher > 1e-9) << higher;
    for (const SimulationEvent* e : events(run, EventKind::impact)) EXPECT_GT(e->Lambda.norm(), 0) << higher;
  }
}

// A table on three feet in a row has one motion, however many of its feet press.
TEST(EventDriven, ThreeFeetInARowHaveOneFuture) {
  const Values rests{
      {}, {}, {},
      {}, {}, {{"points", {{-0.63, -0.05}, {-0.09, -0.05}, {0.39, -0.05}}}, {"normals", {{0, 1}, {0, 1}, {0, 1}}}}};
  const auto run = simulate_events(problem_of("rigid-body", rests, friction(0.27)), until(0.1, Policy::all));
  EXPECT_EQ(run.stopped, "t_end");
  EXPECT_TRUE(run.events.empty());
  EXPECT_TRUE(run.futures.empty());
}

}  // namespace event_driven_test
}  // namespace painleve
