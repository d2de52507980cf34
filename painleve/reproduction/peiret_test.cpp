// The items of both papers of Peiret, Kövecses & Font-Llagunes. Expected numbers were computed apart with 30 digits.
#include <gtest/gtest.h>

#include <cmath>

#include "painleve/reproduction/item_checks.hpp"
#include "painleve/reproduction/items_of_papers.hpp"
#include "painleve/reproduction/peiret_parts.hpp"

namespace painleve {
namespace peiret_test {

double computed(const Reproduction& result, const std::string& what) {
  return std::stod(comparison(result, what).computed);
}

TEST(PeiretItems, AreSound) {
  for (const auto& item : peiret_cone_items()) expect_sound(item);
  for (const auto& item : peiret_items()) expect_sound(item);
}

TEST(PeiretItems, LockingAngleOfTheRod) {
  const Reproduction r = peiret_figure_3();
  EXPECT_NEAR(computed(r, "locking angle"), 67.114619, 1e-3);
  EXPECT_NEAR(computed(r, "least friction"), 4.0 / 3, 1e-8);
  EXPECT_EQ(count_of_errata(r), 0);
}

TEST(PeiretItems, JammingFrictionOfTheArm) {
  const Reproduction r = peiret_figure_6();
  EXPECT_NEAR(computed(r, "μ_{jam} at A"), 0.4207868225, 1e-5);
  EXPECT_NEAR(computed(r, "μ_{jam} at B"), 0.4039117803, 1e-5);
  EXPECT_EQ(count_of_errata(r), 2);
  ASSERT_EQ(r.figures.size(), 1u);
}

TEST(PeiretItems, ConfigurationA) {
  const Reproduction r = peiret_figure_5();
  EXPECT_NEAR(computed(r, "θ_{2} at A"), 106.2997680, 1e-3);
  EXPECT_NEAR(computed(r, "θ_{3} at A"), 101.7471200, 1e-3);
  EXPECT_NEAR(computed(r, "x at A"), 0.3388166, 1e-5);
  EXPECT_NEAR(computed(r, "locking angle at A"), 65.38666477, 1e-3);
  EXPECT_EQ(comparison(r, "locking angle at A").erratum, "E-P9");
}

TEST(PeiretItems, SlidingArm) {
  const Reproduction r = peiret_arm_sliding();
  EXPECT_NEAR(computed(r, "(46) δu_{c,t2}"), 8.31632819, 1e-5);
  EXPECT_NEAR(computed(r, "(46) δu_{c,n}"), -0.31175796, 1e-6);
  EXPECT_NEAR(computed(r, "(46) δu_{0,n}"), -9.7808927, 1e-5);
  EXPECT_NEAR(computed(r, "(46) the same without the terms in φ̇ of c, t2"), -0.0168919350, 1e-6);
  EXPECT_NEAR(computed(r, "(48) δu_{0,t2}"), 1.4903810, 1e-5);
  EXPECT_NEAR(computed(r, "(49) λ_{n}"), 10.29115268, 1e-3);
  EXPECT_TRUE(comparison(r, "(47)").match);
  EXPECT_EQ(count_of_errata(r), 12);
}

TEST(PeiretItems, TheCriticalFrictionsOfTheRod) {
  const FrictionCone cone = rod_cone(45, 2);
  EXPECT_NEAR(cone.mu_jam.value(), 5.0 / 3, 1e-12);
  EXPECT_NEAR(cone.mu_crit.value(), 0.6, 1e-12);
  EXPECT_NEAR(lowest_ray(cone), -0.5, 1e-12);
  EXPECT_NEAR(lowest_ray(rod_cone(30, 1)), 4 - 0.75 - 3 * 0.5 * std::sqrt(0.75), 1e-12);  // a − μ‖h‖
}

}  // namespace peiret_test
}  // namespace painleve
