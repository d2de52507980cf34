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
// from one fifth of the step to the next. The values of r and y at the six points are iterated to agreement, which is
// fast because r hardly depends on y. So a step is as long as the drift allows, whether the fast motion decays, swings
// or grows without bound.
//
// Work done by the contacts is quadratic in z and nothing depends on it: it is integrated by the closed Newton-Cotes
// rule on the eleven points of the tenths.
//
// Error control: f is evaluated at x = 1/10 and 9/10, between the points of the polynomial, and the defect there is
// carried through the linear motion to the end of the step; beside it stands the tenth difference of the work. What the
// iteration leaves shows in the defect too: if a step that trusted the convergence of earlier ones has an error worth
// mentioning, the iteration goes on before the step is judged.
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
  /// The first so many unknowns, with z, are all that any rate depends on.
  virtual int active() const { return size(); }

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
  void interpolate_active(double t, Eigen::VectorXd& y) const override;
  bool layered() const override;

 private:
  static constexpr int kNodes = 6;
  static constexpr int kTenths = 10;
  static constexpr int kSweeps = 8;
  static constexpr int kMostWork = 2;
  using Fast = std::array<double, static_cast<std::size_t>(kMostFast)>;  // in units of typical_
  using Work = std::array<double, static_cast<std::size_t>(kMostWork)>;

  // Where a time lies in the last step: at the point `node` of the six, or beyond it by `part` of a fifth.
  struct Place {
    double x = 0, part = 0;
    int node = 0;
  };
  Place place_of(double t) const;
  void active_at(const Place& place, Fast& integral, Eigen::VectorXd& y) const;

  using Weights = std::array<double, static_cast<std::size_t>(kNodes)>;  // of r in the integral up to part of the step

  // The linear part at the beginning of a step.
  struct Linear {
    Eigen::VectorXd rate;
    Eigen::MatrixXd L;  // per unit of the scaled z
    detail::SmallMatrix A;
    double pace = 0;  // of A
  };

  bool linearise(double t, const Eigen::VectorXd& y, Linear& linear) const;
  double foreseen_factor(double error) const;
  bool iterate();
  bool converge();
  double left(int sweep, double measured) const;
  bool evaluate_nodes();
  bool rest(double t, const Eigen::VectorXd& y, Eigen::VectorXd& r);
  void sweep(int derivatives);
  void find_taylor();
  double update_nodes();
  void advance(const detail::PhiFunctions& phi, double part, int fifth, int derivatives, int tenth);
  void advance(const detail::PhiFunctions& phi, double part, int fifth, int derivatives, Fast& z, Fast& integral) const;
  void advance_by_series(double part, int node, Fast& z, Fast& integral) const;
  void find_odd_tenths();
  void slow_rows(int begin, int end, const Eigen::VectorXd& base, const Linear& linear, const Weights& weights,
                 const Fast& integral, Eigen::VectorXd& y) const;
  void slow_rows_of_nodes(int begin, int end);
  void put_fast(const Fast& z, Eigen::VectorXd& y) const;
  void put_together(int tenth, Eigen::VectorXd& y) const;
  void put_ledger(const Eigen::VectorXd& base, const Linear& linear, const Weights& weights, const Fast& integral,
                  Eigen::VectorXd& y) const;
  double estimate();
  bool find_defect(int tenth, Eigen::VectorXd& r);
  double defect();
  double error_size(const Eigen::VectorXd& error) const;
  double work_error() const;
  void find_work();
  void add_work(const std::array<double, kTenths + 1>& weights, Eigen::VectorXd& y) const;

  const PartlyLinearSystem& partly_;
  const PartlyLinearSystem::Block fast_;
  const PartlyLinearSystem::Block work_block_;
  const int active_;
  double strict_ = 1;  // errors of steps add up: the estimates of this one stay below the tolerance by this factor
  Eigen::VectorXd typical_;  // absolute/relative per component
  double h_ = 0;             // of this step, or of the last
  double h_next_ = 0;
  bool finite_start_ = false;
  double h_before_ = 0, error_before_ = 0;  // of the last accepted step; 0: there is none
  struct Convergence {                      // how much smaller the next sweep was, in a step of this size
    double rate = 0, h = 0;
  };
  int sweeps_ = 0;
  bool on_trust_ = false;                     // the iteration has ended for what is known from earlier steps
  std::array<Convergence, kSweeps> known_{};  // per sweep
  double change_ = 0;                         // of the last sweep, in parts of the error that a step may have
  Linear now_, next_, last_;                  // of this step, of the one to come, of the last accepted one
  detail::PhiFunctions tenth_, fifth_;        // of these parts of the step
  mutable detail::PhiFunctions part_;         // of a part of a fifth
  std::array<Fast, kNodes> r_fast_{};         // the fast part of r, scaled
  std::array<std::array<Fast, kNodes>, kNodes - 1> taylor_{};  // its derivatives at the beginnings of the fifths
  std::array<Eigen::VectorXd, kNodes> r_, node_, trial_;       // r and y at the six points, and the next y there
  std::array<Fast, kTenths + 1> z_{}, integral_{};             // z and ∫z dt at the tenths
  std::array<Work, kTenths + 1> power_{};                      // of the work at the tenths
  Eigen::VectorXd y_new_;
  Eigen::VectorXd early_, late_;  // defects near the ends of the step
  mutable Eigen::VectorXd point_;
};

}  // namespace painleve
