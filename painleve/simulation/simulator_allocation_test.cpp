// The simulators take nothing from the heap between events: a motion that goes on for twice as long, with the same
// events, takes no more. With samples it takes what it hands over, five vectors each, and the list of them grows.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/detail/allocation_count.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "painleve/simulation/time_stepping.hpp"

namespace painleve {
namespace simulator_allocation_test {

using detail::degree;

using Simulate = std::function<Run(const SimulationProblem&, const SimulationOptions&)>;

struct Counted {
  std::size_t allocations = 0;
  Run run;
};

Counted count(const Simulate& simulate, const SimulationProblem& problem, double t_end, int samples) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  options.relative = 1e-12;
  Counted counted;
  const std::size_t before = detail::allocation_count();
  counted.run = simulate(problem, options);
  counted.allocations = detail::allocation_count() - before;
  return counted;
}

// Where gravity is weak a rod slides for long before it falls over.
SimulationProblem slow_rod(const ContactLaw& law) {
  return detail::problem_of("rod", {{{"gravity", 1e-2}}, {{"theta", 60 * degree}}, {}, {{"", {-1}}}}, law);
}

ContactLaw on_springs(double mu) {
  ContactLaw law = detail::friction(mu);
  law.stiffness = 1e6;
  law.damping = 1e3;
  return law;
}

void expect_no_growth(const Simulate& simulate, const SimulationProblem& problem, double t_end, long least_steps) {
  count(simulate, problem, t_end, 0);  // what is built once for a whole program
  const Counted once = count(simulate, problem, t_end, 0);
  const Counted twice = count(simulate, problem, 2 * t_end, 0);
  ASSERT_EQ(once.run.stopped, "t_end") << once.run.stop_reason;
  ASSERT_EQ(twice.run.stopped, "t_end") << twice.run.stop_reason;
  EXPECT_EQ(once.run.events.size(), twice.run.events.size());
  EXPECT_GE(twice.run.steps - once.run.steps, least_steps);
  EXPECT_EQ(twice.allocations, once.allocations) << "per step "
                                                 << static_cast<double>(twice.allocations - once.allocations) /
                                                        static_cast<double>(twice.run.steps - once.run.steps);
}

// A hundred samples more: q, v, gap, u, lambda each, and the list of samples grows by doubling.
void expect_samples_only(const Simulate& simulate, const SimulationProblem& problem, double t_end,
                         std::size_t vectors) {
  constexpr int more = 100;
  constexpr std::size_t doublings = 2;
  count(simulate, problem, t_end, more);
  const Counted few = count(simulate, problem, t_end, more);
  const Counted many = count(simulate, problem, t_end, 2 * more);
  ASSERT_EQ(many.run.samples.size(), few.run.samples.size() + more);
  EXPECT_LE(many.allocations, few.allocations + vectors * more + doublings);
}

Run events(const SimulationProblem& problem, const SimulationOptions& options) {
  return simulate_events(problem, options);
}

Run springs(const SimulationProblem& problem, const SimulationOptions& options) {
  return simulate_compliant(problem, options, {});
}

Run steps(const SimulationProblem& problem, const SimulationOptions& options) {
  TimeSteppingOptions stepping;
  stepping.dt = 1e-2;
  return simulate_steps(problem, options, stepping);
}

TEST(SimulatorAllocation, EventDrivenTakesNoneWhileItSlides) {
  expect_no_growth(events, slow_rod(detail::friction(0.2)), 2, 2);
}

TEST(SimulatorAllocation, EventDrivenTakesSamplesOnly) {
  expect_samples_only(events, slow_rod(detail::friction(0.2)), 2, 6);  // and one of its evaluation
}

// A pad on springs, pressed onto a disc that moves.
TEST(SimulatorAllocation, EventDrivenTakesNoneWithTwoContacts) {
  const auto pad = detail::problem_of("brake-pad", {{}, {}, {}, {}}, detail::friction(0.2));
  expect_no_growth(events, pad, 2e-2, 2);
}

TEST(SimulatorAllocation, EventDrivenTakesNoneInSpace) {
  const auto rod = detail::problem_of(
      "rod-3d", {{{"gravity", 1e-2}}, {{"theta", 60 * degree}, {"psi_dot", 0.1}}, {}, {{"", {-1, 0.5}}}},
      detail::friction(0.2));
  expect_no_growth(events, rod, 2, 2);
}

TEST(SimulatorAllocation, CompliantTakesNoneWhileItSlides) {
  expect_no_growth(springs, slow_rod(on_springs(0.2)), 2, 4);
}

TEST(SimulatorAllocation, CompliantTakesSamplesOnly) { expect_samples_only(springs, slow_rod(on_springs(0.2)), 2, 5); }

TEST(SimulatorAllocation, TimeSteppingTakesNoneWhileItSlides) {
  expect_no_growth(steps, slow_rod(detail::friction(0.2)), 2, 200);
}

TEST(SimulatorAllocation, TimeSteppingTakesSamplesOnly) {
  expect_samples_only(steps, slow_rod(detail::friction(0.2)), 2, 5);
}

}  // namespace simulator_allocation_test
}  // namespace painleve
