// Impacts of scenes: numbers of the literature through the file format, and the keys that scripts rely on.
#include "painleve/scene/impacting.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "painleve/base/error.hpp"

namespace painleve {
namespace impacting_test {

using Json = nlohmann::ordered_json;

// A = C = 1, B = 0.5.
std::string contact_space(double u_t, double u_n, double mu) {
  return "mechanism = 'contact-space'\n[parameters]\ndimension = 2\nW = [[1, 0.5], [0.5, 1]]\nb = [1, -1]\nu = [" +
         std::to_string(u_t) + ", " + std::to_string(u_n) + "]\nmu = [" + std::to_string(mu) + "]\n";
}

ImpactRunOptions with(double r, RestitutionLaw law = RestitutionLaw::energetic) {
  ImpactRunOptions o;
  o.restitution = r;
  o.law = law;
  return o;
}

Json of(const std::string& scene, const std::vector<std::string>& set, const ImpactRunOptions& options) {
  SceneSource source =
      scene.find('\n') == std::string::npos ? SceneSource::open(scene) : SceneSource::parse(scene, "text");
  for (const auto& assignment : set) source.set(assignment);
  return to_json(impact(source.build(), options));
}

TEST(Impacting, KeysOfTheContract) {
  const Json j = of(contact_space(0.3, -1, 1.2), {}, with(0.8));
  for (const char* key : {"law", "restitution", "without_collision", "before", "after", "Lambda_n", "Lambda_t",
                          "phases", "region", "energy_before", "energy_after", "restitution_observed", "bounce"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_EQ(j["law"], "energetic");
  EXPECT_EQ(j["restitution"], 0.8);
  EXPECT_EQ(j["without_collision"], false);
  EXPECT_EQ(j["before"]["u_t"], Json::parse("[[0.3]]"));
  EXPECT_EQ(j["before"]["u_n"], Json::parse("[-1.0]"));
  EXPECT_EQ(j["after"]["u_t"], Json::parse("[[0.0]]"));
  EXPECT_NEAR(j["after"]["u_n"][0], 0.9030741149777559, 1e-15);
  EXPECT_NEAR(j["Lambda_n"][0], 2.7374321533036747, 1e-15);
  EXPECT_EQ(j["Lambda_t"][0].size(), 1U);
  EXPECT_EQ(j["phases"], Json::parse(R"(["slip+ compression", "stick compression", "stick restitution"])"));
  EXPECT_EQ(j["region"], "5");
  EXPECT_NEAR(j["restitution_observed"], 0.9030741149777559, 1e-15);
  EXPECT_NEAR(double(j["energy_after"]) - double(j["energy_before"]), -0.38297142857142863, 1e-14);
  // ½ uᵀ W⁻¹ u by hand: W⁻¹ = [1 −½; −½ 1]/0.75.
  EXPECT_NEAR(j["energy_before"], (0.09 + 0.3 + 1) / 1.5, 1e-15);
  EXPECT_NEAR(j["energy_after"], 0.9030741149777559 * 0.9030741149777559 / 1.5, 1e-14);
  EXPECT_NEAR(j["bounce"]["alpha"], 2, 1e-15);
}

TEST(Impacting, BounceIsThatOfTheLiterature) {
  // b_t/(−b_n) = 1, μ = 1.5, r = 0.7.
  const Json j = of(contact_space(2, -1, 1.5), {}, with(0.7));
  EXPECT_NEAR(j["bounce"]["e"], 1.1067971810589328, 1e-15);
  EXPECT_EQ(j["bounce"]["alpha"], 2.0);
  EXPECT_EQ(j["bounce"]["b_ratio"], 1.0);
  EXPECT_NEAR(of(contact_space(2, -1, 1.5), {}, with(0.7, RestitutionLaw::poisson))["bounce"]["e"], 1.4, 1e-15);
  const Json dead = of(contact_space(2, -1, 1.5), {}, with(0));
  EXPECT_EQ(dead["bounce"]["e"], 0.0);
  EXPECT_TRUE(dead["bounce"]["alpha"].is_null());
  EXPECT_TRUE(dead["bounce"].contains("alpha_reason"));
}

TEST(Impacting, WithoutCollision) {
  const Json j = of(contact_space(0.7, 0, 2.5), {}, with(0.8));
  EXPECT_EQ(j["without_collision"], true);
  EXPECT_NEAR(j["after"]["u_n"][0], 0.14, 1e-15);
  EXPECT_EQ(j["after"]["u_t"][0][0], 0.0);
  EXPECT_TRUE(j["restitution_observed"].is_null());
  EXPECT_EQ(j["candidates"], Json::parse(R"(["c1"])"));
}

TEST(Impacting, NoImpactHasAReason) {
  const Json j = of("rod", {}, {});
  EXPECT_TRUE(j["after"].is_null());
  EXPECT_EQ(j["after_reason"], "no closed contact approaches its surface, and none slips with p < 0");
  EXPECT_TRUE(j["energy_after"].is_null());
  EXPECT_EQ(j["phases"], Json::array());
  EXPECT_GT(j["energy_before"], 0.0);
}

// The same impact, from a posture that touches without being closed, and from the approach that was asked for.
TEST(Impacting, TwoWaysToAnApproach) {
  const std::vector<std::string> posture = {
      "contact.tip.closed=false", "theta=60deg", "y=0.8660254037844386", "y_dot=-1", "x_dot=0.5", "mu=0.8"};
  const Json given = of("rod", posture, with(0.5));
  ASSERT_FALSE(given["after"].is_null()) << given["after_reason"];
  EXPECT_EQ(given["before"]["u_n"][0], -1.0);
  ImpactRunOptions asked = with(0.5);
  asked.approach[""] = 1;
  const Json j = of("rod", {"theta=60deg", "slip=0.5", "mu=0.8"}, asked);
  EXPECT_NEAR(double(j["after"]["u_n"][0]), double(given["after"]["u_n"][0]), 1e-14);
  EXPECT_NEAR(double(j["after"]["u_t"][0][0]), double(given["after"]["u_t"][0][0]), 1e-14);
  EXPECT_EQ(j["region"], given["region"]);
}

// Of all motions with the velocities of the closed contacts it is the nearest to the one before.
TEST(Impacting, OpenContactsMoveWithTheApproach) {
  struct Case {
    const char *scene, *contact;
  };
  for (const Case& c : {Case{"block", ""}, Case{"painleve-block", "corner"}, Case{"rimless-wheel", "leg1"}}) {
    SCOPED_TRACE(c.scene);
    const Scene before = SceneSource::open(c.scene).build();
    ImpactRunOptions o = with(0.5);
    o.approach[c.contact] = 0.5;
    const ImpactRun run = impact(before, o);
    ASSERT_TRUE(run.report.happened) << run.report.reason;
    EXPECT_EQ(run.report.u_before(1), -0.5);
    EXPECT_EQ(run.report.u_before(0), before.space.u(0)) << "the slip stays";
    // By Lagrange's rule the mass times the change of v is a force on the closed contact alone: M dv = J_c' x.
    const Mechanism& m = *before.posed.mechanism;
    const Dynamics d = m.dynamics(before.posed.state);
    const Eigen::MatrixXd J_c = d.J.topRows(2);
    const Eigen::MatrixXd response = d.M.ldlt().solve(J_c.transpose());
    const Eigen::VectorXd x = (J_c * response).ldlt().solve(Eigen::Vector2d(0, -0.5));
    EXPECT_LT((before.space.u + d.J * response * x - run.report.u_before).norm(), 1e-12);
  }
}

// The feet of a biped that stands astride are both closed, and at first both held.
TEST(Impacting, TheOtherClosedContactsAreHeld) {
  ImpactRunOptions o = with(0.5);
  o.approach["stance"] = 0.5;
  try {
    of("compass-biped", {}, o);
    FAIL() << "its feet are at one place";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("closed contacts (swing)"), std::string::npos) << error.what();
  }
  const Json lifted = of("compass-biped", {"theta1=0.2", "theta2=-0.4"}, o);
  EXPECT_EQ(lifted["before"]["u_n"][0], -0.5);
  EXPECT_NE(lifted["before"]["u_n"][1], 0.0);
  o.approach["swing"] = 0.5;
  EXPECT_EQ(of("compass-biped", {}, o)["before"]["u_n"], Json::parse("[-0.5, -0.5]"));
}

TEST(Impacting, BilateralGuidesJamUnasked) {
  for (const char* scene : {"klein-none", "klein-several"}) {
    for (const char* several : {"sequential", "simultaneous", "compliant"}) {
      ImpactRunOptions o;
      o.several = several_impacts(several);
      const Json j = of(scene, {}, o);
      ASSERT_FALSE(j["after"].is_null()) << j["after_reason"];
      EXPECT_EQ(j["without_collision"], true);
      EXPECT_EQ(j["struck"], Json::parse(R"(["guide1", "guide2"])"));
      EXPECT_NEAR(j["energy_after"], 0, 1e-14);
    }
  }
  EXPECT_EQ(of("klein-none", {"mu=0.1"}, {})["after_reason"],
            "bilateral contacts cannot strike, and friction jams none of those that slip");
  EXPECT_EQ(of("klein-none", {"slip=0"}, {})["after_reason"], "bilateral contacts cannot strike, and none slips");
}

TEST(Impacting, LawsOfTheScene) {
  const std::string scene =
      contact_space(0.3, -1, 3) + "[contact.c1]\nrestitution = 0.6\nlaw = 'poisson'\nmu_impact = 0.2\n";
  const Json j = of(scene, {}, {});
  EXPECT_EQ(j["law"], "poisson");
  EXPECT_EQ(j["restitution"], 0.6);
  EXPECT_EQ(j["laws"][0]["mu"], 0.2);
  EXPECT_NEAR(j["after"]["u_t"][0][0], 0.8333333333333333, 1e-15);
}

// What was used, not what the scene says.
TEST(Impacting, ModelsWithOneLawNameIt) {
  ImpactRunOptions o = with(0.5);
  o.approach["foot1"] = 1;
  o.law = RestitutionLaw::poisson;
  const std::vector<std::pair<SeveralImpacts, const char*>> laws = {{SeveralImpacts::sequential, "poisson"},
                                                                    {SeveralImpacts::simultaneous, "newton"},
                                                                    {SeveralImpacts::compliant, "energetic"}};
  for (const auto& [several, law] : laws) {
    o.several = several;
    const Json j = of("two-legged-body", {}, o);
    EXPECT_EQ(j["law"], law);
    EXPECT_EQ(j["laws"][1]["law"], law);
  }
}

// u is not W times anything: there is no energy that the impact could change.
TEST(Impacting, VelocitiesThatNoMotionHasHaveNoEnergy) {
  const std::string scene =
      "mechanism = 'contact-space'\n[parameters]\nW = [[1, 1], [1, 1]]\nb = [0, -1]\nu = [0, -1]\nmu = [0.5]\n";
  const Json j = of(scene, {}, with(0.5));
  ASSERT_FALSE(j["after"].is_null());
  for (const char* key : {"energy_before", "energy_after"}) {
    EXPECT_TRUE(j[key].is_null()) << key;
    EXPECT_NE(std::string(j[std::string(key) + "_reason"]).find("outside the range of W"), std::string::npos);
  }
  EXPECT_EQ(j["energy_change"], -1.875);
  // In the range of W the energy is that of the motion: u = W (1/2, 1/2).
  EXPECT_NEAR(of(scene, {"u=[-1, -1]"}, with(0.5))["energy_before"], 0.5, 1e-14);
}

TEST(Impacting, NothingBouncesWhereNothingStopsALanding) {
  const Json j =
      of("mechanism = 'contact-space'\n[parameters]\nW = [[1, 0], [0, 0]]\nb = [0, -1]\nu = [0, -1]\nmu = [0.5]\n", {},
         with(0.5));
  EXPECT_TRUE(j["after"].is_null());
  EXPECT_TRUE(j["bounce"].is_null());
  EXPECT_EQ(j["bounce_reason"], "no normal impulse stops a landing");
}

TEST(Impacting, SeveralContactsAndMethods) {
  ImpactRunOptions o = with(0.5);
  o.approach["foot1"] = 1;
  for (const SeveralImpacts several :
       {SeveralImpacts::sequential, SeveralImpacts::simultaneous, SeveralImpacts::compliant}) {
    o.several = several;
    const Json j = of("two-legged-body", {}, o);
    ASSERT_FALSE(j["after"].is_null());
    EXPECT_EQ(j["several"], to_string(several));
    EXPECT_EQ(j["after"]["u_n"].size(), 2U);
    EXPECT_EQ(j["alternatives"].empty(), several != SeveralImpacts::simultaneous);
    EXPECT_EQ(j["error"].is_null(), several != SeveralImpacts::compliant);
    EXPECT_GE(j["after"]["u_n"][0], -1e-9);
    EXPECT_GE(j["after"]["u_n"][1], -1e-9);
    EXPECT_TRUE(j["bounce"].is_null());
  }
}

TEST(Impacting, SpaceAndBilateralContacts) {
  ImpactRunOptions o = with(0.5);
  o.approach[""] = 1;
  const Json space = of("rod-3d", {"mu=0.8"}, o);
  ASSERT_FALSE(space["after"].is_null());
  EXPECT_EQ(space["Lambda_t"][0].size(), 2U);
  EXPECT_TRUE(space["region"].is_null());
  EXPECT_TRUE(of("painleve-klein", {}, {})["after"].is_null());
  EXPECT_THROW(of("painleve-klein", {}, o), InputError);
}

TEST(Impacting, Mistakes) {
  EXPECT_THROW(of("table-a1-6a", {}, {}), InputError);
  EXPECT_THROW(of("rod", {}, with(1.5)), InputError);
  ImpactRunOptions o;
  o.approach["tipp"] = 1;
  EXPECT_THROW(of("rod", {}, o), InputError);
  for (const double speed : {0.0, -1.0, 1e9, std::nan("")}) {
    o.approach = {{"tip", speed}};
    EXPECT_THROW(of("rod", {}, o), InputError);
  }
  o.approach = {{"", 1}};
  EXPECT_THROW(of("rod", {"contact.tip.closed=false", "y=2"}, o), InputError);
  // Two points of one slider that cannot turn: one of them cannot strike alone.
  const std::string rigid =
      "mechanism = 'contact-space'\n[parameters]\ndimension = 2\nW = [[1,0,1,0],[0,1,0,1],[1,0,1,0],[0,1,0,1]]\n"
      "b = [0,-1,0,-1]\nu = [0,0,0,0]\nmu = [0.5,0.5]\n";
  o.approach = {{"c1", 1}};
  EXPECT_THROW(of(rigid, {}, o), InputError);
  o.approach = {{"c1", 1}, {"c2", 1}};
  EXPECT_NEAR(of(rigid, {}, o)["after"]["u_n"][1], 0, 1e-15);
  // All that strike are named, and yet the rest along the walls forbids it.
  o.approach = {{"left", 1}, {"right", 1}};
  try {
    of("wedged-block", {}, o);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("other closed contacts"), std::string::npos) << error.what();
  }
  o.approach = {{"", 1}, {"tip", 2}};
  EXPECT_THROW(of("rod", {}, o), InputError);
  o.approach.clear();
  o.without_collision = {"top"};
  EXPECT_THROW(of("rod", {}, o), InputError);
  o.without_collision = {"tip", "tip"};
  EXPECT_THROW(of("rod", {}, o), InputError);
}

}  // namespace impacting_test
}  // namespace painleve
