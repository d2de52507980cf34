#include "painleve/contact/same_motion.hpp"

#include <gtest/gtest.h>

namespace painleve {
namespace same_motion_test {

using Eigen::MatrixXd;
using Eigen::Vector4d;
using Eigen::VectorXd;

bool same(const MatrixXd& W, const VectorXd& b, const VectorXd& x, const VectorXd& y, double force = 0) {
  const VectorXd lambda = VectorXd::Constant(b.size(), force);
  return same_motion(2, W, b, ContactMotion<VectorXd>{x, lambda}, ContactMotion<VectorXd>{y, lambda});
}

TEST(SameMotion, IsJudgedContactByContact) {
  const MatrixXd W = MatrixXd::Identity(4, 4);
  const Vector4d b(0, 1, 0, -1e12);
  const VectorXd zero = Vector4d::Zero();
  EXPECT_TRUE(same(W, b, Vector4d(0, 1e-10, 0, 0), zero));
  EXPECT_FALSE(same(W, b, Vector4d(0, 1e-8, 0, 0), zero));
  EXPECT_TRUE(same(W, b, Vector4d(0, 0, 0, 100), zero));
  EXPECT_FALSE(same(W, b, Vector4d(0, 0, 0, 1e4), zero));
}

// A load counts elsewhere by what the force that holds it does there.
TEST(SameMotion, IsMeasuredByLoadsThatAreCoupled) {
  MatrixXd W = MatrixXd::Identity(4, 4);
  W(1, 3) = W(3, 1) = 0.5;
  const Vector4d b(0, 0, 0, -1e6);
  const VectorXd zero = Vector4d::Zero();
  EXPECT_TRUE(same(W, b, Vector4d(0, 1e-4, 0, 0), zero));
  EXPECT_FALSE(same(W, b, Vector4d(0, 1e-2, 0, 0), zero));
  W(1, 3) = W(3, 1) = 0;
  EXPECT_FALSE(same(W, b, Vector4d(0, 1e-4, 0, 0), zero));
}

// Large forces that cancel leave their rounding.
TEST(SameMotion, AllowsForTheRoundingOfTheResponse) {
  const MatrixXd W = MatrixXd::Identity(4, 4);
  const VectorXd zero = Vector4d::Zero();
  EXPECT_TRUE(same(W, zero, Vector4d(1e-6, 0, 0, 0), zero, 1e8));
  EXPECT_FALSE(same(W, zero, Vector4d(1e-6, 0, 0, 0), zero, 1));
}

}  // namespace same_motion_test
}  // namespace painleve
