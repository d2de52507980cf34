// What each source file of this folder adds to the extension module painleve._core. The module holds numbers and plain
// containers; names, units, docstrings and pictures for notebooks are added by the Python files of the package.
#pragma once

#include <pybind11/pybind11.h>

namespace painleve::python {

void add_scene(pybind11::module_& m);
void add_state(pybind11::module_& m);
void add_batch(pybind11::module_& m);
void add_run(pybind11::module_& m);
void add_map(pybind11::module_& m);
void add_studies(pybind11::module_& m);

}  // namespace painleve::python
