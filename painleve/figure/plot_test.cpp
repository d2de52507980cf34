#include "painleve/figure/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/figure/detail/read_back.hpp"
#include "painleve/figure/detail/well_formed.hpp"

namespace painleve {
namespace plot_test {

using detail::all;
using detail::curve;
using detail::frame_of;
using detail::inside;
using detail::label_place;
using detail::mine;
using detail::paths_in;
using detail::text_in;

TEST(Plot, CurveLandsWhereTheTicksSay) {
  Plot plot;
  plot.x = {.label = "/θ/", .unit = "rad", .from = 0.0, .to = 10.0};
  plot.y = {.label = "μ", .from = -1.0, .to = 1.0};
  plot.layers.emplace_back(curve({{2.5, -0.3}, {7, 0.85}}));
  const Canvas canvas = draw(plot);
  const auto paths = paths_in(canvas, mine);
  ASSERT_EQ(paths.size(), 1U);
  const double x0 = label_place(canvas, "0", true), x10 = label_place(canvas, "10", true);
  const double y0 = label_place(canvas, "0.0", false), y1 = label_place(canvas, "1.0", false);
  EXPECT_NEAR(paths[0].points[0][0], x0 + 0.25 * (x10 - x0), 1e-9);
  EXPECT_NEAR(paths[0].points[1][0], x0 + 0.7 * (x10 - x0), 1e-9);
  // Heights relative to each other: a label stands a little below its tick.
  EXPECT_NEAR(paths[0].points[1][1] - paths[0].points[0][1], 1.15 * (y1 - y0), 1e-9);
  const Rectangle area = frame_of(canvas);
  EXPECT_NEAR(paths[0].points[0][1], area.y + area.height * (1 - 0.35), 1e-9);
  EXPECT_NEAR(x0, area.x, 1e-9);
  EXPECT_NEAR(x10, area.x + area.width, 1e-9);
}

TEST(Plot, LogarithmicAxisIsLogarithmic) {
  Plot plot;
  plot.x = {.from = 1.0, .to = 1e6, .scale = Scale::logarithmic};
  plot.y = {.from = 1e-4, .to = 1.0, .scale = Scale::logarithmic};
  plot.layers.emplace_back(curve({{20, 3e-3}, {5e5, 0.5}}));
  const Canvas canvas = draw(plot);
  const auto paths = paths_in(canvas, mine);
  ASSERT_EQ(paths.size(), 1U);
  const double x1 = label_place(canvas, "10^{1}", true), x5 = label_place(canvas, "10^{5}", true);
  const double decade = (x5 - x1) / 4;
  EXPECT_NEAR(paths[0].points[0][0], x1 + decade * std::log10(2), 1e-9);
  EXPECT_NEAR(paths[0].points[1][0], x5 + decade * std::log10(5), 1e-9);
  const Rectangle area = frame_of(canvas);
  EXPECT_NEAR(paths[0].points[0][1], area.y - area.height * std::log10(3e-3) / 4, 1e-9);
}

TEST(Plot, ReversedAxisRunsTheOtherWay) {
  Plot plot;
  plot.x = {.from = 4.0, .to = 0.0};
  plot.layers.emplace_back(curve({{1, 0}, {3, 1}}));
  const Canvas canvas = draw(plot);
  EXPECT_LT(label_place(canvas, "4.0", true), label_place(canvas, "0.0", true));
  EXPECT_GT(paths_in(canvas, mine)[0].points[0][0], paths_in(canvas, mine)[0].points[1][0]);
}

TEST(Plot, FactorChangesLabelsNotPlaces) {
  Plot plot;
  plot.x = {.unit = "deg", .from = 0.0, .to = std::numbers::pi / 2, .factor = 180 / std::numbers::pi};
  plot.layers.emplace_back(curve({{std::numbers::pi / 6, 0}, {1.5, 1}}));
  const Canvas canvas = draw(plot);
  EXPECT_NEAR(paths_in(canvas, mine)[0].points[0][0], label_place(canvas, "30", true), 1e-9);
}

TEST(Plot, LabelsCarryUnits) {
  Plot plot;
  plot.title = "a title";
  plot.x = {.label = "/x/", .unit = "m"};
  plot.y = {.label = "force", .unit = "N"};
  plot.layers.emplace_back(curve({{0, 0}, {1, 3e-6}}));
  const auto texts = all<TextMark>(draw(plot));
  EXPECT_NE(text_in(texts, "a title"), nullptr);
  EXPECT_NE(text_in(texts, "/x/ [m]"), nullptr);
  const TextMark* y = text_in(texts, "force [10^{−6} N]");
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(y->style.turn, 90);
  for (const TextMark& text : texts) EXPECT_GE(text.style.size, 8) << text.text;
}

TEST(Plot, RangeIsThatOfTheDataWithALittleRoom) {
  Plot plot;
  plot.layers.emplace_back(curve({{10, 5}, {20, 5.5}, {15, NAN}, {HUGE_VAL, 6}}));
  const Canvas canvas = draw(plot);
  const Rectangle area = frame_of(canvas);
  const auto paths = paths_in(canvas, mine);
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_NEAR(paths[0].points[0][0], area.x + area.width * 0.04 / 1.08, 1e-9);
  EXPECT_NEAR(paths[0].points[1][1], area.y + area.height * 0.04 / 1.08, 1e-9);
}

TEST(Plot, OneEndGivenTheOtherFromTheDataBeyondIt) {
  Plot plot;
  plot.y.from = 0.0;
  plot.layers.emplace_back(curve({{0, -1000}, {1, 1}, {2, 2}}));
  const Canvas canvas = draw(plot);
  const Rectangle area = frame_of(canvas);
  const auto path = paths_in(canvas, mine)[0];
  EXPECT_NEAR(path.points.back()[1], area.y + area.height * 0.04 / 1.04, 1e-9);
}

TEST(Plot, NanBreaksTheLineAndLonePointsGetDots) {
  Plot plot;
  plot.layers.emplace_back(curve({{0, 0}, {1, 1}, {NAN, NAN}, {2, 1}, {NAN, NAN}, {3, 0}, {4, 1}}));
  const Canvas canvas = draw(plot);
  EXPECT_EQ(paths_in(canvas, mine).size(), 2U);
  ASSERT_EQ(all<DiscMark>(canvas).size(), 1U);
}

TEST(Plot, TicksAreInsideTheFrame) {
  Draws draws(5);
  for (int trial = 0; trial < 60; ++trial) {
    Plot plot;
    const double size = std::pow(10, draws.uniform(-9, 9)), offset = size * draws.uniform(-3, 3);
    plot.layers.emplace_back(curve({{offset, 1 / size}, {offset + size, 7 / size}}));
    if (trial % 2 == 0) plot.y.scale = Scale::logarithmic;
    const Canvas canvas = draw(plot, draws.uniform(150, 500), draws.uniform(120, 400));
    const Rectangle area = frame_of(canvas);
    std::vector<std::pair<double, double>> spans;
    for (const TextMark& text : all<TextMark>(canvas)) {
      const double width = text_width(text.text, text.style);
      if (text.style.turn != 0) continue;
      if (text.style.anchor == Anchor::end) {
        EXPECT_GE(text.at[0] - width, 0) << "left of the sheet: " << text.text;
        EXPECT_TRUE(text.at[1] > area.y && text.at[1] < area.y + area.height + 4) << text.text;
      } else if (text.style.size == 8) {
        EXPECT_TRUE(text.at[0] >= area.x - 1e-6 && text.at[0] <= area.x + area.width + 1e-6) << text.text;
        EXPECT_LE(text.at[0] + width / 2, canvas.width()) << text.text;
        spans.emplace_back(text.at[0] - width / 2, text.at[0] + width / 2);
      }
    }
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) EXPECT_GT(spans[i].first, spans[i - 1].second + 2);
  }
}

TEST(Plot, DegenerateDataAreDrawn) {
  const std::vector<std::vector<Point>> cases{{},
                                              {{3, 4}},
                                              {{0, 0}, {0, 0}},
                                              {{1, 5}, {2, 5}},
                                              {{NAN, NAN}},
                                              {{HUGE_VAL, 1}},
                                              {{0, 1e308}, {1, -1e308}},
                                              {{-1.7e308, 1e-320}, {1.7e308, 3e-320}},
                                              {{1e16, 1}, {1e16 + 2, 2}},
                                              {{-5, -5}, {-1, 0}}};
  for (const auto& points : cases) {
    for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
      Plot plot;
      plot.layers.emplace_back(curve(points));
      plot.layers.emplace_back(RegionLayer{points, mine});
      plot.layers.emplace_back(CategoryLayer{});
      plot.layers.emplace_back(FieldLayer{});
      plot.x.scale = plot.y.scale = scale;
      for (const bool equal : {false, true}) {
        plot.equal_scales = equal;
        const Canvas canvas = draw(plot);
        const Rectangle area = frame_of(canvas);
        EXPECT_GT(area.width * area.height, 5000);
        for (const PathMark& path : all<PathMark>(canvas)) {
          for (const Point& p : path.points) EXPECT_TRUE(inside({0, 0, 400, 300}, p, 25)) << p[0] << ' ' << p[1];
        }
        EXPECT_EQ(detail::XmlCheck(to_svg(canvas)).fault(), "");
      }
    }
  }
}

TEST(Plot, WrongAxesAreRefused) {
  Plot plot;
  plot.x = {.label = "mass", .from = 0.0, .to = 1.0, .scale = Scale::logarithmic};
  EXPECT_THROW(draw(plot), InputError);
  plot.x = {.from = NAN, .to = 1.0};
  EXPECT_THROW(draw(plot), InputError);
  plot.x = {.factor = 0};
  EXPECT_THROW(draw(plot), InputError);
}

TEST(Plot, EqualScales) {
  for (const bool fixed : {false, true}) {
    Plot plot;
    plot.equal_scales = true;
    if (fixed) {
      plot.x.from = plot.y.from = -2.0;
      plot.x.to = plot.y.to = 2.0;
    }
    plot.layers.emplace_back(curve({{1, 0}, {0, 1}, {-1, 0}, {0, -1}}));
    const auto p = paths_in(draw(plot, 500, 250), mine)[0].points;
    EXPECT_NEAR(p[0][0] - p[2][0], p[3][1] - p[1][1], 1e-9);
    EXPECT_GT(p[0][0] - p[2][0], 50);
  }
}

TEST(Plot, MillionsOfPointsBecomeThousands) {
  Plot plot;
  CurveLayer layer = curve({});
  for (int i = 0; i < 1000000; ++i) layer.points.push_back({i * 1e-6, std::sin(i * 0.37)});
  layer.points[500000][1] = 3;
  layer.label = "noise";
  CurveLayer dots = layer;
  dots.line = false;
  dots.glyph = Glyph::cross;
  plot.layers = {layer, dots};
  plot.legend = LegendPlace::none;
  plot.y.from = -4.0;
  plot.y.to = 4.0;
  const Canvas canvas = draw(plot);
  double highest = HUGE_VAL;
  std::size_t count = 0;
  for (const PathMark& path : paths_in(canvas, mine)) {
    count += path.points.size();
    for (const Point& p : path.points) highest = std::min(highest, p[1]);
  }
  EXPECT_LT(count, 40000U);
  const Rectangle area = frame_of(canvas);
  EXPECT_NEAR(highest, area.y + area.height / 8, 3);
  EXPECT_LT(to_svg(canvas).size(), 2000000U);
}

TEST(Plot, FarPointsAreCutNotSentAway) {
  Plot plot;
  plot.x.from = 0.0;
  plot.x.to = 1.0;
  plot.y.from = 0.0;
  plot.y.to = 1.0;
  plot.layers.emplace_back(curve({{0.5, 0.5}, {1e12, 1e12}, {-1e300, 0.5}}));
  plot.layers.emplace_back(RegionLayer{{{-1e9, -1e9}, {1e9, -1e9}, {0, 1e9}}, mine});
  plot.layers.emplace_back(ArrowLayer{{0.5, 0.5}, {0.5, 1e9}, Pen{mine}});
  for (const PathMark& path : all<PathMark>(draw(plot))) {
    for (const Point& p : path.points) EXPECT_TRUE(inside({0, 0, 400, 300}, p, 25)) << p[0] << ' ' << p[1];
  }
}

TEST(Plot, RulesCrossTheWholeFrame) {
  Plot plot;
  plot.x.from = 0.0;
  plot.x.to = 4.0;
  plot.y.from = 0.0;
  plot.y.to = 4.0;
  plot.layers.emplace_back(RuleLayer{true, 1, Pen{mine}});
  plot.layers.emplace_back(RuleLayer{false, 3, Pen{mine}});
  plot.layers.emplace_back(RuleLayer{false, 7, Pen{mine}});
  const Canvas canvas = draw(plot);
  const Rectangle a = frame_of(canvas);
  const auto paths = paths_in(canvas, mine);
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0].points, (std::vector<Point>{{a.x + a.width / 4, a.y}, {a.x + a.width / 4, a.y + a.height}}));
  EXPECT_NEAR(paths[1].points[0][1], a.y + a.height / 4, 1e-9);
}

TEST(Plot, NotesAndArrowLabels) {
  Plot plot;
  plot.x.from = 0.0;
  plot.x.to = 2.0;
  plot.y.from = 0.0;
  plot.y.to = 2.0;
  plot.layers.emplace_back(NoteLayer{{1, 1}, "here", {}, 5, 7});
  plot.layers.emplace_back(NoteLayer{{9, 1}, "outside", {}});
  plot.layers.emplace_back(ArrowLayer{{0.5, 0.5}, {1.5, 0.5}, Pen{mine}, "tip"});
  const Canvas canvas = draw(plot);
  const Rectangle a = frame_of(canvas);
  const auto texts = all<TextMark>(canvas);
  EXPECT_EQ(text_in(texts, "outside"), nullptr);
  const TextMark* note = text_in(texts, "here");
  ASSERT_NE(note, nullptr);
  EXPECT_NEAR(note->at[0], a.x + a.width / 2 + 5, 1e-9);
  EXPECT_NEAR(note->at[1], a.y + a.height / 2 - 7, 1e-9);
  const TextMark* tip = text_in(texts, "tip");
  ASSERT_NE(tip, nullptr);
  EXPECT_GT(tip->at[0], a.x + 0.75 * a.width);
}

}  // namespace plot_test
}  // namespace painleve
