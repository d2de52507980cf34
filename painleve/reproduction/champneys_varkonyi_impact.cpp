// Sec. 3.2 and Fig. 10: the impact of one planar contact. The closed forms (planar_impact.hpp) against paths that are
// followed event by event (impact_path.hpp).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/figure/impact_paths.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"

namespace painleve::champneys_varkonyi {
namespace {

constexpr double restitution = 0.6;

struct Panel {
  std::string what, title;
  Friction friction;
  double mu;
  std::set<int> regions;  // expected: those of the caption's case
};

const std::array<Panel, 5>& panels() {
  static const std::array<Panel, 5> all{
      {{"p+, p−, k+, k− > 0", "/p/^{±}, /k/^{±} > 0: /B/ = 0.5, /μ/ = 0.8", {1, 0.5, 1}, 0.8, {1, 2, 3, 4, 5, 6}},
       {"p+ < 0", "/p/^{+} < 0: /B/ = 0.5, /μ/ = 2.5", {1, 0.5, 1}, 2.5, {2, 4, 5, 6}},
       {"p− < 0", "/p/^{−} < 0: /B/ = −0.5, /μ/ = 2.5", {1, -0.5, 1}, 2.5, {1, 3, 5, 6}},
       {"k− < 0", "/k/^{−} < 0: /B/ = −0.5, /μ/ = 0.2", {1, -0.5, 1}, 0.2, {1, 2, 7, 9}},
       {"k+ < 0", "/k/^{+} < 0: /B/ = 0.5, /μ/ = 0.2", {1, 0.5, 1}, 0.2, {1, 2, 8, 10}}}};
  return all;
}

BounceLaw law_of(RestitutionLaw law, double r) { return {r, law, std::nullopt}; }

PlanarImpact strike(const Panel& p, double u, double v) {
  return planar_impact(contact(p.friction, 0, 0, u, p.mu), v, law_of(RestitutionLaw::energetic, restitution));
}

// The regions that velocities before the impact fall into, sampled over the half circle v < 0.
std::set<int> sampled_regions(const Panel& p) {
  std::set<int> regions;
  for (const double angle : evenly(1e-4, std::numbers::pi - 1e-4, 4000)) {
    regions.insert(strike(p, std::cos(angle), -std::sin(angle)).region);
  }
  regions.erase(0);  // u = 0 exactly
  return regions;
}

// Edges of the regions for u > 0, as the ratio u/(−v): bisection on the region against k/p and (1 + r) k/p.
void add_edges(Reproduction& result, const Panel& p, char letter) {
  const double plus = p.mu * p.friction.A - p.friction.B, ratio = plus / (p.friction.C - p.mu * p.friction.B);
  const auto region = [&](double u) { return strike(p, u, -1).region; };
  const int inner = region(ratio * 0.5), middle = region(ratio * 1.2), outer = region(ratio * 3);
  const double first = change_between([&](double u) { return region(u) == inner; }, ratio * 0.5, ratio * 1.2);
  const double second = change_between([&](double u) { return region(u) == middle; }, ratio * 1.2, ratio * 3);
  result.features.push_back(
      feature_near(fmt::format("panel ({}): regions {} and {} meet at u/(−v) = k+/p+", letter, inner, middle),
                   "bisection on the closed form", first, ratio, 1e-9));
  result.features.push_back(
      feature_near(fmt::format("panel ({}): regions {} and {} meet at (1 + r) k+/p+", letter, middle, outer),
                   "bisection on the closed form", second, (1 + restitution) * ratio, 1e-9));
}

struct PanelFacts {
  double path_off = 0;  // closed form against the path
  bool reverses = false, without_collision = false;
};

PanelFacts facts_of(const Panel& p) {
  PanelFacts f;
  const BounceLaw law = law_of(RestitutionLaw::energetic, restitution);
  for (const double angle : evenly(0.01, std::numbers::pi - 0.01, 700)) {
    const PlanarContact c = contact(p.friction, 0, 0, std::cos(angle), p.mu);
    const PlanarImpact closed = planar_impact(c, -std::sin(angle), law);
    const ImpactCorner end = impact_path(c, -std::sin(angle), law).corners.back();
    f.path_off = std::max({f.path_off, std::abs(end.u_t - closed.u_t), std::abs(end.u_n - closed.u_n)});
    f.reverses = f.reverses || c.u_t * closed.u_t < -1e-12;
  }
  for (const double u : {-1.0, 1.0}) {
    f.without_collision = f.without_collision || strike(p, u, 0).outcome == ImpactOutcome::without_collision;
  }
  return f;
}

void add_panel(Reproduction& result, const Panel& p, char letter) {
  const std::set<int> regions = sampled_regions(p);
  result.features.push_back(feature(
      fmt::format("panel ({}), {}: regions {}", letter, p.what, fmt::join(p.regions, ", ")),
      "4000 sampled velocities by the closed form", regions == p.regions, fmt::format("{}", fmt::join(regions, ", "))));
  const PanelFacts f = facts_of(p);
  result.features.push_back(feature(fmt::format("panel ({}): the paths end where the closed forms say", letter),
                                    "700 paths, corner by corner", f.path_off < 1e-12, error_size(f.path_off)));
  const bool painleve = p.what.starts_with("p+ <") || p.what.starts_with("p− <");
  result.comparisons.push_back(compare_statement(
      fmt::format("({}) {}: impact without collision (v− = 0)", letter, p.what), painleve ? "possible" : "not possible",
      f.without_collision ? "possible" : "not possible", f.without_collision == painleve));
  const bool reversal = p.what.starts_with("k");
  result.comparisons.push_back(compare_statement(fmt::format("({}) {}: slip reversal u+u− < 0", letter, p.what),
                                                 reversal ? "in regions 7 to 10" : "does not occur",
                                                 f.reverses ? "in regions 7 to 10" : "does not occur",
                                                 f.reverses == reversal));
}

Reproduction figure_10() {
  Reproduction result;
  Figure figure{"The impact process, energetic law, /r/ = 0.6", "", {}, 2, 390, 270};
  char letter = 'a';
  for (const Panel& p : panels()) {
    const PlanarContact c = contact(p.friction, 0, 0, 0, p.mu);
    const BounceLaw law = law_of(RestitutionLaw::energetic, restitution);
    ImpactPathsOptions options;
    options.title = p.title;
    figure.panels.emplace_back(impact_path_plot(c, law, typical_starts(c, law), options));
    add_panel(result, p, letter);
    if (letter == 'a') add_edges(result, p, letter);
    ++letter;
  }
  result.figures.push_back(std::move(figure));
  add_label(result, "E10", "caption: letters of the five cases", "(a), (b), (b), (c), (d)", "(a) to (e)");
  result.remark =
      "A = C = 1 and our own B, μ and r: the figure prints none. The numbers of the regions are reconstructed from the "
      "text: 1, 2 "
      "without stick, 5(b) and 6(c) with impact without collision, 7 to 10 with slip reversal.";
  return result;
}

// ---- Sec. 3.2

struct EnergyCount {
  long gains = 0;
  double balance = 0;  // W_n + W_t against the change of kinetic energy
};

double kinetic(const PlanarContact& c, double u, double v) {
  return (c.W_nn * u * u - 2 * c.W_tn * u * v + c.W_tt * v * v) / (2 * (c.W_tt * c.W_nn - c.W_tn * c.W_tn));
}

EnergyCount energies(RestitutionLaw law, int count) {
  EnergyCount found;
  Draws draws(32);
  for (int i = 0; i < count; ++i) {
    const double A = draws.uniform(0.2, 2), C = draws.uniform(0.2, 2);
    const double B = draws.uniform(-0.99, 0.99) * std::sqrt(A * C);
    const PlanarContact c = contact({A, B, C}, 0, 0, draws.uniform(-3, 3), draws.uniform(0.05, 4));
    const double v = -draws.uniform(0.1, 2);
    const PlanarImpact i_ = planar_impact(c, v, law_of(law, draws.uniform(0, 1)));
    const double before = kinetic(c, c.u_t, v), after = kinetic(c, i_.u_t, i_.u_n);
    found.gains += after > before * (1 + 1e-12) ? 1 : 0;
    found.balance = std::max(found.balance, std::abs(i_.work_n + i_.work_t - after + before) / (before + after));
  }
  return found;
}

void add_equation_25(Reproduction& result) {
  const Scene scene = scene_of("rod", {{"gravity", 1}, {"theta", 1.1}});
  const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
  const Eigen::Vector2d force(0.7, 2.0);
  const Eigen::VectorXd change = d.J * d.M.inverse() * d.J.transpose() * force;
  const PlanarContact c = first_contact(scene);
  const double right = force(0) * c.W_tn + force(1) * c.W_nn;
  add(result, {"E08", "second equation of the impact, (25)", "du/dτ = Λ_T B + Λ_N C", "dv/dτ = Λ_T B + Λ_N C",
               std::abs(change(0) - right) > 0.5, std::abs(change(1) - right) < 1e-12,
               fmt::format("rod, θ = 1.1, Λ = (0.7, 2): right side {}, dv/dτ {}, du/dτ {}", in_digits(right),
                           in_digits(change(1)), in_digits(change(0)))});
}

void add_energy(Reproduction& result) {
  constexpr int count = 20000;
  const EnergyCount energetic = energies(RestitutionLaw::energetic, count),
                    poisson = energies(RestitutionLaw::poisson, count),
                    newton = energies(RestitutionLaw::newton, count);
  result.comparisons.push_back(compare_statement("energy under the energetic law, r ≤ 1", "never grows",
                                                 fmt::format("grows in {} of {} impacts", energetic.gains, count),
                                                 energetic.gains == 0));
  result.comparisons.push_back(compare_statement("energy under Poisson's law", "energetically consistent",
                                                 fmt::format("grows in {} of {} impacts", poisson.gains, count),
                                                 poisson.gains == 0));
  result.comparisons.push_back(compare_statement("energy under Newton's law in oblique impacts (Sec. 2.4)",
                                                 "can increase", "grows in some of the drawn impacts",
                                                 newton.gains > 100));
  result.features.push_back(feature("work of the two impulses is the change of kinetic energy",
                                    "20000 impacts, three laws",
                                    std::max({energetic.balance, poisson.balance, newton.balance}) < 1e-11));
}

Reproduction section_3_2() {
  Reproduction result;
  add_equation_25(result);
  add_energy(result);
  add_label(result, "E09", "Sec. 3.2, energetic law", "kinetic energy gained is −r² times the energy lost",
            "W_r = −r² W_c, W the work of the normal force");
  const PlanarContact jammed = contact({1, 0.5, 1}, 0, -1, 0.7, 2.5);
  const double p = 1 - 2.5 * 0.5, k = 2.5 - 0.5, K = 0.75, v_s = p * 0.7 / k;
  const double energetic = planar_impact(jammed, 0, law_of(RestitutionLaw::energetic, 0.8)).u_n;
  const double poisson = planar_impact(jammed, 0, law_of(RestitutionLaw::poisson, 0.8)).u_n;
  result.features.push_back(feature_near("impact without collision: v+ = r |v_s| √(1 + K/|p+|), v_s = p+u−/k+",
                                         "closed form by hand against the impact map, energetic law", energetic,
                                         0.8 * std::abs(v_s) * std::sqrt(1 + K / std::abs(p)), 1e-14));
  result.features.push_back(feature_near("impact without collision: v+ = r u− B/A", "the same, Poisson's law", poisson,
                                         0.8 * 0.7 * 0.5, 1e-14));
  double apart = 0;
  Draws draws(33);
  for (int i = 0; i < 20000; ++i) {
    const PlanarContact c =
        contact({1, draws.uniform(-0.9, 0.9), 1}, 0, 0, draws.uniform(-3, 3), draws.uniform(0.05, 3));
    const PlanarImpact hit = planar_impact(c, -1, law_of(RestitutionLaw::energetic, 0.7));
    if (hit.region == 1 || hit.region == 2) apart = std::max(apart, std::abs(hit.u_n - 0.7));
  }
  result.comparisons.push_back(compare_statement("regions 1, 2: no transition from slip to stick", "e = r",
                                                 "e = r, " + error_size(apart), apart < 1e-12));
  return result;
}

}  // namespace

std::vector<PublishedItem> impact_items() {
  return {item("sec-3.2", "Impact", section_3_2),
          item("fig-10", "The impact process in the plane of velocities", figure_10)};
}

}  // namespace painleve::champneys_varkonyi
