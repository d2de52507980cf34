// The answer of `painleve simulate` for people.
#pragma once

#include <string>

#include "painleve/scene/simulating.hpp"

namespace painleve::cli {

std::string simulate_text(const Scene& scene, const SimulateOptions& options, const Run& run);

}  // namespace painleve::cli
