
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/modes/two_contact_facts.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/json_numbers.hpp"

namespace painleve {
namespace {

Json named(const std::vector<std::string>& names, const Eigen::VectorXd& values) {
  Json j = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) j[names[i]] = number(values(static_cast<Eigen::Index>(i)));
  return j;
}

void put_planar_numbers(Json& j, const ContactSpace& s, int i) {
  const char* keys[] = {"p_plus", "p_minus", "k_plus", "k_minus"};
  if (s.dimension == 3) {
    for (const char* key : keys) put(j, key, std::nullopt, "defined for planar contacts");
    return;
  }
  const PlanarModes m = planar_modes(planar_contact(s, i));
  const double values[] = {m.p_plus, m.p_minus, m.k_plus, m.k_minus};
  for (int k = 0; k < 4; ++k) j[keys[k]] = number(values[k]);
}

Json contact(const Analysis& a, int i) {
  const ContactSpace& s = a.scene.space;
  const auto& r = a.contacts[static_cast<std::size_t>(i)];
  const auto& law = a.scene.laws[static_cast<std::size_t>(i)];
  const int t = s.tangent(i);
  const int n = s.normal(i);
  const int tangents = s.dimension - 1;
  Json j;
  j["name"] = r.name;
  j["closed"] = r.touch != Touch::open;
  j["touch"] = to_string(r.touch);
  j["bilateral"] = static_cast<bool>(s.bilateral[static_cast<std::size_t>(i)]);
  j["gap"] = number(s.gap(i));
  j["mu"] = number(s.mu(i));
  j["restitution"] = number(law.restitution);
  j["law"] = to_string(law.law);
  put(j, "stiffness", law.stiffness, "not given");
  put(j, "damping", law.damping, "not given");
  j["u_t"] = list(s.u.segment(t, tangents));
  j["u_n"] = number(s.u(n));
  j["b_t"] = list(s.b.segment(t, tangents));
  j["b_n"] = number(s.b(n));
  j["W_tt"] = matrix(s.W.block(t, t, tangents, tangents));
  j["W_tn"] = list(s.W.block(t, n, tangents, 1).col(0));
  j["W_nn"] = number(s.W(n, n));
  put(j, "p", r.p, r.p_reason);
  put_planar_numbers(j, s, i);
  put(j, "mu_crit", r.cone.mu_crit, r.cone.mu_crit_reason);
  put(j, "mu_jam", r.cone.mu_jam, r.cone.mu_jam_reason);
  put(j, "mu_jam_held", r.mu_jam_held, r.mu_jam_held_reason);
  j["e_jam"] = r.cone.e_jam ? list(*r.cone.e_jam) : Json(nullptr);
  if (!r.cone.e_jam) j["e_jam_reason"] = r.cone.mu_jam_reason;
  j["locking_angle"] = number(r.cone.locking_angle);
  j["Q"] = r.cone.Q ? matrix(*r.cone.Q) : Json(nullptr);
  if (!r.cone.Q) j["Q_reason"] = r.cone.Q_reason;
  return j;
}

Json mode(const ModeEntry& m, int dimension) {
  Json j;
  j["name"] = m.name;
  j["consistent"] = m.consistent;
  j["boundary"] = m.boundary;
  j["reason"] = m.reason;
  put_stacked(j, "lambda_n", "lambda_t", m.lambda, dimension);
  put_stacked(j, "a_n", "a_t", m.a, dimension);
  j["slip_direction"] = Json::array();
  for (const auto& c : m.contacts) {
    const bool has = dimension == 3 && c.letter == Letter::S && c.direction.norm() > 0.5;
    j["slip_direction"].push_back(has ? list(c.direction) : Json(nullptr));
    if (!has) j["slip_direction_reason"] = "defined for slipping spatial contacts";
  }
  j["stability"] = m.stability.verdict.empty() ? Json(nullptr) : Json(m.stability.verdict);
  const char* undecided =
      m.lambda ? "left out for rejected modes of more than two contacts" : "this mode has no solution";
  if (m.stability.verdict.empty()) j["stability_reason"] = undecided;
  if (!m.stability.proved) j["stability_proved"] = false;
  for (const auto& w : m.stability.witnesses)
    j["witnesses"].push_back(
        {{"stiffness", list(w.stiffness)}, {"damping", list(w.damping)}, {"growth_rate", number(w.rate)}});
  const char* none = m.stability.verdict.empty() ? undecided : "no contact carries a force that could stir";
  put(j, "growth_rate", m.growth ? std::optional(m.growth->rate) : std::nullopt, none);
  put(j, "frequency", m.growth ? std::optional(m.growth->frequency) : std::nullopt, none);
  j["force_family_dimension"] = m.force_family_dimension;
  j["motion_family_dimension"] = m.motion_family_dimension;
  j["residual"] = m.consistent ? number(m.residual) : Json(nullptr);
  if (!m.consistent) j["residual_reason"] = "rejected: " + m.reason;
  return j;
}

void put_modes(Json& j, const ModeTable& t, int dimension) {
  j["modes"] = Json::array();
  for (const auto& m : t.modes) j["modes"].push_back(mode(m, dimension));
  j["modes_listed"] = t.lists_rejected ? "all" : "consistent";
  j["consistent_modes"] = t.consistent_modes();
  const bool decided = t.iwc_reason.empty();
  if (decided) {
    j["iwc"] = Json::array();
    for (const auto& i : t.iwc)
      j["iwc"].push_back(
          {{"name", i.name}, {"necessary", i.necessary}, {"possible", i.possible}, {"reason", i.reason}});
    j["continuations"] = t.continuations;
    j["resolution"] = t.resolution;
  } else {
    for (const char* key : {"iwc", "continuations", "resolution"}) {
      j[key] = nullptr;
      j[std::string(key) + "_reason"] = t.iwc_reason;
    }
  }
  j["verdict"] = t.verdict.empty() ? Json(nullptr) : Json(t.verdict);
  if (t.verdict.empty()) j["verdict_reason"] = t.verdict_reason;
  j["jam"] = t.jam;
  j["complete"] = t.complete;
  if (!t.complete) j["complete_reason"] = t.incomplete_reason;
  j["force_family_dimension"] = t.force_family_dimension;
  j["motion_family_dimension"] = t.motion_family_dimension;
}

void put_state(Json& j, const Scene& scene) {
  j["parameters"] = Json::object();
  j["state"] = {{"q", Json::object()}, {"v", Json::object()}, {"t", number(scene.t)}};
  if (scene.kind != SceneKind::mechanism) return;
  for (const auto& [name, value] : scene.posed.parameters.all()) j["parameters"][name] = number(value);
  const auto& names = scene.posed.mechanism->coordinates();
  j["state"]["q"] = named(names, scene.posed.state.q);
  j["state"]["v"] = named(names, scene.posed.state.v);
}

void put_space(Json& j, const Analysis& a) {
  const ContactSpace& s = a.scene.space;
  j["W"] = matrix(s.W);
  j["b"] = list(s.b);
  j["drift"] = list(s.drift);
  j["u"] = list(s.u);
  j["rank"] = a.rank;
  j["contacts"] = Json::array();
  for (int i = 0; i < s.count(); ++i) j["contacts"].push_back(contact(a, i));
}

void put_drifting(Json& j, const Scene& scene) {
  const DriftingContacts& c = scene.drifting;
  const char* unknown = "drifting contacts are known by P and b only";
  j["P"] = matrix(c.slip_matrix(scene.t));
  j["b"] = list(c.free_acceleration(scene.t));
  for (const char* key : {"W", "drift", "u"}) put(j, key, std::nullopt, unknown);
  j["contacts"] = Json::array();
  for (int i = 0; i < c.count(); ++i) {
    Json one = {{"name", "c" + std::to_string(i + 1)},
                {"closed", true},
                {"bilateral", false},
                {"stiffness", number(c.stiffness(i))},
                {"damping", number(c.damping(i))},
                {"b_n", j["b"][static_cast<std::size_t>(i)]},
                {"p", j["P"][static_cast<std::size_t>(i)][static_cast<std::size_t>(i)]}};
    for (const char* key : {"gap", "mu", "u_t", "u_n", "b_t", "W_tt", "W_tn", "W_nn", "p_plus", "p_minus", "k_plus",
                            "k_minus", "mu_crit", "mu_jam", "mu_jam_held", "e_jam", "locking_angle", "Q"})
      put(one, key, std::nullopt, unknown);
    j["contacts"].push_back(std::move(one));
  }
}

Json gspot_json(const GSpot& g, int dimension) {
  Json j;
  j["alpha"] = {number(g.alpha[0]), number(g.alpha[1]), number(g.alpha[2])};
  if (dimension == 3) j["alpha4"] = number(g.alpha4);
  j["portrait"] = g.portrait;
  j["outcome"] = g.outcome;
  put(j, "lambda_limit", g.lambda_limit, g.lambda_limit_reason);
  put(j, "exponent", g.exponent, "lambda_n does not grow without bound at this G-spot");
  return j;
}

Json manifolds_json(const JamManifolds& m) {
  return {{"det", number(m.det)},
          {"lambda_hat", list(m.lambda_hat)},
          {"null_vector", list(m.null_vector)},
          {"painleve_distance", number(m.painleve_distance)},
          {"genot_brogliato_distance", number(m.genot_brogliato_distance)},
          {"painleve", m.painleve},
          {"genot_brogliato", m.genot_brogliato},
          {"reason", m.reason}};
}

Json boundaries_json(const SlipBoundaries& s) {
  Json j = {{"region", s.region},         {"feasible", s.feasible},     {"stable", s.stable},
            {"gamma1", number(s.gamma1)}, {"gamma2", number(s.gamma2)}, {"beta", number(s.beta)},
            {"L1", number(s.L1)},         {"L2", number(s.L2)},         {"P", number(s.P)},
            {"L12", number(s.L12)},       {"GB1", number(s.GB1)},       {"GB2", number(s.GB2)}};
  put(j, "S1", s.S1, "the point belongs to the other sheet, or SS cannot be stable there");
  put(j, "S2", s.S2, "the point belongs to the other sheet, or SS cannot be stable there");
  return j;
}

Json transition_json(const SlipTransition& t) {
  Json j = {{"boundary", t.boundary}, {"t", number(t.t)}, {"region", t.region}};
  j["outcome"] = t.outcome ? Json(*t.outcome) : Json(nullptr);
  if (!t.outcome) j["outcome_reason"] = t.reason;
  j["candidates"] = t.candidates;
  j["reason"] = t.reason;
  return j;
}

Json tangential_json(const TangentialStability& t) {
  Json j;
  j["stable"] = t.stable ? Json(*t.stable) : Json(nullptr);
  if (!t.stable) j["stable_reason"] = t.reason;
  put(j, "reserve", t.reserve, t.reason.empty() ? "not determined" : t.reason);
  j["reason"] = t.reason;
  return j;
}

// What Table 4 of Champneys & Várkonyi (2016) says of the class.
Json class_facts(const std::string& name) {
  for (const auto& facts : two_contact_facts()) {
    if (facts.name != name.substr(0, 2)) continue;
    Json j = {{"class", facts.name}, {"dual", facts.dual}, {"subclasses", Json::object()}};
    for (const char* mode : {"FF", "SS", "SF", "FS"}) j["subclasses"][mode] = facts.sectors(mode);
    j["iwc"] = {{"IF", facts.IF}, {"FI", facts.FI}, {"II", facts.II}};
    j["stability"] = {{"SS", facts.SS_stability}, {"SF", facts.SF_stability}, {"FS", facts.FS_stability}};
    return j;
  }
  return nullptr;
}

template <class Value, class ToJson>
void put_optional(Json& j, const char* key, const std::optional<Value>& value, const ToJson& json,
                  const std::string& reason) {
  j[key] = value ? json(*value) : Json(nullptr);
  if (!value) j[std::string(key) + "_reason"] = reason;
}

Json selection_json(const Selection& s) {
  Json j = {{"name", s.name}, {"source", s.source}, {"chosen", s.chosen}};
  j["holds"] = s.holds ? Json(*s.holds) : Json(nullptr);
  if (!s.holds) j["holds_reason"] = s.reason;
  j["reason"] = s.reason;
  return j;
}

}  // namespace

nlohmann::ordered_json to_json(const Analysis& a) {
  Json j;
  j["schema"] = 1;
  j["command"] = "analyze";
  j["scene"] = a.scene.name;
  put_mechanism(j, a.scene);
  const bool drifting = a.scene.kind == SceneKind::drifting_contacts;
  j["dimension"] = drifting ? 2 : a.scene.space.dimension;
  put_state(j, a.scene);
  if (drifting)
    put_drifting(j, a.scene);
  else
    put_space(j, a);
  put_modes(j, a.modes, drifting ? 1 : a.scene.space.dimension);
  j["class"] = a.two_contact_class ? Json(*a.two_contact_class) : Json(nullptr);
  if (!a.two_contact_class) j["class_reason"] = a.two_contact_class_reason;
  j["gspot"] = a.gspot ? gspot_json(*a.gspot, a.scene.space.dimension) : Json(nullptr);
  if (!a.gspot) j["gspot_reason"] = a.gspot_reason;
  put_optional(j, "class_facts", a.two_contact_class, class_facts, a.two_contact_class_reason);
  put_optional(j, "tangential_stability", a.tangential, tangential_json, a.tangential_reason);
  put_optional(j, "manifolds", a.manifolds, manifolds_json, a.boundaries_reason);
  put_optional(j, "boundaries", a.boundaries, boundaries_json, a.boundaries_reason);
  put_optional(j, "next_transition", a.next_transition.transition, transition_json, a.next_transition.reason);
  j["selections"] = Json::array();
  for (const auto& s : a.selections) j["selections"].push_back(selection_json(s));
  explain_overflow(j);
  return j;
}

}  // namespace painleve
