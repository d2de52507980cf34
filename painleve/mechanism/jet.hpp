// Two small number types for exact derivatives.
//
//   Dual         value and one directional derivative: differentiates a whole computation once.
//   Jet<S, N>    a function f(q, t) at a state (q, v, t): its value, its gradient in q, and its first two time
//   derivatives
//                along q(t + s) = q + v s, so that  d1 = df/dt  and  d2 = (J̇ v) of that function.
//
// A kinematic description written once for Jet<S, N> gives M, the bias, J and the drift with S = double, and their
// derivatives in any direction of (q, v, t) with S = Dual.
//
// Most entries of a jet are zero whatever the state: a point depends on few coordinates, and a coordinate has no second
// derivative. Products and sums leave out what the compiler, once all is inlined, knows to be zero; so the work is
// nearly that of formulas written by hand, and the result is the same (where the rest is finite, up to the sign of 0).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

// On a lambda: as [[gnu::always_inline]] on a function. What is not inlined cannot be seen to be zero.
#define PAINLEVE_INLINED __attribute__((always_inline))

namespace painleve {

namespace detail {

// Never wrong, at worst `false`: what is not known is computed.
[[gnu::always_inline]] constexpr bool known_zero(double a) { return __builtin_constant_p(a) && a == 0; }
[[gnu::always_inline]] constexpr double times(double a, double b) {
  return known_zero(a) || known_zero(b) ? 0.0 : a * b;
}
[[gnu::always_inline]] constexpr double plus(double a, double b) {
  return known_zero(a) ? b : known_zero(b) ? a : a + b;
}
[[gnu::always_inline]] constexpr double minus(double a, double b) {
  return known_zero(b) ? a : known_zero(a) ? -b : a - b;
}

// f(0), …, f(n − 1) with indices that are constants.
template <int n, class F>
[[gnu::always_inline]] constexpr void unrolled(const F& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) PAINLEVE_INLINED {
    (f(std::integral_constant<std::size_t, i>()), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(n)>());
}

}  // namespace detail

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
namespace detail {
[[gnu::always_inline]] constexpr Dual times(const Dual& a, const Dual& b) {
  return {times(a.value, b.value), plus(times(a.rate, b.value), times(a.value, b.rate))};
}
[[gnu::always_inline]] constexpr Dual plus(const Dual& a, const Dual& b) {
  return {plus(a.value, b.value), plus(a.rate, b.rate)};
}
[[gnu::always_inline]] constexpr Dual minus(const Dual& a, const Dual& b) {
  return {minus(a.value, b.value), minus(a.rate, b.rate)};
}
}  // namespace detail
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

  // Every member, by a function of its values in several jets.
  template <class F, class... J>
  [[gnu::always_inline]] static Jet of(const F& f, const J&... jets) {
    Jet r;
    r.value = f(jets.value...);
    detail::unrolled<N>([&](auto i) PAINLEVE_INLINED { r.gradient[i] = f(jets.gradient[i]...); });
    r.d1 = f(jets.d1...);
    r.d2 = f(jets.d2...);
    return r;
  }

  [[gnu::always_inline]] Jet& operator+=(const Jet& o) {
    return *this = of([](const S& a, const S& b) PAINLEVE_INLINED { return detail::plus(a, b); }, *this, o);
  }
  [[gnu::always_inline]] Jet& operator-=(const Jet& o) {
    return *this = of([](const S& a, const S& b) PAINLEVE_INLINED { return detail::minus(a, b); }, *this, o);
  }
};

template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator+(Jet<S, N> a, const Jet<S, N>& b) {
  return a += b;
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator-(Jet<S, N> a, const Jet<S, N>& b) {
  return a -= b;
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator-(const Jet<S, N>& a) {
  return Jet<S, N>() - a;
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator*(const Jet<S, N>& a, const Jet<S, N>& b) {
  using detail::plus;
  using detail::times;
  Jet<S, N> r;
  r.value = times(a.value, b.value);
  detail::unrolled<N>([&](auto i) PAINLEVE_INLINED {
    r.gradient[i] = plus(times(a.gradient[i], b.value), times(a.value, b.gradient[i]));
  });
  r.d1 = plus(times(a.d1, b.value), times(a.value, b.d1));
  r.d2 = plus(plus(times(a.d2, b.value), times(times(S(2.0), a.d1), b.d1)), times(a.value, b.d2));
  return r;
}
// Mixed forms with plain numbers, so that a description reads like the formula.
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator*(double c, const Jet<S, N>& a) {
  return Jet<S, N>::of([c](const S& x) PAINLEVE_INLINED { return detail::times(S(c), x); }, a);
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator+(Jet<S, N> a, double c) {
  a.value += S(c);
  return a;
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator-(Jet<S, N> a, double c) {
  a.value -= S(c);
  return a;
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator+(double c, const Jet<S, N>& a) {
  return a + c;
}
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> operator-(double c, const Jet<S, N>& a) {
  return -a + c;
}

// f(a) by the chain rule from f, f' and f'' at a.value.
template <class S, int N>
[[gnu::always_inline]] inline Jet<S, N> chain(const Jet<S, N>& a, const S& f, const S& df, const S& ddf) {
  using detail::plus;
  using detail::times;
  Jet<S, N> r;
  r.value = f;
  detail::unrolled<N>([&](auto i) PAINLEVE_INLINED { r.gradient[i] = times(df, a.gradient[i]); });
  r.d1 = times(df, a.d1);
  r.d2 = plus(times(times(ddf, a.d1), a.d1), times(df, a.d2));
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
