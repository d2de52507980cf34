// build(): what is solved for, and what is refused.
#include "painleve/mechanism/posture.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"

namespace painleve {
namespace posture_test {

using detail::expect_close;
using detail::least_setup;
using detail::setup_of;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double degree = std::numbers::pi / 180;
constexpr double rounding = 1e-14;  // a handful of roundings of numbers of order 1
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Posed build_named(const std::string& name, const Setup& setup) { return build(gallery_entry(name), setup); }
Dynamics dynamics(const Posed& posed) { return posed.mechanism->dynamics(posed.state); }

// What build() says when it refuses; empty when it does not.
std::string refusal(const std::string& name, const Setup& setup) {
  try {
    build_named(name, setup);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}
void expect_refusal(const std::string& name, const Setup& setup, const std::vector<std::string>& words) {
  const std::string message = refusal(name, setup);
  EXPECT_FALSE(message.empty()) << name << " was accepted";
  for (const auto& word : words) {
    EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
  }
}

// --- what is solved for --------------------------------------------------------------------------------------------

// A closed contact touches and does not open or close.
TEST(Build, ClosesClosedContactsOfEveryMechanism) {
  for (const auto& entry : gallery()) {
    if (entry.name == "brake-pad") {
      continue;  // its contacts are springs
    }
    SCOPED_TRACE(entry.name);
    const Posed posed = build(entry, least_setup(entry.name));
    const Dynamics d = dynamics(posed);
    const int n = entry.dimension;
    for (std::size_t i = 0; i < posed.contacts.size(); ++i) {
      const auto c = static_cast<Eigen::Index>(i);
      if (posed.contacts[i].closed) {
        EXPECT_NEAR(d.gap(c), 0, rounding);
        EXPECT_NEAR(d.u(n * c + n - 1), 0, rounding);
      } else {
        EXPECT_GE(d.gap(c), -rounding);
      }
    }
    for (std::size_t k = 0; k < entry.default_slip.size(); ++k) {
      EXPECT_NEAR(d.u(static_cast<Eigen::Index>(k)), entry.default_slip[k], rounding);
    }
  }
  EXPECT_EQ(gallery_entry("rod").default_slip, std::vector<double>{1});
  EXPECT_EQ(gallery_entry("chalk").default_slip, std::vector<double>{1});
  EXPECT_EQ(gallery_entry("block").default_slip, std::vector<double>{1});
  EXPECT_EQ(gallery_entry("impact-oscillator").default_slip, std::vector<double>{1});
}

TEST(Build, GyrationFollowsTheLengthOfTheRod) {
  EXPECT_DOUBLE_EQ(build_named("rod", setup_of({{"half_length", 3}})).parameters.at("gyration"), std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(build_named("rod-3d", setup_of({{"half_length", 3}, {"gyration", 2}})).parameters.at("gyration"), 2);
}

TEST(Build, SolvesTheRodFromItsContact) {
  auto setup = setup_of({{"half_length", 2}}, {{"theta", 1}, {"theta_dot", 0.5}, {"x", 3}});
  setup.slip["tip"] = {-0.7};
  const State s = build_named("rod", setup).state;
  expect_close(s.q, Vector3d(3, 2 * std::sin(1.0), 1), rounding, "q");
  // u_t = x_dot − l sin θ θ_dot, u_n = y_dot − l cos θ θ_dot
  expect_close(s.v, Vector3d(-0.7 + std::sin(1.0), std::cos(1.0), 0.5), rounding, "v");
}

TEST(Build, KeepsWhatIsGiven) {
  // x_dot given: no slip is asked for.
  EXPECT_NEAR(dynamics(build_named("rod", setup_of({}, {{"x_dot", 4}, {"theta_dot", 1}}))).u(0),
              4 - std::sin(60 * degree), rounding);
  // y and y_dot given, and right.
  const State s = build_named("rod", setup_of({}, {{"theta", 1}, {"y", std::sin(1.0)}, {"y_dot", 0}})).state;
  expect_close(s.v, Vector3d(1, 0, 0), rounding, "v");
  // one of the two joint rates: the other follows from the contact.
  const auto link = build_named("two-link", setup_of({}, {{"theta1_dot", 2}}));
  EXPECT_EQ(link.state.v(0), 2);
  EXPECT_NEAR(dynamics(link).u(1), 0, rounding);
  EXPECT_GT(std::abs(dynamics(link).u(0)), 0.1);
  // an open contact leaves velocities alone
  auto open = setup_of({}, {{"y", 5}, {"theta_dot", 1}});
  open.contacts["tip"].closed = false;
  expect_close(build_named("rod", open).state.v, Vector3d(0, 0, 1), 0, "v");
}

TEST(Build, SlipIsRelativeToTheBelt) {
  auto setup = setup_of({{"belt_speed", 2}}, {});
  setup.slip[""] = {-0.5};
  const auto posed = build_named("impact-oscillator", setup);
  EXPECT_NEAR(posed.state.v(1) * std::cos(0.6), 1.5, rounding);
  EXPECT_NEAR(dynamics(posed).u(0), -0.5, rounding);
  EXPECT_NEAR(posed.state.q(0), std::cos(0.6), rounding);
}

TEST(Build, SolvesTheSpatialRodFromTwoSlips) {
  auto setup = setup_of({}, {{"psi", 0.4}, {"psi_dot", 1}, {"theta_dot", -0.3}});
  setup.slip["tip"] = {0.2, -0.6};
  const auto posed = build_named("rod-3d", setup);
  expect_close(dynamics(posed).u, Vector3d(0.2, -0.6, 0), rounding, "u");
  EXPECT_NEAR(posed.state.q(2), std::sin(60 * degree), rounding);
}

TEST(Build, SolvesTheArmFromItsTip) {
  const auto standing = build_named("articulated-arm", {});
  double r = 0;
  for (int i = 0; i < 3; ++i) {
    r += standing.parameters.at(fmt::format("length{}", i + 1)) * std::cos(standing.state.q(i));
  }
  EXPECT_NEAR(r, 0.34, rounding);
  expect_close(standing.state.v, Eigen::Vector4d::Zero(), rounding, "v");
  auto slipping = setup_of({}, {{"theta3_dot", 0.4}});
  slipping.slip["tip"] = {-0.68, 0.3};
  const auto posed = build_named("articulated-arm", slipping);
  expect_close(dynamics(posed).u, Vector3d(-0.68, 0.3, 0), rounding, "u");
  EXPECT_NEAR(posed.state.v(3), 2, 10 * rounding);  // u_t1 = −x phi_dot
  // theta1 given: theta2 follows from the height.
  const auto one = build_named("articulated-arm", setup_of({}, {{"theta1", 0.2}}));
  EXPECT_EQ(one.state.q(0), 0.2);
  EXPECT_NEAR(dynamics(one).gap(0), 0, rounding);
}

TEST(Build, KleinsRodMovesAlongItsGuides) {
  auto setup = setup_of({}, {{"phi", 0.8}});
  setup.slip["guide2"] = {1.5};
  expect_close(build_named("painleve-klein", setup).state.v, Vector3d(1.5, 0, 0), rounding, "v");
}

TEST(Build, TheChalkIsPushedAndNotTurnedInItsRelaxedPose) {
  const auto posed = build_named("chalk", setup_of({}, {{"x_dot", 0.3}}));
  const Dynamics d = dynamics(posed);
  // The carriage moves with the chalk: only gravity, and the push at the grip, 0.5 m from the centre away from the tip.
  expect_close(d.f, Vector3d(0, -9.81 - 5, -5 * 0.5 * std::cos(60 * degree)), 1e-12, "f");  // springs of 200 N/m
}

// --- what is refused -----------------------------------------------------------------------------------------------

TEST(Build, RefusesNumbersOutOfBounds) {
  for (const double mass : {0.0, -1.0, nan, infinity}) {
    expect_refusal("rod", setup_of({{"mass", mass}}), {"parameters.mass"});
  }
  expect_refusal("impact-oscillator", setup_of({{"damping_y", -1}}), {"parameters.damping_y", ">= 0"});
  expect_refusal("rod", setup_of({{"slope", nan}}), {"parameters.slope", "finite"});
  for (const double legs : {2.0, 4.5, nan, 1e9}) {
    expect_refusal("rimless-wheel", setup_of({{"legs", legs}}), {"parameters.legs"});
  }
  for (const char* name : {"x", "theta", "x_dot", "theta_dot"}) {
    expect_refusal("rod", setup_of({}, {{name, nan}}), {std::string("state.") + name, "finite"});
    expect_refusal("brake-pad", setup_of({}, {{name, infinity}}), {std::string("state.") + name, "finite"});
  }
  auto setup = setup_of({});
  setup.t = nan;
  expect_refusal("rod", setup, {"state.t", "finite"});
}

TEST(Build, SuggestsTheNearestMechanism) {
  try {
    gallery_entry("two-lnik");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("two-link"), std::string::npos) << error.what();
  }
}

TEST(Build, RefusesStatesThatContradictAClosedContact) {
  expect_refusal("rod", setup_of({}, {{"y", 1}}), {"'tip'", "gap", "closed"});
  expect_refusal("rod", setup_of({}, {{"y_dot", -1}}), {"normal velocity", "'tip'"});
  expect_refusal("painleve-klein", setup_of({}, {{"y1", 0.1}}), {"'guide1'"});
  expect_refusal("wedged-block", setup_of({}, {{"x", 0.1}}), {"'left'"});
  expect_refusal("two-legged-body", setup_of({}, {{"theta", 0.1}}), {"'foot1'"});
  expect_refusal("articulated-arm", setup_of({}, {{"theta1", 0.2}, {"theta2", 0.3}}), {"'tip'"});
  EXPECT_EQ(refusal("rod", setup_of({}, {{"theta", 1}, {"y", std::sin(1.0) + 1e-10}})), "");  // within 1e-9 m
  auto one_foot = setup_of({}, {{"theta", 0.1}});
  one_foot.contacts["foot2"].closed = false;
  const Dynamics d = dynamics(build_named("two-legged-body", one_foot));
  EXPECT_NEAR(d.gap(0), 0, rounding);
  EXPECT_NEAR(d.gap(1), 0.4 * std::sin(0.1), rounding);
}

TEST(Build, RefusesVelocitiesThatContradictTheSlip) {
  auto setup = setup_of({}, {{"x_dot", 2}});
  setup.slip[""] = {1};
  expect_refusal("rod", setup, {"slip", "'tip'"});
  setup.slip[""] = {2};
  EXPECT_EQ(refusal("rod", setup), "");
  setup.slip[""] = {2, 0};
  expect_refusal("rod", setup, {"slip", "'tip'", "expected 1"});
  auto arm = setup_of({}, {{"phi_dot", 1}});
  arm.slip[""] = {0.5, 0};
  expect_refusal("articulated-arm", arm, {"slip", "'tip'"});
}

TEST(Build, RefusesPosesOutOfReach) {
  expect_refusal("articulated-arm", setup_of({}, {{"x", 2}}), {"reach", "2 m"});
  expect_refusal("two-link", setup_of({}, {{"theta1", 2.2}}), {"out of reach"});
  EXPECT_EQ(refusal("two-link", setup_of({{"height", 0.3}}, {{"theta1", 2.2}})), "");
}

TEST(Build, RefusesTwoNamesForOneThing) {
  expect_refusal("articulated-arm", setup_of({}, {{"x", 0.3}, {"theta1", 0}}), {"state.x", "theta1"});
  expect_refusal("articulated-arm", setup_of({}, {{"x_dot", 0.3}, {"theta1_dot", 0}}), {"state.x_dot", "theta1_dot"});
  auto setup = setup_of({}, {{"x_dot", 0.3}});
  setup.slip["tip"] = {0, 0.1};
  expect_refusal("articulated-arm", setup, {"state.x_dot", "slip"});
}

TEST(Build, RefusesOpenContactsBelowTheirSurface) {
  expect_refusal("block", setup_of({}, {{"theta", 20 * degree}}), {"'corner2'", "penetrates"});
  expect_refusal("rimless-wheel", setup_of({}, {{"theta", 30 * degree}}), {"'leg", "penetrates"});
  auto low = setup_of({}, {{"y", 0}});
  low.contacts["tip"].closed = false;
  expect_refusal("rod", low, {"'tip'", "penetrates"});
  low.contacts["tip"].stiffness = 1e5;  // a spring may be compressed
  EXPECT_EQ(refusal("rod", low), "");
}

TEST(Build, KnowsTheElbowsOfEachMechanism) {
  auto setup = setup_of({});
  setup.elbow = "up";
  EXPECT_EQ(refusal("articulated-arm", setup), "");
  expect_refusal("rod", setup, {"rod", "elbow"});
  setup.elbow = "bakc";
  expect_refusal("two-link", setup, {"elbow", "back"});
}

TEST(Build, ChecksTheListsOfARigidBody) {
  expect_refusal("rigid-body", {}, {"parameters.points"});
  auto setup = least_setup("rigid-body");
  EXPECT_EQ(refusal("rigid-body", setup), "");
  setup.given.set("y_dot", -0.5);
  expect_refusal("rigid-body", setup, {"'c1'", "normal velocity"});
  setup = least_setup("rigid-body");
  setup.lists["normals"].pop_back();
  expect_refusal("rigid-body", setup, {"parameters.points", "parameters.normals"});
  setup.lists["normals"] = {{0, 1}, {0, 0}};
  expect_refusal("rigid-body", setup, {"normals", "zero"});
  setup.lists["normals"] = {{0, 1}, {nan, 1}};
  expect_refusal("rigid-body", setup, {"parameters.normals", "finite"});
  setup = least_setup("rigid-body");
  setup.lists["points"][0][1] = infinity;
  expect_refusal("rigid-body", setup, {"parameters.points", "finite"});
}

// --- the brake pad in balance --------------------------------------------------------------------------------------

// Contact forces of the compressed edges, friction against the slip.
VectorXd pad_forces(const Posed& posed, double mu, double stiffness) {
  const Dynamics d = dynamics(posed);
  VectorXd lambda(4);
  for (Eigen::Index c = 0; c < 2; ++c) {
    const double normal = std::max(0.0, -stiffness * d.gap(c));
    lambda(2 * c + 1) = normal;
    lambda(2 * c) = d.u(2 * c) < 0 ? mu * normal : -mu * normal;
  }
  return lambda;
}

TEST(BrakePad, StandsInItsSlidingEquilibrium) {
  for (const double speed : {1.0, -2.0}) {
    for (const double mu : {0.0, 0.3, 0.8}) {
      auto setup = setup_of({{"belt_speed", speed}});
      setup.contacts["leading"] = {mu, {}, {}, 2e5};
      setup.contacts["trailing"] = {mu, {}, {}, 2e5};
      setup.forces["force_y"] = {Expression::constant(-20)};
      const Posed posed = build_named("brake-pad", setup);
      const Dynamics d = dynamics(posed);
      const VectorXd lambda = pad_forces(posed, mu, 2e5);
      EXPECT_LT((d.f + d.J.transpose() * lambda).norm(), 1e-9);
      EXPECT_LT(d.gap.maxCoeff(), -1e-6);  // both edges are pressed
      EXPECT_EQ(posed.state.v, Vector3d::Zero());
      // The disc drags the pad along, and presses down the edge that it meets first.
      EXPECT_NEAR(1e4 * posed.state.q(0), std::copysign(mu, speed) * (lambda(1) + lambda(3)), 1e-9);
      EXPECT_GE((lambda(1) - lambda(3)) * speed, -1e-9);
      EXPECT_EQ(mu > 0, std::abs(lambda(1) - lambda(3)) > 1e-6);
    }
  }
}

TEST(BrakePad, KeepsGivenCoordinatesAndVelocities) {
  const Posed rest = build_named("brake-pad", {});
  const Posed moving = build_named("brake-pad", setup_of({}, {{"x_dot", 0.2}, {"theta_dot", -1}}));
  EXPECT_EQ(moving.state.q, rest.state.q);  // the equilibrium is one at rest
  EXPECT_EQ(moving.state.v, Vector3d(0.2, 0, -1));
  const Posed shifted = build_named("brake-pad", setup_of({}, {{"x", 0.02}}));
  EXPECT_EQ(shifted.state.q(0), 0.02);
  const Dynamics d = dynamics(shifted);
  const VectorXd r = d.f + d.J.transpose() * pad_forces(shifted, 0.5, 1e6);
  EXPECT_LT(std::max(std::abs(r(1)), std::abs(r(2))), 1e-8);  // stiffness 1e6 on the rounding of y
  const Posed all = build_named("brake-pad", setup_of({}, {{"x", 0.1}, {"y", 0.31}, {"theta", 0.01}}));
  EXPECT_EQ(all.state.q, Vector3d(0.1, 0.31, 0.01));
}

TEST(BrakePad, SaysWhenThereIsNoEquilibrium) {
  expect_refusal("brake-pad", setup_of({{"bushing_x", 0}}), {"equilibrium"});
}

// The upper arm is too short for a long forearm to fold back onto a near point.
TEST(Build, RefusesPosesTooNear) {
  const auto arm = setup_of({{"length1", 0.1}, {"length2", 1}}, {{"x", 0.3}});
  expect_refusal("articulated-arm", arm, {"cannot reach", "allowed are 0.9 to 1.1 m"});
}

}  // namespace posture_test
}  // namespace painleve
