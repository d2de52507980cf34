#include "painleve/figure/detail/visible_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace painleve::detail {
namespace {

using Cell = std::pair<std::int64_t, std::int64_t>;

bool finite(const Point& p) { return std::isfinite(p[0]) && std::isfinite(p[1]); }

Point between(const Point& a, const Point& b, double part) {
  // Weights rather than a + part (b − a), whose difference may overflow.
  return {(1 - part) * a[0] + part * b[0], (1 - part) * a[1] + part * b[1]};
}

// The part [first, last] of the stretch from a to b in which low ≤ coordinate ≤ high; false where there is none.
bool narrow(double a, double b, double low, double high, double& first, double& last) {
  const double length = b - a;
  if (length == 0) return a >= low && a <= high;
  const double enter = (low - a) / length, leave = (high - a) / length;
  first = std::max(first, std::min(enter, leave));
  last = std::min(last, std::max(enter, leave));
  return first <= last;
}

std::optional<std::pair<Point, Point>> clipped_stretch(const Point& a, const Point& b, const Rectangle& r) {
  double first = 0, last = 1;
  if (!narrow(a[0], b[0], r.x, r.x + r.width, first, last)) return std::nullopt;
  if (!narrow(a[1], b[1], r.y, r.y + r.height, first, last)) return std::nullopt;
  return std::pair{first == 0 ? a : between(a, b, first), last == 1 ? b : between(a, b, last)};
}

Cell cell_of(const Point& p, double cell) {
  return {static_cast<std::int64_t>(std::floor(p[0] / cell)), static_cast<std::int64_t>(std::floor(p[1] / cell))};
}

std::size_t points_in(const std::vector<Polyline>& pieces) {
  std::size_t count = 0;
  for (const Polyline& piece : pieces) count += piece.size();
  return count;
}

// Appends, of the points [first, last) of one column, those that show, in their order.
void keep_extremes(const Polyline& line, std::size_t first, std::size_t last, Polyline& kept) {
  const auto begin = line.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = line.begin() + static_cast<std::ptrdiff_t>(last);
  const auto lower = [](const Point& a, const Point& b) { return a[1] < b[1]; };
  const auto extremes = std::minmax_element(begin, end, lower);
  std::array<std::size_t, 4> chosen{first, static_cast<std::size_t>(extremes.first - line.begin()),
                                    static_cast<std::size_t>(extremes.second - line.begin()), last - 1};
  std::sort(chosen.begin(), chosen.end());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i == 0 || chosen[i] != chosen[i - 1]) kept.push_back(line[chosen[i]]);
  }
}

// Each stretch from cell to cell once.
std::vector<Polyline> without_repeats(const std::vector<Polyline>& pieces, double cell) {
  std::set<std::pair<Cell, Cell>> drawn;
  std::vector<Polyline> kept;
  for (const Polyline& piece : pieces) {
    bool joined = false;
    for (std::size_t i = 1; i < piece.size(); ++i) {
      const Cell from = cell_of(piece[i - 1], cell), to = cell_of(piece[i], cell);
      if (!drawn.insert(std::minmax(from, to)).second) {
        joined = false;
        continue;
      }
      if (!joined) kept.push_back({piece[i - 1]});
      kept.back().push_back(piece[i]);
      joined = true;
    }
  }
  return kept;
}

// Keeps the side of a polygon on which `inside` is not negative.
template <typename Distance>
Polyline half(const Polyline& corners, const Distance& inside) {
  Polyline kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point& a = corners[i];
    const Point& b = corners[(i + 1) % corners.size()];
    const double da = inside(a), db = inside(b);
    if (da >= 0) kept.push_back(a);
    if ((da >= 0) != (db >= 0)) kept.push_back(between(a, b, da / (da - db)));
  }
  return kept;
}

}  // namespace

std::vector<Polyline> clipped(const Polyline& line, const Rectangle& to) {
  std::vector<Polyline> pieces;
  bool joined = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool here = finite(line[i - 1]) && finite(line[i]);
    const auto stretch = here ? clipped_stretch(line[i - 1], line[i], to) : std::nullopt;
    if (!stretch) {
      joined = false;
      continue;
    }
    if (!joined) pieces.push_back({stretch->first});
    pieces.back().push_back(stretch->second);
    joined = stretch->second == line[i];
  }
  return pieces;
}

Polyline clipped_polygon(const Polyline& corners, const Rectangle& to) {
  Polyline kept;
  std::copy_if(corners.begin(), corners.end(), std::back_inserter(kept), finite);
  kept = half(kept, [&](const Point& p) { return p[0] - to.x; });
  kept = half(kept, [&](const Point& p) { return to.x + to.width - p[0]; });
  kept = half(kept, [&](const Point& p) { return p[1] - to.y; });
  return half(kept, [&](const Point& p) { return to.y + to.height - p[1]; });
}

Polyline thinned(const Polyline& line, double cell) {
  Polyline kept;
  std::size_t first = 0;
  const auto column = [&](std::size_t i) { return std::floor(line[i][0] / cell); };
  for (std::size_t i = 1; i <= line.size(); ++i) {
    if (i < line.size() && column(i) == column(first)) continue;
    keep_extremes(line, first, i, kept);
    first = i;
  }
  return kept;
}

std::vector<Polyline> thinned(const std::vector<Polyline>& pieces, std::size_t most) {
  std::vector<Polyline> kept;
  kept.reserve(pieces.size());
  for (const Polyline& piece : pieces) kept.push_back(thinned(piece));
  for (double cell = resolution; points_in(kept) > most; cell *= 1.5) kept = without_repeats(kept, cell);
  return kept;
}

std::vector<Point> apart(const std::vector<Point>& points, double cell) {
  std::set<Cell> taken;
  std::vector<Point> kept;
  for (const Point& p : points) {
    if (taken.insert(cell_of(p, cell)).second) kept.push_back(p);
  }
  return kept;
}

}  // namespace painleve::detail
