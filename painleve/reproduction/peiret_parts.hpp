// The parts of the two papers of Peiret, Kövecses & Font-Llagunes, one function per item.
#pragma once

#include <Eigen/Core>

#include "painleve/cone/friction_cone.hpp"
#include "painleve/reproduction/item.hpp"
#include "painleve/scene/scene.hpp"

namespace painleve {

// The abstract.
Reproduction peiret_cone_equations();
Reproduction peiret_cone_figure_1();

// The journal paper.
Reproduction peiret_contact_space();  // (5)-(16)
Reproduction peiret_cone_blocks();    // (24)-(41)
Reproduction peiret_figure_2();       // the cone of a rod
Reproduction peiret_figure_3();       // locking angle
Reproduction peiret_figure_4();       // solutions of a sliding rod
Reproduction peiret_arm_matrices();   // (42)-(44)
Reproduction peiret_figure_5();       // the arm
Reproduction peiret_figure_6();       // its jamming friction
Reproduction peiret_arm_sliding();    // (45)-(49)

// Common to several items.

// The cone of the rod at the angle theta [deg] with the ground.
FrictionCone rod_cone(double theta, double mu);
// Several cones of the rod at 45° in one another, for impulses of 1 N s, with the line of μ = 0 and the plane of μ →
// ∞.
SpacePlot nested_cones(const std::vector<double>& mus, const std::string& title);
// Least δu_n over all rays of a cone, and the slip direction at which it is, by search over the angle.
double lowest_ray(const FrictionCone& cone);

}  // namespace painleve
