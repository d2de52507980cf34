#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "painleve/scene/solving.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace solve_call_test {

Json solve(const std::string& name, const std::string& formulation, double dt = 0.01, Json set = Json::object()) {
  Json request = named(name, std::move(set));
  request["formulation"] = formulation;
  request["dt"] = dt;
  return solve_scene(request);
}

Eigen::VectorXd accelerations(const Scene& scene, const Json& preview) {
  Eigen::VectorXd a(scene.posed.state.q.size());
  Eigen::Index i = 0;
  for (const std::string& name : scene.posed.mechanism->coordinates()) a(i++) = preview["acceleration"][name];
  return a;
}

// The contacts that take part in the problem, as a list of rows of the scene.
std::vector<int> rows_of(const Json& report, const Scene& scene) {
  std::vector<int> rows;
  for (int i = 0; i < scene.space.count(); ++i) {
    const Json& names = report["contacts"];
    if (std::find(names.begin(), names.end(), Json(scene.space.names[static_cast<std::size_t>(i)])) == names.end())
      continue;
    for (int k = 0; k < scene.space.dimension; ++k) rows.push_back(scene.space.tangent(i) + k);
  }
  return rows;
}

// The motion of the coordinates must be the one that the report states at the contacts, computed the other way round.
void expect_motion(const Json& reply, const Scene& scene, const std::string& formulation, double dt) {
  const Dynamics d = scene.posed.mechanism->dynamics(scene.posed.state);
  const auto rows = rows_of(reply["report"], scene);
  ASSERT_EQ(reply["previews"].size(), reply["report"]["solutions"].size());
  for (std::size_t i = 0; i < reply["previews"].size(); ++i) {
    const Json& solution = reply["report"]["solutions"][i];
    const Json& preview = reply["previews"][i];
    EXPECT_EQ(preview["mode"], solution["mode"]);
    EXPECT_EQ(preview["unit"], formulation == "acceleration" ? "N" : "N s");
    if (formulation == "impulse") continue;
    const Eigen::VectorXd a = accelerations(scene, preview);
    const bool step = formulation == "step";
    const Eigen::VectorXd motion = step ? Eigen::VectorXd(d.u + dt * (d.J * a)) : Eigen::VectorXd(d.J * a + d.drift);
    const Json& stated = solution[step ? "u_after" : "a"];
    ASSERT_EQ(stated.size(), rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      EXPECT_NEAR(motion(rows[k]), stated[k].get<double>(), 1e-9 * std::max(1.0, a.cwiseAbs().maxCoeff()));
  }
}

TEST(SolveCall, PreviewsMoveTheContactsAsTheReportSays) {
  for (const std::string& name : scene_names()) {
    const Scene scene = built_scene(named(name));
    if (scene.kind != SceneKind::mechanism) continue;
    for (const char* formulation : {"acceleration", "step", "impulse"}) {
      SCOPED_TRACE(name + ", " + formulation);
      expect_motion(solve(name, formulation), scene, formulation, 0.01);
    }
  }
}

// A step that stops the slip leaves the tip where it is; its force does not go on and drag it backwards.
TEST(SolveCall, PreviewsOfStepsGoOnWithTheVelocityAfterIt) {
  const Json reply = solve("rod-three-solutions", "step");
  const Scene scene = built_scene(named("rod-three-solutions"));
  const double start = scene.posed.mechanism->outline(scene.posed.state).contacts[0].at[0];
  bool stuck = false;
  for (const Json& preview : reply["previews"]) {
    if (preview["mode"] != "T") continue;
    stuck = true;
    const Json& first = preview["frames"][0];
    const double t = first["t"];
    EXPECT_NEAR(first["drawing"]["contacts"][0]["at"][0].get<double>(), start, 10 * t * t);
  }
  EXPECT_TRUE(stuck);
}

TEST(SolveCall, PreviewsOfImpulsesStartAfterTheJump) {
  const Json reply = solve("rod-three-solutions", "impulse");
  const Scene scene = built_scene(named("rod-three-solutions"));
  const Json& stuck = reply["previews"][1];
  ASSERT_EQ(stuck["mode"], "T");
  // The tip is stopped: it stays in its place to the second order in time, where the free one goes on with slip.
  const auto tip = [&](const Json& frame) { return frame["drawing"]["contacts"][0]["at"][0].get<double>(); };
  const Json& first = stuck["frames"][0];
  const double start = scene.posed.mechanism->outline(scene.posed.state).contacts[0].at[0];
  const double t = first["t"];
  EXPECT_NEAR(tip(first), start, 10 * t * t);
  const Json& free_first = reply["previews"][0]["frames"][0];
  const double s = free_first["t"];
  EXPECT_NEAR(tip(free_first), start - s, 10 * s * s);
}

// Whether the floor presses after the impulse is not known; the ghosts must not sink into it for want of a force.
TEST(SolveCall, PreviewsOfImpulsesDoNotSinkIntoTheSurface) {
  const Json reply = solve("rod-no-solution", "impulse");
  ASSERT_EQ(reply["previews"][0]["mode"], "F");
  for (const Json& frame : reply["previews"][0]["frames"])
    EXPECT_NEAR(frame["drawing"]["contacts"][0]["at"][1].get<double>(), 0, 1e-12);
}

TEST(SolveCall, FramesKeepSlidingContactsOnTheSurfaceToThirdOrder) {
  const Json reply = solve("rod-three-solutions", "acceleration");
  ASSERT_EQ(reply["previews"][1]["mode"], "S-");
  const Json& frames = reply["previews"][1]["frames"];
  ASSERT_EQ(frames.size(), 6U);
  const auto height = [&](std::size_t k) {
    return std::abs(frames[k]["drawing"]["contacts"][0]["at"][1].get<double>());
  };
  EXPECT_GT(height(5), 0);
  const double order = std::log2(height(1) / height(0));  // twice the time
  EXPECT_GT(order, 2.7);
  EXPECT_LE(frames[5]["t"].get<double>(), 0.3);
  EXPECT_GT(frames[5]["t"].get<double>(), 0.1);
}

TEST(SolveCall, ShowsForcesOfAllContactsOfTheScene) {
  const Json wheel = solve("rimless-wheel", "acceleration");
  ASSERT_FALSE(wheel["previews"].empty());
  EXPECT_EQ(wheel["previews"][0]["force"].size(), 16U) << "open contacts carry nothing, but have their place";
  const Json& solution = wheel["report"]["solutions"][0];
  EXPECT_EQ(wheel["previews"][0]["force"][1], solution["lambda_n"][0]);
}

TEST(SolveCall, DrawsTheSolutionSpaceOfOnePlanarContact) {
  const Json step = solve("rod-three-solutions", "step");
  EXPECT_EQ(step["space_reason"], "");
  EXPECT_GT(step["space"]["layers"].size(), 5U);
  EXPECT_TRUE(solve("rod-three-solutions", "impulse")["space"].is_object());
  for (const auto& [name, formulation] : {std::pair{"rod", "acceleration"}, {"rod-3d", "step"}, {"wedge", "step"}}) {
    const Json reply = solve(name, formulation);
    EXPECT_TRUE(reply["space"].is_null());
    EXPECT_GT(reply["space_reason"].get<std::string>().size(), 20U);
  }
}

TEST(SolveCall, HasNumbersOnlyForRawContacts) {
  const Json reply = solve("fig9-modes", "acceleration");
  ASSERT_FALSE(reply["previews"].empty());
  EXPECT_TRUE(reply["previews"][0]["frames"].empty());
  EXPECT_TRUE(reply["previews"][0]["acceleration"].empty());
  expect_complaint([] { solve("two-contact-jam", "step"); }, "drifting-contacts");
}

// A polygon with many corners at several contacts would keep a worker busy for minutes.
TEST(SolveCall, RefusesPolygonsThatTakeLong) {
  const auto faceted = [](Json request, int facets) {
    request["facets"] = facets;
    return solve_scene(request);
  };
  EXPECT_FALSE(faceted(named("rod-3d"), 64)["report"]["solutions"].empty());
  const Json two = {{"scene",
                     {{"toml",
                       "mechanism = \"contact-space\"\n[parameters]\ndimension = 3\n"
                       "W = [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]\n"
                       "b = [0,0,-1,0,0,-1]\nu = [0,0,0,0,0,0]\nmu = [0.5,0.5]\n"}}}};
  EXPECT_FALSE(faceted(two, 8)["report"]["solutions"].empty());
  expect_complaint([&] { faceted(two, 64); }, "64 facets for 2 contacts");
}

TEST(SolveCall, RefusesBadOptions) {
  expect_complaint([] { solve("rod", "stepp"); }, "did you mean 'step'");
  expect_complaint([] { solve("rod", "step", 0); }, "'dt' is 0");
  Json request = named("rod-3d");
  request["facets"] = 2.5;
  expect_complaint([&] { solve_scene(request); }, "whole number");
  request["facets"] = 65;
  expect_complaint([&] { solve_scene(request); }, "between 0 and 64");
}

}  // namespace solve_call_test
}  // namespace painleve::studio
