// Forces that hold one spatial contact: W λ = −b inside the friction cone, also when W is singular and λ is not
// determined.
#pragma once

#include <Eigen/Core>

namespace painleve {

struct StickForces {
  bool balance = false;      // W λ = −b has a solution at all
  Eigen::Vector3d lambda;    // the force deepest in the cone, or nearest to it when none is inside
  int family_dimension = 0;  // of the forces inside the cone around it; 0 when W is regular
  double rounding = 0;       // [N] of λ: a force that leaves the cone by less lies on its edge
};

// Cone |λ_t| ≤ μ sign λ_n.
StickForces stick_forces(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, int sign);

}  // namespace painleve
