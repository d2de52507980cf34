// Outcomes of the fast dynamics: phase portraits of Champneys & Várkonyi (2016) Fig. 12, two contacts, and the
// classifier on made-up histories.
#include "painleve/simulation/fast_outcome.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <utility>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"

namespace painleve {
namespace fast_outcome_test {

// Of the plane: A, B, C = W_tt, W_tn, W_nn, a, b = b_t, b_n.
ContactSpace one_contact(double A, double B, double C, double a, double b, double slip, double mu) {
  ContactSpace s;
  s.W.resize(2, 2);
  s.W << A, B, B, C;
  s.b = Eigen::Vector2d(a, b);
  s.u = Eigen::Vector2d(slip, 0);
  s.drift = s.gap = Eigen::VectorXd::Zero(2);
  s.gap = Eigen::VectorXd::Zero(1);
  s.mu = Eigen::VectorXd::Constant(1, mu);
  s.bilateral = {false};
  s.names = {"c1"};
  return s;
}

std::string outcome(const ContactSpace& space, double force = 0, const ContactLaw& law = {}) {
  FastOutcomeOptions options;
  options.force = Eigen::VectorXd::Constant(1, force);
  return fast_outcome(space, {law}, options).outcome;
}

TEST(FastOutcome, OfASlippingContactFollowsTheSignsOfPAndB) {
  EXPECT_EQ(outcome(one_contact(1, 0, 1, 0, 1, 1, 0.5)), "F");       // A
  EXPECT_EQ(outcome(one_contact(1, 0, 1, 0, 1, 1, 0.5), 3), "F");    // A
  EXPECT_EQ(outcome(one_contact(1, 0, 1, 0, -1, 1, 0.5)), "S+");     // C
  EXPECT_EQ(outcome(one_contact(1, 0, 1, 0, -1, -1, 0.5)), "S-");    // C
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 0, -1, 1, 2)), "IWC:I");  // D
  EXPECT_EQ(outcome(one_contact(1, -0.8, 1, 0, -1, -1, 2)), "IWC:I");
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 0, -1, -1, 2)), "S-");  // the other direction has p > 0
}

// B: p < 0 < b. At zero velocity the separatrix is crossed near the unstable force b/|p|.
TEST(FastOutcome, OfAnIndeterminateContactDependsOnItsForce) {
  Draws draws(91);
  for (int i = 0; i < 100; ++i) {
    const double mu = draws.uniform(1.5, 3);
    const double b = draws.uniform(0.1, 5);
    const ContactSpace space = one_contact(1, 0.8, 1, 0, b, 1, mu);
    const double unstable = b / (0.8 * mu - 1);
    EXPECT_EQ(outcome(space, 0.99 * unstable), "F") << mu << " " << b;
    EXPECT_EQ(outcome(space, 1.01 * unstable), "IWC:I") << mu << " " << b;
  }
}

TEST(FastOutcome, OfARestingContactSticksOrSlips) {
  EXPECT_EQ(outcome(one_contact(1, 0.1, 1, 0.1, -1, 0, 0.5)), "T");
  EXPECT_EQ(outcome(one_contact(1, 0.1, 1, 2, -1, 0, 0.5)), "S+");
  EXPECT_EQ(outcome(one_contact(1, 0.1, 1, -2, -1, 0, 0.5)), "S-");
  // E and F of Fig. 12: outside and inside the cone.
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 1.2, 1, 0, 2), 8), "F");
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 3.2, 1, 0, 2), 0), "F");
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 3.2, 1, 0, 2), 1), "F");
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 3.2, 1, 0, 2), 3), "T");
  EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 3.2, 1, 0, 2), 4.3), "T");
}

TEST(FastOutcome, DoesNotDependOnUnits) {
  for (const double force : {1.5, 1.8}) {
    const std::string expected = outcome(one_contact(1, 0.8, 1, 0, 1, 1, 2), force);
    ContactLaw stiff;
    stiff.stiffness = 1e12;
    stiff.damping = 1e6;
    EXPECT_EQ(outcome(one_contact(1, 0.8, 1, 0, 1, 1, 2), force, stiff), expected);
    // Accelerations in mm/s²: W and b are a thousand times as large, forces are not.
    EXPECT_EQ(outcome(one_contact(1e3, 800, 1e3, 0, 1e3, 1, 2), force, stiff), expected);
  }
}

ContactSpace two_contacts(const Eigen::Matrix4d& W, const Eigen::Vector4d& b, double mu1, double mu2) {
  ContactSpace s;
  s.W = W;
  s.b = b;
  s.u = Eigen::Vector4d(1, 0, 1, 0);
  s.drift = Eigen::Vector4d::Zero();
  s.gap = Eigen::Vector2d::Zero();
  s.mu = Eigen::Vector2d(mu1, mu2);
  s.bilateral = {false, false};
  s.names = {"c1", "c2"};
  return s;
}

// A body with unit mass and gyration on two level floors, contact j at (x_j, −h_j) from its centre.
ContactSpace body(double x1, double h1, double x2, double h2, double mu1, double mu2) {
  Eigen::Matrix<double, 4, 3> J;
  J << 1, 0, h1, 0, 1, x1, 1, 0, h2, 0, 1, x2;
  return two_contacts(J * J.transpose(), Eigen::Vector4d(0, -1, 0, -1), mu1, mu2);
}

TEST(FastOutcome, OfTwoContactsIsAWordOfTwo) {
  ContactLaw law;
  EXPECT_EQ(fast_outcome(body(-1, 1, 1, 1, 0.1, 0.1), {law, law}).outcome, "S+S+");
  ContactSpace open = body(-1, 1, 1, 1, 0.1, 0.1);
  open.gap(1) = 1;
  EXPECT_EQ(fast_outcome(open, {law, law}).outcome, "S+F");
  open.gap(0) = 1;
  EXPECT_EQ(fast_outcome(open, {law, law}).outcome, "FF");
  // Fig. 15A, class 261: S+S+ is the only mode and unstable. P = (1 + x_i (x_j − mu_j h_j)) / mass.
  ContactSpace fig15 = body(-1.5714285714285714, -5.071428571428571, 1, 4.945454545454545, 1, 1);
  fig15.W /= 81.81818181818181;
  law.compliance = Compliance::kelvin_voigt;
  law.stiffness = law.damping = 1;
  const auto struck = [&](double force1, double force2) {
    FastOutcomeOptions options;
    options.force = Eigen::Vector2d(force1, force2);
    return fast_outcome(fig15, {law, law}, options).outcome;
  };
  EXPECT_EQ(struck(80, 20), "IWC:IF");
  EXPECT_EQ(struck(20, 80), "IWC:FI");
}

TEST(FastOutcome, TakesLessThanAMillisecond) {
  const ContactSpace space = one_contact(1, 0.8, 1, 0, -1, 1, 2);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(outcome(space), "IWC:I");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(spent.count() / 20, 1e-2);  // ten times as much for slow machines and instrumented builds
}

TEST(FastOutcome, WantsOneLawPerContact) {
  EXPECT_THROW(fast_outcome(one_contact(1, 0, 1, 0, -1, 1, 0.5), {}), InputError);
}

FastHistory bounces(int count, double ratio, double interval_ratio) {
  FastHistory h;
  h.contacts = 1;
  h.word = "F";
  double t = 0;
  double interval = 1;
  double speed = 1;
  for (int i = 0; i < count; ++i) {
    t += interval;
    h.changes.push_back(t);
    h.landings.push_back({t, 0, speed});
    h.turns.push_back({t + 0.2 * interval, 0, -0.5 * speed});
    h.turns.push_back({t + 0.7 * interval, 0, 1.5 * speed});
    speed *= ratio;
    interval *= interval_ratio;
  }
  h.t_end = t + interval / 2;
  return h;
}

TEST(Classifier, TellsGrowingBouncesFromRepeatedOnes) {
  EXPECT_EQ(classify(bounces(12, 1.5, 1.5)).outcome, "inverse_chatter");
  for (const double ratio : {1.2, 0.9}) {  // micro limit cycles of contacts that drift change slowly
    const FastOutcome other = classify(bounces(12, ratio, ratio));
    EXPECT_EQ(other.outcome, "limit_cycle");
    EXPECT_FALSE(other.cycle);
    EXPECT_NE(other.reason.find(ratio > 1 ? "become faster" : "become slower"), std::string::npos) << other.reason;
  }
  for (const auto& [count, ratio] : {std::pair(12, 0.7), std::pair(30, 0.9)}) {
    const FastOutcome dying = classify(bounces(count, ratio, ratio));
    EXPECT_EQ(dying.outcome, "F") << ratio;
    EXPECT_NE(dying.reason.find("bounces die out"), std::string::npos) << dying.reason;
  }
  const FastOutcome cycle = classify(bounces(12, 1, 1));
  EXPECT_EQ(cycle.outcome, "limit_cycle");
  ASSERT_TRUE(cycle.cycle);
  EXPECT_NEAR(cycle.cycle->period, 1, 1e-12);
  EXPECT_NEAR(cycle.cycle->amplitude(0), 1, 1e-12);
  EXPECT_FALSE(limit_cycle(bounces(12, 1.2, 1.2)));
}

TEST(Classifier, FindsPeriodsOfSeveralLandings) {
  FastHistory h = bounces(16, 1, 1);
  for (std::size_t i = 0; i < h.landings.size(); i += 2) h.landings[i].speed = 3;
  ASSERT_TRUE(limit_cycle(h));
  EXPECT_NEAR(limit_cycle(h)->period, 2, 1e-12);
}

// A start far from the cycle: the speeds fall to a fifth of the first, and level off there.
TEST(Classifier, SpeedsThatLevelOffDoNotDieOut) {
  FastHistory h = bounces(24, 1, 1);
  for (std::size_t i = 0; i < h.landings.size(); ++i)
    h.landings[i].speed = 0.134 + 0.57 * std::pow(0.8, static_cast<double>(i));
  const FastOutcome outcome = classify(h);
  EXPECT_EQ(outcome.outcome, "limit_cycle") << outcome.reason;
  EXPECT_NE(outcome.reason.find("not settled"), std::string::npos) << outcome.reason;
  for (std::size_t i = 0; i < h.landings.size(); ++i) h.landings[i].speed -= 0.134;
  EXPECT_EQ(classify(h).outcome, "F");
}

// Irregular bounces of a contact without damper: the first and the last of them are luck.
TEST(Classifier, IrregularBouncesDoNotGrow) {
  FastHistory h = bounces(12, 1, 1);
  const double speeds[] = {1, 2.1, 0.7, 1.6, 0.9, 0.5, 2.0, 0.8, 1.9, 0.6, 0.7, 2.2};
  for (std::size_t i = 0; i < h.landings.size(); ++i) h.landings[i].speed = speeds[i];
  EXPECT_EQ(classify(h).outcome, "limit_cycle") << classify(h).reason;
}

// Of two contacts each has its own speeds: what is slow at one and fast at the other does not grow.
TEST(Classifier, ComparesLandingsOfOneContact) {
  FastHistory h = bounces(13, 1, 1);
  h.contacts = 2;
  for (std::size_t i = 0; i < h.landings.size(); i += 2) {
    h.landings[i].contact = 1;
    h.landings[i].speed = 100 + static_cast<double>(i);
  }
  const FastOutcome outcome = classify(h);
  EXPECT_NE(outcome.outcome, "inverse_chatter") << outcome.reason;
}

// Speeds and times of a transient, v = 1 + 0.06 · 0.97^i cos(2πi/7): near the end they repeat after 7 landings to
// within 1 %, and the period of the cycle that they settle to is that of one.
TEST(Classifier, TakesNoModulationThatDiesOutForAPeriod) {
  const auto modulated = [](int count) {
    FastHistory h = bounces(count, 1, 1);
    double t = 0;
    for (std::size_t i = 0; i < h.landings.size(); ++i) {
      const double x = static_cast<double>(i);
      const double swing = 0.06 * std::pow(0.97, x) * std::cos(2 * std::numbers::pi * x / 7);
      t += 1 + 0.2 * swing;
      h.landings[i].t = h.changes[i] = t;
      h.landings[i].speed = 1 + swing;
    }
    h.t_end = t + 0.5;
    return h;
  };
  for (int count = 20; count < 50; ++count) {
    EXPECT_FALSE(limit_cycle(modulated(count))) << count;
    EXPECT_NE(classify_motion(modulated(count)).reason.find("not settled"), std::string::npos) << count;
  }
  ASSERT_TRUE(limit_cycle(modulated(150)));
  EXPECT_NEAR(limit_cycle(modulated(150))->period, 1, 1e-3);
}

TEST(Classifier, SaysOfAWordWhatIsKnown) {
  FastHistory h;
  h.contacts = 1;
  h.word = "S";
  h.t_end = 1;
  h.resting = h.settled = true;
  EXPECT_EQ(classify(h).reason, "the springs have come to rest in this mode");
  h.settled = false;
  EXPECT_NE(classify(h).reason.find("the others are still in flight"), std::string::npos);
  h.resting = false;
  EXPECT_EQ(classify(h).reason, "the springs have not come to rest by the end of the run");
  h.unstable = true;
  EXPECT_EQ(classify(h).reason, "this mode is unstable");
  h = bounces(1, 1, 1);
  h.changes = {1, 1.4};
  h.flight = true;
  EXPECT_EQ(classify(h).outcome, "F");
  EXPECT_EQ(classify(h).reason, "in flight at the end of the run");
  EXPECT_FALSE(classify(h).lasting);
  h.t_end = 10;
  EXPECT_TRUE(classify(h).lasting);
}

TEST(Classifier, GivesTheWordOnceNothingHappensAnyMore) {
  FastHistory h = bounces(3, 0.5, 0.5);
  h.t_end = 10;
  EXPECT_EQ(classify(h).outcome, "F");
  h = bounces(12, 1, 1);
  h.t_end = 100;
  EXPECT_EQ(classify(h).outcome, "F") << "a cycle that is over";
  EXPECT_EQ(classify_motion(h).outcome, "F");
  h.parting = true;
  EXPECT_EQ(classify(h).outcome, "F");
  h.diverged = "FI";
  EXPECT_EQ(classify(h).outcome, "IWC:FI");
  EXPECT_EQ(classify_motion(h).outcome, "IWC:FI");
  EXPECT_EQ(classify_motion(bounces(12, 0.7, 0.8)).outcome, "F");
  EXPECT_EQ(classify_motion(bounces(12, 1, 1)).outcome, "limit_cycle");
  EXPECT_EQ(classify_motion(bounces(12, 1.5, 1.5)).outcome, "inverse_chatter");
}

}  // namespace fast_outcome_test
}  // namespace painleve
