// The verb solve, run as a user runs it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "child_program.hpp"

namespace solve_cli_test {

using namespace painleve_cli;

TEST(CliSolve, ThreeFormulationsOfThePainleveExample) {
  const Json none = json_of({"solve", "rod-no-solution", "--formulation", "acceleration", "--json"});
  EXPECT_EQ(none["count"], 0);
  EXPECT_EQ(none["verdict"], "none");
  EXPECT_EQ(none["complete"], true);
  EXPECT_EQ(none["lemke"]["status"], "ray");
  EXPECT_EQ(none["gauss_seidel"]["projected"]["status"], "growing");
  const Json impulse = json_of({"solve", "rod-no-solution", "--formulation", "impulse", "--json"});
  EXPECT_EQ(impulse["count"], 2);
  const Json step = json_of({"solve", "rod-three-solutions", "--formulation", "step", "--dt", "10ms", "--json"});
  EXPECT_EQ(step["dt"], 0.01);
  ASSERT_EQ(step["count"], 3);
  EXPECT_EQ(step["verdict"], "several");
  EXPECT_EQ(step["solutions"][0]["mode"], "F");
  EXPECT_EQ(step["solutions"][1]["mode"], "S-");
  EXPECT_EQ(step["solutions"][2]["mode"], "T");
  EXPECT_NEAR(step["solutions"][2]["Lambda_n"][0], 0.3266, 5e-5);
  EXPECT_NEAR(step["solutions"][2]["Lambda_t"][0][0], 0.4516, 5e-5);
  EXPECT_EQ(step["solutions"][2]["u_after"].size(), 2U);
  EXPECT_TRUE(step["solutions"][2]["family"].is_null());
}

TEST(CliSolve, EveryScenarioIsAnsweredOrRefused) {
  const auto gallery = json_of({"gallery", "--json"});
  ASSERT_GE(gallery["scenarios"].size(), 30U);
  for (const auto& scene : gallery["scenarios"]) {
    const std::string name = scene["name"];
    for (const std::string formulation : {"acceleration", "impulse", "step"}) {
      SCOPED_TRACE(name + " " + formulation);
      const Outcome o = run({"solve", name, "--formulation", formulation, "--json"});
      if (o.code == 2) {
        expect_one_message(o.err, {"drifting-contacts"});
        continue;
      }
      ASSERT_EQ(o.code, 0) << o.err;
      const Json j = Json::parse(o.out);
      expect_reasons(j);
      EXPECT_EQ(j["complete"], true);
      for (const auto& s : j["solutions"]) EXPECT_LT(s["residual"], 1e-10);
      EXPECT_EQ(j["count"], j["solutions"].size());
    }
  }
}

TEST(CliSolve, FamiliesCarryTheirGenerators) {
  const Json j = json_of({"solve", "wedge", "--json"});
  ASSERT_EQ(j["count"], 2);
  EXPECT_EQ(j["force_family_dimension"], 1);
  EXPECT_EQ(j["motion_family_dimension"], 0);
  const Json& family = j["solutions"][1]["family"];
  EXPECT_EQ(j["solutions"][1]["mode"], "TT");
  EXPECT_EQ(family["dimension"], 1);
  EXPECT_EQ(family["generators"].size(), 1U);
  EXPECT_EQ(family["generators"][0].size(), 4U);
  EXPECT_EQ(family["vertices"].size() + family["rays"].size(), 2U);
}

TEST(CliSolve, WordsForPeople) {
  expect_contains(expect_done({"solve", "rod-three-solutions", "--formulation", "step"}).out,
                  {"3 solutions, and there are no others", "Lambda_n [N s]", "Lemke", "Gauss-Seidel"});
  expect_contains(expect_done({"solve", "rod-no-solution"}).out, {"no solution, and this is complete", "runs away"});
}

TEST(CliSolve, APolygonIsAComparison) {
  const Json j = json_of({"solve", "rod-3d", "--formulation", "step", "--set", "mu=0.3", "--facets", "4", "--json"});
  EXPECT_EQ(j["cone"], "polygon");
  EXPECT_EQ(j["facets"], 4);
}

TEST(CliSolve, Mistakes) {
  expect_refused({"solve"}, {"SCENE"});
  expect_refused({"solve", "rod", "--formulation", "force"}, {"acceleration"});
  for (const std::string dt : {"0", "-0.01", "nan", "inf", "abc", "5kg"})
    expect_refused({"solve", "rod", "--formulation", "step", "--dt", dt}, {"dt"});
  expect_refused({"solve", "rod", "--facets", "8"}, {"spatial"});
  for (const std::string facets : {"0", "2", "65", "x"})
    expect_refused({"solve", "rod-3d", "--facets", facets}, {"--facets"});
  expect_refused({"solve", "table-a1-6a"}, {"drifting-contacts"});
  expect_refused({"solve", "rodd"}, {"rod"});
}

// An option of the time step would change nothing in another formulation.
TEST(CliSolve, OptionsOfTheStepAreForTheStep) {
  const std::vector<std::vector<std::string>> options{
      {"--dt", "0.01"}, {"--dt", "5ms"}, {"--with-drift"}, {"--form", "stewart-trinkle"}, {"--form", "anitescu-potra"}};
  for (const auto& option : options) {
    for (const std::string formulation : {"", "acceleration", "impulse", "step"}) {
      std::vector<std::string> arguments{"solve", "rod"};
      if (!formulation.empty()) arguments.insert(arguments.end(), {"--formulation", formulation});
      arguments.insert(arguments.end(), option.begin(), option.end());
      if (formulation == "step")
        expect_done(arguments);
      else
        expect_refused(arguments,
                       {option[0], "--formulation step", formulation.empty() ? "acceleration" : formulation});
    }
  }
}

TEST(CliSolve, AnApproachingContactHasNoAccelerationProblem) {
  const Json j = json_of({"solve", "rod", "--set", "y_dot=-1", "--set", "contact.tip.closed=false", "--set",
                          "y=0.8660254037844386", "--json"});
  EXPECT_TRUE(j["count"].is_null());
  EXPECT_TRUE(j["verdict"].is_null());
}

// Friction beyond what doubles can weigh against a normal force is refused; what is allowed finds the stick.
TEST(CliSolve, EnormousFriction) {
  expect_refused({"solve", "rod-no-solution", "--formulation", "step", "--set", "mu=1e12"}, {"mu", "<= 1"});
  const Json j = json_of({"solve", "rod-no-solution", "--formulation", "step", "--set", "mu=1e9", "--json"});
  ASSERT_EQ(j["count"], 1);
  EXPECT_EQ(j["solutions"][0]["mode"], "T");
  EXPECT_NEAR(j["solutions"][0]["Lambda_n"][0].get<double>(), 0.332885, 1e-5);
}

}  // namespace solve_cli_test
