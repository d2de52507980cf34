#include "painleve/complementarity/slip_directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace painleve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// p at a polished root is known to some rounding of its terms; below that it is zero.
constexpr double no_response = 64 * epsilon;

double evaluate(const std::vector<double>& c, double x) {
  double r = 0;
  for (std::size_t i = c.size(); i-- > 0;) r = r * x + c[i];
  return r;
}

// Size of the terms at |x| ≤ 1: what rounding is relative to.
double magnitude(const std::vector<double>& c) {
  double r = 0;
  for (const double x : c) r += std::abs(x);
  return r;
}

double bisect(const std::vector<double>& c, double a, double b) {
  const bool rising = evaluate(c, a) < 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = (a + b) / 2;
    if (middle == a || middle == b) break;
    ((evaluate(c, middle) < 0) == rising ? a : b) = middle;
  }
  return std::abs(evaluate(c, a)) < std::abs(evaluate(c, b)) ? a : b;
}

// Between consecutive roots of the derivative the polynomial is monotone, so a sign change there is one root.
std::vector<double> roots(const std::vector<double>& c, bool& doubtful) {
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

// g(φ) = e⊥·(p(e) b_t − b_n (W_tn − μ W_tt e)) as c0 + c1 cos φ + s1 sin φ + c2 cos 2φ + s2 sin 2φ.
struct TrigonometricPolynomial {
  double c0, c1, s1, c2, s2;

  double operator()(double phi) const {
    return c0 + c1 * std::cos(phi) + s1 * std::sin(phi) + c2 * std::cos(2 * phi) + s2 * std::sin(2 * phi);
  }
  double slope(double phi) const {
    return -c1 * std::sin(phi) + s1 * std::cos(phi) - 2 * c2 * std::sin(2 * phi) + 2 * s2 * std::cos(2 * phi);
  }
  // (1 + x²)² g with x = tan(φ/2).
  std::array<double, 5> quartic() const {
    return {c0 + c1 + c2, 2 * s1 + 4 * s2, 2 * c0 - 6 * c2, 2 * s1 - 4 * s2, c0 - c1 + c2};
  }
  // The same function seen from the other side of the circle: g(φ + π).
  TrigonometricPolynomial opposite() const { return {c0, -c1, -s1, c2, s2}; }
};

struct Contact {
  Eigen::Matrix2d W_tt;
  Eigen::Vector2d W_tn, W_nt;
  double W_nn;
  Eigen::Vector2d b_t;
  double b_n;
  double mu;  // negative for a pulling contact, which has λ_t = +μ λ_n e
};

TrigonometricPolynomial balance(const Contact& c) {
  const Eigen::Vector2d linear = c.W_nn * c.b_t - c.b_n * c.W_tn;
  const Eigen::Matrix2d G = c.mu * (c.b_n * c.W_tt - c.b_t * c.W_nt.transpose());
  return {(G(1, 0) - G(0, 1)) / 2, linear.y(), -linear.x(), (G(1, 0) + G(0, 1)) / 2, (G(1, 1) - G(0, 0)) / 2};
}

double polish(const TrigonometricPolynomial& g, double phi) {
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
bool merge(const TrigonometricPolynomial& g, double phi, double other) {
  constexpr double near = 1e-4;  // a fourfold root is known to a quarter of the digits
  const double apart = std::remainder(other - phi, 2 * std::numbers::pi);
  if (std::abs(apart) < 1e-12) return true;
  const double terms = std::abs(g.c0) + std::abs(g.c1) + std::abs(g.s1) + std::abs(g.c2) + std::abs(g.s2);
  return std::abs(apart) < near && std::abs(g(phi + apart / 2)) <= 16 * epsilon * terms;
}

std::vector<Eigen::Vector2d> directions_of_balance(const Contact& contact) {
  const TrigonometricPolynomial g = balance(contact);
  std::vector<Eigen::Vector2d> list;
  std::vector<double> angles;
  for (const double side : {1.0, -1.0}) {  // φ in [−π/2, π/2], then the other half
    const TrigonometricPolynomial h = side > 0 ? g : g.opposite();
    bool twofold = false;
    for (const double x : roots_in_unit_interval(h.quartic(), twofold)) {
      const double half = polish(h, 2 * std::atan(x));
      const double phi = side > 0 ? half : half + std::numbers::pi;
      if (std::any_of(angles.begin(), angles.end(), [&](double o) { return merge(g, phi, o); })) continue;
      angles.push_back(phi);
      list.emplace_back(side * Eigen::Vector2d(std::cos(half), std::sin(half)));
    }
  }
  return list;
}

// b_n = 0: a force needs p(e) = 0, which fixes e; its size then follows from a_t ∥ e.
std::vector<SlipDirection> without_normal_load(const Contact& c) {
  std::vector<SlipDirection> list;
  const double mu = c.mu;
  const double coupling = c.W_nt.norm();
  const double cosine = c.W_nn / (mu * coupling);
  if (!(std::abs(cosine) <= 1 + 4 * epsilon)) return list;
  // The square root would turn the last digit of a typed mu_jam into 1e-8.
  const double sine = 1 - std::abs(cosine) > 4 * epsilon ? std::sqrt(1 - cosine * cosine) : 0.0;
  const Eigen::Vector2d h = c.W_nt / coupling;
  for (const double side : {1.0, -1.0}) {
    const Eigen::Vector2d e = cosine * h + side * sine * Eigen::Vector2d(-h.y(), h.x());
    const Eigen::Vector2d across(-e.y(), e.x());
    const Eigen::Vector2d per_force = c.W_tn - mu * c.W_tt * e;
    const double size = c.W_tt.norm() + c.W_tn.norm();
    if (std::abs(across.dot(per_force)) <= 8 * epsilon * (1 + std::abs(mu)) * size) {
      // a_t stays along e, if at all, for every force until it vanishes: c = e·b_t − k λ_n. The middle stands for them.
      const double k = -e.dot(per_force);
      if (std::abs(across.dot(c.b_t)) <= 8 * epsilon * c.b_t.norm() && k != 0)
        list.push_back({e, e.dot(c.b_t) / (2 * k), e.dot(c.b_t) / 2, 1});
    } else {
      const double lambda_n = -across.dot(c.b_t) / across.dot(per_force);
      list.push_back({e, lambda_n, e.dot(c.b_t + per_force * lambda_n)});
    }
    if (sine == 0) break;
  }
  return list;
}

std::vector<SlipDirection> with_normal_load(const Contact& c) {
  std::vector<SlipDirection> list;
  for (const auto& e : directions_of_balance(c)) {
    const double p = c.W_nn - c.mu * c.W_nt.dot(e);
    // With W of rank one p = 0 solves the balance as well; b_n cannot be met there.
    if (std::abs(p) <= no_response * (std::abs(c.W_nn) + std::abs(c.mu) * c.W_nt.norm())) continue;
    const double lambda_n = -c.b_n / p;
    list.push_back({e, lambda_n, e.dot(c.b_t + (c.W_tn - c.mu * c.W_tt * e) * lambda_n)});
  }
  return list;
}

// Whether the balance holds in every direction, to rounding, and some of them are consistent: p(e) a_t = k e for all e,
// so that those are where p has the signs of k and of −b_n.
bool is_continuum(const Contact& c, int sign) {
  const TrigonometricPolynomial g = balance(c);
  const double terms = (std::abs(c.W_nn) + std::abs(c.mu) * c.W_nt.norm()) * c.b_t.norm() +
                       std::abs(c.b_n) * (c.W_tn.norm() + std::abs(c.mu) * c.W_tt.norm());
  const double largest = std::max({std::abs(g.c0), std::abs(g.c1), std::abs(g.s1), std::abs(g.c2), std::abs(g.s2)});
  if (largest > 64 * epsilon * terms || c.b_n == 0) return false;
  const double k = c.mu * (c.b_n * c.W_tt - c.b_t * c.W_nt.transpose()).trace() / 2;
  const double side = sign * c.b_n > 0 ? -1 : 1;
  return side * k > 64 * epsilon * terms && side * c.W_nn + std::abs(c.mu) * c.W_nt.norm() > 0;
}

}  // namespace

std::vector<double> roots_in_unit_interval(const std::array<double, 5>& coefficients, bool& doubtful) {
  return roots({coefficients.begin(), coefficients.end()}, doubtful);
}

SlipDirections slip_directions(const SpatialContact& contact, int sign) {
  Eigen::Matrix3d W;
  W << contact.W_tt, contact.W_tn, contact.W_tn.transpose(), contact.W_nn;
  return slip_directions(W, {contact.b_t.x(), contact.b_t.y(), contact.b_n}, contact.mu, sign);
}

SlipDirections slip_directions(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu, int sign) {
  const Contact c{W.topLeftCorner<2, 2>(),
                  W.topRightCorner<2, 1>(),
                  W.bottomLeftCorner<1, 2>().transpose(),
                  W(2, 2),
                  q.head<2>(),
                  q.z(),
                  sign * mu};
  SlipDirections result;
  const std::vector<SlipDirection> candidates = c.b_n == 0 ? without_normal_load(c) : with_normal_load(c);
  for (const auto& d : candidates) {
    const bool good = std::isfinite(d.lambda_n) && sign * d.lambda_n > 0 && d.c > 0;
    (good ? result.consistent : result.rejected).push_back(d);
  }
  result.complete = !is_continuum(c, sign);
  return result;
}

}  // namespace painleve
