// Friction of contacts at rest while their normal forces are given.
//
//   a = W x + c,   |x_i| <= limit_i,   a_i = 0 or x_i = −limit_i a_i/|a_i|
//
// With given normal forces there is no paradox: these are the conditions for a minimum of ½ xᵀWx + cᵀx over the product
// of discs, W is positive semidefinite, and the accelerations are unique.
#pragma once

#include <Eigen/Core>

namespace painleve {

// `width` rows per contact: 1 in the plane, 2 in space.
Eigen::VectorXd rest_friction(const Eigen::MatrixXd& W, const Eigen::VectorXd& c, const Eigen::VectorXd& limit,
                              int width);

}  // namespace painleve
