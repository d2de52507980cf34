// Before the pictures, whose colour `nothing` it would otherwise hide.
#include "painleve/impact/planar_impact.hpp"

#include "painleve/figure/impact_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace impact_paths_test {

double cross(Point a, Point b) { return a[0] * b[1] - a[1] * b[0]; }

bool holds(const ImpactSector& s, Point u) { return cross(s.from, u) > 0 && cross(u, s.to) > 0; }

BounceLaw drawn_law(Draws& draws, int i) {
  BounceLaw law;
  law.law = static_cast<RestitutionLaw>(i % 3);
  law.restitution = i % 7 == 0 ? 0 : draws.uniform(0, 1);
  if (i % 4 == 0) law.mu = draws.uniform(0, 2);
  return law;
}

PlanarImpact closed_form(PlanarContact c, Point u, const BounceLaw& law) {
  c.u_t = u[0];
  return planar_impact(c, u[1], law);
}

TEST(ImpactPaths, SectorsAreTheRegionsOfTheClosedForm) {
  Draws draws(51);
  std::set<int> seen;
  for (int i = 0; i < 6000; ++i) {
    const PlanarContact c = drawn_planar(draws, 0);
    const BounceLaw law = drawn_law(draws, i);
    const Point u{draws.uniform(-1, 1), draws.uniform(-1, 0)};
    int found = 0;
    for (const ImpactSector& s : impact_sectors(c, law)) {
      if (!holds(s, u)) continue;
      ++found;
      EXPECT_EQ(s.region, closed_form(c, u, law).region) << "draw " << i;
      seen.insert(s.region);
    }
    EXPECT_EQ(found, 1) << "draw " << i;
  }
  EXPECT_EQ(seen, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

// From −t to +t without gaps, each at most half a turn.
TEST(ImpactPaths, SectorsFillTheApproach) {
  Draws draws(52);
  for (int i = 0; i < 300; ++i) {
    const auto sectors = impact_sectors(drawn_planar(draws, 0), drawn_law(draws, i));
    EXPECT_EQ(sectors.front().from, (Point{-1, 0}));
    EXPECT_EQ(sectors.back().to, (Point{1, 0}));
    for (std::size_t k = 0; k < sectors.size(); ++k) {
      if (k > 0) {
        EXPECT_EQ(sectors[k].from, sectors[k - 1].to);
      }
      EXPECT_GT(cross(sectors[k].from, sectors[k].to), 0);
    }
  }
}

// Every drawn path begins at its start and ends where the closed form ends.
TEST(ImpactPaths, DrawnEndsAreThoseOfTheClosedForm) {
  Draws draws(53);
  int without_collision = 0;
  for (int i = 0; i < 300; ++i) {
    const PlanarContact c = drawn_planar(draws, 0);
    const BounceLaw law = drawn_law(draws, i);
    const auto starts = typical_starts(c, law);
    std::vector<Point> before, after;
    for (const Layer& layer : impact_path_plot(c, law, starts).layers) {
      const auto* curve = std::get_if<CurveLayer>(&layer);
      if (curve != nullptr && curve->label == "before") before = curve->points;
      if (curve != nullptr && curve->label == "after") after = curve->points;
    }
    ASSERT_EQ(before.size(), starts.size());
    ASSERT_EQ(after.size(), starts.size());
    for (std::size_t k = 0; k < starts.size(); ++k) {
      EXPECT_EQ(before[k], (Point{starts[k].u_t, starts[k].u_n}));
      const PlanarImpact end = closed_form(c, before[k], law);
      EXPECT_NEAR(after[k][0], end.u_t, 1e-9 * (1 + std::abs(end.u_t))) << "draw " << i;
      EXPECT_NEAR(after[k][1], end.u_n, 1e-9 * (1 + std::abs(end.u_n))) << "draw " << i;
      without_collision += starts[k].u_n == 0;
    }
  }
  EXPECT_GT(without_collision, 30);
}

TEST(ImpactPaths, TypicalStartsVisitEveryRegionOnce) {
  const PlanarContact c{1.1, 0.3, 0.1, 0, 0, 0, 0.6};  // p+ < 0
  const BounceLaw law{0.7, RestitutionLaw::energetic, {}};
  std::vector<int> regions;
  for (const ImpactStart& s : typical_starts(c, law)) regions.push_back(closed_form(c, {s.u_t, s.u_n}, law).region);
  EXPECT_EQ(regions, (std::vector<int>{2, 4, 6, 5, 5}));  // the last without collision
  EXPECT_EQ(typical_starts(c, law).back().u_n, 0);
}

// Slip is vermilion or blue by its direction, stick green; compression solid, restitution dashed.
TEST(ImpactPaths, PensTellThePhases) {
  const PlanarContact c{1, 0.2, 1, 0, 0, 0, 0.5};
  const Plot plot = impact_path_plot(c, {0.7, RestitutionLaw::energetic, {}}, {{0.3, -1}});
  std::vector<std::string> labels;
  for (const Layer& layer : plot.layers) {
    const auto* curve = std::get_if<CurveLayer>(&layer);
    if (curve == nullptr || curve->points.size() != 2 || curve->label.find(',') == std::string::npos) continue;
    labels.push_back(curve->label);
    EXPECT_EQ(curve->pen.dash == Dash::dashed, curve->label.find("restitution") != std::string::npos);
    if (curve->label.find("slip along +") == 0) {
      EXPECT_EQ(curve->pen.colour, series_colour(6));
    }
    if (curve->label.find("stick") == 0) {
      EXPECT_EQ(curve->pen.colour, series_colour(3));
    }
  }
  EXPECT_EQ(labels,
            (std::vector<std::string>{"slip along +/t/, compression", "stick, compression", "stick, restitution"}));
}

TEST(ImpactPaths, RefusesStatesWithoutImpact) {
  const PlanarContact c{1, 0.2, 1, 0, 0, 0, 0.5};
  EXPECT_THROW(impact_path_plot(c, {}, {}), InputError);
  EXPECT_THROW(impact_path_plot(c, {}, {{0.3, 0.1}}), InputError);
  EXPECT_THROW(impact_path_plot(c, {}, {{0.3, 0}}), InputError);  // p > 0: nothing happens
  EXPECT_THROW(impact_path_plot(SceneSource::open("rod-45deg").build(), 0), InputError);
  EXPECT_THROW(impact_path_plot(SceneSource::open("rod-no-solution").build(), 3), InputError);
}

// The rod in the paradox: the impact without collision of the present state.
TEST(ImpactPaths, SceneTakesItsPresentVelocity) {
  const Scene scene = SceneSource::open("rod-no-solution").build();
  const Plot plot = impact_path_plot(scene, 0);
  const auto found = std::find_if(plot.layers.begin(), plot.layers.end(), [](const Layer& layer) {
    const auto* curve = std::get_if<CurveLayer>(&layer);
    return curve != nullptr && curve->label == "before";
  });
  ASSERT_NE(found, plot.layers.end());
  EXPECT_EQ(std::get<CurveLayer>(*found).points, (std::vector<Point>{{scene.space.u(0), 0}}));
}

}  // namespace impact_paths_test
}  // namespace painleve
