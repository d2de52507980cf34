// Contact problems in the form of game and robot engines (a linear complementarity problem with boxes): w = W r + q,
// lo ≤ r ≤ hi, where the box of a friction component is ±μ times the normal force of its contact. In the plane this is
// Coulomb's law; in space each tangent has a box of its own, a pyramid in place of the round cone, so that what such a
// method finds there satisfies the law only where no contact slips, or all slip along a tangent.
//
// There when their packages were found: see CMakeLists.txt. ODE has the same kind of method, but its library offers it
// to its own stepper only: no public header takes a matrix.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

// What a method of this kind is given. Rows are in our order.
struct BoxedProblem {
  explicit BoxedProblem(const ContactProblem& problem) : W(problem.W), q(problem.q) {
    for (int i = 0; i < problem.count(); ++i) {
      for (int k = problem.tangent(i); k < problem.normal(i); ++k) {
        limit.push_back(problem.mu(i));
        normal.push_back(problem.normal(i));
      }
      limit.push_back(0);
      normal.push_back(-1);
    }
  }

  Eigen::MatrixXd W;
  Eigen::VectorXd q;
  std::vector<double> limit;  // μ of a friction row
  std::vector<int> normal;    // row of its normal force; −1 for a normal
};

// A method with one problem in its own type.
class BoxedPeer {
 public:
  virtual ~BoxedPeer() = default;
  virtual Eigen::VectorXd solve() = 0;
};

// Projected Gauss-Seidel with at most that many sweeps, until r changes by less than `change`.
std::unique_ptr<BoxedPeer> bullet_sweeps(const BoxedProblem& problem, int most_sweeps, double change);
std::unique_ptr<BoxedPeer> dart_sweeps(const BoxedProblem& problem, int most_sweeps, double change);

// Dantzig's method, by pivoting.
std::unique_ptr<BoxedPeer> bullet_dantzig(const BoxedProblem& problem);
std::unique_ptr<BoxedPeer> dart_dantzig(const BoxedProblem& problem);

}  // namespace painleve
