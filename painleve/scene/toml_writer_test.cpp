// Scenarios as text: layout, what is broken into lines, and that it is read again as the same.
#include <gtest/gtest.h>

#include <string>

#include "painleve/scene/scene.hpp"

namespace painleve {
namespace toml_writer_test {

std::string rewritten(const std::string& text) { return SceneSource::parse(text, "test.toml").text(); }

TEST(TomlWriter, ValuesComeBeforeSectionsAndSectionsAreIndented) {
  const std::string text = rewritten(R"(
mechanism = 'rod'
[contact.tip]
mu = 1
[contact]
mu = 2
[state]
[forces]
"a b" = true
'' = { x = [], y = {} }
[[forces.f]]
k = 0.5
[[forces.f]]
)");
  EXPECT_EQ(text, R"(mechanism = 'rod'

[contact]
mu = 2

    [contact.tip]
    mu = 1

[forces]
'' = { x = [], y = {} }
'a b' = true

    [[forces.f]]
    k = 0.5

    [[forces.f]]

[state])");
}

// toml++ would take the width of a number below 0.1 from a logarithm that does not fit into its type.
TEST(TomlWriter, SmallNumbersStayOnTheLine) {
  EXPECT_EQ(
      rewritten("mechanism = 'contact-space'\n[parameters]\nW = [[0.01, 0.0], [0, 1e-300]]\nb = [-0.0625, nan, inf]"),
      "mechanism = 'contact-space'\n\n[parameters]\nW = [ [ 0.01, 0.0 ], [ 0, 1e-300 ] ]\nb = [ -0.0625, nan, inf ]");
}

TEST(TomlWriter, NumbersHaveTheirShortestDigits) {
  const std::string text = "mechanism = 'contact-space'\n\n[parameters]\nb = [ 0.9, 2.0, 0.1, -1e+300, 5e-324, 7 ]";
  EXPECT_EQ(rewritten(text), text);
}

TEST(TomlWriter, AListThatIsTooWideHasOneEntryPerLine) {
  std::string row = "0.123456789012345";
  for (int i = 0; i < 7; ++i) row += ", 0.123456789012345";
  const std::string text = rewritten("mechanism = 'contact-space'\n[parameters]\nW = [[" + row + "], [1, 2]]");
  EXPECT_NE(text.find("W = [\n    [\n        0.123456789012345,\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    ],\n    [ 1, 2 ]\n]"), std::string::npos) << text;
  EXPECT_EQ(rewritten(text), text);
}

TEST(TomlWriter, LineBreaksInWordsAreKept) {
  const std::string text = rewritten("mechanism = 'rod'\n[state]\nx = \"\\n2\"\n\"a\\nb\" = '''\n\n\n'x'\n'''");
  EXPECT_EQ(text, "mechanism = 'rod'\n\n[state]\n\"a\\nb\" = \"\\n\\n'x'\\n\"\nx = \"\\n2\"");
  EXPECT_EQ(rewritten(text), text);
}

// Each list must be laid out once, not once per list that it lies in.
TEST(TomlWriter, ListsWithinListsTakeNoTime) {
  constexpr int depth = 200;
  const std::string text =
      rewritten("mechanism = 'rod'\n[state]\nx = " + std::string(depth, '[') + "1" + std::string(depth, ']'));
  EXPECT_EQ(rewritten(text), text);
}

}  // namespace toml_writer_test
}  // namespace painleve
