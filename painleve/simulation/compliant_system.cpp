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

// x with W x = r. Where W is singular the one that is smallest in proportion to `limits`.
VectorXd shared_solution(const MatrixXd& W, const VectorXd& r, const VectorXd& limits) {
  const Eigen::LLT<MatrixXd> llt(W);
  constexpr double singular = 1e-8;  // of a pivot in its diagonal entry: feet of one body that has hardly turned
  const bool regular = llt.info() == Eigen::Success &&
                       (llt.matrixLLT().diagonal().array().square() > singular * W.diagonal().array()).all();
  if (regular) return llt.solve(r);
  const VectorXd root = limits.cwiseMax(limits.maxCoeff() * singular).cwiseSqrt();
  const MatrixXd scaled = root.asDiagonal() * W * root.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  decomposition.setThreshold(singular);
  decomposition.compute(scaled);
  return root.asDiagonal() * decomposition.solve(VectorXd(root.asDiagonal() * r));
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

Vector2d CompliantSystem::slip_direction(int i, const VectorXd& y) const {
  const Friction& f = contacts_[static_cast<std::size_t>(i)].friction;
  if (f.kind == FrictionKind::held) return f.direction;
  if (f.kind == FrictionKind::coulomb && layout_.dimension == 2) {
    return {phases[static_cast<std::size_t>(i)].direction, 0};
  }
  if (!held_directions_.empty()) return held_directions_[static_cast<std::size_t>(i)];
  const Vector2d along = f.kind == FrictionKind::elastic ? trial(i, y) : tangential_velocity(i, y);
  const double size = along.norm();
  const Vector2d& reference = phases[static_cast<std::size_t>(i)].reference;
  if (!(size > 0)) return reference;
  return along / (along.dot(reference) < 0 ? -size : size);
}

bool CompliantSystem::has_turned(int i, const VectorXd& y) const {
  const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
  const bool coulomb = contacts_[static_cast<std::size_t>(i)].friction.kind == FrictionKind::coulomb;
  if (layout_.dimension < 3 || !coulomb || !phase.closed() || !phase.slip) return false;
  const Vector2d u = tangential_velocity(i, y);
  return u.dot(phase.reference) < 0.5 * u.norm();
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

const VectorXd& CompliantSystem::spring_forces(const VectorXd& y) const {
  VectorXd& lambda = forces_.lambda;
  lambda.setZero();
  for (int i = 0; i < layout_.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    if (!phase.closed()) continue;
    const CompliantContact& contact = contacts_[static_cast<std::size_t>(i)];
    const int n = layout_.dimension * i + layout_.tangents();
    lambda(n) = normal_force(contact.spring, phase.normal, y(layout_.gap(i)), y(layout_.u_n(i))).value;
    if (layout_.dimension == 1) continue;
    const double sign = phase.normal == NormalPhase::pulling ? -1 : 1;
    const Vector2d along = friction_force(i, y, contact.friction.mu * sign * lambda(n));
    for (int k = 0; k < layout_.tangents(); ++k) lambda(layout_.dimension * i + k) = along(k);
  }
  return lambda;
}

std::vector<int> CompliantSystem::group(int i) const {
  if (phases[static_cast<std::size_t>(i)].leader >= 0) return {};
  std::vector<int> members{i};
  for (int j = 0; j < layout_.count; ++j) {
    if (phases[static_cast<std::size_t>(j)].leader == i) members.push_back(j);
  }
  return members;
}

double CompliantSystem::stick_limit(int i) const {
  return contacts_[static_cast<std::size_t>(i)].friction.mu_static *
         std::abs(forces_.lambda(layout_.dimension * i + layout_.tangents()));
}

// The friction found for a group as a whole stands at its leader.
void CompliantSystem::share_friction(int leader) const {
  const std::vector<int> members = group(leader);
  if (members.size() == 1) return;
  const double whole = forces_.lambda(layout_.dimension * leader);
  double limit = 0;
  for (const int i : members) limit += stick_limit(i);
  for (const int i : members) {
    const double part = limit > 0 ? stick_limit(i) / limit : 1 / static_cast<double>(members.size());
    forces_.lambda(layout_.dimension * i) = phases[static_cast<std::size_t>(i)].along * part * whole;
  }
}

// Friction of all sticking contacts together, from W_TT λ_T = −(b + W λ)_T with λ_T = 0 on the right; tied ones count
// as one.
void CompliantSystem::stick_forces() const {
  std::vector<int> rows, leaders;
  std::vector<double> limits;
  for (int i = 0; i < layout_.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    const bool coulomb = contacts_[static_cast<std::size_t>(i)].friction.kind == FrictionKind::coulomb;
    if (!coulomb || !phase.closed() || phase.slip || phase.leader >= 0) continue;
    leaders.push_back(i);
    double limit = 0;
    for (const int j : group(i)) limit += stick_limit(j);
    for (int k = 0; k < layout_.tangents(); ++k) {
      rows.push_back(layout_.dimension * i + k);
      limits.push_back(limit);
    }
  }
  if (rows.empty()) return;
  const ContactResponse& r = forces_.response;
  if (rows.size() == 1) {
    const int k = rows[0];
    forces_.lambda(k) = -(r.b(k) + r.W.row(k).dot(forces_.lambda)) / r.W(k, k);
  } else {
    const VectorXd free = r.b + r.W * forces_.lambda;
    const VectorXd x =
        shared_solution(r.W(rows, rows), -free(rows),
                        Eigen::Map<const VectorXd>(limits.data(), static_cast<Eigen::Index>(limits.size())));
    forces_.lambda(rows) = x;
  }
  for (const int i : leaders) share_friction(i);
}

void CompliantSystem::evaluate(double t, const VectorXd& y) const {
  model_.evaluate(origin + t, y.head(layout_.slow), forces_.response);
  share_tangents(phases, layout_, forces_.response);
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
  if (f.damping > 0) return (trial(i, y).norm() - f.mu * std::abs(forces_.lambda(n))) / f.damping;
  return tangential_velocity(i, y).dot(slip_direction(i, y)) - limit_growth(i, y) / f.stiffness;
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
  rate.segment(l.u(i), l.dimension) = forces_.a.segment(l.dimension * i, l.dimension);
  if (!phase.closed()) return;
  const auto force = forces_.lambda.segment(l.dimension * i, l.dimension);
  double friction = -force.head(l.tangents()).dot(y.segment(l.u(i), l.tangents()));
  if (contact.friction.kind == FrictionKind::elastic) {
    const Vector2d s_rate = deflection_rate(i, y);
    for (int k = 0; k < l.tangents(); ++k) {
      rate(l.s(i) + k) = s_rate(k);
      friction -= contact.friction.stiffness * y(l.s(i) + k) * s_rate(k);
    }
  }
  if (!l.ledger) return;
  rate(l.friction()) += friction;
  rate(l.dashpot()) -= (force(l.tangents()) - spring_force(contact.spring, phase.normal, y(l.gap(i)))) * u_n;
}

// All of y' for the response that has been evaluated.
void CompliantSystem::finish_rates(const VectorXd& y, VectorXd& rate) const {
  const CompliantLayout& l = layout_;
  const ContactResponse& r = forces_.response;
  spring_forces(y);
  stick_forces();
  forces_.a = r.b;
  forces_.a.noalias() += r.W * forces_.lambda;
  rate.setZero(l.size());
  rate.head(l.slow) = r.free_rates;
  rate.head(l.slow).noalias() += r.force_rates * forces_.lambda;
  for (int i = 0; i < l.count; ++i) {
    const ContactPhase& phase = phases[static_cast<std::size_t>(i)];
    const bool coulomb = contacts_[static_cast<std::size_t>(i)].friction.kind == FrictionKind::coulomb;
    if (phase.closed() && !phase.slip && coulomb) forces_.a.segment(l.dimension * i, l.tangents()).setZero();
    contact_rates(i, y, rate);
  }
  if (!l.ledger) return;
  rate.segment(l.impulse(), l.rows()) = forces_.lambda;
  rate(l.applied()) = r.power + r.surface.dot(forces_.lambda);
  if (r.thrust.size() > 0) rate(l.applied()) += r.thrust.dot(y.segment(l.u(0), l.rows()));
}

void CompliantSystem::rates(double t, const VectorXd& y, VectorXd& rate) const {
  evaluate(t, y);
  finish_rates(y, rate);
}

// Forward differences over the contacts' unknowns, for the response that has been evaluated.
void CompliantSystem::differences(const VectorXd& y, const VectorXd& rate, const VectorXd& scale, MatrixXd& J) const {
  constexpr double part = 0x1p-26;
  point_ = y;
  VectorXd sizes = y.cwiseAbs().cwiseMax(scale);
  for (int i = 0; i < layout_.count && layout_.dimension == 3; ++i) {
    // Slip in space that has just begun turns with the smallest velocity across it.
    const double speed = tangential_velocity(i, y).norm();
    if (phases[static_cast<std::size_t>(i)].slip && speed > 0) sizes.segment(layout_.u(i), 2).setConstant(speed);
  }
  for (int j = layout_.slow; j < layout_.impulse(); ++j) {
    const double size = sizes(j);
    point_(j) = y(j) + (size > 0 ? part * size : part);
    finish_rates(point_, changed_);
    J.col(j) = (changed_ - rate) / (point_(j) - y(j));
    point_(j) = y(j);
  }
}

// The slow model is evaluated once for all contacts' unknowns, and nothing depends on the ledger.
void CompliantSystem::jacobian(double t, const VectorXd& y, const VectorXd& rate, const VectorXd& scale,
                               MatrixXd& J) const {
  constexpr double part = 0x1p-26;
  J.setZero();
  evaluate(t, y);
  differences(y, rate, scale, J);
  point_ = y;
  for (int j = 0; j < layout_.slow; ++j) {
    const double size = std::max(std::abs(y(j)), scale(j));
    point_(j) = y(j) + (size > 0 ? part * size : part);
    rates(t, point_, changed_);
    J.col(j) = (changed_ - rate) / (point_(j) - y(j));
    point_(j) = y(j);
  }
}

void CompliantSystem::fast_jacobian(double t, const VectorXd& y, const VectorXd& scale, MatrixXd& J) const {
  VectorXd rate(layout_.size());
  MatrixXd all = MatrixXd::Zero(layout_.size(), layout_.size());
  std::vector<Vector2d> directions;
  for (int i = 0; i < layout_.count; ++i) directions.push_back(slip_direction(i, y));
  held_directions_ = directions;
  rates(t, y, rate);
  differences(y, rate, scale, all);
  held_directions_.clear();
  J = all.block(layout_.slow, layout_.slow, layout_.fast(), layout_.fast());
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
