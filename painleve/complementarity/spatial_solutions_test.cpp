// The set of solutions of spatial contact problems against independent routes: one contact, products of decoupled
// contacts, planar problems in space, turned frames, contacts without friction, that pull, or that slide.
#include "painleve/complementarity/spatial_solutions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "painleve/complementarity/detail/drawn_spatial_problems.hpp"
#include "painleve/complementarity/slip_directions.hpp"

namespace painleve {
namespace spatial_solutions_test {

constexpr double pi = std::numbers::pi;

TEST(SpatialSolutions, OfOneContactAreFreeStickAndTheRootsOfTheQuartic) {
  std::map<std::size_t, int> seen;
  int skipped = 0;
  for (std::uint64_t seed = 1; seed <= 5000 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.02);
    const Eigen::Vector3d q(2 * draws.normal(), 2 * draws.normal(), draws.normal());
    const double mu = draws.uniform(0.01, 3);
    const ContactSolutions set = spatial_solutions(resting(W, q, Eigen::VectorXd::Constant(1, mu)), {});
    expect_sound(resting(W, q, Eigen::VectorXd::Constant(1, mu)), set, std::to_string(seed));
    const SlipDirections slips =
        slip_directions({W.topLeftCorner<2, 2>(), W.topRightCorner<2, 1>(), W(2, 2), q.head<2>(), q.z(), {0, 0}, mu});
    const Eigen::Vector3d hold = -W.fullPivLu().solve(q);
    const double margin = mu * hold.z() - hold.head<2>().norm();
    if (std::abs(margin) < 1e-8 * hold.norm() || !slips.complete) {
      ++skipped;
      continue;
    }
    const auto list = words(set);
    EXPECT_EQ(list.count("F"), q.z() >= 0 ? 1U : 0U) << seed;
    EXPECT_EQ(list.count("T"), margin > 0 ? 1U : 0U) << seed;
    EXPECT_EQ(list.count("S"), slips.consistent.size()) << seed;
    EXPECT_TRUE(set.complete) << seed;
    for (const auto& d : slips.consistent) {
      const Eigen::Vector3d r(-mu * d.lambda_n * d.e.x(), -mu * d.lambda_n * d.e.y(), d.lambda_n);
      EXPECT_NE(find(set, "S", r, 1e-9), nullptr) << seed;
    }
    ++seen[set.solutions.size()];
  }
  EXPECT_GT(seen[1], 1000);
  EXPECT_GT(seen[3], 50);
  EXPECT_EQ(seen[1] + seen[3] + seen[5], 5000 - skipped) << "at rest W definite gives an odd number";
}

TEST(SpatialSolutions, OfDecoupledContactsAreTheProduct) {
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const ContactProblem one = drawn(draws, 1);
    const ContactProblem two = drawn(draws, 1);
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
    W.topLeftCorner<3, 3>() = one.W;
    W.bottomRightCorner<3, 3>() = two.W;
    Eigen::VectorXd q(6);
    q << one.q, two.q;
    const ContactSolutions first = spatial_solutions(one, {});
    const ContactSolutions second = spatial_solutions(two, {});
    const ContactSolutions both = spatial_solutions(resting(W, q, Eigen::Vector2d(one.mu(0), two.mu(0))), {});
    EXPECT_EQ(both.solutions.size(), first.solutions.size() * second.solutions.size()) << seed;
    for (const auto& a : first.solutions) {
      for (const auto& b : second.solutions) {
        Eigen::VectorXd r(6);
        r << a.r, b.r;
        EXPECT_NE(find(both, a.mode + b.mode, r, 1e-9), nullptr) << seed << " " << a.mode << b.mode;
      }
    }
    most = std::max(most, both.solutions.size());
  }
  EXPECT_GE(most, 9U) << "three times three";
}

// Letters of a planar contact, its force (t, n).
struct PlanarPoint {
  std::string mode;
  Eigen::Vector4d r;
};

// Two planar contacts at rest: every word by a direct solve.
std::vector<PlanarPoint> planar_points(const Eigen::Matrix4d& W, const Eigen::Vector4d& q, const Eigen::Vector2d& mu) {
  std::vector<PlanarPoint> list;
  const std::string letters = "FT+-";
  for (const char a : letters) {
    for (const char b : letters) {
      const std::string mode{a, b};
      Eigen::Matrix4d A = Eigen::Matrix4d::Identity();
      Eigen::Vector4d rhs = Eigen::Vector4d::Zero();
      for (int i = 0; i < 2; ++i) {
        const char c = mode[static_cast<std::size_t>(i)];
        if (c == 'F') {
          continue;
        }
        A.row(2 * i + 1) = W.row(2 * i + 1);
        rhs(2 * i + 1) = -q(2 * i + 1);
        if (c == 'T') {
          A.row(2 * i) = W.row(2 * i);
          rhs(2 * i) = -q(2 * i);
        } else {
          A(2 * i, 2 * i + 1) = c == '+' ? mu(i) : -mu(i);
        }
      }
      const Eigen::Vector4d r = A.fullPivLu().solve(rhs);
      const Eigen::Vector4d w = W * r + q;
      bool good = true;
      for (int i = 0; i < 2; ++i) {
        const char c = mode[static_cast<std::size_t>(i)];
        good = good && (c == 'F' ? w(2 * i + 1) > 1e-9 : r(2 * i + 1) > 1e-9);
        good = good && (c != 'T' || std::abs(r(2 * i)) < mu(i) * r(2 * i + 1) - 1e-9);
        good = good && (c != '+' || w(2 * i) > 1e-9) && (c != '-' || w(2 * i) < -1e-9);
      }
      if (good) {
        list.push_back({mode, r});
      }
    }
  }
  return list;
}

TEST(SpatialSolutions, ContainThoseOfAPlanarProblemInSpace) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const Eigen::Matrix4d W2 = drawn_gram(draws, 4, 4, 0.02);
    const Eigen::Matrix2d W_out = drawn_gram(draws, 2, 2, 0.1);
    const Eigen::Vector4d q2 = normals(draws, 4);
    const Eigen::Vector2d mu(draws.uniform(0.05, 3), draws.uniform(0.05, 3));
    const std::vector<int> in{0, 2, 3, 5};
    const std::vector<int> out{1, 4};
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(6);
    W(in, in) = W2;
    W(out, out) = W_out;
    q(in) = q2;
    const ContactSolutions set = spatial_solutions(resting(W, q, mu), {});
    for (const auto& point : planar_points(W2, q2, mu)) {
      Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
      r(in) = point.r;
      std::string mode = point.mode;
      std::replace_if(
          mode.begin(), mode.end(), [](char c) { return c == '+' || c == '-'; }, 'S');
      EXPECT_NE(find(set, mode, r, 1e-8), nullptr) << seed << " " << point.mode;
      ++checked;
    }
  }
  EXPECT_GT(checked, 900);
}

TEST(SpatialSolutions, TurnWithTheFrames) {
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const ContactProblem p = drawn(draws, 2);
    Eigen::MatrixXd R = Eigen::MatrixXd::Identity(6, 6);
    for (const int i : {0, 3}) {
      R.block<2, 2>(i, i) = Eigen::Rotation2Dd(draws.uniform(-pi, pi)).toRotationMatrix();
    }
    const double heavier = std::exp(draws.uniform(-20, 20));
    const double pushed = std::exp(draws.uniform(-20, 20));
    const ContactProblem turned = resting(heavier * R * p.W * R.transpose(), pushed * R * p.q, p.mu);
    const ContactSolutions here = spatial_solutions(p, {});
    const ContactSolutions there = spatial_solutions(turned, {});
    EXPECT_EQ(words(here), words(there)) << seed;
    for (const auto& s : here.solutions) {
      const bool found = std::any_of(there.solutions.begin(), there.solutions.end(), [&](const auto& o) {
        const Eigen::VectorXd back = R.transpose() * o.r * (heavier / pushed);
        return o.mode == s.mode && (back - s.r).norm() < 1e-8 * (1 + s.r.norm());
      });
      EXPECT_TRUE(found) << seed << " " << s.mode;
    }
  }
}

TEST(SpatialSolutions, WithoutFrictionAreThoseOfTheNormals) {
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    Draws draws(seed);
    ContactProblem p = drawn(draws, 2);
    p.mu.setZero();
    const ContactSolutions set = spatial_solutions(p, {});
    expect_sound(p, set, std::to_string(seed));
    ASSERT_EQ(set.solutions.size(), 1U) << seed << ": W is definite";
    // A definite linear complementarity problem, by its four words.
    const std::vector<int> n{2, 5};
    const Eigen::Matrix2d W = p.W(n, n);
    const Eigen::Vector2d q = p.q(n);
    int agreeing = 0;
    for (int word = 0; word < 4; ++word) {
      Eigen::Vector2d r = Eigen::Vector2d::Zero();
      if (word == 3) {
        r = -W.inverse() * q;
      } else if (word > 0) {
        r(word - 1) = -q(word - 1) / W(word - 1, word - 1);
      }
      const Eigen::Vector2d w = W * r + q;
      if (r.minCoeff() >= 0 && w.minCoeff() >= -1e-12) {
        EXPECT_LT((Eigen::Vector2d(set.solutions[0].r(n)) - r).norm(), 1e-10 * (1 + r.norm())) << seed;
        ++agreeing;
      }
    }
    EXPECT_EQ(agreeing, 1) << seed;
  }
  const ContactSolutions still =
      spatial_solutions(resting(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, 0, -1), Eigen::VectorXd::Zero(1)), {});
  ASSERT_EQ(still.solutions.size(), 1U);
  EXPECT_EQ(still.solutions[0].mode, "T") << "nothing pushes it";
}

TEST(SpatialSolutions, BilateralContactsMayPull) {
  int pulling = 0;
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFailure(); ++seed) {
    Draws draws(seed);
    ContactProblem p = drawn(draws, 1);
    p.bilateral = {true};
    const ContactSolutions set = spatial_solutions(p, {});
    expect_sound(p, set, std::to_string(seed));
    // Turned around, a pulling contact is one that pushes: the normal axis changes its sign.
    Eigen::Matrix3d flip = Eigen::Matrix3d::Identity();
    flip(2, 2) = -1;
    std::size_t wanted = 0;
    for (const Eigen::Matrix3d& side : {Eigen::Matrix3d(Eigen::Matrix3d::Identity()), flip}) {
      const ContactProblem pushing = resting(side * p.W * side, side * p.q, p.mu);
      for (const auto& s : spatial_solutions(pushing, {}).solutions) {
        if (s.mode == "F") {
          continue;
        }
        ++wanted;
        const ContactSolution* found = find(set, s.mode, side * s.r, 1e-9);
        ASSERT_NE(found, nullptr) << seed;
        EXPECT_EQ(found->contacts[0].force_sign, side(2, 2)) << seed;
        pulling += side(2, 2) < 0;
      }
    }
    EXPECT_EQ(set.solutions.size(), wanted) << seed;
  }
  EXPECT_GT(pulling, 100);
  ContactProblem p = resting(Eigen::Matrix3d::Identity(), Eigen::Vector3d(3, 4, 0), Eigen::VectorXd::Constant(1, 0.5));
  p.bilateral = {true};
  const ContactSolutions set = spatial_solutions(p, {});
  ASSERT_EQ(set.solutions.size(), 1U);
  EXPECT_EQ(set.solutions[0].mode, "S") << "without normal force nothing holds it";
  EXPECT_EQ(set.solutions[0].r, Eigen::Vector3d::Zero());
  EXPECT_LT((set.solutions[0].contacts[0].direction - Eigen::Vector2d(0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(set.solutions[0].contacts[0].force_sign, 1);
}

TEST(SpatialSolutions, SlidingNextToRestingIsTheLimitOfKnownDirections) {
  // When the resting contact turns out to begin to slip along e, the problem with e given has the same solution.
  int slips = 0;
  for (std::uint64_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    Draws draws(seed);
    ContactProblem p = drawn(draws, 2);
    p.law[0] = Law::sliding;
    p.slip.col(0) = Eigen::Vector2d(normals(draws, 2)).normalized();
    const ContactSolutions set = spatial_solutions(p, {});
    EXPECT_TRUE(set.complete) << seed;
    expect_sound(p, set, std::to_string(seed));
    for (const auto& s : set.solutions) {
      EXPECT_NE(s.mode[0], 'T') << seed;
      if (s.contacts[1].letter != Letter::S) {
        continue;
      }
      ContactProblem known = p;
      known.law[1] = Law::sliding;
      known.slip.col(1) = s.contacts[1].direction;
      const ContactSolutions again = spatial_solutions(known, {});
      EXPECT_NE(find(again, s.mode, s.r, 1e-7), nullptr) << seed << " " << s.mode;
      slips += s.mode == "SS";
    }
    // The directions of the second contact by dense sampling, the first eliminated by its sliding equation.
    const auto aside = [&](double angle, double& r2, double& along) {
      Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6, 2);
      E.col(0).head<3>() << -p.mu(0) * p.slip.col(0), 1;
      E.col(1).tail<3>() << -p.mu(1) * std::cos(angle), -p.mu(1) * std::sin(angle), 1;
      const std::vector<int> n{2, 5};
      const Eigen::Matrix2d A = p.W(n, Eigen::all) * E;
      const Eigen::Vector2d x = -A.inverse() * Eigen::Vector2d(p.q(n));
      const Eigen::VectorXd w = p.W * E * x + p.q;
      r2 = std::min(x(0), x(1));
      along = std::cos(angle) * w(3) + std::sin(angle) * w(4);
      return A.determinant() * (std::cos(angle) * w(4) - std::sin(angle) * w(3));
    };
    std::size_t wanted = 0;
    bool doubtful = false;
    constexpr int angles = 720;
    double force = 0;
    double along = 0;
    for (int k = 0; k < angles; ++k) {
      double from = 2 * pi * k / angles;
      double to = 2 * pi * (k + 1) / angles;
      const bool rising = aside(from, force, along) < 0;
      if ((aside(to, force, along) < 0) == rising) {
        continue;
      }
      for (int step = 0; step < 45; ++step) {
        const double middle = (from + to) / 2;
        ((aside(middle, force, along) < 0) == rising ? from : to) = middle;
      }
      wanted += force > 0 && along > 0;
      doubtful = doubtful || std::abs(force) < 1e-6 || std::abs(along) < 1e-6 || std::abs(force) > 1e6;
    }
    if (!doubtful) {
      EXPECT_EQ(words(set).count("SS"), wanted) << seed;
    }
  }
  EXPECT_GT(slips, 60);
}

TEST(SpatialSolutions, BoundariesAreListedOnce) {
  const Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  Eigen::VectorXd q(6);
  q << 0, 0, 0, 0.3, 0.4, -1;  // the first contact neither loaded nor lifted, the second at the edge of its cone
  const ContactSolutions set = spatial_solutions(resting(W, q, Eigen::Vector2d(0.5, 0.5)), {});
  ASSERT_EQ(set.solutions.size(), 1U);
  EXPECT_EQ(set.solutions[0].mode, "FT");
  EXPECT_TRUE(set.solutions[0].boundary);
  EXPECT_TRUE(set.complete) << set.incomplete_reason;
  EXPECT_EQ(set.rejected.size(), 8U);
}

TEST(SpatialSolutions, ThreeContactsAreCompleteWhenNoThreeCanBeginToSlip) {
  Draws draws(7);
  for (int k = 0; k < 60 && !HasFailure(); ++k) {
    ContactProblem p = drawn(draws, 3);
    const ContactSolutions open = spatial_solutions(p, {});
    expect_sound(p, open, std::to_string(k));
    EXPECT_FALSE(open.complete);
    EXPECT_NE(open.incomplete_reason.find("contact 1"), std::string::npos) << open.incomplete_reason;
    p.law[0] = Law::separated;
    const ContactSolutions set = spatial_solutions(p, {});
    EXPECT_TRUE(set.complete) << set.incomplete_reason;
    expect_sound(p, set, std::to_string(k));
    // A contact that is out of the way changes nothing for the others.
    const ContactProblem rest = resting(p.W.bottomRightCorner<6, 6>(), p.q.tail<6>(), p.mu.tail<2>());
    const ContactSolutions two = spatial_solutions(rest, {});
    ASSERT_EQ(set.solutions.size(), two.solutions.size()) << k;
    for (std::size_t i = 0; i < two.solutions.size(); ++i) {
      EXPECT_EQ(set.solutions[i].mode, "F" + two.solutions[i].mode);
      EXPECT_LT((set.solutions[i].r.tail<6>() - two.solutions[i].r).norm(), 1e-12);
    }
  }
}

TEST(SpatialSolutions, ThreeContactsOfWhichOneIsDecoupledAreAProduct) {
  int slip_all = 0;
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const ContactProblem two = drawn(draws, 2);
    const ContactProblem one = drawn(draws, 1);
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(9, 9);
    W.topLeftCorner<6, 6>() = two.W;
    W.bottomRightCorner<3, 3>() = one.W;
    Eigen::VectorXd q(9);
    q << two.q, one.q;
    const ContactSolutions all = spatial_solutions(resting(W, q, Eigen::Vector3d(two.mu(0), two.mu(1), one.mu(0))), {});
    const ContactSolutions first = spatial_solutions(two, {});
    const ContactSolutions second = spatial_solutions(one, {});
    EXPECT_EQ(all.solutions.size(), first.solutions.size() * second.solutions.size()) << seed;
    slip_all += words(all).count("SSS") > 0;
  }
  EXPECT_GT(slip_all, 1) << "the search by Newton's method is part of this";
}

TEST(SpatialSolutions, StopsAtTheBudgetAndSaysSo) {
  Draws draws(1);
  const ContactProblem p = drawn(draws, 2);
  EnumerationOptions options;
  options.most_nodes = 4;
  const ContactSolutions set = spatial_solutions(p, options);
  EXPECT_FALSE(set.complete);
  EXPECT_EQ(set.work.leaves, 4);
  EXPECT_NE(set.incomplete_reason.find("4 words"), std::string::npos);
}

// A contact whose normal nothing moves may slip with any of a range of forces, each of which makes another motion: they
// are one family, beside those of the other contact.
TEST(SpatialSolutions, OfAContactThatCannotMoveAlongItsNormalAreFamilies) {
  for (const bool first : {true, false}) {
    for (const double turn : {0.0, 0.5}) {  // whether the direction of slip depends on the force
      Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
      const int t = first ? 0 : 3;
      W(t + 2, t + 2) = 0;
      W(t, t + 1) = W(t + 1, t) = turn;
      Eigen::VectorXd b(6);
      b << 1, 0, -1, 1, 0, -1;
      b(t + 2) = 0;
      const ContactProblem p = resting(W, b, Eigen::Vector2d(0.5, 0.5));
      const ContactSolutions set = spatial_solutions(p, {});
      EXPECT_TRUE(set.complete) << set.incomplete_reason;
      expect_sound(p, set, std::to_string(turn));
      const std::multiset<std::string> expected =
          first ? std::multiset<std::string>{"FS", "SS", "TS"} : std::multiset<std::string>{"SF", "SS", "ST"};
      EXPECT_EQ(words(set), expected) << first << " " << turn;
      for (const auto& s : set.solutions) {
        if (s.mode != "SS") continue;
        ASSERT_EQ(s.family.dimension, 1) << turn;
        EXPECT_EQ(s.family.motion_dimension, 1) << turn;
        // The family goes on along its direction: a small step solves the laws to second order.
        const Eigen::VectorXd r = s.r + 1e-4 * s.family.directions.col(0);
        EXPECT_LT(law_residual(p, r, p.W * r + p.q), 1e-7) << turn;
      }
    }
  }
}

// Beside a contact that slides with p = 0 and that moves what slips, the other's direction solves another quartic.
TEST(SpatialSolutions, BesideASlidingContactWithoutNormalResponseAreThoseOfAGrid) {
  int slips = 0;
  for (std::uint64_t seed = 1; seed <= 240 && !HasFailure(); ++seed) {
    Draws draws(seed);
    ContactProblem p = drawn(draws, 2);
    p.law[0] = Law::sliding;
    p.slip.col(0) << 1, 0;
    p.mu(0) = p.W(2, 2) / p.W(2, 0);
    if (p.mu(0) < 0) continue;
    p.mu(0) = std::exp2(std::round(std::log2(p.mu(0))));
    p.W(2, 2) = p.mu(0) * p.W(2, 0);  // p = 0, whether or not W is definite then
    const ContactSolutions set = spatial_solutions(p, {});
    EXPECT_TRUE(set.complete) << seed << " " << set.incomplete_reason;
    expect_sound(p, set, std::to_string(seed));
    // Directions of the second contact with both forces from w_n = 0.
    const auto at = [&](double angle, Eigen::VectorXd& r, double& along) {
      Eigen::MatrixXd E = Eigen::MatrixXd::Zero(6, 2);
      E.col(0).head<3>() << -p.mu(0) * p.slip.col(0), 1;
      E.col(1).tail<3>() << -p.mu(1) * std::cos(angle), -p.mu(1) * std::sin(angle), 1;
      const std::vector<int> n{2, 5};
      const Eigen::Matrix2d A = p.W(n, Eigen::all) * E;
      r = -E * A.inverse() * Eigen::Vector2d(p.q(n));
      const Eigen::VectorXd w = p.W * r + p.q;
      along = std::cos(angle) * w(3) + std::sin(angle) * w(4);
      return A.determinant() * (std::cos(angle) * w(4) - std::sin(angle) * w(3));
    };
    Eigen::VectorXd r;
    double along = 0;
    constexpr int angles = 720;
    for (int k = 0; k < angles; ++k) {
      double from = 2 * pi * k / angles;
      double to = 2 * pi * (k + 1) / angles;
      const bool rising = at(from, r, along) < 0;
      if ((at(to, r, along) < 0) == rising) continue;
      for (int step = 0; step < 50; ++step) {
        const double middle = (from + to) / 2;
        ((at(middle, r, along) < 0) == rising ? from : to) = middle;
      }
      if (!(r(2) > 1e-4 && r(5) > 1e-4 && along > 1e-4) || r.norm() > 1e4) continue;
      EXPECT_NE(find(set, "SS", r, 1e-6), nullptr) << seed;
      ++slips;
    }
  }
  EXPECT_GT(slips, 8);
}

// Without load a body rests, however its contacts jam: friction would have to give work. On two feet det P vanishes in
// many pairs of directions, and the equations of slip with it.
TEST(SpatialSolutions, OfABodyWithoutLoadAreNoMotion) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    Eigen::MatrixXd J(6, 6);
    for (const int side : {-1, 1}) {
      const Eigen::Vector3d x(0.25 * side * draws.integer(1, 8), 0, -0.25 * draws.integer(1, 8));
      Eigen::Matrix3d turn;
      turn << 0, x.z(), -x.y(), -x.z(), 0, x.x(), x.y(), -x.x(), 0;
      J.middleRows(side < 0 ? 0 : 3, 3) << Eigen::Matrix3d::Identity(), turn;
    }
    Eigen::VectorXd inverse(6);
    inverse << 1, 1, 1, draws.integer(1, 12), draws.integer(1, 12), draws.integer(1, 12);
    const Eigen::MatrixXd W = J * inverse.asDiagonal() * J.transpose();
    const Eigen::Vector2d mu(0.125 * draws.integer(1, 24), 0.125 * draws.integer(1, 24));
    for (const double lift : {0.0, 1.0}) {  // or lifts off
      Eigen::VectorXd push = Eigen::VectorXd::Zero(6);
      push(2) = lift;
      const ContactSolutions set = spatial_solutions(resting(W, J * push, mu), {});
      EXPECT_TRUE(set.complete) << seed << " " << lift << " " << set.incomplete_reason;
      if (lift == 0) {
        for (const auto& s : set.solutions) EXPECT_LT(s.w.norm(), 1e-12) << seed << " " << s.mode;
      }
    }
  }
}

// At mu = 1/4 forces between two feet just jam: in the directions that press them apart det P = 0, and any split of the
// load balances. Whatever the load, the feet cannot move apart.
TEST(SpatialSolutions, OfABodyThatJustJamsBetweenItsFeet) {
  Eigen::MatrixXd W(6, 6);
  W << 33, 0, -8, 33, 0, 8, 0, 39.25, 0, 0, 34.75, 0, -8, 0, 3, -8, 0, -1,  //
      33, 0, -8, 33, 0, 8, 0, 34.75, 0, 0, 39.25, 0, 8, 0, -1, 8, 0, 3;
  Eigen::VectorXd q(6);
  q << 0, 0, 1, 0, 0, 1;
  const ContactSolutions lifts = spatial_solutions(resting(W, q, Eigen::Vector2d(0.25, 0.25)), {});
  EXPECT_TRUE(lifts.complete) << lifts.incomplete_reason;
  EXPECT_EQ(words(lifts), (std::multiset<std::string>{"FF"}));
  q(0) = q(3) = 0.7;
  q(1) = q(4) = 0.2;
  q(2) = q(5) = -1;
  const ContactSolutions pushed = spatial_solutions(resting(W, q, Eigen::Vector2d(0.25, 0.25)), {});
  EXPECT_TRUE(pushed.complete) << pushed.incomplete_reason;
  EXPECT_EQ(pushed.solutions.size(), 1U);
}

// Forces far beyond the load: a free contact that they just leave at rest is judged by their rounding.
TEST(SpatialSolutions, WithLargeForcesAreJudgedByTheirRounding) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Draws draws(seed);
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
    W(0, 2) = W(2, 0) = 1 - 1e-5;
    for (int k = 0; k < 3; ++k) W(k, 5) = W(5, k) = 1e-3 * draws.normal();
    W(0, 5) = W(5, 0) = W(2, 5);
    const Eigen::Vector3d force(-1e5 * draws.uniform(0.5, 1), 0.1, 1e5);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(6);
    b.head<3>() = -W.topLeftCorner<3, 3>() * force;
    b(5) = -W.row(5).head<3>().dot(force);
    b.segment<2>(3) << 0.5, 0.2;
    const ContactProblem p =
        acceleration_problem(closed_contacts(3, W, b, Eigen::VectorXd::Zero(6), Eigen::Vector2d(2, 0.5)), {}).problem;
    Eigen::VectorXd r = Eigen::VectorXd::Zero(6);
    r.head<3>() = force;
    const ContactSolutions set = all_solutions(p);
    const int there = index_of(p, set, r, p.W * r + p.q, 1e-7);
    ASSERT_GE(there, 0) << seed;
    EXPECT_EQ(set.solutions[static_cast<std::size_t>(there)].mode, "TF") << seed;
    EXPECT_TRUE(set.solutions[static_cast<std::size_t>(there)].boundary) << seed;
  }
}

// Two contacts that hold both ways, one of them seen from the other side of its surface.
TEST(SpatialSolutions, OfAMirrorImageAreTheMirrorImages) {
  int mixed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    ContactProblem p = drawn(draws, 2);
    p.bilateral = {true, true};
    const ContactSolutions set = spatial_solutions(p, {});
    for (const int n : {2, 5}) {
      ContactProblem mirrored = p;
      mirrored.W.row(n) *= -1;
      mirrored.W.col(n) *= -1;
      mirrored.q(n) *= -1;
      const ContactSolutions images = spatial_solutions(mirrored, {});
      EXPECT_EQ(images.complete, set.complete) << seed;
      EXPECT_EQ(images.solutions.size(), set.solutions.size()) << seed;
      for (const ContactSolution& s : set.solutions) {
        Eigen::VectorXd r = s.r;
        Eigen::VectorXd w = s.w;
        r(n) *= -1;
        w(n) *= -1;
        EXPECT_GE(index_of(mirrored, images, r, w, 1e-7), 0) << seed << " " << s.mode;
        mixed += s.mode == "SS" && s.r(2) * s.r(5) < 0;
      }
    }
  }
  EXPECT_GT(mixed, 10);
}

// A contact slips with a segment of forces (b_n = 0 and μ at its jam) beside another one that carries a load.
TEST(SpatialSolutions, ASegmentOfForcesLeavesTheLoadOfOtherContacts) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
  W(3, 5) = W(5, 3) = 0.5;
  Eigen::VectorXd q(6);
  q << 0.1, 0, -1, 3, 0, 0;
  const ContactProblem p = resting(W, q, Eigen::Vector2d(0.5, 2));
  const ContactSolutions set = spatial_solutions(p, {});
  expect_sound(p, set, "segment");
  Eigen::VectorXd r(6);
  r << -0.1, 0, 1, -2, 0, 1;  // r_n of the second contact between 0 and 2
  const ContactSolution* slips = find(set, "TS", r, 1e-9);
  ASSERT_NE(slips, nullptr);
  EXPECT_EQ(slips->family.dimension, 1);
  EXPECT_EQ(slips->family.motion_dimension, 1);
}

// The work that is reported counts the boxes of the search for two directions, the first 64 at least.
TEST(SpatialSolutions, CountTheBoxesOfPairsOfDirections) {
  Eigen::VectorXd q(6);
  q << 1, 0.2, -1, 0.3, 2, -1;
  const ContactSolutions set =
      spatial_solutions(resting(Eigen::MatrixXd::Identity(6, 6), q, Eigen::Vector2d(0.5, 0.7)), {});
  EXPECT_EQ(set.work.leaves, 9);
  EXPECT_GE(set.work.nodes, 9 + 64);
}

}  // namespace spatial_solutions_test
}  // namespace painleve
