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

struct Box {
  double a, b;
};

// Zero of the system and the box in which it is the only one.
struct Isolated {
  double a, b;
  Box centre;
  double half_width;
};

double apart(double x, double y) { return std::abs(std::remainder(x - y, 2 * pi)); }

bool contains(const Box& box, double half_width, double a, double b) {
  return apart(a, box.a) <= half_width && apart(b, box.b) <= half_width;
}

bool stays_away(const TorusPolynomial& f, const Jet& j, double h) {
  const double linear = (std::abs(j.a) + std::abs(j.b)) * h;
  const double quadratic = (std::abs(j.aa) / 2 + std::abs(j.ab) + std::abs(j.bb) / 2) * h * h;
  return std::abs(j.value) > linear + quadratic + f.third() * h * h * h + f.rounding();
}

// Whether the polynomials that must have one strict sign cannot have it anywhere in the box.
bool signs_differ(const std::vector<TorusPolynomial>& alike, const AngleBasis& a, const AngleBasis& b, double h) {
  bool positive = true;
  bool negative = true;
  for (const auto& f : alike) {
    const Jet j = f.slope(a, b);
    const double reach = (std::abs(j.a) + std::abs(j.b)) * h + f.second() * h * h + f.rounding();
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
    }
    for (const auto& z : isolated_) result_.zeros.push_back({z.a, z.b, true});
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

TorusZeros common_zeros(const TorusSystem& system) { return Search(system).run(); }

}  // namespace painleve
