#include "painleve/scene/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/names.hpp"
#include "painleve/base/quantity.hpp"

namespace painleve::detail {
namespace {

[[noreturn]] void reject(const toml::node& node, const std::string& origin, const std::string& path,
                         const std::string& why) {
  throw InputError(fmt::format("{} {}", where(node, origin, path), why));
}

// toml++ 3.3 takes it for granted that no character from U+FB26 to U+FEFE stands where blanks may: what it then does is
// undefined.
bool holds_unforeseen_character(const std::string& text) {
  for (std::size_t i = text.find('\xEF'); i != std::string::npos && i + 2 < text.size(); i = text.find('\xEF', i + 1)) {
    const auto bits = [&](std::size_t k) { return static_cast<unsigned char>(text[k]) & 0x3FU; };
    const unsigned c = 0xF000U | (bits(i + 1) << 6U) | bits(i + 2);
    if (c >= 0xFB26U && c <= 0xFEFEU) return true;
  }
  return false;
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& origin) {
  if (holds_unforeseen_character(text))
    throw InputError(origin +
                     " holds a character from U+FB26 to U+FEFE (Arabic presentation forms, variation selectors), which "
                     "cannot be read");
  return toml::parse(text, origin);
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
