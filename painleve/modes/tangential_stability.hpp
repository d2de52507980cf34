// Stability along the surface, and with springs along the surface.
//
// 1. Tangential springs. In stability.hpp a sticking contact has a_t = 0. With a tangential spring and damper it has
// instead
//    λ_t = −k_t x − ν_t ẋ, x its tangential displacement since it stuck; slipping contacts keep λ_t = −μ e λ_n. The
//    fast dynamics is then that of (z, x): z̈ = (W λ)_n, ẍ = (W λ)_t, for the gaps of all loaded contacts and the
//    displacements of the sticking ones. It is a fast dynamics of the same form, with the matrix R of (z, x) per (λ_n,
//    λ_t) in the place of P and k_t, ν_t beside k, ν; so growth() and stability_for_all() apply to it as they stand. As
//    k_t → ∞ with ν_t of the order of √k_t the slow part of its spectrum becomes that of P = W_nn − W_nt,S μe − W_nt,T
//    W_tt,TT⁻¹ (W_tn,T − W_tt,TS μe).
//
// 2. Tangential stability in the sense of Filippov: contacts that stick are given a small slip while they stay closed;
// does
//    it die out? With forces λ* in stick and λ in the perturbed motion, u̇ = W (λ − λ*) and u_n = 0, so that the
//    energy of the perturbation E = ½ uᵀW⁻¹u changes by
//        Ė = Σ u_t·(λ_t − λ_t*) = −Σ |u_t| (μ λ_n + e·λ_t*)      over the contacts that slip, e = u_t/|u_t|.
//    λ_n follows from a_n = 0 and depends only on which contacts slip where. If λ_n > 0 exists and μ λ_n + e·λ_t* > 0
//    for every pattern of slip, E falls like −c √E and slip ends in finite time: stick attracts. For one planar contact
//    this is exact: a_t on the side e is −(W_tt − W_tn²/W_nn) (μ λ_n + e λ_t*) e with λ_n = −b_n/p±, and with p± > 0 it
//    holds inside the friction cone. Champneys & Várkonyi (2016) Sec. 3.4.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "painleve/contact/contact_mode.hpp"
#include "painleve/contact/contact_space.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {

// Per contact of the space; those of contacts that are free, and tangential ones of contacts that slip, are not used.
struct ContactSprings {
  Eigen::VectorXd stiffness, damping;                        // [N/m], [N s/m]
  Eigen::VectorXd tangential_stiffness, tangential_damping;  // of sticking contacts, the same for all tangents
};

// The dynamics ÿ = −R (k y + ν ẏ) of y = (z of the loaded contacts, x of the sticking ones).
struct SpringDynamics {
  Eigen::MatrixXd R;                   // [1/kg]
  Eigen::MatrixXd motions;             // orthonormal basis of the y that the mechanism can take
  Eigen::VectorXd stiffness, damping;  // in the order of y
};
SpringDynamics spring_dynamics(const ContactSpace& space, const std::vector<ContactMode>& modes,
                               const ContactSprings& springs);

// Growth rate and verdict for the given springs.
Growth growth(const ContactSpace& space, const std::vector<ContactMode>& modes, const ContactSprings& springs);
Stability stability_for(const ContactSpace& space, const std::vector<ContactMode>& modes,
                        const ContactSprings& springs);
// For all positive springs, normal and tangential.
Stability stability_for_all_springs(const ContactSpace& space, const std::vector<ContactMode>& modes,
                                    int spectra = 400);

struct TangentialStability {
  std::optional<bool> stable;  // empty: not decided, see `reason`
  // Smallest μ λ_n + e·λ_t* over the patterns of slip [N]: the friction in reserve that brings slip to rest. > 0 when
  // stable.
  std::optional<double> reserve;
  std::string reason;
};

// Closed contacts at rest that stick, with the forces λ* that W and b determine. False where they do not stick: a
// contact carries no force, or its force is not inside its cone. Otherwise true when the energy condition holds in
// every pattern of slip that the mechanism can move in: for planar contacts all 3ⁿ − 1 words over stick and slip either
// way, for one spatial contact all directions. Otherwise not decided. For one planar contact with p± > 0 it is always
// decided. Where p ≤ 0 in a direction of slip no force keeps the contact closed there, and the question is one of
// normal dynamics (by Sec. 3.4 stick is then tangentially stable if it is normally stable).
TangentialStability tangential_stability(const ContactSpace& space);

// The same for given λ*, where they are not determined (redundant contacts).
TangentialStability tangential_stability(const ContactSpace& space, const Eigen::VectorXd& stick_force);

}  // namespace painleve
