// Many contact spaces at once: the modes of each, from arrays and into arrays, on all cores.
//
// One planar contact that touches goes through the kernel planar_modes(), without allocation; everything else, and what
// the kernel leaves open (families of forces, motions that are nearly one, numbers that need a closer look), through
// mode_table(). What is returned does not depend on the number of threads, nor on which of the two answered.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace painleve::python {

// Item i has the matrix at W + i W_step, and so on; a step of 0 repeats one for all. Rows are stored one after another.
struct BatchInput {
  int dimension = 2;  // 2 or 3
  long items = 0;
  int contacts = 0;
  const double *W = nullptr, *b = nullptr, *u = nullptr, *mu = nullptr;
  long W_step = 0, b_step = 0, u_step = 0, mu_step = 0;

  int rows() const { return dimension * contacts; }
};

// Per item, and per solution: a consistent mode of an item.
struct BatchOutput {
  std::vector<std::int32_t> verdict;  // index into `words`; -1 with the reason in `errors`
  std::vector<std::uint8_t> jam, complete;
  std::vector<std::int64_t> first;                           // solutions of item i: [first[i], first[i + 1])
  std::vector<std::int32_t> mode;                            // index into `words`
  std::vector<double> lambda, a;                             // rows() per solution
  std::vector<std::string> words;                            // sorted
  std::vector<std::pair<std::int64_t, std::string>> errors;  // by item
};

// `stop` ends the work early; what is returned then is worthless. threads 0: one per core.
BatchOutput analyze_batch(const BatchInput& input, int threads, const std::atomic<bool>& stop);

}  // namespace painleve::python
