#include "painleve/figure/map_figure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "painleve/base/error.hpp"

namespace painleve {
namespace map_figure_test {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double to_degrees = 180 / std::numbers::pi;

MapAxis axis(const std::string& name, const std::string& unit, double from, double to, int count) {
  MapAxis a;
  a.path = "state." + name;
  a.name = name;
  a.unit = unit;
  a.from = from;
  a.to = to;
  a.count = count;
  return a;
}

MapColumn numbers(const std::string& name, const std::string& unit, std::size_t cells) {
  MapColumn c;
  c.quantity = name;
  c.unit = unit;
  for (std::size_t i = 0; i < cells; ++i) c.values.push_back(static_cast<double>(i));
  c.reasons.assign(cells, -1);
  return c;
}

// 4 × 3 cells; the word of a cell is its number modulo 3.
Map word_map() {
  Map map;
  map.axes = {axis("theta", "rad", 0, 1.5, 4), axis("mu", "1", 0, 2, 3)};
  MapColumn c = numbers("verdict", "", 12);
  c.words = true;
  c.names = {"inconsistent", "indeterminate", "unique"};
  for (double& v : c.values) v = std::fmod(v, 3);
  map.columns = {c};
  map.last = 12;
  return map;
}

template <class Kind>
const Kind& first_layer(const Panel& panel) {
  for (const Layer& layer : std::get<Plot>(panel).layers) {
    if (const auto* found = std::get_if<Kind>(&layer)) return *found;
  }
  throw std::runtime_error("no such layer");
}

TEST(MapFigure, FirstAxisRunsRightAndSecondUp) {
  const Map map = word_map();
  const Figure figure = map_figure(map);
  ASSERT_EQ(figure.panels.size(), 1U);
  const auto& layer = first_layer<CategoryLayer>(figure.panels[0]);
  EXPECT_EQ(layer.columns, 4);
  EXPECT_EQ(layer.rows, 3);
  EXPECT_EQ(layer.x_to, 1.5);
  EXPECT_EQ(layer.y_to, 2);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto cell = static_cast<std::size_t>(i * 3 + j);  // the last axis fastest
      EXPECT_EQ(layer.values[static_cast<std::size_t>(j * 4 + i)], static_cast<int>(map.columns[0].values[cell]));
    }
  }
  ASSERT_EQ(layer.categories.size(), 3U);
  EXPECT_EQ(layer.categories[0].first, "inconsistent");
  EXPECT_TRUE(figure.caption.empty());
}

TEST(MapFigure, AnglesAreShownInDegrees) {
  Map map = word_map();
  map.columns = {numbers("locking_angle", "rad", 12)};
  const Figure figure = map_figure(map);
  const Plot& plot = std::get<Plot>(figure.panels[0]);
  EXPECT_EQ(plot.x.unit, "deg");
  EXPECT_DOUBLE_EQ(plot.x.factor, to_degrees);
  EXPECT_EQ(plot.y.unit, "");
  EXPECT_EQ(plot.y.factor, 1);
  const auto& field = first_layer<FieldLayer>(figure.panels[0]);
  EXPECT_EQ(field.label, "locking_angle [deg]");
  EXPECT_DOUBLE_EQ(field.values.back(), 11 * to_degrees);
  EXPECT_DOUBLE_EQ(*field.high, 11 * to_degrees);
}

TEST(MapFigure, SameWordSameColour) {
  const Map map = word_map();
  Map fewer = map;
  fewer.columns[0].names = {"indeterminate", "unique"};
  for (double& v : fewer.columns[0].values) v = std::fmod(v, 2);
  const Figure both = map_figure(map), figure = map_figure(fewer);
  const auto& three = first_layer<CategoryLayer>(both.panels[0]).categories;
  const auto& two = first_layer<CategoryLayer>(figure.panels[0]).categories;
  EXPECT_EQ(three[1], two[0]);
  EXPECT_EQ(three[2], two[1]);
}

// Unknown words beside known ones take colours that the known ones leave.
TEST(MapFigure, DifferentWordsDifferentColours) {
  Map map = word_map();
  map.columns[0].names = {"F", "S+", "T", "none", "unique"};
  const Figure figure = map_figure(map);
  const auto& categories = first_layer<CategoryLayer>(figure.panels[0]).categories;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(categories[i].second == categories[j].second) << i << ' ' << j;
  }
}

TEST(MapFigure, WhiteCellsAreCountedByReason) {
  Map map = word_map();
  map.reasons = {"no coupling", "out of reach"};
  map.columns = {numbers("mu_jam", "1", 12)};
  for (const std::size_t i : {0U, 4U, 5U}) {
    map.columns[0].values[i] = none;
    map.columns[0].reasons[i] = i == 0 ? 0 : 1;
  }
  const Figure figure = map_figure(map);
  EXPECT_EQ(figure.caption, "White in mu_jam: 3 of 12 cells: 2 × out of reach; 1 × no coupling.");
  const auto& field = first_layer<FieldLayer>(figure.panels[0]);
  EXPECT_TRUE(std::isnan(field.values[0]));
  EXPECT_TRUE(std::isnan(field.values[1 * 4 + 1]));  // cell 4 = (1, 1)
  EXPECT_EQ(*field.low, 1);
}

TEST(MapFigure, ShardLeavesTheRestWhite) {
  Map map = word_map();
  map.first = 6;
  MapColumn& c = map.columns[0];
  c.values.erase(c.values.begin(), c.values.begin() + 6);
  c.reasons.resize(6);
  const Figure figure = map_figure(map);
  EXPECT_EQ(figure.caption, "White in verdict: 6 of 12 cells: 6 × not in this part of the map.");
  const auto& layer = first_layer<CategoryLayer>(figure.panels[0]);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int cell = i * 3 + j;
      EXPECT_EQ(layer.values[static_cast<std::size_t>(j * 4 + i)], cell < 6 ? -1 : cell % 3);
    }
  }
}

TEST(MapFigure, BoundariesOfTheQuantityAreDrawn) {
  Boundary mine{"verdict", "unique", "inconsistent", {{{0.1, 0.2}, {0.3, 0.4}}, {{1, 1}}}};
  Boundary other{"resolution", "one", "none", {{{0.5, 0.5}, {0.6, 0.6}}}};
  const Figure figure = map_figure(word_map(), {mine, other});
  std::vector<std::vector<Point>> curves;
  for (const Layer& layer : std::get<Plot>(figure.panels[0]).layers) {
    if (const auto* curve = std::get_if<CurveLayer>(&layer)) curves.push_back(curve->points);
  }
  EXPECT_EQ(curves, (std::vector<std::vector<Point>>{{{0.1, 0.2}, {0.3, 0.4}}, {{1, 1}}}));
}

TEST(MapFigure, OneAxisOfWordsIsAStrip) {
  Map map = word_map();
  map.axes = {axis("theta", "rad", 0, 1.1, 12)};
  const Figure figure = map_figure(map, {{"verdict", "unique", "inconsistent", {{{0.25, 0}}}}});
  const auto& layer = first_layer<CategoryLayer>(figure.panels[0]);
  EXPECT_EQ(layer.rows, 1);
  EXPECT_EQ(layer.columns, 12);
  EXPECT_EQ(layer.values[4], 1);
  const auto& rule = first_layer<RuleLayer>(figure.panels[0]);
  EXPECT_TRUE(rule.vertical);
  EXPECT_EQ(rule.at, 0.25);
}

TEST(MapFigure, OneAxisOfNumbersIsACurveWithGaps) {
  Map map = word_map();
  map.axes = {axis("theta", "rad", 0, 1.1, 12)};
  map.columns = {numbers("p", "1/kg", 12)};
  map.columns[0].values[5] = none;
  const Figure figure = map_figure(map);
  const auto& curve = first_layer<CurveLayer>(figure.panels[0]);
  ASSERT_EQ(curve.points.size(), 12U);
  EXPECT_DOUBLE_EQ(curve.points[3][0], 0.3);
  EXPECT_EQ(curve.points[3][1], 3);
  EXPECT_TRUE(std::isnan(curve.points[5][1]));
  EXPECT_EQ(std::get<Plot>(figure.panels[0]).y.unit, "1/kg");
}

// 30 × 4 × 3 cells: twelve panels from the first value to the last, each with its own slice.
TEST(MapFigure, MoreAxesAreSmallMultiples) {
  Map map = word_map();
  map.axes.insert(map.axes.begin(), axis("mass", "kg", 1, 30, 30));
  map.columns = {numbers("p", "1/kg", 360)};
  map.last = 360;
  const Figure figure = map_figure(map);
  ASSERT_EQ(figure.panels.size(), 12U);
  EXPECT_EQ(std::get<Plot>(figure.panels.front()).title, "mass = 1 kg");
  EXPECT_EQ(std::get<Plot>(figure.panels.back()).title, "mass = 30 kg");
  const auto& last = first_layer<FieldLayer>(figure.panels.back());
  EXPECT_EQ(last.values[0], 29 * 12);
  EXPECT_EQ(last.values[2 * 4 + 3], 359);
  // One scale of colours for all.
  for (const Panel& panel : figure.panels) {
    EXPECT_EQ(*first_layer<FieldLayer>(panel).low, 0);
    EXPECT_EQ(*first_layer<FieldLayer>(panel).high, 359);
  }
}

TEST(MapFigure, TwoLeadingAxesShareThePanels) {
  Map map = word_map();
  map.axes.insert(map.axes.begin(), {axis("mass", "kg", 1, 5, 5), axis("psi", "rad", 0, std::numbers::pi, 7)});
  map.columns = {numbers("p", "1/kg", 5U * 7 * 12)};
  map.last = 5L * 7 * 12;
  const Figure figure = map_figure(map);
  ASSERT_LE(figure.panels.size(), 12U);
  ASSERT_GE(figure.panels.size(), 9U);
  EXPECT_EQ(std::get<Plot>(figure.panels.front()).title, "mass = 1 kg, psi = 0 deg");
  EXPECT_EQ(std::get<Plot>(figure.panels.back()).title, "mass = 5 kg, psi = 180 deg");
  for (const Panel& panel : figure.panels) {
    // The slice that a title names is the slice that is shown.
    const auto& field = first_layer<FieldLayer>(panel);
    const long block = std::lround(field.values[0]) / 12;
    const double mass = 1 + static_cast<double>(block / 7), psi = 30.0 * static_cast<double>(block % 7);
    EXPECT_EQ(std::get<Plot>(panel).title, "mass = " + std::to_string(std::lround(mass)) +
                                               " kg, psi = " + std::to_string(std::lround(psi)) + " deg");
  }
}

TEST(MapFigure, QuantitiesCanBeChosen) {
  Map map = word_map();
  map.columns.push_back(numbers("p", "1/kg", 12));
  EXPECT_EQ(map_figure(map).panels.size(), 2U);
  MapFigureOptions options;
  options.quantities = {"p"};
  EXPECT_EQ(map_figure(map, {}, options).panels.size(), 1U);
  options.quantities = {"q"};
  EXPECT_THROW(map_figure(map, {}, options), InputError);
}

TEST(MapFigure, SignedNumbersAreShownAsSuch) {
  Map map = word_map();
  map.columns = {numbers("p", "1/kg", 12)};
  EXPECT_FALSE(first_layer<FieldLayer>(map_figure(map).panels[0]).is_signed);
  map.columns[0].values[0] = -4;
  EXPECT_TRUE(first_layer<FieldLayer>(map_figure(map).panels[0]).is_signed);
}

TEST(MapFigure, InterruptedMapSaysSo) {
  Map map = word_map();
  map.complete = false;
  EXPECT_EQ(map_figure(map).caption, "The map was interrupted.");
}

TEST(MapFigure, RefusesMapsThatAreNone) {
  EXPECT_THROW(map_figure(Map{}), InputError);
  Map map = word_map();
  map.columns[0].values.pop_back();
  EXPECT_THROW(map_figure(map), InputError);
  MapFigureOptions options;
  options.most_panels = 0;
  EXPECT_THROW(map_figure(word_map(), {}, options), InputError);
}

}  // namespace map_figure_test
}  // namespace painleve
