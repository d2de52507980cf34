#include "painleve/complementarity/torus_roots.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace painleve {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int first_boxes = 8;  // per angle
// Two zeros closer than about ten times this are not told apart: their polynomials differ by rounding alone.
constexpr double smallest_half_width = 4e-8;
constexpr long most_boxes = 20'000;
constexpr double contraction = 0.4;  // largest θ, see the head of the header
// Boxes from which on other means are asked, and folds looked for: larger ones are mostly decided without.
constexpr double small_half_width = 0.03;
constexpr double fold_half_width = 2e-3;
constexpr double farthest_fold = 0.1;
constexpr std::size_t most_fold_boxes = 1024;

struct Box {
  double a, b;
};

// Zero of the system and the box in which it is the only one.
struct Isolated {
  double a, b;
  Box centre;
  double half_width;
  bool twofold = false;
};

double apart(double x, double y) { return std::abs(std::remainder(x - y, 2 * pi)); }

bool contains(const Box& box, double half_width, double a, double b) {
  return apart(a, box.a) <= half_width && apart(b, box.b) <= half_width;
}

// How far the values in a box can be from that at its centre.
double reach_of(const TorusPolynomial& f, const Jet& slope, double h) {
  return (std::abs(slope.a) + std::abs(slope.b)) * h + f.second() * h * h + f.rounding();
}

// Whether the polynomials that must have one strict sign cannot have it anywhere in the box.
bool signs_differ(const std::vector<TorusPolynomial>& alike, const AngleBasis& a, const AngleBasis& b, double h) {
  bool positive = true;
  bool negative = true;
  for (const auto& f : alike) {
    const Jet j = f.slope(a, b);
    const double reach = reach_of(f, j, h);
    positive = positive && j.value > -reach;
    negative = negative && j.value < reach;
    if (!positive && !negative) return true;
  }
  return false;
}

// Bound of |Δf_a| + |Δf_b| over a box of half width H.
double slope_change(const TorusPolynomial& f, const Jet& j, double H) {
  const double aa = std::abs(j.aa) + f.change_aa() * H;
  const double ab = std::abs(j.ab) + f.change_ab() * H;
  const double bb = std::abs(j.bb) + f.change_bb() * H;
  return (aa + 2 * ab + bb) * H;
}

enum class Finding { empty, one, undecided };

// The second derivative in directions v and w, and how fast it changes at most.
double bend(const Jet& j, const Eigen::Vector2d& v, const Eigen::Vector2d& w) {
  return j.aa * v.x() * w.x() + j.ab * (v.x() * w.y() + v.y() * w.x()) + j.bb * v.y() * w.y();
}
double bend_change(const TorusPolynomial& f, const Eigen::Vector2d& v, const Eigen::Vector2d& w) {
  return f.change_aa() * std::abs(v.x() * w.x()) + f.change_ab() * (std::abs(v.x() * w.y()) + std::abs(v.y() * w.x())) +
         f.change_bb() * std::abs(v.y() * w.y());
}

// A system seen from a point x where its Jacobian is singular or nearly so, see the head of the header.
class Fold {
 public:
  Fold(const TorusSystem& system, const Box& x) : system_(system), x_(x) { look(); }
  // From the point near by where zeros merge.
  static Fold next_to(const TorusSystem& system, const Box& near) {
    Fold fold(system, near);
    for (int k = 0; k < most_steps && fold.step(); ++k) fold.look();
    return fold;
  }

  const Box& centre() const { return x_; }
  Eigen::Vector2d along() const { return V_.col(1); }

  // A point as distances along and across.
  Eigen::Vector2d seen(const Box& box) const {
    const Eigen::Vector2d d(std::remainder(box.a - x_.a, 2 * pi), std::remainder(box.b - x_.b, 2 * pi));
    return {d.dot(V_.col(1)), d.dot(V_.col(0))};
  }

  // Whether at distances up to S along and T across the zeros of g̃ are a curve that passes there. Bounds f̃ along it.
  bool follows(double S, double T) {
    T = std::max(T, 4 * (bends(0, 1, 1, S).most * S * S + std::abs(value(0)) + noise(0)) / slopes_(0));
    const double far = S + T;
    const double g_ss = bends(0, 1, 1, far).most;
    const double g_st = bends(0, 1, 0, far).most;
    const double g_tt = bends(0, 0, 0, far).most;
    const double f_st = bends(1, 1, 0, far).most;
    const double f_tt = bends(1, 0, 0, far).most;
    const double g_t = slopes_(0) - g_st * S - g_tt * T;  // at least
    const double g_s = g_ss * S + g_st * T;
    const double f_t = f_st * S + f_tt * T;
    if (!(g_t > 0.5 * slopes_(0)) || std::abs(value(0)) + noise(0) + g_s * S > g_t * T) return false;
    const double first = g_s / g_t;  // of τ
    const double second = (g_ss + 2 * g_st * first + g_tt * first * first) / g_t;
    const Bends along = bends(1, 1, 1, far);
    const double loss = 2 * f_st * first + f_tt * first * first + f_t * second + 16 * noise(1);
    curvature_ = along.here;
    least_curvature_ = along.least - loss;
    least_slope_ = slopes_(1) - (along.most + loss) * S;
    return true;
  }
  // Whether f̃ is strictly convex along the curve, with its extremum at x but for second orders of rounding.
  bool bends_once() const {
    return least_curvature_ > 0.1 * std::abs(curvature_) && slopes_(1) <= std::sqrt(noise(1) * least_curvature_);
  }
  // Whether f̃ is monotone along the curve, with a zero not farther than S from x.
  bool crosses_once(double S) const { return std::abs(value(1)) + noise(1) < least_slope_ * S; }
  bool twofold() const { return std::abs(value(1)) <= noise(1); }
  // The largest distance of a zero along the curve, none where the curve bends away; and about where they are.
  bool has_none(double reach) const {
    return value(1) * curvature_ > 0 || std::abs(value(1)) - noise(1) > reach * reach * most_curvature() / 2;
  }
  bool has_two(double reach) const { return std::abs(value(1)) + noise(1) < reach * reach * least_curvature_ / 2; }
  double distance() const { return std::sqrt(2 * std::abs(value(1) / curvature_)); }

 private:
  static constexpr int most_steps = 20;

  struct Bends {
    double here, least, most;  // at x, and the least and largest size of it up to a distance
  };
  // Of f̃ (k = 1) or g̃ (0) along (1) or across (0).
  Bends bends(int k, int v, int w, double far) const {
    const double here = U_(0, k) * bend(f_, V_.col(v), V_.col(w)) + U_(1, k) * bend(g_, V_.col(v), V_.col(w));
    const double change = std::abs(U_(0, k)) * bend_change(system_.f, V_.col(v), V_.col(w)) +
                          std::abs(U_(1, k)) * bend_change(system_.g, V_.col(v), V_.col(w));
    return {here, std::abs(here) - change * far, std::abs(here) + change * far};
  }
  double value(int k) const { return U_(0, k) * f_.value + U_(1, k) * g_.value; }
  double noise(int k) const {
    return std::abs(U_(0, k)) * system_.f.rounding() + std::abs(U_(1, k)) * system_.g.rounding();
  }
  double most_curvature() const { return 2 * std::abs(curvature_) - least_curvature_; }

  void look() {
    const AngleBasis a(x_.a);
    const AngleBasis b(x_.b);
    f_ = system_.f.jet(a, b);
    g_ = system_.g.jet(a, b);
    Eigen::Matrix2d J;
    J << f_.a, f_.b, g_.a, g_.b;
    const double angle = std::atan2(2 * J.col(0).dot(J.col(1)), J.col(0).squaredNorm() - J.col(1).squaredNorm()) / 2;
    V_ << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    const Eigen::Vector2d steepest = J * V_.col(0);
    slopes_(0) = steepest.norm();
    const Eigen::Vector2d u = slopes_(0) > 0 ? Eigen::Vector2d(steepest / slopes_(0)) : Eigen::Vector2d(1, 0);
    U_ << u.x(), -u.y(), u.y(), u.x();
    slopes_(1) = std::abs(U_.col(1).dot(J * V_.col(1)));
  }
  // Newton's step for g̃ = 0 and det J = 0.
  bool step() {
    Eigen::Matrix2d A;
    A << U_(0, 0) * f_.a + U_(1, 0) * g_.a, U_(0, 0) * f_.b + U_(1, 0) * g_.b,
        f_.aa * g_.b + f_.a * g_.ab - f_.ab * g_.a - f_.b * g_.aa,
        f_.ab * g_.b + f_.a * g_.bb - f_.bb * g_.a - f_.b * g_.ab;
    const Eigen::Vector2d d = -A.inverse() * Eigen::Vector2d(value(0), f_.a * g_.b - f_.b * g_.a);
    if (!d.allFinite() || d.norm() > 0.1) return false;
    x_ = {x_.a + d.x(), x_.b + d.y()};
    return d.norm() > 1e-15;
  }

  const TorusSystem& system_;
  Box x_;
  Jet f_{}, g_{};
  Eigen::Matrix2d U_,
      V_;  // J = U diag(±slopes) Vᵀ; the first columns belong to g̃ and across, the second to f̃ and along
  Eigen::Vector2d slopes_;
  double curvature_ = 0, least_curvature_ = 0, least_slope_ = 0;
};

class Search {
 public:
  explicit Search(const TorusSystem& system) : system_(system) {}

  TorusZeros run() {
    std::vector<Box> boxes;
    double h = pi / first_boxes;
    for (int i = 0; i < first_boxes; ++i)
      for (int k = 0; k < first_boxes; ++k) boxes.push_back({(2 * i + 1) * h, (2 * k + 1) * h});
    while (!boxes.empty()) {
      if (h < smallest_half_width || result_.boxes > most_boxes) {
        give_up(boxes, h);
        break;
      }
      boxes = refine(boxes, h);
      h /= 2;
      if (h < fold_half_width && boxes.size() <= most_fold_boxes) boxes = without_folds(std::move(boxes), h);
    }
    for (const auto& z : isolated_) result_.zeros.push_back({z.a, z.b, true, z.twofold});
    return result_;
  }

 private:
  std::vector<Box> refine(const std::vector<Box>& boxes, double h) {
    std::vector<Box> next;
    for (const Box& box : boxes) {
      ++result_.boxes;
      if (examine(box, h) != Finding::undecided) continue;
      for (const double a : {box.a - h / 2, box.a + h / 2})
        for (const double b : {box.b - h / 2, box.b + h / 2}) next.push_back({a, b});
    }
    return next;
  }

  Finding examine(const Box& box, double h) {
    const Finding finding = isolate(box, h);
    if (finding != Finding::undecided || h > small_half_width || !system_.refutes) return finding;
    return system_.refutes({box.a, box.b, h}) ? Finding::empty : finding;
  }

  Finding isolate(const Box& box, double h) {
    const AngleBasis a(box.a);
    const AngleBasis b(box.b);
    const Jet f = system_.f.jet(a, b);
    if (stays_away(system_.f, f, h)) return Finding::empty;
    const Jet g = system_.g.jet(a, b);
    if (stays_away(system_.g, g, h)) return Finding::empty;
    if (signs_differ(system_.alike, a, b, h)) return Finding::empty;
    const double determinant = f.a * g.b - f.b * g.a;
    if (std::abs(determinant) <= 1e-15 * system_.f.magnitude() * system_.g.magnitude()) return Finding::undecided;
    Eigen::Matrix2d Y;
    Y << g.b, -f.b, -g.a, f.a;
    Y /= determinant;
    const double H = 2 * h;
    const Eigen::Vector2d step = -Y * Eigen::Vector2d(f.value, g.value);
    const Eigen::Matrix2d size = Y.cwiseAbs();
    const Eigen::Vector2d noise = size * Eigen::Vector2d(system_.f.rounding(), system_.g.rounding());
    const double theta =
        (size * Eigen::Vector2d(slope_change(system_.f, f, H), slope_change(system_.g, g, H))).maxCoeff();
    if ((step.cwiseAbs() - noise).maxCoeff() > h * (1 + theta / 4)) return Finding::empty;
    if (theta > contraction || (step.cwiseAbs() + noise).maxCoeff() > (1 - theta) * H) return Finding::undecided;
    keep(box, h, newton({box.a + step.x(), box.b + step.y()}));
    return Finding::one;
  }

  // What is left of the boxes without the groups of touching ones that a fold next to them explains.
  std::vector<Box> without_folds(std::vector<Box> boxes, double h) {
    std::vector<Box> left;
    while (!boxes.empty()) {
      const std::vector<Box> group = take_group(boxes, h);
      if (!is_decided(group, h)) left.insert(left.end(), group.begin(), group.end());
    }
    return left;
  }

  // The last box and all that it touches, and those that these touch.
  static std::vector<Box> take_group(std::vector<Box>& boxes, double h) {
    std::vector<Box> group{boxes.back()};
    boxes.pop_back();
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Box from = group[k];
      const auto first =
          std::partition(boxes.begin(), boxes.end(), [&](const Box& o) { return !contains(from, 2.01 * h, o.a, o.b); });
      group.insert(group.end(), first, boxes.end());
      boxes.erase(first, boxes.end());
    }
    return group;
  }

  // How far a group of boxes reaches from x along and across.
  static Eigen::Vector2d extent(const std::vector<Box>& group, double h, const Fold& fold) {
    Eigen::Vector2d far = Eigen::Vector2d::Zero();
    for (const Box& box : group) far = far.cwiseMax(fold.seen(box).cwiseAbs());
    return far.array() + std::numbers::sqrt2 * h;
  }

  // Decides a group of boxes by the fold next to it, or as one zero where J is nearly singular, and keeps its zeros.
  bool is_decided(const std::vector<Box>& group, double h) {
    Fold fold = Fold::next_to(system_, group.front());
    Eigen::Vector2d far = extent(group, h, fold);
    const auto bends = [&] {
      return far.maxCoeff() < farthest_fold && fold.follows(far.x(), far.y()) && fold.bends_once();
    };
    if (bends()) {
      if (fold.twofold()) return keep_twofold(fold, far);
      if (fold.has_none(far.x())) return true;
      if (fold.has_two(far.x())) return keep_two(fold, far);
      far.x() = std::max(far.x(), 2 * fold.distance());  // zeros at the end of the group
      if (bends() && fold.has_two(far.x())) return keep_two(fold, far);
    }
    const Box zero = newton(group.front());
    Fold crossing(system_, zero);
    far = extent(group, h, crossing);
    if (far.maxCoeff() > farthest_fold || !crossing.follows(far.x(), far.y()) || !crossing.crosses_once(far.x()))
      return false;
    const auto same = [&](const Isolated& o) { return within(crossing.seen({o.a, o.b}), far); };
    if (std::none_of(isolated_.begin(), isolated_.end(), same)) isolate_at(zero, far);
    return true;
  }

  static bool within(const Eigen::Vector2d& d, const Eigen::Vector2d& far) {
    return ((far - d.cwiseAbs()).array() >= 0).all();
  }
  void isolate_at(const Box& zero, const Eigen::Vector2d& far, bool twofold = false) {
    isolated_.push_back({zero.a, zero.b, zero, 0.7 * far.minCoeff(), twofold});
  }

  // A zero that was isolated next to it, and told apart, leaves it undecided.
  bool keep_twofold(const Fold& fold, const Eigen::Vector2d& far) {
    bool single = false;
    bool known = false;
    for (const Isolated& o : isolated_) {
      if (!within(fold.seen({o.a, o.b}), far)) continue;
      (o.twofold ? known : single) = true;
    }
    if (!single && !known) isolate_at(fold.centre(), far, true);
    return !single;
  }

  // A zero on either side of the fold.
  bool keep_two(const Fold& fold, const Eigen::Vector2d& far) {
    std::vector<Box> zeros;
    for (const double side : {1.0, -1.0}) {
      const Eigen::Vector2d away = side * fold.distance() * fold.along();
      zeros.push_back(newton({fold.centre().a + away.x(), fold.centre().b + away.y()}));
      const Eigen::Vector2d d = fold.seen(zeros.back());
      if (!(side * d.x() > 0) || !within(d, 2 * far)) return false;
      const auto same = [&](const Isolated& o) {
        const Eigen::Vector2d there = fold.seen({o.a, o.b});
        return side * there.x() > 0 && within(there, far);
      };
      if (std::any_of(isolated_.begin(), isolated_.end(), same)) zeros.pop_back();
    }
    for (const Box& z : zeros) isolate_at(z, far.cwiseMin(fold.distance()));
    return true;
  }

  // The one zero of the box of half width 2h; it may lie in a neighbour of the box, which then finds it too.
  void keep(const Box& box, double h, const Box& zero) {
    if (!contains(box, 1.001 * h, zero.a, zero.b)) return;
    const bool known = std::any_of(isolated_.begin(), isolated_.end(), [&](const Isolated& z) {
      return contains(z.centre, z.half_width, zero.a, zero.b) || contains(box, 2 * h, z.a, z.b);
    });
    if (!known) isolated_.push_back({zero.a, zero.b, box, 2 * h});
  }

  Box newton(Box x) const {
    for (int k = 0; k < 50; ++k) {
      const AngleBasis a(x.a);
      const AngleBasis b(x.b);
      const Jet f = system_.f.slope(a, b);
      const Jet g = system_.g.slope(a, b);
      const double determinant = f.a * g.b - f.b * g.a;
      if (determinant == 0) break;
      const double da = (f.b * g.value - g.b * f.value) / determinant;
      const double db = (g.a * f.value - f.a * g.value) / determinant;
      if (!std::isfinite(da + db) || std::max(std::abs(da), std::abs(db)) > 1) break;
      x = {x.a + da, x.b + db};
      if (std::max(std::abs(da), std::abs(db)) < 1e-15) break;
    }
    return x;
  }

  // What is left may hold a multiple zero, a curve of them, or nothing. Points at which the equations hold are kept.
  void give_up(const std::vector<Box>& boxes, double h) {
    for (const Box& box : boxes) result_.open.push_back({box.a, box.b, h});
    result_.exhausted = h >= smallest_half_width;
    const double same = std::max(1e-5, 2 * h);
    const std::size_t stride = 1 + boxes.size() / 64;
    for (std::size_t i = 0; i < boxes.size(); i += stride) {
      const Box z = newton(boxes[i]);
      if (std::max(apart(z.a, boxes[i].a), apart(z.b, boxes[i].b)) > 1e-3 + 4 * h) continue;
      const AngleBasis a(z.a);
      const AngleBasis b(z.b);
      const bool solves = std::abs(system_.f.slope(a, b).value) <= 16 * system_.f.rounding() &&
                          std::abs(system_.g.slope(a, b).value) <= 16 * system_.g.rounding();
      const auto near = [&](const auto& o) { return std::max(apart(o.a, z.a), apart(o.b, z.b)) <= same; };
      if (!solves || std::any_of(isolated_.begin(), isolated_.end(), near)) continue;
      if (std::none_of(result_.zeros.begin(), result_.zeros.end(), near)) result_.zeros.push_back({z.a, z.b, false});
    }
  }

  const TorusSystem& system_;
  std::vector<Isolated> isolated_;
  TorusZeros result_;
};

// Coefficients of 1, cos, sin, cos 2·, sin 2· from values at five equidistant angles.
TorusPolynomial::Square transform() {
  TorusPolynomial::Square T;
  for (int k = 0; k < 5; ++k) {
    const double angle = 2 * pi * k / 5;
    T.col(k) << 0.5, std::cos(angle), std::sin(angle), std::cos(2 * angle), std::sin(2 * angle);
  }
  return 0.4 * T;
}

}  // namespace

AngleBasis::AngleBasis(double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double c2 = (c - s) * (c + s);
  const double s2 = 2 * s * c;
  value << 1, c, s, c2, s2;
  first << 0, -s, c, -2 * s2, 2 * c2;
  second << 0, -c, -s, -4 * c2, -4 * s2;
}

TorusPolynomial::TorusPolynomial(const Square& values) {
  static const Square T = transform();
  C_.noalias() = T * values * T.transpose();
  constexpr std::array<int, 3> start{0, 1, 3};
  constexpr std::array<int, 3> size{1, 2, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t l = 0; l < 3; ++l) {
      const double amplitude = C_.block(start[k], start[l], size[k], size[l]).norm();
      const auto a = static_cast<double>(k);
      const auto b = static_cast<double>(l);
      magnitude_ += amplitude;
      second_ += amplitude * (a + b) * (a + b) / 2;
      third_ += amplitude * (a + b) * (a + b) * (a + b) / 6;
      change_aa_ += amplitude * a * a * (a + b);
      change_ab_ += amplitude * a * b * (a + b);
      change_bb_ += amplitude * b * b * (a + b);
    }
  }
  // Of the values given as well as of the sums here.
  rounding_ = 32 * std::numeric_limits<double>::epsilon() * std::max(magnitude_, values.cwiseAbs().maxCoeff());
}

bool TorusPolynomial::never_zero() const { return 2 * std::abs(C_(0, 0)) > magnitude_ + rounding_; }

Jet TorusPolynomial::jet(const AngleBasis& a, const AngleBasis& b) const {
  const AngleBasis::Vector v = C_ * b.value;
  const AngleBasis::Vector v1 = C_ * b.first;
  const AngleBasis::Vector v2 = C_ * b.second;
  return {a.value.dot(v), a.first.dot(v), a.value.dot(v1), a.second.dot(v), a.first.dot(v1), a.value.dot(v2)};
}

Jet TorusPolynomial::slope(const AngleBasis& a, const AngleBasis& b) const {
  const AngleBasis::Vector v = C_ * b.value;
  return {a.value.dot(v), a.first.dot(v), a.value.dot(C_ * b.first), 0, 0, 0};
}

bool stays_away(const TorusPolynomial& f, const Jet& j, double h) {
  const double linear = (std::abs(j.a) + std::abs(j.b)) * h;
  const double quadratic = (std::abs(j.aa) / 2 + std::abs(j.ab) + std::abs(j.bb) / 2) * h * h;
  return std::abs(j.value) > linear + quadratic + f.third() * h * h * h + f.rounding();
}

int sign_over(const TorusPolynomial& f, const Jet& slope, double h) {
  if (std::abs(slope.value) <= reach_of(f, slope, h)) return 0;
  return slope.value > 0 ? 1 : -1;
}

TorusZeros common_zeros(const TorusSystem& system) { return Search(system).run(); }

}  // namespace painleve
