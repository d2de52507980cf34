// Várkonyi (2018), Sec. 2 and Figs 3-5: which modes of one and two slipping contacts are feasible and stable.
//
// Angles γ1, γ2 of the columns of P and β of b; the boundaries of slip are those of modes/slip_transitions.hpp.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/slip_transitions.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"
#include "painleve/reproduction/varkonyi.hpp"
#include "painleve/simulation/compliant.hpp"

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double kPi = std::numbers::pi;
constexpr Colour kFeasible{200, 200, 200};
constexpr Colour kStable{86, 180, 233};

Vector2d unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

Matrix2d columns(double gamma1, double gamma2) {
  Matrix2d P;
  P << unit(gamma1), unit(gamma2);
  return P;
}

const ModeEntry& mode(const ModeTable& table, const std::string& name) {
  return *std::find_if(table.modes.begin(), table.modes.end(), [&](const ModeEntry& m) { return m.name == name; });
}

ModeTable two_contacts(const Matrix2d& P, const Vector2d& b) {
  return slip_mode_table(P, b, Vector2d::Ones(), Vector2d::Ones());
}

Axis angle_axis(const std::string& label, double from, double to) {
  Axis axis{label, "π", from, to, Scale::linear, {}, 1 / kPi};
  return axis;
}

// --- Table 1: one contact.

std::string table_1_cell(double P, double b) {
  const ModeTable table = slip_mode_table(Eigen::MatrixXd::Constant(1, 1, P), Eigen::VectorXd::Constant(1, b),
                                          Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1));
  std::string cell;
  const auto add = [&](const std::string& word) { cell += (cell.empty() ? "" : ", ") + word; };
  for (const auto& iwc : table.iwc) {
    if (iwc.possible) add("IWC");
  }
  if (mode(table, "F").consistent) add("liftoff");
  if (mode(table, "S").consistent) add("slip (" + mode(table, "S").stability.verdict + ")");
  return cell;
}

// What springs do from drawn gaps and velocities, the contact being frozen: "IWC", "liftoff", "slip (stable)".
std::set<std::string> fates(double P, double b, Draws& draws) {
  std::set<std::string> found;
  for (int i = 0; i < 24; ++i) {
    // One contact, W_tt = 1, slipping fast enough never to stop: P = W_nn − μ W_tn.
    const double mu = P < 0 ? 2.0 : 0.5;
    const double W_tn = 0.9;
    ContactSpace space;
    space.W.resize(2, 2);
    space.W << 1, W_tn, W_tn, P + mu * W_tn;
    space.b = Eigen::Vector2d(0, b);
    space.drift = Eigen::Vector2d::Zero();
    space.u = Eigen::Vector2d(1e6, draws.uniform(-1, 1));
    space.gap = Eigen::VectorXd::Constant(1, draws.uniform(-3, 0));
    space.mu = Eigen::VectorXd::Constant(1, mu);
    space.bilateral = {false};
    space.names = {"c1"};
    ContactLaw law;
    law.mu = mu;
    law.stiffness = law.damping = 1;
    SimulationOptions options;
    options.t_end = 40;
    options.samples = 0;
    const Run run = simulate_compliant(space, {law}, options, {});
    found.insert(run.outcome.starts_with("IWC") ? "IWC" : run.outcome == "F" ? "liftoff" : "slip (stable)");
  }
  return found;
}

Reproduction table_1() {
  Reproduction r;
  Draws draws(1);
  const std::map<std::pair<double, double>, std::string> printed = {{{-0.7, -0.9}, "IWC"},
                                                                    {{-0.7, 0.9}, "IWC, liftoff, slip (unstable)"},
                                                                    {{0.7, -0.9}, "slip (stable)"},
                                                                    {{0.7, 0.9}, "liftoff"}};
  for (const auto& entry : printed) {
    const auto [P, b] = entry.first;
    const std::string where = fmt::format("P {} 0, b {} 0", P < 0 ? "<" : ">", b < 0 ? "<" : ">");
    const std::string cell = table_1_cell(P, b);
    r.comparisons.push_back(compare_statement(where, entry.second, cell, cell == entry.second));
    std::string ends;
    bool listed = true;
    const std::set<std::string> found = fates(P, b, draws);
    for (const auto& fate : found) {
      ends += (ends.empty() ? "" : ", ") + fate;
      listed = listed && cell.find(fate) != std::string::npos;
    }
    const bool all = found.size() == (P < 0 && b > 0 ? 2U : 1U);  // unstable slip is no end
    r.features.push_back(feature("what springs do is what the cell lists without unstable slip, " + where,
                                 "24 drawn starts of the compliant contact", listed && all, ends));
  }
  r.remark =
      "The cells of P > 0 are interchanged in the text layer of the paper; they are compared as its text has them.";
  return r;
}

// --- Fig 3: feasibility of SF in the (γ1, β) plane, of SS in space.

// One period of (γ1, β), without a seam through the regions: both angles from −π/2 to 3π/2.
bool inside_triangle(double gamma1, double beta, bool stable) {
  if (stable) return gamma1 > -kPi / 2 && gamma1 < kPi / 2 && beta > kPi / 2 && beta < gamma1 + kPi;
  return gamma1 > kPi / 2 && gamma1 < 3 * kPi / 2 && beta > gamma1 - kPi && beta < kPi / 2;
}

Plot single_slip_plot() {
  Plot plot;
  plot.title = "SF: slip at 1, liftoff at 2";
  plot.x = angle_axis("angle of column 1, /γ/_{1}", -kPi / 2, 3 * kPi / 2);
  plot.y = angle_axis("angle of /b/, /β/", -kPi / 2, 3 * kPi / 2);
  plot.layers.emplace_back(
      RegionLayer{{{-kPi / 2, kPi / 2}, {kPi / 2, kPi / 2}, {kPi / 2, 3 * kPi / 2}}, kStable, "feasible and stable"});
  plot.layers.emplace_back(
      RegionLayer{{{kPi / 2, -kPi / 2}, {3 * kPi / 2, kPi / 2}, {kPi / 2, kPi / 2}}, kFeasible, "feasible, unstable"});
  plot.equal_scales = true;
  plot.legend = LegendPlace::below;
  return plot;
}

// The closed surface of SS between an inner strip of openings δ, as faces of the planes L1 (β + π = γ2), L2 (β + π =
// γ1) and of the sides at fixed σ.
struct StripSurface {
  std::vector<double> delta;                 // ascending
  std::vector<std::array<double, 2>> sigma;  // of the two sides, per δ
};

Point3 slip_point(double sigma, double delta, double part) {
  const double gamma1 = sigma - delta / 2;
  return {gamma1 / kPi, (sigma + delta / 2) / kPi, (gamma1 + part * delta) / kPi};
}

void add_quad(Solid& solid, const std::array<Point3, 4>& c, Colour fill) {
  solid.faces.push_back({{c[0], c[1], c[2], c[3]}, fill, Pen{ink.faded(0.25), 0.3}});
}

void add_strip(Solid& solid, const StripSurface& s, const std::array<Colour, 4>& fill) {
  constexpr int across = 6;
  for (std::size_t i = 0; i + 1 < s.delta.size(); ++i) {
    const auto at = [&](std::size_t k, double side, double part) {
      return slip_point(s.sigma[k][0] + side * (s.sigma[k][1] - s.sigma[k][0]), s.delta[k], part);
    };
    for (int j = 0; j < across; ++j) {
      const double a = static_cast<double>(j) / across;
      const double b = static_cast<double>(j + 1) / across;
      add_quad(solid, {at(i, a, 1), at(i, b, 1), at(i + 1, b, 1), at(i + 1, a, 1)}, fill[0]);  // L1
      add_quad(solid, {at(i, a, 0), at(i, b, 0), at(i + 1, b, 0), at(i + 1, a, 0)}, fill[1]);  // L2
      add_quad(solid, {at(i, 0, a), at(i, 0, b), at(i + 1, 0, b), at(i + 1, 0, a)}, fill[2]);  // S1
      add_quad(solid, {at(i, 1, a), at(i, 1, b), at(i + 1, 1, b), at(i + 1, 1, a)}, fill[3]);  // S2
    }
  }
}

std::vector<double> openings(int count) {
  std::vector<double> delta;
  for (int i = 0; i <= count; ++i) delta.push_back(kPi * (0.002 + 0.996 * i / count));
  return delta;
}

constexpr std::array<Colour, 4> kSheets{Colour{86, 180, 233}, Colour{0, 158, 115}, Colour{230, 159, 0},
                                        Colour{204, 121, 167}};

SpacePlot both_slip_plot() {
  StripSurface whole;
  whole.delta = openings(12);
  for (std::size_t i = 0; i < whole.delta.size(); ++i) whole.sigma.push_back({kPi / 4 - kPi, kPi / 4 + kPi});
  SpacePlot plot;
  plot.title = "SS: feasible for det /P/ > 0";
  add_strip(plot.solid, whole, {kFeasible, kFeasible, kFeasible, kFeasible});
  add_axes(plot.solid, {"/γ/_{1} [π]", "/γ/_{2} [π]", "/β/ + π [π]"}, {1.6, 2.2, 2.2}, false);
  return plot;
}

Reproduction fig_3() {
  Reproduction r;
  Draws draws(3);
  long wrong = 0;
  long wrong_stability = 0;
  long wrong_both = 0;
  for (int i = 0; i < 20000; ++i) {
    const double gamma1 = draws.uniform(-kPi / 2, 3 * kPi / 2);
    const double gamma2 = draws.uniform(-kPi / 2, 3 * kPi / 2);
    const double beta = draws.uniform(-kPi / 2, 3 * kPi / 2);
    const ModeTable table = two_contacts(columns(gamma1, gamma2), unit(beta));
    const ModeEntry& sf = mode(table, "SF");
    const bool drawn = inside_triangle(gamma1, beta, true) || inside_triangle(gamma1, beta, false);
    wrong += sf.consistent != drawn ? 1 : 0;
    if (sf.consistent) wrong_stability += (sf.stability.verdict == "stable") != inside_triangle(gamma1, beta, true);
    // SS: −b between the columns, whichever way round they are less than π apart.
    const double delta = std::remainder(gamma2 - gamma1, 2 * kPi);
    const double turn = std::remainder(beta + kPi - gamma1, 2 * kPi);
    wrong_both += mode(table, "SS").consistent != (turn / delta > 0 && turn / delta < 1) ? 1 : 0;
  }
  r.features.push_back(feature("SF is feasible exactly in the two triangles", "mode enumeration at 20000 drawn angles",
                               wrong == 0, fmt::format("{} differ", wrong)));
  r.features.push_back(feature("and stable exactly in the first", "eigenvalues at the same angles",
                               wrong_stability == 0, fmt::format("{} differ", wrong_stability)));
  r.features.push_back(feature("SS is feasible exactly where −b lies between the columns",
                               "mode enumeration at the same angles", wrong_both == 0,
                               fmt::format("{} differ", wrong_both)));
  r.comparisons.push_back(
      compare_statement("FS depends on", "γ1, β", "γ2, β", false, "V2", "SF depends on γ1, β; FS on γ2, β"));
  r.figures.push_back(
      {"Feasible and stable modes of two slipping contacts", "", {single_slip_plot(), both_slip_plot()}, 2});
  return r;
}

// --- Fig 4: the range of feasible and stable slip.

TwoSprings springs_of_fig_4() { return {{1, 10}, {0, 0}}; }

Reproduction fig_4() {
  StripSurface strip;
  strip.delta = openings(28);
  double worst_symmetry = 0;
  for (const double delta : strip.delta) {
    const StableStrip s = stable_strip(delta, springs_of_fig_4());
    strip.sigma.push_back({s.S1, s.S2});
    worst_symmetry =
        std::max(worst_symmetry, std::abs(s.S1 + stable_strip(kPi - delta, springs_of_fig_4()).S2 - kPi / 2));
  }
  SpacePlot plot;
  plot.view = {-0.75, 0.35};
  add_strip(plot.solid, strip, kSheets);
  add_axes(plot.solid, {"/γ/_{1} [π]", "/γ/_{2} [π]", "/β/ + π [π]"}, {0.9, 1.3, 1.3}, false);
  plot.legend = {{"L1: contact 1 loses its force", kSheets[0]},
                 {"L2: contact 2 loses its force", kSheets[1]},
                 {"S1: slip loses stability", kSheets[2]},
                 {"S2: slip loses stability", kSheets[3]}};

  Reproduction r;
  Draws draws(4);
  double on_L = 0;
  double on_S = 0;
  long wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    const double delta = draws.uniform(0.02, 0.98) * kPi;
    const StableStrip s = stable_strip(delta, {{1, 10}, {1, 1}});
    const double sigma = draws.uniform(s.S1, s.S2);
    const Matrix2d P = columns(sigma - delta / 2, sigma + delta / 2);
    on_L = std::max(on_L, std::abs(P.inverse().row(0) * unit(sigma + delta / 2)));
    const Matrix2d on_sheet = columns(s.S1 - delta / 2, s.S1 + delta / 2);
    on_S = std::max(on_S, std::abs(growth(on_sheet, Vector2d(1, 10), Vector2d(1, 1)).rate));
    const double outside = s.S2 + 0.01;
    wrong += growth(P, Vector2d(1, 10), Vector2d(1, 1)).rate < 0 ? 0 : 1;
    wrong +=
        growth(columns(outside - delta / 2, outside + delta / 2), Vector2d(1, 10), Vector2d(1, 1)).rate > 0 ? 0 : 1;
  }
  double closed = 0;
  for (const double delta : strip.delta) {
    const double D = std::sin(delta);
    const double cosine = (-D + std::sqrt(D * D + 4 * D)) / (2 * std::cos(delta / 2 - kPi / 4));
    closed = std::max(closed, std::abs(stable_strip(delta, {}).S2 - kPi / 4 - std::acos(cosine)));
  }
  r.features = {
      vanishing("on L1 the force of contact 1 vanishes", "linear solve at 2000 drawn points", on_L, 1e-12),
      vanishing("on S1 an eigenvalue pair is purely imaginary", "eigenvalues of the fast dynamics, k = (1, 10), ν = 1",
                on_S, 1e-9),
      feature("slip is stable between S1 and S2 and unstable beyond S2", "eigenvalues at 2000 drawn points", wrong == 0,
              fmt::format("{} differ", wrong)),
      vanishing("exchange of the contacts maps S1 at the opening δ to S2 at π − δ", "both sheets as drawn",
                worst_symmetry, 1e-9),
      vanishing("for k = ν = 1 the sheets have a closed form", "closed form against the roots of F", closed, 1e-9)};
  r.comparisons.push_back(
      compare_statement("boundaries of the region", "L1, L2, P, S1, S2", "L1, L2, P, S1, S2", true));
  r.comparisons.push_back(compare_statement("feasible and stable for ν1 = ν2 = 0", "stable",
                                            "marginal: all eigenvalues imaginary", false, "V12",
                                            "drawn is where they are; any damping makes that stable or unstable"));
  r.figures.push_back(
      {"Feasible and stable slip of two contacts",
       "|p1| = |p2| = k1 = 1, k2 = 10, no damping. The Painlevé boundary P is the end γ2 = γ1 + π of the "
       "surface, L12 its edge γ1 = γ2 = β + π.",
       {plot},
       1,
       460,
       400});
  return r;
}

// --- Fig 5: projection onto the γ1, γ2 plane.

const std::map<std::string, int>& slip_classes() {
  static const std::map<std::string, int> all = {{"12", 0}, {"13", 1}, {"14", 2}, {"23", 3},
                                                 {"31", 4}, {"41", 5}, {"42", 6}, {"46", 7}};
  return all;
}

// −b on L1: just inside the cone, beside column 2.
std::string class_beside_L1(const Matrix2d& P) {
  return two_contact_class(P, -(P.col(1) + 1e-9 * P.col(0))).substr(0, 2);
}

CategoryLayer class_layer(int n) {
  CategoryLayer layer{-kPi, kPi, -kPi / 2, 3 * kPi / 2, n, n, {}, {}};
  for (const auto& entry : slip_classes())
    layer.categories.emplace_back("class " + entry.first, series_colour(entry.second).faded(0.45));
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      const double gamma1 = layer.x_from + (layer.x_to - layer.x_from) * column / (n - 1);
      const double gamma2 = layer.y_from + (layer.y_to - layer.y_from) * row / (n - 1);
      const bool possible = gamma2 > gamma1 && gamma2 < gamma1 + kPi;
      int value = -1;
      if (possible) {
        const Matrix2d P = columns(gamma1, gamma2);
        const bool can = stability_for_all(P).verdict != "unstable";
        const auto found = slip_classes().find(class_beside_L1(P));
        if (can && found != slip_classes().end()) value = found->second;
      }
      layer.values.push_back(value);
    }
  }
  return layer;
}

CurveLayer strip_edge(bool first) {
  CurveLayer curve;
  curve.pen = {ink, 1.4};
  curve.label = first ? "S1, S2 for k = (1, 10), ν = 0" : "";
  for (const double delta : openings(120)) {
    const StableStrip s = stable_strip(delta, springs_of_fig_4());
    const double sigma = first ? s.S1 : s.S2;
    curve.points.push_back({sigma - delta / 2, sigma + delta / 2});
  }
  return curve;
}

Reproduction fig_5() {
  Reproduction r;
  Draws draws(5);
  std::set<std::string> stable_after;
  std::set<std::string> saddle_after;
  long outside = 0;
  long wrong_side = 0;
  for (int i = 0; i < 4000; ++i) {
    const double gamma1 = draws.uniform(-kPi, kPi);
    const double delta = draws.uniform(0.01, 0.99) * kPi;
    const Matrix2d P = columns(gamma1, gamma1 + delta);
    if (stability_for_all(P).verdict != "unstable") {
      // On L1 contact 1 has lost its force, b = −p2 up to a factor: what contact 2 does alone.
      const ModeTable alone = slip_mode_table(P.block<1, 1>(1, 1), -P.block<1, 1>(1, 1), Eigen::VectorXd::Ones(1),
                                              Eigen::VectorXd::Ones(1));
      const ModeEntry& slip = mode(alone, "S");
      if (slip.consistent)
        (slip.stability.verdict == "stable" ? stable_after : saddle_after).insert(class_beside_L1(P));
      const bool lifts = mode(two_contacts(P, -(P.col(1) - 1e-3 * P.col(0))), "FS").consistent;
      wrong_side += lifts != (slip.stability.verdict == "stable") ? 1 : 0;
    }
    TwoSprings springs;
    for (int k = 0; k < 2; ++k) {
      springs.stiffness(k) = std::exp(draws.uniform(-4, 4));
      springs.damping(k) = std::exp(draws.uniform(-4, 4));
    }
    const StableStrip s = stable_strip(delta, springs);
    const double sigma = draws.uniform(s.S1, s.S2);
    outside += stability_for_all(columns(sigma - delta / 2, sigma + delta / 2)).verdict == "unstable" ? 1 : 0;
  }
  const auto joined = [](const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); };
  r.comparisons = {
      compare_statement("regions of L1 in which contact 2 alone slips stably", "12, 13, 23, 31, 41, 42",
                        joined(stable_after), joined(stable_after) == "12, 13, 23, 31, 41, 42"),
      compare_statement("regions of L1 in which contact 2 alone slips unstably", "14, 46", joined(saddle_after),
                        joined(saddle_after) == "14, 46"),
  };
  const Matrix2d in_12 = columns(0.2, 1.2);
  const Matrix2d in_42 = columns(-0.2, 2.0);
  const std::string always = fmt::format("{} {}, {} {}", class_beside_L1(in_12), stability_for_all(in_12).verdict,
                                         class_beside_L1(in_42), stability_for_all(in_42).verdict);
  r.features = {
      feature("the stable strip lies in the light area for all springs", "4000 drawn springs and openings",
              outside == 0, fmt::format("{} outside", outside)),
      feature("in classes 12 and 42 slip is stable for all springs", "signs of the entries of P",
              always == "12 stable, 42 stable", always),
      feature("beyond L1 the mode FS follows exactly where contact 2 alone slips stably, not in 14 and 46",
              "enumeration of the modes of both contacts at drawn points", wrong_side == 0,
              fmt::format("{} differ", wrong_side)),
  };
  Plot plot;
  plot.x = angle_axis("angle of column 1, /γ/_{1}", -kPi, kPi);
  plot.y = angle_axis("angle of column 2, /γ/_{2}", -kPi / 2, 3 * kPi / 2);
  plot.layers.emplace_back(class_layer(240));
  plot.layers.emplace_back(strip_edge(true));
  plot.layers.emplace_back(strip_edge(false));
  plot.equal_scales = true;
  plot.legend = LegendPlace::right;
  r.figures.push_back(
      {"Where two contacts can slip stably, and the regions of L1",
       "Coloured: stable for some springs, by class; between the curves: stable for the springs of Fig 4.",
       {plot},
       1,
       470,
       360});
  return r;
}

}  // namespace

std::vector<PublishedItem> varkonyi_slip_items() {
  return {{"varkonyi", "table-1", "modes of one slipping contact", {}, table_1},
          {"varkonyi", "fig-3", "feasibility and stability of SF and SS", {}, fig_3},
          {"varkonyi", "fig-4", "the range of feasible and stable slip of two contacts", {}, fig_4},
          {"varkonyi", "fig-5", "its projection, and the regions of L1", {}, fig_5}};
}

}  // namespace painleve
