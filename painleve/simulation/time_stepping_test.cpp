#include "painleve/simulation/time_stepping.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/mechanism/gallery.hpp"

namespace painleve {
namespace time_stepping_test {

using Eigen::VectorXd;

const double root3 = std::sqrt(3.0);
constexpr double degree = std::numbers::pi / 180;

struct Values {
  std::map<std::string, double> parameters, state, forces;
  std::map<std::string, double> slip = {};
  bool closed = true;
};

SimulationProblem problem_of(const std::string& mechanism, const Values& values, const ContactLaw& law) {
  const GalleryEntry& entry = gallery_entry(mechanism);
  Setup setup;
  for (const auto& [key, value] : values.parameters) setup.parameters.set(key, value);
  for (const auto& [key, value] : values.state) setup.given.set(key, value);
  for (const auto& [key, value] : values.slip) setup.slip[key] = {value};
  for (const auto& [key, value] : values.forces) setup.forces[key] = {Expression::constant(value)};
  for (const auto& contact : entry.contacts(setup)) {
    setup.contacts[contact.name].mu = law.mu;
    if (!values.closed) setup.contacts[contact.name].closed = false;
  }
  const Posed posed = build(entry, setup);
  SimulationProblem p;
  p.mechanism = posed.mechanism;
  p.start = posed.state;
  for (const auto& contact : posed.contacts) {
    p.laws.push_back(law);
    p.bilateral.push_back(contact.bilateral);
  }
  return p;
}

ContactLaw friction(double mu, double restitution = 0) {
  ContactLaw law;
  law.mu = mu;
  law.restitution = restitution;
  return law;
}

// Preclik & Rüde's rod; case M has the torque.
SimulationProblem preclik(double torque) {
  return problem_of("rod", {{{"gravity", 1}}, {{"theta", 120 * degree}}, {{"torque", torque}}, {{"", -1}}},
                    friction(1.5));
}

Run steps(const SimulationProblem& p, double t_end, const TimeSteppingOptions& stepping, Policy policy,
          std::uint64_t seed = 0) {
  SimulationOptions o;
  o.t_end = t_end;
  o.policy = policy;
  o.seed = seed;
  return simulate_steps(p, o, stepping);
}
Run steps(const SimulationProblem& p, double t_end, const TimeSteppingOptions& stepping) {
  return steps(p, t_end, stepping, Policy::principle);
}

TimeSteppingOptions with_dt(double dt, double theta = 0.5) {
  TimeSteppingOptions o;
  o.dt = dt;
  o.theta = theta;
  return o;
}

double slope(const std::vector<double>& errors) {  // per halving, over all of them
  return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
}

// The classical Runge-Kutta method on v̇ = acceleration(state): the other route to every smooth motion.
State runge_kutta(const State& start, double t_end, int n, const std::function<VectorXd(const State&)>& acceleration) {
  State s = start;
  const double h = (t_end - start.t) / n;
  for (int k = 0; k < n; ++k) {
    const auto at = [&](double part, const VectorXd& dq, const VectorXd& dv) {
      return State{s.q + part * h * dq, s.v + part * h * dv, s.t + part * h};
    };
    const VectorXd q1 = s.v, v1 = acceleration(s);
    const State s2 = at(0.5, q1, v1);
    const VectorXd q2 = s2.v, v2 = acceleration(s2);
    const State s3 = at(0.5, q2, v2);
    const VectorXd q3 = s3.v, v3 = acceleration(s3);
    const State s4 = at(1, q3, v3);
    s.q += h / 6 * (q1 + 2 * q2 + 2 * q3 + s4.v);
    s.v += h / 6 * (v1 + 2 * v2 + 2 * v3 + acceleration(s4));
    s.t += h;
  }
  return s;
}

// One slider between two walls that leave it less room than it needs.
class TightChannel final : public Mechanism {
 public:
  int dimension() const override { return 2; }
  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  const std::vector<std::string>& contacts() const override { return contacts_; }
  using Mechanism::dynamics;
  void dynamics(const State& s, Dynamics& d) const override {
    d.M = Eigen::MatrixXd::Identity(1, 1);
    d.f = d.applied = VectorXd::Zero(1);
    d.J = Eigen::MatrixXd::Zero(4, 1);
    d.J(1, 0) = 1;
    d.J(3, 0) = -1;
    d.drift = VectorXd::Zero(4);
    d.u = d.J * s.v;
    d.gap = Eigen::Vector2d(s.q(0) - 0.01, -s.q(0) - 0.01);
  }
  Dynamics derivative(const State&, const State&) const override {
    Dynamics d;
    d.M = d.J = Eigen::MatrixXd::Zero(1, 1);
    d.f = d.applied = d.drift = d.u = d.gap = VectorXd::Zero(1);
    return d;
  }

 private:
  std::vector<std::string> coordinates_{"x"}, contacts_{"left", "right"};
};

// A body that only translates, on three legs in space.
class Sled final : public Mechanism {
 public:
  int dimension() const override { return 3; }
  const std::vector<std::string>& coordinates() const override { return coordinates_; }
  const std::vector<std::string>& contacts() const override { return contacts_; }
  using Mechanism::dynamics;
  void dynamics(const State& s, Dynamics& d) const override {
    d.M = 2 * Eigen::MatrixXd::Identity(3, 3);
    d.f = Eigen::Vector3d(0, 0, -2 * 9.81);
    d.applied = VectorXd::Zero(3);
    d.J = Eigen::MatrixXd::Zero(9, 3);
    for (int i = 0; i < 3; ++i) d.J.middleRows(3 * i, 3).setIdentity();
    d.drift = VectorXd::Zero(9);
    d.u = d.J * s.v;
    d.gap = VectorXd::Constant(3, s.q(2));
    d.potential = 2 * 9.81 * s.q(2);
  }
  Dynamics derivative(const State&, const State&) const override {
    Dynamics d;
    d.f = d.applied = VectorXd::Zero(3);
    return d;
  }

 private:
  std::vector<std::string> coordinates_{"x", "y", "z"}, contacts_{"a", "b", "c"};
};

// Closed forms of the first step of case N: Λ = (3√3/16, 7/16) + dt (13/16, 3√3/16), (n, t).
TEST(TimeStepping, PreclikWithoutSolutionSticksAtOnce) {
  for (const StepScheme scheme : {StepScheme::moreau_jean, StepScheme::stewart_trinkle}) {
    for (const double dt : {0.1, 0.01, 0.001}) {
      TimeSteppingOptions o = with_dt(dt);
      o.scheme = scheme;
      const auto run = steps(preclik(0), dt, o);
      ASSERT_EQ(run.steps, 1);
      EXPECT_NEAR(run.impulse(1), 3 * root3 / 16 + dt * 13 / 16, 1e-14);
      EXPECT_NEAR(run.impulse(0), 7.0 / 16 + dt * 3 * root3 / 16, 1e-14);
      EXPECT_EQ(run.outcome, "T");
      ASSERT_EQ(run.events.size(), 1U);
      EXPECT_EQ(run.events[0].kind, EventKind::iwc);
      EXPECT_NEAR(run.events[0].u_before(0), -1, 1e-14);
      EXPECT_NEAR(run.events[0].u_after.norm(), 0, 1e-14);
      EXPECT_EQ((run.events[0].Lambda - run.impulse).norm(), 0);
    }
  }
  const auto printed = steps(preclik(0), 0.01, with_dt(0.01));
  EXPECT_NEAR(printed.impulse(1), 0.3329, 5e-5);
  EXPECT_NEAR(printed.impulse(0), 0.4407, 5e-5);
}

TEST(TimeStepping, PreclikWithThreeSolutionsByPolicy) {
  const SimulationProblem p = preclik(5.0 / 3);
  const auto first = [&](Policy policy, std::uint64_t seed) {
    return steps(p, 0.01, with_dt(0.01), policy, seed).impulse.eval();
  };
  EXPECT_EQ(first(Policy::principle, 0).norm(), 0);
  EXPECT_EQ(first(Policy::stiff_limit, 0).norm(), 0);
  std::map<int, int> drawn;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const VectorXd Lambda = first(Policy::seeded, seed);
    const double n = Lambda(1), t = Lambda(0);
    int k = -1;
    if (n == 0 && t == 0) k = 0;
    if (std::abs(n - 0.0755) < 5e-5 && std::abs(t - 0.1133) < 5e-5) k = 1;
    if (std::abs(n - (3 * root3 / 16 + 0.01 * 3 / 16)) < 1e-14 && std::abs(t - 0.4516) < 5e-5) k = 2;
    ASSERT_GE(k, 0) << "seed " << seed << ": " << n << " " << t;
    ++drawn[k];
    EXPECT_EQ(first(Policy::seeded, seed), Lambda) << "the same seed draws the same";
  }
  for (int k = 0; k < 3; ++k) EXPECT_GT(drawn[k], 8) << k;
}

TEST(TimeStepping, AllPoliciesFollowEverySolution) {
  const auto run = steps(preclik(5.0 / 3), 0.2, with_dt(0.01), Policy::all);
  EXPECT_EQ(run.stopped, "branched");
  EXPECT_EQ(run.t, 0);
  EXPECT_EQ(run.steps, 0);
  ASSERT_EQ(run.futures.size(), 3U);
  const std::string words[] = {"F", "S-", "T"};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& future = run.futures[k];
    EXPECT_EQ(future.stopped, "t_end");
    EXPECT_EQ(future.t, 0.2);
    EXPECT_EQ(future.steps, 20);
    ASSERT_GE(future.samples.size(), 2U);
    EXPECT_EQ(future.samples[1].mode, words[k]);
    EXPECT_EQ(future.samples[1].solutions, 3);
    EXPECT_EQ(future.samples[1].taken, static_cast<int>(k));
    EXPECT_NE(future.why.find("(" + words[k] + " of F, S-, T)"), std::string::npos) << future.why;
    EXPECT_NEAR(future.energy.initial, run.energy.final, 1e-15);
    EXPECT_TRUE(future.futures.empty()) << "sliding goes on in its indeterminacy";
  }
  // Sliding at p < 0 and sticking end together, at dt = 0.0440830 where the force of stick is on the edge of the cone.
  EXPECT_EQ(run.futures[1].events[0].kind, EventKind::jam);
  EXPECT_EQ(steps(preclik(5.0 / 3), 0.0440831, with_dt(0.0440831), Policy::all).stopped, "t_end");
  EXPECT_EQ(steps(preclik(5.0 / 3), 0.0440829, with_dt(0.0440829), Policy::all).futures.size(), 3U);
}

TEST(TimeStepping, FuturesAreBoundedAndJoined) {
  SimulationOptions o;
  o.t_end = 0.2;
  o.policy = Policy::all;
  o.most_futures = 2;
  const auto few = simulate_steps(preclik(5.0 / 3), o, with_dt(0.01));
  EXPECT_EQ(few.stopped, "t_end");
  EXPECT_TRUE(few.futures.empty());
  EXPECT_EQ(few.impulse.norm(), 0) << "the principle, instead of a future that has no room";
  EXPECT_NE(few.outcome_reason.find("2 futures"), std::string::npos) << few.outcome_reason;

  SimulationProblem same = preclik(5.0 / 3);
  same.tolerance = {100, 100};  // every state counts as the same
  o.most_futures = 64;
  const auto joined = simulate_steps(same, o, with_dt(0.01));
  ASSERT_EQ(joined.futures.size(), 3U);
  int merged = 0;
  for (const auto& future : joined.futures) {
    merged += future.stopped == "merged" ? 1 : 0;
    if (future.stopped == "merged") {
      EXPECT_EQ(future.steps, 1);
    }
  }
  EXPECT_EQ(merged, 2);
}

// A flying oscillator with springs, dampers and Coriolis terms.
TEST(TimeStepping, OrderOfTheThetaMethodBetweenContacts) {
  const Values flying{
      {{"stiffness_y", 50}, {"rest_y", 3}, {"damping_y", 0.7}, {"stiffness_beta", 20}, {"damping_beta", 0.3}},
      {{"y", 3}, {"beta", 0.9}, {"y_dot", 0.5}, {"beta_dot", 2}},
      {},
      {},
      false};
  const SimulationProblem p = problem_of("impact-oscillator", flying, friction(0.5));
  const State exact = runge_kutta(p.start, 0.5, 4000, [&](const State& s) -> VectorXd {
    const Dynamics d = p.mechanism->dynamics(s);
    return d.M.ldlt().solve(d.f);
  });
  for (const double theta : {0.5, 1.0}) {
    std::vector<double> errors;
    for (const double dt : {1.0 / 256, 1.0 / 512, 1.0 / 1024, 1.0 / 2048}) {
      const auto run = steps(p, 0.5, with_dt(dt, theta));
      EXPECT_TRUE(run.events.empty());
      errors.push_back((run.state.q - exact.q).norm() + (run.state.v - exact.v).norm());
    }
    EXPECT_NEAR(slope(errors), theta == 0.5 ? 2 : 1, 0.05);
  }
}

// A spring far stiffer than the step resolves: θ = 1/2 keeps the energy of a linear oscillator, θ = 1 damps it.
TEST(TimeStepping, StiffSpringsNeedNoSmallSteps) {
  const Values stiff{
      {{"stiffness_y", 1e8}, {"gravity", 0}}, {{"y", 3}, {"beta", 0}, {"beta_dot", 0}, {"y_dot", 0}}, {}, {}, false};
  SimulationProblem p = problem_of("impact-oscillator", stiff, friction(0.5));
  p.start.q(0) = 3;
  const auto kept = steps(p, 1, with_dt(0.01));
  EXPECT_NEAR(kept.energy.final / kept.energy.initial, 1, 1e-9);
  const auto damped = steps(p, 1, with_dt(0.01, 1));
  EXPECT_LT(damped.energy.final, 1e-6 * damped.energy.initial);
}

// An upright rod bounces like a ball: heights fall by r², times and heights are known. Errors of single bounces depend
// on where in a step they fall, so that they are averaged over starting heights.
TEST(TimeStepping, BouncingConvergesToTheClosedForm) {
  constexpr double g = 9.81, r = 0.8, t_end = 1.5;
  const auto height = [&](double drop) {  // of the tip at t_end
    double t = std::sqrt(2 * drop / g), speed = g * t;
    while (true) {
      speed *= r;
      const double flight = 2 * speed / g;
      if (t + flight > t_end) return speed * (t_end - t) - g * (t_end - t) * (t_end - t) / 2;
      t += flight;
    }
  };
  std::vector<double> errors;
  for (const double dt : {8e-3, 4e-3, 2e-3, 1e-3, 5e-4}) {
    Draws draws(7);
    double sum = 0;
    for (int k = 0; k < 64; ++k) {
      const double drop = draws.uniform(0.5, 0.7);
      const SimulationProblem p =
          problem_of("rod", {{}, {{"theta", 90 * degree}, {"y", 1 + drop}, {"x_dot", 0}, {"y_dot", 0}}, {}, {}, false},
                     friction(0.5, r));
      const auto run = steps(p, t_end, with_dt(dt));
      sum += std::abs(run.state.q(1) - 1 - height(drop));
      EXPECT_GE(run.events.size(), 2U);
      for (const auto& event : run.events) EXPECT_EQ(event.kind, EventKind::impact);
      EXPECT_NE(run.outcome_reason.find("Newton"), std::string::npos);
    }
    errors.push_back(sum / 64);
  }
  EXPECT_NEAR(slope(errors), 1, 0.15);
}

TEST(TimeStepping, BouncesEndAtRest) {
  const SimulationProblem p = problem_of(
      "rod", {{}, {{"theta", 90 * degree}, {"y", 1.2}, {"x_dot", 0}, {"y_dot", 0}}, {}, {}, false}, friction(0.5, 0.5));
  const auto run = steps(p, 2, with_dt(1e-3));
  EXPECT_EQ(run.outcome, "T");
  EXPECT_LT(std::abs(run.state.v(1)), 1e-12);
  EXPECT_LT(std::abs(run.samples.back().gap(0)), 1e-3);
  EXPECT_NEAR(run.energy.impact, 9.81 * 0.2, 1e-2);
  EXPECT_NEAR(run.energy.defect(), 0, 1e-10);
}

// Slides, sticks, and goes on pivoting: against the motion of the rod with the forces of the modes S+ and T.
TEST(TimeStepping, SlidingToStickConverges) {
  const double mu = 0.6;
  const SimulationProblem p = problem_of("rod", {{}, {{"theta", 65 * degree}}, {}, {{"", 0.3}}}, friction(mu));
  const auto acceleration = [&](const State& s, bool slides) -> VectorXd {
    const Dynamics d = p.mechanism->dynamics(s);
    const Eigen::MatrixXd X = d.M.ldlt().solve(d.J.transpose());
    const VectorXd a = d.M.ldlt().solve(d.f), b = d.J * a + d.drift;
    const Eigen::Matrix2d W = d.J * X;
    Eigen::Vector2d lambda = -W.inverse() * b;
    if (slides) lambda = Eigen::Vector2d(-mu, 1) * (-b(1) / (W(1, 1) - mu * W(1, 0)));
    return a + X * lambda;
  };
  const auto sliding = [&](const State& s) { return acceleration(s, true); };
  double early = 0, late = 0.2;  // of the stop, by bisection
  for (int k = 0; k < 40; ++k) {
    const double middle = (early + late) / 2;
    const State s = runge_kutta(p.start, middle, 200, sliding);
    (p.mechanism->dynamics(s).u(0) > 0 ? early : late) = middle;
  }
  ASSERT_LT(late, 0.15);
  const State stopped = runge_kutta(p.start, late, 400, sliding);
  const State exact = runge_kutta(stopped, 0.2, 400, [&](const State& s) { return acceleration(s, false); });
  for (const double theta : {0.5, 1.0}) {
    std::vector<double> errors;
    for (int k = 0; k < 6; ++k) {
      const double dt = 1e-3 / (1 << k);
      const auto run = steps(p, 0.2, with_dt(dt, theta));
      ASSERT_EQ(run.events.size(), 1U) << dt;
      EXPECT_EQ(run.events[0].kind, EventKind::stick);
      EXPECT_NEAR(run.events[0].t, late, 2 * dt);
      errors.push_back((run.state.q - exact.q).norm() + (run.state.v - exact.v).norm());
      EXPECT_LT(std::abs(run.samples.back().gap(0)), dt * dt) << "the gap keeps the second order";
    }
    EXPECT_NEAR(slope(errors), 1, 0.2);
    EXPECT_LT(errors.back(), 2e-4);
  }
}

TEST(TimeStepping, SchemesAgreeInTheLimit) {
  const SimulationProblem p = problem_of("block", {{}, {{"theta", 60 * degree}}, {}, {{"", 1}}}, friction(0.5));
  std::vector<double> apart;
  for (int k = 0; k < 4; ++k) {
    TimeSteppingOptions o = with_dt(1e-3 / (1 << (2 * k)));
    const auto moreau = steps(p, 0.4, o);
    o.scheme = StepScheme::stewart_trinkle;
    const auto stewart = steps(p, 0.4, o);
    apart.push_back((moreau.state.q - stewart.state.q).norm());
  }
  EXPECT_NEAR(slope(apart), 2, 0.3);  // steps are quartered: first order
}

TEST(TimeStepping, StewartTrinkleClosesTheGapExactly) {
  SimulationProblem p = problem_of(
      "rod", {{}, {{"theta", 90 * degree}, {"y", 1.0101}, {"x_dot", 0}, {"y_dot", -1}}, {}, {}, false}, friction(0.5));
  TimeSteppingOptions o = with_dt(0.002);
  o.scheme = StepScheme::stewart_trinkle;
  const auto run = steps(p, 0.03, o);
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events[0].kind, EventKind::impact);
  EXPECT_NEAR(run.samples.back().gap(0), 0, 1e-12);
  EXPECT_NEAR(run.state.v.norm(), 0, 1e-12);
}

TEST(TimeStepping, PositionCorrectionRemovesPenetration) {
  SimulationProblem p = problem_of("rod", {{}, {{"theta", 90 * degree}, {"x_dot", 0}}, {}, {}}, friction(0.5));
  p.start.q(1) -= 1e-3;
  for (const double part : {0.0, 0.2}) {
    TimeSteppingOptions o = with_dt(1e-3);
    o.position_correction = part;
    const auto run = steps(p, 0.01, o);
    // u_n⁺ ≥ part |gap|/dt after each step; faster than that it flies, and the rod pops out.
    double gap = -1e-3, before = 0;
    for (int k = 0; k < 10; ++k) {
      const double after = std::max(part * std::max(0.0, -gap) / 1e-3, before - 9.81e-3);
      gap += 1e-3 * (before + after) / 2;
      before = after;
    }
    EXPECT_NEAR(run.samples.back().gap(0), gap, 1e-12);
  }
}

TEST(TimeStepping, EnergyLedger) {
  // Free flight in gravity: the trapezoidal rule is exact.
  const SimulationProblem flight =
      problem_of("rod", {{}, {{"theta", 1}, {"y", 50}, {"x_dot", 2}, {"y_dot", 1}, {"theta_dot", 3}}, {}, {}, false},
                 friction(0.5));
  EXPECT_NEAR(steps(flight, 1, with_dt(0.01)).energy.defect(), 0, 1e-10);
  // And with a force and a torque, which put in F Δx + τ Δθ.
  const SimulationProblem driven = problem_of(
      "rod",
      {{}, {{"theta", 1}, {"y", 50}, {"x_dot", 2}, {"theta_dot", 3}}, {{"force_x", 0.7}, {"torque", -0.2}}, {}, false},
      friction(0.5));
  const auto pushed = steps(driven, 1, with_dt(0.01));
  const VectorXd way = pushed.state.q - driven.start.q;
  EXPECT_GT(way(0), 2);
  EXPECT_NEAR(pushed.energy.applied, 0.7 * way(0) - 0.2 * way(2), 1e-10);
  EXPECT_NEAR(pushed.energy.defect(), 0, 1e-10);
  // A brake pad slides steadily over its disc: the disc puts in what friction takes, μ N v.
  const SimulationProblem pad =
      problem_of("brake-pad", {{{"preload", 100}, {"belt_speed", 2}}, {}, {}, {}}, friction(0.4));
  const auto steady = steps(pad, 0.5, with_dt(1e-3));
  const double normal = steady.impulse(1) + steady.impulse(3);
  EXPECT_NEAR(steady.energy.friction, 0.4 * normal * 2, 1e-9 * normal);
  EXPECT_NEAR(steady.energy.applied, steady.energy.friction, 1e-9 * normal);
  // Elsewhere the defect is of first order.
  const SimulationProblem fall = problem_of("rod", {{}, {{"theta", 80 * degree}}, {}, {{"", 0.5}}}, friction(0.3));
  std::vector<double> defects;
  for (const double dt : {4e-3, 2e-3, 1e-3, 5e-4}) {
    const auto run = steps(fall, 0.5, with_dt(dt));
    EXPECT_GT(run.energy.friction, 0.01);
    defects.push_back(std::abs(run.energy.defect()));
  }
  EXPECT_NEAR(slope(defects), 1, 0.2);
}

TEST(TimeStepping, TwoRunsAreTheSameToTheLastBit) {
  const SimulationProblem p = problem_of("block", {{}, {{"theta", 60 * degree}}, {}, {{"", 1}}}, friction(0.5));
  const auto a = steps(p, 1, with_dt(1e-3)), b = steps(p, 1, with_dt(1e-3));
  ASSERT_EQ(a.samples.size(), b.samples.size());
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    EXPECT_EQ(a.samples[k].q, b.samples[k].q);
    EXPECT_EQ(a.samples[k].lambda, b.samples[k].lambda);
  }
}

TEST(TimeStepping, SamplesAreEvenAndAtEvents) {
  const SimulationProblem p = preclik(0);
  SimulationOptions o;
  o.t_end = 0.1;
  o.samples = 10;
  const auto even = simulate_steps(p, o, with_dt(1e-3));
  ASSERT_EQ(even.samples.size(), 12U);  // the start, ten, and the event in the first step
  EXPECT_NEAR(even.samples[1].t, 0.001, 1e-15);
  for (int k = 1; k <= 10; ++k) EXPECT_NEAR(even.samples[static_cast<std::size_t>(k + 1)].t, 0.01 * k, 1e-12);
  o.samples = 0;
  EXPECT_EQ(simulate_steps(p, o, with_dt(1e-3)).samples.size(), 3U) << "start, event, end";
  o.t_end = 0.0105;
  const auto odd = simulate_steps(p, o, with_dt(1e-3));
  EXPECT_EQ(odd.t, 0.0105);
  EXPECT_EQ(odd.steps, 11) << "the last step is shorter";
}

TEST(TimeStepping, ManyContactsShareTheLoad) {
  SimulationProblem sled;
  sled.mechanism = std::make_shared<Sled>();
  sled.start = {Eigen::Vector3d::Zero(), Eigen::Vector3d(0.3, 0.4, 0), 0};
  sled.laws.assign(3, friction(0.25));
  sled.bilateral.assign(3, false);
  const auto slide = steps(sled, 0.1, with_dt(1e-3));
  EXPECT_NE(slide.outcome.find('S'), std::string::npos) << "who carries the load is not determined";
  const double speed = 0.5 - 0.25 * 9.81 * 0.1;
  EXPECT_NEAR(slide.state.v(0), 0.6 * speed, 1e-9);
  EXPECT_NEAR(slide.state.v(1), 0.8 * speed, 1e-9);
  EXPECT_NEAR(slide.impulse(2) + slide.impulse(5) + slide.impulse(8), 2 * 9.81 * 0.1, 1e-9);
  const auto rest = steps(sled, 0.5, with_dt(1e-3));
  EXPECT_NE(rest.outcome.find('T'), std::string::npos);
  EXPECT_LT(rest.state.v.norm(), 1e-12);
  EXPECT_NEAR(rest.state.q.head(2).norm(), 0.25 / (2 * 0.25 * 9.81), 1e-3);
}

TEST(TimeStepping, AStepWithoutSolutionEndsTheRun) {
  SimulationProblem tight;
  tight.mechanism = std::make_shared<TightChannel>();
  tight.start = {VectorXd::Zero(1), VectorXd::Zero(1), 0};
  tight.laws.assign(2, friction(0));
  tight.bilateral.assign(2, false);
  TimeSteppingOptions o = with_dt(1e-2);
  o.scheme = StepScheme::stewart_trinkle;
  const auto run = steps(tight, 1, o);
  EXPECT_EQ(run.stopped, "inconsistent");
  EXPECT_NE(run.stop_reason.find("no solution"), std::string::npos) << run.stop_reason;
  EXPECT_EQ(run.t, 0);
  EXPECT_EQ(run.steps, 0);
}

// A force that leaves double precision ends the run at the last sound state, without a claim about solutions.
TEST(TimeStepping, NumbersThatOverflowEndTheRun) {
  const GalleryEntry& entry = gallery_entry("rod");
  painleve::Setup setup;
  setup.forces["torque"] = {Expression::parse("exp(2e4*t)")};
  setup.contacts["tip"];
  const Posed posed = build(entry, setup);
  const SimulationProblem p{posed.mechanism, posed.state, {friction(0.5)}, {false}, {}};
  const auto run = steps(p, 1, with_dt(1e-3));
  EXPECT_EQ(run.stopped, "collapsed");
  EXPECT_FALSE(run.stop_reason.empty());
  EXPECT_GT(run.t, 0.03);
  EXPECT_LT(run.t, 0.04);
  EXPECT_TRUE(run.state.q.allFinite() && run.state.v.allFinite());
}

TEST(TimeStepping, EndsWhenAskedTo) {
  SimulationOptions o;
  o.t_end = 1;
  double seen = 0;
  o.progress = [&](const Progress& p) {
    seen = p.t;
    EXPECT_EQ(p.t_end, 1);
    return p.t < 0.2;
  };
  const auto run = simulate_steps(preclik(0), o, with_dt(1e-3));
  EXPECT_EQ(run.stopped, "interrupted");
  EXPECT_EQ(run.t, seen);
  EXPECT_LT(run.t, 0.3);
  EXPECT_EQ(run.samples.back().t, run.t);
  o.progress = nullptr;
  o.most_events = 1;
  EXPECT_EQ(simulate_steps(preclik(0), o, with_dt(1e-3)).stopped, "budget");
}

TEST(TimeStepping, RefusesWhatItDoesNotHave) {
  SimulationProblem p = preclik(0);
  for (const double dt : {0.0, -1.0, std::nan(""), 1e7}) EXPECT_THROW(steps(p, 1, with_dt(dt)), InputError) << dt;
  for (const double theta : {0.4, 1.1, std::nan("")}) EXPECT_THROW(steps(p, 1, with_dt(1e-3, theta)), InputError);
  for (const double t_end : {0.0, -1.0, std::nan(""), 1e13}) EXPECT_THROW(steps(p, t_end, with_dt(1e-3)), InputError);
  TimeSteppingOptions o = with_dt(1e-3);
  o.position_correction = 1.5;
  EXPECT_THROW(steps(p, 1, o), InputError);
  p.laws[0].restitution = 0.5;
  o = with_dt(1e-2);
  EXPECT_NO_THROW(steps(p, 0.1, o));
  o.scheme = StepScheme::stewart_trinkle;
  EXPECT_THROW(steps(p, 0.1, o), InputError);
  p.laws[0].law = RestitutionLaw::poisson;
  EXPECT_THROW(steps(p, 0.1, with_dt(1e-2)), InputError);
  p.laws[0].restitution = 0;
  EXPECT_NO_THROW(steps(p, 0.1, with_dt(1e-2)));
  p.laws[0].mu_static = 2;
  EXPECT_NE(steps(p, 0.1, with_dt(1e-2)).outcome_reason.find("mu_static"), std::string::npos);
  p.bilateral.clear();
  EXPECT_THROW(steps(p, 0.1, with_dt(1e-2)), InputError);
}

// Guides could hold impulses of any size against each other. Where nothing loads them they hold none, so that no
// rounding of them moves the body.
TEST(TimeStepping, WithoutLoadsABodyStaysAtRest) {
  for (const double phi : {1.2, 1.3, 1.4, 1.5, 1.6, 2.0}) {
    for (const double mu : {0.5, 1.0}) {
      for (const StepScheme scheme : {StepScheme::moreau_jean, StepScheme::stewart_trinkle}) {
        const SimulationProblem p = problem_of("painleve-klein", {{}, {{"phi", phi}}, {}}, friction(mu));
        TimeSteppingOptions o = with_dt(1e-3);
        o.scheme = scheme;
        const auto run = steps(p, 0.1, o);
        EXPECT_EQ(run.stopped, "t_end") << phi << " " << mu << ": " << run.stop_reason;
        EXPECT_EQ(run.outcome, "TT") << phi << " " << mu;
        EXPECT_EQ(run.state.q, p.start.q);
        EXPECT_TRUE(run.state.v.isZero(0) && run.impulse.isZero(0)) << phi << " " << mu;
      }
    }
  }
}

}  // namespace time_stepping_test
}  // namespace painleve
