#include "painleve/mechanism/gallery/planar_body.hpp"

#include <algorithm>

namespace painleve {
namespace {

bool same_line(const BodyContact& a, const BodyContact& b) {
  const double offset = a.normal_x * (b.anchor_x - a.anchor_x) + a.normal_y * (b.anchor_y - a.anchor_y);
  return a.normal_x == b.normal_x && a.normal_y == b.normal_y && std::abs(offset) < 1e-12;
}

double size_of(const PlanarBody& body) {
  double size = 0;
  for (const auto& [x, y] : body.silhouette) size = std::max(size, std::hypot(x, y));
  return size;
}

// One line per surface, under all contacts that lie on it.
void draw_surfaces(Outline& outline, const PlanarBody& body, double reach) {
  std::vector<bool> drawn(body.contacts.size());
  for (std::size_t i = 0; i < body.contacts.size(); ++i) {
    if (drawn[i]) continue;
    const BodyContact& c = body.contacts[i];
    std::vector<Place> points;
    for (std::size_t k = i; k < body.contacts.size(); ++k) {
      if (!same_line(c, body.contacts[k])) continue;
      points.push_back(outline.contacts[k].at);
      drawn[k] = true;
    }
    detail::add_line(outline, points, detail::flat(c.anchor_x, c.anchor_y), detail::flat(c.normal_x, c.normal_y),
                     reach);
  }
}

}  // namespace

Outline PlanarBody::outline(const State& state) const {
  const Place centre = detail::flat(state.q(0), state.q(1));
  const double theta = state.q(2);
  Outline o;
  Stroke hull{Part::body, {}, true};
  for (const auto& [x, y] : silhouette) hull.points.push_back(detail::turned(centre, theta, x, y));
  o.strokes.push_back(std::move(hull));
  detail::add_ball(o, Part::mark, centre, 0.04 * size_of(*this));
  for (const BodyContact& c : contacts) {
    detail::add_contact(o, detail::turned(centre, theta, c.point_x, c.point_y), detail::flat(c.normal_x, c.normal_y),
                        c.surface_speed);
  }
  draw_surfaces(o, *this, 0.5 * size_of(*this));
  o.gravity = gravity.direction();
  return o;
}

}  // namespace painleve
