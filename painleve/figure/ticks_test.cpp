#include "painleve/figure/detail/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace ticks_test {

std::vector<std::string> labels_of(const detail::AxisTicks& ticks) {
  std::vector<std::string> labels;
  for (const auto& tick : ticks.ticks) {
    if (!tick.label.empty()) labels.push_back(tick.label);
  }
  return labels;
}

using Words = std::vector<std::string>;

TEST(RoundTicks, KnownRanges) {
  EXPECT_EQ(round_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1}));
  EXPECT_EQ(round_ticks(-0.3, 0.3, 6), (std::vector<double>{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}));
  EXPECT_EQ(round_ticks(3, 97, 5), (std::vector<double>{20, 40, 60, 80}));
  EXPECT_EQ(round_ticks(97, 3, 5), (std::vector<double>{20, 40, 60, 80}));
}

// Over drawn ranges of all magnitudes: inside, evenly spaced, few, and multiples of 1, 2 or 5 times a power of ten.
TEST(RoundTicks, AreRoundAndInside) {
  Draws draws(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const double size = std::pow(10, draws.uniform(-12, 12));
    const double from = size * draws.uniform(-2, 2), to = from + size * draws.uniform(0.3, 1);
    const int count = draws.integer(2, 10);
    const std::vector<double> ticks = round_ticks(from, to, count);
    ASSERT_GE(ticks.size(), 1U);
    ASSERT_LE(ticks.size(), static_cast<std::size_t>(2 * count + 1));
    for (const double tick : ticks) {
      EXPECT_GE(tick, from - 1e-8 * size);
      EXPECT_LE(tick, to + 1e-8 * size);
    }
    if (ticks.size() < 2) continue;
    const double step = ticks[1] - ticks[0];
    const double mantissa = step / std::pow(10, std::floor(std::log10(step * (1 + 1e-9))));
    EXPECT_NEAR(std::min({std::abs(mantissa - 1), std::abs(mantissa - 2), std::abs(mantissa - 5)}), 0, 1e-6) << step;
    EXPECT_NEAR(std::remainder(ticks[0], step), 0, 1e-7 * step + 1e-14 * std::abs(ticks[0]));
    // None is missing at the ends.
    EXPECT_GT(ticks.front() - step, from - 1.000001 * step);
    EXPECT_LT(from, ticks.front() + 1e-8 * size);
    EXPECT_LT(to - ticks.back(), 1.000001 * step);
  }
}

TEST(RoundTicks, NarrowAndHugeRanges) {
  EXPECT_EQ(round_ticks(2, 2, 5), std::vector<double>{2});
  EXPECT_EQ(round_ticks(0, 0, 5), std::vector<double>{0});
  EXPECT_GE(round_ticks(-1.5e308, 1.5e308, 5).size(), 2U);
  EXPECT_EQ(round_ticks(1, std::nextafter(1, 2), 5).size(), 1U);
  EXPECT_GE(round_ticks(0, 1e-310, 5).size(), 1U);
}

TEST(AxisTicks, LabelsHaveTheDigitsOfTheStep) {
  const Axis axis;
  EXPECT_EQ(labels_of(detail::axis_ticks(axis, -1, 1, 4)), (Words{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels_of(detail::axis_ticks(axis, 0, 4, 4)), (Words{"0", "1", "2", "3", "4"}));
}

TEST(AxisTicks, PowersOfTenAreTakenOut) {
  const Axis axis;
  const auto small = detail::axis_ticks(axis, 0, 3e-5, 3);
  EXPECT_EQ(small.exponent, -5);
  EXPECT_EQ(labels_of(small), (Words{"0", "1", "2", "3"}));
  const auto large = detail::axis_ticks(axis, 0, 2e7, 4);
  EXPECT_EQ(large.exponent, 7);
  EXPECT_EQ(labels_of(large), (Words{"0.0", "0.5", "1.0", "1.5", "2.0"}));
  // Times its power, each label is the number at its place.
  for (const auto& ticks : {small, large}) {
    for (const auto& tick : ticks.ticks) {
      EXPECT_NEAR(std::stod(tick.label) * std::pow(10, ticks.exponent), tick.at, 1e-12 * std::abs(tick.at));
    }
  }
  const auto narrow = detail::axis_ticks(axis, 123456.1, 123456.2, 5);
  EXPECT_EQ(narrow.exponent, 0);
  EXPECT_EQ(labels_of(narrow).front(), "123456.10");
}

TEST(AxisTicks, FactorShowsDegreesOfRadians) {
  Axis axis;
  axis.unit = "deg";
  axis.factor = 180 / std::numbers::pi;
  const auto ticks = detail::axis_ticks(axis, 0, std::numbers::pi / 2, 6);
  EXPECT_EQ(labels_of(ticks), (Words{"0", "15", "30", "45", "60", "75", "90"}));
  EXPECT_NEAR(ticks.ticks[3].at, std::numbers::pi / 4, 1e-15);
}

TEST(AxisTicks, LogarithmicDecadesAndSmallTicks) {
  Axis axis;
  axis.scale = Scale::logarithmic;
  const auto ticks = detail::axis_ticks(axis, 1e-5, 1e-1, 6);
  EXPECT_EQ(labels_of(ticks), (Words{"10^{−5}", "10^{−4}", "10^{−3}", "10^{−2}", "10^{−1}"}));
  EXPECT_EQ(ticks.ticks.size(), 4U * 9 + 1);
  EXPECT_NEAR(ticks.ticks[10].at, 2e-4, 1e-18);
  EXPECT_EQ(ticks.ticks[10].label, "");
  EXPECT_EQ(labels_of(detail::axis_ticks(axis, 0.5, 20, 6)), (Words{"0.5", "1", "2", "5", "10", "20"}));
  EXPECT_EQ(labels_of(detail::axis_ticks(axis, 1.2, 1.8, 3)), (Words{"1.2", "1.4", "1.6", "1.8"}));
  EXPECT_LE(labels_of(detail::axis_ticks(axis, 1e-300, 1e300, 6)).size(), 7U);
}

TEST(AxisTicks, OwnTicksOutsideAreDropped) {
  Axis axis;
  axis.ticks = {{-1, "left"}, {0, "origin"}, {2, "π"}, {9, "far"}};
  EXPECT_EQ(labels_of(detail::axis_ticks(axis, 3, -0.5, 5)), (Words{"origin", "π"}));
}

TEST(NumberLabel, IsShort) {
  EXPECT_EQ(detail::number_label(0), "0");
  EXPECT_EQ(detail::number_label(-0.5), "−0.5");
  EXPECT_EQ(detail::number_label(1e-7), "10^{−7}");
  EXPECT_EQ(detail::number_label(-1e12), "−10^{12}");
  EXPECT_EQ(detail::number_label(2.5e-9), "2.5·10^{−9}");
  EXPECT_EQ(detail::number_label(HUGE_VAL), "∞");
}

TEST(AxisTitle, JoinsLabelUnitAndPower) {
  EXPECT_EQ(detail::axis_title("/θ/", "deg", 0), "/θ/ [deg]");
  EXPECT_EQ(detail::axis_title("/x/", "m", -5), "/x/ [10^{−5} m]");
  EXPECT_EQ(detail::axis_title("μ", "", 0), "μ");
  EXPECT_EQ(detail::axis_title("", "", 3), "[10^{3}]");
}

}  // namespace ticks_test
}  // namespace painleve
