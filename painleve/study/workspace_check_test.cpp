// The workspace check against the published minima of the articulated arm (Peiret et al., Sec. 6), against closed forms
// and against search, which covers a grid instead of drawing poses.
#include "painleve/study/workspace_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/study/search.hpp"

namespace painleve {
namespace workspace_check_test {

constexpr double degree = std::numbers::pi / 180;

WorkspaceProblem problem_of(const std::string& scene, const std::vector<std::string>& set = {}) {
  SceneSource source = SceneSource::open(scene);
  for (const auto& assignment : set) source.set(assignment);
  WorkspaceProblem problem;
  problem.scene = source.build();
  problem.joints = workspace_joints(problem.scene);
  problem.samples = 4000;
  return problem;
}

void narrow(WorkspaceProblem& problem, const std::string& name, double from, double to) {
  for (auto& joint : problem.joints)
    if (joint.name == name) joint = {joint.name, joint.unit, from, to, true, true};
}

WorkspaceProblem arm() {
  WorkspaceProblem problem = problem_of("articulated-arm");
  narrow(problem, "theta3", 0, std::numbers::pi);
  return problem;
}

// All interior minima below 2 with the wrist above the table; mirror images count once.
TEST(WorkspaceCheck, FindsThePublishedMinimaOfTheArm) {
  const WorkspaceReport report = check_workspace(arm());
  ASSERT_GE(report.minima.size(), 3U);
  EXPECT_NEAR(report.minima[0].mu_jam, 0.40391178025384424, 1e-12);
  EXPECT_NEAR(report.minima[1].mu_jam, 0.42078682250995585, 1e-12);
  EXPECT_NEAR(report.minima[2].mu_jam, 0.7655201248927936, 1e-11);
  EXPECT_EQ(report.independent, std::vector<std::string>{"phi"});
  EXPECT_TRUE(report.on_surface);
  EXPECT_TRUE(report.complete);
  const auto& q = report.minima[0].q;
  const bool mirrored = q(0) > std::numbers::pi / 2;  // the other elbow, seen from behind
  const double theta3 = mirrored ? std::numbers::pi - q(2) : q(2);
  EXPECT_NEAR(theta3 / degree, 76.66206243349035, 1e-5);
  EXPECT_NEAR((mirrored ? std::numbers::pi - q(0) : q(0)) / degree, 9.332750669874656, 1e-5);
  EXPECT_EQ(report.minima[0].members, 2);
  EXPECT_FALSE(report.minima[0].singular);
}

// The pose is one of the table, and its mu_jam is what the analysis says there.
TEST(WorkspaceCheck, ReportsAPoseThatTheSceneHasToo) {
  const WorkspaceReport report = check_workspace(arm());
  const WorkspacePose& worst = report.minima.front();
  SceneSource source = SceneSource::open("articulated-arm");
  for (const int k : {0, 1, 2}) source.set("theta" + std::to_string(k + 1), worst.q(k));
  const Scene scene = source.build();
  EXPECT_NEAR(scene.space.gap(0), 0, 1e-12);
  EXPECT_NEAR(*Quantity::parse("mu_jam").of(scene), worst.mu_jam, 1e-13);
  ASSERT_TRUE(worst.direction);
  EXPECT_NEAR(std::hypot((*worst.direction)[0], (*worst.direction)[1], (*worst.direction)[2]), 1, 1e-12);
  EXPECT_NEAR((*worst.direction)[2], 0, 1e-15);
  const double half = std::acos(worst.mu_jam / 0.5);  // the sector in which e_jam . e > mu_jam/mu
  EXPECT_NEAR(worst.locking_angle, 2 * half, 1e-12);
}

// Held to the other basin, the other minimum is the worst one; at the end of a range it says so.
TEST(WorkspaceCheck, RangesNarrowIt) {
  WorkspaceProblem problem = arm();
  narrow(problem, "theta3", 100 * degree, 103 * degree);
  narrow(problem, "theta1", 0, 30 * degree);
  WorkspaceReport report = check_workspace(problem);
  EXPECT_NEAR(report.minima.front().mu_jam, 0.42078682250995585, 1e-12);
  EXPECT_TRUE(report.minima.front().at_limit.empty());
  narrow(problem, "theta3", 110 * degree, 112 * degree);
  report = check_workspace(problem);
  EXPECT_GT(report.minima.front().mu_jam, 0.4208);
  EXPECT_EQ(report.minima.front().at_limit, std::vector<std::string>{"theta3"});
  EXPECT_NEAR(report.minima.front().q(2), 110 * degree, 1e-9);
}

TEST(WorkspaceCheck, AgreesWithTheSearchOverAGrid) {
  SceneSource source = SceneSource::open("articulated-arm");
  SearchProblem search_problem{source, Quantity::parse("mu_jam"), true, {}};
  search_problem.axes = {{"state.x", "x", 0.2, 1.0, 41}, {"state.theta3", "theta3", 60 * degree, 120 * degree, 41}};
  const SearchReport found = search(search_problem);
  const WorkspaceReport report = check_workspace(arm());
  ASSERT_GE(found.extremes.size(), 2U);
  EXPECT_NEAR(found.extremes[0].value, report.minima[0].mu_jam, 1e-10);
  EXPECT_NEAR(found.extremes[1].value, report.minima[1].mu_jam, 1e-10);
}

// Of the rod mu_jam = (1 + 3 cos²θ)/(3 |sin θ cos θ|) is least, 4/3, at tan θ = 2; the share follows by bisection.
TEST(WorkspaceCheck, KnowsTheRod) {
  WorkspaceProblem problem = problem_of("rod", {"mu=1.5"});
  narrow(problem, "theta", 0, 90 * degree);
  problem.samples = 20000;
  const WorkspaceReport report = check_workspace(problem);
  EXPECT_NEAR(report.minima.front().mu_jam, 4.0 / 3, 1e-12);
  EXPECT_NEAR(report.minima.front().q(2), std::atan(2), 1e-6);
  const auto mu_jam = [](double t) { return (1 + 3 * std::cos(t) * std::cos(t)) / (3 * std::sin(t) * std::cos(t)); };
  const auto edge = [&](double below, double above) {
    for (int n = 0; n < 60; ++n) (mu_jam((below + above) / 2) < 1.5 ? below : above) = (below + above) / 2;
    return below;
  };
  const double part = (edge(std::atan(2), 89.9 * degree) - edge(std::atan(2), 0.1)) / (90 * degree);
  EXPECT_GT(part, 0.05);
  EXPECT_LT(part, 0.95);
  EXPECT_NEAR(report.at_risk.part, part, 1e-3);
  EXPECT_LT(report.at_risk.low, part);
  EXPECT_GT(report.at_risk.high, part);
  EXPECT_EQ(report.independent, std::vector<std::string>{"x"});
}

TEST(WorkspaceCheck, ThreadsLeaveNoTrace) {
  WorkspaceProblem problem = arm();
  problem.samples = 1500;
  problem.threads = 1;
  const WorkspaceReport one = check_workspace(problem);
  problem.threads = 5;
  const WorkspaceReport five = check_workspace(problem);
  ASSERT_EQ(one.minima.size(), five.minima.size());
  EXPECT_EQ(one.at_risk.count, five.at_risk.count);
  for (std::size_t i = 0; i < one.minima.size(); ++i) {
    EXPECT_EQ(one.minima[i].mu_jam, five.minima[i].mu_jam);
    EXPECT_EQ(one.minima[i].q, five.minima[i].q);
  }
  problem.seed = 2;
  EXPECT_NE(check_workspace(problem).minima.front().q, five.minima.front().q);  // in the last digits
}

TEST(WorkspaceCheck, StopsWithWhatIsKnown) {
  WorkspaceProblem problem = arm();
  problem.threads = 1;
  int calls = 0;
  const WorkspaceReport report = check_workspace(problem, [&](double) { return ++calls < 20; });
  EXPECT_FALSE(report.complete);
  EXPECT_GT(report.drawn, 0);
  EXPECT_LT(report.drawn, problem.samples);
  ASSERT_FALSE(report.minima.empty());
  EXPECT_FALSE(report.minima.front().refined);
  EXPECT_GE(report.minima.front().mu_jam, 0.4039);
}

// Wilson's interval: 0 of 100 and 50 of 100, as tables have them.
TEST(WorkspaceCheck, SharesHaveAnInterval) {
  EXPECT_EQ(workspace_share(0, 100).low, 0);
  EXPECT_NEAR(workspace_share(0, 100).high, 0.0369935, 1e-6);
  EXPECT_NEAR(workspace_share(50, 100).low, 0.4038315, 1e-6);
  EXPECT_NEAR(workspace_share(50, 100).high, 0.5961685, 1e-6);
  EXPECT_EQ(workspace_share(7, 7).high, 1);
}

TEST(WorkspaceCheck, MapsTheJointsThatMatter) {
  const WorkspaceProblem problem = arm();
  const WorkspaceReport report = check_workspace(problem);
  const Map map = workspace_map(problem, report.minima.front(), 41);
  ASSERT_EQ(map.axes.size(), 2U);
  for (const auto& axis : map.axes) EXPECT_NE(axis.name, "phi");
  ASSERT_EQ(map.columns.front().values.size(), 41U * 41U);
  double least = 1e300;
  for (const double value : map.columns.front().values)
    if (std::isfinite(value)) least = std::min(least, value);
  EXPECT_GE(least, report.minima.front().mu_jam);
  EXPECT_LT(least, 1.1 * report.minima.front().mu_jam);
}

std::string complaint(const WorkspaceProblem& problem) {
  try {
    check_workspace(problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(WorkspaceCheck, RefusesWhatItCannotDo) {
  WorkspaceProblem problem = arm();
  problem.samples = 0;
  EXPECT_NE(complaint(problem).find("at least one sample"), std::string::npos);
  problem = arm();
  narrow(problem, "theta3", 1, 0);
  EXPECT_NE(complaint(problem).find("range of theta3"), std::string::npos);
  problem = arm();
  for (auto& joint : problem.joints) joint = {joint.name, joint.unit, -1.6, -1.5, true, true};
  EXPECT_NE(complaint(problem).find("no pose in these ranges can be reached"), std::string::npos) << complaint(problem);
}

}  // namespace workspace_check_test
}  // namespace painleve
