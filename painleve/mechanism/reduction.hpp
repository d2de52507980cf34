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
// positive definite. `forces` are the applied forces of the description. With all of the description inlined most zeros
// of M and f are known, and what is known to be zero is left out; see jet.hpp.
template <class Description>
[[gnu::flatten]] PlanarContact reduce_planar(const Description& description, const double* q, const double* v, double t,
                                             std::span<const double> forces, double mu) {
  using detail::minus, detail::plus, detail::times;
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
  detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
    detail::unrolled<static_cast<int>(i)>([&](auto j) PAINLEVE_INLINED {
      double x = M[i][j];
      detail::unrolled<static_cast<int>(j)>([&](auto k) PAINLEVE_INLINED { x = minus(x, times(M[i][k], M[j][k])); });
      M[i][j] = x;  // L_ij D_j until the row is complete
    });
    double D = M[i][i];
    detail::unrolled<static_cast<int>(i)>([&](auto j) PAINLEVE_INLINED {
      const double L = times(M[i][j], inverse_D[j]);
      D = minus(D, times(L, M[i][j]));
      M[i][j] = L;
      y_t[i] = minus(y_t[i], times(L, y_t[j]));
      y_n[i] = minus(y_n[i], times(L, y_n[j]));
      y_f[i] = minus(y_f[i], times(L, y_f[j]));
    });
    inverse_D[i] = 1 / D;
  });
  PlanarContact c{0, 0, 0, rows[0].drift, rows[1].drift, rows[0].u, mu};
  detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
    const double t_i = times(y_t[i], inverse_D[i]);
    const double n_i = times(y_n[i], inverse_D[i]);
    c.W_tt = plus(c.W_tt, times(t_i, y_t[i]));
    c.W_tn = plus(c.W_tn, times(t_i, y_n[i]));
    c.W_nn = plus(c.W_nn, times(n_i, y_n[i]));
    c.b_t = plus(c.b_t, times(t_i, y_f[i]));
    c.b_n = plus(c.b_n, times(n_i, y_f[i]));
  });
  return c;
}

}  // namespace painleve
