// One case of the pack as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "painleve/reproduction/cases_mjcf.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

nlohmann::ordered_json case_json(const Scenario& scenario, const Scene& scene, const MjcfResult& model);

// The constant files of the pack.
extern const char* const case_schema;
extern const char* const case_readme;
extern const char* const case_checker;

}  // namespace painleve
