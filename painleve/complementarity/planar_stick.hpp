// The force of a sticking contact whose W is nearly singular.
#pragma once

#include "painleve/complementarity/planar_solutions.hpp"

namespace painleve {

// W λ = −b by elimination with the larger diagonal entry as pivot: up to rounding the force of a problem next to the
// given one, which the quotients of determinants in planar_modes() are not where W is nearly singular. Those stay where
// they are good, since cells of maps have them.
inline PlanarForce balanced_stick(const PlanarContact& c, const PlanarForce& closed_form) {
  constexpr double good = 1e-12;
  const double residual = planar_residual(c, closed_form);
  if (residual <= good) return closed_form;
  const bool tangent_first = c.W_tt >= c.W_nn;
  const double pivot = tangent_first ? c.W_tt : c.W_nn;
  const double b_first = tangent_first ? c.b_t : c.b_n;
  const double b_second = tangent_first ? c.b_n : c.b_t;
  const double ratio = c.W_tn / pivot;
  const double second = (ratio * b_first - b_second) / ((tangent_first ? c.W_nn : c.W_tt) - ratio * c.W_tn);
  const double first = -(b_first + c.W_tn * second) / pivot;
  PlanarForce f = closed_form;
  f.lambda_n = tangent_first ? second : first;
  f.lambda_t = tangent_first ? first : second;
  return f.lambda_n > 0 && planar_residual(c, f) < residual ? f : closed_form;
}

}  // namespace painleve
