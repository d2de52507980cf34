// The items of Preclik & Rüde. Expected numbers were computed apart, by another integrator.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "painleve/reproduction/item_checks.hpp"
#include "painleve/reproduction/items_of_papers.hpp"
#include "painleve/reproduction/preclik_parts.hpp"
#include "painleve/reproduction/preclik_rod.hpp"

namespace painleve {
namespace preclik_test {

TEST(PreclikItems, AreSound) {
  for (const auto& item : preclik_items()) expect_sound(item);
}

struct Row {
  double alpha, impulse_n, impulse_t, t;
};

TEST(FrozenRod, BreaksContactAsComputedElsewhere) {
  const std::array<Row, 6> rows = {{{1e3, 0.36874929306431775, 0.45498441605133627, 0.05506975746893885},
                                    {1e4, 0.33728779398800013, 0.44249765424992593, 0.015513185528368223},
                                    {1e5, 0.32844186696563726, 0.43897084863546143, 0.004541520081612978},
                                    {1e6, 0.3258777228142591, 0.43794684773084014, 0.0013771835665035862},
                                    {1e7, 0.3251065282597889, 0.4376386880439491, 0.0004271734047356694},
                                    {1e8, 0.3248683959157354, 0.43754351457757445, 0.00013400264915986072}}};
  for (const auto& row : rows) {
    const FrozenRodRun run = press_frozen_rod(row.alpha, 3 / std::sqrt(row.alpha));
    ASSERT_TRUE(run.broke) << row.alpha;
    EXPECT_NEAR(run.impulse_n, row.impulse_n, 1e-10) << row.alpha;
    EXPECT_NEAR(run.impulse_t, row.impulse_t, 1e-10) << row.alpha;
    EXPECT_NEAR(run.t / row.t, 1, 1e-8) << row.alpha;
  }
}

TEST(FrozenRod, SamplesKeepToTheLaw) {
  const double alpha = 1e4;
  const FrozenRodRun run = press_frozen_rod(alpha, 0.03, 500);
  ASSERT_GT(run.samples.size(), 100u);
  for (const auto& s : run.samples) {
    EXPECT_GE(s.lambda_n, -1e-9);
    EXPECT_LE(std::abs(s.lambda_t), 1.5 * s.lambda_n + 1e-9);
    EXPECT_NEAR(s.lambda_t, std::min(1.5 * s.lambda_n, alpha * std::abs(s.slip)), 1e-6 * (1 + s.lambda_n)) << s.t;
  }
  EXPECT_NEAR(run.samples.front().slip, -1, 1e-15);
  EXPECT_FALSE(press_frozen_rod(alpha, 0.01).broke);  // before the end of contact
  EXPECT_NEAR(press_frozen_rod(alpha, 0.01).t, 0.01, 1e-15);
}

TEST(PreclikItems, TableOfIntegrals) {
  const Reproduction r = preclik_figure_5();
  int errata = 0;
  for (const auto& c : r.comparisons) errata += c.erratum == "E-R7" ? 1 : 0;
  EXPECT_EQ(errata, 9);  // nine of the twelve numbers are high in the fourth digit
  EXPECT_EQ(comparison(r, "until the contact breaks, with J(φ(t))").erratum, "E-R6");
}

TEST(PreclikItems, NumbersOfTheRigidProblems) {
  EXPECT_EQ(count_of_errata(preclik_figure_2()), 0);
  EXPECT_EQ(count_of_errata(preclik_figure_3()), 0);
  const Reproduction forces = preclik_forces();
  EXPECT_EQ(comparison(forces, "Sec. 2.2: λ_{2} (dynamic), n").computed, "7.554500");
  EXPECT_EQ(comparison(forces, "Sec. 2.2: λ_{2} (dynamic), t").computed, "11.331750");
}

}  // namespace preclik_test
}  // namespace painleve
