// Friction at rest with given normal forces: the conditions themselves over drawn problems.
#include "painleve/simulation/compliant_rest.hpp"

#include <gtest/gtest.h>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace compliant_rest_test {

struct Drawn {
  Eigen::MatrixXd W;
  Eigen::VectorXd c, limit;
};

Drawn drawn(Draws& draws, int contacts, int width, int rank) {
  const int n = contacts * width;
  Eigen::MatrixXd J(n, rank);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < rank; ++j) J(i, j) = draws.uniform(-1, 1);
  }
  Drawn d{J * J.transpose(), Eigen::VectorXd(n), Eigen::VectorXd(contacts)};
  Eigen::VectorXd f(rank);
  for (int j = 0; j < rank; ++j) f(j) = draws.uniform(-2, 2);
  d.c = J * f;
  for (int i = 0; i < contacts; ++i) d.limit(i) = draws.uniform(0, 1.5);
  return d;
}

void expect_coulomb(const Drawn& d, const Eigen::VectorXd& x, int width, double tolerance) {
  const Eigen::VectorXd a = d.W * x + d.c;
  for (Eigen::Index i = 0; i < d.limit.size(); ++i) {
    const Eigen::VectorXd force = x.segment(i * width, width);
    const Eigen::VectorXd acceleration = a.segment(i * width, width);
    EXPECT_LE(force.norm(), d.limit(i) * (1 + 1e-12));
    // The friction that opposes the acceleration in full, or no acceleration.
    EXPECT_NEAR(acceleration.norm() * d.limit(i), -acceleration.dot(force), tolerance);
  }
}

TEST(RestFriction, MeetsCoulombsConditionsInPlaneAndSpace) {
  Draws draws(81);
  for (int i = 0; i < 300; ++i) {
    for (const int width : {1, 2}) {
      const int contacts = 1 + i % 3;
      const Drawn d = drawn(draws, contacts, width, contacts * width + 2);
      expect_coulomb(d, rest_friction(d.W, d.c, d.limit, width), width, 1e-9);
    }
  }
}

TEST(RestFriction, IsNotDisturbedByRedundantContacts) {
  Draws draws(82);
  for (int i = 0; i < 200; ++i) {
    const Drawn d = drawn(draws, 3, 1, 1);  // three feet of one sliding body
    expect_coulomb(d, rest_friction(d.W, d.c, d.limit, 1), 1, 1e-9);
  }
}

TEST(RestFriction, HoldsOrSlipsAsOneContactDoes) {
  const Eigen::MatrixXd W = Eigen::MatrixXd::Constant(1, 1, 2);
  const auto x = [&](double c, double limit) {
    return rest_friction(W, Eigen::VectorXd::Constant(1, c), Eigen::VectorXd::Constant(1, limit), 1)(0);
  };
  EXPECT_DOUBLE_EQ(x(1, 3), -0.5);
  EXPECT_DOUBLE_EQ(x(10, 3), -3);
  EXPECT_DOUBLE_EQ(x(-10, 3), 3);
  EXPECT_DOUBLE_EQ(x(10, 0), 0);
}

}  // namespace compliant_rest_test
}  // namespace painleve
