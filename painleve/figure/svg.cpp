// Numbers are written to a hundredth of a point, far below what an eye or a printer resolves, so that the same drawing
// always has the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "painleve/figure/canvas.hpp"
#include "painleve/figure/detail/drawn.hpp"
#include "painleve/figure/detail/markup.hpp"

namespace painleve {
namespace {

using detail::visible;

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(const std::string& clean) {
  std::string text;
  for (const char c : clean) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      case '\'':
        text += "&#39;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : digits[three >> (18U - 6U * k) & 63U];
    }
  }
  return text;
}

std::string hex(const Colour& c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

std::string opacity(const char* name, const Colour& c) {
  return c.opacity < 1 ? fmt::format(" {}=\"{}\"", name, number(c.opacity)) : std::string();
}

std::string fill_of(const Colour& c) {
  return visible(c) ? " fill=\"" + hex(c) + '"' + opacity("fill-opacity", c) : " fill=\"none\"";
}

std::string stroke_of(const Pen& pen) {
  if (!visible(pen)) return "";
  std::string text = " stroke=\"" + hex(pen.colour) + '"' + opacity("stroke-opacity", pen.colour) + " stroke-width=\"" +
                     number(pen.width) + '"';
  std::string dashes;
  for (const double length : detail::dash_lengths(pen)) dashes += (dashes.empty() ? "" : " ") + number(length);
  if (!dashes.empty()) text += " stroke-dasharray=\"" + dashes + '"';
  return text;
}

// The same image in at least some hundred dots each way.
ImageMark magnified(const ImageMark& image) {
  constexpr int enough = 500;
  const int across = std::max(1, enough / image.columns), down = std::max(1, enough / image.rows);
  ImageMark large{image.place, across * image.columns, down * image.rows, {}};
  large.pixels.reserve(static_cast<std::size_t>(large.columns) * static_cast<std::size_t>(large.rows));
  for (int row = 0; row < large.rows; ++row) {
    for (int column = 0; column < large.columns; ++column) {
      large.pixels.push_back(
          image.pixels.at(static_cast<std::size_t>(row / down) * static_cast<std::size_t>(image.columns) +
                          static_cast<std::size_t>(column / across)));
    }
  }
  return large;
}

class Writer {
 public:
  explicit Writer(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string body(const Canvas& canvas) {
    for (const DrawingMark& mark : canvas.marks()) {
      std::visit([this](const auto& m) { write(m); }, mark);
    }
    for (; open_ > 0; --open_) text_ += "</g>\n";
    return std::move(text_);
  }

 private:
  void write(const PathMark& mark) {
    if (!visible(mark.pen) && !visible(mark.fill)) return;
    std::string path;
    std::string last;
    for (const Point& p : mark.points) {
      if (!detail::drawable(p)) continue;
      const std::string here = number(p[0]) + ' ' + number(p[1]);
      if (here == last && mark.points.size() > 2) continue;
      path += (path.empty() ? "M" : "L") + here;
      last = here;
    }
    if (path.empty()) return;
    text_ += "<path d=\"" + path + (mark.closed ? "Z\"" : "\"") + fill_of(mark.fill) + stroke_of(mark.pen) + "/>\n";
  }

  void write(const DiscMark& mark) {
    if (!detail::drawable(mark.centre)) return;
    text_ += "<circle cx=\"" + number(mark.centre[0]) + "\" cy=\"" + number(mark.centre[1]) + "\" r=\"" +
             number(mark.radius) + '"' + fill_of(mark.fill) + stroke_of(mark.pen) + "/>\n";
  }

  void write(const TextMark& mark) {
    if (!detail::drawable(mark.at)) return;
    const TextStyle& style = mark.style;
    const std::string x = number(mark.at[0]), y = number(mark.at[1]);
    text_ += "<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" + number(style.size) + '"' + fill_of(style.colour);
    if (style.anchor != Anchor::start) {
      text_ += style.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
    }
    if (style.bold) text_ += " font-weight=\"bold\"";
    if (style.turn != 0) text_ += " transform=\"rotate(" + number(-style.turn) + ' ' + x + ' ' + y + ")\"";
    // Without this, viewers drop blanks beside a change of letters.
    text_ += " xml:space=\"preserve\">";
    double baseline = 0;
    for (const detail::TextRun& run : detail::text_runs(mark.text)) {
      write(run, style.size, baseline);
      baseline = run.rise;
    }
    text_ += "</text>\n";
  }

  // A shift dy holds for all that follows, so each run states the change from the one before.
  void write(const detail::TextRun& run, double size, double baseline) {
    std::string attributes;
    if (run.rise != baseline) attributes += " dy=\"" + number((baseline - run.rise) * size) + '"';
    if (run.scale != 1) attributes += " font-size=\"" + number(run.scale * size) + '"';
    if (run.slanted) attributes += " font-style=\"italic\"";
    const std::string text = escaped(run.text);
    text_ += attributes.empty() ? text : "<tspan" + attributes + '>' + text + "</tspan>";
  }

  // Viewers know one or the other word for hard edges, and some none: those blur no more than a dot of a fine image.
  void write(const ImageMark& mark) {
    if (mark.columns <= 0 || mark.rows <= 0) return;
    text_ += "<image" + box(mark.place) +
             " preserveAspectRatio=\"none\" style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\" "
             "href=\"data:image/png;base64," +
             base64(detail::image_png(magnified(mark))) + "\"/>\n";
  }

  void write(const BeginClip& mark) {
    const std::string id = prefix_ + "-clip" + std::to_string(++clips_);
    text_ +=
        "<clipPath id=\"" + id + "\"><rect" + box(mark.place) + "/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
    ++open_;
  }

  void write(const EndClip&) {
    if (open_ == 0) return;
    text_ += "</g>\n";
    --open_;
  }

  static std::string box(const Rectangle& r) {
    return " x=\"" + number(r.x) + "\" y=\"" + number(r.y) + "\" width=\"" + number(r.width) + "\" height=\"" +
           number(r.height) + '"';
  }

  std::string prefix_, text_;
  int clips_ = 0, open_ = 0;
};

// FNV-1a, 64 bits.
std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 14695981039346656037U;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return h;
}

std::string head(const std::string& name, const std::string& id, const std::string& text) {
  return text.empty() ? ""
                      : '<' + name + " id=\"" + id + "\">" + escaped(detail::plain_text(text)) + "</" + name + ">\n";
}

}  // namespace

std::string to_svg(const Canvas& canvas, const std::string& title, const std::string& description) {
  // Names inside the picture begin with a hash of it: several pictures may stand in one page.
  const std::string prefix = fmt::format("f{:016x}", hash(title + '\n' + description + '\n' + Writer("").body(canvas)));
  const std::string w = number(canvas.width()), h = number(canvas.height());
  std::string labels;
  if (!title.empty()) labels += prefix + "-title";
  if (!description.empty()) labels += (labels.empty() ? "" : " ") + prefix + "-desc";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "pt\" height=\"" + h + "pt\" viewBox=\"0 0 " + w +
         ' ' + h + "\" role=\"img\"" + (labels.empty() ? "" : " aria-labelledby=\"" + labels + '"') +
         " font-family=\"'DejaVu Sans', Verdana, sans-serif\" stroke-linejoin=\"round\">\n" +
         head("title", prefix + "-title", title) + head("desc", prefix + "-desc", description) + "<rect width=\"" + w +
         "\" height=\"" + h + "\" fill=\"#ffffff\"/>\n" + Writer(prefix).body(canvas) + "</svg>\n";
}

}  // namespace painleve
