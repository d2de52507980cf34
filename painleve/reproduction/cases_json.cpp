#include <algorithm>

#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/complementarity/linear_solutions.hpp"
#include "painleve/reproduction/detail/case_json.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/json_numbers.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {
namespace {

const char* to_text(Law law) {
  switch (law) {
    case Law::resting:
      return "resting";
    case Law::sliding:
      return "sliding";
    case Law::separated:
      return "separated";
  }
  return "";
}

Json family_json(const Family& f) {
  if (f.dimension == 0) return nullptr;
  Json j = {{"dimension", f.dimension}, {"motion_dimension", f.motion_dimension}, {"directions", Json::array()}};
  for (Eigen::Index k = 0; k < f.directions.cols(); ++k) j["directions"].push_back(list(f.directions.col(k)));
  return j;
}

// A solver that returns any point of a family is right; one that returns an isolated solution can be held to digits.
Json solutions_json(const ContactSolutions& set, const Eigen::VectorXd& shift) {
  Json all = Json::array();
  for (const ContactSolution& s : set.solutions) {
    all.push_back({{"mode", s.mode},
                   {"boundary", s.boundary},
                   {"force", list(s.r)},
                   {"motion", list((s.w - shift).eval())},
                   {"residual", number(s.residual)},
                   {"family", family_json(s.family)}});
  }
  return all;
}

Json problem_json(const Formulation& f, const ContactSolutions& set) {
  const ContactProblem& p = f.problem;
  Json j;
  j["contacts"] = f.contacts;
  j["dimension"] = p.dimension;
  j["W"] = matrix(p.W);
  j["q"] = list(p.q);
  j["shift"] = list(f.shift);
  j["mu"] = list(p.mu);
  j["bilateral"] = p.bilateral;
  j["law"] = Json::array();
  j["slip"] = Json::array();
  for (int i = 0; i < p.count(); ++i) {
    const Law law = p.law[static_cast<std::size_t>(i)];
    j["law"].push_back(to_text(law));
    j["slip"].push_back(law == Law::sliding ? list(p.slip.col(i)) : Json(nullptr));
  }
  j["complete"] = set.complete;
  j["count"] = set.solutions.size();
  j["force_family_dimension"] = set.force_family_dimension();
  j["motion_family_dimension"] = set.motion_family_dimension();
  j["solutions"] = solutions_json(set, f.shift);
  return j;
}

Json headed(const char* formulation, std::optional<double> dt, const std::string& verdict, Json body) {
  Json j = {{"formulation", formulation},
            {"dt", dt ? Json(*dt) : Json(nullptr)},
            {"verdict", verdict.empty() ? Json(nullptr) : Json(verdict)}};
  j.update(body);
  return j;
}

Json scene_problems(const Scene& scene) {
  Json all = Json::array();
  const auto add = [&](FormulationKind kind, std::optional<double> dt) {
    SolveOptions options;
    options.formulation = kind;
    if (dt) options.step.dt = *dt;
    const SolveReport report = solve(scene, options);
    all.push_back(headed(to_string(kind), dt, report.verdict, problem_json(report.formulation, report.set)));
  };
  if (approaching_contacts(scene.space, scene.tolerance).empty()) add(FormulationKind::acceleration, std::nullopt);
  add(FormulationKind::impulse, std::nullopt);
  for (const double dt : {0.01, 0.001, 0.0001}) add(FormulationKind::step, dt);
  return all;
}

// 0 ≤ λ_n ⊥ P λ_n + b ≥ 0: all that is known of contacts that drift.
Json drifting_problems(const Scene& scene, const std::string& verdict) {
  const DriftingContacts& c = scene.drifting;
  Formulation f;
  f.problem = normals_alone({c.slip_matrix(scene.t), c.free_acceleration(scene.t)});
  for (int i = 0; i < f.problem.count(); ++i) f.contacts.push_back(i);
  f.shift = Eigen::VectorXd::Zero(f.problem.count());
  const std::map<std::string, std::string> words = {
      {"unique", "one"}, {"inconsistent", "none"}, {"indeterminate", "several"}};
  return Json::array({headed("slip", std::nullopt, words.at(verdict), problem_json(f, all_solutions(f.problem)))});
}

Json contact_json(const Analysis& a, std::size_t i) {
  const ContactReport& r = a.contacts[i];
  const ContactSpace& s = a.scene.space;
  const auto k = static_cast<Eigen::Index>(i);
  Json j = {{"name", r.name},
            {"touch", to_string(r.touch)},
            {"bilateral", static_cast<bool>(s.bilateral[i])},
            {"gap", number(s.gap(k))},
            {"mu", number(s.mu(k))}};
  put(j, "p", r.p, r.p_reason);
  put(j, "mu_crit", r.cone.mu_crit, r.cone.mu_crit_reason);
  put(j, "mu_jam", r.cone.mu_jam, r.cone.mu_jam_reason);
  put(j, "mu_jam_held", r.mu_jam_held, r.mu_jam_held_reason);
  return j;
}

Json space_json(const Analysis& a) {
  const ContactSpace& s = a.scene.space;
  Json j = {{"W", matrix(s.W)}, {"b", list(s.b)}, {"drift", list(s.drift)}, {"u", list(s.u)}};
  j["contacts"] = Json::array();
  for (std::size_t i = 0; i < a.contacts.size(); ++i) j["contacts"].push_back(contact_json(a, i));
  return j;
}

Json vectors(const std::vector<Eigen::Vector3d>& all) {
  Json j = Json::array();
  for (const auto& v : all) j.push_back(list(v));
  return j;
}

// What the surfaces do, along tangents and normal: MJCF knows only surfaces at rest.
Eigen::VectorXd surface_velocity(const Scene& scene) {
  const State& state = scene.posed.state;
  const Dynamics d = scene.posed.mechanism->dynamics(state);
  const Eigen::VectorXd moving = d.J * state.v - d.u;
  return moving.unaryExpr([](double v) { return std::abs(v) <= 1e-12 ? 0.0 : v; });
}

Json model_json(const std::string& name, const Mjcf& m, const Scene& scene) {
  const Eigen::VectorXd surface = surface_velocity(scene);
  const int dimension = scene.posed.mechanism->dimension();
  Json j = {{"file", "mjcf/" + name + ".xml"},      {"qpos", list(m.qpos)},        {"qvel", list(m.qvel)},
            {"qfrc_applied", list(m.qfrc_applied)}, {"velocity_map", matrix(m.T)}, {"contacts", Json::array()}};
  Eigen::Index row = 0;
  for (const MjcfContact& c : m.contacts) {
    j["contacts"].push_back({{"site", c.site},
                             {"tangents", vectors(c.tangents)},
                             {"normal", list(c.normal)},
                             {"surface_velocity", list(surface.segment(row, dimension).eval())}});
    row += dimension;
  }
  return j;
}

Json state_json(const Scene& scene) {
  if (scene.kind != SceneKind::mechanism) return nullptr;
  Json j = {{"parameters", Json::object()}, {"q", Json::object()}, {"v", Json::object()}};
  for (const auto& [name, value] : scene.posed.parameters.all()) j["parameters"][name] = number(value);
  const auto& names = scene.posed.mechanism->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i) {
    j["q"][names[i]] = number(scene.posed.state.q(static_cast<Eigen::Index>(i)));
    j["v"][names[i]] = number(scene.posed.state.v(static_cast<Eigen::Index>(i)));
  }
  return j;
}

}  // namespace

nlohmann::ordered_json case_json(const Scenario& scenario, const Scene& scene, const MjcfResult& model) {
  const Analysis a = analyze(scene);
  const bool drifting = scene.kind == SceneKind::drifting_contacts;
  Json j = {{"schema", 1},
            {"name", scenario.name},
            {"question", scenario.title()},
            {"mechanism", scene.mechanism},
            {"dimension", drifting ? 1 : scene.space.dimension},
            {"verdict", a.modes.verdict.empty() ? Json(nullptr) : Json(a.modes.verdict)},
            {"jam", a.modes.jam},
            {"complete", a.modes.complete},
            {"consistent_modes", a.modes.consistent_modes()},
            {"force_family_dimension", a.modes.force_family_dimension},
            {"motion_family_dimension", a.modes.motion_family_dimension},
            {"tolerance", {{"residual", 1e-9}, {"force", 1e-6}}},
            {"state", state_json(scene)},
            {"contact_space", drifting ? Json(nullptr) : space_json(a)},
            {"problems", drifting ? drifting_problems(scene, a.modes.verdict) : scene_problems(scene)},
            {"mjcf", model.mjcf ? model_json(scenario.name, *model.mjcf, scene) : Json(nullptr)}};
  if (!model.mjcf) j["mjcf_reason"] = model.reason;
  return j;
}

}  // namespace painleve
