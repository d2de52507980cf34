// Lemke's method: one solution of a linear complementarity problem, by complementary pivoting.
//
// The path starts on the ray  w = q + z0 d ≥ 0,  z = 0  and follows complementary bases until z0 leaves (a solution) or
// nothing blocks (a secondary ray). Ties are broken lexicographically, so that no basis returns and the method ends.
//
// A ray is no proof that there is no solution, except where theory says so. The guarantee used here (Cottle, Pang &
// Stone, The Linear Complementarity Problem, Thm 4.4.13): when M is copositive and vᵀq ≥ 0 for every v ≥ 0 with
// M v ≥ 0 and vᵀM v = 0, the method ends with a solution. The standard forms of impulse and step problems satisfy it
// whenever q lies in the range of W up to non-negative normal parts (Stewart & Trinkle 1996; Anitescu & Potra 1997),
// see standard_form.hpp.
//
// Rounding: rows and columns are scaled to size 1, a ray is believed only on a fresh factorisation of the basis, the
// solution is refined against the original data, and when it is not accurate the path starts again from its basis.
// What stays wrong by more than 1e-9, scaled or as given, is not called a solution but `limit`.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/linear_complementarity.hpp"

namespace painleve {

enum class LemkeStatus { solution, ray, limit };

struct LemkeOptions {
  int most_pivots = 0;            // 0: 100 + 50 n
  Eigen::VectorXd covering = {};  // d > 0; empty: ones, for the scaled problem
};

struct LemkeReport {
  LemkeStatus status = LemkeStatus::limit;
  int pivots = 0;
  Eigen::VectorXd z;    // where the path ended; a solution only with that status
  double residual = 0;  // complementarity_residual()
};

LemkeReport lemke(const LinearComplementarity& problem, const LemkeOptions& options = {});

const char* to_string(LemkeStatus status);

}  // namespace painleve
