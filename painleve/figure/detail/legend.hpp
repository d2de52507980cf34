#pragma once

#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"

namespace painleve::detail {

struct LegendEntry {
  std::string label;
  Pen pen{nothing, 0};    // a line, or the outline of a box
  Colour fill = nothing;  // a box
  bool box = false, line = false;
  Glyph glyph = Glyph::none;
  double glyph_size = 4;
};

/// One entry per label, in the order of the layers.
std::vector<LegendEntry> legend_entries(const std::vector<Layer>& layers);
std::vector<LegendEntry> legend_entries(const std::vector<std::pair<std::string, Colour>>& names);

struct LegendSize {
  double width = 0, height = 0;
};

/// Below one another, without and with a frame; side by side in as many rows as a width needs.
LegendSize column_size(const std::vector<LegendEntry>& entries);
LegendSize framed_size(const std::vector<LegendEntry>& entries);
LegendSize rows_size(const std::vector<LegendEntry>& entries, double width);
void draw_column(Canvas& canvas, const std::vector<LegendEntry>& entries, Point upper_left);
void draw_framed(Canvas& canvas, const std::vector<LegendEntry>& entries, const Rectangle& place);
void draw_rows(Canvas& canvas, const std::vector<LegendEntry>& entries, const Rectangle& place);

struct FreePlace {
  Rectangle place;
  int covered = 0;  // points under it
};

/// Where in an area a box covers fewest points; among equals corners first, then the edges.
FreePlace emptiest_place(const Rectangle& area, const LegendSize& size, const std::vector<Point>& points);

void draw_glyph(Canvas& canvas, Glyph glyph, const Point& at, double size, const Pen& pen);

}  // namespace painleve::detail
