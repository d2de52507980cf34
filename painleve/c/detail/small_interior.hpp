// Small linear feasibility in fixed storage: is there y with A y + c ≥ 0, how well inside, and in which directions can
// it move? As painleve/complementarity/linear_feasibility.hpp, for the at most four undetermined forces and six
// conditions of two contacts.
#pragma once

#include "painleve/c/detail/small_problem.hpp"

namespace painleve::small {

inline constexpr int most_conditions = 3 * most_contacts;

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_conditions, most_rows>;
using Values = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_conditions, 1>;

struct Interior {
  Vector y;
  double depth = 0;   // smallest entry of A y + c with rows of A scaled to length 1; < 0: infeasible
  Matrix directions;  // columns: a basis of the directions in which the region extends from y
};

// The point of the box |y_i| ≤ box that lies deepest inside; rows that are zero all over the region do not count and
// take directions away.
Interior relative_interior(const Rows& A, const Values& c, double box);

}  // namespace painleve::small
