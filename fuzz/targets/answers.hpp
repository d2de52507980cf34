// What must hold of every answer, whatever was asked.
#pragma once

#include <Eigen/Core>

#include "painleve/modes/mode_table.hpp"
#include "painleve/scene/scene.hpp"
#include "painleve/scene/solving.hpp"

namespace painleve::fuzz {

// So few contacts that an answer takes milliseconds: time is a law, too.
bool small_enough(const Scene& scene);

// The waist of the scenes, bit by bit.
bool same_numbers(const Scene& a, const Scene& b);

// Whether the responses of W differ little enough that forces have digits: beyond that a certificate may say that an
// answer is not worth much.
bool well_scaled(const Eigen::MatrixXd& W);

// Verdict, number of modes, reasons and certificates do not contradict each other.
void check_modes(const ModeTable& table, bool scaled);
void check_solutions(const SolveReport& report, bool scaled);

}  // namespace painleve::fuzz
