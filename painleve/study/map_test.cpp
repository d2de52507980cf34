// Maps: every cell against the scene at that cell, and the promise that threads, shards, blocks, interruption and
// resumption do not change a bit.
#include "painleve/study/map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/scene/analysis.hpp"
#include "painleve/study/detail/map_problems.hpp"
#include "painleve/study/map_blocks.hpp"

namespace painleve {
namespace map_test {

using namespace detail;

constexpr double pi = std::numbers::pi;

// The arm cannot reach everywhere.
MapProblem arm_map() {
  return map_problem("articulated-arm", {}, {{"x", -1.2, 1.2, 25}, {"theta3", -1, 1, 7}, {"mu", -0.5, 1, 4}},
                     {"verdict", "mu_jam", "consistent_modes"});
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

void expect_same(const Map& a, const Map& b) {
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.last, b.last);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.reasons, b.reasons);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    EXPECT_EQ(a.columns[c].quantity, b.columns[c].quantity);
    EXPECT_EQ(a.columns[c].unit, b.columns[c].unit);
    EXPECT_EQ(a.columns[c].words, b.columns[c].words);
    EXPECT_EQ(a.columns[c].names, b.columns[c].names);
    EXPECT_EQ(a.columns[c].reasons, b.columns[c].reasons);
    ASSERT_EQ(a.columns[c].values.size(), b.columns[c].values.size());
    for (std::size_t i = 0; i < a.columns[c].values.size(); ++i)
      ASSERT_EQ(bits(a.columns[c].values[i]), bits(b.columns[c].values[i])) << "cell " << i;
  }
}

MapOptions threads(int n) {
  MapOptions options;
  options.threads = n;
  return options;
}

// ---- grid

TEST(Map, CellsAreNumberedRowByRow) {
  const auto p = map_problem("rod", {}, {{"theta", 0.2, 1.2, 3}, {"mu", 0, 1, 4}, {"mass", 1, 3, 5}}, {"mu", "W_nn"});
  const Map map = compute_map(p, {});
  ASSERT_EQ(map.cells(), 60);
  ASSERT_EQ(map.columns[0].values.size(), 60U);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 5; ++k) {
        const auto cell = static_cast<std::size_t>((i * 4 + j) * 5 + k);
        const double c = std::cos(p.axes[0].at(i));
        EXPECT_EQ(map.columns[0].values[cell], p.axes[1].at(j));
        EXPECT_NEAR(map.columns[1].values[cell], (1 + 3 * c * c) / p.axes[2].at(k), 1e-14);
      }
    }
  }
}

// Each cell once, and those that differ in friction only one after the other: so few scenes are built.
TEST(Map, CellsOfOneSceneComeTogether) {
  const std::vector<MapAxis> axes = {{"a", "", "", 0, 1, 4}, {"b", "", "", 0, 1, 5}, {"c", "", "", 0, 1, 6}};
  const MapGrid grid(axes);
  for (int bits_of = 0; bits_of < 8; ++bits_of) {
    const std::vector<bool> friction = {(bits_of & 1) != 0, (bits_of & 2) != 0, (bits_of & 4) != 0};
    const auto order = grid.order(7, 100, friction);
    ASSERT_EQ(order.size(), 93U);
    EXPECT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), 93U);
    std::set<std::vector<double>> scenes;
    std::vector<double> x, last;
    int changes = 0;
    for (const std::uint32_t cell : order) {
      ASSERT_LT(cell, 93U);
      grid.point(7 + cell, x);
      for (std::size_t k = 0; k < 3; ++k) x[k] = friction[k] ? 0 : x[k];
      changes += x != last ? 1 : 0;
      last = x;
      scenes.insert(x);
    }
    EXPECT_EQ(static_cast<std::size_t>(changes), scenes.size());
  }
}

// ---- values

TEST(Map, EveryCellIsTheSceneThere) {
  const auto p = arm_map();
  const Map map = compute_map(p, {});
  const MapGrid grid(p.axes);
  std::vector<double> x;
  std::set<std::string> seen;
  for (long cell = 0; cell < grid.cells(); ++cell) {
    const auto at = static_cast<std::size_t>(cell);
    grid.point(cell, x);
    SceneSource source = p.source;
    for (std::size_t k = 0; k < x.size(); ++k) source.set(p.axes[k].path, x[k]);
    try {
      const Analysis a = analyze(source.build());
      EXPECT_EQ(map.columns[0].names[static_cast<std::size_t>(map.columns[0].values[at])], a.modes.verdict);
      EXPECT_EQ(map.columns[0].reasons[at], -1);
      EXPECT_EQ(map.columns[1].values[at], a.contacts[0].cone.mu_jam.value());
      seen.insert(a.modes.verdict);
    } catch (const InputError& error) {
      for (const auto& column : map.columns) {
        EXPECT_TRUE(std::isnan(column.values[at]));
        EXPECT_EQ(map.reasons[static_cast<std::size_t>(column.reasons[at])], error.what());
      }
      seen.insert("failed");
    }
  }
  EXPECT_GE(seen.size(), 2U);
  EXPECT_TRUE(seen.contains("failed"));
}

TEST(Map, NamesAndReasonsAreSortedAndUsed) {
  const Map map = compute_map(arm_map(), {});
  const auto sorted = [](const std::vector<std::string>& list) {
    return std::is_sorted(list.begin(), list.end()) &&
           std::set<std::string>(list.begin(), list.end()).size() == list.size();
  };
  EXPECT_TRUE(sorted(map.reasons));
  std::set<std::int32_t> reasons;
  for (const auto& column : map.columns) {
    EXPECT_TRUE(sorted(column.names));
    std::set<double> words;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      EXPECT_NE(std::isnan(column.values[i]), column.reasons[i] == -1);
      if (!std::isnan(column.values[i])) words.insert(column.values[i]);
      if (column.reasons[i] >= 0) reasons.insert(column.reasons[i]);
    }
    if (column.words) {
      EXPECT_EQ(words.size(), column.names.size());
    } else {
      EXPECT_TRUE(column.names.empty());
    }
  }
  EXPECT_EQ(reasons.size(), map.reasons.size());
}

// Without coupling there is no mu_jam: the rod that stands or lies.
TEST(Map, WhatDoesNotExistHasAReason) {
  const auto p = map_problem("rod", {}, {{"theta", 0, pi / 2, 3}}, {"mu_jam"});
  const Map map = compute_map(p, {});
  ASSERT_EQ(map.reasons, (std::vector<std::string>{"no coupling between tangent and normal: this contact cannot jam"}));
  EXPECT_EQ(map.columns[0].reasons, (std::vector<std::int32_t>{0, -1, 0}));
  EXPECT_NEAR(map.columns[0].values[1], 5.0 / 3, 1e-14);
  EXPECT_TRUE(std::isnan(map.columns[0].values[0]));
}

TEST(Map, DriftingContacts) {
  auto p =
      map_problem("table-a1-6a", {}, {{"contact.stiffness", 0.5, 2, 3}},
                  {"verdict", "consistent_modes", "class", "stability", "growth_rate", "c2.p", "mu_jam", "outcome"});
  const Map map = compute_map(p, {});
  for (int i = 0; i < 3; ++i) {
    SceneSource source = p.source;
    source.set("contact.stiffness", p.axes[0].at(i));
    const Scene scene = source.build();
    const Analysis a = analyze(scene);
    const auto at = static_cast<std::size_t>(i);
    const auto word = [&](std::size_t c) {
      return map.columns[c].names.at(static_cast<std::size_t>(map.columns[c].values[at]));
    };
    EXPECT_EQ(word(0), a.modes.verdict);
    EXPECT_EQ(word(2), a.two_contact_class.value());
    EXPECT_EQ(map.columns[5].values[at], scene.drifting.slip_matrix(scene.t)(1, 1));
    EXPECT_EQ(map.reasons.at(static_cast<std::size_t>(map.columns[6].reasons[at])),
              "drifting contacts are known by P and b only");
    EXPECT_EQ(word(7), simulate(scene, {}).outcome);
  }
}

// ---- the same bits

TEST(Map, ThreadsDoNotMatter) {
  for (const auto& p :
       {rod_map(), arm_map(), map_problem("rod", {}, {{"mu", 0, 3, 300}, {"theta", 0, 1.5, 200}}, {"verdict"})}) {
    const Map one = compute_map(p, threads(1));
    EXPECT_TRUE(one.complete);
    for (const int n : {2, 3, 8}) expect_same(compute_map(p, threads(n)), one);
  }
}

// Axes of friction run innermost wherever they stand.
TEST(Map, OrderOfAxesDoesNotMatter) {
  const auto p = map_problem("rod", {}, {{"theta", 0, 1.5, 40}, {"mu", 0, 3, 50}}, {"verdict", "p_plus"});
  const auto q = map_problem("rod", {}, {{"mu", 0, 3, 50}, {"theta", 0, 1.5, 40}}, {"verdict", "p_plus"});
  const Map a = compute_map(p, {});
  const Map b = compute_map(q, {});
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(a.columns[c].names, b.columns[c].names);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < 50; ++j) {
        EXPECT_EQ(bits(a.columns[c].values[i * 50 + j]), bits(b.columns[c].values[j * 40 + i]));
      }
    }
  }
}

TEST(Map, ShardsMergeToTheSame) {
  for (const auto& p : {rod_map(20), arm_map(), map_problem("rod", {}, {{"theta", 0, 1, 3}}, {"verdict"})}) {
    const Map whole = compute_map(p, {});
    for (const int n : {1, 2, 3, 7}) {
      std::vector<Map> shards;
      for (int i = n; i >= 1; --i) {
        MapOptions options;
        options.shard = {i, n};
        shards.push_back(compute_map(p, options));
      }
      expect_same(merge_maps(shards), whole);
    }
  }
}

TEST(Map, ShardsCoverTheGridOnce) {
  for (const long cells : {1L, 2L, 99L, 1000L, 999999937L}) {
    for (const int n : {1, 2, 3, 7, 100}) {
      long next = 0;
      for (int i = 1; i <= n; ++i) {
        const auto range = shard_cells(cells, {i, n});
        EXPECT_EQ(range.first, next);
        EXPECT_LE(range.second - range.first, cells / n + 1);
        next = range.second;
      }
      EXPECT_EQ(next, cells);
    }
  }
}

TEST(Map, BlocksOfOthersAssembleToTheSame) {
  const auto p = rod_map(40);
  for (const int n : {1, 3}) {
    for (int i = 1; i <= n; ++i) {
      MapOptions options;
      options.shard = {i, n};
      auto blocks = map_blocks(p, options.shard);
      if (n == 1) {
        EXPECT_GT(blocks.size(), 10U);
      }
      for (auto& block : blocks) compute_block(p, block);
      std::reverse(blocks.begin(), blocks.end());
      expect_same(assemble(p, options.shard, blocks), compute_map(p, options));
    }
  }
}

TEST(Map, AMissingBlockIsAnIncompleteMap) {
  const auto p = rod_map(40);
  auto blocks = map_blocks(p, {});
  for (std::size_t i = 1; i < blocks.size(); ++i) compute_block(p, blocks[i]);
  const Map map = assemble(p, {}, blocks);
  EXPECT_FALSE(map.complete);
  EXPECT_EQ(map.reasons.at(static_cast<std::size_t>(map.columns[0].reasons[0])),
            "not computed: the map was interrupted");
  EXPECT_TRUE(std::isnan(map.columns[1].values[0]));
  EXPECT_EQ(map.columns[0].reasons[static_cast<std::size_t>(blocks[0].last)], -1);
}

TEST(Map, DamagedBlocksAreRefused) {
  const auto p = rod_map(40);
  auto blocks = map_blocks(p, {});
  MapBlock block = blocks[2];
  compute_block(p, block);
  const auto refused = [&](const MapBlock& b) { EXPECT_THROW(assemble(p, {}, {b}), std::runtime_error); };
  refused({block.first, block.last, block.bytes.substr(0, block.bytes.size() - 1)});
  refused({block.first, block.last, block.bytes + "x"});
  refused({block.first, block.last + 1, block.bytes});
  refused({-1, block.last, block.bytes});
  refused({block.first, p.cells() + 1, block.bytes});
  for (std::size_t size = 1; size < block.bytes.size(); size += 17)
    refused({block.first, block.last, block.bytes.substr(0, size)});
  MapBlock beyond{p.cells(), p.cells() + 4, {}};
  EXPECT_THROW(compute_block(p, beyond), std::invalid_argument);
}

// ---- interruption

TEST(Map, ProceedIsToldThePartAndInterrupts) {
  const auto p = rod_map(60);
  for (const int n : {1, 4}) {
    double last = 0;
    MapOptions options = threads(n);
    options.proceed = [&](double part) {
      EXPECT_GE(part, last);
      last = part;
      return true;
    };
    EXPECT_TRUE(compute_map(p, options).complete);
    EXPECT_EQ(last, 1);
    options.proceed = [](double part) { return part < 0.3; };
    const Map map = compute_map(p, options);
    EXPECT_FALSE(map.complete);
    long missing = 0;
    for (std::size_t i = 0; i < map.columns[0].values.size(); ++i) {
      const auto reason = map.columns[0].reasons[i];
      missing += reason >= 0 && map.reasons[static_cast<std::size_t>(reason)].starts_with("not computed") ? 1 : 0;
    }
    EXPECT_GT(missing, map.cells() / 3);
    EXPECT_LT(missing, map.cells());
  }
}

TEST(Map, AThrowingProceedIsPassedOn) {
  MapOptions options = threads(4);
  options.proceed = [](double part) -> bool {
    if (part > 0.2) throw std::logic_error("enough");
    return true;
  };
  EXPECT_THROW(compute_map(rod_map(), options), std::logic_error);
}

}  // namespace map_test
}  // namespace painleve
