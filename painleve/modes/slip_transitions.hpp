// Where the slip of two contacts ends: z̈ = b + P λ, P = [p1 p2], both contacts slipping (mode SS).
//
//   γ1, γ2, β      angles of p1, p2, b (the 2018 paper's β; the class of two_contact_class uses −b)
//   SS feasible    −b inside cone(p1, p2); can be stable only for 0 < γ2 − γ1 < π, and is iff also T, F > 0
//
//                  L1  −b meets p2: contact 1 loses its force      GB1 = L1 ∩ P    −b along p2 = −p1 (dynamic jam)
//        γ2 ─ L1   L2  −b meets p1: contact 2 loses its force      GB2 = L2 ∩ P
//       −b         P   γ2 − γ1 = π: forces grow without bound      L12 = L1 ∩ L2   p1, p2 and −b along one ray
//        γ1 ─ L2   S1, S2  F = 0, the two sheets on either side of σ = (γ1 + γ2)/2 = π/4 for columns of length 1
//
//   F = ν1 ν2 (k1 p11 − k2 p22)² + w² p12 p21 + ν1 ν2 w D T,   D = det P, T = ν1 p11 + ν2 p22, w = k1 ν2 + k2 ν1.
//
// F = 0 < D, T needs p12 p21 < 0, and then σ < π/4 is p21 < 0 < p12 (S1: classes 41, 46, 31) and σ > π/4 the opposite
// (S2: 13, 14, 23), whatever the lengths of the columns. Without any damping F vanishes; what then bounds marginal
// stability is F = (k1 p11 − k2 p22)² + 4 k1 k2 p12 p21, not the limit of the above.
//
// Várkonyi (2018) Secs. 2.4, 3.2, Figs 4-7; the regions of its Figs 4 and 5 are the classes s1 s2 of two_contact_class.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

namespace painleve {

struct TwoSprings {
  Eigen::Vector2d stiffness{1, 1}, damping{1, 1};
};

struct SlipBoundaries {
  double gamma1 = 0, gamma2 = 0, beta = 0;  // [rad] in [0, 2π)
  double sigma = 0;                         // [rad] γ1 + (γ2 − γ1)/2, within π of π/4
  std::string region;                       // the class s1 s2, as "14"
  bool feasible = false, stable = false;    // of SS

  // Signed angles in (−π, π], positive on the side of SS: how far −b may turn before λ1 or λ2 vanishes, and how far the
  // columns may open before they oppose each other.
  double L1 = 0, L2 = 0, P = 0;
  // Angle from p1 to p2 in (−π, π]: −b lies in it, so 0 is L12.
  double L12 = 0;
  // Distances from points of the Painlevé boundary, ≥ 0: what has codimension two has no sides. The signed one is
  // genot_brogliato_distance of jam_manifolds().
  double GB1 = 0, GB2 = 0;
  // F divided by the sum of the sizes of its terms, in [−1, 1]: on the sheet to which the point belongs.
  std::optional<double> S1, S2;
  double D = 0, T = 0, F = 0;
};
SlipBoundaries slip_boundaries(const Eigen::Matrix2d& P, const Eigen::Vector2d& b, const TwoSprings& springs = {});

// σ on S1 and S2 at the opening angle δ = γ2 − γ1 in (0, π), for columns of the given lengths: the first points on
// either side of π/4, where SS is always stable, at which it is not.
struct StableStrip {
  double S1 = 0, S2 = 0;  // [rad]
};
StableStrip stable_strip(double delta, const TwoSprings& springs = {}, const Eigen::Vector2d& lengths = {1, 1});

// Rate of change of the spectral abscissa of SS when P changes: [1/fast time unit] per unit of time.
double growth_change(const Eigen::Matrix2d& P, const Eigen::Matrix2d& P_rate, const TwoSprings& springs = {});

// Crossing L1 where contact 2 cannot slip stably alone (p22 < 0 < b2): contact 1 opens with contact 2 exactly at the
// saddle of its fast dynamics, but with the small velocity y' = ε |dλ1/dt| p21/(|p22| k2) that the drift of SS leaves
// it, y = −ν2 y'/k2. The growing part of it, y' (1 + ν2 s₋/k2)/(s₊ − s₋), s² = |p22| (ν2 s + k2), has the sign of p21
// for all springs and drifts: liftoff iff p21 > 0 (region 14), impact without collision iff p21 < 0 (region 46).
// Leading order in ε, not a proof. The same with the contacts swapped on L2 (regions 31 and 23).
struct SaddleExit {
  bool liftoff = false;     // of the second contact too; otherwise its force diverges
  double s_plus = 0;        // [1/fast time unit]
  double growing_part = 0;  // of its penetration, signed: > 0 opens
  double time = 0;          // after the crossing, until its force is 0, or `fold` times that of the saddle
};
std::optional<SaddleExit> saddle_exit(const Eigen::Matrix2d& P, const Eigen::Vector2d& b, const Eigen::Matrix2d& P_rate,
                                      const Eigen::Vector2d& b_rate, int lifted, double epsilon,
                                      const TwoSprings& springs = {}, double fold = 1e6);

// P + t P_rate, b + t b_rate. On the slow manifold b_rate includes what the slip forces contribute.
struct SlipDrift {
  Eigen::Matrix2d P, P_rate;
  Eigen::Vector2d b, b_rate;
  TwoSprings springs;
  double epsilon = 1e-4;
};

struct SlipTransition {
  std::string boundary;  // "L1", "L2", "S1", "S2", "P", "GB1", "GB2", "L12"
  double t = 0;
  std::string region;  // when it is reached
  // "FS", "SF", "FF", "IWC:FI", "IWC:IF" where the theory decides what follows; otherwise empty, with what can.
  std::optional<std::string> outcome;
  std::vector<std::string> candidates;
  std::optional<double> growth_change;  // on S1, S2
  std::optional<SaddleExit> saddle;     // on L1, L2 where it decides
  std::string reason;                   // what the outcome rests on, or why there is none
};

struct NextTransition {
  std::optional<SlipTransition> transition;
  std::string reason;  // why there is none
};
// The first boundary that the drift reaches at 0 < t ≤ horizon, from a state in which SS is feasible and stable. The
// boundaries are zeros of polynomials in t, of degree two (λ1 D, λ2 D, D) and three (F), so none can be missed.
NextTransition next_transition(const SlipDrift& drift, double horizon);

}  // namespace painleve
