#include "painleve/complementarity/settled_modes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/detail/elimination.hpp"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace settled_modes_test {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ContactProblem problem_of(int dimension, const MatrixXd& W, const VectorXd& mu) {
  ContactProblem p;
  p.dimension = dimension;
  p.W = W;
  p.q = VectorXd::Zero(W.rows());
  p.mu = mu;
  const auto count = static_cast<std::size_t>(mu.size());
  p.bilateral.assign(count, false);
  p.law.assign(count, Law::resting);
  p.slip = MatrixXd::Zero(dimension - 1, mu.size());
  return p;
}

// A problem that is made for its solution: forces and motions of drawn modes are chosen first, then q = w − W r.
struct Made {
  ContactProblem problem;
  VectorXd r, w;
};

VectorXd drawn_direction(Draws& draws, int tangents) {
  VectorXd e(tangents);
  for (double& x : e) x = draws.normal();
  return e.normalized();
}

void make_contact(Draws& draws, int i, Made& made) {
  ContactProblem& p = made.problem;
  const auto at = static_cast<std::size_t>(i);
  const int t = p.tangent(i);
  const int tangents = p.dimension - 1;
  const int mode = draws.integer(0, 3);
  const double press = draws.uniform(0.2, 2);
  const VectorXd e = drawn_direction(draws, tangents);
  auto r = made.r.segment(t, p.dimension);
  auto w = made.w.segment(t, p.dimension);
  if (mode == 3) p.law[at] = Law::sliding;
  p.slip.col(i) = e;
  if (mode == 0) {  // free
    w(tangents) = press;
    w.head(tangents) = e;
    return;
  }
  p.bilateral[at] = draws.integer(0, 4) == 0;
  r(tangents) = p.bilateral[at] && draws.integer(0, 1) == 0 ? -press : press;
  if (mode == 1) r.head(tangents) = draws.uniform(0, 0.9) * p.mu(i) * press * e;
  if (mode >= 2) r.head(tangents) = -p.mu(i) * press * e;
  if (mode == 2) w.head(tangents) = draws.uniform(0.2, 2) * e;
  if (mode == 3) w.head(tangents) = drawn_direction(draws, tangents);
}

Made made_problem(Draws& draws, int dimension, int count, int freedoms) {
  VectorXd mu(count);
  for (double& m : mu) m = draws.uniform(0.1, 1.5);
  const int rows = dimension * count;
  Made made{problem_of(dimension, drawn_gram(draws, rows, freedoms, 0), mu), VectorXd::Zero(rows),
            VectorXd::Zero(rows)};
  for (int i = 0; i < count; ++i) make_contact(draws, i, made);
  made.problem.q = made.w - made.problem.W * made.r;
  return made;
}

VectorXd beside(Draws& draws, const VectorXd& r, double distance) {
  VectorXd start = r;
  for (double& x : start) x += distance * draws.normal();
  return start;
}

TEST(SettledModes, KnownSolutionsAreFoundFromBeside) {
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      Draws draws(seed);
      const int count = draws.integer(1, 9);
      const Made made = made_problem(draws, dimension, count, dimension * count + 4);
      ASSERT_LE(law_residual(made.problem, made.r, made.w), 1e-13) << seed;
      const ModeSolution s = solve_modes(made.problem, beside(draws, made.r, 1e-6), 1e-11, 10);
      ASSERT_TRUE(s.solved) << dimension << " " << seed;
      EXPECT_EQ(s.residual, law_residual(made.problem, s.r, s.w)) << seed;
      EXPECT_LE(s.residual, 1e-11) << seed;
      EXPECT_LE(s.steps, dimension == 2 ? 2 : 4) << seed;
      const double condition = made.problem.W.norm() * made.problem.W.inverse().norm();
      EXPECT_LE((s.r - made.r).norm(), 1e-11 * condition * (1 + made.r.norm())) << dimension << " " << seed;
    }
  }
}

// In the plane the modes are all there is to find: one step, from any force that has them.
TEST(SettledModes, OneStepInThePlane) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const Made made = made_problem(draws, 2, 6, 16);
    EXPECT_EQ(solve_modes(made.problem, made.r, 1e-11, 0).steps, 0) << seed;
    EXPECT_TRUE(solve_modes(made.problem, made.r, 1e-11, 0).solved) << seed << ": a solution needs no step";
    EXPECT_FALSE(solve_modes(made.problem, beside(draws, made.r, 1e-5), 1e-11, 0).solved) << seed;
    const ModeSolution s = solve_modes(made.problem, beside(draws, made.r, 1e-5), 1e-11, 1);
    EXPECT_TRUE(s.solved) << seed;
    EXPECT_EQ(s.steps, 1) << seed;
  }
}

// Newton's method converges quadratically: an error of 1e-3 is 1e-6 after one step, 1e-12 after two, up to constants.
TEST(SettledModes, OrderInSpace) {
  int measured = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    const Made made = made_problem(draws, 3, 4, 20);
    const VectorXd start = beside(draws, made.r, 1e-4);
    std::vector<double> steps_to;
    for (const double tolerance : {1e-4, 1e-7, 1e-13}) {
      const ModeSolution s = solve_modes(made.problem, start, tolerance, 12);
      if (s.solved) steps_to.push_back(s.steps);
    }
    if (steps_to.size() < 3) continue;
    ++measured;
    EXPECT_LE(steps_to[2] - steps_to[1], 2) << seed;
  }
  EXPECT_GT(measured, 70);
}

// Contacts of one body: W has rank 3 or 6, forces can be traded. The motion is the one that was made.
TEST(SettledModes, RankDeficient) {
  int solved = 0;
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      Draws draws(seed);
      const int count = draws.integer(3, 8);
      const int freedoms = dimension == 2 ? 3 : 6;
      VectorXd mu(count);
      for (double& m : mu) m = draws.uniform(0.3, 1);
      Made made{problem_of(dimension, drawn_gram(draws, dimension * count, freedoms, 0), mu),
                VectorXd::Zero(dimension * count), VectorXd::Zero(dimension * count)};
      for (int i = 0; i < count; ++i) {  // all stick, well inside their cones
        const double press = draws.uniform(0.5, 1);
        made.r(made.problem.normal(i)) = press;
        made.r.segment(made.problem.tangent(i), dimension - 1) =
            0.3 * mu(i) * press * drawn_direction(draws, dimension - 1);
      }
      made.problem.q = -made.problem.W * made.r;
      const ModeSolution s = solve_modes(made.problem, beside(draws, made.r, 1e-6), 1e-11, 10);
      solved += s.solved;
      if (s.solved) {
        EXPECT_LE(s.w.norm(), 1e-9 * (1 + made.problem.q.norm())) << seed;
      }
      if (s.solved) {
        EXPECT_LE((s.r - made.r).norm(), 0.01) << seed << ": undetermined forces stay near";
      }
    }
  }
  EXPECT_GE(solved, 195);
}

TEST(SettledModes, NothingIsInvented) {
  // One contact that slides with p < 0 under load has no solution.
  Eigen::Matrix2d W;
  W << 3.25, 1.3, 1.3, 1.75;
  ContactProblem p = problem_of(2, W, VectorXd::Constant(1, 1.5));
  p.law[0] = Law::sliding;
  p.slip(0) = 1;
  p.q << 0, -1;
  for (const double start : {0.0, 1.0, 50.0}) {
    const ModeSolution s = solve_modes(p, start * Vector2d(-1.5, 1), 1e-9, 20);
    EXPECT_FALSE(s.solved);
    EXPECT_EQ(s.r.size(), 0) << "no force without its certificate";
  }
  p.q << 0, std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solve_modes(p, Vector2d(0, 1), 1e-9, 20).solved);
}

// A light contact beside a heavy one: its violation is nothing beside the force of the other, but not in its own units.
TEST(SettledModes, TheCertificateDecides) {
  ContactProblem p = problem_of(1, Vector2d(1e-8, 1).asDiagonal(), Vector2d(0, 0));
  const Vector2d r(1e8, 1);
  p.q = -p.W * r;
  EXPECT_TRUE(solve_modes(p, r, 1e-10, 0).solved);
  EXPECT_FALSE(solve_modes(p, r + Vector2d(0, 1e-3), 1e-10, 0).solved);
  EXPECT_TRUE(solve_modes(p, r + Vector2d(0, 1e-3), 1e-10, 1).solved);
}

TEST(SettledModes, NormalsAloneAndNoFriction) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    Made made = made_problem(draws, 2, 5, 14);
    made.problem.mu.setZero();
    for (int i = 0; i < 5; ++i) made.r(made.problem.tangent(i)) = 0;
    made.problem.q = made.w - made.problem.W * made.r;
    const ModeSolution s = solve_modes(made.problem, beside(draws, made.r, 1e-5), 1e-11, 4);
    ASSERT_TRUE(s.solved) << seed;
    EXPECT_LE((s.r - made.r).norm(), 1e-8) << seed;
    ContactProblem normals = problem_of(1, drawn_gram(draws, 4, 8, 0), VectorXd::Constant(4, 0.5));
    const Eigen::Vector4d r(1, 0, 2, 0);
    normals.q = Eigen::Vector4d(0, 1, 0, 2) - normals.W * r;
    const ModeSolution n = solve_modes(normals, beside(draws, r, 1e-4), 1e-11, 4);
    ASSERT_TRUE(n.solved) << seed;
    EXPECT_LE((n.r - r).norm(), 1e-8) << seed;
  }
}

TEST(Elimination, AgreesWithADecompositionAndKeepsUndeterminedUnknownsAtZero) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(1, 20);
    const int rank = draws.integer(1, n);
    MatrixXd L(n, rank), R(rank, n);
    for (double& x : L.reshaped()) x = draws.normal();
    for (double& x : R.reshaped()) x = draws.normal();
    VectorXd known(n);
    for (double& x : known) x = draws.normal();
    const MatrixXd M = L * R;
    MatrixXd A(n, n + 1);
    A << M, M * known;
    VectorXd x(n);
    std::vector<int> pivots;
    eliminate(A, x, pivots);
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(M);
    const double condition = std::abs(qr.matrixR()(0, 0) / qr.matrixR()(rank - 1, rank - 1));
    if (condition > 1e5) continue;
    EXPECT_LE((M * (x - known)).norm(), 1e-9 * M.norm()) << seed;
    EXPECT_EQ((x.array() == 0).count(), n - rank) << seed;
    if (rank == n) {
      EXPECT_LE((x - known).norm(), 1e-8) << seed;
    }
  }
}

// The force at the start sticks, that of the step from there leaves the cone and slips: another mode, another step.
TEST(SettledModes, StickIsLeftForSlipEitherWay) {
  for (const double side : {1.0, -1.0}) {
    ContactProblem p = problem_of(2, MatrixXd::Identity(2, 2), VectorXd::Constant(1, 0.5));
    p.W(0, 1) = p.W(1, 0) = 0.5 * side;
    p.q = Vector2d(side, -1);
    const ModeSolution s = solve_modes(p, Vector2d(-3 * side, 0), 1e-12, 10);
    ASSERT_TRUE(s.solved) << side;
    EXPECT_EQ(s.steps, 2) << side;
    EXPECT_LE((s.r - Vector2d(-2 * side, 4) / 3).norm(), 1e-15) << side;
    EXPECT_LE((s.w - Vector2d(side, 0)).norm(), 1e-15) << side;
  }
}

}  // namespace settled_modes_test
}  // namespace painleve
