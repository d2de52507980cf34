// simulate(): the run as the program prints it, its samples as arrays, its picture, and its files.
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "json_to_python.hpp"
#include "painleve/scene/run_file.hpp"
#include "painleve/scene/simulating.hpp"
#include "pictures.hpp"
#include "simulate_options.hpp"
#include "trajectory.hpp"

namespace painleve::python {
namespace py = pybind11;
namespace {

// A run with what it was made from. Futures are parts of it and keep it alive.
struct Simulation {
  Scene scene;
  SimulateOptions options;
  Run run;
};

struct RunView {
  std::shared_ptr<const Simulation> simulation;
  const Run* run = nullptr;
};

template <class Value>
void take(const py::dict& options, const char* key, Value& value) {
  if (options.contains(key)) value = options[key].cast<Value>();
}

template <class Value, class Read>
void take_name(const py::dict& options, const char* key, Value& value, Read&& read) {
  if (options.contains(key)) value = read(options[key].cast<std::string>());
}

}  // namespace

// Only what is given; the rest keeps the defaults of the library.
SimulateOptions simulate_options(const py::dict& given) {
  SimulateOptions o;
  take_name(given, "method", o.method, &simulation_method);
  take(given, "t_end", o.simulation.t_end);
  take_name(given, "policy", o.simulation.policy, [](const std::string& name) { return policy(name); });
  take(given, "seed", o.simulation.seed);
  take(given, "tolerance", o.simulation.relative);
  take(given, "samples", o.simulation.samples);
  take_name(given, "several", o.simulation.several, [](const std::string& name) { return several_impacts(name); });
  take(given, "dt", o.stepping.dt);
  take_name(given, "scheme", o.stepping.scheme, [](const std::string& name) { return step_scheme(name); });
  take(given, "step_theta", o.stepping.theta);
  take(given, "position_correction", o.stepping.position_correction);
  take(given, "smoothing", o.compliant.smoothing);
  return o;
}

namespace {

RunView run_simulation(const SceneSource& source, const py::dict& given) {
  auto simulation = std::make_shared<Simulation>();
  simulation->options = simulate_options(given);
  interruptible([&](const Stop& stop) {
    simulation->scene = source.build();
    SimulateOptions options = simulation->options;
    options.simulation.progress = [&stop](const Progress&) { return !stop; };
    simulation->run = simulate(simulation->scene, options);
    return true;
  });
  const Run* run = &simulation->run;
  return {std::move(simulation), run};
}

py::object json_of(const RunView& view) {
  nlohmann::ordered_json json;
  {
    const py::gil_scoped_release unlocked;
    json = to_json(view.simulation->scene, view.simulation->options, *view.run);
  }
  return to_python(json);
}

std::string svg_of(const RunView& view) {
  const py::gil_scoped_release unlocked;
  return run_picture(view.simulation->scene, *view.run);
}

std::vector<RunView> futures_of(const RunView& view) {
  std::vector<RunView> list;
  for (const Run& future : view.run->futures) list.push_back({view.simulation, &future});
  return list;
}

template <class Value>
auto column(std::vector<Value> Trajectory::*member, std::vector<int Trajectory::*> widths = {}) {
  return [member, widths](const py::object& self) {
    const auto& table = self.cast<const Trajectory&>();
    std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(table.rows)};
    for (const auto width : widths) shape.push_back(table.*width);
    return view((table.*member).data(), std::move(shape), self);
  };
}

void add_trajectory(py::module_& m) {
  using T = Trajectory;
  py::class_<T, std::shared_ptr<T>>(m, "Trajectory")
      .def("__len__", [](const T& table) { return table.rows; })
      .def_property_readonly("t", column(&T::t))
      .def_property_readonly("energy", column(&T::energy))
      .def_property_readonly("q", column(&T::q, {&T::coordinates}))
      .def_property_readonly("v", column(&T::v, {&T::coordinates}))
      .def_property_readonly("gap", column(&T::gap, {&T::contacts}))
      .def_property_readonly("u", column(&T::u, {&T::contacts, &T::dimension}))
      .def_property_readonly("force", column(&T::lambda, {&T::contacts, &T::dimension}))
      .def_property_readonly("mode", column(&T::mode))
      .def_property_readonly("solutions", column(&T::solutions))
      .def_property_readonly("taken", column(&T::taken))
      .def_readonly("words", &T::words);
}

}  // namespace

void add_run(py::module_& m) {
  add_trajectory(m);
  py::class_<RunView>(m, "Run")
      .def("json", &json_of)
      .def("svg", &svg_of)
      .def("futures", &futures_of)
      .def("coordinates", [](const RunView& view) { return view.run->coordinates; })
      .def("contacts", [](const RunView& view) { return view.run->contacts; })
      .def("trajectory", [](const RunView& view) { return std::make_shared<Trajectory>(trajectory(*view.run)); })
      .def("write", [](const RunView& view, const std::string& path) {
        const py::gil_scoped_release unlocked;
        write_run(*view.run, path);
      });
  m.def("simulate", &run_simulation);
  m.def("chosen_method", [](const SceneSource& given) {
    const SceneSource source = given;  // another thread may change the original
    const py::gil_scoped_release unlocked;
    return std::string(to_string(chosen_method(source.build(), {})));
  });
}

}  // namespace painleve::python
