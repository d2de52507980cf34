// The items of Champneys & Várkonyi (2016): all of them hold, every misprint turns up where it belongs, and a wrong
// number does not pass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>

#include "painleve/figure/canvas.hpp"
#include "painleve/reproduction/champneys_varkonyi_cells.hpp"
#include "painleve/reproduction/champneys_varkonyi_parts.hpp"
#include "painleve/reproduction/items_of_papers.hpp"

namespace painleve {
namespace champneys_varkonyi_test {

namespace cv = champneys_varkonyi;

PublishedItem item_of(const std::string& name) {
  for (const PublishedItem& item : champneys_varkonyi_items()) {
    if (item.name == name) return item;
  }
  throw std::runtime_error("no item " + name);
}

Comparison comparison(const Reproduction& result, const std::string& what) {
  for (const Comparison& c : result.comparisons) {
    if (c.what == what) return c;
  }
  throw std::runtime_error("nothing compares " + what);
}

// docs/errata.md lists E01 to E36; each is met at the item to which it belongs.
const std::map<std::string, std::set<std::string>>& errata() {
  static const std::map<std::string, std::set<std::string>> all = {
      {"sec-2.1", {"E01", "E02"}}, {"fig-5", {"E28"}},
      {"fig-6", {"E29"}},          {"sec-3", {"E03", "E04", "E05", "E34", "E36"}},
      {"table-1", {"E06"}},        {"table-2", {"E07"}},
      {"sec-3.2", {"E08", "E09"}}, {"fig-10", {"E10"}},
      {"sec-3.3", {"E11", "E12"}}, {"fig-11", {"E13"}},
      {"sec-4", {"E07", "E14"}},   {"table-3", {"E15", "E16", "E17"}},
      {"fig-12", {"E18"}},         {"sec-5", {"E19", "E20"}},
      {"fig-13", {"E21"}},         {"sec-6", {"E22", "E23", "E24", "E25", "E35"}},
      {"fig-15", {"E26", "E27"}},  {"sec-7", {"E30", "E31", "E32", "E33"}}};
  return all;
}

void expect_explained(const Reproduction& result) {
  EXPECT_FALSE(result.comparisons.empty());
  for (const Comparison& c : result.comparisons) {
    EXPECT_TRUE(c.match || !c.erratum.empty()) << c.what << ": printed " << c.printed << ", computed " << c.computed;
    EXPECT_FALSE(c.printed.empty()) << c.what;
    EXPECT_FALSE(c.computed.empty()) << c.what;
  }
  for (const Feature& f : result.features) EXPECT_TRUE(f.holds) << f.statement << ": " << f.measured;
  EXPECT_TRUE(explained(result));
}

void expect_figures(const Reproduction& result) {
  EXPECT_GE(result.features.size(), 3U);
  ASSERT_FALSE(result.figures.empty());
  for (const Figure& f : result.figures) {
    EXPECT_FALSE(f.panels.empty());
    EXPECT_GT(draw(f).marks().size(), 20U);
  }
  for (const Feature& f : result.features) EXPECT_FALSE(f.route.empty()) << f.statement;
}

// Nothing is carried by the others: one false number or feature is enough.
void expect_each_counts(const Reproduction& result) {
  for (std::size_t i = 0; i < result.comparisons.size(); ++i) {
    if (!result.comparisons[i].erratum.empty()) continue;
    Reproduction broken = result;
    broken.comparisons[i].match = false;
    EXPECT_FALSE(explained(broken)) << result.comparisons[i].what;
  }
  for (std::size_t i = 0; i < result.features.size(); ++i) {
    Reproduction broken = result;
    broken.features[i].holds = false;
    EXPECT_FALSE(explained(broken)) << result.features[i].statement;
  }
}

class ChampneysVarkonyiItem : public ::testing::TestWithParam<PublishedItem> {};

TEST_P(ChampneysVarkonyiItem, IsExplainedDrawnAndSharp) {
  const PublishedItem& item = GetParam();
  EXPECT_EQ(item.paper, "champneys-varkonyi");
  EXPECT_FALSE(item.title.empty());
  const Reproduction result = item.compute();
  expect_explained(result);
  if (item.name.starts_with("fig-")) expect_figures(result);
  expect_each_counts(result);
  std::set<std::string> met;
  for (const Comparison& c : result.comparisons) {
    if (c.erratum.empty()) continue;
    met.insert(c.erratum);
    EXPECT_FALSE(c.match) << c.erratum << " agrees with what is printed";
  }
  EXPECT_EQ(met, errata().contains(item.name) ? errata().at(item.name) : std::set<std::string>{});
  for (const std::string& name : item.scenarios) {
    EXPECT_TRUE(std::ranges::any_of(scenarios(), [&](const Scenario& s) { return s.name == name; })) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ChampneysVarkonyiItem, ::testing::ValuesIn(champneys_varkonyi_items()),
                         [](const auto& parameter) {
                           std::string name = parameter.param.name;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

TEST(ChampneysVarkonyi, HasAllFiguresTablesAndErrata) {
  std::set<std::string> names, ids;
  for (const PublishedItem& item : champneys_varkonyi_items()) EXPECT_TRUE(names.insert(item.name).second) << item.name;
  for (int i = 1; i <= 17; ++i) EXPECT_TRUE(names.contains(fmt::format("fig-{}", i))) << i;
  for (int i = 1; i <= 4; ++i) EXPECT_TRUE(names.contains(fmt::format("table-{}", i))) << i;
  for (const auto& row : errata()) {
    EXPECT_TRUE(names.contains(row.first)) << row.first;
    ids.insert(row.second.begin(), row.second.end());
  }
  for (int i = 1; i <= 36; ++i) EXPECT_TRUE(ids.contains(fmt::format("E{:02}", i))) << i;
}

// Misprints are not waved through: the printed statement has to fail and the corrected one to hold.
TEST(ChampneysVarkonyi, AMisprintNeedsItsProof) {
  const auto result = [](bool fails, bool holds) {
    Reproduction r;
    cv::add(r, {"E99", "what", "printed", "corrected", fails, holds, "proof"});
    return r;
  };
  EXPECT_TRUE(explained(result(true, true)));
  EXPECT_FALSE(explained(result(false, true)));
  EXPECT_FALSE(explained(result(true, false)));
  EXPECT_FALSE(explained(result(false, false)));
}

TEST(ChampneysVarkonyi, AWrongNumberDoesNotMatch) {
  EXPECT_FALSE(compare_printed("μ_P,min", "4/3", 1.3334).match);
  EXPECT_FALSE(compare_printed("γ1", "0.15π", 0.156 * std::numbers::pi).match);
  EXPECT_FALSE(cv::compare_value("μ_c", "8/(3√3)", 1.539600717839, 1.5396008, 1e-10).match);
  EXPECT_TRUE(cv::compare_value("μ_c", "8/(3√3)", 1.539600717839, 1.53960071784, 1e-10).match);
}

// Against values computed elsewhere.
TEST(ChampneysVarkonyi, NumbersOfTheText) {
  const Reproduction rod = item_of("sec-2.1").compute(), six = item_of("sec-6").compute(),
                     pair = item_of("fig-15").compute();
  EXPECT_NEAR(*comparison(rod, "μ_P,min of the uniform rod").difference, 0, 1e-10);
  EXPECT_EQ(comparison(rod, "μ_c of the uniform rod, where α1 = α3 at the G-spot").computed, "1.539600718");
  EXPECT_EQ(comparison(pair, "(A) outcomes of the fast motion").computed, "81 starts: 36 IF, 45 FI");
  EXPECT_EQ(comparison(six, "254 and 354").computed, "quadruple: 244, 254, 354, 364");
}

TEST(ChampneysVarkonyiCells, AreReadAsSetsOfSets) {
  EXPECT_EQ(cv::read_cell("F"), (std::set<cv::Choice>{{"F"}}));
  EXPECT_EQ(cv::read_cell("F or (F and T and S-)"), (std::set<cv::Choice>{{"F"}, {"F", "T", "S-"}}));
  EXPECT_EQ(cv::read_cell("S+ or T"), cv::read_cell("T or S+"));
  EXPECT_EQ(cv::read_cell("none"), (std::set<cv::Choice>{{}}));
  EXPECT_NE(cv::read_cell("F or T"), cv::read_cell("F and T"));
}

TEST(ChampneysVarkonyiCells, AWrongCellIsSeen) {
  cv::Cells printed;
  cv::FoundCells found;
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      printed[r][c] = "F and IWC";
      found[r][c] = {{"F", "IWC"}};
    }
  }
  Reproduction right;
  cv::compare_cells(right, printed, found);
  EXPECT_EQ(right.comparisons.size(), 18U);
  EXPECT_TRUE(explained(right));
  found[3][1].insert({"T"});
  Reproduction wrong;
  cv::compare_cells(wrong, printed, found);
  EXPECT_FALSE(explained(wrong));
  EXPECT_EQ(std::ranges::count_if(wrong.comparisons, [](const Comparison& c) { return c.match; }), 17);
}

TEST(ChampneysVarkonyiCells, RowsAndColumnsFollowTheSigns) {
  const cv::Friction f{1, 0.8, 1};
  EXPECT_EQ(cv::row_of(cv::contact(f, 0, 1, 1, 0.5)), 0U);
  EXPECT_EQ(cv::row_of(cv::contact({1, -0.8, 1}, 0, 1, 1, 2)), 1U);
  EXPECT_EQ(cv::row_of(cv::contact(f, 0, 1, 1, 2)), 2U);
  EXPECT_EQ(cv::row_of(cv::contact(f, 0, -1, 1, 2)), 5U);
  EXPECT_EQ(cv::column_of(cv::contact(f, 0, 1, 1, 2)), 0U);
  EXPECT_EQ(cv::column_of(cv::contact(f, 0, 1, 0, 2)), 1U);
  EXPECT_EQ(cv::column_of(cv::contact(f, 0, 1, -1, 2)), 2U);
}

TEST(ChampneysVarkonyiParts, BisectionFindsTheEdge) {
  EXPECT_NEAR(cv::zero_between([](double x) { return x * x - 2; }, 0, 2), std::numbers::sqrt2, 1e-15);
  EXPECT_NEAR(cv::change_between([](double x) { return x < 0.3; }, 0, 1), 0.3, 1e-15);
}

// The same twice: nothing is drawn from a clock or an address.
TEST(ChampneysVarkonyi, IsDeterministic) {
  for (const char* name : {"table-2", "fig-10", "fig-16"}) {
    SCOPED_TRACE(name);
    const Reproduction first = item_of(name).compute(), again = item_of(name).compute();
    ASSERT_EQ(again.comparisons.size(), first.comparisons.size());
    for (std::size_t i = 0; i < again.comparisons.size(); ++i) {
      EXPECT_EQ(again.comparisons[i].computed, first.comparisons[i].computed);
    }
    for (std::size_t i = 0; i < again.figures.size(); ++i) {
      EXPECT_EQ(to_svg(draw(again.figures[i])), to_svg(draw(first.figures[i])));
    }
  }
}

}  // namespace champneys_varkonyi_test
}  // namespace painleve
