// Spatial contact problems for tests, and what must hold of every set of solutions.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/contact/drawn_contacts.hpp"

namespace painleve {

inline ContactProblem resting(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, const Eigen::VectorXd& mu) {
  ContactProblem p;
  p.dimension = 3;
  p.W = W;
  p.q = q;
  p.mu = mu;
  p.bilateral.assign(static_cast<std::size_t>(mu.size()), false);
  p.law.assign(static_cast<std::size_t>(mu.size()), Law::resting);
  p.slip = Eigen::MatrixXd::Zero(2, mu.size());
  return p;
}

inline Eigen::VectorXd normals(Draws& draws, int size) {
  Eigen::VectorXd v(size);
  for (auto& x : v) {
    x = draws.normal();
  }
  return v;
}

// Weakly definite, so that p < 0 is common.
inline ContactProblem drawn(Draws& draws, int count) {
  const Eigen::MatrixXd W = drawn_gram(draws, 3 * count, draws.integer(3, 3 * count), std::exp(draws.uniform(-6, -1)));
  Eigen::VectorXd mu(count);
  for (auto& x : mu) {
    x = draws.uniform(0.05, 3);
  }
  ContactProblem p = resting(W, normals(draws, 3 * count), mu);
  for (int i = 0; i < count; ++i) {
    p.q.segment<2>(3 * i) *= 2;
  }
  return p;
}

inline std::multiset<std::string> words(const ContactSolutions& set) {
  std::multiset<std::string> list;
  for (const auto& s : set.solutions) {
    list.insert(s.mode);
  }
  return list;
}

inline const ContactSolution* find(const ContactSolutions& set, const std::string& mode, const Eigen::VectorXd& r,
                                   double tolerance) {
  for (const auto& s : set.solutions) {
    if (s.mode == mode && (s.r - r).norm() <= tolerance * (1 + r.norm())) {
      return &s;
    }
  }
  return nullptr;
}

// What must hold of every set, whatever the problem. Each law is written out once more, apart from the certificate.
inline void expect_sound(const ContactProblem& p, const ContactSolutions& set, const std::string& where) {
  for (const auto& s : set.solutions) {
    EXPECT_LT(s.residual, 1e-10) << where << " " << s.mode;
    EXPECT_EQ(s.residual, law_residual(p, s.r, s.w)) << where;
    ASSERT_EQ(static_cast<int>(s.contacts.size()), p.count()) << where;
    for (int i = 0; i < p.count(); ++i) {
      const ContactMode& m = s.contacts[static_cast<std::size_t>(i)];
      const Eigen::Vector2d r_t = s.r.segment<2>(3 * i);
      const Eigen::Vector2d w_t = s.w.segment<2>(3 * i);
      const double r_n = s.r(3 * i + 2);
      if (m.letter == Letter::F) {
        EXPECT_EQ(s.r.segment<3>(3 * i), Eigen::Vector3d::Zero()) << where;
        continue;
      }
      EXPECT_EQ(s.w(3 * i + 2), 0) << where << " " << s.mode;
      EXPECT_GE(m.force_sign * r_n, 0) << where << " " << s.mode;
      if (m.letter == Letter::T) {
        EXPECT_EQ(w_t, Eigen::Vector2d::Zero()) << where << " " << s.mode;
      } else {
        EXPECT_NEAR(m.direction.norm(), 1, 1e-14) << where;
        EXPECT_LT((r_t + p.mu(i) * std::abs(r_n) * m.direction).norm(), 1e-11 * (1 + std::abs(r_n) * p.mu(i))) << where;
        if (p.law[static_cast<std::size_t>(i)] == Law::resting) {
          EXPECT_GT(w_t.norm(), 0) << where;
          EXPECT_LT((w_t - w_t.norm() * m.direction).norm(), 1e-9 * (p.q.norm() + p.W.norm() * s.r.norm())) << where;
        }
      }
    }
  }
  for (const auto& rejected : set.rejected) {
    EXPECT_FALSE(rejected.reason.empty()) << where << " " << rejected.mode;
    EXPECT_EQ(words(set).count(rejected.mode), 0U) << where;
  }
}

}  // namespace painleve
