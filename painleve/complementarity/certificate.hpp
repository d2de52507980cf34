// A certifier that knows nothing of solvers: how far (r, w) are from satisfying the laws of contact.
#pragma once

#include <Eigen/Core>

#include "painleve/complementarity/contact_problem.hpp"

namespace painleve {

// Largest violation of w = W r + q and of the laws at the head of contact_problem.hpp, each written as r = proj(r − w)
// in the units of each contact (scaled()), relative to the forces involved.
double law_residual(const ContactProblem& problem, const Eigen::VectorXd& r, const Eigen::VectorXd& w);

}  // namespace painleve
