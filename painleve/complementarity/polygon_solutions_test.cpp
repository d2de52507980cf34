// A friction polygon tends to the round cone as its corners grow in number, and its own problem is solved exactly.
#include "painleve/complementarity/polygon_solutions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace polygon_solutions_test {

ContactProblem at_rest(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu) {
  return acceleration_problem(one_contact(W, q, Eigen::Vector2d::Zero(), mu), {}).problem;
}

// Without coupling the round answer is known: friction against q_t, of size mu q_n / W_nn.
TEST(PolygonSolutions, TendToTheRoundCone) {
  const Eigen::Vector3d q(1.3, 0.6, -1);
  const double mu = 0.4;
  const ContactProblem p = at_rest(Eigen::Matrix3d::Identity(), q, mu);
  const Eigen::Vector2d round = -mu * q.head<2>().normalized();
  double last = 0;
  for (const int facets : {6, 12, 24, 48}) {
    const ContactSolutions set = polygon_solutions(p, facets, {});
    ASSERT_EQ(set.solutions.size(), 1U) << facets;
    EXPECT_TRUE(set.complete);
    const ContactSolution& s = set.solutions[0];
    EXPECT_EQ(s.mode, "S");
    EXPECT_NEAR(s.r(2), 1, 1e-12);
    // Friction sits in the corner that opposes the slip best, at most half a facet away.
    EXPECT_LE(std::acos(std::clamp(s.r.head<2>().normalized().dot(round.normalized()), -1.0, 1.0)),
              std::acos(-1.0) / facets + 1e-9);
    // Or on the edge between two corners, when slip is across it.
    EXPECT_LE(s.r.head<2>().norm(), mu + 1e-12);
    EXPECT_GE(s.r.head<2>().norm(), mu * std::cos(std::acos(-1.0) / facets) - 1e-12);
    EXPECT_GT(s.residual, 1e-6) << "the certificate of the round cone sees the corner";
    last = (s.r.head<2>() - round).norm();
  }
  EXPECT_LT(last, mu * std::acos(-1.0) / 48 + 1e-9);
}

// What sticks well inside the polygon sticks in the round cone, with the same force.
TEST(PolygonSolutions, StickIsThatOfTheRoundCone) {
  Draws draws(5);
  int tried = 0;
  for (int k = 0; k < 200; ++k) {
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.1);
    const Eigen::Vector3d force(0.3 * draws.uniform(-1, 1), 0.3 * draws.uniform(-1, 1), 1);
    const ContactProblem p = at_rest(W, -W * force, 0.8);
    const ContactSolutions polygon = polygon_solutions(p, 8, {});
    const ContactSolutions round = all_solutions(p);
    EXPECT_GE(index_of(p, polygon, force, Eigen::Vector3d::Zero(), 1e-9), 0) << k;
    const int there = index_of(p, round, force, Eigen::Vector3d::Zero(), 1e-9);
    ASSERT_GE(there, 0) << k;
    EXPECT_EQ(round.solutions[static_cast<std::size_t>(there)].mode, "T");
    ++tried;
  }
  EXPECT_EQ(tried, 200);
}

}  // namespace polygon_solutions_test
}  // namespace painleve
