#include "painleve/figure/step_solutions.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {
namespace step_solutions_test {

// Where two chains of straight lines meet; a common point of neighbouring pieces once.
std::vector<Point> meetings(const std::vector<Point>& first, const std::vector<Point>& second) {
  constexpr double slack = 1e-9;
  std::vector<Point> list;
  for (std::size_t i = 1; i < first.size(); ++i) {
    for (std::size_t j = 1; j < second.size(); ++j) {
      Eigen::Matrix2d directions;
      directions << first[i][0] - first[i - 1][0], second[j - 1][0] - second[j][0],  //
          first[i][1] - first[i - 1][1], second[j - 1][1] - second[j][1];
      const Eigen::Vector2d between(second[j - 1][0] - first[i - 1][0], second[j - 1][1] - first[i - 1][1]);
      const Eigen::Vector2d parts = directions.inverse() * between;
      if (!(parts.minCoeff() >= -slack && parts.maxCoeff() <= 1 + slack)) continue;
      const Point at{first[i - 1][0] + parts(0) * directions(0, 0), first[i - 1][1] + parts(0) * directions(1, 0)};
      const bool known =
          std::any_of(list.begin(), list.end(), [&](Point p) { return std::hypot(p[0] - at[0], p[1] - at[1]) < 1e-7; });
      if (!known) list.push_back(at);
    }
  }
  return list;
}

const std::vector<Point>& curve(const Plot& plot, const std::string& label) {
  for (const Layer& layer : plot.layers) {
    const auto* found = std::get_if<CurveLayer>(&layer);
    if (found != nullptr && found->label == label) return found->points;
  }
  throw std::runtime_error("no curve " + label);
}

std::vector<Point> sorted(std::vector<Point> list) {
  std::sort(list.begin(), list.end());
  return list;
}

std::vector<Point> impulses(const SolveReport& report) {
  std::vector<Point> list;
  for (const auto& s : report.set.solutions) list.push_back({s.r(1), s.r(0)});
  return sorted(list);
}

SolveReport solved(const Scene& scene, double dt) {
  SolveOptions options;
  options.formulation = dt > 0 ? FormulationKind::step : FormulationKind::impulse;
  if (dt > 0) options.step.dt = dt;
  return solve(scene, options);
}

Scene raw(double W_tt, double W_tn, double W_nn, double mu, Eigen::Vector2d u, Eigen::Vector2d b) {
  Scene scene;
  scene.name = "drawn";
  scene.mechanism = "contact-space";
  scene.kind = SceneKind::contact_space;
  scene.space = raw_contact_space(2, (Eigen::Matrix2d() << W_tt, W_tn, W_tn, W_nn).finished(), b, u,
                                  Eigen::VectorXd::Constant(1, mu));
  scene.laws.resize(1);
  scene.laws[0].mu = mu;
  return scene;
}

TEST(StepSolutions, DrawnCurvesMeetInTheSolutions) {
  for (const char* name : {"rod-no-solution", "rod-three-solutions"}) {
    for (const double dt : {0.01, 0.0}) {
      const Scene scene = SceneSource::open(name).build();
      const Plot plot = step_solutions_plot(scene, dt);
      const auto found =
          sorted(meetings(curve(plot, "friction condition (Coulomb)"), curve(plot, "normal condition (Signorini)")));
      const auto expected = impulses(solved(scene, dt));
      ASSERT_EQ(found.size(), expected.size()) << name << ", dt = " << dt;
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i][0], expected[i][0], 1e-12);
        EXPECT_NEAR(found[i][1], expected[i][1], 1e-12);
      }
      EXPECT_EQ(sorted(curve(plot, "solutions")), expected);
    }
  }
}

// Preclik & Rüde, Secs. 4.1 and 4.2, to all printed digits.
TEST(StepSolutions, PublishedImpulses) {
  const StepSpace none = step_space(SceneSource::open("rod-no-solution").build(), 0.01);
  ASSERT_EQ(none.solutions.size(), 1U);
  EXPECT_EQ(none.solutions[0].first, "T");
  EXPECT_NEAR(none.solutions[0].second[0], 0.3329, 5e-5);
  EXPECT_NEAR(none.solutions[0].second[1], 0.4407, 5e-5);
  const StepSpace three = step_space(SceneSource::open("rod-three-solutions").build(), 0.01);
  ASSERT_EQ(three.solutions.size(), 3U);
  std::vector<Point> points;
  for (const auto& s : three.solutions) points.push_back(s.second);
  points = sorted(points);
  const std::vector<Point> printed{{0, 0}, {0.0755, 0.1133}, {0.3266, 0.4516}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(points[i][0], printed[i][0], 5e-5);
    EXPECT_NEAR(points[i][1], printed[i][1], 5e-5);
  }
}

TEST(StepSolutions, CurvesMeetInTheSolutionsOfDrawnContacts) {
  Draws draws(21);
  int several = 0;
  for (int i = 0; i < 1500; ++i) {
    const PlanarContact c = drawn_planar(draws, 1);
    const Eigen::Vector2d u(draws.uniform(-1, 1), draws.uniform(-0.1, 0.3));
    const Scene scene = raw(c.W_tt, c.W_tn, c.W_nn, c.mu, u, {c.b_t, c.b_n});
    const double dt = i % 2 == 0 ? 0.02 : 0.0;
    const StepSpace s = step_space(scene, dt);
    const auto expected = impulses(solved(scene, dt));
    double most = 1;
    for (const Point& p : expected) most = std::max({most, 2 * p[0], 2 * std::abs(p[1])});
    const auto found = sorted(meetings(s.friction_curve(most), s.normal_curve(most)));
    ASSERT_EQ(found.size(), expected.size()) << "draw " << i;
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(std::hypot(found[k][0] - expected[k][0], found[k][1] - expected[k][1]), 0, 1e-9 * most);
    several += found.size() > 1;
  }
  EXPECT_GT(several, 50);
}

// The other route to the energy: ½ uᵀW⁻¹u of the velocity after the impulse.
double kinetic(const StepSpace& s, Point impulse) {
  const Eigen::Matrix2d W = (Eigen::Matrix2d() << s.W_tt, s.W_tn, s.W_tn, s.W_nn).finished();
  const Eigen::Vector2d u = W * Eigen::Vector2d(impulse[1], impulse[0]) + Eigen::Vector2d(s.free_t, s.free_n);
  return u.dot(W.inverse() * u) / 2;
}

TEST(StepSolutions, IsolinesHaveOneEnergy) {
  const Scene scene = SceneSource::open("rod-three-solutions").build();
  const StepSpace s = step_space(scene, 0.01);
  int lines = 0;
  for (const Layer& layer : step_solutions_plot(scene, 0.01).layers) {
    const auto* line = std::get_if<CurveLayer>(&layer);
    if (line == nullptr || line->points.size() < 100) continue;
    ++lines;
    const double level = kinetic(s, line->points.front());
    for (const Point& p : line->points) EXPECT_NEAR(kinetic(s, p), level, 1e-12 * (1 + level));
  }
  EXPECT_EQ(lines, 9);
}

TEST(StepSolutions, EnergyIsTheChangeOfKineticEnergy) {
  const StepSpace s = step_space(SceneSource::open("rod-no-solution").build(), 0.01);
  for (const Point p : {Point{0.1, 0.2}, Point{0.3, -0.4}, Point{-1, 2}})
    EXPECT_NEAR(s.energy(p), kinetic(s, p) - kinetic(s, {0, 0}), 1e-13);
}

TEST(StepSolutions, ArrowDescendsFastest) {
  const Scene scene = SceneSource::open("rod-no-solution").build();
  const StepSpace s = step_space(scene, 0.01);
  const auto plot = step_solutions_plot(scene, 0.01);
  const auto& arrow = curve(plot, "steepest descent of the energy");
  constexpr double h = 1e-5;
  const double slope_n = (kinetic(s, {h, 0}) - kinetic(s, {-h, 0})) / (2 * h);
  const double slope_t = (kinetic(s, {0, h}) - kinetic(s, {0, -h})) / (2 * h);
  const Point to = arrow.back();
  EXPECT_LT(slope_n * to[0] + slope_t * to[1], 0);
  EXPECT_NEAR(slope_n * to[1] - slope_t * to[0], 0, 1e-9);
}

// The gap of an open contact enters the condition, not the energy.
TEST(StepSolutions, GapShiftsTheNormalConditionAlone) {
  Scene scene = raw(1, 0.2, 1, 0.5, {0.3, -0.1}, {0, -1});
  scene.space.gap(0) = 0.002;
  const StepSpace s = step_space(scene, 0.01);
  EXPECT_NEAR(s.q_n - s.free_n, 0.2, 1e-15);
  EXPECT_NEAR(s.free_n, -0.11, 1e-15);
  EXPECT_EQ(s.q_t, s.free_t);
}

TEST(StepSolutions, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(step_space(SceneSource::open("rod-no-solution").build(), -0.01), InputError);
  EXPECT_THROW(step_space(SceneSource::open("rod-45deg").build(), 0.01), InputError);
  EXPECT_THROW(step_space(SceneSource::open("table-a1-6a").build(), 0.01), InputError);
  EXPECT_THROW(step_space(SceneSource::open("two-contact-jam").build(), 0.01), InputError);
}

}  // namespace step_solutions_test
}  // namespace painleve
