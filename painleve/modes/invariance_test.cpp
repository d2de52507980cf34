// Laws of the whole diagnosis: units of mass and time, and the names of the contacts, change no answer. Thresholds that
// forget a unit fail here, whatever they are compared with.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "painleve/base/draws.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/impact_without_collision.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/selectors.hpp"
#include "painleve/modes/tangential_stability.hpp"

namespace painleve {
namespace invariance_test {

// Planar contacts of one mechanism, each at rest or slipping. Every fourth state has no load.
ContactSpace drawn_state(Draws& draws, int number) {
  const int n = draws.integer(1, 3);
  const Eigen::MatrixXd W = drawn_gram(draws, 2 * n, 2 * n, 0.02);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(2 * n);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * n);
  Eigen::VectorXd mu(n);
  for (int i = 0; i < n; ++i) {
    mu(i) = draws.uniform(0, 2.5);
    u(2 * i) = draws.integer(-1, 1);
    b.segment<2>(2 * i) << draws.normal(), draws.normal() - 0.5;
  }
  return closed_contacts(2, W, number % 4 == 0 ? Eigen::VectorXd(0 * b) : b, u, mu);
}

ModeOptions with_springs(const ContactSpace& s, double stiffness, double damping) {
  const auto n = static_cast<std::size_t>(s.count());
  ModeOptions options;
  options.stiffness.assign(n, stiffness);
  options.damping.assign(n, damping);
  return options;
}

std::string text(const std::vector<std::string>& list) {
  std::string all;
  for (const auto& name : list) {
    all += " " + name;
  }
  return all;
}

// What a table and the rules that choose from it say, without numbers that have a unit.
std::string said(const ContactSpace& s, const ModeOptions& options) {
  const ModeTable table = mode_table(s, options);
  std::string all = table.verdict + text(table.consistent_modes()) + "; continues" + text(table.continuations);
  for (const auto& entry : table.modes) {
    all += "; " + entry.name + (entry.consistent ? " " : " not ") + entry.stability.verdict +
           (entry.boundary ? " at a boundary" : "");
  }
  for (const auto& word : table.iwc) {
    all += "; " + word.name + (word.necessary ? " necessary" : "") + (word.possible ? " possible" : "");
  }
  SelectorOptions choose;
  choose.tolerance = options.tolerance;
  for (const auto& selection : selections(s, table, choose)) {
    const std::string holds = selection.holds ? (*selection.holds ? " holds" : " fails") : " open";
    all += "; " + selection.name + holds + text(selection.chosen) + ": " +
           selection.reason.substr(0, selection.reason.find(" = "));
  }
  return all;
}

// Masses times c: W falls, accelerations stay, forces and springs grow. Powers of two leave every digit alone.
TEST(Invariance, OfTheUnitOfMass) {
  Draws draws(21);
  for (int i = 0; i < 200; ++i) {
    const ContactSpace s = drawn_state(draws, i);
    for (const int power : {60, -60}) {
      const double c = std::ldexp(1, power);
      ContactSpace heavy = s;
      heavy.W /= c;
      EXPECT_EQ(said(heavy, with_springs(s, 3 * c, 0.7 * c)), said(s, with_springs(s, 3, 0.7))) << i << " " << power;
    }
  }
}

// Stiff springs are fast ones: k → c² k, ν → c ν is another unit of time.
TEST(Invariance, OfTheUnitOfTimeOfTheSprings) {
  Draws draws(22);
  for (int i = 0; i < 200; ++i) {
    const ContactSpace s = drawn_state(draws, i);
    for (const int power : {30, -30}) {
      const double c = std::ldexp(1, power);
      EXPECT_EQ(said(s, with_springs(s, 3 * c * c, 0.7 * c)), said(s, with_springs(s, 3, 0.7))) << i << " " << power;
    }
  }
}

// Loads and velocities in another unit of time, and the tolerance of rest with them.
TEST(Invariance, OfTheUnitOfTimeOfTheState) {
  Draws draws(23);
  for (int i = 0; i < 200; ++i) {
    const ContactSpace s = drawn_state(draws, i);
    for (const int power : {20, -20}) {
      const double c = std::ldexp(1, power);
      ContactSpace quick = s;
      quick.b *= c * c;
      quick.u *= c;
      ModeOptions options = with_springs(s, 3, 0.7);
      options.tolerance.velocity *= c;
      EXPECT_EQ(said(quick, options), said(s, with_springs(s, 3, 0.7))) << i << " " << power;
    }
  }
}

// The words of a table in the other numbering: letters are followed by their signs.
std::vector<std::string> letters(const std::string& word) {
  std::vector<std::string> list;
  for (const char c : word) {
    if (c == '+' || c == '-') {
      list.back() += c;
    } else {
      list.emplace_back(1, c);
    }
  }
  return list;
}
std::vector<std::string> renumbered(const std::vector<std::string>& words, const std::vector<int>& order) {
  std::vector<std::string> list;
  for (const auto& word : words) {
    const std::vector<std::string> parts = letters(word);
    std::string other;
    for (const int i : order) {
      other += parts[static_cast<std::size_t>(i)];
    }
    list.push_back(other);
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(Invariance, OfTheNumberingOfTheContacts) {
  Draws draws(24);
  int several = 0;
  for (int i = 0; i < 600; ++i) {
    const ContactSpace s = drawn_state(draws, i);
    if (s.count() != 3) {
      continue;
    }
    const std::vector<int> order{2, 0, 1};
    const ModeTable table = mode_table(s, with_springs(s, 3, 0.7));
    const ModeTable other = mode_table(subset(s, order), with_springs(s, 3, 0.7));
    EXPECT_EQ(other.verdict, table.verdict) << i;
    EXPECT_EQ(renumbered(other.consistent_modes(), {0, 1, 2}), renumbered(table.consistent_modes(), order)) << i;
    EXPECT_EQ(renumbered(other.continuations, {0, 1, 2}), renumbered(table.continuations, order)) << i;
    EXPECT_EQ(other.jam, table.jam) << i;
    several += table.continuations.size() > 1 ? 1 : 0;
  }
  EXPECT_GE(several, 10);
}

// Words with contacts that stick on springs have the growth rate of those springs, not that of rigid stick.
TEST(ModeTableSprings, AlongTheSurface) {
  Draws draws(25);
  int sticking = 0;
  for (int i = 0; i < 200; ++i) {
    const ContactSpace s = drawn_state(draws, 1);
    ModeOptions options = with_springs(s, 3, 0.7);
    options.tangential_stiffness.assign(options.stiffness.size(), 0.2);
    options.tangential_damping.assign(options.stiffness.size(), 0.05);
    const Eigen::VectorXd one = Eigen::VectorXd::Ones(s.count());
    for (const ModeEntry& entry : mode_table(s, options).modes) {
      const auto letter = [&](Letter wanted) {
        return std::any_of(entry.contacts.begin(), entry.contacts.end(),
                           [&](const ContactMode& c) { return c.letter == wanted; });
      };
      if (!entry.consistent || !letter(Letter::T)) {
        continue;
      }
      ASSERT_TRUE(entry.growth) << i << entry.name;
      const Growth g = growth(s, entry.contacts, {3 * one, 0.7 * one, 0.2 * one, 0.05 * one});
      EXPECT_NEAR(entry.growth->rate, g.rate, 1e-12 * (1 + std::abs(g.rate))) << i << entry.name;
      EXPECT_EQ(entry.stability.verdict, g.rate < 0 ? "stable" : "unstable") << i << entry.name;
      ++sticking;
      // Without them the contact sticks rigidly.
      ModeOptions rigid = options;
      rigid.tangential_stiffness.clear();
      for (const ModeEntry& other : mode_table(s, rigid).modes) {
        if (other.name == entry.name && other.growth) {
          EXPECT_GT(std::abs(other.growth->rate - g.rate), 1e-9) << i << entry.name;
        }
      }
    }
  }
  EXPECT_GE(sticking, 20);
}

}  // namespace invariance_test
}  // namespace painleve
