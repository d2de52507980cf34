#include "painleve/base/unit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"

namespace painleve {
namespace {

struct NamedUnit {
  std::string_view name;
  Unit unit;
};

using Exponents = std::array<int, Unit::kDimensions>;
constexpr Exponents kPure{};
constexpr Exponents kMetre{1, 0, 0, 0, 0};
constexpr Exponents kKilogram{0, 1, 0, 0, 0};
constexpr Exponents kSecond{0, 0, 1, 0, 0};
constexpr Exponents kRadian{0, 0, 0, 1, 0};
constexpr Exponents kRadianPerSecond{0, 0, -1, 1, 0};
constexpr Exponents kHertz{0, 0, -1, 0, 1};
constexpr Exponents kNewton{1, 1, -2, 0, 0};
constexpr Exponents kJoule{2, 1, -2, 0, 0};
constexpr Exponents kWatt{2, 1, -3, 0, 0};
constexpr Exponents kPascal{-1, 1, -2, 0, 0};
constexpr double kPi = std::numbers::pi;

// Every spelling is written out: a general rule for prefixes would read "min" as milli-inch and "Pa" as peta-year.
constexpr auto kUnits = std::to_array<NamedUnit>({
    {"m", {1, 1, kMetre}},
    {"km", {1e3, 1, kMetre}},
    {"dm", {1, 1e1, kMetre}},
    {"cm", {1, 1e2, kMetre}},
    {"mm", {1, 1e3, kMetre}},
    {"um", {1, 1e6, kMetre}},
    {"\u00b5m", {1, 1e6, kMetre}},  // micro sign
    {"\u03bcm", {1, 1e6, kMetre}},  // Greek mu, which looks the same
    {"nm", {1, 1e9, kMetre}},
    {"kg", {1, 1, kKilogram}},
    {"g", {1, 1e3, kKilogram}},
    {"mg", {1, 1e6, kKilogram}},
    {"s", {1, 1, kSecond}},
    {"ms", {1, 1e3, kSecond}},
    {"us", {1, 1e6, kSecond}},
    {"\u00b5s", {1, 1e6, kSecond}},
    {"\u03bcs", {1, 1e6, kSecond}},
    {"min", {60, 1, kSecond}},
    {"h", {3600, 1, kSecond}},
    {"rad", {1, 1, kRadian}},
    {"mrad", {1, 1e3, kRadian}},
    {"deg", {kPi, 180, kRadian}},
    {"\u00b0", {kPi, 180, kRadian}},
    {"rev", {2 * kPi, 1, kRadian}},
    {"rpm", {2 * kPi, 60, kRadianPerSecond}},
    {"Hz", {1, 1, kHertz}},
    {"kHz", {1e3, 1, kHertz}},
    {"N", {1, 1, kNewton}},
    {"mN", {1, 1e3, kNewton}},
    {"kN", {1e3, 1, kNewton}},
    {"MN", {1e6, 1, kNewton}},
    {"Nm", {1, 1, kJoule}},
    {"mNm", {1, 1e3, kJoule}},
    {"kNm", {1e3, 1, kJoule}},
    {"J", {1, 1, kJoule}},
    {"mJ", {1, 1e3, kJoule}},
    {"kJ", {1e3, 1, kJoule}},
    {"W", {1, 1, kWatt}},
    {"mW", {1, 1e3, kWatt}},
    {"kW", {1e3, 1, kWatt}},
    {"Pa", {1, 1, kPascal}},
    {"kPa", {1e3, 1, kPascal}},
    {"MPa", {1e6, 1, kPascal}},
    {"GPa", {1e9, 1, kPascal}},
    {"%", {1, 100, kPure}},
    {"1", {1, 1, kPure}},
});

constexpr auto kBlanks = std::to_array<std::string_view>({" ", "\t", "\u00a0"});
constexpr auto kTimes = std::to_array<std::string_view>({"*", "\u00b7", "\u22c5"});
constexpr auto kSuperscripts = std::to_array<std::string_view>({"\u00b9", "\u00b2", "\u00b3"});  // 1, 2, 3
constexpr std::string_view kSuperscriptMinus = "\u207b";

constexpr int kDeepest = 8;  // parentheses: no unit needs more, and hostile text must not exhaust the stack

Unit product(const Unit& a, const Unit& b) {
  Unit result{a.numerator * b.numerator, a.denominator * b.denominator, a.exponents};
  for (std::size_t i = 0; i < result.exponents.size(); ++i) result.exponents[i] += b.exponents[i];
  return result;
}

Unit inverse(const Unit& unit) {
  Unit result{unit.denominator, unit.numerator, unit.exponents};
  for (int& exponent : result.exponents) exponent = -exponent;
  return result;
}

Unit power(const Unit& unit, int exponent) {
  const Unit base = exponent < 0 ? inverse(unit) : unit;
  Unit result;
  for (int i = 0; i < std::abs(exponent); ++i) result = product(result, base);
  return result;
}

Unit named_unit(std::string_view name) {
  const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const NamedUnit& u) { return u.name == name; });
  if (found != kUnits.end()) return found->unit;
  std::vector<std::string> known;
  known.reserve(kUnits.size());
  for (const NamedUnit& u : kUnits) known.emplace_back(u.name);
  throw InputError(unknown_name("unit", name, known));
}

class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text), rest_(text) {}

  Unit read() {
    skip_blanks();
    if (rest_.empty()) return Unit{};
    const Unit result = read_quotient();
    if (!rest_.empty()) fail("has an unexpected ')'");
    return result;
  }

 private:
  Unit read_quotient() {
    if (++depth_ > kDeepest) fail("is nested too deeply");
    Unit result;
    bool divided = take("/");  // "/s" is short for "1/s"
    result = divided ? inverse(read_factor()) : read_factor();
    for (skip_blanks(); !rest_.empty() && !rest_.starts_with(")"); skip_blanks()) {
      if (take("/")) {
        divided = true;
        result = product(result, inverse(read_factor()));
        continue;
      }
      take_any(kTimes);
      if (divided) fail("is ambiguous after '/'; write N/(m s) or N s/m");
      result = product(result, read_factor());
    }
    --depth_;
    return result;
  }

  Unit read_factor() {
    skip_blanks();
    Unit base;
    if (take("(")) {
      base = read_quotient();
      if (!take(")")) fail("lacks a ')'");
    } else {
      base = named_unit(take_name());
    }
    return power(base, take_exponent());
  }

  std::string_view take_name() {
    std::string_view left = rest_;
    while (!left.empty() && !ends_name(left)) left.remove_prefix(1);
    const std::string_view name = rest_.substr(0, rest_.size() - left.size());
    if (name.empty()) fail("lacks the name of a unit");
    rest_ = left;
    return name;
  }

  static bool ends_name(std::string_view left) {
    const auto starts = [&](std::string_view mark) { return left.starts_with(mark); };
    return std::string_view("/^()").find(left.front()) != std::string_view::npos || starts(kSuperscriptMinus) ||
           std::any_of(kBlanks.begin(), kBlanks.end(), starts) || std::any_of(kTimes.begin(), kTimes.end(), starts) ||
           std::any_of(kSuperscripts.begin(), kSuperscripts.end(), starts);
  }

  int take_exponent() {
    if (take("^")) {
      const int sign = take("-") ? -1 : 1;
      const bool digit = !rest_.empty() && rest_.front() >= '1' && rest_.front() <= '9';
      const bool longer = rest_.size() > 1 && rest_[1] >= '0' && rest_[1] <= '9';
      if (!digit || longer) fail("needs an exponent from -9 to 9, and not 0, after '^'");
      const int exponent = rest_.front() - '0';
      rest_.remove_prefix(1);
      return sign * exponent;
    }
    const bool negative = take(kSuperscriptMinus);
    const int exponent = take_any(kSuperscripts) + 1;
    if (negative && exponent == 0) fail("needs one of ¹, ² and ³ after '⁻'");
    if (exponent == 0) return 1;
    return negative ? -exponent : exponent;
  }

  bool take(std::string_view mark) {
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(mark.size());
    return true;
  }

  /// The index of the mark that was taken, or -1.
  template <std::size_t count>
  int take_any(const std::array<std::string_view, count>& marks) {
    for (std::size_t i = 0; i < count; ++i) {
      if (take(marks[i])) return static_cast<int>(i);
    }
    return -1;
  }

  void skip_blanks() {
    while (take_any(kBlanks) >= 0) {
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError("the unit " + in_quotes(text_) + " " + reason);
  }

  std::string_view text_;
  std::string_view rest_;
  int depth_ = 0;
};

}  // namespace

Unit parse_unit(std::string_view text) { return UnitReader(text).read(); }

bool fits(const Unit& given, const Unit& expected) {
  const Exponents& a = given.exponents;
  const Exponents& b = expected.exponents;
  const bool same =
      a[Unit::kLength] == b[Unit::kLength] && a[Unit::kMass] == b[Unit::kMass] && a[Unit::kTime] == b[Unit::kTime];
  const bool angle = a[Unit::kAngle] == 0 || a[Unit::kAngle] == b[Unit::kAngle];
  const bool cycle = a[Unit::kCycle] == b[Unit::kCycle] || (a[Unit::kAngle] == 0 && b[Unit::kAngle] == 0);
  return same && angle && cycle;
}

}  // namespace painleve
