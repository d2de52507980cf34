#include "siconos_friction_peer.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc2d_Solvers.h>
#include <fc3d_Solvers.h>

#include <algorithm>
#include <vector>

namespace painleve {

struct SiconosFrictionPeer::Problem {
  explicit Problem(int size, int solver)
      : velocity(static_cast<std::size_t>(size)), options(solver_options_create(solver)) {}

  std::vector<double> velocity;
  FrictionContactProblem* contacts = frictionContactProblem_new();
  SolverOptions* options;
};

SiconosFrictionPeer::SiconosFrictionPeer(int dimension, int contacts, int most_sweeps, double tolerance)
    : problem_(std::make_unique<Problem>(dimension * contacts,
                                         dimension == 2 ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS)) {
  const int size = dimension * contacts;
  problem_->contacts->dimension = dimension;
  problem_->contacts->numberOfContacts = contacts;
  problem_->contacts->M = NM_create_from_data(NM_DENSE, size, size, nullptr);
  problem_->options->iparam[SICONOS_IPARAM_MAX_ITER] = most_sweeps;
  problem_->options->dparam[SICONOS_DPARAM_TOL] = tolerance;
}

SiconosFrictionPeer::~SiconosFrictionPeer() {
  problem_->contacts->M->matrix0 = nullptr;  // the data are the caller's
  problem_->contacts->q = nullptr;
  problem_->contacts->mu = nullptr;
  frictionContactProblem_free(problem_->contacts);
  solver_options_delete(problem_->options);
}

void SiconosFrictionPeer::solve(const double* W, const double* q, const double* mu, double* r) {
  Problem& p = *problem_;
  p.contacts->M->matrix0 = const_cast<double*>(W);  // Siconos' structures know no const
  p.contacts->q = const_cast<double*>(q);
  p.contacts->mu = const_cast<double*>(mu);
  std::fill(r, r + p.velocity.size(), 0.0);
  std::fill(p.velocity.begin(), p.velocity.end(), 0.0);
  int info = 1;  // what comes in as 0 counts as solved and is returned at once
  const auto method = p.contacts->dimension == 2 ? &fc2d_nsgs_dense : &fc3d_nsgs;
  method(p.contacts, r, p.velocity.data(), &info, p.options);
}

}  // namespace painleve
