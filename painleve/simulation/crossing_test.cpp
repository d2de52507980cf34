#include "painleve/simulation/crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/simulation/detail/example_systems.hpp"
#include "painleve/simulation/detail/line_search.hpp"
#include "painleve/simulation/dormand_prince.hpp"

namespace painleve {
namespace crossing_test {

class Formulas : public EventFunctions {
 public:
  using Value = std::function<double(double, const Eigen::VectorXd&)>;
  explicit Formulas(std::vector<Value> formulas) : formulas_(std::move(formulas)) {}
  int count() const override { return static_cast<int>(formulas_.size()); }
  void values(double t, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override {
    ++calls;
    for (std::size_t i = 0; i < formulas_.size(); ++i) {
      g[static_cast<Eigen::Index>(i)] = formulas_[i](t, y);
    }
  }
  mutable int calls = 0;

 private:
  std::vector<Value> formulas_;
};

// The state is the time itself, so that the dense output is exact and a step as long as one wants.
const FormulaSystem& clock_system() {
  static const FormulaSystem system(1, [](double, const Eigen::VectorXd&, Eigen::VectorXd& rate) { rate[0] = 1; });
  return system;
}

// The first crossing of functions of the time in (0, 1], in `steps` equal steps.
std::optional<Crossing> first_in_clock(const Formulas& functions, int steps = 1) {
  OdeTolerance fixed = tolerance(1e-10, 1e-10);
  fixed.first_step = fixed.largest_step = 1.0 / steps;
  DormandPrince853 integrator(clock_system(), fixed);
  integrator.start(0, Eigen::VectorXd::Zero(1));
  CrossingFinder finder(functions);
  finder.start(0, integrator.y());
  while (integrator.t() < 1) {
    EXPECT_EQ(integrator.step(1), StepStatus::accepted);
    if (auto crossing = finder.first(integrator)) {
      return crossing;
    }
  }
  EXPECT_EQ(integrator.work().steps, steps);
  return std::nullopt;
}

Formulas of_time(std::vector<std::function<double(double)>> formulas) {
  std::vector<Formulas::Value> values;
  for (auto& formula : formulas) {
    values.emplace_back([formula](double t, const Eigen::VectorXd&) { return formula(t); });
  }
  return Formulas(std::move(values));
}

TEST(LineSearch, FindsMinimaAndRoots) {
  const auto f = [](double x) { return (x - 0.3) * (x - 0.3) * (1 + x) - 1e-12; };
  MinimumSearch minimum(-0.5, 2, 1e-9);
  int count = 0;
  double best = std::numeric_limits<double>::infinity();
  for (; !minimum.done() && count < 100; ++count) {
    best = std::min(best, f(minimum.next()));
    minimum.put(f(minimum.next()));
  }
  EXPECT_NEAR(best, -1e-12, 1e-15);
  EXPECT_LE(count, 25);

  const auto g = [](double x) { return std::cos(x) - x; };
  RootSearch root(0, g(0), 1, g(1), 1e-15);
  for (count = 0; !root.done() && count < 100; ++count) {
    root.put(g(root.next()));
  }
  EXPECT_NEAR(root.next(), 0.73908513321516064, 2e-15);
  EXPECT_LE(count, 12);
}

TEST(LineSearch, RootOfAHardFunctionNeedsNoMoreThanTwiceTheBisections) {
  const auto f = [](double x) { return std::pow(x - 0.1, 9) - 1e-30; };
  RootSearch root(-1, f(-1), 4, f(4), 1e-15);
  int count = 0;
  for (; !root.done() && count < 1000; ++count) {
    root.put(f(root.next()));
  }
  EXPECT_NEAR(root.next(), 0.1 + std::pow(1e-30, 1.0 / 9), 1e-14);
  EXPECT_LE(count, 110);
}

TEST(LineSearch, AMultipleRootTakesLittleMoreThanBisection) {
  for (const int order : {3, 19}) {
    const auto f = [order](double x) { return std::pow(x - 0.3, order); };
    RootSearch root(-1, f(-1), 2.1, f(2.1), 1e-15);
    int count = 0;
    for (; !root.done() && count < 1000; ++count) root.put(f(root.next()));
    EXPECT_NEAR(root.next(), 0.3, 1e-14) << order;
    EXPECT_LE(count, 75) << order << ": bisection takes 52";
  }
}

TEST(Crossing, BallBouncesAtTheTimesOfTheClosedForm) {
  constexpr double gravity = 9.81;
  constexpr double height = 1.3;
  constexpr double restitution = 0.8;
  const FormulaSystem system = falling(gravity);
  const Formulas gap({[](double, const Eigen::VectorXd& y) { return y[0]; }});
  OdeTolerance strict = tolerance(1e-13, 1e-13);
  strict.largest_step =
      1;  // the parabola has no error, and a step of 100 s would bring the rounding of a fall of 49 km
  DormandPrince853 integrator(system, strict);
  CrossingFinder finder(gap);
  Eigen::VectorXd y = Eigen::Vector2d(height, 0);
  double t = 0;
  double speed = std::sqrt(2 * gravity * height);
  double expected = speed / gravity;
  for (int bounce = 0; bounce < 30; ++bounce) {
    integrator.start(t, y);
    finder.start(t, y);
    std::optional<Crossing> crossing;
    while (!crossing) {
      ASSERT_EQ(integrator.step(100), StepStatus::accepted);
      crossing = finder.first(integrator);
    }
    EXPECT_NEAR(crossing->t, expected, 1e-13 * expected) << bounce;
    // Each landing is late by up to 4 units in the last place of t, about 4 s: 3e-14 m/s, and 1/(1 - 0.8) of them.
    EXPECT_NEAR(crossing->y[1], -speed, 1e-13 * speed + 1.5e-13) << bounce;
    EXPECT_LE(crossing->y[0], 0);
    EXPECT_EQ(crossing->which, std::vector<int>{0});
    t = crossing->t;
    speed *= restitution;
    y = Eigen::Vector2d(0, -restitution * crossing->y[1]);
    expected += 2 * speed / gravity;
  }
}

TEST(Crossing, OfTheOscillatorIsAsAccurateAsItsSteps) {
  const FormulaSystem system = oscillator();
  const Formulas levels({[](double, const Eigen::VectorXd& y) { return y[0] - 0.25; },
                         [](double, const Eigen::VectorXd& y) { return y[0] + 2; }});
  DormandPrince853 integrator(system, tolerance(1e-12, 1e-12));
  integrator.start(0, Eigen::Vector2d(1, 0));
  CrossingFinder finder(levels);
  finder.start(0, integrator.y());
  std::optional<Crossing> crossing;
  while (!crossing) {
    ASSERT_EQ(integrator.step(100), StepStatus::accepted);
    crossing = finder.first(integrator);
  }
  EXPECT_NEAR(crossing->t, std::acos(0.25), 1e-11);
  EXPECT_EQ(crossing->which, std::vector<int>{0});
}

TEST(Crossing, DoubleCrossingInsideOneStepIsFound) {
  for (const double at : {0.03, 0.11, 0.3, 0.47, 0.55, 0.9, 0.97}) {
    const double depth = 1e-4;
    const auto crossing = first_in_clock(of_time({[=](double t) { return (t - at) * (t - at) - depth; }}));
    ASSERT_TRUE(crossing) << at;
    EXPECT_NEAR(crossing->t, at - 0.01, 1e-14) << at;
  }
}

TEST(Crossing, GrazeIsReportedWhenItDipsAndNotWhenItStaysPositive) {
  for (const double at : {0.1234, 0.29, 0.5, 0.61, 0.87}) {
    for (const double curvature : {0.5, 1.0, 20.0}) {
      const auto dip = [=](double least) {
        return of_time({[=](double t) { return least + curvature * (1 - std::cos(t - at)); }});
      };
      EXPECT_FALSE(first_in_clock(dip(1e-9))) << at;
      const auto crossing = first_in_clock(dip(-1e-9));
      ASSERT_TRUE(crossing) << at << ' ' << curvature;
      EXPECT_NEAR(crossing->t, at - std::acos(1 - 1e-9 / curvature), 1e-9) << at;
    }
  }
}

TEST(Crossing, DipInALaterStepIsFoundWhereverTheStepsEnd) {
  for (int steps = 2; steps <= 9; ++steps) {
    const auto crossing = first_in_clock(of_time({[](double t) { return (t - 0.7) * (t - 0.7) - 1e-8; }}), steps);
    ASSERT_TRUE(crossing) << steps;
    EXPECT_NEAR(crossing->t, 0.7 - 1e-4, 1e-12) << steps;
  }
}

TEST(Crossing, OfSeveralFunctionsIsTheEarliest) {
  const auto line = [](double at) { return [at](double t) { return at - t; }; };
  auto crossing = first_in_clock(of_time({line(0.75), line(0.7), line(0.72), line(2)}));
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->t, 0.7, 1e-15);
  EXPECT_EQ(crossing->which, std::vector<int>{1});
  EXPECT_DOUBLE_EQ(crossing->y[0], crossing->t);

  // Zeros that are closer than the resolution.
  crossing = first_in_clock(of_time({line(std::nextafter(0.7, 1)), line(0.7), line(0.7 + 1e-13)}));
  ASSERT_TRUE(crossing);
  EXPECT_EQ(crossing->which, (std::vector<int>{0, 1}));
  EXPECT_GE(crossing->t, std::nextafter(0.7, 1)) << "both have crossed";

  // The same zero of different functions, and one that dips before it.
  crossing = first_in_clock(of_time(
      {line(0.7), [](double t) { return 1 - t; }, [](double t) { return 3 * (0.7 - t) * (1 + t); }, line(0.7)}));
  ASSERT_TRUE(crossing);
  EXPECT_EQ(crossing->which, (std::vector<int>{0, 2, 3}));
  EXPECT_NEAR(crossing->t, 0.7, 4e-15);
  crossing = first_in_clock(of_time({line(0.75), [](double t) { return (t - 0.66) * (t - 0.66) - 1e-4; }}));
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->t, 0.65, 1e-14);
  EXPECT_EQ(crossing->which, std::vector<int>{1});
}

TEST(Crossing, ReportedStateIsOnTheFarSide) {
  for (const double at : {0.1, 0.333, 0.7, 0.99}) {
    const Formulas functions = of_time({[at](double t) { return std::exp(at) - std::exp(t); }});
    const auto crossing = first_in_clock(functions);
    ASSERT_TRUE(crossing);
    Eigen::VectorXd g(1);
    functions.values(crossing->t, crossing->y, g);
    EXPECT_LE(g[0], 0);
    EXPECT_NEAR(crossing->t, at, 2e-15);
  }
}

TEST(Crossing, FunctionThatStartsAtZeroIsDisarmedUntilItHasBeenPositive) {
  EXPECT_FALSE(first_in_clock(of_time({[](double t) { return t; }})));
  EXPECT_FALSE(first_in_clock(of_time({[](double t) { return -1e-3 + t; }})));
  EXPECT_FALSE(first_in_clock(of_time({[](double t) { return t * t * t; }}), 3));
  auto crossing = first_in_clock(of_time({[](double t) { return t * (0.4 - t); }}));
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->t, 0.4, 1e-15);
  crossing = first_in_clock(of_time({[](double t) { return t * (1e-3 - t); }}));
  ASSERT_TRUE(crossing) << "positive only close to the start";
  EXPECT_NEAR(crossing->t, 1e-3, 1e-15);
}

TEST(Crossing, PhaseThatNeverHoldsEndsAtItsStart) {
  for (const double slope : {1e-6, 1.0, 1e6}) {
    auto crossing = first_in_clock(of_time({[](double t) { return 1 + t; }, [=](double t) { return -slope * t; }}));
    ASSERT_TRUE(crossing) << slope;
    EXPECT_EQ(crossing->t, 0);
    EXPECT_EQ(crossing->which, std::vector<int>{1});
    crossing = first_in_clock(of_time({[=](double t) { return -slope * t * t; }}));
    ASSERT_TRUE(crossing) << slope;
    EXPECT_EQ(crossing->t, 0);
  }
  // Zero for a while and then falling: the end of that while.
  const auto crossing = first_in_clock(of_time({[](double t) { return std::min(0.0, 0.62 - t); }}), 4);
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->t, 0.62, 1e-14);
}

TEST(Crossing, RoundingAtZeroIsNoFall) {
  // A gap that is zero up to the rounding of its two large terms.
  const FormulaSystem system(2, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    rate[0] = y[0];
    rate[1] = y[1];
  });
  const Formulas gap({[](double, const Eigen::VectorXd& y) { return y[0] - 3 * y[1]; }});
  DormandPrince853 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::Vector2d(0.3, 0.1));
  CrossingFinder finder(gap);
  finder.start(0, integrator.y());
  while (integrator.t() < 1) {
    ASSERT_EQ(integrator.step(1), StepStatus::accepted);
    EXPECT_FALSE(finder.first(integrator)) << integrator.t();
  }
}

TEST(Crossing, WhatIsNotANumberCountsAsFallen) {
  const auto crossing = first_in_clock(of_time({[](double t) { return 1 + 0 * std::sqrt(0.55 - t); }}));
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->t, 0.55, 4e-15);
}

TEST(Crossing, EvaluationsAreFew) {
  const Formulas quiet = of_time({[](double t) { return 2 + std::sin(t); }});
  EXPECT_FALSE(first_in_clock(quiet));
  EXPECT_LE(quiet.calls, 6);
  const Formulas far_dip = of_time({[](double t) { return 1.5 + std::cos(5 * t); }});
  EXPECT_FALSE(first_in_clock(far_dip));
  EXPECT_LE(far_dip.calls, 6) << "a minimum that is nowhere near zero is not looked for";
  const Formulas crossing = of_time({[](double t) { return std::cos(2 * t); }});
  EXPECT_TRUE(first_in_clock(crossing));
  EXPECT_LE(crossing.calls, 18);
}

TEST(Crossing, AskedAgainIsTheSameAndStepsMustFollow) {
  const FormulaSystem system = falling(1);
  const Formulas gap({[](double, const Eigen::VectorXd& y) { return y[0]; }});
  DormandPrince853 integrator(system, tolerance(1e-12, 1e-12));
  integrator.start(0, Eigen::Vector2d(0, 1));
  CrossingFinder finder(gap);
  finder.start(0, integrator.y());
  std::optional<Crossing> crossing;
  while (!crossing) {
    ASSERT_EQ(integrator.step(100), StepStatus::accepted);
    crossing = finder.first(integrator);
  }
  const auto again = finder.first(integrator);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->t, crossing->t);
  EXPECT_EQ(again->y, crossing->y);
  EXPECT_NEAR(crossing->t, 2, 4e-15);
  ASSERT_EQ(integrator.step(100), StepStatus::accepted);
  EXPECT_THROW(finder.first(integrator), InputError);
}

// The gap of a contact that lifts off with next to no speed: it is back long before the first probe of a long step.
TEST(Crossing, FindsTheEndOfAHopMuchShorterThanTheStep) {
  for (const double hop : {1e-3, 1e-7, 1e-9, 1e-12, 1e-15}) {
    const auto crossing = first_in_clock(of_time({[hop](double t) { return t * (hop - t); }}));
    ASSERT_TRUE(crossing) << hop;
    EXPECT_NEAR(crossing->t, hop, 1e-12 * hop + 1e-21) << hop;
  }
  const auto none = first_in_clock(of_time({[](double t) { return -t * t; }}));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->t, 0) << "what falls at once has no hop";
}

// Steps of a clock that say of themselves that no polynomial shows what is in them.
class LayeredClock : public DormandPrince853 {
 public:
  using DormandPrince853::DormandPrince853;
  bool layered() const override { return true; }
};

TEST(Crossing, DipInALayeredStepIsFoundWhereASampleIsLowerThanItsNeighbours) {
  const auto g = [](double t) { return 0.02 + 1.2 * t - 0.9 * std::exp(-std::pow((t - 0.65) / 0.06, 2)); };
  const Formulas dips = of_time({g});
  OdeTolerance fixed = tolerance(1e-10, 1e-10);
  fixed.first_step = fixed.largest_step = 1;
  LayeredClock integrator(clock_system(), fixed);
  integrator.start(0, Eigen::VectorXd::Zero(1));
  CrossingFinder finder(dips);
  finder.start(0, integrator.y());
  ASSERT_EQ(integrator.step(1), StepStatus::accepted);
  ASSERT_EQ(integrator.t(), 1);
  const auto crossing = finder.first(integrator);
  ASSERT_TRUE(crossing) << "higher than the first sample, and lower than those beside it";
  EXPECT_NEAR(crossing->t, 0.62647683732858, 1e-12);
  EXPECT_NEAR(g(crossing->t), 0, 1e-12);
}

}  // namespace crossing_test
}  // namespace painleve
