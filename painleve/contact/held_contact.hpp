// One contact seen while others are held, that is closed and sticking: their accelerations are zero, whatever force it
// takes. What is left is again a contact:  a_i = W_held λ_i + b_held.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/contact/contact_space.hpp"

namespace painleve {

struct HeldContact {
  Eigen::MatrixXd W;  // Schur complement of the held block
  Eigen::VectorXd b;
  int rank = 0;            // rank of the held block; less than `held_rows` when the held contacts are redundant
  int held_rows = 0;       // number of rows held
  bool compatible = true;  // false when no force can hold the others (their b is not in the range of their W)
};

// Holds the contacts `held` (not containing `contact`). Redundant contacts are no obstacle: W is positive semidefinite,
// so the coupling to the held rows lies in their range and a pseudo-inverse gives the one answer.
HeldContact hold(const ContactSpace& space, int contact, const std::vector<int>& held);

// Rank of W itself: less than its size when contacts are redundant or a direction cannot move.
int rank(const ContactSpace& space);

}  // namespace painleve
