// A X = B with A of any rank, against the orthogonal decomposition of Eigen and the definition of null vectors.
#include "painleve/complementarity/rank_solver.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace rank_solver_test {

using Eigen::MatrixXd;

MatrixXd drawn_matrix(Draws& draws, Eigen::Index rows, Eigen::Index cols) {
  MatrixXd A(rows, cols);
  for (double& x : A.reshaped()) x = draws.normal();
  return A;
}

TEST(RankSolver, GivesTheShortestSolutionAndTheNullVectors) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int rows = draws.integer(1, 6);
    const int cols = draws.integer(0, 2) == 0 ? draws.integer(1, 6) : rows;
    const int rank = draws.integer(0, std::min(rows, cols));
    const double size = std::exp(draws.uniform(-8, 8));
    MatrixXd A = MatrixXd::Zero(rows, cols);
    if (rank > 0) A = size * drawn_matrix(draws, rows, rank) * drawn_matrix(draws, rank, cols);
    const RankSolver solver(A, size);
    EXPECT_EQ(solver.N.cols(), cols - rank) << seed;
    EXPECT_EQ(solver.L.cols(), rows - rank) << seed;
    if (solver.N.cols() > 0) {
      EXPECT_LE((A * solver.N).norm(), 1e-12 * size) << seed;
      EXPECT_LE((solver.N.transpose() * solver.N - MatrixXd::Identity(cols - rank, cols - rank)).norm(), 1e-13) << seed;
    }
    if (solver.L.cols() > 0) {
      EXPECT_LE((solver.L.transpose() * A).norm(), 1e-12 * size) << seed;
      EXPECT_LE((solver.L.transpose() * solver.L - MatrixXd::Identity(rows - rank, rows - rank)).norm(), 1e-13) << seed;
    }
    const MatrixXd B = size * drawn_matrix(draws, rows, 2);
    const MatrixXd X = solver.solve(B);
    const MatrixXd known = A.completeOrthogonalDecomposition().solve(B);
    EXPECT_LE((X - known).norm(), 1e-8 * (1 + known.norm())) << seed;
  }
}

// The rounding that it claims covers that of a solution and follows the condition.
TEST(RankSolver, ClaimsTheRoundingOfItsCondition) {
  for (const double thin : {1.0, 1e-2, 1e-4, 1e-8}) {
    for (const bool singular : {false, true}) {
      MatrixXd A = MatrixXd::Zero(4, 4);
      Draws draws(7);
      const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(drawn_matrix(draws, 4, 4)).householderQ();
      const MatrixXd P = Eigen::HouseholderQR<MatrixXd>(drawn_matrix(draws, 4, 4)).householderQ();
      A = Q * Eigen::Vector4d(1, 0.5, thin, singular ? 0 : thin).asDiagonal() * P;
      const RankSolver solver(A, 1);
      EXPECT_EQ(solver.N.cols(), singular ? 1 : 0) << thin;
      const double condition = 1 / thin;
      EXPECT_GE(solver.rounding(), std::min(1e-15 * condition, 1e-10)) << thin;
      EXPECT_LE(solver.rounding(), std::max(1e-13, std::min(1e-13 * condition, 1.001e-10))) << thin;
      const MatrixXd X = drawn_matrix(draws, 4, 1);
      const MatrixXd inside = X - solver.N * (solver.N.transpose() * X);
      EXPECT_LE((solver.solve(A * X) - inside).norm(), std::max(solver.rounding(), 1e-15 * condition) * X.norm())
          << thin;
    }
  }
}

TEST(RankSolver, WhatIsSmallBesideItsTermsIsZero) {
  const MatrixXd A = 1e-14 * MatrixXd::Identity(2, 2);
  EXPECT_EQ(RankSolver(A, 1).N.cols(), 2);
  EXPECT_EQ(RankSolver(A, 1).solve(MatrixXd::Ones(2, 1)).norm(), 0);
  EXPECT_EQ(RankSolver(A, 1e-14).N.cols(), 0);
  EXPECT_NEAR(RankSolver(A, 1e-14).solve(A).trace(), 2, 1e-12);
}

TEST(RankSolver, WithoutRowsOrColumnsHasNothingToSolve) {
  const RankSolver none(MatrixXd(0, 0), 1);
  EXPECT_EQ(none.solve(MatrixXd(0, 1)).size(), 0);
  EXPECT_EQ(none.N.cols(), 0);
  const RankSolver free(MatrixXd(0, 3), 1);
  EXPECT_EQ(free.N.cols(), 3);
  EXPECT_EQ(free.L.cols(), 0);
  EXPECT_EQ(free.solve(MatrixXd(0, 1)), MatrixXd::Zero(3, 1));
  const RankSolver rigid(MatrixXd(3, 0), 1);
  EXPECT_EQ(rigid.L.cols(), 3);
  EXPECT_EQ(rigid.solve(MatrixXd::Ones(3, 1)).size(), 0);
}

TEST(OrthogonalComplement, CompletesABasis) {
  Draws draws(2);
  for (const int kept : {1, 2, 4}) {
    const MatrixXd L =
        Eigen::HouseholderQR<MatrixXd>(drawn_matrix(draws, 5, kept)).householderQ() * MatrixXd::Identity(5, kept);
    const MatrixXd B = orthogonal_complement(L);
    ASSERT_EQ(B.cols(), 5 - kept);
    EXPECT_LE((L.transpose() * B).norm(), 1e-14);
    EXPECT_LE((B.transpose() * B - MatrixXd::Identity(5 - kept, 5 - kept)).norm(), 1e-14);
  }
}

}  // namespace rank_solver_test
}  // namespace painleve
