// The samples of a run as tables, one row per sample: what NumPy arrays can show without copying.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "painleve/simulation/run.hpp"

namespace painleve::python {

struct Trajectory {
  long rows = 0;
  int coordinates = 0, contacts = 0, dimension = 2;
  std::vector<double> t, energy;   // per row
  std::vector<double> q, v;        // rows x coordinates
  std::vector<double> gap;         // rows x contacts
  std::vector<double> u, lambda;   // rows x contacts x dimension, tangents first
  std::vector<std::int32_t> mode;  // per row, index into `words`
  std::vector<std::int32_t> solutions, taken;
  std::vector<std::string> words;  // in the order in which they appear
};

// What a sample does not have (a contact space has no coordinates) is NaN, or a table without columns.
Trajectory trajectory(const Run& run);

}  // namespace painleve::python
