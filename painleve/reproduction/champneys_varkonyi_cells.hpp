// The 18 cells of Tables 2 and 3: rows by the signs of b, p+ and p−, columns by the sign of u. A cell is a set of
// choices ("or"), each a set of modes that are possible together ("and").
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "painleve/contact/single_contact.hpp"
#include "painleve/modes/mode_table.hpp"
#include "painleve/reproduction/item.hpp"

namespace painleve::champneys_varkonyi {

using Choice = std::set<std::string>;                     // modes, or "IWC"
using Cells = std::array<std::array<std::string, 3>, 6>;  // as printed: "F or (F and T)"
using FoundCells = std::array<std::array<std::set<Choice>, 3>, 6>;

struct Draw {
  PlanarContact contact;
  double u;
};

std::size_t row_of(const PlanarContact& contact);     // (i) to (vi)
std::size_t column_of(const PlanarContact& contact);  // I, II, III

Choice mode_set(unsigned consistent);  // PlanarModeBit
Choice consistent_set(const std::vector<ModeEntry>& modes);
// By the closed conditions on a, b and the edges a± of the friction cone.
Choice closed_modes(const PlanarContact& contact);

std::set<Choice> read_cell(const std::string& printed);
std::string cell_text(const std::set<Choice>& cell);
// One comparison per cell.
void compare_cells(Reproduction& result, const Cells& printed, const FoundCells& found);

}  // namespace painleve::champneys_varkonyi
