// The pieces of which the gallery's outlines are made.
#pragma once

#include <cmath>

#include "painleve/mechanism/mechanism.hpp"

namespace painleve::detail {

inline Place flat(double x, double y) { return {x, y, 0}; }
// From `from` by `distance` at an angle, counter-clockwise from +x.
inline Place polar(const Place& from, double distance, double angle) {
  return {from[0] + distance * std::cos(angle), from[1] + distance * std::sin(angle), from[2]};
}
// A point given in the frame of a body at `origin` that is turned counter-clockwise.
Place turned(const Place& origin, double turn, double x, double y);
Place between(const Place& a, const Place& b, double part);

void add_link(Outline& outline, Part part, const Place& from, const Place& to, double width = 0);
// A flat link of mass that ends in a point, so that it touches a surface without sinking into it.
void add_pointed_link(Outline& outline, const Place& from, const Place& tip, double width);
void add_box(Outline& outline, const Place& centre, double turn, double half_width, double half_height);
void add_spring(Outline& outline, const Place& from, const Place& to, double width);
void add_ball(Outline& outline, Part part, const Place& centre, double radius);

// A contact of the plane: its normal, and t the normal turned by −90°; `speed` of the surface along +t.
void add_contact(Outline& outline, const Place& at, const Place& normal = {0, 1, 0}, double speed = 0);
// The line that carries the feet of the perpendiculars from these points, `reach` beyond the outermost two.
void add_line(Outline& outline, const std::vector<Place>& points, const Place& anchor, const Place& normal,
              double reach);
// The floor y = 0, or the table z = 0, under everything drawn so far.
void add_floor(Outline& outline);
void add_table(Outline& outline);

}  // namespace painleve::detail
