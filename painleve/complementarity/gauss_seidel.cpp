#include "painleve/complementarity/gauss_seidel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/contact_block.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/complementarity/settled_modes.hpp"
#include "painleve/complementarity/standard_form.hpp"

namespace painleve {
namespace {

using Eigen::Vector3d;

Vector3d in_space(const Eigen::VectorXd& v, int row, int dimension) {
  Vector3d x = Vector3d::Zero();
  for (int k = 0; k < dimension; ++k) x(row_in_space(k, dimension)) = v(row + k);
  return x;
}

template <class Values>
double largest(const Values& v) {
  double most = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) most = std::max(most, std::abs(v(i)));
  return most;
}

// What evolves: r, and the motion b = q + Σ W_ij r_j that each contact would have without its own force. That sum, not
// w, follows the changes of r: the load of a contact whose own force runs away would drown in w − W_ii r_i.
class Sweeper {
 public:
  Sweeper(const ContactProblem& problem, const SweepOptions& options) : problem_(problem), method_(options.method) {
    r_ = options.start.size() > 0 ? options.start : Eigen::VectorXd::Zero(problem.q.size());
    before_ = r_;
    blocks_.reserve(static_cast<std::size_t>(problem.count()));
    for (int i = 0; i < problem.count(); ++i) blocks_.push_back(contact_block(problem, i));
    const double stiffest = largest(problem.W.diagonal());
    rho_ = stiffest > 0 ? 1 / stiffest : 1;
    load_ = rho_ * largest(problem.q);
    refresh();
  }

  const Eigen::VectorXd& r() const { return r_; }
  int without_solution() const { return without_solution_; }
  bool finite() const { return r_.allFinite() && b_.allFinite(); }
  double size() const { return r_.lpNorm<Eigen::Infinity>(); }
  double change() const { return (r_ - before_).lpNorm<Eigen::Infinity>(); }

  // The increments of b leave rounding behind, of the size of the largest forces on the way.
  void refresh() {
    b_ = problem_.q;
    for (int i = 0; i < problem_.count(); ++i) spread(i, force_at(i));
  }
  void undo() { r_ = before_; }

  void sweep() {
    before_ = r_;
    without_solution_ = -1;
    for (int i = 0; i < problem_.count(); ++i) {
      const Vector3d force = force_at(i);
      const Vector3d next = updated(i, force);
      if (next == force) continue;
      for (int k = 0; k < problem_.dimension; ++k)
        r_(problem_.tangent(i) + k) = next(row_in_space(k, problem_.dimension));
      spread(i, next - force);
    }
  }

  // What law_residual() will say, without its product with W.
  bool seems_converged(double tolerance) const {
    const double most = tolerance * std::max(size(), load_);
    for (int i = 0; i < problem_.count(); ++i) {
      const ContactBlock& c = blocks_[static_cast<std::size_t>(i)];
      const Vector3d force = force_at(i);
      if (!(distance_from_law(c, force, load_at(i) + c.W * force, rho_) <= most)) return false;
    }
    return true;
  }

 private:
  Vector3d force_at(int i) const { return in_space(r_, problem_.tangent(i), problem_.dimension); }
  Vector3d load_at(int i) const { return in_space(b_, problem_.tangent(i), problem_.dimension); }

  // Adds what a force at contact i does to all others.
  void spread(int i, const Vector3d& force) {
    const Vector3d own = load_at(i);
    const int t = problem_.tangent(i);
    const auto column = [&](int k) { return problem_.W.col(t + k); };
    if (problem_.dimension == 1) b_ += column(0) * force.z();
    if (problem_.dimension == 2) b_ += column(0) * force.x() + column(1) * force.z();
    if (problem_.dimension == 3) b_ += column(0) * force.x() + column(1) * force.y() + column(2) * force.z();
    for (int k = 0; k < problem_.dimension; ++k) b_(t + k) = own(row_in_space(k, problem_.dimension));
  }

  Vector3d updated(int i, const Vector3d& force) {
    const ContactBlock& c = blocks_[static_cast<std::size_t>(i)];
    if (c.law == Law::separated) return Vector3d::Zero();
    const Vector3d b = load_at(i);
    if (method_ == SweepMethod::block) {
      if (const auto own = nearest_solution(c, b, force)) return *own;
      if (without_solution_ < 0) without_solution_ = i;
    }
    return projected_step(c, force, b + c.W * force);
  }

  const ContactProblem& problem_;
  SweepMethod method_;
  std::vector<ContactBlock> blocks_;
  Eigen::VectorXd r_, b_, before_;
  int without_solution_ = -1;
  double rho_ = 1, load_ = 0;
};

// Ratios of the changes from sweep to sweep, and whether they amount to geometric growth.
class Growth {
 public:
  explicit Growth(double force) : force_(force) {}

  void add(double change, double size) {
    ++sweeps_;
    constexpr double only_rounding = 1e-11;
    if (change > only_rounding * size) {
      std::rotate(changes_.begin(), changes_.begin() + 1, changes_.end());
      changes_.back() = change;
      known_ = std::min(known_ + 1, memory + 1);
    }
    beyond_ = size > beyond_doubt * force_ ? beyond_ + 1 : 0;
    if (!(size > size_)) rising_since_ = sweeps_;
    size_ = size;
  }

  double factor() const {
    if (known_ < 2) return 0;
    const double ratio = changes_.back() / changes_[static_cast<std::size_t>(memory + 1 - known_)];
    return std::pow(ratio, 1.0 / (known_ - 1));
  }
  bool geometric() const { return factor() > 1 + 1e-6; }

  // Forces that large, with changes that still grow: no regular W answers its load like that.
  bool certain() const { return (beyond_ > memory || size_ > near_overflow * force_) && geometric(); }

  // At the end of the run: it grew all through the last half of it, and tenfold at least at the present rate.
  bool likely() const {
    const int rising = sweeps_ - rising_since_;
    const bool long_enough = rising >= std::max(100, sweeps_ / 2);
    return geometric() && long_enough && size_ > large * force_ && rising * std::log(factor()) >= std::log(10.0);
  }

 private:
  static constexpr int memory = 16;
  static constexpr double large = 1e3, beyond_doubt = 1e12, near_overflow = 1e100;  // of the force of the problem
  double force_;
  double size_ = 0;
  int sweeps_ = 0, known_ = 0, beyond_ = 0, rising_since_ = 0;
  std::array<double, memory + 1> changes_{};
};

void check(const ContactProblem& problem, const SweepOptions& options) {
  const auto rows = problem.q.size();
  if (options.start.size() != 0 && options.start.size() != rows)
    throw InputError(fmt::format("start has {} components, the problem {}", options.start.size(), rows));
  if (!options.start.allFinite()) throw InputError("start must consist of finite numbers");
}

// Force r with its motion and certificate. True when that is good enough.
bool certify(const ContactProblem& problem, const SweepOptions& options, const Eigen::VectorXd& r, SweepEnd found_by,
             SweepReport& report) {
  report.r = r;
  report.w = problem.q;
  report.w.noalias() += problem.W * r;
  report.residual = law_residual(problem, report.r, report.w);
  if (!(report.residual <= options.tolerance)) return false;
  report.status = SweepStatus::converged;
  report.found_by = found_by;
  return true;
}

// Ways to a solution that need no more sweeps, see `finish` in the header.
class Finish {
 public:
  Finish(const ContactProblem& problem, const SweepOptions& options, SweepReport& report)
      : problem_(problem),
        options_(options),
        report_(report),
        wanted_(options.finish && options.method == SweepMethod::block) {}

  bool at_once(const Eigen::VectorXd& start) {
    if (!wanted_ || !modes(start, SweepEnd::modes)) return false;
    if (report_.newton_steps == 0) report_.found_by = SweepEnd::start;
    return true;
  }

  bool after(int sweeps, const Eigen::VectorXd& r) {
    if (!wanted_ || sweeps < next_) return false;
    next_ = 2 * sweeps;
    if (modes(r, SweepEnd::modes)) return true;
    constexpr int patience = 32;  // sweeps: a power of two
    return sweeps == patience && pivoting();
  }

 private:
  bool modes(const Eigen::VectorXd& r, SweepEnd end) {
    constexpr int most_steps = 10;
    ModeSolution s = solve_modes(problem_, r, options_.tolerance, most_steps);
    report_.newton_steps += s.steps;
    if (!s.solved) return false;
    report_.status = SweepStatus::converged;
    report_.found_by = end;
    report_.r = std::move(s.r);
    report_.w = std::move(s.w);
    report_.residual = s.residual;
    return true;
  }

  // In the plane Lemke's method knows the modes; in space the polygon only leads near those of the round cone.
  bool pivoting() {
    for (const int facets : {6, 16}) {
      const PivotedSolution s = solve_by_pivoting(problem_, facets);
      if (s.report.status != LemkeStatus::solution) return false;
      if (modes(s.r, SweepEnd::pivoting)) return true;
      if (problem_.dimension < 3) return false;
    }
    return false;
  }

  const ContactProblem& problem_;
  const SweepOptions& options_;
  SweepReport& report_;
  bool wanted_;
  int next_ = 2;
};

// Sweeps until the laws hold, r runs away or nothing moves any more.
void run(Sweeper& sweeper, Growth& growth, const ContactProblem& problem, const SweepOptions& options,
         SweepReport& report) {
  Finish finish(problem, options, report);
  int idle = 0;
  while (report.sweeps < options.most_sweeps) {
    sweeper.sweep();
    if (!sweeper.finite()) return sweeper.undo();
    ++report.sweeps;
    const double change = sweeper.change();
    growth.add(change, sweeper.size());
    idle = change == 0 ? idle + 1 : 0;
    constexpr int between_refreshments = 32;
    const bool converged = sweeper.seems_converged(options.tolerance);
    if (converged || idle > 0 || report.sweeps % between_refreshments == 0) sweeper.refresh();
    if (converged && certify(problem, options, sweeper.r(), SweepEnd::sweeps, report)) return;
    if (idle > 1 || growth.certain() || finish.after(report.sweeps, sweeper.r())) return;
  }
}

// certify() for one contact, its force written in space.
template <int D>
bool take(const ContactProblem& problem, const SweepOptions& options, const Vector3d& r, SweepReport& report) {
  report.r.resize(D);
  report.w = problem.q;
  for (int j = 0; j < D; ++j) {
    report.r(j) = r(row_in_space(j, D));
    for (int k = 0; k < D; ++k) report.w(k) += problem.W(k, j) * report.r(j);
  }
  report.residual = law_residual(problem, report.r, report.w);
  if (!(report.residual <= options.tolerance)) return false;
  report.status = SweepStatus::converged;
  return true;
}

// The force of the usual planar contact, one-sided, at rest and with one mode; else nothing is said.
std::optional<Vector3d> planar_force(const ContactProblem& p) {
  if (p.dimension != 2 || p.law[0] != Law::resting || p.bilateral[0] || !(p.mu(0) > 0)) return std::nullopt;
  const PlanarModes m = planar_modes({p.W(0, 0), p.W(0, 1), p.W(1, 1), p.q(0), p.q(1), 0, p.mu(0)});
  if (m.degenerate || m.count() != 1) return std::nullopt;
  PlanarForce f = m.free;
  if (m.consistent == mode_T) f = m.stick;
  if (m.consistent == mode_S_plus) f = m.slip_plus;
  if (m.consistent == mode_S_minus) f = m.slip_minus;
  return Vector3d(f.lambda_t, 0, f.lambda_n);
}

// One contact needs no sweeps, nor their memory, unless it has no solution: that is for run() to see.
template <int D>
bool solve_at_once(const ContactProblem& problem, const SweepOptions& options, SweepReport& report) {
  if (options.method != SweepMethod::block || options.most_sweeps < 1) return false;
  Vector3d present = Vector3d::Zero();
  if (options.start.size() > 0) present = in_space(options.start, 0, D);
  const Vector3d b = in_space(problem.q, 0, D);
  report.found_by = SweepEnd::start;
  const bool loaded = options.start.size() == 0 && b.z() < 0 && problem.law[0] != Law::separated;
  if (!loaded && take<D>(problem, options, present, report)) return true;
  auto own = planar_force(problem);
  if (!own) own = nearest_solution(contact_block(problem, 0), b, present);
  report.found_by = SweepEnd::sweeps;
  report.sweeps = 1;
  if (own && take<D>(problem, options, *own, report)) return true;
  report = {};
  return false;
}

bool solve_one_contact(const ContactProblem& problem, const SweepOptions& options, SweepReport& report) {
  if (problem.dimension == 1) return solve_at_once<1>(problem, options, report);
  if (problem.dimension == 2) return solve_at_once<2>(problem, options, report);
  return solve_at_once<3>(problem, options, report);
}

// Few contacts: what a sweep costs is more than Newton's method from the start, which mostly succeeds.
bool solve_few_contacts(const ContactProblem& problem, const SweepOptions& options, SweepReport& report) {
  constexpr int few = 4;
  if (problem.count() > few || options.most_sweeps < 1) return false;
  const bool given = options.start.size() > 0;
  if (given && certify(problem, options, options.start, SweepEnd::start, report)) return true;
  return Finish(problem, options, report).at_once(given ? options.start : Eigen::VectorXd::Zero(problem.q.size()));
}

}  // namespace

SweepReport gauss_seidel(const ContactProblem& problem, const SweepOptions& options) {
  check(problem, options);
  SweepReport report;
  if (problem.count() == 1 && solve_one_contact(problem, options, report)) return report;
  if (solve_few_contacts(problem, options, report)) return report;
  Sweeper sweeper(problem, options);
  Growth growth(std::max(scale(problem).force, largest(sweeper.r())));
  const bool likely = options.start.size() > 0 || sweeper.seems_converged(options.tolerance);
  if (likely && certify(problem, options, sweeper.r(), SweepEnd::start, report)) return report;
  run(sweeper, growth, problem, options, report);
  if (report.status != SweepStatus::converged && !certify(problem, options, sweeper.r(), SweepEnd::sweeps, report) &&
      (growth.certain() || growth.likely()))
    report.status = SweepStatus::growing;
  report.factor = growth.factor();
  report.without_solution = sweeper.without_solution();
  return report;
}

const char* to_string(SweepStatus status) {
  switch (status) {
    case SweepStatus::converged:
      return "converged";
    case SweepStatus::growing:
      return "growing";
    case SweepStatus::limit:
      break;
  }
  return "limit";
}

const char* to_string(SweepEnd end) {
  switch (end) {
    case SweepEnd::start:
      return "start";
    case SweepEnd::sweeps:
      return "sweeps";
    case SweepEnd::modes:
      return "modes";
    case SweepEnd::pivoting:
      return "pivoting";
    case SweepEnd::nowhere:
      break;
  }
  return "nowhere";
}

}  // namespace painleve
