#include "painleve/simulation/time_stepping_step.hpp"

#include <algorithm>
#include <cmath>

namespace painleve::detail {
namespace {

// A pivot below this part of its diagonal entry is what rounding left of zero.
constexpr double singular_mass = 1e-14;

bool factor(const Eigen::MatrixXd& A, HalfSolves& half) {
  half.factorise(A);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (!(half.pivot(i) * half.pivot(i) > singular_mass * A(i, i)) || !std::isfinite(half.pivot(i))) return false;
  return true;
}

// y := y + c A x
void add_product(double c, const Eigen::MatrixXd& A, const Eigen::VectorXd& x, Eigen::VectorXd& y) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < A.cols(); ++j) sum += A(i, j) * x(j);
    y(i) += c * sum;
  }
}

}  // namespace

TimeStep::TimeStep(const SimulationProblem& problem, const TimeSteppingOptions& stepping)
    : problem_(problem),
      scheme_(stepping.scheme),
      theta_(stepping.scheme == StepScheme::stewart_trinkle ? 1 : stepping.theta),
      correction_(stepping.position_correction),
      ahead_(1.5 - theta_),
      dimension_(problem.mechanism->dimension()),
      count_(static_cast<int>(problem.laws.size())),
      bounces_(problem.laws.size(), false) {
  contacts_.dimension = dimension_;
}

void TimeStep::prepare(const State& start, double dt, const std::vector<bool>& held, const std::vector<bool>& stuck) {
  dt_ = dt;
  start_ = start;
  held_ = held;
  stuck_ = stuck;
  linearise(start);
  sound_ = factorise();
  if (!sound_) return;
  move_freely(start);
  set_contacts();
  sound_ = u_free_.allFinite() && contacts_.W.allFinite();
  for (std::size_t k = 0; k < taking_part_.size(); ++k) {
    const int i = taking_part_[k];
    const auto row = static_cast<Eigen::Index>(k) * dimension_;
    contacts_.q.segment(row, dimension_) = u_free_.segment(i * dimension_, dimension_);
    contacts_.q(row + dimension_ - 1) += normal_shift(i);
  }
}

// A, from the derivatives of f along the change of the θ point with v⁺ − v, (θ² dt, θ) per unit.
void TimeStep::linearise(const State& start) {
  const Mechanism& mechanism = *problem_.mechanism;
  at_.q = start.q + theta_ * dt_ * start.v;
  at_.v = start.v;
  at_.t = start.t + theta_ * dt_;
  mechanism.dynamics(at_, smooth_);
  mechanism.force_response(at_, theta_ * theta_ * dt_, theta_, forces_);
  A_ = smooth_.M - dt_ * forces_.f;
}

bool TimeStep::factorise() {
  const Eigen::Index degrees = A_.rows();
  symmetric_.resize(degrees, degrees);
  double asymmetry = 0;
  double largest = 0;
  for (Eigen::Index i = 0; i < degrees; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double mean = (A_(i, j) + A_(j, i)) / 2;
      symmetric_(i, j) = symmetric_(j, i) = mean;
      asymmetry = std::max(asymmetry, std::abs(A_(i, j) - mean));
      largest = std::max(largest, std::abs(mean));
    }
  }
  v_free_ = dt_ * smooth_.f;
  const bool definite = factor(symmetric_, response_);
  // Gyroscopic terms make A asymmetric; then the free motion has a factorisation of its own.
  if (definite && asymmetry <= 1e-15 * largest) {
    response_.half(v_free_.data());
    response_.other_half(v_free_.data());
  } else {
    if (!definite && !factor(smooth_.M, response_)) return false;
    impulse_ = v_free_;
    free_motion_.compute(A_);
    v_free_ = free_motion_.solve(impulse_);
  }
  v_free_ += start_.v;
  return v_free_.allFinite();
}

void TimeStep::move_freely(const State& start) {
  const Mechanism& mechanism = *problem_.mechanism;
  at_.q = start.q + ahead_ * dt_ * start.v;
  at_.t = start.t + ahead_ * dt_;
  mechanism.dynamics(at_, at_contact_);
  offset_ = at_contact_.u;
  add_product(-1, at_contact_.J, start.v, offset_);
  u_free_ = offset_;
  add_product(1, at_contact_.J, v_free_, u_free_);
  const bool positions = scheme_ == StepScheme::stewart_trinkle || correction_ > 0;
  if (positions) {
    mechanism.dynamics(start, at_start_);
    gap_ = at_start_.gap;
  }
  taking_part_.clear();
  for (int i = 0; i < count_; ++i)
    if (takes_part(i)) taking_part_.push_back(i);
}

bool TimeStep::takes_part(int contact) const {
  const auto at = static_cast<std::size_t>(contact);
  if (held_[at] || scheme_ == StepScheme::stewart_trinkle || problem_.bilateral[at]) return true;
  const int n = contact * dimension_ + dimension_ - 1;
  // From the predicted position to the end of the free step.
  const double change = theta_ * u_free_(n) + (1 - theta_ - ahead_) * at_contact_.u(n);
  return at_contact_.gap(contact) + dt_ * change <= problem_.tolerance.gap;
}

void TimeStep::set_contacts() {
  const Eigen::Index degrees = at_contact_.J.cols();
  half_.resize(at_contact_.J.rows(), degrees);
  velocity_response_.resize(at_contact_.J.rows(), degrees);
  for (Eigen::Index row = 0; row < half_.rows(); ++row) {
    double* const h = half_.data() + row * degrees;
    double* const v = velocity_response_.data() + row * degrees;
    for (Eigen::Index i = 0; i < degrees; ++i) h[i] = at_contact_.J(row, i);
    response_.half(h);
    std::copy_n(h, degrees, v);
    response_.other_half(v);
  }
  const auto rows = static_cast<Eigen::Index>(taking_part_.size()) * dimension_;
  contacts_.W.resize(rows, rows);
  contacts_.q.resize(rows);
  const auto half_of = [&](Eigen::Index row) {
    const int contact = taking_part_[static_cast<std::size_t>(row / dimension_)];
    return half_.data() + (contact * dimension_ + row % dimension_) * degrees;
  };
  for (Eigen::Index a = 0; a < rows; ++a)
    for (Eigen::Index b = 0; b <= a; ++b) contacts_.W(a, b) = contacts_.W(b, a) = dot(half_of(a), half_of(b), degrees);
  if (taking_part_ == last_taking_part_) return;
  last_taking_part_ = taking_part_;
  const std::size_t count = taking_part_.size();
  contacts_.mu.resize(static_cast<Eigen::Index>(count));
  contacts_.bilateral.assign(count, false);
  contacts_.law.assign(count, Law::resting);
  contacts_.slip = Eigen::MatrixXd::Zero(dimension_ - 1, static_cast<Eigen::Index>(count));
  contacts_.names.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(taking_part_[k]);
    contacts_.mu(static_cast<Eigen::Index>(k)) = problem_.laws[i].mu;
    contacts_.bilateral[k] = problem_.bilateral[i];
    contacts_.names[k] = problem_.mechanism->contacts()[i];
  }
}

double TimeStep::normal_shift(int contact) {
  const auto at = static_cast<std::size_t>(contact);
  const bool bilateral = problem_.bilateral[at];
  bounces_[at] = false;
  if (scheme_ == StepScheme::stewart_trinkle) {
    const bool closed = std::abs(gap_(contact)) <= problem_.tolerance.gap;
    return closed ? 0 : gap_(contact) / dt_;
  }
  double shift = 0;
  if (correction_ > 0 && (bilateral || gap_(contact) < 0)) shift = correction_ * gap_(contact) / dt_;
  const double approach = at_contact_.u(contact * dimension_ + dimension_ - 1);
  if (held_[at] || bilateral || approach >= 0 || problem_.laws[at].restitution == 0) return shift;
  bounces_[at] = true;
  return shift + problem_.laws[at].restitution * approach;
}

// T⁺ − T = (v⁺ + v)ᵀM(v⁺ − v)/2 splits the work of a step: f and Λ act along the mean velocity. Contacts act along
// their relative velocity; what their moving surfaces put in is applied. The velocity before the step is 0 along the
// normal of a held contact and along the tangents of a stuck one: that J at the predicted position sees another one is
// an error of the step, which is left to the defect.
void TimeStep::finish(const Eigen::VectorXd& Lambda, Result& result) const {
  result.v = v_free_;
  for (Eigen::Index row = 0; row < Lambda.size(); ++row)
    if (Lambda(row) != 0)
      add(Lambda(row), velocity_response_.data() + row * result.v.size(), result.v.data(), result.v.size());
  result.q = start_.q + dt_ * (theta_ * result.v + (1 - theta_) * start_.v);
  result.u = offset_;
  add_product(1, at_contact_.J, result.v, result.u);
  jump_ = result.v - start_.v;
  mean_ = start_.v + jump_ / 2;
  applied_ = smooth_.applied;
  add_product(1, forces_.applied, jump_, applied_);
  const double applied_power = applied_.dot(mean_);
  result.applied = dt_ * (applied_power + smooth_.drive + forces_.drive.dot(jump_)) - offset_.dot(Lambda);
  result.friction = 0;
  result.impact = 0;
  for (int row = 0; row < count_ * dimension_; ++row) {
    const auto contact = static_cast<std::size_t>(row / dimension_);
    const bool normal = row % dimension_ == dimension_ - 1;
    const double before = (normal ? held_[contact] : stuck_[contact]) ? 0 : at_contact_.u(row);
    (normal ? result.impact : result.friction) -= Lambda(row) * (result.u(row) + before) / 2;
  }
}

}  // namespace painleve::detail
