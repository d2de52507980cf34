#include "painleve/study/extrapolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace extrapolation_test {

std::vector<double> decades(double first, int n) {
  std::vector<double> h;
  for (int k = 0; k < n; ++k) h.push_back(first * std::pow(10.0, -k));
  return h;
}

std::vector<double> values(const std::vector<double>& h, const std::function<double(double)>& law) {
  std::vector<double> a;
  for (const double x : h) a.push_back(law(x));
  return a;
}

const std::vector<ExpectedPowers> springs = {{0.5, std::nullopt}, {1, std::nullopt}};

TEST(Extrapolation, FindsAnyPowerExactly) {
  const auto h = decades(1e-3, 5);
  for (const double p : {0.3, 0.5, 1.0, 1.7}) {
    const auto a = values(h, [p](double x) { return 2 - 3 * std::pow(x, p); });
    const LimitEstimate e = extrapolate(h, a, 1e-14, springs);
    EXPECT_NEAR(e.limit, 2, 1e-13) << p;
    ASSERT_TRUE(e.order);
    EXPECT_NEAR(*e.order, p, 1e-3) << p;
    EXPECT_FALSE(e.logarithm);
    EXPECT_TRUE(e.monotone);
    for (const auto& order : orders_of_differences(h, a, 0)) EXPECT_NEAR(*order, p, 1e-3);
    for (const auto& order : orders_of_errors(h, a, 2, 0)) EXPECT_NEAR(*order, p, 1e-3);
  }
}

TEST(Extrapolation, TellsALogarithmFromAPower) {
  const auto h = decades(1e-3, 6);
  const auto a = values(h, [](double x) { return 1 + x * (2 - 0.5 * std::log(x)) + 3 * x * x; });
  const LimitEstimate e = extrapolate(h, a, 1e-14, springs);
  EXPECT_NEAR(e.limit, 1, 1e-13);
  EXPECT_NEAR(*e.order, 1, 1e-12);
  EXPECT_TRUE(e.logarithm);
  EXPECT_EQ(e.law, "two powers with logarithm");
  // The naive order is still far from 1 after six decades.
  EXPECT_LT(*orders_of_errors(h, a, 1, 0).back(), 0.97);
}

TEST(Extrapolation, TwoAndThreePowers) {
  const auto h = decades(1e-4, 7);
  const auto root = values(h, [](double x) { return 5 + 2 * std::sqrt(x) - 7 * x; });
  EXPECT_NEAR(extrapolate(h, root, 1e-14, springs).limit, 5, 1e-12);
  EXPECT_NEAR(*extrapolate(h, root, 1e-14, springs).order, 0.5, 1e-12);
  const auto hertz = values(h, [](double x) { return std::cbrt(x) - 2 * std::pow(x, 0.4) + std::pow(x, 2.0 / 3); });
  const LimitEstimate e = extrapolate(h, hertz, 1e-14, {{1.0 / 3, 2.0 / 5}});
  EXPECT_EQ(e.law, "three powers");
  EXPECT_NEAR(e.limit, 0, 1e-10);
  // Without the second power it is wrong, and says so.
  const LimitEstimate without = extrapolate(h, hertz, 1e-14, springs);
  EXPECT_GT(std::abs(without.limit), 1e-6);
  EXPECT_GT(without.error, std::abs(without.limit) / 3);
}

TEST(Extrapolation, SettledErraticAndShortSequences) {
  const auto h = decades(1e-3, 5);
  const LimitEstimate settled = extrapolate(h, {3, 3, 3, 3, 3 + 1e-13}, 1e-12, springs);
  EXPECT_EQ(settled.law, "settled");
  EXPECT_FALSE(settled.order);
  EXPECT_EQ(settled.error, 1e-12);
  EXPECT_FALSE(orders_of_differences(h, {3, 3, 3, 3, 3 + 1e-13}, 1e-12).back());

  const LimitEstimate erratic = extrapolate(h, {1, -1, 1, -1, 1}, 0, springs);
  EXPECT_FALSE(erratic.monotone);
  EXPECT_GE(erratic.error, 1) << "nothing is known of this limit";

  const LimitEstimate three = extrapolate(decades(1e-3, 3), {1.1, 1.01, 1.001}, 0, springs);
  EXPECT_NEAR(three.limit, 1, 1e-12);
  EXPECT_NEAR(three.error, 1e-3, 1e-12);
  EXPECT_EQ(extrapolate(decades(1e-3, 2), {2, 1}, 0, springs).error, 1);
  EXPECT_TRUE(std::isinf(extrapolate({1e-3}, {2}, 0, springs).error));
}

// The estimate is honest: over drawn laws with terms that no law here has, the true error is within three estimates.
TEST(Extrapolation, ItsErrorIsNotTooSmall) {
  Draws draw(7);
  const auto h = decades(1e-3, 6);
  int beyond = 0;
  constexpr int drawn = 300;
  for (int n = 0; n < drawn; ++n) {
    const double p = draw.uniform(0, 1) < 0.5 ? 0.5 : 1;
    const double A = draw.uniform(-1, 1), B = draw.uniform(-1, 1), C = draw.uniform(-3, 3), D = draw.uniform(-1, 1);
    const auto a = values(h, [=](double x) {
      const double y = std::pow(x, p), l = std::log(x);
      return 1 + y * (A + B * l) + y * y * (C + D * l * l);
    });
    const LimitEstimate e = extrapolate(h, a, 1e-14, springs);
    if (std::abs(e.limit - 1) > 3 * e.error) ++beyond;
    EXPECT_LT(std::abs(e.limit - 1), std::abs(a.back() - 1)) << "no better than the last row, draw " << n;
  }
  EXPECT_LE(beyond, drawn / 50);
}

}  // namespace extrapolation_test
}  // namespace painleve
