// The account of one impact while its normal impulse grows: when compression ends, and when the law ends the
// restitution. It knows nothing of tangential motion; whoever integrates the velocity asks it for the next end.
//
// In space the slip direction may turn in restitution so that p < 0 and u_n falls to zero once more. Then a second
// compression begins, and what it stores is added to what is left to give back: r² of its work (energetic) or r of its
// impulse (Poisson). Newton's law asks for u_n = −r u_n⁻ in any case.
#pragma once

#include <cmath>
#include <limits>

#include "painleve/modes/chatter_reach.hpp"

namespace painleve::detail {

class ImpactLedger {
 public:
  ImpactLedger(const BounceLaw& law, double u_n) : law_(law), newton_(-law.restitution * u_n) {}

  bool restitution() const { return restitution_; }
  bool ended() const { return ended_; }
  double Lambda() const { return Lambda_; }
  double Lambda_compression() const { return Lambda_compression_; }
  double work() const { return work_; }
  double work_compression() const { return work_compression_; }

  // What is left of the present phase at u_n; it ends when this falls to zero.
  double left(double u_n) const {
    if (!restitution_) return -u_n;
    return law_.law == RestitutionLaw::newton ? newton_ - u_n : give_back_;
  }

  // The impulse to the end of the present phase along a straight line u_n + slope Λ; infinite when it has none.
  double to_end(double u_n, double slope) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (!restitution_) return slope > 0 ? -u_n / slope : never;
    const double fall = slope < 0 ? -u_n / slope : never;
    switch (law_.law) {
      case RestitutionLaw::energetic: {
        const double square = u_n * u_n + 2 * slope * give_back_;
        if (square < 0) return fall;
        const double sum = u_n + std::sqrt(square);
        return sum > 0 ? 2 * give_back_ / sum : never;
      }
      case RestitutionLaw::poisson:
        return std::fmin(give_back_, fall);
      case RestitutionLaw::newton:
        break;
    }
    return slope > 0 ? (newton_ - u_n) / slope : fall;
  }

  // Books an impulse with the work of its normal part.
  void add(double Lambda, double work) {
    Lambda_ += Lambda;
    work_ += work;
    const bool works = law_.law == RestitutionLaw::energetic;
    const double r = law_.restitution;
    if (restitution_) {
      give_back_ -= works ? work : Lambda;
    } else {
      work_compression_ += work;
      Lambda_compression_ += Lambda;
      give_back_ += works ? -r * r * work : r * Lambda;
    }
  }

  // The present phase ends here. `fell`: u_n fell to zero in restitution.
  void end_phase(bool fell) {
    if (!restitution_) {
      restitution_ = true;
      ended_ = law_.restitution == 0 || (law_.law == RestitutionLaw::newton && newton_ == 0);
    } else if (fell) {
      restitution_ = false;
    } else {
      ended_ = true;
    }
  }

  // The impact ends here, whatever is left.
  void stop() { ended_ = true; }

 private:
  BounceLaw law_;
  double newton_;         // the u_n at which Newton's law ends the impact
  double give_back_ = 0;  // work (energetic) or impulse (Poisson) that the restitution still has to give
  double Lambda_ = 0, work_ = 0, Lambda_compression_ = 0, work_compression_ = 0;
  bool restitution_ = false;
  bool ended_ = false;
};

}  // namespace painleve::detail
