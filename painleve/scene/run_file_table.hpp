// The columns of a run, for the writers of result files.
#pragma once

#include <string>
#include <vector>

#include "painleve/simulation/run.hpp"

namespace painleve::detail {

struct Column {
  enum class Kind { number, integer, text };
  std::string name, unit;  // unit "": none, or not known here
  Kind kind = Kind::number;
  std::vector<double> numbers;  // NaN: does not exist
  std::vector<std::string> texts;
};

std::vector<Column> sample_columns(const Run& run);
std::vector<Column> event_columns(const Run& run);

}  // namespace painleve::detail
