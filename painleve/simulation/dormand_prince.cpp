#include "painleve/simulation/dormand_prince.hpp"

#include <algorithm>
#include <cmath>

#include "painleve/simulation/detail/dormand_prince_coefficients.hpp"

namespace painleve {
namespace {

namespace table = dormand_prince_coefficients;

constexpr int kNew = 12;        // the row of the new point
constexpr int kRefusals = 100;  // consecutive ones that end the integration

// The factor from one step size to the next: the estimated error is of order h^8.
double step_factor(double error) {
  constexpr double margin = 0.9;
  constexpr double smallest = 1.0 / 3;
  constexpr double largest = 6;
  return std::clamp(margin * std::pow(error, -1.0 / 8), smallest, largest);
}

}  // namespace

DormandPrince853::DormandPrince853(const OdeSystem& system, const OdeTolerance& tolerance)
    : OdeIntegrator(system, tolerance), y_new_(y_), point_(y_) {
  k_.fill(y_);
  dense_coefficients_.fill(y_);
}

void DormandPrince853::start(double t, const Eigen::VectorXd& y) {
  place(t, y);
  dense_ = false;
  finite_start_ = rates(t_, y_, k_[kNew]);
  if (finite_start_ && !(h_next_ > 0)) {
    h_next_ = chosen_first_step(8, k_[kNew], point_, k_[1]);
  }
}

StepStatus DormandPrince853::step(double t_limit) {
  const double proposed = h_next_;
  double h = std::min(proposed, tolerance_.largest_step);
  bool refused = false;
  k_[0].swap(k_[kNew]);
  for (int refusals = 0; finite_start_ && refusals <= kRefusals && !below_resolution(h); ++refusals) {
    const double t_new = end_of_step(h, t_limit);
    const bool cut = t_new - t_ < h;
    h = t_new - t_;
    const double error_here = stages(h) ? error(h) : std::numeric_limits<double>::infinity();
    const double factor = step_factor(error_here);
    if (error_here <= 1) {
      const double grown = refused ? std::min(factor, 1.0) * h : factor * h;
      h_next_ = cut && !refused ? std::max(grown, proposed) : grown;
      accept(t_new);
      return StepStatus::accepted;
    }
    ++work_.rejected;
    refused = true;
    h *= std::isfinite(error_here) ? factor : 0.25;
  }
  k_[0].swap(k_[kNew]);
  h_next_ = 0;
  place(t_, y_);
  dense_ = false;
  return StepStatus::collapsed;
}

// The point of a stage of the step of size h from `base` in point_.
void DormandPrince853::stage_point(int stage, double h, const Eigen::VectorXd& base) const {
  const auto i = static_cast<std::size_t>(stage);
  point_ = base;
  for (std::size_t j = 0; j < i; ++j) {
    if (table::a[i][j] != 0) {
      point_ += (h * table::a[i][j]) * k_[j];
    }
  }
}

// All evaluations of a step of size h; false if one of them, or the new point, is not finite.
bool DormandPrince853::stages(double h) {
  for (int stage = 1; stage <= kNew; ++stage) {
    const auto i = static_cast<std::size_t>(stage);
    stage_point(stage, h, y_);
    if (!rates(t_ + table::c[i] * h, point_, k_[i])) {
      return false;
    }
  }
  y_new_ = point_;
  return y_new_.allFinite();
}

double DormandPrince853::error(double h) const {
  const int n = static_cast<int>(y_.size());
  double square_5 = 0;
  double square_3 = 0;
  for (int i = 0; i < n; ++i) {
    double e_5 = 0;
    double e_3 = 0;
    for (std::size_t j = 0; j < table::error_5.size(); ++j) {
      e_5 += table::error_5[j] * k_[j][i];
      e_3 += table::error_3[j] * k_[j][i];
    }
    const double s = error_scale(i, y_[i], y_new_[i]);
    square_5 += (e_5 / s) * (e_5 / s);
    square_3 += (e_3 / s) * (e_3 / s);
  }
  const double mixed = square_5 + 0.01 * square_3;
  return mixed > 0 ? h * square_5 / std::sqrt(mixed * n) : mixed;  // `mixed` is 0 or not a number
}

void DormandPrince853::accept(double t_new) {
  ++work_.steps;
  y_begin_.swap(y_);
  y_.swap(y_new_);
  t_begin_ = t_;
  t_ = t_new;
  dense_ = false;
}

void DormandPrince853::prepare_dense() const {
  const double h = t_ - t_begin_;
  for (int stage = kNew + 1; stage < kDenseStages; ++stage) {
    const auto i = static_cast<std::size_t>(stage);
    stage_point(stage, h, y_begin_);
    rates(t_begin_ + table::c[i] * h, point_, k_[i]);
  }
  auto& coefficients = dense_coefficients_;
  coefficients[0] = y_ - y_begin_;
  coefficients[1] = h * k_[0] - coefficients[0];
  coefficients[2] = 2 * coefficients[0] - h * (k_[0] + k_[kNew]);
  for (std::size_t row = 0; row < table::dense.size(); ++row) {
    coefficients[row + 3].setZero();
    for (std::size_t j = 0; j < k_.size(); ++j) {
      if (table::dense[row][j] != 0) {
        coefficients[row + 3] += (h * table::dense[row][j]) * k_[j];
      }
    }
  }
  dense_ = true;
}

void DormandPrince853::interpolate(double t, Eigen::VectorXd& y) const {
  if (!inside(t, y)) {
    return;
  }
  if (!dense_) {
    prepare_dense();
  }
  // y_begin + x (F_1 + (1 - x) (F_2 + x (F_3 + (1 - x) (F_4 + …)))), from the inside out.
  const double x = (t - t_begin_) / (t_ - t_begin_);
  y = dense_coefficients_[kDegree - 1] * x;
  for (int i = kDegree - 2; i >= 0; --i) {
    y += dense_coefficients_[static_cast<std::size_t>(i)];
    y *= i % 2 == 0 ? x : 1 - x;
  }
  y += y_begin_;
}

}  // namespace painleve
