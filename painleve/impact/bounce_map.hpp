// Bounces of one planar contact: impacts with flights in constant b between them, b_n < 0.
//
//   impact   (u_t, −V) → (u_t⁺, v)                          planar_impact.hpp
//   flight   lasts 2v/(−b_n), adds 2v β to u_t with β = b_t/(−b_n), and lands with (u_t⁺ + 2βv, −v)
//
// The map is homogeneous, so that the landing ratio α = u_t/V follows a map of its own,
//
//   α → f(α) = (u_t⁺/v) + 2β   for the impact of (α, −1),        e = v the factor of the landing speed,
//
// which grows with α. An impact that ends in stick gives f = 2β at once; an impact that slips throughout gives
// f = α/r + 2β − k(1+r)/(pr), which runs away from its fixed point. So from any start the ratio either settles — at 2β,
// or, where the slip reverses in the impact, at a fixed point that iteration finds — or grows without bound, and then
// the contact keeps slipping in that direction and e = r.
//
//   e < 1   chatter: infinitely many bounces in a finite time, summed here as geometric series
//   e > 1   reverse chatter: the bounces grow out of rest. Followed back in time they accumulate, so that from rest at
//           t = 0 there is a future for each phase φ in [0, 1): landings with speed V_n = v0 e^(n+φ), n any integer, at
//           the times t_n = (2V_n/(−b_n)) e/(e − 1).
//
// Seen so that B = W_tn > 0, with A = W_tt, C = W_nn, K = C − B²/A: under the energetic law some β > 0 gives e > 1
// exactly when p+ < r²K, that is μ > (C − r²K)/B. The interval is lo < β < hi with
//   lo = 2G/(1 + √(1 − 4G p+/k+)),  G = (1/r² − 1) A/(4B),
//   hi = (k+/2p+)(1 + √((r²K/p+ − 1)/(K/p+ − 1))), unbounded when p+ ≤ 0.
//
// Champneys & Várkonyi (2016) Sec. 3.3 and Fig. 11; E11, E12, E13 of docs/errata.md.
#pragma once

#include <optional>
#include <string>

#include "painleve/contact/single_contact.hpp"
#include "painleve/impact/planar_impact.hpp"

namespace painleve {

// One bounce: from a landing to the next one.
struct Bounce {
  PlanarImpact impact;
  double flight = 0;        // [s] its duration
  double shift = 0;         // [m] tangential way in flight
  double u_t = 0, u_n = 0;  // at the next landing
};
Bounce bounce(const PlanarContact& contact, double u_n, const BounceLaw& law);

struct BounceCycle {
  std::optional<double> alpha;  // the landing ratio u_t/(−u_n) that repeats; empty: it grows without bound, or e = 0
  double e = 0;
  int bounces = 0;  // of the iteration
  bool settled = true;
  std::string alpha_reason;  // why there is none
};
// Of bounces that begin near rest: from the ratio 2β. Empty when b_n ≥ 0, and where no normal impulse stops a landing.
// u_t of the contact does not matter.
std::optional<BounceCycle> bounce_cycle(const PlanarContact& contact, const BounceLaw& law);

struct Chatter {
  bool completes = false;
  std::string reason;  // why not
  double t_end = 0;    // [s] after the first landing
  double u_t = 0;      // [m/s] at the end, where u_n = 0
  double shift = 0;    // [m] tangential way
  double e = 0;
  int bounces = 0;  // followed one by one before the series was summed
};
// From a landing with u_n < 0 and the contact's u_t.
Chatter complete_chatter(const PlanarContact& contact, double u_n, const BounceLaw& law);

struct ReverseChatter {
  bool possible = false;
  std::string reason;  // why not
  double e = 0;
  double alpha = 0;  // landing ratio
  double b_t = 0, b_n = 0;
  double after_ratio = 0;  // u_t⁺/V just after an impact
  // Any landing with a ratio in this interval, however slow, sets it off; an empty end is unbounded.
  std::optional<double> from_ratio, to_ratio;
};
ReverseChatter reverse_chatter(const PlanarContact& contact, const BounceLaw& law);

// A future of the family: `speed` v0 > 0 [m/s] and `phase` φ in [0, 1); times count from rest.
struct ReverseFuture {
  double speed = 1e-6;
  double phase = 0;
};
struct BounceLanding {
  double t = 0, u_t = 0, u_n = 0;
  double shift = 0;  // [m] tangential way from rest
};
// Empty where its numbers leave the range of double precision.
std::optional<BounceLanding> landing(const ReverseChatter& chatter, const ReverseFuture& future, long n);
// The last landing at or before t > 0.
long last_landing(const ReverseChatter& chatter, const ReverseFuture& future, double t);

struct FlightState {
  long bounce = 0;  // the last landing
  double gap = 0, shift = 0, u_t = 0, u_n = 0;
};
std::optional<FlightState> state_at(const ReverseChatter& chatter, const ReverseFuture& future, double t);

// Fig. 11, energetic law. The friction above which some β (of the sign of W_tn) gives e > 1; empty without coupling.
std::optional<double> least_mu_of_reverse_chatter(const PlanarContact& contact, double restitution);
struct GrowthInterval {
  double lo = 0;             // e > 1 for lo < |β| < hi, β of the sign of W_tn
  std::optional<double> hi;  // empty: unbounded
};
std::optional<GrowthInterval> growth_interval(const PlanarContact& contact, double restitution);

}  // namespace painleve
