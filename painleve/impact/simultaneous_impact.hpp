// All impulses of an impact at once, after Moreau: with w_n = u_n⁺ + r u_n⁻ and w_t = u_t⁺,
//
//   0 ≤ Λ_n ⊥ w_n ≥ 0 (bilateral: w_n = 0, Λ_n free),   |Λ_t| ≤ μ|Λ_n|,   Λ_t = −μ|Λ_n| w_t/|w_t| where w_t ≠ 0.
//
// r enters for contacts that approach; it is Newton's, and may add energy where friction acts. The impulse along the
// tangent is that of the velocity after, not of the path: for one contact this differs from planar_impact.hpp wherever
// the slip ends within the impact. There may be no solution, one, or several; they are listed in the order of their
// energy, least first.
#pragma once

#include "painleve/impact/impact.hpp"

namespace painleve {

ImpactReport simultaneous_impact(const ContactSpace& space, const ImpactOptions& options);

}  // namespace painleve
