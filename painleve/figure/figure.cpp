// A sheet: title, panels row by row with letters, caption.
#include <algorithm>
#include <cmath>

#include "painleve/base/characters.hpp"
#include "painleve/base/error.hpp"
#include "painleve/figure/detail/panels.hpp"

namespace painleve {
namespace {

constexpr TextStyle sheet_title{11, Anchor::start, ink, 0, true}, panel_title{9.5, Anchor::start, ink, 0, true};
constexpr TextStyle caption_style{9};
constexpr double margin = 6, gap = 10, line_height = 12.5;

// a, b, …, z, aa, ab, …
std::string letters_of(std::size_t index) {
  std::string letters;
  for (std::size_t n = index + 1; n > 0; n = (n - 1) / 26) letters.insert(0, 1, static_cast<char>('a' + (n - 1) % 26));
  return letters;
}

double write_lines(Canvas& canvas, const std::vector<std::string>& lines, double y, const TextStyle& style) {
  for (const std::string& line : lines) {
    y += line_height;
    canvas.text({margin + 2, y}, line, style);
  }
  return y;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (detail::is_blank(c)) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace

std::vector<std::string> detail::wrapped(const std::string& text, double width, const TextStyle& style) {
  std::vector<std::string> lines;
  for (const std::string& word : words_of(text)) {
    if (!lines.empty() && text_width(lines.back() + ' ' + word, style) <= width) {
      lines.back() += ' ' + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

Rectangle detail::below_title(Canvas& canvas, const Rectangle& box, const std::string& letter,
                              const std::string& title) {
  if (letter.empty() && title.empty()) return box;
  const double indent = letter.empty() ? 2 : 2 + text_width(letter + "  ", panel_title);
  double y = box.y + 9.5;
  if (!letter.empty()) canvas.text({box.x + 2, y}, letter, panel_title);
  TextStyle style = panel_title;
  style.bold = false;
  const std::vector<std::string> lines = wrapped(title, box.width - indent - 4, style);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) y += line_height;
    canvas.text({box.x + indent, y}, lines[i], style);
  }
  const double height = y + 4 - box.y;
  return {box.x, box.y + height, box.width, box.height - height};
}

Canvas draw(const Figure& figure) {
  if (figure.columns < 1) throw InputError("a figure must have at least one column of panels");
  const auto columns =
      std::min(static_cast<std::size_t>(figure.columns), std::max<std::size_t>(1, figure.panels.size()));
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const auto n = static_cast<double>(columns);
  const double width = 2 * margin + n * figure.panel_width + (n - 1) * gap;
  const std::vector<std::string> title = detail::wrapped(figure.title, width - 2 * margin - 4, sheet_title);
  const std::vector<std::string> caption = detail::wrapped(figure.caption, width - 2 * margin - 4, caption_style);
  const auto height_of = [](const std::vector<std::string>& lines) {
    return lines.empty() ? 0 : 6 + line_height * static_cast<double>(lines.size());
  };
  const double top = margin + height_of(title);
  const double panels = static_cast<double>(rows) * (figure.panel_height + gap) - (rows > 0 ? gap : 0);
  Canvas canvas(width, top + panels + height_of(caption) + margin);
  write_lines(canvas, title, margin - 2, sheet_title);
  const bool lettered = figure.letters && figure.panels.size() > 1;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::size_t whole_rows = i / columns;
    const auto column = static_cast<double>(i % columns), row = static_cast<double>(whole_rows);
    const Rectangle box{margin + column * (figure.panel_width + gap), top + row * (figure.panel_height + gap),
                        figure.panel_width, figure.panel_height};
    const std::string letter = lettered ? "(" + letters_of(i) + ")" : "";
    std::visit([&](const auto& panel) { detail::draw_panel(canvas, panel, box, letter); }, figure.panels[i]);
  }
  write_lines(canvas, caption, top + panels + 3, caption_style);
  return canvas;
}

}  // namespace painleve
