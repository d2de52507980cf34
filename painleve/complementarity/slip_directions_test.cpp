#include "painleve/complementarity/slip_directions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace slip_directions_test {

constexpr double pi = std::numbers::pi;

// Coefficients of scale · Π (x − r), padded with zeros to degree four.
std::array<double, 5> with_roots(const std::vector<double>& roots, double scale) {
  std::array<double, 5> c{scale, 0, 0, 0, 0};
  std::size_t degree = 0;
  for (const double r : roots) {
    ++degree;
    for (std::size_t i = degree; i > 0; --i) {
      c[i] = c[i - 1] - r * c[i];
    }
    c[0] *= -r;
  }
  return c;
}

TEST(RootsInUnitInterval, FindsSeparateRootsOfEveryDegree) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    const int degree = draws.integer(1, 4);  // lower ones are quartics with vanishing coefficients
    std::vector<double> all;
    while (static_cast<int>(all.size()) < degree) {
      const double r = draws.uniform(-2.5, 2.5);
      const bool apart = std::all_of(all.begin(), all.end(), [&](double o) { return std::abs(o - r) > 0.05; });
      if (apart && std::abs(std::abs(r) - 1) > 1e-6) {
        all.push_back(r);
      }
    }
    std::vector<double> wanted;
    std::copy_if(all.begin(), all.end(), std::back_inserter(wanted), [](double r) { return std::abs(r) < 1; });
    std::sort(wanted.begin(), wanted.end());
    bool doubtful = false;
    const auto found = roots_in_unit_interval(with_roots(all, std::exp(draws.uniform(-20, 20))), doubtful);
    ASSERT_EQ(found.size(), wanted.size()) << seed;
    EXPECT_FALSE(doubtful) << seed;
    for (std::size_t i = 0; i < found.size(); ++i) {
      // Coefficients up to 50 and gaps down to 0.05 magnify rounding by about 1e5 at worst.
      EXPECT_NEAR(found[i], wanted[i], 1e-10) << seed;
    }
  }
}

TEST(RootsInUnitInterval, EndsOfTheIntervalBelongToIt) {
  bool doubtful = false;
  EXPECT_EQ(roots_in_unit_interval(with_roots({1}, 1), doubtful), std::vector<double>{1});
  EXPECT_EQ(roots_in_unit_interval(with_roots({-1}, 1), doubtful), std::vector<double>{-1});
  EXPECT_EQ(roots_in_unit_interval(with_roots({-1, 1}, 3), doubtful), (std::vector<double>{-1, 1}));
  const auto four = roots_in_unit_interval(with_roots({-1, -0.5, 0.25, 1}, -2), doubtful);
  ASSERT_EQ(four.size(), 4U);
  EXPECT_EQ(four.front(), -1);
  EXPECT_NEAR(four[1], -0.5, 1e-15);
  EXPECT_NEAR(four[2], 0.25, 1e-15);
  EXPECT_EQ(four.back(), 1);
  EXPECT_FALSE(doubtful);
  EXPECT_TRUE(roots_in_unit_interval(with_roots({1 + 1e-9}, 1), doubtful).empty());
}

TEST(RootsInUnitInterval, DoubleRootsAreFoundOnceOrCalledDoubtful) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Draws draws(seed);
    const double twice = draws.uniform(-0.9, 0.9);
    const double other = draws.uniform(1.5, 3);
    bool doubtful = false;
    const auto found = roots_in_unit_interval(with_roots({twice, twice, other, -other}, 1), doubtful);
    ASSERT_LE(found.size(), 2U) << seed;
    if (found.empty()) {
      EXPECT_TRUE(doubtful) << seed;
    }
    for (const double r : found) {
      EXPECT_NEAR(r, twice, 1e-6) << seed;  // a double root is known to half the digits
    }
  }
  bool doubtful = false;
  EXPECT_EQ(roots_in_unit_interval({0, 0, 1, 0, 0}, doubtful), std::vector<double>{0});
  EXPECT_EQ(roots_in_unit_interval({0, 0, 0, 0, 5}, doubtful), std::vector<double>{0});
  EXPECT_FALSE(doubtful) << "exact zeros leave no doubt";
}

TEST(RootsInUnitInterval, NoneWhereThereAreNone) {
  bool doubtful = false;
  EXPECT_TRUE(roots_in_unit_interval({1, 0, 0, 0, 0}, doubtful).empty());
  EXPECT_TRUE(roots_in_unit_interval({1, 0, 1, 0, 1}, doubtful).empty());
  EXPECT_TRUE(roots_in_unit_interval({1e-6, 0, 1, 0, 0}, doubtful).empty());
  EXPECT_FALSE(doubtful);
  roots_in_unit_interval({1e-16, 0, 1, 0, 0}, doubtful);
  EXPECT_TRUE(doubtful) << "zero or not: below rounding";
}

SpatialContact contact_of(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu) {
  return {W.topLeftCorner<2, 2>(), W.topRightCorner<2, 1>(), W(2, 2), b.head<2>(), b.z(), Eigen::Vector2d::Zero(), mu};
}

// Dense sampling of the law on the circle, with the 3 x 3 matrix: force along (−sense μ e, 1), a_n = 0, a_t × e = 0.
class Sampling {
 public:
  Sampling(const Eigen::Matrix3d& W_, const Eigen::Vector3d& b_, double mu_, int sense_)
      : W(W_), b(b_), mu(mu_), sense(sense_) {
    constexpr int angles = 5000;
    std::vector<double> values;
    double size = 0;
    for (int k = 0; k < angles; ++k) {
      values.push_back(sideways(2 * pi * k / angles));
      size = std::max(size, std::abs(values.back()));
    }
    for (int k = 0; k < angles; ++k) {
      const double before = values[static_cast<std::size_t>((k + angles - 1) % angles)];
      const double here = values[static_cast<std::size_t>(k)];
      const double after = values[static_cast<std::size_t>((k + 1) % angles)];
      if ((here < 0) != (after < 0)) {
        consider(root(2 * pi * k / angles, 2 * pi * (k + 1) / angles));
      } else if ((before < 0) == (here < 0) && std::abs(here) <= std::abs(before) &&
                 std::abs(here) <= std::abs(after) && std::abs(here) < 1e-4 * size) {
        doubtful = true;  // may touch zero between the samples
      }
    }
  }

  std::vector<Eigen::Vector2d> directions;
  bool doubtful = false;

 private:
  static Eigen::Vector2d unit(double phi) { return {std::cos(phi), std::sin(phi)}; }
  Eigen::Vector3d force(double phi) const {
    const Eigen::Vector2d e = unit(phi);
    return {-sense * mu * e.x(), -sense * mu * e.y(), 1};
  }
  // p (a_t × e), which is smooth where p = 0.
  double sideways(double phi) const {
    const Eigen::Vector3d response = W * force(phi);
    const Eigen::Vector2d a_t = response.z() * b.head<2>() - b.z() * response.head<2>();
    const Eigen::Vector2d e = unit(phi);
    return a_t.x() * e.y() - a_t.y() * e.x();
  }
  double root(double from, double to) const {
    const bool rising = sideways(from) < 0;
    for (int k = 0; k < 60; ++k) {
      const double middle = (from + to) / 2;
      ((sideways(middle) < 0) == rising ? from : to) = middle;
    }
    return (from + to) / 2;
  }
  void consider(double phi) {
    const Eigen::Vector3d response = W * force(phi);
    const double lambda_n = -b.z() / response.z();
    const double along = (b + response * lambda_n).head<2>().dot(unit(phi));
    doubtful = doubtful || std::abs(response.z()) < 1e-6 || std::abs(lambda_n) < 1e-6 || std::abs(along) < 1e-6;
    if (sense * lambda_n > 0 && along > 0) {
      directions.push_back(unit(phi));
    }
  }
  const Eigen::Matrix3d W;
  const Eigen::Vector3d b;
  const double mu;
  const int sense;
};

TEST(SlipDirections, AgreeWithDenseSampling) {
  std::array<int, 5> seen{};
  int skipped = 0;
  for (std::uint64_t seed = 1; seed <= 4000 && !HasFailure(); ++seed) {
    Draws draws(seed);
    Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.02);
    const Eigen::Vector3d b{2 * draws.normal(), 2 * draws.normal(),
                            draws.normal()};  // in this order, with any compiler
    const double mu = draws.uniform(0, 3);
    const int sense = draws.integer(0, 3) == 0 ? -1 : 1;
    const Sampling sampling(W, b, mu, sense);
    const SlipDirections found = slip_directions(contact_of(W, b, mu), sense);
    if (sampling.doubtful || !found.complete) {
      ++skipped;
      continue;
    }
    ASSERT_EQ(found.consistent.size(), sampling.directions.size()) << seed;
    ++seen[found.consistent.size()];
    for (const auto& e : sampling.directions) {
      const bool known = std::any_of(found.consistent.begin(), found.consistent.end(), [&](const auto& d) {
        return (d.e - e).norm() < 1e-8;  // the sampling bisects to rounding, which a slope down to 1e-4 magnifies
      });
      EXPECT_TRUE(known) << seed << ": " << e.transpose();
    }
    EXPECT_LE(found.consistent.size() + found.rejected.size(), 4U) << seed;
    for (const auto& d : found.consistent) {
      const Eigen::Vector3d lambda(-sense * mu * d.lambda_n * d.e.x(), -sense * mu * d.lambda_n * d.e.y(), d.lambda_n);
      const Eigen::Vector3d a = W * lambda + b;
      const double size = b.norm() + W.norm() * lambda.norm();
      EXPECT_LT(std::abs(a.z()), 1e-12 * size) << seed;
      EXPECT_LT((a.head<2>() - d.c * d.e).norm(), 1e-12 * size) << seed;
      EXPECT_NEAR(d.e.norm(), 1, 1e-14) << seed;
    }
  }
  EXPECT_LT(skipped, 200);
  EXPECT_GT(seen[0], 100);
  EXPECT_GT(seen[1], 100);
  EXPECT_GT(seen[2], 20) << "several directions at once are part of the paradox";
}

TEST(SlipDirections, WithoutNormalLoadAForceNeedsPZero) {
  int found_some = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.02);
    const Eigen::Vector3d b(draws.normal(), draws.normal(), 0);
    const double mu = draws.uniform(0, 4);
    const SlipDirections found = slip_directions(contact_of(W, b, mu));
    const double mu_jam = W(2, 2) / W.topRightCorner<2, 1>().norm();
    EXPECT_EQ(found.consistent.size() + found.rejected.size(), mu < mu_jam ? 0U : 2U) << seed;
    for (const auto& d : found.consistent) {
      const Eigen::Vector3d lambda(-mu * d.lambda_n * d.e.x(), -mu * d.lambda_n * d.e.y(), d.lambda_n);
      const Eigen::Vector3d a = W * lambda + b;
      const double size = b.norm() + W.norm() * lambda.norm();
      EXPECT_LT(std::abs(a.z()), 1e-12 * size) << seed;
      EXPECT_LT((a.head<2>() - d.c * d.e).norm(), 1e-12 * size) << seed;
      EXPECT_GT(d.c, 0) << seed;
      EXPECT_GT(d.lambda_n, 0) << seed;
      ++found_some;
    }
  }
  EXPECT_GT(found_some, 50);
}

TEST(SlipDirections, IsotropicContactsSlipWhereTheyArePushed) {
  const Eigen::Matrix3d W = 2 * Eigen::Matrix3d::Identity();
  const Eigen::Vector3d b(3, 4, -1);
  const SlipDirections found = slip_directions(contact_of(W, b, 0.5));
  ASSERT_EQ(found.consistent.size(), 1U);
  EXPECT_LT((found.consistent[0].e - Eigen::Vector2d(0.6, 0.8)).norm(), 1e-15);
  EXPECT_NEAR(found.consistent[0].lambda_n, 0.5, 1e-15);
  EXPECT_NEAR(found.consistent[0].c, 5 - 0.5, 1e-14);
  EXPECT_TRUE(slip_directions(contact_of(W, Eigen::Vector3d(0.3, 0.4, -1), 0.5)).consistent.empty()) << "on the edge";
  EXPECT_TRUE(slip_directions(contact_of(W, Eigen::Vector3d(0, 0, -1), 0.5)).consistent.empty()) << "not pushed at all";
  // Without friction the direction is that of the push that is left after the normal force.
  Eigen::Matrix3d coupled = W;
  coupled(0, 2) = coupled(2, 0) = 1;
  const SlipDirections smooth = slip_directions(contact_of(coupled, b, 0));
  ASSERT_EQ(smooth.consistent.size(), 1U);
  EXPECT_LT((smooth.consistent[0].e - Eigen::Vector2d(3.5, 4).normalized()).norm(), 1e-15);
}

// A contact that pulls: p(e) = W_nn + μ W_tn·e must vanish, too, and cannot where μ |W_tn| < W_nn.
TEST(SlipDirections, WithoutNormalLoadNoForcePullsBelowTheJam) {
  Eigen::Matrix3d W;
  W << 2, 0.1, 0.6, 0.1, 3, 0.2, 0.6, 0.2, 1;
  const double jam = 1 / std::hypot(0.6, 0.2);
  const SlipDirections below = slip_directions(W, {1, 0.5, 0}, 0.9 * jam, -1);
  EXPECT_TRUE(below.consistent.empty());
  EXPECT_TRUE(below.rejected.empty());
  const SlipDirections above = slip_directions(W, {1, 0.5, 0}, 1.1 * jam, -1);
  ASSERT_EQ(above.consistent.size() + above.rejected.size(), 2U);
  for (const auto& list : {above.consistent, above.rejected}) {
    for (const auto& d : list) {
      EXPECT_NEAR(d.e.norm(), 1, 1e-14);
      EXPECT_NEAR(1 + 1.1 * jam * d.e.dot(Eigen::Vector2d(0.6, 0.2)), 0, 1e-14);
    }
  }
}

// What other contacts leave of W need be neither symmetric nor positive. With W_tt = −I, W_tn = 0 and b_t = 0 every
// direction balances; those with p(e) < 0 < b_n are consistent. They form a continuum, and no list holds it.
TEST(SlipDirections, AContinuumIsCalledIncomplete) {
  const Eigen::Vector2d towards(std::cos(5 * pi / 8), std::sin(5 * pi / 8));
  for (const double mu : {0.5, 2.0}) {
    for (const bool some : {true, false}) {
      Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
      W.topLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
      W(2, 2) = 1;
      W.bottomLeftCorner<1, 2>() = (some ? 1.05 : 0.95) / mu * towards.transpose();
      const SlipDirections found = slip_directions(W, {0, 0, 0.01}, mu, 1);
      EXPECT_EQ(found.complete, !some) << mu;
    }
  }
}

// The same seen from the other side of the surface, where the contact pulls.
TEST(SlipDirections, AContinuumOfForcesThatPullIsCalledIncomplete) {
  const Eigen::Vector2d towards(std::cos(5 * pi / 8), std::sin(5 * pi / 8));
  for (const double mu : {0.5, 2.0}) {
    for (const bool some : {true, false}) {
      Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
      W.topLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
      W(2, 2) = 1;
      W.bottomLeftCorner<1, 2>() = -(some ? 1.05 : 0.95) / mu * towards.transpose();
      const SlipDirections found = slip_directions(W, {0, 0, -0.01}, mu, -1);
      EXPECT_EQ(found.complete, !some) << mu;
      ASSERT_EQ(found.consistent.size(), some ? 1U : 0U) << mu;
      if (!some) continue;
      EXPECT_LT(found.consistent[0].lambda_n, 0) << mu;
      EXPECT_GT(found.consistent[0].c, 0) << mu;
      EXPECT_LT((found.consistent[0].e - towards).norm(), 1e-14) << mu;
    }
  }
}

// However narrow the arc of consistent directions is: p(e) < 0 < b_n near one direction only, between those of any
// grid.
TEST(SlipDirections, AContinuumOnANarrowArcIsCalledIncomplete) {
  for (const double angle : {0.1, 1.3, 4.0}) {
    for (const double beyond : {1e-3, -1e-3}) {
      Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
      W.topLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
      W(2, 2) = 1;
      W.bottomLeftCorner<1, 2>() = (1 + beyond) / 2 * Eigen::RowVector2d(std::cos(angle), std::sin(angle));
      EXPECT_EQ(slip_directions(W, {0, 0, 0.01}, 2, 1).complete, beyond < 0) << angle;
    }
  }
}

// A contact whose load is such that two directions of slip merge at e: the load as a function of direction, force and
// slip c has a singular Jacobian there, whose determinant is linear in c.
struct Merging {
  Eigen::Matrix3d W;
  Eigen::Vector3d b;
  double mu, c;
  Eigen::Vector2d e;
};
Merging merging(Draws& draws) {
  Merging m{drawn_gram(draws, 3, 3, 0.02), {}, draws.uniform(0.1, 4), 0, {}};
  const double angle = draws.uniform(-pi, pi);
  const double lambda_n = draws.uniform(0.3, 1);
  m.e = {std::cos(angle), std::sin(angle)};
  const Eigen::Vector2d turn(-m.e.y(), m.e.x());
  Eigen::Matrix3d J;
  J << m.mu * lambda_n * m.W.leftCols<2>() * turn, m.mu * m.W.leftCols<2>() * m.e - m.W.col(2),
      Eigen::Vector3d(m.e.x(), m.e.y(), 0);
  const double none = J.determinant();
  J.col(0).head<2>() += turn;
  m.c = -none / (J.determinant() - none);
  m.b = J.col(1) * lambda_n;
  m.b.head<2>() += m.c * m.e;
  return m;
}

// Where two directions merge they are listed once, to one side there are two, to the other none: down to rounding.
TEST(SlipDirections, AppearAndVanishInTwos) {
  int made = 0;
  for (std::uint64_t seed = 1; seed <= 2000 && !HasFailure(); ++seed) {
    Draws draws(seed);
    const Merging m = merging(draws);
    if (!(m.c > 0.05 && m.c < 20)) continue;
    const auto near = [&](double away) {
      const Eigen::Vector3d b = m.b + Eigen::Vector3d(away * m.b.norm(), 0, 0);
      const SlipDirections found = slip_directions(m.W, b, m.mu, 1);
      EXPECT_TRUE(found.complete) << seed << " " << away;
      return static_cast<int>(std::count_if(found.consistent.begin(), found.consistent.end(),
                                            [&](const SlipDirection& d) { return (d.e - m.e).norm() < 1e-3; }));
    };
    EXPECT_EQ(near(0), 1) << seed;
    for (const double away : {1e-10, 1e-12}) {
      const int before = near(away);
      const int after = near(-away);
      // Where the load does not matter for the merging to first order, rounding decides.
      if (before == 1 && after == 1) continue;
      EXPECT_EQ(std::abs(before - after), 2) << seed << " " << away;
      ++made;
    }
  }
  EXPECT_GT(made, 250);
}

// Powers of two as units of force and motion change no digit of a direction, nor what is listed.
TEST(SlipDirections, DoNotDependOnUnits) {
  int listed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, draws.integer(1, 3), 0);  // of rank one as well
    Eigen::Vector3d b(2 * draws.normal(), 2 * draws.normal(), seed % 4 == 0 ? 0 : draws.normal());
    if (seed % 5 == 0) b.head<2>() = W.topRightCorner<2, 1>() * (b.z() / W(2, 2));  // no push is left
    const double mu = draws.uniform(0.1, 3);
    const int sense = draws.integer(0, 1) == 0 ? -1 : 1;
    const SlipDirections found = slip_directions(W, b, mu, sense);
    listed += static_cast<int>(found.consistent.size());
    for (const double response : {0x1p-60, 0x1p60}) {
      for (const double load : {0x1p-60, 1.0, 0x1p60}) {
        const SlipDirections same = slip_directions(response * W, load * b, mu, sense);
        EXPECT_EQ(same.complete, found.complete) << seed;
        ASSERT_EQ(same.consistent.size(), found.consistent.size()) << seed;
        EXPECT_EQ(same.rejected.size(), found.rejected.size()) << seed;
        for (std::size_t k = 0; k < found.consistent.size(); ++k) {
          EXPECT_EQ(same.consistent[k].e, found.consistent[k].e) << seed;
          EXPECT_EQ(same.consistent[k].lambda_n, found.consistent[k].lambda_n * load / response) << seed;
          EXPECT_EQ(same.consistent[k].c, found.consistent[k].c * load) << seed;
        }
      }
    }
  }
  EXPECT_GT(listed, 100);
}

// With W of rank one, W = v vᵀ, p = 0 solves the balance in two directions, in which b_n cannot be met.
TEST(SlipDirections, OfRankOneAreNotThoseWithoutNormalResponse) {
  int balanced = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 1, 0);
    const Eigen::Vector3d b(draws.normal(), draws.normal(), draws.normal());
    const double mu = draws.uniform(0.1, 4);
    const SlipDirections found = slip_directions(W, b, mu, 1);
    for (const auto& list : {found.consistent, found.rejected}) {
      for (const SlipDirection& d : list) {
        const double p = W(2, 2) - mu * W.topRightCorner<2, 1>().dot(d.e);
        EXPECT_GT(std::abs(p), 1e-14 * (W(2, 2) + mu * W.topRightCorner<2, 1>().norm())) << seed;
        EXPECT_NEAR(p * d.lambda_n, -b.z(), 1e-12 * std::abs(b.z())) << seed;
        ++balanced;
      }
    }
    EXPECT_LE(found.consistent.size() + found.rejected.size(), 2U) << seed;
  }
  EXPECT_GT(balanced, 100);
}

// The balance vanishes at each direction to the rounding of its terms and of the angle.
TEST(SlipDirections, AreKnownToRounding) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.5);
    const Eigen::Vector3d b(2 * draws.normal(), 2 * draws.normal(), draws.normal());
    const double mu = draws.uniform(0.1, 2);
    for (const SlipDirection& d : slip_directions(W, b, mu, 1).consistent) {
      // e⊥·(p b_t − b_n (W_tn − μ W_tt e)) and its slope, in more digits.
      using Real = long double;
      const Real phi = std::atan2(static_cast<Real>(d.e.y()), static_cast<Real>(d.e.x()));
      const auto g = [&](Real angle) {
        const Real x = std::cos(angle);
        const Real y = std::sin(angle);
        const Real p = W(2, 2) - static_cast<Real>(mu) * (W(2, 0) * x + W(2, 1) * y);
        const Real first = p * b.x() - b.z() * (W(0, 2) - static_cast<Real>(mu) * (W(0, 0) * x + W(0, 1) * y));
        const Real second = p * b.y() - b.z() * (W(1, 2) - static_cast<Real>(mu) * (W(1, 0) * x + W(1, 1) * y));
        return x * second - y * first;
      };
      constexpr Real h = 1e-6L;
      const Real slope = (g(phi + h) - g(phi - h)) / (2 * h);
      const Real terms = W.norm() * b.norm() * (1 + mu);
      EXPECT_LE(std::abs(g(phi)), 8e-16L * (terms + std::abs(slope))) << seed;
    }
  }
}

// Seen from the other side of the surface a contact that pushes pulls.
TEST(SlipDirections, OfAMirrorImageAreTheMirrorImages) {
  int listed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Draws draws(seed);
    Eigen::Matrix3d W = drawn_gram(draws, 3, draws.integer(1, 3), 0);
    Eigen::Vector3d b(2 * draws.normal(), 2 * draws.normal(), seed % 3 == 0 ? 0 : draws.normal());
    const double mu = draws.uniform(0.1, 4);
    const SlipDirections found = slip_directions(W, b, mu, 1);
    W.row(2) *= -1;
    W.col(2) *= -1;
    b(2) *= -1;
    const SlipDirections images = slip_directions(W, b, mu, -1);
    EXPECT_EQ(images.complete, found.complete) << seed;
    EXPECT_EQ(images.rejected.size(), found.rejected.size()) << seed;
    ASSERT_EQ(images.consistent.size(), found.consistent.size()) << seed;
    for (const SlipDirection& d : found.consistent) {
      EXPECT_TRUE(std::any_of(images.consistent.begin(), images.consistent.end(), [&](const SlipDirection& image) {
        return (image.e - d.e).norm() < 1e-9 && std::abs(image.lambda_n + d.lambda_n) <= 1e-9 * std::abs(d.lambda_n) &&
               std::abs(image.c - d.c) <= 1e-9 * (b.norm() + std::abs(d.c));
      })) << seed;
      ++listed;
    }
  }
  EXPECT_GT(listed, 100);
}

// μ at the jam and no normal load: p = 0 in one direction, and w_t along it for every force until the slip ends. The
// middle of these forces stands for them.
TEST(SlipDirections, OfASegmentOfForcesIsItsMiddle) {
  for (const double angle : {0.0, 0.7, 3.0}) {
    const Eigen::Vector2d e(std::cos(angle), std::sin(angle));
    for (const double push : {3.0, -3.0}) {
      Eigen::Matrix3d W = Eigen::Matrix3d::Identity();
      W.topRightCorner<2, 1>() = 0.5 * e;
      W.bottomLeftCorner<1, 2>() = 0.5 * e.transpose();
      const SlipDirections found = slip_directions(W, {push * e.x(), push * e.y(), 0}, 2, 1);
      ASSERT_EQ(found.consistent.size(), push > 0 ? 1U : 0U) << angle;
      if (push < 0) continue;
      const SlipDirection& d = found.consistent[0];
      EXPECT_EQ(d.family_dimension, 1);
      EXPECT_LE((d.e - e).norm(), 1e-15);
      EXPECT_NEAR(d.c, push / 2, 1e-14);
      const Eigen::Vector2d w_t = push * e + d.lambda_n * (0.5 * e - 2 * d.e);
      EXPECT_LE((w_t - d.c * d.e).norm(), 1e-14);
      EXPECT_NEAR(d.lambda_n, 1, 1e-14) << "slip ends at 2";
    }
  }
}

// A force on the edge of the cone that moves nothing: it changes no slip, so that all of its sizes will do.
TEST(SlipDirections, OfAForceWithoutEffectAreARayOfForces) {
  Eigen::Matrix3d W;
  W << 8, 0, 4, 0, 2, 0, 4, 0, 2;  // W (−1/2, 0, 1) = 0
  const SlipDirections found = slip_directions(W, {2, 0, 0}, 0.5, 1);
  ASSERT_EQ(found.consistent.size(), 1U);
  EXPECT_EQ(found.consistent[0].family_dimension, 1);
  EXPECT_FALSE(found.consistent[0].turns);
  EXPECT_EQ(found.consistent[0].e, Eigen::Vector2d(1, 0));
  EXPECT_GT(found.consistent[0].lambda_n, 0);
  EXPECT_EQ(found.consistent[0].c, 2);
  EXPECT_TRUE(slip_directions(W, {-2, 0, 0}, 0.5, 1).consistent.empty()) << "against the push";
}

// Nothing moves the contact along its normal. For every limit μ λ_n of friction below |W_tt⁻¹ b_t| it slips in just one
// way, so that the directions are one arc, along which the force grows until the slip ends.
TEST(SlipDirections, OfAContactThatCannotMoveAlongItsNormalAreAnArc) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
    W.topLeftCorner<2, 2>() = drawn_gram(draws, 2, 2, 0.1);
    const Eigen::Vector3d b(draws.normal(), draws.normal(), 0);
    const double mu = draws.uniform(0.1, 2);
    const SlipDirections found = slip_directions(W, b, mu, 1);
    EXPECT_TRUE(found.complete) << seed;
    ASSERT_EQ(found.consistent.size(), 1U) << seed;
    const SlipDirection& d = found.consistent[0];
    EXPECT_TRUE(d.turns) << seed;
    EXPECT_EQ(d.family_dimension, 1) << seed;
    const Eigen::Matrix2d W_tt = W.topLeftCorner<2, 2>();
    const Eigen::Vector2d w_t = b.head<2>() - mu * d.lambda_n * W_tt * d.e;
    EXPECT_LT((w_t - d.c * d.e).norm(), 1e-13 * (b.norm() + mu * d.lambda_n * W.norm())) << seed;
    EXPECT_GT(d.c, 0) << seed;
    EXPECT_LT(mu * d.lambda_n, (W_tt.inverse() * b.head<2>()).norm()) << seed;
    // Along the arc: λ_n(φ + h) − λ_n(φ − h) with λ_n = −e⊥·b_t/(e⊥·v).
    const auto force = [&](double phi) {
      const Eigen::Vector2d e(std::cos(phi), std::sin(phi));
      const Eigen::Vector2d across(-e.y(), e.x());
      return across.dot(b.head<2>()) / (mu * across.dot(W_tt * e));
    };
    const double phi = std::atan2(d.e.y(), d.e.x());
    const double h = 1e-5;
    const double slope = (force(phi + h) - force(phi - h)) / (2 * h);
    EXPECT_NEAR(d.slope, slope, 1e-4 * (1 + std::abs(slope))) << seed;
  }
}

// Pushed along an axis of W_tt it slips along it with all forces until the slip ends; without tangential response, with
// all forces.
TEST(SlipDirections, OfAContactThatCannotMoveAlongItsNormalMayBeALineOfForces) {
  Eigen::Matrix3d W = Eigen::Matrix3d::Zero();
  W(0, 0) = 5;
  W(1, 1) = 4;
  const SlipDirections segment = slip_directions(W, {3, 0, 0}, 0.5, 1);
  ASSERT_EQ(segment.consistent.size(), 1U);
  EXPECT_FALSE(segment.consistent[0].turns);
  EXPECT_EQ(segment.consistent[0].family_dimension, 1);
  EXPECT_LT((segment.consistent[0].e - Eigen::Vector2d(1, 0)).norm(), 1e-15);
  EXPECT_NEAR(segment.consistent[0].lambda_n, 0.6, 1e-14) << "half of 3/(5 mu)";
  EXPECT_TRUE(slip_directions(W, {0, 0, 0}, 0.5, 1).consistent.empty()) << "not pushed";
  const SlipDirections ray = slip_directions(Eigen::Matrix3d::Zero(), {0, 2, 0}, 0.5, 1);
  ASSERT_EQ(ray.consistent.size(), 1U);
  EXPECT_EQ(ray.consistent[0].c, 2);
  EXPECT_EQ(ray.consistent[0].family_dimension, 1);
}

}  // namespace slip_directions_test
}  // namespace painleve
