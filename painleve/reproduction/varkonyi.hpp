// The parts of Várkonyi (2018): slip and its boundaries, runs through them, the singular lines, theorems.
#pragma once

#include <string>
#include <vector>

#include "painleve/reproduction/item.hpp"

namespace painleve {

// An error that should be none: at most `bound`, shown by its size.
inline Feature vanishing(const std::string& statement, const std::string& route, double error, double bound) {
  return feature(statement, route, error <= bound, error_size(error));
}

std::vector<PublishedItem> varkonyi_slip_items();
std::vector<PublishedItem> varkonyi_run_items();
std::vector<PublishedItem> varkonyi_singular_items();
std::vector<PublishedItem> varkonyi_theorem_items();

}  // namespace painleve
