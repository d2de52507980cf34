#include "painleve/base/names.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "painleve/base/draws.hpp"

namespace painleve {
namespace names_test {

const std::vector<std::string> kMechanisms{"rod", "two_contact_rod", "pendulum", "sliding-block", "brake"};

TEST(NearestName, FindsSwapsDropsAndExtraLetters) {
  EXPECT_EQ(nearest_name("rdo", kMechanisms), "rod");
  EXPECT_EQ(nearest_name("pendlum", kMechanisms), "pendulum");
  EXPECT_EQ(nearest_name("breake", kMechanisms), "brake");
  EXPECT_EQ(nearest_name("slidng blokc", kMechanisms), "sliding-block");
}

TEST(NearestName, IgnoresCaseAndSeparators) {
  EXPECT_EQ(nearest_name("Two-Contact-Rod", kMechanisms), "two_contact_rod");
  EXPECT_EQ(nearest_name("SLIDINGBLOCK", kMechanisms), "sliding-block");
}

TEST(NearestName, TakesTheBeginningOfAName) {
  EXPECT_EQ(nearest_name("two", kMechanisms), "two_contact_rod");
  EXPECT_EQ(nearest_name("rod_on_plane", kMechanisms), "rod");
}

TEST(NearestName, PrefersTheSmallerDistance) {
  const std::vector<std::string> names{"stance", "stable", "Table"};
  EXPECT_EQ(nearest_name("table", names), "Table");
  EXPECT_EQ(nearest_name("stablle", names), "stable");
}

TEST(NearestName, StaysSilentWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("xyz", kMechanisms), "");
  EXPECT_EQ(nearest_name("", kMechanisms), "");
  EXPECT_EQ(nearest_name("--", kMechanisms), "");
  EXPECT_EQ(nearest_name("b", kMechanisms), "") << "one letter is no hint";
  EXPECT_EQ(nearest_name("rod", {}), "");
  EXPECT_EQ(nearest_name("x", {"m", "s", "N"}), "");
}

TEST(NearestName, RecoversEveryNameFromOneDrawnEdit) {
  Draws draws(7);
  for (int trial = 0; trial < 500; ++trial) {
    const std::string& name = kMechanisms[static_cast<std::size_t>(draws.integer(1, 4))];
    const auto place = static_cast<std::size_t>(draws.integer(0, static_cast<int>(name.size()) - 2));
    std::string typed = name;
    switch (draws.integer(0, 3)) {
      case 0:
        typed.erase(place, 1);
        break;
      case 1:
        typed.insert(place, 1, 'x');
        break;
      case 2:
        typed[place] = 'x';
        break;
      default:
        std::swap(typed[place], typed[place + 1]);
    }
    EXPECT_EQ(nearest_name(typed, kMechanisms), name) << typed << ", trial " << trial;
  }
}

TEST(UnknownName, SaysWhatIsMeantOrWhatIsKnown) {
  EXPECT_EQ(unknown_name("mechanism", "rdo", kMechanisms), "unknown mechanism 'rdo'; did you mean 'rod'?");
  EXPECT_EQ(unknown_name("law", "xyz", {"a", "b", "c"}), "unknown law 'xyz'; known are: a, b, c");
  EXPECT_EQ(unknown_name("law", "xyz", {}), "unknown law 'xyz'; none are known");
}

TEST(UnknownName, CapsTheListAtTwenty) {
  std::vector<std::string> names(20, "n");
  EXPECT_EQ(unknown_name("law", "xyz", names).find("…"), std::string::npos);
  names.emplace_back("last");
  const std::string sentence = unknown_name("law", "xyz", names);
  EXPECT_TRUE(sentence.ends_with("n, n, …")) << sentence;
  EXPECT_EQ(sentence.find("last"), std::string::npos);
}

TEST(InQuotes, IsSafeToPrint) {
  EXPECT_EQ(in_quotes("abc"), "'abc'");
  EXPECT_EQ(in_quotes("a\n\x1b[2J"), "'a??[2J'");
  EXPECT_EQ(in_quotes("90°"), "'90°'");
  EXPECT_EQ(in_quotes(std::string(80, 'a')), "'" + std::string(80, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(81, 'a')), "'" + std::string(80, 'a') + "…'");
  EXPECT_EQ(in_quotes(std::string(79, 'a') + "°°"), "'" + std::string(79, 'a') + "…'") << "no cut inside a character";
}

}  // namespace names_test
}  // namespace painleve
