// Forces that are formulas of the time: a short pulse is not stepped over, however quietly the body stands before it;
// feet whose forces are not determined begin to slip together where all friction there is does not hold them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/base/expression.hpp"
#include "painleve/mechanism/gallery.hpp"
#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/event_driven.hpp"

namespace painleve {
namespace driven_test {

// An upright rod of mass 1 that stands, and a pull upwards of 40 N that lasts some `width`.
SimulationProblem pulled_rod(double at, double width) {
  Setup setup;
  setup.given.set("theta", std::acos(-1) / 2);
  setup.slip[""] = {0};
  setup.forces["force_y"] = {
      Expression::parse("40*exp(-((t-" + std::to_string(at) + ")/" + std::to_string(width) + ")^2)")};
  ContactLaw law;
  law.mu = 0.6;
  law.stiffness = 1e6;
  law.damping = 1e3;
  setup.contacts["tip"].mu = law.mu;
  const Posed posed = build(gallery_entry("rod"), setup);
  SimulationProblem p;
  p.mechanism = posed.mechanism;
  p.start = posed.state;
  p.laws = {law};
  return p;
}

double first(const Run& run, EventKind kind) {
  for (const SimulationEvent& e : run.events)
    if (e.kind == kind) return e.t;
  return -1;
}

// It lifts off where the pull is the weight: 40 exp(−x²) = 9.81 at x = −1.18553 widths.
TEST(Driven, ShortPullsLiftARodThatStands) {
  struct Pull {
    double at, width, t_end;
  };
  for (const Pull& pull : {Pull{0.5, 1e-3, 1}, {5, 2e-2, 8}}) {
    const double lifts = pull.at - pull.width * std::sqrt(std::log(40 / 9.81));
    SimulationOptions o;
    o.t_end = pull.t_end;
    o.samples = 0;
    const auto rigid = simulate_events(pulled_rod(pull.at, pull.width), o);
    EXPECT_NEAR(first(rigid, EventKind::liftoff), lifts, 1e-9);
    const auto springs = simulate_compliant(pulled_rod(pull.at, pull.width), o, {});
    EXPECT_NEAR(first(springs, EventKind::liftoff), lifts, pull.width);
  }
}

// A body of mass 1 on feet in a row, on a level floor, with a push along it.
SimulationProblem pushed_body(const std::vector<std::array<double, 2>>& feet, double mu, const std::string& push) {
  Setup setup;
  setup.lists["points"] = feet;
  setup.lists["normals"] = std::vector<std::array<double, 2>>(feet.size(), {0, 1});
  setup.forces["force_x"] = {Expression::parse(push)};
  ContactLaw law;
  law.mu = mu;
  for (std::size_t i = 1; i <= feet.size(); ++i) setup.contacts["c" + std::to_string(i)].mu = mu;
  const Posed posed = build(gallery_entry("rigid-body"), setup);
  SimulationProblem p;
  p.mechanism = posed.mechanism;
  p.start = posed.state;
  p.laws.assign(feet.size(), law);
  return p;
}

// A push that grows by `rate` reaches μ m g at t0; from there on v = rate (t − t0)²/2. All feet slip at once.
TEST(Driven, FeetBeginToSlipTogether) {
  constexpr double g = 9.81, mu = 0.3, t_end = 0.2;
  const std::vector<std::vector<std::array<double, 2>>> bodies = {{{-0.5, -0.2}, {0.5, -0.2}},
                                                                  {{-0.4, -0.1}, {0.1, -0.1}, {0.6, -0.1}}};
  for (const auto& feet : bodies) {
    for (const double rate : {30.0, 50.0, 1e-2, 1e-4}) {
      const double t0 = rate > 1 ? mu * g / rate : 0.1;
      for (const double tolerance : {1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
        SimulationOptions o;
        o.t_end = t_end;
        o.samples = 0;
        o.relative = tolerance;
        const std::string push =
            std::to_string(mu * g) + "+" + std::to_string(rate) + "*(t-" + std::to_string(t0) + ")";
        const auto run = simulate_events(pushed_body(feet, mu, push), o);
        const double error = 1e-13 / rate + 1e-14;  // the forces are rounded
        EXPECT_EQ(run.stopped, "t_end") << feet.size() << " " << rate << " " << tolerance << " " << run.stop_reason;
        ASSERT_EQ(run.events.size(), feet.size()) << rate << " " << tolerance;
        for (const SimulationEvent& e : run.events) {
          EXPECT_EQ(e.kind, EventKind::slip);
          EXPECT_NEAR(e.t, t0, error) << rate << " " << tolerance;
        }
        const double v = rate * (t_end - t0) * (t_end - t0) / 2;
        EXPECT_NEAR(run.state.v(0), v, 1e-13 + rate * (t_end - t0) * error) << rate << " " << tolerance;
      }
    }
  }
}

// The foot in the middle has no friction. The others hold the body as long as they may carry all of it between them.
TEST(Driven, FeetBesideAFrictionlessOneStickAsLongAsTheyCan) {
  constexpr double g = 9.81, mu = 0.3;
  const std::vector<std::array<double, 2>> feet = {{-0.5, -0.2}, {0.1, -0.2}, {0.6, -0.2}};
  for (const char* push : {"t", "-t"}) {
    SimulationProblem p = pushed_body(feet, mu, push);
    p.laws[1].mu = 0;
    SimulationOptions o;
    o.t_end = 4;
    const auto run = simulate_events(p, o);
    EXPECT_EQ(run.stopped, "t_end") << push << ": " << run.stop_reason;
    EXPECT_NEAR(first(run, EventKind::slip), mu * g, 1e-6) << push;
    for (const Sample& s : run.samples) {
      EXPECT_LE(std::abs(s.lambda(2)), 1e-9) << push << " " << s.t;
      for (const int n : {1, 3, 5}) EXPECT_GE(s.lambda(n), -1e-9) << push << " " << s.t;
    }
  }
}

// A push to and fro that reaches the joint cone and no more.
TEST(Driven, FeetThatAreHardlyHeldStick) {
  SimulationOptions o;
  o.t_end = 1;
  const auto run = simulate_events(pushed_body({{-0.5, -0.2}, {0.5, -0.2}}, 0.3, "2.943*sin(20*t)"), o);
  EXPECT_EQ(run.stopped, "t_end") << run.stop_reason;
  EXPECT_TRUE(run.events.empty());
  EXPECT_LT(run.state.v.norm(), 1e-14);
}

}  // namespace driven_test
}  // namespace painleve
