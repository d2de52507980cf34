// Sweeps over the contacts, one at a time, the others held: what most engines do.
//
// `projected`: per contact r_n ← max(0, r_n − w_n/W_nn), then r_t ← r_t − w_t/|W_tt| cut to the disc μ r_n.
// `block`: per contact its own contact problem is solved exactly.
//
// Where the paradox is, the projected sweep runs away: for one contact that slides into the corner it repeats
// r_n ← (μ W_tn·e r_n − q_n)/W_nn, which grows by the factor μ W_tn·e/W_nn > 1 per sweep exactly when p < 0.
//
// A contact's own problem can have several solutions: `block` takes the one nearest to the present r. It can also have
// none (it slides with p ≤ 0 under load, or W is singular there and cannot carry the load). The others may still change
// that, so `block` does not give up: it makes the projected step at that contact and names it in `without_solution`.
// Where nothing changes it, that step runs away as above. At p = 0 it gains the same force in every sweep, and where
// W_nn = 0 it does nothing; neither is geometric growth, and the status is `limit`.
//
// Normals alone (dimension 1) are swept without friction; there W may be any square matrix, and the projected step at a
// contact with W_nn < 0 divides by |W_nn|.
//
// A sweep costs O(rows²) and allocates nothing, except where slip_directions() must decide on a double root.
//
// `finish`: block sweeps find the modes of the contacts long before the forces. After 2, 4, 8, … sweeps Newton's method
// on the modes that they suggest (settled_modes.hpp) is tried, with at most four contacts also from the start, and
// after 32 Lemke's method (standard_form.hpp), in space with a polygon and then Newton's method. What they find counts
// only with its certificate, and `found_by` says who found it; where several solutions exist it need not be the one
// that more sweeps would have reached. Where they find nothing the sweeps go on as if they had not been tried. With
// `finish` off, and for `projected`, there are sweeps only.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

enum class SweepMethod { projected, block };
enum class SweepStatus {
  converged,  // law_residual <= tolerance
  growing,  // r grows geometrically, beyond any force that rounding could still call a solution, or for most of the run
  limit,    // neither: most_sweeps are spent, or a sweep changes nothing although the laws are violated
};

// What led to the solution: the start was one, the sweeps, Newton's method on their modes, or on those of Lemke's
// method.
enum class SweepEnd { nowhere, start, sweeps, modes, pivoting };

struct SweepOptions {
  SweepMethod method = SweepMethod::block;
  int most_sweeps = 10000;
  double tolerance = 1e-12;  // converged when law_residual <= this
  Eigen::VectorXd start;     // r at the start; empty: 0
  bool finish = true;        // `block`: by other means than sweeps as soon as they lead there
};

struct SweepReport {
  SweepStatus status = SweepStatus::limit;
  SweepEnd found_by = SweepEnd::nowhere;
  int sweeps = 0;
  int newton_steps = 0;  // of all tries to finish
  Eigen::VectorXd r, w;
  double residual = 0;  // law_residual(), the certificate of convergence
  // Ratio of the last changes of r from sweep to sweep: < 1 how fast it converges, > 1 how fast it runs away. The
  // geometric mean over the last sweeps, at most 16, whose change is more than rounding; 0 with fewer than two of them.
  // A run that cycles has a ratio too, of no meaning.
  double factor = 0;
  // `block`: first contact whose own problem had no solution in the last sweep, the others held; −1: each had one.
  int without_solution = -1;
};

// Throws InputError when the start has the wrong size or is not finite.
SweepReport gauss_seidel(const ContactProblem& problem, const SweepOptions& options = {});

const char* to_string(SweepStatus status);
const char* to_string(SweepEnd end);

}  // namespace painleve
