#include <gtest/gtest.h>

#include <cmath>

#include "scene_variables.hpp"
#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace drag_test {

Json drag(const std::string& name, const Json& grip, const Json& to, Json set = Json::object()) {
  Json request = named(name, std::move(set));
  request["grip"] = grip;
  request["to"] = to;
  return drag_scene(request);
}

Place between(const Place& a, const Place& b, double along) {
  Place p{};
  for (std::size_t k = 0; k < 3; ++k) p[k] = a[k] + along * (b[k] - a[k]);
  return p;
}

Outline outline(const Scene& scene) { return scene.posed.mechanism->outline(scene.posed.state); }

// Upright, the biped cannot move at all: its legs are equally long.
Json stance(const std::string& name) {
  return name == "compass-biped" ? Json{{"theta1", -0.2}, {"theta2", 0.3}} : Json::object();
}

// Another posture a little aside, as the sliders could make it.
Scene aside(const std::string& name, double by) {
  Json set = stance(name);
  const SceneSource source = scene_source(named(name, set)["scene"]);
  double sign = 1;
  for (const Variable& v : movable_coordinates(source, source.build())) {
    set[v.path] = v.value + sign * by;
    sign = -0.7 * sign;
  }
  return built_scene(named(name, set));
}

void expect_closed_as_before(const Scene& before, const Json& reply) {
  for (int i = 0; i < before.space.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool rigid = !before.laws[k].stiffness;  // a spring has no gap to keep
    if (!rigid || !before.posed.contacts[k].closed) continue;
    EXPECT_TRUE(reply["analysis"]["contacts"][k]["closed"].get<bool>()) << before.space.names[k];
  }
}

class EveryMechanism : public testing::TestWithParam<std::string> {};

TEST_P(EveryMechanism, IsDraggedWhereAnotherPostureHasThePoint) {
  const Scene before = built_scene(named(GetParam(), stance(GetParam())));
  int dragged = 0;
  for (const double by : {0.01, -0.01, 0.1, -0.1}) {
    Scene other;
    try {
      other = aside(GetParam(), by);
    } catch (const InputError&) {
      continue;  // a foot would be below the floor
    }
    const Outline to = outline(other);
    for (std::size_t s = 0; s < to.strokes.size(); ++s) {
      if (to.strokes[s].part != Part::body) continue;
      for (std::size_t k = 0; k + 1 < to.strokes[s].points.size(); ++k) {
        const Place wanted = between(to.strokes[s].points[k], to.strokes[s].points[k + 1], 0.3);
        const Json reply =
            drag(GetParam(), {{"stroke", s}, {"segment", k}, {"along", 0.3}}, wanted, stance(GetParam()));
        EXPECT_LT(reply["distance"].get<double>(), 1e-6) << "stroke " << s << ", segment " << k << ", by " << by;
        expect_closed_as_before(before, reply);
        ++dragged;
      }
    }
    for (std::size_t i = 0; i < to.balls.size(); ++i) {
      if (to.balls[i].part != Part::body) continue;
      const Json reply = drag(GetParam(), {{"ball", i}}, to.balls[i].centre, stance(GetParam()));
      EXPECT_LT(reply["distance"].get<double>(), 1e-6) << "ball " << i << ", by " << by;
      expect_closed_as_before(before, reply);
      ++dragged;
    }
  }
  EXPECT_GT(dragged, 0);
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryMechanism, testing::ValuesIn(scene_names("mechanism")), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Where stroke 0 of the rod has the upper end of its long side.
const Json upper_end = {{"stroke", 0}, {"segment", 1}, {"along", 1}};

Place upper_place(const Scene& scene) { return outline(scene).strokes[0].points[2]; }

TEST(Drag, AnswersWithTheAnalysisOfTheNewPosture) {
  const Json reply = drag("rod", upper_end, {-0.3, 1.2, 0});
  EXPECT_EQ(reply["set"].size(), 2U);  // x and theta
  Json expected = analyze_scene(named("rod", reply["set"]));
  expected["set"] = reply["set"];
  expected["distance"] = reply["distance"];
  EXPECT_EQ(reply, expected);
}

TEST(Drag, ChangesNothingWhereThePointAlreadyIs) {
  const Scene rod = built_scene(named("rod"));
  const Json reply = drag("rod", upper_end, upper_place(rod));
  EXPECT_TRUE(reply["set"].empty());
  EXPECT_EQ(reply["distance"], 0.0);
}

TEST(Drag, ShiftsWhatIsShiftedAndTiltsWhatIsTilted) {
  const Place at = upper_place(built_scene(named("rod")));
  const Json shifted = drag("rod", upper_end, {at[0] + 0.4, at[1], 0})["set"];
  EXPECT_NEAR(shifted["state.x"].get<double>(), 0.4, 1e-9);
  EXPECT_FALSE(shifted.contains("state.theta") &&
               std::abs(shifted["state.theta"].get<double>() - 1.0471975511965976) > 1e-9);
  const Json lowered = drag("rod", upper_end, {at[0], at[1] - 0.4, 0})["set"];
  EXPECT_LT(lowered["state.theta"].get<double>(), 0.9);
}

// With one coordinate more than the plane needs, the smallest change is taken, and a turn is smaller than a shift.
TEST(Drag, TurnsRatherThanShiftsWhereBothWouldDo) {
  const Json set = stance("compass-biped");
  const Scene biped = built_scene(named("compass-biped", set));
  const Outline drawn = outline(biped);
  std::size_t stroke = drawn.strokes.size();
  for (std::size_t s = 0; s < drawn.strokes.size(); ++s)
    if (drawn.strokes[s].part == Part::body) stroke = s;
  ASSERT_LT(stroke, drawn.strokes.size());
  const Place at = between(drawn.strokes[stroke].points[0], drawn.strokes[stroke].points[1], 0.9);
  const Json reply =
      drag("compass-biped", {{"stroke", stroke}, {"segment", 0}, {"along", 0.9}}, {at[0] + 0.02, at[1] + 0.01, 0}, set);
  EXPECT_LT(reply["distance"].get<double>(), 1e-9);
  const double shift = reply["set"].contains("state.x") ? std::abs(reply["set"]["state.x"].get<double>()) : 0;
  EXPECT_LT(shift, 0.01);
}

TEST(Drag, ComesAsNearAsItCan) {
  const Json up = drag("rod", upper_end, {0, 50, 0});
  EXPECT_NEAR(up["distance"].get<double>(), 48, 0.02) << "the rod is 2 m long";
  const Json far = drag("rod", upper_end, {1e9, 0.5, 0});
  EXPECT_LT(far["distance"].get<double>(), 1e9);
  const Json arm = drag("two-link", {{"stroke", 1}, {"segment", 0}, {"along", 0.5}}, {100, 100, 0});
  EXPECT_TRUE(std::isfinite(arm["distance"].get<double>()));
  const Json held = drag("wedge", {{"stroke", 0}, {"segment", 0}, {"along", 0.5}}, {1, 1, 0});
  EXPECT_TRUE(held["set"].empty());
  const Json huge = drag("rod", upper_end, {1e300, -1e300, 1e300});
  EXPECT_FALSE(huge["analysis"].is_null());
}

TEST(Drag, RefusesAGripThatIsNotThere) {
  const Json to = {0, 1, 0};
  expect_complaint([&] { drag("rod", {{"stroke", 99}, {"segment", 0}, {"along", 0}}, to); }, "does not have");
  expect_complaint([&] { drag("rod", {{"stroke", 0}, {"segment", 99}, {"along", 0}}, to); }, "does not have");
  expect_complaint([&] { drag("rod", {{"ball", 99}}, to); }, "does not have");
  expect_complaint([&] { drag("rod", {{"stroke", -1}, {"segment", 0}}, to); }, "'stroke' is -1");
  expect_complaint([&] { drag("rod", {{"stroke", 0}, {"along", 1.5}}, to); }, "'along' is 1.5");
  expect_complaint([&] { drag("rod", Json::object(), to); }, "either a stroke or a ball");
  expect_complaint([&] { drag("rod", {{"stroke", 0}, {"ball", 0}}, to); }, "either a stroke or a ball");
  expect_complaint([&] { drag("rod", 3, to); }, "'grip' must be an object");
  expect_complaint([&] { drag("rod", upper_end, {0, 1}); }, "list of 3 numbers");
  expect_complaint([&] { drag("fig9-modes", upper_end, to); }, "nothing can be dragged");
}

}  // namespace drag_test
}  // namespace painleve::studio
