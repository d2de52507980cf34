#include "painleve/impact/impact_path.hpp"

#include <cmath>
#include <limits>

#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/impact/detail/impact_ledger.hpp"

namespace painleve {
namespace {

// Per normal impulse.
struct Slope {
  double u_t, u_n, Lambda_t;
  Slide slide;
};

Slope slope(const PlanarContact& c, const PlanarModes& m, double u_t) {
  if (u_t > 0 || (u_t == 0 && m.k_plus < 0)) return {-m.k_plus, m.p_plus, -c.mu, Slide::slip_plus};
  if (u_t < 0 || m.k_minus < 0) return {m.k_minus, m.p_minus, c.mu, Slide::slip_minus};
  const double stick = c.W_tt > 0 ? -c.W_tn / c.W_tt : 0.0;
  return {0, c.W_tt > 0 ? m.determinant / c.W_tt : c.W_nn, stick, Slide::stick};
}

// The impulse to u_t = 0, infinite when the slip does not end.
double to_stop(double u_t, const Slope& s) {
  const bool slows = u_t * s.u_t < 0;
  return slows ? -u_t / s.u_t : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<ImpactPhase> ImpactPath::phases() const {
  std::vector<ImpactPhase> list;
  for (std::size_t i = 1; i < corners.size(); ++i) list.push_back(corners[i].phase);
  return list;
}

ImpactPath impact_path(const PlanarContact& contact, double u_n, const BounceLaw& law) {
  PlanarContact c = contact;
  c.mu = law.mu.value_or(c.mu);
  const PlanarModes m = planar_modes(c);
  detail::ImpactLedger ledger(law, u_n);
  ImpactPath path;
  Slope s = slope(c, m, c.u_t);
  ImpactCorner at{c.u_t, u_n, 0, 0, {s.slide, false}};
  path.corners.push_back(at);
  if (u_n > 0 || (u_n == 0 && (c.u_t == 0 || s.u_n >= 0))) return path;
  path.outcome = u_n < 0 ? ImpactOutcome::collision : ImpactOutcome::without_collision;
  // At most one change of slide and one of phase: four lines.
  while (!ledger.ended()) {
    const double end = ledger.to_end(at.u_n, s.u_n);
    const double stop = to_stop(at.u_t, s);
    const double length = std::fmin(end, stop);
    if (!std::isfinite(length)) {
      path.outcome = ImpactOutcome::locked;
      break;
    }
    ImpactCorner next{stop <= end ? 0 : at.u_t + s.u_t * length,
                      at.u_n + s.u_n * length,
                      at.Lambda_t + s.Lambda_t * length,
                      at.Lambda_n + length,
                      {s.slide, ledger.restitution()}};
    if (end <= stop && !ledger.restitution()) next.u_n = 0;
    ledger.add(length, length * (at.u_n + next.u_n) / 2);
    path.work_t += s.Lambda_t * length * (at.u_t + next.u_t) / 2;
    if (end <= stop) ledger.end_phase(false);
    if (length > 0) path.corners.push_back(next);
    at = next;
    s = slope(c, m, at.u_t);
  }
  path.Lambda_compression = ledger.Lambda_compression();
  path.work_compression = ledger.work_compression();
  path.work_n = ledger.work();
  return path;
}

}  // namespace painleve
