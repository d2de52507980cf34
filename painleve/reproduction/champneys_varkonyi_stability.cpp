// Sec. 4, Table 3 and Fig. 12: stability in the stiff limit, what is left of the modes, and the fast normal dynamics
// with λ_N = max(−y − v, 0).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/figure/phase_portrait.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/reproduction/champneys_varkonyi_cells.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/simulation/compliant.hpp"

namespace painleve::champneys_varkonyi {
namespace {

// ---- Table 3

Reproduction table_3() {
  Reproduction result;
  const Cells printed{{{"F", "F", "F"},
                       {"F", "F or (F and T)", "F and IWC"},
                       {"F and IWC", "F or (F and T)", "F"},
                       {"S+", "T or S+ or S-", "S-"},
                       {"S+", "S+ or T", "IWC"},
                       {"IWC", "S- or T", "S-"}}};
  FoundCells found;
  Draws draws(3);
  for (int i = 0; i < 6000; ++i) {
    const double A = draws.uniform(0.2, 2), C = draws.uniform(0.2, 2);
    const double B = draws.uniform(-0.99, 0.99) * std::sqrt(A * C);
    const PlanarContact c =
        contact({A, B, C}, draws.uniform(-5, 5), draws.uniform(-2, 2), draws.integer(-1, 1), draws.uniform(0.05, 6));
    Choice ways;
    for (const std::string& way : mode_table(space_of(c), {}).continuations) ways.insert(way == "I" ? "IWC" : way);
    found[row_of(c)][column_of(c)].insert(ways);
  }
  compare_cells(result, printed, found);
  const auto empty = [&] {
    for (const auto& row : found) {
      for (const auto& cell : row) {
        if (cell.contains(Choice{})) return true;
      }
    }
    return false;
  };
  result.features.push_back(
      feature("with impacts at least one continuation is left in every cell", "6000 drawn contacts", !empty()));
  add_label(result, "E15", "end of Sec. 4.3: cell of unstable negative slip", "III(iii)", "III(ii)");
  add_label(result, "E16", "Sec. 4.4: cells with stick and lift-off", "III(ii) and II(iii)", "II(ii) and II(iii)");
  add_label(result, "E17", "Sec. 4.4: cell with impact without collision", "I(iv)", "I(vi)");
  return result;
}

// ---- Sec. 4

Reproduction section_4() {
  Reproduction result;
  const PlanarContact c = contact({1, 0.5, 1}, 0.4, -1, 0, 1.5);
  const double slope = fast_matrix(space_of(c), {{Letter::T, Eigen::VectorXd(), 1}})(0, 0);
  const double printed = (c.b_t * c.W_tn - c.W_tt * c.b_n) / (c.W_tt * c.W_nn - c.W_tn * c.W_tn);
  add(result,
      {"E14", "normal slope K in stick (Sec. 4.2)", "K = (aB − Ab)/(AC − B²)", "K = (AC − B²)/A",
       std::abs(slope - printed) > 0.5, std::abs(slope - 0.75) < 1e-14,
       fmt::format("A = C = 1, B = 0.5, a = 0.4, b = −1: {}; printed {}", in_digits(slope), in_digits(printed))});
  Draws draws(4);
  int stable_wrong = 0, saddle_wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const double P = draws.uniform(-2, 2), k = draws.uniform(0.1, 5), damping = draws.uniform(0.1, 5);
    const double rate = growth(Eigen::MatrixXd::Constant(1, 1, P), Eigen::VectorXd::Constant(1, k),
                               Eigen::VectorXd::Constant(1, damping))
                            .rate;
    stable_wrong += P > 0 && rate >= 0 ? 1 : 0;
    saddle_wrong += P < 0 && rate <= 0 ? 1 : 0;
  }
  result.comparisons.push_back(
      compare_statement("slip with p > 0, and stick (K > 0)", "eigenvalues with negative real part",
                        fmt::format("{} exceptions in 20000 draws", stable_wrong), stable_wrong == 0));
  result.comparisons.push_back(compare_statement("slip with p < 0", "a positive and a negative eigenvalue",
                                                 fmt::format("{} exceptions in 20000 draws", saddle_wrong),
                                                 saddle_wrong == 0));
  int repelled = 0, stuck = 0;
  for (int i = 0; i < 20000; ++i) {
    const double B = draws.uniform(-0.9, 0.9);
    const PlanarModes m =
        planar_modes(contact({1, B, 1}, draws.uniform(-2, 2), -draws.uniform(0.1, 2), 0, draws.uniform(0.1, 3)));
    if (m.consistent != mode_T || m.p_plus <= 0 || m.p_minus <= 0) continue;
    ++stuck;
    repelled += m.slip_plus.a_t < 0 && m.slip_minus.a_t > 0 ? 0 : 1;
  }
  result.comparisons.push_back(compare_statement(
      "Sec. 3.4: stick inside the cone with p+, p− > 0", "a stable sliding manifold: u̇ < 0 < u̇ on its sides",
      fmt::format("{} exceptions in {} drawn contacts", repelled, stuck), repelled == 0 && stuck > 1000));
  add_label(result, "E07", "Sec. 4.2: equation of the force in stick", "(4.2)", "(21)");
  return result;
}

// ---- Fig. 12

struct Panel {
  std::string what;
  PlanarContact contact;
  std::set<std::string> outcomes;  // as the text has them
};

const std::array<Panel, 6>& panels() {
  // p = C − μB = ±1 for u > 0; at rest p+ = −0.6, k+ = 1.2, K = 0.36, edge of the cone at a = 2.
  static const std::array<Panel, 6> all{{
      {"I(i), I(ii): /b/, /p/^{+} > 0", contact({1, 0, 1}, 0, 1, 1, 1), {"F"}},
      {"I(iii): /b/ > 0 > /p/^{+}", contact({1, 0.8, 1}, 0, 1, 1, 2.5), {"F", "IWC"}},
      {"I(iv), I(v): /b/ < 0 < /p/^{+}", contact({1, 0, 1}, 0, -1, 1, 1), {"S+"}},
      {"I(vi): /b/, /p/^{+} < 0", contact({1, 0.8, 1}, 0, -1, 1, 2.5), {"IWC"}},
      {"II(iii), outside the cone: /a/ = 1.2", contact({1, 0.8, 1}, 1.2, 1, 0, 2), {"F"}},
      {"II(iii), inside the cone: /a/ = 3.2", contact({1, 0.8, 1}, 3.2, 1, 0, 2), {"F", "T"}},
  }};
  return all;
}

// Where the spring takes the contact from (y, v), by the simulation of compliant contacts.
std::string outcome(const PlanarContact& c, double y, double v) {
  ContactSpace space = space_of(c);
  space.gap(0) = y;
  space.u(1) = v;
  if (c.u_t > 0) space.u(0) = 1e9;  // the slip outlasts the fast motion
  ContactLaw law;
  law.mu = c.mu;
  law.stiffness = law.damping = 1;
  law.compliance = Compliance::kelvin_voigt;
  SimulationOptions options;
  options.t_end = 60;
  options.samples = 0;
  const Run run = simulate_compliant(space, {law}, options, {});
  return run.outcome.starts_with("IWC") ? "IWC" : run.outcome;
}

const std::array<Point, 7> starts{{{0, 0}, {-2, 0}, {-0.5, 0}, {0.5, -2}, {-1, 2}, {-3, -3}, {1, -4}}};

void add_outcomes(Reproduction& result, const Panel& p, char letter) {
  std::set<std::string> found;
  const bool rest = p.contact.u_t == 0;
  for (const Point& s : starts) found.insert(outcome(p.contact, s[0], s[1]));
  if (rest) found.insert(outcome(p.contact, -4.4, 0));  // near the equilibrium of stick
  const auto text = [](const std::set<std::string>& words) {
    std::string joined;
    for (const std::string& w : words) joined += (joined.empty() ? "" : ", ") + w;
    return joined;
  };
  result.comparisons.push_back(compare_statement(fmt::format("panel {}: outcomes", letter), text(p.outcomes),
                                                 text(found), found == p.outcomes, "",
                                                 rest ? "eight starts, simulated" : "seven starts, simulated"));
}

void add_saddles(Reproduction& result) {
  const FastPortrait b = fast_portrait(panels()[1].contact), c = fast_portrait(panels()[2].contact);
  const auto one = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  const Eigen::VectorXd unit = Eigen::VectorXd::Ones(1);
  const auto saddle = equilibria(b), node = equilibria(c);
  result.features.push_back(feature("panel B has one equilibrium, a saddle; panel C one, not a saddle",
                                    "equilibria of the drawn field",
                                    saddle.size() == 1 && saddle[0].saddle && node.size() == 1 && !node[0].saddle));
  result.features.push_back(feature_near("panel B: the saddle is at y = b/(p k) = −1", "drawn field against −b/(pk)",
                                         saddle.empty() ? 0 : saddle[0].at[0], -1, 1e-12));
  result.features.push_back(feature_near("panel B: its unstable eigenvalue is the golden ratio",
                                         "growth of the fast matrix", growth(one(-1), unit, unit).rate,
                                         (1 + std::sqrt(5.0)) / 2, 1e-12));
  result.features.push_back(feature_near("panel C: the eigenvalues are −1/2 ± i√3/2", "growth of the fast matrix",
                                         growth(one(1), unit, unit).frequency, std::sqrt(3.0) / 2, 1e-12));
  const double split = change_between([](double y) { return outcome(panels()[1].contact, y, 0) == "F"; }, -0.9, -1.1);
  result.features.push_back(feature_near("panel B: on v = 0 lift-off and impact part at the saddle",
                                         "bisection on simulated outcomes", split, -1, 1e-6));
}

void add_rest(Reproduction& result) {
  const auto e = equilibria(fast_portrait(panels()[4].contact)), f = equilibria(fast_portrait(panels()[5].contact));
  result.features.push_back(
      feature("panel E has no equilibrium, panel F two, one of them a saddle", "equilibria of the drawn field",
              e.empty() && f.size() == 2 && f[0].saddle != f[1].saddle, fmt::format("{} and {}", e.size(), f.size())));
  for (const Equilibrium& q : f) {
    const double expected = q.saddle ? -1 / 0.6 : -(3.2 * 0.8 - 1) / 0.36;  // −λ_N of slip, of stick (21)
    result.features.push_back(
        feature_near(q.saddle ? "panel F: slip at y = b/p+" : "panel F: stick at y = −λ_N of (21)",
                     "drawn field against the forces of the modes", q.at[0], expected, 1e-12));
  }
  result.features.push_back(feature_near("panels E, F: stick ends where f = a/k+", "corner of the drawn field",
                                         fast_portrait(panels()[5].contact).pieces.back().from, 3.2 / 1.2, 1e-12));
}

Reproduction figure_12() {
  Reproduction result;
  Figure figure{"Fast contact dynamics, /k/ = /q/ = −1", "", {}, 3, 260, 240};
  char letter = 'A';
  for (const Panel& p : panels()) {
    FastPortrait portrait = fast_portrait(p.contact);
    portrait.title = p.what;
    figure.panels.emplace_back(fast_portrait_plot(portrait));
    add_outcomes(result, p, letter++);
  }
  result.figures.push_back(std::move(figure));
  add_saddles(result);
  add_rest(result);
  add_label(result, "E18", "caption: case and indeterminacy of panels E, F", "II(ii), F and IWC; Secs. 4.2 and 3.3",
            "II(iii), F and T; Secs. 4.2 and 4.3");
  result.remark =
      "a, b, A, B, C and μ are ours: p+ = ±1 and b = ±1 in A to D; A = C = 1, B = 0.8, μ = 2, b = 1 in E and F.";
  return result;
}

}  // namespace

std::vector<PublishedItem> stability_items() {
  return {item("sec-4", "Contact regularisation", section_4),
          item("table-3", "Modes after regularisation and impact", table_3),
          item("fig-12", "Phase portraits of the fast contact dynamics", figure_12)};
}

}  // namespace painleve::champneys_varkonyi
