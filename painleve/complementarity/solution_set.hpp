// All solutions of a contact problem, or of a linear complementarity problem.
//
// A solution set is a union of pieces, one per word. A piece is a single point (isolated) or a polyhedron (a family);
// pieces do not overlap except at their ends. Solutions at which a contact neither carries force nor lifts belong to
// several words and are listed once, as F with `boundary`.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"
#include "painleve/contact/contact_mode.hpp"

namespace painleve {

// The solutions x0 + directions y around a listed one.
struct Family {
  int dimension = 0;           // 0: isolated
  int motion_dimension = 0;    // of these, how many change the motion
  Eigen::MatrixXd directions;  // columns: orthonormal basis of the directions in which the family extends
  // The polyhedron is the convex hull of the vertices plus the cone of the rays. Not enumerated (both empty) when there
  // would be too many candidates, or in space, where the friction cone is round.
  std::vector<Eigen::VectorXd> vertices, rays;
  bool enumerated = false;
  // Where it ends: r0 + d with d along the directions belongs to it when G d + h ≥ 0. Empty in space.
  Eigen::MatrixXd G;
  Eigen::VectorXd h;
};

struct ContactSolution {
  std::string mode;                   // word over F, T, S+, S- (S in space)
  std::vector<ContactMode> contacts;  // per contact
  bool boundary = false;              // a contact neither carries force nor lifts
  Eigen::VectorXd r, w;               // of a family: a point in its relative interior
  Family family;
  double residual = 0;  // law_residual()
};

struct RejectedWord {
  std::string mode, reason;
  std::vector<ContactMode> contacts;  // per contact; slip from rest has no direction
};

// Work that was done, so that a claim of speed can be explained.
struct EnumerationWork {
  long nodes = 0;   // of the tree of words
  long pruned = 0;  // subtrees cut by a certificate of infeasibility
  long leaves = 0;  // words solved
};

struct ContactSolutions {
  std::vector<ContactSolution> solutions;
  bool complete = true;  // no solution is missing
  std::string incomplete_reason;
  std::vector<RejectedWord> rejected;  // spatial problems only
  EnumerationWork work;

  int force_family_dimension() const;
  int motion_family_dimension() const;
};

struct EnumerationOptions {
  long most_nodes = 24'000'000;  // of the tree, enough for 4¹² words; then the list is given up as incomplete
};

// Planar problems: complete unless the budget ends. Spatial problems: complete for up to two contacts.
ContactSolutions all_solutions(const ContactProblem& problem, const EnumerationOptions& options = {});

// Which of the solutions (r, w) is, to `tolerance` in the units of each contact; −1 when it is none of them.
int index_of(const ContactProblem& problem, const ContactSolutions& solutions, const Eigen::VectorXd& r,
             const Eigen::VectorXd& w, double tolerance = 1e-7);

}  // namespace painleve
