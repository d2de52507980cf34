#include "painleve/scene/toml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>

namespace painleve::detail {
namespace {

constexpr std::size_t widest_line = 120;
constexpr int on_one_line = std::numeric_limits<int>::min();  // a level: nothing is broken, however wide

std::string indented(int level) { return std::string(static_cast<std::size_t>(4 * std::max(level, 0)), ' '); }

// The shortest digits that are read again as the same number (toml++ writes 0.9 as 0.90000000000000002). What is whole
// keeps a point: it was not written as a whole number.
std::string number_text(double number) {
  std::string text = fmt::format("{}", number);
  if (std::isfinite(number) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Line breaks in strings are escaped: toml++ would write some strings so that they are lost, and others so that they
// are not read again.
std::string leaf_text(const toml::node& leaf) {
  if (const auto* number = leaf.as_floating_point()) return number_text(number->get());
  using Flags = toml::format_flags;
  const auto* words = leaf.as_string();
  const bool breaks = words != nullptr && words->get().find('\n') != std::string::npos;
  const Flags flags = breaks ? ~(Flags::allow_literal_strings | Flags::allow_multi_line_strings) : ~Flags::none;
  std::ostringstream text;
  text << toml::toml_formatter{leaf, toml::toml_formatter::default_flags & flags};
  return text.str();
}

std::string key_text(std::string_view key) {
  constexpr std::string_view bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (!key.empty() && key.find_first_not_of(bare) == std::string_view::npos) return std::string(key);
  return leaf_text(toml::value<std::string>{std::string(key)});
}

std::string value_text(const toml::node& node, int level);

std::string line_of(const toml::array& list) {
  std::string text = "[";
  for (const toml::node& entry : list) text += (text.size() > 1 ? ", " : " ") + value_text(entry, on_one_line);
  return text + " ]";
}

std::string list_text(const toml::array& list, int level) {
  if (list.empty()) return "[]";
  std::string line = line_of(list);
  if (level == on_one_line || indented(level).size() + line.size() < widest_line) return line;
  std::string text = "[";
  const int below = std::max(level, 0) + 1;
  for (const toml::node& entry : list)
    text += (text.size() > 1 ? ",\n" : "\n") + indented(below) + value_text(entry, below);
  return text + "\n" + indented(level) + "]";
}

std::string inline_text(const toml::table& table, int level) {
  if (table.empty()) return "{}";
  std::string text = "{";
  for (const auto& [key, value] : table)
    text += (text.size() > 1 ? ", " : " ") + key_text(key.str()) + " = " + value_text(value, level);
  return text + " }";
}

std::string value_text(const toml::node& node, int level) {
  if (const auto* list = node.as_array()) return list_text(*list, level);
  if (const auto* table = node.as_table()) return inline_text(*table, level);
  return leaf_text(node);
}

// What stands below a header of its own: a table, or a list of tables.
bool is_section(const toml::node& node) {
  if (const auto* table = node.as_table()) return !table->is_inline();
  const auto* list = node.as_array();
  return list != nullptr && list->is_array_of_tables() && !list->get_as<toml::table>(0)->is_inline();
}

class Writer {
 public:
  // `level` of the table's own values; sections in it are one deeper.
  void write(const toml::table& table, const std::string& path, int level) {
    for (const auto& [key, value] : table) {
      if (is_section(value)) continue;
      if (!text_.empty()) text_ += '\n';
      text_ += indented(level) + key_text(key.str()) + " = " + value_text(value, level);
    }
    for (const auto& [key, value] : table)
      if (is_section(value) && value.is_table()) write_section(*value.as_table(), below(path, key), level);
    for (const auto& [key, value] : table)
      if (is_section(value) && value.is_array()) write_sections(*value.as_array(), below(path, key), level + 1);
  }
  std::string text() && { return std::move(text_); }

 private:
  static std::string below(const std::string& path, const toml::key& key) {
    return path + (path.empty() ? "" : ".") + key_text(key.str());
  }
  void write_header(const std::string& header, int level) {
    if (!text_.empty()) text_ += "\n\n";
    text_ += indented(level) + header;
  }
  // A table that holds only tables needs no header.
  void write_section(const toml::table& table, const std::string& path, int level) {
    const bool header = table.empty() || std::any_of(table.begin(), table.end(),
                                                     [](const auto& entry) { return !is_section(entry.second); });
    if (header) write_header("[" + path + "]", level + 1);
    write(table, path, header ? level + 1 : level);
  }
  void write_sections(const toml::array& list, const std::string& path, int level) {
    for (const toml::node& table : list) {
      write_header("[[" + path + "]]", level);
      write(*table.as_table(), path, level);
    }
  }

  std::string text_;
};

}  // namespace

std::string toml_text(const toml::table& table) {
  Writer writer;
  writer.write(table, "", -1);
  return std::move(writer).text();
}

}  // namespace painleve::detail
