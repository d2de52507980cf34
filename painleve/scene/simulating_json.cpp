#include "painleve/scene/json_numbers.hpp"
#include "painleve/scene/simulating.hpp"

namespace painleve {
namespace {

Json named(const std::vector<std::string>& names, const Eigen::VectorXd& v) {
  Json j = Json::object();
  for (std::size_t i = 0; i < names.size() && static_cast<Eigen::Index>(i) < v.size(); ++i)
    j[names[i]] = number(v(static_cast<Eigen::Index>(i)));
  return j;
}

Json velocities(const Eigen::VectorXd& u, int dimension) {
  Json j = Json::object();
  if (u.size() > 0) put_stacked(j, "u_n", "u_t", u, dimension);
  return j;
}

Json event_json(const Run& run, const SimulationEvent& e) {
  Json j;
  j["t"] = number(e.t);
  j["kind"] = to_string(e.kind);
  j["contact"] = e.contact >= 0 ? Json(run.contacts[static_cast<std::size_t>(e.contact)]) : Json(nullptr);
  if (e.contact < 0) j["contact_reason"] = "it belongs to no contact in particular";
  j["mode"] = e.mode;
  j["before"] = velocities(e.u_before, run.dimension);
  j["after"] = velocities(e.u_after, run.dimension);
  if (e.Lambda.size() > 0) put_stacked(j, "Lambda_n", "Lambda_t", e.Lambda, run.dimension);
  if (!e.note.empty()) j["note"] = e.note;
  return j;
}

Json energy_json(const EnergyLedger& e) {
  return {{"initial", number(e.initial)}, {"final", number(e.final)},     {"friction", number(e.friction)},
          {"impact", number(e.impact)},   {"applied", number(e.applied)}, {"stored", number(e.stored)},
          {"defect", number(e.defect())}};
}

Json jam_json(const Run& run, const JamApproach& jam) {
  Json j;
  j["t_star"] = number(jam.t_star);
  j["contact"] = jam.contact >= 0 ? Json(run.contacts[static_cast<std::size_t>(jam.contact)]) : Json(nullptr);
  if (jam.contact < 0) j["contact_reason"] = "it belongs to no contact in particular";
  j["p"] = number(jam.p);
  j["b_n"] = number(jam.b_n);
  put(j, "exponent", jam.exponent, "not measured");
  put(j, "predicted", jam.predicted, "no prediction for this approach");
  put(j, "force_limit", jam.force_limit, "the force grows without limit");
  j["crosses"] = jam.crosses;
  j["portrait"] = jam.portrait;
  j["springs"] = jam.springs;
  return j;
}

void put_special(Json& j, const Run& run) {
  j["jam"] = run.jam ? jam_json(run, *run.jam) : Json(nullptr);
  if (!run.jam) j["jam_reason"] = "no approach to p = 0 was followed";
  j["nearest_jam"] = nullptr;
  if (run.nearest_jam) {
    j["nearest_jam"] = {{"t", number(run.nearest_jam->t)},
                        {"contact", run.contacts[static_cast<std::size_t>(run.nearest_jam->contact)]},
                        {"ratio", number(run.nearest_jam->ratio)}};
  } else {
    j["nearest_jam_reason"] = "no rigid contact pressed along the way";
  }
  j["cycle"] = nullptr;
  if (run.cycle)
    j["cycle"] = {{"period", number(run.cycle->period)}, {"amplitude", list(run.cycle->amplitude)}};
  else
    j["cycle_reason"] =
        run.outcome == "limit_cycle" ? "the landings have not settled to a period" : "no limit cycle was found";
}

// What the run and each of its futures have in common.
void put_run(Json& j, const Run& run, const char* method) {
  j["method"] = method;
  if (!run.why.empty()) j["why"] = run.why;
  j["stopped"] = run.stopped;
  j["stop_reason"] = run.stop_reason;
  j["t"] = number(run.t);
  j["q"] = named(run.coordinates, run.state.q);
  j["v"] = named(run.coordinates, run.state.v);
  j["events"] = Json::array();
  for (const auto& event : run.events) j["events"].push_back(event_json(run, event));
  put_stacked(j, "impulse_n", "impulse_t", run.impulse, run.dimension);
  j["outcome"] = run.outcome;
  j["outcome_reason"] = run.outcome_reason;
  j["energy"] = energy_json(run.energy);
  put_special(j, run);
  j["steps"] = run.steps;
  j["samples"] = run.samples.size();
  j["futures"] = Json::array();
  for (const Run& future : run.futures) {
    Json one;
    put_run(one, future, method);
    j["futures"].push_back(one);
  }
}

}  // namespace

nlohmann::ordered_json to_json(const Scene& scene, const SimulateOptions& options, const Run& run) {
  const SimulationMethod method = chosen_method(scene, options);
  const bool step = method == SimulationMethod::step;
  Json j;
  j["schema"] = 1;
  j["command"] = "simulate";
  j["scene"] = scene.name;
  put_mechanism(j, scene);
  j["dimension"] = run.dimension;
  j["contacts"] = run.contacts;
  j["t_end"] = number(options.simulation.t_end);
  put(j, "dt", step ? std::optional(options.stepping.dt) : std::nullopt, "the method step has one");
  j["policy"] = method == SimulationMethod::compliant ? Json(nullptr) : Json(to_string(options.simulation.policy));
  if (method == SimulationMethod::compliant) j["policy_reason"] = "springs leave no choice";
  put_run(j, run, to_string(method));
  explain_overflow(j);
  return j;
}

}  // namespace painleve
