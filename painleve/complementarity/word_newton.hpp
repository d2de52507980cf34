// Newton's method for all equations of a spatial word at once: forces x of the contacts that do not seek a direction,
// and force, direction and slip (r_n, angle, c) of those that do.
//
//   R (W r + q) = 0,     w_n = 0 and w_t = c e(angle) for the contacts that begin to slip
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/complementarity/spatial_word.hpp"

namespace painleve {

struct WordEquations {
  std::vector<int> rows;         // of w, set to zero by contacts that do not seek a direction
  Eigen::MatrixXd E;             // their forces E x
  std::vector<int> sought;       // contacts that do
  std::vector<int> sought_rows;  // all three rows of each
  std::vector<int> sign;         // of their r_n
  Eigen::MatrixXd e;             // 2 × count: the directions that are given
};
WordEquations word_equations(const ContactProblem& problem, const SpatialWord& word);

struct NewtonPoint {
  Eigen::VectorXd x;
  Eigen::VectorXd r_n, angle, c;  // per sought contact
};

Eigen::Vector2d direction(const NewtonPoint& z, int k);

// Force of the k-th sought contact per r_n, for slip along e: (−sign μ e, 1).
Eigen::Vector3d force_direction(const ContactProblem& problem, const WordEquations& equations, int k,
                                const Eigen::Vector2d& e);
Eigen::VectorXd force_of(const ContactProblem& problem, const WordEquations& equations, const NewtonPoint& z);

struct NewtonResult {
  double error = 0;      // largest residual of an equation
  double largest = 0;    // largest force
  double rounding = 0;   // of the unknowns, from the condition of the last matrix
  int undetermined = 0;  // unknowns that the last matrix does not determine
};

// Damped steps until the error stops to fall; singular matrices take the shortest step.
NewtonResult polish(const ContactProblem& problem, const WordEquations& equations, NewtonPoint& z, int most_steps);

// Directions in which the forces can change while the directions of slip stay and all equations hold.
Eigen::MatrixXd undetermined_forces(const ContactProblem& problem, const WordEquations& equations,
                                    const NewtonPoint& z);

// Directions in which they can change, to first order, while the directions of slip turn with them: orthonormal, and
// orthogonal to those in which they can without.
Eigen::MatrixXd turning_forces(const ContactProblem& problem, const WordEquations& equations, const NewtonPoint& z);

}  // namespace painleve
