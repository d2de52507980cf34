// Scenario files. A text that is read is written again and read again: the same text, the same scene, the same answer,
// digit by digit. What is answered is checked for contradictions.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "answers.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/scene.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

std::optional<Scene> built(const SceneSource& source) {
  std::optional<Scene> scene;
  accepted([&] { scene = source.build(); });
  return scene;
}

}  // namespace

void read_scenario(std::string_view bytes) {
  std::optional<SceneSource> source;
  if (!accepted([&] { source = SceneSource::parse(std::string(bytes), "fuzz.toml"); })) return;
  const std::string written = source->text();
  std::optional<SceneSource> again;
  law(accepted([&] { again = SceneSource::parse(written, "fuzz.toml"); }), "a written scenario is not read again");
  law(again->text() == written, "a scenario changes when it is written and read again");

  const std::optional<Scene> scene = built(*source), twin = built(*again);
  law(scene.has_value() == twin.has_value(), "a scenario is built from one of two equal texts only");
  if (!scene) return;
  law(same_numbers(*scene, *twin), "equal scenarios give scenes with other numbers");
  if (!small_enough(*scene)) return;
  std::optional<Analysis> analysis;
  if (!accepted([&] { analysis = analyze(*scene); })) return;
  check_modes(*scene, analysis->modes);
  law(to_json(*analysis) == to_json(analyze(*twin)), "equal scenes give different answers");
}

}  // namespace painleve::fuzz
