// A sheet of drawing commands, in points (1/72 inch) from the upper left corner. Nothing is drawn until it is written:
// as SVG with real text, or through Cairo as PNG and PDF.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace painleve {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  double opacity = 1;

  Colour faded(double factor) const { return {red, green, blue, opacity * factor}; }
  friend bool operator==(const Colour&, const Colour&) = default;
};

inline constexpr Colour ink{34, 34, 34};
inline constexpr Colour paper{255, 255, 255};
inline constexpr Colour nothing{0, 0, 0, 0};  // as a fill or a line: not drawn

// Okabe and Ito's eight colours, told apart by all kinds of sight; index modulo 8. The first is black.
Colour series_colour(int index);
// A ramp of even lightness from dark blue (0) to yellow (1), as cividis: also read by the colour-blind and in grey.
Colour ramp_colour(double part);
// From blue (−1) through white (0) to vermilion (1), for numbers with a sign.
Colour signed_colour(double part);

enum class Dash { solid, dashed, dotted, dash_dot };

struct Pen {
  Colour colour = ink;
  double width = 1;
  Dash dash = Dash::solid;
};

enum class Anchor { start, middle, end };

// Text may hold subscripts and superscripts, μ_{jam} and α^{−1/2}, and slanted letters, /x/ for x; all Unicode. They
// nest; a slash between letters or numbers (m/s) stands for itself.
struct TextStyle {
  double size = 9;
  Anchor anchor = Anchor::start;
  Colour colour = ink;
  double turn = 0;  // degrees, counterclockwise
  bool bold = false;
};

using Point = std::array<double, 2>;

struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;
};

struct PathMark {
  std::vector<Point> points;
  bool closed = false;
  Pen pen;
  Colour fill = nothing;
};

struct DiscMark {
  Point centre{};
  double radius = 1;
  Pen pen;
  Colour fill = nothing;
};

struct TextMark {
  Point at{};  // baseline
  std::string text;
  TextStyle style;
};

// Pixels stretched over a rectangle, hard-edged.
struct ImageMark {
  Rectangle place;
  int columns = 0, rows = 0;
  std::vector<Colour> pixels;  // row by row from the top
};

// What follows is drawn inside the rectangle only, until the matching EndClip.
struct BeginClip {
  Rectangle place;
};
struct EndClip {};

using DrawingMark = std::variant<PathMark, DiscMark, TextMark, ImageMark, BeginClip, EndClip>;

class Canvas {
 public:
  Canvas(double width, double height) : width_(width), height_(height) {}

  double width() const { return width_; }
  double height() const { return height_; }
  const std::vector<DrawingMark>& marks() const { return marks_; }

  void line(std::vector<Point> points, const Pen& pen) { add(PathMark{std::move(points), false, pen, nothing}); }
  void polygon(std::vector<Point> points, Colour fill, const Pen& pen) {
    add(PathMark{std::move(points), true, pen, fill});
  }
  void rectangle(const Rectangle& r, Colour fill, const Pen& pen);
  void disc(Point centre, double radius, Colour fill, const Pen& pen) { add(DiscMark{centre, radius, pen, fill}); }
  void arrow(Point from, Point to, const Pen& pen, double head = 5);
  void text(Point at, std::string text, const TextStyle& style) { add(TextMark{at, std::move(text), style}); }
  void image(ImageMark image) { add(std::move(image)); }
  void begin_clip(const Rectangle& place) { add(BeginClip{place}); }
  void end_clip() { add(EndClip{}); }
  void add(DrawingMark mark) { marks_.push_back(std::move(mark)); }

 private:
  double width_, height_;
  std::vector<DrawingMark> marks_;
};

// The width of a text in points, as Cairo's sans-serif font has it; SVG viewers may differ a little.
double text_width(const std::string& text, const TextStyle& style);

// `title` and `description` are for those who read with their ears, and for search.
std::string to_svg(const Canvas& canvas, const std::string& title = "", const std::string& description = "");
std::string to_png(const Canvas& canvas, double dots_per_inch = 150);
std::string to_pdf(const Canvas& canvas, const std::string& title = "");

// The bytes in the format that the name ends in, .svg, .png or .pdf; throws InputError for another end.
std::string encoded(const Canvas& canvas, const std::filesystem::path& name, const std::string& title = "");
// The same, into a file that is there whole or not at all. Throws InputError when the place cannot be written or the
// disk is full.
void save(const Canvas& canvas, const std::filesystem::path& file, const std::string& title = "");

}  // namespace painleve
