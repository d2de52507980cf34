#include "painleve/base/quantity.hpp"

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>
#include <vector>

#include "painleve/base/characters.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/unit.hpp"

namespace painleve {
namespace {

struct Quantity {
  double number = 0.0;
  std::string_view unit;  // as written, "" when there is none
};

bool may_start_unit(char c) {
  // A byte beyond ASCII starts a degree or micro sign.
  return detail::is_letter(c) || std::string_view("%/(1").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) > 127;
}

/// Splits "5 N m" into 5 and "N m".
Quantity split(std::string_view text) {
  const std::string_view whole = detail::trimmed(text);
  std::string_view digits = whole;
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);  // from_chars knows no plus sign
    if (digits.empty() || digits.front() == '-') throw InputError(in_quotes(whole) + " is not a number");
  }
  Quantity result;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.number);
  if (error == std::errc::result_out_of_range) {
    throw InputError(in_quotes(whole) + " is beyond the numbers of double precision, 4.9e-324 to 1.8e308");
  }
  if (error != std::errc{}) throw InputError(in_quotes(whole) + " is not a number");
  if (!std::isfinite(result.number)) throw InputError(in_quotes(whole) + " is not a finite number");
  const std::string_view rest = digits.substr(static_cast<std::size_t>(end - digits.data()));
  result.unit = detail::trimmed(rest);
  const bool hexadecimal = rest.starts_with('x') || rest.starts_with('X');
  if (hexadecimal) throw InputError(in_quotes(whole) + " is not a decimal number");
  if (!result.unit.empty() && !may_start_unit(result.unit.front())) {
    throw InputError(in_quotes(whole) + " is not a number with a unit");
  }
  return result;
}

std::string expectation(std::string_view unit) {
  const bool pure = unit.empty() || unit == "1";
  return pure ? "expected a number without a unit" : "expected a value in " + std::string(unit);
}

double to_si(const Quantity& quantity, std::string_view text, std::string_view expected) {
  if (quantity.unit.empty()) return quantity.number;
  const Unit unit = parse_unit(quantity.unit);
  if (!fits(unit, parse_unit(expected))) {
    throw InputError(in_quotes(detail::trimmed(text)) + " has the unit " + in_quotes(quantity.unit) + ", " +
                     expectation(expected));
  }
  const double value = unit.to_si(quantity.number);
  if (!std::isfinite(value))
    throw InputError(in_quotes(detail::trimmed(text)) + " is too large to be written in SI units");
  return value;
}

std::vector<std::string_view> split_at_colons(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':')) {
    parts.push_back(text.substr(0, colon));
    text.remove_prefix(colon + 1);
  }
  parts.push_back(text);
  return parts;
}

int parse_count(std::string_view text, std::string_view range) {
  const std::string_view digits = detail::trimmed(text);
  int count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || end != digits.data() + digits.size() || count < 1) {
    throw InputError("the range " + in_quotes(range) + " has the count " + in_quotes(digits) +
                     ", expected a whole number from 1 to 2147483647");
  }
  return count;
}

}  // namespace

double parse_number(std::string_view text) {
  const Quantity quantity = split(text);
  if (!quantity.unit.empty()) throw InputError(in_quotes(detail::trimmed(text)) + " is not a number");
  return quantity.number;
}

double parse_quantity(std::string_view text, std::string_view unit) { return to_si(split(text), text, unit); }

Range parse_range(std::string_view text, std::string_view unit) {
  const std::string_view whole = detail::trimmed(text);
  const std::vector<std::string_view> parts = split_at_colons(whole);
  if (parts.size() != 2 && parts.size() != 3) {
    throw InputError(in_quotes(whole) + " is not a range, expected from:to or from:to:count");
  }
  Quantity from = split(parts[0]);
  Quantity to = split(parts[1]);
  if (from.unit.empty()) from.unit = to.unit;
  if (to.unit.empty()) to.unit = from.unit;
  Range range{to_si(from, whole, unit), to_si(to, whole, unit), 0};
  if (range.from > range.to) {
    throw InputError("the range " + in_quotes(whole) + " ends before it begins, expected from <= to");
  }
  if (parts.size() == 3) range.count = parse_count(parts[2], whole);
  if (range.count == 1 && range.from < range.to) {
    throw InputError("the range " + in_quotes(whole) + " has two different ends but the count 1, expected at least 2");
  }
  return range;
}

}  // namespace painleve
