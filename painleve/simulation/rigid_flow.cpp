#include "painleve/simulation/rigid_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "painleve/mechanism/jet.hpp"

namespace painleve {
namespace {

// Much of what follows is inlined by force: an evaluation is made of a few dozen operations, and as many more would go
// into calls.

// use(i) for each of the degrees of freedom: so few that a loop over three of them, as in the plane, would cost more
// than what it does.
template <class Use>
[[gnu::always_inline]] inline void over_degrees(Eigen::Index degrees, const Use& use) {
  if (degrees == 3) {
    use(0);
    use(1);
    use(2);
  } else {
    for (Eigen::Index i = 0; i < degrees; ++i) use(i);
  }
}

bool offers_planar_motion(const SimulationProblem& problem) {
  const State& start = problem.start;
  PlanarMotion motion;
  return problem.mechanism->planar_motion(start.q.data(), start.v.data(), start.t, motion);
}

}  // namespace

RigidFlow::RigidFlow(const SimulationProblem& problem, const std::vector<ContactMode>& modes, bool rescaled,
                     double t_end)
    : problem_(problem),
      t_end_(t_end),
      degrees_(static_cast<int>(problem.start.q.size())),
      dimension_(problem.mechanism->dimension()),
      limited_(std::isfinite(problem.mechanism->room(problem.start))),
      lone_(offers_planar_motion(problem)) {
  s_.q.resize(degrees_);
  s_.v.resize(degrees_);
  v_dot_.resize(degrees_);
  const std::size_t most_endings = 2 * modes.size() + 4;
  endings_.reserve(most_endings);
  kept_values_.resize(most_endings * kept);
  set_modes(modes, rescaled);
}

void RigidFlow::set_modes(const std::vector<ContactMode>& modes, bool rescaled) {
  modes_ = modes;
  rescaled_ = rescaled;
  keeps_directions_ = false;
  start_sign_ = 1;
  evaluated_ = false;
  evaluations_ = 0;
  plain_ = lone_ && !rescaled_ && !limited_ && !problem_.bilateral[0];
  find_endings();
  lambda_.setZero(static_cast<Eigen::Index>(modes_.size()) * dimension_);
  if (lone_) {
    know_lone();
  } else {
    make_room();
  }
}

// For what solve_all() needs.
void RigidFlow::make_room() const {
  h_.resize(lambda_.size(), degrees_);
  C_.resize(unknowns_, degrees_);
  held_.resize(static_cast<std::size_t>(unknowns_));
  A_.resize(unknowns_, unknowns_);
  diagonal_.resize(unknowns_);
  x_.resize(unknowns_);
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
[[gnu::always_inline]] inline bool RigidFlow::load(double t, const double* q, const double* v,
                                                   Eigen::Index degrees) const {
  const auto is = [degrees](const double* x, const double* y) { return std::equal(x, x + degrees, y); };
  const bool same = evaluated_ && t == s_.t && is(q, s_.q.data()) && is(v, s_.v.data());
  if (same) return true;
  evaluated_ = false;
  s_.t = t;
  over_degrees(degrees, [q, v, q_here = s_.q.data(), v_here = s_.v.data()](Eigen::Index i) PAINLEVE_INLINED {
    q_here[i] = q[i];
    v_here[i] = v[i];
  });
  return false;
}

const Dynamics& RigidFlow::dynamics() const {
  if (!knows_dynamics_) problem_.mechanism->dynamics(s_, d_);
  knows_dynamics_ = true;
  return d_;
}

[[gnu::always_inline]] inline void RigidFlow::evaluate_loaded(Eigen::Index degrees) const {
  knows_dynamics_ = false;
  if (!(lone_ && solve_lone(degrees))) {
    if (lone_) make_room();
    mass_.factorise(dynamics().M);
    solve_all();
  }
  evaluated_ = true;
}

void RigidFlow::evaluate(const State& state) const {
  if (!load(state.t, state.q.data(), state.v.data(), degrees_)) evaluate_loaded(degrees_);
}

[[gnu::always_inline]] inline void RigidFlow::evaluate_here(double sigma, const Eigen::VectorXd& y) const {
  const double* const q = y.data() + 1;
  if (!load(rescaled_ ? y(0) : sigma, q, q + degrees_, degrees_)) evaluate_loaded(degrees_);
}

void RigidFlow::evaluate_at(double sigma, const Eigen::VectorXd& y) const { evaluate_here(sigma, y); }

// A lone contact in the plane: what solve_all() does, with every size known. An evaluation waits for the one before it,
// so that its time is that of its longest chain of operations. False where the force is not determined: solve_all() has
// to pick it.
[[gnu::always_inline]] inline bool RigidFlow::solve_lone(Eigen::Index degrees) const {
  problem_.mechanism->planar_motion(s_.q.data(), s_.v.data(), s_.t, motion_);
  const PlanarMotion& m = motion_;
  double lambda_t = 0;
  double lambda_n = 0;
  D_ = 1;
  if (the_lone_.letter == Letter::T) {
    const double det = m.W_tt * m.W_nn - m.W_tn * m.W_tn;
    D_ = det / (m.W_tt * m.W_nn);
    if (!(std::abs(D_) > rank_tolerance)) return false;
    lambda_t = (m.W_tn * m.b_n - m.W_nn * m.b_t) / det;
    lambda_n = (m.W_tn * m.b_t - m.W_tt * m.b_n) / det;
  } else if (the_lone_.letter == Letter::S) {
    const double p = m.W_nn + the_lone_.pull * m.W_tn;
    D_ = p / m.W_nn;
    lambda_n = -m.b_n / p;
    lambda_t = the_lone_.pull * lambda_n;
  }
  lambda_.data()[0] = lambda_t;
  lambda_.data()[1] = lambda_n;
  over_degrees(degrees, [&m, lambda_t, lambda_n, v_dot = v_dot_.data()](Eigen::Index n) PAINLEVE_INLINED {
    const auto i = static_cast<std::size_t>(n);
    v_dot[n] = m.v_dot[i] + (lambda_t * m.X_t[i] + lambda_n * m.X_n[i]);
  });
  family_ = false;
  return true;
}

// Without friction a contact rests where nothing pushes it along, and holds what rounding makes of that.
double RigidFlow::stick_mu(int contact) const {
  const ContactLaw& law = problem_.laws[static_cast<std::size_t>(contact)];
  return std::max(law.mu_static.value_or(law.mu), least_mu);
}

void RigidFlow::know_lone() {
  const ContactMode& mode = modes_.front();
  the_lone_ = {mode.letter, static_cast<double>(mode.force_sign), 0, 0, stick_mu(0), problem_.laws.front().mu};
  if (mode.letter != Letter::S) return;
  the_lone_.direction = mode.direction(0);
  the_lone_.pull = -the_lone_.mu * the_lone_.force_sign * the_lone_.direction;
}

// As value_of(), for all endings of a lone unilateral contact on the plain clock.
[[gnu::always_inline]] inline void RigidFlow::values_of_lone(double* g) const {
  const double lambda_t = lambda_.data()[0];
  const double lambda_n = lambda_.data()[1];
  switch (the_lone_.letter) {
    case Letter::F:
      g[0] = landing_value(0);
      return;
    case Letter::T:
      g[0] = lambda_n * the_lone_.force_sign;
      g[1] = the_lone_.stick_mu * std::abs(lambda_n) - std::abs(lambda_t);
      return;
    case Letter::S:
      g[0] = lambda_n * the_lone_.force_sign;
      g[1] = motion_.u_t * the_lone_.direction;
      g[2] = start_sign_ * D_ - slow_below;
      return;
  }
}

[[gnu::always_inline]] inline void RigidFlow::values_here(double* g, bool plain) const {
  if (plain) {
    values_of_lone(g);
    return;
  }
  for (int k = 0; k < count(); ++k) g[k] = value_of(endings_[static_cast<std::size_t>(k)]);
}

[[gnu::always_inline]] inline void RigidFlow::keep_values(double sigma, bool plain) const {
  values_here(kept_values_.data() + (evaluations_ % kept) * endings_.size(), plain);
  kept_ratios_[evaluations_ % kept] = lone_ ? lone_jam_ratio() : jam_ratio().first;
  ++evaluations_;
  last_sigma_ = sigma;
}

// As rates(), for a lone contact.
[[gnu::always_inline]] inline void RigidFlow::rates_of_lone(Eigen::Index degrees, double phi, double* rate) const {
  const double* const v = s_.v.data();
  const double* const v_dot = v_dot_.data();
  const double lambda_t = lambda_.data()[0];
  const double lambda_n = lambda_.data()[1];
  rate[0] = phi;
  over_degrees(degrees, [=](Eigen::Index i) PAINLEVE_INLINED {
    rate[1 + i] = phi * v[i];
    rate[1 + degrees + i] = phi * v_dot[i];
  });
  const double on_body = lambda_t * motion_.body_t + lambda_n * motion_.body_n;
  const double on_slip = lambda_t * motion_.u_t + lambda_n * motion_.u_n;
  double* const rest = rate + 1 + 2 * degrees;
  rest[0] = -phi * on_slip;
  rest[1] = phi * (motion_.power + on_body - on_slip);
  rest[2] = phi * lambda_t;
  rest[3] = phi * lambda_n;
}

// As rates(), where the endings are those of a lone contact on the plain clock.
[[gnu::always_inline]] inline void RigidFlow::rates_of_plain(Eigen::Index degrees, double sigma, const double* y,
                                                             double* rate) const {
  if (!load(sigma, y + 1, y + 1 + degrees, degrees)) evaluate_loaded(degrees);
  keep_values(sigma, true);
  rates_of_lone(degrees, 1, rate);
}

void RigidFlow::rates(double sigma, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
  if (plain_ && degrees_ == 3) {
    rates_of_plain(3, sigma, y.data(), rate.data());  // the number is known where this is inlined
    return;
  }
  evaluate_here(sigma, y);
  keep_values(sigma, plain_);
  const double phi = clock();
  if (lone_) {
    rates_of_lone(degrees_, phi, rate.data());
    return;
  }
  const double* const v = s_.v.data();
  const Eigen::Index rows = d_.J.rows();
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

// Whether the open contact comes down no faster than rest while its acceleration lifts it: one that has just lifted
// off, as slowly as t³, goes on with what rounding left of its velocity. Where it is pushed down it has landed.
bool RigidFlow::turns_back(int contact, double u_n) const {
  if (u_n < -problem_.tolerance.velocity) return false;
  const int n = dimension_ * contact + dimension_ - 1;
  const double a_n = lone_ ? motion_.b_n : d_.J.row(n).dot(v_dot_) + d_.drift(n);
  return a_n > 0;
}

double RigidFlow::landing_value(int contact) const {
  const double gap = lone_ ? motion_.gap : d_.gap(contact);
  const double u_n = lone_ ? motion_.u_n : d_.u(dimension_ * contact + dimension_ - 1);
  const auto& beyond = problem_.laws[static_cast<std::size_t>(contact)].lands_beyond;
  // A contact that lifts off as slowly as t³ does not land by the rounding of its gap; nor does a foot that swings
  // through below the surface. Any other one that is below it has landed, though it may rise again.
  const bool near = gap >= -problem_.tolerance.gap;
  const auto lifts = [&] { return u_n > 0 ? beyond || near : near && turns_back(contact, u_n); };
  if (gap <= 0 && lifts()) return std::numeric_limits<double>::min();
  if (!beyond) return gap;
  double behind = gap;
  for (int j = 0; j < static_cast<int>(modes_.size()); ++j) {
    if (modes_[static_cast<std::size_t>(j)].letter == Letter::F) continue;
    behind = std::max(behind, d_.place(dimension_ * j) + *beyond - d_.place(dimension_ * contact));
  }
  return behind;
}

std::pair<double, int> RigidFlow::jam_ratio() const {
  if (lone_) {
    if (the_lone_.letter == Letter::F) return {0, -1};
    return {lone_jam_ratio(), 0};
  }
  std::pair<double, int> largest{0, -1};
  for (int i = 0; i < static_cast<int>(modes_.size()); ++i) {
    if (modes_[static_cast<std::size_t>(i)].letter == Letter::F) continue;
    const int t = dimension_ * i;
    const int n = t + dimension_ - 1;
    double square = 0;  // of W_tn
    for (int row = t; row < n; ++row) {
      const double W_tn = detail::dot(h_.data() + row * degrees_, h_.data() + n * degrees_, degrees_);
      square += W_tn * W_tn;
    }
    const double W_nn = detail::dot(h_.data() + n * degrees_, h_.data() + n * degrees_, degrees_);
    const double ratio = problem_.laws[static_cast<std::size_t>(i)].mu * std::sqrt(square) / W_nn;
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
      if (lone_) return motion_.u_t * the_lone_.direction;
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
  evaluate_here(sigma, y);
  values_here(g.data(), plain_);
}

bool RigidFlow::recall(double sigma, Eigen::MatrixXd& g) const {
  const auto asked = static_cast<std::size_t>(g.rows() - 1);
  if (asked > std::min(kept, evaluations_) || sigma != last_sigma_) return false;
  const std::size_t functions = endings_.size();
  double* to = g.data();
  for (std::size_t k = evaluations_ - asked; k != evaluations_; ++k) {
    const double* const from = kept_values_.data() + (k % kept) * functions;
    ++to;
    for (std::size_t i = 0; i < functions; ++i) to[i * (asked + 1)] = from[i];
  }
  return true;
}

bool RigidFlow::recall_jam_ratios(double sigma, std::size_t count, double* ratios) const {
  if (count > std::min(kept, evaluations_) || sigma != last_sigma_) return false;
  for (std::size_t k = evaluations_ - count; k != evaluations_; ++k) *ratios++ = kept_ratios_[k % kept];
  return true;
}

double RigidFlow::energy() const {
  const Dynamics& d = dynamics();
  return s_.v.dot(d.M.lazyProduct(s_.v)) / 2 + d.potential;
}

}  // namespace painleve
