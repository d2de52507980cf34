// The rod that falls over on its foot for a second: it sticks, slips along +t, then along −t. Event-driven, beside a
// program written for this rod alone, each at the coarsest tolerance that keeps the energy to 1e-9 of its initial
// value.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "accuracy_ladder.hpp"
#include "dormand_prince_peer.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "simulation_scenes.hpp"

namespace painleve {
namespace {

constexpr double t_end = 1;
constexpr double asked = 1e-9;

Run ours(double tolerance) {
  static const SimulationProblem problem = scene_problem("rod-falling");
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 0;
  options.relative = tolerance;
  return simulate_events(problem, options);
}

double our_defect(double tolerance) {
  const Run run = ours(tolerance);
  return std::abs(run.energy.defect() / run.energy.initial);
}

HandWrittenRun theirs(double tolerance) { return hand_written_rod(80 * std::numbers::pi / 180, 0.3, t_end, tolerance); }

double their_defect(double tolerance) {
  const HandWrittenRun run = theirs(tolerance);
  return std::abs(run.defect / run.energy);
}

void falling_rod(benchmark::State& state) {
  static const Rung rung = coarsest(accuracy_ladder(4, 26, our_defect), asked);
  Run run;
  for (auto _ : state) {
    run = ours(rung.tolerance);
    benchmark::ClobberMemory();
  }
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
  state.counters["steps"] = static_cast<double>(run.steps);
  state.counters["theta"] = run.state.q(2);
}
BENCHMARK(falling_rod)->Unit(benchmark::kMicrosecond);

void hand_written_falling_rod(benchmark::State& state) {
  static const Rung rung = coarsest(accuracy_ladder(4, 26, their_defect), asked);
  HandWrittenRun run;
  for (auto _ : state) {
    run = theirs(rung.tolerance);
    benchmark::ClobberMemory();
  }
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
  state.counters["steps"] = static_cast<double>(run.steps);
  state.counters["theta"] = run.theta;
}
BENCHMARK(hand_written_falling_rod)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace painleve
