// Forces that hold one contact: against other ways to the same force where W is regular, against samples of the family
// where it is singular.
#include "painleve/complementarity/stick_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace stick_forces_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double depth(const Vector3d& lambda, double mu, int sign) {
  return sign * mu * lambda.z() - std::hypot(lambda.x(), lambda.y());
}

Vector3d drawn_vector(Draws& draws) {
  Vector3d v;
  for (double& x : v) x = draws.normal();
  return v;
}

TEST(StickForces, OfARegularContactBalanceTheLoadToTheRoundingTheyClaim) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Draws draws(seed);
    Vector3d units;
    for (double& x : units) x = std::exp(draws.uniform(-4, 4));
    const Matrix3d W = units.asDiagonal() * drawn_gram(draws, 3, 3, 1e-3) * units.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(W);
    const double condition = eigen.eigenvalues()(2) / eigen.eigenvalues()(0);
    if (condition > 1e10) continue;
    const Vector3d force = drawn_vector(draws);
    const double mu = draws.uniform(0, 3);
    const StickForces s = stick_forces(W, -W * force, mu, draws.integer(0, 1) == 0 ? 1 : -1);
    EXPECT_TRUE(s.balance) << seed;
    EXPECT_EQ(s.family_dimension, 0) << seed;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    EXPECT_LE((s.lambda - force).norm(), 16 * epsilon * condition * force.norm()) << seed;
    // The claim covers the error, grows with the condition, and is never more than what tells slip from stick.
    EXPECT_GT(s.rounding, 0) << seed;
    EXPECT_GE(s.rounding, std::min((s.lambda - force).norm(), 1e-11 * force.norm())) << seed;
    EXPECT_LE(s.rounding, std::min(100 * epsilon * condition * (1 + mu), 1.01e-10) * force.norm()) << seed;
  }
}

// W without response along `null` (columns), a load that it can balance, and the forces that do.
struct Singular {
  Matrix3d W;
  MatrixXd null;
  Vector3d b, force;
};
Singular drawn_singular(Draws& draws, int nulls) {
  Singular s;
  const MatrixXd J = drawn_gram(draws, 3, 3 - nulls, 0);
  s.W = (J + J.transpose()) / 2;
  s.null = Eigen::SelfAdjointEigenSolver<Matrix3d>(s.W).eigenvectors().leftCols(nulls);
  s.force = drawn_vector(draws);
  s.b = -s.W * s.force;
  return s;
}

TEST(StickForces, OfASingularContactAreTheDeepestInTheCone) {
  int inside = 0;
  int outside = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int nulls = draws.integer(1, 2);
    const Singular c = drawn_singular(draws, nulls);
    const double mu = draws.uniform(0.1, 2);
    const int sign = draws.integer(0, 1) == 0 ? 1 : -1;
    const StickForces s = stick_forces(c.W, c.b, mu, sign);
    ASSERT_TRUE(s.balance) << seed;
    const double size = s.lambda.norm();
    EXPECT_LE((c.W * s.lambda + c.b).norm(), 1e-10 * (c.b.norm() + c.W.norm() * size)) << seed;
    EXPECT_GT(s.rounding, 0) << seed;
    EXPECT_LE(s.rounding, 1.01e-10 * size) << seed;
    // No other force of the family lies deeper, near by and far away. The function is concave: that is all.
    const double found = depth(s.lambda, mu, sign);
    const double natural = (c.force - c.null * (c.null.transpose() * c.force)).norm();  // of the least force
    for (const double step : {1e-3, 0.1, 1.0, 30.0}) {
      for (int k = 0; k < 16; ++k) {
        VectorXd y(nulls);
        for (double& x : y) x = draws.normal();
        const Vector3d other = s.lambda + c.null * (step * natural * y);
        if ((c.null.transpose() * other).cwiseAbs().maxCoeff() > 100 * natural) continue;  // there the search ends
        EXPECT_LE(depth(other, mu, sign), found + 1e-6 * (1 + size)) << seed << " " << step;
      }
    }
    EXPECT_EQ(s.family_dimension, found > 1e-6 ? nulls : 0) << seed << " " << found;
    inside += found > 0;
    outside += found < 0;
  }
  EXPECT_GT(inside, 60);
  EXPECT_GT(outside, 60);
}

TEST(StickForces, WithoutTangentialResponseLeanAsLittleAsTheyCan) {
  // W = diag(0, 2, 4) turned about the normal: λ_n = 1 and one tangential component are given, the other is free.
  for (const double angle : {0.0, 0.4, 2.0}) {
    Matrix3d turn = Matrix3d::Identity();
    turn.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    const Matrix3d W = turn * Vector3d(0, 2, 4).asDiagonal() * turn.transpose();
    for (const double given : {0.2, 0.7}) {
      const StickForces s = stick_forces(W, turn * Vector3d(0, -2 * given, -4), 0.5, 1);
      EXPECT_TRUE(s.balance);
      EXPECT_LE((turn.transpose() * s.lambda - Vector3d(0, given, 1)).norm(), 1e-6) << angle << " " << given;
      EXPECT_EQ(s.family_dimension, given < 0.5 ? 1 : 0) << angle << " " << given;
    }
  }
}

TEST(StickForces, OfALoadThatNothingBalancesAreNone) {
  const Matrix3d W = Vector3d(1, 0, 2).asDiagonal();
  EXPECT_FALSE(stick_forces(W, Vector3d(1, 1e-6, -2), 0.5, 1).balance);
  EXPECT_TRUE(stick_forces(W, Vector3d(1, 1e-12, -2), 0.5, 1).balance) << "rounding";
  EXPECT_FALSE(stick_forces(Matrix3d::Zero(), Vector3d(0, 0, 1), 0.5, 1).balance);
}

TEST(StickForces, OfAContactThatNothingMovesFillTheCone) {
  for (const int sign : {1, -1}) {
    const StickForces s = stick_forces(Matrix3d::Zero(), Vector3d::Zero(), 0.5, sign);
    EXPECT_TRUE(s.balance);
    EXPECT_TRUE(s.lambda.allFinite());
    EXPECT_EQ(s.family_dimension, 3);
    EXPECT_GT(depth(s.lambda, 0.5, sign), 0.49 * std::abs(s.lambda.z())) << "on the axis of the cone";
    EXPECT_GT(s.lambda.norm(), 1);
  }
}

// Without load the size of forces is that which gives one unit of acceleration; it follows the response.
TEST(StickForces, ScaleWithTheLoadAndAgainstTheResponse) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    const int nulls = draws.integer(0, 2);
    Singular c = drawn_singular(draws, nulls);
    if (draws.integer(0, 3) == 0) c.b.setZero();
    const double mu = draws.uniform(0.1, 2);
    const StickForces s = stick_forces(c.W, c.b, mu, 1);
    for (const double response : {0x1p-60, 0x1p60}) {
      const StickForces other = stick_forces(response * c.W, c.b, mu, 1);
      EXPECT_EQ(other.balance, s.balance) << seed;
      EXPECT_EQ(other.lambda, s.lambda / response) << seed;
      EXPECT_EQ(other.family_dimension, s.family_dimension) << seed;
      EXPECT_EQ(other.rounding, s.rounding / response) << seed;
      const StickForces loaded = stick_forces(response * c.W, response * c.b, mu, 1);
      EXPECT_EQ(loaded.balance, s.balance) << seed;
      EXPECT_EQ(loaded.family_dimension, s.family_dimension) << seed;
      if (!c.b.isZero(0)) {
        EXPECT_EQ(loaded.lambda, s.lambda) << seed;
      }
    }
  }
}

}  // namespace stick_forces_test
}  // namespace painleve
