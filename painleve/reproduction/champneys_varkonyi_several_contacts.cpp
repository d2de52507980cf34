// Figs. 6 to 8: mechanisms with two contacts. The rod between guides (Painlevé, Klein), the wedged block, the body on
// two legs, and the walkers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/study/search.hpp"

namespace painleve::champneys_varkonyi {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

bool has(const std::vector<std::string>& modes, const std::string& mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

// How many motions the rod between bilateral guides has when mass 2 is pulled along or against its way.
int klein_motions(double m1, double m2, double phi, double mu1, double mu2, double pull) {
  const Scene scene = scene_of("painleve-klein", {{"mass1", m1},
                                                  {"mass2", m2},
                                                  {"phi", phi},
                                                  {"slip", 1},
                                                  {"guide1.mu", mu1},
                                                  {"guide2.mu", mu2},
                                                  {"force2", pull}});
  return static_cast<int>(mode_table(scene.space, {}).consistent_modes().size());
}

bool klein_paradox(double m1, double m2, double phi, double mu1, double mu2) {
  return klein_motions(m1, m2, phi, mu1, mu2, 1) != 1 || klein_motions(m1, m2, phi, mu1, mu2, -1) != 1;
}

void add_klein_condition(Reproduction& result) {
  Draws draws(29);
  int printed_wrong = 0, corrected_wrong = 0;
  constexpr int count = 400;
  for (int i = 0; i < count; ++i) {
    const double m1 = draws.uniform(0.2, 2), m2 = draws.uniform(0.2, 2), phi = draws.uniform(0.1, 1.5);
    const double mu1 = draws.uniform(0, 3), mu2 = draws.uniform(0, 3), cot = 1 / std::tan(phi);
    const bool paradox = klein_paradox(m1, m2, phi, mu1, mu2);
    corrected_wrong += paradox != (std::abs(m1 * mu2 - m2 * mu1) > (m1 + m2) * cot) ? 1 : 0;
    printed_wrong += paradox != (std::abs(mu2 - mu1) <= cot) ? 1 : 0;
  }
  const bool frictionless = klein_paradox(1, 1, 1.2, 0, 0);  // the printed test says yes: 0 ≤ cot φ
  add(result,
      {"E29", "rod between bilateral guides: when paradoxes occur", "|μ2 − μ1| ≤ cot φ",
       "|m1μ2 − m2μ1| > (m1 + m2) cot φ", printed_wrong > count / 2 && !frictionless, corrected_wrong == 0,
       fmt::format("{} drawn rods: printed test wrong for {}, corrected for {}; without friction there is one motion",
                   count, printed_wrong, corrected_wrong)});
}

Plot klein_map() {
  constexpr int columns = 60, rows = 50;
  CategoryLayer layer{
      0.3,     1.5,
      0,       4,
      columns, rows,
      {},      {{"one motion", Colour{214, 230, 244}}, {"two with the pull, none against it", Colour{240, 180, 90}}}};
  for (const double gap : evenly(0, 4, rows)) {
    for (const double phi : evenly(0.3, 1.5, columns)) {
      layer.values.push_back(klein_paradox(1, 1, phi, 0, gap) ? 1 : 0);
    }
  }
  Plot plot;
  plot.title = "rod between guides, equal masses, /μ/_{1} = 0";
  plot.x = {"angle of the rod /φ/", "deg", 0.3, 1.5, Scale::linear, {}, degrees};
  plot.y = {"/μ/_{2} − /μ/_{1}", "", 0.0, 4.0};
  plot.layers.emplace_back(std::move(layer));
  plot.layers.emplace_back(
      CurveLayer{curve([](double phi) { return 2 / std::tan(phi); }, 0.3, 1.5, 100), {ink, 1.4}, "2 cot /φ/ (E29)"});
  plot.layers.emplace_back(CurveLayer{curve([](double phi) { return 1 / std::tan(phi); }, 0.3, 1.5, 100),
                                      {ink, 1.2, Dash::dotted},
                                      "cot /φ/, printed"});
  plot.legend = LegendPlace::below;
  return plot;
}

Reproduction figure_6() {
  Reproduction result;
  add_klein_condition(result);
  for (const double phi : {0.6, 1.2}) {
    const double edge = change_between([phi](double mu2) { return klein_paradox(1, 1, phi, 0, mu2); }, 0, 10);
    result.features.push_back(feature_near(fmt::format("the region of paradoxes begins at 2 cot φ, φ = {}", phi),
                                           "change of the count of motions against the formula", edge,
                                           2 / std::tan(phi), 1e-9));
  }
  const int with = klein_motions(1, 1, 1.2, 0, 1.5, 1), against = klein_motions(1, 1, 1.2, 0, 1.5, -1);
  result.features.push_back(feature("above it there are two motions with the pull and none against it",
                                    "all modes listed, φ = 1.2, μ2 = 1.5", with == 2 && against == 0,
                                    fmt::format("{} and {}", with, against)));
  result.figures.push_back({"A rod between two guides", "", {}, 2, 300, 280});
  result.figures.back().panels = {drawing(scene_of("klein-several", {}), "two masses on a massless rod"), klein_map()};
  result.remark = "Two point masses on a massless rod, our reading of a figure that cannot be seen.";
  return result;
}

std::vector<std::string> wedge_modes(double tilt, double mu) {
  return mode_table(scene_of("wedged-block", {{"tilt", tilt}, {"contact.mu", mu}}).space, {}).consistent_modes();
}

std::vector<std::string> legged_modes(double foot1, double mu1) {
  return mode_table(
             scene_of("two-legged-body", {{"foot1", foot1}, {"foot1.mu", mu1}, {"foot2.mu", 2.5}, {"gravity", 1}})
                 .space,
             {})
      .consistent_modes();
}

template <class Modes>
Plot threshold_map(const std::string& title, const Axis& x, const Axis& y, const Modes& modes,
                   const std::vector<std::pair<std::string, std::string>>& kinds) {
  constexpr int columns = 64, rows = 64;
  CategoryLayer layer{*x.from, *x.to, *y.from, *y.to, columns, rows, {}, {}};
  layer.categories = {{kinds[0].second, Colour{240, 180, 90}}, {kinds[1].second, Colour{214, 230, 244}}};
  for (const double v : evenly(*y.from, *y.to, rows)) {
    for (const double u : evenly(*x.from, *x.to, columns))
      layer.values.push_back(has(modes(u, v), kinds[0].first) ? 0 : 1);
  }
  Plot plot;
  plot.title = title;
  plot.x = x;
  plot.y = y;
  plot.layers.emplace_back(std::move(layer));
  plot.legend = LegendPlace::below;
  return plot;
}

void add_wedge(Reproduction& result) {
  bool always_falls = true;
  for (const double mu : {0.05, 0.15, 0.25, 1.0}) always_falls = always_falls && has(wedge_modes(0.2, mu), "FF");
  result.comparisons.push_back(
      compare_statement("block between skew walls: both contacts stick", "consistent if μ is high enough",
                        "TT for μ > tan β, FF for every μ",
                        has(wedge_modes(0.2, 0.3), "TT") && !has(wedge_modes(0.2, 0.1), "TT") && always_falls));
  for (const double tilt : {0.1, 0.2, 0.4}) {
    const double edge = change_between([tilt](double mu) { return has(wedge_modes(tilt, mu), "TT"); }, 0.01, 2);
    result.features.push_back(
        feature_near(fmt::format("TT begins at μ = tan β, β = {}", tilt),
                     "bisection on the list of modes against the balance of forces; within 10⁻⁵ of it the "
                     "forces have grown beyond what the list tells from a singular case",
                     edge, std::tan(tilt), 1e-5 * (1 + std::tan(tilt))));
  }
}

void add_legs(Reproduction& result) {
  const auto low = legged_modes(0.1, 0.05), high = legged_modes(0.1, 0.11);
  result.comparisons.push_back(
      compare_statement("body on two legs, slippery left foot: indeterminacy", "static equilibrium TT and motion S+F",
                        fmt::format("TT and S+F for μ1 < x1/h, TT alone above it"),
                        has(low, "TT") && has(low, "S+F") && has(high, "TT") && !has(high, "S+F")));
  for (const double foot1 : {0.05, 0.1, 0.15}) {
    const double edge = change_between([foot1](double mu) { return has(legged_modes(foot1, mu), "S+F"); }, 0.001, 0.6);
    result.features.push_back(feature_near(fmt::format("S+F ends at μ1 = x1/h = {}", foot1),
                                           "bisection on the list of modes against the balance of moments", edge, foot1,
                                           1e-8));
  }
}

Reproduction figure_7() {
  Reproduction result;
  add_wedge(result);
  add_legs(result);
  Plot wedge =
      threshold_map("block between walls", {"tilt of the walls /β/", "deg", 0.02, 0.6, Scale::linear, {}, degrees},
                    {"/μ/", "", 0.02, 0.8}, wedge_modes, {{"TT", "hangs or falls (TT, FF)"}, {"FF", "falls (FF)"}});
  wedge.layers.emplace_back(
      CurveLayer{curve([](double b) { return std::tan(b); }, 0.02, 0.6, 60), {ink, 1.3}, "tan /β/"});
  Plot legs = threshold_map("body on two legs", {"x_{1}/h", "", 0.02, 0.17}, {"/μ/_{1}", "", 0.02, 0.17}, legged_modes,
                            {{"S+F", "stands or slides off (TT, S+F)"}, {"TT", "stands (TT)"}});
  legs.layers.emplace_back(CurveLayer{{{0.02, 0.02}, {0.17, 0.17}}, {ink, 1.3}, "x_{1}/h"});
  result.figures.push_back({"Ambiguous equilibria", "", {}, 2, 300, 270});
  result.figures.back().panels = {drawing(scene_of("wedge", {}), "block between skew walls"),
                                  drawing(scene_of("two-legged-body", {}), "body on two legs"), wedge, legs};
  result.remark =
      "Bodies of our own choice: the drawings carry no dimensions. Slope 10°, x2 = 0.5, μ2 = 2.5 on the right; the "
      "balance of "
      "moments about the centre does not know them.";
  return result;
}

Plot wheel_plot(Reproduction& result) {
  Plot plot;
  plot.title = "rimless wheel, least over the stance";
  plot.x = {"/ρ///l/", ""};
  plot.y = {"/μ/_{P,min}", "", 0.0, {}};
  int colour = 1;
  for (const int legs : {6, 8, 12}) {
    const double half = std::numbers::pi / legs, middle = std::numbers::pi / 2;
    std::vector<Point> points;
    double worst = 0;
    for (const double gyration : evenly(0.1, 0.9, 9)) {
      const double kappa = gyration * gyration;
      const SceneSource source =
          source_of("rimless-wheel", {{"legs", double(legs)}, {"leg_length", 1}, {"gyration", gyration}, {"slope", 0}});
      const double value = least_along(source, "mu_jam", "theta", middle - half, middle - 1e-3).value;
      const double t = std::tan(std::max(middle - half, std::atan(std::sqrt(1 + 1 / kappa))));
      worst = std::max(worst, std::abs(value / (kappa * t + (kappa + 1) / t) - 1));
      points.push_back({gyration, value});
    }
    result.features.push_back(feature(
        fmt::format("{} legs: μ_P,min = κ tan θ + (κ + 1)/tan θ at the least angle or at tan² θ = 1 + 1/κ", legs),
        "closed form against the search over the stance", worst < 1e-8, error_size(worst)));
    plot.layers.emplace_back(
        CurveLayer{points, {series_colour(colour++), 1.4}, fmt::format("{} legs", legs), Glyph::disc});
  }
  return plot;
}

Plot biped_plot(Reproduction& result) {
  std::vector<Point> points;
  for (const double hip : {0.5, 1.0, 2.0, 5.0, 10.0}) {
    const SceneSource source = source_of("compass-biped", {{"hip_mass", hip}, {"slope", 0}});
    const SearchReport both = search(
        {source,
         Quantity::parse("mu_jam"),
         true,
         {{source.resolve("theta1"), "theta1", 0.05, 1.2, 12}, {source.resolve("theta2"), "theta2", -1.2, 1.2, 13}}});
    const Extreme& best = both.extremes.front();
    result.features.push_back(
        feature(fmt::format("biped, hip of {} leg masses: the least friction is at legs side by side", hip),
                "angles of the least value over both legs", std::abs(best.at[0] - best.at[1]) < 1e-5,
                fmt::format("both at {:.4f} rad", best.at[0])));
    points.push_back({hip, best.value});
  }
  const bool falls = std::ranges::is_sorted(points, [](const Point& p, const Point& q) { return p[1] > q[1]; });
  result.comparisons.push_back(
      compare_statement("walkers: slipping feet and the paradox", "can exhibit the paradox",
                        fmt::format("biped with a hip of 10 leg masses: from μ = {} on", in_digits(points.back()[1])),
                        falls && points.back()[1] < 0.3));
  Plot plot;
  plot.title = "compass biped, least over both legs";
  plot.x = {"hip mass in leg masses", "", {}, {}, Scale::logarithmic};
  plot.y = {"/μ/_{P,min}", "", 0.0, {}};
  plot.layers.emplace_back(CurveLayer{points, {series_colour(5), 1.4}, "", Glyph::disc});
  return plot;
}

Reproduction figure_8() {
  Reproduction result;
  const Plot wheel = wheel_plot(result), biped = biped_plot(result);
  result.figures.push_back({"The rimless wheel and the compass biped", "", {}, 2, 300, 260});
  result.figures.back().panels = {
      drawing(scene_of("rimless-wheel", {}), "rimless wheel"),
      drawing(scene_of("compass-biped", {{"theta1", 0.2}, {"theta2", -0.3}}), "compass biped"), wheel, biped};
  result.remark = "No numbers are printed. Contact data of the stance only; gaits are shipped as scenarios.";
  return result;
}

}  // namespace

std::vector<PublishedItem> several_contact_items() {
  return {item("fig-6", "The Painlevé–Klein problem", figure_6, {"klein-several"}),
          item("fig-7", "Ambiguous equilibria: wedged block, body on two legs", figure_7, {"wedge", "tumbling-body"}),
          item("fig-8", "Rimless wheel and compass biped", figure_8, {"wheel-walking", "biped-walking"})};
}

}  // namespace painleve::champneys_varkonyi
