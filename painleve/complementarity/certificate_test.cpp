#include "painleve/complementarity/certificate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace certificate_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactProblem drawn_problem(Draws& draws, int dimension, int count) {
  ContactProblem p;
  const int rows = dimension * count;
  p.dimension = dimension;
  p.mu.resize(count);
  p.q.resize(rows);
  p.slip = MatrixXd::Zero(dimension - 1, count);
  VectorXd units(rows);
  for (int i = 0; i < count; ++i) {
    p.mu(i) = draws.uniform(0, 1.5);
    p.bilateral.push_back(draws.integer(0, 3) == 0);
    p.law.push_back(static_cast<Law>(draws.integer(0, 2)));
    VectorXd e(dimension - 1);
    for (double& x : e) x = draws.normal();
    if (dimension > 1) p.slip.col(i) = e.normalized();
    units.segment(p.tangent(i), dimension).setConstant(std::exp(draws.uniform(-9, 9)));
  }
  for (double& x : p.q) x = draws.normal();
  p.W = units.asDiagonal() * drawn_gram(draws, rows, rows + 2, 0) * units.asDiagonal();
  return p;
}

// The definition, on a problem that is written in the units of its contacts.
double by_definition(const ContactProblem& problem, const VectorXd& r, const VectorXd& w) {
  const ScaledProblem s = scaled(problem);
  const ContactProblem& p = s.problem;
  const VectorXd own_r = r.cwiseQuotient(s.factor);
  const VectorXd own_w = s.factor.cwiseProduct(w);
  double worst = (p.W * own_r + p.q - own_w).lpNorm<Eigen::Infinity>();
  for (int i = 0; i < p.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const VectorXd r_t = own_r.segment(p.tangent(i), p.dimension - 1);
    const double r_n = own_r(p.normal(i));
    const double pressed = r_n - own_w(p.normal(i));
    VectorXd wanted = r_t - own_w.segment(p.tangent(i), p.dimension - 1);
    const double limit = p.mu(i) * std::abs(r_n);
    if (wanted.norm() > limit) wanted = wanted.normalized() * limit;
    if (p.law[at] == Law::sliding) wanted = -limit * p.slip.col(i);
    double violation =
        std::max(std::abs(r_n - (p.bilateral[at] ? pressed : std::max(0.0, pressed))), (r_t - wanted).norm());
    if (p.law[at] == Law::separated) violation = own_r.segment(p.tangent(i), p.dimension).norm();
    worst = std::max(worst, violation);
  }
  const double load = p.q.lpNorm<Eigen::Infinity>();
  return worst / std::clamp(own_r.lpNorm<Eigen::Infinity>(), load, 1e6 * load);
}

// A contact with p = 0 that is pressed in harder the larger its force is said to be: no force holds it.
TEST(Certificate, ForcesThatSwallowTheLoadCertifyNothing) {
  ContactProblem p;
  p.dimension = 2;
  p.W = MatrixXd{{4, 6}, {6, 9}};
  p.q = VectorXd{{-2, -3}};
  p.mu = VectorXd{{1.5}};
  p.law = {Law::sliding};
  p.bilateral = {false};
  p.slip = MatrixXd::Ones(1, 1);
  for (const double size : {1.0, 1e6, 1e12, 1e18, 1e25, 1e40}) {
    const VectorXd r{{-1.5 * size, size}};
    EXPECT_GT(law_residual(p, r, p.W * r + p.q), 1e-9) << size;
    const VectorXd lifted{{0, 9e9}};  // what rounding may make of W r
    EXPECT_GT(law_residual(p, r, lifted), 1e-9) << size;
  }
}

TEST(Certificate, IsItsDefinition) {
  for (const int dimension : {1, 2, 3}) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      Draws draws(seed);
      const int count = draws.integer(1, 6);  // few and many rows are multiplied in different ways
      const ContactProblem p = drawn_problem(draws, dimension, count);
      const VectorXd factor = scaled(p).factor;
      VectorXd r(p.q.size()), w(p.q.size());
      for (double& x : r) x = draws.normal() * std::exp(draws.uniform(-3, 20));
      r = r.cwiseProduct(factor);
      w = p.W * r + p.q;
      if (draws.integer(0, 1) == 0) w(draws.integer(0, static_cast<int>(w.size()) - 1)) += draws.normal();
      EXPECT_NEAR(law_residual(p, r, w) / by_definition(p, r, w), 1, 1e-9) << dimension << " " << seed;
    }
  }
}

// Nothing that is not a number passes, wherever it stands.
TEST(Certificate, WhatIsNoNumberNeverPasses) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const int count : {1, 5}) {
      Draws draws(7);
      ContactProblem p = drawn_problem(draws, 3, count);
      p.law.assign(p.law.size(), Law::resting);
      p.q = VectorXd::Ones(p.q.size());  // r = 0 with w = q is a solution where nothing is held
      p.bilateral.assign(p.bilateral.size(), false);
      const VectorXd none = VectorXd::Zero(p.q.size());
      ASSERT_EQ(law_residual(p, none, p.q), 0);
      for (Eigen::Index k = 0; k < p.q.size(); ++k) {
        VectorXd r = none;
        VectorXd w = p.q;
        r(k) = bad;
        EXPECT_FALSE(law_residual(p, r, w) <= 1) << k;
        w(k) = bad;
        EXPECT_FALSE(law_residual(p, none, w) <= 1) << k;
      }
    }
  }
}

TEST(Certificate, UnitsOfTheContactsArePowersOfTwoNearTheRootOfTheirResponse) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn_problem(draws, 2, 3);
    for (int i = 0; i < 3; ++i) {
      const double factor = own_factor(p, i, largest_response(p));
      const double largest = largest_response(p);
      const double own = p.W.diagonal().segment(p.tangent(i), 2).maxCoeff();
      const double response = own > 1e-14 * largest ? own : largest;  // one that nothing moves has no unit of its own
      int exponent = 0;
      EXPECT_EQ(std::frexp(factor, &exponent), 0.5) << seed;
      EXPECT_EQ(factor, std::exp2(-std::round(std::log2(response) / 2))) << seed;
    }
  }
  ContactProblem p;
  p.dimension = 1;
  p.mu = VectorXd::Zero(1);
  for (const double response : {0.125, 0.5, 1.0, 2.0, 8.0}) {  // halfway between two powers: away from 1
    p.W = MatrixXd::Constant(1, 1, response);
    EXPECT_EQ(own_factor(p, 0, response), std::exp2(-std::round(std::log2(response) / 2))) << response;
  }
  for (int exponent = -40; exponent <= 40; ++exponent) {
    for (const double mantissa : {1.0, 1 + 0x1p-52, 1.25, 1.5, 1.75, 2 - 0x1p-52}) {
      const double response = std::ldexp(mantissa, exponent);
      p.W = MatrixXd::Constant(1, 1, response);
      const double factor = own_factor(p, 0, response);
      EXPECT_GE(factor * factor * response, 0.5) << mantissa << " " << exponent;
      EXPECT_LE(factor * factor * response, 2) << mantissa << " " << exponent;
    }
  }
}

}  // namespace certificate_test
}  // namespace painleve
