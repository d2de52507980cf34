// The mechanisms and scenarios that ship with the library, as `painleve gallery --json` prints them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace painleve::python {

nlohmann::ordered_json gallery_json();
// One mechanism or scenario; throws InputError with the nearest name.
nlohmann::ordered_json gallery_json(const std::string& name);

}  // namespace painleve::python
