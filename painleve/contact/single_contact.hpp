// One contact, as plain numbers: what the kernels take. Frame (t, n) in the plane, (t1, t2, n) in space; n points away
// from the surface. a = W λ + b is the contact acceleration, u the contact velocity, λ the force on the body.
#pragma once

#include <Eigen/Core>

namespace painleve {

struct PlanarContact {
  double W_tt, W_tn, W_nn;
  double b_t, b_n;
  double u_t;
  double mu;
};

struct SpatialContact {
  Eigen::Matrix2d W_tt;
  Eigen::Vector2d W_tn;
  double W_nn;
  Eigen::Vector2d b_t;
  double b_n;
  Eigen::Vector2d u_t;
  double mu;
};

}  // namespace painleve
