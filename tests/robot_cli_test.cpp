// Robots in scenarios, and the verb check, run as a user runs them, on the robots of examples/robots.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "child_program.hpp"

namespace robot_cli_test {

using namespace painleve_cli;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

std::string robot(const std::string& name) { return std::string(PAINLEVE_SOURCE_DIR) + "/examples/robots/" + name; }

// Without MuJoCo no robot can be read, and the program says so.
bool reader_is_there() {
  return run({"analyze", robot("rod.urdf"), "--set", "contact.tip.body=tip"})
             .err.find("painleve-robot was not built") == std::string::npos;
}

class CliRobot : public testing::Test {
 protected:
  void SetUp() override {
    if (!reader_is_there()) GTEST_SKIP() << "built without MuJoCo";
  }
};
using CliCheck = CliRobot;

std::vector<double> numbers_of(const Json& j) {
  std::vector<double> list;
  if (j.is_number()) return {j.get<double>()};
  for (const auto& one : j)
    for (const double x : numbers_of(one)) list.push_back(x);
  return list;
}

void expect_same(const Json& a, const Json& b, double tolerance, const std::string& what) {
  const auto x = numbers_of(a), y = numbers_of(b);
  ASSERT_EQ(x.size(), y.size()) << what;
  ASSERT_FALSE(x.empty()) << what;
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], tolerance * std::max(1.0, std::abs(x[i]))) << what;
}

void expect_same_contact(const Json& a, const Json& b, const std::string& what) {
  for (const char* key : {"W", "b", "u"}) expect_same(a[key], b[key], 1e-9, what + " " + key);
  for (const char* key : {"mu_jam", "mu_crit", "e_jam", "locking_angle"})
    expect_same(a["contacts"][0][key], b["contacts"][0][key], 1e-9, what + " " + key);
  EXPECT_EQ(a["consistent_modes"], b["consistent_modes"]) << what;
  EXPECT_EQ(a["verdict"], b["verdict"]) << what;
}

const std::string floor_at_zero = "plane = {point = [0, 0, 0], normal = [0, 0, 1]}\n";

// The articulated arm three times, in one pose with slip in both directions: mass matrix, bias, Jacobian and drift.
TEST_F(CliRobot, ArmAsUrdfMjcfAndOfTheGalleryAreOne) {
  const Folder folder;
  Json gallery = json_of({"analyze", "articulated-arm", "--set", "x_dot=-1", "--set", "phi_dot=1", "--json"});
  const Json q = gallery["state"]["q"], v = gallery["state"]["v"];
  const auto at = [](const Json& j, const char* key) { return j[key].get<double>(); };
  const auto text = [&](const std::string& file) {
    std::ostringstream s;
    s.precision(17);
    s << "file = '" << robot(file) << "'\n[contact.tip]\n"
      << (file.ends_with(".xml") ? "site" : "body") << " = 'tip'\ntangent = [0, -1, 0]\n"
      << floor_at_zero << "[state]\nphi = " << at(q, "phi") << "\nshoulder = " << at(q, "theta1")
      << "\nelbow = " << at(q, "theta2") - at(q, "theta1") << "\nwrist = " << at(q, "theta3") - at(q, "theta2")
      << "\nphi_dot = " << at(v, "phi") << "\nshoulder_dot = " << at(v, "theta1")
      << "\nelbow_dot = " << at(v, "theta2") - at(v, "theta1") << "\nwrist_dot = " << at(v, "theta3") - at(v, "theta2")
      << "\n";
    return s.str();
  };
  const Json urdf = json_of({"analyze", folder.write("u.toml", text("articulated_arm.urdf")), "--json"});
  const Json mjcf = json_of({"analyze", folder.write("m.toml", text("articulated_arm.xml")), "--json"});
  EXPECT_NEAR(gallery["contacts"][0]["mu_jam"], 0.42078, 1e-5);
  // The gallery's tangents turn with phi, those of a robot stand: t1' = phi' t2, t2' = -phi' t1.
  const double u1 = gallery["u"][0], u2 = gallery["u"][1];
  gallery["b"][0] = gallery["b"][0].get<double>() - u2;
  gallery["b"][1] = gallery["b"][1].get<double>() + u1;
  expect_same_contact(gallery, urdf, "URDF");
  expect_same_contact(gallery, mjcf, "MJCF");
  EXPECT_EQ(urdf["mechanism"], "articulated_arm");
  EXPECT_EQ(urdf["file"], robot("articulated_arm.urdf"));
  EXPECT_TRUE(urdf["notes"].is_array());
  EXPECT_FALSE(gallery.contains("file"));
}

TEST_F(CliRobot, RodAsUrdfAndMjcfFollowsTheGalleryInAMap) {
  const Folder folder;
  const auto map = [&](const std::string& scene) {
    return json_of({"map", scene, "--set", "slip=-1", "--over", "theta=20:80deg:7", "--over", "mu=0.5:2:4", "--of",
                    "verdict", "--of", "mu_jam", "--of", "p", "--json"})["quantities"];
  };
  const Json gallery = map("rod");
  for (const std::string file : {"rod.urdf", "rod.xml"}) {
    const Json other =
        map(folder.write("rod.toml", "file = '" + robot(file) + "'\n[contact.tip]\n" +
                                         (file.ends_with(".xml") ? "site" : "body") + " = 'tip'\n" + floor_at_zero));
    EXPECT_EQ(gallery[0]["values"], other[0]["values"]) << file;
    for (const std::size_t k : {1U, 2U}) expect_same(gallery[k]["values"], other[k]["values"], 1e-9, file);
  }
}

// The same by --set alone, on a robot file given as the scene.
TEST_F(CliRobot, EverythingCanBeSet) {
  const Folder folder;
  const Arguments by_set = {"analyze", robot("two_link.urdf"),
                            "--set",   "contact.tip.body=tip",
                            "--set",   "contact.tip.plane.point=[0,0,0]",
                            "--set",   "shoulder=60deg",
                            "--set",   "joint.elbow.armature=0.2",
                            "--set",   "mu=0.7",
                            "--json"};
  const std::string file =
      folder.write("s.toml", "file = '" + robot("two_link.urdf") + "'\n[contact.tip]\nbody = 'tip'\nmu = 0.7\n" +
                                 floor_at_zero + "[state]\nshoulder = '60deg'\n[joint.elbow]\narmature = 0.2\n");
  const Json a = json_of(by_set), b = json_of({"analyze", file, "--json"});
  EXPECT_EQ(a["W"], b["W"]);
  const Json bare = json_of({"analyze", file, "--set", "joint.elbow.armature=0", "--json"});
  EXPECT_NE(a["W"], bare["W"]);
  EXPECT_NE(a["contacts"][0]["mu_jam"], bare["contacts"][0]["mu_jam"]);
}

// Neighbouring cells are made from different entries, which must not be taken for each other.
TEST_F(CliRobot, MapsOverRotorInertiaAndPlace) {
  const Arguments scene = {robot("two_link.urdf"), "--set", "contact.tip.body=tip", "--set", "shoulder=60deg"};
  const auto with = [&](const std::string& verb, const Arguments& more) {
    Arguments all = {verb};
    all.insert(all.end(), scene.begin(), scene.end());
    all.insert(all.end(), more.begin(), more.end());
    return json_of(all);
  };
  const Json map = with("map", {"--over", "joint.elbow.armature=0:0.4:3", "--over", "elbow=10:50deg:2", "--of",
                                "mu_jam", "--threads", "2", "--json"});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const Json one = with("analyze", {"--set", "joint.elbow.armature=" + map["axes"][0]["values"][i].dump(), "--set",
                                        "elbow=" + map["axes"][1]["values"][k].dump(), "--json"});
      EXPECT_EQ(map["quantities"][0]["values"][i][k], one["contacts"][0]["mu_jam"]) << i << " " << k;
    }
  }
  EXPECT_NE(map["quantities"][0]["values"][0][0], map["quantities"][0]["values"][1][0]);
}

TEST_F(CliRobot, NotesAreToldUnlessSettled) {
  const Arguments arm = {"analyze", robot("six_joint_arm.urdf"), "--set", "contact.t.body=tool0"};
  expect_contains(expect_done(arm).out, {"note:", "armature"});
  Arguments settled = arm;
  settled.insert(settled.end(), {"--set", "joint.elbow_joint.armature=0.5"});
  EXPECT_EQ(expect_done(settled).out.find("armature"), std::string::npos);
}

TEST_F(CliRobot, MistakesHavePlaceAndNearestName) {
  const Folder folder;
  const std::string head = "file = '" + robot("two_link.urdf") + "'\n";
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    expect_refused({"analyze", folder.write("s.toml", head + text)}, parts);
  };
  refused("[contact.tip]\nbody = 'tipp'\n", {"s.toml, line 3, column 8", "contact.tip.body", "did you mean 'tip'"});
  refused("[contact.tip]\nbdoy = 'tip'\n", {"line 3, column 1", "did you mean 'contact.tip.body'"});
  refused("[contact.tip]\nbody = 'tip'\n[joint.elbwo]\nlock = true\n", {"line 4", "did you mean 'joint.elbow'"});
  refused("[contact.tip]\nbody = 'tip'\n[joint.elbow]\nlokc = true\n", {"line 5", "did you mean 'joint.elbow.lock'"});
  refused("[contact.tip]\nbody = 'tip'\n[joint.elbow]\narmature = -1\n", {"line 5", "must be >= 0"});
  refused("[contact.tip]\nbody = 'tip'\nsite = 'x'\n", {"contact.tip", "site"});
  refused("[contact.tip]\nmu = 1\n", {"line 2", "body, site and geom"});
  refused("[contact.tip]\nbody = 'tip'\npoint = [0, 0]\n", {"line 4", "three numbers"});
  refused("[contact.tip]\nbody = 'tip'\nplane = {normal = [0, 0, 0]}\n", {"no length"});
  refused("[contact.tip]\nbody = 'tip'\n[parameters]\ndimension = 4\n", {"line 5", "expected 2 or 3"});
  refused("[contact.tip]\nbody = 'tip'\n[state]\nshuolder = 1\n", {"line 5", "did you mean 'state.shoulder'"});
  refused("[contact.tip]\nbody = 'tip'\n[joint.elbow]\nposition = 1\n", {"line 5", "lock = true"});
  refused("", {"needs a contact", "[contact.tip]"});
  refused("[contact]\nbody = 'tip'\n", {"belongs to one contact"});
  expect_refused({"analyze", folder.write("s.toml", "file = 'nowhere.urdf'\n")}, {"line 1, column 8", "nowhere.urdf"});
  expect_refused({"analyze", robot("two_link.urdf")}, {"needs a contact", "--set contact.tip.body="});
}

TEST_F(CliRobot, LockedJointsAreNoCoordinates) {
  const Json j = json_of({"analyze", robot("articulated_arm.urdf"), "--set", "contact.tip.body=tip", "--set",
                          "joint.phi.lock=true", "--set", "joint.wrist.lock=true", "--set",
                          "joint.wrist.position=30deg", "--json"});
  EXPECT_EQ(j["state"]["q"].size(), 2U);
  EXPECT_EQ(j["dimension"], 2);  // what is left moves in a plane
}

// A map that was interrupted is not taken up with another robot.
TEST_F(CliRobot, TheRobotIsPartOfTheProblem) {
  const Folder folder;
  std::string urdf = content(robot("two_link.urdf"));
  folder.write("r.urdf", urdf);
  const std::string scene = folder.write("s.toml", "file = 'r.urdf'\n[contact.tip]\nbody = 'tip'\n" + floor_at_zero);
  const Arguments map = {"map",    scene,      "--over", "shoulder=60:100deg:5", "--of",
                         "mu_jam", "--resume", "-o",     folder.file("m.h5"),    "--json"};
  EXPECT_EQ(json_of(map)["was_finished"], false);
  EXPECT_EQ(json_of(map)["was_finished"], true);
  const auto mass = urdf.find("mass value=\"1\"");
  ASSERT_NE(mass, std::string::npos);
  folder.write("r.urdf", urdf.replace(mass, 14, "mass value=\"2\""));
  expect_refused(map, {"another problem"});
}

TEST_F(CliRobot, RunsAndSolves) {
  for (const std::string scene :
       {"articulated_arm.toml", "six_joint_arm.toml", "two_finger_gripper.toml", "legged_foot.toml"}) {
    json_of({"analyze", robot(scene), "--json"});
    json_of({"solve", robot(scene), "--formulation", "step", "--json"});
    json_of({"simulate", robot(scene), "--method", "step", "--t-end", "0.01", "--json"});
  }
}

TEST_F(CliCheck, FindsThePublishedMinima) {
  for (const Arguments& arm :
       {Arguments{"check", "articulated-arm", "--mu", "0.5", "--over", "theta3=0:180deg", "--json"},
        Arguments{"check", robot("articulated_arm.toml"), "--json"}}) {
    const Json j = json_of(arm);
    ASSERT_GE(j["minima"].size(), 2U);
    EXPECT_NEAR(j["critical_friction"], 0.4039117802538442, 1e-11);
    EXPECT_NEAR(j["minima"][1]["mu_jam"], 0.42078682250995586, 1e-11);
    EXPECT_NEAR(j["margin"], 0.4039117802538442 / 0.5, 1e-11);
    EXPECT_EQ(j["independent_of"], Json::array({"phi"}));
    EXPECT_EQ(j["on_surface"], true);
    EXPECT_EQ(j["complete"], true);
    EXPECT_NEAR(
        std::hypot(j["worst"]["sliding_direction"][0].get<double>(), j["worst"]["sliding_direction"][1].get<double>()),
        1, 1e-9);
  }
}

TEST_F(CliCheck, MjcfAndUrdfAgree) {
  const auto arm = [](const std::string& file) {
    return json_of({"check", robot(file), "--contact", "tip", "--mu", "0.5", "--plane-point", "0,0,0", "--samples",
                    "3000", "--json"});
  };
  const Json urdf = arm("articulated_arm.urdf"), mjcf = arm("articulated_arm.xml");
  EXPECT_NEAR(urdf["critical_friction"], 0.32086342181768923, 1e-10);  // with the wrist below the table
  EXPECT_NEAR(urdf["critical_friction"].get<double>(), mjcf["critical_friction"].get<double>(), 1e-9);
  EXPECT_EQ(urdf["at_risk"]["count"], mjcf["at_risk"]["count"]);
}

TEST_F(CliCheck, ExitCodesFollowTheMargin) {
  const Arguments arm = {"check", "articulated-arm", "--over", "theta3=0:180deg", "--samples", "500", "--json"};
  const auto with = [&](const Arguments& more) {
    Arguments all = arm;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  EXPECT_EQ(json_of(with({"--mu", "0.3", "--margin", "1.25"}))["below_margin"], false);
  EXPECT_EQ(json_of(with({"--mu", "0.35", "--margin", "1.25"}), {}, 3)["below_margin"], true);
  EXPECT_EQ(json_of(with({"--mu", "5"}))["below_margin"], false);  // nobody asked
  expect_refused({"check", "articulated-arm", "--margin", "0"}, {"--margin"});
  expect_refused({"check", "articulated-arm", "--over", "theta9=0:1"}, {"unknown joint 'theta9'"});
  expect_refused({"check", "articulated-arm", "--normal", "0,0,1"}, {"--normal", "robots"});
  expect_refused({"check", "contact-space"}, {"contact-space"});
  expect_refused({"check", robot("six_joint_arm.urdf")}, {"--contact"});
  expect_refused({"check", robot("six_joint_arm.urdf"), "--contact", "tool0"}, {"--mu"});
  expect_refused({"check", robot("six_joint_arm.urdf"), "--contact", "tol0", "--mu", "1"}, {"did you mean 'tool0'"});
  expect_refused({"check", robot("six_joint_arm.urdf"), "--contact", "tool0@1,2", "--mu", "1"}, {"three numbers"});
  expect_refused(
      {"check", robot("six_joint_arm.urdf"), "--contact", "tool0", "--mu", "1", "--over", "elbow_joint=-4:4"},
      {"limits of the joint"});
  expect_refused({"check", robot("legged_foot.xml"), "--contact", "toe", "--mu", "1", "--figure", "x.gif"}, {"x.gif"});
}

TEST_F(CliCheck, ThreeRobots) {
  const Folder folder;
  const Json arm = json_of({"check", robot("six_joint_arm.urdf"), "--contact", "tool0@0,0,0.1", "--mu", "0.8",
                            "--margin", "1.25", "--samples", "2000", "--figure", folder.file("map.svg"), "--json"},
                           {}, 3);
  EXPECT_EQ(arm["worst"]["singular"], true);  // stretched upwards, the tool cannot move along the normal
  EXPECT_GT(arm["at_risk"]["part"], 0.2);
  EXPECT_LT(arm["at_risk"]["low"], arm["at_risk"]["part"]);
  EXPECT_GT(fs::file_size(folder.file("map.svg")), 1000U);
  const Json gripper = json_of({"check", robot("two_finger_gripper.toml"), "--samples", "200", "--json"});
  EXPECT_TRUE(gripper["critical_friction"].is_null());  // its fingers move across the normal
  EXPECT_EQ(gripper["at_risk"]["count"], 0);
  const Json foot = json_of({"check", robot("legged_foot.toml"), "--contact", "toe", "--samples", "2000", "--json"});
  EXPECT_EQ(foot["contact"], "toe");
  EXPECT_GT(foot["critical_friction"], 0.1);
  for (const auto& joint : foot["over"]) {
    const double at = foot["worst"]["q"][joint["name"].get<std::string>()];
    if (joint["limited"] == true) {
      EXPECT_GE(at, joint["from"].get<double>() - 1e-9);
      EXPECT_LE(at, joint["to"].get<double>() + 1e-9);
    }
  }
}

TEST_F(CliCheck, RotorsRaiseTheCriticalFriction) {
  const auto arm = [](const std::string& armature) {
    return json_of({"check", robot("articulated_arm.toml"), "--samples", "2000", "--set",
                    "joint.wrist.armature=" + armature, "--json"})["critical_friction"]
        .get<double>();
  };
  EXPECT_NEAR(arm("0"), 0.4039117802538442, 1e-10);
  EXPECT_GT(std::abs(arm("0.05") - 0.4039), 0.01);
}

TEST_F(CliCheck, CtrlCEndsItWithWhatIsKnown) {
  Child child(
      {"check", robot("six_joint_arm.urdf"), "--contact", "tool0", "--mu", "0.8", "--samples", "5000000", "--json"},
      {});
  std::this_thread::sleep_for(2s);
  kill(child.pid(), SIGINT);
  const Outcome o = child.wait();
  EXPECT_EQ(o.code, 130) << o.signal;
  expect_one_message(o.err, {"interrupted"});
  const Json j = Json::parse(o.out);
  EXPECT_EQ(j["complete"], false);
  EXPECT_GT(j["samples"], 0);
  EXPECT_LT(j["samples"], 5000000);
}

TEST_F(CliCheck, WordsForPeople) {
  expect_contains(expect_done({"check", "articulated-arm", "--mu", "0.5", "--over", "theta3=0:180deg"}).out,
                  {"critical friction", "0.403911", "worst pose", "sliding direction", "locking angle", "at risk",
                   "0.420786", "does not depend on phi"});
}

// Of the contacts of a scenario the one that touches is checked; one that is named is made to touch.
TEST_F(CliCheck, ChecksAContactThatTouches) {
  const Json by_default = json_of({"check", robot("legged_foot.toml"), "--samples", "2000", "--json"});
  EXPECT_EQ(by_default["contact"], "toe");
  const Json heel = json_of({"check", robot("legged_foot.toml"), "--contact", "heel", "--samples", "2000", "--json"});
  EXPECT_EQ(heel["contact"], "heel");
  EXPECT_NE(heel["critical_friction"], by_default["critical_friction"]);
}

// From one pose to the next the solved-for joint moves a little: no other branch of the posture is met on the way.
TEST_F(CliRobot, SolvedPosturesDoNotJump) {
  double before = 0;
  for (int k = 0; k <= 8; ++k) {
    const double wrist = 5.5 + 0.05 * k;
    const Json j = json_of({"analyze", robot("articulated_arm.toml"), "--set", "elbow=-89.55deg", "--set",
                            "wrist=" + std::to_string(wrist) + "deg", "--json"});
    const double shoulder = j["state"]["q"]["shoulder"];
    EXPECT_LT(k == 0 ? 0 : std::abs(shoulder - before), 0.2) << wrist;
    before = shoulder;
  }
}

// Forces that are not determined are shared: a gripper that is its own mirror image presses with both fingers alike.
TEST_F(CliRobot, ASymmetricGripperPressesAlike) {
  const Json j = json_of({"simulate", robot("two_finger_gripper.toml"), "--t-end", "0.1", "--json"});
  EXPECT_EQ(j["stopped"], "t_end");
  EXPECT_GT(j["impulse_n"][0], 0.1);
  EXPECT_NEAR(j["impulse_n"][0].get<double>(), j["impulse_n"][1].get<double>(), 1e-9);
}

// Forces of two feet in space that stick are not determined; as long as some lie in the friction cones the feet stick.
// Springs and steps say until when: 0.195 s.
TEST_F(CliRobot, FeetInSpaceStickAsLongAsTheirConesAllow) {
  const fs::path folder = fs::temp_directory_path() / ("painleve_feet_" + std::to_string(getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "feet.xml")
      << "<mujoco><compiler angle='radian'/><worldbody><body name='trunk' pos='0.1 0.2 0.6' euler='0.1 0.2 0.3'>"
         "<freejoint name='root'/><inertial pos='0.01 0.02 0.03' mass='4' "
         "fullinertia='0.05 0.04 0.06 0.002 -0.003 0.001'/><body name='leg' pos='0.1 0 -0.1' euler='0.2 0.1 0'>"
         "<joint name='bj' type='ball' pos='0.01 0 0.02'/><inertial pos='0 0.02 -0.1' mass='1' "
         "fullinertia='0.01 0.012 0.009 0.001 -0.002 0.0015'/><body name='foot' pos='0 0 -0.2'>"
         "<joint name='an' axis='0 1 0' pos='0 0 0.01'/><inertial pos='0.02 0 -0.01' mass='0.4' "
         "diaginertia='0.001 0.0012 0.0009'/><site name='toe' pos='0.1 0 -0.02'/>"
         "<site name='heel' pos='-0.05 0.01 -0.02'/></body></body></body></worldbody></mujoco>";
  std::ofstream(folder / "feet.toml") << "file = 'feet.xml'\n[contact]\nclosed = false\n[contact.heel]\nsite = 'heel'\n"
                                         "[contact.toe]\nsite = 'toe'\n";  // planes through them as they stand
  const Json j = json_of({"simulate", (folder / "feet.toml").string(), "--t-end", "0.22", "--json"});
  fs::remove_all(folder);
  EXPECT_EQ(j["stopped"], "t_end") << j["stop_reason"];
  ASSERT_FALSE(j["events"].empty());
  EXPECT_GT(j["events"][0]["t"], 0.19) << j["events"][0];
}

}  // namespace robot_cli_test
