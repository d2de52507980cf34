// The studio's numbers are the program's: for every shipped scene, what the page gets is compared with what the program
// prints in a process of its own, digit by digit.
#include <gtest/gtest.h>

#include "api.hpp"
#include "child_program.hpp"
#include "painleve/base/error.hpp"

namespace studio_numbers_test {

using painleve_cli::Arguments;
using painleve_cli::expect_reasons;
using painleve_cli::json_of;
using Reply = painleve::studio::Json;

std::vector<std::string> scenes() {
  const Reply said = painleve::studio::hello({});
  std::vector<std::string> names;
  for (const Reply& scene : said["scenes"]) names.push_back(scene["name"].get<std::string>());
  return names;
}

Reply call(const std::string& name, const Reply& request) {
  return painleve::studio::quick_calls({}).at(name)(request);
}

// As the page gets it: through text.
nlohmann::json through_text(const Reply& reply) { return nlohmann::json::parse(reply.dump()); }

// Something of a contact that can be set: its friction, or the spring of drifting contacts.
std::string setting_of(const std::string& scene) {
  const Reply described = call("scene", {{"scene", {{"name", scene}}}});
  for (const Reply& variable : described["variables"]) {
    const std::string path = variable["path"];
    if (path.ends_with(".mu") || (described["kind"] == "drifting_contacts" && path.ends_with(".stiffness")))
      return path;
  }
  ADD_FAILURE() << scene << " has neither";
  return {};
}

class StudioNumbers : public testing::TestWithParam<std::string> {};

TEST_P(StudioNumbers, AnalyzeAsTheProgramDoes) {
  const auto page = through_text(call("analyze", {{"scene", {{"name", GetParam()}}}})["analysis"]);
  EXPECT_EQ(page, json_of({"analyze", GetParam(), "--json"}));
  expect_reasons(page);
}

TEST_P(StudioNumbers, AnalyzeAsTheProgramDoesWithValuesSet) {
  const std::string path = setting_of(GetParam());
  for (const double value : {0.1234567890123456, 2.75}) {
    const Reply request = {{"scene", {{"name", GetParam()}, {"set", {{path, value}}}}}};
    const Arguments arguments = {"analyze", GetParam(), "--json", "--set", path + "=" + Reply(value).dump()};
    EXPECT_EQ(through_text(call("analyze", request)["analysis"]), json_of(arguments));
  }
}

// The scenario file that the page hands out, read by the program and posted back.
TEST_P(StudioNumbers, AnalyzeAsTheProgramDoesFromTheFileThatIsHandedOut) {
  const Reply described = call("scene", {{"scene", {{"name", GetParam()}}}});
  const painleve_cli::Folder folder;
  const std::string file = folder.write("scene.toml", described["toml"].get<std::string>());
  const Reply request = {{"scene", {{"name", file}, {"toml", described["toml"]}}}};
  EXPECT_EQ(through_text(call("analyze", request)["analysis"]), json_of({"analyze", file, "--json"}));
}

TEST_P(StudioNumbers, SolveAsTheProgramDoes) {
  for (const char* formulation : {"acceleration", "impulse", "step"}) {
    SCOPED_TRACE(formulation);
    const Reply request = {{"scene", {{"name", GetParam()}}}, {"formulation", formulation}, {"dt", 0.003}};
    Arguments arguments = {"solve", GetParam(), "--json", "--formulation", formulation};
    if (std::string(formulation) == "step") arguments.insert(arguments.end(), {"--dt", "0.003"});
    try {
      const auto page = through_text(call("solve", request)["report"]);
      EXPECT_EQ(page, json_of(arguments));
      expect_reasons(page);
    } catch (const painleve::InputError& error) {
      painleve_cli::expect_refused(arguments, {error.what()});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, StudioNumbers, testing::ValuesIn(scenes()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + std::to_string(one.index);
});

TEST(StudioScenes, CoverTheWholeGallery) {
  EXPECT_EQ(scenes().size(), painleve::scenarios().size() + painleve::gallery().size() - 1);
  bool has_body = false;  // rigid-body needs points, and appears in scenarios
  for (const painleve::Scenario& scenario : painleve::scenarios())
    has_body = has_body || scenario.text.find("\"rigid-body\"") != std::string::npos;
  EXPECT_TRUE(has_body);
}

}  // namespace studio_numbers_test
