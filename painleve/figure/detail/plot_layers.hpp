#pragma once

#include "painleve/figure/detail/plot_frame.hpp"

namespace painleve::detail {

/// The layers inside the axes, in their order, and what they write, which may reach beyond.
void draw_layers(Canvas& canvas, const Plot& plot, const PlotFrame& frame);

/// What a legend inside should not cover, as points on paper.
std::vector<Point> covered_points(const Plot& plot, const PlotFrame& frame);

/// The colour of a number in a field; `nothing` for one without a place on its scale.
Colour field_colour(const FieldLayer& field, const Range& range, double value);

}  // namespace painleve::detail
