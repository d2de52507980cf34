#include "painleve/figure/view.hpp"

#include <cmath>

namespace painleve {

// The eye looks along −e, e = (cos ε cos α, cos ε sin α, sin ε); right = (−sin α, cos α, 0) and up = e × right.
Point View::project(const Point3& p) const {
  const double outward = std::cos(azimuth) * p[0] + std::sin(azimuth) * p[1];
  return {-std::sin(azimuth) * p[0] + std::cos(azimuth) * p[1],
          -std::sin(elevation) * outward + std::cos(elevation) * p[2]};
}

double View::depth(const Point3& p) const {
  const double outward = std::cos(azimuth) * p[0] + std::sin(azimuth) * p[1];
  return std::cos(elevation) * outward + std::sin(elevation) * p[2];
}

void add_axes(Solid& solid, const std::array<std::string, 3>& names, const std::array<double, 3>& lengths, bool both) {
  for (std::size_t i = 0; i < 3; ++i) {
    Point3 from{}, to{};
    to[i] = lengths[i];
    if (both) from[i] = -lengths[i];
    solid.lines.push_back({{from, to}, Pen{ink, 0.8}, true, false});
    Point3 beyond{};
    beyond[i] = 1.1 * lengths[i];
    solid.notes.push_back({beyond, names[i], TextStyle{9, Anchor::middle}, 0, -3});
  }
}

}  // namespace painleve
