// All solutions of a spatial contact problem with the round friction cone, word by word.
//
// A word without slip from rest is linear. With one contact that begins to slip, its direction solves a quartic once
// the others are eliminated (slip_directions.hpp). With two, both directions solve a pair of trigonometric polynomials
// of degree (2, 1) and (1, 2), whose real roots are isolated on the square of the two angles by subdivision with bounds
// of their derivatives: every root is found. Where they vanish on a curve or everywhere, or with a multiplicity of
// three and more, the laws themselves are enclosed in boxes of directions (detail/slip_cover.hpp).
//
// Where two solutions of a word merge the problem's numbers decide to rounding only whether there are two, one or none.
// While they can be told apart they are; when not, they are listed as one, which satisfies the laws to rounding. So a
// complete list is that of a problem whose numbers differ from those given by rounding.
#pragma once

#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

// Where contacts that stick leave the others no choice of direction (redundant contacts of a body) the word is linear.
//
// Directions that form a curve (a contact whose normal nothing moves, normal forces of two contacts that are not
// determined) are one family per connected piece, listed by one of its points; `family.directions` is then its tangent
// there.
//
// Complete for up to two contacts, and beyond that when no word has three that begin to slip; such words are searched
// by Newton's method from many starts. The set is marked incomplete, with the reason, for these, for directions that
// form a surface, for curves of two directions that run to forces without end beside each other, and when there are
// more than some ten thousand words. Of `options` the number of nodes counts words here.
ContactSolutions spatial_solutions(const ContactProblem& problem, const EnumerationOptions& options);

}  // namespace painleve
