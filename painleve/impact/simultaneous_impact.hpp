// All impulses of an impact at once, after Moreau: with w_n = u_n⁺ + r u_n⁻ and w_t = u_t⁺,
//
//   0 ≤ Λ_n ⊥ w_n ≥ 0 (bilateral: w_n = 0, Λ_n free),   |Λ_t| ≤ μ|Λ_n|,   Λ_t = −μ|Λ_n| w_t/|w_t| where w_t ≠ 0
//
// at every closed contact, also where u_n⁻ > 0. The change of energy without friction is then that of
//
//   Λᵀ(u⁺ + u⁻)/2 = Λᵀ(1 − r)u⁻/2 = −(1 − r)/(1 + r) ΛᵀWΛ/2 ≤ 0          for one r ≤ 1 of all contacts;
//
// to ask u_n⁺ ≥ 0 of a contact that separates would give it restitution 0 beside others that bounce, and add energy.
// The price: a contact that separated may approach afterwards, no faster than r u_n⁻. Then it strikes, and the problem
// is solved again for the new velocities, round by round, until no closed contact approaches. r = 0 needs one round.
// With 0 < r < 1 rounds may get weaker for ever, and end below the tolerance; with r = 1 a body that its contacts cage
// in loses no energy and has no velocity that ends them, so that they are cut off.
//
// r is Newton's, and may add energy where friction acts or where contacts differ in r. The impulse along the tangent is
// that of the velocity after, not of the path: for one contact this differs from planar_impact.hpp wherever the slip
// ends within the impact. There may be no solution, one, or several; the alternatives are those of the first round,
// each followed by the rounds that take most energy, and listed in the order of their energy, least first.
#pragma once

#include "painleve/impact/impact.hpp"

namespace painleve {

ImpactReport simultaneous_impact(const ContactSpace& space, const ImpactOptions& options);

}  // namespace painleve
