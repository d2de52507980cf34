// Quantities over a grid of parameters and state variables.
//
// Cells are numbered row by row, the last axis fastest. They are computed in blocks on all cores, in any order; what
// is returned depends on the problem alone. Axes that change only the friction of contacts leave W, b and u as they
// are: those run innermost, on contact data that is computed once; verdicts along friction, velocities and forces are
// decided line by line (map_lines.hpp). A cell that fails carries its reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/scene/simulating.hpp"
#include "painleve/study/quantity.hpp"

namespace painleve {

struct MapAxis {
  std::string path;  // "state.theta"
  std::string name;  // as the user wrote it
  std::string unit;  // of the numbers below
  double from = 0, to = 0;
  int count = 0;  // points, both ends included; 1 only where from = to

  double at(int index) const;  // exact at both ends
};

struct MapProblem {
  SceneSource source;
  std::vector<MapAxis> axes;         // one or more; the last varies fastest
  std::vector<Quantity> quantities;  // one or more
  SimulateOptions simulation;        // for quantities of a run, such as `outcome`
  StepOptions step;                  // for `solutions_step` and `verdict_step`
  std::string program;               // and its version, as part of the fingerprint

  long cells() const;
  // A number that tells this problem, and the build of the library that computes it, from all others.
  std::uint64_t fingerprint() const;
};

// One quantity over all cells.
struct MapColumn {
  std::string quantity, unit;
  bool words = false;                 // its values are words: `values` are indices into `names`
  std::vector<double> values;         // NaN: none
  std::vector<std::string> names;     // sorted
  std::vector<std::int32_t> reasons;  // −1, or the index into Map::reasons of why there is no value
};

struct Map {
  std::vector<MapAxis> axes;
  std::vector<MapColumn> columns;
  std::vector<std::string> reasons;  // sorted
  std::uint64_t fingerprint = 0;     // of the problem
  long first = 0, last = 0;          // cells [first, last) of the grid are here: all of them, or a shard
  bool complete = true;              // false: interrupted; cells not computed have no value and the reason says so

  long cells() const;  // of the whole grid
};

struct Shard {
  int index = 1, count = 1;  // 1 ≤ index ≤ count
};

struct MapOptions {
  int threads = 0;  // 0: one per core
  Shard shard;
  // Blocks that are done are kept here, one record each, synced to disk every second or so. Empty: nowhere. The file is
  // left when the map is complete, too: its owner removes it when the result is safe.
  std::filesystem::path checkpoint;
  bool resume = false;                  // take what is in the checkpoint; otherwise it must not exist yet
  std::function<bool(double)> proceed;  // told the part done from one thread at a time; false interrupts
};

// Throws InputError for an empty or reversed range, an axis given twice, a checkpoint of another problem, a place that
// cannot be written; std::runtime_error for a full disk, after which the checkpoint is still good.
Map compute_map(const MapProblem& problem, const MapOptions& options);

// One piece of work, for those who spread it themselves: cells [first, last), as bytes that any process of the same
// build understands.
struct MapBlock {
  long first = 0, last = 0;
  std::string bytes;
};
std::vector<MapBlock> map_blocks(const MapProblem& problem, const Shard& shard);  // without bytes
void compute_block(const MapProblem& problem, MapBlock& block);
Map assemble(const MapProblem& problem, const Shard& shard, const std::vector<MapBlock>& blocks);

// Shards of one problem, in any order, into one map. Throws InputError when one is missing, double or of another
// problem.
Map merge_maps(const std::vector<Map>& shards);

}  // namespace painleve
