// For tests of studies: problems of maps in one line, and the sentence of a refusal.
#pragma once

#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/study/map.hpp"

namespace painleve::detail {

struct Over {
  std::string name;
  double from, to;
  int count;
};

inline MapProblem map_problem(const std::string& scene, const std::vector<std::string>& set,
                              const std::vector<Over>& ranges, const std::vector<std::string>& quantities) {
  SceneSource source = SceneSource::open(scene);
  for (const auto& assignment : set) source.set(assignment);
  MapProblem p{source, {}, {}, {}, {}, "test"};
  for (const auto& r : ranges) {
    const std::string path = source.resolve(r.name);
    p.axes.push_back({path, r.name, source.unit(path), r.from, r.to, r.count});
  }
  for (const auto& name : quantities) p.quantities.push_back(Quantity::parse(name));
  return p;
}

inline MapProblem rod_map(int n = 60) {
  return map_problem("rod", {}, {{"theta", 0, std::numbers::pi / 2, n}, {"mu", 0, 3, n + 1}},
                     {"verdict", "mu_jam", "growth_rate"});
}

// What an InputError says; empty when there is none.
inline std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace painleve::detail
