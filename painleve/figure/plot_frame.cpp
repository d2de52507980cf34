// The box of a plot, from outside to inside: legend right or below, colour bar, axis labels, tick labels; what is left
// is the area of the data.
#include "painleve/figure/detail/plot_frame.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/figure/detail/plot_layers.hpp"

namespace painleve::detail {
namespace {

constexpr TextStyle tick_style{tick_size};
constexpr double label_room = 13, tick_gap = 2.5, legend_gap = 8;
constexpr double least_side = 20;  // [pt] of the area, whatever the labels need

struct Margins {
  double left = 7, right = 7, top = 5, bottom = 7;
};

double widest_label(const AxisTicks& ticks) {
  double widest = 0;
  for (const Tick& tick : ticks.ticks) widest = std::max(widest, text_width(tick.label, tick_style));
  return widest;
}

// Labels side by side: whether two of them come closer than a few points.
bool crowded(const AxisTicks& ticks, const AxisMap& map) {
  double last = -HUGE_VAL;
  std::vector<std::pair<double, double>> spans;
  for (const Tick& tick : ticks.ticks) {
    if (tick.label.empty()) continue;
    const double half = text_width(tick.label, tick_style) / 2, at = map.at(tick.at);
    spans.emplace_back(at - half, at + half);
  }
  std::sort(spans.begin(), spans.end());
  for (const auto& [left, right] : spans) {
    if (left < last + 5) return true;
    last = right;
  }
  return false;
}

AxisTicks ticks_along(const Axis& axis, const AxisMap& map) {
  const double length = std::abs(map.paper_to - map.paper_from);
  const bool horizontal = map.paper_to > map.paper_from;
  int count = std::clamp(static_cast<int>(length / (horizontal ? 42 : 32)), 2, 10);
  AxisTicks ticks = axis_ticks(axis, map.from, map.to, count);
  while (horizontal && count > 1 && crowded(ticks, map)) ticks = axis_ticks(axis, map.from, map.to, --count);
  return ticks;
}

// How far labels of the x axis stick out beyond the area.
double overhang(const AxisTicks& ticks, const AxisMap& map) {
  double out = 0;
  for (const Tick& tick : ticks.ticks) {
    out = std::max(out, map.at(tick.at) + text_width(tick.label, tick_style) / 2 - map.paper_to);
  }
  return out;
}

void place_area(PlotFrame& frame, const Rectangle& area) {
  frame.area = area;
  frame.x.paper_from = area.x;
  frame.x.paper_to = area.x + area.width;
  frame.y.paper_from = area.y + area.height;
  frame.y.paper_to = area.y;
}

Rectangle inside(const Rectangle& box, const Margins& m) {
  return {box.x + m.left, box.y + m.top, std::max(least_side, box.width - m.left - m.right),
          std::max(least_side, box.height - m.top - m.bottom)};
}

// Makes a range `factor` times as wide about its middle, or at its free end.
void widen(AxisMap& map, const Axis& axis, double factor) {
  const double more = (factor - 1) * (map.to - map.from);
  if (axis.from) {
    map.to += more;
  } else if (axis.to) {
    map.from -= more;
  } else {
    map.from -= more / 2;
    map.to += more / 2;
  }
}

// One unit as long on both axes: the axis with room to spare shows more, or where its ends are given or a grid fills
// it, the area shrinks.
void equalise(const Plot& plot, PlotFrame& frame) {
  const double x_unit = frame.area.width / std::abs(frame.x.to - frame.x.from);
  const double y_unit = frame.area.height / std::abs(frame.y.to - frame.y.from);
  const bool spare_x = x_unit > y_unit;
  const Axis& axis = spare_x ? plot.x : plot.y;
  const double ratio = spare_x ? x_unit / y_unit : y_unit / x_unit;
  // Nobody reads a plot a thousand times longer than wide: such data keep two scales.
  if (!(ratio < 1000)) return;
  if ((axis.from && axis.to) || has_grid(plot)) {
    Rectangle area = frame.area;
    (spare_x ? area.width : area.height) /= ratio;
    if (std::min(area.width, area.height) < least_side) return;
    area.x += (frame.area.width - area.width) / 2;
    area.y += (frame.area.height - area.height) / 2;
    place_area(frame, area);
  } else {
    widen(spare_x ? frame.x : frame.y, axis, ratio);
  }
}

LegendPlace resolved_place(const Plot& plot, const std::vector<LegendEntry>& entries, const Rectangle& box) {
  if (entries.empty() || plot.legend == LegendPlace::none) return LegendPlace::none;
  if (plot.legend != LegendPlace::inside) return plot.legend;
  const LegendSize size = column_size(entries);
  const bool fits = size.width < 0.6 * box.width && size.height < 0.5 * box.height;
  return fits && !has_grid(plot) ? LegendPlace::inside : LegendPlace::below;
}

Margins margins_of_legend(PlotFrame& frame, const Rectangle& box) {
  Margins m;
  if (frame.legend == LegendPlace::below) {
    const LegendSize size = rows_size(frame.entries, box.width - 16);
    frame.legend_place = {box.x + 10, box.y + box.height - size.height - 2, box.width - 16, size.height};
    m.bottom += size.height + 4;
  }
  if (frame.legend == LegendPlace::right) {
    const LegendSize size = column_size(frame.entries);
    frame.legend_place = {box.x + box.width - size.width - 4, box.y, size.width, size.height};
    m.right += size.width + legend_gap;
  }
  return m;
}

double bar_room(const FieldLayer& field, const AxisTicks& ticks) {
  return bar_gap + bar_width + tick_length + tick_gap + widest_label(ticks) +
         (field.label.empty() && ticks.exponent == 0 ? 0 : label_room + 2);
}

// Margins that depend on tick labels, which depend on the length of the axes: two rounds settle it.
void settle(const Plot& plot, const Rectangle& box, const Margins& outer, PlotFrame& frame) {
  Margins m = outer;
  const FieldLayer* field = first_field(plot);
  for (int round = 0; round < 2; ++round) {
    place_area(frame, inside(box, m));
    frame.x_ticks = ticks_along(plot.x, frame.x);
    frame.y_ticks = ticks_along(plot.y, frame.y);
    const double labels = widest_label(frame.y_ticks);
    const bool y_named = !axis_title(plot.y.label, plot.y.unit, frame.y_ticks.exponent).empty();
    const bool x_named = !axis_title(plot.x.label, plot.x.unit, frame.x_ticks.exponent).empty();
    m.left = outer.left + labels + tick_length + tick_gap + (y_named ? label_room : 0);
    m.bottom = outer.bottom + tick_length + tick_gap + tick_size + (x_named ? label_room : 0);
    m.right = outer.right;
    if (field != nullptr) {
      const Range range = field_range(*field);
      Axis axis;
      axis.scale = field->scale;
      frame.bar_ticks = ticks_along(axis, {field->scale, range.from, range.to, frame.y.paper_from, frame.y.paper_to});
      m.right += bar_room(*field, frame.bar_ticks);
    } else {
      m.right += std::max(0.0, overhang(frame.x_ticks, frame.x) - 3);
    }
  }
  place_area(frame, inside(box, m));
}

}  // namespace

namespace {

PlotFrame laid_out(const Plot& plot, const Rectangle& box, const std::vector<LegendEntry>& entries, LegendPlace place) {
  PlotFrame frame;
  const Range x = shown_range(plot, true), y = shown_range(plot, false);
  frame.x = {plot.x.scale, x.from, x.to, 0, 1};
  frame.y = {plot.y.scale, y.from, y.to, 0, 1};
  frame.entries = entries;
  frame.legend = place;
  const Margins outer = margins_of_legend(frame, box);
  const bool both_linear = plot.x.scale == Scale::linear && plot.y.scale == Scale::linear;
  if (plot.frame) {
    settle(plot, box, outer, frame);
  } else {
    place_area(frame, inside(box, outer));
  }
  if (plot.equal_scales && both_linear) equalise(plot, frame);
  if (plot.frame) {
    frame.x_ticks = ticks_along(plot.x, frame.x);
    frame.y_ticks = ticks_along(plot.y, frame.y);
  }
  frame.y_label_at = frame.area.x - tick_length - tick_gap - widest_label(frame.y_ticks) - 5;
  return frame;
}

}  // namespace

PlotFrame plot_frame(const Plot& plot, const Rectangle& box) {
  constexpr int bearable = 6;  // points, of which lines have one every 3 pt
  const std::vector<LegendEntry> entries = legend_entries(plot.layers);
  const LegendPlace place = resolved_place(plot, entries, box);
  PlotFrame frame = laid_out(plot, box, entries, place);
  if (place != LegendPlace::inside) return frame;
  const FreePlace found = emptiest_place(frame.area, framed_size(entries), covered_points(plot, frame));
  if (found.covered > bearable) return laid_out(plot, box, entries, LegendPlace::below);
  frame.legend_place = found.place;
  return frame;
}

}  // namespace painleve::detail
