// The force of a sticking contact whose W is nearly singular.
#pragma once

#include "painleve/complementarity/planar_solutions.hpp"

namespace painleve {

// W λ = −b by elimination with the larger diagonal entry as pivot: up to rounding the force of a problem next to the
// given one.
inline PlanarForce eliminated_stick(const PlanarContact& c) {
  const bool tangent_first = c.W_tt >= c.W_nn;
  const double pivot = tangent_first ? c.W_tt : c.W_nn;
  const double b_first = tangent_first ? c.b_t : c.b_n;
  const double b_second = tangent_first ? c.b_n : c.b_t;
  const double ratio = c.W_tn / pivot;
  const double second = (ratio * b_first - b_second) / ((tangent_first ? c.W_nn : c.W_tt) - ratio * c.W_tn);
  const double first = -(b_first + c.W_tn * second) / pivot;
  return tangent_first ? PlanarForce{second, first, 0, 0} : PlanarForce{first, second, 0, 0};
}

// The force of stick, m.stick up to rounding. Where W is nearly singular the quotients of determinants in
// planar_modes() do not balance, and at the edge of the friction cone they leave it; a slip without acceleration is
// that edge, and its divisor p is not small. The quotients stay where they are good, since cells of maps have them.
inline PlanarForce balanced_stick(const PlanarContact& c, const PlanarModes& m) {
  constexpr double good = 1e-12;
  PlanarForce best = m.stick;
  double least = planar_residual(c, best);
  if (least <= good) return best;
  const auto offer = [&](const PlanarForce& f) {
    const double residual = planar_residual(c, f);
    if (!(f.lambda_n > 0 && residual < least)) return;
    best = f;
    least = residual;
  };
  offer(eliminated_stick(c));
  if (m.slip_plus.a_t == 0) offer(m.slip_plus);
  if (m.slip_minus.a_t == 0) offer(m.slip_minus);
  return best;
}

}  // namespace painleve
