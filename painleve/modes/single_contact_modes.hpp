// Mode entries of one closed contact: the planar kernel and the spatial analysis, put into words.
#pragma once

#include <vector>

#include "painleve/modes/mode_table.hpp"

namespace painleve {

// `space` holds one closed contact that is not separating. The planar one must be unilateral and not degenerate.
std::vector<ModeEntry> planar_contact_modes(const ContactSpace& space, const Tolerance& tolerance);

// Sets `complete` to false when the slip directions from rest could not be told apart to rounding.
std::vector<ModeEntry> spatial_contact_modes(const ContactSpace& space, const Tolerance& tolerance, bool& complete);

}  // namespace painleve
