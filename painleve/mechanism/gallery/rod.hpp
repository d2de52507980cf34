// The classical Painlevé rod: a slender rod that slides on its lower end.
//
//        \                  (x, y)  centre of mass, theta grows clockwise
//         o (x, y)          tip = (x + l cos θ, y − l sin θ)
//          \  θ             contact frame t = +x, n = +y, floor y = 0
//   ________\)__ +t
//
// With κ = (gyration/l)²:  W_tt = (1 + sin²θ/κ)/m,  W_tn = sin θ cos θ/(κ m),  W_nn = (1 + cos²θ/κ)/m.
// Champneys & Várkonyi (2016) eqs. (1)-(3), with E01-E03 of docs/errata.md corrected.
#pragma once

#include <numbers>

#include "painleve/mechanism/gallery/plane_body.hpp"

namespace painleve {

struct Rod {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;
  static constexpr std::size_t contact_count = 1;

  double mass = 1;
  double half_length = 1;
  double gyration = 0.5773502691896258;
  PlaneGravity gravity{9.81, 0};

  // forces: force_x, force_y at the centre of mass, torque along theta
  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    draw_body(sketch, forces);
    const auto& [x, y, theta] = sketch.q;
    const auto [sin, cos] = sincos(theta);
    sketch.contact(x + half_length * cos, y - half_length * sin);
  }

  // Everything but the contact: what block, wheel and chalk have in common with the rod.
  template <class S>
  void draw_body(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    const auto& [x, y, theta] = sketch.q;
    sketch.inertia(mass, x, y);
    sketch.inertia(mass * gyration * gyration, theta);
    sketch.potential(gravity.energy(mass, x, y));
    sketch.work_along_coordinates(forces);
  }

  // The end of the half length that lies `further` clockwise from the tip.
  Place spoke(const State& state, double further = 0) const {
    return detail::polar(centre(state), half_length, -(state.q(2) + further));
  }
  static Place centre(const State& state) { return detail::flat(state.q(0), state.q(1)); }

  Outline outline(const State& state) const {
    Outline o = draw_stick(state, 0.08 * half_length);
    detail::add_floor(o);
    return o;
  }
  // The rod and its contact, without the floor.
  Outline draw_stick(const State& state, double thickness) const {
    Outline o;
    detail::add_pointed_link(o, spoke(state, std::numbers::pi), spoke(state), thickness);
    detail::add_ball(o, Part::mark, centre(state), 0.03 * half_length);
    detail::add_contact(o, spoke(state));
    o.gravity = gravity.direction();
    return o;
  }
};

}  // namespace painleve
