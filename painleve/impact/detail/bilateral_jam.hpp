// Impact without collision at bilateral contacts, whose normals may push or pull and do not move: friction of the force
// in one makes the force in another grow. The words of impact_without_collision.hpp say whether, and where.
#pragma once

#include <string>
#include <vector>

#include "painleve/impact/impact.hpp"

namespace painleve::detail {

struct BilateralJam {
  std::vector<int> contacts;  // that the first such word presses in, one of them bilateral; empty: there is none
  std::string undecided;      // not empty: why the words were not decided
};

// `space` with the friction of impacts. Springs are those of the options, or equal ones.
BilateralJam bilateral_jam(const ContactSpace& space, const ImpactOptions& options);

bool bilateral_slips(const ContactSpace& space, const Tolerance& tolerance);

}  // namespace painleve::detail
