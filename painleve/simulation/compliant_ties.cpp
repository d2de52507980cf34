#include "painleve/simulation/compliant_ties.hpp"

#include <algorithm>
#include <cmath>

namespace painleve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Contacts that may be tied, those that have just closed last: who slips or sticks already goes on as before.
std::vector<int> candidates(const CompliantSystem& system, const std::vector<int>& closing) {
  std::vector<int> list;
  for (const bool late : {false, true}) {
    for (int i = 0; i < system.layout().count; ++i) {
      const bool closes = std::find(closing.begin(), closing.end(), i) != closing.end();
      const bool coulomb = system.contacts()[index(i)].friction.kind == FrictionKind::coulomb;
      if (closes == late && coulomb && system.phases[index(i)].closed()) list.push_back(i);
    }
  }
  return list;
}

// ±1 for rows that are equal or opposite, else 0: |J_i ∓ J_j|² in the metric of M⁻¹.
double same_tangent(const MatrixXd& W, int i, int j) {
  // One Newton step undoes the springs up to the square of their deformation, in parts of the size of the body.
  constexpr double same = 1e-10;
  const double size = std::max(W(i, i), W(j, j));
  const double difference = W(i, i) + W(j, j) - 2 * std::abs(W(i, j));
  if (!(size > 0) || !(difference <= same * size)) return 0;
  return W(i, j) < 0 ? -1 : 1;
}

// Contacts that have opened, or whose leader has, move on their own again. Returns those that are still closed.
std::vector<int> release(CompliantSystem& system, const VectorXd& u, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  std::vector<int> released;
  for (int i = 0; i < l.count; ++i) {
    ContactPhase& phase = system.phases[index(i)];
    if (phase.leader < 0 || (phase.closed() && system.phases[index(phase.leader)].closed())) continue;
    phase.leader = -1;
    phase.along = 1;
    if (u.size() > 0) y(l.u(i)) = u(l.dimension * i);
    if (phase.closed()) released.push_back(i);
  }
  return released;
}

}  // namespace

void share_tangents(const std::vector<ContactPhase>& phases, const CompliantLayout& layout, ContactResponse& r) {
  for (std::size_t k = 0; k < phases.size(); ++k) {
    if (phases[k].leader < 0 || phases[k].slip) continue;
    const int i = layout.dimension * static_cast<int>(k);
    const int j = layout.dimension * phases[k].leader;
    const double along = phases[k].along;
    r.W.row(i) = along * r.W.row(j);
    r.W.col(i) = along * r.W.col(j);
    r.b(i) = along * r.b(j);
    r.surface(i) = along * r.surface(j);
    r.force_rates.col(i) = along * r.force_rates.col(j);
  }
}

std::vector<int> update_ties(CompliantSystem& system, double t, const std::vector<int>& closing, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const std::vector<int> closed = candidates(system, closing);
  const bool tied = std::any_of(system.phases.begin(), system.phases.end(),
                                [](const ContactPhase& phase) { return phase.leader >= 0; });
  if (l.dimension != 2 || (!tied && closed.size() < 2)) return {};
  ContactResponse r;
  const double t_model = system.origin + t;
  system.model().evaluate(t_model, y.head(l.slow), r);
  std::vector<int> released = release(system, r.u, y);
  if (closed.size() < 2) return released;
  VectorXd gap = VectorXd::Zero(l.count);
  for (const int i : closed) gap(i) = y(l.gap(i));
  const MatrixXd W = system.model().undeformed_W(t_model, y.head(l.slow), gap, closed);
  for (std::size_t a = 1; a < closed.size(); ++a) {
    ContactPhase& phase = system.phases[index(closed[a])];
    for (std::size_t b = 0; b < a && phase.leader < 0; ++b) {
      if (system.phases[index(closed[b])].leader >= 0) continue;
      const double along = same_tangent(W, l.dimension * closed[a], l.dimension * closed[b]);
      if (along == 0) continue;
      phase.leader = closed[b];
      phase.along = along;
    }
  }
  return released;
}

void follow_leaders(CompliantSystem& system) {
  for (ContactPhase& phase : system.phases) {
    if (phase.leader < 0) continue;
    const ContactPhase& leader = system.phases[index(phase.leader)];
    phase.slip = leader.slip;
    phase.direction = phase.along * leader.direction;
  }
}

void set_tied_velocities(const CompliantSystem& system, double t, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const bool none = std::all_of(system.phases.begin(), system.phases.end(),
                                [](const ContactPhase& phase) { return phase.leader < 0; });
  if (none) return;
  const VectorXd& u = system.forces(t, y).response.u;
  for (int i = 0; i < l.count; ++i) {
    const ContactPhase& phase = system.phases[index(i)];
    if (phase.leader < 0) continue;
    const bool own = phase.slip && u.size() > 0;
    if (own) y(l.u(phase.leader)) = u(l.dimension * phase.leader);
    y(l.u(i)) = own ? u(l.dimension * i) : phase.along * y(l.u(phase.leader));
  }
}

}  // namespace painleve
