#include "painleve/simulation/rigid_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace painleve {
namespace {

// Much of what follows is inlined by force: an evaluation is made of a few dozen operations, and as many more would go
// into calls.

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
      t_end_(t_end),
      degrees_(static_cast<int>(problem.start.q.size())),
      dimension_(problem.mechanism->dimension()),
      limited_(std::isfinite(problem.mechanism->room(problem.start))) {
  s_.q.resize(degrees_);
  s_.v.resize(degrees_);
  v_dot_.resize(degrees_);
  set_modes(std::move(modes), rescaled);
}

void RigidFlow::set_modes(std::vector<ContactMode> modes, bool rescaled) {
  modes_ = std::move(modes);
  rescaled_ = rescaled;
  keeps_directions_ = false;
  start_sign_ = 1;
  evaluated_ = false;
  evaluations_ = 0;
  const int contacts = static_cast<int>(modes_.size());
  single_ = degrees_ == 3 && dimension_ == 2 && contacts == 1;
  plain_ = single_ && !rescaled_ && !limited_ && !problem_.bilateral[0];
  find_endings();
  lambda_.setZero(static_cast<Eigen::Index>(contacts) * dimension_);
  h_.resize(static_cast<Eigen::Index>(contacts) * dimension_, degrees_);
  C_.resize(unknowns_, degrees_);
  held_.resize(static_cast<std::size_t>(unknowns_));
  A_.resize(unknowns_, unknowns_);
  diagonal_.resize(unknowns_);
  x_.resize(unknowns_);
  kept_values_.resize(static_cast<Eigen::Index>(endings_.size()), static_cast<Eigen::Index>(kept));
}

// What may end this mode, and how many forces are unknown in it.
void RigidFlow::find_endings() {
  endings_.clear();
  unknowns_ = 0;
  bool slips = false;
  if (rescaled_) endings_.push_back({Ending::t_end, -1});
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
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
  if (limited_) endings_.push_back({Ending::joint_limit, -1});
}

Eigen::VectorXd RigidFlow::start(const State& state, double friction, double applied, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd y;
  start(state, friction, applied, impulse, y);
  return y;
}

void RigidFlow::start(const State& state, double friction, double applied, const Eigen::VectorXd& impulse,
                      Eigen::VectorXd& y) {
  y.resize(size());
  y << state.t, state.q, state.v, friction, applied, impulse;
  evaluate(state);
  // A phase may also run where det A < 0 (slip that the stiff limit rejects); it then ends where D rises to zero.
  start_sign_ = D_ < 0 ? -1 : 1;
}

State RigidFlow::state(const Eigen::VectorXd& y) const {
  State state;
  put_state(y, state);
  return state;
}

void RigidFlow::put_state(const Eigen::VectorXd& y, State& state) const {
  state.q = y.segment(1, degrees_);
  state.v = y.segment(1 + degrees_, degrees_);
  state.t = y(0);
}

// Whether this is the state that was evaluated last; if not, it becomes s_.
[[gnu::always_inline]] inline bool RigidFlow::load(double t, const double* q, const double* v) const {
  const auto is = [this](const double* x, const double* y) { return std::equal(x, x + degrees_, y); };
  const bool same = evaluated_ && t == s_.t && is(q, s_.q.data()) && is(v, s_.v.data());
  if (same) return true;
  evaluated_ = false;
  s_.t = t;
  copy(q, degrees_, s_.q.data());
  copy(v, degrees_, s_.v.data());
  return false;
}

// Whether the mass matrix of three degrees of freedom is the one that was factorised last.
[[gnu::always_inline]] inline bool RigidFlow::same_mass() const {
  const double* const M = d_.M.data();
  return M[0] == factorised_[0] && M[1] == factorised_[1] && M[2] == factorised_[2] && M[4] == factorised_[3] &&
         M[5] == factorised_[4] && M[8] == factorised_[5];
}

[[gnu::always_inline]] inline void RigidFlow::evaluate_loaded() const {
  problem_.mechanism->dynamics(s_, d_);
  if (!(single_ && same_mass())) factorise();
  if (!(single_ && (diagonal_mass_ ? solve_single<true>() : solve_single<false>()))) solve_all();
  evaluated_ = true;
}

void RigidFlow::evaluate(const State& state) const {
  if (!load(state.t, state.q.data(), state.v.data())) evaluate_loaded();
}

void RigidFlow::evaluate_at(double sigma, const Eigen::VectorXd& y) const {
  if (!load(rescaled_ ? y(0) : sigma, y.data() + 1, y.data() + 1 + degrees_)) evaluate_loaded();
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

double RigidFlow::stick_mu(int contact) const {
  const ContactLaw& law = problem_.laws[static_cast<std::size_t>(contact)];
  return law.mu_static.value_or(law.mu);
}

// As value_of(), for all endings of a single unilateral contact on the plain clock.
[[gnu::always_inline]] inline void RigidFlow::values_of_plain(double* g) const {
  const ContactMode& mode = modes_.front();
  const double lambda_t = lambda_.data()[0];
  const double lambda_n = lambda_.data()[1];
  switch (mode.letter) {
    case Letter::F:
      g[0] = landing_value(0);
      return;
    case Letter::T:
      g[0] = lambda_n * mode.force_sign;
      g[1] = stick_mu(0) * std::abs(lambda_n) - std::abs(lambda_t);
      return;
    case Letter::S:
      g[0] = lambda_n * mode.force_sign;
      g[1] = d_.u.data()[0] * mode.direction.data()[0];
      g[2] = start_sign_ * D_ - slow_below;
      return;
  }
}

[[gnu::always_inline]] inline void RigidFlow::values_here(double* g) const {
  if (plain_) {
    values_of_plain(g);
    return;
  }
  for (int k = 0; k < count(); ++k) g[k] = value_of(endings_[static_cast<std::size_t>(k)]);
}

[[gnu::always_inline]] inline void RigidFlow::keep_values(double sigma) const {
  values_here(kept_values_.data() + (evaluations_ % kept) * endings_.size());
  ++evaluations_;
  last_sigma_ = sigma;
}

// As rates(), for one contact of three degrees of freedom in the plane.
[[gnu::always_inline]] inline void RigidFlow::rates_of_single(double phi, double* rate) const {
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

void RigidFlow::rates(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
  evaluate_at(sigma, y);
  keep_values(sigma);
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
  values_here(g.data());
}

bool RigidFlow::recall(double sigma, Eigen::MatrixXd& g) const {
  const auto asked = static_cast<std::size_t>(g.rows() - 1);
  if (asked > std::min(kept, evaluations_) || sigma != last_sigma_) return false;
  const std::size_t functions = endings_.size();
  double* const to = g.data();
  for (std::size_t k = 0; k < asked; ++k) {
    const double* const from = kept_values_.data() + ((evaluations_ - asked + k) % kept) * functions;
    for (std::size_t i = 0; i < functions; ++i) to[i * (asked + 1) + k + 1] = from[i];
  }
  return true;
}

double RigidFlow::energy() const { return s_.v.dot(d_.M.lazyProduct(s_.v)) / 2 + d_.potential; }

}  // namespace painleve
