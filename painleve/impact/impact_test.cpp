// Impacts of whole states: one contact among others, bilateral contacts, three models of several impacts.
#include "painleve/impact/impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/compliant_impact.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"

namespace painleve {
namespace impact_test {

using Eigen::VectorXd;

constexpr auto energetic = RestitutionLaw::energetic;

ImpactOptions with(SeveralImpacts several, double r, int contacts, RestitutionLaw law = energetic) {
  ImpactOptions o;
  o.several = several;
  o.laws.assign(static_cast<std::size_t>(contacts), BounceLaw{r, law, {}});
  return o;
}

// n contacts, W of a body with `freedoms`; the first approaches.
ContactSpace drawn_space(Draws& draws, int dimension, int n, int freedoms) {
  const Eigen::MatrixXd W = drawn_gram(draws, dimension * n, freedoms, freedoms < dimension * n ? 0 : 0.05);
  VectorXd force(dimension * n);
  for (double& x : force) x = draws.normal();
  VectorXd mu(n);
  for (double& x : mu) x = draws.uniform(0, 1.5);
  ContactSpace s = closed_contacts(dimension, W, VectorXd::Zero(dimension * n), W * force, mu);  // u in the range of W
  return s;
}

// The balls of Newton's cradle: contact i between ball i and ball i + 1, masses 1, no tangential motion.
ContactSpace cradle(const VectorXd& approach) {
  const Eigen::Index n = approach.size();
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  VectorXd u = VectorXd::Zero(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    W(2 * i, 2 * i) = 1;
    W(2 * i + 1, 2 * i + 1) = 2;
    if (i > 0) W(2 * i + 1, 2 * i - 1) = W(2 * i - 1, 2 * i + 1) = -1;
    u(2 * i + 1) = -approach(i);
  }
  return closed_contacts(2, W, VectorXd::Zero(2 * n), u, VectorXd::Zero(n));
}

void expect_mechanics(const ContactSpace& s, const ImpactReport& r, double tolerance) {
  const double size = 1 + s.W.cwiseAbs().maxCoeff() * r.Lambda.norm();
  ASSERT_LT((s.u + s.W * r.Lambda - r.u_after).norm(), tolerance * size);
  for (int i = 0; i < s.count(); ++i) {
    const double Lambda_n = r.Lambda(s.normal(i));
    const double Lambda_t = r.Lambda.segment(s.tangent(i), s.dimension - 1).norm();
    if (s.bilateral[static_cast<std::size_t>(i)]) {
      ASSERT_NEAR(r.u_after(s.normal(i)), 0, tolerance * size);
      continue;
    }
    ASSERT_GE(Lambda_n, 0);
    ASSERT_LE(Lambda_t, s.mu(i) * Lambda_n + tolerance * size);
    if (r.ended && s.gap(i) == 0) {
      ASSERT_GE(r.u_after(s.normal(i)), -1e-9 - tolerance * size);
    }
  }
}

TEST(Impact, OneContactIsTheKernel) {
  Draws draws(1);
  for (int n = 0; n < 300; ++n) {
    for (const int dimension : {2, 3}) {
      ContactSpace s = drawn_space(draws, dimension, 2, 7);
      s.u(s.normal(0)) = -draws.uniform(0.1, 1);
      s.gap(1) = 0.1;
      for (const SeveralImpacts several :
           {SeveralImpacts::sequential, SeveralImpacts::simultaneous, SeveralImpacts::compliant}) {
        const ImpactOptions o = with(several, draws.uniform(), 2);
        const ImpactReport r = impact(s, o);
        ASSERT_TRUE(r.happened && r.ended);
        ASSERT_EQ(r.impacts, 1);
        ASSERT_EQ(r.contacts, std::vector<int>{0});
        if (dimension == 2) {
          const PlanarImpact i = planar_impact(planar_contact(s, 0), s.u(1), o.laws[0]);
          ASSERT_EQ(r.u_after(0), i.u_t);
          ASSERT_EQ(r.u_after(1), i.u_n);
          ASSERT_EQ(r.Lambda(1), i.Lambda_n);
          ASSERT_EQ(r.region, std::to_string(i.region));
          ASSERT_EQ(r.phases.size(), static_cast<std::size_t>(i.phase_count));
          ASSERT_EQ(*r.restitution_observed, -i.u_n / s.u(1));
          ASSERT_NEAR(r.energy_change, i.work_n + i.work_t, 1e-12 * (1 + std::abs(i.work_t)));
        } else {
          const SpatialImpact i = spatial_impact(spatial_contact(s, 0), s.u(2), o.laws[0]);
          ASSERT_EQ(r.u_after(2), i.u_n);
          ASSERT_TRUE(r.region.empty());
          ASSERT_TRUE(r.phases.front().ends_with(" compression")) << r.phases.front();
          ASSERT_TRUE(r.phases.back().ends_with(" restitution")) << r.phases.back();
        }
        ASSERT_EQ(r.Lambda.tail(dimension).norm(), 0);
        expect_mechanics(s, r, 1e-12);  // the open contact moves as W says
      }
    }
  }
}

TEST(Impact, FrictionOfImpacts) {
  ContactSpace s = one_contact({1, 0.5, 1, 0, 0, 0.3, 3});
  s.u(1) = -1;
  ImpactOptions o = with(SeveralImpacts::sequential, 0.6, 1);
  o.laws[0].mu = 0.2;
  EXPECT_NEAR(impact(s, o).u_after(0), 0.8333333333333333, 1e-15);
}

TEST(Impact, NothingHappens) {
  ContactSpace s = one_contact({1, 0.5, 1, 0, 0, 0.3, 1});
  ImpactReport r = impact(s, {});
  EXPECT_FALSE(r.happened);
  EXPECT_EQ(r.reason, "no closed contact approaches its surface, and none slips with p < 0");
  s.u(0) = 0;
  EXPECT_EQ(impact(s, {}).reason, "no closed contact approaches its surface, and none slips");
  s.u(1) = -1;
  s.gap(0) = 1;
  EXPECT_EQ(impact(s, {}).reason, "no contact touches: nothing can strike");
  s.gap(0) = 0;
  s.u(1) = -1e-10;  // below the tolerance
  EXPECT_FALSE(impact(s, {}).happened);
  s.W.setZero();
  s.u(1) = -1;
  r = impact(s, {});
  EXPECT_FALSE(r.happened);
  EXPECT_NE(r.reason.find("no normal impulse"), std::string::npos);
}

TEST(Impact, BadOptions) {
  const ContactSpace s = one_contact({1, 0.5, 1, 0, 0, 0.3, 1});
  ImpactOptions o;
  o.laws.resize(2);
  EXPECT_THROW(impact(s, o), InputError);
  for (const double r : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(impact(s, with(SeveralImpacts::sequential, r, 1)), InputError);
  o = {};
  o.without_collision = {1};
  EXPECT_THROW(impact(s, o), InputError);
  o = {};
  o.stiffness = VectorXd::Constant(1, -1);
  EXPECT_THROW(impact(s, o), InputError);
  o.stiffness = VectorXd::Constant(1, std::nan(""));
  EXPECT_THROW(impact(s, o), InputError);
  // Springs may be far apart, in whatever unit.
  const ContactSpace two = cradle(Eigen::Vector2d(0, 0));
  for (const double unit : {1e-10, 1.0, 1e10}) {
    o.stiffness = unit * Eigen::Vector2d(1e-7, 1);
    EXPECT_NO_THROW(impact(two, o)) << unit;
    o.stiffness = unit * Eigen::Vector2d(1, 1e-9);
    EXPECT_THROW(impact(two, o), InputError) << unit;
  }
  EXPECT_THROW(several_impacts("at once"), InputError);
  EXPECT_EQ(several_impacts("compliant"), SeveralImpacts::compliant);
}

// A bilateral contact keeps its normal velocity: the impact is that of the body it leaves.
TEST(Impact, BilateralContactsHold) {
  Draws draws(2);
  for (int n = 0; n < 500; ++n) {
    ContactSpace s = drawn_space(draws, 2, 3, 9);
    s.bilateral[1] = true;
    s.u(s.normal(1)) = 0;
    s.u(s.normal(0)) = -draws.uniform(0.1, 1);
    s.gap(2) = 1;
    const ImpactOptions o = with(SeveralImpacts::sequential, draws.uniform(), 3);
    const ImpactReport r = impact(s, o);
    ASSERT_TRUE(r.happened);
    expect_mechanics(s, r, 1e-12);
    // The Schur complement by hand.
    const int held = s.normal(1);
    const Eigen::Matrix2d W =
        s.W.topLeftCorner<2, 2>() - s.W.col(held).head<2>() * s.W.row(held).head<2>() / s.W(held, held);
    const PlanarContact c{W(0, 0), W(0, 1), W(1, 1), 0, 0, s.u(0), s.mu(0)};
    const PlanarImpact i = planar_impact(c, s.u(1), o.laws[0]);
    ASSERT_NEAR(r.u_after(0), i.u_t, 1e-11);
    ASSERT_NEAR(r.u_after(1), i.u_n, 1e-11);
    ASSERT_NEAR(r.energy_change, i.work_n + i.work_t, 1e-10 * (1 + std::abs(i.work_t)));
    const ImpactReport together = impact(s, with(SeveralImpacts::simultaneous, 0.5, 3));
    if (together.happened) {
      ASSERT_NEAR(together.u_after(held), 0, 1e-10);
    }
  }
}

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

// There is no speed to compare with: all velocities times a power of two give all velocities times it, to the last bit.
TEST(Impact, IsHomogeneousInTheVelocities) {
  Draws draws(9);
  int happened = 0;
  for (int n = 0; n < 24; ++n) {
    const int dimension = n % 4 == 0 ? 3 : 2;
    const ContactSpace s = drawn_space(draws, dimension, 2, n % 2 == 0 ? 3 : 8);
    for (const SeveralImpacts several : {SeveralImpacts::sequential, SeveralImpacts::compliant}) {
      ImpactOptions o = with(several, draws.uniform(0.2, 1), 2);
      o.tolerance = {0, 0};
      o.steps_per_period = 100;
      const ImpactReport r = impact(s, o);
      happened += r.happened ? 1 : 0;
      for (const double unit : {std::ldexp(1, -60), std::ldexp(1, 40)}) {
        ContactSpace other = s;
        other.u *= unit;
        const ImpactReport q = impact(other, o);
        ASSERT_EQ(q.happened, r.happened) << n;
        ASSERT_EQ(q.impacts, r.impacts) << n;
        if (!r.happened) continue;
        ASSERT_EQ(q.u_after, unit * r.u_after) << n << " " << r.method;
        ASSERT_EQ(q.Lambda, unit * r.Lambda) << n << " " << r.method;
        ASSERT_EQ(q.phases, r.phases) << n;
      }
    }
  }
  EXPECT_GT(happened, 24);
}

TEST(Impact, WithoutCollision) {
  // IF and FI of one body: both contacts slip with p < 0.
  Eigen::MatrixXd W(4, 4);
  W << 1, 0.5, 0.1, 0, 0.5, 1, 0, 0.2, 0.1, 0, 1, 0.6, 0, 0.2, 0.6, 1;
  const ContactSpace s =
      closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(0.7, 0, 0.4, 0), Eigen::Vector2d(2.5, 2.5));
  ImpactOptions o = with(SeveralImpacts::sequential, 0.8, 2);
  ImpactReport r = impact(s, o);
  ASSERT_TRUE(r.happened && r.without_collision);
  EXPECT_EQ(r.candidates, (std::vector<int>{1, 0}));
  EXPECT_EQ(r.contacts.front(), 1);  // p = −0.5 is below −0.25
  EXPECT_FALSE(r.restitution_observed);
  o.without_collision = {0};
  r = impact(s, o);
  EXPECT_EQ(r.contacts.front(), 0);
  const PlanarImpact i = planar_impact(planar_contact(s, 0), 0, o.laws[0]);
  EXPECT_EQ(i.outcome, ImpactOutcome::without_collision);
  EXPECT_EQ(r.impacts, 1);  // it lifts the other contact
  EXPECT_EQ(r.Lambda(1), i.Lambda_n);
  EXPECT_EQ(r.u_after(1), i.u_n);
  EXPECT_GT(r.u_after(3), 0);
  expect_mechanics(s, r, 1e-12);
  // By springs: the same end, of the contact that is asked for alone.
  o.several = SeveralImpacts::compliant;
  const ImpactReport springs = impact(s, o);
  EXPECT_TRUE(springs.method.starts_with("compliant")) << springs.method;
  EXPECT_EQ(springs.contacts, std::vector<int>{0});
  EXPECT_EQ(springs.candidates, (std::vector<int>{1, 0}));
  EXPECT_NEAR((springs.u_after - r.u_after).norm(), 0, 1e-3);
  o.several = SeveralImpacts::sequential;
  // Where friction cannot jam the contact there is none.
  ContactSpace calm = s;
  calm.mu(0) = 0.5;
  r = impact(calm, o);
  EXPECT_FALSE(r.happened);
  EXPECT_NE(r.reason.find("c1 has no impact without collision"), std::string::npos);
}

// II: both contacts are pressed in together; springs decide.
TEST(Impact, WithoutCollisionOfTwoContacts) {
  Draws draws(8);
  int found = 0;
  int refused = 0;
  for (int n = 0; n < 60; ++n) {
    ContactSpace s = drawn_space(draws, 2, 2, 6);
    s.u(1) = s.u(3) = 0;
    s.mu *= 2;
    ImpactOptions o = with(SeveralImpacts::sequential, 0.7, 2);
    o.steps_per_period = 1000;
    o.without_collision = {0, 1};
    const ImpactReport r = impact(s, o);
    const auto P = [&](int i, int j) {
      return s.W(2 * i + 1, 2 * j + 1) - s.mu(j) * (s.u(2 * j) > 0 ? 1 : -1) * s.W(2 * i + 1, 2 * j);
    };
    if (!r.happened) {
      ++refused;
      ASSERT_EQ(r.reason, "no growing solution of the springs presses in these contacts together");
      ASSERT_FALSE(P(0, 0) < 0 && P(1, 1) < 0 && P(0, 1) < 0 && P(1, 0) < 0);  // Perron: those always have one
      continue;
    }
    ++found;
    ASSERT_TRUE(r.without_collision && r.ended);
    ASSERT_TRUE(P(0, 0) < 0 || P(1, 1) < 0 || P(0, 0) * P(1, 1) < P(0, 1) * P(1, 0));
    expect_mechanics(s, r, 1e-9);
    ASSERT_LT(r.energy_change, 0);
    ASSERT_GT(r.Lambda(1), 0);
    ASSERT_GT(r.Lambda(3), 0);
  }
  EXPECT_GT(found, 3);
  EXPECT_GT(refused, 3);
}

// Two masses on parallel guides, joined by a rod (Painlevé & Klein), have one motion left: an impulse that ends the
// slip of one guide ends all motion.
TEST(Impact, WithoutCollisionOfBilateralContacts) {
  ContactSpace s;
  s.dimension = 2;
  // Rows t1, n1, t2, n2 of the masses 1 and 1 with the rod at 60 degrees between them held rigid.
  const double c = 0.5;
  const double n = std::sqrt(3.0) / 2;
  Eigen::MatrixXd J(4, 3);  // coordinates: x, y of mass 1, angle of the rod
  J << 1, 0, 0, 0, 1, 0, 1, 0, -n, 0, 1, c;
  Eigen::Matrix3d M;
  M << 2, 0, -n, 0, 2, c, -n, c, 1;
  s.W = J * M.inverse() * J.transpose();
  s.b = s.drift = Eigen::VectorXd::Zero(4);
  s.u = Eigen::Vector4d(1, 0, 1, 0);
  s.gap = Eigen::VectorXd::Zero(2);
  s.mu = Eigen::Vector2d(0, 3);
  s.bilateral = {true, true};
  s.names = {"guide1", "guide2"};
  ImpactOptions o;
  o.without_collision = {0, 1};
  const ImpactReport r = impact(s, o);
  ASSERT_TRUE(r.happened) << r.reason;
  EXPECT_TRUE(r.without_collision);
  EXPECT_LT(r.u_after.norm(), 1e-12);
  EXPECT_NEAR(r.energy_change, -1, 1e-12);  // all of ½ (1 + 1) 1²
  s.mu = Eigen::Vector2d(0, 0.1);           // too little friction to jam
  EXPECT_FALSE(impact(s, o).happened);
}

}  // namespace impact_test
}  // namespace painleve
