// Sec. 3 and 3.1, Tables 1 and 2, Fig. 9: modes of one planar contact. Tables come from drawn contacts, by the kernel
// of one contact and, independently, by linear solves over all words.

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/figure/mode_regions.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/reproduction/champneys_varkonyi_cells.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"

namespace painleve::champneys_varkonyi {
namespace {

ModeEntry entry(const std::vector<ModeEntry>& modes, const std::string& name) {
  const auto at = std::find_if(modes.begin(), modes.end(), [&](const ModeEntry& m) { return m.name == name; });
  return at == modes.end() ? ModeEntry{} : *at;
}

Draw drawn_contact(Draws& draws, double u) {
  const double A = draws.uniform(0.2, 2), C = draws.uniform(0.2, 2);
  const double B = draws.uniform(-0.99, 0.99) * std::sqrt(A * C);
  return {contact({A, B, C}, draws.uniform(-5, 5), draws.uniform(-2, 2), u, draws.uniform(0.05, 6)), u};
}

// ---- Table 1

struct Tally {
  long admissible_wrong = 0, consistent_wrong = 0;
  double equality = 0;  // largest residual of the equality constraints
};

// λ, a of a mode from the linear solves, against the row of the table.
void tally_mode(const PlanarContact& c, const ModeEntry& m, const std::string& name, Tally& tally) {
  const bool rest = c.u_t == 0;
  const bool admissible = name == "F" || (name == "T" ? rest : name == "S+" ? c.u_t >= 0 : c.u_t <= 0);
  const bool listed = m.lambda.has_value();
  tally.admissible_wrong += admissible != listed ? 1 : 0;
  if (!admissible || !listed) return;
  const double lambda_t = (*m.lambda)(0), lambda_n = (*m.lambda)(1), a_t = (*m.a)(0), a_n = (*m.a)(1);
  const double scale = 1 + std::abs(lambda_t) + std::abs(lambda_n);
  const double slip = name == "S+" ? lambda_t + c.mu * lambda_n : lambda_t - c.mu * lambda_n;
  double residual = std::max(std::abs(slip), std::abs(a_n));
  if (name == "F") residual = std::max(std::abs(lambda_t), std::abs(lambda_n));
  if (name == "T") residual = std::max(std::abs(a_t), std::abs(a_n));
  tally.equality = std::max(tally.equality, residual / scale);
  bool consistent = lambda_n >= 0;
  if (name == "F") consistent = a_n > 0;
  if (name == "T") consistent = consistent && std::abs(lambda_t) <= c.mu * lambda_n;
  if (name == "S+" && rest) consistent = consistent && a_t > 0;
  if (name == "S-" && rest) consistent = consistent && a_t < 0;
  const PlanarModes kernel = planar_modes(c);
  const unsigned bit = name == "F" ? mode_F : name == "T" ? mode_T : name == "S+" ? mode_S_plus : mode_S_minus;
  tally.consistent_wrong += consistent != ((kernel.consistent & bit) != 0) ? 1 : 0;
}

Reproduction table_1() {
  Reproduction result;
  constexpr int count = 4000;
  const std::array<std::array<std::string, 4>, 4> printed{{
      {"S+", "y = v = 0 and u ≥ 0", "λ_T = −μλ_N and v̇ = 0", "λ_N ≥ 0; and if u = 0: u̇ > 0"},
      {"S-", "y = v = 0 and u ≤ 0", "λ_T = μλ_N and v̇ = 0", "λ_N ≥ 0; and if u = 0: u̇ < 0"},
      {"T", "y = v = 0 and u = 0", "u̇ = v̇ = 0", "λ_N ≥ 0 and |λ_T| ≤ μλ_N"},
      {"F", "y > 0; or y = 0 and v ≥ 0", "λ_N = λ_T = 0", "if y = v = 0: v̇ > 0"},
  }};
  std::array<Tally, 4> tallies{};
  Draws draws(1);
  for (int i = 0; i < count; ++i) {
    const Draw d = drawn_contact(draws, draws.integer(-1, 1));
    const std::vector<ModeEntry> modes = enumerate_modes(space_of(d.contact), {});
    for (std::size_t k = 0; k < printed.size(); ++k) {
      tally_mode(d.contact, entry(modes, printed[k][0]), printed[k][0], tallies[k]);
    }
  }
  for (std::size_t k = 0; k < printed.size(); ++k) {
    const auto& row = printed[k];
    const Tally& t = tallies[k];
    const std::string drawn = fmt::format(" ({} drawn states)", count);
    result.comparisons.push_back(compare_statement(row[0] + ", kinematic admissibility", row[1],
                                                   t.admissible_wrong == 0 ? "the same" + drawn : "differs",
                                                   t.admissible_wrong == 0));
    result.comparisons.push_back(compare_statement(row[0] + ", equality constraints", row[2],
                                                   "met, the rest " + error_size(t.equality) + drawn,
                                                   t.equality < 1e-12));
    result.comparisons.push_back(compare_statement(row[0] + ", consistency", row[3],
                                                   t.consistent_wrong == 0 ? "the same" + drawn : "differs",
                                                   t.consistent_wrong == 0));
  }
  ContactSpace lifted = space_of(contact({1, 0.5, 1}, 0.3, -1, 1, 0.5));
  lifted.u(1) = 0.1;
  const bool separating = mode_table(lifted, {}).continuations == std::vector<std::string>{"F"};
  result.features.push_back(
      feature("a contact with y = 0 and v > 0 is in mode F whatever b is", "mode table, b = −1", separating));
  add_label(result, "E06", "Sec. 3.1, free motion: consistency condition", "v̇ = 0", "v̇ > 0, as in this table");
  return result;
}

// ---- Table 2

Reproduction table_2() {
  Reproduction result;
  const Cells printed{{{"F", "F", "F"},
                       {"F", "F or (F and T and S-)", "F and S-"},
                       {"F and S+", "F or (F and T and S+)", "F"},
                       {"S+", "T or S+ or S-", "S-"},
                       {"S+", "S+ or T", "none"},
                       {"none", "S- or T", "S-"}}};
  FoundCells found;
  long closed_wrong = 0, solves_wrong = 0;
  Draws draws(2);
  for (int i = 0; i < 30000; ++i) {
    const Draw d = drawn_contact(draws, draws.integer(-1, 1));
    const PlanarModes m = planar_modes(d.contact);
    const Choice modes = mode_set(m.consistent);
    found[row_of(d.contact)][column_of(d.contact)].insert(modes);
    closed_wrong += modes == closed_modes(d.contact) ? 0 : 1;
    if (i % 10 == 0) solves_wrong += modes == consistent_set(enumerate_modes(space_of(d.contact), {})) ? 0 : 1;
  }
  compare_cells(result, printed, found);
  result.features.push_back(feature("which branch of an “or” holds follows from the edges a+ = −b k+/p+, a− = b k−/p−",
                                    "closed conditions against the kernel, 30000 drawn contacts", closed_wrong == 0,
                                    fmt::format("{} differ", closed_wrong)));
  result.features.push_back(feature("the kernel and the linear solves over all words agree", "3000 of them",
                                    solves_wrong == 0, fmt::format("{} differ", solves_wrong)));
  add_label(result, "E07", "caption: equation of the friction cone", "(3.1)", "(22)");
  return result;
}

// ---- Sec. 3 and 3.1

void add_free_accelerations(Reproduction& result) {
  const Scene scene = scene_of("rod", {{"gravity", 1}, {"theta", 1.0}, {"theta_dot", 0.8}, {"mu", 1.5}});
  const PlanarContact c = first_contact(scene);
  const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
  const Eigen::VectorXd printed = d.J * d.f, complete = d.J * d.M.inverse() * d.f + d.drift;
  add(result,
      {"E03", "free accelerations below (9)", "a = cᵀf, b = dᵀf (and a D)", "a = cᵀM⁻¹f + ċᵀq̇, b = dᵀM⁻¹f + ḋᵀq̇; no D",
       std::abs(printed(0) - c.b_t) > 0.3 && std::abs(printed(1) - c.b_n) > 0.5,
       std::abs(complete(0) - c.b_t) < 1e-12 && std::abs(complete(1) - c.b_n) < 1e-12,
       fmt::format("rod, θ = 1, θ̇ = 0.8: {}, {}; printed {}, {}", in_digits(c.b_t), in_digits(c.b_n),
                   in_digits(printed(0)), in_digits(printed(1)))});
}

Reproduction section_3() {
  Reproduction result;
  add_free_accelerations(result);
  double worst = 0;
  for (const double theta : {0.3, 0.8, 1.3}) {
    const double w = 0.7, s = std::sin(theta), c = std::cos(theta);
    const PlanarContact tip = first_contact(scene_of("rod", {{"gravity", 1}, {"theta", theta}, {"theta_dot", w}}));
    for (const double off : {tip.b_t + w * w * c, tip.b_n - w * w * s + 1, tip.W_tt - 1 - 3 * s * s,
                             tip.W_tn - 3 * s * c, tip.W_nn - 1 - 3 * c * c}) {
      worst = std::max(worst, std::abs(off));
    }
  }
  result.comparisons.push_back(compare_statement(
      "uniform rod in units of ℓ, m, g", "a = −θ̇²cosθ, b = θ̇²sinθ − 1, A = 1 + 3sin²θ, B = 3sinθ cosθ, C = 1 + 3cos²θ",
      "the same, " + error_size(worst), worst < 1e-12));
  long most = 0;
  Draws draws(11);
  for (int i = 0; i < 200000; ++i) {
    const PlanarContact c = drawn_contact(draws, 1).contact;
    const PlanarModes m = planar_modes(c);
    most = std::max<long>(most, (m.p_plus <= 0) + (m.p_minus <= 0) + (m.k_plus <= 0) + (m.k_minus <= 0));
  }
  result.comparisons.push_back(compare_statement("(11): of μA − B, μA + B, C − μB, C + μB can be non-positive",
                                                 "at most one", fmt::format("at most {}, 200000 drawn contacts", most),
                                                 most == 1));
  const auto modes = [](double mu, double b) {
    const auto m = mode_table(space_of(contact({1, 0.5, 1}, 0.2, b, 1, mu)), {}).consistent_modes();
    return fmt::format("{}", m.empty() ? "none" : fmt::to_string(fmt::join(m, ", ")));
  };
  add(result, {"E04", "inconsistent case of slip along +t", "b < 0, p+ > 0", "b < 0, p+ < 0", modes(1, -1) != "none",
               modes(2.5, -1) == "none", fmt::format("p+ = 0.5: {}; p+ = −0.25: {}", modes(1, -1), modes(2.5, -1))});
  add(result, {"E05", "indeterminate case of slip along +t", "b > 0, p+ > 0", "b > 0, p+ < 0", modes(1, 1) == "F",
               modes(2.5, 1) == "F, S+", fmt::format("p+ = 0.5: {}; p+ = −0.25: {}", modes(1, 1), modes(2.5, 1))});
  long found = 0, larger = 0;
  for (int i = 0; i < 60000; ++i) {
    const PlanarModes m = planar_modes(drawn_contact(draws, 0).contact);
    if (m.consistent != (mode_F | mode_T | mode_S_plus)) continue;
    ++found;
    larger += m.slip_plus.lambda_n >= m.stick.lambda_n ? 1 : 0;
  }
  add(result, {"E34", "λ_N of slip where lift-off, stick and slip are possible", "larger than in stick",
               "smaller than in stick", larger < found, larger == 0 && found > 500,
               fmt::format("{} drawn cases, larger in {}", found, larger)});
  add_label(result, "E36", "cross-references of Secs. 1, 2.1", "Sec. 2.2; Sec. 2; Fig. 2.3",
            "Sec. 2.1; Sec. 3; Fig. 5");
  return result;
}

// ---- Fig. 9

const Friction fig_9{1.1, 0.3, 0.1};

// Where along b = −1 (or +1) and u = 0 the mode T begins or ends, by the kernel.
double stick_edge(double mu, double b, double inside, double outside) {
  return change_between([&](double a) { return (planar_modes(contact(fig_9, a, b, 0, mu)).consistent & mode_T) != 0; },
                        inside, outside);
}

Reproduction figure_9() {
  Reproduction result;
  result.figures.push_back(mode_regions_figure(fig_9.A, fig_9.B, fig_9.C, {0.2, 0.3, 0.5}));
  const double A = fig_9.A, B = fig_9.B, C = fig_9.C;
  const auto k_over_p = [&](double mu) { return (mu * A - B) / (C - mu * B); };
  const auto minus_edge = [&](double mu) { return -(mu * A + B) / (C + mu * B); };
  for (const double mu : {0.2, 0.3}) {
    const double middle = (k_over_p(mu) + minus_edge(mu)) / 2;
    result.features.push_back(
        feature_near(fmt::format("μ = {}: right edge of the stick cone at a = k+/p+ for b = −1", mu),
                     "bisection on the modes against the formula", stick_edge(mu, -1, middle, 50), k_over_p(mu), 1e-9));
    result.features.push_back(feature_near(fmt::format("μ = {}: left edge at a = −k−/p− for b = −1", mu),
                                           "bisection on the modes against the formula",
                                           stick_edge(mu, -1, middle, -50), minus_edge(mu), 1e-9));
  }
  result.features.push_back(feature_near("μ = 0.5: the stick cone reaches b > 0 from a = −k+/p+ b on",
                                         "bisection on the modes against the formula", stick_edge(0.5, 1, 50, 0),
                                         -k_over_p(0.5), 1e-9));
  const auto quadrants = [&](double mu) {
    std::string met;
    for (const auto& [sa, sb, name] : {std::tuple{1, 1, "1"}, {-1, 1, "2"}, {-1, -1, "3"}, {1, -1, "4"}}) {
      bool any = false;
      for (const double t : evenly(0.002, 1.5688, 1500)) {
        any = any || (planar_modes(contact(fig_9, sa * std::cos(t), sb * std::sin(t), 0, mu)).consistent & mode_T) != 0;
      }
      if (any) met += name;
    }
    return met;
  };
  result.comparisons.push_back(compare_statement("k+ < 0: quadrants of (a, b) that the stick region meets",
                                                 "one quadrant", "the quadrant " + quadrants(0.2) + " alone",
                                                 quadrants(0.2) == "3"));
  result.comparisons.push_back(compare_statement("p+ < 0: stick region", "extends into b > 0",
                                                 "quadrants " + quadrants(0.5).substr(0, 1) + ", 3 and 4",
                                                 quadrants(0.5) == "134"));
  const PlanarModes largest = planar_modes(contact(fig_9, 1, 1, 1, 0.5));
  result.comparisons.push_back(compare_statement("the largest μ induces", "p+ < 0",
                                                 fmt::format("p+ = {} at μ = 0.5", in_digits(largest.p_plus)),
                                                 largest.p_plus < 0));
  const double mu_p =
      change_between([](double mu) { return planar_modes(contact(fig_9, 0, 1, 1, mu)).count() == 2; }, 0.3, 0.5);
  result.features.push_back(feature_near("indeterminacy in slip begins at μ = C/B = 1/3",
                                         "number of modes for b > 0, u > 0", mu_p, 1.0 / 3, 1e-12));
  result.remark =
      "The three values of μ are not printed; 0.2, 0.3 and 0.5 lie on both sides of k+ = 0 (3/11) and p+ = 0 (1/3).";
  return result;
}

}  // namespace

std::vector<PublishedItem> mode_items() {
  return {item("sec-3", "Formulation and consistency of contact", section_3),
          item("table-1", "Constraints of the modes", table_1),
          item("fig-9", "Consistency regions over (a, b)", figure_9), item("table-2", "Consistent modes", table_2)};
}

}  // namespace painleve::champneys_varkonyi
