#include "painleve/scene/analysis.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/contact/held_contact.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/two_contact_class.hpp"
#include "painleve/scene/equilibrium.hpp"

namespace painleve {
namespace {

// p in the present slip direction; a difference that is only rounding is 0, as in the mode table.
void add_painleve_parameter(const Scene& scene, int i, ContactReport& report) {
  const ContactSpace& s = scene.space;
  const int tangents = s.dimension - 1;
  const Eigen::VectorXd u_t = s.u.segment(s.tangent(i), tangents);
  if (u_t.norm() <= scene.tolerance.velocity) {
    report.p_reason = "the contact does not slip";
    return;
  }
  report.p = painleve_parameter(report.cone.W, s.mu(i), u_t.normalized());
}

void add_held(const ContactSpace& s, int i, const std::vector<Touch>& touches, ContactReport& report) {
  std::vector<int> held;
  for (int j = 0; j < s.count(); ++j)
    if (j != i && touches[static_cast<std::size_t>(j)] != Touch::open) held.push_back(j);
  const FrictionCone cone = friction_cone(hold(s, i, held).W, s.mu(i));
  report.mu_jam_held = cone.mu_jam;
  report.mu_jam_held_reason = cone.mu_jam_reason;
}

void add_gspot(Analysis& a) {
  const auto& scene = a.scene;
  std::vector<int> closed;
  for (std::size_t i = 0; i < a.contacts.size(); ++i)
    if (a.contacts[i].touch != Touch::open) closed.push_back(static_cast<int>(i));
  if (scene.kind != SceneKind::mechanism)
    a.gspot_reason = "the rates of W and b are not known: only a mechanism has them";
  else if (closed.size() != 1 || a.contacts[static_cast<std::size_t>(closed[0])].touch != Touch::slipping ||
           scene.space.bilateral[static_cast<std::size_t>(closed[0])])
    a.gspot_reason = "defined for one slipping unilateral contact";
  else
    a.gspot = gspot(scene.space, contact_rates(*scene.posed.mechanism, scene.posed.state), closed[0]);
}

// The slip matrix P and b of contacts that slip decide the manifolds, and of two of them the class and the boundaries.
void add_slip(Analysis& a, const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const Eigen::VectorXd& stiffness,
              const Eigen::VectorXd& damping) {
  a.manifolds = jam_manifolds(P, b);
  a.boundaries_reason = "defined for two slipping planar unilateral contacts";
  if (P.rows() != 2) return;
  a.two_contact_class = two_contact_class(P, b);
  a.two_contact_class_reason.clear();
  a.boundaries = slip_boundaries(P, b, {stiffness, damping});
  a.boundaries_reason.clear();
}

// Contacts of a contact space that all slip, with their springs where both numbers are given for all, else ones.
void add_slipping(Analysis& a) {
  a.two_contact_class_reason = "defined for two slipping planar unilateral contacts";
  a.boundaries_reason = "defined for planar unilateral contacts that all slip";
  const ContactSpace& s = a.scene.space;
  if (s.dimension != 2 || a.modes.closed.empty()) return;
  const ContactSpace closed = subset(s, a.modes.closed);
  std::vector<ContactMode> slip;
  Eigen::VectorXd b(closed.count());
  Eigen::VectorXd stiffness = Eigen::VectorXd::Ones(closed.count());
  Eigen::VectorXd damping = stiffness;
  bool given = true;
  for (int i = 0; i < closed.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (touch(closed, i, a.scene.tolerance) != Touch::slipping || closed.bilateral[at]) return;
    slip.push_back({Letter::S, Eigen::VectorXd::Constant(1, closed.u(closed.tangent(i)) > 0 ? 1 : -1), 1});
    b(i) = closed.b(closed.normal(i));
    const ContactLaw& law = a.scene.laws[static_cast<std::size_t>(a.modes.closed[at])];
    given = given && law.stiffness && law.damping;
    stiffness(i) = law.stiffness.value_or(1);
    damping(i) = law.damping.value_or(1);
  }
  if (!given) stiffness = damping = Eigen::VectorXd::Ones(closed.count());
  add_slip(a, fast_matrix(closed, slip), b, stiffness, damping);
}

// Whether a small slip of contacts that stick dies out.
void add_tangential(Analysis& a) {
  constexpr std::size_t most = 8;  // 3ⁿ patterns of slip
  a.tangential_reason = "defined where all closed contacts rest and can stick";
  const auto sticks = [](const ModeEntry& e) {
    return e.consistent && std::all_of(e.contacts.begin(), e.contacts.end(),
                                       [](const ContactMode& c) { return c.letter == Letter::T; });
  };
  const auto entry = std::find_if(a.modes.modes.begin(), a.modes.modes.end(), sticks);
  if (entry == a.modes.modes.end() || a.modes.closed.empty()) return;
  if (a.modes.closed.size() > most) {
    a.tangential_reason = "the patterns of slip of so many contacts are not tried";
    return;
  }
  a.tangential = tangential_stability(subset(a.scene.space, a.modes.closed), *entry->lambda);
}

void analyze_drifting(Analysis& a) {
  const DriftingContacts& c = a.scene.drifting;
  const double t = a.scene.t;
  const Eigen::MatrixXd P = c.slip_matrix(t);
  const Eigen::VectorXd b = c.free_acceleration(t);
  a.modes = slip_mode_table(P, b, c.stiffness, c.damping);
  a.two_contact_class_reason = "defined for two slipping planar unilateral contacts";
  add_slip(a, P, b, c.stiffness, c.damping);
  a.gspot_reason = "defined for one slipping contact of a mechanism";
  a.tangential_reason = "drifting contacts slip";
  a.next_transition.reason = "defined for two drifting contacts whose b does not depend on their forces";
  if (c.count() != 2 || !c.b_force.isZero(0)) return;
  constexpr double horizon = 1;  // [s]
  a.next_transition = next_transition({P, c.P_rate, b, c.b_rate, {c.stiffness, c.damping}, c.epsilon}, horizon);
  if (a.next_transition.transition) a.next_transition.transition->t += t;
}

}  // namespace

Analysis analyze(Scene scene) {
  Analysis a;
  a.scene = std::move(scene);
  if (a.scene.kind == SceneKind::drifting_contacts) {
    analyze_drifting(a);
    return a;
  }
  const ContactSpace& s = a.scene.space;
  std::vector<Touch> touches;
  for (int i = 0; i < s.count(); ++i) touches.push_back(touch(s, i, a.scene.tolerance));
  for (int i = 0; i < s.count(); ++i) {
    ContactReport report;
    report.name = s.names[static_cast<std::size_t>(i)];
    report.touch = touches[static_cast<std::size_t>(i)];
    report.cone = friction_cone(s, i);
    add_painleve_parameter(a.scene, i, report);
    add_held(s, i, touches, report);
    a.contacts.push_back(std::move(report));
  }
  a.rank = rank(s);
  a.modes = mode_table(s, mode_options(a.scene.laws, a.scene.tolerance));
  add_gspot(a);
  add_slipping(a);
  add_tangential(a);
  a.next_transition.reason = "the drift of P and b is known for drifting contacts only";
  a.selections = selections(s, a.modes, selector_options(a.scene, a.modes));
  return a;
}

const char* to_string(Touch touch) {
  switch (touch) {
    case Touch::open:
      return "open";
    case Touch::approaching:
      return "approaching";
    case Touch::separating:
      return "separating";
    case Touch::slipping:
      return "slipping";
    case Touch::resting:
      return "resting";
  }
  return "";
}

}  // namespace painleve
