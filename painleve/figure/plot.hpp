// A plot is data: axes, layers in the order in which they are drawn, notes. A figure is a sheet of plots with letters.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "painleve/figure/canvas.hpp"
#include "painleve/figure/view.hpp"

namespace painleve {

enum class Scale { linear, logarithmic };

struct Axis {
  std::string label = {};  // "angle of the rod /θ/"
  std::string unit = {};   // "deg"; shown as "label [unit]"
  // Unset: from the data, with a little room. Both may be set the other way round.
  std::optional<double> from = {}, to = {};
  Scale scale = Scale::linear;
  std::vector<std::pair<double, std::string>> ticks = {};  // empty: round numbers
  double factor = 1;  // shown = factor × data: 57.29… for angles in degrees; `from`, `to` and `ticks` are in data units
};

enum class Glyph { none, disc, ring, square, diamond, triangle, cross, plus };

struct CurveLayer {
  std::vector<Point> points = {};  // a NaN breaks the line
  Pen pen = {};
  std::string label = {};  // in the legend; empty: not there
  Glyph glyph = Glyph::none;
  double glyph_size = 4;
  bool line = true;
};

// A region with an outline, or without (pen `nothing`).
struct RegionLayer {
  std::vector<Point> corners = {};
  Colour fill = {};
  std::string label = {};
  Pen pen{nothing, 0};
};

// Words on a grid: columns × rows values, row by row from y_from; −1 is left white. Cells are evenly spaced on the
// axis: on a logarithmic one, in the logarithm.
struct CategoryLayer {
  double x_from = 0, x_to = 1, y_from = 0, y_to = 1;  // centres of the outermost cells
  int columns = 0, rows = 0;
  std::vector<int> values = {};
  std::vector<std::pair<std::string, Colour>> categories = {};  // legend
};

// Numbers on a grid, NaN left white, with a colour bar.
struct FieldLayer {
  double x_from = 0, x_to = 1, y_from = 0, y_to = 1;
  int columns = 0, rows = 0;
  std::vector<double> values = {};
  std::optional<double> low = {}, high = {};  // ends of the ramp; unset: of the data
  bool is_signed = false;
  Scale scale = Scale::linear;
  std::string label = {};           // of the colour bar
  std::vector<double> levels = {};  // contour lines
};

struct ArrowLayer {
  Point from = {}, to = {};  // data units
  Pen pen = {};
  std::string label = {};  // beyond the tip
};

struct NoteLayer {
  Point at = {};  // data units
  std::string text = {};
  TextStyle style = {};
  double right = 0, up = 0;  // shift in points
};

// A line across the whole plot; its label is in the legend.
struct RuleLayer {
  bool vertical = true;
  double at = 0;
  Pen pen{Colour{120, 120, 120}, 0.8, Dash::dashed};
  std::string label = {};
};

using Layer = std::variant<CurveLayer, RegionLayer, CategoryLayer, FieldLayer, ArrowLayer, NoteLayer, RuleLayer>;

enum class LegendPlace { none, inside, right, below };

struct Plot {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Layer> layers = {};
  bool equal_scales = false;                 // one unit is as long on both axes
  LegendPlace legend = LegendPlace::inside;  // `inside`: where it covers nothing; below where there is no such place
  bool frame = true;                         // false: no axes at all, for drawings
};

// In space: see view.hpp.
struct SpacePlot {
  std::string title = {};
  View view = {};
  Solid solid = {};
  std::vector<std::pair<std::string, Colour>> legend = {};
};

using Panel = std::variant<Plot, SpacePlot>;

struct Figure {
  std::string title = {};    // above
  std::string caption = {};  // below, wrapped
  std::vector<Panel> panels = {};
  int columns = 1;
  double panel_width = 340, panel_height = 250;
  bool letters = true;  // (a), (b), … where there are several panels
};

Canvas draw(const Figure& figure);
Canvas draw(const Plot& plot, double width = 400, double height = 300);

// Round numbers in [from, to], in about `count` steps.
std::vector<double> round_ticks(double from, double to, int count);

}  // namespace painleve
