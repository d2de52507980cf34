// What there is: the scenes and quantities of the program, and what can be moved in one scene.
#include <algorithm>

#include "api.hpp"
#include "painleve/base/error.hpp"
#include "painleve/study/quantity.hpp"
#include "request.hpp"
#include "scene_variables.hpp"

namespace painleve::studio {
namespace {

int dimension_of(const Scene& scene) { return scene.kind == SceneKind::drifting_contacts ? 2 : scene.space.dimension; }

Json shipped_scenes() {
  Json scenes = Json::array();
  for (const Scenario& scenario : scenarios()) {
    const Scene scene = SceneSource::parse(scenario.text, scenario.name).build();
    scenes.push_back({{"name", scenario.name},
                      {"title", scenario.title()},
                      {"mechanism", scene.mechanism},
                      {"kind", "scenario"},
                      {"dimension", dimension_of(scene)}});
  }
  for (const GalleryEntry& entry : gallery()) {
    if (!entry.lists.empty()) continue;  // nothing to show before its points are given
    scenes.push_back({{"name", entry.name},
                      {"title", entry.summary},
                      {"mechanism", entry.name},
                      {"kind", "mechanism"},
                      {"dimension", entry.dimension}});
  }
  return scenes;
}

const char* name_of(QuantityCost cost) {
  constexpr const char* names[] = {"contact", "modes", "analysis", "simulation"};
  return names[static_cast<int>(cost)];
}

Json all_quantities() {
  Json list = Json::array();
  for (const std::string& name : quantity_names()) {
    const Quantity quantity = Quantity::parse(name);
    list.push_back({{"name", name},
                    {"unit", quantity.unit()},
                    {"meaning", quantity.meaning()},
                    {"words", quantity.words()},
                    {"of_contact", quantity.of_contact()},
                    {"cost", name_of(quantity.cost())}});
  }
  return list;
}

Json variable_json(const Variable& v) {
  return {{"path", v.path}, {"name", v.name}, {"group", v.group},     {"unit", v.unit},    {"value", v.value},
          {"from", v.from}, {"to", v.to},     {"meaning", v.meaning}, {"solved", v.solved}};
}

const char* name_of(SceneKind kind) {
  constexpr const char* names[] = {"mechanism", "contact_space", "drifting_contacts"};
  return names[static_cast<int>(kind)];
}

Json contacts_of(const Scene& scene) {
  if (scene.kind != SceneKind::drifting_contacts) return scene.space.names;
  Json names = Json::array();
  for (int i = 1; i <= scene.drifting.count(); ++i) names.push_back("c" + std::to_string(i));
  return names;
}

}  // namespace

Json hello(const StartScene& start) {
  static const Json scenes = shipped_scenes(), quantities = all_quantities();
  Json first = {{"name", start.name}};
  if (!start.toml.empty()) first["toml"] = start.toml;
  first["set"] = start.set;
  return {{"program", "painleve"},
          {"version", PAINLEVE_VERSION},
          {"scenes", scenes},
          {"quantities", quantities},
          {"start", std::move(first)}};
}

Json describe_scene(const Json& request) {
  refuse_others(request, {"scene"});
  const Scene scene = built_scene(request);
  const SceneSource source = scene_source(request["scene"]);
  Json list = Json::array();
  for (const Variable& v : variables(source, scene)) list.push_back(variable_json(v));
  return {{"name", scene.name},
          {"mechanism", scene.mechanism},
          {"kind", name_of(scene.kind)},
          {"dimension", dimension_of(scene)},
          {"contacts", contacts_of(scene)},
          {"toml", source.text()},
          {"variables", std::move(list)}};
}

}  // namespace painleve::studio
