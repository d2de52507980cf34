// Fig. 1: chalk on a blackboard, dragged and pushed. The photographs cannot be recomputed; what they show can: a line
// behind dragged chalk, dots behind pushed chalk.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve::champneys_varkonyi {
namespace {

struct Trace {
  std::string name;
  std::vector<Point> line;    // where the tip stays on the board: (x, 0), broken by NaN
  std::vector<double> dots;   // where it lands
  std::vector<double> times;  // when
  bool lifts = false;
};

double tip(const Sample& s, double half_length) { return s.q(0) + half_length * std::cos(s.q(2)); }

double tip_at(const Run& run, double t, double half_length) {
  const auto after =
      std::lower_bound(run.samples.begin(), run.samples.end(), t, [](const Sample& s, double x) { return s.t < x; });
  return tip(after == run.samples.end() ? run.samples.back() : *after, half_length);
}

Trace trace(const std::string& name, double angle_deg, double push) {
  SceneSource source = source_of("chalk-dots", {{"push", push}});
  source.set(fmt::format("parameters.rest_angle={}deg", angle_deg));
  source.set(fmt::format("theta={}deg", angle_deg));
  const Scene scene = source.build();
  const double half_length = scene.posed.parameters.at("half_length");
  SimulateOptions options;
  options.simulation.t_end = 0.3;
  options.simulation.samples = 3000;
  const Run run = simulate(scene, options);
  Trace result{name, {}, {}, {}, false};
  const double start = tip(run.samples.front(), half_length);
  bool down = true;
  for (const Sample& s : run.samples) {
    const bool touches = s.mode != "F";
    if (touches) result.line.push_back({tip(s, half_length) - start, 0});
    if (!touches && down) result.line.push_back({std::nan(""), std::nan("")});
    result.lifts = result.lifts || s.gap(0) > 1e-6;
    down = touches;
  }
  for (const SimulationEvent& e : run.events) {
    if (e.kind != EventKind::landing) continue;
    result.dots.push_back(tip_at(run, e.t, half_length) - start);
    result.times.push_back(e.t);
  }
  return result;
}

Plot trace_plot(const std::vector<Trace>& traces) {
  Plot plot;
  plot.title = "what the tip leaves on the board in 0.3 s";
  plot.x = {"along the board", "mm", {}, {}, Scale::linear, {}, 1000};
  plot.y = {"", "", 0.4, static_cast<double>(traces.size()) + 0.6};
  plot.legend = LegendPlace::none;
  double row = static_cast<double>(traces.size());
  for (const Trace& t : traces) {
    CurveLayer line{t.line, {ink, 2.4}}, dots{{}, {ink, 1}, "", Glyph::disc, 4, false};
    for (Point& p : line.points) p[1] += row;
    for (const double x : t.dots) dots.points.push_back({x, row});
    plot.layers.emplace_back(std::move(line));
    plot.layers.emplace_back(std::move(dots));
    plot.y.ticks.emplace_back(row, t.name);
    row -= 1;
  }
  return plot;
}

// Mean over the later half, where the hops repeat.
double mean_step(const std::vector<double>& values) {
  const std::size_t from = values.size() / 2;
  return values.size() < 6 ? 0 : (values.back() - values[from]) / static_cast<double>(values.size() - 1 - from);
}

Reproduction figure_1() {
  Reproduction result;
  const std::vector<Trace> traces{trace("dragged", 123, 0.4), trace("pushed, 0.1 N", 57, 0.1),
                                  trace("pushed, 0.4 N", 57, 0.4)};
  const Trace &dragged = traces[0], &small = traces[1], &large = traces[2];
  result.comparisons.push_back(compare_statement("chalk that is dragged (Sec. 2.3)", "draws a uniform straight line",
                                                 dragged.lifts ? "leaves the board" : "never leaves the board",
                                                 !dragged.lifts && dragged.dots.empty()));
  result.comparisons.push_back(
      compare_statement("chalk that is pushed with a large force", "undergoes a series of hops",
                        fmt::format("{} hops in 0.3 s", large.dots.size()), large.dots.size() > 10));
  for (const Trace* t : {&small, &large}) {
    result.features.push_back(
        feature_near(t->name + ": the dots are as far apart as the hand moves between two landings",
                     "distance of the dots against 0.3 m/s times the interval of the landings", mean_step(t->dots),
                     0.3 * mean_step(t->times), 2e-4));
  }
  result.features.push_back(feature(
      "more pressure sets the dots closer", "distance of the dots", mean_step(large.dots) < mean_step(small.dots),
      fmt::format("{:.1f} mm and {:.1f} mm", 1000 * mean_step(large.dots), 1000 * mean_step(small.dots))));
  result.features.push_back(
      feature("dragged chalk touches the board all the time", "events of the simulation", dragged.dots.empty()));
  result.figures.push_back({"Traces of chalk", "", {}, 1, 460, 190});
  result.figures.back().panels = {trace_plot(traces)};
  result.remark =
      "The figure shows photographs. Ours is a stick of 8 cm held by springs in a moving hand (scenario chalk-dots), "
      "at 57° to the board when "
      "pushed and 123° when dragged. The paper does not say what the trace under a small push looks like; in our model "
      "it is dotted as well.";
  return result;
}

}  // namespace

std::vector<PublishedItem> chalk_items() { return {item("fig-1", "Chalk on a blackboard", figure_1, {"chalk-dots"})}; }

}  // namespace painleve::champneys_varkonyi
