// Trigonometric polynomials of degree two of one angle, their zeros, and the arcs that zeros of several cut the circle
// into.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace painleve {

// c0 + c1 cos φ + s1 sin φ + c2 cos 2φ + s2 sin 2φ.
struct CirclePolynomial {
  double c0 = 0, c1 = 0, s1 = 0, c2 = 0, s2 = 0;

  double operator()(double phi) const {
    return c0 + c1 * std::cos(phi) + s1 * std::sin(phi) + c2 * std::cos(2 * phi) + s2 * std::sin(2 * phi);
  }
  double slope(double phi) const {
    return -c1 * std::sin(phi) + s1 * std::cos(phi) - 2 * c2 * std::sin(2 * phi) + 2 * s2 * std::cos(2 * phi);
  }
  double terms() const { return std::abs(c0) + std::abs(c1) + std::abs(s1) + std::abs(c2) + std::abs(s2); }
  // (1 + x²)² times it, with x = tan(φ/2).
  std::vector<double> quartic() const {
    return {c0 + c1 + c2, 2 * s1 + 4 * s2, 2 * c0 - 6 * c2, 2 * s1 - 4 * s2, c0 - c1 + c2};
  }
  // The same function seen from the other side of the circle: at φ + π.
  CirclePolynomial opposite() const { return {c0, -c1, -s1, c2, s2}; }

  // e⊥·(a + A e) with e = (cos φ, sin φ), e⊥ = (−sin φ, cos φ).
  static CirclePolynomial across(const Eigen::Vector2d& a, const Eigen::Matrix2d& A) {
    return {(A(1, 0) - A(0, 1)) / 2, a.y(), -a.x(), (A(1, 0) + A(0, 1)) / 2, (A(1, 1) - A(0, 0)) / 2};
  }
  // a + b·e.
  static CirclePolynomial linear(double a, const Eigen::Vector2d& b) { return {a, b.x(), b.y(), 0, 0}; }
};

// A zero as an angle and as a direction, the latter to the last digit at both ends of an axis.
struct CircleZero {
  double angle;
  Eigen::Vector2d e;
};

namespace circle {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

inline double evaluate(const std::vector<double>& c, double x) {
  double r = 0;
  for (std::size_t i = c.size(); i-- > 0;) r = r * x + c[i];
  return r;
}

// Size of the terms at |x| ≤ 1: what rounding is relative to.
inline double magnitude(const std::vector<double>& c) {
  double r = 0;
  for (const double x : c) r += std::abs(x);
  return r;
}

inline double bisect(const std::vector<double>& c, double a, double b) {
  const bool rising = evaluate(c, a) < 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = (a + b) / 2;
    if (middle == a || middle == b) break;
    ((evaluate(c, middle) < 0) == rising ? a : b) = middle;
  }
  return std::abs(evaluate(c, a)) < std::abs(evaluate(c, b)) ? a : b;
}

// Between consecutive roots of the derivative the polynomial is monotone, so a sign change there is one root.
inline std::vector<double> roots(const std::vector<double>& c, bool& doubtful) {
  if (c.size() <= 1) return {};
  std::vector<double> derivative;
  for (std::size_t i = 1; i < c.size(); ++i) derivative.push_back(static_cast<double>(i) * c[i]);
  bool unused = false;
  std::vector<double> knots = roots(derivative, unused);
  knots.insert(knots.begin(), -1);
  knots.push_back(1);
  const double rounding = 16 * epsilon * magnitude(c);
  std::vector<double> found;
  const auto add = [&](double x) {
    if (found.empty() || x > found.back()) found.push_back(x);
  };
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const double here = evaluate(c, knots[i]);
    if (std::abs(here) <= rounding) {  // a root of even multiplicity, or one at the end of the interval
      add(knots[i]);
      doubtful |= i > 0 && i + 1 < knots.size() && here != 0;
      continue;
    }
    if (i + 1 == knots.size()) break;
    const double next = evaluate(c, knots[i + 1]);
    if (std::abs(next) > rounding && (here < 0) != (next < 0)) add(bisect(c, knots[i], knots[i + 1]));
  }
  return found;
}

inline double polish(const CirclePolynomial& g, double phi) {
  for (int k = 0; k < 3; ++k) {
    const double slope = g.slope(phi);
    if (slope == 0) break;
    const double next = phi - g(phi) / slope;
    if (!(std::abs(next - phi) < 1e-6) || std::abs(g(next)) >= std::abs(g(phi))) break;
    phi = next;
  }
  return phi;
}

// Whether two angles are one root to rounding: g does not leave it between them.
inline bool merge(const CirclePolynomial& g, double phi, double other) {
  constexpr double near = 1e-4;  // a fourfold root is known to a quarter of the digits
  const double apart = std::remainder(other - phi, 2 * std::numbers::pi);
  if (std::abs(apart) < 1e-12) return true;
  return std::abs(apart) < near && std::abs(g(phi + apart / 2)) <= 16 * epsilon * g.terms();
}

}  // namespace circle

// All zeros, those that are one to rounding once. Not for a polynomial that vanishes everywhere.
inline std::vector<CircleZero> circle_zeros(const CirclePolynomial& g) {
  std::vector<CircleZero> list;
  for (const double side : {1.0, -1.0}) {  // φ in [−π/2, π/2], then the other half
    const CirclePolynomial h = side > 0 ? g : g.opposite();
    bool twofold = false;
    for (const double x : circle::roots(h.quartic(), twofold)) {
      const double half = circle::polish(h, 2 * std::atan(x));
      const double phi = side > 0 ? half : half + std::numbers::pi;
      if (std::any_of(list.begin(), list.end(), [&](const auto& o) { return circle::merge(g, phi, o.angle); }))
        continue;
      list.push_back({phi, side * Eigen::Vector2d(std::cos(half), std::sin(half))});
    }
  }
  return list;
}

// A trigonometric polynomial of any degree, from its values.
class CircleSeries {
 public:
  // `g` is asked at 2·degree + 1 angles, which determine it. `size`: of what its values are made of.
  CircleSeries(const std::function<double(double)>& g, int degree, double size) : a_(degree + 1), b_(degree + 1) {
    const int nodes = 2 * degree + 1;
    a_.setZero();
    b_.setZero();
    for (int j = 0; j < nodes; ++j) {
      const double angle = 2 * std::numbers::pi * j / nodes;
      const double value = g(angle) * 2 / nodes;
      for (int k = 0; k <= degree; ++k) {
        a_(k) += value * std::cos(k * angle);
        b_(k) += value * std::sin(k * angle);
      }
    }
    a_(0) /= 2;
    terms_ = a_.cwiseAbs().sum() + b_.cwiseAbs().sum();
    zero_ = terms_ <= 1e-12 * size;
  }

  bool always_zero() const { return zero_; }
  bool vanishes(double phi) const { return std::abs(value(phi)) <= 1e-12 * terms_; }
  double value(double phi) const {
    double sum = 0;
    for (Eigen::Index k = 0; k < a_.size(); ++k) {
      const auto angle = static_cast<double>(k) * phi;
      sum += a_(k) * std::cos(angle) + b_(k) * std::sin(angle);
    }
    return sum;
  }
  std::vector<double> zeros() const {
    std::vector<double> list;
    if (zero_) return list;
    for (const double side : {1.0, -1.0}) {
      bool twofold = false;
      for (const double x : circle::roots(polynomial(side), twofold))
        list.push_back(2 * std::atan(x) + (side > 0 ? 0 : std::numbers::pi));
    }
    return list;
  }

 private:
  // (1 + x²)^degree times it with x = tan(φ/2); seen from the other side of the circle for side = −1.
  std::vector<double> polynomial(double side) const {
    const auto degree = static_cast<int>(a_.size()) - 1;
    const auto times = [](const std::vector<std::complex<double>>& f, const std::array<std::complex<double>, 3>& g) {
      std::vector<std::complex<double>> product(f.size() + 2);
      for (std::size_t i = 0; i < f.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) product[i + k] += f[i] * g[k];
      return product;
    };
    std::vector<double> sum(static_cast<std::size_t>(2 * degree + 1));
    for (int k = 0; k <= degree; ++k) {
      std::vector<std::complex<double>> wave{1.0};  // (1 + x²)^degree e^{ikφ}
      for (int j = 0; j < degree; ++j)
        wave = j < k ? times(wave, {1.0, std::complex<double>(0, 2), -1.0}) : times(wave, {1.0, 0.0, 1.0});
      const double sign = side < 0 && k % 2 == 1 ? -1 : 1;
      for (std::size_t i = 0; i < wave.size(); ++i) sum[i] += sign * (a_(k) * wave[i].real() + b_(k) * wave[i].imag());
    }
    return sum;
  }

  Eigen::VectorXd a_, b_;
  double terms_ = 0;
  bool zero_ = false;
};

// The middles of the arcs between neighbouring angles; the whole circle, seen from `lone`, when there are none.
inline std::vector<double> middles_of_arcs(std::vector<double> ends, double lone) {
  if (ends.empty()) return {lone};
  constexpr double turn = 2 * std::numbers::pi;
  for (double& x : ends) x -= turn * std::floor(x / turn);
  std::sort(ends.begin(), ends.end());
  ends.push_back(ends.front() + turn);
  std::vector<double> middles;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k)
    if (ends[k + 1] - ends[k] > 1e-12) middles.push_back((ends[k] + ends[k + 1]) / 2);
  return middles;
}

}  // namespace painleve
