#include "dart_peer.hpp"

#include <dart/lcpsolver/Lemke.hpp>

namespace painleve {

Eigen::VectorXd dart_lemke(const LinearComplementarity& problem) {
  Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.q.size());
  dart::lcpsolver::Lemke(problem.M, problem.q, &z);
  return z;
}

}  // namespace painleve
