// {"kind": "limit", "scene", "stiffness"?: [a, b, n], "dt"?: [a, b, n], "t_end"?}: the study of `painleve converge`,
// with its defaults, and the plots of its figure. What was done before a cancel is published, too.
#include <fmt/format.h>

#include <cmath>

#include "drawing_json.hpp"
#include "job_requests.hpp"
#include "painleve/base/error.hpp"
#include "painleve/figure/convergence_figure.hpp"
#include "request.hpp"

namespace painleve::studio {
namespace {

constexpr int most_values = 12;

// [from, to, count] as values at equal ratios; none where it is not asked for.
std::vector<double> range(const Json& request, const char* key, double least, double most) {
  if (!request.contains(key) || request[key].is_null()) return {};
  const std::vector<double> r = numbers(request, key, 3);
  for (const double end : {r[0], r[1]}) {
    if (!(end >= least && end <= most))
      throw InputError(fmt::format("'{}' goes from {} to {}, allowed are {} to {}", key, r[0], r[1], least, most));
  }
  if (!(r[2] >= 2 && r[2] <= most_values) || r[2] != std::floor(r[2]))
    throw InputError(fmt::format("'{}' has {} values, allowed are 2 to {}", key, r[2], most_values));
  return logarithmic_range(r[0], r[1], static_cast<int>(r[2]));
}

}  // namespace

ConvergeProblem requested_limit(const Json& request) {
  refuse_others(request, {"kind", "scene", "stiffness", "dt", "t_end"});
  ConvergeProblem problem;
  problem.stiffness = range(request, "stiffness", 1, 1e14);
  problem.dt = range(request, "dt", 1e-7, 1);
  if (problem.stiffness.empty() && problem.dt.empty())
    throw InputError("a limit needs 'stiffness' or 'dt', each as [from, to, count]");
  problem.scene = built_scene(request);
  problem.simulation.t_end = requested_end(request, problem.scene, 0.1);
  problem.simulation.policy = Policy::all;
  return problem;
}

void limit_job(const Json& request, const JobContext& context) {
  const ConvergeProblem problem = requested_limit(request);
  const ConvergeReport report = converge(problem, context.proceed);
  Json result;
  result["report"] = painleve::to_json(problem, report);
  result["report"]["files"] = Json::array();
  result["plots"] = Json::array();
  for (const Panel& panel : convergence_figure(problem, report).panels)
    if (const Plot* plot = std::get_if<Plot>(&panel)) result["plots"].push_back(to_json(*plot));
  context.publish(std::move(result));
}

}  // namespace painleve::studio
