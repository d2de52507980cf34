// The linear complementarity problem: find z with  w = M z + q,  0 ≤ w ⊥ z ≥ 0.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "painleve/complementarity/solution_set.hpp"

namespace painleve {

struct LinearComplementarity {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
};

// Largest |min(z_i, w_i)| with w = M z + q, relative to the largest of |q|, |z| and |w| (1 when all vanish).
double complementarity_residual(const LinearComplementarity& problem, const Eigen::VectorXd& z);

// The same as a contact problem of normals alone: r = z, without tangents. Slipping contacts whose friction is built
// into their matrix are of this kind.
ContactProblem normals_alone(const LinearComplementarity& problem);

struct LcpSolution {
  Eigen::VectorXd z, w;  // of a family: a point in its relative interior
  Family family;         // directions, vertices and rays in z
  double residual = 0;   // complementarity_residual()
};

struct LcpSolutions {
  std::vector<LcpSolution> solutions;
  bool complete = true;
  std::string incomplete_reason;
  EnumerationWork work;
};

LcpSolutions all_solutions(const LinearComplementarity& problem, const EnumerationOptions& options = {});

}  // namespace painleve
