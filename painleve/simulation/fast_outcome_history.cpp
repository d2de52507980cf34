#include "painleve/simulation/fast_outcome_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

// Growth per entry of the last half of a list of positive numbers, two at least: the slope of their logarithms by least
// squares, which the luck of the first and the last one does not decide.
double growth_of_last_half(const std::vector<double>& v) {
  const std::size_t from = (v.size() - 1) / 2;
  const double middle = 0.5 * static_cast<double>(from + v.size() - 1);
  double moment = 0;
  double inertia = 0;
  for (std::size_t k = from; k < v.size(); ++k) {
    const double away = static_cast<double>(k) - middle;
    moment += away * std::log(v[k]);
    inertia += away * away;
  }
  return std::exp(moment / inertia);
}

std::vector<std::vector<double>> landing_speeds(const FastHistory& h) {
  std::vector<std::vector<double>> speeds(static_cast<std::size_t>(h.contacts));
  for (const Landing& landing : h.landings) {
    if (landing.speed > 0) speeds[static_cast<std::size_t>(landing.contact)].push_back(landing.speed);
  }
  return speeds;
}

// Growth of landing speeds per landing, over the last half of them. Speeds are compared at one contact; its growth is
// shared among the landings of all. The largest counts. None where no contact has landed twice.
std::optional<double> landing_growth(const FastHistory& h) {
  const std::vector<std::vector<double>> speeds = landing_speeds(h);
  double all = 0;
  for (const std::vector<double>& v : speeds) all += static_cast<double>(v.size());
  std::optional<double> largest;
  for (const std::vector<double>& v : speeds) {
    if (v.size() < 2) continue;
    const double growth = std::pow(growth_of_last_half(v), static_cast<double>(v.size()) / all);
    largest = std::max(largest.value_or(growth), growth);
  }
  return largest;
}

// What the landings do, as far as they tell.
std::string landings_text(const FastHistory& h) {
  const std::optional<double> growth = landing_growth(h);
  if (!growth) return fmt::format("{} landings", h.landings.size());
  return fmt::format("{} landings, each {:.4g} times as fast as the one before in the last half", h.landings.size(),
                     *growth);
}

// Whether speeds that fall tend to more than half of the last one, extrapolated from the last half of them (Aitken).
bool levels_off(const std::vector<double>& v) {
  const std::size_t apart = v.size() / 4;
  if (apart == 0) return false;
  const double last = v.back();
  const double fell = v[v.size() - 1 - apart] - last;
  const double fell_before = v[v.size() - 1 - 2 * apart] - v[v.size() - 1 - apart];
  return fell_before > fell && last - fell * fell / (fell_before - fell) > 0.5 * last;
}

// Landing speeds that fall by more than 1.25 per landing, or slowly, to a quarter of the largest at every contact and
// on towards zero.
bool bounces_die_out(const FastHistory& h) {
  constexpr double same = 0.01;
  constexpr double part = 0.25;
  const double growth = landing_growth(h).value_or(1);
  if (growth >= 1 - same) return false;
  if (growth < 1 / kGrows) return true;
  const std::vector<std::vector<double>> speeds = landing_speeds(h);
  return std::all_of(speeds.begin(), speeds.end(), [](const std::vector<double>& v) {
    return v.empty() || (v.back() <= part * *std::max_element(v.begin(), v.end()) && !levels_off(v));
  });
}

std::string unsettled_landings(const FastHistory& h) {
  constexpr double same = 0.01;
  const double growth = landing_growth(h).value_or(1);
  const char* const what = bounces_die_out(h)  ? "the bounces die out"
                           : growth < 1 - same ? "they become slower, and have not settled to a period"
                           : growth > 1 + same ? "they become faster, and have not settled to a period"
                                               : "they have not settled to a period";
  return fmt::format("{}: {}", landings_text(h), what);
}

// What is known of the end of a run that ends in a word.
std::string ending(const FastHistory& h) {
  if (h.settled) return "the springs have come to rest in this mode";
  std::string text = "the springs have not come to rest by the end of the run";
  if (h.flight) text = "in flight at the end of the run";
  if (h.unstable) text = "this mode is unstable";
  if (h.resting) text = "the springs of the closed contacts have come to rest, and the others are still in flight";
  return landing_growth(h) ? fmt::format("{}; {}", text, unsettled_landings(h)) : text;
}

std::vector<Landing> landings_of_busiest(const FastHistory& h) {
  std::vector<std::vector<Landing>> by_contact(static_cast<std::size_t>(h.contacts));
  for (const Landing& landing : h.landings) by_contact[static_cast<std::size_t>(landing.contact)].push_back(landing);
  const auto busiest = std::max_element(by_contact.begin(), by_contact.end(),
                                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return busiest == by_contact.end() ? std::vector<Landing>{} : *busiest;
}

// How much the last m landings differ from each other, in speeds or in the times between them; 0 of a single one.
double spread(const std::vector<Landing>& l, std::size_t m) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double slowest = infinity, fastest = 0, shortest = infinity, longest = 0;
  for (std::size_t k = 1; k <= m; ++k) {
    const Landing& now = l[l.size() - k];
    const double time = now.t - l[l.size() - k - 1].t;
    slowest = std::min(slowest, now.speed);
    fastest = std::max(fastest, now.speed);
    shortest = std::min(shortest, time);
    longest = std::max(longest, time);
  }
  return std::max(fastest > 0 ? 1 - slowest / fastest : 0, longest > 0 ? 1 - shortest / longest : 0);
}

// Whether the last landings repeat those of `m` landings before: times between them and speeds.
bool repeats(const std::vector<Landing>& l, std::size_t m) {
  constexpr double most = 0.01;
  constexpr double of_spread = 0.05;  // a modulation that dies out changes by more
  constexpr std::size_t fewest = 4;   // that agree
  const std::size_t agree = std::max(2 * m, fewest);
  if (l.size() < agree + 2 * m) return false;
  const double same = m == 1 ? most : std::min(most, of_spread * spread(l, m));
  for (std::size_t k = 1; k <= agree; ++k) {
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
    constexpr double over = 2;  // periods without a landing
    if (h.t_end - landings.back().t > over * period) continue;
    return LimitCycle{period, amplitude(h, landings.back().t - period)};
  }
  return std::nullopt;
}

FastOutcome classify(const FastHistory& h) {
  if (!h.diverged.empty()) return {"IWC:" + h.diverged, "a contact force diverges", {}};
  if (h.parting) return {h.word, "all contacts part", {}};
  if (const std::optional<LimitCycle> cycle = limit_cycle(h)) {
    return {"limit_cycle", fmt::format("landings repeat with the period {} s; {}", cycle->period, landings_text(h)),
            cycle};
  }
  const double growth = landing_growth(h).value_or(1);
  const bool few = h.landings.size() < kFewLandings;
  if (!few && growth > kGrows) return {"inverse_chatter", landings_text(h), {}};
  const bool over = few || bounces_die_out(h) || h.settled;
  if (over || quiet(h)) return {h.word, ending(h), {}, over && quiet(h)};
  return {"limit_cycle", unsettled_landings(h), {}};
}

FastOutcome classify_motion(const FastHistory& h) {
  std::string reason = "mode at the end";
  if (!h.diverged.empty()) {
    return {"IWC:" + h.diverged, fmt::format("impact without collision; the mode at the end is {}", h.word), {}};
  }
  if (quiet(h) || h.landings.size() < kFewLandings) return {h.word, reason, {}};
  if (const std::optional<LimitCycle> cycle = limit_cycle(h)) {
    return {"limit_cycle", fmt::format("landings repeat with the period {} s", cycle->period), cycle};
  }
  if (landing_growth(h).value_or(1) > kGrows) return {"inverse_chatter", "landings become faster and faster", {}};
  return {h.word, fmt::format("{}; {}", reason, unsettled_landings(h)), {}, false};
}

}  // namespace painleve
