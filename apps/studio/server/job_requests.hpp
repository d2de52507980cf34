// What jobs are asked, read and checked. Done before a job is queued, so that a wrong request is told at once, and
// again when it runs.
#pragma once

#include "api.hpp"
#include "painleve/reproduction/report.hpp"
#include "painleve/scene/simulating.hpp"
#include "painleve/study/converge.hpp"
#include "painleve/study/map.hpp"

namespace painleve::studio {

// The member "scene", which must be there.
SceneSource requested_source(const Json& request);
// "t_end", which must lie after the time at which the scene starts.
double requested_end(const Json& request, const Scene& scene, double fallback);

// Axes {y, x}, so that x varies fastest.
MapProblem requested_map(const Json& request);

struct SimulateRequest {
  Scene scene;
  SimulateOptions options;
};
SimulateRequest requested_simulation(const Json& request);

ConvergeProblem requested_limit(const Json& request);

struct ReportRequest {
  SceneSource source;
  ReportOptions options;
};
ReportRequest requested_report(const Json& request);

}  // namespace painleve::studio
