#include "impact_peer.hpp"

#include <algorithm>
#include <cmath>

#include "dopri5.hpp"

namespace painleve {
namespace {

constexpr long most_steps = 10000;

// Where g falls through zero in the last step of the integrator: Illinois' method on the dense output.
template <class Solver, class G>
double crossing(const Solver& solver, const G& g) {
  double low = 0, high = 1, g_low = g(solver.at(0)), g_high = g(solver.at(1)), middle = 1;
  if (g_low <= 0) return 0;
  int side = 0;  // that moved last: where it moves twice, the other end is given less weight
  const double small = 1e-15 * (g_low - g_high);
  for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
    middle = (low * g_high - high * g_low) / (g_high - g_low);
    const double value = g(solver.at(middle));
    if (std::abs(value) <= small) break;
    if (value > 0) {
      if (side == 1) g_high /= 2;
      low = middle;
      g_low = value;
      side = 1;
    } else {
      if (side == -1) g_low /= 2;
      high = middle;
      g_high = value;
      side = -1;
    }
  }
  return middle;
}

// y of both: u_t, [u_t2,] u_n, work of the normal impulse, Λ_n.

struct PlanarSlide {
  const PlanarContact* c;
  double direction;  // of slip; 0: stick

  std::array<double, 4> operator()(const std::array<double, 4>& y) const {
    if (direction == 0) return {0, c->W_nn - c->W_tn * c->W_tn / c->W_tt, y[1], 1};
    const double friction = -direction * c->mu;
    return {c->W_tn + friction * c->W_tt, c->W_nn + friction * c->W_tn, y[1], 1};
  }
};

// From u_t = 0: stick where friction can hold it, else the slip that accelerates.
double direction_from_rest(const PlanarContact& c) {
  if (std::abs(c.W_tn) <= c.mu * c.W_tt) return 0;
  return c.W_tn > 0 ? 1 : -1;
}

struct SpatialSlide {
  const SpatialContact* c;

  std::array<double, 5> operator()(const std::array<double, 5>& y) const {
    const double speed = std::hypot(y[0], y[1]);
    const double f_1 = -c->mu * y[0] / speed, f_2 = -c->mu * y[1] / speed;
    return {c->W_tn(0) + c->W_tt(0, 0) * f_1 + c->W_tt(0, 1) * f_2,
            c->W_tn(1) + c->W_tt(1, 0) * f_1 + c->W_tt(1, 1) * f_2, c->W_nn + c->W_tn(0) * f_1 + c->W_tn(1) * f_2, y[2],
            1};
  }
};

}  // namespace

IntegratedImpact integrated_impact(const Striking<PlanarContact>& s, double tolerance) {
  const PlanarContact& c = s.contact;
  PlanarSlide slide{&c, c.u_t == 0 ? direction_from_rest(c) : std::copysign(1.0, c.u_t)};
  bool compresses = true;
  double goal = 0;  // of the work, in restitution
  Dopri5<4> solver({c.u_t, s.u_n, 0, 0}, 0.1 * std::abs(s.u_n) / c.W_nn, tolerance);
  const auto slip_left = [&](const auto& y) { return slide.direction * y[0]; };
  const auto to_do = [&](const auto& y) { return compresses ? -y[1] : goal - y[2]; };
  for (long i = 0; i < most_steps; ++i) {
    solver.step(slide);
    const bool slips = slide.direction != 0 && slip_left(solver.at(0)) > 0;
    const double stop = slips && slip_left(solver.y()) < 0 ? crossing(solver, slip_left) : 2;
    const double turn = to_do(solver.y()) < 0 ? crossing(solver, to_do) : 2;
    if (std::min(stop, turn) > 1) continue;
    auto y = solver.at(std::min(stop, turn));
    if (turn <= stop) {
      if (!compresses) return {y[0], 0, y[1], y[3], solver.steps(), true};
      compresses = false;
      goal = y[2] * (1 - s.law.restitution * s.law.restitution);
    } else {
      y[0] = 0;
      slide.direction = direction_from_rest(c);
    }
    solver.restart(y);
  }
  return {};
}

IntegratedImpact integrated_impact(const Striking<SpatialContact>& s, double tolerance) {
  const SpatialContact& c = s.contact;
  bool compresses = true;
  double goal = 0;
  Dopri5<5> solver({c.u_t(0), c.u_t(1), s.u_n, 0, 0}, 0.1 * std::abs(s.u_n) / c.W_nn, tolerance);
  const auto to_do = [&](const auto& y) { return compresses ? -y[2] : goal - y[3]; };
  for (long i = 0; i < most_steps; ++i) {
    solver.step(SpatialSlide{&c});
    if (to_do(solver.y()) >= 0) continue;
    const auto y = solver.at(crossing(solver, to_do));
    if (!compresses) return {y[0], y[1], y[2], y[4], solver.steps(), true};
    compresses = false;
    goal = y[3] * (1 - s.law.restitution * s.law.restitution);
    solver.restart(y);
  }
  return {};
}

}  // namespace painleve
