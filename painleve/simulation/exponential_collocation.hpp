// Exponential collocation, for motions whose fast part is linear: the springs and dampers of contacts in one discrete
// state. y' = f(t, y) with the fast unknowns z among y; at the beginning of each step f is split into
//
//   y' = L z + r(t, y),   L = ∂f/∂z there,   A = the rows of L that belong to z.
//
// Of r is left what drifts: the change of the mechanism within the step, smaller than L z by the ratio of the two time
// scales. It is represented by the polynomial of degree 5 through its values at the six points x = 0, 1/5, …, 1 of the
// step, and the rest is exact,
//
//   z(τ) = e^{τA} z_0 + Σ_k τ^{k+1} φ_{k+1}(τA) r_z^{(k)},   y(τ) = y_0 + L ∫z + ∫r,
//   φ_0(X) = e^X,  φ_k(X) = X φ_{k+1}(X) + 1/k!   (Hochbruck & Ostermann, Acta Numerica 19, 2010, Sec. 2.1),
//
// from one tenth of the step to the next. The values of r and y at the six points are iterated to agreement, which is
// fast because r hardly depends on y. So a step is as long as the drift allows, whether the fast motion decays, swings
// or grows without bound.
//
// Work done by the contacts is quadratic in z and nothing depends on it: it is integrated by the closed Newton-Cotes
// rule on the eleven points of the tenths.
//
// Error control: f is evaluated at x = 1/10 and 9/10, between the points of the polynomial, and the defect there is
// carried through the linear motion to the end of the step; beside it stand what the iteration may have left, and the
// tenth difference of the work.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "painleve/simulation/detail/phi_functions.hpp"
#include "painleve/simulation/ode.hpp"

namespace painleve {

/// Equations with a part that is linear, or nearly so, in a block of unknowns.
class PartlyLinearSystem : public OdeSystem {
 public:
  struct Block {
    int begin = 0, count = 0;
  };
  virtual Block fast() const = 0;  // z
  virtual Block work() const = 0;  // quadratic in z; no rate depends on them

  /// f(t, y) and L = ∂f/∂z, without the rows of the work; both have their sizes already. `scale`: typical magnitudes.
  virtual void linearise(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& scale, Eigen::VectorXd& rate,
                         Eigen::MatrixXd& L) const = 0;
  /// The rates of the work alone, from z alone.
  virtual void work_rates(const Eigen::VectorXd& y, double* rate) const = 0;
};

class ExponentialCollocation : public OdeIntegrator {
 public:
  static constexpr int kMostFast = detail::PhiFunctions::kMost;

  ExponentialCollocation(const PartlyLinearSystem& system, const OdeTolerance& tolerance);

  void start(double t, const Eigen::VectorXd& y) override;
  StepStatus step(double t_limit) override;
  void interpolate(double t, Eigen::VectorXd& y) const override;
  bool layered() const override;

 private:
  static constexpr int kNodes = 6;
  static constexpr int kTenths = 10;
  static constexpr int kMostWork = 2;
  using Fast = std::array<double, static_cast<std::size_t>(kMostFast)>;  // in units of typical_
  using Work = std::array<double, static_cast<std::size_t>(kMostWork)>;

  // The linear part at the beginning of a step.
  struct Linear {
    Eigen::VectorXd rate;
    Eigen::MatrixXd L;  // per unit of the scaled z
    detail::SmallMatrix A;
  };

  bool linearise(double t, const Eigen::VectorXd& y, Linear& linear) const;
  bool iterate();
  bool evaluate_nodes();
  bool rest(double t, const Eigen::VectorXd& y, Eigen::VectorXd& r);
  void sweep();
  double update_nodes();
  void advance(const detail::PhiFunctions& phi, double part, int tenth, Fast& z, Fast& integral) const;
  using Weights = std::array<double, kNodes>;  // of r in the integral up to some part of the step
  void put_together(const Eigen::VectorXd& base, const Linear& linear, const Weights& weights, const Fast& z,
                    const Fast& integral, Eigen::VectorXd& y) const;
  void put_together(int tenth, Eigen::VectorXd& y) const;
  double estimate();
  double defect(int tenth);
  double work_error() const;
  void find_work();
  void add_work(const std::array<double, kTenths + 1>& weights, Eigen::VectorXd& y) const;

  const PartlyLinearSystem& partly_;
  const PartlyLinearSystem::Block fast_;
  const PartlyLinearSystem::Block work_block_;
  Eigen::VectorXd typical_;  // absolute/relative per component
  double h_ = 0;             // of this step, or of the last
  double h_next_ = 0;
  bool finite_start_ = false;
  double eta_ = 1;                                  // factor from the last change of the iteration to what it leaves
  double change_ = 0;                               // of the last sweep
  Linear now_, next_, last_;                        // of this step, of the one to come, of the last accepted one
  detail::PhiFunctions phi_;                        // of a tenth of the step
  mutable detail::PhiFunctions part_;               // of a part of a tenth
  std::array<Fast, kNodes> r_fast_{};               // the fast part of r, scaled
  std::array<Eigen::VectorXd, kNodes> r_, node_;    // r and y at the six points
  std::array<Fast, kTenths + 1> z_{}, integral_{};  // z and ∫z dt at the tenths
  std::array<Work, kTenths + 1> power_{};           // of the work at the tenths
  Eigen::VectorXd y_new_, r_trial_, error_;
  mutable Eigen::VectorXd point_;
};

}  // namespace painleve
