#include "painleve/modes/impact_without_collision.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"

namespace painleve {
namespace impact_without_collision_test {

std::set<std::string> possible(const std::vector<ImpactWithoutCollision>& words) {
  std::set<std::string> names;
  for (const auto& w : words) {
    if (w.possible) {
      EXPECT_TRUE(w.necessary) << w.name;
      EXPECT_TRUE(w.reason.empty()) << w.name;
      names.insert(w.name);
    } else {
      EXPECT_FALSE(w.reason.empty()) << w.name;
    }
  }
  return names;
}

Eigen::VectorXd ones(Eigen::Index n) { return Eigen::VectorXd::Ones(n); }

// Two planar contacts, the first slipping; W drawn so that p < 0 is common.
struct Drawn {
  ContactSpace space;
  Eigen::Vector2d k, nu;
};
Drawn drawn_pair(std::uint64_t seed) {
  Draws draws(seed);
  Eigen::MatrixXd J(4, 4);
  for (double& x : J.reshaped()) {
    x = draws.normal();
  }
  const Eigen::MatrixXd W = J * J.transpose();
  const Eigen::Vector2d mu(draws.uniform(0.2, 3), draws.uniform(0.2, 2));
  Drawn d;
  d.space = closed_contacts(2, W, Eigen::VectorXd::Zero(4), Eigen::Vector4d(1, 0, 0, 0), mu);
  d.k = {std::exp(draws.normal()), std::exp(draws.normal())};
  d.nu = {std::exp(draws.normal()), std::exp(draws.normal())};
  return d;
}

// The growing solution by another route: unit force at contact 1, force x at contact 2 whose friction is the projection
// of what would hold it onto its cone. Contact 1 fixes s by s²/(s ν1 + k1) = −a_n1; contact 2 asks s² x/(s ν2 + k2) +
// a_n2 = 0, a scalar equation in x that is scanned.
struct Motion {
  double a1, a2;
  char letter;  // T, + or -
};
Motion motion(const ContactSpace& s, double force1, double x) {
  const Eigen::MatrixXd& W = s.W;
  const double friction1 = -s.mu(0) * std::abs(force1);
  const double drive = W(2, 0) * friction1 + W(2, 1) * force1 + W(2, 3) * x;
  const double hold = -drive / W(2, 2);
  const double limit = s.mu(1) * x;
  const double friction2 = std::clamp(hold, -limit, limit);
  const Eigen::Vector4d lambda(friction1, force1, friction2, x);
  const Eigen::Vector4d a = W * lambda;
  return {a(1), a(3), std::abs(hold) <= limit ? 'T' : (hold < 0 ? '+' : '-')};
}
double rate_at(double a1, double force1, double k, double nu) {  // s² = p (s ν + k), p = −a1/force1 > 0
  const double p = -a1 / force1;
  return p > 0 ? p * nu / 2 + std::sqrt(p * p * nu * nu / 4 + p * k) : -1;
}

// Where a function of x > 0 changes sign, on the intervals where it is defined, their ends included.
template <class Function>
std::vector<double> sign_changes(const Function& f, bool& doubtful) {
  std::vector<double> roots;
  constexpr int points = 4000;
  const auto grid = [](int i) { return std::pow(10, -5 + 10.0 * i / points); };
  for (int i = 0; i < points; ++i) {
    double from = grid(i);
    double to = grid(i + 1);
    if (f(from).has_value() != f(to).has_value()) {  // up to the end of the interval of definition
      double in = f(from) ? from : to;
      double out = f(from) ? to : from;
      for (int j = 0; j < 60; ++j) {
        const double middle = (in + out) / 2;
        (f(middle) ? in : out) = middle;
      }
      (f(from) ? to : from) = in;
    }
    if (!f(from) || !f(to) || (*f(from) < 0) == (*f(to) < 0)) {
      continue;
    }
    const bool rising = *f(from) < 0;
    for (int j = 0; j < 60; ++j) {
      const double middle = (from + to) / 2;
      ((*f(middle) < 0) == rising ? from : to) = middle;
    }
    doubtful = doubtful || from < 1e-4 || from > 1e4;
    roots.push_back(from);
  }
  return roots;
}

std::set<std::string> by_scanning(const Drawn& d, bool& doubtful) {
  std::set<std::string> found;
  if (motion(d.space, 1, 0).a1 < 0 && motion(d.space, 1, 0).a2 > 0) {
    found.insert("IF");
  }
  const auto defect = [&](double x) -> std::optional<double> {
    const Motion m = motion(d.space, 1, x);
    const double s = rate_at(m.a1, 1, d.k(0), d.nu(0));
    return s > 0 ? std::optional(s * s * x / (s * d.nu(1) + d.k(1)) + m.a2) : std::nullopt;
  };
  for (const double x : sign_changes(defect, doubtful)) {
    const char letter = motion(d.space, 1, x).letter;
    found.insert(letter == 'T' ? "IT" : std::string("IS") + letter);
  }
  return found;
}

TEST(ImpactsBesideRest, AgreeWithScanning) {
  std::map<std::string, int> seen;
  int skipped = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const Drawn d = drawn_pair(seed);
    const ImpactWords words = impacts_without_collision(d.space, {Touch::slipping, Touch::resting}, d.k, d.nu);
    ASSERT_TRUE(words.reason.empty());
    EXPECT_EQ(words.words.size(), 4U);  // IF, IT, IS+, IS-
    bool doubtful = false;
    const auto wanted = by_scanning(d, doubtful);
    if (doubtful) {
      ++skipped;
      continue;
    }
    EXPECT_EQ(joined(possible(words.words)), joined(wanted)) << seed;
    for (const auto& name : wanted) {
      ++seen[name];
    }
  }
  for (const char* name : {"IF", "IT", "IS+", "IS-"}) {
    EXPECT_GE(seen[name], 20) << name;
  }
  EXPECT_LT(skipped, 150);
}

// A bilateral contact beside a slipping one: its force has either sign.
std::set<std::string> bilateral_by_scanning(const Drawn& d, bool& doubtful) {
  std::set<std::string> found;
  const auto accelerations = [&](double force1, double x) -> Eigen::Vector4d {
    const double e2 = d.space.u(2) > 0 ? 1 : -1;
    return d.space.W * Eigen::Vector4d(-d.space.mu(0) * std::abs(force1), force1, -d.space.mu(1) * std::abs(x) * e2, x);
  };
  for (const double force1 : {1.0, -1.0}) {
    for (const double sign : {1.0, -1.0}) {
      const auto defect = [&](double x) -> std::optional<double> {
        const Eigen::Vector4d a = accelerations(force1, sign * x);
        const double s = rate_at(a(1), force1, d.k(0), d.nu(0));
        return s > 0 ? std::optional(s * s * x / (s * d.nu(1) + d.k(1)) + sign * a(3)) : std::nullopt;
      };
      if (!sign_changes(defect, doubtful).empty()) {
        found.insert(std::string(force1 > 0 ? "I+" : "I-") + (sign > 0 ? "I+" : "I-"));
      }
    }
  }
  return found;
}

TEST(BilateralImpacts, TwoSlippingContactsByScanning) {
  std::map<std::string, int> seen;
  int skipped = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Drawn d = drawn_pair(seed);
    d.space.bilateral = {true, true};
    d.space.u(2) = seed % 2 == 0 ? 1 : -1;
    const ImpactWords words = impacts_without_collision(d.space, {Touch::slipping, Touch::slipping}, d.k, d.nu);
    bool doubtful = false;
    const auto wanted = bilateral_by_scanning(d, doubtful);
    if (doubtful) {
      ++skipped;
      continue;
    }
    EXPECT_EQ(joined(possible(words.words)), joined(wanted)) << seed;
    for (const auto& name : wanted) {
      ++seen[name];
    }
  }
  for (const char* name : {"I+I+", "I+I-", "I-I+", "I-I-"}) {
    EXPECT_GE(seen[name], 5) << name;
  }
  EXPECT_LT(skipped, 60);
}

TEST(BilateralImpacts, OneContact) {
  for (const double W_tn : {0.6, -0.6, 0.2}) {
    ContactSpace s = one_contact({1, W_tn, 0.5, 0, 0, 1, 2});
    s.bilateral = {true};
    const auto names = possible(impacts_without_collision(s, {Touch::slipping}, ones(1), ones(1)).words);
    // Pushing: p = W_nn − μ W_tn < 0; pulling, friction still opposes slip: W_nn + μ W_tn < 0.
    EXPECT_EQ(joined(names), W_tn == 0.6 ? "I+" : (W_tn == -0.6 ? "I-" : "")) << W_tn;
  }
}

// With all contacts slipping and unilateral, both entries agree.
TEST(ImpactWords, SlippingContactsByEitherEntry) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Draws draws(seed);
    const int n = draws.integer(1, 4);
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * n, 2 * n, 0.01);
    Eigen::VectorXd mu(n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * n);
    std::vector<ContactMode> modes;
    for (int i = 0; i < n; ++i) {
      mu(i) = draws.uniform(0.2, 3);
      u(2 * i) = draws.uniform(-1, 1);
      modes.push_back({Letter::S, Eigen::VectorXd::Constant(1, u(2 * i) > 0 ? 1 : -1), 1});
    }
    const ContactSpace s = closed_contacts(2, W, Eigen::VectorXd::Zero(2 * n), u, mu);
    const auto direct = impacts_without_collision(fast_matrix(s, modes), ones(n), ones(n));
    const auto words = impacts_without_collision(s, std::vector<Touch>(static_cast<std::size_t>(n), Touch::slipping),
                                                 ones(n), ones(n));
    ASSERT_EQ(direct.size(), words.words.size());
    for (std::size_t i = 0; i < direct.size(); ++i) {
      EXPECT_EQ(direct[i].name, words.words[i].name);
      EXPECT_EQ(direct[i].necessary, words.words[i].necessary) << seed << direct[i].name;
      EXPECT_EQ(direct[i].possible, words.words[i].possible) << seed << direct[i].name;
    }
  }
}

// Contacts that do not see each other do not stand in each other's way.
TEST(ImpactWords, UncoupledContacts) {
  Eigen::Matrix4d W = Eigen::Matrix4d::Zero();
  W.topLeftCorner<2, 2>() << 1, 0.6, 0.6, 0.5;
  W.bottomRightCorner<2, 2>() << 1, 0.1, 0.1, 0.5;
  ContactSpace s = closed_contacts(2, W, Eigen::VectorXd::Zero(4), Eigen::Vector4d(1, 0, 0, 0), Eigen::Vector2d(2, 1));
  EXPECT_EQ(joined(possible(impacts_without_collision(s, {Touch::slipping, Touch::resting}, ones(2), ones(2)).words)),
            "IF");
  s.bilateral[1] = true;
  s.u(2) = 1;
  EXPECT_EQ(joined(possible(impacts_without_collision(s, {Touch::slipping, Touch::slipping}, ones(2), ones(2)).words)),
            "IF");
}

TEST(ImpactWords, UncoupledFromAPair) {
  Eigen::Matrix3d P = Eigen::Matrix3d::Zero();
  P.topLeftCorner<2, 2>() << -1, 0.2, 0.3, -1;
  P(2, 2) = 1;
  const auto names = possible(impacts_without_collision(P, ones(3), ones(3)));
  EXPECT_EQ(joined(names), "FIF IFF IIF");
}

// Two feet of one body stick while a third contact slips: how they share the friction is not determined. The matrix of
// the word does not depend on their μ, so one rough foot must be able to hold what two can.
TEST(ImpactWords, RedundantStickSharesItsFriction) {
  int held = 0;
  int slipped = 0;
  for (std::uint64_t seed = 1; seed <= 3000 && held < 20; ++seed) {
    Draws draws(seed);
    const double height = draws.uniform(-1, 1);
    Eigen::MatrixXd J(6, 3);
    const double angle = draws.uniform(0, 6.28);
    J << std::sin(angle), -std::cos(angle), draws.normal(), std::cos(angle), std::sin(angle), draws.normal(),  //
        1, 0, height, 0, 1, draws.uniform(-2, 2), 1, 0, height, 0, 1, draws.uniform(-2, 2);
    const Eigen::MatrixXd W = J * Eigen::Vector3d(1, 1, draws.uniform(1, 10)).asDiagonal() * J.transpose();
    Eigen::VectorXd u = Eigen::VectorXd::Zero(6);
    u(0) = 1;
    const double mu = draws.uniform(0.5, 5);
    const auto holds = [&](double mu2, double mu3) {
      const ContactSpace s = closed_contacts(2, W, Eigen::VectorXd::Zero(6), u, Eigen::Vector3d(mu, mu2, mu3));
      const auto words =
          impacts_without_collision(s, {Touch::slipping, Touch::resting, Touch::resting}, ones(3), ones(3)).words;
      EXPECT_EQ(words.size(), 16U);
      return possible(words).count("ITT") > 0;
    };
    if (holds(50, 50)) {
      ++held;
      EXPECT_TRUE(holds(0, 1e4)) << seed;
      EXPECT_TRUE(holds(1e4, 0)) << seed;
      slipped += holds(0, 1e-3) ? 0 : 1;
    }
  }
  EXPECT_GE(held, 5);
  EXPECT_GE(slipped, 3) << "a cone that never binds would prove nothing";
}

TEST(ImpactWords, UndecidedCasesSayWhy) {
  Draws draws(1);
  const Eigen::MatrixXd W = drawn_gram(draws, 6, 6, 0.1);
  ContactSpace spatial =
      closed_contacts(3, W, Eigen::VectorXd::Zero(6), Eigen::VectorXd::Zero(6), Eigen::Vector2d(1, 1));
  spatial.u(0) = 1;
  EXPECT_FALSE(impacts_without_collision(spatial, {Touch::slipping, Touch::resting}, ones(2), ones(2)).reason.empty());
  EXPECT_TRUE(
      impacts_without_collision(spatial, {Touch::slipping, Touch::separating}, ones(2), ones(2)).reason.empty());
  EXPECT_TRUE(impacts_without_collision(spatial, {Touch::resting, Touch::resting}, ones(2), ones(2)).words.empty());
  Drawn d = drawn_pair(1);
  d.space.bilateral[1] = true;
  EXPECT_FALSE(impacts_without_collision(d.space, {Touch::slipping, Touch::resting}, d.k, d.nu).reason.empty());
}

// A contact that separates is F without any demand on it.
TEST(ImpactWords, SeparatingContactsStandAside) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Drawn d = drawn_pair(seed);
    const auto words = impacts_without_collision(d.space, {Touch::slipping, Touch::separating}, d.k, d.nu).words;
    ASSERT_EQ(words.size(), 1U);
    const double p = d.space.W(1, 1) - d.space.mu(0) * d.space.W(1, 0);
    EXPECT_EQ(words[0].possible, p < 0) << seed;
  }
}

// The units of mass do not matter: heavy bodies have small P.
TEST(ImpactWords, IndependentOfUnits) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Drawn d = drawn_pair(seed);
    ContactSpace heavy = d.space;
    heavy.W *= 1e-13;
    const std::vector<Touch> touches{Touch::slipping, Touch::resting};
    EXPECT_EQ(joined(possible(impacts_without_collision(d.space, touches, d.k, d.nu).words)),
              joined(possible(impacts_without_collision(heavy, touches, 1e13 * d.k, 1e13 * d.nu).words)))
        << seed;
  }
}

TEST(ImpactWords, TwelveSlippingContacts) {
  Draws draws(12);
  Eigen::MatrixXd P = drawn_gram(draws, 12, 12, 0.1);
  for (double& x : P.reshaped()) {
    x += 2 * draws.normal();
  }
  const auto words = impacts_without_collision(P, ones(12), ones(12));
  ASSERT_EQ(words.size(), 4095U);
  // One contact alone: by the signs of its column.
  for (const auto& w : words) {
    if (std::count(w.name.begin(), w.name.end(), 'I') != 1) {
      continue;
    }
    const auto hit = static_cast<Eigen::Index>(w.name.find('I'));
    bool wanted = P(hit, hit) < 0;
    for (Eigen::Index i = 0; i < 12; ++i) {
      wanted = wanted && (i == hit || P(i, hit) > 0);
    }
    EXPECT_EQ(w.possible, wanted) << w.name;
  }
}

}  // namespace impact_without_collision_test
}  // namespace painleve
