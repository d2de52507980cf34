#include "painleve/simulation/compliant_model.hpp"

#include <Eigen/QR>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace painleve {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

namespace {

// The root below for three degrees of freedom, those of a body in the plane, written out.
inline bool find_root_3(const double* M, double* C) {
  C[0] = 1 / std::sqrt(M[0]);
  C[3] = M[1] * C[0];
  C[6] = M[2] * C[0];
  const double second = M[4] - C[3] * C[3];
  C[4] = 1 / std::sqrt(second);
  C[7] = (M[5] - C[6] * C[3]) * C[4];
  const double third = M[8] - C[6] * C[6] - C[7] * C[7];
  C[8] = 1 / std::sqrt(third);
  return M[0] > 0 && second > 0 && third > 0;
}

// C of M = Cᵀ C with the inverses of its diagonal in their place, in plain loops: mechanisms are small, and this is
// done for every evaluation. False: M is not positive definite.
bool find_root(const MatrixXd& M, MatrixXd& C) {
  const Eigen::Index n = M.rows();
  if (n == 3) return find_root_3(M.data(), C.data());
  for (Eigen::Index j = 0; j < n; ++j) {
    const double* column = &C(0, j);
    for (Eigen::Index i = 0; i <= j; ++i) {
      const double* other = &C(0, i);
      double rest = M(j, i);
      for (Eigen::Index k = 0; k < i; ++k) rest -= column[k] * other[k];
      if (i < j) {
        C(i, j) = rest * C(i, i);
      } else if (rest > 0) {
        C(i, i) = 1 / std::sqrt(rest);
      } else {
        return false;
      }
    }
  }
  return true;
}

// x := M⁻¹ x, likewise.
inline void solve_3(const double* C, double* x) {
  const double y0 = C[0] * x[0];
  const double y1 = C[4] * (x[1] - C[3] * y0);
  const double y2 = C[8] * (x[2] - C[6] * y0 - C[7] * y1);
  x[2] = C[8] * y2;
  x[1] = C[4] * (y1 - C[7] * x[2]);
  x[0] = C[0] * (y0 - C[3] * x[1] - C[6] * x[2]);
}

// x := M⁻¹ x
inline void solve_with_root(const MatrixXd& C, double* x) {
  const Eigen::Index n = C.rows();
  if (n == 3) {
    solve_3(C.data(), x);
    return;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const double* column = &C(0, i);
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= column[k] * x[k];
    x[i] *= column[i];
  }
  for (Eigen::Index i = n; i-- > 0;) {
    const double* column = &C(0, i);
    x[i] *= column[i];
    for (Eigen::Index k = 0; k < i; ++k) x[k] -= column[k] * x[i];
  }
}

// All that follows from M = Cᵀ C in `r`, whose sizes are set.
void respond_with_root(const Dynamics& d, const VectorXd& v, ContactResponse& r) {
  const MatrixXd& C = r.scratch.root;
  const Eigen::Index n = C.rows();
  const Eigen::Index rows = d.J.rows();
  double* free = r.free_rates.data() + n;
  for (Eigen::Index i = 0; i < n; ++i) {
    free[i - n] = v(i);
    free[i] = d.f(i);
  }
  solve_with_root(C, free);
  for (Eigen::Index i = 0; i < rows; ++i) {
    double* by_force = r.force_rates.data() + 2 * n * i + n;
    double acceleration = d.drift(i);
    double velocity = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double entry = d.J(i, k);
      by_force[k - n] = 0;
      by_force[k] = entry;
      acceleration += entry * free[k];
      velocity += entry * v(k);
    }
    r.b(i) = acceleration;
    r.u(i) = d.u(i);
    r.surface(i) = velocity - d.u(i);  // in this order, so that no rounding is left of surfaces at rest
    solve_with_root(C, by_force);
    const double* column = d.J.data();
    double* w = r.W.data() + rows * i;
    for (Eigen::Index j = 0; j < rows; ++j) w[j] = 0;
    for (Eigen::Index k = 0; k < n; ++k, column += rows) {
      for (Eigen::Index j = 0; j < rows; ++j) w[j] += column[j] * by_force[k];
    }
  }
}

// The same for one contact of a body in the plane, written out.
void respond_with_root_3_2(const Dynamics& d, const VectorXd& speed, ContactResponse& r) {
  using Vector = std::array<double, 3>;
  const double* v = speed.data();
  const double* J = d.J.data();
  const double* C = r.scratch.root.data();
  Vector free = {d.f(0), d.f(1), d.f(2)};
  solve_3(C, free.data());
  double* free_rates = r.free_rates.data();
  for (std::size_t k = 0; k < 3; ++k) {
    free_rates[k] = v[k];
    free_rates[k + 3] = free[k];
  }
  double* by_force = r.force_rates.data();
  for (int i = 0; i < 2; ++i, by_force += 6) {
    const Vector row = {J[i], J[i + 2], J[i + 4]};
    Vector x = row;
    solve_3(C, x.data());
    r.b(i) = d.drift(i) + row[0] * free[0] + row[1] * free[1] + row[2] * free[2];
    r.u(i) = d.u(i);
    r.surface(i) = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] - d.u(i);
    double* w = r.W.data() + 2 * i;
    w[0] = J[0] * x[0] + J[2] * x[1] + J[4] * x[2];
    w[1] = J[1] * x[0] + J[3] * x[1] + J[5] * x[2];
    by_force[0] = by_force[1] = by_force[2] = 0;
    by_force[3] = x[0];
    by_force[4] = x[1];
    by_force[5] = x[2];
  }
}

}  // namespace

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
  const Dynamics& d = r.scratch.dynamics;
  const Eigen::Index n = degrees_;
  const Eigen::Index rows = d.J.rows();
  const bool has_sizes = r.scratch.root.rows() == n && r.force_rates.rows() == 2 * n && r.W.rows() == rows;
  if (!has_sizes) {  // resize() of a matrix divides
    r.scratch.root.resize(n, n);
    r.force_rates.resize(2 * n, rows);
    r.W.resize(rows, rows);
    r.free_rates.resize(2 * n);
    r.b.resize(rows);
    r.surface.resize(rows);
    r.u.resize(rows);
  }
  if (!find_root(d.M, r.scratch.root)) {
    r.force_rates.setZero();
    r.free_rates.setConstant(std::numeric_limits<double>::quiet_NaN());
    r.W.setConstant(std::numeric_limits<double>::quiet_NaN());
    r.b = r.W.diagonal();
    r.surface = r.b;
    r.u = d.u;
    return;
  }
  const VectorXd& v = r.scratch.state.v;
  if (n == 3 && rows == 2) {
    respond_with_root_3_2(d, v, r);
  } else {
    respond_with_root(d, v, r);
  }
  double power = 0;
  for (Eigen::Index k = 0; k < n; ++k) power += d.applied(k) * v(k);
  r.power = power + d.drive;
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
  const auto outside = [&](const VectorXd& x) {
    constexpr double rounding = 1e-12;
    const VectorXd rest = x - W_ * (mass_ * x);
    return rest.norm() > rounding * x.norm() ? rest : VectorXd(VectorXd::Zero(x.size()));
  };
  surface_ = -outside(space.u);
  surface_rate_ = -outside(b_);
}

void FrozenModel::evaluate(double t, const Ref<const VectorXd>& /*x*/, ContactResponse& r) const {
  r.W = W_;
  r.b = b_;
  r.surface = surface_ + t * surface_rate_;
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
