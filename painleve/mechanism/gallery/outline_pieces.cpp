#include "painleve/mechanism/gallery/outline_pieces.hpp"

#include <algorithm>
#include <limits>

namespace painleve::detail {
namespace {

struct Box {
  Place low{}, high{};
  double size() const {
    double size = 0;
    for (std::size_t k = 0; k < 3; ++k) size = std::max(size, high[k] - low[k]);
    return size;
  }
};

Box bounds(const Outline& outline) {
  constexpr double far = std::numeric_limits<double>::max();
  Box box{{far, far, far}, {-far, -far, -far}};
  const auto include = [&](const Place& p, double room) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], p[k] - room);
      box.high[k] = std::max(box.high[k], p[k] + room);
    }
  };
  for (const Stroke& stroke : outline.strokes) {
    for (const Place& p : stroke.points) include(p, 0);
  }
  for (const Ball& ball : outline.balls) include(ball.centre, ball.radius);
  for (const ContactPlace& contact : outline.contacts) include(contact.at, 0);
  return box;
}

constexpr double floor_room = 0.2;  // of the size of the mechanism, on each side

}  // namespace

Place turned(const Place& origin, double turn, double x, double y) {
  const double s = std::sin(turn);
  const double c = std::cos(turn);
  return {origin[0] + x * c - y * s, origin[1] + x * s + y * c, origin[2]};
}

Place between(const Place& a, const Place& b, double part) {
  return {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])};
}

void add_link(Outline& outline, Part part, const Place& from, const Place& to, double width) {
  outline.strokes.push_back({part, {from, to}, false, width});
}

void add_pointed_link(Outline& outline, const Place& from, const Place& tip, double width) {
  const double angle = std::atan2(from[1] - tip[1], from[0] - tip[0]);
  const double length = std::hypot(from[0] - tip[0], from[1] - tip[1]);
  const double point = std::min(1.5 * width, length);  // a tip of some 40 degrees
  outline.strokes.push_back({Part::body,
                             {tip, turned(tip, angle, point, -width / 2), turned(tip, angle, length, -width / 2),
                              turned(tip, angle, length, width / 2), turned(tip, angle, point, width / 2)},
                             true});
}

void add_box(Outline& outline, const Place& centre, double turn, double half_width, double half_height) {
  outline.strokes.push_back(
      {Part::body,
       {turned(centre, turn, -half_width, -half_height), turned(centre, turn, half_width, -half_height),
        turned(centre, turn, half_width, half_height), turned(centre, turn, -half_width, half_height)},
       true});
}

void add_spring(Outline& outline, const Place& from, const Place& to, double width) {
  constexpr int coils = 5;
  const double angle = std::atan2(to[1] - from[1], to[0] - from[0]);
  const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
  Stroke spring{Part::spring, {from}};
  for (int k = 0; k <= 2 * coils; ++k) {
    const double part = 0.15 + 0.7 * k / (2.0 * coils);
    const double side = k == 0 || k == 2 * coils ? 0 : (k % 2 == 0 ? -1 : 1);
    spring.points.push_back(turned(from, angle, part * length, side * width / 2));
  }
  spring.points.push_back(to);
  outline.strokes.push_back(std::move(spring));
}

void add_ball(Outline& outline, Part part, const Place& centre, double radius) {
  outline.balls.push_back({part, centre, radius});
}

void add_contact(Outline& outline, const Place& at, const Place& normal, double speed) {
  const Place t{normal[1], -normal[0], 0};
  outline.contacts.push_back({"", at, {t}, normal, {speed * t[0], speed * t[1], 0}});
}

void add_line(Outline& outline, const std::vector<Place>& points, const Place& anchor, const Place& normal,
              double reach) {
  const Place t{normal[1], -normal[0], 0};
  double from = std::numeric_limits<double>::max();
  double to = -from;
  for (const Place& p : points) {
    const double s = (p[0] - anchor[0]) * t[0] + (p[1] - anchor[1]) * t[1];
    from = std::min(from, s - reach);
    to = std::max(to, s + reach);
  }
  const auto at = [&](double s) { return Place{anchor[0] + s * t[0], anchor[1] + s * t[1], 0}; };
  outline.strokes.push_back({Part::surface, {at(from), at(to)}});
}

void add_floor(Outline& outline) {
  const Box box = bounds(outline);
  const double room = floor_room * box.size();
  outline.strokes.push_back({Part::surface, {flat(box.low[0] - room, 0), flat(box.high[0] + room, 0)}});
}

void add_table(Outline& outline) {
  const Box box = bounds(outline);
  const double room = floor_room * box.size();
  const Place low{box.low[0] - room, box.low[1] - room, 0};
  const Place high{box.high[0] + room, box.high[1] + room, 0};
  outline.strokes.push_back({Part::surface, {low, {high[0], low[1], 0}, high, {low[0], high[1], 0}}, true});
}

}  // namespace painleve::detail
