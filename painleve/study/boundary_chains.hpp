// From changes of a word on the edges of a grid to curves. Not part of the public interface.
//
//   (i, j) ──H(i,j)── (i, j+1)      square (i, j) has the edges H(i,j), H(i+1,j), V(i,j), V(i,j+1); first axis down,
//     │                  │          second to the right
//   V(i,j)            V(i,j+1)
//     │                  │
//   (i+1, j)─H(i+1,j)─(i+1, j+1)
//
// Two changes between the same words on different edges of a square are linked; where there are more, the nearest ones.
// Links make chains.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace painleve {

struct EdgeCrossing {
  std::array<double, 2> at{};  // in cells: (i, j) of the grid
  std::array<double, 2> x{};   // in the units of the axes
  int axis = 0;                // along which it was found
  bool node = false;           // at a point of the grid, and so on all edges that end there
};

// Chains through the crossings of one pair of words, as lists of indices; a closed one repeats its first. `counts` are
// the points of the grid per axis.
std::vector<std::vector<std::size_t>> chain(const std::vector<EdgeCrossing>& crossings,
                                            const std::array<int, 2>& counts);

}  // namespace painleve
