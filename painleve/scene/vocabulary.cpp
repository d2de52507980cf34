#include "painleve/scene/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool raw(const std::string& mechanism) { return mechanism == "contact-space" || mechanism == "drifting-contacts"; }

// Section and key of everything that can be set in a mechanism, contacts aside.
using Sections = std::vector<std::pair<std::string, std::vector<std::string>>>;

Sections sections(const std::string& mechanism) {
  if (mechanism == "contact-space") return {{"parameters", contact_space_keys()}};
  if (mechanism == "drifting-contacts") return {{"parameters", drifting_contacts_keys()}, {"state", {"t"}}};
  const auto& entry = gallery_entry(mechanism);
  return {{"parameters", parameter_keys(entry)}, {"state", state_keys(entry)}, {"forces", force_keys(entry)}};
}

Sections sections(const RobotModel& robot) {
  std::vector<std::string> state;
  for (const auto& body : robot.bodies)
    for (const auto& joint : body.joints) state.push_back(joint.name);
  const std::size_t joints = state.size();
  for (std::size_t i = 0; i < joints; ++i) state.push_back(state[i] + "_dot");
  state.insert(state.end(), {"slip", "t"});
  return {{"parameters", {"gravity", "dimension"}}, {"state", state}};
}

const RobotJoint* joint_named(const RobotModel& robot, const std::string& name) {
  for (const auto& body : robot.bodies)
    for (const auto& joint : body.joints)
      if (joint.name == name || joint.file_name == name) return &joint;
  return nullptr;
}

std::string first_segment(const std::string& key) { return key.substr(0, key.find('.')); }

// A key with dots as a path, or nothing for a bare name.
std::string full_path(const std::string& key, const std::vector<std::string>& section_names) {
  if (key.find('.') == std::string::npos) return {};
  const std::string first = first_segment(key);
  if (contains(section_names, first)) return key;
  return (first == "slip" ? "state." : "contact.") + key;  // slip.foot1, tip.mu
}

// A bare name among all sections and the keys of contacts.
std::string find_key(const Sections& sections, const std::vector<std::string>& of_contacts, const std::string& key,
                     bool parameters_win) {
  std::vector<std::string> found;
  std::vector<std::string> known;
  for (const auto& [section, keys] : sections) {
    for (const auto& k : keys) {
      known.push_back(k);
      if (k == key) found.push_back(section + "." + key);
    }
  }
  for (const auto& k : of_contacts) {
    known.push_back(k);
    if (k == key && !(parameters_win && k == "mu" && !found.empty())) found.push_back("contact." + key);
  }
  found.erase(std::unique(found.begin(), found.end()), found.end());  // a joint may be called slip
  if (found.size() == 1) return found[0];
  if (found.empty()) throw InputError(unknown_name("key", key, known));
  throw InputError(fmt::format("'{}' is ambiguous: say {} or {}", key, found[0], found[1]));
}

std::string contact_unit(const std::string& path, const std::string& key) {
  if (key == "stiffness" || key == "tangential_stiffness") return "N/m";
  if (key == "damping" || key == "tangential_damping") return "N s/m";
  return key == "point" || path.ends_with(".plane.point") ? "m" : "1";
}

}  // namespace

std::vector<std::string> mechanism_names() {
  std::vector<std::string> names;
  for (const auto& entry : gallery()) names.push_back(entry.name);
  names.emplace_back("contact-space");
  names.emplace_back("drifting-contacts");
  return names;
}

std::vector<std::string> contact_keys() {
  return {"mu",
          "closed",
          "bilateral",
          "restitution",
          "law",
          "mu_impact",
          "mu_static",
          "stiffness",
          "damping",
          "tangential_stiffness",
          "tangential_damping",
          "compliance",
          "lands_beyond"};
}

std::vector<std::string> robot_contact_keys() { return {"body", "site", "geom", "point", "plane", "tangent"}; }
std::vector<std::string> robot_every_contact_keys() { return {"plane", "tangent"}; }
std::vector<std::string> robot_joint_keys() { return {"armature", "lock", "position"}; }

std::vector<std::string> contact_space_keys() {
  return {"dimension", "W", "b", "u", "mu", "gap", "drift", "bilateral"};
}

std::vector<std::string> drifting_contacts_keys() {
  return {"P", "b", "P_rate", "b_rate", "b_force", "b_start", "epsilon", "t_start"};
}

std::vector<std::string> parameter_keys(const GalleryEntry& entry) {
  std::vector<std::string> keys;
  for (const auto& info : entry.parameters) keys.push_back(info.name);
  keys.insert(keys.end(), entry.lists.begin(), entry.lists.end());
  return keys;
}

std::vector<std::string> posture_keys(const GalleryEntry& entry) {
  std::vector<std::string> keys = entry.coordinate_names();
  if (!entry.elbows.empty()) keys.emplace_back("elbow");
  return keys;
}

std::vector<std::string> state_keys(const GalleryEntry& entry) {
  std::vector<std::string> keys = posture_keys(entry);
  for (const auto& info : entry.coordinates) keys.push_back(info.name + "_dot");
  for (const auto& info : entry.stand_ins) keys.push_back(info.name);
  keys.emplace_back("slip");
  keys.emplace_back("t");
  return keys;
}

std::vector<std::string> force_keys(const GalleryEntry& entry) {
  std::vector<std::string> keys;
  for (const auto& info : entry.forces) keys.push_back(info.name);
  return keys;
}

std::vector<std::string> contact_names(const GalleryEntry& entry, const Setup& setup) {
  Setup complete = setup;
  for (const auto& info : entry.parameters) {
    const double value = setup.parameters.get(info.name, info.fallback);
    const bool usable = info.bound != Bound::count || (value >= 3 && value <= 1000);  // build() rejects others, by name
    complete.parameters.set(info.name, usable ? value : info.fallback);
  }
  for (const auto& list : entry.lists)
    if (!setup.lists.contains(list))
      throw InputError(fmt::format("{} needs parameters.{}, a list of [x, y]", entry.name, list));
  std::vector<std::string> names;
  for (const auto& contact : entry.contacts(complete)) names.push_back(contact.name);
  return names;
}

std::string parameter_unit(const GalleryEntry& entry, const std::string& key) {
  for (const auto& info : entry.parameters)
    if (info.name == key) return info.unit;
  return "m";  // lists of points
}

std::string state_unit(const GalleryEntry& entry, const std::string& key) {
  for (const auto* list : {&entry.coordinates, &entry.stand_ins}) {
    for (const auto& info : *list) {
      if (info.name == key) return info.unit;
      if (info.name + "_dot" == key) return info.unit + "/s";
    }
  }
  if (key == "slip") return "m/s";
  return key == "t" ? "s" : "";
}

std::string resolve_key(const std::string& mechanism, const std::string& key) {
  const std::string path = full_path(key, {"parameters", "state", "contact", "forces", "tolerance"});
  return path.empty() ? find_key(sections(mechanism), contact_keys(), key, raw(mechanism)) : path;
}

std::string path_unit(const std::string& mechanism, const std::string& path) {
  const std::string section = first_segment(path);
  const std::string key = path.substr(path.rfind('.') + 1);
  if (section == "contact") return contact_unit(path, key);
  if (raw(mechanism)) return "";
  const auto& entry = gallery_entry(mechanism);
  if (section == "parameters") return parameter_unit(entry, key);
  if (section == "state") return path.starts_with("state.slip") ? "m/s" : state_unit(entry, key);
  for (const auto& info : entry.forces)
    if (info.name == key) return info.unit;
  return "";
}

std::string resolve_key(const RobotModel& robot, const std::string& key) {
  std::string path = full_path(key, {"parameters", "state", "contact", "forces", "tolerance", "joint"});
  if (!path.empty()) return path;
  auto of_contacts = contact_keys();
  for (const auto& k : robot_every_contact_keys()) of_contacts.push_back(k);
  return find_key(sections(robot), of_contacts, key, false);
}

std::string path_unit(const RobotModel& robot, const std::string& path) {
  const std::string section = first_segment(path);
  const std::string key = path.substr(path.rfind('.') + 1);
  if (section == "contact") return contact_unit(path, key);
  if (section == "parameters") return key == "gravity" ? "m/s^2" : "1";
  const bool other = section == "state" && joint_named(robot, key) == nullptr;
  if (other && (key == "t" || path.starts_with("state.slip"))) return key == "t" ? "s" : "m/s";
  const bool rate = other && key.ends_with("_dot");
  const std::size_t dot = path.find('.');
  const std::string name =
      section == "joint" ? path.substr(dot + 1, path.rfind('.') - dot - 1) : key.substr(0, key.size() - (rate ? 4 : 0));
  const RobotJoint* joint = joint_named(robot, name);
  if (joint == nullptr) return "";
  const bool hinge = joint->kind == JointKind::hinge;
  if (section == "joint" && key == "armature") return hinge ? "kg m^2" : "kg";
  if (section == "forces") return hinge ? "N m" : "N";
  return (hinge ? "rad" : "m") + std::string(rate ? "/s" : "");
}

}  // namespace painleve
