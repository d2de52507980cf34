#include "painleve/reproduction/item.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "painleve/base/error.hpp"
#include "painleve/reproduction/html.hpp"

namespace painleve {
namespace item_test {

bool matches(const std::string& printed, double computed) { return compare_printed("x", printed, computed).match; }

TEST(ComparePrinted, OursMustRoundToThePrintedDigits) {
  EXPECT_TRUE(matches("1.67", 5.0 / 3));
  EXPECT_TRUE(matches("1.67", 1.6651));
  EXPECT_FALSE(matches("1.67", 1.6649));
  EXPECT_TRUE(matches("1.67", 1.675));  // a half goes either way
  EXPECT_FALSE(matches("1.67", 1.6751));
  EXPECT_TRUE(matches("−0.3118", -0.311758));
  EXPECT_TRUE(matches("-0.3118", -0.311758));
  EXPECT_FALSE(matches("0.3118", -0.311758));
  EXPECT_TRUE(matches("65.3", 65.3499));
  EXPECT_FALSE(matches("65.3", 65.3867));
  EXPECT_TRUE(matches("0", 1e-15));
}

TEST(ComparePrinted, TrailingZerosCount) {
  EXPECT_TRUE(matches("0.34", 0.3388));
  EXPECT_FALSE(matches("0.340", 0.3388));
}

TEST(ComparePrinted, ReadsExponentsMultiplesOfPiAndFractions) {
  EXPECT_TRUE(matches("1.2e-5", 1.24e-5));
  EXPECT_FALSE(matches("1.2e-5", 1.26e-5));
  EXPECT_TRUE(matches("1.07π", 1.0749 * std::numbers::pi));
  EXPECT_FALSE(matches("1.07π", 1.0751 * std::numbers::pi));
  EXPECT_TRUE(matches("4/3", 4.0 / 3));
  EXPECT_FALSE(matches("4/3", 1.3333));
  EXPECT_TRUE(matches("−3π/2", -1.5 * std::numbers::pi));
  EXPECT_TRUE(matches("π/2", std::numbers::pi / 2));
}

TEST(ComparePrinted, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "about 2", "1.2.3", "0x10", "inf", "--1", "4/", "e", "1e", "2-3"}) {
    EXPECT_THROW(compare_printed("x", text, 1), InputError) << text;
  }
}

TEST(ComparePrinted, TellsBothNumbersAndTheirDifference) {
  const Comparison c = compare_printed("x", "65.3", 65.38666, "E-P9", "why");
  EXPECT_EQ(c.printed, "65.3");
  EXPECT_EQ(c.computed, "65.387");
  EXPECT_NEAR(c.difference.value(), 0.08666, 1e-12);
  EXPECT_FALSE(c.match);
  EXPECT_EQ(c.erratum, "E-P9");
  EXPECT_EQ(c.note, "why");
  EXPECT_EQ(compare_printed("x", "0.00", -1e-17).computed, "0.0000");  // no minus before zero
}

TEST(ComparePrinted, AnErratumIsNamedOnlyWhereTheNumbersDiffer) {
  EXPECT_EQ(compare_printed("x", "1.5", 1.5, "E-P9").erratum, "");
  EXPECT_EQ(compare_statement("x", "so", "so", true, "E-P9").erratum, "");
  EXPECT_EQ(compare_statement("x", "so", "not so", false, "E-P9").erratum, "E-P9");
}

TEST(ComparePrinted, NoNumberMatchesNothing) {
  for (const double none : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const Comparison c = compare_printed("x", "0", none);
    EXPECT_FALSE(c.match);
    EXPECT_FALSE(c.difference.has_value());
    EXPECT_EQ(c.computed, "none");
  }
}

TEST(FeatureNear, HoldsWithinItsTolerance) {
  EXPECT_TRUE(feature_near("f", "r", 1 + 9e-7, 1, 1e-6).holds);
  EXPECT_FALSE(feature_near("f", "r", 1 + 2e-6, 1, 1e-6).holds);
  EXPECT_FALSE(feature_near("f", "r", std::nan(""), 1, 1e-6).holds);
  EXPECT_EQ(feature_near("f", "r", 4.0 / 3, 4.0 / 3, 1e-9).measured, "1.33333 against 1.33333, within 1e-9");
  EXPECT_EQ(feature_near("f", "r", 2, 1, 0).measured, "2 against 1, differs by less than 1e1");
}

TEST(Digits, OfRoundingAreNotShown) {
  EXPECT_EQ(in_digits(-3e-17), "0");
  EXPECT_EQ(in_digits(-0.25), "-0.25");
  EXPECT_EQ(in_digits(2.0 / 3, 3), "0.667");
  EXPECT_EQ(error_size(3e-12), "differs by less than 1e-9");
  EXPECT_EQ(error_size(3e-5), "differs by less than 1e-4");
}

TEST(Explained, NeedsAMatchOrAnErratumAndEveryFeature) {
  Reproduction r;
  EXPECT_TRUE(explained(r));
  r.comparisons = {compare_printed("a", "1.0", 1), compare_printed("b", "2.0", 1, "E-P1")};
  r.features = {feature("f", "r", true)};
  EXPECT_TRUE(explained(r));
  r.comparisons.push_back(compare_printed("c", "2.0", 1));
  EXPECT_FALSE(explained(r));
  r.comparisons.pop_back();
  r.features.push_back(feature("g", "r", false));
  EXPECT_FALSE(explained(r));
}

TEST(Html, EscapesAndMarks) {
  EXPECT_EQ(html_escaped("a<b & \"c\" 'd'>"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  EXPECT_EQ(html_marked("μ_{jam} < α^{−1/2}"), "μ<sub>jam</sub> &lt; α<sup>−1/2</sup>");
  EXPECT_EQ(html_marked("-2 N (-3) 1e-9 a-1"), "−2 N (−3) 1e-9 a-1");
  EXPECT_EQ(html_marked("an open _{brace"), "an open _{brace");
  EXPECT_EQ(plain_marked("μ_{jam}, α^{−1/2}"), "μ_jam, α^(−1/2)");
}

TEST(Html, NamesInsideAPictureBecomeUnique) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<svg aria-labelledby=\"t d\"><title id=\"t\">x</title><desc id=\"d\">y</desc>"
      "<clipPath id=\"c\"/><g clip-path=\"url(#c)\"/><use href=\"#c\"/></svg>";
  EXPECT_EQ(html_svg(svg, "p7-"),
            "<svg aria-labelledby=\"p7-t p7-d\"><title id=\"p7-t\">x</title><desc id=\"p7-d\">y</desc>"
            "<clipPath id=\"p7-c\"/><g clip-path=\"url(#p7-c)\"/><use href=\"#p7-c\"/></svg>");
}

TEST(Html, ThePageListsItsHeadings) {
  HtmlPage page("A & B");
  page.heading(2, "first", "one");
  page.heading(3, "inner", "two");
  page.heading(2, "second", "three");
  page.table({"", {"h"}, {{{"cell", CellTone::bad}}}});
  const std::string text = page.str();
  EXPECT_NE(text.find("<title>A &amp; B</title>"), std::string::npos);
  EXPECT_NE(text.find("<li><a href=\"#one\">first</a></li>\n<li><ul>\n<li><a href=\"#two\">inner</a></li>\n</ul></li>\n"
                      "<li><a href=\"#three\">second</a></li>"),
            std::string::npos);
  EXPECT_NE(text.find("<td class=\"bad\">cell</td>"), std::string::npos);
  EXPECT_EQ(text.find("<script"), std::string::npos);
}

}  // namespace item_test
}  // namespace painleve
