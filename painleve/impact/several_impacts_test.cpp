// Several impacts at once: one after the other, all together, and by springs.
#include "painleve/impact/impact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "painleve/impact/compliant_impact.hpp"
#include "painleve/impact/detail/impact_cases.hpp"
#include "painleve/impact/planar_impact.hpp"

namespace painleve {
namespace several_impacts_test {

using detail::cradle;
using detail::drawn_space;
using detail::expect_mechanics;
using detail::with;
using Eigen::VectorXd;

constexpr auto energetic = RestitutionLaw::energetic;

TEST(Impact, NewtonsCradle) {
  const ContactSpace s = cradle(Eigen::Vector2d(1, 0));
  // One after another: the last ball leaves with all of the speed.
  const ImpactReport one = impact(s, with(SeveralImpacts::sequential, 1, 2));
  EXPECT_EQ(one.impacts, 2);
  EXPECT_NEAR(one.u_after(1), 0, 1e-15);
  EXPECT_NEAR(one.u_after(3), 1, 1e-15);
  EXPECT_NEAR(one.energy_change, 0, 1e-15);
  EXPECT_EQ(one.phases.front().rfind("c1: ", 0), 0U);
  // All at once: the two others leave together.
  const ImpactReport all = impact(s, with(SeveralImpacts::simultaneous, 1, 2));
  EXPECT_NEAR(all.u_after(1), 1, 1e-14);
  EXPECT_NEAR(all.u_after(3), 0, 1e-14);
  EXPECT_EQ(all.alternatives.size(), 1U);
  // Equal springs: d1″ = −2d1 + d2, d2″ = d1 − 2d2 until the first one opens, then d2″ = −2 d2.
  const double root = std::sqrt(3.0);
  double open = 2;  // the first zero of d1 = (sin T + sin(√3 T)/√3)/2
  for (int k = 0; k < 60; ++k)
    open -= (std::sin(open) + std::sin(root * open) / root) / (std::cos(open) + std::cos(root * open));
  const double d1_rate = (std::cos(open) + std::cos(root * open)) / 2;
  const double d2 = (std::sin(open) - std::sin(root * open) / root) / 2;
  const double d2_rate = (std::cos(open) - std::cos(root * open)) / 2;
  const double v = std::sqrt(d2_rate * d2_rate + 2 * d2 * d2);  // speed at which the second one opens
  const double gained = (v + d2_rate) / 2;                      // impulse of the second spring meanwhile
  const ImpactReport springs = impact(s, with(SeveralImpacts::compliant, 1, 2));
  EXPECT_TRUE(springs.ended);
  EXPECT_NEAR(springs.u_after(3), v, 1e-5);
  EXPECT_NEAR(springs.u_after(1), -d1_rate - gained, 1e-5);
  EXPECT_LT(*springs.error, 1e-5);
  EXPECT_NEAR(springs.energy_change, 0, 1e-5);
  // A much softer second spring has not begun when the first one has ended.
  ImpactOptions soft = with(SeveralImpacts::compliant, 1, 2);
  soft.stiffness = Eigen::Vector2d(1, 1e-4);
  const ImpactReport after = impact(s, soft);
  EXPECT_TRUE(after.ended);
  EXPECT_NEAR(after.u_after(3), 1, 2e-4);  // what the second one takes from the first falls with the ratio
}

TEST(Impact, TheFastestStrikesFirst) {
  const ContactSpace s = cradle(Eigen::Vector3d(0.2, 0.7, 0.5));
  const ImpactReport r = impact(s, with(SeveralImpacts::sequential, 0.5, 3));
  EXPECT_EQ(r.contacts.front(), 1);
  EXPECT_EQ(r.phases.front().rfind("c2: ", 0), 0U);
  EXPECT_NEAR(*r.restitution_observed, r.u_after(3) / 0.7, 1e-15);
}

// Draws: bodies with two or three contacts, fewer freedoms than components included.
TEST(Impact, SequencesEndAndLoseEnergy) {
  Draws draws(3);
  int several = 0;
  int summed = 0;
  for (int n = 0; n < 1500; ++n) {
    const int contacts = draws.integer(2, 3);
    ContactSpace s = drawn_space(draws, 2, contacts, draws.integer(0, 1) == 0 ? 3 : 8);
    const RestitutionLaw law = n % 2 == 0 ? energetic : RestitutionLaw::poisson;
    const ImpactReport r = impact(s, with(SeveralImpacts::sequential, n % 5 == 0 ? 0 : draws.uniform(), contacts, law));
    if (!r.happened) continue;
    ASSERT_TRUE(r.ended) << r.reason;
    several += r.impacts > 1 ? 1 : 0;
    summed += r.summed ? 1 : 0;
    expect_mechanics(s, r, 1e-11);
    const double load = r.Lambda.norm() * (1 + r.u_before.norm());
    ASSERT_LE(r.energy_change, 1e-12 * load);
  }
  EXPECT_GT(several, 300);
  EXPECT_GT(summed, 0);
}

// A flat box that lands on one foot while the other rests: without restitution the feet strike in turn, ever weaker.
TEST(Impact, TheSumOfASequenceIsItsLimit) {
  const double x = 0.95;  // coupling of the feet: each impact leaves 0.95 of the last
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(4, 4);
  W(1, 3) = W(3, 1) = -x;
  ContactSpace s = closed_contacts(2, W, VectorXd::Zero(4), VectorXd::Zero(4), Eigen::Vector2d(0, 0));
  s.u(1) = -1;
  ImpactOptions o = with(SeveralImpacts::sequential, 0, 2);
  const ImpactReport r = impact(s, o);
  EXPECT_TRUE(r.ended && r.summed);
  EXPECT_LE(r.impacts, 32);
  // In the limit both feet stay: W Λ = −u.
  EXPECT_NEAR(r.Lambda(1), 1 / (1 - x * x), 1e-9);
  EXPECT_NEAR(r.Lambda(3), x / (1 - x * x), 1e-9);
  EXPECT_NEAR(r.u_after.norm(), 0, 1e-10);
  o.most_impacts = 5;
  const ImpactReport cut = impact(s, o);
  EXPECT_FALSE(cut.ended);
  EXPECT_NE(cut.reason.find("has not ended after 5 impacts"), std::string::npos);
}

// What the rule says, one impact after the other and without any sum: velocities, and how many impacts.
std::pair<VectorXd, int> followed(const ContactSpace& s, const ImpactOptions& o, int most) {
  VectorXd u = s.u;
  for (int k = 0; k < most; ++k) {
    int fastest = 0;
    for (int i = 1; i < s.count(); ++i) fastest = u(s.normal(i)) < u(s.normal(fastest)) ? i : fastest;
    if (u(s.normal(fastest)) > -1e-9) return {u, k};
    ContactSpace now = s;
    now.u = u;
    const PlanarImpact p =
        planar_impact(planar_contact(now, fastest), u(s.normal(fastest)), o.laws[static_cast<std::size_t>(fastest)]);
    u += s.W.middleCols(s.tangent(fastest), 2) * Eigen::Vector2d(p.Lambda_t, p.Lambda_n);
    u.segment(s.tangent(fastest), 2) << p.u_t, p.u_n;
  }
  return {u, most};
}

// Two feet that strike in turn while friction stops their slip: the end of slip lies far within the series.
TEST(Impact, TheSumOfASequenceEndsWhereSlipEnds) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(4, 4);
  W(1, 3) = W(3, 1) = -0.99;
  ContactSpace s = closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(2, -1, 2, 0), Eigen::Vector2d(0.1, 0.1));
  const ImpactOptions o = with(SeveralImpacts::sequential, 0, 2);
  const ImpactReport r = impact(s, o);
  const auto [u, impacts] = followed(s, o, 100000);
  EXPECT_TRUE(r.ended && r.summed);
  EXPECT_GT(impacts, 900);
  // No coupling turns the slip round: friction takes all of it. In the limit W Λ = −u.
  EXPECT_NEAR(r.u_after.norm(), 0, 1e-8);
  EXPECT_NEAR((r.u_after - u).norm(), 0, 1e-7);
  EXPECT_NEAR(r.Lambda(0), -2, 1e-8);
  EXPECT_NEAR(r.Lambda(1), 1 / (1 - 0.99 * 0.99), 1e-6);
  EXPECT_NEAR(r.energy_change, -4 - 0.5 / (1 - 0.99 * 0.99), 1e-6);
}

// The third contact would be struck while the first two strike in turn.
TEST(Impact, TheSumOfASequenceEndsWhereAnotherContactIsFaster) {
  struct Case {
    double W13, W23, u3, r3;
  };
  for (const Case& c :
       {Case{-0.004, 0, 0.1, 1}, Case{-0.01, -0.01, 0.3, 0.5}, Case{-0.01, 0, 0.2, 1}, Case{-0.004, 0, 0.1, 0}}) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
    W(1, 3) = W(3, 1) = -0.99;
    W(1, 5) = W(5, 1) = c.W13;
    W(3, 5) = W(5, 3) = c.W23;
    VectorXd u(6);
    u << 0, -1, 0, 0, 0, c.u3;
    const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(6), u, VectorXd::Zero(3));
    ImpactOptions o = with(SeveralImpacts::sequential, 0, 3);
    o.laws[2].restitution = c.r3;
    const ImpactReport r = impact(s, o);
    const auto [after, impacts] = followed(s, o, 100000);
    EXPECT_TRUE(r.ended) << r.reason;
    EXPECT_NEAR(r.u_after(5), after(5), 1e-7) << impacts << " impacts";
    expect_mechanics(s, r, 1e-9);
  }
}

// Three contacts of which two strike in turn until all is at rest; the third only comes to rest with them, which
// rounding must not take for an approach.
TEST(Impact, TheSumOfASequenceStrikesNoContactThatEndsAtRest) {
  Eigen::MatrixXd W(6, 6);
  W << 2.4600475648148987, -1.5771726231302272, 0.5097900001326395, -0.12398519119827044, -2.879542444000845,
      0.9721693540561291, -1.5771726231302272, 5.51420885539427, 0.7688625416518273, 0.4098579524163726,
      2.655807065049012, -3.3921651495484886, 0.5097900001326395, 0.7688625416518273, 0.6117910288996516,
      -0.03666422736590091, -0.9583514432006408, -0.4460047186726061, -0.12398519119827044, 0.4098579524163726,
      -0.03666422736590091, 0.06532887071987847, 0.41759049863885706, -0.2621567351132013, -2.879542444000845,
      2.655807065049012, -0.9583514432006408, 0.41759049863885706, 4.819011091941412, -1.6970819491118432,
      0.9721693540561291, -3.3921651495484886, -0.4460047186726061, -0.2621567351132013, -1.6970819491118432,
      2.0896343246651505;
  VectorXd u(6);
  u << 0.11220372612099944, -1.5291946841935389, -0.5456366291927053, -0.03083501493372492, 0, 0.9168955893094652;
  const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(6), u, Eigen::Vector3d(0, 1.147416015755487, 0));
  ImpactOptions o = with(SeveralImpacts::sequential, 0, 3, RestitutionLaw::poisson);
  o.tolerance.velocity = 0;
  o.laws[0].restitution = 0.8067441158342509;
  o.laws[1].restitution = 0.982422423890534;
  const ImpactReport r = impact(s, o);
  EXPECT_TRUE(r.ended && r.summed);
  EXPECT_NEAR(r.u_after(0), -0.30912235, 1e-8);
  EXPECT_NEAR(r.u_after(2), -0.10955463, 1e-8);
  EXPECT_NEAR(r.u_after(4), 0.21341547, 1e-8);
  expect_mechanics(s, r, 1e-9);
}

// Drawn pairs that are nearly as stiff together as they are loose apart, with a third contact beside them.
TEST(Impact, SumsOfSequencesAreWhatFollowingGives) {
  Draws draws(11);
  int passed_over = 0;
  for (int n = 0; n < 300; ++n) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
    W(1, 3) = W(3, 1) = -draws.uniform(0.9, 0.99);
    W(1, 5) = W(5, 1) = draws.uniform(-0.05, 0.05);
    W(3, 5) = W(5, 3) = draws.uniform(-0.05, 0.05);
    W(0, 1) = W(1, 0) = draws.uniform(-0.02, 0.02);
    W(2, 3) = W(3, 2) = draws.uniform(-0.02, 0.02);
    VectorXd u(6);
    u << draws.uniform(-2, 2), -1, draws.uniform(-2, 2), 0, 0, draws.uniform(0, 0.3);
    Eigen::VectorXd mu(3);
    for (double& x : mu) x = draws.uniform(0, 0.3);
    const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(6), u, mu);
    ImpactOptions o = with(SeveralImpacts::sequential, draws.integer(0, 1) == 0 ? 0 : draws.uniform(0, 0.4), 3);
    o.laws[2].restitution = draws.uniform();
    const ImpactReport r = impact(s, o);
    const auto [after, impacts] = followed(s, o, 100000);
    ASSERT_LT(impacts, 100000);
    ASSERT_TRUE(r.ended) << r.reason;
    ASSERT_NEAR((r.u_after - after).norm(), 0, 2e-6) << "draw " << n << ", " << impacts << " impacts";
    passed_over += impacts > r.impacts || r.summed ? 1 : 0;
  }
  EXPECT_GT(passed_over, 100);
}

// Newton's law may give energy at every impact: velocities that grow without end are no answer, and no number that is
// none comes out.
TEST(Impact, SequencesThatGrowWithoutEndSaySo) {
  Draws draws(5);
  int grow = 0;
  for (int n = 0; n < 4000; ++n) {
    const ContactSpace s = drawn_space(draws, 2, 4, 3);
    const ImpactReport r =
        impact(s, with(SeveralImpacts::sequential, draws.uniform(0.7, 1), 4, RestitutionLaw::newton));
    if (!r.happened) continue;
    ASSERT_TRUE(r.u_after.allFinite() && r.Lambda.allFinite() && std::isfinite(r.energy_change)) << n;
    if (r.reason.find("grow without end") == std::string::npos) continue;
    ++grow;
    EXPECT_FALSE(r.ended);
    EXPECT_GT(r.energy_change, 0);
  }
  EXPECT_GT(grow, 0);
}

TEST(Impact, SimultaneousImpulsesObeyMoreausLaw) {
  Draws draws(4);
  int happened = 0;
  int several = 0;
  for (int n = 0; n < 4000; ++n) {
    const ContactSpace s = drawn_space(draws, 2, 2, 6);
    const double r = draws.uniform();
    const ImpactReport report = impact(s, with(SeveralImpacts::simultaneous, r, 2));
    if (!report.happened) continue;
    EXPECT_EQ(report.law, RestitutionLaw::newton);
    several += report.alternatives.size() > 1 ? 1 : 0;
    expect_mechanics(s, report, 1e-9);
    for (const ImpactAlternative& a : report.alternatives) ASSERT_GE(a.energy_change, report.energy_change);
    if (report.impacts > 1) continue;  // the law is that of a round
    ++happened;
    for (int i = 0; i < 2; ++i) {
      const double w_n = report.u_after(2 * i + 1) + r * s.u(2 * i + 1);
      ASSERT_GE(w_n, -1e-9);
      ASSERT_NEAR(w_n * report.Lambda(2 * i + 1), 0, 1e-8);
      const double slip = report.u_after(2 * i);
      if (std::abs(slip) > 1e-9) {
        ASSERT_NEAR(report.Lambda(2 * i), -s.mu(i) * report.Lambda(2 * i + 1) * (slip > 0 ? 1 : -1),
                    1e-9 * (1 + report.Lambda.norm()));
      }
    }
  }
  EXPECT_GT(happened, 200);
  EXPECT_GT(several, 0);
}

// A contact that separates, beside one that strikes and pulls it back: rounds as of a ball between two walls.
TEST(Impact, ASeparatingContactIsStruckInALaterRound) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(4, 4);
  W(1, 3) = W(3, 1) = -0.9;
  const Eigen::Vector4d u(0, 1, 0, -1);
  const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(4), u, Eigen::Vector2d(0, 0));
  const ImpactReport r = impact(s, with(SeveralImpacts::simultaneous, 1, 2));
  ASSERT_TRUE(r.happened && r.ended);
  // By hand: c2 to +1 and c1 to −0.8; c1 to +0.8 and c2 to −0.44; c2 to +0.44 and c1 to 0.8 − 1.8 · 0.44.
  EXPECT_EQ(r.impacts, 3);
  EXPECT_NEAR(r.u_after(1), 0.008, 1e-14);
  EXPECT_NEAR(r.u_after(3), 0.44, 1e-14);
  EXPECT_NEAR(r.Lambda(1), 1.6, 1e-14);
  EXPECT_NEAR(r.Lambda(3), 2.88, 1e-14);
  EXPECT_NEAR(r.energy_change, 0, 1e-14);
}

// Without friction, with one restitution of all contacts, no simultaneous impact gains energy.
TEST(Impact, SimultaneousImpulsesWithoutFrictionGainNoEnergy) {
  Draws draws(7);
  int happened = 0;
  int rounds = 0;
  for (int n = 0; n < 2000; ++n) {
    const int contacts = draws.integer(2, 4);
    ContactSpace s = drawn_space(draws, 2, contacts, draws.integer(0, 1) == 0 ? 3 : 2 * contacts + 2);
    s.mu.setZero();
    const double r = n % 4 == 0 ? 1 : draws.uniform();
    ImpactOptions o = with(SeveralImpacts::simultaneous, r, contacts);
    o.most_impacts = 1000;
    const ImpactReport report = impact(s, o);
    if (!report.happened) continue;
    const double load = report.Lambda.norm() * (1 + report.u_before.norm());
    ASSERT_LE(report.energy_change, 1e-12 * load) << n;
    if (!report.ended) {  // caged in, and nothing is lost
      ASSERT_TRUE(r == 1 && contacts == 4) << n << ": " << report.reason;
      continue;
    }
    expect_mechanics(s, report, 1e-9);
    ++happened;
    rounds += report.impacts > 1 ? 1 : 0;
  }
  EXPECT_GT(happened, 1500);
  EXPECT_GT(rounds, 200);
}

// Contacts that do not feel each other have springs of their own: each ends as the closed form says.
TEST(Impact, SpringsOfSeparateContacts) {
  Draws draws(5);
  for (int n = 0; n < 20; ++n) {
    const PlanarContact a = drawn_planar(draws, 1);
    const PlanarContact b = drawn_planar(draws, -1);
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(4, 4);
    W.topLeftCorner<2, 2>() << a.W_tt, a.W_tn, a.W_tn, a.W_nn;
    W.bottomRightCorner<2, 2>() << b.W_tt, b.W_tn, b.W_tn, b.W_nn;
    const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(a.u_t, -0.7, b.u_t, -1.1),
                                           Eigen::Vector2d(a.mu, b.mu));
    const ImpactOptions o = with(SeveralImpacts::compliant, draws.uniform(0.3, 1), 2);
    const ImpactReport r = impact(s, o);
    ASSERT_TRUE(r.ended);
    const PlanarImpact i = planar_impact(a, -0.7, o.laws[0]);
    const PlanarImpact j = planar_impact(b, -1.1, o.laws[1]);
    const double allowed = 20 * *r.error + 1e-6;
    ASSERT_LT(*r.error, 5e-3);
    ASSERT_NEAR(r.u_after(0), i.u_t, allowed);
    ASSERT_NEAR(r.u_after(1), i.u_n, allowed);
    ASSERT_NEAR(r.u_after(2), j.u_t, allowed);
    ASSERT_NEAR(r.u_after(3), j.u_n, allowed);
  }
}

TEST(Impact, SpringsInSpace) {
  Draws draws(6);
  for (int n = 0; n < 4; ++n) {
    ContactSpace s = drawn_space(draws, 3, 1, 4);
    s.u(2) = -1;
    ImpactOptions o = with(SeveralImpacts::compliant, 0.6, 1);
    const ImpactReport springs = compliant_impact(s, o);
    const ImpactReport rigid = impact(s, o);
    ASSERT_NEAR((springs.u_after - rigid.u_after).norm(), 0, 20 * *springs.error + 1e-6);
    ASSERT_LT(*springs.error, 5e-3);
  }
}

TEST(Impact, SpringsEndAndLoseEnergy) {
  Draws draws(7);
  for (int n = 0; n < 30; ++n) {
    const ContactSpace s = drawn_space(draws, 2, 2, n % 2 == 0 ? 3 : 6);
    ImpactOptions o = with(SeveralImpacts::compliant, n % 3 == 0 ? 0 : draws.uniform(0.2, 1), 2);
    o.steps_per_period = 1000;
    const ImpactReport r = impact(s, o);
    if (!r.happened) continue;
    ASSERT_TRUE(r.ended) << r.reason;
    expect_mechanics(s, r, 1e-9);
    ASSERT_LE(r.energy_change, 1e-3 * r.Lambda.norm());
  }
}

// The closed form of one contact says how far off the springs are: never much more than they say themselves.
TEST(Impact, SpringsKnowTheirError) {
  for (const double r : {0.0, 0.01, 0.5}) {
    Draws draws(5);
    for (int n = 0; n < 100; ++n) {
      ContactSpace s = drawn_space(draws, 2, 1, 3);
      s.u(1) = -std::abs(s.u(1));
      ImpactOptions o = with(SeveralImpacts::compliant, r, 1);
      o.steps_per_period = 1000;
      const ImpactReport springs = compliant_impact(s, o);
      const ImpactReport closed = impact(s, o);
      ASSERT_LE((springs.u_after - closed.u_after).norm(), 10 * *springs.error + 1e-9) << "r " << r << ", draw " << n;
    }
  }
}

// Contacts without restitution that hold a body from all sides press on each other without end; at rest that is over.
TEST(Impact, SpringsWithoutRestitutionEndAtRest) {
  Draws draws(9);
  for (int n = 0; n < 12; ++n) {
    const int contacts = draws.integer(2, 3);
    const ContactSpace s = drawn_space(draws, 3, contacts, n % 2 == 0 ? 9 : 4);
    ImpactOptions o = with(SeveralImpacts::compliant, 0, contacts);
    o.steps_per_period = 500;
    const ImpactReport r = impact(s, o);
    if (!r.happened) continue;
    ASSERT_TRUE(r.ended) << r.reason;
    expect_mechanics(s, r, 1e-9);
  }
}

// Without collision, and without restitution: the force that presses in goes on, beside the motion without any force.
TEST(Impact, SpringsWithoutRestitutionJamWithoutCollision) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(4, 4);
  W.topLeftCorner<2, 2>() << 2, 1, 1, 1;
  W.bottomRightCorner<2, 2>() << 2, 0.1, 0.1, 1;
  const ContactSpace one =
      closed_contacts(2, W, Eigen::Vector4d(0, -1, 0, -1), Eigen::Vector4d(1, 0, 0, 0), Eigen::Vector2d(1.5, 1.5));
  const ImpactReport r = impact(one, with(SeveralImpacts::compliant, 0, 2));
  ASSERT_TRUE(r.happened && r.ended && r.without_collision) << r.reason;
  EXPECT_NEAR((r.Lambda - Eigen::Vector4d(-1, 1, 0, 0)).norm(), 0, 1e-6);
  EXPECT_NEAR(r.energy_change, -0.5, 1e-6);
  // Two at once, one of which gives energy back: the limit of little restitution.
  W.bottomRightCorner<2, 2>() = W.topLeftCorner<2, 2>().eval();
  W(1, 3) = W(3, 1) = 0.1;
  const ContactSpace two =
      closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(1, 0, 1, 0), Eigen::Vector2d(1.5, 1.5));
  ImpactOptions o = with(SeveralImpacts::compliant, 0.5, 2);
  o.without_collision = {0, 1};
  o.laws[0].restitution = 1e-3;
  const ImpactReport little = impact(two, o);
  o.laws[0].restitution = 0;
  const ImpactReport none = impact(two, o);
  ASSERT_TRUE(little.happened && none.happened);
  EXPECT_LT((none.u_after - little.u_after).norm(), 2e-3);
  EXPECT_NEAR(none.u_after(0), 0, 1e-6) << "it sticks";
}

// Friction that lifts more than the normal force does must not throw the search for that force to and fro.
TEST(Impact, SpringsWithoutRestitutionEndWithMuchFriction) {
  Eigen::MatrixXd W(4, 4);
  W << 6.6152531915479917, 3.1223816490243772, -2.4409921766816809, 0.76537346765899139, 3.1223816490243772,
      7.6179610719865023, 1.1116417736100412, 0.029079258281029308, -2.4409921766816809, 1.1116417736100412,
      4.3899907107951623, -1.655769397672096, 0.76537346765899139, 0.029079258281029308, -1.655769397672096,
      2.923440014940947;
  const Eigen::Vector4d u(-0.61122585401683893, -4.1583891982643557, 4.7718091644802101, -5.0763951958683489);
  const ContactSpace s =
      closed_contacts(2, W, VectorXd::Zero(4), u, Eigen::Vector2d(1.3989852716632694, 2.6268879793791946));
  ImpactOptions o = with(SeveralImpacts::compliant, 0, 2);
  const ImpactReport none = impact(s, o);
  ASSERT_TRUE(none.happened && none.ended) << none.reason;
  o = with(SeveralImpacts::compliant, 1e-3, 2);
  o.steps_per_period = 16000;
  const ImpactReport little = impact(s, o);
  EXPECT_LT((none.u_after - little.u_after).norm(), 0.02 * u.norm());
  Draws draws(21);
  int happened = 0;
  for (int n = 0; n < 400; ++n) {
    const int dimension = draws.integer(2, 3);
    const int contacts = draws.integer(2, 4);
    ContactSpace drawn = drawn_space(draws, dimension, contacts, draws.integer(3, 6));
    drawn.mu *= 4;
    ImpactOptions few = with(SeveralImpacts::compliant, 0, contacts);
    few.steps_per_period = 64;
    const ImpactReport r = impact(drawn, few);
    if (!r.happened) continue;
    ++happened;
    ASSERT_TRUE(r.ended) << n << ": " << r.reason;
    expect_mechanics(drawn, r, 1e-9);
  }
  EXPECT_GT(happened, 200);
}

// A body that three contacts hold in bounces ever more slowly between the ends of their springs, over ways that become
// ever longer beside them, until all its energy is gone. Rounding of these ways must not press the springs in.
TEST(Impact, SpringsOfACageTakeAllTheEnergy) {
  Eigen::MatrixXd W(6, 6);
  W << 1.6729502263364033, 0.9907069636128778, -0.4518804276333393, 0.010045468128752868, 1.6949682803313928,
      0.4481707328683628, 0.9907069636128778, 1.2320842670704695, 0.566289298525893, -0.8156557913367394,
      0.8488067496044104, 0.4138498358800667, -0.4518804276333393, 0.566289298525893, 1.2714110326063046,
      -1.032932905004316, -0.5450909060660923, -0.15170900431110293, 0.010045468128752868, -0.8156557913367394,
      -1.032932905004316, 1.0596406217317056, 0.25662993787628985, -0.2832264247399116, 1.6949682803313928,
      0.8488067496044104, -0.5450909060660923, 0.25662993787628985, 1.931786242380592, 0.06913987315900218,
      0.4481707328683628, 0.4138498358800667, -0.15170900431110293, -0.2832264247399116, 0.06913987315900218,
      0.8422774016559945;
  VectorXd u(6);
  u << 1.8029751259900197, 3.5872550673548997, 3.0056442408679747, -3.0932346816356597, 1.5943510151507105,
      0.3287127593713725;
  const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(6), u, Eigen::Vector3d(0, 0.9104706844559344, 0));
  const ImpactReport r = impact(s, with(SeveralImpacts::compliant, 0.1821010481029417, 3));
  ASSERT_TRUE(r.happened) << r.reason;
  EXPECT_TRUE(r.ended) << r.reason;
  EXPECT_LT(r.u_after.norm(), 1e-6);
  EXPECT_LT(*r.error, 1e-9);
}

// A body in a cage comes to rest over ways so long that rounding holds it there with 1e-13 of its speed, for ever.
TEST(Impact, SpringsEndWhereMotionIsOver) {
  Eigen::MatrixXd W(6, 6);
  W << 8.738396166495441, 0.497359796939229, 1.1412805261292611, -2.6740980758875033, 0.5104834305551313,
      -1.701052635442626, 0.497359796939229, 6.506258365820389, -0.7545239730362285, -4.458917215394616,
      1.3686023178149849, 1.124600800112618, 1.1412805261292611, -0.7545239730362285, 3.920674196713643,
      -1.492001429563672, -0.7269244368369605, -5.8436756102822365, -2.6740980758875033, -4.458917215394616,
      -1.492001429563672, 10.737947456241514, 1.5970994486771666, 2.2237941555448915, 0.5104834305551313,
      1.3686023178149849, -0.7269244368369605, 1.5970994486771666, 2.6189350818711747, 1.0834643198924685,
      -1.701052635442626, 1.124600800112618, -5.8436756102822365, 2.2237941555448915, 1.0834643198924685,
      8.709865427438778;
  VectorXd u(6);
  u << 0.007134971178008875, 0.011670264978081657, -2.0830872420277755, -6.233769461291742, -1.375373083023185,
      3.1047940990687932;
  const ContactSpace s =
      closed_contacts(3, W, VectorXd::Zero(6), u, Eigen::Vector2d(0.48627440704207303, 0.8084168948827339));
  ImpactOptions o = with(SeveralImpacts::compliant, 0.809827451501159, 2);
  o.laws[1].restitution = 0.5670031749588618;
  o.stiffness = Eigen::Vector2d(126552.16778334322, 950973.0304771301);
  o.tolerance.velocity = 0;
  o.steps_per_period = 200;
  const ImpactReport r = impact(s, o);
  ASSERT_TRUE(r.happened) << r.reason;
  EXPECT_TRUE(r.ended) << r.reason;
  EXPECT_LT(r.u_after.norm(), 1e-9);
  EXPECT_EQ(r.restitution_observed, 0);
}

// Springs that keep each other pressed in lose nothing more: that is seen long before the time is over.
TEST(Impact, SpringsThatOnlyVibrateSaySo) {
  Eigen::MatrixXd W(6, 6);
  W << 5.585929890874176, 3.3826914891689217, 0.15211866553029119, -3.7349075385614836, -0.3878436840847591,
      0.7544173320985745, 3.3826914891689217, 6.642674712189165, 2.298637949546609, -1.0573574808971822,
      0.48915507005867276, 0.09231289352234237, 0.15211866553029119, 2.298637949546609, 1.4736405230177274,
      1.0587917052911298, 1.7106753077984258, -0.2633855297921732, -3.7349075385614836, -1.0573574808971822,
      1.0587917052911298, 3.6398128158706196, 2.400208700746842, -0.7546099852418688, -0.3878436840847591,
      0.48915507005867276, 1.7106753077984258, 2.400208700746842, 4.745133981496343, -0.4746950862403199,
      0.7544173320985745, 0.09231289352234237, -0.2633855297921732, -0.7546099852418688, -0.4746950862403199,
      0.1597295494873707;
  VectorXd u(6);
  u << -0.6727745785495336, -0.7245968024290241, -1.221874820085127, -1.1265832575699934, -3.5270475713054834,
      0.21355583310743229;
  const ContactSpace s = closed_contacts(2, W, VectorXd::Zero(6), u,
                                         Eigen::Vector3d(1.2326247268730552, 0.47512180579049523, 0.7763745261723176));
  ImpactOptions o = with(SeveralImpacts::compliant, 0.7151518257850846, 3);
  o.laws[1].restitution = 0.7712128887100824;
  o.laws[2].restitution = 0.003;
  o.tolerance.velocity = 0;
  o.steps_per_period = 100;
  const ImpactReport r = impact(s, o);
  ASSERT_TRUE(r.happened) << r.reason;
  EXPECT_FALSE(r.ended);
  EXPECT_NE(r.reason.find("vibrates without loss"), std::string::npos) << r.reason;
}

// Two contacts without friction in one and much of it in the other, where it can hold the contact and let it lift.
ContactSpace hold_or_lift(double mu) {
  Eigen::MatrixXd W(4, 4);
  W << 1, 0, 0, 0, 0, 1, 0.6, 0.9, 0, 0.6, 1, 2, 0, 0.9, 2, 5;
  return closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(0, -1, 0, -1), Eigen::Vector2d(0, mu));
}

ImpactOptions springs_of(double r1, double r2, int steps) {
  ImpactOptions o = with(SeveralImpacts::compliant, r1, 2);
  o.laws[1].restitution = r2;
  o.steps_per_period = steps;
  return o;
}

// Where a contact may be held or lift, springs without restitution do what those with ever less of it do.
TEST(Impact, SpringsWithoutRestitutionLiftAsThoseWithLittleOfItDo) {
  for (const double mu : {4.5, 6.0}) {
    const ContactSpace s = hold_or_lift(mu);
    const ImpactReport none = impact(s, springs_of(1, 0, 4000));
    ASSERT_TRUE(none.happened && none.ended) << none.reason;
    // Closed form: c2 is pressed in until its approach ends, and leaves with the push of c1 alone.
    EXPECT_LT((none.u_after - Eigen::Vector4d(0, 1.575262, 1.173512, 1.760269)).norm(), 1e-6 + 2 * *none.error);
    for (const double r : {1e-2, 1e-3, 1e-4}) {
      const ImpactReport little = impact(s, springs_of(1, r, static_cast<int>(16 / r)));
      ASSERT_TRUE(little.happened) << r;
      EXPECT_LT((none.u_after - little.u_after).norm(), 2 * r + 2 * *none.error) << "mu " << mu << ", r " << r;
    }
  }
  Eigen::MatrixXd W(4, 4);
  W << 13, 4, 5, -1, 4, 7, 8, 2, 5, 8, 13, 7, -1, 2, 7, 9;
  const ContactSpace both =
      closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(-2, -1, -2, -4), Eigen::Vector2d(0.5, 2));
  const ImpactReport none = impact(both, springs_of(0, 0, 4000));
  ASSERT_TRUE(none.happened && none.ended) << none.reason;
  for (const double r : {1e-2, 1e-3}) {
    const ImpactReport little = impact(both, springs_of(r, r, static_cast<int>(32 / r)));
    EXPECT_LT((none.u_after - little.u_after).norm(), 5 * r + 2 * *none.error) << r;
  }
}

// Likewise for a contact that is held at first and lifts when its force has ended.
TEST(Impact, SpringsWithoutRestitutionSwingInTheirPotential) {
  Eigen::MatrixXd W(4, 4);
  W << 2.5484144563097884, 2.6518998303355694, 2.10256915773733, -0.22112464148354036, 2.6518998303355694,
      3.523932243553426, 2.0762231706170162, -1.857082316894973, 2.10256915773733, 2.0762231706170162,
      1.9662904393305707, 0.536492056388813, -0.22112464148354036, -1.857082316894973, 0.536492056388813,
      4.557779877064986;
  const Eigen::Vector4d u(-0.5896292594728915, -0.5379379598824408, -1.709768368865801, -2.8195342773624907);
  const ContactSpace s =
      closed_contacts(2, W, VectorXd::Zero(4), u, Eigen::Vector2d(1.4468888917626381, 0.9373088340181844));
  ImpactOptions o = springs_of(0, 0.6, 4000);
  o.stiffness = Eigen::Vector2d(1.3034836511968382, 3.7403361416958045);
  const ImpactReport none = impact(s, o);
  ASSERT_TRUE(none.happened && none.ended) << none.reason;
  EXPECT_NEAR(none.u_after(3), 0.1186, 1e-4);  // the limit; 0.1214 where it is held
  o = springs_of(1e-3, 0.6, 32000);
  o.stiffness = Eigen::Vector2d(1.3034836511968382, 3.7403361416958045);
  EXPECT_LT((none.u_after - impact(s, o).u_after).norm(), 5e-3);
}

// Drawn neighbours of those contacts, of which some are held and some lift. Where the swing of the force only just
// leads to zero, the time at which it does so is known to some percent.
TEST(Impact, SpringsWithoutRestitutionAreTheLimitOfLittle) {
  Draws draws(31);
  int lifted = 0;
  int held = 0;
  int apart = 0;
  for (int n = 0; n < 80; ++n) {
    ContactSpace s = hold_or_lift(draws.uniform(3, 8));
    s.W += 0.1 * drawn_gram(draws, 4, 4, 0);
    s.u =
        Eigen::Vector4d(0.3 * draws.normal(), -draws.uniform(0.2, 1.5), 0.1 * draws.normal(), -draws.uniform(0.1, 1.5));
    s.mu(0) = draws.uniform(0, 0.5);
    const double r = draws.uniform();
    const ImpactReport none = impact(s, springs_of(r, 0, 1000));
    const ImpactReport little = impact(s, springs_of(r, 1e-3, 16000));
    ASSERT_TRUE(none.happened && little.happened) << n << ": " << none.reason << little.reason;
    const double off = (none.u_after - little.u_after).norm();
    ASSERT_LT(off, 0.06 * s.u.norm() + 2 * *none.error) << n;
    apart += off > 0.01 * s.u.norm() + 2 * *none.error ? 1 : 0;
    (none.u_after(3) > 0.1 ? lifted : held) += 1;
  }
  EXPECT_LE(apart, 2);
  EXPECT_GT(lifted, 30);
  EXPECT_GT(held, 2);
}

}  // namespace several_impacts_test
}  // namespace painleve
