#include "painleve/complementarity/slip_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace painleve {
namespace {

using Eigen::Vector2d;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int cells = 16;

Vector2d across(const Vector2d& e) { return {-e.y(), e.x()}; }

struct Balance {
  double c0, c1, s1, c2, s2;

  Balance(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu) {
    const Vector2d linear = W(2, 2) * b.head<2>() - b.z() * W.topRightCorner<2, 1>();
    const double G00 = mu * (b.z() * W(0, 0) - b.x() * W(0, 2));
    const double G01 = mu * (b.z() * W(0, 1) - b.x() * W(1, 2));
    const double G10 = mu * (b.z() * W(0, 1) - b.y() * W(0, 2));
    const double G11 = mu * (b.z() * W(1, 1) - b.y() * W(1, 2));
    c0 = (G10 - G01) / 2;
    c1 = linear.y();
    s1 = -linear.x();
    c2 = (G10 + G01) / 2;
    s2 = (G11 - G00) / 2;
  }
  double value(const Vector2d& e) const {
    return c0 + c1 * e.x() + s1 * e.y() + c2 * (e.x() * e.x() - e.y() * e.y()) + s2 * (2 * e.x() * e.y());
  }
  double slope(const Vector2d& e) const {
    return s1 * e.x() - c1 * e.y() + 2 * (s2 * (e.x() * e.x() - e.y() * e.y()) - c2 * (2 * e.x() * e.y()));
  }
};

struct Node {
  Vector2d e;
  double g;
};

const std::array<Vector2d, cells>& grid() {
  static const auto nodes = [] {
    std::array<Vector2d, cells> list;
    for (std::size_t k = 0; k < cells; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / cells;
      list[k] = {std::cos(angle), std::sin(angle)};
    }
    return list;
  }();
  return nodes;
}

bool between(const Vector2d& e, const Vector2d& a, const Vector2d& b) {
  return across(a).dot(e) >= 0 && across(e).dot(b) >= 0;
}

// The root of g between two nodes of opposite sign less than a half-turn apart: Newton's steps, halving where they
// leave.
Vector2d root(const Balance& g, Node a, Node b) {
  Vector2d e = (std::abs(b.g) * a.e + std::abs(a.g) * b.e).normalized();
  for (int k = 0; k < 60; ++k) {
    const double value = g.value(e);
    if (value == 0) break;
    ((value < 0) == (a.g < 0) ? a : b) = {e, value};
    const double step = -value / g.slope(e);
    Vector2d next = (e + step * across(e)).normalized();
    const bool good = std::isfinite(step) && between(next, a.e, b.e);
    if (good && std::abs(step) <= 2 * epsilon) return next;
    if (!good) next = (a.e + b.e).normalized();
    if (next == e) break;
    e = next;
  }
  return e;
}

class Search {
 public:
  Search(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, int sign)
      : W_(W), b_(b), mu_(sign * mu), sign_(sign), g_(W, b, mu_) {
    const double first = std::sqrt(g_.c1 * g_.c1 + g_.s1 * g_.s1);
    const double second = std::sqrt(g_.c2 * g_.c2 + g_.s2 * g_.s2);
    second_derivative_ = first + 4 * second;
    third_derivative_ = first + 8 * second;
  }

  SlipForces all() {
    std::array<Node, cells + 1> nodes;
    for (std::size_t k = 0; k < cells; ++k) nodes[k] = {grid()[k], g_.value(grid()[k])};
    nodes[cells] = nodes[0];
    constexpr double width = 2 * std::numbers::pi / cells;
    for (std::size_t k = 0; k < cells; ++k) look_into(nodes[k], nodes[k + 1], width);
    return found_;
  }

  SlipForces near(Vector2d e) {
    constexpr int most_steps = 8;
    for (int k = 0; k < most_steps; ++k) {
      const double step = -g_.value(e) / g_.slope(e);
      if (!(std::abs(step) < 1)) break;
      e = (e + step * across(e)).normalized();
      if (std::abs(step) > 1e-9) continue;  // the next one would be rounding
      add(e);
      break;
    }
    return found_;
  }

 private:
  void look_into(const Node& a, const Node& b, double width) {
    if (found_.doubtful) return;
    const double bow = width * width / 8;
    const bool change = (a.g < 0) != (b.g < 0);
    if (!change && std::min(std::abs(a.g), std::abs(b.g)) > second_derivative_ * bow) return;
    const double left = g_.slope(a.e);
    const double right = g_.slope(b.e);
    const bool turns = (left < 0) != (right < 0);
    if (!turns && std::min(std::abs(left), std::abs(right)) > third_derivative_ * bow) {
      if (change) add(root(g_, a, b));
      return;
    }
    constexpr double finest = 1e-5;
    if (width < finest) {
      found_.doubtful = true;
      return;
    }
    const Vector2d middle = (a.e + b.e).normalized();
    const Node node{middle, g_.value(middle)};
    look_into(a, node, width / 2);
    look_into(node, b, width / 2);
  }

  // A root that pushes or pulls as it should, with friction against the slip.
  void add(const Vector2d& e) {
    const Vector2d W_tn = W_.topRightCorner<2, 1>();
    const double p = W_(2, 2) - mu_ * W_tn.dot(e);
    // With W of rank one p = 0 solves the balance as well; b_n cannot be met there.
    if (std::abs(p) <= 64 * epsilon * (std::abs(W_(2, 2)) + std::abs(mu_) * W_tn.norm())) return;
    const double lambda_n = -b_.z() / p;
    const Vector2d w_t = b_.head<2>() + (W_tn - mu_ * (W_.topLeftCorner<2, 2>() * e)) * lambda_n;
    if (!(sign_ * lambda_n > 0) || !(e.dot(w_t) > 0)) return;
    if (found_.count == 4) {  // five roots are rounding
      found_.doubtful = true;
      return;
    }
    found_.list[static_cast<std::size_t>(found_.count++)] = {e, lambda_n};
  }

  const Eigen::Matrix3d& W_;
  const Eigen::Vector3d& b_;
  double mu_;
  int sign_;
  Balance g_;
  double second_derivative_, third_derivative_;  // at most
  SlipForces found_;
};

}  // namespace

SlipForces slip_forces(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, int sign) {
  return Search(W, b, mu, sign).all();
}

SlipForces slip_force_near(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, const Eigen::Vector2d& e) {
  return Search(W, b, mu, 1).near(e);
}

}  // namespace painleve
