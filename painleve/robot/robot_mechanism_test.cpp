// Robots written by hand against the gallery, and the laws that every robot obeys at drawn states.
#include "painleve/robot/robot_mechanism.hpp"

#include <gtest/gtest.h>

#include "painleve/mechanism/mechanisms_for_tests.hpp"
#include "painleve/robot/detail/hand_built_robots.hpp"

namespace painleve {
namespace robot_mechanism_test {

using detail::expect_close;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The same numbers by two routes, after some dozens of roundings.
constexpr double same = 1e-12;
// Of five-point difference quotients: see slope().
constexpr double quotient = 1e-8;

std::shared_ptr<const Mechanism> robot(const RobotModel& model, const RobotSetup& setup, double gravity,
                                       const std::string& force = "0") {
  const GalleryEntry entry = robot_entry(model, setup);
  Setup s;
  s.parameters.set("gravity", gravity);
  for (const ForceInfo& info : entry.forces) s.forces[info.name] = {Expression::parse(force)};
  VectorXd home(static_cast<Eigen::Index>(entry.coordinates.size()));
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i)
    home(static_cast<Eigen::Index>(i)) = entry.coordinates[i].fallback;
  return entry.make(s, home);
}

// Contact spaces and energies of two mechanisms in the same motion; `A`: rates of the first from those of the second.
void expect_same(const Mechanism& ours, const State& here, const Mechanism& theirs, const State& there,
                 const MatrixXd& A) {
  const std::vector<Surface> surfaces(ours.contacts().size());
  const ContactSpace a = contact_space(ours, here, surfaces);
  const ContactSpace b = contact_space(theirs, there, surfaces);
  expect_close(a.W, b.W, same, "W");
  expect_close(a.b, b.b, same, "b");
  expect_close(a.u, b.u, same, "u");
  expect_close(a.drift, b.drift, same, "drift");
  expect_close(a.gap, b.gap, same, "gap");
  const Dynamics d = ours.dynamics(here);
  const Dynamics e = theirs.dynamics(there);
  expect_close(A.transpose() * d.M * A, e.M, same, "M");
  expect_close(A.transpose() * d.f, e.f, same, "f");
  EXPECT_NEAR(d.potential, e.potential, same * 100);
}

TEST(RobotMechanism, IsTheRodOfTheGallery) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draws draws(100 + seed);
    const double mass = draws.uniform(0.5, 2);
    const double half = draws.uniform(0.5, 2);
    const double gyration = draws.uniform(0.3, 1);
    const double g = draws.uniform(1, 10);
    const auto theirs = gallery_entry("rod").make(
        detail::setup_of({{"mass", mass}, {"half_length", half}, {"gyration", gyration}, {"gravity", g}, {"slope", 0}}),
        VectorXd::Zero(3));
    RobotSetup setup;
    setup.contacts = {detail::contact_at("tip", "rod", {half, 0, 0})};
    const auto ours = robot(detail::rod_model(mass, half, gyration), setup, g);
    ASSERT_EQ(ours->dimension(), 2);
    const State state = detail::drawn_state(*ours, draws);
    expect_same(*ours, state, *theirs, state, MatrixXd::Identity(3, 3));
  }
}

TEST(RobotMechanism, IsTheTwoLinkOfTheGallery) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draws draws(200 + seed);
    const double m1 = draws.uniform(0.5, 2);
    const double m2 = draws.uniform(0.5, 2);
    const double l1 = draws.uniform(0.5, 2);
    const double l2 = draws.uniform(0.5, 2);
    const auto theirs = gallery_entry("two-link")
                            .make(detail::setup_of({{"mass1", m1},
                                                    {"mass2", m2},
                                                    {"length1", l1},
                                                    {"length2", l2},
                                                    {"height", 0.8},
                                                    {"gravity", 9.81}}),
                                  VectorXd::Zero(2));
    RobotSetup setup;
    setup.contacts = {detail::contact_at("tip", "lower", {0, 0, -l2})};
    const auto ours = robot(detail::two_link_model(m1, m2, l1, l2, 0.8), setup, 9.81);
    MatrixXd A(2, 2);
    A << 1, 0, -1, 1;
    const State there = detail::drawn_state(*theirs, draws);
    expect_same(*ours, {A * there.q, A * there.v, there.t}, *theirs, there, A);
  }
}

// The gallery's tangents turn with the arm: a fixed frame sees u̇ + φ̇ (u_2, −u_1) less.
TEST(RobotMechanism, IsTheArticulatedArmOfTheGallery) {
  const auto theirs = gallery_entry("articulated-arm")
                          .make(detail::setup_of({{"length1", 0.5},
                                                  {"length2", 0.4},
                                                  {"length3", 0.2},
                                                  {"density", 2},
                                                  {"height", 0.6},
                                                  {"gravity", 9.81}}),
                                VectorXd::Zero(4));
  MatrixXd A(4, 4);
  A << 0, 0, 0, 1, 1, 0, 0, 0, -1, 1, 0, 0, 0, -1, 1, 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draws draws(300 + seed);
    const State there = detail::drawn_state(*theirs, draws);
    RobotSetup setup;
    setup.contacts = {detail::contact_at("tip", "tool0", {0, 0, 0})};
    setup.contacts[0].tangent = Eigen::Vector3d(std::sin(there.q(3)), -std::cos(there.q(3)), 0);
    const auto ours = robot(detail::arm_model({0.5, 0.4, 0.2}, 2, 0.6), setup, 9.81);
    ASSERT_EQ(ours->dimension(), 3);
    const State here{A * there.q, A * there.v, there.t};
    const std::vector<Surface> surfaces(1);
    const ContactSpace a = contact_space(*ours, here, surfaces);
    const ContactSpace b = contact_space(*theirs, there, surfaces);
    const Eigen::Vector3d turning = there.v(3) * Eigen::Vector3d(a.u(1), -a.u(0), 0);
    expect_close(a.W, b.W, same, "W");
    expect_close(a.u, b.u, same, "u");
    expect_close(a.b + turning, b.b, same, "b");
    expect_close(a.drift + turning, b.drift, same, "drift");
    const Dynamics d = ours->dynamics(here);
    const Dynamics e = theirs->dynamics(there);
    expect_close(A.transpose() * d.M * A, e.M, same, "M");
    expect_close(A.transpose() * d.f, e.f, same, "f");
    EXPECT_NEAR(d.potential, e.potential, same * 100);
  }
}

// Robots that together use everything: a tree, one with joints that follow others, one with a planar loop that turns
// in space, and one that is welded into a loop.
struct Case {
  std::string name;
  RobotModel model;
  RobotSetup setup;

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

RobotModel turning_four_bar() {
  RobotModel model = detail::four_bar_model(0.4, 0.9, 0.7, 1.0);
  RobotBody base;
  base.name = "base";
  base.mass = 1;
  base.inertia = Eigen::Vector3d(0.1, 0.2, 0.3).asDiagonal();
  base.joints = {detail::joint_of("turn", JointKind::hinge, Eigen::Vector3d(0.3, 0.2, 1).normalized())};
  for (RobotBody& body : model.bodies) ++body.parent;
  model.bodies.insert(model.bodies.begin(), base);
  model.loops[0].body1 = 3;
  model.loops[0].body2 = 0;
  return model;
}

// Seven hinges whose last link is welded to the world: one way to move is left.
RobotModel welded_ring() {
  Draws draws(7);
  RobotModel model;
  model.name = "ring";
  for (int i = 0; i < 7; ++i) {
    RobotJoint joint = detail::joint_of(fmt::format("r{}", i), JointKind::hinge, detail::drawn_direction(draws));
    model.bodies.push_back(
        detail::thin_link(fmt::format("ring{}", i), i - 1, detail::drawn_place(draws), 1, {0.3, 0.2, 0.1}, joint));
    model.bodies.back().inertia += 0.05 * Eigen::Matrix3d::Identity();
  }
  LoopClosure loop;
  loop.name = "ring";
  loop.weld = true;
  loop.body2 = 6;
  for (const RobotBody& body : model.bodies) loop.anchor1 += body.position;
  model.loops = {loop};
  return model;
}

std::vector<Case> cases() {
  std::vector<Case> list;
  Draws draws(42);
  const auto with_contacts = [&](const std::string& name, const RobotModel& model, const std::string& body) {
    Case c{name, model, {}};
    c.setup.contacts = {detail::contact_at("c1", body, detail::drawn_place(draws)),
                        detail::contact_at("c2", body, detail::drawn_place(draws))};
    c.setup.contacts[1].normal = {1, 2, 3};
    c.setup.dimension = 3;
    list.push_back(c);
  };
  with_contacts("tree", detail::drawn_tree(6, draws), "body5");
  RobotModel coupled = detail::drawn_tree(6, draws);
  coupled.couplings = {{"j4", "j3", {0.1, 0.8, 0.3, -0.2, 0.1}}, {"j3", "j1", {-0.2, 1.1, -0.3, 0.1, 0.05}}};
  with_contacts("coupled", coupled, "body5");
  with_contacts("four_bar", turning_four_bar(), "rocker");
  RobotModel geared = turning_four_bar();
  geared.bodies.push_back(detail::drawn_tree(1, draws).bodies[0]);
  geared.bodies.back().parent = 1;
  geared.couplings = {{"j0", "c", {0, 0.7, 0.2, 0, 0}}};
  with_contacts("geared_four_bar", geared, "body0");
  with_contacts("welded_ring", welded_ring(), "ring3");
  return list;
}

class EveryRobot : public testing::TestWithParam<Case> {
 protected:
  template <class Check>
  void at_drawn_states(const Check& check) const {
    const auto mechanism = robot(GetParam().model, GetParam().setup, 9.0, "1 + 2*sin(3*t)");
    const GalleryEntry entry = robot_entry(GetParam().model, GetParam().setup);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(seed);
      Draws draws(500 + seed);
      State state = detail::drawn_state(*mechanism, draws);
      // Loops do not close anywhere: stay near home.
      const double range = GetParam().model.loops.empty() ? 1 : 0.15;
      for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        state.q(k) = entry.coordinates[i].fallback + range * state.q(k);
      }
      check(*mechanism, state, draws);
    }
  }
};

TEST_P(EveryRobot, HasItsExactDerivative) {
  at_drawn_states([](const Mechanism& mechanism, const State& state, Draws& draws) {
    const State direction = detail::drawn_state(mechanism, draws);
    const Dynamics exact = mechanism.derivative(state, direction);
    const auto along = [&](auto member) {
      return detail::slope([&](double h) -> MatrixXd {
        return std::invoke(member, mechanism.dynamics(detail::moved(state, direction, h)));
      });
    };
    expect_close(exact.M, along(&Dynamics::M), quotient, "M");
    expect_close(exact.f, along(&Dynamics::f), quotient, "f");
    expect_close(exact.applied, along(&Dynamics::applied), quotient, "applied");
    expect_close(exact.J, along(&Dynamics::J), quotient, "J");
    expect_close(exact.drift, along(&Dynamics::drift), quotient, "drift");
    expect_close(exact.u, along(&Dynamics::u), quotient, "u");
    expect_close(exact.gap, along(&Dynamics::gap), quotient, "gap");
    expect_close(exact.place, along(&Dynamics::place), quotient, "place");
    const auto potential = [&](double h) { return mechanism.dynamics(detail::moved(state, direction, h)).potential; };
    EXPECT_NEAR(exact.potential, detail::slope_of_number(potential), quotient * 100);
  });
}

// u = J v is the rate of the places, and the drift is the rate of u at constant v.
TEST_P(EveryRobot, MovesItsContactsAsTheirPlacesDo) {
  at_drawn_states([](const Mechanism& mechanism, const State& state, Draws&) {
    const State onwards{state.v, VectorXd::Zero(state.v.size()), 0};
    const Dynamics d = mechanism.dynamics(state);
    const Dynamics rate = mechanism.derivative(state, onwards);
    expect_close(d.u, d.J * state.v, same, "u");
    expect_close(rate.place, d.u, same, "rate of place");
    expect_close(rate.u, d.drift, 10 * same, "rate of u");
    for (Eigen::Index i = 0; i < d.gap.size(); ++i) EXPECT_NEAR(rate.gap(i), d.u(3 * i + 2), 10 * same);
  });
}

// d/dt (T + V) is the power of what neither inertia nor a potential gives.
TEST_P(EveryRobot, KeepsItsEnergy) {
  at_drawn_states([](const Mechanism& mechanism, const State& state, Draws&) {
    const Dynamics d = mechanism.dynamics(state);
    expect_close(d.M, d.M.transpose(), 0, "M");
    const VectorXd a = d.M.llt().solve(d.f);
    const Dynamics rate = mechanism.derivative(state, {state.v, a, 1});
    const double power = state.v.dot(d.M * a) + state.v.dot(rate.M * state.v) / 2 + rate.potential;
    const double size = std::abs(state.v.dot(d.f)) + std::abs(rate.potential) + 1;
    EXPECT_NEAR(power, d.applied.dot(state.v), 100 * same * size);
  });
}

// Lagrange's equations: what inertia and the potential give follows from M and V alone.
TEST_P(EveryRobot, ObeysLagrange) {
  at_drawn_states([](const Mechanism& mechanism, const State& state, Draws&) {
    const Eigen::Index n = state.q.size();
    const VectorXd rest = VectorXd::Zero(n);
    const Dynamics d = mechanism.dynamics(state);
    VectorXd f = d.applied - mechanism.derivative(state, {state.v, rest, 0}).M * state.v;
    for (Eigen::Index k = 0; k < n; ++k) {
      const Dynamics along = mechanism.derivative(state, {VectorXd::Unit(n, k), rest, 0});
      f(k) += state.v.dot(along.M * state.v) / 2 - along.potential;
    }
    expect_close(d.f, f, 100 * same, "f");
  });
}

INSTANTIATE_TEST_SUITE_P(Robots, EveryRobot, testing::ValuesIn(cases()), [](const auto& it) { return it.param.name; });

// Springs and dampers of a rod, and of a joint that follows another: its damper acts on the driver by the square of the
// transmission.
TEST(RobotMechanism, HasSpringsAndDampersAlongItsJoints) {
  RobotModel model = detail::rod_model(1, 1, 0.5);
  const State state{Eigen::Vector3d(0.3, 0.4, 0.5), Eigen::Vector3d(1, 2, 3), 0};
  const Dynamics bare = robot(model, {}, 9.81)->dynamics(state);
  model.bodies[0].joints[0].damping = 0.7;
  model.bodies[0].joints[2].damping = 0.2;
  model.bodies[0].joints[1].stiffness = 5;
  model.bodies[0].joints[1].spring_reference = 1;
  const Dynamics d = robot(model, {}, 9.81)->dynamics(state);
  expect_close(d.applied, Eigen::Vector3d(-0.7, 0, -0.6), same, "applied");
  expect_close(d.f - bare.f, Eigen::Vector3d(-0.7, 3, -0.6), same, "f");
  EXPECT_NEAR(d.potential - bare.potential, 5 * 0.6 * 0.6 / 2, same);

  RobotModel geared = detail::two_link_model(1, 1, 1, 1, 1);
  geared.bodies[0].joints[0].damping = 0.1;
  geared.bodies[1].joints[0].damping = 0.5;
  geared.couplings = {{"j2", "j1", {0, -3, 0, 0, 0}}};
  const auto one = robot(geared, {}, 9.81, "2");
  ASSERT_EQ(one->coordinates().size(), 1U);
  EXPECT_NEAR(one->dynamics({VectorXd::Ones(1), VectorXd::Ones(1), 0}).applied(0), 2 - 0.1 - 9 * 0.5, same);
}

// The kinetic energy of links that are six masses each, from the motion of these masses alone.
TEST(RobotMechanism, HasTheKineticEnergyOfItsMasses) {
  Draws draws(61);
  RobotModel model = detail::drawn_tree(5, draws);
  RobotSetup setup;
  setup.dimension = 3;
  const std::vector<Eigen::Vector3d> corners = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const double m = 0.3;
  for (RobotBody& body : model.bodies) {  // six equal masses on the axes about the centre
    body.mass = 6 * m;
    body.inertia = 4 * m * Eigen::Matrix3d::Identity();
    body.joints[0].armature = 0;
    for (std::size_t k = 0; k < corners.size(); ++k)
      setup.contacts.push_back(
          detail::contact_at(fmt::format("{}_{}", body.name, k), body.name, body.centre + corners[k]));
  }
  const auto mechanism = robot(model, setup, 9.81);
  const State state = detail::drawn_state(*mechanism, draws);
  const Dynamics d = mechanism->dynamics(state);
  EXPECT_NEAR(state.v.dot(d.M * state.v), m * d.u.squaredNorm(), 1e-11);
}

}  // namespace robot_mechanism_test
}  // namespace painleve
