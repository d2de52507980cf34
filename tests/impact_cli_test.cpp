// The verb impact, run as a user runs it.
#include <gtest/gtest.h>

#include <string>

#include "child_program.hpp"

namespace impact_cli_test {

using namespace painleve_cli;

const std::string struck =
    "mechanism = 'contact-space'\n[parameters]\ndimension = 2\nW = [[1, 0.5], [0.5, 1]]\n"
    "b = [1, -1]\nu = [2, -1]\nmu = [1.2]\n";

TEST(CliImpact, ThreeLawsOfAKnownImpact) {
  const Folder folder;
  const std::string scene = folder.write("struck.toml", struck);
  const auto after = [&](const std::string& law) {
    const Json j = json_of({"impact", scene, "--law", law, "--restitution", "0.8", "--json"});
    EXPECT_EQ(j["law"], law);
    EXPECT_EQ(j["region"], "3");
    EXPECT_EQ(j["phases"], Json::parse(R"(["slip+ compression", "slip+ restitution", "stick restitution"])"));
    EXPECT_EQ(j["after"]["u_t"][0][0], 0.0);
    return double(j["after"]["u_n"][0]);
  };
  EXPECT_NEAR(after("energetic"), 1.0872639316848771, 1e-15);
  EXPECT_NEAR(after("poisson"), 1.375, 1e-15);
  EXPECT_NEAR(after("newton"), 0.8, 1e-15);
}

TEST(CliImpact, WithoutCollision) {
  const Json j = json_of({"impact", "rod-no-solution", "--restitution", "0.8", "--json"});
  EXPECT_EQ(j["without_collision"], true);
  EXPECT_EQ(j["region"], "6");
  EXPECT_GT(j["after"]["u_n"][0], 0.0);
  EXPECT_EQ(j["after"]["u_t"][0][0], 0.0);
}

TEST(CliImpact, NothingStrikes) {
  const Json j = json_of({"impact", "rod", "--json"});
  EXPECT_TRUE(j["after"].is_null());
  EXPECT_FALSE(j["after_reason"].get<std::string>().empty());
  expect_contains(expect_done({"impact", "rod"}).out, {"no impact", "none slips with p < 0"});
}

TEST(CliImpact, TheWholeStateGivesAnApproach) {
  const Json j = json_of({"impact", "rod", "--set", "contact.tip.closed=false", "--set", "theta=90deg", "--set", "y=1",
                          "--set", "y_dot=-1", "--set", "x_dot=0.5", "--json"});
  EXPECT_EQ(j["before"]["u_n"][0], -1.0);
  EXPECT_FALSE(j["after"].is_null());
}

TEST(CliImpact, EveryScenarioIsAnsweredOrRefused) {
  const Json gallery = json_of({"gallery", "--json"});
  ASSERT_GT(gallery["scenarios"].size(), 10U);
  for (const auto& scene : gallery["scenarios"]) {
    const std::string name = scene["name"];
    for (const std::string several : {"sequential", "simultaneous", "compliant"}) {
      SCOPED_TRACE(name + " " + several);
      const Outcome o = run({"impact", name, "--several", several, "--restitution", "0.5", "--json"});
      if (o.code == 2) {
        expect_one_message(o.err, {"drifting-contacts"});
        continue;
      }
      ASSERT_EQ(o.code, 0) << o.err;
      const Json j = Json::parse(o.out);
      expect_reasons(j);
      EXPECT_EQ(j["several"], several);
      if (!j["after"].is_null()) {
        EXPECT_LE(double(j["energy_change"]), 1e-9);
      }
    }
  }
}

TEST(CliImpact, WordsForPeople) {
  expect_contains(expect_done({"impact", "rod", "--approach", "1", "--restitution", "0.5"}).out,
                  {"energetic law, restitution 0.5", "region", "before", "after", "impulse",
                   "phases: slip+ compression", "energy", "observed restitution", "e = "});
  expect_contains(expect_done({"impact", "two-legged-body", "--approach", "foot1=1", "--several", "compliant"}).out,
                  {"springs", "with other time steps"});
  expect_contains(expect_done({"impact", "rod-3d", "--approach", "10 mm/s"}).out, {"spatial contact"});
  expect_contains(expect_done({"impact", "--help"}).out, {"--approach", "Examples"});
}

TEST(CliImpact, ContactsThatDifferAreAllNamed) {
  const Folder folder;
  const std::string two =
      "mechanism = 'contact-space'\n[parameters]\ndimension = 2\n"
      "W = [[1, 0, 0, 0], [0, 1, 0, 0.2], [0, 0, 1, 0], [0, 0.2, 0, 1]]\n"
      "b = [0, -1, 0, -1]\nu = [0, -1, 0, -1]\nmu = [0.5, 0.5]\n";
  const std::string unlike =
      folder.write("unlike.toml", two + "[contact.c1]\nrestitution = 0.8\n[contact.c2]\nrestitution = 0.5\n");
  expect_contains(expect_done({"impact", unlike}).out,
                  {"c1 energetic law, restitution 0.8; c2 energetic law, restitution 0.5"});
  const std::string alike = folder.write("alike.toml", two + "[contact]\nrestitution = 0.8\n");
  expect_contains(expect_done({"impact", alike}).out, {"alike.toml: energetic law, restitution 0.8\n"});
}

TEST(CliImpact, ApproachOfABodyWithOpenContacts) {
  const std::string sides = expect_done({"impact", "block", "--approach", "0.5"}).out;
  expect_contains(sides, {"corner ", "corner2 ", "-0.5"});
  expect_refused({"impact", "block", "--approach", "corner2=0.5"}, {"corner2", "not closed"});
}

TEST(CliImpact, Mistakes) {
  expect_refused({"impact"}, {"SCENE"});
  expect_refused({"impact", "rod", "--law", "stronge"}, {"energetic"});
  expect_refused({"impact", "rod", "--several", "all"}, {"sequential"});
  for (const std::string r : {"-0.1", "1.1", "nan", "x"})
    expect_refused({"impact", "rod", "--restitution", r}, {"restitution"});
  for (const std::string v : {"0", "-1", "x", "5kg", "=1", "tipp=1", "1e9"})
    expect_refused({"impact", "rod", "--approach", v}, {"approach"});
  expect_refused({"impact", "rod", "--restitution", ""}, {"--restitution", "not a number"});
  expect_refused({"impact", "rod", "--approach", "tip=1", "--approach", "tip=2"}, {"tip", "two speeds"});
  expect_refused({"impact", "rod", "--approach", "1", "--approach", "tip=2"}, {"tip", "two approaches"});
  expect_refused({"impact", "painleve-klein", "--approach", "1"}, {"one-sided"});
  expect_refused({"impact", "rod", "--without-collision", "top"}, {"without collision"});
  expect_refused({"impact", "table-a1-6a"}, {"drifting-contacts"});
  expect_refused({"impact", "rodd"}, {"rod"});
}

}  // namespace impact_cli_test
