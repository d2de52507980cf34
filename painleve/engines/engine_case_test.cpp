// The bodies that engines get are the scene's, and nothing is sent as a body that is not one.
#include "painleve/engines/engine_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {
namespace engine_case_test {

Scene scene_of(const std::string& name, const std::vector<std::string>& set = {}) {
  SceneSource source = SceneSource::open(name);
  for (const auto& s : set) source.set(s);
  return source.build();
}

// Every scene of the gallery that is one free body, at its own state.
TEST(EngineCase, FreeBodiesReproduceTheContactSpace) {
  for (const char* name : {"rod", "rod-no-solution", "rod-three-solutions", "block", "chalk", "wedge", "fig15a",
                           "legs-ambiguous", "tumbling-body", "brake-pad", "wheel-walking", "rod-3d", "rod-45deg"}) {
    SCOPED_TRACE(name);
    const Scene scene = scene_of(name);
    const EngineCase given = engine_case(scene, 0.01);
    ASSERT_EQ(given.bodies.size(), 1U) << given.bodies_reason;
    ASSERT_EQ(given.contacts.size(), scene.space.names.size());
    const BodyContactSpace own = contact_space_of(given);
    EXPECT_LE((own.W - scene.space.W).cwiseAbs().maxCoeff(), 1e-12 * scene.space.W.cwiseAbs().maxCoeff());
    EXPECT_LE((own.u - scene.space.u).cwiseAbs().maxCoeff(), 1e-12 * (1 + scene.space.u.cwiseAbs().maxCoeff()));
    const Eigen::VectorXd u_free = scene.space.u + 0.01 * (scene.space.b - scene.space.drift);
    EXPECT_LE((own.u_free - u_free).cwiseAbs().maxCoeff(), 1e-12 * (1 + u_free.cwiseAbs().maxCoeff()));
  }
}

TEST(EngineCase, ABodyPointIsWhereItsContactIs) {
  const EngineCase given = engine_case(scene_of("rod-no-solution"), 0.01);
  const EngineBody& rod = given.bodies.at(0);
  const EngineContact& tip = given.contacts.at(0);
  EXPECT_LT((rod.position + rod.rotation * tip.point - tip.at).norm(), 1e-15);
  EXPECT_NEAR(tip.at.y(), 0, 1e-15);
  EXPECT_NEAR(tip.point.norm(), 1, 1e-15);  // half the length
  EXPECT_NEAR(rod.position.y(), std::sin(2 * M_PI / 3), 1e-15);
  EXPECT_EQ(rod.force, Eigen::Vector3d::Zero());
  EXPECT_NEAR(given.gravity.y(), -1, 1e-15);
}

// Engines without gaps would leave out a contact that stands a rounding error above its surface.
TEST(EngineCase, RoundingIsNoGap) {
  Scene scene = scene_of("rod-no-solution");
  scene.space.gap(0) = 1e-12;
  const EngineCase closed = engine_case(scene, 0.01);
  EXPECT_EQ(closed.gap(0), 0);
  EXPECT_EQ(closed.contacts.at(0).gap, 0);
  scene.space.gap(0) = 1e-3;
  EXPECT_EQ(engine_case(scene, 0.01).contacts.at(0).gap, 1e-3);
}

// The scene's angle grows clockwise: a torque along it turns the body by −z.
TEST(EngineCase, ForcesKeepTheirSense) {
  const EngineCase given = engine_case(scene_of("rod-no-solution", {"forces.torque=2", "forces.force_x=3"}), 0.01);
  EXPECT_NEAR(given.bodies.at(0).torque.z(), -2, 1e-15);
  EXPECT_NEAR(given.bodies.at(0).force.x(), 3, 1e-14);
}

TEST(EngineCase, ArmsAndNumbersHaveNoBodies) {
  for (const char* name : {"arm-jam", "two-link-pushing", "pendulum-jam", "biped-walking", "fig9-modes"}) {
    const EngineCase given = engine_case(scene_of(name), 0.01);
    EXPECT_TRUE(given.bodies.empty()) << name;
    EXPECT_TRUE(given.contacts.empty()) << name;
    EXPECT_FALSE(given.bodies_reason.empty()) << name;
  }
}

// A rod in space that turns: its step without drift depends on the angles that describe it, so a body would differ.
TEST(EngineCase, ABodyThatWouldDifferIsNotSent) {
  const EngineCase given = engine_case(scene_of("rod-3d-crossing"), 0.01);
  EXPECT_TRUE(given.bodies.empty());
  EXPECT_NE(given.bodies_reason.find("contact space"), std::string::npos);
}

TEST(EngineCase, RefusesWhatNoEngineTakes) {
  EXPECT_THROW(engine_case(scene_of("klein-none"), 0.01), InputError);
  EXPECT_THROW(engine_case(scene_of("double-liftoff"), 0.01), InputError);
  EXPECT_THROW(engine_case(scene_of("rod"), 0), InputError);
}

// The step is the one that `solve --formulation step` solves.
TEST(EngineCase, TheStepIsThatOfSolve) {
  const Scene scene = scene_of("painleve-block");
  SolveOptions options;
  options.formulation = FormulationKind::step;
  const SolveReport report = solve(scene, options);
  const EngineCase given = engine_case(scene, options.step.dt);
  EXPECT_EQ(given.formulation.problem.q, report.formulation.problem.q);
  EXPECT_EQ(given.formulation.problem.W, report.formulation.problem.W);
}

}  // namespace engine_case_test
}  // namespace painleve
