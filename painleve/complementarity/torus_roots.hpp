// All common zeros of two trigonometric polynomials of two angles, found and proved by subdivision.
//
// The square of the angles is cut into boxes. In a box of half width h around a centre x₀ Taylor's formula with the
// second derivatives at x₀ and a bound of the third ones (the coefficients give it) encloses both polynomials, so that
// most boxes are seen to be empty. With Y the inverse of the Jacobian J₀ at x₀ and H = 2h,
//
//   θ = max over the box of half width H of |Y (J − J₀)|  (row sums)
//   |Y f(x₀)| > h (1 + θ/4)            no zero in the box
//   θ ≤ 2/5, |Y f(x₀)| ≤ (1 − θ) H     exactly one zero in the box of half width H: x ↦ x − Y f(x) contracts it
//
// and for θ ≤ 2/5 one of the two holds. A box that is neither is cut into four. Rounding is added to every bound.
//
// Where two zeros merge J is singular, and no box is small enough. Around the point with det J = 0 and one combination
// g̃ of the two polynomials zero, let s run along the kernel of J and t across it, and f̃ be the other combination, whose
// gradient vanishes there. While g̃ is monotone in t its zeros are a curve t = τ(s), and while f̃ is strictly convex
// along it, f̃(s, τ(s)) = v + k s²/2 + …, there are two zeros, none, or, with |v| below the rounding of f̃, a twofold
// one: two, one or none for polynomials that differ by rounding. The bounds of the derivatives say how far that
// reaches.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace painleve {

// 1, cos, sin, cos 2·, sin 2· of an angle and their first two derivatives.
struct AngleBasis {
  using Vector = Eigen::Matrix<double, 5, 1>;
  explicit AngleBasis(double angle);
  Vector value, first, second;
};

struct Jet {
  double value, a, b, aa, ab, bb;
};

// Σ C(k, l) φ_k(a) φ_l(b) with the functions φ of AngleBasis.
class TorusPolynomial {
 public:
  using Square = Eigen::Matrix<double, 5, 5>;
  // From its values at a = 2πk/5 (rows) and b = 2πl/5 (columns), which determine it.
  explicit TorusPolynomial(const Square& values);

  Jet jet(const AngleBasis& a, const AngleBasis& b) const;
  Jet slope(const AngleBasis& a, const AngleBasis& b) const;  // without second derivatives (they are zero here)

  double magnitude() const { return magnitude_; }  // sum of the sizes of its terms
  double rounding() const { return rounding_; }    // of a value
  bool never_zero() const;                         // its constant term outweighs all others
  // Largest deviation from the Taylor polynomial of degree 1, 2 for a box of half width 1: times h², h³.
  double second() const { return second_; }
  double third() const { return third_; }
  // How fast the second derivatives change, per half width.
  double change_aa() const { return change_aa_; }
  double change_ab() const { return change_ab_; }
  double change_bb() const { return change_bb_; }

 private:
  Square C_;
  double magnitude_ = 0, rounding_ = 0, second_ = 0, third_ = 0, change_aa_ = 0, change_ab_ = 0, change_bb_ = 0;
};

struct TorusBox {
  double a = 0, b = 0;  // centre
  double half_width = 0;
};

// For boxes of half width h around the point of the jet: whether f has no zero there, and the sign that it has in all
// of the box, 0 where that is not certain.
bool stays_away(const TorusPolynomial& f, const Jet& jet, double h);
int sign_over(const TorusPolynomial& f, const Jet& slope, double h);

struct TorusSystem {
  TorusPolynomial f, g;
  std::vector<TorusPolynomial> alike;  // only zeros at which all of these have one strict sign are asked for
  // Whether none that is asked for lies in a box, by other means; for small boxes that remain undecided.
  std::function<bool(const TorusBox&)> refutes = {};
};

struct TorusZero {
  double a = 0, b = 0;
  bool proved = true;    // false: the equations hold to rounding, but the zero could not be isolated
  bool twofold = false;  // stands for two zeros that are one to rounding, and no others lie next to it
};

struct TorusZeros {
  std::vector<TorusZero> zeros;  // those asked for, and possibly others
  std::vector<TorusBox> open;    // boxes of which it is not known what they hold. None: the list is complete
  bool exhausted = false;        // the budget of boxes ended: a curve of zeros, or many close ones
  long boxes = 0;

  bool complete() const { return open.empty(); }
};

TorusZeros common_zeros(const TorusSystem& system);

}  // namespace painleve
