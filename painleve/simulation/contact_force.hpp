// The force of one compliant contact, as a smooth function of gap and velocity in each of its phases.
//
// Along the normal (g the gap, u_n its rate):
//
//   phase       force                                    of the law
//   open        0
//   pressing    −k g − c u_n                             viscoelastic, kelvin-voigt, preclik, bilateral contacts
//               −k g (1 − c u_n)                         hunt-crossley
//               k |g|^{3/2} (1 − c u_n)                  hertz
//   relaxing    −k g                                     preclik while u_n > 0
//   pulling     as pressing, force < 0                   bilateral contacts
//
// Along the surface (u_t the slip, e its direction, s the stored deflection):
//
//   friction    in slip                                  else
//   none        0                                        –                        (a model that knows normals only)
//   coulomb     −μ λ_n e                                 stick: what keeps a_t = 0, up to μ_static λ_n
//   held        −μ λ_n e, e given                        –                        (slip that outlasts the fast motion)
//   viscous     −μ λ_n e, while γ |u_t| > μ λ_n          creep: −γ u_t            Preclik & Rüde (2011) eq. (22)
//   smoothed    −μ λ_n e, while |u_t| > w                creep: −μ λ_n u_t/w
//   elastic     −μ λ_n T/|T|, T = k_t s + c_t u_t        creep: −T, up to μ_static λ_n
//
// In creep the elastic deflection follows the surface, ṡ = u_t; in slip ṡ = u_t − w e keeps the force on the cone, with
// e = T/|T| and w = (|T| − μ λ_n)/c_t or, without a tangential damper, w = u_t·e − μ λ̇_n/k_t. Slip ends where w falls
// to 0. Without a damper, s is μ λ_n/k_t where slip begins, also below a larger μ_static, and where λ_n of a bilateral
// contact changes its sign s = 0 and w decides, for e along u_t, whether it goes on slipping.
//
// A phase ends where its event function falls through zero; nothing is clipped inside a phase.
#pragma once

#include <Eigen/Core>

#include "painleve/contact/contact_law.hpp"

namespace painleve {

enum class NormalPhase { open, pressing, relaxing, pulling };

struct NormalSpring {
  Compliance compliance = Compliance::viscoelastic;
  double stiffness = 1;
  double damping = 1;
  bool bilateral = false;  // a spring both ways, never open
};

struct NormalForce {
  double value = 0;
  double by_gap = 0, by_rate = 0;  // partial derivatives
};
NormalForce nonlinear_normal_force(const NormalSpring& spring, double gap, double rate);
double nonlinear_spring_force(const NormalSpring& spring, double gap);

inline bool has_linear_force(const NormalSpring& spring) {
  return spring.compliance != Compliance::hunt_crossley && spring.compliance != Compliance::hertz;
}

// Whether the damper is on and off by turns. One without force has no states.
inline bool has_switched_damper(const NormalSpring& spring) {
  return spring.compliance == Compliance::preclik && !spring.bilateral && spring.damping > 0;
}

// Here and not in the source: all that is simulated goes through these two.
inline NormalForce normal_force(const NormalSpring& spring, NormalPhase phase, double gap, double rate) {
  if (phase == NormalPhase::open) return {};
  if (!has_linear_force(spring)) return nonlinear_normal_force(spring, gap, rate);
  const double c = phase == NormalPhase::relaxing ? 0 : spring.damping;
  return {-spring.stiffness * gap - c * rate, -spring.stiffness, -c};
}

// The part of the force that the spring alone gives; the rest is the dashpot's.
inline double spring_force(const NormalSpring& spring, NormalPhase phase, double gap) {
  if (phase == NormalPhase::open) return 0;
  return has_linear_force(spring) ? spring.stiffness * -gap : nonlinear_spring_force(spring, gap);
}

// Energy in the spring [J]; 0 when open. A spring of the kelvin-voigt law is stretched when its contact closes above
// the surface.
double stored_energy(const NormalSpring& spring, NormalPhase phase, double gap);

// The largest force of the spring, without its damper, when a mass 1/w runs into it with this speed.
double collision_force(const NormalSpring& spring, double speed, double w);

// > 0 while the phase holds: an open contact has not landed, a closed one has not parted, a bilateral one has not
// changed from pushing to pulling.
double normal_event(const NormalSpring& spring, NormalPhase phase, double gap, double rate);

// > 0 while the damper of the preclik law keeps its state; 1 for all other laws. It lets go above the speed `lost`, up
// to which its force is lost in the errors of all others: a contact at rest keeps it.
double damper_event(const NormalSpring& spring, NormalPhase phase, double rate, double lost);

// The phase of a contact met at (gap, rate) with normal acceleration `acceleration` when it carries no force: where
// gap and rate leave it open (both 0, say), the acceleration decides.
NormalPhase normal_phase(const NormalSpring& spring, double gap, double rate, double acceleration);

enum class FrictionKind { none, coulomb, held, viscous, smoothed, elastic };

struct Friction {
  FrictionKind kind = FrictionKind::coulomb;
  double mu = 0;
  double mu_static = 0;
  double stiffness = 0;                                 // k_t
  double damping = 0;                                   // γ or c_t
  double smoothing = 0;                                 // w
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // of `held`
};

NormalSpring normal_spring(const ContactLaw& law, bool bilateral);
Friction friction(const ContactLaw& law, double smoothing);

}  // namespace painleve
