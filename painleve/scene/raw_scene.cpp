// Scenes that are numbers instead of bodies: contact-space and drifting-contacts.
#include <fmt/format.h>

#include "painleve/base/error.hpp"
#include "painleve/scene/scene_builders.hpp"
#include "painleve/scene/toml_reader.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve::detail {
namespace {

void refuse_sections(const toml::table& root, const std::string& mechanism, const std::vector<const char*>& sections) {
  for (const auto* name : sections)
    if (root.contains(name))
      throw InputError(fmt::format("{} has no [{}]: everything is given in [parameters]", mechanism, name));
}

Eigen::VectorXd broadcast(const Eigen::VectorXd& v, Eigen::Index n) {
  return v.size() == 1 && n > 1 ? Eigen::VectorXd::Constant(n, v(0)) : v;
}

void read_bilateral(const toml::table& p, const std::string& origin, ContactSpace& s) {
  const auto* node = p.get("bilateral");
  if (node == nullptr) return;
  const auto* list = node->as_array();
  if (list == nullptr) {
    s.bilateral.assign(s.bilateral.size(), read_bool(*node, origin, "parameters.bilateral"));
    return;
  }
  s.bilateral.clear();
  for (const auto& flag : *list) s.bilateral.push_back(read_bool(flag, origin, "parameters.bilateral"));
}

// W, b, u, mu and what may go with them, checked.
ContactSpace read_contact_space(const toml::table& p, const std::string& origin) {
  for (const char* key : {"W", "b", "u", "mu"})
    if (!p.contains(key)) throw InputError(fmt::format("contact-space needs parameters.{}", key));
  const auto vector = [&](const char* key) {
    return read_vector(*p.get(key), "", origin, std::string("parameters.") + key);
  };
  const auto* d = p.get("dimension");
  const double dimension = d == nullptr ? 2 : read_number(*d, "1", origin, "parameters.dimension");
  if (dimension != 2 && dimension != 3)
    throw InputError(fmt::format("parameters.dimension is {}, expected 2 or 3", dimension));
  const Eigen::MatrixXd W = read_matrix(*p.get("W"), origin, "parameters.W");
  const Eigen::Index n = W.rows() / static_cast<Eigen::Index>(dimension);
  ContactSpace s =
      raw_contact_space(static_cast<int>(dimension), W, vector("b"), vector("u"), broadcast(vector("mu"), n));
  if (p.contains("drift")) s.drift = vector("drift");
  if (p.contains("gap")) s.gap = broadcast(vector("gap"), n);
  read_bilateral(p, origin, s);
  check(s);
  return s;
}

// [contact] and [contact.NAME] win over the lists of [parameters].
void apply_contacts(const toml::table* contacts, const std::string& origin, Scene& scene) {
  ContactSpace& s = scene.space;
  const Laws laws = read_contacts(contacts, origin, s.names);
  scene.laws = laws.laws;
  for (int i = 0; i < s.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto* one = contacts == nullptr ? nullptr : contacts->get(s.names[k]);
    const bool set = (contacts != nullptr && contacts->contains("mu")) ||
                     (one != nullptr && one->is_table() && one->as_table()->contains("mu"));
    if (set) s.mu(i) = laws.laws[k].mu;
    scene.laws[k].mu = s.mu(i);
    const ContactSetup& setup = laws.setups.at(s.names[k]);
    if (setup.bilateral) s.bilateral[k] = *setup.bilateral;
    if (setup.closed)
      throw InputError("contact-space has no key 'closed': a contact is closed where parameters.gap is 0");
  }
  check_static_friction(contacts, origin, s.names, scene.laws);
}

// P, b, their rates and the scales of the contact law; springs are set apart.
DriftingContacts read_drifting(const toml::table& p, const std::string& origin) {
  DriftingContacts c;
  c.P = read_matrix(*p.get("P"), origin, "parameters.P");
  const Eigen::Index n = c.P.rows();
  const auto matrix = [&](const char* key) -> Eigen::MatrixXd {
    return p.contains(key) ? read_matrix(*p.get(key), origin, std::string("parameters.") + key)
                           : Eigen::MatrixXd::Zero(n, n);
  };
  const auto vector = [&](const char* key) -> Eigen::VectorXd {
    return p.contains(key) ? read_vector(*p.get(key), "", origin, std::string("parameters.") + key)
                           : Eigen::VectorXd::Zero(n);
  };
  c.P_rate = matrix("P_rate");
  c.b_rate = vector("b_rate");
  c.b_force = matrix("b_force");
  if (p.contains("epsilon")) c.epsilon = read_number(*p.get("epsilon"), "1", origin, "parameters.epsilon");
  if (p.contains("t_start")) c.t_start = read_number(*p.get("t_start"), "s", origin, "parameters.t_start");
  const bool coupled = !c.b_force.isZero(0);
  const char* key = coupled ? "b_start" : "b";
  if (p.contains(coupled ? "b" : "b_start") || !p.contains(key))
    throw InputError(coupled ? "drifting-contacts with b_force needs parameters.b_start, b at t_start, and not b"
                             : "drifting-contacts without b_force needs parameters.b, b at t = 0, and not b_start");
  c.b = vector(key);
  return c;
}

void apply_springs(const toml::table* contacts, const std::string& origin, Scene& scene) {
  DriftingContacts& c = scene.drifting;
  std::vector<std::string> names;
  for (int i = 1; i <= c.count(); ++i) names.push_back(fmt::format("c{}", i));
  const Laws laws = read_contacts(contacts, origin, names);
  for (const auto& [name, setup] : laws.setups)
    if (setup.closed || setup.bilateral)
      throw InputError("drifting-contacts has no keys 'closed' and 'bilateral': all contacts are closed and may lift");
  for (const ContactLaw& law : laws.laws)
    if (law.tangential_stiffness || law.tangential_damping)
      throw InputError(
          "drifting-contacts has no keys 'tangential_stiffness' and 'tangential_damping': its friction is in P and b");
  scene.laws = laws.laws;
  c.stiffness.resize(c.count());
  c.damping.resize(c.count());
  for (int i = 0; i < c.count(); ++i) {
    c.stiffness(i) = scene.laws[static_cast<std::size_t>(i)].stiffness.value_or(1);
    c.damping(i) = scene.laws[static_cast<std::size_t>(i)].damping.value_or(1);
  }
}

}  // namespace

Scene build_contact_space(const toml::table& root, const std::string& origin) {
  refuse_sections(root, "contact-space", {"state", "forces"});
  const auto* p = section(root, origin, "parameters");
  if (p == nullptr) throw InputError("contact-space needs [parameters] with W, b, u and mu");
  check_keys(*p, origin, "parameters", contact_space_keys());
  Scene scene;
  scene.kind = SceneKind::contact_space;
  scene.mechanism = "contact-space";
  scene.tolerance = read_tolerance(section(root, origin, "tolerance"), origin, {0, 0});  // numbers at face value
  scene.space = read_contact_space(*p, origin);
  apply_contacts(section(root, origin, "contact"), origin, scene);
  refuse_penetration(scene);
  return scene;
}

Scene build_drifting(const toml::table& root, const std::string& origin) {
  refuse_sections(root, "drifting-contacts", {"forces"});
  const auto* p = section(root, origin, "parameters");
  if (p == nullptr || !p->contains("P")) throw InputError("drifting-contacts needs [parameters] with P and b");
  check_keys(*p, origin, "parameters", drifting_contacts_keys());
  Scene scene;
  scene.kind = SceneKind::drifting_contacts;
  scene.mechanism = "drifting-contacts";
  scene.drifting = read_drifting(*p, origin);
  apply_springs(section(root, origin, "contact"), origin, scene);
  check(scene.drifting);
  // P and b are given at t = 0; with b_force only b at t_start is known without following the motion.
  const bool coupled = !scene.drifting.b_force.isZero(0);
  scene.t = coupled ? scene.drifting.t_start : 0;
  if (const auto* state = section(root, origin, "state")) {
    check_keys(*state, origin, "state", {"t"});
    if (coupled && state->contains("t"))
      throw InputError("state.t cannot be chosen with b_force: b is known at t_start only");
    if (state->contains("t")) scene.t = read_number(*state->get("t"), "s", origin, "state.t");
  }
  return scene;
}

}  // namespace painleve::detail
