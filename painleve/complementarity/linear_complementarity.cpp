#include "painleve/complementarity/linear_complementarity.hpp"

#include <algorithm>
#include <cmath>

namespace painleve {

double complementarity_residual(const LinearComplementarity& problem, const Eigen::VectorXd& z) {
  if (z.size() == 0) return 0;
  Eigen::VectorXd w = problem.q;
  for (Eigen::Index j = 0; j < z.size(); ++j)
    if (z(j) != 0) w += z(j) * problem.M.col(j);
  const double scale = std::max({problem.q.cwiseAbs().maxCoeff(), z.cwiseAbs().maxCoeff(), w.cwiseAbs().maxCoeff()});
  return z.cwiseMin(w).cwiseAbs().maxCoeff() / (scale > 0 ? scale : 1);
}

}  // namespace painleve
