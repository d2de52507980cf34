// Impacts of one planar contact in the plane of its velocities (u_t, u_n): paths that the velocity takes as the normal
// impulse grows (impact_path.hpp), over the regions of velocities before the impact in which the outcome has one form
// (planar_impact.hpp).
//
// The regions are sectors of u_n < 0. Their edges are, for slip along ±t with p± > 0 and k± > 0, the rays u_t/(−u_n) =
// ±k±/p± (the slip ends together with the compression) and ±(1 + r) k±/p± (it ends with the restitution); and u_t = 0.
// Champneys & Várkonyi (2016), Fig. 10.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"
#include "painleve/impact/impact_path.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct ImpactSector {
  Point from, to;  // unit vectors (u_t, u_n), counterclockwise from −t over the approach to +t
  int region = 0;  // as planar_impact() numbers them
};
std::vector<ImpactSector> impact_sectors(const PlanarContact& contact, const BounceLaw& law);

struct ImpactStart {
  double u_t = 0, u_n = 0;  // [m/s]; u_n = 0 in slip with p < 0: an impact without collision
};

struct ImpactPathsOptions {
  bool regions = true;           // sectors with their numbers
  std::optional<double> extent;  // [m/s] half width of the picture; unset: that of the paths
  std::string title = {};        // empty: law, restitution, friction
};

// u_t and b of the contact do not matter. Throws InputError for an empty list of starts or a start that separates.
Plot impact_path_plot(const PlanarContact& contact, const BounceLaw& law, const std::vector<ImpactStart>& starts,
                      const ImpactPathsOptions& options = {});
// From the present velocity, by the law of the contact. Throws InputError where no impact happens.
Plot impact_path_plot(const Scene& scene, int contact, const ImpactPathsOptions& options = {});

// One start in the middle of each region, and one without collision for each direction of slip with p < 0.
std::vector<ImpactStart> typical_starts(const PlanarContact& contact, const BounceLaw& law);

}  // namespace painleve
