// Forces that the equations of a word leave undetermined, r = r₀ + N y, inside round friction cones: is there one, one
// as deep inside as can be, and in which directions can it move?
//
// With one unknown (two contacts of a rigid body, which can be pressed together along the line that joins them) every
// cone cuts an interval out of the line, by a quadratic equation. With more the cones are approximated from outside by
// planes, each new one tangent where the deepest point of the last polyhedron leaves its cone. Where the forces of a
// contact are a plane that is itself tangent to its cone they are on an edge of it, which is one unknown less.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace painleve {

// The force r + N y of one contact, |r_t| ≤ μ sign r_n.
struct HeldCone {
  Eigen::Vector3d r;
  Eigen::Matrix<double, 3, Eigen::Dynamic> N;
  double mu = 0;
  int sign = 1;
};

// Also G y + h ≥ 0. Numbers are in units of the problem, so that forces of interest are of order one.
struct ForceRegion {
  Eigen::MatrixXd G;
  Eigen::VectorXd h;
  std::vector<HeldCone> cones;
};

struct HeldForces {
  bool possible = false;
  Eigen::VectorXd y;           // in the relative interior; when there is none, the nearest that was found
  Eigen::MatrixXd directions;  // columns: an orthonormal basis of the directions in which the region extends from y
};

HeldForces held_forces(const ForceRegion& region);

}  // namespace painleve
