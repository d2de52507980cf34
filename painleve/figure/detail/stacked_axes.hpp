// Plots that stand above each other over one axis of x: their frames begin at the same place.
#pragma once

#include <vector>

#include "painleve/figure/plot.hpp"

namespace painleve::detail {

// Gives every y axis round ends, two or three labelled ticks between them (low panels have no room for more), and
// labels as wide as the widest of all. Axes that have an end already keep theirs and are only padded. Panels must be
// Plots.
void stack_axes(std::vector<Panel>& panels);

}  // namespace painleve::detail
