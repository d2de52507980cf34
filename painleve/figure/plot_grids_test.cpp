#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "painleve/figure/detail/read_back.hpp"

namespace painleve {
namespace plot_grids_test {

using detail::all;
using detail::frame_of;
using detail::label_place;
using detail::mine;
using detail::paths_in;
using detail::small_map;
using detail::text_in;

TEST(CategoryPlot, FirstRowIsAtTheBottom) {
  Plot plot;
  plot.layers.emplace_back(small_map());
  const Canvas canvas = draw(plot);
  const auto images = all<ImageMark>(canvas);
  ASSERT_EQ(images.size(), 1U);
  const ImageMark& image = images[0];
  const auto& c = small_map().categories;
  ASSERT_EQ(image.columns, 3);
  ASSERT_EQ(image.rows, 2);
  EXPECT_EQ(image.pixels,
            (std::vector<Colour>{c[2].second, nothing, c[0].second, c[0].second, c[1].second, c[2].second}));
  // Centres of cells at the ticks of their numbers.
  EXPECT_NEAR(image.place.x + image.place.width / 6, label_place(canvas, "0.0", true), 1e-9);
  EXPECT_NEAR(image.place.x + image.place.width / 2, label_place(canvas, "1.0", true), 1e-9);
  const Rectangle a = frame_of(canvas);
  EXPECT_NEAR(image.place.height, a.height, 1e-9);
}

TEST(CategoryPlot, ReversedAxisMirrorsTheCells) {
  Plot plot;
  plot.x = {.from = 2.5, .to = -0.5};  // reversed
  plot.layers.emplace_back(small_map());
  const auto images = all<ImageMark>(draw(plot));
  ASSERT_EQ(images.size(), 1U);
  EXPECT_EQ(images[0].pixels[3], small_map().categories[2].second);
}

TEST(CategoryPlot, LegendBelowNamesAll) {
  Plot plot;
  plot.layers.emplace_back(small_map());
  const Canvas canvas = draw(plot);
  const Rectangle a = frame_of(canvas);
  const auto texts = all<TextMark>(canvas);
  for (const auto& [name, colour] : small_map().categories) {
    const TextMark* text = text_in(texts, name);
    ASSERT_NE(text, nullptr) << name;
    EXPECT_GT(text->at[1], a.y + a.height) << name;
  }
}

TEST(CategoryPlot, LargeGridsAreSampled) {
  Plot plot;
  CategoryLayer layer{.x_to = 4999, .y_to = 2, .columns = 5000, .rows = 3};
  layer.categories = {{"left", mine}, {"right", ink}};
  for (int i = 0; i < 15000; ++i) layer.values.push_back(i % 5000 < 2500 ? 0 : 1);
  plot.layers.emplace_back(layer);
  const ImageMark image = all<ImageMark>(draw(plot))[0];
  EXPECT_EQ(image.columns, 2000);
  EXPECT_EQ(image.rows, 3);
  EXPECT_EQ(image.pixels[999], mine);
  EXPECT_EQ(image.pixels[1000], ink);
}

TEST(CategoryPlot, WrongGridsAreErrors) {
  Plot plot;
  CategoryLayer layer = small_map();
  layer.values.pop_back();
  plot.layers = {layer};
  EXPECT_THROW(draw(plot), std::invalid_argument);
  layer = small_map();
  layer.values[0] = 3;
  plot.layers = {layer};
  EXPECT_THROW(draw(plot), std::invalid_argument);
}

TEST(FieldPlot, ColoursFollowTheBar) {
  FieldLayer layer{.columns = 2, .rows = 2, .values = {-1, 3, NAN, 1}};
  layer.label = "growth";
  Plot plot;
  plot.layers.emplace_back(layer);
  const Canvas canvas = draw(plot);
  const auto images = all<ImageMark>(canvas);
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[0].pixels, (std::vector<Colour>{nothing, ramp_colour(0.5), ramp_colour(0), ramp_colour(1)}));
  // The bar: the largest on top, and the label of 1 in its middle.
  EXPECT_EQ(images[1].columns, 1);
  EXPECT_GT(images[1].pixels.front().red, images[1].pixels.back().red);
  EXPECT_NE(text_in(all<TextMark>(canvas), "growth"), nullptr);
  const Rectangle& bar = images[1].place;
  for (const TextMark& text : all<TextMark>(canvas)) {
    if (text.text == "1.0" && text.at[0] > bar.x) {
      EXPECT_NEAR(text.at[1], bar.y + bar.height / 2 + 2.9, 0.1);
    }
  }
}

TEST(FieldPlot, SignedFieldsAreWhiteAtNought) {
  Plot plot;
  plot.layers.emplace_back(FieldLayer{.columns = 3, .rows = 1, .values = {-2, 0, 1}, .is_signed = true});
  EXPECT_EQ(all<ImageMark>(draw(plot))[0].pixels, (std::vector<Colour>{signed_colour(-1), paper, signed_colour(0.5)}));
}

TEST(FieldPlot, LogarithmicFields) {
  Plot plot;
  plot.layers.emplace_back(
      FieldLayer{.columns = 4, .rows = 1, .values = {1, 10, 100, -5}, .scale = Scale::logarithmic});
  EXPECT_EQ(all<ImageMark>(draw(plot))[0].pixels,
            (std::vector<Colour>{ramp_colour(0), ramp_colour(0.5), ramp_colour(1), nothing}));
}

TEST(FieldPlot, ContoursLieInDataUnits) {
  FieldLayer layer{.x_from = 10, .x_to = 20, .y_from = 0, .y_to = 1, .columns = 11, .rows = 11};
  for (int i = 0; i < 121; ++i) layer.values.push_back(10 + i % 11);  // the value is x
  layer.levels = {12.5};
  Plot plot;
  plot.layers.emplace_back(layer);
  const Canvas canvas = draw(plot);
  const double x10 = label_place(canvas, "10", true), x20 = label_place(canvas, "20", true);
  bool found = false;
  for (const PathMark& path : paths_in(canvas, ink)) {
    const double height = std::abs(path.points.front()[1] - path.points.back()[1]);
    if (path.pen.width != 0.7 || height < 0.9 * frame_of(canvas).height) continue;
    found = true;
    for (const Point& p : path.points) EXPECT_NEAR(p[0], x10 + 0.25 * (x20 - x10), 1e-6);
  }
  EXPECT_TRUE(found);
}

TEST(FieldPlot, GridOnALogarithmicAxis) {
  Plot plot;
  plot.x.scale = Scale::logarithmic;
  plot.layers.emplace_back(FieldLayer{.x_from = 1, .x_to = 1e4, .columns = 5, .rows = 1, .values = {0, 1, 2, 3, 4}});
  const Canvas canvas = draw(plot);
  const Rectangle place = all<ImageMark>(canvas)[0].place;
  EXPECT_NEAR(place.x + place.width / 10, label_place(canvas, "10^{0}", true), 1e-9);
  EXPECT_NEAR(place.x + 0.5 * place.width, label_place(canvas, "10^{2}", true), 1e-9);
}

}  // namespace plot_grids_test
}  // namespace painleve
