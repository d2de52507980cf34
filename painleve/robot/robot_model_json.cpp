// A RobotModel as JSON and back: what the reader program prints. The way back trusts nothing, since the other side is a
// program that works on files of strangers.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve {
namespace {

using Json = nlohmann::json;

Json written(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Json written(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

Json written(const Eigen::Matrix3d& m) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < 3; ++i) rows.push_back(written(Eigen::Vector3d(m.row(i))));
  return rows;
}

Json written(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

Json written(const RobotJoint& joint) {
  return {{"name", joint.name},
          {"file_name", joint.file_name},
          {"kind", joint.kind == JointKind::hinge ? "hinge" : "slide"},
          {"axis", written(joint.axis)},
          {"anchor", written(joint.anchor)},
          {"reference", joint.reference},
          {"home", joint.home},
          {"lower", written(joint.lower)},
          {"upper", written(joint.upper)},
          {"armature", joint.armature},
          {"damping", joint.damping},
          {"stiffness", joint.stiffness},
          {"spring_reference", joint.spring_reference}};
}

Json written(const RobotBody& body) {
  Json joints = Json::array();
  for (const RobotJoint& joint : body.joints) joints.push_back(written(joint));
  return {{"name", body.name},
          {"parent", body.parent},
          {"position", written(body.position)},
          {"rotation", written(body.rotation)},
          {"mass", body.mass},
          {"centre", written(body.centre)},
          {"inertia", written(body.inertia)},
          {"joints", std::move(joints)}};
}

Json written(const RobotFrame& frame) {
  return {{"name", frame.name},
          {"kind", frame.kind},
          {"body", frame.body},
          {"position", written(frame.position)},
          {"rotation", written(frame.rotation)}};
}

Json written(const JointCoupling& coupling) {
  return {{"joint", coupling.joint}, {"driver", coupling.driver}, {"polynomial", coupling.polynomial}};
}

Json written(const LoopClosure& loop) {
  return {{"name", loop.name},
          {"weld", loop.weld},
          {"body1", loop.body1},
          {"body2", loop.body2},
          {"anchor1", written(loop.anchor1)},
          {"anchor2", written(loop.anchor2)},
          {"rotation", written(loop.rotation)}};
}

template <class Items>
Json list(const Items& items) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(written(item));
  return array;
}

// One JSON object with the words that name it in a message: "joint 'elbow' of the robot".
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) fail("must be an object");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("the robot model is broken: {} {}", where_, what));
  }

  void known(const std::vector<std::string>& keys) const {
    for (const auto& item : object_.items()) {
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
        fail("has an " + unknown_name("key", item.key(), keys));
    }
  }

  const Json& at(const char* key) const {
    if (!object_.contains(key)) fail(fmt::format("has no key '{}'", key));
    return object_.at(key);
  }

  std::string text(const char* key) const {
    if (!at(key).is_string()) fail(fmt::format("needs a text as {}", key));
    return at(key).get<std::string>();
  }

  bool truth(const char* key) const {
    if (!at(key).is_boolean()) fail(fmt::format("needs true or false as {}", key));
    return at(key).get<bool>();
  }

  double finite(const Json& value, const char* key) const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail(fmt::format("needs finite numbers as {}", key));
    return value.get<double>();
  }

  double number(const char* key) const { return finite(at(key), key); }

  double not_negative(const char* key) const {
    const double value = number(key);
    if (value < 0) fail(fmt::format("has {} {:.9g}, which must not be negative", key, value));
    return value;
  }

  std::optional<double> maybe(const char* key) const {
    if (at(key).is_null()) return std::nullopt;
    return number(key);
  }

  const Json& items(const char* key) const {
    if (!at(key).is_array()) fail(fmt::format("needs a list as {}", key));
    return at(key);
  }

  template <std::size_t n>
  std::array<double, n> numbers(const Json& value, const char* key) const {
    if (!value.is_array() || value.size() != n) fail(fmt::format("needs {} numbers as {}", n, key));
    std::array<double, n> read{};
    for (std::size_t i = 0; i < n; ++i) read[i] = finite(value[i], key);
    return read;
  }

  Eigen::Vector3d vector(const char* key) const {
    const auto read = numbers<3>(at(key), key);
    return {read[0], read[1], read[2]};
  }

  Eigen::Vector3d direction(const char* key) const {
    Eigen::Vector3d v = vector(key);
    if (std::abs(v.norm() - 1) > 1e-9) fail(fmt::format("needs a unit vector as {}", key));
    return v;
  }

  Eigen::Quaterniond rotation(const char* key) const {
    const auto read = numbers<4>(at(key), key);
    Eigen::Quaterniond q(read[0], read[1], read[2], read[3]);
    if (std::abs(q.norm() - 1) > 1e-9) fail(fmt::format("needs a unit quaternion as {}", key));
    return q;
  }

  Eigen::Matrix3d symmetric(const char* key) const {
    if (!at(key).is_array() || at(key).size() != 3) fail(fmt::format("needs three rows as {}", key));
    Eigen::Matrix3d m;
    for (Eigen::Index i = 0; i < 3; ++i) {
      const auto row = numbers<3>(at(key)[static_cast<std::size_t>(i)], key);
      m.row(i) << row[0], row[1], row[2];
    }
    if ((m - m.transpose()).norm() > 1e-12 * m.norm()) fail(fmt::format("needs a symmetric matrix as {}", key));
    return m;
  }

  // An index of a body before the `bound`-th, or -1, the world.
  int body(const char* key, std::size_t bound) const {
    const Json& value = at(key);
    if (!value.is_number_integer() || value.get<long long>() < -1 ||
        value.get<long long>() >= static_cast<long long>(bound)) {
      fail(fmt::format("needs -1 or the index of a body of the list as {}, of a body before its own if it is a parent",
                       key));
    }
    return value.get<int>();
  }

 private:
  const Json& object_;
  std::string where_;
};

std::string name_of(const Json& object) {
  const bool named = object.is_object() && object.contains("name") && object["name"].is_string();
  return in_quotes(named ? object["name"].get<std::string>() : "?");
}

RobotJoint joint_from(const Json& json) {
  const Reader read(json, "joint " + name_of(json));
  read.known({"name", "file_name", "kind", "axis", "anchor", "reference", "home", "lower", "upper", "armature",
              "damping", "stiffness", "spring_reference"});
  RobotJoint joint;
  joint.name = read.text("name");
  joint.file_name = read.text("file_name");
  const std::string kind = read.text("kind");
  if (kind != "hinge" && kind != "slide") read.fail("needs hinge or slide as kind");
  joint.kind = kind == "hinge" ? JointKind::hinge : JointKind::slide;
  joint.axis = read.direction("axis");
  joint.anchor = read.vector("anchor");
  joint.reference = read.number("reference");
  joint.home = read.number("home");
  joint.lower = read.maybe("lower");
  joint.upper = read.maybe("upper");
  if (joint.lower && joint.upper && *joint.lower > *joint.upper) read.fail("has its lower limit above the upper one");
  joint.armature = read.not_negative("armature");
  joint.damping = read.not_negative("damping");
  joint.stiffness = read.not_negative("stiffness");
  joint.spring_reference = read.number("spring_reference");
  return joint;
}

RobotBody body_from(const Json& json, std::size_t index) {
  const Reader read(json, "body " + name_of(json));
  read.known({"name", "parent", "position", "rotation", "mass", "centre", "inertia", "joints"});
  RobotBody body;
  body.name = read.text("name");
  body.parent = read.body("parent", index);
  body.position = read.vector("position");
  body.rotation = read.rotation("rotation");
  body.mass = read.not_negative("mass");
  body.centre = read.vector("centre");
  body.inertia = read.symmetric("inertia");
  const double smallest = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(body.inertia).eigenvalues().minCoeff();
  if (smallest < -1e-12 * body.inertia.norm()) read.fail("has a negative moment of inertia");
  for (const Json& joint : read.items("joints")) body.joints.push_back(joint_from(joint));
  return body;
}

RobotFrame frame_from(const Json& json, std::size_t bodies) {
  const Reader read(json, "frame " + name_of(json));
  read.known({"name", "kind", "body", "position", "rotation"});
  const std::string kind = read.text("kind");
  if (kind != "site" && kind != "geom") read.fail("needs site or geom as kind");
  return {read.text("name"), kind, read.body("body", bodies), read.vector("position"), read.rotation("rotation")};
}

JointCoupling coupling_from(const Json& json, const std::set<std::string>& coordinates) {
  const Reader read(json, "a coupling");
  read.known({"joint", "driver", "polynomial"});
  JointCoupling coupling{read.text("joint"), read.text("driver"), read.numbers<5>(read.at("polynomial"), "polynomial")};
  if (!coordinates.contains(coupling.joint)) read.fail("is for the unknown joint " + in_quotes(coupling.joint));
  if (!coupling.driver.empty() && !coordinates.contains(coupling.driver)) {
    read.fail("has the unknown driver " + in_quotes(coupling.driver));
  }
  if (coupling.driver == coupling.joint) read.fail("ties the joint " + in_quotes(coupling.joint) + " to itself");
  return coupling;
}

LoopClosure loop_from(const Json& json, std::size_t bodies) {
  const Reader read(json, "loop " + name_of(json));
  read.known({"name", "weld", "body1", "body2", "anchor1", "anchor2", "rotation"});
  return {read.text("name"),      read.truth("weld"),     read.body("body1", bodies), read.body("body2", bodies),
          read.vector("anchor1"), read.vector("anchor2"), read.rotation("rotation")};
}

bool well_formed(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::set<std::string> coordinates_of(const RobotModel& model, const Reader& read) {
  std::set<std::string> names;
  for (const RobotBody& body : model.bodies) {
    for (const RobotJoint& joint : body.joints) {
      if (!well_formed(joint.name))
        read.fail("has the joint name " + in_quotes(joint.name) + ", which is no plain name");
      if (!names.insert(joint.name).second) read.fail("has two joints of the name " + in_quotes(joint.name));
    }
  }
  return names;
}

}  // namespace

Json to_json(const RobotModel& model) {
  return {{"schema", 1},
          {"name", model.name},
          {"format", model.format},
          {"gravity", written(model.gravity)},
          {"bodies", list(model.bodies)},
          {"frames", list(model.frames)},
          {"couplings", list(model.couplings)},
          {"loops", list(model.loops)},
          {"notes", model.notes}};
}

RobotModel robot_model_from_json(const Json& json) {
  const Reader read(json, "it");
  read.known({"schema", "name", "format", "gravity", "bodies", "frames", "couplings", "loops", "notes"});
  if (read.at("schema") != 1) read.fail("needs schema 1, the only version there is");
  RobotModel model;
  model.name = read.text("name");
  model.format = read.text("format");
  if (model.format != "mjcf" && model.format != "urdf") read.fail("needs mjcf or urdf as format");
  model.gravity = read.vector("gravity");
  for (const Json& body : read.items("bodies")) model.bodies.push_back(body_from(body, model.bodies.size()));
  for (const Json& frame : read.items("frames")) model.frames.push_back(frame_from(frame, model.bodies.size()));
  const std::set<std::string> coordinates = coordinates_of(model, read);
  for (const Json& coupling : read.items("couplings")) model.couplings.push_back(coupling_from(coupling, coordinates));
  for (const Json& loop : read.items("loops")) model.loops.push_back(loop_from(loop, model.bodies.size()));
  for (const Json& note : read.items("notes")) {
    if (!note.is_string()) read.fail("needs texts as notes");
    model.notes.push_back(note.get<std::string>());
  }
  return model;
}

}  // namespace painleve
