// What engines return, as one self-contained page.
#pragma once

#include <string>

#include "painleve/engines/comparison.hpp"

namespace painleve::cli {

std::string compare_page(const CompareReport& report);

}  // namespace painleve::cli
