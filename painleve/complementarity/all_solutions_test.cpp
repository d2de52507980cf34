// The tree of words against brute force, and the problems on which enumerating solvers fail.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/linear_complementarity.hpp"
#include "painleve/complementarity/linear_word.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace all_solutions_test {

LinearComplementarity lcp(std::initializer_list<std::initializer_list<double>> M, std::initializer_list<double> q) {
  LinearComplementarity p;
  p.M.resize(static_cast<Eigen::Index>(M.size()), static_cast<Eigen::Index>(M.size()));
  Eigen::Index i = 0;
  for (const auto& row : M) {
    Eigen::Index j = 0;
    for (const double x : row) p.M(i, j++) = x;
    ++i;
  }
  p.q = Eigen::Map<const Eigen::VectorXd>(q.begin(), static_cast<Eigen::Index>(q.size()));
  return p;
}

bool has(const LcpSolutions& set, const Eigen::VectorXd& z, int dimension = 0) {
  return std::any_of(set.solutions.begin(), set.solutions.end(),
                     [&](const LcpSolution& s) { return s.family.dimension == dimension && (s.z - z).norm() < 1e-12; });
}
bool has_point(const std::vector<Eigen::VectorXd>& list, const Eigen::VectorXd& z) {
  return std::any_of(list.begin(), list.end(), [&](const Eigen::VectorXd& p) { return (p - z).norm() < 1e-9; });
}

TEST(LcpTraps, ThreeIsolatedSolutions) {
  const auto set = all_solutions(lcp({{1, 2}, {2, 1}}, {-1, -1}));
  EXPECT_TRUE(set.complete);
  ASSERT_EQ(set.solutions.size(), 3U);
  EXPECT_TRUE(has(set, Eigen::Vector2d(1, 0)));
  EXPECT_TRUE(has(set, Eigen::Vector2d(0, 1)));
  EXPECT_TRUE(has(set, Eigen::Vector2d(1.0 / 3, 1.0 / 3)));
}

TEST(LcpTraps, EverySubsetIsASolution) {
  const int n = 7;
  const LinearComplementarity p{-Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Ones(n)};
  const auto set = all_solutions(p);
  EXPECT_EQ(set.solutions.size(), 128U);
  EXPECT_TRUE(set.complete);
}

TEST(LcpTraps, AContinuumIsOneFamilyWithItsEnds) {
  const auto set = all_solutions(lcp({{1, 1}, {1, 1}}, {-1, -1}));
  ASSERT_EQ(set.solutions.size(), 1U);
  const Family& f = set.solutions[0].family;
  EXPECT_EQ(f.dimension, 1);
  EXPECT_EQ(f.motion_dimension, 0);
  ASSERT_TRUE(f.enumerated);
  EXPECT_EQ(f.vertices.size(), 2U);
  EXPECT_TRUE(has_point(f.vertices, Eigen::Vector2d(1, 0)));
  EXPECT_TRUE(has_point(f.vertices, Eigen::Vector2d(0, 1)));
  EXPECT_TRUE(f.rays.empty());
}

TEST(LcpTraps, AQuadrantOfSolutionsHasOneVertexAndTwoRays) {
  const auto set = all_solutions(lcp({{0, 0}, {0, 0}}, {0, 0}));
  ASSERT_EQ(set.solutions.size(), 1U);
  const Family& f = set.solutions[0].family;
  EXPECT_EQ(f.dimension, 2);
  EXPECT_EQ(f.vertices.size(), 1U);
  EXPECT_EQ(f.rays.size(), 2U);
  EXPECT_TRUE(has_point(f.rays, Eigen::Vector2d(1, 0)));
  EXPECT_TRUE(has_point(f.rays, Eigen::Vector2d(0, 1)));
}

TEST(LcpTraps, ADegenerateVertexIsListedOnce) {
  // z = (0, 1) has z_1 = w_1 = 0: both bases of index 1 lead to it.
  const auto set = all_solutions(lcp({{1, 0}, {0, 1}}, {0, -1}));
  ASSERT_EQ(set.solutions.size(), 1U);
  EXPECT_TRUE(has(set, Eigen::Vector2d(0, 1)));
  // All eight bases of this one lead to z = 0.
  const auto corner = all_solutions(lcp({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}, {0, 0, 0}));
  ASSERT_EQ(corner.solutions.size(), 1U);
  EXPECT_EQ(corner.solutions[0].z.norm(), 0);
}

TEST(LcpTraps, ScalarsOfEverySign) {
  const auto count = [](double M, double q) { return all_solutions(lcp({{M}}, {q})).solutions.size(); };
  EXPECT_EQ(count(-1, 1), 2U);
  EXPECT_EQ(count(-1, -1), 0U);
  EXPECT_EQ(count(-1, 0), 1U);
  EXPECT_EQ(count(2, -1), 1U);
  EXPECT_EQ(count(2, 1), 1U);
  EXPECT_EQ(count(0, 1), 1U);
  EXPECT_EQ(count(0, -1), 0U);
  const auto ray = all_solutions(lcp({{0}}, {0}));
  ASSERT_EQ(ray.solutions.size(), 1U);
  EXPECT_EQ(ray.solutions[0].family.dimension, 1);
  EXPECT_EQ(ray.solutions[0].family.vertices.size(), 1U);
  EXPECT_EQ(ray.solutions[0].family.rays.size(), 1U);
}

// Independent of everything here: every basis, by an ordinary linear solve; singular bases are left out.
std::vector<Eigen::VectorXd> basic_solutions(const LinearComplementarity& p) {
  const auto n = static_cast<int>(p.q.size());
  std::vector<Eigen::VectorXd> list;
  for (int subset = 0; subset < 1 << n; ++subset) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(n, n);  // I w − M z = q with one of z_i, w_i basic
    for (int i = 0; i < n; ++i) {
      if ((subset >> i & 1) != 0) B.col(i) = -p.M.col(i);
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(B);
    if (qr.absDeterminant() < 1e-9) continue;
    const Eigen::VectorXd x = qr.solve(p.q);
    if ((x.array() < -1e-9).any()) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      if ((subset >> i & 1) != 0) z(i) = std::max(0.0, x(i));
    }
    const auto same = [&](const Eigen::VectorXd& o) { return (o - z).norm() < 1e-7; };
    if (std::none_of(list.begin(), list.end(), same)) list.push_back(z);
  }
  return list;
}

TEST(AllSolutions, EqualBruteForceOverAllBasesForRegularMatrices) {
  Draws draws(11);
  std::size_t several = 0;
  std::size_t none = 0;
  for (int k = 0; k < 3000; ++k) {
    const int n = draws.integer(1, 6);
    LinearComplementarity p{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
    for (Eigen::Index i = 0; i < p.M.size(); ++i) p.M(i) = draws.normal();
    for (Eigen::Index i = 0; i < n; ++i) p.q(i) = draws.normal();
    const auto expected = basic_solutions(p);
    const auto set = all_solutions(p);
    EXPECT_TRUE(set.complete);
    ASSERT_EQ(set.solutions.size(), expected.size()) << k;
    for (const auto& z : expected) {
      EXPECT_TRUE(std::any_of(set.solutions.begin(), set.solutions.end(), [&](const LcpSolution& s) {
        return (s.z - z).norm() < 1e-7 * std::max(1.0, z.norm());
      })) << k;
    }
    for (const auto& s : set.solutions) EXPECT_LT(s.residual, 1e-10) << k;
    several += expected.size() > 1 ? 1 : 0;
    none += expected.empty() ? 1 : 0;
  }
  EXPECT_GT(several, 300U);
  EXPECT_GT(none, 300U);
}

// Small integers meet every kind of degeneracy: singular bases, ties, families with and without ends.
TEST(AllSolutions, HoldEveryBasicSolutionOfDegenerateProblems) {
  Draws draws(12);
  std::size_t families = 0;
  for (int k = 0; k < 3000; ++k) {
    const int n = draws.integer(1, 5);
    LinearComplementarity p{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
    for (Eigen::Index i = 0; i < p.M.size(); ++i) p.M(i) = draws.integer(-1, 1);
    for (Eigen::Index i = 0; i < n; ++i) p.q(i) = draws.integer(-1, 1);
    const ContactProblem contact = normals_alone(p);
    const auto set = all_solutions(contact);
    EXPECT_TRUE(set.complete);
    for (const auto& z : basic_solutions(p))
      EXPECT_GE(index_of(contact, set, z, p.M * z + p.q), 0) << k << ": " << z.transpose();
    for (const auto& s : set.solutions) {
      EXPECT_LT(s.residual, 1e-11) << k;
      families += s.family.dimension > 0 ? 1U : 0U;
      for (const auto& v : s.family.vertices) EXPECT_LT(complementarity_residual(p, v), 1e-9) << k;
      for (const auto& ray : s.family.rays) EXPECT_LT(complementarity_residual(p, s.r + 3 * ray), 1e-9) << k;
    }
  }
  EXPECT_GT(families, 500U);
}

// A convex combination of vertices and rays of a family solves; beyond its vertices nothing does.
TEST(AllSolutions, FamiliesEndAtTheirVertices) {
  Draws draws(13);
  int tried = 0;
  for (int k = 0; k < 2000; ++k) {
    const int n = draws.integer(2, 4);
    LinearComplementarity p{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
    for (Eigen::Index i = 0; i < p.M.size(); ++i) p.M(i) = draws.integer(-1, 1);
    for (Eigen::Index i = 0; i < n; ++i) p.q(i) = draws.integer(-1, 1);
    for (const auto& s : all_solutions(p).solutions) {
      if (s.family.dimension != 1) continue;
      const auto& ends = s.family.vertices;
      ASSERT_EQ(ends.size() + s.family.rays.size(), 2U) << k;
      if (ends.size() != 2) continue;
      EXPECT_LT(complementarity_residual(p, 0.3 * ends[0] + 0.7 * ends[1]), 1e-9) << k;
      const Eigen::VectorXd middle = 0.5 * (ends[0] + ends[1]);
      for (const auto& end : ends) EXPECT_GT(complementarity_residual(p, end + 0.1 * (end - middle)), 1e-3) << k;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100);
}

ContactProblem drawn_problem(Draws& draws, int n, int freedoms, bool whole_numbers) {
  const auto entry = [&] { return whole_numbers ? static_cast<double>(draws.integer(-2, 2)) : draws.normal(); };
  Eigen::MatrixXd J(2 * n, freedoms);
  for (Eigen::Index i = 0; i < J.size(); ++i) J(i) = entry();
  Eigen::VectorXd v(freedoms);
  for (Eigen::Index i = 0; i < freedoms; ++i) v(i) = entry();
  ContactProblem p;
  p.W = J * J.transpose();
  p.q = J * v;
  p.mu.resize(n);
  p.slip = Eigen::MatrixXd::Zero(1, n);
  for (int i = 0; i < n; ++i) {
    p.mu(i) = whole_numbers ? draws.integer(0, 4) / 2.0 : draws.uniform(0.1, 1.6);
    p.bilateral.push_back(draws.integer(0, 7) == 0);
    const int kind = draws.integer(0, 9);
    p.law.push_back(kind < 6 ? Law::resting : (kind < 9 ? Law::sliding : Law::separated));
    if (p.bilateral.back() && p.law.back() == Law::separated) p.law.back() = Law::sliding;
    if (p.law.back() == Law::sliding) p.slip(0, i) = draws.integer(0, 1) == 0 ? 1 : -1;
  }
  return p;
}

// The other route: every word by itself, with the same ends.
std::vector<WordSolution> words_one_by_one(const ContactProblem& p, std::vector<ContactMode>& letters) {
  const auto i = static_cast<int>(letters.size());
  if (i == p.count()) {
    const WordSolution s = solve_word(p, letters, Ends::pieces);
    return s.consistent ? std::vector<WordSolution>{s} : std::vector<WordSolution>{};
  }
  std::vector<WordSolution> list;
  for (const auto& c : admissible_letters(p, i)) {
    letters.push_back(c);
    for (const auto& s : words_one_by_one(p, letters)) list.push_back(s);
    letters.pop_back();
  }
  return list;
}

TEST(AllSolutions, TreeLosesNoWordOfContacts) {
  Draws draws(14);
  std::size_t found = 0;
  for (int k = 0; k < 600; ++k) {
    const int n = draws.integer(1, 4);
    const ContactProblem p = drawn_problem(draws, n, draws.integer(1, 2 * n + 1), k % 2 == 0);
    const ContactSolutions set = all_solutions(p);
    EXPECT_TRUE(set.complete);
    std::vector<ContactMode> letters;
    for (const auto& s : words_one_by_one(p, letters)) {
      EXPECT_GE(index_of(p, set, *s.r, *s.w), 0) << k;
      ++found;
    }
    for (const auto& s : set.solutions) EXPECT_LT(s.residual, 1e-11) << k << " " << s.mode;
  }
  EXPECT_GT(found, 600U);
}

// Coulomb's law at every contact by its natural map, from many starts: whatever a descent ends on must be in the list.
TEST(AllSolutions, HoldWhatAnUnrelatedSearchFinds) {
  Draws draws(15);
  int reached = 0;
  for (int k = 0; k < 60; ++k) {
    ContactProblem p = drawn_problem(draws, draws.integer(1, 3), 8, false);
    p.law.assign(p.law.size(), Law::resting);
    p.bilateral.assign(p.law.size(), false);
    const ContactSolutions set = all_solutions(p);
    for (int start = 0; start < 20; ++start) {
      Eigen::VectorXd r(p.q.size());
      for (Eigen::Index i = 0; i < r.size(); ++i) r(i) = 3 * draws.normal();
      const double rho = 0.5 / p.W.trace();
      for (int step = 0; step < 20000; ++step) {
        Eigen::VectorXd next = r - rho * (p.W * r + p.q);
        for (int i = 0; i < p.count(); ++i) {
          next(2 * i + 1) = std::max(0.0, next(2 * i + 1));
          const double limit = p.mu(i) * next(2 * i + 1);
          next(2 * i) = std::clamp(next(2 * i), -limit, limit);
        }
        if ((next - r).norm() < 1e-14 * r.norm()) break;
        r = next;
      }
      if (law_residual(p, r, p.W * r + p.q) > 1e-9) continue;
      ++reached;
      EXPECT_GE(index_of(p, set, r, p.W * r + p.q, 1e-5), 0) << k << ": " << r.transpose();
    }
  }
  EXPECT_GT(reached, 300);
}

ContactProblem at_rest(std::initializer_list<std::initializer_list<double>> W, std::initializer_list<double> q,
                       std::initializer_list<double> mu) {
  const LinearComplementarity numbers = lcp(W, q);
  ContactProblem p;
  p.W = numbers.M;
  p.q = numbers.q;
  p.mu = Eigen::Map<const Eigen::VectorXd>(mu.begin(), static_cast<Eigen::Index>(mu.size()));
  p.bilateral.assign(mu.size(), false);
  p.law.assign(mu.size(), Law::resting);
  p.slip = Eigen::MatrixXd::Zero(1, p.mu.size());
  return p;
}

// Contacts of very different mass: what one of them finds small is large for another.
TEST(AllSolutions, LightContactsDoNotHideHeavyOnes) {
  for (const double light : {1.0, 1e4, 1e8, 1e11}) {
    ContactProblem p = at_rest({{1, 0, 1, 0, 0, 0},
                                {0, 2, 0, 0, 0, 0},
                                {1, 0, 1, 0, 0, 0},
                                {0, 0, 0, 2, 0, 0},
                                {0, 0, 0, 0, light, 0},
                                {0, 0, 0, 0, 0, light}},
                               {0.9, -1, 0.9, -1, 0, -1}, {1, 1, 1});
    const ContactSolutions set = all_solutions(p);
    ASSERT_EQ(set.solutions.size(), 1U) << light;
    EXPECT_EQ(set.solutions[0].mode, "TTT") << light;
    EXPECT_EQ(set.solutions[0].family.dimension, 1) << light;
    p = at_rest({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, light, 0}, {0, 0, 0, light}}, {0, -1, 0, -1}, {0.5, 0.5});
    ASSERT_EQ(all_solutions(p).solutions.size(), 1U) << light;
    EXPECT_EQ(all_solutions(p).solutions[0].mode, "TT") << light;
  }
}

// S+S+ for r = τ (−1, 1, −1, 1), 1 ≤ τ ≤ 5, and FF at τ = 0: on the line of the family, but not of it.
TEST(AllSolutions, ASolutionOnTheLineOfAFamilyIsNotLost) {
  const ContactProblem p =
      at_rest({{4, 1, -3, 1}, {1, 3, 1, -1}, {-3, 1, 7, 1}, {1, -1, 1, 3}}, {-1, 0, 10, 0}, {1, 1});
  const ContactSolutions set = all_solutions(p);
  EXPECT_EQ(set.solutions[0].mode, "FF");
  EXPECT_GE(index_of(p, set, Eigen::Vector4d(-2, 2, -2, 2), p.W * Eigen::Vector4d(-2, 2, -2, 2) + p.q), 1);
  EXPECT_EQ(set.motion_family_dimension(), 1);
}

// A family whose nearest point lies ten units of force away, as far as the first search looks.
TEST(AllSolutions, AFamilyIsFoundWhereverItBegins) {
  for (const double begins : {15.5, 16.0, 16.1}) {
    ContactProblem p =
        at_rest({{2.5, 0.75, -0.75, -1}, {0.75, 0.25, -0.25, -0.5}, {-0.75, -0.25, 0.25, 0.5}, {-1, -0.5, 0.5, 2}},
                {0, 0, 0, 0}, {1, 0.5});
    p.q = -p.W * Eigen::Vector4d(-4, begins, 0, 0);
    EXPECT_EQ(all_solutions(p).force_family_dimension(), 2) << begins;
  }
}

TEST(AllSolutions, TheEndOfAFamilyIsNotListedAgain) {
  const ContactSolutions slip = all_solutions(at_rest({{4, 2}, {2, 2}}, {4, 0}, {1}));
  ASSERT_EQ(slip.solutions.size(), 1U) << "stick at its end is part of it";
  EXPECT_EQ(slip.solutions[0].mode, "S+");
  EXPECT_EQ(slip.solutions[0].family.vertices.size(), 2U);
  ContactProblem guide = at_rest({{2, -1}, {-1, 1}}, {0.5, 0}, {1});
  guide.bilateral[0] = true;
  for (const auto& s : all_solutions(guide).solutions) EXPECT_EQ(s.family.dimension, 1) << s.mode;
}

// Twelve feet on the floor: one static solution with a family of 21 dimensions, and no other.
TEST(AllSolutions, TableOnTwelveFeet) {
  const int n = 12;
  ContactProblem p;
  Eigen::MatrixXd J(2 * n, 3);
  for (int i = 0; i < n; ++i) {
    J.row(2 * i) << 1, 0, 0.5;
    J.row(2 * i + 1) << 0, 1, -1.0 + 2.0 * i / (n - 1);
  }
  p.W = J * J.transpose();
  p.q = J * Eigen::Vector3d(0.3, -9.81, 0.2);
  p.mu = Eigen::VectorXd::Constant(n, 0.5);
  p.bilateral.assign(n, false);
  p.law.assign(n, Law::resting);
  p.slip = Eigen::MatrixXd::Zero(1, n);
  const ContactSolutions set = all_solutions(p);
  EXPECT_TRUE(set.complete);
  ASSERT_EQ(set.solutions.size(), 1U);
  EXPECT_EQ(set.solutions[0].mode, "TTTTTTTTTTTT");
  EXPECT_EQ(set.solutions[0].family.dimension, 21);
  EXPECT_EQ(set.solutions[0].family.motion_dimension, 0);
  EXPECT_LT(set.solutions[0].residual, 1e-12);
  EXPECT_LT(set.work.nodes, 20000) << "4^12 words are not visited one by one";
}

TEST(AllSolutions, BudgetEndsHonestly) {
  Draws draws(16);
  const ContactProblem p = drawn_problem(draws, 8, 20, false);
  EnumerationOptions few;
  few.most_nodes = 5;
  const ContactSolutions set = all_solutions(p, few);
  EXPECT_FALSE(set.complete);
  EXPECT_FALSE(set.incomplete_reason.empty());
}

TEST(AllSolutions, NoContactsHaveTheEmptySolution) {
  ContactProblem p;
  p.W.resize(0, 0);
  p.q.resize(0);
  p.mu.resize(0);
  p.slip.resize(1, 0);
  const ContactSolutions set = all_solutions(p);
  ASSERT_EQ(set.solutions.size(), 1U);
  EXPECT_TRUE(set.complete);
}

// Solutions are told apart relative to their own size, in forces and in motions.
TEST(IndexOf, IsRelativeToTheSolution) {
  for (const double load : {1e-12, 1.0, 1e12}) {
    ContactProblem p;
    p.W = Eigen::Matrix2d::Identity();
    p.q = load * Eigen::Vector2d(0.5, -1);
    p.mu = Eigen::VectorXd::Constant(1, 0.7);
    p.bilateral = {false};
    p.law = {Law::resting};
    p.slip = Eigen::MatrixXd::Zero(1, 1);
    ContactSolutions set;
    ContactSolution s;
    for (const double size : {1.0, 1e4}) {
      s.r = load * size * Eigen::Vector2d(-0.5, 1);
      s.w = load * size * Eigen::Vector2d(2, 3);
      set.solutions.push_back(s);
    }
    for (const int k : {0, 1}) {
      const ContactSolution& known = set.solutions[static_cast<std::size_t>(k)];
      EXPECT_EQ(index_of(p, set, known.r, known.w, 1e-7), k) << load;
      EXPECT_EQ(index_of(p, set, (1 + 1e-9) * known.r, known.w, 1e-7), k) << load;
      EXPECT_EQ(index_of(p, set, known.r, (1 + 1e-9) * known.w, 1e-7), k) << load;
      EXPECT_EQ(index_of(p, set, (1 + 1e-5) * known.r, known.w, 1e-7), -1) << load;
      EXPECT_EQ(index_of(p, set, known.r, (1 + 1e-5) * known.w, 1e-7), -1) << load;
    }
  }
}

// Two contacts that hold just the force at the edges of their cones, give or take rounding: W is positive definite and
// both rest, so there is a solution.
TEST(AllSolutions, NoneIsLostWhereStickEnds) {
  Draws draws(7);
  for (int k = 0; k < 1500; ++k) {
    const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(4, 6, [&] { return draws.uniform(-1, 1); });
    const Eigen::MatrixXd W = J * J.transpose();
    const Eigen::Vector2d mu(draws.uniform(0.1, 1), draws.uniform(0.1, 1));
    Eigen::Vector4d r;
    for (int i = 0; i < 2; ++i) {
      const double off = std::pow(10, draws.uniform(-16, -9)) * (k % 3 - 1);
      r(2 * i + 1) = draws.uniform(0.1, 2);
      r(2 * i) = ((k >> i) % 2 == 0 ? 1 : -1) * mu(i) * r(2 * i + 1) * (1 + off);
    }
    const auto space = closed_contacts(2, W, -W * r, Eigen::Vector4d::Zero(), mu);
    const ContactSolutions found = all_solutions(acceleration_problem(space, {}).problem);
    EXPECT_TRUE(found.complete) << k;
    EXPECT_FALSE(found.solutions.empty()) << k << "\n" << W << "\n" << r.transpose() << "\n" << mu.transpose();
    for (const ContactSolution& s : found.solutions) EXPECT_LT(s.residual, 1e-10) << k;
  }
}

// A small pivot carries the force of stick out of its cone by more than the tree of words leaves to rounding elsewhere.
TEST(AllSolutions, NoneIsLostWhereTheResponseIsNearlySingular) {
  Draws draws(7);
  for (int k = 0; k < 6000; ++k) {
    const double W_nn = draws.uniform(0.5, 2);
    const double W_tt = W_nn * std::pow(10, draws.uniform(-3, 0.3));
    const double W_tn = (1 - std::pow(10, draws.uniform(-9, -6))) * std::sqrt(W_tt * W_nn);
    const double mu = draws.uniform(0.05, 0.9) * W_nn / W_tn;
    const Eigen::Matrix2d W{{W_tt, W_tn}, {W_tn, W_nn}};
    const Eigen::Vector2d force((k % 2 == 0 ? 1 : -1) * mu, 1);
    const auto space = closed_contacts(2, W, -W * force, Eigen::Vector2d::Zero(), Eigen::VectorXd::Constant(1, mu));
    const ContactSolutions found = all_solutions(acceleration_problem(space, {}).problem);
    ASSERT_EQ(found.solutions.size(), 1U) << k << "\n" << W << "\nmu " << mu;
    EXPECT_LT(found.solutions[0].residual, 1e-10) << k;
  }
}

// A contact that carries nothing and lifts by rounding alone belongs to two words: the state is listed once, whether
// the other contact lifts too or carries a load.
TEST(AllSolutions, AContactThatHardlyLiftsIsListedOnce) {
  for (const double lift : {9e-13, 5e-13, 2e-13, 1e-14, 1e-16, 0.0, -1e-16, -1e-14, -5e-13}) {
    for (const double other : {1.0, -1.0}) {
      const ContactProblem p =
          at_rest({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}, {2, other, 1, lift}, {1, 1});
      const ContactSolutions set = all_solutions(p);
      ASSERT_EQ(set.solutions.size(), 1U) << lift << " " << other;
      EXPECT_LE((set.solutions[0].r - std::max(0.0, -other) * Eigen::Vector4d(-1, 1, 0, 0)).norm(), 1e-12) << lift;
    }
  }
}

}  // namespace all_solutions_test
}  // namespace painleve
