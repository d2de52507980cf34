// What analyze adds for contacts that slip together or stick: class, manifolds, boundaries, transitions, rules of the
// literature, springs along the surface.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "painleve/scene/analysis.hpp"

namespace painleve {
namespace analysis_slip_test {

Analysis analysis_of(const std::string& scene, const std::vector<std::string>& set = {}) {
  SceneSource source = SceneSource::open(scene);
  for (const auto& assignment : set) source.set(assignment);
  return analyze(source.build());
}

const Selection& selection(const Analysis& a, const std::string& name) {
  for (const auto& s : a.selections)
    if (s.name == name) return s;
  throw std::runtime_error("no selection " + name);
}

// P = [0.1π direction, 1.05π direction] at t = 0: on the Painlevé side of contact 2, row 6b of Table A1.
TEST(AnalysisOfSlip, DriftingContactsMeetTheirNextBoundary) {
  const Analysis a = analysis_of("table-a1-6b", {"state.t=-0.01"});
  ASSERT_TRUE(a.boundaries);
  EXPECT_EQ(a.boundaries->region, "14");
  EXPECT_TRUE(a.boundaries->feasible);
  ASSERT_TRUE(a.next_transition.transition) << a.next_transition.reason;
  EXPECT_EQ(a.next_transition.transition->boundary, "L1");
  EXPECT_NEAR(a.next_transition.transition->t, 0, 1e-12);
  EXPECT_EQ(a.next_transition.transition->outcome, "FF") << "region 14 lifts off";
  ASSERT_TRUE(a.manifolds);
  EXPECT_GT(a.manifolds->painleve_distance, 0);
  const auto j = to_json(a);
  EXPECT_EQ(j["class_facts"]["class"], "14");
  EXPECT_EQ(j["class_facts"]["stability"]["SS"], "depends");
  EXPECT_EQ(j["next_transition"]["outcome"], "FF");
}

TEST(AnalysisOfSlip, ClassFactsComeWithTheClass) {
  const Analysis a = analysis_of("fig15a");
  EXPECT_EQ(a.two_contact_class, "261");
  const auto j = to_json(a);
  EXPECT_EQ(j["class_facts"]["subclasses"]["SS"].get<std::string>().find('1') != std::string::npos, true);
  EXPECT_TRUE(j["class_facts"]["iwc"]["IF"].get<bool>());
  EXPECT_TRUE(j["class_facts"]["iwc"]["FI"].get<bool>());
}

TEST(AnalysisOfRest, RulesOfTheLiteratureDisagreeAboutTheWedge) {
  const Analysis a = analysis_of("wedge");
  EXPECT_EQ(selection(a, "painleve_principle").chosen, std::vector<std::string>{"FF"});
  EXPECT_EQ(selection(a, "weak_stability").holds, true);
  EXPECT_EQ(selection(a, "strong_stability").holds, false);
  EXPECT_EQ(selection(a, "unambiguity").holds, false);
  EXPECT_EQ(a.selections.size(), 10U);
}

// An inverted rod on its tip balances, but its potential energy has no minimum there.
TEST(AnalysisOfRest, ARodOnItsTipIsAnUnstableEquilibrium) {
  const Analysis a = analysis_of("rod", {"theta=90deg", "slip=0"});
  EXPECT_EQ(a.modes.verdict, "unique");
  EXPECT_EQ(selection(a, "lyapunov_potential").holds, false) << selection(a, "lyapunov_potential").reason;
  EXPECT_EQ(selection(a, "lyapunov_stability").holds, false);
  ASSERT_TRUE(a.tangential);
  EXPECT_EQ(a.tangential->stable, true) << a.tangential->reason;
}

// With very stiff springs along the surface stick is as stable as without them.
TEST(AnalysisOfRest, TangentialSpringsTendToRigidStick) {
  const std::vector<std::string> normal = {"theta=70deg", "slip=0", "mu=1.2", "tip.stiffness=100", "tip.damping=1"};
  const Analysis rigid = analysis_of("rod", normal);
  const auto rate = [](const Analysis& a) {
    for (const auto& m : a.modes.modes)
      if (m.name == "T") return m.growth->rate;
    return 0.0;
  };
  double last = 1;
  for (const double k : {1e4, 1e6, 1e8}) {
    auto set = normal;
    set.push_back("tip.tangential_stiffness=" + std::to_string(k));
    set.push_back("tip.tangential_damping=" + std::to_string(std::sqrt(k)));
    const double difference = std::abs(rate(analysis_of("rod", set)) - rate(rigid));
    EXPECT_LT(difference, 0.1 * last) << k;
    last = difference;
  }
  EXPECT_LT(last, 1e-5);
}

}  // namespace analysis_slip_test
}  // namespace painleve
