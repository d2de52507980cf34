// From blocks to columns: words and reasons get their final, sorted numbers when all blocks are there.
#include <sys/mman.h>

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>

#include "painleve/base/threads.hpp"
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
struct Codes {
  std::size_t width;
  std::string_view bytes;

  Codes(BlockReader& reader, std::size_t cells) : width(reader.number<unsigned char>()) {
    if (width != 0 && width != 1 && width != 2 && width != 4)
      throw std::runtime_error("a block of the map has codes of an unknown width");
    bytes = reader.take(width * cells);
  }
  // use(cell, code) for every cell, in order.
  template <class Use>
  void each(std::size_t cells, const Use& use) const {
    if (width == 0) run<0>(cells, use);
    if (width == 1) run<1>(cells, use);
    if (width == 2) run<2>(cells, use);
    if (width == 4) run<4>(cells, use);
  }
  // use(begin, end, code) for every run of cells with the same code, or for parts of it, in order.
  template <class Use>
  void each_run(std::size_t cells, const Use& use) const {
    if (width != 1) {
      each(cells, [&](std::size_t i, std::uint32_t code) { use(i, i + 1, code); });
      return;
    }
    for (std::size_t i = 0, end = 0; i < cells; i = end) {
      end = run_end(i);
      use(i, end, static_cast<unsigned char>(bytes[i]));
    }
  }
  // Which of the codes 0 to `count` occur; throws where there is another.
  std::vector<char> occurring(std::size_t cells, std::uint32_t count) const {
    if (width == 0) return {};
    std::vector<char> used(width == 1 ? 256 : std::size_t{count} + 1);
    bool known = true;
    each_run(cells, [&](std::size_t, std::size_t, std::uint32_t code) {
      if (code < used.size())
        used[code] = 1;
      else
        known = false;
    });
    known = known && std::find(used.begin() + std::min<std::ptrdiff_t>(std::ssize(used), std::ptrdiff_t{count} + 1),
                               used.end(), 1) == used.end();
    if (!known) throw std::runtime_error("a block of the map names a string that it does not have");
    return used;
  }

 private:
  // Where the run of equal bytes ends that begins at `from`: words fill regions, so that runs are long.
  std::size_t run_end(std::size_t from) const {
    const std::uint64_t same = static_cast<unsigned char>(bytes[from]) * 0x0101010101010101U;
    std::size_t i = from;
    for (std::uint64_t eight = 0; i + 8 <= bytes.size(); i += 8) {
      std::memcpy(&eight, bytes.data() + i, 8);
      if (eight != same) break;
    }
    while (i < bytes.size() && bytes[i] == bytes[from]) ++i;
    return i;
  }
  template <std::size_t size, class Use>
  void run(std::size_t cells, const Use& use) const {
    for (std::size_t i = 0; i < cells; ++i) {
      std::uint32_t code = 0;
      std::memcpy(&code, bytes.data() + size * i, size);
      use(i, code);
    }
  }
};

struct BlockColumn {
  std::string_view numbers;  // empty for words
  std::optional<Codes> words;
  Codes reasons;
  std::vector<char> used_words, used_reasons;  // by code
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
    decoded.columns.push_back({numbers, words, Codes(reader, cells), {}, {}});
    BlockColumn& read = decoded.columns.back();
    if (words) read.used_words = words->occurring(cells, count);
    read.used_reasons = read.reasons.occurring(cells, count);
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

// Words fill regions, so that the id before is mostly the same.
void put_places(const std::vector<double>& place, std::span<double> ids) {
  double id = 0;
  double there = place[0];
  for (double& value : ids) {
    if (value != id) {
      if (std::isnan(value)) continue;
      id = value;
      there = place[static_cast<std::size_t>(id)];
    }
    value = there;
  }
}

// Provisional ids of a column become places in the alphabet.
void sort_words(const std::vector<std::string>& strings, const std::vector<bool>& used, std::size_t threads,
                MapColumn& column) {
  const Alphabet alphabet = sorted(strings, used);
  bool in_place = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    in_place = in_place && (!used[i] || alphabet.place[i] == static_cast<std::int32_t>(i));
  column.names = alphabet.strings;
  if (in_place) return;
  const std::vector<double> place(alphabet.place.begin(), alphabet.place.end());
  const std::span<double> ids(column.values);
  constexpr std::size_t piece = 1U << 18U;
  std::atomic<std::size_t> next = 0;
  in_threads(std::min(threads, ids.size() / piece + 1), [&](bool) {
    for (std::size_t at = next.fetch_add(piece); at < ids.size(); at = next.fetch_add(piece))
      put_places(place, ids.subspan(at, std::min(piece, ids.size() - at)));
  });
}

// Large vectors are asked for in large pages: to touch each small one for the first time takes as long as a verdict
// takes for all of its cells.
template <class Value>
void fill_new(std::vector<Value>& list, std::size_t count, Value value) {
  list.reserve(count);
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20U;
  const auto begin = (reinterpret_cast<std::uintptr_t>(list.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(list.data()) + count * sizeof(Value)) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish, no more
#endif
  list.assign(count, value);
}

void sort_reasons(const std::vector<std::string>& strings, const std::vector<bool>& used, Map& map) {
  if (std::find(used.begin(), used.end(), true) == used.end()) return;
  const Alphabet alphabet = sorted(strings, used);
  for (auto& column : map.columns) {
    for (std::int32_t& id : column.reasons)
      if (id >= 0) id = alphabet.place[static_cast<std::size_t>(id)];
  }
  map.reasons = alphabet.strings;
}

}  // namespace

MapAssembly::MapAssembly(const MapProblem& problem, const Shard& shard) : used_words_(problem.quantities.size()) {
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
    fill_new(column.values, cells, none);
    fill_new(column.reasons, cells, not_computed);
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
  std::vector<std::int32_t> ids = {has_value};  // by code
  {
    const std::lock_guard lock(mutex_);
    for (const auto& text : decoded.strings) ids.push_back(id(text));
    blocks_[block.first] = block.last;
    for (std::size_t c = 0; c < map_.columns.size(); ++c) {
      mark(decoded.columns[c].used_words, ids, used_words_[c]);
      mark(decoded.columns[c].used_reasons, ids, used_reasons_);
    }
  }
  std::vector<double> words = {none};  // by code
  for (std::size_t i = 1; i < ids.size(); ++i) words.push_back(ids[i]);
  const auto first = static_cast<std::size_t>(block.first - map_.first);
  const auto cells = static_cast<std::size_t>(block.last - block.first);
  for (std::size_t c = 0; c < map_.columns.size(); ++c) {
    const BlockColumn& from = decoded.columns[c];
    double* const values = map_.columns[c].values.data() + first;
    std::int32_t* const reasons = map_.columns[c].reasons.data() + first;
    if (from.words) {
      from.words->each_run(cells, [&](std::size_t begin, std::size_t end, std::uint32_t code) {
        Eigen::Map<Eigen::ArrayXd>(values + begin, static_cast<Eigen::Index>(end - begin)).setConstant(words[code]);
      });
    } else {
      std::memcpy(values, from.numbers.data(), from.numbers.size());
    }
    if (from.reasons.width == 0)
      std::memset(reasons, 0xff, cells * sizeof *reasons);  // has_value
    else
      from.reasons.each(cells, [&](std::size_t i, std::uint32_t code) { reasons[i] = ids[code]; });
  }
}

// Of the strings that a block uses, code by code.
void MapAssembly::mark(const std::vector<char>& codes, const std::vector<std::int32_t>& ids, std::vector<bool>& used) {
  for (std::size_t code = 1; code < codes.size(); ++code) {
    if (codes[code] == 0) continue;
    const auto i = static_cast<std::size_t>(ids[code]);
    if (used.size() <= i) used.resize(i + 1);
    used[i] = true;
  }
}

bool MapAssembly::has_all() const {
  long at = map_.first;
  for (const auto& [first, last] : blocks_)
    if (first <= at) at = std::max(at, last);
  return at == map_.last;
}

Map MapAssembly::finish(std::size_t threads) {
  map_.complete = has_all();
  if (!map_.complete) {
    const std::int32_t reason = id(interrupted);
    used_reasons_.resize(strings_.size());
    used_reasons_[static_cast<std::size_t>(reason)] = true;
    for (auto& column : map_.columns) std::replace(column.reasons.begin(), column.reasons.end(), not_computed, reason);
  }
  used_reasons_.resize(strings_.size());
  for (std::size_t c = 0; c < map_.columns.size(); ++c) {
    used_words_[c].resize(strings_.size());
    if (map_.columns[c].words) sort_words(strings_, used_words_[c], threads, map_.columns[c]);
  }
  sort_reasons(strings_, used_reasons_, map_);
  return std::move(map_);
}

}  // namespace painleve
