// What adapter programs answer: their description, and the step of a case. Adapters are other people's programs.
#include <optional>
#include <string>

#include "painleve/engines/adapter_protocol.hpp"
#include "painleve/scene/scene.hpp"
#include "target_list.hpp"

namespace painleve::fuzz {
namespace {

const EngineCase& rod_case() {
  static const EngineCase one = engine_case(SceneSource::open("rod-three-solutions").build(), 0.01);
  return one;
}

}  // namespace

void read_engine_reply(std::string_view bytes) {
  const std::string text(bytes);
  std::optional<EngineDescription> description;
  if (accepted([&] { description = read_description(text); })) {
    law(!description->settings.empty(), "an engine without a setting");
  }
  std::optional<EngineReply> reply;
  if (accepted([&] { reply = read_reply(text, rod_case()); })) {
    const auto bodies = static_cast<Eigen::Index>(rod_case().bodies.size());
    if (reply->velocities)
      law(reply->velocities->size() == 6 * bodies && reply->velocities->allFinite(), "velocities that do not fit");
    if (reply->Lambda) {
      law(reply->Lambda->size() == rod_case().formulation.problem.q.size() && reply->Lambda->allFinite(),
          "impulses that do not fit");
    }
    law(reply->represents || !reply->reason.empty(), "an engine that cannot, without a reason");
  }
  if (!text.empty()) check_sentence("it said " + foreign_text(text));
}

}  // namespace painleve::fuzz
