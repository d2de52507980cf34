#include "painleve/impact/compliant_impact.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include "painleve/impact/detail/impact_space.hpp"
#include "painleve/impact/detail/joint_jam.hpp"
#include "painleve/modes/stability.hpp"

namespace painleve {
namespace {

using detail::ImpactSpace;

constexpr double most_periods = 400;  // of the softest spring
// Far below the error of the steps: slower motions are over, and what approaches with them is stopped.
constexpr double over = 1e-10;
constexpr double calm_periods = 50;  // of the softest spring; what has lost nothing for as long loses nothing

// One spring. Without restitution its force at the deepest indentation is whatever, up to κ d_m, ends the approach.
struct Spring {
  double kappa = 1, r = 0;
  double d = 0, deepest = 0;
  // Without restitution: whether its force is that of its loading, and the energy with which the force swings about the
  // one that holds, once that has taken over, as ∫ a_n dλ.
  bool pressing = false;
  double swing = 0;

  bool plastic() const { return r == 0; }
  double force() const {
    if (d >= deepest) return std::fmax(kappa * d, 0.0);
    return r > 0 ? std::fmax(kappa * (deepest - (deepest - d) / (r * r)), 0.0) : 0.0;
  }
  bool at_deepest() const {
    constexpr double rounding = 1e-12;
    return d >= deepest * (1 - rounding);
  }
  double most_force() const { return plastic() && at_deepest() ? std::fmax(kappa * deepest, 0.0) : force(); }
  // The indentation at which it takes force again.
  double free_end() const { return deepest * (1 - r * r); }
};

struct Outcome {
  Eigen::VectorXd u, Lambda;
  bool ended = false;
  bool vibrates = false;  // between springs that stay pressed in, without loss
};

// How long nothing has changed but forces and velocities, and what else could.
struct Calm {
  double time = 0;
  std::vector<double> deepest;
  std::vector<bool> pressed;
};

class Springs {
 public:
  Springs(const ImpactSpace& s, const ImpactOptions& options) : s_(s), tangents_(s.space.dimension - 1) {
    const double stiffest = options.stiffness.size() > 0 ? options.stiffness.maxCoeff() : 1;
    Eigen::VectorXd root(s.unilateral.size());
    for (const int i : s.unilateral) {
      Spring spring;
      spring.kappa = options.stiffness.size() > 0 ? options.stiffness(i) / stiffest : 1;
      spring.r = s.laws[static_cast<std::size_t>(i)].restitution;
      root(static_cast<Eigen::Index>(springs_.size())) = std::sqrt(spring.kappa);
      springs_.push_back(spring);
      normals_.push_back(s.space.normal(i));
    }
    slowest_ = root.minCoeff();
    // Sticking contacts only make it slower.
    const Eigen::MatrixXd fast = root.asDiagonal() * s.space.W(normals_, normals_) * root.asDiagonal();
    const double frequency = std::sqrt(std::fmax(fast.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff(), 0.0));
    period_ = frequency > 0 ? 2 * std::numbers::pi / frequency : 0;
  }

  bool moves() const { return period_ > 0; }

  Outcome run(int steps_per_period, const Eigen::VectorXd& start) const {
    std::vector<Spring> springs = springs_;
    for (std::size_t k = 0; k < springs.size(); ++k) {
      springs[k].d = springs[k].deepest = start(static_cast<Eigen::Index>(k));
    }
    Outcome o{s_.space.u, Eigen::VectorXd::Zero(s_.space.u.size()), false};
    double h = period_ / steps_per_period;
    const double longest = h;
    Eigen::VectorXd solved = pressed_at_start(h, springs);
    // What grows from next to nothing has to become an approach first.
    bool begun = start.isZero(0);
    double fastest = 0;  // of all approaches so far
    Calm calm;
    const long most = static_cast<long>(most_periods / slowest_) * steps_per_period;
    for (long n = 0; n < most && !o.ended && !o.vibrates; ++n) {
      const double before = std::exchange(h, std::fmin(longest, until_pressed(springs, o.u)));
      solved *= h / before;
      step(h, springs, solved, o);
      fastest = std::fmax(fastest, -o.u(normals_).minCoeff());
      const double least = std::fmax(s_.least_approach, over * fastest);
      begun = begun || approaches(o.u, s_.least_approach) || !holds(springs, solved);
      if (!begun) continue;
      o.ended = !loaded(springs) && !approaches(o.u, least);
      calm.time = changes(h, springs, solved, calm) ? 0 : calm.time + h;
      o.vibrates = !o.ended && calm.time > calm_periods * period_ / slowest_;
      // A force that has ended is not what the next one begins from.
      if (!o.ended && fly(springs, o.u, least)) solved.setZero();
    }
    return o;
  }

 private:
  // Springs without restitution that start pressed in go on: that no force acts would be a motion as well.
  Eigen::VectorXd pressed_at_start(double h, const std::vector<Spring>& springs) const {
    Eigen::VectorXd solved = Eigen::VectorXd::Zero(s_.space.u.size());
    for (std::size_t k = 0; k < springs.size(); ++k) {
      if (!springs[k].plastic() || !(springs[k].d > 0)) continue;
      const int i = s_.unilateral[k];
      const auto u_t = s_.space.u.segment(s_.space.tangent(i), tangents_);
      solved(normals_[k]) = h * springs[k].most_force();
      solved.segment(s_.space.tangent(i), tangents_) = -s_.space.mu(i) * solved(normals_[k]) * u_t.normalized();
    }
    return solved;
  }

  // `solved`: impulses of friction and of the normals without restitution, from step to step.
  void step(double h, std::vector<Spring>& springs, Eigen::VectorXd& solved, Outcome& o) const {
    drift(h / 2, springs, o.u);
    Eigen::VectorXd given = Eigen::VectorXd::Zero(o.u.size());
    Eigen::VectorXd most(static_cast<Eigen::Index>(springs.size()));
    for (std::size_t k = 0; k < springs.size(); ++k) {
      most(static_cast<Eigen::Index>(k)) = h * springs[k].most_force();
      if (!springs[k].plastic()) given(normals_[k]) = most(static_cast<Eigen::Index>(k));
    }
    const Eigen::VectorXd before = o.u;
    o.u += s_.space.W * given;
    const Eigen::VectorXd unsolved = o.u;
    solve(springs, most, solved, o.u);
    o.Lambda += given + solved;
    swing(h, springs, most, before, unsolved, solved);
    drift(h / 2, springs, o.u);
  }

  // The force of a contact goes from `start` down to zero while all else stands still: the normal velocity that a step
  // gives it, h a_n, summed over the force times h.
  struct Descent {
    double most = 0;         // of the sum
    double barrier = 0;      // the most by which the sum falls again
    double lift = 0;         // the velocity at zero
    Eigen::VectorXd solved;  // there
  };
  Descent descend(std::size_t k, double start, const std::vector<Spring>& springs, const Eigen::VectorXd& most,
                  const Eigen::VectorXd& before, const Eigen::VectorXd& unsolved, Eigen::VectorXd solved) const {
    constexpr int samples = 32;
    Descent d;
    double sum = 0;
    for (int m = 0; m <= samples; ++m) {
      const double last =
          std::exchange(d.lift, lift(k, start * (samples - m) / samples, springs, most, before, unsolved, solved));
      if (m > 0) sum += (d.lift + last) / 2 * start / samples;
      d.most = std::fmax(d.most, sum);
      d.barrier = std::fmax(d.barrier, d.most - sum);
    }
    d.solved = solved;
    return d;
  }

  // The normal velocity that a step gives contact k with this normal impulse of its own.
  double lift(std::size_t k, double normal, std::vector<Spring> springs, Eigen::VectorXd most,
              const Eigen::VectorXd& before, const Eigen::VectorXd& unsolved, Eigen::VectorXd& solved) const {
    springs[k].r = 1;  // its force is given
    most(static_cast<Eigen::Index>(k)) = solved(normals_[k]) = normal;
    Eigen::VectorXd u = unsolved;
    solve(springs, most, solved, u);
    return u(normals_[k]) - before(normals_[k]);
  }

  // A spring with little restitution unloads on a steep line, so fast that all else stands still: from the moment at
  // which the approach ends its force λ swings about the one that holds, in the potential of a_n(λ). Where that leads
  // to zero, and nothing presses the contact in again, it lifts: the next step begins from there.
  void swing(double h, std::vector<Spring>& springs, const Eigen::VectorXd& most, const Eigen::VectorXd& before,
             const Eigen::VectorXd& unsolved, Eigen::VectorXd& solved) const {
    for (std::size_t k = 0; k < springs.size(); ++k) {
      Spring& spring = springs[k];
      if (!spring.plastic()) continue;
      const double largest = most(static_cast<Eigen::Index>(k));
      const double force = solved(normals_[k]);
      const bool pressed = std::exchange(spring.pressing, largest > 0 && force >= largest);
      if (!(force > 0 && force < largest)) continue;
      if (pressed) spring.swing = descend(k, largest, springs, most, before, unsolved, solved).most / (h * h);
      Eigen::VectorXd without = solved;
      if (!(spring.swing > 0) || !(lift(k, 0, springs, most, before, unsolved, without) > 0)) continue;
      const Descent d = descend(k, force, springs, most, before, unsolved, solved);
      if (d.lift > 0 && spring.swing * h * h >= d.barrier) solved = d.solved;
    }
  }

  void drift(double h, std::vector<Spring>& springs, const Eigen::VectorXd& u) const {
    for (std::size_t k = 0; k < springs.size(); ++k) {
      Spring& spring = springs[k];
      spring.d -= h * u(normals_[k]);
      spring.deepest = std::fmax(spring.deepest, spring.d);
    }
  }

  // Where a spring without restitution takes its force again, that jumps: no step leads beyond.
  double until_pressed(const std::vector<Spring>& springs, const Eigen::VectorXd& u) const {
    double time = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < springs.size(); ++k) {
      const Spring& spring = springs[k];
      const double u_n = u(normals_[k]);
      if (spring.plastic() && spring.deepest > 0 && !spring.at_deepest() && u_n < 0)
        time = std::fmin(time, (spring.deepest - spring.d) / -u_n);
    }
    return time;
  }

  // Friction impulses within μ times the normal ones that leave the least slip, and normal ones without restitution
  // that leave no approach, or are the largest there are: Gauss-Seidel from those of the last step. u is the velocity
  // with the given normal impulses, and gets the others.
  void solve(const std::vector<Spring>& springs, const Eigen::VectorXd& most, Eigen::VectorXd& solved,
             Eigen::VectorXd& u) const {
    constexpr int most_sweeps = 200;
    constexpr double settled = 1e-14;
    u += s_.space.W * solved;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double change = 0;
      double size = 0;
      for (std::size_t k = 0; k < springs.size(); ++k) {
        const double largest = most(static_cast<Eigen::Index>(k));
        const int n = normals_[k];
        double normal = largest;
        if (springs[k].plastic()) {
          const double response = most_response(k);
          normal = std::clamp(response > 0 ? solved(n) - u(n) / response : 0.0, 0.0, largest);
          change += std::abs(normal - solved(n));
          size += largest;
          u += s_.space.W.col(n) * (normal - solved(n));
          solved(n) = normal;
        }
        const int i = s_.unilateral[k];
        const double limit = s_.space.mu(i) * normal;
        change += solve_friction(s_.space.tangent(i), limit, solved, u);
        size += limit;
      }
      if (change <= settled * size) break;
    }
  }

  // Of the normal velocity per normal force with its friction, at most: steps of that size do not overshoot where
  // friction lifts.
  double most_response(std::size_t k) const {
    const int n = normals_[k];
    const int i = s_.unilateral[k];
    return s_.space.W(n, n) + s_.space.mu(i) * s_.space.W.col(n).segment(s_.space.tangent(i), tangents_).norm();
  }

  // Of the contact whose tangents begin at t; what it changed.
  double solve_friction(int t, double limit, Eigen::VectorXd& solved, Eigen::VectorXd& u) const {
    const Eigen::VectorXd before = solved.segment(t, tangents_);
    const double stiff = s_.space.W.block(t, t, tangents_, tangents_).trace();  // at least the largest eigenvalue
    Eigen::VectorXd after = before;
    if (stiff > 0) after -= u.segment(t, tangents_) / stiff;
    if (after.norm() > limit) after *= limit > 0 ? limit / after.norm() : 0.0;
    solved.segment(t, tangents_) = after;
    u += s_.space.W.middleCols(t, tangents_) * (after - before);
    return (after - before).norm();
  }

  // A spring without restitution only ends an approach: at rest no force of it is needed.
  bool loaded(const std::vector<Spring>& springs) const {
    return std::any_of(springs.begin(), springs.end(),
                       [](const Spring& spring) { return !spring.plastic() && spring.force() > 0; });
  }

  // Whether a spring without restitution has a force.
  bool holds(const std::vector<Spring>& springs, const Eigen::VectorXd& solved) const {
    for (std::size_t k = 0; k < springs.size(); ++k) {
      if (springs[k].plastic() && solved(normals_[k]) > 0) return true;
    }
    return false;
  }

  bool approaches(const Eigen::VectorXd& u, double least) const {
    return std::any_of(normals_.begin(), normals_.end(), [&](int n) { return u(n) < -least; });
  }

  // Whether something changed in a step but for forces and velocities: a spring took or lost its force or was pressed
  // in deeper, or a contact slipped under friction. Where springs are loaded and nothing of that happens, what vibrates
  // does so for ever.
  bool changes(double h, const std::vector<Spring>& springs, const Eigen::VectorXd& solved, Calm& calm) const {
    bool changed = calm.deepest.empty() || !loaded(springs);
    calm.deepest.resize(springs.size());
    calm.pressed.resize(springs.size());
    for (std::size_t k = 0; k < springs.size(); ++k) {
      const double force = springs[k].plastic() ? solved(normals_[k]) / h : springs[k].force();
      const int i = s_.unilateral[k];
      const double limit = s_.space.mu(i) * force;
      constexpr double inside = 1 - 1e-9;  // of the friction cone
      const bool slips = limit > 0 && solved.segment(s_.space.tangent(i), tangents_).norm() >= inside * h * limit;
      changed = changed || slips || springs[k].deepest != calm.deepest[k] || (force > 0) != calm.pressed[k];
      calm.deepest[k] = springs[k].deepest;
      calm.pressed[k] = force > 0;
    }
    return changed;
  }

  // Without force nothing changes until a contact closes again; whether there was such a time. None is carried beyond
  // the end of its spring: over the long ways of slow motions, rounding would press it in and give it energy.
  bool fly(std::vector<Spring>& springs, const Eigen::VectorXd& u, double least) const {
    if (loaded(springs)) return false;
    double time = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < springs.size(); ++k) {
      const double u_n = u(normals_[k]);
      const double way = std::fmax(springs[k].free_end() - springs[k].d, 0.0);
      if (u_n < -least) time = std::fmin(time, way / -u_n);
    }
    if (!std::isfinite(time)) return false;
    for (std::size_t k = 0; k < springs.size(); ++k)
      springs[k].d = std::fmin(springs[k].d - time * u(normals_[k]), springs[k].free_end());
    return time > 0;
  }

  const ImpactSpace& s_;
  int tangents_;
  std::vector<Spring> springs_;
  std::vector<int> normals_;
  double period_ = 0;   // of the fastest spring
  double slowest_ = 1;  // frequency of the softest spring in units of the stiffest
};

// The growing solution of the springs of these contacts with d > 0, in units of the largest; empty when there is none.
std::optional<Eigen::VectorXd> growing(const ImpactSpace& s, const ImpactOptions& options,
                                       const std::vector<int>& contacts, const std::vector<ContactMode>& modes) {
  const Eigen::MatrixXd P = fast_matrix(subset(s.space, contacts), modes);
  const Eigen::VectorXd kappa =
      options.stiffness.size() > 0 ? Eigen::VectorXd(options.stiffness(contacts)) : Eigen::VectorXd::Ones(P.rows());
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(-P * kappa.asDiagonal());
  double fastest = 0;
  std::optional<Eigen::VectorXd> best;
  for (Eigen::Index k = 0; k < P.rows(); ++k) {
    const std::complex<double> value = eigen.eigenvalues()(k);
    if (value.imag() != 0 || !(value.real() > fastest)) continue;
    Eigen::VectorXd v = eigen.eigenvectors().col(k).real();
    v /= v(0) < 0 ? -v.cwiseAbs().maxCoeff() : v.cwiseAbs().maxCoeff();
    if (v.minCoeff() < 0) continue;
    fastest = value.real();
    best = v;
  }
  return best;
}

// Small against the speeds, and large against rounding; the springs forget it as they grow.
constexpr double small_start = 1e-7;

// Indentations along the growing solution of these contacts.
std::optional<Eigen::VectorXd> start_of(const ImpactSpace& s, const ImpactOptions& options,
                                        const std::vector<int>& contacts, const std::vector<ContactMode>& modes) {
  const auto grows = growing(s, options, contacts, modes);
  if (!grows) return std::nullopt;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(s.unilateral.size()));
  const double speed = s.space.u.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto at = std::find(s.unilateral.begin(), s.unilateral.end(), contacts[k]);
    start(at - s.unilateral.begin()) = small_start * speed * (*grows)(static_cast<Eigen::Index>(k));
  }
  return start;
}

// The same for closed contacts that all slip; none where one of them does not.
std::optional<Eigen::VectorXd> start_in_slip(const ImpactSpace& s, const ImpactOptions& options,
                                             const std::vector<int>& contacts) {
  std::vector<ContactMode> modes;
  for (const int i : contacts) {
    const Eigen::VectorXd u_t = s.space.u.segment(s.space.tangent(i), s.space.dimension - 1);
    if (u_t.norm() <= options.tolerance.velocity) return std::nullopt;
    modes.push_back({Letter::S, u_t.normalized(), 1});
  }
  return contacts.empty() ? std::nullopt : start_of(s, options, contacts, modes);
}

// Contacts that slip with p < 0, the lowest p first.
std::vector<int> jamming_alone(const ImpactSpace& s, const ImpactOptions& options) {
  std::vector<int> list;
  const auto p = [&](int i) { return detail::slip_response(s, i, options.tolerance).value_or(0); };
  std::copy_if(s.unilateral.begin(), s.unilateral.end(), std::back_inserter(list), [&](int i) { return p(i) < 0; });
  std::stable_sort(list.begin(), list.end(), [&](int i, int j) { return p(i) < p(j); });
  return list;
}

// Indentations along the growing solution of the contacts asked for; else of all that jam by themselves, of those that
// jam only together, or of the one with the lowest p. None when nothing grows.
Eigen::VectorXd begin_without_collision(const ImpactSpace& s, const ImpactOptions& options, ImpactReport& report) {
  const std::vector<int>& asked = options.without_collision;
  report.contacts = asked.empty() ? jamming_alone(s, options) : asked;
  if (const auto start = start_in_slip(s, options, report.contacts)) return *start;
  if (asked.empty() && !report.contacts.empty()) {
    report.contacts.resize(1);
    return start_in_slip(s, options, report.contacts).value_or(Eigen::VectorXd());
  }
  const detail::JointJam jam = detail::joint_jam(s, options);
  report.contacts = jam.struck;
  if (jam.struck.empty()) return {};
  return start_of(s, options, jam.loaded, jam.modes).value_or(Eigen::VectorXd());
}

// What still approaches after the springs, by less than their error, is stopped.
void stop_the_rest(const ContactSpace& space, const ImpactOptions& options, const Eigen::VectorXd& Lambda,
                   ImpactReport& report) {
  ContactSpace left = space;
  left.u = report.u_before + space.W * Lambda;
  ImpactOptions dead = options;
  dead.several = SeveralImpacts::sequential;
  dead.without_collision.clear();
  for (BounceLaw& law : dead.laws) law.restitution = 0;
  report.Lambda = Lambda;
  Eigen::VectorXd u = left.u;
  const ImpactSpace s = detail::impact_space(left, dead);
  if (!detail::approaching(s, left.u).empty()) {
    const ImpactReport rest = impact(left, dead);
    if (rest.happened) {
      report.Lambda += rest.Lambda;
      u = rest.u_after;
    }
  }
  detail::finish(space, u, report, over);
}

}  // namespace

Eigen::VectorXd spring_stiffness(const std::vector<ContactLaw>& laws) {
  Eigen::VectorXd stiffness(static_cast<Eigen::Index>(laws.size()));
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (!laws[i].stiffness) return {};
    stiffness(static_cast<Eigen::Index>(i)) = *laws[i].stiffness;
  }
  return stiffness;
}

ImpactReport compliant_impact(const ContactSpace& space, const ImpactOptions& options) {
  ImpactReport report;
  report.method = "compliant: springs in real time that give back r^2 of their work";
  report.law = RestitutionLaw::energetic;
  report.u_before = space.u;
  ImpactSpace s = detail::impact_space(space, options);
  report.contacts = detail::approaching(s, space.u);
  report.without_collision = report.contacts.empty();
  for (const int i : s.unilateral) {  // what a tolerance calls zero is zero
    double& u_n = s.space.u(space.normal(i));
    if (report.without_collision && std::abs(u_n) <= s.least_approach) u_n = 0;
  }
  const Eigen::VectorXd start = report.without_collision
                                    ? begin_without_collision(s, options, report)
                                    : Eigen::VectorXd::Zero(static_cast<Eigen::Index>(s.unilateral.size()));
  const Springs springs(s, options);
  if (start.size() == 0 || !springs.moves()) {
    report.reason = start.size() == 0 ? "no growing solution of the springs presses in these contacts together"
                                      : "no normal impulse moves these contacts along their normals";
    return report;
  }
  const Outcome fine = springs.run(2 * options.steps_per_period, start);
  // A slip that turns within a step may lie alike in steps and half steps, but not in thirds as well.
  double error = 0;
  for (const int steps : {options.steps_per_period, options.steps_per_period * 5 / 3}) {
    const double change = (fine.u - springs.run(steps, start).u).cwiseAbs().maxCoeff();
    if (!(change <= error)) error = change;  // also where it is no number
  }
  constexpr double most_error = 0.1;  // of the velocities
  if (!(error <= most_error * space.u.cwiseAbs().maxCoeff())) {
    report.reason = fmt::format(
        "the motion of the springs was not resolved: shorter time steps changed a velocity by {:.3g} m/s", error);
    return report;
  }
  report.happened = true;
  report.impacts = 1;
  report.ended = fine.ended;
  if (fine.vibrates)
    report.reason = "the springs do not come to an end: they stay pressed in, and what they hold vibrates without loss";
  else if (!fine.ended)
    report.reason = "the springs have not come to an end";
  report.error = error;
  report.phases = {"springs"};
  stop_the_rest(space, options, detail::with_reactions(s, fine.Lambda), report);
  return report;
}

}  // namespace painleve
