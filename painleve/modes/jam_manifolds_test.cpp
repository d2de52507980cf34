#include "painleve/modes/jam_manifolds.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace jam_manifolds_test {

Eigen::MatrixXd matrix(int n, const std::vector<double>& rows) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(rows.data(), n, n);
}
Eigen::VectorXd vector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

struct Known {
  const char* name;
  std::vector<double> P, b;
  bool singular, whole_space, painleve, genot_brogliato;
  std::vector<double> lambda_hat, null_vector;
};

// Values computed independently from Definitions 3.2 and 3.3.
TEST(JamManifolds, KnownPoints) {
  const std::vector<double> third{1, 0, -1, 0, 1, -1, 1, 1, -2};
  const std::vector<Known> cases{
      {"one contact, P = 0 > b", {0}, {-1}, true, true, true, false, {1}, {1}},
      {"one contact, P = b = 0", {0}, {0}, true, true, true, true, {0}, {1}},
      {"two contacts, jammed", {0, 0, -1, 1}, {0, -1}, true, true, true, true, {0, 0}, {1, 1}},
      {"two contacts, b outside", {0, 0, -1, 1}, {-0.3, -1}, true, true, true, false, {0.3, 0.3}, {1, 1}},
      {"parallel columns (L12)", {0, 0, 1, 1}, {0, -1}, true, false, false, false, {0, 0}, {1, -1}},
      {"three contacts", third, {1, 1, 1}, true, true, true, false, {1, 1, 1}, {1, 1, 1}},
      {"three contacts, jammed", third, {1, 2, 3}, true, true, true, true, {0, 0, 0}, {1, 1, 1}},
      {"three, cone not whole",
       {1, 0, 1, 0, 1, 1, 1, 1, 2},
       {1, 2, 3},
       true,
       false,
       false,
       false,
       {0, 0, 0},
       {-1, -1, 1}},
      {"regular", {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, -1, -1}, false, false, false, false, {1, 1, 1}, {}},
  };
  for (const Known& c : cases) {
    const auto n = static_cast<int>(c.b.size());
    const JamManifolds m = jam_manifolds(matrix(n, c.P), vector(c.b));
    EXPECT_EQ(m.singular, c.singular) << c.name;
    EXPECT_EQ(m.singular && m.one_signed, c.whole_space) << c.name;
    EXPECT_EQ(m.painleve, c.painleve) << c.name;
    EXPECT_EQ(m.genot_brogliato, c.genot_brogliato) << c.name;
    EXPECT_EQ(m.reason.empty(), c.genot_brogliato) << c.name;
    EXPECT_LT((m.lambda_hat - vector(c.lambda_hat)).cwiseAbs().maxCoeff(), 1e-14) << c.name;
    if (!c.null_vector.empty()) {
      Eigen::VectorXd wanted = vector(c.null_vector);
      wanted *= m.null_vector(0) * wanted(0) < 0 ? -1 : 1;  // a vector with both signs has no preferred one
      EXPECT_LT((m.null_vector - wanted).cwiseAbs().maxCoeff(), 1e-14) << c.name;
    }
  }
}

// det(P) λ → −adj(P0) b on the way to the manifold, at the rates computed independently.
TEST(JamManifolds, ForcesGrowAsOneOverDet) {
  const Eigen::MatrixXd P0 = matrix(3, {1, 0, -1, 0, 1, -1, 1, 1, -2});
  const Eigen::MatrixXd Q = matrix(3, {0.3, 0.1, 0, 0, -0.2, 0.4, 0.1, 0.2, 0.5});
  const Eigen::Vector3d b(-1, -1, 1);
  const std::vector<Eigen::Vector3d> wanted{{-2.999000270000003, -2.9995996900000033, -3.0003999700000032},
                                            {-2.9999000027000036, -2.999959996900004, -3.000039999700004},
                                            {-2.999990000027002, -2.9999959999690016, -3.000003999997002}};
  for (int i = 0; i < 3; ++i) {
    const Eigen::MatrixXd P = P0 + std::pow(10, -3 - i) * Q;
    const JamManifolds m = jam_manifolds(P, b);
    EXPECT_LT((m.lambda_hat - wanted[static_cast<std::size_t>(i)]).cwiseAbs().maxCoeff(), 1e-11);
    const Eigen::Vector3d lambda = -P.fullPivLu().solve(b);
    EXPECT_LT((m.det * lambda - m.lambda_hat).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(m.det > 0, m.painleve_distance > 0);
    EXPECT_FALSE(m.painleve);
    // Both distances of one sign: the forces push, here on the far side of the manifold from det P > 0.
    EXPECT_EQ((lambda.array() > 0).all(), m.painleve_distance * m.genot_brogliato_distance > 0) << lambda;
  }
  EXPECT_TRUE(jam_manifolds(P0, b).painleve);
}

// A drawn P with P v = 0, v > 0: both distances change sign, and only there.
TEST(JamManifolds, DistancesChangeSign) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(2, 12);
    Eigen::MatrixXd P(n, n);
    Eigen::VectorXd v(n);
    Eigen::VectorXd b(n);
    for (double& x : P.reshaped()) {
      x = draws.normal();
    }
    for (double& x : v) {
      x = draws.uniform(0.2, 1);
    }
    for (double& x : b) {
      x = draws.normal();
    }
    P.col(n - 1) = -P.leftCols(n - 1) * v.head(n - 1) / v(n - 1);
    Eigen::MatrixXd Q(n, n);
    for (double& x : Q.reshaped()) {
      x = draws.normal();
    }
    const JamManifolds here = jam_manifolds(P, b);
    EXPECT_TRUE(here.painleve) << seed << here.reason;
    EXPECT_FALSE(here.genot_brogliato) << seed;
    EXPECT_LT((here.null_vector - v / v.maxCoeff()).cwiseAbs().maxCoeff(), 1e-9) << seed;
    const JamManifolds before = jam_manifolds(P - 1e-4 * Q, b);
    const JamManifolds after = jam_manifolds(P + 1e-4 * Q, b);
    EXPECT_LT(before.painleve_distance * after.painleve_distance, 0) << seed;
    // The forces along v change from pushing to pulling.
    EXPECT_LT(v.dot((P - 1e-7 * Q).fullPivLu().solve(b)) * v.dot((P + 1e-7 * Q).fullPivLu().solve(b)), 0) << seed;
    // b taken through the span of the columns.
    const Eigen::VectorXd inside = P * b;
    const Eigen::VectorXd across = P.transpose().fullPivLu().kernel().col(0);
    EXPECT_TRUE(jam_manifolds(P, inside).genot_brogliato) << seed;
    const double one_side = jam_manifolds(P, inside + 1e-3 * across).genot_brogliato_distance;
    const double other_side = jam_manifolds(P, inside - 1e-3 * across).genot_brogliato_distance;
    EXPECT_LT(one_side * other_side, 0) << seed;
    EXPECT_NEAR(std::abs(one_side), 1e-3 * across.norm() / (inside + 1e-3 * across).norm(), 1e-10) << seed;
  }
}

TEST(JamManifolds, TwoContactsMeasureAngles) {
  for (const double angle : {0.3, 1.0, 2.5, 3.1, 3.3, 5.0}) {
    Eigen::Matrix2d P;
    P << 2, 3 * std::cos(angle), 0, 3 * std::sin(angle);
    EXPECT_NEAR(jam_manifolds(P, Eigen::Vector2d(0, -1)).painleve_distance, std::sin(angle), 1e-14);
  }
}

// At a jam the limits of the forces depend on the direction of approach, and none of them need vanish.
TEST(JamManifolds, LimitsAtAJamDependOnTheDirection) {
  const Eigen::MatrixXd P0 = matrix(3, {1, 0, -1, 0, 1, -1, 1, 1, -2});
  const Eigen::Vector3d b(1, 2, 3);
  Draws draws(3);
  std::vector<Eigen::Vector3d> limits;
  for (int i = 0; i < 3; ++i) {
    Eigen::Matrix3d Q;
    for (double& x : Q.reshaped()) {
      x = draws.normal();
    }
    const auto forces = [&](double h) {
      const JamManifolds m = jam_manifolds(P0 + h * Q, b);
      return Eigen::Vector3d(m.lambda_hat / m.det);
    };
    EXPECT_LT((forces(1e-5) - forces(1e-6)).norm(), 1e-3 * forces(1e-6).norm());
    EXPECT_GT(forces(1e-6).cwiseAbs().minCoeff(), 1e-2);
    limits.push_back(forces(1e-6));
  }
  EXPECT_GT((limits[0] - limits[1]).norm(), 0.1);
  EXPECT_GT((limits[1] - limits[2]).norm(), 0.1);
}

TEST(JamManifolds, OneContactKeepsItsUnits) {
  JamOptions options;
  options.response = 4;
  options.load = 10;
  const JamManifolds m =
      jam_manifolds(Eigen::MatrixXd::Constant(1, 1, -0.2), Eigen::VectorXd::Constant(1, -5), options);
  EXPECT_DOUBLE_EQ(m.painleve_distance, -0.05);
  EXPECT_DOUBLE_EQ(m.genot_brogliato_distance, 0.5);
  EXPECT_FALSE(m.painleve);
}

TEST(JamManifolds, MoreThanOneRankLost) {
  const JamManifolds m = jam_manifolds(matrix(3, {1, 1, 1, 2, 2, 2, -1, -1, -1}), Eigen::Vector3d(1, 0, 0));
  EXPECT_FALSE(m.singular);
  EXPECT_FALSE(m.painleve);
  EXPECT_EQ(m.reason, "P has lost more than one rank");
  const JamManifolds empty_column = jam_manifolds(matrix(2, {0, 1, 0, 1}), Eigen::Vector2d(1, 0));
  EXPECT_TRUE(empty_column.singular);
  EXPECT_FALSE(empty_column.painleve) << "the null vector has a zero";
}

}  // namespace jam_manifolds_test
}  // namespace painleve
