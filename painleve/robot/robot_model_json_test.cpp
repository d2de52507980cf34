// The JSON of a robot: nothing is lost on the way, and nothing broken comes in.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/robot/robot_model.hpp"

namespace painleve {
namespace robot_model_json_test {

using Json = nlohmann::json;

RobotModel full_model() {
  RobotModel model;
  model.name = "all of it";
  model.format = "mjcf";
  model.gravity = {0.1, 0.2, -9.8};
  RobotBody base;
  base.name = "base";
  base.joints.resize(2);
  base.joints[0].name = "x";
  base.joints[0].file_name = "x axis";
  base.joints[0].kind = JointKind::slide;
  base.joints[0].axis = Eigen::Vector3d::UnitX();
  base.joints[1] = {"turn", "turn", JointKind::hinge, {0, 0.6, 0.8}, {1, 2, 3}, 0.1, 0.2, -0.3, 0.4, 0.5, 0.6,
                    0.7,    0.8};
  RobotBody arm{"arm", 0, {1, 2, 3}, {0.5, 0.5, -0.5, 0.5}, 1.0 / 3, {4, 5, 6}, Eigen::Matrix3d::Identity(), {}};
  arm.inertia(0, 1) = arm.inertia(1, 0) = 0.125;
  model.bodies = {base, arm};
  model.frames = {{"tip", "site", 1, {0, 0, 1}, {0.6, 0.8, 0, 0}},
                  {"floor", "geom", -1, {}, Eigen::Quaterniond::Identity()}};
  model.frames[1].position.setZero();
  model.couplings = {{"x", "turn", {1, 2, 3, 4, 5}}, {"turn", "", {0.25, 0, 0, 0, 0}}};
  model.loops = {{"pin", true, 0, 1, {1, 0, 0}, {0, 1, 0}, {0, 1, 0, 0}}};
  model.notes = {"a note"};
  return model;
}

TEST(RobotModelJson, NothingIsLost) {
  const RobotModel model = full_model();
  const RobotModel back = robot_model_from_json(Json::parse(to_json(model).dump()));
  EXPECT_EQ(back.name, model.name);
  EXPECT_EQ(back.gravity, model.gravity);
  ASSERT_EQ(back.bodies.size(), 2U);
  EXPECT_EQ(back.bodies[1].parent, 0);
  EXPECT_EQ(back.bodies[1].rotation.coeffs(), model.bodies[1].rotation.coeffs());
  EXPECT_EQ(back.bodies[1].mass, 1.0 / 3);
  EXPECT_EQ(back.bodies[1].centre, model.bodies[1].centre);
  EXPECT_EQ(back.bodies[1].inertia, model.bodies[1].inertia);
  const RobotJoint& slide = back.bodies[0].joints[0];
  EXPECT_EQ(slide.kind, JointKind::slide);
  EXPECT_EQ(slide.file_name, "x axis");
  EXPECT_FALSE(slide.lower.has_value());
  const RobotJoint& turn = back.bodies[0].joints[1];
  EXPECT_EQ(turn.kind, JointKind::hinge);
  EXPECT_EQ(turn.axis, Eigen::Vector3d(0, 0.6, 0.8));
  EXPECT_EQ(turn.anchor, Eigen::Vector3d(1, 2, 3));
  const std::array<double, 8> numbers{turn.reference, turn.home,    turn.lower.value_or(0), turn.upper.value_or(0),
                                      turn.armature,  turn.damping, turn.stiffness,         turn.spring_reference};
  EXPECT_EQ(numbers, (std::array<double, 8>{0.1, 0.2, -0.3, 0.4, 0.5, 0.6, 0.7, 0.8}));
  EXPECT_EQ(back.frames[1].body, -1);
  EXPECT_EQ(back.frames[0].kind, "site");
  EXPECT_EQ(back.couplings[0].polynomial, model.couplings[0].polynomial);
  EXPECT_EQ(back.couplings[1].driver, "");
  EXPECT_TRUE(back.loops[0].weld);
  EXPECT_EQ(back.loops[0].anchor2, Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(back.loops[0].rotation.x(), 1);
  EXPECT_EQ(back.notes, model.notes);
  EXPECT_EQ(to_json(back), to_json(model));
}

struct Broken {
  std::string pointer;
  Json value;
  std::string part;
};

TEST(RobotModelJson, NothingBrokenComesIn) {
  const std::vector<Broken> cases{{"/schema", 2, "schema 1"},
                                  {"/format", "sdf", "mjcf or urdf"},
                                  {"/gravity", {1, 2}, "needs 3 numbers as gravity"},
                                  {"/extra", 1, "unknown key 'extra'"},
                                  {"/notes", {1}, "texts as notes"},
                                  {"/bodies/0/parent", 0, "body 'base' needs -1 or the index"},
                                  {"/bodies/1/parent", 1, "body 'arm' needs -1 or the index"},
                                  {"/bodies/1/parent", -2, "body 'arm' needs -1 or the index"},
                                  {"/bodies/1/mass", -1, "mass -1, which must not be negative"},
                                  {"/bodies/1/mass", nullptr, "finite numbers as mass"},
                                  {"/bodies/1/rotation", {2, 0, 0, 0}, "unit quaternion"},
                                  {"/bodies/1/inertia/0/1", 7, "symmetric matrix"},
                                  {"/bodies/1/inertia/2/2", -1, "negative moment"},
                                  {"/bodies/0/joints/1/axis", {0, 0, 2}, "joint 'turn' needs a unit vector"},
                                  {"/bodies/0/joints/1/kind", "screw", "hinge or slide"},
                                  {"/bodies/0/joints/1/lower", 1, "lower limit above the upper one"},
                                  {"/bodies/0/joints/1/armature", -1, "armature -1"},
                                  {"/bodies/0/joints/1/name", "x", "two joints of the name 'x'"},
                                  {"/bodies/0/joints/1/name", "a b", "no plain name"},
                                  {"/frames/0/body", 2, "frame 'tip' needs -1 or the index"},
                                  {"/frames/0/kind", "body", "site or geom"},
                                  {"/couplings/0/joint", "z", "unknown joint 'z'"},
                                  {"/couplings/0/driver", "z", "unknown driver 'z'"},
                                  {"/couplings/0/driver", "x", "to itself"},
                                  {"/loops/0/body2", 5, "loop 'pin' needs -1 or the index"},
                                  {"/loops/0/weld", 1, "true or false"}};
  for (const Broken& one : cases) {
    Json json = to_json(full_model());
    json[Json::json_pointer(one.pointer)] = one.value;
    try {
      robot_model_from_json(json);
      ADD_FAILURE() << one.pointer << " was accepted";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(one.part), std::string::npos) << one.pointer << ": " << error.what();
    }
  }
}

TEST(RobotModelJson, EveryKeyIsNeeded) {
  const Json whole = to_json(full_model());
  const std::vector<std::string> places{"", "/bodies/1", "/bodies/0/joints/1", "/frames/0", "/couplings/0", "/loops/0"};
  for (const std::string& place : places) {
    for (const auto& item : whole[Json::json_pointer(place)].items()) {
      Json json = whole;
      json[Json::json_pointer(place)].erase(item.key());
      EXPECT_THROW(robot_model_from_json(json), InputError) << place << "/" << item.key();
    }
  }
  EXPECT_THROW(robot_model_from_json(Json::array()), InputError);
}

}  // namespace robot_model_json_test
}  // namespace painleve
