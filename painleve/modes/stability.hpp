// Stability in the stiff limit: each contact that carries a force is a spring and damper, much faster than the motion.
// The gaps z then follow  z̈ = b + P λ,  λ = −k z − ν ż,  with P the normal acceleration per normal force once friction
// is taken into account: slipping contacts by λ_t = −μ e λ_n, sticking ones by a_t = 0. For one contact P = p in slip
// and P = W_nn − W_tn·W_tt⁻¹W_tn in stick. Champneys & Várkonyi (2016) Secs. 4, 6.2 (E14 of docs/errata.md); Várkonyi
// (2018) eq. (2.21).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "painleve/contact/contact_mode.hpp"
#include "painleve/contact/contact_space.hpp"

namespace painleve {

// The matrix P over the contacts that carry a force (T or S), in order.
Eigen::MatrixXd fast_matrix(const ContactSpace& space, const std::vector<ContactMode>& modes);

// The contact force, stacked over all contacts, per normal force of each contact that carries one: a column per such
// contact. Sticking ones get the friction that keeps a_t = 0, the smallest where it is not determined.
Eigen::MatrixXd force_per_normal(const ContactSpace& space, const std::vector<ContactMode>& modes);

// The gaps that these contacts can take while the sticking ones are held, as columns of an orthonormal basis. Fewer
// than the contacts when they are redundant (three legs of a rigid body): the springs of a table cannot part what the
// table joins.
Eigen::MatrixXd gap_space(const ContactSpace& space, const std::vector<ContactMode>& modes);

struct Growth {
  double rate = 0;       // spectral abscissa of z̈ = −P (k z + ν ż)
  double frequency = 0;  // imaginary part of the eigenvalue that has it
  double rounding = 0;   // of the rate, as the eigenvalue solver leaves it; 0 in closed form
};
Growth growth(const Eigen::MatrixXd& P, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping);
// The same for gaps confined to the columns of `gaps`.
Growth growth(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, const Eigen::VectorXd& stiffness,
              const Eigen::VectorXd& damping);

// A choice of stiffness and damping, for a claim that can be checked.
struct Witness {
  Eigen::VectorXd stiffness, damping;
  double rate = 0;
};

struct Stability {
  std::string verdict;             // "stable" (every disturbance dies out), "unstable" or "depends"
  bool proved = true;              // false: the other verdict was looked for and not found
  std::vector<Witness> witnesses;  // for "depends": one stable, one unstable
  std::string reason{};            // one clause: why this holds
};

// For given stiffness and damping; not proved when the growth rate is lost in rounding.
Stability stability_for(const Eigen::MatrixXd& P, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping);
Stability stability_for(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, const Eigen::VectorXd& stiffness,
                        const Eigen::VectorXd& damping);

// For all positive stiffness and damping.
//
// One contact: the sign of p.
//
// Two contacts, with D = det P, T = ν1 p11 + ν2 p22, w = k1 ν2 + k2 ν1: stable iff D > 0, T > 0 and F > 0,
//   F = ν1 ν2 (k1 p11 − k2 p22)² + w² p12 p21 + ν1 ν2 w D T.
// Hence, exactly: unstable for all iff D ≤ 0 or p11, p22 ≤ 0 (T ≤ 0). Otherwise stable for all iff p12 p21 ≥ 0: then
// p11, p22 > 0 and no term of F is negative. Otherwise it depends: strong damping of the contact with the larger p_ii
// makes the last term win; and T < 0 (some p_ii < 0), or k2 → ∞ (p22 = 0), or k1 p11 = k2 p22 with weak damping makes
// it unstable.
//
// More contacts, m ≤ n of whose gaps are independent. The characteristic polynomial is
//   Σ_α s^{2(m−|α|)} det P_α Π_{i∈α} (s ν_i + k_i)    over the sets α of at most m contacts,
// so that signs of principal minors decide much. Proofs:
//   * P Λ symmetric and positive for a positive diagonal Λ: stable, since ½ żᵀ(PΛ)⁻¹ż + ½ zᵀΛ⁻¹K z can only fall.
//   * P block triangular after renumbering: the polynomial is the product of those of the diagonal blocks.
//   * All minors of the sizes m − j/2 … 2m − j are ≤ 0: the coefficient of s^j is never positive, so it is unstable
//     (j = 0: det P ≤ 0; j = 2m − 1: all p_ii ≤ 0).
//   * Nested sets of 1 … m contacts with positive minors: stable for some springs, which fall steeply along the nest
//     (Fisher & Fuller 1958 make the eigenvalues of P K positive; damping ν = c k then moves all of them left).
//   * A negative minor det P_α: unstable for some springs, those outside α being weak.
//   * A pair or triple of contacts whose frequencies can be made to coincide while some others are stiff: unstable for
//     some springs (spring_witnesses.hpp).
// The last three count only with springs whose eigenvalues confirm them; for two contacts F decides where rounding
// hides the rate. What is left is searched, climbing or descending max Re s/|s| over log k and log ν with at most
// `spectra` eigenvalue problems for each side; a verdict that rests on the search alone is not `proved`.
Stability stability_for_all(const Eigen::MatrixXd& P);
Stability stability_for_all(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, int spectra);

}  // namespace painleve
