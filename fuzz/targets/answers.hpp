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

// The largest residual of forces r that rounding and the tolerances of the solvers explain. It has no limit of scale:
// where forces are so large that W r has few digits left, the certificate must say so, and no more than that.
double allowed_residual(const ContactProblem& problem, const Eigen::VectorXd& r, bool family);

// Verdict, number of modes, reasons and certificates do not contradict each other.
void check_modes(const Scene& scene, const ModeTable& table);
void check_solutions(const SolveReport& report);

}  // namespace painleve::fuzz
