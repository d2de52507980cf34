// Two contacts whose normals move as one: the curves of directions beside a search along lines of constant angle.
#include "painleve/complementarity/slip_curves.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace slip_curves_test {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
constexpr double pi = std::numbers::pi;

Eigen::Vector2d unit(double angle) { return {std::cos(angle), std::sin(angle)}; }
double angle_of(const Eigen::Vector2d& e) { return std::atan2(e.y(), e.x()); }
double apart(double a, double b) { return std::abs(std::remainder(a - b, 2 * pi)); }

// Whole numbers: coincidences are the rule. The second normal is the first one times −1.
TwoContacts drawn(Draws& draws) {
  const int rank = draws.integer(3, 5);
  Eigen::MatrixXd J(6, rank);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < rank; ++k) J(i, k) = draws.integer(-2, 2);
  J.row(5) = -J.row(2);
  TwoContacts c;
  c.W = J * J.transpose();
  for (int i = 0; i < 6; ++i) c.q(i) = draws.integer(-3, 3);
  c.q(5) = -c.q(2);
  const std::array<double, 4> mu{0.1, 0.5, 1, 2};
  c.mu = {mu[static_cast<std::size_t>(draws.integer(0, 3))], mu[static_cast<std::size_t>(draws.integer(0, 3))]};
  return c;
}

// A body between two parallel walls, touched on one line across.
TwoContacts between_walls(Draws& draws, bool turns) {
  const double x = draws.uniform(-1, 1);
  const double y = draws.uniform(-1, 1);
  const double tilt = draws.uniform(0, 2 * pi);  // of the tangents of the second contact
  Matrix6 J = Matrix6::Zero();
  const auto row = [&](int k, const Eigen::Vector3d& d, double z) {
    J.row(k) << d.transpose(), y * d.z() - z * d.y(), z * d.x() - x * d.z(), x * d.y() - y * d.x();
  };
  row(0, {1, 0, 0}, -1);
  row(1, {0, 1, 0}, -1);
  row(2, {0, 0, 1}, -1);
  row(3, {std::cos(tilt), std::sin(tilt), 0}, 1);
  row(4, {-std::sin(tilt), std::cos(tilt), 0}, 1);
  row(5, {0, 0, -1}, 1);
  Vector6 inverse_mass = Vector6::Ones() / draws.uniform(0.5, 2);
  for (int k = 3; k < 6; ++k) inverse_mass(k) = turns ? draws.uniform(0.5, 3) : 0;
  Vector6 load;
  for (double& l : load) l = draws.uniform(-2, 2);
  TwoContacts c;
  c.W = J * inverse_mass.asDiagonal() * J.transpose();
  c.q = J * inverse_mass.cwiseProduct(load);
  c.mu = {draws.uniform(0.1, 1.5), draws.uniform(0.1, 1.5)};
  return c;
}

// The unknowns (r_n1, r_n2, c₁, c₂) and 1 of the five equations w_n1 = 0, w_t1 = c₁ e₁, w_t2 = c₂ e₂.
Eigen::Matrix<double, 5, 5> equations(const TwoContacts& p, double a, double b) {
  const std::array<Eigen::Vector2d, 2> e{unit(a), unit(b)};
  Eigen::Matrix<double, 6, 5> all = Eigen::Matrix<double, 6, 5>::Zero();
  for (int j = 0; j < 2; ++j) {
    const auto k = static_cast<std::size_t>(j);
    Vector6 r = Vector6::Zero();
    r.segment<3>(3 * j) << -p.sign[k] * p.mu[k] * e[k], 1;
    all.col(j) = p.W * r;
    all.col(2 + j).segment<2>(3 * j) = -e[k];
  }
  all.col(4) = p.q;
  return all({0, 1, 2, 3, 4}, Eigen::all);
}

struct Point {
  double a, b;
};

// The unknowns where the determinant vanishes, and the least of them with its sign.
double margin(const TwoContacts& p, const Point& x) {
  const Eigen::Matrix<double, 5, 5> M = equations(p, x.a, x.b);
  const Eigen::JacobiSVD<Eigen::Matrix<double, 5, 4>> svd(M.leftCols<4>(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (svd.singularValues()(3) < 1e-3 * svd.singularValues()(0)) return 0;
  const Eigen::Vector4d z = svd.solve(-M.col(4));
  if ((M.leftCols<4>() * z + M.col(4)).norm() > 1e-9 * M.norm()) return 0;
  return std::min({p.sign[0] * z(0), p.sign[1] * z(1), z(2), z(3)}) / (1 + z.norm());
}

double determinant(const TwoContacts& p, double a, double b) { return equations(p, a, b).determinant(); }

// Zeros of the determinant on a line of constant a, told apart by a grid.
std::vector<Point> zeros_on_line(const TwoContacts& p, double a) {
  constexpr int steps = 240;
  std::vector<Point> found;
  double before = determinant(p, a, 0);
  for (int k = 1; k <= steps; ++k) {
    double low = 2 * pi * (k - 1) / steps;
    double high = 2 * pi * k / steps;
    const double after = determinant(p, a, high);
    if ((before < 0) != (after < 0)) {
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        ((determinant(p, a, middle) < 0) == (before < 0) ? low : high) = middle;
      }
      found.push_back({a, (low + high) / 2});
    }
    before = after;
  }
  return found;
}

bool is_at(const Point& x, const SlipPair& pair, double distance) {
  return std::max(apart(x.a, angle_of(pair.e[0])), apart(x.b, angle_of(pair.e[1]))) < distance;
}

// A step along the curve, to the side that `ahead` points to.
std::optional<Point> next_on_curve(const TwoContacts& p, const Point& x, Eigen::Vector2d& ahead, double step) {
  constexpr double h = 1e-6;
  Point y = x;
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector2d slope((determinant(p, y.a + h, y.b) - determinant(p, y.a - h, y.b)) / (2 * h),
                                (determinant(p, y.a, y.b + h) - determinant(p, y.a, y.b - h)) / (2 * h));
    if (slope.norm() == 0) return std::nullopt;
    if (k == 0) {
      Eigen::Vector2d tangent = Eigen::Vector2d(-slope.y(), slope.x()).normalized();
      if (tangent.dot(ahead) < 0) tangent = -tangent;
      ahead = tangent;
      y = {x.a + step * tangent.x(), x.b + step * tangent.y()};
      continue;
    }
    const Eigen::Vector2d back = determinant(p, y.a, y.b) / slope.squaredNorm() * slope;
    y = {y.a - back.x(), y.b - back.y()};
  }
  const double moved = std::max(std::abs(y.a - x.a), std::abs(y.b - x.b));
  if (moved > 2 * step) return std::nullopt;
  return y;
}

// Whether a curve of solutions through x leads to one that is listed. Where two directions leave the forces open curves
// meet in a line of forces, and the search cannot follow: it loses its way from one step to the next.
enum class Way { leads, ends, lost };
Way way_to_listed(const TwoContacts& p, const Point& x, const std::vector<SlipPair>& list) {
  constexpr double step = 0.004;
  Way way = Way::ends;
  for (const double side : {1.0, -1.0}) {
    Point y = x;
    Eigen::Vector2d ahead = side * Eigen::Vector2d(1, 1e-3);
    for (int k = 0; k < 6000; ++k) {
      if (std::any_of(list.begin(), list.end(), [&](const SlipPair& pair) { return is_at(y, pair, 2 * step); }))
        return Way::leads;
      const std::optional<Point> next = next_on_curve(p, y, ahead, step);
      const bool goes_on = next && margin(p, *next) >= 0;
      if (!goes_on && margin(p, y) > 0.05) way = Way::lost;
      if (!goes_on) break;
      y = *next;
    }
  }
  return way;
}

void expect_the_law(const TwoContacts& p, const SlipPair& pair, std::uint64_t seed) {
  Vector6 r;
  r << -p.sign[0] * p.mu[0] * pair.r_n[0] * pair.e[0], pair.r_n[0], -p.sign[1] * p.mu[1] * pair.r_n[1] * pair.e[1],
      pair.r_n[1];
  const Vector6 w = p.W * r + p.q;
  const double size = p.q.norm() + p.W.norm() * r.norm();
  EXPECT_LE(std::max(std::abs(w(2)), std::abs(w(5))), 1e-6 * size) << seed;
  EXPECT_LE((w.segment<2>(0) - pair.c[0] * pair.e[0]).norm(), 1e-6 * size) << seed;
  EXPECT_LE((w.segment<2>(3) - pair.c[1] * pair.e[1]).norm(), 1e-6 * size) << seed;
  EXPECT_GT(p.sign[0] * pair.r_n[0], 0) << seed;
  EXPECT_GT(p.sign[1] * pair.r_n[1], 0) << seed;
  EXPECT_GT(std::min(pair.c[0], pair.c[1]), 0) << seed;
}

// What the search along lines finds lies on curves of which one point is listed.
struct Count {
  int found = 0, lost = 0;
};
void expect_all_found(const TwoContacts& p, const SlipPairs& pairs, std::uint64_t seed, Count& count) {
  for (int k = 0; k < 24; ++k) {
    for (const Point& x : zeros_on_line(p, 0.013 + 2 * pi * k / 24)) {
      if (margin(p, x) < 0.02) continue;
      ++count.found;
      const Way way = way_to_listed(p, x, pairs.list);
      count.lost += way == Way::lost;
      EXPECT_NE(way, Way::ends) << seed << ": " << x.a << " " << x.b;
    }
  }
}

TEST(SlipCurves, AreThoseThatASearchAlongLinesFinds) {
  int decided = 0;
  Count count;
  constexpr std::uint64_t draws_made = 150;
  for (std::uint64_t seed = 1; seed <= draws_made; ++seed) {
    Draws draws(seed);
    const TwoContacts p = drawn(draws);
    const std::optional<SlipPairs> pairs = slip_curves(p);
    if (!pairs) continue;
    ++decided;
    EXPECT_TRUE(pairs->complete);
    for (const SlipPair& pair : pairs->list) expect_the_law(p, pair, seed);
    expect_all_found(p, *pairs, seed, count);
  }
  EXPECT_GE(decided, draws_made * 99 / 100);
  EXPECT_GT(count.found, 100);
  EXPECT_LE(count.lost, count.found / 50);
}

TEST(SlipCurves, OfBodiesBetweenWallsAreDecided) {
  int listed = 0;
  Count count;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Draws draws(seed);
    const TwoContacts p = between_walls(draws, seed % 4 != 0);
    const SlipPairs pairs = slip_pairs(p);
    EXPECT_TRUE(pairs.complete) << seed << " " << pairs.reason;
    for (const SlipPair& pair : pairs.list) expect_the_law(p, pair, seed);
    listed += static_cast<int>(pairs.list.size());
    expect_all_found(p, pairs, seed, count);
  }
  EXPECT_GT(listed, 50);
  EXPECT_GT(count.found, 30);
  EXPECT_LE(count.lost, count.found / 50);
}

// A body that cannot turn moves both contacts alike: one direction, and forces that can be traded against each other.
TEST(SlipCurves, OfABodyThatCannotTurnAreALineOfForces) {
  TwoContacts p;
  Eigen::Matrix<double, 6, 3> J;
  J << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, -1;
  p.W = J * J.transpose();
  p.q = J * Eigen::Vector3d(3, 4, -1);
  p.mu = {0.5, 0.5};
  const SlipPairs pairs = slip_pairs(p);
  EXPECT_TRUE(pairs.complete) << pairs.reason;
  ASSERT_EQ(pairs.list.size(), 1U);
  EXPECT_LE((pairs.list[0].e[0] - Eigen::Vector2d(0.6, 0.8)).norm(), 1e-6);
  EXPECT_LE((pairs.list[0].e[1] - Eigen::Vector2d(0.6, 0.8)).norm(), 1e-6);
  EXPECT_NEAR(pairs.list[0].r_n[0] - pairs.list[0].r_n[1], 1, 1e-6);
  expect_the_law(p, pairs.list[0], 0);
}

TEST(SlipCurves, DoNotExistWhereTheLoadPullsTheNormalsApart) {
  Draws draws(1);
  TwoContacts p = drawn(draws);
  p.q(5) = -p.q(2) + 0.1;
  const std::optional<SlipPairs> pairs = slip_curves(p);
  ASSERT_TRUE(pairs);
  EXPECT_TRUE(pairs->complete);
  EXPECT_TRUE(pairs->list.empty());
}

TEST(SlipCurves, AreNotAskedForWhereTheNormalsMoveApart) {
  Draws draws(2);
  TwoContacts p = drawn(draws);
  p.W(5, 5) += 0.1;
  EXPECT_FALSE(slip_curves(p));
}

// Seen from the other side of its surface a contact pulls.
TEST(SlipCurves, OfAMirrorImageAreTheMirrorImages) {
  int listed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Draws draws(seed);
    const TwoContacts p = drawn(draws);
    const std::optional<SlipPairs> pairs = slip_curves(p);
    TwoContacts mirrored = p;
    mirrored.W.row(5) *= -1;
    mirrored.W.col(5) *= -1;
    mirrored.q(5) *= -1;
    mirrored.sign[1] = -1;
    const std::optional<SlipPairs> images = slip_curves(mirrored);
    ASSERT_EQ(images.has_value(), pairs.has_value()) << seed;
    if (!pairs) continue;
    ASSERT_EQ(images->list.size(), pairs->list.size()) << seed;
    for (const SlipPair& pair : images->list) expect_the_law(mirrored, pair, seed);
    listed += static_cast<int>(pairs->list.size());
  }
  EXPECT_GT(listed, 20);
}

// Forces grow without end along a curve of slipping solutions.
TEST(SlipCurves, WithForcesThatGrowWithoutEndAreComplete) {
  TwoContacts p;
  p.W << 8, 0, 2, -2, 4, -2, 0, 3, 0, 3, -3, 0, 2, 0, 2, -2, 1, -2,  //
      -2, 3, -2, 5, -4, 2, 4, -3, 1, -4, 5, -1, -2, 0, -2, 2, -1, 2;
  p.q << 3, 2, 1, -3, 3, -1;
  p.mu = {1, 1};
  const SlipPairs pairs = slip_pairs(p);
  EXPECT_TRUE(pairs.complete) << pairs.reason;
  ASSERT_FALSE(pairs.list.empty());
  Count count;
  expect_all_found(p, pairs, 0, count);
  EXPECT_GT(count.found, 0);
  EXPECT_EQ(count.lost, 0);
  for (const SlipPair& pair : pairs.list) expect_the_law(p, pair, 0);
}

}  // namespace slip_curves_test
}  // namespace painleve
