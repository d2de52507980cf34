#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "painleve/modes/planar_modes.hpp"
#include "painleve/scene/analysis.hpp"

namespace painleve {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN: whatever is not finite becomes null here, by decision, and its reason stands beside it.
Json number(double x) { return std::isfinite(x) ? Json(x == 0 ? 0.0 : x) : Json(nullptr); }

template <class Vector>
Json list(const Vector& v) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < v.size(); ++i) j.push_back(number(v(i)));
  return j;
}

Json matrix(const Eigen::MatrixXd& m) {
  Json j = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) j.push_back(list(m.row(i).transpose().eval()));
  return j;
}

void put(Json& j, const std::string& key, const std::optional<double>& value, const std::string& reason) {
  j[key] = value ? number(*value) : Json(nullptr);
  if (j[key].is_null()) j[key + "_reason"] = reason;
}

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
  j["law"] = law.law;
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

// Splits a stacked vector of the closed contacts; `dimension` 1 holds normal components only.
void put_stacked(Json& j, const char* normal, const char* tangential, const std::optional<Eigen::VectorXd>& v,
                 int dimension) {
  if (!v) {
    put(j, normal, std::nullopt, "this mode has no solution");
    put(j, tangential, std::nullopt, "this mode has no solution");
    return;
  }
  j[normal] = Json::array();
  j[tangential] = Json::array();
  for (Eigen::Index i = 0; i < v->size(); i += dimension) {
    j[normal].push_back(number((*v)(i + dimension - 1)));
    j[tangential].push_back(list(v->segment(i, dimension - 1)));
  }
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

bool holds_null(const Json& j) { return j.is_null() || (j.is_array() && std::any_of(j.begin(), j.end(), holds_null)); }

// What overflowed became null where nobody expected it; the reason is the same everywhere.
void explain_overflow(Json& j) {
  std::vector<std::string> keys;
  for (auto& [key, value] : j.items()) {
    if (value.is_structured()) explain_overflow(value);
    if (j.is_object() && holds_null(value) && !j.contains(key + "_reason")) keys.push_back(key);
  }
  for (const auto& key : keys) {
    j[key + "_reason"] = "a number here is beyond double precision";
  }
}

}  // namespace

nlohmann::ordered_json to_json(const Analysis& a) {
  Json j;
  j["schema"] = 1;
  j["command"] = "analyze";
  j["scene"] = a.scene.name;
  j["mechanism"] = a.scene.mechanism;
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
  explain_overflow(j);
  return j;
}

}  // namespace painleve
