// What is checked before anything is computed, and the numbers of one contact that need no solving.
#pragma once

#include <Eigen/Core>

#include "painleve/c/painleve.h"

namespace painleve::small {

// A painleve_error; the bounds are those of check() in painleve/contact/contact_space.hpp.
int32_t check(const painleve_contacts& contacts);

// Neither NaN, nor infinite, nor so large that products of numbers leave the range of double precision.
bool finite(double x);

// W made symmetric to the last digit: what differs across the diagonal is rounding of the caller's own computation.
inline double response(const painleve_contacts& contacts, int i, int j) {
  return (contacts.W[i][j] + contacts.W[j][i]) / 2;
}

// The block of W of one contact, with the other contact free or held: closed and sticking.
Eigen::Matrix2d own_block(const painleve_contacts& contacts, int i);
Eigen::Matrix2d held_block(const painleve_contacts& contacts, int i);

// W_nn/|W_tn|; false, and 0, without coupling.
bool jamming_friction(const Eigen::Matrix2d& W, double& mu_jam);

}  // namespace painleve::small
