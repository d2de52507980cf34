// Peiret et al., Fig. 4: what a rod at 45° that slides along e_jam can do when the other forces push its contact
// together or pull it apart.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/reproduction/peiret_parts.hpp"
#include "painleve/reproduction/shipped_scene.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {
namespace {

using Eigen::Vector3d;

// Gravity 1 m/s² alone pushes with δu₀ = (0, 0, −1); twice the weight upwards pulls with (0, 0, 1).
Scene sliding_rod(double mu, bool pulled) {
  return shipped_scene("rod-45deg",
                       {"gravity=1", fmt::format("mu={}", mu), pulled ? "force=[0,0,2]" : "force=[0,0,0]"});
}

std::string signed_text(double value) { return (value < -1e-12 ? "−" : "") + in_digits(std::abs(value), 3); }

struct Panel4 {
  std::string title;
  double mu;
  bool pulled;
  double force;  // λ_n that is shown [N]
};

// Arrows in the plane of slip, horizontal δu_t1, vertical δu_n [m/s²]; e_jam points to the left.
Plot velocity_plot(const Panel4& shown) {
  const Scene scene = sliding_rod(shown.mu, shown.pulled);
  const FrictionCone cone = friction_cone(scene.space, 0);
  const Eigen::Vector2d e_jam = cone.e_jam.value();
  const Vector3d low = ray(cone, e_jam), high = ray(cone, -e_jam), push = shown.force * low, free = scene.space.b;
  Plot plot;
  plot.title = shown.title;
  plot.x = {"/δu/_{t1} per time", "m/s²", -11.0, 11.0};
  plot.y = {"/δu/_{n} per time", "m/s²", -2.6, 2.6};
  plot.legend = LegendPlace::none;
  plot.layers.emplace_back(RegionLayer{{{0, 0}, {20 * low(0), 20 * low(2)}, {0, 60}, {20 * high(0), 20 * high(2)}},
                                       Colour{200, 200, 200, 0.6},
                                       "generalized cone"});
  plot.layers.emplace_back(RuleLayer{false, 0, {ink, 0.8}});
  const auto arrow = [&](const Vector3d& to, int colour, const std::string& name) {
    plot.layers.emplace_back(ArrowLayer{{0, 0}, {to(0), to(2)}, {series_colour(colour), 2}, name});
  };
  const Vector3d total = free + push;
  if (shown.force == 0) {
    arrow(free, 3, "/δu/_{0} = /du/_{c}");
  } else {
    arrow(free, 5, "/δu/_{0}");
    arrow(push, 6, "/δu/_{c}");
    const bool level = std::abs(total(2)) < 1e-9;  // then the name would lie on the rule
    arrow(total, 3, level ? "" : "/du/_{c}");
    const TextStyle style{9, Anchor::middle, series_colour(3)};
    if (level)
      plot.layers.emplace_back(
          NoteLayer{{total(0), 0}, "/du/_{c}", style, total(0) > 0 ? 8.0 : -8.0, shown.pulled ? 6.0 : -12.0});
  }
  plot.layers.emplace_back(NoteLayer{
      {-10.7, -2.3},
      fmt::format("/λ/_{{n}} = {} N, /du/_{{n}} = {} m/s² /dt/", signed_text(shown.force), signed_text(total(2))),
      {9}});
  return plot;
}

SolveReport accelerations(double mu, bool pulled) { return solve(sliding_rod(mu, pulled), {}); }

std::string forces_of(const SolveReport& report) {
  std::string text;
  for (const auto& s : report.set.solutions) text += (text.empty() ? "" : " and ") + in_digits(s.r(2)) + " N";
  return fmt::format("{} solution{}{}", report.set.solutions.size(), report.set.solutions.size() == 1 ? "" : "s",
                     text.empty() ? "" : ": λ_{n} = " + text);
}

bool has_force(const SolveReport& report, double force) {
  for (const auto& s : report.set.solutions) {
    if (std::abs(s.r(2) - force) < 1e-9) return true;
  }
  return false;
}

Comparison solved(const std::string& what, const std::string& printed, const SolveReport& report,
                  const std::vector<double>& forces) {
  bool match = report.set.complete && report.set.solutions.size() == forces.size();
  for (const double f : forces) match = match && has_force(report, f);
  return compare_statement(what, printed, forces_of(report), match);
}

std::vector<Comparison> comparisons(double p_low, double p_high) {
  return {compare_printed("μ_{jam} in this configuration", "1.67", rod_cone(45, 2).mu_jam.value()),
          solved("(a) μ = 1, pulled apart", "the contact detaches", accelerations(1, true), {0}),
          solved("(a) μ = 1, pushed together", "the contact remains closed, du_{n} = 0", accelerations(1, false),
                 {1 / p_low}),
          solved("(b), (c) μ = 2, pushed together", "no solution of the LCP", accelerations(2, false), {}),
          solved("(b), (c) μ = 2, pulled apart", "detachment, and a false closed solution", accelerations(2, true),
                 {0, -1 / p_high}),
          compare_statement("(c) pushed: the force that would keep the constraint", "λ_{n} < 0",
                            fmt::format("λ_{{n}} = {} N", in_digits(1 / p_high)), 1 / p_high < 0),
          compare_statement(
              "(c) pushed: that force has negative dissipation", "energy would be generated",
              fmt::format("friction would supply −μ λ_{{n}} |u_{{t}}| = {} W at 1 m/s", in_digits(-2 / p_high)),
              -2 / p_high > 0),
          compare_statement(
              "which row is which", "caption: top pushes, bottom pulls; text: the other way round",
              fmt::format("both cases of (c) cannot be in the same panel: λ_{{n}} = {} N when pushed, {} N when pulled",
                          in_digits(1 / p_high), in_digits(-1 / p_high)),
              1 / p_high == -1 / p_high, "E-P4", "drawn here as in the caption")};
}

Figure figure_4() {
  Figure figure;
  figure.title = "Fig. 4: possible solutions of a sliding rod at 45°";
  figure.caption =
      "Above: the other forces push the contact together, below: they pull it apart. Grey: the generalized cone for "
      "positive forces, cut by the plane of slip; the rod slides to the left, along e_{jam}. (a) Sound. (b) μ > "
      "μ_{jam}: "
      "pushed, a force of 1 N makes du_{n} more negative; pulled, it detaches. (c) Forces that balance du_{n}: pushed, "
      "a "
      "negative one; pulled, one that holds by its own friction.";
  figure.panels = {
      velocity_plot({"(a) μ = 1, pushed", 1, false, 1}),  velocity_plot({"(b) μ = 2, pushed", 2, false, 1}),
      velocity_plot({"(c) μ = 2, pushed", 2, false, -2}), velocity_plot({"(a) μ = 1, pulled", 1, true, 0}),
      velocity_plot({"(b) μ = 2, pulled", 2, true, 0}),   velocity_plot({"(c) μ = 2, pulled", 2, true, 2})};
  figure.columns = 3;
  figure.panel_width = 270;
  figure.panel_height = 210;
  figure.letters = false;
  return figure;
}

}  // namespace

Reproduction peiret_figure_4() {
  const Scene one = sliding_rod(1, false), two = sliding_rod(2, false), pull = sliding_rod(2, true);
  const Eigen::VectorXd e = friction_cone(two.space, 0).e_jam.value();
  const double p_low = painleve_parameter(one.space.W, 1, e), p_high = painleve_parameter(two.space.W, 2, e);
  Reproduction r;
  r.comparisons = comparisons(p_low, p_high);
  const SolveReport none = accelerations(2, false), several = accelerations(2, true);
  r.features = {
      feature_near("the lower edge of the cone rises by 1 for μ = 1", "closed form a − μ‖h‖ with a = 5/2, ‖h‖ = 3/2",
                   p_low, 1, 1e-12),
      feature_near("and falls by 1/2 for μ = 2", "closed form", p_high, -0.5, 1e-12),
      feature("one of the six panels has no solution", "the pivoting method of Lemke ends on a ray",
              none.set.solutions.empty() && none.pivoting_index == -1, "no solution, none found by pivoting either"),
      feature_near("(c) pulled: the closed solution balances the normal exactly", "W λ + b of the drawn arrows",
                   pull.space.b(2) + 2 * p_high, 0, 1e-12),
      feature("both pulled solutions carry a certificate", "residual of the contact laws",
              several.set.solutions.size() == 2 && several.set.solutions[0].residual < 1e-9 &&
                  several.set.solutions[1].residual < 1e-9,
              "residuals below 1e-9")};
  r.figures = {figure_4()};
  r.remark =
      "The size of δu_{0} is not stated; |δu_{0}| = 1 m/s² here, from a gravity of 1 m/s² and a lift of twice the "
      "weight.";
  return r;
}

}  // namespace painleve
