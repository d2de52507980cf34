// What leads block sweeps to a solution before they converge: see `finish` in gauss_seidel.hpp.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <string>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/gauss_seidel.hpp"
#include "painleve/complementarity/standard_form.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace sweep_finish_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Resting contacts with a load in the range of W, so that there is a solution; `freedoms` decides the rank of W.
ContactProblem drawn_problem(Draws& draws, int dimension, int count, int freedoms, double most_mu) {
  const int rows = dimension * count;
  ContactProblem p;
  p.dimension = dimension;
  MatrixXd J(rows, freedoms);
  for (double& x : J.reshaped()) x = draws.normal();
  VectorXd v(freedoms);
  for (double& x : v) x = draws.normal();
  p.W = J * J.transpose();
  p.q = J * v;
  p.mu.resize(count);
  for (double& m : p.mu) m = draws.uniform(0, most_mu);
  const auto size = static_cast<std::size_t>(count);
  p.bilateral.assign(size, false);
  p.law.assign(size, Law::resting);
  p.slip = MatrixXd::Zero(dimension - 1, count);
  return p;
}

SweepReport solve(const ContactProblem& p, bool finish = true, int most_sweeps = 1000) {
  SweepOptions options;
  options.tolerance = 1e-10;
  options.most_sweeps = most_sweeps;
  options.finish = finish;
  return gauss_seidel(p, options);
}

struct Family {
  const char* name;
  int freedoms_per_contact, freedoms;  // of W
  double most_mu;
};
constexpr Family families[] = {{"regular", 4, 2, 1.5},
                               {"one body", 0, 6, 1.5},
                               {"few freedoms", 1, 3, 1.5},
                               {"large mu", 4, 2, 20},
                               {"no friction", 2, 2, 0}};

// Every problem is solved, with a certificate that is computed here once more.
TEST(SweepFinish, EveryProblemThatHasASolutionIsSolved) {
  std::map<SweepEnd, int> ends;
  for (const Family& family : families) {
    for (const int dimension : {2, 3}) {
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Draws draws(seed);
        const int count = draws.integer(1, 12);
        const int freedoms = family.freedoms_per_contact * count + family.freedoms;
        const ContactProblem p = drawn_problem(draws, dimension, count, freedoms, family.most_mu);
        const SweepReport s = solve(p);
        ASSERT_EQ(s.status, SweepStatus::converged) << family.name << " " << dimension << " seed " << seed;
        EXPECT_LE(law_residual(p, s.r, p.W * s.r + p.q), 1e-10) << family.name << " " << dimension << " seed " << seed;
        EXPECT_EQ(s.residual, law_residual(p, s.r, s.w)) << seed;
        EXPECT_NE(s.found_by, SweepEnd::nowhere) << seed;
        ++ends[s.found_by];
      }
    }
  }
  for (const SweepEnd end : {SweepEnd::start, SweepEnd::sweeps, SweepEnd::modes, SweepEnd::pivoting})
    EXPECT_GT(ends[end], 0) << to_string(end);
  EXPECT_GT(ends[SweepEnd::modes], 200);
}

// In the plane with regular W and little friction the solution is one: sweeps alone, Newton's method on their modes and
// Lemke's method agree.
TEST(SweepFinish, AgreesWithSweepsAloneAndWithPivoting) {
  int finished = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const int count = draws.integer(2, 8);
    ContactProblem p = drawn_problem(draws, dimension, count, 8 * count, 0.2);
    const SweepReport s = solve(p);
    const SweepReport alone = solve(p, false);
    ASSERT_EQ(s.status, SweepStatus::converged) << seed;
    ASSERT_EQ(alone.status, SweepStatus::converged) << seed;
    EXPECT_LE((s.r - alone.r).norm(), 1e-8 * (1 + s.r.norm())) << seed;
    EXPECT_LE(s.sweeps, alone.sweeps) << seed;
    EXPECT_EQ(alone.newton_steps, 0) << seed;
    EXPECT_TRUE(alone.found_by == SweepEnd::sweeps || alone.found_by == SweepEnd::start) << seed;
    finished += s.found_by == SweepEnd::modes;
    if (dimension == 3) continue;
    EXPECT_LE((s.r - solve_by_pivoting(p, 2).r).norm(), 1e-8 * (1 + s.r.norm())) << seed;
  }
  EXPECT_GT(finished, 60);
}

TEST(SweepFinish, TriesDoNotDisturbTheSweeps) {
  // Two rods that slide with p < 0 under load: no solution, and the sweeps run away exactly as without the tries.
  MatrixXd W(4, 4);
  W << 3.25, 1.3, 0.1, 0, 1.3, 1.75, 0, 0.1, 0.1, 0, 3.25, 1.3, 0, 0.1, 1.3, 1.75;
  ContactProblem p;
  p.dimension = 2;
  p.W = W;
  p.q = Eigen::Vector4d(0, -1, 0, -1);
  p.mu = Eigen::Vector2d(1.5, 1.5);
  p.bilateral = {false, false};
  p.law = {Law::sliding, Law::sliding};
  p.slip = MatrixXd::Ones(1, 2);
  const SweepReport with = solve(p);
  const SweepReport without = solve(p, false);
  EXPECT_EQ(with.status, SweepStatus::growing);
  EXPECT_EQ(with.r, without.r);
  EXPECT_EQ(with.sweeps, without.sweeps);
  EXPECT_EQ(with.factor, without.factor);
  EXPECT_EQ(with.found_by, SweepEnd::nowhere);
  EXPECT_GT(with.newton_steps, 0);
}

TEST(SweepFinish, AtMostTheSweepsThatAreAllowed) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_problem(draws, 2, 6, 20, 1);
    EXPECT_LE(solve(p, true, 1).sweeps, 1) << seed;
    EXPECT_EQ(solve(p, true, 1).newton_steps, 0) << seed;
    EXPECT_EQ(solve(p, true, 0).sweeps, 0) << seed;
    SweepOptions projected;
    projected.method = SweepMethod::projected;
    EXPECT_EQ(gauss_seidel(p, projected).newton_steps, 0) << seed << ": projected sweeps stay what they are";
  }
}

TEST(SweepFinish, SameInputSameOutput) {
  Draws draws(5);
  const ContactProblem p = drawn_problem(draws, 3, 9, 6, 1.5);
  const SweepReport s = solve(p);
  const SweepReport t = solve(p);
  EXPECT_EQ(s.r, t.r);
  EXPECT_EQ(s.newton_steps, t.newton_steps);
}

TEST(SweepFinish, Words) {
  EXPECT_STREQ(to_string(SweepEnd::nowhere), "nowhere");
  EXPECT_STREQ(to_string(SweepEnd::start), "start");
  EXPECT_STREQ(to_string(SweepEnd::sweeps), "sweeps");
  EXPECT_STREQ(to_string(SweepEnd::modes), "modes");
  EXPECT_STREQ(to_string(SweepEnd::pivoting), "pivoting");
}

}  // namespace sweep_finish_test
}  // namespace painleve
