#pragma once

#include <vector>

#include "painleve/figure/canvas.hpp"

/// What can be seen of a line on paper: no more points than the eye resolves, and none far outside the sheet, where
/// drawing programs overflow.
namespace painleve::detail {

using Polyline = std::vector<Point>;

inline constexpr double resolution = 0.2;  // [pt]

/// The pieces of a line inside a rectangle; a point that is not finite breaks it.
std::vector<Polyline> clipped(const Polyline& line, const Rectangle& to);

/// A convex or other polygon cut to a rectangle; empty where nothing of it is inside.
Polyline clipped_polygon(const Polyline& corners, const Rectangle& to);

/// A line that looks the same to within `cell`: of the points in one column of that width, the first, the last and the
/// two extremes.
Polyline thinned(const Polyline& line, double cell = resolution);

/// The same for all pieces of a line together, where each stretch that is drawn again and again is kept once, and the
/// cell grows until at most `most` points are left.
std::vector<Polyline> thinned(const std::vector<Polyline>& pieces, std::size_t most);

/// Points of which no two lie in one cell.
std::vector<Point> apart(const std::vector<Point>& points, double cell);

}  // namespace painleve::detail
