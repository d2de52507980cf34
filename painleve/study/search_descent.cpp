#include <Eigen/Dense>
#include <cmath>

#include "painleve/study/detail/search_parts.hpp"

namespace painleve::detail {
namespace {

// From a point beside the edge of the domain to that edge, along one axis and at most four strides; the last point with
// a value is returned.
std::optional<Eigen::VectorXd> to_edge(const Objective& f, const Grid& grid, const Eigen::VectorXd& from,
                                       Eigen::Index axis, double stride) {
  const bool outside = f(from) == undefined;
  Eigen::VectorXd near = from;
  for (const double t : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    Eigen::VectorXd far = from;
    far(axis) += t * stride;
    far = grid.clamp(far);
    if ((f(far) == undefined) != outside) {
      for (int n = 0; n < 30; ++n) {
        const Eigen::VectorXd middle = (near + far) / 2;
        ((f(middle) == undefined) == outside ? near : far) = middle;
      }
      return outside ? far : near;
    }
    near = far;
  }
  return std::nullopt;
}

// A better point along a slanted or curved edge of the domain, where a step along an axis leaves either it or its
// value.
std::optional<Eigen::VectorXd> slide(const Objective& f, const Grid& grid, const Eigen::VectorXd& x, double best,
                                     double step) {
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd y = x;
      y(k) += side * step * grid.spacing(k);
      y = grid.clamp(y);
      for (Eigen::Index l = 0; l < x.size() && y != x; ++l) {
        for (const double back : {1.0, -1.0}) {
          if (k == l) continue;
          auto z = to_edge(f, grid, y, l, back * step * grid.spacing(l));
          if (z && f(*z) < best) return z;
        }
      }
    }
  }
  return std::nullopt;
}

// One Newton step on fourth-order differences; empty when a sample does not exist or the function is not convex here.
std::optional<Eigen::VectorXd> newton_step(const Objective& f, const Grid& grid, const Eigen::VectorXd& x) {
  const auto d = x.size();
  Eigen::VectorXd h(d);
  for (Eigen::Index k = 0; k < d; ++k) h(k) = 0.02 * grid.spacing(k);
  const double centre = f(x);
  const auto at = [&](Eigen::Index k, double a, Eigen::Index l, double b) {
    Eigen::VectorXd y = x;
    y(k) += a * h(k);
    y(l) += b * h(l);
    return f(y);
  };
  Eigen::VectorXd gradient(d);
  Eigen::MatrixXd hessian(d, d);
  for (Eigen::Index k = 0; k < d; ++k) {
    const double f1 = at(k, 1, k, 0), f2 = at(k, 2, k, 0), g1 = at(k, -1, k, 0), g2 = at(k, -2, k, 0);
    gradient(k) = (8 * (f1 - g1) - (f2 - g2)) / 12;
    hessian(k, k) = (16 * (f1 + g1) - (f2 + g2) - 30 * centre) / 12;
    for (Eigen::Index l = 0; l < k; ++l)
      hessian(k, l) = hessian(l, k) = (at(k, 1, l, 1) - at(k, 1, l, -1) - at(k, -1, l, 1) + at(k, -1, l, -1)) / 4;
  }
  if (!gradient.allFinite() || !hessian.allFinite()) return std::nullopt;
  const Eigen::LLT<Eigen::MatrixXd> llt(hessian);
  if (llt.info() != Eigen::Success) return std::nullopt;
  return (llt.solve(-gradient).array() * h.array()).matrix();
}

}  // namespace

// Compass search from a grid point: robust where the function has kinks or ends.
Eigen::VectorXd descend(const Objective& f, const Grid& grid, Eigen::VectorXd x, double finest) {
  constexpr int most_steps = 20000;
  constexpr double least_slide = 1e-4;  // in cells; below it an edge blurs in rounding
  double best = f(x);
  double step = 0.5;  // in cells
  for (int n = 0; step > finest && n < most_steps; ++n) {
    bool moved = false;
    bool edge = false;
    for (Eigen::Index k = 0; k < x.size() && !moved; ++k) {
      for (const double side : {1.0, -1.0}) {
        Eigen::VectorXd y = x;
        y(k) += side * step * grid.spacing(k);
        y = grid.clamp(y);
        if (y == x) continue;
        const double value = f(y);
        edge = edge || value == undefined;
        if (value < best) {
          best = value;
          x = y;
          moved = true;
          break;
        }
      }
    }
    if (!moved && edge && step > least_slide) {
      if (const auto y = slide(f, grid, x, best, step)) {
        x = *y;
        best = f(x);
        moved = true;
      }
    }
    if (!moved) step /= 2;
  }
  return x;
}

// Where the function is smooth the gradient locates the extreme to far more digits than its values do.
Eigen::VectorXd polish(const Objective& f, const Grid& grid, Eigen::VectorXd x) {
  for (int n = 0; n < 4; ++n) {
    const auto step = newton_step(f, grid, x);
    if (!step) break;
    const Eigen::VectorXd y = x + *step;
    bool small = y == grid.clamp(y);
    for (Eigen::Index k = 0; k < x.size(); ++k) small = small && std::abs((*step)(k)) <= 0.01 * grid.spacing(k);
    const double before = f(x);
    if (!small || f(y) > before + 1e-13 * std::abs(before)) break;
    x = y;
  }
  return x;
}

}  // namespace painleve::detail
