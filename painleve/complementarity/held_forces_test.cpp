// Forces inside several cones, against drawn points and against cases that can be seen.
#include "painleve/complementarity/held_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace held_forces_test {

double depth(const ForceRegion& region, const Eigen::VectorXd& y) {
  double least = 1e300;
  for (const auto& c : region.cones) {
    const Eigen::Vector3d r = c.r + c.N * y;
    least = std::min(least, c.mu * c.sign * r.z() - std::hypot(r.x(), r.y()));
  }
  for (Eigen::Index k = 0; k < region.h.size(); ++k) {
    least = std::min(least, region.G.row(k).dot(y) + region.h(k));
  }
  return least;
}

ForceRegion drawn(Draws& draws, int cones, int unknowns) {
  ForceRegion region;
  region.G = Eigen::MatrixXd(0, unknowns);
  region.h = Eigen::VectorXd(0);
  for (int i = 0; i < cones; ++i) {
    HeldCone c;
    c.N.resize(3, unknowns);
    for (auto& x : c.r) {
      x = draws.normal();
    }
    for (Eigen::Index k = 0; k < c.N.size(); ++k) {
      c.N(k) = draws.normal();
    }
    c.mu = draws.uniform(0.2, 2);
    c.sign = draws.integer(0, 1) == 0 ? -1 : 1;
    region.cones.push_back(c);
  }
  return region;
}

TEST(HeldForces, AreFoundWheneverADrawnPointIsInside) {
  int possible = 0;
  int impossible = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Draws draws(seed);
    const int unknowns = draws.integer(1, 4);
    const ForceRegion region = drawn(draws, draws.integer(unknowns == 1 ? 2 : 3, 4), unknowns);
    const HeldForces held = held_forces(region);
    double best = -1e300;
    Eigen::VectorXd at = Eigen::VectorXd::Zero(unknowns);
    for (int k = 0; k < 600; ++k) {  // a random climb of a concave function
      Eigen::VectorXd y = at;
      const double step = 8 * std::exp(-0.02 * k) + 1e-4;
      for (auto& x : y) {
        x += step * draws.normal();
      }
      if (depth(region, y) > best) {
        best = depth(region, y);
        at = y;
      }
    }
    if (best > 1e-3 && at.cwiseAbs().maxCoeff() < 50) {
      ASSERT_TRUE(held.possible) << seed << " " << best;
    }
    if (held.possible) {
      EXPECT_GT(depth(region, held.y), -1e-9 * (1 + held.y.norm())) << seed;
      EXPECT_EQ(held.directions.cols(), unknowns) << seed;
    }
    (held.possible ? possible : impossible) += 1;
  }
  EXPECT_GT(possible, 100);
  EXPECT_GT(impossible, 100);
}

HeldCone cone(const Eigen::Vector3d& r, const Eigen::MatrixXd& N, double mu) { return {r, N, mu, 1}; }

TEST(HeldForces, OnALineMayBeASegmentAPointOrARay) {
  // Pressed together from both sides along x: r = (± (1 + y), 0, 1), friction 2 allows |1 + y| ≤ 2.
  const Eigen::MatrixXd along = Eigen::Vector3d::UnitX();
  ForceRegion region{
      Eigen::MatrixXd(0, 1), Eigen::VectorXd(0), {cone({1, 0, 1}, along, 2), cone({-1, 0, 1}, -along, 2)}};
  const HeldForces segment = held_forces(region);
  ASSERT_TRUE(segment.possible);
  EXPECT_EQ(segment.directions.cols(), 1);
  EXPECT_NEAR(segment.y(0), -1, 1e-11) << "the middle of −3 and 1";
  region.cones[1] = cone({4 + 1, 0, 1}, along, 2);  // needs y ≤ −3 as well: one point is left
  const HeldForces point = held_forces(region);
  ASSERT_TRUE(point.possible);
  EXPECT_EQ(point.directions.cols(), 0);
  EXPECT_NEAR(point.y(0), -3, 1e-11);
  region.cones[1] = cone({4 + 1 + 1e-9, 0, 1}, along, 2);
  EXPECT_FALSE(held_forces(region).possible);
  region.cones = {cone({3, 0, 0}, Eigen::Vector3d(0, 0, 1), 0.5)};  // pressed on a floor: y ≥ 6
  const HeldForces ray = held_forces(region);
  ASSERT_TRUE(ray.possible);
  EXPECT_GT(ray.y(0), 6);
  EXPECT_EQ(ray.directions.cols(), 1);
  region.cones = {cone({0, 0, 1}, Eigen::Vector3d(0.5, 0, 1), 0.5)};  // along the edge of the cone, inside of it
  EXPECT_EQ(held_forces(region).directions.cols(), 1);
  region.G = Eigen::MatrixXd::Constant(1, 1, -1);
  region.h = Eigen::VectorXd::Constant(1, -3);  // y ≤ −3, where the force pulls
  EXPECT_FALSE(held_forces(region).possible);
}

TEST(HeldForces, InAPlaneMayBeFlat) {
  // |(y1, y2)| ≤ 1 from one cone; a second disc that touches it, or misses it.
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(3, 2);
  N.topRows(2).setIdentity();
  for (const double gap : {-0.1, 0.1}) {
    const ForceRegion region{
        Eigen::MatrixXd(0, 2), Eigen::VectorXd(0), {cone({0, 0, 1}, N, 1), cone({2 + gap, 0, 1}, N, 1)}};
    const HeldForces held = held_forces(region);
    EXPECT_EQ(held.possible, gap < 0);
    if (gap < 0) {
      EXPECT_EQ(held.directions.cols(), 2);
      EXPECT_LT((held.y - Eigen::Vector2d(-0.95, 0)).norm(), 0.3);
    }
  }
  // A half-plane that leaves a chord of the disc: y1 ≥ 0 and −y1 ≥ 0.
  for (const double radius : {1.0, 0.01}) {
    ForceRegion chord{Eigen::MatrixXd(2, 2), Eigen::VectorXd::Zero(2), {cone({0, 0, 1}, N, radius)}};
    chord.G << 1, 0, -1, 0;
    const HeldForces held = held_forces(chord);
    ASSERT_TRUE(held.possible) << radius;
    ASSERT_EQ(held.directions.cols(), 1) << radius;
    EXPECT_NEAR(std::abs(held.directions(1, 0)), 1, 1e-12) << radius;
  }
}

// G y + h ≥ 0 with one unknown.
ForceRegion between(const std::vector<double>& slopes, const std::vector<double>& offsets) {
  ForceRegion region{Eigen::MatrixXd(static_cast<Eigen::Index>(slopes.size()), 1),
                     Eigen::VectorXd(static_cast<Eigen::Index>(slopes.size())),
                     {}};
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    region.G(static_cast<Eigen::Index>(k), 0) = slopes[k];
    region.h(static_cast<Eigen::Index>(k)) = offsets[k];
  }
  return region;
}

// Half-lines alone: the force that stands for them is well inside, and no larger than it must be.
TEST(HeldForces, BetweenHalfLinesAreOfTheSizeOfTheProblem) {
  for (const double from : {-300.0, -2.0, 0.0, 0.5, 40.0}) {
    const double size = 1 + std::abs(from);
    for (const double length : {1e-3, 1.0, 1e2, 1e9}) {
      for (const double side : {1.0, -1.0}) {  // and the mirror image
        const HeldForces held = held_forces(between({2 * side, -3 * side}, {-2 * from, 3 * (from + length)}));
        ASSERT_TRUE(held.possible) << from << " " << length;
        EXPECT_EQ(held.directions.cols(), 1) << from << " " << length;
        const double y = side * held.y(0);
        EXPECT_GT(y - from, 0.05 * std::min(length, size)) << from << " " << length;
        EXPECT_GT(from + length - y, 0.05 * std::min(length, size)) << from << " " << length;
        if (side > 0) {
          EXPECT_LE(std::abs(y), std::abs(from) + std::min(length, 10 * size)) << from << " " << length;
        }
      }
    }
    for (const double side : {1.0, -1.0}) {  // without an end
      const HeldForces ray = held_forces(between({side}, {-side * from}));
      ASSERT_TRUE(ray.possible) << from;
      EXPECT_GE(side * (ray.y(0) - from), 0.5 * size) << from;
      EXPECT_LE(side * (ray.y(0) - from), 10 * size) << from;
      EXPECT_EQ(ray.directions.cols(), 1) << from;
    }
    const HeldForces point = held_forces(between({1, -1}, {-from, from}));
    EXPECT_TRUE(point.possible) << from;
    EXPECT_NEAR(point.y(0), from, 1e-11 * size) << from;
    EXPECT_EQ(point.directions.cols(), 0) << from;
    const HeldForces missed = held_forces(between({1, -1}, {-from - 1e-6 * size, from}));
    EXPECT_FALSE(missed.possible) << from;
    EXPECT_NEAR(missed.y(0), from, 2e-6 * size) << "the nearest";
  }
  EXPECT_TRUE(held_forces(between({0}, {1})).possible);
  EXPECT_FALSE(held_forces(between({0}, {-1})).possible);
  EXPECT_EQ(held_forces(between({0}, {1})).y(0), 0) << "nothing is asked of it";
}

// The chord that a cone cuts out of a line: its ends lie on the cone, in closed form or by bisection.
TEST(HeldForces, OnALineEndWhereTheConeDoes) {
  int segments = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Draws draws(seed);
    ForceRegion region = drawn(draws, 1, 1);
    if (draws.integer(0, 3) == 0) region.cones[0].N(2, 0) = 0;  // across the axis
    const HeldForces held = held_forces(region);
    double best = -1e300;
    for (double y = -40; y <= 40; y += 0.01) best = std::max(best, depth(region, Eigen::VectorXd::Constant(1, y)));
    if (best > 1e-3) {
      ASSERT_TRUE(held.possible) << seed;
    }
    if (!held.possible) continue;
    const auto inside = [&](double y) { return depth(region, Eigen::VectorXd::Constant(1, y)) >= -1e-9; };
    ASSERT_TRUE(inside(held.y(0))) << seed;
    // Both ways to the end; where both have one the force lies in the middle.
    double reach[2];
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? -1 : 1;
      double out = 1;
      while (out < 1e6 && inside(held.y(0) + sign * out)) out *= 2;
      double in = 0;
      for (int k = 0; k < 80; ++k) {
        const double middle = (in + out) / 2;
        (inside(held.y(0) + sign * middle) ? in : out) = middle;
      }
      reach[side] = in;
    }
    const double shorter = std::min(reach[0], reach[1]);
    const double longer = std::max(reach[0], reach[1]);
    if (longer < 1e5 && reach[0] + reach[1] < 9 * (1 + std::abs(held.y(0) - reach[0]))) {
      EXPECT_NEAR(shorter, longer, 1e-5 * (1 + longer)) << seed;
      ++segments;
    } else {
      EXPECT_GE(shorter, 0.1) << seed;
    }
  }
  EXPECT_GT(segments, 100);
}

// With more unknowns: how deep the force lies, against the deepest that a climb finds.
TEST(HeldForces, LieAsDeepAsMatters) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Draws draws(seed);
    const int unknowns = draws.integer(2, 3);
    ForceRegion region = drawn(draws, 3, unknowns);
    region.G = Eigen::MatrixXd(2 * unknowns, unknowns);  // |y| ≤ 5
    region.G << Eigen::MatrixXd::Identity(unknowns, unknowns), -Eigen::MatrixXd::Identity(unknowns, unknowns);
    region.h = Eigen::VectorXd::Constant(2 * unknowns, 5);
    const HeldForces held = held_forces(region);
    double best = -1e300;
    Eigen::VectorXd at = Eigen::VectorXd::Zero(unknowns);
    for (int k = 0; k < 1500; ++k) {
      Eigen::VectorXd y = at;
      for (auto& x : y) x += (4 * std::exp(-0.006 * k) + 1e-4) * draws.normal();
      if (depth(region, y) <= best) continue;
      best = depth(region, y);
      at = y;
    }
    if (held.possible) {
      EXPECT_GE(depth(region, held.y), -1e-11) << seed;
    }
    if (best < 1e-2) continue;
    ASSERT_TRUE(held.possible) << seed << " " << best;
    EXPECT_GE(depth(region, held.y), 0.05 * best) << seed;
    EXPECT_LE((held.directions.transpose() * held.directions - Eigen::MatrixXd::Identity(unknowns, unknowns)).norm(),
              1e-12)
        << seed;
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

// A line beside the edge of a cone, along it, tends to the cone and never reaches it; one that enters it stays inside.
TEST(HeldForces, BesideTheEdgeOfAConeAreNone) {
  for (const double mu : {0.5, 1.0, 2.0}) {
    for (const double aside : {1.0, -0.3, 0.0}) {
      for (const double deeper : {0.0, 0.4}) {
        HeldCone cone;
        cone.r << 0, aside, deeper;
        cone.N = Eigen::Vector3d(-mu, 0, 1);
        cone.mu = mu;
        ForceRegion region;
        region.cones.push_back(cone);
        const HeldForces held = held_forces(region);
        EXPECT_EQ(held.possible, deeper > 0 || aside == 0) << mu << " " << aside << " " << deeper;
        if (held.possible) {
          EXPECT_LT(std::abs(held.y(0)), 1e6) << mu << " " << aside;
        }
      }
    }
  }
}

// A line along the edge of a cone, aside of it: μ (h + y) = √(μ² y² + a²) where it enters, for good.
TEST(HeldForces, AlongTheEdgeOfAConeTheLineEntersOnce) {
  for (const double mu : {0.5, 1.0, 2.0}) {
    for (const double aside : {3.0, -5.0}) {
      const double deeper = 0.4;
      HeldCone cone;
      cone.r << 0, aside, deeper;
      cone.N = Eigen::Vector3d(-mu, 0, 1);
      cone.mu = mu;
      const double enters = (aside * aside / (mu * mu) - deeper * deeper) / (2 * deeper);
      ASSERT_GT(enters, 1);
      for (const double end : {0.9 * enters, 1.1 * enters}) {  // y up to here
        ForceRegion region;
        region.cones.push_back(cone);
        region.G = Eigen::MatrixXd::Constant(1, 1, -1);
        region.h = Eigen::VectorXd::Constant(1, end);
        const HeldForces held = held_forces(region);
        EXPECT_EQ(held.possible, end > enters) << mu << " " << aside;
        if (held.possible) {
          EXPECT_GT(held.y(0), enters) << mu << " " << aside;
          EXPECT_LT(held.y(0), end) << mu << " " << aside;
        }
      }
    }
  }
}

// The disc |y| ≤ 1, of which a half-plane leaves a segment of height 1 − c: a point well inside, and a surface around
// it.
TEST(HeldForces, AHalfPlaneCutsADisc) {
  for (const double c : {-0.5, 0.0, 0.5, 0.9, 1.1}) {
    HeldCone cone;
    cone.r << 0, 0, 1;
    cone.N = Eigen::MatrixXd::Identity(3, 2);
    cone.mu = 1;
    ForceRegion region;
    region.cones.push_back(cone);
    region.G = Eigen::RowVector2d(0.6, -0.8);
    region.h = Eigen::VectorXd::Constant(1, -c);
    const HeldForces held = held_forces(region);
    EXPECT_EQ(held.possible, c < 1) << c;
    if (held.possible) {
      EXPECT_GE(depth(region, held.y), (1 - c) / 8) << c << ": half the height at best";
      EXPECT_EQ(held.directions.cols(), 2) << c;
    }
  }
}

// Forces in a plane that is tangent to the cone lie on its edge, wherever the plane is; another cone cuts that ray.
TEST(HeldForces, InATangentPlaneAreAnEdgeOfTheCone) {
  for (const double mu : {0.5, 1.0, 2.0}) {
    for (const double angle : {0.0, 0.4, 2.0, 4.0}) {
      for (const int sign : {1, -1}) {
        const Eigen::Vector2d u(std::cos(angle), std::sin(angle));
        const Eigen::Vector3d edge(mu * u.x(), mu * u.y(), sign);
        const Eigen::Vector3d aside(-u.y(), u.x(), 0);
        HeldCone cone;
        cone.r = 0.3 * aside - 2 * edge;
        cone.N.resize(3, 3);
        cone.N << edge + aside, aside - 0.2 * edge, Eigen::Vector3d::Zero();
        cone.mu = mu;
        cone.sign = sign;
        HeldCone other;  // feels the third unknown alone
        other.r << 0.1, 0, 0;
        other.N = Eigen::MatrixXd::Zero(3, 3);
        other.N(2, 2) = 1;
        other.mu = 1;
        ForceRegion region;
        region.cones = {cone, other};
        const HeldForces held = held_forces(region);
        ASSERT_TRUE(held.possible) << mu << " " << angle;
        const Eigen::Vector3d force = cone.r + cone.N * held.y;
        EXPECT_GT(force.dot(edge), 0.1) << mu << " " << angle;
        EXPECT_LT(force.cross(edge).norm(), 1e-12 * (1 + force.norm())) << mu << " " << angle;
        EXPECT_GT(held.y(2), 0.1);
        EXPECT_EQ(held.directions.cols(), 2) << mu << " " << angle;
        EXPECT_LT((held.directions.transpose() * held.directions - Eigen::Matrix2d::Identity()).norm(), 1e-12);
      }
    }
  }
}

}  // namespace held_forces_test
}  // namespace painleve
