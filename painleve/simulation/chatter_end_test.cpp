// Where infinitely many bounces end or begin, and feet that have no place to land.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/event_driven.hpp"

namespace painleve {
namespace chatter_end_test {

using detail::degree;
using detail::friction;
using detail::problem_of;

Run run_until(double t_end, const SimulationProblem& p, Policy policy = Policy::principle) {
  SimulationOptions o;
  o.t_end = t_end;
  o.policy = policy;
  return simulate_events(p, o);
}

std::vector<double> times(const Run& run, EventKind kind) {
  std::vector<double> found;
  for (const SimulationEvent& e : run.events)
    if (e.kind == kind) found.push_back(e.t);
  return found;
}

// A rod that stands upright bounces like a ball, until t1 (1 + r)/(1 − r). Where gravity is weak or little is lost, the
// last bounces are too low for the gap to be resolved long before that.
TEST(ChatterEnd, IsWhereTheSeriesEnds) {
  struct Ball {
    double g, r, height;
  };
  for (const Ball& b : {Ball{9.81, 0.99, 1e-3}, {1e-3, 0.9, 1e-3}, {1e-5, 0.9, 1e-6}, {9.81, 0.5, 1e-3}}) {
    SimulationProblem p =
        problem_of("rod", {{{"gravity", b.g}}, {{"theta", 90 * degree}, {"y", 1 + b.height}}, {}, {}, {{"tip", false}}},
                   friction(0.4, b.r));
    const double t1 = std::sqrt(2 * b.height / b.g);
    const double end = t1 * (1 + b.r) / (1 - b.r);
    const auto run = run_until(1.5 * end, p);
    const auto chatter = times(run, EventKind::chatter);
    ASSERT_EQ(chatter.size(), 1U) << b.g << " " << b.r;
    EXPECT_NEAR(chatter[0], end, 2.5e-7 * end) << b.g << " " << b.r;
    EXPECT_EQ(run.outcome, "T");
    EXPECT_LT(std::abs(run.energy.defect()), 1e-11 * b.g) << b.g << " " << b.r;
  }
}

// A rod that turns as it lands, with hardly any restitution: the impact changes how fast it turns, and so the load
// under which it bounces once more. With less and less of it this comes to a dead landing.
TEST(ChatterEnd, IsUnderTheLoadThatTheImpactLeaves) {
  const auto turning_rod = [](double r) {
    ContactLaw law = friction(0.3, r);
    law.law = RestitutionLaw::newton;
    return problem_of(
        "rod",
        {{}, {{"theta", 0.9}, {"theta_dot", 3}, {"y", 1}, {"x_dot", 0.5}, {"y_dot", -1}}, {}, {}, {{"tip", false}}},
        law);
  };
  const SimulationProblem dead_rod = turning_rod(0);
  const auto dead = run_until(0.7, dead_rod);
  const double lands = times(dead, EventKind::impact).at(0);
  const Eigen::VectorXd u = dead.events.back().u_after;
  const auto landed = run_until(lands + 1e-12, dead_rod);
  const Eigen::VectorXd b = contact_space(*dead_rod.mechanism, landed.state, dead_rod.surfaces()).b;
  for (const double r : {1e-9, 1e-8, 1e-7, 1e-6, 3e-6}) {
    const auto run = run_until(0.7, turning_rod(r));
    const SimulationEvent& end = run.events.back();
    ASSERT_EQ(end.kind, EventKind::chatter) << r;
    const double flight = 2 * r * end.u_before(1) / b(1);
    EXPECT_NEAR(end.t - lands, flight, 1e-4 * flight + 1e-16) << r;
    EXPECT_NEAR(end.u_after(0), u(0), r) << r;
    EXPECT_LT((run.state.q - dead.state.q).norm(), 1e-10) << r;
    EXPECT_LT((run.state.v - dead.state.v).norm(), 1e-10) << r;
    EXPECT_LT(std::abs(run.energy.defect()), 1e-11) << r;
  }
}

// The same of a pendulum on its slider. Every bounce followed in 18 digits ends at 0.310286440 s with u_t =
// -1.571129241.
TEST(ChatterEnd, UnderTheLoadThatTheImpactLeavesIsThatOfEveryBounce) {
  const auto pendulum =
      problem_of("pendulum-on-slider",
                 {{}, {{"theta", -0.5}, {"theta_dot", -3.5}, {"y", 0.1}, {"y_dot", 0.6}}, {}, {}, {{"slider", false}}},
                 friction(0, 1e-5));
  const auto run = run_until(0.4, pendulum);
  const SimulationEvent& end = run.events.back();
  ASSERT_EQ(end.kind, EventKind::chatter);
  EXPECT_NEAR(end.t, 0.31028643992, 1e-10);
  EXPECT_NEAR(end.u_after(0), -1.57112924053, 1e-9);
}

// Nested bounces: between two landings of one foot of a walker the other one, which that throws up, chatters out. Its
// last bounces that are followed are too low for the gap long before those of the first foot are; all the same the end
// is where the landings of that foot, each ϱ times as fast and as long after the one before, accumulate.
TEST(ChatterEnd, OfNestedBouncesIsWhereTheSeriesOfTheLandingsEnds) {
  for (const double torque : {2.2, 2.3, 2.4, 2.5, 2.6}) {
    auto walker = problem_of("compass-biped",
                             {{{"slope", -0.17161705691655352}, {"hip_mass", 2.9672844875482607}, {"leg_com", 0.504}},
                              {{"theta1", 0.23084052638607305},
                               {"theta2", -0.2901141435074627},
                               {"theta1_dot", 1.863477072268254},
                               {"theta2_dot", -1.044200255168246}},
                              {{"hip_torque", torque}},
                              {{"", {-0.3094287817666156}}}},
                             friction(0.3, 0.5446323539986776));
    const auto run = run_until(0.2, walker);
    std::vector<const SimulationEvent*> landings;  // of the first foot
    const SimulationEvent* end = nullptr;
    for (const SimulationEvent& e : run.events) {
      if (e.kind == EventKind::impact && e.contact == 0) landings.push_back(&e);
      if (e.kind == EventKind::chatter && e.contact == -1) end = &e;
      if (end) break;
    }
    ASSERT_TRUE(end) << torque;
    ASSERT_GE(landings.size(), 3U) << torque;
    const SimulationEvent &last = *landings.back(), &before = *landings[landings.size() - 2];
    const double factor = last.u_before(1) / before.u_before(1);
    EXPECT_NEAR(end->t, last.t + (last.t - before.t) * factor / (1 - factor), 2e-9) << torque;
  }
}

// Two feet that drop from half a micrometre, lower than the bounces of which the gap tells that they are over. Bounces
// of one foot while the other is within the tolerance of the gap are still its own. Every bounce followed one by one
// ends at 0.00300284 s.
TEST(ChatterEnd, OfTwoFeetThatHardlyRise) {
  ContactLaw law = friction(0.6236810752659737, 0.5615603632769045);
  law.law = RestitutionLaw::poisson;
  SimulationProblem p =
      problem_of("two-legged-body",
                 {{{"height", 0.5683535369489758},
                   {"foot1", -0.6053662409898827},
                   {"foot2", 0.42378744473305974},
                   {"gyration", 0.7617484531911953},
                   {"gravity", 4.001017036188048},
                   {"slope", -0.12674771618673764}},
                  {{"y", 0.5683540470349541}, {"theta", -2.725322113622027e-08}, {"theta_dot", -0.0005703827373300055}},
                  {},
                  {},
                  {{"foot1", false}, {"foot2", false}}},
                 law);
  p.laws[1].mu = 0.7947373890865428;
  const auto chatter = times(run_until(0.02, p), EventKind::chatter);
  ASSERT_FALSE(chatter.empty());
  EXPECT_NEAR(chatter.back(), 0.00300284, 2e-8);
}

// A tip that is lifted while b_n > 0, which falls through zero soon after: bounces of 1e-10 m and less over which b_n
// grows by a half. Every bounce followed with 34 digits ends at 0.00300156549614 s.
TEST(ChatterEnd, OfLowBouncesUnderAGrowingForce) {
  const std::map<std::string, double> parameters = {{"mass_tip", 1.9897622761318086},
                                                    {"mass_body", 1.9826534603732915},
                                                    {"length", 0.6170704871062944},
                                                    {"stiffness_y", 0},
                                                    {"damping_y", 2.428025294623076},
                                                    {"rest_y", 0.889700754118701},
                                                    {"stiffness_beta", 0},
                                                    {"damping_beta", 0.280949268261089},
                                                    {"rest_beta", 0.8561951147766935},
                                                    {"belt_speed", 0.26275716363637835},
                                                    {"gravity", 4.250687124305019}};
  ContactLaw law = friction(0.2207854571721128, 0.5122397324554528);
  law.law = RestitutionLaw::newton;
  const SimulationProblem p = problem_of(
      "impact-oscillator",
      {parameters, {{"beta", 0.5758665174911253}}, {{"torque", -0.9130128927770151}}, {{"", {1.647791561624702}}}},
      law);
  for (const double tolerance : {1e-9, 1e-11, 1e-13}) {
    SimulationOptions o;
    o.t_end = 0.0031;
    o.relative = tolerance;
    const auto chatter = times(simulate_events(p, o), EventKind::chatter);
    ASSERT_EQ(chatter.size(), 1U) << tolerance;
    EXPECT_NEAR(chatter[0], 0.00300156549614, 1e-7) << tolerance;
  }
}

// The feet of a table that is dropped bounce in turn, each blow sets the other one going, and both come to rest.
TEST(ChatterEnd, OfTwoFeetIsRest) {
  for (const double r : {0.9, 0.66}) {
    const auto table = problem_of("two-legged-body",
                                  {{{"slope", 0}, {"foot1", -0.5}, {"foot2", 0.5}},
                                   {{"y", 1.01}, {"theta", 0.01}},
                                   {},
                                   {},
                                   {{"foot1", false}, {"foot2", false}}},
                                  friction(0.8, r));
    const auto run = run_until(2, table);
    EXPECT_EQ(run.stopped, "t_end") << run.stop_reason;
    EXPECT_EQ(run.outcome, "TT");
    EXPECT_LT(std::abs(run.energy.defect()), 1e-9);
  }
}

// Both feet of a walker chatter; when their flights have sunk into rounding it stands on both and goes on.
TEST(ChatterEnd, OfBothFeetOfAWalkerIsNoContradiction) {
  const auto walker = problem_of("compass-biped",
                                 {{{"slope", 0.094}},
                                  {{"theta1", 0.083}, {"theta2", -0.25}, {"theta1_dot", -1.465}, {"theta2_dot", 0.858}},
                                  {{"hip_torque", -0.054}},
                                  {}},
                                 friction(1.02));
  const auto run = run_until(0.579, walker);
  EXPECT_EQ(run.stopped, "t_end") << run.stop_reason;
  EXPECT_LT(std::abs(run.energy.defect()), 1e-9);
}

// Feet that land in turn and stick until they are thrown up, ever lower: what the last flights still have along the
// normals is taken without a push along the floor, where it would throw them up again. (Champneys & Várkonyi, Fig 16,
// with more friction.)
TEST(ChatterEnd, OfFeetThatStickLeavesThemStanding) {
  auto body = problem_of("two-legged-body",
                         {{{"gravity", 1}}, {{"theta_dot", 2.5e-5}, {"x_dot", -2.5e-5}}, {}, {}, {{"foot2", false}}},
                         friction(2.5));
  body.laws[0].mu = 0.13;
  const auto run = run_until(0.1, body);
  EXPECT_EQ(run.outcome, "TT");
  EXPECT_TRUE(times(run, EventKind::iwc).empty());
  const ContactSpace space = contact_space(*body.mechanism, run.state, body.surfaces());
  EXPECT_LT(space.u.cwiseAbs().maxCoeff(), 1e-15);
  for (const SimulationEvent& e : run.events) {
    if (e.kind != EventKind::impact) continue;
    const Eigen::VectorXd change = space.W * e.Lambda;
    EXPECT_LT((e.u_after - e.u_before - change).norm(), 1e-4 * change.norm()) << e.t;
  }
}

// While a contact chatters it may slide fast: the last bounces have digits of their own, and no time to speak of.
TEST(ChatterEnd, InSpaceComesAtOnce) {
  Draws draws(51);
  int chatters = 0;
  for (int k = 0; k < 40; ++k) {
    const double theta = draws.uniform(0.2, 1.3);
    const double psi_dot = draws.uniform(-2, 2);
    const double x_dot = draws.uniform(-1, 1);
    const double mu = k % 2 == 0 ? 0 : draws.uniform(0, 0.3);
    const auto rod =
        problem_of("rod-3d",
                   {{},
                    {{"theta", theta}, {"psi_dot", psi_dot}, {"x_dot", x_dot}, {"z", std::sin(theta) + 0.02}},
                    {},
                    {},
                    {{"tip", false}}},
                   friction(mu, draws.uniform(0.1, 0.6)));
    const auto run = run_until(0.3, rod);
    EXPECT_LT(std::abs(run.energy.defect()), 1e-9) << k;
    for (std::size_t n = 1; n < run.events.size(); ++n) {
      if (run.events[n].kind != EventKind::chatter) continue;
      ++chatters;
      const double u_n = run.events[n].u_before(2);  // at most 0.6 of it is left after an impact, b_n is some 5 m/s²
      EXPECT_LT(run.events[n].t - run.events[n - 1].t, -u_n) << k;
    }
  }
  EXPECT_GT(chatters, 15);
}

// A body that spins fast while a foot chatters: the surfaces turn under the blows. What is lost is what each blow
// takes.
TEST(ChatterEnd, OfASpinningBodyTakesWhatItsBlowsTake) {
  const double r = 0.6;
  const auto body = problem_of("two-legged-body",
                               {{{"slope", 0}, {"foot1", -0.02}, {"foot2", 0.25}, {"gyration", 0.26}},
                                {{"y", 1.2}, {"theta", 0.06}},
                                {},
                                {},
                                {{"foot1", false}, {"foot2", false}}},
                               friction(0, r));
  const auto before = run_until(0.99046, body);
  const auto after = run_until(0.990474, body);
  ASSERT_EQ(after.events.back().kind, EventKind::chatter);
  const double W_nn = contact_space(*body.mechanism, after.state, body.surfaces()).W(1, 1);
  double lost = std::pow(after.events.back().u_before(1), 2) / (2 * W_nn);
  for (const SimulationEvent& e : after.events)
    if (e.kind == EventKind::impact && e.t > 0.99046) lost += (1 - r * r) * std::pow(e.u_before(1), 2) / (2 * W_nn);
  EXPECT_NEAR(after.energy.impact - before.energy.impact, lost, 1e-2 * lost);
  EXPECT_LT(std::abs(after.energy.defect()), 1e-10);
}

// Bounces that grow out of rest by e each: infinitely many before the first that is followed, so that the times of the
// landings, counted from rest, grow by e as well.
TEST(ReverseChatterBegins, WhereItsBouncesAccumulate) {
  for (const double lean : {85 * degree, 89.9 * degree}) {
    const auto rod =
        problem_of("rod", {{}, {{"theta", lean}}, {{"force_x", 4}, {"torque", -4}}, {{"", {0}}}}, friction(1.2, 1));
    const auto whole = run_until(2e-2, rod, Policy::all);
    int followed = 0;
    for (const auto& future : whole.futures) {
      const auto impacts = times(future, EventKind::impact);
      if (times(future, EventKind::reverse_chatter).empty()) continue;
      ASSERT_GE(impacts.size(), 3U);
      ++followed;
      const double growth = impacts[1] / impacts[0];
      EXPECT_GT(growth, 1.0);
      EXPECT_LT(growth, 1.2);
      EXPECT_NEAR(impacts[2] / impacts[1], growth, 1e-2 * (growth - 1)) << lean;
      EXPECT_LT(std::abs(future.energy.defect()), 1e-9);
    }
    EXPECT_GE(followed, 2);
  }
}

// A run that ends among the infinitely many bounces ends when it is told to.
TEST(ReverseChatterBegins, NotAfterTheEndOfTheRun) {
  const auto rod = problem_of("rod", {{}, {{"theta", 89.9 * degree}}, {{"force_x", 4}, {"torque", -4}}, {{"", {0}}}},
                              friction(1.2, 1));
  const auto whole = run_until(1e-7, rod, Policy::all);
  ASSERT_GE(whole.futures.size(), 2U);
  for (const auto& future : whole.futures) EXPECT_LE(future.state.t, 1e-7);
}

// A foot that is still below the surface where it may land again has no place to land: it is not lifted to the surface.
TEST(SwingFoot, ThatIsBelowTheSurfaceDoesNotLand) {
  auto walker = problem_of(
      "compass-biped", {{}, {{"theta1", -0.267}, {"theta2", 0.267}, {"theta1_dot", 1.3}, {"theta2_dot", 0.4}}, {}, {}},
      friction(0.7));
  for (ContactLaw& law : walker.laws) law.lands_beyond = 0.3;
  const auto run = run_until(3, walker);
  EXPECT_EQ(run.stopped, "scuffed") << run.stop_reason;
  EXPECT_NE(run.stop_reason.find("below the surface"), std::string::npos);
  EXPECT_LT(std::abs(run.energy.defect()), 1e-9);
}

}  // namespace chatter_end_test
}  // namespace painleve
