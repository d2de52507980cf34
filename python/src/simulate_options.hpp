// Options of a simulation from the keywords of a Python call; simulate() and map() share them.
#pragma once

#include <pybind11/pybind11.h>

#include "painleve/scene/simulating.hpp"

namespace painleve::python {

SimulateOptions simulate_options(const pybind11::dict& given);

}  // namespace painleve::python
