#include "painleve/complementarity/contact_block.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace contact_block_test {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ContactProblem one_contact_problem(const MatrixXd& W, const VectorXd& q, double mu) {
  ContactProblem p;
  p.dimension = static_cast<int>(q.size());
  p.W = W;
  p.q = q;
  p.mu = VectorXd::Constant(1, mu);
  p.bilateral = {false};
  p.law = {Law::resting};
  p.slip = MatrixXd::Zero(q.size() - 1, 1);
  return p;
}

ContactProblem drawn_contact(Draws& draws, double most_mu) {
  Vector3d units;
  for (double& x : units) x = std::exp(draws.uniform(-1, 1));
  const Matrix3d W = units.asDiagonal() * drawn_gram(draws, 3, 4, 0) * units.asDiagonal();
  Vector3d q;
  for (double& x : q) x = draws.normal();
  return one_contact_problem(W, q, draws.uniform(0.02, most_mu));
}

// Free, stick and every direction of slip, one by one.
std::vector<Vector3d> all_forces(const ContactProblem& p) {
  std::vector<Vector3d> list;
  const Matrix3d W = p.W;
  const Vector3d q = p.q;
  if (q.z() >= 0) list.emplace_back(0, 0, 0);
  const Vector3d stick = -W.ldlt().solve(q);
  if (stick.z() > 0 && stick.head<2>().norm() <= p.mu(0) * stick.z()) list.push_back(stick);
  for (const auto& s : slip_directions(W, q, p.mu(0), 1).consistent) {
    const Vector2d r_t = -p.mu(0) * s.lambda_n * s.e;
    list.emplace_back(r_t.x(), r_t.y(), s.lambda_n);
  }
  return list;
}

TEST(ContactBlock, UniqueMeansUnique) {
  int unique = 0;
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_contact(draws, 3);
    const bool said = contact_block(p, 0).unique;
    const std::size_t count = all_forces(p).size();
    unique += said;
    several += count > 1;
    if (said) {
      EXPECT_EQ(count, 1U) << seed;
    }
  }
  EXPECT_GT(unique, 300);
  EXPECT_GT(several, 60);
}

TEST(ContactBlock, UniqueIsAsMuAndResponsesSay) {
  // W = diag(a, b, c): μ² max(a, b)/c < 1.
  const auto unique = [](double a, double b, double c, double mu) {
    return contact_block(one_contact_problem(Vector3d(a, b, c).asDiagonal(), Vector3d(1, 1, -1), mu), 0).unique;
  };
  EXPECT_TRUE(unique(1, 1, 1, 0.99));
  EXPECT_FALSE(unique(1, 1, 1, 1.01));
  EXPECT_TRUE(unique(1, 4, 1, 0.49));
  EXPECT_FALSE(unique(1, 4, 1, 0.51));
  EXPECT_TRUE(unique(4, 1, 16, 1.9));
  EXPECT_FALSE(unique(4, 1, 0, 0.1)) << "a singular contact";
}

TEST(ContactBlock, NearestOfAllSolutionsWhereverOneStarts) {
  int chosen = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_contact(draws, 3);
    const std::vector<Vector3d> all = all_forces(p);
    const Vector3d present(draws.normal(), draws.normal(), draws.uniform(0, 3));
    const auto found = nearest_solution(contact_block(p, 0), p.q, present);
    ASSERT_EQ(found.has_value(), !all.empty()) << seed;
    if (!found) continue;
    EXPECT_LE(law_residual(p, *found, p.W * *found + p.q), 1e-10) << seed;
    for (const Vector3d& r : all)
      EXPECT_LE((*found - present).norm(), (r - present).norm() + 1e-7 * (1 + r.norm())) << seed;
    chosen += all.size() > 1;
  }
  EXPECT_GT(chosen, 40);
}

TEST(ContactBlock, SeparatedContactsCarryNothing) {
  ContactProblem p = one_contact_problem(Matrix3d::Identity(), Vector3d(1, 0, -1), 0.5);
  p.law[0] = Law::separated;
  EXPECT_EQ(*nearest_solution(contact_block(p, 0), p.q, Vector3d(1, 2, 3)), Vector3d(0, 0, 0));
}

TEST(ContactBlock, LargestTangentialResponse) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_contact(draws, 1);
    const double known = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(p.W.topLeftCorner<2, 2>()).eigenvalues()(1);
    EXPECT_NEAR(contact_block(p, 0).tangential() / known, 1, 1e-12) << seed;
  }
}

}  // namespace contact_block_test
}  // namespace painleve
