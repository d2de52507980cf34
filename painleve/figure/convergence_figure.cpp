#include "painleve/figure/convergence_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace painleve {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr double least_shown = 1e-12;  // below it distances are rounding

constexpr std::array glyphs = {Glyph::disc, Glyph::square, Glyph::diamond, Glyph::triangle,
                               Glyph::ring, Glyph::cross,  Glyph::plus};

CurveLayer curve(int index, const std::string& label) {
  CurveLayer layer;
  layer.pen = {series_colour(index), 1.1, index < 8 ? Dash::solid : Dash::dashed};
  layer.glyph = glyphs[static_cast<std::size_t>(index) % glyphs.size()];
  layer.label = label;
  return layer;
}

Axis small_parameter(SimulationMethod method) {
  Axis axis;
  axis.scale = Scale::logarithmic;
  axis.label = method == SimulationMethod::step ? "time step /dt/" : "stiffness /k/";
  axis.unit = method == SimulationMethod::step ? "s" : "N/m";
  return axis;
}

// The quantity that tells the series apart best: that of the witnesses, else the first normal impulse.
std::size_t shown_quantity(const ConvergeReport& report) {
  if (report.witness && report.witness->quantity >= 0) return static_cast<std::size_t>(report.witness->quantity);
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    if (report.quantities[q].name.starts_with("impulse_n")) return q;
  }
  return 0;
}

std::string unit_of(const std::string& group) {
  if (group == "impulse" || group == "Lambda") return "N s";
  if (group == "t") return "s";
  if (group == "energy") return "J";
  if (group == "gap") return "m";
  return group == "u" ? "m/s" : "";
}

// "impulse_n.tip" as "impulse Λ_{n} of tip", "v.theta" as "v of theta"
std::string label_of(const std::string& name) {
  const auto dot = name.find('.');
  std::string symbol = name.substr(0, dot);
  const auto line = symbol.find('_');
  if (line != std::string::npos) symbol = symbol.substr(0, line) + "_{" + symbol.substr(line + 1) + "}";
  if (symbol.starts_with("impulse_")) symbol = "impulse /Λ/" + symbol.substr(7);
  return dot == std::string::npos ? symbol : symbol + " of " + name.substr(dot + 1);
}

void add_slope(Plot& plot, SimulationMethod method, double order, const Point& from, const Point& to,
               const std::string& text) {
  const double sign = method == SimulationMethod::step ? 1 : -1;  // errors fall with dt and with 1/k
  const double end = from[1] * std::pow(to[0] / from[0], sign * order);
  if (end < least_shown || end > 1e3) return;
  CurveLayer layer;
  layer.points = {from, {to[0], end}};
  layer.pen = {Colour{120, 120, 120}, 0.8, order < 1 ? Dash::dotted : Dash::dash_dot};
  layer.label = text;
  plot.layers.emplace_back(layer);
}

Plot errors_plot(const ConvergeReport& report, SimulationMethod method) {
  Plot plot;
  plot.x = small_parameter(method);
  plot.y.label = "distance to limit / scale";
  plot.y.scale = Scale::logarithmic;
  plot.legend = LegendPlace::below;
  double low = std::numeric_limits<double>::infinity(), high = 0, top = 0;
  int index = 0;
  for (const ConvergeSeries& series : report.series) {
    if (series.method != method) continue;
    CurveLayer layer = curve(index++, series.name);
    for (std::size_t k = 0; k < series.rows.size(); ++k) {
      const double d = k < series.tail ? missing : distance_to_limit(report, series, series.rows[k]);
      layer.points.push_back({series.rows[k].value, d > least_shown ? d : missing});
      low = std::min(low, series.rows[k].value);
      high = std::max(high, series.rows[k].value);
      if (d > least_shown) top = std::max(top, d);
    }
    plot.layers.emplace_back(std::move(layer));
  }
  if (top > 0) {
    const double coarse = method == SimulationMethod::step ? high : low,
                 fine = method == SimulationMethod::step ? low : high;
    add_slope(plot, method, 0.5, {coarse, top}, {fine, 0}, "order 1/2");
    add_slope(plot, method, 1, {coarse, top}, {fine, 0}, "order 1");
  }
  return plot;
}

Plot values_plot(const ConvergeReport& report, SimulationMethod method) {
  const std::size_t q = shown_quantity(report);
  Plot plot;
  plot.x = small_parameter(method);
  plot.y.label = label_of(report.quantities[q].name);
  plot.y.unit = unit_of(report.quantities[q].group);
  plot.legend = LegendPlace::below;
  int index = 0;
  for (const ConvergeSeries& series : report.series) {
    if (series.method != method) continue;
    CurveLayer layer = curve(index++, "");
    for (const ConvergeRow& row : series.rows)
      layer.points.push_back({row.value, row.ending.values(static_cast<Eigen::Index>(q))});
    plot.layers.emplace_back(std::move(layer));
  }
  for (std::size_t k = 0; k < report.futures.size(); ++k) {
    const double at = report.futures[k].ending.values(static_cast<Eigen::Index>(q));
    if (!std::isfinite(at)) continue;
    RuleLayer rule;
    rule.vertical = false;
    rule.at = at;
    constexpr std::array dashes = {Dash::dashed, Dash::dotted, Dash::dash_dot};
    rule.pen.dash = dashes[k % dashes.size()];
    rule.pen.width = 1.2;
    rule.label = report.futures.size() == 1 ? std::string("rigid motion")
                                            : fmt::format("rigid future {}: {}", k, report.futures[k].why);
    plot.layers.emplace_back(std::move(rule));
  }
  return plot;
}

}  // namespace

double distance_to_limit(const ConvergeReport& report, const ConvergeSeries& series, const ConvergeRow& row) {
  double distance = missing;
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    const double value = row.ending.values(static_cast<Eigen::Index>(q));
    if (!report.quantities[q].compared || !series.limits[q] || !std::isfinite(value) || report.scales[q] == 0) continue;
    const double limit = series.limits[q]->rigid.value_or(series.limits[q]->estimate.limit);
    const double d = std::abs(value - limit) / report.scales[q];
    if (!(distance >= d)) distance = d;
  }
  return distance;
}

Figure convergence_figure(const ConvergeProblem& problem, const ConvergeReport& report) {
  Figure figure;
  figure.title = fmt::format("{} to /t/ = {:g} s", problem.scene.name, problem.simulation.t_end);
  figure.caption = fmt::format("{}: {}.", report.verdict, report.verdict_reason);
  figure.columns = 2;
  figure.panel_height = 300;
  for (const auto method : {SimulationMethod::compliant, SimulationMethod::step}) {
    const bool studied = std::any_of(report.series.begin(), report.series.end(),
                                     [method](const auto& series) { return series.method == method; });
    if (!studied) continue;
    figure.panels.emplace_back(errors_plot(report, method));
    figure.panels.emplace_back(values_plot(report, method));
  }
  return figure;
}

}  // namespace painleve
