#include "painleve/simulation/run.hpp"

#include <algorithm>
#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

const std::vector<std::string>& policies() {
  static const std::vector<std::string> names = {"principle", "stiff-limit", "seeded", "all"};
  return names;
}

}  // namespace

std::vector<Surface> SimulationProblem::surfaces() const {
  std::vector<Surface> list;
  for (std::size_t i = 0; i < laws.size(); ++i) list.push_back({laws[i].mu, i < bilateral.size() && bilateral[i]});
  return list;
}

double longest_driven_step(const SimulationProblem& problem, double t_end) {
  if (!problem.mechanism->forces_of_time()) return std::numeric_limits<double>::infinity();
  return 1e-3 * (t_end - problem.start.t);
}

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::stick:
      return "stick";
    case EventKind::slip:
      return "slip";
    case EventKind::liftoff:
      return "liftoff";
    case EventKind::landing:
      return "landing";
    case EventKind::impact:
      return "impact";
    case EventKind::iwc:
      return "iwc";
    case EventKind::jam:
      return "jam";
    case EventKind::chatter:
      return "chatter";
    case EventKind::reverse_chatter:
      return "reverse_chatter";
    case EventKind::mode:
      break;
  }
  return "mode";
}

const char* to_string(Policy policy) { return policies()[static_cast<std::size_t>(policy)].c_str(); }

Policy policy(const std::string& name) {
  const auto& names = policies();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw InputError(unknown_name("policy", name, names));
  return static_cast<Policy>(found - names.begin());
}

}  // namespace painleve
