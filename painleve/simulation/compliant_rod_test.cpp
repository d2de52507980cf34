// The sliding rod of Preclik & Rüde (2011), Sec. 5: compliant contact where rigid mechanics has no solution or three.
// All numbers come from independent computations with other integrators, good to 1e-12.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/compliant_run.hpp"

namespace painleve {
namespace compliant_rod_test {

constexpr double kRoot3 = std::numbers::sqrt3;

// Case N (no torque) and M (torque 5/3), with k = γ_n = γ_t = alpha and the tip `depth` below the surface.
SimulationProblem rod(double alpha, double torque, double depth) {
  Setup setup;
  setup.parameters.set("gravity", 1);
  setup.given.set("theta", 2 * std::numbers::pi / 3);
  setup.slip[""] = {-1};
  setup.forces["torque"] = {Expression::constant(torque)};
  const Posed posed = build(gallery_entry("rod"), setup);
  ContactLaw law;
  law.mu = 1.5;
  law.compliance = Compliance::preclik;
  law.stiffness = law.damping = law.tangential_damping = alpha;
  SimulationProblem problem{posed.mechanism, posed.state, {law}, {false}, {}};
  problem.start.q(1) -= depth;
  return problem;
}

Run run(const SimulationProblem& problem, double t_end) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 1;
  return simulate_compliant(problem, options, {});
}

TEST(RodWithoutSolution, ReceivesTheImpulseOfTheRigidSolution) {
  struct Case {
    double alpha, impulse_n, impulse_t, force;  // impulse at 200/alpha, force at 10/sqrt(alpha)
  };
  const Case cases[] = {{1e3, 0.4304270199954918, 0.4650234178483124, 0.6300751586006372},
                        {1e4, 0.3345518673646187, 0.4401637816582704, 0.5134985210292586},
                        {1e5, 0.3257676588197722, 0.43778493416838565, 0.4690320293442909},
                        {1e6, 0.32486442930531817, 0.43753085721042834, 0.4541633915769979},
                        {1e7, 0.32477043875178646, 0.4375033291970651, 0.44937515776899367},
                        {1e8, 0.32476066000242304, 0.43750035736578324, 0.4478517126345767}};
  for (const Case& x : cases) {
    const auto early = run(rod(x.alpha, 0, 0), 200 / x.alpha);
    EXPECT_NEAR(early.impulse(1), x.impulse_n, 1e-12) << x.alpha;
    EXPECT_NEAR(early.impulse(0), x.impulse_t, 1e-12) << x.alpha;
    EXPECT_EQ(early.outcome, "IWC:I") << x.alpha;
    const auto late = run(rod(x.alpha, 0, 0), 10 / std::sqrt(x.alpha));
    EXPECT_NEAR(late.samples.back().lambda(1), x.force, 1e-10) << x.alpha;
    EXPECT_EQ(late.samples.back().mode, "T") << x.alpha;  // it never parts
    EXPECT_NEAR(late.energy.defect(), 0, 1e-11) << x.alpha;
  }
}

TEST(RodWithoutSolution, SlipsSticksAndPivots) {
  const auto r = run(rod(1e3, 0, 0), 2);
  ASSERT_EQ(r.events.size(), 2U);
  EXPECT_EQ(r.events[0].kind, EventKind::iwc);
  EXPECT_EQ(r.events[1].kind, EventKind::stick);
  EXPECT_NEAR(r.events[1].t, 0.013128329553171763, 1e-11);
  // 1e-9: the reference carries that much after two seconds.
  EXPECT_NEAR(r.samples.back().lambda(1), 0.4416703964552893, 1e-9);
}

TEST(RodWithoutSolution, KeepsItsDigitsAtTheLargestStiffness) {
  const auto r = run(rod(1e12, 0, 0), 1e-3);
  // The impulse of the rigid solution, and the rigid pivoting force after it, which grows in proportion to t.
  const double pivoting = 0.5 * (0.4471455327784399 + r.samples.back().lambda(1));
  EXPECT_NEAR(r.impulse(1), 3 * kRoot3 / 16 + pivoting * 1e-3, 1e-9);
  EXPECT_LT(r.steps, 3000);
  EXPECT_NEAR(r.energy.defect(), 0, 1e-10);
}

// What is asked for below rounding costs no more than rounding allows.
TEST(RodWithoutSolution, TakesFewStepsAtEveryTolerance) {
  struct Case {
    double tolerance, error;
    long steps;
  };
  for (const Case& x : {Case{1e-2, 1e-8, 14}, Case{1e-8, 1e-11, 25}, Case{1e-11, 1e-13, 65}, Case{1e-13, 1e-13, 100}}) {
    SimulationOptions options;
    options.t_end = 1e-4;
    options.samples = 0;
    options.relative = x.tolerance;
    const auto r = simulate_compliant(rod(1e8, 0, 0), options, {});
    EXPECT_LE(r.steps, x.steps) << x.tolerance;
    EXPECT_NEAR(r.impulse(0), 0.4375115131098535, x.error) << x.tolerance;
    EXPECT_NEAR(r.impulse(1), 0.3248044837773906, x.error) << x.tolerance;
  }
}

TEST(RodWithThreeSolutions, IsDecidedByTheForceAtTheStart) {
  struct Case {
    double force, alpha, impulse_n, impulse_t;  // up to the first parting
  };
  const Case cases[] = {
      {1, 1e3, 0.025920525206356265, 0.03888078780953444}, {1, 1e6, 0.0008202841006215646, 0.0012304261509323475},
      {5, 1e3, 0.4204051474270844, 0.6180047366374254},    {5, 1e7, 0.004323511243247895, 0.006485266864871839},
      {7.5, 1e3, 0.5400857247619081, 0.6301136953258647},  {7.5, 1e6, 0.0773214917717371, 0.11598223765760561},
      {7.6, 1e3, 0.5452915116975282, 0.6202075221590608},  {7.6, 1e6, 0.33182316851195987, 0.44211428706906875},
      {7.6, 1e7, 0.3269912340310882, 0.4389379197455664},  {10, 1e6, 0.3339826206561207, 0.44297445319474643},
      {1000, 1e6, 1.2263649831772, 0.7995736883442295}};
  for (const Case& x : cases) {
    double parting = 0;
    for (const SimulationEvent& event : run(rod(x.alpha, 5.0 / 3, x.force / x.alpha), 2).events) {
      if (event.kind != EventKind::liftoff) continue;
      parting = event.t;
      break;
    }
    ASSERT_GT(parting, 0);
    const auto r = run(rod(x.alpha, 5.0 / 3, x.force / x.alpha), parting);
    // The gap at the start is a difference of numbers of size 1: 1e-16 of it is 1e-9 of a depth of 1e-7.
    const double rounding = 1e-16 * x.alpha / x.force;
    EXPECT_NEAR(r.impulse(1), x.impulse_n, 1e-11 + 20 * rounding) << x.force << " " << x.alpha;
    EXPECT_NEAR(r.impulse(0), x.impulse_t, 1e-11 + 20 * rounding) << x.force << " " << x.alpha;
  }
}

TEST(RodWithThreeSolutions, PartsAtOnceWithoutPenetration) {
  const auto r = run(rod(1e6, 5.0 / 3, 0), 1e-2);
  EXPECT_EQ(r.outcome, "F");
  EXPECT_EQ(r.impulse(0), 0);
  EXPECT_EQ(r.impulse(1), 0);
}

// The model of the printed table: J of the start in Jᵀλ and in ġ = J v, while the gap itself is exact.
class FrozenJacobian : public SlowModel {
 public:
  int dimension() const override { return 2; }
  int count() const override { return 1; }
  int size() const override { return 6; }
  bool has_energy() const override { return false; }
  void evaluate(double, const Eigen::Ref<const Eigen::VectorXd>& x, ContactResponse& r) const override {
    Eigen::Matrix<double, 2, 3> J;
    J << 1, 0, std::sin(phi_), 0, 1, -std::cos(phi_);
    const Eigen::Vector3d inverse_mass(1, 1, 3);
    r.free_rates.resize(6);
    r.free_rates << x.tail(3), 0, -1, 0;
    r.force_rates.setZero(6, 2);
    r.force_rates.bottomRows(3) = inverse_mass.asDiagonal() * J.transpose();
    r.W = J * r.force_rates.bottomRows(3);
    r.b = J * r.free_rates.tail(3);
    r.surface.setZero(2);
    r.gap_drift = Eigen::VectorXd::Constant(1, (std::cos(phi_) - std::cos(x(2))) * x(5));
  }
  double energy(double, const Eigen::Ref<const Eigen::VectorXd>&,
                const Eigen::Ref<const Eigen::VectorXd>&) const override {
    return 0;
  }

 private:
  double phi_ = std::numbers::pi / 3;
};

Run frozen_jacobian_run(double alpha) {
  CompliantSetup setup;
  setup.model = std::make_shared<FrozenJacobian>();
  Friction friction;
  friction.kind = FrictionKind::viscous;
  friction.mu = friction.mu_static = 1.5;
  friction.damping = alpha;
  setup.contacts = {{{Compliance::preclik, alpha, alpha, false}, friction}};
  setup.names = {"tip"};
  setup.slow.resize(6);
  setup.slow << 0, kRoot3 / 2, std::numbers::pi / 3, -1, 0, 0;
  setup.gap = Eigen::VectorXd::Zero(1);
  setup.u = Eigen::Vector2d(-1, 0);
  SimulationOptions options;
  options.samples = 0;
  options.most_events = 3;  // divergence, stick, liftoff
  return run_compliant(setup, options);
}

TEST(PrintedTable, HasItsConvergedValues) {
  struct Case {
    double alpha, impulse_n, impulse_t, duration;
  };
  const Case cases[] = {{1e3, 0.36874929306431775, 0.45498441605133627, 0.05506975746893885},
                        {1e4, 0.33728779398800013, 0.44249765424992593, 0.015513185528368223},
                        {1e5, 0.32844186696563726, 0.43897084863546143, 0.004541520081612978},
                        {1e6, 0.3258777228142591, 0.43794684773084014, 0.0013771835665035862},
                        {1e7, 0.3251065282597889, 0.4376386880439491, 0.0004271734047356694},
                        {1e8, 0.3248683959157354, 0.43754351457757445, 0.00013400264915986072}};
  for (const Case& x : cases) {
    const auto r = frozen_jacobian_run(x.alpha);
    ASSERT_EQ(r.events.back().kind, EventKind::liftoff);
    EXPECT_NEAR(r.impulse(1), x.impulse_n, 1e-12) << x.alpha;
    EXPECT_NEAR(r.impulse(0), x.impulse_t, 1e-12) << x.alpha;
    // Read off the dense output of a step that is 1e4 times as long as the fast motion.
    EXPECT_NEAR(r.t, x.duration, 1e-9 * x.duration) << x.alpha;
  }
}

}  // namespace compliant_rod_test
}  // namespace painleve
