#include "painleve/complementarity/slip_directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "painleve/complementarity/detail/circle_polynomial.hpp"

namespace painleve {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// p at a polished root is known to some rounding of its terms; below that it is zero.
constexpr double no_response = 64 * epsilon;

struct Contact {
  Eigen::Matrix2d W_tt;
  Eigen::Vector2d W_tn, W_nt;
  double W_nn;
  Eigen::Vector2d b_t;
  double b_n;
  double mu;  // negative for a pulling contact, which has λ_t = +μ λ_n e
};

// e⊥·(p(e) b_t − b_n (W_tn − μ W_tt e)).
CirclePolynomial balance(const Contact& c) {
  return CirclePolynomial::across(c.W_nn * c.b_t - c.b_n * c.W_tn,
                                  c.mu * (c.b_n * c.W_tt - c.b_t * c.W_nt.transpose()));
}

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Response of a_t to λ_n = 1.
Eigen::Vector2d per_force(const Contact& c, const Eigen::Vector2d& e) { return c.W_tn - c.mu * c.W_tt * e; }

// a_t stays along e for every force, c = e·b_t − k λ_n: those until the slip ends, or all beyond where it begins. The
// middle of the former stands for them, and of the latter a force of the size of the load.
void append_line_of_forces(const Contact& c, const Eigen::Vector2d& e, int sign, std::vector<SlipDirection>& list) {
  const double response = c.W_tt.norm() * (1 + std::abs(c.mu)) + c.W_tn.norm();
  double k = -sign * e.dot(per_force(c, e));
  if (std::abs(k) <= 8 * epsilon * response) k = 0;
  const double load = e.dot(c.b_t);
  const double natural = response > 0 && c.b_t.norm() > 0 ? c.b_t.norm() / response : 1.0;
  if (load <= 0 && k >= 0) return;
  const double size = k > 0 ? load / (2 * k) : (load > 0 ? natural : load / k + natural);
  list.push_back({e, sign * size, load - k * size, 1});
}

// b_n = 0: a force needs p(e) = 0, which fixes e; its size then follows from a_t ∥ e.
std::vector<SlipDirection> without_normal_load(const Contact& c, int sign) {
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
    const Eigen::Vector2d v = per_force(c, e);
    const double size = c.W_tt.norm() + c.W_tn.norm();
    if (std::abs(across.dot(v)) <= 8 * epsilon * (1 + std::abs(mu)) * size) {
      if (std::abs(across.dot(c.b_t)) <= 8 * epsilon * c.b_t.norm()) append_line_of_forces(c, e, sign, list);
    } else {
      const double lambda_n = -across.dot(c.b_t) / across.dot(v);
      list.push_back({e, lambda_n, e.dot(c.b_t + v * lambda_n)});
    }
    if (sine == 0) break;
  }
  return list;
}

// p = 0 in all directions and b_n = 0: nothing moves the contact along its normal, and any force may act on it. With
// v(e) = W_tn − μ W_tt e what is left is  e⊥·b_t + λ_n e⊥·v = 0,  a curve λ_n(e) on which  c = b_t × v / (e⊥·v),  and
// a line of forces in a direction in which both terms vanish.
class RigidNormal {
 public:
  RigidNormal(const Contact& contact, int sign) : c(contact), sign_(sign) {
    const double response = c.W_tt.norm() * std::abs(c.mu) + c.W_tn.norm();
    load_ = CirclePolynomial::across(c.b_t, Eigen::Matrix2d::Zero());
    turn_ = CirclePolynomial::across(c.W_tn, -c.mu * c.W_tt);
    slip_ = CirclePolynomial::linear(
        cross(c.b_t, c.W_tn), c.mu * Eigen::Vector2d(-cross(c.b_t, c.W_tt.col(0)), -cross(c.b_t, c.W_tt.col(1))));
    turns_ = turn_.terms() > 64 * epsilon * response;
    pushed_ = c.b_t.norm() > 0;
    slips_ = slip_.terms() > 64 * epsilon * response * c.b_t.norm();
  }

  // False when all directions are possible with forces of all sizes: not listed.
  bool append(std::vector<SlipDirection>& list) const {
    if (!turns_ && !pushed_) return !slips_by_itself();
    append_lines(list);
    if (turns_ && pushed_ && slips_) append_curves(list);
    return true;
  }

 private:
  // Without load and turn v = k e everywhere, and slip needs λ_n k > 0.
  bool slips_by_itself() const { return sign_ * per_force(c, {1, 0}).x() > 64 * epsilon * c.W_tt.norm(); }

  void append_lines(std::vector<SlipDirection>& list) const {
    for (const auto& [angle, e] : circle_zeros(pushed_ ? load_ : turn_)) {
      const double response = c.W_tt.norm() * (1 + std::abs(c.mu)) + c.W_tn.norm();
      if (pushed_ && std::abs(cross(e, per_force(c, e))) > 64 * epsilon * response) continue;
      append_line_of_forces(c, e, sign_, list);
    }
  }

  void append_curves(std::vector<SlipDirection>& list) const {
    std::vector<double> ends;
    for (const auto& g : {load_, turn_, slip_})
      for (const auto& zero : circle_zeros(g)) ends.push_back(zero.angle);
    const auto vanishes = [](const CirclePolynomial& g, double phi) {
      return std::abs(g(phi)) <= 64 * epsilon * g.terms();
    };
    for (const double phi : middles_of_arcs(ends, 0)) {
      // Ends that are one to rounding leave an arc on which signs mean nothing.
      if (vanishes(load_, phi) || vanishes(turn_, phi) || vanishes(slip_, phi)) continue;
      const double turn = turn_(phi);
      const double lambda_n = -load_(phi) / turn;
      const double slope = -(load_.slope(phi) + lambda_n * turn_.slope(phi)) / turn;
      list.push_back({{std::cos(phi), std::sin(phi)}, lambda_n, slip_(phi) / turn, 1, true, slope});
    }
  }

  const Contact& c;
  int sign_;
  CirclePolynomial load_, turn_, slip_;
  bool turns_, pushed_, slips_;
};

std::vector<SlipDirection> with_normal_load(const Contact& c) {
  std::vector<SlipDirection> list;
  for (const auto& [angle, e] : circle_zeros(balance(c))) {
    const double p = c.W_nn - c.mu * c.W_nt.dot(e);
    // With W of rank one p = 0 solves the balance as well; b_n cannot be met there.
    if (std::abs(p) <= no_response * (std::abs(c.W_nn) + std::abs(c.mu) * c.W_nt.norm())) continue;
    const double lambda_n = -c.b_n / p;
    list.push_back({e, lambda_n, e.dot(c.b_t + (c.W_tn - c.mu * c.W_tt * e) * lambda_n)});
  }
  return list;
}

// Whether the balance holds in every direction, to rounding, and some of them are consistent: p(e) a_t = k e for all e,
// so that those are where p has the signs of k and of −b_n. They are an arc, or the circle; its middle is added.
bool is_continuum(const Contact& c, int sign, std::vector<SlipDirection>& list) {
  const CirclePolynomial g = balance(c);
  const double terms = (std::abs(c.W_nn) + std::abs(c.mu) * c.W_nt.norm()) * c.b_t.norm() +
                       std::abs(c.b_n) * (c.W_tn.norm() + std::abs(c.mu) * c.W_tt.norm());
  const double largest = std::max({std::abs(g.c0), std::abs(g.c1), std::abs(g.s1), std::abs(g.c2), std::abs(g.s2)});
  if (largest > 64 * epsilon * terms || c.b_n == 0) return false;
  const double k = c.mu * (c.b_n * c.W_tt - c.b_t * c.W_nt.transpose()).trace() / 2;
  const double side = sign * c.b_n > 0 ? -1 : 1;
  const double coupling = c.W_nt.norm();
  const double p = side * c.W_nn + std::abs(c.mu) * coupling;  // the largest, times its sign
  if (!(side * k > 64 * epsilon * terms && p > 0)) return false;
  const Eigen::Vector2d e =
      coupling > 0 ? Eigen::Vector2d(-side * std::copysign(1.0, c.mu) * c.W_nt / coupling) : Eigen::Vector2d(1, 0);
  list.push_back({e, -c.b_n * side / p, k * side / p, 1, true, 0});
  return true;
}

}  // namespace

std::vector<double> roots_in_unit_interval(const std::array<double, 5>& coefficients, bool& doubtful) {
  return circle::roots({coefficients.begin(), coefficients.end()}, doubtful);
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
  std::vector<SlipDirection> candidates;
  if (c.b_n != 0) {
    candidates = with_normal_load(c);
    if (is_continuum(c, sign, result.consistent)) {
      result.complete = false;
      return result;
    }
  } else if (c.W_nn == 0 && c.W_nt.isZero(0) && mu != 0) {
    result.complete = RigidNormal(c, sign).append(candidates);
  } else {
    candidates = without_normal_load(c, sign);
  }
  for (const auto& d : candidates) {
    const bool good = std::isfinite(d.lambda_n) && sign * d.lambda_n > 0 && d.c > 0;
    (good ? result.consistent : result.rejected).push_back(d);
  }
  return result;
}

}  // namespace painleve
