// Families of solutions as polyhedra whose corners are known: cubes, wedges and strips.
#include "painleve/complementarity/polyhedron.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace painleve {
namespace polyhedron_test {

bool lists(const std::vector<Eigen::VectorXd>& list, const Eigen::VectorXd& z) {
  return std::any_of(list.begin(), list.end(), [&](const Eigen::VectorXd& o) { return (o - z).norm() < 1e-12; });
}

Family whole(const Polyhedron& p) {
  const Eigen::Index d = p.G.cols();
  return family(p, relative_interior(p.G, p.h, 100), Eigen::MatrixXd::Identity(d, d), Eigen::VectorXd::Zero(d));
}

// 0 ≤ y_i ≤ i: rows of different lengths, which must not matter.
Polyhedron box(int d) {
  Polyhedron p{Eigen::MatrixXd::Zero(2 * d, d), Eigen::VectorXd::Zero(2 * d)};
  for (int i = 0; i < d; ++i) {
    p.G(2 * i, i) = 5.0 + i;
    p.G(2 * i + 1, i) = -0.5;
    p.h(2 * i + 1) = 0.5 * (i + 1);
  }
  return p;
}

TEST(Family, OfABoxHasAllItsCorners) {
  for (const int d : {1, 2, 3, 4}) {
    const Family f = whole(box(d));
    ASSERT_TRUE(f.enumerated) << d;
    EXPECT_EQ(f.dimension, d);
    EXPECT_EQ(f.vertices.size(), std::size_t{1} << d) << d;
    EXPECT_TRUE(f.rays.empty()) << d;
    for (unsigned corner = 0; corner < (1U << d); ++corner) {
      Eigen::VectorXd z(d);
      for (int i = 0; i < d; ++i) {
        z(i) = (corner >> i & 1U) != 0 ? i + 1 : 0;
      }
      EXPECT_TRUE(lists(f.vertices, z)) << d << ": " << z.transpose();
    }
  }
}

TEST(Family, OfAWedgeHasItsCornerAndItsEdges) {
  // y1 ≥ 1, y2 ≥ 2, y3 ≥ 3 in space: one corner, three rays.
  const Family f = whole({Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1, -2, -3)});
  ASSERT_TRUE(f.enumerated);
  ASSERT_EQ(f.vertices.size(), 1U);
  EXPECT_TRUE(lists(f.vertices, Eigen::Vector3d(1, 2, 3)));
  ASSERT_EQ(f.rays.size(), 3U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(lists(f.rays, Eigen::Vector3d::Unit(k)));
  }
}

TEST(Family, OfAHalfLineHasOneEndAndOneRay) {
  const Family f = whole({Eigen::MatrixXd::Constant(1, 1, -2), Eigen::VectorXd::Constant(1, 6)});  // y ≤ 3
  ASSERT_EQ(f.vertices.size(), 1U);
  EXPECT_NEAR(f.vertices[0](0), 3, 1e-14);
  ASSERT_EQ(f.rays.size(), 1U);
  EXPECT_EQ(f.rays[0](0), -1);
}

// Corners far from the origin are told apart, and judged, on their own scale.
TEST(Family, FarFromTheOriginKeepsItsCorners) {
  Polyhedron p = box(2);
  p.h -= p.G * Eigen::Vector2d(50, -70);
  const Family f = whole(p);
  ASSERT_EQ(f.vertices.size(), 4U);
  for (const double x : {50.0, 51.0}) {
    for (const double y : {-70.0, -68.0}) {
      const Eigen::Vector2d corner(x, y);
      EXPECT_TRUE(std::any_of(f.vertices.begin(), f.vertices.end(),
                              [&](const Eigen::VectorXd& v) { return (v - corner).norm() < 1e-11; }));
    }
  }
}

// Corners far from the interior point meet their rows only to rounding of their distance.
TEST(Family, OfALongStripHasAllItsCorners) {
  const double length = 3e9;
  const Eigen::Matrix2d turn = Eigen::Rotation2Dd(0.3).toRotationMatrix();
  Polyhedron p{Eigen::MatrixXd(4, 2), Eigen::Vector4d(length, length, 1e4, 1e4)};
  p.G << 1, 0, -1, 0, 0, 1, 0, -1;
  p.G = (p.G * turn).eval();
  const Interior middle{Eigen::Vector2d::Zero(), 1e4, Eigen::Matrix2d::Identity()};
  const Family f = family(p, middle, Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero());
  ASSERT_EQ(f.vertices.size(), 4U);
  for (const auto& v : f.vertices) {
    EXPECT_NEAR(v.norm(), length, 1e-6 * length);
  }
}

TEST(Family, OfAFlatRegionExtendsAlongIt) {
  // y1 + y2 = 1 within the positive quadrant, as forces r = (y1, 2 y2, 7).
  Polyhedron p{Eigen::MatrixXd(4, 2), Eigen::VectorXd(4)};
  p.G << 1, 1, -1, -1, 1, 0, 0, 1;
  p.h << -1, 1, 0, 0;
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(3, 2);
  map(0, 0) = 1;
  map(1, 1) = 2;
  const Family f = family(p, relative_interior(p.G, p.h, 100), map, Eigen::Vector3d(0, 0, 7));
  ASSERT_EQ(f.dimension, 1);
  EXPECT_NEAR(std::abs(f.directions.col(0).dot(Eigen::Vector3d(1, -2, 0).normalized())), 1, 1e-12);
  ASSERT_EQ(f.vertices.size(), 2U);
  EXPECT_TRUE(lists(f.vertices, Eigen::Vector3d(1, 0, 7)));
  EXPECT_TRUE(lists(f.vertices, Eigen::Vector3d(0, 2, 7)));
}

// G d + h ≥ 0 for displacements d of the force from the interior point: true up to the corners, false beyond.
TEST(Family, SaysWhereItEnds) {
  const Polyhedron p = box(3);
  const Interior inside = relative_interior(p.G, p.h, 100);
  const Family f = family(p, inside, Eigen::MatrixXd::Identity(3, 3), Eigen::VectorXd::Zero(3));
  for (const auto& v : f.vertices) {
    const Eigen::VectorXd d = v - inside.y;
    EXPECT_GE((f.G * (0.999 * d) + f.h).minCoeff(), 0);
    EXPECT_LT((f.G * (1.001 * d) + f.h).minCoeff(), 0);
  }
}

TEST(Family, WithTooManyCandidatesIsNotEnumerated) {
  const Family f = whole(box(9));  // 18 rows: 48620 sets of nine
  EXPECT_FALSE(f.enumerated);
  EXPECT_EQ(f.dimension, 9);
  EXPECT_TRUE(f.vertices.empty());
}

TEST(Family, InOtherUnitsIsTheSameFamily) {
  const Eigen::Vector3d factor(2, 4, 0.5);
  Family f = whole({Eigen::Matrix3d::Identity(), Eigen::Vector3d(-1, -2, -3)});
  const Eigen::MatrixXd G = f.G;
  restore(factor, f);
  EXPECT_TRUE(lists(f.vertices, Eigen::Vector3d(2, 8, 1.5)));
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(lists(f.rays, Eigen::Vector3d::Unit(k))) << "rays keep length one";
  }
  EXPECT_LT((f.G * factor.asDiagonal() - G).norm(), 1e-14);
  EXPECT_LT((f.directions.transpose() * f.directions - Eigen::Matrix3d::Identity()).norm(), 1e-14);
}

}  // namespace polyhedron_test
}  // namespace painleve
