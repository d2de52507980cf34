#include "painleve/figure/mechanism_drawing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/outline_layers.hpp"

namespace painleve {
namespace mechanism_drawing_test {

// Places of order 1 m after a few roundings.
constexpr double rounding = 1e-12;

Scene scene_of(const std::string& name, const std::vector<std::string>& changes = {}) {
  SceneSource source = SceneSource::open(name);
  for (const std::string& change : changes) {
    source.set(change);
  }
  return source.build();
}

Plot flat_drawing(const Scene& scene, const MechanismDrawing& options = {}) {
  return std::get<Plot>(mechanism_panel(scene, options));
}

template <class Kind>
std::vector<Kind> layers_of(const Plot& plot) {
  std::vector<Kind> found;
  for (const Layer& layer : plot.layers) {
    if (const auto* one = std::get_if<Kind>(&layer)) {
      found.push_back(*one);
    }
  }
  return found;
}

bool has_note(const Plot& plot, const std::string& text) {
  const auto notes = layers_of<NoteLayer>(plot);
  return std::any_of(notes.begin(), notes.end(), [&](const NoteLayer& note) { return note.text == text; });
}

// The arrow that starts at `at` and is drawn in this colour; it must be the only one.
ArrowLayer arrow_at(const Plot& plot, const Point& at, Colour colour) {
  std::vector<ArrowLayer> found;
  for (const ArrowLayer& arrow : layers_of<ArrowLayer>(plot)) {
    if (arrow.pen.colour == colour && std::hypot(arrow.from[0] - at[0], arrow.from[1] - at[1]) < rounding) {
      found.push_back(arrow);
    }
  }
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? ArrowLayer{} : found.front();
}

constexpr Colour blue{0, 114, 178}, vermilion{213, 94, 0}, orange{230, 159, 0};

// The dashed lines of a cone: left edge, contact, right edge.
std::vector<std::vector<Point>> cones(const Plot& plot) {
  std::vector<std::vector<Point>> found;
  for (const CurveLayer& curve : layers_of<CurveLayer>(plot)) {
    if (curve.pen.colour == orange && curve.pen.dash == Dash::dashed) {
      found.push_back(curve.points);
    }
  }
  return found;
}

TEST(MechanismPanel, DrawsEveryMechanismOfTheGallery) {
  for (const auto& entry : gallery()) {
    const Scene scene = scene_of(entry.name == "rigid-body" ? "fig15a" : entry.name);
    const Panel panel = mechanism_panel(scene);
    EXPECT_EQ(std::holds_alternative<SpacePlot>(panel), entry.dimension == 3) << entry.name;
    Figure figure;
    figure.panels = {panel};
    const std::string svg = to_svg(draw(figure));
    for (const auto& contact : scene.posed.contacts) {
      EXPECT_NE(svg.find(contact.name), std::string::npos) << entry.name << " " << contact.name;
    }
    EXPECT_EQ(svg.find("nan"), std::string::npos) << entry.name;
    EXPECT_EQ(svg.find("inf\""), std::string::npos) << entry.name;
  }
}

TEST(MechanismPanel, IsToScaleInMetres) {
  const Scene scene = scene_of("rod", {"half_length=0.7"});
  const Plot plot = flat_drawing(scene);
  EXPECT_TRUE(plot.equal_scales);
  EXPECT_EQ(plot.x.unit, "m");
  EXPECT_EQ(plot.x.factor, 1);
  // The rod is the region with five corners; its tip is one of them, and it is 1.4 m long.
  const auto regions = layers_of<RegionLayer>(plot);
  const auto rod =
      std::find_if(regions.begin(), regions.end(), [](const RegionLayer& r) { return r.corners.size() == 5; });
  ASSERT_NE(rod, regions.end());
  const Point tip = rod->corners[0];
  EXPECT_NEAR(tip[1], 0, rounding);
  const Point end{(rod->corners[2][0] + rod->corners[3][0]) / 2, (rod->corners[2][1] + rod->corners[3][1]) / 2};
  EXPECT_NEAR(std::hypot(end[0] - tip[0], end[1] - tip[1]), 1.4, rounding);
}

TEST(MechanismPanel, ShowsTheVelocityRelativeToTheSurface) {
  // The tip stands still over a belt that runs to the left at 1 m/s: slip is to the right.
  const Scene scene = scene_of("oscillator-hopping");
  const Plot plot = flat_drawing(scene);
  const Outline outline = scene.posed.mechanism->outline(scene.posed.state);
  const ArrowLayer u = arrow_at(plot, detail::flat(outline.contacts[0].at), blue);
  EXPECT_GT(u.to[0], u.from[0]);
  EXPECT_NEAR(u.to[1], u.from[1], rounding);
  EXPECT_TRUE(has_note(plot, "/u/ = 1 m/s"));
  EXPECT_TRUE(has_note(plot, "belt 1 m/s"));
  MechanismDrawing without;
  without.velocities = false;
  EXPECT_FALSE(has_note(flat_drawing(scene, without), "/u/ = 1 m/s"));
}

TEST(MechanismPanel, DrawsForcesInProportionInTheFramesOfTheirContacts) {
  const Scene scene = scene_of("wedged-block");
  MechanismDrawing options;
  options.lambda = Eigen::Vector4d(-3, 4, 0, 2.5);
  const Plot plot = flat_drawing(scene, options);
  const Outline outline = scene.posed.mechanism->outline(scene.posed.state);
  const double tilt = scene.posed.parameters.at("tilt");
  const ArrowLayer left = arrow_at(plot, detail::flat(outline.contacts[0].at), vermilion);
  const ArrowLayer right = arrow_at(plot, detail::flat(outline.contacts[1].at), vermilion);
  const Point a{left.to[0] - left.from[0], left.to[1] - left.from[1]};
  const Point b{right.to[0] - right.from[0], right.to[1] - right.from[1]};
  EXPECT_NEAR(std::hypot(a[0], a[1]), 0.4 * detail::size_of(outline), rounding);  // the longest
  EXPECT_NEAR(std::hypot(b[0], b[1]) / std::hypot(a[0], a[1]), 0.5, rounding);
  // n = (cos β, −sin β), t = (−sin β, −cos β) at the left wall; n = (−cos β, −sin β) at the right one.
  const Point expected{-3 * -std::sin(tilt) + 4 * std::cos(tilt), -3 * -std::cos(tilt) - 4 * std::sin(tilt)};
  EXPECT_NEAR(a[0] * expected[1] - a[1] * expected[0], 0, rounding);
  EXPECT_GT(a[0] * expected[0] + a[1] * expected[1], 0);
  EXPECT_NEAR(b[0] * std::sin(tilt) - b[1] * std::cos(tilt), 0, rounding);
  EXPECT_LT(b[0], 0);
  EXPECT_TRUE(has_note(plot, "λ = 5 N"));
  EXPECT_TRUE(has_note(plot, "λ = 2.5 N"));
}

TEST(MechanismPanel, OpensTheConeByTheFriction) {
  for (const double mu : {0.2, 1.0, 3.0}) {
    const Scene scene = scene_of("wedged-block", {fmt::format("contact.mu={}", mu)});
    const Outline outline = scene.posed.mechanism->outline(scene.posed.state);
    const auto drawn = cones(flat_drawing(scene));
    ASSERT_EQ(drawn.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const Place& n = outline.contacts[i].normal;
      for (const std::size_t edge : {0U, 2U}) {
        const Point e{drawn[i][edge][0] - drawn[i][1][0], drawn[i][edge][1] - drawn[i][1][1]};
        const double along = e[0] * n[0] + e[1] * n[1];
        EXPECT_GT(along, 0);
        EXPECT_NEAR(std::abs(e[0] * n[1] - e[1] * n[0]), mu * along, rounding);
      }
    }
  }
}

TEST(MechanismPanel, DrawsConesOfClosedContactsOnBothSidesOfBilateralOnes) {
  EXPECT_EQ(cones(flat_drawing(scene_of("block"))).size(), 1U);  // corner2 is open
  EXPECT_EQ(cones(flat_drawing(scene_of("painleve-klein"))).size(), 4U);
  MechanismDrawing without;
  without.cones = false;
  EXPECT_TRUE(cones(flat_drawing(scene_of("block"), without)).empty());
}

TEST(MechanismPanel, HatchesTheSideWithoutBodies) {
  // One-sided guides push inwards: the upper one is hatched above, the lower one below.
  const Scene scene = scene_of("painleve-klein", {"contact.guide1.bilateral=false", "contact.guide2.bilateral=false"});
  const double height = std::sin(1.2);
  int above = 0;
  int below = 0;
  for (const CurveLayer& curve : layers_of<CurveLayer>(flat_drawing(scene))) {
    if (curve.points.size() < 12) {
      continue;  // only hatching has that many
    }
    for (const Point& p : curve.points) {
      if (std::isnan(p[0])) {
        continue;
      }
      EXPECT_TRUE(p[1] <= rounding || p[1] >= height - rounding) << p[1];
      above += p[1] > height + rounding ? 1 : 0;
      below += p[1] < -rounding ? 1 : 0;
    }
  }
  EXPECT_GT(above, 4);
  EXPECT_GT(below, 4);
}

TEST(MechanismPanel, DrawsTheConeInSpace) {
  const Scene scene = scene_of("articulated-arm", {"mu=0.8", "phi=0.5"});
  const auto plot = std::get<SpacePlot>(mechanism_panel(scene));
  const Place tip = scene.posed.mechanism->outline(scene.posed.state).contacts[0].at;
  int triangles = 0;
  for (const Face& face : plot.solid.faces) {
    if (face.corners.size() != 3) {
      continue;
    }
    ++triangles;
    EXPECT_EQ(face.corners[0], tip);
    for (const std::size_t k : {1U, 2U}) {
      const Point3& p = face.corners[k];
      EXPECT_GT(p[2], tip[2]);
      EXPECT_NEAR(std::hypot(p[0] - tip[0], p[1] - tip[1]), 0.8 * (p[2] - tip[2]), rounding);
    }
  }
  EXPECT_GE(triangles, 12);
}

TEST(MechanismPanel, RefusesWhatHasNoBodies) {
  EXPECT_THROW(mechanism_panel(scene_of("two-contact-jam")), InputError);  // drifting contacts
  Scene raw;
  raw.kind = SceneKind::contact_space;
  raw.mechanism = "contact-space";
  EXPECT_THROW(mechanism_panel(raw), InputError);
}

TEST(MechanismPanel, RefusesForcesThatDoNotFit) {
  const Scene scene = scene_of("rod");
  MechanismDrawing options;
  options.lambda = Eigen::Vector3d(1, 2, 3);
  EXPECT_THROW(mechanism_panel(scene, options), InputError);
  options.lambda = Eigen::Vector2d(1, std::nan(""));
  EXPECT_THROW(mechanism_panel(scene, options), InputError);
}

TEST(JoinedSurfaces, AreOneLineForOneFloor) {
  const Stroke left{Part::surface, {{0, 0, 0}, {1, 0, 0}}};
  const Stroke right{Part::surface, {{0.5, 0, 0}, {3, 0, 0}}};
  const Stroke ceiling{Part::surface, {{2, 0, 0}, {-1, 0, 0}}};  // the same line, bodies below it
  const Stroke wall{Part::surface, {{0, 0, 0}, {0, 1, 0}}};
  const auto joined = detail::joined_surfaces({Outline{{left}, {}, {}}, Outline{{right, ceiling, wall}, {}, {}}});
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].points, (std::vector<Place>{{0, 0, 0}, {3, 0, 0}}));
  EXPECT_EQ(joined[1].points, (std::vector<Place>{{2, 0, 0}, {-1, 0, 0}}));
  EXPECT_EQ(joined[2].points, (std::vector<Place>{{0, 0, 0}, {0, 1, 0}}));
}

}  // namespace mechanism_drawing_test
}  // namespace painleve
