#include "painleve/study/map_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace painleve {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class Number>
void append(std::string& bytes, Number x) {
  char raw[sizeof x];
  std::memcpy(raw, &x, sizeof x);
  bytes.append(raw, sizeof x);
}

template <class Number>
void append_narrow(std::string& bytes, const std::vector<std::uint32_t>& codes) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + codes.size() * sizeof(Number));
  char* to = bytes.data() + begin;
  for (const std::uint32_t code : codes) {
    const auto x = static_cast<Number>(code);
    std::memcpy(to, &x, sizeof x);
    to += sizeof x;
  }
}

// In as few bytes per cell as the largest code needs.
void append_codes(std::string& bytes, const std::vector<std::uint32_t>& codes) {
  const std::uint32_t most = codes.empty() ? 0 : *std::max_element(codes.begin(), codes.end());
  const unsigned width = most == 0 ? 0 : (most < 256 ? 1 : (most < 65536 ? 2 : 4));
  append(bytes, static_cast<unsigned char>(width));
  if (width == 1) append_narrow<std::uint8_t>(bytes, codes);
  if (width == 2) append_narrow<std::uint16_t>(bytes, codes);
  if (width == 4) append_narrow<std::uint32_t>(bytes, codes);
}

// Whether most cells come from the kernel alone, as far as some that are spread over the grid tell.
bool kernel_suffices(const MapProblem& problem) {
  constexpr long probes = 16;
  const MapGrid grid(problem.axes);
  CellValues values(problem);
  std::vector<double> x;
  long hits = 0;
  for (long k = 0; k < probes; ++k) {
    grid.point((grid.cells() - 1) * k / (probes - 1), x);
    values.move_to(x);
    bool all = true;
    for (std::size_t q = 0; q < problem.quantities.size(); ++q) all = all && values.kernel(q) >= 0;
    hits += all ? 1 : 0;
  }
  return 2 * hits > probes;
}

// How many cells make a block: at most some tenths of a second of work, so that little is lost when it is cut short,
// and not so many that cores are left without; where the kernel suffices, so many that a scene serves many frictions.
long block_cells(const MapProblem& problem) {
  auto cost = QuantityCost::contact;
  for (const auto& quantity : problem.quantities) cost = std::max(cost, quantity.cost());
  long most = 4;
  if (cost == QuantityCost::contact) most = 1L << 16;
  if (cost == QuantityCost::modes) most = 1L << 11;
  if (cost == QuantityCost::analysis) most = 1L << 10;
  long least = 1;
  long blocks = 64;
  if (cost != QuantityCost::simulation && kernel_suffices(problem)) {
    most = 1L << 18;
    least = 1L << 14;
    blocks = 16;
  }
  return std::clamp(problem.cells() / blocks, least, most);
}

}  // namespace

// ---- grid

MapGrid::MapGrid(const std::vector<MapAxis>& axes) {
  for (const auto& axis : axes) {
    std::vector<double> values;
    for (int i = 0; i < axis.count; ++i) values.push_back(axis.at(i));
    cells_ *= axis.count;
    values_.push_back(std::move(values));
  }
}

void MapGrid::point(long cell, std::vector<double>& x) const {
  x.resize(values_.size());
  for (std::size_t k = values_.size(); k-- > 0;) {
    const auto n = static_cast<long>(values_[k].size());
    x[k] = values_[k][static_cast<std::size_t>(cell % n)];
    cell /= n;
  }
}

std::vector<std::uint32_t> MapGrid::order(long first, long last, const std::vector<bool>& friction) const {
  std::vector<std::uint32_t> cells(static_cast<std::size_t>(last - first));
  std::iota(cells.begin(), cells.end(), 0U);
  const auto begin = std::find(friction.begin(), friction.end(), true);
  const bool together = std::find(begin, friction.end(), false) == friction.end();  // friction varies fastest, or never
  if (together) return cells;
  std::vector<long> scene(cells.size());  // the number of the cell on the axes that are not friction
  for (std::size_t i = 0; i < cells.size(); ++i) {
    long cell = first + static_cast<long>(i);
    long factor = 1;
    for (std::size_t k = values_.size(); k-- > 0;) {
      const auto n = static_cast<long>(values_[k].size());
      if (!friction[k]) {
        scene[i] += factor * (cell % n);
        factor *= n;
      }
      cell /= n;
    }
  }
  std::stable_sort(cells.begin(), cells.end(), [&](std::uint32_t a, std::uint32_t b) { return scene[a] < scene[b]; });
  return cells;
}

// ---- writing

BlockWriter::BlockWriter(const std::vector<Quantity>& quantities, std::size_t cells) {
  for (const auto& quantity : quantities) {
    Column column;
    column.words = quantity.words();
    if (column.words)
      column.codes.resize(cells);
    else
      column.numbers.assign(cells, none);
    column.reasons.resize(cells);
    columns_.push_back(std::move(column));
  }
}

std::uint32_t BlockWriter::code(const std::string& text) {
  const auto [at, is_new] = codes_.try_emplace(text, static_cast<std::uint32_t>(strings_.size() + 1));
  if (is_new) strings_.push_back(text);
  return at->second;
}

void BlockWriter::put(std::size_t quantity, std::size_t cell, const QuantityValue& value) {
  Column& column = columns_[quantity];
  if (value.word && column.words)
    column.codes[cell] = code(*value.word);
  else if (value.number && !column.words)
    column.numbers[cell] = *value.number;
  else
    column.reasons[cell] = code(value.reason);
}

void BlockWriter::put_kernel(std::size_t quantity, std::size_t cell, int number) {
  std::uint32_t& known = kernel_codes_[static_cast<std::size_t>(number)];
  if (known == 0) known = code(kernel_word(number));
  columns_[quantity].codes[cell] = known;
}

std::string BlockWriter::bytes() const {
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(strings_.size()));
  for (const auto& text : strings_) {
    append(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  for (const auto& column : columns_) {
    if (column.words) {
      append_codes(bytes, column.codes);
    } else {
      const std::size_t begin = bytes.size();
      bytes.resize(begin + 8 * column.numbers.size());
      std::memcpy(bytes.data() + begin, column.numbers.data(), 8 * column.numbers.size());
    }
    append_codes(bytes, column.reasons);
  }
  return bytes;
}

void compute_block(const MapProblem& problem, const MapGrid& grid, CellValues& values, MapBlock& block,
                   const std::function<bool()>& go_on) {
  constexpr std::size_t breath = 64;  // cells between two questions where all came from the kernel
  BlockWriter writer(problem.quantities, static_cast<std::size_t>(block.last - block.first));
  std::vector<double> x;
  std::size_t done = 0;
  for (const std::uint32_t cell : grid.order(block.first, block.last, values.friction())) {
    grid.point(block.first + cell, x);
    values.move_to(x);
    bool ask = ++done % breath == 0;
    for (std::size_t q = 0; q < problem.quantities.size(); ++q) {
      const int kernel = values.kernel(q);
      ask = ask || kernel < 0;
      if (kernel >= 0)
        writer.put_kernel(q, cell, kernel);
      else
        writer.put(q, cell, values.value(q));
    }
    if (ask && !go_on()) return;
  }
  block.bytes = writer.bytes();
}

std::pair<long, long> shard_cells(long cells, const Shard& shard) {
  const auto bound = [&](long k) { return cells / shard.count * k + cells % shard.count * k / shard.count; };
  return {bound(shard.index - 1), bound(shard.index)};
}

std::vector<MapBlock> map_blocks(const MapProblem& problem, const Shard& shard) {
  check(problem);
  check(shard);
  const auto range = shard_cells(problem.cells(), shard);
  const long size = block_cells(problem);
  std::vector<MapBlock> blocks;
  for (long first = range.first; first < range.second; first += size)
    blocks.push_back({first, std::min(first + size, range.second), {}});
  return blocks;
}

void compute_block(const MapProblem& problem, MapBlock& block) {
  check(problem);
  if (block.first < 0 || block.last <= block.first || block.last > problem.cells())
    throw std::invalid_argument("a block of cells that the map does not have");
  const MapGrid grid(problem.axes);
  CellValues values(problem);
  compute_block(problem, grid, values, block, [] { return true; });
}

Map assemble(const MapProblem& problem, const Shard& shard, const std::vector<MapBlock>& blocks) {
  check(problem);
  check(shard);
  MapAssembly assembly(problem, shard);
  for (const auto& block : blocks)
    if (!block.bytes.empty()) assembly.add(block);
  return assembly.finish();
}

}  // namespace painleve
