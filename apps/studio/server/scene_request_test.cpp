#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace scene_request_test {

Json scene(const std::string& name, Json set = Json::object()) { return named(name, std::move(set))["scene"]; }
Json posted(const std::string& text) { return {{"toml", text}}; }

TEST(SceneRequest, TakesShippedNamesAndTexts) {
  EXPECT_EQ(scene_source(scene("rod")).mechanism(), "rod");
  EXPECT_EQ(scene_source(scene("arm-jam")).mechanism(), "articulated-arm");
  const Scenario& shipped = scenarios().front();
  EXPECT_EQ(scene_source(posted(shipped.text)).text(), scene_source(scene(shipped.name)).text());
  EXPECT_EQ(scene_source({{"toml", shipped.text}, {"name", "mine"}}).build().name, "mine");
  expect_complaint([] { scene_source(scene("rodd")); }, "did you mean 'rod'");
  expect_complaint([] { scene_source(Json::object()); }, "needs a 'name'");
  expect_complaint([] { scene_source(Json::array()); }, "must be an object");
  expect_complaint([] { scene_source({{"name", 3}}); }, "'name' must be a text");
  expect_complaint([] { scene_source({{"nme", "rod"}}); }, "did you mean 'name'");
  expect_complaint([] { built_scene(Json::object()); }, "needs 'scene'");
}

// The command line reads files by the same names; here nothing does.
TEST(SceneRequest, ReadsNoFile) {
  const auto folder = std::filesystem::temp_directory_path() / ("painleve_scene_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "good.toml").string();
  std::ofstream(file) << "mechanism = \"rod\"\n";
  ASSERT_NO_THROW(SceneSource::open(file));
  expect_complaint([&] { scene_source(scene(file)); }, "unknown scene");
  expect_complaint([&] { scene_source({{"name", "../" + file}}); }, "unknown scene");
  std::filesystem::remove_all(folder);
  expect_complaint([] { scene_source(posted("mechanism = \"rod\"\nfile = \"/etc/passwd\"")); }, "file");
  expect_complaint([] { scene_source(posted("mechanism = \"rod\"\n[parameters]\nfile = \"x\"")).build(); }, "file");
  expect_complaint([] { scene_source(scene("rod", {{"file", "/etc/passwd"}})); }, "unknown key 'file'");
}

// A robot file is read by the command line alone; the page knows the scene by the name under which it is offered.
TEST(SceneRequest, NamesNoRobotFile) {
  for (const char* file : {"robot.urdf", "/etc/passwd", "../robot.xml"}) {
    expect_complaint([&] { scene_source(posted(std::string("file = \"") + file + "\"")); },
                     "a scenario that does not come from a file cannot name one");
    expect_complaint([&] { scene_source(scene(file)); }, "unknown scene");
  }
  expect_complaint([] { scene_source(scene("rod", {{"file", "robot.urdf"}})); }, "unknown key 'file'");
  expect_complaint([] { scene_source(scene("offered.toml")); }, "unknown scene");
  offer_scene("offered.toml", SceneSource::open("two-link"));
  EXPECT_EQ(scene_source(scene("offered.toml")).mechanism(), "two-link");
  EXPECT_EQ(scene_source(scene("offered.toml", {{"theta1", 1.1}})).build().posed.state.q(0), 1.1);
}

TEST(SceneRequest, LimitsTheText) {
  const std::string head = "mechanism = \"rod\"\n#";
  EXPECT_NO_THROW(scene_source(posted(head + std::string(65536 - head.size(), ' '))));
  expect_complaint([&] { scene_source(posted(head + std::string(65537 - head.size(), ' '))); }, "at most 64 kB");
  std::string deep = "mechanism = \"rod\"\nparameters";
  for (int i = 0; i < 20000; ++i) deep += ".a";
  expect_complaint([&] { scene_source(posted(deep + " = 1")); }, "more than 64 parts");
  expect_complaint([&] { scene_source(posted("mechanism = \"rod\"\nstate = " + std::string(60000, '['))); },
                   "scene, line 2");
  expect_complaint([] { scene_source({{"name", std::string(201, 'a')}}); }, "at most 200 bytes");
}

TEST(SceneRequest, SetsNumbersAndTexts) {
  const Scene built =
      scene_source(scene("rod", {{"state.theta", "60deg"}, {"contact.tip.mu", 2}, {"slip", -1.5}})).build();
  EXPECT_DOUBLE_EQ(built.posed.state.q(2), 1.0471975511965976);
  EXPECT_EQ(built.space.mu(0), 2);
  EXPECT_NEAR(built.space.u(0), -1.5, 1e-15);
  EXPECT_EQ(scene_source(scene("rod")).build().space.mu(0), 0.5) << "a shipped scene was edited in place";

  expect_complaint([] { scene_source(scene("rod", {{"state.theta", true}})); }, "must be a number or a text");
  expect_complaint(
      [] {
        scene_source(scene("rod", {{"state.theta", Json::array({1})}}));
      },
      "must be a number or a text");
  expect_complaint([] { scene_source(scene("rod", {{"state.theta=1", 2}})); }, "not a path");
  expect_complaint([] { scene_source(scene("rod", {{"state.theta\nx", 2}})); }, "not a path");
  expect_complaint([] { scene_source(scene("rod", {{"", 2}})); }, "not a path");
  expect_complaint([] { scene_source(scene("rod", {{"state.theta", "1\n[forces]"}})); }, "one line");
  expect_complaint([] { scene_source(scene("rod", {{"state.theta", std::string(5000, '1')}})); }, "longer than 4096");
  expect_complaint([] { scene_source(scene("rod", {{"thta", 2}})); }, "did you mean 'theta'");
  expect_complaint([] { scene_source(scene("rod", {{"state.thta", 2}})).build(); }, "theta");
  expect_complaint([] { scene_source({{"name", "rod"}, {"set", 3}}); }, "'set' must be an object");
}

TEST(SceneRequest, LimitsTheNumberOfSettings) {
  Json set = Json::object();
  for (int i = 0; i < 256; ++i) set["contact.c" + std::to_string(i) + ".mu"] = 1;
  EXPECT_NO_THROW(scene_source(scene("rod", set)));
  set["contact.one_more.mu"] = 1;
  expect_complaint([&] { scene_source(scene("rod", set)); }, "at most 256");
}

TEST(SceneRequest, SetsComponentsOfLists) {
  const Scene slip = scene_source(scene("rod-45deg", {{"state.slip[2]", 0.5}})).build();
  EXPECT_NEAR(slip.space.u(0), -1, 1e-12);  // of the scenario
  EXPECT_NEAR(slip.space.u(1), 0.5, 1e-12);
  const Scene both = scene_source(scene("rod-3d", {{"slip[1]", 0.25}, {"slip[2]", 0.5}})).build();
  EXPECT_NEAR(both.space.u(0), 0.25, 1e-12);  // over the default
  EXPECT_NEAR(both.space.u(1), 0.5, 1e-12);
  const Scene raw = scene_source(scene("fig9-modes", {{"parameters.b[2]", -3}})).build();
  EXPECT_EQ(raw.space.b(0), 0.5);
  EXPECT_EQ(raw.space.b(1), -3);
  const Scene pulled =
      scene_source(scene("rod-3d", {{"forces.force[3]", 9.81}, {"z", 2}, {"closed", "false"}})).build();
  EXPECT_NEAR(pulled.space.b.norm(), 0, 1e-12) << "the force does not carry the weight";

  expect_complaint([] { scene_source(scene("rod-3d", {{"state.slip[3]", 1}})); }, "has 2 components");
  expect_complaint([] { scene_source(scene("rod-3d", {{"state.slip[0]", 1}})); }, "names no component");
  expect_complaint([] { scene_source(scene("rod-3d", {{"state.slip[1", 1}})); }, "names no component");
  expect_complaint([] { scene_source(scene("rod-3d", {{"state.slip[1]x", 1}})); }, "names no component");
  expect_complaint([] { scene_source(scene("rod-3d", {{"state.slip[1]", "2"}})); }, "must be a number");
  expect_complaint([] { scene_source(scene("rod", {{"state.theta[1]", 1}})); }, "has 0 components");
}

TEST(SceneRequest, RefusesWhatWouldTakeSeconds) {
  EXPECT_NO_THROW(built_scene(named("rimless-wheel", {{"legs", 64}, {"theta", "90deg"}})));
  expect_complaint(
      [] {
        built_scene(named("rimless-wheel", {{"legs", 65}, {"theta", "90deg"}}));
      },
      "at most 64 contacts");
  const auto stacked = [](int dimension, int contacts) {
    const int n = dimension * contacts;
    std::string W = "[", zero = "[";
    for (int i = 0; i < n; ++i) {
      W += "[";
      for (int k = 0; k < n; ++k) W += i == k ? "1.0," : "0.0,";
      W += "],";
      zero += "0.0,";
    }
    return Json{
        {"scene", posted("mechanism = \"contact-space\"\n[parameters]\ndimension = " + std::to_string(dimension) +
                         "\nmu = 0.5\nW = " + W + "]\nb = " + zero + "]\nu = " + zero + "]\n")}};
  };
  EXPECT_NO_THROW(built_scene(stacked(2, 8)));
  expect_complaint([&] { built_scene(stacked(2, 9)); }, "at most 8 closed contacts");
  EXPECT_NO_THROW(built_scene(stacked(3, 3)));
  expect_complaint([&] { built_scene(stacked(3, 4)); }, "at most 3 closed contacts");
}

}  // namespace scene_request_test
}  // namespace painleve::studio
