// One step of the Runge-Kutta pair of order 5(4) of Dormand & Prince (1980), for autonomous systems of fixed size.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace painleve::detail {

template <int Size>
using RungeKuttaState = Eigen::Matrix<double, Size, 1>;

template <int Size>
struct RungeKuttaStep {
  RungeKuttaState<Size> y;      // of order 5
  RungeKuttaState<Size> error;  // its difference from the solution of order 4
};

// y' = f(y). The step of size h from y.
template <int Size, class Rate>
RungeKuttaStep<Size> dormand_prince(const Rate& f, const RungeKuttaState<Size>& y, double h) {
  using State = RungeKuttaState<Size>;
  const State k1 = f(y);
  const State k2 = f(State(y + h * (k1 / 5)));
  const State k3 = f(State(y + h * (3.0 / 40 * k1 + 9.0 / 40 * k2)));
  const State k4 = f(State(y + h * (44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3)));
  const State k5 =
      f(State(y + h * (19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 + 64448.0 / 6561 * k3 - 212.0 / 729 * k4)));
  const State k6 = f(State(
      y + h * (9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 + 49.0 / 176 * k4 - 5103.0 / 18656 * k5)));
  RungeKuttaStep<Size> step;
  step.y = y + h * (35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 - 2187.0 / 6784 * k5 + 11.0 / 84 * k6);
  const State k7 = f(step.y);
  step.error = h * (71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 - 17253.0 / 339200 * k5 + 22.0 / 525 * k6 -
                    k7 / 40);
  return step;
}

// The factor by which the next step may be longer, for an error in units of what is allowed.
inline double step_factor(double error) {
  constexpr double safety = 0.9;
  return std::fmin(std::fmax(safety * std::pow(std::fmax(error, 1e-10), -0.2), 0.2), 5.0);
}

}  // namespace painleve::detail
