#include "siconos_lcp_peer.hpp"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <algorithm>
#include <vector>

namespace painleve {

struct SiconosLcpPeer::Problem {
  explicit Problem(int n) : size(n), w(static_cast<std::size_t>(n)) {}

  int size;
  std::vector<double> w;
  LinearComplementarityProblem* lcp = newLCP();
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
};

SiconosLcpPeer::SiconosLcpPeer(int size) : problem_(std::make_unique<Problem>(size)) {
  Problem& p = *problem_;
  p.lcp->size = size;
  p.lcp->M = NM_create_from_data(NM_DENSE, size, size, nullptr);
  // As many pivots as our method may take, so that a lower limit is no reason to fail.
  p.options->iparam[SICONOS_IPARAM_MAX_ITER] = 100 + 50 * size;
}

SiconosLcpPeer::~SiconosLcpPeer() {
  problem_->lcp->M->matrix0 = nullptr;  // the data are the caller's
  problem_->lcp->q = nullptr;
  freeLinearComplementarityProblem(problem_->lcp);
  solver_options_delete(problem_->options);
}

int SiconosLcpPeer::solve(const double* M, const double* q, double* z) {
  Problem& p = *problem_;
  p.lcp->M->matrix0 = const_cast<double*>(M);  // Siconos' structures know no const; the method copies what it changes
  p.lcp->q = const_cast<double*>(q);
  std::fill(z, z + p.size, 0.0);
  int info = 0;
  lcp_lexicolemke(p.lcp, z, p.w.data(), &info, p.options);
  return info;
}

struct SiconosEnumerationPeer::Problem {
  explicit Problem(int n) : z(static_cast<std::size_t>(n)), w(static_cast<std::size_t>(n)) {}

  std::vector<double> z, w;
  LinearComplementarityProblem* lcp = newLCP();
  SolverOptions* options = solver_options_create(SICONOS_LCP_ENUM);
};

SiconosEnumerationPeer::SiconosEnumerationPeer(int size) : problem_(std::make_unique<Problem>(size)) {
  Problem& p = *problem_;
  p.lcp->size = size;
  p.lcp->M = NM_create_from_data(NM_DENSE, size, size, nullptr);
  p.options->iparam[SICONOS_LCP_IPARAM_ENUM_MULTIPLE_SOLUTIONS] = 1;
  lcp_enum_init(p.lcp, p.options, 1);
}

SiconosEnumerationPeer::~SiconosEnumerationPeer() {
  lcp_enum_reset(problem_->lcp, problem_->options, 1);
  problem_->lcp->M->matrix0 = nullptr;  // the data are the caller's
  problem_->lcp->q = nullptr;
  freeLinearComplementarityProblem(problem_->lcp);
  solver_options_delete(problem_->options);
}

int SiconosEnumerationPeer::enumerate(const double* M, const double* q) {
  Problem& p = *problem_;
  p.lcp->M->matrix0 = const_cast<double*>(M);
  p.lcp->q = const_cast<double*>(q);
  int info = 0;
  lcp_enum(p.lcp, p.z.data(), p.w.data(), &info, p.options);
  return p.options->iparam[SICONOS_LCP_IPARAM_ENUM_NUMBER_OF_SOLUTIONS];
}

}  // namespace painleve
