// Any planar body with contact points fixed to it, each against a fixed line. wedged-block, two-legged-body, rigid-body
// and brake-pad are this body with different points and lines. theta is counter-clockwise.
#pragma once

#include <array>
#include <vector>

#include "painleve/mechanism/gallery/plane_body.hpp"

namespace painleve {

struct BodyContact {
  double point_x, point_y;    // on the body, in its frame
  double anchor_x, anchor_y;  // a point of the surface
  double normal_x, normal_y;  // unit normal of the surface, away from it
  double surface_speed = 0;   // along +t
};

struct PlanarBody {
  static constexpr int degrees = 3;
  static constexpr int dimension = 2;

  double mass, gyration;
  PlaneGravity gravity;
  std::vector<BodyContact> contacts;
  std::vector<std::array<double, 2>> silhouette = {};  // corners in the body frame, for drawings

  template <class S>
  void describe(Sketch<S, 3>& sketch, std::span<const S> forces) const {
    const auto& [x, y, theta] = sketch.q;
    const auto angle = sincos(theta);
    sketch.inertia(mass, x, y);
    sketch.inertia(mass * gyration * gyration, theta);
    sketch.potential(gravity.energy(mass, x, y));
    sketch.work_along_coordinates(forces);
    for (const auto& c : contacts) {
      auto [px, py] = body_point(x, y, angle, c.point_x, c.point_y);
      px = px - c.anchor_x;
      py = py - c.anchor_y;
      // t is the normal turned by −90°: (n_y, −n_x)
      const auto s = c.normal_y * px - c.normal_x * py;
      sketch.contact(s - c.surface_speed * sketch.t, c.normal_x * px + c.normal_y * py);
    }
  }

  Outline outline(const State& state) const;
};

}  // namespace painleve
