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
// quotation mark begins a string only where a key or a value may begin; elsewhere it is part of a word (`+"µ"`).
class StrayCharacter {
 public:
  explicit StrayCharacter(std::string_view text) : text_(text) {}

  std::size_t find() {
    for (i_ = text_.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0; i_ < text_.size(); ++i_) {
      if (text_[i_] == '#') {  // a comment
        i_ = text_.find('\n', i_);
        if (i_ == std::string_view::npos) break;
      }
      if (begins_string()) {
        before_ = text_[i_];
        if (!skip_string()) return i_;
      } else if (foreign()) {
        return i_;
      } else {
        read(text_[i_]);
      }
    }
    return std::string_view::npos;
  }

 private:
  bool foreign() const { return i_ < text_.size() && static_cast<unsigned char>(text_[i_]) >= 0x80U; }

  bool begins_string() const {
    const bool mark = text_[i_] == '"' || text_[i_] == '\'';
    return mark && !word_ && std::string_view(value_ ? "\n=[," : "\n[{,.").find(before_) != std::string_view::npos;
  }

  // Goes to the end of the string that begins here; false at a character that may not stand in it.
  bool skip_string() {
    const bool is_long = text_.substr(i_, 3) == std::string(3, text_[i_]);
    const std::string_view quote = text_.substr(i_, is_long ? 3 : 1);
    for (i_ += quote.size(); i_ < text_.size(); ++i_) {
      if (text_[i_] == '\n' && !is_long) {
        --i_;  // not ended: the line is
        return true;
      }
      if (text_[i_] == '\\' && quote.front() == '"') {
        ++i_;
        if (foreign()) return false;
      } else if (text_.substr(i_, quote.size()) == quote) {
        i_ += quote.size() - 1;
        for (int more = 0; is_long && more < 2 && text_.substr(i_ + 1, 1) == quote.substr(0, 1); ++more) ++i_;
        return true;
      }
    }
    return true;
  }

  // A character outside strings and comments: where it leaves keys, values and words.
  void read(char c) {
    if (c == ' ' || c == '\t') {
      word_ = false;
      return;
    }
    before_ = c;
    if (c == '\n') {
      word_ = false;
      if (open_.empty()) value_ = false;
    } else if (value_ && (c == ',' || c == ']' || c == '}')) {
      word_ = false;
      if (c != ',' && !open_.empty()) open_.pop_back();
      value_ = c != ',' || open_.empty() || open_.back() == '[';
    } else if (value_ && !word_ && (c == '[' || c == '{')) {
      open_ += c;
      value_ = c == '[';
    } else if (!value_ && c == '=') {
      value_ = true;
    } else if (!value_ && c == '}' && !open_.empty()) {
      open_.pop_back();
      value_ = true;
    } else {
      word_ = value_;
    }
  }

  std::string_view text_;
  std::size_t i_ = 0;
  std::string open_;    // brackets of arrays and inline tables
  bool value_ = false;  // right of an equals sign
  bool word_ = false;   // within a value that is no string
  char before_ = '\n';  // the last character that is no blank
};

toml::source_position position(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return !continues_character(c); });
  return {static_cast<toml::source_index>(lines + 1), static_cast<toml::source_index>(columns + 1)};
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& origin) {
  const std::size_t stray = StrayCharacter(text).find();
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
