// What a careful programmer writes for the impact of one contact with Stronge's energetic law: the velocity is
// integrated over the normal impulse by Dormand & Prince 5(4), and the end of slip, the end of compression and the end
// of restitution are located on its dense output.
//
//   plane   slip along ±t: (u_t, u_n)′ = (W_tn ∓ μ W_tt, W_nn ∓ μ W_tn);  stick: (0, W_nn − W_tn²/W_tt)
//   space   u_t′ = W_tn − μ W_tt e,  u_n′ = W_nn − μ W_tn·e,  e = u_t/|u_t|: for slip that does not end
//
// Beside the velocity runs the work of the normal impulse, which tells when restitution ends.
#pragma once

#include "drawn_inputs.hpp"

namespace painleve {

struct IntegratedImpact {
  double u_t = 0, u_t2 = 0, u_n = 0, Lambda_n = 0;  // after; u_t2 in space only
  long steps = 0;
  bool ended = false;  // false: gave up
};

IntegratedImpact integrated_impact(const Striking<PlanarContact>& s, double tolerance);
IntegratedImpact integrated_impact(const Striking<SpatialContact>& s, double tolerance);

}  // namespace painleve
