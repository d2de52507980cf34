// Frictional problems of resting contacts for the measurements: regular W, one rigid body, and chains of bodies, in
// equal parts.
#pragma once

#include <vector>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

// 192 up to 8 contacts, 48 up to 16, 12 above.
std::vector<ContactProblem> drawn_contact_problems(int dimension, int count);

}  // namespace painleve
