// A small map and its files, which targets damage.
#pragma once

#include <string>
#include <string_view>

#include "painleve/study/map_file.hpp"

namespace painleve::fuzz {

const MapProblem& small_problem();  // 3 × 4 cells of the rod, words and numbers
const Map& small_map();
MapFile small_map_file();
bool same_map(const Map& a, const Map& b);  // bit by bit, NaN like NaN

// Bytes with damage: three bytes each, position (two) and what is put there; 255 instead of a byte cuts the text off.
std::string damaged(std::string bytes, std::string_view damage);

}  // namespace painleve::fuzz
