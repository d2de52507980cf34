// The kernel: an impact of one planar contact in closed form, inline and without allocation.
//
// The velocity moves with the normal impulse Λ, along a straight line per phase:
//
//   slip along ±t   (u_t, u_n)′ = (∓k±, p±)      p± = W_nn ∓ μ W_tn,  k± = μ W_tt ∓ W_tn
//   stick           (u_t, u_n)′ = (0, K)          K = W_nn − W_tn²/W_tt
//   at u_t = 0      stick if k+ ≥ 0 and k− ≥ 0; slip along +t if k+ < 0, along −t if k− < 0
//
// Compression ends at u_n = 0, at the impulse Λ_c and the work W_c = ∫ u_n dΛ < 0. Restitution ends when
//   energetic  W_r = −r² W_c          Poisson  Λ_r = r Λ_c          Newton  u_n⁺ = −r u_n⁻
//
// Seen so that u_t ≥ 0 (U = |u_t|, V = −u_n, W_tn turned with u_t; p, k without sign are p+, k+), with the normal
// velocity v_s = −V + pU/k and the impulse Λ_s = U/k at which the slip ends, and with what follows it — stick (q, w) =
// (K, 0), or reversed slip (q, w) = (p−, k−) where k− < 0:
//
//   region            when                          u_n after
//   1, 2              k ≤ 0, or p > 0 and v_s ≥ rV  rV under each law: the slip does not end
//   3, 4 (7, 8)       0 ≤ v_s < rV                  energetic √(v_s² + (q/p)(r²V² − v_s²)), Poisson v_s + q((1+r)V/p −
//                                                   Λ_s)
//   5, 6 (9, 10)      v_s < 0 or p ≤ 0              energetic r √(q Λ_s (V − v_s) + v_s²), Poisson r (q Λ_s − v_s)
//   0                 u_t = 0 and stick             rV
//
// and u_t after is w (u_n − v_s)/q. Odd regions have u_t > 0 before, even ones u_t < 0; those in brackets reverse the
// slip. From u_t = 0 with k+ < 0 the contact slips along +t, region 1; with k− < 0 along −t, region 2.
// Impact without collision: V = 0 and p < 0, always region 5 or 6, in which Newton's law gives u_n = 0.
//
// Limits. With W_tt = 0 friction changes nothing (k = 0, K = W_nn). A W without response in stick (K = 0) holds the
// contact where the slip ends: a restitution that begins there at u_n = 0 stays there, and a compression never ends —
// `locked`, with the velocities where the slip ended. That needs a velocity outside the range of W.
//
// Champneys & Várkonyi (2016) Sec. 3.2; E08, E09, E10 of docs/errata.md.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "painleve/base/rounding.hpp"
#include "painleve/contact/single_contact.hpp"
#include "painleve/impact/impact_phase.hpp"
#include "painleve/modes/chatter_reach.hpp"

namespace painleve {

struct PlanarImpact {
  ImpactOutcome outcome = ImpactOutcome::none;
  int region = 0;                 // 0 to 10; 0 also when nothing happens
  double u_t = 0, u_n = 0;        // after
  double Lambda_t = 0;            // impulse
  double Lambda_n = 0;            //
  double Lambda_compression = 0;  // Λ_n at the end of compression
  double work_compression = 0;    // of the normal impulse, ≤ 0
  double work_n = 0, work_t = 0;  // of the whole normal and tangential impulse; their sum is the change of energy
  std::array<ImpactPhase, 4> phases{};
  int phase_count = 0;

  bool happened() const { return outcome == ImpactOutcome::collision || outcome == ImpactOutcome::without_collision; }
};

namespace planar_impact_kernel {

// The contact seen so that it slips along +t or not at all.
struct Seen {
  double U, V, mu, stick_t;  // stick_t: tangential impulse per normal impulse in stick
  double p, k;               // in slip along +t
  double K, p_reverse, k_reverse;
};

// A response that is only the rounding of products of W's size is none.
inline constexpr double no_response = 64 * std::numeric_limits<double>::epsilon();

inline Seen seen(const PlanarContact& c, double u_n, double mu, double sign) {
  const double B = sign * c.W_tn;
  Seen s{};
  s.U = std::abs(c.u_t);
  s.V = -u_n;
  s.mu = mu;
  s.p = sum_or_zero(c.W_nn, -mu * B);
  s.k = sum_or_zero(mu * c.W_tt, -B);
  s.p_reverse = sum_or_zero(c.W_nn, mu * B);
  s.k_reverse = sum_or_zero(mu * c.W_tt, B);
  const bool responds = c.W_tt > 0;
  s.stick_t = responds ? -B / c.W_tt : 0.0;
  s.K = responds ? c.W_nn + s.stick_t * B : c.W_nn;
  if (s.K <= no_response * c.W_nn) s.K = 0;
  return s;
}

inline void add_phase(PlanarImpact& i, Slide slide, bool restitution, double sign) {
  if (sign < 0 && slide != Slide::stick) slide = slide == Slide::slip_plus ? Slide::slip_minus : Slide::slip_plus;
  i.phases[static_cast<unsigned>(i.phase_count++)] = {slide, restitution};
}

// One straight line: all of the impact.
inline PlanarImpact straight(const Seen& s, double r, double sign, Slide slide) {
  const bool stick = slide == Slide::stick;
  const double p = stick ? s.K : s.p;
  const double k = stick ? 0.0 : s.k;
  PlanarImpact i;
  if (!(p > 0)) {
    i.outcome = ImpactOutcome::locked;
    i.u_t = sign * s.U;
    i.u_n = -s.V;
    return i;
  }
  i.outcome = ImpactOutcome::collision;
  i.region = stick ? 0 : sign > 0 ? 1 : 2;
  i.Lambda_compression = s.V / p;
  i.Lambda_n = (1 + r) * s.V / p;
  const double after = std::fmax(sum_or_zero(s.U, -k * i.Lambda_n), 0.0);  // the slip ends at the earliest here
  i.u_t = sign * after;
  i.u_n = r * s.V;
  i.Lambda_t = sign * (stick ? s.stick_t : -s.mu) * i.Lambda_n;
  i.work_compression = -s.V * i.Lambda_compression / 2;
  i.work_n = i.work_compression * (1 - r * r);
  i.work_t = -s.mu * i.Lambda_n * (s.U + after) / 2;
  add_phase(i, slide, false, sign);
  if (r > 0) add_phase(i, slide, true, sign);
  return i;
}

// What follows the end of the slip.
struct After {
  double q, w, tangential;  // u_n′, u_t′, Λ_t′ per normal impulse
  Slide slide;
};
inline After after_slip(const Seen& s) {
  if (s.k_reverse >= 0) return {s.K, 0, s.stick_t, Slide::stick};
  return {s.p_reverse, s.k_reverse, s.mu, Slide::slip_minus};
}

struct Ending {
  double u_n;     // after
  double Lambda;  // from the end of the slip on
};

// Restitution from v_s ≥ 0, in which the slip along +t has already given back v_s²/2p.
inline Ending end_in_restitution(const Seen& s, const After& a, double v_s, double Lambda_s, const BounceLaw& law) {
  const double r = law.restitution;
  const double rV = r * s.V;
  switch (law.law) {
    case RestitutionLaw::energetic: {
      const double twice_work = (rV - v_s) * (rV + v_s) / s.p;
      const double u_n = std::sqrt(v_s * v_s + a.q * twice_work);
      return {u_n, u_n + v_s > 0 ? twice_work / (u_n + v_s) : 0.0};
    }
    case RestitutionLaw::poisson: {
      const double Lambda = (1 + r) * s.V / s.p - Lambda_s;
      return {v_s + a.q * Lambda, Lambda};
    }
    case RestitutionLaw::newton:
      break;
  }
  if (a.q == 0) return {v_s, 0};
  return {rV, (rV - v_s) / a.q};
}

// Compression from v_s < 0 and all of the restitution.
inline Ending end_in_compression(const Seen& s, const After& a, double v_s, double Lambda_s, const BounceLaw& law) {
  const double r = law.restitution;
  const double to_rest = -v_s / a.q;
  double u_n = r * s.V;  // Newton
  if (law.law == RestitutionLaw::energetic) u_n = r * std::sqrt(a.q * Lambda_s * (s.V - v_s) + v_s * v_s);
  if (law.law == RestitutionLaw::poisson) u_n = r * (a.q * Lambda_s - v_s);
  return {u_n, to_rest + u_n / a.q};
}

// The slip along +t ends at u_t = 0, at the normal velocity v_s.
inline PlanarImpact broken(const Seen& s, double v_s, const BounceLaw& law, double sign) {
  const After a = after_slip(s);
  const double Lambda_s = s.U / s.k;
  if (a.q == 0 && std::abs(v_s) <= no_response * (s.V + std::abs(s.p * Lambda_s))) v_s = 0;
  const bool compressing = v_s < 0;
  PlanarImpact i;
  i.outcome = s.V > 0 ? ImpactOutcome::collision : ImpactOutcome::without_collision;
  i.region = (a.slide == Slide::stick ? 3 : 7) + (compressing ? 2 : 0) + (sign > 0 ? 0 : 1);
  add_phase(i, Slide::slip_plus, false, sign);
  i.work_t = -s.mu * Lambda_s * s.U / 2;
  i.work_n = Lambda_s * (v_s - s.V) / 2;
  i.u_n = v_s;
  i.Lambda_n = Lambda_s;
  i.Lambda_t = -sign * s.mu * Lambda_s;
  if (compressing && !(a.q > 0)) {
    i.outcome = ImpactOutcome::locked;
    return i;
  }
  const Ending end =
      compressing ? end_in_compression(s, a, v_s, Lambda_s, law) : end_in_restitution(s, a, v_s, Lambda_s, law);
  i.Lambda_compression = compressing ? Lambda_s - v_s / a.q : s.V / s.p;
  i.work_compression = compressing ? i.work_n - v_s * v_s / (2 * a.q) : -s.V * i.Lambda_compression / 2;
  i.work_n += end.Lambda * (v_s + end.u_n) / 2;
  i.work_t += a.tangential * end.Lambda * a.w * end.Lambda / 2;
  i.u_n = end.u_n;
  i.u_t = sign * a.w * end.Lambda;
  i.Lambda_n += end.Lambda;
  i.Lambda_t += sign * a.tangential * end.Lambda;
  if (compressing) add_phase(i, a.slide, false, sign);
  if (!compressing && v_s > 0) add_phase(i, Slide::slip_plus, true, sign);
  if (compressing ? end.u_n > 0 : end.Lambda > 0) add_phase(i, a.slide, true, sign);
  return i;
}

}  // namespace planar_impact_kernel

// The impact of a contact that has the normal velocity u_n. Nothing happens, and the velocities are returned, when u_n
// > 0, or when u_n = 0 and the contact does not slip with p < 0. b does not matter.
inline PlanarImpact planar_impact(const PlanarContact& c, double u_n, const BounceLaw& law) {
  namespace kernel = planar_impact_kernel;
  const double mu = law.mu.value_or(c.mu);
  double sign = c.u_t < 0 ? -1.0 : 1.0;
  kernel::Seen s = kernel::seen(c, u_n, mu, sign);
  if (u_n > 0 || (u_n == 0 && (c.u_t == 0 || s.p >= 0))) {
    PlanarImpact same;
    same.u_t = c.u_t;
    same.u_n = u_n;
    return same;
  }
  if (s.U == 0) {
    if (s.k >= 0 && s.k_reverse >= 0) return kernel::straight(s, law.restitution, 1, Slide::stick);
    sign = s.k < 0 ? 1.0 : -1.0;
    s = kernel::seen(c, u_n, mu, sign);
    return kernel::straight(s, law.restitution, sign, Slide::slip_plus);
  }
  if (s.k <= 0) return kernel::straight(s, law.restitution, sign, Slide::slip_plus);
  const double v_s = -s.V + s.p * (s.U / s.k);
  if (s.p > 0 && v_s >= law.restitution * s.V) return kernel::straight(s, law.restitution, sign, Slide::slip_plus);
  return kernel::broken(s, v_s, law, sign);
}

}  // namespace painleve
