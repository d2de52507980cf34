#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "painleve/study/detail/search_parts.hpp"

namespace painleve::detail {
namespace {

// The power between decades of the distance to x along one side of one axis; empty unless it is negative and the same
// over all of them.
std::optional<double> pole_along(const Objective& f, const Grid& grid, const Eigen::VectorXd& x, Eigen::Index axis,
                                 double side) {
  constexpr std::array distances = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};  // cells; x is known to 1e-7
  constexpr double weakest = 0.15, likeness = 0.2;
  std::optional<double> last;
  std::vector<double> powers;
  for (const double distance : distances) {
    Eigen::VectorXd y = x;
    y(axis) += side * distance * grid.spacing(axis);
    if (y != grid.clamp(y)) return std::nullopt;
    const double value = f(y);
    if (value == undefined || value >= 0) return std::nullopt;
    if (last) powers.push_back(std::log10(value / *last));
    last = value;
  }
  // The outermost decade may still feel the rest of the function, the innermost that x is not quite the place.
  const double power = powers[2];
  for (std::size_t k = 1; k < powers.size(); ++k) {
    if (powers[k] < weakest || std::abs(powers[k] - power) > likeness * power) return std::nullopt;
  }
  return -power;
}

// Sets of extremes that are joined.
class Union {
 public:
  explicit Union(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { parent_[std::max(root(i), root(j))] = std::min(root(i), root(j)); }

 private:
  std::vector<std::size_t> parent_;
};

class Joiner {
 public:
  Joiner(const Objective& f, const Grid& grid, double tolerance) : f_(f), grid_(grid), tolerance_(tolerance) {}

  bool alike(const Found& a, const Found& b) const {
    if (a.extreme.exponent || b.extreme.exponent) return a.extreme.exponent && b.extreme.exponent;
    return std::abs(a.height - b.height) <= tolerance_;
  }

  // From the middle down: what is reached must be as good and lie between the two; then each half the same way.
  bool joined(const Found& a, const Found& b) { return joined(a, a.x, b.x, 0); }

 private:
  bool joined(const Found& a, const Eigen::VectorXd& from, const Eigen::VectorXd& to, int depth) {
    constexpr int deepest = 10;
    constexpr double finest = 1e-4;  // cells: off the floor of a valley by 1e-8 of what a cell makes
    constexpr long most_descents = 4000;
    const double distance = grid_.cells_between(from, to);
    if (depth > deepest || ++descents_ > most_descents) return false;
    const Eigen::VectorXd middle = descend(f_, grid_, (from + to) / 2, a.extreme.exponent ? 1e-7 : finest);
    const double value = f_(middle);
    if (value == undefined) return false;
    if (a.extreme.exponent ? !pole(f_, grid_, middle) : std::abs(value - a.height) > tolerance_) return false;
    const double left = grid_.cells_between(from, middle), right = grid_.cells_between(middle, to);
    if (std::max(left, right) > 0.9 * distance) return false;  // it fell into one of the two
    if (distance <= 1) return true;
    return joined(a, from, middle, depth + 1) && joined(a, middle, to, depth + 1);
  }

  const Objective& f_;
  const Grid& grid_;
  double tolerance_;
  long descents_ = 0;
};

// For each the nearest few that are alike: a valley is a chain of neighbours.
void join_neighbours(const Grid& grid, const std::vector<Found>& found, Joiner& joiner, Union& sets) {
  constexpr std::size_t nearest = 4;
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < found.size(); ++j) {
      if (j != i && joiner.alike(found[i], found[j])) others.push_back(j);
    }
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return grid.cells_between(found[i].x, found[a].x) < grid.cells_between(found[i].x, found[b].x);
    });
    if (others.size() > nearest) others.resize(nearest);
    for (const std::size_t j : others) {
      if (sets.root(i) != sets.root(j) && joiner.joined(found[i], found[j])) sets.join(i, j);
    }
  }
}

void absorb(Extreme& family, const Extreme& other) {
  family.members += other.members;
  family.interior = family.interior || other.interior;
  family.at_hole = family.at_hole && other.at_hole;
  family.confirmed = family.confirmed || other.confirmed;
  for (std::size_t k = 0; k < family.at.size(); ++k) {
    family.from[k] = std::min(family.from[k], other.from.empty() ? other.at[k] : other.from[k]);
    family.to[k] = std::max(family.to[k], other.to.empty() ? other.at[k] : other.to[k]);
  }
}

}  // namespace

std::optional<double> pole(const Objective& f, const Grid& grid, const Eigen::VectorXd& x) {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    for (const double side : {1.0, -1.0}) {
      if (const auto power = pole_along(f, grid, x, k, side)) return power;
    }
  }
  return std::nullopt;
}

std::vector<Extreme> families(const Objective& f, const Grid& grid, std::vector<Found> found, double range) {
  constexpr double digits = 1e-9;  // of the range: values along a valley that was descended into agree better
  Joiner joiner(f, grid, digits * range);
  Union sets(found.size());
  join_neighbours(grid, found, joiner, sets);
  std::vector<Extreme> list;
  std::vector<std::size_t> place(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t root = sets.root(i);
    if (root == i) {
      place[i] = list.size();
      list.push_back(std::move(found[i].extreme));
      if (list.back().from.empty()) list.back().from = list.back().to = list.back().at;
    } else {
      absorb(list[place[root]], found[i].extreme);
    }
  }
  return list;
}

}  // namespace painleve::detail
