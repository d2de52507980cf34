#include "painleve/modes/stability.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/detail/response_matrices.hpp"
#include "painleve/modes/detail/spring_witnesses.hpp"
#include "painleve/modes/two_contact_class.hpp"

namespace painleve {
namespace stability_for_all_test {

// Sampled over P: each class of directions has one answer.
TEST(ForAllSprings, TwoContactsByClass) {
  const std::set<std::string> always{"12", "42"};
  const std::set<std::string> depends{"13", "14", "23", "31", "41", "46"};
  std::map<std::string, int> seen;
  Draws draws(4);
  for (int i = 0; i < 6000; ++i) {
    Eigen::Matrix2d P;
    for (double& x : P.reshaped()) {
      x = draws.normal();
    }
    const std::string name = two_contact_class(P, Eigen::Vector2d(-1, -1)).substr(0, 2);
    ++seen[name];
    const Stability s = stability_for_all(P);
    const std::string wanted = always.count(name) ? "stable" : (depends.count(name) ? "depends" : "unstable");
    EXPECT_EQ(s.verdict, wanted) << name << "\n" << P;
    EXPECT_TRUE(s.proved) << name << "\n" << P;
    if (s.verdict == "depends") {
      ASSERT_EQ(s.witnesses.size(), 2U);
      for (const auto& w : s.witnesses) {
        EXPECT_TRUE((w.stiffness.array() > 0).all() && (w.damping.array() > 0).all());
      }
      EXPECT_TRUE(stable_by_hurwitz(P, s.witnesses[0].stiffness, s.witnesses[0].damping)) << name << "\n" << P;
      EXPECT_FALSE(stable_by_hurwitz(P, s.witnesses[1].stiffness, s.witnesses[1].damping)) << name << "\n" << P;
      EXPECT_LT(s.witnesses[0].rate, 0);
      EXPECT_GT(s.witnesses[1].rate, 0);
    } else {
      // No draw of springs contradicts the verdict.
      for (int k = 0; k < 5; ++k) {
        const Eigen::Vector2d stiffness(std::pow(10, draws.uniform(-3, 3)), std::pow(10, draws.uniform(-3, 3)));
        const Eigen::Vector2d damping(std::pow(10, draws.uniform(-3, 3)), std::pow(10, draws.uniform(-3, 3)));
        EXPECT_EQ(stable_by_hurwitz(P, stiffness, damping), s.verdict == "stable") << name << "\n" << P;
      }
    }
  }
  EXPECT_EQ(seen.size(), 24U);  // four quadrants times six sectors
}

TEST(ForAllSprings, BordersOfTheClasses) {
  const auto verdict = [](double p11, double p12, double p21, double p22) {
    Eigen::Matrix2d P;
    P << p11, p12, p21, p22;
    return stability_for_all(P);
  };
  EXPECT_EQ(verdict(1, 0, 0, 1).verdict, "stable");
  EXPECT_EQ(verdict(1, 5, 0, 1).verdict, "stable");
  EXPECT_EQ(verdict(1, 1, 1, 1).verdict, "unstable");  // det P = 0: one combination is not held
  EXPECT_EQ(verdict(0, 1, -1, 0).verdict, "unstable");
  const Stability zero = verdict(1, 1, -1, 0);
  EXPECT_EQ(zero.verdict, "depends");
  EXPECT_TRUE(zero.proved);
  EXPECT_EQ(stability_for_all(scalar(0)).verdict, "unstable");
  EXPECT_EQ(stability_for_all(scalar(0.1)).verdict, "stable");
  EXPECT_EQ(stability_for_all(Eigen::MatrixXd(0, 0)).verdict, "stable");
}

// Another route to the sign of the rate, without eigenvalues: the characteristic polynomial from the principal minors,
// det(s² + P diag(s ν + k)) = Σ_α s^{2(n−|α|)} det P_α Π_{i∈α} (s ν_i + k_i), and Routh's array.
std::vector<long double> characteristic_polynomial(const Eigen::MatrixXd& P, const Eigen::VectorXd& k,
                                                   const Eigen::VectorXd& nu) {
  const auto n = static_cast<unsigned>(P.rows());
  std::vector<long double> sum(2 * n + 1, 0);  // by power of s
  for (unsigned set = 0; set < (1U << n); ++set) {
    std::vector<int> list;
    std::vector<long double> product{1};
    for (unsigned i = 0; i < n; ++i) {
      if ((set >> i & 1U) == 0) {
        continue;
      }
      list.push_back(static_cast<int>(i));
      product.push_back(0);
      for (std::size_t j = product.size(); j-- > 0;) {
        product[j] = product[j] * k(i) + (j > 0 ? product[j - 1] * nu(i) : 0);
      }
    }
    using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    const Long block = P.cast<long double>()(list, list);
    const long double det = list.empty() ? 1 : block.fullPivLu().determinant();
    for (std::size_t j = 0; j < product.size(); ++j) {
      sum[j + 2 * (n - list.size())] += det * product[j];
    }
  }
  return sum;
}

bool stable_by_routh(const Eigen::MatrixXd& P, const Eigen::VectorXd& k, const Eigen::VectorXd& nu) {
  const std::vector<long double> c = characteristic_polynomial(P, k, nu);
  const std::size_t degree = c.size() - 1;
  std::vector<long double> upper;
  std::vector<long double> lower;
  for (std::size_t j = 0; j <= degree; ++j) {
    (j % 2 == 0 ? upper : lower).push_back(c[degree - j]);
  }
  for (std::size_t row = 0; row < degree; ++row) {
    if (lower.empty() || lower[0] <= 0) {
      return false;
    }
    std::vector<long double> next;
    for (std::size_t j = 1; j < upper.size(); ++j) {
      next.push_back(upper[j] - (j < lower.size() ? upper[0] * lower[j] / lower[0] : 0));
    }
    upper = lower;
    lower = next;
  }
  return true;
}

void expect_witnesses(const Eigen::MatrixXd& P, const Stability& s) {
  ASSERT_EQ(s.witnesses.size(), 2U);
  for (const auto& w : s.witnesses) {
    EXPECT_TRUE((w.stiffness.array() > 0).all() && (w.damping.array() > 0).all());
  }
  EXPECT_LT(s.witnesses[0].rate, 0) << P;
  EXPECT_GT(s.witnesses[1].rate, 0) << P;
  EXPECT_TRUE(stable_by_routh(P, s.witnesses[0].stiffness, s.witnesses[0].damping)) << P;
  EXPECT_FALSE(stable_by_routh(P, s.witnesses[1].stiffness, s.witnesses[1].damping)) << P;
}

TEST(ForAllSprings, TwoContactsWhereRoundingHidesTheRate) {
  for (const double scale : {1e-150, 1.0, 1e150}) {
    for (const double small : {1e-6, 1e-12, 1e-17}) {
      Eigen::Matrix2d P;
      P << 1, small, -small, 1;
      const Stability weak = stability_for_all(scale * P);
      EXPECT_EQ(weak.verdict, "depends");
      ASSERT_EQ(weak.witnesses.size(), 2U);
      // Equal contacts: F = −w² small² + ν² w D T, without the cancellation of the form above.
      const Eigen::Vector2d k = scale * weak.witnesses[1].stiffness;
      const Eigen::Vector2d nu = scale * weak.witnesses[1].damping;
      ASSERT_EQ(k(0), k(1));
      ASSERT_EQ(nu(0), nu(1));
      EXPECT_LT(nu(0) * nu(0) * (1 + small * small), k(0) * small * small) << small;
      // Unequal ones, at springs that make them equal: k1 p11 = k2 p22, and again nothing cancels.
      P << 1, small, -small, 4;
      const Stability unequal = stability_for_all(scale * P);
      EXPECT_EQ(unequal.verdict, "depends");
      const Eigen::Vector2d stiff = scale * unequal.witnesses[1].stiffness;
      const Eigen::Vector2d damped = scale * unequal.witnesses[1].damping;
      ASSERT_EQ(stiff(0), 4 * stiff(1));
      const double w = stiff(0) * damped(1) + stiff(1) * damped(0);
      EXPECT_LT(damped(0) * damped(1) * (4 + small * small) * (damped(0) + 4 * damped(1)), w * small * small) << small;
      P << small, 1, -2, -1;
      const Stability lopsided = stability_for_all(P);
      EXPECT_EQ(lopsided.verdict, "depends");
      EXPECT_TRUE(stable_by_hurwitz(P, lopsided.witnesses[0].stiffness, lopsided.witnesses[0].damping)) << small;
    }
  }
}

// A contact that hardly resists its own force does so all the same: the springs that show the growth are large for it.
TEST(ForAllSprings, TwoContactsOfWhichOneHardlyResists) {
  for (const double little : {1e-9, 1e-11, 1e-13}) {
    Eigen::Matrix2d P;
    P << 1, 1, -1e-3, little;
    const Stability s = stability_for_all(P);
    EXPECT_EQ(s.verdict, "depends");
    expect_witnesses(P, s);
  }
}

// A body on a flat floor moves in two ways along the normals, lift and tilt: whatever the friction, minors of three and
// more of its slipping legs are zero, and of one leg the sign of p.
TEST(MinorSigns, OfMoreLegsThanFreedomsAreZero) {
  constexpr int n = 6;
  const Eigen::MatrixXd gaps = Eigen::MatrixXd::Identity(n, n);
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Draws draws(seed);
    const double height = draws.uniform(0.1, 2);
    const double turns = draws.uniform(0.3, 5);  // of the body per moment
    const double mu = draws.uniform(0, 3);
    Eigen::VectorXd x(n);
    for (double& at : x) {
      at = draws.uniform(-1, 1);
    }
    Eigen::MatrixXd P(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        P(i, j) = 1 + turns * x(i) * x(j) - mu * turns * x(i) * height;
      }
    }
    const std::vector<int> signs = minor_signs({P, gaps});
    for (Set set = 1; set < signs.size(); ++set) {
      if (std::popcount(set) > 2) {
        EXPECT_EQ(signs[set], 0) << seed << " " << set;
      }
      if (std::popcount(set) == 1) {
        const double p = P(members(set)[0], members(set)[0]);
        EXPECT_EQ(signs[set], p > 0 ? 1 : -1) << seed << " " << set;
      }
    }
  }
}

TEST(ForAllSprings, EnergyOfScaledSymmetricMatrices) {
  Draws draws(5);
  for (int i = 0; i < 100; ++i) {
    const int n = draws.integer(3, 6);
    Eigen::VectorXd left(n);
    Eigen::VectorXd right(n);
    for (int j = 0; j < n; ++j) {
      left(j) = std::exp(draws.normal());
      right(j) = std::exp(draws.normal());
    }
    const Eigen::MatrixXd P = left.asDiagonal() * drawn_gram(draws, n, n, 0.1) * right.asDiagonal();
    const Stability s = stability_for_all(P);
    EXPECT_EQ(s.verdict, "stable") << P;
    EXPECT_TRUE(s.proved) << P;
  }
}

TEST(ForAllSprings, ThreeContactsByStructure) {
  const auto verdict = [](const Eigen::Matrix3d& P) {
    const Stability s = stability_for_all(P);
    if (s.verdict == "depends") {
      expect_witnesses(P, s);
    }
    return s.verdict + (s.proved ? "" : "?");
  };
  Eigen::Matrix3d P = Eigen::Matrix3d::Identity();
  P(2, 2) = -1;
  EXPECT_EQ(verdict(P), "unstable");
  P << 1, 2, 0, -2, 1, 0, 0, 0, 1;  // contacts 1 and 2 couple as in class 41, contact 3 stands aside
  EXPECT_EQ(verdict(P), "depends");
  P << 1, 5, 2, 0, 2, 1, 0, 1, 1;  // block triangular with symmetric blocks
  EXPECT_EQ(verdict(P), "stable");
  P << 3, 1, 0, 0, 3, 1, 1, 0, 3;  // a one-way ring: no pair feeds itself, but two do while the third is held
  EXPECT_EQ(verdict(P), "depends");
  P << 0, 1, -1, -1, 0, 2, 2, -1, 0;  // all p_ii = 0: the growth rates add up to zero
  EXPECT_EQ(verdict(P), "unstable");
  P << 1, -2, -2, -2, 1, -2, -2, -2, 1;  // det P = −27 < 0, the other minors being of either sign
  EXPECT_EQ(verdict(P), "unstable");
  // All p_ii > 0 and det P > 0, but no minors of two: a coefficient has terms of both signs, and no springs are found.
  P << 1, 2, 2, 2, 1, 2, 2, 2, 1;
  EXPECT_EQ(verdict(P), "unstable?");
  P << 1, 0.1, 0.2, 0.1, 1, 0.3, 0.2, 0.3001, 1;  // nearly symmetric, the frequencies of a triple can coincide
  EXPECT_EQ(verdict(P), "depends");
  P << 1, 1, 1, 1, 2, 3, 1, 3.0001, 6;  // nearly Pascal's: all minors positive, frequencies never coincide
  EXPECT_EQ(verdict(P), "stable?");
  P << 1, 0, 0.5, 1, -0.01, 1, 0, -1, -0.01;  // no nest of positive minors, yet springs that hold it exist
  EXPECT_EQ(verdict(P), "depends");
}

// Without any search: nests of positive minors give stable springs, rings and held contacts unstable ones.
TEST(ForAllSprings, WitnessesByStructureAlone) {
  const auto alone = [](const Eigen::MatrixXd& P) {
    return stability_for_all(P, Eigen::MatrixXd::Identity(P.rows(), P.rows()), 0);
  };
  Eigen::Matrix3d ring;
  ring << 3, 1, 0, 0, 3, 1, 1, 0, 3;
  EXPECT_EQ(alone(ring).verdict, "depends");
  int nests = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Draws draws(seed);
    Eigen::Matrix4d P;
    for (double& x : P.reshaped()) {
      x = draws.normal();
    }
    bool nest = false;
    std::vector<int> order{0, 1, 2, 3};
    do {
      bool positive = true;
      for (std::size_t r = 1; r <= 4; ++r) {
        const std::vector<int> head(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(r));
        const Eigen::MatrixXd block = P(head, head);
        positive = positive && block.determinant() > 1e-6;
      }
      nest = nest || positive;
    } while (std::next_permutation(order.begin(), order.end()));
    if (nest) {
      ++nests;
      EXPECT_NE(alone(P).verdict, "unstable") << seed << "\n" << P;
    }
  }
  EXPECT_GT(nests, 100);
  // All p_ii > 0 and det P > 0, but no positive minor of two or three contacts: the coefficient of s⁵ is never
  // positive.
  Eigen::Matrix4d P;
  P << 1, 3, 1.1, 1.1, 3, 1, 1.1, 1.1, 1.1, 1.1, 1, 3, 1.1, 1.1, 3, 1;
  EXPECT_GT(P.determinant(), 1);
  EXPECT_EQ(alone(P).verdict, "unstable");
  EXPECT_TRUE(alone(P).proved);
}

// Whatever is claimed for all springs holds for drawn ones; what depends shows both.
TEST(ForAllSprings, DrawnMatricesAgainstDrawnSprings) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(3, 5);
    Eigen::MatrixXd P = seed % 2 == 0 ? drawn_gram(draws, n, n, 0.1) : Eigen::MatrixXd::Zero(n, n);
    for (double& x : P.reshaped()) {
      x += 0.8 * draws.normal();
    }
    const Stability s = stability_for_all(P);
    ++seen[s.verdict + (s.proved ? "" : "?")];
    if (s.verdict == "depends") {
      expect_witnesses(P, s);
      continue;
    }
    for (int i = 0; i < 200; ++i) {
      Eigen::VectorXd k(n);
      Eigen::VectorXd nu(n);
      for (int j = 0; j < n; ++j) {
        k(j) = std::pow(10, draws.uniform(-3, 3));
        nu(j) = std::pow(10, draws.uniform(-3, 3));
      }
      const Growth g = growth(P, Eigen::MatrixXd::Identity(n, n), k, nu);
      if (std::abs(g.rate) > g.rounding) {
        EXPECT_EQ(g.rate < 0, s.verdict == "stable") << seed << "\n" << P;
      }
    }
  }
  EXPECT_GT(seen["depends"], 50);
  EXPECT_GT(seen["unstable"], 50);
}

TEST(ForAllSprings, NoContactAtAll) {
  EXPECT_EQ(stability_for_all(Eigen::MatrixXd::Identity(3, 3), Eigen::MatrixXd(3, 0), 10).verdict, "stable");
  EXPECT_EQ(stability_for(Eigen::MatrixXd::Identity(3, 3), Eigen::MatrixXd(3, 0), ones(3), ones(3)).verdict, "stable");
}

}  // namespace stability_for_all_test
}  // namespace painleve
