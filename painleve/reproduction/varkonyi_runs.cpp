// Várkonyi (2018), Table A1 and Figs 6, 7: compliant runs of two drifting contacts through the boundaries of
// slip. The runs are those of the shipped scenarios; what they are tested against is the contact law as it stands, in
// small fixed steps, and the roots and eigenvalues that predict them.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "painleve/modes/slip_transitions.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/reproduction/detail/drifting_runs.hpp"
#include "painleve/reproduction/varkonyi.hpp"

namespace painleve {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector4d;

using namespace reproduction;

constexpr double kPi = std::numbers::pi;

// The contact law (2.20) in scaled variables Z = z/ε², τ = t/ε, step by step: when does a contact first open after
// `from`, as its force falls to zero?
double literal_opening(const DriftingContacts& c, int contact, double t_end) {
  const double eps = c.epsilon;
  const auto force = [&](const Vector4d& y) {
    Vector2d lambda;
    for (int i = 0; i < 2; ++i)
      lambda(i) = y(i) > 0 ? 0 : std::max(0.0, -c.stiffness(i) * y(i) - c.damping(i) * y(2 + i));
    return lambda;
  };
  const auto rate = [&](double t, const Vector4d& y) {
    Vector4d f;
    f << y.tail<2>(), c.free_acceleration(t) + c.slip_matrix(t) * force(y);
    return f;
  };
  Vector4d y;
  const Vector2d rest = c.slip_matrix(c.t_start).inverse() * c.free_acceleration(c.t_start);
  y << rest.cwiseQuotient(Vector2d(c.stiffness)), 0, 0;
  const double h = 0.004;
  const auto steps = static_cast<long>((t_end - c.t_start) / (eps * h));
  for (long i = 0; i < steps; ++i) {
    const double t = c.t_start + eps * h * static_cast<double>(i);
    const Vector4d k1 = rate(t, y);
    const Vector4d k2 = rate(t + eps * h / 2, y + h / 2 * k1);
    const Vector4d k3 = rate(t + eps * h / 2, y + h / 2 * k2);
    const Vector4d k4 = rate(t + eps * h, y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (force(y)(contact) == 0) return t + eps * h;
  }
  return std::nan("");
}

struct Row {
  const char* figure;
  const char* scenario;
  double t_end;
  const char* outcome;  // in our words
  const char* printed;  // in those of the table
  const char* note;
};

const std::vector<Row>& table_rows() {
  static const std::vector<Row> rows = {
      {"6(a)", "table-a1-6a", 0.004, "FS", "transition to FS", "row illegible: values chosen here"},
      {"6(b)", "table-a1-6b", 0.004, "FF", "transition to FF", "legible"},
      {"6(c)", "table-a1-6c", 0.01, "IWC:FI", "IWC (figure and text)", "row lost: values chosen here"},
      {"7(a,b)", "table-a1-7ab", 0.4, "inverse_chatter", "inverse chattering",
       "γ1 repaired by F = 0, first row of A1 chosen"},
      {"7(c)", "table-a1-7c", 0.12, "FF", "transition to FF", "legible"},
      {"7(d)", "table-a1-7d", 0.12, "IWC:FI", "IWC", "second row of A1 and sin 0.88π restored"},
      {"7(e,f)", "table-a1-7ef", 0.12, "limit_cycle", "microscopic oscillation", "legible"},
  };
  return rows;
}

SlipDrift slip_drift(const DriftingContacts& c, double t) {
  return {c.slip_matrix(t), c.P_rate, c.free_acceleration(t), c.b_rate, {Vector2d(c.stiffness), Vector2d(c.damping)},
          c.epsilon};
}

Reproduction table_a1() {
  Reproduction r;
  for (const Row& row : table_rows()) {
    const DriftingContacts c = scenario(row.scenario);
    const Run run = drift(c, row.t_end, 0);
    r.comparisons.push_back(compare_statement(fmt::format("outcome of Fig {}", row.figure), row.printed, run.outcome,
                                              run.outcome == row.outcome, "", row.note));
    const auto next = next_transition(slip_drift(c, c.t_start), -c.t_start + 0.01).transition;
    const bool liftoff = row.figure[0] == '6';
    const double at = next ? c.t_start + next->t : std::nan("");
    r.features.push_back(
        feature(fmt::format("Fig {}: slip meets the boundary {} at t = 0", row.figure, liftoff ? "L1" : "S1 or S2"),
                "roots of the boundaries' polynomials in t",
                next && (liftoff ? next->boundary == "L1" : next->boundary.starts_with("S")) && std::abs(at) < 1e-3,
                next ? fmt::format("{} at t = {:.1e}", next->boundary, at) : "none"));
  }
  // The printed angles are those at which F = 0, to all four digits.
  const auto root = [](double low, double high, const std::function<Matrix2d(double)>& P) {
    const auto F = [&](double x) { return slip_boundaries(P(x), Vector2d(1, 0)).F; };
    for (const double sign = F(low); high - low > 1e-14;) {
      const double middle = (low + high) / 2;
      (F(middle) * sign > 0 ? low : high) = middle;
    }
    return low / kPi;
  };
  const auto columns = [](double gamma1, double gamma2) {
    Matrix2d P;
    P << std::cos(gamma1), std::cos(gamma2), std::sin(gamma1), std::sin(gamma2);
    return P;
  };
  r.comparisons.push_back(compare_printed("7(c): γ1/π on the stability boundary", "0.1403",
                                          root(0.1 * kPi, 0.2 * kPi, [&](double x) { return columns(x, 1.1 * kPi); })));
  r.comparisons.push_back(
      compare_printed("7(d): γ1/π on the stability boundary", "1.8597",
                      root(1.8 * kPi, 1.88 * kPi, [&](double x) { return columns(x, 1.9 * kPi); })));
  r.comparisons.push_back(compare_printed("7(e,f): γ2/π on the stability boundary", "0.3597",
                                          root(0.3 * kPi, 0.4 * kPi, [&](double x) { return columns(1.4 * kPi, x); })));
  r.comparisons.push_back(compare_statement(
      "7(c) crosses", "S1", slip_boundaries(scenario("table-a1-7c").P, Vector2d(1, 0)).S2 ? "S2" : "S1", false, "V13"));
  r.remark =
      "Units of the table: unit columns, ε = 1e-4, k = ν = 1, start at t = −0.01. Rows that cannot be read are "
      "marked; for them the outcome is the paper's and the parameters are choices.";
  return r;
}

// Gaps of both contacts over time, with rings where a contact opens or closes.
Plot gap_plot(const Run& run, const std::string& title, double from, double to, double unit_z,
              const std::string& unit_name) {
  Plot plot;
  plot.title = title;
  plot.x = {"time /t/", "s", from, to};
  plot.y = {"gap /z/", unit_name};
  for (int i = 0; i < 2; ++i) {
    CurveLayer curve;
    curve.pen = {series_colour(i == 0 ? 5 : 6), 1.3, i == 0 ? Dash::solid : Dash::dashed};
    curve.label = i == 0 ? "/z/_{1}" : "/z/_{2}";
    for (const Sample& s : run.samples) {
      if (s.t >= from && s.t <= to) curve.points.push_back({s.t, s.gap(i) / unit_z});
    }
    plot.layers.emplace_back(curve);
  }
  CurveLayer events;
  events.line = false;
  events.glyph = Glyph::ring;
  events.label = "opens or closes";
  for (const SimulationEvent& e : run.events) {
    if (e.t < from || e.t > to || e.contact < 0) continue;
    const auto after = std::lower_bound(run.samples.begin(), run.samples.end(), e.t,
                                        [](const Sample& s, double t) { return s.t < t; });
    if (after != run.samples.end()) events.points.push_back({e.t, after->gap(e.contact) / unit_z});
  }
  plot.layers.emplace_back(events);
  return plot;
}

Reproduction fig_6() {
  Reproduction r;
  Figure figure{"Crossing L1: contact 1 loses its force at t = 0", "", {}, 3, 250, 210};
  const double ends[] = {4e-3, 4e-3, 6e-3};
  for (int i = 0; i < 3; ++i) {
    const Row& row = table_rows()[static_cast<std::size_t>(i)];
    DriftingContacts c = scenario(row.scenario);
    const Run run = drift(c, ends[i], 20000);
    const auto next = next_transition(slip_drift(c, c.t_start), 0.02).transition;
    Plot plot = gap_plot(run, fmt::format("region {}: {}", next ? next->region : "?", row.outcome),
                         i == 0 ? -2e-3 : -1e-3, i == 2 ? 2.5e-3 : ends[i], 1e-9, "nm");
    if (i == 2) std::tie(plot.y.from, plot.y.to) = std::pair(-200.0, 1000.0);  // beyond, both leave exponentially
    figure.panels.emplace_back(plot);
    const char* regions[] = {"13", "14", "46"};
    r.comparisons.push_back(compare_statement(fmt::format("region crossed in {}", row.figure), regions[i],
                                              next ? next->region : "none", next && next->region == regions[i]));
    r.features.push_back(feature_near(fmt::format("Fig {}: when contact 1 opens", row.figure),
                                      "contact law in small fixed steps (0.4 μs)", first(run, EventKind::liftoff, 0),
                                      literal_opening(c, 0, 1e-3), 1e-6));
    if (i == 0) continue;
    // Leading order in ε: what decides between liftoff and impact, and when.
    const auto exit = saddle_exit(c.P, c.b, c.P_rate, c.b_rate, 0, c.epsilon);
    const double event = i == 1 ? first(run, EventKind::liftoff, 1) : first(run, EventKind::iwc, 1);
    r.features.push_back(
        feature(fmt::format("Fig {}: the saddle is left towards {}", row.figure, i == 1 ? "liftoff" : "impact"),
                "leading-order formula for the time against the run",
                exit && exit->liftoff == (i == 1) && std::abs(exit->time / event - 1) < 0.02,
                exit ? fmt::format("{:.4e} s predicted, {:.4e} s run", exit->time, event) : "none"));
  }
  r.figures.push_back(figure);
  r.remark =
      "The paper leaves open whether 14 always lifts and 46 always strikes; the sign of p21 decides to leading "
      "order in ε.";
  return r;
}

// Growth from cycle to cycle over the last two cycles. Within a cycle there are smaller hops: what counts are the
// numbers that are more than `apart` times the one before.
double growth_of_cycles(std::vector<double> sizes, double apart) {
  std::reverse(sizes.begin(), sizes.end());
  std::vector<double> cycles;  // the last one first
  for (const double size : sizes) {
    if (cycles.empty() || apart * size < cycles.back()) cycles.push_back(size);
  }
  return cycles.size() < 3 ? std::nan("") : std::sqrt(cycles[0] / cycles[2]);
}

// Highest gaps of the flights of contact 1, from the samples.
std::vector<double> flight_heights(const Run& run) {
  std::vector<double> peaks;
  double high = 0;
  for (const Sample& s : run.samples) {
    if (s.gap(0) > 0) {
      high = std::max(high, s.gap(0));
    } else if (high > 0) {
      peaks.push_back(high);
      high = 0;
    }
  }
  return peaks;
}

// Squares of the speeds with which contact 1 lands, from the located events: a flight under constant b rises as high.
std::vector<double> landing_energies(const Run& run) {
  std::vector<double> squares;
  for (const SimulationEvent& e : run.events) {
    if (e.kind == EventKind::landing && e.contact == 0) squares.push_back(e.u_before(0) * e.u_before(0));
  }
  return squares;
}

// The growth rate of the ray on which contact 2 alone presses.
double single_ray(double p, double k, double nu) { return (-p * nu + std::sqrt(p * p * nu * nu - 4 * p * k)) / 2; }

// ln of the force of contact 2, fitted by its slope over the last stretch before the run ends [1/fast time].
double impact_rate(const Run& run, double epsilon) {
  const Sample& last = run.samples.back();
  for (std::size_t i = run.samples.size(); i-- > 0;) {
    const Sample& s = run.samples[i];
    if (last.t - s.t > 4 * epsilon && s.lambda(1) > 0)
      return std::log(last.lambda(1) / s.lambda(1)) / ((last.t - s.t) / epsilon);
  }
  return std::nan("");
}

Reproduction fig_7() {
  Reproduction r;
  Figure figure{"Crossing the stability boundary: four kinds of motion", "", {}, 3, 250, 210};
  const auto run_of = [](int row, double t_end, int samples) {
    return drift(scenario(table_rows()[static_cast<std::size_t>(row)].scenario), t_end, samples);
  };
  const Run chatter = run_of(3, 0.4, 400000);
  figure.panels.emplace_back(gap_plot(chatter, "inverse chatter", 0.12, chatter.t, 1e-3, "mm"));
  figure.panels.emplace_back(gap_plot(chatter, "the same, magnified", 0.1185, 0.124, 1e-9, "nm"));
  figure.panels.emplace_back(gap_plot(run_of(4, 0.0475, 40000), "both lift", 0.042, 0.0475, 1e-6, "μm"));
  const Run iwc = run_of(5, 0.12, 200000);
  figure.panels.emplace_back(gap_plot(iwc, "1 lifts, impact at 2", 0.0315, iwc.t, 1e-3, "mm"));
  const Run cycle = run_of(6, 0.12, 200000);
  figure.panels.emplace_back(gap_plot(cycle, "micro limit cycle", 0.04, 0.12, 1e-9, "nm"));
  figure.panels.emplace_back(gap_plot(cycle, "the same, magnified", 0.1, 0.106, 1e-9, "nm"));
  r.figures.push_back(figure);

  const double growth_per_cycle = growth_of_cycles(flight_heights(chatter), 3);
  r.comparisons.push_back(compare_statement("growth of the amplitude per cycle in (a)", "roughly 10",
                                            fmt::format("{:.1f}", growth_per_cycle),
                                            growth_per_cycle > 7 && growth_per_cycle < 20));
  r.comparisons.push_back(compare_statement("where the impact of (d) acts", "at point 1 (text), at point 2 (caption)",
                                            iwc.outcome, iwc.outcome == "IWC:IF", "V9"));
  const DriftingContacts d = scenario("table-a1-7d");
  const double p22 = d.slip_matrix(iwc.t)(1, 1);
  r.features = {
      feature_near("(a): the flights grow as the squares of the landing speeds do", "samples against located events",
                   growth_per_cycle, growth_of_cycles(landing_energies(chatter), 3), 0.02 * growth_per_cycle),
      feature_near("(d): the force of contact 2 grows as its ray does",
                   "root of s² + p22 (ν s + k) = 0 against the run", impact_rate(iwc, d.epsilon), single_ray(p22, 1, 1),
                   2e-3),
      feature_near("(e): when contact 1 first opens", "contact law in small fixed steps (0.4 μs)",
                   first(cycle, EventKind::liftoff, 0), literal_opening(scenario("table-a1-7ef"), 0, 0.06), 2e-6),
  };
  for (const int row : {3, 4, 5, 6}) {
    const DriftingContacts c = scenario(table_rows()[static_cast<std::size_t>(row)].scenario);
    const Growth g = growth(c.P, c.stiffness, c.damping);
    r.features.push_back(feature(fmt::format("Fig {}: at t = 0 a pair of eigenvalues is purely imaginary",
                                             table_rows()[static_cast<std::size_t>(row)].figure),
                                 "eigenvalues of the fast dynamics", std::abs(g.rate) < 2e-4 && g.frequency > 0.1,
                                 fmt::format("{:.1e} ± {:.3f} i", g.rate, g.frequency)));
  }
  r.remark =
      "The printed angles have four digits, so that eigenvalues are imaginary to 2e-4 at t = 0. Axis ranges are "
      "chosen here.";
  return r;
}

}  // namespace

std::vector<PublishedItem> varkonyi_run_items() {
  std::vector<std::string> rows;
  for (const Row& row : table_rows()) rows.emplace_back(row.scenario);
  return {{"varkonyi", "table-a1", "parameters and outcomes of the simulations", rows, table_a1},
          {"varkonyi", "fig-6", "crossing the liftoff boundary", {rows.begin(), rows.begin() + 3}, fig_6},
          {"varkonyi", "fig-7", "crossing the stability boundary", {rows.begin() + 3, rows.end()}, fig_7}};
}

}  // namespace painleve
