#include "painleve/simulation/compliant_system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "painleve/simulation/compliant_ties.hpp"

namespace painleve {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kSingular = 1e-8;  // of a pivot in its diagonal entry: feet of one body that has hardly turned

// Where W is singular, of the x with W x = r that which is smallest in proportion to `limits`.
VectorXd shared_solution(const MatrixXd& W, const VectorXd& r, const VectorXd& limits) {
  const VectorXd root = limits.cwiseMax(limits.maxCoeff() * kSingular).cwiseSqrt();
  const MatrixXd scaled = root.asDiagonal() * W * root.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(kSingular);
  decomposition.compute(scaled);
  return root.asDiagonal() * decomposition.solve(VectorXd(root.asDiagonal() * r));
}

// The accelerations of the contacts, b + W λ, and the rates of the slow model, at the head of `rate`: for so many rows
// of contacts and slow unknowns, if not Dynamic.
template <int Rows, int Slow>
inline void add_forces(const ContactResponse& r, const VectorXd& lambda, VectorXd& a, VectorXd& rate) {
  using Accelerations = Eigen::Array<double, Rows, 1>;
  using Rates = Eigen::Array<double, Slow, 1>;
  const Eigen::Index rows = r.b.size();
  const Eigen::Index slow = r.free_rates.size();
  Eigen::Map<Accelerations> all_a(a.data(), rows);
  Eigen::Map<Rates> all_rates(rate.data(), slow);
  all_a = Eigen::Map<const Accelerations>(r.b.data(), rows);
  all_rates = Eigen::Map<const Rates>(r.free_rates.data(), slow);
  for (Eigen::Index j = 0; j < rows; ++j) {
    const double force = lambda(j);
    if (force == 0) continue;
    all_a += force * Eigen::Map<const Accelerations>(r.W.data() + rows * j, rows);
    all_rates += force * Eigen::Map<const Rates>(r.force_rates.data() + slow * j, slow);
  }
}

}  // namespace

CompliantSystem::CompliantSystem(const SlowModel& model, std::vector<CompliantContact> contacts, bool ledger)
    : phases(contacts.size()), model_(model), contacts_(std::move(contacts)) {
  layout_.dimension = model.dimension();
  layout_.count = model.count();
  layout_.slow = model.size();
  layout_.ledger = ledger;
  for (CompliantContact& contact : contacts_) {
    if (layout_.dimension == 1) contact.friction.kind = FrictionKind::none;
    layout_.elastic = layout_.elastic || contact.friction.kind == FrictionKind::elastic;
    coulomb_ = coulomb_ || contact.friction.kind == FrictionKind::coulomb;
  }
  forces_.lambda.setZero(layout_.rows());
  forces_.a.setZero(layout_.rows());
}

Vector2d CompliantSystem::tangential_velocity(int i, const VectorXd& y) const {
  Vector2d u = Vector2d::Zero();
  for (int k = 0; k < layout_.tangents(); ++k) u(k) = y(layout_.u(i) + k);
  return u;
}

Vector2d CompliantSystem::trial(int i, const VectorXd& y) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  Vector2d T = f.damping * tangential_velocity(i, y);
  for (int k = 0; k < layout_.tangents(); ++k) T(k) += f.stiffness * y(layout_.s(i) + k);
  return T;
}

Vector2d CompliantSystem::slip_vector(int i, const VectorXd& y) const {
  const bool elastic = contacts_[static_cast<std::size_t>(i)].friction.kind == FrictionKind::elastic;
  return elastic ? trial(i, y) : tangential_velocity(i, y);
}

Vector2d CompliantSystem::slip_direction(int i, const VectorXd& y) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  if (f.kind == FrictionKind::held) return f.direction;
  if (f.kind != FrictionKind::smoothed && layout_.dimension == 2) {
    return {phases[static_cast<std::size_t>(i)].direction, 0};
  }
  if (!held_directions_.empty()) return held_directions_[static_cast<std::size_t>(i)];
  const Vector2d along = slip_vector(i, y);
  const double size = along.norm();
  const Vector2d& reference = phases[static_cast<std::size_t>(i)].reference;
  if (!(size > 0)) return reference;
  return along / (along.dot(reference) < 0 ? -size : size);
}

bool CompliantSystem::has_turned(int i, const VectorXd& y) const {
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const FrictionKind kind = contacts_[static_cast<std::size_t>(i)].friction.kind;
  const bool refers = kind == FrictionKind::coulomb || kind == FrictionKind::elastic;
  if (layout_.dimension < 3 || !refers || !phase.closed() || !phase.slip) return false;
  const Vector2d along = slip_vector(i, y);
  return along.dot(phase.reference) < 0.5 * along.norm();
}

Vector2d CompliantSystem::friction_force(int i, const VectorXd& y, double limit) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  if (f.kind == FrictionKind::held || phases[static_cast<std::size_t>(i)].slip) return -limit * slip_direction(i, y);
  switch (f.kind) {
    case FrictionKind::viscous:
      return -f.damping * tangential_velocity(i, y);
    case FrictionKind::smoothed:
      return -limit / f.smoothing * tangential_velocity(i, y);
    case FrictionKind::elastic:
      return -trial(i, y);
    case FrictionKind::none:
    case FrictionKind::coulomb:
    case FrictionKind::held:
      break;
  }
  return Vector2d::Zero();
}

// As friction_force() in the plane, for the laws that all runs are made of.
inline double CompliantSystem::planar_friction(int i, const VectorXd& y, double limit) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  if (phase.slip && (f.kind == FrictionKind::coulomb || f.kind == FrictionKind::viscous)) {
    return -limit * phase.direction;
  }
  if (f.kind == FrictionKind::coulomb) return 0;
  if (f.kind == FrictionKind::viscous) return -f.damping * y(layout_.u(i));
  return friction_force(i, y, limit)(0);
}

const VectorXd& CompliantSystem::spring_forces(const VectorXd& y) const {
  VectorXd& lambda = forces_.lambda;
  for (int i = 0; i < layout_.rows(); ++i) lambda(i) = 0;
  for (int i = 0; i < layout_.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    if (!phase.closed()) continue;
    const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
    const int n = layout_.dimension * i + layout_.tangents();
    lambda(n) = normal_force(contact.spring, phase.normal, y(layout_.gap(i)), y(layout_.u_n(i))).value;
    if (layout_.dimension == 1) continue;
    const double sign = phase.normal == NormalPhase::pulling ? -1 : 1;
    const double limit = contact.friction.mu * sign * lambda(n);
    if (layout_.dimension == 2) {
      lambda(n - 1) = planar_friction(i, y, limit);
      continue;
    }
    const Vector2d along = friction_force(i, y, limit);
    for (int k = 0; k < layout_.tangents(); ++k) lambda(layout_.dimension * i + k) = along(k);
  }
  return lambda;
}

std::vector<int> CompliantSystem::group(int i) const {
  std::vector<int> members;
  for_group(i, [&](int j) { members.push_back(j); });
  return members;
}

double CompliantSystem::stick_limit(int i) const {
  return contacts_[static_cast<std::size_t>(i)].friction.mu_static *
         std::abs(forces_.lambda(layout_.dimension * i + layout_.tangents()));
}

// The friction found for a group as a whole stands at its leader.
void CompliantSystem::share_friction(int leader) const {
  double limit = 0;
  int members = 0;
  for_group(leader, [&](int i) {
    limit += stick_limit(i);
    ++members;
  });
  if (members == 1) return;
  const double whole = forces_.lambda(layout_.dimension * leader);
  for_group(leader, [&](int i) {
    const double part = limit > 0 ? stick_limit(i) / limit : 1 / static_cast<double>(members);
    forces_.lambda(layout_.dimension * i) = phases[static_cast<std::size_t>(i)].along * part * whole;
  });
}

// Tied contacts count as one.
void CompliantSystem::find_sticking() const {
  sticking_.rows.clear();
  sticking_.leaders.clear();
  sticking_.limits.clear();
  for (int i = 0; i < layout_.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    const bool coulomb = contacts_[static_cast<std::size_t>(i)].friction.kind == FrictionKind::coulomb;
    if (!coulomb || !phase.closed() || phase.slip || phase.leader >= 0) continue;
    sticking_.leaders.push_back(i);
    double limit = 0;
    for_group(i, [&](int j) { limit += stick_limit(j); });
    for (int k = 0; k < layout_.tangents(); ++k) {
      sticking_.rows.push_back(layout_.dimension * i + k);
      sticking_.limits.push_back(limit);
    }
  }
}

// Friction of all sticking contacts together, from W_TT λ_T = −(b + W λ)_T with λ_T = 0 on the right.
void CompliantSystem::stick_forces() const {
  if (!coulomb_) return;
  find_sticking();
  Sticking& s = sticking_;
  if (s.rows.empty()) return;
  const ContactResponse& r = forces_.response;
  const auto count = static_cast<Eigen::Index>(s.rows.size());
  s.x.resize(count);
  s.W.resize(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const int row = s.rows[static_cast<std::size_t>(k)];
    s.x(k) = -(r.b(row) + r.W.row(row).dot(forces_.lambda));
    for (Eigen::Index j = 0; j < count; ++j) s.W(k, j) = r.W(row, s.rows[static_cast<std::size_t>(j)]);
  }
  if (count == 1) {
    s.x(0) /= s.W(0, 0);
  } else {
    s.llt.compute(s.W);
    const bool regular = s.llt.info() == Eigen::Success &&
                         (s.llt.matrixLLT().diagonal().array().square() > kSingular * s.W.diagonal().array()).all();
    if (regular) {
      s.x = s.llt.solve(s.x);
    } else {
      s.x = shared_solution(s.W, s.x, Eigen::Map<const VectorXd>(s.limits.data(), count));
    }
  }
  for (Eigen::Index k = 0; k < count; ++k) forces_.lambda(s.rows[static_cast<std::size_t>(k)]) = s.x(k);
  for (const int i : s.leaders) share_friction(i);
}

// Around events the same state is asked about again and again, and differences over contacts leave x as it is.
void CompliantSystem::evaluate(double t, const VectorXd& y) const {
  const double t_model = origin + t;
  const auto x = y.head(layout_.slow);
  const bool tied = std::any_of(phases.begin(), phases.end(), [](const ContactPhase& p) { return p.leader >= 0; });
  if (!tied && t_model == evaluated_.t && x == evaluated_.x) return;
  model_.evaluate(t_model, x, forces_.response);
  if (tied) share_tangents(phases, layout_, forces_.response);
  evaluated_.t = tied ? std::numeric_limits<double>::quiet_NaN() : t_model;
  evaluated_.x = x;
}

const CompliantSystem::Forces& CompliantSystem::forces(double t, const VectorXd& y) const {
  evaluate(t, y);
  finish_rates(y, changed_);
  return forces_;
}

// d(μ λ_n)/dt.
double CompliantSystem::limit_growth(int i, const VectorXd& y) const {
  const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const double u_n = y(layout_.u_n(i));
  const NormalForce force = normal_force(contact.spring, phase.normal, y(layout_.gap(i)), u_n);
  const double sign = phase.normal == NormalPhase::pulling ? -1 : 1;
  const int n = layout_.dimension * i + layout_.tangents();
  return contact.friction.mu * sign * (force.by_gap * u_n + force.by_rate * forces_.a(n));
}

double CompliantSystem::plastic_rate(int i, const VectorXd& y) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  const int n = layout_.dimension * i + layout_.tangents();
  const Vector2d e = slip_direction(i, y);
  if (f.damping > 0) return (trial(i, y).dot(e) - f.mu * std::abs(forces_.lambda(n))) / f.damping;
  return tangential_velocity(i, y).dot(e) - limit_growth(i, y) / f.stiffness;
}

// In slip u_t − w e, written so that u_t, which is large beside it, does not cancel.
Vector2d CompliantSystem::deflection_rate(int i, const VectorXd& y) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  if (!phases[static_cast<std::size_t>(i)].slip) return tangential_velocity(i, y);
  const Vector2d u_t = tangential_velocity(i, y);
  const Vector2d e = slip_direction(i, y);
  if (f.damping == 0) return u_t - u_t.dot(e) * e + limit_growth(i, y) / f.stiffness * e;
  Vector2d rate = f.mu * std::abs(forces_.lambda(layout_.dimension * i + layout_.tangents())) * e;
  for (int k = 0; k < layout_.tangents(); ++k) rate(k) -= f.stiffness * y(layout_.s(i) + k);
  return rate / f.damping;
}

// The part of y' that belongs to contact i, once forces and accelerations are known.
void CompliantSystem::contact_rates(int i, const VectorXd& y, VectorXd& rate) const {
  const CompliantLayout& l = layout_;
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
  const VectorXd& drift = forces_.response.gap_drift;
  const double u_n = y(l.u_n(i));
  rate(l.gap(i)) = u_n + (drift.size() > 0 ? drift(i) : 0.0);
  const double* a = forces_.a.data() + l.dimension * i;
  for (int k = 0; k < l.dimension; ++k) rate(l.u(i) + k) = a[k];
  if (!phase.closed()) return;
  const double* force = forces_.lambda.data() + l.dimension * i;
  double friction = 0;
  for (int k = 0; k < l.tangents(); ++k) friction -= force[k] * y(l.u(i) + k);
  if (contact.friction.kind == FrictionKind::elastic) {
    const Vector2d s_rate = deflection_rate(i, y);
    for (int k = 0; k < l.tangents(); ++k) {
      rate(l.s(i) + k) = s_rate(k);
      friction -= contact.friction.stiffness * y(l.s(i) + k) * s_rate(k);
    }
  }
  if (!l.ledger) return;
  rate(l.friction()) += friction;
  rate(l.dashpot()) -= (force[l.tangents()] - spring_force(contact.spring, phase.normal, y(l.gap(i)))) * u_n;
}

// The same in the plane, where friction stores nothing.
inline void CompliantSystem::planar_contact_rates(int i, const VectorXd& y, VectorXd& rate) const {
  const CompliantLayout& l = layout_;
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const VectorXd& drift = forces_.response.gap_drift;
  const double gap = y(l.gap(i));
  const double* u = y.data() + l.u(i);
  rate(l.gap(i)) = u[1] + (drift.size() > 0 ? drift(i) : 0.0);
  rate(l.u(i)) = forces_.a(2 * i);
  rate(l.u(i) + 1) = forces_.a(2 * i + 1);
  if (!phase.closed() || !l.ledger) return;
  const double* force = forces_.lambda.data() + 2 * i;
  rate(l.friction()) -= force[0] * u[0];
  rate(l.dashpot()) -=
      (force[1] - spring_force(contacts_[static_cast<std::size_t>(i)].spring, phase.normal, gap)) * u[1];
}

// All of y' for the response that has been evaluated.
void CompliantSystem::finish_rates(const VectorXd& y, VectorXd& rate) const {
  const CompliantLayout& l = layout_;
  const ContactResponse& r = forces_.response;
  spring_forces(y);
  stick_forces();
  const int rows = l.rows();
  rate.resize(l.size());
  if (rows == 2 && l.slow == 6) {
    add_forces<2, 6>(r, forces_.lambda, forces_.a, rate);
  } else {
    add_forces<Eigen::Dynamic, Eigen::Dynamic>(r, forces_.lambda, forces_.a, rate);
  }
  for (int i = l.s(0); i < l.size(); ++i) rate(i) = 0;
  const bool planar = l.dimension == 2 && !l.elastic;
  for (int i = 0; i < l.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    const bool coulomb = contacts_[static_cast<std::size_t>(i)].friction.kind == FrictionKind::coulomb;
    if (phase.closed() && !phase.slip && coulomb) forces_.a.segment(l.dimension * i, l.tangents()).setZero();
    if (planar) {
      planar_contact_rates(i, y, rate);
    } else {
      contact_rates(i, y, rate);
    }
  }
  if (!l.ledger) return;
  double along_surfaces = 0;
  for (int i = 0; i < rows; ++i) {
    rate(l.impulse() + i) = forces_.lambda(i);
    along_surfaces += r.surface(i) * forces_.lambda(i);
  }
  rate(l.applied()) = r.power + along_surfaces;
  if (r.thrust.size() > 0) rate(l.applied()) += r.thrust.dot(y.segment(l.u(0), l.rows()));
}

void CompliantSystem::rates(double t, const VectorXd& y, VectorXd& rate) const {
  evaluate(t, y);
  finish_rates(y, rate);
}

// Forward differences over the contacts' unknowns, for the response that has been evaluated: columns of J from `first`.
void CompliantSystem::differences(const VectorXd& y, const VectorXd& rate, const VectorXd& scale, int first,
                                  MatrixXd& J) const {
  constexpr double part = 0x1p-26;
  point_ = y;
  sizes_ = y.cwiseAbs().cwiseMax(scale);
  for (int i = 0; i < layout_.count && layout_.dimension == 3; ++i) {
    // Slip in space that has just begun turns with the smallest velocity across it.
    const double speed = tangential_velocity(i, y).norm();
    if (phases[static_cast<std::size_t>(i)].slip && speed > 0) sizes_.segment(layout_.u(i), 2).setConstant(speed);
  }
  for (int j = layout_.slow; j < layout_.impulse(); ++j) {
    const double size = sizes_(j);
    point_(j) = y(j) + (size > 0 ? part * size : part);
    finish_rates(point_, changed_);
    J.col(first + j - layout_.slow) = (changed_ - rate) / (point_(j) - y(j));
    point_(j) = y(j);
  }
}

bool CompliantSystem::slips_by_coulomb(int i) const {
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const FrictionKind kind = contacts_[static_cast<std::size_t>(i)].friction.kind;
  return phase.closed() && phase.slip && kind == FrictionKind::coulomb;
}

bool CompliantSystem::jacobian_lasts() const {
  for (int i = 0; i < layout_.count && layout_.dimension == 3; ++i) {
    if (slips_by_coulomb(i)) return false;
  }
  return true;
}

// The slow model is evaluated once for all contacts' unknowns, and nothing depends on the ledger.
void CompliantSystem::jacobian(double t, const VectorXd& y, const VectorXd& rate, const VectorXd& scale,
                               MatrixXd& J) const {
  constexpr double part = 0x1p-26;
  J.setZero();
  evaluate(t, y);
  differences(y, rate, scale, layout_.slow, J);
  point_ = y;
  for (int j = 0; j < layout_.slow; ++j) {
    const double size = std::max(std::abs(y(j)), scale(j));
    point_(j) = y(j) + (size > 0 ? part * size : part);
    rates(t, point_, changed_);
    J.col(j) = (changed_ - rate) / (point_(j) - y(j));
    point_(j) = y(j);
  }
}

void CompliantSystem::hold_directions(const VectorXd& y) const {
  held_next_.clear();
  for (int i = 0; i < layout_.count; ++i) held_next_.push_back(slip_direction(i, y));
  held_directions_.swap(held_next_);
}

const MatrixXd& CompliantSystem::fast_jacobian(double t, const VectorXd& y, const VectorXd& scale) const {
  fast_rate_.resize(layout_.size());
  fast_columns_.resize(layout_.size(), layout_.fast());
  hold_directions(y);
  rates(t, y, fast_rate_);
  differences(y, fast_rate_, scale, 0, fast_columns_);
  release_directions();
  fast_block_ = fast_columns_.middleRows(layout_.slow, layout_.fast());
  return fast_block_;
}

bool CompliantSystem::piecewise_linear() const {
  if (layout_.dimension > 2 || layout_.elastic || layout_.fast() > ExponentialCollocation::kMostFast) return false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!phases[i].closed()) continue;
    const bool linear = has_linear_force(contacts_[i].spring);
    const bool creeps = contacts_[i].friction.kind == FrictionKind::smoothed && !phases[i].slip;
    if (!linear || creeps || phases[i].leader >= 0) return false;
  }
  return true;
}

// What all rates gain where the forces of contact i grow by `by_force`, in column j of L.
inline void CompliantSystem::add_force_column(int i, const Vector2d& by_force, double* column) const {
  const CompliantLayout& l = layout_;
  const ContactResponse& r = forces_.response;
  const int rows = l.rows();
  for (int k = 0; k < l.dimension; ++k) {
    const double force = by_force(k);
    const int row = l.dimension * i + k;
    if (force == 0) continue;
    const double* by_rates = r.force_rates.data() + l.slow * row;
    for (int j = 0; j < l.slow; ++j) column[j] += force * by_rates[j];
    const double* w = r.W.data() + rows * row;
    for (int j = 0; j < rows; ++j) column[l.u(0) + j] += force * w[j];
    if (!l.ledger) continue;
    column[l.impulse() + row] += force;
    column[l.applied()] += force * r.surface(row);
  }
}

// The columns of gap and velocities of contact i, which does not stick.
void CompliantSystem::linearise_contact(int i, const VectorXd& y, MatrixXd& L) const {
  const CompliantLayout& l = layout_;
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
  const int n = l.u_n(i) - l.slow;
  L(l.gap(i), n) = 1;
  if (!phase.closed()) return;
  const NormalForce force = normal_force(contact.spring, phase.normal, y(l.gap(i)), y(l.u_n(i)));
  Vector2d along = Vector2d::Zero();  // forces per normal force
  along(l.tangents()) = 1;
  const bool held = contact.friction.kind == FrictionKind::held;
  if (l.dimension == 2 && (phase.slip || held)) {
    const double sign = phase.normal == NormalPhase::pulling ? -1 : 1;
    along(0) = -contact.friction.mu * sign * slip_direction(i, y)(0);
  } else if (contact.friction.kind == FrictionKind::viscous) {
    add_force_column(i, Vector2d(-contact.friction.damping, 0), &L(0, n - 1));
  }
  add_force_column(i, force.by_gap * along, &L(0, l.gap(i) - l.slow));
  add_force_column(i, force.by_rate * along, &L(0, n));
}

void CompliantSystem::linearise(double t, const VectorXd& y, const VectorXd& scale, VectorXd& rate, MatrixXd& L) const {
  rates(t, y, rate);
  if (!sticking_.rows.empty() || !piecewise_linear()) {
    linearise_by_units(y, scale, L);
  } else {
    L.setZero();
    for (int i = 0; i < layout_.count; ++i) linearise_contact(i, y, L);
    const VectorXd& thrust = forces_.response.thrust;
    if (layout_.ledger && thrust.size() > 0)
      L.row(layout_.applied()).segment(layout_.count, layout_.rows()) += thrust.transpose();
  }
  const Block ledger = work();
  L.middleRows(ledger.begin, ledger.count).setZero();
}

// The rates without and with a unit of each unknown: contacts that stick tie all forces to each other. What is linear
// has no error by differences, and units that outweigh the other forces leave the least rounding.
void CompliantSystem::linearise_by_units(const VectorXd& y, const VectorXd& scale, MatrixXd& L) const {
  constexpr double outweighs = 0x1p20;
  hold_directions(y);
  point_ = y;
  point_.segment(layout_.slow, layout_.fast()).setZero();
  finish_rates(point_, fast_rate_);
  for (int j = 0; j < layout_.fast(); ++j) {
    const double unit = outweighs * scale(layout_.slow + j);
    point_(layout_.slow + j) = unit;
    finish_rates(point_, changed_);
    point_(layout_.slow + j) = 0;
    L.col(j) = (changed_ - fast_rate_) / unit;
  }
  release_directions();
}

void CompliantSystem::work_rates(const VectorXd& y, double* rate) const {
  const CompliantLayout& l = layout_;
  spring_forces(y);
  rate[0] = rate[1] = 0;
  for (int i = 0; i < l.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    if (!phase.closed()) continue;
    const NormalSpring& spring = contacts_[static_cast<std::size_t>(i)].spring;
    const double* force = forces_.lambda.data() + l.dimension * i;
    for (int k = 0; k < l.tangents(); ++k) rate[0] -= force[k] * y(l.u(i) + k);
    rate[1] -= (force[l.tangents()] - spring_force(spring, phase.normal, y(l.gap(i)))) * y(l.u_n(i));
  }
}

double CompliantSystem::tangential_energy(int i, const VectorXd& y) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  if (f.kind != FrictionKind::elastic) return 0;
  return 0.5 * f.stiffness * y.segment(layout_.s(i), layout_.tangents()).squaredNorm();
}

double CompliantSystem::stored_energy(const VectorXd& y) const {
  double energy = 0;
  for (int i = 0; i < layout_.count; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    energy +=
        painleve::stored_energy(contacts_[k].spring, phases[k].normal, y(layout_.gap(i))) + tangential_energy(i, y);
  }
  return energy;
}

bool CompliantSystem::any_closed() const {
  return std::any_of(phases.begin(), phases.end(), [](const ContactPhase& phase) { return phase.closed(); });
}

std::string CompliantSystem::letter(int i, const VectorXd& y) const {
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const FrictionKind kind = contacts_[static_cast<std::size_t>(i)].friction.kind;
  if (!phase.closed()) return "F";
  if (kind == FrictionKind::none) return "S";
  if (!phase.slip && kind != FrictionKind::held) return "T";
  if (layout_.dimension == 3) return "S";
  return slip_direction(i, y)(0) >= 0 ? "S+" : "S-";
}

std::string CompliantSystem::word(const VectorXd& y) const {
  std::string word;
  for (int i = 0; i < layout_.count; ++i) word += letter(i, y);
  return word;
}

}  // namespace painleve
