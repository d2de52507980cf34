// The laws of two contacts that begin to slip, for directions in a box: can they hold?
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "painleve/complementarity/slip_pair.hpp"
#include "painleve/complementarity/torus_roots.hpp"

namespace painleve::pair_laws {

using Vector6 = Eigen::Matrix<double, 6, 1>;

inline Eigen::Vector2d unit(double angle) { return {std::cos(angle), std::sin(angle)}; }
inline double across(const Eigen::Vector2d& e, const Vector6& w, int first) {
  return e.x() * w(first + 1) - e.y() * w(first);
}
inline double along(const Eigen::Vector2d& e, const Vector6& w, int first) {
  return e.x() * w(first) + e.y() * w(first + 1);
}

// Response of both contacts to r_n = 1 of contact j.
inline Vector6 response(const TwoContacts& p, std::size_t j, const Eigen::Vector2d& e) {
  const int t = 3 * static_cast<int>(j);
  const double mu = p.sign[j] * p.mu[j];
  return p.W.col(t + 2) - mu * (p.W.col(t) * e.x() + p.W.col(t + 1) * e.y());
}

// The forces (r_n1, r_n2) of both contacts, in units of load over response and times their signs, as points (x, y, z)
// of the triangle x + y + z = 1, x, y, z ≥ 0: r = (x, y)/z. What a half-space leaves of it is a polygon.
class ForceTriangle {
 public:
  void cut(const Eigen::Vector3d& side) {
    const std::vector<Eigen::Vector3d> all = std::move(corners_);
    corners_.clear();
    const double little = 1e-14 * side.cwiseAbs().maxCoeff();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Eigen::Vector3d& from = all[k];
      const Eigen::Vector3d& to = all[(k + 1) % all.size()];
      const double here = side.dot(from) + little;
      const double there = side.dot(to) + little;
      if (here >= 0) corners_.push_back(from);
      if ((here < 0) != (there < 0)) corners_.emplace_back((there * from - here * to) / (there - here));
    }
  }
  bool empty() const { return corners_.empty(); }
  // Whether x (0) or y (1) vanishes wherever all holds: a force or a slip that is none.
  bool lacks(Eigen::Index k) const {
    constexpr double none = 1e-11;
    return std::all_of(corners_.begin(), corners_.end(), [&](const auto& corner) { return corner(k) <= none; });
  }
  // The side z = 0 alone: what is left are ratios.
  void cut_to_ratios() { corners_ = {{1, 0, 0}, {0, 1, 0}}; }
  Eigen::Vector2d middle() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto& corner : corners_) sum += corner;
    return sum.head<2>() / sum.z();
  }

 private:
  // Forces a thousand times larger than those that spatial_solutions() calls far beyond the load are left out.
  static constexpr double far = 1e-12;
  std::vector<Eigen::Vector3d> corners_{{0, 0, 1}, {1 - far, 0, far}, {0, 1 - far, far}};
};

// Whether no solution has its directions in the box. For given directions w_n = 0, e_i⊥·w_ti = 0 and e_i·w_ti ≥ 0 are
// linear in the forces, which are not negative; over the box their coefficients change by bounds, which only widens
// what the inequalities leave. Unlike f, these equations do not vanish where D does.
class Refutation {
 public:
  explicit Refutation(const TwoContacts& contacts) : p(contacts) {
    load_ = p.q.cwiseAbs().maxCoeff();
    if (load_ == 0) load_ = 1;
    response_ = p.W.cwiseAbs().maxCoeff() * (1 + std::max(p.mu[0], p.mu[1]));
  }

  bool operator()(const TorusBox& box) const { return left_over(box).empty(); }

  // Some of the forces that the laws do not exclude.
  Eigen::Vector2d forces_in(const TorusBox& box) const {
    const ForceTriangle forces = left_over(box);
    if (forces.empty()) return {p.sign[0], p.sign[1]};
    const Eigen::Vector2d r = forces.middle() * load_ / response_;
    return {p.sign[0] * r.x(), p.sign[1] * r.y()};
  }

  // The same where a force on the edge e* of the cone of contact j moves nothing, W (−μ e*, 1) = 0. Then r_n (−μ e, 1)
  // has the effect of −μ r_n (e − e*), which is along the tangent in the middle of e and e*: large forces are not left
  // over because a small change of their direction might do anything.
  bool near_edge(const TorusBox& box, int j, double edge) const {
    const auto contact = static_cast<std::size_t>(j);
    const double away = std::remainder((j == 0 ? box.a : box.b) - edge, 2 * std::numbers::pi);
    const Eigen::Vector2d e = unit(edge + away / 2);
    const Vector6 across_edge = -p.mu[contact] * (p.W.col(3 * j + 1) * e.x() - p.W.col(3 * j) * e.y());
    std::array<Effect, 2> effects{effect_of(box, 0), effect_of(box, 1)};
    for (const double side : {1.0, -1.0}) {
      effects[contact] = {side * across_edge, box.half_width, 1};
      if (!left_over(box, effects).empty()) return false;
    }
    return true;
  }

 private:
  // What a contact does per unknown, which is not negative: to the motion of both, for directions up to `spread` away.
  struct Effect {
    Vector6 c;
    double spread;
    int sign;
  };
  Effect effect_of(const TorusBox& box, std::size_t j) const {
    return {response(p, j, unit(j == 0 ? box.a : box.b)), box.half_width, p.sign[j]};
  }
  ForceTriangle left_over(const TorusBox& box) const { return left_over(box, {effect_of(box, 0), effect_of(box, 1)}); }

  ForceTriangle left_over(const TorusBox& box, const std::array<Effect, 2>& effects) const {
    const std::array<Eigen::Vector2d, 2> e{unit(box.a), unit(box.b)};
    const std::array<Vector6, 2> c{effects[0].c, effects[1].c};
    const Eigen::Vector3d sign(effects[0].sign, effects[1].sign, 1);
    ForceTriangle forces;
    for (const std::size_t i : {0U, 1U}) {
      const int t = 3 * static_cast<int>(i);
      const Eigen::Vector3d normal(c[0](t + 2), c[1](t + 2), p.q(t + 2));
      const Eigen::Vector3d aside(across(e[i], c[0], t), across(e[i], c[1], t), across(e[i], p.q, t));
      const Eigen::Vector3d ahead(along(e[i], c[0], t), along(e[i], c[1], t), along(e[i], p.q, t));
      const double twice = 2 * box.half_width;  // first orders, doubled for the higher ones and rounding
      Eigen::Vector3d normal_change = Eigen::Vector3d::Zero();
      Eigen::Vector3d change(0, 0, twice * p.q.segment<2>(t).norm());
      for (const std::size_t j : {0U, 1U}) {
        const int s = 3 * static_cast<int>(j);
        const auto at = static_cast<Eigen::Index>(j);
        const double turned = 2 * effects[j].spread * p.mu[j];
        normal_change(at) = turned * std::hypot(p.W(t + 2, s), p.W(t + 2, s + 1));
        change(at) = turned * p.W.block<2, 2>(t, s).norm() + twice * c[j].segment<2>(t).norm();
      }
      for (const double side : {1.0, -1.0}) {
        cut(forces, sign, side * normal, normal_change);
        cut(forces, sign, side * aside, change);
      }
      cut(forces, sign, ahead, change);
      if (forces.empty()) break;
    }
    return forces;
  }

  void cut(ForceTriangle& forces, const Eigen::Vector3d& sign, const Eigen::Vector3d& side,
           const Eigen::Vector3d& change) const {
    const Eigen::Vector3d unit_of(1 / response_, 1 / response_, 1 / load_);
    const double rounded = 64 * std::numeric_limits<double>::epsilon();
    forces.cut((sign.cwiseProduct(side) + change).cwiseProduct(unit_of).array() + rounded);
  }

  const TwoContacts& p;
  double load_, response_;
};

// Where W is singular forces leave some combinations l of the motion as they are, l·w = l·q: w_t1 = c₁ e₁ and
// w_t2 = c₂ e₂ then are not free. Without such a load only the ratio of the slips counts, so that this refutes also
// slips as small as may be.
class KinematicRefutation {
 public:
  explicit KinematicRefutation(const TwoContacts& p) {
    constexpr double rounded = 1e-12;
    const Eigen::JacobiSVD<Eigen::Matrix<double, 6, 6>> svd(p.W, Eigen::ComputeFullU);
    const auto rank = (svd.singularValues().array() > rounded * svd.singularValues()(0)).count();
    rows_ = svd.matrixU().rightCols(6 - rank).transpose();
    load_ = rows_ * p.q / std::max(p.q.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    load_ = load_.unaryExpr([](double x) { return std::abs(x) <= rounded ? 0.0 : x; });
  }

  bool operator()(const TorusBox& box) const {
    ForceTriangle slips;
    if (load_.isZero(0)) slips.cut_to_ratios();
    const Eigen::Vector2d e1 = unit(box.a);
    const Eigen::Vector2d e2 = unit(box.b);
    for (Eigen::Index k = 0; k < rows_.rows() && !slips.empty(); ++k) {
      const Eigen::Vector2d one = rows_.row(k).segment<2>(0).transpose();
      const Eigen::Vector2d two = rows_.row(k).segment<2>(3).transpose();
      const Eigen::Vector3d row(one.dot(e1), two.dot(e2), -load_(k));
      const Eigen::Vector3d change = 1.5 * box.half_width * Eigen::Vector3d(one.norm(), two.norm(), 0);
      for (const double side : {1.0, -1.0}) slips.cut((side * row + change).array() + rounded_);
    }
    return slips.empty() || slips.lacks(0) || slips.lacks(1);
  }

 private:
  static constexpr double rounded_ = 1e-14;
  Eigen::Matrix<double, Eigen::Dynamic, 6> rows_;
  Eigen::VectorXd load_;
};

}  // namespace painleve::pair_laws
