// The answer of `painleve solve` for people.
#pragma once

#include <string>

#include "painleve/scene/solving.hpp"

namespace painleve::cli {

std::string solve_text(const SolveReport& report);

}  // namespace painleve::cli
