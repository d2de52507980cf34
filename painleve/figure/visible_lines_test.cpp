#include "painleve/figure/detail/visible_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"

namespace painleve::detail {
namespace visible_lines_test {

constexpr Rectangle box{0, 0, 100, 50};

double distance(const Point& p, const Point& a, const Point& b) {
  const double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  const double part = length > 0 ? std::clamp(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(p[0] - a[0] - part * dx, p[1] - a[1] - part * dy);
}

double distance(const Point& p, const std::vector<Polyline>& pieces) {
  double least = HUGE_VAL;
  for (const Polyline& piece : pieces) {
    for (std::size_t i = 1; i < piece.size(); ++i) least = std::min(least, distance(p, piece[i - 1], piece[i]));
  }
  return least;
}

double area(const Polyline& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return std::abs(sum) / 2;
}

TEST(Clipped, CutsWhereTheLineLeaves) {
  const auto pieces = clipped({{-100, 0}, {100, 50}}, {0, 0, 50, 50});
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_NEAR(pieces[0].front()[1], 25, 1e-12);
  EXPECT_NEAR(pieces[0].back()[1], 37.5, 1e-12);
  EXPECT_NEAR(pieces[0].back()[0], 50, 1e-12);
}

TEST(Clipped, GapsAndReturnsMakePieces) {
  EXPECT_EQ(clipped({{1, 1}, {2, 2}, {NAN, 3}, {4, 4}, {5, 5}, {6, HUGE_VAL}, {7, 7}}, box).size(), 2U);
  const auto pieces = clipped({{10, 10}, {10, 90}, {20, 90}, {20, 10}, {30, 10}}, box);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].back(), (Point{10, 50}));
  EXPECT_EQ(pieces[1], (Polyline{{20, 50}, {20, 10}, {30, 10}}));
  EXPECT_TRUE(clipped({{-5, 1}, {-5, 40}}, box).empty());
  EXPECT_TRUE(clipped({{-5, 60}, {200, 61}}, box).empty());
}

TEST(Clipped, FarPointsComeNear) {
  for (const Polyline& piece : clipped({{50, 25}, {1e15, 1e15}, {-1e200, 3}, {50, 25}}, box)) {
    for (const Point& p : piece) {
      EXPECT_GE(p[0], box.x - 1e-6);
      EXPECT_LE(p[0], box.x + box.width + 1e-6);
    }
  }
}

TEST(ClippedPolygon, HasTheCommonArea) {
  // A square turned by 45° about the upper right corner: a quarter of it is inside.
  const Polyline diamond{{100, 30}, {120, 50}, {100, 70}, {80, 50}};
  EXPECT_NEAR(area(clipped_polygon(diamond, box)), 200, 1e-9);
  EXPECT_NEAR(area(clipped_polygon({{-1e6, -1e6}, {1e6, -1e6}, {1e6, 1e6}, {-1e6, 1e6}}, box)), 5000, 1e-6);
  EXPECT_TRUE(clipped_polygon({{200, 200}, {210, 200}, {200, 210}}, box).empty());
  EXPECT_TRUE(clipped_polygon({}, box).empty());
}

TEST(Thinned, KeepsEveryExtreme) {
  Polyline line;
  for (int i = 0; i <= 400000; ++i) line.push_back({i * 100.0 / 400000, 25 + 20 * std::sin(i * 0.01)});
  line[123456][1] = 49.5;  // one outlier
  const std::vector<Polyline> kept = thinned(std::vector<Polyline>{line}, 20000);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_LT(kept[0].size(), 2100U);
  EXPECT_NE(std::find(kept[0].begin(), kept[0].end(), line[123456]), kept[0].end());
  for (std::size_t i = 0; i < line.size(); i += 997) EXPECT_LT(distance(line[i], kept), resolution) << i;
}

TEST(Thinned, LeavesFewPointsAlone) {
  const Polyline line{{0, 0}, {10, 5}, {5, 9}, {30, 2}};
  EXPECT_EQ(thinned(line), line);
  EXPECT_TRUE(thinned(Polyline{}).empty());
}

TEST(Thinned, OrbitsDrawnAgainAndAgainAreKeptOnce) {
  Polyline line;
  for (int i = 0; i < 300000; ++i) line.push_back({50 + 30 * std::cos(i * 0.05), 25 + 20 * std::sin(i * 0.05)});
  const std::vector<Polyline> kept = thinned(std::vector<Polyline>{line}, 20000);
  std::size_t count = 0;
  for (const Polyline& piece : kept) count += piece.size();
  EXPECT_LE(count, 20000U);
  for (std::size_t i = 0; i < line.size(); i += 9973) EXPECT_LT(distance(line[i], kept), 2) << i;
}

TEST(Thinned, DisorderIsBoundedToo) {
  Draws draws(3);
  Polyline line;
  for (int i = 0; i < 100000; ++i) line.push_back({draws.uniform(0, 100), draws.uniform(0, 50)});
  std::size_t count = 0;
  for (const Polyline& piece : thinned(std::vector<Polyline>{line}, 5000)) count += piece.size();
  EXPECT_LE(count, 5000U);
  EXPECT_GT(count, 100U);
}

TEST(Apart, OnePointPerCell) {
  EXPECT_EQ(apart({{0.1, 0.1}, {0.2, 0.2}, {1.5, 0.1}, {0.9, 0.9}}, 1), (std::vector<Point>{{0.1, 0.1}, {1.5, 0.1}}));
}

}  // namespace visible_lines_test
}  // namespace painleve::detail
