// The model system of Várkonyi (2018), Sec. 2.5: n contacts, all slipping along +t, known only through their slip
// matrix P and free normal acceleration b, which drift slowly:
//
//   z̈ = b + P λ,   dP/dt = P_rate,   db/dt = b_rate + b_force λ      (A1, α2, A3 of the paper)
#pragma once

#include <Eigen/Core>

namespace painleve {

struct DriftingContacts {
  Eigen::MatrixXd P;                   // at t = 0
  Eigen::VectorXd b;                   // at t = 0; at t_start when b_force is not zero
  Eigen::MatrixXd P_rate;              // A1
  Eigen::VectorXd b_rate;              // α2
  Eigen::MatrixXd b_force;             // A3
  double epsilon = 1e-4;               // scale of the contact law λ = max(0, −ε⁻² k z − ε⁻¹ ν ż)
  double t_start = -0.01;              // [s]
  Eigen::VectorXd stiffness, damping;  // scaled k, ν, one per contact

  int count() const { return static_cast<int>(P.rows()); }
  // P and b at time t; with b_force, b is known at t_start only, and is returned as it stands.
  Eigen::MatrixXd slip_matrix(double t) const { return P + t * P_rate; }
  Eigen::VectorXd free_acceleration(double t) const { return b_force.isZero(0) ? Eigen::VectorXd(b + t * b_rate) : b; }
};

// Throws InputError when sizes do not fit, a number is not finite, or a stiffness or damping is not positive.
void check(const DriftingContacts& contacts);

}  // namespace painleve
