#include "painleve/simulation/fast_outcome_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace painleve {
namespace {

constexpr double kQuietPart = 0.35;  // of the time since the first change
constexpr std::size_t kFewLandings = 4;
constexpr double kGrows = 1.25;  // landing speed from one landing to the next

bool quiet(const FastHistory& h) {
  if (h.changes.empty()) return true;
  const double since = h.t_end - h.changes.front();
  return h.t_end - h.changes.back() >= kQuietPart * since;
}

// Geometric mean of the ratio of successive landing speeds, over the last half of the landings.
double landing_growth(const FastHistory& h) {
  std::vector<double> speeds;
  for (const Landing& landing : h.landings) {
    if (landing.speed > 0) speeds.push_back(landing.speed);
  }
  if (speeds.size() < 2) return 1;
  const std::size_t from = speeds.size() / 2 < speeds.size() - 1 ? speeds.size() / 2 : 0;
  return std::pow(speeds.back() / speeds[from], 1.0 / static_cast<double>(speeds.size() - 1 - from));
}

std::vector<Landing> landings_of_busiest(const FastHistory& h) {
  std::vector<std::vector<Landing>> by_contact(static_cast<std::size_t>(h.contacts));
  for (const Landing& landing : h.landings) by_contact[static_cast<std::size_t>(landing.contact)].push_back(landing);
  const auto busiest = std::max_element(by_contact.begin(), by_contact.end(),
                                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return busiest == by_contact.end() ? std::vector<Landing>{} : *busiest;
}

// Whether the last landings repeat those of `m` landings before: times between them and speeds.
bool repeats(const std::vector<Landing>& l, std::size_t m) {
  constexpr double same = 0.01;
  if (l.size() < 3 * m + 1) return false;
  for (std::size_t k = 1; k <= m; ++k) {
    const Landing& now = l[l.size() - k];
    const Landing& then = l[l.size() - k - m];
    const Landing& before = l[l.size() - k - 2 * m];
    const double period = now.t - then.t;
    if (std::abs(period - (then.t - before.t)) > same * period) return false;
    if (std::abs(now.speed - then.speed) > same * now.speed) return false;
  }
  return true;
}

Eigen::VectorXd amplitude(const FastHistory& h, double from) {
  Eigen::VectorXd low = Eigen::VectorXd::Constant(h.contacts, std::numeric_limits<double>::infinity());
  Eigen::VectorXd high = -low;
  for (const GapTurn& turn : h.turns) {
    if (turn.t < from) continue;
    low(turn.contact) = std::min(low(turn.contact), turn.gap);
    high(turn.contact) = std::max(high(turn.contact), turn.gap);
  }
  return (0.5 * (high - low)).cwiseMax(0);
}

}  // namespace

std::optional<LimitCycle> limit_cycle(const FastHistory& h) {
  const std::vector<Landing> landings = landings_of_busiest(h);
  constexpr std::size_t longest = 8;
  for (std::size_t m = 1; m <= longest; ++m) {
    if (!repeats(landings, m)) continue;
    const double period = landings.back().t - landings[landings.size() - 1 - m].t;
    return LimitCycle{period, amplitude(h, landings.back().t - period)};
  }
  return std::nullopt;
}

FastOutcome classify(const FastHistory& h) {
  if (!h.diverged.empty()) return {"IWC:" + h.diverged, "a contact force diverges", {}};
  if (h.parting) return {h.word, "all contacts part", {}};
  if (quiet(h) && h.landings.size() < kFewLandings) return {h.word, "the contacts have come to rest in this mode", {}};
  const double growth = landing_growth(h);
  const std::string reason = fmt::format("{} landings, each {:.4g} times as fast as the one before in the last half",
                                         h.landings.size(), growth);
  if (growth > kGrows) return {"inverse_chatter", reason, {}};
  if (quiet(h) && growth < 1 / kGrows) return {h.word, "the contacts have come to rest in this mode; " + reason, {}};
  return {"limit_cycle", reason, limit_cycle(h)};
}

FastOutcome classify_motion(const FastHistory& h) {
  std::string reason = "mode at the end";
  if (!h.diverged.empty()) {
    return {"IWC:" + h.diverged, fmt::format("impact without collision; the mode at the end is {}", h.word), {}};
  }
  if (quiet(h) || h.landings.size() < kFewLandings) return {h.word, reason, {}};
  if (landing_growth(h) > kGrows) return {"inverse_chatter", "landings become faster and faster", {}};
  if (const std::optional<LimitCycle> cycle = limit_cycle(h)) {
    return {"limit_cycle", fmt::format("landings repeat with the period {} s", cycle->period), cycle};
  }
  return {h.word, reason, {}};
}

}  // namespace painleve
