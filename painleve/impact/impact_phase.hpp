// What an impact passes through, and how it ends.
#pragma once

namespace painleve {

// How the contact slides while the impulse grows; `slip` is the letter of space, where a direction has no sign.
enum class Slide { stick, slip_plus, slip_minus, slip };

struct ImpactPhase {
  Slide slide = Slide::stick;
  bool restitution = false;

  bool operator==(const ImpactPhase& other) const = default;
};

enum class ImpactOutcome {
  none,               // the contact does not approach and does not jam: nothing happens
  collision,          // u_n < 0 before
  without_collision,  // u_n = 0 before, in slip with p < 0
  locked,             // no normal impulse stops the approach: W does not move the contact along its normal
};

inline const char* to_string(const ImpactPhase& phase) {
  switch (phase.slide) {
    case Slide::stick:
      return phase.restitution ? "stick restitution" : "stick compression";
    case Slide::slip_plus:
      return phase.restitution ? "slip+ restitution" : "slip+ compression";
    case Slide::slip_minus:
      return phase.restitution ? "slip- restitution" : "slip- compression";
    case Slide::slip:
      break;
  }
  return phase.restitution ? "slip restitution" : "slip compression";
}

}  // namespace painleve
