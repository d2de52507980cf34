// One word of at most two planar contacts in fixed storage: unknowns x are r_n of slipping contacts and (r_n, r_t) of
// sticking ones, r = E x; the rows of w that the word sets to zero give A x = rhs. As
// painleve/complementarity/linear_word.hpp, which the tests compare it with.
#pragma once

#include "painleve/c/detail/small_interior.hpp"

namespace painleve::small {

enum class Kind { F, T, S };

struct Letter {
  Kind kind = Kind::F;
  double slip = 0;  // +1 or −1 for S
  double sign = 1;  // −1: a bilateral contact that pulls
};

// At most six: stick and two slips, each with a force of either sign.
struct Letters {
  Letter letter[6];
  int count = 0;
};
Letters admissible_letters(const Problem& problem, int i);

// Which ends belong to a word: see linear_word.hpp.
enum class Ends { modes, pieces };

struct WordSolution {
  Letter letter[most_contacts];
  bool consistent = false;
  bool boundary = false;  // a contact neither carries force nor lifts
  Vector r, w;            // of a family: a point in its relative interior
  Matrix directions;      // orthonormal columns: those of the family
  int motion_dimension = 0;

  int family_dimension() const { return static_cast<int>(directions.cols()); }
};

// `problem` in units of each contact.
WordSolution solve_word(const Problem& problem, const Letter letter[most_contacts], Ends ends);

// Whether r belongs to the word, its ends included, to `tolerance` of the sizes involved.
bool satisfies(const Problem& problem, const Letter letter[most_contacts], const Vector& r, double tolerance);

}  // namespace painleve::small
