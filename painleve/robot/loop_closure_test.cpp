// Joints that follow others against the same robots with these joints free and held by forces: Lagrange's multipliers
// know nothing of the partition into coordinates and dependent joints.
#include "painleve/robot/loop_closure.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"
#include "painleve/robot/detail/hand_built_robots.hpp"
#include "painleve/robot/robot_mechanism.hpp"

namespace painleve {
namespace loop_closure_test {

using detail::expect_close;
using detail::RobotTree;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double same = 1e-11;

std::shared_ptr<const RobotMechanism> robot(const RobotModel& model, const RobotSetup& setup = {}) {
  const GalleryEntry entry = robot_entry(model, setup);
  Setup s;
  s.parameters.set("gravity", 9.81);
  VectorXd home(static_cast<Eigen::Index>(entry.coordinates.size()));
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i)
    home(static_cast<Eigen::Index>(i)) = entry.coordinates[i].fallback;
  return std::dynamic_pointer_cast<const RobotMechanism>(entry.make(s, home));
}

// M a = f + Gᵀ λ, G a = −γ
VectorXd held_acceleration(const Dynamics& d, const MatrixXd& G, const VectorXd& gamma) {
  const Eigen::Index n = d.f.size();
  const Eigen::Index m = gamma.size();
  MatrixXd K = MatrixXd::Zero(n + m, n + m);
  K << d.M, -G.transpose(), G, MatrixXd::Zero(m, m);
  VectorXd rhs(n + m);
  rhs << d.f, -gamma;
  return K.fullPivLu().solve(rhs).head(n);
}

// All joints and their rates at a state.
struct Joints {
  VectorXd y, y_dot;
};
Joints joints_of(const RobotTree& tree, const State& state) {
  detail::JointMotion<double> m;
  detail::TreeState<double> placed;
  EXPECT_TRUE(tree.evaluate(state.q.data(), state.v.data(), m, placed));
  const auto n = static_cast<Eigen::Index>(tree.links().size());
  return {Eigen::Map<VectorXd>(m.y.data(), n), Eigen::Map<VectorXd>(m.y_dot.data(), n)};
}

class FourBar : public testing::Test {
 protected:
  const RobotModel closed = detail::four_bar_model(0.4, 0.9, 0.7, 1.0);
  RobotModel open = [] {
    RobotModel model = detail::four_bar_model(0.4, 0.9, 0.7, 1.0);
    model.loops.clear();
    return model;
  }();
  const RobotSetup contact = [] {
    RobotSetup setup;
    setup.contacts = {detail::contact_at("tip", "coupler", {0.5, 0, 0.3})};
    return setup;
  }();
  const RobotSetup contact_and_pin = [] {
    RobotSetup setup;
    setup.contacts = {detail::contact_at("tip", "coupler", {0.5, 0, 0.3}),
                      detail::contact_at("pin", "rocker", {0.7, 0, 0})};
    setup.contacts[1].plane_point = Eigen::Vector3d(1, 0, 0);
    return setup;
  }();
};

TEST_F(FourBar, KeepsTheFirstJointAsItsCoordinate) {
  const auto mechanism = robot(closed, contact);
  EXPECT_EQ(mechanism->coordinates(), std::vector<std::string>{"a"});
  EXPECT_EQ(mechanism->dimension(), 2);
}

// All around: the crank turns fully, since it is the shortest and 0.4 + 1.0 < 0.9 + 0.7.
TEST_F(FourBar, MovesAsTheOpenChainHeldAtItsPin) {
  const auto reduced = robot(closed, contact);
  const auto chain = robot(open, contact_and_pin);
  for (double a = -7; a <= 7; a += 0.37) {
    SCOPED_TRACE(a);
    const State state{VectorXd::Constant(1, a), VectorXd::Constant(1, 0.8), 0};
    const Joints at = joints_of(reduced->tree(), state);
    const Dynamics full = chain->dynamics({at.y, at.y_dot, 0});
    EXPECT_NEAR(full.gap(1), 0, 1e-13);  // the pin is where it belongs,
    EXPECT_NEAR(full.place(2), 1, 1e-13);
    expect_close(full.u.tail(2), VectorXd::Zero(2), same, "pin");  // and stays there
    const VectorXd acceleration = held_acceleration(full, full.J.bottomRows(2), full.drift.tail(2));
    const Dynamics d = reduced->dynamics(state);
    EXPECT_NEAR(d.f(0) / d.M(0, 0), acceleration(0), same * 100);
    EXPECT_NEAR(d.potential, full.potential, same);
    EXPECT_NEAR(d.M(0, 0) * 0.8 * 0.8, at.y_dot.dot(full.M * at.y_dot), same);
    expect_close(d.u, full.u.head(2), same, "u");
    const VectorXd u_dot = full.J.topRows(2) * acceleration + full.drift.head(2);
    expect_close(d.J * (d.f / d.M(0, 0)) + d.drift, u_dot, same * 100, "u_dot");
  }
}

// The branch is that of home, wherever the crank is: the rocker's elbow never changes side.
TEST_F(FourBar, StaysInItsBranch) {
  const auto mechanism = robot(closed, contact);
  for (double a = -7; a <= 7; a += 0.37) {
    const Joints at = joints_of(mechanism->tree(), {VectorXd::Constant(1, a), VectorXd::Zero(1), 0});
    EXPECT_GT(std::sin(at.y(2)), 0) << a;
  }
}

TEST_F(FourBar, ClosesAParallelogramInClosedForm) {
  RobotModel model = detail::four_bar_model(0.5, 1.0, 0.5, 1.0);
  model.bodies[0].joints[0].home = -1.0;  // R_y turns +x downwards: the crank points up
  model.bodies[1].joints[0].home = 1.0;
  model.bodies[2].joints[0].home = std::numbers::pi - 1.0;
  const auto mechanism = robot(model);
  for (const double a : {-2.2, -1.3, -0.7}) {
    const State state{VectorXd::Constant(1, a), VectorXd::Ones(1), 0};
    const Dynamics d = mechanism->dynamics(state);
    const double l = 0.5;
    EXPECT_NEAR(d.M(0, 0), (1.1 / 3 + 0.7 + 0.9 / 3) * l * l, same) << a;
    EXPECT_NEAR(d.f(0), (1.1 / 2 + 0.7 + 0.9 / 2) * l * 9.81 * std::cos(a), same) << a;
  }
}

TEST_F(FourBar, IsRefusedOutOfReach) {
  const RobotModel long_crank = detail::four_bar_model(1.4, 0.9, 0.7, 1.0);  // cannot turn fully
  const auto mechanism = robot(long_crank);
  State state{VectorXd::Constant(1, 3.0), VectorXd::Zero(1), 0};
  EXPECT_EQ(mechanism->room(state), -std::numeric_limits<double>::infinity());
  EXPECT_NE(mechanism->limit(state).find("loop pin cannot be closed"), std::string::npos) << mechanism->limit(state);
  EXPECT_FALSE(mechanism->dynamics(state).M.allFinite());
  painleve::Setup setup;
  setup.given.set("a", 3.0);
  EXPECT_THROW(build(robot_entry(long_crank, {}), setup), InputError);
  EXPECT_THROW(robot_entry(detail::four_bar_model(0.1, 0.1, 0.1, 1.0), {}), InputError);
}

TEST_F(FourBar, HonoursLimitsOfDependentJoints) {
  RobotModel model = closed;
  model.bodies[2].joints[0].lower = 0.5;
  model.bodies[2].joints[0].upper = 2.5;
  const auto mechanism = robot(model);
  const State state{VectorXd::Constant(1, 0.4), VectorXd::Zero(1), 0};
  const double c = joints_of(mechanism->tree(), state).y(2);
  EXPECT_NEAR(mechanism->room(state), std::min(c - 0.5, 2.5 - c), 1e-14);
  EXPECT_EQ(mechanism->limit(state).substr(0, 10), "joint c is");
}

// Two wheels on one axle, the second one welded to the first a third of a radian ahead of it.
TEST(Weld, TurnsTheSecondBodyAsSeenFromTheFirst) {
  RobotModel model;
  model.name = "wheels";
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  model.bodies = {detail::thin_link("one", -1, {0, 0, 0}, 1, {1, 0, 0}, detail::joint_of("a", JointKind::hinge, z)),
                  detail::thin_link("two", -1, {0, 0, 0}, 1, {1, 0, 0}, detail::joint_of("b", JointKind::hinge, z))};
  LoopClosure weld{"axle", true, 0, 1};
  weld.rotation = Eigen::AngleAxisd(1.0 / 3, z);
  model.loops = {weld};
  const auto mechanism = robot(model);
  ASSERT_EQ(mechanism->coordinates(), std::vector<std::string>{"a"});
  const State state{VectorXd::Constant(1, 0.9), VectorXd::Ones(1), 0};
  EXPECT_NEAR(joints_of(mechanism->tree(), state).y(1), 0.9 + 1.0 / 3, 1e-14);
  EXPECT_NEAR(mechanism->dynamics(state).M(0, 0), 2.0 / 3, same);
}

// j3 follows j1 and j4 follows j3, by polynomials of fourth degree.
TEST(Coupling, MovesAsTheFreeRobotHeldByAForce) {
  Draws draws(9);
  const RobotModel free = detail::drawn_tree(6, draws);
  RobotModel coupled = free;
  const std::array<double, 5> p{-0.2, 1.1, -0.3, 0.1, 0.05};
  coupled.couplings = {{"j4", "j3", {0.1, 0.8, 0.3, 0, 0}}, {"j3", "j1", p}};
  const auto reduced = robot(coupled);
  const auto all = robot(free);
  ASSERT_EQ(reduced->coordinates(), (std::vector<std::string>{"j0", "j1", "j2", "j5"}));
  const State state = detail::drawn_state(*reduced, draws);
  const Joints at = joints_of(reduced->tree(), state);
  const auto reference = [&](std::size_t j) { return free.bodies[j].joints[0].reference; };
  const double s = at.y(1) - reference(1);
  const double r = p[0] + s * (p[1] + s * (p[2] + s * (p[3] + s * p[4])));
  EXPECT_NEAR(at.y(3), reference(3) + r, 1e-14);
  EXPECT_NEAR(at.y(4), reference(4) + 0.1 + 0.8 * r + 0.3 * r * r, 1e-14);
  MatrixXd G = MatrixXd::Zero(2, 6);
  VectorXd gamma(2);
  const double slope = p[1] + s * (2 * p[2] + s * (3 * p[3] + s * 4 * p[4]));
  const double bend = 2 * p[2] + s * (6 * p[3] + s * 12 * p[4]);
  G(0, 3) = 1, G(0, 1) = -slope;
  G(1, 4) = 1, G(1, 3) = -(0.8 + 0.6 * r);
  gamma << -bend * at.y_dot(1) * at.y_dot(1), -0.6 * at.y_dot(3) * at.y_dot(3);
  expect_close(G * at.y_dot, VectorXd::Zero(2), same, "rates");
  const VectorXd a = held_acceleration(all->dynamics({at.y, at.y_dot, 0}), G, gamma);
  const Dynamics d = reduced->dynamics(state);
  const VectorXd b = d.M.llt().solve(d.f);
  expect_close(b, (VectorXd(4) << a(0), a(1), a(2), a(5)).finished(), same * 100, "acceleration");
}

TEST(Coupling, IsRefusedInACircle) {
  Draws draws(10);
  RobotModel model = detail::drawn_tree(4, draws);
  model.couplings = {{"j1", "j2", {0, 1, 0, 0, 0}}, {"j2", "j3", {0, 1, 0, 0, 0}}, {"j3", "j1", {0, 1, 0, 0, 0}}};
  EXPECT_THROW(robot(model), InputError);
  model.couplings = {{"j1", "j1", {0, 1, 0, 0, 0}}};
  EXPECT_THROW(robot(model), InputError);
  model.couplings = {{"j1", "j2", {0, 1, 0, 0, 0}}, {"j1", "j3", {0, 1, 0, 0, 0}}};
  EXPECT_THROW(robot(model), InputError);
}

// Locked joints, and those held by a coupling without a driver, are bodies welded in place.
TEST(LockedJoint, IsAWeldedLink) {
  Draws draws(11);
  const RobotModel model = detail::drawn_tree(5, draws);
  RobotSetup setup;
  setup.joints["j1"] = {{}, true, 0.7};
  RobotModel held = model;
  held.couplings = {{"j2", "", {0.3, 0, 0, 0, 0}}};
  RobotModel welded = model;
  const RobotJoint& j1 = model.bodies[1].joints[0];  // a hinge
  const RobotJoint& j2 = model.bodies[2].joints[0];  // a slide
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7 - j1.reference, j1.axis));
  welded.bodies[1].position += model.bodies[1].rotation * (j1.anchor - turn * j1.anchor);
  welded.bodies[1].rotation = model.bodies[1].rotation * turn;
  welded.bodies[2].position += model.bodies[2].rotation * (0.3 * j2.axis);
  welded.bodies[1].joints.clear();
  welded.bodies[2].joints.clear();
  setup.contacts = {detail::contact_at("tip", "body4", {0.1, 0.2, 0.3})};
  RobotSetup plain = setup;
  plain.joints.clear();
  const auto ours = robot(held, setup);
  const auto theirs = robot(welded, plain);
  ASSERT_EQ(ours->coordinates(), (std::vector<std::string>{"j0", "j3", "j4"}));
  const State state = detail::drawn_state(*ours, draws);
  const Dynamics d = ours->dynamics(state);
  const Dynamics e = theirs->dynamics(state);
  expect_close(d.M, e.M, same, "M");
  expect_close(d.f, e.f, same, "f");
  expect_close(d.J, e.J, same, "J");
  expect_close(d.drift, e.drift, same, "drift");
  expect_close(d.gap, e.gap, same, "gap");
}

TEST(LockedJoint, IsRefusedBeyondItsLimitsOrAsAFollower) {
  Draws draws(12);
  RobotModel model = detail::drawn_tree(4, draws);
  RobotSetup setup;
  setup.joints["j1"] = {{}, true, 0.7};
  model.bodies[1].joints[0].upper = 0.5;
  EXPECT_THROW(robot(model, setup), InputError);
  model.bodies[1].joints[0].upper = 1.0;
  EXPECT_NO_THROW(robot(model, setup));
  model.couplings = {{"j1", "j0", {0, 1, 0, 0, 0}}};
  EXPECT_THROW(robot(model, setup), InputError);
}

}  // namespace loop_closure_test
}  // namespace painleve
