// All solutions of problems whose words are linear, by the tree of words: planar contacts, spatial ones that slide in
// given directions, normals alone.
#pragma once

#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

// Complete unless the budget of nodes ends.
ContactSolutions linear_solutions(const ContactProblem& problem, const EnumerationOptions& options);

}  // namespace painleve
