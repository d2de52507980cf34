#include "painleve/base/draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

namespace painleve {
namespace draws_test {

TEST(Draws, MatchThePublishedSequenceOfSplitMix64) {
  Draws draws(1234567);
  EXPECT_EQ(draws.bits(), 6457827717110365317U);
  EXPECT_EQ(draws.bits(), 3203168211198807973U);
  EXPECT_EQ(draws.bits(), 9817491932198370423U);
  EXPECT_EQ(draws.bits(), 4593380528125082431U);
  EXPECT_EQ(draws.bits(), 16408922859458223821U);
}

TEST(Draws, DependOnTheSeedAlone) {
  Draws a(42);
  Draws b(42);
  std::set<std::uint64_t> first;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(a.bits(), b.bits());
    first.insert(Draws(static_cast<std::uint64_t>(i)).bits());
  }
  EXPECT_EQ(first.size(), 1000U);
}

// The bounds below are five standard deviations of the mean; the seed is fixed, so the tests cannot flicker.
TEST(Draws, UniformFillsItsInterval) {
  constexpr int count = 100000;
  Draws draws(1);
  double sum = 0.0;
  double smallest = 1.0;
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    const double u = draws.uniform();
    sum += u;
    smallest = std::min(smallest, u);
    largest = std::max(largest, u);
  }
  EXPECT_GE(smallest, 0.0);
  EXPECT_LT(smallest, 1e-3);
  EXPECT_LT(largest, 1.0);
  EXPECT_GT(largest, 1.0 - 1e-3);
  EXPECT_NEAR(sum / count, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / count));
}

TEST(Draws, UniformBetweenBoundsScalesTheUnitDraw) {
  Draws plain(3);
  Draws scaled(3);
  for (int i = 0; i < 1000; ++i) {
    const double value = scaled.uniform(-2.0, 6.0);
    EXPECT_NEAR(value, -2.0 + 8.0 * plain.uniform(), 1e-15 * 8.0);
    EXPECT_GE(value, -2.0);
    EXPECT_LE(value, 6.0);
  }
}

TEST(Draws, NormalHasTheMomentsOfTheNormalLaw) {
  constexpr int count = 200000;
  Draws draws(5);
  std::array<double, 5> moments{};
  for (int i = 0; i < count; ++i) {
    const double x = draws.normal();
    ASSERT_TRUE(std::isfinite(x));
    for (std::size_t k = 1; k < moments.size(); ++k) {
      moments[k] += std::pow(x, static_cast<double>(k)) / count;
    }
  }
  const double unit = 5.0 / std::sqrt(count);
  EXPECT_NEAR(moments[1], 0.0, unit);
  EXPECT_NEAR(moments[2], 1.0, unit * std::sqrt(2.0));
  EXPECT_NEAR(moments[3], 0.0, unit * std::sqrt(15.0));
  EXPECT_NEAR(moments[4], 3.0, unit * std::sqrt(96.0));
}

TEST(Draws, IntegersIncludeBothEndsEvenly) {
  constexpr int count = 60000;
  Draws draws(9);
  std::map<int, int> seen;
  for (int i = 0; i < count; ++i) {
    ++seen[draws.integer(-2, 3)];
  }
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen.begin()->first, -2);
  EXPECT_EQ(seen.rbegin()->first, 3);
  for (const auto& [number, n] : seen) {
    EXPECT_NEAR(n, count / 6.0, 5.0 * std::sqrt(count * 5.0 / 36.0));
  }
}

TEST(Draws, IntegersSpanTheWholeType) {
  constexpr int low = std::numeric_limits<int>::min();
  constexpr int high = std::numeric_limits<int>::max();
  Draws draws(2);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) {
    negative += draws.integer(low, high) < 0 ? 1 : 0;
  }
  EXPECT_NEAR(negative, 500, 80);
  EXPECT_EQ(draws.integer(high, high), high);
  EXPECT_EQ(draws.integer(low, low), low);
  EXPECT_THROW(draws.integer(1, 0), InputError);
}

}  // namespace draws_test
}  // namespace painleve
