// All solutions of one planar contact with their certificates, inline and without allocation: what an engine can afford
// to ask at every contact of every step. A time step or an impulse is a contact at rest (u_t = 0) whose b is the free
// velocity; a slipping contact (u_t ≠ 0) is the problem of forces and accelerations.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "painleve/complementarity/planar_modes.hpp"

namespace painleve {

struct PlanarSolution {
  unsigned mode = mode_F;  // a PlanarModeBit
  double r_t = 0, r_n = 0, w_t = 0, w_n = 0;
  double residual = 0;  // as law_residual(): largest violation of w = W r + b and of the contact law, relative
};

struct PlanarSolutions {
  std::array<PlanarSolution, 4> solutions;
  int count = 0;
  bool degenerate = false;  // a family of forces is possible: ask all_solutions()

  const PlanarSolution* begin() const { return solutions.data(); }
  const PlanarSolution* end() const { return solutions.data() + count; }
};

inline double planar_residual(const PlanarContact& c, const PlanarForce& f) {
  const double rho = 1 / std::max(c.W_tt, c.W_nn);
  const double balance_t = std::abs(c.W_tt * f.lambda_t + c.W_tn * f.lambda_n + c.b_t - f.a_t);
  const double balance_n = std::abs(c.W_tn * f.lambda_t + c.W_nn * f.lambda_n + c.b_n - f.a_n);
  const double normal = std::abs(f.lambda_n - std::max(0.0, f.lambda_n - rho * f.a_n));
  const double limit = c.mu * std::abs(f.lambda_n);
  const double free = f.lambda_t - rho * f.a_t;
  const double wanted = c.u_t == 0 ? std::min(limit, std::max(-limit, free)) : std::copysign(limit, -c.u_t);
  const double worst = std::max({rho * balance_t, rho * balance_n, normal, std::abs(f.lambda_t - wanted)});
  const double force = std::max(std::abs(f.lambda_t), std::abs(f.lambda_n));
  const double load = rho * std::max(std::abs(c.b_t), std::abs(c.b_n));
  constexpr double far_beyond = 1e6;  // a force far beyond the load cannot hide a violation
  const double scale = std::min(std::max(force, load), far_beyond * load);
  return scale > 0 ? worst / scale : worst;
}

inline PlanarSolutions planar_solutions(const PlanarContact& c) {
  const PlanarModes m = planar_modes(c);
  PlanarSolutions set;
  set.degenerate = m.degenerate;
  const auto add = [&](unsigned mode, const PlanarForce& f) {
    if ((m.consistent & mode) == 0) return;
    set.solutions[static_cast<std::size_t>(set.count++)] = {mode,  f.lambda_t, f.lambda_n,
                                                            f.a_t, f.a_n,      planar_residual(c, f)};
  };
  add(mode_F, m.free);
  add(mode_S_plus, m.slip_plus);
  add(mode_S_minus, m.slip_minus);
  add(mode_T, m.stick);
  return set;
}

}  // namespace painleve
