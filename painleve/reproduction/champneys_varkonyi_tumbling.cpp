// Fig. 16: a body on two legs that can only stand still, and tumbles after the slightest push.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/modes/mode_table.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve::champneys_varkonyi {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double height = 1;
const Vector2d feet(0.1, 0.5);

Scene tumbling(double mu1, double push) {
  return scene_of("tumbling-body", {{"foot1.mu", mu1}, {"theta_dot", push / 0.4}, {"x_dot", -push / 0.4}});
}

// One cycle from the contact space alone: S+F until foot 2 is back, impact at foot 2, FT until foot 1 is back, impact
// at foot 1; speeds in units of that with which foot 2 leaves.
double closed_growth(double mu1) {
  const ContactSpace s = tumbling(mu1, 0).space;
  const auto W = [&](int i, int j) -> Matrix2d { return s.W.block(2 * i, 2 * j, 2, 2); };
  const Vector2d b1 = s.b.head(2), b2 = s.b.tail(2), slip(-mu1, 1);
  const Vector2d a2 = b2 + W(1, 0) * slip * (-b1.y() / (W(0, 0) * slip).y());
  const Vector2d landing(a2.x() * 2 / -a2.y(), -1);
  const Vector2d impulse2 = -W(1, 1).inverse() * landing;
  const double v1 = (W(0, 1) * impulse2).y();
  const Vector2d impulse1 = -W(0, 0).inverse() * Vector2d(0, -v1);
  return (W(1, 0) * impulse1).y();
}

struct Tumble {
  Run run;
  std::vector<double> speeds;  // with which foot 2 lands
};

Tumble tumble(double mu1, double push, double t_end) {
  SimulateOptions options;
  options.simulation.t_end = t_end;
  options.simulation.samples = 4000;
  Tumble t{simulate(tumbling(mu1, push), options), {}};
  for (const SimulationEvent& e : t.run.events) {
    if (e.kind == EventKind::landing && e.contact == 1) t.speeds.push_back(-e.u_before(3));
  }
  return t;
}

Plot paths(const Run& run) {
  Plot plot;
  plot.title = "paths of the feet and of the centre, slope 10°, /μ/_{1} = 0.115";
  plot.x = {"down the slope /x/", "/h/"};
  plot.y = {"/y/", "/h/"};
  CurveLayer foot1{{}, {series_colour(5), 1.1}, "foot 1"}, foot2{{}, {series_colour(6), 1.1, Dash::dashed}, "foot 2"},
      centre{{}, {ink, 1.1, Dash::dotted}, "centre of mass"};
  for (const Sample& s : run.samples) {
    if (std::abs(s.q(2)) > 1.2) break;  // from here on it lies on its side
    const double c = std::cos(s.q(2)), n = std::sin(s.q(2));
    const auto foot = [&](double x) -> Point { return {s.q(0) + c * x + n * height, s.q(1) + n * x - c * height}; };
    foot1.points.push_back(foot(feet.x()));
    foot2.points.push_back(foot(feet.y()));
    centre.points.push_back({s.q(0), s.q(1)});
  }
  for (const CurveLayer* layer : {&foot1, &foot2, &centre}) plot.layers.emplace_back(*layer);
  return plot;
}

Plot gaps_in_time(const Run& run) {
  Plot plot;
  plot.title = "the feet in turn, /μ/_{1} = 0.12";
  plot.x = {"time /t/", "√(h/g)"};
  plot.y = {"height of the feet", "/h/", 0.0, {}};
  CurveLayer foot1{{}, {series_colour(5), 1.2}, "foot 1"}, foot2{{}, {series_colour(6), 1.2, Dash::dashed}, "foot 2"};
  for (const Sample& s : run.samples) {
    foot1.points.push_back({s.t, s.gap(0)});
    foot2.points.push_back({s.t, s.gap(1)});
  }
  plot.layers.emplace_back(std::move(foot1));
  plot.layers.emplace_back(std::move(foot2));
  return plot;
}

Plot growth_plot(const std::vector<Point>& simulated) {
  Plot plot;
  plot.title = "growth of the speed per cycle";
  plot.x = {"friction of foot 1 /μ/_{1}", "", 0.1, 0.126};
  plot.y = {"factor", "", 0.5, 60.0, Scale::logarithmic};
  plot.layers.emplace_back(
      CurveLayer{curve(closed_growth, 0.1008, 0.126, 120), {series_colour(5), 1.4}, "closed form"});
  plot.layers.emplace_back(CurveLayer{simulated, {series_colour(6), 1.2}, "simulated", Glyph::ring, 6, false});
  plot.layers.emplace_back(RuleLayer{false, 1});
  return plot;
}

Reproduction figure_16() {
  Reproduction result;
  const auto standing = [&](double mu1) {
    SceneSource source = source_of("tumbling-body", {{"foot1.mu", mu1}, {"theta_dot", 0}, {"x_dot", 0}});
    source.set("contact.foot2.closed=true");
    return mode_table(source.build().space, {}).consistent_modes();
  };
  const auto at = standing(0.115);
  result.comparisons.push_back(compare_statement("modes at rest, μ1 = 0.115", "TT alone (strong stability)",
                                                 fmt::format("{}", fmt::join(at, ", ")),
                                                 at == std::vector<std::string>{"TT"}));
  const double edge = change_between([&](double mu1) { return standing(mu1).size() > 1; }, 0.05, 0.12);
  result.comparisons.push_back(compare_printed("the equilibrium is ambiguous below μ1 =", "0.1", edge, "",
                                               "x1/h = 0.1 was chosen so; that the edge is x1/h is the result"));
  std::vector<Point> simulated;
  for (const double mu1 : {0.105, 0.11, 0.115, 0.12}) {
    const Tumble t = tumble(mu1, 1e-6, mu1 < 0.107 ? 0.006 : 0.004);
    const double factor = t.speeds.size() < 2 ? 0 : t.speeds[1] / t.speeds[0];
    simulated.push_back({mu1, factor});
    const double closed = closed_growth(mu1);
    result.features.push_back(feature_near(
        fmt::format("μ1 = {}: each cycle is {} times the one before", mu1, in_digits(closed, 4)),
        "landings of foot 2 in the simulation against the closed form of a cycle", factor, closed, 1e-3 * closed));
  }
  const double still = zero_between([](double mu1) { return closed_growth(mu1) - 1; }, 0.11, 0.13);
  result.features.push_back(feature("pushes grow up to μ1 = 0.1239", "closed form of a cycle",
                                    still > 0.1239 && still < 0.1240, in_digits(still, 5)));
  const Tumble big = tumble(0.115, 1e-3, 12);
  std::string order;
  for (const SimulationEvent& e : big.run.events) {
    if (e.kind == EventKind::landing && order.size() < 4) order += std::to_string(e.contact + 1);
  }
  result.comparisons.push_back(
      compare_statement("order of the impacts", "leg 2, leg 1, again and again", "feet " + order, order == "2121"));
  result.figures.push_back({"A body that must stand, and tumbles", "", {}, 2, 340, 260});
  result.figures.back().panels = {drawing(tumbling(0.115, 0), "the body"), gaps_in_time(tumble(0.12, 1e-3, 2.5).run),
                                  growth_plot(simulated), paths(big.run)};
  result.remark =
      "The body is ours: h = 1, x1 = 0.1, x2 = 0.5, ρ² = 0.5, μ2 = 2.5 on the printed slope of 10° with r = 0.";
  return result;
}

}  // namespace

std::vector<PublishedItem> tumbling_items() {
  return {item("fig-16", "Divergence from a strongly stable equilibrium", figure_16, {"tumbling-body"})};
}

}  // namespace painleve::champneys_varkonyi
