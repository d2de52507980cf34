// Two directions of slip at once, and the isolation of zeros on the torus beneath it.
#include "painleve/complementarity/slip_pair.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/torus_roots.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace slip_pair_test {

constexpr double pi = std::numbers::pi;

TorusPolynomial polynomial(const std::function<double(double, double)>& f) {
  TorusPolynomial::Square values;
  for (int k = 0; k < 5; ++k) {
    for (int l = 0; l < 5; ++l) {
      values(k, l) = f(2 * pi * k / 5, 2 * pi * l / 5);
    }
  }
  return TorusPolynomial(values);
}

double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * pi)); }

TEST(TorusPolynomial, FiveValuesPerAngleDetermineIt) {
  const auto f = [](double a, double b) {
    return 0.3 + std::cos(a) * std::sin(b) - 0.7 * std::sin(2 * a) * std::cos(b) + 0.2 * std::cos(2 * a - 2 * b);
  };
  const TorusPolynomial p = polynomial(f);
  Draws draws(1);
  for (int k = 0; k < 1000; ++k) {
    const double a = draws.uniform(-7, 7);
    const double b = draws.uniform(-7, 7);
    const Jet j = p.jet(AngleBasis(a), AngleBasis(b));
    constexpr double h = 1e-4;  // central differences are exact to h² times the fourth derivatives
    EXPECT_NEAR(j.value, f(a, b), 1e-14);
    EXPECT_NEAR(j.a, (f(a + h, b) - f(a - h, b)) / (2 * h), 1e-7);
    EXPECT_NEAR(j.b, (f(a, b + h) - f(a, b - h)) / (2 * h), 1e-7);
    EXPECT_NEAR(j.aa, (f(a + h, b) - 2 * f(a, b) + f(a - h, b)) / (h * h), 1e-6);
    EXPECT_NEAR(j.bb, (f(a, b + h) - 2 * f(a, b) + f(a, b - h)) / (h * h), 1e-6);
    const double mixed = f(a + h, b + h) - f(a + h, b - h) - f(a - h, b + h) + f(a - h, b - h);
    EXPECT_NEAR(j.ab, mixed / (4 * h * h), 1e-6);
    // The bounds that boxes are excluded with.
    const double da = draws.uniform(-0.3, 0.3);
    const double db = draws.uniform(-0.3, 0.3);
    const double width = std::max(std::abs(da), std::abs(db));
    const double linear = j.value + j.a * da + j.b * db;
    const double quadratic = linear + j.aa * da * da / 2 + j.ab * da * db + j.bb * db * db / 2;
    const Jet there = p.jet(AngleBasis(a + da), AngleBasis(b + db));
    EXPECT_LE(std::abs(there.value - linear), p.second() * width * width + 1e-14);
    EXPECT_LE(std::abs(there.value - quadratic), p.third() * width * width * width + 1e-14);
    EXPECT_LE(std::abs(there.aa - j.aa), p.change_aa() * width + 1e-14);
    EXPECT_LE(std::abs(there.ab - j.ab), p.change_ab() * width + 1e-14);
    EXPECT_LE(std::abs(there.bb - j.bb), p.change_bb() * width + 1e-14);
  }
}

TEST(CommonZeros, OfProductsAreTheirGrid) {
  // sin(a − p) sin(a − q) vanishes at four angles a, the other polynomial at four angles b; a turn of both coordinates
  // mixes them: 16 zeros.
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const double p = draws.uniform(-pi, pi);
    const double q = p + draws.uniform(0.01, 3.1);
    const double s = draws.uniform(-pi, pi);
    const double t = s + draws.uniform(0.01, 3.1);
    const auto f = [&](double a, double) { return std::sin(a - p) * std::sin(a - q); };
    const auto g = [&](double, double b) { return std::sin(b - s) * std::sin(b - t); };
    const double c = draws.uniform(-1, 1);
    const double d = draws.uniform(-1, 1);
    const TorusSystem system{polynomial([&](double a, double b) { return f(a, b) + c * g(a, b); }),
                             polynomial([&](double a, double b) { return g(a, b) + d * f(a, b); }),
                             {}};
    if (std::abs(1 - c * d) < 0.05) {
      continue;
    }
    const TorusZeros found = common_zeros(system);
    EXPECT_TRUE(found.complete()) << seed;
    ASSERT_EQ(found.zeros.size(), 16U) << seed;
    for (const auto& z : found.zeros) {
      const double a = std::min({apart(z.a, p), apart(z.a, p + pi), apart(z.a, q), apart(z.a, q + pi)});
      const double b = std::min({apart(z.b, s), apart(z.b, s + pi), apart(z.b, t), apart(z.b, t + pi)});
      EXPECT_LT(std::max(a, b), 1e-11) << seed;  // slopes down to 0.01, and 1/0.05 of the mixing
    }
  }
}

TEST(CommonZeros, AwayFromAFlatCentreAreNotLost) {
  // 2 sin x − sin 2x begins with x³: in the centre of a box neither slope nor curvature tells of the zero at x = 0.35.
  const double centre = pi / 8;  // of the first boxes
  const auto f = [](double x) { return 2 * std::sin(x) - std::sin(2 * x); };
  const TorusSystem system{polynomial([&](double a, double) { return f(a - centre) - f(0.35); }),
                           polynomial([&](double, double b) { return f(b - centre) - f(0.35); }),
                           {}};
  const TorusZeros found = common_zeros(system);
  EXPECT_TRUE(found.complete());
  EXPECT_TRUE(std::any_of(found.zeros.begin(), found.zeros.end(), [&](const auto& z) {
    return apart(z.a, centre + 0.35) < 1e-12 && apart(z.b, centre + 0.35) < 1e-12;
  }));
}

TEST(CommonZeros, OfTheSignsAskedForAreKept) {
  const TorusSystem all{polynomial([](double a, double) { return std::sin(a); }),
                        polynomial([](double, double b) { return std::sin(b); }),
                        {}};
  EXPECT_EQ(common_zeros(all).zeros.size(), 4U);
  TorusSystem some = all;
  some.alike = {polynomial([](double a, double) { return std::cos(a); }),
                polynomial([](double, double b) { return std::cos(b); })};
  const TorusZeros kept = common_zeros(some);  // (0, 0) and (π, π)
  EXPECT_EQ(kept.zeros.size(), 2U);
  for (const auto& z : kept.zeros) {
    EXPECT_LT(apart(z.a, z.b), 1e-14);
  }
}

TEST(CommonZeros, ThatTouchAreToldFromNone) {
  // cos a = 1 − s has two zeros near 0 for s > 0, a double one for s = 0, none for s < 0.
  const auto near = [](double s) {
    return TorusSystem{polynomial([=](double a, double) { return std::cos(a) - 1 + s; }),
                       polynomial([](double a, double b) { return std::sin(b) - 0.3 * std::sin(a); }),
                       {}};
  };
  for (const double s : {1e-2, 1e-6, 1e-10, 1e-12}) {
    const TorusZeros found = common_zeros(near(s));
    EXPECT_TRUE(found.complete()) << s;
    EXPECT_EQ(found.zeros.size(), 4U) << s;
    EXPECT_TRUE(common_zeros(near(-s)).complete()) << s;
    EXPECT_TRUE(common_zeros(near(-s)).zeros.empty()) << s;
  }
  const TorusZeros found = common_zeros(near(0));
  EXPECT_TRUE(found.complete());
  ASSERT_EQ(found.zeros.size(), 2U);
  for (const auto& z : found.zeros) {
    EXPECT_LT(apart(z.a, 0), 1e-7);
    EXPECT_TRUE(z.twofold);
  }
}

TEST(CommonZeros, OfACurveExhaustTheBudget) {
  const auto line = [](double a, double b) { return std::sin(a - b); };
  const TorusSystem system{polynomial(line), polynomial([&](double a, double b) { return line(a, b) * 2; }), {}};
  const TorusZeros found = common_zeros(system);
  EXPECT_FALSE(found.complete());
  EXPECT_TRUE(found.exhausted);
}

TwoContacts drawn(Draws& draws) {
  TwoContacts c;
  c.W = drawn_gram(draws, 6, draws.integer(3, 6), 0.02);
  for (int i = 0; i < 6; ++i) {
    c.q(i) = (i % 3 == 2 ? 1 : 2) * draws.normal();
  }
  c.mu = {draws.uniform(0.1, 4), draws.uniform(0.1, 4)};
  return c;
}

void expect_the_law(const TwoContacts& c, const SlipPair& pair, std::uint64_t seed) {
  Eigen::Matrix<double, 6, 1> r;
  for (std::size_t j = 0; j < 2; ++j) {
    r.segment<3>(3 * static_cast<int>(j)) << -c.sign[j] * c.mu[j] * pair.r_n[j] * pair.e[j], pair.r_n[j];
  }
  const Eigen::Matrix<double, 6, 1> w = c.W * r + c.q;
  const double size = c.q.norm() + c.W.norm() * r.norm();
  for (int j = 0; j < 2; ++j) {
    const auto at = static_cast<std::size_t>(j);
    EXPECT_LT(std::abs(w(3 * j + 2)), 1e-9 * size) << seed;
    EXPECT_LT((w.segment<2>(3 * j) - pair.c[at] * pair.e[at]).norm(), 1e-9 * size) << seed;
  }
}

TEST(SlipPairs, SatisfyTheLawAlsoWhenTheyPullAndWIsNotSymmetric) {
  std::size_t found = 0;
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    c.sign = {draws.integer(0, 1) == 0 ? -1 : 1, draws.integer(0, 1) == 0 ? -1 : 1};
    for (auto& x : c.W.reshaped()) {
      x += 0.1 * draws.normal();
    }
    const SlipPairs pairs = slip_pairs(c);
    EXPECT_TRUE(pairs.complete) << seed << " " << pairs.reason;
    for (const auto& pair : pairs.list) {
      expect_the_law(c, pair, seed);
    }
    found += pairs.list.size();
    several += pairs.list.size() > 1;
  }
  EXPECT_GT(found, 400U);
  EXPECT_GT(several, 20U);
}

TEST(SlipPairs, AreToldFromPointsWhereTheEquationsVanishWithoutForces) {
  // Where D = N₁ = N₂ = 0 the polynomials vanish, and nearly touch when both e⊥·w_t vanish for nearly the same force.
  // Problems made to be so, with a force of the wrong sign: nothing is listed, and nothing left open.
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    const double first = draws.uniform(-pi, pi);
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6, 2);
    E.col(0) << -c.mu[0] * std::cos(first), -c.mu[0] * std::sin(first), 1, 0, 0, 0;
    const std::vector<int> n{2, 5};
    const auto P = [&](double angle) {
      E.col(1) << 0, 0, 0, -c.mu[1] * std::cos(angle), -c.mu[1] * std::sin(angle), 1;
      return Eigen::Matrix2d(c.W(n, Eigen::all) * E);
    };
    double from = draws.uniform(-pi, pi);
    double to = draws.uniform(-pi, pi);
    const bool rising = P(from).determinant() < 0;
    if ((P(to).determinant() < 0) == rising) {
      continue;
    }
    for (int k = 0; k < 60; ++k) {
      const double middle = (from + to) / 2;
      ((P(middle).determinant() < 0) == rising ? from : to) = middle;
    }
    // Some force with w_n = 0; its first component pulls.
    P(from);
    const Eigen::VectorXd forced = c.W * E * Eigen::Vector2d(-draws.uniform(0.2, 1), draws.uniform(0.2, 1));
    c.q = -forced;
    c.q.head<2>() += draws.uniform(0.2, 1) * Eigen::Vector2d(std::cos(first), std::sin(first));
    c.q.segment<2>(3) += draws.uniform(0.2, 1) * Eigen::Vector2d(std::cos(from), std::sin(from));
    c.q(0) += 1e-9;
    const SlipPairs pairs = slip_pairs(c);
    EXPECT_TRUE(pairs.complete) << seed << " " << pairs.reason;
    for (const auto& pair : pairs.list) {
      expect_the_law(c, pair, seed);
      EXPECT_GT(std::min(pair.r_n[0], pair.r_n[1]), 0) << seed;
    }
    ++made;
  }
  EXPECT_GT(made, 50);
}

TEST(SlipPairs, WithoutNormalLoadNeedASingularP) {
  // Problems made to have a solution: directions with det P = 0, forces in its kernel, and the load that gives slip.
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    const double first = draws.uniform(-pi, pi);
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6, 2);
    E.col(0) << -c.mu[0] * std::cos(first), -c.mu[0] * std::sin(first), 1, 0, 0, 0;
    const std::vector<int> n{2, 5};
    const auto P = [&](double angle) {
      E.col(1) << 0, 0, 0, -c.mu[1] * std::cos(angle), -c.mu[1] * std::sin(angle), 1;
      return Eigen::Matrix2d(c.W(n, Eigen::all) * E);
    };
    double from = draws.uniform(-pi, pi);
    double to = draws.uniform(-pi, pi);
    const bool rising = P(from).determinant() < 0;
    if ((P(to).determinant() < 0) == rising) {
      continue;
    }
    for (int k = 0; k < 60; ++k) {
      const double middle = (from + to) / 2;
      ((P(middle).determinant() < 0) == rising ? from : to) = middle;
    }
    const Eigen::Matrix2d singular = P(from);
    const Eigen::Vector2d r_n(singular(0, 1), -singular(0, 0));
    if (r_n(0) * r_n(1) <= 0) {
      continue;
    }
    const Eigen::VectorXd forced = c.W * E * r_n.cwiseAbs();
    const Eigen::Vector2d e1(std::cos(first), std::sin(first));
    const Eigen::Vector2d e2(std::cos(from), std::sin(from));
    c.q << draws.uniform(0.1, 2) * e1 - forced.head<2>(), 0, draws.uniform(0.1, 2) * e2 - forced.segment<2>(3), 0;
    const SlipPairs pairs = slip_pairs(c);
    EXPECT_TRUE(pairs.complete) << seed << " " << pairs.reason;
    const bool known = std::any_of(pairs.list.begin(), pairs.list.end(), [&](const SlipPair& o) {
      return (o.e[0] - e1).norm() + (o.e[1] - e2).norm() < 1e-7;
    });
    EXPECT_TRUE(known) << seed;
    for (const auto& pair : pairs.list) {
      expect_the_law(c, pair, seed);
    }
    ++made;
  }
  EXPECT_GT(made, 100);
}

// The second contact moves along its first axis alone, being decoupled from the other: e⊥·w_t vanishes there whatever
// the force, and the size of the forces follows from the first contact.
TEST(SlipPairs, WithoutNormalLoadMaySlipAlongAnAxis) {
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    c.W.row(4).setZero();
    c.W.col(4).setZero();
    c.W(4, 4) = 1;
    const Eigen::Vector2d e2(1, 0);
    Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6, 2);
    E.col(1) << 0, 0, 0, -c.mu[1], 0, 1;
    const std::vector<int> n{2, 5};
    const auto P = [&](double angle) {
      E.col(0) << -c.mu[0] * std::cos(angle), -c.mu[0] * std::sin(angle), 1, 0, 0, 0;
      return Eigen::Matrix2d(c.W(n, Eigen::all) * E);
    };
    double from = draws.uniform(-pi, pi);
    double to = draws.uniform(-pi, pi);
    const bool rising = P(from).determinant() < 0;
    if ((P(to).determinant() < 0) == rising) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = (from + to) / 2;
      ((P(middle).determinant() < 0) == rising ? from : to) = middle;
    }
    const Eigen::Matrix2d singular = P(from);
    const Eigen::Vector2d r_n(singular(0, 1), -singular(0, 0));
    if (r_n(0) * r_n(1) <= 0) continue;
    const Eigen::VectorXd forced = c.W * E * r_n.cwiseAbs();
    const Eigen::Vector2d e1(std::cos(from), std::sin(from));
    c.q << draws.uniform(0.1, 2) * e1 - forced.head<2>(), 0, draws.uniform(0.1, 2) * e2 - forced.segment<2>(3), 0;
    const SlipPairs pairs = slip_pairs(c);
    EXPECT_TRUE(std::any_of(pairs.list.begin(), pairs.list.end(), [&](const SlipPair& o) {
      return (o.e[0] - e1).norm() + (o.e[1] - e2).norm() < 1e-7;
    })) << seed;
    for (const auto& pair : pairs.list) expect_the_law(c, pair, seed);
    ++made;
  }
  EXPECT_GT(made, 30);
}

// A fold: two pairs of directions fall together. The load as a function of the directions φ, the forces r_n and the
// slips c has a singular Jacobian there; its determinant is linear in c₁, which is chosen so.
struct Fold {
  TwoContacts problem;
  std::array<double, 2> angle, r_n, c;
};
Fold fold(Draws& draws, std::array<double, 2> r_n, double c2) {
  Fold f{drawn(draws), {draws.uniform(-pi, pi), draws.uniform(-pi, pi)}, r_n, {0, c2}};
  const auto& W = f.problem.W;
  std::array<Eigen::Vector2d, 2> e;
  Eigen::Matrix<double, 6, 6> J = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> forced = Eigen::Matrix<double, 6, 1>::Zero();
  for (int j = 0; j < 2; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const double mu = f.problem.mu[at];
    e[at] = {std::cos(f.angle[at]), std::sin(f.angle[at])};
    const Eigen::Vector2d turn(-e[at].y(), e[at].x());
    J.col(3 * j) = mu * r_n[at] * W.middleCols<2>(3 * j) * turn;
    J.col(3 * j + 1) = mu * W.middleCols<2>(3 * j) * e[at] - W.col(3 * j + 2);
    J.col(3 * j + 2).segment<2>(3 * j) = e[at];
    forced -= J.col(3 * j + 1) * r_n[at];
  }
  J.col(3).segment<2>(3) += c2 * Eigen::Vector2d(-e[1].y(), e[1].x());
  const double none = J.determinant();
  J.col(0).head<2>() += Eigen::Vector2d(-e[0].y(), e[0].x());
  f.c[0] = -none / (J.determinant() - none);
  f.problem.q = -forced;
  for (int j = 0; j < 2; ++j)
    f.problem.q.segment<2>(3 * j) += f.c[static_cast<std::size_t>(j)] * e[static_cast<std::size_t>(j)];
  return f;
}

// Where they fall together they are listed once; a little to one side there are two of them, to the other none. No more
// is known only where the fold is nearly a cusp.
TEST(SlipPairs, ThatFallTogetherAreOne) {
  for (const bool slow : {false, true}) {
    for (const bool light : {false, true}) {
      if (slow && light) continue;  // a contact without force and slip has no direction
      int made = 0;
      int complete = 0;
      for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Draws draws(seed);
        Fold f = fold(draws, {draws.uniform(0.3, 1), light ? 1e-9 : draws.uniform(0.3, 1)},
                      slow ? 1e-9 : draws.uniform(0.3, 1));
        if (!(f.c[0] > 0.1 && f.c[0] < 10)) continue;
        const SlipPairs pairs = slip_pairs(f.problem);
        ++made;
        complete += pairs.complete;
        const auto next_to = [&](const SlipPairs& found) {
          return std::count_if(found.list.begin(), found.list.end(), [&](const SlipPair& o) {
            return apart(std::atan2(o.e[0].y(), o.e[0].x()), f.angle[0]) < 1e-3 &&
                   apart(std::atan2(o.e[1].y(), o.e[1].x()), f.angle[1]) < 1e-3;
          });
        };
        if (!pairs.complete) continue;
        if (!slow && !light) {
          EXPECT_EQ(next_to(pairs), 1) << seed;
        }
        for (const auto& pair : pairs.list) expect_the_law(f.problem, pair, seed);
      }
      EXPECT_GT(made, 20);
      EXPECT_GE(complete, made * 9 / 10) << slow << light << " of " << made;
    }
  }
}

TEST(SlipPairs, AppearAndVanishInTwos) {
  int made = 0;
  int undecided = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    Fold f = fold(draws, {draws.uniform(0.3, 1), draws.uniform(0.3, 1)}, draws.uniform(0.3, 1));
    if (!(f.c[0] > 0.1 && f.c[0] < 10)) continue;
    const std::size_t together = slip_pairs(f.problem).list.size();
    const Eigen::Matrix<double, 6, 1> q = f.problem.q;
    for (const double away : {1e-8, 1e-10}) {
      std::array<std::size_t, 2> count{};
      bool complete = true;
      for (const std::size_t side : {0U, 1U}) {
        f.problem.q = q;
        f.problem.q(0) += (side == 0 ? away : -away) * q.norm();
        const SlipPairs pairs = slip_pairs(f.problem);
        complete = complete && pairs.complete;
        count[side] = pairs.list.size();
      }
      ++made;
      undecided += !complete;
      if (!complete) continue;
      EXPECT_EQ(std::max(count[0], count[1]) - std::min(count[0], count[1]), 2U) << seed << " " << away;
      EXPECT_EQ(count[0] + count[1], 2 * together) << seed << " " << away;
    }
  }
  EXPECT_GT(made, 100);
  EXPECT_LE(undecided, made / 20);
}

// A fold at which a contact would pull, or slip against its friction, is no solution: nothing is left open there.
TEST(SlipPairs, ThatFallTogetherWithWrongSignsAreRefuted) {
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int wrong = draws.integer(0, 3);
    const auto side = [&](int k) { return (wrong == k ? -1 : 1) * draws.uniform(0.2, 1); };
    const Fold f = fold(draws, {side(0), side(1)}, side(2));
    if (!(std::abs(f.c[0]) > 0.1 && std::abs(f.c[0]) < 10)) continue;
    if (wrong == 3 && f.c[0] > 0) continue;
    const SlipPairs pairs = slip_pairs(f.problem);
    EXPECT_TRUE(pairs.complete) << seed << " " << wrong << " " << pairs.reason;
    for (const auto& pair : pairs.list) {
      expect_the_law(f.problem, pair, seed);
      EXPECT_GT(std::min(pair.r_n[0], pair.r_n[1]), 0) << seed;
      EXPECT_GT(std::min(pair.c[0], pair.c[1]), 0) << seed;
    }
    ++made;
  }
  EXPECT_GT(made, 80);
}

// Friction takes work, and W gives none: without any load two contacts never begin to slip by themselves.
TEST(SlipPairs, WithoutAnyLoadAreNone) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    c.W += 0.1 * Eigen::Matrix<double, 6, 6>::Identity();
    c.mu[1] = 0.9 * c.W(5, 5) / std::hypot(c.W(5, 3), c.W(5, 4));  // alone it does not jam
    c.q.setZero();
    const SlipPairs pairs = slip_pairs(c);
    EXPECT_TRUE(pairs.complete) << seed << " " << pairs.reason;
    EXPECT_TRUE(pairs.list.empty()) << seed;
  }
}

// Friction that drives the slip, and no tangential load: every pair of directions will do.
TEST(SlipPairs, OnACurveAreCalledIncomplete) {
  TwoContacts c;
  c.W.setZero();
  c.W(2, 2) = c.W(5, 5) = 1;
  c.W.topLeftCorner<2, 2>() = c.W.block<2, 2>(3, 3) = -Eigen::Matrix2d::Identity();
  c.q << 0, 0, -1, 0, 0, -1;
  c.mu = {0.5, 0.7};
  const SlipPairs pairs = slip_pairs(c);
  EXPECT_FALSE(pairs.complete);
  EXPECT_NE(pairs.reason.find("curve"), std::string::npos) << pairs.reason;
}

// Powers of two as units of force and motion change no digit of a direction, nor what is listed.
TEST(SlipPairs, DoNotDependOnUnits) {
  int listed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    if (seed % 3 == 0) c.q(2) = c.q(5) = 0;
    const SlipPairs pairs = slip_pairs(c);
    for (const double response : {0x1p-40, 0x1p40}) {
      for (const double load : {0x1p-40, 1.0, 0x1p40}) {
        TwoContacts other = c;
        other.W *= response;
        other.q *= load;
        const SlipPairs same = slip_pairs(other);
        EXPECT_EQ(same.complete, pairs.complete) << seed;
        ASSERT_EQ(same.list.size(), pairs.list.size()) << seed;
        for (std::size_t k = 0; k < pairs.list.size(); ++k) {
          EXPECT_EQ(same.list[k].e, pairs.list[k].e) << seed;
          for (const std::size_t j : {0U, 1U}) {
            EXPECT_EQ(same.list[k].r_n[j], pairs.list[k].r_n[j] * load / response) << seed;
            EXPECT_EQ(same.list[k].c[j], pairs.list[k].c[j] * load) << seed;
          }
        }
      }
    }
    listed += static_cast<int>(pairs.list.size());
  }
  EXPECT_GT(listed, 20);
}

// Seen from the other side of a surface a contact that pushes pulls: the same slips, the other sign of its force.
TEST(SlipPairs, OfAMirrorImageAreTheMirrorImages) {
  int listed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    TwoContacts c = drawn(draws);
    if (seed % 2 == 0) c.q(2) = c.q(5) = 0;
    const SlipPairs pairs = slip_pairs(c);
    listed += static_cast<int>(pairs.list.size());
    for (const std::size_t j : {0U, 1U}) {
      const int n = 3 * static_cast<int>(j) + 2;
      TwoContacts mirrored = c;
      mirrored.W.row(n) *= -1;
      mirrored.W.col(n) *= -1;
      mirrored.q(n) *= -1;
      mirrored.sign[j] = -1;
      const SlipPairs images = slip_pairs(mirrored);
      EXPECT_EQ(images.complete, pairs.complete) << seed;
      ASSERT_EQ(images.list.size(), pairs.list.size()) << seed;
      for (const SlipPair& pair : pairs.list) {
        const bool known = std::any_of(images.list.begin(), images.list.end(), [&](const SlipPair& image) {
          return (image.e[0] - pair.e[0]).norm() + (image.e[1] - pair.e[1]).norm() < 1e-8 &&
                 std::abs(image.r_n[j] + pair.r_n[j]) <= 1e-7 * std::abs(pair.r_n[j]) &&
                 std::abs(image.r_n[1 - j] - pair.r_n[1 - j]) <= 1e-7 * std::abs(pair.r_n[1 - j]);
        });
        EXPECT_TRUE(known) << seed;
      }
    }
  }
  EXPECT_GT(listed, 10);
}

// A contact without normal load of its own, nor by the other (N = 0 for all directions): it has a force only where
// det P = 0. Where it jams the list is that of a grid, in any units.
TEST(SlipPairs, OfWhichOneHasNoLoadAreNoneUnlessItJams) {
  for (const std::size_t idle : {0U, 1U}) {
    for (const bool jams : {false, true}) {
      for (const double unit : {0x1p-40, 1.0, 0x1p40}) {
        Draws draws(3);
        TwoContacts c = drawn(draws);
        const int n = 3 * static_cast<int>(idle) + 2;
        const int other = 3 * (1 - static_cast<int>(idle));
        // What the other does to it is a third of what it does to itself, the load included.
        c.W.row(n).segment<3>(other) = c.W.row(other + 2).segment<3>(other) / 3;
        c.q(other + 2) = -1;
        c.q(n) = c.q(other + 2) / 3;
        c.W.row(other + 2).segment<3>(n - 2).setZero();
        c.W(n, n) = 2;
        c.W.row(n).segment<2>(n - 2) << 1, 0;
        c.mu[idle] = jams ? 3 : 0.3;
        c.W.row(other + 2).segment<3>(other) << 0.3, 0, 1;
        c.W.row(n).segment<3>(other) = c.W.row(other + 2).segment<3>(other) / 3;
        c.mu[1 - idle] = 0.5;
        c.W *= unit;
        const SlipPairs pairs = slip_pairs(c);
        EXPECT_TRUE(pairs.complete) << idle << " " << unit << " " << pairs.reason;
        for (const auto& pair : pairs.list) expect_the_law(c, pair, idle);
        if (!jams) {
          EXPECT_TRUE(pairs.list.empty()) << idle;
        }
      }
    }
  }
}

// A body that cannot turn, between two planes that face each other: w_n = 0 at one of them is w_n = 0 at the other, so
// that the forces are not determined and the directions, which differ in their tilted tangents, form curves.
TEST(SlipPairs, OfOppositeContactsAreACurve) {
  TwoContacts c;
  c.W << 8, -2, 0, 2, 0, 0, -2, 1, -1, 0, 2, 1, 0, -1, 2, -1, -4, -2,  //
      2, 0, -1, 1, 2, 1, 0, 2, -4, 2, 8, 4, 0, 1, -2, 1, 4, 2;
  c.q << -1, -2, 1, 2, -1, -1;
  c.mu = {0.5, 0.5};
  for (const double unit : {0x1p-40, 1.0, 0x1p40}) {
    TwoContacts same = c;
    same.W *= unit;
    const SlipPairs pairs = slip_pairs(same);
    EXPECT_TRUE(pairs.complete) << pairs.reason;
    ASSERT_FALSE(pairs.list.empty());
    EXPECT_LT(pairs.list.size(), 4U);
    for (const auto& pair : pairs.list) {
      EXPECT_TRUE(pair.turns);
      expect_the_law(same, pair, 0);
      EXPECT_GT(std::min(pair.r_n[0], pair.r_n[1]), 0);
      EXPECT_GT(std::min(pair.c[0], pair.c[1]), 0);
    }
    EXPECT_LT(pairs.boxes, 10000) << "a curve is followed in steps, not in boxes of its width";
  }
}

// On the edge of its cone the force of the second contact moves nothing, and may be as large as it likes while its
// direction tends to that edge: no solution, and that is proved.
TEST(SlipPairs, WithAForceWithoutEffectAreProvedToBeNone) {
  TwoContacts c;
  c.W << 9, -4, 0, 4, -2, 1, -4, 9, 4, -3, 6, -3, 0, 4, 9, -1, 8, -4,  //
      4, -3, -1, 2, -2, 1, -2, 6, 8, -2, 8, -4, 1, -3, -4, 1, -4, 2;
  c.q << -2, -2, 1, -1, 1, -1;
  c.mu = {1, 0.5};
  const SlipPairs pairs = slip_pairs(c);
  EXPECT_TRUE(pairs.complete) << pairs.reason;
  EXPECT_TRUE(pairs.list.empty());
}

}  // namespace slip_pair_test
}  // namespace painleve
