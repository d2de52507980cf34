#include "painleve/figure/mode_regions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace mode_regions_test {

// Inside, by counting the edges that a ray to the right crosses.
bool holds(const std::vector<Point>& polygon, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point& a = polygon[i];
    const Point& b = polygon[j];
    if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

double area(const std::vector<Point>& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point& a = polygon[i];
    const Point& b = polygon[(i + 1) % polygon.size()];
    twice += a[0] * b[1] - a[1] * b[0];
  }
  return twice / 2;
}

TEST(ModeRegions, PolygonsHoldWhatTheKernelFinds) {
  Draws draws(11);
  int several = 0, none = 0;
  for (int i = 0; i < 4000; ++i) {
    const PlanarContact c = drawn_planar(draws, 0);
    for (const double u_t : {-1.0, 0.0, 1.0}) {
      const Point b{draws.uniform(-1.5, 1.5), draws.uniform(-1.5, 1.5)};
      int found = 0;
      for (const ModeSector& s : mode_sectors(c.W_tt, c.W_tn, c.W_nn, c.mu, u_t)) {
        if (!holds(sector_polygon(s, 1.5), b)) continue;
        ++found;
        const PlanarModes m = planar_modes({c.W_tt, c.W_tn, c.W_nn, b[0], b[1], u_t, c.mu});
        EXPECT_EQ(s.modes, m.consistent) << "draw " << i << ", u_t = " << u_t;
        several += m.count() > 1;
        none += m.count() == 0;
      }
      EXPECT_EQ(found, 1) << "draw " << i;
    }
  }
  EXPECT_GT(several, 100);
  EXPECT_GT(none, 100);
}

TEST(ModeRegions, PolygonsCoverTheSquareOnce) {
  Draws draws(12);
  for (int i = 0; i < 500; ++i) {
    const PlanarContact c = drawn_planar(draws, 0);
    for (const double u_t : {0.0, 1.0}) {
      double sum = 0;
      for (const ModeSector& s : mode_sectors(c.W_tt, c.W_tn, c.W_nn, c.mu, u_t)) {
        const double part = area(sector_polygon(s, 0.7));
        EXPECT_GT(part, 0);
        sum += part;
      }
      EXPECT_NEAR(sum, 1.96, 1e-13);
    }
  }
}

// Champneys & Várkonyi's Fig. 9: W = (1.1, 0.3; 0.3, 0.1), p+ < 0 above μ = 1/3, k+ < 0 below 3/11.
TEST(ModeRegions, SectorsOfFigureNine) {
  const auto names = [](double mu, double u_t) {
    std::vector<std::string> list;
    for (const ModeSector& s : mode_sectors(1.1, 0.3, 0.1, mu, u_t)) list.push_back(mode_names(s.modes));
    return list;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(0.3, 1), (Names{"F", "S+"}));
  EXPECT_EQ(names(0.6, 1), (Names{"F, S+", "none"}));
  EXPECT_EQ(names(0.6, -1), (Names{"F", "S−"}));
  EXPECT_EQ(names(0.15, 0), (Names{"F", "S−", "T", "S+"}));
  EXPECT_EQ(names(0.3, 0), (Names{"F", "S−", "T", "S+"}));
  EXPECT_EQ(names(0.6, 0), (Names{"F, T, S+", "F", "S−", "T"}));
  // On the two boundaries a sector vanishes, and no sliver of rounding is left.
  EXPECT_EQ(names(1.0 / 3, 0), (Names{"F", "S−", "T"}));
  EXPECT_EQ(names(0, 0), (Names{"F", "S−", "S+"}));
}

// The edges a± of Table 2: b_t = −b_n k+/p+ and b_t = b_n k−/p−.
TEST(ModeRegions, EdgesAreThoseOfTheTable) {
  const double mu = 0.6, p_plus = 0.1 - mu * 0.3, p_minus = 0.1 + mu * 0.3;
  const double k_plus = mu * 1.1 - 0.3, k_minus = mu * 1.1 + 0.3;
  const auto sectors = mode_sectors(1.1, 0.3, 0.1, mu, 0);
  const Point a = sectors[0].to, b = sectors[2].to;
  EXPECT_NEAR(a[0], -a[1] * k_plus / p_plus, 1e-14);
  EXPECT_NEAR(b[0], b[1] * k_minus / p_minus, 1e-14);
  EXPECT_GT(a[1], 0);
  EXPECT_LT(b[1], 0);
}

TEST(ModeRegions, PlotShowsEverySectorAndTheState) {
  const Scene scene = SceneSource::open("rod-no-solution").build();
  const Plot plot = mode_regions_plot(scene, 0);
  std::vector<std::string> regions;
  bool marked = false;
  for (const Layer& layer : plot.layers) {
    if (const auto* region = std::get_if<RegionLayer>(&layer)) regions.push_back(region->label);
    if (const auto* curve = std::get_if<CurveLayer>(&layer)) {
      marked = true;
      ASSERT_EQ(curve->points.size(), 1U);
      EXPECT_EQ(curve->points[0], (Point{scene.space.b(0), scene.space.b(1)}));
      EXPECT_LT(std::abs(curve->points[0][1]), *plot.y.to);
    }
  }
  EXPECT_EQ(regions, (std::vector<std::string>{"F, S−", "none"}));
  EXPECT_TRUE(marked);
}

TEST(ModeRegions, FigureHasSlipAboveRest) {
  const Figure figure = mode_regions_figure(1.1, 0.3, 0.1, {0.15, 0.3, 0.6});
  ASSERT_EQ(figure.panels.size(), 6U);
  EXPECT_EQ(figure.columns, 3);
  EXPECT_EQ(std::get<Plot>(figure.panels[2]).title, "/μ/ = 0.6, slip along +/t/");
  EXPECT_EQ(std::get<Plot>(figure.panels[5]).title, "/μ/ = 0.6, at rest");
}

TEST(ModeRegions, RefusesWhatHasNoRegions) {
  EXPECT_THROW(mode_sectors(1, 1, 1, 0.5, 0), InputError);
  EXPECT_THROW(mode_sectors(0, 0, 1, 0.5, 0), InputError);
  EXPECT_THROW(mode_sectors(1, 0, 1, -0.5, 0), InputError);
  EXPECT_THROW(mode_regions_figure(1, 0, 1, {}), InputError);
  ModeRegionsOptions options;
  options.half_width = 0;
  EXPECT_THROW(mode_regions_plot(1, 0, 1, 0.5, 0, options), InputError);
  EXPECT_THROW(mode_regions_plot(SceneSource::open("rod-45deg").build(), 0), InputError);
  EXPECT_THROW(mode_regions_plot(SceneSource::open("rod-no-solution").build(), 1), InputError);
  EXPECT_THROW(mode_regions_plot(SceneSource::open("table-a1-6a").build(), 0), InputError);
}

}  // namespace mode_regions_test
}  // namespace painleve
