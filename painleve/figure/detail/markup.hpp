#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The marks in drawn text: _{…} lowers, ^{…} raises, /…/ slants. They nest. What does not close, and slashes that
/// divide (m/s, 1/2, (a)/b), stand for themselves.
namespace painleve::detail {

struct TextRun {
  std::string text;
  double scale = 1;  // of the letters, relative to the size of the text
  double rise = 0;   // of the baseline, in sizes of the text
  bool slanted = false;

  friend bool operator==(const TextRun&, const TextRun&) = default;
};

std::vector<TextRun> text_runs(std::string_view text);

/// The same without its marks, for where no letters can be moved.
std::string plain_text(std::string_view text);

/// Bytes that are not UTF-8, and control characters, which neither SVG nor Cairo take, become U+FFFD; tabs and ends of
/// lines become blanks.
std::string clean_text(std::string_view text);

}  // namespace painleve::detail
