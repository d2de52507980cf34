// Várkonyi (2018), Figs 8-10 and Lemmas 1, 2: two drifting contacts that slip into the lines L12 (double liftoff) and
// GB1, GB2 (dynamic jam). On the slip manifold b1 ~ |t|^a and b2 is constant, with a = 2 and a = ½.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/reproduction/detail/drifting_runs.hpp"
#include "painleve/reproduction/varkonyi.hpp"

namespace painleve {
namespace {

using Eigen::Vector2d;
using namespace reproduction;

constexpr double kPi = std::numbers::pi;

Plot angle_plot(std::size_t count, const DriftingContacts& c, const std::vector<Vector2d>& starts, double a) {
  Plot plot;
  plot.title = "angles of the columns and of −/b/";
  plot.x = {"time /t/", "s", c.t_start, 0.0};
  plot.y = {"angle", "π"};
  plot.y.factor = 1 / kPi;
  for (int column = 0; column < 2; ++column) {
    CurveLayer curve;
    curve.pen = {ink, 1.3};
    curve.label = column == 0 ? "/γ/_{1}, /γ/_{2}" : "";
    for (int i = 0; i <= 100; ++i) {
      const double t = c.t_start * (1 - i / 100.0);
      const Eigen::MatrixXd P = c.slip_matrix(t);
      curve.points.push_back({t, std::atan2(P(1, column), P(0, column))});
    }
    plot.layers.emplace_back(curve);
  }
  for (std::size_t k = 0; k < count; ++k) {
    CurveLayer curve;
    curve.pen = {series_colour(static_cast<int>(k) + 1), 1.1, Dash::dashed};
    curve.label = k == 0 ? "/β/ + π" : "";
    for (int i = 0; i <= 100; ++i) {  // b1 ~ |t|^a on the slip manifold, b2 constant
      const double part = 1 - i / 100.0;
      curve.points.push_back({c.t_start * part, std::atan2(-starts[k](1), -starts[k](0) * std::pow(part, a))});
    }
    plot.layers.emplace_back(curve);
  }
  plot.legend = LegendPlace::below;
  return plot;
}

// b on the slip manifold, integrated; against b1 ~ |t|^a.
double manifold_defect(const DriftingContacts& c, const Vector2d& start, double a) {
  Vector2d b = start;
  const int steps = 20000;
  const double s_end = std::log(100.0);  // singular time, to |t| = |t_start|/100
  const double h = s_end / steps;
  const auto rate = [&](double s, const Vector2d& x) -> Vector2d {
    const double t = c.t_start * std::exp(-s);
    const Vector2d lambda = -c.slip_matrix(t).inverse() * x;
    return -t * (c.b_force * lambda);
  };
  for (int i = 0; i < steps; ++i) {
    const double s = h * i;
    const Vector2d k1 = rate(s, b);
    const Vector2d k2 = rate(s + h / 2, b + h / 2 * k1);
    const Vector2d k3 = rate(s + h / 2, b + h / 2 * k2);
    const Vector2d k4 = rate(s + h, b + h * k3);
    b += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return std::max(std::abs(b(0) - start(0) * std::pow(100.0, -a)), std::abs(b(1) - start(1)));
}

Plot gaps_of(const std::vector<Run>& runs, double from, double to, double lowest, double highest) {
  Plot plot;
  plot.title = "gaps";
  plot.x = {"time /t/", "s", from, to};
  plot.y = {"gap /z/", "μm", lowest, highest};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (int i = 0; i < 2; ++i) {
      CurveLayer curve;
      curve.pen = {series_colour(static_cast<int>(k) + 1), 1.1, i == 0 ? Dash::solid : Dash::dashed};
      curve.label = k > 0 ? "" : i == 0 ? "/z/_{1}" : "/z/_{2}";
      for (const Sample& s : runs[k].samples) {
        if (s.t >= from) curve.points.push_back({s.t, s.gap(i) * 1e6});
      }
      plot.layers.emplace_back(curve);
    }
  }
  return plot;
}

std::string order_of_events(const Run& run) {
  std::string text;
  for (const SimulationEvent& e : run.events) {
    if (e.contact < 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_string(e.kind), e.contact + 1);
  }
  return text;
}

Reproduction fig_9() {
  Reproduction r;
  DriftingContacts c = scenario("double-liftoff");
  std::vector<Run> runs;
  std::vector<Vector2d> starts;
  for (const double b1 : {-0.04, -0.02, 0.02, 0.04}) {
    starts.emplace_back(b1, -1);
    c.b = starts.back();
    runs.push_back(drift(c, 0.1, 1500));
    const bool back = b1 < 0;
    const std::string printed = back ? "liftoff 1, landing 1, liftoff 2, iwc 1" : "liftoff 2, iwc 1";
    r.comparisons.push_back(compare_statement(fmt::format("order of events from b1 = {}", b1), printed,
                                              order_of_events(runs.back()), order_of_events(runs.back()) == printed));
    r.features.push_back(vanishing(fmt::format("b1 ~ t² on the way to the singularity, from b1 = {}", b1),
                                   "integration in singular time against the closed form",
                                   manifold_defect(c, starts.back(), 2), 1e-10));
  }
  const Run& run = runs[2];
  const auto before = std::lower_bound(run.samples.begin(), run.samples.end(), -1e-3,
                                       [](const Sample& s, double t) { return s.t < t; });
  r.features.push_back(feature_near("both forces tend to −b2/2 at the singularity", "limit of −P⁻¹b against the run",
                                    before->lambda(0), 0.5, 5e-3));
  Figure figure{"Double liftoff: both contacts lose their forces at t = 0",
                "Starts b = (b1, −1), b1 = −0.04, −0.02, 0.02, 0.04.",
                {},
                2};
  figure.panels.emplace_back(angle_plot(runs.size(), c, starts, 2));
  figure.panels.emplace_back(gaps_of(runs, -0.01, 0.06, -0.4, 2));
  r.figures.push_back(figure);
  r.remark = "Initial values of b are choices: the paper does not state them.";
  return r;
}

Reproduction fig_10() {
  Reproduction r;
  DriftingContacts c = scenario("two-contact-jam");
  std::vector<Run> runs;
  std::vector<Vector2d> starts;
  const auto jam = [&](double angle, double a) {
    DriftingContacts x = c;
    x.b = Vector2d(-std::cos(angle * kPi), -std::sin(angle * kPi));
    x.b_force << a, a, 0, 0;
    return x;
  };
  bool both = true;
  for (const double angle : {-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4}) {
    const DriftingContacts x = jam(angle, 0.5);
    starts.emplace_back(x.b);
    runs.push_back(drift(x, 0.05, 1500));
    both = both && runs.back().outcome == "IWC:II";
  }
  r.comparisons = {
      compare_statement("after GB1 (four runs)", "contact 1 lifts off", both ? "both forces diverge" : "mixed", false,
                        "V15"),
      compare_statement("after GB2 (four runs)", "both contacts lift off", both ? "both forces diverge" : "mixed",
                        false, "V15"),
  };
  std::string below;
  std::string above;
  for (const double a : {0.25, 0.75})
    below += drift(jam(0.2, a), 0.05, 0).outcome + drift(jam(-0.2, a), 0.05, 0).outcome;
  for (const double a : {1.25, 1.75})
    above += drift(jam(0.2, a), 0.05, 0).outcome + drift(jam(-0.2, a), 0.05, 0).outcome;
  // The sum of the forces near t = 0 for a = ½: L ~ (Ai² + Bi²)(T/4^{1/3}), T = t/(ε²/2)^{1/3}, for products of Airy
  // functions solve w''' = 4 x w' + 2 w; matched to the slip solution L = b1/t.
  const DriftingContacts x = jam(0.2, 0.5);
  const Run& run = runs[5];
  const auto at_zero =
      std::lower_bound(run.samples.begin(), run.samples.end(), 0.0, [](const Sample& s, double t) { return s.t < t; });
  const double scale = std::cbrt(x.epsilon * x.epsilon / 2);
  const double b1 = x.b(0) * std::sqrt(scale / -x.t_start);             // b1 at |t| = scale on the slip manifold
  const double airy = 0.355028053887817239 * 0.355028053887817239 * 4;  // Ai(0)² + Bi(0)², Bi(0) = √3 Ai(0)
  const double predicted = -b1 / scale * kPi * airy / std::pow(4.0, 1.0 / 6.0);  // Ai² + Bi² → 1/(π √−x), x → −∞
  r.features = {
      feature("for a = 0.25 and 0.75 in A3 = [a a; 0 0] both forces diverge", "compliant runs",
              below == "IWC:IIIWC:IIIWC:IIIWC:II", below),
      feature("for a = 1.25 and 1.75 the printed outcomes appear", "compliant runs", above == "FSFFFSFF", above),
      feature("the force sum at t = 0 is that of the inner equation L''' = T L' + L/2",
              "Airy functions against the run, to leading order in ε",
              std::abs((at_zero->lambda(0) + at_zero->lambda(1)) / predicted - 1) < 0.03,
              fmt::format("{:.1f} against {:.1f}", at_zero->lambda(0) + at_zero->lambda(1), predicted)),
      vanishing("b1 ~ |t|^{1/2} on the way to the singularity", "integration in singular time against the closed form",
                manifold_defect(x, x.b, 0.5), 1e-9),
  };
  Figure figure{
      "Dynamic jam of two contacts", "Starts b = −(cos φ, sin φ), φ = ±0.1π … ±0.4π; A3 = [½ ½; 0 0].", {}, 2};
  figure.panels.emplace_back(angle_plot(runs.size(), c, starts, 0.5));
  figure.panels.emplace_back(gaps_of(runs, -0.05, 0.008, -12, 1));
  r.figures.push_back(figure);
  r.remark = "The outcomes that the text describes are not those of its parameters; see V15.";
  return r;
}

// --- Lemmas 1 and 2 with Fig 8: slip persists into the singularity.

struct Persistence {
  double least_force = 1e300;  // λ_i/|b2| on the way to |t| = 1e-4 |t_start|
  double defect = 0;           // of b1 ~ |t|^a
  int count = 0;
};

// Drawn starts with both contacts pressing; `a` is the exponent of b1.
Persistence persistence(const DriftingContacts& contacts, double a, std::uint64_t seed) {
  Persistence found;
  Draws draws(seed);
  while (found.count < 100) {
    DriftingContacts c = contacts;
    c.t_start = -draws.uniform(0.01, 0.3);
    const double angle = draws.uniform(0, 2 * kPi);
    const Vector2d start(std::cos(angle), std::sin(angle));
    if ((-c.slip_matrix(c.t_start).inverse() * start).minCoeff() <= 0.02) continue;
    ++found.count;
    found.defect = std::max(found.defect, manifold_defect(c, start, a));
    for (int i = 0; i <= 400; ++i) {
      const double part = std::pow(10.0, -i / 100.0);
      const Vector2d b(start(0) * std::pow(part, a), start(1));
      const Vector2d lambda = -c.slip_matrix(c.t_start * part).inverse() * b;
      found.least_force = std::min(found.least_force, lambda.minCoeff());
    }
  }
  return found;
}

Plot funnel_plot(const DriftingContacts& c, const std::vector<Vector2d>& starts, double a, const std::string& title) {
  Plot plot = angle_plot(starts.size(), c, starts, a);
  plot.title = title;
  return plot;
}

Reproduction lemma(const std::string& name, double a, const std::string& manifold) {
  Reproduction r;
  const DriftingContacts c = scenario(name);
  const Persistence found = persistence(c, a, 12);
  r.comparisons.push_back(compare_statement("slip from any feasible start with t < 0", "persists until t = 0",
                                            found.least_force > 0 ? "persists" : "ends before", found.least_force > 0));
  r.features = {
      feature("both contacts press all the way to |t| = 1e-4 |t_start|", "forces −P⁻¹b of 100 drawn starts",
              found.least_force > 0, fmt::format("least {:.3g}", found.least_force)),
      vanishing(fmt::format("b1 ~ |t|^{} on the way", a), "integration in singular time against the closed form",
                found.defect, 1e-9),
      feature(fmt::format("{} is reached: β + π tends to the angle that the columns share", manifold),
              "closed form at |t| = 1e-8 |t_start|",
              [&] {
                const Vector2d b(0.3 * std::pow(1e-8, a), -1);
                const Eigen::MatrixXd P = c.slip_matrix(1e-8 * c.t_start);
                const double beta = std::atan2(-b(1), -b(0));
                return std::abs(beta - std::atan2(P(1, 1), P(0, 1))) < 1e-3;
              }()),
  };
  std::vector<Vector2d> starts;
  if (a > 1) {
    for (const double b1 : {-0.045, -0.03, -0.015, 0.015, 0.03, 0.045}) starts.emplace_back(b1, -1);
  } else {
    for (const double angle : {-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4})
      starts.emplace_back(-std::cos(angle * kPi), -std::sin(angle * kPi));
  }
  r.figures.push_back({fmt::format("Slip into {}", manifold), "", {funnel_plot(c, starts, a, "")}, 1});
  r.comparisons.push_back(
      compare_statement("rescaled time of the proof", "d/dt = |t| d/ds", "d/dt = |t|⁻¹ d/ds", false, "V6"));
  return r;
}

Reproduction lemma_1() { return lemma("double-liftoff", 2, "L12"); }
Reproduction lemma_2() { return lemma("two-contact-jam", 0.5, "GB1 or GB2"); }

Reproduction fig_8() {
  Reproduction r = lemma_1();
  const Reproduction second = lemma_2();
  r.comparisons.push_back(second.comparisons.front());
  r.comparisons.front().what += ", double liftoff (a)";
  r.comparisons.back().what += ", dynamic jam (b)";
  r.features.insert(r.features.end(), second.features.begin(), second.features.end());
  Figure& figure = r.figures.front();
  figure.title = "Slip into the singular lines";
  figure.panels.push_back(second.figures.front().panels.front());
  figure.columns = 2;
  return r;
}

}  // namespace

std::vector<PublishedItem> varkonyi_singular_items() {
  return {{"varkonyi", "lemma-1", "slip into double liftoff (Fig 8a)", {"double-liftoff"}, lemma_1},
          {"varkonyi", "lemma-2", "slip into dynamic jam (Fig 8b)", {"two-contact-jam"}, lemma_2},
          {"varkonyi", "fig-8", "angles on the way to both", {"double-liftoff", "two-contact-jam"}, fig_8},
          {"varkonyi", "fig-9", "double liftoff", {"double-liftoff"}, fig_9},
          {"varkonyi", "fig-10", "dynamic jam of two contacts", {"two-contact-jam"}, fig_10}};
}

}  // namespace painleve
