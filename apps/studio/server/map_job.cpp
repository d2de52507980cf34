// {"kind": "map", "scene", "x", "y", "of", "t_end"?, "method"?, "policy"?}: one quantity over two variables, coarse
// first.
//
// Every stage is a map of its own, computed as `painleve map` does; the last one has the grid that was asked for and is
// published twice, without and with the boundaries between its words. A boundary that cannot be had is not a failure of
// the map: `boundaries_reason` says why there is none.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "job_requests.hpp"
#include "painleve/base/error.hpp"
#include "painleve/study/boundaries.hpp"
#include "request.hpp"

namespace painleve::studio {
namespace {

constexpr int most_points = 1000;  // per axis
constexpr long most_cells = 250'000;
constexpr long most_runs = 40'000;  // cells of a quantity that takes a simulation each

bool takes_runs(const MapProblem& problem) { return problem.quantities[0].cost() == QuantityCost::simulation; }

// ---- the request

// "state.theta" as "theta", "contact.tip.mu" as "tip.mu"
std::string short_name(const std::string& path) {
  const auto dot = path.find('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

MapAxis axis(const SceneSource& source, const Json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_object())
    throw InputError(fmt::format("a map needs '{}': an object with path, from, to and count", key));
  refuse_others(*found, {"path", "from", "to", "count", "name", "unit"});
  MapAxis a;
  a.path = source.resolve(word(*found, "path"));
  a.name = short_name(a.path);
  a.unit = source.unit(a.path);
  constexpr double widest = 1e300;
  a.from = number(*found, "from", -widest, widest);
  a.to = number(*found, "to", -widest, widest);
  a.count = whole(*found, "count", 0, 2, most_points);
  if (a.count < 2) throw InputError(fmt::format("the axis of {} needs a count of points", a.name));
  if (!(a.from < a.to))
    throw InputError(fmt::format("the axis of {} goes from {} to {}: it must rise", a.name, a.from, a.to));
  return a;
}

void check_size(const MapProblem& problem) {
  const long most = takes_runs(problem) ? most_runs : most_cells;
  if (problem.axes[0].path == problem.axes[1].path)
    throw InputError(fmt::format("both axes are {}: give two variables", problem.axes[0].name));
  if (problem.cells() > most)
    throw InputError(fmt::format("the map has {} cells, allowed are {} for {}: give fewer points", problem.cells(),
                                 most, problem.quantities[0].name()));
}

// ---- the stages

// How much coarser the grids are. Runs take long, so more is shown on the way.
std::vector<int> coarseness(const MapProblem& problem) {
  if (takes_runs(problem)) return {32, 16, 8, 4, 2, 1};
  return {16, 4, 2, 1};
}

std::vector<MapProblem> stages(const MapProblem& problem) {
  const int fewest = takes_runs(problem) ? 6 : 12;
  std::vector<MapProblem> all;
  for (const int factor : coarseness(problem)) {
    MapProblem stage = problem;
    for (MapAxis& a : stage.axes) a.count = std::min(a.count, std::max(fewest, (a.count + factor - 1) / factor));
    if (!all.empty() && all.back().cells() == stage.cells()) all.pop_back();
    all.push_back(std::move(stage));
  }
  return all;
}

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// A stage that is not much smaller than the last is left out where the last comes soon anyway, judged by the time that
// the stage before took. What the last one holds does not depend on it.
bool worth_showing(const MapProblem& stage, const MapProblem& last, Seconds before) {
  constexpr Seconds long_wait{0.1};
  constexpr long much_finer = 8;  // times as many cells
  return last.cells() >= much_finer * stage.cells() || takes_runs(stage) || before > long_wait;
}

// A misspelt path or contact is one that fails in every cell. A scene that cannot be built as it stands may be one in
// the cells of the map, so that is no reason to refuse.
void check_scenes(const MapProblem& problem, const Json& request) {
  map_blocks(stages(problem).front(), {});
  try {
    problem.source.build();
  } catch (const InputError&) {
    return;
  }
  built_scene(request);  // not too large for the studio
}

// ---- the result

Json axis_json(const MapAxis& a) {
  return {{"path", a.path}, {"from", a.from}, {"to", a.to}, {"count", a.count}, {"name", a.name}, {"unit", a.unit}};
}

Json values_json(const MapColumn& column) {
  Json::array_t values;
  values.reserve(column.values.size());
  for (const double x : column.values) {
    if (!std::isfinite(x))
      values.emplace_back(nullptr);
    else if (column.words)
      values.emplace_back(static_cast<int>(x));
    else
      values.emplace_back(x);
  }
  return values;
}

Json map_json(const Map& map, bool is_final) {
  const MapColumn& column = map.columns[0];
  Json j;
  j["x"] = axis_json(map.axes[1]);
  j["y"] = axis_json(map.axes[0]);
  j["quantity"] = column.quantity;
  j["unit"] = column.unit;
  j["words"] = column.words;
  j["names"] = column.names;
  j["values"] = values_json(column);
  j["reasons"] = map.reasons;
  j["reason"] = column.reasons;
  j["boundaries"] = Json::array();
  j["final"] = is_final;
  return j;
}

// ---- boundaries

struct Stopped {};  // not a std::exception: cells turn those into reasons

// How many neighbours differ.
long changes(const Map& map) {
  const auto rows = static_cast<std::size_t>(map.axes[0].count);
  const auto columns = static_cast<std::size_t>(map.axes[1].count);
  const std::vector<double>& v = map.columns[0].values;
  const auto differ = [&](std::size_t a, std::size_t b) {
    return std::isnan(v[a]) != std::isnan(v[b]) || (!std::isnan(v[a]) && v[a] != v[b]);
  };
  long count = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t cell = i * columns + j;
      count += j + 1 < columns && differ(cell, cell + 1) ? 1 : 0;
      count += i + 1 < rows && differ(cell, cell + columns) ? 1 : 0;
    }
  }
  return count;
}

Json chains_json(const Boundary& boundary) {
  Json chains = Json::array();
  for (const auto& chain : boundary.chains) {
    Json points = Json::array();
    for (const auto& point : chain) points.push_back({point[1], point[0]});
    chains.push_back(std::move(points));
  }
  return chains;
}

// As sharp as those of the command line, or, where each look takes a simulation, well below what a screen shows. Ragged
// regions would cost more than their map.
void locate_boundaries(const MapProblem& problem, const Map& map, Json& result) {
  const double tolerance = takes_runs(problem) ? 1e-4 : 1e-12;
  const double most_looks = takes_runs(problem) ? most_runs : 500'000;
  const int points = std::min(map.axes[0].count, map.axes[1].count);
  const double looks = static_cast<double>(changes(map)) * std::max(1.0, std::log2(1 / (tolerance * points)));
  if (looks > most_looks) {
    result["boundaries_reason"] = "the regions are too ragged for their boundaries to be located";
    return;
  }
  try {
    for (const Boundary& boundary : boundaries(problem, map, tolerance)) {
      result["boundaries"].push_back(
          {{"below", boundary.below}, {"above", boundary.above}, {"chains", chains_json(boundary)}});
    }
  } catch (const std::exception& error) {
    result["boundaries"] = Json::array();
    result["boundaries_reason"] = error.what();
  }
}

void add_boundaries(MapProblem problem, const Map& map, Json result, double done, const JobContext& context) {
  problem.simulation.simulation.progress = [&](const Progress&) {
    if (!context.proceed(done)) throw Stopped();
    return true;
  };
  try {
    locate_boundaries(problem, map, result);
  } catch (const Stopped&) {
    return;
  }
  context.publish(std::move(result));
}

// A map of words on the grid that was asked for is shown at once, and again with its boundaries.
void publish_map(const MapProblem& problem, const Map& map, bool is_final, double done, const JobContext& context) {
  Json result = map_json(map, is_final);
  if (!is_final || !problem.quantities[0].words()) return context.publish(std::move(result));
  Json first = result;
  first["boundaries_reason"] = "they are being located";
  context.publish(std::move(first));
  if (context.proceed(done)) add_boundaries(problem, map, std::move(result), done, context);
}

}  // namespace

MapProblem requested_map(const Json& request) {
  refuse_others(request, {"kind", "scene", "x", "y", "of", "t_end", "method", "policy"});
  MapProblem problem{requested_source(request), {}, {Quantity::parse(word(request, "of"))}, {}, {}, "painleve studio"};
  problem.axes = {axis(problem.source, request, "y"), axis(problem.source, request, "x")};
  check_size(problem);
  SimulateOptions& o = problem.simulation;
  o.simulation.t_end = number(request, "t_end", 1, -1000, 1000);
  const std::string method = word(request, "method", "");
  if (!method.empty()) o.method = simulation_method(method);
  o.simulation.policy = policy(word(request, "policy", "principle"));
  check_scenes(problem, request);
  return problem;
}

void map_job(const Json& request, const JobContext& context) {
  constexpr double boundary_share = 0.3;  // of the work on the finest map
  const MapProblem problem = requested_map(request);
  const auto all = stages(problem);
  double total = problem.quantities[0].words() ? boundary_share * static_cast<double>(problem.cells()) : 0;
  for (const MapProblem& stage : all) total += static_cast<double>(stage.cells());
  double done = 0;
  Seconds took{0};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const MapProblem& stage = all[k];
    const auto cells = static_cast<double>(stage.cells());
    const bool is_final = k + 1 == all.size();
    if (is_final || worth_showing(stage, all.back(), took)) {
      const auto begin = Clock::now();
      MapOptions options;
      options.proceed = [&](double part) { return context.proceed((done + part * cells) / total); };
      const Map map = compute_map(stage, options);
      if (!map.complete) return;
      took = Clock::now() - begin;
      publish_map(stage, map, is_final, (done + cells) / total, context);
    }
    done += cells;
  }
}

}  // namespace painleve::studio
