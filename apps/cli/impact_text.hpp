// What `painleve impact` prints for people.
#pragma once

#include <string>

#include "painleve/scene/impacting.hpp"

namespace painleve::cli {

std::string impact_text(const ImpactRun& run);

}  // namespace painleve::cli
