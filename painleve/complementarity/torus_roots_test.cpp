// What the search for common zeros may leave out, and what it must not.
#include "painleve/complementarity/torus_roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace torus_roots_test {

constexpr double pi = std::numbers::pi;

TorusPolynomial polynomial(const std::function<double(double, double)>& f) {
  TorusPolynomial::Square values;
  for (int k = 0; k < 5; ++k)
    for (int l = 0; l < 5; ++l) values(k, l) = f(2 * pi * k / 5, 2 * pi * l / 5);
  return TorusPolynomial(values);
}

TorusPolynomial drawn_polynomial(Draws& draws) {
  TorusPolynomial::Square values;
  for (int k = 0; k < 25; ++k) values(k) = draws.normal();
  return TorusPolynomial(values);
}

double value(const TorusPolynomial& f, double a, double b) { return f.slope(AngleBasis(a), AngleBasis(b)).value; }

// The same polynomial with a given value in one place.
TorusPolynomial lifted(const TorusPolynomial& f, double a, double b, double wanted) {
  const double lift = wanted - value(f, a, b);
  return polynomial([&](double x, double y) { return value(f, x, y) + lift; });
}

bool holds(const TorusZeros& found, double a, double b, double tolerance) {
  return std::any_of(found.zeros.begin(), found.zeros.end(), [&](const TorusZero& z) {
    return std::abs(std::remainder(z.a - a, 2 * pi)) < tolerance &&
           std::abs(std::remainder(z.b - b, 2 * pi)) < tolerance;
  });
}

bool holds_a(const TorusZeros& found, double a, double tolerance) {
  return std::any_of(found.zeros.begin(), found.zeros.end(),
                     [&](const TorusZero& z) { return std::abs(std::remainder(z.a - a, 2 * pi)) < tolerance; });
}

TEST(TorusPolynomial, SlopeIsTheJetWithoutSecondDerivatives) {
  Draws draws(3);
  for (int k = 0; k < 100; ++k) {
    const TorusPolynomial f = drawn_polynomial(draws);
    const AngleBasis a(draws.uniform(-pi, pi));
    const AngleBasis b(draws.uniform(-pi, pi));
    const Jet jet = f.jet(a, b);
    const Jet slope = f.slope(a, b);
    EXPECT_NEAR(slope.value, jet.value, f.rounding());
    EXPECT_NEAR(slope.a, jet.a, 4 * f.rounding());
    EXPECT_NEAR(slope.b, jet.b, 4 * f.rounding());
    EXPECT_EQ(slope.aa, 0);
    EXPECT_EQ(slope.ab, 0);
    EXPECT_EQ(slope.bb, 0);
  }
}

TEST(TorusPolynomial, NeverZeroIsSaidOnlyWhereTheConstantOutweighsTheRest) {
  const auto f = [](double constant) {
    return polynomial([=](double a, double b) { return constant + std::cos(a - 0.3) + std::sin(2 * b) * std::sin(a); });
  };
  EXPECT_TRUE(f(2.001).never_zero());
  EXPECT_TRUE(f(-2.001).never_zero());
  EXPECT_FALSE(f(1.999).never_zero());
  EXPECT_FALSE(polynomial([](double a, double) { return 1 + std::cos(a); }).never_zero()) << "it touches zero";
  EXPECT_FALSE(polynomial([](double, double) { return 0.0; }).never_zero());
}

TEST(TorusPolynomial, BoundsAreNoLargerThanTheirTermsAskFor) {
  // cos(2a − 2b): the derivatives along the diagonal reach the bounds.
  const TorusPolynomial f = polynomial([](double a, double b) { return std::cos(2 * a - 2 * b); });
  EXPECT_NEAR(f.magnitude(), std::sqrt(2.0), 1e-14);  // two terms of size one in one block
  EXPECT_NEAR(f.second(), std::sqrt(2.0) * 8, 1e-13);
  EXPECT_NEAR(f.third(), std::sqrt(2.0) * 64 / 6, 1e-13);
  EXPECT_NEAR(f.change_aa(), std::sqrt(2.0) * 16, 1e-13);
  EXPECT_NEAR(f.change_ab(), std::sqrt(2.0) * 16, 1e-13);
  EXPECT_NEAR(f.change_bb(), std::sqrt(2.0) * 16, 1e-13);
  EXPECT_GE(f.rounding(), 1e-15 * f.magnitude());
  EXPECT_LE(f.rounding(), 1e-13 * f.magnitude());
}

// Zeros at which the signs agree by a hair are not lost, wherever they lie in their boxes.
TEST(CommonZeros, WhoseSignsBarelyAgreeAreKept) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    const double p = draws.uniform(-pi, pi);
    const double q = draws.uniform(-pi, pi);
    TorusSystem system{lifted(drawn_polynomial(draws), p, q, 0), lifted(drawn_polynomial(draws), p, q, 0), {}};
    const double side = draws.integer(0, 1) == 0 ? 1 : -1;
    for (int k = 0; k < 3; ++k) {
      const TorusPolynomial f = drawn_polynomial(draws);
      system.alike.push_back(lifted(f, p, q, side * 1e-9 * f.magnitude()));
    }
    const TorusZeros found = common_zeros(system);
    EXPECT_TRUE(!found.complete() || holds(found, p, q, 1e-6)) << seed;
  }
}

// The same where slopes vanish in the centre of a box, so that curvature alone brings the sign back at its edge.
TEST(CommonZeros, WhoseSignsAreWrongInTheCentreOfTheirBoxAreKept) {
  const double centre = pi / 8;  // of the first boxes
  for (const double away : {0.3, 0.38, -0.38}) {
    TorusSystem system{polynomial([&](double a, double) { return std::sin(a - centre - away); }),
                       polynomial([&](double, double b) { return std::sin(b - centre - away); }),
                       {}};
    const double level = std::cos(away) + 1e-6;
    system.alike = {polynomial([&](double a, double) { return level - std::cos(a - centre); }),
                    polynomial([](double, double) { return 1.0; })};
    EXPECT_TRUE(holds(common_zeros(system), centre + away, centre + away, 1e-12)) << away;
  }
}

// A curve of zeros along which the signs differ clearly costs no more than a look at the first boxes.
TEST(CommonZeros, OfWrongSignsAreSeenAtOnce) {
  const auto line = [](double a, double b) { return std::sin(a - b); };
  TorusSystem system{polynomial(line), polynomial(line), {}};
  const auto positive = [](double x) { return 0.62 + 0.5 * std::cos(x); };
  system.alike = {polynomial([&](double a, double) { return positive(a); }),
                  polynomial([&](double, double b) { return -positive(b); })};
  const TorusZeros found = common_zeros(system);
  EXPECT_TRUE(found.complete());
  EXPECT_TRUE(found.zeros.empty());
  EXPECT_LE(found.boxes, 64);
}

// Two zeros that merge at (p, q), and two more at b = q + π/2 where sin + cos is 1 again. `lift` moves the polynomial
// off zero, so that they part or vanish.
TorusSystem touching(double p, double q, double slope, double lift) {
  return {
      polynomial([=](double a, double) { return std::cos(a - p) - 1 + lift; }),
      polynomial([=](double a, double b) { return std::sin(b - q) - slope * std::sin(a - p) + std::cos(b - q) - 1; }),
      {}};
}

TEST(CommonZeros, ThatMergeAreTwofold) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Draws draws(seed);
    const double p = draws.uniform(-pi, pi);
    const double q = draws.uniform(-pi, pi);
    const TorusZeros found = common_zeros(touching(p, q, draws.uniform(-0.8, 0.8), 0));
    EXPECT_TRUE(found.complete()) << seed;
    EXPECT_EQ(found.zeros.size(), 2U) << seed;
    EXPECT_TRUE(holds(found, p, q, 1e-7)) << seed;
    EXPECT_TRUE(holds(found, p, q + pi / 2, 1e-7)) << seed;
    for (const TorusZero& z : found.zeros) EXPECT_TRUE(z.proved && z.twofold) << seed;
  }
}

// Just before and after they merge: two of them where they are, or none, down to what rounding can tell.
TEST(CommonZeros, NextToMergingAreCounted) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Draws draws(seed);
    const double p = draws.uniform(-pi, pi);
    const double q = draws.uniform(-pi, pi);
    const double slope = draws.uniform(-0.8, 0.8);
    for (const double lift : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const TorusZeros two = common_zeros(touching(p, q, slope, lift));
      EXPECT_TRUE(two.complete()) << seed << " " << lift;
      ASSERT_EQ(two.zeros.size(), 4U) << seed << " " << lift;
      const double away = std::acos(1 - lift);
      // Rounding of the polynomials over their slope.
      for (const double side : {away, -away}) EXPECT_TRUE(holds_a(two, p + side, 1e-14 / away + 1e-12)) << seed << lift;
      for (const TorusZero& z : two.zeros) EXPECT_TRUE(z.proved && !z.twofold) << seed << " " << lift;
      const TorusZeros none = common_zeros(touching(p, q, slope, -lift));
      EXPECT_TRUE(none.complete()) << seed << " " << lift;
      EXPECT_TRUE(none.zeros.empty()) << seed << " " << lift;
    }
  }
}

// Folds, in any units of the two polynomials.
TEST(CommonZeros, ThatMergeDoNotDependOnTheSizeOfThePolynomials) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Draws draws(seed);
    const double p = draws.uniform(-pi, pi);
    const double q = draws.uniform(-pi, pi);
    const double slope = draws.uniform(-0.8, 0.8);
    for (const double unit : {0x1p-80, 0x1p80}) {
      const TorusSystem system{polynomial([=](double a, double) { return unit * (std::cos(a - p) - 1); }),
                               polynomial([=](double a, double b) {
                                 return unit * (std::sin(b - q) - slope * std::sin(a - p) + std::cos(b - q) - 1);
                               }),
                               {}};
      const TorusZeros found = common_zeros(system);
      EXPECT_TRUE(found.complete()) << seed << " " << unit;
      EXPECT_EQ(found.zeros.size(), 2U) << seed << " " << unit;
      EXPECT_TRUE(holds(found, p, q, 1e-7)) << seed << " " << unit;
      for (const TorusZero& z : found.zeros) EXPECT_TRUE(z.proved && z.twofold) << seed << " " << unit;
    }
  }
}

// Three zeros that merge are no fold: nothing is claimed.
TEST(CommonZeros, ThatMergeInThreesAreLeftOpen) {
  for (const double p : {0.1, 1.0, 2.5}) {
    const TorusSystem system{polynomial([&](double a, double) { return 2 * std::sin(a - p) - std::sin(2 * (a - p)); }),
                             polynomial([&](double a, double b) { return std::sin(b - 1) + 0.2 * std::sin(a - p); }),
                             {}};
    const TorusZeros found = common_zeros(system);
    ASSERT_FALSE(found.complete()) << p;
    for (const TorusBox& box : found.open) EXPECT_LT(std::abs(std::remainder(box.a - p, 2 * pi)), 1e-3) << p;
    EXPECT_TRUE(holds(found, p + pi, 1, 1e-12)) << p;
  }
}

// What other means refute is not looked into, were it a curve of zeros.
TEST(CommonZeros, AreNotSoughtInBoxesThatAreRefuted) {
  const auto line = [](double a, double b) { return std::sin(a - b); };
  TorusSystem system{polynomial(line), polynomial(line), {}};
  int asked = 0;
  system.refutes = [&](const TorusBox& box) {
    ++asked;
    EXPECT_LE(box.half_width, 0.05);
    return true;
  };
  const TorusZeros found = common_zeros(system);
  EXPECT_TRUE(found.complete());
  EXPECT_GT(asked, 50);
  EXPECT_LT(found.boxes, 4000);
}

// A curve of zeros: points of it stand for it, and only on it.
TEST(CommonZeros, OfACurveAreSampled) {
  const auto line = [](double a, double b) { return std::sin(a - b); };
  const TorusSystem system{polynomial(line), polynomial([&](double a, double b) { return 2 * line(a, b); }), {}};
  const TorusZeros found = common_zeros(system);
  EXPECT_TRUE(found.exhausted);
  EXPECT_GT(found.boxes, 10'000);
  EXPECT_LT(found.boxes, 100'000);
  EXPECT_GE(found.zeros.size(), 8U);
  EXPECT_LE(found.zeros.size(), 128U);
  for (const TorusZero& z : found.zeros) {
    EXPECT_LT(std::abs(std::sin(z.a - z.b)), 1e-12);
    EXPECT_FALSE(z.proved);
  }
}

// Two curves that run side by side: no point solves both equations, so that none stands for them.
TEST(CommonZeros, OfParallelCurvesAreNotSampled) {
  const auto line = [](double a, double b) { return std::sin(a - b); };
  for (const bool swapped : {false, true}) {
    const auto beside = [&](double a, double b) { return line(a, b) + 1e-9; };
    const TorusSystem system = swapped ? TorusSystem{polynomial(beside), polynomial(line), {}}
                                       : TorusSystem{polynomial(line), polynomial(beside), {}};
    const TorusZeros found = common_zeros(system);
    EXPECT_TRUE(found.exhausted);
    EXPECT_TRUE(found.zeros.empty()) << swapped;
  }
}

// Units of the polynomials are of no account: powers of two change no digit.
TEST(CommonZeros, DoNotDependOnTheSizeOfThePolynomials) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Draws draws(seed);
    const TorusSystem system{drawn_polynomial(draws), drawn_polynomial(draws), {drawn_polynomial(draws)}};
    const TorusZeros found = common_zeros(system);
    for (const double factor : {0x1p-80, 0x1p80}) {
      const auto times = [&](const TorusPolynomial& f) {
        return polynomial([&](double a, double b) { return factor * value(f, a, b); });
      };
      const TorusZeros scaled = common_zeros({times(system.f), times(system.g), {times(system.alike[0])}});
      ASSERT_EQ(scaled.zeros.size(), found.zeros.size()) << seed;
      for (std::size_t k = 0; k < found.zeros.size(); ++k)
        EXPECT_TRUE(holds(scaled, found.zeros[k].a, found.zeros[k].b, 1e-9)) << seed;
    }
  }
}

// The same where f itself is flat in the centre of a box, whatever the size of f.
TEST(CommonZeros, AwayFromAFlatCentreAreNotLostInAnyUnits) {
  const double centre = pi / 8;  // of the first boxes
  const auto f = [](double x) { return 2 * std::sin(x) - std::sin(2 * x); };
  for (const double unit : {0x1p-20, 1.0, 0x1p20}) {
    for (const double away : {0.3, 0.39}) {
      const TorusSystem system{polynomial([&](double a, double) { return unit * (f(a - centre) - f(away)); }),
                               polynomial([&](double, double b) { return unit * (f(b - centre) - f(away)); }),
                               {}};
      const TorusZeros found = common_zeros(system);
      EXPECT_TRUE(found.complete());
      EXPECT_TRUE(holds(found, centre + away, centre + away, 1e-12)) << unit << " " << away;
    }
  }
}

// Zeros are exact to rounding, also when one of the two angles is known from the start.
TEST(CommonZeros, AreKnownToRounding) {
  for (const double p : {pi / 8, 3 * pi / 8, 0.3}) {
    const TorusSystem system{polynomial([&](double a, double) { return std::sin(a - p); }),
                             polynomial([&](double a, double b) { return std::sin(b - 0.31) + 0.1 * std::sin(a - p); }),
                             {}};
    for (const bool swapped : {false, true}) {
      const auto turned = [&](const TorusPolynomial& f) {
        return polynomial([&](double a, double b) { return swapped ? value(f, b, a) : value(f, a, b); });
      };
      const TorusZeros found = common_zeros({turned(system.f), turned(system.g), {}});
      EXPECT_EQ(found.zeros.size(), 4U);
      EXPECT_TRUE(holds(found, swapped ? 0.31 : p, swapped ? p : 0.31, 4e-15)) << p << swapped;
    }
  }
}

// Bounds as tight as Taylor's formula makes them: how many boxes sixteen zeros on a grid take.
TEST(CommonZeros, AreFoundWithFewBoxes) {
  long boxes = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Draws draws(seed);
    const double p = draws.uniform(-pi, pi);
    const double q = draws.uniform(-pi, pi);
    const TorusSystem system{
        polynomial([&](double a, double b) { return std::sin(2 * (a - p)) + 0.3 * std::sin(b - q); }),
        polynomial([&](double a, double b) { return std::sin(2 * (b - q)) - 0.3 * std::sin(a - p); }),
        {}};
    const TorusZeros found = common_zeros(system);
    EXPECT_TRUE(found.complete()) << seed;
    EXPECT_EQ(found.zeros.size(), 16U) << seed;
    boxes += found.boxes;
  }
  EXPECT_LE(boxes / 50, 300);
}

}  // namespace torus_roots_test
}  // namespace painleve
