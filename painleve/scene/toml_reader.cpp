#include "painleve/scene/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "painleve/base/characters.hpp"
#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"

namespace painleve::detail {
namespace {

[[noreturn]] void reject(const toml::node& node, const std::string& origin, const std::string& path,
                         const std::string& why) {
  throw InputError(fmt::format("{} {}", where(node, origin, path), why));
}

// The first character beyond ASCII that stands outside strings and comments, or after a backslash. TOML allows none
// there, and toml++ 3.3 takes it for granted that some of them do not come: what it does with those is undefined. A
// mark begins a string only where a key or a value may begin: in `+"µ"` it is part of a word.
std::size_t stray_character(std::string_view text) {
  const auto foreign = [&](std::size_t i) { return i < text.size() && static_cast<unsigned char>(text[i]) >= 0x80U; };
  std::string_view quote;  // one or three marks: what ends the string that i lies in; empty: none
  bool comment = false;
  char before = '\n';  // the last character outside strings and comments that is no blank
  for (std::size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      comment = false;
      if (quote.size() != 3) before = c;
      if (quote.size() == 1) quote = {};
    } else if (comment) {
      continue;
    } else if (quote.empty()) {
      if (foreign(i)) return i;
      comment = c == '#';
      if ((c == '"' || c == '\'') && std::string_view("\n=[{,.").find(before) != std::string_view::npos) {
        quote = text.substr(i, text.substr(i, 3) == std::string(3, c) ? 3 : 1);
        i += quote.size() - 1;
      }
      if (c != ' ' && c != '\t') before = c;
    } else if (c == '\\' && quote.front() == '"') {
      if (foreign(++i)) return i;
    } else if (text.substr(i, quote.size()) == quote) {
      i += quote.size() - 1;
      for (int more = 0; quote.size() == 3 && more < 2 && text.substr(i + 1, 1) == quote.substr(0, 1); ++more) ++i;
      quote = {};
    }
  }
  return std::string_view::npos;
}

toml::source_position position(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return !continues_character(c); });
  return {static_cast<toml::source_index>(lines + 1), static_cast<toml::source_index>(columns + 1)};
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& origin) {
  const std::size_t stray = stray_character(text);
  if (stray == std::string_view::npos) return toml::parse(text, origin);
  const toml::source_position at = position(text, stray);
  throw toml::parse_error("characters beyond ASCII may stand only in strings and comments", {at, at, {}});
}

std::string where(const toml::node& node, const std::string& origin, const std::string& path) {
  const auto& begin = node.source().begin;
  if (begin.line == 0) return path;  // set from outside a file
  return fmt::format("{}, line {}, column {}: {}", origin, begin.line, begin.column, path);
}

double read_number(const toml::node& node, const std::string& unit, const std::string& origin,
                   const std::string& path) {
  double value = 0;
  if (const auto* text = node.as_string()) {
    try {
      value = parse_quantity(text->get(), unit);
    } catch (const InputError& error) {
      reject(node, origin, path, fmt::format("cannot be read: {}", error.what()));
    }
  } else if (const auto* number = node.as_floating_point()) {
    value = number->get();
  } else if (const auto* whole = node.as_integer()) {
    value = static_cast<double>(whole->get());  // value<double>() has none for whole numbers beyond 2^53
  } else {
    reject(node, origin, path, "must be a number, or a number with a unit in quotes");
  }
  if (!std::isfinite(value)) reject(node, origin, path, "must be a finite number");
  return value;
}

bool read_bool(const toml::node& node, const std::string& origin, const std::string& path) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  reject(node, origin, path, "must be true or false");
}

std::string read_word(const toml::node& node, const std::string& origin, const std::string& path,
                      const std::vector<std::string>& allowed) {
  const auto* text = node.as_string();
  if (text == nullptr) reject(node, origin, path, "must be a word in quotes");
  if (std::find(allowed.begin(), allowed.end(), text->get()) == allowed.end())
    reject(node, origin, path, "is an " + unknown_name("choice", text->get(), allowed));
  return text->get();
}

Eigen::VectorXd read_vector(const toml::node& node, const std::string& unit, const std::string& origin,
                            const std::string& path) {
  const auto* list = node.as_array();
  if (list == nullptr) return Eigen::VectorXd::Constant(1, read_number(node, unit, origin, path));
  Eigen::VectorXd v(static_cast<Eigen::Index>(list->size()));
  for (std::size_t i = 0; i < list->size(); ++i)
    v(static_cast<Eigen::Index>(i)) = read_number((*list)[i], unit, origin, fmt::format("{}[{}]", path, i));
  return v;
}

Eigen::MatrixXd read_matrix(const toml::node& node, const std::string& origin, const std::string& path) {
  const auto* rows = node.as_array();
  if (rows == nullptr || rows->empty()) reject(node, origin, path, "must be a list of rows, [[…], […]]");
  Eigen::MatrixXd m;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if (!(*rows)[i].is_array()) reject((*rows)[i], origin, path, "must be a list of rows, [[…], […]]");
    const Eigen::VectorXd row = read_vector((*rows)[i], "", origin, fmt::format("{}[{}]", path, i));
    if (i == 0) m.resize(static_cast<Eigen::Index>(rows->size()), row.size());
    if (row.size() != m.cols()) reject((*rows)[i], origin, path, "has rows of different length");
    m.row(static_cast<Eigen::Index>(i)) = row.transpose();
  }
  return m;
}

const toml::table& read_table(const toml::node& node, const std::string& origin, const std::string& path) {
  if (const auto* table = node.as_table()) return *table;
  reject(node, origin, path, fmt::format("must be a table, written [{}]", path));
}

void reject_key(const toml::key& key, const toml::node& node, const std::string& origin, const std::string& path,
                const std::vector<std::string>& known) {
  const auto& begin = key.source().begin.line != 0 ? key.source().begin : node.source().begin;
  const std::string full = path.empty() ? std::string(key.str()) : path + "." + std::string(key.str());
  const std::string place =
      begin.line == 0 ? "" : fmt::format("{}, line {}, column {}: ", origin, begin.line, begin.column);
  throw InputError(place + unknown_name("key", full, known));
}

}  // namespace painleve::detail
