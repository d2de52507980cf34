// The answer of `painleve reproduce` for people.
#pragma once

#include <string>
#include <vector>

#include "painleve/reproduction/reproduce.hpp"

namespace painleve::cli {

std::string items_text(const std::vector<const PublishedItem*>& items);  // --list

// A line per item; below it every comparison and feature where there is one item only, else those that nothing
// explains.
std::string reproduce_text(const ReproduceReport& report);

}  // namespace painleve::cli
