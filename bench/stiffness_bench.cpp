// The compliant rod of compliant_bench.cpp with springs from 1e4 to 1e12, to 1e-2 s: how the work grows with stiffness.
// CVODE gets the coarsest tolerance with which its impulses err by at most 1e-8, and we the coarsest with which we err
// no more than CVODE then does. `stiffness/8` has springs of 1e8.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "accuracy_ladder.hpp"
#include "cvode_peer.hpp"
#include "painleve/simulation/compliant.hpp"
#include "simulation_scenes.hpp"

namespace painleve {
namespace {

constexpr double t_end = 1e-2;
constexpr double asked = 1e-8;

// One stiffness: the problem, our finest answer, and the tolerances of equal accuracy.
class Springs {
 public:
  explicit Springs(int exponent)
      : stiffness_(std::pow(10.0, exponent)), problem_(compliant_rod(exponent)), reference_(ours(1e-13).impulse) {}

  Run ours(double tolerance) const {
    SimulationOptions options;
    options.t_end = t_end;
    options.samples = 0;
    options.relative = tolerance;
    return simulate_compliant(problem_, options, {});
  }
  Rung our_rung() const {
    const double target = their_rung().error;
    return coarsest(accuracy_ladder(4, 26, [&](double tolerance) { return error(ours(tolerance).impulse); }), target);
  }

#ifdef PAINLEVE_BENCH_CVODE
  CvodeRun theirs(double tolerance) const {
    return cvode_rod({2 * std::numbers::pi / 3, -1, 1.5, 1, stiffness_}, t_end, tolerance);
  }
  Rung their_rung() const {
    const auto their_error = [&](double tolerance) {
      const CvodeRun run = theirs(tolerance);
      return error({run.impulse_t, run.impulse_n});
    };
    return coarsest(accuracy_ladder(6, 27, their_error), asked);
  }
#else
  Rung their_rung() const { return {asked, asked}; }
#endif

 private:
  static SimulationProblem compliant_rod(int exponent) {
    const std::string k = fmt::format("1e{}", exponent);
    return scene_problem("rod-no-solution", {"contact.tip.compliance=\"preclik\"", "contact.tip.stiffness=" + k,
                                             "contact.tip.damping=" + k, "contact.tip.tangential_damping=" + k});
  }
  double error(const Eigen::Vector2d& impulse) const { return (impulse - reference_).cwiseAbs().maxCoeff(); }

  double stiffness_;
  SimulationProblem problem_;
  Eigen::Vector2d reference_;
};

struct Prepared {
  Springs springs;
  Rung ours, theirs;

  explicit Prepared(int exponent) : springs(exponent), ours(springs.our_rung()), theirs(springs.their_rung()) {}
};

// The ladders are climbed once per process: measurements begin several times.
const Prepared& prepared(const benchmark::State& state) {
  static std::map<int, Prepared> list;
  const int exponent = static_cast<int>(state.range(0));
  return list.try_emplace(exponent, exponent).first->second;
}

void report(benchmark::State& state, const Rung& rung, long steps) {
  state.counters["tolerance"] = rung.tolerance;
  state.counters["error"] = rung.error;
  state.counters["steps"] = static_cast<double>(steps);
}

void stiffness(benchmark::State& state) {
  const Prepared& p = prepared(state);
  Run run;
  for (auto _ : state) {
    run = p.springs.ours(p.ours.tolerance);
    benchmark::ClobberMemory();
  }
  report(state, p.ours, run.steps);
}
BENCHMARK(stiffness)->Arg(4)->Arg(6)->Arg(8)->Arg(10)->Arg(12)->Unit(benchmark::kMicrosecond);

#ifdef PAINLEVE_BENCH_CVODE
void cvode_stiffness(benchmark::State& state) {
  const Prepared& p = prepared(state);
  CvodeRun run;
  for (auto _ : state) {
    run = p.springs.theirs(p.theirs.tolerance);
    benchmark::ClobberMemory();
  }
  report(state, p.theirs, run.steps);
  state.counters["evaluations"] = static_cast<double>(run.evaluations);
}
BENCHMARK(cvode_stiffness)->Arg(4)->Arg(6)->Arg(8)->Arg(10)->Arg(12)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
}  // namespace painleve
