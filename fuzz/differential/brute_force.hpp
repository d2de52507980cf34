// All solutions of a small planar contact problem by brute force in exact arithmetic: every word, every choice of
// inequalities that are met with equality. Shares nothing with the library.
//
//   w = W r + q,  0 ≤ r_n ⊥ w_n ≥ 0
//   resting:  |r_t| ≤ μ r_n,  r_t = −μ r_n sign(w_t) where w_t ≠ 0        sliding:  r_t = −μ r_n e
//
// The forces of one word form a polyhedron without lines (forces press and lie in cones), so it is empty exactly when
// it has no vertex. What is returned are the vertices of all words.
#pragma once

#include <string>
#include <vector>

#include "rational.hpp"

namespace painleve::differential {

using Vector = std::vector<Rational>;
using Matrix = std::vector<Vector>;

struct ExactProblem {
  Matrix W;
  Vector q, mu;
  std::vector<int> slide;  // per contact: 0 rests, +1 or −1 the direction in which it slides

  int count() const { return static_cast<int>(mu.size()); }
};

struct Vertex {
  std::string word;
  Vector r, w;
};

std::vector<Vertex> vertices(const ExactProblem& problem);

Vector motion(const ExactProblem& problem, const Vector& r);

}  // namespace painleve::differential
