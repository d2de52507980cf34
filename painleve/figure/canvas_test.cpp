#include "painleve/figure/canvas.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

#include "painleve/base/error.hpp"
#include "painleve/figure/detail/drawn.hpp"
#include "painleve/figure/detail/markup.hpp"
#include "painleve/figure/detail/well_formed.hpp"

namespace painleve {
namespace canvas_test {

std::string fault_of(const std::string& svg) { return detail::XmlCheck(svg).fault(); }

Canvas sample_canvas() {
  Canvas canvas(120, 80);
  canvas.rectangle({10, 10, 40, 20}, series_colour(2), Pen{ink, 0.8, Dash::dash_dot});
  canvas.begin_clip({0, 0, 60, 60});
  canvas.disc({30, 30}, 5, series_colour(1).faded(0.5), Pen{});
  canvas.arrow({5, 5}, {50, 60}, Pen{});
  canvas.end_clip();
  canvas.image({{70, 10, 20, 20}, 2, 2, {paper, ink, series_colour(1), nothing}});
  canvas.text({20, 70}, "/μ/_{jam} [m/s]", {9, Anchor::middle, ink, 30});
  return canvas;
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "painleve-canvas-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  static std::string content(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  std::filesystem::path folder;
};

TEST(XmlCheck, FindsFaults) {
  EXPECT_EQ(fault_of("<a b=\"1\"><c/>x &amp; y</a>"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a>&</a>", "<a b=1></a>", "<a b=\"<\"></a>", "<a/><b/>",
                          "<a b=\"1\" b=\"2\"/>", "<a>1 < 2</a>", "<a></a></a>"}) {
    EXPECT_NE(fault_of(bad), "") << bad;
  }
}

TEST(Markup, ReadsSubscriptsSuperscriptsAndSlants) {
  const auto runs = detail::text_runs("/μ/_{jam} = α^{−1/2}");
  ASSERT_EQ(runs.size(), 4U);
  EXPECT_EQ(runs[0].text, "μ");
  EXPECT_TRUE(runs[0].slanted);
  EXPECT_EQ(runs[1].text, "jam");
  EXPECT_FALSE(runs[1].slanted);
  EXPECT_LT(runs[1].rise, 0);
  EXPECT_LT(runs[1].scale, 1);
  EXPECT_EQ(runs[2].text, " = α");
  EXPECT_EQ(runs[2].rise, 0);
  EXPECT_EQ(runs[3].text, "−1/2");
  EXPECT_GT(runs[3].rise, 0);
}

TEST(Markup, NestedMarksShrinkTwice) {
  const auto runs = detail::text_runs("/x^{a_{1}}/");
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[2].text, "1");
  EXPECT_TRUE(runs[2].slanted);
  EXPECT_DOUBLE_EQ(runs[2].scale, runs[1].scale * runs[1].scale);
  EXPECT_LT(runs[2].rise, runs[1].rise);
}

TEST(Markup, OtherTextStandsForItself) {
  for (const char* text : {"m/s", "N/(m/s)", "1/2/3", "/tmp/x", "(a)/b/(c)", "μ/ω/ρ", "x_{1", "a_b", "x^2", "/ x /",
                           "//", "/", "_", "^{", "[kg·m/s²]"}) {
    const auto runs = detail::text_runs(text);
    ASSERT_EQ(runs.size(), 1U) << text;
    EXPECT_EQ(runs[0], detail::TextRun{text}) << text;
  }
  EXPECT_TRUE(detail::text_runs("").empty());
  EXPECT_EQ(detail::plain_text("/θ/_{0} (/x/) −/y/²"), "θ0 (x) −y²");
}

TEST(Markup, BadBytesAreReplaced) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(detail::clean_text("a\tb\nc"), "a b c");
  EXPECT_EQ(detail::clean_text(std::string("a\0b", 3)), "a" + mark + "b");
  EXPECT_EQ(detail::clean_text("\xC3\x28"), mark + "(");
  EXPECT_EQ(detail::clean_text("\xE2\x82"), mark + mark);
  EXPECT_EQ(detail::clean_text("\xC0\xAF"), mark + mark);             // a slash, spelt too long
  EXPECT_EQ(detail::clean_text("\xED\xA0\x80"), mark + mark + mark);  // a surrogate
  EXPECT_EQ(detail::clean_text("\xF4\x90\x80\x80"), mark + mark + mark + mark);
  EXPECT_EQ(detail::clean_text("\xEF\xBF\xBF"), mark);
  EXPECT_EQ(detail::clean_text("θ̇ → 𝜇"), "θ̇ → 𝜇");
}

TEST(Svg, IsWellFormedWithRealText) {
  const std::string svg = to_svg(sample_canvas(), "a <title>", "what \"it\" shows");
  EXPECT_EQ(fault_of(svg), "");
  EXPECT_NE(svg.find(">a &lt;title&gt;</title>"), std::string::npos);
  EXPECT_NE(svg.find(">what &quot;it&quot; shows</desc>"), std::string::npos);
  EXPECT_NE(svg.find("<tspan font-style=\"italic\">μ</tspan>"), std::string::npos);
  EXPECT_NE(svg.find(">jam</tspan>"), std::string::npos);
  EXPECT_NE(svg.find("rotate(-30 20 70)"), std::string::npos);
  EXPECT_NE(svg.find("viewBox=\"0 0 120 80\""), std::string::npos);
}

TEST(Svg, SubscriptsComeBackToTheBaseline) {
  Canvas canvas(10, 10);
  canvas.text({0, 0}, "a_{b}c^{d}e", {10});
  const std::string svg = to_svg(canvas);
  double baseline = 0;
  std::vector<double> heights;
  for (std::size_t at = svg.find("dy=\""); at != std::string::npos; at = svg.find("dy=\"", at + 1)) {
    baseline += std::stod(svg.substr(at + 4));
    heights.push_back(baseline);
  }
  ASSERT_EQ(heights.size(), 4U);
  EXPECT_GT(heights[0], 1);  // downwards
  EXPECT_NEAR(heights[1], 0, 1e-12);
  EXPECT_LT(heights[2], -1);
  EXPECT_NEAR(heights[3], 0, 1e-12);
}

TEST(Svg, HostileTextIsEscaped) {
  const std::vector<std::string> hostile{"<script>alert(1)</script>",
                                         "a & b",
                                         "\" onload=\"x",
                                         "' x='",
                                         "]]>",
                                         "\x01\xFF\xFE",
                                         "<!--",
                                         "&lt;",
                                         "_{<b>}",
                                         "/x<y/"};
  for (const std::string& text : hostile) {
    Canvas canvas(10, 10);
    canvas.text({1, 1}, text, {});
    const std::string svg = to_svg(canvas, text, text);
    EXPECT_EQ(fault_of(svg), "") << text;
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find("<!--"), std::string::npos);
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
    EXPECT_EQ(to_png(canvas).substr(1, 3), "PNG") << text;
    EXPECT_EQ(to_pdf(canvas, text).substr(0, 4), "%PDF") << text;
  }
}

TEST(Svg, NumbersAreShortAndNeverInExponents) {
  Canvas canvas(100, 100);
  canvas.line({{1.0 / 3, 2}, {-1e-9, 1e-300}, {12.5, 100}}, Pen{});
  const std::string svg = to_svg(canvas);
  EXPECT_NE(svg.find("d=\"M0.33 2L0 0L12.5 100\""), std::string::npos) << svg;
}

TEST(Svg, PlacesThatAreNoneAreLeftOut) {
  Canvas canvas(100, 100);
  canvas.line({{1, 2}, {NAN, 3}, {HUGE_VAL, 4}, {1e300, 1}, {5, 6}}, Pen{});
  canvas.disc({NAN, 0}, 1, ink, Pen{});
  canvas.text({0, -HUGE_VAL}, "x", {});
  const std::string svg = to_svg(canvas);
  EXPECT_NE(svg.find("d=\"M1 2L5 6\""), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(to_png(canvas).substr(1, 3), "PNG");
}

TEST(Svg, IdsDifferBetweenPicturesAndRefersToOwn) {
  Canvas other = sample_canvas();
  other.disc({1, 1}, 1, ink, Pen{});
  const auto id_of = [](const std::string& svg) {
    const std::size_t at = svg.find("clipPath id=\"") + 13;
    return svg.substr(at, svg.find('"', at) - at);
  };
  const std::string one = to_svg(sample_canvas()), two = to_svg(other), titled = to_svg(sample_canvas(), "t");
  EXPECT_NE(id_of(one), id_of(two));
  EXPECT_NE(id_of(one), id_of(titled));
  EXPECT_NE(one.find("url(#" + id_of(one) + ")"), std::string::npos);
  EXPECT_FALSE(std::isdigit(static_cast<unsigned char>(id_of(one).front())));
}

TEST(Svg, UnbalancedClipsAreClosed) {
  Canvas canvas(10, 10);
  canvas.end_clip();
  canvas.begin_clip({0, 0, 5, 5});
  canvas.begin_clip({0, 0, 2, 2});
  EXPECT_EQ(fault_of(to_svg(canvas)), "");
  EXPECT_EQ(to_png(canvas).substr(1, 3), "PNG");
}

TEST(Png, HasSignatureSizeAndResolution) {
  const std::string png = to_png(sample_canvas(), 144);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(number_at(png, 16), 240U);
  EXPECT_EQ(number_at(png, 20), 160U);
  EXPECT_EQ(png.substr(37, 4), "pHYs");
  EXPECT_EQ(number_at(png, 41), 5669U);  // 144 / 0.0254
}

// A published value: the CRC-32 of the empty IEND chunk, at the end of every PNG, is AE 42 60 82; that of the
// resolution is checked against one from another implementation (Python's zlib.crc32).
TEST(Png, CheckSumOfTheResolutionIsRight) {
  const std::string png = to_png(sample_canvas(), 144);
  EXPECT_EQ(number_at(png, png.size() - 4), 0xAE426082U);
  EXPECT_EQ(number_at(png, 50), 0x495224F0U);
}

TEST(Png, RefusesSizesWithoutDots) {
  EXPECT_THROW(to_png(Canvas(0, 10)), InputError);
  EXPECT_THROW(to_png(Canvas(1e6, 10)), InputError);
  EXPECT_THROW(to_png(Canvas(NAN, 10)), InputError);
}

TEST(Pdf, StartsAsPdfAndEndsComplete) {
  const std::string pdf = to_pdf(sample_canvas(), "title");
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
}

TEST(Writers, SameDrawingSameBytes) {
  const Canvas canvas = sample_canvas();
  const std::string svg = to_svg(canvas, "t"), png = to_png(canvas), pdf = to_pdf(canvas, "t");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // dates in files count seconds
  EXPECT_EQ(to_svg(sample_canvas(), "t"), svg);
  EXPECT_EQ(to_png(sample_canvas()), png);
  EXPECT_EQ(to_pdf(sample_canvas(), "t"), pdf);
}

TEST(Writers, ImageWithMissingPixelsIsAnError) {
  Canvas canvas(10, 10);
  canvas.image({{0, 0, 5, 5}, 2, 2, {ink}});
  EXPECT_THROW(to_svg(canvas), std::exception);
  EXPECT_THROW(to_png(canvas), std::exception);
}

TEST(TextWidth, GrowsWithSizeAndAddsUp) {
  const double one = text_width("friction", {9});
  EXPECT_GT(one, 20);
  EXPECT_LT(one, 60);
  EXPECT_NEAR(text_width("friction", {18}), 2 * one, 1e-2 * one);  // glyph metrics are rounded to 1/64 dot
  EXPECT_GT(text_width("friction", {9, Anchor::start, ink, 0, true}), one);
  EXPECT_LT(text_width("x_{friction}", {9}), text_width("xfriction", {9}));
  EXPECT_EQ(text_width("", {9}), 0);
}

TEST_F(Folder, SavesWhatTheNameSays) {
  for (const char* name : {"a.svg", "a.png", "a.pdf"}) {
    const std::filesystem::path file = folder / name;
    save(sample_canvas(), file, "t");
    EXPECT_EQ(content(file), encoded(sample_canvas(), name, "t"));
    EXPECT_FALSE(std::filesystem::exists(file.string() + ".part"));
  }
  EXPECT_THROW(save(sample_canvas(), folder / "a.gif"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.gif"));
}

TEST_F(Folder, PlaceThatCannotBeWrittenIsNamed) {
  const std::filesystem::path file = folder / "missing" / "a.svg";
  try {
    save(sample_canvas(), file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
  }
  std::filesystem::create_directory(folder / "b.svg");
  EXPECT_THROW(save(sample_canvas(), folder / "b.svg"), InputError);
  EXPECT_FALSE(std::filesystem::exists((folder / "b.svg").string() + ".part"));
}

TEST_F(Folder, FullDiskLeavesTheOldPicture) {
  const std::filesystem::path file = folder / "a.svg";
  std::ofstream(file) << "old";
  std::filesystem::create_symlink("/dev/full", file.string() + ".part");
  try {
    save(sample_canvas(), file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("a.svg"), std::string::npos);
  }
  EXPECT_EQ(content(file), "old");
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(file.string() + ".part")));
}

// Lightness as CIE 1976 L*, from sRGB.
double lightness(const Colour& c) {
  const auto linear = [](double byte) {
    const double v = byte / 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(Colours, RampGrowsLighterEvenly) {
  const double whole = lightness(ramp_colour(1)) - lightness(ramp_colour(0));
  EXPECT_GT(whole, 65);
  for (int i = 0; i < 20; ++i) {
    const double step = lightness(ramp_colour((i + 1) / 20.0)) - lightness(ramp_colour(i / 20.0));
    EXPECT_GT(step, 0.6 * whole / 20) << i;
    EXPECT_LT(step, 1.4 * whole / 20) << i;
  }
  for (int i = 0; i < 1000; ++i) {
    // Bytes round: a step of one in one channel may go down by a hair.
    EXPECT_GT(lightness(ramp_colour((i + 1) / 1000.0)) - lightness(ramp_colour(i / 1000.0)), -0.2) << i;
  }
}

TEST(Colours, OutsideAndNoNumbers) {
  EXPECT_EQ(ramp_colour(-3), ramp_colour(0));
  EXPECT_EQ(ramp_colour(7), ramp_colour(1));
  EXPECT_EQ(ramp_colour(HUGE_VAL), ramp_colour(1));
  EXPECT_EQ(ramp_colour(NAN), nothing);
  EXPECT_EQ(signed_colour(NAN), nothing);
  EXPECT_EQ(signed_colour(0), paper);
  EXPECT_EQ(signed_colour(-2), signed_colour(-1));
  EXPECT_NEAR(lightness(signed_colour(-1)), lightness(signed_colour(1)), 15);
  EXPECT_GT(signed_colour(-1).blue, signed_colour(-1).red);
  EXPECT_GT(signed_colour(1).red, signed_colour(1).blue);
}

TEST(Colours, SeriesRepeatsAfterEight) {
  EXPECT_EQ(series_colour(0), (Colour{0, 0, 0}));
  EXPECT_EQ(series_colour(9), series_colour(1));
  EXPECT_EQ(series_colour(-1), series_colour(7));
  for (int i = 1; i < 8; ++i) EXPECT_NE(series_colour(i), series_colour(i - 1));
}

TEST(Canvas, ArrowEndsAtItsTip) {
  Canvas canvas(100, 100);
  canvas.arrow({10, 10}, {40, 50}, Pen{}, 5);
  ASSERT_EQ(canvas.marks().size(), 2U);
  const auto& shaft = std::get<PathMark>(canvas.marks()[0]);
  const auto& head = std::get<PathMark>(canvas.marks()[1]);
  EXPECT_EQ(shaft.points[0], (Point{10, 10}));
  EXPECT_EQ(head.points[0], (Point{40, 50}));
  EXPECT_LT(std::hypot(shaft.points[1][0] - 40, shaft.points[1][1] - 50), 5);
  // The corners of the head lie at equal distances on both sides of the shaft, 5 behind the tip.
  for (std::size_t i = 1; i < 3; ++i) {
    const double along = (40 - head.points[i][0]) * 0.6 + (50 - head.points[i][1]) * 0.8;
    EXPECT_NEAR(along, 5, 1e-12);
  }
  canvas.arrow({1, 1}, {1, 1}, Pen{});
  EXPECT_EQ(canvas.marks().size(), 2U);
}

}  // namespace canvas_test
}  // namespace painleve
