#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/spread_lines.hpp"
#include "painleve/figure/detail/ticks.hpp"
#include "painleve/figure/phase_portrait.hpp"
#include "painleve/modes/gspot.hpp"

namespace painleve {
namespace {

using detail::number_label;

struct Alpha {
  double a1, a2, a3;
};

// The square |p|, |b_n| ≤ 1: the flow is homogeneous, so that no other size would look different.
constexpr double half_width = 1;

bool in_square(Point at) { return std::max(std::abs(at[0]), std::abs(at[1])) <= 1.02 * half_width; }

// From a point along s or against it, until it leaves the square or is lost in the origin.
std::vector<Point> orbit(const Alpha& a, Point start, double sign) {
  const double ds = sign * 0.02 / std::max(std::abs(a.a1), std::abs(a.a3));
  constexpr int most = 2000;
  constexpr double origin = 0.02;
  std::vector<Point> line;
  for (int i = 0; i < most; ++i) {
    const Point at = gspot_flow(a.a1, a.a2, a.a3, start, i * ds);
    line.push_back(at);
    if (!in_square(at) || std::hypot(at[0], at[1]) < origin) break;
  }
  return line;
}

Point unit(Point a) {
  const double length = std::hypot(a[0], a[1]);
  return {a[0] / length, a[1] / length};
}

// Where a ray leaves the square.
Point at_edge(Point ray) {
  const double scale = half_width / std::max(std::abs(ray[0]), std::abs(ray[1]));
  return {ray[0] * scale, ray[1] * scale};
}

void add_line(Plot& plot, Point ray, const Pen& pen, const std::string& label) {
  const Point end = at_edge(ray);
  plot.layers.emplace_back(CurveLayer{{{-end[0], -end[1]}, end}, pen, label});
}

// One arrow head at a part of the way from the origin to the edge, two for the stronger of two directions.
void add_heads(Plot& plot, Point ray, bool outwards, bool strong, const Pen& pen) {
  const Point end = at_edge(ray);
  constexpr double length = 0.1;
  for (const double part : strong ? std::vector<double>{0.5, 0.62} : std::vector<double>{0.56}) {
    const Point inner{end[0] * part, end[1] * part};
    const Point outer{end[0] * (part + length), end[1] * (part + length)};
    plot.layers.emplace_back(outwards ? ArrowLayer{inner, outer, pen, {}} : ArrowLayer{outer, inner, pen, {}});
  }
}

void add_basin(Plot& plot, const Alpha& a) {
  plot.layers.emplace_back(
      RegionLayer{{{0, 0}, {1, 0}, {1, -1}, {0, -1}}, Colour{120, 120, 120, 0.12}, "slip: /p/ > 0 > /b/_{n}"});
  const auto basin = gspot_basin(a.a1, a.a2, a.a3);
  if (!basin) return;
  std::vector<Point> corners{{0, 0}, at_edge((*basin)[0])};
  const bool past_corner = (*basin)[0][0] > -(*basin)[0][1];
  if (past_corner) corners.push_back({1, -1});
  corners.push_back({0, -1});
  plot.layers.emplace_back(RegionLayer{corners, series_colour(1).faded(0.4), "ends in the G-spot"});
}

void add_orbits(Plot& plot, const Alpha& a) {
  detail::SpreadLines spread({-half_width, -half_width}, {half_width, half_width});
  const Point eigen = at_edge({a.a1 - a.a3, a.a2});
  std::vector<Point> lines;
  for (int i = -100; i <= 100; ++i) {
    lines.push_back({0, 0.01 * i});
    if (a.a1 != a.a3) lines.push_back({eigen[0] * 0.01 * i, eigen[1] * 0.01 * i});
  }
  spread.add(lines);
  const Pen pen{Colour{90, 90, 90}, 0.8};
  for (const Point& seed : spread.seeds()) {
    if (!spread.is_free(seed)) continue;
    // Real time runs against s where p < 0.
    const double real = seed[0] > 0 ? 1 : -1;
    auto line = spread.free_part(orbit(a, seed, -real));
    std::reverse(line.begin(), line.end());
    const auto ahead = spread.free_part(orbit(a, seed, real));
    if (!ahead.empty()) line.insert(line.end(), ahead.begin() + 1, ahead.end());
    spread.add(line);
    constexpr std::size_t shortest = 12;
    if (line.size() < shortest) continue;
    if (const auto arrow = detail::arrow_on(line, {2 * half_width, 2 * half_width}, pen))
      plot.layers.emplace_back(*arrow);
    plot.layers.emplace_back(CurveLayer{std::move(line), pen});
  }
}

void add_invariant_lines(Plot& plot, const Alpha& a) {
  const bool node = a.a1 * a.a3 > 0;
  const bool first_stronger = std::abs(a.a1) > std::abs(a.a3);
  const Pen axis{series_colour(5), 1.8}, eigen{series_colour(6), 1.8};
  add_line(plot, {0, 1}, axis, "invariant: /p/ = 0");
  for (const double side : {1.0, -1.0}) add_heads(plot, {0, side}, a.a3 > 0, node && !first_stronger, axis);
  if (a.a1 != a.a3) {
    const double right = a.a1 > a.a3 ? 1 : -1;
    const Point ray{right * (a.a1 - a.a3), right * a.a2};
    add_line(plot, ray, eigen, "invariant: /α/_{2} /p/ = (/α/_{1} − /α/_{3}) /b/_{n}");
    // dp/dt = α1 in real time, on both sides of p = 0.
    add_heads(plot, ray, a.a1 > 0, node && first_stronger, eigen);
    add_heads(plot, {-ray[0], -ray[1]}, a.a1 < 0, node && first_stronger, eigen);
  }
  add_line(plot, {a.a3, -a.a2}, {series_colour(3), 1.1, Dash::dashed}, "/b/_{n} stationary");
}

Plot plot_of(const Alpha& a, LegendPlace legend) {
  Plot plot;
  plot.title = fmt::format("/α/ = ({}, {}, {})", number_label(a.a1), number_label(a.a2), number_label(a.a3));
  plot.x = {"/p/", "1/kg", -half_width, half_width, Scale::linear, {{0.0, "0"}}, 1};
  plot.y = {"/b/_{n}", "m/s²", -half_width, half_width, Scale::linear, {{0.0, "0"}}, 1};
  plot.equal_scales = true;
  plot.legend = legend;
  add_basin(plot, a);
  add_orbits(plot, a);
  add_invariant_lines(plot, a);
  CurveLayer origin{{{0, 0}}, {ink, 1.2}};
  origin.glyph = Glyph::disc;
  origin.glyph_size = 6;
  origin.line = false;
  plot.layers.emplace_back(origin);
  return plot;
}

void require_finite(const Alpha& a) {
  if (!(std::isfinite(a.a1) && std::isfinite(a.a2) && std::isfinite(a.a3)) || a.a1 == 0 || a.a3 == 0)
    throw InputError(fmt::format(
        "a portrait of the G-spot needs finite α with α1 and α3 other than 0, not ({}, {}, {})", a.a1, a.a2, a.a3));
}

}  // namespace

Point gspot_flow(double alpha1, double alpha2, double alpha3, Point start, double s) {
  const double p = start[0] * std::exp(alpha1 * s);
  // b_n = b e^{α3 s} + α2 p (e^{α1 s} − e^{α3 s})/(α1 − α3); the quotient is s e^{α3 s} expm1(x)/x with x = (α1 − α3)
  // s, which has no hole at α1 = α3.
  const double x = (alpha1 - alpha3) * s;
  const double quotient = x == 0 ? 1 : std::expm1(x) / x;
  return {p, std::exp(alpha3 * s) * (start[1] + alpha2 * start[0] * s * quotient)};
}

std::optional<std::array<Point, 2>> gspot_basin(double alpha1, double alpha2, double alpha3) {
  const Point down{0, -1}, along{1, 0};
  if (!(alpha1 < 0 && alpha3 < 0)) return {};
  if (alpha3 <= alpha1) {
    // Everything comes in along the eigenline; through slip only where that line runs below b_n = 0.
    if (alpha2 <= 0) return std::array<Point, 2>{along, down};
    return {};
  }
  if (alpha2 <= 0) return std::array<Point, 2>{along, down};
  return std::array<Point, 2>{unit({alpha3 - alpha1, -alpha2}), down};
}

Plot gspot_portrait_plot(double alpha1, double alpha2, double alpha3) {
  const Alpha a{alpha1, alpha2, alpha3};
  require_finite(a);
  return plot_of(a, LegendPlace::below);
}

std::vector<std::array<double, 3>> gspot_portraits() {
  std::vector<std::array<double, 3>> list;
  constexpr std::array<std::array<double, 2>, 6> pairs{{{-2, -1}, {-1, -2}, {1, 2}, {2, 1}, {-1, 1.5}, {1, -1.5}}};
  for (const auto& pair : pairs) {
    for (const double alpha2 : {-1.0, 1.0}) list.push_back({pair[0], alpha2, pair[1]});
  }
  return list;
}

Figure gspot_portraits_figure() {
  Figure figure;
  figure.columns = 4;
  figure.panel_width = 190;
  figure.panel_height = 195;
  figure.caption =
      "The flow /dp/ = /α/_{1} /p/ /ds/, /db/_{n} = (/α/_{2} /p/ + /α/_{3} /b/_{n}) /ds/ about the G-spot /p/ = "
      "/b/_{n} = 0, with arrows in real time /dt/ = /p/ /ds/. Blue and vermilion: invariant lines, with double heads "
      "on the "
      "stronger one; dashed: /b/_{n} stationary. Grey: slip; orange: slip that ends in the G-spot.";
  for (const auto& alpha : gspot_portraits())
    figure.panels.emplace_back(plot_of({alpha[0], alpha[1], alpha[2]}, LegendPlace::none));
  return figure;
}

}  // namespace painleve
