// Time stepping with fixed dt: velocities jump, impulses solve a contact problem in each step.
//
//   A (v⁺ − v) = dt f(q + θ dt v, v, t + θ dt) + Jᵀ Λ,     A = M − θ dt ∂f/∂v − θ² dt² ∂f/∂q
//   q⁺ = q + dt (θ v⁺ + (1 − θ) v)
//
// is the θ-method for M v̇ = f with f linearised exactly, so that springs and dampers of the mechanism may be stiff:
// order 2 for θ = 1/2 between contacts, order 1 otherwise and wherever contacts act. Contacts respond with the
// symmetric part of A. Their J, gap and surface velocity are those of the position q + s dt v at the time t + s dt;
// s = 3/2 − θ keeps the gap of a held contact to dt³ per step.
//
//   moreau_jean      contacts whose gap would be closed (≤ tolerance.gap) at the end of the step without contact
//                    forces, read from the gap and the velocities there, and those held in the last step until they
//                    lift;  w_n = u_n⁺ + r min(u_n⁻, 0), or u_n⁺ for a held one
//   stewart_trinkle  all contacts;  w_n = u_n⁺ + gap/dt with the gap at the start of the step, 0 where the contact is
//                    closed (|gap| ≤ tolerance.gap); inelastic, q⁺ = q + dt v⁺ (θ = 1, whatever the option says)
//
// w = u⁺ + shift, 0 ≤ Λ_n ⊥ w_n ≥ 0 and Coulomb's law for u_t⁺ go to the solvers of `complementarity`: up to four
// planar or two spatial contacts with all their solutions, more with one solution by Lemke's method or by sweeps.
//
// Restitution r is Newton's, which is the only law of this method; a contact whose law is poisson is refused, and one
// with the default law (energetic) is taken as Newton's, which Run::outcome_reason says. mu is used throughout:
// mu_static and mu_impact are not.
//
// Several motions in a step, by policy:
//   principle    contacts that do not press without friction do not press; of what is left, as stiff_limit
//   stiff_limit  of the stable ones that in the same word as the last step, then the nearest in Λ; at the start the one
//                with the least impulse
//   seeded       drawn anew in each such step
//   all          a future for each where an indeterminacy begins. While it lasts, a future keeps its word: it could
//                leave at any later step, and that continuum is not followed. Futures that come within the tolerance of
//                each other at the same step are joined (stopped: "merged").
#pragma once

#include "painleve/simulation/run.hpp"

namespace painleve {

enum class StepScheme { moreau_jean, stewart_trinkle };

struct TimeSteppingOptions {
  double dt = 1e-3;  // [s] between 1e-12 and 1e6; the last step is shorter where t_end asks for it
  StepScheme scheme = StepScheme::moreau_jean;
  double theta = 0.5;  // 1/2 ≤ θ ≤ 1
  // Part of a penetration that is removed per step, 0 ≤ … ≤ 1, by the velocity (Baumgarte), which adds energy (in the
  // defect); moreau_jean only.
  double position_correction = 0;
};

// Throws InputError for options out of bounds and for laws that the method does not have.
Run simulate_steps(const SimulationProblem& problem, const SimulationOptions& options,
                   const TimeSteppingOptions& stepping);

}  // namespace painleve
