// painleve._core, the extension module.
#include <pybind11/pybind11.h>

#include "bindings.hpp"
#include "painleve/base/error.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace painleve::python;
  m.doc() = "The library behind the package painleve; use that instead.";
  m.attr("version") = PAINLEVE_VERSION;
  auto& error = pybind11::register_exception<painleve::InputError>(m, "InputError", PyExc_ValueError);
  error.attr("__module__") = "painleve";
  error.attr("__doc__") =
      "Bad input: the message is one sentence that names the field, its value and what is allowed there.";
  add_scene(m);
  add_state(m);
  add_batch(m);
  add_run(m);
  add_map(m);
  add_studies(m);
}
