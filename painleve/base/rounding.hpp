// Differences that are only rounding count as zero: numbers typed by people meet boundaries exactly.
#pragma once

#include <cmath>
#include <limits>

namespace painleve {

// x, or 0 when it is only the rounding of terms of that size.
inline double or_zero(double x, double size) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  return std::abs(x) <= rounding * size ? 0.0 : x;
}
inline double sum_or_zero(double a, double b) { return or_zero(a + b, std::abs(a) + std::abs(b)); }

}  // namespace painleve
