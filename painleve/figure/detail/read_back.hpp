#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"

/// For tests: what is drawn, read back from the marks. Where a number lies on paper follows from the labels of the axes
/// alone.
namespace painleve::detail {

template <typename Mark>
std::vector<Mark> all(const Canvas& canvas) {
  std::vector<Mark> found;
  for (const DrawingMark& mark : canvas.marks()) {
    if (const auto* m = std::get_if<Mark>(&mark)) found.push_back(*m);
  }
  return found;
}

inline std::vector<PathMark> paths_in(const Canvas& canvas, const Colour& colour) {
  std::vector<PathMark> found;
  for (const PathMark& path : all<PathMark>(canvas)) {
    if (path.pen.colour == colour) found.push_back(path);
  }
  return found;
}

inline const TextMark* text_in(const std::vector<TextMark>& texts, const std::string& text) {
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const TextMark& t) { return t.text == text; });
  return found == texts.end() ? nullptr : &*found;
}

// The place of a tick label: of the x axis its middle, of the y axis the line on which it is written.
inline double label_place(const Canvas& canvas, const std::string& label, bool horizontal) {
  for (const TextMark& text : all<TextMark>(canvas)) {
    if (text.text != label || text.style.anchor != (horizontal ? Anchor::middle : Anchor::end)) continue;
    return horizontal ? text.at[0] : text.at[1];
  }
  ADD_FAILURE() << "no tick label " << label;
  return NAN;
}

inline Rectangle frame_of(const Canvas& canvas) {
  for (const DrawingMark& mark : canvas.marks()) {
    if (const auto* clip = std::get_if<BeginClip>(&mark)) return clip->place;
  }
  return {};
}

inline bool inside(const Rectangle& r, const Point& p, double slack = 0) {
  return p[0] >= r.x - slack && p[0] <= r.x + r.width + slack && p[1] >= r.y - slack && p[1] <= r.y + r.height + slack;
}

inline constexpr Colour mine{1, 2, 3};

inline CurveLayer curve(std::vector<Point> points) { return {std::move(points), Pen{mine, 1}}; }

/// Two rows of three cells.
inline CategoryLayer small_map() {
  CategoryLayer layer{.x_from = 0, .x_to = 2, .y_from = 0, .y_to = 1, .columns = 3, .rows = 2};
  layer.values = {0, 1, 2, 2, -1, 0};
  layer.categories = {{"none", Colour{10, 0, 0}}, {"one", Colour{20, 0, 0}}, {"several", Colour{30, 0, 0}}};
  return layer;
}

}  // namespace painleve::detail
