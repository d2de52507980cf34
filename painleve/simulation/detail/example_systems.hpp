// Equations with known solutions, for the tests of the integrators.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <utility>

#include "painleve/simulation/ode.hpp"

namespace painleve {

/// y' = f(t, y) from a function.
class FormulaSystem : public OdeSystem {
 public:
  using Rates = std::function<void(double, const Eigen::VectorXd&, Eigen::VectorXd&)>;
  FormulaSystem(int size, Rates rates) : size_(size), rates_(std::move(rates)) {}
  int size() const override { return size_; }
  void rates(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const override { rates_(t, y, rate); }

 private:
  int size_;
  Rates rates_;
};

/// x'' = -x as (x, x').
inline FormulaSystem oscillator() {
  return {2, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
            rate[0] = y[1];
            rate[1] = -y[0];
          }};
}

/// A planet of unit gravity as (x, y, x', y').
inline FormulaSystem kepler() {
  return {4, [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
            const double r = std::hypot(y[0], y[1]);
            rate << y[2], y[3], -y[0] / (r * r * r), -y[1] / (r * r * r);
          }};
}

/// The pericentre of the ellipse of semi-axis 1, whose period is 2 pi.
inline Eigen::VectorXd kepler_start(double eccentricity) {
  return Eigen::Vector4d(1 - eccentricity, 0, 0, std::sqrt((1 + eccentricity) / (1 - eccentricity)));
}

/// A falling point as (height, speed).
inline FormulaSystem falling(double gravity) {
  return {2, [gravity](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
            rate[0] = y[1];
            rate[1] = -gravity;
          }};
}

inline OdeTolerance tolerance(double relative, double absolute) {
  OdeTolerance result;
  result.relative = relative;
  result.absolute = Eigen::VectorXd::Constant(1, absolute);
  return result;
}

/// Integrates to t_end; false if the step collapsed before.
inline bool run(OdeIntegrator& integrator, double t_end) {
  while (integrator.t() < t_end) {
    if (integrator.step(t_end) == StepStatus::collapsed) {
      return false;
    }
  }
  return true;
}

}  // namespace painleve
