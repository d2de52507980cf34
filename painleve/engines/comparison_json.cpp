#include <nlohmann/json.hpp>

#include "painleve/engines/comparison.hpp"
#include "painleve/scene/json_numbers.hpp"

namespace painleve {
namespace {

Json solution_json(const SolvedCase& problem, const ContactSolution& s) {
  const Formulation& f = problem.given.formulation;
  Json j;
  j["mode"] = s.mode;
  j["boundary"] = s.boundary;
  put_stacked(j, "Lambda_n", "Lambda_t", s.r, f.problem.dimension);
  j["u_after"] = list((s.w - f.shift).eval());
  j["residual"] = number(s.residual);
  j["family_dimension"] = s.family.dimension;
  return j;
}

Json problem_json(const SolvedCase& problem) {
  const EngineCase& given = problem.given;
  Json j;
  j["W"] = matrix(given.formulation.problem.W);
  j["u"] = list(given.u);
  j["u_free"] = list(given.u_free());
  j["mu"] = list(given.formulation.problem.mu);
  j["gap"] = list(given.gap);
  j["complete"] = problem.set.complete;
  if (!problem.set.complete) j["complete_reason"] = problem.set.incomplete_reason;
  j["solutions"] = Json::array();
  for (const auto& s : problem.set.solutions) j["solutions"].push_back(solution_json(problem, s));
  return j;
}

Json residuals_json(const ContactResiduals& r) {
  return {{"penetration", number(r.penetration)},
          {"pull", number(r.pull)},
          {"complementarity", number(r.complementarity)},
          {"cone", number(r.cone)},
          {"dissipation", number(r.dissipation)},
          {"motion", number(r.motion)},
          {"law", number(r.law)}};
}

void put_solution(Json& j, const SolvedCase& problem, const EngineAnswer& answer) {
  const bool found = answer.solution >= 0;
  j["solution"] = found ? Json(answer.solution) : Json(nullptr);
  j["mode"] = found ? Json(problem.set.solutions[static_cast<std::size_t>(answer.solution)].mode) : Json(nullptr);
  j["nearest"] = answer.nearest >= 0 ? Json(answer.nearest) : Json(nullptr);
  put(j, "distance", answer.nearest >= 0 ? std::optional(answer.distance) : std::nullopt, "the step has no solution");
  if (!found) {
    j["solution_reason"] = problem.set.complete ? "none of the solutions" : "none of the solutions that are known";
    j["mode_reason"] = j["solution_reason"];
  }
  if (answer.nearest < 0) j["nearest_reason"] = "the step has no solution";
}

Json answer_json(const SolvedCase& problem, const EngineAnswer& answer) {
  Json j;
  j["status"] = to_string(answer.status);
  j["reason"] = answer.reason;
  j["warnings"] = answer.warnings;
  if (answer.status != AnswerStatus::answered) return j;
  j["u_after"] = list(answer.u_after);
  put_stacked(j, "Lambda_n", "Lambda_t", answer.Lambda, problem.given.dimension);
  j["Lambda_from"] = answer.Lambda_from_engine ? "engine" : "velocities";
  put_solution(j, problem, answer);
  j["residuals"] = residuals_json(answer.residuals);
  j["unexplained_velocity"] = number(answer.unexplained);
  j["energy_change"] = number(answer.energy);
  j["iterations"] = answer.iterations ? Json(*answer.iterations) : Json(nullptr);
  if (!answer.iterations) j["iterations_reason"] = "the engine does not say";
  return j;
}

Json engine_json(const ComparedEngine& e) {
  Json j;
  j["name"] = e.name;
  j["found"] = !e.missing;
  j["program"] = e.missing ? Json(nullptr) : Json(e.program);
  if (e.missing) j["program_reason"] = e.failure;
  j["version"] = e.description ? Json(e.description->version) : Json(nullptr);
  j["friction"] = e.description ? Json(e.description->friction) : Json(nullptr);
  if (!e.description) j["version_reason"] = j["friction_reason"] = e.failure;
  return j;
}

Json row_json(const CompareReport& report, const EngineRow& row) {
  Json j;
  j["engine"] = row.engine;
  j["setting"] = row.setting.name;
  j["about"] = row.setting.about;
  const bool judged = row.control.status == AnswerStatus::answered;
  j["control_right"] = judged ? Json(row.control_right()) : Json(nullptr);
  if (!judged) j["control_right_reason"] = row.control.reason;
  j["control"] = answer_json(report.control, row.control);
  j["answer"] = answer_json(report.problem, row.answer);
  return j;
}

}  // namespace

nlohmann::ordered_json to_json(const CompareReport& report) {
  const EngineCase& given = report.problem.given;
  Json j;
  j["schema"] = 1;
  j["command"] = "compare";
  j["scene"] = report.scene.name;
  j["mechanism"] = report.scene.mechanism;
  j["dimension"] = given.dimension;
  j["dt"] = report.options.dt;
  j["tolerance"] = report.options.tolerance;
  j["complete"] = report.complete;
  if (!report.complete) j["complete_reason"] = "interrupted";
  j["contacts"] = given.formulation.problem.names;
  j["bodies"] = given.bodies.size();
  if (given.bodies.empty()) j["bodies_reason"] = given.bodies_reason;
  j["case"] = problem_json(report.problem);
  j["control"] = problem_json(report.control);
  j["control"]["about"] = report.control.about;
  j["engines"] = Json::array();
  for (const auto& e : report.engines) j["engines"].push_back(engine_json(e));
  j["rows"] = Json::array();
  for (const auto& row : report.rows) j["rows"].push_back(row_json(report, row));
  explain_overflow(j);
  return j;
}

}  // namespace painleve
