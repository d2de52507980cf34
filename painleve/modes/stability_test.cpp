#include "painleve/modes/stability.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/detail/response_matrices.hpp"

namespace painleve {
namespace stability_test {

TEST(Growth, OneContactInClosedForm) {
  // The eigenvalues printed for k = q = −1.
  struct Case {
    double P, rate, frequency;
  };
  for (const Case& c : {Case{0.75, -0.375, 0.7806247497997997}, Case{0.25, -0.125, 0.48412291827592707}, Case{2, -1, 1},
                        Case{4, -2, 0}, Case{-0.5, 1, 0}}) {
    const Growth g = growth(scalar(c.P), ones(1), ones(1));
    EXPECT_NEAR(g.rate, c.rate, 1e-15) << c.P;
    EXPECT_NEAR(g.frequency, c.frequency, 1e-15) << c.P;
  }
  EXPECT_NEAR(growth(scalar(-1), ones(1), ones(1)).rate, 1.618033988749895, 1e-15);
}

TEST(Growth, OneContactIsARootOfItsPolynomial) {
  Draws draws(1);
  for (int i = 0; i < 20000; ++i) {
    const double P = draws.normal();
    const double k = std::pow(10, draws.uniform(-4, 4));
    const double nu = std::pow(10, draws.uniform(-4, 4));
    const Growth g = growth(scalar(P), scalar(k), scalar(nu));
    const std::complex<double> s(g.rate, g.frequency);
    const double size = std::norm(s) + std::abs(P * nu) * std::abs(s) + std::abs(P * k);
    EXPECT_LT(std::abs(s * s + P * nu * s + P * k), 1e-13 * size) << i;
    // The other root is what the sum −Pν leaves; it is not to the right.
    EXPECT_LE(-P * nu - g.rate, g.rate * (1 + 1e-12) + 1e-12 * std::abs(P * nu)) << i;
    EXPECT_EQ(g.rate<0, P> 0) << i;
  }
}

TEST(Growth, ReferenceValuesOfTwoAndThreeContacts) {
  Eigen::Matrix3d P3;
  P3 << 1.0, 0.2, -0.1, 0.3, 0.8, 0.2, 0.0, -0.4, 1.1;
  EXPECT_NEAR(growth(P3, Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(0.5, 0.2, 1)).rate, -0.09431978771126925, 1e-12);
  Eigen::Matrix2d P2;
  P2 << 1.3, -0.4, 0.2, 0.9;
  EXPECT_NEAR(growth(P2, Eigen::Vector2d(1, 3), Eigen::Vector2d(0.2, 0.7)).rate, -0.14508220941305852, 1e-13);
  Eigen::Matrix2d fig15a;
  fig15a << -0.055, 0.088, 0.055, -0.036;
  const Growth a = growth(fig15a, ones(2), ones(2));
  EXPECT_NEAR(a.rate, 0.4029133317520137, 1e-14);
  EXPECT_EQ(a.frequency, 0);
  Eigen::Matrix2d fig15b;
  fig15b << 3.051, -1.677, 1.555, -0.375;
  EXPECT_NEAR(growth(fig15b, Eigen::Vector2d(1, 3), Eigen::Vector2d(1.2, 1.2)).rate, 0.024679739962682835, 1e-13);
  fig15b(1, 1) = -0.0375;  // as printed: would be stable
  EXPECT_NEAR(growth(fig15b, Eigen::Vector2d(1, 3), Eigen::Vector2d(1.2, 1.2)).rate, -0.13902355071500339, 1e-13);
}

TEST(Growth, DecidesAsHurwitzDoes) {
  Draws draws(2);
  int stable = 0;
  for (int i = 0; i < 20000; ++i) {
    Eigen::Matrix2d P;
    for (double& x : P.reshaped()) {
      x = draws.normal();
    }
    const Eigen::Vector2d k(std::exp(draws.normal()), std::exp(draws.normal()));
    const Eigen::Vector2d nu(std::exp(draws.normal()), std::exp(draws.normal()));
    const double rate = growth(P, k, nu).rate;
    if (std::abs(rate) < 1e-9) {
      continue;
    }
    EXPECT_EQ(rate < 0, stable_by_hurwitz(P, k, nu)) << i;
    EXPECT_EQ(stability_for(P, k, nu).verdict, rate < 0 ? "stable" : "unstable") << i;
    stable += rate < 0;
  }
  EXPECT_GT(stable, 1000);
}

TEST(Growth, ScalesWithTime) {
  Draws draws(3);
  for (int i = 0; i < 500; ++i) {
    const Eigen::MatrixXd P = drawn_gram(draws, 3, 3, 0.1);
    const Eigen::Vector3d k(draws.uniform(0.1, 3), draws.uniform(0.1, 3), draws.uniform(0.1, 3));
    const Eigen::Vector3d nu(draws.uniform(0.1, 3), draws.uniform(0.1, 3), draws.uniform(0.1, 3));
    const double rate = growth(P, k, nu).rate;
    EXPECT_LT(rate, 0) << i << ": energy of a symmetric P";
    // Stiffness times four and damping times two: everything twice as fast. Digits as the eigenvalue solver keeps them.
    EXPECT_NEAR(growth(P, 4 * k, 2 * nu).rate, 2 * rate, 1e-10 * P.norm()) << i;
  }
}

ContactMode mode(Letter letter, const Eigen::VectorXd& direction, int sign = 1) { return {letter, direction, sign}; }

TEST(FastMatrix, OneContact) {
  EXPECT_NEAR(fast_matrix(one_contact({1.0, 0.5, 1.0, 0, 0, 0, 2}), {mode(Letter::T, Eigen::VectorXd::Zero(1))})(0, 0),
              0.75, 1e-16);
  Draws draws(6);
  for (int i = 0; i < 1000; ++i) {
    const PlanarContact c = drawn_planar(draws, 0);
    const ContactSpace s = one_contact(c);
    const double stick = fast_matrix(s, {mode(Letter::T, Eigen::VectorXd::Zero(1))})(0, 0);
    EXPECT_NEAR(stick, c.W_nn - c.W_tn * c.W_tn / c.W_tt, 1e-14 * c.W_nn) << i;
    EXPECT_NEAR(fast_matrix(s, {mode(Letter::S, ones(1))})(0, 0), c.W_nn - c.mu * c.W_tn,
                1e-14 * (c.W_nn + c.mu * std::abs(c.W_tn)));
    EXPECT_NEAR(fast_matrix(s, {mode(Letter::S, -ones(1))})(0, 0), c.W_nn + c.mu * c.W_tn,
                1e-14 * (c.W_nn + c.mu * std::abs(c.W_tn)));
    EXPECT_NEAR(fast_matrix(s, {mode(Letter::S, ones(1), -1)})(0, 0), c.W_nn + c.mu * c.W_tn,
                1e-14 * (c.W_nn + c.mu * std::abs(c.W_tn)));
  }
  const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.1);
  const ContactSpace spatial = one_contact(W, Eigen::Vector3d::Zero(), Eigen::Vector2d::Zero(), 0.7);
  const Eigen::Vector2d h = W.topRightCorner<2, 1>();
  EXPECT_NEAR(fast_matrix(spatial, {mode(Letter::T, Eigen::Vector2d::Zero())})(0, 0),
              W(2, 2) - h.dot(W.topLeftCorner<2, 2>().inverse() * h), 1e-12);
  EXPECT_NEAR(fast_matrix(spatial, {mode(Letter::S, Eigen::Vector2d(0.6, 0.8))})(0, 0),
              W(2, 2) - 0.7 * h.dot(Eigen::Vector2d(0.6, 0.8)), 1e-13);
}

// Brute force for a word: apply a unit normal force at one contact, find the sticking friction by a solve of its own.
TEST(FastMatrix, MixedWordsByBruteForce) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(2, 4);
    Eigen::VectorXd mu(n);
    for (double& x : mu) {
      x = draws.uniform(0, 2);
    }
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * n, 2 * n, 0.1);
    const ContactSpace s = closed_contacts(2, W, Eigen::VectorXd::Zero(2 * n), Eigen::VectorXd::Zero(2 * n), mu);
    std::vector<ContactMode> word;
    std::vector<int> active;
    std::vector<int> stuck;
    for (int i = 0; i < n; ++i) {
      const int letter = draws.integer(0, 3);
      word.push_back(mode(letter == 0 ? Letter::F : (letter == 1 ? Letter::T : Letter::S),
                          Eigen::VectorXd::Constant(1, letter == 2 ? 1 : -1)));
      if (letter > 0) {
        active.push_back(i);
      }
      if (letter == 1) {
        stuck.push_back(i);
      }
    }
    if (active.empty()) {
      continue;
    }
    const Eigen::MatrixXd P = fast_matrix(s, word);
    ASSERT_EQ(P.rows(), static_cast<Eigen::Index>(active.size()));
    for (std::size_t j = 0; j < active.size(); ++j) {
      Eigen::VectorXd lambda = Eigen::VectorXd::Zero(2 * n);
      lambda(2 * active[j] + 1) = 1;
      if (word[static_cast<std::size_t>(active[j])].letter == Letter::S) {
        lambda(2 * active[j]) = -mu(active[j]) * word[static_cast<std::size_t>(active[j])].direction(0);
      }
      Eigen::MatrixXd A(stuck.size(), stuck.size());
      Eigen::VectorXd rhs(stuck.size());
      for (Eigen::Index r = 0; r < rhs.size(); ++r) {
        const int row = 2 * stuck[static_cast<std::size_t>(r)];
        rhs(r) = -W.row(row).dot(lambda);
        for (Eigen::Index c = 0; c < rhs.size(); ++c) {
          A(r, c) = W(row, 2 * stuck[static_cast<std::size_t>(c)]);
        }
      }
      if (!stuck.empty()) {
        const Eigen::VectorXd friction = A.fullPivLu().solve(rhs);
        for (Eigen::Index r = 0; r < rhs.size(); ++r) {
          lambda(2 * stuck[static_cast<std::size_t>(r)]) += friction(r);
        }
      }
      for (std::size_t i = 0; i < active.size(); ++i) {
        const double wanted = W.row(2 * active[i] + 1).dot(lambda);
        EXPECT_NEAR(P(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), wanted,
                    1e-11 * W.norm() * (1 + mu.maxCoeff()))
            << seed;
      }
    }
  }
}

// Springs under redundant contacts: compare with the body that stands on them.
TEST(GapSpace, RedundantSpringsAreThoseOfTheBody) {
  const Eigen::Vector3d x(-1, 0.2, 1);
  Eigen::MatrixXd J(6, 3);
  for (int i = 0; i < 3; ++i) {
    J.row(2 * i) << 1, 0, 0.5;
    J.row(2 * i + 1) << 0, 1, x(i);
  }
  const Eigen::Vector3d inverse_mass(1, 1, 1 / 0.64);
  const Eigen::MatrixXd W = J * inverse_mass.asDiagonal() * J.transpose();
  const ContactSpace s =
      closed_contacts(2, W, Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6), Eigen::Vector3d::Constant(0.4));
  const std::vector<ContactMode> slipping(3, mode(Letter::S, ones(1)));
  const Eigen::MatrixXd gaps = gap_space(s, slipping);
  ASSERT_EQ(gaps.cols(), 2);  // height and tilt
  const Eigen::MatrixXd P = fast_matrix(s, slipping);
  const Eigen::Vector3d k(1, 2, 3);
  const Eigen::Vector3d nu(0.5, 0.2, 1);
  // The body: height y and angle, forces λ_i = −k z_i − ν ż_i and friction −0.4 λ_i, lever arms x_i and 0.5.
  const auto rate_of_body = [&](const Eigen::VectorXd& stiffness, const Eigen::VectorXd& damping) {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A.topRightCorner<2, 2>().setIdentity();
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector2d arm(1, x(i));
      const Eigen::Vector2d push(1, (x(i) - 0.4 * 0.5) / 0.64);
      A.bottomLeftCorner<2, 2>() -= stiffness(i) * push * arm.transpose();
      A.bottomRightCorner<2, 2>() -= damping(i) * push * arm.transpose();
    }
    return A.eigenvalues().real().maxCoeff();
  };
  const double wanted = rate_of_body(k, nu);
  EXPECT_LT(wanted, -0.01);
  EXPECT_NEAR(growth(P, gaps, k, nu).rate, wanted, 1e-12);
  EXPECT_EQ(stability_for(P, gaps, k, nu).verdict, "stable");
  // For all springs it depends: heave and pitch feed each other when the centre of stiffness lies between the centre of
  // mass and the line of action of the contact force.
  const Stability all = stability_for_all(P, gaps, 400);
  ASSERT_EQ(all.verdict, "depends");
  EXPECT_LT(rate_of_body(all.witnesses[0].stiffness, all.witnesses[0].damping), 0);
  EXPECT_GT(rate_of_body(all.witnesses[1].stiffness, all.witnesses[1].damping), 0);
  EXPECT_NEAR(rate_of_body(all.witnesses[1].stiffness, all.witnesses[1].damping), all.witnesses[1].rate, 1e-9);
  EXPECT_EQ(gap_space(s, std::vector<ContactMode>(3, mode(Letter::T, ones(1)))).cols(), 2);
  // A contact whose tangent and normal move together cannot open while it sticks.
  EXPECT_EQ(gap_space(one_contact({0.4, 0.2, 0.1, 0, 0, 0, 1}), {mode(Letter::T, ones(1))}).cols(), 0);
}

}  // namespace stability_test
}  // namespace painleve
