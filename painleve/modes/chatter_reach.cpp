#include "painleve/modes/chatter_reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/planar_modes.hpp"

namespace painleve {
namespace {

// The contact seen so that α ≥ 0.
struct Bounce {
  double alpha, A, B, p, k, k_reverse, K;
};

Bounce bounce(const PlanarContact& c, double mu) {
  PlanarContact turned = c;
  turned.mu = mu;
  turned.W_tn = c.b_t < 0 ? -c.W_tn : c.W_tn;
  const PlanarModes m = planar_modes(turned);
  const double K = c.W_tt > 0 ? m.determinant / c.W_tt : c.W_nn;
  return {std::abs(c.b_t) / -c.b_n, c.W_tt, turned.W_tn, m.p_plus, m.k_plus, m.k_minus, K};
}

// Slip ends in compression: from there on the contact sticks, and all of the restitution with it.
double e_stop_in_compression(const Bounce& m, const BounceLaw& law) {
  const double r = law.restitution;
  switch (law.law) {
    case RestitutionLaw::energetic:
      return r * std::sqrt(1 + 4 * m.alpha * m.B / m.A * (1 - m.alpha * m.p / m.k));
    case RestitutionLaw::poisson:
      return r * (1 + 2 * m.alpha * m.B / m.A);
    case RestitutionLaw::newton:
      break;
  }
  return r;
}

// Slip ends in restitution, at the normal velocity `stop` of a unit landing speed.
double e_stop_in_restitution(const Bounce& m, double stop, const BounceLaw& law) {
  const double r = law.restitution;
  switch (law.law) {
    case RestitutionLaw::energetic:
      return std::sqrt(stop * stop + m.K / m.p * (r * r - stop * stop));
    case RestitutionLaw::poisson:
      return stop + m.K / m.p * (r - stop);
    case RestitutionLaw::newton:
      break;
  }
  return r;
}

std::string why_not_in_slip(char sign, double p) {
  const char* rest = sign == '+' ? "<= 0" : ">= 0";
  return fmt::format(
      "chatter does not end in slip along {}t where p = {:.6g} <= 0: every impact that slips so ends in stick, and the "
      "limit has u_t {}",
      sign, p, rest);
}

}  // namespace

ChatterReach chatter_reach(const PlanarContact& c) {
  const PlanarModes m = planar_modes(c);
  ChatterReach reach;
  reach.chatter = c.b_n < 0;
  reach.slip_plus = reach.chatter && m.p_plus > 0;
  reach.slip_minus = reach.chatter && m.p_minus > 0;
  const double p = c.u_t > 0 ? m.p_plus : m.p_minus;
  reach.painleve_state = c.u_t == 0 ? !m.degenerate && m.count() != 1 : p <= 0;
  if (c.b_n > 0) {
    reach.here = false;
    reach.reason = fmt::format("chatter needs a flight that returns: b_n = {:.6g} > 0", c.b_n);
  } else if (c.b_n == 0) {
    reach.reason = "b_n = 0: whether a flight returns is decided by what comes after it in time";
  } else if (c.u_t == 0) {
    reach.reason = "at rest with b_n < 0 there is one continuation: no Painlevé state that could be reached";
  } else {
    reach.here = p > 0;
    reach.reason = p > 0 ? "p > 0: no Painlevé state; impacts in slip that get weaker can end here"
                         : why_not_in_slip(c.u_t > 0 ? '+' : '-', p);
  }
  return reach;
}

std::optional<EffectiveRestitution> effective_restitution(const PlanarContact& c, const BounceLaw& law) {
  if (!(c.b_n < 0)) return std::nullopt;
  const double r = law.restitution;
  const Bounce m = bounce(c, law.mu.value_or(c.mu));
  // Without slip at the landing, or with slip that friction does not slow down, the impact is a straight line.
  if (m.alpha == 0 || m.k <= 0) return EffectiveRestitution{r, true};
  const double stop = -1 + 2 * m.alpha * m.p / m.k;
  if (m.p > 0 && stop >= r) return EffectiveRestitution{r, true};
  if (m.k_reverse < 0) return EffectiveRestitution{r, false};
  return EffectiveRestitution{stop <= 0 ? e_stop_in_compression(m, law) : e_stop_in_restitution(m, stop, law), true};
}

}  // namespace painleve
