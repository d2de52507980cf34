#include "painleve/study/boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <mutex>

#include "painleve/base/error.hpp"
#include "painleve/base/threads.hpp"
#include "painleve/study/boundary_chains.hpp"
#include "painleve/study/cell_values.hpp"

namespace painleve {
namespace {

// A change of the word along one line of the grid.
struct Change {
  double at = 0;
  int edge = 0;       // it lies between the points edge and edge + 1
  bool node = false;  // at the point edge + 1, whose own word is none of the two
  std::string below, above;
};

// Verdicts count motions that agree to 1e-9 as one, so that regions of several motions have a seam along their edge in
// which there seems to be one. The edge itself is at the other side of the seam.
bool is_seam(const Change& change) {
  const auto words = std::minmax(change.below, change.above);
  return (words.first == "indeterminate" && words.second == "unique") ||
         (words.first == "one" && words.second == "several");
}

// The words of one column: of the cells, and of any point.
class Words {
 public:
  Words(const MapProblem& problem, const Map& map, std::size_t column)
      : problem_(problem), map_(map), column_(map.columns[column]), values_(problem_) {}

  // Of a cell, (i, j).
  std::string cell(int i, int j) const {
    const std::size_t n = map_.axes.size() > 1 ? static_cast<std::size_t>(map_.axes[1].count) : 1;
    const double value = column_.values[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)];
    return std::isnan(value) ? "" : column_.names[static_cast<std::size_t>(value)];
  }
  std::string at(const std::vector<double>& x) {
    values_.move_to(x);
    return values_.value(0).word.value_or("");
  }

 private:
  MapProblem problem_;  // with this quantity alone
  const Map& map_;
  const MapColumn& column_;
  CellValues values_;
};

// One line: along `axis`, through the grid point `fixed` of the other axis.
class Line {
 public:
  Line(Words& words, const std::vector<MapAxis>& axes, std::size_t axis, int fixed, double tolerance)
      : words_(words), axes_(axes), axis_(axis), fixed_(fixed), x_(axes.size()) {
    if (axes.size() > 1) x_[1 - axis] = axes[1 - axis].at(fixed);
    width_ = tolerance * (axes[axis].to - axes[axis].from);
  }

  std::vector<Change> changes() {
    std::vector<Change> all;
    for (int k = 0; k + 1 < axes_[axis_].count; ++k) {
      const std::string a = word(k);
      const std::string b = word(k + 1);
      if (a == b) continue;
      found_.clear();
      bisect(axes_[axis_].at(k), a, axes_[axis_].at(k + 1), b, k);
      all.insert(all.end(), found_.begin(), found_.end());
    }
    return merged(all);
  }

 private:
  std::string word(int k) const { return axis_ == 0 ? words_.cell(k, fixed_) : words_.cell(fixed_, k); }

  // All changes between a and b, as far as halving shows them. A word that comes and goes without end, as outcomes of
  // simulations may, is followed at the lower side only.
  void bisect(double a, const std::string& word_a, double b, const std::string& word_b, int edge) {
    constexpr std::size_t most = 8;
    const double middle = a + (b - a) / 2;
    if (b - a <= width_ || middle <= a || middle >= b) {
      found_.push_back({middle, edge, false, word_a, word_b});
      return;
    }
    x_[axis_] = middle;
    const std::string word_m = words_.at(x_);
    const bool lower = word_m != word_a;
    if (lower) bisect(a, word_a, middle, word_m, edge);
    if (word_m != word_b && (!lower || found_.size() < most)) bisect(middle, word_m, b, word_b, edge);
  }

  // Joins changes between which there is nothing but rounding, or a seam that no cell shows.
  std::vector<Change> merged(const std::vector<Change>& all) const {
    std::vector<Change> result;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t j = i;
      while (j + 1 < all.size() && one_place(all[j], all[j + 1])) ++j;
      Change change = all[i];
      if (j > i) {
        const bool seam = is_seam(all[i]) != is_seam(all[j]);
        change.at = seam ? (is_seam(all[i]) ? all[j].at : all[i].at) : all[i].at + (all[j].at - all[i].at) / 2;
        change.node = all[i].edge != all[j].edge;
        change.above = all[j].above;
      }
      if (change.below != change.above && !at_end(change)) result.push_back(change);
      i = j + 1;
    }
    return result;
  }

  // An end of the line that lies on a boundary itself.
  bool at_end(const Change& change) const {
    return change.at - axes_[axis_].from <= width_ || axes_[axis_].to - change.at <= width_;
  }

  bool one_place(const Change& a, const Change& b) const {
    const double cell = (axes_[axis_].to - axes_[axis_].from) / (axes_[axis_].count - 1);
    const double apart = b.at - a.at;
    return apart <= 4 * width_ || (is_seam(a) != is_seam(b) && apart <= 1e-4 * cell);
  }

  Words& words_;
  const std::vector<MapAxis>& axes_;
  std::size_t axis_;
  int fixed_;
  std::vector<double> x_;
  double width_ = 0;
  std::vector<Change> found_;
};

struct Task {
  std::size_t axis;
  int fixed;
};

MapProblem with_quantity(const MapProblem& problem, std::size_t column) {
  MapProblem one = problem;
  one.quantities = {problem.quantities[column]};
  return one;
}

// The changes on all lines of the grid, in the order of `tasks`.
std::vector<std::vector<Change>> all_changes(const MapProblem& problem, const Map& map, std::size_t column,
                                             const std::vector<Task>& tasks, double tolerance, int threads) {
  std::vector<std::vector<Change>> changes(tasks.size());
  const MapProblem one = with_quantity(problem, column);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](bool) {
    try {
      Words words(one, map, column);
      for (std::size_t i = next++; i < tasks.size(); i = next++)
        changes[i] = Line(words, map.axes, tasks[i].axis, tasks[i].fixed, tolerance).changes();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  in_threads(std::min(thread_count(threads), tasks.size()), work);
  if (failure) std::rethrow_exception(failure);
  return changes;
}

using Pair = std::pair<std::string, std::string>;

void add_points(const std::vector<Change>& changes, const std::string& quantity, std::vector<Boundary>& result) {
  std::map<Pair, std::vector<double>> found;
  for (const auto& change : changes) found[{change.below, change.above}].push_back(change.at);
  for (const auto& [pair, places] : found) {
    Boundary boundary{quantity, pair.first, pair.second, {}};
    for (const double at : places) boundary.chains.push_back({{at, 0}});
    result.push_back(std::move(boundary));
  }
}

// Crossings per pair of words; a point of the grid on a boundary counts once, whichever line shows it.
std::map<Pair, std::vector<EdgeCrossing>> crossings_of(const std::vector<MapAxis>& axes, const std::vector<Task>& tasks,
                                                       const std::vector<std::vector<Change>>& changes) {
  std::map<Pair, std::vector<EdgeCrossing>> found;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::size_t along = tasks[t].axis;
    const std::size_t across = 1 - along;
    for (const auto& change : changes[t]) {
      EdgeCrossing c;
      c.axis = static_cast<int>(along);
      c.node = change.node;
      c.x[along] = change.at;
      c.x[across] = axes[across].at(tasks[t].fixed);
      const double a = axes[along].at(change.edge);
      const double b = axes[along].at(change.edge + 1);
      c.at[along] = change.node ? change.edge + 1 : change.edge + std::min((change.at - a) / (b - a), 0.999999999);
      c.at[across] = tasks[t].fixed;
      auto& list = found[std::minmax(change.below, change.above)];
      const bool known = c.node && std::any_of(list.begin(), list.end(),
                                               [&](const EdgeCrossing& o) { return o.node && o.at == c.at; });
      if (!known) list.push_back(c);
    }
  }
  return found;
}

void add_chains(const std::vector<MapAxis>& axes, const std::vector<Task>& tasks,
                const std::vector<std::vector<Change>>& changes, const std::string& quantity,
                std::vector<Boundary>& result) {
  for (const auto& [pair, crossings] : crossings_of(axes, tasks, changes)) {
    Boundary boundary{quantity, pair.first, pair.second, {}};
    for (const auto& way : chain(crossings, {axes[0].count, axes[1].count})) {
      std::vector<std::array<double, 2>> points;
      for (const std::size_t k : way) points.push_back(crossings[k].x);
      boundary.chains.push_back(std::move(points));
    }
    result.push_back(std::move(boundary));
  }
}

void check(const MapProblem& problem, const Map& map, double tolerance, int threads) {
  if (map.axes.size() > 2 || map.axes.empty())
    throw InputError(fmt::format("boundaries are those of maps of one or two axes, not of {}", map.axes.size()));
  if (map.first != 0 || map.last != map.cells() || !map.complete)
    throw InputError("boundaries need a complete map: merge its shards, or finish it, first");
  const auto same_axis = [](const MapAxis& a, const MapAxis& b) {
    return a.path == b.path && a.from == b.from && a.to == b.to && a.count == b.count;
  };
  const auto same_column = [](const MapColumn& c, const Quantity& q) { return c.quantity == q.name(); };
  if (!std::equal(map.axes.begin(), map.axes.end(), problem.axes.begin(), problem.axes.end(), same_axis) ||
      !std::equal(map.columns.begin(), map.columns.end(), problem.quantities.begin(), problem.quantities.end(),
                  same_column))
    throw InputError("the map is not one of this problem: its axes or quantities differ");
  if (std::none_of(map.columns.begin(), map.columns.end(), [](const MapColumn& c) { return c.words; }))
    throw InputError("boundaries are those of words, and the map has numbers only");
  if (!(tolerance >= 0 && tolerance < 1))
    throw InputError(fmt::format("the tolerance of boundaries must be between 0 and 1, not {}", tolerance));
  if (threads < 0) throw InputError(fmt::format("threads must be >= 0, not {}", threads));
}

}  // namespace

std::vector<Boundary> boundaries(const MapProblem& problem, const Map& map, double tolerance, int threads) {
  check(problem, map, tolerance, threads);
  std::vector<Task> tasks;
  for (std::size_t axis = map.axes.size(); axis-- > 0;)
    for (int k = 0; k < (map.axes.size() > 1 ? map.axes[1 - axis].count : 1); ++k) tasks.push_back({axis, k});
  std::vector<Boundary> result;
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    if (!map.columns[c].words) continue;
    const auto changes = all_changes(problem, map, c, tasks, tolerance, threads);
    if (map.axes.size() == 1)
      add_points(changes[0], map.columns[c].quantity, result);
    else
      add_chains(map.axes, tasks, changes, map.columns[c].quantity, result);
  }
  return result;
}

}  // namespace painleve
