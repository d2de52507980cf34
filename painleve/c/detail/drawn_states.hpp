// States for the tests of this folder, as the C structure and as a ContactSpace: drawn at random, and drawn from small
// whole numbers so that boundaries and families are common.
#pragma once

#include "painleve/base/draws.hpp"
#include "painleve/c/painleve.h"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {

inline painleve_contacts to_c(const ContactSpace& s, double tolerance_gap, double tolerance_velocity) {
  painleve_contacts c{};
  c.count = s.count();
  c.tolerance_gap = tolerance_gap;
  c.tolerance_velocity = tolerance_velocity;
  for (int i = 0; i < 2 * c.count; ++i) {
    c.b[i] = s.b(i);
    c.drift[i] = s.drift(i);
    c.u[i] = s.u(i);
    for (int j = 0; j < 2 * c.count; ++j) {
      c.W[i][j] = s.W(i, j);
    }
  }
  for (int i = 0; i < c.count; ++i) {
    c.gap[i] = s.gap(i);
    c.mu[i] = s.mu(i);
    c.bilateral[i] = s.bilateral[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return c;
}

// Bodies with `freedoms` degrees of freedom: fewer than 2 count make W singular.
inline ContactSpace drawn_state(Draws& draws, int count, int freedoms) {
  const Eigen::Index n = 2 * count;
  Eigen::VectorXd b(n);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd mu(count);
  Eigen::MatrixXd J(n, freedoms);
  for (Eigen::Index i = 0; i < J.size(); ++i) {
    J(i) = draws.normal();
  }
  Eigen::VectorXd push(freedoms);
  for (Eigen::Index i = 0; i < freedoms; ++i) {
    push(i) = draws.normal();
  }
  b = J * push;  // what forces do to the bodies: within reach of the contacts
  for (int i = 0; i < count; ++i) {
    u(2 * i) = draws.integer(-1, 1) * draws.uniform(0.1, 2);
    mu(i) = draws.uniform(0, 2.5);
  }
  return closed_contacts(2, J * J.transpose(), b, u, mu);
}

inline ContactSpace whole_number_state(Draws& draws, int count) {
  const Eigen::Index n = 2 * count;
  const Eigen::Index freedoms = draws.integer(1, 4);
  Eigen::MatrixXd J(n, freedoms);
  for (Eigen::Index i = 0; i < J.size(); ++i) {
    J(i) = draws.integer(-1, 1);
  }
  Eigen::VectorXd push(freedoms);
  for (Eigen::Index i = 0; i < freedoms; ++i) {
    push(i) = draws.integer(-1, 1);
  }
  Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd mu(count);
  for (int i = 0; i < count; ++i) {
    u(2 * i) = draws.integer(-1, 1);
    u(2 * i + 1) = draws.integer(0, 5) == 0 ? 1 : 0;
    mu(i) = draws.integer(0, 4) / 2.0;
  }
  ContactSpace s = closed_contacts(2, J * J.transpose(), J * push, u, mu);
  for (int i = 0; i < count; ++i) {
    s.bilateral[static_cast<std::size_t>(i)] = draws.integer(0, 5) == 0;
    if (draws.integer(0, 7) == 0) {
      s.gap(i) = 0.5;
    }
  }
  return s;
}

}  // namespace painleve
