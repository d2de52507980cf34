// Peiret et al., Figs. 5 and 6: the articulated arm in the configuration A, and its jamming friction over x and θ3.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"
#include "painleve/study/search.hpp"

namespace painleve {
namespace {

constexpr double kPi = std::numbers::pi, kDegree = kPi / 180;
constexpr std::array<double, 3> kLength = {0.5, 0.5, 0.1};
constexpr double kShoulder = 0.6;

SceneSource arm_source(const std::string& elbow = "up") {
  return shipped_source("articulated-arm", {"elbow=" + elbow, "mu=0.5"});
}

// All interior minima of μ_jam over x and θ3 in a box, least first.
std::vector<Extreme> minima(const std::string& elbow, double x_from, double x_to, double theta_from, double theta_to) {
  const SceneSource source = arm_source(elbow);
  SearchReport report = search({source,
                                Quantity::parse("mu_jam"),
                                true,
                                {{source.resolve("x"), "x", x_from, x_to, 121},
                                 {source.resolve("theta3"), "theta3", theta_from, theta_to, 121}}});
  std::erase_if(report.extremes, [](const Extreme& e) { return !e.interior; });
  return report.extremes;
}

std::optional<double> jamming_friction(SceneSource source, double x, double theta3) {
  source.set("state.x", x);
  source.set("state.theta3", theta3);
  try {
    return friction_cone(source.build().space, 0).mu_jam;
  } catch (const InputError&) {  // out of reach
    return std::nullopt;
  }
}

using Chain = std::vector<std::array<double, 2>>;  // (radius, height) of the joints

Chain joints(const Eigen::VectorXd& q) {
  Chain chain = {{0, kShoulder}};
  for (int i = 0; i < 3; ++i) {
    chain.push_back({chain.back()[0] + kLength[i] * std::cos(q(i)), chain.back()[1] - kLength[i] * std::sin(q(i))});
  }
  return chain;
}

SpacePlot arm_in_space(const Eigen::VectorXd& q, double phi) {
  SpacePlot plot;
  plot.title = "the arm on the plane";
  plot.view = {-0.9, 0.35};
  plot.solid.faces.push_back(
      {{{-0.3, -0.5, 0}, {0.8, -0.5, 0}, {0.8, 0.5, 0}, {-0.3, 0.5, 0}}, Colour{225, 225, 225, 0.6}, {ink, 0.6}});
  plot.solid.lines.push_back({{{0, 0, 0}, {0, 0, kShoulder}}, {Colour{120, 120, 120}, 3}, false, true});
  const Chain chain = joints(q);
  const auto place = [&](const std::array<double, 2>& at) {
    return Point3{at[0] * std::cos(phi), at[0] * std::sin(phi), at[1]};
  };
  for (std::size_t i = 0; i < 3; ++i) {
    plot.solid.lines.push_back(
        {{place(chain[i]), place(chain[i + 1])}, {series_colour(static_cast<int>(i) + 5), 4}, false, true});
    plot.solid.notes.push_back({place(chain[i]), fmt::format("J_{{{}}}", i + 1), {9}, i == 1 ? 6.0 : -20.0, 3});
  }
  plot.solid.notes.push_back({place(chain[3]), "P", {9}, 5, -9});
  plot.solid.lines.push_back({{{0, 0, 0}, place({0.78, 0})}, {ink, 0.7, Dash::dashed}});
  plot.solid.notes.push_back({place({0.72, 0}), "/φ/", {9}, 2, 4});
  plot.solid.lines.push_back({{{0, 0, 0}, {0.55, 0, 0}}, {ink, 0.7, Dash::dotted}});
  return plot;
}

void add_side_view(Plot& plot, const Chain& chain) {
  const std::array<std::string, 3> names = {"link 1", "link 2", "link 3"};
  plot.layers.emplace_back(
      RegionLayer{{{-0.2, -0.06}, {0.8, -0.06}, {0.8, 0}, {-0.2, 0}}, Colour{210, 210, 210}, "plane"});
  plot.layers.emplace_back(CurveLayer{{{0, 0}, {0, kShoulder}}, {Colour{120, 120, 120}, 3}, "column"});
  for (std::size_t i = 0; i < 3; ++i) {
    plot.layers.emplace_back(
        CurveLayer{{chain[i], chain[i + 1]}, {series_colour(static_cast<int>(i) + 5), 4}, names[i]});
  }
  plot.layers.emplace_back(CurveLayer{{chain[0], chain[1], chain[2]}, {ink, 1.2}, "joints", Glyph::disc, 6, false});
  plot.layers.emplace_back(ArrowLayer{chain[3], {chain[3][0] - 0.22, 0.0}, {series_colour(3), 1.8}, ""});
  plot.layers.emplace_back(NoteLayer{{chain[3][0] - 0.22, 0}, "/e/_{jam}", {9, Anchor::end}, -3, 5});
  plot.layers.emplace_back(NoteLayer{chain[3], "P", {9}, 8, 5});
}

Figure figure_5(const Extreme& a) {
  Plot side;
  side.title = fmt::format("configuration A, μ_{{jam}} = {:.3f}", a.value);
  side.x = {"distance from the column", "m", -0.2, 0.8};
  side.y = {"height", "m", -0.06, 0.75};
  side.equal_scales = true;
  side.legend = LegendPlace::right;
  const Eigen::VectorXd q = a.scene.posed.state.q;
  add_side_view(side, joints(q));
  const Chain chain = joints(q);
  for (std::size_t i = 0; i < 3; ++i) {
    side.layers.emplace_back(
        NoteLayer{chain[i],
                  fmt::format("/θ/_{{{}}} = {:.1f}°", i + 1, q(static_cast<Eigen::Index>(i)) / kDegree),
                  {8.5},
                  10,
                  i == 0 ? 8.0 : (i == 1 ? 8.0 : 2.0)});
  }
  SceneSource stretched = arm_source();
  stretched.set("state.x", 0.6);
  stretched.set("state.theta3", 60 * kDegree);
  return {"Fig. 5: an articulated arm in contact with a plane",
          "(a) In some configuration (x = 0.6 m, θ_{3} = 60°, φ = 30°). (b) In the configuration A, a local minimum of "
          "μ_{jam}: slip along e_{jam}, towards the column, jams first.",
          {arm_in_space(stretched.build().posed.state.q, 30 * kDegree), side},
          2,
          360,
          300};
}

// The gradient of μ_jam, by central differences.
double slope_at(const Extreme& e) {
  const SceneSource source = arm_source();
  const double h = 1e-4;
  const auto at = [&](double dx, double dt) {
    return jamming_friction(source, e.at[0] + dx, e.at[1] + dt).value_or(1e9);
  };
  return std::hypot((at(h, 0) - at(-h, 0)) / (2 * h), (at(0, h) - at(0, -h)) / (2 * h));
}

}  // namespace

Reproduction peiret_figure_5() {
  const Extreme a = minima("up", 0.2, 0.5, 60 * kDegree, 140 * kDegree).at(0);
  const Eigen::VectorXd q = a.scene.posed.state.q;
  const Chain chain = joints(q);
  const FrictionCone cone = friction_cone(a.scene.space, 0);
  const Scene pose = shipped_scene("arm-jam");  // the pose behind (45)-(49)
  const FrictionCone there = friction_cone(pose.space, 0);
  const Scene dense = shipped_scene("arm-jam", {"density=2"});
  const double dense_rise = painleve_parameter(dense.space.W, 0.5, dense.space.u.head(2).normalized());
  Reproduction r;
  r.comparisons = {
      compare_printed("θ_{1} at A [deg]", "2.5", q(0) / kDegree),
      compare_printed("θ_{2} at A [deg]", "106.2", q(1) / kDegree, "E-P10"),
      compare_printed("θ_{3} at A [deg]", "101.8", q(2) / kDegree, "E-P10"),
      compare_printed("x at A [m]", "0.340", a.at[0], "E-P10"),
      compare_printed("θ_{1} at x = 0.340 m, θ_{3} = 101.75° [deg]", "2.5", pose.posed.state.q(0) / kDegree),
      compare_printed("θ_{2} there [deg]", "106.2", pose.posed.state.q(1) / kDegree),
      compare_printed("μ_{jam} there", "0.421", there.mu_jam.value()),
      compare_printed("μ_{jam} at A", "0.421", a.value),
      compare_printed("locking angle at A for μ = 0.5 [deg]", "65.3", cone.locking_angle / kDegree, "E-P9"),
      compare_printed("2 arccos(0.421/0.5) [deg]", "65.3", 2 * std::acos(0.421 / 0.5) / kDegree, "",
                      "from the rounded μ_{jam}"),
      compare_printed("e_{jam}, first component", "0", cone.e_jam.value()(0)),
      compare_printed("e_{jam}, second component", "−1", cone.e_jam.value()(1)),
      compare_statement("ρ in the caption", "2 kg/m",
                        fmt::format("1 kg/m: with ρ = 2 kg/m δu_{{c,n}} of (46) is {} λ_{{n}} dt, not −0.3118",
                                    in_digits(dense_rise, 4)),
                        std::abs(dense_rise + 0.3118) < 5e-5, "E-P6", "μ_{jam} does not depend on ρ")};
  r.features = {
      feature_near("the tip lies on the plane", "heights along the drawn links", chain[3][1], 0, 1e-12),
      feature_near("and at the distance x from the column", "lengths along the drawn links", chain[3][0], a.at[0],
                   1e-12),
      feature("A is a minimum: μ_{jam} has no slope there", "central differences", slope_at(a) < 1e-5,
              "below 1e-5 per m and rad"),
      feature_near("the elbow is up: above the line from shoulder to wrist", "sign of the cross product of both links",
                   chain[1][1] > 0.5 * (chain[0][1] + chain[2][1]) ? 1 : -1, 1, 0)};
  r.figures = {figure_5(a)};
  return r;
}

namespace {

constexpr int kColumns = 189, kRows = 145;
constexpr double kMostX = 0.94;

std::size_t cell_index(int row, int column) {
  return static_cast<std::size_t>(row) * kColumns + static_cast<std::size_t>(column);
}

FieldLayer jamming_map() {
  FieldLayer field;
  field.x_to = kMostX;
  field.y_to = kPi;
  field.columns = kColumns;
  field.rows = kRows;
  field.low = 0.4;
  field.high = 4;
  field.scale = Scale::logarithmic;
  field.label = "/μ/_{jam}";
  field.levels = {0.42, 0.45, 0.5, 0.6, 0.8, 1, 1.5, 2, 3};
  const SceneSource source = arm_source();
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const double x = kMostX * column / (kColumns - 1), theta3 = kPi * row / (kRows - 1);
      field.values.push_back(jamming_friction(source, x, theta3).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  return field;
}

Figure figure_6(FieldLayer field, const std::vector<Extreme>& found) {
  Plot plot;
  plot.x = {"distance of the tip from the column /x/", "m", 0, kMostX};
  plot.y = {"angle of the last link /θ/_{3}", "deg", 0, kPi};
  plot.y.factor = 180 / kPi;
  for (int degrees = 0; degrees <= 180; degrees += 30)
    plot.y.ticks.emplace_back(degrees * kDegree, fmt::format("{}", degrees));
  plot.legend = LegendPlace::none;
  plot.layers.emplace_back(std::move(field));
  const std::array<std::string, 2> names = {"B", "A"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Point at{found[i].at[0], found[i].at[1]};
    plot.layers.emplace_back(CurveLayer{{at}, {paper, 2}, "", Glyph::ring, 7, false});
    plot.layers.emplace_back(NoteLayer{at,
                                       fmt::format("{}: {:.3f}", names[i], found[i].value),
                                       {9.5, i == 0 ? Anchor::end : Anchor::start, paper, 0, true},
                                       i == 0 ? -8.0 : 8.0,
                                       -3});
  }
  return {"Fig. 6: jamming friction of the articulated arm",
          "Least friction at which some slip direction jams, elbow up. White: out of reach. Yellow: 4 and more. The "
          "two minima A and B are "
          "found "
          "by search.",
          {plot},
          1,
          560,
          380};
}

// The reach of the arm on the row of θ3: the last x at which the map has a value.
double drawn_reach(const FieldLayer& field, int row) {
  for (int column = kColumns - 1; column >= 0; --column) {
    if (!std::isnan(field.values[cell_index(row, column)])) return kMostX * column / (kColumns - 1);
  }
  return -1;
}

double reach(double theta3) {
  const double rise = kShoulder - kLength[2] * std::sin(theta3);
  return std::sqrt(1 - rise * rise) + kLength[2] * std::cos(theta3);
}

// The cells below a level that hang together with the cell (row, column); they are struck from the field.
long fill(FieldLayer& field, int row, int column, double level) {
  std::vector<std::array<int, 2>> open = {{row, column}};
  long cells = 0;
  while (!open.empty()) {
    const auto [r, c] = open.back();
    open.pop_back();
    if (r < 0 || c < 0 || r >= kRows || c >= kColumns) continue;
    double& value = field.values[cell_index(r, c)];
    if (!(value < level)) continue;
    value = level;
    ++cells;
    for (int k = 0; k < 9; ++k) open.push_back({r + k / 3 - 1, c + k % 3 - 1});
  }
  return cells;
}

// The parts of the map below a level; valleys of one cell's width count.
int parts_below(FieldLayer field, double level) {
  int parts = 0;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) parts += fill(field, row, column, level) > 0 ? 1 : 0;
  }
  return parts;
}

// The least cell as a state (x, θ3) with its value.
Extreme least_cell(const FieldLayer& field) {
  Extreme least;
  least.value = 1e9;
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    if (field.values[i] < least.value) {
      least.value = field.values[i];
      const std::size_t row = i / kColumns, column = i % kColumns;
      least.at = {kMostX * static_cast<double>(column) / (kColumns - 1), kPi * static_cast<double>(row) / (kRows - 1)};
    }
  }
  return least;
}

std::vector<Comparison> map_comparisons(const std::vector<Extreme>& found) {
  const auto half = minima("up", -0.9, 0.9, 1 * kDegree, 179 * kDegree),
             under = minima("up", 0.02, 0.9, -179 * kDegree, -1 * kDegree);
  const double turned = friction_cone(shipped_scene("arm-jam", {"phi=50deg", "density=3"}).space, 0).mu_jam.value();
  const double straight = friction_cone(shipped_scene("arm-jam").space, 0).mu_jam.value();
  const double down = jamming_friction(arm_source("down"), 0.34, 101.75 * kDegree).value();
  return {compare_printed("μ_{jam} at A", "0.421", found.at(1).value),
          compare_printed("μ_{jam} at B", "0.404", found.at(0).value, "",
                          fmt::format("at x = {} m, θ_{{3}} = {}°", in_digits(found.at(0).at[0], 4),
                                      in_digits(found.at(0).at[1] / kDegree, 4))),
          compare_statement("two local minima, elbow up, x > 0, 0 < θ_{3} < 180°", "two",
                            fmt::format("{}", found.size()), found.size() == 2),
          compare_statement("μ_{jam} does not depend on φ", "only on x and θ_{3}",
                            fmt::format("{} turned and with another density, {} before", in_digits(turned, 6),
                                        in_digits(straight, 6)),
                            std::abs(turned - straight) < 1e-12),
          compare_statement("μ_{jam} does not depend on anything else", "only on x and θ_{3}",
                            fmt::format("{} with the elbow down at the pose of A", in_digits(down, 4)),
                            std::abs(down - straight) < 1e-3, "E-P11"),
          compare_statement(
              "two local minima altogether", "two",
              fmt::format("{} for x of both signs, the third {}; lower ones with θ_{{3}} < 0, {}", half.size(),
                          in_digits(half.at(half.size() - 1).value, 4), in_digits(under.at(0).value, 4)),
              half.size() == 2, "E-P11")};
}

}  // namespace

Reproduction peiret_figure_6() {
  const std::vector<Extreme> found = minima("up", 0.02, 0.9, 1 * kDegree, 179 * kDegree);
  const FieldLayer field = jamming_map();
  const Extreme least = least_cell(field);
  const int middle = kRows / 2;
  const double cell = kMostX / (kColumns - 1);
  Reproduction r;
  r.comparisons = map_comparisons(found);
  r.features = {
      feature("the map below μ_{jam} = 0.45 has two parts, about A and B", "flood fill of the cells",
              parts_below(field, 0.45) == 2, fmt::format("{} parts", parts_below(field, 0.45))),
      feature("they stay apart below μ_{jam} = 1: a ridge along θ_{3} ≈ 90° is between them", "flood fill of the cells",
              parts_below(field, 1) == 2, fmt::format("{} parts", parts_below(field, 1))),
      feature("the least cell lies beside the minimum B and not below it", "all cells against the search",
              least.value >= found.at(0).value && std::abs(least.at[0] - found.at(0).at[0]) < 5 * cell,
              fmt::format("{} at x = {} m", in_digits(least.value, 4), in_digits(least.at[0], 3))),
      feature("the white part begins where the wrist is 1 m from the shoulder", "geometry, row θ_{3} = 90°",
              drawn_reach(field, middle) <= reach(kPi / 2) && drawn_reach(field, middle) > reach(kPi / 2) - cell,
              fmt::format("last cell {} m, reach {} m", in_digits(drawn_reach(field, middle), 4),
                          in_digits(reach(kPi / 2), 4))),
      feature("μ_{jam} is smooth at both minima", "central differences",
              slope_at(found.at(0)) < 1e-5 && slope_at(found.at(1)) < 1e-5, "no slope")};
  r.figures = {figure_6(field, found)};
  r.remark =
      "The range of the axes of the figure is not known. At x = 0.5 m, θ_{3} = 90° normal and tangential motion do not "
      "couple, and there is no μ_{jam}.";
  return r;
}

}  // namespace painleve
