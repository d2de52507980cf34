// Two spatial contacts at rest whose normals move as one, w_n2 = κ w_n1 whatever the forces: a body between two
// parallel walls, or a bilateral guide seen as two contacts. Their normal forces can be traded against each other, so
// that the pairs of directions in which both can begin to slip form curves.
//
// One normal equation is left. With r_j = r_nj (−μ_j e_j, 1) and c_j(e_j) the response w to r_nj = 1 (slip_pair.hpp)
// the three equations w_n = 0, e₁⊥·w_t1 = 0, e₂⊥·w_t2 = 0 are linear in (r_n1, r_n2, 1), so that their determinant
// vanishes:
//   G(e₁, e₂) = 0, a trigonometric polynomial of degree (2, 2).
// Of w_n = 0 and w_ti = c_i e_i Cramer's rule gives the forces as quotients of polynomials, for each i. On the curve
// G = 0 the two groups
//   Δ_i = det(c₁, c₂, −e_i),  r_n1 Δ_i,  r_n2 Δ_i,  c₁ Δ_i,  c₂ Δ_i,   all of degree (2, 2) at most,
// are multiples of each other, and a point is a solution when all of a group have one sign.
//
// The square of the angles is cut into boxes. Those are dropped in which G has no zero or a group cannot have one sign;
// kept are those which the curve crosses and in which all signs are certain. What is left at the end are points: ends
// of curves, where a force or a slip vanishes or the forces grow without end, and points at which a group says nothing.
#pragma once

#include <optional>

#include "painleve/complementarity/slip_pair.hpp"

namespace painleve {

// All of them, one of every curve. Nothing when the normals do not move as one, or when boxes are left over of which it
// is not known what they hold: directions that are not isolated on G = 0, forces that two directions leave open.
std::optional<SlipPairs> slip_curves(const TwoContacts& contacts);

}  // namespace painleve
