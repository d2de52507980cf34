// Contact data as JSON, as `analyze --batch` reads it line by line; all formulations are solved, too. Numbers are small
// and often equal in the corpus, since ties are where solvers err.
#include <nlohmann/json.hpp>
#include <optional>

#include "answers.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/contact_space_json.hpp"
#include "painleve/scene/solving.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {

void read_contact_json(std::string_view bytes) {
  const nlohmann::json object = nlohmann::json::parse(bytes, nullptr, false);
  if (object.is_discarded()) return;
  std::optional<Scene> scene;
  if (!accepted([&] { scene = scene_from_json(object); })) return;
  if (!small_enough(*scene)) return;
  std::optional<Analysis> analysis;
  if (accepted([&] { analysis = analyze(*scene); })) {
    check_modes(*scene, analysis->modes);
    law(to_json(*analysis).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).size() > 2,
        "an answer without content");
  }
  for (const FormulationKind kind : {FormulationKind::acceleration, FormulationKind::impulse, FormulationKind::step}) {
    SolveOptions options;
    options.formulation = kind;
    std::optional<SolveReport> report;
    if (accepted([&] { report = solve(*scene, options); })) check_solutions(*report);
  }
}

}  // namespace painleve::fuzz
