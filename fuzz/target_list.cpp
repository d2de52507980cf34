#include "target_list.hpp"

#include <nlohmann/json.hpp>

namespace painleve::fuzz {

static_assert(sizeof(nlohmann::ordered_json::object_t) == sizeof(std::vector<int>), "see gcc_layout.hpp");

std::vector<Target> target_list() {
  return {
      {"scenario", "scenario files, read, written, built and analyzed", 2048, read_scenario},
      {"words", "numbers with units, ranges, formulas, quantities and assignments", 256, read_words},
      {"contact_json", "contact data of analyze --batch, analyzed and solved", 2048, read_contact_json},
      {"robot_json", "what the reader of robot files returns", 4096, read_robot_json},
#ifdef PAINLEVE_FUZZ_ROBOT_FILES
      {"robot_file", "MJCF and URDF before MuJoCo sees them", 4096, read_robot_file},
#endif
      {"engine_reply", "what adapters of engines return", 1024, read_engine_reply},
      {"checkpoint", "checkpoints of maps", 2048, read_checkpoint},
      {"map_file", "map.h5", 8192, read_map_file},
      {"studio_call", "JSON bodies of the studio", 2048, read_studio_call},
      {"http", "requests to the studio's server", 2048, read_http},
      {"line", "frames on the studio's WebSocket", 1024, read_line},
      {"command_line", "arguments of the program", 512, read_command_line},
      {"c_abi", "the C functions", 512, call_c_functions},
  };
}

}  // namespace painleve::fuzz
