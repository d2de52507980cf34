// From a mechanism and a state to the contact space, and to its rates along the flow.
#pragma once

#include <span>

#include "painleve/contact/contact_space.hpp"
#include "painleve/mechanism/mechanism.hpp"
#include "painleve/mechanism/sketch.hpp"

namespace painleve {

// Friction coefficient and kind of each contact: what the mechanism does not know.
struct Surface {
  double mu = 0.5;
  bool bilateral = false;
};

// Throws InputError when M is not positive definite at this state.
ContactSpace contact_space(const Mechanism& mechanism, const State& state, std::span<const Surface> surfaces);
ContactRates contact_rates(const Mechanism& mechanism, const State& state);

// Acceleration without contact forces, M⁻¹ f.
Eigen::VectorXd free_acceleration(const Dynamics& dynamics);

// The same reduction for a planar description with one contact, without allocation: the kernel of maps. M must be
// positive definite. `forces` are the applied forces of the description.
template <class Description>
[[gnu::flatten]] PlanarContact reduce_planar(const Description& description, const double* q, const double* v, double t,
                                             std::span<const double> forces, double mu) {
  constexpr int N = Description::degrees;
  static_assert(Description::dimension == 2);
  std::array<ContactRow<double, N>, 2> rows;
  std::array<double, 1> gaps{};
  Sketch<double, N> sketch(q, v, t, rows, gaps);
  description.template describe<double>(sketch, forces);
  const double u_t = rows[0].u;
  std::array<double, N> inverse_D;
  const detail::PlanarResponse r = detail::eliminate<N>(sketch, rows, inverse_D);
  return {r.W_tt, r.W_tn, r.W_nn, r.b_t, r.b_n, u_t, mu};
}

}  // namespace painleve
