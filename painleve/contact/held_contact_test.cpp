// One contact while another is held.
#include "painleve/contact/held_contact.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

namespace painleve {
namespace held_contact_test {

ContactSpace two_contacts(const Eigen::Matrix4d& W) {
  ContactSpace s;
  s.dimension = 2;
  s.W = W;
  s.b = s.u = s.drift = Eigen::Vector4d::Zero();
  s.gap = Eigen::Vector2d::Zero();
  s.mu = Eigen::Vector2d::Constant(0.5);
  s.bilateral = {false, false};
  s.names = {"c1", "c2"};
  return s;
}

TEST(Hold, IsTheSchurComplement) {
  Eigen::Matrix4d W;
  W << 4, 1, 0.5, 0.2, 1, 3, 0.3, 0.7, 0.5, 0.3, 5, 1, 0.2, 0.7, 1, 2;
  const Eigen::Matrix2d expected = W.bottomRightCorner<2, 2>() - W.bottomLeftCorner<2, 2>() *
                                                                     W.topLeftCorner<2, 2>().inverse() *
                                                                     W.topRightCorner<2, 2>();
  EXPECT_LT((hold(two_contacts(W), 1, {0}).W - expected).norm(), 1e-14);
}

// Two rows of motion for four of contact: once the first contact is held, the second has none left. The first one's own
// block is nearly singular, so that what cancellation leaves is far above the rounding of W.
TEST(Hold, LeavesNothingWhereTheOtherTakesAllFreedom) {
  for (const double angle : {1e-1, 1e-3, 1e-5}) {
    Eigen::Matrix<double, 4, 2> J;
    J << 0.7, 0.3, 0.7 + angle * 0.3, 0.3 - angle * 0.7, -1.1, 0.4, 0.9, 1.3;
    const HeldContact held = hold(two_contacts(J * J.transpose()), 1, {0});
    EXPECT_EQ(held.W.norm(), 0) << angle;
  }
}

// The first contact responds along (0.7, 0.3) alone. A load in any other direction cannot be held, in whatever unit.
TEST(Hold, WhatCannotBeHeldIsThatInEveryUnit) {
  Eigen::Matrix<double, 4, 2> J;
  J << 0.7, 0, 0.3, 0, -1.1, 0.4, 0.9, 1.3;
  ContactSpace s = two_contacts(J * J.transpose());
  for (const double unit : {1e-12, 1e-3, 1.0, 1e12}) {
    s.b = unit * Eigen::Vector4d(-1.4, -0.6, 1, 1);
    EXPECT_TRUE(hold(s, 1, {0}).compatible) << unit;
    s.b = unit * Eigen::Vector4d(-1.4, -0.6001, 1, 1);
    EXPECT_FALSE(hold(s, 1, {0}).compatible) << unit;
  }
}

}  // namespace held_contact_test
}  // namespace painleve
