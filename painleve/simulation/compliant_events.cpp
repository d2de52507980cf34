#include <algorithm>
#include <cmath>

#include "painleve/simulation/compliant_system.hpp"

namespace painleve {

using Eigen::Vector2d;
using Eigen::VectorXd;

// For the forces of the springs.
bool CompliantEvents::needs_response(const VectorXd& lambda) const {
  const CompliantLayout& l = system_.layout();
  for (int i = 0; i < l.count; ++i) {
    const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
    const CompliantContact& contact = system_.contacts()[static_cast<std::size_t>(i)];
    const Friction& f = contact.friction;
    if (!phase.closed()) continue;
    if (!phase.slip && f.kind == FrictionKind::coulomb) return true;
    if (phase.slip && f.kind == FrictionKind::elastic && f.damping == 0) return true;
    const bool grows = phase.slip && divergence_ == Divergence::growth && phase.diverged > 0;
    if (grows && lambda(l.dimension * i + l.tangents()) >= phase.diverged) return true;
  }
  return false;
}

void CompliantEvents::values(double t, const VectorXd& y, VectorXd& g) const {
  const CompliantLayout& l = system_.layout();
  if (needs_response(system_.spring_forces(y))) system_.forces(t, y);
  const CompliantSystem::Forces& forces = system_.current();
  for (int i = 0; i < l.count; ++i) {
    const NormalSpring& spring = system_.contacts()[static_cast<std::size_t>(i)].spring;
    const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
    g(kinds * i) = normal_event(spring, phase.normal, y(l.gap(i)), y(l.u_n(i)));
    g(kinds * i + 1) = phase.muted ? 1 : damper_event(spring, phase.normal, y(l.u_n(i)), lost_speed(i, forces));
    g(kinds * i + slip) = slip_event(i, y, forces.lambda);
    g(kinds * i + 3) = divergence_event(i, y, forces);
  }
  // Finite where a trial state cannot be put together.
  if (limited_) g(joint_limit()) = std::max(system_.model().room(system_.origin + t, y.head(l.slow)), -1.0);
}

// Up to which the force of the damper is lost in the errors of what accelerates the contact [m/s]. Where a contact
// comes to rest, these errors alone turn its velocity, now one way and now the other. For an error W and b of the point
// that was evaluated last will do: they hardly change within a step.
double CompliantEvents::lost_speed(int i, const CompliantSystem::Forces& forces) const {
  const CompliantLayout& l = system_.layout();
  const NormalSpring& spring = system_.contacts()[static_cast<std::size_t>(i)].spring;
  const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
  if (phase.normal != NormalPhase::pressing || !has_switched_damper(spring)) return 0;
  const ContactResponse& r = forces.response;
  const int n = l.dimension * i + l.tangents();
  double summands = std::abs(r.b(n));
  for (int k = 0; k < l.rows(); ++k) summands += std::abs(r.W(n, k) * forces.lambda(k));
  const double speed = accuracy_ * summands / (r.W(n, n) * spring.damping);
  return std::isfinite(speed) ? speed : 0;
}

// What a contact, with those tied to it, could hold beyond what it holds.
double CompliantEvents::stick_reserve(int i, const VectorXd& lambda) const {
  const CompliantLayout& l = system_.layout();
  double reserve = 0;
  system_.for_group(
      i, [&](int j) { reserve += system_.stick_limit(j) - lambda.segment(l.dimension * j, l.tangents()).norm(); });
  return reserve;
}

double CompliantEvents::slip_event(int i, const VectorXd& y, const VectorXd& lambda) const {
  const CompliantLayout& l = system_.layout();
  const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
  const Friction& f = system_.contacts()[static_cast<std::size_t>(i)].friction;
  if (!phase.closed() || phase.muted || phase.leader >= 0) return 1;
  const int first = l.dimension * i;
  const double force = std::abs(lambda(first + l.tangents()));
  const double sign = phase.slip ? 1 : -1;
  switch (f.kind) {
    case FrictionKind::coulomb:
      if (!phase.slip) return stick_reserve(i, lambda);
      if (l.dimension == 2) return phase.direction * y(l.u(i));
      return system_.tangential_velocity(i, y).dot(phase.reference);
    case FrictionKind::viscous:
      // Slip that has turned is beyond its end, and the function goes on falling there.
      if (phase.slip && l.dimension == 2) return f.damping * phase.direction * y(l.u(i)) - f.mu * force;
      return sign * (f.damping * system_.tangential_velocity(i, y).norm() - f.mu * force);
    case FrictionKind::smoothed:
      return sign * (system_.tangential_velocity(i, y).norm() - f.smoothing);
    case FrictionKind::elastic:
      if (!phase.slip) return f.mu_static * force - system_.trial(i, y).norm();
      return system_.plastic_rate(i, y);
    case FrictionKind::none:
    case FrictionKind::held:
      break;
  }
  return 1;
}

// Whether the force of a slipping contact has outgrown what it began with.
bool CompliantEvents::outgrown(int i, const VectorXd& lambda) const {
  const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
  const int n = system_.layout().dimension * i + system_.layout().tangents();
  return phase.closed() && phase.slip && phase.diverged > 0 && lambda(n) >= phase.diverged;
}

// What the forces do to the normal acceleration of one contact.
CompliantEvents::Pushes CompliantEvents::pushes(int i, const VectorXd& y, const CompliantSystem::Forces& forces) const {
  const CompliantLayout& l = system_.layout();
  const ContactResponse& r = forces.response;
  const int n = l.dimension * i + l.tangents();
  const Vector2d e = system_.slip_direction(i, y);
  double p = r.W(n, n);
  for (int k = 0; k < l.tangents(); ++k)
    p -= system_.contacts()[static_cast<std::size_t>(i)].friction.mu * r.W(n, l.dimension * i + k) * e(k);
  Pushes pushes;
  pushes.own = p * forces.lambda(n);
  pushes.other = std::abs(r.b(n));
  for (int j = 0; j < l.count; ++j) {
    if (j == i) continue;
    const auto rows = Eigen::seqN(l.dimension * j, l.dimension);
    const double push = r.W(n, rows).dot(forces.lambda(rows));
    if (outgrown(j, forces.lambda)) {
      pushes.joint += push;
      pushes.joint_size += std::abs(push);
    } else {
      pushes.other += std::abs(push);
    }
  }
  return pushes;
}

// A force that presses its contact in against all else that accelerates it, each force by itself, as they may cancel
// for a moment; or several that have outgrown their beginnings and together press in every one of their contacts. Five
// times as much as all else, and it cannot turn back any more.
double CompliantEvents::divergence_event(int i, const VectorXd& y, const CompliantSystem::Forces& forces) const {
  const CompliantLayout& l = system_.layout();
  const ContactPhase& phase = system_.phases[static_cast<std::size_t>(i)];
  if (!phase.closed() || !(phase.diverged > 0)) return 1;
  const double room = phase.diverged - forces.lambda(l.dimension * i + l.tangents());
  if (divergence_ == Divergence::force) return room;
  if (!phase.slip) return 1;
  if (room > 0) return room;
  constexpr double outweighs = 5;
  const Pushes mine = pushes(i, y, forces);
  const double alone = outweighs * (mine.other + mine.joint_size) + std::min(mine.own, 0.0);
  if (mine.joint_size == 0) return alone;
  double together = outweighs * mine.other + mine.own + mine.joint;
  for (int j = 0; j < l.count; ++j) {
    if (j == i || !outgrown(j, forces.lambda)) continue;
    const Pushes theirs = pushes(j, y, forces);
    together = std::max(together, outweighs * theirs.other + theirs.own + theirs.joint);
  }
  return std::min(alone, together);
}

}  // namespace painleve
