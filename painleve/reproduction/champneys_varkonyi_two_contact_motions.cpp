// Fig. 15: the fast dynamics of two slipping contacts, z̈ = b + P λ, λ_i = max(−k_i z_i − ν_i ż_i, 0).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve::champneys_varkonyi {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double pi = std::numbers::pi;

double angle(const Vector2d& x) { return std::atan2(x.y(), x.x()) + (x.y() < 0 ? 2 * pi : 0); }

// Two slipping contacts of a shipped body, and their P and b.
struct Pair {
  Scene scene;
  Matrix2d P;
  Vector2d b, stiffness, damping;
};

Pair pair_of(const std::string& name) {
  Pair p{SceneSource::open(name).build(), {}, {}, {}, {}};
  const ContactSpace& s = p.scene.space;
  const std::vector<ContactMode> slip(2, {Letter::S, Eigen::VectorXd::Ones(1), 1});
  p.P = fast_matrix(s, slip);
  p.b << s.b(1), s.b(3);
  for (int i = 0; i < 2; ++i) {
    p.stiffness(i) = *p.scene.laws[static_cast<std::size_t>(i)].stiffness;
    p.damping(i) = *p.scene.laws[static_cast<std::size_t>(i)].damping;
  }
  return p;
}

Run fast_run(const Pair& p, const Vector2d& gaps, double t_end, int samples) {
  ContactSpace space = p.scene.space;
  space.gap = gaps;
  space.u << 1e9, 0, 1e9, 0;  // the slip outlasts the fast motion
  std::vector<ContactLaw> laws = p.scene.laws;
  for (ContactLaw& law : laws) law.compliance = Compliance::kelvin_voigt;
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  return simulate_compliant(space, laws, options, {});
}

CurveLayer gaps_of(const Run& run, const Pen& pen, double within) {
  CurveLayer layer{{}, pen};
  for (const Sample& s : run.samples) {
    if (s.gap.cwiseAbs().maxCoeff() > within) break;
    layer.points.push_back({s.gap(0), s.gap(1)});
  }
  return layer;
}

Point rest_of(const Pair& p) {
  const Vector2d y = (p.P.inverse() * p.b).cwiseQuotient(p.stiffness);  // −λ/k
  return {y.x(), y.y()};
}

std::string class_of(const Pair& p, const Vector2d& b) { return two_contact_class(p.P, b); }

// ---- (A)

void add_vectors_a(Reproduction& result, const Pair& a) {
  const double off = (a.P - (Matrix2d() << -0.055, 0.088, 0.055, -0.036).finished()).cwiseAbs().maxCoeff();
  result.comparisons.push_back(compare_statement("(A) matrix of the body in panel (C)",
                                                 "[−0.055 0.055], [0.088 −0.036]", "the same, " + error_size(off),
                                                 off < 1e-12));
  result.comparisons.push_back(compare_printed("(A) γ1", "0.75π", angle(a.P.col(0))));
  double low = 1e9, high = 0;
  for (const double x : {0.0875, 0.0885}) {
    for (const double y : {-0.0365, -0.0355}) {
      low = std::min(low, angle({x, y}));
      high = std::max(high, angle({x, y}));
    }
  }
  result.comparisons.push_back(compare_statement("(A) γ2", "1.875π",
                                                 fmt::format("{:.4f}π; {:.4f}π to {:.4f}π as the entries are rounded",
                                                             angle(a.P.col(1)) / pi, low / pi, high / pi),
                                                 low <= 1.875 * pi && 1.875 * pi <= high));
  result.comparisons.push_back(compare_printed("(A) angle of −b", "0.25π", angle(-a.b)));
  add(result, {"E26", "(A) the vector a = [1 1] and the matrix B of the caption", "a, B, α", "−b, p+, β",
               class_of(a, Vector2d(1, 1)) != "261", class_of(a, a.b) == "261",
               fmt::format("b = −(1, 1) is of class {}, b = (1, 1) of class {}", class_of(a, a.b),
                           class_of(a, Vector2d(1, 1)))});
}

Plot panel_a(Reproduction& result, const Pair& a) {
  Plot plot;
  plot.title = "class 261";
  plot.x = {"gap /y/_{1}", "", -120.0, 60.0};
  plot.y = {"gap /y/_{2}", "", -120.0, 60.0};
  std::map<std::string, int> counts;
  for (const double y1 : evenly(-80, 0, 9)) {
    for (const double y2 : evenly(-80, 0, 9)) {
      const Run run = fast_run(a, {y1, y2}, 400, 800);
      ++counts[run.outcome];
      const bool first = run.outcome == "IWC:IF";
      CurveLayer layer = gaps_of(run, {series_colour(first ? 5 : 6), 0.7}, 150);
      if (counts[run.outcome] == 1) layer.label = first ? "IF: contact 1 is struck" : "FI: contact 2 is struck";
      plot.layers.emplace_back(std::move(layer));
    }
  }
  const int first = counts["IWC:IF"], second = counts["IWC:FI"];
  result.comparisons.push_back(compare_statement(
      "(A) outcomes of the fast motion", "IF or FI for every initial condition",
      fmt::format("81 starts: {} IF, {} FI", first, second), first + second == 81 && first > 0 && second > 0));
  plot.layers.emplace_back(CurveLayer{{rest_of(a)}, {ink, 1.2}, "S_{+}S_{+}", Glyph::square, 6, false});
  plot.legend = LegendPlace::below;
  return plot;
}

// s⁴ + T s³ + (k·diag P + D ν1ν2) s² + D (ν1k2 + ν2k1) s + D k1k2 at s.
double characteristic(const Pair& p, double s) {
  const double D = p.P.determinant(), k1 = p.stiffness(0), k2 = p.stiffness(1), n1 = p.damping(0), n2 = p.damping(1);
  const double c3 = p.P(0, 0) * n1 + p.P(1, 1) * n2, c2 = p.P(0, 0) * k1 + p.P(1, 1) * k2 + D * n1 * n2;
  return (((s + c3) * s + c2) * s + D * (n1 * k2 + n2 * k1)) * s + D * k1 * k2;
}

void add_modes(Reproduction& result, const Pair& p, const std::string& panel) {
  const auto modes = slip_mode_table(p.P, p.b, p.stiffness, p.damping).consistent_modes();
  result.comparisons.push_back(compare_statement(panel + " consistent modes", "S+S+ alone",
                                                 fmt::format("{} (both slip along +t)", fmt::join(modes, ", ")),
                                                 modes == std::vector<std::string>{"SS"}));
  const Growth g = growth(p.P, p.stiffness, p.damping);
  result.comparisons.push_back(compare_statement(panel + " S+S+", "unstable",
                                                 fmt::format("largest real part {}", in_digits(g.rate)), g.rate > 0));
}

// ---- (B)

void add_vectors_b(Reproduction& result, const Pair& b) {
  result.comparisons.push_back(compare_printed("(B) γ1", "0.15π", angle(b.P.col(0))));
  result.comparisons.push_back(compare_printed("(B) angle of −b", "0.2π", angle(-b.b)));
  result.comparisons.push_back(compare_statement("(B) class", "142", class_of(b, b.b), class_of(b, b.b) == "142"));
  Matrix2d printed = b.P;
  printed(1, 1) = -0.0375;
  const double rate = growth(b.P, b.stiffness, b.damping).rate,
               printed_rate = growth(printed, b.stiffness, b.damping).rate;
  const auto near = [](double x) { return std::abs(x / pi - 1.07) < 0.005; };
  add(result, {"E27", "(B) entry p22, with γ2 = 1.07π and an unstable S+S+", "−0.0375; k, q > 0",
               "−0.375; k = −1, −3, q = −1.2 in (31)", !near(angle(printed.col(1))) && printed_rate < 0,
               near(angle(b.P.col(1))) && rate > 0,
               fmt::format("γ2 = {:.4f}π, growth rate {}; printed {:.4f}π, {} (stable)", angle(b.P.col(1)) / pi,
                           in_digits(rate, 4), angle(printed.col(1)) / pi, in_digits(printed_rate, 4))});
}

// The same motion by the classical Runge-Kutta method with small equal steps: mean interval of the landings of contact
// 2 over 40 periods, and its highest gap there.
struct Cycle {
  double period = 0, highest = -1;
};

Cycle integrated_cycle(const Pair& p) {
  using State4 = Eigen::Vector4d;
  const auto force = [&](const State4& y) -> Vector2d {
    return (-p.stiffness.cwiseProduct(y.head<2>()) - p.damping.cwiseProduct(y.tail<2>())).cwiseMax(0.0);
  };
  const auto rate = [&](const State4& y) -> State4 {
    return (State4() << y.tail<2>(), p.b + p.P * force(y)).finished();
  };
  const auto pressing = [&](const State4& y) { return -p.stiffness(1) * y(1) - p.damping(1) * y(3); };
  constexpr double h = 1e-3;
  State4 y = State4::Zero();
  std::vector<double> landings;
  Cycle cycle;
  for (int i = 0; i < 500000; ++i) {
    const double before = pressing(y);
    const State4 k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (i < 300000) continue;
    if (before <= 0 && pressing(y) > 0) landings.push_back(h * (i + before / (before - pressing(y))));
    cycle.highest = std::max(cycle.highest, y(1));
  }
  if (landings.size() > 1)
    cycle.period = (landings.back() - landings.front()) / static_cast<double>(landings.size() - 1);
  return cycle;
}

Plot panel_b(Reproduction& result, const Pair& b) {
  const Run run = fast_run(b, {0, 0}, 600, 12000);
  Plot plot;
  plot.title = "class 142, from rest at the surface";
  plot.x = {"gap /y/_{1}", ""};
  plot.y = {"gap /y/_{2}", ""};
  plot.layers.emplace_back(gaps_of(run, {series_colour(5), 0.6}, 50));
  plot.layers.emplace_back(CurveLayer{{rest_of(b)}, {ink, 1.2}, "S_{+}S_{+}", Glyph::square, 6, false});
  plot.layers.emplace_back(RuleLayer{false, 0});
  std::vector<double> landings;
  bool first_lifts = false;
  for (const SimulationEvent& e : run.events) {
    if (e.t < 300) continue;
    if (e.kind == EventKind::landing && e.contact == 1) landings.push_back(e.t);
    first_lifts = first_lifts || (e.kind == EventKind::liftoff && e.contact == 0);
  }
  const double mean =
      landings.size() < 2 ? 0 : (landings.back() - landings.front()) / static_cast<double>(landings.size() - 1);
  result.comparisons.push_back(compare_statement("(B) motion from rest at the surface",
                                                 "attractive limit cycle, lift-off at contact 2",
                                                 fmt::format("{}, lift-off at contact 2 only", run.outcome),
                                                 run.outcome == "limit_cycle" && !first_lifts && landings.size() > 20));
  const Cycle cycle = integrated_cycle(b);
  result.features.push_back(feature_near("(B) the period of the limit cycle is 4.7644",
                                         "landings of contact 2 in the simulation against equal Runge-Kutta steps",
                                         mean, cycle.period, 1e-6));
  const Sample& top = std::ranges::max(run.samples, {}, [](const Sample& x) { return x.t > 300 ? x.gap(1) : -1.0; });
  result.features.push_back(feature_near("(B) the cycle lifts contact 2 to 0.0867",
                                         "highest gap of the simulation against equal Runge-Kutta steps", top.gap(1),
                                         cycle.highest, 1e-4));
  int bounded = 0;
  for (const double y1 : evenly(-1.5, 0, 3)) {
    for (const double y2 : evenly(-1.5, 0, 3))
      bounded += fast_run(b, {y1, y2}, 300, 0).outcome == "limit_cycle" ? 1 : 0;
  }
  result.features.push_back(
      feature("(B) other starts end in the limit cycle, too; there is no impact without collision",
              "nine starts, simulated", bounded == 9, fmt::format("{} of 9", bounded)));
  return plot;
}

Reproduction figure_15() {
  Reproduction result;
  const Pair a = pair_of("fig15a"), b = pair_of("fig15b");
  add_vectors_a(result, a);
  add_modes(result, a, "(A)");
  add_vectors_b(result, b);
  add_modes(result, b, "(B)");
  result.figures.push_back({"Fast dynamics of two slipping contacts", "", {}, 2, 320, 300});
  result.figures.back().panels = {panel_a(result, a), panel_b(result, b), drawing(a.scene, "body of (a)"),
                                  drawing(b.scene, "body of (b)")};
  const double rate = growth(a.P, a.stiffness, a.damping).rate;
  result.features.push_back(
      feature_near("(A) the growth rate 0.40291 of S+S+ is a root of the characteristic polynomial",
                   "eigenvalue against the polynomial", characteristic(a, rate), 0, 1e-12));
  result.remark =
      "The bodies of panels (C) and (D) are ours: level floors and friction 1, found from P; they realise P and b to "
      "rounding. Starts of (A): "
      "penetrations 0, 10, …, 80 of each contact at zero velocity.";
  return result;
}

}  // namespace

std::vector<PublishedItem> two_contact_motion_items() {
  return {item("fig-15", "Fast dynamics of two contacts", figure_15, {"fig15a", "fig15b"})};
}

}  // namespace painleve::champneys_varkonyi
