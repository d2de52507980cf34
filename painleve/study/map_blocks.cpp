#include "painleve/study/map_blocks.hpp"

#include <algorithm>
#include <cmath>
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

// Where the run of equal bytes ends that begins at `from`: verdicts fill regions, so that runs are long.
std::size_t run_end(std::span<const VerdictByte> bytes, std::size_t from) {
  std::uint64_t eight = 0;
  std::size_t i = from;
  const std::uint64_t same = bytes[from] * 0x0101010101010101U;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::memcpy(&eight, bytes.data() + i, 8);
    if (eight != same) break;
  }
  while (i < bytes.size() && bytes[i] == bytes[from]) ++i;
  return i;
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

void CodeColumn::widen() {
  wide_.assign(narrow_.begin(), narrow_.end());
  narrow_ = {};
}

void CodeColumn::set_run(std::size_t cell, std::size_t count, std::uint32_t code) {
  if (code <= 0xff && wide_.empty()) {
    any_ = true;
    std::memset(narrow_.data() + cell, static_cast<int>(code), count);
  } else {
    for (std::size_t i = 0; i < count; ++i) set(cell + i, code);
  }
}

void CodeColumn::append_to(std::string& bytes) const {
  const std::uint32_t most = wide_.empty() ? 0 : *std::max_element(wide_.begin(), wide_.end());
  const unsigned width = !any_ ? 0 : (wide_.empty() ? 1 : (most < 65536 ? 2 : 4));
  append(bytes, static_cast<unsigned char>(width));
  if (width == 1) bytes.append(reinterpret_cast<const char*>(narrow_.data()), narrow_.size());
  if (width == 2) append_narrow<std::uint16_t>(bytes, wide_);
  if (width == 4) append_narrow<std::uint32_t>(bytes, wide_);
}

BlockWriter::BlockWriter(const std::vector<Quantity>& quantities, std::size_t cells) {
  for (const auto& quantity : quantities) {
    const bool words = quantity.words();
    columns_.push_back({words,
                        quantity.key() == "consistent_modes",
                        std::vector<double>(words ? 0 : cells, none),
                        CodeColumn(words ? cells : 0),
                        CodeColumn(cells),
                        {}});
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
    column.codes.set(cell, code(*value.word));
  else if (value.number && !column.words)
    column.numbers[cell] = *value.number;
  else
    column.reasons.set(cell, code(value.reason));
}

void BlockWriter::put_kernel(std::size_t quantity, std::size_t cell, int number) {
  std::uint32_t& known = kernel_codes_[static_cast<std::size_t>(number)];
  if (known == 0) known = code(kernel_word(number));
  columns_[quantity].codes.set(cell, known);
}

void BlockWriter::put_bytes(std::size_t quantity, std::size_t cell, std::span<const VerdictByte> bytes) {
  Column& column = columns_[quantity];
  for (std::size_t i = 0; i < bytes.size();) {
    const VerdictByte byte = bytes[i];
    const std::size_t end = run_end(bytes, i);
    std::uint32_t& known = column.byte_codes[byte];
    if (known == 0 && byte != undecided)
      known = code(kernel_word(column.modes ? modes_number(byte) : verdict_number(byte)));
    if (byte != undecided) column.codes.set_run(cell + i, end - i, known);
    i = end;
  }
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
      column.codes.append_to(bytes);
    } else {
      const std::size_t begin = bytes.size();
      bytes.resize(begin + 8 * column.numbers.size());
      std::memcpy(bytes.data() + begin, column.numbers.data(), 8 * column.numbers.size());
    }
    column.reasons.append_to(bytes);
  }
  return bytes;
}

namespace {

// One block, line by line or cell by cell.
class BlockRun {
 public:
  BlockRun(const MapProblem& problem, const MapGrid& grid, CellValues& values, const MapBlock& block,
           const std::function<bool()>& go_on)
      : quantities_(problem.quantities.size()),
        grid_(grid),
        values_(values),
        first_(block.first),
        last_(block.last),
        go_on_(go_on),
        writer_(problem.quantities, static_cast<std::size_t>(block.last - block.first)) {}

  // Both are false when it was given up.
  bool by_cells() {
    constexpr std::size_t breath = 64;  // cells between two questions where all came from the kernel
    std::size_t done = 0;
    for (const std::uint32_t offset : grid_.order(first_, last_, values_.friction())) {
      const bool kernel = put_cell(first_ + offset);
      if ((!kernel || ++done % breath == 0) && !go_on_()) return false;
    }
    return true;
  }

  bool by_lines(const MapLines& lines) {
    return prepare(lines) &&
           for_strips(lines, [&](long cell, long width, long count) { return put_lines(lines, cell, width, count); });
  }

  std::string bytes() const { return writer_.bytes(); }

 private:
  // Lines that are neighbours and reach equally far into the block are taken together: `width` of them, and of each the
  // `count` cells from `cell` on. Ends where `visit` returns false, and returns that.
  template <class Visit>
  bool for_strips(const MapLines& lines, const Visit& visit) const {
    constexpr long most = 64;  // as many bytes as a cache fetches at once
    const long stride = lines.stride(), slab = stride * lines.count();
    const auto before = [&](long bound, long line) {  // cells of the line
      return std::min((std::max(bound - line, 0L) + stride - 1) / stride, lines.count());
    };
    for (long begin = first_ / slab * slab; begin < last_; begin += slab) {
      for (long line = begin, end = begin; line < begin + stride; line = end) {
        const long from = before(first_, line), to = before(last_, line);
        do ++end;
        while (end < std::min(begin + stride, line + most) && before(first_, end) == from && before(last_, end) == to);
        if (from < to && !visit(line + from * stride, end - line, to - from)) return false;
      }
    }
    return true;
  }

  // Blocks that are computed at the same time often need the same models. Each begins somewhere else, so that nobody
  // waits for a model while there are others to be made.
  bool prepare(const MapLines& lines) {
    std::vector<long> cells;
    for_strips(lines, [&](long cell, long width, long) {
      for (long w = 0; w < width; ++w) cells.push_back(cell + w);
      return true;
    });
    constexpr double golden = 0.6180339887498949;
    const long block = first_ / std::max(last_ - first_, 1L);
    const double turns = golden * static_cast<double>(block);
    const auto begin = static_cast<std::size_t>((turns - std::floor(turns)) * static_cast<double>(cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const long cell = cells[(begin + i) % cells.size()];
      if (!lines.claim(cell)) continue;
      grid_.point(cell, x_);
      lines.prepare(values_, cell, x_);
      if (!go_on_()) return false;
    }
    return true;
  }

  // Whether the kernel had all of it.
  bool put_cell(long cell) {
    const auto offset = static_cast<std::size_t>(cell - first_);
    bool all = true;
    grid_.point(cell, x_);
    values_.move_to(x_);
    for (std::size_t q = 0; q < quantities_; ++q) {
      const int kernel = values_.kernel(q);
      all = all && kernel >= 0;
      if (kernel >= 0)
        writer_.put_kernel(q, offset, kernel);
      else
        writer_.put(q, offset, values_.value(q));
    }
    return all;
  }

  // `count` cells each of `width` lines, from `cell` on.
  bool put_lines(const MapLines& lines, long cell, long width, long count) {
    if (!go_on_()) return false;
    bytes_.resize(static_cast<std::size_t>(count));
    tile_.resize(static_cast<std::size_t>(width * count));
    for (long w = 0; w < width; ++w) {
      auto& to = width == 1 ? tile_ : bytes_;
      grid_.point(cell + w, x_);
      lines.decide(values_, cell + w, x_, to);
      for (std::size_t i = 0; width > 1 && i < bytes_.size(); ++i)
        tile_[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(w)] = bytes_[i];
    }
    // Cells that follow each other: all of one line, or one of each line.
    const long row = lines.stride() == 1 ? count : width;
    const auto cell_of = [&](long i) { return cell + i / row * lines.stride() + i % row; };
    for (long i = 0; i < width * count; i += row) {
      const auto bytes = std::span(tile_).subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(row));
      for (std::size_t q = 0; q < quantities_; ++q)
        writer_.put_bytes(q, static_cast<std::size_t>(cell_of(i) - first_), bytes);
    }
    for (std::size_t i = next_undecided(tile_, 0); i < tile_.size(); i = next_undecided(tile_, i + 1)) {
      put_cell(cell_of(static_cast<long>(i)));
      if (!go_on_()) return false;
    }
    return true;
  }

  std::size_t quantities_;
  const MapGrid& grid_;
  CellValues& values_;
  long first_, last_;
  const std::function<bool()>& go_on_;
  BlockWriter writer_;
  std::vector<double> x_;
  std::vector<VerdictByte> bytes_, tile_;
};

}  // namespace

void compute_block(const MapProblem& problem, const MapGrid& grid, const MapLines& lines, CellValues& values,
                   MapBlock& block, const std::function<bool()>& go_on) {
  BlockRun run(problem, grid, values, block, go_on);
  if (lines.axis() ? run.by_lines(lines) : run.by_cells()) block.bytes = run.bytes();
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
  const MapLines lines(problem);
  CellValues values(problem);
  compute_block(problem, grid, lines, values, block, [] { return true; });
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
