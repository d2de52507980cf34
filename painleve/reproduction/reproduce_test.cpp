#include "painleve/reproduction/reproduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "painleve/base/error.hpp"

namespace painleve {
namespace reproduce_test {

PublishedItem item(const std::string& of, const std::string& name, std::function<Reproduction()> compute) {
  return {of, name, "title of " + name, {}, std::move(compute)};
}

Reproduction sound() {
  Reproduction r;
  r.comparisons = {compare_printed("a < b", "1.50", 1.5), compare_printed("c", "2.0", 1, "E-P1")};
  r.features = {feature("f", "r", true, "measured"), feature("g", "r", true), feature("h", "r", true)};
  Plot plot;
  plot.layers.emplace_back(CurveLayer{{{0, 0}, {1, 1}}, {}});
  r.figures = {{"a figure", "", {plot}}};
  r.remark = "a remark";
  return r;
}

Reproduction off() {
  Reproduction r;
  r.comparisons = {compare_printed("d", "2.0", 1)};
  return r;
}

std::vector<PublishedItem> some_items() {
  return {item("one", "fig-1", sound), item("one", "fig-2", sound), item("two", "table-1", off),
          item("two", "table-2", []() -> Reproduction { throw std::runtime_error("no luck"); })};
}

std::vector<std::string> names(const std::vector<const PublishedItem*>& items) {
  std::vector<std::string> list;
  for (const auto* i : items) list.push_back(full_name(*i));
  return list;
}

std::string complaint(const std::vector<PublishedItem>& items, const std::string& name) {
  try {
    select_items(items, name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SelectItems, TakesAllAPaperOrOne) {
  const auto items = some_items();
  EXPECT_EQ(select_items(items, "").size(), 4u);
  EXPECT_EQ(names(select_items(items, "one")), (std::vector<std::string>{"one/fig-1", "one/fig-2"}));
  EXPECT_EQ(names(select_items(items, "two/table-2")), std::vector<std::string>{"two/table-2"});
}

TEST(SelectItems, NamesTheNearest) {
  const auto items = some_items();
  EXPECT_EQ(complaint(items, "onee"), "unknown paper 'onee'; did you mean 'one'?");
  EXPECT_EQ(complaint(items, "two/tabel-1"), "unknown item of two 'tabel-1'; did you mean 'table-1'?");
  EXPECT_NE(complaint(items, "/fig-1"), "");
  EXPECT_NE(complaint(items, "one/"), "");
}

TEST(Reproduce, KeepsTheOrderAndTheFailures) {
  const auto items = some_items();
  for (const int threads : {1, 3, 16}) {
    const ReproduceReport report = reproduce(select_items(items, ""), {threads, nullptr});
    ASSERT_EQ(report.items.size(), 4u);
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(report.explained());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(report.items[i].item, &items[i]);
    EXPECT_EQ(report.items[3].failure, "no luck");
    EXPECT_TRUE(report.items[0].failure.empty());
  }
  EXPECT_TRUE(reproduce(select_items(items, "one"), {}).explained());
  EXPECT_THROW(reproduce(select_items(items, "one"), {-1, nullptr}), InputError);
}

TEST(Reproduce, ComputesEachItemOnce) {
  std::atomic<int> computed = 0;
  std::vector<PublishedItem> items;
  for (int i = 0; i < 100; ++i) {
    items.push_back(item("p", std::to_string(i), [&computed] {
      ++computed;
      return Reproduction{};
    }));
  }
  std::vector<double> parts;
  reproduce(select_items(items, ""), {4, [&parts](double part) {
                                        parts.push_back(part);
                                        return true;
                                      }});
  EXPECT_EQ(computed, 100);
  ASSERT_EQ(parts.size(), 100u);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.back(), 1.0);
}

TEST(Reproduce, AnInterruptionKeepsWhatIsDone) {
  const auto items = some_items();
  const ReproduceReport report = reproduce(select_items(items, ""), {1, [](double part) { return part < 0.5; }});
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.items.size(), 2u);
  EXPECT_NE(reproduction_page(report).find("Interrupted"), std::string::npos);
}

TEST(Reproduce, CountsWhatIsInAResult) {
  const Tally t = tally(sound());
  EXPECT_EQ(t.compared, 2);
  EXPECT_EQ(t.matched, 1);
  EXPECT_EQ(t.errata, 1);
  EXPECT_EQ(t.unexplained, 0);
  EXPECT_EQ(t.features, 3);
  EXPECT_EQ(t.holding, 3);
  EXPECT_EQ(t.figures, 1);
  EXPECT_EQ(tally(off()).unexplained, 1);
}

TEST(ReproductionPage, ShowsEverythingAndIsTheSameForAnyNumberOfThreads) {
  const auto items = some_items();
  const std::string page = reproduction_page(reproduce(select_items(items, ""), {1, nullptr}));
  EXPECT_EQ(page, reproduction_page(reproduce(select_items(items, ""), {8, nullptr})));
  for (const char* part :
       {"a &lt; b", ">1.50<", ">1.5000<", "✓ matches", "△ erratum E-P1", "✗ differs", "no luck", "measured", "a remark",
        "id=\"one-fig-2\"", "href=\"#two-table-1\"", "<svg", "✓ holds", "✗ failed"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
}

TEST(ReproductionJson, HasTheKeysOfTheContract) {
  const auto items = some_items();
  const auto j = to_json(reproduce(select_items(items, ""), {}));
  EXPECT_EQ(j["command"], "reproduce");
  EXPECT_EQ(j["complete"], true);
  EXPECT_EQ(j["explained"], false);
  ASSERT_EQ(j["items"].size(), 4u);
  EXPECT_EQ(j["items"][0]["comparisons"][0]["difference"], 0.0);
  EXPECT_EQ(j["items"][0]["comparisons"][1]["erratum"], "E-P1");
  EXPECT_EQ(j["items"][0]["explained"], true);
  EXPECT_EQ(j["items"][2]["explained"], false);
  EXPECT_EQ(j["items"][3]["failure"], "no luck");
  EXPECT_EQ(j["items"][3]["explained"], false);
}

TEST(FigureFile, HasANumberWhereThereAreSeveral) {
  const auto items = some_items();
  EXPECT_EQ(figure_file(items[0], 0, 1, "svg"), "one-fig-1.svg");
  EXPECT_EQ(figure_file(items[0], 1, 2, "png"), "one-fig-1-2.png");
}

TEST(PublishedItems, HaveNamesOfTheirOwnAndAKnownPaper) {
  std::set<std::string> seen, known;
  for (const auto& p : papers()) known.insert(p.name);
  for (const auto& i : published_items()) {
    EXPECT_TRUE(seen.insert(full_name(i)).second) << full_name(i);
    EXPECT_TRUE(known.contains(i.paper)) << i.paper;
    EXPECT_FALSE(i.title.empty());
    EXPECT_TRUE(i.compute != nullptr);
    EXPECT_EQ(i.name.find_first_of("/ "), std::string::npos) << i.name;
  }
  for (const auto& p : papers()) EXPECT_FALSE(select_items(published_items(), p.name).empty());
}

}  // namespace reproduce_test
}  // namespace painleve
