// map(): quantities over a grid, as arrays.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "painleve/base/error.hpp"
#include "painleve/study/boundaries.hpp"
#include "painleve/study/map.hpp"
#include "painleve/study/map_file.hpp"
#include "pictures.hpp"
#include "simulate_options.hpp"

namespace painleve::python {
namespace py = pybind11;
namespace {

struct ComputedMap {
  Map map;
  std::vector<Boundary> boundaries;
  std::string scene, scene_text;
};

MapProblem map_problem(const SceneSource& source, const std::vector<MapAxis>& axes,
                       const std::vector<std::string>& quantities, const py::dict& given) {
  MapProblem problem{source, axes, {}, simulate_options(given), {}, "painleve " PAINLEVE_VERSION};
  if (given.contains("dt")) problem.step.dt = given["dt"].cast<double>();
  for (const std::string& name : quantities) problem.quantities.push_back(Quantity::parse(name));
  return problem;
}

// Of the columns of words, located between the cells; the other columns have none.
std::vector<Boundary> located(const MapProblem& problem, const Map& map, double tolerance, int threads) {
  MapProblem words = problem;
  words.quantities.clear();
  Map part = map;
  part.columns.clear();
  for (std::size_t k = 0; k < map.columns.size(); ++k) {
    if (!map.columns[k].words) continue;
    words.quantities.push_back(problem.quantities[k]);
    part.columns.push_back(map.columns[k]);
  }
  part.fingerprint = words.fingerprint();
  return boundaries(words, part, tolerance, threads);
}

std::shared_ptr<ComputedMap> computed(const MapProblem& problem, const std::string& scene, int threads,
                                      std::optional<double> boundary_tolerance) {
  return interruptible([&](const Stop& stop) {
    auto result = std::make_shared<ComputedMap>();
    MapOptions options;
    options.threads = threads;
    options.proceed = [&stop](double) { return !stop; };
    result->map = compute_map(problem, options);
    result->scene = scene;
    result->scene_text = problem.source.text();
    if (boundary_tolerance && result->map.complete)
      result->boundaries = located(problem, result->map, *boundary_tolerance, threads);
    return result;
  });
}

std::vector<py::ssize_t> shape(const Map& map) {
  std::vector<py::ssize_t> counts;
  for (const MapAxis& axis : map.axes) counts.push_back(axis.count);
  return counts;
}

const MapColumn& column(const ComputedMap& computed_map, std::size_t k) { return computed_map.map.columns.at(k); }

py::array axis_values(const ComputedMap& computed_map, std::size_t k) {
  const MapAxis& axis = computed_map.map.axes.at(k);
  std::vector<double> values;
  for (int i = 0; i < axis.count; ++i) values.push_back(axis.at(i));
  return owned(std::move(values), {axis.count});
}

void add_class(py::module_& m) {
  using Map = ComputedMap;
  py::class_<Map, std::shared_ptr<Map>>(m, "Map")
      .def("columns",
           [](const Map& self) {
             py::list list;
             for (const MapColumn& c : self.map.columns)
               list.append(py::make_tuple(c.quantity, c.unit, c.words, c.names));
             return list;
           })
      .def("axis_values", &axis_values)
      .def("values",
           [](const py::object& self, std::size_t k) {
             const auto& map = self.cast<const Map&>();
             return view(column(map, k).values.data(), shape(map.map), self);
           })
      .def("reason_indices",
           [](const py::object& self, std::size_t k) {
             const auto& map = self.cast<const Map&>();
             return view(column(map, k).reasons.data(), shape(map.map), self);
           })
      .def("reasons", [](const Map& self) { return self.map.reasons; })
      .def("boundaries",
           [](const Map& self) {
             py::list list;
             for (const Boundary& b : self.boundaries)
               list.append(py::make_tuple(b.quantity, b.below, b.above, b.chains));
             return list;
           })
      .def("svg",
           [](const Map& self) {
             const py::gil_scoped_release unlocked;
             return map_picture(self.map, self.boundaries);
           })
      .def("write", [](const Map& self, const std::string& path) {
        const py::gil_scoped_release unlocked;
        write_map({self.map, "painleve " PAINLEVE_VERSION, self.scene, self.scene_text, self.boundaries}, path);
      });
}

}  // namespace

void add_map(py::module_& m) {
  py::class_<MapAxis>(m, "MapAxis")
      .def(py::init([](const SceneSource& source, const std::string& name, double from, double to, int count) {
        const std::string path = source.resolve(name);
        return MapAxis{path, name, source.unit(path), from, to, count};
      }))
      .def_readonly("path", &MapAxis::path)
      .def_readonly("name", &MapAxis::name)
      .def_readonly("unit", &MapAxis::unit)
      .def_readonly("start", &MapAxis::from)
      .def_readonly("stop", &MapAxis::to)
      .def_readonly("count", &MapAxis::count);
  add_class(m);
  m.def("compute_map", [](const SceneSource& source, const std::string& scene, const std::vector<MapAxis>& axes,
                          const std::vector<std::string>& quantities, const py::dict& options, int threads,
                          std::optional<double> boundary_tolerance) {
    return computed(map_problem(source, axes, quantities, options), scene, threads, boundary_tolerance);
  });
  m.def("quantity_cost", [](const std::string& name) { return static_cast<int>(Quantity::parse(name).cost()); });
}

}  // namespace painleve::python
