// The G-spot (Génot & Brogliato): the point p = b_n = 0, where sliding can run into dynamic jam.
//
// Along the slip, in the rescaled time dt = p ds,
//   p' = α1 p + α4 b_n,   b_n' = α2 p + α3 b_n
// α1 = dp/dt along v, α2 = db_n/dt along the contact-free flow, α3 = −(∂b_n/∂v) M⁻¹ Jᵀ (−μ e; 1). In the plane α4 = 0;
// in space the slip direction turns, α4 = (μ/|u_t|) W_tn·(I − e eᵀ)(W_tn − μ W_tt e), and p = 0 can be crossed.
// Champneys & Várkonyi (2016) Sec. 5.1, with E20 of docs/errata.md corrected.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "painleve/contact/contact_space.hpp"

namespace painleve {

struct GSpot {
  std::array<double, 3> alpha{};
  double alpha4 = 0;                   // 0 in the plane
  std::string portrait;                // signs and order, for example "a1<a3<0<a2"
  std::string outcome;                 // what slip near the G-spot (p > 0, b_n < 0) runs into
  std::optional<double> lambda_limit;  // [N] finite limit of λ_n at the G-spot (G2)
  std::string lambda_limit_reason;
  std::optional<double> exponent;  // λ_n grows as (t* − t)^exponent (G1)
};

// For a contact that slips; `contact` indexes both arguments.
GSpot gspot(const ContactSpace& space, const ContactRates& rates, int contact);

// The local portrait of the planar case for given α.
GSpot portrait(const std::array<double, 3>& alpha);

}  // namespace painleve
