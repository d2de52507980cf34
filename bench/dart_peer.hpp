// Lemke's method of DART. There when its package was found: see CMakeLists.txt.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/linear_complementarity.hpp"

namespace painleve {

Eigen::VectorXd dart_lemke(const LinearComplementarity& problem);

}  // namespace painleve
