#pragma once

#include <array>
#include <string_view>

namespace painleve {

/// A unit of measure: `numerator / denominator` SI units. The quotient is kept apart because 1000 is a double and
/// 1/1000 is not: 35 mm then reads as exactly the double 0.035.
struct Unit {
  enum Dimension { kLength, kMass, kTime, kAngle, kCycle, kDimensions };

  double numerator = 1.0;
  double denominator = 1.0;
  std::array<int, kDimensions> exponents{};

  double to_si(double value) const { return value * numerator / denominator; }
};

/// Reads a unit expression such as "N m s/rad", "kg·m²", "m/s^2", "1/(N m)", "" or "1".
/// Products by a space, '*' or '·', quotients by '/', powers by '^' or a superscript, and parentheses.
/// A product after a quotient without parentheses ("kg/m s") is refused, because people read it both ways.
Unit parse_unit(std::string_view text);

/// Whether a value in unit `given` may fill a field that expects `expected`. Lengths, masses and times must agree. An
/// angle is a pure number and may be left out (1/s for rad/s), but not put in: a friction coefficient of "30deg" is
/// a mistake for tan(30deg). Hz counts cycles and is not rad/s, from which it differs by 2 pi.
bool fits(const Unit& given, const Unit& expected);

}  // namespace painleve
