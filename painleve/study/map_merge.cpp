// Shards of one map, put together. The result is the map that one process would have made, to the last bit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "painleve/base/error.hpp"
#include "painleve/study/map.hpp"

namespace painleve {
namespace {

bool same_axis(const MapAxis& a, const MapAxis& b) {
  return a.path == b.path && a.from == b.from && a.to == b.to && a.count == b.count;
}

bool same_column(const MapColumn& a, const MapColumn& b) {
  return a.quantity == b.quantity && a.unit == b.unit && a.words == b.words;
}

bool same_problem(const Map& a, const Map& b) {
  return a.fingerprint == b.fingerprint &&
         std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(), same_axis) &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(), same_column);
}

// The shards in the order of their cells.
std::vector<const Map*> ordered(const std::vector<Map>& shards) {
  if (shards.empty()) throw InputError("there is no shard to merge");
  std::vector<const Map*> order;
  for (const auto& shard : shards) {
    if (!same_problem(shard, shards.front()))
      throw InputError(fmt::format("the shard of cells {} to {} belongs to another map than the first", shard.first,
                                   shard.last - 1));
    if (!shard.complete)
      throw InputError(fmt::format("the shard of cells {} to {} was interrupted: finish it with --resume first",
                                   shard.first, shard.last - 1));
    if (shard.last > shard.first) order.push_back(&shard);  // more shards than cells leave some empty
  }
  std::stable_sort(order.begin(), order.end(), [](const Map* a, const Map* b) { return a->first < b->first; });
  return order;
}

void check_cover(const std::vector<const Map*>& shards, long cells) {
  long next = 0;
  for (const Map* shard : shards) {
    if (shard->first < next) throw InputError(fmt::format("cells from {} on are given twice", shard->first));
    if (shard->first > next)
      throw InputError(fmt::format("a shard is missing: cells {} to {}", next, shard->first - 1));
    next = shard->last;
  }
  if (next < cells) throw InputError(fmt::format("a shard is missing: cells {} to {}", next, cells - 1));
}

std::vector<std::string> united(const std::set<std::string>& all) { return {all.begin(), all.end()}; }

// Where each string of `part` stands in the sorted list `all`.
std::vector<std::int32_t> places(const std::vector<std::string>& part, const std::vector<std::string>& all) {
  std::vector<std::int32_t> place;
  for (const auto& text : part)
    place.push_back(static_cast<std::int32_t>(std::lower_bound(all.begin(), all.end(), text) - all.begin()));
  return place;
}

void append(const Map& shard, std::size_t c, const std::vector<std::string>& reasons, MapColumn& to) {
  const MapColumn& from = shard.columns[c];
  const auto words = places(from.names, to.names);
  const auto whys = places(shard.reasons, reasons);
  for (const double value : from.values)
    to.values.push_back(from.words && !std::isnan(value) ? words.at(static_cast<std::size_t>(value)) : value);
  for (const std::int32_t reason : from.reasons)
    to.reasons.push_back(reason < 0 ? reason : whys.at(static_cast<std::size_t>(reason)));
}

}  // namespace

Map merge_maps(const std::vector<Map>& shards) {
  const auto order = ordered(shards);
  Map map;
  map.axes = shards.front().axes;
  map.fingerprint = shards.front().fingerprint;
  map.last = map.cells();
  check_cover(order, map.last);
  std::set<std::string> reasons;
  for (const Map* shard : order) reasons.insert(shard->reasons.begin(), shard->reasons.end());
  map.reasons = united(reasons);
  for (std::size_t c = 0; c < shards.front().columns.size(); ++c) {
    const MapColumn& like = shards.front().columns[c];
    MapColumn column{like.quantity, like.unit, like.words, {}, {}, {}};
    std::set<std::string> names;
    for (const Map* shard : order) names.insert(shard->columns[c].names.begin(), shard->columns[c].names.end());
    column.names = united(names);
    column.values.reserve(static_cast<std::size_t>(map.last));
    column.reasons.reserve(static_cast<std::size_t>(map.last));
    for (const Map* shard : order) append(*shard, c, map.reasons, column);
    map.columns.push_back(std::move(column));
  }
  return map;
}

}  // namespace painleve
