#pragma once

#include <string_view>

namespace painleve {

/// Reads a finite decimal number such as "1.7e3" or "-.5", in every locale the same. Hexadecimal numbers, "inf",
/// "nan" and anything after the number are an InputError.
double parse_number(std::string_view text);

/// Reads a number with an optional unit such as "60deg", "5 N m" or "9.81 m/s^2" and returns it in SI. `unit` is the
/// SI unit of the field ("rad", "N m/rad", ..., "1" or "" for a pure number); a bare number is taken in that unit.
/// Another dimension is an InputError. See unit.hpp for how units are written.
double parse_quantity(std::string_view text, std::string_view unit);

/// An interval, and how many equidistant values to take from it, both ends included; count 0 leaves that open.
struct Range {
  double from = 0.0;
  double to = 0.0;  // from <= to
  int count = 0;
};

/// Reads "a:b" or "a:b:n" in SI. A unit on one end holds for both: "0:90deg:400" is 400 values from 0 to pi/2.
/// n is a whole number of at least 1, and n = 1 needs a = b, because one value cannot span an interval.
Range parse_range(std::string_view text, std::string_view unit);

}  // namespace painleve
