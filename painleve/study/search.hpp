// All local extremes of a quantity over a box of parameters and state variables.
//
// The box is covered by a grid; every grid point that is not worse than its neighbours is refined to a local extreme.
// The same is asked of the grid with every second point left out. So: an extreme whose basin is wider than a cell is
// found, and one that the coarser grid shows too is confirmed. Deterministic; no random starts.
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
};

struct Extreme {
  double value = 0;
  std::vector<double> at;  // per axis
  bool interior = true;    // false: at the edge of the box, or of where the quantity exists
  bool at_hole = false;    // the latter: not smooth there, and known to fewer digits
  bool confirmed = true;   // found from the coarser grid too
  Scene scene;
};

struct SearchReport {
  std::vector<Extreme> extremes;  // best first, interior ones before those at an edge
  std::vector<double> cell;       // grid spacing per axis
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
