#include "painleve/figure/step_solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/ticks.hpp"

namespace painleve {
namespace {

using detail::number_label;

std::string with_true_minus(std::string mode) {
  if (const auto at = mode.find('-'); at != std::string::npos) mode.replace(at, 1, "−");
  return mode;
}

Point normal_then_tangent(const Eigen::VectorXd& r) { return {r(1), r(0)}; }

// What the picture shows: 0 ≤ Λ_n ≤ most_n and the tangential impulses that belong to it.
struct Frame {
  double most_n, low_t, high_t;
};

// The solutions and the inside of the cone; without a solution off the origin, the impulse that would stop the contact.
Frame frame(const StepSpace& s) {
  double most = 0;
  for (const auto& solution : s.solutions) most = std::max({most, solution.second[0], std::abs(solution.second[1])});
  const double stops = std::max(std::abs(s.q_t) / s.W_tt, std::abs(s.q_n) / s.W_nn);
  if (most <= 1e-3 * stops) most = stops > 0 ? stops : 1;
  const double most_n = 1.6 * most;
  double low = -0.35 * most_n, high = 0.35 * most_n;
  for (const auto& solution : s.solutions) {
    low = std::min(low, 1.4 * solution.second[1]);
    high = std::max(high, 1.4 * solution.second[1]);
  }
  const double cone = s.mu * most_n;
  return {most_n, std::max(low, -1.05 * std::max(cone, 0.3 * most_n)), std::min(high, 1.05 * std::max(cone, most_n))};
}

// E(Λ) = E_least + ½ (Λ − Λ*)ᵀW(Λ − Λ*): its isolines are ellipses. With W = L Lᵀ the one of level c is Λ* +
// √(2(c − E_least)) L⁻ᵀ (cos φ, sin φ).
class EnergyEllipses {
 public:
  explicit EnergyEllipses(const StepSpace& s) {
    const double determinant = s.W_tt * s.W_nn - s.W_tn * s.W_tn;
    exist_ = determinant > 1e-12 * s.W_tt * s.W_nn;
    if (!exist_) return;
    centre_ = {(s.W_tn * s.free_t - s.W_tt * s.free_n) / determinant,
               (s.W_tn * s.free_n - s.W_nn * s.free_t) / determinant};
    least_ = s.energy(centre_);
    L_nn_ = std::sqrt(s.W_nn);
    L_tn_ = s.W_tn / L_nn_;
    L_tt_ = std::sqrt(determinant / s.W_nn);
  }
  bool exist() const { return exist_; }
  Point centre() const { return centre_; }
  double least() const { return least_; }
  std::vector<Point> at(double level) const {
    constexpr int corners = 240;
    std::vector<Point> line;
    const double radius = std::sqrt(2 * std::max(level - least_, 0.0));
    for (int i = 0; i <= corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      const double t = radius * std::sin(angle) / L_tt_;
      line.push_back({centre_[0] + (radius * std::cos(angle) - L_tn_ * t) / L_nn_, centre_[1] + t});
    }
    return line;
  }

 private:
  bool exist_ = false;
  Point centre_{};
  double least_ = 0, L_nn_ = 1, L_tn_ = 0, L_tt_ = 1;
};

void add_isolines(Plot& plot, const StepSpace& s, const Frame& f, int count) {
  const EnergyEllipses ellipses(s);
  if (count <= 0 || !ellipses.exist()) return;
  double highest = ellipses.least();
  for (const double n : {0.0, f.most_n}) {
    for (const double t : {f.low_t, f.high_t}) highest = std::max(highest, s.energy({n, t}));
  }
  for (int i = 1; i <= count; ++i) {
    // Even steps of the ellipses' size, not of the energy, so that they spread over the picture.
    const double part = static_cast<double>(i) / count;
    const double level = ellipses.least() + part * part * (highest - ellipses.least());
    CurveLayer line{ellipses.at(level), {ramp_colour(1 - 0.9 * part).faded(0.8), 0.9}};
    if (i == 1) line.label = "kinetic energy";
    plot.layers.emplace_back(line);
  }
}

void add_cone(Plot& plot, const StepSpace& s, const Frame& f) {
  const double reach = 1.2 * f.most_n;
  plot.layers.emplace_back(RegionLayer{
      {{0, 0}, {reach, s.mu * reach}, {reach, -s.mu * reach}}, Colour{120, 120, 120, 0.12}, "friction cone"});
  plot.layers.emplace_back(
      CurveLayer{{{reach, s.mu * reach}, {0, 0}, {reach, -s.mu * reach}}, {ink, 0.8, Dash::dashed}});
}

void add_solutions(Plot& plot, const StepSpace& s, const Frame& f) {
  CurveLayer marks{{}, {ink, 1.2}, s.solutions.empty() ? "" : "solutions"};
  marks.glyph = Glyph::disc;
  marks.glyph_size = 7;
  marks.line = false;
  for (const auto& solution : s.solutions) {
    marks.points.push_back(solution.second);
    TextStyle style;
    style.bold = true;
    const bool right = solution.second[0] < 0.8 * f.most_n;
    style.anchor = right ? Anchor::start : Anchor::end;
    const bool at_rest = solution.second[0] == 0;  // straight to the right, between the edges of the cone
    const std::string where = fmt::format("{} ({}, {})", with_true_minus(solution.first),
                                          number_label(solution.second[0]), number_label(solution.second[1]));
    plot.layers.emplace_back(NoteLayer{solution.second, where, style,
                                       at_rest ? 14.0
                                       : right ? 7.0
                                               : -7.0,
                                       at_rest ? -3.0 : -12.0});
  }
  plot.layers.emplace_back(marks);
}

// −∇E at Λ = 0 is minus the free velocity.
void add_descent(Plot& plot, const StepSpace& s, const Frame& f) {
  const double size = std::hypot(s.free_n, s.free_t);
  if (size == 0) return;
  const double length = 0.22 * f.most_n / size;
  const Point tip{-s.free_n * length, -s.free_t * length};
  const Pen pen{series_colour(3), 1.6};
  plot.layers.emplace_back(CurveLayer{{{0, 0}, tip}, pen, "steepest descent of the energy"});
  plot.layers.emplace_back(ArrowLayer{{0, 0}, tip, pen, {}});
}

SolveReport solve_planar(const Scene& scene, double dt) {
  if (!(dt >= 0) || !std::isfinite(dt)) throw InputError(fmt::format("dt must be 0 or positive, not {}", dt));
  if (scene.kind != SceneKind::drifting_contacts && scene.space.dimension != 2)
    throw InputError("the solution space of a step can be drawn for planar contacts, and this scene is spatial");
  SolveOptions options;
  options.formulation = dt > 0 ? FormulationKind::step : FormulationKind::impulse;
  if (dt > 0) options.step.dt = dt;
  SolveReport report = solve(scene, options);
  const ContactProblem& problem = report.formulation.problem;
  if (problem.count() != 1)
    throw InputError(fmt::format(
        "the solution space of a step can be drawn for one contact, and {} take part in this one", problem.count()));
  if (problem.bilateral[0])
    throw InputError("the solution space of a step is drawn for contacts that can lift, and this one is bilateral");
  if (!(problem.W(0, 0) > 0 && problem.W(1, 1) > 0))
    throw InputError("the solution space of a step needs a contact that can move along its tangent and its normal");
  return report;
}

}  // namespace

double StepSpace::energy(Point impulse) const {
  const double n = impulse[0], t = impulse[1];
  return (W_nn * n * n + 2 * W_tn * n * t + W_tt * t * t) / 2 + n * free_n + t * free_t;
}

std::vector<Point> StepSpace::friction_curve(double most_n) const {
  // Λ_t would be −(q_t + W_tn Λ_n)/W_tt; it meets the edges ∓μΛ_n at Λ_n = q_t/k+ and −q_t/k−.
  std::vector<double> stops{0, most_n};
  const double k_plus = mu * W_tt - W_tn, k_minus = mu * W_tt + W_tn;
  for (const double at : {q_t / k_plus, -q_t / k_minus}) {
    if (at > 0 && at < most_n) stops.push_back(at);
  }
  std::sort(stops.begin(), stops.end());
  std::vector<Point> line;
  for (const double n : stops) line.push_back({n, std::clamp(-(q_t + W_tn * n) / W_tt, -mu * n, mu * n)});
  return line;
}

std::vector<Point> StepSpace::normal_curve(double most_t) const {
  std::vector<double> stops{-most_t, most_t};
  const double lifts = -q_n / W_tn;  // from here on the tangential impulse alone keeps the contact from approaching
  if (W_tn != 0 && std::abs(lifts) < most_t) stops.insert(stops.begin() + 1, lifts);
  std::vector<Point> line;
  for (const double t : stops) line.push_back({std::max(0.0, -(q_n + W_tn * t) / W_nn), t});
  return line;
}

StepSpace step_space(const Scene& scene, double dt) {
  const SolveReport report = solve_planar(scene, dt);
  const ContactProblem& problem = report.formulation.problem;
  StepSpace s;
  s.W_tt = problem.W(0, 0);
  s.W_tn = problem.W(0, 1);
  s.W_nn = problem.W(1, 1);
  s.mu = problem.mu(0);
  s.q_t = problem.q(0);
  s.q_n = problem.q(1);
  s.free_t = s.q_t - report.formulation.shift(0);
  s.free_n = s.q_n - report.formulation.shift(1);
  for (const ContactSolution& solution : report.set.solutions) {
    s.solutions.emplace_back(solution.mode, normal_then_tangent(solution.r));
    s.family = s.family || solution.family.dimension > 0;
  }
  return s;
}

Plot step_solutions_plot(const Scene& scene, double dt, const StepSolutionsOptions& options) {
  const StepSpace s = step_space(scene, dt);
  const Frame f = frame(s);
  Plot plot;
  plot.title = options.title;
  if (plot.title.empty()) {
    plot.title =
        dt > 0 ? fmt::format("{}, /dt/ = {} s", scene.name, number_label(dt)) : fmt::format("{}, impulse", scene.name);
    plot.title += fmt::format(": {} solution{}", s.solutions.size(), s.solutions.size() == 1 ? "" : "s");
  }
  plot.x = {"normal impulse /Λ/_{n}", "N s", -0.06 * f.most_n, f.most_n, Scale::linear, {}, 1};
  plot.y = {"tangential impulse /Λ/_{t}", "N s", f.low_t, f.high_t, Scale::linear, {}, 1};
  plot.equal_scales = true;  // so that the descent is seen to be at right angles to the isolines
  plot.legend = LegendPlace::below;
  add_cone(plot, s, f);
  add_isolines(plot, s, f, options.isolines);
  const double most_t = 1.2 * std::max(-f.low_t, f.high_t);
  plot.layers.emplace_back(CurveLayer{s.normal_curve(most_t), {series_colour(5), 2}, "normal condition (Signorini)"});
  plot.layers.emplace_back(
      CurveLayer{s.friction_curve(1.2 * f.most_n), {series_colour(6), 2}, "friction condition (Coulomb)"});
  if (options.descent) add_descent(plot, s, f);
  add_solutions(plot, s, f);
  return plot;
}

}  // namespace painleve
