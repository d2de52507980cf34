// Tolerances from coarse to fine in half decades, and what error they give.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace painleve {

struct Rung {
  double tolerance = 0, error = 0;
};

// 10^(−from/2), 10^(−(from + 1)/2), …, 10^(−to/2).
inline std::vector<Rung> accuracy_ladder(int from, int to, const std::function<double(double)>& error) {
  std::vector<Rung> ladder;
  for (int i = from; i <= to; ++i) {
    const double tolerance = std::pow(10.0, -i / 2.0);
    ladder.push_back({tolerance, error(tolerance)});
  }
  return ladder;
}

// The coarsest one that reaches the target together with all finer ones: no reward for a lucky one. The finest where
// none does.
inline Rung coarsest(const std::vector<Rung>& ladder, double target) {
  std::size_t i = ladder.size() - 1;
  while (i > 0 && ladder[i].error <= target && ladder[i - 1].error <= target) --i;
  return ladder[i];
}

}  // namespace painleve
