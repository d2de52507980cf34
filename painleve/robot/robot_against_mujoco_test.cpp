// The second route: what the reader makes of a file against MuJoCo's own numbers for the same file.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <regex>

#include "painleve/robot/detail/robot_reader_fixture.hpp"

namespace painleve {
namespace robot_against_mujoco_test {

// Places of all bodies with every joint at home: the definition of RobotModel, written down once more.
std::vector<Eigen::Isometry3d> places_at_home(const RobotModel& model) {
  std::vector<Eigen::Isometry3d> places;
  for (const RobotBody& one : model.bodies) {
    Eigen::Isometry3d place =
        one.parent < 0 ? Eigen::Isometry3d::Identity() : places[static_cast<std::size_t>(one.parent)];
    place = place * Eigen::Translation3d(one.position) * one.rotation;
    for (const RobotJoint& joint : one.joints) {
      const double moved = joint.home - joint.reference;
      if (joint.kind == JointKind::slide) {
        place = place * Eigen::Translation3d(joint.axis * moved);
      } else {
        place = place * Eigen::Translation3d(joint.anchor) * Eigen::AngleAxisd(moved, joint.axis) *
                Eigen::Translation3d(-joint.anchor);
      }
    }
    places.push_back(place);
  }
  return places;
}

// MuJoCo has an importer of its own for URDF; it knows no mimic joints and needs the meshes, but M and bias must agree.
TEST_F(RobotReader, AgreesWithMujocosOwnImporter) {
  const std::regex geometry("<visual>[^]*?</visual>|<collision>[^]*?</collision>");
  const std::string bare =
      file("bare.urdf", std::regex_replace(content(examples + "six_joint_arm.urdf"), geometry, ""));
  const Json state{{"qpos", {0.3, -0.7, 1.1, 0.4, -0.9, 2.0}}, {"qvel", {1.0, -0.5, 0.3, 2.0, -1.5, 0.7}}};
  const Json ours = evaluate(examples + "six_joint_arm.urdf", state);
  const Json theirs = evaluate(bare, state, true);
  EXPECT_GT(ours["M"][1][1].get<double>(), 1);
  EXPECT_LT(distance(ours["M"], theirs["M"]), 1e-12);
  EXPECT_LT(distance(ours["bias"], theirs["bias"]), 1e-12);
}

TEST_F(RobotReader, DriftIsTheDerivativeOfTheJacobian) {
  const double h = 1e-6;
  const std::array<double, 6> q{0.3, -0.7, 1.1, 0.4, -0.9, 2.0};
  const std::array<double, 6> v{1.0, -0.5, 0.3, 2.0, -1.5, 0.7};
  const auto at = [&](double t) {
    std::array<double, 6> moved = q;
    for (std::size_t i = 0; i < 6; ++i) moved[i] += t * v[i];
    const Json points = Json::array({{{"body", "tool0"}, {"point", {0.01, 0.02, 0.03}}}});
    return evaluate(examples + "six_joint_arm.xml", {{"qpos", moved}, {"qvel", v}, {"points", points}})["points"][0];
  };
  const Json before = at(-h), now = at(0), after = at(h);
  for (std::size_t row = 0; row < 3; ++row) {
    double rate = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      rate += (after["jacobian"][row][i].get<double>() - before["jacobian"][row][i].get<double>()) / (2 * h) * v[i];
    }
    EXPECT_NEAR(now["drift"][row].get<double>(), rate, 1e-8);  // rounding 1e-16/h, truncation h^2
  }
}

TEST_F(RobotReader, FreeAndBallJointsBecomeSlidesAndHingesAtTheSamePlace) {
  const std::string text =
      "<mujoco><worldbody><body name='float' pos='1 2 3' euler='20 -50 70'><freejoint name='root'/><geom size='.1'/>"
      "<body name='ball' pos='.3 0 .1' euler='0 90 0'><joint type='ball' name='b' pos='.05 .06 .07'/><geom size='.1' "
      "pos='.2 0 0'/>"
      "<body name='end' pos='.4 0 0'><joint name='j' type='hinge' axis='1 1 0' pos='0 .1 0' ref='30'/><geom size='.1' "
      "pos='0 .2 0'/>"
      "</body></body></body></worldbody><keyframe><key name='home' qpos='.1 .2 .3 .8 .2 -.4 .4 .7 .1 .5 -.5 "
      ".9'/></keyframe></mujoco>";
  const RobotModel model = read(text);
  ASSERT_EQ(model.bodies[0].joints.size(), 6U);
  EXPECT_EQ(model.bodies[0].joints[4].name, "root_pitch");
  EXPECT_EQ(model.bodies[1].joints[0].name, "b_yaw");
  const Json state{{"qpos", {.1, .2, .3, .8, .2, -.4, .4, .7, .1, .5, -.5, .9}},
                   {"points",
                    {{{"body", "float"}, {"point", {.1, .2, .3}}},
                     {{"body", "ball"}, {"point", {.1, .2, .3}}},
                     {{"body", "end"}, {"point", {.1, .2, .3}}}}}};
  const Json theirs = evaluate(file("free.xml", text), state, true)["points"];
  const std::vector<Eigen::Isometry3d> places = places_at_home(model);
  for (std::size_t i = 0; i < 3; ++i) {
    const Eigen::Vector3d point = places[i] * Eigen::Vector3d(.1, .2, .3);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(point(static_cast<Eigen::Index>(k)), theirs[i]["position"][k].get<double>(), 1e-14);
  }
}

TEST_F(RobotReader, AFreeBodyWithItsNoseUpIsCountedFromThere) {
  const RobotModel model = read(
      "<mujoco><worldbody><body name='a' pos='1 2 3' euler='0 90 0'><freejoint/><geom "
      "size='.1'/></body></worldbody></mujoco>");
  EXPECT_NEAR(model.bodies[0].joints[4].home, 0, 1e-15);
  const Eigen::Isometry3d place = places_at_home(model)[0];
  EXPECT_LT((place.translation() - Eigen::Vector3d(1, 2, 3)).norm(), 1e-14);
  EXPECT_LT((place * Eigen::Vector3d::UnitX() - Eigen::Vector3d(1, 2, 2)).norm(), 1e-14);
}

// MuJoCo's residuals of the same constraints at a pose where they are not met.
TEST_F(RobotReader, LoopsAreThoseOfMujoco) {
  const std::string text =
      "<mujoco><worldbody><body name='a' pos='1 0 0' euler='10 20 30'><joint axis='0 1 0'/><geom size='.1'/></body>"
      "<body name='b' pos='0 1 .5' euler='-30 0 40'><joint axis='1 0 0'/><geom size='.1' pos='.1 0 "
      "0'/></body></worldbody>"
      "<equality><connect name='pin' body1='a' body2='b' anchor='.1 .2 .3'/>"
      "<weld name='glue' body1='a' body2='b' relpose='.5 .6 .7 .9 .1 .2 -.3' anchor='.3 .1 .2'/>"
      "<weld body1='a' active='false'/></equality>"
      "<keyframe><key name='home' qpos='.7 -.4'/></keyframe></mujoco>";
  const RobotModel model = read(text);
  ASSERT_EQ(model.loops.size(), 2U);
  EXPECT_TRUE(noted(model, "1 inactive equality"));
  const std::vector<Eigen::Isometry3d> places = places_at_home(model);
  const Json theirs = evaluate(file("loops.xml", text), {{"qpos", {.7, -.4}}}, true)["equality"];
  ASSERT_EQ(theirs.size(), 9U);
  for (std::size_t i = 0; i < 2; ++i) {
    const LoopClosure& loop = model.loops[i];
    EXPECT_EQ(loop.weld, i == 1);
    const Eigen::Isometry3d& one = places[static_cast<std::size_t>(loop.body1)];
    const Eigen::Isometry3d& two = places[static_cast<std::size_t>(loop.body2)];
    const Eigen::Vector3d apart = one * loop.anchor1 - two * loop.anchor2;
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(apart(static_cast<Eigen::Index>(k)), theirs[3 * i + k].get<double>(), 1e-14);
  }
  const Eigen::Quaterniond seen(places[0].rotation().transpose() * places[1].rotation());
  const Eigen::Quaterniond left = seen.conjugate() * model.loops[1].rotation;
  const Eigen::Vector3d turned = left.vec() * (left.w() * theirs[6].get<double>() * left.x() < 0 ? -1 : 1);
  EXPECT_GT(left.vec().norm(), 0.1);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(std::abs(turned(static_cast<Eigen::Index>(k))), std::abs(theirs[6 + k].get<double>()), 1e-14);
}

TEST_F(RobotReader, AMeshThatIsThereCarriesTheMassAndIncludesAreFollowed) {
  file("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  file("part.xml", "<mujocoinclude><body name='hand'><joint/><geom type='mesh' mesh='cube'/></body></mujocoinclude>");
  const std::string robot =
      file("whole.xml",
           "<mujoco><asset><mesh file='cube.obj'/></asset><worldbody><include file='part.xml'/></worldbody></mujoco>");
  EXPECT_GT(read_robot(robot).bodies.at(0).mass, 100);
  EXPECT_LT(distance(evaluate(robot, Json::object())["M"], evaluate(robot, Json::object(), true)["M"]), 1e-12);
}

}  // namespace robot_against_mujoco_test
}  // namespace painleve
