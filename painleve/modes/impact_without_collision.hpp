// Contacts that slip, known by their slip matrix P and free normal acceleration b: z̈ = b + P λ.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "painleve/modes/mode_table.hpp"

namespace painleve {

// Every word over {I, F} with at least one I. `necessary`: some λ_I > 0 presses I in (P_II λ_I < 0) and lifts F
// (P_FI λ_I > 0). `possible`: the stiff dynamics has a growing solution of that kind: real s > 0 and v > 0 with
// (s² + P_II (s ν + k)) v = 0 and P_FI λ_I > 0.
// Champneys & Várkonyi (2016) Secs. 3.2, 6.3 (E25 of docs/errata.md); Várkonyi (2018).
std::vector<ImpactWithoutCollision> impacts_without_collision(const Eigen::MatrixXd& P,
                                                              const Eigen::VectorXd& stiffness,
                                                              const Eigen::VectorXd& damping);

}  // namespace painleve
