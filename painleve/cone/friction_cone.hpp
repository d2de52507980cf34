// The generalized friction cone: the Coulomb cone of contact forces, mapped to the contact velocities it can produce.
//
//   κ_g = { δu = W λ δt : |λ_t| ≤ μ λ_n }        δu ∈ κ_g  ⟺  δuᵀ Q δu ≤ 0  and  λ_n ≥ 0
//   Q = W⁻¹ diag(I, −μ²) W⁻¹
//
// As μ grows it opens from a line (μ = 0, direction (W_tn, W_nn)) to a plane (μ → ∞, normal W⁻¹ e_n). On the way its
// edge leaves the normal axis inside at mu_crit = |W_tt⁻¹ W_tn| and dips below the tangent plane at mu_jam =
// W_nn/|W_tn|: from there on a contact that slips along e_jam = W_tn/|W_tn| is pressed by its own friction. Peiret,
// Kövecses & Font-Llagunes, eqs. (26)-(41); see E-P1, E-P2 of docs/errata.md.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "painleve/contact/contact_space.hpp"

namespace painleve {

struct FrictionCone {
  Eigen::MatrixXd W;  // dimension x dimension, tangents first
  double mu = 0;

  // Critical and jamming friction; empty with the reason in the field beside.
  std::optional<double> mu_crit, mu_jam;
  std::optional<Eigen::VectorXd> e_jam;
  double locking_angle = 0;  // [rad] opening of the sector of slip directions that jam; 0 up to mu_jam
  std::optional<Eigen::MatrixXd> Q;
  std::string mu_crit_reason, mu_jam_reason, Q_reason;
};

// W is the block of one contact, free or held. Symmetric, positive semidefinite.
FrictionCone friction_cone(const Eigen::MatrixXd& W, double mu);
FrictionCone friction_cone(const ContactSpace& space, int contact);

// The blocks of W⁻¹ in the paper's letters: M_t = (H − h hᵀ/a)⁻¹, m_n = (a − hᵀH⁻¹h)⁻¹, m_tn = −M_t h/a. W must be
// regular.
struct InverseBlocks {
  Eigen::MatrixXd M_t;
  Eigen::VectorXd m_tn;
  double m_n;
};
InverseBlocks inverse_blocks(const Eigen::MatrixXd& W);

// The two degenerate limits.
Eigen::VectorXd line_limit(const Eigen::MatrixXd& W);   // μ = 0: direction of the line
Eigen::VectorXd plane_limit(const Eigen::MatrixXd& W);  // μ → ∞: normal of the plane; W must be regular

// Painlevé parameter p = W_nn − μ W_tn·e for slip along the unit vector e: the normal acceleration per normal force. A
// difference that is only rounding is 0.
double painleve_parameter(const Eigen::MatrixXd& W, double mu, const Eigen::VectorXd& e);

// Whether δu lies in the cone; on its edge up to rounding counts as inside. W must be regular.
bool contains(const FrictionCone& cone, const Eigen::VectorXd& delta_u);

// Opening of the section of the cone with the tangent plane u_n = 0, in which jamming velocity changes lie; spatial
// contacts, 0 up to mu_jam [rad]. It differs from the locking angle.
double tangent_plane_aperture(const FrictionCone& cone);

// The ray of the cone that belongs to slip along e: W (−μ e, 1), the velocity change per unit of normal impulse.
Eigen::VectorXd ray(const FrictionCone& cone, const Eigen::VectorXd& e);

// For drawing: the rays for evenly spaced slip directions (two in the plane), scaled to unit length.
std::vector<Eigen::VectorXd> rays(const FrictionCone& cone, int count);

// A triangle mesh of the cone's surface up to the given length of its rays: vertices, and triangles as vertex indices.
struct ConeMesh {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<Eigen::Vector3i> triangles;
};
ConeMesh mesh(const FrictionCone& cone, int segments, double length);

}  // namespace painleve
