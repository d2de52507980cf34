#include "painleve/study/quantity.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/contact/held_contact.hpp"

namespace painleve {
namespace {

using Value = std::function<std::optional<double>(const Scene&, int contact)>;

FrictionCone cone(const Scene& scene, int i) { return friction_cone(scene.space, i); }

FrictionCone held_cone(const Scene& scene, int i) {
  std::vector<int> held;
  for (int j = 0; j < scene.space.count(); ++j)
    if (j != i && touch(scene.space, j, scene.tolerance) != Touch::open) held.push_back(j);
  return friction_cone(hold(scene.space, i, held).W, scene.space.mu(i));
}

std::optional<double> slip_parameter(const Scene& scene, int i) {
  const ContactSpace& s = scene.space;
  if (touch(s, i, scene.tolerance) != Touch::slipping) return std::nullopt;
  const int d = s.dimension;
  return painleve_parameter(s.W.block(s.tangent(i), s.tangent(i), d, d), s.mu(i),
                            s.u.segment(s.tangent(i), d - 1).normalized());
}

Value planar(double PlanarModes::*member) {
  return [member](const Scene& scene, int i) -> std::optional<double> {
    if (scene.space.dimension != 2) return std::nullopt;
    return planar_modes(planar_contact(scene.space, i)).*member;
  };
}

const std::map<std::string, Value>& values() {
  static const std::map<std::string, Value> all = {
      {"mu_jam", [](const Scene& s, int i) { return cone(s, i).mu_jam; }},
      {"mu_crit", [](const Scene& s, int i) { return cone(s, i).mu_crit; }},
      {"mu_jam_held", [](const Scene& s, int i) { return held_cone(s, i).mu_jam; }},
      {"locking_angle", [](const Scene& s, int i) { return std::optional(cone(s, i).locking_angle); }},
      {"p", slip_parameter},
      {"p_plus", planar(&PlanarModes::p_plus)},
      {"p_minus", planar(&PlanarModes::p_minus)},
      {"k_plus", planar(&PlanarModes::k_plus)},
      {"k_minus", planar(&PlanarModes::k_minus)},
      {"b_n", [](const Scene& s, int i) { return std::optional(s.space.b(s.space.normal(i))); }},
      {"W_nn", [](const Scene& s, int i) { return std::optional(s.space.W(s.space.normal(i), s.space.normal(i))); }},
      {"gap", [](const Scene& s, int i) { return std::optional(s.space.gap(i)); }},
  };
  return all;
}

}  // namespace

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : values()) names.push_back(name);
  return names;
}

Quantity Quantity::parse(const std::string& name) {
  Quantity q;
  q.name_ = name;
  const auto dot = name.find('.');
  q.contact_ = dot == std::string::npos ? "" : name.substr(0, dot);
  q.key_ = dot == std::string::npos ? name : name.substr(dot + 1);
  if (!values().contains(q.key_)) throw InputError(unknown_name("quantity", q.key_, quantity_names()));
  return q;
}

std::optional<double> Quantity::of(const Scene& scene) const {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("drifting-contacts has no contact space to take " + name_ + " from");
  const auto& names = scene.space.names;
  const auto found = contact_.empty() ? names.begin() : std::find(names.begin(), names.end(), contact_);
  if (found == names.end()) throw InputError(unknown_name("contact", contact_, names));
  return values().at(key_)(scene, static_cast<int>(found - names.begin()));
}

}  // namespace painleve
