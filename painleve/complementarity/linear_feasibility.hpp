// Small linear feasibility problems: is there y with A y + c ≥ 0, how well inside, and in which directions can it move?
#pragma once

#include <Eigen/Core>

namespace painleve {

struct Interior {
  Eigen::VectorXd y;
  double depth = 0;            // smallest entry of A y + c with rows of A scaled to length 1; < 0: infeasible
  Eigen::MatrixXd directions;  // columns: a basis of the directions in which the region extends from y
};

// The point of the box |y_i| ≤ box that lies deepest inside, depth capped at `box`. By the simplex method, for the few
// unknowns and constraints of degenerate contacts. The region is taken to extend in all directions.
Interior deepest_point(const Eigen::MatrixXd& A, const Eigen::VectorXd& c, double box);

// The same for regions that may be flat: rows that are zero all over the region, as the two sides of a friction cone
// are for μ = 0, do not count for the depth and take directions away.
Interior relative_interior(const Eigen::MatrixXd& A, const Eigen::VectorXd& c, double box);

}  // namespace painleve
