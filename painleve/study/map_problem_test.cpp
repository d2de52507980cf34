// The problem of a map: its axes, its fingerprint, and what can be wrong with it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/study/detail/map_problems.hpp"
#include "painleve/study/map.hpp"

namespace painleve {
namespace map_problem_test {

using namespace detail;

constexpr double pi = std::numbers::pi;

TEST(MapAxis, EndsAreExact) {
  Draws draws(5);
  for (int k = 0; k < 1000; ++k) {
    const double from = draws.uniform(-1e3, 1e3);
    const MapAxis axis{"", "", "", from, from + draws.uniform(1e-9, 1e3), draws.integer(2, 4000)};
    EXPECT_EQ(axis.at(0), axis.from);
    EXPECT_EQ(axis.at(axis.count - 1), axis.to);
    for (int i = 1; i < axis.count; i += 97) {
      EXPECT_GT(axis.at(i), axis.at(i - 1));
    }
  }
  const MapAxis tenths{"", "", "", 0, 1, 11};
  for (int i = 0; i <= 10; ++i) EXPECT_EQ(tenths.at(i), i / 10.0);
  EXPECT_EQ((MapAxis{"", "", "", 0.7, 0.7, 1}).at(0), 0.7);
}

// ---- fingerprint

TEST(Map, FingerprintTellsProblemsApart) {
  const MapProblem p = rod_map();
  EXPECT_EQ(p.fingerprint(), rod_map().fingerprint());
  std::set<std::uint64_t> prints = {p.fingerprint()};
  const auto differs = [&](const std::function<void(MapProblem&)>& edit) {
    MapProblem q = p;
    edit(q);
    EXPECT_TRUE(prints.insert(q.fingerprint()).second) << prints.size();
  };
  differs([](MapProblem& q) { q.source.set("parameters.mass", 2); });
  differs([](MapProblem& q) { q.source.set("parameters.mass", std::nextafter(2.0, 3)); });
  differs([](MapProblem& q) { q.source = SceneSource::open("rod-no-solution"); });
  differs([](MapProblem& q) { q.axes[0].to = std::nextafter(q.axes[0].to, 0); });
  differs([](MapProblem& q) { q.axes[0].from = 0.1; });
  differs([](MapProblem& q) { q.axes[1].count += 1; });
  differs([](MapProblem& q) { q.axes[1].path = "contact.tip.mu"; });
  differs([](MapProblem& q) { std::swap(q.axes[0], q.axes[1]); });
  differs([](MapProblem& q) { q.quantities.pop_back(); });
  differs([](MapProblem& q) { q.quantities[1] = Quantity::parse("tip.mu_jam"); });
  differs([](MapProblem& q) { q.program = "test 2"; });
  differs([](MapProblem& q) { q.step.dt = 0.02; });
  differs([](MapProblem& q) { q.quantities.push_back(Quantity::parse("outcome")); });
  differs([](MapProblem& q) {
    q.quantities.push_back(Quantity::parse("outcome"));
    q.simulation.simulation.t_end = 2;
  });
  differs([](MapProblem& q) {
    q.quantities.push_back(Quantity::parse("outcome"));
    q.simulation.method = SimulationMethod::step;
  });
  MapProblem same = p;  // how the user wrote an axis changes nothing
  same.axes[0].name = "state.theta";
  EXPECT_EQ(same.fingerprint(), p.fingerprint());
}

// ---- errors

TEST(MapErrors, Ranges) {
  const auto refused = [](const std::vector<Over>& ranges) {
    return refusal([&] { compute_map(map_problem("rod", {}, ranges, {"verdict"}), {}); });
  };
  EXPECT_EQ(refused({}), "a map needs at least one --over range");
  EXPECT_EQ(refused({{"theta", 1, 0, 5}}), "the range of theta is reversed: 1 comes before 0");
  EXPECT_EQ(refused({{"theta", 1, 1, 5}}), "the range of theta is empty: both ends are 1");
  EXPECT_EQ(refused({{"theta", 0, 1, 0}}), "the range of theta has no points");
  EXPECT_EQ(refused({{"theta", 0, 1, 1}}), "the range of theta has one point, which cannot span 0 to 1");
  EXPECT_EQ(refused({{"theta", 0, std::nan(""), 5}}), "the range of theta must have finite ends");
  EXPECT_EQ(refused({{"theta", -1e308, 1e308, 5}}), "the range of theta is too wide for double precision");
  EXPECT_EQ(refused({{"theta", 0, 1, 5}, {"state.theta", 0, 1, 5}}), "the range of state.theta is given twice");
  EXPECT_EQ(refused({{"theta", 0, 1, 40000}, {"mu", 0, 1, 40000}}),
            "the map has 1.6e+09 cells, allowed are 1e+09: give fewer points per axis");
  EXPECT_EQ(refused({{"theta", 0.5, 0.5, 1}}), "");
}

TEST(MapErrors, WhatIsWrongEverywhereIsAnErrorOfTheProblem) {
  const auto refused = [](const Over& range, const std::string& quantity) {
    return refusal([&] { compute_map(map_problem("rod", {}, {range}, {quantity}), {}); });
  };
  EXPECT_NE(refused({"parameters.nonsense", 0, 1, 5}, "verdict").find("nonsense"), std::string::npos);
  EXPECT_NE(refused({"contact.tipp.mu", 0, 1, 5}, "verdict").find("contact.tip"), std::string::npos);
  EXPECT_NE(refused({"contact.tip.closed", 0, 1, 5}, "verdict").find("true or false"), std::string::npos);
  EXPECT_EQ(refused({"theta", 0, 1, 5}, "tipp.mu_jam"), "unknown contact 'tipp'; did you mean 'tip'?");
  EXPECT_EQ(refusal([] {
              compute_map(map_problem("rod", {}, {{"theta", 0, 1, 5}}, {}), {});
            }),
            "a map needs at least one quantity");
  // What is wrong at each cell in its own way is not.
  const Map map = compute_map(map_problem("rod", {}, {{"mass", -2, -1, 5}}, {"verdict"}), {});
  EXPECT_EQ(map.reasons.size(), 5U);
  EXPECT_EQ(map.reasons[0], "parameters.mass is -1, it must be > 0");
}

TEST(MapErrors, ThreadsAndShards) {
  MapOptions options;
  options.threads = -1;
  EXPECT_EQ(refusal([&] { compute_map(rod_map(5), options); }), "threads must be >= 0, not -1");
  for (const Shard& shard : {Shard{0, 2}, Shard{3, 2}, Shard{1, 0}, Shard{-1, -1}}) {
    options = {};
    options.shard = shard;
    EXPECT_NE(refusal([&] { compute_map(rod_map(5), options); }).find("does not exist"), std::string::npos);
  }
}

TEST(MapErrors, Merge) {
  const auto p = rod_map(10);
  std::vector<Map> shards;
  for (int i = 1; i <= 3; ++i) {
    MapOptions options;
    options.shard = {i, 3};
    shards.push_back(compute_map(p, options));
  }
  const auto refused = [](const std::vector<Map>& maps) { return refusal([&] { merge_maps(maps); }); };
  EXPECT_EQ(refused({}), "there is no shard to merge");
  EXPECT_EQ(refused({shards[0], shards[2]}), "a shard is missing: cells 36 to 72");
  EXPECT_EQ(refused({shards[0], shards[1]}), "a shard is missing: cells 73 to 109");
  EXPECT_EQ(refused({shards[1], shards[2]}), "a shard is missing: cells 0 to 35");
  EXPECT_EQ(refused({shards[0], shards[1], shards[1], shards[2]}), "cells from 36 on are given twice");
  Map other = shards[1];
  other.fingerprint ^= 1;
  EXPECT_EQ(refused({shards[0], other, shards[2]}),
            "the shard of cells 36 to 72 belongs to another map than the first");
  Map cut = shards[1];
  cut.complete = false;
  EXPECT_EQ(refused({shards[0], cut, shards[2]}),
            "the shard of cells 36 to 72 was interrupted: finish it with --resume first");
}

}  // namespace map_problem_test
}  // namespace painleve
