#include "painleve/cone/friction_cone.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace friction_cone_test {

constexpr double pi = std::numbers::pi;
constexpr double degree = pi / 180;

// A homogeneous thin rod of mass 1 at 45°: W = 4 I − 3 n nᵀ, n = (cos 45°, 0, sin 45°).
Eigen::Matrix3d rod_45() {
  Eigen::Matrix3d W;
  W << 2.5, 0, -1.5, 0, 4, 0, -1.5, 0, 2.5;
  return W;
}

Eigen::MatrixXd drawn_W(Draws& draws, int size) {
  Eigen::MatrixXd J(size, size + 1);
  for (Eigen::Index i = 0; i < J.size(); ++i) {
    J(i) = draws.normal();
  }
  // The added part bounds the condition number, so that rounding stays below 1e-11 in what follows.
  return J * J.transpose() + 0.05 * Eigen::MatrixXd::Identity(size, size);
}

Eigen::Vector2d unit(double angle) { return {std::cos(angle), std::sin(angle)}; }

TEST(Rod45, CriticalFrictionAndLockingAngle) {
  const FrictionCone cone = friction_cone(rod_45(), 2);
  ASSERT_TRUE(cone.mu_jam && cone.mu_crit && cone.e_jam);
  EXPECT_DOUBLE_EQ(*cone.mu_jam, 5.0 / 3);
  EXPECT_DOUBLE_EQ(*cone.mu_crit, 0.6);
  EXPECT_EQ(*cone.e_jam, Eigen::Vector2d(-1, 0));
  // Printed to 16 digits; acos near 33.6° loses at most one of them.
  EXPECT_NEAR(cone.locking_angle / degree, 67.11461952384143, 1e-12);
  EXPECT_NEAR(tangent_plane_aperture(cone) / degree, 117.81813928465392, 1e-12);
  EXPECT_EQ(cone.mu_jam_reason + cone.mu_crit_reason + cone.Q_reason, "");
}

TEST(Rod45, LocksNowhereUpToTheJammingFriction) {
  for (const double mu : {0.0, 0.6, 1.0, 5.0 / 3}) {
    const FrictionCone cone = friction_cone(rod_45(), mu);
    EXPECT_EQ(cone.locking_angle, 0) << mu;
    EXPECT_EQ(tangent_plane_aperture(cone), 0) << mu;
  }
}

TEST(Rod45, QuadraticForm) {
  Eigen::Matrix3d Q1;
  Q1 << 0.25, 0, 0, 0, 0.0625, 0, 0, 0, -0.25;
  Eigen::Matrix3d Q2;
  Q2 << -0.171875, 0, -0.703125, 0, 0.0625, 0, -0.703125, 0, -1.421875;
  // Entries of order one after one solve and two products.
  EXPECT_LT((*friction_cone(rod_45(), 1).Q - Q1).norm(), 1e-15);
  EXPECT_LT((*friction_cone(rod_45(), 2).Q - Q2).norm(), 4e-15);
}

TEST(Rod45, InverseBlocksAndLimits) {
  const InverseBlocks r = inverse_blocks(rod_45());
  EXPECT_LT((r.M_t - Eigen::Matrix2d(Eigen::Vector2d(0.625, 0.25).asDiagonal())).norm(), 1e-15);
  EXPECT_LT((r.m_tn - Eigen::Vector2d(0.375, 0)).norm(), 1e-15);
  EXPECT_DOUBLE_EQ(r.m_n, 0.625);
  EXPECT_EQ(line_limit(rod_45()), Eigen::Vector3d(-1.5, 0, 2.5));
  EXPECT_LT((plane_limit(rod_45()) - Eigen::Vector3d(0.375, 0, 0.625)).norm(), 1e-15);
  // What friction does to the contact when it slips along e_jam.
  EXPECT_LT((ray(friction_cone(rod_45(), 1), Eigen::Vector2d(-1, 0)) - Eigen::Vector3d(1, 0, 1)).norm(), 1e-15);
  EXPECT_LT((ray(friction_cone(rod_45(), 2), Eigen::Vector2d(-1, 0)) - Eigen::Vector3d(3.5, 0, -0.5)).norm(), 1e-15);
}

TEST(Laws, BlocksOfTheInverseAndOfQ) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Draws draws(seed);
    const int size = draws.integer(2, 3);
    const int t = size - 1;
    const Eigen::MatrixXd W = drawn_W(draws, size);
    const double mu = draws.uniform(0, 3);
    const Eigen::MatrixXd M = W.fullPivLu().inverse();
    const InverseBlocks r = inverse_blocks(W);
    const double rounding = 1e-11 * M.norm() * M.norm() * W.norm();  // condition of W once more than its inverse
    EXPECT_LT((r.M_t - M.topLeftCorner(t, t)).norm(), rounding) << seed;
    EXPECT_LT((r.m_tn - M.topRightCorner(t, 1)).norm(), rounding) << seed;
    EXPECT_LT(std::abs(r.m_n - M(t, t)), rounding) << seed;

    const FrictionCone cone = friction_cone(W, mu);
    ASSERT_TRUE(cone.Q) << seed;
    const Eigen::MatrixXd H = W.topLeftCorner(t, t);
    const Eigen::VectorXd h = W.topRightCorner(t, 1);
    const double a = W(t, t);
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(t, t);
    const Eigen::MatrixXd Q_t = r.M_t * (I - mu * mu * h * h.transpose() / (a * a)) * r.M_t;
    const Eigen::VectorXd Q_tn = (r.M_t - mu * mu * r.m_n * I) * r.m_tn;
    const Eigen::VectorXd Hh = H.fullPivLu().solve(h);
    const double Q_n = (Hh.squaredNorm() - mu * mu) * r.m_n * r.m_n;
    const double size_Q = 1e-11 * (1 + mu * mu) * M.squaredNorm() * (1 + M.norm() * W.norm());
    EXPECT_LT((cone.Q->topLeftCorner(t, t) - Q_t).norm(), size_Q) << seed;
    EXPECT_LT((cone.Q->topRightCorner(t, 1) - Q_tn).norm(), size_Q) << seed;
    EXPECT_LT(std::abs((*cone.Q)(t, t) - Q_n), size_Q) << seed;
  }
}

TEST(Laws, TheFormDegeneratesAtItsCriticalFrictions) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Draws draws(seed);
    const Eigen::MatrixXd W = drawn_W(draws, 3);
    const FrictionCone any = friction_cone(W, 1);
    ASSERT_TRUE(any.mu_jam && any.mu_crit) << seed;
    const Eigen::Matrix2d at_jam = friction_cone(W, *any.mu_jam).Q->topLeftCorner(2, 2);
    const Eigen::Matrix2d below = friction_cone(W, 0.9 * *any.mu_jam).Q->topLeftCorner(2, 2);
    const Eigen::Matrix2d above = friction_cone(W, 1.1 * *any.mu_jam).Q->topLeftCorner(2, 2);
    const double inverse = W.inverse().norm();
    const double scale = inverse * inverse * (1 + *any.mu_jam * *any.mu_jam);
    const double condition = inverse * W.norm();
    EXPECT_LT(std::abs(at_jam.determinant()), 1e-12 * condition * scale * scale) << seed;
    EXPECT_GT(below.determinant(), 0) << seed;
    EXPECT_LT(above.determinant(), 0) << seed;
    const auto Q_n = [&](double mu) { return (*friction_cone(W, mu).Q)(2, 2); };
    EXPECT_LT(std::abs(Q_n(*any.mu_crit)), 1e-12 * condition * inverse * inverse * (1 + *any.mu_crit * *any.mu_crit))
        << seed;
    EXPECT_GT(Q_n(0.9 * *any.mu_crit), 0) << seed;  // the normal axis outside
    EXPECT_LT(Q_n(1.1 * *any.mu_crit), 0) << seed;  // inside
  }
}

TEST(Laws, LimitsOfTheCone) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const Eigen::MatrixXd W = drawn_W(draws, 3);
    const Eigen::MatrixXd M = W.inverse();
    const Eigen::MatrixXd Q0 = *friction_cone(W, 0).Q;
    const Eigen::VectorXd line = line_limit(W);
    EXPECT_LT((Q0 * line).norm(), 1e-12 * Q0.norm() * line.norm() * M.norm() * W.norm()) << seed;
    Eigen::FullPivLU<Eigen::MatrixXd> lu(Q0);
    lu.setThreshold(1e-9);  // Q0 = M diag(1, 1, 0) M: its third pivot is rounding
    EXPECT_EQ(lu.rank(), 2) << seed;
    const Eigen::VectorXd n = plane_limit(W);
    const double mu = 1e6;  // the next term is smaller by mu^2 = 1e12
    EXPECT_LT((*friction_cone(W, mu).Q / (mu * mu) + n * n.transpose()).norm(), 1e-11 * M.squaredNorm()) << seed;
    // The plane is spanned by what tangential forces do.
    EXPECT_LT((n.transpose() * W.leftCols(2)).norm(), 1e-12 * n.norm() * W.norm() * M.norm() * W.norm()) << seed;
  }
}

TEST(Laws, PVanishesAtHalfTheLockingAngleFromTheJammingDirection) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Draws draws(seed);
    const Eigen::MatrixXd W = drawn_W(draws, 3);
    const double mu = *friction_cone(W, 1).mu_jam * (1 + draws.uniform(0.01, 3));
    const FrictionCone cone = friction_cone(W, mu);
    const double half = cone.locking_angle / 2;
    const double jam = std::atan2((*cone.e_jam)(1), (*cone.e_jam)(0));
    for (const double side : {1.0, -1.0}) {
      const auto p = [&](double beta) { return painleve_parameter(W, mu, unit(jam + side * beta)); };
      EXPECT_LT(std::abs(p(half)), 1e-14 * (W(2, 2) + mu * W.norm())) << seed;
      EXPECT_LT(p(half - 1e-6), 0) << seed;
      EXPECT_GT(p(half + 1e-6), 0) << seed;
      EXPECT_LT(p(draws.uniform(0, 0.99) * half), 0) << seed;
    }
    // The same by counting: the fraction of directions with p < 0 is the opening of the sector.
    constexpr int directions = 720;
    int jammed = 0;
    for (int k = 0; k < directions; ++k) {
      jammed += painleve_parameter(W, mu, unit(2 * pi * k / directions)) < 0;
    }
    EXPECT_NEAR(jammed, cone.locking_angle / (2 * pi) * directions, 1.01) << seed;
  }
}

TEST(Laws, MembershipIsThatOfTheForce) {
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    const int size = draws.integer(2, 3);
    const FrictionCone cone = friction_cone(drawn_W(draws, size), draws.uniform(0, 3));
    Eigen::VectorXd lambda(size);
    for (auto& x : lambda) {
      x = draws.normal();
    }
    const double margin = cone.mu * lambda(size - 1) - lambda.head(size - 1).norm();
    if (std::abs(margin) < 1e-9) {
      continue;
    }
    const Eigen::VectorXd delta_u = cone.W * lambda;
    for (const double unit : {1e-20, 1.0, 1e20}) {
      EXPECT_EQ(contains(cone, unit * delta_u), margin > 0) << seed << ", a cone has no size: " << unit;
    }
    EXPECT_EQ(delta_u.dot(*cone.Q * delta_u) <= 0 && lambda(size - 1) >= 0, margin > 0) << seed;
    EXPECT_FALSE(margin > 0 && contains(cone, -delta_u)) << seed << ": the cone is one-sided";
    inside += margin > 0;
  }
  EXPECT_GT(inside, 300);  // both answers are drawn
  EXPECT_LT(inside, 1700);
}

TEST(Laws, TheEdgeCountsAsInsideForEveryConditionOfW) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    Eigen::Matrix3d J;
    for (Eigen::Index i = 0; i < 9; ++i) {
      J(i) = draws.normal();
    }
    const FrictionCone cone = friction_cone(J * J.transpose(), draws.integer(0, 3) == 0 ? 0 : draws.uniform(0, 2));
    const Eigen::VectorXd edge = ray(cone, unit(draws.uniform(0, 2 * pi)));
    EXPECT_TRUE(contains(cone, edge)) << seed;
    EXPECT_TRUE(contains(cone, 1e-9 * edge)) << seed;
    EXPECT_TRUE(contains(cone, 1e9 * edge)) << seed;
    EXPECT_TRUE(contains(cone, Eigen::Vector3d::Zero())) << seed;
  }
}

TEST(Laws, RaysAndMeshLieOnTheEdge) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const FrictionCone cone = friction_cone(drawn_W(draws, 3), draws.uniform(0.1, 3));
    // Rounding of δu is seen through Q, whose size is that of the inverse of W squared.
    const double rounding = 1e-13 * cone.Q->norm() * cone.W.norm() * cone.W.inverse().norm();
    for (const auto& r : rays(cone, 24)) {
      EXPECT_NEAR(r.norm(), 1, 1e-14) << seed;
      EXPECT_LT(std::abs(r.dot(*cone.Q * r)), rounding) << seed;
      EXPECT_GT(cone.W.llt().solve(r)(2), 0) << seed << ": the other half of the double cone";
    }
    const ConeMesh m = mesh(cone, 24, 2.5);
    ASSERT_EQ(m.vertices.size(), 25U);
    ASSERT_EQ(m.triangles.size(), 24U);
    EXPECT_EQ(m.vertices[0], Eigen::Vector3d::Zero());
    for (std::size_t i = 1; i < m.vertices.size(); ++i) {
      EXPECT_NEAR(m.vertices[i].norm(), 2.5, 1e-14) << seed;
      EXPECT_LT(std::abs(m.vertices[i].dot(*cone.Q * m.vertices[i])), 7 * rounding) << seed;  // 2.5 squared
    }
    for (int k = 0; k < 24; ++k) {
      EXPECT_EQ(m.triangles[static_cast<std::size_t>(k)], Eigen::Vector3i(0, 1 + k, 1 + (k + 1) % 24));
    }
  }
}

TEST(Laws, TurningTheFrameAboutTheNormal) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_W(draws, 3);
    const double mu = draws.uniform(0, 5);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(draws.uniform(0, 2 * pi), Eigen::Vector3d::UnitZ()).matrix();
    const FrictionCone here = friction_cone(W, mu);
    const FrictionCone there = friction_cone(R * W * R.transpose(), mu);
    const double rounding = 1e-12 * W.norm() * W.inverse().norm();
    EXPECT_NEAR(*there.mu_jam / *here.mu_jam, 1, rounding) << seed;
    EXPECT_NEAR(*there.mu_crit, *here.mu_crit, rounding * (1 + *here.mu_crit)) << seed;
    // The angle starts as a square root where mu passes mu_jam: half the digits there.
    EXPECT_NEAR(there.locking_angle, here.locking_angle, 1e-6) << seed;
    EXPECT_NEAR(std::cos(there.locking_angle / 2), std::cos(here.locking_angle / 2), rounding) << seed;
    EXPECT_NEAR(std::cos(tangent_plane_aperture(there)), std::cos(tangent_plane_aperture(here)), 1e-6) << seed;
    EXPECT_LT((*there.e_jam - R.topLeftCorner<2, 2>() * *here.e_jam).norm(), rounding) << seed;
    EXPECT_LT((*there.Q - R * *here.Q * R.transpose()).norm(), rounding * (1 + here.Q->norm())) << seed;
  }
}

TEST(Laws, TheApertureIsWhereTheFormVanishesInTheTangentPlane) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_W(draws, 3);
    const FrictionCone cone = friction_cone(W, *friction_cone(W, 1).mu_jam * draws.uniform(1.01, 4));
    constexpr int directions = 3600;
    int inside = 0;
    for (int k = 0; k < directions; ++k) {
      Eigen::Vector3d delta_u = Eigen::Vector3d::Zero();
      delta_u.head<2>() = unit(2 * pi * k / directions);
      inside += contains(cone, delta_u);
    }
    EXPECT_NEAR(inside, tangent_plane_aperture(cone) / (2 * pi) * directions, 1.01) << seed;
  }
}

TEST(Planar, IsTheSameWithOneTangent) {
  Eigen::Matrix2d W;
  W << 1.1, 0.3, 0.3, 0.1;
  const FrictionCone cone = friction_cone(W, 0.5);
  EXPECT_DOUBLE_EQ(*cone.mu_jam, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*cone.mu_crit, 3.0 / 11);
  EXPECT_EQ((*cone.e_jam)(0), 1);
  EXPECT_DOUBLE_EQ(cone.locking_angle, 2 * std::acos(2.0 / 3));
  EXPECT_EQ(tangent_plane_aperture(cone), 0);
  EXPECT_NEAR(painleve_parameter(W, 0.5, Eigen::VectorXd::Ones(1)), -0.05, 1e-16);
  EXPECT_NEAR(painleve_parameter(W, 0.5, -Eigen::VectorXd::Ones(1)), 0.25, 1e-16);
  ASSERT_EQ(rays(cone, 7).size(), 2U);
  for (const auto& r : rays(cone, 7)) {
    EXPECT_TRUE(contains(cone, r));
  }
  const ConeMesh m = mesh(cone, 7, 1);
  ASSERT_EQ(m.vertices.size(), 3U);
  EXPECT_EQ(m.vertices[1].y(), 0);
}

TEST(Planar, ContactOfASpace) {
  ContactSpace s;
  s.dimension = 2;
  s.W = Eigen::MatrixXd::Identity(4, 4);
  s.W.bottomRightCorner(2, 2) << 1.1, 0.3, 0.3, 0.1;
  s.mu = Eigen::Vector2d(0.25, 0.75);
  const FrictionCone cone = friction_cone(s, 1);
  EXPECT_DOUBLE_EQ(*cone.mu_jam, 1.0 / 3);
  EXPECT_EQ(cone.mu, 0.75);
  EXPECT_FALSE(friction_cone(s, 0).mu_jam);
}

bool all_finite(const FrictionCone& c) {
  return std::isfinite(c.locking_angle) && (!c.mu_crit || std::isfinite(*c.mu_crit)) &&
         (!c.mu_jam || std::isfinite(*c.mu_jam)) && (!c.e_jam || c.e_jam->allFinite()) && (!c.Q || c.Q->allFinite());
}

TEST(Degenerate, WithoutCouplingThereIsNoJammingFriction) {
  const FrictionCone cone = friction_cone(Eigen::Vector3d(1, 2, 3).asDiagonal().toDenseMatrix(), 100);
  EXPECT_FALSE(cone.mu_jam);
  EXPECT_FALSE(cone.e_jam);
  EXPECT_EQ(cone.mu_jam_reason, "no coupling between tangent and normal: this contact cannot jam");
  EXPECT_EQ(cone.locking_angle, 0);
  ASSERT_TRUE(cone.mu_crit);
  EXPECT_EQ(*cone.mu_crit, 0);
  EXPECT_TRUE(all_finite(cone));
  // A rod that stands upright: cos(90°) is 6e-17 in the computer.
  const double s = std::sin(pi / 2);
  const double c = std::cos(pi / 2);
  Eigen::Matrix2d upright;
  upright << 1 + 3 * s * s, 3 * s * c, 3 * s * c, 1 + 3 * c * c;
  EXPECT_NE(upright(0, 1), 0);
  EXPECT_FALSE(friction_cone(upright, 1).mu_jam);
  // A coupling that is small but real counts.
  upright(0, 1) = upright(1, 0) = 1e-12;
  EXPECT_TRUE(friction_cone(upright, 1).mu_jam);
}

TEST(Degenerate, SingularBlocksAreNamedAndNothingIsNaN) {
  Eigen::Matrix3d one_way = Eigen::Matrix3d::Zero();  // the contact cannot move along t2
  one_way(0, 0) = 2;
  one_way(0, 2) = one_way(2, 0) = 0.5;
  one_way(2, 2) = 1;
  const FrictionCone cone = friction_cone(one_way, 3);
  EXPECT_FALSE(cone.mu_crit);
  EXPECT_EQ(cone.mu_crit_reason, "W_tt is singular: the contact cannot move in some tangential direction");
  EXPECT_FALSE(cone.Q);
  EXPECT_EQ(cone.Q_reason, "W is singular: the contact cannot move in some direction");
  EXPECT_DOUBLE_EQ(*cone.mu_jam, 2);
  EXPECT_TRUE(all_finite(cone));
  const FrictionCone fixed = friction_cone(Eigen::Matrix3d::Zero(), 1);
  EXPECT_FALSE(fixed.mu_crit || fixed.mu_jam || fixed.Q);
  EXPECT_TRUE(all_finite(fixed));
  // Rank one in the plane: tangent and normal move together. W_tt is regular, W is not.
  Eigen::Matrix2d together;
  together << 4, 2, 2, 1;
  const FrictionCone line = friction_cone(together, 1);
  EXPECT_DOUBLE_EQ(*line.mu_crit, 0.5);
  EXPECT_DOUBLE_EQ(*line.mu_jam, 0.5);
  EXPECT_FALSE(line.Q);
  EXPECT_TRUE(all_finite(line));
}

// Evenly spaced slip directions, once around: ray k is that of the angle 2πk/n.
TEST(Laws, RaysGoOnceAroundTheCone) {
  Draws draws(17);
  const FrictionCone cone = friction_cone(drawn_W(draws, 3), 0.8);
  const auto list = rays(cone, 5);
  ASSERT_EQ(list.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    const Eigen::VectorXd lambda = cone.W.llt().solve(list[k]);
    const Eigen::Vector2d e = -lambda.head(2) / (0.8 * lambda(2));  // friction acts against the slip
    const double angle = 2 * pi * static_cast<double>(k) / 5;
    EXPECT_NEAR((e - unit(angle)).norm(), 0, 1e-11) << k;
  }
}

}  // namespace friction_cone_test
}  // namespace painleve
