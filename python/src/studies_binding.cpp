// search() and converge().
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "interruptible.hpp"
#include "json_to_python.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"
#include "painleve/study/converge.hpp"
#include "painleve/study/search.hpp"
#include "pictures.hpp"

namespace painleve::python {
namespace py = pybind11;
namespace {

py::dict extreme_dict(const Extreme& e) {
  py::dict d;
  d["value"] = e.value;
  d["at"] = e.at;
  d["interior"] = e.interior;
  d["at_hole"] = e.at_hole;
  d["confirmed"] = e.confirmed;
  d["members"] = e.members;
  d["from"] = e.from;
  d["to"] = e.to;
  d["exponent"] = e.exponent;
  if (e.scene.kind != SceneKind::mechanism || e.scene.posed.mechanism == nullptr) return d;
  const auto& names = e.scene.posed.mechanism->coordinates();
  py::dict q;
  for (std::size_t i = 0; i < names.size(); ++i)
    q[py::str(names[i])] = e.scene.posed.state.q(static_cast<Eigen::Index>(i));
  d["q"] = q;
  return d;
}

py::dict search_dict(const SceneSource& source, const std::string& quantity, bool minimise,
                     const std::vector<SearchAxis>& axes, int threads) {
  SearchProblem problem{source, Quantity::parse(quantity), minimise, axes, threads};
  const SearchReport report =
      interruptible([&](const Stop& stop) { return search(problem, [&stop](double) { return !stop; }); });
  py::dict d;
  py::list extremes;
  py::list unbounded;
  for (const Extreme& e : report.extremes) extremes.append(extreme_dict(e));
  for (const Extreme& e : report.unbounded) unbounded.append(extreme_dict(e));
  d["extremes"] = extremes;
  d["unbounded"] = unbounded;
  d["independent_of"] = report.independent;
  d["cell"] = report.cell;
  d["evaluated"] = report.evaluated;
  d["undefined"] = report.undefined;
  d["undefined_reason"] = report.undefined_reason;
  d["complete"] = report.complete;
  d["quantity"] = problem.quantity.name();
  return d;
}

struct Convergence {
  ConvergeProblem problem;
  ConvergeReport report;
};

ConvergeProblem converge_problem(const py::dict& given) {
  ConvergeProblem p;
  p.stiffness = given["stiffness"].cast<std::vector<double>>();
  p.dt = given["dt"].cast<std::vector<double>>();
  for (const auto& text : given["regularisation"].cast<std::vector<std::string>>())
    p.regularisations.push_back(Regularisation::parse(text));
  for (const auto& text : given["scheme"].cast<std::vector<std::string>>()) p.schemes.push_back(step_scheme(text));
  p.theta = given["theta"].cast<double>();
  p.simulation.t_end = given["t_end"].cast<double>();
  p.simulation.policy = policy(given["policy"].cast<std::string>());
  p.simulation.relative = given["tolerance"].cast<double>();
  return p;
}

std::shared_ptr<Convergence> run_converge(const SceneSource& source, const py::dict& given) {
  auto study = std::make_shared<Convergence>();
  study->problem = converge_problem(given);
  interruptible([&](const Stop& stop) {
    study->problem.scene = source.build();
    study->report = converge(study->problem, [&stop](double) { return !stop; });
    return true;
  });
  return study;
}

void add_converge(py::module_& m) {
  py::class_<Convergence, std::shared_ptr<Convergence>>(m, "Convergence")
      .def("json",
           [](const Convergence& study) {
             nlohmann::ordered_json json;
             {
               const py::gil_scoped_release unlocked;
               json = to_json(study.problem, study.report);
             }
             return to_python(json);
           })
      .def("svg", [](const Convergence& study) {
        const py::gil_scoped_release unlocked;
        return converge_picture(study.problem, study.report);
      });
  m.def("converge", &run_converge);
  m.def("logarithmic_range", &logarithmic_range);
}

}  // namespace

void add_studies(py::module_& m) {
  py::class_<SearchAxis>(m, "SearchAxis")
      .def(py::init([](const SceneSource& source, const std::string& name, double from, double to, int count) {
        return SearchAxis{source.resolve(name), name, from, to, count};
      }))
      .def_readonly("path", &SearchAxis::path)
      .def_readonly("name", &SearchAxis::name)
      .def_readonly("start", &SearchAxis::from)
      .def_readonly("stop", &SearchAxis::to)
      .def_readonly("count", &SearchAxis::count);
  m.def("search", &search_dict);
  m.def("default_count", [](std::size_t axes) { return default_count(axes); });
  m.def("parse_range", [](const std::string& text, const std::string& unit) {
    const Range range = parse_range(text, unit);
    return py::make_tuple(range.from, range.to, range.count);
  });
  add_converge(m);
}

}  // namespace painleve::python
