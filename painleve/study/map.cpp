// The problem itself: its grid, what can be wrong with it, its fingerprint; and shards put together.
#include "painleve/study/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/base/fingerprint.hpp"
#include "painleve/study/build_identity.hpp"
#include "painleve/study/map_blocks.hpp"

namespace painleve {
namespace {

constexpr double most_cells = 1e9;

void check_axis(const MapAxis& axis) {
  if (axis.count < 1) throw InputError(fmt::format("the range of {} has no points", axis.name));
  if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
    throw InputError(fmt::format("the range of {} must have finite ends", axis.name));
  if (!std::isfinite((axis.to - axis.from) * axis.count))
    throw InputError(fmt::format("the range of {} is too wide for double precision", axis.name));
  if (axis.from > axis.to)
    throw InputError(fmt::format("the range of {} is reversed: {} comes before {}", axis.name, axis.from, axis.to));
  if (axis.count == 1 && axis.from != axis.to)
    throw InputError(
        fmt::format("the range of {} has one point, which cannot span {} to {}", axis.name, axis.from, axis.to));
  if (axis.count > 1 && axis.from == axis.to)
    throw InputError(fmt::format("the range of {} is empty: both ends are {}", axis.name, axis.from));
}

void check_axes(const std::vector<MapAxis>& axes) {
  if (axes.empty()) throw InputError("a map needs at least one --over range");
  double cells = 1;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    check_axis(axes[k]);
    cells *= axes[k].count;
    for (std::size_t l = 0; l < k; ++l)
      if (axes[l].path == axes[k].path) throw InputError(fmt::format("the range of {} is given twice", axes[k].name));
  }
  if (cells > most_cells)
    throw InputError(
        fmt::format("the map has {:.3g} cells, allowed are {:.3g}: give fewer points per axis", cells, most_cells));
}

// Why a cell cannot be looked at; empty when it can.
std::string fault(const MapProblem& problem, const MapGrid& grid, long cell) {
  std::vector<double> x;
  grid.point(cell, x);
  try {
    SceneSource source = problem.source;
    for (std::size_t a = 0; a < x.size(); ++a) source.set(problem.axes[a].path, x[a]);
    const Scene scene = source.build();
    for (const auto& quantity : problem.quantities) quantity.check_contact(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A misspelt key or contact fails everywhere with the same words: that is an error of the problem, not of its cells.
// One cell that differs makes it the cells' own affair, so all are asked, a few spread over the grid first; in grids
// too large for that every cell carries its reason.
void check_scenes(const MapProblem& problem) {
  constexpr long probes = 16, most_asked = 1'000'000;
  const MapGrid grid(problem.axes);
  const std::string first = fault(problem, grid, 0);
  if (first.empty() || grid.cells() > most_asked) return;
  for (long k = 1; k < probes; ++k)
    if (fault(problem, grid, (grid.cells() - 1) * k / (probes - 1)) != first) return;
  for (long cell = 1; cell < grid.cells(); ++cell)
    if (fault(problem, grid, cell) != first) return;
  throw InputError(first);
}

void put_simulation(Fingerprint& print, const SimulateOptions& o) {
  print.add(o.method ? static_cast<int>(*o.method) + 1 : 0);
  const SimulationOptions& s = o.simulation;
  for (const double x :
       {s.t_end, s.relative, o.stepping.dt, o.stepping.theta, o.stepping.position_correction, o.compliant.smoothing})
    print.add(x);
  for (const long i :
       {static_cast<long>(s.policy), static_cast<long>(s.samples), s.most_events, static_cast<long>(s.most_futures),
        static_cast<long>(s.several), static_cast<long>(o.stepping.scheme)})
    print.add(i);
  print.add(static_cast<long>(s.seed));
}

}  // namespace

double MapAxis::at(int index) const {
  if (index == 0) return from;
  return index == count - 1 ? to : from + (to - from) * index / (count - 1);
}

long MapProblem::cells() const {
  long n = 1;
  for (const auto& axis : axes) n *= axis.count;
  return n;
}

long Map::cells() const {
  long n = 1;
  for (const auto& axis : axes) n *= axis.count;
  return n;
}

std::uint64_t MapProblem::fingerprint() const {
  Fingerprint print;
  print.add(static_cast<long>(build_identity()));
  print.add(program);
  print.add(source.text());
  for (const auto& axis : axes) {
    print.add(axis.path);
    print.add(axis.from);
    print.add(axis.to);
    print.add(static_cast<long>(axis.count));
  }
  for (const auto& quantity : quantities) {
    print.add(quantity.name());
    if (quantity.cost() == QuantityCost::simulation) put_simulation(print, simulation);
  }
  print.add(step.dt);
  print.add(static_cast<long>(step.with_drift));
  print.add(static_cast<long>(step.form));
  return print.value();
}

void check(const MapProblem& problem) {
  check_axes(problem.axes);
  if (problem.quantities.empty()) throw InputError("a map needs at least one quantity");
  check_scenes(problem);
}

void check(const Shard& shard) {
  if (shard.count < 1 || shard.index < 1 || shard.index > shard.count)
    throw InputError(fmt::format("shard {}/{} does not exist: it must be 1/{} to {}/{}", shard.index, shard.count,
                                 std::max(1, shard.count), std::max(1, shard.count), std::max(1, shard.count)));
}

}  // namespace painleve
