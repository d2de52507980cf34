#include <cmath>

#include "painleve/scene/json_numbers.hpp"
#include "painleve/study/converge.hpp"

namespace painleve {
namespace {

Json numbers(const std::vector<double>& values) {
  Json j = Json::array();
  for (const double x : values) j.push_back(number(x));
  return j;
}

// Quantities that a run does not have are left out.
Json ending_json(const ConvergeReport& report, const RunEnding& ending) {
  Json j{{"stopped", ending.stopped}, {"outcome", ending.outcome}};
  if (!ending.stop_reason.empty()) j["stop_reason"] = ending.stop_reason;
  j["values"] = Json::object();
  for (std::size_t q = 0; q < report.quantities.size(); ++q) {
    const double value = ending.values(static_cast<Eigen::Index>(q));
    if (std::isfinite(value)) j["values"][report.quantities[q].name] = value;
  }
  j["events"] = Json::array();
  for (const RunEnding::Mark& event : ending.events) {
    Json one{{"t", number(event.t)}, {"kind", to_string(event.kind)}};
    if (!event.contact.empty()) one["contact"] = event.contact;
    j["events"].push_back(std::move(one));
  }
  j["energy_defect"] = number(ending.defect);
  j["steps"] = ending.steps;
  return j;
}

// Known orders only, each with the value that it belongs to.
Json orders_json(const ConvergeSeries& series, const std::vector<std::optional<double>>& orders, std::size_t first) {
  Json j = Json::array();
  for (std::size_t k = 0; k < orders.size(); ++k) {
    if (orders[k]) j.push_back({{"at", series.rows[series.tail + first + k].value}, {"order", number(*orders[k])}});
  }
  return j;
}

Json limit_json(const ConvergeReport& report, const ConvergeSeries& series, std::size_t q) {
  const QuantityLimit& limit = *series.limits[q];
  const LimitEstimate& e = limit.estimate;
  Json j{{"name", report.quantities[q].name}, {"limit", number(e.limit)}, {"error", number(e.error)}};
  put(j, "order", e.order, e.law == "settled" ? "it does not change any more" : "no law fits the last rows");
  j["logarithm"] = e.logarithm;
  j["law"] = e.law;
  j["monotone"] = e.monotone;
  j["compared"] = report.quantities[q].compared && !report.by_outcome;
  j["orders"] = orders_json(series, limit.orders, 2);
  put(j, "rigid", limit.rigid, "the limit is no rigid future of this scene as it stands, or that has no such number");
  j["orders_to_rigid"] = orders_json(series, limit.rigid_orders, 1);
  return j;
}

void put_regularisation(Json& j, const ConvergeSeries& series) {
  j["method"] = to_string(series.method);
  if (series.scheme) {
    j["scheme"] = to_string(*series.scheme);
    j["branch"] = series.branch;
  }
  if (!series.regularisation) return;
  const Regularisation& r = *series.regularisation;
  j["compliance"] = to_string(r.compliance);
  j["damping_factor"] = r.damping_factor;
  j["friction"] = friction_models()[static_cast<std::size_t>(r.friction)];
  put(j, "static_factor", r.static_factor, "the springs start as the scene has them");
}

Json series_json(const ConvergeReport& report, const ConvergeSeries& series) {
  Json j{{"name", series.name}};
  put_regularisation(j, series);
  const bool steps = series.method == SimulationMethod::step;
  j["rows"] = Json::array();
  for (const ConvergeRow& row : series.rows) {
    Json one{{steps ? "dt" : "stiffness", row.value}};
    one.update(ending_json(report, row.ending));
    j["rows"].push_back(std::move(one));
  }
  j["outcome"] = series.rows.back().ending.outcome;
  j["alike_from"] = series.rows[series.tail].value;
  j["limits"] = Json::array();
  for (std::size_t q = 0; q < series.limits.size(); ++q) {
    if (series.limits[q]) j["limits"].push_back(limit_json(report, series, q));
  }
  j["relative_error"] = number(series.error);
  j["decided"] = series.decided;
  if (!series.decided) j["decided_reason"] = series.undecided_reason;
  j["future"] = series.future >= 0 ? Json(series.future) : Json(nullptr);
  j["future_reason"] = series.future_reason;
  put(j, "restitution", series.restitution,
      series.future >= 0 ? "the limit is the future with the scene's own restitution" : "the limit is no rigid future");
  if (series.restitution) j["restitution_error"] = number(series.restitution_error);
  return j;
}

void put_verdict(Json& j, const ConvergeReport& report) {
  j["verdict"] = report.verdict;
  j["verdict_reason"] = report.verdict_reason;
  j["witnesses"] = Json::array();
  if (report.witness) {
    for (const int k : {report.witness->first, report.witness->second}) {
      const ConvergeSeries& s = report.series[static_cast<std::size_t>(k)];
      Json one{{"series", k}, {"name", s.name}, {"outcome", s.rows.back().ending.outcome}};
      if (report.witness->quantity >= 0) {
        const auto q = static_cast<std::size_t>(report.witness->quantity);
        one["quantity"] = report.quantities[q].name;
        one["limit"] = number(s.limits[q]->estimate.limit);
        one["error"] = number(s.limits[q]->estimate.error);
      }
      j["witnesses"].push_back(std::move(one));
    }
  }
  j["uniform_outcome"] = report.uniform_outcome;
  j["agrees"] = report.agrees ? Json(*report.agrees) : Json(nullptr);
  j["agrees_reason"] = report.agrees_reason;
  j["expected"] = report.expected;
  j["complete"] = report.complete;
}

}  // namespace

nlohmann::ordered_json to_json(const ConvergeProblem& problem, const ConvergeReport& report) {
  Json j;
  j["schema"] = 1;
  j["command"] = "converge";
  j["scene"] = problem.scene.name;
  put_mechanism(j, problem.scene);
  j["t_end"] = number(problem.simulation.t_end);
  j["stiffness"] = numbers(problem.stiffness);
  j["dt"] = numbers(problem.dt);
  j["damping_rule"] = damping_rule(problem.scene);
  j["static_force"] = nullptr;
  if (report.start_force) {
    j["static_force"] = {{"mode", report.start_force->mode},
                         {"stable", report.start_force->stable},
                         {"normal", numbers(report.start_force->normal)}};
  } else {
    j["static_force_reason"] = "no mode of the closed contacts has forces at the start";
  }
  j["futures"] = Json::array();
  for (const RigidFuture& future : report.futures) {
    Json one{{"why", future.why}, {"strikes", future.strikes}};
    one.update(ending_json(report, future.ending));
    j["futures"].push_back(std::move(one));
  }
  if (report.futures.empty()) j["futures_reason"] = report.no_futures_reason;
  j["series"] = Json::array();
  for (const ConvergeSeries& series : report.series) j["series"].push_back(series_json(report, series));
  put_verdict(j, report);
  explain_overflow(j);
  return j;
}

}  // namespace painleve
