// Sec. 7 and Fig. 17: the thin rod in space, n = (cosθ cosψ, cosθ sinψ, −sinθ) from its centre to its tip, slipping in
// the direction φ. p = 0 can be crossed there with b < 0.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve::champneys_varkonyi {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double pi = std::numbers::pi;

struct RodState {
  double theta, theta_dot, psi, psi_dot, u, phi;  // slip of speed u along φ
};

SceneSource rod_source(const RodState& s, double mass, double gyration, double mu) {
  SceneSource source = source_of("rod-3d", {{"gravity", 1},
                                            {"mass", mass},
                                            {"gyration", gyration},
                                            {"theta", s.theta},
                                            {"theta_dot", s.theta_dot},
                                            {"psi", s.psi},
                                            {"psi_dot", s.psi_dot},
                                            {"mu", mu}});
  source.set(fmt::format("slip=[{:.17g}, {:.17g}]", s.u * std::cos(s.phi), s.u * std::sin(s.phi)));
  return source;
}

Scene rod(const RodState& s, double mass = 1, double gyration = 0.5773502691896258, double mu = 1) {
  return rod_source(s, mass, gyration, mu).build();
}

// μ_P(θ) for (r/ℓ)² = κ.
double mu_P(double theta, double kappa) {
  return (kappa + std::pow(std::cos(theta), 2)) / (std::sin(theta) * std::cos(theta));
}

// ---- Sec. 7.1

void add_coefficients(Reproduction& result) {
  Draws draws(71);
  double worst = 0, printed_b = 1e300, right_b = 0;
  for (int i = 0; i < 60; ++i) {
    const RodState s{
        draws.uniform(0.2, 1.4), draws.uniform(0.5, 1.5), draws.uniform(-3, 3), draws.uniform(0.8, 1.5), 1, 0.4};
    const double m = draws.uniform(0.5, 2), st = std::sin(s.theta), ct = std::cos(s.theta), sp = std::sin(s.psi),
                 cp = std::cos(s.psi);
    const ContactSpace c = rod(s, m).space;
    Matrix2d A;
    A << 1 + 3 * sp * sp + 3 * cp * cp * st * st, -3 * sp * cp * ct * ct, -3 * sp * cp * ct * ct,
        1 + 3 * cp * cp + 3 * sp * sp * st * st;
    const double square = s.psi_dot * s.psi_dot * ct * ct * ct + s.theta_dot * s.theta_dot * ct;
    const Vector2d a = -square * Vector2d(cp, sp), B = 3 / m * st * ct * Vector2d(cp, sp);
    worst = std::max({worst, (c.W.topLeftCorner(2, 2) - A / m).cwiseAbs().maxCoeff(),
                      (c.W.block(0, 2, 2, 1) - B).cwiseAbs().maxCoeff(), (c.b.head(2) - a).cwiseAbs().maxCoeff(),
                      std::abs(c.W(2, 2) - (1 + 3 * ct * ct) / m)});
    const double turn = s.theta_dot * s.theta_dot * st - 1;
    printed_b = std::min(printed_b, std::abs(s.psi_dot * s.psi_dot * st + turn - c.b(2)));
    right_b = std::max(right_b, std::abs(s.psi_dot * s.psi_dot * st * ct * ct + turn - c.b(2)));
  }
  result.comparisons.push_back(compare_statement("(40), (42), (43), (44): a, A, B, C of the thin rod", "as printed",
                                                 "the same at 60 drawn states, " + error_size(worst), worst < 1e-11));
  const double b = rod({1.0, 0.4, 0.3, 1.2, 1, 0.4}).space.b(2);
  const double printed = 1.44 * std::sin(1.0) + 0.16 * std::sin(1.0) - 1;
  add(result, {"E30", "(41), free normal acceleration", "b = ℓψ̇² sinθ + ℓθ̇² sinθ − g",
               "b = ℓψ̇² sinθ cos²θ + ℓθ̇² sinθ − g", printed_b > 1e-3 && std::abs(printed - b) > 0.8, right_b < 1e-11,
               fmt::format("θ, θ̇, ψ, ψ̇ = 1, 0.4, 0.3, 1.2: {}; printed {}", in_digits(b), in_digits(printed))});
}

void add_slip_equations(Reproduction& result) {
  const RodState s{1.0, 0.4, 0, 1.2, 1, 0.7};
  const double m = 2, mu = 1.5, ct = std::cos(1.0), st = std::sin(1.0);
  const ContactSpace heavy = rod(s, m, 0.5773502691896258, mu).space, unit = rod(s, 1, 0.5773502691896258, mu).space;
  const double bracket = -ct * (1.44 * ct * ct + 0.16), force = m * heavy.b(0);
  add(result, {"E31", "(46), term without λ_N", "−ℓ cosθ[…]", "−mℓ cosθ[…]", std::abs(force - bracket) > 0.3,
               std::abs(force - m * bracket) < 1e-12,
               fmt::format("m = 2: {}; printed {}", in_digits(force), in_digits(bracket))});
  const Vector2d e(std::cos(s.phi), std::sin(s.phi));
  const Vector2d response = -(unit.W.topLeftCorner(2, 2) * (-mu * e) + unit.W.block(0, 2, 2, 1)).col(0);
  const Vector2d line(((1 + 3 * st * st) * mu - 3 * st * ct / e.x()) * e.x(), 4 * mu * e.y());
  add(result, {"E32", "(47), second line", "a leading factor μ", "no factor", (mu * line - response).norm() > 1,
               (line - response).norm() < 1e-12,
               fmt::format("θ = 1, φ = 0.7, μ = 1.5: −m u̇/λ_N = ({}, {}); printed ({}, {})", in_digits(response.x()),
                           in_digits(response.y()), in_digits(mu * line.x()), in_digits(mu * line.y()))});
}

void add_condition_45(Reproduction& result) {
  Draws draws(45);
  int wrong = 0, angles = 0;
  for (int i = 0; i < 400; ++i) {
    const double theta = draws.uniform(0.1, 1.5), phi = draws.uniform(-pi, pi), psi = draws.uniform(-pi, pi),
                 mu = draws.uniform(0.2, 4);
    const ContactSpace s = rod({theta, 0, psi, 0, 1, phi}, 1, 0.5773502691896258, mu).space;
    const double p = painleve_parameter(s.W, mu, Vector2d(std::cos(phi), std::sin(phi)));
    wrong += (p < 0) != (mu * std::cos(phi - psi) > mu_P(theta, 1.0 / 3)) ? 1 : 0;
    const double half = mu > mu_P(theta, 1.0 / 3) ? std::acos(mu_P(theta, 1.0 / 3) / mu) : 0;
    angles += std::abs(friction_cone(s, 0).locking_angle / 2 - half) > 1e-9 && half > 1e-6 ? 1 : 0;
  }
  result.comparisons.push_back(compare_statement("(45): p < 0", "iff μ cos(φ − ψ) > μ_P(θ)",
                                                 fmt::format("{} exceptions in 400 drawn states", wrong), wrong == 0));
  const double wide = friction_cone(rod({1.1, 0, 0, 0, 1, 0}, 1, 0.5773502691896258, 1e6).space, 0).locking_angle / 2;
  result.comparisons.push_back(compare_statement("φ_max", "0 at μ = μ_P, grows to π/2 for μ → ∞",
                                                 fmt::format("arccos(μ_P/μ); {} at μ = 10⁶", in_digits(wide)),
                                                 std::abs(wide - pi / 2) < 1e-5));
  result.features.push_back(feature("the sector of jamming directions has the half angle arccos(μ_P/μ)",
                                    "locking angle of 400 drawn rods", angles == 0, fmt::format("{} differ", angles)));
}

Reproduction section_7() {
  Reproduction result;
  add_coefficients(result);
  add_slip_equations(result);
  add_condition_45(result);
  Draws draws(48);
  int wrong = 0;
  for (int i = 0; i < 400; ++i) {  // near p = 0 the response to λ_N alone turns the slip
    const double theta = draws.uniform(0.1, 1.5), phi = draws.uniform(-1.5, 1.5), mu = draws.uniform(0.1, 4);
    const ContactSpace s = rod({theta, 0, 0, 0, 1, phi}, 1, 0.5773502691896258, mu).space;
    const Vector2d e(std::cos(phi), std::sin(phi));
    const Vector2d rate = (s.W.topLeftCorner(2, 2) * (-mu * e) + s.W.block(0, 2, 2, 1)).col(0);
    const double phi_dot = (e.x() * rate.y() - e.y() * rate.x());
    wrong += phi_dot * std::sin(phi) < 0 ? 0 : 1;
  }
  result.comparisons.push_back(compare_statement("(48): φ approaches 0, φ̇ sinφ < 0", "always, |φ| < π/2",
                                                 fmt::format("{} exceptions in 400 drawn states", wrong), wrong == 0));
  add_label(result, "E33", "Sec. 7.1: scalars; equations", "v, a, C, λ_N; (35) and (35); (41), (43), (44)",
            "v, b, C, λ_N; (35) and (36); (39), (43), (44)");
  return result;
}

// ---- Fig. 17

constexpr double kappa = 0.01;  // (0.1 ℓ)²

struct Crossing17 {
  RodState start;
  Run run;
};

// Starts up to 0.3 rad outside the region p < 0, whose edge is cos(φ − ψ) = μ_P.
std::vector<Crossing17> crossings() {
  std::vector<Crossing17> all;
  for (const RodState& s : {RodState{1.2, 0, 0, 0, 1.6, 0.1}, RodState{1.0, 0.3, 0, 0.2, 1.2, 0.3},
                            RodState{0.9, -0.3, 0, 0.4, 0.9, 0.3}, RodState{1.3, 0, 0, 0.5, 2, 0.06}}) {
    RodState start = s;
    start.phi += std::acos(mu_P(s.theta, kappa));
    SimulateOptions options;
    options.method = SimulationMethod::event;
    options.simulation.t_end = 0.4;
    options.simulation.samples = 40000;
    options.simulation.most_events = 1;
    all.push_back({start, simulate(rod(start, 1, 0.1, 1), options)});
  }
  return all;
}

Point3 place(double theta, double phi, double u) { return {2.2 * (theta - 1.0), 1.2 * (phi - 0.6), 0.45 * u}; }

// The surface p = 0 in (θ, φ − ψ, |u|).
void add_surface(Solid& solid) {
  const auto edge = [](double theta) { return std::acos(std::min(1.0, mu_P(theta, kappa))); };
  const auto thetas = evenly(0.82, 1.42, 25), speeds = evenly(0.4, 2.1, 5);
  for (std::size_t i = 0; i + 1 < thetas.size(); ++i) {
    for (std::size_t j = 0; j + 1 < speeds.size(); ++j) {
      const double t = thetas[i], w = thetas[i + 1];
      solid.faces.push_back({{place(t, edge(t), speeds[j]), place(w, edge(w), speeds[j]),
                              place(w, edge(w), speeds[j + 1]), place(t, edge(t), speeds[j + 1])},
                             Colour{190, 190, 190, 0.75},
                             {Colour{150, 150, 150}, 0.3}});
    }
  }
}

SpacePlot panel(const std::vector<Crossing17>& all) {
  SpacePlot plot;
  plot.title = "slip of four rods from ○ to × on /p/ = 0 (grey)";
  plot.view = {-1.9, 0.5};
  add_surface(plot.solid);
  int colour = 5;
  for (const Crossing17& c : all) {
    SpaceLine line{{}, {series_colour(colour), 1.6}, false, true};
    colour = colour == 7 ? 1 : colour + 1;
    for (const Sample& s : c.run.samples) {
      const double u = std::hypot(s.u(0), s.u(1)), phi = std::atan2(s.u(1), s.u(0));
      line.points.push_back(place(s.q(3), phi - s.q(4), u));
    }
    TextStyle style;
    style.size = 8;
    const auto centred = [&style, &line](double size) {
      TextStyle mark = style;
      mark.size = size;
      mark.anchor = Anchor::middle;
      mark.colour = line.pen.colour;
      return mark;
    };
    plot.solid.notes.push_back({line.points.front(), "○", centred(9), 0, -3});
    plot.solid.notes.push_back({line.points.back(), "×", centred(12), 0, -4});
    plot.solid.notes.push_back({line.points.front(), fmt::format("/θ/ = {}", c.start.theta), style, 7, 1});
    plot.solid.lines.push_back(std::move(line));
  }
  const Point3 corner = place(0.7, 0.2, 0.3);
  const auto axis = [&](const Point3& to, const std::string& name) {
    plot.solid.lines.push_back({{corner, to}, {ink, 0.9}, true, true});
    plot.solid.notes.push_back({to, name, {9, Anchor::start, ink, 0, false}, 4, 4});
  };
  axis(place(1.45, 0.2, 0.3), "/θ/");
  axis(place(0.7, 1.4, 0.3), "/φ/ − /ψ/");
  axis(place(0.7, 0.2, 2.2), "|/u/|");
  return plot;
}

Reproduction figure_17() {
  Reproduction result;
  const std::vector<Crossing17> all = crossings();
  int crossed = 0;
  for (const Crossing17& c : all) {
    const bool crosses = c.run.jam && c.run.jam->crosses && c.run.jam->b_n < 0;
    crossed += crosses ? 1 : 0;
    if (!c.run.jam) continue;
    const State& end = c.run.state;
    const Sample& last = c.run.samples.back();
    const double phi = std::atan2(last.u(1), last.u(0)) - end.q(4);
    result.features.push_back(
        feature_near(fmt::format("the rod that starts at θ = {} ends on cos(φ − ψ) = μ_P(θ)", c.start.theta),
                     "end of the simulated slip against (45)", std::cos(phi), mu_P(end.q(3), kappa), 1e-5));
    result.features.push_back(feature_near(fmt::format("its force grows as (t* − t)^(−1/2), θ = {}", c.start.theta),
                                           "last decades of the simulated approach", c.run.jam->exponent.value_or(0),
                                           -0.5, 0.01));
    result.features.push_back(feature(fmt::format("there b < −1/2, θ = {}", c.start.theta), "state at the crossing",
                                      c.run.jam->b_n < -0.5, fmt::format("b = {}", in_digits(c.run.jam->b_n, 4))));
  }
  result.comparisons.push_back(compare_statement("simulated rods, μ = 1, radius of gyration 0.1 ℓ",
                                                 "cross the boundary of the Painlevé region away from the G-spot",
                                                 fmt::format("{} of {} cross p = 0 with b < 0", crossed, all.size()),
                                                 crossed == static_cast<int>(all.size())));
  const RodState shown{0.9, -0.3, 0.5, 0.4, 0.7, 1.2};
  result.figures.push_back({"The rod in space", "", {}, 2, 340, 300});
  result.figures.back().panels = {drawing(rod(shown), "thin rod, slip /u/"), panel(all)};
  result.remark =
      "Initial data are ours, up to 0.3 rad outside of p = 0 (farther out some of them stop or lift first); projection "
      "on θ, φ − ψ and the speed of slip.";
  return result;
}

}  // namespace

std::vector<PublishedItem> space_items() {
  return {item("sec-7", "One contact in space", section_7),
          item("fig-17", "The rod in space crosses p = 0", figure_17, {"rod-3d-crossing"})};
}

}  // namespace painleve::champneys_varkonyi
