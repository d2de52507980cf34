// Ordinary differential equations y' = f(t, y) and what their integrators have in common.
//
// An integrator goes forward in time by steps that it chooses itself: each keeps its estimated error e below the
// tolerance in the root mean square,
//
//   sqrt( (1/n) Σ_i (e_i / s_i)² ) <= 1,    s_i = absolute_i + relative max(|y_i(t_begin)|, |y_i(t)|),
//
// and leaves behind a polynomial that gives y anywhere inside the step. Events are found on that polynomial, see
// crossing.hpp. Where f is not finite, or has a singularity, the step shrinks until it `collapsed`: that is a finding
// about the motion, and no exception.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace painleve {

/// The equations y' = f(t, y).
class OdeSystem {
 public:
  OdeSystem() = default;
  OdeSystem(const OdeSystem&) = default;
  OdeSystem(OdeSystem&&) = default;
  OdeSystem& operator=(const OdeSystem&) = default;
  OdeSystem& operator=(OdeSystem&&) = default;
  virtual ~OdeSystem() = default;

  virtual int size() const = 0;

  /// f(t, y); `rate` has the right size already. Values that are not finite say that y is outside the domain of f.
  virtual void rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const = 0;

  /// ∂f/∂y; J has the right size already, `rate` is f(t, y) and `scale` the typical magnitude of each component. This
  /// default takes forward differences with increments of sqrt(epsilon) max(|y_j|, scale_j), n calls of `rates`.
  virtual void jacobian(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& rate, const Eigen::VectorXd& scale,
                        Eigen::MatrixXd& J) const;
  /// Whether the Jacobian of one step may serve the next, if Newton's method converges with it. One that is much
  /// stiffer than the true one makes every correction small, and the method seems to have converged.
  virtual bool jacobian_lasts() const { return true; }
};

struct OdeTolerance {
  double relative = 1e-10;   // in s_i above; at least 1e-14, where rounding takes over
  Eigen::VectorXd absolute;  // per component; size 1: the same for all; empty: the number `relative` for all
  double largest_step = std::numeric_limits<double>::infinity();
  double first_step = 0.0;  // 0: chosen from f at the start
};

/// `collapsed`: the step fell below 16 units in the last place of t, or was refused 100 times: a singularity, or the
/// edge of the domain of f. The integrator then stays at its last accepted t and y, and its last step is empty.
enum class StepStatus { accepted, collapsed };

/// What was spent since construction.
struct OdeWork {
  long steps = 0;           // accepted
  long rejected = 0;        // refused for their error, for Newton's divergence, or for values that are not finite
  long rates = 0;           // calls of OdeSystem::rates, without those inside a default Jacobian
  long jacobians = 0;       // calls of OdeSystem::jacobian
  long factorisations = 0;  // pairs of a real and a complex n×n matrix
};

/// Keeps a reference to the system, which has to outlive it. After `start`, `step` takes nothing from the heap.
/// One integrator belongs to one thread; several integrators may share a system whose methods are const.
class OdeIntegrator {
 public:
  OdeIntegrator(const OdeIntegrator&) = delete;
  OdeIntegrator(OdeIntegrator&&) = delete;
  OdeIntegrator& operator=(const OdeIntegrator&) = delete;
  OdeIntegrator& operator=(OdeIntegrator&&) = delete;
  virtual ~OdeIntegrator() = default;

  /// Begins at (t, y); also the restart after a discontinuity. The last good step size is kept as a hint.
  virtual void start(double t, const Eigen::VectorXd& y) = 0;

  /// One accepted step, not beyond t_limit, which must lie after t.
  virtual StepStatus step(double t_limit) = 0;

  /// y within the last step, t_begin() <= t <= t(). The first call after a step may evaluate f (a cache that is filled
  /// behind const: calls for the same integrator must not overlap in time). The ends are returned exactly.
  virtual void interpolate(double t, Eigen::VectorXd& y) const = 0;

  /// Whether the last step holds motion much faster than itself, which it follows exactly: samples of the step then
  /// show where a function of the state goes, but no polynomial through them does.
  virtual bool layered() const { return false; }

  /// As interpolate(), for what depends on the same components as f does: the others may come out as anything.
  virtual void interpolate_active(double t, Eigen::VectorXd& y) const { interpolate(t, y); }

  /// How many evaluations of f the last step ended with, all of them near the motion and the last of them at t(): the
  /// values that a function of the state had there tell where it goes in the step. 0: there are no such.
  virtual int evaluations() const { return 0; }

  /// The functions below are given the value at t_begin() and those at the evaluations(), in their order. Between the
  /// ends of the last step the function stays above the least of this and its values there; −∞: they do not tell.
  virtual double least_inside(const double* values) const;

  /// Whether a function that is zero where the last step begins leaves it upwards, if only with its second derivative,
  /// and stays above it up to the end of the step.
  virtual bool leaves_zero(const double* values) const;

  /// Where a function falls through zero for the only time in the last step, in parts of the step, and how steeply.
  struct Fall {
    double part = 0.0;
    double slope = 0.0;  // per step
  };
  virtual std::optional<Fall> only_fall(const double* values) const;

  /// Whether the values show where the function goes in the last step: whether a polynomial goes through all of them.
  virtual bool smooth(const double* values) const;

  double t_begin() const { return t_begin_; }
  double t() const { return t_; }
  const Eigen::VectorXd& y_begin() const { return y_begin_; }
  const Eigen::VectorXd& y() const { return y_; }
  const OdeWork& work() const { return work_; }

 protected:
  OdeIntegrator(const OdeSystem& system, const OdeTolerance& tolerance);

  /// Sets both ends of the last step to (t, y).
  void place(double t, const Eigen::VectorXd& y);

  /// f(t, y), counted; false if it is not finite.
  bool rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const;

  /// s_i for a step from y_begin to y_end.
  double error_scale(int i, double y_begin, double y_end) const {
    return tolerance_.absolute[i] + tolerance_.relative * std::max(std::abs(y_begin), std::abs(y_end));
  }

  /// The size of a first step from (t, y) for a method with local errors of order h^exponent, where `rate` is f(t, y)
  /// (Hairer, Nørsett & Wanner 1993, II.4): an Euler step of 1 % of y, unless y' changes too much along it. `point`
  /// and `slope` are scratch.
  double chosen_first_step(double exponent, const Eigen::VectorXd& rate, Eigen::VectorXd& point,
                           Eigen::VectorXd& slope) const;

  /// Whether a step of size h can no longer resolve t.
  bool below_resolution(double h) const;

  /// Where a step of size h ends: t + h, or t_limit if that is not farther or so near that a rest would be left.
  double end_of_step(double h, double t_limit) const;

  /// Whether t lies strictly inside the last step; at its ends y is set to the state there. Outside it throws.
  bool inside(double t, Eigen::VectorXd& y) const;

  const OdeSystem& system_;
  const OdeTolerance tolerance_;  // absolute: one entry per component
  double t_begin_ = 0.0;
  double t_ = 0.0;
  Eigen::VectorXd y_begin_;
  Eigen::VectorXd y_;
  mutable OdeWork work_;
};

}  // namespace painleve
