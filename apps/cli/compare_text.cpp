#include "compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

double clean(double x) { return x + 0.0; }  // no "-0"

// Normal first, as everywhere in print.
std::string components(const Eigen::VectorXd& v, int i, int dimension) {
  std::string text = fmt::format("{:>12.6g}", clean(v(dimension * i + dimension - 1)));
  for (int k = 0; k < dimension - 1; ++k) text += fmt::format(" {:>12.6g}", clean(v(dimension * i + k)));
  return text;
}

std::string column_titles(int dimension) {
  const std::string more = dimension == 3 ? fmt::format(" {:>12}", "") : "";
  return fmt::format("{:>12} {:>12}{}   {:>12} {:>12}{}", "Lambda_n", "Lambda_t", more, "u_n", "u_t", more);
}

std::string values(const SolvedCase& problem, const Eigen::VectorXd& Lambda, const Eigen::VectorXd& u, int i) {
  return components(Lambda, i, problem.given.dimension) + "   " + components(u, i, problem.given.dimension);
}

std::string solutions_text(const SolvedCase& problem) {
  std::string text;
  const Formulation& f = problem.given.formulation;
  for (std::size_t k = 0; k < problem.set.solutions.size(); ++k) {
    const ContactSolution& s = problem.set.solutions[k];
    const std::string name = fmt::format("#{} {}", k, s.mode);
    for (int i = 0; i < f.problem.count(); ++i)
      text += fmt::format("  {:<12} {:<24} {}\n", i == 0 ? name : "", contact_name(f.problem, i),
                          values(problem, s.r, s.w - f.shift, i));
  }
  return text;
}

std::string short_returned(const SolvedCase& problem, const EngineAnswer& answer) {
  switch (answer.status) {
    case AnswerStatus::answered:
      break;
    case AnswerStatus::not_represented:
      return styled(fmt::format("{:<12}", "not taken"), Style::faint);
    case AnswerStatus::failed:
      return styled(fmt::format("{:<12}", "failed"), Style::bad);
  }
  if (answer.solution < 0) return styled(fmt::format("{:<12}", "none of them"), Style::bad);
  const auto& mode = problem.set.solutions[static_cast<std::size_t>(answer.solution)].mode;
  return styled(fmt::format("{:<12}", fmt::format("#{} {}", answer.solution, mode)), Style::good);
}

std::string short_control(const EngineRow& row) {
  if (row.control.status != AnswerStatus::answered) return fmt::format("{:<8}", "-");
  return row.control_right() ? styled(fmt::format("{:<8}", "right"), Style::good)
                             : styled(fmt::format("{:<8}", "wrong"), Style::bad);
}

std::string row_text(const CompareReport& report, const EngineRow& row) {
  const EngineAnswer& a = row.answer;
  std::string text = fmt::format("  {:<10} {:<18} {} {}", row.engine, row.setting.name, short_control(row),
                                 short_returned(report.problem, a));
  if (a.status != AnswerStatus::answered) return text + " " + a.reason + "\n";
  const int count = report.problem.given.formulation.problem.count();
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += fmt::format("\n{:53}", "");
    text += " " + values(report.problem, a.Lambda, a.u_after, i);
    if (i == 0) text += fmt::format("   {:>10.3g}  {:>8.1e}", clean(a.energy), a.residuals.law);
  }
  return text + "\n";
}

std::string notes_text(const CompareReport& report) {
  std::string text;
  for (const auto& row : report.rows) {
    const std::string name = fmt::format("  {} {}: ", row.engine, row.setting.name);
    if (!row.control_right() && row.answer.status != AnswerStatus::not_represented)
      text += name + "control " + control_words(report, row) + "\n";
    if (row.answer.status == AnswerStatus::answered && row.answer.solution < 0)
      text += name + returned_words(report.problem, row.answer) + "\n";
    for (const auto& warning : row.answer.warnings) text += name + warning + "\n";
  }
  return text.empty() ? "" : "\nNotes\n" + text;
}

std::string engines_text(const CompareReport& report) {
  std::string text = "\nEngines\n";
  for (const auto& e : report.engines) {
    if (e.description)
      text += fmt::format("  {:<10} {}: {}\n", e.name, e.description->version, e.description->friction);
    else
      text += fmt::format("  {:<10} {}\n", e.name, styled(e.failure, e.asked ? Style::bad : Style::faint));
  }
  return text;
}

}  // namespace

std::string solutions_heading(const SolvedCase& problem) {
  const auto n = problem.set.solutions.size();
  const std::string all = problem.set.complete ? "" : " found; there may be more: " + problem.set.incomplete_reason;
  return fmt::format("{} solution{}{}", n == 0 ? "no" : std::to_string(n), n == 1 ? "" : "s", all);
}

std::string control_words(const CompareReport& report, const EngineRow& row) {
  if (row.control.status != AnswerStatus::answered) return row.control.reason;
  if (row.control_right()) return "right";
  const int d = report.control.given.dimension;
  const Eigen::VectorXd& right = report.control.set.solutions[0].r;
  Eigen::Index worst = 0;  // the contact that is furthest off
  for (Eigen::Index i = 0; i + d <= right.size(); i += d) {
    const auto off = [&](Eigen::Index k) { return (row.control.Lambda - right).segment(k, d).norm(); };
    if (off(i) > off(worst)) worst = i;
  }
  const auto shown = [d, worst](const Eigen::VectorXd& v) {
    std::string text = fmt::format("({:.4g}", clean(v(worst + d - 1)));
    for (int k = 0; k < d - 1; ++k) text += fmt::format(", {:.4g}", clean(v(worst + k)));
    return text + ")";
  };
  const auto contact = static_cast<std::size_t>(worst / d);
  const std::string at = right.size() > d ? " at " + report.control.given.formulation.problem.names[contact] : "";
  return fmt::format("wrong: Lambda (n, t){} {} instead of {}, {:.1e} away", at, shown(row.control.Lambda),
                     shown(right), row.control.distance);
}

std::string returned_words(const SolvedCase& problem, const EngineAnswer& answer) {
  if (answer.status != AnswerStatus::answered) return answer.reason;
  const auto name = [&](int k) {
    return fmt::format("#{} {}", k, problem.set.solutions[static_cast<std::size_t>(k)].mode);
  };
  if (answer.solution >= 0) return name(answer.solution);
  if (answer.nearest < 0) return "none of them: there is none";
  return fmt::format("none of them; the nearest, {}, is {:.1e} away", name(answer.nearest), answer.distance);
}

std::string compare_text(const CompareReport& report) {
  const int dimension = report.problem.given.dimension;
  std::string text = fmt::format("{}: one time step of {:g} s, given to engines\n\n",
                                 styled(report.scene.name, Style::strong), report.options.dt);
  if (report.problem.given.bodies.empty())
    text += fmt::format("In contact space only: {}\n\n", report.problem.given.bodies_reason);
  text += fmt::format("{:<39} {}\n", "The case: " + solutions_heading(report.problem), column_titles(dimension));
  text += solutions_text(report.problem);
  text += fmt::format("The control: {}\n", report.control.about) + solutions_text(report.control);
  if (!report.rows.empty()) {
    text += fmt::format("\n  {:<10} {:<18} {:<8} {:<12} {}   {:>10}  {:>8}\n", "engine", "setting", "control",
                        "returned", column_titles(dimension), "energy [J]", "law");
    for (const auto& row : report.rows) text += row_text(report, row);
  }
  text += notes_text(report) + engines_text(report);
  return text;
}

}  // namespace painleve::cli
