// What map and merge say about a map.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "painleve/study/map_file.hpp"

namespace painleve::cli {

std::string map_text(const MapFile& file);
nlohmann::ordered_json map_json(const MapFile& file, const std::string& command);

}  // namespace painleve::cli
