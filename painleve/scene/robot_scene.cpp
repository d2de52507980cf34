// Robots in scenarios: where their contacts are, and what is said of their joints. From the entry that is made of it on
// a robot is a mechanism like those of the gallery (mechanism_scene.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"
#include "painleve/base/fingerprint.hpp"
#include "painleve/base/names.hpp"
#include "painleve/robot/robot_reader.hpp"
#include "painleve/scene/scene_builders.hpp"
#include "painleve/scene/toml_reader.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve::detail {
namespace {

bool same(const std::optional<Eigen::Vector3d>& a, const std::optional<Eigen::Vector3d>& b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}

bool same(const RobotContact& a, const RobotContact& b) {
  return a.name == b.name && a.body == b.body && a.site == b.site && a.geom == b.geom && a.point == b.point &&
         same(a.plane_point, b.plane_point) && a.normal == b.normal && same(a.tangent, b.tangent);
}

bool same(const RobotSetup& a, const RobotSetup& b) {
  const auto same_joint = [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.armature == y.second.armature && x.second.lock == y.second.lock &&
           x.second.position == y.second.position;
  };
  return a.dimension == b.dimension &&
         std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(),
                    [](const RobotContact& x, const RobotContact& y) { return same(x, y); }) &&
         std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(), same_joint);
}

Eigen::Vector3d read_place(const toml::node& node, const std::string& unit, const std::string& origin,
                           const std::string& path) {
  const Eigen::VectorXd v = read_vector(node, unit, origin, path);
  if (v.size() != 3) throw InputError(where(node, origin, path) + " must be a list of three numbers, [x, y, z]");
  return v;
}

std::vector<std::string> frame_names(const RobotModel& model, const std::string& kind) {
  std::vector<std::string> names;
  if (kind == "body")
    for (const auto& body : model.bodies) names.push_back(body.name);
  for (const auto& frame : model.frames)
    if (frame.kind == kind) names.push_back(frame.name);
  return names;
}

// The one of body, site and geom that is given.
void read_frame(const RobotModel& model, const toml::table& table, const std::string& origin, const std::string& path,
                RobotContact& contact) {
  int given = 0;
  for (const auto& [key, to] : {std::pair{"body", &contact.body}, {"site", &contact.site}, {"geom", &contact.geom}}) {
    const auto* node = table.get(key);
    if (node == nullptr) continue;
    ++given;
    const std::string full = path + "." + key;
    const auto* name = node->as_string();
    if (name == nullptr) throw InputError(where(*node, origin, full) + " must be a name in quotes");
    const auto names = frame_names(model, key);
    if (std::find(names.begin(), names.end(), name->get()) == names.end())
      throw InputError(where(*node, origin, full) + " is an " + unknown_name(key, name->get(), names));
    *to = name->get();
  }
  if (given != 1)
    throw InputError(
        where(table, origin, path) +
        fmt::format(" needs {} body, site and geom: what of the robot touches", given == 0 ? "one of" : "only one of"));
}

void read_plane(const toml::node& node, const std::string& origin, const std::string& path, RobotContact& contact) {
  const auto& plane = read_table(node, origin, path);
  check_keys(plane, origin, path, {"point", "normal"});
  if (const auto* point = plane.get("point")) contact.plane_point = read_place(*point, "m", origin, path + ".point");
  if (const auto* normal = plane.get("normal")) {
    contact.normal = read_place(*normal, "1", origin, path + ".normal");
    if (!(contact.normal.norm() > 0)) throw InputError(where(*normal, origin, path + ".normal") + " has no length");
  }
}

std::vector<std::string> one_contact_keys() {
  auto keys = contact_keys();
  for (const auto& key : robot_contact_keys()) keys.push_back(key);
  return keys;
}

// `all` holds what is said for every contact; a contact's own word wins.
RobotContact read_contact(const RobotModel& model, const toml::table& all, const std::string& name,
                          const std::string& origin) {
  const std::string path = "contact." + name;
  const toml::table& table = *all.get(name)->as_table();
  RobotContact contact;
  contact.name = name;
  check_keys(table, origin, path, one_contact_keys());
  read_frame(model, table, origin, path, contact);
  if (const auto* point = table.get("point")) contact.point = read_place(*point, "m", origin, path + ".point");
  for (const auto& [at, from] : {std::pair{std::string("contact"), &all}, {path, &table}}) {
    if (const auto* plane = from->get("plane")) read_plane(*plane, origin, at + ".plane", contact);
    if (const auto* tangent = from->get("tangent"))
      contact.tangent = read_place(*tangent, "1", origin, at + ".tangent");
  }
  return contact;
}

std::vector<RobotContact> read_robot_contacts(const RobotModel& model, const toml::table* contacts,
                                              const std::string& origin) {
  std::vector<RobotContact> list;
  const auto of_all = robot_every_contact_keys();
  const auto of_one = robot_contact_keys();
  static const toml::table none;
  for (const auto& [key, node] : contacts == nullptr ? none : *contacts) {
    const std::string name(key.str());
    if (std::find(of_all.begin(), of_all.end(), name) != of_all.end()) continue;
    if (std::find(of_one.begin(), of_one.end(), name) != of_one.end())
      throw InputError(where(node, origin, "contact." + name) +
                       fmt::format(" belongs to one contact, as [contact.tip] {}", name));
    if (node.is_table()) list.push_back(read_contact(model, *contacts, name, origin));
  }
  if (list.empty()) {
    throw InputError(fmt::format(
        "{}: a robot needs a contact, as [contact.tip] body = \"{}\", point = [0, 0, 0.1] in a scenario file, or --set "
        "contact.tip.body={} --set contact.tip.point=[0,0,0.1]",
        origin, model.bodies.empty() ? "tool" : model.bodies.back().name,
        model.bodies.empty() ? "tool" : model.bodies.back().name));
  }
  return list;
}

JointSetup read_joint(const toml::table& table, const RobotJoint& joint, const std::string& origin,
                      const std::string& path) {
  check_keys(table, origin, path, robot_joint_keys());
  const bool hinge = joint.kind == JointKind::hinge;
  JointSetup setup;
  if (const auto* node = table.get("armature")) {
    setup.armature = read_number(*node, hinge ? "kg m^2" : "kg", origin, path + ".armature");
    if (*setup.armature < 0)
      throw InputError(
          fmt::format("{} is {}, it must be >= 0", where(*node, origin, path + ".armature"), *setup.armature));
  }
  if (const auto* node = table.get("lock")) setup.lock = read_bool(*node, origin, path + ".lock");
  if (const auto* node = table.get("position"))
    setup.position = read_number(*node, hinge ? "rad" : "m", origin, path + ".position");
  if (setup.position && !setup.lock)
    throw InputError(where(*table.get("position"), origin, path + ".position") +
                     " is where a locked joint stands: set lock = true, or give state." + joint.name);
  return setup;
}

std::map<std::string, JointSetup> read_joints(const RobotModel& model, const toml::table* joints,
                                              const std::string& origin) {
  std::map<std::string, JointSetup> setups;
  if (joints == nullptr) return setups;
  std::vector<std::string> names;
  for (const auto& body : model.bodies) {
    for (const auto& joint : body.joints) {
      names.push_back(joint.name);
      if (joint.file_name != joint.name) names.push_back(joint.file_name);
    }
  }
  check_keys(*joints, origin, "joint", names);
  for (const auto& body : model.bodies) {
    for (const auto& joint : body.joints) {
      const auto* node = joints->get(joint.name);
      const std::string& name = node != nullptr ? joint.name : joint.file_name;
      if (node == nullptr) node = joints->get(joint.file_name);
      if (node == nullptr) continue;
      const std::string path = "joint." + name;
      setups[joint.name] = read_joint(read_table(*node, origin, path), joint, origin, path);
    }
  }
  return setups;
}

std::optional<int> read_dimension(const toml::table* parameters, const std::string& origin) {
  const auto* node = parameters == nullptr ? nullptr : parameters->get("dimension");
  if (node == nullptr) return std::nullopt;
  const double dimension = read_number(*node, "1", origin, "parameters.dimension");
  if (dimension != 2 && dimension != 3)
    throw InputError(fmt::format("{} is {}, expected 2 or 3", where(*node, origin, "parameters.dimension"), dimension));
  return static_cast<int>(dimension);
}

}  // namespace

RobotSource::RobotSource(const std::string& path, const std::string& named) {
  RobotModel model = read_robot(path);
  fingerprint_ = fmt::format("{:016x}", hash_bytes(to_json(model).dump()));
  std::vector<std::string> notes = model.notes;
  robot_ = std::make_shared<const SceneRobot>(SceneRobot{named, std::move(model), std::move(notes)});
}

// Moves what is found to the front, so that what a map alternates between stays.
const SceneEntry* RobotSource::known(const RobotSetup& setup) const {
  const auto found = std::find_if(made_.begin(), made_.end(), [&](const Made& m) { return same(m.setup, setup); });
  if (found == made_.end()) return nullptr;
  std::rotate(made_.begin(), found, found + 1);
  return &made_.front().entry;
}

// A note on missing rotor inertia is settled by a scenario that gives some.
SceneEntry RobotSource::make(const RobotSetup& setup) const {
  SceneEntry made{std::make_shared<const GalleryEntry>(robot_entry(robot_->model, setup)), robot_};
  const bool rotors = std::any_of(setup.joints.begin(), setup.joints.end(),
                                  [](const auto& joint) { return joint.second.armature.has_value(); });
  if (!rotors) return made;
  SceneRobot robot = *robot_;
  std::erase_if(robot.notes, [](const std::string& note) { return note.find("armature") != std::string::npos; });
  made.robot = std::make_shared<const SceneRobot>(std::move(robot));
  return made;
}

SceneEntry RobotSource::entry(const toml::table& root, const std::string& origin) const {
  const RobotModel& model = robot_->model;
  RobotSetup setup;
  setup.contacts = read_robot_contacts(model, section(root, origin, "contact"), origin);
  setup.joints = read_joints(model, section(root, origin, "joint"), origin);
  setup.dimension = read_dimension(section(root, origin, "parameters"), origin);
  {
    const std::lock_guard lock(mutex_);
    if (const auto* entry = known(setup)) return *entry;
  }
  SceneEntry entry = make(setup);
  constexpr std::size_t most = 16;
  const std::lock_guard lock(mutex_);
  if (const auto* other = known(setup)) return *other;  // another thread was faster
  if (made_.size() == most) made_.pop_back();
  made_.insert(made_.begin(), {std::move(setup), entry});
  return entry;
}

}  // namespace painleve::detail
