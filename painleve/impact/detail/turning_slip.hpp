// A slip of one spatial contact whose direction e turns while the normal impulse Λ grows, as Taylor series in the time
// τ of dΛ = s dτ (spatial_impact.hpp). With e = (c, z) and r = W_tn − μ W_tt e its equations are products of series,
//
//   c˙ = −h z,  z˙ = h c,  s˙ = −k s,  u_n˙ = s p,     h = c r_2 − z r_1,  k = −(c r_1 + z r_2),  p = W_nn − μ W_tn·e,
//
// and so are the integrals Λ, the works of the normal impulse and of friction, and Λ_t. Each coefficient follows from
// those before it; no function is evaluated, and every moment of a step is known from the same coefficients.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "painleve/contact/single_contact.hpp"

namespace painleve::detail {

class TurningSlip {
 public:
  struct Point {
    Eigen::Vector2d e;
    double s = 0, u_n = 0;
    // From the start of the step on.
    double Lambda = 0, work_n = 0, work_t = 0;
    Eigen::Vector2d Lambda_t = Eigen::Vector2d::Zero();
  };

  // `speed` and `turning`: the sizes of the velocities and of h; `tolerance`: the local error of a step, in parts of
  // them.
  TurningSlip(const SpatialContact& contact, double speed, double turning, double tolerance)
      : contact_(contact), speed_(speed), impulses_(speed / turning), turning_(turning), tolerance_(tolerance) {
    // The work per unit of τ is least where the last terms are of size e^−2n (Jorba & Zou 2005).
    order_ = static_cast<std::size_t>(std::clamp(2 - std::log(tolerance) / 2, 8.0, static_cast<double>(most)));
  }

  // The next step begins here; what it gains counts from zero.
  void start(const Eigen::Vector2d& e, double s, double u_n) {
    c_[0] = e.x();
    z_[0] = e.y();
    s_[0] = s;
    u_[0] = u_n;
    for (std::size_t n = 0; n < order_; ++n) extend(n);
    choose_length();
  }

  double length() const { return length_; }

  double u_n(double tau) const { return sum(u_, tau); }
  double Lambda(double tau) const { return sum(Lambda_, tau); }
  double work_n(double tau) const { return sum(work_n_, tau); }
  Point at(double tau) const {
    Point point;
    point.e = Eigen::Vector2d(sum(c_, tau), sum(z_, tau)).normalized();
    point.s = sum(s_, tau);
    point.u_n = u_n(tau);
    point.Lambda = Lambda(tau);
    point.work_n = work_n(tau);
    point.work_t = sum(work_t_, tau);
    point.Lambda_t = {sum(Lambda_1_, tau), sum(Lambda_2_, tau)};
    return point;
  }

 private:
  static constexpr std::size_t most = 24;
  using Series = std::array<double, most + 1>;

  // The coefficients n + 1 from those up to n.
  void extend(std::size_t n) {
    const double mu = contact_.mu;
    const auto& W = contact_.W_tt;
    const auto& g = contact_.W_tn;
    r_1_[n] = (n == 0 ? g.x() : 0) - mu * (W(0, 0) * c_[n] + W(0, 1) * z_[n]);
    r_2_[n] = (n == 0 ? g.y() : 0) - mu * (W(1, 0) * c_[n] + W(1, 1) * z_[n]);
    p_[n] = (n == 0 ? contact_.W_nn : 0) - mu * (g.x() * c_[n] + g.y() * z_[n]);
    double h = 0, k = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      const std::size_t j = n - i;
      h += c_[i] * r_2_[j] - z_[i] * r_1_[j];
      k -= c_[i] * r_1_[j] + z_[i] * r_2_[j];
    }
    h_[n] = h;
    k_[n] = k;
    double hz = 0, hc = 0, sk = 0, sp = 0, su = 0, ss = 0, sc = 0, sz = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      const std::size_t j = n - i;
      hz += h_[i] * z_[j];
      hc += h_[i] * c_[j];
      sk += s_[i] * k_[j];
      sp += s_[i] * p_[j];
      su += s_[i] * u_[j];
      ss += s_[i] * s_[j];
      sc += s_[i] * c_[j];
      sz += s_[i] * z_[j];
    }
    const double part = 1 / static_cast<double>(n + 1);
    c_[n + 1] = -hz * part;
    z_[n + 1] = hc * part;
    s_[n + 1] = -sk * part;
    u_[n + 1] = sp * part;
    Lambda_[n + 1] = s_[n] * part;
    work_n_[n + 1] = su * part;
    work_t_[n + 1] = -mu * ss * part;
    Lambda_1_[n + 1] = -mu * sc * part;
    Lambda_2_[n + 1] = -mu * sz * part;
  }

  // The size of coefficient n in units of what may be wrong.
  double size(std::size_t n) const {
    const double direction = std::max(std::abs(c_[n]), std::abs(z_[n]));
    const double velocity = std::max(std::abs(s_[n]) / s_[0], std::abs(u_[n]) / speed_);
    const double impulse = std::max({std::abs(Lambda_[n]), std::abs(Lambda_1_[n]), std::abs(Lambda_2_[n])}) / impulses_;
    const double work = std::max(std::abs(work_n_[n]), std::abs(work_t_[n])) / (speed_ * impulses_);
    return std::max({direction, velocity, impulse, work}) / tolerance_;
  }

  // So that the last two terms are within the tolerance, and s, which falls exponentially, keeps its digits.
  void choose_length() {
    constexpr double most_fall = 0.05;
    length_ = 1e6 / turning_;
    for (const std::size_t n : {order_ - 1, order_})
      length_ = std::min(length_, std::pow(size(n), -1 / static_cast<double>(n)));
    while (sum(s_, length_) < most_fall * s_[0]) length_ *= 0.75;
  }

  double sum(const Series& series, double tau) const {
    double total = series[order_];
    for (std::size_t n = order_; n-- > 0;) total = series[n] + tau * total;
    return total;
  }

  SpatialContact contact_;
  double speed_, impulses_, turning_, tolerance_;
  double length_ = 0;
  std::size_t order_ = most;
  Series c_{}, z_{}, s_{}, u_{}, h_{}, k_{}, p_{}, r_1_{}, r_2_{};
  Series Lambda_{}, work_n_{}, work_t_{}, Lambda_1_{}, Lambda_2_{};
};

}  // namespace painleve::detail
