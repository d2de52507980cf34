// Polyhedra G y + h ≥ 0: their dimension, directions, vertices and rays, as the family of solutions that they describe.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/linear_feasibility.hpp"
#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

struct Polyhedron {
  Eigen::MatrixXd G;
  Eigen::VectorXd h;
};

// The image r = map y + origin of the polyhedron, of which `inside` is an interior point with its directions. Vertices
// and rays by trying every set of rows that could meet in one, where these are not too many.
Family family(const Polyhedron& region, const Interior& inside, const Eigen::MatrixXd& map,
              const Eigen::VectorXd& origin);

// The family in r = factor r' instead of r'.
void restore(const Eigen::VectorXd& factor, Family& family);

}  // namespace painleve
