// Exact fractions, for problems with small whole numbers: where a tie is a tie.
#pragma once

#include <stdexcept>

namespace painleve::differential {

class Rational {
 public:
  Rational(long number = 0) : above_(number) {}  // NOLINT: a whole number is a fraction
  Rational(long above, long below) : Rational(reduced(above, below)) {}

  friend Rational operator+(const Rational& a, const Rational& b) {
    return reduced(a.above_ * b.below_ + b.above_ * a.below_, a.below_ * b.below_);
  }
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend Rational operator*(const Rational& a, const Rational& b) {
    return reduced(a.above_ * b.above_, a.below_ * b.below_);
  }
  friend Rational operator/(const Rational& a, const Rational& b) {
    return reduced(a.above_ * b.below_, a.below_ * b.above_);
  }
  Rational operator-() const { return reduced(-above_, below_); }
  friend bool operator==(const Rational& a, const Rational& b) { return a.above_ == b.above_ && a.below_ == b.below_; }
  int sign() const { return above_ > 0 ? 1 : above_ < 0 ? -1 : 0; }
  double value() const { return static_cast<double>(above_) / static_cast<double>(below_); }

 private:
  __extension__ using Whole = __int128;
  // Every operand is kept this small, so that no product overflows.
  static constexpr long bound = 1L << 62U;

  static Rational reduced(Whole above, Whole below) {
    if (below == 0) throw std::domain_error("division by zero");
    if (below < 0) {
      above = -above;
      below = -below;
    }
    Whole divisor = above < 0 ? -above : above;
    for (Whole rest = below; rest != 0;) {
      const Whole next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    Rational r;
    r.above_ = above / divisor;
    r.below_ = below / divisor;
    if (r.above_ > bound || r.above_ < -bound || r.below_ > bound)
      throw std::overflow_error("a fraction grew too large");
    return r;
  }

  Whole above_ = 0, below_ = 1;
};

}  // namespace painleve::differential
