// Friction with a spring along the surface, with and without a damper: closed forms of a unit mass, and that friction
// never gives energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "painleve/simulation/compliant.hpp"

namespace painleve {
namespace compliant_elastic_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactSpace one_contact(const VectorXd& b, const VectorXd& u, double gap, double mu, bool bilateral) {
  ContactSpace s;
  s.dimension = static_cast<int>(b.size());
  s.W = MatrixXd::Identity(b.size(), b.size());
  s.b = b;
  s.u = u;
  s.drift = VectorXd::Zero(b.size());
  s.gap = VectorXd::Constant(1, gap);
  s.mu = VectorXd::Constant(1, mu);
  s.bilateral = {bilateral};
  s.names = {"c1"};
  return s;
}

ContactLaw springs(double stiffness, double tangential_stiffness) {
  ContactLaw law;
  law.stiffness = stiffness;
  law.damping = 0;
  law.tangential_stiffness = tangential_stiffness;
  return law;
}

Run run(const ContactSpace& space, const ContactLaw& law, double t_end, int samples = 1) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  return simulate_compliant(space, {law}, options, {});
}

VectorXd vector(std::initializer_list<double> values) {
  VectorXd x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.begin());
  return x;
}

// g = g₀ cos ωt pushes and pulls in turn: slip that is fast goes on through the zeros of λ_n, against −μ|λ_n|, and
// loses 2 μ ω g₀ of its speed in each half of a period. Between them lies half a period from peak to peak.
TEST(ElasticFriction, SlipGoesOnWhereTheNormalForceChangesItsSign) {
  const double k = 1e4, omega = 100, g0 = 1e-3, mu = 0.5;
  constexpr int halves = 6;
  for (const double u_t : {3.0, -3.0}) {
    for (const double k_t : {1e4, 1e7}) {
      const ContactSpace space = one_contact(vector({0, 0}), vector({u_t, 0}), g0, mu, true);
      const auto r = run(space, springs(k, k_t), halves * std::numbers::pi / omega);
      // Up to the way over which the spring is loaded at the start: μ k g₀/(k_t |u_t|) of time without friction in
      // full.
      const double loading = mu * k * g0 / (k_t * std::abs(u_t));
      const double slower = std::abs(u_t) - std::abs(r.samples.back().u(0));
      EXPECT_NEAR(slower, 2 * mu * omega * g0 * halves, 1.01 * mu * k * g0 * loading) << u_t << " " << k_t;
      EXPECT_EQ(r.outcome, u_t > 0 ? "S+" : "S-");
      EXPECT_NEAR(r.energy.defect(), 0, 1e-10);
    }
  }
}

// Springs only, and no load: energy falls, by friction alone, whichever way slip, deflection and normal force turn.
TEST(ElasticFriction, NeverGivesEnergyWhereTheNormalForceChangesItsSign) {
  std::mt19937 draw(1);
  std::uniform_real_distribution<double> in(-1, 1);
  for (const int dimension : {2, 3}) {
    for (int n = 0; n < 20; ++n) {
      VectorXd u(dimension);
      for (double& x : u) x = in(draw);
      ContactSpace space = one_contact(VectorXd::Zero(dimension), u, 0.01 * in(draw), 0.3 + std::abs(in(draw)), true);
      MatrixXd root(dimension, dimension);
      for (double& x : root.reshaped()) x = in(draw);
      space.W = root * root.transpose() + 0.3 * MatrixXd::Identity(dimension, dimension);
      ContactLaw law = springs(1e4, std::pow(10, 4 + 0.5 * in(draw)));
      law.mu_static = space.mu(0) * (n % 2 == 0 ? 1 : 1.3);
      const auto r = run(space, law, 0.5, 500);
      ASSERT_EQ(r.stopped, "t_end") << dimension << " " << n;
      for (std::size_t k = 1; k < r.samples.size(); ++k) {
        ASSERT_LE(r.samples[k].energy, r.samples[k - 1].energy + 1e-9)
            << dimension << " " << n << " " << r.samples[k].t;
      }
      EXPECT_GT(r.energy.friction, 1e-3) << dimension << " " << n;
      EXPECT_NEAR(r.energy.defect(), 0, 1e-9) << dimension << " " << n;
    }
  }
}

// Fast slip does not stick before it lifts: the deflection goes to 0 with λ_n, and its rounding says nothing.
TEST(ElasticFriction, SlipsUntilItLifts) {
  for (const int dimension : {2, 3}) {
    for (const double k_t : {1e3, 3e4, 2e5, 1e6}) {
      for (const double damping : {0.0, 20.0, 60.0}) {
        ContactLaw law = springs(1e5, k_t);
        law.damping = damping;
        VectorXd u = VectorXd::Zero(dimension);
        u(0) = -5;
        u(dimension - 1) = -1;
        const auto r = run(one_contact(VectorXd::Zero(dimension), u, 0.01, 0.3, false), law, 0.1);
        std::vector<EventKind> kinds;
        for (const SimulationEvent& event : r.events) kinds.push_back(event.kind);
        ASSERT_FALSE(kinds.empty());
        EXPECT_EQ(kinds.back(), EventKind::liftoff);
        EXPECT_EQ(std::count(kinds.begin(), kinds.end(), EventKind::stick), 0) << dimension << " " << k_t << damping;
      }
    }
  }
}

// A pull of 4 N, 10 N of weight, k_t = 100: x = 0.04 (1 − cos 10 t) up to μ_s λ_n/k_t = 0.06 m. There friction falls
// from 6 to 3 N, and with it the deflection to 0.03 m; what the spring loses is lost to friction.
TEST(ElasticFriction, LetsGoOfItsDeflectionWhereStaticFrictionEnds) {
  const double k = 1e6;
  ContactLaw law = springs(k, 100);
  law.mu_static = 0.6;
  for (const int dimension : {2, 3}) {
    VectorXd b = VectorXd::Zero(dimension);
    b(0) = 4;
    b(dimension - 1) = -10;
    const auto r = run(one_contact(b, VectorXd::Zero(dimension), -10 / k, 0.3, false), law, 1);
    ASSERT_EQ(r.events.size(), 1U);
    EXPECT_EQ(r.events[0].kind, EventKind::slip);
    EXPECT_NEAR(r.events[0].t, 2 * std::numbers::pi / 30, 1e-9);
    const double later = 1 - 2 * std::numbers::pi / 30;
    const double way = std::sqrt(0.12) * later + 0.5 * later * later;
    EXPECT_NEAR(r.energy.friction, 3 * way + 50 * (0.06 * 0.06 - 0.03 * 0.03), 1e-8);
    EXPECT_NEAR(r.energy.stored, 50 * 0.03 * 0.03 + 50 / k, 1e-9);
    EXPECT_NEAR(r.energy.defect(), 0, 1e-10);
  }
}

double lasting_impulse(const ContactSpace& space, std::vector<ContactLaw> laws, double damping, double t_end) {
  laws[0].tangential_damping = damping;
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 1;
  return simulate_compliant(space, laws, options, {}).impulse(0);
}

// Forces of dampers jump: where another contact lands, and where the contact's own damper begins. Slip that ends there
// must not go on; a small damper along the surface, which needs no such care, tells what is right as it vanishes.
TEST(ElasticFriction, EndsSlipWhereADamperJumps) {
  ContactSpace landing = one_contact(vector({0, -1}), vector({0.1, 0}), -0.002, 0.5, false);
  landing.W = MatrixXd::Identity(4, 4);
  landing.W(1, 3) = landing.W(3, 1) = -0.5;
  landing.b = vector({0, -1, 0, -1});
  landing.u = vector({0.1, 0, 0, -0.3});
  landing.drift = VectorXd::Zero(4);
  landing.gap = vector({-0.002, 0.005});
  landing.mu = vector({0.5, 0});
  landing.bilateral = {false, false};
  landing.names = {"c1", "c2"};
  ContactLaw slips = springs(1000, 1000), lands = springs(1e4, 1e4);
  slips.damping = 30;
  lands.damping = 200;
  lands.tangential_stiffness.reset();
  ContactLaw own = springs(1000, 1000);
  own.compliance = Compliance::preclik;
  own.damping = 1000;
  const ContactSpace alone = one_contact(vector({0, -1}), vector({0.1, 0.01}), -5e-4, 0.5, false);
  const auto expect_limit = [](const ContactSpace& space, const std::vector<ContactLaw>& laws, double t_end) {
    const double coarse = lasting_impulse(space, laws, 1e-3, t_end), fine = lasting_impulse(space, laws, 1e-4, t_end);
    EXPECT_NEAR(lasting_impulse(space, laws, 0, t_end), fine + (fine - coarse) / 9, 1e-9);
  };
  expect_limit(landing, {slips, lands}, 0.06);
  expect_limit(alone, {own}, 0.022);
}

}  // namespace compliant_elastic_test
}  // namespace painleve
