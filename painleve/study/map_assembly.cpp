// From blocks to columns: words and reasons get their final, sorted numbers when all blocks are there.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "painleve/study/map_blocks.hpp"

namespace painleve {
namespace {

static_assert(std::endian::native == std::endian::little, "codes of fewer than four bytes are read as low bytes");

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t has_value = -1, not_computed = -2;
constexpr const char* interrupted = "not computed: the map was interrupted";

// Reads the bytes of a block and never past their end.
class BlockReader {
 public:
  explicit BlockReader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(std::size_t size) {
    if (size > bytes_.size() - at_) throw std::runtime_error("a block of the map is shorter than it says");
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  template <class Number>
  Number number() {
    Number x;
    std::memcpy(&x, take(sizeof x).data(), sizeof x);
    return x;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// Codes of any width.
class Codes {
 public:
  Codes(BlockReader& reader, std::size_t cells) : width_(reader.number<unsigned char>()) {
    if (width_ != 0 && width_ != 1 && width_ != 2 && width_ != 4)
      throw std::runtime_error("a block of the map has codes of an unknown width");
    bytes_ = reader.take(width_ * cells);
  }
  std::uint32_t operator[](std::size_t cell) const {
    std::uint32_t code = 0;
    std::memcpy(&code, bytes_.data() + width_ * cell, width_);
    return code;
  }

 private:
  std::size_t width_;
  std::string_view bytes_;
};

struct BlockColumn {
  std::string_view numbers;  // empty for words
  std::optional<Codes> words;
  Codes reasons;
};

struct DecodedBlock {
  std::vector<std::string> strings;
  std::vector<BlockColumn> columns;
};

DecodedBlock decode(const MapBlock& block, const std::vector<MapColumn>& columns) {
  const auto cells = static_cast<std::size_t>(block.last - block.first);
  BlockReader reader(block.bytes);
  DecodedBlock decoded;
  const auto count = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto length = reader.number<std::uint32_t>();
    decoded.strings.emplace_back(reader.take(length));
  }
  for (const auto& column : columns) {
    std::string_view numbers;
    std::optional<Codes> words;
    if (column.words)
      words.emplace(reader, cells);
    else
      numbers = reader.take(8 * cells);
    decoded.columns.push_back({numbers, words, Codes(reader, cells)});
    const BlockColumn& read = decoded.columns.back();
    for (std::size_t i = 0; i < cells; ++i)
      if (read.reasons[i] > count || (words && (*words)[i] > count))
        throw std::runtime_error("a block of the map names a string that it does not have");
  }
  if (!reader.at_end()) throw std::runtime_error("a block of the map is longer than it says");
  return decoded;
}

// Numbers provisional ids of a column by the alphabet: the place of each id that is used, and the sorted strings.
struct Alphabet {
  std::vector<std::int32_t> place;
  std::vector<std::string> strings;
};
Alphabet sorted(const std::vector<std::string>& strings, const std::vector<bool>& used) {
  std::vector<std::size_t> ids;
  for (std::size_t i = 0; i < strings.size(); ++i)
    if (used[i]) ids.push_back(i);
  std::sort(ids.begin(), ids.end(), [&](std::size_t a, std::size_t b) { return strings[a] < strings[b]; });
  Alphabet alphabet;
  alphabet.place.resize(strings.size());
  for (const std::size_t i : ids) {
    alphabet.place[i] = static_cast<std::int32_t>(alphabet.strings.size());
    alphabet.strings.push_back(strings[i]);
  }
  return alphabet;
}

void sort_words(const std::vector<std::string>& strings, MapColumn& column) {
  std::vector<bool> used(strings.size());
  for (const double id : column.values)
    if (!std::isnan(id)) used[static_cast<std::size_t>(id)] = true;
  const Alphabet alphabet = sorted(strings, used);
  for (double& id : column.values)
    if (!std::isnan(id)) id = alphabet.place[static_cast<std::size_t>(id)];
  column.names = alphabet.strings;
}

void sort_reasons(const std::vector<std::string>& strings, Map& map) {
  std::vector<bool> used(strings.size());
  for (const auto& column : map.columns) {
    for (const std::int32_t id : column.reasons)
      if (id >= 0) used[static_cast<std::size_t>(id)] = true;
  }
  const Alphabet alphabet = sorted(strings, used);
  for (auto& column : map.columns) {
    for (std::int32_t& id : column.reasons)
      if (id >= 0) id = alphabet.place[static_cast<std::size_t>(id)];
  }
  map.reasons = alphabet.strings;
}

}  // namespace

MapAssembly::MapAssembly(const MapProblem& problem, const Shard& shard) {
  const auto range = shard_cells(problem.cells(), shard);
  map_.axes = problem.axes;
  map_.fingerprint = problem.fingerprint();
  map_.first = range.first;
  map_.last = range.second;
  const auto cells = static_cast<std::size_t>(range.second - range.first);
  for (const auto& quantity : problem.quantities) {
    MapColumn column;
    column.quantity = quantity.name();
    column.unit = quantity.unit();
    column.words = quantity.words();
    column.values.assign(cells, none);
    column.reasons.assign(cells, not_computed);
    map_.columns.push_back(std::move(column));
  }
}

std::int32_t MapAssembly::id(const std::string& text) {
  const auto [at, is_new] = ids_.try_emplace(text, static_cast<std::int32_t>(strings_.size()));
  if (is_new) strings_.push_back(text);
  return at->second;
}

void MapAssembly::add(const MapBlock& block) {
  if (block.first < map_.first || block.last > map_.last || block.last <= block.first)
    throw std::runtime_error("a block of the map holds cells that are not of this shard");
  const DecodedBlock decoded = decode(block, map_.columns);
  std::vector<std::int32_t> ids;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& text : decoded.strings) ids.push_back(id(text));
  }
  const auto first = static_cast<std::size_t>(block.first - map_.first);
  const auto cells = static_cast<std::size_t>(block.last - block.first);
  for (std::size_t c = 0; c < map_.columns.size(); ++c) {
    MapColumn& column = map_.columns[c];
    const BlockColumn& from = decoded.columns[c];
    if (!column.words) std::memcpy(&column.values[first], from.numbers.data(), from.numbers.size());
    for (std::size_t i = 0; i < cells; ++i) {
      const std::uint32_t reason = from.reasons[i];
      column.reasons[first + i] = reason == 0 ? has_value : ids[reason - 1];
      if (!column.words) continue;
      const std::uint32_t word = (*from.words)[i];
      column.values[first + i] = word == 0 ? none : ids[word - 1];
    }
  }
}

Map MapAssembly::finish() {
  for (auto& column : map_.columns) {
    for (std::int32_t& reason : column.reasons) {
      if (reason != not_computed) continue;
      map_.complete = false;
      reason = id(interrupted);
    }
    if (column.words) sort_words(strings_, column);
  }
  sort_reasons(strings_, map_);
  return std::move(map_);
}

}  // namespace painleve
