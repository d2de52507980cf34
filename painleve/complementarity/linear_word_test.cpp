// One word of a linear problem: what it says of its numbers, in the units of the problem.
#include "painleve/complementarity/linear_word.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace linear_word_test {

using Eigen::Vector2d;
using Eigen::VectorXd;

ContactProblem planar(const Eigen::Matrix2d& W, const Vector2d& q, double mu) {
  return acceleration_problem(closed_contacts(2, W, q, Vector2d::Zero(), VectorXd::Constant(1, mu)), {}).problem;
}

ContactMode letter(Letter l, double along = 0) { return {l, VectorXd::Constant(1, along), 1}; }

std::string reason(const ContactProblem& p, const ContactMode& mode) {
  const WordSolution s = solve_word(p, {mode}, Ends::modes);
  EXPECT_FALSE(s.consistent);
  return s.reason;
}

std::string shown(double value) {
  std::ostringstream text;  // six digits
  text << value;
  return text.str();
}

// A light and a heavy body: the contacts have units of their own inside, the reasons do not.
TEST(LinearWord, ReasonsGiveTheNumbersOfTheProblem) {
  for (const double w : {1.0, 4e6, 2.5e-7}) {
    const Eigen::Matrix2d W = w * Eigen::Matrix2d::Identity();
    EXPECT_EQ(reason(planar(W, {0, -3}, 0.5), letter(Letter::F)), "c1 would sink in: a_n = -3 m/s^2");
    EXPECT_EQ(reason(planar(W, {0, 3}, 0.5), letter(Letter::T)),
              "c1 would have to pull: lambda_n = " + shown(-3 / w) + " N");
    EXPECT_EQ(reason(planar(W, {-2, -2}, 0.5), letter(Letter::T)),
              "c1 cannot stick: the force leaves the friction cone by " + shown(1 / w) + " N");
    EXPECT_EQ(reason(planar(W, {-2, -2}, 0.5), letter(Letter::S, 1)),
              "c1 would not accelerate in the direction of slip: a_t along it = -3 m/s^2");
  }
}

TEST(LinearWord, AFreeContactThatDoesNotLiftIsABoundary) {
  const Eigen::Matrix2d W = Eigen::Matrix2d::Identity();
  for (const double q_n : {0.0, 1e-3, 1.0}) {
    const WordSolution s = solve_word(planar(W, {1, q_n}, 0.5), {letter(Letter::F)}, Ends::modes);
    ASSERT_TRUE(s.consistent) << q_n;
    EXPECT_EQ(s.boundary, q_n == 0) << q_n;
    EXPECT_EQ(*s.r, Vector2d(0, 0));
    EXPECT_EQ(*s.w, Vector2d(1, q_n));
  }
  const WordSolution slips = solve_word(planar(W, {1, -1}, 0.5), {letter(Letter::S, 1)}, Ends::modes);
  ASSERT_TRUE(slips.consistent);
  EXPECT_FALSE(slips.boundary) << "it carries force";
}

// Powers of two as units of force and motion change no digit of any word.
TEST(LinearWord, UnitsDoNotMatter) {
  int consistent = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int count = draws.integer(1, 3);
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * count, draws.integer(1, 2 * count), 0);
    VectorXd z(2 * count);
    for (double& x : z) x = draws.normal();
    const auto problem = [&](double response, double load) {
      return acceleration_problem(closed_contacts(2, response * W, load * W * z, VectorXd::Zero(2 * count),
                                                  VectorXd::Constant(count, 0.6)),
                                  {})
          .problem;
    };
    const ContactProblem p = problem(1, 1);
    std::vector<ContactMode> word;
    for (int i = 0; i < count; ++i) {
      const auto letters = admissible_letters(p, i);
      word.push_back(letters[static_cast<std::size_t>(draws.integer(0, static_cast<int>(letters.size()) - 1))]);
    }
    for (const Ends ends : {Ends::modes, Ends::pieces}) {
      const WordSolution s = solve_word(p, word, ends);
      consistent += s.consistent;
      for (const double response : {0x1p-60, 0x1p60}) {
        const WordSolution other = solve_word(problem(response, 0x1p-20), word, ends);
        EXPECT_EQ(other.consistent, s.consistent) << seed;
        EXPECT_EQ(other.boundary, s.boundary) << seed;
        EXPECT_EQ(other.family.dimension, s.family.dimension) << seed;
        EXPECT_EQ(other.family.motion_dimension, s.family.motion_dimension) << seed;
        EXPECT_EQ(other.family.vertices.size(), s.family.vertices.size()) << seed;
        ASSERT_EQ(other.r.has_value(), s.r.has_value()) << seed;
        if (s.consistent) {
          EXPECT_LE((*other.r * (response * 0x1p20) - *s.r).norm(), 1e-9 * s.r->norm()) << seed;
          EXPECT_LE((*other.w * 0x1p20 - *s.w).norm(), 1e-9 * (p.q.norm() + s.w->norm())) << seed;
        }
      }
    }
  }
  EXPECT_GT(consistent, 40);
}

// A force at the edge of the friction cone is found, though stick leaves the cone by rounding and slip along the edge
// does not accelerate: such a contact, with p > 0, has one solution. Light along the tangent and nearly singular
// responses widen what lies between the two.
TEST(LinearWord, NoSolutionIsLostBetweenStickAndSlip) {
  Draws draws(7);
  int nearly_singular = 0;
  for (int k = 0; k < 4000; ++k) {
    const double W_nn = draws.uniform(0.5, 2);
    const double W_tt = W_nn * std::pow(10, draws.uniform(-3, 0.3));
    const double from_one = std::pow(10, draws.uniform(-8, 0));
    const double W_tn = (k % 2 == 0 ? 1 : -1) * (1 - from_one) * std::sqrt(W_tt * W_nn);
    const double mu = draws.uniform(0.05, 0.9) * W_nn / std::abs(W_tn);
    const double off = std::pow(10, draws.uniform(-16, -10)) * (k % 3 - 1);
    const Vector2d force((k % 4 < 2 ? 1 : -1) * mu * (1 + off), 1);
    const Eigen::Matrix2d W{{W_tt, W_tn}, {W_tn, W_nn}};
    const ContactProblem p = planar(W, -W * force, mu);
    nearly_singular += from_one < 1e-6 ? 1 : 0;
    for (const Ends ends : {Ends::modes, Ends::pieces}) {
      int found = 0;
      for (const ContactMode& mode : admissible_letters(p, 0)) {
        const WordSolution s = solve_word(p, {mode}, ends);
        if (!s.consistent) continue;
        ++found;
        EXPECT_LT(s.residual, 1e-10) << k;
        const double known = from_one > 1e-6 ? 1e-5 : 1;  // closer to singular a whole line almost balances
        EXPECT_NEAR((*s.r)(1), 1, known) << k;
      }
      EXPECT_GE(found, 1) << k << "\n" << W << "\nmu " << mu;
    }
  }
  EXPECT_GT(nearly_singular, 500);
}

// A contact that hardly lifts does so, or is pushed by hardly a force; where p is small, that force is not.
TEST(LinearWord, NoSolutionIsLostBetweenLiftAndForce) {
  Draws draws(9);
  for (int k = 0; k < 2000; ++k) {
    const double p_plus = std::pow(10, draws.uniform(-6, 0));
    const double W_tn = draws.uniform(0.5, 2);
    const Eigen::Matrix2d W{{2 * W_tn * W_tn, W_tn}, {W_tn, 1}};
    const double b_n = (k % 2 == 0 ? 1 : -1) * std::pow(10, draws.uniform(-18, -9));
    const auto space =
        closed_contacts(2, W, Vector2d(1, b_n), Vector2d(1, 0), VectorXd::Constant(1, (1 - p_plus) / W_tn));
    const ContactProblem p = acceleration_problem(space, {}).problem;
    for (const Ends ends : {Ends::modes, Ends::pieces}) {
      int found = 0;
      for (const ContactMode& mode : admissible_letters(p, 0)) found += solve_word(p, {mode}, ends).consistent ? 1 : 0;
      EXPECT_GE(found, 1) << "b_n " << b_n << ", p+ " << p_plus;
    }
  }
}

TEST(LinearWord, OnlyContactsThatRestInSpaceAreNotLinear) {
  ContactProblem p = planar(Eigen::Matrix2d::Identity(), {1, -1}, 0.5);
  EXPECT_TRUE(is_linear(p));
  p.dimension = 3;
  EXPECT_FALSE(is_linear(p));
  p.law[0] = Law::sliding;
  EXPECT_TRUE(is_linear(p));
}

// One contact slides almost without response and carries 1e9 times its load. Another one, which does not feel that
// force, sinks in: the digits that the force costs are not its own.
TEST(LinearWord, AHugeForceElsewhereDoesNotHideThatAContactSinksIn) {
  const double mu = 0.5;
  const double p_plus = 1e-9;
  Eigen::Matrix4d W = Eigen::Matrix4d::Identity();
  W(0, 0) = 9;
  W(0, 1) = W(1, 0) = (1 - p_plus) / mu;
  for (const double sinks : {1e-8, 1e-10, 0.0}) {
    ContactProblem p = acceleration_problem(closed_contacts(2, W, Eigen::Vector4d(0, -1, 0, -sinks),
                                                            Eigen::Vector4d::Zero(), VectorXd::Constant(2, mu)),
                                            {})
                           .problem;
    p.law[0] = Law::sliding;
    p.slip(0, 0) = 1;
    const WordSolution s = solve_word(p, {letter(Letter::S, 1), letter(Letter::F)}, Ends::modes);
    EXPECT_EQ(s.consistent, sinks == 0) << sinks << " " << s.reason;
    if (sinks > 0) {
      EXPECT_EQ(s.reason, "c2 would sink in: a_n = " + shown(-sinks) + " m/s^2");
    }
  }
}

}  // namespace linear_word_test
}  // namespace painleve
