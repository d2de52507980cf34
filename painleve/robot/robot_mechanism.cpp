#include "painleve/robot/robot_mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace painleve {

using namespace detail;

// What the links add up to, over all joints.
template <class S>
struct RobotMechanism::Sum {
  int joints;
  std::array<S, most_joints * most_joints> M;  // lower triangle
  std::array<S, most_joints> f, applied;
  S potential{};

  explicit Sum(int count) : joints(count) {
    for (int i = 0; i < count; ++i) {
      f[static_cast<std::size_t>(i)] = applied[static_cast<std::size_t>(i)] = S(0.0);
      for (int j = 0; j <= i; ++j) m(i, j) = S(0.0);
    }
  }
  S& m(int i, int j) { return M[static_cast<std::size_t>(i) * most_joints + static_cast<std::size_t>(j)]; }
  const S& m(int i, int j) const {
    return M[static_cast<std::size_t>(std::max(i, j)) * most_joints + static_cast<std::size_t>(std::min(i, j))];
  }
};

RobotMechanism::RobotMechanism(std::shared_ptr<const RobotTree> tree, int dimension,
                               std::vector<RobotContactPlane> contacts, const Eigen::Vector3d& gravity,
                               std::vector<Expression> forces, RobotDrawing drawing)
    : tree_(std::move(tree)),
      dimension_(dimension),
      contacts_(std::move(contacts)),
      gravity_(gravity),
      forces_(std::move(forces)),
      drawing_(std::move(drawing)) {
  for (const int j : tree_->coordinates()) coordinates_.push_back(tree_->names()[static_cast<std::size_t>(j)]);
  for (const RobotContactPlane& contact : contacts_) contact_names_.push_back(contact.name);
  forces_.resize(coordinates_.size());
  for (const TreeLimit& limit : tree_->limits())
    limited_ = limited_ || std::isfinite(limit.lower) || std::isfinite(limit.upper);
}

void RobotMechanism::resize(Dynamics& d) const {
  const auto n = static_cast<Eigen::Index>(coordinates_.size());
  const auto rows = static_cast<Eigen::Index>(contacts_.size()) * dimension_;
  d.M.resize(n, n);
  d.f.resize(n);
  d.applied.resize(n);
  d.J.resize(rows, n);
  d.drift.resize(rows);
  d.u.resize(rows);
  d.place.resize(rows);
  d.gap.resize(static_cast<Eigen::Index>(contacts_.size()));
}

// The link's weight, inertia and bias, felt by every joint below it.
template <class S>
void RobotMechanism::add_link(int index, const TreeState<S>& state, Sum<S>& sum) const {
  const auto& links = tree_->links();
  const TreeLink& link = links[static_cast<std::size_t>(index)];
  const LinkState<S>& at = state[static_cast<std::size_t>(index)];
  const Vec3<S> r = at.R * link.centre;
  const Vec3<S> centre = at.o + r;
  const S mass(link.mass);
  const Vec3<S> force = (acceleration(at, r) - constant<S>(gravity_)) * mass;
  const Vec3<S> omega = into(at.R, at.omega);
  const Vec3<S> moment = link.inertia * into(at.R, at.omega_dot) + cross(omega, link.inertia * omega);
  sum.potential -= mass * dot(centre, gravity_);
  for (int i = index; i >= 0; i = links[static_cast<std::size_t>(i)].parent) {
    const auto row = static_cast<std::size_t>(i);
    const bool turns = links[row].kind == JointKind::hinge;
    const Vec3<S> push = column(links[row], state[row], centre) * mass;
    const Vec3<S> axis = turns ? into(at.R, state[row].z) : zero<S>();
    const Vec3<S> spin = turns ? link.inertia * axis : zero<S>();
    sum.f[row] -= dot(column(links[row], state[row], centre), force) + (turns ? dot(axis, moment) : S(0.0));
    for (int j = i; j >= 0; j = links[static_cast<std::size_t>(j)].parent) {
      const auto other = static_cast<std::size_t>(j);
      sum.m(i, j) += dot(push, column(links[other], state[other], centre));
      if (turns && links[other].kind == JointKind::hinge) sum.m(i, j) += dot(spin, into(at.R, state[other].z));
    }
  }
}

// What acts along the joints themselves.
template <class S>
void RobotMechanism::add_joints(const JointMotion<S>& motion, const S* forces, Sum<S>& sum) const {
  for (std::size_t j = 0; j < tree_->links().size(); ++j) {
    const TreeLink& link = tree_->links()[j];
    const int i = static_cast<int>(j);
    const S stretch = motion.y[j] - S(link.spring_reference);
    sum.m(i, i) += S(link.armature);
    sum.applied[j] -= S(link.damping) * motion.y_dot[j];
    sum.f[j] -= S(link.stiffness) * stretch + S(link.armature) * motion.y_ddot[j];
    sum.potential += S(link.stiffness / 2) * stretch * stretch;
  }
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    sum.applied[static_cast<std::size_t>(tree_->coordinates()[k])] += forces[k];
  for (std::size_t j = 0; j < tree_->links().size(); ++j) sum.f[j] += sum.applied[j];
}

template <class S, class Part>
void RobotMechanism::write_dynamics(const Sum<S>& sum, const JointMotion<S>& motion, const Part& part,
                                    Dynamics& d) const {
  const int n = static_cast<int>(coordinates_.size());
  d.potential = part(sum.potential);
  d.drive = 0;
  if (!tree_->reduced()) {
    for (int i = 0; i < n; ++i) {
      d.f(i) = part(sum.f[static_cast<std::size_t>(i)]);
      d.applied(i) = part(sum.applied[static_cast<std::size_t>(i)]);
      for (int j = 0; j <= i; ++j) d.M(i, j) = d.M(j, i) = part(sum.m(i, j));
    }
    return;
  }
  for (int k = 0; k < n; ++k) {
    S f(0.0);
    S applied(0.0);
    std::array<S, most_joints> MT;  // column k of M T
    for (int i = 0; i < sum.joints; ++i) {
      const auto row = static_cast<std::size_t>(i);
      f += motion.t(i, k) * sum.f[row];
      applied += motion.t(i, k) * sum.applied[row];
      MT[row] = S(0.0);
      for (int j = 0; j < sum.joints; ++j) MT[row] += sum.m(i, j) * motion.t(j, k);
    }
    d.f(k) = part(f);
    d.applied(k) = part(applied);
    for (int l = 0; l <= k; ++l) {
      S entry(0.0);
      for (int i = 0; i < sum.joints; ++i) entry += motion.t(i, l) * MT[static_cast<std::size_t>(i)];
      d.M(k, l) = d.M(l, k) = part(entry);
    }
  }
}

template <class S, class Part>
void RobotMechanism::write_contact(std::size_t index, const TreeState<S>& state, const JointMotion<S>& motion,
                                   const Part& part, Dynamics& d) const {
  const RobotContactPlane& contact = contacts_[index];
  const auto& links = tree_->links();
  const int n = static_cast<int>(coordinates_.size());
  const LinkState<S>& carrier = state[static_cast<std::size_t>(contact.link)];
  const Vec3<S> r = carrier.R * contact.at;
  const Vec3<S> point = carrier.o + r;
  const Vec3<S> v = velocity(carrier, r);
  const Vec3<S> a = acceleration(carrier, r);
  const S gap = dot(point - constant<S>(contact.origin), Eigen::Vector3d(contact.axes.col(2)));
  d.gap(static_cast<Eigen::Index>(index)) = part(gap);
  for (int k = 0; k < dimension_; ++k) {
    const Eigen::Index row = static_cast<Eigen::Index>(index) * dimension_ + k;
    const bool normal = k + 1 == dimension_;
    const Eigen::Vector3d axis = contact.axes.col(normal ? 2 : k);
    d.u(row) = part(dot(v, axis));
    d.drift(row) = part(dot(a, axis));
    d.place(row) = part(normal ? gap : dot(point, axis));
    std::array<S, most_joints> J;
    for (int c = 0; c < n; ++c) J[static_cast<std::size_t>(c)] = S(0.0);
    for (int j = contact.link; j >= 0; j = links[static_cast<std::size_t>(j)].parent) {
      const S step = dot(column(links[static_cast<std::size_t>(j)], state[static_cast<std::size_t>(j)], point), axis);
      if (!tree_->reduced()) {
        J[static_cast<std::size_t>(j)] = step;
        continue;
      }
      for (int c = 0; c < n; ++c) J[static_cast<std::size_t>(c)] += step * motion.t(j, c);
    }
    for (int c = 0; c < n; ++c) d.J(row, c) = part(J[static_cast<std::size_t>(c)]);
  }
}

template <class S, class Part>
void RobotMechanism::evaluate(const S* q, const S* v, const S* forces, const Part& part, Dynamics& d) const {
  resize(d);
  JointMotion<S> motion;
  TreeState<S> state;
  if (!tree_->evaluate(q, v, motion, state)) {
    const double nowhere = std::numeric_limits<double>::quiet_NaN();
    for (Eigen::MatrixXd* member : {&d.M, &d.J}) member->setConstant(nowhere);
    for (Eigen::VectorXd* member : {&d.f, &d.applied, &d.drift, &d.u, &d.gap, &d.place}) member->setConstant(nowhere);
    d.potential = d.drive = nowhere;
    return;
  }
  const int joints = static_cast<int>(tree_->links().size());
  Sum<S> sum(joints);
  for (int i = 0; i < joints; ++i)
    if (tree_->links()[static_cast<std::size_t>(i)].massive()) add_link(i, state, sum);
  add_joints(motion, forces, sum);
  write_dynamics(sum, motion, part, d);
  for (std::size_t i = 0; i < contacts_.size(); ++i) write_contact(i, state, motion, part, d);
}

void RobotMechanism::dynamics(const State& state, Dynamics& d) const {
  std::array<double, most_joints> forces;
  for (std::size_t k = 0; k < forces_.size(); ++k) forces[k] = forces_[k].at(state.t).value;
  evaluate<double>(
      state.q.data(), state.v.data(), forces.data(), [](double x) { return x; }, d);
}

Dynamics RobotMechanism::derivative(const State& state, const State& direction) const {
  std::array<Dual, most_joints> q;
  std::array<Dual, most_joints> v;
  std::array<Dual, most_joints> forces;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    q[k] = {state.q(i), direction.q(i)};
    v[k] = {state.v(i), direction.v(i)};
    const TimeValue at = forces_[k].at(state.t);
    forces[k] = {at.value, at.rate * direction.t};
  }
  Dynamics d;
  evaluate<Dual>(
      q.data(), v.data(), forces.data(), [](const Dual& x) { return x.rate; }, d);
  return d;
}

double RobotMechanism::room(const State& state) const {
  double least = std::numeric_limits<double>::infinity();
  if (!limited_ && tree_->loops().empty()) return least;
  std::array<double, most_joints> y;
  TreeState<double> placed;
  if (!tree_->pose(state.q.data(), y, placed)) return -least;
  for (std::size_t j = 0; j < tree_->limits().size(); ++j)
    least = std::min({least, y[j] - tree_->limits()[j].lower, tree_->limits()[j].upper - y[j]});
  return least;
}

std::string RobotMechanism::limit(const State& state) const {
  std::array<double, most_joints> y;
  TreeState<double> placed;
  if (!tree_->pose(state.q.data(), y, placed)) return tree_->open_loop(state.q.data());
  double least = std::numeric_limits<double>::infinity();
  std::string sentence;
  for (std::size_t j = 0; j < tree_->limits().size(); ++j) {
    const TreeLimit& limit = tree_->limits()[j];
    const double here = std::min(y[j] - limit.lower, limit.upper - y[j]);
    if (!(here < least)) continue;
    least = here;
    const char* unit = tree_->links()[j].kind == JointKind::hinge ? "rad" : "m";
    const auto bound = [&](double value, const char* none) {
      return std::isfinite(value) ? fmt::format("{:.9g}", value) : std::string(none);
    };
    sentence = fmt::format("joint {} is at {:.9g} {}, its limits are {} to {} {}", tree_->names()[j], y[j], unit,
                           bound(limit.lower, "-infinity"), bound(limit.upper, "infinity"), unit);
  }
  return sentence;
}

}  // namespace painleve
