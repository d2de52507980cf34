// Blocks of a map: how cells become bytes and bytes become columns. Not part of the public interface.
//
//   block   strings, then one column per quantity
//   strings u32 count, then u32 length and the bytes of each: words and reasons, in the order in which they appeared
//   numbers 8 bytes per cell, NaN for none
//   words   u8 width, then 1, 2 or 4 bytes per cell: 0 none, k the string k − 1
//   reasons like words, after the values of each column; width 0 when every cell has a value
//
// in the byte order of the machine.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "painleve/study/cell_values.hpp"
#include "painleve/study/map_lines.hpp"

namespace painleve {

// The values of all axes, and the point of a cell.
class MapGrid {
 public:
  explicit MapGrid(const std::vector<MapAxis>& axes);
  long cells() const { return cells_; }
  void point(long cell, std::vector<double>& x) const;
  // The cells [first, last) in the order in which those that differ in friction only come together.
  std::vector<std::uint32_t> order(long first, long last, const std::vector<bool>& friction) const;

 private:
  std::vector<std::vector<double>> values_;  // per axis
  long cells_ = 1;
};

// Codes of cells, in one byte each until one of them needs more: nearly all blocks have few strings.
class CodeColumn {
 public:
  explicit CodeColumn(std::size_t cells) : narrow_(cells) {}
  void set(std::size_t cell, std::uint32_t code) {
    if (code > 0xff && wide_.empty()) widen();
    any_ = true;
    if (wide_.empty())
      narrow_[cell] = static_cast<std::uint8_t>(code);
    else
      wide_[cell] = code;
  }
  void set_run(std::size_t cell, std::size_t count, std::uint32_t code);
  void append_to(std::string& bytes) const;  // in as few bytes per cell as the largest code needs

 private:
  void widen();

  bool any_ = false;
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint32_t> wide_;  // empty: the narrow ones hold
};

// Collects the cells of one block.
class BlockWriter {
 public:
  BlockWriter(const std::vector<Quantity>& quantities, std::size_t cells);
  void put(std::size_t quantity, std::size_t cell, const QuantityValue& value);
  void put_kernel(std::size_t quantity, std::size_t cell, int number);  // a kernel_word()
  // Cells that follow each other; where a byte is undecided the cell stays without a value.
  void put_bytes(std::size_t quantity, std::size_t cell, std::span<const VerdictByte> bytes);
  std::string bytes() const;

 private:
  struct Column {
    bool words = false, modes = false;  // modes: of the kernel's numbers those of consistent modes are meant
    std::vector<double> numbers;
    CodeColumn codes, reasons;
    std::array<std::uint32_t, 256> byte_codes{};  // of bytes of the kernel; 0: not met yet
  };
  std::uint32_t code(const std::string& text);

  std::vector<Column> columns_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> codes_;
  std::array<std::uint32_t, kernel_words> kernel_codes_{};
};

// Computes a block with values at hand. `go_on` is asked before each new scene; false gives the block up, without
// bytes.
void compute_block(const MapProblem& problem, const MapGrid& grid, const MapLines& lines, CellValues& values,
                   MapBlock& block, const std::function<bool()>& go_on);

// Puts blocks together, in any order and from any thread.
class MapAssembly {
 public:
  MapAssembly(const MapProblem& problem, const Shard& shard);
  // Throws std::runtime_error when the bytes are not those of this block; then nothing has changed.
  void add(const MapBlock& block);
  // Cells that no block brought are without value, and the map is not complete.
  Map finish(std::size_t threads = 1);

 private:
  std::int32_t id(const std::string& text);
  static void mark(const std::vector<char>& codes, const std::vector<std::int32_t>& ids, std::vector<bool>& used);
  bool has_all() const;

  Map map_;
  std::mutex mutex_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::int32_t> ids_;
  std::map<long, long> blocks_;                // that were added: the last cell by the first
  std::vector<std::vector<bool>> used_words_;  // per column and id
  std::vector<bool> used_reasons_;             // per id
};

// The cells of a shard: contiguous, of sizes that differ by one at most.
std::pair<long, long> shard_cells(long cells, const Shard& shard);

// Throws InputError; see compute_map().
void check(const MapProblem& problem);
void check(const Shard& shard);

}  // namespace painleve
