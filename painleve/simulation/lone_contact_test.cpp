// The only contact in the plane has formulas of its own: against tables, equations of motion and other contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "painleve/base/draws.hpp"
#include "painleve/simulation/crossroads.hpp"
#include "painleve/simulation/detail/event_runs.hpp"
#include "painleve/simulation/detail/problems.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "painleve/simulation/rigid_flow.hpp"

namespace painleve {
namespace lone_contact_test {

using detail::degree;
using detail::events;
using detail::friction;
using detail::problem_of;
using detail::until;

// Where no table is made, the way is the only one that the table has.
TEST(EventDriven, PlainWayIsThatOfTheTable) {
  Draws draws(31);
  int plain = 0;
  int others = 0;
  for (int n = 0; n < 600; ++n) {
    const bool rests = n % 2 == 0;
    const double slip = rests ? 0 : draws.uniform(-2, 2);
    const double omega = draws.uniform(-4, 4);
    const auto problem =
        detail::problem_of("rod", {{}, {{"theta", draws.uniform(0.1, 3)}, {"theta_dot", omega}}, {}, {{"", {slip}}}},
                           detail::friction(draws.uniform(0, 3), n % 3 == 0 ? 0.5 : 0));
    const Crossroads c = crossroads(problem, problem.start, {true}, {rests});
    const ModeTable table = mode_table(c.space, mode_options(problem.laws, problem.tolerance));
    std::vector<std::string> names;
    for (const ModeEntry& entry : table.modes)
      if (entry.consistent) names.push_back(entry.name);
    for (const auto& iwc : table.iwc)
      if (iwc.possible) names.push_back(iwc.name);
    if (c.table.modes.empty()) {
      ++plain;
      ASSERT_EQ(c.ways.size(), 1u);
      ASSERT_EQ(names, std::vector<std::string>{c.ways[0].name}) << n;
      ASSERT_EQ(word(c.ways[0].modes), c.ways[0].name);
    } else {
      ++others;
      ASSERT_GE(c.ways.size(), std::min<std::size_t>(names.size(), 1)) << n;
    }
  }
  EXPECT_GT(plain, 300);
  EXPECT_GT(others, 30);
}

// The rates of one contact in the plane, against the equations of motion and of the ledger.
void expect_equations(const SimulationProblem& problem, const State& state, const ContactMode& mode) {
  const Eigen::Index degrees = state.q.size();
  RigidFlow flow(problem, {mode}, false, 1);
  const Eigen::VectorXd y = flow.start(state, 0.25, 0.5, Eigen::Vector2d(1, 2));
  Eigen::VectorXd rate(y.size());
  flow.rates(state.t, y, rate);
  const Dynamics d = problem.mechanism->dynamics(state);
  const Eigen::Vector2d lambda = rate.tail(2);
  const Eigen::VectorXd v_dot = rate.segment(1 + degrees, degrees);
  const double size = 1 + lambda.norm() + d.f.norm() + v_dot.norm();
  EXPECT_EQ(rate(0), 1);
  EXPECT_EQ((rate.segment(1, degrees) - state.v).norm(), 0);
  EXPECT_EQ(flow.acceleration(), v_dot);
  EXPECT_LE((d.M * v_dot - d.f - d.J.transpose() * lambda).norm(), 1e-12 * size);
  const Eigen::Vector2d a = d.J * v_dot + d.drift;
  const Eigen::Matrix2d W = d.J * d.M.inverse() * d.J.transpose();
  const double mu = problem.laws[0].mu;
  if (mode.letter == Letter::F) {
    EXPECT_EQ(lambda.norm(), 0);
  } else {
    EXPECT_LE(std::abs(a(1)), 1e-12 * size);
  }
  if (mode.letter == Letter::T) {
    EXPECT_LE(std::abs(a(0)), 1e-12 * size);
    EXPECT_NEAR(flow.regularity(), W.determinant() / (W(0, 0) * W(1, 1)), 1e-12);
  }
  if (mode.letter == Letter::S) {
    EXPECT_NEAR(lambda(0), -mu * mode.direction(0) * lambda(1), 1e-14 * size);
    EXPECT_NEAR(flow.regularity(), 1 - mu * mode.direction(0) * W(1, 0) / W(1, 1), 1e-12);
  }
  if (mode.letter != Letter::F) {
    EXPECT_EQ(flow.jam_ratio().second, 0);
    EXPECT_NEAR(flow.jam_ratio().first, mu * std::abs(W(0, 1)) / W(1, 1), 1e-12);
  }
  EXPECT_NEAR(flow.energy(), state.v.dot(d.M * state.v) / 2 + d.potential, 1e-12 * (1 + std::abs(d.potential)));
  EXPECT_NEAR(rate(1 + 2 * degrees), -lambda.dot(d.u), 1e-12 * size);
  EXPECT_NEAR(rate(2 + 2 * degrees), d.applied.dot(state.v) + d.drive + lambda.dot(d.J * state.v) - lambda.dot(d.u),
              1e-12 * size);
}

// With a mass matrix that is diagonal, and with one that is not and changes along the motion; with applied forces, and
// on a surface that moves.
TEST(EventDriven, OneContactObeysTheEquationsOfMotion) {
  Draws draws(7);
  for (const char* name : {"rod", "pendulum-on-slider", "chalk", "two-link", "impact-oscillator"}) {
    const SimulationProblem problem = problem_of(name, {}, friction(0.2));
    ASSERT_EQ(problem.laws.size(), 1U) << name;
    for (int n = 0; n < 50; ++n) {
      State state = problem.start;
      for (Eigen::Index i = 0; i < state.q.size(); ++i) {
        state.q(i) = draws.uniform(-1, 1);
        state.v(i) = draws.uniform(-2, 2);
      }
      for (const Letter letter : {Letter::F, Letter::T, Letter::S})
        for (const double e : {1.0, -1.0})
          expect_equations(problem, state, {letter, Eigen::VectorXd::Constant(1, e), 1});
    }
  }
}

// A mechanism that does not offer its planar motion.
class Reticent final : public Mechanism {
 public:
  explicit Reticent(std::shared_ptr<const Mechanism> inner) : inner_(std::move(inner)) {}
  int dimension() const override { return inner_->dimension(); }
  const std::vector<std::string>& coordinates() const override { return inner_->coordinates(); }
  const std::vector<std::string>& contacts() const override { return inner_->contacts(); }
  using Mechanism::dynamics;
  void dynamics(const State& state, Dynamics& d) const override { inner_->dynamics(state, d); }
  Dynamics derivative(const State& state, const State& direction) const override {
    return inner_->derivative(state, direction);
  }

 private:
  std::shared_ptr<const Mechanism> inner_;
};

// The only contact in the plane has formulas of its own: they are those of any number of contacts.
TEST(EventDriven, LoneContactMovesAsAmongOthers) {
  const SimulationProblem falling = problem_of("rod", {{}, {{"theta", 80 * degree}}, {}, {{"", {0}}}}, friction(0.3));
  const SimulationProblem sliding = problem_of("pendulum-on-slider", {{}, {}, {}, {{"", {0.3}}}}, friction(0.2));
  const SimulationProblem flying = problem_of("two-link", {{}, {}, {}, {}}, friction(0.4));
  for (const SimulationProblem& problem : {falling, sliding, flying}) {
    SimulationProblem reticent = problem;
    reticent.mechanism = std::make_shared<Reticent>(problem.mechanism);
    const auto lone = simulate_events(problem, until(1));
    const auto any = simulate_events(reticent, until(1));
    EXPECT_EQ(lone.stopped, any.stopped);
    ASSERT_EQ(lone.events.size(), any.events.size());
    for (std::size_t i = 0; i < lone.events.size(); ++i) {
      EXPECT_EQ(lone.events[i].mode, any.events[i].mode);
      EXPECT_NEAR(lone.events[i].t, any.events[i].t, 1e-10);
    }
    ASSERT_EQ(lone.samples.size(), any.samples.size());
    for (std::size_t i = 0; i < lone.samples.size(); ++i) {
      EXPECT_NEAR((lone.samples[i].q - any.samples[i].q).norm(), 0, 1e-9);
      EXPECT_NEAR((lone.samples[i].lambda - any.samples[i].lambda).norm(), 0, 1e-8);
      EXPECT_NEAR((lone.samples[i].u - any.samples[i].u).norm(), 0, 1e-9);
      EXPECT_NEAR(lone.samples[i].gap(0), any.samples[i].gap(0), 1e-12);
      EXPECT_NEAR(lone.samples[i].energy, any.samples[i].energy, 1e-9);
    }
    ASSERT_EQ(lone.nearest_jam.has_value(), any.nearest_jam.has_value());
    if (lone.nearest_jam) {
      EXPECT_NEAR(lone.nearest_jam->ratio, any.nearest_jam->ratio, 1e-9);
    }
  }
}

}  // namespace lone_contact_test
}  // namespace painleve
