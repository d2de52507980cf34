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

#include "painleve/contact/contact_space.hpp"

namespace painleve {

enum class Letter { F, T, S };

// What one contact does in a mode; the slip direction has size dimension − 1 and is meaningful for S.
struct ContactMode {
  Letter letter = Letter::F;
  Eigen::VectorXd direction;
  int force_sign = 1;  // −1: a bilateral contact that pulls
};

// The matrix P over the contacts that carry a force (T or S), in order.
Eigen::MatrixXd fast_matrix(const ContactSpace& space, const std::vector<ContactMode>& modes);

// The gaps that these contacts can take while the sticking ones are held, as columns of an orthonormal basis. Fewer
// than the contacts when they are redundant (three legs of a rigid body): the springs of a table cannot part what the
// table joins.
Eigen::MatrixXd gap_space(const ContactSpace& space, const std::vector<ContactMode>& modes);

struct Growth {
  double rate = 0;       // spectral abscissa of z̈ = −P (k z + ν ż)
  double frequency = 0;  // imaginary part of the eigenvalue that has it
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
  std::string verdict;             // "stable", "unstable" or "depends"
  bool proved = true;              // false: n ≥ 3 and the verdict holds for every sample that was tried
  std::vector<Witness> witnesses;  // for "depends": one stable, one unstable
};

// For given stiffness and damping.
Stability stability_for(const Eigen::MatrixXd& P, const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping);
// For all positive stiffness and damping. A symmetric P, as without slip, is stable by its energy; from three contacts
// on others are tried with that many drawn springs.
Stability stability_for_all(const Eigen::MatrixXd& P);
Stability stability_for_all(const Eigen::MatrixXd& P, const Eigen::MatrixXd& gaps, int samples);

}  // namespace painleve
