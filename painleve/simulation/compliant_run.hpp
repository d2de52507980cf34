// The driver of all compliant simulations: smooth phases, located events between them.
//
// Stiff phases are integrated by Radau IIA and take long steps once the springs have settled; phases that are not
// stiff, and flights, by an explicit method. A stiff method would hide what it does not resolve, so that steps are kept
// short, to 0.2 in the unit of the fast motion,
//   - while the fast motion is unstable (an L-stable method damps what ought to grow),
//   - while a spring swings so far that its contact could part or land within a swing,
//   - all the time where the fast motion is what the run is about (`resolve`).
// An explicit method follows what grows and swings as closely as its tolerance asks: to 0.4, but for the last case.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "painleve/simulation/compliant_model.hpp"
#include "painleve/simulation/compliant_transition.hpp"
#include "painleve/simulation/run.hpp"

namespace painleve {

struct CompliantSetup {
  std::shared_ptr<const SlowModel> model;
  std::vector<CompliantContact> contacts;
  std::vector<std::string> names, coordinates;
  double t_start = 0;
  double longest = std::numeric_limits<double>::infinity();  // [s] step
  Eigen::VectorXd slow, gap, u;                              // at the start
  TransitionRules rules;
  bool resolve = false;             // the fast motion is what the run is about
  bool stop_at_divergence = false;  // an impact without collision ends the run
  bool has_state = false;           // slow = (q, v)
};

Run run_compliant(const CompliantSetup& setup, const SimulationOptions& options);

}  // namespace painleve
