#include "painleve/complementarity/slip_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/slip_directions.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace slip_search_test {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

struct Drawn {
  Matrix3d W;
  Vector3d b;
  double mu;
};
Drawn drawn(Draws& draws) {
  Drawn c;
  Vector3d units;
  for (double& x : units) x = std::exp(draws.uniform(-2, 2));
  c.W = units.asDiagonal() * drawn_gram(draws, 3, draws.integer(3, 5), 0) * units.asDiagonal();
  for (double& x : c.b) x = draws.normal();
  c.mu = std::exp(draws.uniform(-3, 2));
  return c;
}

Vector3d force(const SlipForce& s, double mu) {
  const Vector2d r_t = -mu * std::abs(s.lambda_n) * s.e;
  return {r_t.x(), r_t.y(), s.lambda_n};
}

// The law of slip from rest, from W, b and the force alone.
double violation(const Drawn& c, const SlipForce& s) {
  const Vector3d w = c.W * force(s, c.mu) + c.b;
  const double size = c.b.norm() + c.W.norm() * std::abs(s.lambda_n) * (1 + c.mu);
  return (w - Vector3d(s.e.x(), s.e.y(), 0) * w.head<2>().norm()).norm() / size;
}

TEST(SlipSearch, FindsWhatTheQuarticFinds) {
  int several = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    Draws draws(seed);
    const Drawn c = drawn(draws);
    const int sign = draws.integer(0, 3) == 0 ? -1 : 1;
    const SlipForces found = slip_forces(c.W, c.b, c.mu, sign);
    const SlipDirections known = slip_directions(c.W, c.b, c.mu, sign);
    if (found.doubtful || !known.complete) continue;
    ASSERT_EQ(static_cast<std::size_t>(found.count), known.consistent.size()) << seed;
    several += found.count > 1;
    none += found.count == 0;
    for (int k = 0; k < found.count; ++k) {
      const SlipForce& s = found.list[static_cast<std::size_t>(k)];
      EXPECT_GT(sign * s.lambda_n, 0) << seed;
      EXPECT_LE(violation(c, s), 1e-12) << seed;
      const bool same = std::any_of(known.consistent.begin(), known.consistent.end(),
                                    [&](const SlipDirection& o) { return (o.e - s.e).norm() < 1e-7; });
      EXPECT_TRUE(same) << seed;
    }
  }
  EXPECT_GT(several, 15);
  EXPECT_GT(none, 1000);
}

TEST(SlipSearch, DoubtIsRare) {
  int doubtful = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Draws draws(seed);
    const Drawn c = drawn(draws);
    doubtful += slip_forces(c.W, c.b, c.mu, 1).doubtful;
  }
  EXPECT_LE(doubtful, 4);
}

// W_tn = 0 and W_tt = 1: slip goes along b_t, with λ_n = −b_n/W_nn, when friction is too weak to stop it.
TEST(SlipSearch, ClosedForm) {
  const Matrix3d W = Vector3d(1, 1, 2).asDiagonal();
  for (int k = 0; k < 48; ++k) {  // on, beside and between the nodes of the grid
    const double angle = 2 * std::numbers::pi * k / 48;
    const Vector3d b(3 * std::cos(angle), 3 * std::sin(angle), -4);
    const SlipForces found = slip_forces(W, b, 0.5, 1);
    ASSERT_EQ(found.count, 1) << k;
    EXPECT_FALSE(found.doubtful) << k;
    EXPECT_LE((found.list[0].e - b.head<2>() / 3).norm(), 1e-15) << k;
    EXPECT_EQ(found.list[0].lambda_n, 2);
    EXPECT_EQ(slip_forces(W, b, 1.6, 1).count, 0) << "friction 3.2 stops it";
    EXPECT_EQ(slip_forces(W, b, 0.5, -1).count, 0) << "a load that presses asks for no pull";
  }
}

TEST(SlipSearch, AllDirectionsAreDoubtful) {
  // No tangential load and no coupling: g vanishes everywhere.
  EXPECT_TRUE(slip_forces(Vector3d(1, 1, 2).asDiagonal(), Vector3d(0, 0, -1), 0.5, 1).doubtful);
}

// Newton's method near a root gives that root; anywhere it gives a solution or nothing.
TEST(SlipSearch, NearADirection) {
  int reached = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    const Drawn c = drawn(draws);
    const SlipForces all = slip_forces(c.W, c.b, c.mu, 1);
    const double angle = draws.uniform(-3.14, 3.14);
    const SlipForces any = slip_force_near(c.W, c.b, c.mu, Vector2d(std::cos(angle), std::sin(angle)));
    ASSERT_LE(any.count, 1) << seed;
    if (any.count == 1) {
      EXPECT_LE(violation(c, any.list[0]), 1e-12) << seed;
    }
    if (all.doubtful || all.count != 1) continue;
    const Vector2d e = all.list[0].e;
    const SlipForces near = slip_force_near(c.W, c.b, c.mu, (e + 1e-4 * Vector2d(-e.y(), e.x())).normalized());
    if (near.count == 1 && (near.list[0].e - e).norm() < 1e-9) ++reached;
  }
  EXPECT_GT(reached, 600);
}

TEST(SlipSearch, ForcesScaleWithTheLoad) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const Drawn c = drawn(draws);
    const SlipForces found = slip_forces(c.W, c.b, c.mu, 1);
    for (const double factor : {0x1p-200, 0x1p200}) {
      const SlipForces scaled = slip_forces(c.W, factor * c.b, c.mu, 1);
      ASSERT_EQ(scaled.count, found.count) << seed;
      for (std::size_t k = 0; k < static_cast<std::size_t>(found.count); ++k) {
        EXPECT_EQ(scaled.list[k].e, found.list[k].e) << seed;
        EXPECT_EQ(scaled.list[k].lambda_n, factor * found.list[k].lambda_n) << seed;
      }
    }
  }
}

}  // namespace slip_search_test
}  // namespace painleve
