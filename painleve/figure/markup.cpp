#include "painleve/figure/detail/markup.hpp"

#include <cstdint>
#include <optional>

#include "painleve/base/characters.hpp"

namespace painleve::detail {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr double small_letters = 0.72;
constexpr double lowered = -0.22, raised = 0.36;

// The length of the well-formed UTF-8 character at the front, 0 where there is none. Longer spellings of a character
// than needed, surrogates and numbers beyond U+10FFFF are not well formed.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues_character(text[i])) return 0;
  }
  const unsigned second = byte(1);
  if (first == 0xE0 && second < 0xA0) return 0;
  if (first == 0xED && second > 0x9F) return 0;
  if (first == 0xF0 && second < 0x90) return 0;
  if (first == 0xF4 && second > 0x8F) return 0;
  return length;
}

bool forbidden(std::string_view character) {
  if (character.size() == 1) {
    const auto c = static_cast<unsigned char>(character.front());
    return c < 0x20 || c == 0x7F;
  }
  // U+0080 to U+009F are controls; U+FFFE and U+FFFF are no characters of XML.
  return (character.size() == 2 && character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0) ||
         character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

// Letters, digits and closing brackets: a slash after one of them divides. Beyond ASCII, letters lie below U+2000.
bool ends_operand(std::string_view text) {
  if (text.empty()) return false;
  const char last = text.back();
  if (is_letter(last) || is_digit(last) || last == ')' || last == ']' || last == '}') return true;
  if (!continues_character(last)) return false;
  std::size_t start = text.size() - 1;
  while (start > 0 && continues_character(text[start])) --start;
  const auto first = static_cast<unsigned char>(text[start]);
  return first >= 0xC3 && first < 0xE2;
}

bool begins_operand(std::string_view text) {
  if (text.empty()) return false;
  const auto first = static_cast<unsigned char>(text.front());
  return is_letter(text.front()) || is_digit(text.front()) || (first >= 0xC3 && first < 0xE2);
}

// Where the brace that is open at the start closes.
std::optional<std::size_t> closing_brace(std::string_view text) {
  int depth = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::nullopt;
}

// Where the slant that begins with the slash at `at` ends.
std::optional<std::size_t> closing_slash(std::string_view text, std::size_t at) {
  if (ends_operand(text.substr(0, at)) || !begins_operand(text.substr(at + 1))) return std::nullopt;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (is_blank(text[i])) return std::nullopt;
    if (text[i] == '{') {
      const auto brace = closing_brace(text.substr(i + 1));
      if (!brace) return std::nullopt;
      i += *brace + 1;
    } else if (text[i] == '/') {
      if (begins_operand(text.substr(i + 1))) return std::nullopt;
      return i;
    }
  }
  return std::nullopt;
}

class Reader {
 public:
  void read(std::string_view text, const TextRun& style) {
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t next = mark(text, i, style);
      if (next == i) put(text[i], style);
      i = next == i ? i + 1 : next;
    }
  }
  std::vector<TextRun> runs;

 private:
  // Reads the mark at `at`; returns the place after it, or `at` where there is none.
  std::size_t mark(std::string_view text, std::size_t at, const TextRun& style) {
    const char c = text[at];
    if ((c == '_' || c == '^') && at + 1 < text.size() && text[at + 1] == '{') {
      const auto end = closing_brace(text.substr(at + 2));
      if (!end) return at;
      TextRun inner = style;
      inner.rise += style.scale * (c == '_' ? lowered : raised);
      inner.scale *= small_letters;
      read(text.substr(at + 2, *end), inner);
      return at + 3 + *end;
    }
    if (c == '/' && !style.slanted) {
      const auto end = closing_slash(text, at);
      if (!end) return at;
      TextRun inner = style;
      inner.slanted = true;
      read(text.substr(at + 1, *end - at - 1), inner);
      return *end + 1;
    }
    return at;
  }

  void put(char c, const TextRun& style) {
    const bool same = !runs.empty() && runs.back().scale == style.scale && runs.back().rise == style.rise &&
                      runs.back().slanted == style.slanted;
    if (!same) {
      runs.push_back(style);
      runs.back().text.clear();
    }
    runs.back().text += c;
  }
};

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 1 && is_blank(character.front())) {
      clean += ' ';
    } else {
      clean += length == 0 || forbidden(character) ? replacement : character;
    }
    text.remove_prefix(character.size());
  }
  return clean;
}

std::vector<TextRun> text_runs(std::string_view text) {
  Reader reader;
  reader.read(clean_text(text), TextRun{});
  return reader.runs;
}

std::string plain_text(std::string_view text) {
  std::string plain;
  for (const TextRun& run : text_runs(text)) plain += run.text;
  return plain;
}

}  // namespace painleve::detail
