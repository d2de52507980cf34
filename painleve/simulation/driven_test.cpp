// Forces that are formulas of the time: a short pulse is not stepped over, however quietly the body stands before it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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

}  // namespace driven_test
}  // namespace painleve
