#include "painleve/scene/impacting.hpp"
#include "painleve/scene/json_numbers.hpp"

namespace painleve {
namespace {

Json velocities(const Eigen::VectorXd& u, int dimension) {
  Json j = Json::object();
  put_stacked(j, "u_n", "u_t", u, dimension);
  return j;
}

void put_law(Json& j, const ImpactRun& run) {
  const std::string none = "no one-sided contact is closed";
  j["law"] = nullptr;
  j["restitution"] = nullptr;
  if (run.contact < 0) {
    j["law_reason"] = j["restitution_reason"] = none;
  } else {
    const BounceLaw& law = run.impact.laws[static_cast<std::size_t>(run.contact)];
    j["law"] = to_string(law_used(run, run.contact));
    j["restitution"] = number(law.restitution);
  }
  j["laws"] = Json::array();
  for (std::size_t i = 0; i < run.impact.laws.size(); ++i) {
    const BounceLaw& law = run.impact.laws[i];
    const double mu = law.mu.value_or(run.scene.space.mu(static_cast<Eigen::Index>(i)));
    j["laws"].push_back({{"contact", run.scene.space.names[i]},
                         {"law", to_string(law_used(run, static_cast<int>(i)))},
                         {"restitution", number(law.restitution)},
                         {"mu", number(mu)}});
  }
}

Json bounce_json(const BounceCycle& cycle, const PlanarContact& contact) {
  Json j;
  put(j, "alpha", cycle.alpha, cycle.alpha_reason);
  j["e"] = number(cycle.e);
  j["b_ratio"] = number(contact.b_t / -contact.b_n);
  j["settled"] = cycle.settled;
  return j;
}

void put_after(Json& j, const ImpactRun& run) {
  const ImpactReport& r = run.report;
  const int dimension = run.scene.space.dimension;
  if (!r.happened) {
    j["after"] = j["Lambda_n"] = j["Lambda_t"] = nullptr;
    j["after_reason"] = r.reason;
    for (const char* key : {"Lambda_n_reason", "Lambda_t_reason"}) j[key] = "there is no impact";
    return;
  }
  j["after"] = velocities(r.u_after, dimension);
  put_stacked(j, "Lambda_n", "Lambda_t", r.Lambda, dimension);
}

Json alternatives_json(const ImpactRun& run) {
  Json list_of = Json::array();
  for (const ImpactAlternative& a : run.report.alternatives) {
    Json j;
    j["mode"] = a.mode;
    j["after"] = velocities(a.u_after, run.scene.space.dimension);
    put_stacked(j, "Lambda_n", "Lambda_t", a.Lambda, run.scene.space.dimension);
    j["energy_change"] = number(a.energy_change);
    list_of.push_back(j);
  }
  return list_of;
}

Json names_of(const ImpactRun& run, const std::vector<int>& contacts) {
  Json j = Json::array();
  for (const int i : contacts) j.push_back(run.scene.space.names[static_cast<std::size_t>(i)]);
  return j;
}

}  // namespace

nlohmann::ordered_json to_json(const ImpactRun& run) {
  const ImpactReport& r = run.report;
  Json j;
  j["schema"] = 1;
  j["command"] = "impact";
  j["scene"] = run.scene.name;
  put_mechanism(j, run.scene);
  j["dimension"] = run.scene.space.dimension;
  j["contacts"] = run.scene.space.names;
  put_law(j, run);
  j["several"] = to_string(run.options.several);
  j["method"] = r.method.empty() ? Json(nullptr) : Json(r.method);
  if (r.method.empty()) j["method_reason"] = "there is no impact";
  j["without_collision"] = r.without_collision;
  j["before"] = velocities(run.scene.space.u, run.scene.space.dimension);
  put_after(j, run);
  j["phases"] = r.phases;
  j["region"] = r.region.empty() ? Json(nullptr) : Json(r.region);
  if (r.region.empty())
    j["region_reason"] = r.happened ? "regions are those of one planar contact" : "there is no impact";
  j["impacts"] = r.impacts;
  j["struck"] = names_of(run, r.contacts);
  j["candidates"] = names_of(run, r.candidates);
  j["ended"] = r.ended;
  if (!r.ended) j["ended_reason"] = r.reason;
  j["summed"] = r.summed;
  put(j, "energy_before", run.energy_before, run.energy_reason);
  put(j, "energy_after", run.energy_after, r.happened ? run.energy_reason : "there is no impact");
  put(j, "energy_change", r.happened ? std::optional(r.energy_change) : std::nullopt, "there is no impact");
  put(j, "restitution_observed", r.restitution_observed,
      r.happened ? "nothing approaches before" : "there is no impact");
  put(j, "error", r.error, "the compliant method estimates one");
  j["alternatives"] = alternatives_json(run);
  j["bounce"] = nullptr;
  if (run.bounce) {
    j["bounce"] = bounce_json(*run.bounce, planar_contact(run.scene.space, run.contact));
  } else {
    j["bounce_reason"] = run.bounce_reason;
  }
  explain_overflow(j);
  return j;
}

}  // namespace painleve
