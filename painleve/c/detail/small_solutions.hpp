// All modes and all solutions of at most two planar contacts, in fixed storage.
#pragma once

#include "painleve/c/detail/small_word.hpp"

namespace painleve::small {

inline constexpr int most_solutions = 36;

struct Solutions {
  WordSolution solution[most_solutions];
  int count = 0;
};

// The consistent modes, in the order of the words. Given and returned in physical units.
void consistent_modes(const Problem& problem, Solutions& found);

// The pieces of the solution set, each once, the least force first. Likewise.
void all_solutions(const Problem& problem, Solutions& found);

}  // namespace painleve::small
