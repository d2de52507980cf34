#include "painleve/simulation/ode.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "painleve/base/error.hpp"

namespace painleve {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct DifferenceScratch {
  Eigen::VectorXd shifted;
  Eigen::VectorXd rate;
};

OdeTolerance checked(const OdeTolerance& tolerance, int size) {
  if (size < 1) {
    throw InputError("a system of differential equations must have at least one component");
  }
  if (!(tolerance.relative >= 1e-14 && tolerance.relative <= 1e-1)) {
    throw InputError("the relative tolerance of an integration must lie between 1e-14 and 0.1");
  }
  if (!(tolerance.largest_step > 0) || !(tolerance.first_step >= 0)) {
    throw InputError("the step sizes of an integration must be positive");
  }
  OdeTolerance full = tolerance;
  if (tolerance.absolute.size() == 0) {
    full.absolute = Eigen::VectorXd::Constant(size, tolerance.relative);
  } else if (tolerance.absolute.size() == 1) {
    full.absolute = Eigen::VectorXd::Constant(size, tolerance.absolute[0]);
  } else if (tolerance.absolute.size() != size) {
    throw InputError("the absolute tolerance of an integration must have one entry, or one per component");
  }
  if (!(full.absolute.minCoeff() > 0) || !full.absolute.allFinite()) {
    throw InputError("the absolute tolerances of an integration must be positive");
  }
  return full;
}

}  // namespace

void OdeSystem::jacobian(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, const Eigen::VectorXd& scale,
                         Eigen::MatrixXd& J) const {
  // Memory that is kept for the next call of this thread; moved out while in use, so that a nested call has its own.
  thread_local DifferenceScratch kept;
  DifferenceScratch scratch = std::move(kept);
  scratch.shifted = y;
  scratch.rate.resize(y.size());
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    // Along the motion, where f is most likely defined; and such that the increment is exact in floating point.
    const double increment = std::sqrt(kEpsilon) * std::max(std::abs(y[j]), scale[j]);
    scratch.shifted[j] = y[j] + std::copysign(increment, rate[j]);
    rates(t, scratch.shifted, scratch.rate);
    J.col(j) = (scratch.rate - rate) / (scratch.shifted[j] - y[j]);
    scratch.shifted[j] = y[j];
  }
  kept = std::move(scratch);
}

OdeIntegrator::OdeIntegrator(const OdeSystem& system, const OdeTolerance& tolerance)
    : system_(system),
      tolerance_(checked(tolerance, system.size())),
      y_begin_(Eigen::VectorXd::Zero(system.size())),
      y_(y_begin_) {}

double OdeIntegrator::least_inside(const double*) const { return -std::numeric_limits<double>::infinity(); }

bool OdeIntegrator::leaves_zero(const double*) const { return false; }

bool OdeIntegrator::smooth(const double*) const { return false; }

std::optional<OdeIntegrator::Fall> OdeIntegrator::only_fall(const double*) const { return std::nullopt; }

void OdeIntegrator::place(double t, const Eigen::VectorXd& y) {
  if (y.size() != y_.size() || !std::isfinite(t) || !y.allFinite()) {
    throw InputError("an integration must start from a finite time and state of the size of its system");
  }
  y_ = y;  // before y_begin_: y may be one of the two
  y_begin_ = y_;
  t_begin_ = t_ = t;
}

bool OdeIntegrator::rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
  ++work_.rates;
  system_.rates(t, y, rate);
  return rate.allFinite();
}

double OdeIntegrator::chosen_first_step(double exponent, const Eigen::VectorXd& rate, Eigen::VectorXd& point,
                                        Eigen::VectorXd& slope) const {
  if (tolerance_.first_step > 0) {
    return std::min(tolerance_.first_step, tolerance_.largest_step);
  }
  const int n = static_cast<int>(y_.size());
  double size = 0;
  double speed = 0;
  for (int i = 0; i < n; ++i) {
    const double part = 1 / error_scale(i, y_[i], y_[i]);
    size += (y_[i] * part) * (y_[i] * part);
    speed += (rate[i] * part) * (rate[i] * part);
  }
  size = std::sqrt(size / n);
  speed = std::sqrt(speed / n);
  const double euler = std::min(size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed, tolerance_.largest_step);
  point = y_ + euler * rate;
  if (!std::isfinite(euler) || !rates(t_ + euler, point, slope)) {
    return std::isfinite(euler) ? euler : 1e-6;
  }
  double bend = 0;
  for (int i = 0; i < n; ++i) {
    const double change = (slope[i] - rate[i]) / error_scale(i, y_[i], y_[i]);
    bend += change * change;
  }
  const double fastest = std::max(speed, std::sqrt(bend / n) / euler);
  const double allowed = fastest <= 1e-15 ? std::max(1e-6, 1e-3 * euler) : std::pow(0.01 / fastest, 1 / exponent);
  return std::min({100 * euler, allowed, tolerance_.largest_step});
}

bool OdeIntegrator::below_resolution(double h) const { return !(h > 16 * kEpsilon * std::abs(t_)); }

double OdeIntegrator::end_of_step(double h, double t_limit) const {
  if (!(t_limit > t_)) {
    throw InputError("the limit of a step must lie after the present time");
  }
  // A step may be a little longer than proposed: the control keeps a margin, and a tiny rest would cost a whole step.
  return 1.01 * h >= t_limit - t_ ? t_limit : t_ + h;
}

bool OdeIntegrator::inside(double t, Eigen::VectorXd& y) const {
  if (!(t >= t_begin_ && t <= t_)) {
    throw InputError("an integrator interpolates within its last step only");
  }
  if (t == t_begin_ || t == t_) {
    y = t == t_ ? y_ : y_begin_;
    return false;
  }
  return true;
}

}  // namespace painleve
