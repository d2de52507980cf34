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

// In the plane the polygon is the cone itself, and the tree of words finds the same solutions, letters and families.
TEST(PolygonSolutions, InThePlaneAreThoseOfTheCone) {
  int families = 0;
  int boundaries = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    const int count = draws.integer(1, 2);
    Eigen::MatrixXd W = drawn_gram(draws, 2 * count, draws.integer(1, 2 * count), 0);
    Eigen::VectorXd z(2 * count);
    for (double& x : z) x = draws.normal();
    if (seed % 6 == 0) z.setZero();
    W *= std::exp2(draws.integer(-20, 20));
    const double load = std::exp2(draws.integer(-30, 30));
    ContactSpace space =
        closed_contacts(2, W, load * W * z, Eigen::VectorXd::Zero(2 * count), Eigen::VectorXd::Constant(count, 0.7));
    if (seed % 5 == 0) space.u(0) = draws.integer(0, 1) == 0 ? 1 : -1;
    const ContactProblem p = acceleration_problem(space, {}).problem;
    const ContactSolutions polygon = polygon_solutions(p, 2, {});
    const ContactSolutions cone = all_solutions(p);
    ASSERT_TRUE(polygon.complete && cone.complete) << seed;
    EXPECT_EQ(polygon.force_family_dimension(), cone.force_family_dimension()) << seed;
    EXPECT_EQ(polygon.motion_family_dimension(), cone.motion_family_dimension()) << seed;
    for (const ContactSolution& s : cone.solutions) {
      const int there = index_of(p, polygon, s.r, s.w, 1e-7);
      ASSERT_GE(there, 0) << seed << " " << s.mode;
      const ContactSolution& same = polygon.solutions[static_cast<std::size_t>(there)];
      EXPECT_LE(same.residual, 1e-9) << seed;
      if (s.family.dimension > 0 || same.family.dimension > 0) continue;
      EXPECT_EQ(same.mode, s.mode) << seed;
      EXPECT_EQ(same.boundary, s.boundary) << seed;
      boundaries += s.boundary;
    }
    families += cone.force_family_dimension() > 0;
  }
  EXPECT_GT(families, 40);
  EXPECT_GT(boundaries, 5);
}

// Opposed one-sided contacts could push and pull at once, and so hold more friction than the bilateral contact has.
TEST(PolygonSolutions, OfBilateralContactsAreThoseOfTheCone) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int count = draws.integer(1, 2);
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * count, 2 * count, 0.2);
    Eigen::VectorXd q(2 * count);
    for (double& x : q) x = draws.normal();
    ContactSpace space =
        closed_contacts(2, W, q, Eigen::VectorXd::Zero(2 * count), Eigen::VectorXd::Constant(count, 0.5));
    space.bilateral[0] = true;
    const ContactProblem p = acceleration_problem(space, {}).problem;
    const ContactSolutions polygon = polygon_solutions(p, 2, {});
    const ContactSolutions cone = all_solutions(p);
    EXPECT_TRUE(polygon.complete) << polygon.incomplete_reason;
    EXPECT_EQ(polygon.solutions.size(), cone.solutions.size()) << seed;
    for (const ContactSolution& s : polygon.solutions) {
      EXPECT_LE(s.residual, 1e-9) << seed << " " << s.mode;
      EXPECT_GE(index_of(p, cone, s.r, s.w), 0) << seed << " " << s.mode;
      ++found;
    }
  }
  EXPECT_GE(found, 200);
}

// W beside the ones that belong to the polygon: masses of any size give the same solutions, with forces in their unit.
TEST(PolygonSolutions, DoNotDependOnTheUnitOfMass) {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.1);
    Eigen::Vector3d q;
    for (double& x : q) x = draws.normal();
    const ContactSolutions set = polygon_solutions(at_rest(W, q, 0.8), 6, {});
    const double c = std::exp2(draws.integer(-30, 30));
    const ContactSolutions heavy = polygon_solutions(at_rest(c * W, q, 0.8), 6, {});
    EXPECT_EQ(heavy.complete, set.complete) << seed;
    ASSERT_EQ(heavy.solutions.size(), set.solutions.size()) << seed << " " << c;
    for (std::size_t k = 0; k < set.solutions.size(); ++k) {
      EXPECT_EQ(heavy.solutions[k].mode, set.solutions[k].mode) << seed;
      EXPECT_LE((c * heavy.solutions[k].r - set.solutions[k].r).norm(), 1e-9 * set.solutions[k].r.norm()) << seed;
    }
    several += set.solutions.size() > 0;
  }
  EXPECT_GE(several, 200);
}

// The corners of the polygon are listed once each, though the standard form has many ways to write a force.
TEST(PolygonSolutions, AreListedOnce) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, draws.integer(2, 3), 0);
    Eigen::Vector3d z;
    for (double& x : z) x = draws.normal();
    const ContactProblem p = at_rest(W, W * z, draws.uniform(0.2, 2));
    const ContactSolutions set = polygon_solutions(p, 6, {});
    for (std::size_t k = 0; k < set.solutions.size(); ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        if (set.solutions[k].family.dimension + set.solutions[l].family.dimension > 0) continue;
        EXPECT_GT((set.solutions[k].r - set.solutions[l].r).norm(), 1e-9 * z.norm()) << seed;
      }
    }
  }
}

}  // namespace polygon_solutions_test
}  // namespace painleve
