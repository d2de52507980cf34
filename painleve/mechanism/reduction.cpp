#include "painleve/mechanism/reduction.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "painleve/base/error.hpp"
#include "painleve/base/rounding.hpp"

namespace painleve {
namespace {

// A pivot of the Cholesky factorisation below this part of its diagonal entry is what rounding left of zero;
// independent of the units of the coordinates.
constexpr double singular_mass = 1e-14;

Eigen::LLT<Eigen::MatrixXd> factorise(const Eigen::MatrixXd& M) {
  Eigen::LLT<Eigen::MatrixXd> llt(M);
  const Eigen::ArrayXd pivots = llt.matrixLLT().diagonal().array().square();
  if (!M.allFinite() || llt.info() != Eigen::Success || (pivots <= singular_mass * M.diagonal().array()).any())
    throw InputError(
        "the mass matrix is singular at this state: some coordinate moves no mass, or several move it in one way (as "
        "the outer two of three turns in a row do while the middle one is at 90 degrees)");
  return llt;
}

}  // namespace

Eigen::VectorXd free_acceleration(const Dynamics& d) { return factorise(d.M).solve(d.f); }

ContactSpace contact_space(const Mechanism& mechanism, const State& state, std::span<const Surface> surfaces) {
  const Dynamics d = mechanism.dynamics(state);
  const auto llt = factorise(d.M);
  const Eigen::MatrixXd half = llt.matrixL().solve(d.J.transpose());
  ContactSpace s;
  s.dimension = mechanism.dimension();
  s.W = half.transpose() * half;
  s.drift = d.drift;
  s.b = d.J * llt.solve(d.f) + d.drift;
  // Where gravity, inertia and drift cancel, what is left by rounding is zero: lift-off and the G-spot are met exactly.
  const Eigen::MatrixXd response = llt.solve(d.J.transpose());
  const Eigen::VectorXd size = response.transpose().cwiseAbs() * d.f.cwiseAbs() + d.drift.cwiseAbs();
  if (size.allFinite()) s.b = s.b.binaryExpr(size, &or_zero).eval();
  s.u = d.u;
  s.gap = d.gap;
  s.names = mechanism.contacts();
  s.mu.resize(static_cast<Eigen::Index>(surfaces.size()));
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    s.mu(static_cast<Eigen::Index>(i)) = surfaces[i].mu;
    s.bilateral.push_back(surfaces[i].bilateral);
  }
  return s;
}

// Differentiates W = J M⁻¹ Jᵀ and b = J M⁻¹ f + drift by the product rule, with the exact derivatives of M, f, J,
// drift.
ContactRates contact_rates(const Mechanism& mechanism, const State& state) {
  const Dynamics d = mechanism.dynamics(state);
  const auto llt = factorise(d.M);
  const Eigen::MatrixXd X = llt.solve(d.J.transpose());  // M⁻¹ Jᵀ
  const Eigen::VectorXd a = llt.solve(d.f);              // free acceleration
  const auto rate_of_b = [&](const Dynamics& D) -> Eigen::VectorXd {
    return D.J * a + X.transpose() * (D.f - D.M * a) + D.drift;
  };

  const Dynamics flow = mechanism.derivative(state, {state.v, a, 1});
  ContactRates r;
  const Eigen::MatrixXd JX = flow.J * X;
  r.W = JX + JX.transpose() - X.transpose() * flow.M * X;
  r.b = rate_of_b(flow);
  r.b_force.resize(d.J.rows(), d.J.rows());
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(state.q.size());
  for (Eigen::Index j = 0; j < d.J.rows(); ++j)
    r.b_force.col(j) = rate_of_b(mechanism.derivative(state, {zero, X.col(j), 0}));
  return r;
}

}  // namespace painleve
