// {"kind": "simulate", "scene", "method"?, "t_end"?, "policy"?, "seed"?, "dt"?, "scheme"?, "samples"?}: the motion, by
// the options and defaults of `painleve simulate`. What was computed before a cancel is published, too.
#include <algorithm>
#include <cmath>
#include <optional>

#include "job_requests.hpp"
#include "request.hpp"
#include "tracks.hpp"

namespace painleve::studio {
namespace {

// The part done. Futures that are followed one after the other begin at an earlier time again, and nobody knows how
// many will come: each takes half of what is left.
class RunProgress {
 public:
  RunProgress(double start, double t_end, bool one_by_one) : start_(start), t_end_(t_end), one_by_one_(one_by_one) {}

  double part(double t) {
    if (one_by_one_ && t < last_) left_ /= 2;
    last_ = t;
    const double along = std::clamp((t - start_) / (t_end_ - start_), 0.0, 1.0);
    return one_by_one_ ? 1 - left_ + left_ / 2 * along : along;
  }

 private:
  double start_, t_end_, last_ = -HUGE_VAL, left_ = 1;
  bool one_by_one_;
};

Run watched_run(SimulateRequest& r, const JobContext& context) {
  const bool one_by_one =
      r.options.simulation.policy == Policy::all && chosen_method(r.scene, r.options) == SimulationMethod::event;
  std::optional<RunProgress> progress;
  r.options.simulation.progress = [&](const Progress& p) {
    if (!progress) progress.emplace(p.t, p.t_end, one_by_one);
    return context.proceed(progress->part(p.t));
  };
  return simulate(r.scene, r.options);
}

}  // namespace

SimulateRequest requested_simulation(const Json& request) {
  refuse_others(request, {"kind", "scene", "method", "t_end", "policy", "seed", "dt", "scheme", "samples"});
  SimulateRequest r;
  SimulateOptions& o = r.options;
  const std::string method = word(request, "method", "");
  if (!method.empty()) o.method = simulation_method(method);
  o.simulation.policy = policy(word(request, "policy", "principle"));
  o.simulation.seed = static_cast<std::uint64_t>(whole(request, "seed", 0, 0, 2'000'000'000));
  o.simulation.samples = whole(request, "samples", 1000, 0, 100'000);
  o.stepping.dt = number(request, "dt", 1e-3, 1e-7, 1);
  o.stepping.scheme = step_scheme(word(request, "scheme", "moreau-jean"));
  r.scene = built_scene(request);
  o.simulation.t_end = requested_end(request, r.scene, 1);
  chosen_method(r.scene, o);
  return r;
}

void simulate_job(const Json& request, const JobContext& context) {
  SimulateRequest r = requested_simulation(request);
  const Run run = watched_run(r, context);
  Json result;
  result["report"] = to_json(r.scene, r.options, run);
  result["report"]["files"] = Json::array();
  result["tracks"] = tracks(r.scene, run);
  context.publish(std::move(result));
}

}  // namespace painleve::studio
