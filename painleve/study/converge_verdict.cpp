#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "painleve/modes/mode_table.hpp"
#include "painleve/study/detail/converge_parts.hpp"

namespace painleve::detail {
namespace {

// The series that the verdict is about: springs where there are any, else time steps.
std::vector<int> judged(const ConvergeReport& report) {
  std::vector<int> springs, all;
  for (std::size_t k = 0; k < report.series.size(); ++k) {
    all.push_back(static_cast<int>(k));
    if (report.series[k].method == SimulationMethod::compliant) springs.push_back(static_cast<int>(k));
  }
  return springs.empty() ? all : springs;
}

// The two decided series that are farthest apart, among those that differ.
std::optional<ConvergeWitness> farthest(const ConvergeReport& report, const std::vector<int>& among) {
  std::optional<ConvergeWitness> witness;
  double distance = -1;
  for (std::size_t i = 0; i < among.size(); ++i) {
    for (std::size_t j = i + 1; j < among.size(); ++j) {
      const ConvergeSeries& a = report.series[static_cast<std::size_t>(among[i])];
      const ConvergeSeries& b = report.series[static_cast<std::size_t>(among[j])];
      if (!a.decided || !b.decided) continue;
      const Closeness c = closeness(report, a, b);
      if (c.same || c.distance <= distance) continue;
      distance = c.distance;
      witness = ConvergeWitness{among[i], among[j], c.quantity};
    }
  }
  return witness;
}

std::string said(const ConvergeReport& report, const ConvergeWitness& w) {
  const auto one = [&](int k) {
    const ConvergeSeries& s = report.series[static_cast<std::size_t>(k)];
    if (w.quantity < 0) return fmt::format("{} for {}", s.rows.back().ending.outcome, s.name);
    const LimitEstimate& e = s.limits[static_cast<std::size_t>(w.quantity)]->estimate;
    return fmt::format("{} for {}", with_error(e.limit, e.error), s.name);
  };
  if (w.quantity < 0) return fmt::format("the outcome is {} and {}", one(w.first), one(w.second));
  return fmt::format("{} tends to {} and to {}", report.quantities[static_cast<std::size_t>(w.quantity)].name,
                     one(w.first), one(w.second));
}

const ConvergeSeries* first_undecided(const ConvergeReport& report, const std::vector<int>& among) {
  for (const int k : among) {
    if (!report.series[static_cast<std::size_t>(k)].decided) return &report.series[static_cast<std::size_t>(k)];
  }
  return nullptr;
}

// All the same future, and some with another restitution.
bool differ_by_rebound(const ConvergeReport& report, const std::vector<int>& among) {
  std::set<int> futures;
  bool rebound = false;
  for (const int k : among) {
    const ConvergeSeries& s = report.series[static_cast<std::size_t>(k)];
    if (!s.decided) continue;
    futures.insert(s.future);
    rebound = rebound || s.restitution.has_value();
  }
  return rebound && futures.size() == 1 && *futures.begin() >= 0;
}

void give_verdict(ConvergeReport& report) {
  const std::vector<int> among = judged(report);
  if (!report.complete) {
    report.verdict = "undecided";
    report.verdict_reason = "the study was interrupted";
    return;
  }
  report.witness = farthest(report, among);
  const ConvergeSeries* undecided = first_undecided(report, among);
  if (report.witness && !differ_by_rebound(report, among)) {
    report.verdict = "depends on the regularisation";
    report.verdict_reason = said(report, *report.witness);
  } else if (undecided != nullptr || among.empty()) {
    report.verdict = "undecided";
    report.verdict_reason =
        undecided != nullptr ? fmt::format("{}: {}", undecided->name, undecided->undecided_reason) : "nothing was run";
  } else if (among.size() == 1) {
    report.verdict = "undecided";
    report.verdict_reason = "one series alone cannot show that all regularisations have its limit";
  } else if (report.witness) {
    report.verdict = "uniformly resolvable up to restitution";
    report.verdict_reason = fmt::format("every limit is the same rigid motion, but for how far its impacts rebound: {}",
                                        said(report, *report.witness));
  } else {
    report.verdict = "uniformly resolvable";
    report.verdict_reason = fmt::format("all {} regularisations tested have the same {}", among.size(),
                                        report.by_outcome ? "outcome (when it comes is not compared)" : "limit");
  }
}

std::string expectation(const ConvergeProblem& problem, const ConvergeReport& report) {
  if (report.futures.empty()) return report.no_futures_reason;
  if (report.futures.size() > 1)
    return fmt::format(
        "need not agree: rigid mechanics has {} futures here, and each method takes one by means of its own",
        report.futures.size());
  const RigidFuture& future = report.futures.front();
  if (future.ending.stopped != "t_end")
    return fmt::format("cannot agree at t_end: the rigid motion stops ({})", future.ending.stopped);
  const ModeTable table = mode_table(problem.scene.space, mode_options(problem.scene.laws, problem.scene.tolerance));
  if (table.verdict == "inconsistent") {
    return "must agree up to the impact: no acceleration is possible at the start, so that an impact comes by every "
           "method, but springs rebound from it by their own damping, and a time step has one direction of slip for "
           "the "
           "whole impact, so that its impulse differs where slip reverses or turns meanwhile";
  }
  if (future.strikes)
    return "must agree up to the impacts: springs rebound from them by their own damping, and a time step has one "
           "direction of slip for a whole impact, so that its impulse differs where slip reverses or turns meanwhile";
  return "must agree: the rigid motion is unique and has no impacts; order 1 in dt, 1/2 or better in 1/stiffness";
}

void compare_methods(const ConvergeProblem& problem, ConvergeReport& report) {
  report.expected = expectation(problem, report);
  if (!report.complete) {
    report.agrees_reason = "the study was interrupted";
    return;
  }
  std::vector<int> all;
  for (std::size_t k = 0; k < report.series.size(); ++k) all.push_back(static_cast<int>(k));
  if (const auto differ = farthest(report, all)) {
    report.agrees = false;
    report.agrees_reason = said(report, *differ);
    return;
  }
  if (const ConvergeSeries* undecided = first_undecided(report, all)) {
    report.agrees_reason = fmt::format("{}: {}", undecided->name, undecided->undecided_reason);
    return;
  }
  for (const ConvergeSeries& s : report.series) {
    if (report.futures.empty() || (s.future >= 0 && !s.restitution)) continue;
    report.agrees = false;
    report.agrees_reason = fmt::format("{}: {}", s.name, s.future_reason);
    return;
  }
  report.agrees = true;
  report.agrees_reason = report.futures.size() == 1 ? "all limits are the rigid motion"
                         : report.by_outcome        ? "all outcomes are the same; when they come is not compared"
                         : report.futures.empty()
                             ? "all limits are the same"
                             : fmt::format("all limits are rigid future {}", report.series.front().future);
}

}  // namespace

void decide(const ConvergeProblem& problem, ConvergeReport& report) {
  std::set<std::string> outcomes;
  for (const ConvergeSeries& s : report.series) {
    if (!s.rows.empty()) outcomes.insert(s.rows.back().ending.outcome);
  }
  report.uniform_outcome = outcomes.size() == 1;
  give_verdict(report);
  compare_methods(problem, report);
}

}  // namespace painleve::detail
