// The rod that slides on its lower end, in the time stepping of others: one contact, the same mass, length, friction
// and step. In space the rod is a thin capsule on a plane, turned about the y axis by theta from the x axis down.
//
// Each engine is there when its package was found: see CMakeLists.txt.
#pragma once

#include <memory>

namespace painleve {

struct SlidingRod {
  double theta = 1.0471975511965976, slip = -4;  // at the start, without rotation
  double mu = 1, gravity = 9.81;
  double dt = 1e-3;
  int steps = 200;  // it slides all the while

  // Mass 1, half length 1, moments of inertia 1/3.
  static constexpr double inertia = 1.0 / 3;
  static constexpr double capsule_radius = 0.01;
};

class SteppingPeer {
 public:
  virtual ~SteppingPeer() = default;
  virtual void reset() = 0;  // to the start
  virtual void step() = 0;
  virtual double theta() const = 0;  // after the last step
};

// The step's contact problem assembled by hand, as W and q, and solved by Siconos' Lemke method for planar friction.
std::unique_ptr<SteppingPeer> siconos_rod(const SlidingRod& rod);
std::unique_ptr<SteppingPeer> bullet_rod(const SlidingRod& rod);
std::unique_ptr<SteppingPeer> ode_rod(const SlidingRod& rod);
std::unique_ptr<SteppingPeer> mujoco_rod(const SlidingRod& rod);
std::unique_ptr<SteppingPeer> box2d_rod(const SlidingRod& rod);
std::unique_ptr<SteppingPeer> simbody_rod(const SlidingRod& rod);

}  // namespace painleve
