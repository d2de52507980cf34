// Impacts of whole states: one contact among others, bilateral contacts, impacts without collision.
#include "painleve/impact/impact.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/impact/compliant_impact.hpp"
#include "painleve/impact/detail/impact_cases.hpp"
#include "painleve/impact/planar_impact.hpp"
#include "painleve/impact/spatial_impact.hpp"
#include "painleve/modes/impact_without_collision.hpp"

namespace painleve {
namespace impact_test {

using detail::cradle;
using detail::drawn_space;
using detail::expect_mechanics;
using detail::with;
using Eigen::VectorXd;

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

// Two contacts that slip along +t with the slip matrix P; the forces of each leave slip.
ContactSpace slipping(const Eigen::Matrix2d& P) {
  const Eigen::Matrix2d W_nt = Eigen::Matrix2d::Identity() - P;  // mu = 1
  const Eigen::Matrix2d W_tt = W_nt.transpose() * W_nt + 8 * Eigen::Matrix2d::Identity();
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(4, 4);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      W(2 * i + 1, 2 * j) = W(2 * j, 2 * i + 1) = W_nt(i, j);
      W(2 * i, 2 * j) = W_tt(i, j);
    }
  }
  return closed_contacts(2, W, VectorXd::Zero(4), Eigen::Vector4d(1, 0, 1, 0), VectorXd::Ones(2));
}

// II although p > 0 at both: each contact presses the other in.
TEST(Impact, WithoutCollisionOfContactsThatOnlyJamTogether) {
  Eigen::Matrix2d P;
  P << 1, -3, -3, 1;
  const ContactSpace s = slipping(P);
  for (const auto several : {SeveralImpacts::sequential, SeveralImpacts::simultaneous, SeveralImpacts::compliant}) {
    ImpactOptions o = with(several, 0.5, 2);
    const ImpactReport r = impact(s, o);
    ASSERT_TRUE(r.happened && r.without_collision && r.ended) << r.reason;
    EXPECT_EQ(r.contacts, (std::vector<int>{0, 1}));
    EXPECT_TRUE(r.candidates.empty());
    expect_mechanics(s, r, 1e-9);
    EXPECT_NEAR(r.Lambda(1), r.Lambda(3), 1e-9);
    // As they mirror each other, both are like one contact with these numbers.
    const double A = s.W(0, 0) + s.W(0, 2);
    const double B = s.W(0, 1) + s.W(0, 3);
    const double C = s.W(1, 1) + s.W(1, 3);
    const double p = C - B;
    const double v_s = p / (A - B);
    const double K = C - B * B / A;
    EXPECT_NEAR(r.u_after(1), 0.5 * -v_s * std::sqrt(1 + K / -p), 1e-5);
    EXPECT_NEAR(r.u_after(0), 0, 1e-6);
    o.without_collision = {0, 1};
    EXPECT_EQ(impact(s, o).u_after, r.u_after);
  }
  P << 1, 3, 3, 1;  // each lifts the other
  EXPECT_EQ(impact(slipping(P), {}).reason, "no closed contact approaches its surface, and none slips with p < 0");
}

// IF and FI, not II: springs take the lower p as a sequence does.
TEST(Impact, WithoutCollisionOfOneOfTwoBySprings) {
  Eigen::Matrix2d P;
  P << -1, 5, 5, -1.5;
  const ContactSpace s = slipping(P);
  const ImpactReport one = impact(s, with(SeveralImpacts::sequential, 0.5, 2));
  const ImpactReport springs = impact(s, with(SeveralImpacts::compliant, 0.5, 2));
  ASSERT_TRUE(one.happened && springs.happened) << springs.reason;
  EXPECT_EQ(springs.contacts, std::vector<int>{1});
  EXPECT_EQ(springs.candidates, (std::vector<int>{1, 0}));
  EXPECT_NEAR((one.u_after - springs.u_after).norm(), 0, 1e-4);
}

// Where a word is possible there is an impact, contacts at rest that carry impulses included.
TEST(Impact, WithoutCollisionWhereAWordIsPossible) {
  Draws draws(15);
  int with_rest = 0;
  int together = 0;
  for (int n = 0; n < 500; ++n) {
    ContactSpace s = drawn_space(draws, 2, 2, 6);
    s.mu *= 3;
    s.u(1) = s.u(3) = 0;
    if (n % 2 == 0) s.u(0) = 0;
    std::vector<Touch> touches{n % 2 == 0 ? Touch::resting : Touch::slipping, Touch::slipping};
    const auto words = impacts_without_collision(s, touches, VectorXd::Ones(2), VectorXd::Zero(2)).words;
    const auto word = std::find_if(words.begin(), words.end(), [](const auto& w) { return w.possible; });
    if (word == words.end()) continue;
    ImpactOptions o = with(SeveralImpacts::sequential, 0.5, 2);
    o.steps_per_period = 1000;
    const ImpactReport r = impact(s, o);
    ASSERT_TRUE(r.happened && r.without_collision) << n << " " << word->name << ": " << r.reason;
    expect_mechanics(s, r, 1e-9);
    ASSERT_LT(r.energy_change, 0) << n;
    if (!r.candidates.empty()) continue;
    (n % 2 == 0 ? with_rest : together)++;
    ASSERT_GT(r.Lambda(1), 0) << n << " " << word->name;
    ASSERT_GT(r.Lambda(3), 0) << n << " " << word->name;
    o.without_collision = r.contacts;
    ASSERT_EQ(impact(s, o).u_after, r.u_after) << n;
  }
  EXPECT_GT(with_rest, 3);
  EXPECT_GT(together, 3);
}

// Only closed contacts that slip can be asked for, each once.
TEST(Impact, WithoutCollisionOfContactsThatCannot) {
  Eigen::Matrix2d P;
  P << -1, 1, 1, -1;
  ContactSpace s = slipping(P);
  ImpactOptions o;
  o.without_collision = {0, 0};
  EXPECT_THROW(impact(s, o), InputError);
  s.gap(1) = 0.5;
  for (const std::vector<int>& asked : {std::vector<int>{0, 1}, std::vector<int>{1, 0}, std::vector<int>{1}}) {
    o.without_collision = asked;
    const ImpactReport r = impact(s, o);
    EXPECT_FALSE(r.happened);
    EXPECT_EQ(r.reason, "c2 has no impact without collision: it is not closed");
  }
  s.gap(1) = 0;
  s.bilateral = {true, true};
  s.u.setZero();
  o.without_collision = {0};
  EXPECT_EQ(impact(s, o).reason, "none of these contacts slips");
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
