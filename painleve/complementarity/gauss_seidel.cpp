#include "painleve/complementarity/gauss_seidel.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "painleve/base/error.hpp"
#include "painleve/base/rounding.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/planar_modes.hpp"
#include "painleve/complementarity/slip_directions.hpp"

namespace painleve {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// An eigenvalue of W with unit diagonal below this is zero; a load along it up to `unbalanced` is only rounding.
constexpr double singular = 1e-12;
constexpr double unbalanced = 1e-10;

// What never changes of one contact, written in space: a planar contact has a second tangent without load or coupling.
struct Block {
  Matrix3d W = Matrix3d::Zero();
  double mu = 0;
  bool planar = true, bilateral = false;
  Law law = Law::resting;
  Vector2d e = Vector2d::Zero();
  double tangential = 0;               // |W_tt|
  int nulls = 0;                       // dimension of the forces without effect
  Matrix3d null = Matrix3d::Zero();    // they are spanned by the first `nulls` columns
  Matrix3d pseudo = Matrix3d::Zero();  // W pseudo (W x) = W x
  Matrix3d leak = Matrix3d::Zero();    // rows k < nulls: loads that no force balances, in units of `load` · b
  Vector3d load = Vector3d::Ones();    // 1/√W_ii
  double condition = 1;

  int rank() const { return (planar ? 2 : 3) - nulls; }
  double W_nn() const { return W(2, 2); }
  Vector2d W_tn() const { return W.topRightCorner<2, 1>(); }
};

// Rank is judged on W with unit diagonal, so that it does not depend on the units of r and w.
void find_null_space(Block& c) {
  for (int k = 0; k < 3; ++k) c.load(k) = c.W(k, k) > 0 ? 1 / std::sqrt(c.W(k, k)) : 1.0;
  Matrix3d unit = c.load.asDiagonal() * c.W * c.load.asDiagonal();
  if (c.planar) unit(1, 1) = 1;  // the tangent that is not there is neither force nor null direction
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(unit);
  while (c.nulls < 3 && eigen.eigenvalues()(c.nulls) <= singular) ++c.nulls;
  for (int k = 0; k < 3; ++k) {
    const Vector3d v = eigen.eigenvectors().col(k);
    if (k < c.nulls) {
      c.null.col(k) = c.load.asDiagonal() * v;
      c.leak.row(k) = v;
    } else {
      const Vector3d scaled = c.load.asDiagonal() * v;
      c.pseudo += scaled * scaled.transpose() / eigen.eigenvalues()(k);
    }
  }
  if (c.nulls < 3) c.condition = eigen.eigenvalues()(2) / eigen.eigenvalues()(c.nulls);
}

// Component k of a contact is row `in_space(k, dimension)` of its vectors in space.
int in_space(int k, int dimension) { return k == dimension - 1 ? 2 : k; }
Vector3d in_space(const Eigen::VectorXd& v, int row, int dimension) {
  Vector3d x = Vector3d::Zero();
  for (int k = 0; k < dimension; ++k) x(in_space(k, dimension)) = v(row + k);
  return x;
}

Block block_of(const ContactProblem& p, int i) {
  Block c;
  const auto at = static_cast<std::size_t>(i);
  c.planar = p.dimension < 3;
  c.mu = p.dimension > 1 ? p.mu(i) : 0;  // normals alone: without friction
  c.bilateral = p.bilateral[at];
  c.law = p.law[at];
  if (c.law == Law::sliding) c.e.head(p.dimension - 1) = p.slip.col(i);
  for (int j = 0; j < p.dimension; ++j) {
    for (int k = 0; k < p.dimension; ++k)
      c.W(in_space(j, p.dimension), in_space(k, p.dimension)) = p.W(p.tangent(i) + j, p.tangent(i) + k);
  }
  c.tangential = c.W.topLeftCorner<2, 2>().selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
  find_null_space(c);
  return c;
}

// r_t drawn back to the friction disc.
Vector3d cut(Vector3d r, double mu) {
  const double limit = mu * std::abs(r.z());
  const double size = r.head<2>().norm();
  if (size > limit) r.head<2>() *= limit / size;
  return r;
}

// Of the solutions that are offered, the nearest to the present force; of equally near ones the first.
class Nearest {
 public:
  explicit Nearest(const Vector3d& present) : present_(present) {}

  void offer(const Vector3d& r) {
    const double distance = (r - present_).norm();
    if (!(distance < distance_)) return;  // nor a number that is none
    distance_ = distance;
    best_ = r;
  }
  const Vector3d& present() const { return present_; }
  const Vector3d& best() const { return best_; }
  bool found() const { return distance_ < std::numeric_limits<double>::infinity(); }

 private:
  Vector3d present_, best_ = Vector3d::Zero();
  double distance_ = std::numeric_limits<double>::infinity();
};

// Member y d, low ≤ y ≤ high, of a ray of solutions.
void offer_ray(const Vector3d& d, double low, double high, Nearest& nearest) {
  nearest.offer(std::clamp(nearest.present().dot(d) / d.squaredNorm(), low, high) * d);
}

// Point of base + y d in the cone |r_t| ≤ μ sign r_n that is nearest to `target`, a point of the line. The cone is
// convex, so that is the target itself or an end of the chord.
void offer_line(const Vector3d& base, const Vector3d& d, const Vector3d& target, double mu, int sign,
                Nearest& nearest) {
  const auto in_cone = [&](const Vector3d& r) {
    return sign * r.z() >= 0 && r.head<2>().norm() <= mu * sign * r.z() * (1 + 4 * epsilon);
  };
  if (in_cone(target)) return nearest.offer(cut(target, mu));
  const auto form = [&](const Vector3d& x, const Vector3d& y) {
    return mu * mu * x.z() * y.z() - x.head<2>().dot(y.head<2>());
  };
  const double A = form(d, d);
  const double B = form(base, d);
  const double C = form(base, base);
  const double discriminant = or_zero(B * B - A * C, B * B + std::abs(A * C));
  if (discriminant < 0) return;
  const double q = -(B + std::copysign(std::sqrt(discriminant), B));
  Nearest ends(target);
  for (const double y : {q / A, C / q}) {
    const Vector3d r = base + y * d;
    if (std::isfinite(y) && sign * r.z() >= 0) ends.offer(cut(r, mu));
  }
  if (ends.found()) nearest.offer(ends.best());
}

// W of rank one: the forces that hold are those of a plane v·r = β in the cone. They exist when the edge of the cone
// that goes furthest towards the plane meets it.
void offer_plane(const Block& c, const Vector3d& b, int sign, Nearest& nearest) {
  Eigen::Index largest = 0;
  c.W.diagonal().maxCoeff(&largest);
  const Vector3d v = c.W.col(largest).normalized();
  const double beta = -v.dot(c.pseudo * b);
  const Vector3d foot = nearest.present() + v * (beta - v.dot(nearest.present()));
  const double side = beta < 0 ? -1.0 : 1.0;
  Vector3d edge(0, 0, sign);
  if (v.head<2>().norm() > 0) edge.head<2>() = c.mu * side * v.head<2>().normalized();
  const double reach = v.dot(edge);
  if (beta != 0 && !(side * reach > 0)) return;
  const Vector3d anchor = beta == 0 ? Vector3d::Zero() : Vector3d(edge * (beta / reach));
  nearest.offer(anchor);
  if (foot != anchor) offer_line(anchor, foot - anchor, foot, c.mu, sign, nearest);
}

// W = 0 and no load: every force of the cone holds.
void offer_cone(const Block& c, int sign, Nearest& nearest) {
  const Vector3d& r = nearest.present();
  const double tangential = r.head<2>().norm();
  const double normal = sign * r.z();
  if (tangential <= c.mu * normal) return nearest.offer(r);
  const double along = (c.mu * tangential + normal) / (1 + c.mu * c.mu);
  if (along <= 0) return nearest.offer(Vector3d::Zero());
  const Vector2d direction = r.head<2>() / tangential;
  nearest.offer({c.mu * along * direction.x(), c.mu * along * direction.y(), sign * along});
}

// Stick: W r = −b inside the cone |r_t| ≤ μ sign r_n.
void offer_holding(const Block& c, const Vector3d& b, int sign, Nearest& nearest) {
  const Vector3d load = c.load.asDiagonal() * b;
  if (c.nulls > 0 && (c.leak * load).norm() > unbalanced * load.norm()) return;
  if (c.rank() == 0) return offer_cone(c, sign, nearest);
  const Vector3d r = -(c.pseudo * b);
  if (c.nulls == 1) {
    const Vector3d d = c.null.col(0).normalized();
    return offer_line(r, d, r + d * d.dot(nearest.present() - r), c.mu, sign, nearest);
  }
  if (c.nulls == 2) return offer_plane(c, b, sign, nearest);
  // A force that leaves the cone by less than its rounding lies on the edge: no slip takes its place.
  const double rounding = std::min(16 * epsilon * c.condition * (1 + c.mu), 1e-10) * r.norm();
  if (sign * r.z() > 0 && r.head<2>().norm() <= c.mu * sign * r.z() + rounding) nearest.offer(cut(r, c.mu));
}

// r = y (−μ e, sign), y > 0: the normal motion is b_n + sign p y.
void offer_sliding(const Block& c, double b_n, int sign, Nearest& nearest) {
  const double p = sum_or_zero(c.W_nn(), -sign * c.mu * c.W_tn().dot(c.e));
  const Vector3d d(-c.mu * c.e.x(), -c.mu * c.e.y(), sign);
  const double y = -sign * b_n / p;
  if (p != 0 && y > 0) nearest.offer(y * d);
  if (p == 0 && b_n == 0) offer_ray(d, 0, std::numeric_limits<double>::max(), nearest);
}

// Slip along ±t with p± = b_n = 0: any force as long as a_t = b_t ∓ k± y keeps its direction.
void offer_slip_family(const PlanarModes& m, const PlanarContact& b, int sign, Nearest& nearest) {
  for (const int way : {1, -1}) {
    const double p = way > 0 ? m.p_plus : m.p_minus;
    const double k = way > 0 ? m.k_plus : m.k_minus;
    if (p != 0 || b.b_n != 0 || way * b.b_t < 0) continue;
    const double end = k > 0 ? way * b.b_t / k : std::numeric_limits<double>::max();
    offer_ray({-way * b.mu, 0, static_cast<double>(sign)}, 0, end, nearest);
  }
}

// `sign` = −1: the mirror image n → −n, in which a pulling force pushes.
void offer_planar(const Block& c, const Vector3d& b, int sign, Nearest& nearest) {
  const PlanarContact contact{c.W(0, 0), sign * c.W(0, 2), c.W_nn(), b.x(), sign * b.z(), 0, c.mu};
  const PlanarModes m = planar_modes(contact);
  const auto offer = [&](const PlanarForce& f) { nearest.offer({f.lambda_t, 0, sign * f.lambda_n}); };
  if ((m.consistent & mode_S_plus) != 0) offer(m.slip_plus);
  if ((m.consistent & mode_S_minus) != 0) offer(m.slip_minus);
  if (c.nulls == 0 && (m.consistent & mode_T) != 0) offer(m.stick);
  if (c.nulls > 0) offer_holding(c, b, sign, nearest);
  if (m.degenerate) offer_slip_family(m, contact, sign, nearest);
}

void offer_spatial(const Block& c, const Vector3d& b, int sign, Nearest& nearest) {
  offer_holding(c, b, sign, nearest);
  if (sign * b.z() > 0 && c.mu * c.W_tn().norm() < c.W_nn()) return;  // λ_n = −b_n/p would pull in every direction
  const SpatialContact contact{c.W.topLeftCorner<2, 2>(), c.W_tn(), c.W_nn(), b.head<2>(), b.z(),
                               Vector2d::Zero(),          c.mu};
  for (const SlipDirection& s : slip_directions(contact, sign).consistent) {
    const Vector2d r_t = -c.mu * std::abs(s.lambda_n) * s.e;
    nearest.offer({r_t.x(), r_t.y(), s.lambda_n});
  }
}

// All solutions of one contact's own problem w = W r + b.
void offer_solutions(const Block& c, const Vector3d& b, Nearest& nearest) {
  if (b.z() == 0 || (b.z() > 0 && !c.bilateral)) nearest.offer(Vector3d::Zero());
  for (const int sign : {1, -1}) {
    if (sign < 0 && !c.bilateral) break;
    if (c.law == Law::sliding || c.mu == 0) {
      offer_sliding(c, b.z(), sign, nearest);
    } else if (c.planar) {
      offer_planar(c, b, sign, nearest);
    } else {
      offer_spatial(c, b, sign, nearest);
    }
  }
}

// One step of the projected sweep. Where W does not respond, a force that the motion forbids is taken away, and one
// that it asks for is not added without end.
Vector3d projected_step(const Block& c, Vector3d r, const Vector3d& w) {
  const double before = r.z();
  if (c.W_nn() != 0) {
    r.z() -= w.z() / std::abs(c.W_nn());  // negative only in normals alone, where W need not be a Gram matrix
  } else if (w.z() > 0 && !c.bilateral) {
    r.z() = 0;
  }
  if (!c.bilateral) r.z() = std::max(0.0, r.z());
  const double limit = c.mu * std::abs(r.z());
  if (c.law == Law::sliding) {
    r.head<2>() = -limit * c.e;
    return r;
  }
  const Vector2d w_t = w.head<2>() + c.W_tn() * (r.z() - before);
  if (c.tangential > 0) {
    r.head<2>() -= w_t / c.tangential;
  } else if (w_t.norm() > 0) {
    r.head<2>() = -limit * w_t.normalized();
  }
  return cut(r, c.mu);
}

// Distance of a force from the natural map r = proj(r − ρ w). A cheap look at what law_residual() will say.
double distance_from_law(const Block& c, const Vector3d& r, const Vector3d& w, double rho) {
  if (c.law == Law::separated) return r.norm();
  const double pressed = r.z() - rho * w.z();
  const double normal = std::abs(r.z() - (c.bilateral ? pressed : std::max(0.0, pressed)));
  Vector3d wanted(0, 0, r.z());
  if (c.law == Law::sliding) {
    wanted.head<2>() = -c.mu * std::abs(r.z()) * c.e;
  } else {
    wanted.head<2>() = r.head<2>() - rho * w.head<2>();
    wanted = cut(wanted, c.mu);
  }
  return std::max(normal, (r - wanted).norm());
}

double largest(const Eigen::VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0; }

// What evolves: r, and the motion b = q + Σ W_ij r_j that each contact would have without its own force. That sum, not
// w, follows the changes of r: the load of a contact whose own force runs away would drown in w − W_ii r_i.
class Sweeper {
 public:
  Sweeper(const ContactProblem& problem, const SweepOptions& options) : problem_(problem), method_(options.method) {
    r_ = options.start.size() > 0 ? options.start : Eigen::VectorXd::Zero(problem.q.size());
    before_ = r_;
    blocks_.reserve(static_cast<std::size_t>(problem.count()));
    for (int i = 0; i < problem.count(); ++i) blocks_.push_back(block_of(problem, i));
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
      for (int k = 0; k < problem_.dimension; ++k) r_(problem_.tangent(i) + k) = next(in_space(k, problem_.dimension));
      spread(i, next - force);
    }
  }

  // What law_residual() will say, without its product with W.
  bool seems_converged(double tolerance) const {
    const double most = tolerance * std::max(size(), load_);
    for (int i = 0; i < problem_.count(); ++i) {
      const Block& c = blocks_[static_cast<std::size_t>(i)];
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
    for (int k = 0; k < problem_.dimension; ++k) b_(t + k) = own(in_space(k, problem_.dimension));
  }

  Vector3d updated(int i, const Vector3d& force) {
    const Block& c = blocks_[static_cast<std::size_t>(i)];
    if (c.law == Law::separated) return Vector3d::Zero();
    const Vector3d b = load_at(i);
    if (method_ == SweepMethod::block) {
      Nearest nearest(force);
      offer_solutions(c, b, nearest);
      if (nearest.found()) return nearest.best();
      if (without_solution_ < 0) without_solution_ = i;
    }
    return projected_step(c, force, b + c.W * force);
  }

  const ContactProblem& problem_;
  SweepMethod method_;
  std::vector<Block> blocks_;
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
  bool certain() const { return geometric() && (beyond_ > memory || size_ > near_overflow * force_); }

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

double certificate(const ContactProblem& problem, const Eigen::VectorXd& r) {
  return law_residual(problem, r, problem.W * r + problem.q);
}

// Sweeps until the laws hold, r runs away or nothing moves any more; returns their number.
int run(Sweeper& sweeper, Growth& growth, const ContactProblem& problem, const SweepOptions& options) {
  int idle = 0;
  for (int sweeps = 1; sweeps <= options.most_sweeps; ++sweeps) {
    sweeper.sweep();
    if (!sweeper.finite()) {
      sweeper.undo();
      return sweeps - 1;
    }
    const double change = sweeper.change();
    growth.add(change, sweeper.size());
    idle = change == 0 ? idle + 1 : 0;
    constexpr int between_refreshments = 32;
    const bool converged = sweeper.seems_converged(options.tolerance);
    if (converged || idle > 0 || sweeps % between_refreshments == 0) sweeper.refresh();
    if (converged && certificate(problem, sweeper.r()) <= options.tolerance) return sweeps;
    if (idle > 1 || growth.certain()) return sweeps;
  }
  return options.most_sweeps;
}

}  // namespace

SweepReport gauss_seidel(const ContactProblem& problem, const SweepOptions& options) {
  check(problem, options);
  Sweeper sweeper(problem, options);
  Growth growth(std::max(scale(problem).force, largest(sweeper.r())));
  SweepReport report;
  const bool solved = certificate(problem, sweeper.r()) <= options.tolerance;
  if (!solved) report.sweeps = run(sweeper, growth, problem, options);
  report.r = sweeper.r();
  report.w = problem.W * report.r + problem.q;
  report.residual = law_residual(problem, report.r, report.w);
  if (report.residual <= options.tolerance) {
    report.status = SweepStatus::converged;
  } else if (growth.certain() || growth.likely()) {
    report.status = SweepStatus::growing;
  }
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

}  // namespace painleve
