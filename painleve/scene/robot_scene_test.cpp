// What scenarios with robots are refused for before any robot is read, and the words that they know. What needs the
// reader of robot files is tested with the program (tests/robot_cli_test.cpp).
#include <gtest/gtest.h>

#include "painleve/base/error.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/scene/vocabulary.hpp"

namespace painleve {
namespace robot_scene_test {

template <class Act>
std::string message(Act&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(RobotScene, ATextCannotNameAFile) {
  const std::string text = message([] { SceneSource::parse("file = \"arm.urdf\"", "posted"); });
  EXPECT_EQ(text,
            "posted, line 1, column 8: file is refused: a scenario that does not come from a file cannot name one");
  EXPECT_NE(message([] {
              SceneSource::parse("mechanism = \"rod\"\nfile = \"arm.urdf\"", "posted", ".");
            }).find("a scene has one of them"),
            std::string::npos);
  EXPECT_NE(message([] { SceneSource::parse("file = 3", "posted", "."); }).find("line 1, column 8"), std::string::npos);
  EXPECT_NE(message([] { SceneSource::parse("mechanism = \"rod\"\n[joint.a]\nlock = true", "x"); }).find("joint"),
            std::string::npos);
}

TEST(RobotScene, AFileThatIsNotThereIsNamed) {
  const std::string text = message([] { SceneSource::open("no/such/arm.urdf"); });
  EXPECT_NE(text.find("no/such/arm.urdf"), std::string::npos) << text;
}

TEST(RobotScene, MechanismsSayWhatTheyAre) {
  EXPECT_EQ(SceneSource::open("rod").kind(), SceneKind::mechanism);
  EXPECT_EQ(SceneSource::open("rod").entry()->name, "rod");
  EXPECT_EQ(SceneSource::open("rod").robot(), nullptr);
  EXPECT_EQ(SceneSource::parse("mechanism = \"contact-space\"", "c").kind(), SceneKind::contact_space);
  EXPECT_EQ(SceneSource::parse("mechanism = \"contact-space\"", "c").entry(), nullptr);
  const Scene scene = SceneSource::open("rod").build();
  EXPECT_EQ(scene.entry.get(), &gallery_entry("rod"));
  EXPECT_EQ(scene.setup.parameters.at("mass"), 1);  // complete
}

RobotJoint joint(const std::string& name, const std::string& file_name, JointKind kind) {
  RobotJoint joint;
  joint.name = name;
  joint.file_name = file_name;
  joint.kind = kind;
  return joint;
}

RobotModel two_joints() {
  RobotModel model;
  RobotBody body;
  body.name = "arm";
  body.joints = {joint("j1", "joint 1", JointKind::hinge), joint("lift", "lift", JointKind::slide)};
  model.bodies = {body};
  return model;
}

TEST(RobotScene, WordsOfARobot) {
  const RobotModel model = two_joints();
  EXPECT_EQ(resolve_key(model, "j1"), "state.j1");
  EXPECT_EQ(resolve_key(model, "lift_dot"), "state.lift_dot");
  EXPECT_EQ(resolve_key(model, "gravity"), "parameters.gravity");
  EXPECT_EQ(resolve_key(model, "mu"), "contact.mu");
  EXPECT_EQ(resolve_key(model, "tip.mu"), "contact.tip.mu");
  EXPECT_EQ(resolve_key(model, "joint.j1.armature"), "joint.j1.armature");
  EXPECT_EQ(message([&] { resolve_key(model, "lfit"); }), "unknown key 'lfit'; did you mean 'lift'?");
  EXPECT_NE(message([&] { resolve_key(model, "file"); }), "nothing was refused");  // --set reads no file
}

TEST(RobotScene, UnitsOfARobot) {
  const RobotModel model = two_joints();
  EXPECT_EQ(path_unit(model, "state.j1"), "rad");
  EXPECT_EQ(path_unit(model, "state.j1_dot"), "rad/s");
  EXPECT_EQ(path_unit(model, "state.lift"), "m");
  EXPECT_EQ(path_unit(model, "state.slip.tip"), "m/s");
  EXPECT_EQ(path_unit(model, "state.t"), "s");
  EXPECT_EQ(path_unit(model, "forces.j1"), "N m");
  EXPECT_EQ(path_unit(model, "forces.lift"), "N");
  EXPECT_EQ(path_unit(model, "joint.j1.armature"), "kg m^2");
  EXPECT_EQ(path_unit(model, "joint.lift.armature"), "kg");
  EXPECT_EQ(path_unit(model, "joint.j1.position"), "rad");
  EXPECT_EQ(path_unit(model, "contact.tip.stiffness"), "N/m");
  EXPECT_EQ(path_unit(model, "parameters.gravity"), "m/s^2");
}

}  // namespace robot_scene_test
}  // namespace painleve
