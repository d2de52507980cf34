// The contact problem that all three formulations share. Find r and w with
//
//   w = W r + q                                            r force or impulse, w motion (acceleration or velocity)
//   0 ≤ r_n ⊥ w_n ≥ 0       (bilateral: w_n = 0, r_n free)
//   law `resting`:  |r_t| ≤ μ |r_n|,  and  r_t = −μ |r_n| w_t/|w_t|  when w_t ≠ 0
//   law `sliding`:  r_t = −μ |r_n| e  for the given slip direction e
//   law `separated`: r = 0, whatever w
//
// Components are stacked per contact, tangents first, as in ContactSpace.
//
//   formulation    r    w                  q                         contacts           law
//   acceleration   λ    a                  b                         closed             by the present slip
//   impulse        Λ    u after            u                         closed             resting
//   step           Λ    u after + gap/dt   u + dt (b − drift) + …    all, or closed     resting
//
// Preclik & Rüde (2011) eqs. (5)-(9), (14)-(15), (19); E-R3, E-R4 of docs/errata.md.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "painleve/contact/contact_space.hpp"

namespace painleve {

enum class Law { resting, sliding, separated };

struct ContactProblem {
  int dimension = 2;  // 2 or 3; 1 for normals alone, where any square W will do (a linear complementarity problem)
  Eigen::MatrixXd W;
  Eigen::VectorXd q;
  Eigen::VectorXd mu;              // one per contact
  std::vector<bool> bilateral;     // one per contact
  std::vector<Law> law;            // one per contact
  Eigen::MatrixXd slip;            // (dimension − 1) × count; column i is the unit direction e of a sliding contact
  std::vector<std::string> names;  // one per contact, for reasons

  int count() const { return static_cast<int>(mu.size()); }
  int normal(int i) const { return dimension * i + dimension - 1; }  // row of the normal of contact i
  int tangent(int i) const { return dimension * i; }                 // row of its first tangent
};

// A problem and where it comes from.
struct Formulation {
  ContactProblem problem;
  std::vector<int> contacts;  // indices, in the contact space, of the contacts of the problem
  Eigen::VectorXd shift;      // w minus the motion: gap/dt on the normals of a time step, otherwise 0
};

// Closed contacts. A contact that approaches has no place here: its impact comes first. The contacts that do are given
// by approaching_contacts().
Formulation acceleration_problem(const ContactSpace& space, const Tolerance& tolerance);

// Closed contacts, those that approach included.
Formulation impulse_problem(const ContactSpace& space, const Tolerance& tolerance);

// Which contacts take part in a time step, and with what normal condition at its end.
enum class StepForm {
  stewart_trinkle,  // all: 0 ≤ u_n + gap/dt
  anitescu_potra,   // closed ones: 0 ≤ u_n
};
struct StepOptions {
  double dt = 0.01;         // [s] > 0
  bool with_drift = false;  // adds dt J̇v to the free velocity
  StepForm form = StepForm::stewart_trinkle;
};
Formulation step_problem(const ContactSpace& space, const StepOptions& options, const Tolerance& tolerance);

std::vector<int> approaching_contacts(const ContactSpace& space, const Tolerance& tolerance);

// The name of a contact, or "contact 3" where the problem has none.
std::string contact_name(const ContactProblem& problem, int i);

// The contacts `keep`, in that order.
ContactProblem subset(const ContactProblem& problem, const std::vector<int>& keep);

// The same problem in units of each contact: r = factor r', w' = factor w with factor 1/√(its largest response), so
// that contacts of very different mass have responses of order one. A contact that nothing moves keeps that of the
// others.
struct ScaledProblem {
  ContactProblem problem;
  Eigen::VectorXd factor;  // one per row
};
ScaledProblem scaled(const ContactProblem& problem);

// The factor of contact i, a power of two; `largest` is the largest response of all.
double own_factor(const ContactProblem& problem, int i, double largest);
double largest_response(const ContactProblem& problem);

// Sizes of what the unknowns are made of: load |q| and, for the force, |q|/|W|. Never zero.
struct ProblemScale {
  double motion, force;
};
ProblemScale scale(const ContactProblem& problem);

}  // namespace painleve
