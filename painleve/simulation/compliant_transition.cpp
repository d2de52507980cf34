#include "painleve/simulation/compliant_transition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "painleve/simulation/compliant_rest.hpp"
#include "painleve/simulation/compliant_ties.hpp"

namespace painleve {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Which contacts are to be asked whether they stick.
struct Resting {
  explicit Resting(int count) : asked(index(count)), loose(index(count)) {}
  std::vector<char> asked;
  std::vector<char> loose;  // has just left the cone: it slips, whatever rounding says
};

// A contact that closes with the velocity u_n is struck by a force of this size, and one that lies there carries what
// presses it on; more than that is its own doing.
double landing_force(const CompliantSystem& system, const TransitionRules& rules, int i, double t, const VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const NormalSpring& spring = system.contacts()[index(i)].spring;
  const double force = normal_force(spring, system.phases[index(i)].normal, y(l.gap(i)), y(l.u_n(i))).value;
  if (rules.divergence == Divergence::force) return std::max(rules.force_scale, force);
  const int n = l.dimension * i + l.tangents();
  const ContactResponse& response = system.forces(t, y).response;
  const double w = response.W(n, n);
  return std::max({force, collision_force(spring, y(l.u_n(i)), w), std::abs(response.b(n)) / w});
}

void set_direction(CompliantSystem& system, int i, const VectorXd& y) {
  ContactPhase& phase = system.phases[index(i)];
  Vector2d along = system.slip_vector(i, y);
  if (along.norm() == 0) along = system.tangential_velocity(i, y);  // where the deflection will grow
  if (system.layout().dimension == 2) phase.direction = along(0) < 0 ? -1 : 1;
  if (system.contacts()[index(i)].friction.kind == FrictionKind::elastic) phase.reference = along.normalized();
}

bool is_undamped_elastic(const Friction& f) { return f.kind == FrictionKind::elastic && f.damping == 0; }

// Slip of elastic friction without a damper keeps the deflection on the cone, where static friction and rounding have
// not left it. Returns what the spring loses.
double put_on_cone(const CompliantSystem& system, int i, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const Friction& f = system.contacts()[index(i)].friction;
  const double before = system.tangential_energy(i, y);
  const double limit = f.mu * std::abs(system.spring_forces(y)(l.dimension * i + l.tangents()));
  y.segment(l.s(i), l.tangents()) = limit / f.stiffness * system.slip_direction(i, y).head(l.tangents());
  return before - system.tangential_energy(i, y);
}

// From stick to slip of friction that is not exact, or back. Returns what the tangential spring loses.
double change_slip(CompliantSystem& system, int i, VectorXd& y) {
  ContactPhase& phase = system.phases[index(i)];
  phase.slip = !phase.slip;
  set_direction(system, i, y);
  return phase.slip && is_undamped_elastic(system.contacts()[index(i)].friction) ? put_on_cone(system, i, y) : 0;
}

// λ_n of a bilateral contact changes its sign: without a tangential damper its friction and deflection are 0 there, and
// slip begins anew along u_t if that outruns the deflection that friction can hold from here on. Returns what the
// tangential spring loses.
double begin_unloaded(CompliantSystem& system, int i, double t, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const double lost = system.tangential_energy(i, y);
  y.segment(l.s(i), l.tangents()).setZero();
  ContactPhase& phase = system.phases[index(i)];
  phase.slip = true;
  set_direction(system, i, y);
  system.forces(t, y);
  phase.slip = system.plastic_rate(i, y) > 0;
  return lost;
}

// Slip of elastic friction without a damper is over where an event of another kind, or of another contact, has turned
// its rate: forces of dampers jump, and with them the rate of λ_n.
void end_turned_slip(CompliantSystem& system, const std::vector<int>& which, double t, const VectorXd& y) {
  const auto slip_event = [](int i) { return i * CompliantEvents::kinds + CompliantEvents::slip; };
  for (int i = 0; i < system.layout().count; ++i) {
    ContactPhase& phase = system.phases[index(i)];
    if (!phase.closed() || !phase.slip || !is_undamped_elastic(system.contacts()[index(i)].friction)) continue;
    if (std::find(which.begin(), which.end(), slip_event(i)) != which.end()) continue;
    system.forces(t, y);
    if (system.plastic_rate(i, y) < 0) phase.slip = false;
  }
}

// Exact Coulomb friction of a contact that begins with the velocity it has.
void begin_coulomb(CompliantSystem& system, const TransitionRules& rules, int i, const VectorXd& y, Resting& resting) {
  ContactPhase& phase = system.phases[index(i)];
  phase.slip = system.tangential_velocity(i, y).norm() > rules.rest;
  if (!phase.slip) resting.asked[index(i)] = 1;
  set_direction(system, i, y);
  if (phase.slip) phase.reference = system.tangential_velocity(i, y).normalized();
}

// Slip or stick of a contact that has just closed, and the force above which it counts as diverging.
void close(CompliantSystem& system, const TransitionRules& rules, int i, double t, VectorXd& y, Resting& resting) {
  const CompliantLayout& l = system.layout();
  const Friction& f = system.contacts()[index(i)].friction;
  ContactPhase& phase = system.phases[index(i)];
  constexpr double diverges = 1e6;
  const double landing = landing_force(system, rules, i, t, y);
  phase.diverged = rules.divergence == Divergence::force
                       ? diverges * landing
                       : std::max(kOutgrows * landing, std::numeric_limits<double>::min());
  const double speed = system.tangential_velocity(i, y).norm();
  const double force = std::abs(system.spring_forces(y)(l.dimension * i + l.tangents()));
  switch (f.kind) {
    case FrictionKind::coulomb:
      begin_coulomb(system, rules, i, y, resting);
      break;
    case FrictionKind::viscous:
      phase.slip = f.damping * speed > f.mu * force;
      set_direction(system, i, y);
      break;
    case FrictionKind::smoothed:
      phase.slip = speed > f.smoothing;
      break;
    case FrictionKind::elastic:
      phase.slip = system.trial(i, y).norm() > f.mu_static * force;
      set_direction(system, i, y);
      break;
    case FrictionKind::none:
    case FrictionKind::held:
      phase.slip = true;
      break;
  }
}

Released open(CompliantSystem& system, int i, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  ContactPhase& phase = system.phases[index(i)];
  const Released released{stored_energy(system.contacts()[index(i)].spring, phase.normal, y(l.gap(i))),
                          system.tangential_energy(i, y)};
  const int leader = phase.leader;
  phase = ContactPhase{};
  phase.leader = leader;  // until update_ties() has given it its own velocity back
  if (l.elastic) y.segment(l.s(i), l.tangents()).setZero();
  return released;
}

void begin_slip(CompliantSystem& system, const TransitionRules& rules, int i, const Vector2d& direction, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  ContactPhase& phase = system.phases[index(i)];
  phase.slip = true;
  if (l.dimension == 2) {
    phase.direction = direction(0) < 0 ? -1 : 1;
    y(l.u(i)) = 0;
  } else {
    phase.reference = direction;
    y.segment(l.u(i), 2) = rules.start * direction;
  }
}

// The contacts that are asked, with their tangential rows. Tied ones count as one.
struct Asked {
  std::vector<int> contacts, rows;
};

// Puts the asked contacts to rest.
Asked at_rest(CompliantSystem& system, const Resting& resting, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  Asked asked;
  for (int i = 0; i < l.count; ++i) {
    if (!resting.asked[index(i)]) continue;
    system.phases[index(i)].slip = false;
    y.segment(l.u(i), l.tangents()).setZero();
    if (system.phases[index(i)].leader >= 0) continue;
    asked.contacts.push_back(i);
    for (int k = 0; k < l.tangents(); ++k) asked.rows.push_back(l.dimension * i + k);
  }
  return asked;
}

VectorXd limits(const CompliantSystem& system, const std::vector<int>& leaders) {
  VectorXd limit = VectorXd::Zero(static_cast<Eigen::Index>(leaders.size()));
  for (std::size_t k = 0; k < leaders.size(); ++k) {
    for (const int i : system.group(leaders[k])) limit(static_cast<Eigen::Index>(k)) += system.stick_limit(i);
  }
  return limit;
}

bool all_hold(const CompliantSystem& system, const Asked& asked, const Resting& resting, const VectorXd& limit,
              const VectorXd& lambda) {
  const CompliantLayout& l = system.layout();
  for (std::size_t k = 0; k < asked.contacts.size(); ++k) {
    const int i = asked.contacts[k];
    double friction = 0;
    for (const int j : system.group(i)) friction += lambda.segment(l.dimension * j, l.tangents()).norm();
    if (resting.loose[index(i)] || !(friction <= limit(static_cast<Eigen::Index>(k)))) return false;
  }
  return true;
}

// What friction of the asked contacts holds at one state, and what accelerates them without it and with it, stacked
// like their rows.
struct Balance {
  VectorXd limit, friction, free, a;
  double load = 0;    // the largest acceleration without any contact force
  bool holds = true;  // with the forces that stick takes there
};
Balance balance(const CompliantSystem& system, const Asked& asked, const Resting& resting, double t,
                const VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const CompliantSystem::Forces& forces = system.forces(t, y);
  Balance at;
  at.limit = limits(system, asked.contacts);
  at.holds = all_hold(system, asked, resting, at.limit, forces.lambda);
  VectorXd lambda = forces.lambda;
  for (const int leader : asked.contacts) {
    for (const int i : system.group(leader)) lambda.segment(l.dimension * i, l.tangents()).setZero();
  }
  at.free = (forces.response.b + forces.response.W * lambda)(asked.rows);
  const Eigen::MatrixXd W = forces.response.W(asked.rows, asked.rows);
  at.friction = rest_friction(W, at.free, at.limit, l.tangents());
  at.a = W * at.friction + at.free;
  at.load = forces.response.b.cwiseAbs().maxCoeff();
  return at;
}

// The way in which the contact at place k begins to slip; nothing where it holds, or where rounding would choose.
std::optional<Vector2d> slip_way(const Balance& at, std::size_t k, bool loose, int width) {
  const Eigen::Index row = static_cast<Eigen::Index>(k) * width;
  const auto force = at.friction.segment(row, width);
  constexpr double on_the_cone = 1 - 1e-12;
  if (force.norm() < on_the_cone * at.limit(static_cast<Eigen::Index>(k)) && !loose) return std::nullopt;
  Vector2d along = Vector2d::Zero();
  along.head(width) = force.norm() > 0 ? VectorXd(-force) : VectorXd(at.a.segment(row, width));
  // Rounding of what accelerates the contacts is no reason to slip one way or the other.
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  if (along.norm() <= (force.norm() > 0 ? 0 : rounding * at.load)) return std::nullopt;
  return along.normalized();
}

// Whether friction leaves the contact at place k an acceleration against it: several contacts of one body may be at
// the edges of their cones and yet hold it. One that carries nothing holds nothing.
bool gives_way(const Balance& at, std::size_t k, int width) {
  if (at.limit(static_cast<Eigen::Index>(k)) == 0) return true;
  const Eigen::Index row = static_cast<Eigen::Index>(k) * width;
  const auto friction = at.friction.segment(row, width);
  const auto a = at.a.segment(row, width);
  const auto free = at.free.segment(row, width);
  constexpr double rounding = 1e-9;  // of the iteration that finds the friction
  return -friction.dot(a) > rounding * friction.norm() * (free.norm() + (a - free).norm());
}

// Much less than what springs and dampers of closed contacts take to change their forces; 0 without any.
double a_moment(const CompliantSystem& system, const CompliantSystem::Forces& forces) {
  const CompliantLayout& l = system.layout();
  double fastest = 0;
  for (int i = 0; i < l.count; ++i) {
    if (!system.phases[index(i)].closed()) continue;
    const NormalSpring& spring = system.contacts()[index(i)].spring;
    const int n = l.dimension * i + l.tangents();
    const double w = forces.response.W(n, n);
    fastest = std::max(fastest, std::sqrt(spring.stiffness * w));
    if (has_linear_force(spring)) fastest = std::max(fastest, spring.damping * w);
  }
  constexpr double part = 1e-3;
  return fastest > 0 ? part / fastest : 0;
}

// A contact that carries nothing yet, and that nothing pushes along, is decided by the forces that come up in the next
// moment.
Balance next_balance(const CompliantSystem& system, const Asked& asked, const Resting& resting, double t,
                     const VectorXd& y) {
  const double dt = a_moment(system, system.forces(t, y));
  VectorXd later = y, rate(y.size());
  for (int step = 0; step < 2; ++step) {  // forces without a damper come up with the second one
    system.rates(t + step * dt, later, rate);
    later += dt * rate;
  }
  return balance(system, asked, resting, t + 2 * dt, later);
}

// One pass: all contacts that are asked hold as well as they can; returns whether one of them began to slip.
bool settle(CompliantSystem& system, const TransitionRules& rules, double t, Resting& resting, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  const Asked asked = at_rest(system, resting, y);
  if (asked.contacts.empty()) return false;
  const VectorXd limit = limits(system, asked.contacts);
  const bool holds = all_hold(system, asked, resting, limit, system.forces(t, y).lambda);
  if (holds && limit.minCoeff() > 0) return false;
  const Balance now = balance(system, asked, resting, t, y);
  std::optional<Balance> next;
  bool slipped = false;
  for (std::size_t k = 0; k < asked.contacts.size(); ++k) {
    const int i = asked.contacts[k];
    std::optional<Vector2d> way;
    if (!holds) way = slip_way(now, k, resting.loose[index(i)], l.tangents());
    if (!way && limit(static_cast<Eigen::Index>(k)) == 0) {
      if (!next) next = next_balance(system, asked, resting, t, y);
      if (!next->holds && gives_way(*next, k, l.tangents())) way = slip_way(*next, k, false, l.tangents());
    }
    if (!way) continue;
    for (const int j : system.group(i)) {
      begin_slip(system, rules, j, system.phases[index(j)].along * *way, y);
      resting.asked[index(j)] = 0;
    }
    slipped = true;
  }
  return slipped;
}

// Feet of one rigid body in space come to rest together: with one contact at rest, all those count as resting whose
// slip is below `rest`.
void ask_slow(const CompliantSystem& system, const TransitionRules& rules, Resting& resting, const VectorXd& y) {
  if (std::find(resting.asked.begin(), resting.asked.end(), 1) == resting.asked.end()) return;
  for (int i = 0; i < system.layout().count; ++i) {
    const bool coulomb = system.contacts()[index(i)].friction.kind == FrictionKind::coulomb;
    if (!system.phases[index(i)].closed() || !coulomb) continue;
    if (system.tangential_velocity(i, y).norm() <= rules.rest) resting.asked[index(i)] = 1;
  }
}

// Tied contacts are asked with their leader or not at all.
void ask_with_leaders(const CompliantSystem& system, Resting& resting) {
  for (std::size_t i = 0; i < system.phases.size(); ++i) {
    const int leader = system.phases[i].leader;
    if (leader < 0) continue;
    resting.asked[i] = resting.asked[index(leader)];
    resting.loose[i] = resting.loose[index(leader)];
  }
}

// Where static friction is larger than kinetic, a contact that slips carries less than it did: the others are asked
// again.
void settle_all(CompliantSystem& system, const TransitionRules& rules, double t, Resting& resting, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  for (int i = 0; i < l.count; ++i) {
    const ContactPhase& phase = system.phases[index(i)];
    const bool sticks = system.contacts()[index(i)].friction.kind == FrictionKind::coulomb && !phase.slip;
    if (phase.closed() && sticks) resting.asked[index(i)] = 1;
  }
  ask_slow(system, rules, resting, y);
  ask_with_leaders(system, resting);
  for (int pass = 0; pass <= l.count; ++pass) {
    if (!settle(system, rules, t, resting, y)) return;
  }
}

}  // namespace

bool turns_in_space(const CompliantSystem& system, const TransitionRules& rules, int i, const VectorXd& y) {
  const bool coulomb = system.contacts()[index(i)].friction.kind == FrictionKind::coulomb;
  return system.layout().dimension == 3 && coulomb && system.phases[index(i)].slip &&
         system.tangential_velocity(i, y).norm() > std::max(rules.rest, rules.accuracy);
}

void begin_phases(CompliantSystem& system, const TransitionRules& rules, double t, VectorXd& y) {
  const CompliantLayout& l = system.layout();
  std::fill(system.phases.begin(), system.phases.end(), ContactPhase{});
  const VectorXd free = system.forces(t, y).a;
  Resting resting(l.count);
  for (int i = 0; i < l.count; ++i) {
    system.phases[index(i)].normal = normal_phase(system.contacts()[index(i)].spring, y(l.gap(i)), y(l.u_n(i)),
                                                  free(l.dimension * i + l.tangents()));
  }
  for (int i = 0; i < l.count; ++i) {
    if (system.phases[index(i)].closed()) close(system, rules, i, t, y, resting);
  }
  update_ties(system, t, {}, y);
  follow_leaders(system);
  settle_all(system, rules, t, resting, y);
  set_tied_velocities(system, t, y);
}

Released apply_events(CompliantSystem& system, const TransitionRules& rules, double t, const std::vector<int>& which,
                      VectorXd& y) {
  const CompliantLayout& l = system.layout();
  Released released;
  Resting resting(l.count);
  std::vector<int> closing, unloaded;
  for (const int event : which) {
    const int i = event / CompliantEvents::kinds;
    ContactPhase& phase = system.phases[index(i)];
    const NormalSpring& spring = system.contacts()[index(i)].spring;
    switch (event % CompliantEvents::kinds) {
      case 0:
        if (spring.bilateral) {
          phase.normal = phase.normal == NormalPhase::pulling ? NormalPhase::pressing : NormalPhase::pulling;
          if (is_undamped_elastic(system.contacts()[index(i)].friction)) unloaded.push_back(i);
        } else if (phase.closed()) {
          const Released here = open(system, i, y);
          released.normal += here.normal;
          released.tangential += here.tangential;
        } else {
          phase.normal = NormalPhase::pressing;
          closing.push_back(i);
        }
        break;
      case 1:
        if (!phase.closed()) break;
        phase.normal = phase.normal == NormalPhase::relaxing ? NormalPhase::pressing : NormalPhase::relaxing;
        break;
      case CompliantEvents::slip:
        if (!phase.closed()) break;
        if (turns_in_space(system, rules, i, y)) {
          phase.reference = system.tangential_velocity(i, y).normalized();
        } else if (system.contacts()[index(i)].friction.kind == FrictionKind::coulomb) {
          resting.asked[index(i)] = 1;
          resting.loose[index(i)] = phase.slip ? 0 : 1;
        } else {
          released.tangential += change_slip(system, i, y);
        }
        break;
      default:
        phase.diverged = 0;
    }
  }
  for (const int i : update_ties(system, t, closing, y)) begin_coulomb(system, rules, i, y, resting);
  for (const int i : closing) {
    close(system, rules, i, t, y, resting);
    released.normal -= stored_energy(system.contacts()[index(i)].spring, NormalPhase::pressing, y(l.gap(i)));
  }
  follow_leaders(system);
  settle_all(system, rules, t, resting, y);
  set_tied_velocities(system, t, y);
  end_turned_slip(system, which, t, y);
  for (const int i : unloaded) released.tangential += begin_unloaded(system, i, t, y);
  return released;
}

}  // namespace painleve
