#include "painleve/modes/slip_transitions.hpp"

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"

namespace painleve {
namespace {

constexpr double pi = std::numbers::pi;

double angle(const Eigen::Vector2d& v) {
  const double a = std::atan2(v.y(), v.x());
  return a < 0 ? a + 2 * pi : a;
}

// In (−π, π].
double wrapped(double a) {
  const double turned = std::remainder(a, 2 * pi);
  return turned <= -pi ? turned + 2 * pi : turned;
}

double cross(const Eigen::Vector2d& u, const Eigen::Vector2d& v) { return u.x() * v.y() - u.y() * v.x(); }

struct Flutter {
  double F, size;
};
Flutter flutter(const Eigen::Matrix2d& P, const TwoSprings& s) {
  const Eigen::Vector2d& k = s.stiffness;
  const Eigen::Vector2d& nu = s.damping;
  const double split = k(0) * P(0, 0) - k(1) * P(1, 1);
  const double coupling = P(0, 1) * P(1, 0);
  if (nu(0) == 0 && nu(1) == 0) {
    const double product = 4 * k(0) * k(1) * coupling;
    return {split * split + product, split * split + std::abs(product)};
  }
  const double w = k(0) * nu(1) + k(1) * nu(0);
  const double T = nu(0) * P(0, 0) + nu(1) * P(1, 1);
  const Eigen::Array3d terms(nu(0) * nu(1) * split * split, w * w * coupling, nu(0) * nu(1) * w * P.determinant() * T);
  return {terms.sum(), terms.abs().sum()};
}

bool holds(const Eigen::Matrix2d& P, const TwoSprings& s) {
  const bool damped = s.damping(0) > 0 || s.damping(1) > 0;
  const Eigen::Vector2d weight = damped ? s.damping : s.stiffness;
  return P.determinant() > 0 && weight(0) * P(0, 0) + weight(1) * P(1, 1) > 0 && flutter(P, s).F > 0;
}

// Contact 2 becomes contact 1.
Eigen::Matrix2d swapped(const Eigen::Matrix2d& P) { return P.reverse(); }
Eigen::Vector2d swapped(const Eigen::Vector2d& v) { return v.reverse(); }
TwoSprings swapped(const TwoSprings& s) { return {s.stiffness.reverse(), s.damping.reverse()}; }

// Polynomials in t, lowest power first, up to the cube.
using Polynomial = std::array<double, 4>;

Polynomial line(double value, double rate) { return {value, rate, 0, 0}; }
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; i + j < 4; ++j) c[i + j] += a[i] * b[j];
  return c;
}
Polynomial operator*(double f, const Polynomial& a) { return {f * a[0], f * a[1], f * a[2], f * a[3]}; }
Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + -1.0 * b; }
double at(const Polynomial& a, double t) { return a[0] + t * (a[1] + t * (a[2] + t * a[3])); }

// Bisection to the last digit, the polynomial being of different signs at both ends.
double bisected(const Polynomial& a, double from, double to) {
  const bool positive = at(a, from) > 0;
  for (;;) {
    const double middle = from + (to - from) / 2;
    if (middle <= from || middle >= to) return to;
    (at(a, middle) > 0) == positive ? from = middle : to = middle;
  }
}

// First t in (0, horizon] at which a polynomial that is positive at 0 is not; it is monotonic between the zeros of its
// derivative.
std::optional<double> first_zero(const Polynomial& a, double horizon) {
  std::vector<double> ends;
  const double c = a[1];
  const double b = a[2];  // derivative c + 2 b t + 3 a3 t²
  const double root = std::sqrt(std::max(b * b - 3 * a[3] * c, 0.0));
  const double q = -(b + std::copysign(root, b));
  for (const double t : {3 * a[3] != 0 ? q / (3 * a[3]) : -1, q != 0 ? c / q : -1})
    if (t > 0 && t < horizon) ends.push_back(t);
  if (ends.size() == 2 && ends[0] > ends[1]) std::swap(ends[0], ends[1]);
  ends.push_back(horizon);
  double from = 0;
  for (const double to : ends) {
    if (at(a, to) <= 0) return bisected(a, from, to);
    from = to;
  }
  return {};
}

struct Conditions {
  Polynomial lambda1, lambda2, D, F;  // λ1 D, λ2 D
};
Conditions conditions(const SlipDrift& d) {
  const auto p = [&](int i, int j) { return line(d.P(i, j), d.P_rate(i, j)); };
  const auto b = [&](int i) { return line(d.b(i), d.b_rate(i)); };
  const Eigen::Vector2d& k = d.springs.stiffness;
  const Eigen::Vector2d& nu = d.springs.damping;
  const double w = k(0) * nu(1) + k(1) * nu(0);
  Conditions c;
  c.lambda1 = p(0, 1) * b(1) - p(1, 1) * b(0);
  c.lambda2 = p(1, 0) * b(0) - p(0, 0) * b(1);
  c.D = p(0, 0) * p(1, 1) - p(0, 1) * p(1, 0);
  const Polynomial split = k(0) * p(0, 0) - k(1) * p(1, 1);
  const Polynomial T = nu(0) * p(0, 0) + nu(1) * p(1, 1);
  const Polynomial coupling = p(0, 1) * p(1, 0);
  if (nu(0) == 0 && nu(1) == 0)
    c.F = split * split + 4 * k(0) * k(1) * coupling;
  else
    c.F = nu(0) * nu(1) * (split * split) + w * w * coupling + nu(0) * nu(1) * w * (c.D * T);
  return c;
}

// What follows a liftoff of contact 1 (L1), or of contact 2 seen with the contacts swapped.
void after_liftoff(const SlipDrift& d, const Eigen::Matrix2d& P, const Eigen::Vector2d& b, int lifted,
                   SlipTransition& result) {
  const int other = 1 - lifted;
  const double own = P(other, other);
  if (own > 0) {
    result.outcome = lifted == 0 ? "FS" : "SF";
    result.reason = "the other contact slips on, feasible and stable by itself";
    return;
  }
  result.saddle = saddle_exit(P, b, d.P_rate, d.b_rate, lifted, d.epsilon, d.springs);
  if (!result.saddle) {
    result.reason = "the other contact is neither stable nor at a saddle";
    return;
  }
  const char* impact = lifted == 0 ? "IWC:FI" : "IWC:IF";
  result.outcome = result.saddle->liftoff ? "FF" : impact;
  result.reason = "the other contact leaves its saddle to the side to which the drift pushes it, to leading order";
}

// Slip has become unstable: the modes that are left, and what simulations show.
void after_flutter(const SlipDrift& d, const Eigen::Matrix2d& P, const Eigen::Vector2d& b, SlipTransition& result) {
  result.growth_change = growth_change(P, d.P_rate, d.springs);
  if (b.minCoeff() > 0) result.candidates.emplace_back("FF");
  if (P(0, 0) < 0 && P(1, 0) > 0) result.candidates.emplace_back("IWC:IF");
  if (P(1, 1) < 0 && P(0, 1) > 0) result.candidates.emplace_back("IWC:FI");
  result.candidates.emplace_back("inverse_chatter");
  result.candidates.emplace_back("limit_cycle");
  result.reason = "oscillations grow until a contact lifts; what they grow into is known from simulations only";
}

// Two boundaries met at once count as their intersection when their times agree to this part.
constexpr double together = 1e-9;

std::string name_of_singularity(const Eigen::Matrix2d& P, const Eigen::Vector2d& b, bool liftoff_too) {
  if (P.col(0).dot(P.col(1)) > 0) return "L12";
  if (!liftoff_too) return "P";
  return b.dot(P.col(1)) < 0 ? "GB1" : "GB2";  // −b along p2, or along p1
}

const char* why_undecided(const std::string& boundary) {
  if (boundary == "L12") return "both contacts are about to lift: rigid theory does not say which one does";
  if (boundary == "P")
    return "a mechanism does not reach this boundary away from GB1 and GB2: slip ends before, or b_rate lacks the "
           "forces";
  return "dynamic jam: the forces are undetermined, and liftoff and impact are both known to follow";
}

}  // namespace

SlipBoundaries slip_boundaries(const Eigen::Matrix2d& P, const Eigen::Vector2d& b, const TwoSprings& springs) {
  SlipBoundaries s;
  s.gamma1 = angle(P.col(0));
  s.gamma2 = angle(P.col(1));
  s.beta = angle(b);
  s.region = two_contact_class(P, b).substr(0, 2);
  s.L1 = wrapped(s.gamma2 - s.beta - pi);
  s.L2 = wrapped(s.beta + pi - s.gamma1);
  s.L12 = wrapped(s.gamma2 - s.gamma1);
  const double opening = s.L12 < 0 ? s.L12 + 2 * pi : s.L12;
  s.P = pi - opening;
  s.GB1 = std::hypot(s.L1, s.P);
  s.GB2 = std::hypot(s.L2, s.P);
  const double side = wrapped(s.gamma1 + opening / 2 - pi / 4);
  s.sigma = pi / 4 + side;
  s.D = P.determinant();
  s.T = springs.damping(0) * P(0, 0) + springs.damping(1) * P(1, 1);
  const Flutter f = flutter(P, springs);
  s.F = f.F;
  (side < 0 ? s.S1 : s.S2) = f.size > 0 ? f.F / f.size : 0;
  s.feasible = s.D != 0 && cross(-b, P.col(1)) / s.D > 0 && cross(P.col(0), -b) / s.D > 0;
  s.stable = holds(P, springs);
  return s;
}

StableStrip stable_strip(double delta, const TwoSprings& springs, const Eigen::Vector2d& lengths) {
  const auto stable = [&](double sigma) {
    Eigen::Matrix2d P;
    P.col(0) = lengths(0) * Eigen::Vector2d(std::cos(sigma - delta / 2), std::sin(sigma - delta / 2));
    P.col(1) = lengths(1) * Eigen::Vector2d(std::cos(sigma + delta / 2), std::sin(sigma + delta / 2));
    return holds(P, springs);
  };
  // At π/4 ± π every entry of P has the opposite sign, so SS is unstable there.
  const auto edge = [&](double direction) {
    constexpr int steps = 512;
    double inside = pi / 4;
    double outside = inside;
    for (int i = 1; i <= steps && outside == inside; ++i) {
      const double sigma = pi / 4 + direction * pi * i / steps;
      (stable(sigma) ? inside : outside) = sigma;
      if (stable(sigma)) outside = inside;
    }
    for (int i = 0; i < 60; ++i) {
      const double middle = (inside + outside) / 2;
      (stable(middle) ? inside : outside) = middle;
    }
    return outside;
  };
  return {edge(-1), edge(1)};
}

double growth_change(const Eigen::Matrix2d& P, const Eigen::Matrix2d& P_rate, const TwoSprings& springs) {
  const Eigen::Vector2d& k = springs.stiffness;
  const Eigen::Vector2d& nu = springs.damping;
  const double D = P.determinant();
  const double D_rate =
      P_rate(0, 0) * P(1, 1) + P(0, 0) * P_rate(1, 1) - P_rate(0, 1) * P(1, 0) - P(0, 1) * P_rate(1, 0);
  // q(s) = s⁴ + c3 s³ + c2 s² + c1 s + c0; ds/dt = −(∂q/∂t)/(∂q/∂s) at the rightmost eigenvalue.
  const auto coefficients = [&](const Eigen::Matrix2d& X, double det) {
    return std::array<double, 4>{k(0) * k(1) * det, (k(0) * nu(1) + k(1) * nu(0)) * det,
                                 k(0) * X(0, 0) + k(1) * X(1, 1) + nu(0) * nu(1) * det,
                                 nu(0) * X(0, 0) + nu(1) * X(1, 1)};
  };
  const auto c = coefficients(P, D);
  const auto c_rate = coefficients(P_rate, D_rate);
  const Growth g = growth(P, k, nu);
  const std::complex<double> s(g.rate, g.frequency);
  const std::complex<double> by_t = c_rate[0] + s * (c_rate[1] + s * (c_rate[2] + s * c_rate[3]));
  const std::complex<double> by_s = c[1] + s * (2 * c[2] + s * (3 * c[3] + 4.0 * s));
  return -(by_t / by_s).real();
}

std::optional<SaddleExit> saddle_exit(const Eigen::Matrix2d& P, const Eigen::Vector2d& b, const Eigen::Matrix2d& P_rate,
                                      const Eigen::Vector2d& b_rate, int lifted, double epsilon,
                                      const TwoSprings& springs, double fold) {
  if (lifted == 1)
    return saddle_exit(swapped(P), swapped(b), swapped(P_rate), swapped(b_rate), 0, epsilon, swapped(springs), fold);
  const double own = -P(1, 1);
  if (own <= 0 || b(1) <= 0 || P(1, 0) == 0) return {};
  const Eigen::Vector2d lambda = -P.inverse() * b;
  const Eigen::Vector2d lambda_rate = -P.inverse() * (b_rate + P_rate * lambda);
  const double k = springs.stiffness(1);
  const double nu = springs.damping(1);
  const double half = own * nu / 2;
  const double root = std::sqrt(half * half + own * k);
  const double s_minus = -own * k / (half + root);  // s₊ s₋ = −|p22| k2
  SaddleExit exit;
  exit.s_plus = half + root;
  const double velocity = epsilon * std::abs(lambda_rate(0)) * P(1, 0) / (own * k);
  exit.growing_part = velocity * (1 + nu * s_minus / k) / (exit.s_plus - s_minus);
  exit.liftoff = exit.growing_part > 0;
  const double saddle_force = b(1) / own;
  const double force_change = std::abs(exit.growing_part) * (k + nu * exit.s_plus);
  exit.time = epsilon * std::log((exit.liftoff ? 1 : fold) * saddle_force / force_change) / exit.s_plus;
  return exit;
}

NextTransition next_transition(const SlipDrift& d, double horizon) {
  const SlipBoundaries start = slip_boundaries(d.P, d.b, d.springs);
  if (!start.feasible || !start.stable) return {{}, "slip of both contacts is not feasible and stable at the start"};
  const Conditions c = conditions(d);
  constexpr double never = std::numeric_limits<double>::infinity();
  const double lambda1 = first_zero(c.lambda1, horizon).value_or(never);
  const double lambda2 = first_zero(c.lambda2, horizon).value_or(never);
  const double det = first_zero(c.D, horizon).value_or(never);
  const double F = first_zero(c.F, horizon).value_or(never);
  SlipTransition result;
  result.t = std::min({lambda1, lambda2, det, F});
  if (result.t == never) return {{}, "no boundary is reached up to the horizon"};
  const auto met = [&](double t) { return t <= result.t * (1 + together); };
  const Eigen::Matrix2d P = d.P + result.t * d.P_rate;
  const Eigen::Vector2d b = d.b + result.t * d.b_rate;
  const double before = result.t * (1 - together);
  result.region = slip_boundaries(d.P + before * d.P_rate, d.b + before * d.b_rate, d.springs).region;
  if (met(det) || (met(lambda1) && met(lambda2))) {
    result.boundary = name_of_singularity(P, b, met(lambda1) || met(lambda2));
    result.reason = why_undecided(result.boundary);
  } else if (met(lambda1) || met(lambda2)) {
    const int lifted = met(lambda1) ? 0 : 1;
    result.boundary = lifted == 0 ? "L1" : "L2";
    after_liftoff(d, P, b, lifted, result);
  } else {
    result.boundary = P(1, 0) < 0 ? "S1" : "S2";
    after_flutter(d, P, b, result);
  }
  return {result, {}};
}

}  // namespace painleve
