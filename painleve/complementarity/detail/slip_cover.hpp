// All pairs of directions in which two contacts can begin to slip, where the polynomials of slip_pair.hpp do not
// decide: when they vanish on a curve (families of directions), everywhere (normal forces that are not determined), or
// with multiplicity.
//
// The square of the angles is cut into boxes, and those are dropped in which the laws contradict each other
// (pair_laws.hpp). In a box that is left Newton's method looks for a solution z₀ of all six equations
//   F(z) = W (r_n1 (−μ₁ e₁, 1), r_n2 (−μ₂ e₂, 1)) + q − (c₁ e₁, 0, c₂ e₂, 0) = 0,   z = (r_n, θ, c) of both contacts.
// F is bilinear but for the angles: with J = ∂F/∂z at z₀ and its pseudo-inverse J⁺ another solution z₀ + Δ has
// |J⁺J Δ| ≤ Λ |Δθ| |Δ|, Λ from second derivatives. For Λ |Δθ| ≤ 1/3 it lies along the kernel of J: it is z₀ where J is
// regular, and else on the one curve (or line of forces) through z₀, if there is one, which a step along the kernel
// tells. So all boxes up to that distance, and as far as r_n and c keep their signs along the curve, are decided by the
// signs of r_n and c at z₀. Others are cut into four, down to what rounding leaves: there a solution is one of a
// problem that differs by rounding, and all of a box are one.
//
// A force along the edge of a friction cone that moves nothing, W (−μ e*, 1) = 0, may be large without end while its
// direction tends to e*, and leaves boxes over at any size: those are refuted by what such a force does across e*.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "painleve/complementarity/detail/pair_laws.hpp"

namespace painleve::pair_laws {

class SlipCover {
 public:
  struct Solution {
    SlipPair pair;
    double margin = 0;   // the least of r_n, times its sign, and c
    bool curve = false;  // others lie next to it in other directions
    TorusBox box;
  };

  explicit SlipCover(const TwoContacts& contacts)
      : response_unit_(power_of_two(contacts.W.cwiseAbs().maxCoeff())),
        load_unit_(power_of_two(contacts.q.cwiseAbs().maxCoeff())),
        p{contacts.W / response_unit_, contacts.q / load_unit_, contacts.mu, contacts.sign},
        refutes_(p),
        holds_(p) {
    response_ = p.W.cwiseAbs().maxCoeff() * (1 + std::max(p.mu[0], p.mu[1]));
    edges_ = {edge_without_effect(0), edge_without_effect(1)};
  }

  // False when boxes are left over of which it is not known what they hold.
  bool run() {
    double h = std::numbers::pi / first_boxes;
    std::vector<TorusBox> boxes;
    for (int i = 0; i < first_boxes; ++i)
      for (int k = 0; k < first_boxes; ++k) boxes.push_back({(2 * i + 1) * h, (2 * k + 1) * h, h});
    while (!boxes.empty() && h >= smallest_half_width) {
      if (boxes.size() > most_boxes) return false;
      boxes = refined(boxes);
      h /= 2;
    }
    return explained(std::move(boxes));
  }

  long boxes() const { return seen_; }

  // One of every curve, and the others.
  std::vector<Solution> solutions() const {
    std::vector<Solution> list = points_;
    std::vector<Solution> left = curves_;
    while (!left.empty()) {
      const std::vector<Solution> piece = take_touching(left);
      const auto deepest = std::max_element(piece.begin(), piece.end(),
                                            [](const auto& a, const auto& b) { return a.margin < b.margin; });
      if (deepest->margin > no_margin) list.push_back(*deepest);
    }
    return list;
  }

 private:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  static constexpr int first_boxes = 8;              // per angle
  static constexpr std::size_t most_boxes = 16'000;  // of one size
  static constexpr double smallest_half_width = 4e-8;
  static constexpr double first_look = 0.03;  // half width of boxes in which solutions are looked for
  static constexpr double no_margin = 1e-9;   // forces and slips below this are none
  static constexpr double singular = 1e-9;

  struct Point {
    Vector6 z;
    double known = 0;                  // distance of angles up to which all other solutions are along the kernel
    Vector6 kernel = Vector6::Zero();  // one null vector that turns a direction, if there is one
    int undetermined = 0;
  };
  // Up to this distance of the angles all is explained by one solution.
  struct Known {
    double a, b, distance;
  };

  std::vector<TorusBox> refined(const std::vector<TorusBox>& boxes) {
    std::vector<TorusBox> next;
    for (const TorusBox& box : boxes) {
      ++seen_;
      if (refutes_(box) || holds_(box) || near_edge(box) || is_decided(box)) continue;
      const double h = box.half_width / 2;
      for (const double a : {box.a - h, box.a + h})
        for (const double b : {box.b - h, box.b + h}) next.push_back({a, b, h});
    }
    return next;
  }

  bool near_edge(const TorusBox& box) const {
    if (box.half_width > first_look) return false;
    return (edges_[0] && refutes_.near_edge(box, 0, *edges_[0])) ||
           (edges_[1] && refutes_.near_edge(box, 1, *edges_[1]));
  }

  bool is_decided(const TorusBox& box) {
    if (box.half_width > first_look) return false;
    const auto covers = [&](const Known& k) {
      return std::max(std::abs(turned(k.a - box.a)), std::abs(turned(k.b - box.b))) + box.half_width <= k.distance;
    };
    if (std::any_of(known_.begin(), known_.end(), covers)) return true;
    return is_decided_by_solution(box);
  }

  bool is_decided_by_solution(const TorusBox& box) {
    Point at{start(box)};
    if (!polish(at)) return false;
    const double d = distance(at.z, box) + box.half_width;
    if (d > at.known) return false;
    const double margin = margin_of(at.z);
    if (at.undetermined == 0) {
      if (margin > -no_margin) add_point(at.z, margin, box);
      known_.push_back({at.z(1), at.z(4), at.known});
      return true;
    }
    if (at.kernel.squaredNorm() == 0) {  // a line of forces
      if (margin > no_margin) add_point(at.z, margin, box);
      return margin > no_margin;
    }
    return is_decided_by_curve(at, d);
  }

  // The solutions up to distance d of the angles are on the curve through z.
  bool is_decided_by_curve(const Point& at, double d) {
    if (turning_dimension(at) != 1) return false;
    const double margin = margin_of(at.z);
    if (margin < -no_margin) return at.undetermined == 1 && positive_up_to(-at.z, at.kernel, margin) > d;
    std::array<double, 2> next{};
    if (!goes_on(at, std::min(at.known, 0.1) / 2, &next)) return false;
    double known = at.known;
    if (margin > no_margin) {
      known = std::min(known, positive_up_to(at.z, at.kernel, margin));
    } else if (std::max(next[0], next[1]) > no_margin) {
      return false;  // an end of the curve
    }
    if (d > known) return false;
    curves_.push_back({pair_at(at.z), margin, true, {at.z(1), at.z(4), known}});
    known_.push_back({at.z(1), at.z(4), known});
    return true;
  }

  // Null vectors less those that turn no direction.
  int turning_dimension(const Point& at) const {
    Vector6 F;
    Matrix6 J;
    look(at, F, J);
    Eigen::Matrix<double, 6, 4> still;
    still << J.col(0), J.col(2), J.col(3), J.col(5);
    for (const int k : {0, 2}) still.col(k) *= std::max(1.0, std::abs(at.z(k == 0 ? 0 : 3)));
    const Eigen::JacobiSVD<Eigen::Matrix<double, 6, 4>> svd(still);
    const Eigen::Vector4d& s = svd.singularValues();
    return at.undetermined - static_cast<int>((s.array() <= singular * std::max(1.0, s(0))).count());
  }

  // How far the angles can turn along the curve before the forces and slips of z that are not less than |margin| change
  // their sign; of −z, one of those that are negative. Slopes are doubled for second orders.
  double positive_up_to(const Vector6& z, const Vector6& kernel, double margin) const {
    const double turn = std::hypot(kernel(1), kernel(4));
    double least = margin > 0 ? 1.0 : 0.0;
    for (const int k : {0, 2, 3, 5}) {
      const double sign = k == 0 ? p.sign[0] : (k == 3 ? p.sign[1] : 1);
      const double up_to = sign * z(k) * turn / (2 * std::abs(kernel(k)) + 1e-12 * turn);
      if (margin > 0) least = std::min(least, up_to);
      if (margin < 0) least = std::max(least, up_to);
    }
    return least;
  }

  // Solutions in the last boxes are known up to their size.
  bool explained(std::vector<TorusBox> boxes) {
    while (!boxes.empty()) {
      std::vector<TorusBox> group{boxes.back()};
      boxes.pop_back();
      for (std::size_t k = 0; k < group.size(); ++k) {
        const auto first =
            std::partition(boxes.begin(), boxes.end(), [&](const TorusBox& o) { return !touch(group[k], o); });
        group.insert(group.end(), first, boxes.end());
        boxes.erase(first, boxes.end());
      }
      if (group.size() > most_of_a_point || !is_explained(group)) return false;
    }
    return true;
  }
  static constexpr std::size_t most_of_a_point = 2000;

  // By a solution, or by one with a force or a slip that is zero and thus of another word.
  bool is_explained(const std::vector<TorusBox>& group) {
    constexpr double near = 1e-4;
    for (const TorusBox& box : group) {
      Point at{start(box)};
      if (!polish(at) || distance(at.z, box) > near) continue;
      const double margin = margin_of(at.z);
      const bool curve = at.kernel.squaredNorm() > 0 && turning_dimension(at) == 1 && goes_on(at, 1e-6, nullptr);
      if (margin < -1e-6) continue;
      if (curve && margin > 1e-6) {
        curves_.push_back({pair_at(at.z), margin, true, {box.a, box.b, 1e-5}});
      } else if (!curve && margin > no_margin) {  // else an end of a curve, or of another word
        add_point(at.z, margin, box);
      }
      return true;
    }
    return false;
  }

  static double turned(double x) { return std::remainder(x, 2 * std::numbers::pi); }
  static double distance(const Vector6& z, const TorusBox& box) {
    return std::max(std::abs(turned(z(1) - box.a)), std::abs(turned(z(4) - box.b)));
  }
  static bool touch(const TorusBox& x, const TorusBox& y) {
    const double far = 1.01 * (x.half_width + y.half_width);
    return std::abs(turned(x.a - y.a)) <= far && std::abs(turned(x.b - y.b)) <= far;
  }
  static std::vector<Solution> take_touching(std::vector<Solution>& left) {
    std::vector<Solution> piece{left.back()};
    left.pop_back();
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const TorusBox from = piece[k].box;
      const auto first =
          std::partition(left.begin(), left.end(), [&](const Solution& o) { return !touch(from, o.box); });
      piece.insert(piece.end(), first, left.end());
      left.erase(first, left.end());
    }
    return piece;
  }

  void add_point(const Vector6& z, double margin, const TorusBox& box) {
    constexpr double same = 1e-6;
    const auto known = [&](const Solution& o) {
      return std::abs(turned(z(1) - angle(o.pair.e[0]))) + std::abs(turned(z(4) - angle(o.pair.e[1]))) < same;
    };
    if (std::none_of(points_.begin(), points_.end(), known)) points_.push_back({pair_at(z), margin, false, box});
  }
  static double angle(const Eigen::Vector2d& e) { return std::atan2(e.y(), e.x()); }

  static double power_of_two(double x) { return x > 0 ? std::exp2(std::ceil(std::log2(x))) : 1.0; }
  SlipPair pair_at(const Vector6& z) const {
    const double force = load_unit_ / response_unit_;
    return {{unit(z(1)), unit(z(4))}, {force * z(0), force * z(3)}, {load_unit_ * z(2), load_unit_ * z(5)}, false};
  }
  double margin_of(const Vector6& z) const { return std::min({p.sign[0] * z(0), z(2), p.sign[1] * z(3), z(5)}); }

  // The centre of the box and, of the forces that its laws leave, one in the middle.
  Vector6 start(const TorusBox& box) const {
    const Eigen::Vector2d r_n = refutes_.forces_in(box);
    Vector6 z;
    z << r_n(0), box.a, 0, r_n(1), box.b, 0;
    const Vector6 w = motion(z);
    z(2) = along(unit(z(1)), w, 0);
    z(5) = along(unit(z(4)), w, 3);
    return z;
  }
  Vector6 motion(const Vector6& z) const {
    return response(p, 0, unit(z(1))) * z(0) + response(p, 1, unit(z(4))) * z(3) + p.q;
  }

  // F and ∂F/∂z.
  void look(const Point& at, Vector6& F, Matrix6& J) const {
    F = p.q;
    J.setZero();
    for (const int j : {0, 1}) {
      const auto contact = static_cast<std::size_t>(j);
      const int t = 3 * j;
      const Eigen::Vector2d e = unit(at.z(t + 1));
      const Eigen::Vector2d turn(-e.y(), e.x());
      J.col(t) = response(p, contact, e);
      J.col(t + 1) = -p.sign[contact] * p.mu[contact] * at.z(t) * per_tangent(j, turn);
      J.col(t + 1).segment<2>(t) -= at.z(t + 2) * turn;
      J.col(t + 2).segment<2>(t) = -e;
      F += J.col(t) * at.z(t);
      F.segment<2>(t) -= at.z(t + 2) * e;
    }
  }
  Vector6 per_tangent(int j, const Eigen::Vector2d& v) const { return p.W.middleCols<2>(3 * j) * v; }

  // The direction in which a force on the edge of the cone of contact j moves nothing.
  std::optional<double> edge_without_effect(int j) const {
    const auto contact = static_cast<std::size_t>(j);
    const Eigen::Matrix<double, 6, 2> tangents = p.W.middleCols<2>(3 * j);
    const double mu = p.sign[contact] * p.mu[contact];
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> tangent_part(tangents);
    const Eigen::Vector2d e0 = tangent_part.solve(p.W.col(3 * j + 2)) / mu;
    Eigen::Vector2d e = e0;
    if (tangent_part.rank() < 2) {  // any e with this part along what the tangents move, and one
      const Eigen::Vector2d still(-e0.y(), e0.x());
      if (e0.norm() > 1 || e0.norm() == 0) return std::nullopt;
      e += still.normalized() * std::sqrt(std::max(0.0, 1 - e0.squaredNorm()));
    }
    if (std::abs(e.norm() - 1) > 1e-12) return std::nullopt;
    if (response(p, contact, e).cwiseAbs().maxCoeff() > 1e-12 * response_) return std::nullopt;
    return angle(e);
  }

  // Newton's steps, the shortest where J is singular. Forces are measured by their size: where they grow without end
  // along a curve Λ does not.
  bool polish(Point& at) const {
    constexpr int most_steps = 30;
    Vector6 F;
    Matrix6 J;
    for (int k = 0; k < most_steps; ++k) {
      look(at, F, J);
      Vector6 unit_of = Vector6::Ones();
      for (const int t : {0, 3}) unit_of(t) = std::max(1.0, std::abs(at.z(t)));
      J *= unit_of.asDiagonal();
      const Eigen::JacobiSVD<Matrix6> svd(J, Eigen::ComputeFullU | Eigen::ComputeFullV);
      const Vector6& s = svd.singularValues();
      const auto rank = (s.array() > singular * std::max(1.0, s(0))).count();
      const double size = 1 + response_ * (unit_of(0) + unit_of(3));
      if (F.cwiseAbs().maxCoeff() <= 1e-13 * size) {
        describe(svd.matrixV(), rank, unit_of, at);
        const Matrix6 inverse = svd.matrixV().leftCols(rank) * s.head(rank).cwiseInverse().asDiagonal() *
                                svd.matrixU().leftCols(rank).transpose();
        at.known = 1 / (3 * bend(at.z, inverse, unit_of));
        return true;
      }
      Vector6 step = Vector6::Zero();
      for (Eigen::Index i = 0; i < rank; ++i) step -= svd.matrixV().col(i) * (svd.matrixU().col(i).dot(F) / s(i));
      if (!step.allFinite() || step.cwiseAbs().maxCoeff() > 10 * (1 + at.z.cwiseAbs().maxCoeff())) return false;
      at.z += unit_of.cwiseProduct(step);
    }
    return false;
  }
  // Λ with |J⁺ (F(z + Δ) − F(z) − J Δ)| ≤ Λ |Δθ| |Δ|, forces in their units.
  double bend(const Vector6& z, const Matrix6& inverse, const Vector6& unit_of) const {
    double sum = 0;
    for (const int j : {0, 1}) {
      const int t = 3 * j;
      const double mu = p.mu[static_cast<std::size_t>(j)];
      const Eigen::Vector2d e = unit(z(t + 1));
      const Eigen::Vector2d turn(-e.y(), e.x());
      const auto columns = inverse.middleCols<2>(t);
      const double force = mu * unit_of(t) * (inverse * per_tangent(j, turn)).norm();
      const double slip = (columns * turn).norm();
      const double angle =
          (mu * std::abs(z(t)) * (inverse * per_tangent(j, e)).norm() + std::abs(z(t + 2)) * (columns * e).norm()) / 2;
      sum += force * force + slip * slip + angle * angle;
    }
    return std::sqrt(sum);
  }
  static void describe(const Matrix6& V, Eigen::Index rank, const Vector6& unit_of, Point& at) {
    at.undetermined = static_cast<int>(6 - rank);
    at.kernel.setZero();
    const auto turn = [](const auto& v) { return std::hypot(v(1), v(4)); };
    for (Eigen::Index i = rank; i < 6; ++i)
      if (turn(V.col(i)) > turn(at.kernel)) at.kernel = V.col(i);
    if (turn(at.kernel) <= 1e-11) at.kernel.setZero();
    at.kernel = at.kernel.cwiseProduct(unit_of).eval();
  }

  // Whether solutions follow along the kernel, to both sides; their margins.
  bool goes_on(const Point& at, double distance, std::array<double, 2>* margins) const {
    for (const double side : {1.0, -1.0}) {
      Point next = at;
      next.z += side * distance * at.kernel;
      if (!polish(next) || side * (next.z - at.z).dot(at.kernel) < distance / 2 * at.kernel.squaredNorm()) return false;
      if (margins != nullptr) (*margins)[side > 0 ? 0 : 1] = margin_of(next.z);
    }
    return true;
  }

  const double response_unit_, load_unit_;
  const TwoContacts p;  // in units in which its numbers are of order one
  Refutation refutes_;
  KinematicRefutation holds_;
  double response_;
  std::array<std::optional<double>, 2> edges_;
  std::vector<Solution> points_, curves_;
  std::vector<Known> known_;
  long seen_ = 0;
};

}  // namespace painleve::pair_laws
