#include "painleve/scene/json_numbers.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {
namespace {

Json points(const std::vector<Eigen::VectorXd>& list_of_points) {
  Json j = Json::array();
  for (const auto& p : list_of_points) j.push_back(list(p));
  return j;
}

Json family_json(const Family& f) {
  Json j;
  j["dimension"] = f.dimension;
  j["motion_dimension"] = f.motion_dimension;
  j["generators"] = Json::array();
  for (Eigen::Index k = 0; k < f.directions.cols(); ++k) j["generators"].push_back(list(f.directions.col(k)));
  j["vertices"] = f.enumerated ? points(f.vertices) : Json(nullptr);
  j["rays"] = f.enumerated ? points(f.rays) : Json(nullptr);
  if (!f.enumerated) {
    for (const char* key : {"vertices_reason", "rays_reason"})
      j[key] = "not listed: too many of them, or a round friction cone";
  }
  return j;
}

Json solution_json(const SolveReport& report, const ContactSolution& s) {
  const int dimension = report.formulation.problem.dimension;
  const bool forces = report.options.formulation == FormulationKind::acceleration;
  Json j;
  j["mode"] = s.mode;
  j["boundary"] = s.boundary;
  put_stacked(j, forces ? "lambda_n" : "Lambda_n", forces ? "lambda_t" : "Lambda_t", s.r, dimension);
  j[forces ? "a" : "u_after"] = list((s.w - report.formulation.shift).eval());
  j["residual"] = number(s.residual);
  j["family"] = s.family.dimension > 0 ? family_json(s.family) : Json(nullptr);
  if (s.family.dimension == 0) j["family_reason"] = "an isolated solution";
  return j;
}

// The place of a solver's answer in the list of solutions.
void put_index(Json& j, int index, const char* reason) {
  j["index"] = index >= 0 ? Json(index) : Json(nullptr);
  if (index < 0) j["index_reason"] = reason;
}

Json lemke_json(const SolveReport& report) {
  const PivotedSolution& p = report.pivoting;
  Json j;
  j["status"] = to_string(p.report.status);
  j["pivots"] = p.report.pivots;
  const bool polygon = report.formulation.problem.dimension == 3 && report.options.facets == 0;
  const char* other = polygon ? "Lemke's method works with a polygon instead of the round friction cone"
                              : "no solution of the list is close enough to what it returns";
  put_index(j, report.pivoting_index, p.report.status == LemkeStatus::solution ? other : "it found no solution");
  j["facets"] = report.pivoting_facets;
  j["guaranteed"] = p.guaranteed;
  j["residual"] = number(p.residual);
  return j;
}

Json sweep_json(const SweepReport& s, int index) {
  Json j;
  j["status"] = to_string(s.status);
  j["sweeps"] = s.sweeps;
  j["factor"] = number(s.factor);
  put_index(j, index,
            s.status == SweepStatus::converged ? "no solution of the list is close enough to what it returns"
                                               : "not converged");
  j["residual"] = number(s.residual);
  return j;
}

void put_solvers(Json& j, const SolveReport& report) {
  const bool none = report.formulation.problem.count() == 0 || report.pivoting.r.size() == 0;
  if (none) {
    j["lemke"] = nullptr;
    j["gauss_seidel"] = nullptr;
    for (const char* key : {"lemke_reason", "gauss_seidel_reason"})
      j[key] = report.verdict_reason.empty() ? "no contact takes part" : report.verdict_reason;
    return;
  }
  j["lemke"] = lemke_json(report);
  j["gauss_seidel"] = {{"projected", sweep_json(report.projected, report.projected_index)},
                       {"block", sweep_json(report.block, report.block_index)}};
}

}  // namespace

nlohmann::ordered_json to_json(const SolveReport& report) {
  Json j;
  j["schema"] = 1;
  j["command"] = "solve";
  j["scene"] = report.scene.name;
  put_mechanism(j, report.scene);
  j["dimension"] = report.formulation.problem.dimension;
  j["formulation"] = to_string(report.options.formulation);
  const bool step = report.options.formulation == FormulationKind::step;
  put(j, "dt", step ? std::optional(report.options.step.dt) : std::nullopt, "the time step has one");
  j["cone"] = report.options.facets > 0 ? Json("polygon") : Json("round");
  j["facets"] = report.options.facets > 0 ? Json(report.options.facets) : Json(nullptr);
  if (report.options.facets == 0) j["facets_reason"] = "the friction cone is round";
  j["contacts"] = report.formulation.problem.names;
  const bool stated = report.verdict_reason.empty() || !report.set.solutions.empty() || report.set.work.nodes > 0;
  j["count"] = stated ? Json(report.set.solutions.size()) : Json(nullptr);
  if (!stated) j["count_reason"] = report.verdict_reason;
  j["complete"] = report.set.complete;
  if (!report.set.complete) j["complete_reason"] = report.set.incomplete_reason;
  j["force_family_dimension"] = report.set.force_family_dimension();
  j["motion_family_dimension"] = report.set.motion_family_dimension();
  j["verdict"] = report.verdict.empty() ? Json(nullptr) : Json(report.verdict);
  if (report.verdict.empty()) j["verdict_reason"] = report.verdict_reason;
  j["solutions"] = Json::array();
  for (const auto& s : report.set.solutions) j["solutions"].push_back(solution_json(report, s));
  put_solvers(j, report);
  const EnumerationWork& work = report.set.work;
  j["work"] = {{"nodes", work.nodes}, {"pruned", work.pruned}, {"leaves", work.leaves}};
  explain_overflow(j);
  return j;
}

}  // namespace painleve
