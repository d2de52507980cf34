// Ends of sliders are chosen to be felt, not to be allowed: numbers beyond may be typed.
#include "scene_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/base/expression.hpp"
#include "painleve/base/quantity.hpp"
#include "scene_values.hpp"
#include "state_variables.hpp"

namespace painleve::studio {
namespace {

// The next number of the row 1, 2, 5, 10, … from here on.
double round_up(double x) {
  if (!(x > 0) || !std::isfinite(x)) return 1;
  const double decade = std::pow(10, std::floor(std::log10(x)));
  for (const double step : {1.0, 2.0, 5.0})
    if (x <= step * decade * (1 + 1e-12)) return step * decade;
  return 10 * decade;
}

// For a parameter that is 0 now: how far a slider goes to be felt.
double reach_from_zero(const std::string& unit) {
  if (unit == "N/m" || unit == "N m/rad") return 100;
  if (unit == "m" || unit == "kg" || unit == "kg m^2") return 1;
  return 10;
}

void set_parameter_ends(const ParameterInfo& info, Variable& v) {
  const double size = std::max(std::abs(v.value), std::abs(info.fallback));
  const double reach = size > 0 ? round_up(3 * size) : reach_from_zero(info.unit);
  v.from = info.bound == Bound::any ? -reach : 0;
  v.to = reach;
  if (info.bound == Bound::positive) v.from = std::min(v.value, reach / 100);
  if (info.bound == Bound::count) set_between(v, 3, 16);
  if (info.bound != Bound::any) return;
  if (info.unit == "m/s^2") set_between(v, 0, 20);
  if (info.unit == "rad") set_between(v, -std::numbers::pi / 2, std::numbers::pi / 2);
  if (info.unit == "m/s") set_between(v, -std::max(5.0, reach), std::max(5.0, reach));
}

void add_parameters(const Scene& scene, const SceneValues& values, std::vector<Variable>& list) {
  for (const ParameterInfo& info : scene.entry->parameters) {
    Variable v{"parameters." + info.name,
               info.name,
               "parameters",
               info.unit,
               scene.posed.parameters.at(info.name),
               0,
               0,
               info.meaning,
               false};
    v.solved = info.derived && !values.given(v.path);
    if (v.solved) v.meaning += "; not set: " + info.derived_text;
    set_parameter_ends(info, v);
    list.push_back(v);
  }
}

// [N] What a contact would have to carry to hold back b, or half of gravity: the measure for applied forces.
double force_scale(const Scene& scene) {
  double scale = 0;
  for (int i = 0; i < scene.space.count(); ++i) {
    const int n = scene.space.normal(i);
    if (scene.space.W(n, n) > 0)
      scale = std::max(scale, std::max(5.0, std::abs(scene.space.b(n))) / scene.space.W(n, n));
  }
  return scale;
}

struct ForceValue {
  double value = 0;
  std::string formula;  // where it depends on t
};

// As the scenario reads it: a formula of t, or a number with a unit.
ForceValue force_value(const Written& written, const std::string& unit, double t) {
  if (written.number) return {*written.number, {}};
  try {
    const Expression formula = Expression::parse(written.text);
    return {formula.at(t).value, formula.constant() ? "" : formula.text()};
  } catch (const InputError&) {
    return {parse_quantity(written.text, unit), {}};
  }
}

void add_force(const Scene& scene, const SceneValues& values, const ForceInfo& info, std::vector<Variable>& list) {
  const auto written = values.written("forces." + info.name);
  const double lever = info.unit == "N m" ? drawn_size(scene) / 2 : 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(info.components); ++k) {
    const ForceValue now = k < written.size() ? force_value(written[k], info.unit, scene.t) : ForceValue{};
    // A component is set as a number beside numbers; beside a formula only the whole list can be written.
    const bool texts = std::any_of(written.begin(), written.end(), [](const Written& w) { return !w.number; });
    if (info.components > 1 && texts) return;
    const std::string name = info.components == 1 ? info.name : fmt::format("{}[{}]", info.name, k + 1);
    const double reach = round_up(std::max(3 * std::abs(now.value), 3 * lever * force_scale(scene)));
    Variable v{"forces." + name, name, "forces", info.unit, now.value, -reach, reach, info.meaning, false};
    if (!now.formula.empty()) v.meaning += fmt::format("; now {} at t = {} s", now.formula, scene.t);
    list.push_back(v);
  }
}

// One setting of a contact; "" is all contacts.
void add_setting(const std::string& contact, Variable v, std::vector<Variable>& list) {
  if (!contact.empty()) v.name = contact + "." + v.name;
  v.path = "contact." + v.name;
  v.group = "contact";
  list.push_back(std::move(v));
}

// A spring that is not set has no value: 0 stands for it, outside of the slider, and the analysis is that of rigid
// contacts until it is moved.
void add_springs(const std::string& contact, std::optional<double> stiffness, std::optional<double> damping,
                 std::vector<Variable>& list) {
  const double k = stiffness.value_or(0), c = damping.value_or(0);
  add_setting(contact,
              {"", "stiffness", "", "N/m", k, k > 0 ? round_up(k) / 1000 : 1, k > 0 ? round_up(10 * k) : 1e6,
               stiffness ? "spring of the contact" : "spring of the contact; not set: rigid", !stiffness},
              list);
  add_setting(contact,
              {"", "damping", "", "N s/m", c, 0, c > 0 ? round_up(10 * c) : 1e3,
               damping ? "damper of the contact" : "damper of the contact; not set", !damping},
              list);
}

void add_law(const std::string& contact, const ContactLaw& law, std::vector<Variable>& list) {
  add_setting(contact, {"", "mu", "", "1", law.mu, 0, std::max(3.0, 2 * law.mu), "friction", false}, list);
  add_setting(contact, {"", "restitution", "", "1", law.restitution, 0, 1, "restitution of an impact", false}, list);
  add_springs(contact, law.stiffness, law.damping, list);
}

bool same(const ContactLaw& a, const ContactLaw& b) {
  return a.mu == b.mu && a.restitution == b.restitution && a.stiffness == b.stiffness && a.damping == b.damping;
}

// Many contacts that are all alike are moved together.
void add_contacts(const Scene& scene, std::vector<Variable>& list) {
  const std::vector<std::string>& names = scene.space.names;
  constexpr std::size_t few = 4;
  const auto alike = [&](const ContactLaw& law) { return same(law, scene.laws.front()); };
  if (names.size() > few && std::all_of(scene.laws.begin(), scene.laws.end(), alike))
    return add_law("", scene.laws.front(), list);
  for (std::size_t i = 0; i < names.size(); ++i) add_law(names[i], scene.laws[i], list);
}

// The components of a list that the scenario gives as numbers.
void add_components(const SceneValues& values, const char* key, const char* unit, const char* meaning,
                    std::vector<Variable>& list) {
  const auto written = values.written(std::string("parameters.") + key);
  for (std::size_t k = 0; k < written.size(); ++k) {
    if (!written[k].number) continue;
    const double value = *written[k].number, reach = round_up(std::max(2.0, 3 * std::abs(value)));
    const std::string name = fmt::format("{}[{}]", key, k + 1);
    list.push_back({"parameters." + name, name, "parameters", unit, value, -reach, reach, meaning, false});
  }
}

void add_contact_space(const SceneValues& values, std::vector<Variable>& list) {
  add_components(values, "b", "m/s^2", "contact acceleration without contact force", list);
  add_components(values, "u", "m/s", "contact velocity", list);
}

void add_drifting(const Scene& scene, const SceneValues& values, std::vector<Variable>& list) {
  const DriftingContacts& c = scene.drifting;
  if (c.b_force.isZero(0))
    list.push_back({"state.t", "t", "state", "s", scene.t, std::min(-0.1, scene.t), std::max(0.1, scene.t),
                    "time: P and b drift with it", false});
  add_components(values, "b", "m/s^2", "normal acceleration without contact force, at t = 0", list);
  add_components(values, "b_start", "m/s^2", "normal acceleration without contact force, at t_start", list);
  list.push_back({"parameters.epsilon", "epsilon", "parameters", "1", c.epsilon, c.epsilon / 10, 10 * c.epsilon,
                  "scale of the contact law", false});
  for (int i = 0; i < c.count(); ++i) add_springs(fmt::format("c{}", i + 1), c.stiffness(i), c.damping(i), list);
}

}  // namespace

std::vector<Variable> variables(const SceneSource& source, const Scene& scene) {
  const SceneValues values(source);
  std::vector<Variable> list;
  if (scene.kind == SceneKind::drifting_contacts) {
    add_drifting(scene, values, list);
    return list;
  }
  if (scene.kind == SceneKind::contact_space) {
    add_contact_space(values, list);
    add_contacts(scene, list);
    return list;
  }
  list = state_variables(source, scene, values, {});
  add_parameters(scene, values, list);
  add_contacts(scene, list);
  for (const ForceInfo& info : scene.entry->forces) add_force(scene, values, info, list);
  return list;
}

void set_between(Variable& v, double from, double to) {
  v.from = std::min(from, v.value);
  v.to = std::max(to, v.value);
}

std::vector<Variable> movable_coordinates(const SceneSource& source, const Scene& scene) {
  if (scene.kind != SceneKind::mechanism) return {};
  return state_variables(source, scene, SceneValues(source), {.velocities = false});
}

double drawn_size(const Scene& scene) {
  if (scene.kind != SceneKind::mechanism) return 1;
  Place low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  const auto widen = [&](const Place& p, double by) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k] - by);
      high[k] = std::max(high[k], p[k] + by);
    }
  };
  const Outline outline = scene.posed.mechanism->outline(scene.posed.state);
  for (const Stroke& stroke : outline.strokes) {
    if (stroke.part != Part::body && stroke.part != Part::linkage) continue;
    for (const Place& p : stroke.points) widen(p, 0);
  }
  for (const Ball& ball : outline.balls) {
    if (ball.part == Part::body) widen(ball.centre, ball.radius);
  }
  const double size = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return size > 0 && std::isfinite(size) && low[0] <= high[0] ? size : 1;
}

}  // namespace painleve::studio
