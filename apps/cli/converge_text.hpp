// What `painleve converge` prints for people.
#pragma once

#include <string>

#include "painleve/study/converge.hpp"

namespace painleve::cli {

std::string converge_text(const ConvergeProblem& problem, const ConvergeReport& report);

}  // namespace painleve::cli
