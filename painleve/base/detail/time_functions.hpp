#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "painleve/base/expression.hpp"

/// Functions of time with their rates: forward differentiation in one variable.
namespace painleve::detail {

using Unary = TimeValue (*)(TimeValue);
using Binary = TimeValue (*)(TimeValue, TimeValue);

/// slope * rate, where a point at rest stays at rest even if the slope is infinite.
inline double chain(double slope, double rate) { return rate == 0.0 ? 0.0 : slope * rate; }

inline TimeValue negative(TimeValue x) { return {-x.value, -x.rate}; }
inline TimeValue sine(TimeValue x) { return {std::sin(x.value), chain(std::cos(x.value), x.rate)}; }
inline TimeValue cosine(TimeValue x) { return {std::cos(x.value), chain(-std::sin(x.value), x.rate)}; }
inline TimeValue arc_tangent(TimeValue x) {
  return {std::atan(x.value), chain(1.0 / (1.0 + x.value * x.value), x.rate)};
}
inline TimeValue hyperbolic_sine(TimeValue x) { return {std::sinh(x.value), chain(std::cosh(x.value), x.rate)}; }
inline TimeValue hyperbolic_cosine(TimeValue x) { return {std::cosh(x.value), chain(std::sinh(x.value), x.rate)}; }
inline TimeValue exponential(TimeValue x) { return {std::exp(x.value), chain(std::exp(x.value), x.rate)}; }
inline TimeValue logarithm(TimeValue x) { return {std::log(x.value), chain(1.0 / x.value, x.rate)}; }
inline TimeValue square_root(TimeValue x) { return {std::sqrt(x.value), chain(0.5 / std::sqrt(x.value), x.rate)}; }

inline TimeValue tangent(TimeValue x) {
  const double cosine_value = std::cos(x.value);
  return {std::tan(x.value), chain(1.0 / (cosine_value * cosine_value), x.rate)};
}

inline TimeValue hyperbolic_tangent(TimeValue x) {
  const double sech = 1.0 / std::cosh(x.value);  // 1 - tanh^2 would cancel for large |x|
  return {std::tanh(x.value), chain(sech * sech, x.rate)};
}

// (1 - x) (1 + x) keeps the digits that 1 - x^2 loses near the ends of the domain.
inline TimeValue arc_sine(TimeValue x) {
  return {std::asin(x.value), chain(1.0 / std::sqrt((1.0 - x.value) * (1.0 + x.value)), x.rate)};
}

inline TimeValue arc_cosine(TimeValue x) {
  return {std::acos(x.value), chain(-1.0 / std::sqrt((1.0 - x.value) * (1.0 + x.value)), x.rate)};
}

inline TimeValue absolute(TimeValue x) {
  if (x.value == 0.0) {
    return {0.0, std::abs(x.rate)};
  }
  return x.value < 0.0 ? negative(x) : x;
}

inline TimeValue unit_step(TimeValue x) {
  if (std::isnan(x.value)) {
    return x;
  }
  return {x.value < 0.0 ? 0.0 : 1.0, 0.0};
}

inline TimeValue sum(TimeValue a, TimeValue b) { return {a.value + b.value, a.rate + b.rate}; }
inline TimeValue difference(TimeValue a, TimeValue b) { return {a.value - b.value, a.rate - b.rate}; }

inline TimeValue product(TimeValue a, TimeValue b) {
  return {a.value * b.value, chain(b.value, a.rate) + chain(a.value, b.rate)};
}

inline TimeValue quotient(TimeValue a, TimeValue b) {
  const double value = a.value / b.value;
  return {value, chain(1.0 / b.value, a.rate) - chain(value / b.value, b.rate)};
}

inline TimeValue power(TimeValue base, TimeValue exponent) {
  const double value = std::pow(base.value, exponent.value);
  // The two special cases are limits that the formula itself meets as 0 * infinity.
  const double slope = exponent.value == 0.0 ? 0.0 : exponent.value * std::pow(base.value, exponent.value - 1.0);
  const double logarithmic = value == 0.0 ? 0.0 : value * std::log(base.value);
  return {value, chain(slope, base.rate) + chain(logarithmic, exponent.rate)};
}

inline TimeValue smaller(TimeValue a, TimeValue b) {
  if (std::isnan(a.value) || std::isnan(b.value)) {
    return sum(a, b);
  }
  if (a.value == b.value) {
    return {a.value, std::min(a.rate, b.rate)};  // the one that is smaller just after
  }
  return a.value < b.value ? a : b;
}

inline TimeValue larger(TimeValue a, TimeValue b) { return negative(smaller(negative(a), negative(b))); }

/// A function that a formula may call, with one or two arguments.
struct NamedFunction {
  std::string_view name;
  Unary unary = nullptr;
  Binary binary = nullptr;
};

inline constexpr auto kFunctions = std::to_array<NamedFunction>({
    {"sin", sine},
    {"cos", cosine},
    {"tan", tangent},
    {"asin", arc_sine},
    {"acos", arc_cosine},
    {"atan", arc_tangent},
    {"sinh", hyperbolic_sine},
    {"cosh", hyperbolic_cosine},
    {"tanh", hyperbolic_tangent},
    {"exp", exponential},
    {"log", logarithm},
    {"sqrt", square_root},
    {"abs", absolute},
    {"step", unit_step},
    {"min", nullptr, smaller},
    {"max", nullptr, larger},
});

}  // namespace painleve::detail
