#include "painleve/base/quantity.hpp"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"

namespace painleve {
namespace quantity_test {

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string quantity_message(const std::string& text, const std::string& unit) {
  return message([&] { parse_quantity(text, unit); });
}

std::string range_message(const std::string& text, const std::string& unit) {
  return message([&] { parse_range(text, unit); });
}

std::string shortest(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

TEST(ParseNumber, ReadsDecimalNumbers) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number(" -.5e-2\t"), -0.005);
  EXPECT_EQ(parse_number("+7."), 7.0);
  EXPECT_EQ(parse_number("1.7e3"), 1700.0);
  EXPECT_EQ(parse_number("5e-324"), 5e-324);
}

TEST(ParseNumber, ReturnsEveryDrawnDoubleBitForBit) {
  Draws draws(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const double value = draws.normal() * std::pow(10.0, draws.integer(-300, 300));
    EXPECT_EQ(parse_number(shortest(value)), value) << "trial " << trial;
  }
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const std::string text :
       {"",    " ",    "abc",  "1.2.3", "1,5", "--1",  "+-1", "-+1",       "+",      "-",     ".",      "e5",
        "1 2", "5 kg", "0x10", "0X1p3", "nan", "-nan", "inf", "-Infinity", "nan(1)", "1e400", "1e-400", "1_000"}) {
    EXPECT_THROW(parse_number(text), InputError) << "'" << text << "'";
  }
  EXPECT_THROW(parse_number(std::string("1\0", 2)), InputError);
}

TEST(ParseQuantity, ConvertsToSi) {
  constexpr double pi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(parse_quantity("60deg", "rad"), pi / 3.0);
  EXPECT_DOUBLE_EQ(parse_quantity("60°", "rad"), pi / 3.0);
  EXPECT_EQ(parse_quantity("5 N m", "N m"), 5.0);
  EXPECT_EQ(parse_quantity("2 mm", "m"), 0.002);
  EXPECT_EQ(parse_quantity("1e6 N/m", "N/m"), 1e6);
  EXPECT_DOUBLE_EQ(parse_quantity("3 N/mm", "N/m"), 3000.0);
  EXPECT_DOUBLE_EQ(parse_quantity("30 deg/s", "rad/s"), pi / 6.0);
  EXPECT_DOUBLE_EQ(parse_quantity("60 rpm", "rad/s"), 2.0 * pi);
  EXPECT_EQ(parse_quantity("9.81 m/s^2", "m/s^2"), 9.81);
  EXPECT_EQ(parse_quantity("2 kg m^2", "kg m^2"), 2.0);
  EXPECT_DOUBLE_EQ(parse_quantity("1 N m/deg", "N m/rad"), 180.0 / pi);
  EXPECT_EQ(parse_quantity("50%", "1"), 0.5);
  EXPECT_EQ(parse_quantity("3/s", "1/s"), 3.0);
  EXPECT_EQ(parse_quantity("2 min", "s"), 120.0);
}

TEST(ParseQuantity, TakesABareNumberInTheUnitOfTheField) {
  for (const std::string unit : {"rad", "m", "kg", "N", "N m", "N/m", "N s/m", "N m/rad", "N m s/rad", "m/s", "rad/s",
                                 "m/s^2", "kg/m", "s", "1", ""}) {
    EXPECT_EQ(parse_quantity("1.5", unit), 1.5) << unit;
    EXPECT_EQ(parse_quantity("-1.5 " + unit, unit), -1.5) << unit;
    EXPECT_EQ(parse_quantity("1.5" + unit, unit), unit == "1" ? 1.51 : 1.5) << unit;
  }
}

TEST(ParseQuantity, ExplainsWhatIsWrong) {
  EXPECT_EQ(quantity_message("5 kg", "rad"), "'5 kg' has the unit 'kg', expected a value in rad");
  EXPECT_EQ(quantity_message(" 30deg ", "1"), "'30deg' has the unit 'deg', expected a number without a unit");
  EXPECT_EQ(quantity_message("5 Hz", "rad/s"), "'5 Hz' has the unit 'Hz', expected a value in rad/s");
  EXPECT_EQ(quantity_message("1deg\t\tmm", "1"), "'1deg??mm' has the unit 'deg??mm', expected a number without a unit");
  EXPECT_EQ(quantity_message("5 dge", "rad"), "unknown unit 'dge'; did you mean 'deg'?");
  EXPECT_EQ(quantity_message("0x10", "m"), "'0x10' is not a decimal number");
  EXPECT_EQ(quantity_message("nan", "m"), "'nan' is not a finite number");
  EXPECT_EQ(quantity_message("inf m", "m"), "'inf m' is not a finite number");
  EXPECT_EQ(quantity_message("1e400 m", "m"),
            "'1e400 m' is beyond the numbers of double precision, 4.9e-324 to 1.8e308");
  EXPECT_EQ(quantity_message("1e308 km", "m"), "'1e308 km' is too large to be written in SI units");
  EXPECT_EQ(quantity_message("m", "m"), "'m' is not a number");
  EXPECT_EQ(quantity_message("", "m"), "'' is not a number");
  EXPECT_EQ(quantity_message("1,5 m", "m"), "'1,5 m' is not a number with a unit");
  EXPECT_EQ(quantity_message("1 -2 m", "m"), "'1 -2 m' is not a number with a unit");
}

TEST(ParseRange, ReadsEndsAndCount) {
  const Range range = parse_range("0.1:0.9:5", "1");
  EXPECT_EQ(range.from, 0.1);
  EXPECT_EQ(range.to, 0.9);
  EXPECT_EQ(range.count, 5);
  EXPECT_EQ(parse_range("-1 : 1", "m").count, 0);
  EXPECT_EQ(parse_range("2:2:1", "m").count, 1);
  EXPECT_EQ(parse_range("2:2:3", "m").count, 3);
}

TEST(ParseRange, OneUnitHoldsForBothEnds) {
  for (const std::string text : {"45:90deg:400", "45deg:90:400", "45deg:90deg:400", " 45 deg : 90 deg : 400 "}) {
    const Range range = parse_range(text, "rad");
    EXPECT_DOUBLE_EQ(range.from, std::numbers::pi / 4.0) << text;
    EXPECT_DOUBLE_EQ(range.to, std::numbers::pi / 2.0) << text;
    EXPECT_EQ(range.count, 400) << text;
  }
  const Range mixed = parse_range("0.5rad:90deg", "rad");
  EXPECT_EQ(mixed.from, 0.5);
  EXPECT_DOUBLE_EQ(mixed.to, std::numbers::pi / 2.0);
  EXPECT_EQ(parse_range("1:2", "rad").to, 2.0) << "without any unit the ends are in SI";
}

TEST(ParseRange, ExplainsWhatIsWrong) {
  EXPECT_EQ(range_message("5", "m"), "'5' is not a range, expected from:to or from:to:count");
  EXPECT_EQ(range_message("1:2:3:4", "m"), "'1:2:3:4' is not a range, expected from:to or from:to:count");
  EXPECT_EQ(range_message("2:1", "m"), "the range '2:1' ends before it begins, expected from <= to");
  EXPECT_EQ(range_message("1m:20cm", "m"), "the range '1m:20cm' ends before it begins, expected from <= to");
  EXPECT_EQ(range_message("1:2:1", "m"),
            "the range '1:2:1' has two different ends but the count 1, expected at least 2");
  for (const std::string count : {"0", "-3", "2.5", "x", "", "99999999999", "3 m", "+3"}) {
    EXPECT_EQ(range_message("1:2:" + count, "m"), "the range '1:2:" + count + "' has the count '" + count +
                                                      "', expected a whole number from 1 to 2147483647");
  }
  EXPECT_EQ(range_message("0:5kg", "rad"), "'0:5kg' has the unit 'kg', expected a value in rad");
  EXPECT_EQ(range_message(":5", "m"), "'' is not a number");
}

}  // namespace quantity_test
}  // namespace painleve
