// Scenario files: every key is read, and whatever is wrong is refused with a sentence that says what and where.
#include "painleve/scene/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/detail/built_scenes.hpp"

namespace painleve {
namespace scene_test {

using detail::build;
using detail::build_error;
using detail::expect_contains;
using detail::kPi;
using detail::open;
using detail::open_error;
using detail::q;
using detail::Sets;
using detail::v;

// What a scenario file can say.

// A whole number that no double tells from its neighbours is the nearest double, not something else.
TEST(ScenarioFile, WholeNumbersOfAnySize) {
  EXPECT_EQ(q(build("mechanism = 'rod'\n[state]\nx = 9007199254740993\n"), "x"), 9007199254740992.0);
  EXPECT_EQ(q(build("mechanism = 'rod'\n[state]\nx = -9223372036854775807\n"), "x"), -9223372036854775808.0);
  EXPECT_EQ(q(open("rod", {"x=10000000000000001"}), "x"), 1e16);
}

TEST(ScenarioFile, ReadsEverySection) {
  const Scene scene = build(R"(
schema = 1
mechanism = "rod"
[parameters]
mass = 2.0
half_length = 3
gravity = 1.5
slope = 0.1
[state]
x = 0.25
theta = 1.1
theta_dot = 0.3
slip = -0.5
t = 0.75
[contact]
mu = 0.9
[contact.tip]
restitution = 0.4
law = "poisson"
mu_impact = 0.8
mu_static = 1.0
stiffness = 1e6
damping = 20
tangential_damping = 3
compliance = "hertz"
[forces]
force_x = 1.0
torque = "2*t"
[tolerance]
gap = 1e-6
velocity = 1e-7
)");
  EXPECT_EQ(scene.kind, SceneKind::mechanism);
  EXPECT_EQ(scene.mechanism, "rod");
  EXPECT_EQ(scene.name, "scene.toml");
  EXPECT_EQ(scene.t, 0.75);
  EXPECT_EQ(scene.posed.parameters.at("mass"), 2);
  EXPECT_EQ(scene.posed.parameters.at("half_length"), 3);
  EXPECT_EQ(scene.posed.parameters.at("gravity"), 1.5);
  EXPECT_EQ(scene.posed.parameters.at("slope"), 0.1);
  EXPECT_NEAR(scene.posed.parameters.at("gyration"), 3 / std::sqrt(3.0), 1e-15);  // follows from half_length
  EXPECT_EQ(q(scene, "x"), 0.25);
  EXPECT_EQ(q(scene, "theta"), 1.1);
  EXPECT_EQ(v(scene, "theta"), 0.3);
  EXPECT_NEAR(q(scene, "y"), 3 * std::sin(1.1), 1e-12);  // solved for
  EXPECT_NEAR(scene.space.u(0), -0.5, 1e-14);
  EXPECT_NEAR(scene.space.u(1), 0, 1e-14);

  ASSERT_EQ(scene.laws.size(), 1U);
  const ContactLaw& law = scene.laws[0];
  EXPECT_EQ(law.mu, 0.9);
  EXPECT_EQ(scene.space.mu(0), 0.9);
  EXPECT_EQ(law.restitution, 0.4);
  EXPECT_EQ(law.law, RestitutionLaw::poisson);
  EXPECT_EQ(law.mu_impact, 0.8);
  EXPECT_EQ(law.mu_static, 1.0);
  EXPECT_EQ(law.stiffness, 1e6);
  EXPECT_EQ(law.damping, 20);
  EXPECT_EQ(law.tangential_damping, 3);
  EXPECT_EQ(law.compliance, Compliance::hertz);
  EXPECT_EQ(scene.tolerance.gap, 1e-6);
  EXPECT_EQ(scene.tolerance.velocity, 1e-7);
  // The torque 2 t = 1.5 and the force act: a tip without contact force accelerates by g-forces, torque and drift.
  const double s = std::sin(1.1);
  const double c = std::cos(1.1);
  const double alpha = 1.5 / (2 * 3.0);  // torque / (mass gyration^2)
  EXPECT_NEAR(scene.space.b(0), 0.5 + 1.5 * std::sin(0.1) - 3 * s * alpha - 3 * c * 0.09, 1e-12);
  EXPECT_NEAR(scene.space.b(1), -1.5 * std::cos(0.1) - 3 * c * alpha + 3 * s * 0.09, 1e-12);
}

TEST(ScenarioFile, HasDefaults) {
  const Scene scene = build("mechanism = 'rod'");
  EXPECT_EQ(scene.laws[0].mu, 0.5);
  EXPECT_EQ(scene.laws[0].restitution, 0);
  EXPECT_EQ(scene.laws[0].law, RestitutionLaw::energetic);
  EXPECT_EQ(scene.laws[0].compliance, Compliance::viscoelastic);
  EXPECT_FALSE(scene.laws[0].stiffness || scene.laws[0].damping || scene.laws[0].mu_static || scene.laws[0].mu_impact);
  EXPECT_EQ(scene.tolerance.gap, 1e-9);
  EXPECT_EQ(scene.tolerance.velocity, 1e-9);
  EXPECT_EQ(scene.posed.parameters.at("gravity"), 9.81);
  EXPECT_NEAR(q(scene, "theta"), kPi / 3, 1e-15);
  EXPECT_NEAR(scene.space.u(0), 1, 1e-15);  // the default slip of the rod
}

TEST(ScenarioFile, ReadsUnits) {
  const Scene scene = build(R"(
mechanism = "rod"
[parameters]
mass = "500 g"
half_length = "20 cm"
gravity = "9.81 m/s^2"
[state]
theta = "45deg"
theta_dot = "90 deg/s"
slip = "-3 mm/s"
[forces]
force_x = "2 kN"
torque = "5 N m"
[contact.tip]
stiffness = "2 N/mm"
)");
  EXPECT_DOUBLE_EQ(scene.posed.parameters.at("mass"), 0.5);
  EXPECT_DOUBLE_EQ(scene.posed.parameters.at("half_length"), 0.2);
  EXPECT_DOUBLE_EQ(q(scene, "theta"), kPi / 4);
  EXPECT_DOUBLE_EQ(v(scene, "theta"), kPi / 2);
  EXPECT_NEAR(scene.space.u(0), -0.003, 1e-15);
  EXPECT_DOUBLE_EQ(*scene.laws[0].stiffness, 2000);
  const Scene pushed = build("mechanism = 'rod'\n[forces]\nforce_x = '2 kN'");
  EXPECT_NEAR(pushed.space.b(0), 2000, 1e-9);
  expect_contains(build_error("mechanism = 'rod'\n[parameters]\nmass = '5 m'"), {"parameters.mass", "kg", "line 3"});
}

TEST(ScenarioFile, ContactByNameWinsOverAllContacts) {
  const Scene scene = build(R"(
mechanism = "two-legged-body"
[contact]
mu = 0.7
restitution = 0.2
[contact.foot2]
mu = 0.9
)");
  EXPECT_EQ(scene.laws[0].mu, 0.7);
  EXPECT_EQ(scene.laws[1].mu, 0.9);
  EXPECT_EQ(scene.laws[0].restitution, 0.2);
  EXPECT_EQ(scene.laws[1].restitution, 0.2);
  EXPECT_EQ(scene.space.mu(0), 0.7);
  EXPECT_EQ(scene.space.mu(1), 0.9);
}

TEST(ScenarioFile, OpensAndClosesContacts) {
  EXPECT_EQ(analyze(open("rod", {"contact.tip.closed=false", "y=2"})).contacts[0].touch, Touch::open);
  const Scene both = open("rimless-wheel", {"theta=67.5deg", "slip=0"});
  EXPECT_NEAR(both.space.gap(7), 0, 1e-12);  // at the exchange of legs the previous foot still touches
  expect_contains(open_error("rod", {"contact.tip.closed=false", "y=0.1"}), {"tip", "penetrates", "gap"});
  EXPECT_TRUE(open("painleve-klein").space.bilateral[0]);
  EXPECT_FALSE(open("painleve-klein", {"bilateral=false"}).space.bilateral[1]);
  EXPECT_TRUE(open("rod", {"contact.tip.bilateral=true"}).space.bilateral[0]);
}

TEST(ScenarioFile, ReadsSlipPerContactAndInSpace) {
  EXPECT_NEAR(open("painleve-klein", {"slip.guide2=0.4"}).space.u(2), 0.4, 1e-14);
  const Scene spatial = open("rod-3d", {"slip=[0.3, -0.2]"});
  EXPECT_NEAR(spatial.space.u(0), 0.3, 1e-15);
  EXPECT_NEAR(spatial.space.u(1), -0.2, 1e-15);
  const Scene table = build("mechanism = 'rod'\n[state.slip]\ntip = 2.0");
  EXPECT_NEAR(table.space.u(0), 2, 1e-14);
  expect_contains(open_error("rod", {"slip=[1, 2]"}), {"slip", "tip", "2 numbers", "expected 1"});
  expect_contains(open_error("rod", {"slip.tpi=1"}), {"state.slip", "'tpi'", "did you mean 'tip'"});
}

TEST(ScenarioFile, ReadsExpressionsOfTime) {
  const Sets drive = {"torque=5*sin(2*t) + step(t - 1)"};
  const double free = open("rod").space.b(1);
  const auto b_n = [&](const std::string& t) {
    Sets sets = drive;
    sets.push_back("t=" + t);
    return open("rod", sets).space.b(1);
  };
  const double lever = -3 * std::cos(kPi / 3);  // b_n per torque of the uniform unit rod
  EXPECT_NEAR(b_n("0") - free, 0, 1e-12);
  EXPECT_NEAR(b_n("0.5") - free, lever * 5 * std::sin(1.0), 1e-12);
  EXPECT_NEAR(b_n("2") - free, lever * (5 * std::sin(4.0) + 1), 1e-12);
  const Scene list = build("mechanism = 'rod-3d'\n[forces]\nforce = [1.0, '2*t', '3 N']\n[state]\nt = 2");
  const Scene none = build("mechanism = 'rod-3d'\n[state]\nt = 2");
  EXPECT_NEAR((list.space.b - none.space.b - Eigen::Vector3d(1, 4, 3)).norm(), 0, 1e-12);
  expect_contains(open_error("rod", {"torque=2*sni(t)"}), {"forces.torque", "sni", "sin"});
  expect_contains(open_error("rod", {"torque=1/t"}), {"not finite", "t = 0"});
  expect_contains(build_error("mechanism = 'rod-3d'\n[forces]\nforce = [1, 2]"),
                  {"forces.force", "2 components", "expected 3"});
}

TEST(ScenarioFile, PostureMayStandAmongTheParameters) {
  const Scene scene = build("mechanism = 'two-link'\n[parameters]\ntheta1 = 1.4\nelbow = 'back'");
  EXPECT_EQ(q(scene, "theta1"), 1.4);
  EXPECT_LT(q(scene, "theta2"), 0);
  EXPECT_GT(q(open("two-link"), "theta2"), 0);
  EXPECT_NEAR(open("articulated-arm", {"x=0.5", "elbow=down"}).space.gap(0), 0, 1e-12);
  expect_contains(open_error("two-link", {"elbow=up"}), {"elbow", "'up'", "out", "back"});
  expect_contains(open_error("articulated-arm", {"x=3"}), {"cannot reach", "x = 3"});
  expect_contains(open_error("articulated-arm", {"x=0.5", "theta1=0.2"}), {"state.x", "theta1", "not both"});
}

// What is refused.

struct Refusal {
  const char* text;
  std::vector<std::string> parts;
};

TEST(ScenarioFile, RefusesUnknownKeysWithPlaceAndNearestKey) {
  const std::vector<Refusal> cases = {
      {"mechanism = 'rod'\nmecanism = 1", {"scene.toml, line 2, column 1", "'mecanism'", "did you mean 'mechanism'"}},
      {"mechanism = 'rod'\n[parameter]\nmass = 1", {"line 2", "'parameter'", "did you mean 'parameters'"}},
      {"mechanism = 'rod'\n[parameters]\n  mas = 1",
       {"line 3, column 3", "'parameters.mas'", "did you mean 'parameters.mass'"}},
      {"mechanism = 'rod'\n[state]\nteta = 1", {"line 3, column 1", "'state.teta'", "did you mean 'state.theta'"}},
      {"mechanism = 'rod'\n[forces]\ntorqe = 1",
       {"line 3, column 1", "'forces.torqe'", "did you mean 'forces.torque'"}},
      {"mechanism = 'rod'\n[contact]\nmuu = 1", {"line 3, column 1", "'contact.muu'", "did you mean 'contact.mu'"}},
      {"mechanism = 'rod'\n[contact.tip]\nresitution = 1",
       {"line 3, column 1", "did you mean 'contact.tip.restitution'"}},
      {"mechanism = 'rod'\n[contact.top]\nmu = 1", {"line 2", "'contact.top'", "did you mean 'contact.tip'"}},
      {"mechanism = 'rod'\n[tolerance]\ngaps = 1", {"line 3, column 1", "did you mean 'tolerance.gap'"}},
      {"mechanism = 'rod'\n[joint.j1]\nlock = true", {"line 2", "'joint'"}},
      {"mechanism = 'drifting-contacts'\n[parameters]\nP = [[1]]\nb = [1]\nP_rates = [[1]]",
       {"line 5", "did you mean 'parameters.P_rate'"}},
      {"mechanism = 'contact-space'\n[parameters]\ngaps = 1", {"line 3", "did you mean 'parameters.gap'"}},
  };
  for (const auto& c : cases) {
    expect_contains(build_error(c.text), c.parts);
  }
}

// Angles whose last digits are those of the gaps, and velocities whose energy is no number.
TEST(ScenarioFile, RefusesStatesWithoutDigits) {
  for (const char* angle : {"theta=1e12", "theta=-1.1e6", "theta=1e9deg"})
    expect_contains(build_error("mechanism = 'rod'", {angle}), {"state.theta", "up to 1000000 rad", "whole turns"});
  EXPECT_EQ(build_error("mechanism = 'rod'", {"theta=1e5"}), "no error");
  expect_contains(build_error("mechanism = 'rod'", {"slip=1e200"}), {"velocity", "1e+200", "1e+100"});
}

TEST(ScenarioFile, RefusesMalformedText) {
  expect_contains(build_error("mechanism = 'rod'\nmass = = 1"), {"scene.toml, line 2, column"});
  expect_contains(build_error("mechanism = 'rod"), {"scene.toml, line 1, column"});
  expect_contains(build_error("mechanism = 'rod'\nmechanism = 'rod'"), {"line 2"});
  expect_contains(build_error("[state\n"), {"line 1"});
  expect_contains(build_error(""), {"scene.toml", "mechanism is missing"});
  expect_contains(build_error("schema = 2\nmechanism = 'rod'"), {"line 1", "schema must be 1"});
  expect_contains(build_error("schema = 'one'\nmechanism = 'rod'"), {"schema"});
  for (const char* text : {"mechanism = 'rod'\nmass = = 1", "[[[", "\xff\xfe", "a = 1 b = 2"}) {
    EXPECT_EQ(build_error(text).find('\n'), std::string::npos);  // one line
  }
}

TEST(ScenarioFile, RefusesWrongTypes) {
  const std::vector<Refusal> cases = {
      {"mechanism = 3", {"line 1", "mechanism", "name in quotes"}},
      {"mechanism = 'rod'\nparameters = 3", {"line 2", "parameters must be a table"}},
      {"mechanism = 'rod'\nstate = []", {"line 2", "state must be a table"}},
      {"mechanism = 'rod'\n[contact]\ntip = 3", {"line 3", "contact.tip must be a table"}},
      {"mechanism = 'rod'\n[parameters]\nmass = true", {"line 3, column 8", "parameters.mass must be a number"}},
      {"mechanism = 'rod'\n[parameters]\nmass = [1]", {"parameters.mass must be a number"}},
      {"mechanism = 'rod'\n[parameters]\nmass = 'heavy'", {"parameters.mass", "'heavy' is not a number"}},
      {"mechanism = 'rod'\n[parameters]\nmass = 1979-05-27", {"parameters.mass must be a number"}},
      {"mechanism = 'rod'\n[state]\nslip = true", {"state.slip must be a number"}},
      {"mechanism = 'rod'\n[contact.tip]\nclosed = 1", {"contact.tip.closed must be true or false"}},
      {"mechanism = 'rod'\n[contact.tip]\nbilateral = 'yes'", {"contact.tip.bilateral must be true or false"}},
      {"mechanism = 'rod'\n[contact.tip]\nlaw = 1", {"contact.tip.law must be a word"}},
      {"mechanism = 'rod'\n[contact.tip]\nlaw = 'newtn'", {"contact.tip.law", "'newtn'", "did you mean 'newton'"}},
      {"mechanism = 'rod'\n[contact.tip]\ncompliance = 'herz'", {"contact.tip.compliance", "did you mean 'hertz'"}},
      {"mechanism = 'rod'\n[forces]\ntorque = true", {"forces.torque"}},
      {"mechanism = 'rigid-body'\n[parameters]\npoints = [[0, 0, 1]]\nnormals = [[0, 1]]",
       {"parameters.points", "[x, y]"}},
      {"mechanism = 'rigid-body'\n[parameters]\npoints = [1, 2]\nnormals = [[0, 1]]",
       {"parameters.points", "list of rows"}},
      {"mechanism = 'contact-space'\n[parameters]\nW = 1\nb = [0, 0]\nu = [0, 0]\nmu = 1",
       {"parameters.W", "list of rows"}},
      {"mechanism = 'contact-space'\n[parameters]\nW = [[1, 0], [0]]\nb = [0, 0]\nu = [0, 0]\nmu = 1",
       {"parameters.W", "different length"}},
  };
  for (const auto& c : cases) {
    expect_contains(build_error(c.text), c.parts);
  }
}

TEST(ScenarioFile, RefusesNumbersOutOfRange) {
  const std::vector<Refusal> cases = {
      {"mechanism = 'rod'\n[parameters]\nmass = nan", {"line 3", "parameters.mass must be a finite number"}},
      {"mechanism = 'rod'\n[state]\ntheta = inf", {"state.theta must be a finite number"}},
      {"mechanism = 'rod'\n[state]\nslip = -inf", {"state.slip must be a finite number"}},
      {"mechanism = 'rod'\n[forces]\ntorque = nan", {"forces.torque must be a finite number"}},
      {"mechanism = 'rod'\n[contact]\nmu = nan", {"contact.mu must be a finite number"}},
      {"mechanism = 'rod'\n[parameters]\nmass = -1", {"parameters.mass is -1", "> 0"}},
      {"mechanism = 'rod'\n[parameters]\nmass = 0", {"parameters.mass is 0", "> 0"}},
      {"mechanism = 'rod'\n[parameters]\nhalf_length = 0", {"parameters.half_length is 0"}},
      {"mechanism = 'rimless-wheel'\n[parameters]\nlegs = 2", {"parameters.legs is 2", "whole number"}},
      {"mechanism = 'rimless-wheel'\n[parameters]\nlegs = 7.5", {"parameters.legs is 7.5", "whole number"}},
      {"mechanism = 'rimless-wheel'\n[parameters]\nlegs = 2000000000", {"parameters.legs", "whole number"}},
      {"mechanism = 'impact-oscillator'\n[parameters]\nstiffness_y = -1", {"parameters.stiffness_y is -1", ">= 0"}},
      {"mechanism = 'rod'\n[contact]\nmu = -0.1", {"line 3", "contact.mu is -0.1", ">= 0"}},
      {"mechanism = 'rod'\n[contact.tip]\nrestitution = 1.5", {"contact.tip.restitution is 1.5", "between 0 and 1"}},
      {"mechanism = 'rod'\n[contact.tip]\nrestitution = -0.5", {"contact.tip.restitution is -0.5"}},
      {"mechanism = 'rod'\n[contact.tip]\nstiffness = 0", {"contact.tip.stiffness is 0", "> 0"}},
      {"mechanism = 'rod'\n[contact.tip]\ndamping = -1", {"contact.tip.damping is -1", ">= 0"}},
      {"mechanism = 'rod'\n[contact.tip]\nmu_static = -1", {"contact.tip.mu_static is -1"}},
      {"mechanism = 'rod'\n[contact.tip]\ntangential_stiffness = 0", {"contact.tip.tangential_stiffness is 0", "> 0"}},
      {"mechanism = 'rod'\n[tolerance]\ngap = -1e-9", {"tolerance.gap", ">= 0"}},
  };
  for (const auto& c : cases) {
    expect_contains(build_error(c.text), c.parts);
  }
}

// Wherever the two are given, and whichever of them was changed last.
TEST(ScenarioFile, RefusesAContactThatHoldsLessAtRestThanInSlip) {
  const std::string rod = "mechanism = 'rod'\n[contact]\nmu_static = 0.6\n[contact.tip]\nmu = 0.6";
  EXPECT_EQ(build_error(rod), "no error");
  expect_contains(build_error(rod, {"contact.tip.mu=0.8"}),
                  {"line 3", "contact.mu_static is 0.6, it must be >= mu, which is 0.8 at tip"});
  expect_contains(build_error(rod, {"mu=0.8"}), {"contact.mu_static is 0.6"});
  expect_contains(build_error(rod, {"mu_static=0.5"}), {"contact.mu_static is 0.5, it must be >= mu, which is 0.6"});
  expect_contains(build_error(rod, {"contact.tip.mu_static=0.5"}),
                  {"contact.tip.mu_static is 0.5, it must be >= mu, which is 0.6"});
  const std::string space =
      "mechanism = 'contact-space'\n[parameters]\nW = [[1, 0], [0, 1]]\nb = [0, -1]\nu = [0, 0]\nmu = "
      "[0.9]\n[contact]\n";
  EXPECT_EQ(build_error(space + "mu_static = 0.9"), "no error");
  expect_contains(build_error(space + "mu_static = 0.8"), {"line 8", "must be >= mu, which is 0.9"});
  EXPECT_EQ(build_error(space + "mu_static = 0.8", {"contact.mu=0.7"}), "no error");
}

TEST(ScenarioFile, RefusesUnknownMechanismsAndScenes) {
  expect_contains(build_error("mechanism = 'rodd'"),
                  {"scene.toml, line 1", "unknown mechanism 'rodd'", "did you mean 'rod'"});
  expect_contains(open_error("rod-no-soluton"), {"unknown scene", "did you mean 'rod-no-solution'"});
  expect_contains(open_error("articulated_arm"), {"did you mean 'articulated-arm'"});
  expect_contains(open_error("zebra"), {"unknown scene 'zebra'", "known are", "arm-jam"});
  expect_contains(open_error("missing/file.toml"), {"cannot read", "missing/file.toml"});
  expect_contains(open_error("/"), {"folder"});
}

TEST(ScenarioFile, RefusesStatesThatContradictClosedContacts) {
  expect_contains(open_error("rod", {"y=5"}), {"'tip'", "gap", "contact.tip.closed = false"});
  expect_contains(open_error("rod", {"y_dot=1", "x_dot=0"}), {"contradict", "normal velocity of contact 'tip'"});
  expect_contains(open_error("rod", {"x_dot=3", "slip=1"}),
                  {"contradict", "slip of contact 'tip'", "3 m/s instead of 1"});
  EXPECT_EQ(open_error("rod", {"y=" + std::to_string(std::sin(kPi / 3))}).find("contradict") == std::string::npos,
            false);
  EXPECT_NO_THROW(open("rod", {"y=0.86602540378443865"}));
  expect_contains(open_error("two-link", {"height=5"}), {"out of reach"});
  expect_contains(open_error("rigid-body"), {"rigid-body needs parameters.points"});
  expect_contains(open_error("rigid-body", {"points=[[0, 0]]", "normals=[[0, 1], [0, 1]]"}),
                  {"points", "normals", "one normal"});
  expect_contains(open_error("rigid-body", {"points=[[0, 0]]", "normals=[[0, 0]]"}), {"zero vector"});
}

TEST(ScenarioFile, OpensFilesFromDisk) {
  const auto path = std::filesystem::temp_directory_path() / "painleve_scene_test.toml";
  std::ofstream(path) << "mechanism = 'rod'\n[contact]\nmu = 1.25\n";
  EXPECT_EQ(open(path.string()).space.mu(0), 1.25);
  std::ofstream(path) << "mechanism = 'rod'\n[contact]\nnu = 1.25\n";
  expect_contains(open_error(path.string()), {path.filename().string(), "line 3", "did you mean 'contact.mu'"});
  std::filesystem::remove(path);
}

// All that ships.

TEST(Gallery, EveryMechanismBuildsWithItsDefaults) {
  for (const auto& entry : gallery()) {
    SCOPED_TRACE(entry.name);
    const Sets sets = entry.name == "rigid-body" ? Sets{"points=[[0, -1]]", "normals=[[0, 1]]"} : Sets{};
    const Scene scene = open(entry.name, sets);
    EXPECT_EQ(scene.mechanism, entry.name);
    EXPECT_EQ(scene.space.dimension, entry.dimension);
    EXPECT_EQ(scene.laws.size(), static_cast<std::size_t>(scene.space.count()));
    EXPECT_TRUE(scene.space.W.allFinite() && scene.space.b.allFinite() && scene.space.u.allFinite());
    EXPECT_NO_THROW(check(scene.space));
  }
}

const std::vector<std::string> kShipped = {
    "arm-jam",         "arm-two-solutions",   "biped-walking",   "brake-squeal",
    "chalk-dots",      "double-liftoff",      "fig15a",          "fig15b",
    "klein-several",   "oscillator-hopping",  "pendulum-jam",    "rod-3d-crossing",
    "rod-45deg",       "rod-falling",         "rod-jam",         "rod-jam-finite-force",
    "rod-no-solution", "rod-three-solutions", "table-a1-6a",     "table-a1-6b",
    "table-a1-6c",     "table-a1-7ab",        "table-a1-7c",     "table-a1-7d",
    "table-a1-7ef",    "tumbling-body",       "two-contact-jam", "two-link-pushing",
    "wedge",           "wheel-walking"};

TEST(Scenarios, AreAllThereAndAskAQuestion) {
  std::vector<std::string> names;
  for (const auto& scenario : scenarios()) {
    SCOPED_TRACE(scenario.name);
    names.push_back(scenario.name);
    const std::string title = scenario.title();
    EXPECT_NE(title.find('?'), std::string::npos) << title;
    EXPECT_TRUE(title.ends_with(")")) << title;  // the source
    EXPECT_NE(scenario.text.find("schema = 1"), std::string::npos);
  }
  for (const auto& name : kShipped) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

TEST(Scenarios, BuildAndAnalyze) {
  for (const auto& scenario : scenarios()) {
    SCOPED_TRACE(scenario.name);
    const Analysis analysis = analyze(open(scenario.name));
    EXPECT_EQ(analysis.scene.name, scenario.name);
    EXPECT_TRUE(analysis.modes.complete);
    EXPECT_FALSE(analysis.modes.verdict.empty());
  }
}

// Outside strings and comments TOML is ASCII; the parser alone would take some of these characters for impossible.
TEST(Scene, ForeignCharactersStandInStringsAndComments) {
  for (const std::string text : {"\xC3\xA9", "\xD2\x81", "\xE3\x80\x81", "\xEF\xB3\xBF", "\xEF\xBB\xBE"}) {
    EXPECT_EQ(build_error("mechanism = \"rod\"\n[contact.ti" + text + "p]"),
              "scene.toml, line 2, column 12: characters beyond ASCII may stand only in strings and comments");
    const std::string rod = "mechanism = \"rod\" # \" " + text + "\nname = ";
    const std::string plain = '"' + text + '"';
    const std::string literal = "'\\" + text + '\'';
    const std::string long_one = "\"\"\"\"" + text + "\n\"\"\"\"";
    for (const std::string& quoted : {plain, literal, long_one, "'''" + text + "'''"}) {
      EXPECT_NE(build_error(rod + quoted).find("unknown key 'name'"), std::string::npos) << quoted;  // it was read
    }
    EXPECT_NE(build_error(rod + "\"\\" + text + '"').find("column 10: characters beyond"), std::string::npos);
    // What begins a string elsewhere is part of a word.
    for (const std::string before : {"+", "a", "1[", "1{", "1=", "113\"\"\".", "[ 1, 2.", "{ a = 2.", "[ \"a\" "}) {
      EXPECT_NE(build_error(rod + before + plain).find("characters beyond"), std::string::npos) << before;
    }
    for (const std::string& value : {"[ \n  " + plain + ", 1] # " + text, "{" + plain + "=" + literal + "}",
                                     "{a=" + plain + ",b=[[" + literal + "]]}"}) {
      EXPECT_NE(build_error(rod + value).find("unknown key 'name'"), std::string::npos) << value;
    }
    EXPECT_EQ(build_error(rod + "1\n[contact." + plain + "]").find("characters beyond"), std::string::npos);
    EXPECT_EQ(build_error("a." + plain + " . b = 1 # " + text).find("characters beyond"), std::string::npos);
    EXPECT_NE(build_error("mechanism = \"rod\"", {"parameters.mass=" + text}).find("mass cannot be read"),
              std::string::npos);
  }
}

// Forces near a threshold multiply what differs across the diagonal: one route would take one triangle, one the other.
TEST(Scene, AResponseThatIsSymmetricToRoundingBecomesSymmetric) {
  Eigen::Matrix2d W;
  W << 6, 6, 5.9999999996223519, 6;
  const Eigen::Vector2d b(-2, -2);
  const ContactSpace s = raw_contact_space(2, W, b, Eigen::Vector2d::Zero(), Eigen::VectorXd::Ones(1));
  EXPECT_EQ(s.W(0, 1), s.W(1, 0));
  EXPECT_EQ(s.W(0, 1), (6 + 5.9999999996223519) / 2);
  EXPECT_EQ(s.W(0, 0), 6);
  W(1, 0) = 5.99;
  EXPECT_THROW(raw_contact_space(2, W, b, Eigen::Vector2d::Zero(), Eigen::VectorXd::Ones(1)), InputError);
}

}  // namespace scene_test
}  // namespace painleve
