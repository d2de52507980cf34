// The mode table: every kinematically admissible mode of the closed contacts, consistent or rejected with the reason;
// what follows from it (verdict), and what is left in the stiff limit (stability, impact without collision,
// continuations).
//
// Complete for planar contacts, for spatial ones that all slip, and for up to two spatial ones at rest. Champneys &
// Várkonyi (2016), Tables 1-3; boundaries as in docs/notation.md.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/contact/contact_law.hpp"
#include "painleve/contact/contact_space.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {

struct ModeOptions {
  Tolerance tolerance;
  // Per contact of the space, where known; both are needed for a stability verdict on given values.
  std::vector<std::optional<double>> stiffness, damping;
  // Likewise along the surface, for contacts that stick: with all four known they stick by springs instead of rigidly.
  std::vector<std::optional<double>> tangential_stiffness, tangential_damping;
};

// The springs of the contacts, as their laws give them.
ModeOptions mode_options(const std::vector<ContactLaw>& laws, const Tolerance& tolerance);

struct ModeEntry {
  std::string name;                   // one letter group per closed contact: "S+F"
  std::vector<ContactMode> contacts;  // per closed contact
  bool consistent = false;
  bool boundary = false;  // a force-free contact that also does not lift: end of a slip or stick solution
  std::string reason;     // why it is rejected; empty when consistent
  std::optional<Eigen::VectorXd> lambda, a;  // stacked over the closed contacts; empty when the mode has no solution
  int force_family_dimension = 0;            // forces that fit: 0 one, 1 a line of them, …
  int motion_family_dimension = 0;           // of these, how many dimensions change the motion
  Stability stability;
  std::optional<Growth> growth;  // empty when no contact carries a force
  double residual = 0;           // law_residual() of this entry; only for consistent ones
};

// Impact without collision: the force grows without bound although nothing approaches.
struct ImpactWithoutCollision {
  std::string name;        // I where the impulse acts, F where the contact lifts
  bool necessary = false;  // there are normal forces on I that press I in and lift F (a cone condition)
  bool possible = false;   // and a growing ray of the stiff dynamics that does so
  std::string reason;
};

struct ModeTable {
  std::vector<int> closed;  // indices, in the space, of the contacts that the words name
  std::vector<ModeEntry> modes;
  bool lists_rejected =
      true;             // false: there are more words than anyone would read, and `modes` has the consistent ones
  std::string verdict;  // "unique", "inconsistent", "indeterminate", "impact"; empty when not decided, with the reason
  std::string verdict_reason;
  bool jam = false;      // a closed contact slips with p <= 0
  bool complete = true;  // no solution can be missing
  std::string incomplete_reason;
  int force_family_dimension = 0, motion_family_dimension = 0;
  std::vector<ImpactWithoutCollision> iwc;
  std::string iwc_reason;  // not empty: impact without collision was not decided
  std::vector<std::string> continuations;
  std::string resolution;  // "none", "one", "several"; empty with iwc_reason

  std::vector<std::string> consistent_modes() const;
};

// Up to this many words are listed one by one, with the reason for each that is rejected: six planar contacts at rest,
// twelve that slip. Beyond that the consistent ones are found by the tree of words, and a solution at which a contact
// neither carries force nor lifts is listed once, not under each word to which it belongs.
inline constexpr long most_listed_words = 4096;

ModeTable mode_table(const ContactSpace& space, const ModeOptions& options);

// All words of planar contacts, or of spatial contacts that all slip or separate, by one rank-revealing linear solve
// each; the caller sees to it that they are few. `space` holds closed contacts only. Independent of the one-contact
// kernel, which it also checks in the tests.
std::vector<ModeEntry> enumerate_modes(const ContactSpace& space, const Tolerance& tolerance);
std::vector<ModeEntry> enumerate_modes(const ContactProblem& problem);

// The same for contacts known only by their slip matrix (DriftingContacts): words over F and S.
ModeTable slip_mode_table(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, const Eigen::VectorXd& stiffness,
                          const Eigen::VectorXd& damping);

}  // namespace painleve
