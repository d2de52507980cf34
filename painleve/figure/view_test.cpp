#include "painleve/figure/view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/figure/detail/read_back.hpp"

namespace painleve {
namespace view_test {

using detail::all;

Canvas drawn(const SpacePlot& plot) {
  Figure figure;
  figure.panels = {plot};
  return draw(figure);
}

Face square(double x, const Colour& fill) { return {{{x, -1, -1}, {x, 1, -1}, {x, 1, 1}, {x, -1, 1}}, fill}; }

// The order in which faces are painted, told by the colour that is strongest in them.
std::string order(const Canvas& canvas) {
  std::string letters;
  for (const PathMark& path : all<PathMark>(canvas)) {
    if (path.fill == nothing) continue;
    letters += path.fill.red > path.fill.blue && path.fill.red > path.fill.green ? 'r'
               : path.fill.green > path.fill.blue                                ? 'g'
                                                                                 : 'b';
  }
  return letters;
}

TEST(View, KnownDirections) {
  const View from_x{0, 0};  // the eye on +x: y to the right, z up
  EXPECT_NEAR(from_x.project({5, 2, 3})[0], 2, 1e-15);
  EXPECT_NEAR(from_x.project({5, 2, 3})[1], 3, 1e-15);
  EXPECT_NEAR(from_x.depth({5, 2, 3}), 5, 1e-15);
  const View from_above{-std::numbers::pi / 2, std::numbers::pi / 2};  // x to the right, y up
  EXPECT_NEAR(from_above.project({5, 2, 3})[0], 5, 1e-14);
  EXPECT_NEAR(from_above.project({5, 2, 3})[1], 2, 1e-14);
  EXPECT_NEAR(from_above.depth({5, 2, 3}), 3, 1e-14);
}

// Right, up and depth are orthonormal coordinates of a right-handed frame.
TEST(View, IsARotation) {
  Draws draws(7);
  for (int trial = 0; trial < 100; ++trial) {
    const View view{draws.uniform(-4, 4), draws.uniform(-1.5, 1.5)};
    std::array<Point3, 3> image{};
    for (std::size_t i = 0; i < 3; ++i) {
      Point3 unit{};
      unit[i] = 1;
      const Point p = view.project(unit);
      image[i] = {p[0], p[1], view.depth(unit)};
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double dot = image[i][0] * image[k][0] + image[i][1] * image[k][1] + image[i][2] * image[k][2];
        EXPECT_NEAR(dot, i == k ? 1 : 0, 1e-14);
      }
    }
    const auto& [a, b, c] = image;
    const double determinant =
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    EXPECT_NEAR(determinant, 1, 1e-13);
  }
}

TEST(SpacePlot, FarFacesArePaintedFirst) {
  const Colour red{200, 0, 0}, green{0, 200, 0}, blue{0, 0, 200};
  SpacePlot plot;
  plot.solid.faces = {square(1, green), square(3, red), square(-2, blue)};
  plot.view = {0.2, 0.1};  // the eye on the side of +x
  EXPECT_EQ(order(drawn(plot)), "bgr");
  plot.view = {std::numbers::pi, 0.1};
  EXPECT_EQ(order(drawn(plot)), "rgb");
}

TEST(SpacePlot, LinesPassBetweenFaces) {
  SpacePlot plot;
  plot.view = {0, 0};
  plot.solid.faces = {square(0, Colour{200, 0, 0})};
  const Colour mine{1, 2, 3};
  plot.solid.lines = {{{{-2, 0.5, 0.5}, {-1, -0.5, 0.5}}, Pen{mine}}, {{{1, 0.5, 0.5}, {2, -0.5, 0.5}}, Pen{mine}}};
  std::string seen;
  for (const PathMark& path : all<PathMark>(drawn(plot))) seen += path.fill == nothing ? 'l' : 'f';
  EXPECT_EQ(seen, "lfl");  // each line is in one piece again
  plot.solid.lines[0].on_top = true;
  seen.clear();
  for (const PathMark& path : all<PathMark>(drawn(plot))) seen += path.fill == nothing ? 'l' : 'f';
  EXPECT_EQ(seen, "fll");
}

TEST(SpacePlot, LineThroughAFaceIsCut) {
  SpacePlot plot;
  plot.view = {0.3, 0.2};
  plot.solid.faces = {square(0, Colour{200, 0, 0})};
  plot.solid.lines = {{{{-2, 0, 0}, {2, 0, 0}}, Pen{}}};
  std::string seen;
  for (const PathMark& path : all<PathMark>(drawn(plot))) seen += path.fill == nothing ? 'l' : 'f';
  EXPECT_EQ(seen, "lfl");
}

TEST(SpacePlot, UnitsAreEquallyLongAndUpIsUp) {
  SpacePlot plot;
  plot.view = {0, 0};
  const Colour mine{1, 2, 3};
  plot.solid.lines = {{{{0, 0, 0}, {0, 1, 0}}, Pen{mine}, false, true},
                      {{{0, 0, 0}, {0, 0, 1}}, Pen{mine}, false, true}};
  const auto paths = all<PathMark>(drawn(plot));
  ASSERT_EQ(paths.size(), 2U);
  const double right = paths[0].points[1][0] - paths[0].points[0][0];
  const double up = paths[1].points[0][1] - paths[1].points[1][1];
  EXPECT_GT(right, 50);
  EXPECT_NEAR(right, up, 1e-9);
}

TEST(SpacePlot, FacesTowardsTheLightAreBrighter) {
  SpacePlot plot;
  plot.view = {0, 0.5};
  const Colour grey{200, 200, 200};
  plot.solid.faces = {{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, grey},         // seen from above
                      {{{1, -1, -3}, {1, 1, -3}, {0.5, 1, -5}, {0.5, -1, -5}}, grey}};  // turned downwards
  const auto paths = all<PathMark>(drawn(plot));
  ASSERT_EQ(paths.size(), 2U);
  std::vector<int> brightness{paths[0].fill.red, paths[1].fill.red};
  const bool top_first = paths[0].points[0][1] < paths[1].points[0][1];
  EXPECT_GT(brightness[top_first ? 0 : 1], brightness[top_first ? 1 : 0]);
  // The same face with its corners the other way round is lit alike.
  SpacePlot turned = plot;
  for (Face& face : turned.solid.faces) std::reverse(face.corners.begin(), face.corners.end());
  EXPECT_EQ(all<PathMark>(drawn(turned))[0].fill, paths[0].fill);
}

TEST(SpacePlot, AxesHaveArrowsAndNames) {
  SpacePlot plot;
  add_axes(plot.solid, {"/λ/_{1} [N]", "/λ/_{2} [N]", "/λ/_{n} [N]"}, {1, 2, 3}, true);
  ASSERT_EQ(plot.solid.lines.size(), 3U);
  EXPECT_EQ(plot.solid.lines[1].points, (std::vector<Point3>{{0, -2, 0}, {0, 2, 0}}));
  const Canvas canvas = drawn(plot);
  const auto texts = all<TextMark>(canvas);
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[2].text, "/λ/_{n} [N]");
  for (const TextMark& text : texts) {
    const double half = text_width(text.text, text.style) / 2;
    EXPECT_GT(text.at[0] - half, 0);
    EXPECT_LT(text.at[0] + half, canvas.width());
  }
  EXPECT_LT(texts[2].at[1], texts[0].at[1]);
}

TEST(SpacePlot, LegendAndOddContents) {
  SpacePlot plot;
  plot.legend = {{"cone", Colour{1, 2, 3}}};
  plot.title = "solid";
  EXPECT_EQ(all<TextMark>(drawn(plot)).size(), 2U);
  plot.solid.faces = {{{}, ink}, {{{NAN, 0, 0}, {1, 0, 0}, {0, 1, 0}}, ink}, {{{1, 1, 1}}, ink}};
  plot.solid.lines = {{{}, Pen{}, true}, {{{0, 0, 0}, {0, 0, 0}}, Pen{}, true}, {{{0, 0, 0}, {HUGE_VAL, 0, 0}}, Pen{}}};
  plot.solid.notes = {{{NAN, 0, 0}, "nowhere", {}}};
  for (const PathMark& path : all<PathMark>(drawn(plot))) {
    for (const Point& p : path.points) EXPECT_TRUE(std::isfinite(p[0]) && std::isfinite(p[1]));
  }
}

}  // namespace view_test
}  // namespace painleve
