#include "painleve/simulation/run.hpp"

#include <gtest/gtest.h>

#include <set>

#include "painleve/base/error.hpp"

namespace painleve {
namespace run_test {

TEST(Run, PoliciesHaveNamesThatAreReadBack) {
  for (const Policy p : {Policy::principle, Policy::stiff_limit, Policy::seeded, Policy::all})
    EXPECT_EQ(policy(to_string(p)), p);
  EXPECT_STREQ(to_string(Policy::stiff_limit), "stiff-limit");
  EXPECT_EQ(policy("all"), Policy::all);
  try {
    policy("stif-limit");
    FAIL() << "an unknown policy was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("stiff-limit"), std::string::npos) << error.what();
  }
}

TEST(Run, EveryKindOfEventHasTheNameOfTheInterface) {
  const std::vector<std::string> names = {"stick", "slip", "liftoff", "landing",         "impact",
                                          "iwc",   "jam",  "chatter", "reverse_chatter", "mode"};
  std::vector<std::string> found;
  for (int k = 0; k <= static_cast<int>(EventKind::mode); ++k) found.emplace_back(to_string(static_cast<EventKind>(k)));
  EXPECT_EQ(found, names);
}

TEST(Run, SurfacesHoldFrictionAndKind) {
  SimulationProblem problem;
  problem.laws.resize(2);
  problem.laws[1].mu = 0.25;
  problem.bilateral = {false, true};
  const auto surfaces = problem.surfaces();
  ASSERT_EQ(surfaces.size(), 2U);
  EXPECT_EQ(surfaces[0].mu, 0.5);
  EXPECT_EQ(surfaces[1].mu, 0.25);
  EXPECT_FALSE(surfaces[0].bilateral);
  EXPECT_TRUE(surfaces[1].bilateral);
}

TEST(Run, DefectIsWhatTheLedgerDoesNotExplain) {
  EnergyLedger e;
  e.initial = 10;
  e.final = 7.5;
  e.friction = 2;
  e.impact = 1;
  e.applied = 0.25;
  EXPECT_DOUBLE_EQ(e.defect(), 0.25);
}

}  // namespace run_test
}  // namespace painleve
