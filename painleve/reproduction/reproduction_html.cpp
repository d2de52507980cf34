// The page: a summary, then per item what was printed beside what is computed, the features of its figures, the
// figures.
#include <fmt/format.h>

#include <cmath>

#include "painleve/reproduction/html.hpp"
#include "painleve/reproduction/reproduce.hpp"

namespace painleve {
namespace {

std::string anchor(const PublishedItem& item) { return item.paper + "-" + item.name; }

HtmlCell count(int number) { return {fmt::format("{}", number), CellTone::number}; }

HtmlCell status(const ReproducedItem& done) {
  if (!done.failure.empty()) return {"✗ failed", CellTone::bad};
  const Tally t = tally(done.result);
  if (t.unexplained > 0) return {"✗ differs", CellTone::bad};
  if (t.holding < t.features) return {"✗ a feature is missing", CellTone::bad};
  if (t.errata > 0) return {"△ explained by errata", CellTone::warn};
  return {"✓ reproduced", CellTone::good};
}

HtmlTable summary(const ReproduceReport& report) {
  HtmlTable table{"", {"item", "compared", "matched", "errata", "features", "figures", "status"}, {}};
  for (const auto& done : report.items) {
    const Tally t = tally(done.result);
    const std::string link =
        fmt::format("<a href=\"#{}\">{}</a>", html_escaped(anchor(*done.item)), html_escaped(full_name(*done.item)));
    table.rows.push_back({{link},
                          count(t.compared),
                          count(t.matched),
                          count(t.errata),
                          {fmt::format("{} of {}", t.holding, t.features), CellTone::number},
                          count(t.figures),
                          status(done)});
  }
  return table;
}

// Few digits: the last ones of a difference depend on the machine.
std::string shown_difference(const Comparison& c) {
  if (!c.difference) return "";
  if (std::abs(*c.difference) < 1e-9) return "&lt; 1e-9";
  return fmt::format("{:+.0e}", *c.difference);
}

HtmlCell verdict(const Comparison& c) {
  if (c.match) return {"✓ matches", CellTone::good};
  if (!c.erratum.empty()) return {"△ erratum " + html_escaped(c.erratum), CellTone::warn};
  return {"✗ differs", CellTone::bad};
}

HtmlTable comparison_table(const std::vector<Comparison>& comparisons) {
  HtmlTable table{"Printed and computed", {"what", "printed", "computed", "difference", "match", "note"}, {}};
  for (const auto& c : comparisons) {
    const CellTone tone = c.difference ? CellTone::number : CellTone::plain;
    table.rows.push_back({{html_marked(c.what)},
                          {html_marked(c.printed.empty() ? "–" : c.printed), tone},
                          {html_marked(c.computed), tone},
                          {shown_difference(c), CellTone::number},
                          verdict(c),
                          {html_marked(c.note)}});
  }
  return table;
}

HtmlTable feature_table(const std::vector<Feature>& features) {
  HtmlTable table{"Features of the figures, by another route", {"feature", "route", "measured", "holds"}, {}};
  for (const auto& f : features) {
    table.rows.push_back({{html_marked(f.statement)},
                          {html_marked(f.route)},
                          {html_marked(f.measured)},
                          f.holds ? HtmlCell{"✓ holds", CellTone::good} : HtmlCell{"✗ fails", CellTone::bad}});
  }
  return table;
}

void add_item(HtmlPage& page, const ReproducedItem& done) {
  const PublishedItem& item = *done.item;
  page.heading(3, full_name(item) + ": " + item.title, anchor(item));
  if (!item.scenarios.empty()) {
    page.note("Scenarios: " + html_escaped(fmt::format("{}", fmt::join(item.scenarios, ", "))));
  }
  if (!done.failure.empty()) page.paragraph("<strong>✗ failed:</strong> " + html_escaped(done.failure));
  for (const auto& figure : done.result.figures) {
    page.picture(to_svg(draw(figure), plain_marked(figure.title), plain_marked(figure.caption)));
  }
  if (!done.result.comparisons.empty()) page.table(comparison_table(done.result.comparisons));
  if (!done.result.features.empty()) page.table(feature_table(done.result.features));
  if (!done.result.remark.empty()) page.note(html_marked(done.result.remark));
}

std::string lead(const ReproduceReport& report) {
  Tally all;
  for (const auto& done : report.items) {
    const Tally t = tally(done.result);
    all.compared += t.compared;
    all.matched += t.matched;
    all.errata += t.errata;
    all.features += t.features;
    all.holding += t.holding;
    all.figures += t.figures;
  }
  return fmt::format(
      "{} printed statements and numbers beside what is computed here: {} match to the printed digits, {} do not for a "
      "known reason that the list of errata proves. {} of {} features of {} figures hold.{}",
      all.compared, all.matched, all.errata, all.holding, all.features, all.figures,
      report.complete ? "" : " <strong>Interrupted: not all items are here.</strong>");
}

}  // namespace

std::string reproduction_page(const ReproduceReport& report) {
  HtmlPage page("Published results, computed again");
  page.paragraph(lead(report));
  page.table(summary(report));
  std::string paper_of_last;
  for (const auto& done : report.items) {
    if (done.item->paper != paper_of_last) {
      paper_of_last = done.item->paper;
      page.heading(2, paper_of_last, "paper-" + paper_of_last);
      for (const auto& known : papers()) {
        if (known.name == paper_of_last) page.paragraph(html_escaped(known.citation));
      }
    }
    add_item(page, done);
  }
  return page.str();
}

}  // namespace painleve
