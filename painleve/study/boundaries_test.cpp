// Boundaries of maps against closed forms: mu_jam of the rod, lift-off, the reach of an arm.
#include "painleve/study/boundaries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/study/boundary_chains.hpp"
#include "painleve/study/detail/map_problems.hpp"

namespace painleve {
namespace boundaries_test {

using namespace detail;

constexpr double pi = std::numbers::pi;

std::vector<Boundary> boundaries_of(const MapProblem& p) { return boundaries(p, compute_map(p, {})); }

Boundary find(const std::vector<Boundary>& all, const std::string& below, const std::string& above) {
  for (const auto& b : all)
    if (b.below == below && b.above == above) return b;
  throw std::runtime_error("no boundary between '" + below + "' and '" + above + "'");
}

// mu_P = kappa tan theta + (kappa + 1)/tan theta, kappa = 1/3.
double mu_P(double theta) { return std::tan(theta) / 3 + 4 / (3 * std::tan(theta)); }

// The tolerance is 1e-13 of the range; mu_P(theta) is at most a few tens of times as steep here.
constexpr double digits = 1e-10;

// Steps of a chain stay within a square of the grid.
void expect_connected(const std::vector<std::array<double, 2>>& chain, const MapProblem& p) {
  for (std::size_t k = 1; k < chain.size(); ++k) {
    for (std::size_t a = 0; a < 2; ++a) {
      const double cell = (p.axes[a].to - p.axes[a].from) / (p.axes[a].count - 1);
      EXPECT_LE(std::abs(chain[k][a] - chain[k - 1][a]), cell * (1 + 1e-9));
    }
  }
}

// ---- two axes

TEST(Boundaries, JammingFrictionOfTheRod) {
  for (const bool friction_first : {false, true}) {
    const Over theta{"theta", 0.05, 1.55, 61};
    const Over mu{"mu", 0, 3, 71};
    const auto p = map_problem(
        "rod", {"slip=1"}, friction_first ? std::vector<Over>{mu, theta} : std::vector<Over>{theta, mu}, {"verdict"});
    const auto all = boundaries_of(p);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].quantity, "verdict");
    EXPECT_EQ(all[0].below, "inconsistent");
    EXPECT_EQ(all[0].above, "unique");
    ASSERT_EQ(all[0].chains.size(), 1U);  // one curve, from mu = 3 down and up again
    const auto& chain = all[0].chains[0];
    EXPECT_GT(chain.size(), 100U);
    for (const auto& point : chain) {
      const double at = friction_first ? point[1] : point[0];
      EXPECT_NEAR(friction_first ? point[0] : point[1], mu_P(at), digits);
    }
    expect_connected(chain, p);
    const std::size_t k = friction_first ? 0 : 1;
    EXPECT_GT(chain.front()[k], 2.9);
    EXPECT_GT(chain.back()[k], 2.9);
  }
}

// Between p < 0 without and with lift-off lies b_n = theta_dot^2 sin theta - g = 0.
TEST(Boundaries, LiftOffOfTheRod) {
  const auto p =
      map_problem("rod", {"slip=1", "mu=1.5"}, {{"theta", 0.05, 1.55, 52}, {"theta_dot", 0, 6, 49}}, {"verdict"});
  const auto all = boundaries_of(p);
  ASSERT_EQ(all.size(), 3U);
  const Boundary lift = find(all, "inconsistent", "indeterminate");
  ASSERT_EQ(lift.chains.size(), 1U);
  EXPECT_GT(lift.chains[0].size(), 12U);
  for (const auto& point : lift.chains[0]) EXPECT_NEAR(point[1] * point[1] * std::sin(point[0]), 9.81, digits);
  // p = 0 at the two angles with mu_P = 1.5, below and above lift-off.
  const double root = std::sqrt(1.5 * 1.5 * 9 - 16);  // tan theta = (3 mu -+ root)/2
  for (const char* word : {"inconsistent", "indeterminate"}) {
    const Boundary jam = find(all, word, "unique");
    ASSERT_EQ(jam.chains.size(), 2U);
    for (const auto& chain : jam.chains) {
      EXPECT_GT(chain.size(), 15U);
      expect_connected(chain, p);
      const double expected = std::atan((4.5 + (chain[0][0] < 1.1 ? -root : root)) / 2);
      for (const auto& point : chain) EXPECT_NEAR(point[0], expected, digits);
    }
  }
}

// Points of the grid on the boundary itself, where the verdict is a third one: with gravity 10 the force 10 lifts.
TEST(Boundaries, AGridThatMeetsTheBoundary) {
  const auto p = map_problem("rod", {"slip=1", "gravity=10", "theta=60deg"}, {{"force_y", 0, 20, 21}, {"mu", 0, 3, 32}},
                             {"verdict"});
  const Map map = compute_map(p, {});
  const auto word = [&](int i, int j) {
    return map.columns[0].names[static_cast<std::size_t>(map.columns[0].values[static_cast<std::size_t>(i * 32 + j)])];
  };
  ASSERT_EQ(word(9, 31), "inconsistent");
  ASSERT_EQ(word(10, 31), "unique");
  ASSERT_EQ(word(11, 31), "indeterminate");
  const auto all = boundaries(p, map);
  const Boundary lift = find(all, "inconsistent", "indeterminate");
  ASSERT_EQ(lift.chains.size(), 1U);
  EXPECT_GT(lift.chains[0].size(), 10U);
  expect_connected(lift.chains[0], p);
  for (const auto& point : lift.chains[0]) EXPECT_NEAR(point[0], 10, digits);
  for (const char* side : {"inconsistent", "indeterminate"}) {
    const Boundary jam = find(all, side, "unique");
    ASSERT_EQ(jam.chains.size(), 1U);
    for (const auto& point : jam.chains[0]) EXPECT_NEAR(point[1], mu_P(pi / 3), digits);
  }
  EXPECT_EQ(all.size(), 3U);
}

// The same along a diagonal, which runs from point to point of the grid and never between them.
TEST(Boundaries, ADiagonalThroughTheGrid) {
  for (const int shift : {0, 3}) {
    const auto p = map_problem("rod", {"slip=1", "theta=60deg", "mu=3"},
                               {{"force_y", 1, 20, 20}, {"gravity", 1.0 + shift, 20.0 + shift, 20}}, {"verdict"});
    const auto all = boundaries_of(p);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].below, "inconsistent");
    EXPECT_EQ(all[0].above, "indeterminate");
    ASSERT_EQ(all[0].chains.size(), 1U);
    expect_connected(all[0].chains[0], p);
    EXPECT_GE(all[0].chains[0].size(), 16U);
    for (const auto& point : all[0].chains[0]) EXPECT_NEAR(point[0], point[1], digits);
  }
}

// Both arms stretched: x = -+sqrt(1 - Z^2) + 0.1 cos theta3, Z = 0.6 - 0.1 sin theta3. Beyond there is no verdict.
TEST(Boundaries, WhereTheQuantityEnds) {
  const auto p =
      map_problem("articulated-arm", {"mu=0.1"}, {{"x", -1.2, 1.2, 41}, {"theta3", -0.5, 0.5, 17}}, {"verdict"});
  const Boundary edge = find(boundaries_of(p), "", "unique");
  ASSERT_EQ(edge.chains.size(), 2U);
  for (const auto& chain : edge.chains) {
    EXPECT_GE(chain.size(), 17U);
    for (const auto& point : chain) {
      const double Z = 0.6 - 0.1 * std::sin(point[1]);
      const double reach = std::sqrt(1 - Z * Z);
      // acos of the elbow is blind next to 1: half of the digits of the angle, all but three of those of x
      EXPECT_NEAR(std::abs(point[0] - 0.1 * std::cos(point[1])), reach, 1e-9);
    }
  }
}

TEST(Boundaries, ThreadsDoNotMatter) {
  const auto p = map_problem("rod", {"mu=1.5"}, {{"theta", 0.05, 1.55, 30}, {"theta_dot", -6, 6, 31}},
                             {"verdict", "consistent_modes"});
  const Map map = compute_map(p, {});
  const auto one = boundaries(p, map, 1e-13, 1);
  for (const int n : {2, 8}) {
    const auto many = boundaries(p, map, 1e-13, n);
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_EQ(many[k].quantity, one[k].quantity);
      EXPECT_EQ(many[k].below, one[k].below);
      EXPECT_EQ(many[k].above, one[k].above);
      EXPECT_EQ(many[k].chains, one[k].chains);
    }
  }
}

// ---- one axis

TEST(Boundaries, PointsOfOneAxis) {
  const auto p = map_problem("rod", {"slip=1", "mu=1.5"}, {{"theta", 0.05, 1.55, 12}}, {"verdict", "mu_jam"});
  const auto all = boundaries_of(p);
  const double root = std::sqrt(1.5 * 1.5 * 9 - 16);
  ASSERT_EQ(all.size(), 2U);
  const Boundary in = find(all, "unique", "inconsistent");
  const Boundary out = find(all, "inconsistent", "unique");
  ASSERT_EQ(in.chains.size(), 1U);
  ASSERT_EQ(in.chains[0].size(), 1U);
  ASSERT_EQ(out.chains.size(), 1U);
  EXPECT_NEAR(in.chains[0][0][0], std::atan((4.5 - root) / 2), 1e-12);
  EXPECT_NEAR(out.chains[0][0][0], std::atan((4.5 + root) / 2), 1e-12);
}

// A region between two cells that neither shows is found when halving meets it.
TEST(Boundaries, ARegionBetweenTwoCells) {
  auto p = map_problem("rod", {"slip=1", "gravity=10", "theta=60deg", "mu=3"}, {{"force_y", 0, 16, 2}},
                       {"consistent_modes"});
  const auto all = boundaries_of(p);  // none below 10; F and S+ above
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].below, "none");
  EXPECT_EQ(all[0].above, "F|S+");
  EXPECT_NEAR(all[0].chains[0][0][0], 10, 1e-11);
  // S+ turns into F by way of none and of F|S+, and two cells show the first and the last alone.
  p = map_problem("rod", {"slip=1", "mu=2", "theta_dot=4"}, {{"theta", 0.3, 1.5, 2}}, {"consistent_modes"});
  const auto ways = boundaries_of(p);
  const double root = std::sqrt(4 * 9 - 16);
  EXPECT_EQ(ways.size(), 3U);
  EXPECT_NEAR(find(ways, "S+", "none").chains.at(0)[0][0], std::atan((6 - root) / 2), 1e-12);
  EXPECT_NEAR(find(ways, "none", "F|S+").chains.at(0)[0][0], std::asin(9.81 / 16), 1e-12);
  EXPECT_NEAR(find(ways, "F|S+", "F").chains.at(0)[0][0], std::atan((6 + root) / 2), 1e-12);
}

TEST(Boundaries, ToleranceIsRelativeToTheRange) {
  const auto p = map_problem("rod", {"slip=1", "mu=1.5"}, {{"theta", 0.05, 1.0, 12}}, {"verdict"});
  const Map map = compute_map(p, {});
  const double truth = std::atan((4.5 - std::sqrt(1.5 * 1.5 * 9 - 16)) / 2);
  for (const double tolerance : {1e-2, 1e-4, 1e-8, 0.0}) {
    const auto all = boundaries(p, map, tolerance);
    EXPECT_NEAR(all.at(0).chains.at(0).at(0)[0], truth, std::max(tolerance * 0.95, 1e-14));
  }
}

// ---- chains

// Where a closed curve meets the lines of a grid.
std::vector<EdgeCrossing> circle(double radius, double centre, int n) {
  std::vector<EdgeCrossing> all;
  for (int i = 0; i < n; ++i) {
    const double d = i - centre;
    if (std::abs(d) >= radius) continue;
    const double h = std::sqrt(radius * radius - d * d);
    for (const double other : {centre - h, centre + h}) {
      const auto at = static_cast<double>(i);
      all.push_back({{at, other}, {at, other}, 1, false});
      all.push_back({{other, at}, {other, at}, 0, false});
    }
  }
  return all;
}

TEST(BoundaryChains, AClosedCurveIsOneChain) {
  const auto crossings = circle(7.3, 10.05, 21);
  const auto chains = chain(crossings, {21, 21});
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].size(), crossings.size() + 1);
  EXPECT_EQ(chains[0].front(), chains[0].back());
  for (std::size_t k = 1; k < chains[0].size(); ++k) {
    const auto& a = crossings[chains[0][k - 1]].at;
    const auto& b = crossings[chains[0][k]].at;
    EXPECT_LE(std::hypot(a[0] - b[0], a[1] - b[1]), std::numbers::sqrt2);
  }
}

TEST(BoundaryChains, TwoCurvesStayApart) {
  auto crossings = circle(7.3, 10.05, 21);
  const auto inner = circle(4.1, 10.05, 21);
  crossings.insert(crossings.end(), inner.begin(), inner.end());
  EXPECT_EQ(chain(crossings, {21, 21}).size(), 2U);
}

TEST(BoundaryChains, ALonePointAndThePointsOfTheGrid) {
  EXPECT_EQ(chain({{{0, 0.5}, {}, 1, false}}, {3, 3}), (std::vector<std::vector<std::size_t>>{{0}}));
  EXPECT_TRUE(chain({}, {3, 3}).empty());
  // A straight line through points of the grid, then away from them.
  const std::vector<EdgeCrossing> line = {
      {{0, 1}, {}, 1, true}, {{1, 1}, {}, 1, true}, {{2, 1}, {}, 1, true}, {{3, 1.4}, {}, 1, false}};
  EXPECT_EQ(chain(line, {4, 4}), (std::vector<std::vector<std::size_t>>{{0, 1, 2, 3}}));
}

// ---- errors

TEST(BoundariesErrors, OneSentenceEach) {
  const auto p = map_problem("rod", {}, {{"theta", 0.1, 1, 4}}, {"verdict"});
  const Map map = compute_map(p, {});
  const auto numbers = map_problem("rod", {}, {{"theta", 0.1, 1, 4}}, {"mu_jam"});
  EXPECT_EQ(refusal([&] { boundaries_of(numbers); }), "boundaries are those of words, and the map has numbers only");
  const auto three = map_problem("rod", {}, {{"theta", 0.1, 1, 3}, {"mu", 0, 1, 3}, {"mass", 1, 2, 3}}, {"verdict"});
  EXPECT_EQ(refusal([&] { boundaries_of(three); }), "boundaries are those of maps of one or two axes, not of 3");
  EXPECT_EQ(refusal([&] { boundaries(numbers, map); }),
            "the map is not one of this problem: its axes or quantities differ");
  EXPECT_EQ(refusal([&] { boundaries(p, map, -1); }), "the tolerance of boundaries must be between 0 and 1, not -1");
  EXPECT_EQ(refusal([&] { boundaries(p, map, 1e-13, -1); }), "threads must be >= 0, not -1");
  MapOptions shard;
  shard.shard = {1, 2};
  EXPECT_EQ(refusal([&] { boundaries(p, compute_map(p, shard)); }),
            "boundaries need a complete map: merge its shards, or finish it, first");
}

}  // namespace boundaries_test
}  // namespace painleve
