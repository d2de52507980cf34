#include <gtest/gtest.h>

#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/figure/phase_portrait.hpp"
#include "painleve/modes/gspot.hpp"

namespace painleve {
namespace gspot_portrait_test {

TEST(GSpotPortrait, FlowSolvesItsEquation) {
  Draws draws(41);
  for (int i = 0; i < 500; ++i) {
    const double a1 = draws.uniform(-2, 2), a2 = draws.uniform(-2, 2);
    const double a3 = i % 5 == 0 ? a1 : draws.uniform(-2, 2);  // equal rates as well
    const Point start{draws.uniform(-1, 1), draws.uniform(-1, 1)};
    const double s = draws.uniform(-1, 1), h = 1e-4;
    const Point at = gspot_flow(a1, a2, a3, start, s);
    const Point before = gspot_flow(a1, a2, a3, start, s - h), after = gspot_flow(a1, a2, a3, start, s + h);
    EXPECT_NEAR((after[0] - before[0]) / (2 * h), a1 * at[0], 1e-6);
    EXPECT_NEAR((after[1] - before[1]) / (2 * h), a2 * at[0] + a3 * at[1], 1e-6);
    const Point again = gspot_flow(a1, a2, a3, gspot_flow(a1, a2, a3, start, 0.4), s - 0.4);
    EXPECT_NEAR(again[0], at[0], 1e-12);
    EXPECT_NEAR(again[1], at[1], 1e-12);
  }
}

// Followed to the end: b_n stays below 0 while the state runs into the origin.
bool ends_in_gspot(const std::array<double, 3>& a, Point start) {
  for (int i = 1; i <= 4000; ++i) {
    const Point at = gspot_flow(a[0], a[1], a[2], start, 0.01 * i);
    if (at[1] >= 0 || std::hypot(at[0], at[1]) > 1e3) return false;
    if (std::hypot(at[0], at[1]) < 1e-12) break;
  }
  const Point end = gspot_flow(a[0], a[1], a[2], start, 40);
  return std::hypot(end[0], end[1]) < 1e-6;
}

TEST(GSpotPortrait, BasinHoldsTheStatesThatEndThere) {
  Draws draws(42);
  int inside = 0, outside = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::array<double, 3> a{draws.uniform(-2, 0.6), draws.uniform(-2, 2), draws.uniform(-2, 0.6)};
    if (std::min({std::abs(a[0]), std::abs(a[2]), std::abs(a[0] - a[2])}) < 0.4) continue;  // ends within s = 40
    const Point start{draws.uniform(0.05, 1), draws.uniform(-1, -0.05)};
    const auto basin = gspot_basin(a[0], a[1], a[2]);
    // Clockwise from the first vector to (0, −1).
    const bool drawn = basin && (*basin)[0][0] * start[1] - (*basin)[0][1] * start[0] < 0;
    EXPECT_EQ(drawn, ends_in_gspot(a, start)) << "draw " << i;
    (drawn ? inside : outside) += 1;
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(outside, 100);
}

TEST(GSpotPortrait, ThreeOfTwelvePortraitsAttract) {
  const auto all = gspot_portraits();
  ASSERT_EQ(all.size(), 12U);
  std::vector<std::string> names;
  int attract = 0;
  for (const auto& alpha : all) {
    const GSpot g = portrait(alpha);
    names.push_back(g.portrait);
    const bool basin = gspot_basin(alpha[0], alpha[1], alpha[2]).has_value();
    EXPECT_EQ(basin, g.outcome.substr(0, 1) == "G") << g.portrait;
    attract += basin;
  }
  EXPECT_EQ(attract, 3);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

TEST(GSpotPortrait, ArrowsShowRealTime) {
  for (const auto& a : gspot_portraits()) {
    int arrows = 0;
    for (const Layer& layer : gspot_portrait_plot(a[0], a[1], a[2]).layers) {
      const auto* arrow = std::get_if<ArrowLayer>(&layer);
      if (arrow == nullptr) continue;
      ++arrows;
      const double p = (arrow->from[0] + arrow->to[0]) / 2, b = (arrow->from[1] + arrow->to[1]) / 2;
      const double dp = arrow->to[0] - arrow->from[0], db = arrow->to[1] - arrow->from[1];
      if (p == 0) {
        EXPECT_EQ(db * b > 0, a[2] > 0);
        continue;
      }
      const double rate_p = a[0], rate_b = a[1] + a[2] * b / p;  // per time: dt = p ds
      const double along = (dp * rate_p + db * rate_b) / (std::hypot(dp, db) * std::hypot(rate_p, rate_b));
      EXPECT_GT(along, 0.98) << a[0] << ' ' << a[1] << ' ' << a[2] << " at " << p << ", " << b;
    }
    EXPECT_GT(arrows, 10);
  }
}

// The drawn invariant line is mapped to itself.
TEST(GSpotPortrait, InvariantLineIsInvariant) {
  for (const auto& a : gspot_portraits()) {
    for (const Layer& layer : gspot_portrait_plot(a[0], a[1], a[2]).layers) {
      const auto* line = std::get_if<CurveLayer>(&layer);
      if (line == nullptr || line->label.substr(0, 9) != "invariant") continue;
      const Point end = line->points.back();
      const Point later = gspot_flow(a[0], a[1], a[2], end, 0.5);
      EXPECT_NEAR(end[0] * later[1] - end[1] * later[0], 0, 1e-13);
    }
  }
}

TEST(GSpotPortrait, FigureAndRefusals) {
  const Figure figure = gspot_portraits_figure();
  EXPECT_EQ(figure.panels.size(), 12U);
  EXPECT_THROW(gspot_portrait_plot(0, 1, 1), InputError);
  EXPECT_THROW(gspot_portrait_plot(1, 1, 0), InputError);
  EXPECT_THROW(gspot_portrait_plot(1, std::nan(""), 1), InputError);
}

}  // namespace gspot_portrait_test
}  // namespace painleve
