#include "painleve/simulation/rigid_flow.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/linear_feasibility.hpp"

namespace painleve {
namespace {

// Columns whose forces hold each other up (the feet of a table) leave A singular by construction: their smallest
// singular value is rounding, far below where a slip that runs into p = 0 is left.
constexpr double rank_tolerance = 1e-13;

}  // namespace

RigidFlow::RigidFlow(const SimulationProblem& problem, std::vector<ContactMode> modes, bool rescaled, double t_end)
    : problem_(problem),
      modes_(std::move(modes)),
      rescaled_(rescaled),
      t_end_(t_end),
      degrees_(static_cast<int>(problem.start.q.size())),
      dimension_(problem.mechanism->dimension()),
      unknowns_(0),
      direction_(dimension_ - 1) {
  const int contacts = static_cast<int>(modes_.size());
  lambda_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(contacts) * dimension_);
  bool slips = false;
  if (rescaled_) endings_.push_back({Ending::t_end, -1});
  for (int i = 0; i < contacts; ++i) {
    const bool unilateral = !problem_.bilateral[static_cast<std::size_t>(i)];
    switch (modes_[static_cast<std::size_t>(i)].letter) {
      case Letter::F:
        endings_.push_back({Ending::landing, i});
        break;
      case Letter::T:
        unknowns_ += dimension_;
        if (unilateral) endings_.push_back({Ending::liftoff, i});
        endings_.push_back({Ending::cone_edge, i});
        break;
      case Letter::S:
        unknowns_ += 1;
        slips = true;
        endings_.push_back({Ending::liftoff, i});  // of a bilateral contact: its force changes side
        endings_.push_back({Ending::slip_stop, i});
        break;
    }
  }
  if (slips) {
    endings_.push_back({Ending::singular, -1});
    if (rescaled_) endings_.push_back({Ending::regular, -1});
  }
  if (std::isfinite(problem_.mechanism->room(problem_.start))) endings_.push_back({Ending::joint_limit, -1});
  s_.q.resize(degrees_);
  s_.v.resize(degrees_);
  h_.resize(static_cast<Eigen::Index>(contacts) * dimension_, degrees_);
  C_.resize(unknowns_, degrees_);
  R_.resize(unknowns_, degrees_);
  A_.resize(unknowns_, unknowns_);
  drift_.resize(unknowns_);
  diagonal_.resize(unknowns_);
  x_.resize(unknowns_);
  free_.resize(degrees_);
  v_dot_.resize(degrees_);
}

Eigen::VectorXd RigidFlow::start(const State& state, double friction, double applied, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd y(size());
  y << state.t, state.q, state.v, friction, applied, impulse;
  evaluate(state);
  // A phase may also run where det A < 0 (slip that the stiff limit rejects); it then ends where D rises to zero.
  start_sign_ = D_ < 0 ? -1 : 1;
  return y;
}

State RigidFlow::state(const Eigen::VectorXd& y) const {
  return {y.segment(1, degrees_), y.segment(1 + degrees_, degrees_), y(0)};
}

void RigidFlow::load(const Eigen::VectorXd& y) const {
  s_.t = y(0);
  s_.q = y.segment(1, degrees_);
  s_.v = y.segment(1 + degrees_, degrees_);
}

// direction_ := that of slip at this contact, in space along u_t where that is known.
void RigidFlow::set_direction(int contact) const {
  direction_ = modes_[static_cast<std::size_t>(contact)].direction;
  if (dimension_ == 2 || keeps_directions_) return;
  const auto u_t = d_.u.segment(dimension_ * contact, 2);
  const double speed = u_t.norm();
  if (speed > problem_.tolerance.velocity) direction_ = u_t / speed;
}

// The half solves of the force columns, of the rows that they hold, and the diagonal that measures D.
void RigidFlow::build_columns() const {
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int t = dimension_ * i;
    const int n = t + dimension_ - 1;
    for (int row = t; row <= n; ++row) {
      h_.row(row) = d_.J.row(row);
      mass_.half(h_.data() + row * h_.cols());
    }
    if (mode.letter == Letter::T) {
      for (int j = 0; j < dimension_; ++j, ++k) {
        R_.row(k) = C_.row(k) = h_.row(t + j);
        drift_(k) = d_.drift(t + j);
      }
      continue;
    }
    set_direction(i);
    const double friction = problem_.laws[static_cast<std::size_t>(i)].mu * mode.force_sign;
    R_.row(k) = C_.row(k) = h_.row(n);
    for (int j = 0; j < dimension_ - 1; ++j) C_.row(k) -= friction * direction_(j) * h_.row(t + j);
    drift_(k) = d_.drift(n);
    ++k;
  }
}

void RigidFlow::evaluate_at(const Eigen::VectorXd& y) const {
  load(y);
  evaluate(s_);
}

void RigidFlow::evaluate(const State& state) const {
  if (&state != &s_) s_ = state;
  problem_.mechanism->dynamics(s_, d_);
  mass_.factorise(d_.M);
  free_ = d_.f;
  mass_.half(free_.data());
  lambda_.setZero();
  D_ = 1;
  family_ = false;
  v_dot_ = free_;
  if (unknowns_ > 0) {
    build_columns();
    for (int k = 0; k < unknowns_; ++k) {
      diagonal_(k) = R_.row(k).squaredNorm();
      x_(k) = -R_.row(k).dot(free_) - drift_(k);
      for (int l = 0; l < unknowns_; ++l) A_(k, l) = R_.row(k).dot(C_.row(l));
    }
    solve_forces();
    for (int k = 0; k < unknowns_; ++k) v_dot_ += x_(k) * C_.row(k).transpose();
    spread_forces();
  }
  mass_.other_half(v_dot_.data());
}

// From the unknowns to λ, stacked over all contacts.
void RigidFlow::spread_forces() const {
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    const int t = dimension_ * i;
    if (mode.letter == Letter::T) {
      lambda_.segment(t, dimension_) = x_.segment(k, dimension_);
      k += dimension_;
    } else if (mode.letter == Letter::S) {
      const double friction = problem_.laws[static_cast<std::size_t>(i)].mu * mode.force_sign;
      set_direction(i);
      lambda_.segment(t, dimension_ - 1) = -friction * x_(k) * direction_;
      lambda_(t + dimension_ - 1) = x_(k);
      ++k;
    }
  }
}

// x := A⁻¹ x, and D.
void RigidFlow::solve_forces() const {
  if (unknowns_ == 1) {
    D_ = A_(0, 0) / diagonal_(0);
    x_(0) /= A_(0, 0);
    return;
  }
  if (unknowns_ == 2) {
    const double det = A_(0, 0) * A_(1, 1) - A_(0, 1) * A_(1, 0);
    D_ = det / (diagonal_(0) * diagonal_(1));
    if (std::abs(D_) > rank_tolerance) {
      const double x0 = (A_(1, 1) * x_(0) - A_(0, 1) * x_(1)) / det;
      x_(1) = (A_(0, 0) * x_(1) - A_(1, 0) * x_(0)) / det;
      x_(0) = x0;
      return;
    }
  }
  lu_.compute(A_);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  D_ = lu_.determinant() / diagonal_.prod();
  if (pivots.minCoeff() > rank_tolerance * pivots.maxCoeff()) {
    side_ = x_;
    x_ = lu_.solve(side_);
    return;
  }
  family_ = true;
  D_ = 1;
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(A_);
  x_ = cod.solve(x_);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A_, Eigen::ComputeFullV);
  const Eigen::VectorXd& sigma = svd.singularValues();
  const auto rank = (sigma.array() > rank_tolerance * sigma(0)).count();
  pick_from_family(svd.matrixV().rightCols(unknowns_ - rank));
}

// Rows g with g x ≥ 0: the normal forces, and in the plane the edges of the friction cones of sticking contacts.
void RigidFlow::cone_rows(Eigen::MatrixXd& G) const {
  G = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(3) * unknowns_, unknowns_);
  Eigen::Index row = 0;
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int n = mode.letter == Letter::T ? k + dimension_ - 1 : k;
    if (!problem_.bilateral[static_cast<std::size_t>(i)]) G(row++, n) = 1;
    if (mode.letter == Letter::T && dimension_ == 2) {
      const double sign = problem_.bilateral[static_cast<std::size_t>(i)] ? mode.force_sign : 1;
      for (const double side : {-1.0, 1.0}) {
        G(row, n) = stick_mu(i) * sign;
        G(row++, k) = side;
      }
    }
    k = n + 1;
  }
  G.conservativeResize(row, unknowns_);
}

// The forces are not determined (a table on four legs) but the motion is: take the smallest, or where these violate a
// law some that do not, deep inside the friction cones; so the phase lasts as long as there are any. Round cones are
// cut out of half spaces, one more per contact and round, where the last choice leaves them.
void RigidFlow::pick_from_family(const Eigen::MatrixXd& null_space) const {
  if (null_space.cols() == 0) return;
  Eigen::MatrixXd G;
  cone_rows(G);
  const Eigen::VectorXd smallest = x_;
  const double size = std::max(1.0, x_.cwiseAbs().maxCoeff());
  for (int round = 0; round < 40; ++round) {
    double least = G.rows() == 0 ? 0 : (G * x_).minCoeff();
    if (dimension_ == 3) least = std::min(least, cut_cones(G));
    if (least >= (round == 0 ? 0 : -1e-12 * size)) return;
    Interior deepest;
    for (const double box : {1.0, 10.0, 100.0, 1000.0}) {
      deepest = deepest_point(G * null_space, G * smallest / size, box);
      if (deepest.depth > 0) break;
    }
    if (deepest.depth <= 0) {
      x_ = smallest;  // there are none
      return;
    }
    x_ = smallest + size * null_space * deepest.y;
  }
}

// Adds to G, for each sticking contact in space, the half space that touches its cone where x_ points; the least
// margin.
double RigidFlow::cut_cones(Eigen::MatrixXd& G) const {
  double least = 0;
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int n = mode.letter == Letter::T ? k + dimension_ - 1 : k;
    const double along = mode.letter == Letter::T ? x_.segment(k, 2).norm() : 0;
    if (along > 0 && !problem_.bilateral[static_cast<std::size_t>(i)]) {
      G.conservativeResize(G.rows() + 1, unknowns_);
      G.bottomRows(1).setZero();
      G(G.rows() - 1, n) = stick_mu(i);
      G.block(G.rows() - 1, k, 1, 2) = -x_.segment(k, 2).transpose() / along;
      least = std::min(least, stick_mu(i) * x_(n) - along);
    }
    k = n + 1;
  }
  return least;
}

double RigidFlow::stick_mu(int contact) const {
  const ContactLaw& law = problem_.laws[static_cast<std::size_t>(contact)];
  return law.mu_static.value_or(law.mu);
}

void RigidFlow::rates(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
  load(y);
  if (!rescaled_) s_.t = sigma;
  evaluate(s_);
  const double phi = clock();
  rate(0) = phi;
  rate.segment(1, degrees_) = phi * s_.v;
  rate.segment(1 + degrees_, degrees_) = phi * v_dot_;
  // u = J v minus the velocity of the surface: what λ does on the surface's part of the motion is put in by its drive.
  double on_body = 0;
  double on_slip = 0;
  for (Eigen::Index r = 0; r < lambda_.size(); ++r) {
    if (lambda_(r) == 0) continue;
    on_body += lambda_(r) * d_.J.row(r).dot(s_.v);
    on_slip += lambda_(r) * d_.u(r);
  }
  rate(1 + 2 * degrees_) = -phi * on_slip;
  rate(2 + 2 * degrees_) = phi * (d_.applied.dot(s_.v) + d_.drive + on_body - on_slip);
  rate.tail(lambda_.size()) = phi * lambda_;
}

double RigidFlow::landing_value(int contact) const {
  const double gap = d_.gap(contact);
  // A contact that lifts off as slowly as t³ does not land by the rounding of its gap.
  if (gap <= 0 && d_.u(dimension_ * contact + dimension_ - 1) > 0) return std::numeric_limits<double>::min();
  const auto& beyond = problem_.laws[static_cast<std::size_t>(contact)].lands_beyond;
  if (!beyond) return gap;
  double behind = gap;
  for (int j = 0; j < static_cast<int>(modes_.size()); ++j) {
    if (modes_[static_cast<std::size_t>(j)].letter == Letter::F) continue;
    behind = std::max(behind, d_.place(dimension_ * j) + *beyond - d_.place(dimension_ * contact));
  }
  return behind;
}

std::pair<double, int> RigidFlow::jam_ratio() const {
  std::pair<double, int> largest{0, -1};
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (modes_[static_cast<std::size_t>(i)].letter == Letter::F) continue;
    const int t = dimension_ * i;
    const int n = t + dimension_ - 1;
    double W_tn = 0;
    for (int row = t; row < n; ++row) W_tn = std::hypot(W_tn, h_.row(row).dot(h_.row(n)));
    const double ratio = problem_.laws[static_cast<std::size_t>(i)].mu * W_tn / h_.row(n).squaredNorm();
    if (ratio >= largest.first) largest = {ratio, i};
  }
  return largest;
}

double RigidFlow::value_of(const End& end) const {
  const auto i = static_cast<std::size_t>(end.contact);
  const int t = dimension_ * end.contact;
  const int n = t + dimension_ - 1;
  switch (end.kind) {
    case Ending::t_end:
      return t_end_ - s_.t;
    case Ending::landing:
      return landing_value(end.contact);
    case Ending::liftoff:
      // On the slow clock times φ > 0: the force itself grows without bound where D → 0.
      return lambda_(n) * modes_[i].force_sign * clock();
    case Ending::slip_stop:
      return dimension_ == 2 ? d_.u(t) * modes_[i].direction(0) : d_.u.segment(t, 2).norm() - slow_slip;
    case Ending::cone_edge:
      return stick_mu(end.contact) * std::abs(lambda_(n)) - lambda_.segment(t, dimension_ - 1).norm();
    case Ending::singular:
      return rescaled_ ? start_sign_ * D_ - singular_below : start_sign_ * D_ - slow_below;
    case Ending::regular:
      return fast_above - start_sign_ * D_;
    case Ending::joint_limit:
      return std::max(problem_.mechanism->room(s_), -1.0);  // finite where a trial state cannot be put together
  }
  return 1;
}

void RigidFlow::values(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& g) const {
  load(y);
  if (!rescaled_) s_.t = sigma;
  evaluate(s_);
  for (int k = 0; k < count(); ++k) g(k) = value_of(endings_[static_cast<std::size_t>(k)]);
}

double RigidFlow::energy() const { return s_.v.dot(d_.M.lazyProduct(s_.v)) / 2 + d_.potential; }

}  // namespace painleve
