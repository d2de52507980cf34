#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "painleve/study/detail/converge_parts.hpp"

namespace painleve::detail {
namespace {

constexpr double certainty = 3;      // limits differ when they are farther apart than this many errors
constexpr double resolution = 1e-8;  // and this much in units of the scale: tolerance of the integrators, with room
constexpr double coarse = 0.05;      // of the scale; a limit with a larger error decides nothing
constexpr std::size_t least_rows = 3;

// From which row on all end alike. Bodies that bounce end in one mode or another by chance: where too few rows share
// their outcome, how the run stopped is enough for them, and the errors tell the rest.
std::size_t tail_of(const ConvergeReport& report, const ConvergeSeries& series) {
  const RunEnding& last = series.rows.back().ending;
  const auto first_alike = [&](bool outcomes) {
    std::size_t k = series.rows.size();
    while (k > 0 && series.rows[k - 1].ending.stopped == last.stopped &&
           (!outcomes || series.rows[k - 1].ending.outcome == last.outcome))
      --k;
    return k;
  };
  const std::size_t strict = first_alike(true);
  return report.by_outcome || series.rows.size() - strict >= least_rows ? strict : first_alike(false);
}

// Fast motion of a spring lasts K^(−1/2), and K^(−1/3) to K^(−2/5) for one with the power 3/2 of the depth, as its
// force is of the size of 1 or of an impact. Damped out it follows the rest by 1/K, and by K^(−2/3).
std::vector<ExpectedPowers> expected_powers(const ConvergeSeries& series) {
  if (series.method == SimulationMethod::step) return {{1, std::nullopt}, {0.5, std::nullopt}, {2, std::nullopt}};
  if (series.regularisation && series.regularisation->compliance == Compliance::hertz)
    return {{1.0 / 3, 2.0 / 5}, {2.0 / 3, std::nullopt}, {2.0 / 5, std::nullopt}};
  return {{0.5, std::nullopt}, {1, std::nullopt}};
}

std::optional<QuantityLimit> limit_of(const ConvergeSeries& series, Eigen::Index quantity, double noise) {
  std::vector<double> h, a;
  for (std::size_t k = series.tail; k < series.rows.size(); ++k) {
    const double value = series.rows[k].ending.values(quantity);
    if (!std::isfinite(value)) return std::nullopt;
    h.push_back(series.rows[k].h);
    a.push_back(value);
  }
  if (a.size() < 2) return std::nullopt;
  QuantityLimit limit{
      extrapolate(h, a, noise, expected_powers(series)), orders_of_differences(h, a, noise), std::nullopt, {}};
  return limit;
}

void take_scales(ConvergeReport& report) {
  std::map<std::string, double> scales;
  const auto see = [&](std::size_t q, double value) {
    double& scale = scales[report.quantities[q].group];
    if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  };
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    for (const RigidFuture& future : report.futures) see(q, future.ending.values(static_cast<Eigen::Index>(q)));
    for (const ConvergeSeries& series : report.series) {
      for (const ConvergeRow& row : series.rows) see(q, row.ending.values(static_cast<Eigen::Index>(q)));
    }
  }
  report.scales.clear();
  for (const StudiedQuantity& quantity : report.quantities) report.scales.push_back(scales[quantity.group]);
}

// The quantities of a series converge together: the least certain of them tells how far all can be trusted, for one of
// many may move little by chance.
void judge(const ConvergeReport& report, ConvergeSeries& series) {
  std::size_t worst = 0;
  for (std::size_t q = 0; q < series.limits.size(); ++q) {
    if (!report.quantities[q].compared || !series.limits[q] || report.scales[q] == 0) continue;
    const double error = series.limits[q]->estimate.error / report.scales[q];
    if (error <= series.error) continue;
    series.error = error;
    worst = q;
  }
  const std::size_t rows = series.rows.size() - series.tail;
  const std::string& stopped = series.rows.back().ending.stopped;
  if (stopped == "collapsed" || stopped == "budget" || stopped == "interrupted")
    series.undecided_reason = fmt::format("its last run did not reach the end ({})", stopped);
  else if (rows < least_rows)
    series.undecided_reason =
        fmt::format("only the last {} of {} rows end alike; three are needed", rows, series.rows.size());
  else if (series.error > coarse && !report.by_outcome)
    series.undecided_reason =
        fmt::format("the limit of {} is known to {:.2g} only: {:.6g}", report.quantities[worst].name,
                    series.limits[worst]->estimate.error, series.limits[worst]->estimate.limit);
  series.decided = series.undecided_reason.empty();
}

// One quantity more.
void look(Closeness& c, const ConvergeReport& report, std::size_t q, double difference, double error) {
  const double scale = report.scales[q];
  if (std::abs(difference) > certainty * error + resolution * scale) c.same = false;
  const double distance = scale > 0 ? std::abs(difference) / scale : 0;
  if (c.quantity >= 0 && distance <= c.distance) return;
  c.distance = distance;
  c.quantity = static_cast<int>(q);
}

// The rigid futures for restitutions other than the scene's, each run once.
class Rebounds {
 public:
  Rebounds(const ConvergeProblem& problem, const ConvergeReport& report) : problem_(problem), report_(report) {}

  struct Best {
    double restitution = 0;
    int future = -1;
    double error = 0;  // of the restitution
    Closeness closeness{std::numeric_limits<double>::infinity(), -1, false};
  };

  // The restitution with which a rigid future comes nearest: the best of a grid, then a golden section.
  Best fit(const ConvergeSeries& series) {
    constexpr int cells = 20;
    Best best;
    for (int k = 0; k <= cells; ++k) best = nearer(best, at(series, static_cast<double>(k) / cells));
    double low = std::max(0.0, best.restitution - 1.0 / cells), high = std::min(1.0, best.restitution + 1.0 / cells);
    const double golden = (std::sqrt(5.0) - 1) / 2;
    Best left = at(series, high - golden * (high - low)), right = at(series, low + golden * (high - low));
    while (high - low > 1e-10) {
      const bool take_left = left.closeness.distance < right.closeness.distance;
      (take_left ? high : low) = take_left ? right.restitution : left.restitution;
      Best& kept = take_left ? left : right;
      (take_left ? right : left) = kept;
      kept = at(series, take_left ? high - golden * (high - low) : low + golden * (high - low));
      best = nearer(best, kept);
    }
    const double beside = best.restitution < 0.5 ? best.restitution + 1.0 / cells : best.restitution - 1.0 / cells;
    const double change = at(series, beside).closeness.distance - best.closeness.distance;
    best.error = change > 0 ? (certainty * series.error + resolution) / cells / change : 1;
    return best;
  }

 private:
  static Best nearer(const Best& a, const Best& b) { return b.closeness.distance < a.closeness.distance ? b : a; }

  const std::vector<RigidFuture>& futures(double restitution) {
    const auto known = runs_.find(restitution);
    if (known != runs_.end()) return known->second;
    return runs_[restitution] = rigid_futures(problem_.scene, problem_.simulation, restitution);
  }

  Best at(const ConvergeSeries& series, double restitution) {
    Best best;
    best.restitution = restitution;
    const auto& list = futures(restitution);
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (!list[k].strikes || k >= report_.futures.size() || list[k].why != report_.futures[k].why) continue;
      const Closeness c = closeness(report_, series, list[k].ending.values);
      if (c.distance < best.closeness.distance) best = {restitution, static_cast<int>(k), 0, c};
    }
    return best;
  }

  const ConvergeProblem& problem_;
  const ConvergeReport& report_;
  std::map<double, std::vector<RigidFuture>> runs_;
};

std::string called(const ConvergeReport& report, int future) {
  const std::string& why = report.futures[static_cast<std::size_t>(future)].why;
  return report.futures.size() == 1 ? "the rigid motion" : fmt::format("rigid future {} ({})", future, why);
}

// Among the futures of the scene as it stands.
bool name_as_it_stands(const ConvergeReport& report, ConvergeSeries& series) {
  std::vector<int> same;
  Closeness nearest{std::numeric_limits<double>::infinity(), -1, false};
  int index = -1;
  for (std::size_t k = 0; k < report.futures.size(); ++k) {
    const Closeness c = closeness(report, series, report.futures[k].ending.values);
    if (c.same) same.push_back(static_cast<int>(k));
    if (c.distance < nearest.distance) {
      nearest = c;
      index = static_cast<int>(k);
    }
  }
  if (same.size() == 1) {
    series.future = same.front();
    series.future_reason = fmt::format("within the errors of {}", called(report, series.future));
    return true;
  }
  if (same.size() > 1)
    series.future_reason = fmt::format("within the errors of {} rigid futures at once", same.size());
  else if (index >= 0)
    series.future_reason =
        fmt::format("none: nearest is {}, {:.2g} of the scale away in {}", called(report, index), nearest.distance,
                    report.quantities[static_cast<std::size_t>(nearest.quantity)].name);
  return !same.empty();
}

void put_rigid_orders(const ConvergeReport& report, const SimulationOptions& options, ConvergeSeries& series) {
  if (series.future < 0 || series.restitution) return;
  const Eigen::VectorXd& rigid = report.futures[static_cast<std::size_t>(series.future)].ending.values;
  for (std::size_t q = 0; q < series.limits.size(); ++q) {
    const double exact = rigid(static_cast<Eigen::Index>(q));
    if (!series.limits[q] || !std::isfinite(exact)) continue;
    std::vector<double> h, a;
    for (std::size_t k = series.tail; k < series.rows.size(); ++k) {
      h.push_back(series.rows[k].h);
      a.push_back(series.rows[k].ending.values(static_cast<Eigen::Index>(q)));
    }
    series.limits[q]->rigid = exact;
    series.limits[q]->rigid_orders = orders_of_errors(h, a, exact, 100 * options.relative * report.scales[q]);
  }
}

}  // namespace

std::string with_error(double value, double error) {
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.9g}", value);
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(error))) + 1, 0, 12);
  const double shown = std::abs(value) < std::pow(10.0, -digits) / 2 ? 0 : value;  // not −0
  return fmt::format("{:.{}f} ± {:.1g}", shown, digits, error);
}

void take_limits(const SimulationOptions& options, ConvergeReport& report) {
  take_scales(report);
  for (ConvergeSeries& series : report.series) {
    series.tail = tail_of(report, series);
    for (std::size_t q = 0; q < report.quantities.size(); ++q)
      series.limits.push_back(limit_of(series, static_cast<Eigen::Index>(q), 10 * options.relative * report.scales[q]));
    judge(report, series);
  }
}

Closeness closeness(const ConvergeReport& report, const ConvergeSeries& series, const Eigen::VectorXd& values) {
  Closeness c;
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    const double value = values(static_cast<Eigen::Index>(q));
    if (!report.quantities[q].compared || !series.limits[q] || !std::isfinite(value)) continue;
    look(c, report, q, series.limits[q]->estimate.limit - value, series.error * report.scales[q]);
  }
  return c;
}

Closeness closeness(const ConvergeReport& report, const ConvergeSeries& a, const ConvergeSeries& b) {
  Closeness c;
  if (report.by_outcome) {
    c.same = a.rows.back().ending.outcome == b.rows.back().ending.outcome;
    c.distance = c.same ? 0 : 1;
    return c;
  }
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    if (!report.quantities[q].compared || !a.limits[q] || !b.limits[q]) continue;
    const double difference = a.limits[q]->estimate.limit - b.limits[q]->estimate.limit;
    look(c, report, q, difference, (a.error + b.error) * report.scales[q]);
  }
  return c;
}

void name_futures(const ConvergeProblem& problem, ConvergeReport& report) {
  Rebounds rebounds(problem, report);
  const bool strikes =
      std::any_of(report.futures.begin(), report.futures.end(), [](const auto& f) { return f.strikes; });
  for (ConvergeSeries& series : report.series) {
    if (report.futures.empty()) {
      series.future_reason = report.no_futures_reason;
    } else if (!series.decided) {
      series.future_reason = series.undecided_reason;
    } else if (!name_as_it_stands(report, series) && strikes) {
      const auto best = rebounds.fit(series);
      if (best.closeness.same) {
        series.future = best.future;
        series.restitution = best.restitution;
        series.restitution_error = best.error;
        series.future_reason = fmt::format("{} with restitution {}", called(report, best.future),
                                           with_error(best.restitution, best.error));
      }
    }
    put_rigid_orders(report, problem.simulation, series);
  }
}

}  // namespace painleve::detail
