// One or two planar contacts in fixed storage: the problem of painleve/complementarity/contact_problem.hpp, its units
// and its certificate, without allocation. Matrices have a largest size, so that Eigen keeps them on the stack.
#pragma once

#include <Eigen/Core>

namespace painleve::small {

inline constexpr int most_contacts = 2;
inline constexpr int most_rows = 2 * most_contacts;

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_rows, most_rows>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_rows, 1>;

enum class Law { resting, sliding, separated };

// Find r and w = W r + q that obey the contact law; see contact_problem.hpp.
struct Problem {
  int count = 0;
  Matrix W;
  Vector q;
  double mu[most_contacts] = {};
  bool bilateral[most_contacts] = {};
  Law law[most_contacts] = {};
  double slip[most_contacts] = {};  // +1 or −1 of a sliding contact

  static int tangent(int i) { return 2 * i; }
  static int normal(int i) { return 2 * i + 1; }
};

// The same problem in units of each contact, r = factor r', w' = factor w: responses of order one.
struct Scaled {
  Problem problem;
  Vector factor;
};
Scaled scaled(const Problem& problem);

struct Scale {
  double motion, force;  // load and load/response; never zero
};
Scale scale(const Problem& problem);

// Largest violation of w = W r + q and of the laws, relative to the forces involved.
double residual(const Problem& problem, const Vector& r, const Vector& w);

}  // namespace painleve::small
