// Preclik & Rüde, Secs. 2 to 4: forces, impulses and time steps of the sliding rod, with Figs. 1 to 3.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/figure/step_solutions.hpp"
#include "painleve/reproduction/preclik_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double kPi = std::numbers::pi;
const char* const kNone = "rod-no-solution";         // case N: no torque
const char* const kSeveral = "rod-three-solutions";  // case M: τ = −5/3

SolveReport solved(const Scene& scene, FormulationKind kind, double dt = 0.01) {
  SolveOptions options;
  options.formulation = kind;
  options.step.dt = dt;
  return solve(scene, options);
}

// The solution of this mode in the paper's order (n, t); NaN where there is none.
Vector2d pair_of(const SolveReport& report, const std::string& mode) {
  for (const auto& s : report.set.solutions) {
    if (s.mode == mode) return {s.r(1), s.r(0)};
  }
  return Vector2d::Constant(std::nan(""));
}

void add_pair(Reproduction& r, const std::string& what, const std::string& n, const std::string& t,
              const Vector2d& ours, const std::string& erratum = "") {
  r.comparisons.push_back(compare_printed(what + ", n", n, ours(0), erratum));
  r.comparisons.push_back(compare_printed(what + ", t", t, ours(1), erratum));
}

std::string modes_of(const SolveReport& report) {
  std::string text =
      fmt::format("{} solution{}", report.set.solutions.size(), report.set.solutions.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < report.set.solutions.size(); ++i) {
    const std::string& mode = report.set.solutions[i].mode;
    text += (i == 0 ? ": " : ", ") + std::string(mode == "F" ? "opening" : (mode == "T" ? "static" : "dynamic"));
  }
  return text;
}

Comparison counted(const std::string& what, const std::string& printed, const SolveReport& report, std::size_t count) {
  return compare_statement(what, printed, modes_of(report),
                           report.set.complete && report.set.solutions.size() == count);
}

// A and b of (11) at a state: A x − b is the normal acceleration under the normal force x.
struct Scalar {
  double A, b;
  explicit Scalar(const Scene& scene) {
    const auto& s = scene.space;
    A = s.W(1, 1) + s.mu(0) * s.W(1, 0);  // slip to the left: λ_t = μ λ_n
    b = -s.b(1);
  }
};

Figure figure_1() {
  Plot plot;
  plot.x = {"", "", -0.55, 1.35};
  plot.y = {"", "", -0.25, 2.0};
  plot.equal_scales = true;
  plot.frame = false;
  plot.legend = LegendPlace::none;
  const Point tip{0, 0}, centre{std::cos(kPi / 3), std::sin(kPi / 3)}, end{2 * centre[0], 2 * centre[1]};
  plot.layers.emplace_back(RegionLayer{{{-0.55, -0.08}, {1.35, -0.08}, {1.35, 0}, {-0.55, 0}}, Colour{210, 210, 210}});
  plot.layers.emplace_back(CurveLayer{{tip, end}, {series_colour(5), 5}});
  plot.layers.emplace_back(CurveLayer{{centre}, {ink, 1.5}, "", Glyph::ring, 6, false});
  plot.layers.emplace_back(ArrowLayer{tip, {0, 0.42}, {series_colour(6), 1.8}});
  plot.layers.emplace_back(ArrowLayer{tip, {0.42, 0}, {series_colour(6), 1.8}});
  plot.layers.emplace_back(ArrowLayer{tip, {-0.42, 0}, {series_colour(3), 1.8}});
  plot.layers.emplace_back(ArrowLayer{centre, {centre[0], centre[1] - 0.45}, {series_colour(2), 1.8}});
  CurveLayer arc{{}, {ink, 0.8}};
  for (int i = 0; i <= 20; ++i)
    arc.points.push_back({0.25 * std::cos(kPi / 3 * i / 20), 0.25 * std::sin(kPi / 3 * i / 20)});
  plot.layers.emplace_back(arc);
  plot.layers.emplace_back(NoteLayer{{0.22, 0.13}, "/φ/", {10}, 4, 0});
  plot.layers.emplace_back(NoteLayer{{0, 0.42}, "/λ/_{n}", {10, Anchor::end}, -4, -4});
  plot.layers.emplace_back(NoteLayer{{0.42, 0}, "/λ/_{t}", {10}, 2, 6});
  plot.layers.emplace_back(NoteLayer{{-0.42, 0}, "slip", {10, Anchor::end}, -3, 4});
  plot.layers.emplace_back(NoteLayer{{centre[0], centre[1] - 0.45}, "/f_{y}/ = −/mg/", {10}, 6, 0});
  plot.layers.emplace_back(NoteLayer{centre, "(/q_{x}/, /q_{y}/), /m/, /I/, torque /τ/", {10}, 12, -4});
  plot.layers.emplace_back(NoteLayer{end, "length /l/", {10}, 6, -4});
  return {"Figure 1: the set-up", "", {plot}, 1, 360, 330};
}

}  // namespace

Reproduction preclik_forces() {
  const Scene none = shipped_scene(kNone), several = shipped_scene(kSeveral);
  const Scalar n(none), m(several);
  const SolveReport forces_n = solved(none, FormulationKind::acceleration),
                    forces_m = solved(several, FormulationKind::acceleration);
  const Scalar flat(shipped_scene(kNone, {"theta=150deg"}));
  const double c = std::cos(kPi / 3), s = std::sin(kPi / 3);
  Matrix2d printed;  // (4) in the order (t, n), with m = 1, l = 2, I = 1/3
  printed << 1 + 3 * s * s, -3 * s * c, -3 * s * c, 1 + 3 * c * c;
  const double threshold = 2 * -1 * (1.0 / 3) / (2 * c);  // (12)
  const Scalar balanced(shipped_scene(kSeveral, {fmt::format("torque={:.17g}", -threshold)}));
  Reproduction r;
  r.comparisons = {
      compare_statement("(4): matrix of the normal and tangential response", "as printed",
                        "W of the mechanism: " + error_size((printed - none.space.W).norm()),
                        (printed - none.space.W).norm() < 1e-12),
      compare_statement("Sec. 2.1: A for μ = 3/2, φ = π/3", "negative", "A = " + in_digits(n.A), n.A < 0),
      compare_printed("Sec. 2.1: b = g", "1", n.b),
      counted("Sec. 2.1: solutions", "none", forces_n, 0),
      compare_statement("Sec. 2.1: the sign of A depends only on μ", "only on μ",
                        fmt::format("at the same μ: A = {} at 60°, {} at 30°", in_digits(n.A, 4), in_digits(flat.A, 4)),
                        n.A * flat.A > 0, "E-R1"),
      compare_statement("(12): τ at which b = 0", "τ < 2 f_{y} I/(m l cos φ)",
                        fmt::format("b = {} at τ = {}", in_digits(balanced.b), in_digits(threshold, 4)),
                        std::abs(balanced.b) < 1e-12),
      counted("Sec. 2.2: solutions", "two, opening and dynamic", forces_m, 2)};
  add_pair(r, "Sec. 2.2: λ_{1} (opening)", "0", "0", pair_of(forces_m, "F"));
  add_pair(r, "Sec. 2.2: λ_{2} (dynamic)", "7.5545", "11.3317", pair_of(forces_m, "S-"));
  r.features = {
      feature_near("A = 7/4 − 9√3/8", "closed form", n.A, 1.75 - 9 * std::sqrt(3.0) / 8, 1e-12),
      feature_near("λ_{2n} = b/A", "(11) against the enumeration", m.b / m.A, pair_of(forces_m, "S-")(0), 1e-9),
      feature("the drawn rod touches the ground at the origin", "gap of the mechanism",
              std::abs(none.space.gap(0)) < 1e-12 && none.space.u(0) < 0, "gap 0, slip to the left"),
      feature_near("A vanishes at μ = 7/(3√3)", "closed form against W",
                   Scalar(shipped_scene(kNone, {fmt::format("mu={:.17g}", 7 / (3 * std::sqrt(3.0)))})).A, 0, 1e-12)};
  r.figures = {figure_1()};
  r.remark = "m = 1, l = 2, I = 1/3, g = 1, φ = 60°, μ = 3/2, v_{x} = −1; τ = −5/3 in Sec. 2.2. Pairs are (n, t).";
  return r;
}

namespace {

// Where the drawn curves meet: every solution must lie on both.
double distance_to_chain(const std::vector<Point>& chain, const Vector2d& at) {
  double least = 1e9;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const Vector2d a(chain[i][0], chain[i][1]), b(chain[i + 1][0], chain[i + 1][1]);
    const double length2 = (b - a).squaredNorm();
    const double part = length2 > 0 ? std::clamp((at - a).dot(b - a) / length2, 0.0, 1.0) : 0.0;
    least = std::min(least, (a + part * (b - a) - at).norm());
  }
  return least;
}

double off_curves(const StepSpace& space, const Vector2d& at) {
  return std::max(distance_to_chain(space.friction_curve(1), at), distance_to_chain(space.normal_curve(1), at));
}

Feature on_both_curves(const std::string& name, const StepSpace& space, const Vector2d& at) {
  return feature_near(name + " lies on both drawn curves", "distance to the chains of lines", off_curves(space, at), 0,
                      1e-9);
}

// With the steepest descent of the energy at Λ₁ = 0, which is −u: the tip slips, so along +Λ_t.
Plot solution_space(const Scene& scene) {
  Plot plot = step_solutions_plot(scene, 0, {9, false, "impulse-velocity problem"});
  plot.layers.emplace_back(ArrowLayer{{0, 0}, {0, 0.21}, {series_colour(3), 2}});
  plot.layers.emplace_back(NoteLayer{{0, 0.21}, "steepest descent", {8.5, Anchor::start, series_colour(3)}, 4, 4});
  return plot;
}

}  // namespace

Reproduction preclik_figure_2() {
  const Scene scene = shipped_scene(kNone);
  const SolveReport impulses = solved(scene, FormulationKind::impulse),
                    same = solved(shipped_scene(kSeveral), FormulationKind::impulse);
  const StepSpace space = step_space(scene, 0);
  const Vector2d stuck = pair_of(impulses, "T");
  const Vector2d least = -(Matrix2d() << space.W_nn, space.W_tn, space.W_tn, space.W_tt).finished().inverse() *
                         Vector2d(space.free_n, space.free_t);
  Reproduction r;
  r.comparisons = {counted("Sec. 3.1: solutions", "Λ_{1} and Λ_{2}", impulses, 2)};
  add_pair(r, "Sec. 3.1: Λ_{1}", "0", "0", pair_of(impulses, "F"));
  add_pair(r, "Sec. 3.1: Λ_{2}", "0.3248", "0.4375", stuck);
  r.comparisons.push_back(counted("Sec. 3.2: the non-unique set-up", "the same solutions", same, 2));
  add_pair(r, "Sec. 3.2: Λ_{2}", "0.3248", "0.4375", pair_of(same, "T"));
  r.comparisons.push_back(compare_statement(
      "Sec. 3.1: Λ_{2} has the minimum energy", "minimum energy, no descent direction",
      "distance of Λ_{2} from the minimiser: " + error_size((stuck - least).norm()), (stuck - least).norm() < 1e-12));
  r.features = {on_both_curves("Λ_{1}", space, Vector2d::Zero()),
                on_both_curves("Λ_{2}", space, stuck),
                feature_near("Λ_{2} = (3√3/16, 7/16)", "closed form",
                             (stuck - Vector2d(3 * std::sqrt(3.0) / 16, 7.0 / 16)).norm(), 0, 1e-12),
                feature("Λ_{2} lies inside the friction cone", "ratio Λ_{t}/Λ_{n}", std::abs(stuck(1) / stuck(0)) < 1.5,
                        in_digits(stuck(1) / stuck(0), 5)),
                feature_near("the energy falls by 7/32 J from Λ_{1} to Λ_{2}", "½ Λᵀu",
                             space.energy({stuck(0), stuck(1)}), -7.0 / 32, 1e-12),
                feature("the steepest descent at Λ_{1} points along +Λ_{t}", "−u without impulse",
                        space.free_n == 0 && space.free_t < 0, "(0, 1)")};
  r.figures = {
      {"Figure 2: impulses of the sliding rod",
       "Where the normal condition (14) and the friction condition (15) meet lie the two solutions: Λ_{1} = 0 and "
       "Λ_{2}, after which the tip sticks. Isolines: kinetic energy after the impulse; the arrow is its steepest "
       "descent at Λ_{1}.",
       {solution_space(scene)},
       1,
       460,
       380}};
  return r;
}

namespace {

// (17) as printed, the lever arm in the response is ½ instead of l/2: the solution (n, t) of the step of Sec. 4.1.
struct PrintedLever {
  Vector2d solution;
  bool sticks;
  PrintedLever() {
    const double c = std::cos(kPi / 3), s = std::sin(kPi / 3), dt = 0.01, mu = 1.5;
    Matrix2d response;  // rows n, t of J; columns of Jᵀ with half the lever
    response << 1 + 1.5 * c * c, -1.5 * s * c, -1.5 * s * c, 1 + 1.5 * s * s;
    const Vector2d stick = response.inverse() * Vector2d(dt, 1);
    const double slide = dt / (response(0, 0) + mu * response(0, 1));
    sticks = std::abs(stick(1)) <= mu * stick(0);
    solution = sticks ? stick : Vector2d(slide, mu * slide);
  }
};

// The gap after a step of dt, from the exact kinematics.
double next_gap(double dt) {
  const double phi = kPi / 3, gap = 0.002, v_y = 0.3, omega = 0.4;
  return std::sin(phi) + gap + dt * v_y - std::sin(phi + dt * omega);
}

}  // namespace

Reproduction preclik_step_equations() {
  const double dt = 0.01, rate = 0.3 - 0.5 * 0.4, gap = 0.002;  // ġ_n = v_y − (l/2) cos φ ω
  const double wrong_torque = 2.0 * -1 * -1 / 1 - 1;            // f in place of I, with f = f_y
  const PrintedLever lever;
  const SolveReport stated = solved(shipped_scene(kSeveral), FormulationKind::step);
  const SolveReport misprint =
      solved(shipped_scene(kSeveral, {fmt::format("torque={}", -wrong_torque)}), FormulationKind::step);
  Reproduction r;
  r.comparisons = {
      compare_statement(
          "(17): lever arm in the third row", "½(λ_{t} sin φ − λ_{n} cos φ)",
          fmt::format("with l = 2 the step of Sec. 4.1 becomes {} ({}, {}) instead of (0.3329, 0.4407); l/2 is meant",
                      lever.sticks ? "static" : "dynamic", in_digits(lever.solution(0), 3),
                      in_digits(lever.solution(1), 3)),
          (lever.solution - pair_of(solved(shipped_scene(kNone), FormulationKind::step), "T")).norm() < 1e-4, "E-R2"),
      compare_statement(
          "(18a), (18b): g′_{n} = g_{n} + δt g′_{n}, g′_{t} = J_{t} v′", "gap on both sides",
          fmt::format("gap after the step {}, g_{{n}} + δt ġ_{{n}} = {}, as printed {}", in_digits(next_gap(dt), 4),
                      in_digits(gap + dt * rate, 4), in_digits(gap + dt * next_gap(dt), 4)),
          std::abs(gap + dt * next_gap(dt) - next_gap(dt)) < dt * dt, "E-R3"),
      compare_statement("(19a): g′_{n}/δt + …", "the gap after the step",
                        fmt::format("g_{{n}}/δt + J_{{n}}v′ = {}, the gap after the step over δt is {}, as printed {}",
                                    in_digits(gap / dt + rate, 4), in_digits(next_gap(dt) / dt, 4),
                                    in_digits(next_gap(dt) / dt + rate, 4)),
                        std::abs(rate) < dt, "E-R4"),
      compare_statement("Sec. 4.2: τ = 2 f_{y} f/(m l cos φ) − 1", "three solutions",
                        fmt::format("solutions: {} with f = f_{{y}}, {} with I in its place",
                                    misprint.set.solutions.size(), stated.set.solutions.size()),
                        misprint.set.solutions.size() == 3, "E-R5")};
  r.features = {
      feature("the corrected gap is right to second order", "exact kinematics",
              std::abs(next_gap(dt) - gap - dt * rate) < dt * dt, error_size(next_gap(dt) - gap - dt * rate)),
      feature("and the printed one is not", "exact kinematics",
              std::abs(next_gap(dt) - gap - dt * next_gap(dt)) > 0.05 * dt, "off by the whole motion of the step")};
  r.remark = "Numbers for g_{n} = 2 mm, v_{y} = 0.3 m/s, ω = 0.4 rad/s, δt = 0.01 s.";
  return r;
}

namespace {

// |Λ(δt) − Λ₂|/δt at two steps: constant for a difference of first order.
Feature first_order(const std::string& name, const char* scenario, const Vector2d& limit) {
  const Scene scene = shipped_scene(scenario);
  const double coarse = (pair_of(solved(scene, FormulationKind::step, 1e-3), "T") - limit).norm() / 1e-3;
  const double fine = (pair_of(solved(scene, FormulationKind::step, 1e-5), "T") - limit).norm() / 1e-5;
  return feature_near(name, "δt = 1e-3 against 1e-5", coarse, fine, 1e-8);
}

// The longest step that still has the dynamic solution, by bisection.
double longest_dynamic_step() {
  const Scene scene = shipped_scene(kSeveral);
  double low = 0.01, high = 0.2;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (pair_of(solved(scene, FormulationKind::step, middle), "S-").hasNaN() ? high : low) = middle;
  }
  return low;
}

// The dynamic solution stops where its slip after the step vanishes: u_t + δt b_t + (W_tt μ + W_tn) Λ_n = 0.
double slip_ends_at() {
  const StepSpace s = step_space(shipped_scene(kSeveral), 1);  // free velocity after one second
  const double p = s.W_nn + s.mu * s.W_tn, per_step = -s.free_n / p;
  return 1 / (s.free_t + 1 + (s.W_tt * s.mu + s.W_tn) * per_step);
}

}  // namespace

Reproduction preclik_figure_3() {
  const Scene none = shipped_scene(kNone), several = shipped_scene(kSeveral);
  const SolveReport one = solved(none, FormulationKind::step), three = solved(several, FormulationKind::step);
  const Vector2d limit = pair_of(solved(none, FormulationKind::impulse), "T"), stuck = pair_of(one, "T");
  const Vector2d forces = pair_of(solved(several, FormulationKind::acceleration), "S-");
  Reproduction r;
  r.comparisons = {counted("Sec. 4.1: solutions", "a single one", one, 1)};
  add_pair(r, "Sec. 4.1: δt λ", "0.3329", "0.4407", stuck);
  r.comparisons.push_back(counted("Sec. 4.2: solutions", "three", three, 3));
  add_pair(r, "Sec. 4.2: δt λ_{1} (opening)", "0", "0", pair_of(three, "F"));
  add_pair(r, "Sec. 4.2: δt λ_{2} (dynamic)", "0.0755", "0.1133", pair_of(three, "S-"));
  add_pair(r, "Sec. 4.2: δt λ_{3} (static)", "0.3266", "0.4516", pair_of(three, "T"));
  const double apart = (pair_of(three, "S-") / 0.01 - forces).norm();
  r.comparisons.push_back(compare_statement("Sec. 4.2: solution 2 is that of Sec. 2.2", "match",
                                            "forces: " + error_size(apart), apart < 1e-9));
  r.comparisons.push_back(compare_statement(
      "Sec. 4: the LCP is solvable by Lemke's method", "the Lemke algorithm can find solutions",
      fmt::format("Lemke reaches solution {} of 1 and {} of 3", one.pivoting_index + 1, three.pivoting_index + 1),
      one.pivoting_index >= 0 && three.pivoting_index >= 0));
  r.features = {on_both_curves("(a) the static solution", step_space(none, 0.01), stuck),
                on_both_curves("(b) the dynamic solution", step_space(several, 0.01), pair_of(three, "S-")),
                on_both_curves("(b) the static solution", step_space(several, 0.01), pair_of(three, "T")),
                feature_near("(a) is off Λ_{2} by δt (13/16, 3√3/16)", "closed form",
                             (stuck - limit - 0.01 * Vector2d(13.0 / 16, 3 * std::sqrt(3.0) / 16)).norm(), 0, 1e-12),
                first_order("(a) converges to Λ_{2} with the first order of δt", kNone, limit),
                first_order("(b) so does its static solution", kSeveral, limit),
                feature_near("(b) the dynamic solution exists up to δt = 0.04408", "bisection against the end of slip",
                             longest_dynamic_step(), slip_ends_at(), 1e-9)};
  r.figures = {{"Figure 3: one time step of the sliding rod, δt = 0.01",
                "(a) Without torque: one solution, the tip sticks. (b) With τ = −5/3: the tip opens, slides or sticks.",
                {step_solutions_plot(none, 0.01, {9, false, "case without force solution"}),
                 step_solutions_plot(several, 0.01, {9, false, "case with several solutions"})},
                2,
                400,
                350}};
  return r;
}

}  // namespace painleve
