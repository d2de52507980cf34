#include "painleve/figure/detail/stacked_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace painleve::detail {
namespace {

constexpr TextStyle label_style{8};  // of the labels of ticks

// The least and the largest number shown along y, in its unit; none: 0 and 1.
Point shown_numbers(const Plot& plot) {
  Point ends{HUGE_VAL, -HUGE_VAL};
  for (const Layer& layer : plot.layers) {
    const auto* curve = std::get_if<CurveLayer>(&layer);
    if (curve == nullptr) continue;
    for (const Point& p : curve->points) {
      const double shown = p[1] * plot.y.factor;
      if (!std::isfinite(shown) || (plot.y.scale == Scale::logarithmic && shown <= 0)) continue;
      ends = {std::min(ends[0], shown), std::max(ends[1], shown)};
    }
  }
  return ends[0] <= ends[1] ? ends : Point{0, 1};
}

// mantissa × 10^exponent, mantissa 1, 2 or 5, and the ends in such steps.
struct Steps {
  double size = 1;
  int exponent = 0;
  double from = 0, to = 1;
};

// The least round step of which two at most hold everything.
Steps two_steps(double low, double high) {
  constexpr double slack = 1e-6;  // of a step: a curve may end on the line
  for (int exponent = static_cast<int>(std::floor(std::log10((high - low) / 2)));; ++exponent) {
    for (const double mantissa : {1.0, 2.0, 5.0}) {
      const double size = mantissa * std::pow(10, exponent);
      const double from = std::floor(low / size + slack), to = std::ceil(high / size - slack);
      if (to - from <= 2) return {size, exponent, from, to};
    }
  }
}

std::string with_minus(std::string number) {
  if (number.starts_with('-')) number.replace(0, 1, "−");
  return number;
}

void set_linear(Plot& plot) {
  auto [low, high] = shown_numbers(plot);
  const double size = std::max(std::abs(low), std::abs(high));
  if (!(high - low > 1e-9 * size)) {  // a constant, in the middle
    const double room = size > 0 ? 0.1 * size : 1;
    low -= room;
    high += room;
  }
  const Steps steps = two_steps(low, high);
  const double largest = steps.size * std::max(std::abs(steps.from), std::abs(steps.to));
  const int power = largest >= 1e5 || largest < 1e-3 ? static_cast<int>(std::floor(std::log10(largest))) : 0;
  const int decimals = std::max(0, power - steps.exponent);
  for (int i = 0; i <= static_cast<int>(steps.to - steps.from); ++i) {
    const double k = steps.from + i;
    const double shown = k == 0 ? 0 : k * steps.size / std::pow(10, power);
    plot.y.ticks.emplace_back(k * steps.size / plot.y.factor, with_minus(fmt::format("{:.{}f}", shown, decimals)));
  }
  if (power != 0) plot.y.unit = fmt::format("10^{{{}}} {}", with_minus(std::to_string(power)), plot.y.unit);
  const double room = 0.05 * (steps.to - steps.from);
  plot.y.from = steps.size * (steps.from - room) / plot.y.factor;
  plot.y.to = steps.size * (steps.to + room) / plot.y.factor;
}

void set_logarithmic(Plot& plot) {
  const auto [low, high] = shown_numbers(plot);
  const int from = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int to = std::max(from + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
  const int stride = (to - from + 1) / 2;
  for (int exponent = from; exponent <= to; ++exponent) {
    const std::string label = fmt::format("10^{{{}}}", with_minus(std::to_string(exponent)));
    plot.y.ticks.emplace_back(std::pow(10, exponent) / plot.y.factor, (exponent - from) % stride == 0 ? label : "");
  }
  plot.y.from = std::pow(10, from - 0.05 * (to - from)) / plot.y.factor;
  plot.y.to = std::pow(10, to + 0.05 * (to - from)) / plot.y.factor;
}

double widest_label(const Plot& plot) {
  double widest = 0;
  for (const auto& [at, label] : plot.y.ticks) widest = std::max(widest, text_width(label, label_style));
  return widest;
}

// Hair spaces before the first label, which ends at the axis: they push the frame to the right, to 0.4 points.
void pad(Plot& plot, double width) {
  const double hair = text_width("\u200a", label_style);
  const double missing = width - widest_label(plot);
  if (plot.y.ticks.empty() || !(hair > 0) || missing <= 0) return;
  auto widest = std::max_element(plot.y.ticks.begin(), plot.y.ticks.end(), [](const auto& a, const auto& b) {
    return text_width(a.second, label_style) < text_width(b.second, label_style);
  });
  for (long k = std::lround(missing / hair); k > 0; --k) widest->second.insert(0, "\u200a");
}

}  // namespace

void stack_axes(std::vector<Panel>& panels) {
  double widest = 0;
  for (Panel& panel : panels) {
    auto& plot = std::get<Plot>(panel);
    if (!plot.y.from && !plot.y.to) plot.y.scale == Scale::linear ? set_linear(plot) : set_logarithmic(plot);
    widest = std::max(widest, widest_label(plot));
  }
  for (Panel& panel : panels) pad(std::get<Plot>(panel), widest);
}

}  // namespace painleve::detail
