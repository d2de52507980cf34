// Pictures of the generalized friction cone κ_g = W κ (friction_cone.hpp) in the space of contact velocity changes.
//
//   surface          δu(e) = W (−μ e, 1) Λ_n,  0 ≤ Λ_n ≤ 1 N s: cut by a flat ellipse, δuᵀQ δu = 0
//   tangent plane    δu_n = 0
//   jam section      its common part with the cone, the triangle between the rays with p(e) = 0; only for μ > μ_jam
//   locking sector   the slip directions e that jam, ± half the locking angle about e_jam, on the tangent plane
//
// The section and the sector are different angles: in the section lie the velocity changes, in the sector the slip
// directions that cause them. At μ_crit the surface passes through the normal axis, at μ_jam it touches the tangent
// plane. Peiret, Kövecses & Font-Llagunes, eqs. (26)-(41), Figs. 2-4.
#pragma once

#include <optional>

#include "painleve/cone/friction_cone.hpp"
#include "painleve/figure/plot.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct ConePlotOptions {
  std::optional<double> mu;  // unset: that of the contact
  int segments = 96;         // ≥ 8, of the round surface
  View view{-0.9, 0.28};
  bool tangent_plane = true;
  bool jam = true;         // section, locking sector and e_jam
  bool state = true;       // present slip direction and free change δu₀ = b dt, both as directions of a fixed length
  std::string title = {};  // empty: contact and friction
  // Half the width of the picture [1/kg]; unset: that of the cone.
  std::optional<double> extent;
};

// The numbers behind the picture of a spatial cone, per N s of normal impulse.
struct ConeShape {
  std::vector<Point3> rim;          // W (−μ e, 1) for evenly spaced e; the first is not repeated
  std::vector<Point3> section;      // apex and the two corners with p(e) = 0; empty up to μ_jam
  std::vector<Point3> locking_rim;  // unit slip directions from −α/2 to +α/2 about e_jam; empty up to μ_jam
  double extent = 0;                // largest |component| of the rim
};
ConeShape cone_shape(const FrictionCone& cone, int segments);

// Throws InputError for a contact that is not there, drifting contacts, and a contact of the other dimension.
SpacePlot cone_plot(const Scene& scene, int contact, const ConePlotOptions& options = {});   // in space
Plot cone_plane_plot(const Scene& scene, int contact, const ConePlotOptions& options = {});  // in the plane: a wedge

// Six cones of the same contact as the friction grows: below, at, between and above its two critical values (μ_crit and
// μ_jam, in the order of their size), and the limit μ → ∞, a plane. For contacts of both dimensions. Throws InputError
// where one of the two values does not exist.
Figure cone_limits_figure(const Scene& scene, int contact, const ConePlotOptions& options = {});

}  // namespace painleve
