#include "painleve/figure/detail/cone_parts.hpp"

#include <algorithm>
#include <cmath>

namespace painleve::detail {
namespace {

Point3 between(const Point3& a, const Point3& b, double part) {
  return {a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part};
}

Point3 scaled(const Point3& a, double by) { return {a[0] * by, a[1] * by, a[2] * by}; }

// Heights that are only rounding of the picture's size lie in the plane, so that a cone that touches it is not cut.
double height(const Point3& p) {
  const double size = std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])});
  return std::abs(p[2]) <= 1e-12 * size ? 0 : p[2];
}

// Lighter where a face turns to the light, so that the surface looks round.
Colour shaded(Colour colour, const Point3& a, const Point3& b) {
  const Point3 n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double size = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (size == 0) return colour;
  const double light = std::abs(0.5 * n[0] - 0.7 * n[1] + 0.5 * n[2]) / size;
  const auto tone = [&](std::uint8_t c) {
    return static_cast<std::uint8_t>(std::min(255.0, c * (0.72 + 0.28 * light)));
  };
  return {tone(colour.red), tone(colour.green), tone(colour.blue), colour.opacity};
}

}  // namespace

std::vector<Point3> cut(const std::vector<Point3>& polygon, bool above) {
  std::vector<Point3> part;
  const double sign = above ? 1 : -1;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point3& a = polygon[i];
    const Point3& b = polygon[(i + 1) % polygon.size()];
    const double from = sign * height(a), to = sign * height(b);
    if (from >= 0) part.push_back(a);
    if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
      Point3 crossing = between(a, b, from / (from - to));
      crossing[2] = 0;
      part.push_back(crossing);
    }
  }
  // A polygon that only touches the plane has no part on the other side.
  const bool flat = std::all_of(part.begin(), part.end(), [](const Point3& p) { return height(p) == 0; });
  return flat ? std::vector<Point3>{} : part;
}

bool below_plane(const std::vector<Point3>& corners) {
  return std::any_of(corners.begin(), corners.end(), [](const Point3& p) { return height(p) < 0; });
}

void add_cone(Solid& solid, const std::vector<Point3>& rim) {
  constexpr int bands = 6;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    const Point3& a = rim[i];
    const Point3& b = rim[(i + 1) % rim.size()];
    for (int band = 0; band < bands; ++band) {
      const double inner = static_cast<double>(band) / bands, outer = static_cast<double>(band + 1) / bands;
      std::vector<Point3> face{scaled(a, outer), scaled(b, outer)};
      if (band > 0) face.push_back(scaled(b, inner));
      face.push_back(scaled(a, inner));
      for (const bool above : {true, false}) {
        const auto part = cut(face, above);
        const Colour colour = above ? ConeColours::above() : ConeColours::below();
        if (part.size() >= 3) solid.faces.push_back({part, shaded(colour, a, b)});
      }
    }
  }
  constexpr std::size_t generators = 16;  // lines from the apex, to show the shape
  for (std::size_t i = 0; i < generators; ++i)
    solid.lines.push_back({{{0, 0, 0}, rim[i * rim.size() / generators]}, {Colour{40, 70, 100, 0.6}, 0.5}});
  std::vector<Point3> closed = rim;
  closed.push_back(rim.front());
  solid.lines.push_back({closed, {ink, 0.9}});
}

void add_tangent_plane(Solid& solid, double half_width) {
  constexpr int cells = 12;
  const auto at = [&](int i) { return half_width * (2.0 * i / cells - 1); };
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j)
      solid.faces.push_back(
          {{{at(i), at(j), 0}, {at(i + 1), at(j), 0}, {at(i + 1), at(j + 1), 0}, {at(i), at(j + 1), 0}},
           Colour{150, 150, 150, 0.18}});
  }
  const double h = half_width;
  solid.lines.push_back({{{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}, {-h, -h, 0}}, {Colour{120, 120, 120}, 0.7}});
}

void add_outline(Solid& solid, std::vector<Point3> corners, const Pen& pen) {
  corners.push_back(corners.front());
  solid.lines.push_back({std::move(corners), pen, false, true});
}

void add_sector(Solid& solid, const std::vector<Point3>& directions, double radius) {
  std::vector<Point3> edge{{0, 0, 0}};
  for (const Point3& d : directions) edge.push_back(scaled(d, radius));
  add_outline(solid, std::move(edge), {Colour{150, 130, 0}, 1.1});
  for (std::size_t i = 1; i < directions.size(); ++i)
    solid.faces.push_back(
        {{{0, 0, 0}, scaled(directions[i - 1], radius), scaled(directions[i], radius)}, ConeColours::sector()});
}

}  // namespace painleve::detail
