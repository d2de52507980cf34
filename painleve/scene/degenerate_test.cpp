// States on boundaries and contacts that cannot move: where rounding or a division by nearly nothing used to decide.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "painleve/base/error.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/scene/contact_space_json.hpp"

namespace painleve {
namespace degenerate_test {

ModeTable table_of(const char* json) { return analyze(scene_from_json(nlohmann::json::parse(json))).modes; }

ModeTable table_of(const std::string& scene, const std::vector<std::string>& assignments) {
  SceneSource source = SceneSource::open(scene);
  for (const auto& assignment : assignments) source.set(assignment);
  return analyze(source.build()).modes;
}

using Names = std::vector<std::string>;

// W = v vᵀ with v = (2, 1, −1): p(e) = 0 solves the balance of directions too, with a force of 1e15 that is none.
TEST(Degenerate, ARankOneContactAtRestHasNoSlipAlongTheDirectionWithoutResponse) {
  const auto table =
      table_of(R"({"dimension":3,"W":[[4,2,-2],[2,1,-1],[-2,-1,1]],"b":[0,-2,-2],"u":[0,0,0],"mu":[2]})");
  EXPECT_EQ(table.verdict, "inconsistent");
  EXPECT_TRUE(table.complete);
}

// b_n = l ω² sin θ − g = 0: lift-off, met exactly although sin 30° is not.
TEST(Degenerate, LiftOffIsMetExactly) {
  const auto table = table_of("rod", {"theta=30deg", "gravity=2", "theta_dot=2", "mu=3"});
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.consistent_modes(), Names{"F"});
  EXPECT_TRUE(table.modes.at(0).boundary);
}

// Two equal contacts that do not see each other: the growing solution is repeated, and some mixture is positive.
TEST(Degenerate, ARepeatedRayIsFound) {
  const auto table = table_of(
      R"({"W":[[2.5,1.5,0,0],[1.5,2.5,0,0],[0,0,2.5,1.5],[0,0,1.5,2.5]],"b":[0,-1,0,-1],"u":[1,0,1,0],"mu":[2,2]})");
  EXPECT_EQ(table.verdict, "inconsistent");
  EXPECT_EQ(table.continuations, Names{"II"});
}

// One contact leaves, the other slips and jams: the impact without collision is that of the other alone.
TEST(Degenerate, AContactThatLeavesDoesNotStopTheImpactOfTheOther) {
  const auto table = table_of(
      R"({"W":[[2.5,1.5,0,0],[1.5,2.5,0,0],[0,0,2.5,1.5],[0,0,1.5,2.5]],"b":[0,-1,0,-1],"u":[1,0,1,1],"mu":[2,2]})");
  EXPECT_EQ(table.continuations, Names{"IF"});
}

TEST(Degenerate, WithoutLoadRedundantContactsHaveOneMotion) {
  const auto table = table_of("rigid-body", {"points=[[-1,0.34],[1,0.24],[0.3,0.7]]",
                                             "normals=[[0.878,-0.478],[-1,0],[0,-1]]", "gravity=0", "mu=1"});
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_GT(table.force_family_dimension, 0);
}

// The answer does not depend on the unit of force.
TEST(Degenerate, StickWithoutResponseDoesNotDependOnTheScale) {
  EXPECT_EQ(table_of(R"({"dimension":3,"W":[[5,0,-5],[0,5,0],[-5,0,5]],"b":[0,5,0],"u":[0,0,0],"mu":[1]})")
                .consistent_modes(),
            Names{"F"});
  EXPECT_EQ(table_of(R"({"dimension":3,"W":[[5e6,0,-5e6],[0,5e6,0],[-5e6,0,5e6]],"b":[0,5,0],"u":[0,0,0],"mu":[1]})")
                .consistent_modes(),
            Names{"F"});
}

// At p = 0 the slip mode is not stable, whether p comes from a rod or from typed numbers.
TEST(Degenerate, WithoutResponseSlipIsNotStable) {
  const auto table = table_of("rod", {"theta=1.1071487177940904", "mu=1.3333333333333333"});
  EXPECT_EQ(table.modes.at(1).stability.verdict, "unstable");
}

TEST(Degenerate, ARigidContactDoesNotPenetrate) {
  const char* pressed = R"({"W":[[2.5,1.5],[1.5,2.5]],"b":[0,-1],"u":[1,0],"mu":[2],"gap":[-0.1]})";
  EXPECT_THROW(table_of(pressed), InputError);
  const char* compliant = R"({"W":[[2.5,1.5],[1.5,2.5]],"b":[0,-1],"u":[1,0],"mu":[2],"gap":[-0.1],"stiffness":[10]})";
  EXPECT_EQ(table_of(compliant).verdict, "inconsistent");
}

}  // namespace degenerate_test
}  // namespace painleve
