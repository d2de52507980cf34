#include "painleve/simulation/dormand_prince.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/simulation/detail/dormand_prince_coefficients.hpp"
#include "painleve/simulation/detail/example_systems.hpp"
#include "painleve/simulation/detail/order_conditions.hpp"

namespace painleve {
namespace dormand_prince_test {

namespace table = dormand_prince_coefficients;
using std::numbers::pi;

Eigen::MatrixXd all_stages() {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(table::kRows, table::kRows);
  for (int i = 0; i < table::kRows; ++i) {
    for (int j = 0; j < i; ++j) {
      a(i, j) = table::a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return a;
}

// The sums have terms of up to 50 with 17 digits each.
constexpr double kRounding = 2e-13;

TEST(DormandPrinceCoefficients, RowsSumToTheTimes) {
  const Eigen::MatrixXd a = all_stages();
  for (int i = 0; i < table::kRows; ++i) {
    EXPECT_NEAR(a.row(i).sum(), table::c[static_cast<std::size_t>(i)], kRounding) << i;
  }
}

TEST(DormandPrinceCoefficients, SatisfyAllConditionsOfOrderEight) {
  const Eigen::MatrixXd a = all_stages();
  const std::vector<RootedTree> trees = rooted_trees(a, 9);
  std::vector<int> of_size(10);
  double largest_beyond = 0;
  for (const RootedTree& tree : trees) {
    ++of_size[static_cast<std::size_t>(tree.nodes)];
    const double defect = std::abs((a.row(12).transpose().array() * tree.phi).sum() - 1 / tree.gamma);
    if (tree.nodes <= 8) {
      EXPECT_LE(defect, kRounding) << tree.nodes << " nodes, gamma " << tree.gamma;
    } else {
      largest_beyond = std::max(largest_beyond, defect);
    }
  }
  EXPECT_EQ(of_size, (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48, 115, 286}));
  EXPECT_GT(largest_beyond, 1e-7) << "no method of 12 stages has order 9";
}

TEST(DormandPrinceCoefficients, EmbeddedErrorsVanishToOrdersFiveAndThree) {
  const std::vector<RootedTree> trees = rooted_trees(all_stages(), 6);
  const auto largest = [&trees](const std::array<double, 12>& error, int from, int to) {
    double result = 0;
    for (const RootedTree& tree : trees) {
      if (tree.nodes >= from && tree.nodes <= to) {
        const Eigen::Map<const Eigen::ArrayXd> e(error.data(), 12);
        result = std::max(result, std::abs((e * tree.phi.head(12)).sum()));
      }
    }
    return result;
  };
  EXPECT_LE(largest(table::error_5, 1, 5), kRounding);
  EXPECT_GT(largest(table::error_5, 6, 6), 1e-5);
  EXPECT_LE(largest(table::error_3, 1, 3), kRounding);
  EXPECT_GT(largest(table::error_3, 4, 4), 1e-5);
}

// The weights b_i(x) of the dense output: the polynomial for the system whose k_i are unit vectors.
Eigen::ArrayXd dense_weights(double x) {
  const Eigen::MatrixXd a = all_stages();
  const Eigen::ArrayXd b = a.row(12).transpose().array();
  const Eigen::ArrayXd first = Eigen::VectorXd::Unit(table::kRows, 0).array();
  const Eigen::ArrayXd last = Eigen::VectorXd::Unit(table::kRows, 12).array();
  std::vector<Eigen::ArrayXd> F = {b, first - b, 2 * b - first - last};
  for (const auto& row : table::dense) {
    F.emplace_back(Eigen::Map<const Eigen::ArrayXd>(row.data(), table::kRows));
  }
  const double z = 1 - x;
  return x * (F[0] + z * (F[1] + x * (F[2] + z * (F[3] + x * (F[4] + z * (F[5] + x * F[6]))))));
}

TEST(DormandPrinceCoefficients, DenseOutputHasOrderSevenEverywhere) {
  const std::vector<RootedTree> trees = rooted_trees(all_stages(), 8);
  double beyond = 0;
  for (const double x : {0.05, 0.3, 0.5, 0.81, 1.0}) {
    const Eigen::ArrayXd weights = dense_weights(x);
    for (const RootedTree& tree : trees) {
      const double defect = std::abs((weights * tree.phi).sum() - std::pow(x, tree.nodes) / tree.gamma);
      if (tree.nodes <= 7) {
        EXPECT_LE(defect, kRounding) << x << ": " << tree.nodes << " nodes, gamma " << tree.gamma;
      } else {
        beyond = std::max(beyond, defect);
      }
    }
  }
  EXPECT_GT(beyond, 1e-7);
}

// Fixed steps: a tolerance that accepts everything, and the largest step for the size.
struct FixedSteps {
  double end = 0;    // error of the solution
  double dense = 0;  // largest error inside the steps, from an exact start of each
};

FixedSteps fixed_steps(int steps) {
  const FormulaSystem system = oscillator();
  OdeTolerance loose = tolerance(1e-1, 1e10);
  const double h = 6.0 / steps;
  loose.first_step = loose.largest_step = h;
  DormandPrince853 integrator(system, loose);
  const auto exact = [](double t) { return Eigen::Vector2d(std::cos(t), -std::sin(t)); };
  FixedSteps errors;
  Eigen::VectorXd y = exact(0);
  integrator.start(0, y);
  EXPECT_TRUE(run(integrator, 6.0));
  EXPECT_EQ(integrator.work().steps, steps);
  errors.end = (integrator.y() - exact(6.0)).norm();
  for (int k = 0; k < steps; ++k) {
    integrator.start(k * h, exact(k * h));
    EXPECT_EQ(integrator.step((k + 1) * h), StepStatus::accepted);
    for (const double x : {0.15, 0.4, 0.6, 0.9}) {
      const double t = integrator.t_begin() + x * (integrator.t() - integrator.t_begin());
      integrator.interpolate(t, y);
      errors.dense = std::max(errors.dense, (y - exact(t)).norm());
    }
  }
  return errors;
}

TEST(DormandPrince, ConvergesWithOrderEightAndSevenInside) {
  const FixedSteps coarse = fixed_steps(6);
  const FixedSteps fine = fixed_steps(12);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 8, 0.5) << coarse.end << ' ' << fine.end;
  // One step of a continuous method of order 7 has the error h^8.
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), 8, 0.5) << coarse.dense << ' ' << fine.dense;
}

TEST(DormandPrince, FollowsTheOscillatorToItsTolerance) {
  const FormulaSystem system = oscillator();
  for (const double relative : {1e-6, 1e-9, 1e-12}) {
    DormandPrince853 integrator(system, tolerance(relative, relative));
    integrator.start(0, Eigen::Vector2d(1, 0));
    ASSERT_TRUE(run(integrator, 20 * pi));
    EXPECT_EQ(integrator.t(), 20 * pi);
    // Ten turns add up the errors of all steps.
    EXPECT_LE((integrator.y() - Eigen::Vector2d(1, 0)).norm(), 100 * relative);
  }
}

TEST(DormandPrince, ReturnsThePlanetToItsStart) {
  const FormulaSystem system = kepler();
  const Eigen::VectorXd start = kepler_start(0.6);
  DormandPrince853 integrator(system, tolerance(1e-12, 1e-12));
  integrator.start(0, start);
  ASSERT_TRUE(run(integrator, 2 * pi));
  // An error of the pericentre's speed becomes one of the period, and that one of the place: two digits are lost, as
  // with every implementation of this pair, which needs 68 steps here.
  EXPECT_LE((integrator.y() - start).norm(), 3e-10);
  EXPECT_LE(integrator.work().steps, 70);
}

TEST(DormandPrince, InterpolatesTheEndsExactlyAndNothingOutside) {
  const FormulaSystem system = kepler();
  DormandPrince853 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, kepler_start(0.3));
  ASSERT_EQ(integrator.step(10), StepStatus::accepted);
  Eigen::VectorXd y;
  integrator.interpolate(integrator.t_begin(), y);
  EXPECT_EQ(y, integrator.y_begin());
  EXPECT_EQ(y, kepler_start(0.3));
  integrator.interpolate(integrator.t(), y);
  EXPECT_EQ(y, integrator.y());
  EXPECT_THROW(integrator.interpolate(integrator.t() + 1e-9, y), InputError);
  EXPECT_THROW(integrator.interpolate(-1e-9, y), InputError);
}

TEST(DormandPrince, CountsItsWork) {
  long calls = 0;
  const FormulaSystem system(1, [&calls](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    ++calls;
    rate = -y;
  });
  DormandPrince853 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::VectorXd::Ones(1));
  EXPECT_EQ(integrator.work().rates, 2);  // f, and one for the first step
  ASSERT_TRUE(run(integrator, 5));
  const OdeWork& work = integrator.work();
  EXPECT_EQ(work.rates, calls);
  EXPECT_EQ(work.rates, 2 + 12 * (work.steps + work.rejected));
  Eigen::VectorXd y;
  const double middle = 0.5 * (integrator.t_begin() + integrator.t());
  integrator.interpolate(middle, y);
  integrator.interpolate(middle, y);
  EXPECT_EQ(integrator.work().rates, calls);
  EXPECT_EQ(work.rates, 5 + 12 * (work.steps + work.rejected)) << "three for the first interpolation of a step";
  EXPECT_EQ(work.jacobians, 0);
}

TEST(DormandPrince, CollapsesAtASingularity) {
  // y' = y², y(0) = 1 is 1/(1 - t).
  const FormulaSystem blow_up(1,
                              [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) { rate[0] = y[0] * y[0]; });
  DormandPrince853 integrator(blow_up, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::VectorXd::Ones(1));
  EXPECT_FALSE(run(integrator, 2));
  EXPECT_NEAR(integrator.t(), 1, 1e-9);
  EXPECT_EQ(integrator.step(2), StepStatus::collapsed) << "it stays where it is";
  EXPECT_LT(integrator.work().steps, 1000);
}

TEST(DormandPrince, NeverAcceptsWhatIsNotANumber) {
  // The domain of f ends at y = 0.
  const FormulaSystem edge(
      1, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) { rate[0] = -1 + 0 * std::sqrt(y[0]); });
  DormandPrince853 integrator(edge, tolerance(1e-10, 1e-10));
  integrator.start(1, Eigen::VectorXd::Ones(1));
  EXPECT_FALSE(run(integrator, 5));
  EXPECT_TRUE(std::isfinite(integrator.y()[0]));
  EXPECT_NEAR(integrator.t(), 2, 1e-12);
  EXPECT_EQ(integrator.t_begin(), integrator.t());
  EXPECT_LT(integrator.work().rejected, 60) << "the resolution of t ends it, before the count does";

  const FormulaSystem never(1, [](double, const Eigen::VectorXd&, Eigen::VectorXd& rate) {
    rate[0] = std::numeric_limits<double>::quiet_NaN();
  });
  DormandPrince853 nowhere(never, tolerance(1e-10, 1e-10));
  nowhere.start(0, Eigen::VectorXd::Ones(1));
  EXPECT_EQ(nowhere.step(1), StepStatus::collapsed);

  const FormulaSystem after_start(1, [](double t, const Eigen::VectorXd&, Eigen::VectorXd& rate) {
    rate[0] = t > 0 ? std::numeric_limits<double>::infinity() : 1.0;
  });
  DormandPrince853 refused(after_start, tolerance(1e-10, 1e-10));
  refused.start(0, Eigen::VectorXd::Ones(1));
  EXPECT_EQ(refused.step(1), StepStatus::collapsed);
  EXPECT_EQ(refused.work().rejected, 101) << "t = 0 has no units in the last place, and the count ends it";
}

TEST(DormandPrince, KeepsTheStepSizeOverARestart) {
  const FormulaSystem system = oscillator();
  DormandPrince853 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::Vector2d(1, 0));
  ASSERT_TRUE(run(integrator, 10));
  const double h = integrator.t() - integrator.t_begin();
  integrator.start(10, Eigen::Vector2d(0, 1));
  ASSERT_EQ(integrator.step(100), StepStatus::accepted);
  EXPECT_GT(integrator.t() - 10, 0.5 * h);
}

TEST(DormandPrince, IsNotSlowedByATinyLastStep) {
  const FormulaSystem system = oscillator();
  DormandPrince853 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::Vector2d(1, 0));
  ASSERT_TRUE(run(integrator, 10));
  ASSERT_EQ(integrator.step(10 + 1e-13), StepStatus::accepted);
  EXPECT_EQ(integrator.t(), 10 + 1e-13);
  ASSERT_EQ(integrator.step(100), StepStatus::accepted);
  EXPECT_GT(integrator.t(), 10.1);
  EXPECT_THROW(integrator.step(integrator.t()), InputError);
}

TEST(DormandPrince, IsTheSameBitForBit) {
  const FormulaSystem system = kepler();
  const auto final_state = [&system] {
    DormandPrince853 integrator(system, tolerance(1e-11, 1e-11));
    integrator.start(0, kepler_start(0.7));
    EXPECT_TRUE(run(integrator, 30));
    return integrator.y();
  };
  EXPECT_EQ(final_state(), final_state());
}

TEST(DormandPrince, RefusesTolerancesThatMeanNothing) {
  const FormulaSystem system = oscillator();
  EXPECT_THROW(DormandPrince853(system, tolerance(0, 1e-9)), InputError);
  EXPECT_THROW(DormandPrince853(system, tolerance(1e-9, 0)), InputError);
  OdeTolerance three = tolerance(1e-9, 1e-9);
  three.absolute = Eigen::Vector3d::Ones();
  EXPECT_THROW(DormandPrince853(system, three), InputError);
  DormandPrince853 integrator(system, OdeTolerance{});
  EXPECT_THROW(integrator.start(0, Eigen::VectorXd::Ones(3)), InputError);
}

}  // namespace dormand_prince_test
}  // namespace painleve
