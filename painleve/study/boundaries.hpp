// The boundaries between the regions of a map, as curves: where two neighbouring cells differ in a word, the change is
// located between them by bisection.
//
// What bisection meets on the way counts: where a third word lies between two cells, both of its ends are located.
// Regions thinner than the tolerance do not: a cell that lies exactly on a boundary, where the word may be a third one,
// makes no region of its own, nor does the seam of verdicts along an edge of several motions (boundaries.cpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "painleve/study/map.hpp"

namespace painleve {

struct Boundary {
  std::string quantity;
  // The words on its two sides; "" where the quantity does not exist. One axis: below and above the point. Two axes:
  // in the order of the alphabet.
  std::string below, above;
  // One axis: chains of one point each, (value, 0). Two axes: chains of points through neighbouring cells, (first axis,
  // second axis); a closed one ends with the point that it began with. Where three regions meet, chains end within a
  // cell of that place.
  std::vector<std::vector<std::array<double, 2>>> chains;
};

// `tolerance` is relative to the range of the axis along which a change is located. For the columns of words of
// complete maps of one or two axes; throws InputError otherwise, and where no column has words.
std::vector<Boundary> boundaries(const MapProblem& problem, const Map& map, double tolerance = 1e-13, int threads = 0);

}  // namespace painleve
