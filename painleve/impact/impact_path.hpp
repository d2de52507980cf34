// The path of an impact of one planar contact, event by event: straight lines in (u_t, u_n) as the normal impulse
// grows, with corners where the slip ends, where compression ends and where the law ends the restitution. It uses none
// of the closed forms of planar_impact.hpp, and must end where they do.
#pragma once

#include <vector>

#include "painleve/contact/single_contact.hpp"
#include "painleve/impact/impact_phase.hpp"
#include "painleve/modes/chatter_reach.hpp"

namespace painleve {

struct ImpactCorner {
  double u_t = 0, u_n = 0;
  double Lambda_t = 0, Lambda_n = 0;  // impulse up to here
  ImpactPhase phase;                  // that leads here; of the first corner: that leaves it
};

struct ImpactPath {
  ImpactOutcome outcome = ImpactOutcome::none;
  std::vector<ImpactCorner> corners;  // the first one is the state before; a straight line between neighbours
  double Lambda_compression = 0;
  double work_compression = 0, work_n = 0, work_t = 0;

  std::vector<ImpactPhase> phases() const;
};

ImpactPath impact_path(const PlanarContact& contact, double u_n, const BounceLaw& law);

}  // namespace painleve
