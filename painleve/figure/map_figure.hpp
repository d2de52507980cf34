// A map (study/map.hpp) as a figure. One axis: a curve, or a strip of words. Two axes: words or numbers in colour with
// the boundaries between words, the first axis to the right, the second up. More axes: small multiples over the first
// ones, the last two in each panel; at most twelve panels, the values in between left out evenly.
//
// Angles are shown in degrees. Cells without a value are white; the caption counts them by reason.
#pragma once

#include <string>
#include <vector>

#include "painleve/figure/plot.hpp"
#include "painleve/study/boundaries.hpp"
#include "painleve/study/map.hpp"

namespace painleve {

struct MapFigureOptions {
  std::vector<std::string> quantities = {};  // empty: all of the map, in its order
  std::string title = {};
  Scale scale = Scale::linear;      // of the colours of numbers
  std::vector<double> levels = {};  // contour lines of numbers, in the unit of the map
  int most_panels = 12;
};

// Throws InputError for a map without axes, columns or cells, and for a quantity that is not in it.
Figure map_figure(const Map& map, const std::vector<Boundary>& boundaries = {}, const MapFigureOptions& options = {});

}  // namespace painleve
