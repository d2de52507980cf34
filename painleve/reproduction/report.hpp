// One self-contained page about a scene: the mechanism drawn, its cones, modes, all solutions, the impact, what the
// three simulators say and whether they agree in the limit, and maps around the state.
#pragma once

#include <functional>
#include <string>

#include "painleve/scene/scene.hpp"

namespace painleve {

struct ReportOptions {
  double t_end = 1;      // [s] of the simulations
  double dt = 0.01;      // [s] of the time step whose solutions are shown
  int cells = 81;        // per axis of the maps, ≥ 2
  bool converge = true;  // the study of the stiff limit and of small steps, which takes longest
  int threads = 0;       // of the maps; 0: one per core
  std::function<bool(double)> proceed = nullptr;  // told the part done; false: the page ends there
};

struct Report {
  std::string html;
  bool complete = true;  // false: interrupted; what was computed is in the page
};

// A section that does not apply to the scene says why. Throws InputError for a scene that cannot be built and for
// options out of range.
Report report(const SceneSource& source, const ReportOptions& options);

}  // namespace painleve
