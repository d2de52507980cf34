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
#include "painleve/study/map.hpp"

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

// Collects the cells of one block.
class BlockWriter {
 public:
  BlockWriter(const std::vector<Quantity>& quantities, std::size_t cells);
  void put(std::size_t quantity, std::size_t cell, const QuantityValue& value);
  void put_kernel(std::size_t quantity, std::size_t cell, int number);  // a kernel_word()
  std::string bytes() const;

 private:
  struct Column {
    bool words = false;
    std::vector<double> numbers;
    std::vector<std::uint32_t> codes, reasons;
  };
  std::uint32_t code(const std::string& text);

  std::vector<Column> columns_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::uint32_t> codes_;
  std::array<std::uint32_t, kernel_words> kernel_codes_{};
};

// Computes a block with values at hand. `go_on` is asked before each new scene; false gives the block up, without
// bytes.
void compute_block(const MapProblem& problem, const MapGrid& grid, CellValues& values, MapBlock& block,
                   const std::function<bool()>& go_on);

// Puts blocks together, in any order and from any thread.
class MapAssembly {
 public:
  MapAssembly(const MapProblem& problem, const Shard& shard);
  // Throws std::runtime_error when the bytes are not those of this block; then nothing has changed.
  void add(const MapBlock& block);
  Map finish();  // cells that no block brought are without value, and the map is not complete

 private:
  std::int32_t id(const std::string& text);

  Map map_;
  std::mutex mutex_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::int32_t> ids_;
};

// The cells of a shard: contiguous, of sizes that differ by one at most.
std::pair<long, long> shard_cells(long cells, const Shard& shard);

// Throws InputError; see compute_map().
void check(const MapProblem& problem);
void check(const Shard& shard);

}  // namespace painleve
