#include "painleve/complementarity/slip_curves.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "painleve/complementarity/detail/pair_laws.hpp"
#include "painleve/complementarity/torus_roots.hpp"

namespace painleve {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using pair_laws::across;
using pair_laws::along;
using pair_laws::response;
using pair_laws::unit;
using pair_laws::Vector6;
using Square = TorusPolynomial::Square;

constexpr int first_boxes = 8;              // per angle
constexpr std::size_t most_boxes = 40'000;  // of one size
constexpr double aside = 0.0721;            // no edge of a box lies along a curve of a simple angle
constexpr double smallest_half_width = 4e-8;
constexpr double arc_half_width = 2e-3;
constexpr double point_half_width = 1e-6;
constexpr std::size_t most_of_a_point = 200;  // of that size
constexpr double rounded = 1e-12;
constexpr double little = 1e-6;  // what is certain at the smallest size

double power_of_two(double x) { return x > 0 ? std::exp2(std::ceil(std::log2(x))) : 1.0; }

// The problem in units in which its numbers are of order one.
struct Units {
  double response, load;
  explicit Units(const TwoContacts& p)
      : response(power_of_two(p.W.cwiseAbs().maxCoeff())), load(power_of_two(p.q.cwiseAbs().maxCoeff())) {}
  TwoContacts of(const TwoContacts& p) const { return {p.W / response, p.q / load, p.mu, p.sign}; }
  SlipPair back(SlipPair pair) const {
    for (double& r : pair.r_n) r *= load / response;
    for (double& c : pair.c) c *= load;
    return pair;
  }
};

// The row of the normal equation that stands for both; none when the normals do not move as one.
std::optional<int> common_normal(const TwoContacts& p) {
  const int n = p.W.row(2).norm() >= p.W.row(5).norm() ? 2 : 5;
  const int other = n == 2 ? 5 : 2;
  const double square = p.W.row(n).squaredNorm();
  if (square == 0) return std::nullopt;
  const double kappa = p.W.row(other).dot(p.W.row(n)) / square;
  if ((p.W.row(other) - kappa * p.W.row(n)).cwiseAbs().maxCoeff() > rounded * std::sqrt(square)) return std::nullopt;
  return n;
}

// Whether w_n = 0 at one contact leaves w_n ≠ 0 at the other.
bool pulled_apart(const TwoContacts& p, int n) {
  const int other = n == 2 ? 5 : 2;
  const double kappa = p.W.row(other).dot(p.W.row(n)) / p.W.row(n).squaredNorm();
  return std::abs(p.q(other) - kappa * p.q(n)) > rounded * p.q.cwiseAbs().maxCoeff();
}

struct At {
  Eigen::Vector2d e1, e2;
  Vector6 c1, c2;
  At(const TwoContacts& p, double a, double b)
      : e1(unit(a)), e2(unit(b)), c1(response(p, 0, e1)), c2(response(p, 1, e2)) {}
};

// The three equations for (r_n1, r_n2, 1).
Matrix3d equations(const TwoContacts& p, int n, const At& x) {
  Matrix3d M;
  M << x.c1(n), x.c2(n), p.q(n),                                           //
      across(x.e1, x.c1, 0), across(x.e1, x.c2, 0), across(x.e1, p.q, 0),  //
      across(x.e2, x.c1, 3), across(x.e2, x.c2, 3), across(x.e2, p.q, 3);
  return M;
}

double determinant(const Vector3d& a, const Vector3d& b, const Vector3d& c) { return a.dot(b.cross(c)); }

// Δ_i, and r_n1, r_n2, c₁, c₂ times Δ_i; forces times their signs.
using Quotients = std::array<double, 5>;
Quotients quotients(const TwoContacts& p, int n, const At& x, int i) {
  const int t = 3 * i;
  const auto rows = [&](const Vector6& v) { return Vector3d(v(n), v(t), v(t + 1)); };
  const Eigen::Vector2d& e = i == 0 ? x.e1 : x.e2;
  const Vector3d slip(0, -e.x(), -e.y());
  const Vector3d c1 = rows(x.c1);
  const Vector3d c2 = rows(x.c2);
  const Vector3d q = rows(p.q);
  const double D = determinant(c1, c2, slip);
  const double N1 = -determinant(q, c2, slip);
  const double N2 = -determinant(c1, q, slip);
  const Vector6 w = D * p.q + N1 * x.c1 + N2 * x.c2;
  return {D, p.sign[0] * N1, p.sign[1] * N2, along(x.e1, w, 0), along(x.e2, w, 3)};
}

// The values at 5 × 5 pairs of directions determine a polynomial of degree (2, 2).
template <class Value>
TorusPolynomial polynomial(const TwoContacts& p, const Value& value) {
  Square v;
  const double step = 2 * std::numbers::pi / 5;
  for (int k = 0; k < 5; ++k)
    for (int l = 0; l < 5; ++l) v(k, l) = value(At(p, k * step, l * step));
  return TorusPolynomial(v);
}

bool touch(const TorusBox& x, const TorusBox& y) {
  const double far = 1.01 * (x.half_width + y.half_width);
  return std::abs(std::remainder(x.a - y.a, 2 * std::numbers::pi)) <= far &&
         std::abs(std::remainder(x.b - y.b, 2 * std::numbers::pi)) <= far;
}

class CurveCover {
 public:
  CurveCover(const TwoContacts& contacts, int normal)
      : p(contacts), n(normal), G_(polynomial(p, [&](const At& x) { return equations(p, n, x).determinant(); })) {
    for (const int i : {0, 1})
      for (std::size_t k = 0; k < std::tuple_size_v<Quotients>; ++k)
        groups_[static_cast<std::size_t>(i)].push_back(
            polynomial(p, [&](const At& x) { return quotients(p, n, x, i)[k]; }));
  }

  // False when boxes are left over of which it is not known what they hold.
  bool run() {
    double h = std::numbers::pi / first_boxes;
    std::vector<TorusBox> boxes;
    for (int i = 0; i < first_boxes; ++i)
      for (int k = 0; k < first_boxes; ++k) boxes.push_back({(2 * i + 1) * h + aside, (2 * k + 1) * h - aside, h});
    while (!boxes.empty() && h >= smallest_half_width) {
      if (boxes.size() > most_boxes) return false;
      boxes = refined(boxes);
      h /= 2;
    }
    return explained(coarsened(boxes));
  }

  std::vector<SlipPair> list;
  long seen = 0;

 private:
  std::vector<TorusBox> refined(const std::vector<TorusBox>& boxes) {
    std::vector<TorusBox> next;
    for (const TorusBox& box : boxes) {
      ++seen;
      const AngleBasis a(box.a);
      const AngleBasis b(box.b);
      const Jet G = G_.jet(a, b);
      if (stays_away(G_, G, box.half_width)) continue;
      const Signs signs = signs_in(box, a, b, G);
      if (signs == Signs::differ) continue;
      if (signs == Signs::agree && is_crossed(box)) {
        crossed_.push_back(box);
        continue;
      }
      if (signs == Signs::uncertain && box.half_width < arc_half_width && lacks_something(box)) continue;
      const double h = box.half_width / 2;
      for (const double x : {box.a - h, box.a + h})
        for (const double y : {box.b - h, box.b + h}) next.push_back({x, y, h});
    }
    return next;
  }

  // On the curve the groups are multiples of each other, so that one of them is enough.
  enum class Signs { agree, differ, uncertain };
  Signs signs_in(const TorusBox& box, const AngleBasis& a, const AngleBasis& b, const Jet& G) const {
    bool agree = false;
    for (const auto& group : groups_) {
      int negative = 0, uncertain = 0, positive = 0;
      for (const TorusPolynomial& f : group) {
        switch (sign_on_curve(f, f.slope(a, b), G, box.half_width)) {
          case -1:
            ++negative;
            break;
          case 0:
            ++uncertain;
            break;
          default:
            ++positive;
        }
      }
      if (negative > 0 && positive > 0) return Signs::differ;
      agree = agree || uncertain == 0;
    }
    return agree ? Signs::agree : Signs::uncertain;
  }

  // The sign of f where G = 0 in a box. There f is f − λ G for any λ, also for the one that leaves no slope across the
  // curve: where f touches zero along it, f changes its sign next to it.
  int sign_on_curve(const TorusPolynomial& f, const Jet& at, const Jet& G, double h) const {
    const int sign = sign_over(f, at, h);
    const double square = G.a * G.a + G.b * G.b;
    if (sign != 0 || !(square > 0)) return sign;
    const double lambda = (at.a * G.a + at.b * G.b) / square;
    const double value = at.value - lambda * G.value;
    const double slope = std::abs(at.a - lambda * G.a) + std::abs(at.b - lambda * G.b);
    const double second = f.second() + std::abs(lambda) * G_.second();
    const double rounding = f.rounding() + std::abs(lambda) * G_.rounding();
    if (std::abs(value) <= slope * h + second * h * h + rounding) return 0;
    return value > 0 ? 1 : -1;
  }

  // Whether G has both signs at its corners.
  bool is_crossed(const TorusBox& box) const {
    bool positive = false;
    bool negative = false;
    for (const double x : {box.a - box.half_width, box.a + box.half_width}) {
      for (const double y : {box.b - box.half_width, box.b + box.half_width}) {
        const double value = G_.slope(AngleBasis(x), AngleBasis(y)).value;
        positive = positive || value > G_.rounding();
        negative = negative || value < -G_.rounding();
      }
    }
    return positive && negative;
  }

  // Along some curves one quantity of a group is zero and another is not: a force or a slip that is none, or forces
  // without end. That is seen at three points of the arc in the box, G being monotone there.
  bool lacks_something(const TorusBox& box) const {
    const Eigen::Vector2d x = on_curve(box);
    const AngleBasis a(x(0));
    const AngleBasis b(x(1));
    const Jet j = G_.slope(a, b);
    const Eigen::Vector2d slope(j.a, j.b);
    const double h = 3 * box.half_width;
    if (slope.cwiseAbs().maxCoeff() <= 4 * G_.second() * h) return false;
    const Eigen::Vector2d along_arc = Eigen::Vector2d(-slope.y(), slope.x()).normalized() * 1.5 * box.half_width;
    const std::array<Eigen::Vector2d, 3> points{x, on_curve({x(0) + along_arc.x(), x(1) + along_arc.y(), h}),
                                                on_curve({x(0) - along_arc.x(), x(1) - along_arc.y(), h})};
    const auto vanishes = [&](const TorusPolynomial& f) {
      return std::all_of(points.begin(), points.end(), [&](const auto& y) {
        return std::abs(f.slope(AngleBasis(y(0)), AngleBasis(y(1))).value) <=
               std::max(rounded * f.magnitude(), rounded_product_);
      });
    };
    const auto is_certain = [&](const TorusPolynomial& f) { return sign_over(f, f.slope(a, b), h) != 0; };
    return std::any_of(groups_.begin(), groups_.end(), [&](const auto& group) {
      return std::any_of(group.begin(), group.end(), is_certain) && std::any_of(group.begin(), group.end(), vanishes);
    });
  }

  // The last boxes lie close together: larger ones that hold them are fewer.
  static std::vector<TorusBox> coarsened(const std::vector<TorusBox>& boxes) {
    std::set<std::pair<long, long>> places;
    const double width = 2 * point_half_width;
    for (const TorusBox& box : boxes) places.emplace(std::lround(box.a / width), std::lround(box.b / width));
    std::vector<TorusBox> all;
    for (const auto& [a, b] : places)
      all.push_back({static_cast<double>(a) * width, static_cast<double>(b) * width, point_half_width});
    return all;
  }

  // Boxes that touch are one curve when one of them is crossed, and else a point.
  bool explained(const std::vector<TorusBox>& left) {
    struct Part {
      TorusBox box;
      bool crossed;
    };
    std::vector<Part> all;
    for (const TorusBox& box : crossed_) all.push_back({box, true});
    for (const TorusBox& box : left) all.push_back({box, false});
    while (!all.empty()) {
      std::vector<Part> piece{all.back()};
      all.pop_back();
      for (std::size_t k = 0; k < piece.size(); ++k) {
        const TorusBox from = piece[k].box;
        const auto first = std::partition(all.begin(), all.end(), [&](const Part& o) { return !touch(from, o.box); });
        piece.insert(piece.end(), first, all.end());
        all.erase(first, all.end());
      }
      std::vector<TorusBox> curve;
      std::vector<TorusBox> point;
      for (const Part& part : piece) (part.crossed ? curve : point).push_back(part.box);
      if (curve.empty() ? !is_explained(point) : !add_deepest(curve)) return false;
    }
    return true;
  }

  // Forces and slips, with the least of them.
  struct Solution {
    SlipPair pair;
    double margin;
  };

  Solution solution(const At& x, const Eigen::Vector2d& r_n) const {
    const Vector6 w = x.c1 * r_n(0) + x.c2 * r_n(1) + p.q;
    const SlipPair pair{{x.e1, x.e2}, {r_n(0), r_n(1)}, {along(x.e1, w, 0), along(x.e2, w, 3)}, false};
    const double least = std::min({p.sign[0] * r_n(0), p.sign[1] * r_n(1), pair.c[0], pair.c[1]});
    return {pair, least / std::max(1.0, r_n.norm())};
  }

  // The forces are the null vector of M. Where M has rank one they are a line, and where it has none anything.
  std::optional<Solution> solution_at(double a, double b) const {
    const At x(p, a, b);
    const Eigen::JacobiSVD<Matrix3d> svd(equations(p, n, x), Eigen::ComputeFullV);
    if (svd.singularValues()(0) <= little) return std::nullopt;
    if (svd.singularValues()(1) <= little * svd.singularValues()(0)) return on_line(x, svd.matrixV().col(0));
    const Vector3d v = svd.matrixV().col(2);
    const double infinite = 1e-9;
    return std::abs(v.z()) <= infinite ? Solution{{}, 0} : solution(x, v.head<2>() / v.z());
  }

  // Of the forces with l·(r_n1, r_n2, 1) = 0 those in the middle of what the signs leave; signs are linear in them.
  Solution on_line(const At& x, const Vector3d& l) const {
    const double square = l.head<2>().squaredNorm();
    if (square <= little * little) return {{}, 0};
    const Eigen::Vector2d start = -l.z() / square * l.head<2>();
    const Eigen::Vector2d step = Eigen::Vector2d(-l.y(), l.x()) / std::sqrt(square);
    const auto signs = [&](const Eigen::Vector2d& r_n) {
      const SlipPair pair = solution(x, r_n).pair;
      return Eigen::Vector4d(p.sign[0] * r_n(0), p.sign[1] * r_n(1), pair.c[0], pair.c[1]);
    };
    const Eigen::Vector4d here = signs(start);
    const Eigen::Vector4d slope = signs(start + step) - here;
    const double far = 1e3 * (1 + start.norm());
    double from = -far;
    double to = far;
    for (int k = 0; k < 4; ++k) {
      if (std::abs(slope(k)) <= little) {
        if (here(k) <= little) return {{}, 0};
      } else {
        (slope(k) > 0 ? from : to) =
            slope(k) > 0 ? std::max(from, -here(k) / slope(k)) : std::min(to, -here(k) / slope(k));
      }
    }
    return to <= from ? Solution{{}, 0} : solution(x, start + step * (from + to) / 2);
  }

  // A point of G = 0 next to the centre of a box, or the centre.
  Eigen::Vector2d on_curve(const TorusBox& box) const {
    Eigen::Vector2d x(box.a, box.b);
    for (int k = 0; k < 20; ++k) {
      const Jet j = G_.slope(AngleBasis(x(0)), AngleBasis(x(1)));
      const double square = j.a * j.a + j.b * j.b;
      if (!(square > 0)) break;
      x -= j.value / square * Eigen::Vector2d(j.a, j.b);
    }
    const double away = std::max(std::abs(x(0) - box.a), std::abs(x(1) - box.b));
    return away <= 2 * box.half_width ? x : Eigen::Vector2d(box.a, box.b);
  }

  bool add_deepest(const std::vector<TorusBox>& boxes) {
    std::optional<Solution> deepest;
    for (const TorusBox& box : boxes) {
      const Eigen::Vector2d x = on_curve(box);
      const std::optional<Solution> s = solution_at(x(0), x(1));
      if (s && (!deepest || s->margin > deepest->margin)) deepest = s;
    }
    if (!deepest || deepest->margin <= 0) return false;
    list.push_back(deepest->pair);
    list.back().turns = true;
    return true;
  }

  // A solution that stands alone, or a point without forces of the right sign.
  bool is_explained(const std::vector<TorusBox>& boxes) {
    if (boxes.size() > most_of_a_point) return false;
    const Eigen::Vector2d x = on_curve(boxes[boxes.size() / 2]);
    const std::optional<Solution> s = solution_at(x(0), x(1));
    if (!s) return false;
    if (s->margin > little) list.push_back(s->pair);
    return true;
  }

  const TwoContacts& p;
  const int n;
  const double rounded_product_ = 1e-14 * std::pow(1 + std::max(p.mu[0], p.mu[1]), 2);  // of three numbers of order one
  TorusPolynomial G_;
  std::array<std::vector<TorusPolynomial>, 2> groups_;
  std::vector<TorusBox> crossed_;
};

}  // namespace

std::optional<SlipPairs> slip_curves(const TwoContacts& contacts) {
  const Units units(contacts);
  const TwoContacts p = units.of(contacts);
  const std::optional<int> n = common_normal(p);
  if (!n) return std::nullopt;
  SlipPairs result;
  if (pulled_apart(p, *n)) return result;
  CurveCover cover(p, *n);
  if (!cover.run()) return std::nullopt;
  result.boxes = cover.seen;
  for (const SlipPair& pair : cover.list) result.list.push_back(units.back(pair));
  return result;
}

}  // namespace painleve
