// Crossings that the evaluations of the rates already show: the same as those that are looked for in samples, or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/crossroads.hpp"
#include "painleve/simulation/detail/dormand_prince_coefficients.hpp"
#include "painleve/simulation/detail/example_systems.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/dormand_prince.hpp"
#include "painleve/simulation/rigid_flow.hpp"

namespace painleve {
namespace recalled_crossing_test {

using Formula = std::function<double(double)>;

// A formula at the begin of a step and at its twelve evaluations.
std::array<double, 13> along_step(const Formula& g) {
  std::array<double, 13> values{};
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = g(dormand_prince_coefficients::c[k]);
  return values;
}

const DormandPrince853& integrator_of_clock() {
  static const FormulaSystem system(1, [](double, const Eigen::VectorXd&, Eigen::VectorXd& rate) { rate[0] = 1; });
  static const DormandPrince853 integrator(system, tolerance(1e-10, 1e-10));
  return integrator;
}

TEST(RecalledCrossing, PolynomialsOfDegreeFiveStayAboveTheBound) {
  Draws draws(5);
  int told = 0;
  for (int n = 0; n < 500; ++n) {
    std::array<double, 6> a{};
    for (double& c : a) c = draws.uniform(-1, 1);
    const Formula g = [&](double x) {
      double sum = 2;
      for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * std::pow(x, static_cast<double>(k));
      return sum;
    };
    const double bound = integrator_of_clock().least_inside(along_step(g).data());
    double least = g(0);
    for (int k = 0; k <= 1000; ++k) least = std::min(least, g(k / 1000.0));
    EXPECT_LE(std::min({bound, g(0), g(1)}), least + 1e-9) << n;
    if (bound > 0) ++told;
  }
  EXPECT_GT(told, 300);
}

// What no polynomial of degree 5 shows is not vouched for.
TEST(RecalledCrossing, RoughFunctionsAreNotToldToStayPositive) {
  for (const double x0 : {0.05, 0.15, 0.45, 0.55, 0.75, 0.95}) {
    const Formula dip = [x0](double x) { return 0.1 + std::abs(x - x0) - 0.11 * std::exp(-1e3 * (x - x0) * (x - x0)); };
    EXPECT_LE(integrator_of_clock().least_inside(along_step(dip).data()), 0) << x0;
  }
  const Formula wave = [](double x) { return 1.02 + std::cos(20 * x); };
  EXPECT_LE(integrator_of_clock().least_inside(along_step(wave).data()), 0);
}

TEST(RecalledCrossing, OnlyFallIsTheRoot) {
  const auto only_fall = [](const Formula& g) { return integrator_of_clock().only_fall(along_step(g).data()); };
  const auto line = only_fall([](double x) { return 3 * (0.37 - x); });
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->part, 0.37, 1e-7);
  EXPECT_NEAR(line->slope, -3, 1e-6);
  const auto bent = only_fall([](double x) { return std::cos(2 * x); });
  ASSERT_TRUE(bent);
  EXPECT_NEAR(bent->part, std::numbers::pi / 4, 1e-4);
  EXPECT_NEAR(bent->slope, -2, 1e-3);
  EXPECT_FALSE(only_fall([](double x) { return (x - 0.3) * (x - 0.6); }));
  EXPECT_FALSE(only_fall([](double x) { return x - 0.5; }));
  EXPECT_FALSE(only_fall([](double x) { return 1 + x; }));
}

TEST(RecalledCrossing, LeavesZeroOnlyUpwards) {
  const auto leaves = [](const Formula& g) { return integrator_of_clock().leaves_zero(along_step(g).data()); };
  EXPECT_TRUE(leaves([](double x) { return x; }));
  EXPECT_TRUE(leaves([](double x) { return x * x; }));
  EXPECT_TRUE(leaves([](double x) { return 1e-9 + x * x; }));
  EXPECT_TRUE(leaves([](double x) { return -1e-9 + x * x; }));
  EXPECT_FALSE(leaves([](double x) { return 0.1 + x; })) << "it does not begin at zero";
  EXPECT_FALSE(leaves([](double x) { return x * x - 0.01 * x; }));
  EXPECT_FALSE(leaves([](double x) { return x * (0.9 - x); }));
  EXPECT_FALSE(leaves([](double x) { return -x; }));
  EXPECT_FALSE(leaves([](double) { return 0.0; }));
}

// Functions of the state of a system, kept where its rates are evaluated if asked for.
class Kept : public OdeSystem, public EventFunctions {
 public:
  using Value = std::function<double(const Eigen::VectorXd&)>;
  Kept(const OdeSystem& system, std::vector<Value> formulas, bool keeps)
      : system_(system), formulas_(std::move(formulas)), keeps_(keeps) {}

  int size() const override { return system_.size(); }
  void rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override {
    system_.rates(t, y, rate);
    Eigen::VectorXd g(count());
    for (int i = 0; i < count(); ++i) g[i] = formulas_[static_cast<std::size_t>(i)](y);
    trail_.emplace_back(t, g);
  }
  int count() const override { return static_cast<int>(formulas_.size()); }
  void values(double, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override {
    ++calls;
    for (int i = 0; i < count(); ++i) g[i] = formulas_[static_cast<std::size_t>(i)](y);
  }
  bool recall(double t, Eigen::MatrixXd& g) const override {
    const auto asked = static_cast<std::size_t>(g.rows() - 1);
    if (!keeps_ || trail_.size() < asked || trail_.back().first != t) return false;
    for (std::size_t k = 0; k < asked; ++k)
      g.row(static_cast<Eigen::Index>(k) + 1) = trail_[trail_.size() - asked + k].second.transpose();
    return true;
  }
  mutable int calls = 0;

 private:
  const OdeSystem& system_;
  std::vector<Value> formulas_;
  bool keeps_;
  mutable std::vector<std::pair<double, Eigen::VectorXd>> trail_;
};

struct Found {
  std::optional<Crossing> crossing;
  int calls = 0;
};

// The first crossing of the oscillator x = cos t before t_end.
Found first_of_oscillator(const std::vector<Kept::Value>& formulas, bool keeps, double t_end) {
  const FormulaSystem system = oscillator();
  const Kept kept(system, formulas, keeps);
  DormandPrince853 integrator(kept, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::Vector2d(1, 0));
  CrossingFinder finder(kept);
  finder.start(0, integrator.y());
  Found found;
  while (!found.crossing && integrator.t() < t_end) {
    EXPECT_EQ(integrator.step(t_end), StepStatus::accepted);
    found.crossing = finder.first(integrator);
  }
  found.calls = kept.calls;
  return found;
}

// Levels at which the oscillator falls through zero, dips below it for a moment, grazes it or stays above it, alone and
// beside another function.
TEST(RecalledCrossing, IsTheOneOfTheSamples) {
  Draws draws(11);
  int crossed = 0;
  for (int n = 0; n < 400; ++n) {
    const double phase = draws.uniform(0, 6);
    const double level = n % 4 == 0 ? 1 + draws.uniform(-1e-6, 1e-6) : draws.uniform(-0.5, 1.5);
    const double other = draws.uniform(0.2, 3);
    const Kept::Value x = [=](const Eigen::VectorXd& y) {
      return level + y[0] * std::cos(phase) - y[1] * std::sin(phase);
    };
    const Kept::Value speed = [=](const Eigen::VectorXd& y) { return other - y[1] * y[1]; };
    const Found sampled = first_of_oscillator({x, speed}, false, 7);
    const Found recalled = first_of_oscillator({x, speed}, true, 7);
    ASSERT_EQ(sampled.crossing.has_value(), recalled.crossing.has_value()) << n << ": " << level << " at " << phase;
    if (!sampled.crossing) continue;
    ++crossed;
    EXPECT_EQ(sampled.crossing->which, recalled.crossing->which) << n;
    // At a dip of depth 1e-6 the function is as flat as 1e-3, and the crossing is known to 1e-13 only.
    EXPECT_NEAR(sampled.crossing->t, recalled.crossing->t, 1e-12) << n;
  }
  EXPECT_GT(crossed, 200);
  EXPECT_LT(crossed, 390);
}

TEST(RecalledCrossing, IsFoundWithFewEvaluations) {
  const Kept::Value far = [](const Eigen::VectorXd& y) { return 1.5 + y[0]; };
  EXPECT_EQ(first_of_oscillator({far}, true, 6).calls, 1) << "that of the start";
  const Kept::Value falls = [](const Eigen::VectorXd& y) { return y[0]; };
  const Found found = first_of_oscillator({falls, far}, true, 6);
  ASSERT_TRUE(found.crossing);
  EXPECT_NEAR(found.crossing->t, std::numbers::pi / 2, 1e-10);
  EXPECT_LE(found.calls, 8);
  EXPECT_LE(falls(found.crossing->y), 0);
}

// What a flow keeps with its rates is what its functions are there, in every mode and on both clocks.
TEST(RecalledCrossing, FlowKeepsItsFunctions) {
  Draws draws(3);
  const SimulationProblem problem = detail::problem_of("rod", {}, detail::friction(0.4));
  for (const bool rescaled : {false, true})
    for (const Letter letter : {Letter::F, Letter::T, Letter::S})
      for (const double e : {1.0, -1.0}) {
        RigidFlow flow(problem, {{letter, Eigen::VectorXd::Constant(1, e), 1}}, rescaled, 1);
        State state = problem.start;
        Eigen::MatrixXd g(13, flow.count()), expected(13, flow.count());
        Eigen::VectorXd here(flow.count());
        for (int k = 1; k <= 12; ++k) {
          for (int i = 0; i < 3; ++i) {
            state.q(i) = draws.uniform(-1, 1);
            state.v(i) = draws.uniform(-2, 2);
          }
          const Eigen::VectorXd y = flow.start(state, 0, 0, Eigen::Vector2d::Zero());
          Eigen::VectorXd rate(y.size());
          flow.rates(0.01 * k, y, rate);
          flow.values(0.01 * k, y, here);
          expected.row(k) = here.transpose();
          const Eigen::VectorXd& lambda = flow.lambda();
          for (int i = 0; i < flow.count() && !rescaled; ++i) {
            switch (flow.ending(i).kind) {
              case Ending::liftoff:
                EXPECT_EQ(here(i), lambda(1));
                break;
              case Ending::slip_stop:
                EXPECT_EQ(here(i), e * flow.dynamics().u(0));
                break;
              case Ending::cone_edge:
                EXPECT_EQ(here(i), 0.4 * std::abs(lambda(1)) - std::abs(lambda(0)));
                break;
              case Ending::singular:
                EXPECT_EQ(here(i), std::abs(flow.regularity()) - RigidFlow::slow_below);
                break;
              default: {
                const double gap = flow.dynamics().gap(0);
                const bool lifts = std::abs(gap) <= problem.tolerance.gap && flow.dynamics().u(1) > 0;
                EXPECT_EQ(here(i), gap > 0 || !lifts ? gap : std::numeric_limits<double>::min());
              }
            }
          }
        }
        ASSERT_TRUE(flow.recall(0.12, g));
        EXPECT_EQ(g.bottomRows(12), expected.bottomRows(12));
        EXPECT_FALSE(flow.recall(0.11, g));
        Eigen::MatrixXd more(14, flow.count());
        EXPECT_FALSE(flow.recall(0.12, more)) << "thirteen were not asked for";
      }
}

// A flow that is set to other modes is as one that is made for them.
TEST(RecalledCrossing, FlowTakesOtherModes) {
  const SimulationProblem problem = detail::problem_of("rod", {}, detail::friction(0.4));
  RigidFlow used(problem, {{Letter::T, Eigen::VectorXd::Zero(1), 1}}, true, 1);
  used.start(problem.start, 0, 0, Eigen::Vector2d::Zero());
  for (const Letter letter : {Letter::S, Letter::F, Letter::T}) {
    const std::vector<ContactMode> modes = {{letter, Eigen::VectorXd::Constant(1, -1), 1}};
    RigidFlow made(problem, modes, false, 1);
    used.set_modes(modes, false);
    ASSERT_EQ(used.count(), made.count());
    const Eigen::VectorXd y = made.start(problem.start, 0.1, 0.2, Eigen::Vector2d(1, 2));
    EXPECT_EQ(used.start(problem.start, 0.1, 0.2, Eigen::Vector2d(1, 2)), y);
    Eigen::VectorXd rate(y.size()), other(y.size()), g(made.count()), other_g(made.count());
    made.rates(0, y, rate);
    used.rates(0, y, other);
    EXPECT_EQ(rate, other);
    made.values(0, y, g);
    used.values(0, y, other_g);
    EXPECT_EQ(g, other_g);
  }
}

// Where a plain way is seen at once, it is the one of the crossroads.
TEST(RecalledCrossing, PlainWayIsThatOfTheCrossroads) {
  Draws draws(31);
  int plain = 0;
  for (int n = 0; n < 400; ++n) {
    const bool rests = n % 2 == 0;
    const double slip = rests ? 0 : draws.uniform(-2, 2);
    const auto problem = detail::problem_of(
        "rod", {{}, {{"theta", draws.uniform(0.1, 3)}, {"theta_dot", draws.uniform(-4, 4)}}, {}, {{"", {slip}}}},
        detail::friction(draws.uniform(0, 3), n % 3 == 0 ? 0.5 : 0));
    const auto way = plain_way(problem, problem.start, {true}, {rests});
    if (!way) continue;
    ++plain;
    const Crossroads c = crossroads(problem, problem.start, {true}, {rests});
    ASSERT_EQ(c.ways.size(), 1U) << n;
    EXPECT_EQ(c.ways[0].name, way->name) << n;
    EXPECT_EQ(word(c.ways[0].modes), word(way->modes)) << n;
  }
  EXPECT_GT(plain, 200);
}

}  // namespace recalled_crossing_test
}  // namespace painleve
