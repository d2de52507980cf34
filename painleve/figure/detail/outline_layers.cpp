#include "painleve/figure/detail/outline_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace painleve::detail {
namespace {

constexpr Colour body_fill{198, 214, 232};
constexpr Colour linkage_fill{205, 205, 205};
constexpr Colour table_fill{240, 236, 226};
constexpr Colour surface_ink{96, 80, 60};
constexpr Colour axis_ink{110, 110, 110};
constexpr int ball_corners = 36;

// As seen on white paper, but opaque, so that a later shot hides an earlier one.
Colour paled(Colour colour, double strength) {
  const auto mixed = [&](std::uint8_t part) {
    return static_cast<std::uint8_t>(std::lround(255 - strength * (255 - part)));
  };
  return {mixed(colour.red), mixed(colour.green), mixed(colour.blue)};
}

Colour fill_of(Part part) {
  if (part == Part::body) return body_fill;
  return part == Part::mark ? paper : linkage_fill;
}

// The corners of a flat stroke of some width, its ends cut square.
std::vector<Point> widened(const Stroke& stroke) {
  const Point a = flat(stroke.points.front());
  const Point b = flat(stroke.points.back());
  const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
  if (length == 0) return {a, b};
  const double x = -(b[1] - a[1]) / length * stroke.width / 2;
  const double y = (b[0] - a[0]) / length * stroke.width / 2;
  return {{a[0] + x, a[1] + y}, {a[0] - x, a[1] - y}, {b[0] - x, b[1] - y}, {b[0] + x, b[1] + y}};
}

void add_stroke(std::vector<Layer>& layers, const Stroke& stroke, double strength) {
  const Pen pen{ink.faded(strength), 0.9};
  std::vector<Point> points;
  for (const Place& p : stroke.points) points.push_back(flat(p));
  if (stroke.closed) {
    layers.emplace_back(RegionLayer{points, fill_of(stroke.part).faded(strength), {}, pen});
  } else if (stroke.width > 0 && points.size() == 2) {
    layers.emplace_back(RegionLayer{widened(stroke), fill_of(stroke.part).faded(strength), {}, pen});
  } else {
    layers.emplace_back(CurveLayer{points, pen});
  }
}

void add_ball(std::vector<Layer>& layers, const Ball& ball, double strength) {
  RegionLayer disc{{}, fill_of(ball.part).faded(strength), {}, {ink.faded(strength), 0.9}};
  for (int k = 0; k < ball_corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / ball_corners;
    disc.corners.push_back(
        {ball.centre[0] + ball.radius * std::cos(angle), ball.centre[1] + ball.radius * std::sin(angle)});
  }
  layers.emplace_back(std::move(disc));
}

// A circle that faces the eye, as the outline of a ball does.
std::vector<Point3> facing_circle(const Ball& ball, const View& view) {
  const double sin = std::sin(view.azimuth), cos = std::cos(view.azimuth);
  const double rise = std::sin(view.elevation), run = std::cos(view.elevation);
  const Place right{-sin, cos, 0};
  const Place up{-cos * rise, -sin * rise, run};
  std::vector<Point3> circle;
  for (int k = 0; k < ball_corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / ball_corners;
    circle.push_back(plus(plus(ball.centre, ball.radius * std::cos(angle), right), ball.radius * std::sin(angle), up));
  }
  return circle;
}

// Direction, the side of the bodies, and where the line lies on that side.
struct Line {
  Point along{}, side{};
  double offset = 0, from = 0, to = 0;
};

Line line_of(const Stroke& stroke) {
  const Point a = flat(stroke.points.front());
  const Point b = flat(stroke.points.back());
  const double length = std::max(std::hypot(b[0] - a[0], b[1] - a[1]), std::numeric_limits<double>::min());
  const Point along{(b[0] - a[0]) / length, (b[1] - a[1]) / length};
  const Point side{-along[1], along[0]};
  const auto dot = [](const Point& p, const Point& q) { return p[0] * q[0] + p[1] * q[1]; };
  return {along, side, dot(a, side), dot(a, along), dot(b, along)};
}

bool same_line(const Line& a, const Line& b, double tolerance) {
  return std::abs(a.side[0] - b.side[0]) + std::abs(a.side[1] - b.side[1]) < 1e-9 &&
         std::abs(a.offset - b.offset) < tolerance;
}

Stroke stroke_of(const Line& line) {
  const auto at = [&](double s) {
    return Place{s * line.along[0] + line.offset * line.side[0], s * line.along[1] + line.offset * line.side[1], 0};
  };
  return {Part::surface, {at(line.from), at(line.to)}};
}

// Tables are level rectangles: the least one that holds both.
void join_table(Stroke& table, const Stroke& other) {
  Place low = table.points[0];
  Place high = table.points[2];
  for (const Place& p : other.points) {
    for (std::size_t k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  table.points = {low, {high[0], low[1], low[2]}, high, {low[0], high[1], low[2]}};
}

}  // namespace

double size_of(const Outline& outline) {
  constexpr double far = std::numeric_limits<double>::max();
  Place low{far, far, far};
  Place high{-far, -far, -far};
  const auto include = [&](const Place& p) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  };
  for (const Stroke& stroke : outline.strokes) {
    if (stroke.part == Part::surface) continue;
    for (const Place& p : stroke.points) include(p);
  }
  for (const Ball& ball : outline.balls) include(ball.centre);
  for (const ContactPlace& contact : outline.contacts) include(contact.at);
  return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-6});
}

void add_room(std::vector<Layer>& layers, double around, double below) {
  Point low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
  const auto include = [&](const std::vector<Point>& points) {
    for (const Point& p : points) {
      for (std::size_t k = 0; k < 2; ++k) {
        if (!std::isfinite(p[k])) continue;
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
      }
    }
  };
  for (const Layer& layer : layers) {
    if (const auto* curve = std::get_if<CurveLayer>(&layer)) include(curve->points);
    if (const auto* region = std::get_if<RegionLayer>(&layer)) include(region->corners);
    if (const auto* arrow = std::get_if<ArrowLayer>(&layer)) include({arrow->from, arrow->to});
  }
  const double side = std::max(high[0] - low[0], high[1] - low[1]);
  if (!std::isfinite(side)) return;
  const Point out{around * side, around * side};
  layers.emplace_back(RegionLayer{{{low[0] - out[0], low[1] - below * side},
                                   {high[0] + out[0], low[1] - below * side},
                                   {high[0] + out[0], high[1] + out[1]},
                                   {low[0] - out[0], high[1] + out[1]}},
                                  nothing});
}

void add_bodies(std::vector<Layer>& layers, const Outline& outline, double strength) {
  for (const Stroke& stroke : outline.strokes) {
    if (stroke.part != Part::surface) add_stroke(layers, stroke, strength);
  }
  for (const Ball& ball : outline.balls) add_ball(layers, ball, strength);
}

// On top of all faces, in their order: the bodies are above the table, and the eye is, too.
void add_bodies(Solid& solid, const Outline& outline, const View& view, double strength) {
  for (const Stroke& stroke : outline.strokes) {
    if (stroke.part == Part::surface) continue;
    const Colour colour = stroke.part == Part::body ? Colour{52, 92, 140} : Colour{130, 130, 130};
    const double width = stroke.width > 0 ? 4.5 : 1.2;
    solid.lines.push_back({stroke.points, {paled(colour, strength), width}, false, true});
    if (stroke.closed) solid.lines.back().points.push_back(stroke.points.front());
  }
  for (const Ball& ball : outline.balls) {
    std::vector<Point3> circle = facing_circle(ball, view);
    circle.push_back(circle.front());
    solid.lines.push_back({std::move(circle), {paled(ink, strength), 1}, false, true});
  }
}

void add_surfaces(std::vector<Layer>& layers, const std::vector<Stroke>& surfaces, double hatch) {
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (const Stroke& surface : surfaces) {
    const Line line = line_of(surface);
    CurveLayer hatching{{}, {surface_ink.faded(0.6), 0.6}};
    const int count = static_cast<int>(std::min(500.0, std::floor((line.to - line.from) / hatch)));
    for (int k = 1; k <= count; ++k) {
      const double s = line.from + (line.to - line.from) * k / count;
      const Place above = stroke_of({line.along, line.side, line.offset, s, s}).points[0];
      const Place below = stroke_of({line.along, line.side, line.offset - 0.7 * hatch, s - 0.7 * hatch, s}).points[0];
      hatching.points.insert(hatching.points.end(), {flat(above), flat(below), {gap, gap}});
    }
    layers.emplace_back(std::move(hatching));
    layers.emplace_back(CurveLayer{{flat(surface.points[0]), flat(surface.points[1])}, {surface_ink, 1.2}});
  }
}

void add_dot(Solid& solid, const Place& at, double radius, const View& view, Colour colour) {
  for (const double part : {1.0, 0.7, 0.4}) {  // rings so close that they fill it
    std::vector<Point3> circle = facing_circle({Part::mark, at, part * radius}, view);
    circle.push_back(circle.front());
    solid.lines.push_back({std::move(circle), {colour, 1.6}, false, true});
  }
}

void add_surfaces(Solid& solid, const std::vector<Stroke>& surfaces) {
  for (const Stroke& surface : surfaces) solid.faces.push_back({surface.points, table_fill, {surface_ink, 0.8}});
}

void add_scale(Solid& solid, const Stroke& table, double size) {
  const double exact = 0.25 * size;
  const double decade = std::pow(10, std::floor(std::log10(exact)));
  const double round = decade * (exact >= 5 * decade ? 5 : exact >= 2 * decade ? 2 : 1);
  const Place& corner = table.points[0];
  constexpr const char* names[] = {"/x/", "/y/", "/z/"};
  constexpr double right[] = {2, 5, 0}, up[] = {-9, 2, 4};
  for (std::size_t k = 0; k < 3; ++k) {
    Place end = corner;
    end[k] += round;
    solid.lines.push_back({{corner, end}, {axis_ink, 1}, true, true});
    solid.notes.push_back({end, names[k], {8, Anchor::middle, axis_ink}, right[k], up[k]});
  }
  const Place beside = plus(corner, 0.5, {0, 0, round});
  solid.notes.push_back({beside, fmt::format("{:g} m", round), {8, Anchor::end, axis_ink}, -4, -3});
}

std::vector<Stroke> joined_surfaces(const std::vector<Outline>& outlines) {
  std::vector<Stroke> tables;
  std::vector<Line> lines;
  for (const Outline& outline : outlines) {
    for (const Stroke& stroke : outline.strokes) {
      if (stroke.part != Part::surface) continue;
      if (stroke.closed) {
        tables.empty() ? tables.push_back(stroke) : join_table(tables.front(), stroke);
        continue;
      }
      const Line line = line_of(stroke);
      const double tolerance = 1e-9 * size_of(outline);
      const auto found = std::find_if(lines.begin(), lines.end(),
                                      [&](const Line& known) { return same_line(known, line, tolerance); });
      if (found == lines.end()) {
        lines.push_back(line);
        continue;
      }
      found->from = std::min(found->from, line.from);
      found->to = std::max(found->to, line.to);
    }
  }
  for (const Line& line : lines) tables.push_back(stroke_of(line));
  return tables;
}

}  // namespace painleve::detail
