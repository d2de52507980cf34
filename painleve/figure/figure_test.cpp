#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/read_back.hpp"
#include "painleve/figure/detail/well_formed.hpp"

namespace painleve {
namespace figure_test {

using detail::all;
using detail::curve;
using detail::frame_of;
using detail::small_map;
using detail::text_in;

TEST(Legend, GoesWhereItCoversNothing) {
  // Curves in three corners; the lower left one is free.
  Plot plot;
  CurveLayer layer = curve({});
  for (int i = 0; i <= 200; ++i) {
    const double x = i / 200.0;
    layer.points.push_back({x, 1});
    layer.points.push_back({x, x < 0.5 ? 0.6 : 0});
  }
  layer.label = "full";
  plot.layers.emplace_back(layer);
  const Canvas canvas = draw(plot);
  const Rectangle a = frame_of(canvas);
  const std::vector<TextMark> texts = all<TextMark>(canvas);
  const TextMark* text = text_in(texts, "full");
  ASSERT_NE(text, nullptr);
  EXPECT_LT(text->at[0], a.x + a.width / 2);
  EXPECT_GT(text->at[1], a.y + a.height / 2);
  EXPECT_LT(text->at[1], a.y + a.height);
}

TEST(Legend, GoesBelowWhereNothingIsFree) {
  Plot plot;
  CurveLayer layer = curve({});
  for (int i = 0; i <= 400; ++i) layer.points.push_back({i / 400.0, i % 2 == 0 ? 0.0 : 1.0});
  layer.label = "everywhere";
  plot.layers.emplace_back(layer);
  const Canvas canvas = draw(plot);
  const Rectangle a = frame_of(canvas);
  const std::vector<TextMark> texts = all<TextMark>(canvas);
  const TextMark* text = text_in(texts, "everywhere");
  ASSERT_NE(text, nullptr);
  EXPECT_GT(text->at[1], a.y + a.height + 10);
}

TEST(Legend, OutsidePlacesAreOutside) {
  for (const LegendPlace place : {LegendPlace::right, LegendPlace::below, LegendPlace::none}) {
    Plot plot;
    plot.legend = place;
    CurveLayer layer = curve({{0, 0}, {1, 1}});
    layer.label = "line";
    plot.layers = {layer, layer};
    const Canvas canvas = draw(plot);
    const Rectangle a = frame_of(canvas);
    const std::vector<TextMark> texts = all<TextMark>(canvas);
    const auto same = [](const TextMark& t) { return t.text == "line"; };
    EXPECT_EQ(std::count_if(texts.begin(), texts.end(), same), place == LegendPlace::none ? 0 : 1);
    if (place == LegendPlace::right) {
      EXPECT_GT(text_in(texts, "line")->at[0], a.x + a.width);
    }
    if (place == LegendPlace::below) {
      EXPECT_GT(text_in(texts, "line")->at[1], a.y + a.height);
    }
  }
}

Figure four_panels() {
  Plot curves;
  CurveLayer layer = curve({{0, 0}, {1, 1}});
  layer.label = "a & b <i>";
  curves.layers.emplace_back(layer);
  Plot map;
  map.layers.emplace_back(small_map());
  SpacePlot space;
  add_axes(space.solid, {"x", "y", "z"}, {1, 1, 1}, false);
  Figure figure;
  figure.title = "four";
  figure.caption =
      "A caption that is so long that it must be broken into at least two lines on a sheet of this width, "
      "because it goes on and on about nothing at all, as captions do.";
  figure.columns = 2;
  figure.panel_width = 200;
  figure.panel_height = 160;
  figure.panels = {curves, map, space, Plot{}};
  return figure;
}

TEST(Figure, HasLettersTitleAndWrappedCaption) {
  const Canvas canvas = draw(four_panels());
  const auto texts = all<TextMark>(canvas);
  std::map<std::string, Point> at;
  for (const TextMark& text : texts) at[text.text] = text.at;
  for (const char* letter : {"(a)", "(b)", "(c)", "(d)", "four"}) EXPECT_TRUE(at.contains(letter)) << letter;
  EXPECT_LT(at["four"][1], at["(a)"][1]);
  EXPECT_EQ(at["(a)"][1], at["(b)"][1]);
  EXPECT_EQ(at["(a)"][0], at["(c)"][0]);
  EXPECT_GT(at["(c)"][1], at["(a)"][1] + 150);
  std::string caption;
  for (const TextMark& text : texts) {
    EXPECT_LT(text.at[1], canvas.height());
    if (text.at[1] < at["(c)"][1] + 160 || text.style.size != 9) continue;
    EXPECT_LE(text.at[0] + text_width(text.text, text.style), canvas.width());
    caption += (caption.empty() ? "" : " ") + text.text;
  }
  EXPECT_EQ(caption, four_panels().caption);
}

TEST(Figure, SameFigureSameBytes) {
  const std::string svg = to_svg(draw(four_panels()), "t");
  EXPECT_EQ(detail::XmlCheck(svg).fault(), "");
  EXPECT_NE(svg.find("a &amp; b &lt;i&gt;"), std::string::npos);
  EXPECT_EQ(to_svg(draw(four_panels()), "t"), svg);
  EXPECT_EQ(to_png(draw(four_panels())), to_png(draw(four_panels())));
  EXPECT_EQ(to_pdf(draw(four_panels())), to_pdf(draw(four_panels())));
}

TEST(Figure, EdgesOfTheLetters) {
  Figure figure;
  EXPECT_GT(draw(figure).height(), 0);  // no panels at all
  figure.panels.assign(28, Plot{});
  figure.columns = 7;
  const auto texts = all<TextMark>(draw(figure));
  EXPECT_NE(text_in(texts, "(z)"), nullptr);
  EXPECT_NE(text_in(texts, "(aa)"), nullptr);
  EXPECT_NE(text_in(texts, "(ab)"), nullptr);
  figure.panels.resize(1, Plot{});
  EXPECT_EQ(text_in(all<TextMark>(draw(figure)), "(a)"), nullptr);
  figure.columns = 0;
  EXPECT_THROW(draw(figure), InputError);
}

}  // namespace figure_test
}  // namespace painleve
