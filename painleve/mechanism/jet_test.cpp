// Duals and jets against closed forms and difference quotients.
#include "painleve/mechanism/jet.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <span>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace jet_test {

using detail::slope_of_number;

// A handful of roundings of numbers of order 1 to 10.
constexpr double rounding = 1e-13;
// Of slope(), for functions of order 10 whose scale of variation is about 0.3.
constexpr double quotient = 1e-8;

TEST(Dual, DifferentiatesEveryOperation) {
  Draws draws(11);
  for (int i = 0; i < 200; ++i) {
    const double x = draws.uniform(0.3, 2);
    const double y = draws.uniform(-2, 2);
    const double r = draws.uniform(-3, 3);
    const Dual a(x, r);
    EXPECT_NEAR((a * a * a).rate, 3 * x * x * r, rounding * 100);
    EXPECT_NEAR((Dual(y) / a).rate, -y * r / (x * x), rounding * 1000);
    EXPECT_NEAR((a / (a + y * y)).rate, y * y * r / ((x + y * y) * (x + y * y)), rounding * 100);
    EXPECT_NEAR(sin(a * a).rate, std::cos(x * x) * 2 * x * r, rounding * 100);
    EXPECT_NEAR(cos(-a).rate, -std::sin(x) * r, rounding);
    EXPECT_NEAR(sqrt(a).rate, r / (2 * std::sqrt(x)), rounding * 10);
    EXPECT_NEAR((y - a).rate, -r, 0);
    EXPECT_EQ((y - a).value, y - x);
    EXPECT_EQ(sqrt(a).value, std::sqrt(x));
  }
}

TEST(Dual, CompositeAgreesWithItsDifferenceQuotient) {
  const auto f = [](const auto& x) { return sqrt(x * x + 2.0) * sin(x * 3.0) / (cos(x) + 2.0) - x; };
  const auto g = [](double x) { return std::sqrt(x * x + 2.0) * std::sin(x * 3.0) / (std::cos(x) + 2.0) - x; };
  Draws draws(12);
  for (int i = 0; i < 50; ++i) {
    const double x = draws.uniform(-2, 2);
    const double r = draws.uniform(-2, 2);
    const Dual value = f(Dual(x, r));
    EXPECT_NEAR(value.value, g(x), rounding);
    EXPECT_NEAR(value.rate, slope_of_number([&](double h) { return g(x + r * h); }), quotient);
  }
}

// A function of three coordinates and time that uses every operation that jets have.
template <class Number>
Number composite(const std::array<Number, 3>& q, const Number& t) {
  const auto a = sincos(q[0] - 0.5 * t);
  const auto b = sincos(q[1] * q[2] + 0.3);
  Number r = 1.5 - a.sin * b.cos;
  r += 0.7 * (q[2] * t);
  r -= -q[0] * (q[1] - 0.2);
  return r + 2.0 * (b.sin * a.cos) + (0.4 + q[0]) * (r * r);
}
double composite_value(const Eigen::Vector3d& q, double t) {
  const double a = q(0) - 0.5 * t;
  const double b = q(1) * q(2) + 0.3;
  const double r = 1.5 - std::sin(a) * std::cos(b) + 0.7 * q(2) * t + q(0) * (q(1) - 0.2);
  return r + 2.0 * std::sin(b) * std::cos(a) + (0.4 + q(0)) * r * r;
}

template <class S>
Jet<S, 3> composite_jet(const std::array<S, 3>& q, const std::array<S, 3>& v, const S& t) {
  std::array<Jet<S, 3>, 3> jets;
  for (std::size_t i = 0; i < 3; ++i) {
    jets[i].value = q[i];
    jets[i].gradient[i] = S(1.0);
    jets[i].d1 = v[i];
  }
  Jet<S, 3> time;
  time.value = t;
  time.d1 = S(1.0);
  return composite(jets, time);
}

TEST(Jet, GivesGradientAndTimeDerivativesOfAComposite) {
  Draws draws(13);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Vector3d q = detail::drawn_vector(3, 1.5, draws);
    const Eigen::Vector3d v = detail::drawn_vector(3, 1.5, draws);
    const double t = draws.uniform(-1, 1);
    const auto jet = composite_jet<double>({q(0), q(1), q(2)}, {v(0), v(1), v(2)}, t);
    EXPECT_NEAR(jet.value, composite_value(q, t), rounding * 10);
    for (int k = 0; k < 3; ++k) {
      const auto along = [&](double h) { return composite_value(q + h * Eigen::Vector3d::Unit(k), t); };
      EXPECT_NEAR(jet.gradient[static_cast<std::size_t>(k)], slope_of_number(along), quotient);
    }
    const auto path = [&](double h) { return composite_value(q + h * v, t + h); };
    EXPECT_NEAR(jet.d1, slope_of_number(path), quotient);
    EXPECT_NEAR(jet.d2,
                slope_of_number([&](double h) { return slope_of_number([&](double k) { return path(h + k); }); }),
                1e-6);  // a quotient of quotients: 1e-11/1e-3, and values up to 1e2
  }
}

// Jets of duals: the derivative of gradient, d1 and d2 in any direction of (q, v, t).
TEST(Jet, OfDualsDifferentiatesEveryPart) {
  Draws draws(14);
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd at = detail::drawn_vector(7, 1.2, draws);
    const Eigen::VectorXd direction = detail::drawn_vector(7, 1, draws);
    const auto plain = [&](double h) {
      const Eigen::VectorXd x = at + h * direction;
      return composite_jet<double>({x(0), x(1), x(2)}, {x(3), x(4), x(5)}, x(6));
    };
    std::array<Dual, 3> q, v;
    for (int k = 0; k < 3; ++k) {
      q[static_cast<std::size_t>(k)] = {at(k), direction(k)};
      v[static_cast<std::size_t>(k)] = {at(3 + k), direction(3 + k)};
    }
    const auto jet = composite_jet<Dual>(q, v, Dual(at(6), direction(6)));
    EXPECT_NEAR(jet.value.value, plain(0).value, rounding * 10);
    EXPECT_NEAR(jet.d2.value, plain(0).d2, rounding * 1000);
    EXPECT_NEAR(jet.value.rate, slope_of_number([&](double h) { return plain(h).value; }), quotient);
    EXPECT_NEAR(jet.d1.rate, slope_of_number([&](double h) { return plain(h).d1; }), quotient * 10);
    EXPECT_NEAR(jet.d2.rate, slope_of_number([&](double h) { return plain(h).d2; }), quotient * 100);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(jet.gradient[k].rate, slope_of_number([&](double h) { return plain(h).gradient[k]; }), quotient * 10);
    }
  }
}

TEST(Jet, OfAConstantHasNoDerivatives) {
  const Jet<double, 2> c = 3.0;
  EXPECT_EQ(c.value, 3);
  EXPECT_EQ(c.gradient, (std::array<double, 2>{0, 0}));
  EXPECT_EQ(c.d1, 0);
  EXPECT_EQ(c.d2, 0);
}

// A box in space, given by its axes, against ½ ω·Iω with ω from the turn about one axis after another.
TEST(Sketch, RigidBodyInSpaceHasTheEnergyOfItsPrincipalMoments) {
  Draws draws(15);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = detail::drawn_vector(3, 1.2, draws);  // turns about z, then the new y, then the new x
    const Eigen::VectorXd v = detail::drawn_vector(3, 1.5, draws);
    std::vector<ContactRow<double, 3>> rows;
    std::vector<double> gaps;
    Sketch<double, 3> sketch(q.data(), v.data(), 0.0, rows, gaps);
    const auto z = sincos(sketch.q[0]);
    const auto y = sincos(sketch.q[1]);
    const auto x = sincos(sketch.q[2]);
    const Jet<double, 3> zero = 0.0;
    sketch.rigid_body(
        2, {0.3, 0.4, 0.5}, {zero, zero, zero},
        {{{z.cos * y.cos, z.sin * y.cos, -y.sin},
          {z.cos * y.sin * x.sin - z.sin * x.cos, z.sin * y.sin * x.sin + z.cos * x.cos, y.cos * x.sin},
          {z.cos * y.sin * x.cos + z.sin * x.sin, z.sin * y.sin * x.cos - z.cos * x.sin, y.cos * x.cos}}});
    // angular velocity in the body's frame
    const double s1 = std::sin(q(1)), c1 = std::cos(q(1)), s2 = std::sin(q(2)), c2 = std::cos(q(2));
    const Eigen::Vector3d omega(v(2) - v(0) * s1, v(1) * c2 + v(0) * c1 * s2, -v(1) * s2 + v(0) * c1 * c2);
    const double expected = 0.5 * Eigen::Vector3d(0.3, 0.4, 0.5).dot(omega.cwiseAbs2());
    double energy = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        energy += 0.5 * v(static_cast<Eigen::Index>(a)) * sketch.M[std::max(a, b)][std::min(a, b)] *
                  v(static_cast<Eigen::Index>(b));
      }
    }
    EXPECT_NEAR(energy, expected, rounding * 10);
    EXPECT_GT(expected, 0);
  }
}

// A force that does work along a displacement that moves with time: generalized force F ∂s/∂q, no drive.
TEST(Sketch, SplitsForcesIntoAppliedPotentialAndDrive) {
  const double q[] = {0.4, -0.3};
  const double v[] = {1.5, 0.5};
  std::vector<ContactRow<double, 2>> rows(2);
  std::vector<double> gaps(1);
  Sketch<double, 2> sketch(q, v, 0.25, rows, gaps);
  sketch.potential(2.0 * (sketch.q[0] * sketch.t) + sketch.q[1] * sketch.q[1]);
  sketch.work(3.0, sketch.q[0] * sketch.q[1]);
  EXPECT_DOUBLE_EQ(sketch.energy, 2 * 0.4 * 0.25 + 0.09);
  EXPECT_DOUBLE_EQ(sketch.drive, 2 * 0.4);
  EXPECT_DOUBLE_EQ(sketch.applied[0], 3 * -0.3);
  EXPECT_DOUBLE_EQ(sketch.applied[1], 3 * 0.4);
  EXPECT_DOUBLE_EQ(sketch.f[0], 3 * -0.3 - 2 * 0.25);
  EXPECT_DOUBLE_EQ(sketch.f[1], 3 * 0.4 + 2 * 0.3);
  const auto row = Sketch<double, 2>::along(sketch.q[1], sketch.q[0] - 0.2 * sketch.t);  // q1 (q̇0 − 0.2)
  EXPECT_DOUBLE_EQ(row.J[0], -0.3);
  EXPECT_DOUBLE_EQ(row.J[1], 0);
  EXPECT_DOUBLE_EQ(row.u, -0.3 * (1.5 - 0.2));
  EXPECT_DOUBLE_EQ(row.drift, 0.5 * (1.5 - 0.2));
}

}  // namespace jet_test
}  // namespace painleve
