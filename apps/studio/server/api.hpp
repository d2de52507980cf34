// What the page may ask for, by name: one JSON object in, one out. The numbers are those of the command line's --json.
//
// A request that is wrong throws InputError with one sentence. Nothing here reads or writes a file: scenes are named
// from the shipped ones, given as text, or handed over by the command line at the start.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "painleve/scene/scene.hpp"

namespace painleve::studio {

using Json = nlohmann::ordered_json;

// The scene that the command line asked for: "rod", or a file that was read at the start and is known by its text.
struct StartScene {
  std::string name;  // shipped name, or what the page shows for the text
  std::string toml;  // empty: the shipped scene of that name
  Json set = Json::object();
};

// {"name" | "toml", "set"} as a scene that can be built (scene_request.cpp).
// Beside the paths of a scenario file, `set` knows components of lists, counted from 1: "state.slip[2]".
SceneSource scene_source(const Json& request);
// Makes a scene known by name beside the shipped ones: that of a robot, whose file the command line has read and which
// no text that the page sends may name.
void offer_scene(const std::string& name, const SceneSource& source);
// request["scene"] built. Throws InputError also for more contacts than can be answered for at once.
Scene built_scene(const Json& request);

// Quick ones, answered at once: hello, scene, analyze, drag, solve, fast, fast_trajectory.
using QuickCall = std::function<Json(const Json& request)>;
std::map<std::string, QuickCall> quick_calls(const StartScene& start);

Json hello(const StartScene& start);
Json describe_scene(const Json& request);
Json analyze_scene(const Json& request);
Json drag_scene(const Json& request);
Json solve_scene(const Json& request);
Json fast_dynamics(const Json& request);
Json fast_trajectory(const Json& request);

// Long ones run as jobs (jobs.hpp): map, simulate, limit, report. `publish` hands over a result, of which there may be
// several, each better than the one before; `proceed` is told the part done, and false means: stop.
struct JobContext {
  std::function<void(Json result)> publish;
  std::function<bool(double part)> proceed;
};
using LongCall = std::function<void(const Json& request, const JobContext& context)>;
std::map<std::string, LongCall> long_calls();

// Throws InputError at once for a request that the job would refuse, before it is queued.
void check_job(const Json& request);

void map_job(const Json& request, const JobContext& context);
void simulate_job(const Json& request, const JobContext& context);
void limit_job(const Json& request, const JobContext& context);
void report_job(const Json& request, const JobContext& context);

}  // namespace painleve::studio
