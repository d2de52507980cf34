// Compliant simulation of whole mechanisms: energy, stiffness up to 1e12, friction laws against each other.
#include "painleve/simulation/compliant.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/gallery.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/simulation/compliant_system.hpp"

namespace painleve {
namespace compliant_test {

SimulationProblem problem(const Posed& posed, const ContactLaw& law) {
  SimulationProblem p{posed.mechanism, posed.state, {}, {}, {}};
  for (const ContactInfo& contact : posed.contacts) {
    p.laws.push_back(law);
    p.bilateral.push_back(contact.bilateral);
  }
  return p;
}

Run run(const SimulationProblem& p, double t_end, const CompliantOptions& compliant = {}, int samples = 1) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  return simulate_compliant(p, options, compliant);
}

Posed rod(double theta, double slip, double height) {
  Setup setup;
  setup.given.set("theta", theta);
  setup.slip[""] = {slip};
  Posed posed = build(gallery_entry("rod"), setup);
  posed.state.q(1) += height;
  return posed;
}

// ∫λ_n dt of the same slip with a rigid contact, λ_n = −b_n/p, by fixed Runge-Kutta steps.
double rigid_impulse(const SimulationProblem& p, double t_end) {
  const std::vector<Surface> surfaces = {{p.laws[0].mu, false}};
  const auto rates = [&](const Eigen::VectorXd& y) -> Eigen::VectorXd {
    const State state{y.head(3), y.segment(3, 3), 0};
    const ContactSpace s = contact_space(*p.mechanism, state, surfaces);
    const Dynamics d = p.mechanism->dynamics(state);
    const double lambda_n = -s.b(1) / (s.W(1, 1) - s.mu(0) * s.W(0, 1));
    Eigen::VectorXd rate(7);
    rate << state.v, d.M.inverse() * (d.f + d.J.transpose() * Eigen::Vector2d(-s.mu(0) * lambda_n, lambda_n)), lambda_n;
    return rate;
  };
  Eigen::VectorXd y(7);
  y << p.start.q, p.start.v, 0;
  const int steps = 400;
  const double h = t_end / steps;
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd k1 = rates(y);
    const Eigen::VectorXd k2 = rates(y + h / 2 * k1);
    const Eigen::VectorXd k3 = rates(y + h / 2 * k2);
    const Eigen::VectorXd k4 = rates(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y(6);
}

TEST(StiffRod, SlidesWithoutACollapseOfSteps) {
  for (const double k : {1e6, 1e9, 1e12}) {
    ContactLaw law;
    law.mu = 0.3;
    law.stiffness = k;
    const SimulationProblem p = problem(rod(1.2, 3, 0), law);
    const auto r = run(p, 0.2);
    EXPECT_EQ(r.outcome, "S+");
    EXPECT_LT(r.steps, 1000) << k;
    EXPECT_NEAR(r.energy.defect(), 0, 1e-10) << k;
    EXPECT_NEAR(r.impulse(1), rigid_impulse(p, 0.2), 1e-9 + 100 / k) << k;
  }
}

TEST(StiffRod, BouncesWithoutACollapseOfSteps) {
  for (const double k : {1e6, 1e9, 1e12}) {
    ContactLaw law;
    law.mu = 0.3;
    law.stiffness = k;
    law.damping = 0.01 * std::sqrt(k);
    const auto r = run(problem(rod(1.2, 3, 0.05), law), 0.4);
    ASSERT_EQ(r.events.size(), 4U) << k;  // two bounces
    EXPECT_EQ(r.events[0].kind, EventKind::landing);
    EXPECT_EQ(r.events[1].kind, EventKind::liftoff);
    EXPECT_NEAR(r.events[0].t, std::sqrt(2 * 0.05 / 9.81), 1e-11) << k;  // it falls without turning
    EXPECT_LT(r.steps, 500) << k;
    EXPECT_NEAR(r.energy.defect(), 0, 1e-11) << k;
  }
}

TEST(Mechanisms, KeepTheirEnergyWithEveryFriction) {
  for (const char* name : {"chalk", "block", "impact-oscillator", "two-link", "pendulum-on-slider", "rod-3d",
                           "brake-pad", "articulated-arm", "two-legged-body", "rimless-wheel"}) {
    const Posed posed = build(gallery_entry(name), {});
    for (int kind = 0; kind < 4; ++kind) {
      ContactLaw law;
      law.mu = 0.4;
      law.stiffness = 1e6;
      if (kind == 1) {
        law.tangential_stiffness = 1e6;
        law.tangential_damping = 1e3;
      }
      if (kind == 2) law.compliance = Compliance::preclik;
      CompliantOptions compliant;
      if (kind == 3) compliant.smoothing = 1e-4;
      const auto r = run(problem(posed, law), 0.1, compliant);
      EXPECT_EQ(r.stopped, "t_end") << name << kind;
      // Energies are of the order of 10 J.
      EXPECT_NEAR(r.energy.defect(), 0, 1e-9) << name << kind;
      EXPECT_GT(std::abs(r.energy.final - r.energy.initial) + r.energy.friction + r.energy.impact, 1e-6) << name;
    }
  }
}

Posed wiping_arm() {
  Setup setup;
  setup.parameters.set("density", 1);
  setup.given.set("x", 0.34);
  setup.given.set("theta3", 101.75 * std::numbers::pi / 180);
  setup.given.set("x_dot", -1);
  setup.given.set("phi_dot", 1);
  return build(gallery_entry("articulated-arm"), setup);
}

// An arm that wipes a table comes to rest on it, whatever the tolerance and the stiffness.
TEST(Mechanisms, ComeToRestInSpaceAtEveryTolerance) {
  const Posed posed = wiping_arm();
  for (const double k : {1e6, 1e8, 1e10}) {
    ContactLaw law;
    law.mu = 0.5;
    law.stiffness = k;
    double exact = 0;
    for (const double relative : {1e-11, 1e-9, 1e-8, 1e-6}) {
      SimulationOptions options;
      options.t_end = 0.4;
      options.samples = 1;
      options.relative = relative;
      const auto r = simulate_compliant(problem(posed, law), options, {});
      EXPECT_EQ(r.stopped, "t_end") << k << " " << relative << " " << r.stop_reason;
      ASSERT_FALSE(r.events.empty());
      EXPECT_EQ(r.events.back().kind, EventKind::stick) << k << " " << relative;
      if (exact == 0) exact = r.events.back().t;
      EXPECT_NEAR(r.events.back().t, exact, 1e-9 + relative) << k << " " << relative;
    }
  }
}

// At the edge of the cone slip begins with no acceleration, and the errors of a step may turn it round. It slips, and
// comes to rest again at one time.
TEST(Mechanisms, BeginToSlipInSpaceAtEveryTolerance) {
  const Posed posed = wiping_arm();
  ContactLaw law;
  law.mu = 1.2;
  law.stiffness = 1e5;
  for (const double relative : {1e-9, 1e-10, 1e-11, 1e-12}) {
    SimulationOptions options;
    options.t_end = 0.5;
    options.samples = 1;
    options.relative = relative;
    const auto r = simulate_compliant(problem(posed, law), options, {});
    EXPECT_EQ(r.stopped, "t_end") << relative << " " << r.stop_reason;
    ASSERT_GT(r.events.size(), 2U) << relative;
    const SimulationEvent& slip = r.events[r.events.size() - 2];
    EXPECT_EQ(slip.kind, EventKind::slip) << relative;
    // The speed grows with the square of the time: it stands out from errors of its own size after their root.
    EXPECT_NEAR(slip.t, 0.2896628, 0.1 * std::sqrt(relative)) << relative;
    EXPECT_EQ(r.events.back().kind, EventKind::stick) << relative;
    EXPECT_NEAR(r.events.back().t, 0.464288902, 1e-9 + 10 * relative) << relative;
    // Friction times the speed with which slip begins, which stands out from the errors of a step.
    EXPECT_NEAR(r.energy.defect(), 0, 2e-9 + 200 * relative) << relative;
  }
}

Posed leaning_rod_in_space(double theta) {
  Setup setup;
  setup.given.set("theta", theta);
  return build(gallery_entry("rod-3d"), setup);
}

// In space a rod that is let go with its tip at rest on the floor begins to slip with the first force on it.
TEST(Mechanisms, BeginToSlipInSpaceUnderTheirFirstLoad) {
  ContactLaw law;
  law.mu = 0.1;
  for (const double degrees : {20.0, 30.0, 50.0, 70.0}) {
    const double theta = degrees * std::numbers::pi / 180;
    const auto in_space = run(problem(leaning_rod_in_space(theta), law), 0.05);
    EXPECT_EQ(in_space.stopped, "t_end") << theta << ": " << in_space.stop_reason;
    EXPECT_EQ(in_space.outcome, "S") << theta;
    const auto in_plane = run(problem(rod(theta, 0, 0), law), 0.05);
    EXPECT_NEAR(in_space.energy.final, in_plane.energy.final, 1e-7) << theta;
  }
}

Posed falling_rod(double mu) {
  Setup setup;
  setup.parameters.set("gyration", 0.17320508075688773);
  setup.given.set("theta", 1.9851503233366634);
  setup.given.set("theta_dot", -0.7678363138082813);
  setup.given.set("y", 0.9218487628363989);
  setup.given.set("x_dot", -1.3562971664087795);
  setup.given.set("y_dot", -0.6774699118988021);
  setup.contacts["tip"].closed = false;
  setup.contacts["tip"].mu = mu;
  return build(gallery_entry("rod"), setup);
}

// A spring that is soft where it is touched is pressed in deeply by a fall: its force is that of the fall, and no
// impact without collision, though the friction would allow one.
TEST(Mechanisms, FallOnSoftSpringsIsNoImpactWithoutCollision) {
  ContactLaw law;
  law.mu = 1.7920451981244783;
  law.compliance = Compliance::hertz;
  law.stiffness = 1e6;
  law.damping = 0;
  law.tangential_stiffness = 24351.72872751588;
  law.tangential_damping = 512.088172893237;
  const auto fall = run(problem(falling_rod(law.mu), law), 0.05);
  EXPECT_EQ(fall.outcome, "F");
  for (const auto& e : fall.events) EXPECT_NE(e.kind, EventKind::iwc) << e.t;
}

double distance(const Run& a, const Run& b) { return (a.state.q - b.state.q).norm(); }

TEST(Mechanisms, MoveAlikeWithEveryFriction) {
  const Posed posed = rod(0.9, 0.5, 0);
  ContactLaw law;
  law.mu = 0.7;
  law.stiffness = 1e10;
  const auto exact = run(problem(posed, law), 0.3);
  ContactLaw elastic = law;
  elastic.tangential_stiffness = 1e10;
  elastic.tangential_damping = 1e5;
  ContactLaw preclik = law;
  preclik.compliance = Compliance::preclik;
  EXPECT_LT(distance(run(problem(posed, elastic), 0.3), exact), 1e-5);
  EXPECT_LT(distance(run(problem(posed, preclik), 0.3), exact), 1e-5);
  EXPECT_LT(distance(run(problem(posed, law), 0.3, {1e-6}), exact), 1e-5);
  EXPECT_GT(distance(run(problem(posed, law), 0.3, {1e-1}), exact), 1e-5);  // a coarse smoothing is seen
}

Posed oscillator_on_belt() {
  Setup setup;
  setup.parameters.set("belt_speed", 1);
  setup.slip[""] = {0};
  return build(gallery_entry("impact-oscillator"), setup);
}

TEST(Mechanisms, AreDrivenByTheirBelts) {
  ContactLaw law;
  law.mu = 0.5;
  const auto r = run(problem(oscillator_on_belt(), law), 0.2);
  EXPECT_GT(std::abs(r.energy.applied), 0.01);  // the belt does work
  EXPECT_NEAR(r.energy.defect(), 0, 1e-10);
}

// One contact of a body in the plane has code of its own, and so has every other number of contacts.
TEST(MechanismModel, AnswersAsTheContactSpaceDoes) {
  for (const char* name : {"rod", "two-legged-body", "block", "rod-3d"}) {
    const Posed posed = build(gallery_entry(name), {});
    const std::vector<Surface> surfaces(posed.contacts.size());
    const ContactSpace space = contact_space(*posed.mechanism, posed.state, surfaces);
    Eigen::VectorXd x(2 * posed.state.q.size());
    x << posed.state.q, posed.state.v;
    ContactResponse r;
    MechanismModel(posed.mechanism).evaluate(posed.state.t, x, r);
    const Dynamics d = posed.mechanism->dynamics(posed.state);
    EXPECT_LE((r.W - space.W).cwiseAbs().maxCoeff(), 1e-13 * space.W.cwiseAbs().maxCoeff()) << name;
    EXPECT_LE((r.b - space.b).cwiseAbs().maxCoeff(), 1e-12 * (1 + space.b.cwiseAbs().maxCoeff())) << name;
    EXPECT_EQ(r.u, d.u) << name;
    EXPECT_LE((d.M * r.free_rates.tail(d.f.size()) - d.f).cwiseAbs().maxCoeff(), 1e-12 * (1 + d.f.norm())) << name;
    EXPECT_LE((d.M * r.force_rates.bottomRows(d.f.size()) - d.J.transpose()).cwiseAbs().maxCoeff(), 1e-12) << name;
    EXPECT_TRUE(r.force_rates.topRows(d.f.size()).isZero(0)) << name;
  }
}

// ∂f/∂z in every state of a contact whose forces are linear, against differences of the rates.
TEST(CompliantSystem, IsLinearisedAsItsRatesChange) {
  const Posed posed = build(gallery_entry("rod"), {});
  const MechanismModel model(posed.mechanism);
  const NormalSpring spring{Compliance::preclik, 1e3, 20, false};
  for (const FrictionKind kind : {FrictionKind::viscous, FrictionKind::coulomb, FrictionKind::smoothed}) {
    for (const NormalPhase normal :
         {NormalPhase::open, NormalPhase::pressing, NormalPhase::relaxing, NormalPhase::pulling}) {
      for (const bool slip : {true, false}) {
        Friction friction;
        friction.kind = kind;
        friction.mu = friction.mu_static = 0.7;
        friction.damping = 30;
        friction.smoothing = 0.1;
        CompliantSystem system(model, {{spring, friction}}, true);
        system.phases[0].normal = normal;
        system.phases[0].slip = slip;
        system.phases[0].direction = -1;
        if (!system.piecewise_linear()) continue;
        const CompliantLayout& l = system.layout();
        Eigen::VectorXd y = Eigen::VectorXd::Zero(l.size());
        y.head(l.slow) << posed.state.q, posed.state.v;
        y(l.gap(0)) = -1e-3;
        y(l.u(0)) = -0.4;
        y(l.u_n(0)) = 0.2;
        const Eigen::VectorXd scale = Eigen::VectorXd::Ones(l.size());
        Eigen::VectorXd rate(l.size());
        Eigen::MatrixXd L(l.size(), l.fast()), J(l.size(), l.size());
        system.linearise(0, y, scale, rate, L);
        system.jacobian(0, y, rate, scale, J);
        Eigen::MatrixXd expected = J.middleCols(l.slow, l.fast());
        expected.middleRows(l.friction(), 2).setZero();
        EXPECT_LE((L - expected).cwiseAbs().maxCoeff(), 1e-4)
            << static_cast<int>(kind) << static_cast<int>(normal) << slip;
      }
    }
  }
}

TEST(CompliantRun, SamplesEvenlyAndAtEvents) {
  ContactLaw law;
  law.damping = 10;
  const auto r = run(problem(rod(1.2, 3, 0.05), law), 0.2, {}, 50);
  EXPECT_EQ(r.samples.size(), 51 + r.events.size());
  EXPECT_EQ(r.samples.front().t, 0);
  EXPECT_EQ(r.samples.back().t, 0.2);
  for (std::size_t i = 1; i < r.samples.size(); ++i) EXPECT_GE(r.samples[i].t, r.samples[i - 1].t);
  EXPECT_EQ(r.samples[3].mode, "F");
  EXPECT_EQ(r.samples[3].lambda.norm(), 0);
  EXPECT_NEAR(r.samples[3].energy, r.energy.initial, 1e-10);
  EXPECT_EQ(r.state.t, 0.2);
  EXPECT_EQ(r.contacts, (std::vector<std::string>{"tip"}));
  EXPECT_EQ(r.coordinates.size(), 3U);
}

TEST(CompliantRun, StopsWhenAsked) {
  ContactLaw law;
  SimulationOptions options;
  options.samples = 0;
  options.progress = [](const Progress& progress) { return progress.t < 0.05; };
  const auto r = simulate_compliant(problem(rod(1.2, 3, 0), law), options, {});
  EXPECT_EQ(r.stopped, "interrupted");
  EXPECT_LT(r.t, 0.5);
  options.progress = nullptr;
  options.most_events = 1;
  EXPECT_EQ(simulate_compliant(problem(rod(1.2, 3, 0.05), law), options, {}).stopped, "budget");
}

TEST(CompliantRun, RepeatsBitForBit) {
  ContactLaw law;
  const SimulationProblem p = problem(rod(1.2, 3, 0.05), law);
  const auto first = run(p, 0.4);
  const auto second = run(p, 0.4);
  EXPECT_EQ(first.state.q, second.state.q);
  EXPECT_EQ(first.state.v, second.state.v);
  EXPECT_EQ(first.impulse, second.impulse);
}

TEST(CompliantRun, WantsOneLawPerContact) {
  SimulationProblem p = problem(rod(1.2, 3, 0), {});
  p.laws.clear();
  EXPECT_THROW(run(p, 1), InputError);
}

}  // namespace compliant_test
}  // namespace painleve
