#include "painleve/figure/detail/event_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace painleve::detail {
namespace {

// Kinds in the order in which they first occur, with their numbers.
std::string summary(const std::vector<SimulationEvent>& events, std::size_t from, std::size_t to) {
  std::vector<std::pair<EventKind, int>> counts;
  for (std::size_t i = from; i < to; ++i) {
    const auto same = [&](const auto& count) { return count.first == events[i].kind; };
    const auto found = std::find_if(counts.begin(), counts.end(), same);
    if (found == counts.end()) {
      counts.emplace_back(events[i].kind, 1);
    } else {
      ++found->second;
    }
  }
  std::string text;
  for (const auto& [kind, count] : counts) {
    text += (text.empty() ? "" : ", ") + event_name(kind);
    if (count > 1) text += fmt::format(" ×{}", count);
  }
  constexpr std::ptrdiff_t longest = 22;  // letters: some 80 points, the height of a panel
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  if (letters <= longest || counts.size() == 1) return text;
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto& [kind, count] = *std::max_element(counts.begin(), counts.end(), fewer);
  const std::string times = count > 1 ? fmt::format(" ×{}", count) : "";
  return fmt::format("{}{}, {} more", event_name(kind), times, static_cast<int>(to - from) - count);
}

bool touches(const Run& run, int contact) {
  const auto of_contact = [&](const SimulationEvent& event) { return event.contact == contact; };
  if (std::any_of(run.events.begin(), run.events.end(), of_contact)) return true;
  const auto carries = [&](const Sample& sample) {
    const Eigen::Index normal = run.dimension * contact + run.dimension - 1;
    return (sample.lambda.size() > normal && sample.lambda(normal) != 0) ||
           (sample.gap.size() > contact && std::abs(sample.gap(contact)) <= Tolerance{}.gap);
  };
  return std::any_of(run.samples.begin(), run.samples.end(), carries);
}

}  // namespace

EventMark event_mark(EventKind kind) {
  switch (kind) {
    case EventKind::stick:
      return {Glyph::square, series_colour(0)};
    case EventKind::slip:
      return {Glyph::ring, series_colour(2)};
    case EventKind::liftoff:
      return {Glyph::triangle, series_colour(3)};
    case EventKind::landing:
      return {Glyph::ring, series_colour(5), 7};
    case EventKind::impact:
      return {Glyph::cross, series_colour(6)};
    case EventKind::iwc:
      return {Glyph::diamond, series_colour(7)};
    case EventKind::jam:
      return {Glyph::plus, series_colour(6)};
    case EventKind::chatter:
      return {Glyph::disc, series_colour(1)};
    case EventKind::reverse_chatter:
      return {Glyph::diamond, series_colour(1)};
    case EventKind::mode:
      return {Glyph::plus, Colour{120, 120, 120}};
  }
  return {};
}

std::string event_name(EventKind kind) {
  if (kind == EventKind::iwc) return "impact w/o collision";
  if (kind == EventKind::reverse_chatter) return "reverse chatter";
  if (kind == EventKind::mode) return "mode";
  return to_string(kind);
}

std::vector<EventGroup> event_groups(const std::vector<SimulationEvent>& events, double nearest, int most) {
  if (events.empty()) return {};
  // Pauses between events; the longest `most − 1` of those that are long enough part the groups.
  std::vector<double> pauses;
  for (std::size_t i = 1; i < events.size(); ++i) pauses.push_back(events[i].t - events[i - 1].t);
  std::vector<double> longest = pauses;
  std::sort(longest.rbegin(), longest.rend());
  const auto allowed = static_cast<std::size_t>(most - 1);
  // Where the next longest is as long, none of that length parts: which ones did would be chance.
  const double limit = longest.size() > allowed ? std::max(nearest, longest[allowed] * (1 + 1e-9)) : nearest;
  std::vector<EventGroup> groups;
  std::size_t start = 0;
  for (std::size_t i = 1; i <= events.size(); ++i) {
    if (i < events.size() && pauses[i - 1] <= limit) continue;
    groups.push_back({events[start].t, events[i - 1].t, static_cast<int>(i - start), summary(events, start, i)});
    start = i;
  }
  return groups;
}

std::vector<int> touching_contacts(const Run& run, int most) {
  const int count = static_cast<int>(run.contacts.size());
  std::vector<int> found;
  for (int i = 0; i < count && static_cast<int>(found.size()) < most; ++i) {
    if (touches(run, i)) found.push_back(i);
  }
  if (!found.empty()) return found;
  for (int i = 0; i < std::min(count, most); ++i) found.push_back(i);
  return found;
}

ShownUnit length_unit(double largest) {
  if (largest >= 0.02) return {"m", 1};
  return largest >= 2e-5 ? ShownUnit{"mm", 1e3} : ShownUnit{"µm", 1e6};
}

ShownUnit time_unit(double span) { return span >= 0.2 ? ShownUnit{"s", 1} : ShownUnit{"ms", 1e3}; }

}  // namespace painleve::detail
