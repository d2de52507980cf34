// Slip in the plane that runs into p = 0 (det P = 0 of several contacts) under load: its force grows so fast that the
// configuration stands still meanwhile. With p = 0 the impulse Λ along the edge of the cone leaves u_n = 0, and
//
//   u_t(Λ) = u_t − k Λ,   k > 0,      b_n(Λ) = b_n(q, v + M⁻¹ Jᵀ (−μ e; 1) Λ),   quadratic in Λ
//
// Slip ends at Λ_1 = u_t/k, unless b_n(Λ) comes to zero before it: the G-spot, a jam (Champneys & Várkonyi (2016) Sec.
// 5.1, where b_n' = α3 b_n is this to first order). Of several contacts Λ acts along the null vector of A of
// rigid_flow.hpp, and y·b with yᵀ A = 0 takes the part of b_n.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/simulation/phase_run.hpp"

namespace painleve {

struct StoppingImpulse {
  Eigen::VectorXd Lambda;  // stacked over all contacts
  int contact = -1;        // whose slip it ends
  double b_n = 0;          // of that contact, where the impulse begins
};

// `end` is the end of a phase in these modes at RigidFlow::singular_below. Nothing in space, where u_t turns and p = 0
// is crossed; nor for slip with D < 0, which the stiff limit rejects; nor where b_n comes to zero first.
std::optional<StoppingImpulse> stopping_impulse(const SimulationProblem& problem, const std::vector<ContactMode>& modes,
                                                const PhaseEnd& end);

}  // namespace painleve
