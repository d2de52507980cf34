// Two small number types for exact derivatives.
//
//   Dual         value and one directional derivative: differentiates a whole computation once.
//   Jet<S, N>    a function f(q, t) at a state (q, v, t): its value, its gradient in q, and its first two time
//   derivatives
//                along q(t + s) = q + v s, so that  d1 = df/dt  and  d2 = (J̇ v) of that function.
//
// A kinematic description written once for Jet<S, N> gives M, the bias, J and the drift with S = double, and their
// derivatives in any direction of (q, v, t) with S = Dual.
#pragma once

#include <array>
#include <cmath>

namespace painleve {

struct Dual {
  double value = 0;
  double rate = 0;
  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}  // NOLINT(google-explicit-constructor): a number is a dual with rate 0
  constexpr Dual(double v, double r) : value(v), rate(r) {}
  constexpr Dual& operator+=(const Dual& o) { return *this = {value + o.value, rate + o.rate}; }
  constexpr Dual& operator-=(const Dual& o) { return *this = {value - o.value, rate - o.rate}; }
  constexpr Dual& operator*=(const Dual& o) { return *this = {value * o.value, rate * o.value + value * o.rate}; }
};
constexpr Dual operator-(const Dual& a) { return {-a.value, -a.rate}; }
constexpr Dual operator+(Dual a, const Dual& b) { return a += b; }
constexpr Dual operator-(Dual a, const Dual& b) { return a -= b; }
constexpr Dual operator*(Dual a, const Dual& b) { return a *= b; }
constexpr Dual operator/(const Dual& a, const Dual& b) {
  const double v = a.value / b.value;
  return {v, (a.rate - v * b.rate) / b.value};
}
inline Dual sin(const Dual& a) { return {std::sin(a.value), std::cos(a.value) * a.rate}; }
inline Dual cos(const Dual& a) { return {std::cos(a.value), -std::sin(a.value) * a.rate}; }
inline Dual sqrt(const Dual& a) {
  const double v = std::sqrt(a.value);
  return {v, a.rate / (2 * v)};
}
constexpr double value_of(double a) { return a; }
constexpr double value_of(const Dual& a) { return a.value; }

template <class S, int N>
struct Jet {
  S value{};
  std::array<S, N> gradient{};
  S d1{};
  S d2{};
  constexpr Jet() = default;
  constexpr Jet(double v) : value(v) {}  // NOLINT(google-explicit-constructor): a constant is a jet

  Jet& operator+=(const Jet& o) {
    value += o.value, d1 += o.d1, d2 += o.d2;
    for (int i = 0; i < N; ++i) gradient[i] += o.gradient[i];
    return *this;
  }
  Jet& operator-=(const Jet& o) {
    value -= o.value, d1 -= o.d1, d2 -= o.d2;
    for (int i = 0; i < N; ++i) gradient[i] -= o.gradient[i];
    return *this;
  }
};

template <class S, int N>
Jet<S, N> operator+(Jet<S, N> a, const Jet<S, N>& b) {
  return a += b;
}
template <class S, int N>
Jet<S, N> operator-(Jet<S, N> a, const Jet<S, N>& b) {
  return a -= b;
}
template <class S, int N>
Jet<S, N> operator-(const Jet<S, N>& a) {
  return Jet<S, N>() - a;
}
template <class S, int N>
Jet<S, N> operator*(const Jet<S, N>& a, const Jet<S, N>& b) {
  Jet<S, N> r;
  r.value = a.value * b.value;
  for (int i = 0; i < N; ++i) r.gradient[i] = a.gradient[i] * b.value + a.value * b.gradient[i];
  r.d1 = a.d1 * b.value + a.value * b.d1;
  r.d2 = a.d2 * b.value + S(2.0) * a.d1 * b.d1 + a.value * b.d2;
  return r;
}
// Mixed forms with plain numbers, so that a description reads like the formula.
template <class S, int N>
Jet<S, N> operator*(double c, Jet<S, N> a) {
  a.value = S(c) * a.value, a.d1 = S(c) * a.d1, a.d2 = S(c) * a.d2;
  for (int i = 0; i < N; ++i) a.gradient[i] = S(c) * a.gradient[i];
  return a;
}
template <class S, int N>
Jet<S, N> operator+(Jet<S, N> a, double c) {
  a.value += S(c);
  return a;
}
template <class S, int N>
Jet<S, N> operator-(Jet<S, N> a, double c) {
  a.value -= S(c);
  return a;
}
template <class S, int N>
Jet<S, N> operator+(double c, const Jet<S, N>& a) {
  return a + c;
}
template <class S, int N>
Jet<S, N> operator-(double c, const Jet<S, N>& a) {
  return -a + c;
}

// f(a) by the chain rule from f, f' and f'' at a.value.
template <class S, int N>
Jet<S, N> chain(const Jet<S, N>& a, const S& f, const S& df, const S& ddf) {
  Jet<S, N> r;
  r.value = f;
  for (int i = 0; i < N; ++i) r.gradient[i] = df * a.gradient[i];
  r.d1 = df * a.d1;
  r.d2 = ddf * a.d1 * a.d1 + df * a.d2;
  return r;
}

template <class S, int N>
struct SinCos {
  Jet<S, N> sin, cos;
};
// Both at once: every mechanism needs the pair, and it halves the calls to the mathematical library.
template <class S, int N>
SinCos<S, N> sincos(const Jet<S, N>& a) {
  using std::cos;
  using std::sin;
  const S s = sin(a.value);
  const S c = cos(a.value);
  return {chain(a, s, c, -s), chain(a, c, -s, -c)};
}

}  // namespace painleve
