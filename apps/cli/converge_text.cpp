#include "converge_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

constexpr std::size_t most_columns = 4;  // quantities in the table of rows

// The first quantities that move: impulses, then coordinates and velocities.
std::vector<std::size_t> columns(const ConvergeReport& report) {
  std::vector<std::size_t> list;
  for (std::size_t q = 0; q < report.quantities.size() && list.size() < most_columns; ++q) {
    if (report.quantities[q].group != "q" && report.quantities[q].group != "Lambda" && report.scales[q] > 0)
      list.push_back(q);
  }
  return list;
}

std::string futures_text(const ConvergeReport& report) {
  if (report.futures.empty()) return report.no_futures_reason + "\n";
  if (report.futures.size() == 1) {
    const RunEnding& e = report.futures.front().ending;
    return fmt::format("one rigid motion{}: {}, outcome {}\n", report.futures.front().strikes ? ", with impacts" : "",
                       e.stopped == "t_end" ? "reaches the end" : "stops (" + e.stopped + ")", e.outcome);
  }
  std::string text = fmt::format("{} rigid futures:\n", report.futures.size());
  for (std::size_t k = 0; k < report.futures.size(); ++k)
    text += fmt::format("  {} {}, outcome {}\n", styled(std::to_string(k), Style::strong), report.futures[k].why,
                        report.futures[k].ending.outcome);
  return text;
}

std::string table_head(const ConvergeReport& report, const std::vector<std::size_t>& shown, bool steps) {
  std::string text = fmt::format("  {:>12}", steps ? "dt [s]" : "k [N/m]");
  for (const std::size_t q : shown) text += fmt::format(" {:>16}", report.quantities[q].name);
  return styled(text + "  outcome\n", Style::faint);
}

std::string rows_text(const ConvergeReport& report, const ConvergeSeries& s, const std::vector<std::size_t>& shown) {
  std::string text = table_head(report, shown, s.method == SimulationMethod::step);
  for (const ConvergeRow& row : s.rows) {
    text += fmt::format("  {:>12g}", row.value);
    for (const std::size_t q : shown) {
      const double value = row.ending.values(static_cast<Eigen::Index>(q));
      text += std::isfinite(value) ? fmt::format(" {:>16.9g}", value + 0.0) : fmt::format(" {:>16}", "-");
    }
    text += fmt::format("  {}{}\n", row.ending.outcome,
                        row.ending.stopped == "t_end" ? "" : " (stopped: " + row.ending.stopped + ")");
  }
  const auto line = [&](const char* name, auto value) {
    text += fmt::format("  {:>12}", name);
    for (const std::size_t q : shown) text += fmt::format(" {:>16}", value(q));
    text += "\n";
  };
  line("limit", [&](std::size_t q) {
    return s.limits[q] ? fmt::format("{:.9g}", s.limits[q]->estimate.limit + 0.0) : std::string("-");
  });
  line("error", [&](std::size_t q) {
    return s.limits[q] ? fmt::format("{:.1e}", s.limits[q]->estimate.error) : std::string("-");
  });
  line("order", [&](std::size_t q) {
    if (!s.limits[q] || !s.limits[q]->estimate.order) return std::string(s.limits[q] ? "settled" : "-");
    const LimitEstimate& e = s.limits[q]->estimate;
    return fmt::format("{:.3g}{}{}", *e.order, e.logarithm ? " log" : "", e.monotone ? "" : " ~");
  });
  return text;
}

std::string series_text(const ConvergeReport& report, const ConvergeSeries& s, const std::vector<std::size_t>& shown) {
  std::string text = styled(s.name, Style::strong) + "\n" + rows_text(report, s, shown);
  if (!s.decided)
    text += "  " + styled("undecided", Style::warn) + ": " + s.undecided_reason + "\n";
  else if (!report.futures.empty())
    text += fmt::format("  limit is {}\n", s.future_reason);
  return text + "\n";
}

Style style_of(const ConvergeReport& report) {
  if (report.verdict.starts_with("uniformly")) return Style::good;
  return report.verdict == "undecided" ? Style::warn : Style::bad;
}

}  // namespace

std::string converge_text(const ConvergeProblem& problem, const ConvergeReport& report) {
  std::string text = fmt::format("{}: to t = {:g} s\n", problem.scene.name, problem.simulation.t_end);
  text += futures_text(report) + "\n";
  const std::vector<std::size_t> shown = columns(report);
  for (const ConvergeSeries& s : report.series) text += series_text(report, s, shown);
  const bool pressed = std::any_of(report.series.begin(), report.series.end(), [](const ConvergeSeries& s) {
    return s.regularisation && s.regularisation->static_factor;
  });
  if (pressed)
    text += fmt::format("static: the normal forces {:.6g} N of the {} mode {}.\n",
                        fmt::join(report.start_force->normal, ", "), report.start_force->stable ? "stable" : "unstable",
                        report.start_force->mode);
  if (!problem.stiffness.empty()) text += fmt::format("Rule: {}.\n", damping_rule(problem.scene));
  text += fmt::format("{}: {}\n", styled(report.verdict, style_of(report)), report.verdict_reason);
  const std::string agreement = !report.agrees   ? "not known whether all methods agree"
                                : *report.agrees ? "the methods agree"
                                                 : "the methods do not agree";
  text += fmt::format("{}: {}\nexpected: {}\n", agreement, report.agrees_reason, report.expected);
  if (!report.complete) text += styled("interrupted: the rows above are those that were done", Style::warn) + "\n";
  return text;
}

}  // namespace painleve::cli
