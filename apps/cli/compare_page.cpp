#include "compare_page.hpp"

#include <fmt/format.h>

#include "compare_text.hpp"
#include "painleve/reproduction/html.hpp"

namespace painleve::cli {
namespace {

HtmlCell number_cell(double x) { return {html_marked(fmt::format("{:.4g}", x + 0.0)), CellTone::number}; }
HtmlCell small_cell(double x) { return {html_marked(fmt::format("{:.1e}", x + 0.0)), CellTone::number}; }

// One line per contact: name, then normal and tangents.
HtmlCell stacked_cell(const SolvedCase& problem, const Eigen::VectorXd& v) {
  const int d = problem.given.dimension;
  std::string html;
  for (int i = 0; i < problem.given.formulation.problem.count(); ++i) {
    std::string line = fmt::format("{:.5g}", v(d * i + d - 1) + 0.0);
    for (int k = 0; k < d - 1; ++k) line += fmt::format(", {:.5g}", v(d * i + k) + 0.0);
    html += (i > 0 ? "<br>" : "") + html_marked("(" + line + ")");
  }
  return {html, CellTone::number};
}

HtmlTable solutions_table(const SolvedCase& problem, const std::string& caption) {
  HtmlTable table{
      html_escaped(caption), {"solution", "mode", "Λ (n, t) [N s]", "u after (n, t) [m/s]", "residual"}, {}};
  for (std::size_t k = 0; k < problem.set.solutions.size(); ++k) {
    const ContactSolution& s = problem.set.solutions[k];
    table.rows.push_back({{fmt::format("#{}", k)},
                          {html_escaped(s.mode)},
                          stacked_cell(problem, s.r),
                          stacked_cell(problem, s.w - problem.given.formulation.shift),
                          small_cell(s.residual)});
  }
  return table;
}

// Words that do not break; what they mean in full is a table further down.
std::string unbroken(const std::string& text) {
  return "<span style=\"white-space:nowrap\">" + html_escaped(text) + "</span>";
}

HtmlCell control_cell(const EngineRow& row) {
  if (row.control.status != AnswerStatus::answered) return {"–", CellTone::plain};
  return row.control_right() ? HtmlCell{unbroken("✓ right"), CellTone::good}
                             : HtmlCell{unbroken("✗ wrong"), CellTone::bad};
}

HtmlCell returned_cell(const CompareReport& report, const EngineRow& row) {
  const std::string words = returned_words(report.problem, row.answer);
  switch (row.answer.status) {
    case AnswerStatus::answered:
      return row.answer.solution >= 0 ? HtmlCell{unbroken("✓ " + words), CellTone::good}
                                      : HtmlCell{unbroken("✗ none of them"), CellTone::bad};
    case AnswerStatus::not_represented:
      return {"– " + html_escaped(words), CellTone::plain};
    case AnswerStatus::failed:
      break;
  }
  return {"✗ failed: " + html_escaped(words), CellTone::bad};
}

// Every answer that is not the one wanted, with how far it is from it.
HtmlTable miss_table(const CompareReport& report) {
  HtmlTable table{"Where an answer is not a solution", {"engine", "setting", "control", "returned"}, {}};
  for (const auto& row : report.rows) {
    const bool answered = row.answer.status == AnswerStatus::answered;
    if (row.answer.status == AnswerStatus::not_represented || (row.control_right() && row.answer.solution >= 0))
      continue;
    table.rows.push_back({{html_escaped(row.engine)},
                          {html_escaped(row.setting.name)},
                          {html_escaped(control_words(report, row))},
                          {html_escaped((answered ? "" : "failed: ") + returned_words(report.problem, row.answer))}});
  }
  return table;
}

std::vector<HtmlCell> row_cells(const CompareReport& report, const EngineRow& row) {
  std::vector<HtmlCell> cells = {{html_escaped(row.engine)},
                                 {fmt::format("<span style=\"white-space:nowrap\" title=\"{}\">{}</span>",
                                              html_escaped(row.setting.about), html_escaped(row.setting.name))},
                                 control_cell(row),
                                 returned_cell(report, row)};
  const EngineAnswer& a = row.answer;
  const bool answered = a.status == AnswerStatus::answered;
  for (const Eigen::VectorXd* v : {&a.Lambda, &a.u_after})
    cells.push_back(answered ? stacked_cell(report.problem, *v) : HtmlCell{});
  cells.push_back(answered ? number_cell(a.energy) : HtmlCell{});
  cells.push_back({a.iterations ? std::to_string(*a.iterations) : "", CellTone::number});
  return cells;
}

HtmlTable warning_table(const CompareReport& report) {
  HtmlTable table{"What engines and adapters warn of", {"engine", "setting", "warning"}, {}};
  for (const auto& row : report.rows) {
    for (const auto& w : row.answer.warnings)
      table.rows.push_back({{html_escaped(row.engine)}, {html_escaped(row.setting.name)}, {html_escaped(w)}});
  }
  return table;
}

HtmlTable residual_table(const CompareReport& report) {
  HtmlTable table{"How far each answer is from the laws of contact",
                  {"engine", "setting", "into the surface [m/s]", "pull [N s]", "force across a gap [J]",
                   "beyond the cone [N s]", "friction not opposed to slip [J]", "impulse without motion [m/s]",
                   "unexplained velocity [m/s]", "all laws, relative"},
                  {}};
  for (const auto& row : report.rows) {
    if (row.answer.status != AnswerStatus::answered) continue;
    const ContactResiduals& r = row.answer.residuals;
    std::vector<HtmlCell> cells = {{html_escaped(row.engine)}, {html_escaped(row.setting.name)}};
    for (const double x :
         {r.penetration, r.pull, r.complementarity, r.cone, r.dissipation, r.motion, row.answer.unexplained, r.law})
      cells.push_back(small_cell(x));
    table.rows.push_back(cells);
  }
  return table;
}

HtmlTable engine_table(const CompareReport& report) {
  HtmlTable table{"", {"engine", "version", "friction model"}, {}};
  for (const auto& e : report.engines) {
    if (e.description)
      table.rows.push_back(
          {{html_escaped(e.name)}, {html_escaped(e.description->version)}, {html_escaped(e.description->friction)}});
    else
      table.rows.push_back({{html_escaped(e.name)}, {"–"}, {html_escaped(e.failure), CellTone::warn}});
  }
  return table;
}

}  // namespace

std::string compare_page(const CompareReport& report) {
  HtmlPage page(report.scene.name + " in physics engines");
  page.paragraph(
      fmt::format("The same state, and one time step of {:g} s from it, given to each engine. An answer "
                  "counts as one of the solutions when it is within {:g} of it, relative to its impulse.",
                  report.options.dt, report.options.tolerance));
  if (report.problem.given.bodies.empty())
    page.note("In contact space only: " + html_escaped(report.problem.given.bodies_reason) + ".");
  page.heading(2, "The step and its solutions", "solutions");
  page.table(solutions_table(report.problem, "The case: " + solutions_heading(report.problem)));
  page.table(solutions_table(report.control, "The control: " + report.control.about));
  page.heading(2, "What the engines return", "answers");
  HtmlTable answers{"",
                    {"engine", "setting", "control", "returned", "Λ (n, t) [N s]", "u after (n, t) [m/s]",
                     "energy change [J]", "iterations"},
                    {}};
  for (const auto& row : report.rows) answers.rows.push_back(row_cells(report, row));
  page.table(answers);
  page.note(
      "Energy change: kinetic energy after the step, less that before, less the work of forces and of moving surfaces "
      "along the mean velocity: what the contacts took, if negative, or gave.");
  if (const HtmlTable misses = miss_table(report); !misses.rows.empty()) page.table(misses);
  if (const HtmlTable warnings = warning_table(report); !warnings.rows.empty()) page.table(warnings);
  page.table(residual_table(report));
  page.heading(2, "The engines", "engines");
  page.table(engine_table(report));
  return page.str();
}

}  // namespace painleve::cli
