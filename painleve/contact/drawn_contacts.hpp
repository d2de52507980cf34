// Contact spaces for tests.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/contact/contact_space.hpp"

namespace painleve {

// Closed, unilateral contacts c1, c2, … without normal velocity.
inline ContactSpace closed_contacts(int dimension, const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                    const Eigen::VectorXd& u, const Eigen::VectorXd& mu) {
  ContactSpace s;
  s.dimension = dimension;
  s.W = W;
  s.b = b;
  s.u = u;
  s.mu = mu;
  s.drift = Eigen::VectorXd::Zero(b.size());
  s.gap = Eigen::VectorXd::Zero(mu.size());
  s.bilateral.assign(static_cast<std::size_t>(mu.size()), false);
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    s.names.push_back("c" + std::to_string(i + 1));
  }
  return s;
}

inline ContactSpace one_contact(const PlanarContact& c) {
  Eigen::Matrix2d W;
  W << c.W_tt, c.W_tn, c.W_tn, c.W_nn;
  return closed_contacts(2, W, Eigen::Vector2d(c.b_t, c.b_n), Eigen::Vector2d(c.u_t, 0),
                         Eigen::VectorXd::Constant(1, c.mu));
}

inline ContactSpace one_contact(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, const Eigen::Vector2d& u_t,
                                double mu) {
  return closed_contacts(3, W, b, Eigen::Vector3d(u_t.x(), u_t.y(), 0), Eigen::VectorXd::Constant(1, mu));
}

// W regular with a coupling up to 0.98 of what is possible, so that p < 0 and k < 0 are common; `slip` is −1, 0 or 1.
inline PlanarContact drawn_planar(Draws& draws, int slip) {
  PlanarContact c{};
  c.W_tt = std::exp(draws.uniform(-1, 1));
  c.W_nn = std::exp(draws.uniform(-1, 1));
  c.W_tn = draws.uniform(-0.98, 0.98) * std::sqrt(c.W_tt * c.W_nn);
  c.b_t = 2 * draws.normal();
  c.b_n = draws.normal();
  c.u_t = slip * draws.uniform(0.1, 3);
  c.mu = draws.uniform(0.02, 3);
  return c;
}

inline Eigen::MatrixXd drawn_gram(Draws& draws, int size, int freedoms, double added) {
  Eigen::MatrixXd J(size, freedoms);
  for (Eigen::Index i = 0; i < J.size(); ++i) {
    J(i) = draws.normal();
  }
  return J * J.transpose() + added * Eigen::MatrixXd::Identity(size, size);
}

}  // namespace painleve
