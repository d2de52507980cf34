// What the axes show: the data that have a place there, and ends that make sense for no data, one point, a constant.
#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/plot_frame.hpp"

namespace painleve::detail {
namespace {

// Beyond these, numbers lose digits or overflow when a little room is added: no axis shows them.
constexpr double least = 1e-290, most = 1e290;

// The smallest and largest number that an axis can show.
struct Extent {
  Scale scale = Scale::linear;
  double low = HUGE_VAL, high = -HUGE_VAL;

  bool empty() const { return low > high; }
  void add(double value) {
    if (!(std::abs(value) <= most) || (scale == Scale::logarithmic && value < least)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Measure {
  std::size_t axis;  // 0: x, 1: y
  Extent extent;

  void operator()(const CurveLayer& layer) { add(layer.points); }
  void operator()(const RegionLayer& layer) { add(layer.corners); }
  void operator()(const CategoryLayer& layer) { add_grid(layer); }
  void operator()(const FieldLayer& layer) { add_grid(layer); }
  void operator()(const ArrowLayer& layer) { add({layer.from, layer.to}); }
  void operator()(const NoteLayer& layer) { add({layer.at}); }
  void operator()(const RuleLayer& layer) {
    if (layer.vertical == (axis == 0)) extent.add(layer.at);
  }

  // A point with one coordinate that cannot be shown is not shown at all.
  void add(const std::vector<Point>& points) {
    for (const Point& p : points) {
      if (std::isfinite(p[0]) && std::isfinite(p[1])) extent.add(p[axis]);
    }
  }
  template <typename Grid>
  void add_grid(const Grid& grid) {
    if (grid.columns <= 0 || grid.rows <= 0) return;
    const Range edges = axis == 0 ? cell_edges(grid.x_from, grid.x_to, grid.columns, extent.scale)
                                  : cell_edges(grid.y_from, grid.y_to, grid.rows, extent.scale);
    extent.add(edges.from);
    extent.add(edges.to);
  }
};

double to_scale(double value, Scale scale) { return scale == Scale::linear ? value : std::log10(value); }
double from_scale(double value, Scale scale) { return scale == Scale::linear ? value : std::pow(10.0, value); }

// Half the width that an axis gets about a single number.
double lone_room(double value, Scale scale) {
  if (scale == Scale::logarithmic) return 0.5;
  return std::abs(value) < least ? 1 : 0.1 * std::abs(value);
}

// Both ends free; in the units of the scale.
Range roomy(double low, double high, Scale scale, double room) {
  const double widest = std::max(std::abs(low), std::abs(high));
  // Rounding noise on a constant is not a shape.
  if (high - low <= std::max(1e-13 * widest, least)) {
    const double half = lone_room(low, scale);
    return {low - half, high + half};
  }
  return {low - room * (high - low), high + room * (high - low)};
}

void check_end(const Axis& axis, const std::optional<double>& end) {
  if (!end) return;
  const std::string name = axis.label.empty() ? "an axis" : "the axis \"" + axis.label + "\"";
  if (!std::isfinite(*end)) throw InputError("an end of " + name + " is not a finite number");
  if (axis.scale == Scale::logarithmic && *end <= 0) {
    throw InputError("an end of " + name + " is not positive, which a logarithmic axis needs");
  }
}

double held(double value) {
  constexpr double largest = std::numeric_limits<double>::max() / 4;
  return std::clamp(value, -largest, largest);
}

}  // namespace

bool has_grid(const Plot& plot) {
  return std::any_of(plot.layers.begin(), plot.layers.end(), [](const Layer& layer) {
    const auto* words = std::get_if<CategoryLayer>(&layer);
    const auto* numbers = std::get_if<FieldLayer>(&layer);
    return (words != nullptr && words->columns > 0 && words->rows > 0) ||
           (numbers != nullptr && numbers->columns > 0 && numbers->rows > 0);
  });
}

const FieldLayer* first_field(const Plot& plot) {
  for (const Layer& layer : plot.layers) {
    const auto* field = std::get_if<FieldLayer>(&layer);
    if (field != nullptr && field->columns > 0 && field->rows > 0) return field;
  }
  return nullptr;
}

Range cell_edges(double from, double to, int count, Scale scale) {
  const double a = to_scale(from, scale), b = to_scale(to, scale);
  if (count <= 1) {
    if (a == b) return {from_scale(a - 0.5, scale), from_scale(b + 0.5, scale)};
    return {from, to};
  }
  const double half = (b - a) / (2.0 * (count - 1));
  return {from_scale(a - half, scale), from_scale(b + half, scale)};
}

Range field_range(const FieldLayer& field) {
  Extent extent{field.scale};
  for (const double value : field.values) extent.add(value);
  if (extent.empty())
    extent = {field.scale, field.scale == Scale::linear ? 0.0 : 1.0, field.scale == Scale::linear ? 1.0 : 10.0};
  if (field.is_signed && field.scale == Scale::linear) {
    extent.high = std::max(std::abs(extent.low), std::abs(extent.high));
    extent.low = -extent.high;
  }
  Range range{field.low.value_or(extent.low), field.high.value_or(extent.high)};
  if (range.to > range.from) return range;
  const double half = 0.5 * std::max(std::abs(range.from), 1e-300);
  if (field.scale == Scale::logarithmic) return {range.from / 3, range.from * 3};
  return range.from == 0 ? Range{-1, 1} : Range{range.from - half, range.from + half};
}

Range shown_range(const Plot& plot, bool horizontal) {
  const Axis& axis = horizontal ? plot.x : plot.y;
  check_end(axis, axis.from);
  check_end(axis, axis.to);
  if (!std::isfinite(axis.factor) || axis.factor == 0)
    throw InputError("the factor of an axis must be a finite number other than 0");
  if (axis.from && axis.to && *axis.from != *axis.to) return {*axis.from, *axis.to};
  Measure measure{horizontal ? 0U : 1U, {axis.scale}};
  for (const Layer& layer : plot.layers) std::visit(measure, layer);
  Extent& e = measure.extent;
  // Data beyond an end that was given do not count.
  if (axis.from) e = {axis.scale, *axis.from, std::max(*axis.from, e.high)};
  if (axis.to) e = {axis.scale, std::min(*axis.to, e.low), *axis.to};
  const Range free = e.empty() ? Range{0, 1}
                               : roomy(to_scale(e.low, axis.scale), to_scale(e.high, axis.scale), axis.scale,
                                       has_grid(plot) || !plot.frame ? 0 : 0.04);
  Range range{held(from_scale(free.from, axis.scale)), held(from_scale(free.to, axis.scale))};
  // An end that was given holds; two equal ones are a single number.
  if (axis.from && !axis.to) range.from = *axis.from;
  if (axis.to && !axis.from) range.to = *axis.to;
  return range;
}

double AxisMap::at(double value) const {
  if (scale == Scale::logarithmic && value < least) return std::numeric_limits<double>::quiet_NaN();
  // Halves, because the difference of two large numbers may overflow.
  const double a = to_scale(from, scale) / 2, b = to_scale(to, scale) / 2;
  return paper_from + (to_scale(value, scale) / 2 - a) / (b - a) * (paper_to - paper_from);
}

}  // namespace painleve::detail
