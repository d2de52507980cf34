// Event-driven runs: closed forms, energy, how a run is told and stopped, landings.
#include "painleve/simulation/event_driven.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/impact/impact.hpp"
#include "painleve/simulation/detail/event_runs.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/phase_run.hpp"

namespace painleve {
namespace event_driven_test {

using detail::degree;
using detail::events;
using detail::friction;
using detail::problem_of;
using detail::until;
using detail::Values;

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

// Four contacts at rest, one of them without friction: of the forces that are possible the run shows some that obey
// the laws of contact.
TEST(EventDriven, ForcesThatAreNotDeterminedObeyTheLawsBesideAFrictionlessContact) {
  Draws draws(41);
  int held = 0;
  for (int k = 0; k < 150; ++k) {
    Values values;
    for (int i = 0; i < 4; ++i) {
      values.lists["points"].push_back({draws.uniform(-1, 1), draws.uniform(-1, 1)});
      const double lean = i == 2 ? draws.uniform(0, 6.28) : 0;
      values.lists["normals"].push_back({std::sin(lean), std::cos(lean)});
    }
    SimulationProblem p = problem_of("rigid-body", values, friction(0));
    for (const std::size_t i : {0U, 1U, 3U}) p.laws[i].mu = draws.uniform(0.1, 2);
    const auto run = simulate_events(p, until(0.01));
    if (run.outcome != "TTTT") continue;
    ++held;
    for (const Sample& s : run.samples) {
      for (int i = 0; i < 4; ++i) {
        const double n = s.lambda(2 * i + 1);
        EXPECT_GT(n, 0) << k << " " << i;
        EXPECT_LE(std::abs(s.lambda(2 * i)), p.laws[static_cast<std::size_t>(i)].mu * n + 1e-9) << k << " " << i;
      }
    }
  }
  EXPECT_GT(held, 10);
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

// A body falls flat on two feet, one of them softer: springs of an impact are those of the contacts.
TEST(EventDriven, SpringsOfAnImpactAreThoseOfTheContacts) {
  const Values flat{{},
                    {{"y_dot", 0.5}},
                    {},
                    {},
                    {{"c1", false}, {"c2", false}},
                    {{"points", {{-0.3, -0.3}, {0.6, -0.3}}}, {"normals", {{0, 1}, {0, 1}}}}};
  SimulationProblem p = problem_of("rigid-body", flat, friction(0.4, 0.6));
  p.laws[0].stiffness = 1e6;
  p.laws[1].stiffness = 5e4;
  SimulationOptions o = until(0.11);
  o.several = SeveralImpacts::compliant;
  const auto run = simulate_events(p, o);
  const auto impacts = events(run, EventKind::impact);
  ASSERT_EQ(impacts.size(), 1U);
  ContactSpace space = contact_space(*p.mechanism, p.start, p.surfaces());
  space.u = impacts[0]->u_before;
  space.gap.setZero();
  ImpactOptions springs;
  springs.several = SeveralImpacts::compliant;
  for (const ContactLaw& law : p.laws) springs.laws.push_back({law.restitution, law.law, law.mu_impact});
  const Eigen::VectorXd alike = impact(space, springs).u_after;
  springs.stiffness = Eigen::Vector2d(1e6, 5e4);
  const Eigen::VectorXd expected = impact(space, springs).u_after;
  EXPECT_GT((expected - alike).norm(), 0.1);
  EXPECT_NEAR((impacts[0]->u_after - expected).norm(), 0, 1e-9);
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

// A walker's stance foot lifts off as slowly as t³, with what rounding left of its gap and velocity. It does not land
// there again, at any tolerance. Times of an independent integration.
TEST(EventDriven, FootThatLiftsOffSlowlyDoesNotLandAtOnce) {
  struct Case {
    std::map<std::string, double> parameters, state;
    double slip, mu, restitution;
    RestitutionLaw law;
    double t;
  };
  const Case cases[] = {{{{"hip_mass", 2.728919367400857}, {"leg_com", 0.251094679693155}},
                         {{"theta1", 0.1963283083711715},
                          {"theta2", -0.42101975766766814},
                          {"theta1_dot", 1.1309700097617652},
                          {"theta2_dot", -0.34399382515878596}},
                         0,
                         0.5,
                         0.6452811461767183,
                         RestitutionLaw::poisson,
                         0.48125226},
                        {{{"slope", -0.3880634294668712},
                          {"gravity", 30.0},
                          {"hip_mass", 1.5693345765393303},
                          {"leg_com", 0.7367150447793529},
                          {"leg_inertia", 0.014318959701212464}},
                         {{"theta1", -0.19572150106927455},
                          {"theta2", 0.21782394988882758},
                          {"theta1_dot", 1.0717208158095288},
                          {"theta2_dot", -0.9490849083429835}},
                         -0.2989033880676528,
                         0.3,
                         0.5340821840019663,
                         RestitutionLaw::newton,
                         0.24034761}};
  for (const Case& c : cases) {
    SimulationProblem p =
        problem_of("compass-biped", {c.parameters, c.state, {}, {{"", {c.slip}}}}, friction(c.mu, c.restitution));
    for (ContactLaw& law : p.laws) law.law = c.law;
    for (const double relative : {1e-9, 1e-10, 3e-11, 1e-11, 3e-12, 1e-12}) {
      SimulationOptions o = until(0.5);
      o.relative = relative;
      const auto run = simulate_events(p, o);
      EXPECT_EQ(run.stopped, "t_end") << relative << ": " << run.stop_reason;
      const auto lifts = events(run, EventKind::liftoff);
      const auto there = std::find_if(lifts.begin(), lifts.end(),
                                      [&](const SimulationEvent* e) { return std::abs(e->t - c.t) < 1e-7; });
      ASSERT_NE(there, lifts.end()) << relative;
      const auto landings = events(run, EventKind::landing);
      const auto at_once = [&](const SimulationEvent* e) { return e->t == (*there)->t; };
      EXPECT_TRUE(std::none_of(landings.begin(), landings.end(), at_once)) << relative;
    }
  }
}

// The rate of a walker's stance leg at which nothing but its acceleration b_n lifts the foot.
SimulationProblem walker_with_lift(double b_n) {
  double low = 0;
  double high = 20;
  SimulationProblem p;
  while (high - low > 1e-14) {
    const double rate = (low + high) / 2;
    p = problem_of("compass-biped", {{}, {{"theta1", 0.2}, {"theta2", -0.4}, {"theta1_dot", rate}}, {}, {{"", {0.0}}}},
                   friction(0.5));
    (contact_space(*p.mechanism, p.start, p.surfaces()).b(1) < b_n ? low : high) = rate;
  }
  return p;
}

// A phase of flight that begins on the surface, on its way down: it lands unless its acceleration turns it before
// anybody could see it.
TEST(EventDriven, FlightFromTheSurfaceLandsUnlessItTurnsBack) {
  struct Case {
    double b_n, down;
    bool lands;
  };
  for (const Case& c : {Case{1e-3, 3e-15, false}, Case{1e-3, 1e-12, false}, Case{1e-3, 1e-10, false},
                        Case{1e-3, 5e-9, true}, Case{-1e-3, 3e-15, true}, Case{-1e-3, 1e-10, true}}) {
    const SimulationProblem p = walker_with_lift(c.b_n);
    State start = p.start;
    start.q(1) = -2.8e-17;
    start.v(1) = -c.down;
    painleve::Run run;
    run.impulse = Eigen::VectorXd::Zero(4);
    SampleClock clock;
    std::shared_ptr<PhaseKit> kit;
    const PhaseEnd end = run_phase(p, until(1e-6), std::vector<ContactMode>(2), start, clock, kit, run);
    EXPECT_EQ(end.has(Ending::landing), c.lands) << c.b_n << " " << c.down;
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
