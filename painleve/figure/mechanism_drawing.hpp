// A mechanism drawn to scale, [m], with what happens at its contacts: names, velocities relative to the surface,
// friction cones, and the forces of a chosen mode.
//
//            λ ↗ /          the cone: |λ_t| ≤ μ λ_n, two lines in the plane
//         \   / /           arrows: λ [N] on the body, u [m/s]; the longest of each kind has a fixed length
//          \ / /
//   ________tip____→ u____
//   / / / / / / / / / / /
#pragma once

#include <Eigen/Core>
#include <string>

#include "painleve/figure/plot.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

struct MechanismDrawing {
  std::string title = {};       // empty: the name of the scene
  Eigen::VectorXd lambda = {};  // [N] contact forces, stacked as in the contact space; empty: none are drawn
  bool names = true;            // of the contacts
  bool velocities = true;       // of the contacts
  bool cones = true;            // of closed contacts
  View view = {};               // in space
};

// A Plot in the plane, a SpacePlot in space. Throws InputError for a scene without a mechanism, or with one that nobody
// drew, and for forces of the wrong number.
Panel mechanism_panel(const Scene& scene, const MechanismDrawing& options = {});

}  // namespace painleve
