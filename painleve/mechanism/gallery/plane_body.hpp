// Small pieces that the planar mechanisms share.
#pragma once

#include <cmath>

#include "painleve/mechanism/gallery/outline_pieces.hpp"
#include "painleve/mechanism/sketch.hpp"

namespace painleve {

// Gravity in the plane; a slope turns gravity, not the floor: g (sin slope, −cos slope), so that +t points downslope.
struct PlaneGravity {
  double g_x, g_y;
  PlaneGravity(double gravity, double slope) : g_x(gravity * std::sin(slope)), g_y(-gravity * std::cos(slope)) {}

  template <class Number>
  Number energy(double mass, const Number& x, const Number& y) const {
    return (-mass * g_x) * x + (-mass * g_y) * y;
  }
  Place direction() const { return {g_x, g_y, 0}; }
};

// A point of a body whose frame is turned counter-clockwise by an angle.
template <class S, int N>
std::array<Jet<S, N>, 2> body_point(const Jet<S, N>& x, const Jet<S, N>& y, const SinCos<S, N>& angle, double px,
                                    double py) {
  return {x + px * angle.cos - py * angle.sin, y + px * angle.sin + py * angle.cos};
}

}  // namespace painleve
