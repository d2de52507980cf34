// One planar contact where two modes meet, with the decimal numbers that people type; W that is singular; pulling
// contacts.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace planar_boundaries_test {

using Names = std::set<std::string>;

ModeTable table_of(const PlanarContact& c) { return mode_table(one_contact(c), {}); }

const ModeEntry& entry_of(const std::vector<ModeEntry>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  if (found == entries.end()) {
    throw std::runtime_error("no mode " + name);
  }
  return *found;
}

// The kernel (through the table) and the enumeration, which share no code, give the same set.
void expect_modes(const PlanarContact& c, const Names& wanted, const std::string& what) {
  EXPECT_EQ(names_of_consistent(table_of(c).modes), wanted) << what;
  EXPECT_EQ(names_of_consistent(enumerate_modes(one_contact(c), {})), wanted) << what;
}

TEST(PlanarBoundaries, NoForceAndNoLiftIsOneSolution) {
  for (const double u : {0.7, 0.0, -0.7}) {
    const PlanarContact c{0.7, 0.1, 0.3, 0.2, 0, u, 0.4};
    expect_modes(c, {"F"}, std::to_string(u));
    const ModeTable table = table_of(c);
    EXPECT_TRUE(entry_of(table.modes, "F").boundary);
    EXPECT_TRUE(entry_of(enumerate_modes(one_contact(c), {}), "F").boundary);
    EXPECT_EQ(table.verdict, "unique");
    EXPECT_EQ(table.force_family_dimension, 0);
  }
  EXPECT_FALSE(entry_of(table_of({0.7, 0.1, 0.3, 0.2, 1e-6, 0, 0.4}).modes, "F").boundary);
  // Nothing acts at all: still one solution, F.
  expect_modes({0.7, 0.1, 0.3, 0, 0, 0, 0.4}, {"F"}, "b = 0");
}

// λ on the edge of the cone for all typed numbers W = i/10, μ = j/10: a_t vanishes in exact arithmetic.
TEST(PlanarBoundaries, TheEdgeOfTheConeBelongsToStick) {
  int cases = 0;
  for (int tt = 1; tt <= 12; ++tt) {
    for (int nn = 1; nn <= 12; ++nn) {
      for (int tn = -6; tn <= 6; ++tn) {
        for (int m = 1; m <= 20; m += 3) {
          for (const int side : {1, -1}) {
            if (tt * nn <= tn * tn) {
              continue;
            }
            // λ_n = 1 and λ_t = ∓μ: b = −W λ, in hundredths, typed as decimals.
            const double b_t = (side * tt * m - 10 * tn) / 100.0;
            const double b_n = (side * tn * m - 10 * nn) / 100.0;
            const PlanarContact c{tt / 10.0, tn / 10.0, nn / 10.0, b_t, b_n, 0, m / 10.0};
            const PlanarModes kernel = planar_modes(c);
            const std::string what = std::to_string(tt) + " " + std::to_string(tn) + " " + std::to_string(nn) + " " +
                                     std::to_string(m) + " " + std::to_string(side);
            EXPECT_TRUE(kernel.consistent & mode_T) << what;
            EXPECT_FALSE(kernel.consistent & (side > 0 ? mode_S_plus : mode_S_minus)) << what;
            if (b_n != 0) {  // with b_n = 0 the slip has p = 0 and a family of forces
              EXPECT_EQ(names_of_consistent(enumerate_modes(one_contact(c), {})),
                        names_of_consistent(table_of(c).modes))
                  << what;
            }
            ++cases;
          }
        }
      }
    }
  }
  EXPECT_GT(cases, 5000);
}

TEST(PlanarBoundaries, PZeroWithTypedNumbers) {
  int rounded = 0;
  for (int tn = 1; tn <= 9; ++tn) {
    for (int m = 1; m <= 40; ++m) {
      const double mu = m / 10.0;
      const double W_nn = tn * m / 100.0;  // μ W_tn in exact arithmetic
      const double W_tn = tn / 10.0;
      rounded += W_nn != mu * W_tn;
      const double W_tt = 1.1 * W_tn * W_tn / W_nn;
      const auto with = [&](double b_n, double u) { return PlanarContact{W_tt, W_tn, W_nn, 0.2, b_n, u, mu}; };
      const std::string what = std::to_string(tn) + " " + std::to_string(m);
      expect_modes(with(0.5, 1), {"F"}, what);
      expect_modes(with(-0.5, 1), {}, what);
      EXPECT_TRUE(table_of(with(-0.5, 1)).jam) << what;
      EXPECT_EQ(table_of(with(-0.5, 1)).verdict, "inconsistent") << what;
      const ModeTable ray = table_of(with(0, 1));
      EXPECT_EQ(names_of_consistent(ray.modes), (Names{"F", "S+"})) << what;
      EXPECT_TRUE(entry_of(ray.modes, "F").boundary) << what;
      EXPECT_EQ(entry_of(ray.modes, "S+").force_family_dimension, 1) << what;
      EXPECT_EQ(ray.force_family_dimension, 1) << what;
      // a_t = b_t − k λ_n: every force of the ray is another motion.
      EXPECT_EQ(ray.motion_family_dimension, 1) << what;
      EXPECT_EQ(ray.verdict, "indeterminate") << what;
      // Against the slip there is nothing special, and the mirror image behaves alike.
      expect_modes(with(-0.5, -1), {"S-"}, what);
      expect_modes({W_tt, -W_tn, W_nn, 0.2, -0.5, -1, mu}, {}, what);
    }
  }
  EXPECT_GT(rounded, 50) << "these numbers meet the boundary only up to rounding";
  const PlanarContact named{2, 0.1, 0.3, 0.2, -1, 1, 3};  // 3 · 0.1 is not 0.3 in binary
  EXPECT_EQ(planar_modes(named).p_plus, 0);
}

TEST(PlanarBoundaries, PZeroAtRest) {
  const auto with = [](double b_t, double b_n) { return PlanarContact{2, 0.1, 0.3, b_t, b_n, 0, 3}; };
  // k+ = 5.9. b_n < 0: stick or slip backwards, as in cell II(vi); b_n > 0: F.
  expect_modes(with(1, 0.5), {"F"}, "b_n > 0");
  expect_modes(with(1, -0.5), {"T"}, "b_n < 0");
  expect_modes(with(-20, -0.5), {"S-"}, "b_n < 0, pulled back");
  // b_n = 0 and b_t > 0: F, a segment of slips, and at its end stick on the edge of the cone.
  const ModeTable table = table_of(with(1, 0));
  EXPECT_EQ(names_of_consistent(table.modes), (Names{"F", "S+", "T"}));
  EXPECT_EQ(entry_of(table.modes, "S+").force_family_dimension, 1);
  EXPECT_EQ(table.motion_family_dimension, 1);
  const auto& slip = entry_of(table.modes, "S+");
  EXPECT_GT((*slip.lambda)(1), 0);
  EXPECT_LT((*slip.lambda)(1), 1 / 5.9);
  EXPECT_NEAR((*entry_of(table.modes, "T").lambda)(1), 1 / 5.9, 1e-14);
  expect_modes(with(-1, 0), {"F"}, "b_n = 0, b_t < 0");
}

TEST(PlanarBoundaries, SeparatingContactsAreFreeWhateverTheirAcceleration) {
  PlanarContact c{0.7, 0.1, 0.3, 0.2, -9.81, 1, 0.4};
  ContactSpace s = one_contact(c);
  s.u(1) = 0.5;
  const ModeTable table = mode_table(s, {});
  EXPECT_EQ(joined(names_of_consistent(table.modes)), "F");
  EXPECT_EQ(table.modes.size(), 1U);
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.resolution, "one");
  EXPECT_FALSE(table.modes[0].boundary);
  EXPECT_EQ(table.modes[0].residual, 0);
  EXPECT_EQ((*table.modes[0].a)(1), -9.81);
  s.u(1) = -0.5;
  EXPECT_EQ(mode_table(s, {}).verdict, "impact");
  EXPECT_TRUE(mode_table(s, {}).modes.empty());
  s.gap(0) = 1;
  const ModeTable open = mode_table(s, {});
  EXPECT_EQ(open.verdict, "unique");
  EXPECT_TRUE(open.closed.empty());
}

TEST(PlanarBoundaries, TheToleranceOfRestIsTheCallers) {
  const PlanarContact c{1.1, 0.3, 0.1, 2, -1, 1e-10, 0.5};
  EXPECT_EQ(joined(names_of_consistent(mode_table(one_contact(c), {}).modes)), "T");
  ModeOptions exact;
  exact.tolerance.velocity = 0;
  EXPECT_EQ(mode_table(one_contact(c), exact).verdict, "inconsistent");
  EXPECT_TRUE(mode_table(one_contact(c), exact).jam);
}

TEST(PlanarSingular, AContactThatCannotSlide) {
  const PlanarContact held{0, 0, 1, 0, -2, 0, 0.5};
  const ModeTable table = table_of(held);
  EXPECT_EQ(joined(names_of_consistent(table.modes)), "T");
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.force_family_dimension, 1);  // λ_t anywhere within the cone
  EXPECT_EQ(table.motion_family_dimension, 0);
  const auto& T = entry_of(table.modes, "T");
  EXPECT_NEAR((*T.lambda)(1), 2, 1e-14);
  EXPECT_LE(std::abs((*T.lambda)(0)), 1 + 1e-14);
  EXPECT_LT(T.residual, 1e-14);
  EXPECT_EQ(joined(names_of_consistent(table_of({0, 0, 1, 0, 2, 0, 0.5}).modes)), "F");
  // Without friction the family shrinks to a point.
  EXPECT_EQ(table_of({0, 0, 1, 0, -2, 0, 0}).force_family_dimension, 0);
  EXPECT_EQ(table_of({0, 0, 1, 0, -2, 0, 0}).verdict, "unique");
}

TEST(PlanarSingular, TangentAndNormalMoveTogether) {
  const auto with = [](double b_t, double b_n) { return PlanarContact{0.4, 0.2, 0.1, b_t, b_n, 0, 1}; };
  // p+ = −0.1, p− = 0.3. b = −W (0, 1) can be held by a line of forces.
  const ModeTable held = table_of(with(-0.2, -0.1));
  EXPECT_EQ(joined(names_of_consistent(held.modes)), "T");
  EXPECT_EQ(held.verdict, "unique");
  EXPECT_EQ(held.force_family_dimension, 1);
  EXPECT_EQ(held.motion_family_dimension, 0);
  // a_t = 2 a_n + 1.2: not sinking in means moving along +t, and there p < 0.
  EXPECT_EQ(table_of(with(1, -0.1)).verdict, "inconsistent");
  EXPECT_EQ(joined(names_of_consistent(table_of(with(-1, -0.1)).modes)), "S-");
}

TEST(PlanarSingular, AContactThatCannotMoveAtAll) {
  const ModeTable at_rest = table_of({0, 0, 0, 0, 0, 0, 0.5});
  EXPECT_EQ(at_rest.verdict, "unique");
  EXPECT_EQ(at_rest.motion_family_dimension, 0);
  EXPECT_EQ(at_rest.force_family_dimension, 2);  // any force of the cone
  EXPECT_EQ(table_of({0, 0, 0, 0, -1, 0, 0.5}).verdict, "inconsistent");
  EXPECT_EQ(joined(names_of_consistent(table_of({0, 0, 0, 0, 1, 0, 0.5}).modes)), "F");
}

// A bilateral contact, written out: λ_t = −μ |λ_n| e in slip, |λ_t| ≤ μ |λ_n| in stick.
std::vector<std::pair<std::string, double>> bilateral_solutions(const PlanarContact& c, bool& doubtful) {
  std::vector<std::pair<std::string, double>> list;
  const bool rest = c.u_t == 0;
  const auto above = [&](double x) {
    doubtful = doubtful || std::abs(x) < 1e-9;
    return x > 0;
  };
  for (const int e : {1, -1}) {
    if (!rest && (c.u_t > 0) != (e > 0)) {
      continue;
    }
    for (const int sense : {1, -1}) {
      const double friction = -c.mu * sense * e;  // λ_t per λ_n
      const double per_force = c.W_nn + c.W_tn * friction;
      above(per_force);
      const double lambda_n = -c.b_n / per_force;
      const double a_t = c.b_t + (c.W_tt * friction + c.W_tn) * lambda_n;
      const bool right_sense = above(sense * lambda_n);
      if ((!rest || above(e * a_t)) && right_sense) {
        list.emplace_back(e > 0 ? "S+" : "S-", lambda_n);
      }
    }
  }
  if (rest) {
    Eigen::Matrix2d W;
    W << c.W_tt, c.W_tn, c.W_tn, c.W_nn;
    const Eigen::Vector2d lambda = -W.fullPivLu().solve(Eigen::Vector2d(c.b_t, c.b_n));
    above(lambda.y());
    if (above(c.mu * std::abs(lambda.y()) - std::abs(lambda.x()))) {
      list.emplace_back("T", lambda.y());
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(PlanarBilateral, AgreesWithTheLawWrittenOut) {
  Draws draws(31);
  int none = 0;
  int several = 0;
  for (int k = 0; k < 20000 && !HasFailure(); ++k) {
    const PlanarContact c = drawn_planar(draws, k % 3 - 1);
    bool doubtful = false;
    const auto wanted = bilateral_solutions(c, doubtful);
    if (doubtful) {
      continue;
    }
    ContactSpace s = one_contact(c);
    s.bilateral[0] = true;
    const ModeTable table = mode_table(s, {});
    std::vector<std::pair<std::string, double>> found;
    for (const auto& entry : table.modes) {
      EXPECT_NE(entry.name, "F");
      if (entry.consistent) {
        found.emplace_back(entry.name, (*entry.lambda)(1));
        EXPECT_LT(entry.residual, 1e-12) << k;
      }
    }
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), wanted.size()) << k;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].first, wanted[i].first) << k;
      EXPECT_NEAR(found[i].second, wanted[i].second, 1e-7 * (1 + std::abs(wanted[i].second)))
          << k;  // divisors down to 1e-9
    }
    EXPECT_EQ(table.verdict, found.empty() ? "inconsistent" : (found.size() == 1 ? "unique" : "indeterminate")) << k;
    none += c.u_t != 0 && found.empty();
    several += c.u_t != 0 && found.size() == 2;
  }
  EXPECT_GT(none, 500);  // the paradox of guides: sliding with no force or with two
  EXPECT_GT(several, 500);
}

TEST(PlanarBilateral, WithoutLoadThereIsOneMotion) {
  for (const double u : {1.0, 0.0}) {
    ContactSpace s = one_contact({0.7, 0.1, 0.3, 0.2, 0, u, 0.4});
    s.bilateral[0] = true;
    s.gap(0) = 5;  // a guide is closed whatever its gap says
    const ModeTable table = mode_table(s, {});
    EXPECT_EQ(table.verdict, "unique") << u;
    EXPECT_EQ(joined(names_of_consistent(table.modes)), "S+") << u;
    EXPECT_EQ(table.resolution, "one") << u << " " << table.iwc_reason;
  }
}

}  // namespace planar_boundaries_test
}  // namespace painleve
