// Table 4 of Champneys & Várkonyi (2016) as printed, against what is derived; and the derived facts against drawn
// members of every class, solved in floating point by routines that know nothing of classes.
#include "painleve/modes/two_contact_facts.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "painleve/base/draws.hpp"
#include "painleve/base/error.hpp"
#include "painleve/modes/detail/drawn_contacts.hpp"
#include "painleve/modes/impact_without_collision.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/modes/stability.hpp"
#include "painleve/modes/two_contact_class.hpp"

namespace painleve {
namespace two_contact_facts_test {

const Eigen::Vector2d one = Eigen::Vector2d::Ones();

std::map<std::string, TwoContactFacts> by_name() {
  std::map<std::string, TwoContactFacts> table;
  for (const auto& f : two_contact_facts()) {
    table[f.name] = f;
  }
  return table;
}

std::string impacts(const TwoContactFacts& f) {
  std::set<std::string> names;
  if (f.IF) {
    names.insert("IF");
  }
  if (f.FI) {
    names.insert("FI");
  }
  if (f.II) {
    names.insert("II");
  }
  return joined(names);
}

// A row as printed: class, dual, subclasses in which FF, SS, SF and FS are consistent, impacts without collision.
struct Row {
  const char *name, *dual, *FF, *SS, *SF, *FS, *impacts;
};
constexpr Row printed[] = {
    {"11", "11", "5", "2", "126", "234", ""},      {"12", "12", "5", "2", "16", "34", ""},
    {"13", "41", "5", "23", "16", "4", ""},        {"14", "31", "45", "234", "16", "4", "II"},
    {"15", "32", "45", "156", "16", "4", "II"},    {"16", "21", "4", "16", "156", "45", "FI"},
    {"22", "45", "5", "3", "45", "34", "IF"},      {"23", "46", "5", "3", "345", "4", "IF"},
    {"24", "36", "45", "34", "345", "4", "IF II"}, {"25", "25", "4", "345", "34", "45", "FI IF II"},
    {"26", "26", "4", "126", "34", "45", "FI IF"}, {"33", "44", "45", "34", "5", "3", "II"},
    {"34", "34", "345", "4", "5", "3", "II"},      {"35", "35", "345", "4", "45", "34", "II"},
    {"42", "42", "4", "126", "5", "3", ""},        {"43", "43", "4", "345", "5", "3", "II"},
};

TEST(TwoContactFacts, AreTheSixteenPrintedRows) {
  const auto table = by_name();
  ASSERT_EQ(table.size(), 24U);
  std::set<std::string> covered;
  for (const auto& row : printed) {
    const TwoContactFacts& f = table.at(row.name);
    EXPECT_EQ(f.dual, row.dual) << row.name;
    EXPECT_EQ(f.sectors("FF"), row.FF) << row.name;
    EXPECT_EQ(f.sectors("SS"), row.SS) << row.name;
    EXPECT_EQ(f.sectors("SF"), row.SF) << row.name;
    EXPECT_EQ(f.sectors("FS"), row.FS) << row.name;
    EXPECT_EQ(impacts(f), row.impacts) << row.name;
    covered.insert(row.name);
    covered.insert(row.dual);
  }
  EXPECT_EQ(covered.size(), 24U) << "the rows and their duals are all classes";
}

TEST(TwoContactFacts, StabilityOfTwoSlippingContacts) {
  std::map<std::string, std::set<std::string>> classes;
  for (const auto& f : two_contact_facts()) {
    classes[f.SS_stability].insert(f.name);
    EXPECT_EQ(f.SF_stability, f.name[0] == '1' || f.name[0] == '4' ? "stable" : "unstable") << f.name;
  }
  EXPECT_EQ(joined(classes["stable"]), "12 42");
  EXPECT_EQ(joined(classes["depends"]), "13 14 23 31 41 46");
  EXPECT_EQ(classes["unstable"].size(), 16U);
}

TEST(TwoContactFacts, CountsOfConsistentModes) {
  std::map<std::size_t, std::set<std::string>> of_count;
  std::set<std::string> only_SS;
  for (const auto& f : two_contact_facts()) {
    for (std::size_t i = 0; i < f.modes.size(); ++i) {
      const std::string name = f.name + std::to_string(i + 1);
      of_count[f.modes[i].size()].insert(name);
      if (f.modes[i] == std::vector<std::string>{"SS"}) {
        only_SS.insert(name);
      }
    }
  }
  EXPECT_EQ(joined(of_count[4]), "244 254 354 364");
  EXPECT_EQ(joined(of_count[3]), "112 144 264 315");
  EXPECT_EQ(of_count[2].size(), 48U);
  EXPECT_EQ(of_count[0].size(), 44U);
  EXPECT_TRUE(of_count[0].contains("152") && of_count[0].contains("153"));
  for (const char* two : {"151", "154", "155", "156"}) {
    EXPECT_TRUE(of_count[2].contains(two)) << two << ": E22 of docs/errata.md";
  }
  EXPECT_EQ(joined(only_SS), "122 132 133 142 143 261 262 266 311 316 411 416 421 422 426") << "261, 262 and 266: E24";
}

TEST(TwoContactFacts, TheDualSwapsTheContacts) {
  const auto table = by_name();
  for (const auto& [name, f] : table) {
    const TwoContactFacts& g = table.at(f.dual);
    EXPECT_EQ(g.dual, name);
    EXPECT_EQ(f.IF, g.FI) << name;
    EXPECT_EQ(f.II, g.II) << name;
    EXPECT_EQ(f.SS_stability, g.SS_stability) << name;
    EXPECT_EQ(f.SF_stability, g.FS_stability) << name;
    for (int s3 = 1; s3 <= 6; ++s3) {
      const std::string subclass = name + std::to_string(s3);
      const std::string dual = dual_class(subclass);
      EXPECT_EQ(dual.substr(0, 2), f.dual) << subclass;
      EXPECT_EQ(dual_class(dual), subclass);
      std::set<std::string> turned;
      for (const auto& mode : f.modes[static_cast<std::size_t>(s3 - 1)]) {
        turned.insert(std::string(mode.rbegin(), mode.rend()));
      }
      const auto& modes = g.modes[static_cast<std::size_t>(dual[2] - '1')];
      EXPECT_EQ(std::set<std::string>(modes.begin(), modes.end()), turned) << subclass;
    }
  }
}

TEST(TwoContactFacts, HoldForDrawnMembersOfEverySubclass) {
  const auto table = by_name();
  Draws draws(2016);
  std::map<std::string, int> seen;
  for (int k = 0; k < 20000 && !HasFailure(); ++k) {
    Eigen::Matrix2d P;
    P << draws.normal(), draws.normal(), draws.normal(), draws.normal();
    const Eigen::Vector2d b(draws.normal(), draws.normal());
    const std::string name = two_contact_class(P, b);
    ++seen[name];
    const TwoContactFacts& f = table.at(name.substr(0, 2));
    const auto& modes = f.modes.at(static_cast<std::size_t>(name[2] - '1'));
    const ModeTable solved = slip_mode_table(P, b, one, one);
    EXPECT_EQ(names_of_consistent(solved.modes), std::set<std::string>(modes.begin(), modes.end())) << name << "\n"
                                                                                                    << P;
    std::set<std::string> necessary;
    for (const auto& impact : solved.iwc) {
      if (impact.necessary) {
        necessary.insert(impact.name);
      }
    }
    EXPECT_EQ(joined(necessary), impacts(f)) << name << "\n" << P;
    EXPECT_EQ(two_contact_class(P.reverse(), b.reverse()), dual_class(name)) << P;
  }
  EXPECT_EQ(seen.size(), 144U);
}

// The spectrum for drawn springs: what is called stable or unstable must be so for all of them, and what depends must
// be seen both ways.
TEST(TwoContactFacts, StabilityHoldsForDrawnSprings) {
  const auto table = by_name();
  Draws draws(84);
  std::map<std::string, std::set<bool>> seen;  // per class: stable, or not
  for (int k = 0; k < 20000; ++k) {
    Eigen::Matrix2d P;
    P << draws.normal(), draws.normal(), draws.normal(), draws.normal();
    Eigen::Vector2d stiffness;
    Eigen::Vector2d damping;
    for (int i = 0; i < 2; ++i) {
      stiffness(i) = std::exp(draws.uniform(-2, 2));
      damping(i) = std::exp(draws.uniform(-2, 2));
    }
    const double rate = growth(P, stiffness, damping).rate;
    if (std::abs(rate) > 1e-9) {
      seen[two_contact_class(P, one).substr(0, 2)].insert(rate < 0);
    }
  }
  ASSERT_EQ(seen.size(), 24U);
  for (const auto& [name, stable] : seen) {
    const std::string& verdict = table.at(name).SS_stability;
    EXPECT_EQ(stable.contains(true), verdict != "unstable") << name;
    EXPECT_EQ(stable.contains(false), verdict != "stable") << name;
  }
}

TEST(DualClass, RefusesWhatIsNoClass) {
  for (const char* name : {"", "1", "51", "17", "01", "1111", "117", "10", "1a", "1 1"}) {
    EXPECT_THROW(dual_class(name), InputError) << name;
  }
  EXPECT_EQ(dual_class("15"), "32");
  EXPECT_EQ(dual_class("244"), "364");
}

}  // namespace two_contact_facts_test
}  // namespace painleve
