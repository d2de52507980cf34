#include "painleve/figure/cone_figure.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/figure/detail/cone_parts.hpp"

namespace painleve {
namespace cone_figure_test {

constexpr double degree = std::numbers::pi / 180;

Eigen::Vector3d vector(const Point3& p) { return {p[0], p[1], p[2]}; }

Scene rod(double mu) {
  SceneSource source = SceneSource::open("rod-45deg");
  source.set("contact.tip.mu", mu);
  return source.build();
}

Scene rod_in_plane() { return SceneSource::open("rod-no-solution").build(); }

// |δuᵀQ δu| relative to the size of its terms.
double off_surface(const FrictionCone& cone, const Eigen::Vector3d& delta_u) {
  const Eigen::Vector3d lambda = cone.W.inverse() * delta_u;
  const double scale = (1 + cone.mu * cone.mu) * lambda.squaredNorm();
  return std::abs(delta_u.dot(*cone.Q * delta_u)) / scale;
}

TEST(ConeFigure, SurfaceSatisfiesTheQuadraticForm) {
  Draws draws(61);
  for (int i = 0; i < 200; ++i) {
    const Eigen::MatrixXd W = drawn_gram(draws, 3, 4, 0.05);
    const FrictionCone cone = friction_cone(W, draws.uniform(0.05, 3));
    const ConeShape shape = cone_shape(cone, 32);
    ASSERT_EQ(shape.rim.size(), 32U);
    for (const Point3& p : shape.rim) {
      EXPECT_LT(off_surface(cone, vector(p)), 1e-9);
      EXPECT_NEAR((W.inverse() * vector(p))(2), 1, 1e-9);  // unit normal impulse
    }
  }
}

TEST(ConeFigure, FacesLieOnTheSurfaceAndOnOneSideOfThePlane) {
  for (const double mu : {0.3, 1.2, 2.0}) {
    const FrictionCone cone = friction_cone(rod(mu).space, 0);
    Solid solid;
    const ConeShape shape = cone_shape(cone, 96);
    detail::add_cone(solid, shape.rim);
    ASSERT_GE(solid.faces.size(), 96U * 6U);
    double lowest = 0, rim_lowest = 0;
    for (const Point3& p : shape.rim) rim_lowest = std::min(rim_lowest, p[2]);
    for (const Face& face : solid.faces) {
      double low = 0, high = 0;
      for (const Point3& p : face.corners) {
        low = std::min(low, p[2]);
        high = std::max(high, p[2]);
        // Corners cut at the plane lie on a flat face between two rays, inside of the round surface by at most 1 −
        // cos(π/96).
        if (vector(p).norm() > 0) {
          EXPECT_LT(off_surface(cone, vector(p)), p[2] == 0 ? 2e-3 : 1e-12);
        }
      }
      EXPECT_TRUE(low == 0 || high == 0);
      lowest = std::min(lowest, low);
    }
    EXPECT_NEAR(lowest, rim_lowest, 1e-15);
    EXPECT_EQ(lowest<0, mu> 5.0 / 3);
  }
}

// Peiret, Kövecses & Font-Llagunes: rod at 45°, μ = 2, locking angle 67.115°, aperture of the section 117.818°.
TEST(ConeFigure, SectionAndLockingSector) {
  const FrictionCone cone = friction_cone(rod(2).space, 0);
  const ConeShape shape = cone_shape(cone, 96);
  ASSERT_EQ(shape.section.size(), 3U);
  const Eigen::Vector3d a = vector(shape.section[1]), b = vector(shape.section[2]);
  for (const Eigen::Vector3d& corner : {a, b}) {
    EXPECT_EQ(corner.z(), 0);
    EXPECT_LT(off_surface(cone, corner), 1e-14);
  }
  const double aperture = std::acos(a.dot(b) / (a.norm() * b.norm()));
  EXPECT_NEAR(aperture, tangent_plane_aperture(cone), 1e-14);
  EXPECT_NEAR(aperture / degree, 117.818, 5e-4);
  const Eigen::Vector3d first = vector(shape.locking_rim.front()), last = vector(shape.locking_rim.back());
  EXPECT_NEAR(std::acos(first.dot(last)) / degree, 67.115, 5e-4);
  // The edge of the sector is where p = 0.
  EXPECT_NEAR(painleve_parameter(cone.W, cone.mu, first.head(2)), 0, 1e-14);
  EXPECT_LT(painleve_parameter(cone.W, cone.mu, vector(shape.locking_rim[12]).head(2)), 0);
}

TEST(ConeFigure, SectionIsThePartOfThePlaneInsideTheCone) {
  Draws draws(62);
  int jammed = 0;
  for (int i = 0; i < 400; ++i) {
    const FrictionCone cone = friction_cone(drawn_gram(draws, 3, 4, 0.05), draws.uniform(0.05, 3));
    const ConeShape shape = cone_shape(cone, 16);
    EXPECT_EQ(shape.section.empty(), !(cone.mu > *cone.mu_jam));
    if (shape.section.empty()) continue;
    ++jammed;
    const Eigen::Vector3d a = vector(shape.section[1]), b = vector(shape.section[2]);
    EXPECT_TRUE(contains(cone, 0.7 * a + 0.3 * b));
    EXPECT_FALSE(contains(cone, a + 0.05 * (a - b)));
    EXPECT_FALSE(contains(cone, b + 0.05 * (b - a)));
  }
  EXPECT_GT(jammed, 30);
}

std::vector<SpaceLine> thick_rays(const SpacePlot& plot) {
  std::vector<SpaceLine> list;
  for (const SpaceLine& line : plot.solid.lines) {
    if (!line.arrow && line.on_top && line.pen.width > 2 && line.points.size() == 2) list.push_back(line);
  }
  return list;
}

// At μ_crit the surface holds the normal axis, at μ_jam a ray of the tangent plane.
TEST(ConeFigure, CriticalRaysLieOnTheSurface) {
  for (const double mu : {0.6, 5.0 / 3}) {
    const Scene scene = rod(mu);
    const auto rays = thick_rays(cone_plot(scene, 0));
    ASSERT_EQ(rays.size(), 1U) << mu;
    const Eigen::Vector3d ray = vector(rays[0].points[1]);
    EXPECT_LT(off_surface(friction_cone(scene.space, 0), ray), 1e-14);
    EXPECT_GT(ray.norm(), 0.1);
    if (mu < 1) {
      EXPECT_EQ(ray.head(2).norm(), 0);
    }
    if (mu > 1) {
      EXPECT_NEAR(ray.z(), 0, 1e-14);
    }
  }
  EXPECT_TRUE(thick_rays(cone_plot(rod(1.2), 0)).empty());
}

TEST(ConeFigure, LegendNamesWhatIsThere) {
  const auto names = [](double mu) {
    std::vector<std::string> list;
    for (const auto& entry : cone_plot(rod(mu), 0).legend) list.push_back(entry.first);
    return list;
  };
  const auto has = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  EXPECT_TRUE(has(names(2), "section with the tangent plane"));
  EXPECT_TRUE(has(names(2), "its part below the plane"));
  EXPECT_FALSE(has(names(5.0 / 3), "its part below the plane"));
  EXPECT_FALSE(has(names(1.2), "section with the tangent plane"));
}

// The wedge of the rod in the plane: corners W (∓μ, 1), cut at the tangent.
TEST(ConeFigure, WedgeHasTheAreaOfItsCorners) {
  const Scene scene = rod_in_plane();
  const Eigen::Matrix2d W = scene.space.W;
  const double mu = scene.space.mu(0);
  const Eigen::Vector2d plus = W * Eigen::Vector2d(-mu, 1), minus = W * Eigen::Vector2d(mu, 1);
  double sum = 0;
  int regions = 0;
  for (const Layer& layer : cone_plane_plot(scene, 0).layers) {
    const auto* region = std::get_if<RegionLayer>(&layer);
    if (region == nullptr) continue;
    ++regions;
    double twice = 0, low = 0, high = 0;
    for (std::size_t i = 0; i < region->corners.size(); ++i) {
      const Point& a = region->corners[i];
      const Point& b = region->corners[(i + 1) % region->corners.size()];
      twice += a[0] * b[1] - a[1] * b[0];
      low = std::min(low, a[1]);
      high = std::max(high, a[1]);
    }
    EXPECT_TRUE(low == 0 || high == 0);
    sum += std::abs(twice) / 2;
  }
  EXPECT_EQ(regions, 2);
  EXPECT_NEAR(sum, std::abs(plus.x() * minus.y() - plus.y() * minus.x()) / 2, 1e-13);
  EXPECT_NEAR(sum, mu * W.determinant(), 1e-13);
}

TEST(ConeFigure, LimitsOfBothDimensions) {
  const Figure space = cone_limits_figure(rod(2), 0);
  ASSERT_EQ(space.panels.size(), 6U);
  EXPECT_EQ(std::get<SpacePlot>(space.panels[1]).title, "/μ/ = /μ/_{crit} = 0.6");
  EXPECT_EQ(std::get<SpacePlot>(space.panels[3]).title, "/μ/ = /μ/_{jam} = 1.667");
  EXPECT_EQ(thick_rays(std::get<SpacePlot>(space.panels[1])).size(), 1U);
  EXPECT_EQ(thick_rays(std::get<SpacePlot>(space.panels[3])).size(), 1U);
  // The last is the plane W (λ_t, 0), without normal impulse.
  const Eigen::MatrixXd inverse = rod(2).space.W.inverse();
  for (const Point3& p : std::get<SpacePlot>(space.panels[5]).solid.faces[0].corners)
    EXPECT_NEAR((inverse * vector(p))(2), 0, 1e-14);
  const Figure plane = cone_limits_figure(rod_in_plane(), 0);
  ASSERT_EQ(plane.panels.size(), 6U);
  for (const Panel& panel : plane.panels) EXPECT_TRUE(std::holds_alternative<Plot>(panel));
}

TEST(ConeFigure, RefusesWhatHasNoCone) {
  EXPECT_THROW(cone_plot(rod_in_plane(), 0), InputError);
  EXPECT_THROW(cone_plane_plot(rod(2), 0), InputError);
  EXPECT_THROW(cone_plot(rod(2), 1), InputError);
  EXPECT_THROW(cone_plot(rod(2), -1), InputError);
  EXPECT_THROW(cone_limits_figure(SceneSource::open("table-a1-6a").build(), 0), InputError);
  ConePlotOptions options;
  options.mu = -1;
  EXPECT_THROW(cone_plot(rod(2), 0, options), InputError);
  options = {};
  options.segments = 3;
  EXPECT_THROW(cone_plot(rod(2), 0, options), InputError);
  SceneSource upright = SceneSource::open("rod-no-solution");
  upright.set("state.theta", std::numbers::pi / 2);  // no coupling
  EXPECT_THROW(cone_limits_figure(upright.build(), 0), InputError);
}

}  // namespace cone_figure_test
}  // namespace painleve
