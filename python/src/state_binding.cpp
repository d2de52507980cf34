// What is asked of one state: analyze, solve, impact, cone. Each returns the object that the program prints as JSON,
// and its picture.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "bindings.hpp"
#include "json_to_python.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/impacting.hpp"
#include "painleve/scene/solving.hpp"
#include "pictures.hpp"

namespace painleve::python {
namespace py = pybind11;
namespace {

using Json = nlohmann::ordered_json;

// Computes without Python's lock and converts with it.
template <class Compute>
py::object unlocked_json(Compute&& compute) {
  Json json;
  {
    const py::gil_scoped_release unlocked;
    json = to_json(compute());
  }
  return to_python(json);
}

SolveOptions solve_options(const std::string& formulation, double dt, bool with_drift, const std::string& form,
                           int facets) {
  SolveOptions o;
  o.formulation = formulation == "step"      ? FormulationKind::step
                  : formulation == "impulse" ? FormulationKind::impulse
                                             : FormulationKind::acceleration;
  o.step.dt = dt;
  o.step.with_drift = with_drift;
  o.step.form = form == "anitescu-potra" ? StepForm::anitescu_potra : StepForm::stewart_trinkle;
  o.facets = facets;
  return o;
}

ImpactRunOptions impact_options(const std::optional<std::string>& law, std::optional<double> restitution,
                                const std::string& several, const std::map<std::string, double>& approach,
                                const std::vector<std::string>& without_collision) {
  ImpactRunOptions o;
  if (law) o.law = restitution_law(*law);
  o.restitution = restitution;
  o.several = several_impacts(several);
  o.approach = approach;
  o.without_collision = without_collision;
  return o;
}

int contact_index(const Scene& scene, const std::string& name) {
  if (scene.kind == SceneKind::drifting_contacts)
    throw InputError("drifting contacts have no cone: they are known by their slip matrix P and b");
  const auto& names = scene.space.names;
  if (name.empty() && !names.empty()) return 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  throw InputError(unknown_name("contact", name, names));
}

template <class Value>
void put(py::dict& d, const char* key, const std::optional<Value>& value, const std::string& reason) {
  if (value) {
    d[key] = *value;
  } else {
    d[key] = py::none();
    d[(std::string(key) + "_reason").c_str()] = reason;
  }
}

// The surface of a spatial cone as a mesh, of a planar one as its two edges: velocity changes per N s of normal
// impulse, W (-mu e, 1).
void put_shape(py::dict& d, const FrictionCone& cone, int segments) {
  const auto tangents = cone.W.rows() - 1;
  const int directions = tangents == 1 ? 2 : segments;
  Eigen::MatrixXd e(directions, tangents);
  for (int i = 0; i < directions; ++i) {
    const double turn = 2 * M_PI * i / directions;
    if (tangents == 1)
      e(i, 0) = i == 0 ? 1 : -1;
    else
      e.row(i) << std::cos(turn), std::sin(turn);
  }
  Eigen::MatrixXd rim(directions, tangents + 1);
  for (int i = 0; i < directions; ++i) rim.row(i) = ray(cone, e.row(i).transpose()).transpose();
  d["slip_directions"] = e;
  d["rays"] = rim;
}

py::dict cone_dict(const SceneSource& source, const std::string& contact, std::optional<double> mu, int segments) {
  if (segments < 8) throw InputError("segments must be a whole number of at least 8");
  FrictionCone cone;
  std::string name;
  {
    const py::gil_scoped_release unlocked;
    const Scene scene = source.build();
    const int i = contact_index(scene, contact);
    cone = friction_cone(scene.space, i);
    name = scene.space.names[static_cast<std::size_t>(i)];
    if (mu && !(*mu >= 0 && std::isfinite(*mu))) throw InputError("mu must be a finite number >= 0");
    if (mu) cone = friction_cone(cone.W, *mu);
  }
  py::dict d;
  d["contact"] = name;
  d["dimension"] = cone.W.rows();
  d["mu"] = cone.mu;
  d["W"] = cone.W;
  put(d, "mu_crit", cone.mu_crit, cone.mu_crit_reason);
  put(d, "mu_jam", cone.mu_jam, cone.mu_jam_reason);
  put(d, "e_jam", cone.e_jam, cone.mu_jam_reason);
  d["locking_angle"] = cone.locking_angle;
  put(d, "Q", cone.Q, cone.Q_reason);
  put_shape(d, cone, segments);
  return d;
}

std::string cone_svg(const SceneSource& source, const std::string& contact, double mu) {
  const py::gil_scoped_release unlocked;
  const Scene scene = source.build();
  return cone_picture(scene, contact_index(scene, contact), mu);
}

void add_solve(py::module_& m) {
  m.def("solve", [](const SceneSource& source, const std::string& formulation, double dt, bool with_drift,
                    const std::string& form, int facets) {
    const SolveOptions options = solve_options(formulation, dt, with_drift, form, facets);
    return unlocked_json([&] { return solve(source.build(), options); });
  });
  m.def("solve_svg", [](const SceneSource& source, const std::string& formulation, double dt, bool with_drift,
                        const std::string& form, int facets) {
    const SolveOptions options = solve_options(formulation, dt, with_drift, form, facets);
    const py::gil_scoped_release unlocked;
    return solve_picture(solve(source.build(), options));
  });
}

void add_impact(py::module_& m) {
  using Name = std::optional<std::string>;
  using Approach = std::map<std::string, double>;
  using Names = std::vector<std::string>;
  m.def("impact", [](const SceneSource& source, const Name& law, std::optional<double> restitution,
                     const std::string& several, const Approach& approach, const Names& without_collision) {
    const ImpactRunOptions options = impact_options(law, restitution, several, approach, without_collision);
    return unlocked_json([&] { return impact(source.build(), options); });
  });
  m.def("impact_svg", [](const SceneSource& source, const Name& law, std::optional<double> restitution,
                         const std::string& several, const Approach& approach, const Names& without_collision) {
    const ImpactRunOptions options = impact_options(law, restitution, several, approach, without_collision);
    const py::gil_scoped_release unlocked;
    return impact_picture(impact(source.build(), options));
  });
}

}  // namespace

void add_state(py::module_& m) {
  m.def("analyze", [](const SceneSource& source) { return unlocked_json([&] { return analyze(source.build()); }); });
  m.def("analyze_svg", [](const SceneSource& source) {
    const py::gil_scoped_release unlocked;
    return analysis_picture(analyze(source.build()));
  });
  add_solve(m);
  add_impact(m);
  m.def("cone", &cone_dict);
  m.def("cone_svg", &cone_svg);
}

}  // namespace painleve::python
