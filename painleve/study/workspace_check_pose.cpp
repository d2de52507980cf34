// One pose of a workspace: taken, moved onto the surfaces, measured.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/cone/friction_cone.hpp"
#include "painleve/mechanism/posture.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/study/detail/workspace_parts.hpp"

namespace painleve::detail {
namespace {

constexpr double closed_gap = 1e-12;   // [m] of a contact that touches: rounding of places of order 1
constexpr double beyond_limit = 1e-9;  // [rad, m] as far a joint may be beyond a limit, also one that follows others
constexpr double at_end = 1e-12;       // part of a range by which a joint may be beyond its end, by rounding

bool wide(const WorkspaceJoint& joint) { return joint.known && joint.from < joint.to; }

// Closed contacts that are somewhere off their surface, although it is laid for the pose.
std::vector<bool> still_surfaces(const Workspace& problem) {
  const PoseProbe probe(problem);
  std::vector<bool> still(problem.scene.laws.size(), false);
  constexpr int poses = 8;
  for (int n = 0; n < poses; ++n) {
    try {
      const Eigen::VectorXd gap = probe.gaps(drawn_pose(problem, n));
      for (std::size_t i = 0; i < still.size(); ++i)
        still[i] = still[i] || std::abs(gap(static_cast<Eigen::Index>(i))) > closed_gap;
    } catch (const InputError&) {  // no such pose: another one tells
    }
  }
  return still;
}

// Whether a joint changes mu_jam or a gap, at poses as they are drawn: on the surfaces it could not be moved alone.
bool has_effect(const Workspace& problem, PoseProbe& probe, std::size_t k) {
  const auto& joint = problem.joints[k];
  const double by = joint.known ? 0.17 * (joint.to - joint.from) : 0.17;  // no part of a turn that symmetry knows
  const auto same = [](double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(a, b); };
  constexpr int poses = 24;
  for (int n = 0; n < poses; ++n) {
    Eigen::VectorXd q = drawn_pose(problem, n);
    const auto before = probe.as_it_is(q);
    if (!before.exists) continue;
    const Eigen::VectorXd gap = probe.gaps(q);
    q(static_cast<Eigen::Index>(k)) += by;
    const auto after = probe.as_it_is(q);
    if (!after.exists) continue;
    if (!same(before.mu_jam, after.mu_jam) || (probe.gaps(q) - gap).cwiseAbs().maxCoeff() > 1e-9 * by) return true;
  }
  return false;
}

}  // namespace

Eigen::VectorXd home_pose(const Workspace& problem) {
  Eigen::VectorXd q = problem.scene.posed.state.q;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const auto& joint = problem.joints[k];
    auto& at = q(static_cast<Eigen::Index>(k));
    if (joint.known && joint.bounded) at = std::clamp(at, joint.from, joint.to);
  }
  return q;
}

Workspace::Workspace(const WorkspaceProblem& problem) : WorkspaceProblem(problem), fixed(problem.joints.size(), false) {
  still = still_surfaces(*this);
  PoseProbe probe(*this);
  std::vector<bool> takes_no_part(joints.size(), false);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    takes_no_part[k] = joints[k].known && joints[k].from == joints[k].to;
    if (takes_no_part[k] || has_effect(*this, probe, k)) continue;
    takes_no_part[k] = true;
    independent.push_back(joints[k].name);
  }
  fixed = std::move(takes_no_part);
}

PoseProbe::PoseProbe(const Workspace& problem) : problem_(problem), setup_(problem.scene.setup) {
  setup_.given = {};
  setup_.slip.clear();
  const Scene& scene = problem.scene;
  for (std::size_t i = 0; i < scene.laws.size(); ++i)
    surfaces_.push_back({scene.laws[i].mu, scene.posed.contacts[i].bilateral});
}

std::shared_ptr<const Mechanism> PoseProbe::mechanism(const Eigen::VectorXd& q) const {
  return problem_.scene.entry->make(setup_, q);
}

// Nothing is to be solved for: closed contacts touch, and no open one penetrates.
bool PoseProbe::touches(const Mechanism& mechanism, const State& state) const {
  const Eigen::VectorXd gap = mechanism.dynamics(state).gap;
  for (Eigen::Index i = 0; i < gap.size(); ++i) {
    const bool closed = problem_.scene.posed.contacts[static_cast<std::size_t>(i)].closed;
    if (closed ? std::abs(gap(i)) > closed_gap : gap(i) < 0) return false;
  }
  return true;
}

// Joints beyond the end of their range are put there and held; whether there were none.
bool PoseProbe::inside(Eigen::VectorXd& q, std::vector<bool>& held) const {
  bool all = true;
  for (std::size_t k = 0; k < held.size(); ++k) {
    const auto& joint = problem_.joints[k];
    double& at = q(static_cast<Eigen::Index>(k));
    if (!joint.known || !joint.bounded || held[k]) continue;
    const double slack = at_end * (joint.to - joint.from);
    const bool beyond = at < joint.from - slack || at > joint.to + slack;
    at = std::clamp(at, joint.from, joint.to);
    if (!beyond) continue;
    held[k] = true;
    all = false;
  }
  return all;
}

PoseProbe::Value PoseProbe::measured(const Mechanism& mechanism, const State& state) const {
  Value value;
  value.q = state.q;
  value.exists = true;
  const ContactSpace space = contact_space(mechanism, state, surfaces_);
  const FrictionCone cone = friction_cone(space, problem_.contact);
  if (cone.mu_jam) value.mu_jam = *cone.mu_jam;
  if (cone.e_jam) value.e_jam = *cone.e_jam;
  value.locking_angle = cone.locking_angle;
  const Dynamics d = mechanism.dynamics(state);
  value.normal = d.J.row(space.normal(problem_.contact));
  std::vector<Eigen::Index> rows;
  for (std::size_t i = 0; i < problem_.still.size(); ++i)
    if (problem_.still[i]) rows.push_back(space.normal(static_cast<int>(i)));
  value.normals.resize(static_cast<Eigen::Index>(rows.size()), d.J.cols());
  for (std::size_t r = 0; r < rows.size(); ++r) value.normals.row(static_cast<Eigen::Index>(r)) = d.J.row(rows[r]);
  return value;
}

PoseProbe::Value PoseProbe::as_it_is(const Eigen::VectorXd& q) {
  try {
    return measured(*mechanism(q), {q, Eigen::VectorXd::Zero(q.size()), setup_.t});
  } catch (const InputError& error) {
    reason_ = error.what();
    return {};
  }
}

Eigen::VectorXd PoseProbe::gaps(const Eigen::VectorXd& q) const {
  Eigen::VectorXd gap = mechanism(q)->dynamics({q, Eigen::VectorXd::Zero(q.size()), setup_.t}).gap;
  for (Eigen::Index i = 0; i < gap.size(); ++i)
    if (!problem_.scene.posed.contacts[static_cast<std::size_t>(i)].closed) gap(i) = 0;
  return gap;
}

State PoseProbe::posed(const Mechanism& mechanism, const Eigen::VectorXd& q, const std::vector<bool>& held) {
  const GalleryEntry& entry = *problem_.scene.entry;
  const State start{q, Eigen::VectorXd::Zero(q.size()), setup_.t};
  if (!entry.pose && touches(mechanism, start)) return start;
  setup_.given = {};
  for (std::size_t k = 0; k < held.size(); ++k)
    if (held[k]) setup_.given.set(entry.coordinates[k].name, q(static_cast<Eigen::Index>(k)));
  State state = entry.pose ? entry.pose(setup_, mechanism, start)
                           : solve_posture(entry, setup_, mechanism, problem_.scene.posed.contacts, start);
  setup_.given = {};
  return state;
}

PoseProbe::Value PoseProbe::at(const Eigen::VectorXd& start, const std::vector<bool>& held) {
  constexpr int most_clips = 4;
  try {
    Eigen::VectorXd q = start;
    std::vector<bool> now = held;
    inside(q, now);
    for (int pass = 0; pass < most_clips; ++pass) {
      const auto made = mechanism(q);
      State state = posed(*made, q, now);
      if (inside(state.q, now)) {
        state.v.setZero();
        if (made->room(state) < -beyond_limit) throw InputError(made->limit(state));
        return measured(*made, state);
      }
      q = state.q;
    }
    reason_ = "a joint would have to leave its range for the contact to touch";
  } catch (const InputError& error) {
    setup_.given = {};
    reason_ = error.what();
  }
  return {};
}

double pose_distance(const Workspace& problem, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  double most = 0;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const auto& joint = problem.joints[k];
    if (problem.fixed[k] || !wide(joint)) continue;
    double apart = std::abs(a(static_cast<Eigen::Index>(k)) - b(static_cast<Eigen::Index>(k)));
    if (!joint.bounded && joint.unit == "rad") apart = std::abs(std::remainder(apart, 2 * std::numbers::pi));
    most = std::max(most, apart / (joint.to - joint.from));
  }
  return most;
}

// Kronecker sequence with the powers of 1/φ, φ^(d+1) = φ + 1, over the d joints that vary.
Eigen::VectorXd drawn_pose(const Workspace& problem, long index) {
  int d = 0;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) d += !problem.fixed[k] && wide(problem.joints[k]) ? 1 : 0;
  double phi = 2;
  for (int n = 0; n < 64; ++n) phi = std::pow(1 + phi, 1.0 / (d + 1));
  Draws shift(problem.seed);
  Eigen::VectorXd q = home_pose(problem);
  double step = 1;
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const auto& joint = problem.joints[k];
    if (problem.fixed[k] || !wide(joint)) continue;
    step /= phi;
    const double x = shift.uniform() + step * static_cast<double>(index + 1);
    q(static_cast<Eigen::Index>(k)) = joint.from + (joint.to - joint.from) * (x - std::floor(x));
  }
  return q;
}

}  // namespace painleve::detail
