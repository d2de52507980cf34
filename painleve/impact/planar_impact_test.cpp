// The closed form of the planar impact: numbers of the literature, laws over drawn inputs, limits.
#include "painleve/impact/planar_impact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/impact_path.hpp"

namespace painleve {
namespace planar_impact_test {

constexpr std::array laws = {RestitutionLaw::energetic, RestitutionLaw::poisson, RestitutionLaw::newton};

PlanarContact contact(double A, double B, double C, double mu, double u_t) { return {A, B, C, 0, 0, u_t, mu}; }

std::string phase_letters(const PlanarImpact& i) {
  std::string text;
  for (int k = 0; k < i.phase_count; ++k) {
    const std::string phase = to_string(i.phases[static_cast<std::size_t>(k)]);
    const std::string slide = phase.substr(0, phase.find(' '));
    text += (k > 0 ? " " : "") + (slide == "stick" ? "T" : "S" + slide.substr(4)) + phase[slide.size() + 1];
  }
  return text;
}

// Independent full-precision values for W = [A B; B C] with A = C = 1, computed by another program.
struct Row {
  double u_t, u_n, B, mu, r;
  RestitutionLaw law;
  int region;
  double after_t, after_n, Lambda, Lambda_c, work_c, work_r, work_t, energy;
  std::string phases;  // S+c: slip+ compression, Tr: stick restitution, …
};

constexpr auto energetic = RestitutionLaw::energetic;
constexpr auto poisson = RestitutionLaw::poisson;
constexpr auto newton = RestitutionLaw::newton;

const std::vector<Row>& rows() {
  static const std::vector<Row> list = {
      {3.0, -1.0, 0.5, 0.8, 0.6, energetic, 1, 2.2, 0.6, 2.666666666666667, 1.6666666666666667, -0.8333333333333334,
       0.29999999999999993, -5.546666666666667, -6.079999999999999, "S+c S+r"},
      {3.0, -1.0, 0.5, 0.8, 0.6, poisson, 1, 2.1999999999999997, 0.6000000000000001, 2.666666666666667,
       1.6666666666666667, -0.8333333333333334, 0.30000000000000016, -5.546666666666667, -6.08, "S+c S+r"},
      {3.0, -1.0, 0.5, 0.8, 0.6, newton, 1, 2.2, 0.6, 2.666666666666667, 1.6666666666666667, -0.8333333333333334,
       0.29999999999999993, -5.546666666666667, -6.079999999999999, "S+c S+r"},
      {2.0, -1.0, 0.5, 1.2, 0.8, energetic, 3, 0.0, 1.0872639316848771, 4.1163519089131695, 2.5, -1.25, 0.8,
       -3.4285714285714284, -3.878571428571429, "S+c S+r Tr"},
      {2.0, -1.0, 0.5, 1.2, 0.8, poisson, 3, 0.0, 1.375, 4.5, 2.5, -1.25, 1.2723214285714284, -3.4285714285714284,
       -3.40625, "S+c S+r Tr"},
      {2.0, -1.0, 0.5, 1.2, 0.8, newton, 3, 0.0, 0.8, 3.7333333333333334, 2.5, -1.25, 0.4385714285714285,
       -3.4285714285714284, -4.24, "S+c S+r Tr"},
      {0.3, -1.0, 0.5, 1.2, 0.8, energetic, 5, 0.0, 0.9030741149777559, 2.7374321533036747, 1.5333333333333332,
       -0.8495238095238095, 0.5436952380952381, -0.07714285714285715, -0.38297142857142863, "S+c Tc Tr"},
      {0.3, -1.0, 0.5, 1.2, 0.8, poisson, 5, 0.0, 0.9199999999999999, 2.76, 1.5333333333333332, -0.8495238095238095,
       0.5642666666666666, -0.07714285714285715, -0.36240000000000017, "S+c Tc Tr"},
      {0.3, -1.0, 0.5, 1.2, 0.8, newton, 5, 0.0, 0.8, 2.5999999999999996, 1.5333333333333332, -0.8495238095238095,
       0.4266666666666667, -0.07714285714285715, -0.5, "S+c Tc Tr"},
      {0.7, -1.0, 0.5, 2.5, 0.8, energetic, 5, 0.0, 1.0524257693538297, 3.203234359138439, 1.7999999999999998,
       -1.1537499999999998, 0.7384000000000002, -0.30624999999999997, -0.7215999999999997, "S+c Tc Tr"},
      {0.7, -1.0, 0.5, 2.5, 0.8, poisson, 5, 0.0, 1.08, 3.2399999999999998, 1.7999999999999998, -1.1537499999999998,
       0.7776000000000001, -0.30624999999999997, -0.6823999999999999, "S+c Tc Tr"},
      {0.7, -1.0, 0.5, 2.5, 0.8, newton, 5, 0.0, 0.8, 2.8666666666666663, 1.7999999999999998, -1.1537499999999998,
       0.42666666666666675, -0.30624999999999997, -1.0333333333333332, "S+c Tc Tr"},
      {0.7, 0.0, 0.5, 2.5, 0.8, energetic, 5, 0.0, 0.13999999999999999, 0.6533333333333333, 0.4666666666666666,
       -0.020416666666666663, 0.013066666666666664, -0.30624999999999997, -0.31359999999999993, "S+c Tc Tr"},
      {0.7, 0.0, 0.5, 2.5, 0.8, poisson, 5, 0.0, 0.28, 0.84, 0.4666666666666666, -0.020416666666666663,
       0.052266666666666683, -0.30624999999999997, -0.2743999999999999, "S+c Tc Tr"},
      {0.7, 0.0, 0.5, 2.5, 0.8, newton, 5, 0.0, 0.0, 0.4666666666666666, 0.4666666666666666, -0.020416666666666663, 0.0,
       -0.30624999999999997, -0.3266666666666666, "S+c Tc"},
      {-0.7, 0.0, -0.5, 2.5, 0.8, energetic, 6, 0.0, 0.13999999999999999, 0.6533333333333333, 0.4666666666666666,
       -0.020416666666666663, 0.013066666666666664, -0.30624999999999997, -0.31359999999999993, "S-c Tc Tr"},
      {-0.7, 0.0, -0.5, 2.5, 0.8, poisson, 6, 0.0, 0.28, 0.84, 0.4666666666666666, -0.020416666666666663,
       0.052266666666666683, -0.30624999999999997, -0.2743999999999999, "S-c Tc Tr"},
      {-0.7, 0.0, -0.5, 2.5, 0.8, newton, 6, 0.0, 0.0, 0.4666666666666666, 0.4666666666666666, -0.020416666666666663,
       0.0, -0.30624999999999997, -0.3266666666666666, "S-c Tc"},
      {0.3, -1.0, 0.5, 0.2, 0.6, energetic, 1, 0.8333333333333333, 0.6000000000000001, 1.777777777777778,
       1.1111111111111112, -0.5555555555555556, 0.20000000000000007, -0.20148148148148148, -0.5570370370370372,
       "S+c S+r"},
      {0.3, -1.0, 0.5, 0.2, 0.6, poisson, 1, 0.8333333333333333, 0.6000000000000001, 1.777777777777778,
       1.1111111111111112, -0.5555555555555556, 0.20000000000000007, -0.20148148148148148, -0.5570370370370372,
       "S+c S+r"},
      {0.3, -1.0, 0.5, 0.2, 0.6, newton, 1, 0.8333333333333333, 0.6, 1.7777777777777777, 1.1111111111111112,
       -0.5555555555555556, 0.19999999999999996, -0.20148148148148148, -0.5570370370370372, "S+c S+r"},
      {-0.3, -1.0, 0.5, 0.2, 0.6, energetic, 10, 0.3626286259170527, 0.5593144491797297, 1.6373335149616044,
       1.0158730158730158, -0.482766439909297, 0.17379591836734692, -0.05669031630197278, -0.365660837843923,
       "S-c S+c S+r"},
      {-0.3, -1.0, 0.5, 0.2, 0.6, poisson, 10, 0.359047619047619, 0.5485714285714286, 1.6253968253968254,
       1.0158730158730158, -0.482766439909297, 0.16718367346938778, -0.05582887377173091, -0.3714116402116403,
       "S-c S+c S+r"},
      {-0.3, -1.0, 0.5, 0.2, 0.6, newton, 10, 0.37619047619047613, 0.6, 1.6825396825396823, 1.0158730158730158,
       -0.482766439909297, 0.19999999999999996, -0.06003023431594859, -0.34279667422524573, "S-c S+c S+r"},
      {-0.75, -1.0, 0.5, 0.2, 0.6, energetic, 8, 0.12315478747113465, 0.5480357909848326, 1.4819445296656868,
       0.9090909090909091, -0.45454545454545453, 0.16363636363636364, -0.08541284341616298, -0.37632193432525385,
       "S-c S-r S+r"},
      {-0.75, -1.0, 0.5, 0.2, 0.6, poisson, 8, 0.11493506493506495, 0.5233766233766235, 1.4545454545454546,
       0.9090909090909091, -0.45454545454545453, 0.14895850902344415, -0.08476049924101872, -0.39034744476302907,
       "S-c S-r S+r"},
      {-0.75, -1.0, 0.5, 0.2, 0.6, newton, 8, 0.14047619047619045, 0.6, 1.5396825396825395, 0.9090909090909091,
       -0.45454545454545453, 0.1967790146361575, -0.0869349962207105, -0.3447014361300075, "S-c S-r S+r"},
      {-3.0, -1.0, 0.5, 0.2, 0.6, energetic, 2, -1.981818181818182, 0.6000000000000001, 1.4545454545454546,
       0.9090909090909091, -0.45454545454545453, 0.1636363636363637, -0.7246280991735536, -1.015537190082644,
       "S-c S-r"},
      {-3.0, -1.0, 0.5, 0.2, 0.6, poisson, 2, -1.981818181818182, 0.6000000000000001, 1.4545454545454546,
       0.9090909090909091, -0.45454545454545453, 0.1636363636363637, -0.7246280991735536, -1.015537190082644,
       "S-c S-r"},
      {-3.0, -1.0, 0.5, 0.2, 0.6, newton, 2, -1.981818181818182, 0.6, 1.4545454545454546, 0.9090909090909091,
       -0.45454545454545453, 0.16363636363636364, -0.7246280991735536, -1.0155371900826444, "S-c S-r"},
      {0.0, -1.0, 0.5, 1.0, 0.6, energetic, 0, 0.0, 0.6, 2.1333333333333333, 1.3333333333333333, -0.6666666666666666,
       0.24, 0.0, -0.42666666666666664, "Tc Tr"},
      {0.0, -1.0, 0.5, 1.0, 0.6, poisson, 0, 0.0, 0.6000000000000001, 2.1333333333333333, 1.3333333333333333,
       -0.6666666666666666, 0.24000000000000005, 0.0, -0.4266666666666665, "Tc Tr"},
      {0.0, -1.0, 0.5, 1.0, 0.6, newton, 0, 0.0, 0.6, 2.1333333333333333, 1.3333333333333333, -0.6666666666666666, 0.24,
       0.0, -0.42666666666666664, "Tc Tr"},
      {0.0, -1.0, 0.5, 0.2, 0.6, energetic, 1, 0.5333333333333333, 0.6000000000000001, 1.777777777777778,
       1.1111111111111112, -0.5555555555555556, 0.20000000000000007, -0.09481481481481482, -0.4503703703703703,
       "S+c S+r"},
      {0.0, -1.0, 0.5, 0.2, 0.6, poisson, 1, 0.5333333333333333, 0.6000000000000001, 1.777777777777778,
       1.1111111111111112, -0.5555555555555556, 0.20000000000000007, -0.09481481481481482, -0.4503703703703703,
       "S+c S+r"},
      {0.0, -1.0, 0.5, 0.2, 0.6, newton, 1, 0.5333333333333333, 0.6, 1.7777777777777777, 1.1111111111111112,
       -0.5555555555555556, 0.19999999999999996, -0.09481481481481481, -0.4503703703703703, "S+c S+r"},
  };
  return list;
}

TEST(PlanarImpact, KnownImpacts) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(testing::Message() << "u " << row.u_t << ", mu " << row.mu << ", " << to_string(row.law));
    const PlanarImpact i = planar_impact(contact(1, row.B, 1, row.mu, row.u_t), row.u_n, {row.r, row.law, {}});
    EXPECT_EQ(i.region, row.region);
    EXPECT_EQ(i.outcome, row.u_n < 0 ? ImpactOutcome::collision : ImpactOutcome::without_collision);
    constexpr double rounding = 2e-15;
    EXPECT_NEAR(i.u_t, row.after_t, rounding);
    EXPECT_NEAR(i.u_n, row.after_n, rounding);
    EXPECT_NEAR(i.Lambda_n, row.Lambda, rounding);
    EXPECT_NEAR(i.Lambda_compression, row.Lambda_c, rounding);
    EXPECT_NEAR(i.work_compression, row.work_c, rounding);
    EXPECT_NEAR(i.work_n - i.work_compression, row.work_r, rounding);
    EXPECT_NEAR(i.work_t, row.work_t, 2 * rounding);
    EXPECT_NEAR(i.work_n + i.work_t, row.energy, 2 * rounding);
    EXPECT_EQ(phase_letters(i), row.phases);
  }
}

TEST(PlanarImpact, WithoutCollisionInClosedForm) {
  const PlanarContact c = contact(1, 0.5, 1, 2.5, 0.7);
  const double p = 1 - 2.5 * 0.5;
  const double k = 2.5 - 0.5;
  const double K = 0.75;
  EXPECT_NEAR(planar_impact(c, 0, {0.8, energetic, {}}).u_n, 0.8 * std::abs(p * 0.7 / k) * std::sqrt(1 + K / -p),
              1e-16);
  EXPECT_NEAR(planar_impact(c, 0, {0.8, poisson, {}}).u_n, 0.8 * 0.7 * 0.5, 1e-16);
  EXPECT_EQ(planar_impact(c, 0, {0.8, newton, {}}).u_n, 0);
}

// u_n = 0 starts an impact exactly when the contact slips with p < 0, and it ends without slip.
TEST(PlanarImpact, WithoutCollisionIffTheContactJams) {
  Draws draws(411);
  int jams = 0;
  for (int n = 0; n < 4000; ++n) {
    const PlanarContact c = drawn_planar(draws, draws.integer(-1, 1));
    const PlanarImpact i = planar_impact(c, 0, {draws.uniform(), laws[static_cast<std::size_t>(n % 3)], {}});
    const double p = c.W_nn - c.mu * c.W_tn * (c.u_t > 0 ? 1 : -1);
    const bool jam = c.u_t != 0 && p < 0;
    jams += jam ? 1 : 0;
    ASSERT_EQ(i.outcome, jam ? ImpactOutcome::without_collision : ImpactOutcome::none);
    ASSERT_EQ(i.u_t, jam ? 0 : c.u_t);
    ASSERT_EQ(i.region, !jam ? 0 : c.u_t > 0 ? 5 : 6);
  }
  EXPECT_GT(jams, 300);
}

// A draw in which every region is common.
struct Drawn {
  PlanarContact c;
  double u_n, r;
};
Drawn drawn(Draws& draws) {
  Drawn d{drawn_planar(draws, draws.integer(0, 15) == 0 ? 0 : 2 * draws.integer(0, 1) - 1), 0, draws.uniform()};
  d.c.u_t *= draws.uniform();
  d.c.mu *= draws.uniform();
  d.u_n = draws.integer(0, 9) == 0 ? 0 : -draws.uniform(0.05, 2);
  return d;
}

double kinetic(const PlanarContact& c, double u_t, double u_n) {
  const double D = c.W_tt * c.W_nn - c.W_tn * c.W_tn;
  return (c.W_nn * u_t * u_t - 2 * c.W_tn * u_t * u_n + c.W_tt * u_n * u_n) / (2 * D);
}

struct Findings {
  std::map<int, int> regions;
  double velocity = 0, impulse = 0, work = 0, energy = 0, motion = 0, gain = 0;
  int gains = 0, different_phases = 0;
};

void compare(const Drawn& d, const BounceLaw& law, Findings& f) {
  const PlanarImpact i = planar_impact(d.c, d.u_n, law);
  const ImpactPath path = impact_path(d.c, d.u_n, law);
  ASSERT_EQ(i.outcome, path.outcome);
  if (!i.happened()) return;
  ++f.regions[i.region];
  const ImpactCorner& end = path.corners.back();
  const double speed = std::abs(d.c.u_t) + std::abs(d.u_n);
  const double energy = kinetic(d.c, d.c.u_t, d.u_n);
  const auto worst = [](double& at, double x) { at = std::fmax(at, std::abs(x)); };
  worst(f.velocity, (std::abs(i.u_t - end.u_t) + std::abs(i.u_n - end.u_n)) / (speed + std::abs(i.u_t) + i.u_n));
  worst(f.impulse, (std::abs(i.Lambda_n - end.Lambda_n) + std::abs(i.Lambda_t - end.Lambda_t)) / i.Lambda_n);
  worst(f.impulse, (i.Lambda_compression - path.Lambda_compression) / i.Lambda_n);
  worst(f.work, (std::abs(i.work_n - path.work_n) + std::abs(i.work_t - path.work_t)) / energy);
  worst(f.work, (i.work_compression - path.work_compression) / energy);
  // The impulse moves the velocity, and the works are the change of energy.
  const double moved_t = d.c.u_t + d.c.W_tt * i.Lambda_t + d.c.W_tn * i.Lambda_n;
  const double moved_n = d.u_n + d.c.W_tn * i.Lambda_t + d.c.W_nn * i.Lambda_n;
  const double made_of = speed + (d.c.W_tt + d.c.W_nn) * (i.Lambda_n + std::abs(i.Lambda_t));
  worst(f.motion, (std::abs(moved_t - i.u_t) + std::abs(moved_n - i.u_n)) / made_of);
  const double after = kinetic(d.c, i.u_t, i.u_n);
  worst(f.energy, (i.work_n + i.work_t - (after - energy)) / (energy + after));
  const double gain = i.work_n + i.work_t;
  if (gain > 1e-12 * energy) ++f.gains;
  f.gain = std::fmax(f.gain, gain / energy);
  std::vector<ImpactPhase> phases(i.phases.begin(), i.phases.begin() + i.phase_count);
  f.different_phases += phases == path.phases() ? 0 : 1;
}

Findings findings(RestitutionLaw law, int count) {
  Draws draws(2016);
  Findings f;
  for (int n = 0; n < count && !testing::Test::HasFatalFailure(); ++n) {
    const Drawn d = drawn(draws);
    compare(d, {d.r, law, {}}, f);
  }
  return f;
}

// Two routes, an account of the energy, and the claims of the laws about it.
TEST(PlanarImpact, ClosedFormIsTheIntegratedPath) {
  for (const RestitutionLaw law : laws) {
    SCOPED_TRACE(to_string(law));
    const Findings f = findings(law, 100000);
    for (int region = 0; region <= 10; ++region)
      EXPECT_GT(f.regions.count(region) ? f.regions.at(region) : 0, 100) << region;
    EXPECT_LT(f.velocity, 1e-13);
    EXPECT_LT(f.impulse, 1e-13);
    EXPECT_LT(f.work, 1e-13);
    EXPECT_LT(f.motion, 1e-14);
    EXPECT_LT(f.energy, 1e-12);  // the inverse of W, as far as 0.98 from singular, costs two digits
    EXPECT_EQ(f.different_phases, 0);
    if (law == RestitutionLaw::newton) {
      EXPECT_GT(f.gains, 1000);
      EXPECT_GT(f.gain, 1);
    } else {
      EXPECT_EQ(f.gains, 0) << f.gain;
    }
  }
}

// Only the work of the normal impulse is given back by r²; the energy is not.
TEST(PlanarImpact, TheEnergeticLawIsAboutTheNormalWork) {
  const auto ratio = [](double r) {
    const PlanarContact c = contact(1, 0.5, 1, 1.5, 2);
    const PlanarImpact i = planar_impact(c, -1, {r, energetic, {}});
    EXPECT_NEAR(i.work_n, i.work_compression * (1 - r * r), 1e-15);
    return kinetic(c, i.u_t, i.u_n) / kinetic(c, 2, -1);
  };
  EXPECT_NEAR(ratio(0.7), 0.175, 1e-15);
  EXPECT_NEAR(ratio(1), 0.3571428571428572, 1e-15);
}

TEST(PlanarImpact, MirrorAndScale) {
  Draws draws(77);
  for (int n = 0; n < 3000; ++n) {
    const Drawn d = drawn(draws);
    const BounceLaw law{d.r, laws[static_cast<std::size_t>(n % 3)], {}};
    const PlanarImpact i = planar_impact(d.c, d.u_n, law);
    PlanarContact mirrored = d.c;
    mirrored.W_tn = -d.c.W_tn;
    mirrored.u_t = -d.c.u_t;
    const PlanarImpact j = planar_impact(mirrored, d.u_n, law);
    ASSERT_EQ(i.u_t, -j.u_t);
    ASSERT_EQ(i.u_n, j.u_n);
    ASSERT_EQ(i.Lambda_t, -j.Lambda_t);
    PlanarContact faster = d.c;
    faster.u_t *= 4;
    const PlanarImpact k = planar_impact(faster, 4 * d.u_n, law);
    ASSERT_EQ(k.u_t, 4 * i.u_t);
    ASSERT_EQ(k.u_n, 4 * i.u_n);
    ASSERT_EQ(k.work_t, 16 * i.work_t);
    ASSERT_EQ(k.region, i.region);
  }
}

TEST(PlanarImpact, FrictionDuringTheImpactMayDiffer) {
  const PlanarImpact i = planar_impact(contact(1, 0.5, 1, 3, 0.3), -1, {0.6, energetic, 0.2});
  EXPECT_NEAR(i.u_t, 0.8333333333333333, 1e-15);
  EXPECT_NEAR(i.Lambda_t, -0.2 * i.Lambda_n, 1e-16);
}

bool finite(const PlanarImpact& i) {
  const std::array all = {i.u_t,    i.u_n,   i.Lambda_t, i.Lambda_n, i.Lambda_compression, i.work_compression,
                          i.work_n, i.work_t};
  return std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); });
}

// Numbers that people type: all signs and zeros together, under each law.
TEST(PlanarImpact, NeverNotANumber) {
  const std::array values = {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0};
  int impacts = 0;
  for (const double A : {0.0, 0.25, 1.0, 4.0}) {
    for (const double C : {0.0, 0.25, 1.0, 4.0}) {
      for (const double B : values) {
        if (B * B > A * C) continue;
        for (const double mu : {0.0, 0.25, 0.5, 1.0, 2.0, 4.0}) {
          for (const double u_t : values) {
            for (const double u_n : {-1.0, 0.0, 1.0}) {
              for (const double r : {0.0, 0.5, 1.0}) {
                for (const RestitutionLaw law : laws) {
                  const PlanarImpact i = planar_impact(contact(A, B, C, mu, u_t), u_n, {r, law, {}});
                  ASSERT_TRUE(finite(i)) << A << " " << B << " " << C << " " << mu << " " << u_t;
                  ASSERT_LE(i.phase_count, 3);
                  if (i.happened()) {
                    ++impacts;
                    ASSERT_GE(i.u_n, 0);
                  }
                  ASSERT_EQ(i.outcome == ImpactOutcome::none, i.Lambda_n == 0 && i.u_n == u_n && i.u_n >= 0);
                }
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(impacts, 10000);
}

TEST(PlanarImpact, Limits) {
  // Nothing moves along t: friction acts and changes nothing.
  PlanarImpact i = planar_impact(contact(0, 0, 2, 0.5, 3), -1, {0.5, energetic, {}});
  EXPECT_EQ(i.u_t, 3);
  EXPECT_EQ(i.u_n, 0.5);
  EXPECT_EQ(i.Lambda_t, -0.5 * i.Lambda_n);
  // Nothing moves along n.
  i = planar_impact(contact(1, 0, 0, 0.5, 3), -1, {0.5, energetic, {}});
  EXPECT_EQ(i.outcome, ImpactOutcome::locked);
  // No friction: the slip passes through zero and does not notice.
  i = planar_impact(contact(1, 0.5, 1, 0, -0.2), -1, {0.5, poisson, {}});
  EXPECT_EQ(i.region, 10);
  EXPECT_NEAR(i.u_t, -0.2 + 0.5 * 1.5, 1e-15);
  EXPECT_NEAR(i.u_n, 0.5, 1e-15);
  // A singular W, and a velocity in its range: in friction the contact stops where both components vanish.
  for (const RestitutionLaw law : laws) {
    i = planar_impact(contact(4, -2, 1, 1, 0.6), -0.3, {0.5, law, {}});
    EXPECT_EQ(i.outcome, ImpactOutcome::collision);
    EXPECT_EQ(i.u_t, 0);
    EXPECT_NEAR(i.u_n, 0, 1e-16);
  }
  // Outside its range the compression has no end.
  i = planar_impact(contact(4, -2, 1, 1, 0.2), -0.3, {0.5, energetic, {}});
  EXPECT_EQ(i.outcome, ImpactOutcome::locked);
  EXPECT_EQ(i.u_t, 0);
  EXPECT_LT(i.u_n, 0);
}

// A body with one freedom moves along a line through zero: it bounces along it, or friction holds it there.
TEST(PlanarImpact, OneFreedom) {
  Draws draws(6);
  int held = 0;
  int bounced = 0;
  for (int n = 0; n < 20000; ++n) {
    const double j_t = draws.normal();
    const double j_n = draws.normal();
    const double rate = -draws.uniform(0.1, 2) * (j_n > 0 ? 1 : -1);
    const PlanarContact c = contact(j_t * j_t, j_t * j_n, j_n * j_n, draws.uniform(0, 3), j_t * rate);
    const PlanarImpact i =
        planar_impact(c, j_n * rate, {draws.uniform(0.1, 1), laws[static_cast<std::size_t>(n % 3)], {}});
    ASSERT_EQ(i.outcome, ImpactOutcome::collision);
    const double speed = std::abs(c.u_t) + std::abs(j_n * rate);
    ASSERT_NEAR(i.u_t * j_n, i.u_n * j_t, 1e-13 * speed * (std::abs(j_t) + std::abs(j_n)));
    const bool holds = c.mu * std::abs(j_t) >= std::abs(j_n);  // k of the reversed slip is not negative
    ASSERT_EQ(i.u_n == 0, holds) << i.u_n;
    (holds ? held : bounced)++;
  }
  EXPECT_GT(held, 1000);
  EXPECT_GT(bounced, 1000);
}

// Neighbouring regions agree where they meet.
TEST(PlanarImpact, ContinuousAcrossRegions) {
  Draws draws(5);
  for (int n = 0; n < 2000; ++n) {
    const Drawn d = drawn(draws);
    if (d.u_n == 0 || d.c.u_t == 0) continue;
    const double sign = d.c.u_t > 0 ? 1 : -1;
    const double p = d.c.W_nn - sign * d.c.mu * d.c.W_tn;
    const double k = d.c.mu * d.c.W_tt - sign * d.c.W_tn;
    if (p < 1e-3 || k < 1e-3) continue;
    for (const double v_s : {0.0, d.r * -d.u_n}) {
      for (const RestitutionLaw law : laws) {
        PlanarContact below = d.c;
        PlanarContact above = d.c;
        const double U = (v_s - d.u_n) * k / p;
        below.u_t = sign * U * (1 - 1e-11);
        above.u_t = sign * U * (1 + 1e-11);
        const PlanarImpact i = planar_impact(below, d.u_n, {d.r, law, {}});
        const PlanarImpact j = planar_impact(above, d.u_n, {d.r, law, {}});
        // Λ jumps by no more than the step over the smallest slope, here some 1e4.
        ASSERT_NEAR(i.u_n, j.u_n, 1e-6);
        ASSERT_NEAR(i.u_t, j.u_t, 1e-6);
      }
    }
  }
}

}  // namespace planar_impact_test
}  // namespace painleve
