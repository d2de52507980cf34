// A contact problem as a linear complementarity problem: the friction disc becomes a polygon with `facets` corners d_k
// (2 in the plane, where this is exact), r_t = D β, β ≥ 0, eᵀβ ≤ μ r_n, and σ is the sliding speed:
//
//   w_n        W_nn  W_nt D  0    r_n    q_n
//   ρ      =   Dᵀ W_tn  DᵀW_tt D  e   β   +  Dᵀ q_t          (resting contacts)
//   ζ          μ     −eᵀ     0    σ      0
//
// Stewart & Trinkle (1996) when the step problem holds gap/dt, Anitescu & Potra (1997) when it holds closed contacts
// and velocities only (StepForm). zᵀM z = rᵀW r + μ r_n σ ≥ 0: M is copositive when every contact rests. A sliding
// contact has the one column (−μ e, 1) and the one row w_n, and then M need not be copositive: this is where the
// paradox lives. A bilateral contact is a pair of opposed one-sided ones.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/complementarity/lemke.hpp"
#include "painleve/complementarity/linear_complementarity.hpp"

namespace painleve {

struct StandardForm {
  LinearComplementarity lcp;
  Eigen::MatrixXd to_r;     // r = to_r z
  bool copositive = false;  // no contact slides with friction, so that M is copositive
  bool solvable = false;    // copositive, and q fits the range of W: Lemke's method is sure to end with a solution
};

StandardForm standard_form(const ContactProblem& problem, int facets);

// Lemke's method on the standard form, scaled so that contacts of very different mass do not hurt; r, w and the
// certificate of the physical laws (round cone) of where it ended.
struct PivotedSolution {
  LemkeReport report;       // of the best path, z in the unknowns of standard_form(), pivots of all paths
  bool guaranteed = false;  // StandardForm::solvable
  int paths = 0;            // covering vectors tried; > 1 when rounding spoilt the first path of a solvable problem
  Eigen::VectorXd r, w;
  double residual = 0;  // law_residual(): with the round cone, so that a polygon shows its error in space
};
PivotedSolution solve_by_pivoting(const ContactProblem& problem, int facets);

}  // namespace painleve
