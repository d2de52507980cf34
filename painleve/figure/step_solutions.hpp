// The solution space of the impulse problem of one planar contact: impulses (Λ_n, Λ_t), free velocity q, w = W Λ + q.
//
//   normal curve      Λ_n = max(0, −(q_n + W_tn Λ_t)/W_nn)                     Signorini, for each Λ_t
//   friction curve    Λ_t = −(q_t + W_tn Λ_n)/W_tt, held within ±μ Λ_n        Coulomb, for each Λ_n ≥ 0
//   energy            E(Λ) − E(0) = ½ ΛᵀW Λ + Λᵀu_free                        of the velocity after the impulse
//
// Both curves are chains of straight lines with exact corners; where they meet is a solution. q = u_free + gap/dt on
// the normal. Preclik & Rüde (2011), Figs. 2 and 3.
#pragma once

#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve {

// Points are (Λ_n, Λ_t) [N s].
struct StepSpace {
  double W_tt = 0, W_tn = 0, W_nn = 0, mu = 0;
  double q_t = 0, q_n = 0;                               // of the problem
  double free_t = 0, free_n = 0;                         // velocity after the step without impulse
  std::vector<std::pair<std::string, Point>> solutions;  // mode and impulse, from solve()
  bool family = false;  // a solution belongs to a family, of which the point is one member

  double energy(Point impulse) const;  // E(Λ) − E(0) [J]
  // The curves, from Λ_n = 0 or over |Λ_t| ≤ most_t, as far as Λ_n = most_n.
  std::vector<Point> friction_curve(double most_n) const;
  std::vector<Point> normal_curve(double most_t) const;
};

// dt = 0: the impulse problem without a step. Throws InputError unless exactly one planar unilateral contact takes
// part, for dt < 0, and for drifting contacts.
StepSpace step_space(const Scene& scene, double dt);

struct StepSolutionsOptions {
  int isolines = 9;        // of the energy; 0: none
  bool descent = true;     // an arrow along the steepest descent of the energy from Λ = 0
  std::string title = {};  // empty: scene and dt
};
Plot step_solutions_plot(const Scene& scene, double dt, const StepSolutionsOptions& options = {});

}  // namespace painleve
