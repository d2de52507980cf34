#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// ASCII classes written out, because those of <cctype> depend on the locale and are undefined for negative char.
namespace painleve::detail {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether the byte lies inside a UTF-8 character, where no text may be cut.
constexpr bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

/// Foreign words as one line, without anything that a terminal would obey.
inline std::string one_line(std::string_view text) {
  std::string line(trimmed(text));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return line;
}

/// The first UTF-8 character of a text that is not empty.
constexpr std::string_view first_character(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && continues_character(text[length])) {
    ++length;
  }
  return text.substr(0, length);
}

}  // namespace painleve::detail
