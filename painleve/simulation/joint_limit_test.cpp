// A run ends where a joint comes to its limit, by every method.
#include <gtest/gtest.h>

#include <cmath>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/event_driven.hpp"
#include "painleve/simulation/time_stepping.hpp"

namespace painleve {
namespace joint_limit_test {

// A mechanism of the gallery one of whose coordinates must not fall below a bound.
class Fenced final : public Mechanism {
 public:
  Fenced(std::shared_ptr<const Mechanism> inner, Eigen::Index which, double lower)
      : inner_(std::move(inner)), which_(which), lower_(lower) {}
  int dimension() const override { return inner_->dimension(); }
  const std::vector<std::string>& coordinates() const override { return inner_->coordinates(); }
  const std::vector<std::string>& contacts() const override { return inner_->contacts(); }
  using Mechanism::dynamics;
  void dynamics(const State& state, Dynamics& d) const override { inner_->dynamics(state, d); }
  Dynamics derivative(const State& state, const State& direction) const override {
    return inner_->derivative(state, direction);
  }
  bool planar_motion(const double* q, const double* v, double t, PlanarMotion& motion) const override {
    return inner_->planar_motion(q, v, t, motion);
  }
  double room(const State& state) const override { return state.q(which_) - lower_; }
  std::string limit(const State&) const override { return "joint " + coordinates()[static_cast<std::size_t>(which_)]; }

 private:
  std::shared_ptr<const Mechanism> inner_;
  Eigen::Index which_;
  double lower_;
};

// A rod that slides and falls over: theta decreases.
SimulationProblem falling_rod(double least_theta) {
  Setup setup;
  setup.given.set("theta", 1.0);
  setup.slip[""] = {0.5};
  const Posed posed = build(gallery_entry("rod"), setup);
  SimulationProblem problem;
  problem.mechanism = std::make_shared<Fenced>(posed.mechanism, 2, least_theta);
  problem.start = posed.state;
  problem.laws.resize(1);
  problem.laws[0].mu = 0.2;
  problem.laws[0].stiffness = 1e5;
  problem.laws[0].damping = 1e2;
  problem.bilateral = {false};
  return problem;
}

void expect_end_at_limit(const Run& run) {
  EXPECT_EQ(run.stopped, "joint_limit");
  EXPECT_EQ(run.stop_reason, "joint theta");
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events.back().note, "joint theta");
  EXPECT_EQ(run.events.back().t, run.t);
  EXPECT_EQ(run.samples.back().t, run.t);
}

TEST(JointLimit, EndsAnEventDrivenRun) {
  const painleve::Run run = simulate_events(falling_rod(0.8), {});
  expect_end_at_limit(run);
  EXPECT_NEAR(run.state.q(2), 0.8, 1e-12);
  EXPECT_NEAR(run.energy.defect(), 0, 1e-8);
}

TEST(JointLimit, EndsACompliantRun) {
  const painleve::Run run = simulate_compliant(falling_rod(0.8), {}, {});
  expect_end_at_limit(run);
  EXPECT_NEAR(run.state.q(2), 0.8, 1e-12);
}

TEST(JointLimit, EndsTimeSteppingAtTheEndOfTheStep) {
  TimeSteppingOptions stepping;
  stepping.dt = 1e-3;
  const painleve::Run run = simulate_steps(falling_rod(0.8), {}, stepping);
  expect_end_at_limit(run);
  EXPECT_LT(run.state.q(2), 0.8);
  EXPECT_GT(run.state.q(2) - stepping.dt * run.state.v(2), 0.8);  // one step before
  EXPECT_NEAR(run.t, std::round(run.t / stepping.dt) * stepping.dt, 1e-12);
}

TEST(JointLimit, OutOfReachChangesNothing) {
  SimulationOptions options;
  options.t_end = 0.2;
  const painleve::Run run = simulate_events(falling_rod(-10), options);
  EXPECT_EQ(run.stopped, "t_end");
  SimulationProblem open = falling_rod(-10);
  open.mechanism = build(gallery_entry("rod"), {}).mechanism;
  EXPECT_EQ(run.state.q, simulate_events(open, options).state.q);
}

// A rod that starts at its limit and leaves it is not stopped there.
TEST(JointLimit, LetsAMotionLeaveIt) {
  SimulationProblem problem = falling_rod(1.0);
  problem.start.v(2) = 0.5;
  problem.start.v(0) += 0.5 * std::sin(1.0);
  problem.start.v(1) = 0.5 * std::cos(1.0);
  SimulationOptions options;
  options.t_end = 1e-2;
  EXPECT_EQ(simulate_events(problem, options).stopped, "t_end");
  EXPECT_EQ(simulate_compliant(problem, options, {}).stopped, "t_end");
}

}  // namespace joint_limit_test
}  // namespace painleve
