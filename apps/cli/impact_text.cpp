#include "impact_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

std::string components(const Eigen::VectorXd& v, int i, int dimension) {
  const auto clean = [](double x) { return x + 0.0; };
  if (dimension == 2) return fmt::format("{:>14.8g} {:>14.8g}", clean(v(2 * i + 1)), clean(v(2 * i)));
  return fmt::format("{:>14.8g} {:>14.8g} {:>14.8g}", clean(v(3 * i + 2)), clean(v(3 * i)), clean(v(3 * i + 1)));
}

// The contacts whose laws may act: that can strike, and the one that begins.
std::vector<int> law_contacts(const ImpactRun& run) {
  std::vector<int> list;
  const ContactSpace& space = run.scene.space;
  for (int i = 0; i < space.count(); ++i) {
    const bool closed =
        !space.bilateral[static_cast<std::size_t>(i)] && touch(space, i, run.scene.tolerance) != Touch::open;
    if (closed || i == run.contact) list.push_back(i);
  }
  return list;
}

std::string law_text(const ImpactRun& run, int contact) {
  const BounceLaw& law = run.impact.laws[static_cast<std::size_t>(contact)];
  const RestitutionLaw used = law_used(run, contact);
  const std::string other =
      used == law.law ? "" : fmt::format(" (the only law of this model, instead of {})", to_string(law.law));
  return fmt::format("{} law, restitution {:g}{}", to_string(used), law.restitution, other);
}

std::string heading(const ImpactRun& run) {
  if (run.contact < 0) return "impact";
  std::vector<std::string> texts;
  bool alike = true;
  for (const int i : law_contacts(run)) {
    const std::string text = law_text(run, i);
    alike = alike && text == law_text(run, run.contact);
    texts.push_back(run.scene.space.names[static_cast<std::size_t>(i)] + " " + text);
  }
  return alike ? law_text(run, run.contact) : fmt::format("{}", fmt::join(texts, "; "));
}

std::string table(const ImpactRun& run, const char* title, const char* unit, const Eigen::VectorXd& v,
                  const char* letter) {
  const int dimension = run.scene.space.dimension;
  std::string text = fmt::format("  {:<10} {:>14} {:>{}}\n", title, fmt::format("{}_n [{}]", letter, unit),
                                 fmt::format("{}_t [{}]", letter, unit), dimension == 2 ? 14 : 29);
  for (int i = 0; i < run.scene.space.count(); ++i) {
    text +=
        fmt::format("  {:<10} {}\n", run.scene.space.names[static_cast<std::size_t>(i)], components(v, i, dimension));
  }
  return text;
}

std::string how(const ImpactRun& run) {
  const ImpactReport& r = run.report;
  std::string text =
      r.without_collision ? styled("impact without collision", Style::bad) : styled("impact", Style::strong);
  const char* kind = r.alternatives.empty() ? "of them" : "rounds";
  if (r.impacts > 1)
    text += fmt::format(", {} {}{}", r.impacts, kind, r.summed ? ", the rest as a geometric series" : "");
  if (!r.region.empty()) text += fmt::format(", region{} {}", r.impacts > 1 ? "s" : "", r.region);
  text += "\n" + r.method + "\n";
  if (r.candidates.size() > 1) {
    text += styled("several contacts could begin", Style::warn) + ": ";
    std::string names;
    for (const int i : r.candidates)
      names += (names.empty() ? "" : ", ") + run.scene.space.names[static_cast<std::size_t>(i)];
    text += names + " (--without-collision chooses)\n";
  }
  if (r.alternatives.size() > 1)
    text += styled(fmt::format("{} solutions", r.alternatives.size()), Style::warn) +
            ", shown is the one that loses most energy\n";
  if (!r.ended) text += styled(r.reason, Style::bad) + "\n";
  return text;
}

std::string energy_text(const ImpactRun& run) {
  const ImpactReport& r = run.report;
  const Style style = r.energy_change > 1e-12 * run.energy_before.value_or(0) ? Style::bad : Style::plain;
  const std::string change = styled(fmt::format("{:+.6g} J", r.energy_change), style);
  std::string text = run.energy_before ? fmt::format("energy {:.8g} J -> {:.8g} J ({})\n", *run.energy_before,
                                                     *run.energy_after, change)
                                       : fmt::format("energy {} ({})\n", change, run.energy_reason);
  if (r.restitution_observed) text += fmt::format("observed restitution {:.8g}\n", *r.restitution_observed);
  if (r.error) text += fmt::format("velocities changed by {:.1e} m/s at most with other time steps\n", *r.error);
  return text;
}

std::string bounce_text(const ImpactRun& run) {
  if (!run.bounce) return {};
  const BounceCycle& b = *run.bounce;
  const char* kind = b.e > 1   ? "reverse chatter: bounces grow out of rest"
                     : b.e < 1 ? "chatter: bounces die out"
                               : "bounces neither grow nor die out";
  const std::string ratio = b.alpha ? fmt::format("landing ratio u_t/(-u_n) = {:.8g}", *b.alpha) : b.alpha_reason;
  return fmt::format("bounces with the present b: e = {}, {} ({})\n",
                     styled(fmt::format("{:.8g}", b.e), b.e > 1 ? Style::bad : Style::plain), kind, ratio);
}

}  // namespace

std::string impact_text(const ImpactRun& run) {
  const ImpactReport& r = run.report;
  std::string text = fmt::format("{}: {}\n", styled(run.scene.name, Style::strong), heading(run));
  if (!r.happened) {
    text += styled("no impact", Style::good) + ": " + r.reason + "\n";
    return text + bounce_text(run);
  }
  text += how(run) + "\n";
  text += table(run, "before", "m/s", r.u_before, "u") + table(run, "after", "m/s", r.u_after, "u");
  text += table(run, "impulse", "N s", r.Lambda, "Lambda");
  text += fmt::format("\nphases: {}\n", fmt::join(r.phases, ", "));
  return text + energy_text(run) + bounce_text(run);
}

}  // namespace painleve::cli
