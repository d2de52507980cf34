// Which impact without collision a contact force that has outgrown all else belongs to.
//
// p < 0 at one contact is not enough: another contact that the force presses in may turn it back. The test of the stiff
// limit decides, for W, slip directions and springs as they are at this instant (impact_without_collision.hpp).
#pragma once

#include <Eigen/Core>
#include <string>

#include "painleve/simulation/compliant_system.hpp"

namespace painleve {

// The possible word in which `contact` carries the impulse and that fits the present forces best, with F for open
// contacts; empty: there is none. Springs of nonlinear laws count with their present stiffness and damping. Where
// contacts at rest leave it undecided they are left out, and keep their letters.
std::string impact_word(const CompliantSystem& system, double t, const Eigen::VectorXd& y, int contact);

}  // namespace painleve
