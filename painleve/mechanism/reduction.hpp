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
PlanarContact reduce_planar(const Description& description, const double* q, const double* v, double t,
                            std::span<const double> forces, double mu) {
  constexpr int N = Description::degrees;
  static_assert(Description::dimension == 2);
  std::array<ContactRow<double, N>, 2> rows;
  std::array<double, 1> gaps{};
  Sketch<double, N> sketch(q, v, t, rows, gaps);
  description.template describe<double>(sketch, forces);
  // M = L D Lᵀ in place, then the three right-hand sides J_t, J_n and f by forward substitution: with y = L⁻¹ x,
  // xᵀ M⁻¹ z = Σ y_i z_i / D_i.
  auto& M = sketch.M;
  std::array<double, N> inverse_D;
  auto& y_t = rows[0].J;
  auto& y_n = rows[1].J;
  auto& y_f = sketch.f;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < i; ++j) {
      double x = M[i][j];
      for (int k = 0; k < j; ++k) x -= M[i][k] * M[j][k];
      M[i][j] = x;  // L_ij D_j until the row is complete
    }
    double D = M[i][i];
    for (int j = 0; j < i; ++j) {
      const double L = M[i][j] * inverse_D[j];
      D -= L * M[i][j];
      M[i][j] = L;
      y_t[i] -= L * y_t[j];
      y_n[i] -= L * y_n[j];
      y_f[i] -= L * y_f[j];
    }
    inverse_D[i] = 1 / D;
  }
  PlanarContact c{0, 0, 0, rows[0].drift, rows[1].drift, rows[0].u, mu};
  for (int i = 0; i < N; ++i) {
    const double t_i = y_t[i] * inverse_D[i];
    const double n_i = y_n[i] * inverse_D[i];
    c.W_tt += t_i * y_t[i];
    c.W_tn += t_i * y_n[i];
    c.W_nn += n_i * y_n[i];
    c.b_t += t_i * y_f[i];
    c.b_n += n_i * y_f[i];
  }
  return c;
}

}  // namespace painleve
