#include "json_to_python.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace painleve::python {
namespace py = pybind11;

namespace {

// Names of files need not be UTF-8; text for people must be.
py::str text(const std::string& bytes) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

}  // namespace

py::object to_python(const nlohmann::ordered_json& json) {
  using Kind = nlohmann::ordered_json::value_t;
  switch (json.type()) {
    case Kind::boolean:
      return py::bool_(json.get<bool>());
    case Kind::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Kind::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Kind::number_float:
      return py::float_(json.get<double>());
    case Kind::string:
      return text(json.get_ref<const std::string&>());
    case Kind::array: {
      py::list list;
      for (const auto& value : json) list.append(to_python(value));
      return list;
    }
    case Kind::object: {
      py::dict dict;
      for (const auto& [key, value] : json.items()) dict[text(key)] = to_python(value);
      return dict;
    }
    default:
      return py::none();
  }
}

}  // namespace painleve::python
