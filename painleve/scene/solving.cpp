#include "painleve/scene/solving.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/polygon_solutions.hpp"

namespace painleve {
namespace {

Formulation formulate(const Scene& scene, const SolveOptions& options) {
  switch (options.formulation) {
    case FormulationKind::acceleration:
      return acceleration_problem(scene.space, scene.tolerance);
    case FormulationKind::impulse:
      return impulse_problem(scene.space, scene.tolerance);
    case FormulationKind::step:
      break;
  }
  return step_problem(scene.space, options.step, scene.tolerance);
}

// 0, 1, or 2 for more: distinct motions, compared in the units of each contact.
int count_motions(const ContactProblem& problem, const ContactSolutions& set) {
  if (set.solutions.empty()) return 0;
  constexpr double same = 1e-9;
  const ScaledProblem units = scaled(problem);
  const double load = scale(units.problem).motion;
  const Eigen::VectorXd first = set.solutions[0].w.cwiseProduct(units.factor);
  const bool one = std::all_of(set.solutions.begin(), set.solutions.end(), [&](const ContactSolution& s) {
    const Eigen::VectorXd w = s.w.cwiseProduct(units.factor);
    return (w - first).norm() <= same * std::max({w.norm(), first.norm(), load});
  });
  return one ? 1 : 2;
}

void judge(SolveReport& report) {
  const int motions = count_motions(report.formulation.problem, report.set);
  const bool continuum = report.set.motion_family_dimension() > 0;
  if (motions > 1 || continuum)
    report.verdict = "several";
  else if (!report.set.complete)
    report.verdict_reason = report.set.incomplete_reason;
  else
    report.verdict = motions == 0 ? "none" : "one";
}

// A resting polygon in space needs corners; eight keep its error below one part in twelve.
constexpr int usual_facets = 8;

// Solvers stop at a small residual, which leaves forces of badly conditioned problems uncertain.
constexpr double close_enough = 1e-5;

void run_solvers(SolveReport& report) {
  const ContactProblem& problem = report.formulation.problem;
  if (problem.dimension == 3) report.pivoting_facets = report.options.facets > 0 ? report.options.facets : usual_facets;
  report.pivoting = solve_by_pivoting(problem, report.pivoting_facets);
  if (report.pivoting.report.status == LemkeStatus::solution)
    report.pivoting_index = index_of(problem, report.set, report.pivoting.r, report.pivoting.w, close_enough);
  const auto sweep = [&](SweepMethod method, SweepReport& to, int& index) {
    SweepOptions options;
    options.method = method;
    options.finish = false;  // the question is where sweeps alone lead
    to = gauss_seidel(problem, options);
    if (to.status == SweepStatus::converged) index = index_of(problem, report.set, to.r, to.w, close_enough);
  };
  sweep(SweepMethod::projected, report.projected, report.projected_index);
  sweep(SweepMethod::block, report.block, report.block_index);
}

}  // namespace

SolveReport solve(Scene scene, const SolveOptions& options) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("solve needs a contact space; drifting-contacts are known by P and b only (analyze takes them)");
  const int dimension = scene.space.dimension;
  if (options.facets != 0 && (dimension == 2 || options.facets < 3 || options.facets > 64))
    throw InputError(dimension == 2 ? "facets are for spatial contacts: in the plane the friction cone has two edges"
                                    : fmt::format("facets must be between 3 and 64, not {}", options.facets));
  SolveReport report;
  report.scene = std::move(scene);
  report.options = options;
  report.formulation = formulate(report.scene, options);
  const auto approaching = approaching_contacts(report.scene.space, report.scene.tolerance);
  if (options.formulation == FormulationKind::acceleration && !approaching.empty()) {
    report.set.complete = false;
    report.verdict_reason = fmt::format("{} approaches its surface: the impact comes first (formulation impulse)",
                                        report.scene.space.names[static_cast<std::size_t>(approaching[0])]);
    report.set.incomplete_reason = report.verdict_reason;
    return report;
  }
  const ContactProblem& problem = report.formulation.problem;
  report.set = options.facets > 0 ? polygon_solutions(problem, options.facets, options.enumeration)
                                  : all_solutions(problem, options.enumeration);
  judge(report);
  if (problem.count() > 0) run_solvers(report);
  return report;
}

const char* to_string(FormulationKind kind) {
  switch (kind) {
    case FormulationKind::acceleration:
      return "acceleration";
    case FormulationKind::impulse:
      return "impulse";
    case FormulationKind::step:
      return "step";
  }
  return "";
}

}  // namespace painleve
