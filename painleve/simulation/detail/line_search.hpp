// The minimum of a function of one variable, and the point where one falls through zero. Both searches ask for one
// value at a time, so that the caller may stop early and keep what else it knows at a point.
#pragma once

#include <algorithm>
#include <cmath>

namespace painleve {

/// Golden section with parabolas through the three least values (Brent, Algorithms for Minimization without
/// Derivatives, 1973, ch. 5) on (low, high).
///
///   for (MinimumSearch search(low, high, resolution); !search.done(); search.put(f(search.next()))) {}
class MinimumSearch {
 public:
  MinimumSearch(double low, double high, double resolution)
      : low_(low), high_(high), resolution_(resolution), next_(low + kGolden * (high - low)) {}

  bool done() const { return done_; }
  double next() const { return next_; }

  void put(double value) {
    if (!started_) {
      best_ = second_ = third_ = {next_, value};
      started_ = true;
    } else {
      take({next_, value});
    }
    const double middle = 0.5 * (low_ + high_);
    done_ = std::abs(best_.at - middle) <= 2 * resolution_ - 0.5 * (high_ - low_);
    const double parabola = parabola_move();
    const bool trusted = std::abs(parabola) < 0.5 * std::abs(move_before_) &&
                         best_.at + parabola > low_ + resolution_ && best_.at + parabola < high_ - resolution_;
    move_before_ = trusted ? move_ : (best_.at < middle ? high_ : low_) - best_.at;
    move_ = trusted ? parabola : kGolden * move_before_;
    next_ = best_.at + (std::abs(move_) >= resolution_ ? move_ : std::copysign(resolution_, move_));
  }

 private:
  struct Value {
    double at = 0.0;
    double f = 0.0;
  };
  static constexpr double kGolden = 0.38196601125010515;  // (3 - √5)/2

  void take(Value value) {
    if (value.f <= best_.f) {
      (value.at >= best_.at ? low_ : high_) = best_.at;
      third_ = second_;
      second_ = best_;
      best_ = value;
      return;
    }
    (value.at < best_.at ? low_ : high_) = value.at;
    if (value.f <= second_.f || second_.at == best_.at) {
      third_ = second_;
      second_ = value;
    } else if (value.f <= third_.f || third_.at == best_.at || third_.at == second_.at) {
      third_ = value;
    }
  }

  // From the best point to the vertex of the parabola; not finite if there is none.
  double parabola_move() const {
    const double r = (best_.at - second_.at) * (best_.f - third_.f);
    const double q = (best_.at - third_.at) * (best_.f - second_.f);
    return ((best_.at - second_.at) * r - (best_.at - third_.at) * q) / (2 * (q - r));
  }

  double low_;
  double high_;
  double resolution_;
  double next_;
  double move_ = 0.0;
  double move_before_ = 0.0;
  bool started_ = false;
  bool done_ = false;
  Value best_;
  Value second_;
  Value third_;
};

/// A change of sign between two points, by inverse quadratic interpolation where it can be trusted and bisection else
/// (Chandrupatla, Advances in Engineering Software 28, 1997).
class RootSearch {
 public:
  RootSearch(double a, double f_a, double b, double f_b, double resolution)
      : a_(b), f_a_(f_b), b_(a), f_b_(f_a), c_(a), f_c_(f_a), resolution_(resolution) {}

  /// For ends so near that the function is straight between them: begins with the chord instead of the middle.
  static RootSearch along_chord(double a, double f_a, double b, double f_b, double resolution) {
    RootSearch search(a, f_a, b, f_b, resolution);
    const double least = std::min(0.5, 0.5 * resolution / std::abs(b - a));
    search.part_ = std::clamp(f_b / (f_b - f_a), least, 1 - least);
    return search;
  }

  bool done() const { return std::abs(b_ - a_) <= resolution_; }
  double next() const { return a_ + part_ * (b_ - a_); }

  void put(double value) {
    const double at = next();
    if ((value > 0) == (f_a_ > 0)) {
      c_ = a_;
      f_c_ = f_a_;
    } else {
      c_ = b_;
      f_c_ = f_b_;
      b_ = a_;
      f_b_ = f_a_;
    }
    a_ = at;
    f_a_ = value;
    // Half the resolution beyond the estimate, so that the next value is likely to lie on the other side of the root.
    const double least = std::min(0.5, 0.5 * resolution_ / std::abs(b_ - a_));
    part_ = std::clamp(quadratic_part(), least, 1 - least);
  }

 private:
  double quadratic_part() const {
    const double xi = (a_ - b_) / (c_ - b_);
    const double phi = (f_a_ - f_b_) / (f_c_ - f_b_);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) {
      return 0.5;
    }
    return f_a_ / (f_b_ - f_a_) * f_c_ / (f_b_ - f_c_) +
           (c_ - a_) / (b_ - a_) * f_a_ / (f_c_ - f_a_) * f_b_ / (f_c_ - f_b_);
  }

  double a_;  // the latest point; b_ is on the other side of the root, c_ the one before
  double f_a_;
  double b_;
  double f_b_;
  double c_;
  double f_c_;
  double resolution_;
  double part_ = 0.5;
};

}  // namespace painleve
