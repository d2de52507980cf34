// Impact without collision: contact forces that grow without bound although nothing approaches.
//
// In the stiff limit every closed contact is a spring and damper, λ_n = −k z − ν ż, and an impact without collision is
// a growing solution z = −v e^{st}, s > 0 real, of z̈ = P λ_n; b is negligible against it. It starts from forces as
// small as one likes, so that while it takes shape no velocity has changed: a contact that slips keeps its direction,
// and one at rest is at rest. A word says what each contact does in it:
//
//   I   it slips and carries the impulse, λ_t = −μ e λ_n (I+ pushing or I- pulling where it is bilateral)
//   T   it rests, carries an impulse and sticks: a_t = 0, |λ_t| ≤ μ λ_n
//   S+ S-  it rests, carries an impulse and begins to slip: λ_t = ∓μ λ_n, and the impulse accelerates it that way
//   F   it carries nothing: the impulse lifts it, a_n > 0, or does not move it at all, unless it would then jam itself
//   (a bilateral contact has only the second)
//
// All of these are linear in λ, and P is the fast matrix of the word (stability.hpp). A word needs at least one I:
// without slip, springs, dampers and friction at rest only take energy, and nothing can grow.
//   `necessary`: some λ_n presses every loaded contact further in, σ (P λ)_i < 0 with σ the sign of its force, and does
//   what the
//                word says to the others. A cone condition, independent of the springs.
//   `possible`:  for the given springs there are s and v with (s² + P (s ν + k)) v = 0 and λ = (s ν + k) v of that
//   kind.
//
// Champneys & Várkonyi (2016) Secs. 3.2, 6.3 (E25 of docs/errata.md); Várkonyi (2018). The letters T, S+ and S- are an
// extension by the same argument.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "painleve/modes/mode_table.hpp"

namespace painleve {

// Contacts that slip, known by their slip matrix P: every word over {I, F} with at least one I.
std::vector<ImpactWithoutCollision> impacts_without_collision(const Eigen::MatrixXd& P,
                                                              const Eigen::VectorXd& stiffness,
                                                              const Eigen::VectorXd& damping);

struct ImpactWords {
  std::vector<ImpactWithoutCollision> words;
  std::string reason;  // not empty: why they were not decided
};
// Closed contacts of any kind, `touches` telling which slip, rest or separate (F); stiffness and damping per contact.
// Not decided for spatial contacts at rest beside slipping ones, whose direction of slip would be a continuum, nor for
// bilateral ones at rest beside slipping ones. Empty when nothing slips.
ImpactWords impacts_without_collision(const ContactSpace& closed, const std::vector<Touch>& touches,
                                      const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping);

}  // namespace painleve
