// The scenes of the simulators and of the map, as both the hashes of our answers and the counts of instructions take
// them: the same scenarios as the timed ones, at fixed tolerances.
#pragma once

#include <fmt/format.h>

#include <numbers>
#include <string>

#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "painleve/simulation/time_stepping.hpp"
#include "painleve/study/map.hpp"
#include "simulation_scenes.hpp"
#include "stepping_peers.hpp"

namespace painleve {

inline SimulationOptions without_samples(double t_end, double relative) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 0;
  options.relative = relative;
  return options;
}

// A second of the rod that falls over on its foot.
inline SimulationProblem falling_rod_problem() { return scene_problem("rod-falling"); }
inline Run falling_rod_run(const SimulationProblem& problem) {
  return simulate_events(problem, without_samples(1, 1e-9));
}

// The rod without solution on springs of 10^exponent.
inline SimulationProblem compliant_rod_problem(int exponent) {
  const std::string k = fmt::format("1e{}", exponent);
  return scene_problem("rod-no-solution", {"contact.tip.compliance=\"preclik\"", "contact.tip.stiffness=" + k,
                                           "contact.tip.damping=" + k, "contact.tip.tangential_damping=" + k});
}
inline Run compliant_rod_run(const SimulationProblem& problem, double t_end, double relative) {
  return simulate_compliant(problem, without_samples(t_end, relative), {});
}

// 200 steps of the rod that slides on its tip.
inline SimulationProblem sliding_rod_problem() {
  return scene_problem("rod-falling", {"state.theta=60deg", "state.slip=-4", "contact.tip.mu=1"});
}
inline Run sliding_rod_run(const SimulationProblem& problem) {
  const SlidingRod rod;
  TimeSteppingOptions stepping;
  stepping.dt = rod.dt;
  return simulate_steps(problem, without_samples(rod.dt * rod.steps, SimulationOptions().relative), stepping);
}

// The verdict of the rod over angle and friction.
inline MapProblem rod_verdict_map() {
  constexpr int side = 1000;
  const SceneSource source = SceneSource::open("rod-no-solution");
  MapProblem problem{source, {}, {Quantity::parse("verdict")}, {}, {}, "bench"};
  const std::string theta = source.resolve("theta"), mu = source.resolve("mu");
  problem.axes.push_back({theta, "theta", source.unit(theta), 0.1, std::numbers::pi - 0.1, side});
  problem.axes.push_back({mu, "mu", source.unit(mu), 0, 3, side});
  return problem;
}

}  // namespace painleve
