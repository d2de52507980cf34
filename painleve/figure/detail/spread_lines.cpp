#include "painleve/figure/detail/spread_lines.hpp"

#include <cmath>

namespace painleve::detail {
namespace {

// Van der Corput's sequence: the digits of n behind the point, in reverse.
double reversed(int n, int base) {
  double value = 0, digit = 1;
  for (; n > 0; n /= base) {
    digit /= base;
    value += digit * (n % base);
  }
  return value;
}

}  // namespace

std::vector<Point> SpreadLines::seeds() const {
  constexpr int count = 240;
  std::vector<Point> list;
  for (int i = 1; i <= count; ++i)
    list.push_back({low_[0] + (high_[0] - low_[0]) * reversed(i, 2), low_[1] + (high_[1] - low_[1]) * reversed(i, 3)});
  return list;
}

int SpreadLines::cell(Point at) const {
  const int column = static_cast<int>(std::floor(cells * (at[0] - low_[0]) / (high_[0] - low_[0])));
  const int row = static_cast<int>(std::floor(cells * (at[1] - low_[1]) / (high_[1] - low_[1])));
  const bool here = column >= 0 && column < cells && row >= 0 && row < cells;
  return here ? row * cells + column : -1;
}

bool SpreadLines::taken(int column, int row) const {
  if (column < 0 || column >= cells || row < 0 || row >= cells) return false;
  const int index = row * cells + column;
  return taken_[static_cast<std::size_t>(index)];
}

bool SpreadLines::is_free(Point at) const {
  const int here = cell(at);
  if (here < 0) return false;
  for (int column = here % cells - 1; column <= here % cells + 1; ++column) {
    for (int row = here / cells - 1; row <= here / cells + 1; ++row) {
      if (taken(column, row)) return false;
    }
  }
  return true;
}

std::vector<Point> SpreadLines::free_part(const std::vector<Point>& line) const {
  std::vector<Point> part;
  for (const Point& p : line) {
    const int here = cell(p);
    if (here >= 0 && taken_[static_cast<std::size_t>(here)]) break;
    part.push_back(p);
    if (here < 0) break;
  }
  return part;
}

void SpreadLines::add(const std::vector<Point>& line) {
  for (const Point& p : line) {
    const int here = cell(p);
    if (here >= 0) taken_[static_cast<std::size_t>(here)] = true;
  }
}

std::optional<ArrowLayer> arrow_on(const std::vector<Point>& line, Point size, const Pen& pen) {
  constexpr double head = 0.03;  // of the picture
  for (std::size_t tail = line.size() / 2, tip = tail; tip < line.size(); ++tip) {
    const double length =
        std::hypot((line[tip][0] - line[tail][0]) / size[0], (line[tip][1] - line[tail][1]) / size[1]);
    if (length >= head) return ArrowLayer{line[tail], line[tip], pen, {}};
  }
  return {};
}

}  // namespace painleve::detail
