// For tests of impacts of whole states: options, drawn states, and what every outcome must obey.
#pragma once

#include <gtest/gtest.h>

#include "painleve/base/draws.hpp"
#include "painleve/contact/drawn_contacts.hpp"
#include "painleve/impact/impact.hpp"

namespace painleve::detail {

inline ImpactOptions with(SeveralImpacts several, double r, int contacts,
                          RestitutionLaw law = RestitutionLaw::energetic) {
  ImpactOptions o;
  o.several = several;
  o.laws.assign(static_cast<std::size_t>(contacts), BounceLaw{r, law, {}});
  return o;
}

// n contacts, W of a body with `freedoms`; the first approaches.
inline ContactSpace drawn_space(Draws& draws, int dimension, int n, int freedoms) {
  const Eigen::MatrixXd W = drawn_gram(draws, dimension * n, freedoms, freedoms < dimension * n ? 0 : 0.05);
  Eigen::VectorXd force(dimension * n);
  for (double& x : force) x = draws.normal();
  Eigen::VectorXd mu(n);
  for (double& x : mu) x = draws.uniform(0, 1.5);
  ContactSpace s =
      closed_contacts(dimension, W, Eigen::VectorXd::Zero(dimension * n), W * force, mu);  // u in the range of W
  return s;
}

// The balls of Newton's cradle: contact i between ball i and ball i + 1, masses 1, no tangential motion.
inline ContactSpace cradle(const Eigen::VectorXd& approach) {
  const Eigen::Index n = approach.size();
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    W(2 * i, 2 * i) = 1;
    W(2 * i + 1, 2 * i + 1) = 2;
    if (i > 0) W(2 * i + 1, 2 * i - 1) = W(2 * i - 1, 2 * i + 1) = -1;
    u(2 * i + 1) = -approach(i);
  }
  return closed_contacts(2, W, Eigen::VectorXd::Zero(2 * n), u, Eigen::VectorXd::Zero(n));
}

inline void expect_mechanics(const ContactSpace& s, const ImpactReport& r, double tolerance) {
  const double size = 1 + s.W.cwiseAbs().maxCoeff() * r.Lambda.norm();
  ASSERT_LT((s.u + s.W * r.Lambda - r.u_after).norm(), tolerance * size);
  for (int i = 0; i < s.count(); ++i) {
    const double Lambda_n = r.Lambda(s.normal(i));
    const double Lambda_t = r.Lambda.segment(s.tangent(i), s.dimension - 1).norm();
    if (s.bilateral[static_cast<std::size_t>(i)]) {
      ASSERT_NEAR(r.u_after(s.normal(i)), 0, tolerance * size);
      continue;
    }
    ASSERT_GE(Lambda_n, 0);
    ASSERT_LE(Lambda_t, s.mu(i) * Lambda_n + tolerance * size);
    if (r.ended && s.gap(i) == 0) {
      ASSERT_GE(r.u_after(s.normal(i)), -1e-9 - tolerance * size);
    }
  }
}

}  // namespace painleve::detail
