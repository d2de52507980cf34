// The faces of a drawn cone: its surface cut by the tangent plane z = 0 and into bands, so that faces painted from back
// to front cover each other as they should.
#pragma once

#include <vector>

#include "painleve/figure/plot.hpp"

namespace painleve::detail {

struct ConeColours {
  static Colour above() { return series_colour(2).faded(0.6); }
  static Colour below() { return series_colour(6).faded(0.75); }
  static Colour section() { return series_colour(7).faded(0.75); }
  static Colour sector() { return series_colour(4).faded(0.6); }
  static Colour jam() { return series_colour(1); }
  static Colour slip() { return series_colour(3); }
  static Colour free() { return series_colour(5); }
};

// The part of a convex polygon with z ≥ 0 or z ≤ 0; less than three corners where there is none.
std::vector<Point3> cut(const std::vector<Point3>& polygon, bool above);

// Whether a corner lies below the tangent plane by more than rounding.
bool below_plane(const std::vector<Point3>& corners);

// The surface from the apex to a rim, in bands, and the rim as a line.
void add_cone(Solid& solid, const std::vector<Point3>& rim);

// The square |x|, |y| ≤ half_width at z = 0, in cells.
void add_tangent_plane(Solid& solid, double half_width);

// The edges of a polygon, seen through everything in front of them.
void add_outline(Solid& solid, std::vector<Point3> corners, const Pen& pen);

// A fan of slip directions on the tangent plane.
void add_sector(Solid& solid, const std::vector<Point3>& directions, double radius);

inline void drop_legend(Plot& plot) { plot.legend = LegendPlace::none; }
inline void drop_legend(SpacePlot& plot) { plot.legend.clear(); }

}  // namespace painleve::detail
