#include "painleve/simulation/radau.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "painleve/simulation/detail/radau_coefficients.hpp"

namespace painleve {
namespace {

namespace table = radau_coefficients;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kRefusals = 100;        // consecutive ones that end the integration
constexpr int kIterations = 7;        // of Newton's method
constexpr double kMargin = 0.9;       // of the step control
constexpr double kInside = 0.18;      // s: near the best for the error of degree 5 and for that of f at s and 1 - s
constexpr double kStiffShare = 0.25;  // how much of the stiff part of the estimate is held against the tolerance itself
constexpr double kFast = 0.001;       // the rate of Newton's method up to which J is kept

}  // namespace

Radau5::Radau5(const OdeSystem& system, const OdeTolerance& tolerance) : OdeIntegrator(system, tolerance) {
  const Eigen::Index n = y_.size();
  r_ = 0.1 * std::pow(tolerance_.relative, 2.0 / 3);
  newton_tolerance_ = std::max(10 * kEpsilon / r_, std::min(0.03, std::sqrt(r_)));
  typical_ = tolerance_.absolute / tolerance_.relative;
  for (Eigen::VectorXd* vector :
       {&scale_, &rate_, &rate_new_, &rate_begin_, &y_new_, &error_, &stiff_error_, &real_change_, &point_, &side_}) {
    vector->setZero(n);
  }
  for (Three* three : {&z_, &z_accepted_, &w_, &f_, &q_}) {
    three->fill(y_);
  }
  rate_inside_.fill(y_);
  inside_.fill(y_);
  complex_side_.setZero(n);
  complex_change_.setZero(n);
  J_.setZero(n, n);
  real_matrix_.setIdentity(n, n);
  complex_matrix_.setIdentity(n, n);
  real_.compute(real_matrix_);
  complex_.compute(complex_matrix_);
}

void Radau5::start(double t, const Eigen::VectorXd& y) {
  place(t, y);
  dense_ = false;
  first_ = true;
  jacobian_here_ = jacobian_good_ = false;
  h_factored_ = 0;
  eta_ = 1;
  finite_start_ = rates(t_, y_, rate_);
  if (finite_start_ && !(h_next_ > 0)) {
    // A stiff component makes this far too small, and the control lets it grow by 8 per step.
    h_next_ = chosen_first_step(4, rate_, point_, side_);
  }
}

StepStatus Radau5::step(double t_limit) {
  const double proposed = std::min(h_next_, tolerance_.largest_step);
  double h = proposed;
  refused_ = false;
  set_scale();
  for (int refusals = 0; finite_start_ && refusals <= kRefusals && !below_resolution(h); ++refusals) {
    const double t_new = end_of_step(h, t_limit);
    h = t_new - t_;
    prepare(h);
    if (!newton(h)) {
      refuse();
      h *= 0.5;
      continue;
    }
    const double error = estimate(h);
    const double factor = step_factor(h, error);
    if (error <= 1 && rates(t_new, y_new_, rate_new_)) {
      // A step that was cut at the limit says little about the next one.
      h_next_ = refused_ ? std::min(factor, 1.0) * h : std::max(factor * h, h < 0.99 * proposed ? proposed : 0.0);
      accept(t_new, h, error);
      return StepStatus::accepted;
    }
    refuse();
    h *= error > 1 && std::isfinite(error) ? (first_ ? 0.1 : factor) : 0.25;
  }
  h_next_ = 0;
  place(t_, y_);
  dense_ = false;
  return StepStatus::collapsed;
}

// The unit of errors in this step: r' times the magnitude of y_i, or where its absolute tolerance takes over.
void Radau5::set_scale() { scale_ = r_ * (y_.cwiseAbs() + typical_); }

// J and the factorisations for a step of size h.
void Radau5::prepare(double h) {
  if (!jacobian_here_ && !jacobian_good_) {
    ++work_.jacobians;
    point_ = y_.cwiseAbs().cwiseMax(typical_);
    system_.jacobian(t_, y_, rate_, point_, J_);
    jacobian_here_ = true;
    h_factored_ = 0;
  }
  if (std::abs(h - h_factored_) <= 1e-9 * h) {
    return;  // the rounding of t + h; Newton's method does not feel it
  }
  ++work_.factorisations;
  real_matrix_ = -J_;
  real_matrix_.diagonal().array() += table::gamma / h;
  real_.compute(real_matrix_);
  complex_matrix_.real() = -J_;
  complex_matrix_.imag().setZero();
  complex_matrix_.diagonal().array() += std::complex<double>(table::alpha, table::beta) / h;
  complex_.compute(complex_matrix_);
  h_factored_ = h;
}

// Marks this step as refused; an old J is not tried a second time.
void Radau5::refuse() {
  ++work_.rejected;
  refused_ = true;
  jacobian_good_ = false;
}

// The first guess: the polynomial of the last step, continued.
void Radau5::predict(double h) {
  if (first_) {
    for (std::size_t i = 0; i < 3; ++i) {
      z_[i].setZero();
      w_[i].setZero();
    }
    return;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const auto l = table::lagrange(1 + table::c[i] * h / h_accepted_);
    z_[i] = l[0] * z_accepted_[0] + l[1] * z_accepted_[1] + (l[2] - 1) * z_accepted_[2];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    w_[i] = table::T_inverse[i][0] * z_[0] + table::T_inverse[i][1] * z_[1] + table::T_inverse[i][2] * z_[2];
  }
}

// Solves for the stages; false if the iteration diverges, is too slow, or meets what is not finite.
bool Radau5::newton(double h) {
  predict(h);
  eta_ = std::pow(std::max(eta_, kEpsilon), 0.8);
  newton_rate_ = 0;
  double before = 0;
  for (iterations_ = 1; iterations_ <= kIterations; ++iterations_) {
    if (!stage_rates(h)) {
      return false;
    }
    const double change = correct(h);
    if (!std::isfinite(change)) {
      return false;
    }
    if (iterations_ > 1) {
      const double rate = change / before;
      newton_rate_ = iterations_ == 2 ? rate : std::sqrt(rate * newton_rate_);
      const double left = std::pow(newton_rate_, kIterations - iterations_) / (1 - newton_rate_) * change;
      if (newton_rate_ >= 0.99 || left > newton_tolerance_) {
        return false;
      }
      eta_ = newton_rate_ / (1 - newton_rate_);
    }
    if (eta_ * change <= newton_tolerance_) {
      y_new_ = y_ + z_[2];
      return y_new_.allFinite();
    }
    before = std::max(change, std::numeric_limits<double>::min());
  }
  return false;
}

bool Radau5::stage_rates(double h) {
  for (std::size_t i = 0; i < 3; ++i) {
    point_ = y_ + z_[i];
    if (!rates(t_ + table::c[i] * h, point_, f_[i])) {
      return false;
    }
  }
  return true;
}

// One correction of w and z, and its size in units of the tolerance.
double Radau5::correct(double h) {
  const auto& back = table::T_inverse;
  side_ = back[0][0] * f_[0] + back[0][1] * f_[1] + back[0][2] * f_[2] - (table::gamma / h) * w_[0];
  real_change_ = real_.solve(side_);
  const double alpha = table::alpha / h;
  const double beta = table::beta / h;
  complex_side_.real() = back[1][0] * f_[0] + back[1][1] * f_[1] + back[1][2] * f_[2] - alpha * w_[1] + beta * w_[2];
  complex_side_.imag() = back[2][0] * f_[0] + back[2][1] * f_[1] + back[2][2] * f_[2] - beta * w_[1] - alpha * w_[2];
  complex_change_ = complex_.solve(complex_side_);
  w_[0] += real_change_;
  w_[1] += complex_change_.real();
  w_[2] += complex_change_.imag();
  for (std::size_t i = 0; i < 3; ++i) {
    z_[i] = table::T[i][0] * w_[0] + table::T[i][1] * w_[1] + table::T[i][2] * w_[2];
  }
  const double square =
      (real_change_.array() / scale_.array()).square().sum() + (complex_change_.array() / scale_.array()).abs2().sum();
  return std::sqrt(square / (3.0 * static_cast<double>(y_.size())));
}

// The estimated error in units of the tolerance.
double Radau5::estimate(double h) {
  const double error = filtered_error(h, rate_);
  if (error <= 1 || !(first_ || refused_)) {
    return error;
  }
  // Once more through the same filter: the first estimate is far too large for a stiff component.
  point_ = y_ + error_;
  return rates(t_, point_, f_[0]) ? filtered_error(h, f_[0]) : error;
}

double Radau5::filtered_error(double h, const Eigen::VectorXd& rate) {
  const auto slope = table::lagrange_slope(0);
  side_ = rate - (slope[0] / h) * z_[0] - (slope[1] / h) * z_[1] - (slope[2] / h) * z_[2];
  error_ = real_.solve(side_);
  // The stiff part (1 - F)² e of the estimate, F = (1 - hJ/γ)⁻¹, is the error itself, and not its 2/3rd power.
  stiff_error_ = error_;
  for (int k = 0; k < 2; ++k) {
    side_ = (table::gamma / h) * stiff_error_;
    point_ = real_.solve(side_);
    stiff_error_ -= point_;
  }
  const double whole = (error_.array() / scale_.array()).square().sum();
  const double stiff = (stiff_error_.array() / scale_.array()).square().sum();
  const double ratio = kStiffShare * r_ / tolerance_.relative;
  return std::sqrt(std::max(whole, ratio * ratio * stiff) / static_cast<double>(y_.size()));
}

// The factor to the next step size: the estimate is of order h⁴, with a margin that grows with the iterations spent
// and the predictive control of Gustafsson (ACM TOMS 20, 1994), which knows how the error changed from step to step.
double Radau5::step_factor(double h, double error) const {
  constexpr double smallest = 0.2;
  constexpr double largest = 8;
  const double margin = kMargin * std::min(1.0, (2.0 * kIterations + 1) / (2.0 * kIterations + iterations_));
  double factor = margin * std::pow(error, -0.25);
  if (!first_ && !refused_ && error <= 1) {
    factor = std::min(factor, kMargin * h / h_accepted_ * std::pow(error_accepted_ / (error * error), 0.25));
  }
  factor = std::clamp(factor, smallest, largest);
  return factor >= 1 && factor <= 1.2 && jacobian_kept() ? 1.0 : factor;
}

// Whether Newton's method was fast enough in this step to do with the same J in the next.
bool Radau5::jacobian_kept() const { return newton_rate_ <= kFast && system_.jacobian_lasts(); }

void Radau5::accept(double t_new, double h, double error) {
  ++work_.steps;
  y_begin_.swap(y_);
  y_.swap(y_new_);
  rate_begin_.swap(rate_);
  rate_.swap(rate_new_);
  z_accepted_.swap(z_);
  t_begin_ = t_;
  t_ = t_new;
  h_accepted_ = h;
  error_accepted_ = std::max(error, 1e-2);
  first_ = false;
  jacobian_here_ = false;
  jacobian_good_ = jacobian_kept();
  dense_ = false;
}

// The part of a defect h (f - u') that is not stiff: twice through F = (1 - hJ/γ)⁻¹, as 2F - F², which is
// 1 + O(h²) for small hJ and O(1/(hJ)) for large.
void Radau5::filter(double h, Eigen::VectorXd& vector) const {
  side_ = (table::gamma / h) * vector;
  point_ = real_.solve(side_);
  side_ = (table::gamma / h) * (vector - point_);
  vector = real_.solve(side_);
  vector += point_;
}

// The part of h f - h u' at x parts of the step that is not stiff.
void Radau5::defect(double x, const Eigen::VectorXd& rate, Eigen::VectorXd& result) const {
  const double h = t_ - t_begin_;
  const auto slope = table::lagrange_slope(x);
  result = h * rate - slope[0] * z_accepted_[0] - slope[1] * z_accepted_[1] - slope[2] * z_accepted_[2];
  filter(h, result);
}

// The corrections q_0, q_1, q_2 of p = u + x (1 - x)² q_0 + x² (1 - x)² (q_1 + (x - 1/2) q_2): first q_0 from f at the
// beginning, with the q_1 of p_4, whose slope is that of u at c_1 and c_2; then q_1 and q_2 from f at s and 1 - s.
void Radau5::prepare_dense() const {
  constexpr double s = kInside;
  constexpr double v = s * (1 - s);
  constexpr double d = 1 - 2 * s;
  defect(0, rate_begin_, q_[0]);
  q_[1] = -2.5 * q_[0];
  q_[2].setZero();
  dense_ = true;
  const double h = t_ - t_begin_;
  polynomial(s, inside_[0]);
  polynomial(1 - s, inside_[1]);
  if (!rates(t_begin_ + s * h, inside_[0], rate_inside_[0]) ||
      !rates(t_begin_ + (1 - s) * h, inside_[1], rate_inside_[1])) {
    return;  // p_4 has to do
  }
  defect(s, rate_inside_[0], inside_[0]);
  defect(1 - s, rate_inside_[1], inside_[1]);
  inside_[0] -= (1 - s) * (1 - 3 * s) * q_[0];  // less the slope of x (1 - x)²
  inside_[1] -= s * (3 * s - 2) * q_[0];
  q_[1] = (inside_[0] - inside_[1]) / (4 * v * d);
  q_[2] = (inside_[0] + inside_[1]) / (2 * v * (v - d * d));
}

// p at x parts of the step.
void Radau5::polynomial(double x, Eigen::VectorXd& y) const {
  const auto l = table::lagrange(x);
  const double bump = x * (1 - x);
  y = y_begin_ + l[0] * z_accepted_[0] + l[1] * z_accepted_[1] + l[2] * z_accepted_[2];
  y += bump * (1 - x) * q_[0] + bump * bump * (q_[1] + (x - 0.5) * q_[2]);
}

void Radau5::interpolate(double t, Eigen::VectorXd& y) const {
  if (!inside(t, y)) {
    return;
  }
  if (!dense_) {
    prepare_dense();
  }
  polynomial((t - t_begin_) / (t_ - t_begin_), y);
}

}  // namespace painleve
