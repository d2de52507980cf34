// The reader of robot files: what strangers' files may hold, and what the shipped examples give.
#include "painleve/robot/robot_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "painleve/robot/detail/robot_reader_fixture.hpp"

namespace painleve {
namespace robot_reader_test {

TEST_F(RobotReader, EveryShippedRobotIsReadAndSurvivesJson) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(examples)) {
    if (entry.path().extension() != ".xml" && entry.path().extension() != ".urdf") continue;
    const RobotModel model = read_robot(entry.path().string());
    EXPECT_EQ(model.format, entry.path().extension() == ".urdf" ? "urdf" : "mjcf") << entry.path();
    EXPECT_EQ(model.name, entry.path().stem()) << entry.path();
    EXPECT_FALSE(model.bodies.empty());
    const Json json = to_json(model);
    EXPECT_EQ(to_json(robot_model_from_json(Json::parse(json.dump()))), json) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST_F(RobotReader, TheSameArmAsUrdfAndAsMjcfGivesTheSameNumbers) {
  const RobotModel a = read_robot(examples + "six_joint_arm.urdf");
  const RobotModel b = read_robot(examples + "six_joint_arm.xml");
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  EXPECT_EQ(a.gravity, b.gravity);
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const RobotBody& x = a.bodies[i];
    const RobotBody& y = b.bodies[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.parent, y.parent);
    EXPECT_EQ(x.mass, y.mass);
    EXPECT_LT((x.position - y.position).norm(), 1e-14) << x.name;
    EXPECT_LT(x.rotation.angularDistance(y.rotation), 1e-14) << x.name;
    EXPECT_LT((x.centre - y.centre).norm(), 1e-14) << x.name;
    EXPECT_LT((x.inertia - y.inertia).norm(), 1e-14) << x.name;
    ASSERT_EQ(x.joints.size(), y.joints.size());
    for (std::size_t k = 0; k < x.joints.size(); ++k) {
      EXPECT_EQ(x.joints[k].name, y.joints[k].name);
      EXPECT_LT((x.joints[k].axis - y.joints[k].axis).norm(), 1e-14);
      EXPECT_EQ(x.joints[k].lower, y.joints[k].lower);
      EXPECT_EQ(x.joints[k].upper, y.joints[k].upper);
    }
  }
  EXPECT_EQ(body(a, "tool0").mass, 0);  // fixed links stay, with their frames
  EXPECT_TRUE(noted(a, "no joint has rotor inertia"));
}

// MuJoCo finds principal axes to some eight digits; the matrix of the file is kept, from heavy links to tiny ones.
TEST_F(RobotReader, ProductsOfInertiaAreKeptToTheLastDigit) {
  for (const double size : {1.0, 1e-4, 1e-8}) {
    Eigen::Matrix3d I;
    I << 3, 0.4, -0.3, 0.4, 2.5, 0.7, -0.3, 0.7, 2;
    I *= size;
    const auto number = [](double x) { return fmt::format("{:.17g}", x); };
    const std::string mjcf = "<mujoco><worldbody><body><inertial mass='1' pos='0 0 0.1' fullinertia='" +
                             number(I(0, 0)) + " " + number(I(1, 1)) + " " + number(I(2, 2)) + " " + number(I(0, 1)) +
                             " " + number(I(0, 2)) + " " + number(I(1, 2)) +
                             "'/><joint name='a' axis='0 1 0'/></body></worldbody></mujoco>";
    const std::string urdf =
        "<robot name='r'><link name='base'/><link name='l'><inertial><origin xyz='0 0 0.1'/><mass "
        "value='1'/><inertia ixx='" +
        number(I(0, 0)) + "' iyy='" + number(I(1, 1)) + "' izz='" + number(I(2, 2)) + "' ixy='" + number(I(0, 1)) +
        "' ixz='" + number(I(0, 2)) + "' iyz='" + number(I(1, 2)) +
        "'/></inertial></link><joint name='a' type='continuous'><parent link='base'/><child "
        "link='l'/><axis xyz='0 1 0'/></joint></robot>";
    const RobotModel a = read_robot(file("full.xml", mjcf));
    const RobotModel b = read_robot(file("full.urdf", urdf));
    EXPECT_LT((a.bodies.back().inertia - I).norm(), 1e-14 * I.norm()) << size;
    EXPECT_LT((b.bodies.back().inertia - I).norm(), 1e-14 * I.norm()) << size;
  }
}

// Zero is not where every joint can stand.
TEST_F(RobotReader, AJointThatCannotReachZeroStandsInTheMiddle) {
  const RobotModel model =
      read_robot(file("limits.xml",
                      "<mujoco><compiler angle='radian'/><worldbody><body><inertial mass='1' pos='0 0 0.1' "
                      "diaginertia='1 1 1'/><joint name='a' axis='0 1 0' limited='true' range='-3 -1'/></body>"
                      "</worldbody></mujoco>"));
  EXPECT_EQ(model.bodies.back().joints.front().home, -2);
}

TEST_F(RobotReader, MimicJointsFollowTheLastOfTheChain) {
  const RobotModel gripper = read_robot(examples + "two_finger_gripper.urdf");
  ASSERT_EQ(gripper.couplings.size(), 1U);
  EXPECT_EQ(gripper.couplings[0].joint, "right_finger_joint");
  EXPECT_EQ(gripper.couplings[0].driver, "left_finger_joint");
  EXPECT_EQ(gripper.couplings[0].polynomial, (std::array<double, 5>{0, 1, 0, 0, 0}));
  EXPECT_TRUE(noted(gripper, "friction of joints"));
  EXPECT_EQ(body(gripper, "palm").joints[0].damping, 5);

  const std::string chain = "<link name='b'/><link name='c'/>" + joint_of("ja", "continuous", "base", "arm") +
                            joint_of("jb", "prismatic", "arm", "b", "<mimic joint='ja' multiplier='2' offset='0.5'/>") +
                            joint_of("jc", "revolute", "b", "c", "<mimic joint='jb' multiplier='-3' offset='0.25'/>");
  const RobotModel model = read(urdf(chain));
  ASSERT_EQ(model.couplings.size(), 2U);
  EXPECT_EQ(model.couplings[1].joint, "jc");
  EXPECT_EQ(model.couplings[1].driver, "ja");
  EXPECT_EQ(model.couplings[1].polynomial, (std::array<double, 5>{-1.25, -6, 0, 0, 0}));
}

TEST_F(RobotReader, HonoursWhatAnMjcfSaysOfItsJoints) {
  const RobotModel model = read(
      "<mujoco><compiler angle='degree'/><default><joint armature='.25'/><default class='stiff'><joint "
      "stiffness='7'/></default></default>"
      "<worldbody><body name='a'><joint name='j' class='stiff' range='-90 45' ref='30' springref='60' damping='3' "
      "frictionloss='1'/>"
      "<geom name='g' size='.1' pos='0 0 .5'/><site name='s' pos='0 1 0'/></body></worldbody></mujoco>");
  const RobotJoint& joint = model.bodies[0].joints[0];
  const double degree = std::acos(-1.0) / 180;
  EXPECT_EQ(joint.armature, 0.25);
  EXPECT_EQ(joint.stiffness, 7);
  EXPECT_EQ(joint.damping, 3);
  EXPECT_NEAR(joint.reference, 30 * degree, 1e-15);
  EXPECT_NEAR(joint.home, 30 * degree, 1e-15);
  EXPECT_NEAR(joint.spring_reference, 60 * degree, 1e-15);
  EXPECT_NEAR(joint.lower.value_or(0), -90 * degree, 1e-15);
  EXPECT_NEAR(joint.upper.value_or(0), 45 * degree, 1e-15);
  EXPECT_TRUE(noted(model, "frictionloss"));
  EXPECT_FALSE(noted(model, "rotor inertia"));
  ASSERT_EQ(model.frames.size(), 2U);
  EXPECT_EQ(model.frames[0].kind, "site");
  EXPECT_EQ(model.frames[1].position.z(), 0.5);
}

TEST_F(RobotReader, AbsentMeshesDoNotMatterUnlessTheyCarryTheMass) {
  const std::string assets =
      "<asset><mesh name='m' file='absent.stl'/><texture name='t' type='2d' file='absent.png'/><material name='k' "
      "texture='t'/></asset>"
      "<default><default class='visual'><geom type='mesh' material='k' group='2'/></default></default>";
  const RobotModel model =
      read(one_joint("<geom class='visual' mesh='m' name='shell'/><geom name='ball' size='.1' material='k'/>", assets));
  EXPECT_EQ(model.bodies[0].mass, 1);
  EXPECT_TRUE(noted(model, "1 named geoms made of meshes"));
  ASSERT_EQ(model.frames.size(), 1U);
  const std::string bare = "<body name='hand'><joint/><geom class='visual' mesh='m'/></body>";
  EXPECT_EQ(refusal(one_joint(bare, assets)),
            "the inertia of the body 'hand' would come from the mesh 'm', whose file 'absent.stl' is not there; give "
            "the body an <inertial>");
  const std::string weightless =
      "<body name='hand'><joint/><geom size='.1'/><geom class='visual' mesh='m' mass='0'/></body>";
  EXPECT_EQ(read(one_joint(weightless, assets)).bodies.size(), 2U);
}

TEST_F(RobotReader, NamesOfCoordinatesArePlainAndUnique) {
  const RobotModel model =
      read(one_joint("<body><joint name='a b/c'/><geom size='.1'/><body><joint name='a_b_c'/><geom size='.1'/>"
                     "<body><joint name='j_dot'/><joint name='é'/><geom size='.1'/></body></body></body>"));
  EXPECT_EQ(model.bodies[1].joints[0].name, "a_b_c");
  EXPECT_EQ(model.bodies[1].joints[0].file_name, "a b/c");
  EXPECT_EQ(model.bodies[2].joints[0].name, "a_b_c_2");
  EXPECT_EQ(model.bodies[3].joints[0].name, "j_dot_2");  // j_dot is the velocity of j
  EXPECT_EQ(model.bodies[3].joints[1].name, "__");
}

TEST_F(RobotReader, LinksWithoutMassAreKeptWithoutMass) {
  const RobotModel model =
      read(urdf("<link name='cross'/>" + joint_of("j1", "continuous", "base", "cross", "<axis xyz='0 0 1'/>") +
                joint_of("j2", "continuous", "cross", "arm", "<axis xyz='0 2 0'/>")));
  EXPECT_EQ(body(model, "cross").mass, 0);
  EXPECT_EQ(body(model, "cross").inertia.norm(), 0);
  EXPECT_EQ(body(model, "arm").mass, 1);
  EXPECT_EQ(body(model, "arm").joints[0].axis, Eigen::Vector3d::UnitY());
  EXPECT_TRUE(noted(model, "taken as massless: cross"));
  EXPECT_EQ(refusal(urdf("<link name='leaf'/>" + joint_of("j1", "continuous", "base", "arm") +
                         joint_of("j2", "continuous", "arm", "leaf"))),
            "the joint 'j2' moves nothing that has inertia; give the body 'leaf' or those after it a mass and inertia, "
            "or make the joint fixed");
}

TEST_F(RobotReader, PlanarAndFloatingJointsOfUrdfAreWrittenOut) {
  const RobotModel planar = read(urdf(joint_of("j", "planar", "base", "arm", "<axis xyz='0 1 0'/>")));
  const std::vector<RobotJoint>& joints = body(planar, "arm").joints;
  ASSERT_EQ(joints.size(), 3U);
  EXPECT_EQ(joints[0].axis, Eigen::Vector3d::UnitX());
  EXPECT_EQ(joints[1].axis, -Eigen::Vector3d::UnitZ());
  EXPECT_EQ(joints[2].kind, JointKind::hinge);
  const RobotModel floating = read(urdf(joint_of("j", "floating", "base", "arm")));
  ASSERT_EQ(body(floating, "arm").joints.size(), 6U);
  EXPECT_EQ(body(floating, "arm").joints[5].name, "j_roll");
}

struct Refused {
  std::string text, part;
};

TEST_F(RobotReader, RefusesWithOneSentence) {
  const std::string turning = joint_of("j", "continuous", "base", "arm");
  const std::string deep = [] {
    std::string text = "<mujoco><worldbody>";
    for (int i = 0; i < 20000; ++i) text += "<body>";
    return text;
  }();
  const std::vector<Refused> cases{
      {"", "is empty"},
      {"   ", "is empty"},
      {"not xml", "not well-formed XML"},
      {"<mujoco><worldbody>", "not well-formed XML"},
      {std::string("<mujoco\0/>", 10), "not a text file"},
      {"\x7f"
       "ELF\x02\x01\x01 binary",
       "not well-formed XML"},
      {deep, "too deeply"},
      {"<mujoco/>text</a>", "not well-formed XML: text stands beside the root element <mujoco> (line 1)"},
      {"<mujoco/>\n<robot/>", "a second element stands beside the root element <mujoco> (line 2)"},
      {"<!DOCTYPE l [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;'>]><mujoco model='&b;'/>", "entities"},
      {"<sdf/>", "is an SDF file"},
      {"<html/>", "MJCF has <mujoco>, URDF has <robot>"},
      {"<mujocoinclude/>", "part for inclusion"},
      {"<robot xmlns:xacro='x'><xacro:include filename='y'/></robot>", "run 'xacro robot.xacro > robot.urdf' first"},
      {"<robot><link name='${n}'/></robot>", "xacro"},
      {"<robot/>", "no <link>"},
      {"<mujoco/>", "no joint that moves"},
      {"<robot><link name='a'/><link name='b'/>" + joint_of("j", "continuous", "a", "b") + "</robot>", "moves nothing"},
      {one_joint("<geom size='.1' mass='nan'/>"), "mass='nan', which is not finite"},
      {one_joint("<geom size='.1' pos='1e999 0 0'/>"), "not finite"},
      {one_joint("<geom size='.1' colour='red'/>"), "MuJoCo 2.2.2 cannot read the file"},
      {one_joint("", "<tendon><fixed name='t' stiffness='1'><joint joint='j' coef='1'/></fixed></tendon>"),
       "the tendon 't'"},
      {one_joint("", "<option viscosity='0.1'/>"), "fluid forces"},
      {one_joint("", "<equality><distance geom1='a' geom2='b'/></equality>"), "<distance>"},
      {one_joint("<composite type='rope'/>"), "<composite>"},
      {one_joint("<body gravcomp='1'/>"), "gravcomp"},
      {one_joint("<body name='n'><joint/></body>"), "the body 'n' moves but has no mass"},
      {one_joint("<body name='n'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>"),
       "the inertia of the body 'n'"},
      {one_joint("<body name='n'><joint type='ball' damping='1' name='b'/><geom size='.1'/></body>"),
       "the ball joint 'b'"},
      {"<mujoco><include file='nowhere.xml'/></mujoco>", "cannot read"},
      {"<mujoco><include file='robot.xml'/></mujoco>", "included twice"},
      {urdf(joint_of("j", "continuous", "base", "nothing")), "'nothing' as its child"},
      {urdf(turning + joint_of("k", "continuous", "base", "arm")), "hangs on two joints"},
      {urdf(turning + "<link name='other'/>"), "both hang on no joint"},
      {urdf(joint_of("j", "screw", "base", "arm")), "has the type 'screw'"},
      {urdf(joint_of("j", "continuous", "base", "arm", "<axis xyz='0 0 0'/>")), "axis of length 0"},
      {urdf(joint_of("j", "continuous", "base", "arm", "<axis xyz='0 0'/>")), "3 finite numbers belong"},
      {urdf(joint_of("j", "continuous", "base", "arm", "<axis xyz='0 0 1 2'/>")), "3 finite numbers belong"},
      {urdf(joint_of("j", "revolute", "base", "arm", "<limit lower='1' upper='0'/>")), "lower limit 1 above"},
      {urdf(joint_of("j", "continuous", "base", "arm", "<mimic joint='j'/>")), "mimics itself"},
      {urdf(joint_of("j", "continuous", "base", "arm", "<mimic joint='q'/>")), "mimics 'q'"},
      {urdf(turning + "<link name='n'><inertial><mass value='nan'/></inertial></link>" +
            joint_of("k", "fixed", "arm", "n")),
       "finite number"},
      {urdf(turning + "<link name='n'><inertial><mass value='-1'/></inertial></link>" +
            joint_of("k", "fixed", "arm", "n")),
       "must not be negative"},
      {urdf(turning + "<link name='n'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial></link>" +
            joint_of("k", "fixed", "arm", "n")),
       "exceeds the sum of the other two"}};
  for (const Refused& one : cases) {
    const std::string sentence = refusal(one.text);
    EXPECT_TRUE(contains(sentence, one.part)) << one.text.substr(0, 300) << "\n  " << sentence;
    EXPECT_FALSE(contains(sentence, "\n")) << sentence;
    EXPECT_FALSE(contains(sentence, "signal")) << sentence;
  }
}

TEST_F(RobotReader, ALongChainAndAHugeFileEndWithinTheirLimits) {
  for (const int links : {150, 3000, 120000}) {
    std::string chain = "<link name='l0'/>";
    for (int i = 1; i < links; ++i) {
      chain += "<link name='l" + std::to_string(i) + "'/>" +
               joint_of("k" + std::to_string(i), "fixed", "l" + std::to_string(i - 1), "l" + std::to_string(i));
    }
    const std::string arm = joint_of("j", "continuous", "base", "arm") + joint_of("k", "fixed", "arm", "l0");
    EXPECT_TRUE(contains(refusal(urdf(arm + chain)), "too many links in a row")) << links;
  }
  EXPECT_TRUE(
      contains(refusal("<mujoco>" + std::string(std::size_t{33} << 20U, ' ') + "</mujoco>"), "larger than 32 MiB"));
}

// A file and what it includes are each shallow enough for the reader, but not one within the other.
TEST_F(RobotReader, RefusesWhatIsTooDeepOnlyOnceItsPartsAreTogether) {
  const auto nested = [](int bodies, const std::string& inside) {
    std::string text = inside;
    for (int i = 0; i < bodies; ++i) text = "<body>" + text + "</body>";
    return text;
  };
  file("part.xml", "<mujocoinclude>" + nested(60, "") + "</mujocoinclude>");
  EXPECT_TRUE(contains(refusal(one_joint(nested(60, "<include file='part.xml'/>"))), "too many links in a row"));
}

TEST_F(RobotReader, SaysWhatIsWrongWithThePath) {
  EXPECT_EQ(sentence_of([] { read_robot("/nowhere/arm.urdf"); }), "there is no robot file '/nowhere/arm.urdf'");
  EXPECT_EQ(sentence_of([] { read_robot("/etc"); }), "'/etc' is a folder; name the MJCF or URDF file in it");
  EXPECT_EQ(sentence_of([] { read_robot("/dev/zero"); }), "'/dev/zero' is not a regular file");
}

// Readers that fail in every way a program can.
TEST_F(RobotReader, TranslatesEveryEndOfTheReader) {
  const std::string robot = file("arm.urdf", "<robot/>");
  const auto with = [&](const std::string& script) {
    RobotReaderOptions options;
    options.program = file("reader", "#!/bin/sh\n" + script + "\n");
    options.seconds = 1;
    fs::permissions(options.program, fs::perms::owner_all);
    return sentence_of([&] { read_robot(robot, options); });
  };
  EXPECT_TRUE(contains(with("kill -SEGV $$"), "the parser of the MuJoCo library ended by signal 11 while reading '"));
  EXPECT_TRUE(contains(with("exec sleep 20"), "took more than 1 s and was ended"));
  EXPECT_TRUE(
      contains(with("echo 'terminate: std::bad_alloc' >&2; kill -ABRT $$"), "needs more than 2048 MiB of memory"));
  EXPECT_EQ(with("echo 'the sentence' >&2; echo more >&2; exit 2"), "the sentence");
  EXPECT_TRUE(contains(with("exit 5"), "ended with code 5"));
  EXPECT_TRUE(contains(with("echo text"), "printed no JSON"));
  EXPECT_TRUE(contains(with("echo '{}'"), "has no key 'schema'"));
  RobotReaderOptions nowhere;
  nowhere.program = "/nowhere/painleve-robot";
  EXPECT_TRUE(contains(sentence_of([&] { read_robot(robot, nowhere); }), "cannot start the program"));
}

}  // namespace robot_reader_test
}  // namespace painleve
