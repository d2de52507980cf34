// Chatter of one planar contact: impacts in ever shorter flights. Two questions that W, b and μ answer.
//
//   A = W_tt, B = W_tn, C = W_nn,  p± = C ∓ μB,  k± = μA ∓ B,  K = C − B²/A,  α = b_t/(−b_n)
//   During an impact (u_t, u_n) moves per normal impulse by (∓k±, p±) in slip along ±t and by (0, K) in stick. A flight
//   takes 2 u_n/(−b_n) and adds 2α u_n to u_t, so bounces follow each other only where b_n < 0.
//
// 1. Can chatter end (accumulate) in a Painlevé state? Let p+ < 0. Then B > C/μ > 0, and with AC > B² both k+ > 0 and
//    k− > 0. Slip along +t does not end the compression, as u_n falls with p+ < 0; it ends at u_t = 0, in stick. Slip
//    along −t slows down (k− > 0) and at most comes to u_t = 0. So u_t > 0 before an impact leaves u_t = 0 after it and
//    u_t < 0 leaves u_t ≤ 0; the flights add 2α u_n → 0; the limit has u_t ≤ 0. The paradoxes with p+ < 0 have u_t > 0,
//    or are at rest with b_n > 0. Likewise for p− < 0. The same holds for p± = 0. If however p+ > 0, an impact with
//    small |u_n| stays in slip and returns r|u_n| under each law, so every state u_t > 0 is the end of a chatter, r
//    < 1.
//
// 2. The effective restitution e, the ratio of successive landing speeds of bounces that end in stick, which land at
//    u_t = 2α |u_n|. e < 1 is chatter, e > 1 reverse chatter.
//
// Champneys & Várkonyi (2016) Secs. 3.2, 3.3, 5.2; E12, E19 of docs/errata.md.
#pragma once

#include <optional>
#include <string>

#include "painleve/contact/contact_law.hpp"
#include "painleve/contact/single_contact.hpp"

namespace painleve {

struct BounceLaw {
  double restitution = 0;  // 0 ≤ r ≤ 1
  RestitutionLaw law = RestitutionLaw::energetic;
  std::optional<double> mu;  // friction during impacts, where it differs
};

struct ChatterReach {
  bool chatter = false;                        // b_n < 0
  bool slip_plus = false, slip_minus = false;  // whether chatter can end in slip along +t, along −t
  bool painleve_state = false;                 // slip with p ≤ 0, or at rest with more or less than one mode
  std::optional<bool> here;                    // whether chatter can end in this state; empty when it is at rest with
                                               // b_n < 0, where nothing is paradoxical, or when b_n = 0
  std::string reason;
};
ChatterReach chatter_reach(const PlanarContact& contact);

struct EffectiveRestitution {
  double e = 0;
  bool exact = true;  // false: an upper bound. When the slip reverses in the impact, each bounce has u_n⁺ ≤ r |u_n⁻|
};
// Empty when b_n ≥ 0. u_t of the contact does not matter.
std::optional<EffectiveRestitution> effective_restitution(const PlanarContact& contact, const BounceLaw& law);

}  // namespace painleve
