// Scenes: the scenario text behind them, their contact space, and the gallery.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "gallery_json.hpp"
#include "json_to_python.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/base/unit.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/study/quantity.hpp"
#include "pictures.hpp"

namespace painleve::python {
namespace py = pybind11;
namespace {

// A copy of the source is built: another thread may set values of the original meanwhile.
Scene built(const SceneSource& source) {
  const SceneSource copy = source;
  const py::gil_scoped_release unlocked;
  return copy.build();
}

py::dict contact_space(const SceneSource& source) {
  const Scene scene = built(source);
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("drifting contacts have no contact space: they are known by their slip matrix P and b");
  const ContactSpace& s = scene.space;
  py::dict d;
  d["dimension"] = s.dimension;
  d["names"] = s.names;
  d["W"] = s.W;
  d["b"] = s.b;
  d["drift"] = s.drift;
  d["u"] = s.u;
  d["gap"] = s.gap;
  d["mu"] = s.mu;
  d["bilateral"] = s.bilateral;
  return d;
}

py::dict state(const SceneSource& source) {
  const Scene scene = built(source);
  py::dict d;
  d["q"] = py::dict();
  d["v"] = py::dict();
  d["t"] = scene.t;
  if (scene.kind != SceneKind::mechanism) return d;
  const auto& names = scene.posed.mechanism->coordinates();
  for (std::size_t i = 0; i < names.size(); ++i) {
    d["q"][py::str(names[i])] = scene.posed.state.q(static_cast<Eigen::Index>(i));
    d["v"][py::str(names[i])] = scene.posed.state.v(static_cast<Eigen::Index>(i));
  }
  d["t"] = scene.posed.state.t;
  return d;
}

std::string scene_svg(const SceneSource& source) {
  const Scene scene = built(source);
  const py::gil_scoped_release unlocked;
  return scene_picture(scene);
}

}  // namespace

void add_scene(py::module_& m) {
  py::class_<SceneSource>(m, "SceneSource")
      .def_static("open", &SceneSource::open)
      .def_static("parse",
                  py::overload_cast<const std::string&, const std::string&, const std::string&>(&SceneSource::parse))
      .def("set", py::overload_cast<const std::string&>(&SceneSource::set))
      .def("set_number", py::overload_cast<const std::string&, double>(&SceneSource::set))
      .def("resolve", &SceneSource::resolve)
      .def("unit", &SceneSource::unit)
      .def("mechanism", &SceneSource::mechanism)
      .def("text", &SceneSource::text)
      .def("copy", [](const SceneSource& source) { return source; })
      .def("contact_space", &contact_space)
      .def("state", &state)
      .def("svg", &scene_svg);
  m.def("gallery", [] { return to_python(gallery_json()); });
  m.def("gallery_entry", [](const std::string& name) { return to_python(gallery_json(name)); });
  m.def("quantity_names", &quantity_names);
  m.def("parse_quantity", [](const std::string& text, const std::string& unit) { return parse_quantity(text, unit); });
}

}  // namespace painleve::python
