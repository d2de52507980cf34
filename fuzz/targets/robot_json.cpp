// The JSON that the reader of robot files prints. A model that is read is written and read again, and made into a
// mechanism with a contact on its last body.
#include <nlohmann/json.hpp>
#include <optional>

#include "painleve/robot/robot.hpp"
#include "painleve/robot/robot_model.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {

void read_robot_json(std::string_view bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_discarded()) return;
  std::optional<RobotModel> model;
  if (!accepted([&] { model = robot_model_from_json(json); })) return;
  const nlohmann::json written = to_json(*model);
  std::optional<RobotModel> again;
  law(accepted([&] { again = robot_model_from_json(written); }), "a written robot is not read again");
  law(to_json(*again) == written, "a robot changes when it is written and read again");
  if (model->bodies.empty()) return;
  RobotSetup setup;
  setup.contacts.push_back({});
  setup.contacts.back().name = "tip";
  setup.contacts.back().body = model->bodies.back().name;
  std::optional<GalleryEntry> entry;
  if (!accepted([&] { entry = robot_entry(*model, setup); })) return;
  law(!entry->coordinates.empty(), "a robot without coordinates is a mechanism");
  accepted([&] { build(*entry, Setup{}); });
}

}  // namespace painleve::fuzz
