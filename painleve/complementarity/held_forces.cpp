#include "painleve/complementarity/held_forces.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "painleve/complementarity/linear_feasibility.hpp"

namespace painleve {
namespace {

// A condition that is missed by less than this is met: forces are known to about it.
constexpr double zero = 1e-12;
// A region narrower than this is flat.
constexpr double flat = 1e-9;
// A line that leaves the direction of a cone's edge by less is along it: directions are null vectors, known to about
// it.
constexpr double along_edge = 1e-12;
constexpr double infinity = std::numeric_limits<double>::infinity();

double depth(const HeldCone& cone, const Eigen::VectorXd& y) {
  const Eigen::Vector3d r = cone.r + cone.N * y;
  return cone.mu * cone.sign * r.z() - r.head<2>().norm();
}

double least_depth(const ForceRegion& region, const Eigen::VectorXd& y) {
  double least = region.h.size() > 0 ? (region.G * y + region.h).minCoeff() : infinity;
  for (const auto& cone : region.cones) least = std::min(least, depth(cone, y));
  return least;
}

struct Interval {
  double from = -infinity, to = infinity;

  void cut(const Interval& other) {
    from = std::max(from, other.from);
    to = std::min(to, other.to);
  }
  static Interval nothing() { return {infinity, -infinity}; }
};

// slope y + offset ≥ 0.
Interval half_line(double slope, double offset) {
  if (slope > 0) return {-offset / slope, infinity};
  if (slope < 0) return {-infinity, -offset / slope};
  return offset >= 0 ? Interval{} : Interval::nothing();
}

// Where the line r + N y lies in the cone:  a y² + 2 b y + c ≥ 0 on the side of its tip where μ sign r_n ≥ 0.
Interval chord(const HeldCone& cone) {
  const Eigen::Vector2d t = cone.r.head<2>();
  const Eigen::Vector2d dt = cone.N.col(0).head<2>();
  const double exact = cone.mu * cone.sign * cone.r.z();
  const double limit = exact + zero * (1 + cone.r.norm());
  const double slope = cone.mu * cone.sign * cone.N(2, 0);
  double a = slope * slope - dt.squaredNorm();
  const double b = slope * limit - dt.dot(t);
  const double c = limit * limit - t.squaredNorm();
  if (std::abs(a) <= along_edge * (slope * slope + dt.squaredNorm())) a = 0;
  Interval side = half_line(slope, limit);
  if (a == 0) {  // along the cone's edge: what is allowed for rounding would grow without end
    const double along = slope * exact - dt.dot(t);
    const bool beside = std::abs(along) <= along_edge * (std::abs(slope * exact) + dt.norm() * t.norm());
    side.cut(half_line(beside ? 0.0 : 2 * along, c));
    return side;
  }
  const double discriminant = b * b - a * c;
  if (discriminant < 0 && a < 0) return Interval::nothing();
  const double s = -(b + std::copysign(std::sqrt(std::max(discriminant, 0.0)), b));
  const double one = s / a;
  const double other = s != 0 ? c / s : one;
  const double low = std::min(one, other);
  const double high = std::max(one, other);
  if (a > 0) return slope > 0 ? Interval{high, infinity} : Interval{-infinity, low};
  return limit + slope * (low + high) / 2 >= 0 ? Interval{low, high} : Interval::nothing();
}

// A point well inside, of the size of the problem where the interval is long.
double middle(const Interval& i) {
  constexpr double reach = 10;
  if (i.from == -infinity && i.to == infinity) return 0;
  if (i.from == -infinity) return i.to - (1 + std::abs(i.to));
  const double to = std::min(i.to, i.from + reach * (1 + std::abs(i.from)));
  if (i.to == infinity) return i.from + (1 + std::abs(i.from));
  return (i.from + to) / 2;
}

HeldForces on_a_line(const ForceRegion& region) {
  Interval inside;
  for (Eigen::Index k = 0; k < region.h.size(); ++k)
    inside.cut(half_line(region.G(k, 0), region.h(k) + zero * (1 + std::abs(region.h(k)))));
  for (const auto& cone : region.cones) inside.cut(chord(cone));
  HeldForces f;
  f.possible = inside.from <= inside.to;
  // Conditions that exclude each other by rounding alone are told apart by the caller, who has the exact tolerance.
  const double y =
      f.possible || !std::isfinite(inside.from + inside.to) ? middle(inside) : (inside.from + inside.to) / 2;
  f.y = Eigen::VectorXd::Constant(1, std::isfinite(y) ? y : 0);
  const bool long_enough = f.possible && inside.to - inside.from > flat * (1 + std::abs(y));
  f.directions = Eigen::MatrixXd::Ones(1, long_enough ? 1 : 0);
  return f;
}

// Planes around the cones, tangent to them: μ sign r_n − u·r_t ≥ 0.
class Planes {
 public:
  explicit Planes(const ForceRegion& region) : region_(region), G_(region.G), h_(region.h) {
    constexpr int first = 8;
    for (const auto& cone : region.cones) {
      for (int k = 0; k < first; ++k) {
        const double angle = 2 * std::numbers::pi * k / first;
        add(cone, {std::cos(angle), std::sin(angle)});
      }
    }
  }
  // Adds a plane for every cone that y leaves, or in which it is less deep than `wanted`.
  bool refine(const Eigen::VectorXd& y, double wanted) {
    bool added = false;
    for (const auto& cone : region_.cones) {
      const Eigen::Vector3d r = cone.r + cone.N * y;
      if (depth(cone, y) >= wanted || r.head<2>().norm() == 0) continue;
      add(cone, r.head<2>().normalized());
      added = true;
    }
    return added;
  }
  Interior inside(double box) const { return relative_interior(G_, h_, box); }

 private:
  void add(const HeldCone& cone, const Eigen::Vector2d& u) {
    G_.conservativeResize(G_.rows() + 1, cone.N.cols());
    h_.conservativeResize(h_.size() + 1);
    G_.bottomRows(1) = cone.mu * cone.sign * cone.N.row(2) - u.transpose() * cone.N.topRows(2);
    h_(h_.size() - 1) = cone.mu * cone.sign * cone.r.z() - u.dot(cone.r.head<2>());
  }
  const ForceRegion& region_;
  Eigen::MatrixXd G_;
  Eigen::VectorXd h_;
};

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& span) {
  if (span.cols() == 0) return span;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(span);
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.leftCols(qr.rank());
}

// Of a flat region only the directions in which a small step keeps all conditions.
Eigen::MatrixXd steps_inside(const ForceRegion& region, const Eigen::VectorXd& y, const Eigen::MatrixXd& span) {
  constexpr double step = 1e-5;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < span.cols(); ++k) {
    const double least =
        std::min(least_depth(region, y + step * span.col(k)), least_depth(region, y - step * span.col(k)));
    if (least >= -flat * step) kept.push_back(k);
  }
  return span(Eigen::all, kept);
}

// |y_i| ≤ box.
HeldForces in_a_box(const ForceRegion& region, double box) {
  Planes planes(region);
  HeldForces best;
  double best_depth = -infinity;
  for (int k = 0; k < 60; ++k) {
    const Interior inside = planes.inside(box);
    const double here = least_depth(region, inside.y);
    if (here > best_depth) {
      best.y = inside.y;
      best_depth = here;
      best.directions = inside.directions;
    }
    if (inside.depth < -flat) break;                    // the polyhedron around the region is empty: so is the region
    if (here > flat && here > inside.depth / 4) break;  // deep enough
    if (!planes.refine(inside.y, std::max(inside.depth, 0.0) - zero)) break;
  }
  best.possible = best_depth >= -zero;
  if (best_depth <= flat) best.directions = steps_inside(region, best.y, orthonormal(best.directions));
  return best;
}

// The plane of forces r + N y of a contact may be tangent to its cone, and has an edge of the cone in common with it.
// Then  f·(r + N y) = 0  with f across the edge in the plane, and along the edge the force pushes.
struct TangentPlane {
  std::size_t cone;
  Eigen::Vector3d edge, across;
};

std::optional<TangentPlane> tangent_plane(const ForceRegion& region) {
  for (std::size_t k = 0; k < region.cones.size(); ++k) {
    const HeldCone& cone = region.cones[k];
    if (cone.N.cols() < 2 || cone.mu == 0) continue;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(cone.N, Eigen::ComputeFullU);
    const double least = cone.N.cols() > 2 ? svd.singularValues()(2) : 0;
    if (svd.singularValues()(1) <= 1e-9 || least > along_edge) continue;
    const Eigen::Vector3d normal = svd.matrixU().col(2);
    const double tilt = normal.head<2>().norm();
    const bool through_tip = std::abs(normal.dot(cone.r)) <= along_edge * (1 + cone.r.norm());
    if (!through_tip || std::abs(std::abs(normal.z()) - cone.mu * tilt) > along_edge) continue;
    Eigen::Vector3d edge(0, 0, cone.sign);
    edge.head<2>() = -cone.sign * std::copysign(cone.mu / tilt, normal.z()) * normal.head<2>();
    edge.normalize();
    return TangentPlane{k, edge, normal.cross(edge)};
  }
  return std::nullopt;
}

// What is left of the region, with y = y₀ + M y′.
HeldForces on_an_edge(const ForceRegion& region, const TangentPlane& plane) {
  const HeldCone& cone = region.cones[plane.cone];
  const Eigen::RowVectorXd row = plane.across.transpose() * cone.N;
  const Eigen::VectorXd y0 = -row.transpose() * (plane.across.dot(cone.r) / row.squaredNorm());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(row.transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  const Eigen::MatrixXd M = Q.rightCols(Q.cols() - 1);
  ForceRegion rest;
  rest.G.resize(region.h.size() + 1, M.cols());
  rest.h.resize(region.h.size() + 1);
  if (region.h.size() > 0) {
    rest.G.topRows(region.h.size()) = region.G * M;
    rest.h.head(region.h.size()) = region.h + region.G * y0;
  }
  rest.G.bottomRows(1) = plane.edge.transpose() * cone.N * M;
  rest.h(region.h.size()) = plane.edge.dot(cone.r + cone.N * y0);
  for (std::size_t k = 0; k < region.cones.size(); ++k) {
    if (k == plane.cone) continue;
    const HeldCone& o = region.cones[k];
    rest.cones.push_back({o.r + o.N * y0, o.N * M, o.mu, o.sign});
  }
  HeldForces held = held_forces(rest);
  held.y = (y0 + M * held.y).eval();
  held.directions = (M * held.directions).eval();
  return held;
}

}  // namespace

HeldForces held_forces(const ForceRegion& region) {
  if (const auto plane = tangent_plane(region)) return on_an_edge(region, *plane);
  const Eigen::Index k = region.cones.empty() ? region.G.cols() : region.cones[0].N.cols();
  if (k == 1) return on_a_line(region);
  HeldForces found;
  for (const double box : {10.0, 1e3, 1e6}) {  // forces of the size of the problem are preferred to larger ones
    found = in_a_box(region, box);
    if (found.possible && least_depth(region, found.y) > flat) break;
  }
  found.directions = orthonormal(found.directions);
  return found;
}

}  // namespace painleve
