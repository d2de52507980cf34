// All solutions of problems whose words are linear, by the tree of words: planar contacts, spatial ones that slide in
// given directions, normals alone.
#pragma once

#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

// Complete unless the budget of nodes ends.
ContactSolutions linear_solutions(const ContactProblem& problem, const EnumerationOptions& options);

// From the units of each contact, r' and w' of scaled(), back to those of the problem, with the residual there.
void restore(const ContactProblem& problem, const Eigen::VectorXd& factor, ContactSolution& solution);

}  // namespace painleve
