// One word whose conditions are linear: planar contacts, spatial ones that slide in given directions, normals alone.
// Unknowns x are r_n of slipping contacts and (r_t, r_n) of sticking ones, r = E x; the rows R of w that the word sets
// to zero give  (R W E) x = −R q. Solved with a rank-revealing decomposition; what is left undetermined is a family.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/contact/contact_mode.hpp"

namespace painleve {

// Which ends belong to a word.
enum class Ends {
  // Modes: a contact that carries force has r_n > 0, a free one w_n ≥ 0.
  modes,
  // Pieces of the solution set: r_n ≥ 0, and a free contact lifts (w_n > 0) somewhere on the piece. Each solution then
  // belongs to one piece, or to the common end of two.
  pieces,
};

struct WordSolution {
  bool consistent = false;
  bool boundary = false;                // a free contact does not lift
  std::string reason;                   // why it is rejected
  std::optional<Eigen::VectorXd> r, w;  // of a family: a point in its relative interior; empty: no solution at all
  Family family;
  double residual = 0;  // law_residual(); only when consistent
};

// Whether the word can be treated here: no contact that rests in space, except as F.
bool is_linear(const ContactProblem& problem);

WordSolution solve_word(const ContactProblem& problem, const std::vector<ContactMode>& letters, Ends ends);

// Modes that contact i may take, kinematically. A bilateral contact is tried with both signs of its force.
std::vector<ContactMode> admissible_letters(const ContactProblem& problem, int i);

}  // namespace painleve
