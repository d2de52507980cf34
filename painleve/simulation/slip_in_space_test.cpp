// Compliant simulation in space where slip begins, all but ends, or turns fast.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "painleve/simulation/compliant.hpp"

namespace painleve {
namespace slip_in_space_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactSpace contacts(const MatrixXd& W, const VectorXd& b, double mu, int dimension = 3) {
  const auto count = static_cast<int>(b.size()) / dimension;
  ContactSpace s;
  s.dimension = dimension;
  s.W = W;
  s.b = b;
  s.u = s.drift = VectorXd::Zero(b.size());
  s.gap = VectorXd::Zero(count);
  s.mu = VectorXd::Constant(count, mu);
  s.bilateral.assign(static_cast<std::size_t>(count), false);
  for (int i = 1; i <= count; ++i) s.names.push_back("c" + std::to_string(i));
  return s;
}

ContactLaw springs(double stiffness, double damping, Compliance compliance = Compliance::viscoelastic) {
  ContactLaw law;
  law.stiffness = stiffness;
  law.damping = damping;
  law.compliance = compliance;
  return law;
}

Run run(const ContactSpace& space, const ContactLaw& law, double t_end, double tolerance = 1e-11) {
  SimulationOptions options;
  options.t_end = t_end;
  options.samples = 1;
  options.relative = tolerance;
  return simulate_compliant(space, std::vector<ContactLaw>(space.names.size(), law), options, {});
}

// It lands, sticks, and slips again before it lifts: the second slip turns by 35° on its way from 1e-11 m/s to 1e-3.
// The numbers are those of an explicit method in 6333 steps.
TEST(SlipInSpace, TurnsWhileItIsYoung) {
  MatrixXd W(3, 3);
  W << 6, 0.9999283511484621, 1.969049716640943,                      //
      0.9999283511484621, 1.6841582334155851, -0.015705662878849325,  //
      1.969049716640943, -0.015705662878849325, 3.989042326776284;
  ContactSpace space = contacts(W, Eigen::Vector3d(-2.744559477825086, 0.786005879110591, -4.051951754014071), 1);
  space.u << -0.3576101870595862, -0.019958094899978254, -0.40827249314700653;
  space.gap << 0.001;
  const ContactLaw law = springs(3728.777032525991, 1, Compliance::hunt_crossley);
  for (const double tolerance : {1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    const auto r = run(space, law, 0.1, tolerance);
    EXPECT_EQ(r.outcome, "F");
    EXPECT_NEAR(r.impulse(0), 0.01272234687, 3e-10) << tolerance;
    EXPECT_NEAR(r.impulse(1), -0.00796176084, 5e-10) << tolerance;
    EXPECT_LT(r.steps, 1000) << tolerance;
  }
}

// Slip that all but comes to rest turns too fast for an explicit method; the numbers are those of one in millions of
// steps.
TEST(SlipInSpace, IsFollowedInFewStepsWhereItIsSlow) {
  MatrixXd W(3, 3);
  W << 2.4843576347695517, -0.515058054733951, 2.9639424082938226,  //
      -0.515058054733951, 3.7398857815116875, -1.661917700230119,   //
      2.9639424082938226, -1.661917700230119, 3.862728462240602;
  ContactSpace space =
      contacts(W, Eigen::Vector3d(-0.07445059992473307, 1.0087541460618996, -1.084495415709046), 1.1725954814480468);
  space.u(2) = -0.13673618136923352;
  const auto slow = run(space, springs(66.44449104381167, 4.147461848365474), 0.0625);
  EXPECT_EQ(slow.outcome, "T");
  EXPECT_LT(slow.steps, 5000);
  EXPECT_NEAR(slow.impulse(0), -0.07035001507, 5e-10);
  EXPECT_NEAR(slow.impulse(1), 0.00038416851, 5e-10);
  EXPECT_LT(std::abs(slow.energy.defect()), 1e-9);
}

TEST(SlipInSpace, BeginsWithoutFriction) {
  MatrixXd W(3, 3);
  W << 1, 0, 0.5, 0, 1, 0, 0.5, 0, 1;
  MatrixXd plane(2, 2);
  plane << 1, 0.5, 0.5, 1;
  for (const double c : {0.0, 50.0}) {
    const auto r = run(contacts(W, Eigen::Vector3d(0, 0, -1), 0), springs(1e4, c), 0.1);
    const auto twin = run(contacts(plane, Eigen::Vector2d(0, -1), 0, 2), springs(1e4, c), 0.1);
    EXPECT_EQ(r.stopped, "t_end") << r.stop_reason;
    EXPECT_EQ(r.outcome, "S");
    EXPECT_NEAR(r.impulse(2), twin.impulse(1), 1e-10);
    EXPECT_EQ(r.impulse.head(2).norm(), 0);
  }
}

// The load of the first contact comes up through the second one, later than any other force.
TEST(SlipInSpace, BeginsUnderALoadThatComesThroughAnotherContact) {
  MatrixXd W = MatrixXd::Identity(6, 6);
  W(0, 5) = W(5, 0) = 0.3;
  W(2, 5) = W(5, 2) = -0.3;
  const std::vector<int> planar = {0, 2, 3, 5};
  VectorXd b = VectorXd::Zero(6);
  b(5) = -1;
  for (const Compliance compliance : {Compliance::viscoelastic, Compliance::hunt_crossley, Compliance::hertz}) {
    const ContactLaw law = springs(1000, compliance == Compliance::viscoelastic ? 0 : 0.5, compliance);
    const auto r = run(contacts(W, b, 0.5), law, 0.05);
    const auto twin = run(contacts(W(planar, planar), b(planar), 0.5, 2), law, 0.05);
    EXPECT_EQ(r.outcome, "ST") << to_string(compliance);
    EXPECT_EQ(twin.outcome, "S+T") << to_string(compliance);
    EXPECT_LT((r.impulse(planar) - twin.impulse).norm(), 1e-9) << to_string(compliance);
  }
}

// W of a rigid box of mass 1 on four feet, with its centre of mass above the floor and not in the middle.
MatrixXd box_on_four_feet(double offset, double height) {
  MatrixXd J(12, 6);
  int row = 0;
  for (const Eigen::Vector2d& foot : {Eigen::Vector2d(0.3, 0.3), Eigen::Vector2d(0.3, -0.3),
                                      Eigen::Vector2d(-0.3, -0.3), Eigen::Vector2d(-0.3, 0.3)}) {
    const Eigen::Vector3d arm(foot.x() - offset, foot.y(), -height);
    Eigen::Matrix3d cross;
    cross << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;  // ω × arm = cross ω
    J.block<3, 3>(row, 0).setIdentity();
    J.block<3, 3>(row, 3) = cross;
    row += 3;
  }
  VectorXd inverse_mass(6);
  inverse_mass << 1, 1, 1, 10, 10, 8;
  return J * inverse_mass.asDiagonal() * J.transpose();
}

// Friction of several feet is not unique: none of them slips while the body stands.
TEST(SlipInSpace, IsNotThatOfOneFootOfABodyThatStands) {
  VectorXd b = VectorXd::Zero(12);
  for (int i = 2; i < 12; i += 3) b(i) = -9.81;
  for (const double offset : {0.0, 0.05, 0.1}) {
    const auto r = run(contacts(box_on_four_feet(offset, 0.4), b, 0.3), springs(1e4, 50), 0.2);
    EXPECT_EQ(r.outcome, "TTTT") << offset;
    EXPECT_TRUE(r.events.empty()) << offset;
  }
}

// The deflection of elastic friction follows slip at the rate u_t k_t/(μ λ_n), which grows with its stiffness; without
// a damper it tends to what it is with one.
TEST(SlipInSpace, TurnsADeflectionInFewSteps) {
  MatrixXd W(3, 3);
  W << 1.5, 0.2, 0.4, 0.2, 1.2, -0.3, 0.4, -0.3, 2;
  ContactSpace space = contacts(W, Eigen::Vector3d(0.5, 0, -10), 0.3);
  space.u << 3, 1.5, 0;
  space.gap << -5e-7;
  VectorXd damped;
  for (const double c : {100.0, 0.0}) {
    ContactLaw law = springs(1e7, 1e3);
    law.tangential_stiffness = 1e8;
    law.tangential_damping = c;
    const auto r = run(space, law, 0.05);
    EXPECT_EQ(r.outcome, "S");
    EXPECT_LT(r.steps, 10000) << c;
    if (c > 0) {
      damped = r.impulse;
    } else {
      EXPECT_LT((r.impulse - damped).norm(), 1e-6);
    }
  }
}

}  // namespace slip_in_space_test
}  // namespace painleve
