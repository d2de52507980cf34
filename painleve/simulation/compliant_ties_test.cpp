// Feet of one rigid body: they slip and stick together, keep their energy, and land as on rigid ground.
#include "painleve/simulation/compliant_ties.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/mechanism/gallery.hpp"
#include "painleve/simulation/compliant.hpp"
#include "painleve/simulation/compliant_transition.hpp"

namespace painleve {
namespace compliant_ties_test {

SimulationProblem problem(const Posed& posed, const std::vector<double>& mu, double k) {
  SimulationProblem p{posed.mechanism, posed.state, {}, {}, {}};
  for (std::size_t i = 0; i < posed.contacts.size(); ++i) {
    ContactLaw law;
    law.mu = mu[i];
    law.stiffness = k;
    p.laws.push_back(law);
    p.bilateral.push_back(false);
  }
  return p;
}

// Champneys & Várkonyi (2016) Fig. 16: a body that stands, and tumbles away after the slightest push.
Posed tumbling() {
  Setup setup;
  setup.parameters.set("gravity", 1);
  setup.given.set("theta_dot", 2.5e-5);
  setup.given.set("x_dot", -2.5e-5);
  setup.contacts["foot2"].closed = false;
  return build(gallery_entry("two-legged-body"), setup);
}

// On soft springs that turn it as they are pressed in: the feet go from stick to slip where their lever changes most.
Posed pushed() {
  Setup setup;
  setup.given.set("x_dot", 0.5);
  return build(gallery_entry("two-legged-body"), setup);
}

struct Body {
  std::string name;
  SimulationProblem problem;
};
std::vector<Body> bodies(double k) {
  return {{"tumbling", problem(tumbling(), {0.105, 2.5}, k)},
          {"block", problem(build(gallery_entry("block"), {}), {0.5, 0.5}, k)},
          {"standing", problem(build(gallery_entry("two-legged-body"), {}), {0.5, 0.5}, k)}};
}

Run run(const SimulationProblem& p, double t_end = 1, int samples = 400) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = samples;
  return simulate_compliant(p, options, {});
}

TEST(TiedFeet, KeepTheirEnergy) {
  for (const double k : {1e4, 1e6, 1e8, 1e10}) {
    for (const Body& body : bodies(k)) {
      const auto r = run(body.problem, 1, 1);
      EXPECT_EQ(r.stopped, "t_end") << body.name << k;
      // Some thousand steps with the tolerance 1e-11, each of a random sign.
      EXPECT_NEAR(r.energy.defect(), 0, 1e-10 * r.energy.initial) << body.name << k;
    }
  }
}

TEST(TiedFeet, SlipAndStickTogether) {
  int together = 0;
  for (const double k : {1e6, 1e8}) {
    for (const Body& body : bodies(k)) {
      const auto r = run(body.problem);
      std::vector<std::string> words;
      for (const Sample& sample : r.samples) words.push_back(sample.mode);
      for (const SimulationEvent& event : r.events) words.push_back(event.mode);
      for (const std::string& word : words) {
        const std::size_t half = word.size() / 2;
        if (word.find('F') != std::string::npos) continue;
        EXPECT_EQ(word.substr(0, half), word.substr(half)) << body.name << k;
        ++together;
      }
    }
  }
  EXPECT_GT(together, 100);
}

// At every sample, velocities that were integrated against J(q) v.
TEST(TiedFeet, MoveAsTheirBodyDoes) {
  for (const Body& body : bodies(1e6)) {
    const auto r = run(body.problem);
    for (const Sample& sample : r.samples) {
      const Eigen::VectorXd u = body.problem.mechanism->dynamics({sample.q, sample.v, sample.t}).u;
      EXPECT_LT((u - sample.u).cwiseAbs().maxCoeff(), 1e-9) << body.name << sample.t << sample.mode;
    }
  }
}

// Where the feet begin to slip, and after, the one that leads has the velocity of the body as well.
TEST(TiedFeet, MoveAsTheirBodyDoesOnceTheyHaveSlipped) {
  const auto p = problem(pushed(), {0.05, 2.5}, 1e3);
  const auto r = run(p, 2);
  ASSERT_TRUE(std::any_of(r.events.begin(), r.events.end(), [](const SimulationEvent& event) {
    return event.kind == EventKind::slip && event.mode == "S+S+";
  }));
  for (const Sample& sample : r.samples) {
    const Eigen::VectorXd u = p.mechanism->dynamics({sample.q, sample.v, sample.t}).u;
    ASSERT_LT((u - sample.u).cwiseAbs().maxCoeff(), 1e-9) << sample.t << sample.mode;
  }
  EXPECT_NEAR(r.energy.defect(), 0, 1e-10 * r.energy.initial);
}

// Tied feet that slip have the friction of their own: b + W λ with the W of the body gives their accelerations.
TEST(TiedFeet, KeepTheirLeversWhileTheySlip) {
  const auto p = problem(build(gallery_entry("block"), {}), {0.5, 0.5}, 1e6);
  const MechanismModel model(p.mechanism);
  CompliantSystem system(model, std::vector<CompliantContact>(2), false);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(system.layout().size());
  y.head(6) << p.start.q, p.start.v;
  for (ContactPhase& phase : system.phases) phase.normal = NormalPhase::pressing;
  system.phases[1].leader = 0;
  ContactResponse own;
  model.evaluate(0, y.head(6), own);
  for (const bool slip : {true, false}) {
    for (ContactPhase& phase : system.phases) phase.slip = slip;
    const ContactResponse& used = system.forces(0, y).response;
    EXPECT_EQ(used.W == own.W, slip);
    EXPECT_EQ(used.W.row(2) == used.W.row(0), !slip);
  }
}

double landing(const Run& r, int contact, double after) {
  for (const SimulationEvent& event : r.events) {
    if (event.kind == EventKind::landing && event.contact == contact && event.t > after) return event.t;
  }
  return 0;
}

TEST(TiedFeet, LandAsOnRigidGround) {
  // Landings of the same bodies on rigid ground, from the event-driven simulation. The way to them is off by the depth
  // of the springs, 1/k.
  const double block = 0.295185696582;
  const double foot = 0.0050720776;
  for (const double k : {1e6, 1e7, 1e8, 1e9}) {
    const auto r = run(problem(build(gallery_entry("block"), {}), {0.5, 0.5}, k), 0.2955, 1);
    EXPECT_NEAR((landing(r, 1, 0) - block) * k, 1.366, 0.03) << k;
  }
  for (const double k : {1e10, 1e11, 1e12}) {
    const auto r = run(problem(tumbling(), {0.105, 2.5}, k), 0.0052, 1);
    EXPECT_NEAR((landing(r, 1, 0.001) - foot) * k, -9.83e4, 2e3) << k;
  }
}

// A unit mass between two guides whose tangents point opposite ways, each pressed on with 1 N.
ContactSpace guided(double push, double speed) {
  ContactSpace s;
  s.W = Eigen::Matrix4d::Identity();
  s.W(0, 2) = s.W(2, 0) = -1;
  s.b = Eigen::Vector4d(push, -1, -push, -1);
  s.u = Eigen::Vector4d(speed, 0, -speed, 0);
  s.drift = Eigen::Vector4d::Zero();
  s.gap = Eigen::Vector2d(-1e-4, -1e-4);
  s.mu = Eigen::Vector2d(0.5, 0.25);
  s.bilateral = {false, false};
  s.names = {"c1", "c2"};
  return s;
}

TEST(TiedContacts, OfOppositeTangentsStopAndHoldTogether) {
  ContactLaw law;
  law.stiffness = 1e4;
  law.damping = 100;
  SimulationOptions options;
  options.t_end = 20;
  options.samples = 1;
  const auto r = simulate_compliant(guided(0.6, 1.5), {law, law}, options, {});
  ASSERT_EQ(r.events.size(), 2U);  // 0.75 N of friction against 0.6 N
  EXPECT_EQ(r.samples.front().mode, "S+S-");
  EXPECT_EQ(r.events[0].mode, "TT");
  EXPECT_NEAR(r.events[0].t, 10, 1e-9);
  EXPECT_EQ(r.outcome, "TT");
  // Shared as 0.5 to 0.25.
  EXPECT_NEAR(r.samples.back().lambda(0), -0.4, 1e-9);
  EXPECT_NEAR(r.samples.back().lambda(2), 0.2, 1e-9);
  EXPECT_NEAR(r.energy.defect(), 0, 1e-9);
}

// The leaders of a body pressed onto springs by these depths.
std::vector<int> leaders(const Posed& posed, const Eigen::Vector2d& depth) {
  const auto model = std::make_shared<MechanismModel>(posed.mechanism);
  CompliantSystem system(*model, std::vector<CompliantContact>(2), false);
  const CompliantLayout& l = system.layout();
  const Dynamics d = posed.mechanism->dynamics(posed.state);
  Eigen::MatrixXd J_n(2, d.J.cols());
  J_n << d.J.row(1), d.J.row(3);
  const Eigen::MatrixXd back = J_n.transpose() * (J_n * J_n.transpose()).inverse();
  State state = posed.state;
  for (int newton = 0; newton < 5; ++newton) {
    state.q -= back * (posed.mechanism->dynamics(state).gap + depth);
  }
  Eigen::VectorXd y = Eigen::VectorXd::Zero(l.size());
  y.head(l.slow) << state.q, state.v;
  for (int i = 0; i < 2; ++i) {
    y(l.gap(i)) = -depth(i);
    system.phases[static_cast<std::size_t>(i)].normal = NormalPhase::pressing;
  }
  update_ties(system, 0, {}, y);
  return {system.phases[0].leader, system.phases[1].leader};
}

// A body on two feet, the second one on a step of this height.
Posed standing(double step) {
  Setup setup;
  setup.lists["points"] = {{-1, -1}, {1, -1 + step}};
  setup.lists["normals"] = {{0, 1}, {0, 1}};
  return build(gallery_entry("rigid-body"), setup);
}

TEST(TiedContacts, AreThoseOfOnePlaneHoweverDeepTheyArePressed) {
  for (const double depth : {0.0, 1e-6, 1e-3}) {
    EXPECT_EQ(leaders(standing(0), {depth, 0}), (std::vector<int>{-1, 0})) << depth;
    EXPECT_EQ(leaders(standing(1e-4), {depth, 0}), (std::vector<int>{-1, -1})) << depth;
  }
}

}  // namespace compliant_ties_test
}  // namespace painleve
