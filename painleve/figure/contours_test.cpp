#include "painleve/figure/detail/contours.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace painleve::detail {
namespace contours_test {

template <typename Function>
std::vector<double> sampled(int columns, int rows, const Function& f) {
  std::vector<double> values;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) values.push_back(f(column, row));
  }
  return values;
}

TEST(Contours, PlaneHasOneStraightLine) {
  const auto values = sampled(9, 6, [](double x, double y) { return x + 2 * y; });
  const auto lines = contour_lines({9, 6, &values}, 7.3);
  ASSERT_EQ(lines.size(), 1U);
  for (const Point& p : lines[0]) EXPECT_NEAR(p[0] + 2 * p[1], 7.3, 1e-12);
  // From one side of the grid to the other.
  EXPECT_GT(std::abs(lines[0].front()[0] - lines[0].back()[0]), 7);
}

TEST(Contours, CircleIsOneClosedLine) {
  const auto values = sampled(41, 41, [](double x, double y) { return std::hypot(x - 20, y - 20); });
  const auto lines = contour_lines({41, 41, &values}, 13.37);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].front(), lines[0].back());
  double length = 0;
  for (std::size_t i = 1; i < lines[0].size(); ++i) {
    EXPECT_NEAR(std::hypot(lines[0][i][0] - 20, lines[0][i][1] - 20), 13.37, 0.01);
    length += std::hypot(lines[0][i][0] - lines[0][i - 1][0], lines[0][i][1] - lines[0][i - 1][1]);
  }
  EXPECT_NEAR(length, 2 * M_PI * 13.37, 0.2);
}

TEST(Contours, SaddleHangsTogetherAsItsMiddleSays) {
  const std::vector<double> high{1, -0.5, -0.5, 1}, low{0.5, -1, -1, 0.5};
  for (const auto* values : {&high, &low}) {
    const auto lines = contour_lines({2, 2, values}, 0);
    ASSERT_EQ(lines.size(), 2U);
    // With a high middle the lines cut off the two low corners, (1, 0) and (0, 1), else the two high ones.
    const Point middle{(lines[0].front()[0] + lines[0].back()[0]) / 2, (lines[0].front()[1] + lines[0].back()[1]) / 2};
    const bool cuts_low = (middle[0] - 0.5) * (middle[1] - 0.5) < 0;
    EXPECT_EQ(cuts_low, values == &high);
  }
}

TEST(Contours, NoNumbersNoLines) {
  auto values = sampled(9, 9, [](double x, double) { return x; });
  values[4 * 9 + 4] = NAN;
  const auto lines = contour_lines({9, 9, &values}, 4.5);
  EXPECT_EQ(lines.size(), 2U);  // above and below the hole
  EXPECT_TRUE(contour_lines({9, 9, &values}, 100).empty());
  EXPECT_TRUE(contour_lines({9, 9, &values}, NAN).empty());
  const std::vector<double> one{1};
  EXPECT_TRUE(contour_lines({1, 1, &one}, 1).empty());
}

}  // namespace contours_test
}  // namespace painleve::detail
