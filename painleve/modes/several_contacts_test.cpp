// Several planar contacts: redundant ones, words against laws that know the answer, and mixtures of open and closed.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/complementarity/certificate.hpp"
#include "painleve/complementarity/solution_set.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/mode_table.hpp"

namespace painleve {
namespace several_contacts_test {

// A planar body of mass 1 and radius of gyration 0.8 on legs of height h at x, on a slope.
ContactSpace legs(const std::vector<double>& x, double h, double mu, double slope) {
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd J(2 * n, 3);
  for (Eigen::Index i = 0; i < n; ++i) {
    J.row(2 * i) << 1, 0, h;
    J.row(2 * i + 1) << 0, 1, x[static_cast<std::size_t>(i)];
  }
  const Eigen::Matrix3d inverse_mass = Eigen::Vector3d(1, 1, 1 / 0.64).asDiagonal();
  const Eigen::Vector3d force(9.81 * std::sin(slope), -9.81 * std::cos(slope), 0);
  return closed_contacts(2, J * inverse_mass * J.transpose(), J * inverse_mass * force, Eigen::VectorXd::Zero(2 * n),
                         Eigen::VectorXd::Constant(n, mu));
}

void expect_certified(const ModeTable& table) {
  for (const auto& entry : table.modes) {
    if (entry.consistent) {
      EXPECT_LT(entry.residual, 1e-11) << entry.name;
    }
  }
}

const ModeEntry& entry_named(const ModeTable& table, const std::string& name) {
  const auto found =
      std::find_if(table.modes.begin(), table.modes.end(), [&](const auto& e) { return e.name == name; });
  if (found == table.modes.end()) {
    throw std::runtime_error("no mode " + name);
  }
  return *found;
}

// A contact with two motions stays one beside a contact that it knows nothing of, whatever that one carries.
TEST(SeveralContacts, ALargeLoadBesideHidesNoParadox) {
  Eigen::Matrix4d W = Eigen::Matrix4d::Identity();
  W.topLeftCorner<2, 2>() << 2.5, 1.5, 1.5, 2.5;
  for (const double load : {1.0, 1e6, 1e10, 1e11}) {
    const ContactSpace s =
        closed_contacts(2, W, Eigen::Vector4d(0, 1, 0, -load), Eigen::Vector4d(1, 0, 0, 0), Eigen::Vector2d(2, 0.5));
    const ModeTable table = mode_table(s, {});
    EXPECT_EQ(table.verdict, "indeterminate") << load;
    EXPECT_TRUE(entry_named(table, "FT").consistent) << load;
    EXPECT_TRUE(entry_named(table, "S+T").consistent) << load;
    EXPECT_EQ(all_solutions(acceleration_problem(s, {}).problem).solutions.size(), 2U) << load;
  }
}

TEST(RedundantLegs, ATableOnThreeLegsIsNoParadox) {
  Draws draws(3);
  for (int k = 0; k < 200; ++k) {
    const double left = -draws.uniform(0.3, 2);
    const double right = draws.uniform(0.3, 2);
    const ContactSpace s =
        legs({left, draws.uniform(left, right), right}, draws.uniform(0.1, 2), draws.uniform(0.05, 1), 0);
    const ModeTable table = mode_table(s, {});
    EXPECT_EQ(table.verdict, "unique") << k;
    EXPECT_EQ(table.force_family_dimension, 3) << k;  // six forces, three equations
    EXPECT_EQ(table.motion_family_dimension, 0) << k;
    EXPECT_TRUE(table.complete) << k;
    const ModeEntry& all = entry_named(table, "TTT");
    EXPECT_TRUE(all.consistent) << k;
    EXPECT_EQ(all.stability.verdict, "stable") << k;
    EXPECT_TRUE(all.stability.proved) << k;
    EXPECT_LT(all.growth->rate, 0) << k;
    EXPECT_NEAR((*all.lambda)(1) + (*all.lambda)(3) + (*all.lambda)(5), 9.81, 1e-11) << k;
    EXPECT_EQ(table.continuations, std::vector<std::string>{"TTT"}) << k;
    EXPECT_EQ(table.resolution, "one") << k;
    expect_certified(table);
  }
}

// Ten digits of a load are as many as one knows: a leg that would lift by less is on the floor with the others.
TEST(RedundantLegs, ALoadKnownToTenDigitsIsNoParadox) {
  for (const double lift : {1e-13, 1e-12, 1e-11, 1e-10}) {
    for (int leg = 0; leg < 3; ++leg) {
      ContactSpace s = legs({-1, 0.2, 1}, 0.5, 0.6, 0);
      s.b(s.normal(leg)) += 9.81 * lift;
      const ModeTable table = mode_table(s, {});
      EXPECT_EQ(table.verdict, "unique") << lift << " " << leg;
      EXPECT_GE(table.consistent_modes().size(), 2U) << lift << " " << leg;
    }
  }
}

TEST(RedundantLegs, WithoutFrictionOnlyTheNormalForcesAreFree) {
  const ModeTable table = mode_table(legs({-1, 0.2, 1}, 0.5, 0, 0), {});
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_TRUE(entry_named(table, "TTT").consistent);
  EXPECT_EQ(table.force_family_dimension, 1);  // three forces, two equations
  EXPECT_EQ(table.motion_family_dimension, 0);
  expect_certified(table);
}

TEST(RedundantLegs, EveryWordOfLegsThatCanCarryTheBodyIsFound) {
  const std::vector<double> x{-1, -0.2, 0.3, 1};
  const ModeTable table = mode_table(legs(x, 0.5, 0.5, 0), {});
  for (unsigned word = 0; word < 16; ++word) {
    std::string name;
    double least = 9;
    double most = -9;
    int feet = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const bool carries = word >> i & 1U;
      name += carries ? 'T' : 'F';
      feet += carries;
      least = carries ? std::min(least, x[i]) : least;
      most = carries ? std::max(most, x[i]) : most;
    }
    const bool stands = least < 0 && most > 0;  // around the centre of mass
    const ModeEntry& entry = entry_named(table, name);
    EXPECT_EQ(entry.consistent, stands) << name << " " << entry.reason;
    EXPECT_EQ(entry.force_family_dimension, stands ? 2 * feet - 3 : 0) << name;
    EXPECT_EQ(entry.boundary && stands, stands && feet < 4) << name;
  }
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.continuations, std::vector<std::string>{"TTTT"});
}

TEST(RedundantLegs, ASteepSlopeMakesAllOfThemSlip) {
  const double slope = 0.4;
  const double mu = 0.3;  // tan(0.4) = 0.42
  const ModeTable table = mode_table(legs({-1, 0.2, 1}, 0.2, mu, slope), {});
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.motion_family_dimension, 0);
  EXPECT_EQ(table.force_family_dimension, 1);
  const ModeEntry& slip = entry_named(table, "S+S+S+");
  EXPECT_TRUE(slip.consistent) << slip.reason;
  EXPECT_NEAR((*slip.a)(0), 9.81 * (std::sin(slope) - mu * std::cos(slope)), 1e-12);
  // Springs can be chosen so that sliding on three legs flutters; both claims are checked on the gaps that the body
  // has.
  EXPECT_EQ(slip.stability.verdict, "depends");
  ASSERT_EQ(slip.stability.witnesses.size(), 2U);
  const ContactSpace space = legs({-1, 0.2, 1}, 0.2, mu, slope);
  const Eigen::MatrixXd P = fast_matrix(space, slip.contacts);
  const Eigen::MatrixXd gaps = gap_space(space, slip.contacts);
  double product = 1;
  for (const auto& w : slip.stability.witnesses) {
    const double rate = growth(P, gaps, w.stiffness, w.damping).rate;
    EXPECT_NEAR(rate, w.rate, 1e-9 * (1 + std::abs(rate)));
    product *= rate;
  }
  EXPECT_LT(product, 0) << "one decays, one grows";
  expect_certified(table);
}

TEST(RedundantLegs, ABodyThatTipsIsNotHeldByForcesThatPull) {
  const ModeTable table = mode_table(legs({0.2, 0.5, 1}, 0.5, 2, 0), {});
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.force_family_dimension, 0);
  EXPECT_EQ(joined(names_of_consistent(table.modes)), "TFF");
  expect_certified(table);
}

TEST(RedundantLegs, AContactNamedTwiceChangesNoMotion) {
  Draws draws(8);
  int indeterminate = 0;
  for (int k = 0; k < 3000; ++k) {
    const PlanarContact c = drawn_planar(draws, k % 3 - 1);
    const ContactSpace once = one_contact(c);
    const ContactSpace twice = closed_contacts(2, once.W.replicate(2, 2), once.b.replicate(2, 1),
                                               once.u.replicate(2, 1), once.mu.replicate(2, 1));
    const ModeTable single = mode_table(once, {});
    const ModeTable both = mode_table(twice, {});
    EXPECT_EQ(both.verdict, single.verdict) << k;
    EXPECT_EQ(both.motion_family_dimension, 0) << k;
    const auto names = names_of_consistent(both.modes);
    for (const auto& entry : single.modes) {
      EXPECT_EQ(names.count(entry.name + entry.name) == 1, entry.consistent) << k << " " << entry.name;
    }
    // A force that one contact can carry, two can share: a family of them.
    const bool loaded = single.consistent_modes() != std::vector<std::string>{"F"} && single.verdict != "inconsistent";
    EXPECT_EQ(both.force_family_dimension > 0, loaded) << k;
    indeterminate += both.verdict == "indeterminate";
    expect_certified(both);
  }
  EXPECT_GT(indeterminate, 100);
}

TEST(SeveralContacts, WithoutFrictionThereIsOneMotion) {
  Draws draws(5);
  for (int k = 0; k < 300; ++k) {
    const int n = draws.integer(2, 4);
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * n, 2 * n, 0.05);  // positive definite: one solution
    Eigen::VectorXd b(2 * n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * n);
    for (int i = 0; i < n; ++i) {
      b(2 * i) = draws.normal();
      b(2 * i + 1) = draws.normal();
      u(2 * i) = draws.integer(-1, 1);
    }
    const ModeTable table = mode_table(closed_contacts(2, W, b, u, Eigen::VectorXd::Zero(n)), {});
    EXPECT_EQ(table.verdict, "unique") << k;
    EXPECT_EQ(table.force_family_dimension, 0) << k;
    EXPECT_FALSE(table.jam) << k;
    expect_certified(table);
  }
}

TEST(SeveralContacts, DecoupledOnesMultiply) {
  Draws draws(6);
  for (int k = 0; k < 1000; ++k) {
    const PlanarContact first = drawn_planar(draws, draws.integer(-1, 1));
    const PlanarContact second = drawn_planar(draws, draws.integer(-1, 1));
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(4, 4);
    const ContactSpace s1 = one_contact(first);
    const ContactSpace s2 = one_contact(second);
    W.topLeftCorner(2, 2) = s1.W;
    W.bottomRightCorner(2, 2) = s2.W;
    Eigen::VectorXd b(4);
    b << s1.b, s2.b;
    Eigen::VectorXd u(4);
    u << s1.u, s2.u;
    const ModeTable both = mode_table(closed_contacts(2, W, b, u, Eigen::Vector2d(first.mu, second.mu)), {});
    std::set<std::string> products;
    for (const auto& x : mode_table(s1, {}).consistent_modes()) {
      for (const auto& y : mode_table(s2, {}).consistent_modes()) {
        products.insert(x + y);
      }
    }
    EXPECT_EQ(names_of_consistent(both.modes), products) << k;
    expect_certified(both);
  }
}

TEST(SeveralContacts, OpenOnesAreLeftOutAndSeparatingOnesAreFree) {
  ContactSpace s = legs({-1, 0.2, 1}, 0.5, 0.5, 0);
  s.gap(1) = 0.01;
  const ModeTable two = mode_table(s, {});
  EXPECT_EQ(two.closed, (std::vector<int>{0, 2}));
  EXPECT_EQ(joined(names_of_consistent(two.modes)), "TT");
  s.gap(1) = 0;
  s.u(3) = 0.1;  // the middle contact moves away
  const ModeTable three = mode_table(s, {});
  EXPECT_EQ(three.closed, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(joined(names_of_consistent(three.modes)), "TFT");
  EXPECT_EQ(three.verdict, "unique");
  expect_certified(three);
  s.u(3) = -0.1;
  EXPECT_EQ(mode_table(s, {}).verdict, "impact");
}

// More words than anyone would read: the one mode that is consistent, without the rejected ones.
// Six contacts at rest have 4⁶ words, each of which is listed; seven are too many.
TEST(SeveralContacts, SixAreListedWordByWord) {
  for (const int n : {6, 7}) {
    Draws draws(61);
    const ContactSpace s = closed_contacts(2, drawn_gram(draws, 2 * n, 2 * n, 1), -Eigen::VectorXd::Ones(2 * n),
                                           Eigen::VectorXd::Zero(2 * n), Eigen::VectorXd::Constant(n, 0.3));
    const ModeTable table = mode_table(s, {});
    EXPECT_EQ(table.lists_rejected, n == 6) << n;
    EXPECT_EQ(table.modes.size() == 4096U, n == 6) << n;
    EXPECT_FALSE(table.consistent_modes().empty()) << n;
  }
}

TEST(SeveralContacts, NineLegsAreListedByTheirOneMode) {
  const std::vector<double> many{-4, -3, -2, -1, 0, 1, 2, 3, 4};
  const ModeTable table = mode_table(legs(many, 0.5, 0.5, 0), {});
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_TRUE(table.complete);
  EXPECT_FALSE(table.lists_rejected);
  ASSERT_EQ(table.modes.size(), 1U);
  EXPECT_EQ(table.modes[0].name, "TTTTTTTTT");
  EXPECT_EQ(table.force_family_dimension, 15);
  expect_certified(table);
}

// The list of all words and the tree of words tell the same motions.
TEST(SeveralContacts, TreeAndListAgree) {
  Draws draws(21);
  int several = 0;
  for (int k = 0; k < 200; ++k) {
    const int n = draws.integer(2, 4);
    const Eigen::MatrixXd W = drawn_gram(draws, 2 * n, draws.integer(2, 2 * n), 0);
    Eigen::VectorXd b(2 * n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * n);
    Eigen::VectorXd mu(n);
    for (int i = 0; i < n; ++i) {
      b.segment<2>(2 * i) << draws.normal(), draws.normal();
      u(2 * i) = draws.integer(-1, 1);
      mu(i) = draws.uniform(0.1, 2);
    }
    b = W * b;  // that redundant contacts can balance
    const ContactSpace s = closed_contacts(2, W, b, u, mu);
    const ModeTable table = mode_table(s, {});
    const ContactProblem problem = acceleration_problem(s, {}).problem;
    const ContactSolutions tree = all_solutions(problem);
    std::size_t consistent = 0;
    for (const auto& entry : table.modes) {
      if (!entry.consistent) continue;
      ++consistent;
      EXPECT_GE(index_of(problem, tree, *entry.lambda, *entry.a), 0) << k << " " << entry.name;
    }
    EXPECT_GE(consistent, tree.solutions.size()) << k;
    several += tree.solutions.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 20);
}

// The flat families of redundant legs are found by linear programming, not by trying all vertices: five legs at rest
// have seven free forces, and about six million vertices.
TEST(SeveralContacts, FiveLegsTakeNoTime) {
  const auto start = std::chrono::steady_clock::now();
  const ModeTable table = mode_table(legs({-2, -1, 0.1, 1, 2}, 0.5, 0.5, 0), {});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(table.verdict, "unique");
  EXPECT_EQ(table.force_family_dimension, 7);
  EXPECT_EQ(table.continuations, std::vector<std::string>{"TTTTT"});
  EXPECT_LT(taken.count(), 20);  // [s] a tenth of a second in a release build
}

}  // namespace several_contacts_test
}  // namespace painleve
