// Preclik & Rüde's rod without solution on springs of 1e8: the impact without collision and what follows, to 1e-4 s.
// Beside it CVODE with the equations written by hand, at equal accuracy of the impulses: CVODE gets the coarsest
// tolerance with which it reaches 10^-n, and we the coarsest with which we err no more than CVODE then does.
//
// Errors are distances to our finest run; `apart` is how far CVODE's finest run is from it.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "accuracy_ladder.hpp"
#include "cvode_peer.hpp"
#include "painleve/simulation/compliant.hpp"
#include "simulation_scenes.hpp"

namespace painleve {
namespace {

constexpr double t_end = 1e-4;

Run ours(double tolerance) {
  static const SimulationProblem problem =
      scene_problem("rod-no-solution", {"contact.tip.compliance=\"preclik\"", "contact.tip.stiffness=1e8",
                                        "contact.tip.damping=1e8", "contact.tip.tangential_damping=1e8"});
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 0;
  options.relative = tolerance;
  return simulate_compliant(problem, options, {});
}

double error(const Eigen::Vector2d& impulse) {
  static const Eigen::Vector2d reference = ours(1e-13).impulse;
  return (impulse - reference).cwiseAbs().maxCoeff();
}

Rung our_rung(double target) {
  static const auto ladder = accuracy_ladder(4, 26, [](double tolerance) { return error(ours(tolerance).impulse); });
  return coarsest(ladder, target);
}

#ifdef PAINLEVE_BENCH_CVODE
CvodeRun theirs(double tolerance) { return cvode_rod({2 * std::numbers::pi / 3, -1, 1.5, 1, 1e8}, t_end, tolerance); }

double their_error(double tolerance) {
  const CvodeRun run = theirs(tolerance);
  return error({run.impulse_t, run.impulse_n});
}

Rung their_rung(double target) {
  static const auto ladder = accuracy_ladder(6, 27, their_error);
  return coarsest(ladder, target);
}

void cvode_compliant_rod(benchmark::State& state) {
  const Rung rung = their_rung(std::pow(10.0, -static_cast<double>(state.range(0))));
  CvodeRun run;
  for (auto _ : state) {
    run = theirs(rung.tolerance);
    benchmark::ClobberMemory();
  }
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
  state.counters["steps"] = static_cast<double>(run.steps);
  state.counters["apart"] = their_error(std::pow(10.0, -13.5));
}
BENCHMARK(cvode_compliant_rod)->Arg(8)->Arg(10)->Arg(12)->Unit(benchmark::kMicrosecond);
#else
Rung their_rung(double target) { return {target, target}; }
#endif

void compliant_rod(benchmark::State& state) {
  const Rung rung = our_rung(their_rung(std::pow(10.0, -static_cast<double>(state.range(0)))).error);
  Run run;
  for (auto _ : state) {
    run = ours(rung.tolerance);
    benchmark::ClobberMemory();
  }
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
  state.counters["steps"] = static_cast<double>(run.steps);
}
BENCHMARK(compliant_rod)->Arg(8)->Arg(10)->Arg(12)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace painleve
