#pragma once

#include <vector>

#include "painleve/figure/detail/legend.hpp"
#include "painleve/figure/detail/ticks.hpp"
#include "painleve/figure/plot.hpp"

/// Where a plot's axes lie on paper, and how data get there.
namespace painleve::detail {

/// Data to paper along one axis.
struct AxisMap {
  Scale scale = Scale::linear;
  double from = 0, to = 1;              // data
  double paper_from = 0, paper_to = 1;  // [pt]

  double at(double value) const;  // NaN where a logarithmic axis has no place for it
};

struct Range {
  double from = 0, to = 1;
};

/// What the axis shows: as it says itself, else all finite data with a little room around curves and none around grids.
/// Never empty. Throws InputError for ends that are not numbers, or not positive where the axis is logarithmic.
Range shown_range(const Plot& plot, bool horizontal);

/// The edges of `count` cells whose outermost centres are `from` and `to`; evenly spaced on the axis.
Range cell_edges(double from, double to, int count, Scale scale);

/// The ends of a field's colours.
Range field_range(const FieldLayer& field);
const FieldLayer* first_field(const Plot& plot);
bool has_grid(const Plot& plot);

struct PlotFrame {
  Rectangle area;  // inside the axes
  AxisMap x, y;
  AxisTicks x_ticks, y_ticks;
  double y_label_at = 0;  // baseline of the turned label
  LegendPlace legend = LegendPlace::none;
  std::vector<LegendEntry> entries;
  Rectangle legend_place;
  AxisTicks bar_ticks;  // of the colour bar

  Point at(const Point& data) const { return {x.at(data[0]), y.at(data[1])}; }
};

/// Fits axes, labels, colour bar and legend into a box below the title.
PlotFrame plot_frame(const Plot& plot, const Rectangle& box);

inline constexpr double text_size = 9, tick_size = 8;
inline constexpr double tick_length = 3.5, small_tick_length = 2;
inline constexpr double bar_gap = 9, bar_width = 9;

}  // namespace painleve::detail
