// The analysis in words that a mechanical engineer can read.
#pragma once

#include <string>

#include "painleve/scene/analysis.hpp"

namespace painleve::cli {

std::string analysis_text(const Analysis& analysis);

}  // namespace painleve::cli
