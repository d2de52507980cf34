// A robot as an entry: what it names, how it is posed, what it refuses, and how it is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/mechanism/mechanisms_for_tests.hpp"
#include "painleve/robot/detail/hand_built_robots.hpp"
#include "painleve/robot/robot.hpp"

namespace painleve {
namespace robot_entry_test {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double rounding = 1e-12;

RobotModel arm() {
  RobotModel model = detail::arm_model({0.5, 0.5, 0.1}, 2, 0.6);
  model.bodies[1].joints[0].home = -0.3;
  model.bodies[2].joints[0].home = 1.6;
  model.bodies[3].joints[0].home = 0.4;
  return model;
}
RobotSetup on_table() {
  RobotSetup setup;
  setup.contacts = {detail::contact_at("tip", "tool0", {0, 0, 0})};
  return setup;
}

template <class Call>
std::string sentence_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}
void expect_in(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(RobotEntry, NamesWhatTheRobotHas) {
  RobotModel model = arm();
  model.gravity = {0, -3, -4};
  const GalleryEntry entry = robot_entry(model, on_table());
  EXPECT_EQ(entry.name, "arm");
  EXPECT_EQ(entry.dimension, 3);
  EXPECT_EQ(entry.coordinate_names(), (std::vector<std::string>{"phi", "j1", "j2", "j3"}));
  EXPECT_EQ(entry.coordinates[2].unit, "rad");
  EXPECT_EQ(entry.coordinates[2].fallback, 1.6);
  ASSERT_EQ(entry.parameters.size(), 1U);
  EXPECT_EQ(entry.parameters[0].name, "gravity");
  EXPECT_EQ(entry.parameters[0].fallback, 5);
  ASSERT_EQ(entry.forces.size(), 4U);
  EXPECT_EQ(entry.forces[3].name, "j3");
  EXPECT_EQ(entry.forces[3].unit, "N m");
  EXPECT_EQ(entry.solved.size(), 8U);
  EXPECT_EQ(entry.contacts({}).at(0).name, "tip");
  EXPECT_TRUE(entry.contacts({}).at(0).closed);
}

TEST(RobotEntry, ClosesItsContactsByTheLeastChangeFromHome) {
  const GalleryEntry entry = robot_entry(arm(), on_table());
  painleve::Setup setup;
  setup.slip["tip"] = {0.2, -0.1};
  const Posed posed = build(entry, setup);
  const Dynamics d = posed.mechanism->dynamics(posed.state);
  EXPECT_NEAR(d.gap(0), 0, 1e-14);
  EXPECT_NEAR(d.u(0), 0.2, rounding);
  EXPECT_NEAR(d.u(1), -0.1, rounding);
  EXPECT_NEAR(d.u(2), 0, rounding);
  EXPECT_EQ(posed.state.q(0), 0);  // the turret does not help
  EXPECT_LT((posed.state.q - VectorXd(Eigen::Vector4d(0, -0.3, 1.6, 0.4))).norm(), 0.5);
  // The rates have the least norm: none in the null space of J.
  const VectorXd in_rows = d.J.transpose() * (d.J * d.J.transpose()).ldlt().solve(d.J * posed.state.v);
  detail::expect_close(posed.state.v, in_rows, rounding, "v");
}

TEST(RobotEntry, IsAtRestWithoutSlip) {
  const Posed posed = build(robot_entry(arm(), on_table()), {});
  EXPECT_TRUE(posed.state.v.isZero(0));
}

TEST(RobotEntry, KeepsWhatIsGiven) {
  const GalleryEntry entry = robot_entry(arm(), on_table());
  const Posed posed = build(entry, detail::setup_of({{"gravity", 2}}, {{"j3", 0.1}, {"phi", 0.5}, {"phi_dot", 1}}));
  EXPECT_EQ(posed.state.q(3), 0.1);
  EXPECT_EQ(posed.state.q(0), 0.5);
  EXPECT_EQ(posed.state.v(0), 1);
  EXPECT_NEAR(posed.mechanism->dynamics(posed.state).gap(0), 0, 1e-14);
  EXPECT_EQ(posed.mechanism->outline(posed.state).gravity, (Place{0, 0, -2}));
}

TEST(RobotEntry, LaysAPlaneThroughTheGivenPosture) {
  RobotSetup setup = on_table();
  setup.contacts[0].plane_point.reset();
  const Posed posed = build(robot_entry(arm(), setup), detail::setup_of({}, {{"j2", 0.9}}));
  EXPECT_EQ(posed.state.q, VectorXd(Eigen::Vector4d(0, -0.3, 0.9, 0.4)));
  EXPECT_EQ(posed.mechanism->dynamics(posed.state).gap(0), 0);
}

TEST(RobotEntry, TakesForcesAlongItsJoints) {
  const GalleryEntry entry = robot_entry(arm(), on_table());
  painleve::Setup setup;
  setup.forces["j2"] = {Expression::parse("3*t")};
  setup.t = 2;
  const Posed posed = build(entry, setup);
  EXPECT_EQ(posed.mechanism->dynamics(posed.state).applied, VectorXd(Eigen::Vector4d(0, 0, 6, 0)));
}

TEST(RobotEntry, RefusesAStateBeyondALimit) {
  RobotModel model = arm();
  model.bodies[2].joints[0].lower = 0;
  model.bodies[2].joints[0].upper = 2;
  const GalleryEntry entry = robot_entry(model, {});
  EXPECT_EQ(sentence_of([&] {
              build(entry, detail::setup_of({}, {{"j2", 2.5}}));
            }),
            "the state is out of bounds: joint j2 is at 2.5 rad, its limits are 0 to 2 rad");
  EXPECT_NO_THROW(build(entry, detail::setup_of({}, {{"j2", 2 + 1e-10}})));
  const Posed posed = build(entry, detail::setup_of({}, {{"j2", 1.75}}));
  EXPECT_EQ(posed.mechanism->room(posed.state), 0.25);
  EXPECT_EQ(build(robot_entry(arm(), {}), {}).mechanism->room(posed.state), std::numeric_limits<double>::infinity());
}

TEST(RobotEntry, RefusesUnknownNames) {
  RobotSetup setup = on_table();
  setup.contacts[0].body = "tool1";
  expect_in("did you mean 'tool0'", sentence_of([&] { robot_entry(arm(), setup); }));
  setup = on_table();
  setup.contacts[0].body.clear();
  expect_in("exactly one of body, site and geom", sentence_of([&] { robot_entry(arm(), setup); }));
  setup.contacts[0].site = "tip";
  expect_in("site in contact.tip", sentence_of([&] { robot_entry(arm(), setup); }));
  setup = on_table();
  setup.joints["j11"] = {};
  expect_in("did you mean 'j1'", sentence_of([&] { robot_entry(arm(), setup); }));
  setup = on_table();
  setup.contacts[0].normal.setZero();
  expect_in("contact.tip.plane.normal", sentence_of([&] { robot_entry(arm(), setup); }));
  setup = on_table();
  setup.joints["j1"].armature = -1;
  expect_in("armature is -1, it must be >= 0", sentence_of([&] { robot_entry(arm(), setup); }));
  setup = on_table();
  for (const char* name : {"phi", "j1", "j2", "j3"}) setup.joints[name].lock = true;
  expect_in("no joint that moves", sentence_of([&] { robot_entry(arm(), setup); }));
}

TEST(RobotEntry, FindsSitesAndGeoms) {
  RobotModel model = arm();
  RobotFrame site;
  site.name = "pad";
  site.kind = "site";
  site.body = 4;
  site.position = {0, 0, 0.1};
  site.rotation = Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitZ());
  model.frames = {site};
  RobotSetup by_site = on_table();
  by_site.contacts[0].body.clear();
  by_site.contacts[0].site = "pad";
  by_site.contacts[0].point = {0.3, 0, 0};
  RobotSetup by_body = on_table();
  by_body.contacts[0].point = {0, 0.3, 0.1};
  const State state{VectorXd::Constant(4, 0.4), VectorXd::Constant(4, 0.3), 0};
  const painleve::Setup s = detail::setup_of({{"gravity", 9.81}});
  const Dynamics a = robot_entry(model, by_site).make(s, state.q)->dynamics(state);
  const Dynamics b = robot_entry(model, by_body).make(s, state.q)->dynamics(state);
  detail::expect_close(a.J, b.J, rounding, "J");
  detail::expect_close(a.gap, b.gap, rounding, "gap");
}

TEST(RobotEntry, AddsTheArmatureThatIsSet) {
  RobotSetup setup = on_table();
  const State state{VectorXd::Constant(4, 0.4), VectorXd::Zero(4), 0};
  const painleve::Setup s = detail::setup_of({{"gravity", 9.81}});
  const Eigen::MatrixXd without = robot_entry(arm(), setup).make(s, state.q)->dynamics(state).M;
  setup.joints["j2"].armature = 0.25;
  const Eigen::MatrixXd with = robot_entry(arm(), setup).make(s, state.q)->dynamics(state).M;
  EXPECT_NEAR((with - without)(2, 2), 0.25, rounding);
  EXPECT_NEAR((with - without).norm(), 0.25, rounding);
}

TEST(RobotEntry, SaysWhichJointsMoveNoMass) {
  RobotModel model = arm();
  RobotBody spinner;  // turns a point
  spinner.name = "spinner";
  spinner.parent = 3;
  spinner.mass = 1;
  spinner.joints = {detail::joint_of("spin", JointKind::hinge, Vector3d::UnitX())};
  model.bodies.push_back(spinner);
  expect_in("singular: spin can move", sentence_of([&] { robot_entry(model, {}); }));
  RobotSetup setup;
  setup.joints["spin"].armature = 0.01;
  EXPECT_NO_THROW(robot_entry(model, setup));
}

// Three turns in a row lose one where the middle one is at 90 degrees, and only there.
TEST(RobotEntry, SaysWhyAFreeBodyIsSingularOnItsSide) {
  RobotModel model;
  model.name = "box";
  RobotBody box;
  box.name = "box";
  box.mass = 1;
  box.inertia = Vector3d(0.1, 0.2, 0.3).asDiagonal();
  box.joints = {detail::joint_of("yaw", JointKind::hinge, Vector3d::UnitZ()),
                detail::joint_of("pitch", JointKind::hinge, Vector3d::UnitY()),
                detail::joint_of("roll", JointKind::hinge, Vector3d::UnitX())};
  box.joints[1].home = std::numbers::pi / 2;
  model.bodies = {box};
  const GalleryEntry entry = robot_entry(model, {});
  const auto look = [&](const Posed& posed) { contact_space(*posed.mechanism, posed.state, {}); };
  expect_in("at 90 degrees", sentence_of([&] { look(build(entry, {})); }));
  EXPECT_NO_THROW(look(build(entry, detail::setup_of({}, {{"pitch", 1.0}}))));
}

TEST(RobotEntry, IsPlanarWhereTheRobotIs) {
  RobotSetup setup;
  setup.contacts = {detail::contact_at("tip", "lower", {0, 0, -1})};
  RobotModel model = detail::two_link_model(1, 1, 1, 1, 1);
  EXPECT_EQ(robot_entry(model, setup).dimension, 2);
  setup.contacts[0].normal = {1, 0, 1};
  EXPECT_EQ(robot_entry(model, setup).dimension, 2);
  setup.contacts[0].normal = {0, 1, 1};
  EXPECT_EQ(robot_entry(model, setup).dimension, 3);
  setup.dimension = 2;
  expect_in("the normal of contact tip", sentence_of([&] { robot_entry(model, setup); }));
  setup.contacts[0].normal = {0, 0, 1};
  model.bodies[1].joints[0].axis = Vector3d(0, 1, 0.1).normalized();
  expect_in("hinge j2", sentence_of([&] { robot_entry(model, setup); }));
  setup.dimension.reset();
  EXPECT_EQ(robot_entry(model, setup).dimension, 3);
  setup.joints["j2"].lock = true;
  EXPECT_EQ(robot_entry(model, setup).dimension, 2);
}

ContactPlace frame(const RobotModel& model, const RobotSetup& setup) {
  const Posed posed = build(robot_entry(model, setup), {});
  return posed.mechanism->outline(posed.state).contacts.at(0);
}

TEST(RobotEntry, TurnsItsFramesAsItSays) {
  RobotSetup setup = on_table();
  setup.contacts[0].plane_point.reset();
  EXPECT_EQ(frame(arm(), setup).tangents, (std::vector<Place>{{1, 0, 0}, {0, 1, 0}}));
  setup.contacts[0].normal = {-2, 0, 0};
  EXPECT_EQ(frame(arm(), setup).tangents[0], (Place{0, 1, 0}));
  setup.contacts[0].normal = {0, 0, -1};
  EXPECT_EQ(frame(arm(), setup).tangents, (std::vector<Place>{{1, 0, 0}, {0, -1, 0}}));
  setup.contacts[0].tangent = Vector3d(0, 3, 5);
  EXPECT_EQ(frame(arm(), setup).tangents[0], (Place{0, 1, 0}));
  // In the plane x-z, drawn with x to the right and z up.
  RobotSetup flat;
  flat.contacts = {detail::contact_at("tip", "lower", {0, 0, -1})};
  flat.contacts[0].plane_point.reset();
  const RobotModel model = detail::two_link_model(1, 1, 1, 1, 1);
  EXPECT_EQ(frame(model, flat).tangents, (std::vector<Place>{{1, 0, 0}}));
  EXPECT_EQ(frame(model, flat).normal, (Place{0, 1, 0}));
  flat.contacts[0].normal = {1, 0, 0};
  EXPECT_EQ(frame(model, flat).tangents, (std::vector<Place>{{0, 1, 0}}));
  flat.contacts[0].tangent = Vector3d(0, 0, -1);
  EXPECT_EQ(frame(model, flat).tangents, (std::vector<Place>{{0, -1, 0}}));
}

Vector3d vector(const Place& p) { return {p[0], p[1], p[2]}; }

// The drawn contact moves as the mechanics says, lies on a drawn link, and the drawn surface is where the gap ends.
void expect_drawn_right(const RobotModel& model, const RobotSetup& setup, std::uint64_t seed) {
  const GalleryEntry entry = robot_entry(model, setup);
  const auto mechanism = entry.make(detail::setup_of({{"gravity", 9.81}}),
                                    VectorXd::Zero(4).head(static_cast<Eigen::Index>(entry.coordinates.size())));
  Draws draws(seed);
  const State state = detail::drawn_state(*mechanism, draws);
  const State onwards{state.v, VectorXd::Zero(state.v.size()), 1};
  const Outline outline = mechanism->outline(state);
  const Dynamics d = mechanism->dynamics(state);
  ASSERT_EQ(outline.contacts.size(), setup.contacts.size());
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < outline.contacts.size(); ++i) {
    const ContactPlace& contact = outline.contacts[i];
    const Vector3d velocity = detail::slope(
        [&](double h) { return vector(mechanism->outline(detail::moved(state, onwards, h)).contacts[i].at); });
    for (const Place& tangent : contact.tangents) EXPECT_NEAR(d.u(row++), velocity.dot(vector(tangent)), 1e-9);
    EXPECT_NEAR(d.u(row++), velocity.dot(vector(contact.normal)), 1e-9);
    bool reached = false;
    bool on_surface = false;
    for (const Stroke& stroke : outline.strokes) {
      if (stroke.part != Part::surface) {
        reached = reached || std::any_of(stroke.points.begin(), stroke.points.end(), [&](const Place& p) {
                    return (vector(p) - vector(contact.at)).norm() < rounding;
                  });
        continue;
      }
      const Vector3d along = vector(stroke.points[1]) - vector(stroke.points[0]);
      const Vector3d side = stroke.closed
                                ? along.cross(vector(stroke.points[2]) - vector(stroke.points[0])).normalized()
                                : Vector3d(-along.y(), along.x(), 0).normalized();
      const double height = side.dot(vector(contact.at) - vector(stroke.points[0]));
      on_surface = on_surface || ((side - vector(contact.normal)).norm() < rounding &&
                                  std::abs(height - d.gap(static_cast<Eigen::Index>(i))) < rounding);
    }
    EXPECT_TRUE(reached && on_surface) << contact.name;
  }
}

TEST(RobotEntry, IsDrawnAsItMoves) {
  RobotSetup space = on_table();
  space.contacts.push_back(detail::contact_at("elbow", "link2", {0.1, 0.05, 0.1}));
  space.contacts[1].normal = {-1, 0.5, 2};
  RobotSetup flat;
  flat.contacts = {detail::contact_at("tip", "lower", {0, 0, -1}), detail::contact_at("knee", "upper", {0.1, 0, -0.9})};
  flat.contacts[1].normal = {-1, 0, 0.3};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    expect_drawn_right(arm(), space, seed);
    expect_drawn_right(detail::two_link_model(1, 2, 1, 1, 1), flat, seed);
  }
}

}  // namespace robot_entry_test
}  // namespace painleve
