// Outlines of mechanisms as layers of a plot, and as solids.
#pragma once

#include <vector>

#include "painleve/figure/plot.hpp"
#include "painleve/mechanism/outline.hpp"

namespace painleve::detail {

inline Point flat(const Place& p) { return {p[0], p[1]}; }
inline Place plus(const Place& a, double factor, const Place& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

// The largest side of the box around everything drawn but the surfaces, and around the contacts; at least 1e-6 m.
double size_of(const Outline& outline);

// Room around all that is drawn: for labels, in parts of the larger side; `below` at the bottom.
void add_room(std::vector<Layer>& layers, double around, double below);

// Everything but the surfaces; `strength` from 0 (not to be seen) to 1.
void add_bodies(std::vector<Layer>& layers, const Outline& outline, double strength);
void add_bodies(Solid& solid, const Outline& outline, const View& view, double strength);

// The surfaces, hatched with lines this long on the side where no body is; in space a pale face.
void add_surfaces(std::vector<Layer>& layers, const std::vector<Stroke>& surfaces, double hatch);
void add_surfaces(Solid& solid, const std::vector<Stroke>& surfaces);

// A dot that faces the eye.
void add_dot(Solid& solid, const Place& at, double radius, const View& view, Colour colour);
// Axes of a round length at a corner of the table; they are the scale, too.
void add_scale(Solid& solid, const Stroke& table, double size);

// The surfaces of several outlines, each line or table once, as long as all of them together.
std::vector<Stroke> joined_surfaces(const std::vector<Outline>& outlines);

}  // namespace painleve::detail
