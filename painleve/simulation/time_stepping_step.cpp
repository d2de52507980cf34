#include "painleve/simulation/time_stepping_step.hpp"

#include <algorithm>

namespace painleve::detail {
namespace {

// A pivot below this part of its diagonal entry is what rounding left of zero.
constexpr double singular_mass = 1e-14;

bool factor(const Eigen::MatrixXd& A, Eigen::LLT<Eigen::MatrixXd>& llt) {
  if (!A.allFinite()) return false;
  llt.compute(A);
  if (llt.info() != Eigen::Success) return false;
  const auto pivots = llt.matrixLLT().diagonal().array().square();
  return (pivots > singular_mass * A.diagonal().array()).all();
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
  const auto degrees = static_cast<Eigen::Index>(problem.mechanism->coordinates().size());
  direction_ = {Eigen::VectorXd::Zero(degrees), Eigen::VectorXd::Zero(degrees), 0};
  applied_response_.resize(degrees, degrees);
  drive_response_.resize(degrees);
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
  A_ = smooth_.M;
  for (Eigen::Index j = 0; j < A_.cols(); ++j) {
    direction_.q(j) = theta_ * theta_ * dt_;
    direction_.v(j) = theta_;
    mechanism.derivative_into(at_, direction_, change_);
    A_.col(j) -= dt_ * change_.f;
    applied_response_.col(j) = change_.applied;
    drive_response_(j) = change_.drive;
    direction_.q(j) = 0;
    direction_.v(j) = 0;
  }
}

bool TimeStep::factorise() {
  symmetric_ = (A_ + A_.transpose()) / 2;
  v_free_ = dt_ * smooth_.f;
  const bool definite = factor(symmetric_, response_);
  // Gyroscopic terms make A asymmetric; then the free motion has a factorisation of its own.
  const double asymmetry = (A_ - symmetric_).cwiseAbs().maxCoeff();
  if (definite && asymmetry <= 1e-15 * symmetric_.cwiseAbs().maxCoeff()) {
    v_free_ = response_.solve(v_free_);
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
  offset_.noalias() -= at_contact_.J * start.v;
  u_free_ = offset_;
  u_free_.noalias() += at_contact_.J * v_free_;
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
  half_ = at_contact_.J.transpose();
  response_.matrixL().solveInPlace(half_);
  velocity_response_ = half_;
  response_.matrixU().solveInPlace(velocity_response_);
  const auto rows = static_cast<Eigen::Index>(taking_part_.size()) * dimension_;
  contacts_.W.resize(rows, rows);
  contacts_.q.resize(rows);
  for (std::size_t a = 0; a < taking_part_.size(); ++a) {
    for (std::size_t b = 0; b < taking_part_.size(); ++b) {
      contacts_.W.block(static_cast<Eigen::Index>(a) * dimension_, static_cast<Eigen::Index>(b) * dimension_,
                        dimension_, dimension_) =
          half_.middleCols(taking_part_[a] * dimension_, dimension_)
              .transpose()
              .lazyProduct(half_.middleCols(taking_part_[b] * dimension_, dimension_));
    }
  }
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
  result.v.noalias() += velocity_response_ * Lambda;
  result.q = start_.q + dt_ * (theta_ * result.v + (1 - theta_) * start_.v);
  result.u = offset_;
  result.u.noalias() += at_contact_.J * result.v;
  jump_ = result.v - start_.v;
  mean_ = start_.v + jump_ / 2;
  applied_ = smooth_.applied;
  applied_.noalias() += applied_response_ * jump_;
  const double applied_power = applied_.dot(mean_);
  result.applied = dt_ * (applied_power + smooth_.drive + drive_response_.dot(jump_)) - offset_.dot(Lambda);
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
