// Sec. 5 and Fig. 13: how slip runs into p+ = b = 0, the G-spot. The linear portraits, the rates α of the rod, and
// simulated motions of the rod.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/figure/phase_portrait.hpp"
#include "painleve/impact/bounce_map.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/gspot.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/scene/simulating.hpp"
#include "painleve/simulation/dormand_prince.hpp"

namespace painleve::champneys_varkonyi {
namespace {

// ---- Fig. 13

// What the exact linear flow does to a start in p > 0, b < 0.
std::string fate(const std::array<double, 3>& a, Point start) {
  for (int i = 1; i <= 4000; ++i) {
    const Point x = gspot_flow(a[0], a[1], a[2], start, 0.01 * i);
    if (x[1] > 0) return "lift-off";
    if (std::hypot(x[0], x[1]) < 1e-9) return "G-spot";
    if (std::hypot(x[0], x[1]) > 1e6) return "slip";
  }
  return "slip";
}

std::set<std::string> fates(const std::array<double, 3>& a) {
  std::set<std::string> all;
  for (const double angle : evenly(0.02, 1.55, 40)) all.insert(fate(a, {std::cos(angle), -std::sin(angle)}));
  return all;
}

Reproduction figure_13() {
  Reproduction result;
  Figure figure = gspot_portraits_figure();
  int attract = 0, named = 0;
  bool no_crossing = true, finite_right = true;
  for (const auto& a : gspot_portraits()) {
    const std::set<std::string> found = fates(a);
    attract += found.contains("G-spot") ? 1 : 0;
    const GSpot g = portrait(a);
    named += g.outcome.starts_with("G") ? 1 : 0;
    for (const double s : {0.5, 2.0}) no_crossing = no_crossing && gspot_flow(a[0], a[1], a[2], {0.3, -1}, s)[0] > 0;
    if (!g.lambda_limit) continue;
    const Point end = gspot_flow(a[0], a[1], a[2], {0.3, -1}, 25 / std::abs(a[0] - a[2]));
    finite_right = finite_right && std::abs(-end[1] / end[0] - *g.lambda_limit) < 1e-6;
  }
  const auto count = gspot_portraits().size();
  result.comparisons.push_back(
      compare_statement("number of distinct portraits (panels)", "12", fmt::format("{}", count), count == 12));
  result.comparisons.push_back(compare_statement("panels in which the G-spot is approached", "(c), (e) and (i): three",
                                                 fmt::format("{} of {}", attract, count), attract == 3));
  result.features.push_back(feature("three portraits attract an open set of p > 0, b < 0",
                                    "40 starts each in the exact flow against the names of the portraits",
                                    attract == 3 && named == 3, fmt::format("{} and {}", attract, named)));
  result.features.push_back(feature("the b axis is invariant: p keeps its sign", "exact flow", no_crossing));
  result.features.push_back(
      feature("where the force stays finite it tends to α2/(α3 − α1)", "−b/p late in the exact flow", finite_right));
  result.figures.push_back(std::move(figure));
  add_label(result, "E21", "Sec. 5.1: which case has the finite force; the invariant axis", "“former” twice; b+ axis",
            "the second is “latter”; b axis");
  result.remark =
      "The letters of the panels cannot be seen; ours are ordered by the signs of α1, α3, their order, and the sign of "
      "α2.";
  return result;
}

// ---- the rod

struct RodState {
  double theta, theta_dot, mu;
};

Scene rod(const RodState& s, double torque = 0) {
  return scene_of(
      "rod",
      {{"gravity", 1}, {"theta", s.theta}, {"theta_dot", s.theta_dot}, {"slip", 50}, {"mu", s.mu}, {"torque", torque}});
}

double lower_angle(double mu) {  // of p+ = 0
  const auto p = [mu](double theta) {
    const PlanarContact c = first_contact(rod({theta, 0, mu}));
    return c.W_nn - mu * c.W_tn;
  };
  return zero_between(p, 0.1, std::atan(2.0));
}

Run slide(const Scene& scene, double t_end, int samples) {
  SimulateOptions options;
  options.method = SimulationMethod::event;
  options.simulation.t_end = t_end;
  options.simulation.samples = samples;
  options.simulation.most_events = 4;
  return simulate(scene, options);
}

bool jams(const Run& run) { return run.jam && !run.jam->lifts; }

int jam_count(double mu, std::vector<Run>* runs = nullptr) {
  const double edge = lower_angle(mu);
  int jammed = 0;
  for (const double below : {0.01, 0.02, 0.05, 0.1, 0.2}) {
    for (const double theta_dot : evenly(0.02, 1.16, 10)) {
      const Run run = slide(rod({edge - below, theta_dot, mu}), 4, runs ? 1500 : 0);
      jammed += jams(run) ? 1 : 0;
      if (runs) runs->push_back(run);
    }
  }
  return jammed;
}

// Trajectories of the rod in the plane (p+, b) up to the first event.
Plot rod_plane(double mu, const std::vector<Run>& runs) {
  Plot plot;
  plot.title = fmt::format("rod, /μ/ = {}", mu);
  plot.x = {"/p/^{+}", "1//m/", -0.005, 0.2};
  plot.y = {"/b/", "/g/", -0.8, 0.1};
  const Scene scene = rod({1, 0, mu});
  const Mechanism& mechanism = *scene.posed.mechanism;
  const std::array<Surface, 1> surface{Surface{mu, false}};
  for (const Run& run : runs) {
    CurveLayer layer{{}, {jams(run) ? series_colour(6) : series_colour(5), 0.8}};
    for (const Sample& s : run.samples) {
      if (s.mode != "S+") break;
      const PlanarContact c = planar_contact(contact_space(mechanism, {s.q, s.v, s.t}, surface), 0);
      layer.points.push_back({c.W_nn - mu * c.W_tn, c.b_n});
    }
    if (layer.points.size() > 1) plot.layers.emplace_back(std::move(layer));
  }
  plot.layers.emplace_back(CurveLayer{{{0, 0}}, {ink, 1.2}, "G-spot", Glyph::disc, 5, false});
  plot.layers.emplace_back(RuleLayer{false, 0});
  return plot;
}

void add_rates(Reproduction& result) {
  double worst = 0;
  Draws draws(51);
  for (int i = 0; i < 60; ++i) {
    const double th = draws.uniform(0.2, 1.4), w = draws.uniform(-1.5, 1.5), mu = draws.uniform(0.3, 3);
    const double R = draws.uniform(-1, 1), R_dot = draws.uniform(-1, 1), S_dot = draws.uniform(-1, 1);
    SceneSource source = source_of("rod", {{"gravity", 1}, {"theta", th}, {"theta_dot", w}, {"mu", mu}});
    source.set(fmt::format("forces.torque=\"{:.17g} + {:.17g}*t\"", R, R_dot));
    source.set(fmt::format("forces.force_y=\"{:.17g}*t\"", S_dot));
    const Scene scene = source.build();
    const GSpot g = gspot(scene.space, contact_rates(*scene.posed.mechanism, scene.posed.state), 0);
    const double s = std::sin(th), c = std::cos(th);
    worst = std::max({worst, std::abs(g.alpha[0] + 3 * w * (std::sin(2 * th) + mu * std::cos(2 * th))),
                      std::abs(g.alpha[1] - (9 * R * w * s + w * w * w * c + S_dot - 3 * R_dot * c)),
                      std::abs(g.alpha[2] + 6 * w * s * (mu * s - c))});
  }
  result.comparisons.push_back(
      compare_statement("α1, α2, α3 of the rod with body force and torque",
                        "−3ω(sin2θ + μ cos2θ); 9Rω sinθ + ω³cosθ + Ṡ_y − 3Ṙ cosθ; −6ω sinθ(μ sinθ − cosθ)",
                        "the same at 60 drawn states, " + error_size(worst), worst < 1e-10));
}

void add_counts(Reproduction& result) {
  int low = 0, high = 1000;
  std::string text;
  for (const double mu : {1.45, 1.52, 1.56, 1.7, 2.0}) {
    const int n = jam_count(mu);
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", mu, n);
    if (mu < 1.5396) low = std::max(low, n);
    if (mu > 1.5396) high = std::min(high, n);
  }
  result.comparisons.push_back(compare_statement("simulated rods that reach the G-spot, of 50 per μ",
                                                 "none for μ < μ_c, an open set for μ > μ_c", text,
                                                 low == 0 && high > 10));
}

void add_cases(Reproduction& result) {
  const Run first = simulate(SceneSource::open("rod-jam").build(), {});
  const bool jammed = jams(first) && first.jam->exponent && first.jam->predicted;
  result.features.push_back(feature_near("G1: λ_N grows as (t* − t)^(α3/α1 − 1)",
                                         "force of the simulated rod, μ = 1.7, against the portrait",
                                         jammed ? *first.jam->exponent : 0, jammed ? *first.jam->predicted : 1, 5e-3));
  const Run second = simulate(SceneSource::open("rod-jam-finite-force").build(), {});
  const GSpot there = [] {
    const double theta = lower_angle(1.4);
    const double w = zero_between([&](double x) { return first_contact(rod({theta, x, 1.4}, -0.2)).b_n; }, 0, 3);
    const Scene at = rod({theta, w, 1.4}, -0.2);
    return gspot(at.space, contact_rates(*at.posed.mechanism, at.posed.state), 0);
  }();
  const bool finite = jams(second) && second.jam->force_limit && there.lambda_limit;
  result.features.push_back(
      feature_near("G2: λ_N tends to α2/(α3 − α1)", "force of the simulated rod with torque −0.2, μ = 1.4",
                   finite ? *second.jam->force_limit : 0, finite ? *there.lambda_limit : 1, 1e-3));
  const GSpot corrected = portrait({-1, -1, -2}), printed = portrait({1, -1, 2});
  const Point late = gspot_flow(-1, -1, -2, {0.1, -0.35}, 20), away = gspot_flow(1, -1, 2, {0.1, -0.35}, 20);
  add(result, {"E20", "case G2", "α2 < 0, 0 < α1 < α3", "α2 < 0, α3 < α1 < 0",
               !printed.lambda_limit && std::hypot(away[0], away[1]) > 1e6,
               corrected.lambda_limit && std::hypot(late[0], late[1]) < 1e-8 &&
                   std::abs(-late[1] / late[0] - *corrected.lambda_limit) < 1e-7,
               "α = (−1, −1, −2) reaches the G-spot with λ_N = 1; α = (1, −1, 2) runs away from it"});
}

// The slip of the uniform rod backwards in the rescaled time dt = p ds, from its equations written out:
// θ′ = p ω, ω′ = −3b(μ sinθ − cosθ), p = 1 + 3cosθ(cosθ − μ sinθ), b = ω² sinθ − 1.
class BackwardSlip : public OdeSystem {
 public:
  explicit BackwardSlip(double mu) : mu_(mu) {}
  int size() const override { return 2; }
  void rates(double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override {
    const double s = std::sin(y(0)), c = std::cos(y(0)), grip = mu_ * s - c;
    rate << -(1 - 3 * c * grip) * y(1), 3 * (y(1) * y(1) * s - 1) * grip;
  }

 private:
  double mu_;
};

// θ̇ on the strong stable manifold of the G-spot, the eigenline α2 p = (α1 − α3) b, at an angle below it.
double manifold_rate(double mu, double theta_G, double theta) {
  const double w = 1 / std::sqrt(std::sin(theta_G)), s = std::sin(theta_G), c = std::cos(theta_G), p = 1e-7;
  const double a1 = -3 * w * (std::sin(2 * theta_G) + mu * std::cos(2 * theta_G)), a2 = w * w * w * c,
               a3 = -6 * w * s * (mu * s - c);
  const double from = theta_G + p * w / a1;  // dp/dθ = α1/ω
  const BackwardSlip system(mu);
  OdeTolerance tolerance;
  tolerance.relative = 1e-12;
  DormandPrince853 integrator(system, tolerance);
  integrator.start(0, Eigen::Vector2d(from, std::sqrt((1 + a2 * p / (a1 - a3)) / std::sin(from))));
  while (integrator.y()(0) > theta && integrator.step(1e3) == StepStatus::accepted) {
  }
  Eigen::VectorXd at(2);
  const double s_end = change_between(
      [&](double x) {
        integrator.interpolate(x, at);
        return at(0) > theta;
      },
      integrator.t_begin(), integrator.t());
  integrator.interpolate(s_end, at);
  return at(1);
}

// Edge of the wedge that jams, at a given angle below p+ = 0.
void add_wedge(Reproduction& result) {
  const double mu = 1.7, edge = lower_angle(mu), theta = edge - 0.02;
  const auto jammed = [&](double w) { return jams(slide(rod({theta, w, mu}), 4, 0)); };
  double low = 1.0, high = 1.2;
  for (int i = 0; i < 24; ++i) ((jammed((low + high) / 2)) ? low : high) = (low + high) / 2;
  result.features.push_back(
      feature_near("the wedge of starts that jam, μ = 1.7, 0.02 rad below p+ = 0, ends on the strong stable manifold",
                   "bisection on simulated motions against the manifold followed backwards", low,
                   manifold_rate(mu, edge, theta), 1e-7));
}

// Secs. 5.2 and 5.3.
void add_chatter(Reproduction& result) {
  Draws draws(52);
  int wrong = 0, cases = 0, growing = 0, outside = 0;
  for (int i = 0; i < 20000; ++i) {
    const double A = draws.uniform(0.2, 2), C = draws.uniform(0.2, 2),
                 B = draws.uniform(-0.99, 0.99) * std::sqrt(A * C);
    PlanarContact c =
        contact({A, B, C}, draws.uniform(-4, 4), -draws.uniform(0.1, 2), draws.uniform(-2, 2), draws.uniform(0.1, 5));
    const BounceLaw law{draws.uniform(0, 1), RestitutionLaw::energetic, std::nullopt};
    if (C - c.mu * B < 0) {
      ++cases;
      const PlanarImpact hit = planar_impact(c, -1, law);
      wrong += c.u_t > 0 ? hit.u_t != 0 : hit.u_t > 0;
    }
    const auto cycle = bounce_cycle(c, law);
    c.u_t = 0;
    if (cycle && cycle->e > 1) {
      ++growing;
      outside += (planar_modes(c).consistent & mode_T) != 0 ? 0 : 1;
    }
  }
  result.comparisons.push_back(
      compare_statement("Sec. 5.2, p+ < 0: impact with u− > 0 ends with u+ = 0, with u− < 0 with u+ ≤ 0", "always",
                        fmt::format("{} exceptions in {} drawn impacts", wrong, cases), wrong == 0 && cases > 1000));
  result.comparisons.push_back(compare_statement("Sec. 5.3: states with e > 1", "lie inside the friction cone",
                                                 fmt::format("{} exceptions in {} drawn states", outside, growing),
                                                 outside == 0 && growing > 100));
  add_label(result, "E19", "Sec. 5.2: cells of Table 3", "II(ii), III(ii); I(vi), II(vi)",
            "II(ii), II(iii); II(vi), III(vi)");
}

Reproduction section_5() {
  Reproduction result;
  add_rates(result);
  add_counts(result);
  add_cases(result);
  add_wedge(result);
  add_chatter(result);
  Figure figure{"The falling rod near the G-spot",
                "Vermilion: the slip ends in the G-spot. Blue: the rod lifts off or slides on.",
                {},
                2,
                320,
                260};
  for (const double mu : {1.45, 1.7}) {
    std::vector<Run> runs;
    jam_count(mu, &runs);
    figure.panels.emplace_back(rod_plane(mu, runs));
  }
  result.figures.push_back(std::move(figure));
  result.remark =
      "Starts of our own: five angles 0.01 to 0.2 rad below p+ = 0, ten rates of rotation, so fast a slip (50) that it "
      "does not end first.";
  return result;
}

}  // namespace

std::vector<PublishedItem> jam_items() {
  return {item("sec-5", "Triggered transitions: the G-spot, chatter", section_5, {"rod-jam", "rod-jam-finite-force"}),
          item("fig-13", "Portraits near the G-spot", figure_13)};
}

}  // namespace painleve::champneys_varkonyi
