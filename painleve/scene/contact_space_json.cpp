#include "painleve/scene/contact_space_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

using Json = nlohmann::json;

double number(const Json& j, const std::string& name) {
  if (!j.is_number()) throw InputError(fmt::format("{} must hold finite numbers", name));
  return j.get<double>();
}

// A number counts as a list of one, and stands for every contact where one per contact is asked.
Eigen::VectorXd vector(const Json& j, const std::string& name, Eigen::Index spread = 1) {
  if (j.is_number()) return Eigen::VectorXd::Constant(spread, number(j, name));
  if (!j.is_array()) throw InputError(fmt::format("{} must be a list of numbers", name));
  Eigen::VectorXd v(static_cast<Eigen::Index>(j.size()));
  for (std::size_t i = 0; i < j.size(); ++i) v(static_cast<Eigen::Index>(i)) = number(j[i], name);
  return v;
}

Eigen::MatrixXd matrix(const Json& j, const std::string& name) {
  if (!j.is_array() || j.empty()) throw InputError(fmt::format("{} must be a list of rows", name));
  Eigen::MatrixXd m;
  for (std::size_t i = 0; i < j.size(); ++i) {
    if (!j[i].is_array()) throw InputError(fmt::format("{} must be a list of rows", name));
    const Eigen::VectorXd row = vector(j[i], name);
    if (i == 0) m.resize(static_cast<Eigen::Index>(j.size()), row.size());
    if (row.size() != m.cols()) throw InputError(fmt::format("{} has rows of different length", name));
    m.row(static_cast<Eigen::Index>(i)) = row.transpose();
  }
  return m;
}

void check_known(const Json& object, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end()) throw InputError(unknown_name("key", key, known));
}

// A line may also be a scenario file written as JSON.
const Json& parameters(const Json& object) {
  if (!object.contains("parameters")) return object;
  check_known(object, {"schema", "mechanism", "parameters"});
  if (object.value("schema", Json(1)) != 1) throw InputError("schema must be 1, the only version there is");
  if (object.value("mechanism", Json("contact-space")) != "contact-space")
    throw InputError("mechanism must be contact-space");
  return object["parameters"];
}

void check_keys(const Json& object) {
  check_known(object, {"dimension", "W", "b", "u", "mu", "gap", "drift", "bilateral", "names", "stiffness", "damping"});
  for (const char* key : {"W", "b", "u", "mu"})
    if (!object.contains(key)) throw InputError(fmt::format("the key {} is missing", key));
}

void read_options(const Json& p, Scene& scene) {
  ContactSpace& s = scene.space;
  const Eigen::Index n = s.count();
  if (p.contains("drift")) s.drift = vector(p["drift"], "drift");
  if (p.contains("gap")) s.gap = vector(p["gap"], "gap", n);
  if (p.contains("bilateral")) {
    const Json& j = p["bilateral"];
    if (!j.is_boolean() && !j.is_array()) throw InputError("bilateral must be true, false or a list of these");
    s.bilateral.assign(static_cast<std::size_t>(n), j.is_boolean() && j.get<bool>());
    if (j.is_array()) s.bilateral.clear();
    for (std::size_t i = 0; j.is_array() && i < j.size(); ++i) {
      if (!j[i].is_boolean()) throw InputError("bilateral must be true, false or a list of these");
      s.bilateral.push_back(j[i].get<bool>());
    }
  }
  if (p.contains("names")) {
    if (!p["names"].is_array() ||
        !std::all_of(p["names"].begin(), p["names"].end(), [](const Json& x) { return x.is_string(); }))
      throw InputError("names must be a list of words");
    s.names = p["names"].get<std::vector<std::string>>();
  }
}

void read_springs(const Json& p, const char* key, std::vector<ContactLaw>& laws,
                  std::optional<double> ContactLaw::*member) {
  if (!p.contains(key)) return;
  const auto n = static_cast<Eigen::Index>(laws.size());
  const Eigen::VectorXd v = vector(p[key], key, n);
  const bool positive = std::string_view(key) == "stiffness";
  if (v.size() != n || (v.array() < 0).any() || (positive && (v.array() == 0).any()))
    throw InputError(fmt::format("{} must hold one number {} per contact", key, positive ? "> 0" : ">= 0"));
  for (Eigen::Index i = 0; i < n; ++i) laws[static_cast<std::size_t>(i)].*member = v(i);
}

}  // namespace

Scene scene_from_json(const Json& object) {
  if (!object.is_object()) throw InputError("a contact space must be a JSON object");
  const Json& p = parameters(object);
  if (!p.is_object()) throw InputError("parameters must be a JSON object");
  check_keys(p);
  const double dimension = p.contains("dimension") ? number(p["dimension"], "dimension") : 2;
  if (dimension != 2 && dimension != 3) throw InputError(fmt::format("dimension is {}, expected 2 or 3", dimension));
  const Eigen::MatrixXd W = matrix(p["W"], "W");
  const Eigen::Index n = W.rows() / static_cast<Eigen::Index>(dimension);
  Scene scene;
  scene.name = scene.mechanism = "contact-space";
  scene.kind = SceneKind::contact_space;
  scene.tolerance = {0, 0};
  scene.space = raw_contact_space(static_cast<int>(dimension), W, vector(p["b"], "b"), vector(p["u"], "u"),
                                  vector(p["mu"], "mu", n));
  read_options(p, scene);
  check(scene.space);
  scene.laws.resize(static_cast<std::size_t>(scene.space.count()));
  for (int i = 0; i < scene.space.count(); ++i) scene.laws[static_cast<std::size_t>(i)].mu = scene.space.mu(i);
  read_springs(p, "stiffness", scene.laws, &ContactLaw::stiffness);
  read_springs(p, "damping", scene.laws, &ContactLaw::damping);
  refuse_penetration(scene);
  return scene;
}

}  // namespace painleve
