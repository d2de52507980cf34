#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "painleve/base/error.hpp"

namespace painleve {

/// Seeded draws that are the same on every platform, which the distributions of <random> are not.
///
/// The generator is SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): 64 bits of state and a strong mixing function, so
/// that neighbouring seeds give unrelated draws and each item of a parallel study can own `Draws(seed + index)`.
/// Only `normal` uses log and cos, and may differ between C libraries in the last digit.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  /// 64 independent bits.
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11U) * 0x1.0p-53; }

  /// Uniform between a and b; rounding may return b itself.
  double uniform(double a, double b) {
    // An explicit fma: a compiler that may contract a + (b - a) * u would otherwise choose the last bit.
    return std::fma(b - a, uniform(), a);
  }

  /// Normal with mean 0 and variance 1. Box-Muller without rejection, so that it always consumes two draws.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u lies in (0, 1], where log is finite
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  /// Uniform in {a, ..., b}, both ends included, without bias.
  int integer(int a, int b) {
    if (a > b) {
      throw InputError("the bounds of a drawn integer must be in ascending order");
    }
    const auto count = static_cast<std::uint64_t>(std::int64_t{b} - std::int64_t{a}) + 1U;
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t limit = largest - largest % count;  // draws above would favour the small remainders
    std::uint64_t drawn = bits();
    while (drawn >= limit) {
      drawn = bits();
    }
    return static_cast<int>(std::int64_t{a} + static_cast<std::int64_t>(drawn % count));
  }

 private:
  std::uint64_t state_;
};

}  // namespace painleve
