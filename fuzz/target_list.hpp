// All targets. One whose code is not built (robot files, without TinyXML-2) is not in the list.
#pragma once

#include <vector>

#include "target.hpp"

namespace painleve::fuzz {

void read_scenario(std::string_view bytes);
void read_words(std::string_view bytes);
void read_contact_json(std::string_view bytes);
void read_robot_json(std::string_view bytes);
void read_robot_file(std::string_view bytes);
void read_engine_reply(std::string_view bytes);
void read_checkpoint(std::string_view bytes);
void read_map_file(std::string_view bytes);
void read_studio_call(std::string_view bytes);
void read_http(std::string_view bytes);
void read_line(std::string_view bytes);
void read_command_line(std::string_view bytes);
void call_c_functions(std::string_view bytes);

std::vector<Target> target_list();

}  // namespace painleve::fuzz
