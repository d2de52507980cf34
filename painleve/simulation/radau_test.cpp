#include "painleve/simulation/radau.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "painleve/base/error.hpp"
#include "painleve/simulation/crossing.hpp"
#include "painleve/simulation/detail/example_systems.hpp"
#include "painleve/simulation/detail/order_conditions.hpp"
#include "painleve/simulation/detail/radau_coefficients.hpp"
#include "painleve/simulation/dormand_prince.hpp"

namespace painleve {
namespace radau_test {

namespace table = radau_coefficients;

// a from the conditions of collocation, Σ_j a_ij c_j^(k-1) = c_i^k / k.
Eigen::Matrix3d collocation_matrix() {
  Eigen::Matrix3d powers;
  Eigen::Matrix3d integrals;
  for (int i = 0; i < 3; ++i) {
    for (int k = 1; k <= 3; ++k) {
      powers(i, k - 1) = std::pow(table::c[static_cast<std::size_t>(i)], k - 1);
      integrals(i, k - 1) = std::pow(table::c[static_cast<std::size_t>(i)], k) / k;
    }
  }
  return integrals * powers.inverse();
}

Eigen::Matrix3d matrix(const std::array<std::array<double, 3>, 3>& rows) {
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      result(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return result;
}

TEST(RadauCoefficients, AreThoseOfCollocationOfOrderFive) {
  const Eigen::Matrix3d a = collocation_matrix();
  Eigen::Matrix3d blocks;
  blocks << table::gamma, 0, 0, 0, table::alpha, -table::beta, 0, table::beta, table::alpha;
  EXPECT_LE((matrix(table::T) * matrix(table::T_inverse) - Eigen::Matrix3d::Identity()).norm(), 1e-14);
  EXPECT_LE((a * matrix(table::T) * blocks - matrix(table::T)).norm(), 1e-14);
  double beyond = 0;
  for (const RootedTree& tree : rooted_trees(a, 6)) {
    const double defect = std::abs((a.row(2).transpose().array() * tree.phi).sum() - 1 / tree.gamma);
    if (tree.nodes <= 5) {
      EXPECT_LE(defect, 1e-15) << tree.nodes;
    } else {
      beyond = std::max(beyond, defect);
    }
  }
  EXPECT_GT(beyond, 1e-5);
}

// y_1 = cos t, y_2 = -sin t, each pulled to its value with the rate L: Prothero & Robinson's test for L > 0.
FormulaSystem pulled(double L) {
  return {2, [L](double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
            rate[0] = y[1] - L * (y[0] - std::cos(t));
            rate[1] = -y[0] - L * (y[1] + std::sin(t));
          }};
}
Eigen::Vector2d circle(double t) { return {std::cos(t), -std::sin(t)}; }

struct FixedSteps {
  double end = 0;    // error of the solution
  double dense = 0;  // largest error inside the steps, from an exact start of each
};

// Steps of fixed size, which the tolerance accepts.
FixedSteps fixed_steps(double L, int steps, double relative) {
  const FormulaSystem system = pulled(L);
  const double h = 6.0 / steps;
  OdeTolerance fixed = tolerance(relative, 1e3 * relative);
  fixed.first_step = fixed.largest_step = h;
  Radau5 integrator(system, fixed);
  FixedSteps errors;
  integrator.start(0, circle(0));
  EXPECT_TRUE(run(integrator, 6.0));
  EXPECT_EQ(integrator.work().steps, steps);
  errors.end = (integrator.y() - circle(6)).norm();
  Eigen::VectorXd y;
  for (int k = 0; k < steps; ++k) {
    integrator.start(k * h, circle(k * h));
    EXPECT_EQ(integrator.step((k + 1) * h), StepStatus::accepted);
    for (const double x : {0.1, 0.25, 0.5, 0.7, 0.9}) {
      const double t = integrator.t_begin() + x * (integrator.t() - integrator.t_begin());
      integrator.interpolate(t, y);
      errors.dense = std::max(errors.dense, (y - circle(t)).norm());
    }
  }
  EXPECT_EQ(integrator.work().rejected, 0);
  return errors;
}

TEST(Radau, ConvergesWithOrderFiveAndAsWellInside) {
  const FixedSteps coarse = fixed_steps(0, 20, 1e-5);
  const FixedSteps fine = fixed_steps(0, 40, 1e-5);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 5, 0.15) << coarse.end << ' ' << fine.end;
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), 6, 0.15) << "the order h^6 of the error of one step";
  EXPECT_LE(fine.dense, 6 * fine.end / 40) << "not larger than the error of one step by more than a small factor";
}

TEST(Radau, KeepsItsStageOrderOnStiffProblems) {
  // Prothero & Robinson: the error of the method is of order h³/L, and inside the steps of the same order.
  const double L = 1e6;
  const FixedSteps coarse = fixed_steps(L, 10, 1e-4);
  const FixedSteps fine = fixed_steps(L, 20, 1e-4);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 3, 0.4) << coarse.end << ' ' << fine.end;
  EXPECT_LE(coarse.end, 0.1 / L);
  EXPECT_LE(coarse.dense, 1e-3);  // h⁴/100, that of the collocation polynomial
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), 4, 0.5) << coarse.dense << ' ' << fine.dense;
}

TEST(Radau, DoesNotCollapseForAnyStiffness) {
  for (const double L : {1e3, 1e6, 1e9, 1e12}) {
    for (const double relative : {1e-6, 1e-8, 1e-10}) {
      const FormulaSystem system = pulled(L);
      Radau5 integrator(system, tolerance(relative, relative));
      integrator.start(0, circle(0));
      ASSERT_TRUE(run(integrator, 10));
      EXPECT_LE((integrator.y() - circle(10)).norm(), 10 * relative) << L;
      EXPECT_LE(integrator.work().steps, 400) << L;
    }
  }
}

TEST(Radau, FollowsAStiffLinearSystemFromATransient) {
  // Slow: y_1' = -y_1. Fast: y_2' = -1e12 (y_2 - y_1), that is y_2 = y_1/(1 - 1e-12) after 1e-11 s.
  const FormulaSystem system(2, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    rate[0] = -y[0];
    rate[1] = -1e12 * (y[1] - y[0]);
  });
  Radau5 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::Vector2d(1, 2));
  ASSERT_TRUE(run(integrator, 3));
  EXPECT_NEAR(integrator.y()[0], std::exp(-3), 1e-10);
  EXPECT_NEAR(integrator.y()[1], std::exp(-3) / (1 - 1e-12), 1e-10);
  EXPECT_LE(integrator.work().steps, 250);
  Eigen::VectorXd y;
  const double middle = 0.5 * (integrator.t_begin() + integrator.t());
  integrator.interpolate(middle, y);
  EXPECT_NEAR(y[0], std::exp(-middle), 1e-10);
  EXPECT_NEAR(y[1], std::exp(-middle), 1e-8) << "the stiff component between the steps";
}

TEST(Radau, MatchesTheReferenceOfTheStiffOscillator) {
  // Van der Pol's equation with 1/ε = 1e6 at t = 2; the reference of Hairer & Wanner's collection, to 14 digits.
  const FormulaSystem system(2, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    rate[0] = y[1];
    rate[1] = 1e6 * ((1 - y[0] * y[0]) * y[1] - y[0]);
  });
  for (const double relative : {1e-6, 1e-8, 1e-10}) {
    Radau5 integrator(system, tolerance(relative, relative));
    integrator.start(0, Eigen::Vector2d(2, 0));
    ASSERT_TRUE(run(integrator, 2));
    EXPECT_NEAR(integrator.y()[0], 1.706167732170483, 2 * relative);
    EXPECT_NEAR(integrator.y()[1], -0.8928097010247975, 2 * relative);
    EXPECT_LE(integrator.work().rejected, 50);
  }
}

TEST(Radau, AgreesWithTheExplicitMethodOnThePlanet) {
  const FormulaSystem system = kepler();
  Radau5 implicit_one(system, tolerance(1e-12, 1e-12));
  DormandPrince853 explicit_one(system, tolerance(1e-13, 1e-13));
  for (OdeIntegrator* integrator :
       {static_cast<OdeIntegrator*>(&implicit_one), static_cast<OdeIntegrator*>(&explicit_one)}) {
    integrator->start(0, kepler_start(0.6));
    ASSERT_TRUE(run(*integrator, 5));
  }
  // The ellipse multiplies an early error by some 100.
  EXPECT_LE((implicit_one.y() - explicit_one.y()).norm(), 1e-9);
}

TEST(Radau, FindsCrossingsAsAccuratelyAsItSteps) {
  class Height : public EventFunctions {
   public:
    int count() const override { return 1; }
    void values(double, const Eigen::VectorXd& y, Eigen::VectorXd& g) const override { g[0] = y[0] - 0.25; }
  };
  const Height height;
  const FormulaSystem system = oscillator();
  for (const double relative : {1e-6, 1e-8, 1e-10, 1e-12}) {
    Radau5 integrator(system, tolerance(relative, relative));
    integrator.start(0, Eigen::Vector2d(1, 0));
    CrossingFinder finder(height);
    finder.start(0, integrator.y());
    std::optional<Crossing> crossing;
    while (!crossing) {
      ASSERT_EQ(integrator.step(10), StepStatus::accepted);
      crossing = finder.first(integrator);
    }
    EXPECT_NEAR(crossing->t, std::acos(0.25), 20 * relative);
  }
}

TEST(Radau, CountsItsWork) {
  long calls = 0;
  const FormulaSystem system(3, [&calls](double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    ++calls;
    rate << y[1], -std::sin(y[0]) - 0.1 * y[1], std::cos(t) - 1e3 * y[2];
  });
  Radau5 integrator(system, tolerance(1e-8, 1e-8));
  integrator.start(0, Eigen::Vector3d(1, 0, 0));
  ASSERT_TRUE(run(integrator, 10));
  const OdeWork& work = integrator.work();
  EXPECT_EQ(calls, work.rates + 3 * work.jacobians) << "three more for each Jacobian by differences";
  EXPECT_LT(work.jacobians, work.steps);
  EXPECT_LE(work.factorisations, work.steps + work.rejected);
  EXPECT_LE(work.rates, 9 * work.steps);
  const long before = work.rates;
  Eigen::VectorXd y;
  const double middle = 0.5 * (integrator.t_begin() + integrator.t());
  integrator.interpolate(middle, y);
  integrator.interpolate(middle, y);
  EXPECT_EQ(work.rates, before + 2);
}

TEST(Radau, UsesTheJacobianOfTheSystem) {
  class Given : public OdeSystem {
   public:
    int size() const override { return 1; }
    void rates(double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override { rate[0] = -1e6 * y[0]; }
    void jacobian(double, const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                  Eigen::MatrixXd& J) const override {
      J(0, 0) = -1e6;
    }
  };
  const Given given;
  Radau5 integrator(given, tolerance(1e-8, 1e-8));
  integrator.start(0, Eigen::VectorXd::Ones(1));
  ASSERT_TRUE(run(integrator, 1e-6));
  EXPECT_NEAR(integrator.y()[0], std::exp(-1), 1e-8);
  EXPECT_EQ(integrator.work().jacobians, 1) << "a linear system needs one";
}

TEST(OdeSystem, JacobianByDifferencesFitsTheScale) {
  const FormulaSystem system(2, [](double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    rate << std::sin(y[0]) * y[1], t * y[0] * y[0] - std::sin(1e9 * y[1]);
  });
  const Eigen::VectorXd y = Eigen::Vector2d(0.7, 2e-9);
  Eigen::VectorXd rate(2);
  system.rates(3, y, rate);
  Eigen::MatrixXd J(2, 2);
  system.jacobian(3, y, rate, Eigen::Vector2d(1, 1e-9), J);
  Eigen::Matrix2d expected;
  expected << std::cos(0.7) * 2e-9, std::sin(0.7), 4.2, -1e9 * std::cos(2.0);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      EXPECT_NEAR(J(i, j), expected(i, j), 1e-7 * std::abs(expected(i, j)));
    }
  }
}

TEST(Radau, CollapsesAtASingularityAndAtTheEdgeOfTheDomain) {
  const FormulaSystem blow_up(1,
                              [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) { rate[0] = y[0] * y[0]; });
  Radau5 integrator(blow_up, tolerance(1e-10, 1e-10));
  integrator.start(0, Eigen::VectorXd::Ones(1));
  EXPECT_FALSE(run(integrator, 2));
  EXPECT_NEAR(integrator.t(), 1, 1e-8);
  EXPECT_TRUE(std::isfinite(integrator.y()[0]));

  const FormulaSystem edge(
      1, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) { rate[0] = -1 + 0 * std::sqrt(y[0]); });
  Radau5 at_edge(edge, tolerance(1e-10, 1e-10));
  at_edge.start(1, Eigen::VectorXd::Ones(1));
  EXPECT_FALSE(run(at_edge, 5));
  EXPECT_TRUE(std::isfinite(at_edge.y()[0]));
  EXPECT_NEAR(at_edge.t(), 2, 1e-7) << "the increment of the differences leaves the domain a little earlier";
  EXPECT_EQ(at_edge.t_begin(), at_edge.t());

  const FormulaSystem after_start(1, [](double t, const Eigen::VectorXd&, Eigen::VectorXd& rate) {
    rate[0] = t > 0 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  });
  Radau5 refused(after_start, tolerance(1e-10, 1e-10));
  refused.start(0, Eigen::VectorXd::Ones(1));
  EXPECT_EQ(refused.step(1), StepStatus::collapsed);
  EXPECT_EQ(refused.work().rejected, 101);
}

TEST(Radau, RestartsAfterADiscontinuityWithItsStepSize) {
  const FormulaSystem system = pulled(1e4);
  Radau5 integrator(system, tolerance(1e-8, 1e-8));
  integrator.start(0, circle(0));
  ASSERT_TRUE(run(integrator, 3));
  const long steps = integrator.work().steps;
  integrator.start(3, circle(3));
  ASSERT_TRUE(run(integrator, 3.5));
  EXPECT_LE(integrator.work().steps - steps, 12);
  EXPECT_LE((integrator.y() - circle(3.5)).norm(), 1e-7);
}

TEST(Radau, IsTheSameBitForBit) {
  const FormulaSystem system = kepler();
  const auto final_state = [&system] {
    Radau5 integrator(system, tolerance(1e-9, 1e-9));
    integrator.start(0, kepler_start(0.7));
    EXPECT_TRUE(run(integrator, 10));
    return integrator.y();
  };
  EXPECT_EQ(final_state(), final_state());
}

TEST(Radau, InterpolatesTheEndsExactly) {
  const FormulaSystem system = kepler();
  Radau5 integrator(system, tolerance(1e-10, 1e-10));
  integrator.start(0, kepler_start(0.3));
  ASSERT_EQ(integrator.step(10), StepStatus::accepted);
  Eigen::VectorXd y;
  integrator.interpolate(0, y);
  EXPECT_EQ(y, kepler_start(0.3));
  integrator.interpolate(integrator.t(), y);
  EXPECT_EQ(y, integrator.y());
  EXPECT_THROW(integrator.interpolate(integrator.t() + 1e-3, y), InputError);
  integrator.interpolate(integrator.t() * (1 - 1e-14), y);
  EXPECT_LE((y - integrator.y()).norm(), 1e-13) << "continuous at the end";
}

}  // namespace radau_test
}  // namespace painleve
