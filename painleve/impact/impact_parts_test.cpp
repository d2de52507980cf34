// The parts of an impact by themselves: the Runge-Kutta step by its order, the account of an impact by its laws, the
// bounces of a contact against bounces that are followed one by one.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <limits>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/bounce_map.hpp"
#include "painleve/impact/detail/dormand_prince.hpp"
#include "painleve/impact/detail/impact_ledger.hpp"
#include "painleve/impact/detail/turning_slip.hpp"
#include "painleve/impact/impact.hpp"

namespace painleve {
namespace impact_parts_test {

// --- one step of Dormand and Prince -------------------------------------------------------------------------------

// A turning pair, what grows with one of them, and a logistic curve: autonomous, not linear, known in closed form.
Eigen::Vector4d rate(const Eigen::Vector4d& y) { return {-y(1), y(0), y(0) * y(2), y(3) * (1 - y(3))}; }
Eigen::Vector4d exact(const Eigen::Vector4d& y, double t) {
  const double c = std::cos(t);
  const double s = std::sin(t);
  const double grown = std::exp(t);
  return {c * y(0) - s * y(1), s * y(0) + c * y(1), y(2) * std::exp(s * y(0) - (1 - c) * y(1)),
          y(3) * grown / (1 - y(3) + y(3) * grown)};
}

TEST(DormandPrince, IsOfOrderFiveWithAnErrorOfOrderFour) {
  const Eigen::Vector4d y(0.8, -0.3, 1.4, 0.3);
  const auto step = [&](double h) { return detail::dormand_prince<4>(rate, y, h); };
  const double h = 0.1;
  for (int i = 0; i < 4; ++i) {
    const auto wrong = [&](double size) { return std::abs(step(size).y(i) - exact(y, size)(i)); };
    EXPECT_LT(wrong(h), 1e-8) << i;
    EXPECT_NEAR(std::log2(wrong(h) / wrong(h / 2)), 6, 0.6) << i;
    // The solution of order 4 is what is left when the error is taken away.
    const auto fourth = [&](double size) {
      return std::abs(step(size).y(i) - step(size).error(i) - exact(y, size)(i));
    };
    EXPECT_NEAR(std::log2(fourth(h) / fourth(h / 2)), 5, 0.6) << i;
    EXPECT_NEAR(std::log2(std::abs(step(h).error(i) / step(h / 2).error(i))), 5, 0.6) << i;
    EXPECT_GT(fourth(h), 3 * wrong(h)) << i;
  }
}

TEST(DormandPrince, StepsGrowWhereTheErrorIsSmall) {
  EXPECT_LT(detail::step_factor(1), 1);
  EXPECT_GT(detail::step_factor(0.1), 1);
  // By the fifth root of the error, as far as the limits of either side let it.
  EXPECT_NEAR(detail::step_factor(0.5) / detail::step_factor(2), std::pow(4, 0.2), 1e-12);
  for (double error = 1e-12; error < 1e12; error *= 10) {
    EXPECT_GE(detail::step_factor(error), detail::step_factor(10 * error)) << error;
    EXPECT_GT(detail::step_factor(error), 0) << error;
  }
}

// --- the account of an impact -------------------------------------------------------------------------------------

constexpr std::array laws = {RestitutionLaw::energetic, RestitutionLaw::poisson, RestitutionLaw::newton};

BounceLaw law_of(RestitutionLaw law, double restitution) {
  BounceLaw l;
  l.law = law;
  l.restitution = restitution;
  return l;
}

// Books the way along u_n + slope Λ; the work of the normal part is the area under it.
double go(detail::ImpactLedger& ledger, double u_n, double slope, double Lambda) {
  ledger.add(Lambda, Lambda * (u_n + slope * Lambda / 2));
  return u_n + slope * Lambda;
}

// The response changes between compression and restitution, as when the slip ends there.
TEST(ImpactLedger, EndsEachPhaseByItsLaw) {
  Draws draws(51);
  for (int k = 0; k < 300; ++k) {
    for (const RestitutionLaw law : laws) {
      const double r = draws.uniform(0.05, 1);
      const double u_n = -draws.uniform(0.1, 3);
      const double compressing = draws.uniform(0.2, 3);
      const double restoring = draws.uniform(0.2, 3);
      detail::ImpactLedger ledger(law_of(law, r), u_n);
      EXPECT_EQ(ledger.left(u_n), -u_n);
      // In two parts: an account does not depend on where it is read.
      const double Lambda_c = ledger.to_end(u_n, compressing);
      EXPECT_NEAR(Lambda_c, -u_n / compressing, 1e-13);
      const double between = go(ledger, u_n, compressing, 0.3 * Lambda_c);
      EXPECT_NEAR(go(ledger, between, compressing, ledger.to_end(between, compressing)), 0, 1e-13);
      EXPECT_NEAR(ledger.Lambda_compression(), Lambda_c, 1e-13);
      EXPECT_NEAR(ledger.work_compression(), u_n * Lambda_c / 2, 1e-13);
      ledger.end_phase(false);
      EXPECT_TRUE(ledger.restitution());
      EXPECT_FALSE(ledger.ended());
      const double half = go(ledger, 0, restoring, 0.4 * ledger.to_end(0, restoring));
      EXPECT_GT(ledger.left(half), 0);
      const double after = go(ledger, half, restoring, ledger.to_end(half, restoring));
      EXPECT_NEAR(ledger.left(after), 0, 1e-13);
      const double Lambda_r = ledger.Lambda() - Lambda_c;
      const double work_r = ledger.work() - ledger.work_compression();
      EXPECT_NEAR(ledger.work_compression(), u_n * Lambda_c / 2, 1e-13) << "is what it was";
      if (law == RestitutionLaw::energetic) {
        EXPECT_NEAR(work_r, -r * r * ledger.work_compression(), 1e-12);
      } else if (law == RestitutionLaw::poisson) {
        EXPECT_NEAR(Lambda_r, r * Lambda_c, 1e-12);
      } else {
        EXPECT_NEAR(after, -r * u_n, 1e-12);
      }
      ledger.end_phase(false);
      EXPECT_TRUE(ledger.ended());
    }
  }
}

// In restitution the response may turn: u_n falls to zero before the law has had its due, and compression begins anew.
TEST(ImpactLedger, ASecondCompressionIsGivenBackToo) {
  for (const RestitutionLaw law : {RestitutionLaw::energetic, RestitutionLaw::poisson}) {
    const double r = 0.9;
    detail::ImpactLedger ledger(law_of(law, r), -1);
    go(ledger, -1, 2, ledger.to_end(-1, 2));
    ledger.end_phase(false);
    const double risen = go(ledger, 0, 0.5, 0.1);
    const double fall = ledger.to_end(risen, -0.7);
    EXPECT_NEAR(fall, risen / 0.7, 1e-14);
    EXPECT_NEAR(go(ledger, risen, -0.7, fall), 0, 1e-15);
    ledger.end_phase(true);
    EXPECT_FALSE(ledger.restitution());
    EXPECT_EQ(ledger.to_end(0, -0.7), std::numeric_limits<double>::infinity());
    const double deeper = go(ledger, 0, -0.7, 0.2);
    EXPECT_NEAR(go(ledger, deeper, 1.1, ledger.to_end(deeper, 1.1)), 0, 1e-15);
    ledger.end_phase(false);
    go(ledger, 0, 1.1, ledger.to_end(0, 1.1));
    const double Lambda_r = ledger.Lambda() - ledger.Lambda_compression();
    if (law == RestitutionLaw::energetic) {
      EXPECT_NEAR(ledger.work() - ledger.work_compression(), -r * r * ledger.work_compression(), 1e-14);
    } else {
      EXPECT_NEAR(Lambda_r, r * ledger.Lambda_compression(), 1e-14);
    }
  }
}

TEST(ImpactLedger, WithoutRestitutionCompressionIsTheEnd) {
  for (const RestitutionLaw law : laws) {
    detail::ImpactLedger ledger(law_of(law, 0), -1);
    go(ledger, -1, 2, ledger.to_end(-1, 2));
    ledger.end_phase(false);
    EXPECT_TRUE(ledger.ended());
    detail::ImpactLedger stopped(law_of(law, 1), -1);
    EXPECT_FALSE(stopped.ended());
    stopped.stop();
    EXPECT_TRUE(stopped.ended());
  }
  // Without approach Newton's law has nothing to give back, the others have what was compressed.
  for (const RestitutionLaw law : laws) {
    detail::ImpactLedger ledger(law_of(law, 0.5), 0);
    const double deeper = go(ledger, 0, -1, 0.3);
    go(ledger, deeper, 2, ledger.to_end(deeper, 2));
    ledger.end_phase(false);
    EXPECT_EQ(ledger.ended(), law == RestitutionLaw::newton);
  }
}

// --- one step of a turning slip -----------------------------------------------------------------------------------

// The two highest terms at x = 8 of a polynomial of degree 8 that is known at x = 0 … 8, by its differences.
std::array<double, 2> last_terms(std::array<double, 9> f) {
  for (std::size_t level = 1; level <= 7; ++level) {
    for (std::size_t j = 0; j + level <= 8; ++j) f[j] = f[j + 1] - f[j];
  }
  const double eighth = (f[1] - f[0]) / 40320;       // divided by 8!
  const double seventh = f[0] / 5040 - 28 * eighth;  // 0 + 1 + … + 7 = 28
  return {seventh * std::pow(8, 7), eighth * std::pow(8, 8)};
}

// A step is as long as its last two terms allow, each in units of what may be wrong.
TEST(TurningSlip, StepsEndWhereTheLastTwoTermsReachTheTolerance) {
  Draws draws(54);
  constexpr double tolerance = 1e-6;  // order 8
  int reached = 0;
  for (int k = 0; k < 500; ++k) {
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.05);
    const Eigen::Vector2d u_t(draws.normal(), draws.normal());
    const double u_n = -draws.uniform(0.05, 2);
    const SpatialContact c{W.topLeftCorner<2, 2>(), W.topRightCorner<2, 1>(), W(2, 2), {0, 0}, 0, u_t,
                           draws.uniform(0.1, 2)};
    const double speed = u_t.norm() - u_n;
    const double turning = c.mu * c.W_tt.norm() + c.W_tn.norm();
    detail::TurningSlip slip(c, speed, turning, tolerance);
    slip.start(u_t.normalized(), u_t.norm(), u_n);
    std::array<std::array<double, 9>, 7> values{};
    for (std::size_t j = 0; j <= 8; ++j) {
      const auto p = slip.at(slip.length() * static_cast<double>(j) / 8);
      const std::array<double, 7> in_units = {p.s / u_t.norm(),
                                              p.u_n / speed,
                                              p.Lambda * turning / speed,
                                              p.Lambda_t.x() * turning / speed,
                                              p.Lambda_t.y() * turning / speed,
                                              p.work_n * turning / (speed * speed),
                                              p.work_t * turning / (speed * speed)};
      for (std::size_t i = 0; i < 7; ++i) values[i][j] = in_units[i];
    }
    double largest = 0;
    for (const auto& f : values) {
      for (const double term : last_terms(f)) largest = std::max(largest, std::abs(term));
    }
    EXPECT_LE(largest, 1.001 * tolerance) << k;
    reached += largest > 0.999 * tolerance ? 1 : 0;
  }
  EXPECT_GE(reached, 100);  // the others are limited by the direction, or by the fall of s
}

// --- bounces ------------------------------------------------------------------------------------------------------

struct Followed {
  double t = 0, shift = 0, u_t = 0;
};
// Bounces one by one until they are lost in the first one's rounding.
Followed followed(PlanarContact c, double u_n, const BounceLaw& law) {
  Followed f;
  const double first = -u_n;
  while (-u_n > 1e-18 * first) {
    const Bounce b = bounce(c, u_n, law);
    f.t += b.flight;
    f.shift += b.shift;
    c.u_t = b.u_t;
    u_n = b.u_n;
    if (b.impact.u_n <= 0) {
      c.u_t = b.impact.u_t;
      break;
    }
  }
  f.u_t = c.u_t;
  return f;
}

// Loads along the surface that are weak or strong beside the one that returns the contact, landings that slip fast or
// slowly: where slip lasts for ever, where it only begins to, and where it ends.
TEST(Bounces, AreSummedAsTheyFollowEachOther) {
  Draws draws(52);
  int completes = 0;
  int slips = 0;
  for (int k = 0; k < 1500; ++k) {
    PlanarContact c = drawn_planar(draws, draws.integer(0, 1) == 0 ? 1 : -1);
    c.b_n = -draws.uniform(0.2, 2);
    c.b_t = draws.normal() * std::exp(2 * draws.normal());
    c.u_t *= std::exp(draws.normal());
    const BounceLaw law = law_of(laws[static_cast<std::size_t>(k % 3)], draws.uniform(0.1, 0.7));
    const double u_n = -draws.uniform(0.1, 3);
    const Chatter chatter = complete_chatter(c, u_n, law);
    if (!chatter.completes || chatter.e > 0.8) {
      continue;
    }
    const Followed f = followed(c, u_n, law);
    EXPECT_NEAR(chatter.t_end, f.t, 1e-12 * (1 + f.t)) << k;
    EXPECT_NEAR(chatter.shift, f.shift, 1e-10 * (1 + std::abs(f.shift))) << k;
    EXPECT_NEAR(chatter.u_t, f.u_t, 1e-9 * (1 + std::abs(c.u_t) + std::abs(f.u_t))) << k;
    ++completes;
    slips += std::abs(f.u_t) > 1e-3 ? 1 : 0;
  }
  EXPECT_GE(completes, 700);
  EXPECT_GE(slips, 200);
}

// Elastic bounces that grow lose slip at every impact, from either side: any landing sets them off.
TEST(Bounces, ElasticOnesThatGrowAreSetOffByAnyLanding) {
  Draws draws(53);
  int grow = 0;
  for (int k = 0; k < 3000; ++k) {
    PlanarContact c = drawn_planar(draws, 1);
    c.b_n = -1;
    const BounceLaw law = law_of(RestitutionLaw::energetic, 1);
    const ReverseChatter r = reverse_chatter(c, law);
    if (!r.possible) {
      continue;
    }
    ++grow;
    EXPECT_FALSE(r.from_ratio) << k;
    EXPECT_FALSE(r.to_ratio) << k;
    for (double ratio : {3.0, -3.0}) {
      for (int n = 0; n < 3000 && std::abs(ratio - r.alpha) > 1e-3 * (1 + std::abs(r.alpha)); ++n) {
        c.u_t = ratio;
        const Bounce b = bounce(c, -1, law);
        ratio = b.u_t / -b.u_n;
      }
      EXPECT_NEAR(ratio, r.alpha, 1e-3 * (1 + std::abs(r.alpha))) << k;
    }
  }
  EXPECT_GE(grow, 100);
}

// Where friction just holds the contact against being driven back, the slip that ends is followed by stick.
TEST(Bounces, TheEdgeOfTheConeBelongsToStickInAnImpact) {
  for (const double sign : {1.0, -1.0}) {
    const PlanarContact c{1, -0.5 * sign, 1, 0, 0, 0.3 * sign, 0.5};
    const PlanarImpact i = planar_impact(c, -1, law_of(RestitutionLaw::energetic, 0.5));
    EXPECT_EQ(i.u_t, 0);
    EXPECT_EQ(i.phases[static_cast<std::size_t>(i.phase_count) - 1].slide, Slide::stick) << sign;
    EXPECT_LE(i.region, 6) << sign;
  }
}

// --- springs ------------------------------------------------------------------------------------------------------

ImpactOptions springs_of(int contacts, double restitution) {
  ImpactOptions options;
  options.several = SeveralImpacts::compliant;
  options.laws.assign(static_cast<std::size_t>(contacts), law_of(RestitutionLaw::energetic, restitution));
  return options;
}

// One collision, however many springs share it.
TEST(CompliantImpact, CountsAsOne) {
  const ContactSpace s = closed_contacts(2, Eigen::Matrix4d::Identity(), Eigen::Vector4d::Zero(),
                                         Eigen::Vector4d(0, -1, 0, -2), Eigen::Vector2d(0.3, 0.3));
  const ImpactReport report = impact(s, springs_of(2, 0.5));
  EXPECT_TRUE(report.happened);
  EXPECT_EQ(report.impacts, 1);
  EXPECT_NEAR(report.u_after(1), 0.5, 1e-3);
  EXPECT_NEAR(report.u_after(3), 1, 1e-3);
}

// Contacts that no force can move are not moved.
TEST(CompliantImpact, NeedsAResponse) {
  Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
  W(0, 0) = W(2, 2) = 1;
  const ContactSpace s =
      closed_contacts(2, W, Eigen::Vector4d::Zero(), Eigen::Vector4d(0, -1, 0, -2), Eigen::Vector2d(0.3, 0.3));
  const ImpactReport report = impact(s, springs_of(2, 0.5));
  EXPECT_FALSE(report.happened);
  EXPECT_EQ(report.reason, "no normal impulse moves these contacts along their normals");
}

}  // namespace impact_parts_test
}  // namespace painleve
