#include "painleve/simulation/compliant_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <limits>
#include <utility>

namespace painleve {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

MatrixXd SlowModel::undeformed_W(double t, const Ref<const VectorXd>& x, const Ref<const VectorXd>& /*gap*/,
                                 const std::vector<int>& /*closed*/) const {
  ContactResponse r;
  evaluate(t, x, r);
  return r.W;
}

MechanismModel::MechanismModel(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)), degrees_(static_cast<int>(mechanism_->coordinates().size())) {}

State MechanismModel::state(double t, const Ref<const VectorXd>& x) const {
  return {x.head(degrees_), x.tail(degrees_), t};
}

void MechanismModel::evaluate(double t, const Ref<const VectorXd>& x, ContactResponse& r) const {
  ContactResponse::Scratch& scratch = r.scratch;
  scratch.state.q = x.head(degrees_);
  scratch.state.v = x.tail(degrees_);
  scratch.state.t = t;
  mechanism_->dynamics(scratch.state, scratch.dynamics);
  respond(r);
}

void MechanismModel::respond(ContactResponse& r) const {
  // Memory that is kept for the next call of this thread.
  thread_local Eigen::LLT<MatrixXd> llt;
  const Dynamics& d = r.scratch.dynamics;
  const Eigen::Index n = degrees_;
  llt.compute(d.M);
  r.free_rates.resize(2 * n);
  r.force_rates.setZero(2 * n, d.J.rows());
  if (llt.info() != Eigen::Success) {
    r.free_rates.setConstant(std::numeric_limits<double>::quiet_NaN());
    r.W.setConstant(d.J.rows(), d.J.rows(), std::numeric_limits<double>::quiet_NaN());
    r.b = r.W.diagonal();
    r.surface = r.b;
    return;
  }
  r.free_rates.head(n) = r.scratch.state.v;
  auto free = r.free_rates.tail(n);
  free = llt.solve(d.f);
  auto by_force = r.force_rates.bottomRows(n);
  by_force = llt.solve(d.J.transpose());
  r.W.noalias() = d.J * by_force;
  r.b = d.drift;
  r.b.noalias() += d.J * free;
  r.u = d.u;
  r.surface = -d.u;
  r.surface.noalias() += d.J * r.scratch.state.v;
  r.power = d.applied.dot(r.scratch.state.v) + d.drive;
}

// One Newton step: q − M⁻¹J_nᵀ W_nn⁺ gap.
MatrixXd MechanismModel::undeformed_W(double t, const Ref<const VectorXd>& x, const Ref<const VectorXd>& gap,
                                      const std::vector<int>& closed) const {
  ContactResponse r;
  evaluate(t, x, r);
  std::vector<int> normals;
  for (const int i : closed) normals.push_back(dimension() * i + dimension() - 1);
  const MatrixXd W_nn = r.W(normals, normals);
  if (!W_nn.allFinite()) return r.W;
  const VectorXd push = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(W_nn).solve(VectorXd(gap(closed)));
  VectorXd undone = x;
  undone.head(degrees_) -= r.force_rates(Eigen::all, normals).bottomRows(degrees_) * push;
  evaluate(t, undone, r);
  return r.W;
}

double MechanismModel::energy(double t, const Ref<const VectorXd>& x, const Ref<const VectorXd>& /*u*/) const {
  // Memory that is kept for the next call of this thread: every sample asks.
  thread_local ContactResponse::Scratch scratch;
  scratch.state.q = x.head(degrees_);
  scratch.state.v = x.tail(degrees_);
  scratch.state.t = t;
  mechanism_->dynamics(scratch.state, scratch.dynamics);
  const VectorXd& v = scratch.state.v;
  return 0.5 * v.dot(scratch.dynamics.M.lazyProduct(v)) + scratch.dynamics.potential;
}

FrozenModel::FrozenModel(const ContactSpace& space)
    : dimension_(space.dimension), count_(space.count()), W_(space.W), b_(space.b) {
  mass_ = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(W_).pseudoInverse();
  thrust_ = mass_ * b_;
}

void FrozenModel::evaluate(double /*t*/, const Ref<const VectorXd>& /*x*/, ContactResponse& r) const {
  r.W = W_;
  r.b = b_;
  r.surface.setZero(b_.size());
  r.free_rates.resize(0);
  r.force_rates.resize(0, b_.size());
  r.power = 0;
  r.thrust = thrust_;
}

double FrozenModel::energy(double /*t*/, const Ref<const VectorXd>& /*x*/, const Ref<const VectorXd>& u) const {
  return 0.5 * u.dot(mass_ * u);
}

void DriftingModel::evaluate(double t, const Ref<const VectorXd>& x, ContactResponse& r) const {
  r.W = contacts_.P;
  r.W += t * contacts_.P_rate;
  r.b = x;
  r.surface.setZero(x.size());
  r.free_rates = contacts_.b_rate;
  r.force_rates = contacts_.b_force;
  r.power = 0;
}

}  // namespace painleve
