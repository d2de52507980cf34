#include "painleve/complementarity/contact_block.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/complementarity/solution_set.hpp"
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

// A contact of any kind: planar or spatial, of any rank, at rest or sliding, one-sided or not.
ContactProblem drawn_kind(Draws& draws) {
  const int dimension = draws.integer(2, 3);
  const int rank = draws.integer(0, dimension);
  MatrixXd W = MatrixXd::Zero(dimension, dimension);
  if (rank > 0) W = drawn_gram(draws, dimension, rank, 0);
  VectorXd z(dimension);
  for (double& x : z) x = draws.normal();
  ContactProblem p = one_contact_problem((W + W.transpose()) / 2, W * z, draws.uniform(0.1, 2));
  if (rank == dimension && draws.integer(0, 2) == 0) p.q = z;
  if (draws.integer(0, 4) == 0) p.mu(0) = 0;
  if (draws.integer(0, 7) == 0) p.q.setZero();
  if (rank == dimension && draws.integer(0, 3) == 0) p.q(dimension - 1) = 0;
  p.bilateral[0] = draws.integer(0, 2) == 0;
  if (draws.integer(0, 2) == 0) {
    p.law[0] = Law::sliding;
    const double angle = draws.uniform(0, 6.28);
    p.slip(0) = dimension == 2 ? std::copysign(1.0, std::sin(angle)) : std::cos(angle);
    if (dimension == 3) p.slip(1) = std::sin(angle);
  }
  return p;
}

Vector3d written_in_space(const VectorXd& v) {
  return v.size() == 2 ? Vector3d(v(0), 0, v(1)) : Vector3d(v(0), v(1), v(2));
}
VectorXd of_dimension(const Vector3d& v, int dimension) {
  if (dimension == 3) return v;
  return Vector2d(v.x(), v.z());
}

// The points of a solution set, families as points all over them.
std::vector<VectorXd> points_of(const ContactProblem& p, const ContactSolutions& set, Draws& draws) {
  std::vector<VectorXd> list;
  for (const ContactSolution& s : set.solutions) {
    list.push_back(s.r);
    list.insert(list.end(), s.family.vertices.begin(), s.family.vertices.end());
    for (int k = 0; k < (s.family.dimension > 0 ? 60 : 0); ++k) {
      VectorXd y(s.family.directions.cols());
      for (double& x : y) x = 2 * draws.normal();
      const VectorXd r = s.r + s.family.directions * y;
      if (law_residual(p, r, p.W * r + p.q) < 1e-12) list.push_back(r);
    }
  }
  return list;
}

// Against the enumeration of words, which goes another way: a solution is found exactly where there is one, it obeys
// the laws, and none is nearer.
TEST(ContactBlock, NearestOfWhatTheWordsFind) {
  int none = 0;
  int families = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_kind(draws);
    const ContactSolutions set = all_solutions(p);
    if (!set.complete) continue;
    const Vector3d present =
        written_in_space(of_dimension({draws.normal(), draws.normal(), draws.normal()}, p.dimension));
    const auto found = nearest_solution(contact_block(p, 0), written_in_space(p.q), present);
    ASSERT_EQ(found.has_value(), !set.solutions.empty()) << seed;
    none += !found;
    if (!found) continue;
    const VectorXd r = of_dimension(*found, p.dimension);
    EXPECT_LE(law_residual(p, r, p.W * r + p.q), 1e-10) << seed;
    families += set.force_family_dimension() > 0;
    for (const VectorXd& other : points_of(p, set, draws)) {  // a force that solves stays
      const Vector3d there = written_in_space(other);
      const auto kept = nearest_solution(contact_block(p, 0), written_in_space(p.q), there);
      ASSERT_TRUE(kept.has_value()) << seed;
      EXPECT_LE((*kept - there).norm(), 1e-6 * (1 + there.norm())) << seed;
    }
    if (set.force_family_dimension() > 1) continue;  // of a plane of forces a near one is taken
    for (const VectorXd& other : points_of(p, set, draws))
      EXPECT_LE((*found - present).norm(), (written_in_space(other) - present).norm() + 1e-7 * (1 + other.norm()))
          << seed;
  }
  EXPECT_GT(none, 20);
  EXPECT_GT(families, 200);
}

// Powers of two as units of force and motion change no digit.
TEST(ContactBlock, UnitsDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_kind(draws);
    const Vector3d present(draws.normal(), p.dimension == 3 ? draws.normal() : 0, draws.normal());
    const auto found = nearest_solution(contact_block(p, 0), written_in_space(p.q), present);
    for (const double response : {0x1p-40, 0x1p40}) {
      for (const double load : {0x1p-40, 0x1p40}) {
        ContactProblem other = p;
        other.W *= response;
        other.q *= load;
        const double force = load / response;
        const auto same = nearest_solution(contact_block(other, 0), written_in_space(other.q), force * present);
        ASSERT_EQ(same.has_value(), found.has_value()) << seed;
        if (found) {
          EXPECT_LE((*same - force * *found).norm(), 1e-9 * force * found->norm()) << seed;
        }
      }
    }
  }
}

// p = b_n = 0: every force along the edge of the cone slides as well, in the plane until the slip ends.
TEST(ContactBlock, WithoutResponseToSlidingTheNearestForceOfTheRayIsTaken) {
  ContactProblem sliding = one_contact_problem(MatrixXd::Zero(2, 2), Vector2d(1, 0), 0.5);
  sliding.W << 3, 2, 2, 1;  // p+ = 1 − 0.5 · 2
  sliding.law[0] = Law::sliding;
  sliding.slip(0) = 1;
  const Vector3d b(1, 0, 0);
  const Vector3d edge(-0.5, 0, 1);
  const auto near = [&](const ContactProblem& p, const Vector3d& present) {
    return *nearest_solution(contact_block(p, 0), b, present);
  };
  EXPECT_LE((near(sliding, 3 * edge) - 3 * edge).norm(), 1e-15);
  EXPECT_LE((near(sliding, 3 * edge + Vector3d(2, 0, 1)) - 3 * edge).norm(), 1e-14) << "straight to the ray";
  EXPECT_EQ(near(sliding, -edge), Vector3d(0, 0, 0)) << "one-sided";
  // At rest a_t = 1 − k+ y with k+ = 0.5 W_tt − W_tn must stay positive: y ≤ 1/k+.
  ContactProblem resting = one_contact_problem(sliding.W, Vector2d(1, 0), 0.5);
  resting.W(0, 0) = 12;  // k+ = 4
  EXPECT_LE((near(resting, 0.1 * edge) - 0.1 * edge).norm(), 1e-15);
  EXPECT_LE((near(resting, 0.2 * edge) - 0.2 * edge).norm(), 1e-15) << "k- = 8 limits only the other slip";
  EXPECT_LE((near(resting, 3 * edge) - 0.25 * edge).norm(), 1e-15);
  // The mirror image slips the other way.
  resting.W(0, 1) = resting.W(1, 0) = -2;
  const auto mirrored = nearest_solution(contact_block(resting, 0), Vector3d(-1, 0, 0), Vector3d(1.5, 0, 3));
  EXPECT_LE((*mirrored - Vector3d(0.125, 0, 0.25)).norm(), 1e-15);
}

// One step of the projected sweep: the normal first, friction with what that leaves of the motion, cut to the disc.
TEST(ContactBlock, ProjectedStepFollowsItsFormula) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_kind(draws);
    const ContactBlock c = contact_block(p, 0);
    const bool flat = p.dimension == 2;
    const Vector3d r(draws.normal(), flat ? 0 : draws.normal(), draws.normal());
    const Vector3d w(draws.normal(), flat ? 0 : draws.normal(), draws.normal());
    const Vector3d next = projected_step(c, r, w);
    double r_n = r.z();
    if (c.W(2, 2) > 0) {
      r_n -= w.z() / c.W(2, 2);
    } else if (w.z() > 0 && !p.bilateral[0]) {
      r_n = 0;
    }
    if (!p.bilateral[0] && r_n < 0) r_n = 0;
    EXPECT_NEAR(next.z(), r_n, 1e-13 * (1 + std::abs(r_n))) << seed;
    const double limit = p.mu(0) * std::abs(r_n);
    if (p.law[0] == Law::sliding) {
      EXPECT_LE((next.head<2>() + limit * c.e).norm(), 1e-13 * (1 + limit)) << seed;
      continue;
    }
    const Vector2d w_t = w.head<2>() + Vector2d(c.W(0, 2), c.W(1, 2)) * (r_n - r.z());
    const double response = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(c.W.topLeftCorner<2, 2>()).eigenvalues()(1);
    Vector2d wanted = response > 1e-12 ? Vector2d(r.head<2>() - w_t / response) : Vector2d(-limit * w_t.normalized());
    if (wanted.norm() > limit) wanted *= limit / wanted.norm();
    EXPECT_LE((next.head<2>() - wanted).norm(), 1e-9 * (1 + limit)) << seed;
  }
}

// The distance from the law is that of the natural map, whatever ρ: zero at solutions, and not beside them.
TEST(ContactBlock, DistanceFromTheLawIsThatOfTheNaturalMap) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_kind(draws);
    const ContactBlock c = contact_block(p, 0);
    const double rho = std::exp(draws.uniform(-2, 2));
    const bool flat = p.dimension == 2;
    const Vector3d b = written_in_space(p.q);
    if (const auto r = nearest_solution(c, b, Vector3d::Ones())) {
      const double size = r->norm() + rho * b.norm();
      EXPECT_LE(distance_from_law(c, *r, c.W * *r + b, rho), 1e-9 * (1 + rho) * (size + rho * c.W.norm() * r->norm()))
          << seed;
    }
    const Vector3d r(draws.normal(), flat ? 0 : draws.normal(), draws.normal());
    const Vector3d w(draws.normal(), flat ? 0 : draws.normal(), draws.normal());
    const double pressed = p.bilateral[0] ? r.z() - rho * w.z() : std::max(r.z() - rho * w.z(), 0.0);
    const double limit = p.mu(0) * std::abs(r.z());
    Vector2d wanted = r.head<2>() - rho * w.head<2>();
    if (wanted.norm() > limit) wanted *= limit / wanted.norm();
    if (p.law[0] == Law::sliding) wanted = -limit * c.e;
    const double known = std::max(std::abs(r.z() - pressed), (r.head<2>() - wanted).norm());
    EXPECT_NEAR(distance_from_law(c, r, w, rho), known, 1e-12 * (1 + known)) << seed;
  }
  ContactProblem apart = one_contact_problem(Matrix3d::Identity(), Vector3d(1, 0, -1), 0.5);
  apart.law[0] = Law::separated;
  EXPECT_EQ(distance_from_law(contact_block(apart, 0), Vector3d(2, 3, 6), Vector3d(1, 1, 1), 1), 7);
}

// A contact that holds both ways, seen from the other side of the surface.
TEST(ContactBlock, OfAMirrorImageIsTheMirrorImage) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Draws draws(seed);
    ContactProblem p = drawn_kind(draws);
    p.bilateral[0] = true;
    const Vector3d present(draws.normal(), p.dimension == 3 ? draws.normal() : 0, draws.normal());
    const Vector3d mirror(1, 1, -1);
    const auto found = nearest_solution(contact_block(p, 0), written_in_space(p.q), present);
    const int n = p.dimension - 1;
    p.W.row(n) *= -1;
    p.W.col(n) *= -1;
    p.q(n) *= -1;
    const Vector3d there = mirror.cwiseProduct(present);
    const auto image = nearest_solution(contact_block(p, 0), written_in_space(p.q), there);
    ASSERT_EQ(image.has_value(), found.has_value()) << seed;
    if (found) {  // the same, or one as near
      const double size = present.norm() + found->norm();
      EXPECT_NEAR((*image - there).norm(), (*found - present).norm(), 1e-9 * size) << seed;
      EXPECT_LE(law_residual(p, of_dimension(*image, p.dimension), p.W * of_dimension(*image, p.dimension) + p.q),
                1e-10)
          << seed;
    }
  }
}

// Forces that hold lie on a line that touches the cone: one of them is left.
TEST(ContactBlock, OfALineThatTouchesTheConeThePointIsTaken) {
  const ContactProblem p = one_contact_problem(Vector3d(1, 0, 1).asDiagonal(), Vector3d(-0.5, 0, -1), 0.5);
  for (const double y : {-2.0, 0.0, 2.0}) {
    const auto found = nearest_solution(contact_block(p, 0), p.q, Vector3d(0, y, 0));
    ASSERT_TRUE(found.has_value()) << y;
    EXPECT_LE((*found - Vector3d(0.5, 0, 1)).norm(), 1e-7) << y;
  }
}

// Friction that moves nothing, at a contact that does not slip: any force of the disc obeys the laws, and stays.
TEST(ContactBlock, ProjectedStepLeavesFrictionWithoutEffectWhereNothingSlips) {
  for (const int dimension : {2, 3}) {
    MatrixXd W = MatrixXd::Zero(dimension, dimension);
    W(dimension - 1, dimension - 1) = 2;
    const ContactBlock c = contact_block(one_contact_problem(W, VectorXd::Zero(dimension), 0.5), 0);
    const Vector3d held(0.3, dimension == 3 ? -0.2 : 0, 1);
    EXPECT_EQ(projected_step(c, held, Vector3d::Zero()), held) << dimension;
    EXPECT_EQ(projected_step(c, held, Vector3d(2, 0, 0)), Vector3d(-0.5, 0, 1)) << dimension << ": against a slip";
  }
}

}  // namespace contact_block_test
}  // namespace painleve
