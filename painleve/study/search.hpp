// All local extremes of a quantity over a box of parameters and state variables.
//
// The box is covered by a grid; every grid point that is not worse than its neighbours is refined to a local extreme.
// The same is asked of the grid with every second point left out. Deterministic, for any number of threads; no random
// starts.
//
// What is guaranteed: let B be the grid points within two cells of a point x. Where the best of B is not among its
// outermost layer, it is such a grid point, and what it is refined to is at least as good and is reported. So an
// extreme that is better than everything on the grid between one and two cells from it is not missed, and one whose
// basin does not show on the grid can be: the report says how large a cell is. An extreme that the coarser grid shows
// too is `confirmed`: what holds for cells of twice the size holds for it.
//
// Where the quantity does not depend on an axis, at any grid point, that axis is left out and named. Extremes that a
// path of equal value joins are one, with the box that they span. Where the quantity grows like a negative power of the
// distance over three decades, down to 1e-5 of a cell, there is no extreme: it is unbounded there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "painleve/study/quantity.hpp"

namespace painleve {

struct SearchAxis {
  std::string path;  // "state.theta"
  std::string name;  // as the user wrote it
  double from = 0, to = 0;
  int count = 0;  // grid points, ends included, at least 2
};

struct SearchProblem {
  SceneSource source;
  Quantity quantity;
  bool minimise = true;
  std::vector<SearchAxis> axes;
  int threads = 0;  // 0: one per core
};

struct Extreme {
  double value = 0;
  std::vector<double> at;  // per axis
  bool interior = true;    // false: at the edge of the box, or of where the quantity exists
  bool at_hole = false;    // the latter: not smooth there, and known to fewer digits
  bool confirmed = true;   // found from the coarser grid too
  Scene scene;
  // Of a family joined by paths of equal value: how many were found, and the box that they span. One: a point.
  int members = 1;
  std::vector<double> from, to;
  // Unbounded towards this place: `value` is the last that was seen, and grows like distance^exponent.
  std::optional<double> exponent;
};

struct SearchReport {
  std::vector<Extreme> extremes;         // best first, interior ones before those at an edge
  std::vector<Extreme> unbounded;        // places towards which the quantity grows without bound
  std::vector<std::string> independent;  // axes that it does not depend on: extremes have the middle of their range
  std::vector<double> cell;              // grid spacing per axis
  long evaluated = 0;
  long undefined = 0;            // grid points where the quantity does not exist
  std::string undefined_reason;  // at the first of them
  bool complete = true;          // false: stopped by `proceed`
};

// Grid points per axis for a number of axes, when the user does not say.
int default_count(std::size_t axes);

// `proceed` is told the part done and stops the search by returning false. Throws InputError when no point of the grid
// can be built, for then the ranges are at fault.
SearchReport search(const SearchProblem& problem, const std::function<bool(double)>& proceed = nullptr);

}  // namespace painleve
