// A spatial contact at rest that begins to slip: in which directions can it?
//
// With λ_t = −μ λ_n e, |e| = 1, the law asks a_n = 0 and a_t = c e with c > 0:
//   λ_n = −b_n/p(e),  p(e) = W_nn − μ W_tn·e,   e⊥ · (p(e) b_t − b_n (W_tn − μ W_tt e)) = 0.
// The last line is a trigonometric polynomial of degree two in the angle of e: at most four directions, all of them
// found by isolating the real roots of a quartic on each half of the circle. Between the roots of its derivative the
// quartic is monotone, so that nothing is left out. Where it touches zero to rounding, two directions have merged, or
// are about to: they are one direction, or none, for a contact that differs by rounding. They are listed as one.
//
// When other contacts have been eliminated W is the matrix that is left, and no longer symmetric if one of them slides:
// p then has the row W_nt, and the acceleration per force the column W_tn.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "painleve/contact/single_contact.hpp"

namespace painleve {

struct SlipDirection {
  Eigen::Vector2d e;
  double lambda_n = 0;
  double c = 0;              // a_t = c e
  int family_dimension = 0;  // 1: one of a segment of forces (p = b_n = 0, and a_t along e for all of them)
};

struct SlipDirections {
  std::vector<SlipDirection> consistent;  // sign λ_n > 0 and c > 0
  std::vector<SlipDirection> rejected;    // solve the equations, but with a wrong sign
  bool complete = true;                   // false when a continuum of directions is consistent
};

// `sign` = −1 asks for forces that pull (a bilateral contact): λ_t = −μ |λ_n| e.
SlipDirections slip_directions(const SpatialContact& contact, int sign = 1);

// The same for w = W r + q with any W, in the order (t1, t2, n).
SlipDirections slip_directions(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu, int sign);

// Real roots of c0 + c1 x + … + c4 x⁴ in [−1, 1], in increasing order, by isolation between the roots of derivatives.
// `doubtful` is set when the polynomial comes within rounding of zero without changing sign.
std::vector<double> roots_in_unit_interval(const std::array<double, 5>& coefficients, bool& doubtful);

}  // namespace painleve
