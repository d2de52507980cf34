// The end of chatter in which several contacts take part: of one beside others that rest or slip, of feet that throw
// each other up, and of one contact in space.
//
// So low above the surfaces W and b are constant. Between impacts accelerations are, then, and the landings are roots
// of quadratic equations; nothing is lost in the rounding of a gap. The motion is homogeneous: with all velocities and
// times c times as large it is the same motion. So it settles into rounds, each ϱ times the one before, and their sums
// are geometric series:
//
//   time, impulses      d ϱ/(1 − ϱ)                          of all further rounds, d of the last one
//   ways ∫u dt          u∞ T ϱ/(1 − ϱ) + (d − u∞ T) ϱ²/(1 − ϱ²)      T how long the last one took, u∞ the slip at the
//   end
//
// and likewise for the work of friction in the phases of slip.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/contact/contact_space.hpp"
#include "painleve/impact/impact.hpp"

namespace painleve {

struct ChatterEnd {
  double time = 0;         // [s] after the first landing
  double middle = 0;       // [s] of the impulses, the same
  Eigen::VectorXd u;       // at the end, u_n = 0
  Eigen::VectorXd Lambda;  // of all impacts, and of the forces between them
  Eigen::VectorXd shift;   // ∫u dt, the last gap included
  double friction = 0;     // [J] what slip between the impacts took
  std::optional<double>
      factor;               // ϱ; empty where the impacts ended, or sank into rounding, before the rounds were alike
  std::vector<int> struck;  // contacts, in the order of the first impact
};

// All contacts of the space take part. `space.gap` is 0 where a contact is closed, and at least one of these
// approaches; the laws are those of `impacts`. Empty where the bounces do not end, a contact leaves for good, a closed
// one lifts, the mode between impacts is not unique, or the normals of the contacts depend on each other, as those of
// three feet of a plane body do: rounding would then part what cannot part.
std::optional<ChatterEnd> chatter_end(const ContactSpace& space, const ImpactOptions& impacts);

}  // namespace painleve
