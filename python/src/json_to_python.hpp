// The objects that the library prints as JSON, as Python dictionaries, lists and numbers, without the text in between.
#pragma once

#include <pybind11/pybind11.h>

#include <nlohmann/json_fwd.hpp>

namespace painleve::python {

pybind11::object to_python(const nlohmann::ordered_json& json);

}  // namespace painleve::python
