// For tests: what every published item has to keep to.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "painleve/reproduction/item.hpp"

namespace painleve {

// The names in the first column of the tables of docs/errata.md.
inline std::set<std::string> names_of_errata() {
  std::ifstream file(std::string(PAINLEVE_SOURCE_DIR) + "/docs/errata.md");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string bar, name;
    if (words >> bar >> name && bar == "|" && name.front() != '-' && name != "id") names.insert(name);
  }
  return names;
}

// Nothing unexplained, errata that exist, three features per figure, figures that can be drawn.
inline void expect_sound(const PublishedItem& item) {
  SCOPED_TRACE(item.paper + "/" + item.name);
  const Reproduction result = item.compute();
  EXPECT_TRUE(explained(result));
  EXPECT_FALSE(result.comparisons.empty());
  const std::set<std::string> errata = names_of_errata();
  for (const auto& c : result.comparisons) {
    EXPECT_TRUE(c.match || !c.erratum.empty()) << c.what << ": " << c.printed << " printed, " << c.computed;
    EXPECT_TRUE(c.erratum.empty() || errata.contains(c.erratum)) << c.erratum << " is not in docs/errata.md";
  }
  for (const auto& f : result.features) EXPECT_TRUE(f.holds) << f.statement << ": " << f.measured;
  EXPECT_GE(result.features.size(), 3 * result.figures.size());
  for (const auto& figure : result.figures) {
    EXPECT_NE(to_svg(draw(figure)).find("<text"), std::string::npos);
    EXPECT_FALSE(figure.title.empty());
  }
}

// The comparison whose `what` begins so; fails the test where there is none.
inline Comparison comparison(const Reproduction& result, const std::string& what) {
  for (const auto& c : result.comparisons) {
    if (c.what.starts_with(what)) return c;
  }
  ADD_FAILURE() << "no comparison of " << what;
  return {};
}

inline int count_of_errata(const Reproduction& result) {
  int count = 0;
  for (const auto& c : result.comparisons) count += c.match ? 0 : 1;
  return count;
}

}  // namespace painleve
