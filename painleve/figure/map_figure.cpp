#include "painleve/figure/map_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/ticks.hpp"

namespace painleve {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

bool is_angle(const std::string& unit) { return unit == "rad"; }
double shown_factor(const std::string& unit) { return is_angle(unit) ? 180 / std::numbers::pi : 1; }
std::string shown_unit(const std::string& unit) { return is_angle(unit) ? "deg" : unit == "1" ? "" : unit; }

// Words that mean the same in every map have the same colour in every map.
const std::map<std::string, int>& known_words() {
  static const std::map<std::string, int> words{{"unique", 2}, {"inconsistent", 6}, {"indeterminate", 7}, {"impact", 4},
                                                {"one", 2},    {"none", 6},         {"several", 7}};
  return words;
}

std::vector<std::pair<std::string, Colour>> categories(const MapColumn& column) {
  std::vector<int> left{1, 2, 3, 4, 5, 6, 7};  // without black
  for (const std::string& name : column.names) {
    if (const auto known = known_words().find(name); known != known_words().end()) std::erase(left, known->second);
  }
  if (left.empty()) left = {1, 2, 3, 4, 5, 6, 7};
  std::vector<std::pair<std::string, Colour>> list;
  std::size_t next = 0;
  for (const std::string& name : column.names) {
    const auto known = known_words().find(name);
    // Paler each time that the colours are through.
    const std::size_t round = next / left.size();
    const Colour colour = known != known_words().end()
                              ? series_colour(known->second)
                              : series_colour(left[next++ % left.size()]).faded(1 / (1 + static_cast<double>(round)));
    list.emplace_back(name, colour.faded(0.75));
  }
  return list;
}

// The value of a cell, NaN where it has none or is not in this part of the map.
double value(const Map& map, const MapColumn& column, long cell) {
  if (cell < map.first || cell >= map.last) return no_value;
  return column.values[static_cast<std::size_t>(cell - map.first)];
}

Axis axis(const MapAxis& from) {
  Axis a;
  a.label = from.name;
  a.unit = shown_unit(from.unit);
  a.factor = shown_factor(from.unit);
  return a;
}

std::string label(const MapColumn& column) {
  const std::string unit = shown_unit(column.unit);
  return unit.empty() ? column.quantity : fmt::format("{} [{}]", column.quantity, unit);
}

// The part of a map that one panel shows: the cells at `start`, then along the last one or two axes.
struct Slice {
  const Map& map;
  const MapColumn& column;
  long start = 0;
};

Plot strip_plot(const Slice& s, const std::vector<Boundary>& boundaries) {
  const MapAxis& along = s.map.axes.back();
  Plot plot;
  plot.x = axis(along);
  plot.y.ticks = {{2.0, ""}};  // beyond the ends: a strip has no ticks
  plot.y.from = -0.5;
  plot.y.to = 0.5;
  plot.legend = LegendPlace::below;
  CategoryLayer layer;
  layer.x_from = along.from;
  layer.x_to = along.to;
  layer.y_from = layer.y_to = 0;
  layer.columns = along.count;
  layer.rows = 1;
  layer.categories = categories(s.column);
  for (int i = 0; i < along.count; ++i) {
    const double v = value(s.map, s.column, s.start + i);
    layer.values.push_back(std::isnan(v) ? -1 : static_cast<int>(v));
  }
  plot.layers.emplace_back(std::move(layer));
  for (const Boundary& b : boundaries) {
    if (b.quantity != s.column.quantity) continue;
    for (const auto& chain : b.chains) {
      for (const auto& point : chain) plot.layers.emplace_back(RuleLayer{true, point[0], {ink, 1}, {}});
    }
  }
  return plot;
}

Plot curve_plot(const Slice& s) {
  const MapAxis& along = s.map.axes.back();
  Plot plot;
  plot.x = axis(along);
  plot.x.from = along.from;
  plot.x.to = along.to;
  plot.y.label = s.column.quantity;
  plot.y.unit = shown_unit(s.column.unit);
  plot.y.factor = shown_factor(s.column.unit);
  CurveLayer curve{{}, {series_colour(5), 1.6}};
  for (int i = 0; i < along.count; ++i) curve.points.push_back({along.at(i), value(s.map, s.column, s.start + i)});
  plot.layers.emplace_back(std::move(curve));
  return plot;
}

// Cells of the last two axes, row by row from the lowest value of the last one.
std::vector<double> grid_values(const Slice& s, const MapAxis& right, const MapAxis& up) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(right.count) * static_cast<std::size_t>(up.count));
  for (int row = 0; row < up.count; ++row) {
    for (int column = 0; column < right.count; ++column)
      values.push_back(value(s.map, s.column, s.start + static_cast<long>(column) * up.count + row));
  }
  return values;
}

Layer word_layer(const Slice& s, const MapAxis& right, const MapAxis& up) {
  CategoryLayer layer{right.from, right.to, up.from, up.to, right.count, up.count, {}, categories(s.column)};
  for (const double v : grid_values(s, right, up)) layer.values.push_back(std::isnan(v) ? -1 : static_cast<int>(v));
  return layer;
}

// The ends of the colours over the whole map, so that all panels share them.
void set_range(FieldLayer& layer, const MapColumn& column, double factor) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : column.values) {
    if (!std::isfinite(v) || (layer.scale == Scale::logarithmic && v <= 0)) continue;
    low = std::min(low, v * factor);
    high = std::max(high, v * factor);
  }
  if (low > high) return;
  layer.low = low;
  layer.high = high;
  layer.is_signed = layer.scale == Scale::linear && low < 0 && high > 0;
}

// Positive numbers over more than three decades, as mu_jam near a pole: on a linear ramp all but the largest look
// alike.
bool wants_logarithm(const MapColumn& column) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const double v : column.values) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  return low > 0 && high > 1e3 * low;
}

Layer number_layer(const Slice& s, const MapAxis& right, const MapAxis& up, const MapFigureOptions& options) {
  const double factor = shown_factor(s.column.unit);
  FieldLayer layer;
  layer.x_from = right.from;
  layer.x_to = right.to;
  layer.y_from = up.from;
  layer.y_to = up.to;
  layer.columns = right.count;
  layer.rows = up.count;
  layer.values = grid_values(s, right, up);
  for (double& v : layer.values) v *= factor;
  layer.scale = wants_logarithm(s.column) ? Scale::logarithmic : options.scale;
  layer.label = label(s.column);
  for (const double level : options.levels) layer.levels.push_back(level * factor);
  set_range(layer, s.column, factor);
  return layer;
}

void add_boundaries(Plot& plot, const Slice& s, const std::vector<Boundary>& boundaries) {
  for (const Boundary& b : boundaries) {
    if (b.quantity != s.column.quantity) continue;
    for (const auto& chain : b.chains) {
      CurveLayer curve{{}, {ink, 1.1}};
      for (const auto& point : chain) curve.points.push_back({point[0], point[1]});
      plot.layers.emplace_back(std::move(curve));
    }
  }
}

Plot plane_plot(const Slice& s, const std::vector<Boundary>& boundaries, const MapFigureOptions& options) {
  const MapAxis& right = s.map.axes[s.map.axes.size() - 2];
  const MapAxis& up = s.map.axes.back();
  Plot plot;
  plot.x = axis(right);
  plot.y = axis(up);
  plot.legend = LegendPlace::right;
  plot.layers.push_back(s.column.words ? word_layer(s, right, up) : number_layer(s, right, up, options));
  add_boundaries(plot, s, boundaries);
  return plot;
}

// For each leading axis the indices that are shown: evenly spread, both ends among them.
std::vector<std::vector<int>> shown_indices(const std::vector<MapAxis>& axes, std::size_t leading, int most) {
  std::vector<int> counts;
  for (std::size_t i = 0; i < leading; ++i) counts.push_back(axes[i].count);
  const auto product = [&] {
    long all = 1;
    for (const int count : counts) all *= count;
    return all;
  };
  while (product() > most) --*std::max_element(counts.begin(), counts.end());
  std::vector<std::vector<int>> shown;
  for (std::size_t i = 0; i < leading; ++i) {
    std::vector<int> list;
    for (int k = 0; k < counts[i]; ++k)
      list.push_back(counts[i] == 1 ? 0
                                    : static_cast<int>(std::lround(double(k) * (axes[i].count - 1) / (counts[i] - 1))));
    shown.push_back(std::move(list));
  }
  return shown;
}

std::string value_name(const MapAxis& axis, int index) {
  const std::string unit = shown_unit(axis.unit);
  const std::string number = detail::number_label(axis.at(index) * shown_factor(axis.unit));
  return fmt::format("{} = {}{}", axis.name, number, unit.empty() ? "" : " " + unit);
}

// Panels of one quantity, one for each shown value of the leading axes.
void add_panels(Figure& figure, const Map& map, const MapColumn& column, const std::vector<Boundary>& boundaries,
                const MapFigureOptions& options, int most) {
  const std::size_t leading = map.axes.size() > 2 ? map.axes.size() - 2 : 0;
  const auto shown = shown_indices(map.axes, leading, most);
  long inner = 1;
  for (std::size_t i = leading; i < map.axes.size(); ++i) inner *= map.axes[i].count;
  std::vector<std::size_t> at(leading, 0);
  while (true) {
    long start = 0;
    std::string title = map.columns.size() > 1 || (column.words && map.axes.size() > 1) ? column.quantity : "";
    if (leading > 0 && !title.empty()) title += "; ";
    for (std::size_t i = 0; i < leading; ++i) {
      start = start * map.axes[i].count + shown[i][at[i]];
      title += (i > 0 ? ", " : "") + value_name(map.axes[i], shown[i][at[i]]);
    }
    const Slice slice{map, column, start * inner};
    Plot plot = map.axes.size() > 1 ? plane_plot(slice, leading == 0 ? boundaries : std::vector<Boundary>{}, options)
                : column.words      ? strip_plot(slice, boundaries)
                                    : curve_plot(slice);
    plot.title = title;
    figure.panels.emplace_back(std::move(plot));
    std::size_t i = leading;
    while (i > 0 && ++at[i - 1] == shown[i - 1].size()) at[--i] = 0;
    if (i == 0) return;
  }
}

// "white: 12 of 400 cells: 10 …; 2 …"
std::string white_cells(const Map& map, const MapColumn& column) {
  long cells = 1;
  for (const MapAxis& a : map.axes) cells *= a.count;
  std::map<std::string, long> counts;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (!std::isnan(column.values[i])) continue;
    const int reason = i < column.reasons.size() ? column.reasons[i] : -1;
    ++counts[reason >= 0 ? map.reasons[static_cast<std::size_t>(reason)] : "no reason given"];
  }
  if (map.last - map.first < cells) counts["not in this part of the map"] += cells - (map.last - map.first);
  if (counts.empty()) return {};
  std::vector<std::pair<long, std::string>> sorted;
  long white = 0;
  for (const auto& entry : counts) {
    sorted.emplace_back(entry.second, entry.first);
    white += entry.second;
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t most = 4;
  std::string text = fmt::format("White in {}: {} of {} cells", column.quantity, white, cells);
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i)
    text += fmt::format("{} {} × {}", i == 0 ? ":" : ";", sorted[i].first, sorted[i].second);
  if (sorted.size() > most) text += fmt::format("; {} further reasons", sorted.size() - most);
  return text + ".";
}

std::vector<const MapColumn*> chosen(const Map& map, const MapFigureOptions& options) {
  std::vector<const MapColumn*> list;
  if (options.quantities.empty()) {
    for (const MapColumn& c : map.columns) list.push_back(&c);
    return list;
  }
  for (const std::string& name : options.quantities) {
    const auto at =
        std::find_if(map.columns.begin(), map.columns.end(), [&](const MapColumn& c) { return c.quantity == name; });
    if (at == map.columns.end()) throw InputError(fmt::format("the map has no quantity {}", name));
    list.push_back(&*at);
  }
  return list;
}

void require(const Map& map, const MapFigureOptions& options) {
  if (map.axes.empty() || map.columns.empty())
    throw InputError("a figure of a map needs at least one axis and quantity");
  if (options.most_panels < 1)
    throw InputError(fmt::format("the number of panels must be 1 or more, not {}", options.most_panels));
  for (const MapAxis& a : map.axes) {
    if (a.count < 1) throw InputError(fmt::format("axis {} of the map has no points", a.name));
  }
  for (const MapColumn& c : map.columns) {
    if (static_cast<long>(c.values.size()) != map.last - map.first)
      throw InputError(
          fmt::format("{} of the map has {} values, not {}", c.quantity, c.values.size(), map.last - map.first));
  }
}

// A line of panels where there are few; rows of the last leading axis where it fits.
int columns_of(const Figure& figure, const Map& map) {
  const auto panels = static_cast<int>(figure.panels.size());
  if (map.axes.size() <= 2) return panels > 1 ? 2 : 1;
  return panels <= 3 ? panels : panels == 4 ? 2 : panels <= 9 ? 3 : 4;
}

}  // namespace

Figure map_figure(const Map& map, const std::vector<Boundary>& boundaries, const MapFigureOptions& options) {
  require(map, options);
  Figure figure;
  figure.title = options.title;
  const auto columns = chosen(map, options);
  const int most = std::max(1, options.most_panels / static_cast<int>(columns.size()));
  for (const MapColumn* column : columns) {
    add_panels(figure, map, *column, boundaries, options, most);
    const std::string white = white_cells(map, *column);
    if (!white.empty()) figure.caption += (figure.caption.empty() ? "" : " ") + white;
  }
  const long slices =
      std::accumulate(map.axes.begin(), map.axes.end() - std::min<long>(2, static_cast<long>(map.axes.size())), 1L,
                      [](long product, const MapAxis& a) { return product * a.count; });
  const auto shown = static_cast<long>(figure.panels.size() / columns.size());
  if (shown < slices)
    figure.caption += fmt::format("{}{} of {} slices are shown.", figure.caption.empty() ? "" : " ", shown, slices);
  if (!map.complete) figure.caption += (figure.caption.empty() ? "" : " ") + std::string("The map was interrupted.");
  figure.columns = columns_of(figure, map);
  const bool many = figure.panels.size() > 4;
  figure.panel_width = map.axes.size() == 1 ? 420 : many ? 230 : 400;
  const bool strip = map.axes.size() == 1 && columns[0]->words;
  figure.panel_height = strip ? 130 : many ? 190 : 300;
  return figure;
}

}  // namespace painleve
