// The explicit Runge-Kutta method of order 8 of Dormand & Prince with the error estimate 8(5,3) and the dense output of
// order 7 of Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (1993), II.5, II.6 and its program
// DOP853.
//
//   k_1 = f(t, y),  k_i = f(t + c_i h, y + h Σ_{j<i} a_ij k_j),  i = 2 … 12,   y_new = y + h Σ b_i k_i,
//
// 12 evaluations of f per step, of which the last, f(t + h, y_new), is the first of the next step. With the errors
// e_5 = h Σ E5_i k_i and e_3 = h Σ E3_i k_i of the two embedded formulas the estimate is |e_5|² / sqrt(|e_5|² +
// |e_3|²/100), of order h^8.
//
// The dense output is a polynomial of degree 7 in the time. It needs 3 further evaluations of f, which are made at the
// first `interpolate` of a step and not before.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "painleve/simulation/ode.hpp"

namespace painleve {

/// The integrator for motions that are not stiff.
class DormandPrince853 : public OdeIntegrator {
 public:
  /// `active`: of the components of y those on which f depends, the first ones; the others are integrals, which need no
  /// values between the ends of a step. 0: all.
  DormandPrince853(const OdeSystem& system, const OdeTolerance& tolerance, int active = 0);

  void start(double t, const Eigen::VectorXd& y) override;
  StepStatus step(double t_limit) override;
  void interpolate(double t, Eigen::VectorXd& y) const override;
  void interpolate_active(double t, Eigen::VectorXd& y) const override;
  /// The next start() chooses its first step anew: what follows is another motion.
  void forget_step() { h_next_ = 0; }

  int evaluations() const override { return kNew; }
  double least_inside(const double* values) const override;
  bool leaves_zero(const double* values) const override;
  bool smooth(const double* values) const override;
  /// Where, in parts of the last step, a function may be higher than at both its ends and than `before`: near the top
  /// of the polynomial through its values. Nothing: nowhere.
  std::optional<double> peak(const double* values, double before) const;
  std::optional<Fall> only_fall(const double* values) const override;

 private:
  static constexpr int kNew = 12;          // the row of the new point
  static constexpr int kDenseStages = 16;  // with f at the new point and the three of the dense output
  static constexpr int kDegree = 7;
  static constexpr int kDense = 2 * kDenseStages;         // where the dense output begins in a pair
  static constexpr int kPairSize = kDense + 2 * kDegree;  // numbers of a pair

  bool slope(double t, const Eigen::VectorXd& y, int row) const;
  void copy_slope(int from, int to);
  template <class Row>
  void combine(double h, const Eigen::VectorXd& y, Eigen::Index count, Eigen::VectorXd& sum) const;
  template <int stage>
  bool stage_of(double h, double t, const Eigen::VectorXd& y) const;
  bool stages(double h);
  bool try_step(double t_new, double& error_here);
  double error(double h) const;
  void accept(double t_new);
  void prepare_dense(Eigen::Index count) const;
  void interpolate_first(Eigen::Index count, double t, Eigen::VectorXd& y) const;

  const Eigen::Index active_;       // rounded up to pairs
  double h_next_ = 0.0;             // what the control proposes for the next step; 0: nothing known
  bool finite_start_ = false;       // whether f(t, y) at the start is finite
  mutable Eigen::Index dense_ = 0;  // of how many components the dense output belongs to the last step
  Eigen::VectorXd y_new_;
  mutable Eigen::VectorXd point_, rate_;
  // For each pair of components what belongs to it: its k, of which the first is f(t_begin, y_begin) and that of the
  // row kNew f(t, y), and its coefficients of the dense output.
  mutable Eigen::VectorXd pairs_;
};

}  // namespace painleve
