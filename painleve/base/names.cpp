#include "painleve/base/names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>

#include "painleve/base/characters.hpp"

namespace painleve {
namespace {

constexpr std::size_t kLongestQuote = 80;  // [bytes] longer text would hide the sentence around it
constexpr std::size_t kLongestList = 20;   // names that a reader still scans
constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

std::string without_separators(std::string_view name) {
  std::string result;
  std::copy_if(name.begin(), name.end(), std::back_inserter(result), [](char c) { return c != '-' && c != '_'; });
  return result;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), detail::to_lower);
  return text;
}

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// How far two names in lower case are apart: 0 the same, kFar unrelated.
std::size_t separation(std::string_view wanted, std::string_view name) {
  if (wanted == name) return 0;
  std::size_t result = kFar;
  const auto [shorter, longer] = std::minmax({wanted.size(), name.size()});
  const std::size_t allowed = std::min<std::size_t>(3, longer / 3);
  if (longer - shorter <= allowed) {
    const std::size_t edits = edit_distance(wanted, name);
    if (edits <= allowed) result = edits;
  }
  // Below these lengths nearly every list has a name with that beginning, and the hint would be noise.
  if (wanted.size() >= 2 && name.starts_with(wanted)) result = std::min<std::size_t>(result, 1);
  if (name.size() >= 3 && wanted.starts_with(name)) result = std::min<std::size_t>(result, 2);
  return result;
}

std::string listed(const std::vector<std::string>& known) {
  std::string result;
  for (std::size_t i = 0; i < known.size() && i < kLongestList; ++i) {
    if (i > 0) result += ", ";
    result += known[i];
  }
  if (known.size() > kLongestList) result += ", …";
  return result;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::size_t length = std::min(text.size(), kLongestQuote);
  // A cut inside a UTF-8 character would make the message invalid JSON.
  while (length < text.size() && length > 0 && detail::continues_character(text[length])) --length;
  std::string result = "'";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    result.push_back(byte < 0x20U || byte == 0x7FU ? '?' : c);
  }
  if (length < text.size()) result += "…";
  return result + "'";
}

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& known) {
  const std::string plain = without_separators(wanted);
  const std::string lower = lower_case(plain);
  if (plain.empty()) {
    return "";
  }
  std::string nearest;
  std::size_t smallest = kFar;
  for (const std::string& name : known) {
    const std::string candidate = without_separators(name);
    if (candidate == plain) return name;  // "N-m" is "Nm" and not "nm"
    const std::size_t distance = separation(lower, lower_case(candidate));
    if (distance < smallest) {
      smallest = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string unknown_name(std::string_view kind, std::string_view wanted, const std::vector<std::string>& known) {
  const std::string start = "unknown " + std::string(kind) + " " + in_quotes(wanted);
  if (known.empty()) return start + "; none are known";
  const std::string nearest = nearest_name(wanted, known);
  if (!nearest.empty()) return start + "; did you mean '" + nearest + "'?";
  return start + "; known are: " + listed(known);
}

}  // namespace painleve
