#include "simulate_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

constexpr std::size_t first_events = 12, last_events = 6;  // of a long list

std::string heading(const Scene& scene, const SimulateOptions& options) {
  const SimulationMethod method = chosen_method(scene, options);
  if (method == SimulationMethod::event)
    return fmt::format("{}: rigid contacts, event by event, policy {}", scene.name,
                       to_string(options.simulation.policy));
  if (method == SimulationMethod::compliant) return fmt::format("{}: contacts with springs and dampers", scene.name);
  const TimeSteppingOptions& o = options.stepping;
  const std::string theta =
      o.scheme == StepScheme::moreau_jean ? fmt::format(" with theta = {:g}", o.theta) : std::string();
  return fmt::format("{}: time steps of {:g} s, {}{}, policy {}", scene.name, o.dt, to_string(o.scheme), theta,
                     to_string(options.simulation.policy));
}

Style style_of(const std::string& stopped) {
  if (stopped == "t_end" || stopped == "merged") return Style::good;
  return stopped == "branched" || stopped == "interrupted" ? Style::warn : Style::bad;
}

// The verdict: how far it came and why no further.
std::string verdict(const Run& run) {
  static const std::map<std::string, std::string> sentences = {{"t_end", "reached the end"},
                                                               {"jam", "jammed"},
                                                               {"inconsistent", "has no continuation"},
                                                               {"branched", "has several continuations"},
                                                               {"merged", "joins another future"},
                                                               {"interrupted", "interrupted"},
                                                               {"budget", "gave up"},
                                                               {"iwc", "is struck without a collision"},
                                                               {"collapsed", "could not be followed any further"}};
  const auto found = sentences.find(run.stopped);
  const std::string sentence = found == sentences.end() ? run.stopped : found->second;
  std::string text = styled(sentence, style_of(run.stopped)) + fmt::format(" at t = {:.10g} s", run.t);
  if (!run.outcome.empty()) text += ", outcome " + styled(run.outcome, Style::strong);
  if (!run.stop_reason.empty()) text += ": " + run.stop_reason;
  if (!run.outcome_reason.empty()) text += fmt::format(" ({})", run.outcome_reason);
  return text;
}

// Rounding is no velocity.
double shown(double x) { return std::abs(x) < 1e-12 ? 0.0 : x; }

std::string velocity(const Eigen::VectorXd& u, int contact, int dimension) {
  std::string text;
  for (int k = dimension - 1; k >= 0; --k) {  // the normal first
    const int row = contact * dimension + (k == dimension - 1 ? k : dimension - 2 - k);
    text += row < u.size() ? fmt::format(" {:>12.5g}", shown(u(row))) : fmt::format(" {:>12}", "");
  }
  return text;
}

std::string event_line(const Run& run, const SimulationEvent& e) {
  const bool one = e.contact >= 0;
  const std::string name = one ? run.contacts[static_cast<std::size_t>(e.contact)] : "-";
  std::string text = fmt::format("  {:>14.9g}  {:<15}  {:<10}  {:<8}", e.t, to_string(e.kind), name, e.mode);
  if (one)
    text += velocity(e.u_before, e.contact, run.dimension) + "  " + velocity(e.u_after, e.contact, run.dimension);
  if (!e.note.empty()) text += "  " + e.note;
  return text + "\n";
}

std::string events_text(const Run& run) {
  if (run.events.empty()) return "no events\n";
  const int width = 13 * run.dimension;
  std::string text = styled(fmt::format("  {:>14}  {:<15}  {:<10}  {:<8}{:>{}}  {:>{}}\n", "t [s]", "event", "contact",
                                        "mode", "u_n, u_t before [m/s]", width, "after", width),
                            Style::faint);
  const std::size_t count = run.events.size();
  const bool cut = count > first_events + last_events + 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (cut && k == first_events) {
      text += fmt::format("  … {} events are left out here (-o run.csv writes them all)\n",
                          count - first_events - last_events);
      k = count - last_events;
    }
    text += event_line(run, run.events[k]);
  }
  return text;
}

std::string energy_text(const EnergyLedger& e) {
  std::string text = fmt::format(
      "energy [J]: {:.8g} at the start, {:.8g} at the end; friction took {:.6g}, impacts {:.6g}, "
      "applied forces put in {:.6g}",
      e.initial + 0.0, e.final + 0.0, e.friction + 0.0, e.impact + 0.0, e.applied + 0.0);
  if (e.stored != 0) text += fmt::format("; {:.6g} is in the springs of the contacts", e.stored);
  return text + fmt::format("; {:.1e} is not accounted for\n", e.defect());
}

std::string impulse_text(const Run& run) {
  std::string text;
  for (std::size_t i = 0; i < run.contacts.size(); ++i) {
    const int row = static_cast<int>(i) * run.dimension;
    if (row + run.dimension > run.impulse.size()) break;
    text += fmt::format("{}{}: n {:.6g}", i == 0 ? "impulses [N s]: " : ", ", run.contacts[i],
                        run.impulse(row + run.dimension - 1) + 0.0);
    for (int k = 0; k + 1 < run.dimension; ++k)
      text += fmt::format("{} {:.6g}", k == 0 ? " t" : ",", run.impulse(row + k) + 0.0);
  }
  return text.empty() ? text : text + "\n";
}

std::string special_text(const Run& run) {
  std::string text;
  if (run.jam) {
    text += fmt::format("approach to p = 0 at t = {:.10g} s", run.jam->t_star);
    if (run.jam->exponent) text += fmt::format(", normal force like (t* - t)^{:.4g}", *run.jam->exponent);
    if (run.jam->predicted) text += fmt::format(" (predicted {:.4g})", *run.jam->predicted);
    if (run.jam->force_limit) text += fmt::format(", force limit {:.6g} N", *run.jam->force_limit);
    text += "\n";
  }
  if (run.nearest_jam && run.nearest_jam->ratio > 0)
    text += fmt::format("nearest to jamming: {} at t = {:.10g} s, mu is {:.4g} times mu_jam\n",
                        run.contacts[static_cast<std::size_t>(run.nearest_jam->contact)], run.nearest_jam->t,
                        run.nearest_jam->ratio);
  if (run.cycle) text += fmt::format("limit cycle of period {:.6g} s\n", run.cycle->period);
  return text;
}

std::string futures_text(const Run& run, const std::string& indent, const std::string& label) {
  std::string text;
  for (std::size_t k = 0; k < run.futures.size(); ++k) {
    const Run& future = run.futures[k];
    const std::string name = fmt::format("{}{}{}", label, label.empty() ? "" : ".", k);
    text += fmt::format("{}future {}: {}\n", indent, styled(name, Style::strong), future.why);
    text += fmt::format("{}  {}; {} events, friction took {:.6g} J, impacts {:.6g} J\n", indent, verdict(future),
                        future.events.size(), future.energy.friction + 0.0, future.energy.impact + 0.0);
    text += futures_text(future, indent + "  ", name);
  }
  return text;
}

}  // namespace

std::string simulate_text(const Scene& scene, const SimulateOptions& options, const Run& run) {
  std::string text = heading(scene, options) + "\n" + verdict(run) + "\n\n";
  text += events_text(run) + "\n" + energy_text(run.energy) + impulse_text(run) + special_text(run);
  if (!run.futures.empty()) text += "\n" + futures_text(run, "", "");
  return text;
}

}  // namespace painleve::cli
