// Sec. 2 and Figs. 2 to 5: the falling rod and its relatives with one contact, and the least friction of each at which
// the paradox can occur, μ_P,min = min W_nn/|W_tn| over the postures.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/gspot.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"

namespace painleve::champneys_varkonyi {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

double mu_P(const Scene& scene) { return friction_cone(scene.space, 0).mu_jam.value_or(std::nan("")); }

// (5), with κ = (r/ℓ)².
double printed_mu_P(double theta, double kappa) {
  return (kappa + std::cos(theta) * std::cos(theta)) / (std::sin(theta) * std::cos(theta));
}

// At the smaller angle with p+ = 0 and the speed of turning, upwards, at which b = 0.
GSpot lower_gspot(double mu) {
  const auto rod = [mu](double theta, double theta_dot) {
    return scene_of("rod", {{"gravity", 1}, {"theta", theta}, {"theta_dot", theta_dot}, {"mu", mu}});
  };
  const auto p = [&](double theta) {
    const PlanarContact c = first_contact(rod(theta, 0));
    return c.W_nn - mu * c.W_tn;
  };
  const double theta = zero_between(p, 0.1, std::atan(2.0));
  const double theta_dot = zero_between([&](double w) { return first_contact(rod(theta, w)).b_n; }, 0, 4);
  const Scene scene = rod(theta, theta_dot);
  return gspot(scene.space, contact_rates(*scene.posed.mechanism, scene.posed.state), 0);
}

void add_equation_1(Reproduction& result) {
  const double theta = 1.1, lambda_n = 2, mu = 1.5, lambda_t = -mu * lambda_n;
  const Scene scene = scene_of("rod", {{"gravity", 1}, {"theta", theta}, {"mu", mu}});
  const Eigen::VectorXd force =
      scene.posed.mechanism->dynamics(scene.posed.state).J.transpose() * Eigen::Vector2d(lambda_t, lambda_n);
  const double turn = -(std::cos(theta) * lambda_n + std::sin(theta) * lambda_t);
  const double printed_turn = -(std::cos(theta) * lambda_n + mu * std::sin(theta) * lambda_t);
  add(result, {"E01", "equation of motion (1), force along x and about the centre",
               "mẌ = −μλ_T, mr²θ̈ = −ℓ(cosθ λ_N + μ sinθ λ_T)", "mẌ = λ_T, mr²θ̈ = −ℓ(cosθ λ_N + sinθ λ_T)",
               std::abs(force(0) + mu * lambda_t) > 1 && std::abs(force(2) - printed_turn) > 1,
               std::abs(force(0) - lambda_t) < 1e-12 && std::abs(force(2) - turn) < 1e-12,
               fmt::format("θ = 1.1, μ = 1.5, λ_N = 2: force {} and torque {}; printed {} and {}", in_digits(force(0)),
                           in_digits(force(2)), in_digits(-mu * lambda_t), in_digits(printed_turn))});
}

void add_equation_3(Reproduction& result) {
  const double theta = 1.1, mu = 1.5, c = std::cos(theta), s = std::sin(theta);
  const PlanarContact tip = first_contact(scene_of("rod", {{"gravity", 1}, {"theta", theta}, {"mu", mu}}));
  const double p = tip.W_nn - mu * tip.W_tn;
  const double printed = 1 + 3 * c * c - mu * c * s, corrected = 1 + 3 * (c * c - mu * c * s);
  add(result, {"E02", "Painlevé parameter p+ in (3)", "1 + (ℓ²/r²)cos²θ − μ cosθ sinθ",
               "1 + (ℓ²/r²)(cos²θ − μ cosθ sinθ)", std::abs(p - printed) > 1, std::abs(p - corrected) < 1e-12,
               fmt::format("θ = 1.1, μ = 1.5: {}; printed {}", in_digits(p), in_digits(printed))});
}

// The signs that the text gives for u > 0: upright and flat b < 0 < p+.
void add_signs(Reproduction& result) {
  for (const double theta : {1.55, 0.02}) {
    const PlanarContact c = first_contact(scene_of("rod", {{"gravity", 1}, {"theta", theta}, {"mu", 1.5}}));
    const bool holds = c.b_n < 0 && c.W_nn - 1.5 * c.W_tn > 0;
    result.comparisons.push_back(compare_statement(fmt::format("signs at rest, θ = {}, μ = 1.5", theta),
                                                   "b < 0, p+ > 0", holds ? "b < 0, p+ > 0" : "other signs", holds));
  }
}

Reproduction section_2_1() {
  Reproduction result;
  add_equation_1(result);
  add_equation_3(result);
  add_signs(result);
  const Least least = least_along(source_of("rod", {{"gravity", 1}}), "mu_jam", "theta", 0.2, 1.5);
  result.comparisons.push_back(compare_printed("μ_P,min of the uniform rod", "4/3", least.value));
  result.comparisons.push_back(compare_value("angle of μ_P,min", "arctan 2", std::atan(2.0), least.at, 1e-7));
  const double mu_c = zero_between(
      [](double mu) {
        const GSpot g = lower_gspot(mu);
        return g.alpha[2] - g.alpha[0];
      },
      1.4, 1.8);
  result.comparisons.push_back(compare_value("μ_c of the uniform rod, where α1 = α3 at the G-spot", "8/(3√3)",
                                             8 / (3 * std::sqrt(3.0)), mu_c, 1e-10));
  double worst = 0;
  Draws draws(21);
  for (int i = 0; i < 200; ++i) {
    const double theta = draws.uniform(0.05, 1.52), gyration = draws.uniform(0.1, 1.2);
    const Scene scene = scene_of("rod", {{"gravity", 1}, {"theta", theta}, {"gyration", gyration}});
    const double printed = printed_mu_P(theta, gyration * gyration);
    worst = std::max(worst, std::abs(mu_P(scene) / printed - 1));
  }
  result.comparisons.push_back(compare_statement("(5), 200 angles and radii of gyration",
                                                 "μ_P = (r² + ℓ²cos²θ)/(ℓ² sinθ cosθ)",
                                                 "the same, " + error_size(worst), worst < 1e-12));
  result.features.push_back(feature_near("μ_c/μ_P,min = 2/√3", "root of α1 = α3 against the minimum of the curve",
                                         mu_c / least.value, 2 / std::sqrt(3.0), 1e-9));
  result.remark =
      "μ_c is found from the rates α of the slip at p+ = b = 0, not from simulated motions; those are in sec-5.";
  return result;
}

Plot mu_P_plot(const std::string& scene, const std::string& key, const std::string& label, const std::string& unit,
               const std::vector<std::pair<std::string, std::vector<Point>>>& curves, double mu_to,
               bool overlapping = false) {
  Plot plot;
  plot.title = "least friction of the paradox, " + scene;
  plot.x = {label, unit, {}, {}, Scale::linear, {}, unit == "deg" ? degrees : 1};
  plot.y = {"/μ/_{P}(" + key + ")", "", 0.0, mu_to};
  int colour = 1;
  double width =
      1.2 + 1.6 * static_cast<double>(curves.size() - 1);  // of curves that lie on each other the lower ones show
  for (const auto& c : curves) {
    plot.layers.emplace_back(CurveLayer{c.second, {series_colour(colour++), overlapping ? width : 1.4}, c.first});
    width -= 1.6;
  }
  return plot;
}

Reproduction figure_2() {
  Reproduction result;
  std::vector<std::pair<std::string, std::vector<Point>>> curves;
  std::vector<Point> minima;
  for (const double kappa : {0.01, 0.1, 1.0 / 3, 1.0}) {
    const SceneSource source = source_of("rod", {{"gravity", 1}, {"gyration", std::sqrt(kappa)}});
    curves.emplace_back(fmt::format("(r/ℓ)² = {:.2g}", kappa), curve(
                                                                   [&](double theta) {
                                                                     SceneSource at = source;
                                                                     at.set("theta", theta);
                                                                     return mu_P(at.build());
                                                                   },
                                                                   0.03, 1.565, 400));
    const Least least = least_along(source, "mu_jam", "theta", 0.05, 1.55);
    minima.push_back({least.at, least.value});
    result.features.push_back(feature_near(fmt::format("the minimum for r²/ℓ² = {:.2g} is 2√(κ(κ+1))", kappa),
                                           "closed form against the search along the curve", least.value,
                                           2 * std::sqrt(kappa * (kappa + 1)), 1e-10));
    result.features.push_back(feature_near(fmt::format("its angle for r²/ℓ² = {:.2g} is arctan √(1 + 1/κ)", kappa),
                                           "closed form against the search along the curve", least.at,
                                           std::atan(std::sqrt(1 + 1 / kappa)), 1e-6));
  }
  result.comparisons.push_back(compare_statement("μ_P,min for r → 0 (Sec. 2.2)", "becomes vanishingly small",
                                                 fmt::format("{} at r²/ℓ² = 0.01", in_digits(minima.front()[1])),
                                                 minima.front()[1] < 0.21));
  Plot plot = mu_P_plot("rod", "/θ/", "angle of the rod /θ/", "deg", curves, 5);
  plot.layers.emplace_back(CurveLayer{minima, {ink, 1}, "minimum", Glyph::disc, 5, false});
  const Scene scene = scene_of("rod", {{"theta", 1.0}});
  result.figures.push_back({"The falling rod and the friction that it needs for the paradox", "", {}, 2, 300, 260});
  result.figures.back().panels = {drawing(scene, "rod"), plot};
  result.remark = "The drawing is ours. Curves for four radii of gyration, of which the paper discusses 1/3 and 0.";
  return result;
}

Reproduction figure_3() {
  Reproduction result;
  std::vector<std::pair<std::string, std::vector<Point>>> curves;
  for (const auto& [width, height] : {std::pair{1.0, 1.0}, {1.0, 0.5}, {2.0, 0.1}}) {
    const SceneSource source = source_of("block", {{"width", width}, {"height", height}});
    const double flat = std::atan(height / width);  // below it the next corner is the lowest
    const Least least = least_along(source, "mu_jam", "theta", flat + 0.01, 1.5);
    result.comparisons.push_back(
        compare_printed(fmt::format("μ_P,min of the homogeneous box {} × {}", width, height), "4/3", least.value));
    const auto at = [&source](double theta) {
      SceneSource turned = source;
      turned.set("theta", theta);
      return mu_P(turned.build());
    };
    curves.emplace_back(fmt::format("{} × {}", width, height), curve(at, flat + 0.01, 1.52, 60));
    const double shift = at(1.2) - mu_P(scene_of("rod", {{"theta", 1.2}}));
    result.features.push_back(feature_near(fmt::format("the box {} × {} has the curve of the rod", width, height),
                                           "W of the box against W of the rod at θ = 1.2", shift, 0, 1e-12));
  }
  result.figures.push_back({"A box on its corner is the rod again", "", {}, 2, 300, 260});
  result.figures.back().panels = {drawing(scene_of("block", {}), "box on an incline"),
                                  mu_P_plot("box", "/θ/", "angle of the half diagonal /θ/", "deg", curves, 5, true)};
  result.remark = "The three curves lie on each other: (r/ℓ)² = 1/3 for every aspect ratio.";
  return result;
}

Reproduction figure_4() {
  Reproduction result;
  std::vector<std::pair<std::string, std::vector<Point>>> curves;
  for (const double body : {1.0, 4.0, 100.0}) {
    const SceneSource source = source_of("impact-oscillator", {{"mass_tip", 1}, {"mass_body", body}});
    const Least least = least_along(source, "mu_jam", "beta", 0.02, 1.5);
    const double printed = 2 * std::sqrt(1 / body);
    result.comparisons.push_back(
        compare_value(fmt::format("μ_P,min for m2/m1 = {}", body), "2√(m1/m2)", printed, least.value, 1e-9));
    result.features.push_back(feature_near(fmt::format("for m2/m1 = {} it lies at tan β = √(m1/m2)", body),
                                           "closed form against the search", std::tan(least.at), printed / 2, 1e-6));
    curves.emplace_back(fmt::format("m_{{2}}/m_{{1}} = {}", body), curve(
                                                                       [&](double beta) {
                                                                         SceneSource at = source;
                                                                         at.set("beta", beta);
                                                                         return mu_P(at.build());
                                                                       },
                                                                       0.012, 1.45, 400));
  }
  result.figures.push_back({"The frictional impact oscillator", "", {}, 2, 300, 260});
  result.figures.back().panels = {drawing(scene_of("impact-oscillator", {}), "tip mass, massless link, body"),
                                  mu_P_plot("oscillator", "/β/", "angle of the link /β/", "deg", curves, 4)};
  result.remark = "Layout inferred from the formula: m1 is the tip, m2 the body that moves up and down only.";
  return result;
}

// Links that lie almost on each other, θ1 = π − x, θ2 = −y with x² = y² + 2H/l: to leading order in H, M⁻¹ at θ1 − θ2 =
// π, J_t = (−1, 1), J_n = (x, −y), and W_nn/|W_tn| = 2 (x² − 3xy + 4y²)/|x − 5y|. Its least value over y of one sign,
// per √(H/l).
double folded_factor(double sign) {
  double least = 1e300;
  for (const double y : evenly(0, 6, 600001)) {
    const double x = std::sqrt(y * y + 2);
    least = std::min(least, 2 * (x * x - 3 * sign * x * y + 4 * y * y) / std::abs(x - 5 * sign * y));
  }
  return least;
}

void add_two_link(Reproduction& result, Plot& plot) {
  std::vector<Point> out, back;
  for (const double height : {0.01, 0.02, 0.05, 0.1, 0.2, 0.5}) {
    for (const char* elbow : {"out", "back"}) {
      SceneSource source = source_of("two-link", {{"height", height}});
      source.set(fmt::format("elbow={}", elbow));
      const Least least = least_along(source, "mu_jam", "theta1", 1.2, 3.1, 381);
      (elbow[0] == 'o' ? out : back).push_back({height, least.value});
    }
  }
  result.comparisons.push_back(compare_statement("two-link arm: μ_P,min as H → 0", "tends to zero",
                                                 fmt::format("{} at H/l = 0.01", in_digits(back.front()[1])),
                                                 back.front()[1] < 0.11 && back.front()[1] < back[1][1]));
  const auto slope = [](const std::vector<Point>& c) {
    return std::log(c[1][1] / c[0][1]) / std::log(c[1][0] / c[0][0]);
  };
  result.features.push_back(feature_near("μ_P,min falls as √H, arm folded back", "slope between H/l = 0.01 and 0.02",
                                         slope(back), 0.5, 0.02));
  result.features.push_back(feature_near("μ_P,min falls as √H, tip away from the base",
                                         "slope between H/l = 0.01 and 0.02", slope(out), 0.5, 0.02));
  const auto factor = [](const std::vector<Point>& c) {  // of √(H/l) for H → 0, from two heights
    return 2 * c[0][1] / std::sqrt(c[0][0]) - c[1][1] / std::sqrt(c[1][0]);
  };
  result.features.push_back(feature_near("the factor of √(H/l), arm folded back", "leading order in H by hand",
                                         factor(back), folded_factor(1), 3e-3));
  result.features.push_back(feature_near("the factor of √(H/l), tip away from the base", "leading order in H by hand",
                                         factor(out), folded_factor(-1), 3e-2));
  plot.title = "two-link arm, least over postures";
  plot.x = {"height of the hinge /H///l/", "", {}, {}, Scale::logarithmic};
  plot.y = {"/μ/_{P,min}", "", {}, {}, Scale::logarithmic};
  plot.layers.emplace_back(CurveLayer{out, {series_colour(1), 1.4}, "tip away from the base", Glyph::disc});
  plot.layers.emplace_back(CurveLayer{back, {series_colour(5), 1.4}, "arm folded back", Glyph::square});
}

void add_pendulum(Reproduction& result) {
  struct Case {
    double m1, m2, r2, rho2;
  };
  double worst = 0, printed_off = 1e300;
  std::string proof;
  for (const Case& c : {Case{0.5, 2, 0.3, 0.1}, Case{1, 1, 1, 0.577350269189626}, Case{0.2, 1, 1, 0.3}}) {
    const SceneSource source =
        source_of("pendulum-on-slider",
                  {{"mass_slider", c.m1}, {"mass_pendulum", c.m2}, {"distance", c.r2}, {"gyration", c.rho2}});
    const double least = least_along(source, "mu_jam", "theta", 0.05, 1.5).value;
    const auto formula = [&](double shape) {
      return std::sqrt(std::pow(2 * (1 + c.m1 / c.m2) * (1 + shape) - 1, 2) - 1);
    };
    worst = std::max(worst, std::abs(formula(std::pow(c.rho2 / c.r2, 2)) - least));
    printed_off = std::min(printed_off, std::abs(formula(c.rho2 / c.r2) - least));
    if (proof.empty()) {
      proof = fmt::format("m1, m2, r2, ρ2 = 0.5, 2, 0.3, 0.1: {}; printed {}", in_digits(least, 10),
                          in_digits(formula(c.rho2 / c.r2), 10));
    }
  }
  add(result, {"E28", "pendulum on a slider: μ_P,min", "√((2(1 + m1/m2)(1 + ρ2/r2) − 1)² − 1)",
               "√((2(1 + m1/m2)(1 + (ρ2/r2)²) − 1)² − 1)", printed_off > 0.5, worst < 1e-8, proof});
  const SceneSource light = source_of("pendulum-on-slider", {{"mass_slider", 1e-9}});
  result.features.push_back(feature_near("without the slider the pendulum is the rod, 4/3", "limit m1 → 0",
                                         least_along(light, "mu_jam", "theta", 0.05, 1.5).value, 4.0 / 3, 1e-7));
}

// μ_P,min over the ratio of the masses, for the pendulum that is a uniform rod.
void draw_pendulum(Plot& plot) {
  const auto formula = [](double shape) {
    return [shape](double ratio) { return std::sqrt(std::pow(2 * (1 + ratio) * (1 + shape) - 1, 2) - 1); };
  };
  std::vector<Point> searched;
  for (const double ratio : {0.01, 0.25, 0.5, 0.75, 1.0}) {
    const SceneSource source = source_of("pendulum-on-slider", {{"mass_slider", ratio}, {"mass_pendulum", 1}});
    searched.push_back({ratio, least_along(source, "mu_jam", "theta", 0.05, 1.5).value});
  }
  plot.title = "pendulum on a slider, least over postures";
  plot.x = {"m_{1}/m_{2}", "", 0.0, 1.0};
  plot.y = {"/μ/_{P,min}", "", 0.0, {}};
  plot.layers.emplace_back(
      CurveLayer{curve(formula(1.0 / 3), 0, 1, 60), {series_colour(5), 1.4}, "(ρ_{2}/r_{2})² (E28)"});
  plot.layers.emplace_back(
      CurveLayer{curve(formula(std::sqrt(1.0 / 3)), 0, 1, 60), {ink, 1.2, Dash::dotted}, "ρ_{2}/r_{2}, printed"});
  plot.layers.emplace_back(CurveLayer{searched, {series_colour(6), 1.2}, "search over /θ/", Glyph::ring, 6, false});
}

Reproduction figure_5() {
  Reproduction result;
  Plot arm, pendulum;
  add_two_link(result, arm);
  add_pendulum(result);
  draw_pendulum(pendulum);
  result.figures.push_back({"The two-link arm and the pendulum on a slider", "", {}, 2, 300, 260});
  result.figures.back().panels = {drawing(scene_of("two-link", {}), "two-link arm"),
                                  drawing(scene_of("pendulum-on-slider", {}), "pendulum on a slider"), arm, pendulum};
  result.remark =
      "The paper gives no formula for the two-link arm; equal uniform links. The layout of the pendulum is ours (the "
      "figure "
      "cannot be read); that m1 → 0 gives 4/3 does not depend on it.";
  return result;
}

}  // namespace

std::vector<PublishedItem> mechanism_items() {
  return {item("sec-2.1", "The classical Painlevé problem: μ_P, μ_c", section_2_1),
          item("fig-2", "The falling rod", figure_2), item("fig-3", "Painlevé's box", figure_3),
          item("fig-4", "The frictional impact oscillator", figure_4),
          item("fig-5", "Two-link manipulator and pendulum on a slider", figure_5)};
}

}  // namespace painleve::champneys_varkonyi
