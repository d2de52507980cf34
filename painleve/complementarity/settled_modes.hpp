// Newton's method on the modes that a force suggests: where sweeps over the contacts have settled on who sticks, who
// slips and who is free, the forces follow from a system of equations, at once in the plane and in a few steps in
// space.
//
// A contact's mode is read off the natural map r − ρ w. Unknowns are r_n of slipping contacts, with the angle of the
// slip in space, and (r_t, r_n) of sticking ones; equations the motions that the modes forbid:
//
//   stick      w = 0
//   slip       w_n = 0,  e⊥·w_t = 0,   r_t = −μ |r_n| e      (in the plane and at a sliding contact e is given)
//
// After each step the modes are read again. What the matrix leaves undetermined (contacts of one body that can trade
// forces) stays as it is. Nothing is believed without law_residual().
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

struct ModeSolution {
  bool solved = false;  // residual <= tolerance
  int steps = 0;        // of Newton's method, each with one elimination
  Eigen::VectorXd r, w;
  double residual = 0;  // law_residual()
};

// From force r; nothing is promised when its modes are not near those of a solution.
ModeSolution solve_modes(const ContactProblem& problem, const Eigen::VectorXd& r, double tolerance, int most_steps);

}  // namespace painleve
