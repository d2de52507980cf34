#include "painleve/reproduction/item.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

constexpr double kExact = 1e-9;  // relative: how near a computed number comes to an exact fraction

// A printed number, and half a unit of its last place.
struct Printed {
  double value = 0, half_unit = 0;
  int decimals = 0;  // digits after the point, as far as it is worth to print ours
};

bool take(std::string& text, const std::string& ending) {
  if (!text.ends_with(ending)) return false;
  text.resize(text.size() - ending.size());
  return true;
}

std::string with_ascii_minus(std::string text) {
  const std::string minus = "−";
  for (auto at = text.find(minus); at != std::string::npos; at = text.find(minus)) text.replace(at, minus.size(), "-");
  return text;
}

[[noreturn]] void refuse(const std::string& text) {
  throw InputError(fmt::format("a printed number is digits with a point, an exponent, a factor π or a fraction, not {}",
                               in_quotes(text)));
}

double whole_number(const std::string& text, const std::string& printed) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    refuse(printed);
  }
  if (used != text.size() || !std::isfinite(value)) refuse(printed);
  return value;
}

// "4/3", "π/2", "-3π/2": exact.
Printed parse_fraction(const std::string& text, std::size_t slash) {
  std::string top = text.substr(0, slash);
  const double factor = take(top, "π") ? std::numbers::pi : 1;
  if (factor != 1 && (top.empty() || top == "-")) top += "1";
  const double value = factor * whole_number(top, text) / whole_number(text.substr(slash + 1), text);
  return {value, kExact * std::abs(value), 6};
}

// "-0.3118", "1.2e-5", "1.72π": rounded to the last digit.
Printed parse_rounded(const std::string& text) {
  std::string digits = text;
  const double factor = take(digits, "π") ? std::numbers::pi : 1;
  if (factor != 1 && (digits.empty() || digits == "-")) digits += "1";
  const auto e = digits.find_first_of("eE");
  const std::string mantissa = digits.substr(0, e);
  const auto point = mantissa.find('.');
  const int places = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  const int exponent = e == std::string::npos ? 0 : static_cast<int>(whole_number(digits.substr(e + 1), text));
  const double unit = factor * std::pow(10.0, exponent - places);
  return {factor * whole_number(digits, text), unit / 2, std::max(0, places - exponent)};
}

Printed parse_printed(const std::string& printed) {
  const std::string text = with_ascii_minus(printed);
  if (text.find_first_not_of("-+.0123456789eE/π") != std::string::npos) refuse(printed);
  const auto slash = text.find('/');
  return slash == std::string::npos ? parse_rounded(text) : parse_fraction(text, slash);
}

// Two digits more than printed; numbers beyond 1e9 or with many leading zeros as powers of ten.
std::string beside(const Printed& printed, double computed) {
  if (printed.decimals > 8 || std::abs(computed) >= 1e9) return in_digits(computed);
  const std::string text = fmt::format("{:.{}f}", computed, printed.decimals + 2);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.starts_with("-") ? text.substr(1) : text;
}

// "1e-9", "2e-4".
std::string power_text(double value) {
  std::string text = fmt::format("{:.0e}", value);
  const auto zero = text.find("-0");
  if (zero != std::string::npos) text.erase(zero + 1, 1);
  return text;
}

}  // namespace

Comparison compare_printed(const std::string& what, const std::string& printed, double computed,
                           const std::string& erratum, const std::string& note) {
  const Printed p = parse_printed(printed);
  Comparison c{what, printed, "none", std::nullopt, false, erratum, note};
  if (!std::isfinite(computed)) return c;
  c.computed = beside(p, computed);
  c.difference = computed - p.value;
  c.match = std::abs(*c.difference) <= p.half_unit * (1 + 1e-6) + 1e-14;
  if (c.match) c.erratum.clear();
  return c;
}

Comparison compare_statement(const std::string& what, const std::string& printed, const std::string& computed,
                             bool match, const std::string& erratum, const std::string& note) {
  return {what, printed, computed, std::nullopt, match, match ? "" : erratum, note};
}

Feature feature_near(const std::string& statement, const std::string& route, double measured, double expected,
                     double tolerance) {
  const double error = std::abs(measured - expected);
  const bool holds = error <= tolerance;  // false where it is not a number
  const std::string within = tolerance == 0 ? "exactly" : "within " + power_text(tolerance);
  return {
      statement, route, holds,
      fmt::format("{} against {}, {}", in_digits(measured), in_digits(expected), holds ? within : error_size(error))};
}

Feature feature(const std::string& statement, const std::string& route, bool holds, const std::string& measured) {
  return {statement, route, holds, measured};
}

std::string in_digits(double value, int significant) {
  if (std::abs(value) < 1e-12) return "0";
  return fmt::format("{:.{}g}", value, significant);
}

std::string error_size(double error) {
  const double size = std::abs(error);
  if (!std::isfinite(size)) return "no number";
  if (size <= 1e-9) return "differs by less than 1e-9";
  return fmt::format("differs by less than 1e{}", static_cast<int>(std::floor(std::log10(size))) + 1);
}

bool explained(const Reproduction& result) {
  const auto known = [](const Comparison& c) { return c.match || !c.erratum.empty(); };
  const auto holds = [](const Feature& f) { return f.holds; };
  return std::all_of(result.comparisons.begin(), result.comparisons.end(), known) &&
         std::all_of(result.features.begin(), result.features.end(), holds);
}

}  // namespace painleve
