// Words of contacts known only by their slip matrix P and free normal acceleration b: z̈ = b + P λ.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/modes/mode_table.hpp"

namespace painleve {

// The word in which the contacts `slips` slip and the others lift: λ_S = −P_SS⁻¹ b_S > 0, b_F + P_FS λ_S ≥ 0. λ and a
// of the entry hold one normal component per contact.
ModeEntry slip_word(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const std::vector<int>& slips);

}  // namespace painleve
