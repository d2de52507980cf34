// A scene with a mechanism of the gallery, or with a robot: from its entry on they are the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/scene/scene_builders.hpp"
#include "painleve/scene/toml_reader.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve {

void clear_rounding(ContactSpace& s, const Tolerance& tolerance) {
  for (int i = 0; i < s.count(); ++i) {
    if (std::abs(s.gap(i)) <= tolerance.gap) s.gap(i) = 0;
    auto u_t = s.u.segment(s.tangent(i), s.dimension - 1);
    if (u_t.norm() <= tolerance.velocity) u_t.setZero();
    if (std::abs(s.u(s.normal(i))) <= tolerance.velocity) s.u(s.normal(i)) = 0;
  }
}

namespace detail {
namespace {

void read_slip(const toml::node& node, const std::string& origin, Setup& setup) {
  const auto read = [&](const toml::node& value, const std::string& path) {
    const Eigen::VectorXd v = read_vector(value, "m/s", origin, path);
    if (v.size() == 0) throw InputError(where(value, origin, path) + " is empty");
    return std::vector<double>(v.begin(), v.end());
  };
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      setup.slip[std::string(key.str())] = read(value, "state.slip." + std::string(key.str()));
  } else {
    setup.slip[""] = read(node, "state.slip");
  }
}

void read_state_value(const GalleryEntry& entry, const std::string& key, const toml::node& node,
                      const std::string& origin, const std::string& path, Setup& setup) {
  const auto names = entry.coordinate_names();
  const bool coordinate = std::find(names.begin(), names.end(), key) != names.end();  // a joint may be called elbow
  if (!coordinate && key == "slip")
    read_slip(node, origin, setup);
  else if (!coordinate && key == "elbow")
    setup.elbow = read_word(node, origin, path, entry.elbows);
  else if (!coordinate && key == "t")
    setup.t = read_number(node, "s", origin, path);
  else
    setup.given.set(key, read_number(node, state_unit(entry, key), origin, path));
}

void read_state(const GalleryEntry& entry, const toml::table* table, const std::string& origin, Setup& setup) {
  if (table == nullptr) return;
  check_keys(*table, origin, "state", state_keys(entry));
  for (const auto& [key, node] : *table) {
    const std::string name(key.str());
    read_state_value(entry, name, node, origin, "state." + name, setup);
  }
}

Points read_points(const toml::node& node, const std::string& origin, const std::string& path) {
  const Eigen::MatrixXd m = read_matrix(node, origin, path);
  if (m.cols() != 2) throw InputError(where(node, origin, path) + " must be a list of [x, y]");
  Points points;
  for (Eigen::Index i = 0; i < m.rows(); ++i) points.push_back({m(i, 0), m(i, 1)});
  return points;
}

// A coordinate or the elbow may also be written among the parameters, where people look for what does not move.
void read_parameters(const GalleryEntry& entry, const toml::table* table, const std::string& origin, bool robot,
                     Setup& setup) {
  if (table == nullptr) return;
  const auto posture = posture_keys(entry);
  auto accepted = parameter_keys(entry);
  accepted.insert(accepted.end(), posture.begin(), posture.end());
  if (robot) accepted.emplace_back("dimension");
  for (const auto& [key, node] : *table) {
    const std::string name(key.str());
    if (robot && name == "dimension") continue;  // the entry was made with it
    const std::string path = "parameters." + name;
    if (std::find(accepted.begin(), accepted.end(), name) == accepted.end())
      check_keys(*table, origin, "parameters", accepted);
    if (std::find(entry.lists.begin(), entry.lists.end(), name) != entry.lists.end())
      setup.lists[name] = read_points(node, origin, path);
    else if (std::find(posture.begin(), posture.end(), name) != posture.end())
      read_state_value(entry, name, node, origin, path, setup);
    else
      setup.parameters.set(name, read_number(node, parameter_unit(entry, name), origin, path));
  }
}

// A number, a number with a unit, or an expression of t.
Expression read_expression(const toml::node& node, const std::string& unit, const std::string& origin,
                           const std::string& path) {
  const auto* text = node.as_string();
  if (text == nullptr) return Expression::constant(read_number(node, unit, origin, path));
  try {
    return Expression::parse(text->get());
  } catch (const InputError& as_expression) {
    try {
      return Expression::constant(read_number(node, unit, origin, path));
    } catch (const InputError&) {
      throw InputError(fmt::format("{} is neither a number in {} nor an expression of t: {}", where(node, origin, path),
                                   unit, as_expression.what()));
    }
  }
}

void read_forces(const GalleryEntry& entry, const toml::table* table, const std::string& origin, Setup& setup) {
  if (table == nullptr) return;
  check_keys(*table, origin, "forces", force_keys(entry));
  for (const auto& info : entry.forces) {
    const auto* node = table->get(info.name);
    if (node == nullptr) continue;
    const std::string path = "forces." + info.name;
    std::vector<Expression> list;
    if (const auto* array = node->as_array()) {
      for (const auto& component : *array) list.push_back(read_expression(component, info.unit, origin, path));
    } else {
      list.push_back(read_expression(*node, info.unit, origin, path));
    }
    if (static_cast<int>(list.size()) != info.components)
      throw InputError(
          fmt::format("{} has {} components, expected {}", where(*node, origin, path), list.size(), info.components));
    setup.forces[info.name] = list;
  }
}

}  // namespace

Scene build_mechanism(const toml::table& root, const std::string& origin, SceneEntry made) {
  const GalleryEntry& entry = *made.entry;
  const bool robot = made.robot != nullptr;
  Setup setup;
  read_parameters(entry, section(root, origin, "parameters"), origin, robot, setup);
  read_state(entry, section(root, origin, "state"), origin, setup);
  read_forces(entry, section(root, origin, "forces"), origin, setup);

  Scene scene;
  scene.mechanism = entry.name;
  const auto* contacts = section(root, origin, "contact");
  const Laws laws = read_contacts(contacts, origin, contact_names(entry, setup), robot);
  check_static_friction(contacts, origin, contact_names(entry, setup), laws.laws);
  setup.contacts = laws.setups;
  scene.laws = laws.laws;
  for (const auto& [name, slip] : setup.slip) {
    if (!name.empty() && !laws.setups.contains(name))
      throw InputError(unknown_name("contact in state.slip", name, contact_names(entry, setup)));
  }
  scene.tolerance = read_tolerance(section(root, origin, "tolerance"), origin, {});
  scene.posed = build(entry, setup);
  setup.parameters = scene.posed.parameters;
  scene.t = scene.posed.state.t;
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < scene.laws.size(); ++i) {
    surfaces.push_back({scene.laws[i].mu, scene.posed.contacts[i].bilateral});
    if (!scene.laws[i].stiffness) scene.laws[i].stiffness = scene.posed.contacts[i].stiffness;
  }
  scene.space = contact_space(*scene.posed.mechanism, scene.posed.state, surfaces);
  clear_rounding(scene.space, scene.tolerance);
  constexpr double largest =
      1e100;  // as for contact spaces that are given: beyond, products leave the range of doubles
  if (!scene.space.W.allFinite() || (scene.space.W.size() > 0 && scene.space.W.cwiseAbs().maxCoeff() > largest))
    throw InputError("a mass or a length is so small or large that W is not finite or beyond 1e100");
  const double speed = std::max(scene.space.u.size() > 0 ? scene.space.u.cwiseAbs().maxCoeff() : 0,
                                scene.posed.state.v.size() > 0 ? scene.posed.state.v.cwiseAbs().maxCoeff() : 0);
  if (!(speed <= largest)) {
    throw InputError(fmt::format(
        "a velocity of {} is too large, allowed are sizes up to {}: its energy would leave the range of double "
        "precision",
        speed, largest));
  }
  if (!scene.space.b.allFinite())
    throw InputError(fmt::format(
        "the acceleration b is not finite at t = {} s: an applied force, a velocity or a parameter is too large",
        scene.t));
  scene.setup = std::move(setup);
  scene.entry = std::move(made.entry);
  scene.robot = std::move(made.robot);
  return scene;
}

}  // namespace detail
}  // namespace painleve
