// A contact with a spring, in real time, for tests: what an impact is the limit of.
//
// With the time T = √k t and the indentation d = √k δ,
//   d′ = −u_n,  u′ = W λ + b/√k,  λ_n = d when loaded, d_m − (d_m − d)/r² when unloaded from d_m,
// so that unloading gives back r² of the work stored, which is the energetic law. Friction is −μ λ_n u_t/√(u_t² + ε²).
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "painleve/contact/single_contact.hpp"
#include "painleve/impact/detail/dormand_prince.hpp"

namespace painleve {

struct StiffContact {
  double stiffness = 1e12;
  double slip_scale = 1e-4;  // ε
  double start = 0;          // d before: an impact without collision needs a beginning
};

struct StiffOutcome {
  Eigen::Vector2d u_t;
  double u_n = 0;
  double time = 0;  // T
  bool ended = false;
};

inline StiffOutcome stiff_impact(const SpatialContact& c, double u_n, double r, const StiffContact& model) {
  using State = detail::RungeKuttaState<4>;  // u_t, u_n, d
  const double soft = 1 / std::sqrt(model.stiffness);
  double deepest = 0;
  bool unloading = false;
  const auto force = [&](double d) { return std::fmax(unloading ? deepest - (deepest - d) / (r * r) : d, 0.0); };
  const auto rate = [&](const State& y) {
    const Eigen::Vector2d u_t = y.head<2>();
    const double lambda = force(y(3));
    const Eigen::Vector2d friction =
        -c.mu * lambda * u_t / std::sqrt(u_t.squaredNorm() + model.slip_scale * model.slip_scale);
    State f;
    f << c.W_tt * friction + c.W_tn * lambda + soft * c.b_t, c.W_tn.dot(friction) + c.W_nn * lambda + soft * c.b_n,
        -y(2);
    return f;
  };
  State y;
  y << c.u_t, u_n, model.start;
  double h = 1e-6;
  StiffOutcome out;
  for (int n = 0; n < 3000000 && !out.ended; ++n) {
    const auto step = detail::dormand_prince<4>(rate, y, h);
    const double error = step.error.cwiseAbs().maxCoeff() / 1e-10;
    if (error <= 1) {
      y = step.y;
      out.time += h;
      // The spring turns where the contact does: not before it has been compressed.
      if (!unloading && y(2) > 0 && y(3) > 0) {
        unloading = true;
        deepest = y(3);
      }
      out.ended = unloading && force(y(3)) == 0;
      if (unloading && y(2) < 0) break;
    }
    h = std::fmin(h * detail::step_factor(error), 1e-3);
  }
  out.u_t = y.head<2>();
  out.u_n = y(2);
  return out;
}

}  // namespace painleve
