#include "drawing_json.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "studio_scenes_for_tests.hpp"

namespace painleve::studio {
namespace drawing_json_test {

TEST(DrawingJson, BreaksALineWhereThereIsNoPoint) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Plot plot;
  plot.layers.emplace_back(CurveLayer{{{0, 1}, {nan, 2}, {3, nan}, {4, 5}}, {}, "line"});
  const Json points = to_json(plot)["layers"][0]["points"];
  EXPECT_EQ(points, Json::parse("[[0.0, 1.0], null, null, [4.0, 5.0]]"));
}

TEST(DrawingJson, NamesWhatALayerIs) {
  Plot plot;
  plot.title = "all";
  plot.x = {"angle", "deg", 0.0, {}, Scale::logarithmic, {{1.0, "one"}}, 57.0};
  CurveLayer curve{{{0, 1}}, {Colour{1, 0xab, 255, 0.5}, 2, Dash::dash_dot}, "c"};
  curve.glyph = Glyph::diamond;
  curve.line = false;
  plot.layers.emplace_back(curve);
  plot.layers.emplace_back(RegionLayer{{{0, 0}, {1, 0}, {0, 1}}, Colour{255, 0, 0, 0.25}, "r"});
  plot.layers.emplace_back(ArrowLayer{{0, 0}, {1, 2}, {}, "a"});
  NoteLayer note{{1, 1}, "text"};
  note.style.anchor = Anchor::end;
  plot.layers.emplace_back(note);
  plot.layers.emplace_back(RuleLayer{false, 3, {}, "rule"});
  plot.layers.emplace_back(CategoryLayer{});  // maps have their own form
  const Json j = to_json(plot);
  ASSERT_EQ(j["layers"].size(), 5U);
  EXPECT_EQ(j["x"], Json::parse(R"({"label": "angle", "unit": "deg", "from": 0.0, "to": null, "scale": "logarithmic",
                                    "ticks": [[1.0, "one"]], "factor": 57.0})"));
  EXPECT_EQ(j["layers"][0]["pen"],
            Json::parse(R"({"colour": "#01abff", "opacity": 0.5, "width": 2.0, "dash": "dash_dot"})"));
  EXPECT_EQ(j["layers"][0]["glyph"], "diamond");
  EXPECT_EQ(j["layers"][0]["line"], false);
  EXPECT_EQ(j["layers"][1]["fill"], "#ff0000");
  EXPECT_EQ(j["layers"][1]["fill_opacity"], 0.25);
  EXPECT_EQ(j["layers"][2]["to"], Json::array({1.0, 2.0}));
  EXPECT_EQ(j["layers"][3]["anchor"], "end");
  EXPECT_EQ(j["layers"][4]["vertical"], false);
  EXPECT_EQ(j["layers"][4]["at"], 3.0);
}

TEST(DrawingJson, DrawsAnotherStateOfAScene) {
  const Scene scene = built_scene(named("rod"));
  State later = scene.posed.state;
  later.q(0) += 0.5;
  const Json now = drawing(scene, scene.posed.state), then = drawing(scene, later);
  EXPECT_EQ(now["strokes"][0]["part"], "body");
  const double shift =
      then["strokes"][0]["points"][0][0].get<double>() - now["strokes"][0]["points"][0][0].get<double>();
  EXPECT_DOUBLE_EQ(shift, 0.5);
  EXPECT_TRUE(drawing(built_scene(named("fig9-modes")), {}).is_null());
}

}  // namespace drawing_json_test
}  // namespace painleve::studio
