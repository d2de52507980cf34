#include "painleve/complementarity/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/complementarity/stick_forces.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace gauss_seidel_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

const double root3 = std::sqrt(3.0);
constexpr SweepMethod both[] = {SweepMethod::projected, SweepMethod::block};

ContactProblem problem_of(int dimension, const MatrixXd& W, const VectorXd& q, const VectorXd& mu, Law law) {
  ContactProblem p;
  p.dimension = dimension;
  p.W = W;
  p.q = q;
  p.mu = mu;
  const auto count = static_cast<std::size_t>(mu.size());
  p.bilateral.assign(count, false);
  p.law.assign(count, law);
  p.slip = MatrixXd::Zero(dimension - 1, mu.size());
  p.names.resize(count);
  return p;
}

ContactProblem one_planar(double W_tt, double W_tn, double W_nn, double q_t, double q_n, double mu, double slip = 0) {
  Matrix2d W;
  W << W_tt, W_tn, W_tn, W_nn;
  const Law law = slip == 0 ? Law::resting : Law::sliding;
  ContactProblem p = problem_of(2, W, Vector2d(q_t, q_n), VectorXd::Constant(1, mu), law);
  p.slip(0) = slip;
  return p;
}

// A load W z lies in the range of W, as that of every impulse and step does.
ContactProblem drawn_problem(Draws& draws, int dimension, int count, int freedoms, Law law) {
  const int rows = dimension * count;
  const MatrixXd W = drawn_gram(draws, rows, freedoms, 0);
  VectorXd z(rows);
  VectorXd mu(count);
  for (double& x : z) x = draws.normal();
  for (double& x : mu) x = draws.uniform(0.05, 1);
  ContactProblem p = problem_of(dimension, W, W * z, mu, law);
  for (int i = 0; i < count; ++i) {
    const double angle = draws.uniform(0, 6.28);
    if (dimension == 1) continue;
    p.slip(0, i) = dimension == 2 ? std::copysign(1.0, std::sin(angle)) : std::cos(angle);
    if (dimension == 3) p.slip(1, i) = std::sin(angle);
  }
  return p;
}

SweepReport solve(const ContactProblem& p, SweepMethod method, const VectorXd& start = {}, int most_sweeps = 10000) {
  SweepOptions options;
  options.method = method;
  options.most_sweeps = most_sweeps;
  options.start = start;
  return gauss_seidel(p, options);
}

// The laws as they are written at the head of contact_problem.hpp, apart from the natural map of the certificate.
double violation(const ContactProblem& p, const VectorXd& r) {
  const VectorXd w = p.W * r + p.q;
  double worst = 0;
  for (int i = 0; i < p.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const VectorXd r_t = r.segment(p.tangent(i), p.dimension - 1);
    const VectorXd w_t = w.segment(p.tangent(i), p.dimension - 1);
    const double r_n = r(p.normal(i));
    const double w_n = w(p.normal(i));
    if (p.law[at] == Law::separated) {
      worst = std::max({worst, r_t.norm(), std::abs(r_n)});
      continue;
    }
    const double normal = p.bilateral[at] ? std::abs(w_n) : std::max({-r_n, -w_n, std::min(r_n, w_n)});
    const double limit = p.mu(i) * std::abs(r_n);
    double tangential = r_t.norm() - limit;
    if (p.law[at] == Law::sliding) tangential = (r_t + limit * p.slip.col(i)).norm();
    // Power of friction against its largest: zero when it opposes the slip with all its strength.
    if (p.law[at] == Law::resting)
      tangential = std::max(tangential, std::min(w_t.norm(), r_t.dot(w_t) + limit * w_t.norm()));
    worst = std::max({worst, normal, tangential});
  }
  return worst;
}

// Rod of Preclik & Rüde at 60°: m = 1, l = 2, μ = 3/2, sliding to the left. N has no acceleration, M (torque −5/3) two.
ContactProblem rod(double q_t, double q_n, double slip) {
  return one_planar(3.25, -0.75 * root3, 1.75, q_t, q_n, 1.5, slip);
}
ContactProblem rod_step_N(double dt) { return rod(-1, -dt, 0); }
ContactProblem rod_step_M(double dt) { return rod(-1 - 2.5 * root3 * dt, 1.5 * dt, 0); }
const double rod_growth = 9 * root3 / 14;  // μ |W_tn|/W_nn

TEST(GaussSeidel, StepOfTheRodThatHasNoAcceleration) {
  for (const SweepMethod method : both) {
    for (const double dt : {1e-2, 1e-6}) {  // the smaller, the longer r grows by 1.113 per sweep before it sticks
      const SweepReport s = solve(rod_step_N(dt), method);
      EXPECT_EQ(s.status, SweepStatus::converged);
      EXPECT_NEAR(s.r(0), 7.0 / 16 + dt * 3 * root3 / 16, 2e-12);
      EXPECT_NEAR(s.r(1), 3 * root3 / 16 + dt * 13 / 16, 2e-12);
      EXPECT_EQ(s.without_solution, -1);
      EXPECT_LE(s.residual, 1e-12);
    }
  }
  const SweepReport s = solve(rod_step_N(0.01), SweepMethod::block);
  EXPECT_NEAR(s.r(0), 0.44074759526419164, 1e-15);
  EXPECT_NEAR(s.r(1), 0.33288452641916449, 1e-15);
  EXPECT_EQ(s.sweeps, 1) << "one contact is solved in one go";
}

TEST(GaussSeidel, StartDecidesWhichOfTheThreeStepsOfTheRodIsFound) {
  const ContactProblem p = rod_step_M(0.01);
  const std::vector<Vector2d> solutions = {
      {0, 0}, {0.11331749592045917, 0.075544997280306117}, {0.45157291281149713, 0.32663452641916449}};
  for (const Vector2d& wanted : solutions) {
    for (const Vector2d& aside : {Vector2d(0.01, 0), Vector2d(0, 0.01), Vector2d(-0.01, 0.01)}) {
      const SweepReport s = solve(p, SweepMethod::block, wanted + aside);
      EXPECT_EQ(s.status, SweepStatus::converged);
      EXPECT_LE((s.r - wanted).norm(), 1e-14) << wanted.transpose();
    }
    EXPECT_LE((solve(p, SweepMethod::projected, wanted).r - wanted).norm(), 1e-14) << "a solution stays";
  }
  // The slip in the middle repels the projected sweep: it divides the starts.
  EXPECT_EQ(solve(p, SweepMethod::projected, 0.999 * solutions[1]).r, solutions[0]);
  const SweepReport above = solve(p, SweepMethod::projected, 1.001 * solutions[1]);
  EXPECT_EQ(above.status, SweepStatus::converged);
  EXPECT_LE((above.r - solutions[2]).norm(), 2e-12);
}

TEST(GaussSeidel, AccelerationOfTheRodRunsAway) {
  for (const SweepMethod method : both) {
    const SweepReport s = solve(rod(0, -1, -1), method);
    EXPECT_EQ(s.status, SweepStatus::growing);
    EXPECT_NEAR(s.factor, rod_growth, 1e-9);
    EXPECT_TRUE(s.r.allFinite() && s.w.allFinite());
    EXPECT_GT(s.residual, 1e-3);
    EXPECT_EQ(s.without_solution, method == SweepMethod::block ? 0 : -1);
  }
  // M: forces above the second solution run away, those below it vanish; the block sweep solves either at once.
  const ContactProblem m = rod(-2.5 * root3, 1.5, -1);
  const Vector2d second(11.331749592045917, 7.5544997280306117);
  EXPECT_EQ(solve(m, SweepMethod::projected, 0.99 * second).r, Vector2d(0, 0));
  const SweepReport above = solve(m, SweepMethod::projected, 1.01 * second);
  EXPECT_EQ(above.status, SweepStatus::growing);
  EXPECT_NEAR(above.factor, rod_growth, 1e-9);
  EXPECT_LE((solve(m, SweepMethod::block, 1.01 * second).r - second).norm(), 1e-12);
  EXPECT_EQ(solve(m, SweepMethod::block).r, Vector2d(0, 0));
}

// The rod, without solution of its own, and a frictionless contact that is loaded as well.
ContactProblem rod_and_support(double coupling) {
  MatrixXd W(4, 4);
  W << 3.25, -0.75 * root3, 0, -coupling, -0.75 * root3, 1.75, 0, coupling, 0, 0, 1, 0, -coupling, coupling, 0, 1;
  ContactProblem p = problem_of(2, W, Eigen::Vector4d(0, -1, 0, -1), Vector2d(1.5, 0), Law::sliding);
  p.slip.setConstant(-1);
  return p;
}

TEST(GaussSeidel, ContactsWithoutSolutionCanBeSavedByOthers) {
  const SweepReport alone = solve(rod_and_support(0), SweepMethod::block);
  EXPECT_EQ(alone.status, SweepStatus::growing);
  EXPECT_NEAR(alone.factor, rod_growth, 1e-9);
  EXPECT_EQ(alone.without_solution, 0);
  EXPECT_EQ(solve(subset(rod_and_support(0), {1, 0}), SweepMethod::block).without_solution, 1);
  const SweepReport lifted = solve(rod_and_support(1.2), SweepMethod::block);  // its force 1 lifts the rod with 1.2
  EXPECT_EQ(lifted.status, SweepStatus::converged);
  EXPECT_EQ(lifted.without_solution, -1);
  EXPECT_LE((lifted.r - Eigen::Vector4d(0, 0, 0, 1)).norm(), 1e-15);
}

TEST(GaussSeidel, FactorOfOneSlidingContactIsKnown) {
  int grown = 0;
  int contracted = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    ContactProblem p = drawn_problem(draws, dimension, 1, dimension, Law::sliding);
    p.mu *= 3;
    p.q(p.normal(0)) = -draws.uniform(0.1, 2);
    const VectorXd W_tn = p.W.col(p.normal(0)).head(dimension - 1);
    const double known = p.mu(0) * W_tn.dot(p.slip.col(0)) / p.W(p.normal(0), p.normal(0));
    const SweepReport s = solve(p, SweepMethod::projected);
    EXPECT_TRUE(s.r.allFinite() && s.w.allFinite()) << seed;
    if (known > 1.003) {  // slower ones take more than 10000 sweeps to be sure of
      EXPECT_EQ(s.status, SweepStatus::growing) << seed;
      EXPECT_NEAR(s.factor / known, 1, 1e-6) << seed;
      EXPECT_EQ(solve(p, SweepMethod::block).status, SweepStatus::growing) << seed;
      ++grown;
    } else if (known > 0.2 && known < 0.99) {  // changes of enough sweeps to measure
      EXPECT_EQ(s.status, SweepStatus::converged) << seed;
      EXPECT_NEAR(s.factor / known, 1, 1e-4) << seed;  // the last changes are 1e-11 of r and carry its rounding
      ++contracted;
    } else if (known < -1) {  // 0 and −q_n/W_nn in turn, although p > 0
      EXPECT_EQ(s.status, SweepStatus::limit) << seed;
    }
    if (known < 1) {
      EXPECT_EQ(solve(p, SweepMethod::block).sweeps, 1) << seed;
    }
  }
  EXPECT_GT(grown, 40);
  EXPECT_GT(contracted, 20);
}

TEST(GaussSeidel, GrowthIsNotSaidOfWhatOnlyGrowsForAWhile) {
  for (const SweepMethod method : both) {
    // p = 0: the same force is added in every sweep.
    const SweepReport linear = solve(one_planar(1, 1, 2, 0, -1, 2, 1), method);
    EXPECT_EQ(linear.status, SweepStatus::limit);
    EXPECT_NEAR(linear.factor, 1, 1e-9);
    // Slow growth, sure only at the end of the run.
    const SweepReport slow = solve(one_planar(1, 1, 2, 0, -1, 2.002, 1), method);
    EXPECT_EQ(slow.status, SweepStatus::growing);
    EXPECT_EQ(slow.sweeps, 10000);
    EXPECT_NEAR(slow.factor, 1.001, 1e-9);
    EXPECT_EQ(solve(one_planar(1, 1, 2, 0, -1, 2.002, 1), method, {}, 90).status, SweepStatus::limit);
  }
  // A contact with p = 0 that is loaded more and more by another one: its force grows as the square of the sweeps.
  MatrixXd W(4, 4);
  W << 1, 1, 0, 0.05, 1, 2, 0, 0, 0, 0, 1, 1, 0.05, 0, 1, 2;
  ContactProblem square = problem_of(2, W, Eigen::Vector4d(0, -1, 0, -1), Vector2d(2, 2), Law::sliding);
  square.slip.setOnes();
  for (const SweepMethod method : both) {
    const SweepReport s = solve(square, method);
    EXPECT_EQ(s.status, SweepStatus::limit);
    EXPECT_NEAR(s.factor, 1 + 1e-4, 1e-6);
    EXPECT_GT(s.r(3), 1e5);
  }
  // Forces of 5e8 times the load hold an almost singular contact; after a first growth the projected sweep creeps
  // there.
  const ContactProblem p = one_planar(1, -(1 - 1e-9), 1, -1, -0.01, 1.2);
  EXPECT_EQ(solve(p, SweepMethod::projected).status, SweepStatus::limit);
  const SweepReport s = solve(p, SweepMethod::block);
  EXPECT_EQ(s.status, SweepStatus::converged);
  EXPECT_NEAR(s.r(1) / (1.01 / 2e-9), 1, 1e-6);  // a condition of 2e9 leaves seven digits
}

TEST(GaussSeidel, GrowthEndsBeforeNumbersDo) {
  // μ √(W_tt/W_nn) = 1e10 per sweep.
  const ContactProblem p = one_planar(1, 0.5e-10, 1e-20, 0, -1, 4, 1);
  for (const SweepMethod method : both) {
    const SweepReport s = solve(p, method);
    EXPECT_EQ(s.status, SweepStatus::growing);
    EXPECT_NEAR(s.factor, 2e10, 1e4);
    EXPECT_TRUE(s.r.allFinite() && s.w.allFinite() && std::isfinite(s.residual));
  }
}

struct Tally {
  int runs = 0, converged = 0;
};
Tally random_problems(SweepMethod method, int dimension, bool full_rank) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Draws draws(seed);
    const int count = draws.integer(1, 12);
    const int rows = dimension * count;
    const ContactProblem p =
        drawn_problem(draws, dimension, count, full_rank ? rows + 6 : (rows + 1) / 2, Law::resting);
    const SweepReport s = solve(p, method, {}, 3000);
    EXPECT_NE(s.status, SweepStatus::growing) << seed << ": a step has a solution";
    EXPECT_EQ(s.residual, law_residual(p, s.r, s.w)) << seed;
    EXPECT_EQ(s.status == SweepStatus::converged, s.residual <= 1e-12) << seed;
    EXPECT_LE((s.w - p.W * s.r - p.q).norm(), 1e-13 * p.W.norm() * (s.r.norm() + 1)) << seed;
    ++tally.runs;
    if (s.status != SweepStatus::converged) continue;
    ++tally.converged;
    EXPECT_LE(violation(p, s.r), 1e-10 * p.W.norm() * (s.r.norm() + 1)) << seed;
  }
  return tally;
}

TEST(GaussSeidel, ConvergedRandomProblemsSatisfyTheLaws) {
  for (const SweepMethod method : both) {
    for (const int dimension : {2, 3}) {
      for (const bool full_rank : {true, false}) {
        const Tally tally = random_problems(method, dimension, full_rank);
        EXPECT_GE(tally.converged, (full_rank ? 0.97 : 0.88) * tally.runs) << dimension << full_rank;
      }
    }
  }
}

TEST(GaussSeidel, OnePlanarContactAgreesWithTheKernel) {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    const int slip = draws.integer(-1, 1);
    const PlanarContact c = drawn_planar(draws, slip);
    const PlanarModes m = planar_modes(c);
    const Vector2d start(2 * draws.normal(), draws.uniform(0, 4));
    std::vector<Vector2d> modes;
    if ((m.consistent & mode_F) != 0) modes.emplace_back(0, 0);
    if ((m.consistent & mode_T) != 0) modes.emplace_back(m.stick.lambda_t, m.stick.lambda_n);
    if ((m.consistent & mode_S_plus) != 0) modes.emplace_back(m.slip_plus.lambda_t, m.slip_plus.lambda_n);
    if ((m.consistent & mode_S_minus) != 0) modes.emplace_back(m.slip_minus.lambda_t, m.slip_minus.lambda_n);
    const SweepReport s =
        solve(one_planar(c.W_tt, c.W_tn, c.W_nn, c.b_t, c.b_n, c.mu, slip), SweepMethod::block, start);
    if (modes.empty()) {
      EXPECT_EQ(s.without_solution, 0) << seed;
      EXPECT_NE(s.status, SweepStatus::converged) << seed;
      continue;
    }
    several += modes.size() > 1;
    const auto nearest = std::min_element(modes.begin(), modes.end(), [&](const auto& x, const auto& y) {
      return (x - start).norm() < (y - start).norm();
    });
    EXPECT_EQ(s.status, SweepStatus::converged) << seed;
    EXPECT_LE((s.r - *nearest).norm(), 1e-13 * (1 + nearest->norm() + start.norm()) / (1 - 0.98 * 0.98)) << seed;
  }
  EXPECT_GT(several, 40);
}

TEST(GaussSeidel, OneSpatialContactAgreesWithTheKernels) {
  int slips = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_problem(draws, 3, 1, 4, Law::resting);
    const Vector3d start(draws.normal(), draws.normal(), draws.uniform(0, 3));
    const SpatialContact c{p.W.topLeftCorner<2, 2>(),
                           p.W.topRightCorner<2, 1>(),
                           p.W(2, 2),
                           p.q.head<2>(),
                           p.q(2),
                           Vector2d::Zero(),
                           p.mu(0)};
    std::vector<Vector3d> forces;
    if (c.b_n >= 0) forces.emplace_back(0, 0, 0);
    const Vector3d hold = stick_forces(p.W, p.q, c.mu, 1).lambda;
    if (hold.head<2>().norm() <= c.mu * hold.z()) forces.push_back(hold);
    for (const SlipDirection& d : slip_directions(c).consistent) {
      const Vector2d r_t = -c.mu * d.lambda_n * d.e;
      forces.emplace_back(r_t.x(), r_t.y(), d.lambda_n);
      ++slips;
    }
    ASSERT_FALSE(forces.empty()) << seed;
    const auto nearest = std::min_element(forces.begin(), forces.end(), [&](const auto& x, const auto& y) {
      return (x - start).norm() < (y - start).norm();
    });
    const SweepReport s = solve(p, SweepMethod::block, start);
    EXPECT_EQ(s.status, SweepStatus::converged) << seed;
    EXPECT_LE((s.r - *nearest).norm(), 1e-9 * (1 + nearest->norm())) << seed;  // the condition of W reaches 1e5
  }
  EXPECT_GT(slips, 100);
}

// Without friction: the active set whose forces push and whose other contacts do not sink in.
VectorXd frictionless(const ContactProblem& p) {
  for (unsigned set = 0; set < (1U << static_cast<unsigned>(p.count())); ++set) {
    std::vector<int> rows;
    for (int i = 0; i < p.count(); ++i) {
      if (((set >> static_cast<unsigned>(i)) & 1U) != 0) rows.push_back(p.normal(i));
    }
    VectorXd r = VectorXd::Zero(p.q.size());
    const MatrixXd active = p.W(rows, rows);
    const VectorXd load = p.q(rows);
    r(rows) = -active.ldlt().solve(load);
    const VectorXd w = p.W * r + p.q;
    bool good = true;
    for (int i = 0; i < p.count(); ++i) good = good && r(p.normal(i)) >= 0 && w(p.normal(i)) >= -1e-12 * p.W.norm();
    if (good) return r;
  }
  return {};
}

TEST(GaussSeidel, FrictionlessProblemsAgreeWithAllActiveSets) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const int count = draws.integer(1, 6);
    ContactProblem p = drawn_problem(draws, dimension, count, dimension * count + 3, Law::resting);
    for (std::size_t i = 0; i < p.law.size(); i += 2) p.law[i] = Law::sliding;
    p.mu.setZero();
    const VectorXd wanted = frictionless(p);
    ASSERT_EQ(wanted.size(), p.q.size()) << seed;
    for (const SweepMethod method : both) {
      const SweepReport s = solve(p, method);
      EXPECT_EQ(s.status, SweepStatus::converged) << seed;
      EXPECT_LE((s.r - wanted).norm(), 1e-9 * (1 + wanted.norm())) << seed;  // residual 1e-12 times the condition of W
    }
  }
}

TEST(GaussSeidel, NormalsAlone) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int count = draws.integer(1, 6);
    const ContactProblem p = drawn_problem(draws, 1, count, count + 3, Law::resting);
    const VectorXd wanted = frictionless(p);
    for (const SweepMethod method : both) {
      const SweepReport s = solve(p, method);
      EXPECT_EQ(s.status, SweepStatus::converged) << seed;
      EXPECT_LE((s.r - wanted).norm(), 1e-8 * (1 + wanted.norm())) << seed;  // residual 1e-12 times the condition of W
    }
  }
  // W need not be symmetric: (2, 1; 0, 1) r = (3, 1). A negative one has two solutions or none.
  MatrixXd W(2, 2);
  W << 2, 1, 0, 1;
  const ContactProblem skew = problem_of(1, W, Vector2d(-3, -1), Vector2d(0, 0), Law::resting);
  for (const SweepMethod method : both) EXPECT_LE((solve(skew, method).r - Vector2d(1, 1)).norm(), 1e-11);
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_EQ(solve(problem_of(1, -one, one, one, Law::resting), SweepMethod::block, 2 * one).r, one);
  EXPECT_EQ(solve(problem_of(1, -one, one, one, Law::resting), SweepMethod::block).r, 0 * one);
  const SweepReport none = solve(problem_of(1, -one, -one, one, Law::resting), SweepMethod::block);
  EXPECT_EQ(none.status, SweepStatus::growing);
  EXPECT_EQ(none.without_solution, 0);
}

TEST(GaussSeidel, SolutionsStay) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const ContactProblem p = drawn_problem(draws, dimension, 4, 4 * dimension + 4, Law::resting);
    for (const SweepMethod method : both) {
      const SweepReport s = solve(p, method);
      ASSERT_EQ(s.status, SweepStatus::converged) << seed;
      const SweepReport again = solve(p, method, s.r);
      EXPECT_EQ(again.sweeps, 0) << seed;
      EXPECT_EQ(again.r, s.r) << seed;
      SweepOptions never;  // no residual is below zero: forced to go on, it must not wander off
      never.method = method;
      never.tolerance = -1;
      never.most_sweeps = 40;
      never.start = s.r;
      EXPECT_LE((gauss_seidel(p, never).r - s.r).norm(), 1e-9 * (1 + s.r.norm())) << seed;
    }
  }
}

TEST(GaussSeidel, ForcesScaleWithTheLoad) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const ContactProblem p =
        drawn_problem(draws, dimension, 3, 2 * dimension, draws.integer(0, 2) == 0 ? Law::sliding : Law::resting);
    for (const SweepMethod method : both) {
      const SweepReport s = solve(p, method, {}, 300);
      for (const double c : {0x1p-200, 0x1p-7, 0x1p9, 0x1p200}) {  // powers of two scale every rounding along
        ContactProblem scaled = p;
        scaled.q *= c;
        const SweepReport t = solve(scaled, method, {}, 300);
        EXPECT_EQ(t.status, s.status) << seed;
        EXPECT_EQ(t.sweeps, s.sweeps) << seed;
        EXPECT_EQ(t.r, c * s.r) << seed << " " << c;
        EXPECT_EQ(t.factor, s.factor) << seed;
      }
      ContactProblem thrice = p;
      thrice.q *= 3;
      const SweepReport t = solve(thrice, method, {}, 300);
      if (s.status != SweepStatus::converged || t.status != s.status) continue;
      EXPECT_LE((p.W * (t.r - 3 * s.r)).norm(), 1e-9 * p.W.norm() * (1 + s.r.norm())) << seed;
    }
  }
}

TEST(GaussSeidel, BilateralContacts) {
  int pulls = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const int count = draws.integer(1, 4);
    ContactProblem p = drawn_problem(draws, dimension, count, dimension * count + 4, Law::resting);
    for (int i = 0; i < count; ++i) p.bilateral[static_cast<std::size_t>(i)] = i != 1;
    const SweepReport s = solve(p, SweepMethod::block);
    if (count == 1) {
      EXPECT_EQ(s.status, SweepStatus::converged) << seed;
    }
    if (s.status != SweepStatus::converged) continue;
    pulls += s.r(p.normal(0)) < 0;
    EXPECT_LE(violation(p, s.r), 1e-10 * p.W.norm() * (s.r.norm() + 1)) << seed;
    const SweepReport projected = solve(p, SweepMethod::projected);
    if (projected.status != SweepStatus::converged) continue;
    EXPECT_LE(violation(p, projected.r), 1e-10 * p.W.norm() * (s.r.norm() + 1)) << seed;
  }
  EXPECT_GT(pulls, 60);
  // Slides with p = 2 − 3 < 0 when it pushes and 2 + 3 when it pulls: q_n = 1 allows 1 and −1/5, q_n = −1 nothing.
  ContactProblem p = one_planar(9, 1, 2, 0, 1, 3, 1);
  p.bilateral[0] = true;
  EXPECT_LE((solve(p, SweepMethod::block, Vector2d(-3, 2)).r - Vector2d(-3, 1)).norm(), 1e-15);
  EXPECT_LE((solve(p, SweepMethod::block).r - Vector2d(-0.6, -0.2)).norm(), 1e-15);
  p.q(1) = -1;
  const SweepReport none = solve(p, SweepMethod::block);
  EXPECT_EQ(none.status, SweepStatus::growing);
  EXPECT_NEAR(none.factor, 1.5, 1e-9);
}

TEST(GaussSeidel, SingularContactsHoldWhatTheyCan) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const int rank = draws.integer(0, dimension - 1);
    ContactProblem p = drawn_problem(draws, dimension, 1, std::max(rank, 1), Law::resting);
    if (rank == 0) {
      p.W.setZero();
      p.q.setZero();
    }
    p.bilateral[0] = draws.integer(0, 3) == 0;
    VectorXd start(dimension);
    for (double& x : start) x = draws.normal();
    const SweepReport s = solve(p, SweepMethod::block, start);
    ASSERT_TRUE(s.r.allFinite() && s.w.allFinite()) << seed;
    EXPECT_EQ(s.status, SweepStatus::converged) << seed << " rank " << rank;
    EXPECT_LE(s.sweeps, 3) << seed;
    EXPECT_LE(violation(p, s.r), 1e-10 * (p.W.norm() + 1) * (s.r.norm() + 1)) << seed << " rank " << rank;
  }
}

TEST(GaussSeidel, OfManyHoldingForcesTheNearestIsTaken) {
  // One direction without effect: r_n = 1 and |r_t| ≤ 1/2.
  const ContactProblem line = one_planar(0, 0, 1, 0, -1, 0.5);
  EXPECT_EQ(solve(line, SweepMethod::block, Vector2d(3, 1)).r, Vector2d(0.5, 1));
  EXPECT_EQ(solve(line, SweepMethod::block, Vector2d(-3, 1)).r, Vector2d(-0.5, 1));
  EXPECT_EQ(solve(line, SweepMethod::block, Vector2d(0.2, 5)).r, Vector2d(0.2, 1));
  ContactProblem p =
      problem_of(3, Vector3d(1, 0, 1).asDiagonal(), Vector3d(0.3, 0, -1), VectorXd::Constant(1, 0.5), Law::resting);
  for (const double side : {1.0, -1.0}) {
    const SweepReport s = solve(p, SweepMethod::block, Vector3d(0, 2 * side, 0));
    EXPECT_LE((s.r - Vector3d(-0.3, 0.4 * side, 1)).norm(), 1e-15);
  }
  // All directions: the foot on the cone.
  p.W.setZero();
  p.q.setZero();
  EXPECT_LE((solve(p, SweepMethod::block, Vector3d(0, 2, 1)).r - Vector3d(0, 0.8, 1.6)).norm(), 1e-15);
  EXPECT_EQ(solve(p, SweepMethod::block, Vector3d(0, 1, -3)).r, Vector3d(0, 0, 0));
}

TEST(GaussSeidel, ContactsWithoutNormalResponse) {
  for (const SweepMethod method : both) {
    for (const double slip : {0.0, 1.0}) {
      const SweepReport loaded = solve(one_planar(2, 0, 0, 1, -1, 0.5, slip), method);
      EXPECT_EQ(loaded.status, SweepStatus::limit);
      EXPECT_EQ(loaded.r, Vector2d(0, 0));
      EXPECT_LE(loaded.sweeps, 2) << "nothing moves";
      EXPECT_EQ(loaded.without_solution, method == SweepMethod::block ? 0 : -1);
      const SweepReport open = solve(one_planar(2, 0, 0, 1, 1, 0.5, slip), method, Vector2d(-3, 2));
      EXPECT_EQ(open.status, SweepStatus::converged);
      EXPECT_EQ(open.r, Vector2d(0, 0));
    }
    // No tangential response: friction is as large as it can be against the slip.
    const SweepReport s = solve(one_planar(0, 0, 2, 1, -4, 0.5), method);
    EXPECT_EQ(s.status, SweepStatus::converged);
    EXPECT_EQ(s.r, Vector2d(-1, 2));
  }
}

TEST(GaussSeidel, LawsMix) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    ContactProblem p = drawn_problem(draws, dimension, 5, 5 * dimension + 5, Law::resting);
    p.mu *= 0.5;
    p.law[1] = Law::sliding;
    p.law[2] = Law::separated;
    p.law[4] = Law::sliding;
    p.bilateral[4] = true;
    const VectorXd start = VectorXd::Ones(p.q.size());
    for (const SweepMethod method : both) {
      const SweepReport s = solve(p, method, start);
      EXPECT_EQ(s.r.segment(p.tangent(2), dimension).norm(), 0) << seed;
      if (s.status != SweepStatus::converged) continue;
      EXPECT_LE(violation(p, s.r), 1e-10 * p.W.norm() * (s.r.norm() + 1)) << seed;
      ++solved;
    }
  }
  EXPECT_GE(solved, 180);
}

TEST(GaussSeidel, ProjectedStepTakesTheNormalFirst) {
  const SweepReport inside = solve(one_planar(1, 0.5, 1, -0.3, -1, 2), SweepMethod::projected, {}, 1);
  EXPECT_EQ(inside.sweeps, 1);
  EXPECT_LE((inside.r - Vector2d(-0.2, 1)).norm(), 1e-15) << "w_t = -0.3 + 0.5 once r_n = 1";
  const SweepReport cut = solve(one_planar(1, 0.5, 1, -0.3, -1, 0.1), SweepMethod::projected, {}, 1);
  EXPECT_LE((cut.r - Vector2d(-0.1, 1)).norm(), 1e-15);
}

TEST(GaussSeidel, InputAndWords) {
  EXPECT_THROW(solve(rod_step_N(0.01), SweepMethod::block, Vector3d(0, 0, 0)), InputError);
  EXPECT_THROW(solve(rod_step_N(0.01), SweepMethod::block, Vector2d(0, std::nan(""))), InputError);
  const SweepReport empty = gauss_seidel(problem_of(2, MatrixXd(0, 0), VectorXd(0), VectorXd(0), Law::resting));
  EXPECT_EQ(empty.status, SweepStatus::converged);
  EXPECT_EQ(empty.r.size(), 0);
  EXPECT_STREQ(to_string(SweepStatus::converged), "converged");
  EXPECT_STREQ(to_string(SweepStatus::growing), "growing");
  EXPECT_STREQ(to_string(SweepStatus::limit), "limit");
}

// Growth is said as soon as it is beyond doubt, and at the end of a run only when it was there for most of the run.
TEST(GaussSeidel, GrowthIsSaidWhenItIsSure) {
  // One contact that slides into the corner grows by 3/2 per sweep, to 1e12 of the load in 69 sweeps.
  ContactProblem p = one_planar(9, 1, 2, 0, -1, 3, 1);
  const SweepReport sure = solve(p, SweepMethod::projected);
  EXPECT_EQ(sure.status, SweepStatus::growing);
  EXPECT_GE(sure.sweeps, 69);
  EXPECT_LE(sure.sweeps, 120);
  EXPECT_EQ(solve(p, SweepMethod::projected, {}, 60).status, SweepStatus::limit) << "not long enough";
  // By 21/20: nowhere near 1e12 after 300 sweeps, but all the way up.
  p = one_planar(9, 1.05, 1, 0, -1, 1, 1);
  EXPECT_EQ(solve(p, SweepMethod::projected, {}, 300).status, SweepStatus::growing);
  EXPECT_EQ(solve(p, SweepMethod::projected, {}, 80).status, SweepStatus::limit);
}

TEST(GaussSeidel, GrowthThatBeganLateIsNotSaidYet) {
  // Two smooth contacts whose forces fall by 1 % per sweep from 1e9, beside one that grows by 5 %: the largest force
  // falls for 352 sweeps and is 1000 times the first after 566.
  MatrixXd W = MatrixXd::Zero(6, 6);
  W.diagonal().setOnes();
  W(1, 3) = W(3, 1) = -std::sqrt(0.99);
  W(4, 4) = 9;
  W(4, 5) = W(5, 4) = 1.05;
  VectorXd q = VectorXd::Zero(6);
  q(5) = -1;
  ContactProblem p = problem_of(2, W, q, Vector3d(0, 0, 1), Law::sliding);
  p.slip.setOnes();
  VectorXd start = VectorXd::Zero(6);
  start(1) = start(3) = 1e9;
  EXPECT_EQ(solve(p, SweepMethod::projected, start, 600).status, SweepStatus::limit);
  EXPECT_EQ(solve(p, SweepMethod::projected, start, 800).status, SweepStatus::growing);
}

TEST(GaussSeidel, ContactsThatDoNotFeelEachOtherNeedOneSweep) {
  for (const int dimension : {1, 2, 3}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Draws draws(seed);
      ContactProblem p = drawn_problem(draws, dimension, 3, 3 * dimension + 2, Law::resting);
      for (int i = 0; i < 3; ++i) {
        const MatrixXd own = p.W.block(p.tangent(i), p.tangent(i), dimension, dimension);
        p.W.middleRows(p.tangent(i), dimension).setZero();
        p.W.block(p.tangent(i), p.tangent(i), dimension, dimension) = own;
      }
      p.q.setConstant(-1);
      p.mu *= 0.1;
      SweepOptions options;
      options.finish = false;
      const SweepReport s = gauss_seidel(p, options);
      EXPECT_EQ(s.status, SweepStatus::converged) << seed;
      EXPECT_EQ(s.found_by, SweepEnd::sweeps) << seed;
      EXPECT_LE(s.sweeps, 2) << seed;
      EXPECT_LE(violation(p, s.r), 1e-10 * p.W.norm() * (s.r.norm() + 1)) << seed;
    }
  }
}

// One freedom, which no force keeps from pressing the second contact in. The third slips with p = 0: its force has no
// effect however large, and what rounding makes of a huge one is none either.
TEST(GaussSeidel, ForceWithoutEffectIsNoSolution) {
  const VectorXd J{{-3, -1, -3, -3, -2, -3}};
  ContactProblem p;
  p.dimension = 2;
  p.W = J * J.transpose();
  p.q = VectorXd{{-3, 1, -3, -3, -3, -3}};
  p.mu = VectorXd{{3, 5, 1.5}};
  p.law = {Law::sliding, Law::sliding, Law::sliding};
  p.bilateral = {false, false, false};
  p.slip = MatrixXd::Ones(1, 3);
  const SweepReport report = gauss_seidel(p);
  EXPECT_NE(report.status, SweepStatus::converged) << report.r.transpose();
}

TEST(GaussSeidel, FewContactsMostlyNeedNoSweep) {
  int at_once = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int dimension = draws.integer(2, 3);
    const int contacts = draws.integer(2, 4);
    const ContactProblem p = drawn_problem(draws, dimension, contacts, 3 * contacts + 3, Law::resting);
    const SweepReport s = gauss_seidel(p);
    if (s.status != SweepStatus::converged) continue;
    EXPECT_LE(violation(p, s.r), 1e-10 * (p.W.norm() + 1) * (s.r.norm() + 1)) << seed;
    EXPECT_EQ(s.sweeps == 0, s.found_by == SweepEnd::start || (s.found_by == SweepEnd::modes && s.factor == 0)) << seed;
    if (s.sweeps == 0 && s.found_by == SweepEnd::modes) ++at_once;
    // What solves it is its own start.
    SweepOptions from;
    from.start = s.r;
    EXPECT_EQ(gauss_seidel(p, from).found_by, SweepEnd::start) << seed;
  }
  EXPECT_GT(at_once, 100);
}

}  // namespace gauss_seidel_test
}  // namespace painleve
