#include "painleve/figure/phase_portrait.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace phase_portrait_test {

// The law itself, by another route: friction as the nearest point of the cone to what stick would need.
double normal_acceleration(const PlanarContact& c, double force) {
  const double limit = c.mu * force;
  double friction = -(c.b_t + c.W_tn * force) / c.W_tt;
  if (c.u_t > 0) friction = -limit;
  if (c.u_t < 0) friction = limit;
  friction = std::min(limit, std::max(-limit, friction));
  return c.b_n + c.W_nn * force + c.W_tn * friction;
}

// Indeterminate between lift-off and stick: p+ < 0, b_t > 0, b_n > 0 small.
PlanarContact lift_or_stick() { return {1.1, 0.3, 0.1, 0.3, 0.05, 0, 0.6}; }

TEST(FastPortrait, FieldIsTheContactLaw) {
  Draws draws(31);
  for (int i = 0; i < 3000; ++i) {
    const PlanarContact c = drawn_planar(draws, i % 3 - 1);
    const FastPortrait portrait = fast_portrait(c, 2.5, 0.7);
    const Point state{draws.uniform(-3, 1), draws.uniform(-2, 2)};
    const double force = std::max(0.0, -2.5 * state[0] - 0.7 * state[1]);
    const Point field = portrait.field(state);
    EXPECT_EQ(field[0], state[1]);
    EXPECT_NEAR(field[1], normal_acceleration(c, force), 1e-11 * (1 + force * 10)) << "draw " << i;
  }
}

// A mode with force λ_n is an equilibrium with that force, and the other way round.
TEST(FastPortrait, EquilibriaAreTheConsistentModes) {
  Draws draws(32);
  int saddles = 0;
  for (int i = 0; i < 3000; ++i) {
    const PlanarContact c = drawn_planar(draws, i % 3 - 1);
    const PlanarModes m = planar_modes(c);
    std::vector<double> forces;
    if ((m.consistent & mode_T) != 0) forces.push_back(m.stick.lambda_n);
    if ((m.consistent & mode_S_plus) != 0) forces.push_back(m.slip_plus.lambda_n);
    if ((m.consistent & mode_S_minus) != 0) forces.push_back(m.slip_minus.lambda_n);
    std::sort(forces.begin(), forces.end());
    const FastPortrait portrait = fast_portrait(c, 2, 1);
    const auto found = equilibria(portrait);
    ASSERT_EQ(found.size(), forces.size()) << "draw " << i;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(-2 * found[k].at[0], forces[k], 1e-11 * (1 + forces[k]));
      // A saddle where more force means less acceleration.
      const double h = 1e-6 * forces[k];
      const double slope = normal_acceleration(c, forces[k] + h) - normal_acceleration(c, forces[k] - h);
      EXPECT_EQ(found[k].saddle, slope < 0) << "draw " << i;
      saddles += found[k].saddle;
    }
  }
  EXPECT_GT(saddles, 100);
}

// Without damping ½v² − b y + ½ P k min(y, 0)² does not change, over the corner at y = 0 as well.
TEST(FastPortrait, TrajectoriesKeepTheirEnergyWithoutDamping) {
  for (const double P : {1.0, -0.8}) {
    for (const double b : {-1.0, 0.7}) {
      const FastPortrait portrait = slip_portrait(b, P, 3, 0);
      const auto energy = [&](Point s) {
        const double depth = std::min(s[0], 0.0);
        return s[1] * s[1] / 2 - b * s[0] + P * 3 * depth * depth / 2;
      };
      const Window w = window(portrait);
      for (const double part : {0.2, 0.45, 0.8}) {
        const Point start{w.y_from + part * (w.y_to - w.y_from), w.v_from + 0.3 * (w.v_to - w.v_from)};
        for (const bool forward : {true, false}) {
          const auto line = trajectory(portrait, start, forward);
          ASSERT_GT(line.size(), 10U);
          // Steps of 1/1600 of the picture: 1e-12 where the field is smooth, and of third order, about 2e-8, each time
          // that one leads over the corner of the field at y = 0.
          for (const Point& p : line) EXPECT_NEAR(energy(p), energy(start), 1e-7);
        }
      }
    }
  }
}

// With damping, inside the contact: the exact solution by the eigenvalues, at the time that the trajectory took.
TEST(FastPortrait, TrajectoryEndsWhereTheExactSolutionIs) {
  const double P = 1.3, k = 2, nu = 0.4, b = -1;
  const FastPortrait portrait = slip_portrait(b, P, k, nu);
  const Point start{-0.45, 0.1};
  const auto line = trajectory(portrait, start, true);
  ASSERT_GT(line.size(), 60U);
  // Turn of the angle about the focus, in coordinates in which the solution is a logarithmic spiral: s = σ + iω, the
  // distance from the focus shrinks by e^{σ t} while the angle turns by ω t.
  const double sigma = -P * nu / 2, omega = std::sqrt(P * k - sigma * sigma), y0 = b / (P * k);
  const auto spiral = [&](Point s) {
    const double y = s[0] - y0;
    return Eigen::Vector2d(y, (s[1] - sigma * y) / omega);
  };
  const Eigen::Vector2d first = spiral(start);
  double turned = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Eigen::Vector2d a = spiral(line[i - 1]), c = spiral(line[i]);
    turned += std::atan2(a.x() * c.y() - a.y() * c.x(), a.dot(c));
    const double time = -turned / omega;
    EXPECT_GT(time, 0);
    if (c.norm() < 0.02) break;  // turns of a few steps, in which the scheme loses its digits
    EXPECT_NEAR(c.norm(), first.norm() * std::exp(sigma * time), 1e-8);
  }
  EXPECT_LT(spiral(line.back()).norm(), 0.005);
  EXPECT_LT(turned, -6);
}

TEST(FastPortrait, DrawnLinesFollowTheField) {
  const FastPortrait portrait = fast_portrait(lift_or_stick());
  const Window w = window(portrait);
  const double wide = w.y_to - w.y_from, high = w.v_to - w.v_from;
  const Point focus = equilibria(portrait).back().at;
  // Where the spiral turns within a few chords, they are no tangents.
  const auto near_focus = [&](Point p) {
    return std::hypot((p[0] - focus[0]) / wide, (p[1] - focus[1]) / high) < 0.04;
  };
  int checked = 0;
  for (const Layer& layer : fast_portrait_plot(portrait).layers) {
    const auto* line = std::get_if<CurveLayer>(&layer);
    if (line == nullptr || line->points.size() < 20) continue;
    const bool backward = line->label.find("separatrix") != std::string::npos || line->pen.colour == series_colour(5);
    for (std::size_t i = 5; i + 5 < line->points.size(); ++i) {
      const Point a = line->points[i - 1], b = line->points[i], c = line->points[i + 1];
      if (near_focus(b)) continue;
      const double force = std::max(0.0, -b[0] - b[1]);
      const Eigen::Vector2d field(b[1] / wide, normal_acceleration(lift_or_stick(), force) / high);
      const Eigen::Vector2d tangent((c[0] - a[0]) / wide, (c[1] - a[1]) / high);
      // Chords of 1/200 of the picture: curvature beyond the second order, and corners of the field, show below 1 %.
      EXPECT_GT((backward ? -1 : 1) * field.normalized().dot(tangent.normalized()), 1 - 1e-4);
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(FastPortrait, ArrowsPointWithTheField) {
  for (const FastPortrait& portrait : {slip_portrait(1, -1), slip_portrait(-1, 1), fast_portrait(lift_or_stick())}) {
    int arrows = 0;
    for (const Layer& layer : fast_portrait_plot(portrait).layers) {
      const auto* arrow = std::get_if<ArrowLayer>(&layer);
      if (arrow == nullptr) continue;
      ++arrows;
      const Point middle{(arrow->from[0] + arrow->to[0]) / 2, (arrow->from[1] + arrow->to[1]) / 2};
      const Point field = portrait.field(middle);
      const Window w = window(portrait);
      const Eigen::Vector2d a((arrow->to[0] - arrow->from[0]) / (w.y_to - w.y_from),
                              (arrow->to[1] - arrow->from[1]) / (w.v_to - w.v_from));
      const Eigen::Vector2d f(field[0] / (w.y_to - w.y_from), field[1] / (w.v_to - w.v_from));
      EXPECT_GT(a.normalized().dot(f.normalized()), 0.95);
    }
    EXPECT_GT(arrows, 8);
  }
}

// In the saddle's own piece the manifolds are straight, v/(y − y*) = s with s² + P ν s + P k = 0.
TEST(FastPortrait, ManifoldsLeaveTheSaddleAlongItsEigenvectors) {
  const double P = -0.7, k = 2, nu = 1.5;
  const FastPortrait portrait = slip_portrait(0.4, P, k, nu);
  const auto branches = separatrices(portrait);
  ASSERT_EQ(branches.size(), 4U);
  for (const Separatrix& branch : branches) {
    const Point saddle = branch.points.front();
    EXPECT_NEAR(saddle[0], 0.4 / (P * k), 1e-14);
    for (std::size_t i = 1; i < branch.points.size(); ++i) {
      const Point p = branch.points[i];
      if (-k * p[0] - nu * p[1] <= 0) break;
      const double s = p[1] / (p[0] - saddle[0]);
      EXPECT_NEAR(s * s + P * nu * s + P * k, 0, 1e-9);
      EXPECT_EQ(s > 0, branch.unstable);
    }
  }
}

// What starts beside the stable manifold ends on one side or the other: flight, or a growing or a resting contact.
TEST(FastPortrait, StableManifoldSeparatesTheOutcomes) {
  for (const FastPortrait& portrait : {slip_portrait(1, -1), fast_portrait(lift_or_stick())}) {
    const Window w = window(portrait);
    const auto flies = [&](Point start) {
      const Point end = trajectory(portrait, start, true, 60).back();
      return end[0] > 0 && end[1] > 0;
    };
    int branches = 0;
    for (const Separatrix& branch : separatrices(portrait)) {
      if (branch.unstable) continue;
      ++branches;
      const std::size_t i = std::min<std::size_t>(branch.points.size() / 2, 100);
      const Point at = branch.points[i], next = branch.points[i + 1];
      const double wide = w.y_to - w.y_from, high = w.v_to - w.v_from;
      Eigen::Vector2d normal(-(next[1] - at[1]) / high, (next[0] - at[0]) / wide);
      normal *= 1e-3 / normal.norm();
      const Point left{at[0] + normal.x() * wide, at[1] + normal.y() * high};
      const Point right{at[0] - normal.x() * wide, at[1] - normal.y() * high};
      EXPECT_NE(flies(left), flies(right)) << portrait.title;
    }
    EXPECT_EQ(branches, 2);
  }
}

TEST(FastPortrait, RefusesSpringsThatAreNone) {
  EXPECT_THROW(fast_portrait_plot(slip_portrait(1, 1, 0, 1)), InputError);
  EXPECT_THROW(fast_portrait_plot(slip_portrait(1, 1, 1, -1)), InputError);
  EXPECT_THROW(fast_portrait_plot(FastPortrait{}), InputError);
  EXPECT_THROW(fast_portrait({0, 0, 1, 0, 0, 0, 0.5}), InputError);
  FastPortrait portrait = slip_portrait(1, 1);
  portrait.y_from = 5;
  EXPECT_THROW(window(portrait), InputError);
}

}  // namespace phase_portrait_test
}  // namespace painleve
