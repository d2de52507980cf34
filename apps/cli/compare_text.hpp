// What engines return, as text.
#pragma once

#include <string>

#include "painleve/engines/comparison.hpp"

namespace painleve::cli {

std::string compare_text(const CompareReport& report);

// The words that the table and the page share.
std::string control_words(const CompareReport& report, const EngineRow& row);       // "right", "wrong: …", or why not
std::string returned_words(const SolvedCase& problem, const EngineAnswer& answer);  // "#2 T", "none of them …"
std::string solutions_heading(const SolvedCase& problem);

}  // namespace painleve::cli
