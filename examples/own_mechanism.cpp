// Question: can a walking stick jam when the hand pushes it forwards?
// Run:      build/release/bin/own_mechanism
// Answer:   at 60° with a hand of 1 kg and a stick of 0.5 kg it jams from mu = 0.8545 on; at mu = 1.1 the sliding stick
//           has no continuation at all.
#include <array>
#include <iostream>

#include "painleve/cone/friction_cone.hpp"
#include "painleve/mechanism/kinematic_mechanism.hpp"
#include "painleve/mechanism/reduction.hpp"
#include "painleve/modes/mode_table.hpp"

// A hand (x, y) and a stick that hangs from it, theta below the horizontal; the tip slides on the floor y = 0.
struct WalkingStick {
  static constexpr int degrees = 3;    // x, y, theta
  static constexpr int dimension = 2;  // planar
  double hand_mass = 1, stick_mass = 0.5, length = 1;

  template <class S>
  void describe(painleve::Sketch<S, 3>& sketch, std::span<const S> forces) const {
    const auto& [x, y, theta] = sketch.q;
    const auto [sin, cos] = sincos(theta);
    sketch.inertia(hand_mass, x, y);
    sketch.inertia(stick_mass, x + 0.5 * length * cos, y - 0.5 * length * sin);
    sketch.inertia(stick_mass * length * length / 12, theta);
    sketch.potential(9.81 * hand_mass * y + 9.81 * stick_mass * (y - 0.5 * length * sin));
    sketch.work(forces[0], x);                           // the push
    sketch.contact(x + length * cos, y - length * sin);  // along t, and the gap
  }
};

int main() {
  using namespace painleve;
  const KinematicMechanism<WalkingStick> stick({}, {"x", "y", "theta"}, {"tip"}, {Expression::constant(5)});
  const double theta = 1.0471975511965976, slip = 1;
  State state{Eigen::Vector3d(0, std::sin(theta), theta), Eigen::Vector3d(slip, 0, 0), 0};
  for (const double mu : {0.5, 1.1}) {
    const std::array<Surface, 1> floor{{{mu, false}}};
    const ContactSpace space = contact_space(stick, state, floor);
    std::cout << "mu " << mu << ": " << mode_table(space, {}).verdict << ", mu_jam " << *friction_cone(space, 0).mu_jam
              << "\n";
  }
}
