// Time stepping of a rod that slides on its tip, 1000 steps per second of motion, beside the steps of others. Ours
// finds all solutions of each step and certifies them; the engines find contacts and solve for one impulse, in space.
// `theta` is where the rod has got to at the end, to see that all do the same.
#include <benchmark/benchmark.h>

#include <memory>
#include <numbers>

#include "painleve/simulation/time_stepping.hpp"
#include "simulation_scenes.hpp"
#include "stepping_peers.hpp"

namespace painleve {
namespace {

constexpr double degree = std::numbers::pi / 180;

void sliding_rod(benchmark::State& state) {
  const SlidingRod rod;
  const SimulationProblem problem =
      scene_problem("rod-falling", {"state.theta=60deg", "state.slip=-4", "contact.tip.mu=1"});
  SimulationOptions options;
  options.t_end = rod.dt * rod.steps;
  options.samples = 0;
  TimeSteppingOptions stepping;
  stepping.dt = rod.dt;
  Run run;
  for (auto _ : state) {
    run = simulate_steps(problem, options, stepping);
    benchmark::ClobberMemory();
  }
  state.counters["steps"] = static_cast<double>(run.steps);
  state.counters["theta"] = run.state.q(2) / degree;
}
BENCHMARK(sliding_rod)->Unit(benchmark::kMicrosecond);

void peer_sliding_rod(benchmark::State& state, std::unique_ptr<SteppingPeer> (*make)(const SlidingRod&)) {
  const SlidingRod rod;
  const auto peer = make(rod);
  for (auto _ : state) {
    peer->reset();
    for (int i = 0; i < rod.steps; ++i) peer->step();
  }
  state.counters["steps"] = rod.steps;
  state.counters["theta"] = peer->theta() / degree;
}
BENCHMARK_CAPTURE(peer_sliding_rod, siconos, &siconos_rod)->Unit(benchmark::kMicrosecond);
#ifdef PAINLEVE_BENCH_BULLET
BENCHMARK_CAPTURE(peer_sliding_rod, bullet, &bullet_rod)->Unit(benchmark::kMicrosecond);
#endif
#ifdef PAINLEVE_BENCH_ODE
BENCHMARK_CAPTURE(peer_sliding_rod, ode, &ode_rod)->Unit(benchmark::kMicrosecond);
#endif
#ifdef PAINLEVE_BENCH_MUJOCO
BENCHMARK_CAPTURE(peer_sliding_rod, mujoco, &mujoco_rod)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace painleve
