// Rules of the literature that choose among the modes of a state, and properties of equilibria that it defines by them.
// Each is stated here, applied to a mode table, and returned with a reason; none of them enters the table.
//
// Selectors
//   Painlevé's principle (1905): bodies that would not press on each other if they were smooth do not if they are
//   rough.
//     Solve the same state with μ = 0; a contact without pressure there carries no force. With one contact: b_n > 0
//     leaves F alone. The principle is silent where no solution exists, and it denies wedging, which friction alone
//     holds.
//   Kilmister's principle of constraints: a unilateral constraint is satisfied by bounded forces whenever that is
//     possible, and by impulses if and only if it is not. Keeps every consistent mode, and an impact without collision
//     only where there is none; it does not choose between modes. What it keeps may be unstable in the stiff limit.
// Properties of an equilibrium (all closed contacts at rest)
//   weak stability (Pang & Trinkle 2000): a static solution, a = 0, exists; the word TT…T is consistent.
//   strong stability (Pang & Trinkle 2000): and every solution is static.
//   unambiguity (Or & Rimon 2008): no motion other than the static one is consistent, whatever its word.
//   Solutions are told apart by their motion: words that end the same static solution with a contact that carries no
//   force (a fourth leg) speak against neither. Weak and strong stability concern solutions, unambiguity their modes;
//   as properties of a state the last two are the same.
// Lyapunov stability of an equilibrium with one contact under conservative loads; necessary and sufficient together:
//   1. the potential energy of the loads has a local minimum along motions in stick;
//   2. the equilibrium is unambiguous (necessary with several contacts, too, where no sufficient condition is known);
//   3. the effective restitution of bounces is e < 1 (chatter_reach.hpp).
// Reach: whether complete chatter can end in this state (chatter_reach.hpp).
//
// Champneys & Várkonyi (2016) Secs. 2.4, 3.4, 5.2, 6.2, 6.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/modes/chatter_reach.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {

struct SelectorOptions {
  Tolerance tolerance;            // as for the table
  std::vector<BounceLaw> bounce;  // per contact of the space; one that is missing does not bounce (r = 0)
  // What the contact space does not know of its mechanism; empty where nobody knows.
  std::optional<bool> equilibrium;        // all velocities are zero, and all accelerations with every contact in stick
  std::optional<int> degrees_of_freedom;  // of the mechanism
  // Smallest curvature of the potential energy along motions in stick, on unit vectors z of the coordinates with J z =
  // 0: that of −zᵀ d(f + Jᵀλ)/dq z at fixed λ. Its sign matters.
  std::optional<double> stick_curvature;
};

struct Selection {
  std::string name, source;
  std::vector<std::string> chosen;  // a selector: the modes or impacts that it keeps; a property: the static modes
  // A selector: whether it leaves exactly one continuation. A property: whether the state has it. Empty: not decided.
  std::optional<bool> holds;
  std::string reason;
};

// `table` is the mode table of `space`.
Selection painleve_principle(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection kilmister_principle(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection weak_stability(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection strong_stability(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection unambiguity(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection lyapunov_potential(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection lyapunov_unambiguity(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection lyapunov_chatter(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection lyapunov_stability(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);
Selection reach_by_chatter(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);

// All of them, in the order above.
std::vector<Selection> selections(const ContactSpace& space, const ModeTable& table, const SelectorOptions& options);

}  // namespace painleve
