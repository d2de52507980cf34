// The manifolds on which slip jams, for n contacts that slip: z̈ = b + P λ, λ = −P⁻¹ b = −adj(P) b / det P.
//
// Painlevé manifold: P is singular and the cone of its columns is a whole (n−1)-dimensional space. With rank n − 1,
// adj P = v wᵀ, P v = 0, and the cone is a whole space iff all entries of v have the same sign. Across it the cone
// turns inside out; near it forces grow as 1/det P. A mechanism with continuous data cannot slip onto it (Várkonyi
// 2018, Theorem 3.4; for one contact Theorem 3.1 with b < 0) except on the
//
// Génot-Brogliato manifold: the points of it where b lies in the span of the columns, λ̂ = −adj(P) b = 0 (codimension
// 2). There the forces are 0/0: finite limits that depend on the direction of approach.
//
// Várkonyi (2018) Definitions 3.2, 3.3, Appendix D. Contacts whose columns become parallel (v with both signs, as on
// L12) are singular but on neither.
#pragma once

#include <Eigen/Core>
#include <string>

namespace painleve {

struct JamOptions {
  double tolerance = 1e-9;  // on a manifold when |signed distance| <= this, entries of v count when > this
  // One contact has no angles to measure: its distances are p/response and −b/load.
  double response = 1;  // [1/kg]
  double load = 1;      // [m/s²]
};

struct JamManifolds {
  double det = 0;              // det P [kg⁻ⁿ]
  Eigen::VectorXd lambda_hat;  // −adj(P) b = det P · λ

  // det P with columns of length 1: the volume that they span, for two contacts the sine of the angle from column 1 to
  // column 2. Zero where P is singular, and changes sign there; > 0 where slip can be stable. One contact: p/response.
  double painleve_distance = 0;
  // Sine of the angle between b and the span of the columns, as it is on the manifold (left singular vector of the
  // smallest singular value, oriented by v > 0). With both distances > 0 forces grow towards +∞ on approach; with
  // opposite signs they would have to pull. Changes sign across the Génot-Brogliato manifold. One contact: −b/load.
  double genot_brogliato_distance = 0;

  Eigen::VectorXd null_vector;  // v; largest entry 1; far from the manifold the direction that P shortens most
  bool singular = false;        // |painleve_distance| <= tolerance and rank n − 1
  bool one_signed = false;      // all entries of v > tolerance
  bool painleve = false, genot_brogliato = false;
  std::string reason;  // why it is on neither, or only on the first
};

// For up to twelve contacts and beyond: one singular value decomposition.
JamManifolds jam_manifolds(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const JamOptions& options = {});

}  // namespace painleve
