// Newton's method on the equations of a word, from beside solutions that were made.
#include "painleve/complementarity/word_newton.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace word_newton_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Made {
  ContactProblem problem;
  WordEquations equations;
  NewtonPoint solution;
};

VectorXd drawn_vector(Draws& draws, Eigen::Index size, double least, double most) {
  VectorXd v(size);
  for (double& x : v) x = draws.uniform(least, most);
  return v;
}

// Forces, directions and slips of the word are drawn, and then the load that asks for them.
Made made(Draws& draws, const SpatialWord& word, const MatrixXd& W) {
  const auto count = static_cast<Eigen::Index>(word.size());
  Made m;
  ContactProblem& p = m.problem;
  p.dimension = 3;
  p.W = W;
  p.q = VectorXd::Zero(3 * count);
  p.mu = drawn_vector(draws, count, 0.2, 1);
  p.bilateral.assign(word.size(), true);
  p.law.assign(word.size(), Law::resting);
  p.slip = MatrixXd::Zero(2, count);
  for (int i = 0; i < p.count(); ++i) {
    if (word[static_cast<std::size_t>(i)].role != Role::given) continue;
    p.law[static_cast<std::size_t>(i)] = Law::sliding;
    p.slip.col(i) = Eigen::Vector2d(0.6, -0.8);
  }
  m.equations = word_equations(p, word);
  const auto sought = static_cast<Eigen::Index>(m.equations.sought.size());
  NewtonPoint& z = m.solution;
  z.x = drawn_vector(draws, m.equations.E.cols(), -1, 1);
  z.r_n = drawn_vector(draws, sought, 0.5, 1);
  z.angle = drawn_vector(draws, sought, -std::numbers::pi, std::numbers::pi);
  z.c = drawn_vector(draws, sought, 0.5, 2);
  VectorXd w = VectorXd::Zero(3 * count);
  for (Eigen::Index k = 0; k < sought; ++k) {
    z.r_n(k) *= m.equations.sign[static_cast<std::size_t>(k)];
    w.segment<2>(p.tangent(m.equations.sought[static_cast<std::size_t>(k)])) =
        z.c(k) * direction(z, static_cast<int>(k));
  }
  p.q = w - W * force_of(p, m.equations, z);
  return m;
}

SpatialWord drawn_word(Draws& draws) {
  SpatialWord word;
  const int count = draws.integer(2, 4);
  for (int i = 0; i < count; ++i) {
    const Role kinds[] = {Role::stick, Role::sought, Role::sought, Role::given, Role::smooth};
    word.push_back({kinds[draws.integer(0, 4)], draws.integer(0, 2) == 0 ? -1 : 1});
  }
  word.push_back({Role::sought, 1});
  return word;
}

double distance(const NewtonPoint& a, const NewtonPoint& b) {
  double most = a.x.size() > 0 ? (a.x - b.x).cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index k = 0; k < a.c.size(); ++k)
    most =
        std::max({most, std::abs(a.r_n(k) - b.r_n(k)), std::abs(a.angle(k) - b.angle(k)), std::abs(a.c(k) - b.c(k))});
  return most;
}

// Five steps from 1e-3 beside reach rounding only when the derivatives are right.
TEST(WordNewton, ConvergesQuadratically) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const SpatialWord word = drawn_word(draws);
    const auto rows = static_cast<int>(3 * word.size());
    const Made m = made(draws, word, drawn_gram(draws, rows, rows + 3, 1));
    NewtonPoint z = m.solution;
    const auto shake = [&](VectorXd& v) {
      for (double& x : v) x += draws.uniform(-1e-3, 1e-3);
    };
    shake(z.x);
    shake(z.r_n);
    shake(z.angle);
    shake(z.c);
    const NewtonResult result = polish(m.problem, m.equations, z, 5);
    EXPECT_LE(result.error, 1e-12 * (1 + m.problem.W.norm())) << seed;
    EXPECT_LE(distance(z, m.solution), 1e-10) << seed;
    EXPECT_EQ(result.undetermined, 0) << seed;
    EXPECT_EQ(result.largest, force_of(m.problem, m.equations, z).cwiseAbs().maxCoeff()) << seed;
    EXPECT_GE(result.rounding, 1e-13) << seed;
    EXPECT_LE(result.rounding, 1e-10) << seed;
  }
}

// From far away it does not always arrive, but the error falls, and says what is left.
TEST(WordNewton, ErrorIsWhatIsLeftOfTheEquations) {
  int arrived = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    const SpatialWord word = drawn_word(draws);
    const auto rows = static_cast<int>(3 * word.size());
    const Made m = made(draws, word, drawn_gram(draws, rows, rows + 3, 1));
    NewtonPoint z = m.solution;
    for (double& x : z.angle) x += draws.uniform(-1, 1);
    const NewtonResult result = polish(m.problem, m.equations, z, 60);
    const VectorXd w = m.problem.W * force_of(m.problem, m.equations, z) + m.problem.q;
    double left = 0;
    for (const int row : m.equations.rows) left = std::max(left, std::abs(w(row)));
    for (std::size_t k = 0; k < m.equations.sought.size(); ++k) {
      const int i = m.equations.sought[k];
      const auto at = static_cast<Eigen::Index>(k);
      left = std::max(left, std::abs(w(m.problem.normal(i))));
      const Eigen::Vector2d slip = z.c(at) * direction(z, static_cast<int>(k));
      left = std::max(left, (w.segment<2>(m.problem.tangent(i)) - slip).cwiseAbs().maxCoeff());
    }
    EXPECT_NEAR(result.error, left, 1e-13 * (1 + m.problem.W.norm())) << seed;
    arrived += result.error < 1e-10;
  }
  EXPECT_GT(arrived, 60);
}

// Two contacts that stick and can be pressed against each other without effect, beside one that slips.
TEST(WordNewton, UndeterminedForcesHaveNoEffect) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Draws draws(seed);
    const SpatialWord word{{Role::stick, 1}, {Role::sought, 1}, {Role::stick, 1}};
    VectorXd press = VectorXd::Zero(9);
    press.head<3>() = drawn_vector(draws, 3, -1, 1);
    press.tail<3>() = drawn_vector(draws, 3, -1, 1);
    press.normalize();
    const MatrixXd P = MatrixXd::Identity(9, 9) - press * press.transpose();
    const Made m = made(draws, word, P * drawn_gram(draws, 9, 12, 1) * P);
    NewtonPoint z = m.solution;
    z.angle(0) += 1e-3;
    const NewtonResult result = polish(m.problem, m.equations, z, 8);
    EXPECT_LE(result.error, 1e-11) << seed;
    EXPECT_EQ(result.undetermined, 1) << seed;
    const MatrixXd N = undetermined_forces(m.problem, m.equations, z);
    ASSERT_EQ(N.cols(), 1) << seed;
    EXPECT_GT(N.norm(), 0.1) << seed;
    EXPECT_LE((N - press * (press.transpose() * N)).norm(), 1e-9) << seed;
  }
}

// The force of a contact that slips takes part: pressed against one that sticks, beside one without friction.
TEST(WordNewton, UndeterminedForcesMayBeThoseOfAContactThatSlips) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Draws draws(seed);
    const SpatialWord word{{Role::stick, 1}, {Role::sought, 1}, {Role::smooth, 1}};
    Made m = made(draws, word, MatrixXd::Identity(9, 9));
    ContactProblem& p = m.problem;
    const Eigen::Vector2d e = direction(m.solution, 0);
    VectorXd press = VectorXd::Zero(9);
    press.head<3>() = drawn_vector(draws, 3, -1, 1);
    press.segment<3>(3) = force_direction(p, m.equations, 0, e);
    press.normalize();
    const MatrixXd P = MatrixXd::Identity(9, 9) - press * press.transpose();
    p.W = P * drawn_gram(draws, 9, 12, 1) * P;
    VectorXd w = VectorXd::Zero(9);
    w.segment<2>(3) = m.solution.c(0) * e;
    p.q = w - p.W * force_of(p, m.equations, m.solution);
    const MatrixXd N = undetermined_forces(p, m.equations, m.solution);
    ASSERT_EQ(N.cols(), 1) << seed;
    EXPECT_GT(N.norm(), 0.1) << seed;
    EXPECT_LE((N - press * (press.transpose() * N)).norm(), 1e-9) << seed;
  }
}

// However badly conditioned, no more is granted.
TEST(WordNewton, RoundingIsBounded) {
  Draws draws(1);
  const Made m = made(draws, {{Role::sought, 1}}, Eigen::Vector3d(1, 1, 1e-8).asDiagonal());
  NewtonPoint z = m.solution;
  const NewtonResult result = polish(m.problem, m.equations, z, 5);
  EXPECT_EQ(result.undetermined, 0);
  EXPECT_EQ(result.rounding, 1e-10);
}

}  // namespace word_newton_test
}  // namespace painleve
