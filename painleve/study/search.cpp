#include "painleve/study/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/study/detail/search_parts.hpp"

namespace painleve {
namespace {

using detail::Found;
using detail::Grid;
using detail::Objective;
using detail::undefined;

// Whether no neighbour at distance `stride` is better; among equal ones the first in order counts.
bool is_lowest(const Grid& grid, const std::vector<double>& f, const Eigen::VectorXi& index, int stride) {
  const std::size_t here = grid.flat(index);
  if (f[here] == undefined) return false;
  const auto d = index.size();
  auto neighbours = static_cast<int>(std::pow(3, d));
  for (int code = 0; code < neighbours; ++code) {
    Eigen::VectorXi other = index;
    int c = code;
    for (Eigen::Index k = 0; k < d; ++k, c /= 3) other(k) += stride * (c % 3 - 1);
    if (other == index || !grid.inside(other)) continue;
    const std::size_t there = grid.flat(other);
    if (f[there] < f[here] || (f[there] == f[here] && there < here)) return false;
  }
  return true;
}

// An extreme is interior when it can be stepped around: neither the box nor the domain ends there.
void classify(const Objective& f, const Grid& grid, const Eigen::VectorXd& x, Extreme& extreme) {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd y = x;
      y(k) += side * 1e-4 * grid.spacing(k);
      const bool outside = y != grid.clamp(y);
      extreme.at_hole = extreme.at_hole || (!outside && f(y) == undefined);
      extreme.interior = extreme.interior && !outside && !extreme.at_hole;
    }
  }
}

// At the edge of the domain an extreme is known to fewer digits.
bool same_place(const Grid& grid, const Found& a, const Found& b) {
  return grid.cells_between(a.x, b.x) <= (a.extreme.at_hole && b.extreme.at_hole ? 0.05 : 1e-3);
}

bool every_second(const Eigen::VectorXi& index) {
  return (index.array().unaryExpr([](int i) { return i % 2; }) == 0).all();
}

void check(const SearchProblem& problem) {
  if (problem.axes.empty()) throw InputError("search needs at least one --over range");
  double points = 1;
  for (auto axis = problem.axes.begin(); axis != problem.axes.end(); ++axis) {
    const auto same = [&](const SearchAxis& other) { return other.path == axis->path; };
    if (std::any_of(problem.axes.begin(), axis, same))
      throw InputError(fmt::format("the range of {} is given twice", axis->name));
  }
  for (const auto& axis : problem.axes) {
    points *= axis.count;
    if (!std::isfinite(axis.to - axis.from))
      throw InputError(fmt::format("the range of {} is too wide for double precision", axis.name));
    if (axis.count < 2 || !(axis.from < axis.to))
      throw InputError(fmt::format("the range of {} must grow and have at least 2 points", axis.name));
  }
  constexpr double most = 2e8;
  if (points > most)
    throw InputError(fmt::format("the grid has {:.3g} points, allowed are {:.3g}: give fewer per axis", points, most));
}

// A misspelt contact is an error, not a hole in the domain. The state without the ranges need not exist.
void check_quantity(const SearchProblem& problem) {
  std::optional<Scene> scene;
  try {
    scene = problem.source.build();
  } catch (const InputError&) {
    return;
  }
  problem.quantity.of(*scene);
}

// The grid without the axes that the quantity does not depend on, which stay in the middle of their range.
struct Section {
  std::vector<SearchAxis> axes;
  std::vector<std::optional<double>> fixed;
  std::vector<double> values;
};

Section section(const Grid& grid, std::vector<double> values, const std::vector<bool>& independent) {
  Section s;
  const auto& axes = grid.axes();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    s.fixed.push_back(independent[k] ? std::optional((axes[k].from + axes[k].to) / 2) : std::nullopt);
    if (!independent[k]) s.axes.push_back(axes[k]);
  }
  if (s.axes.size() == axes.size()) {
    s.values = std::move(values);
    return s;
  }
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Eigen::VectorXi index = grid.index(i);
    bool first = true;  // of its line along the axes that are left out
    for (std::size_t k = 0; k < axes.size(); ++k)
      first = first && (!independent[k] || index(static_cast<Eigen::Index>(k)) == 0);
    if (first) s.values.push_back(values[i]);
  }
  return s;
}

// A pole is known to 1e-7 cells; where it lies on a grid value, as poles at round numbers do, it is that value.
Eigen::VectorXd on_grid(const Grid& grid, Eigen::VectorXd x) {
  constexpr double near = 1e-6;  // cells
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    Eigen::VectorXi index = Eigen::VectorXi::Zero(x.size());
    const double from = grid.point(index)(k);
    index(k) = static_cast<int>(std::lround((x(k) - from) / grid.spacing(k)));
    const double value = grid.point(index)(k);
    if (std::abs(value - x(k)) <= near * grid.spacing(k)) x(k) = value;
  }
  return x;
}

Extreme extreme_at(const SearchProblem& problem, const Objective& f, const Eigen::VectorXd& x, double value) {
  Extreme extreme;
  extreme.value = problem.minimise ? value : -value;
  extreme.at = f.place(x);
  extreme.scene = f.scene(x);
  return extreme;
}

// Where the quantity is the same at grid points side by side, all of them are one extreme. They are marked as seen.
void spread(const Objective& f, const Grid& grid, const std::vector<double>& values, std::size_t start,
            std::vector<bool>& seen, Found& found) {
  const double tolerance = 1e-12 * std::abs(values[start]);
  if (std::abs(found.height - values[start]) > tolerance) return;
  const auto members = detail::plateau(grid, values, start, tolerance);
  if (members.size() == 1) return;
  Extreme& e = found.extreme;
  e.members = static_cast<int>(members.size());
  e.from = e.to = f.place(grid.point(grid.index(start)));
  for (const std::size_t member : members) {
    seen[member] = true;
    const Eigen::VectorXi index = grid.index(member);
    const std::vector<double> at = f.place(grid.point(index));
    bool inside = true;
    for (std::size_t k = 0; k < at.size(); ++k) {
      e.from[k] = std::min(e.from[k], at[k]);
      e.to[k] = std::max(e.to[k], at[k]);
    }
    for (Eigen::Index k = 0; k < index.size(); ++k)
      inside = inside && index(k) > 0 && index(k) + 1 < grid.axes()[static_cast<std::size_t>(k)].count;
    e.interior = e.interior || inside;
  }
}

// Refines a grid point and adds what it leads to, unless that is known.
void refine(const SearchProblem& problem, const Objective& f, const Grid& grid, const Eigen::VectorXi& index,
            bool coarse, const std::vector<double>& values, std::vector<bool>& seen, std::vector<Found>& found) {
  constexpr double finest = 1e-7;  // cells
  const Eigen::VectorXd x = detail::polish(f, grid, detail::descend(f, grid, grid.point(index), finest));
  const double value = f(x);
  Extreme extreme = extreme_at(problem, f, x, value);
  extreme.confirmed = coarse;
  extreme.exponent = detail::pole(f, grid, x);
  if (extreme.exponent) extreme.at = f.place(on_grid(grid, x));
  classify(f, grid, x, extreme);
  Found one{x, value, std::move(extreme)};
  const auto known =
      std::find_if(found.begin(), found.end(), [&](const Found& other) { return same_place(grid, one, other); });
  if (known != found.end()) {
    known->extreme.confirmed = known->extreme.confirmed || coarse;
    return;
  }
  spread(f, grid, values, grid.flat(index), seen, one);
  found.push_back(std::move(one));
}

// All grid points that are no worse than their neighbours, refined; empty when `proceed` stopped it.
std::vector<Found> refine_all(const SearchProblem& problem, const Objective& f, const Grid& grid,
                              const std::vector<double>& values, const std::function<bool(double)>& proceed,
                              SearchReport& report) {
  std::vector<Found> found;
  std::vector<bool> seen(grid.size(), false);
  for (std::size_t i = 0; report.complete && i < grid.size(); ++i) {
    const Eigen::VectorXi index = grid.index(i);
    const bool fine = is_lowest(grid, values, index, 1);
    const bool coarse = every_second(index) && is_lowest(grid, values, index, 2);
    if ((!fine && !coarse) || seen[i]) continue;
    report.complete = !proceed || proceed(1);
    refine(problem, f, grid, index, coarse, values, seen, found);
  }
  return found;
}

// A quantity that changes nowhere has its value everywhere.
void put_constant(const SearchProblem& problem, const Objective& f, SearchReport& report) {
  const Eigen::VectorXd nowhere(0);
  const double value = f(nowhere);
  if (value == undefined) return;
  Extreme extreme = extreme_at(problem, f, nowhere, value);
  extreme.from = extreme.to = extreme.at;
  report.extremes.push_back(std::move(extreme));
}

double range_of(const std::vector<double>& values) {
  double low = undefined, high = -undefined;
  for (const double value : values) {
    if (value == undefined) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > low ? high - low : 0;
}

void sort(const SearchProblem& problem, std::vector<Extreme>& extremes) {
  std::stable_sort(extremes.begin(), extremes.end(), [&](const Extreme& a, const Extreme& b) {
    if (a.interior != b.interior) return a.interior;
    return problem.minimise ? a.value < b.value : a.value > b.value;
  });
}

// What the values on the grid lead to.
void find_extremes(const SearchProblem& problem, const Grid& grid, std::vector<double> values,
                   const std::function<bool(double)>& proceed, SearchReport& report) {
  std::vector<bool> independent(problem.axes.size(), false);
  if (report.undefined < static_cast<long>(grid.size())) independent = detail::independent_axes(grid, values);
  for (std::size_t k = 0; k < independent.size(); ++k) {
    if (independent[k]) report.independent.push_back(problem.axes[k].name);
  }
  const Section part = section(grid, std::move(values), independent);
  const Objective f(problem, part.fixed);
  const Grid left(part.axes);
  if (part.axes.empty()) {
    put_constant(problem, f, report);
  } else {
    auto found = refine_all(problem, f, left, part.values, proceed, report);
    for (Extreme& extreme : detail::families(f, left, std::move(found), range_of(part.values)))
      (extreme.exponent ? report.unbounded : report.extremes).push_back(std::move(extreme));
  }
  report.evaluated += f.evaluated();
  sort(problem, report.extremes);
}

}  // namespace

int default_count(std::size_t axes) {
  constexpr int counts[] = {2001, 201, 41, 17};
  return counts[std::min<std::size_t>(axes, 4) - 1];
}

SearchReport search(const SearchProblem& problem, const std::function<bool(double)>& proceed) {
  check(problem);
  check_quantity(problem);
  SearchReport report;
  const Grid grid(problem.axes);
  for (std::size_t k = 0; k < problem.axes.size(); ++k)
    report.cell.push_back(grid.spacing(static_cast<Eigen::Index>(k)));
  std::vector<double> values = detail::grid_values(problem, grid, proceed, report);
  report.complete = !values.empty();
  report.undefined = std::count(values.begin(), values.end(), undefined);
  if (report.complete) find_extremes(problem, grid, std::move(values), proceed, report);
  return report;
}

}  // namespace painleve
