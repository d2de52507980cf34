#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace painleve {

/// A function of time at one instant.
struct TimeValue {
  double value = 0.0;
  double rate = 0.0;  // d(value)/dt
};

/// A formula in the time t, such as "5*sin(2*pi*t) + step(t - 1)", for drives and loads that the user writes.
/// Immutable, cheap to copy and safe to evaluate from many threads.
///
///   sum     = product { (+|-) product }
///   product = signed { (*|/) signed }
///   signed  = (+|-) signed | power             so that -t^2 is -(t^2)
///   power   = primary [ ^ signed ]             so that 2^3^2 is 2^9, and 2^-1 is read
///   primary = number | t | pi | function(sum [, sum]) | (sum)
///
/// Functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs, step(x) = 0 for x < 0 and 1 else, and
/// min(a, b), max(a, b).
class Expression {
 public:
  /// The constant 0.
  Expression();

  /// Reads a formula; an InputError names the position, counted in bytes from 1, and the nearest known name. A formula
  /// without t must have a finite value.
  static Expression parse(std::string_view text);

  /// The formula that is one finite number.
  static Expression constant(double value);

  /// Value and exact derivative, by forward differentiation. At a kink the derivative is the one to the right, since
  /// time runs forward; the jump of `step` has the derivative 0. Where a factor of the chain rule is infinite but
  /// its argument is at rest, as in sqrt(max(0, t - 1)) for t < 1, the derivative is 0. Outside the domain of a
  /// function the result is not finite, and the caller has to say so.
  TimeValue at(double t) const;

  /// Whether t does not occur.
  bool constant() const;

  /// The formula as it was written; parsing it again gives the same function.
  std::string text() const;

 private:
  struct Program;
  explicit Expression(std::shared_ptr<const Program> program);

  std::shared_ptr<const Program> program_;
};

}  // namespace painleve
