// A Sketch is what a mechanism draws itself on: one kinematic description, in jets, from which everything else follows.
//
//   inertia(m, x)      kinetic energy ½ m ẋ² of one scalar coordinate x(q). A rigid body is a sum of these: its centre
//   of
//                      mass, and its angle (plane), its axis (thin rod) or its three axes (space; see rigid_body).
//   potential(V)       potential energy V(q, t)
//   work(F, s)         a force F that does the work F ds along the displacement s(q)
//   contact(t.., n)    the rows of one contact: its velocity u = J v, its J and its drift J̇ v
//
// From these:  M = Σ m ∇x ∇xᵀ,   f = Σ F ∇s − ∇V − Σ m ∇x (∇̇x·v),   M v̇ = f + Jᵀ λ.
#pragma once

#include <array>
#include <span>

#include "painleve/mechanism/jet.hpp"

namespace painleve {

// One row of a contact: the velocity along one axis of the contact frame.
template <class S, int N>
struct ContactRow {
  std::array<S, N> J{};
  S u{};
  S drift{};
  S place{};  // displacement along a fixed axis; 0 along an axis that turns
};

template <class S, int N>
class Sketch {
 public:
  using Number = Jet<S, N>;

  // `rows` receives dimension x (number of contacts) rows; `gaps` one number per contact. Without room for rows
  // contacts are left out.
  [[gnu::always_inline]] Sketch(const S* q_values, const S* v_values, const S& time, std::span<ContactRow<S, N>> rows,
                                std::span<S> gaps)
      : rows_(rows), gaps_(gaps) {
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      q[i].value = q_values[i];
      q[i].gradient[i] = S(1.0);
      q[i].d1 = v_values[i];
    });
    t.value = time;
    t.d1 = S(1.0);
  }

  std::array<Number, N> q;
  Number t;
  std::array<std::array<S, N>, N> M{};
  std::array<S, N> f{};
  std::array<S, N> applied{};  // the part of f that no potential gives
  S energy{};                  // potential energy
  S drive{};                   // ∂V/∂t: the power of moving supports

  [[gnu::always_inline]] void inertia(double m, const Number& x) {
    using detail::minus, detail::plus, detail::times;
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      const S mg = times(S(m), x.gradient[i]);
      detail::unrolled<static_cast<int>(i + 1)>(
          [&](auto j) PAINLEVE_INLINED { M[i][j] = plus(M[i][j], times(mg, x.gradient[j])); });
      f[i] = minus(f[i], times(mg, x.d2));
    });
  }
  template <class... X>
  [[gnu::always_inline]] void inertia(double m, const Number& x, const Number& y, const X&... more) {
    inertia(m, x);
    inertia(m, y, more...);
  }
  // A rigid body in space: its rotation is the motion of its unit axes r_k; for principal moments I1, I2, I3 each axis
  // carries E_k = (I1 + I2 + I3)/2 − I_k, so that ½ Σ E_k |ṙ_k|² = ½ ω·Iω.
  [[gnu::always_inline]] void rigid_body(double m, const std::array<double, 3>& I, const std::array<Number, 3>& centre,
                                         const std::array<std::array<Number, 3>, 3>& axes) {
    inertia(m, centre[0], centre[1], centre[2]);
    const double half = (I[0] + I[1] + I[2]) / 2;
    detail::unrolled<3>([&](auto k) PAINLEVE_INLINED { inertia(half - I[k], axes[k][0], axes[k][1], axes[k][2]); });
  }

  [[gnu::always_inline]] void potential(const Number& V) {
    using detail::minus, detail::times;
    energy += V.value;
    drive = detail::plus(drive, V.d1);
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      f[i] = minus(f[i], V.gradient[i]);
      drive = minus(drive, times(V.gradient[i], q[i].d1));
    });
  }

  [[gnu::always_inline]] void work(const S& force, const Number& s) {
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      const S along_i = detail::times(force, s.gradient[i]);
      applied[i] = detail::plus(applied[i], along_i);
      f[i] = detail::plus(f[i], along_i);
    });
  }
  // One force per coordinate, along it; fewer forces act on the first ones.
  [[gnu::always_inline]] void work_along_coordinates(std::span<const S> forces) {
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
      if (i < forces.size()) work(forces[i], q[i]);
    });
  }

  // The velocity ds/dt along a fixed axis, s being the displacement relative to the surface.
  [[gnu::always_inline]] static ContactRow<S, N> along(const Number& s) { return {s.gradient, s.d1, s.d2, s.value}; }
  // The velocity w ds/dt along an axis that turns with the mechanism: w is a lever arm or a direction cosine.
  [[gnu::always_inline]] static ContactRow<S, N> along(const Number& w, const Number& s) {
    using detail::plus, detail::times;
    ContactRow<S, N> row;
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED { row.J[i] = times(w.value, s.gradient[i]); });
    row.u = times(w.value, s.d1);
    row.drift = plus(times(w.d1, s.d1), times(w.value, s.d2));
    return row;
  }

  // Contacts are drawn in the order in which the mechanism names them.
  [[gnu::always_inline]] void contact(const Number& s, const Number& gap) {
    contact({along(s), along(gap)}, gap.value);
  }
  template <std::size_t D>
  [[gnu::always_inline]] void contact(const ContactRow<S, N> (&rows)[D], const S& gap) {
    if (rows_.empty()) return;
    gaps_[contacts_++] = gap;
    detail::unrolled<static_cast<int>(D)>([&](auto i) PAINLEVE_INLINED { rows_[row_ + i] = rows[i]; });
    row_ += D;
  }

 private:
  std::span<ContactRow<S, N>> rows_;
  std::span<S> gaps_;
  std::size_t row_ = 0;
  std::size_t contacts_ = 0;
};

namespace detail {

// W and b of one contact in the plane.
struct PlanarResponse {
  double W_tt = 0, W_tn = 0, W_nn = 0;
  double b_t = 0, b_n = 0;
};

// Eliminates in place: M = L D Lᵀ with L below the diagonal, and L⁻¹ from the right-hand sides f, J_t and J_n; for with
// y = L⁻¹ x,  xᵀ M⁻¹ z = Σ y_i z_i / D_i. With all of a description inlined most zeros of M and f are known, and what
// is known to be zero is left out; see jet.hpp.
template <int N>
[[gnu::always_inline]] inline PlanarResponse eliminate(Sketch<double, N>& sketch,
                                                       std::array<ContactRow<double, N>, 2>& rows,
                                                       std::array<double, N>& inverse_D) {
  auto& M = sketch.M;
  auto& y_t = rows[0].J;
  auto& y_n = rows[1].J;
  auto& y_f = sketch.f;
  PlanarResponse r{0, 0, 0, rows[0].drift, rows[1].drift};
  unrolled<N>([&](auto i) PAINLEVE_INLINED {
    unrolled<static_cast<int>(i)>([&](auto j) PAINLEVE_INLINED {
      double x = M[i][j];
      unrolled<static_cast<int>(j)>([&](auto k) PAINLEVE_INLINED { x = minus(x, times(M[i][k], M[j][k])); });
      M[i][j] = x;  // L_ij D_j until the row is complete
    });
    double D = M[i][i];
    unrolled<static_cast<int>(i)>([&](auto j) PAINLEVE_INLINED {
      const double L = times(M[i][j], inverse_D[j]);
      D = minus(D, times(L, M[i][j]));
      M[i][j] = L;
      y_t[i] = minus(y_t[i], times(L, y_t[j]));
      y_n[i] = minus(y_n[i], times(L, y_n[j]));
      y_f[i] = minus(y_f[i], times(L, y_f[j]));
    });
    inverse_D[i] = 1 / D;
  });
  unrolled<N>([&](auto i) PAINLEVE_INLINED {
    const double t_i = times(y_t[i], inverse_D[i]);
    const double n_i = times(y_n[i], inverse_D[i]);
    r.W_tt = plus(r.W_tt, times(t_i, y_t[i]));
    r.W_tn = plus(r.W_tn, times(t_i, y_n[i]));
    r.W_nn = plus(r.W_nn, times(n_i, y_n[i]));
    r.b_t = plus(r.b_t, times(t_i, y_f[i]));
    r.b_n = plus(r.b_n, times(n_i, y_f[i]));
  });
  return r;
}

// M⁻¹ x from y = L⁻¹ x, into the first N numbers of `to`.
template <int N, class Column>
[[gnu::always_inline]] inline void substitute_back(const std::array<std::array<double, N>, N>& L,
                                                   const std::array<double, N>& inverse_D,
                                                   const std::array<double, N>& y, Column& to) {
  std::array<double, N> x;
  unrolled<N>([&](auto n) PAINLEVE_INLINED {
    constexpr std::size_t i = N - 1 - n;
    x[i] = times(y[i], inverse_D[i]);
    unrolled<static_cast<int>(n)>([&](auto k)
                                      PAINLEVE_INLINED { x[i] = minus(x[i], times(L[N - 1 - k][i], x[N - 1 - k])); });
    to[i] = x[i];
  });
}

}  // namespace detail

}  // namespace painleve
