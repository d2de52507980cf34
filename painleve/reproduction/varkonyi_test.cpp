// The items of Várkonyi (2018) leave nothing unexplained.
#include "painleve/reproduction/varkonyi.hpp"

#include <gtest/gtest.h>

#include "painleve/reproduction/item_checks.hpp"
#include "painleve/reproduction/items_of_papers.hpp"

namespace painleve {
namespace varkonyi_test {

TEST(Varkonyi, EveryItemIsSound) {
  for (const PublishedItem& item : varkonyi_items()) expect_sound(item);
}

TEST(Varkonyi, HasEveryTableFigureTheoremAndLemmaThatCanBeComputed) {
  std::vector<std::string> names;
  for (const PublishedItem& item : varkonyi_items()) names.push_back(item.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"table-1", "fig-3", "fig-4", "fig-5", "theorem-3.1", "theorem-3.4", "table-a1",
                                      "fig-6", "fig-7", "lemma-1", "lemma-2", "fig-8", "fig-9", "fig-10"}));
}

}  // namespace varkonyi_test
}  // namespace painleve
