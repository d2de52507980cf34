// Dormand & Prince 5(4) with step control and its dense output of order 4, for peers: what a careful programmer writes
// for a few equations. Coefficients: Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, Sec. II.5,
// II.6.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace painleve {

template <std::size_t N>
class Dopri5 {
 public:
  using Vector = std::array<double, N>;

  Dopri5(const Vector& start, double first_step, double tolerance) : y_(start), h_(first_step), tolerance_(tolerance) {}

  // Accepts one step of y′ = rates(y). Its values are at(theta), 0 ≤ theta ≤ 1, until the next.
  template <class Rates>
  void step(const Rates& rates) {
    if (!has_rates_) k_[0] = rates(y_);
    has_rates_ = true;
    for (;;) {
      stages(rates);
      const double error = scaled_error();
      const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
      taken_ = h_;
      h_ *= factor;
      ++steps_;
      if (error <= 1) break;
    }
    start_ = y_;
    y_ = next_;
    last_ = k_;
    k_[0] = k_[6];
  }

  Vector at(double theta) const {
    Vector y{};
    for (std::size_t i = 0; i < N; ++i) {
      const double r2 = y_[i] - start_[i];
      const double r3 = taken_ * last_[0][i] - r2;
      const double r4 = r2 - taken_ * last_[6][i] - r3;
      double r5 = 0;
      for (std::size_t s = 0; s < stages_; ++s) r5 += dense[s] * last_[s][i];
      y[i] = start_[i] + theta * (r2 + (1 - theta) * (r3 + theta * (r4 + (1 - theta) * taken_ * r5)));
    }
    return y;
  }

  // Goes on from a point of the last step, with other rates.
  void restart(const Vector& y) {
    y_ = y;
    has_rates_ = false;
  }

  const Vector& y() const { return y_; }
  long steps() const { return steps_; }

 private:
  static constexpr std::size_t stages_ = 7;
  static constexpr std::array<std::array<double, 6>, 6> a = {
      {{1.0 / 5},
       {3.0 / 40, 9.0 / 40},
       {44.0 / 45, -56.0 / 15, 32.0 / 9},
       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};
  static constexpr std::array<double, stages_> difference = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                             -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  static constexpr std::array<double, stages_> dense = {-12715105075.0 / 11282082432,  0,
                                                        87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                                        701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                                        69997945.0 / 29380423};

  template <class Rates>
  void stages(const Rates& rates) {
    for (std::size_t s = 0; s < 6; ++s) {
      for (std::size_t i = 0; i < N; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j <= s; ++j) sum += a[s][j] * k_[j][i];
        next_[i] = y_[i] + h_ * sum;
      }
      k_[s + 1] = rates(next_);
    }
  }

  double scaled_error() const {
    double worst = 0;
    for (std::size_t i = 0; i < N; ++i) {
      double sum = 0;
      for (std::size_t s = 0; s < stages_; ++s) sum += difference[s] * k_[s][i];
      const double scale = tolerance_ * (1 + std::max(std::abs(y_[i]), std::abs(next_[i])));
      worst = std::max(worst, std::abs(h_ * sum) / scale);
    }
    return worst;
  }

  Vector y_, next_{}, start_{};
  double h_, taken_ = 0, tolerance_;
  std::array<Vector, stages_> k_{}, last_{};
  bool has_rates_ = false;
  long steps_ = 0;
};

}  // namespace painleve
