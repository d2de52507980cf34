// The equations of one word of a spatial contact problem, and all their solutions.
//
// Contacts that stick, slide in a known direction or have no friction are linear: their forces are E x, and the rows R
// of w that they set to zero give  (R W E) x = −R (q + W r_U),  U the contacts whose direction of slip is sought. They
// are eliminated, which leaves  w_U = W_eff r_U + q_eff  for one (slip_directions.hpp) or two (slip_pair.hpp) contacts.
//
// R W E may be singular. Where its null vectors neither move the contacts U nor are moved by them (redundant contacts
// of one body: their forces can be traded against each other) the pseudo-inverse eliminates them, and the null vectors
// are kept as directions N in which the forces are not determined. With one null vector n on the right and one, l, on
// the left (a contact that slides with p = 0) and one contact U its force y n is an unknown more and l·R w = 0 an
// equation more,
//   w_U = W_eff r_U + q_eff + a y,   d·r_U + δ = 0.
// Where a_n ≠ 0 the normal row w_n = 0 gives y, and (d, δ) takes its place. Where a_n = 0 both rows are equations for
// r_U alone: they leave two directions at most, or they are one equation, which leaves an arc of directions, each with
// its own y.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

enum class Role {
  free,      // r = 0
  stick,     // w = 0
  given,     // slides in the direction given by the problem
  sought,    // rests, and begins to slip in a direction that is part of the answer
  smooth,    // rests without friction: r_t = 0, whatever w_t
  unloaded,  // bilateral, rests: r = 0, w_n = 0
};

struct RoleOf {
  Role role = Role::free;
  int sign = 1;  // of r_n; −1 for a bilateral contact that pulls
};
using SpatialWord = std::vector<RoleOf>;

std::vector<RoleOf> admissible_roles(const ContactProblem& problem, int i);

// Forces r + N y, y free, solve the equations of the word; and r is one point of a curve of such forces where the
// directions of slip are a continuum, which then turn along it.
struct WordPoint {
  Eigen::VectorXd r;
  Eigen::MatrixXd N;
  Eigen::MatrixXd e;             // 2 × count: directions of slip of sought and given contacts, otherwise 0
  double rounding = 0;           // of r, relative to its size and that of the problem
  Eigen::MatrixXd turning = {};  // tangents of the curve besides N; empty where there is none
};

struct WordPoints {
  std::vector<WordPoint> list;
  bool complete = true;
  std::string reason;  // why not complete, or why there are none
  long nodes = 0;      // boxes or starts
};

// The problem's numbers must be of order one: see spatial_solutions.cpp. `starts`: of Newton's method, for three and
// more sought directions.
WordPoints solve_equations(const ContactProblem& problem, const SpatialWord& word, int starts);

int count_sought(const SpatialWord& word);

}  // namespace painleve
