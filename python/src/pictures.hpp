// The pictures that notebooks show beside a result, as SVG. An empty string where there is nothing to draw: a result
// without a picture is still a result.
#pragma once

#include <string>

#include "painleve/scene/analysis.hpp"
#include "painleve/scene/impacting.hpp"
#include "painleve/scene/solving.hpp"
#include "painleve/simulation/run.hpp"
#include "painleve/study/boundaries.hpp"
#include "painleve/study/converge.hpp"
#include "painleve/study/map.hpp"

namespace painleve::python {

std::string scene_picture(const Scene& scene);
std::string analysis_picture(const Analysis& analysis);
std::string solve_picture(const SolveReport& report);
std::string impact_picture(const ImpactRun& run);
std::string cone_picture(const Scene& scene, int contact, double mu);
std::string run_picture(const Scene& scene, const Run& run);
std::string map_picture(const Map& map, const std::vector<Boundary>& boundaries);
std::string converge_picture(const ConvergeProblem& problem, const ConvergeReport& report);

}  // namespace painleve::python
