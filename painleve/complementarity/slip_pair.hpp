// Two spatial contacts at rest that begin to slip at the same time: in which directions can they?
//
// With r_j = r_nj (−μ_j e_j, 1) let c_j(e_j) be the response w of both contacts to r_nj = 1, and P(e₁, e₂) the normal
// rows of (c₁, c₂). The law asks w_n = 0 and w_ti = c_i e_i with c_i > 0:
//   P r_n = −q_n,   D = det P,   D r_n = −adj(P) q_n =: (N₁(e₂), N₂(e₁)),
//   f_i = e_i⊥ · (D q_ti + c_1,ti N₁ + c_2,ti N₂) = 0.
// Column j of P depends on e_j alone, so f₁ is a trigonometric polynomial of degree (2, 1) in the angles of e₁ and e₂,
// and f₂ of degree (1, 2): at most twenty common zeros, up to four of which solve N₁ = N₂ = D = 0 and no contact
// problem. All of them are isolated by torus_roots.hpp; two that are one to rounding are listed once. For directions in
// a small box the laws are linear inequalities for the two forces, up to bounds of their change. Where these contradict
// each other the box holds no solution, be it that f vanishes there.
//
// Without normal load (q_n = 0) a force needs D = 0; r_n is then a multiple of a column of adj(P), and
//   D = 0,   (e₁⊥·q_t1)(e₂⊥·X₂) = (e₂⊥·q_t2)(e₁⊥·X₁),   X = c₁ v₁ + c₂ v₂ with that column v,
// are two equations for the same two angles.
//
// Where that leaves something open all is enclosed once more, in boxes of directions, by the laws themselves: families
// of directions, and roots that meet in threes (detail/slip_cover.hpp).
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

namespace painleve {

// w = W r + q with W not symmetric in general: other contacts have been eliminated.
struct TwoContacts {
  Eigen::Matrix<double, 6, 6> W;
  Eigen::Matrix<double, 6, 1> q;
  std::array<double, 2> mu;       // > 0
  std::array<int, 2> sign{1, 1};  // of r_n; −1: a bilateral contact that pulls
};

struct SlipPair {
  std::array<Eigen::Vector2d, 2> e;
  std::array<double, 2> r_n, c;  // w_t = c e
  bool turns = false;            // one of a curve of pairs
};

struct SlipPairs {
  std::vector<SlipPair> list;  // candidates: the equations and, up to rounding, the signs hold
  bool complete = true;
  std::string reason;         // why not complete
  bool undetermined = false;  // det P = 0 in all directions: the normal forces can be traded against each other
  long boxes = 0;
};

SlipPairs slip_pairs(const TwoContacts& contacts);

}  // namespace painleve
