#include "solve_text.hpp"

#include <fmt/format.h>

#include "terminal.hpp"

namespace painleve::cli {
namespace {

std::string heading(const SolveReport& report) {
  const auto& o = report.options;
  switch (o.formulation) {
    case FormulationKind::acceleration:
      return "forces and accelerations of the closed contacts";
    case FormulationKind::impulse:
      return "impulses and velocities after them, of the closed contacts";
    case FormulationKind::step:
      break;
  }
  const bool gaps = o.step.form == StepForm::stewart_trinkle;
  return fmt::format("impulses and velocities of a time step of {:g} s{}{}", o.step.dt,
                     gaps ? ", gaps included" : ", closed contacts only", o.step.with_drift ? ", with drift" : "");
}

std::string components(const Eigen::VectorXd& v, int i, int dimension) {
  const auto clean = [](double x) { return x + 0.0; };
  if (dimension == 2) return fmt::format("{:>14.8g} {:>14.8g}", clean(v(2 * i + 1)), clean(v(2 * i)));
  return fmt::format("{:>14.8g} {:>14.8g} {:>14.8g}", clean(v(3 * i + 2)), clean(v(3 * i)), clean(v(3 * i + 1)));
}

std::string remark(const ContactSolution& s) {
  std::string text;
  if (s.boundary) text += "  a contact neither presses nor lifts";
  if (s.family.dimension > 0) {
    text += fmt::format("  one of a {}-parameter family of forces{}", s.family.dimension,
                        s.family.motion_dimension > 0 ? " and motions" : ", all with this motion");
  }
  return text;
}

std::string solution_text(const SolveReport& report, std::size_t k) {
  const ContactSolution& s = report.set.solutions[k];
  const ContactProblem& p = report.formulation.problem;
  const Eigen::VectorXd motion = s.w - report.formulation.shift;
  std::string text = fmt::format("  {}  {}  residual {:.1e}{}\n", styled(fmt::format("#{}", k), Style::faint),
                                 styled(s.mode, Style::strong), s.residual, remark(s));
  for (int i = 0; i < p.count(); ++i) {
    text += fmt::format("      {:<10} {}   {}\n", p.names[static_cast<std::size_t>(i)], components(s.r, i, p.dimension),
                        components(motion, i, p.dimension));
  }
  return text;
}

std::string columns(const SolveReport& report) {
  const bool forces = report.options.formulation == FormulationKind::acceleration;
  const char* names[] = {forces ? "lambda_n [N]" : "Lambda_n [N s]", forces ? "lambda_t [N]" : "Lambda_t [N s]",
                         forces ? "a_n [m/s^2]" : "u_n [m/s]", forces ? "a_t [m/s^2]" : "u_t [m/s]"};
  if (report.formulation.problem.dimension == 2)
    return fmt::format("      {:<10} {:>14} {:>14}   {:>14} {:>14}\n", "contact", names[0], names[1], names[2],
                       names[3]);
  return fmt::format("      {:<10} {:>14} {:>29}   {:>14} {:>29}\n", "contact", names[0], names[1], names[2], names[3]);
}

std::string reached(int index) { return index >= 0 ? fmt::format("solution #{}", index) : "none of these"; }

std::string pivoting_text(const SolveReport& report) {
  const auto& p = report.pivoting;
  const std::string polygon =
      report.formulation.problem.dimension == 3
          ? fmt::format(" with {} facets (law residual {:.1e})", report.pivoting_facets, p.residual)
          : "";
  switch (p.report.status) {
    case LemkeStatus::solution:
      return fmt::format("{} after {} pivots{}", reached(report.pivoting_index), p.report.pivots, polygon);
    case LemkeStatus::ray:
      return fmt::format("a ray after {} pivots: it finds no solution", p.report.pivots);
    case LemkeStatus::limit:
      break;
  }
  return fmt::format("gave up after {} pivots", p.report.pivots);
}

std::string sweep_text(const SweepReport& s, int index) {
  switch (s.status) {
    case SweepStatus::converged:
      return fmt::format("{} after {} sweeps", reached(index), s.sweeps);
    case SweepStatus::growing:
      return fmt::format("{}: the impulse grows by a factor {:.6g} per sweep", styled("runs away", Style::bad),
                         s.factor);
    case SweepStatus::limit:
      break;
  }
  return fmt::format("does not settle within {} sweeps (residual {:.1e})", s.sweeps, s.residual);
}

std::string count_text(const SolveReport& report) {
  const auto n = report.set.solutions.size();
  const std::string all = report.set.complete ? "" : " found; there may be more: " + report.set.incomplete_reason;
  if (n == 0)
    return report.set.complete ? styled("no solution", Style::bad) + ", and this is complete" : "no solution" + all;
  const std::string count = fmt::format("{} solution{}", n, n == 1 ? "" : "s");
  if (!report.set.complete) return styled(count, Style::warn) + all;
  return styled(count, n == 1 ? Style::good : Style::bad) + ", and there are no others";
}

}  // namespace

std::string solve_text(const SolveReport& report) {
  std::string text = fmt::format("{}: {}\n", styled(report.scene.name, Style::strong), heading(report));
  if (report.options.facets > 0) text += fmt::format("friction polygon with {} corners\n", report.options.facets);
  if (report.verdict.empty() && report.set.work.nodes == 0)
    return text + "not decided: " + report.verdict_reason + "\n";
  text += count_text(report) + "\n\n";
  if (!report.set.solutions.empty()) text += columns(report);
  for (std::size_t k = 0; k < report.set.solutions.size(); ++k) text += solution_text(report, k);
  if (report.pivoting.r.size() == 0) return text;
  text += fmt::format("\nSolvers that return one answer\n  Lemke                  {}\n", pivoting_text(report));
  text += fmt::format("  projected Gauss-Seidel {}\n", sweep_text(report.projected, report.projected_index));
  text += fmt::format("  block Gauss-Seidel     {}\n", sweep_text(report.block, report.block_index));
  return text;
}

}  // namespace painleve::cli
