// The implicit Runge-Kutta method Radau IIA of three stages, order 5, L-stable (Hairer & Wanner, Solving Ordinary
// Differential Equations II, 1996, IV.5 and IV.8).
//
//   z_i = h Σ_j a_ij f(t + c_j h, y + z_j),   i = 1, 2, 3,   y_new = y + z_3.
//
// Newton's method with ∂f/∂y = J of the beginning of the step, or of an earlier one as long as it converges fast. With
// a⁻¹ = T Λ T⁻¹ and z = T w it needs one real and one complex factorisation of size n, of γ/h - J and (α + iβ)/h - J.
// They are kept while the control would change h by less than a fifth.
//
// The error estimate e = (γ/h - J)⁻¹ (f(t, y) - u'(t)), with the collocation polynomial u, is of order h⁴ and the error
// itself of order h⁶. So a tolerance r = `relative` is met by an estimate below r' = r^(2/3)/10, and the absolute
// tolerances are raised in the same proportion; |y_i| is taken at the beginning of the step. That does not hold for
// stiff components, which follow the others with an error of the size of e. So the part (1 - F)² e, F = (1 - hJ/γ)⁻¹,
// which is e for them and of order h⁶ for the others, has to stay below 4 r.
//
// Dense output: u has the error h⁴ inside a step. `interpolate` corrects it to h⁶ where the problem is not stiff, with
// a polynomial p of degree 5,
//
//   p = y, y_new at the ends,  p' = f(t, y) at t,  p' = u' at t + h,  p' = f(t + x h, p_4(t + x h)) at x = s, 1 - s,
//
// where p_4, of degree 4 and error h⁵, differs from u in p_4' = f(t, y) at t. This costs two evaluations of f, made at
// the first call after a step. In the differences f - u' the directions in which h J is large are damped as in the
// error estimate, because there they only multiply rounding; in those directions the accuracy remains that of u.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>

#include "painleve/simulation/ode.hpp"

namespace painleve {

/// The integrator for stiff motions.
class Radau5 : public OdeIntegrator {
 public:
  Radau5(const OdeSystem& system, const OdeTolerance& tolerance);

  void start(double t, const Eigen::VectorXd& y) override;
  StepStatus step(double t_limit) override;
  void interpolate(double t, Eigen::VectorXd& y) const override;

 private:
  using Three = std::array<Eigen::VectorXd, 3>;

  void set_scale();
  void prepare(double h);
  void predict(double h);
  bool newton(double h);
  bool stage_rates(double h);
  double correct(double h);
  double estimate(double h);
  double filtered_error(double h, const Eigen::VectorXd& rate);
  double step_factor(double h, double error) const;
  bool jacobian_kept() const;
  void accept(double t_new, double h, double error);
  void refuse();
  void filter(double h, Eigen::VectorXd& vector) const;
  void defect(double x, const Eigen::VectorXd& rate, Eigen::VectorXd& result) const;
  void prepare_dense() const;
  void polynomial(double x, Eigen::VectorXd& y) const;

  double r_ = 0.0;                 // r' above
  double newton_tolerance_ = 0.0;  // what Newton's method may leave, in units of scale_
  Eigen::VectorXd typical_;        // absolute/relative per component: where the absolute tolerance takes over
  Eigen::VectorXd scale_;          // r' (|y_i| + typical_i) of this step

  double h_next_ = 0.0;         // what the control proposes; 0: nothing known
  bool finite_start_ = false;   // whether f(t, y) at the start is finite
  bool first_ = true;           // no step since the start
  bool refused_ = false;        // this step has been refused before
  bool jacobian_here_ = false;  // J_ belongs to (t, y)
  bool jacobian_good_ = false;  // Newton's method converged fast with J_
  double h_factored_ = 0.0;     // the step size of the factorisations; 0: none
  double newton_rate_ = 0.0;    // the factor from one correction to the next
  double eta_ = 1.0;            // factor from Newton's last correction to the error that it leaves
  int iterations_ = 0;
  double h_accepted_ = 0.0;  // of the step before, for the predictive control
  double error_accepted_ = 1.0;

  Eigen::MatrixXd J_;
  Eigen::MatrixXd real_matrix_;
  Eigen::MatrixXcd complex_matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> real_;      // of γ/h - J
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_;  // of (α + iβ)/h - J
  Three z_;                                        // of this step; and of the last accepted one
  Three z_accepted_;
  Three w_;
  Three f_;
  Eigen::VectorXd rate_;  // f(t, y)
  Eigen::VectorXd rate_new_;
  Eigen::VectorXd rate_begin_;  // f(t_begin, y_begin)
  Eigen::VectorXd y_new_;
  Eigen::VectorXd error_;
  Eigen::VectorXd stiff_error_;
  Eigen::VectorXd real_change_;
  Eigen::VectorXcd complex_side_;
  Eigen::VectorXcd complex_change_;
  mutable Eigen::VectorXd point_;
  mutable Eigen::VectorXd side_;
  mutable bool dense_ = false;  // whether q_ belongs to the last step
  mutable std::array<Eigen::VectorXd, 2> inside_;
  mutable std::array<Eigen::VectorXd, 2> rate_inside_;
  mutable Three q_;  // the corrections of u to p
};

}  // namespace painleve
