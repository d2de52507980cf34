#include "painleve/modes/tangential_stability.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"

namespace painleve {
namespace tangential_stability_test {

ContactMode stick(int tangents = 1) { return {Letter::T, Eigen::VectorXd::Zero(tangents), 1}; }
ContactMode slip(double e) { return {Letter::S, Eigen::VectorXd::Constant(1, e), 1}; }

struct Word {
  ContactSpace space;
  std::vector<ContactMode> modes;
  ContactSprings springs;
};
Word drawn_word(std::uint64_t seed) {
  Draws draws(seed);
  const int n = draws.integer(1, 4);
  Word w;
  Eigen::VectorXd mu(n);
  w.springs.stiffness.resize(n);
  w.springs.damping.resize(n);
  for (int i = 0; i < n; ++i) {
    mu(i) = draws.uniform(0, 2);
    w.springs.stiffness(i) = draws.uniform(0.3, 3);
    w.springs.damping(i) = draws.uniform(0.3, 3);
    const int letter = draws.integer(0, 3);
    w.modes.push_back(letter == 0 ? ContactMode{Letter::F, Eigen::VectorXd::Zero(1), 1}
                                  : (letter == 1 ? slip(draws.uniform() < 0.5 ? 1 : -1) : stick()));
  }
  w.modes[0] = stick();
  w.springs.tangential_stiffness = Eigen::VectorXd::Ones(n);
  w.springs.tangential_damping = Eigen::VectorXd::Ones(n);
  w.space = closed_contacts(2, drawn_gram(draws, 2 * n, 2 * n, 0.2), Eigen::VectorXd::Zero(2 * n),
                            Eigen::VectorXd::Zero(2 * n), mu);
  return w;
}

// Stiff tangential springs hold a_t = 0: the growth rate tends to that of the eliminated matrix, with an error of order
// 1/k_t when ν_t = √k_t.
TEST(TangentialSprings, StiffLimitIsStick) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Word w = drawn_word(seed);
    const Eigen::MatrixXd P = fast_matrix(w.space, w.modes);
    std::vector<int> loaded;
    for (int i = 0; i < w.space.count(); ++i) {
      if (w.modes[static_cast<std::size_t>(i)].letter != Letter::F) {
        loaded.push_back(i);
      }
    }
    const Eigen::VectorXd k = w.springs.stiffness(loaded);
    const Eigen::VectorXd nu = w.springs.damping(loaded);
    const double limit = growth(P, k, nu).rate;
    double errors[2];
    for (int j = 0; j < 2; ++j) {
      const double stiff = j == 0 ? 1e4 : 1e6;
      w.springs.tangential_stiffness.setConstant(stiff);
      w.springs.tangential_damping.setConstant(std::sqrt(stiff));
      errors[j] = std::abs(growth(w.space, w.modes, w.springs).rate - limit);
    }
    EXPECT_LT(errors[1], 1e-2 * (1 + std::abs(limit))) << seed;
    if (errors[0] > 1e-6) {
      ++compared;
      EXPECT_LT(errors[1], 0.03 * errors[0]) << seed;
    }
  }
  EXPECT_GT(compared, 30);
}

// The matrix of the dynamics by brute force: push one spring after the other and read off the accelerations.
TEST(TangentialSprings, ResponseByBruteForce) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Word w = drawn_word(seed);
    const ContactSpace& s = w.space;
    std::vector<int> rows;
    for (const bool tangents : {false, true}) {
      for (int i = 0; i < s.count(); ++i) {
        const Letter letter = w.modes[static_cast<std::size_t>(i)].letter;
        if (letter == Letter::F || (tangents && letter == Letter::S)) {
          continue;
        }
        rows.push_back(tangents ? s.tangent(i) : s.normal(i));
      }
    }
    const SpringDynamics d = spring_dynamics(s, w.modes, w.springs);
    ASSERT_EQ(d.R.rows(), static_cast<Eigen::Index>(rows.size()));
    for (std::size_t j = 0; j < rows.size(); ++j) {
      Eigen::VectorXd lambda = Eigen::VectorXd::Zero(s.W.rows());
      lambda(rows[j]) = 1;
      const int contact = rows[j] / 2;
      const ContactMode& mode = w.modes[static_cast<std::size_t>(contact)];
      if (mode.letter == Letter::S) {
        lambda(s.tangent(contact)) = -s.mu(contact) * mode.direction(0);
      }
      const Eigen::VectorXd a = s.W * lambda;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_NEAR(d.R(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), a(rows[i]), 1e-12 * s.W.norm());
      }
    }
  }
}

// One sticking contact on springs: s⁴ + … of a 2×2 symmetric mass problem, always stable; and slip beside it may not
// be.
TEST(TangentialSprings, VerdictsForGivenAndAllSprings) {
  const ContactSpace one = one_contact({1.0, 0.5, 1.0, 0, 0, 0, 2});
  const ContactSprings springs{Eigen::VectorXd::Constant(1, 2), Eigen::VectorXd::Constant(1, 0.3),
                               Eigen::VectorXd::Constant(1, 5), Eigen::VectorXd::Constant(1, 0.1)};
  const Growth g = growth(one, {stick()}, springs);
  EXPECT_LT(g.rate, 0);
  // It is a root of det(s² + R diag(k + s ν)) = 0.
  const std::complex<double> s(g.rate, g.frequency);
  Eigen::Matrix2cd Z = s * s * Eigen::Matrix2cd::Identity();
  Eigen::Matrix2d R;
  R << 1.0, 0.5, 0.5, 1.0;
  Z += R.cast<std::complex<double>>() * Eigen::Vector2cd(2.0 + 0.3 * s, 5.0 + 0.1 * s).asDiagonal();
  EXPECT_LT(std::abs(Z.determinant()), 1e-12);
  EXPECT_EQ(stability_for(one, {stick()}, springs).verdict, "stable");
  const Stability all = stability_for_all_springs(one, {stick()});
  EXPECT_EQ(all.verdict, "stable");
  EXPECT_TRUE(all.proved);
  EXPECT_EQ(stability_for_all_springs(one, {slip(1)}).verdict, "unstable") << "p = 1 − 2 · 0.5 = 0";
  EXPECT_EQ(stability_for_all_springs(one, {slip(-1)}).verdict, "stable");
}

// Springs under the feet of a body, redundant ones included, against the body itself.
TEST(TangentialSprings, RedundantFeetAreThoseOfTheBody) {
  Eigen::MatrixXd J(6, 3);
  const Eigen::Vector3d x(-1, 0.2, 1);
  for (int i = 0; i < 3; ++i) {
    J.row(2 * i) << 1, 0, 0.5;
    J.row(2 * i + 1) << 0, 1, x(i);
  }
  const Eigen::Vector3d inverse_mass(1, 1, 1 / 0.64);
  const ContactSpace s = closed_contacts(2, J * inverse_mass.asDiagonal() * J.transpose(), Eigen::VectorXd::Zero(6),
                                         Eigen::VectorXd::Zero(6), Eigen::Vector3d::Constant(0.4));
  const ContactSprings springs{Eigen::Vector3d(1, 2, 3), Eigen::Vector3d(0.5, 0.2, 1), Eigen::Vector3d(2, 1, 4),
                               Eigen::Vector3d(0.3, 0.6, 0.1)};
  Eigen::VectorXd k(6);
  Eigen::VectorXd nu(6);
  for (int i = 0; i < 3; ++i) {
    k.segment<2>(2 * i) << springs.tangential_stiffness(i), springs.stiffness(i);
    nu.segment<2>(2 * i) << springs.tangential_damping(i), springs.damping(i);
  }
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6, 6);
  A.topRightCorner(3, 3).setIdentity();
  A.bottomLeftCorner(3, 3) = -(inverse_mass.asDiagonal() * J.transpose() * k.asDiagonal() * J);
  A.bottomRightCorner(3, 3) = -(inverse_mass.asDiagonal() * J.transpose() * nu.asDiagonal() * J);
  const double wanted = A.eigenvalues().real().maxCoeff();
  EXPECT_NEAR(growth(s, std::vector<ContactMode>(3, stick()), springs).rate, wanted, 1e-12);
}

// One planar contact: stick with p± > 0 attracts iff it lies inside its friction cone.
TEST(TangentialStability, OnePlanarContact) {
  Draws draws(1);
  int stable = 0;
  int outside = 0;
  for (int i = 0; i < 5000; ++i) {
    const PlanarContact c = drawn_planar(draws, 0);
    const double p_plus = c.W_nn - c.mu * c.W_tn;
    const double p_minus = c.W_nn + c.mu * c.W_tn;
    const TangentialStability t = tangential_stability(one_contact(c));
    if (t.stable.has_value() && !*t.stable) {
      Eigen::Matrix2d W;
      W << c.W_tt, c.W_tn, c.W_tn, c.W_nn;
      const Eigen::Vector2d force = -W.inverse() * Eigen::Vector2d(c.b_t, c.b_n);
      EXPECT_TRUE(force(1) <= 0 || std::abs(force(0)) >= c.mu * force(1) * (1 - 1e-12)) << i;
      ++outside;
      continue;
    }
    if (p_plus <= 0 || p_minus <= 0) {
      EXPECT_FALSE(t.stable.has_value()) << i;
      continue;
    }
    // The accelerations on both sides of u = 0 point back to it.
    const double after_plus = c.b_t + (c.mu * c.W_tt - c.W_tn) * c.b_n / p_plus;
    const double after_minus = c.b_t - (c.mu * c.W_tt + c.W_tn) * c.b_n / p_minus;
    EXPECT_LT(after_plus, 0) << i;
    EXPECT_GT(after_minus, 0) << i;
    ASSERT_TRUE(t.stable && *t.stable) << i << t.reason;
    const double schur = c.W_tt - c.W_tn * c.W_tn / c.W_nn;
    EXPECT_NEAR(*t.reserve, std::min(-after_plus, after_minus) / schur, 1e-10 * (1 + *t.reserve)) << i;
    ++stable;
  }
  EXPECT_GT(stable, 300);
  EXPECT_GT(outside, 300);
}

// Spatial: the acceleration along every sampled direction of slip points back whenever stability is claimed, and the
// claim is not made where one does not.
TEST(TangentialStability, OneSpatialContact) {
  Draws draws(2);
  int stable = 0;
  int undecided = 0;
  for (int i = 0; i < 3000; ++i) {
    const Eigen::Matrix3d W = drawn_gram(draws, 3, 3, 0.1);
    const Eigen::Vector3d b(draws.normal(), draws.normal(), -1 - draws.uniform());
    const double mu = draws.uniform(0.1, 2);
    const TangentialStability t = tangential_stability(one_contact(W, b, Eigen::Vector2d::Zero(), mu));
    const Eigen::Vector3d force = -W.inverse() * b;
    if ((t.stable && !*t.stable) || W(2, 2) <= mu * W.topRightCorner<2, 1>().norm()) {
      continue;
    }
    double least = std::numeric_limits<double>::infinity();
    for (int j = 0; j < 720; ++j) {
      const Eigen::Vector2d e(std::cos(j * std::numbers::pi / 360), std::sin(j * std::numbers::pi / 360));
      const double p = W(2, 2) - mu * W.topRightCorner<2, 1>().dot(e);
      const double lambda_n = -b(2) / p;
      least = std::min(least, mu * lambda_n + e.dot(force.head<2>()));
    }
    if (t.stable) {
      EXPECT_GE(least, *t.reserve * (1 - 1e-12)) << i;
      ++stable;
    } else {
      EXPECT_LT(least, 1e-3) << i;
      ++undecided;
    }
  }
  EXPECT_GT(stable, 200);
  EXPECT_GT(undecided, 5);
}

// A body on two feet, whose frictions are shared in any way: it is at rest, and stays so when pushed along the floor.
TEST(TangentialStability, TwoFeetOfABody) {
  const auto body = [](double height, double mu, double push) {
    Eigen::MatrixXd J(4, 3);
    J << 1, 0, height, 0, 1, -1, 1, 0, height, 0, 1, 1;
    const Eigen::Vector3d inverse_mass(1, 1, 2);
    const Eigen::Vector3d load(push, -10, 0);
    return closed_contacts(2, J * inverse_mass.asDiagonal() * J.transpose(), J * load, Eigen::VectorXd::Zero(4),
                           Eigen::Vector2d::Constant(mu));
  };
  // Force balance: friction −push in all, and the feet share weight and moment about the centre.
  const auto stick_force = [](double height, double push, double share) {
    const double moment = push * height;  // of the friction −push at height h: the feet must supply N2 − N1 = push h
    return Eigen::Vector4d(-push * share, (10 - moment) / 2, -push * (1 - share), (10 + moment) / 2);
  };
  const ContactSpace s = body(0.5, 0.6, 2);
  const Eigen::Vector4d force = stick_force(0.5, 2, 0.5);
  ASSERT_LT((s.W * force + s.b).norm(), 1e-12);
  EXPECT_FALSE(tangential_stability(s).stable.has_value()) << "forces not determined";
  const TangentialStability t = tangential_stability(s, force);
  ASSERT_TRUE(t.stable && *t.stable) << t.reason;
  EXPECT_GT(*t.reserve, 0);
  // Both feet slip together: the body as one mass with friction μ N on each. By hand, λ_n of foot i in slip to the
  // right solves N1 + N2 = 10, N2 − N1 = −(−μ (N1 + N2)) h, and to the left the mirror image.
  double least = std::numeric_limits<double>::infinity();
  for (const int e : {1, -1}) {
    const double difference = e * 0.6 * 10 * 0.5;
    const double N1 = (10 - difference) / 2;
    const double N2 = (10 + difference) / 2;
    least = std::min({least, 0.6 * N1 + e * force(0), 0.6 * N2 + e * force(2)});
  }
  EXPECT_NEAR(*t.reserve, least, 1e-12);
  // Feet that pull against each other: slipping apart, foot 2 would lack friction, but no motion does that.
  const TangentialStability strained = tangential_stability(s, stick_force(0.5, 2, -0.6));
  ASSERT_TRUE(strained.stable && *strained.stable) << strained.reason;
  EXPECT_NEAR(*strained.reserve, 0.7, 1e-12);  // 0.6 · 6.5 − 3.2
  // A foot that carries more friction than its share of the reserve leaves the question open; outside the cone it is
  // no.
  EXPECT_FALSE(tangential_stability(s, stick_force(0.5, 2, 1.2)).stable.has_value());
  EXPECT_LT(*tangential_stability(s, stick_force(0.5, 2, 1.2)).reserve, 0);
  EXPECT_FALSE(*tangential_stability(body(0.5, 0.1, 2), force).stable);
  // A tall body would tip in slip: a foot opens.
  const TangentialStability tall = tangential_stability(body(3, 0.6, 0.1), stick_force(3, 0.1, 0.5));
  EXPECT_FALSE(tall.stable.has_value());
  EXPECT_NE(tall.reason.find("closed"), std::string::npos);
}

// Contacts that no motion can make slip.
TEST(TangentialStability, NothingCanSlip) {
  Eigen::MatrixXd J(4, 2);  // a point mass in a corner
  J << 1, 0, 0, 1, 0, 1, 1, 0;
  const Eigen::MatrixXd W = J * J.transpose();
  const Eigen::Vector4d force(0, 1, 0, 1);
  const ContactSpace s = closed_contacts(2, W, -W * force, Eigen::VectorXd::Zero(4), Eigen::Vector2d(0.5, 0.5));
  const TangentialStability t = tangential_stability(s, force);
  ASSERT_TRUE(t.stable && *t.stable) << t.reason;
  EXPECT_FALSE(t.reserve);
}

}  // namespace tangential_stability_test
}  // namespace painleve
