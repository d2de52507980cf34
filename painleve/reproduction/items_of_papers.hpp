// The items of each paper, in the order of the paper.
#pragma once

#include <vector>

#include "painleve/reproduction/item.hpp"

namespace painleve {

std::vector<PublishedItem> peiret_items();       // the journal paper, "peiret"
std::vector<PublishedItem> peiret_cone_items();  // the abstract, "peiret-cone"
std::vector<PublishedItem> preclik_items();
std::vector<PublishedItem> champneys_varkonyi_items();
std::vector<PublishedItem> varkonyi_items();

}  // namespace painleve
