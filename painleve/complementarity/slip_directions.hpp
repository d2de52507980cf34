// A spatial contact at rest that begins to slip: in which directions can it?
//
// With λ_t = −μ λ_n e, |e| = 1, the law asks a_n = 0 and a_t = c e with c > 0:
//   λ_n = −b_n/p(e),  p(e) = W_nn − μ W_tn·e,   e⊥ · (p(e) b_t − b_n (W_tn − μ W_tt e)) = 0.
// The last line is a trigonometric polynomial of degree two in the angle of e: at most four directions, all of them
// found by isolating the real roots of a quartic on each half of the circle. Between the roots of its derivative the
// quartic is monotone, so that nothing is left out. Where it touches zero to rounding, two directions have merged, or
// are about to: they are one direction, or none, for a contact that differs by rounding. They are listed as one.
//
// Without normal load a force needs p(e) = 0. Where no force moves the contact along its normal that holds for all e,
// and forces of a range of sizes act, each with its own direction: arcs of the circle, of which the middles are listed.
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
  int family_dimension = 0;  // 1: one of a line of forces (p = b_n = 0), along which a_t stays along e unless it turns
  bool turns = false;        // one of an arc of directions; dλ_n/dφ along it is
  double slope = 0;
};

struct SlipDirections {
  std::vector<SlipDirection> consistent;  // sign λ_n > 0 and c > 0
  std::vector<SlipDirection> rejected;    // solve the equations, but with a wrong sign
  bool complete = true;  // false when directions are consistent that form a continuum although b_n is not zero, or
                         // with forces of all sizes
};

// `sign` = −1 asks for forces that pull (a bilateral contact): λ_t = −μ |λ_n| e.
SlipDirections slip_directions(const SpatialContact& contact, int sign = 1);

// The same for w = W r + q with any W, in the order (t1, t2, n).
SlipDirections slip_directions(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu, int sign);

// Real roots of c0 + c1 x + … + c4 x⁴ in [−1, 1], in increasing order, by isolation between the roots of derivatives.
// `doubtful` is set when the polynomial comes within rounding of zero without changing sign.
std::vector<double> roots_in_unit_interval(const std::array<double, 5>& coefficients, bool& doubtful);

}  // namespace painleve
