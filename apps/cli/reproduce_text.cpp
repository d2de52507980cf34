#include "reproduce_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "painleve/reproduction/html.hpp"
#include "terminal.hpp"

namespace painleve::cli {
namespace {

std::size_t longest_name(const ReproduceReport& report) {
  std::size_t longest = 4;
  for (const auto& done : report.items) longest = std::max(longest, full_name(*done.item).size());
  return longest;
}

std::string state_of(const ReproducedItem& done) {
  if (!done.failure.empty()) return styled("failed", Style::bad);
  if (!explained(done.result)) return styled("differs", Style::bad);
  return tally(done.result).errata > 0 ? styled("explained", Style::warn) : styled("reproduced", Style::good);
}

std::string line(const ReproducedItem& done, std::size_t width) {
  const Tally t = tally(done.result);
  return fmt::format("{:<{}}  {:>8}  {:>7}  {:>6}  {:>8}  {:>7}  {}\n", full_name(*done.item), width, t.compared,
                     t.matched, t.errata, fmt::format("{}/{}", t.holding, t.features), t.figures, state_of(done));
}

std::string comparison_text(const Comparison& c) {
  std::string text = fmt::format("  {}: {} printed, {} computed", plain_marked(c.what),
                                 c.printed.empty() ? "nothing" : plain_marked(c.printed), plain_marked(c.computed));
  if (c.match) {
    text += styled("  matches", Style::good);
  } else if (!c.erratum.empty()) {
    text += styled("  erratum " + c.erratum, Style::warn);
  } else {
    text += styled("  differs", Style::bad);
  }
  return text + (c.note.empty() ? "" : styled(" (" + plain_marked(c.note) + ")", Style::faint)) + "\n";
}

std::string feature_text(const Feature& f) {
  return fmt::format("  {}: {}{}\n", plain_marked(f.statement),
                     f.holds ? styled("holds", Style::good) : styled("fails", Style::bad),
                     f.measured.empty() ? "" : styled(" (" + plain_marked(f.measured) + ")", Style::faint));
}

// Of one item: everything, or only what nothing explains.
std::string details(const ReproducedItem& done, bool everything) {
  std::string text;
  for (const auto& c : done.result.comparisons) {
    if (everything || (!c.match && c.erratum.empty())) text += comparison_text(c);
  }
  for (const auto& f : done.result.features) {
    if (everything || !f.holds) text += feature_text(f);
  }
  if (!done.failure.empty()) text += fmt::format("  {}\n", done.failure);
  if (everything && !done.result.remark.empty()) text += fmt::format("  {}\n", plain_marked(done.result.remark));
  return text.empty() || everything ? text : styled(full_name(*done.item), Style::strong) + "\n" + text;
}

}  // namespace

std::string items_text(const std::vector<const PublishedItem*>& items) {
  std::string text, last;
  for (const PublishedItem* item : items) {
    if (item->paper != last) {
      last = item->paper;
      const auto known = std::find_if(papers().begin(), papers().end(), [&](const Paper& p) { return p.name == last; });
      text += fmt::format("{}  {}\n", styled(last, Style::strong), known == papers().end() ? "" : known->citation);
    }
    text += fmt::format("  {:<14} {}\n", item->name, plain_marked(item->title));
  }
  return text;
}

std::string reproduce_text(const ReproduceReport& report) {
  const std::size_t width = longest_name(report);
  std::string text = fmt::format("{:<{}}  {:>8}  {:>7}  {:>6}  {:>8}  {:>7}  {}\n", "item", width, "compared",
                                 "matched", "errata", "features", "figures", "");
  while (text.size() > 1 && text[text.size() - 2] == ' ') text.erase(text.size() - 2, 1);
  for (const auto& done : report.items) text += line(done, width);
  for (const auto& done : report.items) text += details(done, report.items.size() == 1);
  if (!report.complete) text += styled("interrupted: the other items were not computed", Style::warn) + "\n";
  return text;
}

}  // namespace painleve::cli
