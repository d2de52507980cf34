// Sec. 3.3 and Fig. 11: chatter and reverse chatter. The curves e = 1 come from closed forms (bounce_map.hpp); they are
// tested by bouncing, landing after landing, and in simulated motions of the rod.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/impact/bounce_map.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve::champneys_varkonyi {
namespace {

constexpr double degrees = 180 / std::numbers::pi;
const Friction fig_11{1, 0.5, 1};
const std::vector<double> restitutions{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};

BounceLaw energetic(double r) { return {r, RestitutionLaw::energetic, std::nullopt}; }

PlanarContact bouncing(double alpha, double mu) { return contact(fig_11, alpha, -1, 0, mu); }

// The factor of the landing speed after `bounces` bounces, by following them.
double followed(PlanarContact c, double r, int bounces) {
  double u_n = -1, factor = 0;
  c.u_t = 0.3;
  for (int i = 0; i < bounces; ++i) {
    const Bounce next = bounce(c, u_n, energetic(r));
    factor = next.u_n / u_n;
    c.u_t = next.u_t / -next.u_n;  // homogeneous: every landing at speed 1
    u_n = -1;
  }
  return factor;
}

// ---- (a)

// Down the branch of large ratios to the tip, and up the branch of small ones.
std::vector<Point> unit_curve(double r, double mu_to, double alpha_to) {
  const double tip = *least_mu_of_reverse_chatter(bouncing(1, 1), r);
  std::vector<Point> low, high;
  for (const double part : evenly(0, 1, 240)) {
    const double mu = tip + 1e-9 + (mu_to - tip) * part * part;
    const auto interval = growth_interval(bouncing(1, mu), r);
    if (!interval) continue;
    low.push_back({mu, interval->lo});
    if (interval->hi && *interval->hi <= alpha_to) high.push_back({mu, *interval->hi});
  }
  std::reverse(high.begin(), high.end());
  high.insert(high.end(), low.begin(), low.end());
  return high;
}

Plot panel_a() {
  Plot plot;
  plot.title = "/A/ = /C/ = 1, /B/ = 0.5: /e/ > 1 to the right of each curve";
  plot.x = {"friction /μ/", "", 0.4, 3.0};
  plot.y = {"a/(−b)", "", 0.0, 6.0};
  const std::vector<Point> shaded = unit_curve(0.7, 3.2, 7);
  std::vector<Point> corners = shaded;
  corners.push_back({3.2, 7});
  plot.layers.emplace_back(RegionLayer{corners, series_colour(2).faded(0.25), "/e/ > 1 for /r/ = 0.7"});
  for (std::size_t i = 0; i < restitutions.size(); ++i) {
    const double r = restitutions[i];
    const std::vector<Point> points = unit_curve(r, 3.2, 7);
    const Colour colour = ramp_colour(0.9 * static_cast<double>(i) / static_cast<double>(restitutions.size()));
    plot.layers.emplace_back(CurveLayer{points, {colour, r == 0.7 ? 2.2 : 1.2}, fmt::format("/r/ = {:.1f}", r)});
  }
  plot.layers.emplace_back(RuleLayer{true, 2, {Colour{120, 120, 120}, 0.9, Dash::dashed}, "/p/^{+} = 0"});
  plot.legend = LegendPlace::right;
  return plot;
}

void add_panel_a(Reproduction& result) {
  const double painleve =
      change_between([](double mu) { return planar_modes(contact(fig_11, 0, 1, 1, mu)).count() == 2; }, 1, 3);
  result.comparisons.push_back(compare_printed("(a) Painlevé region p+ < 0 from μ =", "2", painleve));
  double worst = 0;
  for (const double r : restitutions) {
    const std::vector<Point> points = unit_curve(r, 3, 6);
    for (std::size_t i = 5; i < points.size(); i += 40) {
      if (points[i][1] < 1e-3) continue;  // for r = 1 the lower branch is a = 0
      worst = std::max(worst, std::abs(followed(bouncing(points[i][1], points[i][0]), r, 40) - 1));
    }
  }
  result.features.push_back(feature("(a) e = 1 on every curve, r = 0.1 … 1",
                                    "forty bounces at points of the drawn curves", worst < 1e-6, error_size(worst)));
  for (const double r : {0.5, 0.7, 0.9}) {
    const double tip = *least_mu_of_reverse_chatter(bouncing(1, 1), r);
    result.features.push_back(feature_near(fmt::format("(a) r = {}: leftmost point at μ = (C − r²K)/B", r),
                                           "closed form against the first point of the curve", tip,
                                           (1 - r * r * 0.75) / 0.5, 1e-12));
    const double at_tip = growth_interval(bouncing(1, tip + 1e-10), r)->lo;
    result.features.push_back(feature_near(fmt::format("(a) r = {}: there a/(−b) = k+/(2p+)", r),
                                           "the curve near its tip", at_tip, (tip - 0.5) / (2 * (1 - tip * 0.5)),
                                           1e-3));
    result.features.push_back(feature_near(fmt::format("(a) r = {}: lower branch tends to (A/2B)(1/r − 1)", r),
                                           "the curve at μ = 10⁶", growth_interval(bouncing(1, 1e6), r)->lo, 1 / r - 1,
                                           1e-5));
  }
  const auto at = [](double mu) { return growth_interval(bouncing(1, mu), 0.7); };
  result.features.push_back(feature("(a) the upper branch ends at μ = 2: beyond it every larger ratio gives e > 1",
                                    "its height at μ = 1.9999 and 2.0001", *at(1.9999)->hi > 1e3 && !at(2.0001)->hi));
}

// ---- (b)

PlanarContact rod_tip(double theta, double theta_dot, double push, double mu) {
  return first_contact(scene_of(
      "rod", {{"gravity", 1}, {"theta", theta}, {"theta_dot", theta_dot}, {"force_x", push}, {"slip", 0}, {"mu", mu}}));
}

double rod_curve(double theta, double r) { return *least_mu_of_reverse_chatter(rod_tip(theta, 0, 0, 1), r); }

Plot panel_b() {
  Plot plot;
  plot.title = "rod: some body force gives /e/ > 1 above each curve";
  plot.x = {"angle of the rod /θ/", "deg", 0.05, 1.52, Scale::linear, {}, degrees};
  plot.y = {"friction /μ/", "", 0.0, 3.0};
  for (std::size_t i = 0; i < restitutions.size(); ++i) {
    const double r = restitutions[i];
    const Colour colour = ramp_colour(0.9 * static_cast<double>(i) / static_cast<double>(restitutions.size()));
    plot.layers.emplace_back(CurveLayer{curve([r](double theta) { return rod_curve(theta, r); }, 0.02, 1.55, 80),
                                        {colour, r == 0.7 ? 2.2 : 1.2},
                                        fmt::format("/r/ = {:.1f}", r)});
  }
  plot.legend = LegendPlace::right;
  return plot;
}

void add_panel_b(Reproduction& result) {
  double highest = 0;
  for (const double theta : evenly(0.02, 1.55, 2000)) highest = std::max(highest, rod_curve(theta, 1));
  result.features.push_back(feature_near("(b) r = 1: the curve is B/A, at most 3/4",
                                         "highest of 2000 points against 3t/(1 + 4t²)", highest, 0.75, 1e-6));
  const double ends = std::max(rod_curve(1e-6, 1), rod_curve(std::numbers::pi / 2 - 1e-6, 1));
  result.comparisons.push_back(compare_statement("(b) r = 1: reverse chatter", "all the way down to μ = 0",
                                                 "the curve tends to 0 at θ → 0 and θ → 90°", ends < 1e-5));
  result.features.push_back(feature_near("(b) r → 0: the curve is μ_P(θ)", "jamming friction of the rod at θ = 1",
                                         rod_curve(1, 1e-9),
                                         (1 + 3 * std::pow(std::cos(1.0), 2)) / (1.5 * std::sin(2.0)), 1e-12));
  Draws draws(13);
  double most = 0;
  for (int i = 0; i < 3000; ++i) {
    const double theta = draws.uniform(0.05, 3.09), turn = draws.uniform() / std::sqrt(std::sin(theta));
    const PlanarContact c = rod_tip(theta, turn, 0, draws.uniform(0.05, 5));
    const double r = draws.uniform(0.1, 1);
    if (c.b_n > -1e-3) continue;
    most = std::max(most, bounce_cycle(c, energetic(r))->e / r);
  }
  const double mu = 1.2, r = 0.8;
  const double pushed = bounce_cycle(rod_tip(0.9, 0, 0.7, mu), energetic(r))->e;
  add(result,
      {"E13", "(b) rod (1) above each curve", "a range of θ̇ gives reverse chatter",
       "under gravity alone aB ≤ 0 and e ≤ r; a force with aB > 0 is needed",
       most<1 + 1e-9, mu> rod_curve(0.9, r) && pushed > 1.19,
       fmt::format(
           "largest e/r under gravity, 3000 drawn states: {}; θ = 0.9, μ = 1.2, r = 0.8 pushed with 0.7 mg: e = {}",
           in_digits(most, 6), in_digits(pushed))});
}

// ---- (c), (d)

struct Hops {
  Run run;
  std::vector<double> speeds;  // of landings
};

Hops hops(bool springs, double drop, double t_end) {
  SceneSource source = source_of(
      "rod",
      {{"gravity", 1}, {"theta", 0.9}, {"force_x", 0.7}, {"mu", 1.2}, {"y", std::sin(0.9) + drop}, {"x_dot", 0}});
  source.set("contact.tip.closed=false");
  source.set("contact.tip.restitution", 0.8);
  if (springs) {
    source.set("contact.tip.stiffness", 1e10);
    source.set("contact.tip.damping", 0);
  }
  SimulateOptions options;
  options.method = springs ? SimulationMethod::compliant : SimulationMethod::event;
  options.simulation.t_end = t_end;
  options.simulation.samples = 1500;
  Hops h;
  h.run = simulate(source.build(), options);
  for (const SimulationEvent& e : h.run.events) {
    if (e.kind == EventKind::landing) h.speeds.push_back(-e.u_before(1));
  }
  return h;
}

Plot hop_plot(const Hops& h, const std::string& title) {
  Plot plot;
  plot.title = title;
  plot.x = {"time /t/", "√(ℓ/g)"};
  plot.y = {"gap /y/", "ℓ", 0.0, {}};
  CurveLayer layer{{}, {series_colour(5), 1.1}};
  for (const Sample& s : h.run.samples) layer.points.push_back({s.t, s.gap(0)});
  plot.layers.emplace_back(std::move(layer));
  return plot;
}

void add_hops(Reproduction& result, const Hops& h, double r, const std::string& name) {
  const double e = bounce_cycle(rod_tip(0.9, 0, 0.7, 1.2), energetic(r))->e;
  const double measured = h.speeds.size() < 4 ? 0 : std::sqrt(h.speeds[3] / h.speeds[1]);
  result.features.push_back(feature_near(fmt::format("{}: the first landings grow by e = {} each", name, in_digits(e)),
                                         "landing speeds of the simulated rod against the bounce map", measured, e,
                                         0.01 * e));
  const bool grow = h.speeds.size() >= 6 && std::ranges::is_sorted(h.speeds);
  result.features.push_back(feature(name + ": each landing is faster than the one before",
                                    "landing speeds of the simulated rod", grow,
                                    fmt::format("{} landings", h.speeds.size())));
}

Reproduction figure_11() {
  Reproduction result;
  add_panel_a(result);
  add_panel_b(result);
  const Hops impacts = hops(false, 1e-6, 0.12), springs = hops(true, 1e-6, 0.12);
  add_hops(result, impacts, 0.8, "(c) impacts, r = 0.8");
  add_hops(result, springs, 1, "(d) elastic springs, k = 10¹⁰ mg/ℓ");
  result.figures.push_back({"Reverse chatter", "", {}, 2, 350, 270});
  result.figures.back().panels = {panel_a(), panel_b(),
                                  hop_plot(impacts, "rod pushed by 0.7 /mg/, impacts with /r/ = 0.8"),
                                  hop_plot(springs, "the same on a stiff spring without losses")};
  result.remark =
      "Axes of (a) chosen so that “to the right” is to the right. (c) and (d): the forces of the original are not "
      "printed; ours is a "
      "constant push on the centre, θ = 0.9, μ = 1.2, dropped from 10⁻⁶ ℓ.";
  return result;
}

Reproduction section_3_3() {
  Reproduction result;
  const auto ratio = [](double r, double u) {
    const PlanarContact c = contact(fig_11, 1, -1, u, 1.5);
    const PlanarImpact i = planar_impact(c, -1, energetic(r));
    const auto energy = [](double x, double y) { return x * x - x * y + y * y; };  // W⁻¹ for A = C = 1, B = 0.5
    return energy(i.u_t, i.u_n) / energy(u, -1);
  };
  add(result, {"E11", "energy after a bounce", "total energy is dissipated by the factor r² in each bounce",
               "only W_r = −r²W_c holds; the energy ratio differs", std::abs(ratio(0.7, 2) - 0.49) > 0.3,
               std::abs(ratio(0.7, 2) - 0.175) < 1e-12 && std::abs(ratio(0.7, 0) - 0.49) < 1e-12,
               fmt::format("α = 1, μ = 1.5: {} for r² = 0.49, {} for r = 1", in_digits(ratio(0.7, 2)),
                           in_digits(ratio(1, 2)))});
  result.comparisons.push_back(
      compare_statement("energetic law with r = 1 (Sec. 2.4)", "necessarily conservative",
                        fmt::format("energy ratio {}: friction takes its part", in_digits(ratio(1, 2))), false, "E11"));
  const PlanarContact c = contact(fig_11, 0.8, -1.3, 0.4, 1.5);
  const Bounce b = bounce(c, -1, energetic(0.7));
  const double right = b.impact.u_t - 2 * c.b_t / c.b_n * b.impact.u_n,
               printed = b.impact.u_t - 2 * c.b_t / c.b_n * -1.0;
  add(result, {"E12", "argument of the free-flight map f", "(u+, v−)", "(u+, v+)", std::abs(b.u_t - printed) > 1,
               std::abs(b.u_t - right) < 1e-12,
               fmt::format("landing velocity {}; with v− {}", in_digits(b.u_t), in_digits(printed))});
  result.features.push_back(
      feature_near("flight time −2v+/b (28)", "bounce of the library", b.flight, -2 * b.impact.u_n / c.b_n, 1e-13));
  result.features.push_back(feature_near("e = v⁻_{n+1}/v⁻_n grows although r < 1: α = 1, μ = 1.5, r = 0.7",
                                         "forty bounces against r√(1 + 4αB/A (1 − αp+/k+))",
                                         followed(bouncing(1, 1.5), 0.7, 40), 0.7 * std::sqrt(1 + 2 * (1 - 0.25)),
                                         1e-12));
  double outside = 0;
  for (const double mu : evenly(0.1, 4, 40)) {
    if (const auto e = bounce_cycle(contact({1, 0, 1}, 0.6, -1, 0, mu), energetic(0.7)))
      outside = std::max(outside, std::abs(e->e - 0.7));
  }
  result.comparisons.push_back(
      compare_statement("non-oblique impacts, B = 0", "e = r", "e = r, " + error_size(outside), outside < 1e-12));
  return result;
}

}  // namespace

std::vector<PublishedItem> chatter_items() {
  return {item("sec-3.3", "Chattering and inverse chattering", section_3_3),
          item("fig-11", "Reverse chatter", figure_11)};
}

}  // namespace painleve::champneys_varkonyi
