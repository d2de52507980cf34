// Lines that fill a picture evenly: seeds all over it, and a grid that remembers where lines already run.
#pragma once

#include <optional>
#include <vector>

#include "painleve/figure/plot.hpp"

namespace painleve::detail {

class SpreadLines {
 public:
  SpreadLines(Point low, Point high) : low_(low), high_(high), taken_(cells * cells, false) {}

  // Starts in the order in which they should be tried: spread evenly from the first to the last.
  std::vector<Point> seeds() const;
  // Whether no line runs in the cell of this point or beside it.
  bool is_free(Point at) const;
  // The beginning of a line, up to where it meets a cell with another one or leaves the picture.
  std::vector<Point> free_part(const std::vector<Point>& line) const;
  void add(const std::vector<Point>& line);

 private:
  static constexpr int cells = 34;  // per side
  int cell(Point at) const;         // −1 outside
  bool taken(int column, int row) const;

  Point low_, high_;
  std::vector<bool> taken_;
};

// An arrow in the middle of a line, along it, long enough for its head in a picture of this width and height; empty
// where the line is too short.
std::optional<ArrowLayer> arrow_on(const std::vector<Point>& line, Point size, const Pen& pen);

}  // namespace painleve::detail
