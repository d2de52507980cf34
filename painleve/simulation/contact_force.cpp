#include "painleve/simulation/contact_force.hpp"

#include <algorithm>
#include <cmath>

namespace painleve {
namespace {

// Depth and its power: x for hunt-crossley, x^{3/2} for hertz, continued as odd functions.
double depth_power(Compliance compliance, double x) {
  return compliance == Compliance::hertz ? x * std::sqrt(std::abs(x)) : x;
}
double depth_power_slope(Compliance compliance, double x) {
  return compliance == Compliance::hertz ? 1.5 * std::sqrt(std::abs(x)) : 1.0;
}

double default_damping(Compliance compliance, double stiffness) {
  switch (compliance) {
    case Compliance::viscoelastic:
    case Compliance::kelvin_voigt:
      return std::sqrt(stiffness);
    case Compliance::preclik:
      return stiffness;
    case Compliance::hunt_crossley:
    case Compliance::hertz:
      break;
  }
  return 1;
}

}  // namespace

// f = k h(−g) (1 − c u_n); a bilateral contact above the surface is the mirror image, with u_n → −u_n.
NormalForce nonlinear_normal_force(const NormalSpring& s, double gap, double rate) {
  const double mirror = s.bilateral && gap > 0 ? -1 : 1;
  const double damper = 1 - mirror * s.damping * rate;
  const double h = depth_power(s.compliance, -gap);
  return {s.stiffness * h * damper, -s.stiffness * depth_power_slope(s.compliance, gap) * damper,
          -mirror * s.stiffness * h * s.damping};
}

double nonlinear_spring_force(const NormalSpring& s, double gap) {
  return s.stiffness * depth_power(s.compliance, -gap);
}

double stored_energy(const NormalSpring& s, NormalPhase phase, double gap) {
  if (phase == NormalPhase::open) return 0;
  const double x = std::abs(gap);
  return s.stiffness * x * x * (s.compliance == Compliance::hertz ? 0.4 * std::sqrt(x) : 0.5);
}

double collision_force(const NormalSpring& s, double speed, double w) {
  // ½ u²/w is stored at the depth x: ½ k x², or ⅖ k x^{5/2}.
  if (s.compliance != Compliance::hertz) return std::abs(speed) * std::sqrt(s.stiffness / w);
  return s.stiffness * std::pow(speed * speed / (0.8 * s.stiffness * w), 0.6);
}

double normal_event(const NormalSpring& s, NormalPhase phase, double gap, double rate) {
  if (phase == NormalPhase::pulling) return -normal_force(s, phase, gap, rate).value;
  if (phase != NormalPhase::open) {
    // preclik's law asks for the gap alone; its force never pulls
    const bool by_gap = s.compliance == Compliance::preclik && !s.bilateral;
    return by_gap ? -s.stiffness * gap : normal_force(s, phase, gap, rate).value;
  }
  switch (s.compliance) {
    case Compliance::viscoelastic:
      return std::max(gap, gap + s.damping / s.stiffness * rate);
    case Compliance::kelvin_voigt:
      return gap + s.damping / s.stiffness * rate;
    case Compliance::preclik:
      return gap;
    case Compliance::hunt_crossley:
    case Compliance::hertz:
      break;
  }
  return std::max(gap, s.damping * rate - 1);
}

double damper_event(const NormalSpring& s, NormalPhase phase, double rate, double lost) {
  if (!has_switched_damper(s) || phase == NormalPhase::open) return 1;
  return phase == NormalPhase::relaxing ? rate : lost - rate;
}

NormalPhase normal_phase(const NormalSpring& s, double gap, double rate, double acceleration) {
  if (s.bilateral) {
    const double force = normal_force(s, NormalPhase::pressing, gap, rate).value;
    return force < 0 ? NormalPhase::pulling : NormalPhase::pressing;
  }
  double distance = normal_event(s, NormalPhase::open, gap, rate);
  if (distance == 0) distance = rate != 0 ? rate : acceleration;
  if (distance > 0) return NormalPhase::open;
  const bool relaxing = rate > 0 || (rate == 0 && acceleration > 0);
  return s.compliance == Compliance::preclik && relaxing ? NormalPhase::relaxing : NormalPhase::pressing;
}

NormalSpring normal_spring(const ContactLaw& law, bool bilateral) {
  constexpr double default_stiffness = 1e6;  // [N/m]
  const double k = law.stiffness.value_or(default_stiffness);
  return {law.compliance, k, law.damping.value_or(default_damping(law.compliance, k)), bilateral};
}

Friction friction(const ContactLaw& law, double smoothing) {
  Friction f;
  f.mu = law.mu;
  f.mu_static = law.mu_static.value_or(law.mu);
  if (law.tangential_stiffness) {
    f.kind = FrictionKind::elastic;
    f.stiffness = *law.tangential_stiffness;
    f.damping = law.tangential_damping.value_or(0);
  } else if (law.tangential_damping || law.compliance == Compliance::preclik) {
    f.kind = FrictionKind::viscous;
    f.damping = law.tangential_damping.value_or(normal_spring(law, false).stiffness);
  } else if (smoothing > 0) {
    f.kind = FrictionKind::smoothed;
    f.smoothing = smoothing;
  }
  return f;
}

}  // namespace painleve
