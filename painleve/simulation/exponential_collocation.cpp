#include "painleve/simulation/exponential_collocation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/base/error.hpp"
#include "painleve/simulation/detail/collocation_tables.hpp"

namespace painleve {
namespace {

using detail::collocation_tables;
using Eigen::VectorXd;

constexpr int kRefusals = 100;  // consecutive ones that end the integration
constexpr int kSweeps = 8;
constexpr double kLeft = 0.01;        // what the iteration may leave, in units of the tolerance
constexpr double kStrict = 200;       // errors of steps add up: the estimates stay below the tolerance by this factor
constexpr double kDefectShare = 0.3;  // from the defect at 1/10 or 9/10 to its mean over the step: 0.22 where smooth
constexpr double kWorkShare = 0.1;    // the rule is of degree 11, and the tenth difference is what one of 9 misses
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double step_factor(double error) {
  constexpr double margin = 0.9;
  constexpr double smallest = 0.2;
  constexpr double largest = 8;
  return std::clamp(margin * std::pow(error, -1.0 / 7), smallest, largest);
}

}  // namespace

ExponentialCollocation::ExponentialCollocation(const PartlyLinearSystem& system, const OdeTolerance& tolerance)
    : OdeIntegrator(system, tolerance), partly_(system), fast_(system.fast()), work_block_(system.work()) {
  if (fast_.count > kMostFast || work_block_.count > kMostWork) {
    throw InputError("exponential collocation takes at most 12 fast unknowns and 2 kinds of work");
  }
  typical_ = tolerance_.absolute / tolerance_.relative;
  for (VectorXd* vector : {&y_new_, &r_trial_, &error_, &point_}) vector->setZero(y_.size());
  for (Linear* linear : {&now_, &next_, &last_}) {
    linear->rate.setZero(y_.size());
    linear->L.setZero(y_.size(), fast_.count);
    linear->A.resize(fast_.count);
  }
  r_.fill(y_);
  node_.fill(y_);
}

bool ExponentialCollocation::linearise(double t, const VectorXd& y, Linear& linear) const {
  ++work_.rates;
  ++work_.jacobians;
  partly_.linearise(t, y, typical_, linear.rate, linear.L);
  for (int j = 0; j < fast_.count; ++j) {
    linear.L.col(j) *= typical_(fast_.begin + j);
    for (int i = 0; i < fast_.count; ++i) {
      linear.A(i, j) = linear.L(fast_.begin + i, j) / typical_(fast_.begin + i);
    }
  }
  return linear.rate.allFinite() && linear.L.allFinite();
}

void ExponentialCollocation::start(double t, const VectorXd& y) {
  place(t, y);
  eta_ = 1;
  finite_start_ = linearise(t_, y_, now_);
  if (!finite_start_) return;
  const double fastest = now_.A.norm();
  h_next_ = fastest > 0 ? 1 / fastest : chosen_first_step(7, now_.rate, point_, r_trial_);
}

StepStatus ExponentialCollocation::step(double t_limit) {
  const double proposed = std::min(h_next_, tolerance_.largest_step);
  double h = proposed;
  bool refused = false;
  for (int refusals = 0; finite_start_ && refusals <= kRefusals && !below_resolution(h); ++refusals) {
    const double t_new = end_of_step(h, t_limit);
    h = t_new - t_;
    h_ = h;
    phi_.compute(now_.A, h / kTenths);
    const bool agrees = iterate();
    const double error = agrees ? estimate() : std::numeric_limits<double>::infinity();
    const double factor = step_factor(error);
    if (error <= 1 && linearise(t_new, y_new_, next_)) {
      h_next_ = refused ? std::min(factor, 1.0) * h : std::max(factor * h, h < 0.99 * proposed ? proposed : 0.0);
      ++work_.steps;
      y_begin_.swap(y_);
      y_.swap(y_new_);
      t_begin_ = std::exchange(t_, t_new);
      std::swap(last_, now_);
      std::swap(now_, next_);
      return StepStatus::accepted;
    }
    ++work_.rejected;
    refused = true;
    h *= std::isfinite(error) && error > 1 ? factor : 0.25;
  }
  h_next_ = 0;
  place(t_, y_);
  return StepStatus::collapsed;
}

// r = f − L z at (t, y).
bool ExponentialCollocation::rest(double t, const VectorXd& y, VectorXd& r) {
  if (!rates(t, y, r)) return false;
  for (int j = 0; j < fast_.count; ++j) {
    const double z = y(fast_.begin + j) / typical_(fast_.begin + j);
    r -= z * now_.L.col(j);
  }
  return true;
}

// The values of r and y at the six points agree with each other; false: they do not get there.
bool ExponentialCollocation::iterate() {
  r_[0] = now_.rate;
  for (int j = 0; j < fast_.count; ++j) {
    z_[0][at(j)] = y_(fast_.begin + j) / typical_(fast_.begin + j);
    integral_[0][at(j)] = 0;
    r_[0] -= z_[0][at(j)] * now_.L.col(j);
  }
  for (std::size_t j = 1; j < kNodes; ++j) r_[j] = r_[0];
  sweep();
  update_nodes();
  eta_ = std::pow(std::max(eta_, kEpsilon), 0.8);
  double before = 0;
  for (int k = 0; k < kSweeps; ++k) {
    if (!evaluate_nodes()) return false;
    sweep();
    change_ = update_nodes();
    if (!std::isfinite(change_)) return false;
    if (k > 0) {
      const double rate = change_ / before;
      if (!(rate < 0.9)) return change_ <= kLeft;  // rounding may be all that is left
      eta_ = rate / (1 - rate);
    }
    if (eta_ * change_ <= kLeft) return true;
    before = std::max(change_, std::numeric_limits<double>::min());
  }
  return false;
}

bool ExponentialCollocation::evaluate_nodes() {
  for (int j = 1; j < kNodes; ++j) {
    if (!rest(t_ + h_ * j / (kNodes - 1), node_[at(j)], r_[at(j)])) return false;
  }
  return true;
}

// z and ∫z at the tenths, for the r at the six points.
void ExponentialCollocation::sweep() {
  for (std::size_t j = 0; j < kNodes; ++j) {
    for (int i = 0; i < fast_.count; ++i) r_fast_[j][at(i)] = r_[j](fast_.begin + i) / typical_(fast_.begin + i);
  }
  for (int p = 0; p < kTenths; ++p) {
    z_[at(p + 1)] = z_[at(p)];
    integral_[at(p + 1)] = integral_[at(p)];
    advance(phi_, 1, p, z_[at(p + 1)], integral_[at(p + 1)]);
  }
}

// From the beginning of a tenth by `part` of its length; phi belongs to that part.
void ExponentialCollocation::advance(const detail::PhiFunctions& phi, double part, int tenth, Fast& z,
                                     Fast& integral) const {
  const auto& taylor = collocation_tables().taylor[at(tenth)];
  const double step = part * h_ / kTenths;
  const Fast from = z;
  std::fill_n(z.begin(), fast_.count, 0.0);
  phi.add(0, 1, from.data(), z.data());
  phi.add(1, step, from.data(), integral.data());
  double power = step;
  Fast c;
  for (int k = 0; k < kNodes; ++k, power *= part) {
    const auto& w = taylor[at(k)];
    for (std::size_t i = 0; i < at(fast_.count); ++i) {
      c[i] = w[0] * r_fast_[0][i] + w[1] * r_fast_[1][i] + w[2] * r_fast_[2][i] + w[3] * r_fast_[3][i] +
             w[4] * r_fast_[4][i] + w[5] * r_fast_[5][i];
    }
    phi.add(k + 1, power, c.data(), z.data());
    phi.add(k + 2, power * step, c.data(), integral.data());
  }
}

// y at a tenth of this step, without the work.
void ExponentialCollocation::put_together(int tenth, VectorXd& y) const {
  put_together(y_, now_, collocation_tables().integral[at(tenth)], z_[at(tenth)], integral_[at(tenth)], y);
}

// y at some part of a step from `base`, without the work.
void ExponentialCollocation::put_together(const VectorXd& base, const Linear& linear, const Weights& weights,
                                          const Fast& z, const Fast& integral, VectorXd& y) const {
  y = h_ * (weights[0] * r_[0] + weights[1] * r_[1] + weights[2] * r_[2] + weights[3] * r_[3] + weights[4] * r_[4] +
            weights[5] * r_[5]);
  for (int j = 0; j < fast_.count; ++j) y += integral[at(j)] * linear.L.col(j);
  y += base;
  for (int j = 0; j < fast_.count; ++j) y(fast_.begin + j) = z[at(j)] * typical_(fast_.begin + j);
  y.segment(work_block_.begin, work_block_.count) = base.segment(work_block_.begin, work_block_.count);
}

// y at the six points; the largest change there in units of the tolerance.
double ExponentialCollocation::update_nodes() {
  double largest = 0;
  for (int j = 1; j < kNodes; ++j) {
    VectorXd& node = node_[at(j)];
    put_together(2 * j, point_);
    double sum = 0;
    for (int i = 0; i < point_.size(); ++i) {
      const double change = (point_(i) - node(i)) / error_scale(i, y_(i), point_(i));
      sum += change * change;
    }
    node = point_;
    if (!(sum <= largest)) largest = sum;
  }
  return std::sqrt(largest / static_cast<double>(y_.size()));
}

double ExponentialCollocation::estimate() {
  y_new_ = node_[kNodes - 1];
  find_work();
  for (int i = 0; i < work_block_.count; ++i) {
    double sum = 0;
    for (int p = 0; p <= kTenths; ++p) sum += collocation_tables().work[kTenths][at(p)] * power_[at(p)][at(i)];
    y_new_(work_block_.begin + i) += h_ * sum;
  }
  if (!y_new_.allFinite()) return std::numeric_limits<double>::infinity();
  const double by_defect = std::max(defect(kTenths - 1), defect(1));
  return kStrict * std::max(by_defect, work_error());
}

// The defect of r at a tenth, as if it were constant over the step, carried to the end of the step.
double ExponentialCollocation::defect(int tenth) {
  put_together(tenth, point_);
  if (!rest(t_ + h_ * tenth / kTenths, point_, r_trial_)) return std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < kNodes; ++j) r_trial_ -= collocation_tables().taylor[at(tenth)][0][j] * r_[j];
  Fast d{}, e{}, integral{};
  for (int i = 0; i < fast_.count; ++i) d[at(i)] = r_trial_(fast_.begin + i) / typical_(fast_.begin + i);
  const double delta = h_ / kTenths;
  for (int p = 0; p < kTenths; ++p) {
    const Fast from = e;
    phi_.add(1, delta, from.data(), integral.data());
    phi_.add(2, delta * delta, d.data(), integral.data());
    std::fill_n(e.begin(), fast_.count, 0.0);
    phi_.add(0, 1, from.data(), e.data());
    phi_.add(1, delta, d.data(), e.data());
  }
  error_ = h_ * r_trial_;
  for (int j = 0; j < fast_.count; ++j) error_ += integral[at(j)] * now_.L.col(j);
  for (int j = 0; j < fast_.count; ++j) error_(fast_.begin + j) = e[at(j)] * typical_(fast_.begin + j);
  error_.segment(work_block_.begin, work_block_.count).setZero();
  double sum = 0;
  for (int i = 0; i < error_.size(); ++i) {
    const double part = error_(i) / error_scale(i, y_(i), y_new_(i));
    sum += part * part;
  }
  return kDefectShare * std::sqrt(sum / static_cast<double>(y_.size()));
}

void ExponentialCollocation::find_work() {
  if (work_block_.count == 0) return;
  point_ = y_;
  for (int p = 0; p <= kTenths; ++p) {
    for (int j = 0; j < fast_.count; ++j) point_(fast_.begin + j) = z_[at(p)][at(j)] * typical_(fast_.begin + j);
    partly_.work_rates(point_, power_[at(p)].data());
  }
}

double ExponentialCollocation::work_error() const {
  double sum = 0;
  for (int i = 0; i < work_block_.count; ++i) {
    double missed = 0;
    for (int p = 0; p <= kTenths; ++p) missed += collocation_tables().tenth_difference[at(p)] * power_[at(p)][at(i)];
    const int row = work_block_.begin + i;
    const double part = h_ * missed / error_scale(row, y_(row), y_new_(row));
    sum += part * part;
  }
  return kWorkShare * std::sqrt(sum / static_cast<double>(y_.size()));
}

// Adds the work of the last step: the polynomial through the eleven points, integrated up to some part of it.
void ExponentialCollocation::add_work(const std::array<double, kTenths + 1>& weights, VectorXd& y) const {
  for (int i = 0; i < work_block_.count; ++i) {
    double sum = 0;
    for (int p = 0; p <= kTenths; ++p) sum += weights[at(p)] * power_[at(p)][at(i)];
    y(work_block_.begin + i) += h_ * sum;
  }
}

bool ExponentialCollocation::layered() const {
  constexpr double fast = 5;  // within a step
  return h_ * last_.A.norm() > fast;
}

void ExponentialCollocation::interpolate(double t, VectorXd& y) const {
  if (!inside(t, y)) return;
  const double x = (t - t_begin_) / h_;
  // A time that is a tenth up to its own rounding is that tenth.
  const double rounding = 8 * kEpsilon * (1 + std::abs(t) / h_);
  const int nearest = static_cast<int>(std::lround(kTenths * x));
  if (std::abs(kTenths * x - nearest) <= kTenths * rounding) {
    const auto& weights = collocation_tables().integral[at(nearest)];
    put_together(y_begin_, last_, weights, z_[at(nearest)], integral_[at(nearest)], y);
    add_work(collocation_tables().work[at(nearest)], y);
    return;
  }
  const int tenth = std::min(static_cast<int>(kTenths * x), kTenths - 1);
  const double part = kTenths * x - tenth;
  Fast z = z_[at(tenth)];
  Fast integral = integral_[at(tenth)];
  part_.compute(last_.A, part * h_ / kTenths);
  advance(part_, part, tenth, z, integral);
  put_together(y_begin_, last_, collocation_tables().integral_to(x), z, integral, y);
  add_work(collocation_tables().work_to(x), y);
}

}  // namespace painleve
