// Impacts without collision in compliant runs: only where the stiff limit has one.
#include "painleve/simulation/compliant_divergence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/mechanism/gallery.hpp"
#include "painleve/simulation/compliant.hpp"

namespace painleve {
namespace compliant_divergence_test {

bool has_iwc(const Run& r) {
  return std::any_of(r.events.begin(), r.events.end(),
                     [](const SimulationEvent& event) { return event.kind == EventKind::iwc; });
}

// Champneys & Várkonyi (2016) Fig. 15B as a rigid body: slipping at both contacts is the only mode, it is unstable, and
// although p < 0 at the second contact no impact without collision can follow: it presses the first one in.
Posed fig15b() {
  Setup setup;
  setup.parameters.set("mass", 1.9117114531876662);
  setup.parameters.set("gyration", 1);
  setup.parameters.set("gravity", 0.5386904932094353);
  setup.lists["points"] = {{2.449740932642487, -0.47702962293566625}, {1.0, -2.716891794945375}};
  setup.lists["normals"] = {{0, 1}, {0, 1}};
  setup.given.set("x_dot", 1);
  setup.forces["torque"] = {Expression::constant(-0.3599934408756431)};
  return build(gallery_entry("rigid-body"), setup);
}

TEST(ImpactWord, IsNotReadOffOneContactOfFig15B) {
  const Posed posed = fig15b();
  ContactLaw law;
  law.mu = 1;
  law.damping = 1.2;
  SimulationProblem p{posed.mechanism, posed.state, {law, law}, {false, false}, {}};
  p.laws[0].stiffness = 1;
  p.laws[1].stiffness = 3;
  SimulationOptions options;
  options.t_end = 60;
  options.samples = 1;
  const auto r = simulate_compliant(p, options, {});
  EXPECT_EQ(r.stopped, "t_end");
  EXPECT_FALSE(has_iwc(r));
  EXPECT_EQ(r.outcome, "TT");
}

// Two contacts that slip with μ = 1 and have this slip matrix, P = W_nn − W_nt, for as long as one likes; W_nn = w 1.
ContactSpace slipping(const Eigen::Matrix2d& P, const Eigen::Vector2d& b_n, const Eigen::Vector2d& gap, double w = 4) {
  ContactSpace s;
  const Eigen::Matrix2d W_nn = w * Eigen::Matrix2d::Identity();
  const Eigen::Matrix2d W_nt = W_nn - P;
  s.W.resize(4, 4);
  s.b.setZero(4);
  s.u.resize(4);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      s.W(2 * i + 1, 2 * j + 1) = W_nn(i, j);
      s.W(2 * i + 1, 2 * j) = W_nt(i, j);
      s.W(2 * j, 2 * i + 1) = W_nt(i, j);
      s.W(2 * i, 2 * j) = i == j ? 10 * w : 0;  // enough for W to be positive
    }
    s.b(2 * i + 1) = b_n(i);
    s.u.segment(2 * i, 2) << 1e9, 0;
  }
  s.drift = Eigen::Vector4d::Zero();
  s.gap = gap;
  s.mu = Eigen::Vector2d::Ones();
  s.bilateral = {false, false};
  s.names = {"c1", "c2"};
  return s;
}

Run run(const ContactSpace& space, const Eigen::Vector2d& k, double c, double t_end) {
  std::vector<ContactLaw> laws(2);
  for (int i = 0; i < 2; ++i) {
    laws[static_cast<std::size_t>(i)].compliance = Compliance::kelvin_voigt;
    laws[static_cast<std::size_t>(i)].stiffness = k(i);
    laws[static_cast<std::size_t>(i)].damping = c;
  }
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 1;
  return simulate_compliant(space, laws, options, {});
}

// With a large W_nn small forces are more than what presses the contacts, and p λ_n outweighs b_n and the other force
// where these cancel.
TEST(ImpactWord, IsNoneInTheLimitCycleOfFig15B) {
  Eigen::Matrix2d P;
  P << 3.051, -1.677, 1.555, -0.375;
  for (const double w : {4.0, 100.0}) {
    const auto r = run(slipping(P, {-1, -0.727}, {0, 0}, w), {1, 3}, 1.2, 600);
    EXPECT_FALSE(has_iwc(r)) << w;
    EXPECT_EQ(r.outcome, "limit_cycle") << w;
    ASSERT_TRUE(r.cycle) << w;
    EXPECT_NEAR(r.cycle->period, 4.764397890743998, 1e-6) << w;
  }
}

TEST(ImpactWord, LeavesOutAContactThatIsYetToLift) {
  Eigen::Matrix2d P;
  P << -1, 0, 0.001, 0.5;  // the second contact presses with 2 N when the first force has grown
  EXPECT_EQ(run(slipping(P, {-1, -1}, {-1, -2}), {1, 1}, 1, 20).outcome, "IWC:IF");
}

TEST(ImpactWord, FitsTheForcesWhereSeveralArePossible) {
  Eigen::Matrix2d P;
  P << -1, 0.1, 0.1, -1;
  EXPECT_EQ(run(slipping(P, {-1, -1}, {-1, -1}), {1, 1}, 1, 20).outcome, "IWC:II");
  EXPECT_EQ(run(slipping(P, {-1, 1}, {-1, 0}), {1, 1}, 1, 20).outcome, "IWC:IF");
  EXPECT_EQ(run(slipping(P, {1, -1}, {0, -1}), {1, 1}, 1, 20).outcome, "IWC:FI");
}

TEST(ImpactWord, StrikesOneContactOfFig15AAndLiftsTheOther) {
  Eigen::Matrix2d P;
  P << -0.055, 0.088, 0.055, -0.036;
  EXPECT_EQ(run(slipping(P, {-1, -1}, {-80, 0}), {1, 1}, 1, 400).outcome, "IWC:IF");
  EXPECT_EQ(run(slipping(P, {-1, -1}, {0, -80}), {1, 1}, 1, 400).outcome, "IWC:FI");
}

// Either contact would push itself out, but each presses the other one in by more.
TEST(ImpactWord, StrikesContactsThatPressEachOtherIn) {
  Eigen::Matrix2d P;
  P << 0.2, -0.6, -0.6, 0.2;
  EXPECT_EQ(run(slipping(P, {-1, -1}, {0, 0}), {1, 1}, 1, 40).outcome, "IWC:II");
  EXPECT_EQ(run(slipping(P, {-1, -0.5}, {-1, 0}), {1, 3}, 1, 40).outcome, "IWC:II");
  P << 0.8, -0.6, -0.6, 0.8;
  const auto stable = run(slipping(P, {-1, -1}, {0, 0}), {1, 1}, 1, 40);
  EXPECT_FALSE(has_iwc(stable));
  EXPECT_EQ(stable.outcome, "S+S+");
}

// The fast motion knows W by P alone. Near jamming, W_nn much larger than P, ordinary forces outgrow b/W_nn, and the
// load and the other contact's force may cancel for a moment.
TEST(ImpactWord, DependsOnTheSlipMatrixAlone) {
  Eigen::Matrix2d P;
  P << -0.055, 0.088, 0.055, -0.036;
  ContactSpace start = slipping(P, {-1, -1}, {-0.23326223842896354, -0.1830535891600027}, 1);
  start.u(1) = -0.9094496121951097;
  start.u(3) = -0.9024845785456639;
  const auto near_jam = run(start, {1, 1}, 1, 60);
  EXPECT_EQ(near_jam.outcome, "IWC:FI");
  EXPECT_GT(near_jam.impulse(3), 1e4 * near_jam.impulse(1)) << "the first contact lifts";
  Draws draws(21);
  int second = 0;
  for (int n = 0; n < 40; ++n) {
    const Eigen::Vector2d gap(draws.uniform(-1, 1), draws.uniform(-1, 1));
    const Eigen::Vector2d u(draws.uniform(-1, 1), draws.uniform(-1, 1));
    std::string first;
    for (const double w : {0.1, 5.0, 50.0}) {
      ContactSpace s = slipping(P, {-1, -1}, gap, w);
      s.u(1) = u(0);
      s.u(3) = u(1);
      const auto r = run(s, {1, 1}, 1, 200);
      if (first.empty()) first = r.outcome;
      EXPECT_EQ(r.outcome, first) << "draw " << n << ", w = " << w;
    }
    second += first == "IWC:FI" ? 1 : 0;
    EXPECT_TRUE(first == "IWC:FI" || first == "IWC:IF") << first;
  }
  EXPECT_GT(second, 5);
  EXPECT_LT(second, 35);
}

// A contact that lies there without force is pressed on by b_n: p λ_n outweighs that at once where p is large, but a
// force of this size is no impact.
TEST(ImpactWord, WaitsUntilTheForceHasOutgrownWhatPressesTheContact) {
  ContactSpace s;
  s.W = (Eigen::Matrix2d() << 100, 6, 6, 1).finished();  // p = 1 − 6
  s.b = Eigen::Vector2d(0, -1);
  s.u = Eigen::Vector2d(1e3, 0);
  s.drift = Eigen::Vector2d::Zero();
  s.gap = Eigen::VectorXd::Zero(1);
  s.mu = Eigen::VectorXd::Ones(1);
  s.bilateral = {false};
  s.names = {"c1"};
  ContactLaw law;
  law.stiffness = law.damping = 1;
  SimulationOptions options;
  options.t_end = 10;
  options.samples = 1;
  const auto r = simulate_compliant(s, {law}, options, {});
  ASSERT_TRUE(has_iwc(r));
  EXPECT_EQ(r.outcome, "IWC:I");
  EXPECT_EQ(r.events[0].kind, EventKind::iwc);
  const auto at =
      std::find_if(r.samples.begin(), r.samples.end(), [&](const Sample& sample) { return sample.t == r.events[0].t; });
  ASSERT_NE(at, r.samples.end());
  EXPECT_NEAR(at->lambda(1), 10, 1e-9);  // ten times |b_n|/W_nn
}

}  // namespace compliant_divergence_test
}  // namespace painleve
