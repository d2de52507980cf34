// The kinds of jobs by name, and what they have in common.
#include <fmt/format.h>

#include "job_requests.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "request.hpp"

namespace painleve::studio {
namespace {

double start_time(const Scene& scene) {
  if (scene.kind == SceneKind::drifting_contacts) return scene.drifting.t_start;
  return scene.kind == SceneKind::mechanism ? scene.posed.state.t : 0;
}

struct Kind {
  LongCall run;
  std::function<void(const Json& request)> check;
};

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"map", {map_job, [](const Json& request) { requested_map(request); }}},
      {"simulate", {simulate_job, [](const Json& request) { requested_simulation(request); }}},
      {"limit", {limit_job, [](const Json& request) { requested_limit(request); }}},
      {"report", {report_job, [](const Json& request) { requested_report(request); }}}};
  return all;
}

}  // namespace

std::map<std::string, LongCall> long_calls() {
  std::map<std::string, LongCall> calls;
  for (const auto& kind : kinds()) calls[kind.first] = kind.second.run;
  return calls;
}

void check_job(const Json& request) {
  if (!request.is_object()) throw InputError("a job must be asked for by a JSON object");
  const std::string name = word(request, "kind");
  const auto found = kinds().find(name);
  if (found == kinds().end())
    throw InputError(unknown_name("kind of job", name, {"map", "simulate", "limit", "report"}));
  found->second.check(request);
}

SceneSource requested_source(const Json& request) {
  const auto scene = request.find("scene");
  if (scene == request.end() || !scene->is_object())
    throw InputError("a job needs a scene: an object with its name or its toml");
  return scene_source(*scene);
}

double requested_end(const Json& request, const Scene& scene, double fallback) {
  constexpr double latest = 1000;  // [s]
  const double t_end = number(request, "t_end", fallback, -latest, latest);
  const double start = start_time(scene);
  if (t_end <= start)
    throw InputError(fmt::format("t_end must be later than the start at t = {} s, not {}", start, t_end));
  return t_end;
}

}  // namespace painleve::studio
