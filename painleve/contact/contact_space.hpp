// The waist of the hourglass: all that the analyses know of a mechanism at a state.
//
//   a = W λ + b        contact acceleration for the contact force λ
//   b = J M⁻¹ f + drift, drift = J̇ v,   W = J M⁻¹ Jᵀ,   u = J v
//
// Contacts are stacked, tangents first: (t, n) per contact in the plane, (t1, t2, n) in space.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "painleve/base/tolerance.hpp"
#include "painleve/contact/single_contact.hpp"

namespace painleve {

struct ContactSpace {
  int dimension = 2;  // 2 or 3
  Eigen::MatrixXd W;
  Eigen::VectorXd b, drift, u;
  Eigen::VectorXd gap, mu;      // one per contact; gap [m]
  std::vector<bool> bilateral;  // a bilateral contact is always closed and may pull
  std::vector<std::string> names;

  int count() const { return static_cast<int>(mu.size()); }
  int normal(int i) const { return dimension * i + dimension - 1; }  // row of the normal of contact i
  int tangent(int i) const { return dimension * i; }                 // row of its first tangent
};

// How (W, b) change along the motion. With contact forces λ:  Ẇ = W,  ḃ = b + b_force λ  (members of ContactRates).
struct ContactRates {
  Eigen::MatrixXd W;        // dW/dt along v
  Eigen::VectorXd b;        // db/dt along the flow without contact forces, explicit time included
  Eigen::MatrixXd b_force;  // (∂b/∂v) M⁻¹ Jᵀ
};

// What a contact is doing, by the definitions of docs/notation.md.
enum class Touch { open, approaching, separating, slipping, resting };

// Throws InputError, naming the field, when sizes do not fit, a number is not finite, mu < 0, or W is not symmetric and
// positive semidefinite to 1e-9 of its largest entry.
void check(const ContactSpace& space);

Touch touch(const ContactSpace& space, int contact, const Tolerance& tolerance);

PlanarContact planar_contact(const ContactSpace& space, int contact);
SpatialContact spatial_contact(const ContactSpace& space, int contact);

// The contacts in `keep`, in that order, the others left out (free).
ContactSpace subset(const ContactSpace& space, const std::vector<int>& keep);

}  // namespace painleve
