#include "scene_variables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace scene_variables_test {

Json variables_of(const std::string& name, Json set = Json::object()) {
  return describe_scene(named(name, std::move(set)))["variables"];
}

std::vector<std::string> paths(const Json& list, const std::string& group) {
  std::vector<std::string> found;
  for (const Json& v : list)
    if (v["group"] == group) found.push_back(v["path"].get<std::string>());
  return found;
}

Json variable(const Json& list, const std::string& path) {
  for (const Json& v : list)
    if (v["path"] == path) return v;
  ADD_FAILURE() << path << " is not listed";
  return {};
}

// A spring that is not set has no value that could be set.
bool is_unset_spring(const Json& v) { return v["group"] == "contact" && v["solved"].get<bool>(); }

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, StaysTheSameWhenAnyVariableIsSetToItsValue) {
  const Json before = analyze_scene(named(GetParam()));
  Json all = Json::object();
  for (const Json& v : variables_of(GetParam())) {
    if (is_unset_spring(v)) continue;
    SCOPED_TRACE(v.dump());
    all[v["path"].get<std::string>()] = v["value"];
    const Json after = analyze_scene(named(GetParam(), {{v["path"].get<std::string>(), v["value"]}}));
    expect_same(before, after, 1e-9);
  }
  SCOPED_TRACE("all of them at once");
  expect_same(before, analyze_scene(named(GetParam(), all)), 1e-9);
}

TEST_P(EveryScene, HasVariablesThatDoSomething) {
  for (const Json& v : variables_of(GetParam())) {
    if (v["group"] != "state" && v["group"] != "forces") continue;
    SCOPED_TRACE(v.dump());
    const std::string path = v["path"].get<std::string>();
    const double step = 1e-3 * (v["to"].get<double>() - v["from"].get<double>());
    const Scene before = built_scene(named(GetParam()));
    bool moved = false;
    for (const double by : {step, -step}) {
      try {
        const Scene after = built_scene(named(GetParam(), {{path, v["value"].get<double>() + by}}));
        moved = moved || after.t != before.t || after.posed.state.q != before.posed.state.q ||
                after.space.b != before.space.b || after.space.u != before.space.u;
      } catch (const InputError& error) {
        // Upright, the swing leg of the biped is as long as the stance leg: no tilt keeps it off the floor.
        EXPECT_NE(std::string(error.what()).find("penetrates"), std::string::npos) << error.what();
        moved = moved || (GetParam() == "compass-biped" && path == "state.theta1");
      }
    }
    EXPECT_TRUE(moved);
  }
}

TEST_P(EveryScene, HasSlidersAroundFiniteValuesInTheUnitOfTheScenario) {
  const SceneSource source = scene_source(named(GetParam())["scene"]);
  std::set<std::string> seen;
  for (const Json& v : variables_of(GetParam())) {
    SCOPED_TRACE(v.dump());
    const double value = v["value"], from = v["from"], to = v["to"];
    EXPECT_TRUE(std::isfinite(value) && std::isfinite(from) && std::isfinite(to));
    EXPECT_LT(from, to);
    if (!is_unset_spring(v)) {
      EXPECT_TRUE(from <= value && value <= to);
    }
    EXPECT_FALSE(v["meaning"].get<std::string>().empty());
    const std::string path = v["path"];
    EXPECT_TRUE(seen.insert(path).second) << "twice";
    if (source.mechanism() != "contact-space" && source.mechanism() != "drifting-contacts") {
      EXPECT_EQ(v["unit"], source.unit(path.substr(0, path.find('['))));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(scene_names()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + std::to_string(one.index);
});

TEST(SceneVariables, LeaveOutWhatAClosedContactTakesAway) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(paths(variables_of("rod"), "state"), (Paths{"state.x", "state.theta", "state.theta_dot", "state.slip"}));
  EXPECT_EQ(paths(variables_of("rod", {{"contact.tip.closed", "false"}, {"y", 2}}), "state"),
            (Paths{"state.x", "state.y", "state.theta", "state.y_dot", "state.theta_dot", "state.slip"}));
  EXPECT_EQ(paths(variables_of("rod", {{"x_dot", 0.5}}), "state"),
            (Paths{"state.x", "state.theta", "state.x_dot", "state.theta_dot"}));
  EXPECT_EQ(paths(variables_of("articulated-arm"), "state"),
            (Paths{"state.theta3", "state.phi", "state.x", "state.x_dot", "state.theta3_dot", "state.phi_dot"}));
  EXPECT_EQ(paths(variables_of("wedge"), "state"), Paths{}) << "two closed contacts hold the block altogether";
}

TEST(SceneVariables, AreTheValuesOfTheBuiltScene) {
  const Json rod = variables_of("rod", {{"state.theta", "45deg"}, {"half_length", 0.3}});
  EXPECT_DOUBLE_EQ(variable(rod, "state.theta")["value"].get<double>(), 0.78539816339744830962);
  const Json gyration = variable(rod, "parameters.gyration");
  EXPECT_DOUBLE_EQ(gyration["value"].get<double>(), 0.3 / std::sqrt(3));
  EXPECT_TRUE(gyration["solved"].get<bool>());
  EXPECT_FALSE(variable(variables_of("rod", {{"gyration", 0.2}}), "parameters.gyration")["solved"].get<bool>());
  EXPECT_EQ(variable(variables_of("rod-45deg"), "state.slip[1]")["value"], -1.0);
  EXPECT_EQ(variable(variables_of("rod-45deg"), "state.slip[2]")["value"], 0.0);
  EXPECT_EQ(variable(variables_of("rod-jam"), "state.slip")["value"], 50.0);
}

TEST(SceneVariables, ShowForcesAtThePresentTime) {
  const Json tapped = variable(variables_of("brake-squeal", {{"state.t", 1e-3}}), "forces.force_y");
  EXPECT_DOUBLE_EQ(tapped["value"].get<double>(), -std::exp(-1.0));
  EXPECT_NE(tapped["meaning"].get<std::string>().find("exp(-1e3*t)"), std::string::npos);
  EXPECT_EQ(variable(variables_of("rod", {{"torque", "2 N m"}}), "forces.torque")["value"], 2.0);
  EXPECT_EQ(variable(variables_of("rod-3d", {{"forces.force", "[1, 2, 3]"}}), "forces.force[2]")["value"], 2.0);
  EXPECT_EQ(paths(variables_of("rod-3d", {{"forces.force", "[\"t\", 2, 3]"}}), "forces").size(), 2U)
      << "a list with a formula has no components that could be set alone";
}

TEST(SceneVariables, MoveManyContactsTogetherWhileTheyAreAlike) {
  EXPECT_EQ(paths(variables_of("rimless-wheel"), "contact").front(), "contact.mu");
  EXPECT_EQ(paths(variables_of("rimless-wheel", {{"contact.leg3.mu", 1}}), "contact").size(), 32U);
}

TEST(SceneDescription, NamesTheSceneAsItWasAsked) {
  offer_scene("arm.toml", SceneSource::parse("mechanism = \"two-link\"", "some/folder/arm.toml"));
  EXPECT_EQ(describe_scene(named("arm.toml"))["name"], "arm.toml");
  EXPECT_EQ(describe_scene(named("rod-jam"))["name"], "rod-jam");
  EXPECT_EQ(describe_scene({{"scene", {{"toml", "mechanism = \"rod\""}}}})["name"], "scene");
}

TEST(SceneDescription, SaysWhatThereIs) {
  const Json said = hello({"mine", "mechanism = \"rod\"", {{"theta", 1}}});
  EXPECT_EQ(said["program"], "painleve");
  EXPECT_EQ(said["start"], (Json{{"name", "mine"}, {"toml", "mechanism = \"rod\""}, {"set", {{"theta", 1}}}}));
  EXPECT_FALSE(hello({"rod", "", Json::object()})["start"].contains("toml"));
  EXPECT_EQ(said["scenes"].size(), scenarios().size() + gallery().size() - 1);  // rigid-body needs points
  EXPECT_GT(said["quantities"].size(), 30U);
  const Json rod = describe_scene(named("rod", {{"contact.tip.mu", 2}}));
  EXPECT_EQ(rod["contacts"], Json::array({"tip"}));
  EXPECT_EQ(SceneSource::parse(rod["toml"].get<std::string>(), "again").build().space.mu(0), 2);
  EXPECT_EQ(describe_scene(named("two-contact-jam"))["contacts"], Json::array({"c1", "c2"}));
}

}  // namespace scene_variables_test
}  // namespace painleve::studio
