// The rod of Preclik & Rüde on a spring and dampers, (21)-(22), with the Jacobian kept at its first value.
//
//   m v̇ = f + J₀ᵀλ,   ġ = J₀ v                                      m = 1, l = 2, I = 1/3, g = 1, φ(0) = π/3, v_x = −1
//   λ_n = −α g_n − α min(ġ_n, 0) for g_n ≤ 0, else 0                 with the exact gap g_n = q_y − sin φ
//   λ_t = −ġ_t/|ġ_t| min(μ λ_n, α|ġ_t|)                              μ = 3/2
//
// With J(φ) the rod pivots about its tip and the contact does not break (E-R6 of docs/errata.md); the library simulates
// that. Of the readings in which it breaks, this one comes nearest to the printed integrals at the stated constants
// (E-R7); the paper does not say so.
#pragma once

#include <vector>

namespace painleve {

struct FrozenRodSample {
  double t = 0, gap = 0, slip = 0;  // slip: ġ_t
  double lambda_n = 0, lambda_t = 0;
};

struct FrozenRodRun {
  bool broke = false;                    // g_n rose through 0 before t_end
  double t = 0;                          // of that, or t_end
  double impulse_n = 0, impulse_t = 0;   // ∫λ dt up to there
  double t_stick = 0;                    // when friction first fell below μ λ_n; 0: never
  std::vector<FrozenRodSample> samples;  // at least `samples` + 1, in time
};

// From g_n = 0 under gravity. `relative` is the tolerance of the integrator.
FrozenRodRun press_frozen_rod(double alpha, double t_end, int samples = 0, double relative = 1e-11);

}  // namespace painleve
