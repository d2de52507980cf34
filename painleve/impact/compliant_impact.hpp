// An impact of several contacts with springs, in real time: each contact gives back r² of the work it stored, which is
// the energetic law for one contact alone. With the time T = √k t and the indentation d = √k δ, k the largest stiffness
// and κ_i ≤ 1 the others in units of it,
//
//   d′ = −u_n,   u′ = W λ,   λ_n = κ d when loaded, κ (d_m − (d_m − d)/r²) when unloaded from, or reloaded to, the
//   deepest d_m,   Coulomb friction with μ λ_n.
//
// Loads b have no part in it: their impulse vanishes with 1/√k. A contact that has opened closes again where its
// spring had lost its force. Given the normal forces the friction forces solve a
// convex problem, so that there is always one motion — this is why springs decide where rigid bodies do not.
//
// Without restitution the force that holds the deepest indentation is found with the friction. Where p < 0 and friction
// can hold, to be held and to lift may both be consistent. It is decided as springs with little restitution do: they
// unload along κ/r², so fast that all else stands still, and from the end of the approach their force λ swings about
// the one that holds, λ*, in the potential of a_n(λ); for a_n linear in λ, from λ0 to 2λ* − λ0. Where the swing comes
// to λ = 0 and a_n > 0 there, then or later, when the barrier is lower, the contact lifts with u_n = O(r). The energy
// of a swing is kept as it was in the beginning: where it only just leads over the barrier, the time of that is known
// to some percent, and so is what follows from it. Swings of several contacts are followed one by one.
//
// Fixed steps, symmetric in the springs and implicit in the friction, of first order where slip turns round; done
// three times, and `error` is the most that another step changed. Without restitution the force at the deepest
// indentation is what ends the approach, found with the friction; no step leads past the place where such a spring
// takes its force again. What still approaches at the end, by less than the error, is stopped without restitution.
//
// Impact without collision: the springs begin along a growing solution of d″ = −P κ d with d > 0, P the slip matrix of
// the contacts named; else along that of a word (modes/impact_without_collision.hpp) in which contacts at rest carry
// impulses too. Without one there is no such impact. Where none is named, all begin that jam by themselves; if they do
// not grow together, the one with the lowest p; and where none jams by itself, those that do so only together.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/contact/contact_law.hpp"
#include "painleve/impact/impact.hpp"

namespace painleve {

// [N/m] Of all contacts, for ImpactOptions; empty where a law has no spring.
Eigen::VectorXd spring_stiffness(const std::vector<ContactLaw>& laws);

ImpactReport compliant_impact(const ContactSpace& space, const ImpactOptions& options);

}  // namespace painleve
