#include "siconos_peer.hpp"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

namespace painleve {

struct SiconosPeer::Problem {
  LinearComplementarityProblem* lcp = newLCP();
  SolverOptions* options = solver_options_create(SICONOS_LCP_ENUM);
  double M[16], q[4], z[4], w[4];
};

SiconosPeer::SiconosPeer() : problem_(std::make_unique<Problem>()) {
  Problem& p = *problem_;
  p.lcp->size = 4;
  p.lcp->M = NM_create_from_data(NM_DENSE, 4, 4, p.M);
  p.lcp->q = p.q;
  p.options->iparam[SICONOS_LCP_IPARAM_ENUM_MULTIPLE_SOLUTIONS] = 1;
  lcp_enum_init(p.lcp, p.options, 1);
}

SiconosPeer::~SiconosPeer() {
  lcp_enum_reset(problem_->lcp, problem_->options, 1);
  solver_options_delete(problem_->options);
}

int SiconosPeer::enumerate(const PlanarContact& c) {
  Problem& p = *problem_;
  const double rows[4][4] = {
      {c.W_nn, c.W_tn, -c.W_tn, 0}, {c.W_tn, c.W_tt, -c.W_tt, 1}, {-c.W_tn, -c.W_tt, c.W_tt, 1}, {c.mu, -1, -1, 0}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) p.M[i + 4 * j] = rows[i][j];  // column-major
  const double q[4] = {c.b_n, c.b_t, -c.b_t, 0};
  for (int i = 0; i < 4; ++i) p.q[i] = q[i];
  int info = 0;
  lcp_enum(p.lcp, p.z, p.w, &info, p.options);
  return p.options->iparam[SICONOS_LCP_IPARAM_ENUM_NUMBER_OF_SOLUTIONS];
}

}  // namespace painleve
