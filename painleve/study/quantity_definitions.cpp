// One definition per quantity. Reasons are those that stand beside null in the JSON of the verb that prints it.
#include "painleve/study/quantity_definitions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/contact/held_contact.hpp"

namespace painleve {
namespace {

QuantityValue number(double x) { return {x, {}, {}}; }
QuantityValue word(std::string w) { return {{}, std::move(w), {}}; }
QuantityValue nothing(std::string reason) { return {{}, {}, std::move(reason)}; }
QuantityValue number_or(const std::optional<double>& x, const std::string& reason) {
  return x ? number(*x) : nothing(reason);
}
QuantityValue list(const std::vector<std::string>& words) {
  return word(words.empty() ? "none" : fmt::format("{}", fmt::join(words, "|")));
}

// ---- of one contact

// A number of the contact space; `get` is given the space and the contact.
template <class Get>
QuantityValue of_space(SceneFindings& f, int i, const Get& get) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  return number(get(f.scene().space, i));
}

template <class Get>
QuantityValue of_plane(SceneFindings& f, int i, const Get& get) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  if (f.scene().space.dimension != 2) return nothing("defined for planar contacts");
  return number(get(planar_contact(f.scene().space, i)));
}

template <double PlanarModes::*member>
QuantityValue planar(SceneFindings& f, int i) {
  return of_plane(f, i, [](const PlanarContact& c) { return planar_modes(c).*member; });
}

QuantityValue mu_jam(SceneFindings& f, int i) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const FrictionCone cone = friction_cone(f.scene().space, i);
  return number_or(cone.mu_jam, cone.mu_jam_reason);
}

QuantityValue mu_crit(SceneFindings& f, int i) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const FrictionCone cone = friction_cone(f.scene().space, i);
  return number_or(cone.mu_crit, cone.mu_crit_reason);
}

QuantityValue mu_jam_held(SceneFindings& f, int i) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const ContactSpace& s = f.scene().space;
  std::vector<int> held;
  for (int j = 0; j < s.count(); ++j)
    if (j != i && touch(s, j, f.scene().tolerance) != Touch::open) held.push_back(j);
  const FrictionCone cone = friction_cone(hold(s, i, held).W, s.mu(i));
  return number_or(cone.mu_jam, cone.mu_jam_reason);
}

QuantityValue jam_ratio(SceneFindings& f, int i) {
  const QuantityValue jam = mu_jam(f, i);
  return jam.number ? number(f.scene().space.mu(i) / *jam.number) : jam;
}

QuantityValue slip_parameter(SceneFindings& f, int i) {
  const Scene& scene = f.scene();
  if (f.drifting()) return number(scene.drifting.slip_matrix(scene.t)(i, i));
  const ContactSpace& s = scene.space;
  const int d = s.dimension;
  const Eigen::VectorXd u_t = s.u.segment(s.tangent(i), d - 1);
  if (u_t.norm() <= scene.tolerance.velocity) return nothing("the contact does not slip");
  return number(painleve_parameter(s.W.block(s.tangent(i), s.tangent(i), d, d), s.mu(i), u_t.normalized()));
}

QuantityValue normal_load(SceneFindings& f, int i) {
  const Scene& scene = f.scene();
  if (f.drifting()) return number(scene.drifting.free_acceleration(scene.t)(i));
  return number(scene.space.b(scene.space.normal(i)));
}

// ---- of the table of modes

// Why a list of modes would not say what it seems to say; empty when it does.
std::string unlisted(const ModeTable& table) {
  if (table.verdict == "impact") return table.iwc_reason;
  if (table.closed.empty()) return "no contact is closed";
  return table.complete ? "" : table.incomplete_reason;
}

QuantityValue verdict(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  return t.verdict.empty() ? nothing(t.verdict_reason) : word(t.verdict);
}

QuantityValue consistent_modes(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  const std::string why = unlisted(t);
  return why.empty() ? list(t.consistent_modes()) : nothing(why);
}

QuantityValue mode_count(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  const std::string why = unlisted(t);
  return why.empty() ? number(static_cast<double>(t.consistent_modes().size())) : nothing(why);
}

QuantityValue stability(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  const std::string why = unlisted(t);
  if (!why.empty()) return nothing(why);
  std::vector<std::string> words;
  for (const auto& m : t.modes)
    if (m.consistent) words.push_back(m.name + ":" + (m.stability.verdict.empty() ? "undecided" : m.stability.verdict));
  return list(words);
}

QuantityValue continuations(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  return t.iwc_reason.empty() ? list(t.continuations) : nothing(t.iwc_reason);
}

QuantityValue resolution(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  return t.iwc_reason.empty() ? word(t.resolution) : nothing(t.iwc_reason);
}

QuantityValue impacts_possible(SceneFindings& f, int) {
  const ModeTable& t = f.modes();
  if (!t.iwc_reason.empty()) return nothing(t.iwc_reason);
  std::vector<std::string> words;
  for (const auto& i : t.iwc)
    if (i.possible) words.push_back(i.name);
  return list(words);
}

QuantityValue jam(SceneFindings& f, int) { return word(f.modes().jam ? "yes" : "no"); }

// The consistent mode that grows fastest; null with the reason.
struct Fastest {
  const Growth* growth = nullptr;
  std::string reason;
};
Fastest fastest(const ModeTable& t) {
  Fastest found{nullptr, unlisted(t)};
  if (!found.reason.empty()) return found;
  bool any = false;
  for (const auto& m : t.modes) {
    any = any || m.consistent;
    if (m.consistent && m.growth && (found.growth == nullptr || m.growth->rate > found.growth->rate))
      found.growth = &*m.growth;
  }
  if (found.growth == nullptr)
    found.reason = any ? "no contact carries a force that could stir" : "no mode is consistent";
  return found;
}

QuantityValue growth_rate(SceneFindings& f, int) {
  const Fastest mode = fastest(f.modes());
  return mode.growth != nullptr ? number(mode.growth->rate) : nothing(mode.reason);
}

QuantityValue frequency(SceneFindings& f, int) {
  const Fastest mode = fastest(f.modes());
  return mode.growth != nullptr ? number(mode.growth->frequency) : nothing(mode.reason);
}

// ---- of the rest that analyze, impact and solve say

QuantityValue two_contact_class(SceneFindings& f, int) {
  const auto found = f.two_contact_class();
  return found.value ? word(*found.value) : nothing(found.reason);
}

template <std::size_t k>
QuantityValue alpha(SceneFindings& f, int) {
  const auto& g = f.gspot();
  return g.value ? number(g.value->alpha[k]) : nothing(g.reason);
}

QuantityValue portrait(SceneFindings& f, int) {
  const auto& g = f.gspot();
  return g.value ? word(g.value->portrait) : nothing(g.reason);
}

QuantityValue lambda_limit(SceneFindings& f, int) {
  const auto& g = f.gspot();
  return g.value ? number_or(g.value->lambda_limit, g.value->lambda_limit_reason) : nothing(g.reason);
}

QuantityValue bounce_ratio(SceneFindings& f, int) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const ImpactRun& run = f.impact();
  return run.bounce ? number(run.bounce->e) : nothing(run.bounce_reason);
}

QuantityValue solutions(SceneFindings& f, int) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const auto found = f.solutions();
  return number_or(found.value, found.reason);
}

QuantityValue solutions_step(SceneFindings& f, int) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const ContactSolutions& set = f.step().set;
  if (!set.complete) return nothing(set.incomplete_reason);
  std::vector<std::string> words;
  for (const auto& s : set.solutions) words.push_back(s.mode);
  return list(words);
}

QuantityValue verdict_step(SceneFindings& f, int) {
  if (f.drifting()) return nothing(known_by_P_and_b);
  const SolveReport& report = f.step();
  return report.verdict.empty() ? nothing(report.verdict_reason) : word(report.verdict);
}

// ---- of a run

QuantityValue outcome(SceneFindings& f, int) {
  const Run& run = f.run();
  if (!run.outcome.empty()) return word(run.outcome);
  return nothing(run.outcome_reason.empty() ? "the run has no outcome" : run.outcome_reason);
}

QuantityValue stopped(SceneFindings& f, int) { return word(f.run().stopped); }
QuantityValue t_stop(SceneFindings& f, int) { return number(f.run().t); }

std::vector<QuantityDefinition> contact_definitions() {
  const auto cost = QuantityCost::contact;
  return {
      {"W_nn", "1/kg", cost, true, "normal response W_nn",
       [](SceneFindings& f, int i) {
         return of_space(f, i, [](const ContactSpace& s, int k) { return s.W(s.normal(k), s.normal(k)); });
       }},
      {"W_tn", "1/kg", cost, true, "coupling W_tn (plane)",
       [](SceneFindings& f, int i) { return of_plane(f, i, [](const PlanarContact& c) { return c.W_tn; }); }},
      {"W_tt", "1/kg", cost, true, "tangential response W_tt (plane)",
       [](SceneFindings& f, int i) { return of_plane(f, i, [](const PlanarContact& c) { return c.W_tt; }); }},
      {"b_n", "m/s^2", cost, true, "normal acceleration without contact force", normal_load},
      {"b_t", "m/s^2", cost, true, "tangential acceleration without contact force (plane)",
       [](SceneFindings& f, int i) { return of_plane(f, i, [](const PlanarContact& c) { return c.b_t; }); }},
      {"gap", "m", cost, true, "distance along the normal",
       [](SceneFindings& f, int i) { return of_space(f, i, [](const ContactSpace& s, int k) { return s.gap(k); }); }},
      {"jam_ratio", "1", cost, true, "mu/mu_jam: from 1 on slip in the worst direction jams", jam_ratio},
      {"k_minus", "1/kg", cost, true, "mu W_tt + W_tn (plane)", planar<&PlanarModes::k_minus>},
      {"k_plus", "1/kg", cost, true, "mu W_tt - W_tn (plane)", planar<&PlanarModes::k_plus>},
      {"locking_angle", "rad", cost, true, "opening of the sector of slip directions that jam",
       [](SceneFindings& f, int i) {
         return of_space(f, i, [](const ContactSpace& s, int k) { return friction_cone(s, k).locking_angle; });
       }},
      {"mu", "1", cost, true, "friction",
       [](SceneFindings& f, int i) { return of_space(f, i, [](const ContactSpace& s, int k) { return s.mu(k); }); }},
      {"mu_crit", "1", cost, true, "friction above which a contact force alone can hold the contact", mu_crit},
      {"mu_jam", "1", cost, true, "friction above which some slip direction jams, the other contacts free", mu_jam},
      {"mu_jam_held", "1", cost, true, "the same, the other closed contacts held", mu_jam_held},
      {"p", "1/kg", cost, true, "Painleve parameter of the present slip", slip_parameter},
      {"p_minus", "1/kg", cost, true, "W_nn + mu W_tn (plane)", planar<&PlanarModes::p_minus>},
      {"p_plus", "1/kg", cost, true, "W_nn - mu W_tn (plane)", planar<&PlanarModes::p_plus>},
      {"u_n", "m/s", cost, true, "normal velocity",
       [](SceneFindings& f, int i) {
         return of_space(f, i, [](const ContactSpace& s, int k) { return s.u(s.normal(k)); });
       }},
      {"u_t", "m/s", cost, true, "tangential velocity (plane)",
       [](SceneFindings& f, int i) { return of_plane(f, i, [](const PlanarContact& c) { return c.u_t; }); }},
  };
}

std::vector<QuantityDefinition> scene_definitions() {
  const auto modes = QuantityCost::modes;
  const auto analysis = QuantityCost::analysis;
  const auto run = QuantityCost::simulation;
  return {
      {"alpha1", "1/(kg s)", analysis, false, "dp/dt along the motion, at the G-spot", alpha<0>},
      {"alpha2", "m/s^3", analysis, false, "db_n/dt without contact force", alpha<1>},
      {"alpha3", "1/(kg s)", analysis, false, "db_n/dt per normal force, with the opposite sign of slip", alpha<2>},
      {"class", "", modes, false, "class of two slipping planar contacts", two_contact_class},
      {"consistent_modes", "", modes, false, "the consistent modes, joined by |, or none", consistent_modes},
      {"continuations", "", modes, false, "what is left of them in the stiff limit, or none", continuations},
      {"e", "1", analysis, false, "ratio of successive landing speeds of the bounce map", bounce_ratio},
      {"frequency", "rad/s", modes, false, "that goes with growth_rate", frequency},
      {"growth_rate", "1/s", modes, false, "the largest of the consistent modes, in the stiff limit", growth_rate},
      {"iwc", "", modes, false, "impacts without collision that are possible, or none", impacts_possible},
      {"jam", "", modes, false, "whether a closed contact slips with p <= 0: yes or no", jam},
      {"lambda_limit", "N", analysis, false, "finite limit of lambda_n at the G-spot", lambda_limit},
      {"modes", "1", modes, false, "number of consistent modes", mode_count},
      {"outcome", "", run, false, "outcome of a simulation", outcome},
      {"portrait", "", analysis, false, "signs and order of alpha at the G-spot", portrait},
      {"resolution", "", modes, false, "none, one or several continuations", resolution},
      {"solutions", "1", analysis, false, "number of solutions, or families, of the acceleration problem", solutions},
      {"solutions_step", "", analysis, false, "modes of the solutions of a time step, or none", solutions_step},
      {"stability", "", modes, false, "of each consistent mode, S+:stable|F:stable, or none", stability},
      {"stopped", "", run, false, "why a simulation ended", stopped},
      {"t_stop", "s", run, false, "when a simulation ended", t_stop},
      {"verdict", "", modes, false, "unique, inconsistent, indeterminate or impact", verdict},
      {"verdict_step", "", analysis, false, "none, one or several solutions of a time step", verdict_step},
  };
}

}  // namespace

const std::vector<QuantityDefinition>& quantity_definitions() {
  static const std::vector<QuantityDefinition> all = [] {
    auto list_of = contact_definitions();
    for (auto& definition : scene_definitions()) list_of.push_back(std::move(definition));
    std::sort(list_of.begin(), list_of.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return list_of;
  }();
  return all;
}

}  // namespace painleve
