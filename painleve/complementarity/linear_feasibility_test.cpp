// Deepest points that geometry knows: centres of boxes and of inscribed circles.
#include "painleve/complementarity/linear_feasibility.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace painleve {
namespace linear_feasibility_test {

TEST(DeepestPoint, OfATriangleIsTheCentreOfItsInscribedCircle) {
  // The right triangle with legs 3 and 4: radius 1, centre (1, 1).
  Eigen::MatrixXd A(3, 2);
  A << 1, 0, 0, 2, -4, -3;  // lengths must not matter
  const Interior inside = deepest_point(A, Eigen::Vector3d(0, 0, 12), 100);
  EXPECT_NEAR(inside.depth, 1, 1e-12);
  EXPECT_NEAR((inside.y - Eigen::Vector2d(1, 1)).norm(), 0, 1e-12);
  EXPECT_EQ(inside.directions.cols(), 2);
}

TEST(DeepestPoint, OfNothingIsTheNearestMiss) {
  Eigen::MatrixXd A(2, 1);
  A << 1, -1;
  const Interior inside = deepest_point(A, Eigen::Vector2d(-3, 1), 100);  // y ≥ 3 and y ≤ 1
  EXPECT_NEAR(inside.depth, -1, 1e-12);
  EXPECT_NEAR(inside.y(0), 2, 1e-12);
}

TEST(DeepestPoint, StaysInTheBox) {
  const Interior inside = deepest_point(Eigen::MatrixXd::Constant(1, 1, 1), Eigen::VectorXd::Zero(1), 7);  // y ≥ 0
  EXPECT_GT(inside.y(0), 0);
  EXPECT_LE(inside.y(0), 7 + 1e-12);
}

TEST(RelativeInterior, OfAPointOnALineHasNoDirection) {
  Eigen::MatrixXd A(2, 1);
  A << 2, -1;
  const Interior inside = relative_interior(A, Eigen::Vector2d(-4, 2), 100);  // y = 2
  EXPECT_NEAR(inside.y(0), 2, 1e-12);
  EXPECT_EQ(inside.directions.cols(), 0);
}

TEST(RelativeInterior, OfASegmentInSpaceIsItsMiddle) {
  // y1 = 1, y2 = −1, −2 ≤ y3 ≤ 4.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 3);
  Eigen::VectorXd c(6);
  for (int k = 0; k < 3; ++k) {
    A(2 * k, k) = 1;
    A(2 * k + 1, k) = -1;
  }
  c << -1, 1, 1, -1, 2, 4;
  const Interior inside = relative_interior(A, c, 100);
  EXPECT_NEAR((inside.y - Eigen::Vector3d(1, -1, 1)).norm(), 0, 1e-9);
  ASSERT_EQ(inside.directions.cols(), 1);
  EXPECT_NEAR(std::abs(inside.directions.col(0).normalized()(2)), 1, 1e-9);
  EXPECT_NEAR(inside.depth, 3, 1e-9);
}

// One condition alone can pin a point where the box ends.
TEST(RelativeInterior, AtTheEndOfTheBoxIsAPoint) {
  const Interior inside = relative_interior(Eigen::MatrixXd::Constant(1, 1, 1), Eigen::VectorXd::Constant(1, -5), 5);
  EXPECT_NEAR(inside.y(0), 5, 1e-9);
  EXPECT_EQ(inside.directions.cols(), 0);
}

// Half-spaces of all directions and sizes: the deepest point is in the box and on the right side, as deep as its size.
TEST(DeepestPoint, OfAHalfSpaceIsBoundedByTheBoxOnEverySide) {
  for (const int unknowns : {1, 2, 3}) {
    for (int k = 0; k < unknowns; ++k) {
      for (const double side : {1.0, -1.0}) {
        for (const double offset : {-2.0, 0.0, 3.0}) {
          const Eigen::MatrixXd A = 5 * side * Eigen::RowVectorXd::Unit(unknowns, k);
          const Interior inside = deepest_point(A, Eigen::VectorXd::Constant(1, 5 * offset), 7);
          EXPECT_LE(inside.y.cwiseAbs().maxCoeff(), 7 + 1e-12);
          EXPECT_NEAR(inside.depth, std::min(side * inside.y(k) + offset, 7.0), 1e-12);
          EXPECT_GE(inside.depth, std::min(7 + offset, 7.0) - 1e-12);
        }
      }
    }
  }
}

}  // namespace linear_feasibility_test
}  // namespace painleve
