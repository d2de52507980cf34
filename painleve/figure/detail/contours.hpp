#pragma once

#include <vector>

#include "painleve/figure/canvas.hpp"

namespace painleve::detail {

/// Numbers at whole places (column, row).
struct NumberGrid {
  int columns = 0, rows = 0;
  const std::vector<double>* values = nullptr;

  double at(int column, int row) const {
    return (
        *values)[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
};

/// Lines (column, row) along which the numbers, taken as linear between neighbours, have the value `level`. Squares
/// with a corner that is not finite have none.
std::vector<std::vector<Point>> contour_lines(const NumberGrid& grid, double level);

}  // namespace painleve::detail
