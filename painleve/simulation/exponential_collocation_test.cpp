#include "painleve/simulation/exponential_collocation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "painleve/simulation/detail/phi_functions.hpp"
#include "painleve/simulation/radau.hpp"

namespace painleve {
namespace exponential_collocation_test {

using detail::PhiFunctions;
using detail::SmallMatrix;

// φ_k of a number by its series, or by the recurrence from e^x where the series is long.
double phi(int k, double x) {
  if (std::abs(x) > 4) return k == 0 ? std::exp(x) : (phi(k - 1, x) - 1 / std::tgamma(k)) / x;
  double term = 1 / std::tgamma(k + 1);
  double sum = term;
  for (int j = 1; j < 60; ++j) {
    term *= x / (j + k);
    sum += term;
  }
  return sum;
}

TEST(PhiFunctions, OfANumberAreTheirSeries) {
  SmallMatrix A;
  A.resize(1);
  PhiFunctions functions;
  for (const double x : {-3e3, -40.0, -3.9, -0.7, -1e-9, 0.0, 1e-3, 0.5, 2.5, 30.0}) {
    A(0, 0) = x / 0.25;
    functions.compute(A, A.pace(), 0.25);
    for (int k = 0; k <= PhiFunctions::kLast; ++k) {
      const double expected = phi(k, x);
      EXPECT_NEAR(functions(k, 0, 0), expected, 1e-13 * std::abs(expected) + 1e-300) << k << " of " << x;
    }
  }
}

// A Jordan block: φ_k of [x 1; 0 x] has φ_k'(x) beside the diagonal. A swing: e^X of [0 w; -w 0] is a rotation.
TEST(PhiFunctions, OfMatricesThatAreNotDiagonal) {
  SmallMatrix A;
  A.resize(2);
  PhiFunctions functions;
  A(0, 0) = A(1, 1) = -1.5;
  A(0, 1) = 1;
  functions.compute(A, A.pace(), 1);
  for (int k = 0; k <= PhiFunctions::kLast; ++k) {
    const double h = 1e-5;
    EXPECT_NEAR(functions(k, 0, 1), (phi(k, -1.5 + h) - phi(k, -1.5 - h)) / (2 * h), 1e-9) << k;
    EXPECT_EQ(functions(k, 1, 0), 0) << k;
  }
  A(0, 0) = A(1, 1) = 0;
  A(0, 1) = 2;
  A(1, 0) = -2;
  functions.compute(A, A.pace(), 3);
  EXPECT_NEAR(functions(0, 0, 0), std::cos(6), 1e-13);
  EXPECT_NEAR(functions(0, 0, 1), std::sin(6), 1e-13);
}

// Three unknowns have code of their own: the same as those of four, of which one is nothing to the others.
TEST(PhiFunctions, OfThreeUnknownsAreThoseOfAnyNumber) {
  const double entries[3][3] = {{-0.4, 1.3, 0.2}, {-2.1, -0.7, 0.5}, {0.6, -0.3, 0.9}};
  SmallMatrix three, four;
  three.resize(3);
  four.resize(4);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) three(i, j) = four(i, j) = entries[i][j];
  four(3, 3) = -0.5;
  using Vector = std::array<double, PhiFunctions::kMost>;
  const Vector z = {0.3, -1.2, 0.8};
  const std::array<Vector, 6> r = {{{1, 2, -1}, {0.5, -0.2, 3}, {-4, 1, 0.1}, {2, 2, 2}, {-1, 5, 0.3}, {7, -6, 1}}};
  for (const double factor : {0.3, 5.0}) {  // without and with doublings
    PhiFunctions of_three, of_four;
    of_three.compute(three, three.pace(), factor);
    of_four.compute(four, four.pace(), factor);
    for (int k = 0; k <= PhiFunctions::kLast; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(of_three(k, i, j), of_four(k, i, j), 1e-12) << k;
    for (const int count : {1, 2, 5, 6}) {
      Vector end{}, mean{}, end_of_four{}, mean_of_four{};
      const PhiFunctions::Course course{0.7, 0.5, r[0].data(), count};
      of_three.advance(course, z.data(), end.data(), mean.data());
      of_four.advance(course, z.data(), end_of_four.data(), mean_of_four.data());
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(end[i], end_of_four[i], 1e-12 * (1 + std::abs(end[i]))) << count;
        EXPECT_NEAR(mean[i], mean_of_four[i], 1e-12 * (1 + std::abs(mean[i]))) << count;
      }
    }
  }
}

// Two constant forces at once, over some steps from rest, are each of them alone, step by step.
TEST(PhiFunctions, CarryTwoForcesAtOnce) {
  SmallMatrix A;
  A.resize(3);
  A(0, 0) = -1.1;
  A(0, 2) = 0.4;
  A(1, 0) = 2;
  A(2, 1) = -0.6;
  constexpr double step = 0.8;
  PhiFunctions functions;
  functions.compute(A, A.pace(), step);
  using Vector = std::array<double, PhiFunctions::kMost>;
  const std::array<Vector, 2> forces = {{{1, -2, 0.5}, {0.3, 0.1, -4}}};
  PhiFunctions::TwoColumns d, end, integral;
  for (int i = 0; i < 3; ++i)
    d.at(i) = {forces[0][static_cast<std::size_t>(i)], forces[1][static_cast<std::size_t>(i)]};
  functions.carry(step, 3, d, end, integral);
  for (std::size_t side = 0; side < 2; ++side) {
    Vector z{}, sum{};
    for (int k = 0; k < 3; ++k) {
      Vector next{}, mean{};
      functions.advance({step, 1, forces[side].data(), 1}, z.data(), next.data(), mean.data());
      for (std::size_t i = 0; i < 3; ++i) sum[i] += step * mean[i];
      z = next;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(end.pairs[i](static_cast<Eigen::Index>(side)), z[i], 1e-14);
      EXPECT_NEAR(integral.pairs[i](static_cast<Eigen::Index>(side)), sum[i], 1e-14);
    }
  }
}

// z'' = −w² z − 2 d w z' + cos(q), q' = 1 + ε z, work' = z'²: a stiff swing that a slow phase drives, and that acts
// back.
class DrivenSwing : public PartlyLinearSystem {
 public:
  DrivenSwing(double w, double d, double back) : w_(w), d_(d), back_(back) {}
  int size() const override { return 4; }
  void rates(double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override {
    rate[0] = y[1];
    rate[1] = -w_ * w_ * y[0] - 2 * d_ * w_ * y[1] + std::cos(y[2]);
    rate[2] = 1 + back_ * y[0];
    rate[3] = y[1] * y[1];
  }
  Block fast() const override { return {0, 2}; }
  Block work() const override { return {3, 1}; }
  void linearise(double t, const Eigen::VectorXd& y, const Eigen::VectorXd&, Eigen::VectorXd& rate,
                 Eigen::MatrixXd& L) const override {
    rates(t, y, rate);
    L.setZero();
    L(0, 1) = 1;
    L(1, 0) = -w_ * w_;
    L(1, 1) = -2 * d_ * w_;
    L(2, 0) = back_;
  }
  void work_rates(const Eigen::VectorXd& y, double* rate) const override { rate[0] = y[1] * y[1]; }

 private:
  double w_, d_, back_;
};

Eigen::VectorXd after(OdeIntegrator& integrator, const Eigen::VectorXd& start, double t_end) {
  integrator.start(0, start);
  while (integrator.t() < t_end) {
    EXPECT_EQ(integrator.step(t_end), StepStatus::accepted);
  }
  return integrator.y();
}

// With no action back, z follows cos t at a distance that decays: z = Re(e^{it}/(w² − 1 + 2 i d w)) + the free motion.
TEST(ExponentialCollocation, FollowsADrivenSwingInClosedForm) {
  const double w = 1e3;
  const double d = 0.4;
  const DrivenSwing system(w, d, 0);
  const double re = w * w - 1;
  const double im = 2 * d * w;
  const double norm = re * re + im * im;
  Eigen::VectorXd start(4);
  start << re / norm, im / norm, 0, 0;  // on the forced motion: no free motion at all
  OdeTolerance tolerance;
  tolerance.relative = 1e-11;
  tolerance.absolute = Eigen::Vector4d(1e-17, 1e-14, 1e-11, 1e-20);
  ExponentialCollocation integrator(system, tolerance);
  const Eigen::VectorXd y = after(integrator, start, 2);
  EXPECT_NEAR(y[0], (re * std::cos(2) + im * std::sin(2)) / norm, 1e-15);
  EXPECT_NEAR(y[1], (im * std::cos(2) - re * std::sin(2)) / norm, 1e-12);
  EXPECT_NEAR(y[2], 2, 1e-12);
}

// Against an implicit method that knows nothing of the split, also where z grows without bound (w² < 0 is not needed:
// a negative damping does it), and at the points within steps.
TEST(ExponentialCollocation, AgreesWithRadau) {
  for (const double d : {0.7, 0.05, -0.02}) {
    const DrivenSwing system(60, d, 3);
    Eigen::VectorXd start(4);
    start << 0.02, 0.5, 0.3, 0;
    OdeTolerance tight;
    tight.relative = 1e-13;
    tight.absolute = Eigen::VectorXd::Constant(1, 1e-14);
    Radau5 reference(system, tight);
    OdeTolerance tolerance;
    tolerance.relative = 1e-10;
    tolerance.absolute = Eigen::VectorXd::Constant(1, 1e-11);
    ExponentialCollocation integrator(system, tolerance);
    const Eigen::VectorXd expected = after(reference, start, 1);
    const Eigen::VectorXd y = after(integrator, start, 1);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(y[i], expected[i], 1e-9 * std::max(1.0, std::abs(expected[i]))) << i << " at damping " << d;
    }
  }
}

TEST(ExponentialCollocation, InterpolatesWithinAStep) {
  const DrivenSwing system(200, 0.3, 50);
  Eigen::VectorXd start(4);
  start << 1e-3, 0.1, 0, 0;
  OdeTolerance tolerance;
  tolerance.relative = 1e-10;
  tolerance.absolute = Eigen::VectorXd::Constant(1, 1e-12);
  ExponentialCollocation integrator(system, tolerance);
  integrator.start(0, start);
  ASSERT_EQ(integrator.step(1), StepStatus::accepted);
  Eigen::VectorXd y(4);
  for (const double part : {0.004, 0.13, 0.19, 0.37, 0.5, 0.72, 0.83, 0.97}) {
    const double middle = part * integrator.t();
    integrator.interpolate(middle, y);
    ExponentialCollocation again(system, tolerance);
    EXPECT_LE((y - after(again, start, middle)).norm(), 1e-10) << part;
  }
  integrator.interpolate(integrator.t(), y);
  EXPECT_EQ(y, integrator.y());
}

// A smaller tolerance gives a smaller error: the error is controlled, not merely small.
TEST(ExponentialCollocation, ErrorFollowsTheTolerance) {
  const DrivenSwing system(60, 0.05, 3);
  Eigen::VectorXd start(4);
  start << 0.02, 0.5, 0.3, 0;
  OdeTolerance tight;
  tight.relative = 1e-13;
  tight.absolute = Eigen::VectorXd::Constant(1, 1e-14);
  Radau5 reference(system, tight);
  const Eigen::VectorXd expected = after(reference, start, 1);
  long steps = 0;
  for (const double asked : {1e-4, 1e-6, 1e-8, 1e-10}) {
    OdeTolerance tolerance;
    tolerance.relative = asked;
    tolerance.absolute = Eigen::VectorXd::Constant(1, asked);
    ExponentialCollocation integrator(system, tolerance);
    EXPECT_LE((after(integrator, start, 1) - expected).norm(), 10 * asked) << asked;
    EXPECT_GT(integrator.work().steps, steps) << asked;
    steps = integrator.work().steps;
  }
}

// The same with the work as an unknown like any other: the defect alone controls the error.
class SwingWithoutWork : public DrivenSwing {
 public:
  using DrivenSwing::DrivenSwing;
  Block work() const override { return {3, 0}; }
};

TEST(ExponentialCollocation, DefectControlsTheErrorWithFewSteps) {
  const SwingWithoutWork system(60, 0.05, 3);
  Eigen::VectorXd start(4);
  start << 0.02, 0.5, 0.3, 0;
  OdeTolerance tight;
  tight.relative = 1e-13;
  tight.absolute = Eigen::VectorXd::Constant(1, 1e-14);
  Radau5 reference(system, tight);
  const Eigen::VectorXd expected = after(reference, start, 1);
  struct Asked {
    double tolerance;
    long steps, rates;  // at most: a tenth more than what a method of order 7 takes
  };
  for (const Asked& asked : {Asked{1e-5, 60, 920}, Asked{1e-7, 115, 1860}, Asked{1e-9, 215, 4050}}) {
    OdeTolerance tolerance;
    tolerance.relative = asked.tolerance;
    tolerance.absolute = Eigen::VectorXd::Constant(1, asked.tolerance);
    ExponentialCollocation integrator(system, tolerance);
    EXPECT_LE((after(integrator, start, 1) - expected).norm(), asked.tolerance);
    EXPECT_LE(integrator.work().steps, asked.steps) << asked.tolerance;
    EXPECT_LE(integrator.work().rates, asked.rates) << asked.tolerance;
  }
}

}  // namespace exponential_collocation_test
}  // namespace painleve
