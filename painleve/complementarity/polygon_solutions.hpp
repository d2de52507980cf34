// All solutions of a spatial problem whose friction disc is replaced by a polygon, as many solvers do it: an exact
// enumeration of an inexact problem, to see what the polygon adds or loses.
#pragma once

#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

// Residuals are those of the physical laws, with the round cone. Points that differ only in how a force is split among
// the corners of the polygon are one solution.
ContactSolutions polygon_solutions(const ContactProblem& problem, int facets, const EnumerationOptions& options);

}  // namespace painleve
