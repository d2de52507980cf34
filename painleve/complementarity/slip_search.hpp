// The directions in which one spatial contact at rest can begin to slip, without allocation: what slip_directions.hpp
// finds from the quartic, for sweeps that ask for it at every contact of every sweep.
//
//   g(φ) = e⊥ · (p(e) b_t − b_n (W_tn − μ W_tt e)) = c0 + c1 cos φ + s1 sin φ + c2 cos 2φ + s2 sin 2φ,   e = (cos φ,
//   sin φ)
//
// is looked at on a grid of the circle. A cell of width h is done when g cannot vanish in it, |g| > max|g″| h²/8 at
// both ends, or when g is monotone in it, |g′| > max|g‴| h²/8 there; else it is halved. So no root is overlooked, and a
// double root ends as "doubtful".
#pragma once

#include <Eigen/Core>
#include <array>

namespace painleve {

struct SlipForce {
  Eigen::Vector2d e;
  double lambda_n;
};

struct SlipForces {
  std::array<SlipForce, 4> list;
  int count = 0;
  bool doubtful = false;  // not all could be told apart: slip_directions() decides
};

// Forces that push (sign = 1) or pull (−1) with w_n = 0 and w_t = c e, c > 0. W is symmetric, b_n not zero.
SlipForces slip_forces(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, int sign);

// The one next to direction e, by Newton's method; count = 0 when it leads nowhere.
SlipForces slip_force_near(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu, const Eigen::Vector2d& e);

}  // namespace painleve
