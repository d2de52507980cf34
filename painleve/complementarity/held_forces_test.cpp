// Forces inside several cones, against drawn points and against cases that can be seen.
#include "painleve/complementarity/held_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

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
  ForceRegion chord{Eigen::MatrixXd(2, 2), Eigen::VectorXd::Zero(2), {cone({0, 0, 1}, N, 1)}};
  chord.G << 1, 0, -1, 0;
  const HeldForces held = held_forces(chord);
  ASSERT_TRUE(held.possible);
  ASSERT_EQ(held.directions.cols(), 1);
  EXPECT_NEAR(std::abs(held.directions(1, 0)), 1, 1e-12);
}

}  // namespace held_forces_test
}  // namespace painleve
