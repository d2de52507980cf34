// The steps of a convergence study; see converge.hpp.
#pragma once

#include "painleve/study/converge.hpp"

namespace painleve::detail {

// converge_runs.cpp
std::vector<StudiedQuantity> studied_quantities(const Scene& scene);
struct Leaf {
  std::string why;
  bool strikes = false;
  RunEnding ending;
};
// The ends of a run and of its futures; futures that merge into others are left out.
std::vector<Leaf> leaves(const Run& run, const Scene& scene);
// Event by event, every branch, with another restitution where given. Throws InputError where there is no such run.
std::vector<RigidFuture> rigid_futures(const Scene& scene, const SimulationOptions& options,
                                       std::optional<double> restitution);

// converge_limits.cpp
void take_limits(const SimulationOptions& options, ConvergeReport& report);
// Distance of a limit to numbers, over the compared quantities: the largest in units of the scales, and whether all are
// within three times the errors.
struct Closeness {
  double distance = 0;
  int quantity = -1;  // the farthest; −1: outcomes were compared
  bool same = true;
};
Closeness closeness(const ConvergeReport& report, const ConvergeSeries& series, const Eigen::VectorXd& values);
Closeness closeness(const ConvergeReport& report, const ConvergeSeries& a, const ConvergeSeries& b);
// "0.4209 ± 0.0002": no digit that the error does not bear out.
std::string with_error(double value, double error);
void name_futures(const ConvergeProblem& problem, ConvergeReport& report);

// converge_verdict.cpp
void decide(const ConvergeProblem& problem, ConvergeReport& report);

}  // namespace painleve::detail
