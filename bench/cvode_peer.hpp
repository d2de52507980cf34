// What a careful programmer writes with SUNDIALS for this one compliant rod: CVODE's BDF with the equations, their
// Jacobian and the changes of regime by hand. There when its package was found: see CMakeLists.txt.
//
//   y = (gap, θ, u_t, u_n, ω),   λ_n = −k gap − ν min(u_n, 0) where gap ≤ 0,   λ_t = −min(μ λ_n, γ |u_t|) sign u_t
//
// k = ν = γ. The impulses are the momenta at the end, so they cost nothing.
#pragma once

namespace painleve {

struct CompliantRod {
  double theta = 0, slip = 0, mu = 0, gravity = 0, stiffness = 0;
};

struct CvodeRun {
  double t = 0;  // t_end, or where it gave up
  double impulse_t = 0, impulse_n = 0;
  long steps = 0, evaluations = 0;
};

CvodeRun cvode_rod(const CompliantRod& rod, double t_end, double tolerance);

}  // namespace painleve
