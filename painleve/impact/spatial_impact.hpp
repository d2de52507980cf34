// An impact of one spatial contact: the slip direction e = u_t/|u_t| turns while the normal impulse Λ grows.
//
//   slip    u_t′ = W_tn − μ W_tt e,     u_n′ = p(e) = W_nn − μ W_tn·e
//   stick   u_t′ = 0,                    u_n′ = K = W_nn − W_tnᵀ W_tt⁻¹ W_tn;   possible when |W_tt⁻¹ W_tn| ≤ μ
//
// In polar variables, s = |u_t| and the angle φ of e, with the time τ of dΛ = s dτ,
//
//   (ln s)˙ = −k(φ),  φ˙ = h(φ),  u_n˙ = s p(φ),      k = e·(μ W_tt e − W_tn),  h = e⊥·(W_tn − μ W_tt e),
//
// is regular however small s gets: the end of the slip lies at τ → ∞, where φ comes to rest at a zero of h. There, and
// wherever h = 0, the velocity moves along a straight line, which is followed exactly; a turning slip is followed by
// Taylor series in τ, see detail/turning_slip.hpp. Without stick the contact leaves
// u_t = 0 in the one direction with u_t′ = c e, c > 0: (μ W_tt + c) e = W_tn. It is unique, as |(μ W_tt + c)⁻¹ W_tn|
// falls with c from |W_tt⁻¹ W_tn|/μ > 1 to 0.
//
// When W is positive definite, p ≤ 0 only where k > 0 (p + μk = (−μe, 1) W (−μe, 1)ᵀ > 0): the slip that pushes the
// contact in always ends, so that every impact does. Compression and the laws of restitution are those of
// planar_impact.hpp; u_n may fall to zero in restitution and be compressed once more, see detail/impact_ledger.hpp.
// Impact without collision: u_n = 0 and slip with p(e) < 0.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/contact/single_contact.hpp"
#include "painleve/impact/impact_phase.hpp"
#include "painleve/modes/chatter_reach.hpp"

namespace painleve {

// A point of the path.
struct SpatialImpactPoint {
  Eigen::Vector2d u_t;
  double u_n = 0, Lambda_n = 0;
};

struct SpatialImpact {
  ImpactOutcome outcome = ImpactOutcome::none;
  Eigen::Vector2d u_t = Eigen::Vector2d::Zero();  // after
  double u_n = 0;
  Eigen::Vector2d Lambda_t = Eigen::Vector2d::Zero();
  double Lambda_n = 0, Lambda_compression = 0;
  double work_compression = 0, work_n = 0, work_t = 0;
  std::vector<ImpactPhase> phases;
  std::vector<SpatialImpactPoint> path;  // where asked for: from the state before to the state after
  int steps = 0;                         // of the integration; 0 when all lines were straight

  bool happened() const { return outcome == ImpactOutcome::collision || outcome == ImpactOutcome::without_collision; }
};

struct SpatialImpactOptions {
  double tolerance = 1e-12;  // of velocities and impulses, in parts of the largest; at least 1e-12
  bool path = false;         // keep it
};
SpatialImpact spatial_impact(const SpatialContact& contact, double u_n, const BounceLaw& law,
                             const SpatialImpactOptions& options = {});

// Whether the contact can stick while an impulse acts, and else the direction in which it leaves u_t = 0.
struct LeavingDirection {
  bool stick = true;
  Eigen::Vector2d e = Eigen::Vector2d::Zero();
};
LeavingDirection leaving_direction(const SpatialContact& contact);

}  // namespace painleve
