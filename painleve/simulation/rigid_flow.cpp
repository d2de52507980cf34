#include "painleve/simulation/rigid_flow.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/complementarity/linear_feasibility.hpp"

namespace painleve {
namespace {

// Columns whose forces hold each other up (the feet of a table) leave A singular by construction: their smallest
// singular value is rounding, far below where a slip that runs into p = 0 is left.
constexpr double rank_tolerance = 1e-13;

// So few numbers that a call to copy them would cost more than they do.
void copy(const double* from, Eigen::Index n, double* to) {
  if (n == 3) {
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
  } else {
    std::copy_n(from, n, to);
  }
}

}  // namespace

RigidFlow::RigidFlow(const SimulationProblem& problem, std::vector<ContactMode> modes, bool rescaled, double t_end)
    : problem_(problem),
      modes_(std::move(modes)),
      rescaled_(rescaled),
      t_end_(t_end),
      degrees_(static_cast<int>(problem.start.q.size())),
      dimension_(problem.mechanism->dimension()),
      unknowns_(0),
      single_(degrees_ == 3 && dimension_ == 2 && modes_.size() == 1) {
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
  held_.resize(static_cast<std::size_t>(unknowns_));
  A_.resize(unknowns_, unknowns_);
  diagonal_.resize(unknowns_);
  x_.resize(unknowns_);
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

// Whether this is the state that was evaluated last; if not, it becomes s_.
bool RigidFlow::load(double t, const double* q, const double* v) const {
  const auto is = [this](const double* x, const double* y) { return std::equal(x, x + degrees_, y); };
  const bool same = evaluated_ && t == s_.t && is(q, s_.q.data()) && is(v, s_.v.data());
  if (same) return true;
  evaluated_ = false;
  s_.t = t;
  copy(q, degrees_, s_.q.data());
  copy(v, degrees_, s_.v.data());
  return false;
}

// The direction of slip at this contact, in space along u_t where that is known; valid until the next call.
const double* RigidFlow::direction_of(int contact) const {
  const ContactMode& mode = modes_[static_cast<std::size_t>(contact)];
  if (dimension_ == 2 || keeps_directions_) return mode.direction.data();
  const double* u_t = d_.u.data() + static_cast<Eigen::Index>(dimension_) * contact;
  const double speed = std::sqrt(u_t[0] * u_t[0] + u_t[1] * u_t[1]);
  if (!(speed > problem_.tolerance.velocity)) return mode.direction.data();
  direction_ = {u_t[0] / speed, u_t[1] / speed};
  return direction_.data();
}

// The half solves of the rows that are held and of the force columns, which for a sticking contact are the same.
void RigidFlow::build_columns() const {
  const Eigen::Index size = degrees_;
  std::size_t k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    if (mode.letter == Letter::F) continue;
    const int t = dimension_ * i;
    const int n = t + dimension_ - 1;
    for (int row = t; row <= n; ++row) mass_.half_of_row(d_.J, row, h_.data() + row * size);
    if (mode.letter == Letter::T) {
      for (int row = t; row <= n; ++row, ++k)
        held_[k] = {h_.data() + row * size, h_.data() + row * size, d_.drift(row)};
      continue;
    }
    const double friction = problem_.laws[static_cast<std::size_t>(i)].mu * mode.force_sign;
    const double* const e = direction_of(i);
    const double* const h_n = h_.data() + n * size;
    double* const column = C_.data() + static_cast<Eigen::Index>(k) * size;
    std::memcpy(column, h_n, static_cast<std::size_t>(size) * sizeof(double));
    for (int j = 0; j < dimension_ - 1; ++j) detail::add(-(friction * e[j]), h_.data() + (t + j) * size, column, size);
    held_[k++] = {h_n, column, d_.drift(n)};
  }
}

void RigidFlow::evaluate(const State& state) const {
  if (!load(state.t, state.q.data(), state.v.data())) evaluate_loaded();
}

void RigidFlow::evaluate_loaded() const {
  problem_.mechanism->dynamics(s_, d_);
  if (!(single_ && same_mass())) factorise();
  if (!(single_ && (diagonal_mass_ ? solve_single<true>() : solve_single<false>()))) solve_all();
  evaluated_ = true;
}

// Whether the mass matrix of three degrees of freedom is the one that was factorised last.
bool RigidFlow::same_mass() const {
  const double* const M = d_.M.data();
  return M[0] == factorised_[0] && M[1] == factorised_[1] && M[2] == factorised_[2] && M[4] == factorised_[3] &&
         M[5] == factorised_[4] && M[8] == factorised_[5];
}

void RigidFlow::factorise() const {
  mass_.factorise(d_.M);
  if (!single_) return;
  const double* const M = d_.M.data();
  factorised_ = {M[0], M[1], M[2], M[4], M[5], M[8]};
  diagonal_mass_ = M[1] == 0 && M[2] == 0 && M[5] == 0;
  for (int i = 0; i < 3; ++i) inverse_[static_cast<std::size_t>(i)] = 1 / mass_.pivot(i);
}

// One contact of a mechanism with three degrees of freedom in the plane: what solve_all() does, number by number in the
// same order, with every size known; without the zeros of a mass matrix that is diagonal. An evaluation waits for the
// one before it, so that its time is that of its longest chain of operations. False where the force is not determined:
// solve_all() has to pick it.
template <bool diagonal>
bool RigidFlow::solve_single() const {
  using Triple = std::array<double, 3>;
  const auto half = [this](Triple x) {
    if constexpr (diagonal) {
      x = {x[0] * inverse_[0], x[1] * inverse_[1], x[2] * inverse_[2]};
    } else {
      mass_.half(x.data());
    }
    return x;
  };
  const auto dot = [](const Triple& x, const Triple& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; };
  const double* const J = d_.J.data();
  const double* const drift = d_.drift.data();
  const ContactMode& mode = modes_.front();
  Triple v_dot = half({d_.f.data()[0], d_.f.data()[1], d_.f.data()[2]});
  const auto push = [&](double x, const Triple& column) {
    for (std::size_t i = 0; i < 3; ++i) v_dot[i] += x * column[i];
  };
  double lambda_t = 0;
  double lambda_n = 0;
  D_ = 1;
  if (mode.letter != Letter::F) {
    const Triple h_t = half({J[0], J[2], J[4]});
    const Triple h_n = half({J[1], J[3], J[5]});
    copy(h_t.data(), 3, h_.data());
    copy(h_n.data(), 3, h_.data() + 3);
    const double b_n = -dot(h_n, v_dot) - drift[1];
    const double W_nn = dot(h_n, h_n);
    if (mode.letter == Letter::T) {
      const double b_t = -dot(h_t, v_dot) - drift[0];
      const double W_tt = dot(h_t, h_t), W_tn = dot(h_t, h_n);
      const double det = W_tt * W_nn - W_tn * W_tn;
      D_ = det / (W_tt * W_nn);
      if (!(std::abs(D_) > rank_tolerance)) return false;
      lambda_t = (W_nn * b_t - W_tn * b_n) / det;
      lambda_n = (W_tt * b_n - W_tn * b_t) / det;
      push(lambda_t, h_t);
      push(lambda_n, h_n);
    } else {
      const double friction = problem_.laws.front().mu * mode.force_sign;
      const double e = mode.direction.data()[0];
      const double c = -(friction * e);
      const Triple column{h_n[0] + c * h_t[0], h_n[1] + c * h_t[1], h_n[2] + c * h_t[2]};
      const double p = dot(h_n, column);
      D_ = p / W_nn;
      lambda_n = b_n / p;
      lambda_t = -friction * lambda_n * e;
      push(lambda_n, column);
    }
  }
  lambda_.data()[0] = lambda_t;
  lambda_.data()[1] = lambda_n;
  if constexpr (diagonal) {
    v_dot = half(v_dot);
  } else {
    mass_.other_half(v_dot.data());
  }
  copy(v_dot.data(), 3, v_dot_.data());
  family_ = false;
  return true;
}

void RigidFlow::solve_all() const {
  const Eigen::Index size = degrees_;
  double* const v_dot = v_dot_.data();
  for (Eigen::Index i = 0; i < size; ++i) v_dot[i] = d_.f.data()[i];
  mass_.half(v_dot);
  for (Eigen::Index r = 0; r < lambda_.size(); ++r) lambda_.data()[r] = 0;
  D_ = 1;
  family_ = false;
  if (unknowns_ > 0) {
    build_columns();
    for (int k = 0; k < unknowns_; ++k) {
      const Held& held = held_[static_cast<std::size_t>(k)];
      x_(k) = -detail::dot(held.row, v_dot, size) - held.drift;
      diagonal_(k) = detail::dot(held.row, held.row, size);
      for (int l = 0; l < unknowns_; ++l) {
        const double* const column = held_[static_cast<std::size_t>(l)].column;
        A_(k, l) = column == held.row ? diagonal_(k) : detail::dot(held.row, column, size);
      }
    }
    solve_forces();
    for (int k = 0; k < unknowns_; ++k) detail::add(x_(k), held_[static_cast<std::size_t>(k)].column, v_dot, size);
    spread_forces();
  }
  mass_.other_half(v_dot);
}

// From the unknowns to λ, stacked over all contacts.
void RigidFlow::spread_forces() const {
  int k = 0;
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    const ContactMode& mode = modes_[static_cast<std::size_t>(i)];
    const int t = dimension_ * i;
    if (mode.letter == Letter::T) {
      for (int j = 0; j < dimension_; ++j, ++k) lambda_(t + j) = x_(k);
    } else if (mode.letter == Letter::S) {
      const double friction = problem_.laws[static_cast<std::size_t>(i)].mu * mode.force_sign;
      const double* const e = direction_of(i);
      for (int j = 0; j < dimension_ - 1; ++j) lambda_(t + j) = -friction * x_(k) * e[j];
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

void RigidFlow::evaluate_at(double sigma, const Eigen::VectorXd& y) const {
  if (!load(rescaled_ ? y(0) : sigma, y.data() + 1, y.data() + 1 + degrees_)) evaluate_loaded();
}

void RigidFlow::rates(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
  evaluate_at(sigma, y);
  const double phi = clock();
  const double* const v = s_.v.data();
  const Eigen::Index rows = d_.J.rows();
  if (single_) {
    rates_of_single(phi, rate.data());
    return;
  }
  rate(0) = phi;
  for (Eigen::Index i = 0; i < degrees_; ++i) {
    rate(1 + i) = phi * v[i];
    rate(1 + degrees_ + i) = phi * v_dot_(i);
  }
  // u = J v minus the velocity of the surface: what λ does on the surface's part of the motion is put in by its drive.
  double on_body = 0;
  double on_slip = 0;
  for (Eigen::Index r = 0; r < lambda_.size(); ++r) {
    rate(3 + 2 * degrees_ + r) = phi * lambda_(r);
    if (lambda_(r) == 0) continue;
    double along = 0;
    for (Eigen::Index i = 0; i < degrees_; ++i) along += d_.J.data()[r + i * rows] * v[i];
    on_body += lambda_(r) * along;
    on_slip += lambda_(r) * d_.u(r);
  }
  rate(1 + 2 * degrees_) = -phi * on_slip;
  const double applied = detail::dot(d_.applied.data(), v, degrees_);
  rate(2 + 2 * degrees_) = phi * (applied + d_.drive + on_body - on_slip);
}

// As rates(), for one contact of three degrees of freedom in the plane.
void RigidFlow::rates_of_single(double phi, double* rate) const {
  const double* const v = s_.v.data();
  const double* const v_dot = v_dot_.data();
  const double* const J = d_.J.data();
  const double* const u = d_.u.data();
  const double* const lambda = lambda_.data();
  rate[0] = phi;
  for (int i = 0; i < 3; ++i) {
    rate[1 + i] = phi * v[i];
    rate[4 + i] = phi * v_dot[i];
  }
  const double on_body =
      lambda[0] * (J[0] * v[0] + J[2] * v[1] + J[4] * v[2]) + lambda[1] * (J[1] * v[0] + J[3] * v[1] + J[5] * v[2]);
  const double on_slip = lambda[0] * u[0] + lambda[1] * u[1];
  rate[7] = -phi * on_slip;
  rate[8] = phi * (detail::dot(d_.applied.data(), v, 3) + d_.drive + on_body - on_slip);
  rate[9] = phi * lambda[0];
  rate[10] = phi * lambda[1];
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
      return stick_mu(end.contact) * std::abs(lambda_(n)) -
             (dimension_ == 2 ? std::abs(lambda_(t)) : lambda_.segment(t, 2).norm());
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
  evaluate_at(sigma, y);
  for (int k = 0; k < count(); ++k) g(k) = value_of(endings_[static_cast<std::size_t>(k)]);
}

double RigidFlow::energy() const { return s_.v.dot(d_.M.lazyProduct(s_.v)) / 2 + d_.potential; }

}  // namespace painleve
