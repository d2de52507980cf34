// The kernel: every mode of one unilateral planar contact, from (W, b, u_t, mu), inline and without allocation.
//
//   p± = W_nn ∓ μ W_tn      normal acceleration per normal force in slip along ±t
//   k± = μ W_tt ∓ W_tn      tangential deceleration per normal force
//   F : λ = 0,                    a_n = b_n ≥ 0
//   S±: λ_n = −b_n/p±,            λ_t = ∓μ λ_n,   a_n = 0, a_t = s±/p±
//   T : W λ = −b,                 a = 0, |λ_t| ≤ μ λ_n
//
// with s+ = b_t p+ + b_n k+ and s− = b_t p− − b_n k−. The same two numbers decide the friction cone in stick, since
// D (μ λ_n + λ_t) = −s+ and D (μ λ_n − λ_t) = s− with D = W_tt W_nn − W_tn²: its edge cannot fall between two modes.
// Champneys & Várkonyi (2016), Tables 1 and 2; boundaries as in docs/notation.md.
#pragma once

#include <cmath>

#include "painleve/base/rounding.hpp"
#include "painleve/contact/single_contact.hpp"

namespace painleve {

enum PlanarModeBit : unsigned { mode_F = 1, mode_T = 2, mode_S_plus = 4, mode_S_minus = 8 };

struct PlanarForce {
  double lambda_n = 0, lambda_t = 0, a_n = 0, a_t = 0;
};

struct PlanarModes {
  double p_plus, p_minus, k_plus, k_minus;
  double determinant;       // D
  unsigned admissible = 0;  // bits: modes that the velocity allows
  unsigned consistent = 0;  // bits: modes that satisfy the contact law
  bool boundary = false;    // F with a_n = 0: the force-free end of a slip or stick solution
  bool degenerate = false;  // a force is not determined (W singular at rest, or p = b_n = 0): see enumerate_modes()
  PlanarForce free, stick, slip_plus, slip_minus;  // meaningful where admissible and the divisor is not zero

  int count() const { return __builtin_popcount(consistent); }  // distinct motions, unless degenerate
};

// Slip along `sign` t. s is the s± of the head of this file.
inline PlanarForce slip_force(double b_n, double mu, double p, double s, double sign) {
  const double inverse = 1 / p;
  const double lambda_n = -b_n * inverse;
  return {lambda_n, -sign * mu * lambda_n, 0, s * inverse};
}

inline PlanarModes planar_modes(const PlanarContact& c) {
  PlanarModes m;
  const double coupling = c.mu * c.W_tn;
  const double grip = c.mu * c.W_tt;
  m.p_plus = sum_or_zero(c.W_nn, -coupling);
  m.p_minus = sum_or_zero(c.W_nn, coupling);
  m.k_plus = sum_or_zero(grip, -c.W_tn);
  m.k_minus = sum_or_zero(grip, c.W_tn);
  m.determinant = sum_or_zero(c.W_tt * c.W_nn, -c.W_tn * c.W_tn);

  m.admissible = mode_F;
  m.free = {0, 0, c.b_n, c.b_t};
  if (c.b_n >= 0) m.consistent = mode_F;
  m.boundary = c.b_n == 0;

  // p and k are differences themselves, so the rounding of s is that of the four products before they cancel.
  const double size = std::abs(c.b_t) * (c.W_nn + std::abs(coupling)) + std::abs(c.b_n) * (grip + std::abs(c.W_tn));
  const double s_plus = or_zero(c.b_t * m.p_plus + c.b_n * m.k_plus, size);
  const double s_minus = or_zero(c.b_t * m.p_minus - c.b_n * m.k_minus, size);
  const bool rest = c.u_t == 0;
  if (rest || c.u_t > 0) {
    m.admissible |= mode_S_plus;
    m.slip_plus = slip_force(c.b_n, c.mu, m.p_plus, s_plus, 1);
    if (m.slip_plus.lambda_n > 0 && (!rest || m.slip_plus.a_t > 0) && m.p_plus != 0) m.consistent |= mode_S_plus;
    m.degenerate |= m.p_plus == 0 && c.b_n == 0;
  }
  if (rest || c.u_t < 0) {
    m.admissible |= mode_S_minus;
    m.slip_minus = slip_force(c.b_n, c.mu, m.p_minus, s_minus, -1);
    if (m.slip_minus.lambda_n > 0 && (!rest || m.slip_minus.a_t < 0) && m.p_minus != 0) m.consistent |= mode_S_minus;
    m.degenerate |= m.p_minus == 0 && c.b_n == 0;
  }
  if (rest) {
    m.admissible |= mode_T;
    const double inverse = 1 / m.determinant;
    m.stick.lambda_n = sum_or_zero(c.W_tn * c.b_t, -c.W_tt * c.b_n) * inverse;
    m.stick.lambda_t = sum_or_zero(c.W_tn * c.b_n, -c.W_nn * c.b_t) * inverse;
    if (m.determinant > 0 && m.stick.lambda_n > 0 && s_plus <= 0 && s_minus >= 0) m.consistent |= mode_T;
    m.degenerate |= !(m.determinant > 0);
  }
  return m;
}

}  // namespace painleve
