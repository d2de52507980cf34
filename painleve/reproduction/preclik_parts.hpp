// The parts of the paper of Preclik & Rüde, one function per item.
//
// Their rod is the `rod` of the gallery with φ = π − theta and torques of the opposite sign; pairs are printed (n, t).
#pragma once

#include "painleve/reproduction/item.hpp"

namespace painleve {

Reproduction preclik_forces();          // Sec. 2, Fig. 1
Reproduction preclik_figure_2();        // Sec. 3
Reproduction preclik_step_equations();  // (16)-(20)
Reproduction preclik_figure_3();        // Sec. 4
Reproduction preclik_figure_4();        // Sec. 5.1
Reproduction preclik_figure_5();
Reproduction preclik_non_unique_springs();  // Sec. 5.2

}  // namespace painleve
