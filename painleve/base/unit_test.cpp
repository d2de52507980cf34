#include "painleve/base/unit.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "painleve/base/error.hpp"

namespace painleve {
namespace unit_test {

std::string message(const std::string& text) {
  try {
    parse_unit(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_same(const std::string& a, const std::string& b) {
  const Unit left = parse_unit(a);
  const Unit right = parse_unit(b);
  EXPECT_EQ(left.exponents, right.exponents) << a << " and " << b;
  EXPECT_DOUBLE_EQ(left.to_si(1.0), right.to_si(1.0)) << a << " and " << b;
}

TEST(Unit, DerivedUnitsFollowTheirDefinitions) {
  expect_same("N", "kg m/s^2");
  expect_same("J", "N m");
  expect_same("W", "J/s");
  expect_same("Pa", "N/m^2");
  expect_same("Nm", "N m");
  expect_same("rpm", "rev/min");
  expect_same("GPa", "kN/mm^2");
  expect_same("mJ", "N mm");
  expect_same("MN", "kN km/m");
}

TEST(Unit, SpellingsAgree) {
  for (const std::string spelling :
       {"N*m*s/rad", "N·m·s/rad", "N⋅m s / rad", "  N  m\ts/rad ", "N m s rad^-1", "(N m) s/rad"}) {
    expect_same(spelling, "N m s/rad");
  }
  expect_same("m²", "m^2");
  expect_same("m⁻³", "1/m^3");
  expect_same("s⁻¹", "/s");
  expect_same("kg/(m s)", "kg/m/s");
  expect_same("1/(N/(m s))", "m s/N");
  expect_same("°", "deg");
  expect_same("\u00b5m", "um");
  expect_same("\u03bcm", "um");
  expect_same("", "1");
}

TEST(Unit, PowersAndInversesCancel) {
  for (const std::string name : {"mm", "deg", "kN", "rpm", "g", "%", "min"}) {
    const Unit unit = parse_unit(name + "^3/" + name + "^2/" + name);
    EXPECT_EQ(unit.exponents, Unit{}.exponents) << name;
    EXPECT_DOUBLE_EQ(unit.to_si(1.0), 1.0) << name;
  }
}

TEST(Unit, DecimalPrefixesAreExact) {
  for (int i = 1; i < 1000; ++i) {
    EXPECT_EQ(parse_unit("mm").to_si(i), i / 1000.0);
    EXPECT_EQ(parse_unit("um").to_si(i), i / 1e6);
  }
  EXPECT_EQ(parse_unit("deg").to_si(180.0), std::numbers::pi);
}

TEST(Unit, AnglesMayBeLeftOutButNotPutIn) {
  EXPECT_TRUE(fits(parse_unit("N m"), parse_unit("N m/rad")));
  EXPECT_TRUE(fits(parse_unit("1/s"), parse_unit("rad/s")));
  EXPECT_TRUE(fits(parse_unit("rpm"), parse_unit("rad/s")));
  EXPECT_TRUE(fits(parse_unit("%"), parse_unit("1")));
  EXPECT_FALSE(fits(parse_unit("deg"), parse_unit("1")));
  EXPECT_FALSE(fits(parse_unit("N m/deg"), parse_unit("N m")));
  EXPECT_FALSE(fits(parse_unit("N m rad"), parse_unit("N m/rad")));
  EXPECT_FALSE(fits(parse_unit("kg"), parse_unit("m")));
}

TEST(Unit, HertzIsNotRadiansPerSecond) {
  EXPECT_FALSE(fits(parse_unit("Hz"), parse_unit("rad/s")));
  EXPECT_FALSE(fits(parse_unit("rad/s"), parse_unit("Hz")));
  EXPECT_TRUE(fits(parse_unit("kHz"), parse_unit("Hz")));
  EXPECT_TRUE(fits(parse_unit("Hz"), parse_unit("1/s")));
  EXPECT_TRUE(fits(parse_unit("1/s"), parse_unit("Hz")));
}

TEST(Unit, MalformedTextIsNamed) {
  EXPECT_EQ(message("N-m"), "unknown unit 'N-m'; did you mean 'Nm'?");
  EXPECT_EQ(message("degs"), "unknown unit 'degs'; did you mean 'deg'?");
  EXPECT_EQ(message("KG"), "unknown unit 'KG'; did you mean 'kg'?");
  EXPECT_EQ(message("kg/m s"), "the unit 'kg/m s' is ambiguous after '/'; write N/(m s) or N s/m");
  EXPECT_EQ(message("m^0"), "the unit 'm^0' needs an exponent from -9 to 9, and not 0, after '^'");
  EXPECT_EQ(message("m^10"), "the unit 'm^10' needs an exponent from -9 to 9, and not 0, after '^'");
  EXPECT_EQ(message("m^"), "the unit 'm^' needs an exponent from -9 to 9, and not 0, after '^'");
  EXPECT_EQ(message("m⁻"), "the unit 'm⁻' needs one of ¹, ² and ³ after '⁻'");
  EXPECT_EQ(message("N/"), "the unit 'N/' lacks the name of a unit");
  EXPECT_EQ(message("N**m"), "the unit 'N**m' lacks the name of a unit");
  EXPECT_EQ(message("(N m"), "the unit '(N m' lacks a ')'");
  EXPECT_EQ(message("N m)"), "the unit 'N m)' has an unexpected ')'");
  EXPECT_EQ(message("()"), "the unit '()' lacks the name of a unit");
  EXPECT_TRUE(message(std::string(100000, '(')).ends_with("is nested too deeply"));
}

}  // namespace unit_test
}  // namespace painleve
